"""What docs/contributing.md shows is complete: each block, put where the page says, does what it is for."""
import importlib

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.transformer.errors.messages import GradscribeError
from gradscribe.transformer.rules import OPS
from gradscribe.transformer.specialise.builtins import numpy_api
from tests.library.test_library import matrix  # noqa: F401  a fixture: what is entered goes again
from tests.library.test_library import tables_as_they_were, whole_table  # noqa: F401  a fixture
from tests.project.test_docs import ROOT, blocks, run
from tests.transformer import test_optimise

CHAPTER, RULE, HOST, PASS, BECOMES = blocks(ROOT / "docs" / "contributing.md")
X = np.linspace(-1.0, 2.0, 12).reshape(3, 4)


def written(block, module, **names) -> dict:
    """The names of a module of gradscribe.transformer with this block behind it."""
    namespace = vars(importlib.import_module(f"gradscribe.transformer.{module}")) | names
    run(block, f"contributed{block.line}.py", namespace, f"contributing.md:{block.line}")
    return namespace


@pytest.mark.heavy(one_in=22)
def test_a_function_written_in_numpy():
    written(CHAPTER, "library.shapes")
    for k in (0, 1, 2, -1):
        whole_table(lambda x: np.rot90(x, k) * 2.0, (X,))
    with pytest.raises(ValueError, match="Axes must be different"):
        gs.jit(lambda x: np.rot90(x, 1, (0, 0)))(X)


@pytest.mark.heavy(one_in=2)
def test_a_rule():
    del OPS["np.deg2rad"]  # it is entered anew
    written(RULE, "rules.elementwise")
    numpy_api.each({np.deg2rad: np.deg2rad})(numpy_api.call_ufunc)  # as importing that module does
    whole_table(lambda x: np.deg2rad(x) ** 2, (X,))


def test_what_a_library_computes():
    OPS.pop("np.linalg.eigvalsh", None)  # it is entered anew
    written(HOST, "library.linalg")
    A = matrix(3, 3)
    f = lambda a: np.linalg.eigvalsh(a) * 2.0  # noqa: E731
    np.testing.assert_allclose(gs.test_util.primal(f)(A + A.T), f(A + A.T))
    np.testing.assert_allclose(gs.vmap(f)(np.stack([A + A.T, A @ A.T])), [f(A + A.T), f(A @ A.T)])
    for refused in (gs.jit(f), gs.grad(lambda a: np.sum(f(a)))):
        with pytest.raises(GradscribeError):
            refused(A)


def test_a_pass():
    made = written(PASS, "optimise", __package__="gradscribe.transformer.optimise")
    run(BECOMES, "becomes.py", vars(test_optimise) | {"negated": made["negated"]}, "contributing.md")
