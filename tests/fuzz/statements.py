"""Statements without a block: bindings, views, aliases, stores, swaps, counters."""

import ast
from dataclasses import replace

from .expressions import expr, test
from .reads import index, place, places, slices
from .scope import Dim, Ex, Int, Stuck, Var, const, plus

GROWTH = 60.0  # bounds of accumulated values stop here: they guide the choice of functions, no more


def shape_wanted(fn):
    """A shape that values of this scope can have."""
    if fn.chance(0.42):
        return ()
    shape = fn.one([v.shape for v in fn.arrays()])
    if fn.chance(0.3):
        axis = fn.rng.randrange(len(shape))
        shape = (*shape[:axis], fn.one(slices(fn, shape[axis]))[1], *shape[axis + 1 :])
    return shape


def assign(fn):
    dtype, shape = fn.dtype(), shape_wanted(fn)
    ex = expr(fn, shape, dtype, depth=fn.rng.choice((1, 2, 2, 3)))
    name = fn.fresh("t" if not shape else "w" if len(shape) == 1 else "B")
    if shape and fn.chance(0.08):
        return chained(fn, name, ex, shape, dtype)
    fn.emit(f"{name} = {ex.text}")
    bind_result(fn, name, ex, shape, dtype)


def bind_result(fn, name, ex, shape, dtype):
    """A bare name, slice or .T on the right makes a view: its memory is found by asking who is read."""
    source = fn.viewed(ex.text) if shape else None
    if source:
        fn.bind(name, dtype, shape, ex.bound, cell=source.cell, view=True)
    else:
        fn.bind(name, dtype, shape, ex.bound, ex.weak)


def chained(fn, name, ex, shape, dtype):
    other = fn.fresh("w")
    if fn.viewed(ex.text):
        raise Stuck
    fn.emit(f"{name} = {other} = {ex.text}")
    fn.note("alias")
    var = fn.bind(name, dtype, shape, ex.bound)
    fn.bind(other, dtype, shape, ex.bound, cell=var.cell)


def novel(fn):
    """A value of a shape that nothing here has yet."""
    dtype = fn.dtype()
    vector = lambda: fn.one(fn.floats(1, dtype)).shape[0]
    matrix = lambda: fn.one(fn.floats(2, dtype)).shape
    joined = lambda: (plus(vector(), vector()),)
    stacked = lambda: fn.one([(const(2), d) for d in (vector(),)] + [(vector(), const(2))])
    taller = lambda: (lambda s: (plus(s[0], s[0]), s[1]))(matrix())
    wider = lambda: (lambda s: (s[0], plus(s[1], s[1])))(matrix())
    shape = fn.attempt([(2, joined), (4, stacked), (1, taller), (1, wider)])
    ex = expr(fn, shape, dtype, 2)
    name = fn.fresh("z")
    fn.emit(f"{name} = {ex.text}")
    bind_result(fn, name, ex, shape, dtype)


def flattened(fn):
    """reshape(-1) and ravel-like views of a matrix, and back into rows."""
    var = fn.one(fn.floats(2))
    rows, cols = var.shape
    if rows == cols or fn.chance(0.6):
        size = (Dim(f"({rows.key}*{cols.key})", rows.lo * cols.lo, rows.hi * cols.hi),)
        text = fn.one((f"{var.name}.reshape(-1)", f"np.reshape({var.name}, -1)"))
    else:
        size = (cols, rows)
        text = f"{var.name}.reshape({fn.length(cols)}, {fn.length(rows)})"
    name = fn.fresh("r")
    fn.emit(f"{name} = {text}")
    fn.note("view")
    fn.bind(name, var.dtype, size, var.cell.bound, cell=var.cell, view=True)


def view(fn):
    """A view or an alias by name, to be stored into later."""
    var = fn.one(fn.arrays())
    name = fn.fresh("v")
    if fn.chance(0.25):
        fn.emit(f"{name} = {var.name}")
        fn.note("alias")
        fn.bind(name, var.dtype, var.shape, 0, cell=var.cell, view=var.view)
        return store_soon(fn, name)
    axis = fn.rng.randrange(len(var.shape))
    cut = fn.one(slices(fn, var.shape[axis]))[1]
    shape = fn.one([(*var.shape[:axis], cut, *var.shape[axis + 1 :]), var.shape[1:], var.shape[:1], var.shape[::-1]])
    if not shape:
        raise Stuck
    fn.emit(f"{name} = {fn.one(places(fn, var, shape))()}")
    fn.note("view")
    fn.bind(name, var.dtype, shape, 0, cell=var.cell, view=True)
    return store_soon(fn, name)


def store_soon(fn, name):
    """Most views are there to be stored through."""
    if fn.chance(0.55):
        fn.attempt([(4, lambda: store(fn, fn.vars[name])), (1, lambda: augment(fn, fn.vars[name])), (1, lambda: None)])


# -- rebinding


def rebindable(fn):
    """Scalars always; arrays in a block only where no other name or caller shares their memory (mostly)."""
    arrays = [v for v in fn.arrays() if not fn.nesting or fn.owned(v) or fn.chance(0.05)]
    return arrays + [v for v in scalars(fn) if not (v.weak and fn.nesting)]


def scalars(fn):
    return [v for v in fn.floats(0) if not v.fixed and not (v.weak and fn.mode != "f64")]


def rebind(fn):
    var = fn.one(rebindable(fn))
    ex = expr(fn, var.shape, var.dtype, 2, limit=max(var.cell.bound, 2.0), strong=True)
    if var.shape and fn.viewed(ex.text):
        ex = Ex(f"({ex.text}) * 0.9", ex.bound)
    fn.emit(f"{var.name} = {ex.text}")
    fn.rebind(var, ex)


def grow(fn, cell, step):
    cell.bound = min(cell.bound + step * fn.trips, GROWTH)


def accumulate(fn, var=None):
    """s += e, s = s + e, s -= e on a number."""
    var = var or fn.one(scalars(fn))
    ex = expr(fn, (), var.dtype, 2, limit=1.0, strong=True)
    op = fn.one("++-")
    fn.emit(fn.one((f"{var.name} {op}= {ex.text}", f"{var.name} = {var.name} {op} {ex.text}",
                    f"{var.name} {op}= {ex.text}")))
    fn.vars[var.name] = replace(var, weak=False)
    grow(fn, var.cell, 1.0)


def augment(fn, var=None):
    """x += e on a whole array: a store, through every alias."""
    var = var or fn.one(fn.arrays())
    text, step = change(fn, var.shape, var.dtype)
    fn.emit(f"{var.name} {text}")
    fn.note("augmented array")
    grow(fn, var.cell, step)


def change(fn, shape, dtype):
    """(`+= e` and its kin, growth): factors do not exceed 1."""
    lower = fn.one([shape, shape, (), shape[-1:]])
    ex = expr(fn, lower, dtype, 2, limit=1.0)
    if fn.chance(0.7):
        return f"{fn.one('++-')}= {ex.text}", 1.0
    if fn.chance(0.7):
        return f"*= {ex.text}", 0.0
    small = expr(fn, lower, dtype, 0, limit=1.0).text
    return f"/= 1.3 + {small} * {small}", 0.0


# -- stores


def store(fn, into=None):
    var, text, shape = place(fn, into=into)
    dtype = fn.dtype() if fn.mode == "mixed" else var.dtype
    fn.note("store into an argument" if var.cell.argument else "store")
    if var.view:
        fn.note("store through a named view")
    if fn.chance(0.5):
        what, step = change(fn, shape, dtype)
        fn.emit(f"{text} {what}")
        grow(fn, var.cell, step)
        return
    value = fn.one([shape, shape, shape, ()])
    ex = expr(fn, value, dtype, 2, limit=max(var.cell.bound, 1.0))
    fn.emit(f"{text} = {ex.text}{'.copy()' if len(value) == 1 and clobbered(fn, var, text, ex.text) else ''}")


def clobbered(fn, var, target, value) -> bool:
    """May NumPy overwrite elements of the value before it has read them? Between overlapping vectors of different
    strides it does (`x[::2] = x[1:5]`, `A[:, 2] = A[1]`), although it means not to: no model for us."""
    read, written = ast.parse(value, mode="eval").body, ast.parse(target, mode="eval").body
    method = read.func.attr if isinstance(read, ast.Call) and isinstance(read.func, ast.Attribute) else ""
    if (not isinstance(read, (ast.Name, ast.Subscript, ast.Attribute, ast.IfExp))
            and method not in ("reshape", "transpose")):
        return False
    source = fn.viewed(value)
    if source and source.cell is not var.cell and not (fn.callee and source.cell.argument and var.cell.argument):
        return False
    return not (isinstance(read, ast.Subscript) and ast.dump(read.value) == ast.dump(written.value)
                and stride(read) == stride(written) > 0)


def stride(part: ast.Subscript) -> int:
    """How far apart the elements of a slice or row are, in either direction; 0 where the text does not say."""
    match part.slice:
        case ast.Slice(step=step):
            return abs(ast.literal_eval(step)) if step else 1
        case ast.Tuple():
            return 0
    return 1


def swap(fn):
    return fn.attempt([(3, lambda: swap_names(fn)), (3, lambda: swap_elements(fn)), (1, lambda: swap_rows(fn))])


def swap_names(fn):
    free = [v for v in fn.floats()
            if not v.weak and not v.fixed and (not v.shape or not fn.nesting or fn.owned(v) or fn.chance(0.03))]
    a = fn.one(free)
    b = fn.one([v for v in free
                if v.name != a.name and (v.shape, v.dtype) == (a.shape, a.dtype) and v.cell is not a.cell])
    fn.emit(f"{a.name}, {b.name} = {b.name}, {a.name}")
    fn.note("swap")
    fn.vars[a.name], fn.vars[b.name] = replace(b, name=a.name), replace(a, name=b.name)
    # Around a loop either memory may be behind either name.
    a.cell.bound = b.cell.bound = max(a.cell.bound, b.cell.bound)


def swap_elements(fn):
    var = fn.one([v for v in fn.arrays() if len(v.shape) == 1])
    i, j = index(fn, var.shape[0]), index(fn, var.shape[0])
    if i == j:
        raise Stuck
    fn.emit(f"{var.name}[{i}], {var.name}[{j}] = {var.name}[{j}], {var.name}[{i}]")
    fn.note("swap")


def swap_rows(fn):
    var = fn.one(fn.floats(2))
    i, j = index(fn, var.shape[0]), index(fn, var.shape[0])
    name = var.name
    copies = f"{name}[{i}], {name}[{j}] = {name}[{j}].copy(), {name}[{i}].copy()"
    # not a swap in NumPy: the second reads the first's store
    views = f"{name}[{i}], {name}[{j}] = {name}[{j}], {name}[{i}]"
    fn.emit(fn.one((copies, views, f"{name}[[{i}, {j}]] = {name}[[{j}, {i}]]")))
    fn.note("swap")


def several(fn):
    """a, b = e1, e2: new names, or numbers that move on together."""
    free = scalars(fn)
    if len(free) >= 2 and fn.chance(0.5):
        a, b = fn.rng.sample(free, 2)
        ex = expr(fn, (), b.dtype, 1, limit=1.0, strong=True)
        if a.dtype != b.dtype or a.weak or b.weak:
            raise Stuck
        fn.emit(f"{a.name}, {b.name} = {b.name}, np.sin({a.name}) + {ex.text}")
        a.cell.bound = b.cell.bound = max(a.cell.bound, b.cell.bound, 2.0)
        return
    dtype, shape = fn.dtype(), shape_wanted(fn)
    first, second = expr(fn, shape, dtype, 1), expr(fn, (), dtype, 1)
    a, b = fn.fresh("a"), fn.fresh("b")
    fn.emit(f"{a}, {b} = {first.text}, {second.text}")
    bind_result(fn, a, first, shape, dtype)
    fn.bind(b, dtype, (), second.bound, second.weak)


# -- integers


def integer(fn):
    """Counters and positions; and arrays of positions."""
    counters = [i for i in fn.ints.values() if i.free]
    if counters and fn.loops and fn.chance(0.6):
        i = fn.one(counters)
        fn.emit(fn.one((f"{i.name} = ({i.name} * 3 + 1) % {i.slack + 1}",
                        f"{i.name} = ({i.name} + 1) % {i.slack + 1}")))
        return
    if fn.chance(0.4):
        return positions(fn)
    name = fn.fresh("q")
    others = [i.name for i in fn.ints.values()]
    texts = (["0", "1", "2"] + [f"({fn.one(others)} + 1) % 3"] * bool(others)
             + [f"{fn.length(d)} % 3" for d in fn.dims()[:2]])
    fn.emit(f"{name} = {fn.one(texts)}")
    fn.ints[name] = Int(name, None, 0, 2, stable=False, free=True)


def positions(fn):
    dim = fn.one(fn.dims())
    text = fn.length(dim)
    name = fn.fresh("p")
    forms = [f"np.arange({text})", f"{text} - 1 - np.arange({text})", f"np.arange({text})[::-1]",
             f"-1 - np.arange({text})"]
    forms += [f"np.arange({text}) // 2", f"(2 * np.arange({text})) % {text}"] if fn.lo(dim) else []
    fn.emit(f"{name} = {fn.one(forms)}")
    fn.vars[name] = Var(name, "i64", (dim,), target=dim)


def flag(fn):
    name = fn.fresh("b")
    fn.emit(f"{name} = {test(fn)}")
    if not fn.nesting:  # born in a block, it would be unbound outside it
        fn.flags.append(name)


def local_function(fn):
    """A lambda or a nested def: elementwise, bounded by 4, seeing a number of this scope (late, as Python does)."""
    if fn.mode == "mixed" or fn.nesting:
        raise Stuck
    numbers = [v.name for v in scalars(fn) if v.cell.bound <= 4]
    c = fn.one(numbers + ["0.73", "1.21"])
    name = fn.fresh("g")
    body = fn.one((f"np.sin(t) + 0.4 * {c}", f"np.tanh(t * {c})", f"np.cos(t - {c})", f"t / (1.0 + t * t) + 0.3 * {c}"))
    fn.lambdas.append(name)
    if fn.chance(0.5):
        fn.emit(f"{name} = lambda t: {body}")
        return
    fn.emit(f"def {name}(t):")
    fn.indent += 1
    if fn.chance(0.5):
        fn.emit(f"u = {body}")
        body = "u * np.exp(-u * u)"
    fn.emit(f"return {body}")
    fn.indent -= 1
