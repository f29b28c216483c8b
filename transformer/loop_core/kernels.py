"""A function parted for a GPU: what the host does, and the kernels that it launches.

    def f(x, n):                                    def f_kernel(flag, x, y):
        y = rm.empty((x_len,), np.float64)              for i in grid(x_len):
        for i in range(x_len):  [independent]               y[i] = 2.0 * x[i]
            y[i] = 2.0 * x[i]              ->
        t = y[0] + 1.0                              def f_kernel1_(flag, y, t_cell):
        return (y, t)                                   t_cell[0] = y[0] + 1.0

                                                    def f(flag, room, x, n):
                                                        t_cell = gpu.cell(np.float64)
                                                        y = rm.empty((x_len,), np.float64)
                                                        gpu.launch(f_kernel, x_len, (flag, x, y))
                                                        gpu.launch(f_kernel1_, 1, (flag, y, t_cell))
                                                        return (y, gpu.number(t_cell))

Elements are touched by kernels only.  A loop whose iterations are independent is a kernel of many threads; all else
that touches elements is done by one thread, statements that follow each other in one kernel.  A scalar that kernels
make lives in an array of one element, its cell, until the host needs it for a length or a test.  Arrays that each
iteration has for itself are one array with an axis more, the last one, for the threads.
"""
from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Callable, Iterable

from . import facts as known
from .coalesce import coalesced
from .columns import columns_by_groups
from .core import (BOOL, I8, ONE, ZERO, Alloc, Assign, Assigns, Call, Check, Do, Expr, Function, Length, Load, Loop,
                   Name, Num, Span, Stmt, Store, Tuple, View, integer)
from .device_calls import spelled_here, spelled_there, without_flag, without_hints, without_pass
from .elements import as_numbers
from .facts import Arrays, read_outside, walk_loops
from .lanes import Shared, Sharing
from .nests import Nests, ParallelNest
from .partials import staged
from .scatter import spread_sums
from .stacks import as_stacks
from .stops import may_stop, stops_apart
from .through import copies_made, through_views
from .walking import blocks, bound_by, mapped, names_bound, names_in, names_mentioned, names_read, reads

FLAG, ROOM, THREAD = Name("flag"), Name("room", I8), "thread"
LANES = 1024  # threads of a group at most: `runtime.cuda.backend.LANES`


@dataclass(frozen=True)
class Parted:
    """stops  may a kernel stop?"""

    host: Function
    kernels: tuple[Function, ...]
    stops: bool


def split_kernels(f: Function, ranks: dict[str, int], forms: Callable[[str], bool], fresh: Callable[[str], str],
                  library: Iterable[str] = ()) -> Parted:
    """
    ranks    of the parameters that are arrays
    forms    says of a function of `runtime` whether a thread of the device can call it
    fresh    gives names that nothing has
    library  functions that compute what a library does as a whole
    """
    return Parting(replace(f, body=as_stacks(f.body, set(library))), ranks, forms, fresh).parted()


class Parting:
    def __init__(self, f: Function, ranks, forms, fresh):
        self.fresh = fresh
        f = replace(f, body=without_hints(f.body))
        f = copies_made(f, Arrays(f, ranks), fresh)
        f = through_views(f, Arrays(f, ranks))
        f = as_numbers(f, Nests(f, ranks, forms), fresh)
        f = through_views(f, Arrays(f, ranks))
        f = coalesced(f, Arrays(f, ranks).ranks)
        nests = Nests(f, ranks, forms)
        f = replace(f, body=for_threads(f.body, nests, fresh))
        self.nests = Nests(f, ranks, forms)
        self.f, self.arrays, self.tapes = f, self.nests.arrays, self.nests.tapes
        self.bound = Counter(n.id for s in walk_loops(f.body) for n in bound_by(s))
        self.device: set[str] = set()  # scalars that kernels make
        self.kernels: list[Function] = []
        self.cells: dict[str, Name] = {}
        self.pending: list[Stmt] = []  # what one thread is to do next
        self.out: list[Stmt] = []

    def parted(self) -> Parted:
        while (found := self.device | self.made_there(self.f.body)) != self.device:
            self.device = found
        body = spelled_here(self.block(self.f.body))
        results = tuple([Call("gpu.number", (self.cell(r),), r.dtype) if isinstance(r, Name) and r.id in self.device
                         else r for r in self.f.results or ()])
        cells = [Assign(cell, Call("gpu.cell", (Name(f"np.{numba_dtype(cell.dtype)}"),), cell.dtype))
                 for cell in self.cells.values()]
        kernels, stops = tuple(self.kernels), any(isinstance(s, Check) for k in self.kernels
                                                  for s in walk_loops(k.body))
        if not stops:
            kernels = tuple([replace(k, params=k.params[1:]) for k in kernels])
            body = tuple(map(without_flag, body))
        return Parted(Function(self.f.name, (FLAG, ROOM, *self.f.params), (*cells, *body), results), kernels, stops)

    # where things are done -----------------------------------------------------------------------------
    def made_there(self, stmts) -> set[str]:
        """The scalars that kernels make, as far as is known by now."""
        found: set[str] = set()
        for stmt in stmts:
            if self.one_thread(stmt):
                found |= {n for n in names_bound([stmt]) if n not in self.arrays.ranks} - loop_indices([stmt])
            elif not self.nests.is_parallel(stmt):
                for block in blocks(stmt):
                    found |= self.made_there(block)
        return found

    def touches(self, stmt: Stmt) -> bool:
        """Does it read or store elements, or scalars of the device?"""
        return any(isinstance(s, Store) or any(map(self.is_there, reads(s))) for s in walk_loops([stmt])) or any(
            n in self.device for n in names_bound([stmt]))

    def is_there(self, e) -> bool:
        return known.loads(e) or any(n.id in self.device for n in names_in(e))

    def one_thread(self, stmt: Stmt) -> bool:
        """Is it for one thread of the device?"""
        return (not isinstance(stmt, Alloc) and self.touches(stmt) and self.nests.inside(stmt)
                and self.nests.is_closed(stmt)
                and not any(self.nests.is_parallel(s) for s in walk_loops([stmt]) if isinstance(s, Loop)))

    # the host ------------------------------------------------------------------------------------------
    def block(self, stmts: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        before, self.out = self.out, []
        for stmt in stmts:
            self.statement(stmt)
        self.flush()
        body, self.out = tuple(self.out), before
        return body

    def statement(self, stmt: Stmt) -> None:
        nest = self.nests.nest(stmt)
        if nest is not None:
            if self.meets(stmt):
                self.flush()
            self.threads(nest)
        elif self.one_thread(stmt):
            self.pending.append(stmt)
        elif isinstance(stmt, Alloc) and stmt.name.id in self.tapes:
            self.out.append(replace(stmt, shape=(ROOM,)))
        elif self.commutes(stmt):
            self.out.append(mapped(stmt, lambda e: e, self.block))
        else:
            self.flush()
            self.out.append(mapped(stmt, self.fetched, self.block))
            self.out += [Do(Call("gpu.write", (self.cell(n), n))) for n in bound_by(stmt)
                         if n.id in self.device and not isinstance(stmt, Loop)]

    def meets(self, stmt: Stmt) -> bool:
        """Does a kernel name what waits to be done by one thread?"""
        def named(stmts) -> set[str]:
            return {self.arrays.memory(n) for s in stmts for n in names_mentioned(s)
                    if n in self.arrays.ranks or n in self.device}

        return bool(named([stmt]) & named(self.pending))

    def commutes(self, stmt: Stmt) -> bool:
        """May it be done before what waits?"""
        bound = {n.id for n in bound_by(stmt)}
        sooner = isinstance(stmt, (Alloc, Assign)) or isinstance(stmt, Check) and not any(map(stops, self.pending))
        return (sooner and not bound & self.device
                and not any(self.is_there(e) or self.takes_arrays(e) for e in reads(stmt))
                and not bound & {n.id for s in self.pending for n in names_read(s)})

    def takes_arrays(self, e) -> bool:
        """Does an expression call what may read arrays?"""
        return isinstance(e, Call) and e.function != "rm.transpose" and (
            e.function[:3] not in ("rs.", "vm.", "rc.") or any(map(self.arrays.gives_array, e.args))) or any(
            map(self.takes_arrays, reads(e)))

    def fetched(self, e):
        """An expression of the host, which reads what the device has made."""
        if isinstance(e, Name) and e.id in self.device:
            return Call("gpu.read", (self.cell(e), FLAG), e.dtype)
        if isinstance(e, Load):
            return Call("gpu.element", (e.array, Tuple(tuple(map(self.fetched, e.index))), FLAG), e.dtype)
        return mapped(e, self.fetched)

    def cell(self, name: Name) -> Name:
        if name.id not in self.cells:
            self.cells[name.id] = Name(self.fresh(f"{name.id.strip('_')}_cell"), name.dtype)
        return self.cells[name.id]

    # kernels -------------------------------------------------------------------------------------------
    def flush(self) -> None:
        """Kernels do what waits: of one thread, or of a group where there is a loop that its lanes can share."""
        waiting, self.pending = tuple(self.pending), []
        if not waiting:
            return
        if self.together(waiting):
            return
        rest: list[Stmt] = []
        for stmt in waiting:
            if isinstance(stmt, Loop) and self.shared((stmt,), {}, stmt) is not None:
                self.by_one(rest)
                rest = [] if self.together((stmt,)) else [stmt]
            else:
                rest.append(stmt)
        self.by_one(rest)

    def by_one(self, body) -> None:
        if body:
            self.launch(body, Launch(ONE), self.ends(body))

    def together(self, body) -> bool:
        """A kernel of one group, if it can do these."""
        ends = self.ends(body)
        shared = self.shared((*body, *ends), {}, body[0])
        return shared is not None and self.group(shared, ONE, Name(self.fresh("once"), I8), [], {}, ends)

    def ends(self, body) -> list[Store]:
        """The stores of what these make, and others read, into cells."""
        made = {n.id: n for s in walk_loops(body) for n in bound_by(s) if n.id in self.device}
        outlive = self.outliving(body) if made else set()
        return [Store(self.cell(n), (ZERO,), n) for n in made.values() if n.id in outlive]

    def outliving(self, body) -> set[str]:
        """The names that are read or bound outside of these statements, or before they bind them."""
        read = Counter(n.id for s in body for n in names_read(s))
        bound = Counter(n.id for s in walk_loops(body) for n in bound_by(s))
        return ({n for n in bound if read[n] != self.arrays.named[n] or bound[n] != self.bound[n]}
                | {n.id for n in read_outside(body)[0]})

    def threads(self, nest: ParallelNest) -> None:
        lengths = tuple(map(self.fetched, nest.counts))
        count = self.named("count", lengths[0] if len(lengths) == 1 else Call("gpu.count", lengths, I8))
        at, places = nest.places(lambda: Name(self.fresh("at"), I8))
        body = [self.cleared(s, nest.private) for s in nest.body]
        shared = self.shared(body, nest.private, nest.loops[0])
        if shared is None or not self.group(shared, count, at, places, nest.private):
            self.by_threads(body, count, at, places, nest.private)
        self.out[:] = [s for s in self.out if not (isinstance(s, Alloc) and s.name.id in nest.private)]

    def by_threads(self, body, count: Expr, at: Name, places, private) -> None:
        """A kernel of a thread for each iteration."""
        first, width = Call("cuda.grid", (ONE,), I8), count
        if private:
            width = self.named("width", Call("gpu.width", (count,), I8))
        views = [self.one_of_many(alloc, width) for alloc in private.values()]
        thread = Name(THREAD, I8) if views else first
        loop = Loop(at, thread, count, Call("cuda.gridsize", (ONE,), I8), (*places, *body))
        self.launch((*[Assign(thread, first)] * bool(views), *views, loop), Launch(width))

    def shared(self, body, private, at: Stmt) -> Shared | None:
        """The statements of an iteration for the lanes of a group."""
        unshared = (self.nests.fresh(at) | set(private)) - self.nests.named_anew(body)
        return Sharing(self.arrays, unshared, set(private), self.fresh).of(without_pass(body))

    def group(self, shared: Shared, count: Expr, at: Name, places, private, ends=()) -> bool:
        """A kernel of a group of threads for each iteration; not where the host does not know how much they share."""
        bound = names_bound(shared.body) | {at.id, *(s.name.id for s in places)}
        match shared.length:
            case Length(Name(array), axis) if array in private and array not in self.tapes:
                shared.length = private[array].shape[axis]
        if known.loads(shared.length) or any(n.id in {*bound, *private} for n in names_in(shared.length)):
            return False
        near = Num(shared.is_near(places[-1].name if places else at), BOOL)
        self.out += [Assign(shared.lanes, Call("gpu.lanes", (self.fetched(shared.length), count, near), I8)),
                     Assign(shared.apart, Call("gpu.apart", (shared.lanes, near), I8))]
        views = []
        if private:
            groups = self.named("groups", Call("gpu.groups", (count, shared.lanes), I8))
            views = [self.one_of_many(alloc, groups, near.value) for alloc in private.values()]
            views.insert(0, Assign(Name(THREAD, I8), Call("dev.group", (shared.lanes, shared.apart), I8)))
        memory = [Assign(m, Call("cuda.shared.array", (Num(LANES, I8), Name(f"np.{numba_dtype(d)}"))))
                  for d, m in shared.memory.items()]
        first = Name(self.fresh("first"), I8)
        place = Assigns((at, shared.lane, shared.begin),
                        (Call("dev.place", (first, count, shared.lanes, shared.apart), I8),))
        loop = Loop(first, Call("dev.first", (shared.lanes,), I8), count, Call("dev.stride", (shared.lanes,), I8),
                    (place, *places, *shared.body))
        self.launch((*memory, *views, loop), Launch(count, shared.lanes), cells=[s.array for s in ends])
        return True

    def one_of_many(self, alloc: Alloc, width: Name, first: bool = False) -> Stmt:
        """One array for all threads or groups, as its last axis or its `first`, and what one of them sees of it."""
        whole = Name(self.fresh(f"{alloc.name.id.strip('_')}_all"), alloc.name.dtype)
        shape = tuple(map(self.fetched, (ROOM,) if alloc.name.id in self.tapes else alloc.shape))
        rest, thread = (Span(),) * len(shape), (Name(THREAD, I8),)
        self.out.append(Alloc(whole, (width, *shape) if first else (*shape, width), early=True))
        self.arrays.ranks[whole.id] = len(shape) + 1
        return Assign(alloc.name, View(whole, thread + rest if first else rest + thread))

    def cleared(self, stmt: Stmt, private) -> Stmt:
        """A thread's arrays are there before the loop: what is left of an allocation is its zeros."""
        match stmt:
            case Alloc():
                return self.zeros(stmt.name) if stmt.zeroed else Do(Call("pass", ()))
            case Do(Call("rm.clear", (Name() as array,))):
                return self.zeros(array)
        return mapped(stmt, lambda e: e, lambda block: tuple(self.cleared(s, private) for s in block))

    def zeros(self, array: Name) -> Stmt:
        """Loops that fill an array with zeros."""
        indices = [Name(self.fresh("k"), I8) for _ in range(self.arrays.ranks[array.id])]
        stmt: Stmt = Store(array, tuple(indices), Num(array.dtype.type(0).item(), array.dtype))
        for axis, i in reversed(list(enumerate(indices))):
            stmt = Loop(i, ZERO, Length(array, axis), ONE, (stmt,))
        return stmt

    def named(self, hint: str, e: Expr) -> Expr:
        """A number of the host under a name."""
        if isinstance(e, Name) or integer(e) is not None:
            return e
        name = Name(self.fresh(hint), I8)
        self.out.append(Assign(name, e))
        return name

    def launch(self, body, launch: "Launch", ends: Iterable[Store] = (), cells: Iterable[Name] = ()) -> None:
        """A kernel of these statements, and its launch; `ends` are stores at the end of it, of scalars into cells."""
        body = stops_apart(tuple(body), self.fresh)
        free, bound = read_outside(body)
        read = [n for n in (*free, *(s.value for s in ends if s.value.id not in bound)) if n.id in self.device]
        cells = list(dict.fromkeys([*map(self.cell, read), *(s.array for s in ends), *cells]))
        free = [n for n in free if n.id not in self.device and n not in cells and "." not in n.id]
        starts = [Assign(n, Load(self.cell(n), (ZERO,))) for n in dict.fromkeys(read)]
        params = (FLAG, *free, *cells)
        kernel = Function(self.fresh(f"{self.f.name}_kernel"), params,
                          tuple(spelled_there((*starts, *without_pass(body), *ends))))
        self.kernels.append(kernel)
        self.out.append(launch.call(Name(kernel.name), params))


@dataclass(frozen=True)
class Launch:
    """How many threads a kernel has, or how many groups of so many lanes."""

    count: Expr
    lanes: Name | None = None

    def call(self, kernel: Name, params) -> Do:
        if self.lanes is None:
            return Do(Call("gpu.launch", (kernel, self.count, Tuple(params))))
        return Do(Call("gpu.launch_groups", (kernel, self.count, self.lanes, Tuple(params))))


def for_threads(stmts: tuple[Stmt, ...], nests: Nests, fresh) -> tuple[Stmt, ...]:
    """What the host comes to, with reductions and sums into shared places in forms that threads can do."""
    out: list[Stmt] = []
    for stmt in stmts:
        if isinstance(stmt, Loop) and (instead := spread_sums(stmt, nests, fresh)):
            out += instead
        elif nests.is_parallel(stmt):
            out.append(columns_by_groups(stmt, nests, fresh) or stmt)
        elif isinstance(stmt, Loop) and (instead := staged(stmt, nests.lasting(stmt), nests.arrays.ranks, fresh)):
            out += instead
        else:
            out.append(mapped(stmt, lambda e: e, lambda block: for_threads(block, nests, fresh)))
    return tuple(out)


def stops(stmt: Stmt) -> bool:
    """May what one thread does stop?"""
    return any(isinstance(s, Check) or any(map(may_stop, reads(s))) for s in walk_loops([stmt]))


def loop_indices(stmts) -> set[str]:
    return {s.index.id for s in walk_loops(stmts) if isinstance(s, Loop)}


def numba_dtype(dtype) -> str:
    return "bool_" if dtype == BOOL else dtype.name
