"""Acceptance: a loop of n element stores is O(n), and allocates a number of arrays that does not depend on n."""
import json
import math
import os
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest

import gradscribe as gs

ROOT = str(Path(__file__).parents[2])


def recurrence(x):
    """n element stores into one array."""
    y = x.copy()
    for i in range(1, len(x)):
        y[i] = 0.5 * y[i - 1] + np.sin(x[i])
    return y.sum()


def in_place(x):
    """The same, into the argument."""
    for i in range(1, len(x)):
        x[i] = 0.5 * x[i - 1] + x[i] * x[i]
    return x[-1]


FUNCTIONS = {"primal": lambda f: f, "gradient": gs.grad}


def seconds(run, n, repeats) -> float:
    """Processor time of one run: the least of a few measurements, since noise only adds."""
    best = math.inf
    for _ in range(7):
        xs = [np.full(n, 0.1) for _ in range(repeats)]
        start = time.thread_time()
        for x in xs:
            run(x)
        best = min(best, time.thread_time() - start)
    return best / repeats


def exponent(run, sizes, repeats) -> float:
    run(np.full(16, 0.1))
    times = [seconds(run, n, repeats) for n in sizes]
    return float(np.polyfit(np.log(sizes), np.log(times), 1)[0])


@pytest.mark.heavy(one_in=4)
@pytest.mark.parametrize("fun", [recurrence, in_place])
@pytest.mark.parametrize("of", FUNCTIONS)
@pytest.mark.parametrize("compiled", [False, True], ids=["plain", "compiled"])
def test_time_is_linear(fun, of, compiled):
    run = FUNCTIONS[of](fun)
    run = gs.jit(run) if compiled else gs.test_util.primal(run)
    sizes = [4_000, 8_000, 16_000, 32_000] if compiled else [500, 1_000, 2_000, 4_000]
    tries = []
    for _ in range(4):  # a shared machine: a quadratic loop (exponent 2) fails each time, noise does not
        tries.append(exponent(run, sizes, 30 if compiled else 3))
        if tries[-1] <= 1.15:
            return
    assert min(tries) <= 1.15, tries


def taped(x):
    """A branch whose gradient needs a tape of 20 numbers."""
    if x > 0.0:
        e = 1.0
        for k in range(20):
            e = np.tanh(e * x) + 0.1 * k
        return e
    return x * x


def halved(x):
    """A loop whose gradient needs a tape of as many numbers as it takes steps: none, or up to 5,000."""
    total = 0.0
    while x > 1.0:
        x = x - x ** 2 * 1e-4
        total = total + np.sqrt(x)
    return total


def exits(x):
    for k in range(200):
        x = 1.2 * x + 0.01 * x * x
        if x > 100.0:
            return x * k
    return x


def windows(x):
    """An ordinary loop, no `vmap`, with an array of each iteration."""
    total = 0.0
    for i in range(len(x)):
        w = np.zeros(7)
        w[i % 7] = x[i]
        for k in range(1, 7):
            w[k] = np.sin(w[k] + w[k - 1]) * w[k - 1]
        total += w[6] * w[3] + w[2]
    return total


BY_EXAMPLE = (taped, halved, exits)


CHILD = textwrap.dedent("""
    import json, sys
    sys.path.insert(0, sys.argv[1])
    import numpy as np, gradscribe as gs
    from numba.core.runtime import rtsys
    from tests.transforms.test_stores import BY_EXAMPLE, recurrence, in_place, windows
    out = {}
    runs = [(fun.__name__, name, gs.jit(of(fun))) for fun in (recurrence, in_place, windows)
            for name, of in (("primal", lambda f: f), ("gradient", gs.grad))]
    runs += [(fun.__name__, "by example", gs.jit(gs.vmap(gs.grad(fun)))) for fun in BY_EXAMPLE]
    for fun, name, run in runs:
        run(np.linspace(-1, 9, 10))
        counts = []
        for n in (10, 100, 1000):
            x = np.linspace(-1, 9, n)
            before = rtsys.get_allocation_stats().alloc
            run(x)
            counts.append(rtsys.get_allocation_stats().alloc - before)
        out[f"{fun} {name}"] = counts
    print(json.dumps(out))
""")


@pytest.mark.heavy(one_in=6)
def test_allocations_do_not_grow():
    # each part of a loop that threads share has arrays of its own
    env = dict(os.environ, NUMBA_NRT_STATS="1", GRADSCRIBE_THREADS="1")
    done = subprocess.run([sys.executable, "-c", CHILD, ROOT], env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    counts = json.loads(done.stdout)
    assert len(counts) == 9
    for name, (a, b, c) in counts.items():
        assert a == b == c <= 16, (name, (a, b, c))


@pytest.mark.heavy(one_in=5)
@pytest.mark.parametrize("fun", BY_EXAMPLE)
@pytest.mark.parametrize("x", [[], [-0.5], [9.0, -1.0, 0.5, 3000.0, 0.0, 2.0]], ids=["none", "one", "several"])
def test_gradients_by_example_are_those_of_each(fun, x):
    """One array serves all examples: nothing of one reaches another, whatever each of them needs."""
    x = np.array(x)
    each = np.array([gs.grad(fun)(v) for v in x])
    for run in (gs.vmap(gs.grad(fun)), gs.jit(gs.vmap(gs.grad(fun)))):
        np.testing.assert_allclose(run(x), each, rtol=1e-11)
        np.testing.assert_allclose(run(x[::-1].copy()), each[::-1], rtol=1e-11)


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("n", [0, 1, 30])
def test_arrays_of_an_iteration_are_empty_when_it_begins(n):
    x = np.linspace(-1, 1, n)
    np.testing.assert_allclose(gs.jit(windows)(x), windows(x), rtol=1e-12)
    np.testing.assert_allclose(gs.jit(gs.grad(windows))(x), gs.grad(windows)(x), rtol=1e-11)


def through_a_part_from_its_end(A):
    A[::2, :0:-1] += 1.5
    A[-2::-1, 1:] += np.sin(A[2, 1:])
    return np.sum(A * A)


@pytest.mark.parametrize("shape", [(4, 3), (7, 1), (5, 0)])
def test_the_value_of_a_store_and_its_gradient_know_one_length(shape):
    """The gradient is of a function of its own, which is given the lengths that the value has found."""
    def both(A):
        return through_a_part_from_its_end(A.copy()), gs.grad(through_a_part_from_its_end)(A)

    A = np.arange(np.prod(shape)).reshape(shape) / 7.0
    want = through_a_part_from_its_end(A.copy()), gs.grad(through_a_part_from_its_end)(A)
    for f in (gs.test_util.primal(both), gs.jit(both)):
        for x, y in zip(f(A), want):
            np.testing.assert_allclose(x, y, rtol=1e-12)
