"""Where a function of loop core is put together:
blocks that are open, names that nothing else has, and the sites where it may stop."""
from __future__ import annotations

import contextlib
import itertools
import keyword
from dataclasses import dataclass, field, replace
from typing import Any, Iterator

import numpy as np

from ..core import Const
from ..core.types import Dim, Type, type_of_number
from ..loop_core.core import (ONE, Alloc, Assign, Call, Check, Do, Expr, Function, If, Loop, Name, Share, Stmt, Store,
                              While, expr, integer, is_simple, number, product)

RESERVED = {"np", "rc", "rs", "rl", "rm", "rp", "sp", "vm", "range", "float", "int", "bool", "len", "abs", "min",
            "max", "cuda", "cx", "dev", "gpu", "sf", "un", "flag", "room", "thread", *keyword.kwlist}


@dataclass(frozen=True)
class CheckSite:
    """A place of the text that may stop: `kind` names the built-in exception, `message` has {0}, {1} for its numbers.

    error, values  of an exception that the user raises: what it is made of, and the types of its values (of constants:
    themselves)
    """

    kind: str
    message: str | None
    origin: Any = None
    error: tuple | None = None
    values: tuple = ()


@dataclass
class Scope:
    """A block that is open.

    kind: "function", "loop" (of the program; `loop` is its statement), "shared" (a loop of the program whose iterations
    become a function), "branch" (of the program), or "other" (loops of nests).
    """

    kind: str
    loop: Any = None
    body: list[Stmt] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    known: dict[Expr, Name] = field(default_factory=dict)  # values that have names


@dataclass
class Writer:
    """A function under construction."""

    types: dict[str, Type]
    sites: list[CheckSite] = field(default_factory=list)
    used: set[str] = field(default_factory=set)
    origin: Any = None
    covers: tuple = ()  # the places of what is written as a whole, such as a kernel; else each statement is of `origin`
    bound: set[str] = field(default_factory=set)  # names of integers that the function binds
    steady: set[str] = field(default_factory=set)  # of these, those that are bound once
    fixed: set[str] = field(default_factory=set)  # what the text calls those
    small: set[str] = field(default_factory=set)  # names of what is no larger than a size
    sizes: set[str] = field(default_factory=set)  # names of lengths of arrays, or nearly
    texts: dict[str, str] = field(default_factory=dict)
    functions: list[Function] = field(default_factory=list)  # others of the module, which this one calls
    imports: dict[Any, str] = field(default_factory=dict)  # functions of other modules -> what the text calls them
    # operations that are calls of functions of this module -> their names
    routines: dict[Any, str] = field(default_factory=dict)
    scopes: list[Scope] = field(default_factory=lambda: [Scope("function")])
    places: Iterator[int] = field(default_factory=lambda: itertools.count(1))  # for what has a number of its own
    placeholders: int = 0
    threads: bool = False  # for a GPU: float32 is summed without float64, and a small product is one of threads

    def __post_init__(self):
        self.used |= set(self.types) | RESERVED

    def beside(self, types: dict[str, Type], bound: set[str], steady: set[str]) -> "Writer":
        """The writer of another function of the module."""
        return Writer(types, sites=self.sites, functions=self.functions, used=self.used, imports=self.imports,
                      routines=self.routines, bound=bound, steady=steady, places=self.places, threads=self.threads)

    # names and atoms ---------------------------------------------------------------------------
    def fresh(self, hint: str) -> str:
        """A name that nothing has.  None ends in a digit: numba names what it loads by name and place, so that it takes
        the variable n at 1438 for the variable n1 at 438."""
        hint += "_" * hint[-1].isdigit()
        name, number = hint, 0
        while name in self.used:
            number += 1
            name = f"{hint}{number}_"
        self.used.add(name)
        return name

    def new(self, hint: str, dtype=np.int64) -> Name:
        return Name(self.fresh(hint), np.dtype(dtype))

    def name(self, name: str) -> Name:
        """A name of the program as the text has it: its own, unless it means something else there."""
        if name not in self.texts:
            self.texts[name] = self.fresh(name + "_") if name in RESERVED or name[-1].isdigit() else name
            if name in self.steady:
                self.fixed.add(self.texts[name])
        t = self.types.get(name)
        return Name(self.texts[name], np.dtype(np.int64) if t is None else t.dtype)

    def atom(self, atom, dtype: np.dtype | None = None) -> Expr:
        """An atom; a constant is a number of this dtype."""
        return number(atom.value, dtype or self.type(atom).dtype) if isinstance(atom, Const) else self.name(atom)

    def type(self, atom) -> Type:
        return type_of_number(atom.value) if isinstance(atom, Const) else self.types[atom]

    # statements ----------------------------------------------------------------------------------
    def add(self, stmt: Stmt) -> None:
        places = self.covers or (self.origin,)
        self.scopes[-1].body.append(replace(stmt, origins=tuple([o for o in places if o is not None])))

    @contextlib.contextmanager
    def covering(self, origins):
        """All that is written inside is of these places together."""
        self.covers = tuple(dict.fromkeys(origins))
        yield
        self.covers = ()

    def assign(self, name: Name, value) -> None:
        self.add(Assign(name, expr(value)))

    def store(self, array: Name, index, value, add: bool = False) -> None:
        self.add(Store(array, tuple(index), expr(value), add))

    def alias(self, name: str, other: Expr) -> None:
        """One more name for an array: the same in the text, where both are bound once."""
        if name in self.steady and name not in self.texts and other.id in self.fixed:
            self.texts[name] = other.id
        else:
            self.assign(self.name(name), other)

    def call(self, call: Call) -> None:
        """A call for what it does."""
        self.add(Do(call))

    @contextlib.contextmanager
    def block(self, kind: str = "other", loop=None, names=()):
        """A block that is open while the statements inside are written: their list."""
        self.scopes.append(Scope(kind, loop, names={n.id for n in names}))
        yield self.scopes[-1].body
        self.scopes.pop()

    @contextlib.contextmanager
    def loop(self, index: Name, start, stop, step: Expr = ONE, kind: str = "sequential", of=None,
             share: Share | None = None):
        """A loop; `of`: the program's own statement that it is."""
        with self.block("other" if of is None else "shared" if share else "loop", of, (index,)) as body:
            yield
        self.origin = self.origin if of is None else of.origin
        self.add(Loop(index, expr(start), expr(stop), step, tuple(body), kind, share))

    @contextlib.contextmanager
    def rounds(self, test: Expr, of):
        with self.block("loop", of) as body:
            yield
        self.origin = of.origin
        self.add(While(test, tuple(body)))

    @contextlib.contextmanager
    def when(self, test: Expr):
        with self.block("branch") as body:
            yield
        self.add(If(test, tuple(body)))

    def let(self, hint: str, value) -> Expr:
        """The value under a fresh name.  What is a name or an integer already stays as it is."""
        if isinstance(value, Name) or integer(value) is not None:
            return value
        name = self.new(hint, value.dtype)
        self.assign(name, value)
        self.scopes[-1].names.add(name.id)
        return name

    def variable(self, hint: str, value: Expr) -> Name:
        """A fresh name that is bound again later; its first value."""
        name = self.new(hint, value.dtype)
        self.assign(name, value)
        return name

    def once(self, hint: str, value: Expr, names) -> Expr:
        """`let`, as far out as what it names is known and steady, and the same name for the same value."""
        if isinstance(value, Name) or not names <= self.steady:
            return self.let(hint, value)
        for scope in self.scopes:
            if value in scope.known:
                return scope.known[value]
        scope = self.scopes[self.outermost({self.name(n).id for n in names})]
        name = scope.known[value] = self.new(hint, value.dtype)
        scope.body.append(Assign(name, value))
        scope.names.add(name.id)
        return name

    def placeholder(self, hint: str, value: Expr, keep: bool = False) -> Expr:
        """A value that gets a name where it is read more than once, or always: `loops.naming` decides."""
        if is_simple(value):
            return value
        self.placeholders += 1
        name = Name(f"{self.placeholders} {hint}", value.dtype)
        self.add(Assign(name, value, hint, keep))
        return name

    def in_scope(self, name: str) -> bool:
        """Has the text bound this name here?"""
        return any(self.name(name).id in scope.names for scope in self.scopes)

    def outermost(self, names: set[str]) -> int:
        """The outermost scope, out of loops only, in which all the names are known."""
        level = len(self.scopes) - 1
        while self.scopes[level].kind in ("loop", "shared") and not names & self.scopes[level].names and all(
                any(n in s.names for s in self.scopes[:level]) for n in names):
            level -= 1
        return level

    def leaves(self, local) -> int:
        """Out of how many of the program's loops an array may go of which nothing is left after an iteration of those
        of which `local` says so."""
        count = 0
        for scope in reversed(self.scopes):
            if scope.kind in ("function", "other") or scope.kind != "branch" and not local(scope.loop):
                break
            count += scope.kind != "branch"
            if scope.kind == "shared":
                break
        return count

    def alloc(self, name: Name, shape: list[Expr], zeroed: bool = False, leaves: int = 0,
              branches: bool = False) -> None:
        self.add(Alloc(name, tuple(shape), zeroed, leaves, branches))

    def number(self, dim: Dim | None, hint: str = "n") -> Expr | None:
        """A polynomial: a number or a name; None where it is not known, or the text does not bind all of its names."""
        if dim is not None and dim.constant is not None:
            return expr(dim.constant)
        if dim is None or not all(self.in_scope(n) for n in dim.names):
            return None
        names = {n: self.name(n) for n in dim.names}
        name, texts = self.once(hint, lower_polynomial(dim, names), dim.names), {n.id for n in names.values()}
        if texts <= self.small and all(len(m) <= 1 and abs(c) == 1 for m, c in dim.terms if m):
            self.small.add(name.id)
            if texts <= self.sizes and len(texts) == 1:
                self.sizes.add(name.id)
        return name

    # stopping ------------------------------------------------------------------------------------
    def site(self, kind: str, message: str | None, origin=None, **raised) -> int:
        site = CheckSite(kind, message, self.origin if origin is None else origin, **raised)
        if site not in self.sites:
            self.sites.append(site)
        return self.sites.index(site)

    def check(self, condition: Expr, kind: str, message: str, *numbers: Expr) -> None:
        """Stop unless the condition holds."""
        self.add(Check(condition, self.site(kind, message), numbers))

    def check_all(self, condition: Expr, site: int, numbers) -> None:
        self.add(Check(condition, site, tuple(numbers), several=True))

    def check_early(self, condition: Expr, kind: str, message: str, *numbers: Expr) -> None:
        """`check` of a number that all elements share: before the loops of its nest, which may have no iterations."""
        inner = next(k for k, scope in enumerate(reversed(self.scopes)) if scope.kind != "other")
        self.add(Check(condition, self.site(kind, message), numbers, leaves=inner))


def lower_polynomial(dim, names: dict[str, Expr]) -> Expr:
    """A polynomial, with what its names are called."""
    total = None
    for monomial, c in sorted(dim.terms, key=lambda t: (t[1] < 0, t[0] == (), t)):
        factors = [expr(abs(c))] if abs(c) != 1 or not monomial else []
        term = product([*factors, *(names[n] for n in monomial)])
        total = (-term if c < 0 else term) if total is None else total - term if c < 0 else total + term
    return expr(0) if total is None else total


def letters(k: int) -> str:
    return "ijklmn"[min(k, 5)]
