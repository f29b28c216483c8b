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
        self.window = np.empty((0, 0), np.uint8)
        self.entry = ctypes.CFUNCTYPE(ctypes.c_int64)(self.fetch)
        words[rc.EXCHANGE] = ctypes.cast(self.entry, ctypes.c_void_p).value

    def fetch(self) -> int:
        try:
            return self.fetched()
        except BaseException:  # there is no way for it through compiled code
            return rc.LOST

    def fetched(self) -> int:
        comm, local, word = self.comm, self.local, self.word
        mine = [rc.DEVICES + rc.WIDTH * (comm.rank * local + k) for k in range(local)]
        size, kind = word[mine[0] + rc.BYTES], word[mine[0] + rc.KIND]
        same = all([word[k + rc.BYTES] == size and word[k + rc.KIND] == kind for k in mine])
        parts = [rc.array_at(word[k + rc.ADDRESS], size, self.window) for k in mine] if same else []
        small = same and size * local <= ROOM
        sent = np.zeros(HEAD + ROOM, np.uint8)
        sent[:HEAD].view(np.int64)[:] = kind if same else ASTRAY, size
        if small:
            np.concatenate(parts, out=sent[HEAD:HEAD + size * local])
        messages = np.empty((comm.size, HEAD + ROOM), np.uint8)
        comm.Allgather(sent, messages)
        found = messages[:, :HEAD].copy().view(np.int64)
        if (ended := found[:, 0] == END).any():
            return rc.STOPPED if found[ended, 1].any() else rc.LEFT
        if not same or (found != found[0]).any():
            return rc.DIFFERENT
        if self.window.shape != (comm.size, size * local):
            self.window = np.empty((comm.size, size * local), np.uint8)
        if small:
            self.window[:] = messages[:, HEAD:HEAD + size * local]
        else:
            comm.Allgather(parts[0] if local == 1 else np.concatenate(parts), self.window)
        first = self.window.ctypes.data
        for k in range(comm.size * local):
            at = rc.DEVICES + rc.WIDTH * k
            if at not in mine:
                word[at + rc.ADDRESS], word[at + rc.BYTES], word[at + rc.KIND] = first + k * size, size, kind
        return 0
