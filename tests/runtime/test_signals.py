"""A keyboard interrupt ends compiled code within a second, wherever it loops;
and a handler that raises nothing is run meanwhile."""
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from numba.core.registry import cpu_target

import gradscribe as gs
from gradscribe.runtime.native import threads
from tests.support.imports import ROOT

FOREVER = 10**15


def nested(x, n):
    s = 0.0
    for t in range(n):
        for i in range(len(x)):
            s = s + np.sin(x[i]) * t
    return s


def recurrence(x, n):
    s = x[0]
    for _ in range(n):
        s = 3.7 * s * (1.0 - s)
    return s


def search(x, n):
    s, k = x[0], 0
    while k < n:
        s = s + np.cos(s)
        k += 1
    return s


def of_arrays(x, n):
    for _ in range(n):
        x = x * 0.999 + np.roll(x, 1) * 0.001
    return np.sum(x)


def of_products(x, n):
    a = np.outer(x, x)
    for _ in range(n):
        a = a @ a
        a = a / np.max(a)
    return np.sum(a)


def with_checks(x, n):
    count = np.zeros(4)
    for k in range(n):
        count[k % (3 + int(x[0]))] += 1.0
    return count[0]


def in_a_function(x, n):
    def newton(a):
        y, k = a, 0
        while k < n:
            y = 0.5 * (y + a / y)
            k += 1
        return y
    return newton(x[0] + 1.0) + newton(x[1] + 2.0)


def of_a_few_long_ones(x, n):
    s = 0.0
    for i in range(5):
        a = x[i]
        for _ in range(n):
            a = 3.7 * a * (1.0 - a)
        s += a
    return s


def in_others_alone(x, n):
    """The main thread has its rounds done, and waits for those of another one."""
    s = 0.0
    for i in range(len(x)):
        a = x[i]
        for _ in range(n if i > 90 else 1000):
            a = 3.7 * a * (1.0 - a)
        s += a
    return s


def of_numbers(x, n):
    """No array ends it, and LLVM makes vectors of it."""
    s = 0.0
    for k in range(1, n):
        s += x[0] / (k * k)
    return s


PROGRAMS = [of_numbers, nested, recurrence, search, of_arrays, of_products, with_checks, in_a_function,
            of_a_few_long_ones, in_others_alone]


@pytest.fixture
def alarm():
    """Calls a handler after so many seconds, and then each second, until the test is over."""
    before = signal.getsignal(signal.SIGALRM)

    def set_alarm(handler, seconds, again=1.0):
        signal.signal(signal.SIGALRM, handler)
        signal.setitimer(signal.ITIMER_REAL, seconds, again)
    yield set_alarm
    signal.setitimer(signal.ITIMER_REAL, 0.0)
    signal.signal(signal.SIGALRM, before)


def seconds_until_it_ends(alarm, call) -> float:
    """How long after a keyboard interrupt a call ends."""
    alarm(signal.default_int_handler, 0.2)
    begun = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        call()
    alarm(signal.default_int_handler, 0.0)
    return time.perf_counter() - begun - 0.2


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("f", PROGRAMS)
def test_a_loop_ends(f, alarm):
    run, x = gs.jit(f), np.full(100, 0.3)
    run(x, 3)
    run(x, 10**5)  # much work has a program of its own
    assert seconds_until_it_ends(alarm, lambda: run(x, FOREVER)) < 1.0
    assert run(x, 3) == pytest.approx(f(x, 3), rel=1e-12)


@pytest.mark.skipif(threads.counters[threads.ALLOWED] < 2, reason="there is one core: nothing to share")
def test_other_threads_end_and_what_is_raised_meanwhile_is_raised(alarm):
    """The main thread waits for a round of another one, which raises nothing after all."""
    def work(x, n):
        s = np.zeros(len(x))
        for i in range(len(x)):
            for _ in range(n if i > 90 else 1000):
                s[i] = np.sin(s[i] + x[i])
        return s

    run, x = gs.jit(work), np.full(100, 0.3)
    run(x, 10**5)
    before = threads.helped()
    for _ in range(5):
        assert seconds_until_it_ends(alarm, lambda: run(x, 10**10)) < 1.0
    assert threads.helped() > before
    alarm(signal.default_int_handler, 0.05)
    with pytest.raises(KeyboardInterrupt):
        while True:
            run(x, 10**6)
    np.testing.assert_allclose(run(x, 3), work(x, 3), rtol=1e-12)


def test_what_is_compiled_is_not_lost(monkeypatch, tmp_path, alarm):
    """A signal comes while LLVM makes machine code: what its handler raises is raised when that is made, and the next
    call finds it."""
    engine = cpu_target.target_context.codegen()._engine._ee
    heard, hand_over = [], engine._object_cache_notify

    def interrupted(*made):
        if not heard:
            heard.append(signal.raise_signal(signal.SIGALRM))
        return hand_over(*made)

    monkeypatch.setattr(engine, "_object_cache_notify", interrupted)
    monkeypatch.setenv("GRADSCRIBE_CACHE_DIR", str(tmp_path))  # where nothing is yet
    alarm(signal.default_int_handler, 1000.0)
    run, x = gs.jit(lambda x: np.sum(x * 0.123456789)), np.arange(3.0)
    with pytest.raises(KeyboardInterrupt):
        run(x)
    assert heard and run(x) == pytest.approx(3.0 * 0.123456789)


def test_a_gradient_ends(alarm):
    slope, x = gs.jit(gs.grad(search)), np.full(2, 0.3)
    slope(x, 3)
    assert seconds_until_it_ends(alarm, lambda: slope(x, 10**9)) < 1.0


def test_handlers_run_meanwhile_and_raise_what_they_raise(alarm):
    run, x, heard = gs.jit(recurrence), np.full(2, 0.3), []
    run(x, 3)
    alarm(lambda *_: heard.append(time.perf_counter()), 0.05, 0.05)
    assert run(x, 2 * 10**8) == run(x, 2 * 10**8) and len(heard) > 3

    def stop(*_):
        raise LookupError("enough")
    alarm(stop, 0.05)
    with pytest.raises(LookupError, match="enough"):
        run(x, FOREVER)


def test_another_thread_is_not_asked(alarm):
    """Python runs handlers in the main thread, which waits here."""
    run, x, found, done = gs.jit(recurrence), np.full(2, 0.3), [], threading.Event()
    run(x, 3)

    def work():
        found.append(run(x, 3 * 10**8))
        done.set()
    threading.Thread(target=work).start()
    alarm(signal.default_int_handler, 0.05)
    with pytest.raises(KeyboardInterrupt):
        done.wait(60.0)
    alarm(signal.default_int_handler, 0.0)
    assert done.wait(60.0) and len(found) == 1


@pytest.mark.heavy(one_in=5)
def test_what_it_took_is_given_back():
    """Arrays of the loop that was left."""
    text = '''
import os, resource, signal, sys, threading
import numpy as np
sys.path.insert(0, sys.argv[1])
import gradscribe as gs
from tests.runtime.test_signals import of_products
signal.signal(signal.SIGINT, signal.default_int_handler)
run, x = gs.jit(of_products), np.full(1000, 0.3)
run(x, 1)
for k in range(12):
    threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
    try:
        run(x, 10**15)
    except KeyboardInterrupt:
        pass
    if k == 3:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
'''
    ran = subprocess.run([sys.executable, "-c", text, ROOT], capture_output=True, text=True, check=True)
    assert int(ran.stdout) < 30, "8 MB were lost each time"
