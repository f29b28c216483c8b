"""Calls of what is known when the program is made: functions, classes, methods, what libraries have."""
from __future__ import annotations

import functools
import types as pytypes
import typing
from dataclasses import replace

import numpy as np

from ....inputs.guards import Path, Shape, SizeGuard
from ....library.indexes import makes_known
from ....library.registry import FUNCTIONS, handler_of, method_handler
from ....pytree.containers import is_object
from ...domain import values as v
from ...domain.classes import as_builtin, classes_of, the_one_class, type_of_value
from ...refusals.impure import refuse_impure, title_of
from ...refusals.words import no_rule
from ..flow.sides import on_sides
from ..names.lifting import lift
from ..names.problems import made_exception
from ..names.tables import OF_CLASS, call_value, calls
from ..objects.containers import IMMUTABLE
from ..objects.foreign import call_scipys, computed_now, is_scipys, module_behind
from ..objects.making import construct
from ..objects.members import call_container
from ..objects.objects import special
from .calls import call_cached, call_function, run_handler, written_by_python

METHODS_OF_CLASSES = (pytypes.MethodDescriptorType, pytypes.WrapperDescriptorType)


@calls(v.Static)
def call_static(s, function, args, kwargs):
    """A call of what is known: the first of the ways that knows its kind."""
    f = function.value
    if f is None:
        s.stop("TypeError", "'NoneType' object is not callable")
    for way in WAYS:
        if (found := way(s, f, args, kwargs)) is not None:
            return found
    if isinstance(f, pytypes.FunctionType):  # here, where a recursion has fewer frames of Python's
        return call_function(s, f, args, kwargs)
    s.fail(*no_rule(f))


# ways to call something known: the result, or None where it is of another kind ----------------------------
def by_handler(s, f, args, kwargs):
    """By what is said of it: a rule, a builtin model, a function of the library."""
    handler = handler_of(f)
    if handler is None and (of_method := method_handler(f)) is not None:
        return of_method(s, v.Static(f.__self__), *args, **kwargs)
    if handler is None:
        refuse_impure(s, f)
        return None
    found = computed_now(s, f, args, kwargs) if is_scipys(f) else None
    return run_handler(s, handler, f, args, kwargs) if found is None else found


def of_a_library(s, f, args, kwargs):
    of_numpy = module_behind(f).partition(".")[0] == "numpy" and isinstance(f, pytypes.FunctionType)
    if is_scipys(f) or makes_known(f) or of_numpy:
        return call_scipys(s, f, args, kwargs)
    return computed_now(s, f, args, kwargs)


def of_ours(s, f, args, kwargs):
    """A transformed function, and what has a class that says how it is called."""
    if hasattr(type(f), "__gradscribe_call__"):
        return f.__gradscribe_call__(s, args, kwargs)
    return OF_CLASS[type(f)](s, f, *args, **kwargs) if type(f) in OF_CLASS else None


def of_a_partial(s, f, args, kwargs):
    if isinstance(f, functools._lru_cache_wrapper):
        return call_cached(s, f, args, kwargs)
    if not isinstance(f, functools.partial):
        return None
    path = Path("partial", f, None, "default")
    s.guard(path.attr("keywords"), Shape.of(f.keywords))
    fixed = [lift(s, a, replace(path.attr("args").item(k), text=f"argument {k} of a partial"), (id(f),))
             for k, a in enumerate(f.args)]
    named = {k: lift(s, a, replace(path.attr("keywords").item(k), text=k), (id(f),)) for k, a in f.keywords.items()}
    return call_value(s, v.Static(f.func), fixed + args, named | kwargs)


def of_a_method(s, f, args, kwargs):
    """Of an object, of a container that does not change, and of a class, of which the object comes first."""
    owner = getattr(f, "__self__", None)
    if isinstance(f, pytypes.MethodType):
        path = s.outside.paths.get(id(owner)) or Path("self", owner, None, "default")
        value = lift(s, owner, path, (id(owner),)) if is_object(owner) else v.Static(owner)
        return call_value(s, v.Static(f.__func__), [value, *args], kwargs)
    if isinstance(f, pytypes.BuiltinMethodType) and owner is not None and isinstance(owner, IMMUTABLE):
        return call_container(s, v.Static(owner), f.__name__, args, kwargs)
    return None


def of_a_written_function(s, f, args, kwargs):
    """One that Python has written, such as a dataclass's `__init__`, of which there is no source."""
    if not isinstance(f, pytypes.FunctionType):
        return None
    if isinstance(getattr(f, "registry", None), pytypes.MappingProxyType) and args:
        return call_by_class(s, f, args, kwargs)
    by_python = written_by_python(f)
    return None if by_python is None else by_python(s, f, args, kwargs)


def call_by_class(s, f, args, kwargs):
    """A functools.singledispatch: the function that is registered for the class of the first argument."""
    path = Path(title_of(f), f, None, "default").attr("registry")
    s.guard(path, SizeGuard.of(f.registry))
    for cls, function in f.registry.items():
        s.guard(path.item(cls), function)

    def called(s, x):
        found = the_one_class(s, x, [f.dispatch(cls) for cls in classes_of(s, x)])
        return call_value(s, v.Static(found), [x, *args[1:]], kwargs)

    return on_sides(called, keys=False)(s, args[0])


def of_a_class(s, f, args, kwargs):
    if isinstance(typing.get_origin(f), type):  # Box[float](...)
        return call_value(s, v.Static(typing.get_origin(f)), args, kwargs)
    if not isinstance(f, type):
        return None
    if issubclass(f, BaseException):
        return made_exception(s, f, args, kwargs)
    return (FUNCTIONS[np.generic](s, v.Static(f), *args, **kwargs) if issubclass(f, np.generic)
            else construct(s, f, args, kwargs))


def of_a_class_s_method(s, f, args, kwargs):
    if isinstance(f, METHODS_OF_CLASSES) and args and issubclass(type_of_value(s, args[0]), f.__objclass__):
        return call_value(s, v.BoundMethod(as_builtin(args[0]), f.__name__), args[1:], kwargs)
    return None


def of_an_object(s, f, args, kwargs):
    """By its class's `__call__`."""
    if not (callable(f) and isinstance(getattr(type(f), "__call__", None), pytypes.FunctionType)):
        return None
    if not special(s, v.Static(f), "__call__"):
        s.guard(Path(type(f).__name__, type(f), None, "default").attr("__call__"), type(f).__call__)
    return call_value(s, special(s, v.Static(f), "__call__")
                      or v.Partial(v.Static(type(f).__call__), (v.Static(f),), ()), args, kwargs)


WAYS = (by_handler, of_a_library, of_ours, of_a_partial, of_a_written_function, of_a_method, of_a_class,
        of_a_class_s_method, of_an_object)
