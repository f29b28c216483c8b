"""The index of a read or a store on one example, as one on all of them: x[i] is x[np.arange(N), i] where i differs."""
from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..core.index_codes import entries
from ..core.types import Dim
from .inference import Unbatchable

if TYPE_CHECKING:
    from .batching import Lift


def differs(c: Lift, atoms) -> bool:
    """Does one of these arguments, None for none, differ between examples?"""
    return any(k is not None and c.batched[k] for k in atoms)


class Indexed:
    """x[index] of one example, for all of them: the new index, and where its result has the axis of examples.

    `order`: the axes of the new result, the examples' first and the others as one example has them.
    """

    def __init__(self, c: Lift, first: int, base_batched: bool):
        index, own = c.let.param("index"), entries(c.let.param("index"), range(first, len(c.args)))
        # of what the index arrays broadcast to
        self.rank = max([c.type(atoms[0]).rank for code, atoms in own if code == "a"], default=0)
        self.several = any(differs(c, atoms) for _, atoms in own)
        if any(code[0] == "s" and differs(c, atoms) for code, atoms in own):
            raise Unbatchable("a slice whose bounds differ between examples")
        self.index, self.atoms = [], []
        if base_batched:
            self.take_examples(c)
        for code, atoms in own:
            self.take(c, code, atoms)
        self.places(index)
        # of several examples each has a row of its own
        distinct, dims = c.let.param("distinct") or self.several and "a" not in index, c.let.param("dims")
        self.params = {"index": tuple(self.index)}
        if distinct and (base_batched or not self.several):
            self.params["distinct"] = distinct
        if dims is not None:
            self.params["dims"] = self.dims(dims, c.size)

    def take_examples(self, c: Lift) -> None:
        """The entry for the axis of examples: all, or of each its own."""
        if not self.several:
            self.index.append(":")
            return
        self.index.append("a")
        numbers = c.emit("np.arange", c.number(), dtype=np.dtype(np.int64), count=c.size)
        self.atoms.append(c.emit("getitem", numbers, index=(":",) + ("n",) * self.rank) if self.rank else numbers)

    def take(self, c: Lift, code: str, atoms) -> None:
        """An entry of the index of one example."""
        if code in "ia" and c.batched[atoms[0]]:
            self.index.append("a")
            self.atoms.append(c.padded(atoms[0], self.rank))
        else:
            self.index.append(code)
            self.atoms += [c.args[k] for k in atoms if k is not None]

    def places(self, index) -> None:
        def block(codes):
            """(where the block of index arrays stands among the other axes, how many of those there are)"""
            advanced = [k for k, code in enumerate(codes) if code == "a" or code == "i" and "a" in codes]
            gone = {*advanced, *(k for k, code in enumerate(codes) if code == "i")}
            kept = [k for k in range(len(codes)) if k not in gone]
            together = advanced == list(range(advanced[0], advanced[0] + len(advanced))) if advanced else True
            return sum(k < advanced[0] for k in kept) if advanced and together else 0
        self.old = block(index)  # of the index arrays, for one example
        self.new = block(self.index)

    def order(self, rank: int) -> tuple[int, ...]:
        """For a result of this rank for one example: axes of the new result, in the order that they should have."""
        others = rank - self.rank
        if self.several:  # others[:new], examples, index arrays, others[new:]
            examples, arrays = self.new, range(self.new + 1, self.new + 1 + self.rank)
            place = [k if k < self.new else k + 1 + self.rank for k in range(others)]
        elif self.rank and self.new == 0 and self.index[0] == ":":  # index arrays, examples, others
            examples, arrays = self.rank, range(self.rank)
            place = [k + 1 + self.rank for k in range(others)]
        else:
            return tuple(range(rank + 1))
        return (examples, *place[:self.old], *arrays, *place[self.old:])

    def dims(self, dims, size) -> tuple[Dim, ...]:
        wanted = (size, *dims)
        emitted: list = [None] * len(wanted)
        for d, k in zip(wanted, self.order(len(dims))):
            emitted[k] = d
        return tuple(emitted)
