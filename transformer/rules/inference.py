"""The types of results, which NumPy and Python are asked for, and what is wrong where there is none."""
from __future__ import annotations

import functools

import numpy as np

from ..core import Builder, Op
from ..core.types import Dim, Type, numpy_scalar, sample, type_of_number
from ..errors.messages import UnsupportedError

ONE = Dim.of(1)


class Unaligned(Exception):
    """Two dims that broadcasting needs to be equal are not known to be: (argument, axis from the right)."""

    def __init__(self, position: int, other: int):
        self.position, self.other = position, other


class Untyped(Exception):
    """NumPy (or Python) has no such operation on values of these types: `error` is what it raises."""

    def __init__(self, error: Exception):
        self.error = error


class Unbatchable(Exception):
    """An operation has no form for all examples at once, and runs example by example: why."""


def refuse_dropping(b: Builder, have: np.dtype, dtype: np.dtype) -> None:
    """What becomes a number of `dtype` keeps its imaginary part."""
    if have.kind == "c" and dtype.kind not in "cb":
        raise UnsupportedError(b.origin, f"a complex number made {dtype}, which drops its imaginary part",
                               instead="Take the part that is meant: z.real.")


def broadcast_dims(types: list[Type]) -> tuple[Dim, ...]:
    """NumPy's broadcasting of dims that are 1 or known to agree."""
    shaped = [(k, t.dims) for k, t in enumerate(types) if t.dims]
    if len(shaped) < 2:
        return shaped[0][1] if shaped else ()
    dims = []
    for axis in range(max([len(own) for _, own in shaped]), 0, -1):
        found, holder = ONE, 0
        for k, own in shaped:
            if len(own) >= axis and not (dim := own[-axis]).is_one:
                if found is ONE:
                    found, holder = dim, k
                elif found != dim:
                    raise Unaligned(k, holder)
        dims.append(found)
    return tuple(dims)


@functools.lru_cache(maxsize=None)
def result_scalar(op: Op, params: tuple, signature: tuple[Type, ...]) -> Type:
    """Kind and dtype of a rank-0 result: NumPy (or Python) is asked with a tiny sample."""
    try:
        with np.errstate(all="ignore"):
            result = op.fn(*[sample(t) for t in signature], **dict(params))
    except TypeError as error:
        raise Untyped(error) from None
    return type_of_number(result.flat[0] if isinstance(result, np.ndarray) else result)


@functools.cache
def one_element(dtype: np.dtype) -> Type:
    return Type("array", dtype, (ONE,))


def elementwise_type(op: Op, b: Builder, args, params=()) -> Type:
    types = [b.type(a) for a in args]
    scalar = result_scalar(op, params,
        tuple([t if t.kind == "py" else one_element(t.dtype) if t.dims else numpy_scalar(t.dtype) for t in types]))
    dims = broadcast_dims(types)
    return Type("array", scalar.dtype, dims) if dims else scalar
