"""What fusing works on: units that are emitted in one piece, and which of them must come before which."""
from __future__ import annotations

from dataclasses import dataclass, field

from ..analyse.spaces import ONE, aligned, base_space
from ..core import MADE, STORED, Block, For, If, Let, Stmt, blocks_of, bound, free_names, names_among, operands
from ..core.walking import kept_with_the_block
from ..rules.kinds import Reduction


@dataclass
class FusedGroup:
    """Statements over one iteration space."""

    space: tuple
    lets: list[Let] = field(default_factory=list)
    level: int | None = None  # loops outside of its row reductions

    @property
    def names(self) -> set[str]:
        return {n for let in self.lets for n in let.names}


@dataclass(eq=False)
class FusionUnit:
    """A statement, or the phases of a kernel."""

    position: int
    stmt: Stmt | None = None
    phases: list[FusedGroup] = field(default_factory=list)
    depth: int | None = None  # shared loops, once there are several phases
    reads: set[str] = field(default_factory=set)
    views: dict[str, Let] = field(default_factory=dict)  # that its statements read through
    before: set["FusionUnit"] = field(default_factory=set)  # units that must come first, besides those it reads

    @property
    def is_kernel(self) -> bool:
        return self.stmt is None

    @property
    def names(self) -> set[str]:
        return {n for g in self.phases for n in g.names} if self.is_kernel else set(bound(self.stmt))

    @property
    def size(self) -> int:
        return sum(len(g.lets) for g in self.phases)


class Circular(Exception):
    """Units depend on each other in a circle: a defect of fusing."""


class Units:
    """The units of a block and their order."""

    def __init__(self):
        self.all: list[FusionUnit] = []
        self.owner: dict[str, FusionUnit] = {}  # who computes a name
        self.readers: dict[str, set[FusionUnit]] = {}

    def add(self, unit: FusionUnit) -> FusionUnit:
        self.all.append(unit)
        self.note(unit)
        return unit

    def note(self, unit: FusionUnit) -> None:
        """Bring the tables up to date after a change of a unit."""
        for name in unit.names:
            self.owner[name] = unit
        for name in unit.reads:
            self.readers.setdefault(name, set()).add(unit)

    def direct(self, unit: FusionUnit) -> set[FusionUnit]:
        """The units that must come directly before."""
        return ({self.owner[n] for n in unit.reads if n in self.owner} | unit.before) - {unit}

    def reaches(self, starts, goal: FusionUnit) -> bool:
        """Does one of the units depend on the goal?"""
        seen, todo = set(), list(starts)
        while todo:
            unit = todo.pop()
            if unit is goal:
                return True
            if unit not in seen:
                seen.add(unit)
                todo += self.direct(unit)
        return False

    def replace(self, old: FusionUnit, new: FusionUnit) -> None:
        """Put one unit in the place of another, which has become part of it."""
        new.before |= old.before
        for unit in self.all:
            if old in unit.before:
                unit.before.remove(old)
                unit.before.add(new)
        new.before -= {old, new}
        self.all.remove(old)
        for found in self.readers.values():
            if old in found:
                found.remove(old)
                found.add(new)
        self.note(new)

    def sorted(self) -> list[FusionUnit]:
        """Dependences first; else in the order of the program."""
        order: list[FusionUnit] = []
        open_ones: set[FusionUnit] = set()

        def visit(unit: FusionUnit) -> None:
            if unit in done:
                return
            if unit in open_ones:
                raise Circular(f"after {', '.join(sorted(unit.names))}")
            open_ones.add(unit)
            for other in sorted(self.direct(unit), key=lambda u: u.position):
                visit(other)
            done.add(unit)
            order.append(unit)

        done: set[FusionUnit] = set()
        for unit in sorted(self.all, key=lambda u: u.position):
            visit(unit)
        return order


class Views:
    """Views that are read through, and what is read that way."""

    def __init__(self, types):
        self.types = types
        self.lets: dict[str, Let] = {}

    def sources(self, name: str) -> set[str]:
        """What a name is computed from, views seen through: arrays and the atoms of indices."""
        view = self.lets.get(name)
        return {name} if view is None else {s for a in names_among(view.args) for s in self.sources(a)}

    def used(self, names, found: dict[str, Let] | None = None) -> dict[str, Let]:
        """The views among these names and below them."""
        found = {} if found is None else found
        for name in names:
            if name in self.lets and name not in found:
                found[name] = self.lets[name]
                self.used(names_among(self.lets[name].args), found)
        return found

    def reads(self, let: Let, space: tuple) -> list[tuple[str, tuple]]:
        """[(name that is no view, the loops over its axes)] of a statement over a space."""
        out: list = []
        for a in names_among(let.args):
            t = self.types[a]
            self.trace(a, aligned(t, len(space)) if t.kind == "array" else (), out)
        return out

    def trace(self, name: str, places: tuple, out: list) -> None:
        view = self.lets.get(name)
        if view is None:
            out.append((name, places))
            return
        if view.op.elements is MADE:
            out.extend((a, ()) for a in names_among(view.args))
            return
        base, *rest = view.args
        if isinstance(base, str):
            self.trace(base, base_space(view, self.types[base], self.types[name], places), out)
        for a in names_among(rest):
            self.trace(a, (None,) * self.types[a].rank, out)


# facts about statements --------------------------------------------------------------------------
def read_in_place(places: tuple, rank: int) -> bool:
    """Read exactly where the loops are?"""
    return len(places) == rank and all(p == ONE or p == k for k, p in enumerate(places))


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
    return bool(stmt.op.effect) if isinstance(stmt, Let) else any(map(has_effect_inside, blocks_of(stmt)))


@kept_with_the_block
def has_effect_inside(block: Block) -> bool:
    return any(map(has_effect, block.stmts))


def touches_arrays(stmt: Stmt, types) -> bool:
    return any(types[n].kind == "array" for n in names_among(operands(stmt))) or bool(blocks_of(stmt))


def needs(stmt: Stmt) -> set[str]:
    """The names that a statement and its blocks read."""
    own = () if isinstance(stmt, (Let, If)) else (*stmt.carried, *([stmt.index] if isinstance(stmt, For) else []))
    return set(names_among(operands(stmt))).union(*(free_names(b) for b in blocks_of(stmt))) - set(own)


def stored_names(stmt: Stmt) -> set[str]:
    """The names whose memory `inplace` may make this statement store into."""
    match stmt:
        case Let():
            return set(names_among(stmt.args[:1])) if stmt.op.memory is STORED else set()
        case If():
            return free_names(stmt.then) | free_names(stmt.orelse)
    return set(names_among(stmt.inits))
