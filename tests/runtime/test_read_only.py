"""Read-only arrays: reading them is compiled once, and a store into one raises NumPy's error where it is reached."""
import numpy as np
import pytest

import gradscribe as gs


def frozen(x):
    x = np.array(x, float)
    x.flags.writeable = False
    return x


def element(x, k):
    x[k] = 2.0 * x[0]
    return np.sum(x)


def augmented(x, k):
    x *= 2.0
    return x


def through_views(x, k):
    y = x[1:].reshape(2, -1).T
    y[k, 1] += 5.0
    return np.sum(y)


def called(x, k):
    return element(x[::-1], k) + 1.0


def on_one_branch(x, k):
    if k > 0:
        x[k] = 7.0
    return x * 2.0


KINDS = {"array": frozen, "view": lambda x: frozen([9.0, *x])[1:],
         "broadcast": lambda x: np.broadcast_to(np.array(x, float), len(x))}


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("f", [element, augmented, through_views, called, on_one_branch])
@pytest.mark.parametrize("make", KINDS.values(), ids=KINDS)
def test_a_store_raises_as_in_numpy(f, make):
    compiled = gs.jit(f)
    compiled(np.arange(5.0), 1)
    x = make([1.0, 2.0, 3.0, 4.0, 5.0])
    with pytest.raises(ValueError) as plain:
        f(x, 1)
    with pytest.raises(ValueError) as error:
        compiled(x, 1)
    assert str(error.value) == str(plain.value) and x.tolist() == [1.0, 2.0, 3.0, 4.0, 5.0]
    other = np.arange(5.0)
    assert compiled(other, 1) is not None and other.tolist() != list(range(5))  # a store into another is done


def test_what_no_store_reaches_is_computed():
    assert gs.jit(on_one_branch)(frozen([1.0, 2.0]), 0).tolist() == [2.0, 4.0]


def test_stores_before_it_are_done():
    def both(x, y):
        x[0] = 5.0
        y[0] = 6.0
        return x + y

    x, y = np.ones(3), frozen([1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match="read-only"):
        gs.jit(both)(x, y)
    assert x.tolist() == [5.0, 1.0, 1.0]


def smooth(x, n):
    y = x
    for k in range(n):
        y = np.tanh(y[::-1]) if k % 2 else y * x
    z = x.copy()
    z[1] = y[0]
    return np.sum(x[1:] * y[:-1]) + z @ x.reshape(-1)


@pytest.mark.heavy(one_in=2)
def test_what_is_read_compiles_no_more_often():
    from numba.core import event
    gradient, x = gs.jit(gs.value_and_grad(smooth)), np.linspace(0.1, 0.7, 6)
    first, second = gradient(x, 3), gradient(frozen(x), 3)
    with event.install_recorder("numba:compile") as recorder:
        for _ in range(5):
            for other in (x, frozen(x), np.broadcast_to(x, (6,))):
                value, slope = gradient(other, 3)
                assert value == first[0] == second[0] and slope.tolist() == first[1].tolist() and slope.flags.writeable
    assert not recorder.buffer
    np.testing.assert_allclose(first[0], smooth(x, 3))
