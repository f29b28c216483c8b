"""Masks: elements that a test picks, whose number only the run knows, and stores where a test holds."""

from .expressions import elementwise_test, expr
from .scope import Dim, Ex, Stuck, Var
from .statements import bind_result, change, grow


def masked(fn):
    return fn.attempt([(3, lambda: picked(fn)), (3, lambda: stored(fn)), (1, lambda: listed(fn)),
                       (2, lambda: summed(fn))])


def mask(fn, shape, dtype):
    """Source of an array of bools; now and then by a name."""
    text = elementwise_test(fn, shape, dtype)
    if fn.chance(0.6):
        return text
    name = fn.fresh("m")
    fn.emit(f"{name} = {text}")
    return fn.one((name, name, f"~{name}"))


def counted(fn, name, most):
    """A length that only the run knows: what the array of this name turns out to have."""
    return Dim(f"len({name})", 0, most)


def picked(fn):
    """z = x[x > c], and rows of a matrix: from here on its length is one like the others."""
    var = fn.one([v for v in fn.arrays() if len(v.shape) <= 2])
    axes = fn.one(range(1, len(var.shape) + 1))
    most = var.shape[0].hi * (var.shape[1].hi if axes == 2 else 1)
    at = mask(fn, var.shape[:axes], var.dtype)
    name = fn.fresh("z")
    forms = [f"{var.name}[{at}]"] * 3
    forms += ([f"np.compress({at}, {var.name})", f"np.extract({at}, {var.name})", f"{var.name}[np.nonzero({at})]"]
              if len(var.shape) == 1 else [])
    fn.emit(f"{name} = {fn.one(forms)}")
    fn.note("mask read")
    bind_result(fn, name, Ex("", var.cell.bound), (counted(fn, name, most), *var.shape[axes:]), var.dtype)


def stored(fn):
    """x[x > c] = e, x[m] *= e, and what is picked, changed and given back."""
    var = fn.one([v for v in fn.arrays() if len(v.shape) <= 2])
    at = mask(fn, var.shape, var.dtype)
    fn.note("mask store")
    if at.isidentifier() and fn.chance(0.3):
        fn.emit(f"{var.name}[{at}] = {fn.one(('np.sin({})', '0.7 * {}', '{}[::-1]')).format(f'{var.name}[{at}]')}")
        return
    if fn.chance(0.5):
        what, step = change(fn, (), var.dtype)
        fn.emit(f"{var.name}[{at}] {what}")
        grow(fn, var.cell, step)
        return
    fn.emit(f"{var.name}[{at}] = {expr(fn, (), var.dtype, 1, limit=max(var.cell.bound, 1.0)).text}")


def listed(fn):
    """p = np.flatnonzero(x > c): places, to read and to store at."""
    var = fn.one([v for v in fn.arrays() if len(v.shape) == 1])
    at = mask(fn, var.shape, var.dtype)
    name = fn.fresh("p")
    fn.emit(f"{name} = {fn.one((f'np.flatnonzero({at})', f'np.where({at})[0]', f'np.nonzero({at})[0]'))}")
    fn.note("places of a mask")
    fn.vars[name] = Var(name, "i64", (counted(fn, name, var.shape[0].hi),), target=var.shape[0])


def summed(fn):
    """A number of what is picked; of nothing it is 0."""
    var = fn.one([v for v in fn.arrays() if len(v.shape) <= 2])
    if var.dtype == "f32" and fn.mode != "f32":
        raise Stuck
    at, name = mask(fn, var.shape, var.dtype), fn.fresh("t")
    most = 1
    for d in var.shape:
        most *= max(d.hi, 1)
    z = f"{var.name}[{at}]"
    forms = [f"np.sum({z})", f"{z}.sum()"]
    if len(var.shape) == 1 and var.dtype == "f64":
        forms += [f"sum({z}, 0.0)", f"max({z}, default=0.3)",
                  f"min([np.sin(v) for v in {z}], default=0.2)", f"sum(map(np.tanh, {z}))", f"min({z}, default=0.4)",
                  f"(0.4 if any({z} > 0.2) else {var.name}.shape[0] * 0.1)"]
    ex = Ex(fn.one(forms), max(var.cell.bound, 1.0) * most)
    fn.emit(f"{name} = {ex.text}" if ex.bound <= 4 else f"{name} = np.tanh({ex.text})")
    fn.note("mask read")
    fn.bind(name, var.dtype, (), min(ex.bound, 4.0))
