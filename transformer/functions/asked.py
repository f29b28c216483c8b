"""What a transformation is asked: mistakes that can be seen before there are arguments are refused at once.

    gs.grad(f, x)        the arguments go to what it gives: gs.grad(f)(x)
    gs.grad(f(x))        a number is no function: gs.grad(f)(x)
    gs.grad(f, argnum=1) did you mean argnums?
    gs.jvp(f, x, v)      gs.jvp(f, (x,), (v,))
"""
from __future__ import annotations

import difflib
import functools
import inspect

import numpy as np

from ..errors.messages import SpecialisationError, UnsupportedError
from ..errors.tracebacks import short
from ..frontend.capture import not_python
from ..transform.budget import bytes_of

PUBLIC = {"grad", "value_and_grad", "hessian", "jacfwd", "jacrev", "jit", "vmap", "pmap"}
POSITIONS = {"argnums", "static_argnums", "in_axes", "out_axes", "static_broadcasted_argnums"}


def is_value(x) -> bool:
    """Is it a float or an array, which no option of a transformation is?"""
    return isinstance(x, (np.ndarray, np.inexact, float, complex)) or (
        hasattr(x, "__array__") and not isinstance(x, np.generic))


@short
def check_asked(title: str, fun, options: dict) -> None:
    """Refuse what is no function, and the arguments of a call in place of an option."""
    if not callable(fun):
        message, instead = not_python(fun)
        if title in PUBLIC and (is_value(fun) or isinstance(fun, int)):
            instead += f" The arguments go to what gs.{title} gives: gs.{title}(f)(x), not gs.{title}(f(x))."
        raise UnsupportedError(None, message, instead=instead)
    if options.get("memory") is not None:
        bytes_of(options["memory"])
    found = next((name for name, x in options.items() if name in POSITIONS and is_value(x)), None)
    if found:
        given = options[found]
        raise SpecialisationError(
            None, f"{found} of gs.{title} is "
            f"{repr(given) if np.ndim(given) == 0 else f'an array of dtype {np.asarray(given).dtype}'}",
            instead=f"Give it positions, as ints. The arguments go to what gs.{title} gives: gs.{title}(f)(x).")


def tuple_of(title: str, what: str, x) -> tuple:
    """The primals or tangents of gs.jvp and gs.hvp."""
    if not isinstance(x, (tuple, list)):
        raise TypeError(no_tuple(title, what, type(x).__name__))
    return tuple(x)


def no_tuple(title: str, what: str, name: str) -> str:
    return (f"the {what} of gs.{title} are a tuple, and these are of type {name}: write gs.{title}(f, (x,), (v,)) for "
            f"one argument x and its direction v")


def check_names(title: str, options, names) -> None:
    """Refuse an option that there is not, as Python does, with that which is meant."""
    for name in options:
        if name not in names:
            raise TypeError(no_option(title, name, names))


def no_option(title: str, name: str, names) -> str:
    near = difflib.get_close_matches(name, names, 1)
    return f"{title}() got an unexpected keyword argument '{name}'" + (f". Did you mean '{near[0]}'?" if near else "")


def decorator(make):
    """Let a transformation be used as f(fun, ...), @f and @f(...)."""
    names = [*inspect.signature(make).parameters]

    @functools.wraps(make)
    @short
    def with_or_without(fun=None, *args, **options):
        check_names(make.__name__, options, names)
        if fun is None:
            return lambda f: make(f, *args, **options)
        return make(fun, *args, **options)
    return with_or_without
