"""How long a call takes on P processes, by what was measured on one and on two.

    T(P) = kappa W(P) + o(P) + sum over collectives of c(P, n)

W(P) is the work of one process as one thread does it alone, kappa what it costs beside another, o a call and c a collective
of n bytes from each process. Both c and o are what the algorithms in `runtime/devices/jobs.py` send: heads are gathered in ceil(log2 P)
rounds of messages, and each process receives the n bytes of each other one, or those of its part of a large sum.
"""
from dataclasses import dataclass, replace
from math import ceil, log2

import numpy as np
from scipy.optimize import nnls

from gradscribe.runtime.devices.jobs import LARGE

PROCESSES = (1, 2, 4, 8, 16, 32, 64)
MEASURED = 2                                     # processes


def rounds(count):
    return ceil(log2(count))


def received(count, size):
    """Bytes that come to each process: of a large sum a part of each operand, and what has become of the other parts."""
    return size * (count - 1) * (2 / count if size >= LARGE else 1)


@dataclass(frozen=True)
class Collective:
    """alpha: seconds a round of messages; beta: seconds for a byte that a process receives and adds up."""
    alpha: float
    beta: float

    def seconds(self, count, size):
        return self.alpha * rounds(count) + self.beta * received(count, size)


def fitted(measured, count=MEASURED):
    """The collective that comes nearest to {bytes: seconds} on so many processes, in the least squares of relative errors."""
    seconds = np.array(list(measured.values()))
    terms = np.array([[rounds(count), received(count, size)] for size in measured], float)
    alpha, beta = nnls(terms / seconds[:, None], np.ones(len(seconds)))[0]
    return Collective(float(alpha), float(beta))


@dataclass(frozen=True)
class Scaling:
    """A program whose work is `work` seconds of one thread, and which comes to collectives of so many bytes in a call."""
    work: float
    kappa: float
    collective: Collective
    sizes: tuple
    call: float                                  # seconds, of one process
    step: float                                  # seconds that a call costs more, a round of messages

    def of(self, times):
        """The same with so many times the work."""
        return replace(self, work=times * self.work)

    def parts(self, count, share):
        """Seconds of work, of the call, of the collectives. `share`: how much of the work a process does."""
        if count == 1:
            return self.work * share, 0.0, 0.0
        return (self.kappa * self.work * share, self.call + self.step * rounds(count),
                sum(self.collective.seconds(count, n) for n in self.sizes))

    def seconds(self, count, share):
        return sum(self.parts(count, share))

    def strong(self, count):
        """How many times as fast the same work is done by all of them."""
        return self.work / self.seconds(count, 1 / count)

    def weak(self, count):
        """The part of its speed that each keeps, where each has all of the work that one had."""
        return self.work / self.seconds(count, 1.0)


def of_workload(measured, collective, call, step):
    """kappa is fitted to the time of two processes; it is no less than 1."""
    unfitted = Scaling(measured["one"], 1.0, collective, tuple(measured["collectives"]), call, step)
    work, *apart = unfitted.parts(MEASURED, 1 / MEASURED)
    return replace(unfitted, kappa=max(1.0, (measured["processes"] - sum(apart)) / work))
