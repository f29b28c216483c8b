"""The processes of an MPI job, each of which has some of the devices of a `pmap`: `mpiexec -n 8 python train.py`.

All processes come to the same exchanges in one order: one at the start of a call, one for each collective, one at its
end, one when the process ends.  Each begins with a head of two numbers, so that a process that is elsewhere is told
from one that is late: what differs is an error everywhere, and nobody waits for who does not come.
"""
from __future__ import annotations

import atexit
import ctypes
import difflib
import functools
import os
import sys
import threading
import time
import zlib
from typing import NoReturn

import numpy as np

from . import collectives as rc

LAUNCHED = ("PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK", "MPI_LOCALRANKID")  # what starters of jobs set
START, END, GONE, ASTRAY = 13, 14, 15, -1  # kinds of heads, beside those of collectives
HEAD, ROOM = 16, 112  # bytes of a message: two numbers, and what is small enough travels with them
calls = threading.RLock()  # whose owner exchanges messages: one call at a time
INSTALL = "pip install gradscribe[mpi]"


@functools.cache
def world():
    """The communicator of the job, its own; None in a process that is alone."""
    if not any(name in os.environ for name in LAUNCHED):
        return None
    try:
        from mpi4py import MPI
    except ImportError:
        raise ImportError(f"a job of several processes needs mpi4py: {INSTALL}") from None
    if MPI.COMM_WORLD.size == 1:
        return None
    before = sys.excepthook

    def ends_the_job(kind, error, traceback):
        before(kind, error, traceback)
        abort()  # else the others would wait for this process

    sys.excepthook = ends_the_job
    own = MPI.COMM_WORLD.Dup()
    atexit.register(leave, own)
    return own


def index() -> int:
    return 0 if world() is None else world().rank


def count() -> int:
    return 1 if world() is None else world().size


def heads(comm, kind: int, value: int) -> np.ndarray:
    """The heads of all processes at this exchange."""
    sent, messages = np.zeros(HEAD + ROOM, np.uint8), np.empty((comm.size, HEAD + ROOM), np.uint8)
    sent[:HEAD].view(np.int64)[:] = kind, value
    comm.Allgather(sent, messages)
    return messages[:, :HEAD].copy().view(np.int64)


def leave(comm) -> None:
    """At the end of a process: wait for the others, and tell those that still want something."""
    while (heads(comm, GONE, 0)[:, 0] != GONE).any():
        pass


class OutOfStep(rc.OutOfStep):
    """The processes of a job do not run the same program."""


def refuse_gone(found: np.ndarray, name: str) -> None:
    gone = found[:, 0] == GONE
    if gone.any():
        raise OutOfStep(f"process {int(np.argmax(gone))} of the job has ended, and this one calls {name}")


def abort() -> NoReturn:
    """End all processes of the job."""
    from mpi4py import MPI
    sys.stdout.flush()
    sys.stderr.flush()
    time.sleep(0.1)  # for the starter to pass on what has been said, which it does not once it ends the processes
    MPI.COMM_WORLD.Abort(1)
    time.sleep(1.0)  # MPICH returns, and the starter ends this process
    os._exit(1)


def agree(name: str, text: str) -> None:
    """At the start of a call: do all processes run the program with this text?"""
    comm = world()
    found = heads(comm, START, zlib.crc32(text.encode()))
    refuse_gone(found, name)
    if (found == found[0]).all():
        return
    texts = comm.allgather(text)
    other = next(k for k, t in enumerate(texts) if t != texts[0])
    shown = difflib.unified_diff(texts[0].splitlines(), texts[other].splitlines(), "process 0", f"process {other}",
                                 lineterm="", n=1)
    raise OutOfStep(f"processes of the job call different programs, or one of another shape, in pmap of {name}:\n"
                    + "\n".join(list(shown)[:30]))


def of_all(name: str, thing) -> list:
    """What each process has, of which all come here."""
    agree(name, "what each process has")
    return world().allgather(thing)


def end(failed: str | None) -> list[str | None]:
    """At the end of a call: what has failed in each process."""
    comm = world()
    while True:
        found = heads(comm, END, failed is not None)
        refuse_gone(found, "a function that the other has left")
        if (found[:, 0] == END).all():
            return comm.allgather(failed) if found[:, 1].any() else [None] * comm.size


class Exchange:
    """What one device of a process does for all of it in a collective: it fetches what other processes have published.

    words  of the devices of this process, and room for those of the others
    """

    def __init__(self, words: np.ndarray, local: int):
        self.word, self.local, self.comm = memoryview(words), local, world()
        self.mine = self.places(self.comm.rank)
        self.sent = np.zeros(HEAD + ROOM, np.uint8)
        self.messages = np.empty((self.comm.size, HEAD + ROOM), np.uint8)
        self.own, self.found = self.sent.view(np.int64)[:2], self.messages.view(np.int64)[:, :2]  # the heads
        self.head = memoryview(self.own)
        self.room, self.rooms = self.sent.ctypes.data + HEAD, self.messages.ctypes.data + HEAD
        self.window = np.empty((0, 0), np.uint8)
        self.entry = ctypes.CFUNCTYPE(ctypes.c_int64)(self.fetch)
        words[rc.EXCHANGE] = ctypes.cast(self.entry, ctypes.c_void_p).value

    def places(self, process: int) -> list[int]:
        """Where the words of the devices of a process begin."""
        return [rc.DEVICES + rc.WIDTH * (process * self.local + k) for k in range(self.local)]

    def fetch(self) -> int:
        try:
            return self.fetched()
        except BaseException:  # there is no way for it through compiled code
            return rc.LOST

    def fetched(self) -> int:
        word, mine = self.word, self.mine
        size, kind = word[mine[0] + rc.BYTES], word[mine[0] + rc.KIND]
        same = all([word[at + rc.BYTES] == size and word[at + rc.KIND] == kind for at in mine])
        small = same and size * self.local <= ROOM
        self.head[0], self.head[1] = kind if same else ASTRAY, size
        if small:
            for k, at in enumerate(mine):
                ctypes.memmove(self.room + k * size, word[at + rc.ADDRESS], size)
        self.comm.Allgather(self.sent, self.messages)
        if not same or not (self.found == self.own).all():
            ended = self.found[:, 0] == END
            return rc.DIFFERENT if not ended.any() else rc.STOPPED if self.found[ended, 1].any() else rc.LEFT
        if small:
            self.enter(self.rooms, HEAD + ROOM, size, kind)
        else:
            self.enter(self.gathered(size), size * self.local, size, kind)
        return 0

    def gathered(self, size: int) -> int:
        """The address of the operands of all devices, of so many bytes each."""
        if self.window.shape != (self.comm.size, size * self.local):
            self.window = np.empty((self.comm.size, size * self.local), np.uint8)
        parts = [rc.array_at(self.word[at + rc.ADDRESS], size, self.window) for at in self.mine]
        self.comm.Allgather(parts[0] if self.local == 1 else np.concatenate(parts), self.window)
        return self.window.ctypes.data

    def enter(self, first: int, apart: int, size: int, kind: int) -> None:
        """Publish the operands of the devices of the other processes, each of which has its first so far `apart`."""
        for process in range(self.comm.size):
            if process != self.comm.rank:
                for k, at in enumerate(self.places(process)):
                    self.word[at + rc.ADDRESS] = first + process * apart + k * size
                    self.word[at + rc.BYTES], self.word[at + rc.KIND] = size, kind
