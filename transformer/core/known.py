"""Values that nothing but constants decides, computed while a program is made: a place in np.arange(16).reshape(4, 4)
that is a key of a dict, say.  What is computed is what core's own text gives."""
from __future__ import annotations

import numpy as np

from .terms import Atom, Block, Const, Fun, Let, Stmt
from .text import runnable


class KnownNames:
    """The names that come from constants, and from what is called `given`: the integers that the entry can compute."""

    def __init__(self, given):
        self.given, self.made, self.values = given, {}, {}
        self.lets: dict[str, Let] = {}  # what computes each name that a statement computes of others

    def note(self, stmt: Stmt) -> None:
        """A statement is appended."""
        if type(stmt) is Let and stmt.args and not stmt.op.effect:
            self.lets |= dict.fromkeys(stmt.names, stmt)
        if (type(stmt) is Let and stmt.args and not stmt.op.effect and "axis_name" not in dict(stmt.params)
                and all([isinstance(a, Const) or a in self.made or a in self.given for a in stmt.args])):
            self.made |= dict.fromkeys(stmt.names, stmt)

    def sources(self, atom: Atom) -> set[str]:
        """The names that a name is computed of in the end."""
        todo, seen = {atom}, set()
        while todo:
            name = todo.pop()
            seen.add(name)
            todo |= {a for a in self.lets[name].args if isinstance(a, str)} - seen if name in self.lets else set()
        return seen - self.lets.keys()

    def value(self, atom: Atom):
        """The value of a name; a LookupError where it has none before the run: of the integer that has to be known
        first, if that is all."""
        if isinstance(atom, Const):
            return atom.value
        if atom not in self.values:
            if atom not in self.made:
                raise LookupError(atom)
            stmt = self.made[atom]
            names = sorted({a for a in stmt.args if isinstance(a, str)})
            run = runnable(Fun("known", tuple(names), Block((stmt,), stmt.names), {}))
            given = [self.value(name) for name in names]
            try:
                with np.errstate(all="ignore"):
                    self.values |= zip(stmt.names, run(*given))
            except Exception:  # what it raises, the program raises
                raise LookupError(atom) from None
        return self.values[atom]
