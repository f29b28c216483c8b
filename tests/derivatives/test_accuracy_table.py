"""docs/accuracy.md says which digits are lost: nothing else is outside of the bounds, and nothing more than it says
(tests/support/accuracy.py measures)."""
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.support import accuracy

sys.path.insert(0, str(Path(__file__).parents[2] / "docs"))
import make_accuracy  # noqa: E402

TARGETS, MISSING = accuracy.targets()
ALLOWED = make_accuracy.allowed()
ONE_IN = 16  # of the page's points, in a test


def test_each_function_has_a_reference_or_a_reason():
    assert not MISSING, ("add them to tests/support/accuracy_references.py: a definition in mpmath's numbers, "
                         "or a reason in NO_REFERENCE")


def test_the_page_is_of_functions_that_there_are():
    assert {expression for expression, _, _ in ALLOWED} <= set(TARGETS), "python docs/make_accuracy.py"


def held(expression, dtype, compiled):
    figures = accuracy.measure(TARGETS[expression], dtype, compiled, make_accuracy.POINTS, one_in=ONE_IN)
    assert figures, "it was measured nowhere"
    name = np.dtype(dtype).name
    for order, limit in ((o, b) for o, b in zip(accuracy.ORDERS, accuracy.BOUNDS[name]) if o in figures):
        figure = figures[order]
        assert figure.error <= ALLOWED.get((expression, name, order), limit), (expression, name, order, figure)


@pytest.mark.heavy(one_in=331)
@pytest.mark.parametrize("dtype", (np.float64, np.float32), ids=("float64", "float32"))
@pytest.mark.parametrize("expression", TARGETS)
def test_plain(expression, dtype):
    held(expression, dtype, False)


@pytest.mark.heavy(one_in=132)
@pytest.mark.parametrize("dtype", (np.float64, np.float32), ids=("float64", "float32"))
@pytest.mark.parametrize("expression", TARGETS)
def test_compiled(expression, dtype):
    held(expression, dtype, True)


def test_a_wrong_slope_is_found():
    """The machine itself: a function whose slope is half of what is right, and one that is 0 for a finite number."""
    right = TARGETS["np.sin(x)"]
    for wrong in ("np.sin(x) * 0.5 + 0.5 * gs.stop_gradient(np.sin(x))",
                  "np.where(x == 0.5, gs.stop_gradient(np.sin(x)), np.sin(x))"):
        figures = accuracy.measure(accuracy.Target(wrong, right.reference, right.sources), np.float64)
        assert figures["value"].outside == 0 and figures["slope"].error >= 0.5, wrong
