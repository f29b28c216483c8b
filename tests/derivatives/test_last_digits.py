"""Slopes and second derivatives where a formula cancels or overflows that looks like a textbook's, against mpmath with
60 digits: where two pieces of a definition meet, near an edge of the domain, in tails, of huge numbers; plain, and
compiled all together."""
import mpmath as mp
import numpy as np
import pytest
from scipy import special as sp, stats

import gradscribe as gs

E9, E3 = mp.mpf(1e-9), mp.mpf(1e-3)


def bessel(x):
    return mp.besseli(1, x), (mp.besseli(0, x) + mp.besseli(2, x)) / 2


def circular(x):
    return 1 / mp.sqrt(1 - x * x), x / mp.sqrt(1 - x * x) ** 3


def beside(x):
    r = mp.sqrt(x * x + E9 * E9)
    return x / r, E9 * E9 / r ** 3


def share(x, log=1):
    p = 1 / (1 + mp.exp(-x * log))
    return p, log * p / (1 + mp.exp(x * log))


def scaled_tail(x):
    first = 1 / mp.sqrt(mp.pi) - x * mp.exp(x * x) * mp.erfc(x)
    return -2 * first, 2 * (mp.exp(x * x) * mp.erfc(x) - 2 * x * first)


def quantile(x):
    y = mp.findroot(lambda y: mp.log(mp.erfc(-y / mp.sqrt(2)) / 2) - x, float(sp.ndtri_exp(float(x))))
    m = mp.exp(-y * y / 2 - x) / mp.sqrt(2 * mp.pi)
    return 1 / m, (y + m) / m ** 2


def logistic(x):
    return -mp.tanh(x / 2), -mp.sech(x / 2) ** 2 / 2


def logistic_density(x):
    t, p = mp.tanh(x / 2), mp.sech(x / 2) ** 2 / 4
    return -t * p, p * (t * t - 2 * p)


def of_its_scale(d):
    r = mp.sqrt(d * d + E3 * E3)
    return (r - d) ** 2 / r, (r - d) ** 2 * -(2 * r + d) / r ** 3


CASES = {  # the function, its first and second derivative, and the points
    "i0": (lambda x: np.sum(np.i0(x)), bessel, [8.0, -8.0, np.nextafter(8.0, 9.0), 1e-10, -1e-3, 100.0]),
    "arcsin": (lambda x: np.arcsin(x), circular, [1e-20, -1e-3, 0.5, 1 - 1e-5, 1 - 1e-10, 1e-8 - 1]),
    "arccos": (lambda x: np.arccos(x), lambda x: [-d for d in circular(x)], [1e-20, 0.75, 1 - 1e-10, 1e-8 - 1]),
    "arctanh": (lambda x: np.arctanh(x), lambda x: (1 / (1 - x * x), 2 * x / (1 - x * x) ** 2),
                [1e-20, -0.5, 1 - 1e-10]),
    "hypot": (lambda x: np.hypot(x, 1e-9), beside, [1.0, 1e-9, -1e-5, 1e60]),
    "logaddexp2": (lambda x: np.logaddexp2(x, 0.0), lambda x: share(x, mp.log(2)), [-40.0, 1e-10, 1.0, 60.0, 900.0]),
    "exp2": (lambda x: np.exp2(x), lambda x: [mp.log(2) ** k * mp.mpf(2) ** x for k in (1, 2)],
             [1024.0, 1023.9, -1000.0, 1e-20]),
    "erfcx": (lambda x: sp.erfcx(x), scaled_tail, [-20.0, -1.0, 0.0, 1.99, 2.0, 7.0, 30.0, 1e4, 1e8]),
    "ndtri_exp": (lambda x: sp.ndtri_exp(x), quantile, [-1e-3, -1.0, -100.0, -1e8]),
    "pseudo_huber": (lambda x: sp.pseudo_huber(1.0, x), lambda x: (x / mp.sqrt(1 + x * x), 1 / mp.sqrt(1 + x * x) ** 3),
                     [1e-3, 1.0, -1e6, 1e60]),
    "pseudo_huber of its scale": (lambda x: sp.pseudo_huber(x, 1e-3), of_its_scale, [1e-6, 1e-3, 1.0, 1e3]),
    "logistic.logpdf": (lambda x: stats.logistic.logpdf(x), logistic, [1e-10, -1e-3, 1.99, 2.0, 30.0, -700.0]),
    "logistic.pdf": (lambda x: stats.logistic.pdf(x), logistic_density, [1e-10, -1e-3, 2.0, 30.0]),
}


def wanted(name, x):
    with mp.workdps(140):
        return [float(d) for d in CASES[name][1](mp.mpf(float(x)))]


def derivatives(f):
    return lambda x: (gs.grad(f)(x), gs.grad(gs.grad(f))(x))


BOTH = {name: derivatives(f) for name, (f, _, _) in CASES.items()}


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("name", CASES)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_to_the_last_digits(name):
    for x in CASES[name][2]:
        slope, bend = BOTH[name](np.float64(x))
        np.testing.assert_allclose([slope, bend], wanted(name, x), rtol=1e-13, atol=1e-310, err_msg=repr(x))
        single = np.float32(x)
        if 1e-6 < abs(single) < 1e3 and abs(single) not in (0.0, 1.0):
            small, (slope, bend) = np.array(wanted(name, single)).astype(np.float32), BOTH[name](single)
            assert slope.dtype == bend.dtype == np.float32
            np.testing.assert_allclose(slope, small[0], rtol=1e-5, atol=1e-37, err_msg=repr(single))
            np.testing.assert_allclose(bend, small[1], rtol=1e-4, atol=1e-37, err_msg=repr(single))


@pytest.mark.heavy(one_in=6)
@pytest.mark.parametrize("part", range(2))
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_compiled(part):
    names = list(CASES)[part::2]
    points = {name: np.array(CASES[name][2]) for name in names}
    for name, pairs in gs.jit(lambda points: {n: gs.vmap(BOTH[n])(points[n]) for n in names})(points).items():
        want = np.array([wanted(name, x) for x in points[name]]).T
        np.testing.assert_allclose(pairs, want, rtol=1e-12, atol=1e-310, err_msg=name)


def test_where_two_pieces_meet_at_0():
    def derivatives_at_0(f):
        return [float(d) for d in derivatives(f)(np.float64(0.0))]

    assert derivatives_at_0(lambda x: np.sum(np.i0(x))) == [0.0, 0.5]
    assert derivatives_at_0(lambda x: stats.logistic.logpdf(x)) == [0.0, -0.5]
    assert derivatives_at_0(lambda x: stats.logistic.pdf(x)) == [0.0, -0.125]
    x, y = np.float64(0.0), np.float64(0.0)
    assert gs.grad(lambda x, y: np.hypot(x, y), argnums=(0, 1))(x, y) == (0.0, 0.0)  # docs/kinks.md
    assert np.isnan(gs.grad(gs.grad(lambda x, y: np.hypot(x, y)))(x, y))


def test_a_window_where_its_bessel_function_changes_pieces():
    with mp.workdps(40):
        b, s = mp.mpf(8), mp.sqrt(1 - mp.mpf("0.6") ** 2)
        top, slope = mp.besseli(0, b), mp.besseli(1, b)
        want = (s * mp.besseli(1, b * s) - mp.besseli(0, b * s) / top * slope) / top
    assert gs.grad(lambda beta: np.kaiser(11, beta)[2])(np.float64(8.0)) == pytest.approx(float(want), rel=1e-13)


def test_integrals_of_erfc():
    """Each is the derivative of the one before, where the recurrence is used and where the continued fraction."""
    from gradscribe.runtime import erfc_integral
    from gradscribe.runtime.plain import cephes
    x = np.array([-np.inf, -27.0, -3.0, 0.0, 1.9, 2.0, 2.1, 9.0, 1e200, np.inf, np.nan])
    with mp.workdps(140):
        first = [float(scaled_tail(mp.mpf(v))[0] / -2) for v in x[2:8]]
    assert np.allclose(erfc_integral(1.0, x)[2:8], first, rtol=1e-13)
    for n in (1.0, 2.0, 3.0):
        np.testing.assert_allclose([cephes.erfc_integral(n, float(v)) for v in x[1:]], erfc_integral(n, x)[1:],
                                   rtol=1e-12)
    np.testing.assert_allclose(erfc_integral(1.0, x)[[0, 1, 8, 9, 10]], [np.inf, np.inf, 0.0, 0.0, np.nan])
    assert erfc_integral(2.0, np.float32(1.5)).dtype == np.float32


def test_the_quotient_of_a_remainder_is_not_rounded_up():
    """0.75 / 0.001 is 750 to 16 digits, and the largest whole number below it is 749:
    0.001 is a little more than it says."""
    for b in (-0.001, 0.001, 1e-5, 0.3, np.inf):
        with mp.workdps(60):
            n = float(mp.floor(abs(mp.mpf(0.75) / mp.mpf(b)))) * np.sign(b)
        assert gs.grad(lambda a, b: np.fmod(a, b), argnums=1)(np.float64(0.75), np.float64(b)) == -n
