"""The width of NumPy: calls of each chapter against NumPy itself, plain and compiled,
and derivatives against differences.

test_signatures.py gives each function odd and wrong arguments; here stand calls as people write them. The calls of a
chapter are in chapter_calls.py, as texts over the arrays that the chapter names.
"""
import warnings

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.transformer import api
from tests.corpus.chapter_calls import CHAPTERS, DERIVATIVES
from tests.library.test_signatures import problem


def function_of(texts, names, tmp_path, head=""):
    """A function of these arrays that gives what each text does."""
    path = tmp_path / "calls.py"
    path.write_text(f"import math\n\nimport numpy as np\n\n\ndef f({', '.join(names)}):\n"
                    f"{head}    return ({', '.join(texts)},)\n", encoding="utf-8")
    namespace = {"__name__": "calls_of_a_chapter"}
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), namespace)
    return namespace["f"]


def outcome(f, args):
    args = [a.copy() if isinstance(a, np.ndarray) else a for a in args]
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return (f(*args),), None
    except Exception as error:
        return None, error


def disagreement(f, g, args) -> str:
    """Of what both give, or raise: class and value; a refusal is one, too."""
    want, got = outcome(f, args), outcome(g, args)
    if isinstance(got[1], gs.GradscribeError) and not isinstance(want[1], gs.GradscribeError):
        return f"refused: {got[1]}"
    return problem(want, got, signs=False)


@pytest.mark.heavy(one_in=78)
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_plain(chapter, tmp_path):
    operands, texts = CHAPTERS[chapter]
    wrong = []
    for text in texts:
        f = function_of([text], operands, tmp_path)
        found = disagreement(f, api.Primal(f), operands.values())
        wrong += [f"{text}: {found}"] if found else []
    assert not wrong, "\n".join(wrong)


@pytest.mark.heavy(one_in=57)
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_compiled(chapter, tmp_path):
    operands, texts = CHAPTERS[chapter]
    works = [text for text in texts if outcome(function_of([text], operands, tmp_path), operands.values())[1] is None]
    for k in range(0, len(works), 8):
        f = function_of(works[k:k + 8], operands, tmp_path)
        found = disagreement(f, gs.jit(f), operands.values())
        assert not found, f"{works[k:k + 8]}: {found}"


@pytest.mark.heavy(one_in=41)
@pytest.mark.parametrize("chapter", DERIVATIVES)
def test_derivatives(chapter, tmp_path):
    for operands, text in DERIVATIVES[chapter]:
        f = function_of([text], operands, tmp_path)
        g = lambda *args, f=f: np.sum(np.sin(f(*args)[0]))  # noqa: E731
        gs.test_util.check_grads(g, tuple(operands.values()), order=2)
        gs.test_util.check_grads(gs.jit(g), tuple(operands.values()), order=1)
        x, *others = operands.values()
        many = np.stack([x, x * 1.1])
        for h in (gs.grad(g),):
            np.testing.assert_allclose(gs.vmap(h, in_axes=(0,) + (None,) * len(others))(many, *others),
                                       [h(x, *others), h(x * 1.1, *others)], rtol=1e-8, atol=1e-10)
