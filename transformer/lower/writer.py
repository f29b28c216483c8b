"""Where the text is collected: lines, names that nothing else has, and the sites where it may stop."""
from __future__ import annotations

import contextlib
import keyword
import re
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..core import Const
from ..types import Type

RESERVED = {"np", "rs", "rl", "rm", "rp", "vm", "range", "float", "int", "bool", "len", "abs", "min", "max", *keyword.kwlist}


@dataclass(frozen=True)
class Site:
    """A place of the text that may stop: `kind` names the built-in exception, `message` has {0}, {1} for its numbers.

    error, values  of an exception that the user raises: what it is made of, and the types of its values (of constants: themselves)
    """

    kind: str
    message: str | None
    origin: Any = None
    error: tuple | None = None
    values: tuple = ()


@dataclass
class Scope:
    """A block of the text: what its names are, and where the line is that opens it.

    kind: "function" (of its own, too, if it is a part of another), "loop" (of the program; `loop` is its statement), "branch" (of the
    program), or "other" (loops of nests).
    """

    kind: str
    head: int = 0
    depth: int = 1
    loop: Any = None
    names: set[str] = field(default_factory=set)
    shared: dict[str, str] = field(default_factory=dict)  # texts that have names


@dataclass
class Writer:
    """Lines of text under construction."""

    types: dict[str, Type]
    lines: list[str] = field(default_factory=list)
    sites: list[Site] = field(default_factory=list)
    functions: list[str] = field(default_factory=list)  # texts of others that this one calls
    used: set[str] = field(default_factory=set)
    depth: int = 1
    origin: Any = None
    bound: set[str] = field(default_factory=set)  # names of integers that the text binds
    steady: set[str] = field(default_factory=set)  # of these, those that are bound once
    small: set[str] = field(default_factory=set)  # names in the text of what is no larger than a size
    sizes: set[str] = field(default_factory=set)  # names in the text of lengths of arrays, or nearly
    texts: dict[str, str] = field(default_factory=dict)
    imports: dict[Any, str] = field(default_factory=dict)  # functions of other modules -> what the text calls them
    routines: dict[Any, str] = field(default_factory=dict)  # operations that are calls of functions of this module -> their names
    scopes: list[Scope] = field(default_factory=lambda: [Scope("function")])

    def __post_init__(self):
        self.used |= set(self.types) | RESERVED

    def beside(self, types: dict[str, Type], bound: set[str], steady: set[str]) -> "Writer":
        """The writer of another function of the module."""
        return Writer(types, sites=self.sites, functions=self.functions, used=self.used, imports=self.imports, routines=self.routines, bound=bound, steady=steady)

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

    def name(self, name: str) -> str:
        """The name as the text has it: its own, unless it means something else there."""
        if name not in self.texts:
            self.texts[name] = self.fresh(name + "_") if name in RESERVED or name[-1].isdigit() else name
        return self.texts[name]

    def alias(self, name: str, other: str) -> None:
        """One more name for an array: the same in the text, where both are bound once."""
        if {name, other} <= self.steady and name not in self.texts:
            self.texts[name] = self.name(other)
        else:
            self.line(f"{self.name(name)} = {self.name(other)}")

    def atom(self, atom, dtype: np.dtype | None = None) -> str:
        """An atom; a constant is written as a number of this dtype."""
        if isinstance(atom, Const):
            return constant(atom.value, np.dtype(dtype or self.type(atom).dtype))
        return self.name(atom)

    def type(self, atom) -> Type:
        from ..types import type_of_number
        return type_of_number(atom.value) if isinstance(atom, Const) else self.types[atom]

    # lines ---------------------------------------------------------------------------------------
    def line(self, text: str) -> None:
        self.lines.append("    " * self.depth + text)

    @contextlib.contextmanager
    def indented(self, head: str, kind: str = "other", loop=None):
        self.line(head)
        self.depth += 1
        self.scopes.append(Scope(kind, len(self.lines) - 1, self.depth, loop))
        yield
        if self.scopes.pop().head == len(self.lines) - 1:
            self.line("pass")
        self.depth -= 1

    @contextlib.contextmanager
    def apart(self):
        """What is written inside goes to a function of its own: its lines, once they are written."""
        outer, lines = (self.lines, self.depth), []
        self.lines, self.depth = [], 1
        self.scopes.append(Scope("function"))
        yield lines
        self.scopes.pop()
        lines += self.lines
        self.lines, self.depth = outer

    @contextlib.contextmanager
    def trial(self):
        """What is written inside is forgotten."""
        before = self.lines[:], self.sites[:], set(self.used), [replace(s, names=set(s.names), shared=dict(s.shared)) for s in self.scopes]
        yield
        self.lines, self.sites, self.used, self.scopes = before

    def let(self, hint: str, text: str) -> str:
        """A line that binds a fresh name; the name.  What is a name or a number already stays as it is."""
        if text.isidentifier() or text.lstrip("-").isdigit():
            return text
        name = self.fresh(hint)
        self.line(f"{name} = {text}")
        self.scopes[-1].names.add(name)
        return name

    def once(self, hint: str, text: str, names) -> str:
        """`let`, as far out as what it names is known and steady, and the same name for the same text."""
        if text.isidentifier() or not names <= self.steady:
            return self.let(hint, text)
        level = self.outermost({self.name(n) for n in names})
        for scope in self.scopes:
            if text in scope.shared:
                return scope.shared[text]
        name = self.fresh(hint)
        self.insert(level, f"{name} = {text}")
        self.scopes[level].names.add(name)
        self.scopes[level].shared[text] = name
        return name

    def in_scope(self, name: str) -> bool:
        """Has the text bound this name here?"""
        return any(self.name(name) in scope.names for scope in self.scopes)

    def outermost(self, names: set[str], allowed=lambda loop: True, branches: bool = False) -> int:
        """The outermost scope, out of loops only, in which all the names are known; `branches`: also out of branches in loops."""
        level = best = len(self.scopes) - 1
        while level and not names & self.scopes[level].names and all(any(n in s.names for s in self.scopes[:level]) for n in names):
            scope = self.scopes[level]
            if scope.kind == "loop" and allowed(scope.loop):
                best = level - 1
            elif not (branches and scope.kind == "branch"):
                break
            level -= 1
        return best

    def insert(self, level: int, text: str) -> None:
        """A line at the end of what a scope has so far, before the loops that are open in it."""
        if level == len(self.scopes) - 1:
            return self.line(text)
        inner = self.scopes[level + 1:]
        self.lines.insert(inner[0].head, "    " * self.scopes[level].depth + text)
        for scope in inner:
            scope.head += 1

    def number(self, dim, hint: str = "n") -> str | None:
        """The text of a polynomial: a literal or a name; None where the text does not bind all of its names."""
        if dim.constant is not None:
            return str(dim.constant)
        if not all(self.in_scope(n) for n in dim.names):
            return None
        texts = {n: self.name(n) for n in dim.names}
        name = self.once(hint, polynomial(dim, texts), dim.names)
        if set(texts.values()) <= self.small and all(len(m) <= 1 and abs(c) == 1 for m, c in dim.terms if m):
            self.small.add(name)
            if set(texts.values()) <= self.sizes and len(texts) == 1:
                self.sizes.add(name)
        return name

    # stopping ------------------------------------------------------------------------------------
    def site(self, kind: str, message: str | None, origin=None, **raised) -> int:
        site = Site(kind, message, self.origin if origin is None else origin, **raised)
        if site not in self.sites:
            self.sites.append(site)
        return self.sites.index(site)

    def check(self, condition: str, kind: str, message: str, *numbers: str) -> None:
        """Stop unless the condition holds."""
        a, b = (*numbers, "0", "0")[:2]
        self.line(f"rs.check({condition}, {self.site(kind, message)}, {a}, {b})")

    def check_early(self, name: str, condition: str, kind: str, message: str, *numbers: str) -> None:
        """`check` of a number that all elements share: before the loops of its nest, which may have no iterations."""
        level = len(self.scopes) - 1
        while self.scopes[level].kind == "other" and name not in self.scopes[level].names:
            level -= 1
        a, b = (*numbers, "0", "0")[:2]
        text = f"rs.check({condition}, {self.site(kind, message)}, {a}, {b})"
        if text not in self.scopes[level].shared:
            self.scopes[level].shared[text] = text
            self.insert(level, text)


def constant(value, dtype: np.dtype) -> str:
    """A number as text: of a NumPy dtype where Python's own number would mean another one."""
    if dtype.kind == "b":
        return repr(bool(value))
    if dtype.kind in "iu":
        return repr(int(value)) if dtype == np.int64 else f"np.{dtype.name}({int(value)})"
    value = float(value)
    text = "np.nan" if value != value else "np.inf" if value == np.inf else "-np.inf" if value == -np.inf else repr(value)
    return text if dtype == np.float64 else f"np.{dtype.name}({text})"


def is_name(text: str) -> bool:
    """A name or a number."""
    return bool(re.fullmatch(r"[A-Za-z_]\w*|-?\d+(\.\d*)?(e[-+]?\d+)?", text))


def is_atomic(text: str) -> bool:
    """Does it need no parentheses as an operand: is it a name, a number without a sign, a call, an element?"""
    if is_name(text):
        return not text.startswith("-")
    depth = 0
    for at, c in enumerate(text):
        depth += (c in "([") - (c in ")]")
        if depth == 0 and not (c.isalnum() or c in "_.)]"):
            return False
        if depth == 0 and c in ")]" and at != len(text) - 1 and text[at + 1] not in ".[(":
            return False
    return text[0] != "("


def atomic(text: str) -> str:
    """The text of an operand: whatever operator it comes to stand beside, it stays together."""
    return text if is_atomic(text) or bare(text) != text else f"({text})"


def bare(text: str) -> str:
    """Without parentheses around all of it."""
    if not (text.startswith("(") and text.endswith(")")):
        return text
    depth = 0
    for at, c in enumerate(text):
        depth += (c == "(") - (c == ")")
        if depth == 0 and at != len(text) - 1:
            return text
    return text[1:-1]


def dtype_text(dtype) -> str:
    dtype = np.dtype(dtype)
    return "np.bool_" if dtype == bool else f"np.{dtype.name}"


def polynomial(dim, names: dict[str, str]) -> str:
    """A polynomial as text, with what its names are called there."""
    parts = []
    for monomial, c in sorted(dim.terms, key=lambda t: (t[1] < 0, t[0] == (), t)):
        factors = ([str(abs(c))] if abs(c) != 1 or not monomial else []) + [names[n] for n in monomial]
        parts.append(("- " if c < 0 else "+ " if parts else "") + " * ".join(factors))
    return " ".join(parts) or "0"


def tuple_text(parts) -> str:
    parts = list(parts)
    return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"
