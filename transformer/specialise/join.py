"""Where control flow meets: two states of the heap become one.

`join` is for the end of a branch, `Heads` for the head of a loop.  Both compare two heaps slot by slot.
An array that is one of two different ones afterwards gets a cell of its own; where that leaves two names
that may or may not share memory, neither may be stored into.
"""
from __future__ import annotations

import numpy as np

from ..core import Const
from ..rules.kinds import cast, zeros_of
from ..types import PY_BOOL, PY_INT, Dim, Type
from . import values as v
from .layout import common

MIXED = "after a branch or loop it may be the same array as another one"


def join_types(a: Type, b: Type) -> Type:
    """The type of a value that is one of two; dims are joined by who knows the scope."""
    if a.kind == "tape" or b.kind == "tape" or a.rank != b.rank or (a.kind == "array") != (b.kind == "array") and a.rank:
        raise v.Conflict(f"it is {a} on one path and {b} on another")
    if a.kind == b.kind == "py":
        return a if "biufc".index(a.dtype.kind) >= "biufc".index(b.dtype.kind) else b
    weak = [t.python_type(1) if t.kind == "py" else t.dtype for t in (a, b)]
    kind = "np" if "np" in (a.kind, b.kind) else "array"
    return Type(kind, np.result_type(*weak), a.dims)


def convert(s, atom, t: Type, hint):
    """The atom as a value of type t (same rank), emitted where the machine stands."""
    have = s.b.type(atom)
    if have == t:
        return atom
    if have.kind == "array" and t.kind == "np":
        atom = s.emit("getitem", atom, hint=hint, index=())
    atom = cast(s.b, atom, t.kind, t.dtype, hint)
    if s.b.type(atom).dims != t.dims:
        atom = s.emit("retype", atom, hint=hint, dims=t.dims)
    return atom


class Side:
    """One side of a branch: its statements, and the heap at its end."""

    def __init__(self, stmts, heap, value):
        self.stmts, self.heap, self.value = stmts, heap, value


class Joiner:
    """Joins the ends of the two sides of a branch."""

    def __init__(self, s, sides, outer_names):
        self.s, self.sides, self.outer = s, sides, outer_names
        self.names, self.results = [], ([], [])
        self.done: dict[tuple, str] = {}
        self.pairs: dict[tuple, v.Ref] = {}
        self.heap: dict[tuple, object] = {}
        self.reasons: list[v.Reason] = []

    def emit_in(self, k, action):
        s, side = self.s, self.sides[k]
        outer, s.b.stmts = s.b.stmts, side.stmts
        try:
            return action()
        finally:
            s.b.stmts = outer

    def atoms(self, x, y, hint):
        """One atom for x of the first side and y of the second."""
        if x == y:
            return x
        if (x, y) not in self.done:
            s = self.s
            t = join_types(s.b.type(x), s.b.type(y))
            t = t.with_dims(self.dims(x, y))
            found = [self.emit_in(k, lambda a=a: convert(s, a, t.with_dims(s.b.type(a).dims), hint)) for k, a in enumerate((x, y))]
            found = [self.retyped(k, a, t, hint) for k, a in enumerate(found)]
            self.done[x, y] = self.result(*found, t, hint)
            s.orders[self.done[x, y]] = common(map(s.order, (x, y)))
        return self.done[x, y]

    def retyped(self, k, atom, t, hint):
        return atom

    def result(self, x, y, t, hint):
        name = self.s.b.fresh(hint, t)
        self.names.append(name)
        self.results[0].append(x)
        self.results[1].append(y)
        return name

    def dims(self, x, y):
        """Dims of the joined array: an integer result for each length that differs or is not known outside."""
        s, out = self.s, []
        for d, e in zip(s.b.type(x).dims, s.b.type(y).dims):
            if d == e and d.names <= self.outer:
                out.append(d)
                continue
            if d.is_one or e.is_one:
                raise v.Conflict(f"its lengths are {d} on one path and {e} on another, and broadcasting depends on it")
            lengths = [self.emit_in(k, lambda q=q: s.dim_atom(q)) for k, q in enumerate((d, e))]
            key = ("dim", d, e)
            if key not in self.done:
                self.done[key] = self.result(*lengths, PY_INT, "length")
            out.append(Dim.of(self.done[key]))
        return out

    def values(self, x, y, hint):
        s = self.s
        if x is y or x == y and not isinstance(x, v.Array):
            return x
        for a, b in ((x, y), (y, x)):
            if isinstance(a, v.Maybe) or isinstance(a, v.Static) and a.value is None:
                return self.maybe(x, y, hint)
        if s.is_numeric(x) and s.is_numeric(y) and not isinstance(x, v.Array) and not isinstance(y, v.Array):
            return s.wrap(self.atoms(s.atom(x), s.atom(y), hint))
        match x, y:
            case v.Array(), v.Array() if len(x.path) == len(y.path):
                return v.Array(self.cell(x.cell, y.cell), tuple(self.step(p, q, hint) for p, q in zip(x.path, y.path)))
            case (v.Array(), _) | (_, v.Array()):
                raise v.Conflict("it is an array on one path and something else on another")
            case v.Tuple(), v.Tuple() if x.cls is y.cls and len(x.items) == len(y.items):
                return v.Tuple(tuple(self.values(a, b, hint) for a, b in zip(x.items, y.items)), x.cls)
            case v.Boxed(), v.Boxed() if x.cls is y.cls:
                return v.Boxed(self.box(x, y, hint), x.cls, x.keys)
        raise v.Conflict(f"it is {s.describe(x)} on one path and {s.describe(y)} on another")

    def step(self, p: v.Step, q: v.Step, hint):
        if (p.op, p.params) != (q.op, q.params):
            raise v.Conflict("it is a view of another kind on each path")
        return v.Step(p.op, tuple(self.atoms(a, b, "i") for a, b in zip(p.atoms, q.atoms)), p.params)

    def cell(self, c: v.Ref, d: v.Ref) -> v.Ref:
        if (c, d) not in self.pairs:
            h1, h2 = self.sides[0].heap, self.sides[1].heap
            if c is d:
                self.pairs[c, d] = c
                self.heap[c, None] = self.atoms(h1[c, None], h2[c, None], c.hint)
            else:
                atom = self.atoms(h1[c, None], h2[d, None], c.hint)
                ref = v.Ref(c.hint, c.order if c.order == d.order else None, c.frozen or d.frozen)
                self.pairs[c, d] = ref
                self.heap[ref, None] = atom
            for ref, key in ((c, h1), (d, h2)):
                if (ref, "frozen") in key:
                    self.heap[self.pairs[c, d], "frozen"] = key[ref, "frozen"]
        return self.pairs[c, d]

    def box(self, x: v.Boxed, y: v.Boxed, hint) -> v.Ref:
        key = (x.box, y.box)
        if key not in self.pairs:
            items = [self.sides[k].heap[b.box, None] for k, b in enumerate((x, y))]
            if len(items[0]) != len(items[1]) or h_keys(self.sides[0], x) != h_keys(self.sides[1], y):
                raise v.Conflict("it is a list of another length, or a dict with other keys, on each path")
            ref = x.box if x.box is y.box else v.Ref(x.box.hint)
            self.pairs[key] = ref
            names = h_keys(self.sides[0], x)
            if names != x.keys:
                self.heap[ref, "keys"] = names
            names = names or range(len(items[0]))
            self.heap[ref, None] = tuple(self.values(a, b, k if isinstance(k, str) and k.isidentifier() else hint)
                                         for k, a, b in zip(names, *items))
        return self.pairs[key]

    def maybe(self, x, y, hint):
        flags = [self.flag(a) for a in (x, y)]
        inner = [a.value if isinstance(a, v.Maybe) else a for a in (x, y)]
        missing = next(a.missing for a in (x, y) if isinstance(a, v.Maybe)) if any(isinstance(a, v.Maybe) for a in (x, y)) else "None"
        given = [k for k in (0, 1) if not (isinstance(inner[k], v.Static) and inner[k].value is None)]
        if not given:
            return v.Static(None)
        flag = self.atoms(*flags, f"has_{hint}")
        if len(given) == 2:
            return v.Maybe(flag, self.values(*inner, hint), missing)
        k = given[0]
        value = self.placed(k, inner[k], hint)
        return v.Maybe(flag, value, missing)

    def flag(self, x):
        return x.flag if isinstance(x, v.Maybe) else Const(not (isinstance(x, v.Static) and x.value is None))

    def placed(self, k, value, hint):
        """A value that only side k has: a placeholder of its type, never read, on the other."""
        s = self.s
        if isinstance(value, v.Static):
            return value
        if isinstance(value, v.Num) or isinstance(value, v.Array) and not value.path:
            atom = self.emit_in(k, lambda: s.atom_in(self.sides[k].heap, value))
            t = s.b.type(atom)
            if any(not d.names <= self.outer for d in t.dims):
                raise v.Conflict("it has a value on one path only, of a size that only that path knows")
            other = self.emit_in(1 - k, lambda: zeros_of(s.b, t, hint))
            both = (atom, other) if k == 0 else (other, atom)
            name = self.result(*both, t, hint)
            if isinstance(value, v.Num):
                return v.Num(name)
            ref = v.Ref(hint, value.cell.order)
            s.orders[name] = value.cell.order
            self.heap[ref, None] = name
            self.heap[ref, "frozen"] = MIXED
            return v.Array(ref)
        if isinstance(value, v.Tuple):
            return v.Tuple(tuple(self.placed(k, x, hint) for x in value.items), value.cls)
        if isinstance(value, v.Closure):
            return value
        raise v.Conflict("it has a value on one path only")


def h_keys(side, boxed):
    return side.heap.get((boxed.box, "keys"), boxed.keys)


def frame_slots(heap):
    return [key for key in heap if isinstance(key[0], v.Frame)]


def join(s, before, sides, live, outer_names):
    """(Joiner, value of the branch): the joined heap is `joiner.heap`; names and results are for the If."""
    j = Joiner(s, sides, outer_names)
    h1, h2 = sides[0].heap, sides[1].heap
    for key in before:
        ref, part = key
        if isinstance(ref, v.Frame):
            continue
        if part in ("frozen", "keys"):
            j.heap[key] = before[key]
        elif isinstance(before[key], tuple):
            if (ref, ref) not in j.pairs:
                j.box(v.Boxed(ref, list), v.Boxed(ref, list), ref.hint)
        else:
            j.cell(ref, ref)
    current = s.frames[-1] if s.frames else None
    for key in dict.fromkeys([*frame_slots(h1), *frame_slots(h2)]):
        frame, name = key
        if live is not None and frame is current and name not in live:
            continue
        x, y = h1.get(key), h2.get(key)
        hint = name if isinstance(name, str) else "t"
        try:
            if x is None or y is None:
                k = 0 if y is None else 1
                found = x if y is None else y
                value = found.value if isinstance(found, v.Maybe) and found.missing != "None" else found
                flag = j.atoms(*((j.flag_of_bound(found), Const(False)) if k == 0 else (Const(False), j.flag_of_bound(found))), f"has_{hint}")
                j.heap[key] = v.Maybe(flag, j.placed(k, value, hint), hint)
            else:
                j.heap[key] = j.values(x, y, hint)
        except v.Conflict as problem:
            j.reasons.append(v.Reason(problem))
            j.heap[key] = v.Bound(v.Static(j.reasons[-1]), "<conflict>")
    value = None
    if sides[0].value is not None:
        try:
            value = j.values(sides[0].value, sides[1].value, "t")
        except v.Conflict as problem:
            s.fail(f"the two sides do not fit together: {problem}", "Give both sides the same kind of value.")
    freeze_mixed(j.pairs, j.heap, extra=value)
    return j, value


def _flag_of_bound(self, value):
    return value.flag if isinstance(value, v.Maybe) and value.missing != "None" else Const(True)


Joiner.flag_of_bound = _flag_of_bound


def reachable(heap, extra=None) -> set[v.Ref]:
    """The cells and boxes that some variable leads to."""
    found: set[v.Ref] = set()

    def visit(value):
        match value:
            case v.Array(cell=c):
                found.add(c)
            case v.Boxed(box=b) if b not in found:
                found.add(b)
                for item in heap.get((b, None), ()):
                    visit(item)
            case v.Tuple(items=items) | v.Iter(parts=items):
                for item in items:
                    visit(item)
            case v.Maybe(value=inner) | v.Bound(value=inner):
                visit(inner)

    for key in frame_slots(heap):
        visit(heap[key])
    visit(extra)
    return found


def freeze_mixed(pairs, heap, extra=None) -> None:
    """Freeze joined cells whose sources are also known by another name."""
    alive = reachable(heap, extra)
    for side in (0, 1):
        seen: dict[v.Ref, set[v.Ref]] = {}
        for key, ref in pairs.items():
            if ref in alive:
                seen.setdefault(key[side], set()).add(ref)
        for refs in seen.values():
            if len(refs) > 1:
                for ref in refs:
                    heap[ref, "frozen"] = MIXED


__all__ = ["PY_BOOL", "Joiner", "Side", "convert", "freeze_mixed", "join", "join_types"]
