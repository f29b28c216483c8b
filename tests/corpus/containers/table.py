"""The table PROGRAMS and what enters a program there; classes that several programs have."""
import enum
from typing import NamedTuple

import pytest


class Box(NamedTuple):
    x: float
    y: float


class Bits(enum.IntFlag):
    P = 1
    Q = 4


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 3


class Kind(enum.Enum):
    A = 1
    B = 2


class OwnFloat(float):
    pass


PROGRAMS = []


def program(*args, refused=""):
    """Hold the decorated function against Python at these arguments; `refused`: what is said of it, as is known."""
    def register(fun):
        PROGRAMS.append(pytest.param(fun, args, refused, id=fun.__name__))
        return fun
    return register
