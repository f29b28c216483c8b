"""Where in a run NaN, or an infinity, comes from numbers that are finite: the first line of the generated source that
makes one, and the user's line which that is for.

What a statement makes is looked at after it has run; what it read is looked at only then and only if that is bad, with
what the statement itself has changed put back.
"""
from __future__ import annotations

import ast
import functools
from dataclasses import dataclass
from types import CodeType
from typing import Any, Iterator

import numpy as np

from ..errors.messages import Problem
from ..readable import Source
from .recording import Recorder, Statement, base_name, glimpse

KINKS = ("docs/kinks.md says where slopes are infinite; choose by np.where, or by a branch, before it happens, or\n"
         "write the derivative yourself, with gs.custom_vjp.")
PRIMAL = "Look at the values above: test for them before this line, or choose by np.where what has a value."


def bad_places(value: Any, infs: bool) -> np.ndarray | None:
    """Which numbers of a value are NaN, or, if asked, infinite; None of what has no floats."""
    if isinstance(value, (float, complex, np.inexact, np.ndarray)):
        array = np.asarray(value)
        if array.dtype.kind in "fc":
            return ~np.isfinite(array) if infs else np.isnan(array)
    return None


def is_bad(value: Any, infs: bool = False) -> bool:
    """Is a number in a value, or in a tuple, list or dict, NaN, or infinite, if that is asked?"""
    if isinstance(value, (tuple, list, dict)):
        return any([is_bad(x, infs) for x in (value.values() if isinstance(value, dict) else value)])
    places = bad_places(value, infs)
    return places is not None and bool(places.any())


def compiled_expression(node: ast.expr) -> CodeType:
    return compile(ast.unparse(node), "<part of a line>", "eval")  # unparsed: a target is read here


@dataclass
class MadeValue:
    """A value that a statement makes."""

    text: str  # how it is spelled
    code: CodeType | None  # what reads it; None of what is returned
    parts: list[ast.expr]  # of what it is computed
    at: tuple[int, ...] = ()  # of what is returned: which item
    old: bool = False  # is it computed of what was there before, as well?

    @functools.cached_property
    def reads(self) -> dict[str, CodeType]:
        """{how what it is computed of is spelled: what reads that}"""
        return {ast.unparse(x): compiled_expression(x) for part in self.parts for x in looked_up(part)}


def values_made(node: ast.stmt) -> list[MadeValue]:
    """What a statement makes that may be NaN."""
    match node:
        case ast.Assign(targets=targets, value=value):
            return values_assigned(targets, value)
        case ast.AugAssign(target=target, value=value):
            return [made_of_target(target, [value], old=True)]
        case ast.For(target=target, iter=values):
            return [made_of_target(n, [values]) for n in ast.walk(target) if isinstance(n, ast.Name)]
        case ast.Return(value=ast.Tuple(elts=values)):
            return [MadeValue(f"result {k + 1}", None, [v], (k,)) for k, v in enumerate(values)]
        case ast.Return(value=ast.expr() as value):
            return [MadeValue("the result", None, [value])]
        case ast.Expr(value=ast.Call(args=args, keywords=keywords) as call):  # it may store into what it is given
            given = [*args, *[k.value for k in keywords]]
            return [made_of_target(x, [call], old=True) for x in given if isinstance(x, (ast.Name, ast.Subscript))]
    return []


def values_assigned(targets: list[ast.expr], value: ast.expr) -> list[MadeValue]:
    flat = [t for target in targets for t in getattr(target, "elts", [target])]
    if len(targets) == 1 and isinstance(value, ast.Tuple) and len(value.elts) == len(flat):
        return [made_of_target(t, [v]) for t, v in zip(flat, value.elts)]
    return [made_of_target(t, [value]) for t in flat if not isinstance(t, ast.Starred)]


def made_of_target(target: ast.expr, parts: list[ast.expr], old: bool = False) -> MadeValue:
    return MadeValue(ast.unparse(target), compiled_expression(target), parts, old=old)


def looked_up(node: ast.AST) -> Iterator[ast.expr]:
    """The largest parts of an expression that only look something up: x, x[i - 1], np.nan."""
    if isinstance(node, (ast.Name, ast.Subscript, ast.Attribute)) and base_name(node):
        yield node
    elif isinstance(node, ast.Call):
        yield from looked_up(node.func.value if isinstance(node.func, ast.Attribute) else node.func)
        for part in (*node.args, *node.keywords):
            yield from looked_up(part)
    else:
        for part in ast.iter_child_nodes(node):
            yield from looked_up(part)


def makes_unset_memory(node: ast.AST) -> bool:
    """Does an expression make memory that nothing has been stored into yet?"""
    return any([isinstance(n, ast.Attribute) and n.attr in ("empty", "empty_like") for n in ast.walk(node)])


class NanFinder(Recorder):
    """Runs a source, and raises FloatingPointError at the first line which makes NaN, or what else is looked for.

    infs: also infinities?
    """

    def __init__(self, source: Source, infs: bool):
        super().__init__(source)
        self.infs = infs
        self.raised: FloatingPointError | None = None  # what has been found
        self.made: dict[int, list[MadeValue]] = {}  # line -> what its statement makes
        self.before: dict[Any, list] = {}  # frame -> what was where the statement that runs in it stores

    def comes_to(self, statement: Statement, frame) -> None:
        made = self.made.get(statement.line)
        if made is None:
            made = self.made[statement.line] = values_made(statement.node)
        self.before[frame] = [self.kept(one, frame) for one in made]

    def kept(self, made: MadeValue, frame) -> Any:
        """What is there before the statement runs: a copy of what the statement may change in place."""
        if made.code is None:
            return None
        value = value_in(made.code, frame)
        in_place = made.old or "[" in made.text
        return value.copy() if in_place and isinstance(value, np.ndarray) else value

    def done(self, statement: Statement, frame, result) -> None:
        if isinstance(statement.node, (ast.For, ast.While)) and frame.f_lineno not in statement.inside:
            return  # the loop has ended
        for made, old in zip(self.made.get(statement.line, ()), self.before.pop(frame, ())):
            value = value_in(made.code, frame) if made.code else item_of(result, made.at)
            kind = self.fault(made, value, old, frame)
            if kind:
                self.raised = self.error(statement, made, kind, value, variables_before(frame, made, old), frame)
                raise self.raised

    def fault(self, made: MadeValue, value, old, frame) -> str:
        """"NaN" or "inf", where that comes from numbers that are not; else ""."""
        if not is_bad(value, self.infs) or any(map(makes_unset_memory, made.parts)):
            return ""
        variables = variables_before(frame, made, old)
        read = [value_in(code, frame, variables) for code in made.reads.values()]
        for kind, infs in (("NaN", False), ("inf", True)):
            if kind == "inf" and not self.infs:
                continue
            if any([is_bad(x, infs) for x in read]):
                continue
            if new_places(value, old if made.old else None, infs):
                return kind
        return ""

    def error(self, statement, made: MadeValue, kind: str, value, variables: dict, frame) -> FloatingPointError:
        """What is raised: the user's line, the generated one, what it read and what it made."""
        origin = self.source.line_map.get(statement.line)
        where = ("this line" if origin is None or not origin.derivative else
                 "the adjoint of this line" if origin.adjoint else "the derivative of this line")
        read = {name: value_in(code, frame, variables) for name, code in made.reads.items()}
        if made.old:
            read.setdefault(made.text, variables.get(made.text, value_in(made.code, frame, variables)))
        text = " ".join([x.strip() for x in self.source.text.split("\n")[statement.line - 1:statement.end]])
        lines = [f"in generated line {statement.line}: {text}",
                 *[f"    {name} = {glimpse(x).text}" for name, x in read.items() if is_shown(x)],
                 f"    {made.text} becomes {self.place(value, kind == 'inf')}"]
        problem = Problem(origin, f"{kind} arises in {where}")
        instead = KINKS if origin is not None and origin.derivative else PRIMAL
        return FloatingPointError("\n".join([str(problem), *lines, instead]))

    def place(self, value, infs: bool) -> str:
        """Which number of a value is bad."""
        if isinstance(value, (tuple, list)):
            value = next(x for x in value if is_bad(x, infs))
        elif isinstance(value, dict):
            value = next(x for x in value.values() if is_bad(x, infs))
        first = tuple([int(k) for k in np.argwhere(bad_places(value, infs))[0]])
        number = np.asarray(value)[first]
        return f"{number} at index {first}" if np.ndim(value) else str(number)


MISSING = object()


def variables_before(frame, made: MadeValue, old) -> dict:
    """The variables as they were before the statement that has made something."""
    variables = dict(frame.f_locals)
    if made.code is None or old is MISSING:
        return variables
    name = base_name(ast.parse(made.text, mode="eval").body)
    if made.text == name:
        variables[name] = old
    elif isinstance(variables.get(name), np.ndarray):
        variables[name] = variables[name].copy()
        exec(f"{made.text} = _gs_old", frame.f_globals, variables | {"_gs_old": old})
    return variables


def is_shown(x) -> bool:
    return isinstance(x, (bool, int, float, complex, np.generic, np.ndarray))


def item_of(result, at: tuple[int, ...]):
    return result[at[0]] if at else result


def value_in(code: CodeType, frame, variables: dict | None = None):
    """What a part of a line gives in a frame; MISSING where there is nothing yet."""
    try:
        return eval(code, frame.f_globals, frame.f_locals if variables is None else variables)
    except Exception:  # what has no value before a line gets one by it, or the line raises that itself
        return MISSING


def new_places(value, old, infs: bool) -> bool:
    """Is a number bad that was not so before, if it is known what there was?"""
    if isinstance(value, (tuple, list, dict)):
        return is_bad(value, infs)
    bad = bad_places(value, infs)
    was = bad_places(old, infs) if old is not None else None
    return bool((bad & ~was).any() if was is not None and was.shape == bad.shape else bad.any())
