"""Branches and loops whose course only the run time knows."""
from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace

from ..core import Atom, Block, Const, For, If, Let, While, bound, split_name, walk
from ..errors import UnsupportedError
from ..rules.kinds import conform, zeros_of
from ..types import PY_BOOL, PY_INT
from . import values as v
from .join import MIXED, Side, convert, frame_slots, freeze_mixed, join, join_types
from .layout import common


STRETCHED = ("a variable is a number before this loop and an array after an iteration, and the loop runs zero times; "
             "initialise it with np.zeros or np.ones of its shape")


RESIZED = "the array '{}' changes its size in this loop", "Make it as large as it will be before the loop, and store into parts of it."


# branches ------------------------------------------------------------------------------------
@contextmanager
def scope(s):
    """What is emitted inside is not in sight afterwards."""
    saved = s.matched, s.interned, s.known_true
    s.matched, s.interned, s.known_true = dict(s.matched), dict(s.interned), set(s.known_true)
    with s.b.block() as stmts:
        yield stmts
    s.matched, s.interned, s.known_true = saved


def in_sight(s) -> frozenset[str]:
    """A test for names: those bound before now (types of all names ever made)."""
    return frozenset(s.b.types)


def learn(s, test: Atom, holds: bool) -> None:
    """Note a flag that the branch taken has tested."""
    negated = next((x.args[0] for x in reversed(s.outer_stmts) if isinstance(x, Let) and x.names == (test,) and x.op.name == "not "), None)
    if holds:
        s.known_true.add(test)
    elif negated is not None:
        s.known_true.add(negated)


def choose(s, test: Atom, then, orelse, live=None):
    """The value of `then()` where test holds, else of `orelse()`; both may change the heap."""
    before, outer = dict(s.heap), in_sight(s)
    sides, dead = [], []
    s.outer_stmts = list(s.b.stmts)
    for action, holds in ((then, True), (orelse, False)):
        s.heap, s.dead = dict(before), False
        with scope(s) as stmts:
            learn(s, test, holds)
            with known_instead(s, test):
                value = action()
        sides.append(Side(stmts, s.heap, value))
        dead.append(s.dead)
    s.dead = all(dead)
    if any(dead):
        return raising(s, test, sides, dead)
    with known_instead(s, test):
        joiner, value = join(s, before, sides, live, outer)
    for reason in joiner.reasons:
        reason.test = test
    names, (a, b) = tuple(joiner.names), joiner.results
    s.heap = joiner.heap
    if names or any(side.stmts for side in sides):
        s.b.append(If(test, names, Block(tuple(sides[0].stmts), tuple(a)), Block(tuple(sides[1].stmts), tuple(b)), s.b.origin))
    return value


@contextmanager
def known_instead(s, test: Atom):
    """Where a branch is refused, or its sides do not fit together: know its test before the run, if that can be."""
    try:
        yield
    except UnsupportedError:
        s.know(test)
        raise


def raising(s, test, sides, dead):
    """One side ends in an exception: the other side goes on after the branch, not in it."""
    k = 0 if dead[0] else 1
    stmts = sides[k].stmts
    if len(stmts) == 1 and isinstance(stmts[0], Let) and stmts[0].op.name == "rt.require":
        flag = s.emit("not ", test) if k == 0 else test
        s.b.append(replace(stmts[0], args=(flag,)))
    else:
        blocks = [Block(tuple(stmts)), Block(())]
        s.b.append(If(test, (), *(blocks if k == 0 else reversed(blocks)), s.b.origin))
    other = sides[1 - k]
    s.heap = other.heap
    for stmt in other.stmts:
        s.b.append(stmt)
    return other.value


# loops ---------------------------------------------------------------------------------------
class Heads:
    """The values at the head of a loop, with fresh names for all that an iteration changes.

    Found by a fixed point: run the body, see which slots differ at its end, give those a name at the
    head that can hold both what comes in and what comes round, and run again until nothing is new.
    """

    def __init__(self, s, before, live):
        self.s, self.before, self.live = s, before, live
        self.slots: dict[tuple, object] = {}  # slot -> value (of frames), atom (of cells), items (of boxes)
        self.cells: dict[tuple, v.Ref] = {}  # (cell at entry, cell at the end) -> cell at the head
        self.content: dict[v.Ref, str] = {}  # of cells that the head adds
        self.stretched = False  # is a number before the loop an array after an iteration?

    def enter(self):
        """The heap at the head."""
        heap = dict(self.before) | self.slots
        for ref, name in self.content.items():
            heap[ref, None] = name
        freeze_mixed(self.cells | {(c, c): c for c in self.entry_cells()}, heap)
        return heap

    def entry_cells(self):
        return [ref for ref, part in self.before if isinstance(ref, v.Ref) and part is None and not isinstance(self.before[ref, part], tuple)]

    def update(self, head_heap, end_heap) -> bool:
        """Widen the heads by what the end of the body has; True when nothing was new."""
        s, settled = self.s, True
        current = s.frames[-1] if s.frames else None
        for key in dict.fromkeys([*head_heap, *end_heap]):
            ref, part = key
            if part in ("frozen", "keys") or isinstance(ref, v.Frame) and ref is current and self.live is not None and part not in self.live:
                continue
            if isinstance(ref, v.Ref) and key not in self.before:
                continue  # made by an iteration, or a head's own cell, which its slot speaks for
            head, end = head_heap.get(key), end_heap.get(key)
            if end is None or end is head or not isinstance(end, v.Array) and end == head and key not in self.slots:
                continue
            try:
                new = self.widen(key, self.before.get(key), self.slots.get(key), end, end_heap)
            except v.Conflict as problem:
                new = v.Bound(v.Static(str(problem.args[0])), "<conflict>")
                if not isinstance(ref, v.Frame):
                    s.fail(*(problem.args if len(problem.args) > 1 else
                             (f"this array cannot go round the loop: {problem}", "Keep its dtype and its shape the same in all iterations.")))
            if new is not self.slots.get(key):
                self.slots[key] = new
                settled = False
        return settled

    def widen(self, key, entry, head, end, end_heap):
        ref, part = key
        if isinstance(ref, v.Ref):
            if isinstance(entry, tuple):
                return self.boxed(entry, head, end, end_heap, ref.hint)
            return self.atom(entry, head, end, ref.hint)
        hint = part if isinstance(part, str) else "t"
        if entry is None:
            inner = end.value if isinstance(end, v.Maybe) and end.missing == hint else end
            old = head.value if isinstance(head, v.Maybe) else None
            value = self.value(None, old, inner, end_heap, hint)
            if head is not None and value is old:
                return head
            return v.Maybe(self.fresh_flag(hint) if head is None else head.flag, value, hint)
        return self.value(entry, head, end, end_heap, hint)

    def fresh_flag(self, hint):
        return self.s.b.fresh(f"has_{hint}", PY_BOOL)

    def atom(self, entry, head, end, hint):
        """A head's name with a type that holds entry and end."""
        s = self.s
        types = [s.b.type(a) for a in (entry, end) if a is not None]
        t = types[0]
        for u in types[1:]:
            t = join_types(t, u)
        order = common(s.order(a) for a in (entry, end, head) if a is not None)
        if head is not None:
            t = join_types(s.b.type(head), t)
            if s.b.type(head) == t.with_dims(s.b.type(head).dims) and order == s.order(head):
                return head
        if any(n not in self.outer for d in t.dims for n in d.names):
            raise v.Conflict("its size is known inside the loop only")
        name = s.b.fresh(hint, t)
        s.orders[name] = order
        return name

    def value(self, entry, head, end, end_heap, hint):
        """A head that holds `entry` (None: not bound) and `end`."""
        s = self.s
        if end is head:
            return head
        if isinstance(end, v.Bound) and end.name == "<conflict>":
            raise v.Conflict(end.value.value)
        if head is None and entry is not None and not isinstance(entry, v.Array) and entry == end:
            return entry
        none = [isinstance(x, v.Static) and x.value is None for x in (entry, end)]
        if (isinstance(head, v.Maybe) or isinstance(entry, v.Maybe) or isinstance(end, v.Maybe) or any(none)) and not all(none):
            e, h, d = (None if x is None or isinstance(x, v.Static) and x.value is None else x.value if isinstance(x, v.Maybe) else x
                       for x in (entry, head, end))
            if d is None:
                d, end_heap = e, self.before
            inner = self.value(e, h, d, end_heap, hint)
            if isinstance(head, v.Maybe) and inner is head.value:
                return head
            missing = next((x.missing for x in (entry, end, head) if isinstance(x, v.Maybe)), "None")
            return v.Maybe(head.flag if isinstance(head, v.Maybe) else self.fresh_flag(hint), inner, missing)
        if s.is_numeric(end) and not isinstance(end, v.Array) and (entry is None or s.is_numeric(entry) and not isinstance(entry, v.Array)):
            old = head.atom if isinstance(head, v.Num) else None
            name = self.atom(None if entry is None else s.atom_in(self.before, entry), old, s.atom(end), hint)
            return head if name == old else v.Num(name)
        if isinstance(end, v.Array) and entry is not None and not isinstance(entry, v.Array) and s.is_numeric(entry) and not end.path:
            self.stretched = True
            entry = None
        match entry, end:
            case (v.Array() | None), v.Array():
                return self.array(entry, head, end, end_heap, hint)
            case (v.Tuple() | None), v.Tuple():
                if entry is not None and (len(entry.items) != len(end.items) or entry.cls is not end.cls):
                    raise v.Conflict("it is a tuple of another length after an iteration")
                olds = head.items if isinstance(head, v.Tuple) else (None,) * len(end.items)
                entries = entry.items if entry is not None else (None,) * len(end.items)
                items = tuple(self.value(*x, end_heap, hint) for x in zip(entries, olds, end.items))
                return head if isinstance(head, v.Tuple) and all(a is b for a, b in zip(items, head.items)) else v.Tuple(items, end.cls)
            case (v.Closure() | v.Static() | None), (v.Closure() | v.Static()) if entry is None:
                return end
        raise v.Conflict(f"it is {s.describe(entry) if entry is not None else 'nothing'} before the loop and {s.describe(end)} after an iteration")

    def array(self, entry, head, end, end_heap, hint):
        s = self.s
        if entry is not None and entry.cell is end.cell and entry.path == end.path:
            return entry
        if end.path or entry is not None and entry.path:
            if entry is None or len(entry.path) != len(end.path) or entry.cell is not end.cell:
                raise v.Conflict("it is a view of another array after an iteration")
            steps = []
            for k, (p, q) in enumerate(zip(entry.path, end.path)):
                if (p.op, p.params) != (q.op, q.params):
                    raise v.Conflict("it is another kind of view after an iteration")
                old = head.path[k].atoms if isinstance(head, v.Array) else (None,) * len(p.atoms)
                steps.append(v.Step(p.op, tuple(a if a == b and o is None else self.atom(a, o, b, "i") for a, b, o in zip(p.atoms, q.atoms, old)), p.params))
            new = v.Array(entry.cell, tuple(steps))
            return head if head == new else new
        old = self.content.get(head.cell) if isinstance(head, v.Array) else None
        name = self.atom(None if entry is None else self.before[entry.cell, None], old, end_heap[end.cell, None], hint)
        pair = (entry.cell if entry is not None else None, end.cell)
        if old == name and old is not None:
            self.cells[pair] = head.cell
            return head
        ref = self.cells.get(pair) or v.Ref(hint, s.order(name),
                                            end.cell.frozen or entry and entry.cell.frozen)
        if ref in self.content and self.content[ref] != name:
            name = self.content[ref]
        ref.order = s.order(name)
        self.cells[pair] = ref
        self.content[ref] = name
        return v.Array(ref)

    def boxed(self, entry, head, end, end_heap, hint):
        if len(entry) != len(end):
            raise v.Conflict("a list that grows or shrinks in a loop of the run time", "Make an array before the loop, and store into it: out = np.zeros(n)")
        heads = head if head is not None else (None,) * len(end)
        items = tuple(self.value(*x, end_heap, hint) for x in zip(entry, heads, end))
        return head if head is not None and all(a is b for a, b in zip(items, head)) else items

    # what goes in and what comes round -------------------------------------------------------------
    def leaves(self, heap):
        """[(head's name, atom of the given heap)] in a fixed order; placeholders where nothing is."""
        out: dict[str, Atom] = {}
        for key, head in self.slots.items():
            ref, _ = key
            if isinstance(ref, v.Ref) and not isinstance(head, tuple):
                out.setdefault(head, self.converted(heap[key], head))
            elif isinstance(ref, v.Ref):
                for h, x in zip(head, heap[key]):
                    self.leaf(h, x, heap, out)
            else:
                self.leaf(head, heap.get(key), heap, out)
        return list(out.items())

    def converted(self, atom, name):
        t = self.s.b.types[name]
        return convert(self.s, self.sized(atom, t.dims, split_name(name)[0]), t, name)

    def sized(self, atom, dims, hint):
        """The array, which must have these dims, since an iteration has: known, assumed at entry, or checked at run time."""
        s, axes = self.s, []
        for k, (d, e) in enumerate(zip(s.b.type(atom).dims, dims)):
            if d == e:
                continue
            if (d - e).constant is not None or d.is_one and s.surely_not_one(e) or e.is_one and s.surely_not_one(d):
                s.fail(RESIZED[0].format(hint), RESIZED[1])
            if s.at_entry(d) and s.at_entry(e):
                s.assume(d - e, "==", 0)
            else:
                axes.append(k)
        if not axes:
            return atom
        return s.emit("rt.match", atom, *(s.dim_atom(dims[k]) for k in axes), dims=tuple(dims), axes=tuple(axes), how=". ".join(RESIZED).format(hint))

    def leaf(self, head, value, heap, out):
        s = self.s
        nothing = value is None or isinstance(value, v.Static) and value.value is None
        if isinstance(value, v.Bound) and value.name == "<conflict>" or value is head and not isinstance(head, (v.Num, v.Array, v.Maybe, v.Tuple)):
            return
        match head:
            case v.Maybe(flag=flag, value=inner):
                out.setdefault(flag, Const(False) if nothing else value.flag if isinstance(value, v.Maybe) else Const(True))
                self.leaf(inner, None if nothing else value.value if isinstance(value, v.Maybe) else value, heap, out)
            case v.Num(atom=name) if isinstance(name, str) and name in self.mine:
                out.setdefault(name, zeros_of(s.b, s.b.types[name], name) if nothing else self.converted(s.atom_in(heap, value), name))
            case v.Array(cell=ref, path=path):
                if ref in self.content:
                    name = self.content[ref]
                    if not nothing and not isinstance(value, v.Array):
                        out.setdefault(name, conform(s.b, s.atom(value), s.b.types[name], name))
                    elif name not in out:
                        out[name] = zeros_of(s.b, s.b.types[name], name) if nothing else self.converted(heap[value.cell, None], name)
                for p, q in zip(path, value.path if isinstance(value, v.Array) else ()):
                    for name, atom in zip(p.atoms, q.atoms):
                        if name in self.mine:
                            out.setdefault(name, atom)
            case v.Tuple(items=items):
                for k, h in enumerate(items):
                    self.leaf(h, None if nothing else value.items[k], heap, out)


def run_loop(s, key, live, iteration):
    """Run `iteration()` on the heads of a loop until they hold.

    Returns (carried names, inits, block of the body, what iteration() gave); the heap is that after the loop.
    """
    before = dict(s.heap)
    heads = Heads(s, before, live)
    heads.outer = in_sight(s)
    for _ in range(24):
        heads.mine = set(s.b.types) - heads.outer
        head_heap = heads.enter()
        s.heap = dict(head_heap)
        with scope(s) as stmts:
            result = iteration()
            end_heap = s.heap
            if heads.update(head_heap, end_heap):
                nexts = heads.leaves(end_heap)
                break
    else:
        s.fail("the types of the variables of this loop do not settle", "Initialise them with the dtype and shape that they have in the loop.")
    s.heap = before
    inits = heads.leaves(before)
    names = tuple(name for name, _ in nexts)
    assert names == tuple(name for name, _ in inits), (names, inits)
    s.heap = heads.enter()
    for k in [k for k in frame_slots(s.heap) if k in heads.slots and isinstance(heads.slots[k], v.Bound)]:
        s.heap[k] = heads.slots[k]
    drop_changed(s, heads, end_heap)
    s.stretched = heads.stretched
    return names, tuple(a for _, a in inits), Block(tuple(stmts), tuple(a for _, a in nexts)), result


def drop_changed(s, heads, end_heap) -> None:
    """Variables that the body changes and nothing reads afterwards have no value after the loop."""
    for key in frame_slots(end_heap):
        if key not in heads.slots and s.heap.get(key) is not None and end_heap[key] is not heads.before.get(key) and end_heap[key] != s.heap[key]:
            s.heap[key] = v.Bound(v.Static("it is set in a loop before"), "<conflict>")


def for_loop(s, node, start, stop, step, live, body):
    """A core `for`; `body(index value)` runs one iteration."""
    index = s.b.fresh(getattr(node.target, "id", "i") if node is not None else "i", PY_INT)
    start, stop, step = (s.atom(x) for x in (start, stop, step))
    names, inits, block, _ = run_loop(s, node, live, lambda: body(v.Num(index)))
    if s.stretched:
        some = s.emit("greater", s.int_op("rt.trip_count", start, stop, step, hint="trips"), Const(0), hint="ok")
        s.require(some, "ValueError", STRETCHED)
    s.b.append(For(index, start, stop, step, names, inits, block, s.b.origin))


def while_loop(s, node, live, test, body):
    """A core `while`; `test()` gives a bool value, evaluated before the loop and after each iteration."""
    first = test()
    if isinstance(first, v.Static) and not first.value:
        return
    flag = s.b.fresh("going", PY_BOOL)

    def iteration():
        s.known_true.add(flag)
        body()
        return s.atom(test())

    names, inits, block, again = run_loop(s, node, live, iteration)
    if s.stretched:
        s.require(s.atom(first), "ValueError", STRETCHED)
    block = Block(block.stmts, (again, *block.results))
    s.b.append(While(flag, (flag, *names), (s.atom(first), *inits), block, s.b.origin))


__all__ = ["MIXED", "bound", "choose", "for_loop", "walk", "while_loop"]
