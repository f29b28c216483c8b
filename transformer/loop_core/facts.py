"""What a pass that parts a function for a device asks of it: which names are arrays, of how many axes, which of them
may share memory, and what loops do with them.
"""
from __future__ import annotations

from collections import Counter

from .core import (I8, Alloc, Assign, Assigns, Binary, Call, Choose, Copy, Expr, Field, Function, If, Length, Load,
                   Loop, Name, Num, Span, Store, Tuple, View, integer)
from .walking import blocks, bound_by, mapped, names_bound, names_in, names_read, reads

ARRAYS = ("rm.transpose", "rm.reshape", "rm.copy", "rs.room", "rs.argsort", "rs.places")  # calls that give arrays


def loads(e) -> bool:
    """Does an expression read elements?"""
    return isinstance(e, Load) or isinstance(e, Call) and e.function == "rs.search" or any(map(loads, reads(e)))


def walk_loops(stmts):
    """All statements, in their order."""
    todo = [*reversed(stmts)]  # a generator in each other would hand each statement on once for each loop around it
    while todo:
        stmt = todo.pop()
        yield stmt
        for block in reversed(blocks(stmt)):
            todo += reversed(block)


def covered(stmt) -> tuple:
    """The places of the user's text of which a statement, and what is in it, does something."""
    return tuple(dict.fromkeys([origin for s in walk_loops((stmt,)) for origin in s.origins]))


class Arrays:
    """The names that are arrays: how many axes each has, and the class of those that may share memory with it."""

    def __init__(self, f: Function, ranks: dict[str, int]):
        self.ranks: dict[str, int | None] = dict(ranks)
        self.first: dict[str, str] = {}
        self.allocs: dict[str, Alloc] = {}
        self.named: Counter = Counter(n.id for r in f.results or () for n in names_in(r))
        for stmt in f.body:
            self.named.update(n.id for n in names_read(stmt))
        for stmt in walk_loops(f.body):
            self.learn(stmt)

    def learn(self, stmt) -> None:
        match stmt:
            case Alloc():
                self.ranks[stmt.name.id] = len(stmt.shape)
                self.allocs[stmt.name.id] = stmt
            case Copy():
                self.ranks[stmt.name.id] = self.ranks.get(stmt.source.id)
            case Assign() if self.gives_array(stmt.value):
                self.ranks[stmt.name.id] = self.rank(stmt.value)
                for name in names_in(stmt.value):
                    if name.id in self.ranks:
                        self.join(stmt.name.id, name.id)
            case Assigns() if len(stmt.names) == len(stmt.values):
                for name, value in zip(stmt.names, stmt.values):
                    self.learn(Assign(name, value))

    def gives_array(self, e: Expr) -> bool:
        match e:
            case Name():
                return e.id in self.ranks
            case View() | Field(name="T"):
                return True
            case Choose():
                return self.gives_array(e.x)
            case Call():
                return e.function in ARRAYS
        return False

    def rank(self, e: Expr) -> int | None:
        match e:
            case Name():
                return self.ranks[e.id]
            case Field():
                return self.ranks.get(e.array.id)
            case View():
                entries = sum(not isinstance(i, Span) and i is not None for i in e.index)
                rank = self.ranks.get(e.array.id)  # None: of an array that a call has given
                return None if rank is None else rank - entries + sum(i is None for i in e.index)
            case Call("rm.reshape", (_, Tuple(parts))):
                return len(parts)
            case Call("rm.transpose"):
                return len(e.args) - 1
            case Call("rs.room" | "rs.argsort" | "rs.places" | "rm.copy"):
                return self.ranks.get(e.args[0].id) if isinstance(e.args[0], Name) else None
        return None

    def join(self, a: str, b: str) -> None:
        self.first[self.memory(a)] = self.memory(b)

    def memory(self, name: str) -> str:
        """The class of names that may share memory with this one, by one of them."""
        while self.first.get(name, name) != name:
            name = self.first[name]
        return name


def accesses(stmts, arrays: Arrays) -> list[tuple[str, tuple | None, bool]]:
    """What statements do with arrays: (name, index, does it store?); no index where it is more than an element."""
    found: list[tuple[str, tuple | None, bool]] = []

    def expression(e) -> None:
        match e:
            case Load():
                found.append((e.array.id, e.index, False))
                for i in e.index:
                    expression(i)
            case Length() | Field(name="size"):
                pass
            case Name() if e.id in arrays.ranks:
                found.append((e.id, None, False))
            case _:
                for part in reads(e):
                    expression(part)

    for stmt in walk_loops(stmts):
        if isinstance(stmt, Store):
            found.append((stmt.array.id, stmt.index, True))
            for e in (*stmt.index, stmt.value):
                expression(e)
        else:
            for e in reads(stmt):
                expression(e)
    return found


def disjoint_arrays(stmts, i: Name, others: set[str], arrays: Arrays, fresh: set[str] = frozenset()) -> set[str]:
    """The arrays of which two iterations of the loop with this index may touch one element, one of them storing.

    others  names that have other values in other iterations
    fresh   arrays that share memory with no other name
    """
    def memory(name: str):
        return (name,) if name in fresh else arrays.memory(name)

    changing = names_bound(stmts) | set(others)
    meant = meanings(stmts)
    found = [(name, index and tuple([replaced(e, meant) for e in index]), stores)
             for name, index, stores in accesses(stmts, arrays)]
    stored = {memory(name) for name, _, stores in found if stores}
    wrong: set[str] = set()
    for kept in stored:
        touched = [(name, index) for name, index, _ in found if memory(name) == kept]
        names = {name for name, _ in touched}
        if len(names) > 1 or any(index is None for _, index in touched) or not one_place(
                i, [index for _, index in touched], changing):
            wrong |= names
    return wrong


def by_neighbours(i: Name, stmts) -> int:
    """How often the last axis of an array goes with an index, so that its neighbours lie side by side."""
    return sum(n == i for s in walk_loops(stmts) for e in (s, *reads(s)) for x in elements(e)
               for n in names_in(x.index[-1]))


def elements(e):
    """The elements that are read or stored directly in a statement, or anywhere in an expression."""
    if isinstance(e, (Load, Store)) and e.index:
        yield e
    if not isinstance(e, Store):
        for part in reads(e) if isinstance(e, Expr) else ():
            yield from elements(part)


def meanings(stmts) -> dict[Name, Expr]:
    """What indices say: of a loop over one block the block, of a number that is computed in one place its formula."""
    bound = Counter(n.id for s in walk_loops(stmts) for n in bound_by(s))
    found: dict[Name, Expr] = {}
    for s in walk_loops(stmts):
        if isinstance(s, Loop) and is_block(s):
            found[s.index] = s.start.y
        elif (isinstance(s, Assign) and bound[s.name.id] == 1 and s.name.dtype == I8
              and isinstance(s.value, (Name, Binary)) and not loads(s.value)):
            found[s.name] = replaced(s.value, found)
    return found


def is_block(loop: Loop) -> bool:
    """Does it run over the elements of one block, or run?  Those of another are others."""
    match loop:
        case Loop(start=Binary("*", Name() as size, Name()), stop=Call("rs.clamp", (end, _))):
            return end == loop.start + size
        case Loop(start=Binary("*", Num(), Name() as block), stop=Call("rs.block_end", (other, _))):
            return block == other
    return False


def replaced(e: Expr, names: dict[Name, Expr]) -> Expr:
    """An expression with others in the place of names."""
    return names.get(e, e) if isinstance(e, Name) else mapped(e, lambda x: replaced(x, names))


def one_place(i: Name, indices: list[tuple], changing: set[str]) -> bool:
    """Has each of these an entry that is i, or i moved by what is not `changing`, at the same axis, and the same for
    all?"""
    first = indices[0]
    return any(index_offset(entry, i, changing) and all(len(other) > axis and other[axis] == entry for other in indices)
               for axis, entry in enumerate(first))


def index_offset(e: Expr, i: Name, changing: set[str]) -> bool:
    """Is it i, or a multiple of it, plus or minus what is the same in all iterations?"""
    def same(x) -> bool:
        return not loads(x) and not any(n.id in changing for n in names_in(x))

    match e:
        case Binary("+", x, y):
            return index_offset(x, i, changing) and same(y) or index_offset(y, i, changing) and same(x)
        case Binary("-", x, y):
            return index_offset(x, i, changing) and same(y)
        case Binary("*", x, y):
            return x == i and integer(y) not in (None, 0) or y == i and integer(x) not in (None, 0)
    return e == i


def read_outside(stmts) -> tuple[list[Name], set[str]]:
    """The names that statements read before they bind them, or bind on some ways only, in their order; and those that
    they bind on all ways."""
    found: dict[Name, None] = {}

    def block(stmts, bound: set[str]) -> None:
        for stmt in stmts:
            for e in reads(stmt):
                found.update(dict.fromkeys(n for n in names_in(e) if n.id not in bound))
            inner = bound | ({stmt.index.id} if isinstance(stmt, Loop) else set())
            after = []
            for b in blocks(stmt):
                after.append(set(inner))
                block(b, after[-1])
            bound |= {n.id for n in bound_by(stmt)} if not isinstance(stmt, Loop) else set()
            if isinstance(stmt, If):
                bound |= after[0] & after[1]

    always: set[str] = set()
    block(stmts, always)
    return list(found), always


def handed_on(body) -> set[str]:
    """The names that an iteration reads as another has left them."""
    return {n.id for n in read_outside(body)[0]} & names_bound(body)
