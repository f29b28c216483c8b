"""What functions of the library ask of the machine (`library/registry.py`)."""
from __future__ import annotations

import numpy as np

from ...library import draws, registry
from ...library.registry import each, frontend
from ..domain import values as v
from ..evaluator.arrays.signatures import tried_now
from ..evaluator.objects.foreign import foreign_value
from .numpy_arrays import array_like

frontend(registry.known)(lambda s, value, why: v.Static(s.static(value, s.static(why, ""))))
frontend(registry.refuse)(lambda s, message, instead: s.fail(s.static(message, ""), s.static(instead, "")))
frontend(registry.ensure)(lambda s, holds, message: s.require(s.atom(holds), "RefusedValue", s.static(message, ""))
                          or v.Static(None))
frontend(registry.own)(lambda s, a: s.wrap(s.atom(array_like(s, a))))
frontend(registry.rolled)(lambda s, a, shift, axis: s.wrap(s.emit("np.roll", s.atom(a), s.atom(shift),
                                                                  axis=s.static(axis, ""))))
frontend(registry.constant)(lambda s, n: v.Static(type(a := s.atom(n)) is not str or s.b.dim(a).constant is not None))


@frontend(registry.at_least)
def at_least_(s, n, least):
    missing = s.b.dim(s.atom(n)) - s.b.dim(s.atom(least))
    return v.Static(missing.constant >= 0 if missing.constant is not None else s.presume(missing, ">=", 0) is True)


@frontend(registry.part)
def part(s, a, axis, start, stop):
    k, dims, bounds = s.static(axis, ""), s.type(a).dims, [s.atom(start), s.atom(stop)]
    length = s.b.dim(bounds[1]) - s.b.dim(bounds[0])
    return s.view(a, "getitem", *bounds, index=(":",) * k + ("s110",) + (":",) * (len(dims) - k - 1),
                  dims=(*dims[:k], length, *dims[k + 1:]))


@frontend(registry.rows_in_order)
def rows_in_order(s, rows, order):
    dims = s.type(rows).dims
    places = [s.emit("getitem", s.emit("np.arange", s.dim_atom(d), dtype=np.dtype(np.int64), count=d),
                     index=(":",) + ("n",) * (len(dims) - k - 1)) for k, d in enumerate(dims[:-1])]
    return s.wrap(s.emit("getitem", s.atom(rows), *places, s.atom(order), index=("a",) * len(dims), distinct="all"))


@each({registry.last_product: "np.prod", registry.running_product: "np.cumprod"})
def product_along_last(name, s, a):
    x = array_like(s, a)
    atom, last = s.atom(x), s.type(x).rank - 1
    return s.wrap(s.emit(name, atom, axis=(last,), keepdims=False) if name == "np.prod"
                  else s.emit(name, atom, axis=last))


@frontend(registry.computed)
def computed_by_python(s, function, *args):
    """What Python makes of what is known."""
    f = s.static(function, "")
    found = tried_now(s, f, *[s.static(a, "it decides what is done") for a in args])
    return foreign_value(s, f, found) if isinstance(found, np.ndarray) else v.Static(found)


@frontend(draws.drawn)
def drawn_now(s, *given):
    """What a generator draws while the program is made: its state is known, and so is what it is asked for."""
    state, name, *asked = [s.static(x, "it decides what a generator draws") for x in given]
    found, after = tried_now(s, draws.drawn, state, name, *asked)
    array = np.array(found) if type(found) is list else found
    return v.Tuple((foreign_value(s, getattr(np.random.RandomState, name, np.random.normal), array), v.Static(after)))


@frontend(registry.read_only)
def make_read_only(s, view, of, why):
    view = s.wrap(s.atom(view))
    view.cell.frozen = s.static(why, "")
    if isinstance(of, v.Array):
        s.may_share(view.cell, of.cell)
    return view
