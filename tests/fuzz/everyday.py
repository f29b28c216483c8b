"""What ordinary programs have around their arrays: lists that loops fill, dicts and the containers of `collections`,
heaps, records, methods of ufuncs, an array on one path and a number on another, warnings, checks, helpers behind
decorators. Exceptions are in exceptions.py. Each block ends in a number or an array with a name."""

import re

from . import names
from .containers import counted, filled, heaped, named, number, only_double, pairs, queued, short_list, table
from .exceptions import valued
from .expressions import elementwise_test, tame, test
from .library import small
from .reads import index, literal
from .scope import Cell, Ex, Stuck, const
from .statements import bind_result

MODULES = ("bisect", "cmath", "collections", "fractions", "functools", "heapq", "itertools", "logging", "math",
           "numba",
           "statistics", "types", "warnings")
OTHERS = {"pd": "import pandas as pd", "interpolate": "from scipy import interpolate",
          "special": "from scipy import special"}


def imports(text):
    """Of the modules whose names stand in the text."""
    return [*(f"import {name}" for name in MODULES if f"{name}." in text), "import numpy as np",
            *(line for name, line in OTHERS.items() if f"{name}." in text)]


def above(called, top):
    """What stands at the top of the module of all that was written for it: what is called, in order."""
    wanted, text = [], called
    for name, lines in reversed(top.items()):
        if re.search(rf"\b{name}\b", text):
            wanted.insert(0, lines)
            text += lines
    return wanted


def ordinary(fn):
    kind, make = fn.one(BLOCKS)
    dtype = fn.dtype()
    found = make(fn, dtype)
    fn.note(f"everyday, {kind}")
    if found is None:
        return
    ex, shape = found if isinstance(found, tuple) else (found, ())
    ex = tame(fn, ex, 4.0, dtype)
    name = fn.fresh("t" if not shape else "w" if len(shape) == 1 else "B")
    fn.emit(f"{name} = {ex.text}")
    bind_result(fn, name, ex, shape, dtype)


# -- arrays


RECORDS = ("RECORDS = np.array([(0.5, 2, 0.25), (1.5, 1, -0.5), (0.75, 3, 1.0)], "
           "dtype=[('mass', float), ('n', int), ('at', float)])")


def recorded(fn, dtype):
    """A structured array from outside."""
    only_double(fn)
    fn.everyday["RECORDS"] = RECORDS
    i = fn.one(["0", "-1", *(f"{i.name} % 3" for i in fn.ints.values())])
    a = number(fn, dtype)
    s = fn.fresh("s")
    if fn.chance(0.3):
        fn.emit(f"{s} = 0.1")
        fn.emit("for r in RECORDS:")
        fn.emit(f"    {s} += r['mass'] * np.sin({a} - r['at'])" + fn.one(("", " if r['n'] > 1 else 0.2")))
        return Ex(f"{s} * 0.5", 10.0)
    return fn.one(((Ex(f"np.sum(RECORDS['mass'] * ({a}))", 6.0), ()), (Ex(f"RECORDS['at'][{i}] * ({a})", 2.0), ()),
                   (Ex(f"RECORDS[{i}]['mass'] + {a}", 4.0), ()), (Ex(f"RECORDS['at'] * {a}", 2.0), (const(3),)),
                   (Ex(f"{a} * RECORDS['n'].sum()", 12.0), ()), (Ex(f"({a} - RECORDS['at'][1:])[0]", 3.0), ())))


def either_kind(fn, dtype):
    """An array on one path, a number on the other."""
    only_double(fn)
    shape = fn.one([v.shape for v in fn.arrays(dtype) if len(v.shape) == 1])
    s = fn.fresh("s")
    a, z = small(fn, shape, dtype), fn.one(("0.0", "0", "0.3", number(fn, dtype)))
    array = fn.one((f"np.sin({a})", f"({a}) * 0.5", f"np.cos({a})[::-1]", f"np.stack(({a}, {a}))[1]", f"{s} + ({a})"))
    if fn.chance(0.5) and s not in array:
        fn.emit(f"{s} = {array} if {test(fn)} else {z}")
    else:
        fn.emit(f"{s} = {z}")
        fn.emit(f"if {test(fn)}:")
        fn.emit(f"    {s} = {array}")
    other = small(fn, shape, dtype)
    return fn.one(((Ex(f"({other}) + {s}", 4.0), shape), (Ex(f"np.sum({s} * ({other}))", 20.0), ()),
                   (Ex(f"np.sum({s}) + {number(fn, dtype)}", 20.0), ()),
                   (Ex(f"np.where({elementwise_test(fn, shape, dtype)}, {s}, 0.2)", 4.0), shape),
                   (Ex(f"np.maximum({s} + ({other}), 0.11)", 4.0), shape)))


def of_ufunc(fn, dtype):
    """accumulate, outer, reduce, at, reduceat."""
    var = fn.one([v for v in fn.arrays(dtype) if len(v.shape) == 1])
    (n,) = var.shape
    a = f"({small(fn, (n,), dtype, limit=1.0)})"
    kind = fn.rng.randrange(5)
    if kind == 0:
        return Ex(f"np.{fn.one(('add', 'multiply', 'subtract', 'maximum', 'minimum', 'logaddexp'))}.accumulate({a})",
                  float(n.hi)), (n,)
    if kind == 1:
        other = fn.one([v for v in fn.arrays(dtype) if len(v.shape) == 1])
        name = fn.one(("add", "multiply", "subtract", "maximum", "hypot", "arctan2"))
        more = f"({other.name} * 0.7 + 2.3)"
        return Ex(f"np.{name}.outer({a}, {more})", 6.0), (n, other.shape[0])
    if kind == 2:
        if fn.lo(n) < 1:
            raise Stuck
        name = fn.one(("add", "multiply", "maximum", "minimum", "logaddexp", "subtract"))
        return Ex(f"np.{name}.reduce({a})", float(n.hi) + 1), ()
    if fn.lo(n) < 1:
        raise Stuck
    if kind == 3:
        w = fn.fresh("w")
        fn.emit(f"{w} = np.cos({a})")
        at = fn.one(("[0, -1, 0]", "0", "[-1]", index(fn, n)))
        name = fn.one(("add", "multiply", "subtract", "maximum", "divide", "minimum"))
        fn.emit(f"np.{name}.at({w}, {at}, {number(fn, dtype, 1.0)} + 2.1)")
        return Ex(f"{w} * 0.3", 3.0), (n,)
    if fn.lo(n) < 2 and fn.chance(0.9):
        raise Stuck
    at = fn.one(("[0, 1]", "[1, 0]", "[0]", "[0, 1, 0]"))
    return Ex(f"np.{fn.one(('add', 'maximum', 'multiply', 'minimum'))}.reduceat({a}, {at})",
              float(n.hi)), (const(at.count(",") + 1),)


def taken_as(fn, dtype):
    """np.asanyarray and its kin at the head of a computation, tuples in an index, masks of an array without axes."""
    shape = fn.one([v.shape for v in fn.arrays(dtype)])
    name = fn.fresh("w")
    a = small(fn, shape, dtype)
    kind = fn.rng.randrange(4)
    if kind < 2:
        make = fn.one(("asanyarray", "asanyarray", "asarray", "atleast_1d", "ascontiguousarray", "array"))
        fn.emit(f"{name} = np.{make}({a}){fn.one(('', ' + 0.0'))}")
        fn.bind(name, dtype, shape, 2.0, cell=Cell(2.0, argument=True), view=True)
        return Ex(f"{name} * 0.5", 1.0), shape
    if kind == 2:
        var = fn.one([v for v in fn.arrays(dtype) if len(v.shape) == 2])
        if fn.lo(var.shape[1]) < 2:
            raise Stuck
        return Ex(f"{var.name}[:, {fn.one(('(0, 1)', '(1, 0)', '(0, -1)'))}] * 0.5", 4.0), (var.shape[0], const(2))
    only_double(fn)
    if fn.chance(0.3):
        fn.emit(f"{name} = np.asarray({number(fn, dtype)}) * 1.0")
        return Ex(f"np.sum({name}[{name} > {literal(fn).text}])", 3.0)
    fn.emit(f"{name} = np.array({number(fn, dtype)})")
    fn.emit(f"{name}[{name} > {literal(fn).text}] {fn.one(('= 0.3', '*= 0.5', '+= 0.2'))}")
    return Ex(fn.one((f"{name} + 0.1", f"float({name})")), 3.0)


# -- what is said, and checked


def said(fn, dtype):
    """Warnings, loggers, checks, between the statements."""
    a = number(fn, dtype)
    i = fn.one(["3", *(i.name for i in fn.ints.values())])
    fn.emit(fn.one((
        f"warnings.warn(f'at {{{a}:.2f}}')", "warnings.warn('slow', RuntimeWarning)", "print(end='')",
        f"logging.getLogger('fuzz').debug('at %g', {a})", f"logging.debug('step %d', {i})",
        f"if {test(fn)}: warnings.warn('far')", f"logging.getLogger('fuzz').info(f'{{{i}}} rounds')",
        f"np.testing.assert_allclose({a}, {a})", f"assert {a} < 99.0, f'{{{a}}}'", f"assert {i} > -9",
        f"np.testing.assert_array_less({a}, 99.0)", f"assert np.isfinite({a}), 'not finite'")))


# -- helpers behind decorators, and what calls itself


def helped(fn, dtype):
    name, texts = fn.one(list(HELPERS.items()))
    if fn.mode == "mixed" or name == "compiled" and (fn.mode != "f64" or fn.chance(0.8)):
        raise Stuck
    if name not in fn.everyday:
        fn.everyday[name] = fn.one(texts)
    a = number(fn, dtype)
    if name == "sized":
        shape = fn.one([v.shape for v in fn.arrays(dtype)])
        a = fn.one((a, f"np.sum({small(fn, shape, dtype)})", f"[{a}, 0.5]", small(fn, shape, dtype)))
    return Ex(f"{name}({a}{fn.one(('', ', 2')) if name == 'compiled' else ''})", 8.0)


def known(fn, dtype):
    """Numbers that are known before the run, of Python's libraries."""
    only_double(fn)
    c = fn.one(("abs(cmath.exp(0.3j) + 0.2)", "cmath.phase(1 + 2j)", "statistics.mean([0.5, 1.25, 2.0])",
                "cmath.sqrt(-2.0).imag", "float(fractions.Fraction(3, 8) + fractions.Fraction(1, 3))",
                "statistics.median((3, 1, 2))", "float(fractions.Fraction('0.75'))", "statistics.fmean([1.5, 2.0])",
                "statistics.stdev([0.5, 1.5])"))
    return Ex(f"{c} * {number(fn, dtype)}", 4.0)


FOLDED = """def folded(v):
    if v < 0:
        return {}folded(-v)
    return np.sqrt(1.0 + v)"""
HALVED = """def halved(v, depth=0):
    if v < 0.7{}:
        return v * v
    return 0.1 + halved(v * 0.5, depth + 1)"""
SCALED = """@functools.lru_cache(maxsize=None)
def factor(k):
    return math.sqrt(k) * 0.5


def scaled(v):
    return factor(3) * v + factor(2)"""
TIMED = """def doubled(f):
    @functools.wraps(f)
    def inner(*args, **kwargs):
        return {}f(*args, **kwargs)
    return inner


@doubled
def timed(v):
    return np.tanh(v)"""
SIZED = """@functools.singledispatch
def sized(v):
    return v * 0.5


@sized.register(np.ndarray)
def _(v):
    return np.sum(v) * 0.25


@sized.register
def _(v: list):
    return sum(v) * 0.2"""
COMPILED = """@numba.njit
def compiled(v, n=3):
    s = v
    for k in range(n):
        s = 0.5 * s + np.sin(v * k)
    return s"""
COUNTED = """@numba.njit
def compiled(v, n=3):
    out = np.zeros(n)
    for k in range(n):
        if v > 0.3 * k:
            out[k] = v
    return out.sum()"""
HELPERS = {
    "folded": [FOLDED.format(sign) for sign in ("-", "0.5 * ")],
    "halved": [HALVED.format(end) for end in ("", " or depth > 2")],
    "scaled": [SCALED], "timed": [TIMED.format(factor) for factor in ("2.0 * ", "", "-")], "sized": [SIZED],
    "compiled": [COMPILED, COUNTED],
}
BLOCKS = (
    ("list", filled), ("list", filled), ("list", short_list), ("pairs", pairs), ("dict", table), ("dict", counted),
    ("deque", queued), ("heap", heaped), ("namedtuple", named), ("records", recorded), ("either kind", either_kind),
    ("either kind", either_kind), ("ufunc", of_ufunc), ("asanyarray", taken_as), ("said", said), ("helper", helped),
    ("known", known), ("try, value", lambda fn, dtype: valued(fn)), *names.BLOCKS)
