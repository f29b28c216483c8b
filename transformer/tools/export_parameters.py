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
ALL = tuple(range(99))  # leaves of a value that the source has in it


def function_inside(g):
    """The user's function of a transformed one."""
    while hasattr(g, "title"):
        g = g.__wrapped__
    return g


@dataclasses.dataclass
class Parameter:
    """Of the function in the file: what it is called with now, how its default is written, which of its leaves the
    source has in it."""

    name: str
    value: Any
    known: tuple[int, ...] = ()
    default: str | None = None
    outside: bool = False


def exported_parameters(program, args, kwargs, static) -> dict[str, Parameter]:
    """Those of the shown signature, with what they are called with; without those that nobody can pass."""
    signature = positional_first(program)
    passed = passed_parameters(program, signature, args, kwargs, {*known_arguments(static)})
    made = {}
    for name in signature.params:
        found = passed.get(name) or seen_or_default(program, signature, name)
        if found is not None:
            made[name] = found
    for name, p in made.items():
        if p.default is None and name in signature.defaults:
            p.default = exact_text(name, signature.defaults[name])
        refuse_opaque(p.name, p.value)
    return made


def positional_first(program):
    """The shown signature, with what is passed by name behind all else, also behind the items of *args."""
    signature, own = program.signature(), parameters_by_name(function_inside(program.owner))
    by_name = [n for n in signature.params if n in own and own[n].kind is inspect.Parameter.KEYWORD_ONLY]
    return dataclasses.replace(signature, params=tuple([n for n in signature.params if n not in by_name] + by_name))


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
            return Parameter(name, value, (), exact_text(name, value), name not in own)
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
