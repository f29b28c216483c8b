"""All that NumPy and SciPy offer and that works (public_calls.py), through the whole table: values, dtypes,
shapes, derivatives, batches, compiled.

Nothing is said of a single function here: what holds for one must hold for all, and what does not is refused.
"""
import re
import warnings
from pathlib import Path

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.transformer import api
from gradscribe.transformer.testing import numeric_leaves
from tests.corpus.numpy_calls import OPERANDS
from tests.corpus.public_calls import CALLS, JUMPS, NOT_COMPILED, ROUNDED, VALUES_DECIDE, WITHOUT
from tests.library.test_signatures import same

HEAD = """\
import numpy as np
from scipy import integrate, interpolate, linalg, ndimage, optimize, signal, sparse, special, stats

SPARSE = sparse.csr_matrix(np.array([[1.0, 0, 2], [0, 0, 3], [4, 0, 0]]))
SPARSE_ARRAY = sparse.csr_array(SPARSE)


"""
CHUNKS = [list(CALLS)[k:k + 6] for k in range(0, len(CALLS), 6)]
chunks = pytest.mark.parametrize("names", CHUNKS, ids=lambda names: names[0])
CHANGED = " x, v, A"  # what calls may store into


@pytest.fixture
def function_of(tmp_path):
    """A function of the operands that gives what these texts do."""
    def make(texts, more=""):
        path = tmp_path / f"calls{len(list(Path(tmp_path).iterdir()))}.py"
        path.write_text(f"{HEAD}def f({', '.join(OPERANDS)}):\n    return ({', '.join(texts)},{more})\n",
                        encoding="utf-8")
        namespace = {"__name__": path.stem}
        exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), namespace)
        return namespace["f"]
    return make


def used(text):
    """The operands that a text names."""
    return [name for name in OPERANDS if re.search(rf"(?<![\w.'\"]){name}(?![\w'\"=(])", text)]


def outcome(f, args):
    args = [a.copy(order="K") if isinstance(a, np.ndarray) else a for a in args]
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return f(*args), None
    except Exception as error:
        return None, error


def close(a, b) -> bool:
    """Of numbers that are rounded to few digits, on the way or at the end."""
    if isinstance(a, (tuple, list)):
        return type(a) is type(b) and len(a) == len(b) and all(map(close, a, b))
    if isinstance(a, (np.ndarray, np.generic)):
        return (type(a) is type(b) and (a.dtype, a.shape) == (b.dtype, b.shape)
                and np.allclose(a.astype(complex), b.astype(complex), rtol=2e-2, atol=2e-2, equal_nan=True))
    return same(a, b, signs=False)


def disagreement(want, got, alike) -> str:
    """What is wrong with an outcome: nothing where it is refused."""
    if isinstance(got[1], gs.GradscribeError):
        return ""
    if want[1] is not None or got[1] is not None:
        kinds = [next((c for c in type(e).__mro__ if c.__module__ in ("builtins", "numpy.exceptions", "numpy.linalg")),
                      None) for e in (want[1], got[1])]
        return "" if kinds[0] is kinds[1] else f"{want[1] or want[0][0]!r} became {got[1] or got[0][0]!r}"
    return "" if alike(want[0], got[0]) else f"{want[0][0]!r} became {got[0][0]!r}"


def exactly(a, b):
    return same(a, b, signs=False)


def to_rounding(a, b):
    """As compiled code promises: an exponential of a matrix is not SciPy's to the last bit."""
    if isinstance(a, np.ndarray) and a.dtype == np.float64:
        return (type(a) is type(b) and (a.dtype, a.shape) == (b.dtype, b.shape)
                and np.allclose(a, b, rtol=1e-12, atol=1e-15, equal_nan=True))
    if isinstance(a, float):
        return type(a) is type(b) and np.isclose(a, b, rtol=1e-14, atol=0.0, equal_nan=True)
    return exactly(a, b)


@pytest.mark.heavy(one_in=40)
@chunks
def test_values(names, function_of):
    wrong = []
    for text in (text for name in names for text in CALLS[name]):
        f = function_of([text], CHANGED)
        want, got = outcome(f, OPERANDS.values()), outcome(api.Primal(f), OPERANDS.values())
        found = disagreement(want, got, exactly) or str(want[1] or got[1] or "")
        wrong += [f"{text}: {found}"] if found else []
    assert not wrong, "\n".join(wrong)


# other dtypes and shapes ----------------------------------------------------------------------------------------------
def of_dtype(dtype):
    def cast(a):
        if isinstance(a, np.ndarray) and a.dtype.kind == "f":
            return a.astype(dtype)
        return np.dtype(dtype).type(a) if isinstance(a, float) and dtype != "?" else a
    return cast


def of_arrays(change):
    return lambda a: change(a) if isinstance(a, np.ndarray) else a


DTYPES = ({dtype: of_dtype(dtype) for dtype in ("f4", "c16", "c8", "f2", "i8", "i4", "u1", "?")}
          | {"small ints": lambda a: a.astype("i1") if isinstance(a, np.ndarray) and a.dtype.kind == "i" else a})
SHAPES = {"Fortran": of_arrays(np.asfortranarray), "strided": of_arrays(lambda a: np.repeat(a, 2, -1)[..., ::2]),
          "reversed": of_arrays(lambda a: a[::-1].copy()[::-1]), "empty": of_arrays(lambda a: a[..., :0]),
          "no rows": of_arrays(lambda a: a[:0]), "size 1": of_arrays(lambda a: a[(slice(0, 1),) * a.ndim]),
          "0-d": of_arrays(lambda a: np.array(a.flat[0])), "stacked": of_arrays(lambda a: np.stack([a, a])),
          "zeros": lambda a: a * -0.0 if isinstance(a, np.ndarray) and a.dtype.kind == "f" else a}
# what depends on what is in memory, which of several exceptions comes first,
# and where SciPy rounds or overflows in small dtypes
NUMPYS_OWN = {
    ("empty", "np.fft"), ("no rows", "np.fft"), ("stacked", "np.argsort(x, axis=None)"), ("no rows", "np.einsum"),
    ("u1", "stats."), ("empty", "np.polyval"), ("no rows", "np.polyval"), ("empty", "np.average"),
    ("f2", "np.polyfit"), ("u1", "np.polyfit"), ("f4", "stats.dirichlet"), ("f2", "stats.dirichlet"),
    ("no rows", "np.average"), ("no rows", "np.cov"), ("size 1", "linalg.lu("), ("0-d", "np.compress"),
    *[(shape, call) for shape in ("empty", "no rows", "size 1", "0-d", "stacked") for call in (
        "np.argpartition", "np.partition", "np.gradient", "np.lexsort", "np.nanpercentile", "np.trapezoid", "np.roots",
        "np.poly(", "np.piecewise", "special.logsumexp", "linalg.solve(A @ A.T", "signal.lfilter", "linalg.sqrtm")],
    ("?", "np.ptp"), ("empty", "np.histogramdd")}


def own_way(label, text):
    return any(label == kind and text.startswith(call) for kind, call in NUMPYS_OWN)


@pytest.mark.heavy(one_in=1023)
@pytest.mark.parametrize("changes", [DTYPES, SHAPES], ids=["dtypes", "shapes"])
@chunks
def test_other_operands(names, changes, function_of):
    wrong = []
    for text in (text for name in names for text in CALLS[name]):
        f, chosen = function_of([text], CHANGED), used(text)
        g = api.Primal(f)
        for label, change in changes.items():
            args = [change(a) if name in chosen else a for name, a in OPERANDS.items()]
            if own_way(label, text) or all(a is b for a, b in zip(args, OPERANDS.values())):
                continue
            rough = (label in ("f2", "u1")
                     or label == "f4" and text.startswith(("stats.", "special.", "np.i0", "np.kaiser")))
            found = disagreement(outcome(f, args), outcome(g, args), close if rough else exactly)
            wrong += [f"{text}, {label}: {found}"] if found else []
    assert not wrong, "\n".join(wrong)


# derivatives, batches, compiled ---------------------------------------------------------------------------------------
@pytest.mark.heavy(one_in=75)
@chunks
def test_derivatives(names, function_of):
    for text in (text for name in names if not name.startswith(JUMPS) for text in CALLS[name]):
        f = function_of([text])
        values = [np.asarray(leaf) for leaf in numeric_leaves(outcome(f, OPERANDS.values())[0])]
        if (any(r in text for r in ROUNDED) or not any(y.dtype.kind == "f" for y in values)
                or not all(np.isfinite(y).all() for y in values)):
            continue
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if text in WITHOUT:
                with pytest.raises(gs.GradscribeError, match=WITHOUT[text]):
                    gs.test_util.check_grads(f, tuple(OPERANDS.values()), order=2)
                continue
            try:
                gs.test_util.check_grads(f, tuple(OPERANDS.values()), order=2)
            except Exception as error:
                pytest.fail(f"{text}: {error}", pytrace=False)


def examples(name, a):
    """Two of an operand, which differ."""
    turned = a.T if name == "A" else a if name == "up" else a[::-1]
    return np.stack([a, turned * 0.9 if a.dtype.kind == "f" else turned])


@pytest.mark.heavy(one_in=56)
@chunks
def test_batches(names, function_of):
    for text in (text for name in names for text in CALLS[name]):
        chosen = [name for name in used(text) if isinstance(OPERANDS[name], np.ndarray)]
        if not chosen:
            continue
        f = function_of([text])
        many = [examples(name, a) if name in chosen else a for name, a in OPERANDS.items()]
        batched = gs.vmap(f, in_axes=tuple(0 if name in chosen else None for name in OPERANDS))
        if text in VALUES_DECIDE:
            with pytest.raises(gs.GradscribeError, match=VALUES_DECIDE[text]):
                batched(*many)
            continue
        (first, error), (second, other_error) = (outcome(f, [m[k] if name in chosen else m
                                                             for name, m in zip(OPERANDS, many)]) for k in range(2))
        got, raised = outcome(batched, many)
        assert (error, other_error, raised) == (None, None, None), text
        for y, *each in zip(*map(numeric_leaves, (got, first, second)), strict=True):
            np.testing.assert_allclose(y, np.stack(list(map(np.asarray, each))), rtol=1e-9, atol=1e-12, err_msg=text)


@pytest.mark.heavy(one_in=291)
@chunks
def test_compiled(names, function_of):
    texts = [text for name in names for text in CALLS[name]]
    for text in [text for text in texts if text in NOT_COMPILED]:
        with pytest.raises(gs.GradscribeError, match=NOT_COMPILED[text]):
            gs.jit(function_of([text]))(*OPERANDS.values())
        texts.remove(text)
    groups = [texts[k:k + 10] for k in range(0, len(texts), 10)]
    while groups:
        group = groups.pop()
        f = function_of(group)
        want, got = outcome(f, OPERANDS.values()), outcome(gs.jit(f), OPERANDS.values())
        if got[1] is not None and len(group) > 1:
            groups += [group[:len(group) // 2], group[len(group) // 2:]]
            continue
        assert got[1] is None, (group, got[1])
        wrong = [(t, w, g) for t, w, g in zip(group, want[0], got[0]) if not to_rounding(w, g)]
        assert not wrong, wrong


def test_what_is_said_of_calls_is_said_of_these():
    """No list of refusals names a call that is no longer here."""
    assert {*VALUES_DECIDE, *NOT_COMPILED, *WITHOUT} <= {text for texts in CALLS.values() for text in texts}
