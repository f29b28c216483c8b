"""Python's built-in functions, `math`, and the methods of lists and dicts."""
from __future__ import annotations

import builtins
import functools
import math
import operator
import types as pytypes

import gast
import numpy as np

from ..core import Const
from ..rules import OPS
from . import protocols
from . import values as v
from .calls import call_value, frontend, method
from .expressions import BINARY, binary_op, iterate_static, text, text_of, truth
from .growing import append as append_row, grown
from .iteration import as_int, iterable
from .numpy_api import listed, only_element
from .objects import class_of, has_attribute, of_library

NONE = v.Static(None)


@frontend(len)
def len_(s, x):
    size = protocols.length(s, x)
    if size is not None:
        return size
    if isinstance(x, v.Static):
        return v.Static(len(x.value))
    return iterable(s, x).count


@frontend(range)
def range_(s, *bounds):
    ints = [as_int(s, x) for x in bounds]
    start, stop, step = {1: lambda: (v.Static(0), ints[0], v.Static(1)), 2: lambda: (*ints, v.Static(1)), 3: lambda: ints}[len(ints)]()
    if step == v.Static(0):
        s.stop("ValueError", "range() arg 3 must not be zero")
    elif not isinstance(step, v.Static):
        ok = s.elementwise("not_equal", step, v.Static(0))
        s.require(s.atom(ok), "ValueError", "range() arg 3 must not be zero")
    return v.Iter("range", (start, stop, step))


@frontend(zip)
def zip_(s, *parts, strict=NONE):
    return v.Iter("zip", parts)


@frontend(enumerate)
def enumerate_(s, x, start=v.Static(0)):
    return v.Iter("enumerate", (x, start))


@frontend(reversed)
def reversed_(s, x):
    return v.Iter("reversed", (x,))


@frontend(abs)
def abs_(s, x):
    made = protocols.unary(s, "abs", x)
    return made if made is not None else s.elementwise("abs", x)


@frontend(pow)
def pow_(s, x, y):
    return binary_op(s, "power", x, y)


@frontend(divmod)
def divmod_(s, x, y):
    made = protocols.binary(s, "divmod", x, y)
    return made if made is not None else v.Tuple((s.elementwise("floor_divide", x, y), s.elementwise("mod", x, y)))


def _extremum(name, better):
    def handler(s, *args, key=NONE, default=NONE):
        from .control import choose
        if key != NONE or default != NONE:
            s.fail(f"{name} with key= or default=", "Write a loop.")
        if not args:
            s.fail(f"{name}() of nothing", "Give it numbers.")
        items = list(args) if len(args) > 1 else sequence(s, args[0], name)
        best = items[0]
        for x in items[1:]:
            test = truth(s, s.elementwise(better, x, best))
            best = (x if test.value else best) if isinstance(test, v.Static) else choose(s, test.atom, lambda x=x: x, lambda best=best: best)
        return best
    handler.__name__ = name
    return handler


def sequence(s, x, name):
    if isinstance(x, v.Array) and s.type(x).dims and s.type(x).dims[0].constant is None:
        s.fail(f"the built-in {name} of an array", f"Write np.{name}(x), or x.{name}().")
    return iterate_static(s, x, f"{name} runs over it")


frontend(max)(_extremum("max", "greater"))
frontend(min)(_extremum("min", "less"))


@frontend(sum)
def sum_(s, x, start=v.Static(0)):
    total = start
    for item in sequence(s, x, "sum"):
        total = binary_op(s, "add", total, item)
    return total


def _convert(cls):
    def handler(s, x=v.Static(0)):
        own = protocols.converted(s, cls, x)
        x = x if own is None else own
        if isinstance(x, v.Static):
            return v.Static(cls(x.value))
        value = listed(s, x)
        if cls is bool:
            value = truth(s, value)
            if isinstance(value, v.Static):
                return value
        atom = s.atom(value)
        t = s.b.type(atom)
        if t.rank:
            atom = only_element(s, atom, "TypeError", "only 0-dimensional arrays can be converted to Python scalars")
        if t.kind == "py" and t.python_type is cls:
            return v.Num(atom)
        return s.wrap(s.emit(cls.__name__, atom))
    handler.__name__ = cls.__name__
    return handler


for _cls in (float, int, bool):
    frontend(_cls)(_convert(_cls))


@frontend(isinstance)
def isinstance_(s, x, cls):
    wanted = s.static(cls, "it is a class")
    try:
        of_object = isinstance(x.value if isinstance(x, v.Static) else None, wanted)
    except TypeError as error:
        s.stop("TypeError", str(error))
    if isinstance(x, v.Static):
        return v.Static(of_object)
    for c in wanted if isinstance(wanted, tuple) else [wanted]:
        if getattr(c, "_is_protocol", False) or isinstance(getattr(type(c), "__instancecheck__", None), pytypes.FunctionType) and not of_library(type(c)):
            s.fail(f"isinstance of {c.__name__}, which looks at the object", "Test for a class.")
    return v.Static(issubclass(class_of(s, x), wanted))


@frontend(issubclass)
def issubclass_(s, cls, wanted):
    try:
        return v.Static(issubclass(s.static(cls, "it is a class"), s.static(wanted, "it is a class")))
    except TypeError as error:
        s.stop("TypeError", str(error))


@frontend(type)
def type_(s, x):
    return v.Static(class_of(s, x))


@frontend(tuple)
def tuple_(s, x=v.Tuple(())):
    return v.Tuple(tuple(iterate_static(s, x, "a tuple is made of it")))


@frontend(list)
def list_(s, x=v.Tuple(())):
    return s.box(iterate_static(s, x, "a list is made of it"))


@frontend(sorted)
def sorted_(s, x):
    return s.box([v.Static(i) for i in sorted(s.static(t, "it is sorted") for t in iterate_static(s, x, "it is sorted"))])


@frontend(dict)
def dict_(s, x=None, **kwargs):
    keys, items = [], []
    if isinstance(x, v.Boxed):
        keys, items = list(s.keys(x)), list(s.items(x))
    elif x is not None:
        for pair in iterate_static(s, x, "a dict is made of it"):
            k, item = s.items(pair)
            keys.append(s.static(k, "it is a key"))
            items.append(item)
    made = dict(zip(keys, items)) | kwargs
    return s.box(made.values(), dict, made.keys(), "dict")


@frontend(all)
def all_(s, x):
    from .expressions import both
    result = v.Static(True)
    for item in sequence(s, x, "all"):
        result = both(s, result, lambda item=item: truth(s, item))
    return result


@frontend(any)
def any_(s, x):
    from .control import choose
    result = v.Static(False)
    for item in sequence(s, x, "any"):
        if isinstance(result, v.Static):
            result = truth(s, item) if not result.value else result
        else:
            result = choose(s, result.atom, lambda: v.Static(True), lambda item=item: truth(s, item))
    return result


@frontend(map)
def map_(s, f, *xs):
    columns = [iterate_static(s, x, "map runs over it") for x in xs]
    return s.box([call_value(s, f, list(row), {}) for row in zip(*columns)])


for _name in BINARY.values():  # operator.add and its like
    frontend(OPS[_name].fn)(functools.partial(lambda name, s, a, b: binary_op(s, name, a, b), _name))


@frontend(hasattr)
def hasattr_(s, x, name):
    return v.Static(has_attribute(s, x, s.static(name, "it is the name of an attribute")))


@frontend(round)
def round_(s, x, digits=NONE):
    own = protocols.special(s, x, "__round__")
    if own is not None:
        return call_value(s, own, [] if digits == NONE else [digits], {})
    if not (isinstance(x, v.Static) and isinstance(digits, v.Static)):
        s.fail("round of a value of the run time", "Write np.rint(x), or np.floor(x + 0.5).")
    return v.Static(round(x.value, digits.value))


@frontend(functools.reduce)
def reduce_(s, f, items, *start):
    known = [*start, *iterate_static(s, items, "reduce runs over it")]
    if not known:
        s.stop("TypeError", "reduce() of empty iterable with no initial value")
    return functools.reduce(lambda a, b: call_value(s, f, [a, b], {}), known)


@frontend(getattr)
def getattr_(s, x, name, default=None):
    from .lookup import attribute
    attr = s.static(name, "it is the name of an attribute")
    return attribute(s, x, attr) if default is None or has_attribute(s, x, attr) else default


@frontend(callable)
def callable_(s, x):
    return v.Static(isinstance(x, (v.Closure, v.Bound, v.Pullback, v.Partial, v.Derived)) or isinstance(x, v.Static) and callable(x.value)
                    or isinstance(x, (v.Tuple, v.Boxed)) and callable(getattr(x.cls, "__call__", None)))


def _text(cls):
    def handler(s, x=v.Static(""), spec=v.Static("")):
        source = gast.unparse(s.node.args[0]).strip() if isinstance(s.node, gast.Call) and s.node.args else "value"
        conversion = {repr: "!r", str: "!s", format: ""}[cls]  # str shows a float32 as one, format does not
        return text(text_of(s, x, conversion, s.static(spec, "it is a format"), source))
    handler.__name__ = cls.__name__
    return handler


for _cls in (str, repr, format):
    frontend(_cls)(_text(_cls))


@frontend(print)
def print_(s, *args, sep=v.Static(" "), end=v.Static("\n"), flush=v.Static(False)):
    """An effect of the program that is written: each call prints when it is reached, as in the user's function."""
    if s.compiled:
        s.fail("print in a compiled function", "Call the function without jit to see what it prints, or return what you want to see.")
    parts: list = []
    for k, x in enumerate(args):
        parts += [s.static(sep, "it separates what is printed")] * (k > 0) + text_of(s, x, "!s", "", "")
    shown = v.Text(tuple(parts))
    s.emit("print", *map(s.atom, shown.values), text=shown.template, end=s.static(end, "it ends what is printed"))
    return NONE


@frontend(slice)
def slice_(s, *bounds):
    parts = list(bounds) if len(bounds) > 1 else [NONE, *bounds]
    return v.Tuple(tuple(parts + [NONE] * (3 - len(parts))), slice)


@frontend(operator.index)
def index(s, x):
    return as_int(s, x)


# math: NumPy's functions with a Python float as the result -----------------------------------
def _math(name, ufunc_name, allowed=None):
    def handler(s, *args):
        args = [a if (own := protocols.converted(s, float, a)) is None else own for a in args]
        if all(isinstance(a, v.Static) for a in args):
            try:
                return v.Static(getattr(math, name)(*(a.value for a in args)))
            except (ValueError, OverflowError) as error:
                s.stop(type(error).__name__, str(error))
        if allowed is not None:  # a NaN passes: math gives a NaN for it too
            inside = s.elementwise("or_", s.elementwise(allowed, args[0], v.Static(0)), s.elementwise("not_equal", args[0], args[0]))
            s.require(s.atom(inside), "ValueError", "math domain error")
        result = s.elementwise(ufunc_name, *args, numpy=True)
        if name == "exp":
            fits = s.elementwise("or_", s.elementwise("less", result, v.Static(math.inf)), s.elementwise("equal", args[0], v.Static(math.inf)))
            fits = s.elementwise("or_", fits, s.elementwise("not_equal", args[0], args[0]))
            s.require(s.atom(fits), "OverflowError", "math range error")
        return s.wrap(s.emit("float", s.atom(result)))
    handler.__name__ = f"math.{name}"
    return handler


# what math refuses: (name, NumPy's, the comparison with 0 that must hold)
for _name, _ufunc, _allowed in (("log", "np.log", "greater"), ("sqrt", "np.sqrt", "greater_equal")):
    frontend(getattr(math, _name))(_math(_name, _ufunc, _allowed))
for _name, _ufunc in {"exp": "np.exp", "sin": "np.sin", "cos": "np.cos", "tan": "np.tan", "tanh": "np.tanh", "atan": "np.arctan",
                      "atan2": "np.arctan2", "hypot": "np.hypot"}.items():
    frontend(getattr(math, _name))(_math(_name, _ufunc))


# lists and dicts -----------------------------------------------------------------------------
@method(("list", "append"))
def append(s, box, item):
    g = grown(s, box)
    if g is not None:
        append_row(s, box, g, item)
        return NONE
    s.change(box, s.items(box) + (item,))
    s.appended.add(box.box)
    return NONE


@method(("list", "extend"))
def extend(s, box, items):
    s.change(box, s.items(box) + tuple(iterate_static(s, items, "it extends a list")))
    return NONE


@method(("list", "pop"))
def pop(s, box, k=v.Static(-1)):
    items, at = list(s.items(box)), s.static(k, "it is an index of a list")
    if not -len(items) <= at < len(items):
        s.stop("IndexError", "pop index out of range" if items else "pop from empty list")
    item = items.pop(at)
    s.change(box, items)
    return s.item(item)


@method(("list", "insert"))
def insert(s, box, k, item):
    items = list(s.items(box))
    items.insert(s.static(k, "it is an index of a list"), item)
    s.change(box, items)
    return NONE


@method(("list", "reverse"))
def reverse(s, box):
    s.change(box, s.items(box)[::-1])
    return NONE


@method(("list", "clear"))
def clear(s, box):
    s.change(box, ())
    return NONE


@method(("list", "copy"))
def list_copy(s, box):
    return s.box(s.items(box))


@method(("dict", "items"))
def dict_items(s, box):
    return v.Iter("items", (box,))


@method(("dict", "keys"))
def dict_keys(s, box):
    return v.Iter("keys", (box,))


@method(("dict", "values"))
def dict_values(s, box):
    return v.Iter("values", (box,))


@method(("dict", "get"))
def dict_get(s, box, key, default=NONE):
    k = s.static(key, "it is a key of a dict")
    return s.item(s.items(box)[s.keys(box).index(k)]) if k in s.keys(box) else default


@method(("dict", "copy"))
def dict_copy(s, box):
    return s.box(s.items(box), dict, s.keys(box), "dict")


@method(("dict", "update"))
def dict_update(s, box, other=None, **kwargs):
    from .indexing import set_container
    made = dict_(s, other, **kwargs)
    for key, item in zip(s.keys(made), s.items(made)):
        set_container(s, box, key, item)
    return NONE


@method(("dict", "setdefault"))
def dict_setdefault(s, box, key, default=NONE):
    from .indexing import set_container
    k = s.static(key, "it is a key of a dict")
    if k not in s.keys(box):
        set_container(s, box, k, default)
    return dict_get(s, box, key)


__all__ = ["builtins"]
