"""The header of a loop: fresh names for all that an iteration changes.

Found by a fixed point: run the body, see which slots of the heap differ at its end, give those a name at the header
that can hold both what comes in and what comes round, and run again until nothing is new.
"""
from __future__ import annotations

from ...core import Atom, Const, common_order, users_word
from ...core.types import PY_BOOL, PY_INT, Dim, Type
from ...rules.kinds import conform, zeros_of
from . import values as v
from .aliasing import frames_of, freeze, freeze_mixed, may_alias
from .dict_keys import fitting_contents, items_by_key
from .growing_lists import growing_header, of_content
from .heap import names_of_items, user_name
from .lattice import (NO_VALUE, Lattice, beside_in_rows, cases_of, flag_and_value, forms_of, has_forms, is_choosable,
                      is_it, is_unchanged, numbers_among, same_steps, unchanged, which)
from .liveness import only_operands
from .number_join import convert, exact, join_types

BECOMES_ARRAY = "it is a number before the loop, and an array after an iteration"


class LoopHeaders(Lattice):
    """The values at the header of a loop.  A header may be three things: a value of its own, a value that the loop
    leaves alone (and that is what came in), or a container of headers."""

    words = "before the loop", "after an iteration"

    def __init__(self, s, before, live, outer, node, number: Dim | None = None, loop: str | None = None):
        self.node = node
        self.s, self.before, self.live, self.outer = s, before, live, outer
        self.heaps = before, before  # the second: that at the end of an iteration
        self.loop = loop  # what it is called among the loops of which the first iteration is done apart
        self.number = number  # of the iteration, from 0
        self.frames = {ref for ref, _ in before if isinstance(ref, v.Frame)} | set(s.frames)
        self.slots: dict[tuple, object] = {}  # slot -> value (of frames), atom (of cells), items (of boxes)
        # (cell or box at entry, that at the end of an iteration) -> that at the header
        self.cells: dict[tuple, v.Ref] = {}
        # (view at entry, view at the end), where those are no such cells -> cell at the header
        self.parts: dict[tuple, v.Ref] = {}
        self.content: dict[v.Ref, str] = {}  # of cells that the header adds
        self.boxes: dict[v.Ref, tuple] = {}  # of boxes that the header adds: their items
        self.keys: dict[v.Ref, tuple] = {}  # of dicts that get keys on some paths: those at the header
        self.lengths: dict[str, Dim | None] = {}  # carried lengths -> what comes round, in this iteration
        self.shared: dict[tuple, str] = {}  # (length at entry, length at the end) -> carried length
        self.marks: list[tuple] = []  # (cell or box at the header, what marks it had at the end of an iteration)
        self.stretched = False  # is a number before the loop an array after an iteration?

    def enter(self):
        """The heap at the header."""
        heap = dict(self.before) | self.slots
        for ref, name in (self.content | self.boxes).items():
            heap[ref, None] = name
        heap |= {(ref, v.KEYS): keys for ref, keys in self.keys.items()}
        for ref, marks in self.marks:
            freeze(heap, ref, marks)
        views = (((entry and entry.cell, end.cell), ref) for (entry, end), ref in self.parts.items())
        freeze_mixed([*self.cells.items(), *views], self.before, heap)
        return heap

    def mine(self, name) -> bool:
        """Is it a name of the loop?"""
        return isinstance(name, str) and name not in self.outer

    # what changes ------------------------------------------------------------------------------
    def update(self, header_heap, end_heap) -> bool:
        """Widen the headers by what the end of the body has; True when nothing was new."""
        content, settled, self.heaps = dict(self.content), True, (self.before, end_heap)
        # found anew in each round; `content`, `boxes` and `shared` keep the header's names, which only get wider
        self.lengths, self.cells, self.parts = dict.fromkeys(self.lengths), {}, {}
        for key in dict.fromkeys([*header_heap, *end_heap]):
            header, end = header_heap.get(key), end_heap.get(key)
            if not self.is_carried(*key) or key not in self.slots and (end is None or is_unchanged(header, end)):
                continue
            new = self.widened(key, end)
            if new is not self.slots.get(key):
                self.slots[key] = new
                settled = False
        self.marks = self.marks_of_sources(end_heap)
        # and nothing shares memory with anything that it did not share memory with at the header
        return settled and content == self.content and may_alias(self.enter()) <= may_alias(header_heap)

    def is_carried(self, ref, part) -> bool:
        """May the loop carry what stands in a slot?  Not what nobody reads afterwards, nor what an iteration has made,
        nor a header's own cell, which its slot speaks for."""
        s, waiting = self.s, self.s.loops.waiting
        if (ref, part) in s.outside.slots or part in (v.FROZEN, v.KEYS) or part not in waiting.get(ref, (part,)):
            return False
        if isinstance(ref, v.Frame):
            is_dead = self.live is not None and s.frames and ref is s.frames[-1] and part not in self.live
            return ref in self.frames and not is_dead
        return not isinstance(ref, v.Ref) or (ref, part) in self.before

    def marks_of_sources(self, end_heap) -> list[tuple]:
        """What shares memory with what comes in or round may share it with what that is at the header."""
        came = [*((ref, end) for (_, end), ref in self.cells.items()),
                *((ref, end.cell) for (_, end), ref in self.parts.items()),
                *((ref, ref) for ref, part in self.before if isinstance(ref, v.Ref) and part is None)]
        went = [*((ref, entry) for (entry, _), ref in self.cells.items()),
                *((ref, entry and entry.cell) for (entry, _), ref in self.parts.items())]
        return [(ref, heap[source, v.FROZEN]) for heap, sources in ((end_heap, came), (self.before, went))
                for ref, source in sources if (source, v.FROZEN) in heap]

    def widened(self, key, end):
        ref, _ = key
        try:
            return self.widen(key, self.before.get(key), self.slots.get(key), end)
        except v.Conflict as problem:
            if isinstance(ref, v.Ref) and not isinstance(self.before[key], tuple):
                self.s.fail(f"this array cannot go round the loop: {problem}",
                            "Keep its dtype and its shape the same in all iterations.")
            return v.Unjoinable(str(problem), loop=self.loop if key in self.before else None)

    def widen(self, key, entry, header, end):
        """The header of a slot; where it is not bound before the loop (`entry` is None), a flag that it is and a value.
        That may not be None in its turn: one flag cannot tell what is unbound from what is None."""
        ref, part = key
        if isinstance(header, v.Unjoinable) or entry is end is None:
            return header
        if isinstance(entry, v.Unjoinable) or isinstance(end, v.Unjoinable):
            return entry if isinstance(entry, v.Unjoinable) else v.Unjoinable(end.why, end.test, self.loop)
        if isinstance(ref, v.Ref):
            return (self.items_at_header(ref, entry, header, end) if isinstance(entry, tuple)
                    else self.atom(entry, end, ref.hint, header))
        hint = users_word(part)
        if entry is None:
            found = self.optional(None, end, hint, header, v.Unbound(part))
            if found.value == v.NONE or isinstance(found.value, v.OneOf) and found.value.optional:
                raise v.Conflict(NO_VALUE)
            return found
        return self.value(entry, end, hint, header)

    def is_kept(self, end) -> bool:
        """Is it an array or a container that there was before the loop?
        What has no value then may be called the same, and is known to be."""
        return ((isinstance(end, v.Array) and not end.path and (end.cell, None) in self.before)
                or isinstance(end, v.Boxed) and (end.box, None) in self.before)

    def value(self, entry, end, hint, header=None):
        """What was found to be what came in is no header of its own, where it is found to change."""
        return super().value(entry, end, hint, None if header is not None and header == entry else header)

    def index(self, entry, end, header):
        return super().index(entry, end, header if self.mine(header) else None)

    def atom(self, entry, end, hint, header=None):
        """A header's name with a type that holds entry and end."""
        assert header is None or self.mine(header), "what came in is no name of the loop"
        s, t, found = self.s, self.type(entry, end, header), [a for a in (entry, header, end) if a is not None]
        order = common_order(map(s.order, found))
        several = frozenset().union(*map(s.b.types_of, found)) if not t.rank else s.b.types_of(header or end)
        if (header is not None and s.b.type(header) == t and s.order(header) == order
                and several <= s.b.types_of(header)):
            return header
        name = s.b.fresh(hint, t)
        s.orders[name] = order
        inner = s.b.loop_of(found) if self.loop in s.static_paths else None  # where doing it apart was not enough
        s.b.note_several(name, several, inner or (self.loop if entry is not None else None))
        return name

    def length(self, entry: Dim | None, end: Dim, header: Dim | None = None) -> Dim:
        """The length of an axis at the header: what it always is, or an integer that the loop carries."""
        carried = next(iter(header.names)) if header is not None and header.names & self.lengths.keys() else None
        if carried is not None:
            if self.lengths[carried] in (None, end):
                self.lengths[carried] = end
                return header
        elif end.names <= self.outer and (entry is None or entry == end):
            return end
        if (end.is_one or entry is not None and entry.is_one) and not self.s.loose:
            raise v.Conflict(f"it has length {entry} before the loop and {end} after an iteration, and broadcasting "
                             f"depends on which is 1; "
                             "append to a list, or fill an array that is made whole before the loop")
        if entry is not None and end.constant is not None:  # y = y + h * np.array([v, -x]), of a y that came in
            self.s.settle(entry, end.constant)
        name = self.shared.get((entry, end)) if entry is not None else None
        if name is None or name == carried:
            name = self.s.b.fresh("length", PY_INT)
            self.s.nonnegative.add(name)
            self.shared[entry, end] = name
        self.lengths[name] = None
        return Dim.of(name)

    def same(self, entry, end, header):
        if end is header and not isinstance(end, v.Array) or isinstance(header, v.Static) and end == header:
            return header
        return entry if header is None and not isinstance(entry, v.Array) and entry == end else None

    def other(self, entry, end, hint, header):
        if isinstance(end, v.Grown):
            return growing_header(self, entry, header, end)
        if isinstance(end, v.Array) and self.is_number(entry) and not end.path:
            return self.stretch(entry, end, hint, header)
        new = [one for one in cases_of(end) if one not in cases_of(entry)]
        # what each iteration has after the first is known once that is done apart
        fits = entry is None or (is_choosable(entry) and is_choosable(end)
                                 and (isinstance(end, v.OneOf) or self.loop in self.s.static_paths))
        is_same_in_all = all(map(v.is_known, new)) and frames_of(self.heaps[1], new) <= self.frames
        return self.chosen(entry, end, header) if fits and is_same_in_all else None

    def stretch(self, entry, end, hint, header):
        """An array that has been a number before the loop, which it holds everywhere at first."""
        s = self.s
        outside = any([hint in frame.locals for frame in s.outside.modules.values()])
        if not only_operands(self.node, hint) or hint in s.frames[-1].shared or outside:
            raise v.Conflict(BECOMES_ARRAY)
        self.stretched = True
        number, t = s.atom(entry), s.b.type(s.atom_in(self.heaps[1], end))
        exact(s, number, t)
        if s.b.type(number).kind != "py":
            join_types(s.b.type(number), t.scalar())
        header = self.array(None, end, hint, header)
        header.cell.number, header.cell.python = self.loop, s.b.type(number).kind == "py"
        dims = s.b.types[self.content[header.cell]].dims
        if dims and not self.outer >= {n for d in dims for n in d.names}:
            raise v.Conflict("it is a number before the loop, and an array of a size that changes after an iteration")
        return header

    def case(self, one, entry, end, header):
        return header.get(one) or self.s.b.fresh("chosen", PY_BOOL)

    def either(self, entry, end, hint, header):
        if entry is None and header in (None, end) and self.is_kept(end):
            return end
        if end is not None:
            return self.value(entry, end, hint, header)
        heaps, self.heaps = self.heaps, (self.before, self.before)
        try:
            return self.value(entry, entry, hint, header)
        finally:
            self.heaps = heaps

    def called(self, item, hint):
        return user_name(item, hint)

    def joined_box(self, entry, end, hint, header):
        """A box of the header: it stands for that before the loop in the first iteration, and for that of the end of
        one in the next."""
        earlier = header.box if isinstance(header, v.Boxed) and header.box in self.boxes else None
        if entry is not None and entry.box is end.box and earlier is None:
            return entry
        if entry is None and hasattr(end.cls, "__next__"):
            raise v.Conflict("it is an iterator that the loop makes; make it before the loop, or a list of it")
        contents, keys = fitting_contents(self, entry, end)
        pair = (entry and entry.box, end.box)
        ref = self.cells.get(pair)
        if ref is None and earlier not in self.cells.values():
            ref = earlier  # that of the last run of the body, where it stands for no other pair in this one
        if ref is None:
            ref = v.Ref(hint, outside=end.box.outside or entry and entry.box.outside)
        self.cells[pair] = ref
        olds, before = self.boxes.get(ref), ref.chosen
        # `is` asks which of the boxes from before the loop it is in this iteration; the loop carries the flags of that
        ref.chosen = self.box_from_before(ref, entry, end)
        items = tuple([self.value(a, b, hint, old) for a, b, old in beside_in_rows(*contents, olds)])
        self.boxes[ref] = items
        same = isinstance(header, v.Boxed) and header.box is ref and unchanged(items, olds) and ref.chosen == before
        return header if same else v.Boxed(ref, end.cls, keys)

    def box_from_before(self, ref, entry, end):
        """Which of the boxes from before the loop it is; itself where it is another, or not bound there."""
        itself = v.Static(ref)
        x, y = (itself if a is None else which(a.box) for a in (entry, end))
        are_known = all([(one.value, None) in self.before for one in [*cases_of(x), *cases_of(y)]])
        return self.chosen(x, y, ref.chosen) if are_known and ref.chosen != itself else itself

    def items_at_header(self, ref, entry, header, end):
        """The items of a list, dict or object that was there before the loop, and is the same after an iteration."""
        end_heap = self.heaps[1]
        names = [heap.get((ref, v.KEYS), ref.keys) for heap in self.heaps]
        if names[0] != names[1] and ref.hint != v.OBJECT:
            return items_by_key(self, ref, entry, header, end, *names)
        if (len(entry) != len(end) or (of_content(entry) is None) != (of_content(end) is None)
                or end_heap.get((ref, v.KEYS)) != self.before.get((ref, v.KEYS))):
            raise v.Grows(self.s.changed_at.get(ref), ref, end, end_heap)
        hints = [*map(user_name, end, names_of_items(ref, end_heap.get((ref, v.KEYS), ref.keys), len(end)))]
        items = tuple([self.value(a, b, hint, old) for (a, b, old),
                       hint in zip(beside_in_rows(entry, end, header), hints)])
        return header if unchanged(items, header) else items

    # arrays ------------------------------------------------------------------------------------
    def array(self, entry, end, hint, header):
        if (entry is not None and entry.cell is end.cell and entry.path == end.path
                and not (isinstance(header, v.Array) and header.cell in self.content)):
            return entry
        known = (end.cell, None) in self.before
        if end.path and known and (entry is None or entry.cell is end.cell and same_steps(entry.path, end.path)) \
                and (header is None or header.cell is end.cell):
            new = v.Array(end.cell, self.path(entry, end, header))
            return header if header == new else new
        return self.owned(entry, end, hint, header)

    def owned(self, entry, end, hint, header):
        """A cell of the header, for one of several arrays;
        variables that share memory before and after share the cell."""
        s = self.s
        plain = not end.path and (entry is None or not entry.path)
        table, pair = (self.cells, (entry and entry.cell, end.cell)) if plain else (self.parts, (entry, end))
        ref = table.get(pair)
        if (ref is None and isinstance(header, v.Array) and header.cell in self.content
                and header.cell not in {*self.cells.values(), *self.parts.values()}):
            ref = header.cell
        if ref is None:
            ref = v.Ref(hint, frozen=end.cell.frozen or entry and entry.cell.frozen,
                        outside=end.cell.outside or entry and entry.cell.outside)
        old = self.content.get(ref)
        atoms = [x if x is None else s.atom_in(heap, x) for heap, x in zip(self.heaps, (entry, end))]
        name = self.atom(*atoms, hint, old)
        table[pair] = ref
        self.content[ref], ref.order = name, s.order(name)
        return header if old == name and isinstance(header, v.Array) and header.cell is ref else v.Array(ref)

    # what goes in and what comes round -----------------------------------------------------------
    def leaves(self, heap) -> dict[str, Atom]:
        """{header's name: atom of the given heap} in a fixed order; placeholders where nothing is."""
        out: dict[str, Atom] = {}
        for key, header in self.slots.items():
            ref, _ = key
            if isinstance(header, v.Unjoinable):
                continue
            if isinstance(ref, v.Ref) and not isinstance(header, tuple):
                self.put(out, header, heap[key])
            elif isinstance(ref, v.Ref):
                held = dict(zip(heap.get((ref, v.KEYS), ref.keys), heap[key]))
                for h, x in zip(header, [held.get(k) for k in self.keys[ref]] if ref in self.keys else heap[key]):
                    self.leaf(h, x, heap, out)
            else:
                self.leaf(header, heap.get(key), heap, out)
        return out

    def put(self, out, name, atom: Atom | None) -> None:
        """Enter the atom for a header's name, and the lengths of its axes that are carried; None: a placeholder."""
        if name in out:
            return
        s = self.s
        t: Type = s.b.types[name]
        dims = list(t.dims)
        for k, d in enumerate(t.dims):
            carried = min(d.names & self.lengths.keys(), default=None)
            if carried is not None:
                dims[k] = s.b.type(atom).dims[k] if atom is not None else Dim.of(0)
                out.setdefault(carried, s.dim_atom(dims[k]))
        if atom is None:
            out[name] = zeros_of(s.b, t.with_dims(dims), name)
        elif t.kind == "array" and s.b.type(atom).kind != "array":
            out[name] = conform(s.b, atom, t.with_dims(dims), name)  # a number before the loop
        else:
            out[name] = convert(s, atom, t.with_dims(s.b.type(atom).dims), name)

    def leaf(self, header, value, heap, out):
        if isinstance(value, v.Unjoinable):
            return
        value = None if value == v.NONE else value
        match header:
            case v.OneOf(flag=flag, value=inner, other=other, optional=True) if self.mine(flag):
                given, value = flag_and_value(value, other)
                out.setdefault(flag, given)
                self.leaf(inner, value, heap, out)
            case v.OneOf() if has_forms(header):
                join = len(numbers_among(header)) < 2
                given = forms_of(self.s, heap, value, join)
                flags = {form: flag for form, (flag, _) in given.items()}
                for form, (flag, inner) in forms_of(self.s, self.enter(), header, join).items():
                    if self.mine(flag):
                        out.setdefault(flag, is_it(self.s, form, flags))
                    self.leaf(inner, given.get(form, (None, None))[1], heap, out)
            case v.OneOf(flag=flag, value=one, other=other) if self.mine(flag):
                out.setdefault(flag, is_it(self.s, one, cases_of(value)))
                self.leaf(other, value, heap, out)
            case v.Number(atom=name) if self.mine(name):
                self.put(out, name, value and self.s.atom_in(heap, value))
            case v.Array(cell=ref) if ref in self.content:
                self.put(out, self.content[ref], value and self.s.atom_in(heap, value))
            case v.Array():
                self.steps(header, value, out)
            case v.Tuple(items=items):
                for k, h in enumerate(items):
                    self.leaf(h, value and value.items[k], heap, out)
            case v.Boxed(box=ref) if ref in self.boxes:
                self.leaf(ref.chosen, value and which(value.box), heap, out)
                for k, h in enumerate(self.boxes[ref]):
                    self.leaf(h, value and heap[value.box, None][k], heap, out)

    def steps(self, header, value, out) -> None:
        """The carried indices and lengths of a view."""
        for k, p in enumerate(header.path):
            q = None if value is None else value.path[k]
            for j, name in enumerate(p.atoms):
                if self.mine(name):
                    self.put(out, name, None if q is None else q.atoms[j])
            for j, d in enumerate(dict(p.params).get("dims", ())):
                for carried in sorted(d.names & self.lengths.keys()):
                    out.setdefault(carried, Const(0) if q is None else self.s.dim_atom(dict(q.params)["dims"][j]))
