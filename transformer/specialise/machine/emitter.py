"""The machine's builder of core."""
from __future__ import annotations

import itertools

from ...core import Atom, Builder, Const, Let
from ...core.known import KnownNames
from ...core.types import PY_BOOL, PY_INT, Type
from ...rules.inference import Untyped, result_scalar
from ...rules.kinds import Elementwise

NOTHING: frozenset[Type] = frozenset()


class Emitter(Builder):
    """A builder that notes the ints and bools which the entry can compute before the program runs.

    `entry_ints`: {name: None for an argument or a length of one, else (op, args, params)}
    """

    def __init__(self):
        super().__init__()
        self.born: dict[str, int] = {}  # all names -> how many there were before
        self.made: dict[str, int] = {}  # names of operations' results -> how many there were before
        self.entry_ints: dict[str, tuple | None] = {}
        self.known = KnownNames(self.entry_ints)
        self.several: dict[str, frozenset[Type]] = {}  # numbers that have different types on several paths -> those
        # such numbers -> a loop without which they would not, if its first iteration were done apart
        self.loops: dict[str, str] = {}

    def fresh(self, hint, type=None):
        name = super().fresh(hint, type)
        self.born[name] = len(self.born)
        return name

    def types_of(self, atom: Atom) -> frozenset[Type]:
        """The types that a number has on the paths that lead to it."""
        return self.several.get(atom) or frozenset([self.type(atom)])

    def varies(self, atoms) -> bool:
        """Has one of these another type on another path?"""
        return not self.several.keys().isdisjoint(atoms)

    def note_several(self, name: Atom, types, loop: str | None = None) -> None:
        """A name stands for numbers that have these types, by the path; in or after a loop, perhaps."""
        if isinstance(name, str) and len(types := frozenset(types)) > 1:
            self.several[name] = types
            if loop is not None:
                self.loops[name] = loop

    def loop_of(self, atoms) -> str | None:
        return next((self.loops[a] for a in atoms if a in self.loops), None)

    def results_of(self, op, atoms, numpy: bool = False) -> frozenset[Type]:
        """The types of an element of the result by the path; NOTHING where not all paths have one.  numpy:
        the first argument is made NumPy's."""
        found = set()
        for first, *others in itertools.product(*[self.types_of(a) for a in atoms]):
            try:
                types = first.scalar() if numpy else first, *others
                found.add(result_scalar(op, (), tuple([t if t.kind == "py" else t.scalar() for t in types])))
            except Untyped:
                return NOTHING
        return frozenset(found)

    def append(self, stmt):
        super().append(stmt)
        self.known.note(stmt)
        if type(stmt) is not Let:
            return
        for name in stmt.names:
            self.made.setdefault(name, len(self.made))
        if len(stmt.names) != 1:
            return
        (name,) = stmt.names
        if (self.several and isinstance(stmt.op, Elementwise) and self.varies(stmt.args)
                and not self.types[name].rank):
            self.note_several(name, self.results_of(stmt.op, stmt.args), self.loop_of(stmt.args))
        if (stmt.args and not stmt.op.effect and self.types[name] in (PY_INT, PY_BOOL)
                and all([isinstance(a, Const) or a in self.entry_ints for a in stmt.args])):
            self.entry_ints[name] = (stmt.op, stmt.args, dict(stmt.params))
