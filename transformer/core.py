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
   loop, means the value at the head of an iteration inside, and the final value after it.
2. purity: there are no stores.  `x[i] = v` is `x2 = update(x, i, v)`.

Facts (types, origins) live in tables keyed by name or in the statement that they concern.
"""
from __future__ import annotations

import functools
import operator
from dataclasses import dataclass, field
from typing import Any, Callable, Iterable, Iterator

import numpy as np

from .types import Dim, Type, PY_INT, type_of_number


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
        return repr(v)

    def __eq__(self, other):  # 1, 1.0, True and -0.0, 0.0 are different constants; nan equals itself
        if not isinstance(other, Const) or type(self.value) is not type(other.value):
            return False
        return self.value is other.value or repr(self.value) == repr(other.value)

    def __hash__(self):
        return hash(self.value) if self.value == self.value else 0


@dataclass(frozen=True, eq=False)
class Joined(Const):
    """A Python constant of the user's, of class `python`, that has become a NumPy number,
    since it may become one on another path."""

    python: type = float


@dataclass(frozen=True)
class Adjoint:
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
    symbol: str | None = None
    memory = ANY
    elements: str | None = None
    to_fill = False  # an array to be stored into: two statements never share one
    cheap = False  # no dearer to compute again than to read from a tape
    light = False  # one instruction for an element
    commutes = False
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
    any_number = False  # makes the same of a number of Python's and of NumPy's
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


POLYNOMIAL = {"+": operator.add, "-": operator.sub, "*": operator.mul}


class Meanwhile:
    """An attribute has another value inside `with`, which gives that value."""

    __slots__ = ("owner", "name", "value")

    def __init__(self, owner, name: str, value):
        self.owner, self.name, self.value = owner, name, value

    def __enter__(self):
        inside, self.value = self.value, getattr(self.owner, self.name)
        setattr(self.owner, self.name, inside)
        return inside

    def __exit__(self, *_):
        setattr(self.owner, self.name, self.value)


class Builder:
    """Appends statements to a block, with fresh names and inferred types."""

    def __init__(self, types: dict[str, Type] | None = None, like: "Fun | None" = None):
        self.types: dict[str, Type] = dict(like.types) if like else ({} if types is None else types)
        self.stmts: list[Stmt] = []
        self.origin: Any = None
        self.polynomials: dict[str, Dim] = {}  # of integers that are sums and products of others
        self.note_polynomials(walk(like.body) if like else ())

    # names -------------------------------------------------------------------------------
    @functools.cached_property
    def used(self) -> dict[str, int]:
        """The highest number that each hint has."""
        used: dict[str, int] = {}
        for name in self.types:
            hint, number = split_name(name)
            used[hint] = max(used.get(hint, -1), number)
        return used

    def fresh(self, hint: str, type: Type | None = None) -> str:
        """A name that nothing has: the hint itself if free, else the hint and a number."""
        hint = split_name(hint)[0]
        number = self.used[hint] = self.used.get(hint, -1) + 1
        name = join_name(hint, number)
        if type is not None:
            self.types[name] = type
        return name

    def type(self, atom: Atom) -> Type:
        return type_of_number(atom.value) if isinstance(atom, Const) else self.types[atom]

    def dim(self, atom: Atom) -> Dim:
        """The polynomial that an integer atom stands for."""
        if isinstance(atom, Const):
            return Dim.of(int(atom.value))
        return self.polynomials.get(atom) or Dim.of(atom)

    def note_polynomials(self, stmts: Iterable["Stmt"]) -> None:
        for stmt in stmts:
            if type(stmt) is Let and stmt.op.symbol in POLYNOMIAL:
                self._note_polynomial(stmt)

    def _note_polynomial(self, let: "Let") -> None:
        (name,) = let.names
        if self.types[name].kind == "py" and self.types[name] == PY_INT:
            of = POLYNOMIAL[let.op.symbol] if len(let.args) == 2 else operator.neg
            self.polynomials[name] = of(*map(self.dim, let.args))

    # statements --------------------------------------------------------------------------
    def emit(self, op: Op, *args: Atom, hint: str = "t", **params) -> Any:
        """Append `hint = op(*args, **params)`; the atom (or tuple of atoms) it binds."""
        types = op.infer(self, args, params)
        names = tuple([self.fresh(hint, t) for t in types])
        self.append(Let(names, op, tuple(args), tuple(params.items()), self.origin))
        return names[0] if len(names) == 1 else names

    def append(self, stmt: Stmt) -> None:
        """Append a statement whose names have types already."""
        if type(stmt) is Let and stmt.op.symbol in POLYNOMIAL:
            self._note_polynomial(stmt)
        self.stmts.append(stmt)

    def block(self) -> Meanwhile:
        """Collects what is emitted inside into a list of its own."""
        return Meanwhile(self, "stmts", [])

    def at(self, origin) -> Meanwhile:
        return Meanwhile(self, "origin", origin)

    def fun(self, name, params, results, writes=None, origin=None) -> Fun:
        return Fun(name, tuple(params), Block(tuple(self.stmts), tuple(results)), self.types,
                   dict(writes or {}), origin)


def split_name(name: str) -> tuple[str, int]:
    """("s", 3) for "s__3"; names are a hint, and a number where the hint is taken."""
    if "__" not in name:
        return name, 0
    hint, sep, number = name.rpartition("__")
    return (hint, int(number)) if sep and hint and number.isdigit() else (name, 0)


def join_name(hint: str, number: int) -> str:
    return f"{hint}__{number}" if number else hint


# walking ---------------------------------------------------------------------------------
def blocks_of(stmt: Stmt) -> tuple[Block, ...]:
    match stmt:
        case For() | While():
            return (stmt.body,)
        case If():
            return (stmt.then, stmt.orelse)
    return ()


def walk(block: Block) -> list[Stmt]:
    """All statements, outer before inner, in order."""
    found: list[Stmt] = []
    _walk(block, found)
    return found


def _walk(block: Block, found: list[Stmt]) -> None:
    for stmt in block.stmts:
        found.append(stmt)
        if type(stmt) is not Let:
            for inner in blocks_of(stmt):
                _walk(inner, found)


def bound(stmt: Stmt) -> tuple[str, ...]:
    """The names a statement binds for the statements after it."""
    kind = type(stmt)
    if kind is Let or kind is If:
        return stmt.names
    return () if kind is Store else stmt.carried


def operands(stmt: Stmt) -> tuple[Atom, ...]:
    """The atoms a statement itself reads, its blocks apart."""
    if type(stmt) is Let:
        return stmt.args
    match stmt:
        case For():
            return (stmt.start, stmt.stop, stmt.step, *stmt.inits)
        case While():
            return stmt.inits
        case If():
            return (stmt.test,)
        case Store():
            return (stmt.target, *stmt.atoms, stmt.value)


def names_in(atoms) -> list[str]:
    return [a for a in atoms if isinstance(a, str)]


def free_names(block: Block) -> set[str]:
    """Names read in a block and bound outside it."""
    free: set[str] = set()
    inner: set[str] = set()
    for stmt in block.stmts:
        if type(stmt) is Let:
            free.update([a for a in stmt.args if isinstance(a, str) and a not in inner])
            inner.update(stmt.names)
            continue
        free |= set(names_in(operands(stmt))) - inner
        own = ({stmt.index, *stmt.carried} if isinstance(stmt, For)
               else set(stmt.carried) if isinstance(stmt, While) else set())
        for b in blocks_of(stmt):
            free |= free_names(b) - own - inner
        inner |= set(bound(stmt))
    return free | (set(names_in(block.results)) - inner)


def params_with_dims(params: tuple, dims: dict[str, Dim]) -> tuple:
    """The static parameters of an operation, the dims among them with names replaced."""
    def one(value):
        if isinstance(value, Dim):
            return value.substitute(dims)
        return tuple(map(one, value)) if isinstance(value, tuple) else value

    return tuple([(key, one(value)) for key, value in params]) if dims else params


def rename(block: Block, mapping: dict[str, Atom], dims: dict[str, Dim] | None = None) -> Block:
    """The block with names replaced, where they are read and where they are bound.

    `dims` are the polynomials that replaced names of integers stand for, where they are not the new names.
    """
    if dims is None:
        dims = {n: Dim.of(x if isinstance(x, str) else int(x.value)) for n, x in mapping.items()
                if isinstance(x, str) or isinstance(x.value, int)}

    if not mapping and not dims:
        return block

    def a(atom):
        return mapping.get(atom, atom) if isinstance(atom, str) else atom

    def each(atoms):
        return tuple([mapping.get(x, x) if isinstance(x, str) else x for x in atoms])

    def one(stmt):
        if type(stmt) is Let:
            return Let(each(stmt.names), stmt.op, each(stmt.args), params_with_dims(stmt.params, dims), stmt.origin)
        match stmt:
            case Store():
                return Store(a(stmt.target), stmt.index, each(stmt.atoms), a(stmt.value), stmt.add, stmt.origin)
            case For():
                return For(a(stmt.index), a(stmt.start), a(stmt.stop), a(stmt.step),
                           each(stmt.carried), each(stmt.inits),
                           rename(stmt.body, mapping, dims), stmt.origin)
            case While():
                return While(a(stmt.test), each(stmt.carried), each(stmt.inits),
                             rename(stmt.body, mapping, dims), stmt.origin)
            case If():
                return If(a(stmt.test), each(stmt.names), rename(stmt.then, mapping, dims),
                          rename(stmt.orelse, mapping, dims), stmt.origin)

    return Block(tuple(map(one, block.stmts)), each(block.results))


def all_bound(block: Block) -> Iterator[str]:
    for stmt in walk(block):
        if type(stmt) is For:
            yield stmt.index
        yield from bound(stmt)


def inline(b: Builder, fun: Fun, args: tuple[Atom, ...]) -> tuple[Atom, ...]:
    """Append the body of `fun` to the builder with fresh names; its results as atoms there."""
    mapping: dict[str, Atom] = dict(zip(fun.params, args))
    for name in all_bound(fun.body):
        mapping[name] = b.fresh(name)
    dims = {n: b.dim(a) for n, a in mapping.items() if fun.types[n].kind == "py" and fun.types[n].dtype.kind == "i"}
    for name, atom in mapping.items():
        if name not in fun.params:
            b.types[atom] = fun.types[name].substitute(dims)
    body = rename(fun.body, mapping, dims)
    for stmt in body.stmts:
        b.append(stmt)
    return body.results


# text -------------------------------------------------------------------------------------
def show(fun: Fun) -> str:
    """The Python text of a core function; it runs with `np` and `rt` in sight."""
    lines = [f"def {fun.name}({', '.join(fun.params)}):"]

    def copy(names, atoms, pad):
        pairs = [(n, str(a)) for n, a in zip(names, atoms) if n != a]
        if pairs:
            lines.append(f"{pad}{', '.join(n for n, _ in pairs)} = {', '.join(a for _, a in pairs)}")

    def visit(block, names, pad):
        start = len(lines)
        for stmt in block.stmts:
            match stmt:
                case Let():
                    left = f"{', '.join(stmt.names)} = " if stmt.names else ""
                    lines.append(f"{pad}{left}{stmt.op.show([str(a) for a in stmt.args], dict(stmt.params))}")
                case Store():
                    lines.append(pad + show_store(stmt))
                case For():
                    copy(stmt.carried, stmt.inits, pad)
                    lines.append(f"{pad}for {stmt.index} in range({stmt.start}, {stmt.stop}, {stmt.step}):")
                    visit(stmt.body, stmt.carried, pad + "    ")
                case While():
                    copy(stmt.carried, stmt.inits, pad)
                    lines.append(f"{pad}while {stmt.test}:")
                    visit(stmt.body, stmt.carried, pad + "    ")
                case If():
                    lines.append(f"{pad}if {stmt.test}:")
                    visit(stmt.then, stmt.names, pad + "    ")
                    lines.append(f"{pad}else:")
                    visit(stmt.orelse, stmt.names, pad + "    ")
        copy(names, block.results, pad)
        if len(lines) == start:
            lines.append(f"{pad}pass")

    visit(fun.body, (), "    ")
    results = ", ".join(map(str, fun.body.results))
    lines.append(f"    return ({results}{',' if len(fun.body.results) == 1 else ''})")
    return "\n".join(lines) + "\n"


def show_store(stmt: Store) -> str:
    from .rules.indexing import spell
    index = spell(stmt.index, map(str, stmt.atoms))
    if stmt.add and "a" in stmt.index:
        return f"np.add.at({stmt.target}, np.s_[{index}], {stmt.value})"
    return f"{stmt.target}[{index}] {'+=' if stmt.add else '='} {stmt.value}"


def runnable(fun: Fun) -> Callable:
    """The core function as a Python function: flat arguments in, a tuple of flat results out."""
    from gradscribe import runtime
    namespace = {"np": np, "rt": runtime}
    for stmt in walk(fun.body):
        if isinstance(stmt, Let) and stmt.op.module:
            namespace[stmt.op.module.partition(".")[0]] = __import__(stmt.op.module)
    exec(compile(show(fun), f"<core of {fun.name}>", "exec"), namespace)
    return namespace[fun.name]
