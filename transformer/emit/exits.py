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

from dataclasses import dataclass, field, replace
from typing import Any

from .. import core
from ..core import Atom, Const, names_in
from ..optimise.inplace import PUSH

from .tree import Assign, Break, Call, Expr, For, If, Return, Stmt, Tree, While, copies, simple


def to_tree(fun: core.Fun) -> Tree:
    maker = Maker(fun)
    body = maker.block(fun.body.stmts)
    results = tuple(map(maker.known_atom, fun.body.results))
    return Tree(fun.name, fun.params, body + [Return(results, fun.origin)], fun.types)


class Unclear(Exception):
    """A step is not certain."""


@dataclass
class Frame:
    """A block on the way to where we are: what came before and what follows in it, and how its results are bound."""

    done: tuple[core.Stmt, ...] = ()
    rest: tuple[core.Stmt, ...] = ()
    results: tuple[Atom, ...] = ()
    names: tuple[str, ...] = ()
    leaves: "Loop | None" = None  # the loop whose body this is


@dataclass
class Loop:
    """A loop with breaks under construction."""

    stmt: core.While
    flags: set[str]  # names that hold a flag of the loop
    wanted: tuple[str, ...]  # carried names that are read behind the loop


@dataclass
class Maker:
    fun: core.Fun
    frames: list[Frame] = field(default_factory=list)
    known: dict[str, Any] = field(default_factory=dict)  # names of bools with a value known here
    loops: list[Loop] = field(default_factory=list)

    def __post_init__(self):
        stmts = list(core.walk(self.fun.body))
        self.defs = {name: s for s in stmts if not isinstance(s, core.Store) for name in core.bound(s)}
        self.reads: dict[str, int] = {}
        blocks = [self.fun.body, *(b for s in stmts for b in core.blocks_of(s))]
        for name in [n for s in stmts for n in names_in(core.operands(s))] + [n for b in blocks for n in names_in(b.results)]:
            self.reads[name] = self.reads.get(name, 0) + 1

    # blocks --------------------------------------------------------------------------------------
    def block(self, stmts: tuple[core.Stmt, ...], frame: Frame | None = None) -> list[Stmt]:
        out: list[Stmt] = []
        self.frames.append(frame or Frame())
        for k, stmt in enumerate(stmts):
            self.frames[-1].done, self.frames[-1].rest = stmts[:k], stmts[k + 1:]
            out += self.statement(stmt)
            if out and isinstance(out[-1], (Break, Return)):
                break
        self.frames.pop()
        return out

    def statement(self, stmt: core.Stmt) -> list[Stmt]:
        match stmt:
            case core.For():
                inits = copies(stmt.carried, map(self.known_atom, stmt.inits), stmt.origin)
                body = self.block(stmt.body.stmts, Frame(results=stmt.body.results, names=stmt.carried))
                bounds = (stmt.start, stmt.stop, stmt.step)
                return [*inits, For(stmt.index, bounds, body + copies(stmt.carried, stmt.body.results, None), stmt.origin)]
            case core.While():
                return self.while_(replace(stmt, inits=tuple(map(self.known_atom, stmt.inits))))
            case core.If():
                return self.branch(stmt)
            case core.Let(names=(name,), args=(arg,)) if stmt.op.name == "not " and arg in self.known:
                self.known[name] = not self.known[arg]
                return []
            case core.Let():
                stmt = replace(stmt, args=tuple(map(self.known_atom, stmt.args)))
        return [simple(stmt)]

    def known_atom(self, atom: Atom) -> Atom:
        return Const(self.known[atom]) if isinstance(atom, str) and atom in self.known else atom

    def branch(self, stmt: core.If) -> list[Stmt]:
        test = self.known_atom(stmt.test)
        if isinstance(test, Const):
            side = stmt.then if test.value else stmt.orelse
            inner = self.block(side.stmts, Frame(results=side.results, names=stmt.names))
            return inner + copies(stmt.names, map(self.known_atom, side.results), stmt.origin)
        leaves = self.leaves(stmt)
        sides = []
        for side in (stmt.then, stmt.orelse):
            before = dict(self.known)
            body = self.block(side.stmts, Frame(results=side.results, names=stmt.names))
            stops = leaves and any(self.sets(side.results[k]) for k in leaves)
            if stops and not (body and isinstance(body[-1], (Break, Return))):
                body += self.leave(stmt, side)
            elif not (body and isinstance(body[-1], (Break, Return))):
                kept = [k for k in range(len(stmt.names)) if k not in leaves]
                body += copies([stmt.names[k] for k in kept], [self.known_atom(side.results[k]) for k in kept], None)
            sides.append(body)
            self.known = before
        self.known |= {stmt.names[k]: False for k in leaves}
        return [If(stmt.test, *sides, stmt.origin)]

    # breaks --------------------------------------------------------------------------------------
    def leaves(self, stmt: core.If) -> list[int]:
        """Which results of a branch are a flag of a loop around it."""
        flags = {n for loop in self.loops for n in loop.flags}
        return [k for k, n in enumerate(stmt.names) if n in flags]

    def sets(self, atom: Atom) -> bool:
        return atom == Const(True) or isinstance(atom, str) and self.known.get(atom) is True

    def leave(self, stmt: core.If, side: core.Block) -> list[Stmt]:
        """What a branch that sets the flag does instead: hand on what is read behind the loop, and break."""
        loop = self.loops[-1]
        env: dict[str, Atom] = dict(zip(stmt.names, side.results))
        path = Path(self, env)
        frames = []
        for frame in reversed(self.frames):
            frames.append(frame)
            if frame.leaves is loop:
                break
        for frame in frames:
            path.follow(frame.rest)
            if frame.leaves is not loop:
                env.update((n, path.value(r)) for n, r in zip(frame.names, frame.results))
        nexts = dict(zip(loop.stmt.carried, loop.stmt.body.results))
        values = [path.value(nexts[c]) for c in loop.wanted]
        return [*path.needed, *copies(loop.wanted, values, None), Break(stmt.origin)]

    # loops ---------------------------------------------------------------------------------------
    def while_(self, stmt: core.While) -> list[Stmt]:
        test, conjuncts = None, []
        try:
            test = Test(self, stmt).expression()
        except Unclear:
            return self.plain(stmt, stmt.test)
        conjuncts = conjunction(test)
        flags = {c.args[0]: c for c in conjuncts if self.is_flag(stmt, c)}
        before = dict(self.known)
        try:
            if not flags:
                raise Unclear
            return self.breaking(stmt, [c for c in conjuncts if c not in flags.values()], set(flags))
        except Unclear:
            self.known = before
            return self.plain(stmt, test)

    def plain(self, stmt: core.While, test: Expr) -> list[Stmt]:
        kept = [k for k, c in enumerate(stmt.carried) if test == stmt.test or c != stmt.test]
        carried, inits, nexts = (tuple(xs[k] for k in kept) for xs in (stmt.carried, stmt.inits, stmt.body.results))
        loops, self.loops = self.loops, []
        body = self.block(stmt.body.stmts, Frame(results=nexts, names=carried))
        self.loops = loops
        return [*copies(carried, inits, stmt.origin), While(test, body + copies(carried, nexts, None), stmt.origin)]

    def is_flag(self, stmt: core.While, conjunct: Expr) -> bool:
        if not (isinstance(conjunct, Call) and conjunct.op.name == "not " and conjunct.args[0] in stmt.carried):
            return False
        return stmt.inits[stmt.carried.index(conjunct.args[0])] == Const(False)

    def breaking(self, stmt: core.While, conjuncts: list[Expr], flags: set[str]) -> list[Stmt]:
        nexts = dict(zip(stmt.carried, stmt.body.results))
        own = set(flags)
        todo = [nexts[f] for f in flags]
        while todo:  # all names that hold a flag: results of branches, of branches in branches
            name = todo.pop()
            if isinstance(name, Const) or name in own:
                continue
            if not isinstance(self.defs.get(name), core.If):
                raise Unclear
            own.add(name)
            branch = self.defs[name]
            todo += [side.results[branch.names.index(name)] for side in (branch.then, branch.orelse)]
        counter = self.counter(stmt, conjuncts)
        behind = {c for c in stmt.carried if self.read_behind(stmt, c)}
        gone = {stmt.test, *(flags - behind), *([counter[0]] if counter else [])}
        kept = [c for c in stmt.carried if c not in gone]
        loop = Loop(stmt, own, tuple(c for c in kept if c in behind))
        loops, self.loops = self.loops, [loop]
        self.known |= dict.fromkeys(flags, False)
        body = self.block(stmt.body.stmts, Frame(results=stmt.body.results, names=stmt.carried, leaves=loop))
        self.loops = loops
        if not (body and isinstance(body[-1], (Break, Return))):
            kept_inside = [c for c in kept if c not in flags]
            body += copies(kept_inside, [self.known_atom(nexts[c]) for c in kept_inside], None)
        inits = copies(kept, [i for c, i in zip(stmt.carried, stmt.inits) if c not in gone], stmt.origin)
        for f in flags:
            self.known.pop(f, None)
        if counter:
            return [*inits, For(counter[0], counter[1], body, stmt.origin)]
        return [*inits, While(conjoin(conjuncts), body, stmt.origin)]

    def read_behind(self, stmt: core.While, name: str) -> bool:
        inside = sum(n == name for s in core.walk(stmt.body) for n in names_in(core.operands(s)))
        inside += sum(n == name for b in [stmt.body, *(b for s in core.walk(stmt.body) for b in core.blocks_of(s))] for n in names_in(b.results))
        return self.reads.get(name, 0) > inside

    def counter(self, stmt: core.While, conjuncts: list[Expr]):
        """(index, bounds) if all that is left of the test is `k < stop`, and k counts up by one."""
        match conjuncts:
            case [Call(args=(str() as k, stop), op=op)] if op.name == "less" and k in stmt.carried and not isinstance(stop, Call):
                after = self.defs.get(dict(zip(stmt.carried, stmt.body.results))[k])
                if stop not in stmt.carried and not self.read_behind(stmt, k) and isinstance(after, core.Let) \
                        and after.op.name == "add" and after.args == (k, Const(1)):
                    return k, (dict(zip(stmt.carried, stmt.inits))[k], stop, Const(1))
        return None


class Path:
    """Follows the statements that would run once a flag is set: only such as may be left out."""

    def __init__(self, maker: Maker, env: dict[str, Atom]):
        self.maker, self.env = maker, env
        self.skipped: dict[str, core.Let | None] = {}  # None: by a branch or a loop
        self.needed: list[Stmt] = []

    def seen(self, atom: Atom) -> Atom:
        """The atom that a name is on this path."""
        while isinstance(atom, str) and atom in self.env:
            atom = self.env[atom]
        return self.maker.known_atom(atom)

    def value(self, atom: Atom) -> Atom:
        """The same, computed before the break if it has been skipped and is cheap."""
        atom = self.seen(atom)
        if isinstance(atom, Const) or atom not in self.skipped:
            return atom
        let = self.skipped[atom]
        if let is None or len(let.names) != 1 or self.maker.fun.types[atom].kind != "py":
            raise Unclear
        call = Call(atom, let.op, tuple(map(self.value, let.args)), let.params)
        self.needed.append(Assign((atom,), (call,), let.origin))
        del self.skipped[atom]
        return atom

    def follow(self, stmts) -> None:
        for stmt in stmts:
            match stmt:
                case core.Let(names=(name,), args=(arg,)) if stmt.op.name == "not " and isinstance(self.seen(arg), Const):
                    self.env[name] = Const(not self.seen(arg).value)
                case core.If() if isinstance(self.seen(stmt.test), Const):
                    side = stmt.then if self.seen(stmt.test).value else stmt.orelse
                    self.follow(side.stmts)
                    self.env |= dict(zip(stmt.names, side.results))
                case _:
                    if stores(core.Block((stmt,))):
                        raise Unclear
                    self.skipped |= dict.fromkeys(core.bound(stmt), stmt if isinstance(stmt, core.Let) else None)


def stores(block: core.Block) -> bool:
    """Does it do more than compute?"""
    return any(isinstance(s, core.Store) or isinstance(s, core.Let) and (s.op.effect or s.op in PUSH.values()) for s in core.walk(block))


# the test of a while ------------------------------------------------------------------------------
class Test:
    """The test at the end of a body as an expression over carried names, if before the loop it is the same."""

    def __init__(self, maker: Maker, stmt: core.While):
        self.maker, self.stmt = maker, stmt
        self.own = {n: s for s in stmt.body.stmts if isinstance(s, core.Let) for n in s.names}
        self.inits = dict(zip(stmt.carried, stmt.inits))
        self.nexts: dict[Atom, list[str]] = {}
        for c, after in zip(stmt.carried, stmt.body.results):
            if c != stmt.test and isinstance(after, str):
                self.nexts.setdefault(after, []).append(c)
        self.inside = {*core.all_bound(stmt.body), *stmt.carried}
        self.slice: list[core.Let] = []  # in the body
        self.before: list[core.Let] = []

    def expression(self) -> Expr:
        after = self.stmt.body.results[self.stmt.carried.index(self.stmt.test)]
        test = self.unfold(after)
        if not self.matches(test, self.inits[self.stmt.test]):
            raise Unclear
        self.check_reads()
        return test

    def unfold(self, atom: Atom) -> Expr:
        if isinstance(atom, Const):
            return atom
        if atom in self.nexts:
            return self.nexts[atom][0]
        if atom not in self.inside:
            return atom
        let = self.own.get(atom)
        if let is None or stores(core.Block((let,))) or len(let.names) != 1:
            raise Unclear
        self.slice.append(let)
        return Call(atom, let.op, tuple(map(self.unfold, let.args)), let.params)

    def matches(self, expr: Expr, init: Atom) -> bool:
        """Is `init`, computed before the loop, this expression with the inits put in?"""
        value = self.constant(expr)
        if value is not None:
            return value == init
        match expr:
            case str():
                return self.inits.get(expr, expr) == init
            case Call(op=op, args=(x, y)) if op.name == "and_" and self.constant(x) == Const(True):
                return self.matches(y, init)
            case Call(op=op, args=(x, y)) if op.name == "and_" and self.constant(y) == Const(True):
                return self.matches(x, init)
            case Call():
                let = self.maker.defs.get(init)
                self.before.append(let)
                same = isinstance(let, core.Let) and let.op is expr.op and let.params == expr.params and len(let.args) == len(expr.args)
                return same and all(map(self.matches, expr.args, let.args))
        return False

    def constant(self, expr: Expr) -> Const | None:
        match expr:
            case Const():
                return expr
            case str():
                init = self.inits.get(expr)
                return init if isinstance(init, Const) else None
            case Call(op=op, args=args):
                values = [self.constant(a) for a in args]
                if all(v is not None for v in values) and (op.symbol or op.name == "not "):
                    try:
                        return Const(op.fn(*(v.value for v in values)))
                    except ArithmeticError:
                        return None
        return None

    def check_reads(self) -> None:
        """If the test reads arrays, nothing may be stored between it and the end of the body, or the loop."""
        types = self.maker.fun.types
        if not any(types[n].kind not in ("py", "np") for s in self.slice if s.op.name != "rt.size" for n in names_in(s.args)):
            return
        for block, used in ((self.stmt.body.stmts, self.slice), (self.maker.frames[-1].done, self.before)):
            at = [k for k, s in enumerate(block) if any(s is u for u in used)]
            if len(at) < len({id(u) for u in used}) or at and stores(core.Block(block[at[0]:])):
                raise Unclear


def conjunction(expr: Expr) -> list[Expr]:
    match expr:
        case Call(op=op, args=(x, y)) if op.name == "and_":
            return conjunction(x) + conjunction(y)
    return [expr]


def conjoin(conjuncts: list[Expr]) -> Expr:
    """The test without the conjuncts that have become breaks: the nested calls that are left."""
    from ..rules import OPS
    if not conjuncts:
        return Const(True)
    first, *rest = conjuncts
    for c in rest:
        first = Call(first.name if isinstance(first, Call) else c.name, OPS["and_"], (first, c))
    return first


