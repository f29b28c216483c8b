"""Calls of every NumPy function and method that has a handler, with each argument of its real signature:
what NumPy gives or raises, or refused.

The walk goes over the tables of the specialiser and NumPy's own signatures, so that a new function is met without being
told. A parameter for which `VALUES` has nothing fails the test: nobody has thought of it yet.
"""
import inspect
import warnings

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.transformer import api
from gradscribe.transformer.library.registry import FUNCTIONS, METHODS, everything
from gradscribe.transformer.rules.signatures import WRITTEN, is_numpy, signature
from gradscribe.transformer.specialise.evaluator.objects.foreign import is_scipys
from gradscribe.transformer.specialise.refusals.impure import title_of
from tests.support.cases import ALL, rotating
from tests.support.signature_values import APART, MORE as MORE_CALLS, MORE_OF, MORE_VALUES, ORDERS, ZEROS

everything()

OPERANDS = {
    "x": np.array([[0.5, -0.0, 2.0], [-1.5, 3.0, 0.25]]),
    "v": np.array([2.0, 0.0, -1.0]), "mask": np.array([[True, False, True], [False, True, True]]),
    "small": np.array([[250, 3, 7], [9, 200, 1]], np.uint8),
    "single": np.array([[0.1, -0.2, 3.0], [1e-3, 2.0, -0.0]], np.float32),
    "long": np.array([3, -1, 2]), "zero": np.array(1.5), "p": 2.5,
    "n": 2, "f4": np.float32(0.75), "i1": np.int8(-3), "flag": True, "cube": np.arange(24.0).reshape(2, 3, 4) - 7.5,
    "column": np.array([[1.0], [-2.0]]), "up": np.array([-1.0, 0.5, 0.5, 2.0]), "empty": np.zeros(0),
    "square": np.array([[2.0, 0.5, 0.0], [0.5, 1.0, -0.25], [0.0, -0.25, 3.0]])}
ARRAYS = ("x", "v", "mask", "small", "single", "long", "zero", "p", "n", "f4", "i1", "flag", "cube", "column", "empty",
          "[1.0, -0.0]", "[[1, 2], [3, 4]]", "(p, n)", "None")
AXES = ("0", "1", "-1", "-2", "2", "None", "(0, 1)", "(0,)", "()", "(0, 0)", "(0, 5)", "1.0", "n", "True")
DTYPES = ("None", "float", "np.float32", "int", "np.int16", "np.uint8", "bool", "'f4'", "np.dtype(np.int64)",
          "complex", "'no'")
FLAGS = ("True", "False", "None", "0")
COUNTS = ("0", "1", "3", "n", "-1", "2.5", "np.int64(2)", "None")
SHAPES = ("3", "(2, 3)", "[6]", "-1", "(-1, 2)", "(3, n)", "()", "(4,)", "(2, -1, -1)", "1.5", "(2, 0)",
          "(1, 2, 3)", "(n, 3)")
VALUES = {
    "self": ARRAYS, "a": ARRAYS, "x": ARRAYS, "x1": ARRAYS, "x2": ARRAYS,
    "b": ("x", "v", "p", "n", "f4", "zero", "x.T", "cube", "[1.0, 2.0, 3.0]", "i1"), "condition": ARRAYS, "y": ARRAYS,
    "array": ARRAYS, "object": ARRAYS,
    "prototype": ARRAYS, "element": ("x", "p", "f4", "n", "zero", "'text'", "[1.0]", "None"), "axis": AXES,
    "axis1": AXES, "axis2": AXES, "dtype": DTYPES, "out": ("None", "np.zeros(3)", "np.zeros((2, 3))", "x"),
    "keepdims": FLAGS, "initial": ("None", "0.5", "p", "-1"), "where": ("True", "False", "mask", "[True, False, True]"),
    "mean": ("0.5", "p", "v"), "correction": ("0", "1"), "ddof": ("0", "1", "2", "0.5", "7"),
    "kind": ("None", "'stable'", "'heapsort'", "'no'"), "order": ("None", "'C'", "'F'", "'K'", "'A'", "'no'"),
    "stable": ("None", "True", "False"), "casting": ("'same_kind'", "'unsafe'", "'no'", "'nothing'"),
    "subok": ("True", "False"), "like": ("None", "x"), "device": ("None", "'cpu'", "'gpu'"),
    "copy": ("None", "True", "False"), "signature": ("None", "'dd->d'"),
    "axes": (*AXES, "(1, 0)", "(-1, -2)", "[1, 0]"), "min": ("None", "0.0", "n", "v", "-300", "f4", "[0.0, 1.0, 0.5]"),
    "max": ("None", "0.5", "1", "v", "300", "p", "np.nan"),
    "a_min": ("None", "0.0", "-0.0", "3", "v", "-1", "p", "f4", "np.nan"),
    "a_max": ("None", "1.0", "-2", "v", "300", "p", "f4", "column"),
    "side": ("'left'", "'right'", "'middle'", "1"), "sorter": ("None", "[0, 1, 2, 3]", "[3, 2, 1, 0]", "np.argsort(v)"),
    "shape": SHAPES, "fill_value": ("1.5", "3", "300", "n", "p", "f4", "True", "[1.0, 2.0, 3.0]", "-1", "np.nan", "v"),
    "num": COUNTS, "endpoint": FLAGS, "retstep": FLAGS, "ndmin": ("0", "1", "2", "3", "-1"),
    "ndmax": ("0", "1", "64"), "start": ("0", "p", "v", "f4", "n", "1.5", "[1.0, 2.0]", "None", "-2"),
    "stop": ("1", "p", "x", "f4", "n", "2.5", "7", "None", "-2"), "step": ("1", "2", "-1", "0", "n", "0.5", "None"),
    "start_or_stop": ("1", "p"), "N": COUNTS, "M": COUNTS, "k": ("0", "1", "-1", "n", "9", "0.5"),
    "value": ("1", "p", "300", "n", "v", "f4", "np.nan"), "indices": ("0", "[0, 0]", "(0, 1)", "n", "9", "[1]", "-1"),
    "arrays": ("[x, x]", "(v, v, long)", "x", "v", "cube", "[x, v]", "[]", "[p, n]", "[single, small]", "zero", "(x,)",
               "[[1.0], [2.0]]", "p"),
    "newshape": SHAPES, "args": ("0", "(0, 1)"), "i": ("0",),
    "ufunc": (), "arrays_and_dtypes": ("x", "np.float32", "'f4'", "1.0"), "align": ("True",), "arg1": ("np.float32",),
    "arg2": ("np.floating",), "int_type": ("np.int8", "float"), "cls": (), "metadata": (), "upper": FLAGS,
    "prepend": ("0.0", "n", "column", "[1, 2, 3]", "x"), "append": ("p", "column", "mask"),
    "dx": ("1.0", "n", "v"), "arr": ARRAYS, "values": ("2.0", "v", "x", "[1, 2]", "i1", "empty"),
    "ary": ARRAYS, "indices_or_sections": ("1", "[1]", "(1, 2)", "3", "0", "-1", "n", "[1.5]"),
    "m": ARRAYS, "shift": ("1", "-1", "0", "n", "7", "(1, 2)", "1.5"),
    "A": ARRAYS, "reps": ("2", "(2, 1)", "(1, 2, 3)", "0", "n", "()", "-1", "1.5"),
    "repeats": ("2", "0", "n", "[1, 2, 0]", "[2, 1]", "[3]", "-1", "1.5", "True"),
    "offset": ("0", "1", "-1", "n", "9", "0.5"), "weights": ("None", "v", "x", "mask", "[1.0, 2.0]", "v * 0"),
    "returned": FLAGS, "xi": ("v", "p", "[1.0, 2.0]", "x"), "sparse": FLAGS, "indexing": ("'xy'", "'ij'", "'no'"),
    "mode": ("'raise'", "'clip'"), "axisa": AXES, "axisb": AXES,
    "axisc": AXES, "ord": ("None", "1", "2", "-1", "np.inf", "-np.inf", "'fro'", "'nuc'", "'no'", "3", "0", "0.5", "n"),
    "arys": ("p", "v", "x", "cube", "[1.0]"), "v": ARRAYS}
VALUES |= {
    "overwrite_a": ("False",), "overwrite_b": ("False",), "UPLO": ("'L'", "'U'", "'l'", "'no'", "0"),
    **dict.fromkeys(("full_matrices", "compute_uv", "hermitian", "allow_singular", "return_sign", "exact", "repetition",
                     "lower", "unit_diagonal", "check_finite", "transposed", "eigvals_only"), FLAGS[:2]),
    "rcond": ("None", "1e-3"), "rtol": ("None", "1e-3"),
    "tol": ("None", "1e-3"), "p": ("None", "2", "-2", "1", "'fro'"), "ind": ("1", "0", "2"), "x3": ARRAYS,
    "x4": ARRAYS, "q": ("2.0", "v", "None"), "d": ("1", "2", "1.5"), "extend": ("'zero'",),
    "c": ARRAYS, "r": ("None", "v", "p"), "trans": ("0", "1", "'T'", "'C'", "7"),
    "assume_a": ("None", "'gen'", "'pos'", "'sym'", "'no'", "'lower triangular'"), "driver": ("None", "'ev'"),
    "type": ("1",), "subset_by_index": ("None", "[0, 1]"), "subset_by_value": ("None",), "lapack_driver": ("'gesdd'",),
    "arrs": ("x", "v", "p"), "c_and_lower": ("(square, True)", "(square, False)", "(x, True)"), "kwargs": ()}
VALUES["source"] = VALUES["destination"] = AXES
VALUES["tup"] = VALUES["arrays"]
VALUES |= {"ar": ARRAYS, "return_index": FLAGS, "return_inverse": FLAGS, "return_counts": FLAGS, "equal_nan": FLAGS,
           "sorted": FLAGS}
VALUES |= MORE_VALUES
OF = {  # what the others are while one parameter is tried, where it is not the first of VALUES
    "np.searchsorted": {"a": "up", "v": "0.5"}, "np.expand_dims": {"axis": "0"}, "np.take": {},
    "np.clip": {"a_min": "0.0", "a_max": "1.0"}, "np.add.at": {"a": "v", "indices": "0", "b": "p"},
    "np.vdot": {"b": "x"}, "np.where": {"condition": "mask", "x": "x", "y": "p"}, "np.reshape": {"shape": "(3, 2)"},
    "reshape": {"shape": "(3, 2)"}, "np.broadcast_to": {"shape": "(2, 2, 3)"}, "np.matmul": {"x1": "x", "x2": "v"},
    "np.dot": {"b": "v"}, "np.inner": {"b": "v"}, "dot": {"b": "v"}, "np.swapaxes": {"axis1": "0", "axis2": "1"},
    "swapaxes": {"axis1": "0", "axis2": "1"}, "np.linspace": {"start": "0.0", "stop": "p"},
    "np.arange": {"stop": "4"}, "np.eye": {"N": "3"}, "np.identity": {"n": "3"}, "astype": {"dtype": "np.float32"},
    "item": {"a": "zero"}, "np.full": {"shape": "(2, 3)"}, "np.split": {"ary": "up", "indices_or_sections": "2"},
    "np.array_split": {"ary": "up", "indices_or_sections": "3"}, "np.roll": {"shift": "1"}, "np.tile": {"reps": "2"},
    "np.repeat": {"repeats": "2"}, "repeat": {"repeats": "2"}, "np.append": {"values": "p"},
    "np.cross": {"a": "v", "b": "long"}, "np.kron": {"b": "v"}, "np.tensordot": {"b": "x.T"},
    "np.tri": {"N": "3"}, "np.take": {"indices": "1"}, "take": {"indices": "1"}, "diagonal": {"a": "x"},
    "trace": {"a": "x"}, "np.linalg.solve": {"a": "square", "b": "v"}, "np.linalg.cholesky": {"a": "square"},
    "np.zeros": {"shape": "(2, 3)"}, "np.ones": {"shape": "(2, 3)"}, "np.empty": {"shape": "(0, 3)"},
    "np.empty_like": {"prototype": "empty"}}
OF |= {f"np.linalg.{n}": {"a": "square"} for n in ("eigh", "eigvalsh", "inv", "det", "slogdet")}
OF |= {"np.linalg.matrix_power": {"a": "square", "n": "2"}, "np.linalg.lstsq": {"a": "x.T", "b": "v"},
       "np.linalg.multi_dot": {"arrays": "[x, square]"}, "np.linalg.tensorsolve": {"a": "square", "b": "v"},
       "np.linalg.tensorinv": {"a": "square", "ind": "1"}, "np.linalg.outer": {"x1": "v", "x2": "v"},
       "np.linalg.cross": {"x1": "v", "x2": "v"}, "np.linalg.matmul": {"x1": "x", "x2": "square"},
       "np.linalg.tensordot": {"x1": "x", "x2": "x.T"}, "np.linalg.vecdot": {"x2": "v"},
       "scipy.linalg.solve": {"a": "square", "b": "v"}, "scipy.linalg.solve_triangular": {"a": "square", "b": "v"},
       "scipy.linalg.cho_solve": {"b": "v"}, "scipy.special.zeta": {"x": "2.5", "q": "p"},
       "scipy.special.polygamma": {"n": "1", "x": "p"}, "scipy.special.multigammaln": {"a": "p", "d": "2"},
       "scipy.special.comb": {"N": "n", "k": "long"}, "scipy.special.factorial": {"n": "long"},
       "scipy.special.logsumexp": {"b": "2.0"}}
OF |= ({f"scipy.linalg.{n}": {"a": "square"} for n in ("inv", "det", "cholesky", "cho_factor", "eigh", "eigvalsh")}
       | {"scipy.linalg.expm": {"A": "square"}, "scipy.linalg.circulant": {"c": "v"},
          "scipy.linalg.toeplitz": {"c": "v"}, "scipy.linalg.hankel": {"c": "v"}})
SQUARES = (*ARRAYS, "square", "square[None]", "square[:0, :0]", "[[2.0, 0.5], [0.5, 1.0]]", "square.astype(np.float32)",
           "square.T", "square * 0")
MORE = {**{(f"np.linalg.{name}", "a"): SQUARES for name in ("solve", "inv", "det", "slogdet", "cholesky")},
        ("np.searchsorted", "v"): ARRAYS, ("np.searchsorted", "a"): ("up", "long", "x", "[1.0, 2.0]", "empty", "p"),
        ("np.where", "x"): ("x", "p", "n", "single", "f4", "300", "None", "column"),
        ("np.where", "y"): ("x", "p", "n", "single", "f4", "small", "v", "None"),
        ("np.transpose", "axes"): (*VALUES["axes"], "(2, 0, 1)"), ("np.identity", "n"): COUNTS,
        ("np.dtype", "dtype"): DTYPES[1:], ("np.cross", "b"): ("long", "v", "square", "p", "[1, 2, 3]", "x", "single"),
        ("np.cross", "a"): (*ARRAYS, "square"),
        ("np.tensordot", "axes"): ("1", "0", "2", "(1, 0)", "([1], [0])", "([0, 1], [1, 0])", "n", "([0, 0], [0, 0])"),
        ("np.diff", "n"): ("1", "0", "2", "-1", "7", "n", "1.5"),
        ("np.trapezoid", "x"): ("None", "x", "v", "column", "[1.0, 2.0, 4.0]"), ("np.trapezoid", "y"): ARRAYS,
        ("np.diagonal", "a"): (*ARRAYS, "square"), ("np.trace", "a"): (*ARRAYS, "square"),
        ("np.finfo", "dtype"): ("float", "np.float32", "int"), ("np.clip", "where"): ("True",),
        ("clip", "where"): ("True",)}
OF |= MORE_OF
MORE |= MORE_CALLS
MORE |= ({(f"np.linalg.{name}", "a"): SQUARES for name in ("eigh", "eigvalsh", "pinv", "qr", "svd", "matrix_power")}
         | {(f"scipy.linalg.{name}", "a"): SQUARES
            for name in ("inv", "det", "cholesky", "cho_factor", "solve", "solve_triangular", "eigvalsh", "eigh")})
MORE |= {("np.linalg.matrix_power", "n"): ("0", "1", "2", "3", "-1", "1.5", "n"),
         ("scipy.special.factorial", "n"): ARRAYS, ("scipy.special.comb", "N"): ARRAYS,
         ("scipy.special.comb", "k"): ARRAYS, ("scipy.special.polygamma", "n"): ("0", "1", "2"),
         ("np.linalg.lstsq", "a"): ("x.T", "x", "square", "v"),
         ("scipy.linalg.expm", "A"): SQUARES, ("np.linalg.svdvals", "x"): SQUARES,
         ("np.linalg.qr", "mode"): ("'reduced'", "'complete'", "'r'", "'raw'", "'no'")}
COMPLEX = ("square + 1j * square.T", "(square @ square.T + 0.1j * (square - square.T)).astype(np.complex64)",
           "(x + 1j)[None]", "square[:0] * 1j", "square * 0j", "v * 1j")
MORE |= {key: (*values, *COMPLEX) for key, values in MORE.items() if values is SQUARES}
MORE |= {(f"np.linalg.{name}", "a"): ("square + 0j", "square * 1j", "x", "square.astype(np.complex64)",
                                      "(square + 0j)[None]", "square", "v") for name in ("eig", "eigvals")}
# which of two zeros is NumPy's own choice
ANY_ZERO = (*ZEROS, "dot", "np.dot", "np.inner", "np.vdot", "np.matmul", "np.maximum", "np.minimum", "clip", "np.clip")
BITS, INTEGERS = (("bitwise", "shift", "invert", "np.gcd", "np.lcm"),
                  ("small", "long", "mask", "n", "flag", "i1", "p", "x", "[1, 2]"))


def name_of(f) -> str:
    """What a function is called in the texts; a method of arrays by its bare name."""
    if isinstance(f, str):
        return f
    if is_scipys(f):
        return title_of(f)
    owner = getattr(f, "__self__", None)
    return (f"np.{owner.__name__}.{f.__name__}" if isinstance(owner, np.ufunc)
            else f"{f.__module__.replace('numpy', 'np')}.{f.__name__}")


TABLE = {name_of(f): f for f in [*FUNCTIONS, *METHODS]
         if isinstance(f, str) and hasattr(np.ndarray, f) or not isinstance(f, str) and not isinstance(f, tuple)
         and is_numpy(f) and f is not np.generic and name_of(f) not in APART
         and not inspect.ismethod(f)}  # those of SciPy's distributions are in test_scipy_stats.py


def values_of(name, parameter, bits):
    if (name, parameter) in MORE:
        return MORE[name, parameter]
    assert parameter in VALUES, f"{name} has a parameter {parameter}: which values are worth a try? (VALUES)"
    return INTEGERS if bits and VALUES[parameter] is ARRAYS else VALUES[parameter]


def required(name, parameter, bits):
    return OF.get(name, {}).get(parameter) or values_of(name, parameter, bits)[0]


def written(name, args, named):
    """The call as text; the array of a method stands before its name."""
    shown = [*args, *(f"{k}={text}" for k, text in named.items())]
    return (f"{name}({', '.join(shown)})" if "." in name
            else f"({args[0]}).{name}({', '.join(shown[1:])})" if args else "x")


def calls_of(name, f):
    """The texts of all calls to try."""
    parameters, bits = list(signature(f).parameters.values()), any(b in name for b in BITS)
    if isinstance(f, np.ufunc) and is_scipys(f):  # of other arguments some of SciPy's own write beside their memory
        parameters = [p for p in parameters if p.kind is p.POSITIONAL_ONLY]
    own = [p for p in parameters if p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    own += [p for p in parameters if p not in own and p.name in OF.get(name, {}) and p.kind is not p.VAR_POSITIONAL]
    base = {p.name: required(name, p.name, bits) for p in own}
    own.sort(key=parameters.index)
    out = []
    for p in parameters:
        for text in [] if p.kind is p.VAR_KEYWORD else values_of(name, p.name, bits):
            given, by_position, by_name, ends = base | {p.name: text}, [], {}, False
            for q in parameters:
                if q.kind is q.VAR_POSITIONAL and q.name in given:
                    by_position.append(given[q.name])
                elif q.name in given and (q.kind is q.KEYWORD_ONLY or ends):
                    by_name[q.name] = given[q.name]
                elif q.name in given:
                    by_position.append(given[q.name])
                ends = ends or q.name not in given
            out.append(written(name, by_position, by_name))
            before = parameters[:parameters.index(p)]
            if (p.kind is p.POSITIONAL_OR_KEYWORD and p not in own
                    and all(q.name in base or isinstance(q.default, (int, type(None), str)) for q in before)):
                out.append(written(name, [base.get(q.name) or repr(q.default) for q in before] + [text], {}))
            if p.kind is p.POSITIONAL_OR_KEYWORD and p in own and "." in name:
                out.append(written(name, [], base | {p.name: text})
                           if not any(q.kind is q.POSITIONAL_ONLY for q in parameters) else out[-1])
    plain = [base[p.name] for p in own]
    wrong = [written(name, plain, {"bogus": "1"}), written(name, plain + ["None"] * 12, {}),
             written(name, plain[:1], {own[0].name: plain[0]} if own else {})]
    return list(dict.fromkeys(out + wrong + ([written(name, [], {})] if "." in name else [])))


def function_of(texts, tmp_path):
    """Functions of OPERANDS, one for each text, from a file."""
    path = tmp_path / "calls.py"
    header = ", ".join(OPERANDS)
    path.write_text("import numpy as np\nimport scipy\n\n\n"
                    + "\n\n".join(f"def f{k}({header}):\n    r = {text}\n    return r, x, v\n"
                                  for k, text in enumerate(texts)), encoding="utf-8")
    namespace = {"__name__": "calls_to_try"}
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), namespace)
    return [namespace[f"f{k}"] for k in range(len(texts))]


def outcome(f):
    args = [a.copy() if isinstance(a, np.ndarray) else a for a in OPERANDS.values()]
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return f(*args), None
    except Exception as error:
        return None, error


def same(a, b, signs=True) -> bool:
    if isinstance(a, (tuple, list)):
        return type(a) is type(b) and len(a) == len(b) and all(same(x, y, signs) for x, y in zip(a, b))
    if isinstance(a, (np.ndarray, np.generic)):
        if type(a) is not type(b) or a.dtype != b.dtype or a.shape != b.shape:
            return False
        if a.dtype.kind == "c":
            close = 3e-6 if a.dtype == np.complex64 else 1e-13  # eps times the condition of `square @ square.T`
            return np.allclose(a, b, rtol=close,
                               atol=0.1 * close * np.max(np.abs(a), initial=0.0, where=np.isfinite(a)), equal_nan=True)
        if a.dtype.kind != "f":
            return np.array_equal(a, b)
        near = 1e-15 * np.max(np.abs(a), initial=0.0, where=np.isfinite(a))
        zero = (np.abs(a) <= near) & ((a != 0.0) | (b != 0.0))  # but for rounding, which has either sign
        single = a.dtype == np.float32
        return (np.allclose(a, b, rtol=1e-6 if single else 4e-13, atol=3e8 * near if single else near, equal_nan=True)
                and (not signs
                     or np.array_equal(np.signbit(a) & (a == a) & ~zero, np.signbit(b) & (b == b) & ~zero)))
    return (type(a) is type(b)
            and (a == b or a != a and b != b or isinstance(a, (np.iinfo, np.finfo)) and str(a) == str(b)))


def problem(want, got, signs=True) -> str:
    """What is wrong with an outcome; nothing where it is the same, or refused."""
    if isinstance(got[1], gs.GradscribeError):
        return ""
    if want[1] is not None or got[1] is not None:
        kinds = [next((c for c in type(e).__mro__ if c.__module__ in ("builtins", "numpy.exceptions")), None)
                 for e in (want[1], got[1])]
        return "" if kinds[0] is kinds[1] else f"{want[1] or want[0][0]!r} became {got[1] or got[0][0]!r}"
    return ("" if same(want[0], got[0], signs)
            else f"{want[0][0]!r} became {got[0][0]!r}" + " (or an argument)" * same(want[0][0], got[0][0], signs))


def is_known(name, text, found) -> bool:
    """Is it one of these: what np.empty holds; which of two exceptions comes first;
    what is left of residuals by rounding."""
    return ((name.startswith("np.empty") or name in ORDERS) and "array(" in found
            or name == "np.vdot" and "(None" in text
            or name == "np.linalg.tensordot" and "IndexError" in found or name == "np.linalg.lstsq" and "e-3" in found
            or name.startswith("scipy.linalg") and "multiple values" in found
            or name.startswith("np.fft") and "wrong shape" in found)


@pytest.mark.heavy(one_in=493)
@pytest.mark.parametrize("name", TABLE)
def test_arguments(name, tmp_path):
    texts = calls_of(name, TABLE[name])
    wrong, accepted = [], 0
    # to one that has names of its own
    hands_on = any(p.kind is p.VAR_KEYWORD for p in signature(TABLE[name]).parameters.values())
    for text, f in zip(texts, function_of(texts, tmp_path)):
        want, got = outcome(f), outcome(api.Primal(f))
        accepted += got[1] is None
        found = problem(want, got, signs=name not in ANY_ZERO[:5 + len(ZEROS)])
        if "bogus" in text and not hands_on and isinstance(want[1], TypeError) and not isinstance(got[1], TypeError):
            found = f"a wrong call raises {got[1]!r}"
        if found and not is_known(name, text, found):
            wrong.append(f"{text}: {found}")
    if wrong:
        pytest.fail("\n".join(wrong), pytrace=False)
    assert accepted, "no call of it works"


def compiled_calls(name, step=1):
    """Calls of a function that work, each step-th of them."""
    texts = calls_of(name, TABLE[name])
    return [text for text in texts[::step] if "empty" not in name and "np.zeros((" not in text]


def disagreements(name, texts, tmp_path) -> list[str]:
    """What is wrong with these calls, compiled: several in a function, since compiling takes the time."""
    works = [text for text, f in zip(texts, function_of(texts, tmp_path))
             if outcome(f)[1] is None and outcome(api.Primal(f))[1] is None]
    chunks, wrong = [works[k:k + 12] for k in range(0, len(works), 12)], []
    while chunks:
        chunk = chunks.pop()
        (f,) = function_of([f"({', '.join(chunk)},)"], tmp_path)
        want, got = outcome(f), outcome(gs.jit(f))
        if got[1] is not None and len(chunk) > 1:
            chunks += [chunk[:len(chunk) // 2], chunk[len(chunk) // 2:]]
        elif got[1] is not None:
            wrong += [f"{chunk[0]}: {got[1]!r}"] * (not isinstance(got[1], gs.GradscribeError))
        else:
            wrong += [f"{text}: {w!r} became {g!r}" for text, w, g in zip(chunk, want[0][0], got[0][0])
                      if not same(w, g, signs=name not in ANY_ZERO) and not is_known(name, text, f"{w!r}")]
    return wrong


@pytest.mark.heavy(one_in=27)
@pytest.mark.parametrize("name", rotating(TABLE, 12))
def test_compiled(name, tmp_path):
    wrong = disagreements(name, compiled_calls(name, 1 if ALL else 3), tmp_path)
    if wrong:
        pytest.fail("\n".join(wrong), pytrace=False)


@pytest.mark.parametrize("name", [n for n in WRITTEN if n not in (
    "np.ufunc", "np.generic", "np.at", "np.reduce", "np.reduceat", "np.accumulate", "np.ufunc.outer", "np.clip", "clip",
    "np.arange") and not n.startswith("scipy.")])
def test_written_signatures_are_numpys(name):
    """Where this NumPy can tell the signature of what is written in C, it has the same parameters."""
    try:
        real = inspect.signature(getattr(np.ndarray, name) if "." not in name else getattr(np, name[3:]))
    except ValueError:
        pytest.skip("this NumPy does not tell")
    own = signature(name if "." not in name else getattr(np, name[3:]))
    shown = [[(p.name, p.kind) for p in sig.parameters.values()] for sig in (own, real)]
    assert shown[0][1:] == [p for p in shown[1][1:] if p[0] != "keepdims"] or name in ("dot", "np.matmul", "view")
