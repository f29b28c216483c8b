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

from ..analyse.intervals import Intervals
from ..core import Atom, Block, Builder, Const, For, If, Let, Stmt, While, free_names, rename, walk
from ..errors import placed
from ..rules import OPS
from ..rules.collectives import Collective
from ..rules.kinds import add_all, bar_name, zeros_of
from .stores import join_stores
from .tape import mirror_branch, mirror_loop


# whose adjoints are stores into one array, which both sides would hand on
PLACED = (OPS["getitem"], OPS["rt.update"], OPS["rt.update_add"])
POLES = (OPS["divide"], OPS["power"])  # by 0, or of 0: infinite


class Adjoint:
    """`bars` maps a name to its cotangent so far; `active` are the names that have one."""

    def __init__(self, b: Builder, active: set[str], facts: Intervals):
        self.b, self.active, self.facts = b, active, facts
        self.bars: dict[str, Atom] = {}

    # cotangents ---------------------------------------------------------------------------------
    def contribute(self, atom: Atom, g: Atom | None) -> None:
        """Add g to the cotangent of an atom."""
        if g is None or atom not in self.active:
            return
        t, have = self.b.types[atom], self.bars.get(atom)
        if self.b.type(g).dims != t.dims:  # lengths that control flow hands on under several names
            g = self.b.emit(OPS["retype"], g, hint=bar_name(atom), dims=t.dims)
        self.bars[atom] = g if have is None or is_zero(have) else add_all(self.b, [have, g], t, bar_name(atom))

    def fresh_bar(self, name: str) -> str:
        return self.b.fresh(bar_name(name), self.b.types[name])

    def bar_or_zero(self, name: str) -> Atom:
        have = self.bars.get(name)
        return zeros_of(self.b, self.b.types[name], bar_name(name)) if have is None else have

    # statements ----------------------------------------------------------------------------------
    def sweep(self, block: Block) -> list[Stmt]:
        """Emit the mirror of a block.  Gives the statements of its forward sweep: the block's own, with tapes."""
        forward: list[list[Stmt]] = []
        outer = self.facts.sure_places
        self.facts.sure_places = outer | self.facts.places(block)
        for k, stmt in reversed([*enumerate(block.stmts)]):
            if isinstance(stmt, Let):
                forward.append([stmt])
                self.let(stmt)
                continue
            with self.b.at(stmt.origin and stmt.origin.mirrored()):
                forward.append(self.branch(stmt, block.stmts[:k]) if isinstance(stmt, If) else self.loop(stmt))
        self.facts.sure_places = outer
        return [stmt for part in reversed(forward) for stmt in part]

    def let(self, let: Let) -> None:
        cotangents = tuple(self.bars.pop(name, None) for name in let.names)
        wanted = [a in self.active if isinstance(a, str) else False for a in let.args]
        if all(g is None for g in cotangents) or not any(wanted):
            return
        with self.b.at(let.origin and let.origin.mirrored()):
            self.hand_on(let, cotangents, wanted)

    def hand_on(self, let: Let, cotangents: tuple[Atom | None, ...], wanted: list[bool]) -> None:
        """Cotangents of results to the arguments that want them."""
        for k, arg in enumerate(let.args):  # what can join an adjoint that is there, joins it
            have = self.bars.get(arg) if wanted[k] else None
            if have is not None and not is_zero(have):
                joined = self.joined(let, k, have, cotangents)
                if joined is not None:
                    self.bars[arg], wanted[k] = joined, False
        if any(wanted):
            found = placed(let.origin, let.op.vjp, self.b, let, cotangents, wanted)
            for arg, g in zip(let.args, found):
                self.contribute(arg, g)

    def joined(self, let: Let, k: int, have: Atom, cotangents: tuple[Atom | None, ...]) -> Atom | None:
        """`have` with the contribution of argument k, where that takes no sum; else None."""
        if let.op is OPS["getitem"] and isinstance(have, str):
            shared = {g for name, g in self.bars.items() if name != let.args[k] and isinstance(g, str)}
            if have not in shared and (one := join_stores(self.b, let, cotangents[0], have, shared)) is not None:
                return one
        return let.op.accumulate(self.b, let, k, have, cotangents)

    def branch(self, stmt: If, before: tuple[Stmt, ...]) -> list[Stmt]:
        """The mirror of a branch is a branch on the same test; its results are the adjoints that either side changed.

        before  what stands before it in its block
        """
        cotangents = [self.bars.pop(name, None) for name in stmt.names]
        if all(g is None for g in cotangents):
            return [stmt]
        outer, sides = self.bars, []
        for side in (stmt.then, stmt.orelse):
            with self.b.block() as mirror:
                self.bars = dict(outer)
                for atom, g in zip(side.results, cotangents):
                    self.contribute(atom, g)
                forward = self.sweep(side)
            sides.append((forward, mirror, self.bars))
        for (_, mirror, bars), (*_, others) in zip(sides, reversed(sides)):
            self.needed_here(before, mirror, bars, {**outer, **others})
        self.bars = outer
        changed = sorted({u for *_, bars in sides for u in bars if bars[u] != outer.get(u)})
        if not changed:
            return [stmt]
        mirrors = []
        for _, mirror, bars in sides:
            with self.b.block() as zeros:
                results = tuple(bars.get(u) or self.bar_or_zero(u) for u in changed)
            mirrors.append(Block((*mirror, *zeros), results))
        forward_branch, blocks = mirror_branch(self.b, self.facts, stmt, [forward for forward, *_ in sides], mirrors)
        for u in changed:
            self.bars[u] = self.fresh_bar(u)
        self.b.append(If(stmt.test, tuple(self.bars[u] for u in changed), *blocks, self.b.origin))
        return [forward_branch]

    def needed_here(self, before: tuple[Stmt, ...], mirror: list[Stmt], bars: dict[str, Atom], elsewhere) -> None:
        """Mirror what was computed before a branch and only this side of it uses, on this side: on the other its
        cotangent is 0, and its derivative may be infinite, as that of a square root that a test keeps from 0.  What
        examples tell each other stays where all come to it."""
        others: set[str] = set()  # what statements read that are mirrored after the branch
        fewest = len(bars.keys() - elsewhere.keys())  # adjoints that the other side hands on as zeros
        with self.b.block() as more:
            self.bars, needed = dict(bars), 0
            for stmt in reversed(before):
                if not (isinstance(stmt, Let) and stmt.op not in PLACED and not meets(stmt)
                        and all([n not in elsewhere and n not in others for n in stmt.names])):
                    others |= free_names(Block((stmt,)))
                    continue
                done = len(more)
                self.let(stmt)
                if any(map(meets, walk(Block(tuple(more[done:]))))):
                    break
                own = len(self.bars.keys() - elsewhere.keys())
                # the last such is as far as we go
                if own < fewest or any([not isinstance(s, Let) or s.op in POLES for s in more[done:]]):
                    bars.clear()
                    bars.update(self.bars)
                    needed, fewest = len(more), own
        mirror += more[:needed]

    def loop(self, stmt: For | While) -> list[Stmt]:
        carried = [(c, init, after) for c, init, after in zip(stmt.carried, stmt.inits, stmt.body.results)
                   if c in self.active]
        if not any(c in self.bars for c, *_ in carried):
            return [stmt]
        outer = self.bars
        own = {*stmt.carried, *([stmt.index] if isinstance(stmt, For) else [])}
        # their adjoints sum over the iterations
        shared = sorted(u for u in free_names(stmt.body) - own if u in self.active)
        inits = {c: self.bar_or_zero(c) for c, *_ in carried}
        lengths = sorted({n for c in inits for d in self.b.types[c].dims for n in d.names if n in stmt.carried})
        back = {n: self.b.fresh(n, self.b.types[n]) for n in lengths}  # lengths that change run backwards, too
        heads = {name: self.fresh_bar(name) for name in (*inits, *shared)}
        for c in inits if back else ():
            t = self.b.types[c]
            self.b.types[heads[c]] = t.substitute(back)
        with self.b.block() as mirror:
            self.bars = {u: heads[u] for u in shared}
            for c, _, after in carried:
                self.contribute(after, heads[c])
            forward = self.sweep(stmt.body)
            nexts = {name: self.bar_or_zero(name) for name in heads}
        self.bars = {name: g for name, g in outer.items() if name not in inits}
        moving = [name for name in heads if nexts[name] != heads[name]]  # the other adjoints stay what they are
        inits |= {u: self.bar_or_zero(u) for u in shared if u in moving}
        still = {heads[c]: init for c, init in inits.items() if c not in moving}
        if moving:
            body = rename(Block(tuple(mirror), (*lengths, *(nexts[name] for name in moving))), still)
            forward, reverse = mirror_loop(self.b, self.facts, stmt, forward, body,
                                           (*back.values(), *(heads[name] for name in moving)),
                                           (*lengths, *(inits[name] for name in moving)))
            self.b.append(reverse)
        else:
            forward = [stmt]
        self.bars |= {u: heads[u] for u in shared if u in moving}
        for c, init, _ in carried:
            self.contribute(init, heads[c] if c in moving else inits[c])
        return forward


def meets(stmt: Stmt) -> bool:
    """Do examples, or devices, tell each other something here?"""
    return isinstance(stmt, Let) and (stmt.op.effect or isinstance(stmt.op, Collective))


def is_zero(atom: Atom) -> bool:
    return isinstance(atom, Const) and not isinstance(atom.value, bool) and atom.value == 0
