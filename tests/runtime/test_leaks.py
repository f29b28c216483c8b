"""A compiled call that raises leaves nothing behind: no memory, no reference to an argument, no object of Python's."""
import gc
import os
import subprocess
import sys
import threading
import weakref
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.runtime.native import large_blocks
from gradscribe.test_util import primal

CALLS = 10_000
ROOT = Path(__file__).parents[2]
x = np.linspace(0.1, 0.9, 200)
A = np.linspace(-1.0, 1.0, 24 * 24).reshape(24, 24)
weights = np.linspace(1.0, 2.0, 200)


@dataclass
class Fit:
    value: float
    rows: np.ndarray
    parts: list


def index_in_a_loop(x, k):
    y = np.zeros(len(x))
    for i in range(len(x)):
        y[i] = 2.0 * x[i]
        z = y * x[i] if i % 80 == 79 else y
        if i >= len(x) - 2:
            y[0] = z[i + k]
    return np.sum(y * z), y


def index_of_arrays(x, places):
    return Fit(x[0], np.tanh(x)[places], [x * 2.0, {"w": weights * x}])


def shapes(x, n):
    y = np.exp(x) * weights
    return {"sum": np.sum(y), "all": y + np.sin(x)[n:] * 2.0}


def product(A, k):
    B = A.T[::2] @ A
    return np.sum(B), B @ A[k:], A[:, ::2] @ A[::2, ::3]


def products(S, k):
    """Each is of matrices that are copied first."""
    B = S[:, ::-2, ::2] @ S[:, ::2, ::2]
    return np.sum(B), B[:, ::-1, k:] @ B[:, ::-1]


def users_error(x, most):
    rows = np.zeros((20, len(x)))
    total = 0.0
    for k in range(20):
        y = x * (k + 1.0)
        for i in range(3):
            y = np.cos(y) + x[i]
            total += y[0]
            if k == 17 and total > most:
                raise ValueError("too much")
        rows[k] = y
    return rows, total


def asserted(x, most):
    y = np.cumsum(x)
    t = np.sort(y * 2.0)[::-1] * weights
    assert y[-1] < most, "too far"
    return t, x


def arithmetic(x, n):
    y = x * 2.0
    k = 3
    for i in range(30):
        k = k * n
        y = y + x[i]
    return y, k


def whole_number(x, scale):
    y = x * scale
    return x[int(y[3]) % 3], y, int(y[3] * scale)


def division(x, n):
    y = x + 1.0
    return y * (3 // n), y[0] / n


def size(x, n):
    y = x * x
    return np.ones(n) * 2.0, y


def too_large(x, n):
    y = x * x
    return np.zeros((n, n)), y


def stores(x, k):
    x[0] = x[0] + 0.0
    y = x * 2.0
    x[k] = y[k] / 2.0
    return y


def search(x, k):
    order = np.argsort(x * -1.0)
    return x[order], np.searchsorted(x, x[:5])[k]


def loss_of_a_tape(x, stop):
    """Each step is kept on a tape, which grows."""
    s = x[0]
    k = 0
    while k < 150:
        s = np.sin(s) * x[k] + 1.0
        k += 1
        if k == stop:
            raise ArithmeticError("stopped")
    return s * np.sum(x * x)


tape = gs.value_and_grad(loss_of_a_tape)


def example(a, k):
    y = np.zeros(30)
    for i in range(30):
        y[i] = a * i
    while y[0] < 1.0:
        y = y + np.tanh(y) * a + 0.3
    return y[29 + k] + np.sum(y)


each = gs.vmap(gs.grad(example), in_axes=(0, 0))


def last(n, k):
    offsets = np.zeros(n, dtype=int)
    offsets[-n // 3] = k
    return offsets


# (function, arguments that do, arguments that raise, what, options of gs.jit)
CASES = [
    (index_in_a_loop, (x, 0), (x, 5), IndexError, {}),
    (index_of_arrays, (x, np.array([0, 5])), (x, np.array([3, 1000])), IndexError, {}),
    (shapes, (x, 0), (x, 3), ValueError, {}),
    (product, (A, 0), (A, 7), ValueError, {}),
    (product, (A[:, ::-1], 0), (A[:, ::-1], 7), ValueError, {}),
    (products, (A.reshape(4, 12, 12), 0), (A.reshape(4, 12, 12), 2), ValueError, {}),
    (users_error, (x, 1e9), (x, 1.0), ValueError, {}),
    (asserted, (x, 1e9), (x, 1.0), AssertionError, {}),
    (arithmetic, (x, 2), (x, 1000), OverflowError, {}),
    (whole_number, (x, 2.0), (x, 1e300), (OverflowError, ValueError), {}),
    (division, (x, 2), (x, 0), ZeroDivisionError, {}),
    (size, (x, 10), (x, -1), ValueError, {}),
    (too_large, (x, 10), (x, 10**6), MemoryError, {}),
    (stores, (x, 3), (x, 1000), IndexError, {}),
    (search, (x, 3), (x, 5), IndexError, {}),
    (tape, (x, -1), (x, 140), ArithmeticError, {}),
    (each, (x[:99], last(99, 0)), (x[:99], last(99, 1)), IndexError, {"parallel": True}),
    (each, (x[:9], last(9, 0)), (x[:9], last(9, 1)), IndexError, {"parallel": False}),
]
IDS = [f"{getattr(f, '__name__', str(f))} {k}" for k, (f, *_) in enumerate(CASES)]


def held() -> int:
    """KB of memory that this process has."""
    return (int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1024
            if os.path.exists("/proc") else 0)


def raise_often(f, args, error, calls):
    for _ in range(calls):
        try:
            f(*args)
        except error:
            continue
        raise AssertionError("nothing was raised")


def counts(*arguments):
    """References to the arguments, and what numba has allocated and not freed."""
    from numba.core.runtime import rtsys
    stats = rtsys.get_allocation_stats()
    return ([sys.getrefcount(a) for a in arguments if isinstance(a, np.ndarray)], stats.alloc - stats.free,
            stats.mi_alloc - stats.mi_free)


@pytest.fixture(scope="module", autouse=True)
def counting():
    """numba counts, and no collection of garbage hides what would stay until there is one."""
    from numba.core.runtime import _nrt_python
    counted, collected = _nrt_python.memsys_stats_enabled(), gc.isenabled()
    _nrt_python.memsys_enable_stats()
    gc.disable()
    yield
    (gc.enable if collected else gc.disable)()
    (_nrt_python.memsys_enable_stats if counted else _nrt_python.memsys_disable_stats)()


def flat(result):
    return np.concatenate([np.ravel(leaf) for leaf in gs.tree.leaves(result)])


@pytest.mark.heavy(one_in=11)
@pytest.mark.parametrize("f, good, bad, error, options", CASES, ids=IDS)
def test_nothing_is_left_of_calls_that_raise(f, good, bad, error, options):
    run = gs.jit(f, **options)
    expected = flat(f(*good))
    run(*good)
    raise_often(run, bad, error, 100)
    before, blocks, memory = counts(*good, *bad), sys.getallocatedblocks(), held()
    raise_often(run, bad, error, CALLS)
    references, left, records = counts(*good, *bad)
    left -= CALLS * (error is MemoryError and not large_blocks.AVAILABLE)  # numba counts what it did not get
    assert (references, left, records) == before
    assert sys.getallocatedblocks() - blocks < CALLS / 2
    assert held() - memory < 4 << 10
    before, result = counts(*good, *bad), run(*good)
    np.testing.assert_allclose(flat(result), expected)
    del result
    assert counts(*good, *bad) == before


def pair(x):
    return {"twice": x * 2.0, "both": (x + 1.0, None)}


@pytest.mark.parametrize("call", [lambda x: primal(pair)(x=x), lambda x: gs.vjp(pair, x)[0],
                                  lambda x: gs.vjp(pair, x)[1](pair(x))[0]], ids=["by name", "vjp", "pull-back"])
def test_results_are_let_go_without_collecting_garbage(call):
    x = np.ones(4)
    call(x)
    gc.disable()
    try:
        leaves = gs.tree.leaves(call(x))
        kept = [weakref.ref(leaf) for leaf in leaves]
        del leaves
        assert kept and not any(leaf() is not None for leaf in kept)
    finally:
        gc.enable()


@pytest.mark.heavy(one_in=2)
def test_nothing_is_left_in_threads():
    """Several of Python's call at once, and each call starts threads of its own."""
    run, bad = gs.jit(each, parallel=True), (x[:99], last(99, 1))
    run(x[:99], last(99, 0))
    before = counts(*bad)
    threads = [threading.Thread(target=raise_often, args=(run, bad, IndexError, 500)) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert counts(*bad) == before


@pytest.mark.heavy(one_in=4)
def test_what_is_caught_keeps_what_it_needs_only():
    """An exception that somebody keeps has frames with the arguments; they go with it."""
    run, kept, y = gs.jit(index_in_a_loop), [], x.copy()
    run(y, 0)
    with pytest.raises(IndexError):
        run(y, 5)  # makes a program for this k, in circles that only the collector frees
    gc.collect()
    before = sys.getrefcount(y)
    for _ in range(20):
        try:
            run(y, 5)
        except IndexError as error:
            kept.append(error)
    assert all("is out of bounds" in str(error) for error in kept)
    del kept[:]
    assert sys.getrefcount(y) == before


def stress():
    """All of it, to be run where the allocator checks what it is given."""
    for f, good, bad, error, options in CASES:
        run = gs.jit(f, **options)
        for _ in range(50):
            raise_often(run, bad, error, 4)
            flat(run(*good))
    print("whole")


@pytest.mark.heavy(one_in=5)
def test_nothing_is_freed_twice():
    """glibc ends the process where memory is freed that is not in use, and fills what is freed."""
    checker = next(iter(Path("/lib").glob("*-linux-gnu/libc_malloc_debug.so.0")), None)
    checks = {"MALLOC_CHECK_": "3", "MALLOC_PERTURB_": "165"} | ({"LD_PRELOAD": str(checker)} if checker else {})
    done = subprocess.run([sys.executable, "-c", "from tests.runtime.test_leaks import stress; stress()"],
                          capture_output=True, text=True, cwd=ROOT, env={**os.environ, "PYTHONPATH": ".", **checks})
    assert done.stdout == "whole\n", done.stderr
