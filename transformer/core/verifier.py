"""What holds after each pass, so that a pass which breaks it is found at once and named.

Pure core: every name is bound once, has a type whose lengths are in sight where it is bound, and is read only where it
is in sight. After `fuse` lengths may be computed later than the arrays that have them, and after `inplace` a name may
be bound again and stored into; but still it is bound on each way to where it is read.
"""
from __future__ import annotations

from . import Atom, Block, Const, For, Fun, If, Let, Store, While, core_text, operands


class CoreError(AssertionError):
    """A pass broke the grammar or an invariant: a defect of ours."""


def verify(fun: Fun, after: str, late: bool = False) -> Fun:
    """The function, or CoreError; `late`: it is fused, where lengths that types name may be computed later,
    or has its stores back."""
    Verifier(fun, after, late).function()
    return fun


class Verifier:
    """A walk over a function that knows what may be read where it is."""

    def __init__(self, fun: Fun, after: str, late: bool):
        self.fun, self.after, self.types, self.late = fun, after, fun.types, late
        self.bound: list[str] = []  # all names bound so far, in order
        self.visible: set[str] = set()  # those that may be read here

    def fail(self, message: str):
        raise CoreError(f"after {self.after}: {self.twice() or message}\n{core_text(self.fun)}")

    def twice(self) -> str | None:
        names = [*self.fun.params, *self.bound]
        return (None if self.late or len(set(names)) == len(names)
                else f"{next(n for k, n in enumerate(names) if n in names[:k])} is bound twice")

    def function(self) -> None:
        for p in self.fun.params:  # dims of parameters name integers that the body binds from their shapes
            if p not in self.types:
                self.fail(f"{p} has no type")
            self.visible.update([p], self.types[p].names)
        self.block(self.fun.body)
        if message := self.twice():
            self.fail(message)

    def block(self, block: Block) -> None:
        for stmt in block.stmts:
            if type(stmt) is Let:
                self.reads(stmt.args)
                self.bind(stmt.names)
            elif type(stmt) is Store:
                self.reads((stmt.target, *stmt.atoms, stmt.value))
            else:
                self.reads(operands(stmt))
                (self.branch if type(stmt) is If else self.loop)(stmt)
        self.reads(block.results)

    def branch(self, stmt: If) -> None:
        for inner in (stmt.then, stmt.orelse):
            before = len(self.bound), set(self.visible) if self.late else None
            self.block(inner)
            self.same_count(stmt.names, inner.results, "branch results")
            self.leave(*before)
        self.bind(stmt.names)

    def leave(self, count: int, visible: set[str] | None) -> None:
        """Out of a block: what it has bound since is not in sight any more, unless it was before."""
        if visible is None:
            self.visible.difference_update(self.bound[count:])
        else:
            self.visible = visible

    def loop(self, stmt: For | While) -> None:
        self.same_count(stmt.carried, stmt.inits, "inits")
        self.same_count(stmt.carried, stmt.body.results, "next values")
        if isinstance(stmt, While) and stmt.test not in stmt.carried:
            self.fail(f"while {stmt.test}: not carried")
        before = len(self.bound), set(self.visible) if self.late else None
        self.bind((stmt.index,) if isinstance(stmt, For) else ())
        self.bind(stmt.carried)
        self.block(stmt.body)
        self.leave(*before)
        self.visible.update(stmt.carried)

    def bind(self, names: tuple[str, ...]) -> None:
        for name in names:
            t = self.types.get(name)
            if t is None:
                self.fail(f"{name} has no type")
            if t.dims and not self.late and not t.names <= self.visible:
                self.fail(f"the type of {name} ({t}) names {min(t.names - self.visible)}, which is not bound there")
            self.bound.append(name)
            self.visible.add(name)

    def reads(self, atoms: tuple[Atom, ...]) -> None:
        for atom in atoms:
            if isinstance(atom, str):
                if atom not in self.visible:
                    self.fail(f"{atom} is read but not bound there")
            elif not isinstance(atom, Const):
                self.fail(f"{atom!r} is not an atom")

    def same_count(self, xs, ys, what: str) -> None:
        if len(xs) != len(ys):
            self.fail(f"{what}: {xs} against {ys}")
