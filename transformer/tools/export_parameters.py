"""The parameters of an exported function: those of the user, and what the function sees from outside; what they are
called with now, and how their defaults are written."""
from __future__ import annotations

import ast
import dataclasses
import inspect
from typing import Any

import numpy as np

from ..errors.messages import GradscribeError
from ..inputs.guards import Path, beside_fields
from ..programs.cache import flatten_argument
from ..specialise.arguments import Fixed
from ..specialise.domain.plans import known_arguments
from .literals import exact_text

SIMPLE = (bool, int, float, complex, str, bytes, type(None))
BY_PLACE = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
ALL = tuple(range(99))  # leaves of a value that the source has in it


def function_inside(g):
    """The user's function of a transformed one."""
    while hasattr(g, "title"):
        g = g.__wrapped__
    return g


@dataclasses.dataclass
class Parameter:
    """Of the function in the file: what it is called with now, how its default is written, which of its leaves the
    source has in it, whether it is passed by name alone, or by place alone."""

    name: str
    value: Any
    known: tuple[int, ...] = ()
    default: str | None = None
    by_name: bool = False
    by_place: bool = False


def exported_parameters(program, args, kwargs, static) -> dict[str, Parameter]:
    """Those of the shown signature, with what they are called with; without those that nobody can pass."""
    signature, by_name = positional_first(program, len(args))
    passed = passed_parameters(program, signature, args, kwargs, {*known_arguments(static)})
    made, own = {}, parameters_by_name(function_inside(program.owner))
    for name in signature.params:
        found = passed.get(name) or seen_or_default(program, signature, name)
        if found is not None:
            made[name] = found
            found.by_name = name in by_name
            found.by_place = not found.by_name and is_by_place(own.get(name))
    for name, p in made.items():
        if p.default is None and name in signature.defaults:
            p.default = exact_text(name, signature.defaults[name])
        refuse_opaque(p.name, p.value)
    return made


def positional_first(program, passed: int):
    """The shown signature with what is passed by name behind all else, and the names of that: the user's that are so,
    what **kwargs takes, which a further item of *args must not become, and what is seen from outside."""
    signature, own = program.signature(), parameters_by_name(function_inside(program.owner))
    others = [n for n in signature.params if n not in own or own[n].kind is not inspect.Parameter.KEYWORD_ONLY]
    by_place = [n for k, n in enumerate(others) if k < passed or n in own and own[n].kind in BY_PLACE]
    by_name = [n for n in signature.params if n not in by_place]
    return dataclasses.replace(signature, params=(*by_place, *by_name)), {*by_name}


def passed_parameters(program, signature, args, kwargs, known: set[int]) -> dict[str, Parameter]:
    """Those that are passed; `known`: the leaves of the arguments whose values the source has in it."""
    passed, start = {}, 0
    for name, x in [*zip(signature.params, args), *kwargs.items()]:
        leaves: list = []
        flatten_argument(x, leaves)
        x, fixed = (x.value, True) if isinstance(x, Fixed) else (x, False)
        of = tuple([k for k in range(len(leaves)) if start + k in known])
        if of and not is_counted(x):
            raise GradscribeError(None, f"the source is made for the value of a number in {name}, a {type(x).__name__}",
                                  "Pass that number by a parameter of its own.")
        start += len(leaves)
        passed[name] = Parameter(str(name), x, ALL if fixed else of)
    if len(args) > len(signature.params) or not {*kwargs} <= {*signature.params}:
        raise GradscribeError(None, f"{program.core.name} is called with arguments that its source has no names for",
                              "Pass numbers and arrays by parameters of their own.")
    return passed


def seen_or_default(program, signature, name: str) -> Parameter | None:
    """A parameter that is not passed: what the function sees from outside, or a default."""
    outside = {signature.access[p]: source for p, source in zip(program.core.params, program.spec.params)
               if isinstance(source, Path)}
    own = own_defaults(function_inside(program.owner))
    if name in outside:
        value = outside[name].get()
        try:
            return Parameter(name, value, (), exact_text(name, value))
        except GradscribeError:
            if is_read(program, name):
                raise
            return None
    if name not in own:
        raise GradscribeError(None, f"{name}, which {program.core.name} sees from outside, cannot be written to a file",
                              "Pass it as an argument.")
    read = any([access.startswith((f"{name}[", f"{name}.")) for access in outside])
    try:
        return Parameter(name, own[name], () if read else ALL, exact_text(name, own[name]))
    except GradscribeError:
        if read:
            raise
        return None  # the source has it in it


def is_read(program, name: str) -> bool:
    """Does the source read a parameter?"""
    tree = program.source(program.signature()).tree
    return any([isinstance(n, ast.Name) and n.id == name for n in ast.walk(tree)])


def is_by_place(parameter: inspect.Parameter | None) -> bool:
    """Is it one that the user passes by place alone, or an item of *args, whose name here is none of the user's?"""
    return parameter is None or parameter.kind is inspect.Parameter.POSITIONAL_ONLY


def own_defaults(function) -> dict[str, Any]:
    return {name: p.default for name, p in parameters_by_name(function).items() if p.default is not p.empty}


def parameters_by_name(function) -> dict[str, inspect.Parameter]:
    try:
        return dict(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return {}


def is_counted(x) -> bool:
    """Are its leaves, by the numbers that the cache gives them, those that `expect` counts?"""
    if type(x) in (tuple, list, dict):
        return all(map(is_counted, x.values() if type(x) is dict else x))
    return not isinstance(x, np.ndarray) and not dataclasses.is_dataclass(x)


def refuse_opaque(name: str, x) -> None:
    """Refuse what the file could not tell from another: a function, an object."""
    if dataclasses.is_dataclass(x) and not isinstance(x, type) and not beside_fields(x):
        items = [getattr(x, f.name) for f in dataclasses.fields(x)]
    elif isinstance(x, dict):
        items = [*x, *x.values()]
    elif isinstance(x, (tuple, list)):
        items = [*x]
    elif type(x) in SIMPLE or isinstance(x, (np.ndarray, np.generic)) and x.dtype.kind in "biufcV":
        return
    else:
        raise GradscribeError(None, f"{name} is a {type(x).__name__}, which a file cannot tell from another",
                              "Let the function see it from outside, or pass numbers, arrays and containers of them.")
    for item in items:
        refuse_opaque(name, item)
