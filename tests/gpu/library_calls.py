"""What a library computes as a whole, for `test_library` in the simulator: (function, arguments) by name."""

import warnings
from collections import Counter

import numpy as np
from scipy import linalg as sl

import gradscribe as gs
from gradscribe.runtime.cuda import host, library
from gradscribe.transformer.library import registry
from gradscribe.transformer.rules.registry import OPS
from tests.support.cases import assert_same, ran

from .corpus import fetched, like_numbers, placed, told

rng = np.random.default_rng(7)
CASES = {}


def matrices(*shape, dtype=float):
    """Matrices of this shape, which are well-conditioned."""
    x = rng.normal(size=shape) + (1j * rng.normal(size=shape) if np.dtype(dtype).kind == "c" else 0)
    return (x + 4 * np.eye(*shape[-2:])).astype(dtype)


def positive(*shape, dtype=float):
    x = matrices(*shape, dtype=dtype)
    return x @ x.mT.conj()


def case(name, f, *args):
    CASES[name] = f, args


A, STACK, B = matrices(3, 3), matrices(4, 3, 3), rng.normal(size=3)
for name, f in {"solve": lambda a, b: np.linalg.solve(a, b)}.items():
    case(f"{name} of a vector", f, A, B)
    case(f"{name} of float32", f, A.astype(np.float32), B.astype(np.float32))
    case(f"{name} of complex numbers", f, matrices(3, 3, dtype=complex), B)
    case(f"{name} of a stack", f, STACK, rng.normal(size=(4, 3, 2)))
    case(f"{name} of a stack and one vector", f, STACK, B)
    case(f"{name} of stacks that broadcast", f, matrices(2, 1, 3, 3), rng.normal(size=(5, 3, 2)))
    case(f"{name} of a stack and one matrix", f, STACK, rng.normal(size=(1, 3, 2)))
    case(f"{name} of nothing", f, np.zeros((0, 3, 3)), np.zeros((0, 3, 1)))
    case(f"{name} of a matrix without rows", f, np.zeros((0, 0)), np.zeros(0))
    case(f"{name} of a singular matrix", f, np.ones((3, 3)), B)
    case(f"{name} of a stack with a singular matrix", f, np.stack([A, np.ones((3, 3))]), np.ones((2, 3, 1)))
    case(f"{name} of what is infinite", f, A, np.array([1.0, np.inf, 2.0]))
    case(f"{name} of what is no number", f, A * np.nan, B)

for name, f in {"inv": lambda a: np.linalg.inv(a), "det": lambda a: np.linalg.det(a),
                "slogdet": lambda a: np.linalg.slogdet(a), "pinv": lambda a: np.linalg.pinv(a),
                "qr": lambda a: np.linalg.qr(a), "svd": lambda a: np.linalg.svd(a),
                "singular values": lambda a: np.linalg.svd(a, compute_uv=False), "expm": lambda a: sl.expm(a)}.items():
    case(name, f, A)
    case(f"{name} of float32", f, A.astype(np.float32))
    case(f"{name} of complex numbers", f, matrices(3, 3, dtype=complex))
    case(f"{name} of a stack", f, STACK)
    case(f"{name} of a stack of stacks", f, matrices(2, 3, 3, 3))
    case(f"{name} of a singular matrix", f, np.ones((2, 2)))
for name, f in {"cholesky": lambda a: np.linalg.cholesky(a),
                "upper cholesky": lambda a: np.linalg.cholesky(a, upper=True), "eigh": lambda a: np.linalg.eigh(a),
                "upper eigh": lambda a: np.linalg.eigh(a, "U"), "eigvalsh": lambda a: np.linalg.eigvalsh(a)}.items():
    case(name, f, positive(3, 3) + np.tril(np.ones((3, 3)), -1))  # one half is read
    case(f"{name} of float32", f, positive(3, 3, dtype=np.float32))
    case(f"{name} of complex numbers", f, positive(3, 3, dtype=complex))
    case(f"{name} of a stack", f, positive(4, 3, 3))
    case(f"{name} of what is no number", f, np.full((3, 3), np.nan))
case("cholesky of what is not positive", lambda a: np.linalg.cholesky(a), -A)
case("least squares", lambda a, b: np.linalg.lstsq(a, b, rcond=None)[0], matrices(5, 3), rng.normal(size=(5, 2)))
case("thin svd", lambda a: np.linalg.svd(a, full_matrices=False), matrices(2, 5, 3))
case("wide svd", lambda a: np.linalg.svd(a), matrices(3, 5))
case("tall qr", lambda a: np.linalg.qr(a), matrices(5, 3))
case("triangular", lambda a, b: sl.solve_triangular(a, b, lower=True), A, rng.normal(size=(3, 2)))
case("triangular and singular", lambda a, b: sl.solve_triangular(a, b), np.zeros((3, 3)), np.ones((3, 2)))
case("elimination", lambda a: sl.lu_factor(a), A)
case("a matrix for many right-hand sides", gs.vmap(lambda a, b: np.linalg.solve(a, b), in_axes=(None, 0)), A,
     rng.normal(size=(4, 3)))

for name, f in {"fft": lambda x: np.fft.fft(x), "ifft": lambda x: np.fft.ifft(x), "rfft": lambda x: np.fft.rfft(x),
                "irfft": lambda x: np.fft.irfft(x),
                "fft along the first axis": lambda x: np.fft.fft(x, axis=0), "fftn": lambda x: np.fft.fftn(x)}.items():
    case(name, f, rng.normal(size=6))
    case(f"{name} of a stack", f, rng.normal(size=(4, 5)))
    case(f"{name} of float32", f, rng.normal(size=(2, 3, 4)).astype(np.float32))
    case(f"{name} of complex numbers", f, rng.normal(size=8) + 1j * rng.normal(size=8))
    case(f"{name} of complex64", f, (rng.normal(size=(3, 8)) + 1j).astype(np.complex64))


for name, f in {"prod": lambda x: np.prod(x, axis=-1), "cumprod": lambda x: np.cumprod(x, axis=-1)}.items():
    case(name, f, np.array([2.0, 0.0, -3.0, 0.5]))
    case(f"{name} of a stack", f, rng.normal(size=(3, 2, 4)))
    case(f"{name} of complex numbers", f, rng.normal(size=(3, 4)) + 1j)
    case(f"{name} of float32", f, rng.normal(size=(3, 4)).astype(np.float32))


def stored_before(w, a):
    w -= 1.0
    w *= np.linalg.slogdet(a)[1]
    return np.sum(w)


def stores() -> None:
    """A result that the CPU has to say, after an argument has been stored into, is that of the argument as it was."""
    made = gs.jit(stored_before, target="cuda")
    for a in (A, A * np.nan, np.zeros((3, 3))):
        w, want = np.arange(40.0), np.arange(40.0)
        total = stored_before(want, a)
        np.testing.assert_allclose(float(made(w, a)), total)
        np.testing.assert_allclose(w, want)


def names() -> None:
    """Each form stands for one kernel of an operation, SciPy's among them, which are entered once it is imported."""
    registry.everything()
    kernels = {op.kernel for op in OPS.values() if getattr(op, "kernel", None)}
    named = Counter(kernel.__name__.strip("_").removesuffix("_kernel") for kernel in kernels)
    for name in (*library.FORMS, *library.ROWS):
        assert named[name] == 1, name


def result(name: str) -> None:
    """What it gives, or raises, is what NumPy does, and no array goes to the host for it."""
    f, args = CASES[name]
    want = told(f, lambda: args)
    made = gs.jit(f, target="cuda")
    for given in (lambda: args, lambda: placed(args)):
        got = told(quietly(made, want), given)
        got.args = fetched(got.args)
        assert_same(like_numbers(got, want), want, tolerance(args))
        if want.error is not None:
            assert str(got.error) == str(told(gs.jit(f), lambda: args).error)


def quietly(made, want):
    """Without a warning that something runs on the host; with one NumPy has none for arrays of no elements,
    or where it raises."""
    def call(*args):
        host.warned.clear()
        with warnings.catch_warnings():
            warnings.simplefilter("error" if want.error is None and all(x.size for x in args) else "ignore")
            return made(*args)

    return call


def tolerance(args) -> float:
    return 2e-4 if any(x.dtype in ("f4", "c8") for x in args) else 1e-9


def gradient(name: str) -> None:
    """The derivative of the sum of the squares of all that is real in its results."""
    f, args = CASES[name]
    args = tuple([x.astype(x.dtype) for x in args])

    def loss(*args):
        out, total = f(*args), 0.0
        for x in out if isinstance(out, tuple) else (out,):
            total = total + np.sum(np.abs(x) ** 2) + np.sum(np.real(x))
        return total

    want = ran(gs.grad(loss), lambda: args)
    if isinstance(want.error, gs.GradscribeError):
        return
    got = told(gs.jit(gs.grad(loss), target="cuda"), lambda: args)
    assert_same(like_numbers(got, want), want, 50 * tolerance(args))


def results() -> None:
    for name in CASES:
        told_of(name, result)


def gradients(part: int, parts: int) -> None:
    for name in list(CASES)[part::parts]:
        told_of(name, gradient)


def told_of(name: str, test) -> None:
    try:
        test(name)
    except Exception as error:
        raise AssertionError(name) from error


def on_host() -> None:
    """Eigenvalues of matrices that are not symmetric, and square roots: of a stack, with one warning."""
    for f, a in ((lambda a: np.linalg.eigvals(a), matrices(2, 3, 3, dtype=complex)),
                 (lambda a: np.linalg.eigvals(a), matrices(3, 3, dtype=complex)),
                 (lambda a: sl.sqrtm(a), positive(3, 3)), (lambda a: np.linalg.eig(a), np.full((2, 2), np.nan + 0j))):
        host.warned.clear()
        made = gs.jit(f, target="cuda")
        want = told(f, lambda: (a,))
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            for _ in range(2):
                try:
                    got = fetched(made(a))
                except np.linalg.LinAlgError:
                    assert isinstance(want.error, np.linalg.LinAlgError)
                else:
                    np.testing.assert_allclose(np.sort(got, axis=-1), np.sort(want.out, axis=-1), rtol=1e-9)
        assert len([w for w in found if "runs on the host" in str(w.message)]) == 1, found
