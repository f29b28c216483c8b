"""Where a branch ends: two states of the heap become one, slot by slot.

An array that is one of two different ones afterwards gets a cell of its own; where that leaves two names that may or
may not share memory, neither may be stored into.
"""
from __future__ import annotations

import functools
from dataclasses import replace

from ...core import Const, Meanwhile, common_order
from ...core.types import PY_INT, Dim
from ...rules.kinds import zeros_of
from . import values as v
from .aliasing import freeze
from .dict_keys import OTHER_LENGTH, beside_by_key, with_keys
from .early_exit import Gone
from .growing_lists import counting, form_of, joined_forms, of_content, parts_of_content, refuse_counted
from .growth import emptied, pairs_in
from .heap import Heap
from .lattice import Lattice, array_form, has_attributes, is_choosable, is_it, keys_in, same_steps, which, without_keys
from .number_join import convert


class Side:
    """One side of a branch: its statements, what is in sight there, and the heap at its end."""

    def __init__(self, stmts, sight, heap, value):
        self.stmts, self.sight, self.heap, self.value = stmts, sight, heap, value


class Joiner(Lattice):
    """Joins the ends of the two sides of a branch."""

    words = "on one path", "on another"

    def __init__(self, s, sides, outer_names, test, untouched):
        self.s, self.sides, self.outer, self.test = s, sides, outer_names, test
        self.heaps = tuple(side.heap for side in sides)
        self.gone = [Gone(s, side, (v.Static(True), v.Number(test)) if k == 0 else (v.Static(True),))
                     for k, side in enumerate(sides)]
        self.names, self.results = [], ([], [])
        self.done: dict[tuple, object] = {}
        self.pairs: dict[tuple, v.Ref] = {}
        self.sources: list[tuple] = []  # ((cell or box of the first side or None, of the second), what it has become)
        self.heap: dict[tuple, object] = Heap(untouched, s.b.made)  # what neither side has touched

    def emit_in(self, k, action):
        """What is emitted at the end of a side is in sight there, and only there."""
        s, side = self.s, self.sides[k]
        with Meanwhile(s.b, "stmts", side.stmts), Meanwhile(s, "sight", side.sight):
            return action()

    # atoms -------------------------------------------------------------------------------------
    def atom(self, x, y, hint, old=None):
        """One atom for x of the first side and y of the second."""
        if x == y:
            return x
        if (x, y) not in self.done:
            s = self.s
            types = [s.b.type(a) for a in (x, y)]
            if types[0].scalar() != types[1].scalar() or types[0].kind != types[1].kind:
                s.know_flags(self.test)
            t = self.type(x, y)
            found = [self.emit_in(k, lambda a=a: convert(s, a, t.with_dims(s.b.type(a).dims), hint))
                     for k, a in enumerate((x, y))]
            self.done[x, y] = self.result(*found, t, hint)
            s.b.note_several(self.done[x, y], s.b.types_of(x) | s.b.types_of(y) if not t.rank else (),
                             s.b.loop_of((x, y)))
            s.orders[self.done[x, y]] = common_order(map(s.order, (x, y)))
        return self.done[x, y]

    def result(self, x, y, t, hint):
        name = self.s.b.fresh(hint, t)
        self.names.append(name)
        self.results[0].append(x)
        self.results[1].append(y)
        return name

    def result_length(self, x, y) -> Dim:
        name = self.result(x, y, PY_INT, "length")
        self.s.nonnegative.add(name)
        return Dim.of(name)

    def length(self, d: Dim, e: Dim, old=None) -> Dim:
        """The length of an axis that is d on one side and e on the other:
        known before the branch, or a result of it."""
        if d == e and d.names <= self.outer:
            return d
        if (d.is_one or e.is_one) and not self.s.loose:
            raise v.Conflict(f"its lengths are {d} on one path and {e} on another, and broadcasting depends on it")
        key = ("length", d, e)
        if key not in self.done:
            lengths = [self.emit_in(k, lambda q=q: self.s.dim_atom(q)) for k, q in enumerate((d, e))]
            self.done[key] = self.result_length(*lengths)
        return self.done[key]

    # values ------------------------------------------------------------------------------------
    def same(self, x, y, old):
        return x if x is y or x == y and not isinstance(x, v.Array) else None

    def other(self, x, y, hint, old):
        if any([isinstance(a, v.Array) or has_attributes(a) for a in (x, y)]):
            if all([self.s.is_numeric(a) or has_attributes(a) for a in (x, y)]):
                return self.apart(x, y, hint)
            raise self.unlike(x, y)
        if not (is_choosable(x) and is_choosable(y)):
            return None
        return self.chosen(*[self.kept(k, a) for k, a in enumerate((x, y))])

    def numeric(self, x, y, hint, old):
        try:
            if self.numbers_join(x, y, old):
                return super().numeric(x, y, hint, old)
        except v.Conflict:
            if self.is_asked_before(x, y):
                raise
        return self.apart(x, y, hint)

    def apart(self, x, y, hint):
        """An array on one side and a number on the other, or objects of two classes; not where the test can be known
        before the run, nor, but for numbers, where it asks whether a loop runs at all."""
        if self.is_asked_before(x, y):
            raise self.unlike(x, y)
        return self.split(x, y, hint)

    def of_form(self, x, y, old, hint):
        """Where only one side has it, it is what it was before the branch, or a result."""
        known = x or y
        if None in (x, y) and self.is_from_before(known):
            if isinstance(known, v.Boxed):
                return self.joined_box(known, known, hint, old)
            return known if self.is_number(known) else self.array(known, known, known.cell.hint, old)
        return self.either(x, y, hint, old)

    def is_from_before(self, x) -> bool:
        if isinstance(x, v.Boxed):
            return all([(x.box, None) in heap for heap in self.heaps])
        if isinstance(x, v.Array):
            return not x.path and all([(x.cell, None) in heap for heap in self.heaps])
        return isinstance(self.s.atom(x), Const) or self.s.atom(x) in self.outer

    def kept(self, k, x):
        """What is known on side k, or one of such; the defaults of functions are results of the branch, and so is what
        they are bound to."""
        if isinstance(x, v.Partial) and not v.is_known(x):
            bound = [self.of_form(*beside(k, a), None, "bound") for a in (*x.args, *(a for _, a in x.kwargs))]
            return replace(x, args=tuple(bound[:len(x.args)]),
                           kwargs=tuple((n, a) for (n, _), a in zip(x.kwargs, bound[len(x.args):])))
        if isinstance(x, v.OneOf):
            return replace(x, value=self.kept(k, x.value), other=self.kept(k, x.other))
        if isinstance(x, v.Closure):
            return replace(x, defaults=tuple(self.kept(k, d) for d in x.defaults),
                           kwdefaults=tuple((n, self.kept(k, d)) for n, d in x.kwdefaults))
        return x if v.is_known(x) else self.placed(k, x, "default")

    def case(self, one, x, y, old):
        flags = [self.emit_in(k, lambda own=own: is_it(self.s, one, own)) for k, own in enumerate((x, y))]
        return self.test if flags == [Const(True), Const(False)] else self.atom(*flags, "chosen")

    def either(self, x, y, hint, old):
        if x is None or y is None:
            k = 0 if y is None else 1
            return self.placed(k, (x, y)[k], hint)
        return self.value(x, y, hint)

    def array(self, x, y, hint, old):
        if x.cell is y.cell and same_steps(x.path, y.path):
            return v.Array(self.cell(v.Array(x.cell), v.Array(y.cell), x.cell.hint), self.path(x, y, old))
        if len({array_form(self.s, heap, a) for heap, a in zip(self.heaps, (x, y))}) > 1:
            return self.apart(x, y, hint)
        return v.Array(self.cell(x, y, hint if x.path or y.path else x.cell.hint))

    def cell(self, x, y, hint) -> v.Ref:
        """The cell of one of two arrays. Of views that have nothing in common it has the content, which may be read;
        neither it nor its sources may be stored into."""
        c, d, views = x.cell, y.cell, x.path or y.path
        key = (x, y) if views else (c, d)
        if key not in self.pairs:
            atoms = [self.emit_in(k, lambda k=k, a=a: self.s.atom_in(self.heaps[k], a)) if views
                     else self.heaps[k][a.cell, None] for k, a in enumerate((x, y))]
            atom = self.atom(*atoms, hint)
            ref = self.pairs[key] = c if key == (c, c) else v.Ref(hint, self.s.order(atom), c.frozen or d.frozen,
                                                                  outside=c.outside or d.outside)
            self.heap[ref, None] = atom
            self.inherit(ref, (c, d))
        return self.pairs[key]

    def inherit(self, ref, sources) -> None:
        """What shared memory with a source may share it with what the source has become."""
        self.sources.append((sources, ref))
        for heap, source in zip(self.heaps, sources):
            freeze(self.heap, ref, heap.get((source, v.FROZEN)) if source is not None else None)

    # containers --------------------------------------------------------------------------------
    def joined_box(self, x, y, hint, old):
        return v.Boxed(self.box_of(x, y, hint), x.cls, x.keys)

    def box_of(self, x: v.Boxed, y: v.Boxed, hint) -> v.Ref:
        key = (x.box, y.box)
        if key not in self.pairs:
            ref = self.pairs[key] = (x.box if x.box is y.box
                                     else v.Ref(x.box.hint, outside=x.box.outside or y.box.outside))
            ref.chosen = ref.chosen if x.box is y.box else self.chosen(which(x.box), which(y.box))
            self.inherit(ref, key)
            try:
                self.heap[ref, None] = self.box_items(x, y, ref, hint)
            except v.Conflict as problem:
                gone = [b.box in gone.boxes for gone, b in zip(self.gone, (x, y))]
                self.heap[ref, None] = self.counted(x, y, ref, problem) if not any(gone) else self.of_one_side(
                    gone, problem, lambda k: self.placed_items(k, (x, y)[k], ref, hint))
        return self.pairs[key]

    def box_items(self, x, y, ref, hint):
        items = [self.heaps[k][b.box, None] for k, b in enumerate((x, y))]
        for content in items:
            if isinstance(content, v.Unjoinable):
                return content
        names = [keys_in(heap, b) for heap, b in zip(self.heaps, (x, y))]
        has_own = (x.box, v.KEYS) in self.heaps[0]
        if items[0] is items[1] and names[0] == names[1] == x.keys and not has_own:
            return items[0]  # neither side has touched it
        if names[0] != names[1] and x.box.hint == y.box.hint == v.OBJECT:
            names, items = self.attributes_of_both(names, items)
        if len(items[0]) != len(items[1]) or names[0] != names[1] or of_content(items[0]) != of_content(items[1]):
            raise v.Conflict(OTHER_LENGTH)
        if has_own or names[0] != self.heap.get((ref, v.KEYS), x.keys):
            self.heap[ref, v.KEYS] = names[0]
        hints = [k if isinstance(k, str) and k.isidentifier() else hint for k in names[0] or range(len(items[0]))]
        return tuple(self.slot(a, b, k) for k, a, b in zip(hints, *items))

    def attributes_of_both(self, names, items) -> tuple:
        """The attributes of an object; what only one path has set is not bound on the other."""
        return beside_by_key(tuple(dict.fromkeys([*names[0], *names[1]])), names, items)

    def counted(self, x, y, ref, problem):
        names = [heap.get((b.box, v.KEYS), b.box.keys) for heap, b in zip(self.heaps, (x, y))]
        has_rows = any([of_content(heap[b.box, None]) for heap, b in zip(self.heaps, (x, y))])
        try:
            return self.counting(x, y, ref) if names[0] == names[1] or has_rows else with_keys(self, x, y, names)
        except v.Conflict:
            return v.Unjoinable(str(problem), self.test)

    def is_asked_before(self, *values) -> bool:
        """Can the test be known before the run, or does it ask whether a loop runs at all, of what are no numbers?"""
        s, are_numbers = self.s, bool(values) and all(map(self.is_number, values))
        return self.test in s.loops.once and not are_numbers or self.test in s.branches or self.test in s.entry_ints

    def counting(self, x, y, ref) -> tuple:
        """A list that something is appended to on one side counts its items afterwards."""
        s, items = self.s, self.on_both_sides(x, y)
        known = [g for g in map(of_content, items) if g is not None]
        if x.cls is not list or self.test in s.loops.once or not known and s.appended.isdisjoint((x.box, y.box)):
            raise v.Conflict(OTHER_LENGTH)
        s.appended.add(ref)
        form = self.form_of_both(items)
        empty = v.Grown(Dim.of(0), larger(*[g.capacity if (g := of_content(c)) else Dim.of(len(c)) for c in items]),
                        0, *form, known[0].mark if known else object(), True,
                        functools.partial(refuse_counted, s, self.test, s.changed_at.get(x.box)))
        items = [self.done_in(k, lambda k=k: counting(s, ref, items[k], empty)) for k in (0, 1)]
        self.heap |= without_keys(ref, self.heaps)
        g = of_both_sides(items[0][0], items[1][0])
        hints = ["count", *["wide"] * g.mixed, *[row.cell.hint for row in parts_of_content(items[0])[-1]]]
        return (g, *[self.slot(a, b, hint) for a, b, hint in zip(items[0][1:], items[1][1:], hints, strict=True)])

    def on_both_sides(self, x, y) -> list:
        """What a list holds; where it is begun anew it goes on in the rows of the one before."""
        found = [pairs_in(heap, b.box) for heap, b in zip(self.heaps, (x, y))]
        before = [heap.get((b.box, None), ()) for heap, b in zip(self.heaps, (y, x))]
        return [emptied(old) if new == () and of_content(old) else new for old, new in zip(before, found)]

    def form_of_both(self, items) -> tuple:
        """(structure, types of the leaves) that the items of a list have on both sides."""
        grown = [of_content(content) for content in items]
        forms = [(g.one, g.types) for g in grown if g is not None]
        forms += [self.done_in(k, lambda k=k: form_of(self.s, items[k])) for k in (0, 1) if items[k] and not grown[k]]
        form = self.done_in(0, lambda: functools.reduce(joined_forms, forms))
        if not self.outer >= {n for t in form[1] for d in t.dims for n in d.names}:
            raise v.Conflict(f"{OTHER_LENGTH}, and items of lengths that only one path knows")
        return form

    def done_in(self, k, action):
        """What is done at the end of a side, with its heap."""
        try:
            with Meanwhile(self.s, "heap", self.heaps[k]):
                return self.emit_in(k, action)
        except v.Grows:
            raise v.Conflict(f"{OTHER_LENGTH}, and items that differ in kind") from None

    def slot(self, x, y, hint, key=None, missing=None):
        """What a variable or a place in a container holds afterwards; None: it is not bound."""
        try:
            return self.value(x, y, hint) if None not in (x, y) else self.optional(x, y, hint, None,
                                                                                   missing or v.Unbound(hint))
        except v.Conflict as problem:
            return self.of_one_side([key in gone.slots for gone in self.gone], problem,
                                    lambda k: self.placed(k, (x, y)[k], hint))

    def of_one_side(self, gone, problem, placed):
        """What does not fit together is that of one side where nothing reads the other's: it leaves a loop."""
        if any(gone):
            try:
                return placed(gone.index(True) ^ 1)
            except v.Conflict as other:
                problem = other
        return v.Unjoinable(str(problem), self.test)

    # what only one side has --------------------------------------------------------------------
    def placed(self, k, value, hint):
        """A value that only side k has: a placeholder of its type, never read, on the other."""
        s = self.s
        match value:
            case v.Unjoinable():
                raise v.Conflict(value.why)
            case v.Number() | v.Array():
                name = self.place(k, self.emit_in(k, lambda: s.atom_in(self.heaps[k], value)), hint)
                if isinstance(value, v.Number):
                    return v.Number(name)
                ref = v.Ref(hint, s.order(name), outside=value.cell.outside)
                self.heap[ref, None] = name
                self.inherit(ref, beside(k, value.cell))
                return v.Array(ref)
            case v.Tuple():
                return v.Tuple(tuple(self.placed(k, x, hint) for x in value.items), value.cls)
            case v.OneOf(flag=flag, value=inner, other=other):
                return v.OneOf(self.atom(*beside(k, flag, Const(False)), f"has_{hint}"),
                               self.placed(k, inner, hint), self.placed(k, other, hint))
            case v.Boxed():
                ref = v.Ref(value.box.hint, outside=value.box.outside,
                            chosen=self.placed(k, which(value.box), "chosen"))
                self.heap[ref, None] = self.placed_items(k, value, ref, hint)
                self.inherit(ref, beside(k, value.box))
                return v.Boxed(ref, value.cls, value.keys)
        if v.is_known(value):
            return value
        raise v.Conflict("it has a value on one path only")

    def placed_items(self, k, value, ref, hint):
        content = self.content_of(k, value)
        self.heap[ref, v.KEYS] = keys_in(self.heaps[k], value)
        return tuple(self.placed(k, x, hint) for x in content)

    def place(self, k, atom, hint):
        """An atom of side k; of the other, a zero of its type."""
        s, t = self.s, self.s.b.type(atom)
        dims = []
        for d in t.dims:
            if d.names <= self.outer:
                dims.append(d)
            else:
                length = self.emit_in(k, lambda d=d: s.dim_atom(d))
                dims.append(self.result_length(*beside(k, length, Const(0))))
        inside = t.with_dims(d if d.names <= self.outer else 0 for d in t.dims)
        zeros = self.emit_in(1 - k, lambda: zeros_of(s.b, inside, hint))
        name = self.result(*beside(k, atom, zeros), t.with_dims(dims), hint)
        s.b.note_several(name, s.b.several.get(atom, ()), s.b.loop_of([atom]))
        s.orders[name] = s.order(atom)
        return name


def beside(k, x, other=None) -> tuple:
    """What side k has, and what the other has, in the order of the sides."""
    return (x, other) if k == 0 else (other, x)


def of_both_sides(one: v.Grown, other: v.Grown) -> v.Grown:
    """What is known of a list that counts its items after a branch; a Conflict where that cannot be."""
    if replace(other, length=one.length, least=one.least) != one:
        raise v.Conflict("it has another length, or other keys, on each path")
    return replace(one, length=larger(one.length, other.length), least=min(one.least, other.least))


def larger(d: Dim, e: Dim) -> Dim:
    if Dim.of(0) in (d, e):
        return d + e
    more = (e - d).constant
    if more is None:
        raise v.Conflict("it has another length, or other keys, on each path")
    return e if more > 0 else d
