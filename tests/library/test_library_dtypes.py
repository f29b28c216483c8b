"""Calls of NumPy's library on operands of all sorts: one and more axes, ints, bytes, float32, bools,
Fortran's order, empty, singular.

Value, dtype, shape and exception are NumPy's, or it is refused. A rotating part runs; GRADSCRIBE_TEST_ALL=1 runs all.
"""
import numpy as np
import pytest

import gradscribe as gs
from tests.library.test_dtypes import Functions, differs, run
from tests.support.cases import rotating

CALLS = """
np.diff(x) | np.diff(x, n=0) | np.diff(x, n=2) | np.diff(x, n=9) | np.diff(x, -1) | np.diff(x, axis=-2)
np.diff(x, prepend=0) | np.diff(x, append=[1.5]) | np.diff(x, axis=0, prepend=0.0)
np.append(x, 3) | np.append(x, x, axis=0) | np.append(x, x, axis=-1) | np.append([], x) | np.append(1, x)
np.diag(x) | np.diag(x, 1) | np.diag(x, -2) | np.diag(x, k=7) | np.diagonal(x) | np.diagonal(x, 1) | np.diagonal(x, -1)
np.trace(x) | np.trace(x, 1) | np.trace(x, offset=-1) | np.trace(x, dtype=np.float32)
np.tri(3) | np.tri(3, 4, -1) | np.tri(2, dtype=bool) | np.tril(x) | np.triu(x, -1) | np.tril(x, k=1) | np.eye(3, k=-1)
np.identity(2, dtype=int)
np.roll(x, 1) | np.roll(x, -5) | np.roll(x, 1, axis=0) | np.roll(x, (1, 2), axis=(0, 1)) | np.roll(x, 2, axis=-1)
np.tile(x, 2) | np.tile(x, (2, 1)) | np.tile(x, (2, 2, 1)) | np.tile(x, 0)
np.repeat(x, 2) | np.repeat(x, 3, axis=0) | np.repeat(x, [1, 2, 0], axis=-1) | np.repeat(x, 0)
np.split(x, 3) | np.split(x, [1, 2]) | np.split(x, [5]) | np.split(x, 2) | np.array_split(x, 2)
np.split(x, [1], axis=-1)
np.flip(x) | np.flip(x, 0) | np.flip(x, axis=(0, -1)) | np.fliplr(x) | np.flipud(x)
np.meshgrid(x, x) | np.meshgrid(x, x, indexing='ij') | np.meshgrid(x, x[:1], sparse=True)
np.average(x) | np.average(x, axis=0) | np.average(x, weights=x) | np.average(x, axis=-1, weights=[1, 2, 3])
np.average(x, weights=np.zeros(3))
np.linalg.norm(x) | np.linalg.norm(x, 1) | np.linalg.norm(x, np.inf) | np.linalg.norm(x, -np.inf)
np.linalg.norm(x, 3) | np.linalg.norm(x, 0) | np.linalg.norm(x, axis=0)
np.linalg.norm(x, axis=-1, keepdims=True) | np.linalg.norm(x, 'fro') | np.linalg.norm(x, ord=2, axis=0)
np.kron(x, x) | np.kron(x, [1, 2]) | np.tensordot(x, x, 1) | np.tensordot(x, x, 0)
np.tensordot(x, x, axes=([0], [0])) | np.vdot(x, x) | np.inner(x, x)
np.take(x, 1) | np.take(x, [0, -1]) | np.take(x, [0, 5]) | np.take(x, [[0, 1]], axis=0)
np.take(x, [0, 7], mode='clip') | np.take(x, -1, axis=-1)
np.trapezoid(x) | np.trapezoid(x, dx=-2) | np.trapezoid(x, x) | np.trapezoid(x, axis=0) | np.ptp(x) | np.ptp(x, axis=0)
np.cross(x, x) | np.cross(x, [1, 2, 3]) | np.cross(x, x, axis=0) | np.cross([1.0, 2, 3], x)
np.column_stack([x, x]) | np.dstack([x, x]) | np.atleast_1d(x) | np.atleast_2d(x) | np.atleast_3d(x)
np.expand_dims(x, (0, -1)) | np.moveaxis(x, 0, -1) | np.swapaxes(x, 0, -1)
np.var(x) | np.var(x, ddof=1) | np.std(x, axis=0, ddof=1) | np.var(x, dtype=np.float32) | np.var(x, ddof=5)
np.sort(x) | np.sort(x, axis=0) | np.argsort(x, axis=0)
np.linalg.det(x) | np.linalg.inv(x) | np.linalg.solve(x, x) | np.linalg.solve(x, x[0]) | np.linalg.slogdet(x)
np.linalg.cholesky(x @ x.T) | np.linalg.cholesky(x)
np.linspace(x[0], x[1], 4) | np.linspace(0, 1, 3, endpoint=False) | np.linspace(1, 1, 1) | np.size(x, 0)
np.fill_diagonal(x, 0)
np.lexsort((x, x[:2])) | np.lexsort(x[:0]) | np.histogram2d(x, x, 2)[0] | np.ravel_multi_index(([0, 1],), (2, 3))
np.place(x, x > 0, np.ones(2)) | np.putmask(x, x > 0, np.float64(2.0)) | np.repeat(x, np.array([2]), axis=0)
np.gradient(x, np.array([0.0, 1.0, 3.0])) | np.gradient(x, np.float64(0.5)) | np.max(x, axis=0, initial=9)
np.min(x[0], axis=-1, initial=0)
np.sum(x[:1], where=x > 0) | np.mean(x[:1], where=x > 0) | np.max(x[:1], initial=0, where=x > 0)
np.any(x[:1], where=x > 0) | np.sum(x, axis=0, where=x[:1] > 0) | np.broadcast_to(x, x[:1].shape) * x[:1]
"""
SYMMETRIC = [[4.0, 1.0, 0.5], [1.0, 3.0, -0.25], [0.5, -0.25, 2.0]]
OPERANDS = {
    "floats": np.array([2.0, -1.0, 0.5]),
    "ints": np.array([3, -1, 2]), "float32": np.array([2.0, -1.0, 0.5], np.float32), "matrix": np.array(SYMMETRIC),
    "Fortran's order": np.asfortranarray([[4.0, 1.0, 0.5], [0.0, 3.0, -0.25], [0.5, -0.25, 2.0]]),
    "matrix of float32": np.array(SYMMETRIC, np.float32),
    "matrix of ints": np.array([[4, 1, 0], [1, 3, -1], [0, -1, 2]]), "two rows": np.arange(6.0).reshape(2, 3),
    "bools": np.eye(3, dtype=bool), "singular": np.ones((3, 3)), "empty": np.zeros(0),
    "no rows": np.zeros((0, 3)), "three axes": np.arange(27.0).reshape(3, 3, 3) ** 1.1 + 5 * np.eye(3),
    "bytes": np.array([[4, 1, 0], [1, 3, 250], [0, 7, 2]], np.uint8), "complex": np.array([2.0 - 1j, 1j, 0.5]),
    "complex matrix": np.array(SYMMETRIC) + 1j * np.array([[0.0, 0.3, -1.0], [-0.3, 1.0, 0.2], [1.0, 0.7, 0.0]]),
    "matrix of complex64": (np.array(SYMMETRIC) + 0.5j).astype(np.complex64)}
CELLS = [text.strip() for text in CALLS.strip().replace("\n", "|").split("|")]


@pytest.fixture(scope="module")
def functions(tmp_path_factory):
    return Functions(tmp_path_factory.mktemp("library"))


def close(got, want, name, text) -> str | None:
    """How results differ, beyond rounding: sums may be taken in another order."""
    if isinstance(want, (tuple, list)):
        same = type(got) is type(want) and len(got) == len(want)
        return (next((d for g, w in zip(got, want) if (d := close(g, w, name, text))), None) if same
                else f"{got!r} instead of {want!r}")
    if (isinstance(want, (np.ndarray, np.inexact)) and want.dtype.kind in "fc" and type(got) is type(want)
            and (got.dtype, got.shape) == (want.dtype, want.shape)):
        tol = 1e-5 if "float32" in name + text or "complex64" in name else 1e-9
        return None if np.allclose(got, want, rtol=tol, atol=tol, equal_nan=True) else f"{got} instead of {want}"
    return differs(got, want, False)


def wrong(f, transformed, name, text) -> str | None:
    x = OPERANDS[name]
    (want, exception), (got, error) = run(f, [x]), run(transformed, [x])
    if isinstance(error, gs.GradscribeError):
        return None
    if exception is not None or error is not None:
        same = error is not None and exception is not None and isinstance(error, type(exception))
        return None if same else f"{text} of {name}: {error or got!r} instead of {exception or want!r}"
    difference = close(got[0], want[0], name, text)
    return difference and f"{text} of {name}: {difference}"


@pytest.mark.heavy(one_in=4)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("text", rotating(CELLS, 4))
def test_a_call_does_what_it_does_in_numpy(functions, text):
    f = functions.expressions([text], "x")
    with np.errstate(all="ignore"):
        transformed = gs.test_util.primal(f)
        assert not [w for name in OPERANDS if (w := wrong(f, transformed, name, text))]


@pytest.mark.heavy(one_in=8)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("text, name", rotating([(text, name) for text in CELLS for name in OPERANDS], 40))
def test_a_compiled_call_does_what_it_does_in_numpy(functions, text, name):
    f = functions.expressions([text], "x")
    with np.errstate(all="ignore"):
        assert not wrong(f, gs.jit(f), name, text)
