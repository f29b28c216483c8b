"""Seeds through a child process: a crash or an endless loop costs one program, is recorded as its failure,
and the run goes on."""

import gc
import os
import signal
import time
from collections import Counter
from dataclasses import dataclass, field

from tests.support.child import Accident, Child

from .generate import Case, generate
from .oracle import Failure, Outcome, examine

DEVICE = "device"  # a way beside False and True, of `compiled`: for a GPU, in the simulator
GPU = "gpu"  # the same on a GPU
MEMORY = os.environ.get("NUMBA_DEBUG_NRT") == "1"  # numba fills memory when it is had, and when it is given back
LIMIT = {False: 60.0, True: 240.0, DEVICE: 900.0, GPU: 240.0}  # seconds for one program


def flag(compiled) -> str:
    """What `python -m tests.fuzz` is told."""
    return {False: "", True: " --compiled", DEVICE: " --device", GPU: " --gpu"}[compiled]


def in_use() -> int:
    """How many pieces of memory compiled code has had and not given back."""
    from numba.core.runtime import _nrt_python, rtsys
    _nrt_python.memsys_enable_stats()
    gc.collect()
    stats = rtsys.get_allocation_stats()
    return stats.mi_alloc - stats.mi_free


def work(pipe, compiled, order):
    """The child: case in, outcome out."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.set_threshold(50_000, 20, 50)  # as in conftest.py, which a fresh interpreter has not read
    if MEMORY:  # numba tells of each piece
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    gs = None
    if compiled in (DEVICE, GPU):
        from .device import OnDevice
        gs, compiled = OnDevice(), DEVICE
    while (case := pipe.recv()) is not None:
        before = in_use() if MEMORY else 0
        try:
            outcome = examine(case, compiled, order, gs)
            if MEMORY and outcome.failure is None and (left := in_use() - before) > 0:
                outcome = Outcome(Failure(case, "memory", f"{left} pieces of memory are not given back"))
            pipe.send(outcome)
        except BaseException as error:  # a defect of the oracle itself must not look like a crash
            pipe.send(Outcome(Failure(case, "oracle", f"{type(error).__name__}: {error}")))


class Worker(Child):
    """Examines programs in a child."""

    def __init__(self, compiled=False, order=1, limit=None, target=work):
        super().__init__(target, (compiled, order), limit=limit or LIMIT[compiled], simulator=compiled == DEVICE)

    def examine(self, case: Case) -> Outcome:
        try:
            return self.ask(case)
        except Accident as accident:
            return Outcome(Failure(case, accident.kind, str(accident)))


@dataclass
class Report:
    counts: Counter = field(default_factory=Counter)
    refusals: Counter = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)

    def add(self, outcome: Outcome):
        self.counts[outcome.kind] += 1
        self.counts.update(outcome.counts)
        if outcome.refusal:
            self.refusals[outcome.refusal] += 1
        if outcome.failure:
            self.failures.append(outcome.failure)

    @property
    def total(self):
        return sum(self.counts[kind] for kind in ("ok", "raises", "refused", "failed"))

    @property
    def refused(self) -> float:
        """The fraction of programs that were refused."""
        return self.counts["refused"] / max(self.total, 1)

    def line(self):
        kinds = ", ".join(f"{self.counts[kind]} {kind}" for kind in ("ok", "raises", "refused", "failed"))
        return f"{self.total} programs: {kinds} ({self.refused:.1%} refused)"

    def full(self):
        lines = [
            self.line(),
            f"{self.counts['derivatives']} derivatives, differences unsure of a part of {self.counts['unsure']}; "
            f"{self.counts['ill-conditioned']} answers off by no more than rounding explains; "
                              f"{self.counts['overflows']} overflow on the way"]
        lines += [f"{count:6d}  {message}" for message, count in self.refusals.most_common(30)]
        return "\n".join(lines)


def campaign(seeds, compiled=False, order=1, worker=None, on_progress=None, stop_after=None) -> Report:
    """Examine the programs of these seeds; `stop_after` failures it ends."""
    report, began = Report(), time.monotonic()
    with worker or Worker(compiled, order) as hands:
        for seed in seeds:
            report.add(hands.examine(generate(seed)))
            if on_progress:
                on_progress(report, time.monotonic() - began)
            if stop_after and len(report.failures) >= stop_after:
                break
    return report


def fresh_seed() -> int:
    """A seed that nobody chose; CI prints it."""
    return int.from_bytes(os.urandom(4), "big")
