"""Parts of arrays that are stored into, and which stores the loops of a kernel can do by the way.

    t = kernel(x)                          for i in range(n):
    y[1:-1] = t               ->               y[i + 1] = ...          # no t

    t = kernel(x)                          for i in range(n):
    y[1:, :] += t             ->               for j in range(m): t_row[j] = ...
    y[:-1, :] += t                             for j in range(m): y[i + 1, j] += t_row[j]
                                               for j in range(m): y[i, j] += t_row[j]
"""
from __future__ import annotations

import functools
from collections import Counter
from dataclasses import dataclass, field

from ..analyse.buffers import is_buffer, shared
from ..analyse.spaces import aligned
from ..core import SAME, Const, For, Fun, If, Let, Stmt, Store, While, blocks_of, bound, names_in, operands, walk
from ..core.types import Type
from ..optimise.fuse import Kernel
from ..optimise.units import identical
from .nest import Destination, is_reduction
from .pull import is_elementwise


class Part:
    """The part of an array that a store names: how long it is, and where its elements are."""

    def __init__(self, lowerer, pull, store: Store):
        self.lowerer, self.store, self.w = lowerer, store, lowerer.w
        self.type: Type = self.w.type(store.target)
        let = Let((f"part {len(pull.parts)}",), None, (store.target, *store.atoms),
                  (("index", store.index),), store.origin)
        self.parts = pull.view(let)
        self.lengths = pull.view_lengths(let)
        self.place = functools.partial(pull.places, store.target, self.parts)
        self.apart = not any([p.code == "a" for p in self.parts])

    @property
    def dims(self) -> list:
        """The lengths as polynomials, None where they are not known."""
        known = ([p.slice.dim if p.slice else None for p in self.parts if p.code in ":sn"]
                 + list(self.type.dims[len(self.parts):]))
        return known if len(known) == len(self.lengths) else [None] * len(self.lengths)

    def destination(self, value) -> Destination:
        return Destination(value, self.type, self.place, self.w.name(self.store.target), self.store.add, self.apart)

    def agree(self, value, pull) -> None:
        """Check that a value is as long as the part that it fills, where the types do not say so."""
        t = self.w.type(value)
        for k in range(1, t.rank + 1):
            dim = self.dims[-k]
            if t.dims[-k].is_one or dim is not None and self.lowerer.ranges.same(dim, t.dims[-k]):
                continue
            have, want = pull.length(value, t.rank - k), self.lengths[-k]
            if have != want:
                self.w.check(have.eq(want), "ValueError",
                             "could not broadcast input array from length {0} into length {1}", have, want)


@dataclass
class Memory:
    """Which names may share memory, and how often each is read."""

    fun: Fun
    parent: dict[str, str] = field(default_factory=dict)
    reads: Counter = field(default_factory=Counter)
    inside: dict[int, set[str]] = field(default_factory=dict)  # loop -> names that its body binds
    classes: dict[str, set[str]] = field(default_factory=dict)
    results: set[str] = field(default_factory=set)

    def __post_init__(self):
        self.results = set(names_in(self.fun.body.results))
        self.reads.update(names_in(self.fun.body.results))
        for stmt in walk(self.fun.body):
            match stmt:
                case Let():
                    self.reads.update(names_in(stmt.args))
                    for name in stmt.names:
                        for source in shared(stmt):
                            self.join(name, source)
                case Store():
                    self.reads.update(names_in((*stmt.atoms, stmt.value, stmt.target)))
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

    def local(self, name: str, loop: For | While) -> bool:
        """Is an array, with all that shares its memory, made in the body of a loop and gone at its end?"""
        if id(loop) not in self.inside:
            self.inside[id(loop)] = {n for s in walk(loop.body) if not isinstance(s, Store) for n in bound(s)}
        if not self.classes:
            for n in {*self.parent, *self.parent.values()}:
                self.classes.setdefault(self.find(n), set()).add(n)
        return self.classes.get(self.find(name), {name}) <= self.inside[id(loop)] and name not in self.results

    def apart(self, a, b) -> bool:
        return not isinstance(a, str) or not is_buffer(self.fun.types[a]) or self.find(a) != self.find(b)


@dataclass
class Run:
    """Stores that one nest of loops does, with the kernel before them if there is one."""

    kernel: Let | None
    light: list[Let] = field(default_factory=list)  # statements between, that can come first
    aliases: list[Let] = field(default_factory=list)  # other names for values of the kernel
    stores: list[tuple[str, Store]] = field(default_factory=list)
    clears: list[Store] = field(default_factory=list)  # of constants, where the kernel reads: after it has read
    dead: set[str] = field(default_factory=set)  # values that nothing else reads
    end: int = 0  # the first statement after the run

    @property
    def targets(self) -> list[str]:
        return [s.target for s in (*(s for _, s in self.stores), *self.clears)]


class Runs:
    """Finds runs of stores in blocks."""

    def __init__(self, fun: Fun, same):
        self.types, self.memory, self.same = fun.types, Memory(fun), same

    def at(self, stmts: tuple[Stmt, ...], k: int) -> Run | None:
        """The run that starts at statement k; None where the statements are better on their own."""
        first = stmts[k]
        if isinstance(first, Let) and isinstance(first.op, Kernel) and len(first.op.phases) == 1:
            run, rest = Run(first), k + 1
        elif isinstance(first, Store) and self.is_array(first.value) and self.types[first.value].rank > 1:
            run, rest = Run(None), k
        else:
            return None
        root = {n: n for n in first.names} if run.kernel else {}
        light, aliases = [], []
        for at in range(rest, len(stmts)):
            stmt = stmts[at]
            if isinstance(stmt, Store) and (self.take(run, stmt, root.get(stmt.value, stmt.value))
                                            or self.take_clear(run, stmt)):
                run.light, run.aliases, light, aliases, run.end = (run.light + light,
                                                                   run.aliases + aliases, [], [], at + 1)
            elif isinstance(stmt, Let) and stmt.op.memory is SAME and not stmt.op.effect and stmt.args[0] in root:
                root[stmt.name] = root[stmt.args[0]]
                aliases.append(stmt)
            elif isinstance(stmt, Let) and self.is_light(stmt, root) and self.apart_from(run.targets, stmt.args):
                light.append(stmt)
            else:
                break
        if len(run.targets) < (1 if run.kernel else 2):
            return None
        for value in {v for v, _ in run.stores} & root.keys():
            group = {n for n, r in root.items() if r == value} & ({value} | {a.name for a in run.aliases})
            inside = sum(a.args[0] in group for a in run.aliases) + sum(v == value for v, _ in run.stores)
            if sum(self.memory.reads[n] for n in group) == inside:
                run.dead |= group
        run.aliases = [a for a in run.aliases if a.name not in run.dead]
        return run

    def is_array(self, atom) -> bool:
        return isinstance(atom, str) and self.types[atom].kind == "array"

    def is_light(self, stmt: Let, root) -> bool:
        """Numbers, checks and new arrays that need nothing of the kernel."""
        array_work = isinstance(stmt.op, Kernel) or is_reduction(stmt) or stmt.op.name == "matmul"
        light = stmt.op.to_fill or not any(is_buffer(self.types[n]) for n in stmt.names)
        return light and not array_work and root.keys().isdisjoint(names_in(stmt.args))

    def take(self, run: Run, store: Store, value) -> bool:
        """Add a store to the run, if the loops may do it together with what the run has."""
        if not self.is_array(value) or "a" in store.index:
            return False
        t, dropped = self.types[value], sum(c == "i" for c in store.index)
        if t.rank != self.types[store.target].rank + store.index.count("n") - dropped or any(d.is_one for d in t.dims):
            return False
        if run.kernel is not None and not (value in run.kernel.names and self.computed(run.kernel, value)
                                           and self.may_store(run.kernel, store)):
            return False
        if run.kernel is None and not self.memory.apart(value, store.target):
            return False
        if run.stores and not self.may_follow(run, store, value):
            return False
        if not self.apart_from([c.target for c in run.clears], [store.target]):
            return False
        run.stores.append((value, store))
        return True

    def take_clear(self, run: Run, store: Store) -> bool:
        """Add a store of a constant to exactly the part that the kernel reads, at each place of its loops."""
        if run.kernel is None or store.add or not isinstance(store.value, Const) or "a" in store.index:
            return False
        fun, outer = run.kernel.op.fun, dict(zip(run.kernel.op.fun.params, run.kernel.args))
        read = [s for s in fun.body.stmts if s.op.name == "getitem" and outer.get(s.args[0]) == store.target]
        rank = max(self.types[n].rank for n in run.kernel.names)
        if not read or any(self.types[s.name].rank != rank
                           or any(d.is_one for d in self.types[s.name].dims) for s in read):
            return False
        if not self.may_store(run.kernel, store) or not self.apart_from(run.targets, [store.target]):
            return False
        run.clears.append(store)
        return True

    def apart_from(self, targets, atoms) -> bool:
        return all(self.memory.apart(a, t) for a in names_in(atoms) for t in targets)

    def may_follow(self, run: Run, store: Store, value: str) -> bool:
        """May rows of this store be done between rows of the stores before it?  If all of them add."""
        stores = [s for _, s in run.stores] + [store]
        values = [v for v, _ in run.stores] + [value]
        rows = [self.types[v].dims[0] for v in values]
        if (not all(s.add for s in stores) or self.types[value].rank < 2
                or not all(self.same(rows[0], n) for n in rows[1:])):
            return False
        read = list(run.kernel.args) if run.kernel else values
        return all(self.memory.apart(a, s.target) for a in read for s in stores) and all(
            a.target == b.target or self.memory.apart(a.target, b.target) for a in stores for b in stores)

    def computed(self, kernel: Let, name: str) -> bool:
        """Is it an elementwise value of the kernel, at every place of its loops?"""
        return any(name in stmt.names and is_elementwise(stmt) for stmt in kernel.op.fun.body.stmts)

    def may_store(self, kernel: Let, store: Store) -> bool:
        """Is the target apart from all that the kernel reads, but for reads of the very place that is stored into?"""
        fun = kernel.op.fun
        if not all(self.memory.apart(n, store.target) for n in kernel.names):
            return False
        for param, arg in zip(fun.params, kernel.args):
            if self.memory.apart(arg, store.target):
                continue
            if arg != store.target or not self.reads_in_place(kernel, param, store):
                return False
        return True

    def reads_in_place(self, kernel: Let, param: str, store: Store) -> bool:
        """Does the kernel read the target only at the place that it stores into next?"""
        fun, whole = kernel.op.fun, all(c == ":" for c in store.index)
        outer = dict(zip(fun.params, kernel.args))
        part = {param} if whole else set()  # names of what is stored into
        for stmt in fun.body.stmts:
            atoms = tuple(outer.get(a, a) if isinstance(a, str) else a for a in stmt.args[1:])
            read = part & set(names_in(stmt.args))
            if stmt.op.name == "getitem" and stmt.args[0] == param and not whole:
                if stmt.param("index") != store.index or atoms != store.atoms:
                    return False
                part.add(stmt.name)
            elif read or param in stmt.args:
                rank = self.types[stmt.name].rank
                if (param in stmt.args and not whole or not is_elementwise(stmt)
                        or not all(identical(aligned(self.types[a], rank), rank) for a in read)):
                    return False
        return True
