"""Arrays with nothing in them yet are made in the loop that fills them, and need not be copied there.

    tape = rt.tape(dtype=np.float64)          for k in range(0, n, 1):
    for k in range(0, n, 1):                      tape = rt.tape(dtype=np.float64)
        tape__1 = tape                            tape__1 = tape
        while going: ...                          while going: ...

A derivative that runs example by example has them before the loop over the examples, on which they do not depend; each
iteration would store into a copy.
"""
from __future__ import annotations

from dataclasses import replace

from ..analyse.buffers import is_update
from ..core import Atom, Block, Builder, For, Fun, If, Let, While
from ..core.walking import same_or_new, updated


def late(fun: Fun) -> Fun:
    made = Late(fun)
    body = made.block(fun.body)
    return fun if body is fun.body else replace(fun, body=body, types=made.b.types)


class Late:
    def __init__(self, fun: Fun):
        self.b = Builder(dict(fun.types))
        self.depth = 0
        self.empty: dict[str, tuple[Let, int]] = {}  # what makes it, and how many loops are around that

    def block(self, block: Block) -> Block:
        with self.b.block() as stmts:
            for stmt in block.stmts:
                match stmt:
                    case Let():
                        stmts.append(self.let(stmt))
                    case If():
                        stmts.append(updated(stmt, then=self.block(stmt.then), orelse=self.block(stmt.orelse)))
                    case _:
                        stmts.append(self.loop(stmt))
        return same_or_new(block, stmts, block.results)

    def let(self, let: Let) -> Let:
        if let.op.to_fill and not any(self.b.type(a).rank for a in let.args):
            self.empty[let.name] = let, self.depth
        elif is_update(let):
            target = self.made_here(let.args[0])
            return let if target is let.args[0] else replace(let, args=(target, *let.args[1:]))
        return let

    def loop(self, stmt: For | While) -> For | While:
        inits = tuple(map(self.made_here, stmt.inits))
        self.depth += 1
        body = self.block(stmt.body)
        self.depth -= 1
        return updated(stmt, inits=stmt.inits if inits == stmt.inits else inits, body=body)

    def made_here(self, atom: Atom) -> Atom:
        """Another one of it, if it was made outside of a loop that is around this place."""
        let, depth = self.empty.get(atom, (None, self.depth))
        if depth == self.depth:
            return atom
        again = self.b.fresh(atom, self.b.types[atom])
        self.b.append(replace(let, names=(again,)))
        return again
