"""What the specialiser knows of a value: the abstract values of its evaluation.

A value is static (known now), a number known at run time, an array (a cell and the views to go
through), or a container of values.  What can change stands in the heap, a flat table from slots to
contents, so that a branch or a loop is a comparison of two tables:

    (cell, None)    the core name of an array's present value
    (box, None)     the items of a list, dict or object
    (frame, name)   what a variable is bound to
"""
from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import Any, Iterator

from ...core import Atom
from .signals import (Caught as Caught, CertainException as CertainException, Conflict as Conflict, Grows as Grows,
                      NeedStatic as NeedStatic, Restart as Restart)


@dataclass(frozen=True)
class Static:
    """An object known now: a number, None, a string, a function, a module, a class."""

    value: Any

    def __eq__(self, other):
        if not isinstance(other, Static) or type(self.value) is not type(other.value):
            return False
        simple = isinstance(self.value, (int, float, complex, str, bytes, type(None)))
        return repr(self.value) == repr(other.value) if simple else self.value is other.value

    def __hash__(self):
        return hash(type(self.value))


NONE = Static(None)


@dataclass(frozen=True)
class Number:
    """A Python number or NumPy scalar known at run time (or a constant NumPy scalar)."""

    atom: Atom


class Mark(enum.Enum):
    """What the heap knows of a cell or box beside its content: `heap[ref, mark]`. (A string is a user's variable.)"""

    FROZEN = "what else it may be"  # a set; sharing.py
    KEYS = "its keys"


FROZEN, KEYS = Mark
OBJECT = "obj"  # the hint of a box that holds the attributes of an object


@dataclass(eq=False)
class Ref:
    """An identity in the heap: an array cell, a list, dict or object box, or a frame."""

    hint: str = "t"
    order: str | None = "C"  # of a cell: the memory order of the array, where known
    frozen: str | None = None  # why it must not be stored into
    original: "Ref | None" = None  # of a box: the one that it is a copy of
    chosen: Any = None  # of a box that a branch or a loop made of several: which it is, as `which` has it
    outside: str | None = None  # what the user calls it, where it is neither an argument nor made by the function
    # of a cell: the loop in whose first iteration it is a number, and the array has that number everywhere
    number: str | None = None
    python: bool = False  # and that is one of Python, which has no operators with lists
    keys: tuple = ()  # of a dict or object as it was made: what its items are called after


@dataclass(frozen=True)
class Step:
    """One step from a base to a view: an operation, its atoms after the base, its static parameters."""

    op: str
    atoms: tuple[Atom, ...] = ()
    params: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True)
class Array:
    """An array: the cell that holds its memory, and the views through which it is seen."""

    cell: Ref
    path: tuple[Step, ...] = ()
    whole: bool = field(default=False, compare=False)  # a view of all of it, x[:]: another object


@dataclass(frozen=True)
class Tuple:
    items: tuple[Any, ...]
    cls: type = tuple  # or a NamedTuple


@dataclass(frozen=True)
class Boxed:
    """A mutable container; its items stand in the heap: a tuple of values (of a dict: of its values)."""

    box: Ref
    cls: type
    keys: tuple = ()  # of a dict the keys, of an object the field names


@dataclass(eq=False)
class Members:
    """What the box of a set holds: the set itself, which nobody changes, and what makes another one like it."""

    known: set
    another: Any


@dataclass(frozen=True)
class Grown:
    """The first item in the heap of a list that grows in a loop (see growing_lists.py); after it stand the arrays of
    its rows.

    length, capacity  how many items there are, and how many rows
    counted           is `length` only what it is at most? Then the list counts its items, between this and the rows,
    mixed             and where its items have several dtypes, whether there is one that has that of the rows
    least             a number of items that there are in any case
    one, types        the structure of an item, and the types of its leaves
    mark              of cells that may share memory with an item
    instead           called where the list is needed as a list; it always raises: unrolls the loop, or refuses
    given             is it a list of an argument, which the caller has, too?
    """

    length: Any
    capacity: Any
    least: int
    one: Any
    types: tuple
    mark: Any
    counted: bool
    instead: Any = field(compare=False)
    given: bool = False

    @property
    def mixed(self) -> bool:
        return len(self.types) == 1 and self.types[0].kind == "mixed"


@dataclass(frozen=True)
class RunTimeText:
    """A string with values of the run time in it: to print, or to raise; nothing may depend on what it says."""

    parts: tuple  # strings, and (value, "{!r:>5}": how it is formatted, its text in the source)

    @property
    def template(self) -> str:
        """What str.format makes the string of, given the values."""
        return "".join(p.replace("{", "{{").replace("}", "}}") if isinstance(p, str) else p[1] for p in self.parts)

    @property
    def values(self) -> tuple:
        return tuple(p[0] for p in self.parts if not isinstance(p, str))

    def __str__(self):
        return "".join(p if isinstance(p, str) else "{" + p[2] + "}" for p in self.parts)


@dataclass(frozen=True)
class UnraisedException:
    """An exception that is made to be raised: its class and arguments."""

    cls: type
    args: tuple[Any, ...] = ()
    kwargs: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True)
class Unbound:
    """No value: what a variable of this name has that is not bound yet."""

    name: str


@dataclass(frozen=True)
class NoKey(Unbound):
    """No item: what a dict has under this key on the paths that have not put one there."""


class Unordered(tuple):
    """The keys of a dict that paths have put there in different orders."""

    def __eq__(self, other):
        return type(other) is Unordered and tuple.__eq__(self, other)

    def __ne__(self, other):
        return not self == other

    __hash__ = tuple.__hash__


@dataclass(frozen=True)
class OneOf:
    """One of two values, as the run decides: `value` where `flag` holds, else `other`. That is None or Unbound; or both
    are known, such as two functions, and `other` may be one of further such values."""

    flag: Atom
    value: Any
    other: Any

    @property
    def optional(self) -> bool:
        """Is it a value or none, and not one of several that are known?"""
        return isinstance(self.other, Unbound) or self.other == NONE


def is_unset(value) -> bool:
    """Is it what only one path has bound?"""
    return isinstance(value, OneOf) and isinstance(value.other, Unbound)


@dataclass(frozen=True)
class Closure:
    """A nested def or lambda, with the frame in which it was made."""

    node: Any
    frame: "Frame"
    defaults: tuple[Any, ...] = ()
    kwdefaults: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True)
class Body:
    """What a generator expression does with an item: `run(s, frame, item)`, in the frame that it keeps."""

    frame: "Frame"
    run: Any


@dataclass(frozen=True)
class BoundMethod:
    """A method of a value, not called yet."""

    value: Any
    name: str


@dataclass(frozen=True)
class Super:
    """super(cls, value): attributes are looked up behind `cls` in the order of the class `start`."""

    cls: type
    value: Any
    start: type


@dataclass(frozen=True)
class Iter:
    """A range with bounds of the run time, or a view of a dict: what a loop may run over again and again."""

    kind: str  # "range", "keys", "values", "items"
    parts: tuple[Any, ...]


@dataclass(frozen=True)
class Pullback:
    """The second result of `gs.vjp` inside transformed code."""

    fun: Any
    residuals: tuple[Atom, ...]
    primals: Any
    out: Any


class Pushforward(Pullback):
    """The second result of `gs.linearize` inside transformed code."""


@dataclass(eq=False)
class Frame:
    """The variables of one call: a key of heap slots, and where its other names are found."""

    node: Any
    captured: Any
    parent: "Frame | None" = None
    locals: frozenset[str] = frozenset()
    hint: str = "f"
    shared: frozenset[str] = frozenset()  # variables that functions made here may read at any time
    call: Any = None  # the syntax node, in the caller, that calls it
    block: Any = None  # the statements of the block in which it is called
    kept: frozenset[str] = frozenset()  # variables that are read where an exception leads


@dataclass(frozen=True)
class Derived:
    """gs.grad(f) made inside transformed code: `apply(s, function, args, kwargs)` calls it."""

    apply: Any
    function: Any


@dataclass(frozen=True)
class Partial:
    """functools.partial(function, *args, **kwargs) made inside transformed code."""

    function: Any
    args: tuple[Any, ...]
    kwargs: tuple[tuple[str, Any], ...]
    is_method: bool = False  # a method bound to its object


def is_range(value) -> bool:
    """Is it a range, known now or not?"""
    return (isinstance(value, Iter) and value.kind == "range"
            or isinstance(value, Static) and isinstance(value.value, range))


def is_subclassed(value) -> bool:
    """Is it an object of a subclass of int or float: a member of an IntEnum, say?"""
    return (isinstance(value, Static) and isinstance(value.value, (int, float))
            and type(value.value) not in (int, float, bool))


def parts(value) -> tuple:
    """The values that a value is made of, what stands in the heap apart."""
    match value:
        case Tuple(items=items) | Iter(parts=items):
            return items
        case Closure(defaults=args, kwdefaults=named) | UnraisedException(args=args, kwargs=named):
            return *args, *(x for _, x in named)
        case Partial(function=inner, args=args, kwargs=named):
            return inner, *args, *(x for _, x in named)
        case BoundMethod(value=inner) | Super(value=inner) | Derived(function=inner):
            return (inner,)
        case OneOf(value=one, other=other) | Pullback(primals=one, out=other):
            return one, other
    return ()


def walk_values(values, inside=parts) -> Iterator:
    """Values and all that is in them, in order; `inside(value)`: what is in one."""
    todo = [*values][::-1]
    while todo:
        yield (value := todo.pop())
        todo += reversed(inside(value))


def is_uncertain(item) -> bool:
    """Is it an item of a dict that only some paths have put there?"""
    return type(item) is OneOf and type(item.other) is NoKey


def is_known(value) -> bool:
    """Does a value hold nothing that only the run time knows?"""
    known = Static, Unbound, Closure, Derived, BoundMethod, Partial
    return isinstance(value, known) and all(map(is_known, parts(value)))


class Stored(str):
    """What is called that an array from outside is stored into: it is then handed in as an argument is."""

    how = "stored"

    def __new__(cls, path, key: tuple):
        made = super().__new__(cls, f"{cls.how}:{path.place}")
        made.path, made.key = path, key
        return made


class Assigned(Stored):
    """What is called a variable from outside that the function assigns."""

    how = "assigned"


@dataclass(eq=False)
class Unjoinable:
    """What a variable or a container holds after a Conflict: nothing that can be used; why;
    and the test of the branch, or the loop."""

    why: str
    test: Atom | None = None
    loop: str | None = None


def text(parts):
    """A string of strings and of values with their formats."""
    parts = tuple(p for p in parts if p != "")
    return Static("".join(parts)) if all(isinstance(p, str) for p in parts) else RunTimeText(parts)
