"""Row 3: sum(tanh(x * w + b)**2), all three vectors of length n, differentiated with respect to all three."""
import math

import numpy as np

from benchmarks.harness import (AUTOGRAD, HAND, JAX, NUMPY, OURS, READABLE, Case, Peer, Row, autograd_peer, jax_peer,
                                numba_compiled, ours, readable)

ALL = (0, 1, 2)


def f(x, w, b):
    return np.sum(np.tanh(x * w + b) ** 2)


def numpy_gradient(x, w, b):
    y = np.tanh(x * w + b)
    z_bar = 2 * y * (1 - y * y)
    return z_bar * w, z_bar * x, z_bar


def loop_gradient(x, w, b):
    x_bar, w_bar, b_bar = np.empty_like(x), np.empty_like(w), np.empty_like(b)
    for i in range(len(x)):
        y = math.tanh(x[i] * w[i] + b[i])
        z_bar = 2 * y * (1 - y * y)
        x_bar[i] = z_bar * w[i]
        w_bar[i] = z_bar * x[i]
        b_bar[i] = z_bar
    return x_bar, w_bar, b_bar


def loop_value(x, w, b):
    total = 0.0
    for i in range(len(x)):
        total += math.tanh(x[i] * w[i] + b[i]) ** 2
    return total


def cases(quick):
    for n in (10, 1_000, 100_000) if quick else (10, 100, 1_000, 10_000, 100_000, 1_000_000, 5_000_000):
        yield Case(f"n = {n:,}", tuple(np.random.default_rng(n).normal(size=(3, n))))


ROW = Row(
    3, "gradient of sum(tanh(x*w+b)**2) in x, w and b", "q <= 0.3 up to n = 100,000, q <= 0.7 at 5,000,000",
    {OURS: ours(f, argnums=ALL), READABLE: readable(f, argnums=ALL),
     JAX: jax_peer(f, argnums=ALL), AUTOGRAD: autograd_peer(f, argnum=ALL),
     NUMPY: lambda: Peer(numpy_gradient, f),
     HAND: lambda: Peer(numba_compiled(loop_gradient), numba_compiled(loop_value))},
    cases, at_most={NUMPY: 1.0})
