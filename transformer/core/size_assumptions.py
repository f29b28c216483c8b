"""What a program takes for granted of the lengths and integers that it is called with.

An assumption is (a polynomial over lengths and integers that the entry can compute, a relation, an int):

>>> from .types import Dim
>>> assumption_holds((Dim.of("n") - 2, ">=", 0), {"n": 3}), opposite((Dim.of("n") - 2, ">=", 0))
(True, (-n + 2, '>=', 1))
"""
from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Callable

from ..errors.messages import ConstantSizesWarning, Origin, warn_at
from . import Const

RELATIONS = {"!=": lambda a, b: a != b, ">=": lambda a, b: a >= b, "==": lambda a, b: a == b}


def assumption_holds(assumption, sizes) -> bool:
    """Of these sizes?  Not if what it is of cannot be computed of them, as a quotient by a length of 0, or a slice of
    an axis of n - 1 where n is 0."""
    dim, relation, number = assumption
    try:
        return RELATIONS[relation](dim.value(sizes), number)
    except (ZeroDivisionError, ValueError):
        return False


def opposite(assumption):
    """The assumption that holds where this one does not."""
    dim, relation, number = assumption
    if relation == ">=":
        return -dim, ">=", 1 - number
    return dim, "==" if relation == "!=" else "!=", number


def computing(op, params: dict) -> Callable:
    """What computes an integer of others: an operation, or a call that is kept, which gives a tuple of its results."""
    function = functools.partial(op.fn, **params) if params else op.fn
    return function if getattr(op, "fun", None) is None else lambda *given: function(*given)[0]


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
            value = computing(op, params)(*(a.value if isinstance(a, Const) else self[a] for a in atoms))
        self[name] = int(value)
        return self[name]


@dataclass(frozen=True)
class Constant:
    """Why a program has lengths as constants; special: since they are ones that programs for many lengths leave out,
    such as a length of 1 that would broadcast."""

    origin: Origin | None
    why: str
    special: bool = False

    def __str__(self):
        place = f"`{self.origin.segment}` at {self.origin.place}: " if self.origin else ""
        return f"sizes are constants in this program because of {place}{self.why}"


def described_specialisation(spec) -> str:
    """What a specialisation is made for, as `explain` says it."""
    constants = [f"# {c}\n" for c in dict.fromkeys(spec.constants)]
    assumed = [f"# {dim.substitute({n: spelled_length(spec, n) for n in dim.names})} {relation} {number}\n"
               for dim, relation, number in spec.assumptions]
    return "".join(constants + assumed)


def spelled_length(spec, name: str) -> str:
    """A length or an integer of the entry, as the user would write it."""
    if name in spec.sizes:
        k, axis = spec.sizes[name]
        return spec.access[k] if axis is None else f"{spec.access[k]}.shape[{axis}]"
    op, atoms, _ = spec.computed[name]
    parts = [str(a.value) if isinstance(a, Const) else spelled_length(spec, a) for a in atoms]
    return f"({f' {op.symbol} '.join(parts)})" if op.symbol and len(parts) == 2 else f"{op.name}({', '.join(parts)})"


def warn_of(constant: Constant, name: str) -> None:
    """A second program was made for the same reason: say which line of the user's it is."""
    warn_at(constant.origin, f"{name}: {constant}. Each new shape is transformed, and compiled, anew.",
            ConstantSizesWarning)
