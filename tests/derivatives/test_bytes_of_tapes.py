"""What a gradient keeps of each step, in bytes: what numpy allocates at most, over n."""
import tracemalloc

import numpy as np
import pytest

import gradscribe as gs

STATE, FORCE = np.array([1.0, 0.0, 0.0, 1.0]), np.array([1.0, 0.1])


def recurrence(x, n):
    for _ in range(n):
        x = np.sin(x) * x + 0.5
    return x


def slope(y, p):
    r3 = (y[0] ** 2 + y[1] ** 2) ** 1.5
    return np.array([y[2], y[3], -p[0] * y[0] / r3 - p[1] * y[2], -p[0] * y[1] / r3 - p[1] * y[3]])


def runge_kutta(y, n):
    for _ in range(n):
        k1 = slope(y, FORCE)
        k2 = slope(y + 0.005 * k1, FORCE)
        k3 = slope(y + 0.005 * k2, FORCE)
        k4 = slope(y + 0.01 * k3, FORCE)
        y = y + 0.01 / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
    return np.sum(y * y)


def diffusion(y, n):
    for _ in range(n):
        y = y + 0.1 * (np.roll(y, 1) - 2.0 * y + np.roll(y, -1))
    return np.sum(y * y)


def most(fun, *args) -> int:
    fun(*args)
    tracemalloc.start()
    try:
        fun(*args)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(("fun", "x", "size"), ((recurrence, 0.3, 8), (runge_kutta, STATE, 32), (diffusion, STATE, 0)),
                         ids=lambda a: getattr(a, "__name__", None))
def test_bytes_of_a_step(fun, x, size):
    gradient = gs.grad(fun)
    few, many = (most(gradient, x, n) for n in (1000, 5000))
    assert abs((many - few) / 4000 - size) < 0.5, gradient.source(x, 1000)


def decomposed(A):
    """By elimination with row exchanges, in place."""
    A = A.copy()
    n = len(A)
    for k in range(n - 1):
        p = k + np.argmax(np.abs(A[k:, k]))
        A[[k, p]] = A[[p, k]]
        A[k + 1:, k] /= A[k, k]
        A[k + 1:] = np.tanh(A[k + 1:])
    return np.sum(A * A)


def exchanged(A, at):
    for i in range(len(at)):
        A[[i, at[i]]] = A[[at[i], i]]
        A[i] = np.sin(A[i])
    return np.sum(A * A)


def test_rows_that_change_places_are_not_kept():
    """Which stores stay is asked of places alone: no values are needed for it."""
    A = np.random.default_rng(5).normal(size=(40, 40))
    at = np.random.default_rng(6).integers(0, 40, 40)
    gs.test_util.check_grads(decomposed, (A[:6, :6],), order=1)
    gs.test_util.check_grads(lambda A: exchanged(A.copy(), at[:6] % 6), (A[:6, :6],), order=2)
    kept = gs.grad(lambda A: exchanged(A.copy(), at)).memory(A)
    assert kept.total <= 40 * 40 * 8, kept  # the rows whose sine is taken
    assert "A_tape" not in gs.grad(decomposed).source(A)
