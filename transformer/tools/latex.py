r"""Python's arithmetic as LaTeX: `x_bar += y_bar * np.cos(x)` is \bar{x} \mathrel{+}= \bar{y}\,\cos(x).

What has no usual notation is printed as it is written, in \texttt.
"""
from __future__ import annotations

import ast
import re

import numpy as np

from ..rules import BY_FUNCTION
from ..rules.kinds import Elementwise

SUM, MINUS, PRODUCT, TIGHT, ATOM = range(5)  # how strongly parts of a formula hold together
GREEK = frozenset("""alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon
    phi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega""".split())
KNOWN = frozenset("sin cos tan exp log sinh cosh tanh arcsin arccos arctan".split())  # that LaTeX has
SIGNS = {ast.Add: "+", ast.Sub: "-", ast.Mult: r"\,", ast.Div: "/", ast.MatMult: r"\mathbin{@}", ast.Pow: "^"}
ROLE = re.compile(r"(.+?)((?:_bar|_dot)+)(\d*)$")
NUMBERED = re.compile(r"(.*[^\W\d_])_?(\d+)$")
CONSTANTS = {"np.pi": r"\pi", "math.pi": r"\pi", "np.inf": r"\infty", "math.inf": r"\infty"}
CONVERSIONS = ("float", "np.float64")  # are nothing in a formula
ESCAPES = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"} | {
    c: "\\" + c for c in "_{}#$%&"}


def statement_in_latex(statement: ast.stmt) -> str:
    """An assignment as a formula."""
    match statement:
        case ast.Assign(targets=[ast.Name() | ast.Subscript() as target], value=value):
            return f"{in_latex(target)} = {in_latex(value)}"
        case ast.AugAssign(target=target, op=op, value=value) if type(op) in SIGNS:
            sign = r"\cdot" if isinstance(op, ast.Mult) else SIGNS[type(op)]
            return rf"{in_latex(target)} \mathrel{{{sign}}}= {in_latex(value)}"
    return as_written(statement)


def in_latex(node: ast.expr) -> str:
    """An expression as a formula."""
    return part_in_latex(node)[0]


def part_in_latex(node: ast.expr) -> tuple[str, int]:
    """(LaTeX, how strongly it holds together)"""
    match node:
        case ast.Name(id=name):
            return symbol(name), ATOM
        case ast.Constant(value=value) if type(value) in (int, float):
            return number_in_latex(value)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return f"-{operand_in_latex(operand, PRODUCT)}", MINUS
        case ast.BinOp(op=op) if type(op) in SIGNS:
            return binary_in_latex(node)
        case ast.Call(func=func, args=[value], keywords=[]) if ast.unparse(func) in CONVERSIONS:
            return part_in_latex(value)
        case ast.Call(func=func, args=args, keywords=[]) if args and (name := elementwise_name(func)):
            return call_in_latex(name, args)
        case ast.Subscript(value=value, slice=index) if (shown := index_in_latex(index)) is not None:
            base = operand_in_latex(value, ATOM)
            return (f"{{{base}}}" if "_" in base else base) + f"_{{{shown}}}", ATOM
        case ast.Attribute(value=value, attr="T"):
            return rf"{operand_in_latex(value, ATOM)}^{{\top}}", TIGHT
        case ast.Attribute() if ast.unparse(node) in CONSTANTS:
            return CONSTANTS[ast.unparse(node)], ATOM
    return as_written(node), ATOM


def binary_in_latex(node: ast.BinOp) -> tuple[str, int]:
    left, right = node.left, node.right
    match node.op:
        case ast.Div():
            return rf"\frac{{{in_latex(left)}}}{{{in_latex(right)}}}", TIGHT
        case ast.Pow():
            return f"{operand_in_latex(left, ATOM)}^{{{in_latex(right)}}}", TIGHT
        case ast.Add() | ast.Sub():
            return f"{operand_in_latex(left, SUM)} {SIGNS[type(node.op)]} {operand_in_latex(right, PRODUCT)}", SUM
        case ast.MatMult():
            first = PRODUCT if is_binary(left, ast.MatMult) else TIGHT
            return rf"{operand_in_latex(left, first)} \mathbin{{@}} {operand_in_latex(right, TIGHT)}", PRODUCT
    last = operand_in_latex(right, TIGHT if is_binary(right, ast.MatMult) else PRODUCT)
    sign = r" \cdot " if last[0].isdigit() else r"\,"  # 2 x, but not x 2
    return operand_in_latex(left, TIGHT if is_binary(left, ast.MatMult) else MINUS) + sign + last, PRODUCT


def is_binary(node: ast.expr, op: type) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, op)


def operand_in_latex(node: ast.expr, least: int) -> str:
    """The formula, in parentheses where it would come apart."""
    text, level = part_in_latex(node)
    return text if level >= least else parenthesised(text)


def parenthesised(text: str) -> str:
    return rf"\left({text}\right)" if r"\frac" in text else f"({text})"


def elementwise_name(func: ast.expr) -> str:
    """The name of a function of each element, as `sin` of np.sin; else nothing."""
    match func:
        case ast.Attribute(value=ast.Name(id="np" | "math"), attr=name):
            known = isinstance(BY_FUNCTION.get(getattr(np, name, None)), Elementwise)
            return name if known else ""
        case ast.Name(id="abs"):
            return "abs"
    return ""


def call_in_latex(name: str, args: list[ast.expr]) -> tuple[str, int]:
    shown = ", ".join(map(in_latex, args))
    if name == "sqrt":
        return rf"\sqrt{{{shown}}}", ATOM
    if name in ("abs", "absolute", "fabs"):
        return rf"\left|{shown}\right|", ATOM
    title = rf"\{name}" if name in KNOWN else rf"\operatorname{{{name}}}"
    return title + parenthesised(shown), TIGHT


def index_in_latex(index: ast.expr) -> str | None:
    """What is in the brackets of x[...]; None for what has no notation."""
    match index:
        case ast.Tuple(elts=elts):
            parts = [index_in_latex(e) for e in elts]
            return None if None in parts or not parts else ",".join(parts)
        case ast.Slice(lower=lower, upper=upper, step=None):
            return ":".join([in_latex(end) if end is not None else "" for end in (lower, upper)])
        case ast.Slice() | ast.Constant(value=None) | ast.Constant(value=bool()) | ast.Starred():
            return None
    return in_latex(index)


def number_in_latex(value: int | float) -> tuple[str, int]:
    digits, _, exponent = repr(value).partition("e")
    return (rf"{digits} \cdot 10^{{{int(exponent)}}}", PRODUCT) if exponent else (digits, ATOM)


def symbol(name: str) -> str:
    r"""The symbol of a variable.

    >>> [symbol(n) for n in ("alpha", "x_bar", "x2_bar", "x_bar2", "x_bar_dot", "total", "X_row")]
    ['\\alpha', '\\bar{x}', '\\bar{x_{2}}', '\\bar{x}_{2}', '\\dot{\\bar{x}}', '\\mathrm{total}', 'X_{\\mathrm{row}}']
    """
    if found := ROLE.fullmatch(name):
        shown = symbol(found[1])
        for role in re.findall("_(bar|dot)", found[2]):
            shown = rf"\{role}{{{shown}}}"
        return shown + (f"_{{{found[3]}}}" if found[3] else "")
    if found := NUMBERED.fullmatch(name):
        return with_index(unnumbered(found[1]), found[2])
    first, _, rest = name.partition("_")
    if first and rest:
        return with_index(unnumbered(first), rf"\mathrm{{{latex_text(rest)}}}")
    return unnumbered(name)


def with_index(base: str, index: str) -> str:
    return f"{base}_{{{index}}}"


def unnumbered(name: str) -> str:
    """A name without a number: a letter, a Greek one, or a word."""
    if name in GREEK:
        return f"\\{name}"
    return name if len(name) == 1 and name != "_" else rf"\mathrm{{{latex_text(name)}}}"


def as_written(node: ast.AST) -> str:
    return rf"\texttt{{{latex_text(ast.unparse(node))}}}"


def latex_text(text: str) -> str:
    return "".join([ESCAPES.get(c, c) for c in text])
