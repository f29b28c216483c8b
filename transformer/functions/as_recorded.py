"""A function as derivatives see it: recorded for a call, the calls with rules of their own still in it."""
from __future__ import annotations

from typing import Any, Callable

from ..core import Fun
from ..programs.cache import copied_argument
from ..specialise.domain import values as v
from ..specialise.evaluator.names.places import place
from ..specialise.evaluator.names.tables import call_value
from ..specialise.staged_calls.record import recorded_call
from .transformed import Transformed


class AsRecorded(Transformed):
    """fun as args -> the arguments of its core function, which is left in `kept`."""

    title = "verify"

    @staticmethod
    def apply(s, function, args, kwargs, kept):
        def with_the_others(s, inner, args, _):
            return call_value(s, inner, args, kwargs)
        r = recorded_call(s, v.Derived(with_the_others, function) if kwargs else function, args)[1]
        kept[:] = [r, place(function)]
        return v.Tuple(tuple([s.wrap(a) for a in r.args]))


def recorded_function(fun: Callable, args: tuple, kwargs: dict[str, Any]) -> tuple[Fun, list, int, Any]:
    """(core function, its arguments, how many of them are the float arguments of the call, where it returns)"""
    kept: list = []
    values = AsRecorded(fun, kept=kept)(*copied_argument(args), **copied_argument(kwargs))
    recorded, where = kept
    return recorded.fun, list(values), recorded.count, where
