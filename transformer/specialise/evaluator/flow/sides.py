"""Operations on a value that may be None, or one of several functions:
done on each side of a branch that asks which it is."""
from __future__ import annotations

import functools

from ....core import Const
from ....errors.messages import UnsupportedError
from ...domain import values as v
from ...domain.values import NONE
from .control import choose

REFUSED = "this value is None here, of which the program cannot do what is done"


def on_sides(operation, none=True):
    """An operation that is done on both sides of a branch where an operand is of two kinds,
    so that Python says what it is of None; `none`: else it is for the operation to say that."""
    @functools.wraps(operation)
    def on_each(s, /, *args, **named):
        if v.OneOf not in map(type, args):
            return operation(s, *args, **named)
        k = next((k for k, x in enumerate(args) if type(x) is v.OneOf and (none or not x.optional)), None)
        if k is None:
            return operation(s, *args, **named)
        return divided(s, args[k], lambda y: on_each(s, *args[:k], y, *args[k + 1:], **named))
    return on_each


on_kinds = functools.partial(on_sides, none=False)


def divided(s, x, action):
    """`action` of each of the two values that x may be."""
    if not x.optional:
        if x.flag in s.sight.known_true | s.sight.known_false:
            return action(x.value if x.flag in s.sight.known_true else x.other)
        return choose(s, x.flag, lambda: action(x.value), lambda: action(x.other))
    if s.is_there(x) or x.other != NONE:
        return action(s.present(x))
    return action(NONE) if x.flag == Const(False) else choose(s, x.flag, lambda: action(x.value),
                                                              lambda: tried_of_none(s, action))


def settled_value(s, x, of_none):
    """The value itself of what may be None, where `of_none` of None raises."""
    if isinstance(x, v.OneOf) and x.other == NONE and not s.is_there(x):
        choose(s, x.flag, lambda: NONE, lambda: (tried_of_none(s, of_none), s.stop("RefusedValue", REFUSED)))
    return s.present(x)


def tried_of_none(s, action):
    """What Python makes of None; where that is refused, it is refused when the program comes to it."""
    try:
        return action(NONE)
    except UnsupportedError:
        s.stop("RefusedValue", REFUSED)
