"""Temporaries go back into the expressions that they came from.

    t = W @ x                         h = np.tanh(W @ x + b)
    t__1 = t + b                      e = h - y
    h = np.tanh(t__1)
    e = h - y

A temporary that is read once, later in the same block, moves to where it is read, unless something between the two
changes what it reads: a store into memory that it may read, a new value of a name, an effect.  What the user named
stays a statement.  So does what would make a line too long.
"""
from __future__ import annotations

import re

import numpy as np

from ..analyse.buffers import is_buffer, shared
from ..core import Const, Let, Op
from ..rules.kinds import Elementwise
from .hints import is_temporary, stem
from .flow import Flow, bind_counts, has_effect, reads, use_counts
from .spell import Speller
from .tree import (Assign, Break, Call, Effect, Expr, For, If, Return, Stmt, Store, Tree, While, all_expressions, blocks, calls_of,
                   expressions, map_expr, map_tree, names_of, set_expressions, walk)

WIDTH = 100
CASTS = {"float", "int", "bool", "rt.astype", "np.copy", "np.asarray"}


def denest(tree: Tree) -> Tree:
    name_temporaries(tree)
    forward_checks(tree)
    sweep(tree)
    zeros_like(tree)
    sweep(tree)
    inline_integers(tree)
    over_elements(tree)
    sweep(tree)
    Denest(tree).function()
    return tree


def name_temporaries(tree: Tree) -> None:
    """`t` is for temporaries, unless the user has a `t`; the value beside gradients is `value`."""
    assigned = [s for s in walk(tree.body) if isinstance(s, Assign)]
    users = {*tree.params, *(s.index for s in walk(tree.body) if isinstance(s, For)),
             *(n for s in assigned for n, v in zip(s.targets, s.values) if not isinstance(v, Call))}
    given = tree.body[-1].values if isinstance(tree.body[-1], Return) else ()
    calls = {n for s in assigned for n, v in zip(s.targets, s.values) if isinstance(v, Call)} - users
    temporaries = [n for n in sorted(calls) if tree.hint(n) == "t"]
    if any(tree.hint(n) == "t" for n in users):
        tree.hints.update((n, "tmp") for n in temporaries)
    for target, value in ((t, v) for s in assigned for t, v in zip(s.targets, s.values) if isinstance(v, str)):
        if is_temporary(tree.hint(value)) and not is_temporary(tree.hint(target)):
            tree.hints[value] = tree.hint(target)
    if len(given) > 1:
        tree.hints.update((n, "value") for n in temporaries if n in given)


# dead code ---------------------------------------------------------------------------------------
def sweep(tree: Tree) -> None:
    """Drop assignments that nobody reads, until there are none."""
    while True:
        unread: dict[int, set[str]] = {}

        def note(stmt, names, live):  # of loops the last word counts: what is live only grows
            if isinstance(stmt, Assign) and not has_effect(stmt):
                unread[id(stmt)] = set(names) - live

        Flow(note, strong=True).function(tree)
        if not _drop(tree.body, unread):
            return


def _drop(block: list[Stmt], unread: dict[int, set[str]]) -> bool:
    """Without the targets that are not read; did anything change?"""
    changed = False
    for stmt in list(block):
        changed |= any([_drop(inner, unread) for inner in blocks(stmt)])
        gone = unread.get(id(stmt), set())
        if gone and isinstance(stmt, Assign):
            if len(stmt.targets) == len(stmt.values):
                kept = [k for k, n in enumerate(stmt.targets) if n not in gone]
                stmt.targets, stmt.values = tuple(stmt.targets[k] for k in kept), tuple(stmt.values[k] for k in kept)
                changed = True
            elif gone == set(stmt.targets):
                stmt.targets = ()
        if isinstance(stmt, Assign) and not stmt.targets or isinstance(stmt, If) and not (stmt.then or stmt.orelse):
            remove(block, stmt)
            changed = True
    return changed


def remove(block: list[Stmt], stmt: Stmt) -> None:
    del block[next(k for k, s in enumerate(block) if s is stmt)]


# names that stand for something short -------------------------------------------------------------
def forward_checks(tree: Tree) -> None:
    """Checks that the user's operation itself repeats give only another name."""
    bound = bind_counts(tree)
    checked = checked_again(tree)
    same: dict[str, str] = {}

    def source(name: str) -> str:
        while name in same:
            name = same[name]
        return name

    for stmt in walk(tree.body):
        match stmt:
            case Assign(targets=(name,), values=(Call(op=op, args=(str() as x, *_)),)) if op.name == "rt.match" and name in checked:
                if bound[name] == 1 and bound[source(x)] == 1:
                    same[name] = source(x)
                else:
                    stmt.values = (x,)
    map_tree(tree.body, source)
    _drop_bound(tree.body, set(same))


def checked_again(tree: Tree) -> set[str]:
    """Arrays whose lengths NumPy checks anyway: in the operation of the user's that the check was made for."""
    checks: dict[str, Assign] = {}
    found = set()
    for stmt in walk(tree.body):
        match stmt:
            case Assign(targets=(name,), values=(Call(op=op),)) if op.name == "rt.match":
                checks[name] = stmt
            case Assign(targets=(result,), values=(Call(op=op, args=args),)) if tree.hint(result) == stem(tree.hint(result)):
                names = [n for n in args if isinstance(n, str)]
                if isinstance(op, Elementwise) or op.symbol == "@":
                    found |= {n for n in names if n in checks and checks[n].origin == stmt.origin
                              and any(faces(tree, checks[n], m) or op.symbol == "@" for m in names if m != n)}
            case Store(value=str() as n) if n in checks and checks[n].origin == stmt.origin:
                found.add(n)
        if stmt and not isinstance(stmt, Store):
            for n in [n for e in expressions(stmt) for n in names_of(e)]:
                checks.pop(n, None)  # only the first reader counts
    return found


def faces(tree: Tree, check: Assign, other: str) -> bool:
    """Has another operand the lengths, of its own, that the check needs?"""
    (call,) = check.values
    t, o = tree.types[check.targets[0]], tree.types[other]
    return all(o.rank >= t.rank - k and o.dims[k - t.rank] == t.dims[k] for k in call.param("axes"))


def _drop_bound(block: list[Stmt], names: set[str]) -> None:
    for stmt in list(block):
        for inner in blocks(stmt):
            _drop_bound(inner, names)
        if isinstance(stmt, Assign) and names & set(stmt.targets):
            remove(block, stmt)


ZEROS_LIKE = Op("np.zeros_like", np.zeros_like)


def zeros_like(tree: Tree) -> None:
    """x_bar = np.zeros((n, m)) is np.zeros_like(x), where x is at hand and has that type."""
    bound = bind_counts(tree)
    by_hint: dict[str, list[str]] = {}
    for name in tree.types:
        by_hint.setdefault(tree.hint(name), []).append(name)

    def note(stmt, names, live):
        match stmt:
            case Assign(targets=(name,), values=(Call(op=op) as call,)) if op.name == "np.zeros" and call.args:
                at_hand = [c for c in by_hint.get(stem(tree.hint(name)), ()) if c in live or c in tree.params and bound[c] == 1]
                like = sorted((c for c in at_hand if tree.types[c] == tree.types[name]), key=lambda c: c not in live)
                if like and tree.hint(name) != stem(tree.hint(name)):
                    stmt.values = (Call(call.name, ZEROS_LIKE, (like[0],)),)

    Flow(note).function(tree)


def inline_integers(tree: Tree) -> None:
    """Lengths and sums of integers are written where they are read: len(x), i - 1."""
    bound, used = bind_counts(tree), use_counts(tree)
    short: dict[str, Expr] = {}
    latest: dict[str, str] = {}  # arrays that have been copied: their lengths are those of the copy, which the user calls the same

    def expand(name: str) -> Expr:
        return map_expr(short[name], lambda n: latest.get(n, n)) if name in short else name

    for stmt in walk(tree.body):
        match stmt:
            case Assign(targets=(name,), values=(Call(op=op) as call,)) if bound[name] == 1 and all(bound[n] == 1 for n in names_of(call)):
                t = tree.types[name]
                if t.kind != "py" or t.dtype.kind != "i":
                    continue
                new = map_expr(call, expand)
                size = sum(1 for _ in calls_of(new))
                if op.name == "rt.size" and used[name] <= 2 or op.symbol in ("+", "-", "*") and is_temporary(name) and size <= 2:
                    short[name] = new
    for stmt in tree.body:
        map_tree([stmt], expand)
        match stmt:
            case Assign(targets=(y,), values=(Call(op=op, args=(str() as x,)),)) if op.name == "np.copy" and bound[y] == 1:
                if tree.hint(y) == tree.hint(x):
                    latest[x] = y
    _drop_bound(tree.body, set(short))


def over_elements(tree: Tree) -> None:
    """`for i in range(len(xs)): v = xs[i]` is `for v in xs` where the user had it so; else `i` is a name of ours."""
    bound, used = bind_counts(tree), use_counts(tree)
    for stmt in walk(tree.body):
        match stmt:
            case For(index=i) if tree.hint(i) == "_" and used[i]:
                tree.hints[i] = "i"
            case For(index=i, bounds=(start, stop, step), body=[Assign(targets=(v,), values=(Call(args=(xs, at)) as item,)), *_]):
                if not (item.op.name == "getitem" and at == i and item.param("index")[0] == "i" and elementwise_loop(tree, stmt, v)):
                    continue
                if is_temporary(v):
                    tree.hints[v] = tree.hint(i)
                counted = start == Const(0) and step == Const(1) and isinstance(stop, Call) and stop.op.name == "rt.size"
                if counted and stop.args == (xs,) and stop.param("axis") == 0 and used[i] == 1 and bound[xs] == bound[v] == 1:
                    stmt.index, stmt.bounds, stmt.body = v, (xs,), stmt.body[1:]
                else:
                    tree.hints[i] = "i"


def elementwise_loop(tree: Tree, stmt: For, element: str) -> bool:
    """Did the user write a loop over elements, or one with an exit, which became one over numbers?"""
    (call,) = stmt.body[0].values
    if tree.hint(call.args[0]).endswith("_tape"):
        return False
    text = getattr(stmt.origin, "first_text", "range(")
    return stmt.index.startswith("_gs_at") or tree.hint(stmt.index) == tree.hint(element) or not re.search(r"\b(range|enumerate)\(", text)


# the pass ----------------------------------------------------------------------------------------
class Denest:
    def __init__(self, tree: Tree):
        self.tree = tree
        self.used, self.bound = use_counts(tree), bind_counts(tree)
        self.memory = memories(tree)
        self.speller = Speller(tree.types, tree.hint)

    def function(self) -> None:
        self.block(self.tree.body, 4)

    def block(self, block: list[Stmt], indent: int) -> None:
        """Rewrite a block in place; `pending` are temporaries on the way to their reader, and stand in `out` meanwhile."""
        out: list[Stmt] = []
        pending: dict[str, Assign] = {}
        for stmt in list(block):
            self.take(stmt, pending, out, indent)
            read = reads(all_expressions(stmt))
            for name in [n for n, p in pending.items() if n in read or self.disturbs(stmt, p)]:
                del pending[name]
            for inner in blocks(stmt):
                self.block(inner, indent + 4)
            if self.may_move(stmt):
                pending[stmt.targets[0]] = stmt
            out.append(stmt)
        block[:] = out

    def may_move(self, stmt: Stmt) -> bool:
        match stmt:
            case Assign(targets=(name,), values=(Call() as call,)):
                return self.used[name] == 1 and self.bound[name] == 1 and not call.op.effect
        return False

    def take(self, stmt: Stmt, pending: dict[str, Assign], out: list[Stmt], indent: int) -> None:
        """Put pending temporaries into the statement that reads them, as far as the line allows."""
        mine = [n for e in expressions(stmt) for n in names_of(e) if n in pending and self.may_join(pending[n], stmt, out)]
        while True:
            whole = {n: pending[n].values[0] for n in mine}
            before = expressions(stmt)
            set_expressions(stmt, tuple(map_expr(e, lambda n: whole.get(n, n)) for e in before))
            if not mine or self.fits(stmt, indent):
                break
            set_expressions(stmt, before)
            mine.remove(max(mine, key=lambda n: len(self.speller.text(whole[n]))))
        for n in mine:
            remove(out, pending.pop(n))

    def may_join(self, temporary: Assign, stmt: Stmt, out: list[Stmt]) -> bool:
        name, hint = temporary.targets[0], self.tree.hint(temporary.targets[0])
        match stmt:
            case Store() if stmt.target == name:
                return False
            case Return() if len(stmt.values) > 1 and out[-1] is not temporary:
                return False
            case Return() if hint == "result" or temporary.values[0].op.name == "np.copy":
                return True
            case Assign(targets=(_, _, *_)):
                return False
            case Assign(targets=(target,), values=(Call(op=op, args=args),)) if hint == self.tree.hint(target):
                if op.name in CASTS and args == (name,) or hint != stem(hint) and temporary.origin == stmt.origin:
                    return True
        return is_temporary(hint)

    def fits(self, stmt: Stmt, indent: int) -> bool:
        texts = [self.speller.text(e) for e in expressions(stmt)]
        if isinstance(stmt, Store):
            texts = [texts[0], self.speller.index(stmt.index, stmt.atoms), texts[-1]]
        extra = {Assign: 3, Store: 4, Return: 7, If: 4, For: 14, Effect: 0}[type(stmt)]
        targets = sum(len(self.tree.hint(n)) + 2 for n in getattr(stmt, "targets", ()))
        return indent + len(", ".join(texts)) + extra + targets <= WIDTH

    # what must not move ---------------------------------------------------------------------------
    def disturbs(self, stmt: Stmt, temporary: Assign) -> bool:
        """May a temporary, evaluated after this statement, have another value than before it?"""
        if isinstance(stmt, (For, While, If, Break, Return)):
            return True  # computed before, as the user has it
        if isinstance(stmt, Effect) or has_effect(stmt):
            return True
        read = reads(temporary.values)
        if set(getattr(stmt, "targets", ())) & read:
            return True
        changed = self.changed(stmt)
        return bool(changed and {self.memory(n) for n in read if is_buffer(self.tree.types[n])} & {self.memory(n) for n in changed})

    def changed(self, stmt: Stmt) -> set[str]:
        """The names whose memory a statement stores into."""
        pushed = {n for e in all_expressions(stmt) for c in calls_of(e) if c.op.name in ("rt.push_", "rt.push_add_") for n in c.args[:1]}
        return pushed | ({stmt.target} if isinstance(stmt, Store) else set())


def memories(tree: Tree):
    """name -> a representative of the names that may share its memory, in the whole function."""
    parent: dict[str, str] = {}

    def find(name: str) -> str:
        while name in parent:
            name = parent[name]
        return name

    def join(names) -> None:
        first, *rest = sorted({find(n) for n in names})
        parent.update((n, first) for n in rest)

    for stmt in walk(tree.body):
        match stmt:
            case Assign(targets=targets, values=(Call() as call,)):
                let = Let(targets, call.op, tuple(a for a in call.args if not isinstance(a, Call)), call.params)
                for target in targets:
                    join([target, *(n for n in shared(let) if is_buffer(tree.types[n]))])
            case Assign():
                for target, value in zip(stmt.targets, stmt.values):
                    if isinstance(value, str) and is_buffer(tree.types[target]):
                        join([target, value])
    return find
