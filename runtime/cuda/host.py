"""What the host does in a program for a GPU: memory, launches, and the numbers that it reads back."""
from __future__ import annotations

import threading
import warnings

import numpy as np

from ..devices import crew
from ..loading.targets import disk_kernel as compiled
from ..plain import collectives, scalars
from . import backend
from .backend import compiler  # noqa: F401  modules of kernels ask for it here

STOPPED, FULL = 1, 2  # what a kernel writes into the flag


class KernelStopped(Exception):
    """A kernel has stopped: at a check, or because a tape was full; or what a library gives is the CPU's to say."""


def kernel(function):
    """The function as a kernel."""
    return backend.compiler().jit(function)


def stopped(flag) -> int:
    """How a kernel has stopped, if one has; waits for it."""
    return 0 if flag is None else int(flag[0])


def stop(flag) -> None:
    """Stop where a kernel has."""
    if stopped(flag):
        raise KernelStopped


def width(count: int) -> int:
    """How many threads a launch for so many iterations has."""
    return backend.BLOCK * min(-(-count // backend.BLOCK), backend.BLOCKS)


def count(*lengths: int) -> int:
    """How many iterations loops of these lengths have."""
    total = 1
    for n in lengths:
        total *= max(n, 0)
    return total


def launch(kernel, threads: int, args: tuple) -> None:
    """Start a kernel of so many threads at least, or of as many as a launch has."""
    if threads > 0:
        block = 1 if threads == 1 else backend.BLOCK
        start(kernel, width(threads) // block if block > 1 else 1, block, args)


one_at_a_time = threading.Lock()  # kernels of the simulator, which has names of modules for them


def start(kernel, blocks: int, block: int, args: tuple) -> None:
    if backend.SIMULATED:
        with one_at_a_time, np.errstate(all="ignore"):
            kernel[blocks, block](*map(backend.simulated, args))
    else:
        kernel[blocks, block, backend.stream()](*map(backend.argument, args))


# groups of threads that do one iteration together ---------------------------------------------------------
FULL_DEVICE = 2**17  # threads that keep a device busy
WARP = 32  # threads that read memory together
STAGED = 4096  # elements that a group reduces sooner than several


def lanes(length: int, count: int, near: bool) -> int:
    """How many threads go together over `length` elements, `count` times.

    near  do its elements lie side by side, so that more lanes read memory faster?
    """
    found = 1
    while (2 * found <= backend.LANES and found * backend.SHARE < length
           and (near and found < WARP or found * count < FULL_DEVICE)):
        found *= 2
    return found


def in_stages(length: int, count: int) -> bool:
    """Are blocks of `count` columns for groups of their own?  Not where a launch more costs more than it saves."""
    return length > STAGED and count * WARP < FULL_DEVICE


def block(lanes: int) -> int:
    return max(backend.BLOCK, lanes)


def apart(lanes: int, near: bool) -> int:
    """How far apart, in threads, neighbouring lanes of a group are."""
    return 1 if near else block(lanes) // lanes


def groups(count: int, lanes: int) -> int:
    """How many groups a launch for so many iterations has."""
    of_block = block(lanes) // lanes
    return of_block * min(-(-max(count, 0) // of_block), backend.BLOCKS)


def launch_groups(kernel, count: int, lanes: int, args: tuple) -> None:
    """Start a kernel whose iterations groups of threads do."""
    if count > 0:
        start(kernel, groups(count, lanes) * lanes // block(lanes), block(lanes), args)


# scalars of the device ---------------------------------------------------------------------------------
def cell(dtype):
    """The place of a scalar."""
    return backend.arrays().zeros(1, dtype)


def read(cell, flag):
    """A scalar of the device, once it is computed."""
    return element(cell, 0, flag)


def element(array, index, flag):
    """It keeps its dtype: what the host makes of float32 is no float64, and one over zero is infinite."""
    stop(flag)
    return backend.get(array[index])[()]


def write(cell, value) -> None:
    cell[0] = value


def number(cell):
    """A scalar as a result: an array without axes, so that nobody waits."""
    return cell.reshape(())


# what is printed --------------------------------------------------------------------------------------
class Said(threading.local):
    """What a call prints: it waits until no kernel can stop any more, because the CPU would then print it again."""

    def __init__(self):
        self.waiting: list[tuple] = []


said = Said()


def say(*args) -> None:
    """Arrays are copied now: by the time that it is printed, others are stored into them."""
    said.waiting.append(tuple([backend.get(x) for x in args]))


def forget() -> None:
    said.waiting.clear()


def say_all() -> None:
    waiting, said.waiting = said.waiting, []
    for args in waiting:
        scalars.say(*args)


# what a library computes as a whole ------------------------------------------------------------------------
warned: set[str] = set()


def of_library(kernel, there):
    """A kernel of the CPU as programs call it for arrays of the device, of whole stacks: (how many of the last axes of
    each array are one example's), arrays.

    there  what computes the same on the device; None where nothing does: the elements travel to the CPU and back
    """
    def call(cores, *args):
        if there is None or any(x.size == 0 for x in args):
            return on_host(kernel, cores, args)
        try:
            with backend.raising():
                there(*args)
        except np.linalg.LinAlgError:
            raise KernelStopped from None
        return 0

    return call


class Here(threading.local):
    """Of the program that this thread runs."""

    flag = None


here = Here()


def of_devices(function):
    """What devices of a `pmap` do together, as programs call it for arrays of GPUs: they meet on the host, to which
    what they publish travels, and from which results come back."""
    if function is collectives.passed:
        return lambda axis, place: function(crew.own_axis(), place)

    kernel = compiled(function)

    def call(cores, axis, *args):
        stop(here.flag)  # what it would publish is nothing
        *operands, out, place = args
        found = np.empty(out.shape, out.dtype)
        failed = kernel(crew.own_axis(), *map(backend.get, operands), found, place)
        out[...] = backend.put_array(found)
        return failed

    return call


def on_host(kernel, cores, args) -> int:
    """A kernel of the CPU, for each example of a stack, until one fails."""
    if kernel.__name__ not in warned:
        warned.add(kernel.__name__)
        title = kernel.__name__.strip("_").removesuffix("_kernel")
        warnings.warn(f"{title} runs on the host: its arrays travel there and back", stacklevel=3)
    own = [backend.get(x) for x in args]
    parts = [x if core else x[..., None] for x, core in zip(own, cores)]  # the place of a number is an array
    stacks = [x.shape[:x.ndim - max(core, 1)] for x, core in zip(parts, cores)]
    stack = np.broadcast_shapes(*stacks)
    failed = 0
    for place in np.ndindex(*stack):
        failed = kernel(*[x[tuple([0 if n == 1 else i for i, n in zip(place[len(stack) - len(s):], s)])]
                          for x, s in zip(parts, stacks)])
        if failed:
            break
    for x, y in zip(args, own):
        if isinstance(y, np.ndarray) and x is not y and y.flags.writeable:
            x[...] = backend.put_array(y)
    return failed
