"""Types of core values: what is known before a program runs.

A type is a kind, a dtype and, for arrays, one `Dim` per axis.  Sizes are not known, only
whether a dim is 1 and how it depends on integers of the program:

>>> n = Dim.of("n")
>>> str(n - 2), (n - 2) + 2 == n, (n - n) == 0
('n - 2', True, True)
"""
from __future__ import annotations

import functools
import operator
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Dim:
    """A polynomial with integer coefficients over names of integers in a core program.

    `terms` maps monomials (sorted tuples of names) to coefficients and is kept sorted, so
    that equal polynomials are equal objects.
    """

    terms: tuple[tuple[tuple[str, ...], int], ...]

    @staticmethod
    def of(value: "Dim | str | int") -> "Dim":
        if isinstance(value, Dim):
            return value
        if isinstance(value, str):
            return Dim((((value,), 1),))
        return Dim(((((), int(value)),)) if value else ())

    @staticmethod
    def _collect(pairs) -> "Dim":
        sums: dict[tuple[str, ...], int] = {}
        for monomial, coefficient in pairs:
            sums[monomial] = sums.get(monomial, 0) + coefficient
        return Dim(tuple(sorted((m, c) for m, c in sums.items() if c)))

    def __add__(self, other):
        other = Dim.of(other)
        if not (self.terms and other.terms):
            return self if self.terms else other
        return Dim._collect(self.terms + other.terms)

    def __neg__(self):
        return Dim(tuple((m, -c) for m, c in self.terms))

    def __sub__(self, other):
        return self + (-Dim.of(other))

    def __mul__(self, other):
        other = Dim.of(other)
        return Dim._collect((tuple(sorted(m + k)), c * d) for m, c in self.terms for k, d in other.terms)

    __radd__, __rmul__ = __add__, __mul__

    def __rsub__(self, other):
        return Dim.of(other) - self

    def __eq__(self, other):
        if type(other) is Dim:
            return self.terms == other.terms
        return isinstance(other, (int, str)) and self.terms == Dim.of(other).terms

    def __hash__(self):
        return hash(self.terms)

    @property
    def constant(self) -> int | None:
        """The value, when it is known; else None."""
        if not self.terms:
            return 0
        if len(self.terms) == 1 and not self.terms[0][0]:
            return self.terms[0][1]
        return None

    @property
    def is_one(self) -> bool:
        return self.terms == ONE_TERM

    @functools.cached_property
    def names(self) -> frozenset[str]:
        return frozenset([name for monomial, _ in self.terms for name in monomial])

    def split(self, name: str) -> tuple["Dim | None", "Dim"]:
        """(c, r) such that this is c * name + r; c is None where it is not linear in it."""
        with_name = [(m, c) for m, c in self.terms if name in m]
        if any(m.count(name) > 1 for m, _ in with_name):
            return None, self
        factor = Dim._collect((tuple(n for n in m if n != name), c) for m, c in with_name)
        return factor, Dim._collect((m, c) for m, c in self.terms if name not in m)

    def substitute(self, mapping: dict[str, "Dim | str | int"]) -> "Dim":
        """This polynomial with names replaced."""
        if not any([name in mapping for monomial, _ in self.terms for name in monomial]):
            return self
        total = Dim(())
        for monomial, coefficient in self.terms:
            product = Dim.of(coefficient)
            for name in monomial:
                product = product * Dim.of(mapping.get(name, name))
            total = total + product
        return total

    def value(self, values: dict[str, int]) -> int:
        """The number it has when its names have these values."""
        total = 0
        for monomial, coefficient in self.terms:
            for name in monomial:
                coefficient *= values[name]
            total += coefficient
        return total

    def __str__(self):
        parts = []
        for monomial, coefficient in sorted(self.terms, key=lambda t: (t[0] == (), t)):
            factors = ([] if abs(coefficient) == 1 and monomial else [str(abs(coefficient))]) + list(monomial)
            parts.append((" - " if coefficient < 0 else " + ") + "*".join(factors))
        text = "".join(parts) or " + 0"
        return text[3:] if text.startswith(" + ") else "-" + text[3:]

    __repr__ = __str__


ONE_TERM = (((), 1),)
PYTHON_DTYPE = {bool: np.dtype(bool), int: np.dtype(np.int64), float: np.dtype(np.float64),
                complex: np.dtype(np.complex128)}
PYTHON_TYPE = {"b": bool, "i": int, "f": float, "c": complex}


@dataclass(frozen=True)
class Type:
    """What is known of a value.

    kind   "py" a Python number (weak in promotion), "np" a NumPy scalar, "array" an ndarray
           (rank 0 included: those are mutable, scalars are not)
    dtype  NumPy dtype; of a Python number the dtype it has when compiled
    dims   one Dim per axis
    """

    kind: str
    dtype: np.dtype
    dims: tuple[Dim, ...] = ()

    def __eq__(self, other):
        if self is other or not isinstance(other, Type):
            return self is other
        return self.kind == other.kind and self.dims == other.dims and self.dtype == other.dtype

    def __hash__(self):
        return hash((self.kind, self.dtype, self.dims))

    @property
    def rank(self) -> int:
        return len(self.dims)

    @functools.cached_property
    def names(self) -> frozenset[str]:
        """Those of the integers that its dims are made of."""
        return frozenset().union(*[d.names for d in self.dims])

    @property
    def is_float(self) -> bool:
        return self.dtype.kind in "fc"

    @property
    def python_type(self) -> type:
        return PYTHON_TYPE[self.dtype.kind]

    def with_dims(self, dims) -> "Type":
        return Type(self.kind, self.dtype, tuple([Dim.of(d) for d in dims]))

    def substitute(self, mapping: dict[str, Dim | str | int]) -> "Type":
        """This type with names in its dims replaced."""
        dims = tuple([d.substitute(mapping) for d in self.dims])
        return self if all(map(operator.is_, dims, self.dims)) else Type(self.kind, self.dtype, dims)

    def scalar(self) -> "Type":
        """The type of one element."""
        return Type("np", self.dtype)

    def __str__(self):
        dtype = f"{self.python_type.__name__}" if self.kind == "py" else str(self.dtype)
        return dtype if self.kind != "array" else f"{dtype}[{', '.join(map(str, self.dims))}]"


OF_NUMBER = {t: Type("py", dtype) for t, dtype in PYTHON_DTYPE.items()}
PY_INT, PY_FLOAT, PY_BOOL = (OF_NUMBER[t] for t in (int, float, bool))


def type_of_number(value) -> Type:
    """The type of a Python number or NumPy scalar."""
    return numpy_scalar(value.dtype) if isinstance(value, np.generic) else OF_NUMBER[type(value)]


@functools.cache
def numpy_scalar(dtype: np.dtype) -> Type:
    return Type("np", dtype)


def array(dtype, *dims) -> Type:
    """An array type: array("f8", "n", 3)."""
    return Type("array", np.dtype(dtype), tuple(Dim.of(d) for d in dims))


def sample(t: Type):
    """A tiny value of this type (dims of length 1), to ask NumPy what it makes of it."""
    if t.kind == "py":
        return t.python_type(1)
    return np.ones((1,) * t.rank, t.dtype) if t.kind == "array" else t.dtype.type(1)
