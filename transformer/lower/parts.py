"""Parts of arrays that are stored into, and which stores the loops of a kernel can do by the way.

    t = kernel(x)                          for i in range(n):
    y[1:-1] = t               ->               y[i + 1] = ...          # no t

    t = kernel(x)                          for i in range(n):
    y[1:, :] += t             ->               for j in range(m): t_row[j] = ...
    y[:-1, :] += t                             for j in range(m): y[i + 1, j] += t_row[j]
                                               for j in range(m): y[i, j] += t_row[j]
"""
from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from ..analyse.buffers import is_buffer, shared
from ..core import Fun, If, Let, Stmt, Store, While, For, blocks_of, names_in, operands, walk
from ..optimise.fuse import Kernel, identical
from ..analyse.spaces import aligned, through
from ..types import Type
from . import views
from .group import Target, is_reduction
from .nest import is_elementwise

ALIASES = {"retype", "rt.stop_gradient"}


class Part:
    """The part of an array that a store names: how long it is, and where its elements are."""

    def __init__(self, lowerer, pull, store: Store):
        self.lowerer, self.store, self.w = lowerer, store, lowerer.w
        self.type: Type = self.w.type(store.target)
        let = Let((f"part of {store.target}",), None, (store.target, *store.atoms), (("index", store.index),), store.origin)
        self.parts = pull.view(let)
        self.lengths = pull.view_lengths(let)
        ranks = [self.w.type(p.array).rank for p in self.parts if p.code == "a"]

        def place(idx):
            return ", ".join(views.base_index(self.parts, self.type.rank, idx, max(ranks, default=0),
                                              lambda p, out: pull.gathered(store.target, p, out)))

        self.place = place

    @property
    def dims(self) -> list:
        """The lengths as polynomials, None where they are not known."""
        known = [p.slice.dim if p.slice else None for p in self.parts if p.code in ":sn"] + list(self.type.dims[len(self.parts):])
        return known if len(known) == len(self.lengths) else [None] * len(self.lengths)

    def target(self, value) -> Target:
        return Target(value, self.type, self.place, self.w.name(self.store.target), self.store.add)

    def agree(self, value: Type, lengths: list[str]) -> None:
        """Check that a value is as long as the part that it fills, where the types do not say so."""
        for k in range(1, value.rank + 1):
            dim = self.dims[-k]
            if value.dims[-k].is_one or dim is not None and self.lowerer.ranges.same(dim, value.dims[-k]) or lengths[-k] == self.lengths[-k]:
                continue
            self.w.check(f"{lengths[-k]} == {self.lengths[-k]}", "ValueError",
                         "could not broadcast input array from length {0} into length {1}", lengths[-k], self.lengths[-k])


@dataclass
class Memory:
    """Which names may share memory, and how often each is read."""

    fun: Fun
    parent: dict[str, str] = field(default_factory=dict)
    reads: Counter = field(default_factory=Counter)

    def __post_init__(self):
        self.reads.update(names_in(self.fun.body.results))
        for stmt in walk(self.fun.body):
            match stmt:
                case Let():
                    self.reads.update(names_in(stmt.args))
                    for name in stmt.names:
                        for source in shared(stmt):
                            self.join(name, source)
                case Store():
                    self.reads.update(names_in((*stmt.atoms, stmt.value)))
                case For() | While():
                    self.reads.update(names_in(operands(stmt)))
                    for c, init, after in zip(stmt.carried, stmt.inits, stmt.body.results):
                        self.join(c, init)
                        self.join(c, after)
                case If():
                    self.reads.update(names_in(operands(stmt)))
                    for n, x, y in zip(stmt.names, stmt.then.results, stmt.orelse.results):
                        self.join(n, x)
                        self.join(n, y)
            for block in blocks_of(stmt):
                self.reads.update(names_in(block.results))

    def find(self, name: str) -> str:
        while name in self.parent:
            name = self.parent[name]
        return name

    def join(self, a, b) -> None:
        if all(isinstance(n, str) and is_buffer(self.fun.types[n]) for n in (a, b)):
            a, b = self.find(a), self.find(b)
            if a != b:
                self.parent[a] = b

    def apart(self, a, b) -> bool:
        return not isinstance(a, str) or not is_buffer(self.fun.types[a]) or self.find(a) != self.find(b)


@dataclass
class Run:
    """Stores that one nest of loops does, with the kernel before them if there is one."""

    kernel: Let | None
    light: list[Stmt] = field(default_factory=list)  # statements between, that can come first
    stores: list[tuple[str, Store]] = field(default_factory=list)
    dead: set[str] = field(default_factory=set)
    end: int = 0  # the first statement after the run


class Runs:
    """Finds runs of stores in blocks."""

    def __init__(self, fun: Fun, same):
        self.types, self.memory, self.same = fun.types, Memory(fun), same

    def at(self, stmts: tuple[Stmt, ...], k: int) -> Run | None:
        """The run that starts at statement k; None where each statement is better on its own."""
        first = stmts[k]
        if isinstance(first, Let) and isinstance(first.op, Kernel) and len(first.op.phases) == 1:
            run = Run(first)
        elif isinstance(first, Store) and self.is_array(first.value) and self.rank(first.value) > 1:
            run = Run(None)
            if not self.take(run, first, first.value):
                return None
        else:
            return None
        alias = {n: n for n in first.names} if run.kernel else {}
        light, aliases = [], []
        for at, stmt in enumerate(stmts[k + 1 - (run.kernel is None and False):], k + 1):
            match stmt:
                case Store() if self.take(run, stmt, alias.get(stmt.value, stmt.value) if isinstance(stmt.value, str) else None):
                    run.light += light
                    light, run.end = [], at + 1
                case Let() if stmt.op.name in ALIASES and stmt.args[0] in alias:
                    alias[stmt.name] = alias[stmt.args[0]]
                    aliases.append(stmt)
                    light.append(stmt)
                case Let() if self.is_light(stmt, alias):
                    light.append(stmt)
                case _:
                    break
        return self.finished(run, aliases)

    def finished(self, run: Run, aliases: list[Let]) -> Run | None:
        if len(run.stores) < (1 if run.kernel else 2):
            return None
        if run.kernel:
            inside = Counter(v for v, _ in run.stores)
            gone = [a for a in run.light if a in aliases]
            for name in {v for v, _ in run.stores} & set(run.kernel.names):
                through = [a for a in gone if a.args[0] == name]
                reads = self.memory.reads[name] - len(through) + sum(self.memory.reads[a.name] for a in through)
                if reads == inside[name] and all(a.name not in {b.args[0] for b in gone} for a in through):
                    run.dead.add(name)
                    run.light = [s for s in run.light if s not in through]
            kept = {v for v, _ in run.stores} - run.dead
            if any(a.args[0] in kept or a.args[0] in {b.name for b in gone} for a in gone if a in run.light):
                run.light = [s for s in run.light if s not in gone]
                run.after = [a for a in gone if a.args[0] not in run.dead]
        return run

    def is_array(self, atom) -> bool:
        return isinstance(atom, str) and self.types[atom].kind == "array"

    def rank(self, atom) -> int:
        return self.types[atom].rank

    def is_light(self, stmt: Let, alias) -> bool:
        """Numbers and checks that need nothing of the kernel."""
        return not isinstance(stmt.op, Kernel) and not any(self.types[n].kind == "array" for n in stmt.names) \
            and not set(names_in(stmt.args)) & alias.keys() and not is_reduction(stmt) and stmt.op.name != "matmul"

    def take(self, run: Run, store: Store, value: str | None) -> bool:
        """Add a store to the run, if the loops may do it together with what the run has."""
        if value is None or not self.is_array(value) or "a" in store.index:
            return False
        t = self.types[value]
        rank = sum(c in ":sn" or c[0] == "s" for c in store.index) + self.rank(store.target) - sum(c != "n" for c in store.index)
        if t.rank != rank or any(d.is_one for d in t.dims):
            return False
        if run.kernel is None or value not in run.kernel.names:
            if run.kernel is not None or not self.memory.apart(value, store.target):
                return False
        elif not self.computed(run.kernel, value) or not self.may_store(run.kernel, store):
            return False
        if run.stores:
            (v, first), *_ = run.stores
            if not (store.add and all(s.add for _, s in run.stores)) or t.rank < 2 or not self.same(self.types[v].dims[0], t.dims[0]):
                return False
            if any(not self.memory.apart(w, store.target) for w, _ in run.stores if run.kernel is None):
                return False
            if any(not self.memory.apart(s.target, store.target) and s.target != store.target for _, s in run.stores):
                return False
            if run.kernel is not None and not self.only_apart(run.kernel, [s for _, s in run.stores] + [store]):
                return False
            if run.kernel is None and any(not self.memory.apart(value, s.target) for _, s in run.stores):
                return False
        run.stores.append((value, store))
        return True

    def computed(self, kernel: Let, name: str) -> bool:
        """Is it an elementwise value of the kernel, at every place of its loops?"""
        inner = dict(zip(kernel.op.fun.body.results, kernel.op.fun.body.results))
        let = next((s for s in kernel.op.fun.body.stmts if inner.get(name, name) in s.names), None)
        return let is not None and is_elementwise(let)

    def only_apart(self, kernel: Let, stores: list[Store]) -> bool:
        return all(self.memory.apart(a, s.target) for a in kernel.args for s in stores)

    def may_store(self, kernel: Let, store: Store) -> bool:
        """Is the target apart from all that the kernel reads, but for reads of the very place that is stored into?"""
        fun = kernel.op.fun
        for param, arg in zip(fun.params, kernel.args):
            if self.memory.apart(arg, store.target):
                continue
            if arg != store.target or len(kernel.op.phases[0]) == 0 or not self.reads_in_place(kernel, param, store):
                return False
        return True

    def reads_in_place(self, kernel: Let, param: str, store: Store) -> bool:
        fun = kernel.op.fun
        to_outer = dict(zip(fun.params, kernel.args))
        whole = all(c == ":" for c in store.index)
        same_part = {param} if whole else set()
        for stmt in fun.body.stmts:
            atoms = tuple(to_outer.get(a, a) if isinstance(a, str) else a for a in stmt.args[1:])
            if stmt.op.name == "getitem" and stmt.args[0] == param and stmt.param("index") == store.index and atoms == store.atoms:
                same_part.add(stmt.name)
            elif param in stmt.args and not (whole and is_elementwise(stmt)):
                return False
        for stmt in fun.body.stmts:
            if not same_part & set(names_in(stmt.args)):
                continue
            if stmt.name in same_part and not whole:
                continue
            rank = self.types[stmt.name].rank
            if not is_elementwise(stmt) or any(not identical(aligned(self.types[a], rank), rank) for a in same_part & set(names_in(stmt.args))):
                return False
        return True


__all__ = ["Part", "Runs", "Run", "through"]
