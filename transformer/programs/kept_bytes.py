"""What the tapes of a gradient hold, by the line of the user's source, found from their shapes alone.

A tape says in its origin whose values it keeps (`transform/tape.py`).  The program is made to give the bytes of each
instead of its results, and what computes no shape goes away: no array of the gradient is made for it.
"""
from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace

import numpy as np

from ..core import Atom, Block, Builder, Const, For, Fun, If, Let, While, runnable, split_name
from ..core.types import Type
from ..optimise import dce, hoist_invariants, simplify
from ..optimise.inplace import inplace
from ..optimise.pipeline import optimise
from ..rules import OPS
from ..rules.kinds import dim_atom
from ..transform.tape import volume

NOTHING, BYTES = Const(np.int64(0)), Type("np", np.dtype(np.int64))


@dataclass(frozen=True)
class KeptLine:
    """What is kept of a line: of the values `names`, `bytes`; where it stands, and its text."""

    file: str
    line: int
    text: str
    names: tuple[str, ...]
    bytes: int


@dataclass(frozen=True)
class KeptBytes:
    """What a gradient keeps of the rounds of loops: `lines`, in the order of the source, and `total`, in bytes."""

    lines: tuple[KeptLine, ...]

    @property
    def total(self) -> int:
        return sum(x.bytes for x in self.lines)

    def __str__(self):
        texts = [f"line {x.line}: {x.text}" for x in self.lines]
        rows = [(f"{x.bytes:,}", ", ".join(x.names), text) for x, text in zip(self.lines, texts)]
        rows = [("bytes", "of", ""), *rows, (f"{self.total:,}", "in all", "")]
        size, names = (max(len(row[k]) for row in rows) for k in (0, 1))
        return "\n".join(f"{a:>{size}}  {b:{names}}  {c}".rstrip() for a, b, c in rows)


def kept_bytes(fun: Fun, flat: list) -> KeptBytes:
    """What the tapes of a program hold for these flat arguments."""
    of_tapes, origins = Measured(fun).run()
    lines: dict[tuple, list] = defaultdict(list)
    for origin, size in zip(origins, runnable(inplace(of_tapes))(*flat)):
        if size:
            lines[origin.file, origin.line, origin.first_text].append((origin.kept, int(size)))
    return KeptBytes(tuple([KeptLine(*place, tuple(dict.fromkeys(split_name(name)[0] for name, _ in found)),
                                sum(size for _, size in found)) for place, found in sorted(lines.items())]))


class Measured:
    """A program that gives the bytes of each tape; of one that is made again and again, the most that it has."""

    def __init__(self, fun: Fun):
        self.fun, self.b, self.origins = fun, Builder(like=fun), []

    def run(self) -> tuple[Fun, list]:
        body, sizes = self.block(self.fun.body)
        made = replace(self.fun, body=Block(body.stmts, tuple(sizes.values())), types=self.b.types, writes={},
                       whole=False)
        return optimise(made, (dce, hoist_invariants, simplify, dce)), self.origins

    def block(self, block: Block) -> tuple[Block, dict[int, Atom]]:
        """(the block, {the number of a tape: its bytes there})"""
        sizes: dict[int, Atom] = {}
        with self.b.block() as stmts:
            for stmt in block.stmts:
                if isinstance(stmt, Let):
                    self.let(stmt, sizes)
                elif isinstance(stmt, If):
                    self.branch(stmt, sizes)
                else:
                    self.loop(stmt, sizes)
        return Block(tuple(stmts), block.results), sizes

    def let(self, let: Let, sizes: dict[int, Atom]) -> None:
        """Checks have nothing to do with sizes: they go away, so that what they look at need not be computed."""
        if let.op is OPS["rt.match"]:
            let = replace(let, op=OPS["retype"], args=let.args[:1], params=(("dims", let.param("dims")),))
        if not let.op.effect or let.op.dispensable:
            self.b.append(let)
        if let.origin and let.origin.kept and self.b.types[let.name].kind == "array":
            t = self.b.types[let.name]
            size = dim_atom(self.b, volume(t) * t.dtype.itemsize, "bytes")
            sizes[self.numbered(let.origin)] = self.b.emit(OPS["np.maximum"], NOTHING, size, hint="bytes")

    def numbered(self, origin) -> int:
        self.origins.append(origin)
        return len(self.origins) - 1

    def branch(self, stmt: If, sizes: dict[int, Atom]) -> None:
        sides = [self.block(side) for side in (stmt.then, stmt.orelse)]
        made = {k: self.b.fresh("bytes", BYTES) for _, inner in sides for k in inner}
        blocks = [replace(body, results=(*body.results, *[inner.get(k, NOTHING) for k in made]))
                  for body, inner in sides]
        self.b.append(replace(stmt, names=(*stmt.names, *made.values()), then=blocks[0], orelse=blocks[1]))
        sizes.update(made)

    def loop(self, stmt: For | While, sizes: dict[int, Atom]) -> None:
        body, inner = self.block(stmt.body)
        most = {k: self.b.fresh("bytes", BYTES) for k in inner}
        with self.b.block() as more:
            nexts = [self.b.emit(OPS["np.maximum"], name, inner[k], hint="bytes") for k, name in most.items()]
        body = Block((*body.stmts, *more), (*body.results, *nexts))
        inits = (*stmt.inits, *[NOTHING] * len(most))
        self.b.append(replace(stmt, carried=(*stmt.carried, *most.values()), inits=inits, body=body))
        sizes.update(most)
