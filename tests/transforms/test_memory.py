"""Gradients within a budget of memory: they are those without one, keep to it, and say what they keep."""
import math
import re
import tracemalloc

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.runtime.native import scalars
from gradscribe.runtime.native.special import SEGMENTS
from gradscribe.runtime.plain import segments
from tests.support.work import work

RNG = np.random.default_rng(3)
V, W, X = RNG.normal(size=6), 0.7 * RNG.normal(size=(4, 4)), RNG.normal(size=(60, 4))


def recurrent(W, xs):
    h, total = np.zeros(len(W)), 0.0
    for i in range(len(xs)):
        h = 0.3 * h + np.tanh(W @ h + xs[i])
        total += np.sum(np.sin(h))
    return total


def until(x):
    k = 0
    while k < 50 and np.sum(x * x) > 0.04:
        x = np.sin(x) * np.exp(-0.02 * x * x)
        k += 1
    return np.sum(x) * k


def on_a_side(x, n):
    y = np.sin(x)
    if n > 3:
        for i in range(n):
            y = 0.5 * np.exp(-np.tanh(y) * y) + 0.4 * x
    for j in range(n, 0, -2):
        y = np.sin(np.exp(-y * y)) / j + y
        y = y / np.sqrt(1.0 + 0.01 * np.sum(y * y))
    return np.sum(y)


def choosing(x, n):
    y, k, m = x, 0, 0.0
    for i in range(n):
        if np.sum(y) > m:
            y = np.sin(np.exp(y)) * 0.5 + 0.1 * x
            k += 1
        else:
            y = np.cos(np.exp(-y)) + 0.1 * k * y
        m = m * 0.9 + np.mean(y) * 0.1 * (1.0 + 0.01 * k)
    return np.sum(y) + m


def nested(x, n):
    y, c = x.copy(), 1.0
    for i in range(n):
        for j in range(len(x)):
            y[j] = np.sin(y[j] + 0.7 * np.exp(np.sin(y[j - 1]))) / c
        c = 1.0 + 0.1 * np.mean(y)
    return np.sum(y * y)


def recording(W, xs):
    h, c = np.zeros(len(W)), np.zeros(len(W))
    outs = np.zeros((len(xs), len(W)))
    for t in range(len(xs)):
        z = W @ h + xs[t]
        c = c / (1.0 + np.exp(z)) + np.tanh(z)
        h = np.tanh(c) / (1.0 + np.exp(-z))
        outs[t] = h
    return np.sum(outs ** 2)


def backwards(x):
    u = x[0]
    for i in range(len(x) - 1, 0, -3):
        u = np.sin(u * np.exp(-0.1 * u * x[i])) + 0.5 * x[i]
    return u * u


def drawing(x, n):
    key = gs.random.key(0)
    for i in range(n):
        key, now = gs.random.split(key)
        x = x + 0.1 * np.sin(x + 0.1 * gs.random.normal(now, (len(x),))) * np.exp(-x * x)
    return np.sum(x * x)


@gs.custom_vjp
def square(x):
    return x * x


square.defvjp(lambda x: (x * x, x), lambda x, g: (2.0 * x * g,))


def with_rules(x, n):
    again = gs.checkpoint(lambda v: np.sin(np.exp(v)))
    for i in range(n):
        x = 0.9 * x + 0.1 * square(np.sin(x)) * again(0.3 * x)
    return np.sum(x)


def storing(x, n):
    for i in range(n):
        x[1:] = 0.5 * np.sin(np.exp(-x[:-1])) + 0.4 * x[1:]
    return np.sum(x)


def counted(x, n):
    """A look at a place that only a counter from round to round knows."""
    k, total = -1, 0.0
    for i in range(n):
        k += 1
        total += np.sum(np.sin(np.exp(total * 0.01) * x[k % len(x)]))
        x[k % len(x)]
    return total


CASES = [(recurrent, (W, X)), (until, (V,)), (on_a_side, (V, 41)), (choosing, (V, 50)), (nested, (V, 30)),
         (recording, (W, X)), (backwards, (RNG.normal(size=200),)), (drawing, (V, 40)), (with_rules, (V, 30)),
         (storing, (V, 30)), (counted, (V, 40))]


def copied(args):
    return [a.copy() if isinstance(a, np.ndarray) else a for a in args]


@pytest.mark.parametrize("fun,args", CASES, ids=lambda x: getattr(x, "__name__", ""))
@pytest.mark.parametrize("memory", [0.5, "1.5kB", 10**6])
def test_the_gradient_is_that_without_a_budget(fun, args, memory):
    want, made = gs.grad(fun)(*copied(args)), gs.grad(fun, memory=memory)
    np.testing.assert_array_equal(made(*copied(args)), want)
    if memory == "1.5kB":
        np.testing.assert_allclose(gs.jit(made)(*copied(args)), want, rtol=1e-7, atol=1e-14)
    assert np.max(np.abs(want)) > 1e-4  # else there is nothing to compare


@pytest.mark.parametrize("fun,args", CASES, ids=lambda x: getattr(x, "__name__", ""))
def test_differences(fun, args):
    gs.test_util.check_grads(lambda x: gs.value_and_grad(fun, memory=2000)(x, *args[1:])[0], args[:1], order=1)
    made, x = gs.grad(fun, memory=2000), args[0]
    direction, h = RNG.normal(size=x.shape), 1e-6
    ahead, back = (fun(x + s * h * direction, *args[1:]) for s in (1, -1))
    assert np.sum(made(x.copy(), *args[1:]) * direction) == pytest.approx((ahead - back) / (2 * h), rel=1e-4, abs=1e-7)


@pytest.mark.parametrize("n", [0, 2, 3, 17, 200])
def test_one_program_for_all_lengths(n):
    made, want = gs.jit(gs.grad(recurrent, memory="600B")), gs.grad(recurrent)
    made(W, X)
    xs = RNG.normal(size=(n, 4))
    np.testing.assert_allclose(made(W, xs), want(W, xs), rtol=1e-9, atol=1e-12)
    assert sum(len(kept) for kept in made._cache.programs.values()) == 1


def vector(x, n):
    for i in range(n):
        x = np.sin(np.exp(-x)) + 0.3 * x[::-1] * x
    return x


def test_everywhere_where_there_is_a_mirror():
    for made in (lambda m: gs.jacrev(vector, memory=m)(V, 20),
                 lambda m: gs.vjp(lambda x: vector(x, 20), V, memory=m)[1](V),
                 lambda m: gs.jit(lambda x: gs.vjp(lambda x: vector(x, 20), x, memory=m)[1](x))(V),
                 lambda m: gs.value_and_grad(lambda x: np.sum(vector(x, 20)), memory=m)(V),
                 lambda m: gs.vmap(gs.grad(lambda x: (np.sum(vector(x, 20)), x), has_aux=True, memory=m))(X[:, ::2]),
                 lambda m: gs.jacfwd(gs.grad(lambda x: np.sum(vector(x, 20)), memory=m))(V),
                 lambda m: gs.jacfwd(gs.jacrev(lambda x: vector(x, 20), memory=m))(V),
                 lambda m: gs.grad(lambda x: np.sum(gs.grad(lambda x: np.sum(vector(x, 9)), memory=m)(x)**2))(V),
                 lambda m: gs.grad(lambda x: np.sum(gs.grad(lambda x: np.sum(vector(x, 9)))(x)**2), memory=m)(V)):
        for got, want in zip(gs.tree.leaves(made("1kB")), gs.tree.leaves(made(None)), strict=True):
            np.testing.assert_allclose(got, want, rtol=1e-9, atol=1e-13)


# what is kept ---------------------------------------------------------------------------------------
def rolling(x, n):
    for i in range(n):
        x = np.sin(np.exp(-x)) + 0.5 * np.tanh(np.exp(x))
    return np.sum(x)


def peak(made, *args) -> int:
    made(*args)
    tracemalloc.start()
    try:
        made(*args)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("fun,args", [(rolling, (RNG.normal(size=40), 2000)), (on_a_side, (RNG.normal(size=60), 900)),
                                      (recurrent, (0.1 * RNG.normal(size=(20, 20)), RNG.normal(size=(1500, 20))))])
def test_a_tenth_of_the_memory_in_twice_the_time(fun, args):
    free, made = gs.grad(fun), gs.grad(fun, memory=0.1)
    budget = 0.1 * free.memory(*args).total
    assert peak(free, *args) == pytest.approx(10 * budget, rel=0.1)
    assert made.memory(*args).total < budget
    assert peak(made, *args) < 1.1 * budget + 20_000  # objects of Python's, and what a round computes with
    small = (args[0], args[1][:200] if isinstance(args[1], np.ndarray) else 200)
    assert work(gs.grad(fun, memory=0.1), small) < 2 * work(free, small)


def test_bytes_as_they_are_asked_for():
    x = RNG.normal(size=40)
    most = gs.grad(rolling).memory(x, 1000).total
    for memory, room in [("64kB", 64_000), ("0.0625MiB", 65_536), (20_000, 20_000), (0.03, 0.03 * most)]:
        made = gs.grad(rolling, memory=memory)
        assert 0.25 * room < made.memory(x, 1000).total < room
        assert peak(made, x, 1000) < room + 12_000


def test_the_table():
    found = gs.grad(recurrent).memory(W, X)
    assert found.total == 2 * 60 * 4 * 8 and [x.bytes for x in found.lines] == [1920, 1920]
    assert re.sub(r"line \d+", "line N", str(found)).split("\n") == [
        "bytes  of", "1,920  h       line N: for i in range(len(xs)):",
        "1,920  t       line N: h = 0.3 * h + np.tanh(W @ h + xs[i])", "3,840  in all"]
    assert gs.jit(gs.grad(recurrent)).memory(W, X) == found
    assert gs.grad(np.sum).memory(V).total == 0
    huge = np.broadcast_to(0.0, (10**9, 4))  # nothing is computed
    assert gs.grad(recurrent).memory(W, huge).total == 64 * 10**9
    twice = gs.grad(recurrent, memory=1000).memory(W, X)
    assert [x.names for x in twice.lines] == [("h",), ("t",)] and twice.total < 1000


def test_what_is_measured_grows_and_chooses():
    """Tapes of a `while`, of rounds of different sizes, and of branches."""
    assert gs.grad(triangle).memory(V, 9).total == 8 * sum(range(9)) + 8 * 8  # with that of one round meanwhile
    assert gs.grad(until).memory(V).total == rounds_until(V) * V.nbytes
    assert gs.grad(on_a_side).memory(V, 2).total < gs.grad(on_a_side).memory(V, 4).total - 4 * V.nbytes


def rounds_until(x) -> int:
    k = 0
    while k < 50 and np.sum(x * x) > 0.04:
        x, k = np.sin(x) * np.exp(-0.02 * x * x), k + 1
    return k


def test_the_source_says_what_it_keeps():
    text = gs.grad(recurrent, memory=0.1).source(W, X)
    assert "    # memory=0.1 keeps h at the beginnings of segments, and the tapes of one segment at a time\n" in text
    assert not re.search("^ *total", text, re.MULTILINE)  # the value is not asked for
    assert gs.grad(np.sum, memory=0.1).source(V) == gs.grad(np.sum).source(V)
    assert "kept" not in gs.grad(recurrent).source(W, X)


# what is refused ------------------------------------------------------------------------------------
def test_a_budget_that_cannot_be_met():
    state, kept = 8 + 32, 64
    made = gs.grad(recurrent, memory=2 * (state + kept) - 1)
    for made in (made, gs.jit(made)):
        with pytest.raises(gs.errors.RefusedValue, match="may keep 207 bytes of a loop, .* the least is 208"):
            made(W, X)
        made(W, X[:1])  # which keeps less
        made(W, X[:0])
    least = gs.grad(recurrent, memory=208)
    np.testing.assert_array_equal(least(W, X), gs.grad(recurrent)(W, X))
    assert least.memory(W, X).total < 208


@pytest.mark.parametrize("memory", [0, -1, 0.0, 1.0, 1.5, True, "much", "12", [], "1TB", math.nan])
def test_no_budget(memory):
    for make in (gs.grad, gs.value_and_grad, gs.jacrev, lambda f, memory: gs.vjp(f, V, memory=memory)):
        with pytest.raises(gs.errors.SpecialisationError, match="is no budget"):
            make(np.sum, memory=memory)


def triangle(x, n):
    total, u = 0.0, x[0]
    for i in range(n):
        for j in range(i):
            u = np.sin(np.exp(-u * u) + x[j % len(x)])
            total += u
    return total


def telling(x):
    for i in range(3):
        x = np.sin(np.exp(x))
        print("round", i)
    return np.sum(x)


def test_rounds_that_are_no_matter_of_their_own():
    for fun, args in (triangle, (V, 9)), (telling, (V,)):
        with pytest.raises(gs.errors.UnsupportedError, match="sizes that change from round to round, or print"):
            gs.grad(fun, memory=0.1)(*args)

    def both(x, n):
        return triangle(x, n) + rolling(x, 50)
    got, want = gs.grad(both, memory=0.3), gs.grad(both)
    np.testing.assert_array_equal(got(V, 9), want(V, 9))
    assert triangle.__code__.co_name not in got.source(V, 9)
    assert got.memory(V, 9).total < want.memory(V, 9).total - 0.6 * gs.grad(rolling).memory(V, 50).total


# the schedule ---------------------------------------------------------------------------------------
def rounds_run(n, length, count) -> int:
    """How many rounds run forwards, all together, as the sweeps of a loop in segments run them."""
    at, first, done = [0] * count, 0, 0
    for k in range(count):
        at[k] = first
        stop = segments.next_start(first, n, length, count - 1 - k)
        done, first = done + stop - first, stop
    assert first == n and sorted({*at}) == at
    end, top = n, count - 1
    while end > 0:
        first = at[top]
        last = top + segments.starts_ahead(first, end, length, count - 1 - top)
        for k in range(top + 1, last + 1):
            at[k] = segments.next_start(first, end, length, count - k)
            assert first < at[k] < end
            done, first = done + at[k] - first, at[k]
        assert 0 < end - first <= length
        done, end, top = done + end - first, first, last - 1
    assert top == -1 or n == 0
    return done


def test_the_schedule():
    for n in (1, 2, 3, 7, 30, 101):
        for state in (8, 50, 300):
            for kept in (1, 40, 500):
                for room in {*np.linspace(1, n * kept + state + 1, 40).astype(int).tolist()}:
                    length = segments.fitting_length(n, state, kept, room)
                    assert (length == 0) == (room < segments.least_room(n, state, kept))
                    if length:
                        count = segments.segment_starts(n, length, state, kept, room)
                        assert count * state + (1 + (count > 1)) * min(length, n) * kept <= room
                        rounds_run(n, length, count)


def test_as_few_rounds_as_can_be():
    """With s states beside that at the beginning, and no round run more than t times again: Griewank's numbers.  The
    first sweep goes to the end."""
    for s in range(1, 5):
        for t in range(1, 5):
            n = math.comb(s + t, s)
            assert rounds_run(n, 1, s + 1) == n * (t + 1) - math.comb(s + t, t - 1) + 1


def test_compiled_schedules():
    assert scalars.special.SEGMENTS is SEGMENTS
    for function, compiled in SEGMENTS.items():
        for args in [(100, 40, 64, 5000), (100, 40, 64, 100), (7, 8, 8, 300)]:
            given = args[:compiled.py_func.__code__.co_argcount]
            given = (30, 100, 7, 3) if function in (segments.next_start, segments.starts_ahead) else given
            given = (100, 7, 40, 64, args[3] + 1000) if function is segments.segment_starts else given
            assert compiled(*given) == function(*given)
