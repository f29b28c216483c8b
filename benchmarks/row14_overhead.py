"""Row 14: what a call costs when there is next to nothing to compute: the gradient of a function of a vector of three numbers,
and of a function of a dict of two such vectors."""
import numpy as np

from benchmarks.harness import (AUTOGRAD, HAND, JAX, NUMPY, OURS, READABLE, Case, Peer, Row, autograd_peer, jax_peer,
                                numba_compiled, ours, readable)


def cubes(x):
    return np.sum(x * x * x)


def cubes_gradient(x):
    return 3 * x * x


def cubes_loop(x):
    x_bar = np.empty_like(x)
    for i in range(len(x)):
        x_bar[i] = 3 * x[i] * x[i]
    return x_bar


def pair(p):
    return np.sum(p["w"] * p["w"]) + np.sum(p["b"] * p["w"])


def pair_gradient(p):
    return {"w": 2 * p["w"] + p["b"], "b": p["w"].copy()}


def pair_loop(w, b):
    w_bar, b_bar = np.empty_like(w), np.empty_like(b)
    for i in range(len(w)):
        w_bar[i] = 2 * w[i] + b[i]
        b_bar[i] = w[i]
    return w_bar, b_bar


def pair_by_hand():
    loop = numba_compiled(pair_loop)

    def gradient(p):
        w_bar, b_bar = loop(p["w"], p["b"])
        return {"w": w_bar, "b": b_bar}

    return Peer(gradient)


def peers(f, by_array, by_hand):
    return {OURS: ours(f), READABLE: readable(f), JAX: jax_peer(f), AUTOGRAD: autograd_peer(f),
            NUMPY: lambda: Peer(by_array, f), HAND: by_hand}


def cases(quick):
    x, w, b = np.random.default_rng(14).normal(size=(3, 3))
    yield Case("a 3-vector", (x,), peers=peers(cubes, cubes_gradient, lambda: Peer(numba_compiled(cubes_loop))))
    yield Case("a dict of two", ({"w": w, "b": b},), peers=peers(pair, pair_gradient, pair_by_hand))


ROW = Row(14, "call overhead", "<= 0.8 us for the vector, <= 2.5 us for the dict; q <= 0.2", {}, cases, at_most={JAX: 1 / 3})
