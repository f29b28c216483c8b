"""scipy.integrate.quad: its value and its error are SciPy's, its derivative that of the integral."""
import math
import warnings

import numpy as np
import pytest
from scipy import integrate

import gradscribe as gs
from gradscribe.errors import UnrolledWarning
from gradscribe.test_util import check_grads

quad = integrate.quad
CURVES = (
    lambda t: math.exp(-t * t), lambda t: math.cos(50.0 * t), lambda t: math.cos(200.0 * t * t),
    lambda t: abs(t - 0.3), lambda t: 1.0 if t > 0.3 else 0.0, lambda t: math.sqrt(abs(t - 0.6)),
    lambda t: 1.0 / math.sqrt(t), lambda t: math.log(t), lambda t: abs(t - 0.3) ** -0.5, lambda t: t ** -0.9,
    lambda t: 1.0 / math.sqrt(t * (1.0 - t)), lambda t: math.log(t) ** 2 * t ** -0.3, lambda t: math.sin(1.0 / t),
    lambda t: 1.0 / (1e-4 + (t - 0.5) ** 2), lambda t: 1.0 / (1e-8 + (t - 0.123) ** 2), lambda t: 2.0, lambda t: 0.0,
    lambda t: 1.0 / t, lambda t: float(math.floor(10.0 * t)))


def curve(t, k):
    """The curves above, in one function: one program is made for all of them."""
    if k == 0:
        return math.exp(-t * t)
    elif k == 1 or k == 2:
        return math.cos(50.0 * t) if k == 1 else math.cos(200.0 * t * t)
    elif k == 3:
        return abs(t - 0.3)
    elif k == 4:
        return 1.0 if t > 0.3 else 0.0
    elif k == 5:
        return math.sqrt(abs(t - 0.6))
    elif k == 6:
        return 1.0 / math.sqrt(t)
    elif k == 7:
        return math.log(t)
    elif k == 8 or k == 9:
        return abs(t - 0.3) ** -0.5 if k == 8 else t ** -0.9
    elif k == 10:
        return 1.0 / math.sqrt(t * (1.0 - t))
    elif k == 11:
        return math.log(t) ** 2 * t ** -0.3
    elif k == 12:
        return math.sin(1.0 / t)
    elif k == 13 or k == 14:
        return 1.0 / (1e-4 + (t - 0.5) ** 2) if k == 13 else 1.0 / (1e-8 + (t - 0.123) ** 2)
    elif k == 15 or k == 16:
        return 2.0 if k == 15 else 0.0
    return 1.0 / t if k == 17 else float(math.floor(10.0 * t))


def of_a_curve(k, a, b):
    return quad(curve, 0.0, 1, (k,))


def few(k, a, b):
    return quad(curve, 0, 1.0, args=k, epsabs=1e-14, epsrel=1e-13, limit=7)


def between(k, a, b):
    return quad(curve, a, b, k)


def tail(t, k):
    if k == 0:
        return math.exp(-t)
    elif k == 1:
        return 1.0 / (1.0 + t * t)
    elif k == 2:
        return t ** -1.2
    return math.exp(-t) * math.cos(20.0 * t) if k == 3 else 1.0 / (1.0 + t)


def of_a_tail(k, a, b):
    return quad(tail, a, np.inf, k)


def backwards(k, a, b):
    return quad(tail, np.inf, a, k, limit=60)


def bell(k, a, b):
    return quad(lambda t: math.exp(-t * t * a), -np.inf, np.inf)


def from_below(k, a, b):
    return quad(lambda t: math.exp(a * t), -np.inf, b)


TABLE = [(of_a_curve, range(len(CURVES)), 0.0, 1.0), (few, range(len(CURVES)), 0.0, 1.0),
         (between, (0, 1, 3, 15), 2.0, -1.0), (between, (0, 3, 18), 0.0, 0.0), (between, (6, 7, 9, 11), 0.0, 1.0),
         (of_a_tail, range(5), 1.0, 0.0), (backwards, range(2), 0.5, 0.0), (bell, (0,), 0.7, 0.0),
         (from_below, (0,), 0.7, 0.4)]


@pytest.mark.heavy(one_in=6)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("way", [gs.test_util.primal, gs.jit], ids=["plain", "compiled"])
@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row[0].__name__} {row[2]} {row[3]}")
def test_values_and_errors_are_scipys(row, way):
    f, kinds, a, b = row
    ours = way(f)
    for k in kinds:
        (value, error), (want, its_error) = ours(k, a, b), f(k, a, b)
        assert type(value) is type(want) and type(error) is type(its_error)
        size = 1e-12 if way is gs.test_util.primal or k not in (2, 10, 11, 17) else 1e-9  # a last digit in 2,000 terms
        np.testing.assert_allclose(value, want, rtol=size, atol=1e-15)
        np.testing.assert_allclose(error, its_error, rtol=1e-12, atol=2e-14 * max(1.0, abs(want)) * size / 1e-12)


def area(a, b):
    return quad(lambda t: math.exp(-a * t * t), 0.0, b)[0]


def by_arguments(a, b):
    return quad(lambda t, x, y: x * np.sin(y * t), 0, b, args=(a, b))[0]


def between_moving_limits(a, b):
    return quad(lambda t: a * math.sin(t) / t, a * b, 2.0 * b + a)[0]


def turned_round(a, b):
    return quad(lambda t: math.exp(a * t), b, -a, limit=70)[0]


def of_two_branches(a, b):
    def f(t):
        if t < 0.5:
            return a * t
        return a * math.sqrt(t) * b
    return quad(f, 0, 1)[0]


def with_a_kink(a, b):
    return quad(lambda t: abs(t - a) * b, 0.0, 2.0)[0]


def to_a_step(a, b):
    return quad(lambda t: 1.0 if t > 0.3 else a, 0.0, b)[0]


def singular(a, b):
    return quad(lambda t: b * t ** -(0.4 * a), 0, 1)[0]


def singular_from_here(a, b):
    return quad(lambda t: math.exp(a * t) / math.sqrt(t - 0.2), 0.2, b + 1.0)[0]


def to_infinity(a, b):
    return quad(lambda t: t ** 3 * math.exp(-t / a) / (1.0 - math.exp(-t / a)), b, np.inf)[0]


def whole_line(a, b):
    return quad(lambda t: np.exp(-0.5 * ((t - a) / b) ** 2) * np.cos(t), -np.inf, np.inf)[0]


def from_minus_infinity(a, b):
    return quad(lambda t: math.exp(a * t) * t, -math.inf, b)[0] - quad(lambda t: math.exp(-t * b), np.inf, a)[0]


def nowhere(a, b):
    return quad(lambda t: math.exp(a * t), b, 0.7)[0]


def in_a_loop(a, b):
    total = 0.0
    for k in range(4):
        total += quad(lambda t: math.cos(k * a * t), 0, b)[0]
    return total


INTEGRALS = {f.__name__: f for f in (
    area, by_arguments, between_moving_limits, turned_round, of_two_branches, with_a_kink, singular,
    singular_from_here, to_infinity, whole_line, from_minus_infinity, nowhere, in_a_loop)}
ONCE = ("with_a_kink", "singular_from_here", "in_a_loop")  # no second differences, or expensive ones
A, B = 1.3, 0.7


def differences(f, h=1e-4):
    """By four values: SciPy's are right to 1e-9 and better."""
    return tuple((8 * (f(A + h * x, B + h * y) - f(A - h * x, B - h * y)) - f(A + 2 * h * x, B + 2 * h * y)
                  + f(A - 2 * h * x, B - 2 * h * y)) / (12 * h) for x, y in ((1, 0), (0, 1)))


@pytest.mark.heavy(one_in=7)
@pytest.mark.parametrize("name", INTEGRALS)
def test_derivatives(name):
    f = INTEGRALS[name]
    for way in (gs.test_util.primal, gs.jit):
        assert type(way(f)(A, B)) is float
        np.testing.assert_allclose(way(f)(A, B), f(A, B), rtol=1e-11)
    for way in (lambda g: g, gs.jit):
        np.testing.assert_allclose(way(gs.grad(f, (0, 1)))(A, B), differences(f), rtol=2e-6, atol=1e-6)
    a, b = np.array([A, 0.4, 1.3]), np.array([B, 1.2, 0.2])
    np.testing.assert_allclose(gs.vmap(f)(a, b), [f(*ab) for ab in zip(a, b)], rtol=1e-10)
    if name not in ONCE:
        check_grads(f, (A, B), order=2, rtol=1e-4, atol=1e-4)


def of_many_lengths(a, b):
    """The examples take 1, 20 and 50 parts."""
    return quad(lambda t: math.cos(a * t * t), 0.0, b)[0]


@pytest.mark.heavy(one_in=4)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("way", [lambda f: f, gs.jit], ids=["plain", "compiled"])
def test_examples_take_different_numbers_of_parts(way):
    a, b = np.array([0.5, 50.0, 3000.0]), np.array([1.0, 2.0, 1.0])
    values, slopes = way(gs.vmap(gs.value_and_grad(of_many_lengths, (0, 1))))(a, b)
    np.testing.assert_allclose(values, [of_many_lengths(*ab) for ab in zip(a, b)], rtol=1e-8)
    np.testing.assert_allclose(slopes[1], np.cos(a * b * b), rtol=1e-9)
    want = [quad(lambda t: -t * t * math.sin(x * t * t), 0.0, y, limit=500)[0] for x, y in zip(a, b)]
    np.testing.assert_allclose(slopes[0][:2], want[:2], rtol=1e-9)


def test_closed_forms():
    """sqrt(pi) / 2 / a ** 1.5 and others, to all digits."""
    slope = gs.grad(lambda a: quad(lambda t: math.exp(-a * t * t), -np.inf, np.inf)[0])
    np.testing.assert_allclose(slope(A), -0.5 * math.sqrt(math.pi) * A ** -1.5, rtol=1e-11)
    np.testing.assert_allclose(gs.grad(with_a_kink, (0, 1))(A, B), [B * (2 * A - 2.0), (A * A + (2 - A) ** 2) / 2],
                               rtol=1e-9)
    np.testing.assert_allclose(gs.grad(to_a_step, (0, 1))(A, B), [0.3, 1.0], rtol=1e-9)
    np.testing.assert_allclose(gs.grad(singular, (0, 1))(A, B), [0.4 * B / (1 - 0.4 * A) ** 2, 1 / (1 - 0.4 * A)],
                               rtol=1e-11)
    np.testing.assert_allclose(gs.hessian(turned_round, (0, 1))(A, B)[1][1], -A * math.exp(A * B), rtol=1e-12)
    np.testing.assert_allclose(gs.grad(nowhere, (0, 1))(A, B), [0.0, -math.exp(A * 0.7)], rtol=1e-12)


def from_where_it_has_no_value(a, b):
    return quad(lambda t: np.sin(b * t) / t, a, 2.0)[0]


@pytest.mark.parametrize("way", [gs.test_util.primal, gs.jit], ids=["plain", "compiled"])
def test_a_limit_where_the_integrand_has_no_value(way):
    """The integrand is asked at a limit only for the slope there, which is no number then."""
    np.testing.assert_allclose(way(from_where_it_has_no_value)(0.0, B), from_where_it_has_no_value(0.0, B), rtol=1e-12)
    slopes = gs.grad(from_where_it_has_no_value, (0, 1))(0.0, B)
    assert np.isnan(slopes[0])
    np.testing.assert_allclose(slopes[1], math.sin(2 * B) / B, rtol=1e-12)


@pytest.mark.heavy(one_in=2)
def test_integrals_of_integrals():
    def inside(a, b):
        return quad(lambda x: quad(lambda y: math.exp(-a * x * y), 0, b)[0], 0, 1)[0]

    np.testing.assert_allclose(gs.test_util.primal(inside)(A, B), inside(A, B), rtol=1e-12)
    np.testing.assert_allclose(gs.grad(inside, (0, 1))(A, B), differences(inside), rtol=1e-7)


def test_the_integrand_is_written_once():
    """One loop runs over the nodes in the search, and one in what moves; its mirror has the slope."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", UnrolledWarning)
        assert gs.test_util.primal(area).source(A, B).count("np.exp(") == 1 + 1  # of the derivative, which is not taken
        assert gs.grad(area, (0, 1)).source(A, B).count("np.exp(") <= 4


@pytest.mark.parametrize("way", [gs.test_util.primal, gs.jit, gs.grad], ids=["plain", "compiled", "derived"])
def test_what_is_warned_of(way):
    for f in (lambda a: quad(lambda t: a / t, 0.0, 1.0)[0],
              lambda a: quad(lambda t: math.cos(a * t), 0, 9, limit=2)[0]):
        with pytest.warns(integrate.IntegrationWarning) as ours:
            way(f)(30.0)
        with pytest.warns(integrate.IntegrationWarning) as its:
            f(30.0)
        first, second = (str(found[0].message).split(".")[0] for found in (ours, its))
        assert first == second


@pytest.mark.parametrize("more", [{"epsabs": 0, "epsrel": 1e-16}, {"limit": 0}])
def test_what_is_raised(more):
    f = lambda a: quad(lambda t: a * t, 0.0, 1.0, **more)[0]  # noqa: E731
    with pytest.raises(ValueError) as its:
        f(2.0)
    with pytest.raises(ValueError) as ours:
        gs.grad(f)(2.0)
    assert str(ours.value).splitlines()[0] == str(its.value)


@pytest.mark.parametrize("f, says", [
    (lambda a: quad(lambda t: a * t, 0, 1, points=[0.5])[0], r"points=.*quad\(f, a, c\)"),
    (lambda a: quad(lambda t: a * t, 0, 1, weight="cos", wvar=2.0)[0], "weight=|wvar="),
    (lambda a: quad(lambda t: a * t, 0, 1, full_output=1)[0], "full_output="),
    (lambda a: quad(lambda t: a * t, 0, 1, complex_func=True)[0], "complex_func="),
    (lambda a: quad(lambda t: a * np.array([t]), 0, 1)[0], "does not return a real number"),
    (lambda a: quad(lambda t: math.exp(-t), 0, a * math.inf)[0], "Write np.inf itself"),
    (lambda a: quad(lambda t: math.exp(-t * t), -a * math.inf, math.inf)[0], "Write np.inf itself"),
], ids=["points", "weight", "full_output", "complex", "arrays", "infinity", "infinities"])
def test_what_is_refused(f, says):
    with pytest.raises(gs.GradscribeError, match=f"(?s){says}"):
        gs.grad(f)(1.0)
