"""Powers of Python's ints, which are ints or floats as the sign of the exponent says."""
from __future__ import annotations

from ....core import Const
from ....core.types import PY_BOOL, PY_INT, Dim
from ...domain import values as v
from ...domain.plans import Way
from ..flow.control import choose


def power_of_ints(s, op: str, base, exponent):
    """base ** exponent of Python's ints, where only the run knows the exponent; None of all else.

    Its sign may be known in all iterations of the loops around, or for the arguments of this call, which is an
    assumption then; else the result is an int on one path and a float on the other.
    """
    if not (op == "power" and isinstance(exponent, v.Number) and isinstance(exponent.atom, str)
            and is_int(s, exponent) and is_int(s, base)):
        return None
    least, most = ends(s, s.b.dim(exponent.atom))
    whole = at_least(s, least, 0)
    if whole is None or not whole and at_least(s, -most, 1) is not True:
        key = s.plan(Way.WHOLE, s.node)
        if key in s.static_paths:  # what is done with it wants an int
            return None
        test = s.emit("greater_equal", exponent.atom, Const(0), hint="whole")
        result = choose(s, test, lambda: power(s, base, exponent), lambda: power(s, as_float(s, base), exponent))
        s.b.loops[s.atom(result)] = key
        return result
    return power(s, base if whole else as_float(s, base), exponent)


def is_int(s, x) -> bool:
    return s.is_numeric(x) and not isinstance(x, v.Array) and s.b.types_of(s.atom(x)) <= {PY_INT, PY_BOOL}


def power(s, base, exponent):
    return s.wrap(s.emit("power", s.atom(base), exponent.atom))


def as_float(s, x):
    return v.Static(float(x.value)) if isinstance(x, v.Static) else s.wrap(s.emit("float", s.atom(x)))


def ends(s, dim: Dim) -> tuple[Dim, Dim]:
    """The least and the largest that an integer may be in the loops around, in what is known before them."""
    least, most = dim, dim
    for name in reversed(s.spans):  # those of inner loops first
        least, most = at_end(least, name, s.spans[name], 0), at_end(most, name, s.spans[name], 1)
    return least, most


def at_end(dim: Dim, name: str, span: tuple[Dim, Dim], end: int) -> Dim:
    """What is least, or largest, where the number of an iteration spans these; the dim as it is where it is not linear
    in it."""
    found = [(monomial, c) for monomial, c in dim.terms if name in monomial]
    if len(found) != 1 or found[0][0] != (name,):
        return dim
    return dim.substitute({name: span[end if found[0][1] > 0 else 1 - end]})


def at_least(s, dim: Dim, number: int) -> bool | None:
    """Is it so in all calls, or is it in this one, for which the program is then?  None: not known before the run."""
    if dim.constant is not None:
        return dim.constant >= number
    more = dim - number
    if all([c > 0 and set(names) <= s.nonnegative for names, c in more.terms]):
        return True
    return s.presume(dim, ">=", number)
