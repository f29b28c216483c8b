"""A stand-in for Gradscribe with derivatives by finite differences:
the oracle's own tests break it in every way they can think of."""

import copy
from types import SimpleNamespace

import numpy as np

from . import numeric, pieces


class RefusedValue(ValueError):
    pass


class UnsupportedError(Exception):
    pass


class SpecialisationError(Exception):
    pass


errors = SimpleNamespace(UnsupportedError=UnsupportedError, RefusedValue=RefusedValue,
                         SpecialisationError=SpecialisationError)


def stages(function, args):
    yield "itself", function


test_util = SimpleNamespace(stages=stages, primal=lambda function: function)


def jit(function):
    return function


def vmap(function, in_axes):
    def batched(*args):
        count = next(len(a) for a, axis in zip(args, in_axes) if axis == 0)
        outs = [function(*(np.copy(a[k]) if axis == 0 else copy.deepcopy(a) for a, axis in zip(args, in_axes)))
                for k in range(count)]
        return stacked(outs)

    return batched


def stacked(parts):
    if isinstance(parts[0], (tuple, list)):
        return type(parts[0])(stacked(p) for p in zip(*parts))
    return None if parts[0] is None else np.stack([np.asarray(p) for p in parts])


def jvp(function, primals, dots):
    out = checked(function, primals)
    direction = tuple(d if numeric.floating(p) else None for p, d in zip(primals, dots))
    slope = numeric.slope(function, primals, direction)
    return out, unflat(out, slope.value)


def vjp(function, *primals):
    out = checked(function, primals)
    return out, lambda seeds: tuple(cotangent(function, primals, k, numeric.flat(seeds)) for k in range(len(primals)))


def value_and_grad(function, argnums):
    def made(*args):
        bars = tuple(cotangent(function, args, k, np.ones(1)) for k in argnums)
        return checked(function, args), bars

    return made


def grad(function, argnums):
    return lambda *args: value_and_grad(function, argnums)(*args)[1]


def checked(function, args):
    result = numeric.run(function, args)
    if result.error is not None:
        raise result.error
    return result.out


def cotangent(function, args, k, seeds):
    """One finite difference per element of argument k."""
    value = args[k]
    if not numeric.floating(value):
        return None
    slopes = []
    for unit in np.eye(np.size(value)):
        direction = tuple(numeric.like(value, unit.reshape(np.shape(value))) if i == k else None
                          for i in range(len(args)))
        slopes.append(seeds @ numeric.slope(function, args, direction).value)
    return numeric.like(value, np.reshape(slopes, np.shape(value)))


def unflat(out, numbers):
    """Numbers in the structure of the float leaves of out."""
    if isinstance(out, tuple):
        parts = []
        for leaf in out:
            count = np.size(leaf) if numeric.floating(leaf) else 0
            parts.append(unflat(leaf, numbers[:count]))
            numbers = numbers[count:]
        return tuple(parts)
    return numeric.like(out, numbers.reshape(np.shape(out))) if numeric.floating(out) else pieces.still(out)
