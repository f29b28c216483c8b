"""Random programs in the language of Gradscribe: `generate(seed)` is a module's source and arguments for its `f`.

    python -m tests.fuzz.generate --show 17        the program of a seed
    python -m tests.fuzz.generate --stats 500      how often each construct occurs
    python -m tests.fuzz.generate --survey 500     how many run, stay finite, have derivatives that differences confirm

Well typed by construction: lengths are symbols, so that shapes agree at any size; indices are in range (but for rare
slips); values are bounded; tests compare generic numbers. So nearly all programs run, and their derivatives are
tame."""

import argparse
import ast
import random
from dataclasses import dataclass, field

import numpy as np

from . import census, everyday, exits, helpers, poles
from .control import give_back, safely, statements
from .scope import Cell, Dim, Fn, Int, Stuck, Var
from .statements import store

SIZES, SIZE_WEIGHTS = (0, 1, 2, 7), (1, 2, 3, 5)
LIBRARY = 3  # every how many programs call the library (library.py)
EVERYDAY = 3  # every how many have what everyday.py writes
POLES = 4  # every how many stand at poles that a choice keeps away (poles.py)
EXITS = 10  # every how many are ways out of loops alone (exits.py)
MODES, MODE_WEIGHTS = ("f64", "f32", "mixed"), (80, 13, 7)


@dataclass(frozen=True)
class Case:
    """A program and its arguments. `more` are further argument tuples (other values, other sizes) for the same program:
    a specialisation that remembers too much of the first call answers them wrongly."""

    seed: int
    source: str
    args: tuple
    name: str = "f"
    more: tuple = ()
    notes: frozenset = field(default=frozenset(), compare=False)


@dataclass(frozen=True)
class Arg:
    name: str
    kind: str  # array, index, number, scalar, int, size, flag, pole
    shape: tuple[str, ...] = ()
    target: str = ""  # of an index array: the length that it indexes
    dtype: str = "f64"


def generate(seed: int) -> Case:
    """The same seed gives the same case, always."""
    for attempt in range(50):
        rng = random.Random(f"{seed}/{attempt}")
        try:
            return build(seed, rng) if seed % EXITS else ways_out(seed, rng)
        except Stuck:
            continue
    raise AssertionError(f"no program for seed {seed}")


def build(seed, rng):
    library, top = seed % LIBRARY == 0, {} if seed % EVERYDAY == 1 else None
    (mode,) = rng.choices(MODES, MODE_WEIGHTS)
    sizes = {name: rng.choices(SIZES, SIZE_WEIGHTS)[0] for name in "nm"}
    args = arguments(rng, mode)
    args += at_poles(rng, mode, args) if seed % POLES == 1 else []
    made, texts, notes = [], [], []
    for number in range(rng.choice((0, 1, 1, 2))):
        fn, helper = helper_function(rng, mode, f"h{number}", tuple(made), library, top)
        made.append(helper)
        texts.append(fn.lines)
        notes += fn.notes
    main = main_function(rng, mode, args, sizes, tuple(made), library, top)
    called = "\n".join(main.lines) + "\n".join(line for lines in texts for line in lines[1:])
    kept = [lines for lines, helper in zip(texts, made) if f"{helper.name}(" in called]
    above = everyday.above(called, top or {})
    modules = "\n".join(everyday.imports("\n".join([called, *above])))
    source = "\n\n\n".join([modules, *above, *("\n".join(lines) for lines in [*kept, main.lines])])
    values = np.random.default_rng(rng.getrandbits(60))
    first = tuple(value(a, sizes, values) for a in args)
    others = resized(rng, sizes)
    again = tuple(value(a, others, values) for a in args)
    # One canonical text, also what the shrinker prints.
    return Case(seed, ast.unparse(ast.parse(source)) + "\n", first, more=(again,),
                notes=frozenset([*main.notes, *notes, f"all {mode}"]))


def ways_out(seed, rng):
    source = ast.unparse(ast.parse(exits.program(rng))) + "\n"
    return Case(seed, source, exits.arguments(rng), more=(exits.arguments(rng),), notes=frozenset(["ways out"]))


def resized(rng, sizes):
    """Sizes for a second call: the same, or larger ones, or (rarely) 1, for which another specialisation is due."""
    kind = rng.choices(("same", "other", "one"), (4, 5, 1))[0]
    changes = {"same": {}, "other": {7: rng.choice((4, 5, 8)), 2: 3, 1: rng.choice((1, 1, 2)), 0: rng.choice((0, 3))},
               "one": {7: 1, 2: 1}}[kind]
    return {name: changes.get(size, size) for name, size in sizes.items()}


# -- arguments


def arguments(rng, mode):
    dtype = lambda: rng.choice(("f64", "f32")) if mode == "mixed" else mode
    pool = [Arg("y", "array", ("n",)), Arg("A", "array", ("n", "m")), Arg("A", "array", ("n", "n")),
            Arg("A", "array", ("m", "n")), Arg("u", "array", ("m",))]
    chosen = [Arg("x", "array", ("n",))] if rng.random() < 0.8 else []
    chosen += rng.sample(pool, rng.choice((0, 1, 1, 2, 2)) or (0 if chosen else 1))
    seen = {}
    args = [Arg(a.name, a.kind, a.shape, dtype=dtype()) for a in chosen if seen.setdefault(a.name, a) is a]
    dims = [d for a in args for d in a.shape]
    extras = [
        (0.35, Arg("c", "number")), (0.25, Arg("g", "scalar", dtype=dtype())), (0.2, Arg("k", "int")),
        (0.15, Arg("idx", "index", (rng.choice(dims),), rng.choice(dims))), (0.12, Arg("flag", "flag")),
        (0.08, Arg("size", "size", target=dims[0])),
    ]
    return args + [a for p, a in extras if rng.random() < p]


def at_poles(rng, mode, args):
    """`pole`, and perhaps `gap`: see poles.py."""
    dim = rng.choice([d for a in args if a.kind == "array" for d in a.shape])
    names = ("pole", "gap") if rng.random() < 0.5 else ("pole",)
    return [Arg(name, "pole", (dim,), dtype="f64" if mode == "mixed" else mode) for name in names]


def value(arg, sizes, values):
    kind = np.float32 if arg.dtype == "f32" else np.float64
    uniform = lambda shape=None: values.uniform(-1.6, 1.6, shape)
    shape = tuple(sizes[d] for d in arg.shape)
    match arg.kind:
        case "array":
            return uniform(shape).astype(kind)
        case "pole":
            return poles.value(arg.name, shape[0], kind, values)
        case "index":
            size = sizes[arg.target]
            low, high = (-size, size) if values.random() < 0.3 else (0, size)
            return values.integers(low, high, shape) if size else np.zeros(shape, np.int64)
        case "number":
            return float(uniform())
        case "scalar":
            return kind(uniform())
        case "int":
            return int(values.integers(0, 5))
        case "size":
            return sizes[arg.target]
        case "flag":
            return bool(values.integers(0, 2))


# -- functions


def main_function(rng, mode, args, sizes, made, library, top):
    fn = Fn(rng, mode, budget=rng.randint(6, 20 if top is None else 14), helpers=made, library=library, everyday=top)
    fn.indent = 0
    fn.emit(f"def f({', '.join(a.name for a in args)}):")
    fn.indent = 1
    texts = lengths(fn, args)
    # Constant indices stay below 3, so that the program also runs at other sizes.
    dims = {d: Dim(d, min(sizes[d], 3), sizes[d], text=texts.get(d)) for d in sizes}
    for a in args:
        declare(fn, a, dims)
    fn.returns = returned(fn)
    if fn.poles:
        fn.budget += 6
        poles.another_result(fn)
        poles.poled(fn)
    statements(fn, 4, 8)
    give_back(fn, depth=2)
    return fn


def lengths(fn, args):
    """Names for lengths at the top of f, for most of them."""
    texts = {a.target: a.name for a in args if a.kind == "size"}
    for a in args:
        if a.kind == "array" and not all(d in texts for d in a.shape) and fn.chance(0.75):
            if len(a.shape) == 2 and len(set(a.shape)) == 2 and not any(d in texts for d in a.shape):
                fn.emit(f"{a.shape[0]}, {a.shape[1]} = {a.name}.shape")
                texts |= {d: d for d in a.shape}
                continue
            axis = fn.rng.choice([i for i, d in enumerate(a.shape) if d not in texts])
            fn.emit(f"{a.shape[axis]} = {fn.one([f'{a.name}.shape[{axis}]'] + [f'len({a.name})'] * (axis == 0))}")
            texts[a.shape[axis]] = a.shape[axis]
    return texts


def declare(fn, arg, dims):
    shape = tuple(dims[d] for d in arg.shape)
    match arg.kind:
        case "array" | "scalar":
            fn.vars[arg.name] = Var(arg.name, arg.dtype, shape, Cell(1.6, argument=True))
        case "number":
            fn.vars[arg.name] = Var(arg.name, "f64", (), Cell(1.6), weak=True)
        case "index" if dims[arg.target].lo:
            fn.vars[arg.name] = Var(arg.name, "i64", shape, target=dims[arg.target])
        case "int":
            fn.ints[arg.name] = Int(arg.name, None, 0, 4)
        case "flag":
            fn.flags.append(arg.name)
        case "pole":
            fn.poles[arg.name] = shape[0], arg.dtype


def returned(fn):
    """What f returns: decided first, so that early returns agree with the last."""
    shapes = [v.shape for v in fn.arrays()]
    one = lambda: ((), fn.dtype()) if fn.chance(0.5) else (fn.one(shapes), fn.dtype())
    return tuple(one() for _ in range(fn.rng.choice((1, 1, 1, 2, 2, 3))))


def helper_function(rng, mode, name, earlier, library, top):
    """A function over arrays of any length that allows it: it stores into its arguments, or returns something new."""
    mode = "f64" if mode == "mixed" else mode
    params = helpers.signature(rng)
    mutates = any(p.shape for p in params) and rng.random() < 0.5
    shapes = helpers.results(rng, params, mutates)
    fn = Fn(rng, mode, budget=rng.randint(2, 6), helpers=earlier, returns=[(shape, mode) for shape in shapes],
            library=library, everyday=top)
    fn.indent, fn.callee = 0, True
    fn.emit(f"def {name}({', '.join(p.name + (f'={p.default}' if p.default else '') for p in params)}):")
    fn.indent = 1
    for p in params:
        fn.vars[p.name] = Var(p.name, mode, p.shape, Cell(2.0, argument=True), weak=not p.shape)
    if mutates and fn.chance(0.6):
        fn.attempt([(1, lambda: store(fn))])
    safely(fn, 1, 3)
    changed = any(note.startswith(("store", "augmented", "swap", "helper that")) for note in fn.notes)
    if shapes or not fn.lines[1:]:
        give_back(fn, depth=2)
    return fn, helpers.Helper(name, params, shapes, changed, trips_of(fn))


def trips_of(fn):
    """A helper's rounds, by the depth of its loops."""
    deepest = max((len(line) - len(line.lstrip())) // 4
                  for line in fn.lines if line.lstrip().startswith(("for ", "while ", "def ")))
    return 8**deepest


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--show", type=int, metavar="SEED")
    parser.add_argument("--stats", type=int, metavar="COUNT")
    parser.add_argument("--survey", type=int, metavar="COUNT")
    parser.add_argument("--seed", type=int, default=0, help="first seed of statistics and survey")
    options = parser.parse_args(argv)
    if options.show is not None:
        case = generate(options.show)
        print(case.source, *map(repr, case.args), sep="\n")
    for count, report in ((options.stats, census.table), (options.survey, census.survey)):
        if count:
            print(report(generate(seed) for seed in range(options.seed, options.seed + count)))


if __name__ == "__main__":
    main()
