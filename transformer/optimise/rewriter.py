"""What the passes share: a walk that rebuilds a function and replaces names by other atoms."""
from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..core import Atom, Block, Builder, Const, For, Fun, If, Let, Stmt, While, params_with_dims
from ..core.types import PY_INT, Dim
from ..core.walking import same_or_new, updated


class Rewriter:
    """Rebuilds a function statement by statement.  A pass overrides `let`, `branch` or `loop`.

    A pass calls `self.emit(stmt)` for what it keeps and `self.alias(name, atom)` for a name that from here on
    is another atom; atoms it is handed have been replaced already.  `self.defs` has the Let of each name that one
    has bound so far.  What a pass leaves as it is stays the same object, up to the whole function: nothing is to be
    checked again.
    """

    def __init__(self, fun: Fun):
        self.fun = fun
        self.b = Builder(dict(fun.types))
        self.types = self.b.types
        self.aliases: dict[str, Atom] = {}
        self.sizes: dict[str, Dim] = {}  # the integers among them, which dims may name
        self.defs: dict[str, Let] = {}

    def run(self) -> Fun:
        body = self.block(self.fun.body)
        if body is self.fun.body:
            return self.fun
        types = {n: t.substitute(self.sizes) for n, t in self.types.items()} if self.sizes else self.types
        return replace(self.fun, body=body, types=types)

    # names ---------------------------------------------------------------------------------------
    def atom(self, atom: Atom) -> Atom:
        return self.aliases.get(atom, atom) if isinstance(atom, str) else atom

    def atoms(self, atoms: tuple[Atom, ...]) -> tuple[Atom, ...]:
        if not self.aliases:
            return atoms
        aliases = self.aliases
        new = tuple([aliases.get(a, a) if isinstance(a, str) else a for a in atoms])
        return atoms if new == atoms else new

    def alias(self, name: str, atom: Atom) -> None:
        self.aliases[name] = atom = self.atom(atom)
        if self.types[name] == PY_INT:
            self.sizes[name] = self.b.dim(atom).substitute(self.sizes)  # the polynomial that it stands for

    def definition(self, atom: Atom, op: str | None = None) -> Let | None:
        """The Let that binds an atom, if it is one (of this operation)."""
        let = self.defs.get(atom) if isinstance(atom, str) else None
        return let if let is None or op is None or let.op.name == op else None

    # statements ----------------------------------------------------------------------------------
    def emit(self, stmt: Stmt) -> None:
        self.b.append(stmt)
        if type(stmt) is Let:
            for name in stmt.names:
                self.defs[name] = stmt

    def block(self, block: Block) -> Block:
        with self.b.block() as stmts:
            self.statements(block)
        return same_or_new(block, stmts, self.atoms(block.results))

    def statements(self, block: Block) -> None:
        for stmt in block.stmts:
            kind = type(stmt)
            if kind is Let:
                self.let(self.renamed(stmt) if self.aliases else stmt)
            elif kind is If:
                self.branch(updated(stmt, test=self.atom(stmt.test)))
            elif kind is For:
                self.loop(updated(stmt, start=self.atom(stmt.start), stop=self.atom(stmt.stop),
                                  step=self.atom(stmt.step),
                                  inits=self.atoms(stmt.inits)))
            else:
                self.loop(updated(stmt, inits=self.atoms(stmt.inits)))

    def renamed(self, let: Let) -> Let:
        args = self.atoms(let.args)
        params = params_with_dims(let.params, self.sizes) if self.sizes else let.params
        return let if args is let.args and params == let.params else Let(let.names, let.op, args, params, let.origin)

    def let(self, let: Let) -> None:
        self.emit(let)

    def branch(self, stmt: If) -> None:
        self.emit(updated(stmt, then=self.block(stmt.then), orelse=self.block(stmt.orelse)))

    def loop(self, stmt: For | While) -> None:
        self.emit(updated(stmt, body=self.block(stmt.body)))


class Remembering(Rewriter):
    """What it gets to know in a block it knows in the blocks inside, and no longer behind it."""

    def __init__(self, fun: Fun):
        super().__init__(fun)
        self.known: dict = {}

    def block(self, block: Block) -> Block:
        outer, self.known = self.known, dict(self.known)
        new = super().block(block)
        self.known = outer
        return new


def is_number(atom: Atom, value) -> bool:
    """Is it this number, of any type but bool?"""
    return isinstance(atom, Const) and not isinstance(atom.value, (bool, np.bool_)) and atom.value == value
