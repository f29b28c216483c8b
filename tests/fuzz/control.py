"""Blocks: branches, loops and the ways out of them."""

from dataclasses import replace

from . import everyday, statements as simple
from .exceptions import attempted
from .expressions import expr, test
from .helpers import call_helper
from .library import called
from .masks import masked
from .poles import poled
from .reads import literal
from .scope import Int, Stuck, Var

MOST_TRIPS, DEEPEST, DEEPEST_LOOPS = 400, 4, 3


def statement(fn):
    room = fn.budget > 3 and fn.nesting < DEEPEST
    loops = room and len(fn.loops) < DEEPEST_LOOPS
    arrays = bool(fn.arrays())
    fn.attempt([
        (2.5, lambda: simple.assign(fn)),
        (0.8, lambda: simple.novel(fn)),
        (0.4, lambda: simple.flattened(fn)),
        (1.2 if arrays else 0, lambda: simple.view(fn)),
        (1.2, lambda: simple.rebind(fn)),
        (1.5 if fn.loops else 0.5, lambda: simple.accumulate(fn)),
        (0.8 if arrays else 0, lambda: simple.augment(fn)),
        (4 if arrays else 0, lambda: simple.store(fn)),
        (0.8, lambda: simple.swap(fn)),
        (0.5 if arrays else 0, lambda: masked(fn)),
        (6 if fn.poles and arrays else 0, lambda: poled(fn)),
        (5 if arrays and fn.library else 0, lambda: called(fn)),
        (9 if arrays and fn.everyday is not None else 0, lambda: everyday.ordinary(fn)),
        (5 if room and arrays and fn.everyday is not None else 0, lambda: attempted(fn, body_of_block)),
        (0.6, lambda: simple.several(fn)),
        (0.5, lambda: simple.integer(fn)),
        (0.2, lambda: simple.flag(fn)),
        (0.6 if fn.nesting == 0 else 0, lambda: simple.local_function(fn)),
        (2 if fn.helpers else 0, lambda: call_helper(fn)),
        (3 if room else 0, lambda: branch(fn)),
        (0.4 if room else 0, lambda: both_bind(fn)),
        (1.5 if loops else 0, lambda: decided(fn)),
        (1.5 if loops else 0, lambda: renewed(fn)),
        (1.5, lambda: extreme(fn)),
        (5 if loops else 0, lambda: for_loop(fn)),
        (1.4 if loops else 0, lambda: while_loop(fn)),
        (0.5 if room and arrays else 0, lambda: guarded(fn)),
    ])


def statements(fn, least, most):
    for _ in range(fn.rng.randint(least, most)):
        if fn.budget > 0:
            statement(fn)


def safely(fn, least=1, most=3):
    """Statements of a block; a number at the least, so that no block is empty."""
    length = len(fn.lines)
    try:
        statements(fn, least, most)
    except Stuck:
        pass
    if len(fn.lines) == length:
        simple.assign(fn)


def body_of_block(fn, least, most):
    """Statements, and now and then a way out."""
    if fn.chance(0.12):
        safely(fn, least, most)
        return leave(fn)
    return safely(fn, least, most)


# -- branches


def branch(fn):
    leaves = fn.chance(0.4 if fn.loops else 0.18)
    with fn.block(f"if {test(fn)}:"):
        if leaves:
            if fn.chance(0.4):
                safely(fn, 1, 1)
            leave(fn)
        else:
            safely(fn)
    if fn.chance(0.25):
        with fn.block(f"elif {test(fn)}:"):
            safely(fn, 1, 2)
    if fn.chance(0.1 if leaves else 0.4):
        with fn.block("else:"):
            safely(fn, 1, 2)


def leave(fn):
    options = [(1.0, lambda: give_back(fn))]
    if fn.loops:
        options += [(3, lambda: fn.emit("break")), (3, lambda: fn.emit("continue"))]
    fn.attempt(options)


def exit_here(fn):
    with fn.block(f"if {test(fn)}:"):
        leave(fn)


def give_back(fn, depth=1):
    """return, with values of the promised kinds; the last return uses all that is alive."""
    values = [final(fn, shape, dtype) if depth > 1 else expr(fn, shape, dtype, depth, strong=True).text
              for shape, dtype in fn.returns]
    fn.emit("return " + ", ".join(values) + fn.extra if values else "return")
    if fn.nesting:
        fn.note("early return")


def final(fn, shape, dtype):
    """A value that depends on what the function has done: on numbers, on arrays, recent ones first."""
    recent = [v for v in list(fn.vars.values())[::-1] if v.floating and (v.dtype == dtype or v.weak)]
    terms = [expr(fn, shape, dtype, 1, strong=True).text]
    for v in recent[:10]:
        if len(terms) >= 5 or (v.weak and not v.shape) or not fn.chance(0.75):
            continue
        if v.shape == shape:
            terms.append(f"0.5 * {v.name}")
        elif not v.shape:
            terms.append(f"0.7 * {v.name}")
        else:
            terms.append(fn.one((f"0.2 * np.sum({v.name} * {v.name})", f"0.3 * np.sum(np.sin({v.name}))",
                                 f"0.4 * {v.name}.sum()")))
    own = [v.name for v in fn.floats(dtype=dtype) if v.shape == shape and not v.weak]
    if own and fn.chance(0.15):
        return fn.one(own)  # the thing itself: perhaps an argument, perhaps a view
    return " + ".join(terms)


def both_bind(fn):
    """A name born in both branches, with equal types, is there afterwards."""
    dtype, shape = fn.dtype(), simple.shape_wanted(fn)
    name = fn.fresh("c")
    bound = 1.0
    for header in (f"if {test(fn)}:", "else:"):
        with fn.block(header):
            if fn.chance(0.2):
                safely(fn, 1, 1)
            ex = expr(fn, shape, dtype, 2, strong=True)
            fresh = f"({ex.text}) + 0.0" if shape and fn.viewed(ex.text) else ex.text
            fn.emit(f"{name} = {fresh}")
            bound = max(bound, ex.bound)
    fn.bind(name, dtype, shape, bound)


def decided(fn):
    """A number that a loop makes and that one side of a branch alone reads, as the distance to what may be nearest."""
    total, name, k = fn.one(simple.scalars(fn)), fn.fresh("d"), loop_name(fn)
    begin, step = [expr(fn, (), total.dtype, depth, limit=1.0, strong=True).text for depth in (1, 2)]
    fn.emit(f"{name} = {begin}")
    with fn.block(f"for {k} in range({fn.one((2, 3))}):", room_for(fn, 3), "for"):
        fn.emit(fn.one((f"{name} += {step}", f"{name} = 0.5 * {name} + {step}", f"{name} -= 0.5", f"{name} = {name}")))
    with fn.block(f"if {fn.one((f'{name} > 0.1', f'{name} < {total.name}', test(fn)))}:"):
        fn.emit(f"{total.name} += {fn.one((name, f'np.sin({name})', f'0.2 * {name} * {name}'))}")
    if fn.chance(0.3):
        with fn.block("else:"):
            simple.accumulate(fn, fn.vars[total.name])
    fn.vars[total.name] = replace(fn.vars[total.name], weak=False)
    simple.grow(fn, total.cell, 4.0)


def renewed(fn):
    """Rows of a matrix, each of which becomes what its neighbour is, and what is added up over itself."""
    totals = [v for v in simple.scalars(fn) if v.dtype == "f64"]
    if not totals:
        raise Stuck
    total, rows, i = fn.one(totals), fn.fresh("M"), loop_name(fn)
    one, other, factor = [expr(fn, (), total.dtype, depth, limit=1.0, strong=True).text for depth in (1, 2, 1)]
    fn.emit(f"{rows} = np.outer(np.array([{one}, 0.4, {other}]), np.array([0.3, {other}]))")
    with fn.block(f"for {i} in range({fn.one((2, 3))}):", room_for(fn, 3), "for"):
        neighbour = fn.one((f"({i} + 1) % 3", f"{i} - 1", f"2 - {i}"))
        fn.emit(f"{rows}[{i}] = 0.5 * np.{fn.one(('sin', 'cos', 'tanh'))}({rows}[{neighbour}]) + {factor} * "
                f"np.sum(np.{fn.one(('sin', 'tanh'))}({rows}[{i}]))")
    fn.emit(f"{total.name} += np.sum({rows})")
    fn.vars[total.name] = replace(fn.vars[total.name], weak=False)
    simple.grow(fn, total.cell, 4.0)


def extreme(fn):
    """An array of sums of products, its extreme, and what the element is that equals it."""
    totals = [v for v in simple.scalars(fn) if v.dtype == "f64"]
    if not totals or fn.mode != "f64":
        raise Stuck
    total, parts, best, i = fn.one(totals), fn.fresh("e"), fn.fresh("b"), loop_name(fn)
    one, other = [expr(fn, (), total.dtype, 1, limit=1.0, strong=True).text for _ in range(2)]
    fn.emit(f"{parts} = np.sin((1.0 + {one} * {one}) * np.array([0.3, {other}, -0.7]) + 0.4 * {other})")
    fn.emit(f"{best} = np.{(which := fn.one(('max', 'min')))}({parts})")
    if fn.chance(0.5):
        fn.emit(f"{total.name} += np.sum(np.where({parts} {fn.one(('==', '!='))} {best}, {parts}, 0.1))")
    else:
        with fn.block(f"for {i} in range(3):", room_for(fn, 3), "for"), fn.block(
                f"if {parts}[{i}] {'>=' if which == 'max' else '<='} {best}:"):
            fn.emit(f"{total.name} += {parts}[{i}] * {parts}[{i}]")
    fn.vars[total.name] = replace(fn.vars[total.name], weak=False)
    simple.grow(fn, total.cell, 4.0)


def guarded(fn):
    """A test of a length, and a block that may rely on it."""
    dim = fn.one([d for d in fn.dims() if d.off == 0 and not d.parts])
    least = fn.rng.choice((1, 2, 3))
    with fn.block(fn.one(("if {n} >= {k}:", "if {n} > {k} - 1:")).format(n=fn.length(dim), k=least),
                  known=[(dim.base, least)]):
        safely(fn)


# -- loops


def room_for(fn, trips):
    if fn.trips * max(trips, 1) > MOST_TRIPS:
        raise Stuck
    return trips


def for_loop(fn):
    accumulators = [accumulator(fn)] if fn.chance(0.6) else []
    fn.attempt([
        (6, lambda: range_loop(fn, accumulators)),
        (3 if any(i.dim and i.stable for i in fn.ints.values()) else 0, lambda: triangular(fn, accumulators)),
        (1, lambda: fixed_range(fn, accumulators)),
        (1.2, lambda: over_array(fn, accumulators)),
        (0.3, lambda: over_numbers(fn, accumulators)),
    ])


def accumulator(fn):
    """A number for the loop to add to. Float32 programs start from a float32,
    or the dtype would hang on the trip count."""
    name = fn.fresh("s")
    if fn.mode == "f64":
        fn.emit(f"{name} = {fn.one(('0.0', '0.0', '1.0', '0', expr(fn, (), 'f64', 1).text))}")
        return fn.bind(name, "f64", (), 1.0)
    dtype = fn.dtype()
    fn.emit(f"{name} = {expr(fn, (), dtype, 1, strong=True).text}")
    return fn.bind(name, dtype, (), 2.0)


def body(fn, accumulators):
    if accumulators and fn.chance(0.5):
        simple.accumulate(fn, fn.vars[accumulators[0].name])
        accumulators = []
    safely(fn)
    if fn.chance(0.3) and fn.nesting < DEEPEST:
        fn.attempt([(1, lambda: exit_here(fn)), (0.1, lambda: None)])
    if accumulators or fn.chance(0.2):
        safely(fn, 1, 1)
    if accumulators:
        simple.accumulate(fn, fn.vars[accumulators[0].name])


def range_loop(fn, accumulators):
    dim = fn.one(fn.dims())
    n = fn.length(dim)
    header, lo, slack = fn.one([
        (f"range({n})", 0, 0), (f"range({n})", 0, 0), (f"range(1, {n})", 1, 0), (f"range({n} - 1)", 0, 1),
        (f"range(1, {n} - 1)", 1, 1), (f"range({n} - 1, -1, -1)", 0, 0), (f"range({n} - 1, -1, -1)", 0, 0),
        (f"range({n} - 1, 0, -1)", 1, 0), (f"range({n} - 2, -1, -1)", 0, 1), (f"range(0, {n}, 2)", 0, 0),
        (f"range({n} - 1, -1, -2)", 0, 0),
    ])
    name = loop_name(fn)
    with fn.block(f"for {name} in {header}:", room_for(fn, dim.hi), "for", [(dim.base, dim.off + 1 + lo + slack)]):
        fn.ints[name] = Int(name, dim, lo, slack)
        body(fn, accumulators)


def loop_name(fn):
    taken = {*fn.ints, *fn.vars}
    return next(name for name in ("i", "j", "k", "l", *(f"i{c}" for c in range(99))) if name not in taken)


def triangular(fn, accumulators):
    """Bounds that depend on an outer counter."""
    i = fn.one([i for i in fn.ints.values() if i.dim and i.stable])
    n = fn.length(i.dim)
    header, lo, slack = fn.one([
        (f"range({i.name})", 0, i.slack + 1), (f"range({i.name} + 1)", 0, i.slack), (f"range({i.name}, {n})", i.lo, 0),
        (f"range({i.name} + 1, {n})", i.lo + 1, 0), (f"range({i.name}, -1, -1)", 0, i.slack),
        (f"range({n} - 1, {i.name}, -1)", i.lo + 1, 0),
    ])
    name = loop_name(fn)
    fn.note("triangular")
    with fn.block(f"for {name} in {header}:", room_for(fn, i.dim.hi), "for"):
        fn.ints[name] = Int(name, i.dim, lo, slack)
        body(fn, accumulators)


def fixed_range(fn, accumulators):
    count = fn.rng.randint(2, 3)
    name = loop_name(fn)
    with fn.block(f"for {name} in range({count}):", room_for(fn, count), "for"):
        fn.ints[name] = Int(name, None, 0, count - 1)
        body(fn, accumulators)


def over_array(fn, accumulators):
    """for e in x, for i, e in enumerate(x), for a, b in zip(x, y); rows of a matrix are views."""
    var = fn.one(fn.arrays())
    dim, item = var.shape[0], fn.fresh("e")
    name = loop_name(fn)
    other = fn.one([v for v in fn.arrays(var.dtype) if v.shape == var.shape])
    second = fn.fresh("e") + "b"
    header = fn.one((f"{item} in {var.name}", f"{name}, {item} in enumerate({var.name})",
                     f"{item}, {second} in zip({var.name}, {other.name})"))
    fn.note("loop over an array")
    with fn.block(f"for {header}:", room_for(fn, dim.hi), "for", [(dim.base, dim.off + 1)]):
        for part, whole in ((item, var), (second, other)):
            if part in header:
                rows = bool(var.shape[1:])
                fn.bind(part, var.dtype, var.shape[1:], whole.cell.bound, cell=whole.cell if rows else None, view=rows)
        if "enumerate" in header:
            fn.ints[name] = Int(name, dim)
        body(fn, accumulators)


def over_numbers(fn, accumulators):
    """A container of constants: unrolled by the transformer."""
    item = fn.fresh("c")
    numbers = ", ".join(literal(fn).text.strip("()") for _ in range(fn.rng.randint(2, 3)))
    with fn.block(f"for {item} in ({numbers}):", room_for(fn, 3), "for"):
        fn.bind(item, "f64", (), 1.4, weak=True)
        body(fn, accumulators)


def while_loop(fn):
    accumulators = [accumulator(fn)] if fn.chance(0.5) else []
    fn.attempt([(3, lambda: counted_while(fn, accumulators)), (2, lambda: shrinking_while(fn)),
                (1, lambda: two_pointers(fn, accumulators)), (1.5, lambda: endless_while(fn, accumulators))])


def counted_while(fn, accumulators):
    """At most a few rounds, fewer if a number says so. The counter moves first: `continue` must not skip it."""
    name, most = fn.fresh("k"), fn.rng.randint(2, 6)
    fn.emit(f"{name} = 0")
    header = f"while {name} < {most}:" if fn.chance(0.25) else f"while {test(fn)} and {name} < {most}:"
    fn.note("while")
    with fn.block(header, room_for(fn, most), "while"):
        fn.emit(f"{name} += {fn.one('112')}")
        fn.ints[name] = Int(name, None, 0, most + 1, stable=False)
        body(fn, accumulators)


def shrinking_while(fn):
    """A number that halves until it is small: its rounds depend on data alone."""
    name = fn.fresh("d")
    dtype = fn.dtype()
    ex = expr(fn, (), dtype, 1, limit=4.0, strong=True)
    fn.emit(f"{name} = np.abs({ex.text}) + 0.1")
    fn.vars[name] = Var(name, dtype, fixed=True)
    with fn.block(f"while {name} > 0.{fn.rng.randint(13, 37)}:", room_for(fn, 5), "while"):
        fn.emit(f"{name} *= {fn.one(('0.5', '0.41', '0.62'))}")
        safely(fn, 1, 2)
        simple.accumulate(fn)
    fn.note("while")


def two_pointers(fn, accumulators):
    """i from the left, j from the right."""
    dim = fn.one(fn.dims())
    n, left, right = fn.length(dim), fn.fresh("l"), fn.fresh("r")
    fn.emit(f"{left}, {right} = 0, {n} - 1")
    with fn.block(f"while {left} < {right}:", room_for(fn, dim.hi), "while", [(dim.base, dim.off + 2)]):
        fn.ints[left], fn.ints[right] = Int(left, dim, 0, 1, stable=False), Int(right, dim, 1, 0, stable=False)
        unskipped(fn, accumulators)
        fn.emit(fn.one((f"{left} += 1", f"{right} -= 1", f"{left}, {right} = {left} + 1, {right} - 1")))
    fn.note("while")


def unskipped(fn, accumulators):
    """A body before the step that ends the loop: a `continue` in it could skip that step for ever."""
    mark = len(fn.lines)
    body(fn, accumulators)
    if any(line.strip() == "continue" for line in fn.lines[mark:]):
        raise Stuck


def endless_while(fn, accumulators):
    """while True, left by a break."""
    name = fn.fresh("k")
    fn.emit(f"{name} = 0")
    with fn.block("while True:", room_for(fn, 6), "while"):
        fn.emit(f"{name} += 1")
        fn.ints[name] = Int(name, None, 0, 6, stable=False)
        early = fn.chance(0.5)
        if not early:
            unskipped(fn, accumulators)
        with fn.block(f"if {name} > {fn.rng.randint(2, 5)} or {test(fn, 0)}:"):
            fn.emit("break")
        if early:
            body(fn, accumulators)
    fn.note("while")
