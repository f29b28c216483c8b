"""Python's functions on objects: those of object, type and super, of attributes, and of the module copy."""
from __future__ import annotations

import copy
import enum
import types as pytypes

import numpy as np

from ...inputs.guards import Shape
from ...library.registry import frontend
from ..domain import values as v
from ..domain.classes import as_builtin, base_of, by_library, empty_object, look_up, type_of_value, users_class
from ..evaluator.arrays.signatures import tried_now
from ..evaluator.names.lifting import lift, path_of
from ..evaluator.names.tables import call_value
from ..evaluator.objects.iteration import NONE
from ..evaluator.objects.making import change_attribute, instance, plain_change
from ..evaluator.objects.objects import call_now, identical_objects, plain_attribute, special
from ..evaluator.objects.protocols import NOT_IMPLEMENTED
from ..evaluator.objects.truths import negate, truth
from ..evaluator.syntax.calls import written_by_python
from .builtin_api import list_, tuple_

frontend(pytypes.SimpleNamespace)(lambda s, /, **values: s.box(values.values(), pytypes.SimpleNamespace, values,
                                                               v.OBJECT))


# object, type, super -------------------------------------------------------------------------
frontend(type.__call__)(instance)


@frontend(super)
def super_(s, cls=None, value=None):
    if cls is None:
        frame = s.frames[-1]
        cell = frame.captured.freevars.get("__class__") if frame.captured is not None else None
        args = frame.node.args
        first = [*args.posonlyargs, *args.args]
        if cell is None or not first:
            s.stop("RuntimeError", "super(): no arguments" if cell is not None else "super(): __class__ cell not found")
        cls, value = v.Static(cell.cell_contents), s.heap[frame, first[0].id]
    if value is None:
        s.fail("super of a class alone", "Write super().")
    behind = s.static(cls, "it is a class")
    start = (value.value if isinstance(value, v.Static) and isinstance(value.value, type)
             and issubclass(value.value, behind) else type_of_value(s, value))
    if not issubclass(start, behind):
        s.stop("TypeError", "super(type, obj): obj must be an instance or subtype of type")
    return v.Super(behind, value, start)


@frontend(object.__new__)
def new_object(s, cls, /, *args, **kwargs):
    c = s.static(cls, "it is a class")
    if base_of(c) is not object:
        s.fail(f"object.__new__ of a {c.__name__}", f"Call super().__new__, which is {base_of(c).__name__}.__new__.")
    tried_now(s, object.__new__, c, *args, **kwargs)
    return s.box((), c, (), v.OBJECT)


@frontend(object.__init__)
def init_object(s, self, /, *args, **kwargs):
    if users_class(self) is not None:
        tried_now(s, object.__init__, empty_object(type_of_value(s, self)), *args, **kwargs)
    return NONE


@frontend(*[c.__init__ for c in (BaseException, Exception, ValueError, TypeError, RuntimeError, ArithmeticError,
                                 ZeroDivisionError, LookupError, IndexError, KeyError, NotImplementedError)])
def init_exception(s, self, /, *args):
    s.change(self, [v.Tuple(args) if key == "args" else x for key, x in zip(s.keys(self), s.items(self))])
    return NONE


@frontend(tuple.__new__)
def new_tuple(s, cls, iterable=v.Tuple(())):
    return v.Tuple(tuple_(s, iterable).items, s.static(cls, "it is a class"))


@frontend(list.__new__, dict.__new__)
def new_container(s, cls, /, *args, **kwargs):
    c = s.static(cls, "it is a class")
    return s.box((), c, (), base_of(c).__name__)


@frontend(list.__init__)
def init_list(s, self, iterable=v.Tuple(())):
    s.change(self, s.items(list_(s, iterable)))
    return NONE


@frontend(dict.__init__)
def init_dict(s, self, /, *args, **kwargs):
    call_value(s, v.BoundMethod(as_builtin(self), "update"), list(args), kwargs)
    return NONE


def function_name(s, name) -> str:
    return s.static(name, "it is the name of an attribute")


frontend(object.__setattr__)(lambda s, self, name, value: plain_change(s, self, function_name(s, name), value) or NONE)
frontend(object.__delattr__)(lambda s, self, name: plain_change(s, self, function_name(s, name)) or NONE)
frontend(setattr)(lambda s, x, name, value: change_attribute(s, x, function_name(s, name), value) or NONE)
frontend(delattr)(lambda s, obj, name: change_attribute(s, obj, function_name(s, name)) or NONE)
frontend(object.__getattribute__)(lambda s, self, name: plain_attribute(s, self, function_name(s, name)))


@frontend(object.__eq__)
def object_eq(s, self, other):
    same = s.static(identical_objects(s, self, other), "`==` asks other methods where they are two objects")
    return v.Static(True) if same else NOT_IMPLEMENTED


@frontend(object.__ne__)
def object_ne(s, self, other):
    own = special(s, self, "__eq__")
    same = call_now(s, own, other) if own is not None else NOT_IMPLEMENTED
    return same if same == NOT_IMPLEMENTED else negate(s, truth(s, same))


@frontend(hash)
def hash_(s, obj):
    own = special(s, obj, "__hash__")
    if own == NONE:
        s.stop("TypeError", f"unhashable type: '{s.class_name(obj)}'")
    if own is not None:
        return call_now(s, own)
    if isinstance(obj, v.Boxed):
        s.fail(f"the hash of {s.describe(obj)}", "Hash what it holds.")
    return v.Static(hash(s.static(obj, "it is hashed")))


# copies --------------------------------------------------------------------------------------
@frontend(copy.copy)
def copy_(s, x):
    return copied_object(s, x, "__copy__", lambda inner: inner)


@frontend(copy.deepcopy)
def deepcopy(s, x, memo=None):
    if memo is not None and memo != NONE:
        s.fail("deepcopy with a memo", "Copy the parts, and make the object of them.")
    done: dict = {}

    def deep(value):
        key = (value.box if isinstance(value, v.Boxed)
               else (value.cell, value.path) if isinstance(value, v.Array) else id(value))
        if key not in done:
            done[key] = copied_object(s, value, "__deepcopy__",
                                      deep), value  # the value is kept, so that its id stays its own
        return done[key][0]

    return deep(x)


def copied_object(s, x, name: str, inner):
    """A copy of a value, `inner(item)` of what is in it; by the method of its class, where that has one."""
    own = special(s, x, name)
    if own is not None:
        return call_now(s, own, *([s.box((), dict, (), "dict")] if name == "__deepcopy__" else []))
    refuse_own_state(s, x)
    match x:
        case v.Array():
            return call_now(s, v.Static(np.copy), x)
        case v.Tuple(cls=c) if c is slice or name == "__copy__":
            return x
        case v.Tuple() | v.Boxed():
            return s.like(x, [inner(i) for i in s.items(x)])
        case v.Static(value=obj) if is_plain_object(x):
            path, names = path_of(s, obj), tuple(vars(obj))
            s.facts.guards[*path.place, "vars"] = path.attr("__dict__"), Shape.of(vars(obj))
            return s.box([inner(lift(s, getattr(obj, n), path.attr(n), (id(obj),))) for n in names],
                         type(obj), names, v.OBJECT)
        case v.Static() if users_class(x) is not None and not issubclass(users_class(x), enum.Enum):
            s.fail(f"a copy of {s.describe(x)}", "Define __copy__ and __deepcopy__ in the class.")
    return x


COPYING = ("__new__", "__reduce__", "__reduce_ex__", "__getstate__", "__setstate__", "__getnewargs__",
           "__getnewargs_ex__")


def is_plain_object(value) -> bool:
    """Is it an object from outside that is its attributes?"""
    return (users_class(value) is not None and look_up(type(value.value), "__reduce_ex__")[1] is object
            and hasattr(value.value, "__dict__"))


def refuse_own_state(s, x) -> None:
    """Refuse to copy an object whose class says how it is pickled, or what Python calls to put a copy together."""
    cls = users_class(x)
    if cls is None or issubclass(cls, enum.Enum):
        return
    for name in COPYING + (("append", "extend", "__setitem__") if base_of(cls) in (list, dict)
                           else ("__iter__",) if base_of(cls) is tuple else ()):
        found = look_up(cls, name)[0]
        found = found.__func__ if isinstance(found, staticmethod) else found
        if isinstance(found, pytypes.FunctionType) and written_by_python(found) is None and not by_library(found):
            s.fail(f"a copy of {s.describe(x)}, whose class has a {name}",
                   "Define __copy__ and __deepcopy__ in the class.")
