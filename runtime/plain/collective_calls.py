"""The collectives that readable source calls: the kernels of `collectives`, which plain Python runs."""
from __future__ import annotations

import sys

import numpy as np

from .collectives import FAILS, gather_kernel, least_kernel, most_kernel, permute_kernel, sum_kernel


def run(kernel, out, *args):
    """The result of a kernel.  Rounds of a loop are not distinguished here, as compiled programs do."""
    site = sys._getframe(2).f_lasti  # where the program calls the collective
    failed = kernel(*map(np.atleast_1d, args), np.atleast_1d(out), site)
    if failed:
        kind, message = FAILS[failed - 1]
        raise kind(message)
    return out if out.ndim else out[()]


def psum(axis, x):
    """The sum of the x of all devices."""
    return run(sum_kernel, np.empty_like(x, order="C"), axis, x)


def psums(axis, *operands):
    """The sums of several."""
    return tuple([psum(axis, x) for x in operands])


def pmax(axis, x):
    return run(most_kernel, np.empty_like(x, order="C"), axis, x)


def pmin(axis, x):
    return run(least_kernel, np.empty_like(x, order="C"), axis, x)


def all_gather(axis, x):
    """The x of all devices, along a new first axis."""
    x = np.asarray(x)
    return run(gather_kernel, np.empty((len(axis), *x.shape), x.dtype), axis, x)


def ppermute(axis, source, target, x):
    """The x of the device `source`, zeros where it is negative; `target` is the device whose result this x is."""
    return run(permute_kernel, np.empty_like(x, order="C"), axis, source, target, x)
