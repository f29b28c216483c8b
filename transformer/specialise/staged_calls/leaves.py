"""The leaves of values: how they lie in containers, and values with other leaves."""
from __future__ import annotations

import inspect

import numpy as np

from ...core import quoted
from ...core.types import Type
from ...errors.messages import SpecialisationError
from ...pytree.containers import folded_structure, is_plain_class, static_fields
from ...pytree.rows import SplitRows, is_split
from ..domain import values as v
from ..domain.classes import defaultdict, deque, is_set, is_stand_in
from ..domain.growing_lists import given_rows, grown, items_of_rows, of_rows, rows_of_list
from ..domain.lattice import has_forms, widest
from ..evaluator.names.places import place, place_of_none
from ..evaluator.objects.iteration import is_iterator

GIVE_ONE = "Make it an array of one dtype and shape on all paths, np.zeros(...) or np.full(...), or a number."

def result_outline(s, value, whole=False, function=None):
    """(structure, leaves) of a result of the function: ("leaf", k), ("static", object) or (class, keys, parts); whole:
    of the program, ("either", k, part, other), too."""
    leaves: list = []

    def fail(message, instead):
        s.fail(message, instead, origin=place(function) if function is not None else None)

    def visit(x):
        match s.item(x):
            case v.Static(value=obj) if type(obj) not in (float, complex):
                return ("static", obj)
            case v.Number() | v.Array() | v.Static():
                leaves.append(x)
                return ("leaf", len(leaves) - 1)
            case v.Tuple(items=items, cls=c) if c is not slice:
                return (c, None, tuple(visit(i) for i in items))
            case v.Boxed():
                return visit_box(x)
            case v.OneOf(flag=str() as flag) if whole and not isinstance(x.other, v.Unbound):
                leaves.append(v.Number(flag))
                return ("either", len(leaves) - 1, visit(x.value), visit(x.other))
            case v.OneOf(optional=True):
                with s.b.at(s.b.origin if function is None else place_of_none(function)):
                    s.require(x.flag, "RefusedValue",
                              "the function returns None here, where on another path it returns a value; return one on "
                              "all paths, or raise")
                return visit(x.value)
            case v.OneOf() if (wide := widest(s, x)) is not None:
                return visit(wide)
        fail(f"the function returns {s.describe(x)}".rstrip(","), GIVE_ONE if has_forms(x) else
             "Return numbers, arrays and containers of them.")

    def visit_box(x):
        if is_iterator(x):
            fail("the function returns an iterator", "Return a list of what it gives: list(it).")
        if whole and (refused := refused_as_result(s, x)) is not None:
            fail(*refused)
        if issubclass(x.cls, defaultdict) and not isinstance(x.cls.default_factory.value, v.Static):
            fail("the function returns a defaultdict whose items a function that is made in it makes",
                 "Return a plain dict: dict(d).")
        if (g := given_rows(s, x) or grown_rows(s, x) if whole else given_rows(s, x)) is not None:
            return (SplitRows(g.one, tuple([t.kind == "py" for t in g.types]), x.cls), None,
                    tuple([visit(row) for row in items_of_rows(s, x, g)]))
        if is_set(x):
            return (set, (), tuple([("static", i) for i in s.static(x, "")]))
        return (x.cls, s.keys(x), tuple(("static", s.static(i, "it is a static field")) if fixed else visit(i)
                                        for fixed, i in marked(s, x)))

    return visit(value), leaves


def refused_as_result(s, value) -> tuple[str, str] | None:
    """What is said of an object of a library that is read as one of ours, and cannot be made of that again."""
    if not is_stand_in(value.cls) or s.keys(value) == getattr(value.cls, "returned", None):
        return None
    return getattr(value.cls, "not_returned", (f"the function returns an object from outside that is read as a "
                                               f"{value.cls.__name__}", "Return the arrays that it holds."))


def marked(s, value) -> list:
    """[(is it part of the structure: a static field of a dataclass, an int of another object?, item)] of what is in a
    container."""
    if given_rows(s, value) is not None:
        return [(False, row) for row in rows_of_list(s, value)]
    if is_plain_class(value.cls):
        return [(isinstance(i, v.Static) and type(i.value) in (int, bool), i) for i in s.items(value)]
    fixed = static_fields(value.cls)
    return ([(k in fixed, i) for k, i in zip(s.keys(value), s.items(value))] if fixed
            else [(False, i) for i in s.items(value)])


def grown_rows(s, value) -> v.Grown | None:
    """What is known of a list that has grown in a loop, where it can be made of its rows when the program is done."""
    g = grown(s, value)
    if g is None or not g.types or not is_split(g.one) or value.cls not in (list, tuple, dict) or s.rows.several:
        return None  # its items may come from a list of several classes; an array of no axes comes back as a number
    return None if any([t.kind in ("mixed", "either") or t == Type("array", t.dtype) for t in g.types]) else g


def is_leaf(value) -> bool:
    """Is it a number of the run time, an array, a float or a complex number?  (Ints and bools that are known have no
    derivatives.)"""
    return (isinstance(value, (v.Number, v.Array))
            or isinstance(value, v.Static) and isinstance(value.value, (float, complex)))


def parts_of(s, value) -> list:
    """A value and all that is in it, in order; static fields apart."""
    def inside(x):
        if isinstance(x, v.OneOf) and x.optional:
            return [s.present(x)]
        if has_forms(x):
            if (wide := widest(s, x)) is not None:
                return [wide]
            s.fail(f"{s.describe(x)} goes into a derivative or a batch", GIVE_ONE)
        return [i for fixed, i in marked(s, x) if not fixed] if isinstance(x, (v.Tuple, v.Boxed)) else ()

    return [*v.walk_values([value], inside)]


def leaves_of(s, value) -> list:
    """The numbers and arrays in a value, in order."""
    return [x for x in parts_of(s, value) if is_leaf(x)]


def argument_name(function, k: int) -> str:
    """What the user calls an argument of a function value, as far as that is known."""
    try:
        found = inspect.signature(function.value).parameters.values()
    except (AttributeError, TypeError, ValueError):
        found = ()
    names = [p.name for p in found if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    return names[k] if k < len(names) else f"argument {k}"


def shape_of(s, value) -> tuple:
    """The class of a container, its keys (None where its items are numbered) and how many items it has."""
    keys = s.keys(value) if isinstance(value, v.Boxed) and not issubclass(value.cls, (list, deque)) else None
    return value.cls, keys, len(s.items(value))


def item_texts(s, value, name: str) -> list[str]:
    """What the user writes for each item of the container of this name: x[0], x["a"], x.a"""
    cls, keys, count = shape_of(s, value)
    named = keys is not None and not issubclass(cls, dict)
    if hasattr(cls, "__gradscribe_item__"):
        return [name + cls.__gradscribe_item__(k) for k in keys]
    return [f"{name}.{k}" if named else f"{name}[{quoted(k)}]" for k in keys or range(count)]


def named_parts(s, value, name: str, parts) -> list:
    """What `parts` finds in a value, and what the user calls each."""
    if not isinstance(value, (v.Tuple, v.Boxed)):
        return [(x, name) for x in parts(s, value)]
    return [found for (fixed, x), text in zip(marked(s, value), item_texts(s, value, name)) if not fixed
            for found in named_parts(s, x, text, parts)]


def paired(s, value, other, what: str, of: str, is_leaf=is_leaf, where="") -> list:
    """[(leaf of value, the part of other at its place, where that is)]; what has no leaf in value needs none in other.
    `what`, `of`: what users call the two, cotangent and value."""
    value = s.present(value)
    if is_leaf(value):
        return [(value, other, where)]
    if not isinstance(value, (v.Tuple, v.Boxed)):
        return []
    fits = isinstance(other, (v.Tuple, v.Boxed)) and len(s.items(other)) == len(s.items(value))
    parts = s.items(other) if fits else ()
    if fits and isinstance(value, v.Boxed) and isinstance(other, v.Boxed):
        fits, found = set(s.keys(value)) == set(s.keys(other)), dict(zip(s.keys(other), parts))
        parts = [found.get(k) for k in s.keys(value)] or parts
    if not fits:
        s.fail(f"{what}{where} is {described(s, other)}, and {of}{where} is {described(s, value)}",
               "Give it the same structure.", error=SpecialisationError)
    return [pair for (fixed, x), y, text in zip(marked(s, value), parts, item_texts(s, value, where)) if not fixed
            for pair in paired(s, x, y, what, of, is_leaf, text)]


def described(s, value) -> str:
    """What a value is, and of how many items or of which keys."""
    if not isinstance(value, (v.Tuple, v.Boxed)):
        return s.describe(value)
    keys = s.keys(value) if isinstance(value, v.Boxed) else ()
    return f"{s.describe(value)} of {', '.join(map(repr, keys)) if keys else len(s.items(value))}"


def float_leaves(s, values) -> list:
    return [x for value in values for x in leaves_of(s, value) if s.b.type(s.atom(x)).is_float]


def map_value(s, value, change):
    """The value with `change(x)` for what is in it and is no container; static fields stay."""
    match value:
        case v.Boxed() if (g := given_rows(s, value)) is not None:
            return of_rows(s, g.one, g.types, [change(row) for row in rows_of_list(s, value)], g.instead, given=True)
        case v.Tuple() | v.Boxed():
            return s.like(value, [x if fixed else map_value(s, x, change) for fixed, x in marked(s, value)])
        case v.OneOf(optional=True):
            return map_value(s, s.present(value), change)
    return change(value)


def rebuild(s, value, new):
    """The value with its leaves replaced by those of the iterator."""
    return map_value(s, value, lambda x: next(new) if is_leaf(x) else x)


def still(s, value):
    """The value with zeros for the ints and bools in it that are known: they have no derivatives."""
    def zero(x):
        return v.Tuple((v.Static(0),) * len(x.value)) if is_known_range(x) else v.Static(type(x.value)(0))
    return map_value(s, value, lambda x: zero(x) if is_fixed(x) else x)


def is_known_integer(value) -> bool:
    return isinstance(value, v.Static) and isinstance(value.value, (int, np.integer, np.bool_))


def is_fixed(value) -> bool:
    """Is it an int or bool that had to be known, or a range of such?"""
    return is_known_integer(value) or is_known_range(value)


def is_known_range(value) -> bool:
    return isinstance(value, v.Static) and isinstance(value.value, range)


def over_leaves(s, value, change):
    """The tree with each number and array in it changed; numbers that are known by now among them."""
    return map_value(s, value, lambda x: change(x) if s.is_numeric(x) else x)


def fresh_cells(s, value):
    """The value with its arrays in cells of their own: stores into them change nothing else."""
    return rebuild(s, value, iter([s.wrap(s.atom(x)) if isinstance(x, v.Array) else x for x in leaves_of(s, value)]))


def leaf_hint(s, leaf) -> str:
    atom = leaf.atom if isinstance(leaf, v.Number) else s.heap[leaf.cell, None] if isinstance(leaf, v.Array) else "x"
    return atom if isinstance(atom, str) else "x"


def leaf_numbers(structure) -> list[int]:
    """The positions of the leaves of a result structure."""
    return folded_structure(structure, lambda k: [k], lambda obj: [], lambda cls, keys, items: sum(items, []))
