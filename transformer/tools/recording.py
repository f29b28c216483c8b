"""A run of generated source, line by line: what each statement has bound, each time.

Python tells a tracing function (`sys.settrace`) which line comes next; what the statement before it binds is read from
the frame then.  Nothing is written into the source, so that what is looked at is what runs.
"""
from __future__ import annotations

import ast
import contextlib
import functools
import math
import sys
import types
from dataclasses import dataclass, field
from typing import Any, Callable

import numpy as np

from ..readable import Source

FIRST = 6  # numbers of an array that are kept
VISITS = 500  # of a line, that are kept; the others are counted


@dataclass(frozen=True)
class Glimpse:
    """What is kept of a value: its kind, not the value itself, which may change later."""

    kind: str  # "float64[3, 4]", "int"
    norm: float | None  # of numbers: the 2-norm
    first: tuple  # the first numbers, in C order; else a text
    bad: int = 0  # how many are NaN or infinite

    @property
    def text(self) -> str:
        shown = ", ".join([x if isinstance(x, str) else f"{x:.6g}" for x in self.first])
        if "[" not in self.kind or self.norm is None:
            return shown
        return f"[{shown}{', ...' if len(self.first) == FIRST else ''}]"


def glimpse(value: Any) -> Glimpse:
    """What is kept of a value."""
    if type(value) is float:  # most of what long loops bind
        return Glimpse("float", abs(value), (value,), int(not math.isfinite(value)))
    number = isinstance(value, (bool, int, float, complex, np.generic, np.ndarray))
    if number and np.asarray(value).dtype.kind in "biufc":
        return glimpse_of_numbers(value)
    leaves = value if isinstance(value, (list, tuple)) else [*value.values()] if isinstance(value, dict) else []
    bad = sum([glimpse(leaf).bad for leaf in leaves if isinstance(leaf, (float, complex, np.generic, np.ndarray))])
    text = f"{len(value)} items" if isinstance(value, (list, tuple, dict)) else type(value).__name__
    return Glimpse(type(value).__name__, None, (text,), bad)


def glimpse_of_numbers(value: Any) -> Glimpse:
    array = np.asarray(value)
    kind = f"{array.dtype}{[*array.shape]}" if isinstance(value, np.ndarray) else type(value).__name__
    first = [x.item() for x in array.ravel()[:FIRST]]
    with np.errstate(all="ignore"):
        bad = int(array.size - np.count_nonzero(np.isfinite(array))) if array.dtype.kind in "fc" else 0
        norm = float(np.sqrt(np.sum(np.abs(array.astype(complex if array.dtype.kind == "c" else float)) ** 2)))
    return Glimpse(kind, norm, tuple([str(x) if isinstance(x, (bool, complex)) else x for x in first]), bad)


@dataclass
class Statement:
    """A statement of the source, without those inside of it."""

    node: ast.stmt
    line: int
    end: int  # the last line of its first part: of a loop, the line with the colon
    binds: tuple[str, ...]
    reads: tuple[str, ...]
    inside: range = range(0)  # the lines of its body

    @functools.cached_property
    def part(self) -> tuple[str, types.CodeType] | None:
        """Of a store into a part: the name of the whole, and the part, to be read."""
        match self.node:
            case ast.Assign(targets=[ast.Subscript() as target]) | ast.AugAssign(target=ast.Subscript() as target):
                return base_name(target), compile(ast.unparse(target), "<part>", "eval")
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append"))):
                return name, compile(f"{name}[-1]", "<part>", "eval")
        return None

    @functools.cached_property
    def unset(self) -> bool:
        """Is what it binds memory that nothing has been stored into?"""
        match self.node:
            case ast.Assign(value=ast.Call(func=ast.Attribute(value=ast.Name(id="np"), attr="empty" | "empty_like"))):
                return True
        return False


@dataclass
class LineRun:
    """What has happened at a statement."""

    statement: Statement
    count: int = 0
    visits: list[dict[str, Glimpse]] = field(default_factory=list)
    last: dict[str, Glimpse] = field(default_factory=dict)  # of the last visit, kept or not


def statements(tree: ast.AST) -> dict[int, Statement]:
    """{line of the text: the statement that it belongs to}"""
    found: dict[int, Statement] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and not isinstance(node, (ast.Import, ast.ImportFrom, ast.ClassDef)):
            statement = statement_of(node)
            found |= dict.fromkeys(range(statement.line, statement.end + 1), statement)
    return found


def statement_of(node: ast.stmt) -> Statement:
    body = getattr(node, "body", None)
    parts = header_of(node) if body else [node]
    names = [n for part in parts for n in ast.walk(part) if isinstance(n, ast.Name)]
    binds = [n.id for n in names if isinstance(n.ctx, ast.Store)] + stored_into(node)
    if isinstance(node, ast.FunctionDef):
        binds = [a.arg for a in [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]]
    reads = dict.fromkeys([n.id for n in names if isinstance(n.ctx, ast.Load)])
    if not body:
        return Statement(node, node.lineno, node.end_lineno, tuple(binds), tuple(reads))
    inside = range(body[0].lineno, body[-1].end_lineno + 1)
    return Statement(node, node.lineno, max(node.lineno, body[0].lineno - 1), tuple(binds), tuple(reads), inside)


def stored_into(node: ast.stmt) -> list[str]:
    """The names of what a statement changes in place: y of `y[i] = v`, x_tape of `x_tape.append(x)`."""
    match node:
        case ast.Assign(targets=targets):
            flat = [t for target in targets for t in getattr(target, "elts", [target])]
            return [base_name(t) for t in flat if not isinstance(t, ast.Name)]
        case ast.AugAssign(target=ast.Subscript() as target):
            return [base_name(target)]
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name)))) if name not in ("np", "rt"):
            return [name]
    return []


def glimpses_of(statement: Statement, frame, variables: dict, result) -> dict[str, Glimpse]:
    """What a statement has bound: of a store the part that it has stored, as the rest may be memory not yet set."""
    if isinstance(statement.node, ast.Return):
        return {"return": glimpse(result)}
    if statement.part is not None:
        name, part = statement.part
        with contextlib.suppress(Exception):  # else the whole
            return {name: glimpse(eval(part, frame.f_globals, variables))}
    kept = {name: glimpse(variables[name]) for name in statement.binds if name in variables}
    return {name: Glimpse(g.kind, None, ("not set yet",)) for name, g in kept.items()} if statement.unset else kept


def header_of(node: ast.stmt) -> list[ast.AST]:
    """The parts of a loop, a branch or a definition before its body."""
    return [part for part in (getattr(node, name, None) for name in ("target", "iter", "test")) if part is not None]


def base_name(target: ast.AST) -> str:
    """x of x[i].y"""
    while isinstance(target, (ast.Subscript, ast.Attribute, ast.Starred)):
        target = target.value
    return target.id if isinstance(target, ast.Name) else ""


class Recorder:
    """Runs a source and keeps what its lines have bound.

    source: what runs, as it is shown.
    step: called after each statement with it, the frame's variables and the result of a `return`; it may raise.
    """

    def __init__(self, source: Source, step: Callable[[Statement, dict, Any], None] | None = None):
        self.source, self.step = source, step
        self.at = statements(source.located)
        self.lines: dict[int, LineRun] = {s.line: LineRun(s) for s in sorted(self.at.values(), key=lambda s: s.line)}
        self.result: Any = None

    def run(self, *args, **kwargs) -> Any:
        """Call the function of the source as its user does; what it returns."""
        function = self.source.defined()
        outside = sys.gettrace()
        sys.settrace(self.entered)
        try:
            self.result = function(*args, **kwargs)
        finally:
            sys.settrace(outside)
        return self.result

    def entered(self, frame, event, arg):
        if frame.f_code.co_filename != self.source.file or frame.f_code.co_name.startswith("<"):
            return None  # also of comprehensions, which are parts of a statement
        last: list[Statement | None] = [self.at.get(frame.f_code.co_firstlineno)]

        def goes_on(frame, event, arg):
            if event == "exception":
                last[0] = None  # it has bound nothing
            elif event in ("line", "return"):
                statement = self.at.get(frame.f_lineno) if event == "line" else None
                if last[0] is not None and (statement is not last[0] or event == "return"):
                    self.done(last[0], frame, arg if event == "return" else None)
                last[0] = statement
                if statement is not None:
                    self.comes_to(statement, frame)
            return goes_on
        return goes_on

    def comes_to(self, statement: Statement, frame) -> None:
        """A statement is about to run: a subclass may look at what it finds."""

    def done(self, statement: Statement, frame, result) -> None:
        """A statement has run: keep what it has bound."""
        line, variables = self.lines[statement.line], frame.f_locals
        if isinstance(statement.node, (ast.For, ast.While)) and frame.f_lineno not in statement.inside:
            return  # the loop has ended
        line.count += 1
        line.last = glimpses_of(statement, frame, variables, result)
        if len(line.visits) < VISITS:
            line.visits.append(line.last)
        if self.step is not None:
            self.step(statement, variables, result)
