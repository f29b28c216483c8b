"""Containers are Python's own: what is done to a tuple, list, dict, string or range is done by Python to a real one.

A real container holds stand-ins (`Item`) for what only the run time or the heap knows; what Python asks of one of them,
an equality or a truth, the machine answers.

    out.insert(k, x)     real = [...]; list.insert(real, 2, Item(x)); the box then holds what `real` holds
"""
from __future__ import annotations

import collections
import operator

import numpy as np

from ....core import Const
from ....core.types import sample
from ....errors.messages import GradscribeError
from ....library.registry import FUNCTIONS
from ....pytree.containers import deque_of
from ...domain import values as v
from ...domain.classes import UNCHANGING, is_deque, is_set, iterator_of_class, users_class
from ..names import problems
from .objects import call_now, hold_box, special

# exceptions that are not the program's
OURS = (GradscribeError, v.NeedStatic, v.Restart, v.CertainException, v.Grows, v.Conflict)
IMMUTABLE = (str, bytes, int, float, bool, complex, range, tuple, frozenset, slice, np.dtype,
             type(None), type(Ellipsis), *UNCHANGING)
COMPARISONS = {"__eq__": "equal", "__ne__": "not_equal", "__lt__": "less", "__le__": "less_equal", "__gt__": "greater",
               "__ge__": "greater_equal"}


class Item:
    """Stands for a value among Python's own objects; there is one for each array, container and number."""

    __slots__ = ("s", "value")

    def __init__(self, s, value):
        self.s, self.value = s, value

    def __bool__(self):
        return bool(self.s.static(self.s.truth(self.value), "it decides what a container holds"))

    def __index__(self):
        return self.s.static(FUNCTIONS[operator.index](self.s, self.value), "it is an index or a number of items")

    def __hash__(self):
        return hash(self.s.static(self.value, "it is a key"))

    def __repr__(self):
        return self._text("!r")

    def __str__(self):
        return self._text("!s")

    def __format__(self, spec):
        return self._text("", spec)

    def _text(self, conversion, spec=""):
        parts = self.s.text_of(self.value, conversion, spec, "")
        return "".join(p if isinstance(p, str)
                       else p[1].format(self.s.static(p[0], "it is part of a text that Python makes")) for p in parts)

    def __float__(self):
        return self.s.static(self.value, "a format needs it as a number").__float__()

    def __iter__(self):
        return iter([python_of(self.s, x) for x in self.s.iterate_static(self.value, "a container is made of it")])

    def __getitem__(self, key):
        return python_of(self.s, FUNCTIONS[operator.getitem](self.s, self.value, value_of(self.s, key)))

    def __getattr__(self, name):
        if name == "keys" and is_dict(self.value):
            return lambda: self.s.keys(self.value)
        if name == "keys" and (own := special(self.s, self.value, name)) is not None:
            return lambda: iter(python_of(self.s, call_now(self.s, own)))
        raise AttributeError(name)

    def _comparison(function):  # noqa: N805
        return lambda self, other: python_of(self.s, FUNCTIONS[function](self.s, self.value, value_of(self.s, other)))

    __eq__, __ne__, __lt__, __le__, __gt__, __ge__ = map(
        _comparison, (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge))


# there and back ----------------------------------------------------------------------------------
def python_of(s, value, opened=None):
    """The Python object of a value, as far as it is known; a stand-in for the rest, and for what changes but for
    `opened`."""
    def item(x):
        match x:
            case v.Array(cell=cell, path=path):
                key = cell, path
            case v.Boxed(box=key) | v.Number(atom=key):
                pass
            case _:
                key = x if isinstance(x, (v.Closure, v.BoundMethod)) else id(x)
        return s.stand_ins.setdefault(key, Item(s, x))

    return s.reify(value, lambda x: x is opened or isinstance(x, v.Tuple) and x.cls in (tuple, slice), item)


def value_of(s, x, another=None):
    """The value of a Python object that holds stand-ins; `another`: makes another set like it."""
    kind = type(x)
    if kind is Item:
        return x.value
    if kind is tuple:
        return v.Tuple(tuple([value_of(s, i) for i in x]))
    if kind is slice:
        return v.Tuple(tuple([value_of(s, i) for i in (x.start, x.stop, x.step)]), slice)
    if kind is list:
        return s.box([value_of(s, i) for i in x])
    if kind in (dict, collections.OrderedDict):
        return s.box([value_of(s, i) for i in x.values()], kind, x.keys(), "dict")
    if kind is collections.deque:
        return s.box([value_of(s, i) for i in x], deque_of(x.maxlen), (), "deque")
    if kind is set:
        return s.box([v.Static(v.Members(x, another or x.copy))], set, (), "set")
    return s.static_number(x)


def is_dict(value) -> bool:
    return isinstance(value, v.Boxed) and issubclass(value.cls, dict)


def is_list(value) -> bool:
    """Is it a list, or a tuple that rows stand for?"""
    return isinstance(value, v.Boxed) and value.cls in (list, tuple)


def is_changeable(value) -> bool:
    """Is it a list, dict or deque?"""
    return is_list(value) or is_dict(value) or is_deque(value)


def container_kind(x):
    return (list if is_list(x) else dict if is_dict(x) else collections.deque if is_deque(x)
            else (slice if x.cls is slice else tuple) if isinstance(x, v.Tuple) else None)


def python_container(s, value):
    """A container itself, for Python to work on: what is in a list, dict or deque as stand-ins."""
    return python_of(s, value, value if is_changeable(value) or is_set(value) else None)


# what Python does ----------------------------------------------------------------------------------
def python(s, function, /, *args, **kwargs):
    """What Python makes of its own objects; an exception that it raises itself is certain here."""
    try:
        return function(*args, **kwargs)
    except OURS:
        raise
    except Exception as error:
        if error.__traceback__.tb_next is not None:
            raise  # not from Python itself
        raise_now(s, error)


def raise_now(s, error: Exception):
    """This exception is certain here."""
    cls = problems.public(type(error))
    problems.raised(s, v.UnraisedException(cls, tuple([value_of(s, x) for x in error.args]) if cls is type(error)
                        else (v.Static(str(error)),)))


def raised_of(s, error: Exception, *values):
    """This exception is certain here of values that have these classes, whatever way the program took."""
    s.refuse_several([x.atom for x in v.walk_values(values) if isinstance(x, v.Number)])
    for x in values:
        for d in s.type(x).dims if isinstance(x, v.Array) else ():
            s.ensure(d, "!=", 0, "RefusedValue",
                "what Python makes of an empty array and an object is known only to Python: nothing is computed with "
                "it")
    raise_now(s, error)


def ask_python(s, function, /, *args, **kwargs):
    """What Python's function gives where all is known now;
    else None, after Python has had a look at the classes of the arguments."""
    with np.errstate(all="ignore"):
        if all([is_static_value(s, x) for x in (*args, *kwargs.values())]):
            return value_of(s, python(s, function, *[s.static(x, "") for x in args],
                                      **{k: s.static(x, "") for k, x in kwargs.items()}))
        try:
            function(*[sampled(s, x) for x in args], **{k: sampled(s, x) for k, x in kwargs.items()})
        except TypeError as error:
            raised_of(s, error, *args, *kwargs.values())
        except OURS:
            raise
        except Exception:
            return None  # it depends on the values


def by_python(s, function, *values, why: str = "Python computes with it"):
    """What Python makes of values that are no numbers;
    where their classes alone raise, that is certain before the run."""
    found = ask_python(s, function, *values)
    return found if found is not None else value_of(s, python(s, function, *(s.static(x, why) for x in values)))


def is_static_value(s, value) -> bool:
    """Is all of a value known now?"""
    if isinstance(value, v.Tuple) or is_changeable(value):
        return all([is_static_value(s, x) for x in s.items(value)])
    return (isinstance(value, v.Static) or is_set(value) or isinstance(value, v.Number) and
            isinstance(value.atom, Const)
            or isinstance(value, v.Iter) and value.kind == "keys")


def sampled(s, value):
    """An object of the class of a value, to ask Python what it makes of such: the value itself where it is known."""
    def other(x):
        match x:
            case v.Number() | v.Array():
                return sample(s.type(x))
            case v.OneOf():
                return sampled(s, s.present(x) if x.optional else x.value)
            case v.RunTimeText():
                return str(x)
            case v.Boxed(cls=c) if (one := iterator_of_class(c)) is not None:
                return one
            case v.Tuple() | v.Boxed() if users_class(x) is not None:
                return s.stand_in(x, x.cls)
            case v.Iter(kind="range"):
                return range(1)
        return lambda: None

    return s.reify(value, lambda x: users_class(x) is None and (container_kind(x) is not None or is_set(x)), other)


def same_items(a, b) -> bool:
    """Do two containers hold the very same objects?"""
    if isinstance(a, dict):
        return list(a) == list(b) and all([x is y for x, y in zip(a.values(), b.values())])
    return len(a) == len(b) and all([x is y for x, y in zip(a, b)])


def on_real(s, box: v.Boxed, function, /, *args, **kwargs):
    """`function(container, ...)` on a real list, dict or deque; what it has become goes into the box."""
    note_turn(s, box, function)
    container = python_container(s, box)
    before = container.copy()
    result = python(s, function, container, *args, **kwargs)
    if not same_items(container, before):
        put_back(s, box, container)
    return box if result is container else value_of(s, result)


STANDING = {getattr(collections.deque, name) for name in ("copy", "count", "index", "__setitem__")} | {operator.setitem}


def note_turn(s, box, function) -> None:
    """A deque gets or loses items, or turns, on some path:
    what runs over it does not go on, even where it is as long again."""
    if is_deque(box) and function not in STANDING:
        s.turned[box.box] = v.Static(object())


def put_back(s, box: v.Boxed, container) -> None:
    """What a real container holds now is in the box."""
    more = len(container) > len(s.items(box))
    items = container.values() if isinstance(container, dict) else container
    values = [value_of(s, x) for x in items]
    refuse_itself(s, box, *values)
    s.change(box, values)
    if isinstance(container, dict):
        if (keys := type(s.keys(box))(container)) != s.keys(box):
            s.heap[box.box, v.KEYS] = keys
    elif more and is_list(box):
        s.appended.add(box.box)


def refuse_itself(s, box: v.Boxed, *items) -> None:
    """Refuse to put a container into itself."""
    if hold_box(s, items, box.box):
        s.fail(f"a {box.cls.__name__} that holds itself", "Make a copy of it first.")
