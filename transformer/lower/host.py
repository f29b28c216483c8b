"""What a library computes as a whole, as a call of its kernel:
for each element of a stack, on the memory as it lies."""
from __future__ import annotations

import zlib

import numpy as np

from ..errors import UnsupportedError
from ..loops.core import I8, ONE, ZERO, Call, Expr, Load, Name, Span, View, expr
from ..types import Type
from .runtime_calls import operand
from .pull import anywhere, new_array


def write_host(s, let) -> None:
    """
        x = rm.empty((n, m, k), np.float64)
        for i in range(n):
            failed = solve_one(a[i, ::1, ::1], b[::1], x[i, ::1])
            rs.check(failed != 1, SITE, 0, 0)
    """
    op, w = let.op, s.w
    if op.kernel is None:
        raise UnsupportedError(let.origin, f"{op.name} in compiled code", instead="Call the function without gs.jit.")
    types = [w.type(a) for a in let.args]
    inputs, outputs, _ = op.cores(types)
    results = [s.fun.types[n] for n in let.names]
    dtype = np.result_type(results[0].dtype, *[t.dtype for t in types if t.dtype.kind == "c"])
    args = [boxed(w, a, t) if not t.rank else w.atom(a) if op.mixed else operand(s, a, dtype)
            for a, t in zip(let.args, types)]
    pull, lengths = s.pull([]), {}
    for atom, t, core in zip(let.args, types, inputs):
        for k, n in enumerate(core, t.rank - len(core)):
            lengths.setdefault(n, pull.length(atom, k))
    stack = stack_lengths(pull, let.args, types, inputs)
    names = []
    for name, t, core in zip(let.names, results, outputs):
        names.append(w.name(name) if t.dims else w.new("scalar", t.dtype))
        shape = [*stack, *(lengths[n] for n in core)]
        new_array(w, names[-1], shape or [ONE], s.local(name) if t.dims else anywhere)
    if op.kernel not in w.imports:
        w.imports[op.kernel] = w.fresh(op.kernel.__name__)
    with pull.loops(stack, "independent") as idx:
        given = [part(a, t, core, idx) for a, t, core in zip(args, types, inputs)]
        given += [part(n, t, core, idx) if core else one(n, idx) for n, t, core in zip(names, results, outputs)]
        given += [expr(place_of(w, let.origin, types[-1].dtype))] if op.placed else []
        failed = w.new("failed")
        w.assign(failed, Call(w.imports[op.kernel], tuple(given), I8))
        for number, (kind, message) in enumerate(op.fails, 1):
            w.check(failed.ne(number), f"{kind.__module__}:{kind.__qualname__}" if kind.__module__ != "builtins"
                    else kind.__name__, message)
    for name, made, t in zip(let.names, names, results):
        if not t.dims:
            w.assign(w.name(name), Load(made, (ZERO,)))


def place_of(w, origin, dtype: np.dtype) -> int:
    """The number of a place, in the program and in the user's text, where devices exchange numbers of a dtype: they may
    run different programs."""
    where = str(dtype) if origin is None else f"{dtype} {origin.path} {origin.adjoint} {origin.tangent}"
    return zlib.crc32(where.encode(), next(w.places))


def stack_lengths(pull, atoms, types, inputs) -> list[Expr]:
    """The lengths that the axes before the last ones broadcast to."""
    rank = max(t.rank - len(core) for t, core in zip(types, inputs))
    out = [ONE] * rank
    for atom, t, core in zip(atoms, types, inputs):
        own = t.rank - len(core)
        for k in range(own):
            if not t.dims[k].is_one:
                out[k + rank - own] = pull.length(atom, k)
    return out


def boxed(w, atom, t: Type) -> Name:
    """A number in an array of one element."""
    name = w.new("scalar", t.dtype)
    new_array(w, name, [ONE], anywhere)
    w.store(name, (ZERO,), w.atom(atom))
    return name


WHOLE = Span(step=ONE)  # with a step, so that to numba all are of one memory order, and the kernel is compiled once


def part(array: Name, t: Type, core, idx: list[Expr]) -> View:
    """The part of an array for one place of the stack."""
    if not t.rank:
        return array
    own = t.rank - len(core)
    places = [ZERO if d.is_one else i for d, i in zip(t.dims[:own], idx[len(idx) - own:])]
    return View(array, (*places, *[WHOLE] * len(core)))


def one(array: Name, idx: list[Expr]) -> View:
    """The place for one number, as an array."""
    return View(array, (*idx[:-1], Span(idx[-1], idx[-1] + 1, ONE)) if idx else (WHOLE,))
