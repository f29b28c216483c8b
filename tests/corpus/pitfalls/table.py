"""Trap, and the table TRAPS with what enters functions there."""
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tests.corpus.programs import Program


@dataclass(frozen=True)
class Trap(Program):
    """A program that is easy to get wrong, what to watch for, and its derivative where it is known on paper."""

    note: str = ""
    gradient: Callable[..., tuple] | None = None  # of the sum of the float results, one for each of argnums
    rtol: float = 1e-12  # agreement to ask for between compiled and NumPy
    may_refuse: bool = False  # an error of ours is as good as the right answer
    joins: bool = False  # gives a Python number on one path and a NumPy one on the other: either will do on both
    leaves_int64: bool = False  # the right answer is no int64: compiled code raises or is right, it never wraps

    def expected(self):
        """What NumPy returns (or raises), and the arguments afterwards."""
        args = self.make_args()
        try:
            return self.fun(*args), args
        except Exception as error:
            return error, args


TRAPS: list[Trap] = []


def trap(construct, args, note, **about):
    """Register the decorated function in `TRAPS`; the function itself is returned unchanged."""

    def register(fun):
        TRAPS.append(Trap(fun, construct, args, note=note, **about))
        return fun

    return register


def vector(*values):
    """A fresh float64 vector."""
    return np.array(values, dtype=np.float64)
