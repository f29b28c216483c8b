"""The arguments of the function as values: core parameters for their leaves, which are called by where they stand."""
from __future__ import annotations

import numbers
import sys
from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core import Let, quoted
from ..core.types import PY_BOOL, PY_INT, Dim, Type
from ..frontend.capture import INSTALLED
from ..frontend.module_names import module_of, package_of
from ..inputs.guards import is_run_time_leaf
from ..pytree.containers import is_object, open_container
from ..pytree.rows import Stack
from ..rules import OPS
from .domain import values as v
from .domain.plans import Plan, Way
from .evaluator.names.lifting import build, parameter_type
from .evaluator.syntax.given import in_rows
from .machine import Machine
from .machine.lengths import size_key


class Arguments(Machine):
    """The machine with the parameters of the entry."""

    def __init__(self, exact: bool, static: frozenset):
        super().__init__()
        self.exact, self.static_paths = exact, static
        self.prologue: list[Let] = []
        self.leaf_count = 0
        self.access: dict[int, str] = {}  # leaf of the arguments -> how it is written

    def refuse_kind(self, obj) -> None:
        """Refuse numbers and arrays of kinds that no program computes with."""
        dtype, cls = getattr(obj, "dtype", None), type(obj)
        if dtype is not None and dtype.kind not in "fiubc":
            self.fail(f"an argument of dtype {dtype}", "Pass floats, complex numbers, integers or bools."
                      if dtype.names is None else f"Pass the arrays of its fields: p[{dtype.names[0]!r}].")
        if dtype is not None and dtype.itemsize > (16 if dtype.kind == "c" else 8):
            self.fail(f"an argument of dtype {dtype}", "Pass numbers of at most 64 bits: x.astype(np.float64).")
        if self.compiled and cls is int and not -(2 ** 63) <= obj < 2 ** 63:
            self.fail("an int of more than 64 bits in a function that is compiled",
                      "Pass a float, or call the function without gs.jit.")
        if isinstance(obj, np.ma.MaskedArray):
            self.fail("a masked array", "Pass numbers for what is masked, x.filled(0.0), or leave it away, "
                      "x.compressed(); np.asarray(x) forgets the mask, which may be an argument of its own: x.mask.")
        if isinstance(obj, np.ndarray) and cls not in (np.ndarray, np.memmap):
            self.fail(f"an array of class {cls.__name__}", "Pass a plain array: np.asarray(x).")
        if isinstance(obj, np.ndarray) and not dtype.isnative:
            self.fail("an array of another machine's byte order",
                      "Convert it first: x.astype(x.dtype.newbyteorder('='))")

    def parameter(self, obj, hint: str, source) -> Any:
        """A core parameter for a leaf of the arguments, or for an outside array or number."""
        self.refuse_kind(obj)
        hint = "".join(c if c.isalnum() else "_" for c in hint).strip("_") or "x"
        hint = "x_" * hint[0].isdigit() + hint
        name = self.b.fresh(hint)
        t = parameter_type(obj, hint, self.length)
        known = {d: n for axis, (d, n) in enumerate(zip(t.dims, getattr(obj, "shape", ())))
                 if (self.exact or isinstance(source, Stack) and axis == 0
                     or size_key(source, axis) in self.static_paths)}
        self.b.types[name] = t.with_dims(known.get(d, d) for d in t.dims)
        self.params.append((name, source))
        self.given.append(obj)
        self.parameters |= {name, *self.b.types[name].names}
        for axis, d in enumerate(t.dims):
            if d.constant is None:
                self.enter_length(name, axis, d, known.get(d))
        if t.kind != "array":
            return self.number_given(name, t, obj)
        return self.cell(name, hint, "C" if obj.flags.c_contiguous else "F" if obj.flags.f_contiguous else None)

    def enter_length(self, name: str, axis: int, dim: Dim, known: int | None) -> None:
        """The length of an axis of a parameter: an assumption where it is known, else computed first of all."""
        (length,) = dim.names
        self.sizes[length] = (len(self.params) - 1, axis)
        if known is not None:
            self.facts.fixed.append((dim, "==", known))
        else:
            self.prologue.append(Let((length,), OPS["rt.size"], (name,), (("axis", axis),)))

    def number_given(self, name: str, t: Type, obj):
        """The value of a parameter that is a number: an integer may count, and is known where all sizes are."""
        if t.dtype.kind in "iub":
            self.sizes[name] = (len(self.params) - 1, None)
            if self.exact:
                self.facts.fixed.append((Dim.of(name), "==", int(obj)))
                return self.static_number(obj)
        if t == PY_BOOL or t.dtype.kind in "iu":
            self.entry_ints[name] = None
        return v.Number(name)

    def length(self, hint: str) -> str:
        name = self.b.fresh(hint, PY_INT)
        self.entry_ints[name] = None
        self.not_one.add(name)
        self.nonnegative.add(name)
        return name

    def argument(self, obj, hint: str):
        """The value of one argument, its leaves numbered in order."""
        def leaf(x, path):
            if isinstance(x, Fixed):
                return v.Static(x.value)
            if not is_run_time_leaf(x):
                self.refuse_foreign(x, path.text)
                self.guard_members(x)
                return v.Static(x)
            k = self.leaf_count
            self.leaf_count += 1
            if Plan(Way.KNOWN, k) in self.static_paths:
                return self.static_number(x)
            self.access[k] = path.text
            return self.parameter(x, self.hint(hint, path, often), k)

        def rows(x, path):
            def name(keys):
                """What the rows of what items have under these keys are called."""
                if any([isinstance(key, str) for key in keys]):
                    return self.hint(hint, Trail("", (*path.parts, *keys)))
                return "_".join([self.hint(hint, path), *map(str, keys)])

            return in_rows(self, x, path.text, name)

        often = {key for key, count in Counter(member_keys(obj)).items() if count > 1}
        return build(self, obj, leaf, Trail(hint), f"the caller's {hint}", rows)

    def refuse_foreign(self, x, text: str) -> None:
        """A number or array of another library's class has no derivative, and no program of ours computes with it."""
        cls = type(x)
        if isinstance(x, numbers.Number) and module_of(cls) in ("fractions", "decimal"):
            self.fail(f"the argument {text} is a {cls.__name__}", f"Pass a float: float({text}).")
        file = getattr(sys.modules.get(package_of(cls)), "__file__", None) or ""
        if hasattr(cls, "__array__") and file.startswith(INSTALLED):
            self.fail(f"the argument {text} is a {cls.__name__} of {package_of(cls)}",
                      f"Pass an array: np.asarray({text}).")

    def hint(self, base, path, often=()) -> str:
        """What a leaf of an argument is called: by its key, with that of its container if several have one like it;
        else by the argument and its place."""
        parts = path.parts
        if isinstance(base, TupleName) and parts:
            base, parts = base.items[parts[0]] if parts[0] < len(base.items) else f"{base}{parts[0]}", parts[1:]
        if not parts:
            return base
        holder, last = ("", *parts)[-2:]
        if last in often and isinstance(holder, str) and holder.isidentifier():
            last = f"{holder}_{last}"
        return (last + getattr(base, "suffix", "") if isinstance(last, str) and last.isidentifier()
                else "_".join([base, *map(str, parts)]))


class Fixed:
    """An argument that is named static: any hashable object.  (No dataclass: those are containers of arguments.)"""

    def __init__(self, value: Any):
        self.value = value


def member_keys(obj, key=None) -> list:
    """The key of each member of a container of containers: "W" of {"hidden": {"W": ...}}."""
    node = None if is_object(obj) else open_container(obj)
    if node is None:
        return [key] if isinstance(key, str) else []
    return [found for k, x in zip(node.keys or range(len(node.items)), node.items) for found in member_keys(x, k)]


class TupleName(str):
    """The name of an argument that is a tuple of named values: `primals` of x and w."""

    def __new__(cls, name, items):
        made = super().__new__(cls, name)
        made.items = items
        return made


class Suffixed(str):
    """A name whose parts carry its suffix: x_dot, and W1_dot of its entry "W1"."""

    def __new__(cls, name, suffix):
        made = super().__new__(cls, name + suffix)
        made.suffix = suffix
        return made


@dataclass(frozen=True)
class Trail:
    """Where in an argument a leaf stands, and the expression that gets there."""

    text: str
    parts: tuple = ()

    def item(self, k):
        return Trail(f"{self.text}[{quoted(k)}]", self.parts + (k,))

    def attr(self, k):
        return Trail(f"{self.text}.{k}", self.parts + (k,))

    def way(self, steps):
        """Of a column of a table: called by its key."""
        return Trail(self.text + "".join([f"[{quoted(k)}]" if how == "item" else f".{k}" for how, k in steps]),
                     (*self.parts, steps[0][1]))
