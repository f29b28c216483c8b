"""How operations are written: the syntax tree of an expression.

An operation is spelled as a text in which its operands are placeholders, `_gs_0[_gs_1:]`.  Each such text is parsed
once, and copied with the operands in place of the placeholders: precedence is no concern here, and the tree is the one
that Python makes of what is printed in the end.
"""
from __future__ import annotations

import ast
import functools
import operator
from typing import Callable

import numpy as np

from ..core import Const, show_static, signed
from ..core.index_codes import spell as spell_index
from ..core.types import type_of_number
from ..rules.kinds import Elementwise
from .code_tree import Call, Expr, Store, calls_of
from .printer import symbol_data

LOAD, STORE = ast.Load(), ast.Store()
PREFIX = {symbol: kind() for kind, symbol in symbol_data.items() if kind and issubclass(kind, ast.unaryop)}
INFIX = {symbol: kind() for kind, symbol in symbol_data.items()
         if kind and issubclass(kind, (ast.operator, ast.cmpop, ast.boolop))}


@functools.lru_cache(4096)
def spell_template(text: str) -> tuple[Callable[[dict], ast.expr], frozenset[str]]:
    """(a function that makes the expression from what its placeholders stand for, the other names in it)"""
    node = ast.parse(text, mode="eval").body
    return template_maker(node), frozenset([n.id for n in ast.walk(node) if isinstance(n, ast.Name)])


def template_maker(node: ast.AST) -> Callable[[dict], ast.AST]:
    if isinstance(node, ast.Name) and node.id.startswith("_gs_"):
        return operator.itemgetter(node.id)
    if not isinstance(node, ast.AST):
        return lambda parts: node
    kind, fixed, made = type(node), {}, {}
    for name, value in ast.iter_fields(node):
        if isinstance(value, list):
            made[name] = lambda parts, makers=[*map(template_maker, value)]: [make(parts) for make in makers]
        elif isinstance(value, (ast.expr, ast.arguments)):
            made[name] = template_maker(value)
        else:  # an operator or a word
            fixed[name] = value
    return lambda parts: kind(**fixed, **{name: make(parts) for name, make in made.items()})


class Speller:
    """Makes expressions with the names that `rename` gives;
    what is `risky` may raise, and does not go behind an `and`."""

    def __init__(self, types: dict, rename: Callable[[str], str] = lambda n: n, risky: frozenset[str] = frozenset(),
                 taken: frozenset[str] = frozenset()):
        self.types, self.rename, self.risky, self.taken = types, rename, risky, taken
        self.parts: dict[str, ast.expr] = {}  # of the text that is being written: what its placeholders stand for
        self.free: set[str] = set()  # names that the texts have of their own: np, rt, len

    # trees ---------------------------------------------------------------------------------------
    def node(self, expr: Expr) -> ast.expr:
        """The syntax tree of an expression, all nodes of it new."""
        kind = type(expr)
        if kind is str:
            return ast.Name(self.rename(expr), LOAD)
        if kind is Call and expr.op.symbol:
            return self.operation(*self.with_one_sign(*self.operator(expr)))
        text = "" if kind is Call else str(expr)
        if text[:1].isdigit():
            return ast.Constant(expr.value)
        outer, self.parts = self.parts, {}
        node = self.filled(text or self.call(expr))
        self.parts = outer
        return node

    def operation(self, symbol: str, *args: Expr) -> ast.expr:
        first, *rest = map(self.node, args)
        if not rest:
            return ast.UnaryOp(PREFIX[symbol.strip()], first)
        op = INFIX[symbol]
        if isinstance(op, ast.cmpop):
            return ast.Compare(first, [op], rest)
        if isinstance(op, ast.boolop):  # a and b and c is one operation
            return ast.BoolOp(op, [*(first.values if getattr(first, "op", None) is op else [first]), *rest])
        return ast.BinOp(first, op, *rest)

    def with_one_sign(self, symbol: str, *args: Expr) -> tuple:
        """x - y for x + -y, and x + y for x - -y."""
        if len(args) != 2 or symbol not in ("+", "-") or any([self.type(a).dtype.kind == "c" for a in args]):
            return symbol, *args  # 0j has a sign of its own
        match args[1]:
            case Const(value=int() as number) if number < 0 and (self.type(args[0]).dtype == np.int64
                                                                 or self.type(args[0]).is_float):
                other = Const(-number)
            case Call(op=op, args=(x,)) if op.name == "negative" and all([self.is_whole(a) for a in (args[0], x)]):
                other = x
            case right:
                other = self.opposite(right)
        return (symbol, *args) if other is None else ("-" if symbol == "+" else "+", args[0], other)

    def is_whole(self, expr: Expr) -> bool:
        """Is it an int of Python's, which no sum is too large for?"""
        return self.type(expr).kind == "py" and self.type(expr).dtype.kind == "i"

    def opposite(self, expr: Expr) -> Expr | None:
        """-expr, of real numbers whose text begins with a sign: the same number to the bit."""
        match expr:
            case Const(value=float() as number) if number < 0:
                return Const(-number)
            case Call(op=op, args=(x,)) if op.name == "negative" and self.type(x).is_float:
                return x
            case Call(op=op, args=(x, y)) if op.symbol in ("*", "/") and (
                    self.type(x).is_float and (other := self.opposite(x)) is not None):
                return Call(expr.name, op, (other, y), expr.params)
        return None

    def filled(self, text: str) -> ast.expr:
        """The expression that a text is, with its placeholders filled in."""
        make, names = spell_template(text)
        self.free |= names
        parts, self.parts = self.parts, {}
        return make(parts)

    def same(self, a: Expr, b: Expr) -> bool:
        """Are they written the same?"""
        return ast.dump(self.node(a)) == ast.dump(self.node(b))

    # texts ---------------------------------------------------------------------------------------
    def text(self, expr: Expr) -> str:
        """The placeholder of an expression."""
        placeholder = f"_gs_{len(self.parts)}"
        self.parts[placeholder] = self.node(expr)
        return placeholder

    def type(self, expr: Expr):
        kind = type(expr)
        return (self.types[expr] if kind is str else self.types[expr.name] if kind is Call
                else type_of_number(expr.value))

    def call(self, expr: Call) -> str:
        special = SPECIAL.get(expr.op.name)
        if special:
            return special(self, expr)
        args = self.weak(expr) if isinstance(expr.op, Elementwise) else expr.args
        return expr.op.show([self.text(a) for a in args], dict(expr.params))

    def weak(self, call: Call) -> tuple[Expr, ...]:
        """The arguments, np.float64(2.0) as 2.0 where another argument fixes the dtype anyway."""
        if not any([type(a) is Const and isinstance(a.value, np.generic) for a in call.args]):
            return call.args
        strong = {self.type(a).dtype for a in call.args if self.type(a).kind != "py" and not isinstance(a, Const)}
        return tuple([literal(a, strong) for a in call.args])

    def operator(self, call: Call) -> tuple:
        """(symbol, operands)"""
        symbol, args = call.op.symbol, self.weak(call)
        if (symbol in "&|" and all(self.type(a).kind == "py" and self.type(a).dtype.kind == "b" for a in args)
                and self.risky.isdisjoint(c.name for c in calls_of(args[1]))):
            symbol = {"&": "and", "|": "or"}[symbol]
        return symbol, *args

    def shape(self, args) -> str:
        """The ints of a shape: n, (n, m)."""
        return self.text(args[0]) if len(args) == 1 else f"({', '.join(map(self.text, args))})"

    def dtype(self, call: Call, default="float64") -> str:
        dtype = np.dtype(call.param("dtype"))
        return "" if dtype.name == default else f", dtype={show_static(dtype)}"

    def place(self, stmt: Store) -> ast.expr:
        """Where it stores."""
        place = self.filled(f"{self.text(stmt.target)}[{self.index(stmt.index, stmt.atoms)}]")
        place.ctx = STORE
        return place

    def index(self, codes, atoms) -> str:
        codes = list(codes)
        while len(codes) > 1 and codes[-1] == ":":
            codes.pop()
        return spell_index(tuple(codes), [self.text(a) for a in atoms])


def literal(expr: Expr, dtypes) -> Expr:
    """A NumPy scalar of one of these dtypes as a Python number; other expressions as they are."""
    if (isinstance(expr, Const) and isinstance(expr.value, (np.float64, np.int64, np.bool_))
            and expr.value.dtype in dtypes):
        return Const(expr.value.item())
    return expr


# operations with a form of their own ---------------------------------------------------------------
SPECIAL: dict[str, Callable] = {}  # the name of an operation -> (speller, call) -> text


def spells(*names):
    def enter(form):
        SPECIAL.update(dict.fromkeys(names, form))
        return form
    return enter


@spells("getitem")
def _getitem(s: Speller, call: Call):
    return f"{s.text(call.args[0])}[{s.index(call.param('index'), call.args[1:])}]"


@spells("rt.size")
def _size(s: Speller, call: Call):
    if call.param("axis") == 0:
        return f"len({s.text(call.args[0])})"
    return f"{s.text(call.args[0])}.shape[{call.param('axis')}]"


@spells("rt.trip_count")
def _spell_trip_count(s: Speller, call: Call):
    """How many rounds `range` has, in Python's words; `len` knows no range of 2**63 rounds."""
    start, stop, step = call.args
    if step != Const(1) or "max" in s.taken:
        return call.op.show([*map(s.text, call.args)], {})
    if start != Const(0):
        sign, stop, start = s.with_one_sign("-", stop, start)
        return f"max({s.text(stop)} {sign} {s.text(start)}, 0)"
    return s.text(stop) if is_size(stop) else f"max({s.text(stop)}, 0)"


def is_size(expr: Expr) -> bool:
    return type(expr) is Call and expr.op.name == "rt.size"


@spells("np.zeros", "np.ones", "np.empty")
def _create(s: Speller, call: Call):
    return f"{call.op.name}({s.shape(call.args) if call.args else '()'}{s.dtype(call)})"


@spells("rt.full")
def _spell_full(s: Speller, call: Call):
    value, *dims = call.args
    return spell_fill(s, value, dims, np.dtype(call.param("dtype")))


def spell_fill(s: Speller, value: Expr, dims, dtype: np.dtype) -> str:
    value = literal(value, {dtype})
    shape = s.shape(dims) if dims else "()"
    dtyped = "" if dtype == np.float64 else f", dtype={show_static(dtype)}"
    if isinstance(value, Const) and value.value in (0, 1) and not signed(value.value):
        return f"np.{'ones' if value.value else 'zeros'}({shape}{dtyped})"
    if not s.type(value).dtype == dtype == np.float64:
        dtyped = f", dtype={show_static(dtype)}"
    return f"np.full({shape}, {s.text(value)}{dtyped})"


@spells("np.sum", "np.mean", "np.max", "np.min", "np.any", "np.all")
def _reduce(s: Speller, call: Call):
    axis, rank = tuple(call.param("axis")), s.type(call.args[0]).rank
    parts = [s.text(call.args[0])]
    if axis != tuple(range(rank)):
        parts.append(f"axis={axis[0] if len(axis) == 1 else axis}")
    if call.param("keepdims"):
        parts.append("keepdims=True")
    return f"{call.op.name}({', '.join(parts)})"


@spells("np.transpose")
def _spell_transpose(s: Speller, call: Call):
    axes = tuple(call.param("axes"))
    if axes == tuple(reversed(range(len(axes)))):
        return s.text(call.args[0]) + ".T"
    return f"np.transpose({s.text(call.args[0])}, {axes})"


@spells("np.copy")
def _spell_copy(s: Speller, call: Call):
    match call.args[0]:
        case Call(op=op, args=(value, *dims)) if op.name == "np.broadcast_to" and s.type(value).rank == 0:
            return spell_fill(s, value, dims, s.types[call.name].dtype)
    return s.text(call.args[0]) + ".copy()"


@spells("rt.astype")
def _spell_astype(s: Speller, call: Call):
    dtype = show_static(np.dtype(call.param("dtype")))
    have = s.type(call.args[0])
    # which may be written as a Python number: 0.0
    if have.kind == "py" or have.kind == "np" and have.dtype.kind == "f":
        return f"{dtype}({s.text(call.args[0])})"
    return f"{s.text(call.args[0])}.astype({dtype})"


@spells("np.broadcast_to")
def _shaped(s: Speller, call: Call):
    x, *dims = call.args
    x = literal(x, {s.types[call.name].dtype}) if s.types[call.name].dtype == np.float64 else x
    return f"{call.op.name}({s.text(x)}, {s.shape(dims) if dims else '()'})"


@spells("np.stack")
def _stack(s: Speller, call: Call):
    """Of numbers: an array of them."""
    rank = s.types[call.name].rank
    if call.param("axis") or rank > 1 and not is_nest(s, call, s.types[call.name].dtype):
        return call.op.show([s.text(a) for a in call.args], dict(call.params))
    return f"np.array({nest(s, call, rank)})"


def is_nest(s: Speller, expr: Expr, dtype: np.dtype) -> bool:
    """Is it stacks of stacks of numbers, all of one dtype?"""
    if s.type(expr).rank == 0:
        return s.type(expr).dtype == dtype
    return (type(expr) is Call and expr.op.name == "np.stack" and not expr.param("axis")
            and all([is_nest(s, a, dtype) for a in expr.args]))


def nest(s: Speller, expr: Expr, rank: int) -> str:
    return f"[{', '.join([nest(s, a, rank - 1) for a in expr.args])}]" if rank else s.text(expr)


@spells("np.reshape")
def _spell_reshape(s: Speller, call: Call):
    x, *dims = call.args
    if s.type(x).kind != "array":
        return _shaped(s, call)
    return f"{s.text(x)}.reshape({', '.join(map(s.text, dims)) if dims else '()'})"


@spells("np.roll")
def _roll(s: Speller, call: Call):
    """Of a vector without its axis, which it has only one of."""
    params = dict(call.params) if s.type(call.args[0]).rank > 1 else {}
    return call.op.show([s.text(a) for a in call.args], params)


@spells("np.arange")
def _spell_arange(s: Speller, call: Call):
    args = list(call.args)
    if len(args) == 3 and args[2] == Const(1):
        args.pop()
    if len(args) == 2 and args[0] == Const(0):
        args.pop(0)
    exact = all(s.type(a).dtype.kind == "i" for a in args) and np.dtype(call.param("dtype")) == np.int64
    return f"np.arange({', '.join(map(s.text, args))}{'' if exact else s.dtype(call, default='')})"


@spells("np.eye")
def _eye(s: Speller, call: Call):
    return f"np.eye({', '.join([s.text(n) for n in dict.fromkeys(call.args)])}{s.dtype(call)})"


@spells("retype", "rt.again")
def _spell_argument(s: Speller, call: Call):
    return s.text(call.args[0])
