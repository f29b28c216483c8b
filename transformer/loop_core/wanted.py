"""Liveness: which names that a statement reads are read again after it."""
from __future__ import annotations

from .core import Assign, Assigns, Function, If, Loop, While
from .facts import read_outside
from .walking import bound_by, names_in, reads


def wanted_again(f: Function) -> dict[int, set[str]]:
    """{id of a statement that gives names to values: which of the names that it reads are read after it}"""
    found = Wanted()
    found.before(f.body, {n.id for r in f.results or () for n in names_in(r)})
    return found.after


class Wanted:
    def __init__(self):
        self.after: dict[int, set[str]] = {}

    def before(self, stmts, wanted: set[str]) -> set[str]:
        """The names wanted before statements, of those wanted after them."""
        wanted = set(wanted)
        for stmt in reversed(stmts):
            read = {n.id for e in reads(stmt) for n in names_in(e)}
            match stmt:
                case If():
                    wanted = self.before(stmt.then, wanted) | self.before(stmt.orelse, wanted)
                case Loop() | While():
                    wanted |= {n.id for n in read_outside([stmt])[0]}
                    self.before(stmt.body, wanted)
                case Assign() | Assigns():
                    self.after[id(stmt)] = read & wanted
            if not isinstance(stmt, Loop):
                wanted -= {n.id for n in bound_by(stmt)}
            wanted |= read
        return wanted
