"""scipy.signal.find_peaks, and the transforms of scipy.fft."""
import numpy as np
import pytest
import scipy.fft
from scipy import signal

import gradscribe as gs

RNG = np.random.default_rng(0)
STEPS, NOISE, MATRIX = np.round(np.cumsum(RNG.normal(size=30)), 1), RNG.normal(size=30), RNG.normal(size=(3, 5))
SIGNALS = (STEPS, -STEPS, NOISE, np.zeros(5), np.array([1.0, 2.0, 2.0, 1.0, np.nan, 3.0, 1.0]),
           np.array([0, 1, 2, 2]), NOISE[:1])
OPTIONS = [{}, {"height": 0.0}, {"height": (None, 1.5)}, {"threshold": 0.1}, {"distance": 3}, {"prominence": 0.5},
           {"distance": 2.5, "height": [-1, 3]}, {"prominence": (0.2, 2.0), "height": 0}, {"plateau_size": (2, None)},
           {"height": 0, "threshold": 0.01, "distance": 2, "prominence": 0.1, "plateau_size": 1}]


@pytest.mark.heavy(one_in=10)
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_peaks(options):
    def f(x):
        return signal.find_peaks(x, **options)

    for x in SIGNALS:
        for way in (gs.test_util.primal, gs.jit):
            (peaks, found), (wanted, about) = way(f)(x), f(x)
            np.testing.assert_array_equal(peaks, wanted)
            assert peaks.dtype == wanted.dtype and list(found) == list(about)
            for name in about:
                np.testing.assert_array_equal(found[name], about[name])
                assert found[name].dtype == about[name].dtype


def heights(x):
    peaks, found = signal.find_peaks(x, height=0, prominence=0.3)
    return np.sum(found["prominences"] ** 2) + np.sum(x[signal.find_peaks(x, distance=3)[0]] ** 2) * len(peaks)


def test_what_peaks_are_like_moves():
    gs.test_util.check_grads(heights, (NOISE,), order=2)
    np.testing.assert_allclose(gs.jit(gs.grad(heights))(NOISE), gs.grad(heights)(NOISE))
    np.testing.assert_allclose(gs.vmap(heights)(np.stack([NOISE, -NOISE])), [heights(NOISE), heights(-NOISE)])


@pytest.mark.parametrize("says, options", [("width=", {"width": 2}), ("an array as a bound", {"height": NOISE + 9.0})])
def test_what_of_peaks_is_refused(says, options):
    with pytest.raises(gs.UnsupportedError, match=says):
        gs.jit(lambda x: signal.find_peaks(x, **options)[0])(NOISE)


def transforms(norm):
    def f(a):
        return (scipy.fft.dct(a, norm=norm), scipy.fft.idct(a, norm=norm), scipy.fft.dct(a, axis=0, norm=norm),
                scipy.fft.idct(a, 2, axis=0, norm=norm), scipy.fft.fft(a, norm=norm), scipy.fft.ifft(a, n=4, axis=0),
                scipy.fft.rfft(a, axis=0), scipy.fft.irfft(a, n=5), scipy.fft.dct([1, 2, 3, 4]))
    return f


@pytest.mark.heavy(one_in=4)
@pytest.mark.parametrize("norm", [None, "ortho", "forward", "backward"])
def test_transforms(norm):
    f = transforms(norm)
    for a in (MATRIX, MATRIX[:, :4], MATRIX[:, :1]):
        for way in (gs.test_util.primal, gs.jit):
            for got, want in zip(way(f)(a), f(a), strict=True):
                np.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-14)
                assert got.dtype == want.dtype

    def total(a):
        return sum(np.sum(np.abs(x) ** 2) for x in f(a)) + np.sum(scipy.fft.dct(scipy.fft.idct(a) ** 3, norm=norm))

    gs.test_util.check_grads(total, (MATRIX,), order=2)
    np.testing.assert_allclose(gs.vmap(total)(np.stack([MATRIX, -MATRIX])), [total(MATRIX), total(-MATRIX)])


@pytest.mark.parametrize("says, f", [("with type=3", lambda x: scipy.fft.dct(x, 3)), ("workers=", lambda x:
                                     scipy.fft.fft(x, workers=2)), ("float32", lambda x: scipy.fft.dct(np.float32(x))),
                                     ("complex numbers", lambda x: scipy.fft.idct(x + 1j))])
def test_what_of_transforms_is_refused(says, f):
    with pytest.raises(gs.UnsupportedError, match=says):
        gs.jit(f)(NOISE)
