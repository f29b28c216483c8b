"""Exceptions of the user's, as compiled code can raise them: made of values of the run time."""
from __future__ import annotations

import builtins
import enum
import string
import types as pytypes

import numpy as np

from gradscribe.runtime.plain.arrays import OBJECTS

from ....errors.messages import RefusedRange, RefusedValue
from ...domain import values as v
from ...machine.refusing import class_named

OBJECTS.update(RefusedValue=RefusedValue, RefusedRange=RefusedRange)


def is_exception(value) -> bool:
    return isinstance(value, v.Static) and isinstance(value.value, type) and issubclass(value.value, BaseException)


def made_exception(s, cls, args, kwargs) -> v.UnraisedException:
    """An exception that is made before it is raised."""
    if any(isinstance(getattr(cls, name), pytypes.FunctionType) for name in ("__init__", "__new__")):
        s.fail(f"an object of class {cls.__name__} is made before it is raised",
               f"Make it where it is raised: raise {cls.__name__}(...)")
    return v.UnraisedException(cls, tuple(args), tuple(kwargs.items()))


def raised(s, problem: v.UnraisedException, cause=()) -> None:
    """The exception is certain here; cause: another, the value None, or () where there is no `from`."""
    values: list = []
    error = recipe(s, problem, values)
    if cause:
        error += (None if isinstance(cause, v.Static) else (name_of(cause.cls), recipe(s, cause, values)),)
    match error:
        case (("constant", str() as message),), ():
            s.stop(name_of(problem.cls), message, problem=problem)
    s.stop(name_of(problem.cls), None, values, problem, error=error)


def recipe(s, problem: v.UnraisedException, values: list) -> tuple:
    """(arguments, those by name), as `runtime.arrays.problem` reads them;
    what the run time knows is added to `values`."""
    def part(x):
        match x:
            case v.Static(value=str() | bytes() | range() | None as x):
                return "constant", x
            case v.Static(value=enum.Enum() | type() as x):
                return "object", name_of(x)
            case v.RunTimeText():
                first = len(values)
                values.extend([s.atom(value) for value in x.values])
                return "text", x.template, *range(first, first + len(x.values))
            case v.Tuple(cls=c, items=items) if c is tuple:
                return "tuple", *map(part, items)
            case v.Boxed(cls=c) if c is list:
                return "list", *map(part, s.items(x))
            case v.Boxed(cls=c) if c is dict and all(isinstance(k, str) for k in s.keys(x)):
                return "dict", s.keys(x), *map(part, s.items(x))
            case v.Static(value=int() | float() | np.generic()) | v.Number() | v.Array():
                values.append(s.atom(x))
                return "value", len(values) - 1
        s.fail(f"{s.describe(x)} in an exception",
               "Put numbers, strings and arrays into it, and tuples, lists and dicts of them.")

    return tuple(map(part, problem.args)), tuple((key, part(x)) for key, x in problem.kwargs)


def problem_of(s, kind: str, check) -> v.UnraisedException:
    """The exception that a check raises."""
    error, values = check.param("error"), check.args[1:]
    if error is None:
        return v.UnraisedException(class_named(kind), (v.Static(check.param("message")),))

    def part(x):
        match x:
            case ("text", template, *places):
                pieces, fill = [], iter(places)
                for literal, name, spec, conversion in string.Formatter().parse(template):
                    pieces.append(literal)
                    if name is not None:
                        shown = "{" + ("!" + conversion if conversion else "") + (":" + spec if spec else "") + "}"
                        value = values[next(fill)]
                        pieces.append((s.wrap(value), shown, "") if isinstance(value, str)
                                      else shown.format(value.value))
                return v.text(pieces)
            case ("value", k):
                return s.wrap(values[k])
            case ("constant", constant):
                return v.Static(constant)
        s.fail("the text of this exception", "Let a message of your own say what went wrong.")

    return v.UnraisedException(class_named(kind), tuple(map(part, error[0])), tuple((k, part(x)) for k, x in error[1]))


def public(cls: type) -> type:
    """The class of an exception that a program can name:
    NumPy has some of its own under TypeError, in modules that are not to be used."""
    return next(c for c in cls.__mro__ if not c.__module__.startswith("numpy._"))


def name_of(obj) -> str:
    """What `runtime.arrays.named` finds a class or a member of an Enum by; of several of one name, each has its own."""
    cls = obj if isinstance(obj, type) else type(obj)
    if getattr(builtins, cls.__name__, None) is obj:
        return cls.__name__
    name = base = f"{cls.__module__}:{cls.__qualname__}{'' if obj is cls else f'.{obj.name}'}"
    number = 1
    while OBJECTS.setdefault(name, obj) is not obj:
        number += 1
        name = f"{base}#{number}"
    return name
