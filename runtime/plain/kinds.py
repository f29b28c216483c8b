"""What kept source tests of its arguments: whether they are of the kinds that it was made for.

    kind_of({"W": np.ones((3, 1)), "rate": 0.5})    # "{'W': float64[n, 1], 'rate': float}"

Source is written for kinds of arguments: dtypes, numbers of axes, which lengths are 1.  Where it is kept in a file,
nothing makes it anew for others, so that it has to refuse them.
"""
from __future__ import annotations

import dataclasses
import itertools

import numpy as np


def expect(name: str, x, kind: str, known: tuple = ()) -> None:
    """Refuse an argument that is not of this kind; `known`: the leaves of it whose values the source has in it."""
    found = kind_of(x, known)
    if found != kind:
        raise TypeError(f"{name} is {found}, and this source was made for {kind}")


def assume(holds, text: str) -> None:
    """Refuse arguments of lengths, or ints, for which something does not hold that the source takes for granted."""
    if not holds:
        raise ValueError(f"this source was made for arguments with {text}")


def refuse_common_memory(*arrays) -> None:
    """Refuse arrays that share memory, where the source stores into one of them."""
    for x, y in itertools.combinations(arrays, 2):
        if np.shares_memory(x, y):
            raise ValueError("two arguments share memory, and the function stores into an argument: pass a copy")


def kind_of(x, known: tuple = ()) -> str:
    """The kind of an argument, as text; of strings, of None and of the leaves of these numbers, their values."""
    return _kind(x, frozenset(known), itertools.count())


def _kind(x, known, number) -> str:
    if isinstance(x, np.ndarray):
        next(number)
        return _kind_of_array(x)
    if isinstance(x, np.generic) or type(x) in (bool, int, float, complex):
        return _kind_of_number(x, known, number)
    if isinstance(x, dict):
        items = ", ".join([f"{key!r}: {_kind(item, known, number)}" for key, item in x.items()])
        return f"{{{items}}}" if type(x) is dict else f"{type(x).__name__}({{{items}}})"
    if fields := _field_names(x):
        items = ", ".join([f"{name}={_kind(getattr(x, name), known, number)}" for name in fields])
        return f"{type(x).__name__}({items})"
    if isinstance(x, (tuple, list)):
        return _kind_of_items(x, [_kind(item, known, number) for item in x])
    return repr(x)


def _field_names(x) -> tuple:
    """Those of a NamedTuple or a dataclass; another class of its name may have them in another order."""
    if dataclasses.is_dataclass(x) and not isinstance(x, type):
        return tuple([f.name for f in dataclasses.fields(x)])
    return getattr(x, "_fields", ()) if isinstance(x, tuple) else ()


def _kind_of_number(x, known, number) -> str:
    huge = type(x) is int and not -2 ** 63 <= x < 2 ** 63
    name = f"np.{type(x).__name__}" if isinstance(x, np.generic) else type(x).__name__
    return repr(x) if huge or next(number) in known else name


def _kind_of_array(x) -> str:
    lengths = ", ".join(["1" if n == 1 else "n" for n in x.shape])
    order = "" if x.flags.c_contiguous else " by columns" if x.flags.f_contiguous else " with gaps"
    return f"{'' if type(x) is np.ndarray else f'{type(x).__name__} of '}{x.dtype}[{lengths}]{order}"


def _kind_of_items(x, items: list) -> str:
    alike = len(items) > 4 and len({*items}) == 1
    text = f"{items[0]}, ... {len(items)} times" if alike else ", ".join(items)
    name = "" if type(x) in (tuple, list) else type(x).__name__
    return f"{name}[{text}]" if isinstance(x, list) else f"{name}({text})"
