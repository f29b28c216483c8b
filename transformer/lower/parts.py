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
from ..core import (SAME, Block, Const, For, Fun, If, Let, Stmt, Store, While, blocks_of, bound, names_among, operands,
                    walk)
from ..core.types import Type
from ..loop_core.core import ONE, integer
from ..optimise.fuse import FusedKernel
from ..optimise.simplify import is_derivative
from ..optimise.units import read_in_place
from .nest import Destination, is_reduction
from .pull import is_elementwise
from .stencils import can_gather, common_index


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

    @property
    def first(self) -> list[int] | None:
        """Where it begins along each of its axes, if that is a number."""
        slices = [p.slice for p in self.parts if p.code != "i"]
        if any(s is None or s.step != ONE or integer(s.start) is None for s in slices):
            return None
        return [integer(s.start) for s in slices] + [0] * (len(self.type.dims) - len(self.parts))

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
class SharedNames:
    """Which names may share memory, and how often each is read."""

    fun: Fun
    parent: dict[str, str] = field(default_factory=dict)
    reads: Counter = field(default_factory=Counter)
    inside: dict[int, set[str]] = field(default_factory=dict)  # loop -> names that its body binds
    classes: dict[str, set[str]] = field(default_factory=dict)
    results: set[str] = field(default_factory=set)

    def __post_init__(self):
        self.results = set(names_among(self.fun.body.results))
        self.reads.update(names_among(self.fun.body.results))
        for stmt in walk(self.fun.body):
            match stmt:
                case Let():
                    self.reads.update(names_among(stmt.args))
                    for name in stmt.names:
                        for source in shared(stmt):
                            self.join(name, source)
                case Store():
                    self.reads.update(names_among((*stmt.atoms, stmt.value, stmt.target)))
                case For() | While():
                    self.reads.update(names_among(operands(stmt)))
                    for c, init, after in zip(stmt.carried, stmt.inits, stmt.body.results):
                        self.join(c, init)
                        self.join(c, after)
                case If():
                    self.reads.update(names_among(operands(stmt)))
                    for n, x, y in zip(stmt.names, stmt.then.results, stmt.orelse.results):
                        self.join(n, x)
                        self.join(n, y)
            for block in blocks_of(stmt):
                self.reads.update(names_among(block.results))

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

    def is_argument(self, name: str) -> bool:
        return any(self.find(name) == self.find(p) for p in self.fun.params)

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
    gathers: bool = False  # each element of a target is stored once, with all its terms
    beside: bool = False  # each store has a target of its own: all are done where the kernel computes their values
    end: int = 0  # the first statement after the run
    root: dict[str, str] = field(default_factory=dict)  # a value of the kernel, or another name of it -> the value
    waiting: list[tuple[list, object]] = field(default_factory=list)  # after the last store: where they go, if any

    @property
    def targets(self) -> list[str]:
        return [s.target for s in (*(s for _, s in (*self.stores, *self.zeros)), *self.clears)]

    @property
    def zeros(self) -> list[tuple]:
        """The constants that wait for the first term of what is gathered."""
        return [item for where, item in self.waiting if where is self.stores]


class Runs:
    """Finds runs of stores in blocks."""

    def __init__(self, fun: Fun, same, threads: bool):
        self.types, self.memory, self.same, self.threads = fun.types, SharedNames(fun), same, threads
        self.before: tuple[Stmt, ...] = ()  # the statements of the block up to the one that is looked at

    def at(self, stmts: tuple[Stmt, ...], k: int) -> Run | None:
        """The run that starts at statement k; None where the statements are better on their own."""
        run = self.begun(stmts[k])
        if run is None:
            return None
        for at in range(k + bool(run.kernel), len(stmts)):
            self.before = stmts[:at]
            if not self.goes_on(run, stmts[at], at):
                break
        if len(run.stores) + len(run.clears) < (1 if run.kernel else 2):
            return None
        run.gathers = can_gather(self, run, run.stores)
        run.beside = self.are_beside(run, run.stores)
        self.drop_dead(run)
        return run

    def begun(self, first: Stmt) -> Run | None:
        match first:
            case Let(op=FusedKernel() as kernel) if len(kernel.phases) == 1:
                return Run(first, root={n: n for n in first.names})
            case Store(value=value) if isinstance(value, Const) or self.is_array(value) and self.types[value].rank:
                return Run(None)
        return None

    def goes_on(self, run: Run, stmt: Stmt, at: int) -> bool:
        """Take statement `at` into the run, if this may go on with it."""
        if isinstance(stmt, Store):
            if self.begins_with_zeros(run, stmt):
                run.waiting.append((run.stores, (stmt.value, stmt)))
                return True
            value = run.root.get(stmt.value, stmt.value)
            if not self.may_take(run, stmt, value):
                return self.take_clear(run, stmt, at)
            run.waiting.append((run.stores, (value, stmt)))
            self.flush(run, at)
        elif isinstance(stmt, Let) and stmt.op.memory is SAME and not stmt.op.effect and stmt.args[0] in run.root:
            run.root[stmt.name] = run.root[stmt.args[0]]
            run.waiting.append((run.aliases, stmt))
        elif isinstance(stmt, Let) and self.is_light(stmt, run.root) and self.apart_from(run.targets, stmt.args):
            run.waiting.append((run.light, stmt))
        else:
            return False
        return True

    def drop_dead(self, run: Run) -> None:
        """The values of the kernel that only the run reads, with their other names."""
        aliases = {a.name for a in run.aliases}
        for value in {v for v, _ in run.stores} & run.root.keys():
            group = {n for n, r in run.root.items() if r == value and (n == value or n in aliases)}
            inside = sum(a.args[0] in group for a in run.aliases) + sum(v == value for v, _ in run.stores)
            if sum(self.memory.reads[n] for n in group) == inside:
                run.dead |= group
        run.aliases = [a for a in run.aliases if a.name not in run.dead]

    def is_array(self, atom) -> bool:
        return isinstance(atom, str) and self.types[atom].kind == "array"

    def is_light(self, stmt: Let, root) -> bool:
        """Numbers, checks and new arrays that need nothing of the kernel."""
        array_work = isinstance(stmt.op, FusedKernel) or is_reduction(stmt) or stmt.op.name == "matmul"
        light = stmt.op.to_fill or not any(is_buffer(self.types[n]) for n in stmt.names)
        return light and not array_work and root.keys().isdisjoint(names_among(stmt.args))

    def apart(self, a, b) -> bool:
        return self.memory.apart(a, b) or self.is_newer(a, b) or self.is_newer(b, a)

    def is_newer(self, name: str, other: str) -> bool:
        """Was the memory of an array made after the other got its own?  (What a loop hands on may be both.)"""
        for stmt in reversed(self.before):
            if name in bound(stmt) and isinstance(stmt, Let):
                return stmt.op.own_memory(dict(stmt.params)) and other not in bound(stmt)
            if any(n in (name, other) for s in walk(Block((stmt,), ())) if not isinstance(s, Store) for n in bound(s)):
                return False
        return False

    def flush(self, run: Run, at: int) -> None:
        """A store was taken, and with it what waited for one."""
        for where, waiting in run.waiting:
            where.append(waiting)
        run.waiting, run.end = [], at + 1

    def begins_with_zeros(self, run: Run, store: Store) -> bool:
        """Is it a store of a constant that comes before the first term of what is gathered?"""
        read = (*run.kernel.args, *run.kernel.names) if run.kernel else ()
        return (isinstance(store.value, Const) and not store.add and common_index(store) is not None
                and self.apart_from(run.targets, [store.target]) and self.apart_from([store.target], read))

    def may_take(self, run: Run, store: Store, value) -> bool:
        """May the loops do a store together with what the run has?"""
        if not self.fills(value, store) or any(zero.target != store.target for _, zero in run.zeros):
            return False
        before = [*run.stores, *run.zeros]
        stores = [*before, (value, store)]
        together = not before or not run.zeros and (self.are_beside(run, stores) or self.may_follow(run, stores))
        if not together and not can_gather(self, run, stores):
            return False
        if run.kernel is None:
            own = self.apart(value, store.target)
        else:
            own = (value in run.kernel.names and self.computed(run.kernel, value)
                   and self.may_store(run.kernel, store))
        return own and self.apart_from([c.target for c in run.clears], [store.target])

    def fills(self, value, store: Store) -> bool:
        """Is a value an array with an element of its own for each place that is stored into?"""
        if not self.is_array(value) or "a" in store.index and not self.scatters(store):
            return False
        rank = self.types[store.target].rank + store.index.count("n") - sum(c == "i" for c in store.index)
        return is_unbroadcast(self.types[value], rank)

    def scatters(self, store: Store) -> bool:
        """Does it add the adjoint of what was read at the places of one array?  They were there when it was read."""
        return (store.add and is_derivative(store) and not self.threads and store.index[0] == "a"
                and all(c == ":" for c in store.index[1:]) and self.types[store.atoms[0]].rank == 1
                and self.apart(store.atoms[0], store.target))

    def are_beside(self, run: Run, stores: list[tuple]) -> bool:
        """Has each store a target of its own, which the kernel does not read?  None is an argument: the user sees which
        stores are done when an exception comes."""
        targets = [s.target for _, s in stores]
        return run.kernel is not None and self.apart_from(targets, run.kernel.args) and all(
            self.apart(a, b) for k, a in enumerate(targets) for b in targets[:k]
        ) and not any(map(self.memory.is_argument, targets))

    def take_clear(self, run: Run, store: Store, at: int) -> bool:
        """Add a store of a constant to exactly the part that the kernel reads, at each place of its loops."""
        if (run.kernel is None or store.add or not isinstance(store.value, Const) or "a" in store.index
                or not self.reads_everywhere(run.kernel, store.target) or not self.may_store(run.kernel, store)
                or not self.apart_from(run.targets, [store.target]) or run.zeros):
            return False
        run.clears.append(store)
        self.flush(run, at)
        return True

    def reads_everywhere(self, kernel: Let, target: str) -> bool:
        """Does a kernel read parts of an array, and each at every place of its loops?"""
        fun, rank = kernel.op.fun, max(self.types[n].rank for n in kernel.names)
        outer = dict(zip(fun.params, kernel.args))
        read = [s for s in fun.body.stmts if s.op.name == "getitem" and outer.get(s.args[0]) == target]
        return bool(read) and all(is_unbroadcast(self.types[s.name], rank) for s in read)

    def apart_from(self, targets, atoms) -> bool:
        return all(self.apart(a, t) for a in names_among(atoms) for t in targets)

    def may_follow(self, run: Run, stores: list[tuple]) -> bool:
        """May rows of the last store be done between rows of those before it?  If all of them add."""
        values, stores = zip(*stores)
        if not all(s.add and "a" not in s.index for s in stores) or self.types[values[-1]].rank < 2:
            return False
        rows = [self.types[v].dims[0] for v in values]
        if not all(self.same(rows[0], n) for n in rows[1:]):
            return False
        targets = [s.target for s in stores]
        return self.apart_from(targets, run.kernel.args if run.kernel else values) and all(
            a == b or self.apart(a, b) for a in targets for b in targets)

    def computed(self, kernel: Let, name: str) -> bool:
        """Is it an elementwise value of the kernel, at every place of its loops?"""
        return any(name in stmt.names and is_elementwise(stmt) for stmt in kernel.op.fun.body.stmts)

    def may_store(self, kernel: Let, store: Store) -> bool:
        """Is the target apart from all that the kernel reads, but for reads of the very place that is stored into?"""
        fun = kernel.op.fun
        if not all(self.apart(n, store.target) for n in kernel.names):
            return False
        for param, arg in zip(fun.params, kernel.args):
            if self.apart(arg, store.target):
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
            if param in stmt.args and not whole:
                if not (stmt.op.name == "getitem" and stmt.args[0] == param and stmt.param("index") == store.index
                        and tuple([outer.get(a, a) for a in stmt.args[1:]]) == store.atoms):
                    return False
                part.add(stmt.name)
            elif read := part.intersection(names_among(stmt.args)):
                rank = self.types[stmt.name].rank
                if not is_elementwise(stmt) or not all(read_in_place(aligned(self.types[a], rank), rank) for a in read):
                    return False
        return True


def is_unbroadcast(t: Type, rank: int) -> bool:
    """Has it so many axes, and none of one element that stands for many?"""
    return t.rank == rank and not any(d.is_one for d in t.dims)
