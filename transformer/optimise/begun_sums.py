"""Sums that begin with zeros and are added to an array begin with that array.

    x_bar = np.zeros((n,), dtype=np.float64)
    x_bar__1 = rt.update_add(x_bar, g, np.s_[1:])        x_bar__1 = rt.update_add(w, g, np.s_[1:])
    x_bar__2 = rt.update_add(x_bar__1, h, np.s_[:-1])    x_bar__3 = rt.update_add(x_bar__1, h, np.s_[:-1])
    x_bar__3 = x_bar__2 + w

Zeros need not be written, and no array is read and written once more.  Only in derivatives, of which rounding is not
promised to the bit.
"""
from __future__ import annotations

from dataclasses import replace

from ..core import Atom, Block, Fun, Let, read_counts
from ..rules import OPS
from ..rules.indexing import may_repeat
from .rewriter import Rewriter
from .simplify import is_derivative


def begun_sums(fun: Fun) -> Fun:
    return BegunSums(fun).run()


class BegunSums(Rewriter):
    def __init__(self, fun: Fun):
        super().__init__(fun)
        self.uses = read_counts(fun.body)
        self.here: set[str] = set()  # the names that the innermost block has bound

    def statements(self, block: Block) -> None:
        outer, self.here = self.here, set()
        super().statements(block)
        self.here = outer

    def let(self, let: Let) -> None:
        if let.op.name == "add" and is_derivative(let):
            for x, first in (let.args, let.args[::-1]):
                same = self.b.type(first) == self.b.type(x) == self.types[let.name]
                terms = self.terms(x) if same else None
                if terms:
                    return self.begin_with(first, terms, let)
        self.here.update(let.names)
        self.emit(let)

    def terms(self, x: Atom) -> list[Let] | None:
        """The statements that add the terms of a sum to zeros, which nothing else reads."""
        found: list[Let] = []
        while x in self.here and self.uses[x] == 1:
            let = self.defs[x]
            if let.op.name == "np.zeros":
                return found[::-1]
            begins = let.op.name == "rt.update" and self.definition(let.args[0], "np.zeros") and not may_repeat(let)
            if not begins and let.op.name != "rt.update_add":
                return None
            found.append(let)
            x = let.args[0]
        return None

    def begin_with(self, first: Atom, terms: list[Let], total: Let) -> None:
        for let in terms:
            name = self.b.fresh(total.name, self.types[total.name])
            self.emit(replace(let, names=(name,), op=OPS["rt.update_add"], args=(first, *let.args[1:])))
            first = name
        self.here.add(first)
        self.alias(total.name, first)
