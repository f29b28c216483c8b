"""`g.why("x", ...)`: which statements of the generated source make up the adjoint of a variable, and by what rules.

Which they are, `adjoint_statements` knows.  What a statement mirrors says its origin; the rules are those of the
operations in the user's statement that lead away from `x`.
"""
from __future__ import annotations

import ast
import builtins
import html
import re
import sys
import textwrap
import types
from dataclasses import dataclass
from typing import Any

from ..core import split_name
from ..errors.messages import Origin, UnsupportedError
from ..frontend.capture import Captured
from ..programs.program import Program
from ..readable import Source
from .adjoint_statements import ROLES, adjoint_statements, names_stored_by, stores_zero
from .calls import users_function
from .latex import statement_in_latex
from .recording import Statement, header_of
from .rule_text import rules_behind

MODULES = (types.ModuleType, type(None))


@dataclass(frozen=True)
class Contribution:
    """A statement of generated source that stores to the adjoint, or the tangent, of a variable.

    line, text: where it is in the source, and what; origin: the user's place that it comes from, and place: that in
    words, "line 3", "line 96 of dense"; rules: formulas of the operations there, as docs/rules.md has them
    latex: the statement as a formula
    """

    line: int
    text: str
    origin: Origin | None
    place: str
    rules: tuple[str, ...]
    latex: str

    @property
    def users_line(self) -> int:
        """The number of the user's line; 0 where there is none."""
        return self.origin.line if self.origin else 0

    @property
    def users_text(self) -> str:
        return self.origin.first_text if self.origin else ""


@dataclass(frozen=True)
class Explanation:
    """What `why` of a transformed function returns; it prints as a list of statements with their rules.

    name: the variable; title: the transformed function; contributions: a `Contribution` for each statement, in the
    order of the source; remark: what is to be said where there are none, or none but zeros.
    """

    name: str
    title: str
    contributions: tuple[Contribution, ...]
    remark: str = ""

    def __str__(self):
        parts = [f"{self.name} in {self.title}"]
        for c in self.contributions:
            parts.append(f"{c.line:>5}  {c.text}")
            parts += [f"{'':7}    {c.place}: {c.users_text}"] if c.origin else []
            parts += [f"{'':7}    rule of {rule}" for rule in c.rules]
        return "\n".join([*parts, *([self.remark] if self.remark else [])])

    __repr__ = __str__

    def latex(self) -> str:
        """The statements as formulas, one below the other."""
        if not self.contributions:
            return ""
        rows = [re.sub(r" (=|\\mathrel)", r" &\1", c.latex, count=1) for c in self.contributions]
        return "\\begin{aligned}\n" + " \\\\\n".join(rows) + "\n\\end{aligned}"

    def _repr_latex_(self):
        return f"${self.latex()}$" if self.contributions else None

    def _repr_html_(self):
        rows = "".join([row_in_html(c) for c in self.contributions])
        titles = "".join([f"<th style='text-align:left'>{t}</th>" for t in ("line", "source", "your line", "rules")])
        remark = f"<p>{html.escape(self.remark)}</p>" if self.remark else ""
        return (f"<p>{html.escape(f'{self.name} in {self.title}')}</p>"
                + (f"<table><thead><tr>{titles}</tr></thead><tbody>{rows}</tbody></table>" if rows else "") + remark)


def row_in_html(c: Contribution) -> str:
    rules = "<br>".join(map(html.escape, c.rules))
    return (f"<tr><td>{c.line}</td><td style='text-align:left'><code>{html.escape(c.text)}</code></td>"
            f"<td style='text-align:left'>{c.place} <code>{html.escape(c.users_text)}</code></td>"
            f"<td style='text-align:left'>{rules}</td></tr>")


def explained(owner, name: str, args: tuple, kwargs: dict[str, Any]) -> Explanation:
    """Where the adjoint of a variable comes from, in the source for arguments like these."""
    if owner.target != "cpu" or owner.title in ("pmap", "shard_map"):
        raise UnsupportedError(None, "an explanation of a function that runs on a GPU, or on several devices",
                               instead="Ask without target=, with arrays of NumPy, and of gs.vmap for gs.pmap.")
    program = owner._cache.lookup(args, kwargs)
    source, main = program.source(program.signature()), users_function(owner, program)
    found, remark = adjoint_statements(name, owner, source, main)
    made = tuple([contribution(s, variable, source, main) for s, variable in found])
    return Explanation(name, repr(owner).replace("gradscribe.", ""), made,
                       remark or remark_on(name, [s for s, _ in found], program))


# one statement ----------------------------------------------------------------------------------------
def contribution(statement: Statement, name: str, source: Source, main: Captured) -> Contribution:
    origin = source.line_map.get(statement.line)
    lines = source.text.split("\n")[statement.line - 1:statement.end]
    text = textwrap.dedent("\n".join(lines)).strip()
    inside = f" of {origin.function}" if origin and origin.function not in ("", main.name) else ""
    place = f"line {origin.line}{inside}" if origin else ""
    return Contribution(statement.line, text, origin, place, tuple(rules_at(statement, name, origin, main)),
                        statement_in_latex(statement.node))


def rules_at(statement: Statement, name: str, origin: Origin | None, main: Captured) -> list[str]:
    """The rules of the user's operations behind a statement; none where it starts with a zero."""
    roles = {found[1] for n in names_stored_by(statement) if (found := re.fullmatch(".+?" + ROLES, n))}
    if origin is None or stores_zero(statement.node) or any("_bar" in r and "_dot" in r for r in roles):
        return []
    parts = parts_of_text(origin)
    scope = resolver_at(origin, main)
    return rules_behind(parts, name, scope, forward=all("_dot" in r for r in roles))


def parts_of_text(origin: Origin) -> list[ast.AST]:
    """What the user's statement consists of, without the body of a loop or a branch; nothing where that is no text of
    its own, as of `elif`."""
    text = textwrap.dedent(origin.segment)
    for candidate in (text, f"{origin.first_text}\n    pass", origin.first_text):
        try:
            tree = ast.parse(candidate)
        except SyntaxError:
            continue
        return [part for s in tree.body for part in (header_of(s) if hasattr(s, "body") else [s])]
    return []


def resolver_at(origin: Origin, main: Captured):
    """A function that says what a dotted name is at a place; None for variables, and for what is unknown."""
    function = main.function if origin.function == main.name else main.globals.get(origin.function)
    code = getattr(function, "__code__", None)
    local = {*code.co_varnames, *code.co_cellvars} if code else set()
    names: dict[str, Any] = {**vars(builtins), **globals_at(origin, main)}

    def resolve(dotted: str) -> Any:
        first, *rest = dotted.split(".")
        value = None if first in local else names.get(first)
        for part in rest:
            value = getattr(value, part, None) if isinstance(value, MODULES) else None
        return value
    return resolve


def globals_at(origin: Origin, main: Captured) -> dict[str, Any]:
    if origin.file == main.file:
        return main.globals | {n: c.cell_contents for n, c in main.freevars.items() if has_value(c)}
    return next((vars(m) for m in [*sys.modules.values()] if getattr(m, "__file__", None) == origin.file), {})


def has_value(cell: types.CellType) -> bool:
    try:
        cell.cell_contents
    except ValueError:
        return False
    return True


# where there are none -------------------------------------------------------------------------------
def remark_on(name: str, stored: list[Statement], program: Program) -> str:
    """What is to be said of a variable without an adjoint, or with one that is zero."""
    if stored and all(stores_zero(s.node) for s in stored):
        return f"The result does not depend on {name}: this is zero."
    if stored:
        return ""
    known = [t for n, t in program.core.types.items() if split_name(n)[0] == name]
    if known and not any(t.dtype.kind in "fc" for t in known):
        return f"{name} has no derivative: it is of type {known[0].dtype}, and only floats have derivatives."
    return (f"No statement stores an adjoint or a tangent of {name}: it is not asked for, the result does not depend "
            f"on {name}, or it is a part of another statement.")
