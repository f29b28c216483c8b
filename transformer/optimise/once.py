"""What a loop adds to each place once, where there are zeros, it stores, as soon as it is there.

    x_bar__1 = np.zeros(n)                                x_bar__1 = np.empty(n)
    for i in range(0, n, 1):                              for i in range(0, n, 1):
        g = ...                                               g = ...
        y = ...                                               x_bar__2 = rt.update(x_bar__1, g, np.s_[i])
        x_bar__2 = rt.update_add(x_bar__1, g, np.s_[i])       y = ...

A kernel that gives g can then store it where it belongs.
"""
from __future__ import annotations

from collections import Counter
from dataclasses import replace

from ..core import Block, Const, For, Fun, Let, Stmt, names_among, operands, walk
from ..core.index_codes import entries
from ..core.types import Dim
from ..core.walking import blocks_of
from ..rules import OPS
from .rewriter import Rewriter
from .simplify import is_derivative


def once(fun: Fun) -> Fun:
    found = stored_once(fun)
    return Once(fun, found).run() if found else fun


class Once(Rewriter):
    """sums: {name: (the sum, the zeros that it fills or None)}"""

    def __init__(self, fun: Fun, sums: dict[str, tuple[Let, str | None]]):
        super().__init__(fun)
        self.sums, self.filled = sums, {zeros for _, zeros in sums.values()}
        self.indices, self.here = set(), set()  # of the loops around; what the innermost carries
        self.early: set[str] = set()
        self.ready: dict[str, list[Let]] = {}  # of a value: its stores, whose places are known where the loop begins
        for let, _ in sums.values():
            if set(let.param("index")) <= {"i", ":"} and isinstance(let.args[1], str):
                self.ready.setdefault(let.args[1], []).append(let)

    def let(self, let: Let) -> None:
        if len(let.names) != 1:
            return self.emit(let)
        if let.name in self.early:
            return
        if let.name in self.filled:
            let = replace(let, op=OPS["np.empty"])
        self.emit(replace(let, op=OPS["rt.update"]) if let.name in self.sums else let)
        for store in self.ready.get(let.name, ()):
            if all([isinstance(a, Const) or a in self.indices for a in store.args[2:]]) and store.args[0] in self.here:
                self.early.add(store.name)
                self.emit(replace(self.renamed(store), op=OPS["rt.update"]))

    def loop(self, stmt) -> None:
        before = self.indices, self.here
        indices = {stmt.index} if isinstance(stmt, For) else set()
        self.indices, self.here = self.indices | indices, set(stmt.carried)
        super().loop(stmt)
        self.indices, self.here = before


def stored_once(fun: Fun) -> dict[str, tuple[Let, str | None]]:
    """{name: (such a sum, the zeros to which it is added if it leaves none of them)}"""
    stmts = walk(fun.body)
    loops = [stmt for stmt in stmts if isinstance(stmt, For)]
    if not loops:
        return {}
    uses = ReadCounts(fun.body)
    zeros = {stmt.name for stmt in stmts
             if isinstance(stmt, Let) and stmt.op.name == "np.zeros" and uses[stmt.name] == 1}
    found = [(added_term(loop, k, (), uses, fun.types[init].dtype.kind in "iu"), loop, init)
             for loop in loops for k, init in enumerate(loop.inits) if init in zeros]
    return {let.name: (let, init if fills(let, loop, fun.types[init].dims) else None)
            for let, loop, init in found if let is not None}


def fills(let: Let, loop: For, dims) -> bool:
    """Does a loop store a row of each place of the first axis?"""
    if let.param("index") != ("i",) + (":",) * (len(dims) - 1) or let.args[2] != loop.index:
        return False
    count = dims[0].constant
    match loop.start, loop.stop, loop.step:
        case Const(value=0), stop, Const(value=1):
            return stop == Const(count) if count is not None else isinstance(stop, str) and dims[0] == Dim.of(stop)
        case Const(value=last), Const(value=-1), Const(value=-1):
            return count == last + 1
    return False


class ReadCounts(Counter):
    """How often each name is read in a block and in those in it.

    first  {name: the first statement of the block itself that reads it}
    inner  these of each loop in it, by its identity
    """

    def __init__(self, block: Block):
        super().__init__(names_among(block.results))
        self.first: dict[str, Stmt] = {}
        self.inner: dict[int, ReadCounts] = {}
        for stmt in block.stmts:
            names = names_among(operands(stmt))
            self.update(names)
            for name in names:
                self.first.setdefault(name, stmt)
            for own in map(ReadCounts, blocks_of(stmt)):
                self.update(own)
                self.inner |= {id(stmt): own, **own.inner}


def added_term(loop: For, k: int, indices: tuple[str, ...], uses: ReadCounts, integers: bool) -> Let | None:
    """The one statement in a loop that reads what it carries k-th, if it adds to a place that no other round has;
    of floats only in a derivative: 0.0 + -0.0 is 0.0."""
    name, after, inside = loop.carried[k], loop.body.results[k], uses.inner[id(loop)]
    reader = inside.first.get(name)
    if inside[name] != 1 or not counts_from_zero(loop):
        return None
    indices = (*indices, loop.index)
    match reader:
        case Let(op=op) if op.name == "rt.update_add" and reader.name == after and inside[after] == 1:
            return reader if has_own_place(reader, indices) and (integers or is_derivative(reader)) else None
        case For(carried=carried, inits=inits) if after in carried and inits[at := carried.index(after)] == name and (
                inside[after] - uses.inner[id(reader)][after] == 1):
            return added_term(reader, at, indices, uses, integers)
    return None


def has_own_place(let: Let, indices: tuple[str, ...]) -> bool:
    """Is the place of a store another one for each of these indices?"""
    places = [atoms for code, atoms in entries(let.param("index"), let.args[2:]) if code == "i"]
    return "a" not in let.param("index") and all((i,) in places for i in indices)


def counts_from_zero(loop: For) -> bool:
    """Is its index never negative? Then no two rounds have one place."""
    step = loop.step.value if isinstance(loop.step, Const) else 0
    least = loop.start if step > 0 else loop.stop
    return step != 0 and isinstance(least, Const) and least.value >= (0 if step > 0 else -1)
