"""What solvers of SciPy find: roots, solutions of differential equations, of Lyapunov's and Riccati's equations."""
import numpy as np
import pytest
from scipy import integrate, linalg as sl, optimize

import gradscribe as gs
from gradscribe.test_util import check_grads


def curve(x, a, b):
    return np.cos(a * x) - b * x ** 3 + np.sin(b)


def slope(x, a, b):
    return -a * np.sin(a * x) - 3.0 * b * x ** 2


def bend(x, a, b):
    return -a * a * np.cos(a * x) - 6.0 * b * x


def by_closure(a, b):
    c = np.sin(a) + b
    return optimize.brentq(lambda x: x ** 3 + c * x - a, -1.0, 3.0, xtol=1e-14)


def in_a_loop(a, b):
    total = 0.0
    for k in range(3):
        total = total + optimize.ridder(lambda x, k=k: np.exp(x) - a - k * b, -3.0, 4.0)
    return total


ROOTS = {
    **{f.__name__: lambda a, b, f=f: f(curve, 0.0, 2.0, (a, b), xtol=1e-13)
       for f in (optimize.brentq, optimize.brenth, optimize.bisect, optimize.ridder)},
    "newton": lambda a, b: optimize.newton(curve, 0.9, slope, (a, b)),
    "halley": lambda a, b: optimize.newton(curve, 0.9, slope, (a, b), fprime2=bend),
    "secant": lambda a, b: optimize.newton(curve, 0.9, args=(a, b)),
    "secant of two": lambda a, b: optimize.newton(curve, 0.9, x1=1.0, args=(a, b), tol=1e-12),
    "root_scalar": lambda a, b: optimize.root_scalar(curve, (a, b), bracket=[0, 2]).root,
    "root_scalar, newton": lambda a, b: optimize.root_scalar(curve, (a, b), x0=0.9, fprime=slope).root,
    "root_scalar, secant": lambda a, b: optimize.root_scalar(curve, (a, b), x0=0.9, x1=1.1, xtol=1e-12).root,
    "root_scalar, bisect": lambda a, b: optimize.root_scalar(curve, (a, b), "bisect", [0, 2], rtol=1e-14).root,
    "a closure": by_closure, "in a loop": in_a_loop,
    "where a bound is the root": lambda a, b: optimize.brentq(lambda x: a * (x - b) * (x + 1.0), b, b + 1.0),
    "a root of a root": lambda a, b: optimize.brentq(lambda x: optimize.brentq(lambda y: y ** 3 - x - a, -2.0, 3.0) - b,
                                                     -3.0, 3.0)}


@pytest.mark.heavy(one_in=7)
@pytest.mark.parametrize("name", ROOTS)
def test_roots(name):
    f = ROOTS[name]
    for way in (gs.test_util.primal, gs.jit):
        got, want = way(f)(1.3, 0.7), f(1.3, 0.7)
        assert type(got) is type(want)
        np.testing.assert_allclose(got, want, rtol=2e-14)
    check_grads(f, (1.3, 0.7), order=2 if name != "a root of a root" else 1, rtol=1e-4)
    np.testing.assert_allclose(gs.jit(gs.grad(f))(1.3, 0.7), gs.grad(f)(1.3, 0.7), rtol=1e-9)
    a, b = np.array([1.3, 1.1, 0.4]), np.array([0.7, 0.2, 0.4])
    np.testing.assert_allclose(gs.vmap(f)(a, b), [f(*ab) for ab in zip(a, b)], rtol=1e-13)


def of_the_search(a):
    x, found = optimize.brentq(lambda x: x ** 2 - a, 0, 5, full_output=True)
    y, more = optimize.newton(lambda x: x ** 2 - a, 5, full_output=True, disp=False, maxiter=3)
    return (x, found.root, found.iterations, found.function_calls, found.converged, y, more.iterations,
            more.function_calls, more.converged)


@pytest.mark.parametrize("way", [gs.test_util.primal, gs.jit], ids=["plain", "compiled"])
def test_what_the_search_was_like(way):
    np.testing.assert_allclose(way(of_the_search)(2.0), of_the_search(2.0), rtol=1e-11)


RAISES = {"one sign": lambda a: optimize.brentq(lambda x: x * x + a, 0, 1),
          "one sign, bisect": lambda a: optimize.bisect(lambda x: x * x + a, 0, 1),
          "late": lambda a: optimize.brentq(lambda x: x * x - a, 0, 5, maxiter=3),
          "nan": lambda a: optimize.brentq(lambda x: np.log(x - 1.0) - a, 0, 5),
          "flat": lambda a: optimize.newton(lambda x: 1.0 + a, 1.0, lambda x: 0.0 * x),
          "late, newton": lambda a: optimize.newton(lambda x: x * x - a, 5.0, maxiter=2),
          "xtol": lambda a: optimize.bisect(lambda x: x - a, 1.0, 3.0, xtol=0),
          "no start": lambda a: optimize.root_scalar(lambda x: x - a).root,
          "t_eval outside": lambda a: integrate.solve_ivp(lambda t, y: -y, (0, 1), [a], t_eval=[0.5, 2.0]).y,
          "t_eval unsorted": lambda a: integrate.solve_ivp(lambda t, y: -y, (0, 1), [a], t_eval=[0.5, 0.2]).y,
          "a matrix": lambda a: integrate.solve_ivp(lambda t, y: -y, (0, 1), np.eye(2) * a).y,
          "first_step": lambda a: integrate.solve_ivp(lambda t, y: -y, (0, 1), [a], first_step=2.0).y,
          "unsymmetric": lambda a: sl.solve_continuous_are(np.eye(2) * a, np.eye(2), np.array([[1.0, 2], [0, 1]]),
                                                           np.eye(2)),
          "shapes": lambda a: sl.solve_discrete_lyapunov(np.eye(2) * a, np.eye(3)),
          "no square": lambda a: sl.solve_continuous_lyapunov(np.ones((2, 3)) * a, np.eye(2))}


@pytest.mark.heavy(one_in=7)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", RAISES)
def test_what_is_raised(name):
    f = RAISES[name]
    with pytest.raises(Exception) as raised:
        f(2.0)
    for way in (gs.test_util.primal, gs.jit):
        with pytest.raises(raised.type) as ours:
            way(f)(2.0)
        assert not isinstance(ours.value, gs.GradscribeError)
        if name not in ("late, newton", "shapes"):  # the last digits of a number, and a matrix of Kronecker's
            assert str(ours.value).splitlines()[0] == str(raised.value)


def test_a_root_of_no_slope_has_its_value_and_no_derivative():
    f = gs.value_and_grad(lambda a: optimize.newton(lambda x: (x - a) * (x - a), 2.0, x1=1.9, tol=1e-3))
    with np.errstate(all="ignore"):
        value, _ = f(2.0)
    assert value == 2.0


# differential equations ---------------------------------------------------------------------------------
def prey(t, y, a, b):
    return [a * y[0] - b * y[0] * y[1], -y[1] + 0.5 * y[0] * y[1] * np.cos(0.1 * t)]


TIMES = np.linspace(0.5, 4.0, 5)
WAYS = {
    "t_eval": lambda a, b: integrate.solve_ivp(prey, (0.0, 4.0), [1.0, b], t_eval=TIMES, args=(a, b)).y,
    "its own times": lambda a, b: integrate.solve_ivp(prey, (0.0, 4.0), np.array([a, 1.0]), args=(a, b)).y[:, -1],
    "times that move": lambda a, b: integrate.solve_ivp(prey, (0, 4 * b), [a, 1], t_eval=TIMES * b, args=(a, b),
                                                        method="RK23").y,
    "backwards": lambda a, b: integrate.solve_ivp(prey, [3.0, 0.0], (a, 1.0), "RK45", [3.0, 1.0, 0.5], args=(a, b)).y,
    "options": lambda a, b: integrate.solve_ivp(prey, (0.0, 4.0), [1.0, b], args=(a, b), rtol=1e-6, atol=[1e-7, 1e-8],
                                                first_step=0.01, max_step=0.3, t_eval=TIMES).y,
    "dense": lambda a, b: integrate.solve_ivp(prey, (0.0, 4.0), [1.0, b], args=(a, b), dense_output=True).sol(TIMES),
    "dense, a number": lambda a, b: integrate.solve_ivp(prey, (4.0, 0.0), [1.0, b], args=(a, b), method="RK23",
                                                        dense_output=True).sol(a),
    "a closure": lambda a, b: integrate.solve_ivp(lambda t, y: -b * y + np.sin(a * t), (0.0, 2.0), np.ones(1)).y[0, -1]}


@pytest.mark.heavy(one_in=8)
@pytest.mark.parametrize("name", WAYS)
def test_differential_equations(name):
    f = WAYS[name]
    for way in (gs.test_util.primal, gs.jit):
        got, want = way(f)(1.3, 0.7), f(1.3, 0.7)
        assert got.dtype == want.dtype and got.shape == want.shape
        np.testing.assert_allclose(got, want, rtol=1e-11)
    total = lambda a, b: np.sum(f(a, b))  # noqa: E731
    h = 1e-5
    wanted = ((f(1.3 + h, 0.7) - f(1.3 - h, 0.7)).sum() / (2 * h), (f(1.3, 0.7 + h) - f(1.3, 0.7 - h)).sum() / (2 * h))
    for way in (lambda g: g, gs.jit):
        np.testing.assert_allclose(way(gs.grad(total, (0, 1)))(1.3, 0.7), wanted, rtol=1e-6, atol=1e-7)
    a, b = np.array([1.3, 2.1, 0.4]), np.array([0.7, 0.2, 0.9])
    np.testing.assert_allclose(gs.vmap(f)(a, b), [f(*ab) for ab in zip(a, b)], rtol=1e-10)


def outcome_of(a):
    found = integrate.solve_ivp(prey, (0.0, 3.0), [1.0, a], args=(a, 0.5))
    if not found.success:
        raise RuntimeError(found.message)
    return found.t, found.y, found["y"][0], found.nfev, found.status, found.success


def to_a_pole(a):
    found = integrate.solve_ivp(lambda t, y: a * y ** 2, (0.0, 3.0), [1.0])
    return found.t[-1], found.success, found.status


@pytest.mark.heavy(one_in=3)
@pytest.mark.parametrize("way", [gs.test_util.primal, gs.jit], ids=["plain", "compiled"])
def test_what_is_told_of_a_solution(way):
    for got, want in zip(way(outcome_of)(1.3), outcome_of(1.3), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-11)
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(way(to_a_pole)(1.0), to_a_pole(1.0), rtol=1e-6)


@pytest.mark.parametrize("more, says", [
    ({"method": "LSODA"}, "method='LSODA'"), ({"events": lambda t, y: y[0]}, "with events"),
    ({"t_eval": TIMES, "dense_output": True}, "dense_output=True and t_eval="), ({"lband": 3}, "lband=")])
def test_what_of_solve_ivp_is_refused(more, says):
    with pytest.raises(gs.GradscribeError, match=says):
        gs.grad(lambda a: integrate.solve_ivp(lambda t, y: -a * y, (0.0, 4.0), [1.0], **more).y[0, -1])(1.0)


# Riccati and Lyapunov -----------------------------------------------------------------------------------
RNG = np.random.default_rng(3)
A, B, W = RNG.normal(size=(3, 3)), RNG.normal(size=(3, 2)), RNG.normal(size=(3, 3))
Q, R, S = np.eye(3) + 0.1, np.diag([0.5, 0.8]), 0.1 * RNG.normal(size=(3, 2))
EQUATIONS = {
    "discrete": lambda a, b, c: sl.solve_discrete_are(a, b, c * Q, R / c),
    "discrete, more": lambda a, b, c: sl.solve_discrete_are(a, b[:, :1], Q, 0.5 * c, s=S[:, :1]),
    "continuous": lambda a, b, c: sl.solve_continuous_are(a, b, c * Q, R / c),
    "continuous, more": lambda a, b, c: sl.solve_continuous_are(a, b, Q, R, s=c * S),
    "lyapunov": lambda a, b, c: sl.solve_continuous_lyapunov(a, c * b @ b.T)
                                + sl.solve_discrete_lyapunov(0.2 * a, c * Q),
    "lyapunov, bilinear": lambda a, b, c: sl.solve_discrete_lyapunov(0.2 * a, c * Q, method="bilinear")}


@pytest.mark.heavy(one_in=6)
@pytest.mark.parametrize("name", EQUATIONS)
def test_equations_of_matrices(name):
    f = EQUATIONS[name]
    for way in (gs.test_util.primal, gs.jit):
        got, want = way(f)(A, B, 1.2), f(A, B, 1.2)
        assert got.dtype == want.dtype
        np.testing.assert_allclose(got, want, rtol=1e-10, atol=1e-12)
    check_grads(lambda a, b, c: np.sum(W * f(a, b, c)), (A, B, 1.2), order=2, rtol=1e-4)
    many = np.stack([A, A.T, 0.9 * A])
    np.testing.assert_allclose(gs.vmap(f, in_axes=(0, None, None))(many, B, 1.2), [f(a, B, 1.2) for a in many],
                               rtol=1e-9, atol=1e-11)


def test_equations_that_have_no_stable_solution_are_refused():
    with pytest.raises(gs.GradscribeError, match="no solution that is accurate and stable"):
        gs.grad(lambda a: np.sum(sl.solve_discrete_are(a * np.diag([2.0, 0.5]), np.array([[0.0], [1.0]]), np.eye(2),
                                                       1.0)))(1.0)


MINIMA = {
    "brent": lambda a, b: optimize.minimize_scalar(lambda x: (x - a) ** 2 + b * x ** 4).x,
    "arguments, height": lambda a, b: optimize.minimize_scalar(lambda x, c: np.cosh(x - c) + b * x, args=(a,)).fun,
    "a bracket": lambda a, b: optimize.minimize_scalar(lambda x: np.exp(x) - 5.0 * a * x, (-1.0, 1.5, 4.0),
                                                       tol=1e-10).x,
    "far away": lambda a, b: optimize.minimize_scalar(lambda x: np.log(1.0 + (x + 30.0 * a) ** 2 * b)).x,
    "bounded": lambda a, b: optimize.minimize_scalar(lambda x: np.sin(x - a) + b * x ** 2, bounds=(-3.0, 3.0),
                                                     options={"xatol": 1e-9}).x,
    "at the lower bound": lambda a, b: optimize.minimize_scalar(lambda x: (x - a) ** 2, bounds=(2.5 * b, 3.0)).x,
    "at the upper bound": lambda a, b: optimize.minimize_scalar(lambda x: (x - a) ** 2, bounds=[-1.0, b]).fun,
    "fminbound": lambda a, b: optimize.fminbound(lambda x: -x * np.exp(-a * x), 0, 5.0 * b, xtol=1e-9)}


@pytest.mark.heavy(one_in=4)
@pytest.mark.parametrize("name", MINIMA)
def test_minima(name):
    f = MINIMA[name]
    for way in (gs.test_util.primal, gs.jit):
        got, want = way(f)(1.3, 0.7), f(1.3, 0.7)
        assert type(got) is type(want)
        np.testing.assert_allclose(got, want, rtol=0 if way is not gs.jit else 3e-8)
    found = gs.grad(f, (0, 1))(1.3, 0.7)
    for k, step in enumerate(0.01 * np.eye(2)):
        far, near = [(f(1.3 + h * step[0], 0.7 + h * step[1]) - f(1.3 - h * step[0], 0.7 - h * step[1])) / (0.02 * h)
                     for h in (2.0, 1.0)]
        np.testing.assert_allclose(found[k], (4.0 * near - far) / 3.0, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(gs.jit(gs.grad(f, (0, 1)))(1.3, 0.7), found, rtol=1e-6, atol=1e-12)
    bend = (gs.grad(f)(1.31, 0.7) - gs.grad(f)(1.29, 0.7)) / 0.02
    np.testing.assert_allclose(gs.hessian(f)(1.3, 0.7), bend, rtol=1e-3, atol=1e-4)


def test_what_is_known_of_a_minimum():
    def f(a, most):
        found = optimize.minimize_scalar(lambda x: (x - a) ** 2 + x ** 4, options={"maxiter": most})
        within = optimize.minimize_scalar(lambda x: (x - a) ** 2 + x ** 4, bounds=(0, 2), method="Bounded",
                                          options={"maxiter": most})
        return found.nit, found.nfev, found.success, within.nit, within.nfev, within.success, found.x, within.fun

    for most in (500, 5, 3):
        assert gs.test_util.primal(f)(1.3, most) == f(1.3, most)
        np.testing.assert_allclose(np.array(gs.jit(f)(1.3, most), float), np.array(f(1.3, most), float), rtol=1e-7)


def test_a_minimum_that_does_not_move_as_its_slope():
    """At a kink, and where the steps have ended before."""
    for f in (lambda a: optimize.minimize_scalar(lambda x: np.abs(x - a) + 0.1 * x ** 2).x,
              lambda a: optimize.minimize_scalar(lambda x: (x - a) ** 2 + x ** 4, options={"maxiter": 3}).x):
        assert gs.test_util.primal(f)(1.3) == f(1.3)
        assert np.isnan(gs.grad(f)(1.3))


@pytest.mark.parametrize("says, f", [
    ("that is NaN", lambda a: optimize.minimize_scalar(lambda x: np.sqrt(x - a - 5.0)).x),
    ("no minimum near", lambda a: optimize.minimize_scalar(lambda x: a * x).x),
    ("with method='golden'", lambda a: optimize.minimize_scalar(lambda x: (x - a) ** 2, method="golden").x),
    ("with disp=", lambda a: optimize.minimize_scalar(lambda x: (x - a) ** 2, options={"disp": 3}).x),
    ("other options", lambda a: optimize.minimize_scalar(lambda x: (x - a) ** 2, options={"eps": 3}).x),
    ("comes to no end", lambda a: optimize.fminbound(lambda x: (x - a) ** 2, 0, 2, maxfun=3))])
def test_minima_that_are_refused(says, f):
    with pytest.raises(gs.GradscribeError, match=says):
        gs.test_util.primal(f)(1.3)


def test_what_is_raised_of_minima():
    for f in (lambda a: optimize.minimize_scalar(lambda x: (x - a) ** 2, (0.0, 1.0, 1.2)).x,
              lambda a: optimize.minimize_scalar(lambda x: (x - a) ** 2, (0.0, -1.0, 2.0)).x,
              lambda a: optimize.minimize_scalar(lambda x: (x - a) ** 2, bounds=(2.0, 1.0)).x,
              lambda a: optimize.minimize_scalar(lambda x: (x - a) ** 2, bounds=(2.0, 1.0), method="brent").x,
              lambda a: optimize.minimize_scalar(lambda x: (x - a) ** 2, method="bounded").x):
        with pytest.raises(ValueError) as want:
            f(1.3)
        with pytest.raises(ValueError) as got:
            gs.test_util.primal(f)(1.3)
        assert str(got.value) == str(want.value)
