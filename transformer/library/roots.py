"""scipy.optimize: roots of functions of one number, found by SciPy's own steps.

A root x(p) of f(x, p) = 0 moves as the equation says, dx = -f_p / f_x dp, whatever steps have found it: the steps are
taken as constants, and two of Newton's from the root, in which only p moves, have the derivatives of x of the first
three orders.
"""
import operator
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import optimize

from gradscribe import runtime as rt

from .registry import known, means, moving_as, pushed, refuse

FLAGS = "it says what is given"
SAME_SIGN = "f(a) and f(b) must have different signs"
LEAST = float(4 * np.finfo(float).eps)


@dataclass(eq=False)
class Root:
    """What SciPy's RootResults is here."""

    root: Any
    iterations: Any
    function_calls: Any
    converged: Any
    method: str

    @property
    def flag(self):
        return "converged" if self.converged else "convergence error"


def number_at(f, x, args):
    """f(x) as a number that is not NaN."""
    y = as_number(f(x, *args))
    if np.isnan(y):
        raise ValueError(f"The function value at x={x} is NaN; solver cannot continue.")
    return y


def as_number(y):
    if np.ndim(y) != 0 or np.asarray(y).dtype.kind not in "fiub":
        refuse("a root of a function that does not return a real number", "Return a float: y[0], or y.item().")
    return np.float64(y)


def as_args(args):
    return args if isinstance(args, tuple) else (args,)


def of_equation(f, x, args):
    """The root x, whose derivatives are those of the equation."""
    def unwarned(x):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return as_number(f(x, *args))

    def step(x):
        y, slope = pushed(unwarned, x, 1.0)
        return x - float((y - rt.stop_gradient(y)) / slope)
    return moving_as(x, step(step(x)))


def bracketed(solver, name, f, a, b, args, xtol, rtol, maxiter, full_output, disp):
    """The root that a solver finds between a and b."""
    full_output, args = known(full_output, FLAGS), as_args(args)
    if xtol <= 0:
        raise ValueError(f"xtol too small ({xtol:g} <= 0)")
    if rtol < LEAST:
        raise ValueError(f"rtol too small ({rtol:g} < {LEAST:g})")
    if maxiter < 0:
        raise ValueError("maxiter must be >= 0")
    a, b = rt.stop_gradient(float(a)), rt.stop_gradient(float(b))
    x, calls, steps, found = solver(f, a, b, args, xtol, rtol, maxiter)
    if known(disp, "it says what is raised") and not found:
        raise RuntimeError(f"Failed to converge after {steps} iterations.")
    x = of_equation(f, rt.stop_gradient(float(x)), args)
    return (x, Root(x, steps, calls, found, name)) if full_output else x


def interpolated(secant, f, a, b, args, xtol, rtol, maxiter):
    """R. Brent's method: `secant` extrapolates from the slopes to the two points behind."""
    before, x, other = a, b, a
    y_before, y = number_at(f, a, args), number_at(f, b, args)
    y_other, last, move = y_before, b - a, b - a
    if y_before * y > 0:
        raise ValueError(SAME_SIGN)
    steps, calls, found = 0, 2, False
    if y_before == 0:
        x, found = before, True
    elif y == 0:
        found = True
    while not found and steps < maxiter:
        steps += 1
        if y_before * y < 0:
            other, y_other = before, y_before
            last = move = x - before
        if abs(y_other) < abs(y):
            before, x, other = x, other, x
            y_before, y, y_other = y, y_other, y
        least, half = (xtol + rtol * abs(x)) / 2, (other - x) / 2
        if y == 0 or abs(half) < least:
            found = True
        else:
            good, trial = False, half
            if abs(last) > least and abs(y) < abs(y_before):
                trial = crossing(secant, x, y, before, y_before, other, y_other)
                good = 2 * abs(trial) < min(abs(last), 3 * abs(half) - least)
            last, move = (move, trial) if good else (half, half)
            before, y_before = x, y
            x = x + at_least_as_far(move, least, half)
            y = number_at(f, x, args)
            calls += 1
    return x, calls, steps, found


def crossing(secant, x, y, before, y_before, other, y_other):
    """The way to where the curve through the last points is 0."""
    if before == other:
        return float(-y * (x - before) / (y - y_before))
    return float(secant(x, y, before, y_before, other, y_other))


def at_least_as_far(move, least, half):
    return move if abs(move) > least else least if half > 0 else -least


def by_quadratic(x, y, before, y_before, other, y_other):
    near, far = (y_before - y) / (before - x), (y_other - y) / (other - x)
    return -y * (y_other * far - y_before * near) / (far * near * (y_other - y_before))


def by_hyperbola(x, y, before, y_before, other, y_other):
    near, far = (y_before - y) / (before - x), (y_other - y) / (other - x)
    return -y * (y_other - y_before) / (y_other * near - y_before * far)


def brentq_steps(*given):
    return interpolated(by_quadratic, *given)


def brenth_steps(*given):
    return interpolated(by_hyperbola, *given)


def halved(f, a, b, args, xtol, rtol, maxiter):
    y, y_b = number_at(f, a, args), number_at(f, b, args)
    if y != 0 and y_b != 0 and np.signbit(y) == np.signbit(y_b):
        raise ValueError(SAME_SIGN)
    steps, calls, found, x, width = 0, 2, False, a, b - a
    if y == 0:
        found = True
    elif y_b == 0:
        x, found = b, True
    while not found and steps < maxiter:
        steps += 1
        width *= 0.5
        middle = a + width
        y_middle = number_at(f, middle, args)
        calls += 1
        if np.signbit(y_middle) == np.signbit(y):
            a = middle
        found = y_middle == 0 or abs(width) < xtol + rtol * abs(middle)
        x = middle if found else a
    return x, calls, steps, found


def sign_of(x):
    return 1.0 if x > 0 else -1.0


def exponential(f, a, b, args, xtol, rtol, maxiter):
    """C. Ridders' method."""
    tol, y_a, y_b = xtol + rtol * (abs(a) + abs(b)), number_at(f, a, args), number_at(f, b, args)
    if y_a * y_b > 0:
        raise ValueError(SAME_SIGN)
    steps, calls, found, x = 0, 2, False, a
    if y_a == 0:
        found = True
    elif y_b == 0:
        x, found = b, True
    while not found and steps < maxiter:
        steps += 1
        half = 0.5 * (b - a)
        middle = a + half
        y_middle = number_at(f, middle, args)
        move = float(sign_of(y_b - y_a) * half * y_middle / np.sqrt(y_middle * y_middle - y_a * y_b))
        x = middle - sign_of(move) * min(abs(move), abs(half) - 0.5 * tol)
        y = number_at(f, x, args)
        calls += 2
        if y * y_middle < 0:
            a, y_a, b, y_b = x, y, middle, y_middle
        elif y * y_a < 0:
            b, y_b = x, y
        else:
            a, y_a = x, y
        found = y == 0 or abs(b - a) < tol
    return x, calls, steps, found


@means(optimize.brentq, unasked=True)
def brentq(f, a, b, args=(), xtol=2e-12, rtol=LEAST, maxiter=100, full_output=False, disp=True):
    return bracketed(brentq_steps, "brentq", f, a, b, args, xtol, rtol, maxiter, full_output, disp)


@means(optimize.brenth, unasked=True)
def brenth(f, a, b, args=(), xtol=2e-12, rtol=LEAST, maxiter=100, full_output=False, disp=True):
    return bracketed(brenth_steps, "brenth", f, a, b, args, xtol, rtol, maxiter, full_output, disp)


@means(optimize.bisect, unasked=True)
def bisect(f, a, b, args=(), xtol=2e-12, rtol=LEAST, maxiter=100, full_output=False, disp=True):
    return bracketed(halved, "bisect", f, a, b, args, xtol, rtol, maxiter, full_output, disp)


@means(optimize.ridder, unasked=True)
def ridder(f, a, b, args=(), xtol=2e-12, rtol=LEAST, maxiter=100, full_output=False, disp=True):
    return bracketed(exponential, "ridder", f, a, b, args, xtol, rtol, maxiter, full_output, disp)


# from a point -------------------------------------------------------------------------------------------
def is_near(p, x, tol, rtol):
    return np.abs(p - x) <= tol + rtol * np.abs(x) and np.isfinite(x) or p == x


def slopes_used(f, x, fprime, fprime2, args, tol, rtol, maxiter):
    """Newton's method, or Halley's: (x, calls, steps, found, why not)"""
    steps, calls, found, why = 0, 0, False, 0
    while not found and why == 0 and steps < maxiter:
        y = as_number(f(x, *args))
        calls += 1
        if y == 0:
            found = True
        else:
            slope = as_number(fprime(x, *args))
            calls += 1
            steps += 1
            if slope == 0:
                why = 1
            else:
                step = y / slope
                if fprime2 is not None:
                    bend = step * as_number(fprime2(x, *args)) / slope / 2
                    calls += 1
                    step = step / (1.0 - bend) if np.abs(bend) < 1 else step
                p = x - step
                found = is_near(p, x, tol, rtol)
                x = p
    return x, calls, steps, found, why


def secants(f, x, x1, args, tol, rtol, maxiter):
    """(x, calls, steps, found, why not)"""
    if x1 is None:
        p1 = x * (1 + 1e-4)
        p1 = p1 + (1e-4 if p1 >= 0 else -1e-4)
    else:
        if x1 == x:
            raise ValueError("x1 and x0 must be different")
        p1 = np.float64(x1)
    p0, q0, q1 = x, as_number(f(x, *args)), as_number(f(p1, *args))
    if abs(q1) < abs(q0):
        p0, p1, q0, q1 = p1, p0, q1, q0
    steps, calls, found, why, p = 0, 2, False, 0, p1
    while not found and why == 0 and steps < maxiter:
        steps += 1
        if q1 == q0:
            why = 2 if p1 != p0 else 3
            p = (p1 + p0) / 2.0
        else:
            if abs(q1) > abs(q0):
                p = (-q0 / q1 * p1 + p0) / (1 - q0 / q1)
            else:
                p = (-q1 / q0 * p0 + p1) / (1 - q1 / q0)
            found = is_near(p, p1, tol, rtol)
            if not found:
                p0, q0, p1 = p1, q1, p
                q1 = as_number(f(p, *args))
                calls += 1
    return p, calls, steps, found, why


@means(optimize.newton, unasked=True)
def newton(func, x0, fprime=None, args=(), tol=1.48e-8, maxiter=50, fprime2=None, x1=None, rtol=0.0,
           full_output=False, disp=True):
    full_output, maxiter, args = known(full_output, FLAGS), operator.index(maxiter), as_args(args)
    if tol <= 0:
        raise ValueError(f"tol too small ({tol:g} <= 0)")
    if maxiter < 1:
        raise ValueError("maxiter must be greater than 0")
    if np.ndim(x0) != 0 or np.asarray(x0).dtype.kind not in "fiu":
        refuse("scipy.optimize.newton from what is no real number", "Call it for each number, with gs.vmap for many.")
    x, x1 = rt.stop_gradient(np.float64(x0)), x1 if x1 is None else rt.stop_gradient(x1)
    if fprime is not None:
        x, calls, steps, found, why = slopes_used(func, x, fprime, fprime2, args, tol, rtol, maxiter)
    else:
        x, calls, steps, found, why = secants(func, x, x1, args, tol, rtol, maxiter)
    tell(known(disp, "it says what is raised"), x, steps, found, why)
    x = of_equation(func, rt.stop_gradient(x), args)
    method = "secant" if fprime is None else "newton" if fprime2 is None else "halley"
    return (x, Root(x, steps, calls, found, method)) if full_output else x


def tell(disp, x, steps, found, why):
    """What is raised, or warned of, where no root was found."""
    if disp:
        if why == 1:
            raise RuntimeError(f"Derivative was zero. Failed to converge after {steps} iterations, value is {x}.")
        if why == 2:
            raise RuntimeError("Tolerance reached: two points of one value. Failed to converge after "
                               f"{steps} iterations, value is {x}.")
        if not found and why == 0:
            raise RuntimeError(f"Failed to converge after {steps} iterations, value is {x}.")
    elif why == 1 or why == 2:
        warnings.warn("the iteration ended without a root", RuntimeWarning)


@means(optimize.root_scalar, unasked=True)
def root_scalar(f, args=(), method=None, bracket=None, fprime=None, fprime2=None, x0=None, x1=None, xtol=None,
                rtol=None, maxiter=None):
    method = known(method, "it says what is done")
    method = method_for(bracket, fprime, fprime2, x0, x1) if method is None else method.lower()
    given = {k: x for k, x in {"xtol": xtol, "rtol": rtol, "maxiter": maxiter}.items() if x is not None}
    if method in BRACKETED:
        if bracket is None:
            raise ValueError(f"Bracket needed for {method}")
        return BRACKETED[method](f, bracket[0], bracket[1], args, full_output=True, disp=False, **given)[1]
    if method not in ("secant", "newton", "halley"):
        refuse(f"scipy.optimize.root_scalar with method={method!r}", "Take method='brentq'.")
    if x0 is None:
        raise ValueError(f"x0 must not be None for {method}")
    if "xtol" in given:
        given["tol"] = given.pop("xtol")
    if method == "secant":
        return newton(f, x0, None, args, x1=x1, full_output=True, disp=False, **given)[1]
    fprime2 = fprime2 if method == "halley" else None
    if not callable(fprime) or method == "halley" and not callable(fprime2):
        refuse(f"scipy.optimize.root_scalar with method={method!r} without the derivatives as functions",
               "Give it x1 and method='secant', or the derivative: fprime=gs.grad(f).")
    return newton(f, x0, fprime, args, fprime2=fprime2, full_output=True, disp=False, **given)[1]


def method_for(bracket, fprime, fprime2, x0, x1):
    if bracket is not None:
        return "brentq"
    if x0 is None:
        raise ValueError("Unable to select a solver as neither bracket nor starting point provided.")
    if fprime:
        return "halley" if fprime2 else "newton"
    return "newton" if x1 is None else "secant"


BRACKETED = {"brentq": brentq, "brenth": brenth, "bisect": bisect, "ridder": ridder}
