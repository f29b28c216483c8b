"""docs/rules.md is what docs/make_rules.py writes of the tables as they are now, and leaves nothing out."""
import runpy
from pathlib import Path

import numpy as np
import pytest

from gradscribe.transformer.library.registry import FUNCTIONS, METHODS
from gradscribe.transformer.rules import BY_FUNCTION

DOCS = Path(__file__).parents[2] / "docs"
MAKER = runpy.run_path(str(DOCS / "make_rules.py"))


@pytest.mark.heavy(one_in=3)
def test_the_page_is_up_to_date():
    assert (DOCS / "rules.md").read_text(encoding="utf-8") == MAKER["page"](), "run: python docs/make_rules.py"


@pytest.mark.heavy(one_in=3)
def test_every_function_is_on_it():
    page = MAKER["page"]()
    for function in FUNCTIONS:
        if not (isinstance(function, type) and issubclass(function, np.generic)):
            name = MAKER["names_of"](function)[0]
            assert f"`{name}`" in page or f"`{name}(" in page or f", {name}(" in page, name
    for key in METHODS:
        assert f".{key if isinstance(key, str) else key[1]}(" in page


def test_formulas_are_those_of_the_rules():
    derivative = MAKER["derivative"]
    assert derivative(BY_FUNCTION[np.tanh]) == "`1 - y * y`"
    assert derivative(BY_FUNCTION[np.multiply]) == "`b`, `a`"
    assert derivative(BY_FUNCTION[np.mean]) == "`g / count()`"
    assert derivative(BY_FUNCTION[np.floor]) == derivative(BY_FUNCTION[np.argmax]) == "none"
    assert derivative(BY_FUNCTION[np.where]) == "0, `np.where(c, g, 0)`, `np.where(c, 0, g)`"
