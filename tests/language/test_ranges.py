"""A range where NumPy takes a list: as an index, an array, an operand, axes or lengths."""
import numpy as np
import pytest

import gradscribe as gs
from tests.support.agreement import agree

X = np.arange(6.0).reshape(3, 2) + 0.5
LABELS = np.array([1, 0, 1])


def picked(x, labels):
    return x[range(len(labels)), labels] ** 2


def stored(x, labels):
    d = x.copy()
    d[range(len(labels)), labels] -= 1.0
    d[range(1, 3), 0] *= 2.0
    d[:, 1] += range(len(x))
    d[:, 0] += range(3)
    d[0] = range(2)
    return d**2 + np.sum(x[range(0)])


def converted(x, labels):
    return x[:, 0] * np.array(range(len(x))) + np.asarray(range(3)) + np.array(range(len(x)), dtype=float)


def operands(x, labels):
    return x[:, 1] * range(len(x)), range(3) - x[:, 0], np.array([range(2), range(2, 4)]) @ x[0], labels == range(3)


def functions(x, labels):
    many = np.sum(range(100)) * np.mean(range(len(x)))
    return (np.dot(range(3), x[:, 0]) * many, np.interp(0.5, range(3), x[:, 0]), np.take(x, range(1, 3), axis=0),
            np.power.outer(x[:, 0], range(3)), np.delete(x, range(1), axis=0), np.split(x, range(1, 3)))


def axes(x, labels):
    y = np.stack([x, x * x])
    return (np.tensordot(y, y, axes=(range(1, 3), (1, 2))), np.moveaxis(y, range(2), (1, 0)), np.flip(y, range(2)),
            y.transpose(range(2, -1, -1)), np.zeros(range(2, 4)) + x.T, np.roll(y, range(1, 3), axis=[0, 1]),
            np.median(y, axis=[0, 1]), np.tile(x, range(1, 3)))


def lengths(x, labels):
    """Lengths in an array."""
    n = np.array(x.shape)
    return np.zeros(n + 1)[1:, 1:] + x, x.reshape(n[::-1]), np.broadcast_to(x, np.concatenate([[2], n]))


@pytest.mark.heavy(one_in=3)
@pytest.mark.parametrize("program", [picked, stored, converted, operands, functions, axes, lengths],
                         ids=lambda f: f.__name__)
def test_a_range_is_what_a_list_is(program):
    agree(program, X, LABELS, compiled=program in (stored, operands))
    want = [gs.vjp(lambda x: program(x, k), X)[0] for k in (LABELS, 1 - LABELS)]
    got = gs.vmap(program, in_axes=(None, 0))(X, np.stack([LABELS, 1 - LABELS]))
    for k in range(2):
        gs.tree.map(lambda a, b: np.testing.assert_allclose(a, b, rtol=1e-14),
                    gs.tree.map(lambda a, k=k: a[k], got), want[k])


@pytest.mark.parametrize("wrong", [lambda x: np.sum(x, axis=[0, 1]),
                                   lambda x: np.expand_dims(x, range(2)), lambda x: np.dot(range(4), x),
                                   lambda x: x[range(4)], lambda x: x[range(2), range(3)], lambda x: range(3) * 2.0 * x,
                                   lambda x: x * np.array(range(300 * len(x)), np.int8)[:2]],
                         ids=["axis", "new axes", "dot", "index", "two", "no array", "bytes"])
def test_what_numpy_raises_of_it_is_raised(wrong):
    with pytest.raises((TypeError, IndexError, ValueError, OverflowError)) as of_numpy:
        wrong(X)
    with pytest.raises(of_numpy.type) as ours:
        gs.vjp(wrong, X)
    assert not isinstance(ours.value, gs.GradscribeError)


def test_a_range_without_numbers_is_an_array_of_floats():
    agree(lambda x, n: np.sum(x) * np.array(range(n)), X, 0)
    agree(lambda x: np.array(range(0)), X)


def test_what_may_not_hold_its_numbers_is_refused():
    with pytest.raises(gs.GradscribeError, match="may not hold"):
        gs.vjp(numbers_into_bytes, X)


def numbers_into_bytes(x):
    d = np.zeros(3, np.int8)
    d[:] = range(len(x))
    return x * d[:, None]
