"""The truth of values, and what `and`, `or` and `not` make of truths."""
from __future__ import annotations

from ....core import Const, Let
from ....core.types import PY_BOOL
from ...domain import values as v
from ..arrays.shapes import only_element
from ..flow.control import decide
from ..flow.sides import divided
from . import protocols
from .containers import by_python, is_changeable
from .iteration import length

TRUE, FALSE = v.Static(True), v.Static(False)
AMBIGUOUS = "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()"


def truth(s, value):
    """A bool, static or of the run time."""
    if (own := protocols.truth_method(s, value)) is not None:
        return truth(s, own)
    match value:
        case v.Boxed(cls=c) if c is set:
            return v.Static(length(s, value).value > 0)
        case v.Static(value=x):
            return by_python(s, bool, value)
        case v.Number(atom=Const(value=x)):
            return v.Static(bool(x))
        case v.Number(atom=a):
            return value if s.b.type(a).dtype.kind == "b" else s.elementwise("not_equal", value, v.Static(0))
        case v.Array():
            for d in s.type(value).dims:
                s.ensure(d, "!=", 0, "ValueError",
                    "The truth value of an empty array is ambiguous. Use `array.size > 0` to check that an array is "
                    "not empty.")
            return truth(s, v.Number(only_element(s, s.read(value), "ValueError", AMBIGUOUS)))
        case v.Tuple(cls=c) if c is not slice:
            return v.Static(len(value.items) > 0)
        case v.Boxed() | v.Iter() if is_changeable(value) or isinstance(value, v.Iter):
            return truth(s, length(s, value))
        case v.OneOf():
            return divided(s, value, lambda x: truth(s, x))
        case v.RunTimeText():
            s.fail(f"the truth of {s.describe(value)}", "Test the value, not its text.")
    return v.Static(True)


def as_bool(s, value):
    """A truth as a bool of Python."""
    if isinstance(value, v.Static) or s.b.type(value.atom) == PY_BOOL:
        return value
    return s.wrap(Const(bool(value.atom.value)) if isinstance(value.atom, Const) else s.emit("bool", value.atom))


def negate(s, value):
    """not value"""
    if not isinstance(value, v.Number) or s.b.type(value.atom) != PY_BOOL:
        value = truth(s, value)
    if isinstance(value, v.Static):
        return v.Static(not value.value)
    let = next((x for x in s.b.stmts if isinstance(x, Let) and x.names == (value.atom,)), None)
    if let is not None and let.op.name == "not ":
        return s.wrap(let.args[0])
    return v.Number(s.emit("not ", value.atom))


def both_true(s, first, rest):
    """The truth of first and rest(), which is evaluated only where first holds."""
    return decide(s, truth(s, first), lambda: truth(s, rest()), lambda: FALSE)


def either_true(s, first, rest):
    """The truth of first or rest(), which is evaluated only where first does not hold."""
    return decide(s, truth(s, first), lambda: TRUE, lambda: truth(s, rest()))


def first_to_decide(s, is_and: bool, actions):
    """The value of `a() and b() and ...`, or of `a() or b() or ...`."""
    first, *others = actions
    value = first()
    if not others:
        return value
    sides = (lambda: first_to_decide(s, is_and, others)), (lambda: value)
    return decide(s, truth(s, value), *(sides if is_and else reversed(sides)))
