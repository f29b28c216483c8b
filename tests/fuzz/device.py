"""Gradscribe as the oracle asks it, with programs for a GPU in the place of compiled ones; on one,
or in numba's simulator."""

import functools

import gradscribe as gs
from gradscribe.runtime.cuda import backend

from ..gpu import arrays


class OnDevice:
    """`gradscribe`, whose `jit` is for a GPU."""

    def __init__(self):
        arrays.use()

    def __getattr__(self, name):
        return getattr(gs, name)

    def jit(self, fun):
        made = gs.jit(fun, target="cuda")
        return functools.wraps(fun)(lambda *args: numbers(made(*args)))


def numbers(out):
    """Results with numbers in the place of arrays without axes, which numbers are on a device."""
    if isinstance(out, (tuple, list)):
        return type(out)(map(numbers, out))
    return backend.get(out)[()] if backend.is_device_array(out) else out
