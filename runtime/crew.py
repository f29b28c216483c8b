"""Threads that stand by, one for each device of a `pmap`, and what they share while they run a program together."""
from __future__ import annotations

import contextlib
import os
import threading
import traceback
from queue import SimpleQueue
from typing import Any, Callable

import numpy as np

from . import collectives as rc
from . import jobs

LARGE = 1 << 18  # bytes of a result from which on it pays that devices copy theirs at once
LOOKS = 20_000  # at a word before a thread sleeps: some 40 us
INTERRUPTED = -1  # in the word STOP; else the number of the device that has stopped, plus 1
here = threading.local()  # .axis: that of the device whose program this thread runs


def own_axis() -> np.ndarray:
    return here.axis


@contextlib.contextmanager
def standing_for(count: int, device: int = 0):
    """Meanwhile this thread has the axis of a device among so many, to write its program, not to run it."""
    before = getattr(here, "axis", None)
    here.axis = np.zeros((count, 2), np.int64)
    here.axis[0, rc.RANK] = device
    try:
        yield
    finally:
        here.axis = before


@contextlib.contextmanager
def alone():
    """The axis of one device without others, which meets itself; this thread has it meanwhile."""
    words = np.zeros(rc.DEVICES + rc.WIDTH, np.int64)
    words[[rc.LOCAL, rc.ALL, rc.PARTS]] = 1
    with standing_for(1):
        here.axis = np.array([[0, words.ctypes.data]])
        yield here.axis


class Crew:
    """`count` threads.  Of `total` devices of the job, these are the ones from `first` on."""

    def __init__(self, count: int, first: int, total: int):
        from .native_collectives import reached  # with numba, which is not imported sooner
        self.words = np.zeros(rc.DEVICES + rc.WIDTH * total, np.int64)
        self.words[[rc.LOCAL, rc.FIRST, rc.ALL, rc.PARTS]] = count, first, total, 1
        self.word = memoryview(self.words)  # the same, as Python's ints: much faster than elements of an array
        self.address, self.cores, self.reached = self.words.ctypes.data, cores(), reached
        self.first, self.busy, self.lock, self.gone = first, threading.Lock(), threading.Lock(), False
        self.exchange = jobs.Exchange(self.words, count) if total > count else None
        self.mail = [SimpleQueue() for _ in range(count)]
        self.done: SimpleQueue = SimpleQueue()
        self.outcomes: list[Any] = []
        for k in range(count):
            axis = np.zeros((total, 2), np.int64)
            axis[0] = first + k, self.words.ctypes.data
            threading.Thread(target=serve, args=(self, k, axis), daemon=True, name=f"device {first + k}").start()

    def run(self, tasks: list[Callable[[], Any]]) -> list:
        """What each of the tasks, one a device, gives.  Raises what the first to stop has raised."""
        with self.busy:
            if self.gone:  # while this call waited
                return crew_of(len(tasks)).run(tasks)
            self.word[rc.STOP] = self.word[rc.ARRIVED] = self.word[rc.ENDED] = 0
            self.outcomes = [None] * len(tasks)
            for mail, task in zip(self.mail, tasks):
                mail.put(task)
            self.word[rc.POSTED] += 1
            try:
                if self.cores > len(tasks):
                    self.wait(rc.ENDED, len(tasks))
                self.done.get()
            except BaseException:  # a keyboard interrupt: devices stop where they meet next, and the threads end
                if self.exchange is not None:
                    traceback.print_exc()
                    jobs.abort()
                self.word[rc.STOP] = INTERRUPTED
                self.dismiss()
                raise
            outcomes, self.outcomes = self.outcomes, []
            first = self.word[rc.STOP]
            error = outcomes[first - 1 - self.first][1] if first else None
            if self.exchange is not None:
                error = self.of_job(error)
        if error is not None:
            raise error
        return [value for value, _ in outcomes]

    def wait(self, word: int, count: int) -> None:
        """Look for a while whether a word has come so far; where others need the core, not at all."""
        if self.cores >= len(self.mail):
            self.reached(self.address + 8 * word, count, LOOKS)

    def of_job(self, error: BaseException | None) -> BaseException | None:
        """What the call raises here, once all processes of the job have ended it."""
        failed = jobs.end(None if error is None else f"{type(error).__name__}: {error}")
        others = [(k, text) for k, text in enumerate(failed) if text is not None and not text.startswith("Stopped")]
        if others and (error is None or isinstance(error, rc.Stopped)):
            return jobs.OutOfStep(f"process {others[0][0]} of the job has stopped: {others[0][1]}")
        return error

    def ended(self, k: int, value, error: BaseException | None) -> None:
        with self.lock:
            self.outcomes[k] = value, error
            if error is not None and self.word[rc.STOP] == 0:
                self.word[rc.STOP] = self.first + k + 1
            self.word[rc.ENDED] += 1
            last = self.word[rc.ENDED] == len(self.mail)
        if last:
            self.done.put(None)

    def dismiss(self) -> None:
        self.gone = True
        for mail in self.mail:
            mail.put(None)
        crews.pop(len(self.mail), None)


def serve(crew: Crew, k: int, axis: np.ndarray) -> None:
    """The life of a device's thread."""
    here.axis = axis
    course = rc.DEVICES + rc.WIDTH * (crew.first + k) + rc.COURSE
    posted = 0
    while True:
        posted += 1
        crew.wait(rc.POSTED, posted)
        if (task := crew.mail[k].get()) is None:
            return
        value = error = None
        crew.word[course] = 0
        try:
            value = task()
        except BaseException as raised:  # the caller is to have it
            error = raised
        del task
        crew.ended(k, value, error)
        del value, error


class Shelf:
    """Large results of one call, in one array for all devices: each copies its own while the others do, or compute."""

    def __init__(self, count: int):
        self.count, self.lock = count, threading.Lock()
        self.arrays: dict[int, np.ndarray] = {}

    def run(self, device: int, task: Callable[[], Any]):
        """What the task of a device gives; what is large in it lies on the shelf."""
        result = task()
        if type(result) in (tuple, list):
            return type(result)([self.row(device, k, x) for k, x in enumerate(result)])
        if type(result) is dict:
            return {key: self.row(device, k, x) for k, (key, x) in enumerate(result.items())}
        return self.row(device, 0, result)

    def row(self, device: int, number: int, x):
        if type(x) is not np.ndarray or x.nbytes < LARGE:
            return x
        with self.lock:
            if number not in self.arrays:
                self.arrays[number] = np.empty((self.count, *x.shape), x.dtype)
            array = self.arrays[number]
        if array.shape[1:] != x.shape or array.dtype != x.dtype:
            return x
        array[device] = x
        return array[device]

    def stacked(self, rows: list, axis: int) -> np.ndarray:
        """The rows, one a device, in one array along an axis."""
        whole = self.whole(rows) if axis == 0 else None
        return np.stack(rows, axis) if whole is None else whole

    def whole(self, rows: list) -> np.ndarray | None:
        """The array that these are the rows of, one a device; None where it is not on the shelf."""
        array = getattr(rows[0], "base", None)
        here = any([array is a for a in self.arrays.values()])
        return array if here and all([row.base is array for row in rows]) else None


crews: dict[int, Crew] = {}
making = threading.Lock()


def crew_of(count: int) -> Crew:
    """The threads for so many devices of this process."""
    with making:
        if count not in crews:
            crews[count] = Crew(count, jobs.index() * count, jobs.count() * count)
        return crews[count]


def local_count() -> int:
    """How many devices this process has: $GRADSCRIBE_DEVICES, else one in a job of several processes, and in a process
    that is alone one for each core that it may use."""
    wanted = os.environ.get("GRADSCRIBE_DEVICES", "")
    if wanted:
        if not wanted.isdecimal() or int(wanted) == 0:
            raise ValueError(f"GRADSCRIBE_DEVICES={wanted!r}: it is how many devices gs.pmap has, from 1 on")
        return int(wanted)
    if jobs.count() > 1:
        return 1
    return cores()


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def forked() -> None:
    crews.clear()  # the parent's threads are not here
    making.release()


if hasattr(os, "register_at_fork"):  # a child would have the lock that another thread holds
    os.register_at_fork(before=making.acquire, after_in_parent=making.release, after_in_child=forked)
