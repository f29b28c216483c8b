"""Derivatives of float32 are computed in it: no rule makes a float64 on the way, which is slow on a GPU and halves what
a vector of the CPU holds. Bools and counts are numbers of the dtype beside them, and so are Python's numbers.

Where NumPy itself computes in float64, as np.nanmean does, so do programs.
"""
import numpy as np
import pytest
from scipy import special

import gradscribe as gs
from gradscribe.transformer.core import Let, walk

X = np.array([[0.8, 0.2, 0.1], [0.2, 0.6, 0.6], [0.1, 0.05, 0.45]], np.float32)
Y = X.T * np.float32(0.9) + np.float32(0.05)
ARGS = X, Y, np.float32(0.3), 0.7, 3  # two arrays, a number of NumPy's, and two of Python's
TANGENTS = np.ones_like(X), np.ones_like(Y), np.float32(1.0), 1.0

CALLS = {
    "the largest": lambda x, y, z, s, k: np.max(x),
    "the largest of rows": lambda x, y, z, s, k: np.max(x, axis=1),
    "the least of columns": lambda x, y, z, s, k: np.min(x, axis=0, keepdims=True),
    "extremes of what is no number": lambda x, y, z, s, k: np.nanmax(x, axis=1) - np.ptp(y, axis=0),
    "norms of matrices": lambda x, y, z, s, k: np.linalg.norm(x, 1) + np.linalg.norm(x, np.inf) + np.linalg.norm(x, 2),
    "softmax": lambda x, y, z, s, k: special.softmax(x - np.max(x, axis=1, keepdims=True), axis=1) * y,
    "the larger": lambda x, y, z, s, k: np.maximum(x, y) + np.minimum(x, z) + np.maximum(s, x) + np.fmax(x, s),
    "clipped": lambda x, y, z, s, k: np.clip(x, 0.15, s) + np.clip(y, z, None),
    "chosen": lambda x, y, z, s, k: np.where(x > y, x, s) + np.where(x > 0.3, 2.0, y),
    "powers": lambda x, y, z, s, k: x ** y + x ** s + x ** k + x ** 2.0 + np.power(x, 3),
    "powers of numbers": lambda x, y, z, s, k: 2.0 ** x + s ** x + k ** x + 3 ** y,
    "powers of a number of NumPy's": lambda x, y, z, s, k: z ** s + z ** k + 2.0 ** z + s ** z + 3 ** z,
    "signs": lambda x, y, z, s, k: np.copysign(x, s) + np.copysign(s, -y) + np.copysign(x, -2.0) + np.copysign(y, k),
    "powers of 2": lambda x, y, z, s, k: np.ldexp(x, k) + np.ldexp(y, np.array([1, -2, 3])),
    "entropies": lambda x, y, z, s, k: special.xlogy(x, y) + special.xlog1py(x, y),
    "relative entropies": lambda x, y, z, s, k: special.rel_entr(x, y) + special.kl_div(x, y) + special.kl_div(2.0, x),
    "Box and Cox": lambda x, y, z, s, k: special.boxcox(2.0, x) + special.boxcox1p(s, y),
    "a step": lambda x, y, z, s, k: np.heaviside(x - 0.25, 0.5) * y,
    "differences": lambda x, y, z, s, k: np.gradient(x, axis=0) * y + np.gradient(y, 0.5, axis=1),
}


def summed(call):
    return lambda x, y, z, s, k: np.sum(call(x, y, z, s, k))


def gradient(call):
    return gs.grad(summed(call), argnums=(0, 1, 2, 3))


def along(call):
    def f(x, y, z, s, k, tangents):
        return gs.jvp(lambda *args: call(*args, k), (x, y, z, s), tangents)[1]
    return f


def wide(transformed, args) -> list[str]:
    """The operations of the optimised program that give NumPy's float64."""
    fun = transformed._cache.lookup(args, {}).optimised
    types = [(let.op.name, fun.types[name]) for let in walk(fun.body) if isinstance(let, Let) for name in let.names]
    return [name for name, t in types if t.kind != "py" and t.dtype in (np.float64, np.complex128)]


@pytest.mark.parametrize("name", CALLS)
def test_no_rule_makes_a_float64(name):
    call = CALLS[name]
    for transformed, args in (gs.jit(call), ARGS), (gradient(call), ARGS), (gs.jit(along(call)), (*ARGS, TANGENTS)):
        assert wide(transformed, args) == []


def test_what_a_mask_chooses_is_divided_by_a_count():
    """As NumPy does; nothing else is wide."""
    def f(x):
        return np.var(x, axis=1, where=x > 0.15) + np.nanvar(x, axis=0) + np.mean(x, axis=0, where=x < 0.5)
    assert set(wide(gs.jit(f), (X,))) == {"divide"}
    np.testing.assert_allclose(gs.jit(f)(X), f(X), rtol=1e-5)


@pytest.mark.parametrize("name", CALLS)
def test_what_is_computed_is_right(name):
    call = CALLS[name]
    value = gs.jit(call)(*ARGS)
    np.testing.assert_allclose(value, call(*ARGS), rtol=2e-6, atol=1e-6)
    assert np.asarray(value).dtype == np.float32
    doubles = tuple(a.astype(float) if isinstance(a, np.ndarray) else a for a in ARGS)
    want = gradient(call)(doubles[0], doubles[1], float(ARGS[2]) * np.float64(1), *ARGS[3:])
    for got in gradient(call)(*ARGS), gs.jit(gradient(call))(*ARGS):
        for a, b, of in zip(got, want, ARGS):
            assert np.asarray(a).dtype == np.asarray(of).dtype
            np.testing.assert_allclose(a, b, rtol=2e-5, atol=2e-5)
