"""Arrays of the device as the host's text makes them: `runtime.memory` for these."""
from __future__ import annotations

from . import backend


def empty(shape, dtype):
    return backend.arrays().empty(shape, dtype)


def buffer(shape, dtype):
    """Room for values of this shape; for none where a length is negative, because then nobody comes to use it."""
    return backend.arrays().empty([max(n, 0) for n in shape], dtype)


def zeros(shape, dtype):
    return backend.arrays().zeros(shape, dtype)


def clear(x) -> None:
    x[...] = 0


def copy(x):
    return x.copy(order="K")


def argsort(x):
    """As `runtime.scalars.argsort`; CuPy's is stable."""
    return x.argsort(kind="stable") if backend.SIMULATED else x.argsort()


def places(x, count):
    """As `runtime.scalars.places`."""
    return backend.arrays().flatnonzero(x)[:count]


def room(tape, need):
    """As `runtime.scalars.room`."""
    if need <= tape.shape[0]:
        return tape
    grown = zeros(max(need, 2 * tape.shape[0]), tape.dtype)
    grown[:tape.shape[0]] = tape
    return grown


def transpose(x, *axes):
    return x.transpose(axes)


def reshape(x, shape):
    return x.reshape(shape)
