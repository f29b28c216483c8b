"""What refusals advise works: it is written, run, and held against what is refused."""
import numpy as np
import pytest

import gradscribe as gs
from gradscribe.transformer.library.hints import HINTS
from tests.refusals.advice import ADVICE

X = np.array([0.75, 1.25, 0.4])


def test_each_row_has_a_program():
    assert ADVICE.keys() == HINTS.keys()


def slope(f, x, direction, h=1e-5):
    return (f(x + h * direction) - f(x - h * direction)) / (2.0 * h)


@pytest.mark.heavy(one_in=3)
@pytest.mark.parametrize("row", ADVICE)
def test_the_hint_is_given_and_followed(row):
    refused, advised = ADVICE[row]
    with pytest.raises(gs.UnsupportedError) as caught:
        gs.grad(refused)(X)
    named = [p for p in caught.value.problems if p.message.startswith(row) and p.message.endswith(" has no rule")]
    assert [p.instead for p in named] == [HINTS[row]]

    direction = np.array([0.3, -0.2, 0.5])
    np.testing.assert_allclose(advised(X), refused(X), rtol=1e-8)
    np.testing.assert_allclose(gs.grad(advised)(X) @ direction, slope(advised, X, direction), rtol=1e-5, atol=1e-8)
    np.testing.assert_allclose(gs.jit(advised)(X), advised(X), rtol=1e-10)
    np.testing.assert_allclose(gs.jit(gs.grad(advised))(X), gs.grad(advised)(X), rtol=1e-10, atol=1e-14)
    both = np.stack([X, X[::-1]])
    np.testing.assert_allclose(gs.vmap(gs.grad(advised))(both), [gs.grad(advised)(x) for x in both], rtol=1e-10,
                               atol=1e-14)
