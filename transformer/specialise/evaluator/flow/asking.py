"""What may raise is asked before, inside a try statement that catches it: each operation's test, and its exception."""
from __future__ import annotations

from ....core import Const, Let
from ....core.index_codes import entries
from ....core.types import sample
from ....library.powers import TOO_LARGE, ZERO_POWER, has_power, power_is_finite
from ....rules.indexing import Getitem, Update
from ....rules.operators import Division, Power
from ...domain import values as v
from .escaping import catcher, split_at


def asks(s, op, atoms, params) -> bool:
    """Go on where an operation raises nothing, where what it raises is caught around; False: that was not asked."""
    found = of_power(s, atoms) if isinstance(op, Power) else [test_of(s, op, atoms, params)]
    return any([ask_before(s, op, atoms, params, *test) for test in found if test is not None])


def ask_before(s, op, atoms, params, kind, make, message, *values) -> bool:
    """One test of what an operation may raise, where that is caught around."""
    if catcher(s, kind) is None or s.levels[-1].stmts is not s.b.stmts:
        return False
    if op.name == "rt.require":
        flag, check = make(), Let((), op, tuple(atoms), tuple(params.items()))
    else:
        flag = make()
        error = {"message": message} if isinstance(message, str) else {"error": (message, ())}
        check = Let((), op, (flag, *values), tuple(error.items()))
    if flag == Const(True) or flag in s.sight.known_true:
        return True
    if isinstance(flag, Const):
        return False
    split_at(s, flag, kind, check)
    return True


def test_of(s, op, atoms, params) -> tuple | None:
    """(class of the exception, what makes the flag that there is none, its text, the numbers in it); None: nothing is
    known to ask."""
    if op.name == "rt.require":
        return (params["kind"], lambda: atoms[0], "") if isinstance(atoms[0], str) else None
    if getattr(op, "asked", None):
        t, ((_, message),) = s.b.type(atoms[0]), op.fails
        whole = t.rank == 2 and t.is_float and t.dims[0] == t.dims[1]
        return ("numpy.linalg:LinAlgError", lambda: has_result(s, op.asked, atoms[0]), message) if whole else None
    if isinstance(op, Division):
        return of_division(s, op, atoms)
    return of_place(s, op, atoms, params) if isinstance(op, (Getitem, Update)) else None


def has_result(s, asked: str, a):
    """A flag: does LAPACK have a result for this matrix?"""
    key = asked, a
    if key not in s.sight.interned:  # it is asked once
        found = s.wrap(s.emit(asked, a))
        s.sight.interned[key] = s.atom(s.elementwise("greater", found, v.Static(0.5)))
    return s.sight.interned[key]


def of_division(s, op, atoms) -> tuple | None:
    """Of Python's numbers: by zero."""
    types = [s.b.type(a) for a in atoms]
    if any([t.kind != "py" for t in types]) or isinstance(atoms[1], Const):
        return None
    try:
        message = op.fn(sample(types[0]), type(sample(types[1]))(0))
    except ZeroDivisionError as error:
        message = str(error)
    return "ZeroDivisionError", lambda: s.emit("not_equal", atoms[1], Const(0), hint="ok"), message


def of_power(s, atoms) -> list:
    """Of Python's floats: zero to a negative power, and what becomes too large."""
    if any([s.b.type(a).kind != "py" for a in atoms]) or not any([s.b.type(a).is_float for a in atoms]):
        return []
    test = lambda f: lambda: s.atom(s.call_value(v.Static(f), [s.wrap(a) for a in atoms], {}))  # noqa: E731
    return [("ZeroDivisionError", test(has_power), ZERO_POWER), ("OverflowError", test(power_is_finite), TOO_LARGE)]


def of_place(s, op, atoms, params) -> tuple | None:
    """Of an array: one place that is not there."""
    found, dims = [], list(s.b.type(atoms[0]).dims)
    for code, own in entries(params["index"], atoms[op.index_at:]):
        if code == "a":
            return None
        n = dims.pop(0) if code != "n" else None
        if code == "i" and not isinstance(own[0], Const):  # of a known place it is made sure where it is written
            found.append((own[0], n, len(s.b.type(atoms[0]).dims) - len(dims) - 1))
    if len(found) != 1:
        return None if found else ("IndexError", lambda: Const(True), "")
    k, n, axis = found[0]

    def flag():
        size = s.dim_atom(n)
        at = s.int_op("add", k, size) if k not in s.nonnegative else None
        below = s.emit("less", k, size, hint="ok")
        return below if at is None else s.emit("and_", below, s.emit("greater_equal", at, Const(0), hint="ok"),
                                               hint="ok")

    said = (("text", f"index {{}} is out of bounds for axis {axis} with size {{}}", 0, 1),)
    return "IndexError", flag, said, k, s.dim_atom(n)
