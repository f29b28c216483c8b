"""The heap, a table from slots to contents, which knows what was written into it last.

So what a new atom may have got into is found without a look at all that there is.
"""
from __future__ import annotations

from ...core import split_name
from . import values as v


class Heap(dict):
    """`made`: the names that there are, as the builder has them: their number is the time."""

    __slots__ = ("made", "begun", "written")

    def __init__(self, content, made: dict[str, int]):
        super().__init__(content)
        self.made, self.begun = made, len(made)  # what was written before is not known
        self.written: dict[tuple, int] = {}  # slot -> when, the last at the end

    def __setitem__(self, key, value):
        self.written.pop(key, None)
        self.written[key] = len(self.made)
        super().__setitem__(key, value)

    def __ior__(self, other):
        for key, value in other.items():
            self[key] = value
        return self

    def update(self, other):
        self |= other

    def setdefault(self, key, value=None):
        if key not in self:
            self[key] = value
        return self[key]


def names_of_items(ref, keys, count: int) -> list[str]:
    """What to call the items of a list, dict or object: after their keys, where these are names."""
    keys = keys if len(keys) == count else (None,) * count
    return [k if isinstance(k, str) and k.isidentifier() else ref.hint for k in keys]


def user_name(item, hint: str) -> str:
    """The user's name of what is next in a tuple, if it has one: h and c of `carry = (h, c)`."""
    own = item.atom if isinstance(item, v.Number) else item.cell.hint if isinstance(item, v.Array) else None
    word = split_name(own)[0] if isinstance(own, str) else "t"
    return hint if word == "t" or word.startswith("_") else word
