"""Threads share what has much to do: elementwise loops, sums, stencils, a user's own loops."""
import os
import time

import numpy as np
import pytest

import gradscribe as gs
from benchmarks.row25_clusters import spread
from gradscribe.runtime.native import pool, threads
from gradscribe.runtime.plain.parallel import elements_apart
from gradscribe.transformer.loop_core import long_nests

two_cores = pytest.mark.skipif(threads.counters[threads.ALLOWED] < 2, reason="there is one core: nothing to share")


def tanh(x):
    return np.tanh(x)


def chain(x, w, b):
    return np.sum(np.tanh(x * w + b) ** 2)


def table(x, y):
    return np.exp(-x * x) * np.sin(y) + x / (1.0 + y * y)


def softmax(x):
    e = np.exp(x - np.max(x, axis=1, keepdims=True))
    return e / np.sum(e, axis=1, keepdims=True)


def heat(u, steps):
    for _ in range(steps):
        u[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])
    return np.sum(u * u)


def smallest_and_any(x):
    least, negative = np.inf, False
    for i in range(len(x)):
        s = 0.0
        for j in range(x.shape[1]):
            s += np.sin(x[i, j])
        least = min(least, s)
        negative = negative or s < -5.0
    return least, negative


def scan(x):
    """No iteration can be done before the one before it."""
    y = np.empty(len(x))
    s = 0.0
    for i in range(len(x)):
        s = 0.5 * s + np.sin(x[i])
        y[i] = s
    return y


def histogram(x, at):
    y = np.zeros(4)
    for i in range(len(x)):
        y[at[i]] += np.exp(x[i])
    return y


numbers = np.random.default_rng(3)
X, GRID = numbers.standard_normal(70_000), numbers.standard_normal((300, 260))
PLACES = numbers.integers(0, 4, 70_000)
CASES = [(tanh, (X,)), (chain, (X, 0.7, 0.2)), (table, (GRID, GRID + 1.0)), (softmax, (GRID,)), (heat, (GRID, 3)),
         (spread, (GRID[:40], GRID)), (smallest_and_any, (GRID,)), (scan, (X,)), (histogram, (X, PLACES))]
SHARED = [tanh, chain, table, softmax, heat, spread, smallest_and_any]


def same(got, want, rtol):
    for a, b in zip(got if type(got) is tuple else (got,), want if type(want) is tuple else (want,)):
        assert type(a) is type(b)
        np.testing.assert_allclose(a, b, rtol=rtol, atol=rtol)


@two_cores
@pytest.mark.parametrize("f, args", CASES, ids=lambda x: getattr(x, "__name__", ""))
def test_results_are_those_of_one_thread_and_of_numpy(f, args):
    here = [x.copy() if type(x) is np.ndarray else x for x in args]
    alone = [x.copy() if type(x) is np.ndarray else x for x in args]
    plain = [x.copy() if type(x) is np.ndarray else x for x in args]
    got, want = gs.jit(f)(*here), gs.jit(f, parallel=False)(*alone)
    same(got, want, 1e-15)  # sums of a user's loop may be added in another order
    same(got, f(*plain), 1e-12)
    for a, b in zip(here, alone):
        np.testing.assert_array_equal(a, b)
    assert ("rp.share(" in gs.jit(f, parallel=True).source(*args, stage="compiled")) == (f in SHARED)


@two_cores
@pytest.mark.parametrize("f, args", [case for case in CASES if case[0] in (chain, heat, spread)],
                         ids=lambda x: getattr(x, "__name__", ""))
def test_gradients_are_those_of_one_thread(f, args):
    got, want = gs.jit(gs.grad(f))(*args), gs.jit(gs.grad(f), parallel=False)(*args)
    np.testing.assert_allclose(got, want, rtol=1e-13, atol=1e-15)


@two_cores
def test_a_program_is_compiled_for_threads_where_there_is_much_to_do():
    """And only there: the beginning of the other one says when."""
    f = gs.jit(chain)
    text = f.source(X[:10], 0.7, 0.2, stage="compiled")
    assert "rp.share(" not in text and f"<= {long_nests.LONG}" in text
    small, before = f(X[:10], 0.7, 0.2), threads.helped()
    for _ in range(200):
        large = f(X, 0.7, 0.2)
        if threads.helped() > before:
            break
    else:
        pytest.fail("no other thread has done anything")
    assert large == gs.jit(chain, parallel=False)(X, 0.7, 0.2)
    assert small == f(X[:10], 0.7, 0.2)


@two_cores
def test_large_arguments_at_first_then_small_ones():
    f = gs.jit(table)
    for n in (300, 2, 1, 0, 300):
        np.testing.assert_allclose(f(GRID[:n], GRID[:n]), table(GRID[:n], GRID[:n]), rtol=1e-13)


@two_cores
@pytest.mark.parametrize("overlapping", [False, True])
def test_an_argument_that_overlaps_itself_is_one_threads(overlapping):
    """The last store of a place is what stays."""
    def counted(u):
        u[:, :] = np.arange(u.size, dtype=np.float64).reshape(u.shape)

    memory = np.zeros(70_000)
    u = np.lib.stride_tricks.as_strided(memory, (300, 200), (8, 16) if overlapping else (1600, 8))
    gs.jit(counted, parallel=False)(u)
    want, f = memory.copy(), gs.jit(counted, parallel=True)
    for _ in range(20):
        memory[:] = 0.0
        f(u)
        np.testing.assert_array_equal(memory, want)


def test_what_strides_say_of_elements():
    x = np.zeros((4, 6))
    assert elements_apart(x) and elements_apart(x[1:3, 2:5]) and elements_apart(x[::2, ::3]) and elements_apart(x[:0])
    assert not elements_apart(x[:, ::-1]) and not elements_apart(np.broadcast_to(x[0], (5, 6)))
    assert not elements_apart(np.lib.stride_tricks.as_strided(x, (3, 3), (8, 8)))


@two_cores
def test_the_first_iteration_that_raises_is_the_one_that_is_told(monkeypatch):
    def roots(x):
        y = np.empty(len(x))
        for i in range(len(x)):
            s = 0.0
            for j in range(40):
                s += x[i] * j
            if s < 0.0:
                raise ValueError("negative", i)
            y[i] = np.sqrt(s)
        return y

    monkeypatch.setattr(long_nests, "LONG", 0)
    x = np.ones(4000)
    x[[1700, 900, 3999]] = -1.0
    f = gs.jit(roots)
    for _ in range(20):
        with pytest.raises(ValueError, match="900"):
            f(x)


@two_cores
@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="only Linux says in /proc which threads there are")
def test_threads_wait_for_more_and_end():
    def running():
        return len(os.listdir("/proc/self/task"))

    f = gs.jit(tanh, parallel=True)
    f(X)
    time.sleep(2.5 * pool.PATIENCE)
    before = running()
    f(X)
    assert running() > before
    for _ in range(100):
        time.sleep(0.1)
        if running() <= before:
            return
    pytest.fail(f"{running()} threads after 10 s without work, {before} before")


@two_cores
def test_what_an_argument_keeps_where_the_call_raises_is_what_one_thread_leaves(monkeypatch):
    """No thread has stored what comes behind it."""
    def scaled(u, k, at):
        for i in range(len(u)):
            for j in range(u.shape[1]):
                u[i, j] = 2.0 * u[i, at[i] + j]

    monkeypatch.setattr(long_nests, "LONG", 0)
    at = np.zeros(1000, dtype=np.int64)
    at[500] = 7
    f = gs.jit(scaled, parallel=True)
    for _ in range(5):
        u = X[:1000].reshape(1000, 1).copy()
        want = u.copy()
        with pytest.raises(IndexError):
            scaled(want, 1, at)
        with pytest.raises(IndexError):
            f(u, 1, at)
        np.testing.assert_array_equal(u, want)


@two_cores
def test_what_is_printed_is_printed_once(capfd):
    def told(x):
        print("here")
        return np.sum(np.tanh(x))

    f = gs.jit(told)
    f(X[:10])
    f(X)
    assert capfd.readouterr().out.split() == ["here", "here"]


@two_cores
def test_a_program_compiled_in_the_background_is_the_one_for_threads():
    f = gs.jit(chain, tiered=True)
    f(X, 0.7, 0.2)
    before = threads.helped()
    for _ in range(600):
        f(X, 0.7, 0.2)
        if threads.helped() > before:
            return
        time.sleep(0.05)
    pytest.fail("no other thread has done anything")


@two_cores
def test_loops_of_a_round_are_shared_together_or_not_at_all():
    """The gathering loops of a mirror have most to do; those beside them would read what another core has stored."""
    f, before = gs.jit(gs.grad(heat)), threads.helped()
    for _ in range(50):
        f(GRID[:128, :128], 20)
    assert threads.helped() == before
    for _ in range(50):
        f(GRID[:260], 20)
    assert threads.helped() > before


@two_cores
def test_how_much_a_later_loop_has_to_do_may_not_be_known_yet():
    def halves(a):
        stack, total, n = [1.0], 0.0, 0
        while stack:
            x = stack.pop()
            n += 1
            if x * a > 0.1 and n < 60:
                stack.append(x / 2)
                stack.append(x / 3)
            else:
                total += x * a
        return total

    x = np.linspace(0.1, 3.0, 5)
    np.testing.assert_allclose(gs.jit(gs.vmap(halves), parallel=True)(x), [halves(a) for a in x], rtol=1e-14)


@two_cores
def test_the_index_of_a_loop_stays_what_it_is(monkeypatch):
    """Items of a list are moved up, at places that may be counted from the end."""
    def stack(x):
        p = []
        for v in x:
            while p and p[-1] >= v + 0.013:
                del p[-1]
            p.append(v)
        return sum(u * w for u, w in zip(p, p[1:])) + np.sum(np.sin(x))

    monkeypatch.setattr(long_nests, "LONG", 0)
    np.testing.assert_allclose(gs.jit(stack)(X[:50]), stack(X[:50]), rtol=1e-13)


@pytest.mark.parametrize("parallel", [False, True])
@pytest.mark.parametrize("by", [-1, 1, 3])
def test_a_loop_has_the_rounds_that_its_range_had_before_it(parallel, by):
    """A number that begins as the stop of the range has its name, and changes in the loop, which goes in strips."""
    def counted(x, n):
        m = 2 * n
        left, s = m, 0.0
        for k in range(m):
            left = left + by
            s += x * k
        return s, left

    n = 1_500_001
    s, left = gs.jit(counted, parallel=parallel)(0.5, n)
    assert left == 2 * n + by * 2 * n and s == pytest.approx(0.5 * n * (2 * n - 1), rel=1e-12)
