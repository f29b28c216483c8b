"""Temporaries go back into the expressions that they came from.

    t = W @ x                         h = np.tanh(W @ x + b)
    t__1 = t + b                      e = h - y
    h = np.tanh(t__1)
    e = h - y

A temporary that is read once, later in the same block, moves to where it is read, unless something between the two
changes what it reads: a store into memory that it may read, a new value of a name, an effect.  What devices tell each
other moves into the next statement alone.  What the user named stays a statement.  So does what would make a line too
long.
"""
from __future__ import annotations

import functools
from collections import deque
from typing import Callable

from ..analyse.buffers import is_buffer, shared
from ..core import Fun
from ..rules.control import InPlace
from .code_tree import (AND, OR, UNPACK, Assign, Call, CodeTree, Effect, For, If, Return, Stmt, Store, all_expressions,
                        blocks_of, calls_of, expressions, names_of, names_of_all, replaced_names, set_expressions,
                        walk_tree, width_without_names)
from .flow import bind_counts, statement_has_effect, use_counts
from .hints import has_role
from .idioms import boolean_operators, forward_checks, inline_integers, name_temporaries, over_elements, zeros_like
from .printer import WIDTH, one_line
from .spell import Speller
from .sweep import drop_unread_tapes, remove_statement, sweep_dead
from .unpacking import unpackings
from .words import name_by_operation

EXTRA = {Assign: 3, Store: 4, Return: 7, If: 4, For: 14, Effect: 0}  # width of what is written around the expressions


def denest(tree: CodeTree, primal: Fun | None = None) -> CodeTree:
    name_temporaries(tree)
    words = name_by_operation(tree, primal)
    forward_checks(tree)
    sweep_dead(tree)
    if drop_unread_tapes(tree):
        sweep_dead(tree)
    if unpackings(tree) | zeros_like(tree) | inline_integers(tree) | over_elements(tree):
        sweep_dead(tree)
    Denest(tree).function()
    while boolean_operators(tree):
        Denest(tree).function()
    words.number_anew()
    return tree


def only_dispensable(call: Call) -> bool:
    """Are its effects those of operations that may be left out where nothing reads them?"""
    return all(not c.op.effect or c.op.dispensable for c in calls_of(call))


def perhaps_evaluated(name: str, calls: list[Call]) -> bool:
    """Is a name read by the second operand of an `and` or `or`, which is evaluated only if need be?"""
    return any([name in names_of(c.args[1]) for c in calls if c.op in (AND, OR)])


class Pending(dict):
    """Temporaries on the way to their reader, {name: statement}, and what each of them reads."""

    def __init__(self, memories_of: Callable[[list[str]], set[str]]):
        self.memories_of = memories_of
        self.effects: dict[str, None] = {}  # those with an effect
        self.readers: dict[str, set[str]] = {}  # name -> the temporaries that read it
        self.touched: dict[str, set[str]] = {}  # memory -> the temporaries that read what may lie there
        self.unseen: list[str] = []  # those of which nothing has asked yet what memory they read

    def add(self, stmt: Assign) -> None:
        (name,), (call,) = stmt.targets, stmt.values
        self[name] = stmt
        self.unseen.append(name)
        if call.effect:
            self.effects[name] = None
        for read in call.names:
            self.readers.setdefault(read, set()).add(name)

    def pop(self, name: str) -> Assign | None:
        self.effects.pop(name, None)
        return super().pop(name, None)

    def clear(self) -> None:
        self.__init__(self.memories_of)
        super().clear()

    def that_read(self, bound, changed) -> list[str]:
        """Those that read one of the names `bound`, or memory that names `changed` may share."""
        found = [n for name in bound for n in self.readers.get(name, ())]
        if changed:
            for name in self.unseen:
                for memory in self.memories_of(self[name].values[0].names) if name in self else ():
                    self.touched.setdefault(memory, set()).add(name)
            self.unseen.clear()
            found += [n for memory in self.memories_of(changed) for n in self.touched.get(memory, ())]
        return [n for n in found if n in self]


class Denest:
    def __init__(self, tree: CodeTree):
        self.tree, self.stmts = tree, walk_tree(tree.body)
        self.used, self.bound = use_counts(self.stmts), bind_counts(tree, self.stmts)
        self.hint = functools.cache(tree.hint)  # nothing gives other hints meanwhile
        self.speller = Speller(tree.types, self.hint, tree.risky)

    def function(self) -> None:
        self.block(self.tree.body, 4)

    def block(self, block: list[Stmt], indent: int) -> None:
        """Rewrite a block in place; `pending` are temporaries on the way to their reader,
        and stand in `out` meanwhile."""
        out: list[Stmt] = []
        pending = Pending(self.memories_of)
        for stmt in block:
            if pending:
                self.take(stmt, pending, out, indent)
                self.stay(stmt, pending)
            for inner in blocks_of(stmt):
                self.block(inner, indent + 4)
            if self.may_move(stmt):
                pending.add(stmt)
            out.append(stmt)
        block[:] = out

    def may_move(self, stmt: Stmt) -> bool:
        if type(stmt) is not Assign or len(stmt.targets) > 1 or type(stmt.values[0]) is not Call:
            return False
        (name,), (call,) = stmt.targets, stmt.values
        return self.used[name] == 1 and self.bound[name] == 1 and (not call.effect or only_dispensable(call))

    def take(self, stmt: Stmt, pending: Pending, out: list[Stmt], indent: int) -> None:
        """Put pending temporaries into the statement that reads them, as far as the line allows."""
        before, mine, widest = expressions(stmt), self.that_may_join(stmt, pending, out), None
        while mine:
            whole = {n: pending[n].values[0] for n in mine}
            set_expressions(stmt, tuple([replaced_names(e, whole) for e in before]))
            if self.fits(stmt, indent):
                break
            set_expressions(stmt, before)
            if widest is None:  # of more than a line has room for, only the narrowest
                width = {n: len(one_line(self.speller.node(e))) for n, e in whole.items()}
                widest = deque(sorted(mine, key=width.get, reverse=True))
            out_of_it = {widest.popleft() for _ in range(max(1, len(mine) - WIDTH))}
            mine = [n for n in mine if n not in out_of_it]
        for n in mine:
            remove_statement(out, pending.pop(n))

    def that_may_join(self, stmt: Stmt, pending: Pending, out: list[Stmt]) -> list[str]:
        """The pending temporaries that a statement reads, and that may be computed within it."""
        mine = [n for n in names_of_all(expressions(stmt)) if n in pending and self.may_join(pending[n], stmt, out)]
        calls = [c for e in expressions(stmt) for c in calls_of(e)]
        if type(stmt) not in (Assign, Return) or any([c.effect or c.op in (AND, OR) for c in calls]):
            mine = [n for n in mine if not pending[n].values[0].effect]  # they happen always, in their order
        return [n for n in mine if not (self.is_risky(pending[n]) and perhaps_evaluated(n, calls))]

    def is_risky(self, temporary: Assign) -> bool:
        return bool(self.tree.risky) and any([c.name in self.tree.risky for c in calls_of(temporary.values[0])])

    def may_join(self, temporary: Assign, stmt: Stmt, out: list[Stmt]) -> bool:
        (name,) = temporary.targets
        hint = self.hint(name)
        match stmt:
            case Store() if stmt.target == name:
                return False
            case Return() if len(stmt.values) > 1 and out[-1] is not temporary:
                return False
            case Return() if hint == "result" or temporary.values[0].op.name == "np.copy":
                return True
            case Assign(targets=(_, _, *_)):
                return getattr(stmt.values[0], "op", None) is UNPACK and self.tree.is_temporary(name)
            case Assign(targets=(target,), values=(Call(op=op, args=args),)) if hint == self.hint(target):
                if op.converts and args == (name,) or has_role(hint) and temporary.origin == stmt.origin:
                    return True
        return self.tree.is_temporary(name)

    def fits(self, stmt: Stmt, indent: int) -> bool:
        around = indent + EXTRA[type(stmt)] + sum([len(self.hint(n)) + 2 for n in getattr(stmt, "targets", ())])
        exprs = expressions(stmt)
        if around + sum(map(width_without_names, exprs)) + sum([len(self.hint(n))
                                                                for n in names_of_all(exprs)]) <= WIDTH:
            return True
        made = [self.speller.node(e) for e in exprs]
        if isinstance(stmt, Store):
            made = [self.speller.place(stmt), made[-1]]
        return around + sum([len(one_line(e)) + 2 for e in made]) - 2 <= WIDTH

    # what must not move ---------------------------------------------------------------------------
    def stay(self, stmt: Stmt, pending: Pending) -> None:
        """Drop the temporaries that the statement reads, and those that, evaluated after it,
        might have another value than before it."""
        if not isinstance(stmt, (Assign, Store)) or statement_has_effect(stmt):
            pending.clear()  # computed before, as the user has it
        for name in names_of_all(expressions(stmt)):
            pending.pop(name)
        for name in [*pending.effects]:
            pending.pop(name)  # it went into the next statement, or stays
        if pending:
            for name in pending.that_read(getattr(stmt, "targets", ()), self.changed(stmt)):
                pending.pop(name)

    def memories_of(self, names) -> set[str]:
        return {self.memory(n) for n in names if is_buffer(self.tree.types[n])}

    @functools.cached_property
    def memory(self) -> Callable[[str], str]:
        return memories(self.tree, self.stmts)

    def changed(self, stmt: Stmt) -> set[str]:
        """The names whose memory a statement stores into."""
        pushed = [n for e in all_expressions(stmt) for c in calls_of(e) if isinstance(c.op, InPlace)
                  for n in c.args[:1]]
        return {*pushed, stmt.target} if type(stmt) is Store else set(pushed)


def memories(tree: CodeTree, stmts: list[Stmt]):
    """name -> a representative of the names that may share its memory, in the whole function."""
    parent: dict[str, str] = {}

    def find(name: str) -> str:
        while name in parent:
            name = parent[name]
        return name

    def join(names) -> None:
        first, *rest = sorted({find(n) for n in names})
        parent.update((n, first) for n in rest)

    def sources(call: Call) -> set[str]:
        """The names whose memory the results of a call may share, through calls within it too."""
        within = {f"argument {k}": a for k, a in enumerate(call.args) if type(a) is Call}
        if within:
            call = Call(call.name, call.op,
                tuple([f"argument {k}" if type(a) is Call else a for k, a in enumerate(call.args)]), call.params)
        found = shared(call)
        return {n for n in found if n not in within
                and is_buffer(tree.types[n])}.union(*[sources(within[n]) for n in found if n in within])

    for stmt in stmts:
        match stmt:
            case Assign(targets=targets, values=(Call() as call,)):
                for n in sources(call):
                    join([*targets, n])
            case Assign():
                for target, value in zip(stmt.targets, stmt.values):
                    for n in [value] if type(value) is str else sources(value) if type(value) is Call else []:
                        if is_buffer(tree.types[target]) and is_buffer(tree.types[n]):
                            join([target, n])
    return find
