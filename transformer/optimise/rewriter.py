"""What the passes share: a walk that rebuilds a function and replaces names by other atoms."""
from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..core import Atom, Block, Builder, Const, For, Fun, If, Let, Stmt, While, bound, params_with_dims
from ..types import PY_INT, Dim


class Rewriter:
    """Rebuilds a function statement by statement.  A pass overrides `let`, `branch` or `loop`.

    A pass calls `self.emit(stmt)` for what it keeps and `self.alias(name, atom)` for a name that from here on
    is another atom; atoms it is handed have been replaced already.  `self.defs` has the statement of each name
    bound so far.
    """

    def __init__(self, fun: Fun):
        self.fun = fun
        self.b = Builder(dict(fun.types))
        self.types = self.b.types
        self.aliases: dict[str, Atom] = {}
        self.sizes: dict[str, Dim] = {}  # the integers among them, which dims may name
        self.defs: dict[str, Stmt] = {}

    def run(self) -> Fun:
        body = self.block(self.fun.body)
        types = {n: t.substitute(self.sizes) for n, t in self.types.items()} if self.sizes else self.types
        return replace(self.fun, body=body, types=types)

    # names ---------------------------------------------------------------------------------------
    def atom(self, atom: Atom) -> Atom:
        return self.aliases.get(atom, atom) if isinstance(atom, str) else atom

    def atoms(self, atoms) -> tuple[Atom, ...]:
        return tuple([self.aliases.get(a, a) if isinstance(a, str) else a for a in atoms])

    def alias(self, name: str, atom: Atom) -> None:
        self.aliases[name] = atom = self.atom(atom)
        if self.types[name] == PY_INT:
            self.sizes[name] = self.b.dim(atom).substitute(self.sizes)  # the polynomial that it stands for

    def definition(self, atom: Atom, op: str | None = None) -> Let | None:
        """The Let that binds an atom, if it is one (of this operation)."""
        stmt = self.defs.get(atom) if isinstance(atom, str) else None
        return stmt if isinstance(stmt, Let) and (op is None or stmt.op.name == op) else None

    # statements ----------------------------------------------------------------------------------
    def emit(self, stmt: Stmt) -> None:
        self.b.append(stmt)
        for name in bound(stmt):
            self.defs[name] = stmt

    def block(self, block: Block) -> Block:
        with self.b.block() as stmts:
            self.statements(block)
        return Block(tuple(stmts), self.atoms(block.results))

    def statements(self, block: Block) -> None:
        for stmt in block.stmts:
            match stmt:
                case Let():
                    self.let(self.renamed(stmt))
                case If():
                    self.branch(replace(stmt, test=self.atom(stmt.test)))
                case For():
                    start, stop, step = self.atoms((stmt.start, stmt.stop, stmt.step))
                    self.loop(replace(stmt, start=start, stop=stop, step=step, inits=self.atoms(stmt.inits)))
                case While():
                    self.loop(replace(stmt, inits=self.atoms(stmt.inits)))

    def renamed(self, let: Let) -> Let:
        args = self.atoms(let.args)
        params = params_with_dims(let.params, self.sizes) if self.sizes else let.params
        return let if args == let.args and params == let.params else Let(let.names, let.op, args, params, let.origin)

    def let(self, let: Let) -> None:
        self.emit(let)

    def branch(self, stmt: If) -> None:
        self.emit(replace(stmt, then=self.block(stmt.then), orelse=self.block(stmt.orelse)))

    def loop(self, stmt: For | While) -> None:
        self.emit(replace(stmt, body=self.block(stmt.body)))


def is_number(atom: Atom, value) -> bool:
    """Is it this number, of any type but bool?"""
    return isinstance(atom, Const) and not isinstance(atom.value, (bool, np.bool_)) and atom.value == value
