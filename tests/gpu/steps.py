"""Loops over steps with numbers and small arrays, for `vmap`: on a GPU a thread for each example,
with small arrays in its registers."""

import numpy as np

import gradscribe as gs
from gradscribe.transformer.testing import numeric_leaves

rng = np.random.default_rng(5)
X, K = rng.normal(size=40), rng.uniform(1.0, 2.0, 40)
PAIRS, ROWS = rng.normal(size=(40, 2)), rng.normal(size=(40, 6))


def oscillator(x, k, steps):
    v = 0.0
    for _ in range(steps):
        v = v - 0.01 * k * np.sin(x)
        x = x + 0.01 * v
    return x


def runge_kutta(y, k, steps):
    def slope(y):
        return np.array([y[1], -k * y[0]])

    for _ in range(steps):
        a = slope(y)
        b = slope(y + 0.05 * a)
        c = slope(y + 0.05 * b)
        y = y + 0.1 / 6 * (a + 2 * b + 2 * c + slope(y + 0.1 * c))
    return y


def sweep(a, d):
    """Thomas' algorithm."""
    n = len(d)
    c, x = np.zeros(n), d.copy()
    c[0] = 0.5
    for i in range(1, n):
        m = 2.0 + a[i] * c[i - 1]
        c[i] = 0.5 / m
        x[i] = (d[i] - a[i] * x[i - 1]) / m
    for i in range(n - 2, -1, -1):
        x[i] -= c[i] * x[i + 1]
    return x


def kalman(ys, q):
    m, P, F, s = np.zeros(2), np.eye(2), np.array([[1.0, 0.1], [0.0, 1.0]]), 0.0
    for y in ys:
        m, P = F @ m, F @ P @ F.T + q * np.eye(2)
        e, v = y - m[0], P[0, 0] + 0.5
        gain = P[:, 0] / v
        s = s - 0.5 * (np.log(v) + e * e / v)
        m, P = m + gain * e, P - np.outer(gain, P[0])
    return s


def layers(x, W):
    for w in W:
        x = np.tanh(w @ x)
    return x


def diffusion(u, steps):
    for _ in range(steps):
        u = u + 0.1 * (np.roll(u, 1) - 2.0 * u + np.roll(u, -1))
    return u


def both(f):
    return gs.vmap(gs.value_and_grad(lambda *args: np.sum(f(*args)), argnums=(0, 1)), in_axes=(0, 0, None))


def shared(k, x, steps):
    return np.mean(gs.vmap(oscillator, in_axes=(0, None, None))(x, k, steps))


THREADS = [  # (name, function, arguments, launches at most)
    ("oscillator", gs.vmap(oscillator, in_axes=(0, 0, None)), (X, K, 9), 1),
    ("runge_kutta", gs.vmap(runge_kutta, in_axes=(0, 0, None)), (PAIRS, K, 9), 1),
    ("kalman", gs.vmap(kalman, in_axes=(0, None)), (ROWS, 0.1), 2),
    ("gradient of oscillator", both(oscillator), (X, K, 9), 3),
    ("gradient of runge_kutta", both(runge_kutta), (PAIRS, K, 9), 3),
    ("gradient of kalman", gs.vmap(gs.grad(kalman, argnums=1), in_axes=(0, None)), (ROWS, 0.1), 3),
    ("gradient by what all share", gs.grad(shared), (0.7, X, 9), 4),
    ("sweep", gs.vmap(sweep), (ROWS, ROWS), 4)]


def values(number: int) -> None:
    """What one of them gives on a GPU is what it gives uncompiled."""
    _, f, args, _ = THREADS[number]
    got, want = gs.device_get(gs.jit(f, target="cuda")(*args)), f(*args)
    for g, w in zip(numeric_leaves(got), numeric_leaves(want), strict=True):
        np.testing.assert_allclose(g, w, rtol=1e-12, atol=1e-14)
