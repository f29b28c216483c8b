"""Loops that threads share: which they are, that results and exceptions are those of one thread,
and that threads do run."""
import concurrent.futures
import os
import subprocess
import sys
import textwrap
import time

import numpy as np
import pytest

import gradscribe as gs
from benchmarks.row17_branches import energy, root
from gradscribe.runtime.plain import parallel
from tests.devices.shared_loops import COUNT, X0, A, X, same, text
from tests.support.imports import ROOT

several_cores = pytest.mark.skipif(parallel.threads() < 2, reason="this process may use one core only")


def climb(w, x):
    """An array of its own for each example, filled and read; w is the same for all."""
    path = np.zeros(30)
    k = 0
    while x < 10.0 and k < 30:
        x = x + w * x * x + 0.1
        path[k] = x
        k += 1
    return np.sum(path * path)


def rotated(A, angle):
    """Each example is a matrix."""
    B = A.copy()
    if angle > 0.0:
        for i in range(A.shape[0] - 1):
            B[i] = np.cos(angle) * A[i] - np.sin(angle) * A[i + 1]
    return B


def prefix(x, n):
    total = 0.0
    for k in range(n):
        total += x[k] * x[k]
    return total


def of_rows(A):
    out = np.zeros(A.shape[0])
    for i in range(A.shape[0]):
        out[i] = np.sum(np.exp(-A[i] * A[i]))
    return out


def forces(x, m):
    f = np.zeros((len(m), 3))
    for i in range(len(m)):
        for j in range(len(m)):
            if i != j:
                d = x[j] - x[i]
                f[i] += m[i] * m[j] * d / (np.sum(d * d) + 1e-3)
    return f


def columns_backwards(A):
    out = np.zeros(A.shape)
    for j in range(A.shape[1] - 1, -1, -1):
        for i in range(A.shape[0]):
            out[i, j] = A[i, j] if i == 0 else out[i - 1, j] + A[i, j]
    return out


def walk(x):
    for t in range(10):
        if x > 0.0:
            x = x - np.sin(x) * 0.1
        else:
            x = x + 1.0
    return x


RNG = np.random.default_rng(3)
MATRICES = RNG.normal(size=(COUNT, 4, 3))

INDEPENDENT = {
    "while": (gs.vmap(root), (A, X0)),
    "tangent": (gs.vmap(lambda a, x0: gs.jvp(lambda a: root(a, x0), (a,), (1.0,))[1]), (A, X0)),
    "branch": (gs.vmap(energy), (X,)),
    "gradient of each": (gs.vmap(gs.grad(energy)), (X,)),
    "gradient of a while, of each": (gs.vmap(gs.grad(root)), (A, X0)),
    "gradient of the sum": (gs.grad(lambda x: np.sum(gs.vmap(energy)(x))), (X,)),
    "in a loop over time": (gs.vmap(walk), (X,)),
    "gradient of the sum, in a loop over time": (gs.grad(lambda x: np.sum(gs.vmap(walk)(x))), (X,)),
    "single precision": (gs.vmap(energy), (X.astype(np.float32),)),
    "memory of its own": (gs.vmap(climb, in_axes=(None, 0)), (0.1, X)),
    "gradient, memory of its own": (gs.vmap(gs.grad(climb, argnums=1), in_axes=(None, 0)), (0.1, X)),
    "matrices": (gs.vmap(rotated), (MATRICES, X)),
    "examples along the last axis": (gs.vmap(rotated, in_axes=(2, 0), out_axes=2), (np.moveaxis(MATRICES, 0, 2), X)),
    "as many rounds as it says": (gs.vmap(prefix), (RNG.normal(size=(COUNT, 30)), RNG.integers(0, 30, COUNT))),
    "the user's own loop": (of_rows, (RNG.normal(size=(COUNT, 5)),)),
    "pairs": (forces, (RNG.normal(size=(40, 3)), np.ones(40))),
    "columns, from the last": (columns_backwards, (RNG.normal(size=(20, COUNT)),)),
}


def alone(call):
    """What a call gives where loops have one thread."""
    from gradscribe.runtime.native import threads as native_threads
    allowed = native_threads.counters[native_threads.ALLOWED]
    native_threads.counters[native_threads.ALLOWED] = 1
    try:
        return call()
    finally:
        native_threads.counters[native_threads.ALLOWED] = allowed


@pytest.mark.heavy(one_in=20)
@pytest.mark.parametrize("name", INDEPENDENT)
def test_to_the_bit_what_one_thread_gives(name):
    f, args = INDEPENDENT[name]
    assert "rp.share(" in text(f, *args) and "rp.share(" not in text(f, *args, parallel=False)
    for choice in (True, "auto"):
        g = gs.jit(f, parallel=choice)
        g(*args)
        want = alone(lambda: g(*args))
        for _ in range(5):
            same(g(*args), want)
        np.testing.assert_allclose(want, gs.jit(f, parallel=False)(*args),
                                   rtol=1e-5 if want.dtype == np.float32 else 1e-12)


def test_to_the_bit_where_vector_instructions_compute_several_examples():
    f = gs.jit(gs.vmap(walk), parallel=True)
    assert ", 256, True)" in f.source(X, stage="compiled") and "rp.one_by_one()" not in f.source(X, stage="compiled")
    for count in (300, 1000, 10_003):
        x = RNG.normal(size=count)
        f(x)
        want = alone(lambda: f(x))
        for _ in range(20):
            same(f(x), want)


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("count", [0, 1, 2, 3, 7])
def test_few_examples(count):
    f = gs.vmap(energy)
    x = X[:count]
    same(gs.jit(f, parallel=True)(x), gs.jit(f, parallel=False)(x))


# exceptions ------------------------------------------------------------------------------------------
def raised(f, *args):
    with pytest.raises(Exception) as info:
        f(*args)
    return type(info.value), str(info.value), info.value.__notes__


def test_the_exception_is_that_of_the_first_example():
    """Lengths that are too large by a different amount, so that each message is another one."""
    x = RNG.normal(size=(COUNT, 30))
    f = gs.vmap(prefix)
    alone, shared = gs.jit(f, parallel=False), gs.jit(f, parallel=True)
    for bad in ([0], [COUNT - 1], [7, 8, 9], list(range(3, COUNT, 2)), [100, 400, 450]):
        n = np.full(COUNT, 3)
        n[bad] = 31 + np.arange(len(bad))
        wanted = raised(alone, x, n)
        assert wanted[0] is IndexError and "test_parallel.py" in str(wanted[2])
        for _ in range(5):
            assert raised(shared, x, n) == wanted
    same(shared(x, np.full(COUNT, 3)), alone(x, np.full(COUNT, 3)))


# threads ---------------------------------------------------------------------------------------------
def until_helped(call, seconds=60.0):
    """Has a thread that was started for a loop run a part of it?  A busy machine may run it too late,
    so more than one call."""
    from gradscribe.runtime.native import threads as native_threads
    before, end = native_threads.helped(), time.monotonic() + seconds
    while time.monotonic() < end:
        call()
        if native_threads.helped() > before:
            return True
    return False


HARD = np.where(np.arange(200_000) % 50, 1.2, 1e7)


@pytest.mark.heavy(one_in=2)
@several_cores
@pytest.mark.parametrize("choice", ["auto", True])
def test_threads_run_parts_of_a_large_loop(choice):
    f = gs.jit(gs.vmap(root), parallel=choice)
    a = np.full(len(HARD), 1.5)
    want = gs.jit(gs.vmap(root), parallel=False)(a, HARD)
    assert until_helped(lambda: same(f(a, HARD), want))


@several_cores
def test_no_thread_is_started_for_little_work_or_where_none_is_wanted():
    from gradscribe.runtime.native import threads as native_threads
    few, none = gs.jit(gs.vmap(root)), gs.jit(gs.vmap(root), parallel=False)
    few(A, X0), none(np.full(len(HARD), 1.5), HARD)
    before = native_threads.helped()
    for _ in range(20):
        few(A[:50], X0[:50])
        none(np.full(len(HARD), 1.5), HARD)
    assert native_threads.helped() == before


def test_many_callers_at_once():
    f, g = gs.jit(gs.vmap(root), parallel=True), gs.jit(gs.vmap(climb, in_axes=(None, 0)), parallel=True)
    inputs = [(A * k, X0) for k in range(1, 9)]
    wanted = [(f(*args), g(0.1, args[1])) for args in inputs]

    def call(k):
        for _ in range(60):
            same(f(*inputs[k]), wanted[k][0])
            same(g(0.1, X0), wanted[k][1])

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        list(pool.map(call, range(8)))


SCRIPT = """
import os, sys, time
import numpy as np
import gradscribe as gs
from gradscribe.runtime.native import threads as native_threads
from tests.devices.test_parallel import A, HARD, X0, climb, prefix, raised, root, same, until_helped

def loop(choice):
    f = gs.jit(gs.vmap(root), parallel=choice)
    return lambda: f(np.full(len(HARD), 1.5), HARD)
"""


def python(script, **environment):
    """What a process prints that runs this script."""
    folder = str(ROOT)
    done = subprocess.run([sys.executable, "-c", SCRIPT + textwrap.dedent(script)], cwd=folder, capture_output=True,
                          text=True, timeout=300, env=os.environ | {"PYTHONPATH": folder} | environment)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.mark.heavy(one_in=5)
@several_cores
@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_in_a_forked_process():
    """Also one that is forked while another thread is in a loop."""
    assert python("""
        import threading
        call = loop(True)
        want = call()
        assert until_helped(call)
        done = threading.Event()
        busy = threading.Thread(target=lambda: [call() for _ in iter(done.is_set, True)])
        busy.start()
        for _ in range(5):
            child = os.fork()
            if child == 0:
                same(call(), want)
                os._exit(0 if until_helped(call) else 1)
            assert os.waitpid(child, 0)[1] == 0
        done.set(); busy.join()
        same(call(), want)
        print("right")
    """) == ["right"]


@pytest.mark.heavy(one_in=21)
@several_cores
def test_from_the_cache_on_disk(tmp_path):
    """A second process compiles nothing, starts threads, and raises the same."""
    script = """
        from numba.core import event
        x, n = np.ones((100, 30)), np.full(100, 3)
        n[50], n[70] = 31, 32
        with event.install_recorder("numba:compile") as recorder:
            call = loop(True)
            want = call()
            print(raised(gs.jit(gs.vmap(prefix), parallel=True), x, n)[1].replace(" ", "_"))
        assert until_helped(call)
        print(len(recorder.buffer) > 0, repr(float(np.sum(want))))
    """
    first, second = (python(script, GRADSCRIBE_CACHE_DIR=str(tmp_path)) for _ in range(2))
    assert first[1] == "True" and second[1] == "False" and first[::2] == second[::2]


@pytest.mark.heavy(one_in=68)
@several_cores
@pytest.mark.parametrize("limit", ["variable", "affinity", "affinity, later"])
def test_one_thread_where_there_may_be_no_more(limit):
    if limit != "variable" and not hasattr(os, "sched_setaffinity"):
        pytest.skip("the system does not bind processes to cores")
    bind = "os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})\n"
    script = "call = loop(True); call(); before = native_threads.helped()\n" + bind * (limit == "affinity, later") + \
        "for _ in range(20): call()\ntime.sleep(0.1); print(native_threads.helped() - before)"
    environment = {"GRADSCRIBE_THREADS": "1"} if limit == "variable" else {}
    if limit == "affinity":
        script = ("import subprocess\n" + bind + f"print(subprocess.run([sys.executable, '-c', {SCRIPT + script!r}], "
                  "capture_output=True, text=True).stdout)")
    assert python(script, **environment) == ["0"]


@pytest.mark.heavy(one_in=5)
def test_nothing_leaks_that_does_not_leak_in_one_thread():
    """Arrays that iterations allocate, and exceptions that others come before.
    (numba keeps its arguments when a function raises.)"""
    alone, shared = python("""
        from numba.core.runtime import rtsys
        x, n = np.ones((2000, 30)), np.full(2000, 31)
        for choice in (False, True):
            f, g = gs.jit(gs.vmap(climb, in_axes=(None, 0)), parallel=choice), gs.jit(gs.vmap(prefix), parallel=choice)
            before = rtsys.get_allocation_stats()
            for _ in range(2000):
                f(0.1, X0)
                try:
                    g(x, n)
                except IndexError:
                    pass
            time.sleep(0.1)
            after = rtsys.get_allocation_stats()
            assert after.free - before.free > 2000
            print((after.alloc - before.alloc) - (after.free - before.free))
    """, NUMBA_NRT_STATS="1")
    assert alone == shared
