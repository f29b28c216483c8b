"""What holds of loop core after each pass, so that a pass which breaks it is found at once and named.

A name is bound on each way to where it is read, has a dtype, and memory is given to it in one place; nothing binds the
index of a loop that is open.
"""
from __future__ import annotations

from .core import Alloc, Assign, Assigns, Function, If, Loop, Name, Stmt, Store, While
from .show import show
from .walking import bound_by, names_in, reads


class LoopError(AssertionError):
    """A pass broke the grammar or an invariant: a defect of ours."""


def verify_loops(f: Function, after: str) -> Function:
    """The function, or LoopError."""
    LoopVerifier(f, after).function()
    return f


class LoopVerifier:
    def __init__(self, f: Function, after: str):
        self.f, self.after = f, after
        self.allocated: set[str] = set()
        self.open: list[str] = []  # indices of loops

    def fail(self, message: str):
        raise LoopError(f"after {self.after}: {message}\n{show(self.f)}")

    def function(self) -> None:
        known = {p.id for p in self.f.params}
        self.block(self.f.body, known)
        for r in self.f.results or ():
            self.read(r, known)

    def block(self, stmts: tuple[Stmt, ...], known: set[str]) -> None:
        """`known` are the names that may be read, and gets those that the block binds for sure."""
        for stmt in stmts:
            for e in reads(stmt):
                self.read(e, known)
            for name in bound_by(stmt):
                self.bind(name, known)
            match stmt:
                case Alloc():
                    if stmt.name.id in self.allocated:
                        self.fail(f"memory is given to {stmt.name.id} in two places")
                    self.allocated.add(stmt.name.id)
                case Loop():
                    self.open.append(stmt.index.id)
                    self.block(stmt.body, set(known))
                    self.open.pop()
                case While():
                    self.block(stmt.body, set(known))
                case If():
                    then, orelse = set(known), set(known)
                    self.block(stmt.then, then)
                    self.block(stmt.orelse, orelse)
                    known |= then & orelse
                case Assign():
                    self.same(stmt.name, stmt.value)
                case Assigns() if len(stmt.values) > 1:
                    for name, value in zip(stmt.names, stmt.values, strict=True):
                        self.same(name, value)
                case Store():
                    self.same(stmt.array, stmt.value)

    def same(self, name: Name, value) -> None:
        if value.dtype != name.dtype:
            self.fail(f"{name.id} is of {name.dtype}, and its value of {value.dtype}")

    def bind(self, name: Name, known: set[str]) -> None:
        if name.dtype is None:
            self.fail(f"{name.id} has no dtype")
        if name.id in self.open:
            self.fail(f"{name.id}, the index of a loop, is bound in it")
        known.add(name.id)

    def read(self, e, known: set[str]) -> None:
        for name in names_in(e):
            if name.id not in known and name.dtype is not None:  # a function of the module has none
                self.fail(f"{name.id} is read but not bound there")
