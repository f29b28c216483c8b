"""Operations on values: emitted, or computed now where all is known."""
from __future__ import annotations

import functools
import math

import numpy as np

from ...analyse.raising import dtype_holds
from ...core import POLYNOMIAL, Atom, Const
from ...core.types import PY_INT, Dim, sample
from ...rules.inference import Untyped
from ...rules.operators import Comparison, Division
from ...rules.registry import OPS
from ..domain import values as v
from ..domain.plans import APART
from .emitter import NOTHING
from .memory import NUMBERS, plain
from .refusing import builtin_kind, message_of

NEGATIVE_POWER = "Integers to negative integer powers are not allowed."
EXACT = {int, float, bool, complex, type(None), str}


class Operations:
    """What the machine computes with."""

    def require(self, flag: Atom, kind: str, message: str, *values: Atom) -> None:
        """Raise unless the flag holds; with values, the message has places for them."""
        self.emit("rt.require", flag, *values, kind=kind, **message_of(message, values))
        if isinstance(flag, str):
            self.sight.known_true.add(flag)

    def emit(self, name: str, *atoms: Atom, hint: str = "t", **params):
        if self.b.several and OPS[name].dtype_of_numbers:
            self.refuse_several([a for a in atoms if len({t.dtype for t in self.b.types_of(a)}) > 1])
        asked = self.levels and self.asks(OPS[name], atoms, params)
        if asked and name == "rt.require":
            return None
        try:
            result = self.b.emit(OPS[name], *atoms, hint=hint, **params)
        except Untyped as problem:
            self.stop(builtin_kind(problem.error), str(problem.error))
        self.note_order(OPS[name], result, atoms, params)
        if asked:
            self.asked.add(result)
        return result

    def elementwise(self, name: str, *args, hint: str = "t", numpy: bool = False):
        """An elementwise operation on values; `numpy`: it is NumPy's function, which gives NumPy scalars."""
        op = OPS[name]
        if any([type(a) is v.Static and type(a.value) not in EXACT for a in args]):
            args = self.as_numpy(args)
        if all([isinstance(a, v.Static) and isinstance(a.value, NUMBERS) for a in args]):
            return self.static_op(op, [a.value for a in args], numpy)
        atoms = [self.atom(a) for a in args]
        types = [self.b.type(a) for a in atoms]
        if numpy:
            atoms = self.numpy_operands(op, atoms, types)
        elif is_of_ints(op, atoms, types):
            return self.wrap(self.int_op(name, *atoms, hint=hint))
        if name == "power":
            atoms = self.power_operands(atoms, types, numpy)
        elif isinstance(op, Division) and self.b.varies(atoms):
            self.check_division(atoms)
        if not isinstance(op, Comparison):
            self.check_weak(op, atoms, types)
        return self.wrap(self.aligned(op, atoms, hint), hint)

    def numpy_operands(self, op, atoms: list, types: list) -> list:
        """The operands of NumPy's function: where all are Python's numbers, the first becomes NumPy's, and with it the
        result."""
        if all([t.kind == "py" for t in types]):
            if len(self.b.results_of(op, atoms, numpy=True)) != 1:
                self.refuse_several(atoms)
            return [self.emit("rt.astype", atoms[0], dtype=np.result_type(*[t.dtype for t in types])), *atoms[1:]]
        if ((op.symbol or op is OPS["abs"])
                and all([any([t.kind == "py" for t in self.b.types_of(a)]) for a in atoms])):
            self.refuse_several(atoms)  # its text is that of Python's operator
        return atoms

    def power_operands(self, atoms: list, given: list, numpy: bool) -> list:
        """The base and the exponent in the types with which the power is what NumPy or Python makes of it; `given`: the
        types that they had before the base became NumPy's."""
        base, exponent = atoms
        t = self.b.type(base)
        if not numpy and t.rank and t.dtype.kind == "b" and self.b.type(exponent).kind == "py":
            self.fail("a power of an array of bools, whose dtype depends on the exponent",
                      "Convert the array first: x.astype(int) ** n.")
        if numpy and given[0].kind != "py" and given[0].dtype.kind == "b":
            # np.power of bools has the dtype of two integers; `**`, as which it is written, has one that depends on
            # the exponent, so the base is given that of np.power before
            base = self.emit("rt.astype", base, dtype=np.power(*map(sample, given)).dtype)
        return [self.checked_base(base, exponent), exponent]

    def check_weak(self, op, atoms, types) -> None:
        """A Python int that NumPy's integers beside it do not hold is an OverflowError, whoever reads the result."""
        integers = {t.dtype for a in atoms for t in self.b.types_of(a) if t.kind != "py" and t.dtype.kind in "iu"}
        if any([type(a) is Const and type(a.value) is int and not dtype_holds(dtype, a.value) for a in atoms
                for dtype in integers]):
            if self.b.varies(atoms):
                self.refuse_several(atoms)  # Python's number beside it is held
            self.now(op.fn, *[a.value if type(a) is Const else sample(t) for a, t in zip(atoms, types)])

    def as_numpy(self, args) -> list:
        """Beside NumPy's numbers those of a subclass of int or float, such as members of an IntEnum,
        are no Python numbers but NumPy's."""
        if not any([isinstance(a, v.Array) or isinstance(a, v.Number) and self.type(a).kind != "py" for a in args]):
            return list(args)
        return [v.Number(Const(np.asarray(plain(a.value))[()])) if isinstance(a, v.Static) and v.is_subclassed(a)
                else a for a in args]

    def static_op(self, op, numbers, numpy: bool):
        if numpy and not any(isinstance(x, np.generic) for x in numbers):
            numbers = [np.asarray(numbers[0])[()], *numbers[1:]]
        with np.errstate(all="ignore"):
            return self.static_number(self.now(op.fn, *numbers))

    def check_division(self, atoms) -> None:
        """A division by zero of what is Python's number on one path and NumPy's on another:
        Python's raises, NumPy's does not."""
        divisor = atoms[1]
        if (isinstance(divisor, Const) and divisor.value != 0
                or not all([any([t.kind == "py" for t in self.b.types_of(a)]) for a in atoms])):
            return
        why = ("a division by zero of a Python number on one path, a NumPy number on another: only Python's raises; "
               "give it one type from the start")
        if self.b.type(divisor) == PY_INT:
            self.ensure(self.b.dim(divisor), "!=", 0, "RefusedValue", why)
        else:
            self.require(self.emit("not_equal", divisor, Const(0), hint="ok"), "RefusedValue", why)

    def checked_base(self, base: Atom, exponent: Atom) -> Atom:
        """The base of a power, as a float where the result is one.  The type of a power depends on values: of integers
        to negative powers, and of negative numbers to fractions."""
        x, y = self.b.type(base), self.b.type(exponent)
        if self.b.varies([base, exponent]):
            self.one_power([base, exponent])
        python = x.kind == y.kind == "py"
        both = all([any([t.kind == "py" for t in self.b.types_of(a)]) for a in (base, exponent)])  # on some paths
        if both and y.is_float and "c" not in x.dtype.kind + y.dtype.kind:
            self.check_fractional_power(base, exponent)
        if x.dtype.kind not in "ib" or y.dtype.kind != "i":
            return base
        negative = isinstance(exponent, Const) and exponent.value < 0
        if negative:  # of Python's ints it is a float
            self.refuse_several([base, exponent])
        if negative and python:
            return self.emit("float", base)
        if isinstance(exponent, Const) and not negative or any([self.presume(d, "==", 0) for d in x.dims]):
            return base  # of no elements there is no power
        if negative and all(map(self.at_entry, x.dims)):  # the arguments' sizes say that there are elements
            self.stop("ValueError", NEGATIVE_POWER)
        # of Python's the result is a float, or an int, as the exponent says
        self.require(self.has_power(x.dims, exponent, negative), "RefusedValue" if python else "ValueError",
                     NEGATIVE_POWER + python * " (Write float(x) ** n.)")
        return base

    def has_power(self, dims, exponent: Atom, negative: bool) -> Atom:
        """A flag: integers of these lengths have this power, since there are none or it is not negative."""
        if negative:
            return self.emit("equal", self.dim_atom(math.prod(dims, start=Dim.of(1))), Const(0), hint="ok")
        ok, rank = self.emit("greater_equal", exponent, Const(0), hint="ok"), self.b.type(exponent).rank
        return self.emit("np.all", ok, axis=tuple(range(rank)), keepdims=False, hint="ok") if rank else ok

    def one_power(self, atoms) -> None:
        """Refuse a power of numbers that have several types by the path, where the exponent says whether it is an int
        or a float, and where real and complex numbers would be rounded otherwise."""
        kinds = [{t.dtype.kind for t in self.b.types_of(a) if t.kind == "py"} for a in atoms]
        if (all([found & {"b", "i"} for found in kinds]) and not isinstance(atoms[1], Const)
                or any(["c" in found and len(found) > 1 for found in kinds])):
            self.refuse_several(atoms)

    def check_fractional_power(self, x, y) -> None:
        """A negative Python number to a fractional power is complex, which the type of a float does not say."""
        if (isinstance(y, Const) and not y.value % 1.0 > 0.0
                or isinstance(x, Const) and (x.value >= 0 or x.value == -np.inf)):
            return
        bad = self.emit("less", x, Const(0), hint="bad")
        if not isinstance(y, Const):
            bad = self.emit("and_", bad, self.emit("greater", self.emit("mod", y, Const(1.0)), Const(0.0), hint="bad"),
                            hint="bad")
        self.require(self.emit("not ", bad, hint="ok"), "RefusedValue",
                     "a negative number to a fractional power is a complex number")

    def int_op(self, name: str, *atoms: Atom, hint: str = "size", **params) -> Atom:
        """An operation on Python ints, computed now where they are known and emitted once a block."""
        op = OPS[name]
        if all(isinstance(a, Const) for a in atoms):
            return Const(self.now(functools.partial(op.fn, **params), *(a.value for a in atoms)))
        key = (name, tuple(self.b.dim(a) for a in atoms), tuple(params.items()))
        if key not in self.sight.interned:
            self.sight.interned[key] = self.emit(name, *atoms, hint=hint, **params)
            self.noted.add(self.sight.interned[key])
            if op.length:
                self.nonnegative.add(self.sight.interned[key])
        return self.sight.interned[key]

    def is_count(self, atom: Atom) -> bool:
        """Is an integer surely 0 or more: a sum of products of what counts something?"""
        return all(c > 0 and set(names) <= self.nonnegative for names, c in self.b.dim(atom).terms)

    def one_dtype(self, op, atoms) -> None:
        """Refuse an operation that not all paths can do, or that NumPy computes in another width by the path."""
        results = self.b.results_of(op, atoms)
        arrays = any([self.b.type(a).rank for a in atoms])
        numpys = {t.dtype for t in results if t.kind != "py"}
        narrow = any([dtype.itemsize < 8 or dtype.kind == "u" for dtype in numpys])
        if results is NOTHING or len(numpys) > 1 or (arrays or narrow) and len({t.dtype for t in results}) > 1:
            self.refuse_several(atoms)

    def refuse_several(self, atoms, what="a number that has another type on each path, where that makes a difference"):
        """A number of another type by the path is used where that makes a difference."""
        if any([len(self.b.types_of(a)) > 1 for a in atoms]):
            loop = self.b.loop_of(atoms)
            for plan in (loop, APART):
                if plan is not None and plan not in self.static_paths:
                    raise v.Restart(frozenset({plan}))
            self.fail(what, "Give it one type on all paths: int(x), float(x) or np.float64(x) from the start.")


def is_of_ints(op, atoms: list, types: list) -> bool:
    """Is it arithmetic on two ints of Python's that raises nothing?"""
    return len(atoms) == 2 and all([t == PY_INT for t in types]) and (
        op.symbol in POLYNOMIAL or op.symbol in ("//", "%") and type(atoms[1]) is Const and bool(atoms[1].value))
