"""The second half of `gs.vjp` as a program of its own, so that a pull-back evaluates nothing again."""
from __future__ import annotations

import numpy as np

from .specialise.entry import Specialised, assemble
from .transform.calls import without_calls
from .tree import is_object


class Halved:
    """(residuals, cotangent) -> cotangents of the primals; None for a cotangent that needs a conversion or is wrong."""

    def __init__(self, program, backward):
        self.program, self.backward = program, backward
        fun = backward.fun
        count = sum(backward.out_floats)
        self.types = [fun.types[p] for p in fun.params[len(fun.params) - count:]]

    @staticmethod
    def of(owner, spec):
        """The program for a specialisation of the first half; False where a residual is a tape, which is no argument."""
        from .dispatch import Program
        fun = without_calls(spec.backward.fun)
        if any(fun.types[p].kind == "tape" for p in fun.params):
            return False
        made = Specialised(fun, None, tuple(range(len(fun.params))), [], {}, [], False, len(fun.body.results), main=spec.main)
        return Halved(Program(owner, made), spec.backward)

    def __call__(self, residuals, cotangent, out, primals):
        leaves: list = []
        if not collect(self.backward.out, cotangent, leaves):
            return None
        wanted: list = []
        collect(self.backward.out, out, wanted)
        seeds = [(x, y) for x, y, is_float in zip(leaves, wanted, self.backward.out_floats) if is_float]
        if not all(fits(x, y, t) for (x, y), t in zip(seeds, self.types)):
            return None
        bars = iter(self.program.results([*residuals, *(x for x, _ in seeds)]))
        old: list = []
        collect(self.backward.primals, primals, old)
        return assemble(self.backward.primals, [next(bars) if is_float else zero(x) for x, is_float in zip(old, self.backward.floats)])


def collect(structure, value, leaves: list) -> bool:
    """Append the leaves of a value of this structure; False if it has another one."""
    if structure[0] == "leaf":
        leaves.append(value)
        return True
    if structure[0] == "static":
        return True
    cls, keys, parts = structure
    if isinstance(value, dict):
        if keys is None or list(value) != list(keys):
            return False
        items = list(value.values())
    elif isinstance(value, (tuple, list)):
        items = list(value)
    elif is_object(value) and type(value) is cls:
        items = [getattr(value, k) for k in keys]
    else:
        return False
    return len(items) == len(parts) and all(collect(p, x, leaves) for p, x in zip(parts, items))


def fits(x, like, t) -> bool:
    """Is it exactly of the type of what it belongs to?"""
    if t.kind != "array":
        return type(x) is type(like) and (t.kind != "py" or type(x) is float)
    return type(x) is np.ndarray and x.dtype == t.dtype and x.shape == np.shape(like)


def zero(x):
    """The cotangent of what has no derivative."""
    return np.zeros_like(x) if isinstance(x, np.ndarray) else type(x)(0)
