"""Functions that go to another process: a pickle of a transformed function has the texts of the functions in it.

A pickle names the functions that a module has, and the other process imports them. What has no such name, lambdas,
closures, what is defined in a notebook or in `__main__`, cloudpickle sends as code, without its text. So the text goes
beside it, and is compared with the code there, as every text is, before it is believed.
"""
from __future__ import annotations

import collections
import functools
import pickle
import sys
import types
from typing import Any, Callable, Iterable, Iterator

from .capture import by_name, text_behind
from .module_names import module_of
from .user_texts import note_arrived


class Travelling:
    """What is pickled together with the texts of the functions in it."""

    def _made_of(self) -> tuple:
        """(a function, its arguments ...) which make it again."""
        raise NotImplementedError

    def __reduce__(self):
        name = by_name(self)
        if name and not (only_here(module_of(self)) and asked_by_cloudpickle()):
            return name
        make, *args = self._made_of()
        texts = texts_within(args)
        return (made_where_it_arrives, (texts, make, tuple(args))) if texts else (make, tuple(args))


def made_where_it_arrives(texts: tuple, make: Callable, args: tuple) -> Any:
    """In the other process: the texts are there before anything asks for them."""
    for file, text in texts:
        note_arrived(file, text)
    return make(*args)


def asked_by_cloudpickle() -> bool:
    """Does cloudpickle, or a copy of it that another package has, ask how to pickle something?

    It sends by value what is defined in `__main__`, while pickle itself finds it there by name.
    """
    frame = sys._getframe(1)
    while frame is not None and frame.f_globals.get("__name__") == __name__:
        frame = frame.f_back
    asking = frame and frame.f_locals.get("self")
    return isinstance(asking, pickle.Pickler) and any(["cloudpickle" in cls.__module__ for cls in type(asking).__mro__])


def only_here(module: str) -> bool:
    """Is it a module that another process does not have, so that cloudpickle sends what is in it by value?"""
    listed = getattr(sys.modules.get("cloudpickle"), "list_registry_pickle_by_value", None)
    by_value = listed() if listed else ()
    return module in ("__main__", "__mp_main__") or any([f"{module}.".startswith(f"{name}.") for name in by_value])


# which functions go along ----------------------------------------------------------------------------
def texts_within(args: Iterable) -> tuple[tuple[str, str], ...]:
    """(file, text) of the functions in these objects, and of those that they call, that go without a name."""
    found, seen, waiting = {}, set(), list(args)
    while waiting:
        x = waiting.pop()
        if id(x) in seen or isinstance(x, Travelling):  # that has its own
            continue
        seen.add(id(x))
        if isinstance(x, (types.FunctionType, type)) and by_name(x) and not only_here(module_of(x)):
            continue
        if isinstance(x, types.FunctionType) and (text := text_behind(x)):
            found[text.file, id(text.lines)] = text
        waiting += held_by(x)
    # interned, so that a pickle has a text once, however many transformed functions in it have it
    return tuple(dict.fromkeys([(text.file, sys.intern("".join(text.lines))) for text in found.values()]))


def held_by(x) -> Iterable:
    """The objects that are pickled with one, as far as there may be functions in them."""
    match x:
        case types.FunctionType():
            return (*seen_from(x), *(x.__defaults__ or ()), *(x.__kwdefaults__ or {}).values(), *vars(x).values())
        case types.MethodType():
            return x.__func__, x.__self__
        case staticmethod() | classmethod():
            return (x.__func__,)
        case property():
            return x.fget, x.fset, x.fdel
        case functools.partial():
            return x.func, *x.args, *x.keywords.values()
        case type():
            return *x.__bases__, *vars(x).values()
        case types.ModuleType():
            return vars(x).values() if only_here(x.__name__) and x.__name__ != "__main__" else ()
        case dict():
            return dict.values(x)
        case tuple() | list() | set() | frozenset() | collections.deque():
            return x
    own = getattr(x, "__dict__", None)
    return (type(x), *own.values()) if isinstance(own, dict) else (type(x),)


def seen_from(function: types.FunctionType) -> Iterator:
    """What a function finds in its cells and in its module."""
    for cell in function.__closure__ or ():
        if cell != types.CellType():
            yield cell.cell_contents
    waiting = [function.__code__]
    while waiting:
        code = waiting.pop()
        yield from [function.__globals__[name] for name in code.co_names if name in function.__globals__]
        waiting += [const for const in code.co_consts if isinstance(const, types.CodeType)]


__all__ = ["Travelling"]
