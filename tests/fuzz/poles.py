"""Poles that a choice keeps away: roots, logarithms and quotients of arguments that sit exactly where their slope is
infinite or their value is not a number, behind what does not choose those elements; data with gaps; distances of a
thing to itself; scatters of more axes.

`pole` has elements at 0 and below, `gap` has some that are not a number, and nothing but these blocks reads them, so
that no result depends on those elements: differences leave them alone (`held`), and whatever a derivative is told of
them must not matter."""

import numpy as np

from .expressions import expr, tame
from .scope import ONE, Ex, Stuck
from .statements import bind_result

# Of u from 0.1 to 4.5; at 0 the value or the slope is infinite.
FINITE = ("np.sqrt({u})", "{u} ** 0.5", "{u} ** 0.7", "np.power({u}, 0.3)", "np.arccosh(1.0 + {u})",
          "np.arccos(1.0 / (1.0 + {u}))", "np.cbrt({u})", "np.sqrt({u} * {u} + {u})")
INFINITE = ("np.log({u})", "(1.0 / {u})", "{u} ** -0.5", "np.arctanh(1.0 / (1.0 + {u}))", "np.reciprocal({u})",
            "{u} ** -1")
MEANINGLESS = ("{u} * np.log({u})", "np.sin({u}) / {u}", "np.expm1({u}) / {u}")
ANY = (*FINITE, *INFINITE, *MEANINGLESS)
CHOSEN = ("np.where({u} > 0, {f}, {c})", "np.where({u} <= 0.0, {c}, {f})",
          "np.where(({u} > 0) & ({u} < 9.0), {f}, {c})", "np.select([{u} > 0], [{f}], {c})",
          "np.nan_to_num(np.where({u} > 0, {f}, np.nan), nan={c})")
FLOORS = ("np.maximum({v}, 0.0)", "np.fmax(0.0, {v})", "np.clip({v}, 0.0, None)", "np.clip({v}, 0.0, 9.0)",
          "(({v} > 0) * {v})", "np.where({v} > 0, {v}, 0.0)", "(0.0 - np.minimum(-{v}, 0.0))")
NUMBERS = ("np.sum(({f})[{u} > 0])", "np.nansum(np.where({u} > 0, {f}, np.nan))", "({f})[np.argmax({u})]", "({f})[-1]",
           "np.sum(({f})[-1:])", "np.max(np.where({u} > 0, {f}, -9.0))", "np.sort(np.where({u} > 0, {f}, -9.0))[-1]",
           "np.nanmean(np.where({u} > 0, {f}, np.nan))", "np.sum({f}, where={u} > 0)",
           "np.sum(np.compress({u} > 0, {f}))", "np.sum(({f})[np.flatnonzero({u} > 0)])")
WHERE = ("np.log({u}, out=np.zeros_like({u}), where={u} > 0)", "np.sqrt({u}, out=np.zeros_like({u}), where={u} > 0)",
         "np.divide(1.0, {u}, out=np.zeros_like({u}), where={u} > 0)",
         "np.power({u}, 0.4, out=np.ones_like({u}), where={u} > 0)")
GAPS = ("np.nansum({g} * {g})", "np.nanmean({g})", "np.nanmax({g})", "np.nanmin({g})", "np.nanstd({g})",
        "np.nanvar({g})", "np.sum({g}[~np.isnan({g})])", "np.nanmedian({g})", "np.nanprod(np.tanh({g}))",
        "np.sum(np.nancumsum({g}))", "np.nansum(np.sqrt(2.0 + {g}) * {g})", "np.sum(np.fmax({g}, -9.0))",
        "np.sum({g}, where={g} == {g})")
DISTANCES = ("np.sqrt(np.sum({d} ** 2, axis=2))", "np.linalg.norm({d}, axis=-1)", "({d} ** 2).sum(-1) ** 0.5",
             "np.sqrt(np.einsum('ijk,ijk->ij', {d}, {d}))")
PAIRS = ("np.sum(np.triu(1.0 / (1.0 + {r}), 1))",
         "np.sum(np.sin({r}[{r} > 0]))", "np.sum(np.where({r} > 0, np.sin({r}), 0.3))", "np.sum(np.exp(-{r} * {r}))",
         "np.sum(np.where(np.eye(len({r})) > 0, 0.0, np.tanh({r})))", "np.sum({r}[np.triu_indices(len({r}), 1)])")
LOOPS = ("{s} += math.sqrt({v}) if {v} > 0 else 0.2", "{s} += max({v} - 0.05, 0.0) ** 0.5",
         "{s} += math.sqrt(max({v} - 0.05, 0.0))", "{s} += 0.0 if {v} <= 0 else math.log({v})",
         "{s} += np.sqrt({v}) if {v} > 0 else 0.0")
EXTRAS = ("int(np.sum(pole > 0.5))", "np.argmax(pole)", "bool(pole[-1] > 0.7)",
          "None", "len(pole)", "(3 if pole[-1] > 0.9 else None)", "(pole > 0.5)", "np.flatnonzero(pole > 0)",
          "(-1 if pole[-1] > 0.9 else 2)")


def poled(fn):
    """A block that reads `pole`, `gap` or a matrix of distances."""
    fn.attempt([(4, lambda: chosen(fn)), (3, lambda: floored(fn)), (3, lambda: stored(fn)), (3, lambda: counted(fn)),
                (1, lambda: where(fn)), (2, lambda: looped(fn)), (3 if fn.poles.get("gap") else 0, lambda: gaps(fn)),
                (2, lambda: distances(fn)), (2, lambda: scattered(fn))])


def another_result(fn):
    """`extra`, the last result now and then: an int, a bool, None, an array of those."""
    if fn.lo(fn.poles["pole"][0]) and fn.chance(0.35):
        fn.emit(f"extra = {fn.one(EXTRAS)}")
        fn.extra = ", extra"
        fn.note("pole, another result")


def give(fn, text, shape, bound, kind):
    dtype = fn.poles["pole"][1]
    name = fn.fresh("t" if not shape else "w" if len(shape) == 1 else "B")
    ex = tame(fn, Ex(text, bound), 4.0, dtype)
    fn.emit(f"{name} = {ex.text}")
    bind_result(fn, name, ex, shape, dtype)
    fn.note(f"pole, {kind}")


def operand(fn, text="pole"):
    """Of the pole's sign, and 0 where that is."""
    dim, dtype = fn.poles["pole"]
    factor = expr(fn, fn.one([(), (dim,)]), dtype, 0, limit=1.0).text
    form = fn.one(("{p}", "{p}", "(1.5 * {p})", "({p} * np.exp(np.tanh({w})))", "({p} + {p} * {p} * {p})"))
    text = form.format(p=text, w=factor)
    if text.isidentifier() or fn.chance(0.3):
        return text
    name = fn.fresh("u")
    fn.emit(f"{name} = {text}")
    return name


def below(fn):
    """What is negative where the pole is 0, so that a maximum with 0 is no tie."""
    name = fn.fresh("v")
    fn.emit(f"{name} = {operand(fn)} - 0.04")
    return name


def constant(fn):
    return fn.one(("0.0", "0.3", "1.0"))


def chosen(fn):
    u = operand(fn)
    f = fn.one(ANY).format(u=u)
    if fn.chance(0.4):
        name = fn.fresh("f")
        fn.emit(f"{name} = {f}")
        f = name
    give(fn, fn.one(CHOSEN).format(u=u, f=f, c=constant(fn)), (fn.poles["pole"][0],), 11, "where")


def floored(fn):
    v = below(fn)
    u = fn.one(FLOORS).format(v=v)
    if fn.chance(0.3):
        f = fn.one(("np.arccos(np.clip(1.0 - {v}, -1.0, 1.0))", "np.sqrt(1.0 - np.minimum(np.abs(1.0 - {v}), 1.0))",
                    "({v} > 0) * np.sqrt(np.abs({v}))")).format(v=v)
    else:
        f = fn.one(FINITE).format(u=u)
    give(fn, f, (fn.poles["pole"][0],), 5, "maximum")


def stored(fn):
    """y = f; y[mask] = c, and what is computed for the elements of a mask alone."""
    u, name = operand(fn), fn.fresh("y")
    f = fn.one(ANY)
    if fn.chance(0.4):
        mask = fn.fresh("m")
        fn.emit(f"{mask} = {u} > 0")
        fn.emit(f"{name} = np.full_like({u}, {constant(fn)})")
        fn.emit(f"{name}[{mask}] = {f.format(u=f'{u}[{mask}]')}")
    else:
        fn.emit(f"{name} = {f.format(u=u)}")
        fn.emit(f"{name}[{fn.one((f'{u} <= 0', f'~({u} > 0)'))}] = {constant(fn)}")
    give(fn, f"{name} * 0.5", (fn.poles["pole"][0],), 6, "store")


def counted(fn):
    """A number of the elements that are chosen."""
    u = operand(fn)
    if not fn.lo(fn.poles["pole"][0]):
        raise Stuck
    give(fn, f"np.tanh({fn.one(NUMBERS).format(u=u, f=fn.one(ANY).format(u=u))})", (), 1, "number")


def where(fn):
    give(fn, fn.one(WHERE).format(u=operand(fn)), (fn.poles["pole"][0],), 11, "where=")


def looped(fn):
    """Python's numbers, in a loop."""
    if fn.mode != "f64" or len(fn.loops) > 1:
        raise Stuck
    s, v = fn.fresh("s"), fn.fresh("v")
    fn.emit(f"{s} = 0.1")
    fn.emit(f"for {v} in {fn.one(('pole', 'pole.tolist()' if fn.chance(0.3) else 'pole'))}:")
    fn.emit("    " + fn.one(LOOPS).format(s=s, v=v))
    give(fn, f"np.sin({s})", (), 1, "loop")


def gaps(fn):
    dim, dtype = fn.poles["gap"]
    if not fn.lo(dim):
        raise Stuck
    w = expr(fn, fn.one([(), (dim,)]), dtype, 1, limit=1.0).text
    g = fn.fresh("g")
    fn.emit(f"{g} = {fn.one(('gap * {w}', 'gap - {w}', '0.5 * gap + {w}')).format(w=w)}")
    if fn.chance(0.25):
        return give(fn, fn.one(("np.where(np.isnan({g}), 0.2, {g})", "np.nan_to_num({g}, nan=0.1)",
                                "np.nancumsum({g}) * 0.2", "np.fmin({g}, 9.0)")).format(g=g), (dim,), 3, "gaps")
    give(fn, f"np.tanh({fn.one(GAPS).format(g=g)})", (), 1, "gaps")


def distances(fn):
    """Of points to each other: 0 on the diagonal, which no result depends on."""
    points = fn.one([v for v in fn.floats(dtype=fn.poles["pole"][1]) if len(v.shape) in (1, 2)])
    d, r, x = fn.fresh("d"), fn.fresh("r"), points.name
    if len(points.shape) == 2:
        fn.emit(f"{d} = {x}[:, None] - {x}[None]")
        fn.emit(f"{r} = {fn.one(DISTANCES).format(d=d)}")
    else:
        fn.emit(f"{d} = {x}[:, None] - {x}")
        length = fn.one(("np.hypot({d}, {d})", "np.sqrt({d} ** 2 + {d} ** 2)", "np.abs({d} + 0.5j * {d})"))
        fn.emit(f"{r} = {length.format(d=d)}")
    give(fn, f"np.tanh(0.1 * {fn.one(PAIRS).format(r=r)})", (), 1, "distances")


def scattered(fn):
    """np.add.at with indices of two and three axes, into a vector and a matrix."""
    dtype = fn.poles["pole"][1]
    dim = fn.one([d for d in fn.dims() if d != ONE])
    n = fn.length(dim)
    kind = ", dtype=np.float32" if dtype == "f32" else ""
    dofs, values, out = fn.fresh("dofs"), fn.fresh("k"), fn.fresh("K")
    fn.emit(f"{dofs} = np.stack((np.arange({n}), (np.arange({n}) + 1) % {n}), axis=1)")
    fn.emit(f"{values} = ({expr(fn, (dim,), dtype, 1, limit=1.0).text})[:, None, None] * np.ones((2, 2){kind}) "
            f"+ {expr(fn, (), dtype, 0, limit=1.0).text}")
    at = fn.one(("add", "add", "subtract"))
    if fn.chance(0.5):
        fn.emit(f"{out} = np.zeros(({n}, {n}){kind})")
        fn.emit(f"np.{at}.at({out}, ({dofs}[:, :, None], {dofs}[:, None, :]), {values})")
        return give(fn, f"{out} * 0.5", (dim, dim), 4, "scatter")
    fn.emit(f"{out} = np.zeros({n}{kind})")
    what = fn.one((f"{dofs}, {values}[:, :, 0]", f"{dofs}[:, :, None] + np.zeros(2, dtype=int), {values}",
                   f"{dofs}.T, {values}[:, 1].T", f"{dofs}, 0.3"))
    fn.emit(f"np.{at}.at({out}, {what})")
    give(fn, f"{out} * 0.25", (dim,), 2, "scatter")


# -- arguments


def value(name, size, kind, values):
    """At the pole and below, or with gaps; the last element is neither."""
    found = values.uniform(0.1, 1.6, size)
    odd = (0.0, 0.0, -0.0, -0.3, -1.0) if name == "pole" else (np.nan,)
    found = np.where(values.random(size) < 0.5, values.choice(odd, size),
                     found if name == "pole" else found * values.choice((-1.0, 1.0), size))
    if size:
        found[-1] = values.uniform(0.2, 1.4)
    return found.astype(kind)


def held(args, direction):
    """The direction for differences, which leave elements at a pole and gaps alone: nothing depends on them."""
    keep = lambda v, t: t if t is None or not np.ndim(v) else np.where((v == 0) | np.isnan(v), 0.0, t).astype(t.dtype)
    return tuple(map(keep, args, direction))
