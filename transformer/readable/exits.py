"""From core (after `inplace`) to the tree, with tests, breaks and returns back where the user had them.

    going, s__1, stop__1 = 0 < n, 0.0, False        s__1 = 0.0
    while going:                                    for k in range(n):
        v = xs[k]                                       v = xs[k]
        t = v > 9.0                                     t = v > 9.0
        if t:                                           if t:
            s__3, stop__2 = s__1, True                      break
        else:                                           s__2 = s__1 + v
            s__2 = s__1 + v                             s__1 = s__2
            s__3, stop__2 = s__2, stop__1
        k__1 = k + 1
        ...
        going, s__1, stop__1, k = ..., s__3, stop__2, k__1

Three steps, each only if it is certain; else the flag stays, which is right too:

1. the test at the end of the body is the test before the loop with the next values put in: it becomes the loop's test;
2. a conjunct `not stop` of the test, where branches of the body set `stop`: they break, and behind them stop is False;
3. a test `k < n` with `k = k + 1` at the end: a `for`.
"""
from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace

from .. import core
from ..core import Atom, Const
from .code_tree import Assign, Break, Call, CodeTree, Effect, Expr, For, If, Return, Stmt, Store, While, copies
from .conditions import Test, Unclear, conjoin, conjunction, negated_among
from .hints import hint_of, is_temporary, stem
from .ways_out import WayOut, left, reads_in


def to_tree(fun: core.Fun, risky: frozenset[str] = frozenset()) -> CodeTree:
    """The tree of a function after `inplace`; `risky` as in `CodeTree`."""
    maker = Maker(fun)
    body = maker.block(fun.body.stmts)
    tree = CodeTree(fun.name, fun.params, body + [Return(maker.atoms(fun.body.results), fun.origin)], fun.types,
                maker.hints, maker.words,
                {n: s.origin for s in maker.stmts if type(s) is core.Let for n in s.names},
                risky - maker.tested)
    push_returns(tree)
    return tree


@dataclass
class LoopWithExits:
    """A loop with exits under construction."""

    stmt: core.While
    flags: set[str]  # names that hold a flag of the loop; known to be False wherever it goes on
    stops: set[str]  # the carried names among them that end the loop
    wanted: tuple[str, ...] = ()  # carried names that are read behind the loop


@dataclass
class OpenBlock:
    """A block on the way to where we are: its statements, of which we are at one, and how its results are bound."""

    stmts: tuple[core.Stmt, ...] = ()
    at: int = 0
    results: tuple[Atom, ...] = ()
    names: tuple[str, ...] = ()
    leaves: LoopWithExits | None = None  # the loop whose body this is, if it can be left
    repeats: bool = False  # the body of a loop that cannot

    @property
    def done(self) -> tuple[core.Stmt, ...]:
        return self.stmts[:self.at]

    @property
    def rest(self) -> tuple[core.Stmt, ...]:
        return self.stmts[self.at + 1:]


@dataclass
class Maker:
    fun: core.Fun
    frames: list[OpenBlock] = field(default_factory=list)
    known: dict[str, bool] = field(default_factory=dict)  # names of bools with a value known here
    same: dict[str, Atom] = field(default_factory=dict)  # names that are another name
    hints: dict[str, str] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)
    loops: list[LoopWithExits] = field(default_factory=list)
    tested: set[str] = field(default_factory=set)  # names of what the test at a loop's header computes now

    def __post_init__(self):
        self.stmts = list(core.walk(self.fun.body))
        self.defs = {name: s for s in self.stmts if not isinstance(s, core.Store) for name in core.bound(s)}
        self.reads = reads_in(self.fun.body)
        self.bound = Counter([n for s in self.stmts for n in core.bound(s)]
                             + [s.index for s in self.stmts if isinstance(s, core.For)])

    # blocks --------------------------------------------------------------------------------------
    def block(self, stmts: tuple[core.Stmt, ...], frame: OpenBlock | None = None) -> list[Stmt]:
        out: list[Stmt] = []
        frame = frame or OpenBlock()
        frame.stmts = stmts
        self.frames.append(frame)
        for k, stmt in enumerate(stmts):
            frame.at = k
            out += self.let(stmt) if type(stmt) is core.Let else self.statement(stmt)
            if left(out):
                break
        self.frames.pop()
        return out

    def atom(self, atom: Atom) -> Atom:
        """The atom, or what is known to be its value here."""
        while type(atom) is str and atom in self.same:
            atom = self.same[atom]
        return Const(self.known[atom]) if type(atom) is str and atom in self.known else atom

    def atoms(self, atoms) -> tuple[Atom, ...]:
        return tuple([self.atom(a) if type(a) is str else a for a in atoms])

    def statement(self, stmt: core.Stmt) -> list[Stmt]:
        match stmt:
            case core.For():
                inits, bounds = (copies(stmt.carried, self.atoms(stmt.inits), stmt.origin),
                                 self.atoms((stmt.start, stmt.stop, stmt.step)))
                body = self.block(stmt.body.stmts, OpenBlock(repeats=True))
                return [*inits, For(stmt.index, bounds,
                                    body + copies(stmt.carried, self.atoms(stmt.body.results), None), stmt.origin)]
            case core.While():
                return self.while_(replace(stmt, inits=self.atoms(stmt.inits)))
            case core.If():
                return self.branch(replace(stmt, test=self.atom(stmt.test)))
            case core.Store():
                target, value = self.atom(stmt.target), self.atom(stmt.value)
                return [Store(target, stmt.index, self.atoms(stmt.atoms), value, stmt.add, stmt.origin,
                              stmt.distinct)]
        raise TypeError(stmt)

    def let(self, stmt: core.Let) -> list[Stmt]:
        op, args = stmt.op, self.atoms(stmt.op.read_by_people(stmt.args))
        if op.name == "not " and isinstance(args[0], Const):
            self.known[stmt.name] = not args[0].value
            return []
        if op.renames and self.bound[stmt.name] == 1:
            self.same[stmt.name] = args[0]
            if is_temporary(args[0]) and not is_temporary(stmt.name) and not self.is_forward(args[0], stmt.name):
                self.hints[args[0]] = hint_of(stmt.name)
            return []
        call = Call(stmt.names[0] if stmt.names else "", op, args, stmt.params)
        if not stmt.names or (op.name == "getitem" and not self.reads[stmt.name]
                              and not {"i", "a"}.isdisjoint(call.param("index"))):
            return [Effect(call, stmt.origin)]  # an element that nobody reads is there to raise
        return [Assign(stmt.names, (call,), stmt.origin)]

    def is_forward(self, name: str, other: str) -> bool:
        """Is it a value of the user's function, which another name calls an adjoint?"""
        origin = getattr(self.defs.get(name), "origin", None)
        return stem(hint_of(other)) != hint_of(other) and not getattr(origin, "adjoint", True)

    @property
    def flags(self) -> set[str]:
        """The names that hold flags of the loops around here."""
        return {n for loop in self.loops for n in loop.flags}

    def branch(self, stmt: core.If) -> list[Stmt]:
        if isinstance(stmt.test, Const):
            return self.taken(stmt, stmt.then if stmt.test.value else stmt.orelse)
        flags = self.flags
        held = [n for n in stmt.names if n in flags]
        sides = []
        for side in (stmt.then, stmt.orelse):
            before = dict(self.known)
            sides.append(self.side(stmt, side, held))
            self.known = before
        self.known |= dict.fromkeys(held, False)
        return [If(stmt.test, *sides, stmt.origin)]

    def taken(self, stmt: core.If, side: core.Block) -> list[Stmt]:
        """The side of a branch that is surely taken."""
        inner = self.block(side.stmts, OpenBlock(results=side.results, names=stmt.names))
        pairs = list(zip(stmt.names, self.atoms(side.results)))
        self.same |= {n: r for n, r in pairs if n != r and self.bound[n] == 1}
        again = [(n, r) for n, r in pairs if self.bound[n] > 1]
        return inner + copies([n for n, _ in again], [r for _, r in again], stmt.origin)

    def side(self, stmt: core.If, side: core.Block, held: list[str]) -> list[Stmt]:
        """A side of a branch: it hands its results on, or leaves a loop where it sets one of the flags `held`."""
        body = self.block(side.stmts, OpenBlock(results=side.results, names=stmt.names))
        if left(body):
            return body
        results = dict(zip(stmt.names, self.atoms(side.results)))
        if not all(isinstance(results[n], Const) for n in held):
            raise Unclear
        flags = {n for n in held if results[n] == Const(True)}
        if flags:
            return body + self.leave(stmt, side, flags)
        kept = [n for n in stmt.names if n not in held]
        return body + copies(kept, [results[n] for n in kept], None)

    # leaving a loop ---------------------------------------------------------------------------------
    def leave(self, stmt: core.If, side: core.Block, flags: set[str]) -> list[Stmt]:
        """What a branch does that sets flags: hand on what is read behind the loop and break, or return."""
        loop, path = self.loops[-1], WayOut(self, dict(zip(stmt.names, side.results)))
        returns = bool(flags - self.chains(loop.stops, loop.stmt))
        for frame in reversed(self.frames):
            path.follow(frame.rest)
            if frame.leaves is loop and not returns:
                nexts = dict(zip(loop.stmt.carried, loop.stmt.body.results))
                if not any(path.seen(nexts[s]) == Const(True) for s in loop.stops):
                    raise Unclear
                values = [path.value(nexts[c]) for c in loop.wanted]
                return [*path.needed, *copies(loop.wanted, values, None), Break(stmt.origin)]
            path.leave(frame)
        values = tuple(map(path.value, self.fun.body.results))
        return [*path.needed, Return(values, stmt.origin)]

    # loops --------------------------------------------------------------------------------------
    def while_(self, stmt: core.While) -> list[Stmt]:
        try:
            test = Test(self, stmt).expression()
        except Unclear:
            return self.plain(stmt, stmt.test)
        conjuncts = conjunction(test)
        flags = [c for c, init in zip(stmt.carried, stmt.inits) if init == Const(False) and self.chain(c, stmt)]
        stops = negated_among(conjuncts, flags)
        others = [c for c in conjuncts if c not in stops.values()]
        ours = {f for f in flags if f.startswith(("_gs_", "has__gs_"))}
        for also in ([ours - set(stops), set()] if stops else []):
            before = dict(self.known), dict(self.same), dict(self.hints), list(self.loops), list(self.frames)
            try:
                return self.exiting(stmt, others, set(stops), also)
            except Unclear:
                self.known, self.same, self.hints, self.loops, self.frames = before
        return self.plain(stmt, test)

    def plain(self, stmt: core.While, test: Expr) -> list[Stmt]:
        """A loop that ends by its test."""
        self.hands_on(stmt, set())
        kept = [k for k, c in enumerate(stmt.carried) if test == stmt.test or c != stmt.test]
        carried, inits, nexts = (tuple(xs[k] for k in kept) for xs in (stmt.carried, stmt.inits, stmt.body.results))
        body = self.block(stmt.body.stmts, OpenBlock(repeats=True))
        return [*copies(carried, inits, stmt.origin),
                While(test, body + copies(carried, self.atoms(nexts), None), stmt.origin)]

    def hands_on(self, stmt: core.While, flags: set[str]) -> None:
        """A loop inside may carry a flag of a loop around it only if it returns wherever it sets it."""
        if self.flags & set(stmt.carried) - flags:
            raise Unclear

    def chains(self, flags: set[str], stmt: core.While) -> set[str]:
        """The names that hold one of these flags in the body."""
        return set().union(*[self.chain(flag, stmt) for flag in flags])

    def chain(self, flag: str, stmt: core.While) -> set[str]:
        """The names that hold a flag in the body, if only branches and inner loops hand it on; else none."""
        own: set[str] = set()
        todo: list[Atom] = [flag, stmt.body.results[stmt.carried.index(flag)]]
        while todo:
            name = todo.pop()
            if name in own or isinstance(name, Const) and type(name.value) is bool:
                continue
            own.add(name)
            where = self.defs.get(name)
            if isinstance(where, core.If):
                todo += [side.results[where.names.index(name)] for side in (where.then, where.orelse)]
            elif isinstance(where, core.While) and name != where.test and where.carried != stmt.carried:
                k = where.carried.index(name)
                todo += [where.inits[k], where.body.results[k]]
            elif name != flag:
                return set()
        return own

    def exiting(self, stmt: core.While, others: list[Expr], stops: set[str], also: set[str]) -> list[Stmt]:
        """A loop left by break, where a branch sets `stops`, or by return, where it sets `also`."""
        flags = stops | also
        self.hands_on(stmt, flags)
        firsts, nexts = dict(zip(stmt.carried, stmt.inits)), dict(zip(stmt.carried, stmt.body.results))
        inside = reads_in(stmt.body)
        behind = {c for c in stmt.carried if self.reads[c] > inside[c]}
        counter = self.counter(stmt, others, behind)
        gone = {stmt.test, *(stops - behind), *also, *(counter or ())[:1]}
        kept = [c for c in stmt.carried if c not in gone]
        loop = LoopWithExits(stmt, self.chains(flags, stmt), stops, tuple(c for c in kept if c in behind))
        self.loops.append(loop)
        self.known |= dict.fromkeys(flags, False)
        body = self.block(stmt.body.stmts, OpenBlock(results=stmt.body.results, names=stmt.carried, leaves=loop))
        self.loops.pop()
        if not left(body):
            body += self.round_ends(loop, kept, nexts, flags)
        for f in stops:
            del self.known[f]
        inits = copies(kept, [firsts[c] for c in kept], stmt.origin)
        if counter:
            return [*inits, For(counter[0], counter[1], body, stmt.origin)]
        return [*inits, While(conjoin(others), body, stmt.origin)]

    def round_ends(self, loop: LoopWithExits, kept: list[str], nexts: dict[str, Atom], flags: set[str]) -> list[Stmt]:
        """What comes behind the body: the values of the next iteration, or a break where each iteration sets a flag."""
        up = {f for f in flags if self.atom(nexts[f]) == Const(True)}
        if up - loop.stops:
            raise Unclear
        moving = loop.wanted if up else [c for c in kept if c not in flags]
        return [*copies(moving, self.atoms(nexts[c] for c in moving), None),
                *([Break(loop.stmt.origin)] if up else [])]

    def counter(self, stmt: core.While, conjuncts: list[Expr], behind: set[str]):
        """(index, bounds) if all that is left of the test is `k < stop`, and k, which nobody reads behind the loop,
        counts up by one."""
        match conjuncts:
            case [Call(args=(str() as k, stop), op=op)] if (op.name == "less" and k in stmt.carried
                                                            and not isinstance(stop, Call)):
                after = self.defs.get(dict(zip(stmt.carried, stmt.body.results))[k])
                self.words |= self.users_index(stmt, k)
                if stop not in stmt.carried and k not in behind and isinstance(after, core.Let) \
                        and after.op.name == "add" and after.args == (k, Const(1)):
                    return k, (dict(zip(stmt.carried, stmt.inits))[k], stop, Const(1))
        return None

    def users_index(self, stmt: core.While, k: str) -> dict[str, str]:
        """What the user calls the index of a loop that has become a while."""
        name = re.match(r"for\s+(\w+)\s*(,|in\s+range\b)", getattr(stmt.origin, "first_text", ""))
        return {core.split_name(k)[0]: name[1]} if name and k.startswith("_gs_at") else {}


def push_returns(tree: CodeTree) -> None:
    """`if c: result = x` ... `return result` becomes `if c: return x`, where the user had returned early."""
    def push(block: list[Stmt]) -> None:
        *before, last = block
        results = {v for v in last.values if isinstance(v, str) and hint_of(v) == "result"}
        match before[-1:]:
            case [If() as branch] if results:
                block.pop()
                for side in (branch.then, branch.orelse):
                    if not left(side):
                        side.append(Return(last.values, last.origin))
                        push(side)
            case [Assign(targets=targets, values=values)] if results.issuperset(targets):
                given = dict(zip(targets, values))
                last.values = tuple(given.get(v, v) if isinstance(v, str) else v for v in last.values)
                block[-2:] = [last]

    push(tree.body)
