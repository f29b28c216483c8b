"""What a library computes as a whole, as a call of its kernel:
for each element of a stack, on the memory as it lies."""
from __future__ import annotations

import zlib

import numpy as np

from ..core.types import Type
from ..errors.messages import UnsupportedError
from ..loop_core.core import I8, ONE, ZERO, Call, Expr, Load, Name, Span, View, expr
from .pull import anywhere, lower_new_array
from .runtime_calls import operand_of_call


def write_host(s, let) -> None:
    """
        x = rm.empty((n, m, k), np.float64)                             y = rm.empty((n, m), np.complex128)
        for i in range(n):                                              failed = fft_of_all(a[::1, ::1], y[::1, ::1])
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
    args = [boxed(w, a, t) if not t.rank else w.atom(a) if op.mixed else operand_of_call(s, a, dtype)
            for a, t in zip(let.args, types)]
    pull = s.pull([])
    lengths, stack = core_lengths(pull, let.args, types, inputs), stack_lengths(pull, let.args, types, inputs)
    made = [result_array(s, name, [*stack, *[lengths[n] for n in core]]) for name, core in zip(let.names, outputs)]
    with pull.loops([] if op.in_one else stack, "independent") as idx:
        given = [stack_part(a, t, core, idx) for a, t, core in zip(args, types, inputs)]
        given += [result_part(n, t, core, idx) for n, t, core in zip(made, results, outputs)]
        given += [expr(place_of(w, let.origin, types[-1].dtype))] if op.placed else []
        kernel_call(w, op.kernel, given, op.fails)
    numbers_taken(s, let.names, made)


def result_array(s, name: str, shape: list[Expr]) -> Name:
    """The array for a result: for a number one of one element."""
    t = s.fun.types[name]
    array = s.w.name(name) if t.dims else s.w.new("scalar", t.dtype)
    lower_new_array(s.w, array, shape or [ONE], s.local(name) if t.dims else anywhere)
    return array


def numbers_taken(s, names, arrays: list[Name]) -> None:
    """The results that are numbers, out of their arrays."""
    for name, array in zip(names, arrays):
        if not s.fun.types[name].dims:
            s.w.assign(s.w.name(name), Load(array, (ZERO,)))


def kernel_call(w, kernel, args, fails) -> None:
    """The call of a kernel, and how it fails."""
    if kernel not in w.imports:
        w.imports[kernel] = w.fresh(kernel.__name__)
    failed = w.new("failed")
    w.assign(failed, Call(w.imports[kernel], tuple(args), I8))
    for number, (kind, message) in enumerate(fails, 1):
        w.check(failed.ne(number), f"{kind.__module__}:{kind.__qualname__}" if kind.__module__ != "builtins"
                else kind.__name__, message)


def lower_together(s, let) -> None:
    """
        failed = add_kernel(axis, x, x_sum, 3)          # for each operand
        failed = exchange_kernel(axis, x, x_sum, 4)
        rs.check(failed != 1, SITE, 0, 0)
        failed = take_kernel(axis, x, x_sum, 5)         # for each operand
        rs.check(failed != 1, SITE, 0, 0)
    """
    op, w, pull, (axis, *operands) = let.op, s.w, s.pull([]), let.args
    made, pairs = [], []
    for x, name in zip(operands, let.names):
        t = s.fun.types[name]
        made.append(result_array(s, name, [pull.length(x, k) for k in range(t.rank)]))
        pairs.append([View(array, (WHOLE,) * (t.rank or 1))
                      for array in (w.atom(x) if t.rank else boxed(w, x, t), made[-1])])
    add, exchange, take = op.kernels
    for kernel, each, fails in (add, pairs, ()), (exchange, pairs[:1], op.fails), (take, pairs, op.fails):
        for (x, y), name in zip(each, let.names):
            place = place_of(w, let.origin, s.fun.types[name].dtype)
            kernel_call(w, kernel, [View(w.atom(axis), (WHOLE, WHOLE)), x, y, expr(place)], fails)
    numbers_taken(s, let.names, made)


def place_of(w, origin, dtype: np.dtype) -> int:
    """The number of a place, in the program and in the user's text, where devices exchange numbers of a dtype: they may
    run different programs."""
    where = str(dtype) if origin is None else f"{dtype} {origin.path} {origin.adjoint} {origin.tangent}"
    return zlib.crc32(where.encode(), next(w.places))


def core_lengths(pull, atoms, types, inputs) -> dict:
    """The lengths of the last axes, those of one matrix, by what the operation calls them."""
    found: dict = {}
    for atom, t, core in zip(atoms, types, inputs):
        for k, n in enumerate(core, t.rank - len(core)):
            found.setdefault(n, pull.length(atom, k))
    return found


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
    lower_new_array(w, name, [ONE], anywhere)
    w.store(name, (ZERO,), w.atom(atom))
    return name


WHOLE = Span(step=ONE)  # with a step, so that to numba all are of one memory order, and the kernel is compiled once


def stack_part(array: Name, t: Type, core, idx: list[Expr]) -> View:
    """The part of an array for one place of the stack."""
    if not t.rank:
        return array
    own = t.rank - len(core)
    places = [ZERO if d.is_one else i for d, i in zip(t.dims[:own], idx[len(idx) - own:])]
    return View(array, (*places, *[WHOLE] * (t.rank - len(places))))


def result_part(array: Name, t: Type, core, idx: list[Expr]) -> View:
    """The same of an array for results; the place for one number is an array, too."""
    if core:
        return stack_part(array, t, core, idx)
    return View(array, (*idx[:-1], Span(idx[-1], idx[-1] + 1, ONE)) if idx else (WHOLE,))
