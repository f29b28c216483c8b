#!/usr/bin/env python3
"""How right values, slopes and second derivatives of scalar functions are, against mpmath:
python -m tests.support.accuracy [names] [--points N]

The functions are found in the tables of rules and of the library. Each is measured where it may go wrong: at the
numbers of its own definition, whole numbers and halves, tails, tiny and huge numbers, and both sides of all of them.
`docs/make_accuracy.py` writes what is outside of `BOUNDS`.
"""
from __future__ import annotations

import argparse
import inspect
import linecache
import math
import re
import time
import warnings
import zlib
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from mpmath import mp, mpf  # noqa: E402

import gradscribe as gs  # noqa: E402
from gradscribe import runtime as rt  # noqa: E402
from gradscribe.transformer.library.registry import FUNCTIONS, Written, everything  # noqa: E402
from gradscribe.transformer.rules.kinds import Elementwise  # noqa: E402
from gradscribe.transformer.rules.registry import OPS  # noqa: E402
from tests.support import accuracy_laws  # noqa: E402
from tests.support.accuracy_references import ARGUMENTS, NO_REFERENCE, ONE, SEVERAL  # noqa: E402
from tests.support.jets import Jet  # noqa: E402

gs.grad  # loads all that enters functions into the tables
everything()
from scipy import special, stats  # noqa: E402

from gradscribe.transformer.library.laws import LAWS  # noqa: E402  which imports scipy.special

ORDERS = ("value", "slope", "second")
BOUNDS = {"float64": (1e-13, 1e-13, 1e-11), "float32": (1e-5, 1e-5, 1e-4)}
NAMES = {"np": np, "special": special, "stats": stats, "gs": gs, "rt": rt}
SYMBOLS = {"add": "+", "subtract": "-", "multiply": "*", "divide": "/", "mod": "%", "power": "**", "negative": "-"}
EVERYWHERE = (0.0, math.inf)
BESIDE = ("0.75", "2.5", "1.25")
EXTENT = {  # where the reference takes long, or has no digits left: the smallest and largest |x|
    **dict.fromkeys(("gammainc", "gammaincc", "gammaincinv", "gammainccinv", "betainc", "betaincc", "betaincinv",
                     "stdtr", "stdtrit", "hyp2f1", "hyp1f1", "hyp0f1", "hyperu", "zeta", "polygamma"), (1e-8, 50.0)),
    **dict.fromkeys(("j0", "j1", "y0", "y1", "i0", "i1", "k0", "k1", "i0e", "i1e", "k0e", "k1e", "jv", "yv", "iv", "kv",
                     "ive", "kve", "yn", "kn", "dawsn", "erfi", "erfcx", "expi", "exp1"), (1e-30, 100.0)),
    **dict.fromkeys(("erfinv", "erfcinv", "ndtri", "ndtri_exp", "wrightomega", "gamma", "gammaln", "lgamma", "loggamma",
                     "psi", "digamma", "beta", "betaln", "poch"), (1e-100, 1e5)),
    "owens_t": (1e-8, 4.0),
    # SciPy's hyp1f1 takes for ever beyond
    **dict.fromkeys(("exprel", "boxcox", "boxcox1p", "inv_boxcox", "inv_boxcox1p"), (1e-300, 500.0)),
    **dict.fromkeys(("fmod", "mod", "power", "float_power"), (1e-150, 1e150)),
}


@dataclass(frozen=True)
class Target:
    """A function of x: a text that is read, its definition in numbers of mpmath, and the source that has its seams."""

    expression: str
    reference: object
    sources: tuple
    extent: tuple = EVERYWHERE


class Moved:
    """A reference of several arguments, of the one that moves."""

    def __init__(self, reference, arguments):
        self.reference, self.arguments = reference, arguments

    def __call__(self, x):
        return self.reference(*(x if a == "x" else mpf(float(a)) for a in self.arguments))


# which functions ------------------------------------------------------------------------------------------
def refused(partial) -> bool:
    return partial is None or partial.__qualname__.partition(".")[0] in ("unknown", "refused")


def spelt(name, arguments) -> str:
    """A call as a user writes it."""
    if name in SYMBOLS:
        return f" {SYMBOLS[name]} ".join(arguments) if len(arguments) > 1 else SYMBOLS[name] + arguments[0]
    return f"{name.replace('scipy.special', 'special')}({', '.join(arguments)})"


def of_rules(missing):
    for name, op in OPS.items():
        if not isinstance(op, Elementwise) or all(p is None for p in op.partials):
            continue
        short = name.rpartition(".")[2]
        table = ONE if len(op.partials) == 1 else SEVERAL
        if name in NO_REFERENCE or short in NO_REFERENCE:
            continue
        if short not in table:
            missing.append(name)
            continue
        given = ARGUMENTS.get(short) or [", ".join("x" if k == n else BESIDE[k] for k in range(len(op.partials)))
                                         for n, p in enumerate(op.partials) if not refused(p)]
        for text in given:
            arguments = text.split(", ")
            function = table[short] if len(op.partials) == 1 else Moved(table[short], arguments)
            yield Target(spelt(name, arguments), function, (op.fn, *filter(None, op.partials)),
                         EXTENT.get(short, EVERYWHERE))


def elementwise(f) -> bool:
    """Is this a function of each element, and not the identity?"""
    x = np.array([0.3, 0.9, 0.6])
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            y = f(x)
            return (isinstance(y, np.ndarray) and y.shape == x.shape and y.dtype == x.dtype and not np.array_equal(x, y)
                    and len(set(y)) > 1 and np.array_equal(f(x[::-1]), y[::-1]) and np.array_equal(f(x[1:]), y[1:]))
    except Exception:  # it takes other arguments
        return False


def of_library(missing):
    found = {f"{'np' if str(f.__module__).startswith('numpy') else 'special'}.{f.__name__}": (f, h.function)
             for f, h in FUNCTIONS.items()
             if isinstance(h, Written) and str(f.__module__).startswith(("numpy", "scipy.special")) and elementwise(f)}
    found |= {f"gs.nn.{name}": (f, f) for name, f in vars(gs.nn).items() if inspect.isfunction(f)
                               and f.__module__ == gs.nn.__name__ and not name.startswith("_") and elementwise(f)}
    for name, (f, source) in found.items():
        short = name.rpartition(".")[2]
        if name in NO_REFERENCE:
            continue
        if short not in ONE:
            missing.append(name)
            continue
        yield Target(f"{name}(x)", ONE[short], (source,), EXTENT.get(short, EVERYWHERE))
    yield Target("special.polygamma(1, x.astype(float))", Moved(SEVERAL["polygamma"], ("1", "x")), (),
                 EXTENT["polygamma"])


def of_laws(missing):
    for law, entry in LAWS.items():
        for method, formula in entry.methods.items():
            if law in accuracy_laws.NO_REFERENCE or method in accuracy_laws.NO_REFERENCE:
                continue
            if law not in accuracy_laws.LAWS:
                missing.append(f"stats.{law}.{method}")
                continue
            shapes = accuracy_laws.SHAPES.get(law, ())
            of = accuracy_laws.reference(law, method)
            slow = law in ("gamma", "chi2", "beta", "t") and "df" not in method
            yield Target(f"stats.{law}.{method}({', '.join(['x', *map(str, shapes)])})",
                         lambda x, of=of, shapes=shapes: of(x, *shapes), (formula,),
                         (1e-8, 50.0) if slow else EVERYWHERE)


@lru_cache(None)
def targets() -> tuple[dict[str, Target], list[str]]:
    """By their text; and the names of functions for which there is no reference, and no reason why."""
    missing: list[str] = []
    found = {t.expression: t for source in (of_rules, of_library, of_laws) for t in source(missing)}
    return found, missing


# where ----------------------------------------------------------------------------------------------------
def sources(function, seen) -> str:
    """The text of a function, and of those of ours that it calls."""
    if function in seen or not hasattr(function, "__code__"):
        return ""
    seen.add(function)
    try:
        text = inspect.getsource(function)
    except (OSError, TypeError):
        return ""
    called = [function.__globals__.get(name) for name in function.__code__.co_names]
    return text + "".join(sources(f, seen) for f in called if getattr(f, "__module__", None) == function.__module__)


def seams(target) -> list[float]:
    """The numbers of its definition."""
    seen = set()
    text = "".join(sources(f, seen) for f in target.sources)
    return sorted({float(n) for n in re.findall(r"(?<![\w.])\d+\.?\d*(?:[eE][-+]?\d+)?", text)})


GRID = (*(n / 2 for n in range(0, 21)), 12.5, 16.0, 20.0, 27.0, 30.0, 36.0, 37.5, 40.0, 50.0, 88.0,
        89.0, 100.0, 103.0, 200.0, 300.0, 500.0, 700.0, 709.0, 745.0, 1000.0, 1023.0, 1024.0, 126.0, 127.0, 128.0, 1e4,
        1e5, 1e8, 1e12, 1e16, 1e20, 1e30, 1e38, 1e77, 1e100, 1e154, 1e160, 1e200, 1e300, 1e308, 0.1, 0.25, 0.75, 0.9,
        0.99, 1e-2, 1e-3, 1e-4, 1e-5, 1e-8, 1e-12, 1e-16, 1e-20, 1e-30, 1e-38, 1e-45, 1e-100, 1e-160, 1e-200, 1e-300,
        2.2250738585072014e-308, 5e-324, math.pi / 4, math.pi / 2, math.pi, 2 * math.pi, math.e)


def points(target, dtype, count=1000) -> np.ndarray:
    """Where it is measured: the seams of its definition and what stands beside them first; of the others,
    where fewer are asked for, each so many."""
    low, high = target.extent

    def beside(values):
        at = np.array([s * v for v in values for s in (1.0, -1.0)]).astype(dtype)
        return np.concatenate([at, np.nextafter(at, dtype(np.inf)), np.nextafter(at, dtype(-np.inf))])

    def inside(at):
        at = at[np.isfinite(at) & ((np.abs(at) >= low) | (at == 0)) & (np.abs(at) <= high)]
        return list(dict.fromkeys(at.tolist()))

    with np.errstate(all="ignore"):
        rng = np.random.default_rng(zlib.crc32(target.expression.encode()))
        # (everywhere a float may be, and among the numbers that programs have)
        spread = np.concatenate([rng.uniform(-1, 1, 200), rng.normal(0, 10, 200),
                                 rng.choice((-1, 1), 400) * 10 ** rng.uniform(-320, 308, 400)])
        first = inside(beside(seams(target)))
        others = [x for x in inside(np.concatenate([beside(GRID), spread.astype(dtype)]))
                  if x not in set(first)][:max(0, 1000 - len(first))]
    step = max(1, -(-len(others) // max(1, count - len(first))))
    return np.array([*first, *others[zlib.crc32(target.expression.encode()) % step::step]], dtype)


# what is right --------------------------------------------------------------------------------------------
def wanted(target, x) -> tuple | None:
    """The value and both derivatives, with 60 digits and as many more as cancel; None where there is no such."""
    needed = 60 + 2.5 * abs(math.log10(abs(x))) if x else 60
    # few, since mpmath keeps tables
    digits = 60 if target.extent[1] < 1e10 else next(d for d in (60, 100, 200, 400, 1000) if d >= needed)
    with mp.workdps(digits):
        try:
            parts = target.reference(Jet(mpf(float(x)), 1)).parts
        except (ArithmeticError, ValueError, TypeError, mp.NoConvergence, NotImplementedError):
            return None
        return parts if all(isinstance(p, mpf) and mp.isfinite(p) for p in parts) else None


# what is given --------------------------------------------------------------------------------------------
def given_by(target, at, compiled):
    """The value, the slope and the second derivative of each element; no second derivative where that is refused."""
    for orders in (3, 2):
        f = measured_function(target, orders)
        try:
            return (gs.jit(f) if compiled else f)(at)
        except gs.GradscribeError:
            if orders == 2:
                raise


def measured_function(target, orders=3):
    text = f"""def f(x):
    return {target.expression}


def total(x):
    return np.sum(f(x))


def slopes(x):
    return np.sum(gs.grad(total)(x))


def measured(x):
    return f(x), gs.grad(total)(x){", gs.grad(slopes)(x)" * (orders == 3)}
"""
    file = f"<accuracy of {target.expression}>"
    linecache.cache[file] = len(text), None, text.splitlines(True), file
    names = dict(NAMES)
    exec(compile(text, file, "exec"), names)
    return names["measured"]


@dataclass
class Figure:
    """How far off: the worst relative error of a quantity, where, what it is there,
    and the smallest |x| outside of the bound."""

    error: float = 0.0
    x: float = 0.0
    got: float = 0.0
    want: float = 0.0
    outside: int = 0
    nearest: float = math.inf


def error_of(got, want, limits) -> float | None:
    """The relative error. None: it is larger than all floats, or both are too small to have all their digits."""
    tiny = float(limits.tiny)
    if abs(want) > mpf(float(limits.max)) or abs(want) < tiny and abs(got) <= 2 * tiny:
        return None
    return float(abs(mpf(float(got)) - want) / abs(want)) if math.isfinite(got) and want else math.inf


def measure(target, dtype, compiled=False, count=1000, references=None, one_in=1) -> dict[str, Figure]:
    """quantity -> Figure; at each so many of the points"""
    at = points(target, dtype, count)[zlib.crc32(target.expression.encode()) % one_in::one_in]
    references = {} if references is None else references
    for x in at.tolist():
        if x not in references:
            references[x] = wanted(target, x)
    at = np.array([x for x in at.tolist() if references[x] is not None], dtype)
    if not at.size:
        return {}
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        got = given_by(target, at, compiled)
    found = {}
    for k, order in enumerate(ORDERS[:len(got)]):
        given = np.broadcast_to(got[k], at.shape)
        figure = found[order] = Figure()
        limits, bound = np.finfo(given.dtype), BOUNDS[np.dtype(dtype).name][k]
        for x, y in zip(at.tolist(), given.tolist()):
            want = references[x][k]
            error = error_of(y, want, limits)
            if error is not None and error > bound:
                figure.outside += 1
                figure.nearest = min(figure.nearest, abs(x))
            if error is not None and error > figure.error:
                figure.error, figure.x, figure.got, figure.want = error, x, y, float(want)
    return found


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--points", type=int, default=1000)
    parser.add_argument("--plain", action="store_true", help="do not compile")
    given = parser.parse_args(argv)
    found, missing = targets()
    for name in missing:
        print(f"no reference: {name}")
    for expression, target in found.items():
        if given.names and not any(n in expression for n in given.names):
            continue
        start = time.process_time()
        for dtype in (np.float64, np.float32):
            references = {}
            for compiled in (False,) if given.plain else (False, True):
                try:
                    figures = measure(target, dtype, compiled, given.points, references)
                except gs.GradscribeError as e:
                    print(f"{expression:32} refused: {str(e).splitlines()[0]}")
                    continue
                for order, bound in zip(ORDERS, BOUNDS[np.dtype(dtype).name]):
                    if order in figures and (of := figures[order]).outside:
                        print(f"{expression:32} {np.dtype(dtype).name} "
                              f"{'compiled' if compiled else 'plain':8} {order:6} {of.error:.1e} at {of.x!r}: "
                              f"{of.got!r}, not {of.want!r}; {of.outside} points, from |x| = {of.nearest!r}")
        print(f"{expression:32} {len(references)} points, {time.process_time() - start:.1f} s", flush=True)


if __name__ == "__main__":
    main()
