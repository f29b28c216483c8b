"""gs.lax.psum and its like where a `vmap` or `pmap` around has the axis: operations of `rules/collectives.py`, or
between devices."""
from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace
from typing import Callable, Hashable

import numpy as np

from ...core.types import Dim
from ...errors.messages import SpecialisationError
from ...library.collectives import all_gather, axis_index, axis_size, pmax, pmean, pmin, ppermute, psum
from ...library.devices import own_number
from ...library.registry import each, frontend
from ..domain import values as v
from ..evaluator.arrays.shapes import first_axis_to
from ..evaluator.syntax.handlers import NONE
from .leaves import over_leaves

# what collectives are within groups: entered by who writes them with those without (`gradscribe/_exchange.py`)
IN_GROUPS: dict[str, Callable] = {}
ALONG_MESH: dict[str, Callable] = {}  # and along one axis of a mesh with several
OVER_SEVERAL: dict[str, Callable] = {}  # and over several axes at once


def axes_named(s, axis_name) -> list[Axis]:
    """The axes that are named."""
    names = s.static(axis_name, "it is the name of an axis")
    axes = [axis_of(s, name) for name in (names if isinstance(names, (tuple, list)) else (names,))]
    of_mesh = {axis.mesh for axis in axes if isinstance(axis, MeshAxis)}
    if of_mesh and [axis.name for axis in axes] == [*next(iter(of_mesh)).shape]:
        return [axis_of(s, *of_mesh)]  # all devices, in their order
    return axes


@dataclass(frozen=True)
class Axis:
    """An axis that collectives can name: of the examples of a `vmap`, or of the devices of a `pmap`."""

    name: Hashable
    size: Dim | None  # None: as many as the parameter has rows
    parameter: Callable[[], str] | None = None  # gives what says which device this is, and where the others are

    @property
    def devices(self) -> str | None:
        return self.parameter and self.parameter()

    def emit(self, s, op: str, *args, **params):
        if self.devices is None:
            return s.emit(op, *args, axis_name=self.name, size=self.size, **params)
        return s.emit(f"rt.{op}", self.devices, *args, **params)

    def number(self, s):
        """Which example, or device, this is."""
        return own_number(s.b, self.devices) if self.devices else self.emit(s, "axis_index")

    def partner(self, s, other: dict[int, int], hint: str):
        """The device that this one receives from, or sends to; -1 where there is none."""
        table = [v.Static(other.get(k, -1)) for k in range(self.size.constant)]
        return s.emit("getitem", s.atom(s.array_of(v.Tuple(tuple(table)))), self.number(s), index=("i",), hint=hint)


@dataclass(frozen=True)
class MeshAxis(Axis):
    """An axis of a mesh with several: devices that differ in it alone are a group.

    mesh           the name that the axis of all devices has
    before, after  how many devices there are along the axes before it, and after it
    """

    mesh: Hashable = None
    before: int = 1
    after: int = 1

    def within(self, s, what: str, *args):
        """What the function of that name gives, which is written for a group."""
        place = (v.Static(n) for n in (self.mesh, self.before, self.size.constant, self.after))
        return s.atom(s.call_value(v.Static(ALONG_MESH[what]), [*map(s.wrap, args), *place], {}))

    def emit(self, s, op, *args):
        return axis_of(s, self.mesh).emit(s, op, *args) if op == "ppermute" else self.within(s, op, *args)

    def number(self, s):
        return self.within(s, "axis_index")

    def partner(self, s, other, hint):
        count, step = self.size.constant, self.after
        places = [(k, k // step % count) for k in range(self.before * count * step)]
        return axis_of(s, self.mesh).partner(s, {k: k + (other[at] - at) * step for k, at in places if at in other},
                                             hint)


def axis_of(s, name) -> Axis:
    if name not in s.axes:
        names = [repr(key) for key in s.axes if not any([getattr(a, "mesh", None) == key for a in s.axes.values()])]
        there = f"those around have {', '.join(names)}" if names else "none around has an axis_name"
        s.fail(f"unbound axis name: {name}",
            f"Name the axis of a vmap or pmap around the function: gs.pmap(f, axis_name={name!r}); {there}.",
            error=UnboundAxis)
    axis = s.axes[name]
    return axis if axis.size is not None else replace(axis, size=s.b.type(axis.devices).dims[0])


class UnboundAxis(SpecialisationError, NameError):
    """A collective names an axis that no vmap or pmap around has."""


def over_each(s, x, change):
    """The tree with its leaves changed, each of which has a place of its own in the program."""
    numbers = itertools.count()

    def changed(leaf):
        with s.within(None, next(numbers)), s.b.at(s.b.origin and replace(s.b.origin, path=s.path)):
            return change(leaf)

    return over_leaves(s, x, changed)


@each({psum: "psum", pmean: "pmean", pmax: "pmax", pmin: "pmin"})
def fold_over_axis(name, s, x, axis_name, axis_index_groups=NONE):
    if axis_index_groups != NONE:
        return over_each(s, x, lambda leaf: s.call_value(v.Static(IN_GROUPS[name]),
                                                         [leaf, axis_name, axis_index_groups], {}))
    axes = axes_named(s, axis_name)

    def over_all(leaf):
        for axis in axes:
            if name == "psum" and isinstance(leaf, v.Static):
                leaf = s.elementwise("multiply", leaf, s.dim_value(axis.size))
            elif axis.devices:
                leaf = sum_over_devices(s, axis, name, leaf)
            else:
                leaf = s.wrap(axis.emit(s, name, s.atom(leaf)))
        return leaf

    return over_each(s, x, over_all)


def sum_over_devices(s, axis: Axis, name: str, x):
    """A sum of bools counts; a mean is a sum, divided, and that of ints is one of floats, as np.mean has it."""
    if s.type(x).dtype.kind in {"psum": "b", "pmean": "biu"}.get(name, ""):
        x = s.wrap(s.emit("rt.astype", s.atom(x), dtype=np.dtype(np.int64 if name == "psum" else np.float64)))
    y = s.wrap(axis.emit(s, {"pmean": "psum"}.get(name, name), s.atom(x)))
    return s.elementwise("divide", y, s.dim_value(axis.size)) if name == "pmean" else y


@frontend(all_gather)
def _all_gather(s, x, axis_name, axis=v.Static(0), axis_index_groups=NONE, tiled=v.Static(False)):
    where, tiled = s.static(axis, "it is an axis"), s.static(tiled, "it decides the shape")

    def gathered(leaf):
        if axis_index_groups != NONE:
            if len(axes_named(s, axis_name)) != 1:
                s.fail("gs.lax.all_gather in groups over several axes at once", "Call it once for each.")
            y = s.atom(s.call_value(v.Static(IN_GROUPS["all_gather"]), [leaf, axis_name, axis_index_groups], {}))
        else:
            y = of_all(s, axes_named(s, axis_name), s.atom(leaf))
        rank = s.b.type(y).rank
        if not -rank <= where < rank - tiled:
            s.stop("ValueError", f"axis {where} is out of bounds for array of dimension {rank}")
        return s.wrap(first_axis_to(s, y, where % (rank - tiled), tiled))
    return over_each(s, x, gathered)


def of_all(s, axes: list[Axis], x):
    """The values along all axes, joined to one first axis: the examples of the last one stand side by side."""
    if not axes:
        s.fail("gs.lax.all_gather over no axis", "Name one.", error=SpecialisationError)
    y = axes[-1].emit(s, "all_gather", x)
    for axis in reversed(axes[:-1]):
        y = first_axis_to(s, axis.emit(s, "all_gather", y), 0, joined=True)
    return y


@frontend(ppermute)
def _ppermute(s, x, axis_name, perm):
    axes = axes_named(s, axis_name)
    pairs = tuple((int(a), int(b)) for a, b in s.static(perm, "it says which example sends to which"))
    if any(k < 0 for pair in pairs for k in pair):
        s.fail(f"ppermute: examples are numbered from 0, and perm is {list(pairs)}", "Count from the first example.",
               error=SpecialisationError)
    for ends in zip(*pairs):
        if len(set(ends)) < len(ends):
            s.fail(f"ppermute: sources and destinations must be unique, and perm is {list(pairs)}",
                   "Name each example at most once on each side.", error=SpecialisationError)
    if len(axes) != 1:
        names = v.Static(tuple([axis.name for axis in axes]))
        return over_each(s, x, lambda leaf: s.call_value(v.Static(OVER_SEVERAL["ppermute"]),
                                                         [leaf, names, v.Static(pairs)], {}))
    (axis,) = axes
    if axis.devices is None:
        return over_leaves(s, x, lambda leaf: s.wrap(axis.emit(s, "ppermute", s.atom(leaf), perm=pairs)))
    if any(k >= axis.size.constant for pair in pairs for k in pair):
        s.fail(f"ppermute: there are {axis.size.constant} devices, numbered from 0, and perm is {list(pairs)}",
               "Name devices that there are.", error=SpecialisationError)
    source = axis.partner(s, {b: a for a, b in pairs}, "source")
    target = axis.partner(s, dict(pairs), "target")
    return over_each(s, x, lambda leaf: s.wrap(axis.emit(s, "ppermute", source, target, s.atom(leaf))))


@frontend(axis_index)
def _axis_index(s, axis_name):
    axes = axes_named(s, axis_name)
    number = s.wrap(axes[0].number(s)) if axes else v.Static(0)
    for axis in axes[1:]:
        number = s.elementwise("add", s.elementwise("multiply", number, s.dim_value(axis.size)),
                               s.wrap(axis.number(s)))
    return number


@frontend(axis_size)
def _axis_size(s, axis_name):
    return s.dim_value(math.prod([axis.size for axis in axes_named(s, axis_name)], start=Dim.of(1)))

