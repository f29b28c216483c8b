"""Random loops that read and overwrite elements: reverse mode against forward mode by dot products.

What is read from a final array instead of a tape must be proved untouched; these programs try to catch a wrong proof.
"""
import random

import numpy as np
import pytest

from gradscribe.transformer.core import runnable, show
from gradscribe.transformer.transform.jvp import jvp
from gradscribe.transformer.transform.vjp import vjp, vjp_split
from gradscribe.transformer.types import array

from .programs import program

SIZE = 5


class Writer:
    """Writes one program: loops over a vector a and a matrix m, whose indices are affine in the loop indices."""

    def __init__(self, t, seed, n):
        self.t, self.random, self.n = t, random.Random(seed), n

    def integer(self, indices):
        e = self.random.choice([-1, 0, 0, 1, 2])
        for i in self.random.sample(indices, self.random.randint(0, min(2, len(indices)))):
            e = i * self.random.choice([1, 1, 1, -1]) + e
        return e

    def near(self, indices):
        """An index that is often in range."""
        if not indices or self.random.random() < 0.2:
            return self.random.randint(-2, SIZE - 1)
        i = self.random.choice(indices)
        return self.random.choice([i, i, i - 1, i + 1, i + 2, (self.n - 1) - i])

    def read(self, state, indices):
        a, m, s = state
        kind = self.random.choice("aaammms")
        if kind == "s":
            return s
        return self.t.get(a, self.near(indices)) if kind == "a" else self.t.get(m, self.near(indices), self.near(indices))

    def value(self, state, indices):
        x, y = self.read(state, indices), self.read(state, indices)
        return self.random.choice([lambda: np.sin(x) * y, lambda: x * 0.5 + y, lambda: np.cos(x * y), lambda: x * x * 0.3, lambda: np.exp(-x * x) + y])()

    def statement(self, state, indices, depth):
        a, m, s = state
        kind = self.random.choice("aaammmsrcf" + "ll" * (depth > 0) + "iw" * (depth > 0))
        if kind == "a":
            return self.t.set(a, self.value(state, indices), self.near(indices), add=self.random.random() < 0.2), m, s
        if kind == "m":
            return a, self.t.set(m, self.value(state, indices), self.near(indices), self.near(indices)), s
        if kind == "s":
            return a, m, self.value(state, indices)
        if kind == "r":
            return a, m, np.sin(s) + self.t.sum(a * a) * 0.1
        if kind == "c":
            return a, self.t.set(m, np.tanh(a) * s, self.near(indices)), s
        if kind == "f":
            return np.sin(a) * s, m, s
        if kind == "i":
            test = self.read(state, indices) > 0.4
            return self.t.if_(test, lambda: self.block(state, indices, depth - 1), lambda: self.block(state, indices, depth - 1))
        if kind == "w":
            def body(a, m, s, k):
                return (*self.block((a, m, s), [*indices, k], depth - 1), k + 1)
            *state, _ = self.t.while_(lambda a, m, s, k: self.t.op("and_", self.t.op("less", k, 3), s * s < 2.0), [a, m, s, 0], body)
            return tuple(state)
        n = self.n
        start, stop, step = self.random.choice([(0, n, 1), (1, n - 1, 1), (n - 1, -1, -1), (0, n, 2), (2, 2, 1), (1, n, 3)])
        if indices and self.random.random() < 0.6:
            i = self.random.choice(indices)
            start, stop, step = self.random.choice([(0, i, 1), (i + 1, n, 1), (i, n, 1), (i - 1, -1, -1), (n - 1, i, -1)])
        return self.t.loop(start, stop, list(state), lambda i, *inner: self.block(inner, [*indices, i], depth - 1), step=step)

    def block(self, state, indices, depth):
        for _ in range(self.random.randint(1, 3)):
            state = self.statement(state, indices, depth)
        return state


def random_program(seed):
    dim = "n" if seed % 2 else SIZE

    def f(t, a, m, s):
        w = Writer(t, seed, t.size(a) if seed % 2 else SIZE)
        return w.block(w.block((a, m, s), [], 3), [], 3)
    return program(f, a=array("f8", dim), m=array("f8", dim, dim), s=array("f8").scalar())


def check(seed):
    """Is the program in range, and then right?"""
    fun = random_program(seed)
    rng = np.random.default_rng(seed)
    args = [rng.uniform(0.2, 1, SIZE), rng.uniform(0.2, 1, (SIZE, SIZE)), np.float64(0.7)]
    try:
        with np.errstate(all="ignore"):
            results = runnable(fun)(*args)
    except IndexError:
        return False
    if not all(np.all(np.isfinite(r)) for r in results):
        return False
    seeds = dot_products_agree(fun, args, results, rng, seed)
    if seed % 5 == 0:
        reverse = vjp(fun, (True,) * 3)
        args = [*args, *seeds]
        dot_products_agree(reverse, args, runnable(reverse)(*args), rng, seed)
    return True


def dot_products_agree(fun, args, results, rng, seed):
    """<u, J v> = <J' u, v>, in the joint form and with the sweeps apart; gives u."""
    active, count = (True,) * len(args), len(results)
    v, u = ([rng.normal(size=np.shape(x))[()] for x in xs] for xs in (args, results))
    pushed = runnable(jvp(fun, active))(*args, *v)[count:]
    reverse = vjp(fun, active)
    pulled = runnable(reverse)(*args, *u)[count:]
    fwd, bwd = vjp_split(fun, active)
    for x, y in zip(runnable(bwd)(*runnable(fwd)(*args)[count:], *u), pulled):
        np.testing.assert_array_equal(x, y)
    one, other = (sum(np.sum(p * q) for p, q in zip(*pair)) for pair in ((u, pushed), (pulled, v)))
    scale = sum(np.sum(np.abs(np.multiply(p, q))) for p, q in zip(u, pushed)) + sum(np.sum(np.abs(p)) for p in pulled) + 1
    assert abs(one - other) <= 1e-10 * scale, f"seed {seed}: {one} against {other}\n{show(fun)}\n{show(reverse)}"
    return u


@pytest.mark.parametrize("first", range(0, 300, 50))
def test_random_loops(first):
    assert sum(check(seed) for seed in range(first, first + 50)) > 5
