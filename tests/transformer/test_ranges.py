"""Intervals of integers hold what the operations give: numbers drawn from the operands' intervals,
by Python's own arithmetic."""

import operator
import random

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.transformer.analyse.ranges import COUNT, Ranges, arithmetic
from tests.transformer.coretext import core

EXACT = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "negative": operator.neg,
    "abs": abs,
    "floor_divide": operator.floordiv,
    "mod": operator.mod,
    "power": lambda a, b: a**b,
    "np.where": lambda c, a, b: a if c else b,
    "np.maximum": max,
    "np.minimum": min,
    "rt.trip_count": lambda a, b, c: len(range(a, b, c)),
    "int": int,
}
POSITIVE = {"floor_divide", "mod", "rt.trip_count"}  # whose last operand is not zero
COUNTS = {name: function.__code__.co_argcount for name, function in EXACT.items() if hasattr(function, "__code__")}


def interval(rng, name, last):
    if name == "power" and last:
        return 2, 2
    low = rng.randint(-9, 9)
    high = low + rng.choice([0, 1, 5])
    if name in POSITIVE and last and low <= 0 <= high:
        return (1, 4) if rng.random() < 0.5 else (-4, -1)
    return low, high


@pytest.mark.parametrize("name", EXACT)
def test_results_are_in_their_interval(name):
    rng = random.Random(name)
    count = COUNTS.get(name, 1 if name in ("negative", "abs", "int") else 2)
    for _ in range(500):
        args = [interval(rng, name, k == count - 1) for k in range(count)]
        found = arithmetic(name, args)
        assert found is not None, args
        for _ in range(20):
            drawn = [rng.randint(*bounds) for bounds in args]
            assert found[0] <= EXACT[name](*drawn) <= found[1], (args, drawn, found)


def test_what_a_function_knows_of_its_loops():
    """A count is no length of an array: it may be longer, and is 0 where a range of these ends is empty."""
    def known(stop, step):
        fun = core(f"def f(n: int):\n    trips = rt.trip_count(0, {stop}, {step})\n    return (trips,)\n")
        return Ranges(fun).interval(fun.body.results[0])

    assert known(10**12, 1) == (0, 10**12) and known(-7, -1) == (0, 7) and known(7, -1) == (0, 0)
    assert known("n", 1) == (0, COUNT)


def test_a_loop_that_counts_down_is_not_taken_for_one_of_no_rounds():
    """Its trips were in [0, 0], which proved that a slice that is empty here is not."""

    def sweep(x, A):
        total = x[0]
        for i in range(A.shape[1] - 1, -1, -2):
            tail = x[2:]
            tail[::-1] = tail.copy()
            total = total - np.sin(0.7 * x[0] * A[0, i])
        return total

    x, A = np.array([-0.6]), np.array([[0.8, -1.4]])
    made = gs.value_and_grad(sweep, argnums=(0, 1))
    value, grads = gs.jit(made)(x, A)
    assert value == pytest.approx(sweep(x, A), rel=1e-14)
    for got, want in zip(grads, made(x, A)[1]):
        np.testing.assert_allclose(got, want, rtol=1e-14)
