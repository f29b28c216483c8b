"""Make a failing program small: fewer statements, simpler expressions, smaller arguments, as long as it still fails.

Greedy and deterministic. A candidate counts only if it is shorter, compiles, ends, and behaves under NumPy as the
original does (runs, or raises the same exception), so that a failure cannot turn into a mere NameError on the way."""

import ast
import builtins
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from . import numeric
from .generate import Case
from .loading import literal

MOST_LINES = 20_000  # a run of more lines is taken for endless: a removed `k += 1` makes many


def shrink(case: Case, still_fails: Callable[[Case], bool], tries: int = 1500, seconds: float = 600) -> Case:
    """The smallest case found. At most `tries` calls of `still_fails`; none starts after `seconds`."""
    return Shrinker(case, still_fails, tries, seconds).run()


class Shrinker:
    def __init__(self, case, still_fails, tries, seconds):
        self.best, self.still_fails, self.left = case, still_fails, tries
        self.end = time.monotonic() + seconds
        self.behaviour = behaviour(case)
        self.seen = {fingerprint(case)}

    def run(self):
        passes = (fewer_calls, fewer_statements, unwrapped, simpler_expressions, fewer_parameters, smaller_sizes,
                  simpler_values)
        before = None
        while before != fingerprint(self.best) and self.has_time():
            before = fingerprint(self.best)
            for candidates in passes:
                self.exhaust(candidates)
        return self.best

    def exhaust(self, candidates):
        """Take every candidate that fails; after a success go on at the same place of the new program."""
        at = 0
        while self.has_time():
            for k, candidate in enumerate(candidates(self.best)):
                if k >= at and self.accepts(candidate):
                    self.best, at = candidate, k
                    break
                if not self.has_time():
                    return
            else:
                return

    def has_time(self):
        return self.left > 0 and time.monotonic() < self.end

    def accepts(self, candidate):
        key = fingerprint(candidate)
        if key in self.seen or size(candidate) >= size(self.best):
            return False
        self.seen.add(key)
        if behaviour(candidate) != self.behaviour:
            return False
        self.left -= 1
        return self.still_fails(candidate)


def fingerprint(case):
    return case.source, literal(case.args), literal(case.more)


def size(case):
    return sum(map(len, fingerprint(case)))


def behaviour(case):
    """What the program does under NumPy, roughly: how its first call ends; None if it is no program that ends."""
    try:
        if unknown_names(case.source):
            return None
    except SyntaxError:
        return None
    names, budget = {}, [MOST_LINES]

    def count(frame, event, arg):
        if frame.f_code.co_filename != "<candidate>":
            return None
        budget[0] -= 1
        if budget[0] < 0:
            raise Endless
        return count

    before = sys.gettrace()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(case.source, "<candidate>", "exec"), names)
        sys.settrace(count)
        results = [numeric.run(names[case.name], args) for args in (case.args, *case.more)]
    except (Endless, SyntaxError, KeyError, NameError, TypeError, ValueError):
        return None
    finally:
        sys.settrace(before)
    error = results[0].error
    return type(error).__name__ if error else f"{len(numeric.leaves(results[0].out)) > 0}"


def unknown_names(source):
    """Names that nothing binds: in code that does not run, only we would trip over them."""
    nodes = list(ast.walk(ast.parse(source)))
    bound = ({n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
             | {n.arg for n in nodes if isinstance(n, ast.arg)})
    bound |= ({n.name for n in nodes if isinstance(n, (ast.FunctionDef, ast.ClassDef, ast.ExceptHandler)) and n.name}
              | {a.asname or a.name for n in nodes if isinstance(n, ast.Import) for a in n.names})
    return {n.id for n in nodes if isinstance(n, ast.Name)} - bound - set(dir(builtins))


class Endless(BaseException):
    pass


# -- edits of the source: each yields complete candidates


def edited(case: Case, edits: Callable[[ast.AST], Iterator[Callable]]) -> Iterator[Case]:
    """`edits(tree)` yields functions that change the tree in place and return one that undoes it."""
    tree = ast.parse(case.source)
    for edit in edits(tree):
        undo = edit()
        try:
            text = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
        finally:
            undo()
        yield replace(case, source=text)


def blocks(tree):
    """(node, field) of every list of statements, outermost first."""
    for node in ast.walk(tree):
        for name in ("body", "orelse"):
            if isinstance(getattr(node, name, None), list) and getattr(node, name):
                yield node, name


def put(node, name, value):
    old = getattr(node, name)
    setattr(node, name, value)
    return lambda: setattr(node, name, old)


def fewer_statements(case):
    def edits(tree):
        for node, name in blocks(tree):
            statements = getattr(node, name)
            length = len(statements)
            while length:
                for start in range(0, len(statements) - length + 1, length):
                    rest = statements[:start] + statements[start + length :]
                    rest = rest or ([ast.Pass()] if name == "body" else [])
                    yield lambda node=node, name=name, rest=rest: put(node, name, rest)
                length //= 2

    return edited(case, edits)


def unwrapped(case):
    """A compound statement becomes its body, a loop's variable 0; `a, b = c, d` loses a pair."""

    def edits(tree):
        for node, name in blocks(tree):
            statements = getattr(node, name)
            for at, statement in enumerate(statements):
                for body in bodies(statement):
                    inner = statements[:at] + body + statements[at + 1 :]
                    yield lambda node=node, name=name, inner=inner: put(node, name, inner)

    return edited(case, edits)


def bodies(statement):
    match statement:
        case ast.If():
            return [statement.body, *([statement.orelse] if statement.orelse else [])]
        case ast.While() | ast.Try() | ast.With():
            return [statement.body]
        case ast.For():
            return [statement.body, [ast.parse(f"{ast.unparse(statement.target)} = 0").body[0], *statement.body]]
        case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)) if len(names) == len(values):
            pairs = [(ast.unparse(n), ast.unparse(v)) for n, v in zip(names, values)]
            return [ast.parse(assignment(pairs[:k] + pairs[k + 1 :])).body for k in range(len(pairs))]
    return []


def assignment(pairs):
    return f"{', '.join(n for n, _ in pairs)} = {', '.join(v for _, v in pairs)}"


def simpler_expressions(case):
    """An expression becomes one of its parts or a constant; a tuple, call or operation loses an operand."""

    def edits(tree):
        for node in ast.walk(tree):
            for name, value in ast.iter_fields(node):
                if (type(node), name) in NOT_VALUES:
                    continue
                if isinstance(value, ast.expr) and readable(value):
                    for new in simpler(value, constants=(type(node), name) not in OBJECTS):
                        yield lambda node=node, name=name, new=new: put(node, name, new)
                elif isinstance(value, list) and value and all(isinstance(v, ast.expr) for v in value):
                    yield from list_edits(node, name, value)

    return edited(case, edits)


# Places where a constant is nonsense (`1[0]`, `0.5(x)`): a failure there would be another failure.
NOT_VALUES = {(ast.Call, "func")}
OBJECTS = {(ast.Subscript, "value"), (ast.Attribute, "value")}


def list_edits(node, name, values):
    for at, value in enumerate(values):
        if len(values) > 1 and readable(node) and not isinstance(node, (ast.Compare, ast.Assign)):
            yield lambda at=at: put(node, name, values[:at] + values[at + 1 :])
        for new in simpler(value) if readable(value) else ():
            yield lambda at=at, new=new: put(node, name, values[:at] + [new] + values[at + 1 :])


def readable(node):
    return isinstance(getattr(node, "ctx", ast.Load()), ast.Load)


def simpler(expression, constants=True):
    if isinstance(expression, ast.Constant):
        return
    yield from parts(expression)
    if constants:
        yield from (ast.Constant(value) for value in (1, 0.5))


def parts(expression):
    """Smaller expressions that stand for a value themselves: not the `np.sin` of a call, not a slice."""
    found = [c for c in ast.iter_child_nodes(expression)
             if isinstance(c, ast.expr) and readable(c) and not isinstance(c, ast.Slice)]
    if isinstance(expression, ast.Call):
        found = expression.args + [k.value for k in expression.keywords]
        if isinstance(expression.func, ast.Attribute):
            found = [expression.func.value, *found]
    return [c for c in found if not (isinstance(c, ast.Name) and c.id == "np")]


# -- arguments


def fewer_calls(case):
    """Without the second arguments; or with them in the place of the first."""
    if case.more:
        yield replace(case, more=())
        yield replace(case, args=case.more[0], more=())


def fewer_parameters(case):
    """Parameters of f that it does not use."""
    tree = ast.parse(case.source)
    (function,) = [n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == case.name]
    used = {n.id for statement in function.body for n in ast.walk(statement) if isinstance(n, ast.Name)}
    for at, parameter in enumerate(function.args.args):
        if parameter.arg not in used:
            undo = put(function.args, "args", function.args.args[:at] + function.args.args[at + 1 :])
            text = ast.unparse(tree) + "\n"
            undo()
            without = lambda args: args[:at] + args[at + 1 :]
            yield replace(case, source=text, args=without(case.args), more=tuple(map(without, case.more)))


def smaller_sizes(case):
    """Every axis of one length becomes shorter."""
    lengths = sorted({d for a in case.args if isinstance(a, np.ndarray) for d in a.shape}, reverse=True)
    for old in lengths:
        for new in (0, 1, 2, 3):
            if new < old:
                yield replace(case, args=tuple(cropped(a, old, new) for a in case.args))


def cropped(value, old, new):
    if isinstance(value, np.ndarray):
        part = value[tuple(slice(new if d == old else None) for d in value.shape)].copy()
        return part % max(new, 1) if part.dtype.kind == "i" else part
    return new if type(value) is int and value == old else value


def simpler_values(case):
    for at, value in enumerate(case.args):
        for simple in simpler_value(value):
            yield replace(case, args=case.args[:at] + (simple,) + case.args[at + 1 :])


def simpler_value(value):
    """Fewer digits; generic still, for equal numbers are ties."""
    if numeric.floating(value):
        for digits in (1, 2, 3):
            rounded = np.round(np.asarray(value), digits).astype(getattr(value, "dtype", float))
            yield numeric.like(value, rounded)
    elif type(value) is int:
        yield from range(min(value, 3))
