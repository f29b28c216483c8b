"""Containers are Python's own: what is done to a tuple, list, dict, string or range is done by Python to a real one.

A real container holds stand-ins (`Item`) for what only the run time or the heap knows; what Python asks of one of them,
an equality or a truth, the machine answers.

    out.insert(k, x)     real = [...]; list.insert(real, 2, Item(x)); the box then holds what `real` holds
"""
from __future__ import annotations

import collections
import functools
import operator

import numpy as np

from ....core import Const
from ....core.types import sample
from ....errors.messages import GradscribeError
from ....pytree.containers import deque_of, made_of
from ....rules import OPS
from ...domain import values as v
from ...domain.classes import is_deque, is_set, users_class
from ..flow.control import decide
from ..names import problems
from .objects import call_now, holds_box, special

# exceptions that are not the program's
OURS = (GradscribeError, v.NeedStatic, v.Restart, v.CertainException, v.Grows, v.Conflict)
IMMUTABLE = (str, bytes, int, float, bool, complex, range, tuple, frozenset, slice, np.dtype,
             type(None), type(Ellipsis))


class Item:
    """Stands for a value among Python's own objects; there is one for each array, container and number."""

    __slots__ = ("s", "value")

    def __init__(self, s, value):
        self.s, self.value = s, value

    def __bool__(self):
        return self.s.static(self.s.truth(self.value), "it decides what a container holds")

    def __index__(self):
        return self.s.static(self.s.as_int(self.value), "it is an index or a number of items")

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
        return python_of(self.s, self.s.get_at(self.value, value_of(self.s, key)))

    def __getattr__(self, name):
        if name == "keys" and is_dict(self.value):
            return lambda: self.s.keys(self.value)
        if name == "keys" and (own := special(self.s, self.value, name)) is not None:
            return lambda: iter(python_of(self.s, call_now(self.s, own)))
        raise AttributeError(name)

    def _comparison(op):  # noqa: N805
        return lambda self, other: python_of(self.s, self.s.compare(op, self.value, value_of(self.s, other)))

    __eq__, __ne__, __lt__, __le__, __gt__, __ge__ = map(
        _comparison, ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal"))


# there and back ----------------------------------------------------------------------------------
def python_of(s, value):
    """The Python object of a value, as far as it is known; a stand-in for the rest."""
    match value:
        case v.Static(value=x):
            return x
        case v.Number(atom=Const(value=x)):
            return x
        case v.Tuple(cls=c) if c in (tuple, slice):
            return s.built(value, functools.partial(python_of, s))
        case v.Iter(kind="keys", parts=(box,)):
            return dict.fromkeys(s.keys(box)).keys()
        case v.Array(cell=cell, path=path):
            key = cell, path
        case v.Boxed(box=box):
            key = box
        case v.Number(atom=key):
            pass
        case _:
            key = value if isinstance(value, (v.Closure, v.BoundMethod)) else id(value)
    return s.stand_ins.setdefault(key, Item(s, value))


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
    return isinstance(value, v.Boxed) and value.cls is list


def is_changeable(value) -> bool:
    """Is it a list, dict or deque?"""
    return is_list(value) or is_dict(value) or is_deque(value)


def python_container(s, value):
    """A container itself, for Python to work on: what is in a list, dict or deque as stand-ins."""
    if is_set(value):
        return s.item(s.items(value)[0]).value.known
    if not is_changeable(value):
        return python_of(s, value)
    items = [x if isinstance(x, Item) else python_of(s, x) for x in s.items(value)]
    return items if is_list(value) else made_of(value.cls, s.keys(value), items)


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
    s.refuse_several([x.atom for x in values if isinstance(x, v.Number)])
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
    match value:
        case v.Static() | v.Number(atom=Const()):
            return python_of(s, value)
        case v.Number() | v.Array():
            return sample(s.type(value))
        case v.Maybe():
            return sampled(s, s.present(value))
        case v.RunTimeText():
            return str(value)
        case v.Boxed(cls=c) if c is set:
            return python_container(s, value)
        case v.Boxed(cls=c) if c in s.iterators:
            return s.iterators[c]
        case v.Tuple() | v.Boxed() if users_class(value) is not None:
            return s.stand_in(value, value.cls)
        case v.Tuple() | v.Boxed() if isinstance(value, v.Tuple) or is_changeable(value):
            return s.built(value, functools.partial(sampled, s))
        case v.Iter(kind="range"):
            return range(1)
    return lambda: None


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
    for x in items:
        refuse_itself(s, box, value_of(s, x))
    s.change(box, [value_of(s, x) for x in items])
    if isinstance(container, dict):
        if tuple(container) != s.keys(box):
            s.heap[box.box, v.KEYS] = tuple(container)
    elif more and is_list(box):
        s.appended.add(box.box)


def refuse_itself(s, box: v.Boxed, item) -> None:
    """Refuse to put a container into itself."""
    if isinstance(item, (v.Boxed, v.Tuple)) and holds_box(s, item, box.box, set()):
        s.fail(f"a {box.cls.__name__} that holds itself", "Make a copy of it first.")


def call_container(s, base, name: str, args, kwargs):
    """base.name(*args, **kwargs) of a list, dict, tuple, range or string."""
    if is_set(base):
        return s.call_set(base, name, args) if not kwargs else by_python(s, functools.partial(getattr(set, name),
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
        return sort_list(s, base, **kwargs)
    given = python_container if name.startswith("__") else python_of
    return on_real(s, base, method, *(given(s, a) for a in args), **{k: given(s, a) for k, a in kwargs.items()})


def call_known(s, base: v.Static, name: str, args, kwargs):
    """A method of a string, a range or what else does not change."""
    if not isinstance(base.value, IMMUTABLE):
        s.fail(f"the method {name} of {s.describe(base)}, which others see as well",
               "Call it outside of the transformed function, and pass the result.")
    if name == "format" and isinstance(base.value, str):
        return s.formatted(base.value, args, kwargs)
    args = [s.listed(x) for x in args] if name == "join" else args
    why = f"it goes to {type(base.value).__name__}.{name}"
    return value_of(s, python(s, getattr(base.value, name), *(s.static(a, why) for a in args),
                              **{k: s.static(a, why) for k, a in kwargs.items()}))


VIEWS = ("items", "keys", "values")
SPECIAL = {f"__{name}__": getattr(operator, name) for name in ("getitem", "setitem", "delitem", "contains", "add",
                                                               "mul", "eq", "ne", "lt", "le", "gt", "ge")}
COMPARISONS = {"__eq__": "equal", "__ne__": "not_equal", "__lt__": "less", "__le__": "less_equal", "__gt__": "greater",
               "__ge__": "greater_equal"}
OF_ITSELF = ("__str__", "__repr__", "__len__", "__iter__", "__reversed__")
SPECIAL |= {"__str__": str, "__repr__": repr, "__format__": format, "__len__": len, "__iter__": iter,
            "__reversed__": reversed}


def sort_list(s, box, key=v.Static(None), reverse=v.Static(False)):
    s.change(box, s.in_order(s.items(box), key, reverse))
    return v.Static(None)


# comparison ----------------------------------------------------------------------------------------
def container_kind(x):
    return (list if is_list(x) else dict if is_dict(x) else collections.deque if is_deque(x)
            else (slice if x.cls is slice else tuple) if isinstance(x, v.Tuple) else None)


def same_kind(left, right, op: str) -> bool:
    """Do lists, tuples, slices or dicts compare so?"""
    kind = container_kind(left)
    return kind is not None and kind is container_kind(right) and (kind is not dict or op in ("equal", "not_equal"))


def compare_containers(s, op: str, left, right):
    """left == right, left < right, ... of containers: item by item, at run time where it must be; None: Python says."""
    if not same_kind(left, right, op) or container_kind(left) is slice:
        return None
    if op == "not_equal":
        return s.negate(compare_containers(s, "equal", left, right))
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
        result = v.Static(True)
        for x, y in pairs:
            result = s.both(result, lambda: same_or_equal(s, x, y))
        return result if n == m else s.both(result, lambda: v.Static(False))
    if not pairs:
        return v.Static(OPS[op].fn(n, m))
    (x, y), rest = pairs[0], pairs[1:]
    return decide(s, same_or_equal(s, x, y), lambda: lexicographic(s, op, rest, n - 1, m - 1),
                  lambda: s.truth(s.compare(op, x, y)))


def same_or_equal(s, x, y):
    """What `in`, `==` of containers and list.index ask: is it the same object, or an equal one?"""
    if python_of(s, x) is python_of(s, y):
        return v.Static(True)
    return s.as_bool(s.truth(s.compare("equal", x, y)))


def contains(s, container, x):
    """x in container, of a list, tuple or deque: at run time where it must be."""
    result = v.Static(False)
    for item in s.items(container):
        result = s.either(result, lambda: same_or_equal(s, item, x))
    return result


def first_place(s, container, x, k: int = 0, missing: str | None = None):
    """container.index(x): at run time where it must be."""
    items = s.items(container)
    if k == len(items):
        message = ([missing] if missing else ["tuple.index(x): x not in tuple"] if isinstance(container, v.Tuple)
                   else [*s.text_of(x, "!r", "", ""), " is not in list" if is_list(container) else " is not in deque"])
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
