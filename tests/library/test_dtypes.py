"""Every operation on numbers x every pair of dtypes x every kind of operand: value,
dtype and exception are NumPy's, or it is refused.

A cell is an operation on two kinds of operands: an array, a NumPy scalar or a Python number, of each dtype, with the
values that matter (negative, zero, the least and the largest, too large for the other's dtype, infinite, not a number,
-0.0). Operations of which no cell raises share a function, so that little is compiled. Which cells run rotates with the
commit; GRADSCRIBE_TEST_ALL=1 runs all of them.
"""
import importlib.util
import itertools
import math
import random
import warnings

import numpy as np
import pytest

import gradscribe as gs
from tests.support.cases import rotating

INTEGERS = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
DTYPES = ["bool", *INTEGERS, "float32", "float64"]
KINDS = [(kind, d) for kind in ("array", "scalar") for d in DTYPES] + [("python", d) for d in ("bool", "int", "float")]

BINARY = [f"x {op} y" for op in (
    "+", "-", "*", "/", "//", "%", "**", "<", "<=", ">", ">=", "==", "!=", "&", "|", "^", "<<", ">>")] + [
    f"np.{name}(x, y)" for name in (
        "add", "subtract", "multiply", "divide", "floor_divide", "mod", "power", "less", "less_equal", "greater",
        "greater_equal", "equal", "not_equal", "bitwise_and", "bitwise_or", "bitwise_xor", "left_shift", "right_shift",
        "maximum", "minimum", "arctan2", "hypot", "logical_and", "logical_or", "logical_xor")] + [
    "divmod(x, y)", "np.where(x > y, x, y)", "np.where(x, x, y)", "np.clip(x, y, y)", "np.clip(x, None, y)"]

UNARY = ["-x", "+x", "~x", "abs(x)", "float(x)", "int(x)", "bool(x)", "not x"] + [
    f"np.{name}(x)" for name in (
        "negative", "abs", "invert", "sqrt", "exp", "expm1", "log", "log1p", "sin", "cos", "tan", "sinh", "cosh",
        "tanh", "arcsin", "arccos", "arctan", "square", "sign", "floor", "ceil", "rint", "trunc", "isnan", "isinf",
        "isfinite", "logical_not", "cumsum", "max", "min", "any", "all", "argmax", "argmin")] + [
    f"x.astype(np.{d})" for d in DTYPES] + [f"np.full(2, x, np.{d})" for d in DTYPES] + [
    f"np.{d}(x)" for d in DTYPES[1:]] + [
        "np.bool_(x)", "np.array([x, x])", "np.sqrt(not x)",
        # with constants: negative, zero, too large, infinite, not a number
        "float(x) ** 2", "float(x) * 1e300", "np.sqrt(float(x))", "float(x) + np.float32(1)",
        "np.power(-1.0, x)", "(-1.0) ** x", "-1.0 ** x", "(-np.inf) ** x",
        "2 ** x", "x * (-1.0) ** x", "x ** -1", "x ** 0", "x ** 0.5", "x ** 2", "x ** -2.0", "x ** 3", "x * -1.5 ** 2",
        "-x ** 2", "(-x) ** 2", "x << 1", "x >> 1", "x < -1", "x > 300", "x == 2**53", "x == 2.0**53", "2**53 + 1 == x",
        "x != np.nan", "x < np.inf", "x // -1", "x % -1", "x // 0", "x % 0", "x % 3", "x // 3", "x % -2.5", "x // 0.5",
        "x % np.inf", "x // -np.inf", "x / 0", "x / 2", "x - -1", "np.maximum(x, -0.0)", "np.minimum(x, 0.0)",
        "np.clip(x, -0.0, 1.0)", "np.clip(x, 0, 5)", "np.where(x > 1, x, -0.0)", "np.where(x > 1, x, 300)",
        "x & 1", "x | 256", "x ^ -1", "1.5 - x", "0 - x", "0.0 - x", "pow(x, 2)", "pow(x, 0.5)", "divmod(x, 2)",
        "divmod(x, -0.5)", "np.float32(x) * 3", "np.int8(3) * x", "np.uint8(3) + x", "np.uint64(3) - x"]

UPDATES = ["+=", "-=", "*=", "/=", "//=", "%=", "**=", "<<=", ">>=", "&=", "|=", "^="]
STORES = ([f"z[{at}] = y" for at in ("...", "0", "1:", "[0, 1]")] + [f"z {op} y" for op in UPDATES]
          + [f"z[0] {op} y" for op in UPDATES] + [f"z[1:] {op} y" for op in UPDATES]
          + ["z[[1, 2]] += y", "np.add.at(z, [0, 0], y)", "np.add.at(z, 0, y)"])
SAME_LENGTH = ["z[...] = y", *[f"z {op} y" for op in UPDATES], *[f"z[:] {op} y" for op in UPDATES]]  # of two arrays

ROUNDED = ("arctan2", "hypot", "**", "pow", "exp", "log", "sin", "cos", "tan", "sqrt", "cumsum")


def values(d):
    if d == "bool":
        return [False, True]
    if d == "int":
        return [0, 1, -1, 2, 3, 7, -3, 64, 127, 128, 256, 300, -129, -40000, 2**31, 2**32 + 5, 2**53 + 1,
                2**63 - 1, -2**63]
    if d in ("float", "float32", "float64"):
        large = 1e30 if d == "float32" else 1e300
        return [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, -3.0, 7.25, math.inf, -math.inf, math.nan, large, -1e10, 2.0**24,
                2.0**63, 300.5, 1e-40 if d == "float32" else 1e-310]
    i = np.iinfo(d)
    return [0, 1, 2, 3, 7, 31, 64, i.max, i.max - 1, i.max // 2 + 1, i.min, *([-1, -2, -3, i.min + 1] if i.min else [])]


def operands(kind, few=False):
    """All that an operand of this kind is called with."""
    kind, d = kind
    if kind == "array":
        return [np.array(values(d), d)]
    found = [np.dtype(d).type(v) for v in values(d)] if kind == "scalar" else values(d)
    return [x for k, x in enumerate(found) if k % 2 == 0 or x != x or k == len(found) - 1] if few else found


class Functions:
    """Functions of Python text; what is transformed must be in a file."""

    def __init__(self, folder):
        self.folder, self.count = folder, 0

    def of(self, lines, params, results):
        self.count += 1
        path = self.folder / f"cells{self.count}.py"
        path.write_text("import numpy as np\n\n\n" + f"def f({params}):\n" + "".join(f"    {line}\n" for line in lines)
                        + f"    return ({results},)\n")
        spec = importlib.util.spec_from_file_location(f"{self.folder.name}_{path.stem}".replace("-", "_"), path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module.f

    def expressions(self, texts, params):
        return self.of([f"r{k} = {text}" for k, text in enumerate(texts)], params,
                       ", ".join(f"r{k}" for k in range(len(texts))))

    def stores(self, texts, params):
        lines = [line for k, text in enumerate(texts) for line in (f"z{k} = x.copy()", text.replace("z", f"z{k}"))]
        return self.of(lines, params, ", ".join(f"z{k}" for k in range(len(texts))))


def run(f, args):
    args = [a.copy() if isinstance(a, np.ndarray) else a for a in args]
    try:
        return f(*args), None
    except Exception as error:  # what it raises is part of what it does
        return None, error


def leaves(x):
    return [leaf for item in x for leaf in leaves(item)] if isinstance(x, tuple) else [x]


def differs(got, want, rounded) -> str | None:
    """How two results differ: in structure, type, dtype, shape, value or sign."""
    if isinstance(want, tuple):
        return ("length" if len(got) != len(want)
                else next((d for g, w in zip(got, want) if (d := differs(g, w, rounded))), None))
    if type(got) is not type(want):
        return f"{type(got).__name__} {got!r} instead of {type(want).__name__} {want!r}"
    g, w = np.asarray(got), np.asarray(want)
    if (g.dtype, g.shape) != (w.dtype, w.shape):
        return f"{g.dtype}{g.shape} instead of {w.dtype}{w.shape}"
    same = g == w
    if w.dtype.kind == "f":
        close = np.isclose(g, w, rtol=4e-6 if w.dtype == np.float32 else 1e-12, atol=0.0) if rounded else same
        same = np.where(np.isnan(w), np.isnan(g), (same | close) & (np.signbit(g) == np.signbit(w)))
    return None if np.all(same) else f"{g[~same]} instead of {w[~same]}"


def wrong(text, args, got, want) -> str | None:
    """What is wrong with a result; None where it is right, or refused."""
    (result, error), (expected, exception) = got, want
    if isinstance(error, gs.GradscribeError):
        return None
    shown = ", ".join("..." if isinstance(a, np.ndarray) else repr(a) for a in args)
    if exception is not None:
        # of two that it is, the one or the other
        allowed = (type(exception), *((OverflowError, ValueError) if "**" in text or "power" in text else ()))
        return (None if isinstance(error, allowed) or error is not None and isinstance(exception, type(error))
                else f"{text} of {shown}: {error or result!r} instead of {exception!r}")
    if error is not None:
        return None if refused(text, args, error, expected) else f"{text} of {shown}: {error!r} instead of {expected!r}"
    difference = differs(result, expected, any(name in text for name in ROUNDED))
    return difference and f"{text} of {shown}: {difference}"


def refused(text, args, error, expected) -> bool:
    """Is an exception a refusal, of what only the run time knows?"""
    numbers = [x for x in leaves(expected) if not isinstance(x, np.ndarray)]
    if (any(np.asarray(x).dtype.kind == "c" for x in numbers) or "inf) **" in text
            or "0.5" in text and any(not isinstance(a, np.ndarray) and a == -math.inf for a in args)):
        return isinstance(error, ValueError)  # complex, and powers of -inf that are not, but of which few programs know
    if any(isinstance(x, int) and not -2**63 <= x < 2**63 for x in numbers):
        return isinstance(error, OverflowError)
    if "**" in text or "pow" in text:
        # of Python ints, which become floats
        return isinstance(error, ValueError) and "negative integer powers" in str(error)
    # a Python int that does not fit, which NumPy clips and adds all the same;
    # a Python float or int is converted by way of Python's int
    return isinstance(error, OverflowError) and ("clip" in text or "add.at" in text or "int(x)" in text
                                                 or text.startswith(("np.int", "np.uint")))


def implementation_defined(text, args) -> bool:
    """NumPy converts floats that do not fit uint32 in one way in arrays and in another as numbers; np.power takes roots
    of -0.0 and -inf that ** does not."""
    if text == "np.power(x, y)" and any(not isinstance(a, np.ndarray) and a == 0.5 for a in args):
        return not isinstance(args[0], np.ndarray)
    stored = any(getattr(a, "dtype", None) == np.uint32 for a in args[:1])
    return "uint32" in text or stored and ("/=" in text or "%=" in text or any(
        isinstance(y, (float, np.floating)) and not -1.0 < y < 2.0**32 for y in args[1:]))


def check(functions, texts, kinds, combinations, way, params="x, y", make=None):
    make = make or functions.expressions
    found, quiet = [], []
    wants = {}
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cells = {text: [c for c in combinations if not endless(text, c)] for text in texts}
        for text in texts:
            f = make([text], params)
            wants[text] = [run(f, c) for c in cells[text]]
            if way == "plain":
                transformed = gs.test_util.primal(f)
                found += [w for c, want in zip(cells[text], wants[text])
                          if (w := judged(text, c, run(transformed, c), want))]
        if way == "plain":
            return found
        for text, results in wants.items():
            types = {tuple(map(type, leaves(result))) for result, error in results if error is None}
            if (len(types) == 1 and len(cells[text]) == len(combinations)
                    and not any(error or refused(text, (), ValueError(), result)
                                or refused(text, (), OverflowError(), result) for result, error in results)):
                quiet.append(text)
        groups = [quiet] + [[t] for t in texts if t not in quiet]
        while groups:
            group = groups.pop()
            compiled = gs.jit(make(group, params)) if group else None
            gots = [run(compiled, c) for c in cells[group[0]]] if group else []
            if len(group) > 1 and any(error for _, error in gots):  # one of them is refused
                groups += [group[:len(group) // 2], group[len(group) // 2:]]
                continue
            for k, text in enumerate(group):
                for c, (result, error), want in zip(cells[text], gots, wants[text]):
                    if w := judged(text, c, (result and (result[k],), error), want):
                        found.append(w)
    return found


def endless(text, args) -> bool:
    """Is it a power of Python's ints that would fill the memory before Python gave up?"""
    return text in ("2 ** x", "x ** y") and all(type(a) is int for a in args) and args[-1] > 4096


def judged(text, args, got, want):
    return None if implementation_defined(text, args) else wrong(text, args, got, want)


@pytest.fixture(scope="module")
def functions(tmp_path_factory):
    return Functions(tmp_path_factory.mktemp("cells"))


def shuffled(cells):
    cells = list(cells)
    random.Random(0).shuffle(cells)
    return cells


def named(kind):
    return {"array": f"{kind[1]}[]", "scalar": f"np.{kind[1]}", "python": kind[1]}[kind[0]]


def over(cells, parts):
    return pytest.mark.parametrize("kinds", rotating(shuffled(cells), parts),
                                   ids=lambda kinds: "-".join(map(named, kinds)))


@pytest.mark.heavy(one_in=64)
@pytest.mark.parametrize("way", ["plain", "compiled"])
@over(itertools.product(KINDS, KINDS), 50)
def test_two_operands(functions, kinds, way):
    a, b = (operands(k) for k in kinds)
    combinations = list(itertools.product(a, b))
    if kinds[0][0] == kinds[1][0] == "array":
        combinations = [(x[:, None], y) for x, y in combinations]
    assert not check(functions, BINARY, kinds, combinations, way)


@pytest.mark.heavy(one_in=113)
@pytest.mark.parametrize("way", ["plain", "compiled"])
@over([(k,) for k in KINDS], 5)
def test_one_operand(functions, kinds, way):
    assert not check(functions, UNARY, kinds, [(x,) for x in operands(kinds[0])], way, params="x")


@pytest.mark.heavy(one_in=32)
@pytest.mark.parametrize("way", ["plain", "compiled"])
@over([(("array", d), k) for d in DTYPES for k in KINDS], 30)
def test_stores(functions, kinds, way):
    (x,), ys = operands(kinds[0]), operands(kinds[1], few=True)
    if kinds[1][0] == "array":
        x = np.resize(x, len(ys[0]))
    texts = SAME_LENGTH if kinds[1][0] == "array" else STORES
    assert not check(functions, texts, kinds, [(x, y) for y in ys], way, make=functions.stores)
