"""Calls of libraries' functions that have no rule: of what is known now the library computes them before the run; of
NumPy and SciPy others are refused, and none is ever read as if it were the user's."""
from __future__ import annotations

import inspect
import types as pytypes

import numpy as np

from ....errors.messages import ImpurityError
from ....frontend.module_names import module_of
from ....library.indexes import does_more, makes_known
from ...domain import values as v
from ...domain.classes import UNCHANGING
from ...domain.growing_lists import grown
from ...refusals.impure import RANDOM, title_of, worded
from ...refusals.words import no_rule
from ..arrays.signatures import UnknownSignature, attempt, tried_now
from ..names.lifting import object_value
from .containers import IMMUTABLE, value_of

COMPUTED = ("scipy.special", "scipy.linalg", "scipy.signal", "scipy.stats", "scipy.constants", "numpy.polynomial",
            "re.", "datetime.", "json.")
RANDOMS = ("rng", "seed", "random_state")
MOST = 1 << 20  # elements of an array that a program keeps


def is_scipys(f) -> bool:
    """Is it SciPy's: a function, a method, a class, or an object that can be called?"""
    return module_behind(f).partition(".")[0] == "scipy"


def module_behind(f) -> str:
    """The module of a function, of the object whose method it is, or of the class of what is called."""
    if isinstance(f, pytypes.MethodType):
        return module_of(type(f.__self__))
    if isinstance(f, pytypes.BuiltinMethodType) and isinstance(f.__self__, type):  # datetime.fromisoformat
        return module_of(f.__self__)
    if isinstance(f, np.ufunc):
        return "" if getattr(np, f.__name__, None) is f else "scipy.special"
    return module_of(f if isinstance(f, (type, pytypes.FunctionType)) else type(f))


def call_scipys(s, f, args, kwargs):
    """A call of a function without a rule."""
    if is_random(f):
        s.fail(*worded(f, RANDOM), error=ImpurityError)
    return computed_now(s, f, args, kwargs) or s.fail(*no_rule(f))


def computed_now(s, f, args, kwargs):
    """What it gives, where all that it is given is known now; else None."""
    return all_known(s, f, args, kwargs) if is_computed(f) else None


def all_known(s, f, args, kwargs):
    """The same, of any function."""
    try:
        given, named = [known_value(s, a) for a in args], {n: known_value(s, a) for n, a in kwargs.items()}
    except UnknownSignature:
        return None
    if not is_scipys(f) and any(map(callable, [*given, *named.values()])):  # what it would call may do more
        return None
    if (more := does_more(f, given, named)) is not None:
        s.fail(*more, error=ImpurityError)
    return foreign_value(s, f, tried_now(s, f, *given, **named))


def is_computed(f) -> bool:
    is_class = isinstance(f, type) and not issubclass(f, UNCHANGING)
    return ((module_behind(f) + ".").startswith(COMPUTED) and not is_class or makes_known(f)) and not is_random(f)


def is_random(f) -> bool:
    signature, _ = attempt(inspect.signature, f)
    return getattr(f, "__name__", "") == "rvs" or any(n in RANDOMS for n in getattr(signature, "parameters", ()))


def known_value(s, value):
    """What a value is, if that is known now."""
    def unknown(x):
        raise UnknownSignature

    return s.reify(value, lambda x: x.cls in (list, tuple) and (isinstance(x, v.Tuple) or grown(s, x) is None), unknown)


def foreign_value(s, f, found):
    """What SciPy has computed, as a value: an array is kept with the program."""
    if isinstance(found, tuple):
        return v.Tuple(tuple([foreign_value(s, f, x) for x in found]), type(found))
    if isinstance(found, np.ndarray):
        if found.dtype.kind not in "fiub" or found.size > MOST:
            s.fail(f"{title_of(f)} gives {found.dtype} of the shape {found.shape}", "Compute it before, and pass it.")
        array = s.wrap(s.emit("np.copy", s.atom(object_value(s, found, f"{title_of(f).rpartition('.')[2]}_result"))))
        array.cell.frozen = "it may be what an index of pandas holds" if makes_known(f) or f is np.asarray else None
        return array
    if isinstance(found, (float, int, bool, np.generic)) and np.result_type(found).kind in "fiub":
        return s.static_number(found)
    if isinstance(found, (*IMMUTABLE, list, dict)) and not is_scipys(f):
        return value_of(s, found)
    s.fail(f"{title_of(f)}, which gives {type(found).__name__}", "Compute it before, and pass it.")
