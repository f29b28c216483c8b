"""np.lib.stride_tricks.as_strided where its strides are made of those of the array."""
import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided

import gradscribe as gs

RNG = np.random.default_rng(0)
VECTOR, MATRIX = RNG.normal(size=9), RNG.normal(size=(4, 5))


def windows(x, w):
    s = x.strides[0]
    return as_strided(x, (len(x) - w + 1, w), (s, s))


def rolling(x, w):
    """Along the last axis, whatever comes before it."""
    shape, strides = x.shape[:-1] + (x.shape[-1] - w + 1, w), x.strides + (x.strides[-1],)
    return as_strided(x, shape=shape, strides=strides, writeable=False)


def frames(x, w):
    hop = w - 1
    return as_strided(x, ((x.size - w) // hop + 1, w), (x.strides[0] * hop, x.strides[0]))


def patches(x, w):
    return as_strided(x, (x.shape[0] - w + 1, x.shape[1] - w + 1, w, w), x.strides * 2)


def blocks(x, w):
    down, right = x.strides
    return as_strided(x, (x.shape[0] // w, x.shape[1] // w, w, w), (w * down, w * right, down, right))


def diagonal(x, w):
    return as_strided(x, (w, 2), (x.strides[0] + x.strides[1], 0))


CASES = [(windows, VECTOR), (windows, VECTOR[::-2]), (rolling, VECTOR), (rolling, MATRIX.T), (frames, VECTOR),
         (patches, MATRIX), (blocks, MATRIX), (diagonal, MATRIX), (lambda x, w: as_strided(x), MATRIX),
         (lambda x, w: as_strided(x, (), ()), VECTOR), (windows, VECTOR + 1j * VECTOR[::-1])]


@pytest.mark.parametrize("f, x", CASES)
def test_windows_by_strides(f, x):
    for way in (gs.test_util.primal, gs.jit):
        for w in (2, 3):
            got, want = way(f)(x, w), f(x, w)
            np.testing.assert_array_equal(got, want)
            assert got.dtype == want.dtype and got.shape == want.shape
    if x.dtype.kind == "f":
        def loss(x):
            y = f(x, 3).ravel()
            return np.sum(np.sin(y) ** 2 * np.arange(1.0, 1.0 + len(y)))

        gs.test_util.check_grads(loss, (x,), order=2)
        np.testing.assert_allclose(gs.jit(gs.grad(loss))(x), gs.grad(loss)(x))
        np.testing.assert_allclose(gs.vmap(gs.grad(loss))(np.stack([x, x + 1.0]))[1], gs.grad(loss)(x + 1.0))


def stored_into(x):
    as_strided(x, (3, 2), x.strides * 2)[0] = 1.0
    return np.sum(x)


def stored_under(x):
    windows = as_strided(x, (3, 2), x.strides * 2)
    x[0] = 1.0
    return np.sum(windows)


@pytest.mark.parametrize("says, f", [
    ("by numbers of bytes", lambda x: as_strided(x, (3, 2), (8, 8))),
    ("by numbers of bytes", lambda x: as_strided(x, (3, 2), (x.itemsize, 0))),
    ("without strides", lambda x: as_strided(x, (3, 2))),
    ("by the strides of another array", lambda x: as_strided(x, (3,), (2.0 * x).strides)),
    ("beyond the ends of an axis, where sliding_window_view", lambda x: as_strided(x, (len(x), 2), x.strides * 2)),
    ("beyond the ends of an axis", lambda x: as_strided(x, (2, 2), (x.strides[0] * -1, 0))),
    ("no int", lambda x: as_strided(x, (2,), (1.5 * x.strides[0],))), ("arithmetic", lambda x: -x.strides[0]),
    ("a comparison", lambda x: x.strides[0] == 8), ("two arrays", lambda x: x.strides[0] + (2.0 * x).strides[0]),
    ("read as a Stride", lambda x: x.strides), ("what is no array", lambda x: as_strided([x[0]], (1,), (0,))),
    ("may change several", stored_into), ("may share memory", stored_under)])
def test_what_strides_do_not_say_is_refused(says, f):
    with pytest.raises(gs.GradscribeError, match=says):
        gs.jit(f)(VECTOR.copy())
    with pytest.raises(gs.GradscribeError, match=says):
        gs.test_util.primal(f)(VECTOR.copy())


def test_what_numpy_raises():
    for f in (lambda x: as_strided(x, (-1, 2), x.strides * 2), lambda x: as_strided(x, (2,), x.strides * 2)):
        with pytest.raises(ValueError, match="negative dimensions|must be the same length as shape"):
            gs.jit(f)(VECTOR)
