"""The rules of the operations in a line of the user's, as formulas: docs/rules.md has the same for all of them.

In a formula `g` is the cotangent of the result, and `y` the result.
"""
from __future__ import annotations

import ast
import functools
import math
from typing import Any, Callable, Iterator

import gast
import numpy as np

from ..core import Op
from ..errors.messages import GradscribeError
from ..frontend.capture import capture
from ..rules import BY_FUNCTION, OPS
from ..rules.host import Host
from ..rules.kinds import Bilinear, Elementwise, Linear, Reduction
from ..rules.operators import Selection

OPERATORS = {ast.Add: "add", ast.Sub: "subtract", ast.Mult: "multiply", ast.Div: "divide", ast.Pow: "power",
             ast.MatMult: "matmul", ast.Mod: "mod", ast.FloorDiv: "floor_divide", ast.USub: "negative"}
LETTERS = "abcdefgh"
HALVES = "shared_slope"  # the rule of np.maximum and np.minimum where both are equal


def rules_behind(parts: list[ast.AST], name: str, resolve: Callable[[str], Any], forward: bool) -> list[str]:
    """The rules of the operations that lead from a variable to the result of a statement, the last of them first.

    parts: those of the statement; name: also an item of a container, as p['W']
    resolve: what a dotted name of the user's is, or None
    forward: the rules of tangents, of all operations, as `name` is what the statement binds.
    """
    found = []
    for part in parts:
        for op, operands in operations_in(part, resolve):
            if forward:
                found.append(tangent_rule(op))
            else:
                found += [cotangent_rule(op, k) for k, x in enumerate(operands) if has_part(x, name)]
    return list(dict.fromkeys(filter(None, found)))


def operations_in(node: ast.AST, resolve) -> Iterator[tuple[Op, list[ast.AST]]]:
    """(operation, its operands), outer ones first."""
    match node:
        case ast.AugAssign(target=target, op=op, value=value):
            yield from operations_in(ast.BinOp(target, op, value), resolve)
            return
        case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
            yield OPS[OPERATORS[type(op)]], [left, right]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            yield OPS["negative"], [operand]
        case ast.Compare():
            return  # has no derivative
        case ast.Subscript(value=value):
            yield OPS["getitem"], [value]
            yield from operations_in(value, resolve)
            return
        case ast.Call(func=func, args=args) if (op := operation_of(func, resolve)) is not None:
            known = resolve(ast.unparse(func)) is not None
            yield op, [*args] if known else [func.value, *args]
    for child in ast.iter_child_nodes(node):
        yield from operations_in(child, resolve)


def operation_of(func: ast.expr, resolve) -> Op | None:
    """The operation of a function that is called, or of a method of arrays; None for one that is made of others."""
    function = resolve(ast.unparse(func))
    if function is None:
        method = isinstance(func, ast.Attribute) and not hasattr(list, func.attr) and not hasattr(dict, func.attr)
        function = getattr(np, func.attr, None) if method else None
    elif getattr(math, getattr(function, "__name__", ""), None) is function:
        function = getattr(np, function.__name__, function)
    try:
        return BY_FUNCTION.get(function)
    except TypeError:  # a callable without a hash
        return None


def has_part(node: ast.AST, name: str) -> bool:
    return any(isinstance(n, (ast.Name, ast.Subscript, ast.Attribute)) and ast.unparse(n) == name
               for n in ast.walk(node))


# formulas -------------------------------------------------------------------------------------------
@functools.cache
def cotangent_rule(op: Op, k: int) -> str:
    """What the rule of an operation gives its k-th operand, as `a * b, for a: g * b`; nothing without a derivative."""
    match op:
        case Elementwise(partials=partials) if k < len(partials) and partials[k] is not None:
            names = operand_names(op)
            return with_title(op, names, k, chosen_term(op, k, names) if isinstance(op, Selection)
                              else product_text("g", formula_text(partials[k])))
        case Bilinear(left=left, right=right) if k < 2:
            return with_title(op, ["x", "y"], k, formula_text((left, right)[k]))
        case Reduction(cotangent=rule) | Host(cotangent=rule) if rule is not None:
            return with_title(op, [], k, formula_text(rule))
        case Linear(active=active) if active is None or k < active:
            return f"{op.name}: the transpose, of g"
    return "x[...]: g, at the place of that part" if op is OPS["getitem"] else ""


def with_title(op: Op, names: list[str], k: int, term: str) -> str:
    """The formula after what it is of; nothing where there is none."""
    title = call_text(op, names) if names else op.name
    return term and f"{title}{f', for {names[k]}' if len(names) > 1 else ''}: {term}"


@functools.cache
def tangent_rule(op: Op) -> str:
    """The tangent of an operation's result, as `a * b: b * a_dot + a * b_dot`; nothing where no formula says it."""
    match op:
        case Selection():
            return ""
        case Elementwise(partials=partials):
            names = operand_names(op)
            texts = [(name, formula_text(p)) for name, p in zip(names, partials) if p is not None]
            if not texts or not all(text for _, text in texts):
                return ""
            return f"{call_text(op, names)}: {' + '.join([product_text(f'{n}_dot', text) for n, text in texts])}"
        case Bilinear(symbol="@"):
            return "x @ y: x_dot @ y + x @ y_dot"
    return ""


@functools.cache
def formula_text(rule) -> str:
    """What a rule computes that is a lambda or a short function; nothing for one that has no text."""
    try:
        body = capture(rule).node.body
    except (GradscribeError, TypeError, OSError):
        return ""
    texts = [gast.unparse(s.value if isinstance(s, gast.Return) else s).strip() for s in body
             if isinstance(s, (gast.Return, gast.Assign))]
    return "; ".join(texts)


def operand_names(op: Elementwise) -> list[str]:
    """What the rule calls the operands."""
    count = len(op.partials)
    for rule in filter(None, op.partials):
        names = [a.id for a in capture(rule).node.args.args][1:]
        if len(names) == count:
            return names
    return ["x"] if count == 1 else [*LETTERS[:count]]


def call_text(op: Op, names: list[str]) -> str:
    if op.symbol:
        return f" {op.symbol} ".join(names) if len(names) > 1 else f"{op.symbol}{names[0]}"
    return f"{op.name}({', '.join(names)})"


def chosen_term(op: Selection, k: int, names: list[str]) -> str:
    """Of a choice: where the operand is chosen."""
    if not any(op.choices):
        return formula_text(op.partials[k])
    condition = formula_text(op.choices[k][0]) if op.choices[k] else ""
    if op.name == "np.where":
        return "g where c holds" if k == 1 else "g where c does not hold"
    shared = f", half of it where {names[0]} == {names[1]}" if op.choices[k][1].__name__ == HALVES else ""
    return condition and f"g where {condition}{shared}"


def product_text(factor: str, text: str) -> str:
    """A product, as one writes it: g for g * 1."""
    if text in ("1", "1.0", "-1", "-1.0", ""):
        return f"-{factor}" if text.startswith("-") else factor if text else ""
    try:
        return ast.unparse(ast.BinOp(ast.Name(factor), ast.Mult(), ast.parse(text, mode="eval").body))
    except SyntaxError:  # a rule of several statements
        return f"{text}; {factor} * that"
