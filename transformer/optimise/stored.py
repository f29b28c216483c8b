"""Values that are needed again after they were stored into an array are read there.

    v = np.exp(x)                                   v = np.exp(x)
    y__1 = rt.update(y, v, np.s_[1:-1])             y__1 = rt.update(y, v, np.s_[1:-1])
    u = y__1[2:]                                    u = y__1[2:]
    z = v + u                                       t = y__1[1:-1]
                                                    z = t + u

    u = g_bar__1[1:-1]                              g_bar__3 = rt.update_add(g_bar__1, v, np.s_[1:-1])
    z = v + u                                       z = g_bar__3[1:-1]
    g_bar__2 = rt.update(g_bar__1, 0.0, ...)        g_bar__2 = rt.update(g_bar__3, 0.0, np.s_[1:-1])

Passes before this one know values by what was stored, which is best for numbers, and for arrays that one kernel makes
and uses.  Here z is computed by other loops than v, because it waits for an array in which v is, or would be, stored: v
would need memory of its own, to be written and read once more in each step of a stencil.
"""
from __future__ import annotations

from dataclasses import replace

from ..analyse.buffers import is_update
from ..core import PASSED, Block, Fun, Let, Stmt, bound, names_among
from ..rules import OPS
from ..rules.kinds import Elementwise
from .part_rules import same_part
from .recurring import names_read_within
from .rewriter import Rewriter
from .simplify import is_zero


def read_where_stored(fun: Fun) -> Fun:
    return fun if fun.writes else ReadingBack(fun).run()  # an argument may overlap itself


class ReadingBack(Rewriter):
    def __init__(self, fun: Fun):
        super().__init__(fun)
        self.stored: dict[str, dict[str, Let]] = {}  # {a value: {a value that it is to be read back for: the store}}
        self.added: dict[str, tuple[str, Let]] = {}  # {a part that is read for a sum: (the other term, the sum)}
        self.dropped: set[str] = set()
        self.views: dict[str, str] = {}  # {an array: the part of it that was stored last}

    def statements(self, block: Block) -> None:
        if any([isinstance(s, Let) and s.op.name == "rt.update" for s in block.stmts]):
            self.look_at(BlockReads(block))
        super().statements(block)

    def let(self, let: Let) -> None:
        if let.names[:1] and let.names[0] in self.added:
            return self.read_sum(let, *self.added[let.names[0]])
        if let.names and let.names[0] in self.dropped:
            return
        args = tuple([self.read_back(a, let) for a in let.args])
        self.emit(let if args == let.args else replace(let, args=args))

    def read_back(self, atom, reader: Let):
        """The part that holds a value, where the reader waits for the array."""
        store = self.stored.get(atom, {}).get(reader.name) if len(reader.names) == 1 else None
        if store is None:
            return atom
        array = self.atom(store.name)
        if array not in self.views:
            with self.b.at(reader.origin):
                self.views[array] = self.b.emit(OPS["getitem"], array, *self.atoms(store.args[2:]), hint=atom,
                                                **dict(store.params))
        return self.views[array]

    def read_sum(self, part: Let, term: str, total: Let) -> None:
        x, *places = part.args
        with self.b.at(total.origin):
            array = self.b.emit(OPS["rt.update_add"], x, self.atom(term), *places, hint=x, **dict(part.params))
        self.emit(replace(part, names=total.names, args=(array, *places)))
        self.alias(x, array)
        self.dropped.add(total.name)

    # what is to be read back -----------------------------------------------------------------------
    def look_at(self, reads: "BlockReads") -> None:
        for k, let in enumerate(reads.stmts):
            if not isinstance(let, Let) or let.op.name != "rt.update":
                continue
            if self.fills_part(let, let.args[1]) and self.is_computed(reads.made.get(let.args[1])):
                for reader in reads.waiting_for(let, k):
                    self.stored.setdefault(let.args[1], {})[reader.name] = let
            elif is_zero(let.args[1]):
                self.note_sum(reads, let)

    def fills_part(self, let: Let, value) -> bool:
        """Is a value an array with an element for each place of the part that a store names?"""
        if not isinstance(value, str) or "a" in let.param("index") or "n" in let.param("index"):
            return False
        part = OPS["rt.update"].part(self.b, let)
        return part.kind == "array" and self.types[value] == part

    def is_computed(self, let: Stmt | None) -> bool:
        return isinstance(let, Let) and (isinstance(let.op, Elementwise) or let.op.elements is PASSED)

    def note_sum(self, reads: "BlockReads", clear: Let) -> None:
        """x[i] + v, of a sum x of which nothing but this part is read before the part is cleared."""
        part = reads.read_before(clear)
        users = reads.readers.get(part.name, ()) if part else ()
        if len(users) != 1 or not isinstance(users[0], Let) or users[0].op.name != "add":
            return
        total, others = users[0], [a for a in users[0].args if a != part.name]
        if (others and self.fills_part(clear, others[0]) and self.types[total.name] == self.types[part.name]
                and reads.is_before(others[0], part)):
            self.added[part.name] = others[0], total


class BlockReads:
    """Who reads what in a block.

    made     {name: the statement of the block that binds it}
    readers  {name: the statements of the block that read it, also inside, and None for the block's results}
    """

    def __init__(self, block: Block):
        self.stmts = block.stmts
        self.made = {name: stmt for stmt in block.stmts for name in bound(stmt)}
        self.place = {id(stmt): k for k, stmt in enumerate(block.stmts)}
        self.readers: dict[str, list[Stmt | None]] = {}
        for stmt in block.stmts:
            for name in names_read_within(stmt):
                self.readers.setdefault(name, []).append(stmt)
        for name in names_among(block.results):
            self.readers.setdefault(name, []).append(None)

    def read_before(self, clear: Let) -> Let | None:
        """The statement that reads the part of a sum which is cleared then, if nothing else reads the sum."""
        made, readers = self.made.get(clear.args[0]), self.readers.get(clear.args[0], [])
        sums = isinstance(made, Let) and made.op.name == "rt.update_add"
        part = readers[0] if sums and len(readers) == 2 else None
        reads = isinstance(part, Let) and part.op.name == "getitem" and same_part(clear, part, 2, 1)
        return part if reads else None

    def is_before(self, name: str, stmt: Stmt) -> bool:
        """Is a name bound before a statement?"""
        return name not in self.made or self.place[id(self.made[name])] < self.place[id(stmt)]

    def waiting_for(self, store: Let, at: int) -> list[Let]:
        """The readers of what was stored that cannot be computed with it, because they wait for the array, or are only
        read by what does; all before the next store into the array."""
        array, value = store.name, store.args[1]
        end = next((self.place[id(s)] for s in self.readers.get(array, ()) if may_store(s)), len(self.stmts))
        stmts = [s for s in self.stmts[at + 1:end + 1] if isinstance(s, Let)]
        after = {array}
        for stmt in stmts:
            if not after.isdisjoint(stmt.args):
                after.update(stmt.names)
        late: set[int] = set()
        for stmt in reversed(stmts):
            if isinstance(stmt.op, Elementwise) and (not after.isdisjoint(stmt.args) or self.only_read_by(late, stmt)):
                late.add(id(stmt))
        return [s for s in stmts if id(s) in late and value in s.args]

    def only_read_by(self, late: set[int], let: Let) -> bool:
        users = self.readers.get(let.name, ())
        return bool(users) and all(id(user) in late for user in users)


def may_store(reader: Stmt | None) -> bool:
    """May it store into what it reads?  (None: the results of a block.)"""
    return reader is not None and (not isinstance(reader, Let) or is_update(reader))
