"""Operations on arrays are gathered into kernels: groups that one nest of loops computes.

    t = x * w                              y, s = kernel(x, w)     # for i in range(n):
    y = np.tanh(t)                                                 #     for j in range(m):
    s = np.sum(y, axis=(1,))                                       #         t = x[i, j] * w[j]; y[i, j] = ...
                                                                   #     s[i] = ...
A kernel is an operation whose body is core again, so that it still runs under NumPy; only what is used
outside leaves it.  It is made in two steps.

1. A statement joins the latest group with the same iteration space if it reads that group's values only at the
   index of the loops, reads none of its reductions, and nothing between depends on the group. A term of a sum that ends
   later does not join a group which it shares no value with (`chains`).
2. Groups over the same rows become the *phases* of one kernel when the later one needs, of the earlier one, only
   the same row: softmax is one loop over rows with three loops over columns in it.

Views move indices and belong to whoever reads through them; where something else needs one it also stays a view.
Runs on pure core, after `optimise` and before `inplace`.
"""
from __future__ import annotations

from dataclasses import replace

from ..analyse.buffers import is_buffer
from ..analyse.spaces import Equalities, keeps_ones
from ..core import (MADE, MOVED, OWN, PASSED, Block, Builder, For, Fun, If, Let, Op, Stmt, While, bound, names_among,
                    runnable)
from ..core.types import Type
from ..rules import OPS
from ..rules.indexing import Getitem
from ..rules.kinds import Elementwise, Reduction, dim_atoms
from .chains import Chains
from .phases import Phases
from .units import (FusedGroup, FusionUnit, Units, Views, has_effect, level, needs, read_in_place, stored_names,
                    touches_arrays)

LIMIT = 60  # statements in a group: more would not fit into registers


class FusedKernel(Op):
    """Statements that one nest of loops computes.

    `fun` is their core; `depth` leading loops are shared by all `phases` (names of what each computes).
    """

    memory = OWN

    def __init__(self, fun: Fun, depth: int, phases: tuple[tuple[str, ...], ...]):
        self.fun, self.depth, self.phases = fun, depth, phases
        super().__init__("kernel", self.run)

    def infer(self, b, args, params):
        return tuple(self.fun.types[r] for r in self.fun.body.results)

    def run(self, *args):
        results = runnable(self.fun)(*args)
        return results[0] if len(results) == 1 else results


def fuse(fun: Fun) -> Fun:
    return Fuse(fun).run()


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
        self.units, self.views = Units(), Views(self.types)
        self.real: dict[str, FusionUnit] = {}  # views that are statements too
        self.positions: dict[str, int] = {}
        self.stored: dict[str, FusionUnit] = {}  # the first unit that may store into a name's memory
        self.effect: FusionUnit | None = None  # the last one
        self.group_of: dict[str, tuple[FusedGroup, Let]] = {}

    def run(self) -> Block:
        self.raising = raising = self.there_to_raise()
        stmts = self.without_dead(self.split_matches(), raising)
        self.plain = self.plain_reads(stmts, raising)
        self.chains = Chains(self.block, stmts, self.types, self.is_member)
        self.leased = {n for stmt in stmts if isinstance(stmt, Let) for n in stored_names(stmt)}
        self.bound = {n for stmt in stmts for n in bound(stmt)}
        for position, stmt in enumerate(stmts):
            if isinstance(stmt, Let):
                self.equal.note(stmt, self.types)
            if self.is_view(stmt) and stmt.name in self.leased:
                self.single(stmt, position)
            elif self.is_view(stmt):
                self.views.lets[stmt.name] = stmt
                self.positions[stmt.name] = position
                if stmt.name in self.plain:
                    self.real[stmt.name] = self.single(stmt, position)
            elif self.is_member(stmt):
                self.join(stmt, position, self.first_of(stmt))
            else:
                self.single(stmt, position)
        for unit in self.units.all:
            for group in unit.phases:
                self.canonical(group)
        Phases(self.units, self.views, self.group_of, self.plain).run()
        return self.emit()

    # before the walk ----------------------------------------------------------------------------
    def there_to_raise(self) -> set[str]:
        """What nothing reads, and is still there: indices may be out of range, or there may be no largest number."""
        used = set(names_among(self.block.results)).union(*map(needs, self.block.stmts))
        return {stmt.name for stmt in self.block.stmts if (self.is_view(stmt) and isinstance(stmt.op, Getitem)
                                                           or self.is_member(stmt) and isinstance(stmt.op, Reduction)
                                                           and stmt.op.empty is None)
                and stmt.name not in used}

    def split_matches(self) -> list[Stmt]:
        """y = rt.match(x, ...) as a check of sizes, which needs no x, and y = x."""
        out: list[Stmt] = []
        for stmt in self.block.stmts:
            if isinstance(stmt, Let) and stmt.op.name == "rt.match":
                with self.outer.b.block() as stmts, self.outer.b.at(stmt.origin):
                    x, *numbers = stmt.args
                    have = dim_atoms(self.outer.b, [self.type(x).dims[k] for k in stmt.param("axes")])
                    self.outer.b.emit(OPS["rt.same_sizes"], *have, *numbers, count=len(have), how=stmt.param("how"),
                                      kind=stmt.param("kind", "ValueError"))
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

    def without_dead(self, stmts, raising: set[str]) -> list[Stmt]:
        """Without what was only there for its shape."""
        used, out = set(names_among(self.block.results)) | raising, []
        for stmt in reversed(stmts):
            if (self.is_view(stmt) or self.is_member(stmt)) and stmt.name not in used:
                continue
            used |= needs(stmt)
            out.append(stmt)
        return out[::-1]

    def plain_reads(self, stmts, raising: set[str]) -> set[str]:
        """Names that something other than a kernel needs: views of these stay real."""
        reads = set(names_among(self.block.results)) | raising
        for stmt in stmts:
            if not self.is_view(stmt) and not self.is_member(stmt):
                reads |= needs(stmt)
        for stmt in reversed(stmts):
            if self.is_view(stmt) and stmt.name in reads:
                reads |= set(names_among(stmt.args))
        return reads

    # sorting statements -------------------------------------------------------------------------
    def is_view(self, stmt: Stmt) -> bool:
        if not isinstance(stmt, Let) or len(stmt.names) != 1 or self.types[stmt.name].kind != "array":
            return False
        op = stmt.op
        if op.name == "np.reshape":
            return keeps_ones(self.type(stmt.args[0]), self.types[stmt.name])
        return (op.elements in (MADE, MOVED) or op.elements is PASSED and op.memory is not OWN) and not op.effect

    def is_member(self, stmt: Stmt) -> bool:
        if not isinstance(stmt, Let) or len(stmt.names) != 1:
            return False
        if isinstance(stmt.op, Reduction):
            return self.type(stmt.args[0]).kind == "array"
        elementwise = isinstance(stmt.op, Elementwise) or stmt.op.name == "rt.astype"
        return elementwise and self.types[stmt.name].kind == "array" and self.types[stmt.name].rank > 0

    def type(self, atom) -> Type:
        return self.outer.b.type(atom)

    def single(self, stmt: Stmt, position: int, late: bool = False) -> FusionUnit:
        """A unit for a statement that stays as it is; `late`: it stands before the last effect."""
        unit = self.units.add(FusionUnit(position, stmt, reads=needs(stmt)))
        for root in {r for name in stored_names(stmt) for r in self.views.sources(name) if is_buffer(self.types[r])}:
            # who reads what this may store into comes first
            unit.before |= self.units.readers.get(root, set()) - {unit}
            self.stored.setdefault(root, unit)
        if self.effect is not None and not late and (has_effect(stmt) or touches_arrays(stmt, self.types)):
            unit.before.add(self.effect)
        if has_effect(stmt):
            self.effect = unit
        for root in {r for name in unit.reads for r in self.views.sources(name)}:
            self.units.readers.setdefault(root, set()).add(unit)
        return unit

    def first_of(self, let: Let) -> set[FusionUnit]:
        """The stores that this statement must come before, because it reads what was there through a view.

        Where it cannot come before all of them the view becomes real, before the stores, and is not read through.
        """
        stores = set().union(*(self.overtaken(name) for name in self.views.used(names_among(let.args))))
        needed = {self.units.owner[r] for a in names_among(let.args)
                  for r in self.views.sources(a) if r in self.units.owner}
        needed |= {self.effect} if self.effect else set()
        if any(self.units.reaches(needed, store) for store in stores):
            self.freeze(names_among(let.args))
            return set()
        return stores

    def overtaken(self, name: str) -> set[FusionUnit]:
        """The stores into what a view shows that come after it."""
        sources = self.views.sources(name)
        stores = {self.stored[r] for r in sources if r in self.stored}
        made_by = {self.units.owner[r] for r in sources if r in self.units.owner}
        return stores if stores and not any(self.units.reaches(made_by, store) for store in stores) else set()

    def freeze(self, names) -> None:
        for name in names:
            view = self.views.lets.get(name)
            if view is None:
                continue
            self.freeze(names_among(view.args))
            if stores := self.overtaken(name):
                unit = self.statement_of(name)
                for store in stores:
                    store.before.add(unit)
                    unit.before.discard(store)
                del self.views.lets[name]

    def statement_of(self, name: str) -> FusionUnit:
        """The statement of a view, and of those that it is a view of."""
        if name not in self.real:
            view = self.views.lets[name]
            for source in names_among(view.args):
                if source in self.views.lets:
                    self.statement_of(source)
            self.real[name] = self.single(view, self.positions[name], late=True)
        return self.real[name]

    # step 1: groups ------------------------------------------------------------------------------
    def space_of(self, let: Let) -> tuple:
        return self.equal.dims(self.type(let.args[0] if isinstance(let.op, Reduction) else let.name))

    def canonical(self, group: FusedGroup) -> tuple:
        """The group's space by what is known of dims now."""
        group.space = tuple(map(self.equal.canonical, group.space))
        return group.space

    def join(self, let: Let, position: int, first_of: set[FusionUnit]) -> None:
        space = self.space_of(let)
        reads = self.views.reads(let, space)
        dims = {n for a in (*let.args, let.name) for d in self.type(a).dims for n in d.names if n in self.bound}
        names = {n for n, _ in reads} | dims
        for unit in reversed(self.units.all):
            if (unit.is_kernel and self.canonical(unit.phases[0]) == space
                    and self.may_join(unit, let, reads, names, dims, first_of)):
                break
        else:
            unit = self.units.add(FusionUnit(position, None, [FusedGroup(space)]))
        (group,) = unit.phases
        group.lets.append(let)
        self.views.used(names_among(let.args), unit.views)
        if isinstance(let.op, Reduction):
            group.level = level(let, len(space)) if group.level is None else group.level
        unit.reads |= names - group.names
        if self.effect is not None:
            unit.before.add(self.effect)
        for store in first_of:
            store.before.add(unit)
        self.group_of[let.name] = (group, let)
        self.units.note(unit)
        self.gather(unit, let)

    def gather(self, unit: FusionUnit, let: Let) -> None:
        """Other groups over the same space that the statement reads become one with its own, where they may."""
        for name in names_among(let.args):
            other = self.units.owner.get(name)
            if other not in (None, unit) and other.is_kernel and self.may_gather(other, unit):
                (group,), (own,) = other.phases, unit.phases
                own.lets = group.lets + own.lets
                own.level = group.level if own.level is None else own.level
                self.group_of.update((x.name, (own, x)) for x in group.lets)
                unit.views = other.views | unit.views
                unit.reads = (unit.reads | other.reads) - own.names
                self.units.replace(other, unit)

    def may_gather(self, other: FusionUnit, unit: FusionUnit) -> bool:
        (group,), (own,) = other.phases, unit.phases
        if (self.canonical(group) != self.canonical(own) or len(group.lets) + len(own.lets) > LIMIT
                or None not in (group.level, own.level) and group.level != own.level):
            return False
        if self.needs_whole(group, (read for let in own.lets for read in self.views.reads(let, own.space))):
            return False
        return not (self.units.reaches(self.units.direct(unit) - {other}, other)
                    or self.units.reaches(self.units.direct(other), unit))

    def needs_whole(self, group: FusedGroup, reads) -> bool:
        """Is a value of a group that is read elsewhere than in place, or a reduction, among these?"""
        return any(name in group.names and (isinstance(self.group_of[name][1].op, Reduction)
                                            or not read_in_place(places, len(group.space))) for name, places in reads)

    def may_join(self, unit: FusionUnit, let: Let, reads, names: set[str], dims: set[str], first_of) -> bool:
        (group,) = unit.phases
        if len(group.lets) >= LIMIT or not ((names - dims) & (unit.reads | group.names)):
            return False
        if (isinstance(let.op, Reduction) and group.level is not None
                and level(let, len(group.space)) not in (None, group.level)):
            return False
        if self.needs_whole(group, reads) or not names & group.names and self.chains.ends_after(let, group):
            return False
        others = ({self.units.owner[n] for n in names if n in self.units.owner}
                  | ({self.effect} if self.effect else set()))
        return not (self.units.reaches(others - {unit}, unit)
                    or any(self.units.reaches({unit}, store) for store in first_of))

    # emission --------------------------------------------------------------------------------------
    def emit(self) -> Block:
        needed = self.raising.union(names_among(self.block.results), *(u.reads for u in self.units.all))
        out = [self.kernel(u, needed) if u.is_kernel else self.inside(u.stmt) for u in self.units.sorted()]
        return Block(tuple(s for s in out if s is not None), self.block.results)

    def inside(self, stmt: Stmt) -> Stmt:
        match stmt:
            case For() | While():
                return replace(stmt, body=self.outer.block(stmt.body, self.equal))
            case If():
                return replace(stmt, then=self.outer.block(stmt.then, self.equal),
                               orelse=self.outer.block(stmt.orelse, self.equal))
        return stmt

    def kernel(self, unit: FusionUnit, needed: set[str]) -> Stmt | None:
        """The statement that calls the kernel; None if nothing needs it."""
        lets = [let for g in unit.phases for let in g.lets]
        body: list[Let] = []
        seen: set[str] = set()

        def add_views(names):
            for name in names:
                if name in unit.views and name not in seen:
                    seen.add(name)
                    add_views(names_among(unit.views[name].args))
                    body.append(unit.views[name])

        for let in lets:
            add_views(names_among(let.args))
            body.append(let)
        results = tuple(let.name for let in lets if let.name in needed)
        if not results:
            return None
        made = {n for let in body for n in let.names}
        params = tuple(sorted({n for let in body for n in names_among(let.args)} - made))
        fun = Fun("kernel", params, Block(tuple(body), results), self.types)
        phases = tuple(tuple(let.name for let in g.lets) for g in unit.phases)
        return Let(results, FusedKernel(fun, unit.depth or 0, phases), params, (), lets[0].origin)
