"""What the generator knows while it writes a function: lengths, variables, loop counters, blocks."""

import random
from contextlib import contextmanager
from dataclasses import dataclass, field, replace


class Stuck(Exception):
    """No sentence of the wanted kind exists here; the caller rolls back and tries another kind."""


@dataclass(frozen=True, eq=False)
class Dim:
    """A length. Equal keys are equal lengths wherever both can be seen, whatever the arguments' sizes are."""

    base: str
    lo: int
    hi: int
    off: int = 0  # the length is max(base - off, 0)
    text: str | None = None  # source that computes it
    parts: tuple["Dim", ...] = ()  # a concatenation's pieces

    @property
    def key(self):
        return f"{self.base}-{self.off}" if self.off else self.base

    def __eq__(self, other):
        return isinstance(other, Dim) and self.key == other.key

    def __hash__(self):
        return hash(self.key)


def const(size):
    return Dim(str(size), size, size, text=str(size))


ONE = const(1)


def minus(dim, k):
    """The length of a slice that leaves out k elements: NumPy clamps it at 0, and so clamps compose."""
    if k == 0:
        return dim
    text = f"({dim.text} - {k})" if dim.text and dim.lo >= k else None
    return Dim(dim.base, max(dim.lo - k, 0), max(dim.hi - k, 0), dim.off + k, text)


def plus(a, b):
    text = f"({a.text} + {b.text})" if a.text and b.text else None
    return Dim(f"({a.key}+{b.key})", a.lo + b.lo, a.hi + b.hi, text=text, parts=(a, b))


@dataclass(eq=False)
class Cell:
    """The memory behind one or several names; stores through any of them move its bound."""

    bound: float
    argument: bool = False


@dataclass(frozen=True)
class Var:
    name: str
    dtype: str  # f64, f32 or i64
    shape: tuple[Dim, ...] = ()
    cell: Cell = field(default_factory=lambda: Cell(2.0))
    weak: bool = False  # a Python number: does not decide a dtype
    view: bool = False
    target: Dim | None = None  # of an i64 array: the length that it indexes
    fixed: bool = False  # a loop's end depends on it: never rebound

    @property
    def floating(self):
        return self.dtype != "i64"


@dataclass(frozen=True)
class Int:
    """An integer in [lo, length of dim - 1 - slack], or in [0, slack] when it belongs to no length."""

    name: str
    dim: Dim | None = None
    lo: int = 0
    slack: int = 0
    stable: bool = True  # keeps its value during one run of the block that binds it
    free: bool = False  # may be rebound: no loop's end depends on it


@dataclass(frozen=True)
class Ex:
    """An expression: its text, a bound of its magnitude, and whether it is made of Python numbers alone."""

    text: str
    bound: float
    weak: bool = False


class Fn:
    """A function being written. `mode` is the dtype of its arrays: f64, f32 or mixed;
    `library` says whether it has the blocks of library.py, `everyday` whether those of everyday.py, and then it is
    what these need at the top of the module, by name."""

    def __init__(self, rng: random.Random, mode: str, budget: int, helpers=(), returns=(), library=False,
                 everyday: dict[str, str] | None = None):
        self.rng, self.mode, self.budget, self.library, self.everyday = rng, mode, budget, library, everyday
        self.helpers, self.returns = helpers, returns
        self.poles, self.extra = {}, ""  # `pole` and `gap`: length and dtype; a result that is no float
        self.callee = False  # may its arguments share memory?
        self.vars: dict[str, Var] = {}
        self.ints: dict[str, Int] = {}
        self.flags: list[str] = []
        self.lambdas: list[str] = []
        self.known: dict[str, int] = {}  # base of a length -> what a test or a running loop proves of it
        self.lines: list[str] = []
        self.notes: list[str] = []
        self.indent, self.trips, self.loops, self.nesting = 1, 1, [], 0
        self.count = 0

    # -- choices

    def chance(self, p):
        return self.rng.random() < p

    def one(self, options):
        options = list(options)
        if not options:
            raise Stuck
        return self.rng.choice(options)

    def attempt(self, productions):
        """Try (weight, thunk) pairs in weighted random order until one is not stuck."""
        pairs = [p for p in productions if p[0] > 0]
        while pairs:
            (chosen,) = self.rng.choices(range(len(pairs)), [w for w, _ in pairs])
            _, thunk = pairs.pop(chosen)
            mark = self.mark()
            try:
                return thunk()
            except Stuck:
                self.rewind(mark)
        raise Stuck

    # -- text

    def emit(self, line):
        self.budget -= 1
        self.lines.append("    " * self.indent + line)

    def note(self, tag):
        self.notes.append(tag)

    def fresh(self, stem):
        self.count += 1
        taken = {*self.vars, *self.ints, *self.lambdas, *self.flags}
        while f"{stem}{self.count}" in taken:
            self.count += 1
        return f"{stem}{self.count}"

    def mark(self):
        lists = [list(x) for x in (self.lines, self.notes, self.lambdas, self.loops)]
        dicts = [dict(x) for x in (self.vars, self.ints, self.known)]
        return lists, dicts, (self.indent, self.trips, self.nesting, self.budget)

    def rewind(self, mark):
        lists, dicts, numbers = mark
        self.lines, self.notes, self.lambdas, self.loops = map(list, lists)
        self.vars, self.ints, self.known = map(dict, dicts)
        self.indent, self.trips, self.nesting, self.budget = numbers

    @contextmanager
    def block(self, header, trips=1, loop=None, known=()):
        """An indented block: names born in it end with it, rebound ones keep their new memory."""
        self.emit(header)
        before = dict(self.vars), dict(self.ints), dict(self.known), list(self.lambdas), self.trips, list(self.loops)
        self.known.update({base: max(lo, self.known.get(base, 0)) for base, lo in known})
        self.trips *= max(trips, 1)
        self.loops = [*self.loops, loop] if loop else self.loops
        self.indent += 1
        self.nesting += 1
        length = len(self.lines)
        yield
        if len(self.lines) == length:
            raise Stuck
        self.indent -= 1
        self.nesting -= 1
        names = before[0]
        self.vars = {name: self.vars[name] for name in names}
        _, self.ints, self.known, self.lambdas, self.trips, self.loops = before

    # -- facts

    def lo(self, dim):
        return max(dim.lo, self.known.get(dim.base, 0) - dim.off)

    def length(self, dim):
        """Source for a length, or stuck."""
        texts = [dim.text] * 3 if dim.text else []
        for v in self.vars.values():
            texts += [f"{v.name}.shape[{a}]" for a, d in enumerate(v.shape) if d == dim]
            texts += [f"len({v.name})"] if v.shape and v.shape[0] == dim else []
        return self.one(texts)

    def floats(self, ndim=None, dtype=None):
        return [v for v in self.vars.values()
                if v.floating and ndim in (None, len(v.shape)) and dtype in (None, v.dtype)]

    def arrays(self, dtype=None):
        return [v for v in self.floats(dtype=dtype) if v.shape]

    def dims(self):
        return list(dict.fromkeys(d for v in self.arrays() for d in v.shape))

    def dtype(self):
        return self.rng.choice(("f64", "f32")) if self.mode == "mixed" else self.mode

    def viewed(self, text):
        """The variable that an expression might be a view of: cautious, a copy taken for a view costs nothing."""
        return next((v for v in self.arrays() if text.lstrip("(").split("[")[0].split(".")[0].rstrip(")") == v.name),
                    None)

    def owned(self, var):
        """No other visible name shares its memory, and the caller cannot see it."""
        sharers = [v for v in self.vars.values() if v.cell is var.cell]
        return len(sharers) == 1 and not var.cell.argument and not var.view

    def bind(self, name, dtype, shape, bound, weak=False, cell=None, view=False):
        cell = cell or Cell(max(bound, 1.0))
        self.vars[name] = Var(name, dtype, tuple(shape), cell, weak and not shape, view)
        return self.vars[name]

    def rebind(self, var, ex):
        self.vars[var.name] = replace(var, cell=Cell(max(ex.bound, var.cell.bound)), weak=ex.weak and not var.shape,
                                      view=False)
