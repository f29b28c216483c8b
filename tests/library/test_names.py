"""How much of NumPy there is: each public name works, by a call that test_public.py makes,
or is refused for a reason."""
import runpy
from pathlib import Path

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.transformer import api
from tests.corpus.public_calls import CALLS, REFUSED
from tests.library.test_signatures import function_of, outcome

TESTS = Path(__file__).parents[1]
IN_JAX = {module: (TESTS / "data" / f"jax_{file}_names.txt").read_text().split()
          for module, file in (("np", "numpy"), ("np.linalg", "linalg"), ("np.fft", "fft"))}
MAKER = runpy.run_path(str(TESTS.parent / "docs" / "make_numpy.py"))


def test_each_name_works_or_has_a_reason():
    names = set(MAKER["names_of"]("np"))
    works = {name[3:] for name in CALLS if name.rpartition(".")[0] == "np"}
    assert names == works | set(REFUSED) and not works & set(REFUSED)


def test_how_many_of_the_names_that_jax_has_work():
    working = {module: [name for name in names if f"{module}.{name}" in CALLS] for module, names in IN_JAX.items()}
    assert len(working["np"]) >= 375 and len(IN_JAX["np"]) == 393
    assert working["np.linalg"] == IN_JAX["np.linalg"] and len(working["np.linalg"]) == 31
    assert working["np.fft"] == IN_JAX["np.fft"] and len(working["np.fft"]) == 18


def test_the_page_is_up_to_date():
    assert MAKER["PAGE"].read_text(encoding="utf-8") == MAKER["page"](), "run: python docs/make_numpy.py"


@pytest.mark.parametrize("name", [name for name in REFUSED
                                  if callable(getattr(np, name)) and not isinstance(getattr(np, name), type)])
def test_what_is_refused_says_so(name):
    """Or that the call is wrong, which it is of some."""
    function = getattr(np, name)
    with pytest.raises((gs.GradscribeError, TypeError)):
        api.Primal(lambda x: function(x))(np.array([1.0, 2.0]))


@pytest.mark.parametrize("wrong, near", [("sinn", "sin"), ("trapz", "trapezoid"), ("in1d", "isin"),
                                         ("cumproduct", "cumprod"), ("arctann", "arctan")])
def test_a_misspelled_function_names_the_nearest(wrong, near, tmp_path):
    (f,) = function_of([f"np.{wrong}(x)"], tmp_path)
    _, error = outcome(api.Primal(f))
    assert isinstance(error, gs.GradscribeError) and f"Did you mean np.{near}?" in str(error)
