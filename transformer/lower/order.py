"""Running sums, and the order of elements."""
from __future__ import annotations

from ..loop_core.core import Load, Span, View, number, rs
from .casts import ScalarOperand, cast_operand
from .pull import lower_new_array
from .runtime_calls import lowers


@lowers("np.cumsum", "np.cumprod")
def lower_cumulative(s, let):
    (x,), axis, name, t = let.args, let.param("axis"), s.w.name(let.name), s.fun.types[let.name]
    pull = s.pull([])
    lengths = pull.shape(x)
    lower_new_array(s.w, name, lengths, s.local(let.name))
    with pull.loops(lengths[:axis] + lengths[axis + 1:], "independent") as outer:
        # to -0.0 nothing but -0.0 adds up to -0.0
        product = let.op.name == "np.cumprod"
        total = s.w.variable("total", number(1 if product else -0.0 if t.is_float else 0, t.dtype))
        with pull.loops([lengths[axis]]) as (k,):
            idx = (*outer[:axis], k, *outer[axis:])
            value = cast_operand(ScalarOperand(Load(s.w.name(x), idx), s.w.type(x).scalar()), t.dtype)
            s.w.assign(total, total * value if product else total + value)
            s.w.store(name, idx, total)


@lowers("np.argsort")
def lower_argsort(s, let):
    (x,), name, t = let.args, s.w.name(let.name), s.fun.types[let.name]
    if t.rank == 1:
        return rs.argsort(s.w.atom(x))
    pull = s.pull([])
    lengths = pull.shape(x)
    lower_new_array(s.w, name, lengths, s.local(let.name))
    with pull.loops(lengths[:-1], "independent") as outer:
        row = s.w.new("places")
        s.w.assign(row, rs.argsort(View(s.w.name(x), (*outer, Span()))))
        with pull.loops(lengths[-1:], "independent") as (k,):
            s.w.store(name, (*outer, k), Load(row, (k,)))
    return None


@lowers("np.flatnonzero")
def lower_flatnonzero(s, let):
    x, count = let.args
    return rs.places(s.w.atom(x), s.w.atom(count))


@lowers("np.searchsorted")
def lower_searchsorted(s, let):
    (a, x), name, t = let.args, s.w.name(let.name), s.fun.types[let.name]
    pull, left = s.pull([]), let.param("side") == "left"
    if not t.rank:
        return rs.search(s.w.atom(a), cast_operand(pull.operand(x, []), s.w.type(x).dtype), left)
    lengths = pull.shape(x)
    lower_new_array(s.w, name, lengths, s.local(let.name))
    with pull.loops(lengths, "independent") as idx:
        s.w.store(name, idx, rs.search(s.w.atom(a), Load(s.w.name(x), tuple(idx)), left))
