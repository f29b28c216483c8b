"""Kernels made better after groups are known: values move to where they are used, groups become phases.

    h = np.tanh(z)            # one loop               h = np.tanh(z)        # one loop
    d = 1 - h * h                                      W_bar = ...
    W_bar = ...                                        d = 1 - h * h         # another one, which d never leaves
    z_bar = d * h_bar         # another one            z_bar = d * h_bar
"""
from __future__ import annotations

from ..core import Let
from ..rules.kinds import Reduction
from .units import FusedGroup, FusionUnit, Units, Views, loops_of_axes, read_in_place

LIMIT = 120  # statements in a kernel


class Phases:
    """The second step of fusing a block; `group_of` says in which group each value is computed."""

    def __init__(self, units: Units, views: Views, group_of: dict[str, tuple[FusedGroup, Let]], plain: set[str]):
        self.units, self.views, self.group_of, self.plain = units, views, group_of, plain

    def run(self) -> None:
        for unit in list(self.units.all):
            if unit.is_kernel:
                self.sink(unit)
        for unit in list(self.units.all):
            if unit.is_kernel and unit in self.units.all:
                self.merge(unit)

    # values move to their only user -----------------------------------------------------------------
    def sink(self, unit: FusionUnit) -> None:
        (group,) = unit.phases
        for let in reversed(list(group.lets)):
            if let in group.lets and let.name not in self.plain and not isinstance(let.op, Reduction):
                user = self.only_user(unit, group, let)
                moved = self.movable(unit, group, let) if user else None
                if moved and len(moved) < len(group.lets):
                    self.move(unit, user, moved)

    def only_user(self, unit: FusionUnit, group: FusedGroup, let: Let) -> FusionUnit | None:
        """The one other kernel over the same space that reads a value, at the index of its loops."""
        users = self.units.readers.get(let.name, set()) - {unit}
        if len(users) != 1 or self.read_in(group, let.name):
            return None
        (user,) = users
        if not user.is_kernel or user.phases[0].space != group.space or let.name not in user.reads:
            return None
        reads = [p for other in user.phases[0].lets for n, p in self.views.reads(other, group.space) if n == let.name]
        return user if reads and all(read_in_place(p, len(group.space)) for p in reads) else None

    def read_in(self, group: FusedGroup, name: str, but: set[str] = frozenset()) -> bool:
        return any(n == name for let in group.lets if let.name not in but
                   for n, _ in self.views.reads(let, group.space))

    def movable(self, unit: FusionUnit, group: FusedGroup, let: Let) -> list[Let] | None:
        """The statements to move with a value, so that what they read has left the kernel anyway."""
        moved, todo, arrays = {let.name}, [let], set()
        while todo:
            for name, places in self.views.reads(todo.pop(), group.space):
                if name in moved:
                    continue
                inside = name in group.names
                outside = name in self.plain or bool(self.units.readers.get(name, set()) - {unit})
                if inside and not outside:
                    if self.read_in(group, name, but=moved) or isinstance(self.group_of[name][1].op, Reduction):
                        return None
                    moved.add(name)
                    todo.append(self.group_of[name][1])
                elif len(places) == len(group.space):
                    arrays.add(name)
        return [x for x in group.lets if x.name in moved] if len(arrays) <= 1 else None

    def move(self, unit: FusionUnit, user: FusionUnit, moved: list[Let]) -> None:
        (source,), (target,) = unit.phases, user.phases
        source.lets = [x for x in source.lets if x not in moved]
        target.lets = moved + target.lets
        user.views = {n: v for n, v in unit.views.items()} | user.views
        for let in moved:
            self.group_of[let.name] = (target, let)
            user.reads |= {n for n, _ in self.views.reads(let, target.space)}
        user.reads -= target.names
        self.units.note(user)

    # groups become phases ---------------------------------------------------------------------------
    def merge(self, unit: FusionUnit) -> None:
        """Make a kernel the later phases of one before it, again and again."""
        at = self.units.all.index(unit)
        for earlier in reversed(self.units.all[:at]):
            depth = self.common_depth(earlier, unit) if earlier.is_kernel else None
            if depth:
                earlier.phases += unit.phases
                earlier.views = unit.views | earlier.views
                earlier.depth = depth
                earlier.reads = (earlier.reads | unit.reads) - earlier.names
                self.units.replace(unit, earlier)
                return self.merge(earlier)

    def common_depth(self, earlier: FusionUnit, unit: FusionUnit) -> int | None:
        """How many loops the two can share; None for none."""
        shared = unit.reads & earlier.names
        if earlier.size + unit.size > LIMIT or not any(self.is_row_value(n, earlier) for n in shared):
            return None
        groups = (*earlier.phases, *unit.phases)
        limit = min(len(g.space) for g in groups)
        for depth in {earlier.depth, unit.depth} - {None} or range(limit, 0, -1):
            if depth <= limit and {earlier.depth, unit.depth} <= {depth, None} and self.share(earlier, unit, depth):
                break
        else:
            return None
        return None if self.units.reaches(self.units.direct(unit) - {earlier}, earlier) else depth

    def is_row_value(self, name: str, unit: FusionUnit) -> bool:
        """A reduction of rows, or what is computed from one, row by row?"""
        return isinstance(self.group_of[name][1].op, Reduction) or len(unit.phases) > 1

    def share(self, earlier: FusionUnit, unit: FusionUnit, depth: int) -> bool:
        """May all phases run row by row together?"""
        groups = (*earlier.phases, *unit.phases)
        lead = groups[0].space[:depth]
        if all(d.is_one for d in lead) or any(g.space[:depth] != lead for g in groups):
            return False
        if (any(g.level is not None and g.level < depth for g in groups)
                or all(d.is_one for g in groups for d in g.space[depth:])):
            return False
        return all(self.same_row(name, places, depth, lead) for group in unit.phases for let in group.lets
                   for name, places in self.views.reads(let, group.space) if name in earlier.names)

    def same_row(self, name: str, places: tuple, depth: int, lead) -> bool:
        """Is a value of an earlier phase read in the row in which it is computed?"""
        group, let = self.group_of[name]
        loops = loops_of_axes(let, len(group.space))
        return all(lead[k].is_one or k in loops and places[loops.index(k)] == k for k in range(depth))

