"""What a program takes for granted of the lengths and integers that it is called with.

An assumption is (a polynomial over lengths and integers that the entry can compute, a relation, an int):

>>> from .types import Dim
>>> holds((Dim.of("n") - 2, ">=", 0), {"n": 3}), opposite((Dim.of("n") - 2, ">=", 0))
(True, (-n + 2, '>=', 1))
"""
from __future__ import annotations

from .core import Const

RELATIONS = {"!=": lambda a, b: a != b, ">=": lambda a, b: a >= b, "==": lambda a, b: a == b}


def holds(assumption, sizes) -> bool:
    dim, relation, number = assumption
    return RELATIONS[relation](dim.value(sizes), number)


def opposite(assumption):
    """The assumption that holds where this one does not."""
    dim, relation, number = assumption
    if relation == ">=":
        return -dim, ">=", 1 - number
    return dim, "==" if relation == "!=" else "!=", number


class Sizes(dict):
    """{name: its value for these arguments}, computed when asked for.

    sources    {name: (core parameter, axis; None of an integer)}
    computed   {name: (op, args, params), or None of what is in `sources`}
    args       the value of each core parameter
    """

    def __init__(self, sources, computed, args):
        super().__init__()
        self.sources, self.computed, self.args = sources, computed, args

    def __missing__(self, name):
        if name in self.sources:
            k, axis = self.sources[name]
            value = self.args[k] if axis is None else self.args[k].shape[axis]
        else:
            op, atoms, params = self.computed[name]
            value = op.fn(*(a.value if isinstance(a, Const) else self[a] for a in atoms), **params)
        self[name] = int(value)
        return self[name]
