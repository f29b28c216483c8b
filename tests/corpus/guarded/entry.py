"""A program with a pole and its arguments, and the arguments that several have."""
import dataclasses
from collections.abc import Callable

import numpy as np


@dataclasses.dataclass(frozen=True)
class Entry:
    """A program and arguments; `wrt` says by which of them it is differentiated (all, if nothing is said).

    kink     where its slopes at the point differ by side, and a convention decides: the mean of the two
    once     where the second derivative meets a zero that is computed: it is right or not a number
    kinked   a norm of zeros is taken with a cotangent of 1: along the axes its mixed second derivatives are 0, as those
             of its slope by convention, and in other directions there are none
    """

    program: Callable
    args: tuple
    wrt: tuple
    kink: bool = False
    once: bool = False
    kinked: bool = False

    @property
    def name(self):
        return self.program.__name__


def entry(program, *args, wrt=None, **facts):
    return Entry(program, args, tuple(range(len(args))) if wrt is None else wrt, **facts)


PAIRS = np.array([[0.0, 0.5], [1.0, -0.25], [-0.5, 1.25]])
SHOCKS = np.array([[-2.5, 0.5, 1.5, -0.5], [-1.5, 2.0, -0.5, 0.25], [0.5, -1.0, 1.0, -2.0]])
PATHS = np.array([[[0.5, -1.0, 0.25], [1.5, -0.75, 0.5], [1.0, 1.5, 1.25], [-0.5, 0.5, 0.75]],
                  [[-3.0, 0.5, -2.0], [1.0, -1.0, 1.5], [0.5, -0.5, 0.25], [-0.5, 1.0, 0.5]]])


ROWS = np.array([[0.0, 0.0, 0.0], [1.0, -2.0, 0.5]])
FLAT = np.array([[1.0, 2.0], [1.0, 0.5], [1.0, -1.5], [1.0, 3.0]])
KEEP = np.array([[True, False, True], [True, True, False]])
AT_ZERO = np.array([0.0, 0.25, 2.0])
P = np.array([0.0, 0.25, 0.75])
