"""Kernels of the CPU that threads run as they stand: vectors of one length in, one out.  Imported where a device is."""
from __future__ import annotations

import functools

import numpy as np

from . import host
from .backend import arrays, compiler

cuda = None  # the compiler's module, once something is launched


def by_rows(kernel, *args):
    """One thread for each place of the stack that the last argument has, which is for the results."""
    y, shape = args[-1], args[-1].shape
    count = int(np.prod(shape[:-1]))
    given = [arrays().broadcast_to(x, shape).reshape(count, shape[-1]) for x in args[:-1]]
    out = arrays().empty((count, shape[-1]), y.dtype)
    host.launch(launched(kernel, len(given)), count, (*given, out))
    y[...] = out.reshape(shape)


@functools.cache
def launched(kernel, count: int):
    """The kernel that calls it for each row of `count` matrices."""
    global cuda
    cuda = compiler()
    one = cuda.jit(device=True)(kernel)

    def of_vectors(a, y):
        for i in range(cuda.grid(1), y.shape[0], cuda.gridsize(1)):
            one(a[i], y[i])

    def of_pairs(a, b, y):
        for i in range(cuda.grid(1), y.shape[0], cuda.gridsize(1)):
            one(a[i], b[i], y[i])

    return host.kernel(of_vectors if count == 1 else of_pairs)
