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

from ..analyse.buffers import is_buffer, shared
from ..core import Let
from .flow import bind_counts, has_effect, reads, use_counts
from .hints import is_temporary, stem
from .idioms import boolean_operators, forward_checks, inline_integers, name_temporaries, over_elements, zeros_like
from .spell import Speller
from .sweep import remove, sweep
from .tree import (Assign, Break, Call, Effect, For, If, Return, Stmt, Store, Tree, While, all_expressions, blocks, calls_of, expressions,
                   map_expr, names_of, set_expressions, walk)

WIDTH = 100
CASTS = {"float", "int", "bool", "rt.astype", "np.copy", "np.asarray"}


def denest(tree: Tree) -> Tree:
    name_temporaries(tree)
    forward_checks(tree)
    sweep(tree)
    if zeros_like(tree):
        sweep(tree)
    if inline_integers(tree) | over_elements(tree):
        sweep(tree)
    Denest(tree).function()
    while boolean_operators(tree):
        Denest(tree).function()
    return tree


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
            self.stay(stmt, pending)
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
        before = expressions(stmt)
        mine = [n for e in before for n in names_of(e) if n in pending and self.may_join(pending[n], stmt, out)]
        while mine:
            whole = {n: pending[n].values[0] for n in mine}
            set_expressions(stmt, tuple(map_expr(e, lambda n: whole.get(n, n)) for e in before))
            if self.fits(stmt, indent):
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
    def stay(self, stmt: Stmt, pending: dict[str, Assign]) -> None:
        """Drop the temporaries that the statement reads, and those that, evaluated after it, might have another value than before it."""
        if not pending:
            return
        if isinstance(stmt, (For, While, If, Break, Return, Effect)) or has_effect(stmt):
            return pending.clear()  # computed before, as the user has it
        read, targets, changed = reads(expressions(stmt)), set(getattr(stmt, "targets", ())), {self.memory(n) for n in self.changed(stmt)}
        for name, temporary in list(pending.items()):
            needs = reads(temporary.values)
            if name in read or targets & needs or changed & {self.memory(n) for n in needs if is_buffer(self.tree.types[n])}:
                del pending[name]

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

    def sources(call: Call, targets: tuple[str, ...]) -> set[str]:
        """The names whose memory the results of a call may share, through calls within it too."""
        within = {f"argument {k}": a for k, a in enumerate(call.args) if isinstance(a, Call)}
        args = tuple(f"argument {k}" if isinstance(a, Call) else a for k, a in enumerate(call.args))
        found = set(shared(Let(targets, call.op, args, call.params)))
        return {n for n in found - set(within) if is_buffer(tree.types[n])}.union(*(sources(within[n], ("t",)) for n in found & set(within)))

    for stmt in walk(tree.body):
        match stmt:
            case Assign(targets=targets, values=(Call() as call,)):
                for target in targets:
                    join([target, *sources(call, targets)])
            case Assign():
                for target, value in zip(stmt.targets, stmt.values):
                    for n in [value] if isinstance(value, str) else sources(value, (target,)) if isinstance(value, Call) else []:
                        if is_buffer(tree.types[target]) and is_buffer(tree.types[n]):
                            join([target, n])
    return find
