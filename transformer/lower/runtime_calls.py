"""Operations that are a call of `runtime` or a line of NumPy: products, checks, tapes, creation."""
from __future__ import annotations

import functools
import math
import operator

import numpy as np

from gradscribe.runtime.plain.printing import enter_text
from gradscribe.runtime.plain.segments import LEAST
from gradscribe.runtime.plain.telling import SAYS

from ..core import Const, Let
from ..core.types import Type
from ..loop_core.core import (I8, ONE, ZERO, Binary, Call, Copy, Expr, Field, Length, Load, Name, Num, Span, Tuple,
                              View, expr, number, product, rl, rm, rs)
from ..loop_core.small import FEW
from . import views
from .casts import ScalarOperand, cast_operand, narrow
from .nest import Destination, Nest
from .pull import anywhere, lower_new_array

CALLS = {}
SMALL = 64  # elements of both factors of a product of small matrices


def lowers(*names):
    """Enter what writes an operation, or gives its value."""
    def enter(write):
        CALLS.update({name: write for name in names})
        return write

    return enter


@lowers("rt.size")
def lower_size(s, let):
    s.w.sizes.add(s.w.name(let.name).id)
    return Length(s.w.atom(let.args[0]), let.param("axis"))


@lowers("np.zeros", "np.empty")
def created(s, let):
    """In a loop that keeps nothing of it, an array is allocated once, before the loop."""
    lower_new_array(s.w, s.w.name(let.name), [s.w.atom(a) for a in let.args], s.local(let.name),
                    zeroed=let.op.name == "np.zeros")


@lowers("np.copy")
def lower_copy(s, let):
    """Of few elements by their places, so that they can be numbers."""
    source, name = s.w.atom(let.args[0]), s.w.name(let.name)
    sizes = [d.constant for d in s.w.type(let.name).dims]
    if not sizes or None in sizes or not 0 < math.prod(sizes) <= FEW:
        return s.w.add(Copy(name, source))
    lengths = [Num(n, I8) for n in sizes]
    lower_new_array(s.w, name, lengths, s.local(let.name))
    with s.pull([]).loops(lengths, "independent") as idx:
        s.w.store(name, idx, Load(source, tuple(idx)))


@lowers("np.transpose")
def transposed(s, let):
    axes, x = let.param("axes"), s.w.atom(let.args[0])
    if axes == tuple(range(len(axes))):
        return x
    return Field(x, "T") if axes == tuple(reversed(range(len(axes)))) else rm.transpose(x, *axes)


@lowers("np.reshape")
def reshaped(s, let):
    x, *shape = let.args
    return rm.reshape(s.w.atom(x), Tuple(tuple(map(s.w.atom, shape)))) if s.w.type(x).rank else s.map(let)


@lowers("matmul")
def matrix_product(s, let):
    """BLAS where it can; a sum for two vectors; loops for ints."""
    t = s.fun.types[let.name]
    if t.dtype.kind not in "fc" or t.kind != "array" or s.w.threads and is_small(s, let):
        return product_by_loops(s, let)
    x, y = (operand_of_call(s, atom, t.dtype) for atom in let.args)
    lower_new_array(s.w, s.w.name(let.name), product_shape(s, let), s.local(let.name))
    s.w.call(rl.matmul(x, y, s.w.name(let.name)))


def is_small(s, let) -> bool:
    """Is a product one that a thread of a GPU does sooner than a library is called?"""
    sizes = [d.constant for a in let.args for d in s.w.type(a).dims]
    return None not in sizes and math.prod(sizes) <= SMALL


def operand_of_call(s, atom, dtype) -> Expr:
    """A factor of a product in its dtype."""
    t = s.w.type(atom)
    if t.dtype == dtype:
        return s.w.atom(atom)
    pull = s.pull([])
    lengths, name = pull.shape(atom), s.w.new("factor", dtype)
    lower_new_array(s.w, name, lengths, anywhere)
    Nest(pull, lengths, destinations=[Destination(atom, Type("array", dtype, t.dims), lambda idx: idx, name)]).write()
    return name


def product_shape(s, let) -> list[Expr]:
    (x, y), pull = let.args, s.pull([])
    tx, ty = s.w.type(x), s.w.type(y)
    rank = max(tx.rank, ty.rank) - 2
    batch = [ONE] * max(rank, 0)
    for a, t in ((x, tx), (y, ty)):
        for k in range(t.rank - 2):
            if not t.dims[k].is_one:
                batch[k - (t.rank - 2) + rank] = pull.length(a, k)
    return (batch + ([pull.length(x, tx.rank - 2)] if tx.rank > 1 else [])
            + ([pull.length(y, ty.rank - 1)] if ty.rank > 1 else []))


def product_by_loops(s, let) -> None:
    x, y = let.args
    t, name, pull = s.fun.types[let.name], s.w.name(let.name), s.pull([])
    tx, ty = s.w.type(x), s.w.type(y)
    lengths = product_shape(s, let)
    if lengths:
        lower_new_array(s.w, name, lengths, s.local(let.name))
    with pull.loops(lengths, "independent") as idx:
        row, column = idx[-1:] if ty.rank == 1 else idx[-2:-1], idx[-1:] if ty.rank > 1 else []
        row = row if tx.rank > 1 else []
        batch = idx[:len(idx) - len(row) - len(column)]
        total = s.w.variable("total", number(0, t.dtype))
        with pull.loops([pull.length(x, tx.rank - 1)], "reduction") as (k,):
            at_x = aligned_batch(tx, batch) + row + [k]
            at_y = aligned_batch(ty, batch) + [k] + column
            a, b = (cast_operand(ScalarOperand(Load(s.w.atom(v), tuple(at)), u.scalar()), t.dtype)
                    for v, u, at in ((x, tx, at_x), (y, ty, at_y)))
            s.w.assign(total, narrow(total | a & b if t.dtype.kind == "b" else total + a * b, t.dtype))
        if not lengths:
            return total
        s.w.store(name, idx, total)


def aligned_batch(t, batch) -> list[Expr]:
    count = max(t.rank - 2, 0)
    return [ZERO if d.is_one else i for d, i in zip(t.dims[:count], batch[len(batch) - count:])]


@lowers("np.concatenate")
def concatenated(s, let):
    name, t, axis = s.w.name(let.name), s.fun.types[let.name], let.param("axis")
    pull = s.pull([])
    parts = [pull.shape(a) for a in let.args]
    lengths = list(parts[0])
    lengths[axis] = s.w.let("n", functools.reduce(operator.add, (p[axis] for p in parts)))
    lower_new_array(s.w, name, lengths, s.local(let.name))
    at = ZERO
    for atom, part in zip(let.args, parts):
        def place(idx, at=at):
            return [at + i if k == axis and at != ZERO else i for k, i in enumerate(idx)]

        Nest(pull, part, destinations=[Destination(atom, t, place, name)]).write()
        at = s.w.let("at", part[axis] if at == ZERO else at + part[axis])


@lowers("np.roll")
def lower_roll(s, let):
    name, pull = s.w.name(let.name), s.pull([let])
    pull.prepare([let])
    lengths = pull.shape(let.name)
    lower_new_array(s.w, name, lengths, s.local(let.name))
    Nest(pull, lengths, destinations=[Destination(let.name, s.fun.types[let.name], list, name)]).write()


@lowers("np.stack")
def lower_stack(s, let):
    name, t, axis = s.w.name(let.name), s.fun.types[let.name], let.param("axis")
    pull = s.pull([])
    part = pull.shape(let.args[0])
    lengths = list(part)
    lengths.insert(axis, expr(len(let.args)))
    lower_new_array(s.w, name, lengths, s.local(let.name))
    for k, atom in enumerate(let.args):
        def place(idx, k=k):
            return [*idx[:axis], expr(k), *idx[axis:]]

        Nest(pull, part, destinations=[Destination(atom, t, place, name)]).write()


@lowers("np.argmax", "np.argmin")
def extreme_place(s, let):
    x, name, t, axis = let.args[0], s.w.name(let.name), s.fun.types[let.name], let.param("axis")
    pull = s.pull([])
    lengths = pull.shape(x)
    axes = list(range(len(lengths))) if axis is None else [axis % len(lengths)]
    kept = [n for k, n in enumerate(lengths) if k not in axes]
    for k in axes:
        s.w.check(lengths[k] > 0, "ValueError", f"attempt to get {let.op.name[3:]} of an empty sequence")
    if t.kind == "array":
        lower_new_array(s.w, name, kept)
    with pull.loops(kept, "independent") as outer:
        best = s.w.variable("best", Load(s.w.atom(x), merged_axes(outer, axes, [ZERO] * len(axes))))
        at, flat = s.w.variable("at", ZERO), s.w.variable("k", ZERO)
        with pull.loops([lengths[k] for k in axes]) as inner:
            value = s.w.variable("value", Load(s.w.atom(x), merged_axes(outer, axes, inner)))
            better = value > best if let.op.name == "np.argmax" else value < best
            with s.w.when(Binary("or", better, Binary("and", value.ne(value), best.eq(best)))
                          if s.w.type(x).is_float else better):
                s.w.assign(best, value)
                s.w.assign(at, flat)
            s.w.assign(flat, flat + 1)
        if t.kind != "array":
            return at
        s.w.store(name, outer, at)


def merged_axes(outer, axes, inner) -> tuple[Expr, ...]:
    """An index with `inner` at these axes, and `outer` at the others."""
    count, inner, outer = len(inner) + len(outer), iter(inner), iter(outer)
    return tuple([next(inner) if k in axes else next(outer) for k in range(count)])


# checks ------------------------------------------------------------------------------------------
@lowers("rt.require")
def lower_require(s, let):
    condition, *values = let.args
    kind, message = let.param("kind"), let.param("message")
    if message is not None:
        s.w.check(s.w.atom(condition), kind, message.replace("{", "{{").replace("}", "}}"))
    else:
        site = s.w.site(kind, None, error=let.param("error"),
                        values=tuple(a if isinstance(a, Const) else s.w.type(a) for a in values))
        numbers = [rs.bits(s.w.atom(a)) for a in values if not isinstance(a, Const) and s.w.type(a).kind != "array"]
        s.w.check_all(s.w.atom(condition), site, numbers or [ZERO])
    s.ranges.learn(condition, True)


@lowers("print", *SAYS)
def lower_print(s, let):
    types = [s.w.type(a) for a in let.args]
    forms = tuple([f"py {t.dtype.kind}" if t.kind == "py" else f"{t.rank if t.kind == 'array' else 'np'} {t.dtype.str}"
                   for t in types])
    number = (enter_text(let.param("text"), let.param("end"), forms) if let.op.name == "print" else
              enter_text(let.param("texts"), (let.op.name, let.param("to")), forms))
    s.w.call(rs.say(number, *map(s.w.atom, let.args)))


@lowers("rt.clock", "rt.log_enabled")
def lower_asked(s, let):
    asked = let.param("asked")
    if let.op.name == "rt.clock":
        return rs.read_clock(enter_text(*asked, "", ()))
    return Call("rs.asked_level", (expr(enter_text(asked, "", ())),), np.dtype(bool))


@lowers("rt.same_sizes")
def lower_same_sizes(s, let):
    count = let.param("count")
    have, want, others = let.args[:count], let.args[count:2 * count], let.args[2 * count:]
    conditions = [s.w.atom(a).eq(s.w.atom(b)) for a, b in zip(have, want) if a != b]
    for a, b in zip(have, want):
        s.ranges.equal.learn(s.ranges.b.dim(a), s.ranges.b.dim(b))
    if conditions:
        s.w.check_all(functools.reduce(operator.and_, conditions), s.w.site(let.param("kind"), let.param("how")),
                      map(s.w.atom, others))


@lowers("rt.match")
def matched(s, let):
    x, *numbers = let.args
    axes, how = let.param("axes"), let.param("how")
    for axis, n in zip(axes, numbers):
        s.w.check_all(Length(s.w.atom(x), axis).eq(s.w.atom(n)), s.w.site(let.param("kind", "ValueError"), how),
                      map(s.w.atom, numbers[len(axes):]))
    return s.w.atom(x)


@lowers("rt.trip_count")
def lower_trip_count(s, let):
    start, stop, step = (s.w.atom(a) for a in let.args)
    if not isinstance(let.args[2], Const):
        s.w.check(step.ne(0), "ValueError", "range() arg 3 must not be zero")
    return rs.trip_count(start, stop, step)


@lowers("rt.segment_length")
def lower_segment_length(s, let):
    rounds, state, kept, room = map(s.w.atom, let.args)
    length = s.w.let("length", rs.fitting_length(rounds, state, kept, room))
    s.w.check_all(length > 0, s.w.site("RefusedValue", LEAST), (room, rs.least_room(rounds, state, kept)))
    return length


@lowers("rt.segment_starts", "rt.starts_ahead", "rt.next_start")
def lower_segments(s, let):
    return Call(f"rs.{let.op.name[3:]}", tuple(map(s.w.atom, let.args)))


@lowers("rt.slice_length")
def lower_slice_length(s, let):
    n, *bounds = let.args
    bounds = iter(bounds)
    own = tuple(next(bounds) if flag == "1" else None for flag in let.param("given"))
    return views.prepare_slice(s.w, own, s.w.atom(n), s.ranges.b.dim(n), s).length


# tapes ---------------------------------------------------------------------------------------------
@lowers("rt.tape")
def lower_tape(s, let):
    lower_new_array(s.w, s.w.name(let.name), [expr(64)], s.local(let.name))


@lowers("rt.tape_zeros")
def lower_tape_zeros(s, let):
    s.w.alloc(s.w.name(let.name), [Length(s.w.atom(let.args[0]), 0)], zeroed=True)


@lowers("rt.push_")
def lower_push(s, let):
    name, (tape, p, value) = s.w.name(let.name), let.args
    p, t = s.w.atom(p), s.w.type(value)
    if not t.rank:
        with_room(s, name, s.w.atom(tape), p + 1)
        return s.w.store(name, (p,), scalar_of(s, value, s.fun.types[let.name].dtype))
    pull = s.pull([])
    lengths = pull.shape(value)
    with_room(s, name, s.w.atom(tape), p + product(lengths))
    flat_operand(s, pull, lengths, name, p, value)


def with_room(s, name: Name, tape: Name, need: Expr) -> None:
    """Grow a tape where it must; counting the references to it takes longer than the test."""
    if name != tape:
        s.w.assign(name, tape)
    with s.w.when(need > Field(name, "size")):
        s.w.assign(name, rs.room(name, need))


@lowers("rt.push_add_")
def lower_push_add(s, let):
    name, (_, p, value) = s.w.name(let.name), let.args
    if not s.w.type(value).rank:
        s.w.store(name, (s.w.atom(p),), scalar_of(s, value, s.fun.types[let.name].dtype), add=True)
    else:
        pull = s.pull([])
        flat_operand(s, pull, pull.shape(value), name, s.w.atom(p), value, add=True)


def scalar_of(s, value, dtype):
    return cast_operand(s.pull([]).operand(value, []), dtype)


def flat_operand(s, pull, lengths, name, p, value, add=False):
    """The elements of a value, one after the other, from place p on."""
    at = s.w.variable("at", p)
    with pull.loops(lengths) as idx:
        pull.memo.clear()
        s.w.store(name, (at,), pull.at(value, idx), add)
        s.w.assign(at, at + 1)


@lowers("rt.pop")
def lower_pop(s, let):
    tape, p, *shape = let.args
    tape, start, lengths = s.w.name(tape), s.w.atom(p), tuple(map(s.w.atom, shape))
    if not shape:
        return Load(tape, (start,))
    part = View(tape, (Span(start, start + product(lengths)),))
    return part if len(lengths) == 1 else rm.reshape(part, Tuple(lengths))


@lowers("rt.last_writer")
def lower_last_writer(s, let):
    """Number the places in the order in which they are written; who finds its own number wrote last."""
    name, base = s.w.name(let.name), let.args[0]
    pull = s.pull([])
    part = Let(("part",), None, let.args, let.params, let.origin)
    parts, lengths = pull.view(part), pull.view_lengths(part)
    order, k = s.w.new("order"), s.w.new("k")
    s.w.alloc(order, pull.shape(base))
    lower_new_array(s.w, name, lengths)
    for write in (True, False):
        s.w.assign(k, 0)
        with pull.loops(lengths) as idx:
            pull.memo.clear()
            place = tuple(pull.places(base, parts, idx))
            s.w.store(order, place, k) if write else s.w.store(name, idx, Load(order, place).eq(k))
            s.w.assign(k, k + 1)
