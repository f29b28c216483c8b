"""Calls of NumPy that were found from outside: programs of several, their gradients, and what is said where one raises.

test_signatures.py gives each function its arguments one by one.
"""
import numpy as np
import pytest

import gradscribe as gs
from gradscribe.transformer import api
from tests.library.test_signatures import same


def spread(x):
    return (np.sum(np.linspace(x, x + 2.0, 5) ** 2) + np.linspace(x[0], x[1], 1)[0]
            + np.sum(np.linspace(x, 3.0, 4, endpoint=False, axis=1) ** 3))


def piled(x):
    return (np.sum(np.vstack(x) ** 2) + np.sum(np.hstack([x[0], x[1]])) + np.sum(np.concatenate(np.outer(x, x)) ** 2)
            + np.sum(np.stack(np.outer(x, x), 1)[0]))


def turned(x):
    return (np.sum(np.expand_dims(x, (0, 2)) ** 2)
            + np.sum(np.moveaxis(np.ones((2, len(x), 3)) * x[:, None], (0, 2), (2, 0))[1] ** 2))


def in_order(x):
    m = np.outer(x, x - 1.0)
    m.sort(0)
    return np.sum(np.cumsum(np.sort(m, axis=1) ** 2, axis=1)) + np.sort(m, axis=None)[1] * m[0, 0]


def spreads(x):
    m = np.outer(x, x - 0.3)
    return np.sum(np.var(m, axis=0, ddof=1)) + np.std(m, ddof=1) * m.std(1, ddof=0)[0]


def of_all_ranks(x):
    m = np.outer(x, x)
    return (np.sum(np.dot(m, np.stack([m, m * x])) ** 2) + np.vdot(m, m + 1.0) + np.sum(np.inner(m, m[:2]) ** 2)
            + np.inner(x, x))


def columns(x):
    m, total = np.outer(x, x), 0.0
    for k in range(len(x)):
        m = m + m[:, k:k + 1] * m[k:k + 1] * 0.1
        total = total + np.sum(m[:, k:k + 1] * x[:, None]) + np.sum(x[k:k + 1] * x)
    return total


def clipped(x):
    return np.sum(np.clip(x, -0.5, 0.8) * x) + np.sum(x.clip(max=x[::-1])) + np.sum(np.clip(x, x[0], None) ** 2)


def placed(x):
    return (np.sum(np.eye(len(x), k=1) * np.outer(x, x)) + np.sum(np.full((2, len(x)), x) ** 2)
            + np.sum(x.reshape((2, -1), order="F")[0] ** 2))


@pytest.mark.heavy(one_in=66)
@pytest.mark.parametrize("compiled", [False, True], ids=["plain", "compiled"])
@pytest.mark.parametrize("f", [spread, piled, turned, in_order, spreads, of_all_ranks, columns, clipped, placed],
                         ids=lambda f: f.__name__)
def test_value_and_gradient(f, compiled):
    x = np.array([0.3, -1.2, 2.0, 0.7])
    g = gs.jit(f) if compiled else api.Primal(f)
    np.testing.assert_allclose(g(x), f(x), rtol=1e-12)
    gs.test_util.check_grads(g, (x,))
    np.testing.assert_allclose(gs.vmap(g)(np.stack([x, x + 0.1])), [f(x), f(x + 0.1)], rtol=1e-12)


@pytest.mark.parametrize("compiled", [False, True], ids=["plain", "compiled"])
def test_sums_of_small_integers_and_signs_of_zero(compiled):
    def f(u, z):
        return (np.sum(u, dtype=np.uint8), u.sum(dtype=np.int16), np.sum(u, dtype=bool),
                np.sum(u > 0), np.mean(u, dtype=np.float32), np.cumsum(u), np.cumsum(u, dtype=np.uint8),
                np.add(u, 1.0, dtype=np.float32), np.cumsum(z), np.clip(z, 0.0, 1.0), np.clip(z, -1.0, 0.0), np.max(z),
                np.sum(z), z.sum(()))

    args = np.array([200, 100, 7], np.uint8), np.array([-0.0])
    want, got = f(*args), (gs.jit(f) if compiled else api.Primal(f))(*args)
    assert all(same(w, g) for w, g in zip(want, got)), (want, got)


def test_a_slice_of_one_place_that_is_empty():
    def f(x):
        s = 0.0
        for k in range(len(x) + 1):
            s = s + np.sum(x[k:k + 1])
        return s

    def g(x):
        s = 0.0
        for k in range(len(x) + 1):
            s = s + np.sum(x[k:k + 1] * x)
        return s

    x = np.array([1.0, 2.0])
    assert gs.jit(f)(x) == f(x) == 3.0
    for made in (api.Primal(g), gs.jit(g)):
        with pytest.raises(ValueError, match="is empty here"):
            made(x)


def test_what_does_not_fit_is_raised_compiled_too():
    f = gs.jit(lambda n: np.full(2, n, np.uint8))
    assert f(200).tolist() == [200, 200]
    with pytest.raises(OverflowError):
        f(300)
    g = gs.jit(lambda x, n: np.clip(x, 0, n))
    assert [g(np.array([1, 9], np.uint8), n).tolist() for n in (3, 300)] == [[1, 3], [1, 9]]
