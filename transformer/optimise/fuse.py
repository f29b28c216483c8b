"""Operations on arrays are gathered into kernels: groups that one nest of loops computes.

    t = x * w                              y, s = kernel(x, w)     # for i in range(n):
    y = np.tanh(t)                                                 #     for j in range(m):
    s = np.sum(y, axis=(1,))                                       #         t = x[i, j] * w[j]; y[i, j] = ...
                                                                   #     s[i] = ...
A kernel is an operation whose body is core again, so that it still runs under NumPy; only what is used
outside leaves it.  It is made in two steps.

1. A statement joins the latest group with the same iteration space if it reads that group's values only at the
   index of the loops, reads none of its reductions, and nothing between depends on the group.
2. Groups over the same rows become the *phases* of one kernel when the later one needs, of the earlier one, only
   the same row: softmax is one loop over rows with three loops over columns in it.

Views move indices and belong to whoever reads through them; where something else needs one it also stays a view.
Runs on pure core, after `optimise` and before `inplace`.
"""
from __future__ import annotations

from dataclasses import dataclass, field, replace

from ..analyse.spaces import CREATED, MOVED, ONE, Equalities, aligned, keeps_ones, through
from ..core import Block, Builder, Const, For, Fun, If, Let, Op, Stmt, While, blocks_of, bound, free_names, names_in, operands, walk
from ..rules import OPS
from ..rules.control import Effect
from ..rules.kinds import Elementwise, Reduction, dim_atoms
from ..types import Type

LIMIT = 60  # statements in a group: more would not fit into registers


def _same_sizes(*numbers, count, how):
    have, want, others = numbers[:count], numbers[count:2 * count], numbers[2 * count:]
    if have != want:
        raise ValueError(how.format(*others))


SAME_SIZES = Effect("rt.same_sizes", _same_sizes)


class Circular(Exception):
    """Groups were formed that depend on each other in a circle."""


class Kernel(Op):
    """Statements that one nest of loops computes.

    `fun` is their core; `depth` leading loops are shared by all `phases` (names of what each computes).
    """

    def __init__(self, fun: Fun, depth: int, phases: tuple[tuple[str, ...], ...]):
        self.fun, self.depth, self.phases = fun, depth, phases
        super().__init__("kernel", self.run)

    def infer(self, b, args, params):
        return tuple(self.fun.types[r] for r in self.fun.body.results)

    def run(self, *args):
        from ..core import runnable
        results = runnable(self.fun)(*args)
        return results[0] if len(results) == 1 else results


def fuse(fun: Fun) -> Fun:
    return Fuse(fun).run()


@dataclass
class Group:
    """Statements over one iteration space."""

    space: tuple
    lets: list[Let] = field(default_factory=list)
    level: int | None = None  # loops outside of its row reductions

    @property
    def names(self) -> set[str]:
        return {n for let in self.lets for n in let.names}


@dataclass
class Unit:
    """What is emitted in one piece: a statement, or the phases of a kernel."""

    position: int
    stmt: Stmt | None = None
    phases: list[Group] = field(default_factory=list)
    depth: int | None = None  # shared loops, once there are several phases
    reads: set[str] = field(default_factory=set)
    views: dict[str, Let] = field(default_factory=dict)  # that its statements read through

    @property
    def names(self) -> set[str]:
        return {n for g in self.phases for n in g.names} if self.stmt is None else set(bound(self.stmt))


class Fuse:
    def __init__(self, fun: Fun):
        self.fun, self.b = fun, Builder(like=fun)

    def run(self) -> Fun:
        body = self.block(self.fun.body, Equalities())
        return Fun(self.fun.name, self.fun.params, body, self.b.types, self.fun.writes, self.fun.origin)

    def block(self, block: Block, equal: Equalities) -> Block:
        inner = Equalities()
        inner.known = dict(equal.known)
        return BlockFuser(self, block, inner).run()


class BlockFuser:
    """Fuses the statements of one block."""

    def __init__(self, outer: Fuse, block: Block, equal: Equalities):
        self.outer, self.block, self.equal = outer, block, equal
        self.types = outer.b.types
        self.views: dict[str, Let] = {}  # that may be read through
        self.real: dict[str, Unit] = {}  # views that are statements too
        self.positions: dict[str, int] = {}
        self.stored: dict[str, Unit] = {}  # the first unit that may store into a name's memory
        self.effect: Unit | None = None  # the last one
        self.units: list[Unit] = []
        self.owner: dict[str, Unit] = {}  # who computes a name
        self.home: dict[str, tuple[Group, Let]] = {}
        self.before: dict[int, set[int]] = {}  # unit -> units that must come first, besides those it reads
        self.readers: dict[str, set[int]] = {}  # root array -> units that read it

    # sorting statements --------------------------------------------------------------------------
    def run(self) -> Block:
        stmts = self.split_matches()
        stmts = self.without_dead(stmts)
        self.plain = self.plain_reads(stmts)
        self.leased = {n for stmt in stmts if isinstance(stmt, Let) for n in stored_names(stmt)}
        self.bound = {n for stmt in stmts for n in bound(stmt)}
        for position, stmt in enumerate(stmts):
            if isinstance(stmt, Let):
                self.equal.note(stmt, self.types)
            if self.is_view(stmt) and stmt.name in self.leased:
                self.single(stmt, position)
            elif self.is_view(stmt):
                self.views[stmt.name] = stmt
                if stmt.name in self.plain:
                    self.real[stmt.name] = self.single(stmt, position)
                else:
                    self.positions[stmt.name] = position
            elif self.is_member(stmt):
                self.freeze(names_in(stmt.args))
                self.join(stmt, position)
            else:
                self.single(stmt, position)
        self.merge()
        return self.emit()

    def split_matches(self) -> list[Stmt]:
        """y = rt.match(x, ...) as a check of sizes, which needs no x, and y = x."""
        out: list[Stmt] = []
        for stmt in self.block.stmts:
            if isinstance(stmt, Let) and stmt.op.name == "rt.match":
                with self.outer.b.block() as stmts, self.outer.b.at(stmt.origin):
                    x, *numbers = stmt.args
                    have = dim_atoms(self.outer.b, [self.type(x).dims[k] for k in stmt.param("axes")])
                    self.outer.b.emit(SAME_SIZES, *have, *numbers, count=len(have), how=stmt.param("how"))
                out += stmts
                stmt = Let(stmt.names, OPS["retype"], (x,), (("dims", self.types[stmt.name].dims),), stmt.origin)
            elif isinstance(stmt, Let) and stmt.op.name == "matmul" and self.types[stmt.name].kind != "array" \
                    and self.types[stmt.name].is_float:
                with self.outer.b.block() as stmts, self.outer.b.at(stmt.origin):
                    products = self.outer.b.emit(OPS["multiply"], *stmt.args, hint=stmt.name)
                out += stmts
                stmt = Let(stmt.names, OPS["np.sum"], (products,), (("axis", (0,)), ("keepdims", False)), stmt.origin)
            out.append(stmt)
        return out

    def without_dead(self, stmts) -> list[Stmt]:
        """Without what was only there for its shape."""
        used, out = set(names_in(self.block.results)), []
        for stmt in reversed(stmts):
            if (self.is_view(stmt) or self.is_member(stmt)) and stmt.name not in used:
                continue
            used |= needs(stmt)
            out.append(stmt)
        return out[::-1]

    def plain_reads(self, stmts) -> set[str]:
        """Names that something other than a kernel needs: views of these stay real."""
        reads = set(names_in(self.block.results))
        for stmt in stmts:
            if not self.is_view(stmt) and not self.is_member(stmt):
                reads |= needs(stmt)
        for stmt in reversed(stmts):
            if self.is_view(stmt) and stmt.name in reads:
                reads |= set(names_in(stmt.args))
        return reads

    def is_view(self, stmt: Stmt) -> bool:
        if not isinstance(stmt, Let) or len(stmt.names) != 1 or self.types[stmt.name].kind != "array":
            return False
        op = stmt.op.name
        if op in CREATED:
            return True
        if op == "np.reshape":
            return keeps_ones(stmt, self.type(stmt.args[0]), self.types[stmt.name])
        return op in MOVED and not stmt.op.effect and op != "np.copy"

    def is_member(self, stmt: Stmt) -> bool:
        if not isinstance(stmt, Let) or len(stmt.names) != 1:
            return False
        if isinstance(stmt.op, Reduction):
            return self.type(stmt.args[0]).kind == "array"
        elementwise = isinstance(stmt.op, Elementwise) or stmt.op.name == "rt.astype"
        return elementwise and self.types[stmt.name].kind == "array" and self.types[stmt.name].rank > 0

    def type(self, atom) -> Type:
        return self.outer.b.type(atom)

    def single(self, stmt: Stmt, position: int) -> Unit:
        """A unit for a statement that stays as it is."""
        unit = Unit(position, stmt, reads=needs(stmt))
        self.add(unit)
        befores = self.before.setdefault(id(unit), set())
        for root in {r for name in stored_names(stmt) for r in self.sources(name)}:
            befores |= self.readers.get(root, set()) - {id(unit)}  # who reads what this may store into comes first
            self.stored.setdefault(root, unit)
        if self.effect is not None and (has_effect(stmt) or touches_arrays(stmt, self.types)):
            befores.add(id(self.effect))
        if has_effect(stmt):
            self.effect = unit
        for root in {r for name in unit.reads for r in self.sources(name)}:
            self.readers.setdefault(root, set()).add(id(unit))
        return unit

    def freeze(self, names) -> None:
        """A view of what has been stored into since is not read through: it becomes real, before the store."""
        for name in names:
            view = self.views.get(name)
            if view is None:
                continue
            self.freeze(names_in(view.args))
            stores = [self.stored[r] for r in self.sources(name) if r in self.stored]
            if stores:
                unit = self.real.get(name) or self.single(view, self.positions[name])
                self.real[name] = unit
                for store in stores:
                    self.before[id(store)].add(id(unit))
                    self.before[id(unit)].discard(id(store))
                del self.views[name]

    def add(self, unit: Unit) -> None:
        self.units.append(unit)
        for name in unit.names:
            self.owner[name] = unit
        self.note_reads(unit)

    def note_reads(self, unit: Unit) -> None:
        for name in unit.reads:
            self.readers.setdefault(name, set()).add(id(unit))

    # reading through views --------------------------------------------------------------------------
    def sources(self, name: str) -> set[str]:
        """What a name is computed from, views seen through: arrays and the atoms of indices."""
        view = self.views.get(name)
        if view is None:
            return {name}
        return {s for a in names_in(view.args) for s in self.sources(a)}

    def reads_of(self, let: Let, space: tuple) -> list[tuple[str, tuple]]:
        """[(name that is no view, the loops over its axes)] of a member over a space."""
        rank, out = len(space), []
        for a in names_in(let.args):
            t = self.types[a]
            self.trace(a, aligned(t, rank) if t.kind == "array" else (), out)
        return out

    def trace(self, name: str, places: tuple, out: list) -> None:
        view = self.views.get(name)
        if view is None:
            out.append((name, places))
            return
        if view.op.name in CREATED:
            out.extend((a, ()) for a in names_in(view.args))
            return
        base, *rest = view.args
        if isinstance(base, str):
            self.trace(base, through(view, self.types[base], self.types[name], places), out)
        for a in names_in(rest):
            t = self.types[a]
            self.trace(a, (None,) * t.rank, out)

    # step 1: groups ------------------------------------------------------------------------------------
    def space_of(self, let: Let) -> tuple:
        return self.equal.dims(self.type(let.args[0] if isinstance(let.op, Reduction) else let.name))

    def canonical(self, group: Group) -> tuple:
        """The group's space by what is known of dims now."""
        group.space = tuple(map(self.equal.canonical, group.space))
        return group.space

    def join(self, let: Let, position: int) -> None:
        space = self.space_of(let)
        reads = self.reads_of(let, space)
        names = {n for n, _ in reads}
        for unit in reversed(self.units):
            if unit.stmt is None and self.canonical(unit.phases[0]) == space and self.may_join(unit, let, reads, names):
                break
        else:
            unit = Unit(position, None, [Group(space)])
            self.add(unit)
        (group,) = unit.phases
        group.lets.append(let)
        self.keep_views(unit, names_in(let.args))
        unit.reads |= {n for a in (*let.args, let.name) for d in self.type(a).dims for n in d.names if n in self.bound}
        if isinstance(let.op, Reduction):
            group.level = level(let, len(space)) if group.level is None else group.level
        unit.reads |= names - group.names
        self.owner[let.name] = unit
        self.home[let.name] = (group, let)
        self.note_reads(unit)
        if self.effect is not None:
            self.before.setdefault(id(unit), set()).add(id(self.effect))

    def keep_views(self, unit: Unit, names) -> None:
        for name in names:
            if name in self.views and name not in unit.views:
                unit.views[name] = self.views[name]
                self.keep_views(unit, names_in(self.views[name].args))

    def may_join(self, unit: Unit, let: Let, reads, names: set[str]) -> bool:
        (group,) = unit.phases
        if len(group.lets) >= LIMIT or not (names & (unit.reads | group.names)):
            return False
        if isinstance(let.op, Reduction) and group.level is not None and level(let, len(group.space)) not in (None, group.level):
            return False
        rank = len(group.space)
        for name, places in reads:
            if name in group.names:
                if isinstance(self.home[name][1].op, Reduction) or not identical(places, rank):
                    return False
        others = [self.owner[n] for n in names if n in self.owner and self.owner[n] is not unit]
        others += [self.effect] if self.effect is not None else []
        return not self.reaches(others, unit)

    def reaches(self, starts: list[Unit], goal: Unit) -> bool:
        """Does one of the units depend on the goal?"""
        by_id = {id(u): u for u in self.units}
        seen, todo = set(), list(starts)
        while todo:
            unit = todo.pop()
            if unit is goal:
                return True
            if id(unit) in seen:
                continue
            seen.add(id(unit))
            todo += self.direct(unit, by_id)
        return False

    def direct(self, unit: Unit, by_id) -> list[Unit]:
        found = [self.owner[n] for n in unit.reads if n in self.owner and self.owner[n] is not unit]
        return found + [by_id[k] for k in self.before.get(id(unit), ()) if k in by_id and k != id(unit)]

    # step 2: phases ---------------------------------------------------------------------------------------
    def merge(self) -> None:
        for unit in self.units:
            for group in unit.phases:
                self.canonical(group)
        for unit in list(self.units):
            if unit.stmt is not None:
                continue
            for earlier in reversed(self.units[:self.units.index(unit)]):
                depth = self.common_depth(earlier, unit) if earlier.stmt is None else None
                if depth:
                    self.absorb(earlier, unit, depth)
                    break

    def common_depth(self, earlier: Unit, unit: Unit) -> int | None:
        """How many loops the two can share; None for none."""
        (group,) = unit.phases if len(unit.phases) == 1 else (None,)
        if group is None or not (unit.reads & earlier.names) or sum(len(g.lets) for g in earlier.phases) + len(group.lets) > 2 * LIMIT:
            return None
        if not any(self.is_row_value(n, earlier) for n in unit.reads & earlier.names):
            return None
        limit = min([len(group.space), *(len(g.space) for g in earlier.phases)])
        for depth in ([earlier.depth] if earlier.depth else range(limit, 0, -1)):
            if depth <= limit and self.share(earlier, group, depth):
                break
        else:
            return None
        between = [u for u in self.direct(unit, {id(u): u for u in self.units}) if u is not earlier]
        return None if self.reaches(between, earlier) else depth

    def is_row_value(self, name: str, unit: Unit) -> bool:
        """A reduction of rows, or what is computed from one, row by row."""
        group, let = self.home[name]
        if isinstance(let.op, Reduction):
            return True
        return len(unit.phases) > 1

    def share(self, earlier: Unit, group: Group, depth: int) -> bool:
        lead = group.space[:depth]
        if all(d.is_one for d in lead) or any(g.space[:depth] != lead for g in earlier.phases):
            return False
        if any(g.level is not None and g.level < depth for g in (*earlier.phases, group)):
            return False
        if all(d.is_one for g in (*earlier.phases, group) for d in g.space[depth:]):
            return False
        for let in group.lets:
            for name, places in self.reads_of(let, group.space):
                if name in earlier.names and not self.same_row(name, places, depth, lead):
                    return False
        return True

    def same_row(self, name: str, places: tuple, depth: int, lead) -> bool:
        """Is a value of an earlier phase read in the row in which it is computed?"""
        group, let = self.home[name]
        loops = loops_of_axes(let, len(group.space))
        for k in range(depth):
            if not lead[k].is_one and (k not in loops or places[loops.index(k)] != k):
                return False
        return True

    def absorb(self, earlier: Unit, unit: Unit, depth: int) -> None:
        earlier.phases += unit.phases
        earlier.views = unit.views | earlier.views
        earlier.depth = depth
        earlier.reads = (earlier.reads | unit.reads) - earlier.names
        self.before.setdefault(id(earlier), set()).update(self.before.get(id(unit), set()) - {id(earlier)})
        for befores in self.before.values():
            if id(unit) in befores:
                befores.discard(id(unit))
                befores.add(id(earlier))
        for name in unit.names:
            self.owner[name] = earlier
        self.units.remove(unit)

    # emission ---------------------------------------------------------------------------------------------
    def emit(self) -> Block:
        needed = set(names_in(self.block.results)).union(*(u.reads for u in self.units))
        out = [self.kernel(u, needed) if u.stmt is None else self.inside(u.stmt) for u in self.sorted_units()]
        return Block(tuple(s for s in out if s is not None), self.block.results)

    def inside(self, stmt: Stmt) -> Stmt:
        match stmt:
            case For() | While():
                return replace(stmt, body=self.outer.block(stmt.body, self.equal))
            case If():
                return replace(stmt, then=self.outer.block(stmt.then, self.equal), orelse=self.outer.block(stmt.orelse, self.equal))
        return stmt

    def sorted_units(self) -> list[Unit]:
        """Dependences first; else in the order of the program."""
        by_id = {id(u): u for u in self.units}
        state: dict[int, int] = {}
        order: list[Unit] = []

        def visit(unit: Unit) -> None:
            if state.get(id(unit)) == 2:
                return
            if state.get(id(unit)) == 1:
                raise Circular
            state[id(unit)] = 1
            for other in sorted(self.direct(unit, by_id), key=lambda u: u.position):
                visit(other)
            state[id(unit)] = 2
            order.append(unit)

        for unit in sorted(self.units, key=lambda u: u.position):
            visit(unit)
        return order

    def kernel(self, unit: Unit, needed: set[str]) -> Stmt | None:
        """The statement that calls the kernel; None if nothing needs it."""
        lets = [let for g in unit.phases for let in g.lets]
        body, seen = [], set()

        def add_views(name):
            view = unit.views.get(name)
            if view is not None and name not in seen:
                seen.add(name)
                for a in names_in(view.args):
                    add_views(a)
                body.append(view)

        for let in lets:
            for a in names_in(let.args):
                add_views(a)
            body.append(let)
        inner = {n for let in body for n in let.names}
        results = tuple(let.name for let in lets if let.name in needed)
        params = tuple(sorted({n for let in body for n in names_in(let.args)} - inner))
        if not results:
            return None
        fun = Fun("kernel", params, Block(tuple(body), results), self.types)
        phases = tuple(tuple(let.name for let in g.lets) for g in unit.phases)
        return Let(results, Kernel(fun, unit.depth or 0, phases), params, (), lets[0].origin)


def identical(places: tuple, rank: int) -> bool:
    """Read exactly where the loops are?"""
    return all(p == ONE or p == k + rank - len(places) for k, p in enumerate(places)) and len(places) == rank


def level(let: Let, rank: int) -> int | None:
    """How many loops are outside of a reduction of trailing axes; None for other axes, and for all."""
    axes = tuple(sorted(let.param("axis")))
    return rank - len(axes) if axes == tuple(range(rank - len(axes), rank)) and len(axes) < rank else None


def loops_of_axes(let: Let, rank: int) -> list:
    """The loop that runs over each axis of a value computed in a space of `rank` loops."""
    if not isinstance(let.op, Reduction):
        return list(range(rank))
    axes = let.param("axis")
    if let.param("keepdims"):
        return [ONE if k in axes else k for k in range(rank)]
    return [k for k in range(rank) if k not in axes]


def has_effect(stmt: Stmt) -> bool:
    return any(isinstance(s, Let) and s.op.effect for s in (stmt, *(s for b in blocks_of(stmt) for s in walk(b))))


def touches_arrays(stmt: Stmt, types) -> bool:
    return any(types[n].kind == "array" for n in names_in(operands(stmt))) or bool(blocks_of(stmt))


def needs(stmt: Stmt) -> set[str]:
    """The names that a statement and its blocks read."""
    return set(names_in(operands(stmt))).union(*(free_names(b) for b in blocks_of(stmt))) - set(own_names(stmt))


def own_names(stmt: Stmt) -> tuple:
    return () if isinstance(stmt, (Let, If)) else (*stmt.carried, *([stmt.index] if isinstance(stmt, For) else []))


def stored_names(stmt: Stmt) -> set[str]:
    """The names whose memory `inplace` may make this statement store into."""
    match stmt:
        case Let():
            return set(names_in(stmt.args[:1])) if stmt.op.name in ("rt.update", "rt.update_add", "rt.push", "rt.push_add") else set()
        case If():
            return free_names(stmt.then) | free_names(stmt.orelse)
    return set(names_in(stmt.inits))
