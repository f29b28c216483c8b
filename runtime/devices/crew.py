"""Threads that stand by for the devices of a `pmap`, and what they share while they run a program together.

The first device is the thread that calls.  What a call of small arrays takes is waiting: for threads that sleep, and
for the interpreter's lock, at which they sleep as well.  So threads look at a word for a while before they sleep, and
let go of the lock before they tell another one that it is its turn.
"""
from __future__ import annotations

import contextlib
import ctypes
import math
import os
import threading
import traceback
from queue import SimpleQueue
from typing import Any, Callable

import numpy as np

from ..plain import collectives as rc
from ..plain.collectives import here, own_axis  # noqa: F401  others ask for it here
from . import jobs

LARGE = 1 << 18  # bytes of a result from which on it pays that devices copy theirs at once
LOOKS = 20_000  # at a word before a thread sleeps: some 40 us
START = 5_000  # for the others to begin, before the caller does


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
    words, room = np.zeros(rc.DEVICES + rc.WIDTH, np.int64), np.zeros(rc.ROOMS, np.uint8)
    words[[rc.LOCAL, rc.ALL, rc.PARTS]] = 1
    words[rc.DEVICES + rc.ROOM] = room.ctypes.data
    with standing_for(1):
        here.axis = np.array([[0, words.ctypes.data]])
        yield here.axis


class Crew:
    """The threads of `count` devices, without that of the first.  Of `total` devices of the job, these are the ones
    from `first` on."""

    def __init__(self, count: int, first: int, total: int):
        from ..native.collectives import waited  # with numba, which is not imported sooner
        self.words = np.zeros(rc.DEVICES + rc.WIDTH * total, np.int64)
        self.words[[rc.LOCAL, rc.FIRST, rc.ALL, rc.PARTS]] = count, first, total, 1
        self.word = memoryview(self.words)  # the same, as Python's ints: much faster than elements of an array
        self.address, self.waited, self.count, self.first = self.words.ctypes.data, waited, count, first
        self.looks = LOOKS if cores() >= count else 0  # where others need the core, none
        self.busy, self.gone = threading.Lock(), False
        self.exchange = jobs.Exchange(self.words, count) if total > count else None
        self.axes = np.zeros((count, total, 2), np.int64)
        self.axes[:, 0, rc.RANK], self.axes[:, 0, rc.SHARED] = np.arange(first, first + count), self.address
        self.rooms = np.zeros((count, rc.ROOMS), np.uint8)
        for k, room in enumerate(self.rooms, first):
            self.words[rc.DEVICES + rc.WIDTH * k + rc.ROOM] = room.ctypes.data
        self.stopping = threading.Lock()
        self.mail = [SimpleQueue() for _ in range(1, count)]
        self.done: SimpleQueue = SimpleQueue()
        for k in range(1, count):
            threading.Thread(target=serve, args=(self, k), daemon=True, name=f"device {first + k}").start()

    def run(self, tasks: list[Callable[[], Any]]) -> list:
        """What each of the tasks, one a device, gives.  Raises what the first to stop has raised."""
        with self.busy:
            if self.gone:  # while this call waited
                return crew_of(len(tasks)).run(tasks)
            self.word[rc.STOP] = self.word[rc.ARRIVED] = self.word[rc.ENDED] = 0
            try:
                outcomes = self.outcomes(tasks)
            except BaseException:  # a keyboard interrupt: devices stop where they meet next, and the threads end
                if self.exchange is not None:
                    traceback.print_exc()
                    jobs.abort()
                self.word[rc.STOP] = rc.INTERRUPTED
                self.dismiss()
                raise
            first = self.word[rc.STOP]
            error = outcomes[first - 1 - self.first][1] if first else None
            if self.exchange is not None:
                error = self.of_job(error)
        if error is not None:
            raise error
        return [value for value, _ in outcomes]

    def outcomes(self, tasks: list) -> list:
        """(value, exception) of each device."""
        others, is_main = self.count - 1, threading.get_ident() == threading.main_thread().ident
        self.word[rc.LOOK] = rc.clock() + rc.PERIOD if is_main else rc.NEVER  # Python answers signals there alone
        for mail, task in zip(self.mail, tasks[1:]):
            mail.put(task)
        if others:
            self.tell(rc.POSTED, rc.ENDED, others, min(self.looks, START), rc.ARRIVED)
        try:
            outcomes = {0: self.attempt(0, tasks[0])}
            if self.word[rc.STOP] == rc.INTERRUPTED:
                ctypes.pythonapi.PyErr_Restore(*[ctypes.c_void_p(self.word[rc.RAISED + k]) for k in range(3)])
        finally:  # those who wait for it learn that it does not come
            self.tell(rc.ENDED, rc.ENDED, self.count, self.looks)
        outcomes |= [self.done.get() for _ in range(others)]
        while self.word[rc.ENDED] < self.count:  # some have put what they found, and are about to wait
            self.tell(rc.SCRATCH, rc.ENDED, self.count, LOOKS)
        return [outcomes[k] for k in range(self.count)]

    def attempt(self, k: int, task: Callable[[], Any]) -> tuple[Any, BaseException | None]:
        """What the task of a device gives, and what it raises, in this thread."""
        before = getattr(here, "axis", None)
        here.axis, here.begun = self.axes[k], False
        own = rc.DEVICES + rc.WIDTH * (self.first + k)
        self.word[own + rc.COURSE] = self.word[own + rc.FILLED] = 0
        try:
            return task(), None
        except BaseException as raised:  # the caller is to have it
            of_caller = k == 0 and not isinstance(raised, Exception)  # a keyboard interrupt
            with self.stopping:
                if self.word[rc.STOP] == 0:
                    self.word[rc.STOP] = rc.INTERRUPTED if of_caller else self.first + k + 1
            if of_caller:
                raise
            return None, raised
        finally:
            here.axis = before

    def tell(self, own: int, other: int, count: int, looks: int, third: int = rc.NOTHING) -> None:
        """Add to a word, and look whether another one, or two together, have come so far."""
        at = self.address
        self.waited(at + 8 * own, at + 8 * other, at + 8 * third, count, looks)

    def of_job(self, error: BaseException | None) -> BaseException | None:
        """What the call raises here, once all processes of the job have ended it."""
        failed = jobs.end(None if error is None else f"{type(error).__name__}: {error}")
        others = [(k, text) for k, text in enumerate(failed) if text is not None and not text.startswith("Stopped")]
        if others and all(text.startswith("Again") for _, text in others):  # all do, and alike
            return rc.Again(any(text == "Again: True" for _, text in others))
        if others and (error is None or isinstance(error, (rc.Stopped, rc.Again))):
            return jobs.OutOfStep(f"process {others[0][0]} of the job has stopped: {others[0][1]}")
        return error

    def dismiss(self) -> None:
        self.gone = True
        for mail in self.mail:
            mail.put(None)
        crews.pop(self.count, None)


def serve(crew: Crew, k: int) -> None:
    """The life of the thread of a device that is not the first."""
    posted, own = 1, rc.SCRATCH
    while True:
        crew.tell(own, rc.POSTED, posted, crew.looks)
        if (task := crew.mail[k - 1].get()) is None:
            return
        outcome = crew.attempt(k, task)
        del task
        crew.done.put((k, outcome))
        del outcome
        posted, own = posted + 1, rc.ENDED


class Shelf:
    """Large results of one call, in one array for all devices: each writes its own there, or copies it, while the
    others do, or compute."""

    def __init__(self, count: int):
        self.count, self.lock = count, threading.Lock()
        self.arrays: dict[int, np.ndarray] = {}  # in the order in which a device wants them
        self.rows: dict[int, tuple[np.ndarray, int]] = {}  # id -> (a row of a device, the number of its array)

    def run(self, device: int, task: Callable[[], Any]):
        """What the task of a device gives; what is large in it lies on the shelf."""
        before, here.rooms = getattr(here, "rooms", None), Rooms(self, device)
        try:
            result, placed = task(), here.rooms.placed
        finally:
            here.rooms = before
        if type(result) in (tuple, list):
            return type(result)([placed(x) for x in result])
        if type(result) is dict:
            return {key: placed(x) for key, x in result.items()}
        return placed(result)

    def row(self, device: int, number: int, shape: tuple, dtype) -> np.ndarray | None:
        """Room for a result of a device; None where another device has other results."""
        with self.lock:
            if number not in self.arrays:
                self.arrays[number] = np.empty((self.count, *shape), dtype)
            array = self.arrays[number]
            if array.shape[1:] != shape or array.dtype != dtype:
                return None
            row = array[device]
            self.rows[id(row)] = row, number
        return row

    def stacked(self, rows: list, axis: int) -> np.ndarray:
        """The rows, one a device, in one array along an axis."""
        if axis != 0:
            return np.stack(rows, axis)
        numbers = {self.rows[id(row)][1] if id(row) in self.rows else None for row in rows}
        if len(numbers) == 1 and (whole := self.arrays.pop(*numbers, None)) is not None:  # once: the caller's own
            return whole
        whole = np.empty((len(rows), *np.shape(rows[0])), np.result_type(rows[0]))
        for k, row in enumerate(rows):
            whole[k] = row
        return whole


class Rooms:
    """What one device has on a shelf."""

    def __init__(self, shelf: Shelf, device: int):
        self.shelf, self.device, self.number = shelf, device, 0

    def next(self, shape: tuple, dtype) -> np.ndarray | None:
        self.number += 1
        return self.shelf.row(self.device, self.number, shape, np.dtype(dtype))

    def placed(self, x):
        """A result: where it is, or copied to the shelf."""
        if type(x) is not np.ndarray or x.nbytes < LARGE or id(x) in self.shelf.rows:
            return x
        row = self.next(x.shape, x.dtype)
        if row is None:
            return x
        row[...] = x
        return row


def result_memory(shape: int | tuple, dtype=np.float64) -> np.ndarray:
    """Memory for a result that compiled code is about to write."""
    rooms, shape = getattr(here, "rooms", None), shape if type(shape) is tuple else (shape,)
    if rooms is not None and math.prod(shape) * np.dtype(dtype).itemsize >= LARGE:
        row = rooms.next(shape, dtype)
        if row is not None:
            return row
    return np.empty(shape, dtype)


crews: dict[int, Crew] = {}
making = threading.Lock()


def crew_of(count: int) -> Crew:
    """The threads for so many devices of this process."""
    with making:
        if count not in crews:
            crews[count] = Crew(count, jobs.process_index() * count, jobs.process_count() * count)
        return crews[count]


def local_count() -> int:
    """How many devices this process has: $GRADSCRIBE_DEVICES, else one in a job of several processes, and in a process
    that is alone one for each core that it may use."""
    wanted = os.environ.get("GRADSCRIBE_DEVICES", "")
    if wanted:
        if not wanted.isdecimal() or int(wanted) == 0:
            raise ValueError(f"GRADSCRIBE_DEVICES={wanted!r}: it is how many devices gs.pmap has, from 1 on")
        return int(wanted)
    if jobs.process_count() > 1:
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
