"""Indices and slices: every way to read a place of a wanted shape, and every way to name one to store into."""

from .scope import Dim, Ex, Stuck, const, minus


def literal(fn):
    """A generic constant: never one at which a test could tie."""
    value = fn.rng.choice((-1, 1)) * fn.rng.randint(11, 139) / 100
    return Ex(f"({value})" if value < 0 else str(value), abs(value), weak=True)


def index(fn, dim):
    """Source of an integer that is in range for a length, whatever that length is (but for a rare slip)."""
    lo = fn.lo(dim)
    options = []
    for i in fn.ints.values():
        if i.dim == dim:
            options += [i.name] * 4 + shifted(fn, i)
        elif lo >= 1:
            wraps = i.name if i.lo == 0 and i.dim is None and i.slack < lo else None
            options += [wraps] if wraps else [("mod", i.name)]
    options += [("literal",)] * (2 if lo else 0)
    if fn.chance(0.003):
        return str(lo + fn.rng.randint(0, 1))  # perhaps out of range: then every stage raises IndexError
    chosen = fn.one(options)
    if chosen == ("literal",):
        at = fn.rng.randrange(min(lo, 3))
        return fn.rng.choice((str(at), str(-1 - at)))
    if chosen[0] == "mod":
        return f"{chosen[1]} % {fn.length(dim)}"
    return chosen


def shifted(fn, i):
    """i - 1, i + 1, -1 - i, n - 1 - i where they stay in range; i - 1 may also wrap, as NumPy's does."""
    options = [f"-1 - {i.name}"]
    if i.lo >= 1 or fn.chance(0.2):
        options.append(f"{i.name} - 1")
    if i.slack >= 1:
        options.append(f"{i.name} + 1")
    if i.dim.text:
        options.append(f"{i.dim.text} - 1 - {i.name}")
    return options


def slices(fn, dim):
    """(text, length) of the slices of a dimension."""
    fixed = [(":", 0), ("::-1", 0), ("1:", 1), (":-1", 1), ("-2::-1", 1), (":0:-1", 1), ("1:-1", 2), ("2:", 2),
             (":-2", 2)]
    found = [(text, minus(dim, off)) for text, off in fixed]
    up, down = (Dim(f"ceil({dim.key}/2)", (dim.lo + 1) // 2, (dim.hi + 1) // 2),
                Dim(f"floor({dim.key}/2)", dim.lo // 2, dim.hi // 2))
    found += [("::2", up), ("::-2", up), ("1::2", down)]
    if dim.lo >= 2:
        found += [(":2", const(2)), ("-2:", const(2)), ("1:2", const(1))]
    for i in fn.ints.values():
        if i.stable and i.dim == dim:
            for text in (f"{i.name}:", f"{i.name} + 1:", f":{i.name}", f":{i.name} + 1"):
                found.append((text, Dim(f"{dim.key}[{text}]", 0, dim.hi)))
    return found


def scalar_places(fn, var):
    """Thunks for the elements of an array."""
    if len(var.shape) == 1:
        return [lambda: f"{var.name}[{index(fn, var.shape[0])}]"]
    if len(var.shape) == 2:
        both = lambda: (index(fn, var.shape[0]), index(fn, var.shape[1]))
        forms = ("{v}[{i}, {j}]", "{v}[{i}, {j}]", "{v}[{i}][{j}]", "{v}.T[{j}, {i}]")
        return [lambda: (lambda ij: fn.one(forms).format(v=var.name, i=ij[0], j=ij[1]))(both())]
    return []


def vector_places(fn, var, dim):
    """Thunks for the views of an array that are vectors of length dim."""
    if len(var.shape) == 1:
        return [(lambda t=t: f"{var.name}[{t}]") for t, d in slices(fn, var.shape[0]) if d == dim]
    if len(var.shape) != 2:
        return []
    rows, cols = var.shape
    found = [(lambda t=t: f"{var.name}[{index(fn, rows)}, {t}]") for t, d in slices(fn, cols) if d == dim]
    found += [(lambda t=t: f"{var.name}[{t}, {index(fn, cols)}]") for t, d in slices(fn, rows) if d == dim]
    if cols == dim:
        found += [lambda: f"{var.name}[{index(fn, rows)}]"] * 4
    if rows == dim:
        found += [lambda: f"{var.name}.T[{index(fn, cols)}]"] * 2
    return found


def matrix_places(fn, var, shape):
    """Thunks for the views of an array that are matrices of a shape."""
    if len(var.shape) == 1:
        (only,) = var.shape
        found = [lambda: f"{var.name}[:, None]"] * (shape == (only, const(1)))
        found += [lambda: f"{var.name}[:, np.newaxis]"] * (shape == (only, const(1)))
        return found + [lambda: f"{var.name}[None, :]"] * (shape == (const(1), only))
    if len(var.shape) != 2:
        return []
    first = [t for t, d in slices(fn, var.shape[0]) if d == shape[0]]
    second = [t for t, d in slices(fn, var.shape[1]) if d == shape[1]]
    found = [(lambda a=a, b=b: f"{var.name}[{a}, {b}]") for a in first[:4] for b in second[:4]]
    if var.shape == shape[::-1]:
        found += [lambda: f"{var.name}.T"] * 3
    return found


def places(fn, var, shape):
    """Thunks for source that is a view of var (or an element) of the wanted shape; var itself is not among them."""
    if len(shape) == 0:
        return scalar_places(fn, var)
    if len(shape) == 1:
        return vector_places(fn, var, shape[0])
    if len(shape) == 2:
        return matrix_places(fn, var, shape)
    return []


def leaf(fn, shape, dtype):
    """Read a variable, a part of one, or gather from one."""
    options = []
    for v in fn.floats(dtype=dtype):
        bound = v.cell.bound
        if v.shape == shape:
            options.append((6, lambda v=v, b=bound: Ex(v.name, b, v.weak)))
        if v.shape:
            found = places(fn, v, shape)
            weight = (4 if not shape else 2) / max(len(found), 1)
            options += [(weight, lambda p=p, b=bound: Ex(p(), b)) for p in found]
            options += [(1, g) for g in gathers(fn, v, shape)]
    if not shape:
        options.append((2, lambda: literal(fn)))
        options += [(2, lambda v=v: Ex(v.name, v.cell.bound, True)) for v in fn.floats() if v.weak and v.dtype != dtype]
        options += [(0.6, lambda i=i: Ex(f"({i.name} * 0.15)", 1.2, True)) for i in fn.ints.values()]
        if fn.mode != "f32":
            options += [(0.3, lambda d=d: Ex(f"(0.1 * {fn.length(d)})", 0.1 * d.hi, True)) for d in fn.dims()[:3]]
    return fn.attempt(options)


def gathers(fn, var, shape):
    """Reads through an array of integers."""
    found = []
    for k in fn.vars.values():
        if k.dtype == "i64" and k.shape and var.shape[0] == k.target and shape == (*k.shape, *var.shape[1:]):
            found.append(lambda k=k: Ex(f"{var.name}[{k.name}]", var.cell.bound))
    if len(var.shape) == 1 and shape == (const(2),) and fn.lo(var.shape[0]) >= 1:
        found.append(lambda: Ex(f"{var.name}[[0, -1]]", var.cell.bound))
    return found


def place(fn, into=None):
    """(variable, source, shape) of a place to store into."""
    var = into or fn.one([v for v in fn.arrays() if len(v.shape) <= 2])
    cuts = [slices(fn, d) for d in var.shape]
    elements = lambda: (fn.one(scalar_places(fn, var))(), ())
    if len(var.shape) == 1:
        part = lambda: (lambda c: (f"{var.name}[{c[0]}]", (c[1],)))(fn.one(cuts[0]))
        gather = lambda: (lambda k: (f"{var.name}[{k.name}]", k.shape))(fn.one(indexers(fn, var)))
        options = [(5, elements), (4, part), (2, gather)]
    else:
        rows, cols = var.shape
        row = lambda: (f"{var.name}[{index(fn, rows)}]", (cols,))
        column = lambda: (f"{var.name}[:, {index(fn, cols)}]", (rows,))
        turned = lambda: (f"{var.name}.T[{index(fn, cols)}]", (rows,))
        cut_row = lambda: (lambda c: (f"{var.name}[{index(fn, rows)}, {c[0]}]", (c[1],)))(fn.one(cuts[1]))
        block = lambda: (lambda a, b: (f"{var.name}[{a[0]}, {b[0]}]", (a[1], b[1])))(fn.one(cuts[0]), fn.one(cuts[1]))
        options = [(4, elements), (2, row), (2, column), (1.5, turned), (1.5, cut_row), (1, block)]
    text, shape = fn.attempt(options)
    if "[:]" in text and fn.chance(0.5):
        raise Stuck  # a copy of the whole is the dullest slice
    return var, text, shape


def indexers(fn, var):
    return [k for k in fn.vars.values() if k.dtype == "i64" and len(k.shape) == 1 and k.target == var.shape[0]]
