"""Seeds through a child process: a crash or an endless loop costs one program, is recorded as its failure, and the run goes on."""

import gc
import multiprocessing
import os
import signal
import time
from collections import Counter
from dataclasses import dataclass, field

from .generate import Case, generate
from .oracle import Failure, Outcome, examine

LIMIT = {False: 60.0, True: 240.0}  # seconds for one program, plain and compiled


def work(pipe, compiled, order):
    """The child: case in, outcome out."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.set_threshold(50_000, 20, 50)  # as in conftest.py, which a fresh interpreter has not read
    while (case := pipe.recv()) is not None:
        try:
            pipe.send(examine(case, compiled, order))
        except BaseException as error:  # a defect of the oracle itself must not look like a crash
            pipe.send(Outcome(Failure(case, "oracle", f"{type(error).__name__}: {error}")))


class Worker:
    """A child process, started when needed and again after each accident."""

    def __init__(self, compiled=False, order=1, limit=None, target=work):
        self.compiled, self.order, self.limit, self.target = compiled, order, limit or LIMIT[compiled], target
        self.process = None

    def examine(self, case: Case) -> Outcome:
        if self.process is None:
            self.start()
        self.pipe.send(case)
        try:
            if self.pipe.poll(self.limit):
                return self.pipe.recv()
            self.stop()
            return Outcome(Failure(case, "time", f"not done after {self.limit:g} s"))
        except EOFError:
            self.process.join()
            code = self.process.exitcode
            self.stop()
            return Outcome(Failure(case, "crash", f"the process died with exit code {code}"))

    def start(self):
        # A fresh interpreter: a fork would carry threads (numba's, BLAS's) into a child that cannot use them.
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=self.target, args=(theirs, self.compiled, self.order), daemon=True)
        self.process.start()
        theirs.close()  # so that a dead child is an end of file here

    def stop(self):
        if self.process is not None:
            self.process.kill()
            self.process.join()
            self.pipe.close()
            self.process = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


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
        lines = [self.line(), f"{self.counts['derivatives']} derivatives, differences unsure of a part of {self.counts['unsure']}; "
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
