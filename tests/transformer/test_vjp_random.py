"""Random loops that read and overwrite elements: reverse mode against forward mode by dot products.

What is read from a final array instead of a tape must be proved untouched; these programs try to catch a wrong proof.
"""
import random

import numpy as np
import pytest

from gradscribe.transformer.core import core_text, runnable
from gradscribe.transformer.core.types import PY_INT, array
from gradscribe.transformer.transform.jvp import jvp
from gradscribe.transformer.transform.vjp import vjp, vjp_split

from .programs import program

SIZE = 5


class Writer:
    """Writes one program: loops over a vector a and a matrix m, a number s and a place p;
    indices are affine in loop indices and p."""

    def __init__(self, t, seed, n):
        self.t, self.random, self.n = t, random.Random(seed), n

    def near(self, state, indices):
        """An index that is often in range."""
        indices = indices if self.random.random() < 0.8 else [state[3]]
        if not indices or self.random.random() < 0.2:
            return self.random.randint(-2, SIZE - 1)
        i = self.random.choice(indices)
        return self.random.choice([i, i, i - 1, i + 1, i + 2, (self.n - 1) - i])

    def read(self, state, indices):
        a, m, s, p = state
        kind = self.random.choice("aaammms")
        if kind == "s":
            return s
        return (self.t.get(a, self.near(state, indices)) if kind == "a"
                else self.t.get(m, self.near(state, indices), self.near(state, indices)))

    def value(self, state, indices):
        x, y = self.read(state, indices), self.read(state, indices)
        formulas = [lambda: np.sin(x) * y, lambda: x * 0.5 + y, lambda: np.cos(x * y), lambda: x * x * 0.3,
                    lambda: np.exp(-x * x) + y]
        return self.random.choice(formulas)()

    def statement(self, state, indices, depth):
        a, m, s, p = state
        kind = self.random.choice("aaammmsrcfp" + "ll" * (depth > 0) + "iw" * (depth > 0))
        if kind == "a":
            return self.t.set(a, self.value(state, indices), self.near(state, indices),
                              add=self.random.random() < 0.2), m, s, p
        if kind == "m":
            return (a, self.t.set(m, self.value(state, indices), self.near(state, indices), self.near(state, indices)),
                    s, p)
        if kind == "s":
            return a, m, self.value(state, indices), p
        if kind == "r":
            return a, m, np.sin(s) + self.t.sum(a * a) * 0.1, p
        if kind == "c":
            return a, self.t.set(m, np.tanh(a) * s, self.near(state, indices)), s, p
        if kind == "f":
            return np.sin(a) * s, m, s, p
        if kind == "p":
            return (a, m, s,
                    self.random.choice([p + 1, 4 - p, p - 1, self.random.choice(indices) + 0 if indices else p + 2]))
        if kind == "i":
            test = self.read(state, indices) > 0.4
            return self.t.if_(test, lambda: self.block(state, indices, depth - 1),
                              lambda: self.block(state, indices, depth - 1))
        if kind == "w":
            def body(a, m, s, p, k):
                return (*self.block((a, m, s, p), [*indices, k], depth - 1), k + 1)
            *state, _ = self.t.while_(lambda a, m, s, p, k: self.t.op("and_", self.t.op("less", k, 3), s * s < 2.0),
                                      [a, m, s, p, 0], body)
            return tuple(state)
        n = self.n
        start, stop, step = self.random.choice([(0, n, 1), (1, n - 1, 1), (n - 1, -1, -1), (0, n, 2), (2, 2, 1),
                                                (1, n, 3)])
        if indices and self.random.random() < 0.6:
            i = self.random.choice([*indices, p])
            start, stop, step = self.random.choice([(0, i, 1), (i + 1, n, 1), (i, n, 1), (i - 1, -1, -1),
                                                    (n - 1, i, -1)])
        return self.t.loop(start, stop, list(state),
                           lambda i, *inner: self.block(inner, [*indices, i], depth - 1), step=step)

    def block(self, state, indices, depth):
        for _ in range(self.random.randint(1, 3)):
            state = self.statement(state, indices, depth)
        return state


def random_program(seed):
    dim = "n" if seed % 2 else SIZE

    def f(t, a, m, s, p):
        w = Writer(t, seed, t.size(a) if seed % 2 else SIZE)
        return w.block(w.block((a, m, s, p), [], 3), [], 3)
    return program(f, a=array("f8", dim), m=array("f8", dim, dim), s=array("f8").scalar(), p=PY_INT)


def check(seed):
    """Is the program in range, and then right?"""
    fun = random_program(seed)
    rng = np.random.default_rng(seed)
    args = [rng.uniform(0.2, 1, SIZE), rng.uniform(0.2, 1, (SIZE, SIZE)), np.float64(0.7), 1]
    try:
        with np.errstate(all="ignore"):
            results = runnable(fun)(*args)
    except IndexError:
        return False
    if not all(np.all(np.isfinite(r)) for r in results):
        return False
    active = (True, True, True, False)
    seeds = dot_products_agree(fun, args, active, rng, seed)
    if seed % 5 == 0:
        dot_products_agree(vjp(fun, active), [*args, *seeds], active + (True,) * 3, rng, seed)
    return True


def dot_products_agree(fun, args, active, rng, seed):
    """<u, J v> = <J' u, v>, in the joint form and with the sweeps apart; gives u."""
    results = runnable(fun)(*args)
    count, floats = len(results), [np.asarray(r).dtype.kind == "f" for r in results]
    v = [rng.normal(size=np.shape(x))[()] for x, is_active in zip(args, active) if is_active]
    u = [rng.normal(size=np.shape(r))[()] for r, is_float in zip(results, floats) if is_float]
    pushed = runnable(jvp(fun, active))(*args, *v)[count:]
    reverse = vjp(fun, active)
    pulled = runnable(reverse)(*args, *u)[count:]
    fwd, bwd = vjp_split(fun, active)
    for x, y in zip(runnable(bwd)(*runnable(fwd)(*args)[count:], *u), pulled):
        np.testing.assert_array_equal(x, y)
    one, other = (sum(np.sum(p * q) for p, q in zip(*pair)) for pair in ((u, pushed), (pulled, v)))
    scale = (sum(np.sum(np.abs(np.multiply(p, q))) for p, q in zip(u, pushed))
             + sum(np.sum(np.abs(p)) for p in pulled) + 1)
    assert (abs(one - other)
            <= 1e-10 * scale), f"seed {seed}: {one} against {other}\n{core_text(fun)}\n{core_text(reverse)}"
    return u


@pytest.mark.heavy(one_in=34)
@pytest.mark.parametrize("first", range(0, 300, 50))
def test_random_loops(first):
    assert sum(check(seed) for seed in range(first, first + 50)) > 5


PLACES = {"i - 1": lambda i, j, n: i - 1, "i": lambda i, j, n: i, "i + 1": lambda i, j, n: i + 1,
          "j": lambda i, j, n: j, "j + 1": lambda i, j, n: j + 1, "n - 1 - i": lambda i, j, n: n - 1 - i,
          "-1": lambda i, j, n: -1}
RANGES = {"up": (lambda n: (1, n - 1), lambda i, n: (1, n - 1), 1, 1),
          "down": (lambda n: (n - 2, 0), lambda i, n: (n - 2, 0), -1, -1),
          "triangle": (lambda n: (1, n - 1), lambda i, n: (i + 1, n - 1), 1, 1),
          "to the left": (lambda n: (1, n - 1), lambda i, n: (0, i), 1, 1),
          "mixed": (lambda n: (1, n - 1), lambda i, n: (i - 1, -1), 1, -1),
          "in twos": (lambda n: (1, n - 1), lambda i, n: (i, n - 1), 2, 2)}


@pytest.mark.heavy(one_in=26)
@pytest.mark.parametrize("ranges", RANGES)
@pytest.mark.parametrize("store", PLACES)
def test_every_pair_of_places(ranges, store):
    """Two nested loops that read an element at one place and store a value made from it at another."""
    outer, inner, step, inner_step = RANGES[ranges]
    for read in PLACES:
        for inside in (True, False):
            def f(t, a):
                n = t.size(a)

                def change(i, j, a):
                    return t.set(a, np.sin(t.get(a, PLACES[read](i, j, n))) * t.get(a, PLACES[store](i, j, n)),
                                 PLACES[store](i, j, n))

                def row(i, a):
                    if not inside:
                        a = t.set(a, t.get(a, i) * t.get(a, i - 1), i)
                    a = t.loop(*inner(i, n), [a], lambda j, a: change(i, j, a), step=inner_step, index="j")
                    return t.set(a, t.get(a, i) * t.get(a, i - 1), i) if inside else a
                return t.loop(*outer(n), [a], row, step=step)
            rng = np.random.default_rng(0)
            dot_products_agree(program(f, a=array("f8", "n")), [rng.uniform(0.5, 1.5, 6)], (True,), rng,
                               (ranges, store, read))
