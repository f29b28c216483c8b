"""Special functions and random words: against SciPy, mpmath and the published vectors, plain and compiled."""
import numpy as np
import pytest
from scipy import special

import gradscribe as gs
from gradscribe import runtime as rt
from gradscribe.runtime.plain import scalars
from gradscribe.runtime.plain.special import digamma_of, gamma_slope_of

WAYS = pytest.mark.parametrize("way", [lambda f: f, gs.jit], ids=["plain", "compiled"])


@WAYS
def test_erfinv(way):
    f = way(lambda x: rt.erfinv(x))
    x = np.concatenate([np.linspace(-1, 1, 20001), 1 - np.logspace(-15.5, -1, 500), np.logspace(-300, -1, 300)])
    np.testing.assert_allclose(f(x), special.erfinv(x), rtol=4e-15)
    single = np.linspace(-0.99, 0.99, 10001, dtype=np.float32)
    y = f(single)
    assert y.dtype == np.float32
    np.testing.assert_allclose(y, special.erfinv(single.astype(float)), rtol=1e-6)
    assert (f(np.array([1.0, -1.0, np.nan, 1.5])).tolist()[:2] == [np.inf, -np.inf]
            and np.isnan(f(np.array([np.nan, 1.5]))).all())


@WAYS
@pytest.mark.parametrize("name, reference", [("erf", special.erf), ("erfc", special.erfc), ("lgamma", special.gammaln)])
def test_of_the_c_library(name, reference, way):
    g = getattr(rt, name)
    f = way(lambda x: g(x))
    x = np.linspace(0.1, 20.0, 500)
    np.testing.assert_allclose(f(x), reference(x), rtol=1e-13, atol=1e-15)
    assert f(x.astype(np.float32)).dtype == np.float32 and type(f(np.float32(0.5))) is np.float32


def test_derivatives():
    x = np.array([-0.5, 0.1, 0.7])
    for f in (lambda x: rt.erf(x), lambda x: rt.erfc(x), lambda x: rt.erfinv(x)):
        gs.test_util.check_grads(f, (x,), order=2)
    for f in (lambda x: rt.lgamma(x), lambda x: rt.gamma(x)):
        gs.test_util.check_grads(f, (np.array([-0.5, 0.1, 3.7]),), order=1)
    with pytest.raises(gs.UnsupportedError, match="digamma"):
        gs.grad(gs.grad(lambda x: rt.lgamma(x)))(2.0)


def test_digamma():
    x = np.concatenate([np.logspace(-3, 6, 100), [-0.5, -1e-3, -3.7, -20.2]])
    np.testing.assert_allclose([digamma_of(v) for v in x], special.digamma(x), rtol=1e-13, atol=1e-14)
    np.testing.assert_allclose(gs.jit(gs.grad(lambda x: np.sum(rt.lgamma(x))))(x), special.digamma(x), rtol=1e-13,
                               atol=1e-14)


@pytest.mark.parametrize("a", [0.02, 0.5, 1.0, 2.5, 12.0, 300.0, 1e4])
def test_gamma_slope(a):
    """Against differences of the quantile function."""
    for q in (1e-6, 0.01, 0.3, 0.5, 0.9, 0.999, 1 - 1e-6):
        z, h = special.gammaincinv(a, q), 1e-5 * a
        if z > 1e-280:
            slope = (np.log(special.gammaincinv(a + h, q)) - np.log(special.gammaincinv(a - h, q))) / (2 * h)
            assert gamma_slope_of(np.log(z), a) == pytest.approx(slope, rel=1e-6)


@WAYS
def test_gamma_slope_of_arrays(way):
    log_z, a = np.array([[0.1], [1.0]]), np.array([0.5, 2.0, 7.0])
    expected = [[gamma_slope_of(x, y) for y in a] for x in log_z[:, 0]]
    np.testing.assert_allclose(way(lambda x, a: rt.gamma_slope(x, a))(log_z, a), expected, rtol=1e-12)


VECTORS = [((0, 0), (0, 0), (0x6B200159, 0x99BA4EFE)), ((2**32 - 1,) * 2, (2**32 - 1,) * 2, (0x1CB996FC, 0xBB002BE7)),
           ((0x13198A2E, 0x03707344), (0x243F6A88, 0x85A308D3), (0xC4923A9C, 0x483DF7A0))]


@WAYS
@pytest.mark.parametrize("key, counter, words", VECTORS)
def test_threefry(key, counter, words, way):
    """The vectors that its authors publish with it."""
    f = way(lambda a, b, c, d: rt.threefry(a, b, c, d))
    for make in (np.uint32, lambda n: np.full(5, n, np.uint32)):
        got = f(*map(make, (*key, *counter)))
        assert np.all(got == np.uint64(words[0] << 32 | words[1])) and got.dtype == np.uint64


def test_search():
    rng = np.random.default_rng(0)
    a = np.sort(rng.integers(0, 20, 30) * 1.0)
    for array in (a, np.append(a, [np.inf, np.nan, np.nan]), np.zeros(0)):
        for side in ("left", "right"):
            for x in (*range(-1, 22), 3.5, np.inf, -np.inf, np.nan):
                assert (scalars.search(array, x, side == "left")
                        == np.searchsorted(array, x, side=side)), (array, x, side)
