"""np.fft: values against NumPy, plain and compiled, and derivatives against differences."""
import numpy as np
import pytest

import gradscribe as gs
from gradscribe.transformer import api

X = np.linspace(-1.0, 2.0, 12).reshape(3, 4) ** 3 + 0.1
Z = X * (1 + 0.3j) + 1j
REAL = (X, X[0], X.astype(np.float32), np.arange(4), [1, 2, 3])
ALL = (*REAL, Z, Z[0], Z.astype(np.complex64), np.zeros((2, 0, 3)), np.zeros((2, 1)), 3.0)
NORMS, LENGTHS, AXES = ("ortho", "forward", "backward", "no"), (1, 2, 3, 5, 9, 0), (0, 1, -2, 2)
ONE = (np.fft.fft, np.fft.ifft, np.fft.rfft, np.fft.irfft, np.fft.hfft, np.fft.ihfft)
SEVERAL = (np.fft.fft2, np.fft.ifft2, np.fft.rfft2, np.fft.irfft2, np.fft.fftn, np.fft.ifftn, np.fft.rfftn,
           np.fft.irfftn)


def calls():
    for f in ONE:
        yield lambda a, f=f: f(a)
        yield from [lambda a, f=f, n=n: f(a, norm=n) for n in NORMS]
        yield from [lambda a, f=f, n=n: f(a, n) for n in LENGTHS]
        yield from [lambda a, f=f, k=k: f(a, axis=k) for k in AXES]
        yield lambda a, f=f: f(a, 5, 0, "ortho")
    for f in SEVERAL:
        yield lambda a, f=f: f(a)
        yield lambda a, f=f: f(a, (2, 5), (0, 1))
        yield lambda a, f=f: f(a, axes=(1,))
        yield lambda a, f=f: f(a, (3, -1), (1, 0), "ortho")
    for f in (np.fft.fftshift, np.fft.ifftshift):
        yield from [lambda a, f=f, k=k: f(a, k) for k in (None, (0, 1), *AXES)]


CALLS = list(calls())


def outcome(f, *args):
    try:
        return np.asarray(f(*args)), None
    except Exception as error:
        return None, error


def same(got, want):
    assert got.dtype == want.dtype and got.shape == want.shape
    single = want.dtype in (np.float32, np.complex64)
    np.testing.assert_allclose(got, want, rtol=1e-4 if single else 1e-12, atol=1e-4 if single else 1e-13)


@pytest.mark.heavy(one_in=73)
@pytest.mark.parametrize("k", range(len(ALL)))
def test_values(k):
    for f in CALLS:
        want, error = outcome(f, ALL[k])
        got, raised = outcome(api.Primal(f), ALL[k])
        if error is None:
            assert raised is None, (f.__defaults__, raised)
            same(got, want)
        else:  # of two reasons to raise it may be the other
            kinds = IndexError, TypeError, ValueError
            assert (isinstance(raised, gs.GradscribeError)
                    or isinstance(error, kinds) and isinstance(raised, kinds)), (f.__defaults__, error, raised)


@pytest.mark.parametrize("n", [1, 2, 5, 8, 0, 2.0])
@pytest.mark.parametrize("f", [lambda n: np.fft.fftfreq(n), lambda n: np.fft.fftfreq(n, 0.1),
                               lambda n: np.fft.rfftfreq(n, 0.1)])
def test_frequencies(f, n):
    want, error = outcome(f, n)
    got, raised = outcome(api.Primal(f), n)
    assert type(error) is type(raised)
    if error is None:
        same(got, want)


def everything(a):
    return (np.fft.fft(a), np.fft.ifft(a, axis=0), np.fft.irfft(a), np.fft.irfft(a, 5, 0), np.fft.hfft(a, norm="ortho"),
            np.fft.fft2(a, norm="forward"), np.fft.irfft2(a), np.fft.fftshift(np.fft.fftn(a, (4, 2))))


def of_reals(a):
    return np.fft.rfft(a), np.fft.rfft(a, 5), np.fft.ihfft(a, axis=0), np.fft.rfftn(a, norm="ortho"), *everything(a)


def loss(f):
    def total(a):
        out, s = f(a), 0.0
        for k in range(len(out)):
            s = s + np.sum(np.abs(out[k]) ** 2) + np.sum(np.real(out[k] * (0.3 - 0.7j)) ** 3)
        return s
    return total


@pytest.mark.heavy(one_in=95)
@pytest.mark.parametrize("f, a", [(of_reals, X), (everything, Z), (of_reals, X.astype(np.float32)),
                                  (everything, Z.astype(np.complex64))], ids=["f8", "c16", "f4", "c8"])
def test_compiled_batched_and_derivatives(f, a):
    for got, want in zip(gs.jit(f)(a), f(a), strict=True):
        same(got, want)
    for got, one, other in zip(gs.vmap(f)(np.stack([a, 2 * a])), f(a), f(2 * a), strict=True):
        same(got, np.stack([one, other]))
    d = np.cos(np.arange(12.0)).reshape(3, 4) * (1 - 2j if a.dtype.kind == "c" else 1)
    for got, want in zip(gs.jvp(f, (a,), (d.astype(a.dtype),))[1], f(d.astype(a.dtype)), strict=True):
        same(got, want)
    total, wide, h = loss(f), a.astype(np.result_type(a, np.float64)), 1e-6
    slope = (total(wide + h * d) - total(wide - h * d)) / (2 * h)
    single = a.dtype in (np.float32, np.complex64)
    for grad in (gs.grad(total), gs.jit(gs.grad(total))):
        found = grad(a)
        assert found.dtype == a.dtype
        np.testing.assert_allclose(np.sum(np.real(found * d)), slope, rtol=1e-3 if single else 1e-7)


@pytest.mark.heavy(one_in=6)
def test_compiled_transforms_of_real_numbers_of_each_length():
    def all_of(xs):
        return [(np.fft.fft(x), np.fft.rfft(x), gs.grad(lambda x, w: np.sum(np.abs(np.fft.rfft(x) - w) ** 2))(x, w))
                for x, w in xs]

    rng = np.random.default_rng(2)
    xs = [(rng.normal(size=n), rng.normal(size=n // 2 + 1)) for n in (1, 2, 3, 4, 5, 8, 9, 30, 31)]
    for got, (x, w) in zip(gs.jit(all_of)(xs), xs, strict=True):
        n = len(x)
        bar = 2 * np.conj(np.fft.rfft(x) - w)
        for g, want in zip(got, (np.fft.fft(x), np.fft.rfft(x),
                                 np.fft.fft(np.append(bar, np.zeros(n - len(bar)))).real), strict=True):
            same(g, want)


@pytest.mark.parametrize("shape", [(5,), (0, 4), (3, 4), (2, 3, 5), (2, 0, 2, 6)])
def test_a_stack_is_one_call(shape):
    def f(x):
        return (np.fft.fft(x), np.fft.ifft(x[..., ::-1] * (1 + 1j)), np.fft.ifft(np.real(np.fft.fft(x * (2 - 1j)))),
                np.fft.fft(x > 0), np.fft.fft(x[..., ::2]))

    def total(x):
        return np.sum(np.real(np.fft.fft(x) * (1 + 2j)) ** 2)

    x = np.sin(np.arange(np.prod(shape) * 2.0)).reshape(*shape, 2)[..., 0]
    for got, want in zip(gs.jit(f)(x), f(x), strict=True):
        same(got, want)
    same(gs.jit(gs.grad(total))(x), gs.grad(total)(x))
    text = gs.jit(lambda x: np.fft.fft(x)).source(x, stage="compiled")
    assert "_kernel(" in text and "for " not in text, text


def test_source_of_several_axes():
    text = gs.grad(lambda x: np.sum(np.real(np.fft.ifft2(2.0 * np.fft.fft2(x))))).source(X)
    assert "zeros" not in text and ":" not in text.partition("return")[2], text


def test_source():
    text = gs.grad(lambda x: np.sum(np.real(np.fft.fft(x)))).source(X[0])
    assert "np.fft.fft(" in text and text.count("\n") < 12, text


def test_compiled_transforms_run_in_threads():
    rows = np.sin(np.arange(4000.0)).reshape(100, 40)
    f = gs.jit(gs.vmap(lambda x: np.abs(np.fft.fft(x)) if x[0] > 0 else x), parallel=True)
    want = np.stack([np.abs(np.fft.fft(x)) if x[0] > 0 else x for x in rows])
    np.testing.assert_allclose(f(rows), want, rtol=1e-10, atol=1e-12)
