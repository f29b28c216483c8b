"""Operations that are a call of `runtime` or a line of NumPy: products, checks, tapes, creation."""
from __future__ import annotations

from ..core import Const, Let
from ..types import Dim, Type
from . import views
from .group import Group, Target
from .nest import anywhere, may_move, new_array
from .scalar import Operand, cast, narrow
from .writer import constant, dtype_text, tuple_text

CALLS = {}


def call(*names):
    def enter(write):
        CALLS.update({name: write for name in names})
        return write

    return enter


@call("rt.size")
def size(s, let):
    s.w.line(f"{s.w.name(let.name)} = {s.w.atom(let.args[0])}.shape[{let.param('axis')}]")
    s.w.sizes.add(s.w.name(let.name))


@call("np.zeros", "np.empty")
def created(s, let):
    """In a loop that keeps nothing of it, an array is allocated once, before the loop."""
    name, t = s.w.name(let.name), s.fun.types[let.name]
    lengths = [s.w.atom(a) for a in let.args]
    if let.op.name == "np.empty":
        new_array(s.w, name, t, lengths, s.local(let.name))
    elif may_move(s.w, lengths, s.local(let.name)):
        new_array(s.w, name, t, lengths, s.local(let.name))
        s.w.line(f"rm.clear({name})")
    else:
        s.w.line(f"{name} = rm.zeros({tuple_text(lengths)}, {dtype_text(t.dtype)})")


@call("np.copy")
def copied(s, let):
    s.w.line(f"{s.w.name(let.name)} = rm.copy({s.w.atom(let.args[0])})")


@call("np.transpose")
def transposed(s, let):
    axes, x = let.param("axes"), s.w.atom(let.args[0])
    if axes == tuple(range(len(axes))):
        s.w.alias(let.name, let.args[0])
    elif axes == tuple(reversed(range(len(axes)))):
        s.w.line(f"{s.w.name(let.name)} = {x}.T")
    else:
        s.w.line(f"{s.w.name(let.name)} = rm.transpose({x}, {', '.join(map(str, axes))})")


@call("np.reshape")
def reshaped(s, let):
    x, *shape = let.args
    if s.w.type(x).rank == 0:
        return s.map(let)
    s.w.line(f"{s.w.name(let.name)} = rm.reshape({s.w.atom(x)}, {tuple_text(s.w.atom(a) for a in shape)})")


@call("matmul")
def product(s, let):
    """BLAS where it can; a sum for two vectors; loops for ints."""
    t = s.fun.types[let.name]
    if t.dtype.kind != "f" or t.kind != "array":
        return product_by_loops(s, let)
    x, y = (operand(s, atom, t.dtype) for atom in let.args)
    new_array(s.w, s.w.name(let.name), t, product_shape(s, let), s.local(let.name))
    s.w.line(f"rl.matmul({x}, {y}, {s.w.name(let.name)})")


def operand(s, atom, dtype) -> str:
    """A factor of a product in its dtype."""
    t = s.w.type(atom)
    if t.dtype == dtype:
        return s.w.atom(atom)
    pull = s.pull([])
    lengths, name = pull.shape(atom), s.w.fresh("factor")
    new_array(s.w, name, Type("array", dtype, t.dims), lengths, anywhere)
    Group(pull, lengths, targets=[Target(atom, Type("array", dtype, t.dims), lambda idx: ", ".join(idx), name)]).write()
    return name


def product_shape(s, let) -> list[str]:
    (x, y), pull = let.args, s.pull([])
    tx, ty = s.w.type(x), s.w.type(y)
    rank = max(tx.rank, ty.rank) - 2
    batch = ["1"] * max(rank, 0)
    for a, t in ((x, tx), (y, ty)):
        for k in range(t.rank - 2):
            if not t.dims[k].is_one:
                batch[k - (t.rank - 2) + rank] = pull.length(a, k)
    return batch + ([pull.length(x, tx.rank - 2)] if tx.rank > 1 else []) + ([pull.length(y, ty.rank - 1)] if ty.rank > 1 else [])


def product_by_loops(s, let) -> None:
    x, y = let.args
    t, name, pull = s.fun.types[let.name], s.w.name(let.name), s.pull([])
    tx, ty = s.w.type(x), s.w.type(y)
    lengths = product_shape(s, let)
    if lengths:
        new_array(s.w, name, t, lengths)
    stack, idx = pull.loops(lengths)
    with stack:
        row, column = idx[-1:] if ty.rank == 1 else idx[-2:-1], idx[-1:] if ty.rank > 1 else []
        row = row if tx.rank > 1 else []
        batch = idx[:len(idx) - len(row) - len(column)]
        total = s.w.fresh("total")
        s.w.line(f"{total} = {constant(0, t.dtype)}")
        inner, (k,) = pull.loops([pull.length(x, tx.rank - 1)])
        with inner:
            at_x = aligned_batch(tx, batch) + row + [k]
            at_y = aligned_batch(ty, batch) + [k] + column
            a, b = (cast(Operand(f"{s.w.atom(v)}[{', '.join(at)}]", u.scalar()), t.dtype) for v, u, at in ((x, tx, at_x), (y, ty, at_y)))
            term = f"{total} + {a} * {b}" if t.dtype.kind != "b" else f"{total} | ({a} & {b})"
            s.w.line(f"{total} = {narrow(term, t.dtype)}")
        s.w.line(f"{name}[{', '.join(idx)}] = {total}" if lengths else f"{name} = {total}")


def aligned_batch(t, batch) -> list[str]:
    count = max(t.rank - 2, 0)
    return ["0" if d.is_one else i for d, i in zip(t.dims[:count], batch[len(batch) - count:])]


@call("np.outer")
def outer(s, let):
    x, y = let.args
    pull = s.pull([])
    n, m = pull.length(x, 0), pull.length(y, 0)
    name, t = s.w.name(let.name), s.fun.types[let.name]
    new_array(s.w, name, t, [n, m])
    i, j = s.w.fresh("i"), s.w.fresh("j")
    with s.w.indented(f"for {i} in range({n}):"):
        with s.w.indented(f"for {j} in range({m}):"):
            a, b = cast(pull.operand(x, [i]), t.dtype), cast(pull.operand(y, [j]), t.dtype)
            s.w.line(f"{name}[{i}, {j}] = {a} * {b}")


@call("np.concatenate")
def concatenated(s, let):
    name, t, axis = s.w.name(let.name), s.fun.types[let.name], let.param("axis")
    pull = s.pull([])
    parts = [pull.shape(a) for a in let.args]
    lengths = list(parts[0])
    lengths[axis] = s.w.let("n", " + ".join(p[axis] for p in parts))
    new_array(s.w, name, t, lengths, s.local(let.name))
    at = "0"
    for atom, part in zip(let.args, parts):
        def place(idx, at=at):
            return ", ".join(f"{at} + {i}" if k == axis and at != "0" else i for k, i in enumerate(idx))

        Group(pull, part, targets=[Target(atom, t, place, name)]).write()
        at = s.w.let("at", part[axis] if at == "0" else f"{at} + {part[axis]}")


@call("np.stack")
def stacked(s, let):
    name, t, axis = s.w.name(let.name), s.fun.types[let.name], let.param("axis")
    pull = s.pull([])
    part = pull.shape(let.args[0])
    lengths = list(part)
    lengths.insert(axis, str(len(let.args)))
    new_array(s.w, name, t, lengths, s.local(let.name))
    for k, atom in enumerate(let.args):
        def place(idx, k=k):
            idx = list(idx)
            idx.insert(axis, str(k))
            return ", ".join(idx)

        Group(pull, part, targets=[Target(atom, t, place, name)]).write()


@call("np.argmax", "np.argmin")
def extreme_place(s, let):
    x, name, t, axis = let.args[0], s.w.name(let.name), s.fun.types[let.name], let.param("axis")
    pull = s.pull([])
    lengths = pull.shape(x)
    better = ">" if let.op.name == "np.argmax" else "<"
    axes = list(range(len(lengths))) if axis is None else [axis % len(lengths)]
    kept = [n for k, n in enumerate(lengths) if k not in axes]
    for k in axes:
        s.w.check(f"{lengths[k]} > 0", "ValueError", f"attempt to get {let.op.name[3:]} of an empty sequence")
    if t.kind == "array":
        new_array(s.w, name, t, kept)
    stack, outer_idx = pull.loops(kept)
    with stack:
        best, at, flat = s.w.fresh("best"), s.w.fresh("at"), s.w.fresh("k")
        first = list(outer_idx)
        for k in axes:
            first.insert(k, "0")
        s.w.line(f"{best} = {s.w.atom(x)}[{', '.join(first)}]")
        s.w.line(f"{at} = 0")
        s.w.line(f"{flat} = 0")
        inner, inner_idx = pull.loops([lengths[k] for k in axes])
        with inner:
            idx = list(outer_idx)
            for k, i in zip(axes, inner_idx):
                idx.insert(k, i)
            value = s.w.fresh("value")
            s.w.line(f"{value} = {s.w.atom(x)}[{', '.join(idx)}]")
            nan = f" or ({value} != {value} and {best} == {best})" if s.w.type(x).is_float else ""
            with s.w.indented(f"if {value} {better} {best}{nan}:"):
                s.w.line(f"{best} = {value}")
                s.w.line(f"{at} = {flat}")
            s.w.line(f"{flat} += 1")
        s.w.line(f"{name}[{', '.join(outer_idx)}] = {at}" if t.kind == "array" else f"{name} = {at}")


# checks ------------------------------------------------------------------------------------------
@call("rt.require")
def required(s, let):
    condition, *values = let.args
    kind, message = let.param("kind"), let.param("message")
    if message is not None:
        s.w.check(s.w.atom(condition), kind, message.replace("{", "{{").replace("}", "}}"))
    else:
        site = s.w.site(kind, None, error=let.param("error"), values=tuple(a if isinstance(a, Const) else s.w.type(a) for a in values))
        numbers = [f"rs.bits({s.w.atom(a)})" for a in values if not isinstance(a, Const) and s.w.type(a).kind != "array"]
        s.w.line(f"rs.check_all({s.w.atom(condition)}, {site}, {tuple_text(numbers or ['0'])})")
    s.ranges.learn(condition, True)


@call("rt.same_sizes")
def same_sizes(s, let):
    count = let.param("count")
    have, want, others = let.args[:count], let.args[count:2 * count], let.args[2 * count:]
    conditions = [f"({s.w.atom(a)} == {s.w.atom(b)})" for a, b in zip(have, want) if a != b]
    for a, b in zip(have, want):
        s.ranges.equal.learn(s.ranges.b.dim(a), s.ranges.b.dim(b))
    if conditions:
        site, numbers = s.w.site("ValueError", let.param("how")), tuple_text(s.w.atom(a) for a in others)
        s.w.line(f"rs.check_all({' & '.join(conditions)}, {site}, {numbers})")


@call("rt.match")
def matched(s, let):
    x, *numbers = let.args
    axes, how = let.param("axes"), let.param("how")
    fill = [s.w.atom(a) for a in numbers[len(axes):]]
    for axis, n in zip(axes, numbers):
        condition = f"{s.w.atom(x)}.shape[{axis}] == {s.w.atom(n)}"
        s.w.line(f"rs.check_all({condition}, {s.w.site('ValueError', how)}, {tuple_text(fill)})")
    s.w.alias(let.name, x)


@call("rt.trip_count")
def trip_count(s, let):
    start, stop, step = (s.w.atom(a) for a in let.args)
    if not isinstance(let.args[2], Const):
        s.w.check(f"{step} != 0", "ValueError", "range() arg 3 must not be zero")
    s.w.line(f"{s.w.name(let.name)} = rs.trip_count({start}, {stop}, {step})")


@call("rt.slice_length")
def slice_length(s, let):
    n, *bounds = let.args
    bounds = iter(bounds)
    own = tuple(next(bounds) if flag == "1" else None for flag in let.param("given"))
    s.w.line(f"{s.w.name(let.name)} = {views.prepare_slice(s.w, own, s.w.atom(n), s.ranges.b.dim(n), s).length}")


# tapes ---------------------------------------------------------------------------------------------
@call("rt.tape")
def tape(s, let):
    new_array(s.w, s.w.name(let.name), Type("array", let.param("dtype"), (Dim.of(64),)), ["64"], s.local(let.name))


@call("rt.tape_zeros")
def tape_zeros(s, let):
    s.w.line(f"{s.w.name(let.name)} = rm.zeros(({s.w.atom(let.args[0])}.shape[0],), {dtype_text(s.fun.types[let.name].dtype)})")


@call("rt.push_")
def push(s, let):
    name, (tape, p, value) = s.w.name(let.name), let.args
    p, t = s.w.atom(p), s.w.type(value)
    if not t.rank:
        with_room(s, name, s.w.atom(tape), f"{p} + 1")
        return s.w.line(f"{name}[{p}] = {scalar_of(s, value, s.fun.types[let.name].dtype)}")
    pull = s.pull([])
    lengths = pull.shape(value)
    with_room(s, name, s.w.atom(tape), f"{p} + {' * '.join(lengths)}")
    flat(s, pull, lengths, name, p, value, "=")


def with_room(s, name: str, tape: str, need: str) -> None:
    """Grow a tape where it must; counting the references to it takes longer than the test."""
    if name != tape:
        s.w.line(f"{name} = {tape}")
    with s.w.indented(f"if {need} > {name}.size:"):
        s.w.line(f"{name} = rs.room({name}, {need})")


@call("rt.push_add_")
def push_add(s, let):
    name, (tape, p, value) = s.w.name(let.name), let.args
    if not s.w.type(value).rank:
        s.w.line(f"{name}[{s.w.atom(p)}] += {scalar_of(s, value, s.fun.types[let.name].dtype)}")
    else:
        pull = s.pull([])
        flat(s, pull, pull.shape(value), name, s.w.atom(p), value, "+=")


def scalar_of(s, value, dtype):
    return cast(s.pull([]).operand(value, []), dtype)


def flat(s, pull, lengths, name, p, value, symbol):
    """The elements of a value, one after the other, from place p on."""
    at = s.w.fresh("at")
    s.w.line(f"{at} = {p}")
    stack, idx = pull.loops(lengths)
    with stack:
        pull.memo.clear()
        s.w.line(f"{name}[{at}] {symbol} {pull.at(value, idx)}")
        s.w.line(f"{at} += 1")


@call("rt.pop")
def pop(s, let):
    tape, p, *shape = let.args
    name = s.w.name(let.name)
    if not shape:
        return s.w.line(f"{name} = {s.w.name(tape)}[{s.w.atom(p)}]")
    lengths = [s.w.atom(a) for a in shape]
    start = s.w.atom(p)
    part = f"{s.w.name(tape)}[{start}:{start} + {' * '.join(lengths)}]"
    s.w.line(f"{name} = {part}" if len(lengths) == 1 else f"{name} = rm.reshape({part}, {tuple_text(lengths)})")


@call("rt.last_writer")
def last_writer(s, let):
    """Number the places in the order in which they are written; who finds its own number wrote last."""
    name, t, base = s.w.name(let.name), s.fun.types[let.name], let.args[0]
    pull = s.pull([])
    part = Let(("part",), None, let.args, let.params, let.origin)
    parts, lengths = pull.view(part), pull.view_lengths(part)
    rank = s.w.type(base).rank
    ranks = max((s.w.type(p.array).rank for p in parts if p.code == "a"), default=0)
    order, k = s.w.fresh("order"), s.w.fresh("k")
    s.w.line(f"{order} = rm.empty({tuple_text(pull.shape(base))}, np.int64)")
    new_array(s.w, name, t, lengths)
    for write in (True, False):
        s.w.line(f"{k} = 0")
        stack, idx = pull.loops(lengths)
        with stack:
            pull.memo.clear()
            place = ", ".join(views.base_index(parts, rank, idx, ranks, lambda p, out: pull.gathered(base, p, out)))
            s.w.line(f"{order}[{place}] = {k}" if write else f"{name}[{', '.join(idx)}] = {order}[{place}] == {k}")
            s.w.line(f"{k} += 1")
