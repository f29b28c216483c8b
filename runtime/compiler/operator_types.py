"""What numba finds of operators on numbers and arrays, asked once."""
from __future__ import annotations

import operator

from numba.core import types

# Not `pow`: what it does depends on the value of the exponent.
OPERATORS = {getattr(operator, name) for name in (
    "getitem", "add", "sub", "mul", "truediv", "iadd", "isub", "imul", "itruediv", "neg", "pos", "invert", "not_",
    "and_", "or_", "xor", "lshift", "rshift", "eq", "ne", "lt", "le", "gt", "ge")}
REMEMBERED = OPERATORS | {range, bool, abs}
_answers: dict = {}


class Typing:
    """A typing context that remembers what operators do with numbers and arrays."""

    def __init__(self, context):
        self.context = context

    def __getattr__(self, name):
        return getattr(self.context, name)

    def resolve_function_type(self, func, args, kws):
        function = func if isinstance(func, types.Type) else self.context._lookup_global(func)
        wide = tuple(map(types.unliteral, args))
        if (kws or not isinstance(function, types.Function) or function.typing_key not in REMEMBERED
                or not all(map(is_plain_type, wide))):
            return self.context.resolve_function_type(func, args, kws)
        key = function, wide
        if key not in _answers:
            _answers[key] = self.context.resolve_function_type(function, wide, kws)
        return _answers[key]


def is_plain_type(t) -> bool:
    """A type whose operators depend on it alone: numbers, arrays, and tuples of them."""
    return (isinstance(t, (types.Number, types.Boolean, types.Array))
            or isinstance(t, types.BaseTuple) and all(map(is_plain_type, t)))
