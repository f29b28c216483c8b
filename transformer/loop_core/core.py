"""Loop core: what a compiled program does, as data.

    function = def NAME(NAME, ...): stmt ...; return (expr, ...)
    stmt  = NAME = expr                                       Assign
          | NAME, ... = expr, ...   | NAME, ... = call        Assigns
          | NAME = memory for a shape and a dtype             Alloc
          | NAME = a copy of an array                         Copy
          | for NAME in range(expr, expr, step): stmt ...     Loop
          | while expr: stmt ...                              While
          | if expr: stmt ... else: stmt ...                  If
          | array[expr, ...] = expr      or +=                Store
          | stop unless expr                                  Check
          | call                                              Do
    expr  = number | NAME | array[expr, ...] | unary | binary | Choose | Cast | Call | Length of an axis
          | View, Field, Tuple                                of arrays

A number, a name and an element have a dtype; that of other expressions follows (`dtype`).  Integers are computed at 64
bits: a `Cast` brings a result back to fewer.  Python's operators on expressions make expressions, so that a formula is
written as one: `rs.select(b.eq(-1), -a, a // b)`.  Statements and expressions are frozen: a pass makes new ones.
"""
from __future__ import annotations

import functools
import operator as python
from dataclasses import dataclass, field
from typing import Any, Callable

import numpy as np

from .placed import Placed

BOOL, I8, F8 = np.dtype(bool), np.dtype(np.int64), np.dtype(np.float64)
COMPARISONS = {"==", "!=", "<", "<=", ">", ">="}
FOLDED = {"+": python.add, "-": python.sub, "*": python.mul}  # what is computed now, of integers known now


class Expr:
    """Python's operators on expressions make expressions; == stays the question whether two of them are the same."""

    def __neg__(self):
        return Unary("-", self)

    def eq(self, other) -> "Binary":
        return Binary("==", self, expr(other))

    def ne(self, other) -> "Binary":
        return Binary("!=", self, expr(other))

    def __bool__(self):
        raise TypeError("an expression of loop core is not known now")


def operator(symbol: str) -> Callable:
    def made(self, other) -> Expr:
        other = expr(other)
        if symbol in FOLDED and isinstance(self, Num) and isinstance(other, Num) and self.dtype == other.dtype == I8:
            value = FOLDED[symbol](self.value, other.value)
            if abs(value) < 2 ** 62:
                return Num(value, I8)
        return Binary(symbol, self, other)

    return made


for _name, _symbol in {"add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**",
                       "lshift": "<<", "rshift": ">>", "and": "&", "or": "|", "lt": "<", "le": "<=", "gt": ">",
                       "ge": ">="}.items():
    setattr(Expr, f"__{_name}__", operator(_symbol))


@dataclass(frozen=True, eq=False)
class Num(Expr):
    """A number known now, of a dtype."""

    value: Any
    dtype: np.dtype

    def __eq__(self, other):  # -0.0 is not 0.0
        return isinstance(other, Num) and self.dtype == other.dtype and repr(self.value) == repr(other.value)

    def __hash__(self):
        return hash(repr(self.value))


@dataclass(frozen=True)
class Name(Expr):
    """A scalar, or an array of elements of this dtype."""

    id: str
    dtype: np.dtype | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Load(Expr):
    """An element of an array."""

    array: Name
    index: tuple[Expr, ...]

    @property
    def dtype(self):
        return self.array.dtype


@dataclass(frozen=True)
class Unary(Expr):
    symbol: str  # "-" or "not"
    x: Expr

    @property
    def dtype(self):
        return BOOL if self.symbol == "not" else self.x.dtype


@dataclass(frozen=True)
class Binary(Expr):
    symbol: str
    x: Expr
    y: Expr

    @property
    def dtype(self):
        a, b = self.x.dtype, self.y.dtype
        if self.symbol in COMPARISONS:
            return BOOL
        if a is None or b is None:
            return None
        if a.kind + b.kind in ("iu", "ui"):
            return F8 if self.symbol == "/" else I8  # as numba has it: NumPy would make int64 and uint64 a float
        out = np.result_type(a, b)
        if self.symbol == "/" and out.kind not in "fc":
            return F8
        return I8 if out.kind == "i" else out


@dataclass(frozen=True)
class Choose(Expr):
    """x if test else y, where only one of them may be computed."""

    test: Expr
    x: Expr
    y: Expr

    @property
    def dtype(self):
        return self.x.dtype


@dataclass(frozen=True)
class Cast(Expr):
    dtype: np.dtype
    x: Expr


@dataclass(frozen=True)
class Call(Expr):
    """A function of `runtime`, NumPy or Python, by the name that the module has for it; `gives`: the result's dtype."""

    function: str
    args: tuple[Expr, ...]
    gives: np.dtype | None = None

    @property
    def dtype(self):
        found = self.gives or RESULTS.get(self.function, 0)
        return self.args[found].dtype if isinstance(found, int) and self.args else found


@dataclass(frozen=True)
class Length(Expr):
    """The length of an axis of an array."""

    array: Name
    axis: int
    dtype = I8


@dataclass(frozen=True)
class Span:
    """A slice in the index of a view."""

    start: Expr | None = None
    stop: Expr | None = None
    step: Expr | None = None


@dataclass(frozen=True)
class View(Expr):
    """A part of an array, in its memory; an entry of the index is an expression, a Span, or None for a new axis."""

    array: Name
    index: tuple[Expr | Span | None, ...]

    @property
    def dtype(self):
        return self.array.dtype


@dataclass(frozen=True)
class Field(Expr):
    """What an array says of itself: its "size", or "T", all its axes the other way round."""

    array: Name
    name: str

    @property
    def dtype(self):
        return self.array.dtype if self.name == "T" else I8


@dataclass(frozen=True)
class Tuple(Expr):
    parts: tuple[Expr, ...]
    dtype = None


# statements ---------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Assign(Placed):
    """hint  the name that the value is to have where it needs one: until `naming` has run, `name` is a placeholder
    keep     it needs one
    """

    name: Name
    value: Expr
    hint: str | None = None
    keep: bool = False


@dataclass(frozen=True)
class Assigns(Placed):
    """All values are computed before the first name is bound; or one call gives them all."""

    names: tuple[Name, ...]
    values: tuple[Expr, ...]


@dataclass(frozen=True)
class Alloc(Placed):
    """Memory of its own for an array.

    zeroed    filled with zeros
    leaves    out of how many loops it may go: nothing of the array is left after one of their iterations
    branches  also out of branches in them, which may never be taken
    early     it stands before a loop that may have no iterations: a length may then be negative
    """

    name: Name
    shape: tuple[Expr, ...]
    zeroed: bool = False
    leaves: int = 0
    branches: bool = False
    early: bool = False


@dataclass(frozen=True)
class Copy(Placed):
    name: Name
    source: Name


@dataclass(frozen=True)
class Loop(Placed):
    """kind  "sequential"; "independent": iterations may run in any order, or at once; "reduction": but for sums."""

    index: Name
    start: Expr
    stop: Expr
    step: Expr
    body: tuple["Stmt", ...]
    kind: str = "sequential"
    share: "Share | None" = None


@dataclass(frozen=True)
class Share:
    """How threads may share a loop.

    own      arrays of which each iteration stores into a part of its own, and into nothing else
    grain    how many iterations a thread takes at least
    forced   the user asked for threads, whatever there is to do
    """

    own: tuple[Name, ...]
    grain: int
    forced: bool


@dataclass(frozen=True)
class While(Placed):
    test: Expr
    body: tuple["Stmt", ...]


@dataclass(frozen=True)
class If(Placed):
    test: Expr
    then: tuple["Stmt", ...]
    orelse: tuple["Stmt", ...] = ()


@dataclass(frozen=True)
class Store(Placed):
    array: Name
    index: tuple[Expr, ...]
    value: Expr
    add: bool = False


@dataclass(frozen=True)
class Check(Placed):
    """Stop at a site, and tell these numbers, unless the condition holds; `several`: of any kinds.

    leaves  out of how many loops it may go: it is the same for all iterations, and asked where there are none, too
    """

    condition: Expr
    site: int
    numbers: tuple[Expr, ...] = ()
    several: bool = False
    leaves: int = 0


@dataclass(frozen=True)
class Do(Placed):
    """A call for what it does."""

    call: Call


Stmt = Assign | Assigns | Alloc | Copy | Loop | While | If | Store | Check | Do


@dataclass(frozen=True)
class Function:
    """results  None for a function that returns nothing
    apart    the arrays that it stores into share memory with no other argument
    """

    name: str
    params: tuple[Name, ...]
    body: tuple[Stmt, ...]
    results: tuple[Expr, ...] | None = None
    apart: bool = False


# making them ----------------------------------------------------------------------------------------
def expr(x) -> Expr:
    """An expression as it is; a Python number as a number of 64 bits."""
    if isinstance(x, Expr):
        return x
    return Num(x, BOOL if isinstance(x, bool) else I8 if isinstance(x, int) else F8)


def number(value, dtype: np.dtype) -> Num:
    """A number of a dtype."""
    dtype = np.dtype(dtype)
    return Num({"b": bool, "i": int, "u": int, "f": float, "c": complex}[dtype.kind](value), dtype)


class Module:
    """A module of `runtime`: its functions, called with expressions, are calls."""

    def __init__(self, name: str):
        self.name = name

    def __getattr__(self, function: str) -> Callable[..., Call]:
        return lambda *args: Call(f"{self.name}.{function}", tuple(map(expr, args)))


rs, rm, rl, rp, rc = map(Module, ("rs", "rm", "rl", "rp", "rc"))

# the dtype of what a function gives, or of which argument it has it; all others have that of the first
INTEGERS = "index to_int trip_count span clamp blocks block_end run_size search argsort places bits wpow"
FLOATS = "order fpow digamma gamma_slope round_to add_exactly read_clock"
DTYPES = "int8 int16 int32 int64 uint8 uint16 uint32 uint64"
RESULTS = {"rs.select": 1, "int": I8, "rs.threefry": np.dtype(np.uint64), "rp.elements_apart": BOOL,
           **{f"rs.{f}": t for t, names in ((I8, INTEGERS), (F8, FLOATS)) for f in names.split()},
           **{f"rs.to_{d}": np.dtype(d) for d in DTYPES.split()}}

ZERO, ONE = Num(0, I8), Num(1, I8)


def is_one(x: Expr) -> bool:
    return x == ONE


def integer(x: Expr) -> int | None:
    """The value of an integer known now."""
    return x.value if isinstance(x, Num) and x.dtype == I8 else None


def is_simple(x: Expr) -> bool:
    """A name or a number: as cheap to read twice as once."""
    return isinstance(x, (Name, Num))


def product(factors) -> Expr:
    factors = [*factors]
    return functools.reduce(python.mul, factors) if factors else ONE
