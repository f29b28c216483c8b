"""Methods of containers, and how they compare: by Python on stand-ins, and item by item where the run decides.

A set of what is known before the run is a box with a real set, on which Python works.  The order in which a set gives
its items depends on all that was done to it.  So a set that changes is made anew from the start, by the same
operations, and gives them in the order in which the user's would.
"""
from __future__ import annotations

import collections
import functools
import operator

from ....library.registry import FUNCTIONS
from ....library.texts import braces
from ....rules import OPS
from ...domain import values as v
from ...domain.classes import is_deque, is_set
from ...domain.growing_lists import append, grown
from ..flow.control import decide
from ..names import problems
from .containers import (COMPARISONS, IMMUTABLE, by_python, container_kind, is_dict, is_list, note_turn, on_real,
                         python, python_container, python_of, refuse_itself, value_of)
from .iteration import is_iterator, iterate_static
from .objects import call_now
from .row_containers import call_in_rows
from .texts import text_parts
from .truths import as_bool, both_true, either_true, negate, truth


# sets -----------------------------------------------------------------------------------------------
def members(s, value) -> v.Members:
    """What a set has in it."""
    return s.item(s.items(value)[0]).value


def on_sets(s, function, *values):
    """What Python's function gives of sets, and of what is known now."""
    known = [s.static(x, "it meets a set") for x in values]
    ways = [members(s, x).another if is_set(x) else (lambda k=k: k) for x, k in zip(values, known)]
    return value_of(s, python(s, function, *known), lambda: function(*[w() for w in ways]))


CHANGING = ("add", "clear", "difference_update", "discard", "intersection_update", "pop", "remove",
            "symmetric_difference_update", "update", "__iand__", "__ior__", "__isub__", "__ixor__")


def call_set(s, base, name: str, args):
    """base.name(*args) of a set."""
    why = "it goes to a set"
    known = [[s.static(i, why) for i in iterate_static(s, x, why)] if is_iterator(x) else s.static(x, why)
             for x in args]
    before = members(s, base).another
    if name not in CHANGING:
        return value_of(s, python(s, getattr(set, name), python_container(s, base), *known),
                        lambda: getattr(before(), name)(*known))

    def another():
        changed = before()
        getattr(changed, name)(*known)
        return changed

    changed = before()
    result = python(s, getattr(set, name), changed, *known)
    s.change(base, [v.Static(v.Members(changed, another))])
    return base if result is changed else value_of(s, result)


# lists, dicts, tuples, strings -------------------------------------------------------------------------
def call_container(s, base, name: str, args, kwargs):
    """base.name(*args, **kwargs) of a list, dict, tuple, range or string."""
    if (found := call_in_rows(s, base, name, args, kwargs)) is not None:
        return found
    if is_set(base):
        return call_set(s, base, name, args) if not kwargs else by_python(s, functools.partial(getattr(set, name),
                                                                                               **kwargs), base, *args)
    if name in SPECIAL and not isinstance(base, v.Static):
        return call_special(s, base, name, args, kwargs)
    if container_kind(base) in (list, tuple,
                                collections.deque) and name in BY_EQUALITY and len(args) == 1 and not kwargs:
        return BY_EQUALITY[name](s, base, *args)
    if isinstance(base, v.Boxed):
        return call_changeable(s, base, name, args, kwargs)
    if isinstance(base, v.Tuple):
        return value_of(s, python(s, getattr(base.cls, name), python_of(s, base), *(python_of(s, a) for a in args)))
    return call_known(s, base, name, args, kwargs)


def call_special(s, base, name: str, args, kwargs):
    """base.__add__(x): what the operator does."""
    if kwargs or len(args) != (0 if name in OF_ITSELF else 2 if name == "__setitem__" else 1):
        by_python(s, getattr(s.class_of(base), name), base, *args)
    if name in COMPARISONS and len(args) == 1 and not same_kind(base, args[0], COMPARISONS[name]):
        return v.Static(NotImplemented)
    return call_now(s, v.Static(SPECIAL[name]), base, *args, **kwargs)


def call_changeable(s, base: v.Boxed, name: str, args, kwargs):
    """A method of a list, dict or deque."""
    method = getattr(base.cls, name)
    if name in VIEWS and not args and not kwargs:
        return v.Iter(name, (base,))
    if is_deque(base) and name.startswith("__") and name not in ("__iadd__", "__imul__", "__copy__"):
        s.fail(f"{name} of a deque", "Use its methods and operators.")
    if name == "fromkeys":
        return call_now(s, v.Static(dict.fromkeys), *args, **kwargs)
    if name == "sort":
        if args:
            s.stop("TypeError", "sort() takes no positional arguments")
        s.change(base, s.items(FUNCTIONS[sorted](s, v.Tuple(s.items(base)), **kwargs)))
        return v.Static(None)
    given = python_container if name.startswith("__") else python_of
    return on_real(s, base, method, *(given(s, a) for a in args), **{k: given(s, a) for k, a in kwargs.items()})


def call_known(s, base: v.Static, name: str, args, kwargs):
    """A method of a string, a range or what else does not change."""
    if not isinstance(base.value, IMMUTABLE):
        s.fail(f"the method {name} of {s.describe(base)}, which others see as well",
               "Call it outside of the transformed function, and pass the result.")
    if name == "format" and isinstance(base.value, str) and {*map(type, (*args, *kwargs.values()))} != {v.Static}:
        return s.call_value(v.Static(braces), [base, *args], kwargs)
    args = [s.listed(x) for x in args] if name == "join" else args
    why = f"it goes to {type(base.value).__name__}.{name}"
    return value_of(s, python(s, getattr(base.value, name), *(s.static(a, why) for a in args),
                              **{k: s.static(a, why) for k, a in kwargs.items()}))


VIEWS = ("items", "keys", "values")
SPECIAL = {f"__{name}__": getattr(operator, name) for name in ("getitem", "setitem", "delitem", "contains", "add",
                                                               "mul", "eq", "ne", "lt", "le", "gt", "ge")}
OF_ITSELF = ("__str__", "__repr__", "__len__", "__iter__", "__reversed__")
SPECIAL |= {"__str__": str, "__repr__": repr, "__format__": format, "__len__": len, "__iter__": iter,
            "__reversed__": reversed}


def append_item(s, box, item):
    """box.append(item), where it may grow in a loop of the run time"""
    refuse_itself(s, box, item)
    g = grown(s, box)
    if g is not None:
        s.check_change(box)
        append(s, box, g, item)
        return v.Static(None)
    s.change(box, s.items(box) + (item,))
    s.appended.add(box.box)
    return v.Static(None)


# comparison ----------------------------------------------------------------------------------------


def same_kind(left, right, op: str) -> bool:
    """Do lists, tuples, slices or dicts compare so?"""
    kind = container_kind(left)
    return kind is not None and kind is container_kind(right) and (kind is not dict or op in ("equal", "not_equal"))


def compare_containers(s, op: str, left, right):
    """left == right, left < right, ... of containers: item by item, at run time where it must be; None: Python says."""
    if not same_kind(left, right, op) or container_kind(left) is slice:
        return None
    if op == "not_equal":
        return negate(s, compare_containers(s, "equal", left, right))
    a, b = s.items(left), s.items(right)
    if is_dict(left):
        if set(s.keys(left)) != set(s.keys(right)):
            return v.Static(False)
        found = dict(zip(s.keys(right), b))
        b = [found[k] for k in s.keys(left)]
    if op == "equal" and len(a) != len(b) and not isinstance(left, v.Tuple):
        return v.Static(False)  # tuples compare their items first
    return lexicographic(s, op, list(zip(a, b)), len(a), len(b))


def lexicographic(s, op: str, pairs, n: int, m: int):
    """The order of the first items that differ decides; where none does, that of the lengths."""
    if op == "equal":
        result = functools.reduce(lambda equal, pair: both_true(s, equal, lambda: same_or_equal(s, *pair)), pairs,
                                  v.Static(True))
        return result if n == m else both_true(s, result, lambda: v.Static(False))
    if not pairs:
        return v.Static(OPS[op].fn(n, m))
    (x, y), rest = pairs[0], pairs[1:]
    return decide(s, same_or_equal(s, x, y), lambda: lexicographic(s, op, rest, n - 1, m - 1),
                  lambda: truth(s, FUNCTIONS[OPS[op].fn](s, x, y)))


def same_or_equal(s, x, y):
    """What `in`, `==` of containers and list.index ask: is it the same object, or an equal one?"""
    if python_of(s, x) is python_of(s, y):
        return v.Static(True)
    return as_bool(s, truth(s, FUNCTIONS[operator.eq](s, x, y)))


def contains(s, container, x):
    """x in container, of a list, tuple or deque: at run time where it must be."""
    return functools.reduce(lambda found, item: either_true(s, found, lambda: same_or_equal(s, item, x)),
                            s.items(container), v.Static(False))


def first_place(s, container, x, k: int = 0, missing: str | None = None):
    """container.index(x): at run time where it must be."""
    items = s.items(container)
    if k == len(items):
        message = ([missing] if missing else ["tuple.index(x): x not in tuple"] if isinstance(container, v.Tuple)
                   else [*text_parts(s, x, "!r", "", ""), f" is not in {'list' if is_list(container) else 'deque'}"])
        problems.raised(s, v.UnraisedException(ValueError, (v.text(message),)))
    return decide(s, same_or_equal(s, items[k], x), lambda: v.Static(k),
                  lambda: first_place(s, container, x, k + 1, missing))


def remove(s, box, x) -> v.Static:
    """box.remove(x): at run time where it must be."""
    items = s.items(box)
    place = first_place(s, box, x, missing="list.remove(x): x not in list" if is_list(box) else None)
    note_turn(s, box, collections.deque.remove)
    s.change(box, [decide(s, s.elementwise("less", v.Static(k), place), lambda: items[k], lambda: items[k + 1])
                   for k in range(len(items) - 1)])
    return v.Static(None)


def count_of(s, container, x):
    """container.count(x)"""
    total = v.Static(0)
    for item in s.items(container):
        test = same_or_equal(s, item, x)
        total = s.elementwise("add", total, v.Static(int(test.value)) if isinstance(test, v.Static)
                              else s.wrap(s.emit("int", test.atom)))
    return total


BY_EQUALITY = {"index": first_place, "count": count_of, "remove": remove}
