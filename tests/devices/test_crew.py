"""The threads of pmap: what they leave behind, what a device that fails does to the others,
and that a keyboard interrupt ends all."""

import importlib
import os
import signal
import threading
import time

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.runtime.plain import collectives as rc
from tests.support.held import held_after

outline = importlib.import_module("gradscribe.transformer.optimise.outline")
psum = gs.pmap(lambda x: gs.lax.psum(x, "i"), axis_name="i")


@pytest.fixture(autouse=True)
def eight(monkeypatch):
    monkeypatch.setenv("GRADSCRIBE_DEVICES", "8")


@pytest.mark.heavy(one_in=9)
@pytest.mark.skipif(not os.path.exists("/proc/self/statm"),
                    reason="only Linux says in /proc how much memory a process has")
def test_ten_thousand_calls_leave_nothing():
    x = np.ones((2, 1000))
    before = held_after(500, lambda: psum(x))
    after = held_after(10_000, lambda: psum(x))
    assert after[1:] == before[1:]
    assert after[0] - before[0] < 1e6, f"{(after[0] - before[0]) / 1e6} MB"


@pytest.mark.heavy(one_in=8)
@pytest.mark.parametrize("count", [1, 2, 3, 8])
def test_the_order_of_a_sum_is_that_of_the_devices(count):
    """Whoever comes first: 50 calls give the same bits, those of a loop."""
    x = np.random.default_rng(0).normal(size=(count, 777)) * 10.0 ** np.arange(count)[:, None]
    expected = x[0].copy()
    for row in x[1:]:
        expected += row
    for _ in range(50):
        for row in psum(x):
            np.testing.assert_array_equal(row, expected)


@pytest.mark.heavy(one_in=2)
def test_a_device_that_raises_ends_the_others():
    def f(x):
        if x[0] == 2.0:
            raise ValueError("two is too much")
        for _ in range(1000):
            x = gs.lax.psum(x, "i") / 4.0
        return x

    made, x = gs.pmap(f, axis_name="i"), np.ones((4, 1))
    made(x)
    x[2] = 2.0
    seconds = []
    while len(seconds) < 50 and min(seconds, default=1.0) >= 0.01:  # others may have the cores
        start = time.monotonic()
        with pytest.raises(ValueError, match="two is too much") as caught:
            made(x)
        seconds.append(time.monotonic() - start)
        assert "on device 2" in caught.value.__notes__
    assert min(seconds) < 0.01 and max(seconds) < 2.0, seconds
    np.testing.assert_array_equal(made(np.ones((4, 1))), np.ones((4, 1)))


@pytest.mark.heavy(one_in=9)
def test_devices_that_do_not_meet():
    def leaves(x):
        return gs.lax.psum(x, "i") if x[0] > 0.0 else x

    def elsewhere(x):
        return gs.lax.psum(x, "i") if x[0] > 0.0 else gs.lax.pmax(x, "i")

    def longer(x):
        n = 0
        while n < x[0]:
            n += 1
        return gs.lax.psum(x[:n], "i")[0]

    for f, rows in (leaves, [[1.0], [-1.0]]), (elsewhere, [[1.0], [-1.0]]), (longer, [[1.0, 1.0], [2.0, 2.0]]):
        with pytest.raises(gs.errors.OutOfStep, match="a device has ended|devices meet at different"):
            gs.pmap(f, axis_name="i")(np.array(rows))
    np.testing.assert_array_equal(psum(np.ones((2, 1))), [[2.0], [2.0]])


def devices():
    """How many threads stand by for devices."""
    return sum(thread.name.startswith("device ") for thread in threading.enumerate())


def threads_become(count):
    """Are there so many, once they have ended where they meet next?  Those of other tests may end meanwhile."""
    for _ in range(1000):
        if devices() <= count:
            return True
        time.sleep(0.01)
    return False


def test_a_keyboard_interrupt_ends_all():
    def forever(x):
        while x[0] > 0.0:
            x = gs.lax.psum(x, "i") / 2.0
        return x

    made = gs.pmap(forever, axis_name="i")
    made(np.zeros((2, 1)))
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # as in the background of a shell
        signal.signal(signal.SIGINT, signal.default_int_handler)
    before = devices()
    threading.Timer(0.3, os.kill, [os.getpid(), signal.SIGINT]).start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        made(np.ones((2, 1)))
    assert time.monotonic() - start < 2.0
    assert threads_become(before - 1)
    np.testing.assert_array_equal(psum(np.ones((2, 1))), [[2.0], [2.0]])


@pytest.mark.heavy(one_in=3)
@pytest.mark.parametrize("count", [1, 2, 3])
def test_what_a_signal_is_answered_with_ends_all(count):
    """An exception of the user's own, in the thread that calls, which is a device: it is in compiled code,
    and meets or waits."""
    def answer(number, frame):
        raise TimeoutError("too long")

    def forever(x):
        while x[0] > 0.0:
            x = gs.lax.psum(x, "i") / gs.lax.psum(1.0, "i")
        return x

    made = gs.pmap(forever, axis_name="i")
    made(np.zeros((count, 1)))
    before = signal.signal(signal.SIGALRM, answer)
    try:
        start = time.monotonic()
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(TimeoutError, match="too long"):
            made(np.ones((count, 1)))
        assert time.monotonic() - start < 2.3
    finally:
        signal.signal(signal.SIGALRM, before)
    np.testing.assert_array_equal(psum(np.ones((count, 1))), np.full((count, 1), float(count)))


@pytest.mark.heavy(one_in=3)
def test_the_first_device_does_not_wait_for_one_that_is_late():
    def one_is_late(x, n):
        k = 0.0
        while k < n:
            k = k + 1.0 + 0.5 * np.sin(k)
        return gs.lax.psum(x + k, "i")

    made, x = gs.pmap(one_is_late, axis_name="i"), np.ones((2, 1))
    made(x, np.zeros(2))
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    before = devices()
    threading.Timer(0.3, os.kill, [os.getpid(), signal.SIGINT]).start()
    with pytest.raises(KeyboardInterrupt):
        made(x, np.array([0.0, 5e7]))  # some 2 s
    assert devices() >= before, "the other has not come yet"
    assert threads_become(before - 1)
    np.testing.assert_array_equal(psum(x), [[2.0], [2.0]])


def words_of_two():
    """Two devices' axes, and the words that they share, of which the caller has been interrupted."""
    words = np.zeros(rc.DEVICES + 2 * rc.WIDTH, np.int64)
    words[[rc.LOCAL, rc.ALL, rc.PARTS, rc.STOP]] = 2, 2, 1, rc.INTERRUPTED
    return [np.array([[k, words.ctypes.data], [0, 0]]) for k in range(2)], words


def test_a_signal_takes_no_memory_away_that_another_device_reads(monkeypatch):
    monkeypatch.setattr(rc, "PAUSES", 8)
    (first, second), words = words_of_two()
    assert rc.meet(first, False) == rc.STOPPED and words[rc.ARRIVED] == 0, "nobody has come who could read"
    found = []
    waiting = threading.Thread(target=lambda: found.append(rc.meet(first, True)))
    waiting.start()
    waiting.join(0.3)
    assert not found and words[rc.ARRIVED] == 1
    found.append(rc.meet(second, True))
    waiting.join(2.0)
    assert found == [rc.STOPPED] * 2


def test_who_leaves_a_meeting_takes_nobody_from_the_next(monkeypatch):
    """The others meet, and come to the next meeting, between two looks of the first device."""
    monkeypatch.setattr(rc, "PAUSES", 1)
    (first, _), words = words_of_two()

    def late(address, before, after, swapped=rc.swapped):
        words[rc.ROUND], words[rc.OUTCOME] = 1, 0  # and in ARRIVED one is counted, of the other device
        return swapped(address, before, after)

    monkeypatch.setattr(rc, "swapped", late)
    assert rc.meet(first, False) == 0 and words[rc.ARRIVED] == 1


def test_threads_may_call_at_once():
    x, found = np.ones((2, 100)), []
    callers = [threading.Thread(target=lambda: found.extend(psum(x)[0, 0] for _ in range(50))) for _ in range(4)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join(30.0)
    assert found == [2.0] * 200


def test_a_child_of_a_fork_has_threads_of_its_own():
    psum(np.ones((2, 1)))
    child = os.fork()
    if child == 0:
        os._exit(0 if psum(np.ones((2, 1)))[0, 0] == 2.0 else 1)
    assert os.waitpid(child, 0)[1] == 0


@pytest.mark.heavy(one_in=3)
def test_collectives_at_two_places_are_not_one():
    """Of one kind and size: each device would take what another has computed elsewhere for its own."""
    def f(x):
        if x > 1.5:
            return gs.lax.psum(x * 2.0, "i")
        return gs.lax.psum(x, "i")

    with pytest.raises(gs.errors.OutOfStep, match="devices meet at different collectives"):
        gs.pmap(f, axis_name="i")(np.arange(4.0))


def in_the_inner_loop(n):
    t = 0.0
    for k in range(2):
        for j in range(n[k]):
            t = t + (k + 1) * gs.lax.psum(1.0 * (10 * k + j), "i")
    return t


def in_an_inner_while(n):
    t, k = 0.0, 0
    while True:
        j = 0
        while j < n[k]:
            j = j + 1
            if j == 7:
                continue
            t = t + gs.lax.psum(1.0 * (10 * k + j), "i")
        k = k + 1
        if k == 2:
            break
    return t


def in_a_round(n):
    t = 0.0
    for k in range(4):
        if k == n[0]:
            t = t + gs.lax.psum(1.0 * k, "i")
    return t


def before_a_break(n):
    t = 0.0
    for k in range(4):
        if k < n[0]:
            continue
        t = t + gs.lax.psum(1.0 * k, "i")
        if k > n[0]:
            break
    return t


@pytest.mark.heavy(one_in=5)
@pytest.mark.parametrize("f", [in_the_inner_loop, in_an_inner_while, in_a_round, before_a_break])
def test_rounds_of_a_loop_are_not_one_collective(f):
    """Both devices come to it as often, one of them in other rounds."""
    made = gs.pmap(f, axis_name="i")
    with pytest.raises(gs.errors.OutOfStep, match="in different rounds of a loop"):
        made(np.array([[2, 1], [1, 2]]))
    alone = gs.pmap(f, axis_name="i")(np.array([[2, 1]]))[0]
    np.testing.assert_array_equal(made(np.array([[2, 1], [2, 1]])), [2.0 * alone] * 2)


@pytest.mark.heavy(one_in=2)
def test_calls_of_a_function_are_not_one_collective(monkeypatch):
    """What a program repeats is compiled once, and called from several places."""
    for name, value in ("LARGE", 1), ("CALL", 0.0):
        monkeypatch.setattr(outline, name, value)
    monkeypatch.setattr(outline.Outliner, "least", 2)
    monkeypatch.setattr(outline.Outliner, "worth", 1)

    def part(x):
        y = np.sin(np.cos(x) * np.exp(x))
        if x[0] > 1.5:
            y = gs.lax.psum(y, "i")
        return np.sin(y) / x

    made, x = gs.pmap(lambda x: part(x[0]) + part(x[1]), axis_name="i"), np.ones((2, 2, 3))
    assert made.source(x, stage="compiled").count("= part(") == 2
    np.testing.assert_array_equal(made(x)[0], made(x)[1])
    x[0, 0] = x[1, 1] = 2.0
    with pytest.raises(gs.errors.OutOfStep, match="devices meet at different collectives"):
        made(x)


def on_two_lines(x, y, n):
    if n == 1:
        return gs.lax.psum(2.0 * x + y, "i")
    return gs.lax.psum(x + y, "i")


def in_two_calls(x, y, n):
    def part(v):
        return gs.lax.psum(v, "i")

    return part(2.0 * x + y) if n == 1 else part(x + y)


def in_two_rounds(x, y, n):
    for k in [1, 3]:
        if n == k:
            return gs.lax.psum(k * x + y, "i")


def of_two_leaves(x, y, n):
    twice, once = gs.lax.psum((2.0 * x + y, x + y), "i")
    return twice if n == 1 else once


def of_one(x, y, n):
    return gs.lax.psum(2.0 * x + y, "i")


@pytest.mark.heavy(one_in=10)
@pytest.mark.parametrize("f, results", [(on_two_lines, None), (in_two_calls, None), (in_two_rounds, None),
                                        (of_two_leaves, [13.0, 24.0]), (of_one, [24.0, 24.0])])
def test_devices_may_run_different_programs(f, results):
    """One length is 1 on a device, so that its program knows the course of what asks for it."""
    made = gs.pmap(lambda x, n: f(x, (np.zeros(n) + np.ones(3))[0], n), axis_name="i")
    for n in [3, 1], [1, 3]:
        if results is None:
            with pytest.raises(gs.errors.OutOfStep, match="devices meet at different collectives"):
                made(np.array([1.0, 10.0]), np.array(n))
        else:
            assert made(np.array([1.0, 10.0]), np.array(n)).tolist() == results[::n[0] - 2]


@pytest.mark.parametrize("item", [1, 4, 8, 16])
@pytest.mark.parametrize("count, parts", [(0, 2), (1, 3), (100, 7), (10_007, 4)])
def test_parts_of_an_operand_begin_at_elements(item, count, parts):
    starts = [rc.start_of(k, parts, count * item) for k in range(parts + 1)]
    assert (starts == sorted(starts) and starts[0] == 0 and starts[-1] == count * item
            and all(s % item == 0 for s in starts))
