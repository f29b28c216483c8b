"""What operators and built-in functions call of users' classes: Python's protocols of special methods.

Each function gives None where the classes of its operands define nothing of it, so that the built-in way is next.
"""
from __future__ import annotations

import types as pytypes

from . import values as v
from .objects import MISSING, base_of, by_library, call, class_of, identical, look_up, special, type_name, users_class

NOT_IMPLEMENTED = v.Static(NotImplemented)
BINARY = {"add": ("add", "+"), "subtract": ("sub", "-"), "multiply": ("mul", "*"), "divide": ("truediv", "/"), "floor_divide": ("floordiv", "//"),
          "mod": ("mod", "%"), "power": ("pow", "** or pow()"), "matmul": ("matmul", "@"), "and_": ("and", "&"), "or_": ("or", "|"),
          "xor": ("xor", "^"), "lshift": ("lshift", "<<"), "rshift": ("rshift", ">>"), "divmod": ("divmod", "divmod()")}
COMPARED = {"less": ("__lt__", "__gt__", "<"), "less_equal": ("__le__", "__ge__", "<="), "greater": ("__gt__", "__lt__", ">"),
            "greater_equal": ("__ge__", "__le__", ">="), "equal": ("__eq__", "__eq__", "=="), "not_equal": ("__ne__", "__ne__", "!=")}
UNARY = {"negative": ("__neg__", "unary -"), "positive": ("__pos__", "unary +"), "invert": ("__invert__", "unary ~"), "abs": ("__abs__", "abs()")}
ARRAY_LIKE = ("__array__", "__array_interface__", "__array_struct__", "__len__", "__getitem__", "__buffer__")


def is_object(value) -> bool:
    """Is it an object of a user's class that is no list, dict, tuple or number as well?"""
    cls = users_class(value)
    return cls is not None and base_of(cls) is object and not issubclass(cls, (int, float, complex, str, bytes))


def lacks(value, *names: str) -> bool:
    """Is it an object whose class has none of these methods, not even a built-in one?"""
    return is_object(value) and all(look_up(users_class(value), n)[1] in (None, object) for n in names)


def is_numpy(s, value) -> bool:
    return isinstance(value, v.Array) or isinstance(value, v.Num) and s.type(value).kind != "py"


# operators -----------------------------------------------------------------------------------
def binary(s, name: str, left, right):
    """The value of an operator or comparison; None where neither operand's class says anything of it."""
    classes = users_class(left), users_class(right)
    if classes == (None, None):
        return None
    if name in COMPARED:
        return comparison(s, name, left, right)
    word, symbol = BINARY[name]
    if classes[0] is None and is_numpy(s, left):
        return right_of_numpy(s, f"__r{word}__", left, right, symbol)
    result = arithmetic(s, f"__{word}__", f"__r{word}__", left, right)
    if result is not None or left_to_python(s, left, right, f"__{word}__", f"__r{word}__"):
        return result
    if is_numpy(s, right) or any(isinstance(x, (v.Tuple, v.Boxed)) and not is_object(x) for x in (left, right)):
        s.fail(f"{s.describe(left)} {symbol} {s.describe(right)}", f"Define __{word}__ in the class for it.")
    s.stop("TypeError", f"unsupported operand type(s) for {symbol}: '{type_name(s, left)}' and '{type_name(s, right)}'")


def arithmetic(s, plain: str, reflected: str, left, right):
    """The method of the left, or the reflected one of the right, which is asked first where its class is a subclass that has its own."""
    classes = class_of(s, left), class_of(s, right)
    tries = [(left, plain, right)]
    if classes[0] is not classes[1]:
        own = look_up(classes[1], reflected)[0] is not look_up(classes[0], reflected)[0]
        tries.insert(0 if issubclass(classes[1], classes[0]) and own else 1, (right, reflected, left))
    return first(s, tries)


def left_to_python(s, left, right, plain: str, reflected: str) -> bool:
    """Is what the operands' classes leave open decided by built-in code: of a list, a tuple, a number, an object known now?"""
    if not any(map(is_object, (left, right))):
        return True
    known = [x for x in ((left, plain), (right, reflected)) if isinstance(x[0], v.Static) and users_class(x[0]) is not None and not lacks(*x)]
    return any(by_library(found) or not isinstance(found, (pytypes.FunctionType, type(None)))
               for found in (look_up(users_class(x), n)[0] for x, n in known))


def first(s, tries):
    """The first result of (object, name of a method, argument) that is not NotImplemented; None if there is none."""
    for owner, name, other in tries:
        own = special(s, owner, name)
        if own is not None:
            result = call(s, own, other)
            if result != NOT_IMPLEMENTED:
                return result
    return None


def right_of_numpy(s, reflected: str, left, right, symbol: str):
    """What NumPy does with a user's object at its right: it asks the reflected method where the class says so, and of a scalar where it is no array."""
    cls = users_class(right)
    ufunc, priority = (look_up(cls, n)[0] for n in ("__array_ufunc__", "__array_priority__"))
    if ufunc is MISSING and not is_object(right):
        return None  # a tuple or list: an array of its items
    if ufunc is None or ufunc is MISSING and isinstance(priority, (int, float)) and priority > (0.0 if isinstance(left, v.Array) else -1e6):
        result = first(s, [(right, reflected, left)])
    elif ufunc is MISSING and priority is MISSING and not isinstance(left, v.Array) and all(look_up(cls, n)[0] is MISSING for n in ARRAY_LIKE):
        kind = {"f": "float", "b": "bool"}.get(s.type(left).dtype.kind, "int")
        left = s.wrap(s.emit(kind, s.atom(left)))
        result = first(s, [(right, reflected, left)])
    else:
        s.fail(f"{s.describe(left)} {symbol} {s.describe(right)}, where NumPy makes an array of objects",
               f"Write the object first, or give its class __array_ufunc__ = None and {reflected}.")
    if result is None:
        s.stop("TypeError", f"unsupported operand type(s) for {symbol}: '{type_name(s, left)}' and '{cls.__name__}'")
    return result


def in_place(s, name: str, left, right):
    """`left op= right`, as `binary`."""
    result = first(s, [(left, f"__i{BINARY[name][0]}__", right)])
    if result is None and isinstance(left, v.Array) and is_object(right):
        s.fail(f"an array is changed in place by {s.describe(right)}", "Write x = x + y.")
    return result if result is not None else binary(s, name, left, right)


def comparison(s, name: str, left, right):
    method, swapped, symbol = COMPARED[name]
    classes = class_of(s, left), class_of(s, right)
    if users_class(left) is None and is_numpy(s, left):
        if not is_object(right):
            return None
        s.fail(f"{s.describe(left)} {symbol} {s.describe(right)}", "Write the object first.")
    tries = [(left, method, right), (right, swapped, left)]
    if classes[0] is not classes[1] and issubclass(classes[1], classes[0]):
        tries.reverse()
    for owner, which, other in tries:
        result = compared(s, owner, which, other)
        if result is not None:
            return result
    if left_to_python(s, left, right, method, swapped):
        return None
    if name in ("equal", "not_equal"):
        if is_numpy(s, right):
            s.fail(f"{s.describe(left)} {symbol} {s.describe(right)}", f"Define {method} in the class for it.")
        return v.Static(identical(s, left, right) == (name == "equal"))
    s.stop("TypeError", f"'{symbol}' not supported between instances of '{type_name(s, left)}' and '{type_name(s, right)}'")


def compared(s, owner, name: str, other):
    """The result of a method of comparison, or None; `!=` without a __ne__ is what `==` gives, negated."""
    result = first(s, [(owner, name, other)])
    cls = users_class(owner)
    if result is None and name == "__ne__" and cls is not None and look_up(cls, "__ne__")[1] is object:
        from .expressions import negate, truth
        same = first(s, [(owner, "__eq__", other)])
        return None if same is None else negate(s, truth(s, same))
    return result


def unary(s, name: str, value):
    """-x, +x, ~x, abs(x)"""
    method, symbol = UNARY[name]
    own = special(s, value, method)
    if own is not None:
        return call(s, own)
    if lacks(value, method):
        s.stop("TypeError", f"bad operand type for {symbol}: '{type_name(s, value)}'")
    return None


# truth, length, conversion -------------------------------------------------------------------
def truth(s, value):
    """Is an object true?  A value that is; None where its class does not say."""
    own = special(s, value, "__bool__")
    if own is not None:
        result = call(s, own)
        if class_of(s, result) is not bool:
            s.stop("TypeError", f"__bool__ should return bool, returned {type_name(s, result)}")
        return result
    size = length(s, value, needed=False)
    if size is not None:
        return s.elementwise("not_equal", size, v.Static(0))
    return v.Static(True) if lacks(value, "__bool__", "__len__") else None


def length(s, value, needed: bool = True):
    """len(x)"""
    own = special(s, value, "__len__")
    if own is None:
        if needed and lacks(value, "__len__"):
            s.stop("TypeError", f"object of type '{type_name(s, value)}' has no len()")
        return None
    from .iteration import as_int
    result = call(s, own)
    if class_of(s, result) is float:
        s.stop("TypeError", "'float' object cannot be interpreted as an integer")
    result = as_int(s, result)
    fits = s.elementwise("greater_equal", result, v.Static(0))
    if fits != v.Static(True):
        s.require(s.atom(fits), "ValueError", "__len__() should return >= 0") if fits != v.Static(False) else \
            s.stop("ValueError", "__len__() should return >= 0")
    return result


def converted(s, cls: type, value):
    """float(x), int(x), bool(x)"""
    if cls is bool:
        return truth(s, value)
    for name in {float: ("__float__", "__index__"), int: ("__int__", "__index__", "__trunc__")}[cls]:
        own = special(s, value, name)
        if own is None:
            continue
        result, wanted = call(s, own), float if name == "__float__" else int
        if class_of(s, result) is not wanted:
            s.stop("TypeError", f"{type_name(s, value)}.{name} returned non-{wanted.__name__} (type {type_name(s, result)})" if cls is float else
                   f"{name} returned non-int (type {type_name(s, result)})")
        return result if wanted is cls else s.wrap(s.emit("float", s.atom(result)))
    if lacks(value, *(("__float__", "__index__") if cls is float else ("__int__", "__index__", "__trunc__"))):
        what = {float: "float() argument must be a string or a real number", int: "int() argument must be a string, a bytes-like object or a real number"}[cls]
        s.stop("TypeError", f"{what}, not '{type_name(s, value)}'")
    return None


def as_index(s, value):
    """An object as an integer, where one is needed: an index, a count."""
    own = special(s, value, "__index__")
    return value if own is None else call(s, own)


# items ---------------------------------------------------------------------------------------
ITEMS = {"__getitem__": "'{}' object is not subscriptable", "__setitem__": "'{}' object does not support item assignment",
         "__delitem__": "'{}' object doesn't support item deletion", "__call__": "'{}' object is not callable"}


def item(s, name: str, value, /, *args, **kwargs):
    """x[k], x[k] = y, del x[k] and x(...): (the result,), or None where the class does not say."""
    own = special(s, value, name)
    if own is None and (lacks(value, name) or name != "__getitem__" and isinstance(value, v.Tuple) and users_class(value) is not None):
        s.stop("TypeError", ITEMS[name].format(type_name(s, value)))
    if own is None and name == "__getitem__" and isinstance(value, v.Boxed) and (missing := special(s, value, "__missing__")) is not None:
        return None if s.static(args[0], "it is a key of a dict") in s.keys(value) else (call(s, missing, *args),)
    return None if own is None else (call(s, own, *args, **kwargs),)


def contains(s, value, x):
    """`x in value`, a bool"""
    from .expressions import truth as truth_of
    own = special(s, value, "__contains__")
    if own is not None:
        return truth_of(s, call(s, own, x))
    if lacks(value, "__contains__", "__iter__", "__getitem__"):
        s.stop("TypeError", f"argument of type '{type_name(s, value)}' is not iterable")
    return None


def iterator(s, value):
    """iter(x): what __iter__ gives; None where the class does not say."""
    own = special(s, value, "__iter__")
    if own is not None:
        return call(s, own)
    if lacks(value, "__iter__", "__getitem__"):
        s.stop("TypeError", f"'{type_name(s, value)}' object is not iterable")
    return None


# text ----------------------------------------------------------------------------------------
def text(s, value, conversion: str, spec: str):
    """The string that a user's class makes of its object: format(x, spec) where there is no conversion; None where the class does not say."""
    if users_class(value) is None:
        return None
    if not conversion:
        own = special(s, value, "__format__")
        if own is not None:
            return a_string(s, call(s, own, v.Static(spec)), "__format__")
        if spec and lacks(value, "__format__"):
            s.stop("TypeError", f"unsupported format string passed to {type_name(s, value)}.__format__")
    for name in ("__repr__",) if conversion == "!r" else ("__str__", "__repr__"):
        own = special(s, value, name)
        if own is not None:
            result = a_string(s, call(s, own), name)
            return v.Static(format(result.value, spec)) if conversion and spec and isinstance(result, v.Static) else result
    return None


def a_string(s, result, name: str):
    if class_of(s, result) is not str:
        s.stop("TypeError", f"{name} returned non-string (type {type_name(s, result)})" if name != "__format__" else
               f"__format__ must return a str, not {type_name(s, result)}")
    return result

