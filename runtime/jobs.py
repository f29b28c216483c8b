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
import zlib

import numpy as np

from . import collectives as rc

LAUNCHED = ("PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK", "MPI_LOCALRANKID")  # what starters of jobs set
START, END, GONE, ASTRAY = 101, 102, 103, -1  # kinds of heads, beside those of collectives
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
        sys.stderr.flush()
        MPI.COMM_WORLD.Abort(1)  # else the others would wait for this process

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
    found = np.empty((comm.size, 2), np.int64)
    comm.Allgather(np.array([kind, value], np.int64), found)
    return found


def leave(comm) -> None:
    """At the end of a process: wait for the others, and tell those that still want something."""
    while (heads(comm, GONE, 0)[:, 0] != GONE).any():
        pass


class OutOfStep(rc.OutOfStep):
    """The processes of a job do not run the same program."""


def agree(name: str, text: str) -> None:
    """At the start of a call: do all processes run the program with this text?"""
    comm = world()
    found = heads(comm, START, zlib.crc32(text.encode()))
    gone = found[:, 0] == GONE
    if gone.any():
        raise OutOfStep(f"process {int(np.argmax(gone))} of the job has ended, and this one calls {name}")
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
        if (found[:, 0] == END).all():
            return comm.allgather(failed) if found[:, 1].any() else [None] * comm.size


class Exchange:
    """What one device of a process does for all of it in a collective: it fetches what other processes have published.

    words  of the devices of this process, and room for those of the others
    """

    def __init__(self, words: np.ndarray, local: int):
        self.words, self.local, self.comm = words, local, world()
        self.window = np.empty((0, 0), np.uint8)
        self.entry = ctypes.CFUNCTYPE(ctypes.c_int64)(self.fetch)
        words[rc.EXCHANGE] = ctypes.cast(self.entry, ctypes.c_void_p).value

    def fetch(self) -> int:
        try:
            return self.fetched()
        except BaseException:  # there is no way for it through compiled code
            return rc.LOST

    def fetched(self) -> int:
        comm, local = self.comm, self.local
        devices = self.words[rc.DEVICES:].reshape(-1, rc.WIDTH)
        first = comm.rank * local
        mine = devices[first:first + local]
        size, kind = int(mine[0, rc.BYTES]), int(mine[0, rc.KIND])
        same = (mine[:, [rc.BYTES, rc.KIND]] == (size, kind)).all()
        found = heads(comm, kind if same else ASTRAY, size)
        if (found[:, 0] == END).any():
            return rc.STOPPED if found[found[:, 0] == END, 1].any() else rc.LEFT
        if not same or (found != found[0]).any():
            return rc.DIFFERENT
        if self.window.shape != (len(devices), size):
            self.window = np.empty((len(devices), size), np.uint8)
        own = np.concatenate([rc.array_at(address, size, self.window) for address in mine[:, rc.ADDRESS]])
        comm.Allgather(own, self.window)
        for k in (k for k in range(len(devices)) if not first <= k < first + local):
            devices[k, [rc.ADDRESS, rc.BYTES, rc.KIND]] = self.window[k].ctypes.data, size, kind
        return 0
