"""Blocks, and threads of a block, from the last to the first: what depends on their order shows.
Only the simulator has one."""

import contextlib

import numpy as np
from numba.cuda.simulator import kernel as simulation

from gradscribe.runtime.cuda import backend

from . import corpus


class Backwards:
    """NumPy, for the simulator, which counts blocks and threads by it."""

    def __getattr__(self, name):
        return getattr(np, name)

    @staticmethod
    def ndindex(*shape):
        return reversed(list(np.ndindex(*shape)))


@contextlib.contextmanager
def backwards():
    simulation.np = Backwards()
    try:
        yield
    finally:
        simulation.np = np


def stage(way: str, number: int) -> None:
    with backwards():
        corpus.stage(way, number)


def call(number: int) -> None:
    with backwards():
        corpus.call(number)


cuda = backend.compiler()


@cuda.jit
def raced(x):
    i = cuda.grid(1)
    if i > 0:
        x[i] = x[i - 1] + 1


def shows() -> list:
    """What a kernel that depends on the order makes, in both orders."""
    def run():
        x = np.zeros(6)
        raced[3, 2](x)
        return x.tolist()

    forwards = run()
    with backwards():
        return [forwards, run()]
