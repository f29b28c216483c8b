"""Core: the small pure language that every pass reads and writes.

    fun    = def NAME(NAME, ...): block
    block  = stmt ... results
    stmt   = NAME, ... = op(atom, ..., KEYWORD=static)            Let
           | NAME, ... = atom, ...                                 the entry copy of a loop
             for NAME in range(atom, atom, atom): block            For: the block's results are the next values
           | ... while NAME: block                                 While: NAME is one of the carried names
           | if atom: block else: block                            If: the blocks' results become its names
    atom   = NAME (a str) | Const

It is a strict subset of Python in the shape of dataclasses: `show` writes the Python text, and
the text of any core function runs under plain NumPy.  Two invariants, checked after each pass:

1. single binding: a name is bound once in the whole function.  What a loop or a branch hands on
   goes through `carried`/`names`, never through a rebound name.  A carried name is bound by the
   loop, means the value at the header of an iteration inside, and the final value after it.
2. purity: there are no stores.  `x[i] = v` is `x2 = update(x, i, v)`.

Facts (types, origins) live in tables keyed by name or in the statement that they concern.
"""
from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Callable

import numpy as np

from .types import Type

if TYPE_CHECKING:
    from .building import Builder


@dataclass(frozen=True)
class Const:
    """A number known now: a Python number (weak) or a NumPy scalar."""

    value: Any

    def __str__(self):
        v = self.value
        if isinstance(v, np.generic):
            return f"np.{v.dtype.name}({Const(v.item())})"
        if isinstance(v, float) and (v != v or v in (np.inf, -np.inf)):
            return {"nan": "np.nan", "inf": "np.inf", "-inf": "-np.inf"}[str(v)]
        return complex_text(v) if isinstance(v, complex) else repr(v)

    def __eq__(self, other):  # 1, 1.0, True and -0.0, 0.0 are different constants; nan equals itself
        if not isinstance(other, Const) or type(self.value) is not type(other.value):
            return False
        return self.value is other.value or repr(self.value) == repr(other.value)

    def __hash__(self):
        return hash(self.value) if self.value == self.value else 0


def signed(x) -> bool:
    """Is there a minus sign in a number, a zero's too?"""
    return bool(np.signbit(x.real) or np.signbit(x.imag))


def complex_text(z: complex) -> str:
    """Text of which Python makes this number, to the signs of its zeros: -1j, (1+2j), complex(0.0, -1.0)."""
    texts = (repr(z), f"-{-z!r}") if np.isfinite(z) else ()
    for text in texts:
        if text[:2] not in ("--", "-(") and repr(ast.literal_eval(text)) == repr(z):
            return text
    return f"complex({Const(z.real)}, {Const(z.imag)})"


@dataclass(frozen=True, eq=False)
class JoinedConstant(Const):
    """A Python constant of the user's, of class `python`, that has become a NumPy number,
    since it may become one on another path.  It is none that was NumPy's from the start."""

    python: type = float

    def __eq__(self, other):
        return isinstance(other, JoinedConstant) and self.python is other.python and super().__eq__(other)

    __hash__ = Const.__hash__


@dataclass(frozen=True)
class AdjointOrigin:
    """The origin of a statement of a reverse sweep: the adjoint of what stands at `of` in the user's source."""

    of: Any


Atom = str | Const


@dataclass(frozen=True)
class Block:
    stmts: tuple["Stmt", ...]
    results: tuple[Atom, ...] = ()


@dataclass(frozen=True)
class Let:
    names: tuple[str, ...]
    op: "Op"
    args: tuple[Atom, ...]
    params: tuple[tuple[str, Any], ...] = ()
    origin: Any = None

    @property
    def name(self) -> str:
        (name,) = self.names
        return name

    def param(self, key, default=None):
        for name, value in self.params:
            if name == key:
                return value
        return default


@dataclass(frozen=True)
class For:
    index: str
    start: Atom
    stop: Atom
    step: Atom
    carried: tuple[str, ...]
    inits: tuple[Atom, ...]
    body: Block
    origin: Any = None


@dataclass(frozen=True)
class While:
    test: str  # one of carried
    carried: tuple[str, ...]
    inits: tuple[Atom, ...]
    body: Block
    origin: Any = None


@dataclass(frozen=True)
class If:
    test: Atom
    names: tuple[str, ...]
    then: Block
    orelse: Block
    origin: Any = None


@dataclass(frozen=True)
class Store:
    """`target[index] = value` or `+=`: only after `inplace`, the last pass on core, has brought stores back."""

    target: str
    index: tuple[str, ...]
    atoms: tuple[Atom, ...]
    value: Atom
    add: bool = False
    origin: Any = None
    distinct: bool = False  # an index array names no place twice


Stmt = Let | For | While | If | Store


@dataclass
class Fun:
    """A core function: flat parameters, flat results, and the types of all its names.

    writes: {parameter: position in the results of its final value}, for arguments stored into.
    whole: it is the user's function itself, no derivative, so that a dead read that raises IndexError still must.
    """

    name: str
    params: tuple[str, ...]
    body: Block
    types: dict[str, Type]
    writes: dict[str, int] = field(default_factory=dict)
    origin: Any = None
    whole: bool = False


def common_order(orders) -> str | None:
    """The one memory order of all of them."""
    found = set(orders)
    return found.pop() if len(found) == 1 else None if found else "C"


# Op.memory: that of a result is its own, may be the first argument's, is the first argument's (of an array), is the
# first argument's after a store into it, or may be any argument's
OWN, VIEW, SAME, STORED, ANY = "own", "view", "same", "stored", "any"
# Op.elements: an element of the result is that of the first argument at its place, is one at another place, or is known
# from its index
PASSED, MOVED, MADE = "passed", "moved", "made"


class Op:
    """An operation.  Subclasses (the kinds, in `rules`) supply typing, derivatives, batching and the facts that passes
    ask for; an operation says where it differs from its kind, in the place where it is defined.

    name    how the source writes it: "np.tanh", "rt.update"
    fn      what runs under plain NumPy
    symbol  "+" for infix operators, "-" with one argument for prefix ones
    """

    module: str | None = None  # that the text of a program imports for it
    effect = False  # True: order kept, never dropped, never merged
    dispensable = False  # True: an effect that is not missed where nothing reads what it gives
    shown = False  # True: an effect that the user sees
    symbol: str | None = None
    memory = ANY
    elements: str | None = None
    to_fill = False  # an array to be stored into: two statements never share one
    cheap = False  # no dearer to compute again than to read from a tape
    cheap_of_few = False  # so where the result has a few elements
    light = False  # one instruction for an element
    commutes = False
    any_constant = False  # no rule, and no form in code, depends on which number a constant argument is
    safe = False  # raises for no values of its arguments' types
    # the kinds of Python's numbers ("b", "i", "f") of which Python makes what NumPy makes, and raises nothing
    exact_of = ""
    lengths_at: int | None = None  # the first of the arguments that are the lengths of the result
    index_at: int | None = None  # the first of the arguments that `index` places
    dtype_of_numbers = False  # the result is an array that has the dtype of the numbers it is made of
    length = False  # the result is a length: not negative
    divisor: int | None = None  # the argument that may not be 0 (of Python's numbers)
    # the function of `runtime` that computes an element: "rs.tan"; "vm.exp" by dtype: vm.exp_f8
    compiled: str | None = None
    rounds = False  # integers stay what they are
    renames = False  # the same value: readers see one name
    converts = False  # the same elements under another type, or in other memory: readers know both by one name
    # computes with complex numbers: its formulas hold for them, and are linear without conjugation; or the function of
    # `runtime` that does, compiled: "rc.sinh"
    complex: bool | str = False
    any_number = False  # makes the same of a number of Python's and of NumPy's
    # its slope may be infinite, or nan: a number for which it is not, in the place of all operands
    regular: float | None = None
    overflows = False  # is infinite of large numbers, and its slope with it
    pole_at_zero: int | None = None  # the argument of which, above 0, the slope is finite
    # across(c: batching.Lift): the results for all examples at once; None: its kind has a way, or there is none
    across: Callable | None = None

    def __init__(self, name: str, fn: Callable, symbol: str | None = None):
        self.name, self.fn, self.symbol = name, fn, symbol

    def own_memory(self, params: dict) -> bool:
        """Has a result with these parameters memory that no argument has?"""
        return self.memory is OWN

    def order(self, orders: list[str | None], params: dict) -> str | None:
        """The memory order of the result ("C", "F" or None:
        not known), given those of the arguments of two axes and more."""
        given = common_order(orders)
        return given if given == "C" or self.elements is PASSED else None

    def may_raise(self, let: Let, types: list[Type], known) -> bool:
        """May it raise for some values of these types?  `known` (analyse/raising.py) is asked about those at hand."""
        return False

    def infer(self, b: "Builder", args: tuple[Atom, ...], params: dict) -> tuple[Type, ...]:
        """Types of the results."""
        raise NotImplementedError(self.name)

    def jvp(self, b: "Builder", let: Let, tangents: list[Atom | None]) -> tuple[Atom | None, ...]:
        """Tangents of the results, given those of the arguments (None: zero)."""
        raise NotImplementedError(self.name)

    def vjp(self, b: "Builder", let: Let, cotangents: tuple[Atom | None, ...], wanted: list[bool]) -> list[Atom | None]:
        """Cotangents of the arguments that are wanted, given those of the results (None: zero)."""
        raise NotImplementedError(self.name)

    def accumulate(self, b: "Builder", let: Let, k: int, existing: Atom,
                   cotangents: tuple[Atom | None, ...]) -> Atom | None:
        """`existing` plus the cotangent of argument k, where there is a better way than a sum; else None."""
        return None

    def read_by_people(self, args: tuple) -> tuple:
        """The arguments without those that its text does not have."""
        return args

    def show(self, args: list[str], params: dict) -> str:
        if self.symbol and len(args) == 1:
            return f"{self.symbol}{args[0]}"
        if self.symbol and len(args) == 2:
            left = f"({args[0]})" if self.symbol == "**" and args[0].startswith("-") else args[0]
            return f"{left} {self.symbol} {args[1]}"
        keywords = [f"{k}={show_static(v)}" for k, v in params.items()]
        return f"{self.name}({', '.join([*args, *keywords])})"

    def __repr__(self):
        return self.name


def show_static(value) -> str:
    if isinstance(value, np.dtype):
        return f"np.{value.name}" if value != np.dtype(bool) else "np.bool_"
    return repr(value)


def quoted(key) -> str:
    """A key as people write it: "W1"."""
    return (f'"{key}"' if isinstance(key, str) and '"' not in key and "\\" not in key
            and key.isprintable() else repr(key))
