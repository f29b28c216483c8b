"""How much of NumPy there is: each name that jax.numpy shares with it works, by a call that gives what NumPy gives, or is refused for a reason."""
from pathlib import Path

import gradscribe as gs
import numpy as np
import pytest
from name_calls import CALLS, REFUSED
from test_signatures import function_of, outcome, problem

from gradscribe.transformer import api

NAMES = (Path(__file__).parent / "data" / "jax_numpy_names.txt").read_text().split()
CHUNKS = [list(CALLS)[k:k + 12] for k in range(0, len(CALLS), 12)]
OF_COMPLEX = "of complex numbers"


def test_each_name_works_or_has_a_reason():
    assert set(NAMES) == set(CALLS) | set(REFUSED)
    assert len(set(NAMES) & set(CALLS)) >= 350 and not set(CALLS) & set(REFUSED)


@pytest.mark.heavy(one_in=4)
@pytest.mark.parametrize("names", CHUNKS, ids=lambda names: names[0])
def test_calls_give_what_numpy_gives(names, tmp_path):
    wrong = []
    for name, f in zip(names, function_of([CALLS[name] for name in names], tmp_path)):
        want, got = outcome(f), outcome(api.Primal(f))
        found = problem(want, got, signs=False) or str(got[1] or "")
        wrong += [f"{CALLS[name]}: {found}"] if found or want[1] else []
    assert not wrong, "\n".join(wrong)


@pytest.mark.heavy(one_in=15)
@pytest.mark.parametrize("names", CHUNKS, ids=lambda names: names[0])
def test_compiled_calls_give_what_numpy_gives(names, tmp_path):
    (f,) = function_of([f"({', '.join(CALLS[name] for name in names)},)"], tmp_path)
    want, got = outcome(f), outcome(gs.jit(f))
    assert not (problem(want, got, signs=False) or got[1]), got[1]


@pytest.mark.parametrize("name", [name for name, why in REFUSED.items() if why != OF_COMPLEX and callable(getattr(np, name)) and not isinstance(getattr(np, name), type)])
def test_what_is_refused_says_so(name):
    """Or that the call is wrong, which it is of some."""
    function = getattr(np, name)
    with pytest.raises((gs.GradscribeError, TypeError)):
        api.Primal(lambda x: function(x))(np.array([1.0, 2.0]))


@pytest.mark.parametrize("wrong, near", [("sinn", "sin"), ("trapz", "trapezoid"), ("in1d", "isin"), ("cumproduct", "cumprod"), ("arctann", "arctan")])
def test_a_misspelled_function_names_the_nearest(wrong, near, tmp_path):
    (f,) = function_of([f"np.{wrong}(x)"], tmp_path)
    _, error = outcome(api.Primal(f))
    assert isinstance(error, gs.GradscribeError) and f"Did you mean np.{near}?" in str(error)
