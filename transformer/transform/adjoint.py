"""The mirror of a program: each statement, last to first, hands the cotangents of its results to its arguments.

    y = np.sin(x)                     y_bar = z_bar * x
    z = y * x                         x_bar = z_bar * y
                                      x_bar__1 = x_bar + y_bar * np.cos(x)

An adjoint is born with its first contribution; a name without one has the cotangent zero.  The mirror of a
loop is a loop that runs backwards and carries the adjoints of what the loop carries, and of what its body
reads from outside:

    c = c0                            c_bar, x_bar = ..., 0.0
    for i in range(n):                for i__1 in range(n - 1, -1, -1):
        c = c * x[i]                      c_bar, x_bar = c_bar * x[i__1], ...

Statements of the mirror name primal values freely; `tape` then sees to it that they have them.
"""
from __future__ import annotations

import functools
from dataclasses import replace
from heapq import heappop, heappush
from typing import Callable, Iterator

from ..analyse.intervals import Intervals
from ..core import Atom, Block, Builder, Const, For, If, Let, Stmt, While, bound, free_names, walk
from ..errors.messages import placed
from ..rules import OPS
from ..rules.collectives import Collective
from ..rules.kinds import bar_name, zeros_of
from .choices import Choices
from .chosen import BOOL, Chosen, Cotangent, settled
from .loop_mirror import LoopMirror
from .stores import join_stores
from .tape import mirror_branch
from .views import is_part, of_base

# whose adjoints are stores into one array, which both sides would hand on
PLACED = (OPS["getitem"], OPS["rt.update"], OPS["rt.update_add"])
POLES = (OPS["divide"], OPS["power"])  # by 0, or of 0: infinite


class Adjoint:
    """`bars` maps a name to its cotangent so far; `active` are the names that have one."""

    def __init__(self, b: Builder, active: set[str], facts: Intervals, choices: Choices):
        self.b, self.active, self.facts, self.choices = b, active, facts, choices
        self.bars: dict[str, Cotangent] = {}
        self.headers: dict[str, str] = {}  # the cotangents that the loop around carries

    # cotangents ---------------------------------------------------------------------------------
    def contribute(self, atom: Atom, g: Cotangent | None) -> None:
        """Add g to the cotangent of an atom."""
        if g is None or atom not in self.active:
            return
        if self.choices.goes_on(atom, g, self.headers):
            let = self.choices.lets[atom]
            return self.hand_on(let, (g,), [a in self.active for a in let.args])
        t, have, hint = self.b.types[atom], self.bars.get(atom), bar_name(atom)
        value = g.value if isinstance(g, Chosen) else g
        if self.b.type(value).dims != t.dims:  # lengths that control flow hands on under several names
            g = self.b.emit(OPS["retype"], settled(self.b, g, self.b.type(value), hint), hint=hint, dims=t.dims)
        self.bars[atom] = g if have is None or is_zero_atom(have) else self.choices.total(atom, have, g)

    def fresh_bar(self, name: str) -> str:
        return self.b.fresh(bar_name(name), self.b.types[name])

    def bar_or_zero(self, name: str) -> Atom:
        have, t = self.bars.get(name), self.b.types[name]
        return zeros_of(self.b, t, bar_name(name)) if have is None else settled(self.b, have, t, bar_name(name))

    # statements ----------------------------------------------------------------------------------
    def sweep(self, block: Block) -> list[Stmt]:
        """Emit the mirror of a block.  Gives the statements of its forward sweep: the block's own, with tapes."""
        forward: list[list[Stmt]] = []
        outer = self.facts.sure_places
        self.facts.sure_places = outer | self.facts.places(block)
        before = Before(block.stmts)
        for k, stmt in reversed([*enumerate(block.stmts)]):
            if isinstance(stmt, Let):
                forward.append([stmt])
                self.let(stmt)
                continue
            if k in before.mirrored:
                forward.append(before.mirrored[k])
                continue
            with self.b.at(stmt.origin and stmt.origin.mirrored()):
                before.end = k
                forward.append(self.branch(stmt, before) if isinstance(stmt, If) else self.loop(stmt))
        self.facts.sure_places = outer
        return [stmt for part in reversed(forward) for stmt in part]

    def let(self, let: Let) -> None:
        cotangents = tuple(self.bars.pop(name, None) for name in let.names)
        let = self.choices.smooth(let)
        wanted = [a in self.active if isinstance(a, str) else False for a in let.args]
        if all(g is None for g in cotangents) or not any(wanted):
            return
        with self.b.at(let.origin and let.origin.mirrored()):
            self.hand_on(let, cotangents, wanted)

    def hand_on(self, let: Let, cotangents: tuple[Cotangent | None, ...], wanted: list[bool]) -> None:
        """Cotangents of results to the arguments that want them."""
        if (part := self.of_base(let)) is not let:
            let, wanted = part, [True, *[False] * (len(part.args) - 1)]
        here = self.choices.computed_here(let)
        if here is not None:
            self.hand_on(here, cotangents, [a in self.active for a in here.args])
            for part, whole in zip(here.args, self.choices.lets[let.args[0]].args):
                if part != whole and part in self.bars:
                    read = replace(let, names=(part,), args=(whole, *let.args[1:]))
                    self.hand_on(read, (self.bars.pop(part),), [True, *[False] * (len(let.args) - 1)])
            return
        have = self.bars.get(let.args[0])
        reads = let.op is OPS["getitem"]
        if (not reads or have is None or isinstance(have, Chosen)) and self.choices.wait(let, cotangents[0], wanted):
            if reads:
                self.bars[let.args[0]] = placed(let.origin, self.choices.read, let, cotangents[0], have)
                return
            found = placed(let.origin, self.choices.back, let, cotangents[0], wanted)
            for arg, g in zip(let.args, found):
                self.contribute(arg, g)
            return
        cotangents = tuple([settled(self.b, g, self.b.types[n], bar_name(n)) for n, g in zip(let.names, cotangents)])
        for k, arg in enumerate(let.args):  # what can join an adjoint that is there, joins it
            have = self.bars.get(arg) if wanted[k] else None
            if have is not None and not isinstance(have, Chosen) and not is_zero_atom(have):
                joined = self.joined(let, k, have, cotangents)
                if joined is not None:
                    self.bars[arg], wanted[k] = joined, False
        if any(wanted):
            found = placed(let.origin, let.op.vjp, self.b, let, cotangents, wanted)
            for arg, g in zip(let.args, found):
                self.contribute(arg, g)

    def of_base(self, let: Let) -> Let:
        """A part of a view as a part of what that is a view of, as far as cotangents can be given to it here."""
        while let.op is OPS["getitem"] and is_part(view := self.choices.lets.get(let.args[0])):
            further = of_base(self.b, self.facts, let, view) if self.choices.reaches(view.args[:1]) else None
            if further is None:
                break
            let = further
        return let

    def joined(self, let: Let, k: int, have: Atom, cotangents: tuple[Atom | None, ...]) -> Atom | None:
        """`have` with the contribution of argument k, where that takes no sum; else None."""
        if let.op is OPS["getitem"] and isinstance(have, str):
            others = [g.value if isinstance(g, Chosen) else g for name, g in self.bars.items() if name != let.args[k]]
            shared = {g for g in others if isinstance(g, str)}
            if have not in shared and (one := join_stores(self.b, let, cotangents[0], have, shared)) is not None:
                return one
        return let.op.accumulate(self.b, let, k, have, cotangents)

    def branch(self, stmt: If, before: Before) -> list[Stmt]:
        """The mirror of a branch is a branch on the same test; its results are the adjoints that either side changed.

        before  what stands before it in its block
        """
        cotangents = [self.bars.pop(name, None) for name in stmt.names]
        if all(g is None for g in cotangents):
            return [stmt]
        outer = self.bars
        sides = [self.side(side, cotangents, outer) for side in (stmt.then, stmt.orelse)]
        for (_, mirror, bars), (*_, others) in zip(sides, reversed(sides)):
            self.needed_here(before, mirror, bars, {**outer, **others})
        changed = sorted({u for *_, bars in sides for u in bars if bars[u] != outer.get(u)})
        if not changed:
            self.bars = outer
            return [stmt]
        waiting = self.choices.waiting(changed, [bars for *_, bars in sides])
        mirrors = [self.side_results(mirror, bars, changed, waiting) for _, mirror, bars in sides]
        self.bars = outer
        forward_branch, blocks = mirror_branch(self.b, self.facts, stmt, [forward for forward, *_ in sides], mirrors)
        fresh = {u: self.fresh_bar(u) for u in changed}
        masks = {u: self.b.fresh("mask", replace(self.b.types[u], dtype=BOOL)) for u in waiting}
        self.b.append(If(stmt.test, (*fresh.values(), *masks.values()), *blocks, self.b.origin))
        for u, g in fresh.items():
            given = [u in bars for *_, bars in sides]
            self.bars[u] = (Chosen(g, masks[u], waiting[u]) if u in waiting else g if all(given)
                            else self.choices.of_side(u, g, stmt.test, given[0]))
        return [forward_branch]

    def side(self, side: Block, cotangents: list[Cotangent | None], outer: dict) -> tuple:
        """(its forward sweep, its mirror, the adjoints at the end of that) of a side of a branch."""
        with self.b.block() as mirror:
            self.bars = dict(outer)
            for atom, g in zip(side.results, cotangents):
                self.contribute(atom, g)
            forward = self.sweep(side)
        return forward, mirror, self.bars

    def side_results(self, mirror: list[Stmt], bars: dict[str, Cotangent], changed: list[str], waiting) -> Block:
        """The mirror of a side with the adjoints that either side changes, and the masks of those that wait."""
        with self.b.block() as made:
            self.bars = {u: g.value if u in waiting and g is not None else g for u, g in bars.items()}
            results = [self.bar_or_zero(u) for u in changed]
            results += [self.choices.mask_of(u, bars.get(u)) for u in waiting]
        return Block((*mirror, *made), tuple(results))

    def needed_here(self, before: Before, mirror: list[Stmt], bars: dict[str, Atom], elsewhere) -> None:
        """Mirror what was computed before a branch and only this side of it uses, on this side: on the other its
        cotangent is 0, and its derivative may be infinite, as that of a square root that a test keeps from 0.  What
        examples tell each other stays where all come to it."""
        own = bars.keys() - elsewhere.keys()
        fewest = len(own)  # adjoints that the other side hands on as zeros
        only_here = before.used_only_here(elsewhere)
        todo = LastFirst(before.makers(own, before.end))
        with self.b.block() as more:
            self.bars, needed, loops = dict(bars), 0, {}
            for at in filter(only_here, todo):
                done, stmt = len(more), before.stmts[at]
                if isinstance(stmt, Let):
                    self.let(stmt)
                else:
                    with self.b.at(stmt.origin and stmt.origin.mirrored()):
                        loops[at] = self.loop(stmt)
                if any(map(meets, walk(Block(tuple(more[done:]))))):
                    break
                reached = {a for a in free_names(Block((stmt,))) if a in self.bars and a not in elsewhere}
                own -= {*bound(stmt)}
                todo.add(before.makers(reached - own, at))
                own |= reached
                # the last such is as far as we go
                if len(own) < fewest or any([not isinstance(s, Let) or s.op in POLES for s in more[done:]]):
                    bars.clear()
                    bars.update(self.bars)
                    before.mirrored |= loops
                    needed, fewest = len(more), len(own)
        mirror += more[:needed]

    def loop(self, stmt: For | While) -> list[Stmt]:
        carried = [(c, init, after) for c, init, after in zip(stmt.carried, stmt.inits, stmt.body.results)
                   if c in self.active]
        if not any(c in self.bars for c, *_ in carried):
            return [stmt]
        return LoopMirror(self, stmt, carried).mirrored()


class LastFirst:
    """Places of statements, the last one first and each once, while more are found that stand before it."""

    def __init__(self, places: list[int]):
        self.places: set[int] = set()
        self.heap: list[int] = []
        self.add(places)

    def add(self, places: list[int]) -> None:
        for k in {*places} - self.places:
            self.places.add(k)
            heappush(self.heap, -k)

    def __iter__(self) -> Iterator[int]:
        while self.heap:
            yield -heappop(self.heap)


class Before:
    """What stands before a branch in its block: the first `end` of its statements."""

    def __init__(self, stmts: tuple[Stmt, ...]):
        self.stmts, self.end = stmts, len(stmts)
        self.mirrored: dict[int, list[Stmt]] = {}  # the forward sweeps of loops whose mirrors stand in a branch

    @functools.cached_property
    def maker(self) -> dict[str, int]:
        """{name: where the statement stands that binds it}"""
        return {name: k for k, stmt in enumerate(self.stmts) for name in bound(stmt)}

    @functools.cached_property
    def readers(self) -> dict[str, list[int]]:
        """{name: where the statements stand that read it}"""
        found: dict[str, list[int]] = {}
        for k, stmt in enumerate(self.stmts):
            for name in free_names(Block((stmt,))):
                found.setdefault(name, []).append(k)
        return found

    def makers(self, names, end: int) -> list[int]:
        """Where the statements stand that bind these names, of those before this one."""
        return [k for n in names if (k := self.maker.get(n, end)) < end]

    def used_only_here(self, elsewhere) -> Callable[[int], bool]:
        """at -> may the mirror of the statement there stand on this side of the branch?  Not where something that
        stays outside reads its names, or names that have a cotangent `elsewhere`."""
        known: dict[int, bool] = {}

        def only_here(at: int) -> bool:
            todo = [at]
            while todo:
                k = todo[-1]
                stmt = self.stmts[k]
                if k not in known:
                    known[k] = may_stand_on_a_side(stmt) and all([n not in elsewhere for n in bound(stmt)])
                    if known[k]:
                        todo += [r for n in bound(stmt) for r in self.readers.get(n, ()) if r < self.end]
                        continue
                todo.pop()
                if known[k]:
                    known[k] = all([known[r] for n in bound(stmt) for r in self.readers.get(n, ()) if r < self.end])
            return known[at]

        return only_here


def may_stand_on_a_side(stmt: Stmt) -> bool:
    """May a branch have the mirror of this statement before it on one of its sides?"""
    return (isinstance(stmt, For) or isinstance(stmt, Let) and stmt.op not in PLACED) and not any(
        map(meets, walk(Block((stmt,)))))


def meets(stmt: Stmt) -> bool:
    """Do examples, or devices, tell each other something here?"""
    return isinstance(stmt, Let) and (stmt.op.effect or isinstance(stmt.op, Collective))


def is_zero_atom(atom: Atom) -> bool:
    return isinstance(atom, Const) and not isinstance(atom.value, bool) and atom.value == 0
