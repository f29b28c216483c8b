"""Functions that the program calls: their signatures, and calls with arrays, views, expressions, keywords."""

from dataclasses import dataclass

from .expressions import expr
from .reads import index, slices
from .scope import Cell, Dim, Stuck, minus

MOST_TRIPS = 400


@dataclass(frozen=True)
class Param:
    name: str
    shape: tuple[Dim, ...] = ()
    default: str | None = None


@dataclass(frozen=True)
class Helper:
    name: str
    params: tuple[Param, ...]
    returns: tuple[tuple[Dim, ...], ...]  # shapes
    mutates: bool
    trips: int


def signature(rng):
    """Parameters over the lengths p and q; their least sizes are the callers' business."""
    p, q = (Dim(name, rng.choice((0, 0, 0, 1, 1, 2)), 8) for name in "pq")
    default = rng.choice((None, "0.45"))
    vector, matrix, number = Param("v", (p,)), Param("M", (p, q)), Param("c", (), default)
    second, weights = Param("u", (p,)), Param("w", (q,))
    forms = [(vector,), (vector, second), (matrix,), (matrix, weights), (vector, number), (matrix, number),
             (vector, second, number), (Param("c"), Param("d"))]
    return rng.choice(forms)


def results(rng, params, mutates):
    """What a helper returns: nothing (if it stores), a number, an array, or two values."""
    dims = [p.shape for p in params if p.shape]
    shapes = [()] + dims + [(minus(shape[0], 1),) for shape in dims[:1]]
    choices = [[rng.choice(shapes)]] * 3 + [[(), rng.choice(shapes)]]
    return tuple(rng.choice(choices + [[]] * (6 if mutates else 0)))


def call_helper(fn):
    helper = fn.one([h for h in fn.helpers if h.trips * fn.trips <= MOST_TRIPS])
    dtype = "f64" if fn.mode == "mixed" else fn.mode
    lengths, texts, cells = {}, [], []
    named = fn.chance(0.15)  # keyword arguments from here on
    for param in helper.params:
        text, cell = argument(fn, param, lengths, dtype, helper.mutates)
        if param.default and fn.chance(0.4):
            text = None
        elif named or (param.default and fn.chance(0.5)):
            text = f"{param.name}={text}"
        texts += [text] if text else []
        cells.append(cell)
    call = f"{helper.name}({', '.join(texts)})"
    fn.trips *= max(helper.trips, 1)
    for cell in cells:
        if helper.mutates and cell:
            cell.bound = min(cell.bound + 4.0, 60.0)
    fn.trips //= max(helper.trips, 1)
    fn.note("helper that stores" if helper.mutates else "helper")
    receive(fn, call, helper, lengths, dtype, cells)


def argument(fn, param, lengths, dtype, mutates):
    if not param.shape:
        return expr(fn, (), dtype, 1, strong=dtype == "f32").text, None
    var, text, shape = source(fn, param, lengths, dtype)
    for d, size in zip(param.shape, shape):
        if lengths.setdefault(d.key, size) != size or fn.lo(size) < d.lo:
            raise Stuck
    if not mutates and fn.chance(0.3):
        return expr(fn, shape, dtype, 1).text, None
    return text, var.cell


def source(fn, param, lengths, dtype):
    """An array or a view of one, of the parameter's rank and of the lengths already decided."""
    found = []
    for v in fn.arrays(dtype):
        if len(v.shape) == len(param.shape):
            found += [(v, v.name, v.shape)] * 3
            found += [(v, f"{v.name}[{t}]", (d, *v.shape[1:])) for t, d in slices(fn, v.shape[0])]
            found += [(v, f"{v.name}.T", v.shape[::-1])] * (2 if len(v.shape) == 2 else 0)
        elif len(v.shape) == 2 and len(param.shape) == 1:
            found += [(v, "row", v.shape[1:])] * 2 + [(v, "column", v.shape[:1])]
    fits = lambda shape: all(lengths.get(d.key, s) == s and fn.lo(s) >= d.lo for d, s in zip(param.shape, shape))
    var, text, shape = fn.one([f for f in found if fits(f[2])])
    if text == "row":
        text = f"{var.name}[{index(fn, var.shape[0])}]"
    elif text == "column":
        text = f"{var.name}[:, {index(fn, var.shape[1])}]"
    return var, text, shape


def receive(fn, call, helper, lengths, dtype, cells):
    if not helper.returns or (helper.mutates and fn.chance(0.2)):
        fn.emit(call)
        return
    shapes = [tuple(minus(lengths[d.base], d.off) for d in shape) for shape in helper.returns]
    # The result may be the argument itself: take it for its alias, which costs nothing if it is not.
    shared = next((c for c in cells if c), None)
    if len(shapes) == 1 and not shapes[0] and fn.mode == "f64" and fn.chance(0.4):
        adds = [v for v in fn.floats(0) if not v.weak and not v.fixed]
        fn.emit(f"{fn.one(adds).name} += 0.3 * {call}")
        return
    names = [fn.fresh("t" if not shape else "w" if len(shape) == 1 else "B") for shape in shapes]
    fn.emit(f"{', '.join(names)} = {call}")
    for name, shape in zip(names, shapes):
        cell = shared if shape and shared else Cell(6.0)
        fn.bind(name, dtype, shape, 6.0, cell=cell, view=bool(shape and shared))
