"""What operators and built-in functions call of users' classes: Python decides.

Python runs the operation itself, on stand-ins whose classes mirror those of the operands: they have the special methods
that these have, in the same order of look-up, and one that is called evaluates the user's.  So which method comes
first, what follows NotImplemented, what must be returned, and what is raised where there is none, are Python's own.
Each function gives None where built-in code has the last word.
"""
from __future__ import annotations

import operator
from typing import Any, NamedTuple

import numpy as np

from ....library.registry import FUNCTIONS
from ...domain import values as v
from ...domain.classes import BASES, MISSING, base_of, look_up, users_class
from ...domain.growing_lists import grown
from ..arrays.signatures import has_known_value
from .containers import COMPARISONS, OURS, python, raised_of, sampled, value_of
from .objects import call_now, identical_objects, special

NOT_IMPLEMENTED = v.Static(NotImplemented)
BINARY = {"add": "add", "subtract": "sub", "multiply": "mul", "divide": "truediv", "floor_divide": "floordiv",
          "mod": "mod", "power": "pow",
          "matmul": "matmul", "and_": "and", "or_": "or", "xor": "xor", "lshift": "lshift", "rshift": "rshift",
          "divmod": "divmod"}
COMPARED = {op: getattr(operator, name) for name, op in COMPARISONS.items()}
UNARY = {"negative": operator.neg, "positive": operator.pos, "invert": operator.invert, "abs": abs}
# Python looks at what they give
CHECKED = {"__bool__", "__len__", "__float__", "__int__", "__index__", "__trunc__", "__str__", "__repr__", "__format__"}
ASKED = {*CHECKED, *COMPARISONS, "__neg__", "__pos__", "__invert__", "__abs__", "__getitem__", "__setitem__",
         "__delitem__", "__call__",
         "__contains__", "__iter__", "__missing__",
         *(f"__{how}{word}__" for word in BINARY.values() for how in ("", "r", "i"))}
NUMPY = (v.Number, v.Array)
VALUES = (*BASES, int, float, complex, str, bytes)
ARRAY_LIKE = ("__array__", "__array_interface__", "__array_struct__", "__len__", "__getitem__", "__buffer__")


# Python asks ---------------------------------------------------------------------------------
class BuiltIn(Exception):
    """Built-in code is next."""


class Found(list):
    """(name, value) of the methods that answered; to Python it stands for the last value."""

    def __next__(self):
        raise StopIteration


class Asking(NamedTuple):
    """What a stand-in knows: the operand that it stands for, the other ones, and which methods may be asked."""

    s: Any
    value: Any
    others: list
    named: dict
    found: Found
    only: set


def mirror(s, cls: type) -> type:
    """The class of stand-ins for objects of a class."""
    if cls in (object, *BASES):
        return cls
    if cls not in s.stand_ins:
        methods = {name: None if found is None else asking(name) for name, found in vars(cls).items() if name in ASKED}
        s.stand_ins[cls] = type(cls.__name__, tuple([mirror(s, base) for base in cls.__bases__]), methods)
    return s.stand_ins[cls]


def asking(name: str):
    """A special method of stand-ins: evaluates that of the user's class."""
    def method(self, *given):
        s, value, others, named, found, only = self.asking
        own = special(s, value, name)
        if own is None or name not in only:
            raise BuiltIn
        result = call_now(s, own, *others[:len(given)], **named or {})
        if result == NOT_IMPLEMENTED:
            return NotImplemented
        found.append((name, result))
        return sampled(s, result) if name in CHECKED else found

    return method


def stand_in(s, value, cls: type, others=(), named=None, found=None, only=frozenset()):
    """An object of the class that mirrors that of a value; what is in it, too, stands for what is in that."""
    base = base_of(cls)
    items = ([sampled(s, x) for x in s.items(value)]
             if base in (tuple, list, dict) and not isinstance(value, (v.Static, *NUMPY))
             and not (base is dict and grown(s, value)) else [])
    made = base.__new__(mirror(s, cls), *[items] * (base is tuple))
    if base is list:
        list.extend(made, items)
    elif base is dict:
        dict.update(made, zip(s.keys(value), items))
    made.asking = Asking(s, value, others, named, found, only)
    return made


def ask(s, function, values, named=None, only=ASKED):
    """(what Python makes of stand-ins for these values, what methods of users' classes gave), or None."""
    classes = [users_class(x) for x in values]
    if not any(classes):
        return None
    found, own = Found(), any(map(is_user_object, values))
    operands = []
    for k, (x, cls) in enumerate(zip(values, classes)):
        cls = cls or (np.ndarray if is_numpy_value(s, x) else None)
        operands.append(sampled(s, x) if cls is None
                        else stand_in(s, x, cls, [*values[:k], *values[k + 1:]], named, found, only))
    try:
        result = function(*operands)
    except BuiltIn:
        return None
    except OURS:
        raise
    except Exception as error:
        if error.__traceback__.tb_next is not None:
            raise
        return raised_of(s, error, *values) if own or isinstance(error, (TypeError, AttributeError)) else None
    return (result, found) if found or own else None


def method_answer(answer):
    """What a method of a user's class gave last."""
    return answer[1][-1][1] if answer is not None and answer[1] else None


def is_user_object(value) -> bool:
    """Is it an object of a user's class that is no list, dict, tuple or number as well?"""
    cls = users_class(value)
    return cls is not None and not issubclass(cls, VALUES)


def present(s, value):
    """The object under a value that may be None."""
    return s.present(value) if isinstance(value, v.OneOf) and users_class(value.value) is not None else value


def is_numpy_value(s, value) -> bool:
    """Is it an array or NumPy scalar, whose operators make an array of a list?"""
    return isinstance(value, v.Array) or isinstance(value, v.Number) and s.type(value).kind != "py"


def array_protocol(s, value):
    """What the `__array__` of a user's object gives; None where it has none."""
    own = special(s, value, "__array__") if is_user_object(value) else None
    return None if own is None else call_now(s, own)


# operators -----------------------------------------------------------------------------------
def binary_method(s, name: str, left, right, how: str = ""):
    """left op right; `how`: "i" of left op= right."""
    classes = users_class(left), users_class(right)
    if classes == (None, None):
        return None
    function = operation(name, how)
    if classes[0] is None and is_numpy_value(s, left):
        return right_of_numpy(s, name, left, right, how)
    answer = ask(s, function, (left, right))
    if answer is not None:
        result, found = answer
        if result is found:
            return method_answer(answer)
        if name == "not_equal" and found:
            return FUNCTIONS[operator.not_](s, method_answer(answer))
        if name in ("equal", "not_equal") and not found:
            same = identical_objects(s, left, right)
            return same if name == "equal" else FUNCTIONS[operator.not_](s, same)
    objects = [*filter(is_user_object, (left, right))]
    if objects and (is_numpy_value(s, right) or not all([isinstance(x, v.Static) for x in objects])):
        s.fail(f"{function.__name__} of {s.describe(left)} and {s.describe(right)}",
               "Define its special method in the class for it.")
    return None


def operation(name: str, how: str = ""):
    """Python's function for an operator."""
    return COMPARED.get(name) or (divmod if name == "divmod" else getattr(operator, f"__{how}{BINARY[name]}__"))


def right_of_numpy(s, name: str, left, right, how: str):
    """What NumPy does with a user's object at its right:
    it asks the reflected method where the class says so, and of a scalar where it is no array."""
    cls, array = users_class(right), isinstance(left, v.Array)
    if not is_user_object(right) and (name in COMPARED or lacks_all(cls, "__array_ufunc__")):
        return None  # a tuple or list: an array of its items
    asks = is_left_to(cls, 0.0 if array else -1e6)
    number = not array and lacks_all(cls, "__array_ufunc__", "__array_priority__", *ARRAY_LIKE)
    if name in COMPARED or not (asks or number) or how and array:
        s.fail(f"{operation(name).__name__} of {s.describe(left)} and {s.describe(right)}, where NumPy makes an array "
               f"of objects",
               "Write the object first, or give its class __array_ufunc__ = None and a reflected method, and write x "
               "= x + y.")
    if not asks:
        left = s.wrap(s.emit({"f": "float", "b": "bool"}.get(s.type(left).dtype.kind, "int"), s.atom(left)))
    own = special(s, right, f"__r{BINARY[name]}__")
    result = call_now(s, own, left) if own is not None else NOT_IMPLEMENTED
    if result == NOT_IMPLEMENTED:
        # raises
        python(s, operation(name, how if asks else ""), *[type(s.class_name(x), (), {})() for x in (left, right)])
    return result


def is_left_to(cls: type, priority: float) -> bool:
    """Does what NumPy has at its left, of this priority, leave an operator to the class?"""
    ufunc, own = (look_up(cls, n)[0] for n in ("__array_ufunc__", "__array_priority__"))
    return ufunc is None or ufunc is MISSING and isinstance(own, (int, float)) and own > priority


def lacks_all(cls: type, *names: str) -> bool:
    return all(look_up(cls, n)[0] is MISSING for n in names)


def unary_method(s, name: str, value):
    """-x, +x, ~x, abs(x)"""
    return method_answer(ask(s, UNARY[name], (s.present(value),)))


# truth, length, conversion -------------------------------------------------------------------
def truth_method(s, value):
    """Is an object true?  A bool, static or of the run time."""
    answer = ask(s, bool, (value,))
    if answer is None:
        return None
    result, found = answer
    if not found or has_known_value(found[-1][1]):
        return v.Static(result)
    name, given = found[-1]
    return given if name == "__bool__" else s.elementwise("not_equal", as_length(s, given), v.Static(0))


def length_method(s, value):
    """len(x)"""
    given = method_answer(ask(s, len, (value,)))
    return None if given is None else as_length(s, given)


def as_length(s, given):
    """What __len__ gave, as a number that is not negative."""
    given = FUNCTIONS[operator.index](s, given)
    if not isinstance(given, v.Static):
        s.require(s.atom(s.elementwise("greater_equal", given, v.Static(0))), "ValueError",
                  "__len__() should return >= 0")
    return given


def converted(s, cls: type, value, function=None):
    """float(x), int(x), bool(x)"""
    if cls is bool:
        return truth_method(s, value)
    answer = ask(s, function or cls, (value,))
    given = method_answer(answer)
    if given is None or has_known_value(given):
        return None if given is None else v.Static(answer[0])
    return given if s.class_of(given) is cls else s.wrap(s.emit(cls.__name__, s.atom(given)))


def as_index(s, value):
    """An object as an integer, where one is needed: an index, a count."""
    return value if special(s, value, "__index__") is None else converted(s, int, value, operator.index)


# items ---------------------------------------------------------------------------------------
def item(s, function, value, /, *args, **kwargs):
    """x[k], x[k] = y, del x[k] and x(...), where the function is that of `operator`."""
    value = present(s, value)
    if users_class(value) is None:
        return None
    if isinstance(value, v.Boxed) and issubclass(value.cls, dict) and function is not operator.call:
        key = s.static(args[0], "it is a key of a dict")
        args = (v.Static(key) if isinstance(key, np.generic) else value_of(s, key), *args[1:])
    return method_answer(ask(s, function, (value, *args), kwargs))


def contains_method(s, value, x):
    """`x in value`, a bool"""
    given = (method_answer(ask(s, operator.contains, (value, x), only={"__contains__"}))
             if users_class(value) is not None else None)
    return None if given is None else s.truth(given)


def iterator_method(s, value):
    """iter(x): what __iter__ gives."""
    return method_answer(ask(s, iter, (value,)))


# text ----------------------------------------------------------------------------------------
def text_method(s, value, conversion: str, spec: str):
    """The string that a user's class makes of its object: format(x, spec) where there is no conversion."""
    answer = (ask(s, format, (value, v.Static(spec))) if not conversion
              else ask(s, repr if conversion == "!r" else str, (value,)))
    given = method_answer(answer)
    return given if not isinstance(given, v.Static) else v.Static(format(answer[0], spec) if conversion else answer[0])
