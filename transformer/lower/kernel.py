"""The text of a kernel: shared loops over rows, and in them the phases, each a nest of its own.

    m = np.max(z, axis=(1,))               for i in range(n):
    e = np.exp(z - m[:, None])                 total = -np.inf                    # phase 1
    s = np.sum(e, axis=(1,))                   for j in range(k): total = max(total, z[i, j])
    p = e / s[:, None]                         for j in range(k): ... row[j] = exp(z[i, j] - total)
                                               for j in range(k): p[i, j] = row[j] / total_1

What a later phase needs of a row waits in a variable (a number for each row) or in a buffer as long as a row.
"""
from __future__ import annotations

from ..core import Let, rename
from ..optimise.fuse import Kernel
from .group import Group, Target, is_reduction
from .nest import new_array


class KernelText:
    """Writes one kernel; `lowerer` is the function's."""

    def __init__(self, lowerer, let: Let):
        self.lowerer, self.w = lowerer, lowerer.w
        self.kernel: Kernel = let.op
        fun = self.kernel.fun
        body = rename(fun.body, {p: a for p, a in zip(fun.params, let.args) if p != a})
        self.lets = {name: stmt for stmt in body.stmts for name in stmt.names}
        self.results = dict(zip(body.results, let.names))
        self.pull = lowerer.pull(list(body.stmts))
        self.depth = self.kernel.depth
        self.buffers: dict[str, str] = {}

    @property
    def members(self) -> list[str]:
        return [n for phase in self.kernel.phases for n in phase]

    def write(self) -> None:
        self.pull.prepare([let for name, let in self.lets.items() if name not in self.members])
        groups = [self.group(phase) for phase in self.kernel.phases]
        later = self.needed_later()
        for group, phase in zip(groups, self.kernel.phases):
            self.allocate(group, phase, later)
        for group in groups:
            group.before()
        lead = groups[0].space[:self.depth]
        stack, idx = self.pull.loops(lead)
        with stack:
            for group, phase in zip(groups, self.kernel.phases):
                group.nest(idx)
                self.now_stored(group, phase, later)
        for group in groups:
            group.after()

    def group(self, phase) -> Group:
        first = self.lets[phase[0]]
        space = self.pull.shape(first.args[0] if is_reduction(first) else first.name)
        return Group(self.pull, space, depth=self.depth)

    def needed_later(self) -> set[str]:
        """What a later phase reads, views seen through."""
        found: set[str] = set()
        for k, phase in enumerate(self.kernel.phases):
            earlier = {n for p in self.kernel.phases[:k] for n in p}
            todo = [a for n in phase for a in self.lets[n].args if isinstance(a, str)]
            while todo:
                name = todo.pop()
                if name in earlier:
                    found.add(name)
                elif name in self.lets and name not in self.members:
                    todo += [a for a in self.lets[name].args if isinstance(a, str)]
        return found

    # where values go ---------------------------------------------------------------------------
    def allocate(self, group: Group, phase, later: set[str]) -> None:
        """The arrays of a phase: its results, and buffers for what waits for a later phase."""
        for name in phase:
            let, t = self.lets[name], self.w.type(name)
            if is_reduction(let):
                group.reductions.append(let)
                group.outputs[name] = self.w.name(self.results[name]) if name in self.results else None
                continue
            if name in self.results:
                array = self.w.name(self.results[name])
                new_array(self.w, array, t, group.space)
                group.targets.append(Target(name, t, lambda idx: ", ".join(idx), array))
            elif name in later and not group.is_row():
                array = self.buffers[name] = self.w.fresh(f"{name}_row")
                new_array(self.w, array, t, group.space[self.depth:])
                group.targets.append(Target(name, t, lambda idx: ", ".join(idx[self.depth:]), array))
            elif name in later:
                group.row_values.append(name)

    def now_stored(self, group: Group, phase, later: set[str]) -> None:
        """After a phase: how the later ones read its values."""
        for name in phase:
            let = self.lets[name]
            if name not in later and name not in group.outputs:
                continue
            if name in group.row_texts:
                self.pull.stored[name] = lambda idx, text=group.row_texts[name]: text
            elif name in self.buffers:
                self.pull.stored[name] = lambda idx, b=self.buffers[name]: f"{b}[{', '.join(idx[self.depth:])}]"
            elif name in self.results:
                self.pull.stored[name] = lambda idx, a=self.w.name(self.results[name]): f"{a}[{', '.join(idx) or '()'}]"
            elif is_reduction(let):
                array = group.outputs[name]
                self.pull.stored[name] = lambda idx, a=array: f"{a}[{', '.join(idx) or '()'}]"
