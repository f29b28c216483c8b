"""A list of equal items as rows of arrays, so that a loop over it is a loop: of an argument `layers`, a list of 40
dicts {"W": (8, 8), "b": (8,)}, a program has the parameters W of (40, 8, 8) and b of (40, 8)."""
from __future__ import annotations

import builtins
import keyword
import math
import operator
from dataclasses import dataclass
from typing import Any, Callable

import numpy as np

from ..core import quoted

MANY = 12  # items: a shorter list is written out, which then says more of each, where its loops are short
FEW = 64  # items that are not copied where they are large: to make the rows takes as long as a pass over them
LARGE = 1024  # numbers in an item


def template(x) -> tuple | None:
    """What two items have alike that may be rows of the same arrays; None of what no row can hold."""
    if type(x) is np.ndarray:
        fits = x.dtype in (np.float64, np.float32) and x.dtype.isnative and x.ndim and x.size
        return ("array", x.dtype, x.shape) if fits else None
    if type(x) is float:
        return ("float",)
    if type(x) not in (list, tuple, dict) or not x:
        return None
    parts = tuple(map(template, x.values() if type(x) is dict else x))
    return None if None in parts else (type(x), tuple(x) if type(x) is dict else None, parts)


def are_alike(items) -> bool:
    """Can rows stand for these items?"""
    first = template(items[0]) if items else None
    return first is not None and all([template(x) == first for x in items])


def pays(items) -> bool:
    """Are rows better for items that are alike, whatever is done with them?"""
    return len(items) >= MANY and (len(items) > FEW or numbers_in(template(items[0])) <= LARGE)


def numbers_in(template) -> int:
    match template:
        case ("float",):
            return 1
        case ("array", _, shape):
            return math.prod(shape)
    return sum(map(numbers_in, template[2]))


def structure_of(x, leaves: list) -> tuple:
    """The structure of an item, as that of a result, and its leaves, in order."""
    if type(x) not in (list, tuple, dict):
        leaves.append(x)
        return ("leaf", len(leaves) - 1)
    parts = x.values() if type(x) is dict else x
    return type(x), tuple(x) if type(x) is dict else None, tuple([structure_of(part, leaves) for part in parts])


def rows_of(items) -> np.ndarray:
    """An array whose rows are these arrays, or numbers."""
    if type(items[0]) is not np.ndarray:
        return np.array(items)
    if (base := items[0].base) is not None and items[0].size > LARGE and are_rows_of(base, items):
        return base
    return np.concatenate(items).reshape(len(items), *items[0].shape)


def are_rows_of(base, items) -> bool:
    """Are these all the rows of an array, as they are where a list was made of rows by `Split`?"""
    if not (type(base) is np.ndarray and base.flags.c_contiguous and base.shape == (len(items), *items[0].shape)
            and all([x.base is base and x.dtype == base.dtype for x in items])):
        return False
    first, step = base.ctypes.data, items[0].nbytes
    return all([x.ctypes.data == first + k * step and x.flags.c_contiguous for k, x in enumerate(items)])


@dataclass(frozen=True)
class Stack:
    """A core parameter that is made of leaves of the arguments.

    leaves  which, one for each item of the list
    access  how a caller writes the list
    text    the parameter as an expression of `{}`, the list
    """

    leaves: tuple[int, ...]
    access: str
    text: str

    def of(self, leaves: list) -> np.ndarray:
        return rows_of([leaves[k] for k in self.leaves])

    def fits(self, leaves: list) -> bool:
        """Have all of them one shape?"""
        return len({np.shape(leaves[k]) for k in self.leaves}) == 1


@dataclass(frozen=True)
class SplitRows:
    """In the place of a class, in the structure of a result: a list whose items are made of rows, or a dict whose pairs
    are.

    one      the structure of an item
    numbers  of each leaf of an item: is it a float of Python's?
    cls      list, tuple or dict
    """

    one: Any
    numbers: tuple[bool, ...]
    cls: type = list

    def made(self, rows) -> list | tuple:
        """The list, or the tuple."""
        columns = [x.tolist() if number else list(x) for x, number in zip(rows, self.numbers)]
        items = columns[0] if self.one == ("leaf", 0) else list(map(item_maker(self.one), zip(*columns)))
        return items if self.cls is list else self.cls(items)

    def spelled(self, rows: list[str], made) -> str:
        """The expression of it, where those of its rows are these; `made` spells a container."""
        text = self.spelled_list(rows, made)
        return text if self.cls is list else f"{self.cls.__name__}({text})"

    def spelled_list(self, rows: list[str], made) -> str:
        if self.one == ("leaf", 0):
            return f"{rows[0]}.tolist()" if self.numbers[0] else f"list({rows[0]})"
        names = [path_to(self.one, k)[-1] for k in range(len(rows))]  # keys
        if len({*names}) < len(names) or not all([isinstance(name, str) and is_free(name) for name in names]):
            names = [f"x{k}" for k in range(len(rows))]
        item = spelled_item(self.one, [f"float({x})" if number else x for x, number in zip(names, self.numbers)], made)
        one_by_one = f"zip({', '.join(rows)})" if len(rows) > 1 else rows[0]
        return f"[{item} for {', '.join(names)} in {one_by_one}]"


def is_split(one) -> bool:
    """Is it the structure of an item that `Split` makes: of lists, tuples and dicts?"""
    return one[0] == "leaf" or one[0] in (list, tuple, dict) and all(map(is_split, one[2]))


def has_leaves(one) -> bool:
    """Is it the structure of an item that is a list or tuple, with a leaf at each of its places?"""
    return one[0] not in ("leaf", "static") and issubclass(one[0], (list, tuple)) and all(map(leaf_places, one[2]))


def leaf_places(one) -> list[int]:
    return [one[1]] if one[0] == "leaf" else [] if one[0] == "static" else [k for p in one[2] for k in leaf_places(p)]


def own_structure(one) -> tuple:
    """A part of a structure as one of its own, and which leaves it has."""
    places = leaf_places(one)

    def numbered(part):
        return (("leaf", places.index(part[1])) if part[0] == "leaf" else part if part[0] == "static"
                else (*part[:2], tuple(map(numbered, part[2]))))

    return numbered(one), places


def is_free(name: str) -> bool:
    """Can a variable be called so?"""
    return name.isidentifier() and not keyword.iskeyword(name) and not hasattr(builtins, name)


def item_maker(one) -> Callable:
    """The function from the leaves of an item to the item."""
    if one[0] == "leaf":
        return operator.itemgetter(one[1])
    cls, keys, makers = one[0], one[1], list(map(item_maker, one[2]))
    if cls is dict:
        return lambda leaves: {key: make(leaves) for key, make in zip(keys, makers)}
    return lambda leaves: cls([make(leaves) for make in makers])


def spelled_item(one, names: list[str], made) -> str:
    return names[one[1]] if one[0] == "leaf" else made(one[0], one[1],
                                                       [spelled_item(part, names, made) for part in one[2]])


def text_of(keys: tuple, is_float: bool) -> str:
    """The expression of the rows of what is under these keys in the items of a list `{}`."""
    make = "np.array" if is_float else "np.stack"
    path = "".join([f"[{quoted(key) if isinstance(key, str) else repr(key)}]" for key in keys])
    return f"{make}({{}})" if not keys else f"{make}([item{path} for item in {{}}])"


def path_to(one, k: int) -> tuple | None:
    """The keys under which an item has its leaf k."""
    if one[0] == "leaf":
        return () if one[1] == k else None
    for key, part in zip(one[1] or range(len(one[2])), one[2]):
        found = path_to(part, k)
        if found is not None:
            return (key, *found)
    return None
