"""The processes of an MPI job, each of which has some of the devices of a `pmap`: `mpiexec -n 8 python train.py`.

All processes come to the same exchanges in one order: one at the start of a call, one for each collective, one at its
end, one when the process ends.  Each begins with a header of two numbers, so that a process that is elsewhere is told
from one that is late: what differs is an error everywhere, and nobody waits for who does not come.
"""
from __future__ import annotations

import atexit
import contextlib
import ctypes
import difflib
import functools
import math
import os
import signal
import sys
import threading
import time
import traceback
import zlib
from typing import NoReturn, Sequence

import numpy as np

from ..plain import collectives as rc

LAUNCHED = ("PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK", "MPI_LOCALRANKID")  # what starters of jobs set
SIZES = ("PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "SLURM_NTASKS")  # where they say how many processes there are
START, END, GONE, ASTRAY = 13, 14, 15, -1  # kinds of headers, beside those of collectives
HEADER, ROOM = 16, 112  # bytes of a message: two numbers, and what travels with them
LOOKS, YIELDS, NAP = 50, 5000, 1e-3  # looks at a message, until they give way to others; seconds between those later
LARGE = 1 << 18  # bytes from which on processes share a sum
calls = threading.RLock()  # whose owner exchanges messages: one call at a time
STOPS = "stops: "  # what a process says, before the exception, in the place of a program's text
INSTALL = "pip install gradscribe[mpi]"


def is_job_process() -> bool:
    """Is this a process of a job?"""
    return any(name in os.environ for name in LAUNCHED)


@functools.cache
def world():
    """The communicator of the job, its own; None in a process that is alone."""
    if not is_job_process():
        return None
    try:
        from mpi4py import MPI
    except ImportError:
        raise ImportError(f"a job of several processes needs mpi4py: {INSTALL}") from None
    if MPI.COMM_WORLD.size == 1:
        return None
    end_with_the_first()
    own = MPI.COMM_WORLD.Dup()
    atexit.register(leave)
    owner.process = os.getpid()
    return own


@functools.cache
def end_with_the_first() -> None:
    """Let an exception that nobody catches end the job, else the others would wait for this process."""
    before = sys.excepthook

    def ends_the_job(kind, error, traceback):
        before(kind, error, traceback)
        if next((os.environ[name] for name in SIZES if name in os.environ), "") != "1":
            abort()

    sys.excepthook = ends_the_job


if is_job_process():  # before anything else goes wrong there, such as a file of data that is missing
    end_with_the_first()


class Owner:
    """Who speaks for this process in the job."""

    process: int
    thread: threading.Thread | None = None


owner = Owner()


def refuse_child(name: str) -> None:
    """A child of the process, or another thread, would get answers that are for another call."""
    if owner.process != os.getpid():
        raise RuntimeError(f"{name} in a process that was forked from one of the job, which speaks for it there: call "
                           "it in the processes that mpiexec has started")
    here = threading.current_thread()
    if owner.thread is not here and owner.thread is not None and owner.thread.is_alive():
        raise RuntimeError(f"{name} in the thread {here.name!r} of a process of a job, whose calls are made in "
                           f"{owner.thread.name!r}: two threads come to them in another order in each process; make "
                           "them in one")
    owner.thread = here


def process_index() -> int:
    return 0 if world() is None else world().rank


def process_count() -> int:
    return 1 if world() is None else world().size


class Messages:
    """What processes say at an exchange: headers, and what is small enough to travel with them."""

    def __init__(self, comm):
        self.comm, self.sent = comm, np.zeros(HEADER + ROOM, np.uint8)
        self.received = np.zeros((comm.size, HEADER + ROOM), np.uint8)
        self.own, self.found = self.sent.view(np.int64)[:2], self.received.view(np.int64)[:, :2]  # headers
        self.header = memoryview(self.own)
        self.mine = self.sent.ctypes.data + HEADER  # the addresses of what travels with them
        self.theirs = [row.ctypes.data + HEADER for row in self.received]

    def exchanged(self, kind: int, value: int) -> np.ndarray:
        """The headers of all processes, until the next exchange."""
        self.header[0], self.header[1] = kind, value
        until_done(self.comm.Iallgather(self.sent, self.received))
        return self.found


def until_done(request) -> None:
    """Wait for messages, as threads wait for each other: MPI's own waiting gives the core to nobody, and hears of no
    signal."""
    times = 0
    try:
        while not request.Test():
            times += 1
            if times > LOOKS:
                time.sleep(NAP) if times > YIELDS else give_way()
    except BaseException as error:
        if type(error).__module__.startswith("mpi4py"):
            raise
        traceback.print_exc()  # a keyboard interrupt: what has been exchanged in part cannot be taken back
        abort()


give_way = getattr(os, "sched_yield", lambda: time.sleep(0.0))


class Several:
    """Requests as one."""

    def __init__(self, requests: list):
        self.requests = requests

    def Test(self) -> bool:
        return type(self.requests[0]).Testall(self.requests)


@functools.cache
def messages() -> Messages:
    return Messages(world())


def leave() -> None:
    """At the end of a process: wait for the others, and tell those that still want something."""
    if owner.process != os.getpid():
        return
    while (messages().exchanged(GONE, 0)[:, 0] != GONE).any():
        pass


class OutOfStep(rc.OutOfStep):
    """The processes of a job do not run the same program."""


def refuse_gone(found: np.ndarray, name: str) -> None:
    gone = found[:, 0] == GONE
    if gone.any():
        raise OutOfStep(f"process {int(np.argmax(gone))} of the job has ended, and this one calls {name}")


def abort() -> NoReturn:
    """End all processes of the job.

    In one that has not met the others yet MPI would wait for them, and they may never come to it. But the starter ends
    the job where a process is ended by a signal.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    time.sleep(0.1)  # for the starter to pass on what has been said, which it does not once it ends the processes
    mpi = sys.modules.get("mpi4py.MPI")
    if mpi is not None and mpi.Is_initialized() and not mpi.Is_finalized():
        mpi.COMM_WORLD.Abort(1)
    else:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(1.0)  # MPICH returns, and the starter ends this process
    os._exit(1)


def agree(name: str, text: str) -> None:
    """At the start of a call: do all processes run the program with this text?"""
    refuse_child(name)
    found = messages().exchanged(START, zlib.crc32(text.encode()))
    refuse_gone(found, name)
    if (found == found[0]).all():
        return
    texts = world().allgather(text)
    for k, said in enumerate(texts):
        if said.startswith(STOPS):
            raise OutOfStep(f"process {k} of the job has stopped: {said.removeprefix(STOPS)}")
    other = next(k for k, t in enumerate(texts) if t != texts[0])
    shown = difflib.unified_diff(texts[0].splitlines(), texts[other].splitlines(), "process 0", f"process {other}",
                                 lineterm="", n=1)
    raise OutOfStep(f"processes of the job call different programs, or one of another shape, in pmap of {name}:\n"
                       + "\n".join(list(shown)[:30]))


def tell_others(name: str, error: Exception) -> None:
    """At the start of a call that is refused here: the other processes would wait for this one."""
    with contextlib.suppress(OutOfStep):
        agree(name, f"{STOPS}{type(error).__name__}: {error}")


def gathered_objects(name: str, thing) -> list:
    """What each process has, of which all come here."""
    agree(name, "what each process has")
    return world().allgather(thing)


def end(failed: str | None) -> list[str | None]:
    """At the end of a call: what has failed in each process."""
    while True:
        found = messages().exchanged(END, failed is not None)
        refuse_gone(found, "a function that the other has left")
        if (found[:, 0] == END).all():
            return world().allgather(failed) if found[:, 1].any() else [None] * len(found)


class Exchange:
    """What one device of a process does for all of it in a collective: it fetches what other processes have published.

    words  of the devices of this process, and room for those of the others
    """

    def __init__(self, words: np.ndarray, local: int):
        self.word, self.local, self.comm = memoryview(words), local, world()
        self.places = [rc.DEVICES + rc.WIDTH * k for k in range(self.comm.size * local)]  # of each device
        self.mine = self.places[self.comm.rank * local:][:local]
        self.messages, self.room = messages(), np.empty(0, np.uint8)
        self.calls = [ctypes.CFUNCTYPE(ctypes.c_int64)(functools.partial(try_function, f))
                      for f in (self.fetch, self.spread)]
        words[[rc.EXCHANGE, rc.SPREAD]] = [ctypes.cast(f, ctypes.c_void_p).value for f in self.calls]

    def fetch(self) -> int:
        word, local = self.word, self.local
        size, kind = word[self.mine[0] + rc.BYTES], word[self.mine[0] + rc.KIND]
        same = all([word[k + rc.BYTES] == size and word[k + rc.KIND] == kind for k in self.mine])
        small = same and size * local <= ROOM
        if small:
            for k, at in enumerate(self.mine):
                ctypes.memmove(self.messages.mine + k * size, word[at + rc.ADDRESS], size)
        found = self.messages.exchanged(kind if same else ASTRAY, size)
        if not same or not (found == self.messages.own).all():
            return difference(found)
        word[rc.PART], word[rc.PARTS] = 0, 1
        if small:
            self.publish([first + k * size for first in self.messages.theirs for k in range(local)], size, kind)
            return 0
        operands = [rc.array_at(word[at + rc.ADDRESS], size, self.room) for at in self.mine]
        if size >= LARGE and kind % rc.KINDS in (rc.SUM, rc.MOST, rc.LEAST):
            self.share(operands, size, kind)
        else:
            window = self.window(self.comm.size, local, size)
            self.between(lambda other, k: operands[k], lambda other, k: window[other, k])
            self.publish(addresses(window), size, kind)
        return 0

    def between(self, sent, received, count: int | None = None) -> None:
        """Exchange with each other process so many messages, one for each of its devices."""
        pairs = [(p, k) for p in range(self.comm.size) if p != self.comm.rank for k in range(count or self.local)]
        until_done(Several([self.comm.Irecv([received(p, k), "B"], p, k) for p, k in pairs]
                           + [self.comm.Isend([sent(p, k), "B"], p, k) for p, k in pairs]))

    def window(self, *shape: int) -> np.ndarray:
        """Room for what others have."""
        size = math.prod(shape)
        if self.room.size < size:
            self.room = np.empty(size, np.uint8)
        return self.room[:size].reshape(shape)

    def publish(self, found: Sequence[int], size: int, kind: int) -> None:
        """Say where the operands of other devices lie."""
        for address, at in zip(found, self.places):
            if at not in self.mine:
                self.word[at + rc.ADDRESS], self.word[at + rc.BYTES], self.word[at + rc.KIND] = address, size, kind

    def share(self, operands: list[np.ndarray], size: int, kind: int) -> None:
        """Fetch a part of all operands; `spread` exchanges what becomes of it."""
        count, own = self.comm.size, self.comm.rank
        starts = [rc.start_of(k, count, size) for k in range(count + 1)]
        self.parts, self.result = [slice(*ends) for ends in zip(starts, starts[1:])], operands[0]
        window = self.window(count, self.local, starts[own + 1] - starts[own])
        self.between(lambda other, k: operands[k][self.parts[other]], lambda other, k: window[other, k])
        self.publish([at - starts[own] for at in addresses(window)], size, kind)
        self.word[rc.PART], self.word[rc.PARTS] = own, count

    def spread(self) -> int:
        own = self.result[self.parts[self.comm.rank]]
        self.between(lambda other, k: own, lambda other, k: self.result[self.parts[other]], count=1)
        return 0


def difference(found: np.ndarray) -> int:
    """What is said where processes have come to different calls, or one has left its function."""
    ended = found[:, 0] == END
    return rc.DIFFERENT if not ended.any() else rc.STOPPED if found[ended, 1].any() else rc.LEFT


def addresses(window: np.ndarray) -> range:
    """Of what each device has in it."""
    first, rows, step = window.ctypes.data, window.shape[0] * window.shape[1], window.shape[2]
    return range(first, first + rows * step, step)


def try_function(function) -> int:
    try:
        return function()
    except BaseException:  # there is no way for it through compiled code
        return rc.LOST
