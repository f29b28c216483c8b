"""A kernel as loops: shared loops over rows, and in them the phases, each a nest of its own.

    m = np.max(z, axis=(1,))               for i in range(n):
    e = np.exp(z - m[:, None])                 total = -np.inf                    # phase 1
    s = np.sum(e, axis=(1,))                   for j in range(k): total = max(total, z[i, j])
    p = e / s[:, None]                         for j in range(k): ... row[j] = exp(z[i, j] - total)
                                               for j in range(k): p[i, j] = row[j] / total_1

What a later phase needs of a row waits in a variable (a number for each row) or in a buffer as long as a row.
"""
from __future__ import annotations

from operator import itemgetter

from ..core import Let, Store, rename
from ..loop_core.core import Load, Name
from ..optimise.fuse import FusedKernel
from .nest import Destination, Nest, is_reduction
from .parts import Part
from .pull import anywhere, lower_new_array


class KernelLoops:
    """Writes one kernel, and with it the stores of its values; `lowerer` is the function's.

    stores: [(the kernel's name of a value, or another array, the store)], all of which the same loops can do.
    clears: stores of constants to what the kernel reads.
    dead: values that nothing but these stores reads.
    beside: each of them has a target of its own.
    """

    def __init__(self, lowerer, let: Let | None, stores: list[tuple[str, Store]] = (), clears: list[Store] = (),
                 dead: set[str] = frozenset(), beside: bool = False):
        self.lowerer, self.w = lowerer, lowerer.w
        self.phases, self.depth, self.lets, self.results = (), 0, {}, {}
        if let is not None:
            kernel: FusedKernel = let.op
            body = rename(kernel.fun.body, {p: a for p, a in zip(kernel.fun.params, let.args) if p != a})
            self.phases, self.depth = kernel.phases, kernel.depth
            self.lets = {name: stmt for stmt in body.stmts for name in stmt.names}
            self.results = {inner: outer for inner, outer in zip(body.results, let.names) if inner not in dead}
        self.pull = lowerer.pull(list(self.lets.values()))
        self.buffers: dict[str, Name] = {}
        self.parts = [(value, Part(lowerer, self.pull, store)) for value, store in stores]
        self.clears = [Part(lowerer, self.pull, store) for store in clears]
        self.made_of = [*self.lets.values(), *map(itemgetter(1), stores), *clears]
        self.direct: list[tuple[str, Part]] = []  # what is stored where it is computed
        if let is not None and (len(stores) == 1 or beside):
            self.direct, self.parts = self.parts, []
        elif stores and len(self.parts[0][1].lengths) > 1:
            self.depth = 1

    @property
    def members(self) -> list[str]:
        return [n for phase in self.phases for n in phase]

    def write(self) -> None:
        with self.w.covering([s.origin for s in self.made_of]):
            self.write_loops()

    def write_loops(self) -> None:
        self.pull.prepare([let for name, let in self.lets.items() if name not in self.members])
        nests = [self.nest(phase) for phase in self.phases]
        later = self.needed_later() | {value for value, _ in self.parts if value in self.lets}
        for nest, phase in zip(nests, self.phases):
            self.allocate(nest, phase, later)
        for part in self.clears:
            nests[0].last.append(part.destination(part.store.value))
        for value, part in self.parts:
            part.agree(value, self.pull)
            nests.append(Nest(self.pull, part.lengths, depth=self.depth, destinations=[part.destination(value)]))
        for nest in nests:
            nest.before()
        lead = nests[0].space[:self.depth]
        with self.pull.loops(lead, self.kind(nests)) as idx:
            for nest, phase in zip(nests, (*self.phases, *[()] * len(self.parts))):
                nest.loops(idx)
                self.now_stored(nest, phase, later)
        for nest in nests:
            nest.after()

    def kind(self, nests: list[Nest]) -> str:
        """Of the shared loops: rows may be computed in any order,
        unless what is stored for one may be what another stores."""
        apart = len(self.parts) < 2 and all(t.apart for nest in nests for t in (*nest.destinations, *nest.last))
        across = any(axis < self.depth for nest in nests for let in nest.reductions for axis in let.param("axis"))
        return "sequential" if not apart else "reduction" if across else "independent"

    def nest(self, phase) -> Nest:
        first = self.lets[phase[0]]
        space = self.pull.shape(first.args[0] if is_reduction(first) else first.name)
        return Nest(self.pull, space, depth=self.depth)

    def needed_later(self) -> set[str]:
        """What a later phase reads, views seen through."""
        found: set[str] = set()
        for k, phase in enumerate(self.phases):
            earlier = {n for p in self.phases[:k] for n in p}
            todo = [a for n in phase for a in self.lets[n].args if isinstance(a, str)]
            while todo:
                name = todo.pop()
                if name in earlier:
                    found.add(name)
                elif name in self.lets and name not in self.members:
                    todo += [a for a in self.lets[name].args if isinstance(a, str)]
        return found

    # where values go ---------------------------------------------------------------------------
    def allocate(self, nest: Nest, phase, later: set[str]) -> None:
        """The arrays of a phase: its results, and buffers for what waits for a later phase."""
        for name in phase:
            let, t = self.lets[name], self.w.type(name)
            if is_reduction(let):
                nest.reductions.append(let)
                nest.outputs[name] = self.w.name(self.results[name]) if name in self.results else None
                nest.local[name] = self.lowerer.local(self.results[name]) if name in self.results else anywhere
                continue
            for part in [part for value, part in self.direct if value == name]:
                part.agree(name, self.pull)
                nest.last.append(part.destination(name))  # others may read what is there before
            if name in self.results:
                array = self.w.name(self.results[name])
                lower_new_array(self.w, array, nest.space, self.lowerer.local(self.results[name]))
                nest.destinations.append(Destination(name, t, lambda idx: idx, array))
            elif name in later and not nest.is_row():
                array = self.buffers[name] = self.w.new(f"{name}_row", t.dtype)
                lower_new_array(self.w, array, nest.space[self.depth:], anywhere)
                nest.destinations.append(Destination(name, t, lambda idx: idx[self.depth:], array))
            elif name in later:
                nest.row_values.append(name)

    def now_stored(self, nest: Nest, phase, later: set[str]) -> None:
        """After a phase: how the later ones read its values."""
        for name in phase:
            let = self.lets[name]
            if name not in later and name not in nest.outputs:
                continue
            if name in nest.row_numbers:
                self.pull.stored[name] = lambda idx, number=nest.row_numbers[name]: number
            elif name in self.buffers:
                self.pull.stored[name] = lambda idx, row=self.buffers[name]: Load(row, tuple(idx[self.depth:]))
            elif name in self.results:
                self.pull.stored[name] = lambda idx, a=self.w.name(self.results[name]): Load(a, tuple(idx))
            elif is_reduction(let):
                self.pull.stored[name] = lambda idx, a=nest.outputs[name]: Load(a, tuple(idx))
