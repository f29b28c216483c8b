"""NumPy written in NumPy: a function here says which function of NumPy's it is, and the specialiser reads it like one
of the user's.

    @means(np.ptp)
    def ptp(a, axis=None, keepdims=False):
        return np.max(a, axis, keepdims=keepdims) - np.min(a, axis, keepdims=keepdims)

It has NumPy's names for the parameters that it implements; a call is bound by NumPy's own signature, and another
argument than its default is refused by name (`rules/signatures.py`).  Errors and remarks stand at the user's call.
"""
from __future__ import annotations

import contextlib
import functools
import importlib
import inspect
import sys
from types import FunctionType
from typing import Any, Callable

import numpy as np

from ..core.building import Meanwhile
from ..frontend.module_names import package_of
from ..rules.host import Host
from ..rules.registry import register

FUNCTIONS: dict[Any, Callable] = {}  # function of NumPy, Python or ours -> handler(s, *values, **values)
METHODS: dict[Any, Callable] = {}  # method name -> handler(s, value, *values, **values)


# class of objects from outside -> {name of a method: handler(s, the object, *values, **values)}
METHODS_OF: dict[type, dict[str, Callable]] = {}
# the class of an object of NumPy's that is only written with an index -> what it does of the index: np.r_[x, 0.0]
INDEXED: dict[type, Callable] = {}


def frontend(*functions):
    """Enter a handler for calls of these functions."""
    def enter(handler):
        for f in functions:
            FUNCTIONS[f] = handler
        return handler
    return enter


def method(*names):
    def enter(handler):
        for name in names:
            METHODS[name] = handler
        return handler
    return enter


OF_RECORDS: dict[Callable, Callable] = {}  # function of NumPy -> what does the same with records, or makes them


def of_records(*functions):
    """Enter a function for calls of these that are given records, or a dtype with fields."""
    def enter(function):
        function.__gradscribe_library__ = True
        OF_RECORDS.update(dict.fromkeys(functions, function))
        return function
    return enter


def each(table: dict):
    """Enter a handler for several functions, and methods by their names;
    its first argument is what the table has for the one."""
    def enter(handler):
        for f, first in table.items():
            made = functools.partial(handler, first)
            made.unasked = getattr(handler, "unasked", False)
            (method if isinstance(f, str) else frontend)(f)(made)
        return handler
    return enter


LATE: dict[str, Callable] = {}  # a module that takes long to import -> what enters its functions, once it is


def imported() -> None:
    """Enter the functions of modules that have been imported."""
    for module in [m for m in LATE if m in sys.modules]:
        LATE.pop(module)()


READ_AS: dict[type, Callable] = {}


def read_as(cls: type, ours: type, parts: dict[str, str]) -> None:
    """An object of this class that is outside of a function is read as one of ours, whose fields are its attributes."""
    READ_AS[cls] = lambda obj: (ours, {field: (("attr", name),) for field, name in parts.items() if hasattr(obj, name)})


def reading_of(obj) -> tuple[type, dict[str, tuple]] | None:
    """(the class of ours, {field: the way to it in the object, such as (("item", "a"), ("attr", "values"))})"""
    if package_of(type(obj)) not in ("scipy", "pandas") and not isinstance(obj, np.ndarray):
        return None
    imported()
    return READ_AS[type(obj)](obj) if type(obj) in READ_AS else None


def handler_of(f):
    imported()
    if isinstance(f, Host):
        return Asked(f)  # as functions of the library call it
    if isinstance(type(f).__hash__, FunctionType):  # of a user's object: nothing of the user's runs here
        return None
    try:
        return FUNCTIONS.get(f)
    except TypeError:  # unhashable
        return None


def method_handler(f):
    """The handler of a method of an object from outside, such as a logger's, which comes first among what it takes."""
    owner = getattr(f, "__self__", None)
    tables = [table for cls, table in METHODS_OF.items() if isinstance(owner, cls)]
    return next((table[f.__name__] for table in tables if f.__name__ in table), None)


def everything() -> None:
    """Enter the functions of all modules, imported or not."""
    for module in list(LATE):
        with contextlib.suppress(ModuleNotFoundError):  # tqdm
            importlib.import_module(module)
            LATE.pop(module)()


class Written:
    """The handler of a function that is written in Python.

    unasked  NumPy is not asked what it makes of such arguments: it would make a large array, or what is in an array
    decides
    complex  it is right for complex numbers, too
    """

    def __init__(self, function: Callable, unasked: bool = False, complex: bool = False):
        self.function, self.unasked, self.complex = function, unasked, complex
        own = inspect.signature(function)
        self.__signature__ = own.replace(parameters=[inspect.Parameter("machine", inspect.Parameter.POSITIONAL_ONLY),
                                                     *own.parameters.values()])

    def __call__(self, s, /, *args, **kwargs):
        with Meanwhile(s.b, "real_only", s.b.real_only if self.complex else self.function.__name__):
            return s.call_value(self.function, args, kwargs)


class Kept(Written):
    """The handler of a function of ours that stays a call of this name where people read."""

    def __init__(self, function: Callable, name: str):
        super().__init__(function, unasked=True)
        self.name = name

    def __call__(self, s, /, *args, **kwargs):
        return s.call_value(self, args, kwargs)


def means(*functions, method: str | None = None, unasked: bool = False,
          complex: bool = False):
    """Enter a function for calls of these functions, and of the method of arrays of this name; `complex`: it is right
    for complex numbers, too."""
    def enter(function):
        handler = Written(function, unasked, complex)
        function.__gradscribe_library__ = True
        FUNCTIONS.update(dict.fromkeys(functions, handler))
        METHODS.update({method: handler} if method else {})
        return function
    return enter


class Asked:
    """The handler of an operation that a library computes as a whole."""

    unasked = True  # it asks itself, once lists are arrays

    def __init__(self, op: Host):
        self.op = op
        own = [p for p in inspect.signature(op.fn).parameters.values() if p.name not in op.fixed]
        given = [p.replace(kind=p.POSITIONAL_OR_KEYWORD, default=p.empty) for p in own][:op.count]
        self.__signature__ = inspect.Signature([inspect.Parameter("s", inspect.Parameter.POSITIONAL_ONLY), *given])

    def __call__(self, s, /, *args, **kwargs):
        return s.call_value(self.op, args, kwargs)


def host(fn: Callable, signature, *functions, complex: bool = False, **facts) -> Host:
    """Enter an operation that a library computes as a whole (`rules/host.py` says what it is made of)."""
    op = register(Host(fn, signature, **facts), fn, *functions, complex=complex)
    FUNCTIONS.update(dict.fromkeys((fn, *functions), Asked(op)))
    return op


def form(fn: Callable, signature, form, complex: bool = False, **facts) -> Host:
    """An operation that is one of several forms of a function: a function of the library calls it where it fits."""
    return register(Host(fn, signature, form=form, **facts), form, complex=complex)


def known(value, why: str):
    """The value, which must be known before the run:
    where it comes from an argument, the program is made for this value of it."""
    return value


def at_least(n, least) -> bool:
    """Is a length as large?  Where the entry can say so the program is made for lengths of which the same is true;
    False where only the run time knows."""
    return n >= least


def constant(n) -> bool:
    """Is a number the same in all calls of the program?"""
    return True


def part(a, axis, start, stop):
    """a[start:stop] along an axis, where 0 <= start <= stop <= its length."""
    return a[(slice(None),) * axis + (slice(start, stop),)]


def rolled(a, shift, axis):
    """np.roll of an array by an int along one axis, from 0 on."""
    return np.roll(a, shift, axis)


def rows_in_order(rows, order):
    """Each row of an array in its order, which has each of the row's places once."""
    return np.take_along_axis(rows, order, -1)


def last_product(a):
    """The products of the rows of an array."""
    return np.prod(a, -1)


def running_product(a):
    """The running products of the rows of an array."""
    return np.cumprod(a, -1)


def computed(function, *args):
    """function(*args) of what is known before the run, which Python computes then."""
    return function(*args)


def refuse(message: str, instead: str):
    """This is not implemented: the program is refused, at the user's call."""
    raise NotImplementedError(f"{message}. {instead}")


def ensure(holds, message: str):
    """It is refused, at the user's call and when it runs, where this does not hold."""
    if not holds:
        raise NotImplementedError(message)


def own(a):
    """The elements that an array has now: what is stored into one of the two later, the other does not see."""
    return np.array(a)


def read_only(view, of, why: str):
    """The array, of which NumPy gives a view into another that may not be stored into."""
    return view


def moving_as(x, y):
    """The floats x, which were found as constants, with the derivative of y, of their own type."""
    return x


def pushed(function, x, dx):
    """(function(x), how it moves where x moves along dx)"""
    return function(x), dx


def stays_call(name: str, function) -> None:
    """A function of ours stays a call in readable source, `name(...)`, where it takes no part in a derivative."""
    FUNCTIONS[function] = Kept(function, name)
