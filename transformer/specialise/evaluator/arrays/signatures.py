"""Calls of NumPy's functions and of methods of arrays, bound by NumPy's own signatures.

A handler has the parameters that it implements, by NumPy's names.  Another one may be given its default, and else is
refused by name, so that nothing is ever ignored.  Where all that is no array is known, NumPy itself is asked, with
arrays of one element: what it raises (a wrong axis, a wrong type) is raised, and what it gives must have the type and
the number of axes that the handler's result has.
"""
from __future__ import annotations

import builtins
import functools
import inspect
import operator
import warnings

import numpy as np

from ....core import Const
from ....core.types import Type, sample
from ....library.indexes import TAKE, is_index
from ....library.records import Record, Records
from ....library.registry import FUNCTIONS, OF_RECORDS
from ....rules.kinds import ONE
from ....rules.signatures import HARMLESS, INSTEAD, plan
from ...domain import values as v
from ...domain.classes import is_deque
from ...domain.growing_lists import grown
from ...refusals.impure import title_of
from . import outputs

CALLED = (v.Closure, v.BoundMethod, v.Derived, v.Partial)  # functions that NumPy would call
MOST_LISTED = 32  # numbers of a range that are written out


class UnknownSignature(Exception):
    """NumPy cannot be asked: something that only the run time knows may decide."""


def call_numpy(s, handler, f, args, kwargs):
    """The result of a handler for a call of NumPy's f."""
    if (own := OF_RECORDS.get(f)) is not None and (named := arguments_about_records(s, own, args, kwargs)) is not None:
        return s.call_value(v.Static(own), (), named)
    found = plan(f, handler, len(args), tuple(kwargs))
    name = f if isinstance(f, str) else f.__name__
    if isinstance(found, str):
        s.stop("TypeError", f"{name}() {found}")
    by_position, by_name, others, axes = found
    if f not in (np.array, np.asarray, np.asanyarray):  # which may have a dtype
        if any(map(is_index, (*args, *kwargs.values()))):
            s.fail(f"{name} of an index of pandas, which may give another", TAKE)
        args, kwargs = ranges_as_lists(s, args, kwargs, axes)
    if isinstance(f, str) and isinstance(args[0], v.Number) and not hasattr(s.type(args[0]).dtype.type, f):
        s.stop("AttributeError", f"'numpy.{s.type(args[0]).dtype}' object has no attribute '{f}'")
    get = lambda where: kwargs[where] if isinstance(where, str) else args[where]  # noqa: E731
    stored = ("out", "where") if isinstance(f, np.ufunc) else ("out",)
    into = {p: x for p, where, _ in others if p in stored and (x := get(where)) != v.Static(None)}
    for parameter, where, default in others:
        if parameter not in into:
            refuse_other(s, f, parameter, get(where), default)
    answer = None if getattr(handler, "unasked", False) else ask_numpy(s, f, args, kwargs, axes)
    args, kwargs = each_argument(lambda k, x: as_tuple(s, x) if k in axes or (k,) in axes else x, args, kwargs)
    call = lambda given: handler(s, *given, **{n: get(where) for n, where in by_name.items()})  # noqa: E731
    given = [*map(get, by_position)]
    result = outputs.into(s, f, into.get("out"), into.get("where"), call, given) if into else call(given)
    # NumPy was asked with axes of one element
    if answer is not None and f not in (np.squeeze, "squeeze") and not agrees(s, result, answer):
        s.fail(f"{name} of these arguments, which gives {shown(answer)}",
               "Write it with other functions, or convert the arguments before.")
    return result


def arguments_about_records(s, function, args, kwargs) -> dict | None:
    """The arguments, by the names of a function of ours that does the same with records, where there are records among
    them, or a dtype with fields."""
    bound, _ = attempt(inspect.signature(function).bind, *args, **kwargs)
    named = {} if bound is None else bound.arguments
    dtype = named.get("dtype")
    if isinstance(dtype, v.Boxed) or isinstance(dtype, v.Static) and isinstance(dtype.value, (np.dtype, str)):
        made, _ = attempt(np.dtype, s.static(dtype, "it is a dtype"))
        if getattr(made, "names", None):
            return named | {"dtype": v.Static(made)}
    given = [y for x in named.values() for y in (x, *(s.items(x) if is_plain_list(s, x) else ()))]
    return named if any([isinstance(x, v.Boxed) and issubclass(x.cls, (Records, Record)) for x in given]) else None


def is_plain_list(s, value) -> bool:
    return isinstance(value, v.Tuple) or isinstance(value, v.Boxed) and value.cls is list and grown(s, value) is None


def each_argument(change, args, kwargs) -> tuple[list, dict]:
    """The arguments of a call, with `change(place or name, value)` for each."""
    return [change(k, x) for k, x in enumerate(args)], {n: change(n, x) for n, x in kwargs.items()}


def refuse_other(s, f, parameter: str, value, default) -> None:
    """Refuse a parameter that the handler has not, unless it is given what changes nothing."""
    given = s.static(value, f"it is the argument {parameter}") if has_known_value(value) else UnknownSignature
    if not any(given is x for x in (default, *HARMLESS.get(parameter, ()))):
        s.fail(f"{f'x.{f}' if isinstance(f, str) else title_of(f)} with {parameter}=",
               INSTEAD.get(parameter, "Leave it out."))


def ranges_as_lists(s, args, kwargs, axes):
    """The arguments of a call: to NumPy a range is what a list of its numbers is; one that is long, or that only the
    run time knows, what an array of them is. A function of the user's that is called is given the range itself."""
    given = [*args, *kwargs.values()]
    if not any(map(v.is_range, given)) or any([isinstance(x, CALLED) for x in given]):
        return args, kwargs
    return each_argument(lambda k, x: as_list(s, x) if v.is_range(x) and k not in axes else x, args, kwargs)


def as_list(s, value):
    """A range as a list or an array of its numbers."""
    if isinstance(value, v.Static) and len(value.value) <= MOST_LISTED:
        return s.box([*map(v.Static, value.value)], list)
    return s.array_of(value)


def as_tuple(s, value):
    """Axes or lengths that are no tuple as one, where each is known or can be computed."""
    match value:
        case v.Static(value=range() as r) if len(r) <= MOST_LISTED:
            return v.Tuple(tuple(map(v.Static, r)))
        case v.Tuple(cls=c) if c is tuple:
            return v.Tuple(tuple([as_tuple(s, x) for x in value.items]))
        case v.Boxed(cls=c) if c is list and grown(s, value) is None:
            return v.Tuple(tuple([as_tuple(s, x) for x in s.items(value)]))
        case v.Array() if s.type(value).rank and s.type(value).dtype.kind in "iu":
            count = s.type(value).dims[0].constant
            if count is not None and count <= MOST_LISTED:
                item = FUNCTIONS[operator.getitem]
                return v.Tuple(tuple([as_tuple(s, item(s, value, v.Static(k))) for k in range(count)]))
    return value


def has_known_value(value) -> bool:
    """Is it a number or object that is known now?"""
    return isinstance(value, v.Static) or isinstance(value, v.Number) and isinstance(value.atom, Const)


def ask_numpy(s, f, args, kwargs, axes):
    """What NumPy gives for arguments of these types; None where it cannot be asked.  What it raises is raised."""
    try:
        given, named = each_argument(lambda k, x: described_argument(s, x, k not in axes), args, kwargs)
    except UnknownSignature:
        return None
    answer, error = numpy_answer(f, tuple(given), tuple(named.items()))
    if error is not None:  # for one of the types that a number may have
        s.refuse_several([a.atom for a in (*args, *kwargs.values()) if isinstance(a, v.Number)])
        s.stop(*error)
    return answer


@functools.lru_cache(maxsize=10_000)
def numpy_answer(f, given: tuple, named: tuple):
    """(what NumPy gives, what it raises) for arguments that `asked` describes."""
    self, *others = map(specimen, given) if given else [None]
    args = others if isinstance(f, str) else [self, *others][:len(given)]
    return attempt(getattr(self, f) if isinstance(f, str) else f, *args, **{n: specimen(x) for n, x in named})


def specimen(x):
    return sample(x) if isinstance(x, Type) else x.value if isinstance(x, v.Static) else x[0](map(specimen, x[1]))


def attempt(function, /, *args, **kwargs):
    """(result, None) or (None, (kind, message) of the exception)"""
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return function(*args, **kwargs), None
    except Exception as error:
        cls = next(c for c in type(error).__mro__ if c.__module__ in ("numpy.exceptions", "numpy.linalg")
                   or getattr(builtins, c.__name__, None) is c)
        return None, (cls.__name__ if cls.__module__ == "builtins" else f"{cls.__module__}:{cls.__name__}", str(error))


def tried_now(s, function, /, *args, **kwargs):
    """function(*args, **kwargs) now; what it raises is certain to be raised."""
    result, error = attempt(function, *args, **kwargs)
    return result if error is None else s.stop(*error)


def described_argument(s, value, is_array=False):
    """What an argument is, to ask NumPy: a value, a type, or (class, items);
    a list that is an array is an array of one element."""
    match value:
        case v.Static() if not is_index(value):
            return value
        case v.Number(atom=Const(value=x)):
            return v.Static(x)
        case v.Array() | v.Number() if is_array or s.type(value).dtype.kind == "f":
            t = s.type(value)
            return Type(t.kind, t.dtype, (ONE,) * t.rank)
        case v.Tuple(cls=c) | v.Boxed(cls=c) if (is_deque(value) or c in (list, tuple)
                                                and (isinstance(value, v.Tuple) or grown(s, value) is None)):
            items = c, tuple([described_argument(s, i, is_array) for i in s.items(value)])
            numbers = specimen(items) if is_array and items[1] else [np.ones(1)]
            if any(isinstance(i, np.ndarray) and i.ndim for i in numbers):
                return items
            found, _ = attempt(np.array, numbers)
            if found is not None:
                return Type("array", found.dtype, (ONE,) * found.ndim)
    raise UnknownSignature


def agrees(s, result, answer) -> bool:
    """Has the value the type, and the number of axes, of what NumPy gives?"""
    if isinstance(answer, (tuple, list)):
        return len(s.items(result)) == len(answer) and all(agrees(s, r, a) for r, a in zip(s.items(result), answer))
    if not isinstance(answer, (np.ndarray, np.generic)) or answer.dtype == object:
        return not isinstance(result, v.Array)
    t = s.type(result)
    return (t.kind == ("array" if isinstance(answer, np.ndarray) else "np") and t.dtype == answer.dtype
            and t.rank == answer.ndim)


def shown(answer) -> str:
    return f"{answer.dtype} of {answer.ndim} axes" if hasattr(answer, "dtype") else repr(answer)
