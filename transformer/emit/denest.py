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

from ..analyse.buffers import is_buffer
from ..core import split_name
from .flow import Flow, bind_counts, reads, use_counts
from .spell import Speller
from .tree import (Assign, Break, Call, Effect, Expr, For, If, Return, Stmt, Store, Tree, While, all_expressions, blocks, calls_of,
                   expressions, map_expr, map_tree, names_of, set_expressions, walk)

WIDTH = 96
TEMPORARY = {"t", "size", "last", "stop", "zeros", "bar", "dot", "order", "trips", "at", "offset", "start", "count"}


def hint_of(name: str) -> str:
    """The name that a reader should see, before numbering: the user's, with roles."""
    name = re.sub(r"__\d+(?=_|$)", "", split_name(name)[0])
    name = re.sub(r"^_gs_ret\b|_gs_ret(?=_|$)", "result", name)
    name = re.sub(r"_gs_at__gs_stop_\d+", "k", name)
    name = re.sub(r"_gs_(stop|skip)_\d+", r"\1", name)
    return name.replace("_gs_", "") or "t"


def stem(hint: str) -> str:
    return re.sub(r"(_bar|_dot)+$", "", hint)


def is_temporary(name: str) -> bool:
    return stem(hint_of(name)) in TEMPORARY


def denest(tree: Tree) -> Tree:
    forward_copies(tree)
    sweep(tree)
    inline_integers(tree)
    sweep(tree)
    Denest(tree).function()
    return tree


# dead code ---------------------------------------------------------------------------------------
def sweep(tree: Tree) -> None:
    """Drop assignments that nobody reads, until there are none."""
    while True:
        dead: set[int] = set()

        def note(stmt, names, live):
            if isinstance(stmt, Assign) and not any(c.op.effect for e in stmt.values for c in calls_of(e)):
                if len(stmt.targets) == len(stmt.values):
                    unread[id(stmt)] = [k for k, n in enumerate(stmt.targets) if n not in live]
                elif not live & set(names):
                    dead.add(id(stmt))

        unread: dict[int, list[int]] = {}
        Flow(note).function(tree)
        if not dead and not any(unread.values()):
            return
        _drop(tree.body, dead, unread)


def _drop(block: list[Stmt], dead: set[int], unread: dict[int, list[int]]) -> None:
    for stmt in list(block):
        for inner in blocks(stmt):
            _drop(inner, dead, unread)
        gone = unread.get(id(stmt), ())
        if gone:
            stmt.targets = tuple(n for k, n in enumerate(stmt.targets) if k not in gone)
            stmt.values = tuple(v for k, v in enumerate(stmt.values) if k not in gone)
        if id(stmt) in dead or isinstance(stmt, Assign) and not stmt.targets or isinstance(stmt, If) and not (stmt.then or stmt.orelse):
            del block[next(k for k, s in enumerate(block) if s is stmt)]


# names that stand for something short -------------------------------------------------------------
def forward_copies(tree: Tree) -> None:
    """`y = retype(x)` and checks that the operation itself repeats are other names of x."""
    bound = bind_counts(tree)
    checked = checked_again(tree)
    same: dict[str, str] = {}

    def source(name: str) -> str:
        while name in same:
            name = same[name]
        return name

    for stmt in walk(tree.body):
        match stmt:
            case Assign(targets=(name,), values=(Call(op=op, args=(str() as x, *_)),)):
                if op.name == "retype" or op.name == "rt.match" and name in checked:
                    if bound[name] == 1 and bound[source(x)] == 1:
                        same[name] = source(x)
    map_tree(tree.body, source)
    _drop_bound(tree.body, set(same))


def checked_again(tree: Tree) -> set[str]:
    """Arrays whose lengths NumPy itself checks, in an operation of the same line of the user's."""
    lines = {n: stmt.origin for stmt in walk(tree.body) if isinstance(stmt, Assign) for n in stmt.targets}
    found = set()
    for stmt in walk(tree.body):
        for call in (c for e in expressions(stmt) for c in calls_of(e)):
            if call.op.symbol or call.op.name.startswith("np.") and len(call.args) > 1 or isinstance(stmt, Store):
                found |= {n for n in call.args if isinstance(n, str) and lines.get(n) == stmt.origin}
        if isinstance(stmt, Store) and isinstance(stmt.value, str) and lines.get(stmt.value) == stmt.origin:
            found.add(stmt.value)
    return found


def _drop_bound(block: list[Stmt], names: set[str]) -> None:
    for stmt in list(block):
        for inner in blocks(stmt):
            _drop_bound(inner, names)
        if isinstance(stmt, Assign) and names & set(stmt.targets):
            del block[next(k for k, s in enumerate(block) if s is stmt)]


def inline_integers(tree: Tree) -> None:
    """Lengths and sums of integers are written where they are read: len(x), i - 1."""
    bound, used = bind_counts(tree), use_counts(tree)
    loop_indices = {s.index for s in walk(tree.body) if isinstance(s, For)}
    short: dict[str, Expr] = {}

    def expand(name: str) -> Expr:
        return short.get(name, name)

    def settled(name: str) -> bool:
        return bound[name] == 1 or name in loop_indices and bound[name] == 1

    for stmt in walk(tree.body):
        match stmt:
            case Assign(targets=(name,), values=(Call(op=op) as call,)) if bound[name] == 1 and all(map(settled, names_of(call))):
                t = tree.types[name]
                if t.kind != "py" or t.dtype.kind != "i":
                    continue
                new = map_expr(call, expand)
                size = sum(1 for _ in calls_of(new))
                if op.name == "rt.size" and used[name] <= 2 or op.symbol in ("+", "-", "*") and is_temporary(name) and size <= 2:
                    short[name] = new
    map_tree(tree.body, expand)
    _drop_bound(tree.body, set(short))


# the pass ----------------------------------------------------------------------------------------
class Denest:
    def __init__(self, tree: Tree):
        self.tree = tree
        self.used, self.bound = use_counts(tree), bind_counts(tree)
        self.memory = memories(tree)
        self.speller = Speller(tree.types, hint_of)

    def function(self) -> None:
        self.block(self.tree.body, 4)

    def block(self, block: list[Stmt], indent: int) -> None:
        """Rewrite a block in place; `pending` are temporaries on the way to their reader."""
        out: list[Stmt] = []
        pending: dict[str, Assign] = {}
        for stmt in list(block):
            self.take(stmt, pending, out, indent)
            self.flush(pending, out, lambda p: self.disturbs(stmt, p))
            for inner in blocks(stmt):
                self.block(inner, indent + 4)
            if self.is_pending(stmt):
                pending[stmt.targets[0]] = stmt
            else:
                out.append(stmt)
        self.flush(pending, out, lambda p: True)
        block[:] = out

    def is_pending(self, stmt: Stmt) -> bool:
        match stmt:
            case Assign(targets=(name,), values=(Call() as call,)):
                return self.used[name] == 1 and self.bound[name] == 1 and not call.op.effect
        return False

    def flush(self, pending, out, which) -> None:
        """Put pending statements where they are, with those that stand before them."""
        for name in [n for n, p in pending.items() if which(p)]:
            out.append(pending.pop(name))

    def take(self, stmt: Stmt, pending: dict[str, Assign], out: list[Stmt], indent: int) -> None:
        """Put pending temporaries into the statement that reads them, as far as the line allows."""
        mine = [n for e in expressions(stmt) for n in names_of(e) if n in pending and self.may_join(pending[n], stmt)]
        while True:
            whole = {n: pending[n].values[0] for n in mine}
            before = expressions(stmt)
            set_expressions(stmt, tuple(map_expr(e, lambda n: whole.get(n, n)) for e in before))
            if not mine or self.fits(stmt, indent):
                break
            set_expressions(stmt, before)
            longest = max(mine, key=lambda n: len(self.speller.text(whole[n])))
            mine.remove(longest)
            out.append(pending.pop(longest))
        for n in mine:
            del pending[n]

    def may_join(self, temporary: Assign, stmt: Stmt) -> bool:
        name = temporary.targets[0]
        if isinstance(stmt, Store) and stmt.target == name:
            return False
        if is_temporary(name):
            return True
        if isinstance(stmt, Assign) and len(stmt.targets) == 1:
            hint = hint_of(name)
            return hint != stem(hint) and hint == hint_of(stmt.targets[0]) and temporary.origin == stmt.origin
        return False

    def fits(self, stmt: Stmt, indent: int) -> bool:
        texts = [self.speller.text(e) for e in expressions(stmt)]
        extra = {Assign: 3, Store: 7, Return: 7, If: 4, For: 14, Effect: 0}[type(stmt)]
        targets = sum(len(hint_of(n)) + 2 for n in getattr(stmt, "targets", ()))
        return indent + sum(map(len, texts)) + 2 * len(texts) + extra + targets <= WIDTH

    # what must not move ---------------------------------------------------------------------------
    def disturbs(self, stmt: Stmt, temporary: Assign) -> bool:
        """May a temporary, evaluated after this statement, have another value than before it?"""
        if isinstance(stmt, (For, While, If, Break, Return)):
            return True  # computed before, as the user has it
        if isinstance(stmt, Effect) or any(c.op.effect for e in all_expressions(stmt) for c in calls_of(e)):
            return True
        read = reads(temporary.values)
        if set(getattr(stmt, "targets", ())) & read:
            return True
        changed = self.changed(stmt)
        return bool(changed and {self.memory(n) for n in read if is_buffer(self.tree.types[n])} & {self.memory(n) for n in changed})

    def changed(self, stmt: Stmt) -> set[str]:
        """The names whose memory a statement stores into."""
        pushed = {n for e in all_expressions(stmt) for c in calls_of(e) if c.op.name.endswith("_") for n in c.args[:1]}
        return pushed | ({stmt.target} if isinstance(stmt, Store) else set())


def memories(tree: Tree):
    """name -> a representative of the names that may share its memory, in the whole function."""
    parent: dict[str, str] = {}

    def find(name: str) -> str:
        while name in parent:
            name = parent[name]
        return name

    def join(names) -> None:
        first, *rest = {find(n) for n in names} or {""}
        parent.update((n, first) for n in rest)

    for stmt in walk(tree.body):
        if isinstance(stmt, Assign):
            for k, target in enumerate(stmt.targets):
                value = stmt.values[k] if len(stmt.values) == len(stmt.targets) else stmt.values[0]
                if is_buffer(tree.types[target]):
                    join({target, *(n for n in names_of(value) if is_buffer(tree.types[n]))})
    return find


__all__ = ["Break", "denest", "hint_of"]
