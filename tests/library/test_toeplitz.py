"""scipy.linalg.solve_toeplitz."""
import numpy as np
import pytest
from scipy import linalg

import gradscribe as gs

RNG = np.random.default_rng(0)


def solutions(c, r, b, B):
    return linalg.solve_toeplitz((c, r), b), linalg.solve_toeplitz(c, B), linalg.solve_toeplitz(list(c), b)


def total(*args):
    return sum(np.sum(x ** 2) for x in solutions(*args))


@pytest.mark.heavy(one_in=4)
@pytest.mark.parametrize("n", [1, 2, 3, 7])
def test_solutions_and_their_derivatives(n):
    args = RNG.normal(size=n) + 3.0 * (np.arange(n) == 0), RNG.normal(size=n), RNG.normal(size=n), RNG.normal(
        size=(n, 2))
    for way in (gs.test_util.primal, gs.jit):
        for got, want in zip(way(solutions)(*args), solutions(*args), strict=True):
            np.testing.assert_allclose(got, want, rtol=1e-11)
            assert got.shape == want.shape and got.dtype == want.dtype
    gs.test_util.check_grads(total, args, order=2)
    for got, want in zip(gs.jit(gs.grad(total, (0, 1, 2, 3)))(*args), gs.grad(total, (0, 1, 2, 3))(*args)):
        np.testing.assert_allclose(got, want, rtol=1e-9, atol=1e-12)
    many = [np.stack([x, x[::-1] + 2.0 * x]) for x in args]
    np.testing.assert_allclose(gs.vmap(total)(*many), [total(*row) for row in zip(*many)], rtol=1e-10)


@pytest.mark.parametrize("c, b", [([0.0, 1.0], [1.0, 2.0]), ([1.0, 1.0, 1.0], [1.0, 2.0, 3.0]), ([1.0, 2.0], [1.0]),
                                  ([np.nan, 1.0], [1.0, 2.0])])
def test_what_is_raised(c, b):
    with pytest.raises(Exception) as wanted:
        linalg.solve_toeplitz(c, b)
    for way in (gs.test_util.primal, gs.jit):
        with pytest.raises(type(wanted.value), match=str(wanted.value)):
            way(linalg.solve_toeplitz)(np.array(c), np.array(b))


def test_complex_numbers_are_refused():
    with pytest.raises(gs.UnsupportedError, match="of complex numbers"):
        gs.jit(linalg.solve_toeplitz)(np.array([1.0 + 1j, 0.5]), np.ones(2))
