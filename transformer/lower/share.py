"""Loops whose iterations do not depend on each other become functions of their own, so that threads can share them.

    for k in range(0, n):                 def f_part(low, high, x, y):
        ...                                   y = rm.fresh(y)
        y[k] = t                 ->           for k in range(low, high):
                                                  ...
                                                  y[k] = t

                                          rp.share(f_part, n, (x, y), 1, False)

Iterations are independent when the loop carries nothing, and what it stores into from outside is touched only at the index
of the loop, at one axis, under one name: an iteration then has a slice of its own.  A sum that all of them add to, a read of
a neighbour or a store at k + 1 is none of that, and such a loop stays as it is.  What the body allocates is inside the
function, and belongs to one thread.
"""
from __future__ import annotations

import ast
from dataclasses import replace

from ..analyse.buffers import is_buffer, shared
from ..core import STORED, Block, Const, For, If, Let, Stmt, Store, While, all_bound, blocks_of, operands, walk
from ..optimise.fuse import Kernel
from ..optimise.outline import Routine
from ..rules.indexing import entries
from .parts import Memory
from .writer import RESERVED, tuple_text


def is_work(loop: For) -> bool:
    """Does an iteration do more than a few instructions?  It has a loop, a branch or operations on arrays."""
    return any(isinstance(s, (For, While, If)) or isinstance(s, Let) and (isinstance(s.op, (Kernel, Routine)) or s.op.name == "matmul") for s in walk(loop.body))


GRAIN = 256  # iterations that one vector instruction computes are fewer
FEW = 16  # rounds of a loop that a compiler writes out


def has_rounds(loop: For) -> bool:
    """Has it loops inside that stay loops?  Vector instructions then belong to these, and not to several of its iterations."""
    return any(rounds is None or rounds >= FEW for stmt in walk(loop.body) for rounds in rounds_of(stmt))


def rounds_of(stmt) -> list[int | None]:
    """How many rounds loops of a statement have, None where the run decides."""
    match stmt:
        case While():
            return [None]
        case For(start=Const(start), stop=Const(stop), step=Const(step)):
            return [len(range(start, stop, step))]
        case For():
            return [None]
        case Let(op=Kernel() as kernel):
            return [d.constant for t in kernel.fun.types.values() for d in t.dims]
        case Let(op=op) if isinstance(op, Routine) or op.name == "matmul":
            return [None]
    return []


def own_parts(loop: For, before: tuple[Stmt, ...], memory: Memory) -> list[str] | None:
    """The arrays from outside into which each iteration stores a part of its own; None where iterations may depend on each other.

    `before` are the statements of its block that stand before the loop.
    """
    if loop.carried or loop.step not in (Const(1), Const(-1)):
        return None
    inside, stmts = {loop.index, *all_bound(loop.body)}, list(walk(loop.body))
    within = Memory(replace(memory.fun, body=loop.body))
    stored = {within.find(s.target if isinstance(s, Store) else s.args[0]) for s in stmts
              if isinstance(s, Store) or isinstance(s, Let) and s.op.memory is STORED}
    axes: dict[str, int | None] = {}  # of the arrays from outside that are stored into: the axis at which the loop has them
    names: set[str] = set()  # from outside
    for stmt in stmts:
        for k, name in enumerate((*operands(stmt), *(r for block in blocks_of(stmt) for r in block.results))):
            if not isinstance(name, str) or name in inside or not is_buffer(memory.fun.types[name]):
                continue
            names.add(name)
            if within.find(name) in stored:
                axis = own_axis(stmt, loop.index) if k == 0 else None
                if axis is None or axes.setdefault(name, axis) != axis:
                    return None
    new = newborn(before)
    return sorted(axes) if all(name in new or is_apart(name, names - new, memory) for name in axes) else None


def is_apart(name: str, others: set[str], memory: Memory) -> bool:
    """Is this memory apart from that of others, and from that of arguments, which may overlap itself?"""
    return all(memory.apart(name, other) for other in {*others, *memory.fun.params} - {name}) and name not in memory.fun.params


def newborn(stmts: tuple[Stmt, ...]) -> set[str]:
    """The arrays that these statements make and have no other name for."""
    new: set[str] = set()
    for stmt in stmts:
        for s in walk(Block((stmt,))):
            new -= {*(shared(s) if isinstance(s, Let) else operands(s) if not isinstance(s, Store) else ())}
            new -= {r for block in blocks_of(s) for r in block.results}
        if isinstance(stmt, Let) and stmt.op.to_fill:
            new |= set(stmt.names)
    return new


def own_axis(stmt, index: str) -> int | None:
    """The axis at which a statement takes its first operand at the index of a loop."""
    match stmt:
        case Store():
            codes, atoms = stmt.index, stmt.atoms
        case Let() if stmt.op.name == "getitem":
            codes, atoms = stmt.param("index"), stmt.args[1:]
        case _:
            return None
    if "a" in codes:
        return None
    axis = 0
    for code, own in entries(codes, atoms):
        if code == "i" and own == (index,):
            return axis
        axis += code != "n"
    return None


def write_shared(lowerer, loop: For, arrays: list[str], body) -> None:
    """The loop as a call, and its iterations as a function of the module; `body()` writes what is in the loop."""
    w, many = lowerer.w, has_rounds(loop)
    low, high, index = w.fresh("low"), w.fresh("high"), w.name(loop.index)
    start, back = w.atom(loop.start), loop.step == Const(-1)
    first = ("-" if back else "") if start == "0" else f"{start} {'-' if back else '+'} "
    bounds = f"{first}{low}, {first}{high}" + ", -1" * back
    with w.apart() as lines:
        with w.indented(f"for {index} in range({bounds}):", "loop", loop):
            w.scopes[-1].names.add(index)
            w.line(f"rs.natural({index})")
            if many:
                w.line("rp.one_by_one()")
            body()
    taken = taken_from_outside(lines, {low, high, *w.routines.values()})
    own = [f"    {w.name(x)} = rm.fresh({w.name(x)})" for x in arrays]
    name = w.fresh(f"{lowerer.fun.name}_part" if lowerer.fun.name.isidentifier() else "part")
    w.functions.append("\n".join([f"def {name}({', '.join([low, high, *taken])}):", *own, *lines]))
    count = difference(w, loop.start, loop.stop) if back else difference(w, loop.stop, loop.start)
    w.line(f"rp.share({name}, {count}, {tuple_text(taken)}, {1 if many else GRAIN}, {lowerer.parallel is True})")


def difference(w, a, b) -> str:
    if not isinstance(b, Const):
        return f"{w.atom(a)} - {w.atom(b)}"
    return w.atom(a) if b.value == 0 else f"{w.atom(a)} {'-' if b.value > 0 else '+'} {abs(b.value)}"


def taken_from_outside(lines: list[str], own: set[str]) -> list[str]:
    """The names that lines of text need and do not bind, in their order."""
    tree = ast.parse("def f():\n" + "\n".join(lines))
    names = sorted((n for n in ast.walk(tree) if isinstance(n, ast.Name)), key=lambda n: (n.lineno, n.col_offset))
    bound = own | RESERVED | {n.id for n in names if isinstance(n.ctx, ast.Store)}
    return list(dict.fromkeys(n.id for n in names if n.id not in bound))
