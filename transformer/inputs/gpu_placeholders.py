"""Arrays of a GPU as arguments: for each stands an array of NumPy of the same shape and dtype, without memory, while
the program that serves the call is looked for; what runs takes the array itself.
"""
from __future__ import annotations

import contextlib

import numpy as np

from gradscribe.runtime.cuda import backend
from gradscribe.runtime.cuda.backend import default, is_device_array
from gradscribe.runtime.cuda.running import array_of, standing  # noqa: F401  `transformed` asks here what is real

from ..errors.messages import DeviceError
from ..pytree.containers import container_leaves, map_leaves


@contextlib.contextmanager
def standing_in(args: tuple, kwargs: dict, to_run: bool = True):
    """(args, kwargs) with stand-ins, for as long as a call lasts; `to_run`: there must be a device."""
    if to_run and (problem := backend.missing()) is not None:
        raise DeviceError(None, problem)
    made: dict[int, object] = {}
    memory: list[tuple[int, int, np.ndarray]] = []  # from where to where arrays lie, and what stands for that memory
    seen: dict[int, np.ndarray] = {}

    def stand_in(leaf):
        if not is_device_array(leaf):
            return leaf
        if id(leaf) not in seen:
            seen[id(leaf)] = array = shaped_like(leaf, memory)
            made[id(array)] = leaf
        return seen[id(leaf)]

    def stood_in(x):
        """The containers of a caller stay the caller's own where nothing in them lies on a device."""
        return map_leaves(stand_in, x) if any(map(is_device_array, container_leaves(x))) else x

    outer = getattr(standing, "arrays", {})
    args, kwargs = tuple(map(stood_in, args)), {k: stood_in(x) for k, x in kwargs.items()}
    standing.arrays = {**outer, **made}
    try:
        with device_errors():
            yield args, kwargs
    finally:
        standing.arrays = outer


@contextlib.contextmanager
def device_errors():
    """What the GPU or its driver raises is a MemoryError where memory lacks, else a DeviceError."""
    try:
        yield
    except Exception as error:
        if backend.lacks_memory(error):
            raise MemoryError(f"the GPU says: {error}") from error
        if backend.is_of_the_device(error):
            raise DeviceError(None, f"the GPU says: {error}") from error
        raise


def wants_device(args: tuple, kwargs: dict) -> bool:
    """Does an argument lie on a GPU, or is one asked for?"""
    return getattr(default, "device", None) is not None or any(
        is_device_array(leaf) for x in (*args, *kwargs.values()) for leaf in container_leaves(x))


def copied_tree(x):
    """The tree with its arrays copied, each where it lies."""
    def copy(leaf):
        if is_device_array(leaf):
            return backend.put_array(leaf).copy(order="K")
        return leaf.copy(order="K") if isinstance(leaf, np.ndarray) else leaf

    return map_leaves(copy, x)


def tree_on_host(x):
    """The tree with its arrays as NumPy's."""
    return map_leaves(backend.get, x)


def shaped_like(leaf, memory: list) -> np.ndarray:
    """An array of one number that says that it has the leaf's shape; the same number for arrays that overlap."""
    facts = getattr(leaf, "__cuda_array_interface__", None) or backend.put_array(leaf).__cuda_array_interface__
    dtype, shape, address = np.dtype(facts["typestr"]), tuple(facts["shape"]), facts["data"][0]
    steps = facts.get("strides") or dense(shape, dtype.itemsize)
    low = address + sum((n - 1) * s for n, s in zip(shape, steps) if s < 0)
    high = address + sum((n - 1) * s for n, s in zip(shape, steps) if s > 0) + dtype.itemsize
    base = next((b for start, end, b in memory if start < high and low < end), np.zeros(2, np.complex128))
    memory.append((low, high, base))
    return np.lib.stride_tricks.as_strided(base.view(dtype), shape, (0,) * len(shape))


def dense(shape: tuple, itemsize: int) -> list[int]:
    """The strides of an array in row-major order."""
    steps = [itemsize]
    for n in reversed(shape[1:]):
        steps.insert(0, n * steps[0])
    return steps
