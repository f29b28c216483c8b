"""Running sums, and the order of elements."""
from __future__ import annotations

from .calls import call
from .nest import new_array
from .scalar import Operand, cast
from .writer import constant


@call("np.cumsum")
def running_sum(s, let):
    (x,), axis, name, t = let.args, let.param("axis"), s.w.name(let.name), s.fun.types[let.name]
    pull = s.pull([])
    lengths = pull.shape(x)
    new_array(s.w, name, t, lengths, s.local(let.name))
    stack, outer = pull.loops(lengths[:axis] + lengths[axis + 1:])
    with stack:
        total = s.w.fresh("total")
        s.w.line(f"{total} = {constant(-0.0 if t.is_float else 0, t.dtype)}")  # to which nothing but -0.0 adds up to -0.0
        inner, (k,) = pull.loops([lengths[axis]])
        with inner:
            idx = ", ".join([*outer[:axis], k, *outer[axis:]])
            s.w.line(f"{total} += {cast(Operand(f'{s.w.atom(x)}[{idx}]', s.w.type(x).scalar()), t.dtype)}")
            s.w.line(f"{name}[{idx}] = {total}")


@call("np.argsort")
def order(s, let):
    (x,), name, t = let.args, s.w.name(let.name), s.fun.types[let.name]
    if t.rank == 1:
        s.w.line(f"{name} = rs.argsort({s.w.atom(x)})")
        return
    pull = s.pull([])
    lengths = pull.shape(x)
    new_array(s.w, name, t, lengths, s.local(let.name))
    stack, idx = pull.loops(lengths[:-1])
    with stack:
        row, places = ", ".join(idx), s.w.fresh("places")
        s.w.line(f"{places} = rs.argsort({s.w.atom(x)}[{row}])")
        inner, (k,) = pull.loops(lengths[-1:])
        with inner:
            s.w.line(f"{name}[{row}, {k}] = {places}[{k}]")


@call("np.searchsorted")
def places(s, let):
    (a, x), name, t = let.args, s.w.name(let.name), s.fun.types[let.name]
    pull, left = s.pull([]), let.param("side") == "left"
    lengths = pull.shape(x) if t.rank else []
    if t.rank:
        new_array(s.w, name, t, lengths, s.local(let.name))
    stack, idx = pull.loops(lengths)
    with stack:
        value = f"{s.w.atom(x)}[{', '.join(idx)}]" if t.rank else cast(pull.operand(x, []), s.w.type(x).dtype)
        target = f"{name}[{', '.join(idx)}]" if t.rank else name
        s.w.line(f"{target} = rs.search({s.w.atom(a)}, {value}, {left})")
