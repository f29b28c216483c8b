"""scipy.optimize: where a function of one number is least, found by SciPy's own steps.

A minimum x(p) of f(x, p) is a root of the slope f_x, and moves as that does (`roots.py`); one at a bound moves with it.
"""
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import optimize

from gradscribe import runtime as rt

from .registry import ensure, known, means, moving_as, pushed, refuse
from .roots import as_args, as_number, of_equation

GROWTH, LARGEST, TRIES, TINY = 1.618034, 110.0, 1000, 1e-21
NAME = "scipy.optimize.minimize_scalar"


@dataclass(eq=False)
class Minimum:
    """What SciPy's OptimizeResult is here."""

    x: Any
    fun: Any
    nit: Any
    nfev: Any
    success: Any


def height(f, x, args):
    y = as_number(f(x, *args))
    ensure(not np.isnan(y), f"{NAME} of a function that is NaN where it is looked at")
    return y


# three points, of which the middle one is lowest --------------------------------------------------------------
def beyond(b, c):
    return c + GROWTH * (c - b)


def lowest_of_parabola(a, b, c, y_a, y_b, y_c):
    right, left = (b - a) * (y_b - y_c), (b - c) * (y_b - y_a)
    bend = left - right
    return b - ((b - c) * left - (b - a) * right) / (2.0 * (TINY if abs(bend) < TINY else bend))


def is_valley(a, b, c, y_a, y_b, y_c):
    lower = y_b < y_c and y_b <= y_a or y_b < y_a and y_b <= y_c
    return lower and (a < b < c or c < b < a) and np.isfinite(a) and np.isfinite(c)


def three_around(f, args, a, b):
    """Downhill from two points, ever farther: (a, b, c, the height of b, how often f was called)"""
    y_a, y_b = height(f, a, args), height(f, b, args)
    if y_a < y_b:
        a, b, y_a, y_b = b, a, y_b, y_a
    c = beyond(a, b)
    y_c, calls, tries = height(f, c, args), 3, 0
    found = y_c >= y_b
    while not found:
        ensure(tries <= TRIES, f"{NAME} of a function that has no minimum near")
        tries += 1
        u, limit = lowest_of_parabola(a, b, c, y_a, y_b, y_c), b + LARGEST * (c - b)
        between, within = (u - c) * (b - u) > 0.0, False
        if not between:
            within = (u - limit) * (c - u) > 0.0
            if not within:
                u = limit if (u - limit) * (limit - c) >= 0.0 else beyond(b, c)
        y = height(f, u, args)
        calls += 1
        if between and y < y_c:
            a, b, y_a, y_b, found = b, u, y_b, y, True
        elif between and y > y_b:
            c, y_c, found = u, y, True
        else:
            lower = within and y < y_c
            if lower:
                b, c, y_b, y_c = c, u, y_c, y
            if lower or between:
                u = beyond(b, c)
                y = height(f, u, args)
                calls += 1
            a, b, c, y_a, y_b, y_c = b, c, u, y_b, y_c, y
            found = y_c >= y_b
    ensure(is_valley(a, b, c, y_a, y_b, y_c), f"{NAME} of a function that has no minimum near")
    return a, b, c, y_b, calls


def given_around(f, args, bracket):
    """(a, b, c, the height of b, how often f was called) of a bracket of three"""
    a, b, c = [rt.stop_gradient(np.float64(x)) for x in bracket]
    if a > c:
        a, c = c, a
    if not (a < b and b < c):
        raise ValueError("Bracketing values (xa, xb, xc) do not fulfill this requirement: (xa < xb) and (xb < xc)")
    y_a, y_b, y_c = height(f, a, args), height(f, b, args), height(f, c, args)
    if not (y_b < y_a and y_b < y_c):
        raise ValueError("Bracketing values (xa, xb, xc) do not fulfill this requirement: (f(xb) < f(xa)) and "
                         "(f(xb) < f(xc))")
    return a, b, c, y_b, 3


# parabolas through the lowest points, and where these do not serve the golden section ---------------------------
def is_narrow(x, a, b, tol, touching):
    off, room = abs(x - 0.5 * (a + b)), 2.0 * tol - 0.5 * (b - a)
    return off <= room if touching else off < room


def next_move(a, b, tol, share, points, heights, far, move):
    """(how far the next move is measured against, the move) from the lowest point between a and b"""
    (x, w, v), (y_x, y_w, y_v), middle = points, heights, 0.5 * (a + b)
    if abs(far) > tol:
        right, left = (x - w) * (y_x - y_v), (x - v) * (y_x - y_w)
        up, down = (x - v) * left - (x - w) * right, 2.0 * (left - right)
        up, down = -up if down > 0.0 else up, abs(down)
        if abs(up) < abs(0.5 * down * far) and down * (a - x) < up and up < down * (b - x):
            step = up / down
            at_an_end = x + step - a < 2.0 * tol or b - (x + step) < 2.0 * tol
            return move, (tol if middle >= x else -tol) if at_an_end else step
    far = a - x if x >= middle else b - x
    return far, share * far


def narrowed(f, args, a, b, x, y_x, share, spread, least, most, touching):
    """R. Brent's method between a and b, from x: (x, steps, found)"""
    w, v, y_w, y_v, steps = x, x, y_x, y_x, 0
    far, move, tol = 0.0 * x, 0.0 * x, spread * abs(x) + least
    while steps < most and not is_narrow(x, a, b, tol, touching):
        steps += 1
        far, move = next_move(a, b, tol, share, (x, w, v), (y_x, y_w, y_v), far, move)
        u = x + (move if abs(move) >= tol else tol if move >= 0.0 else -tol)
        y = height(f, u, args)
        if y <= y_x:
            a, b = (x, b) if u >= x else (a, x)
            x, w, v, y_x, y_w, y_v = u, x, w, y, y_x, y_w
        else:
            a, b = (u, b) if u < x else (a, u)
            if y <= y_w or w == x:
                w, v, y_w, y_v = u, w, y, y_w
            elif y <= y_v or v == x or v == w:
                v, y_v = u, y
        tol = spread * abs(x) + least
    return x, steps, steps < most


# what moves -------------------------------------------------------------------------------------------------------
def slope_of(f, args):
    return lambda x: as_number(pushed(lambda x: as_number(f(x, *args)), x, 1.0)[1])


def resting(f, x, args, low, high, near, found):
    """The minimum x between two bounds, of which one that is near, and towards which f falls, takes it with it.  Where
    the slope is not 0 it moves as nobody knows."""
    slope, bend = pushed(slope_of(f, args), x, 1.0)
    y = height(f, x, args)
    if found and bend > 0.0 and abs(slope) <= 100.0 * near * bend + 1e-6 * np.sqrt(abs(y) * bend):
        return of_equation(slope_of(f, args), x, ())
    bound = low if slope > 0.0 else high
    return moving_as(x, bound if found and abs(x - bound) < near else np.nan * y)


def minimum(f, x, args, low, high, near, steps, calls, found):
    x = rt.stop_gradient(x)
    x = resting(f, x, args, low, high, rt.stop_gradient(near), found)
    return Minimum(x, height(f, x, args), steps, calls, found)


def found_between(f, args, bounds, xatol, maxiter):
    low, high = bounds
    low, high = np.float64(low), np.float64(high)
    if not (np.isfinite(low) and np.isfinite(high)):
        raise ValueError("Optimization bounds must be finite scalars.")
    if low > high:
        raise ValueError("The lower bound exceeds the upper bound.")
    share, spread, xatol = 0.5 * (3.0 - np.sqrt(5.0)), np.sqrt(2.2e-16), rt.stop_gradient(np.float64(xatol))
    a, b = rt.stop_gradient(low), rt.stop_gradient(high)
    x = a + share * (b - a)
    x, steps, found = narrowed(f, args, a, b, x, height(f, x, args), share, spread, xatol / 3.0, max(maxiter - 1, 1),
                               True)
    return minimum(f, x, args, low, high, 4.0 * (spread * abs(x) + xatol), steps + 1, steps + 1, found)


def found_from(f, args, bracket, xtol, maxiter):
    if xtol < 0:
        raise ValueError(f"tolerance should be >= 0, got {xtol!r}")
    if bracket is not None and len(bracket) == 3:
        a, x, c, y, calls = given_around(f, args, bracket)
    else:
        if bracket is not None and len(bracket) != 2:
            raise ValueError("Bracketing interval must be length 2 or 3 sequence.")
        a, b = (0.0, 1.0) if bracket is None else bracket
        a, x, c, y, calls = three_around(f, args, rt.stop_gradient(np.float64(a)), rt.stop_gradient(np.float64(b)))
    low, high = (a, c) if a < c else (c, a)
    x, steps, found = narrowed(f, args, low, high, x, y, 0.3819660, xtol, 1.0e-11, maxiter, False)
    return minimum(f, x, args, -np.inf, np.inf, 4.0 * (xtol * abs(x) + 1.0e-11), steps, steps + calls, found)


@means(optimize.minimize_scalar, unasked=True)
def minimize_scalar(fun, bracket=None, bounds=None, args=(), method=None, tol=None, options=None):
    asked, args = known(method, "it says what is done"), as_args(args)
    method = ("brent" if bounds is None else "bounded") if asked is None else asked.lower()
    options = {} if options is None else dict(options)
    most, shown = options.pop("maxiter", 500), known(options.pop("disp", 0), "it says what is shown")
    if shown:
        refuse(f"{NAME} with disp=, which prints", "Leave it out.")
    if method == "bounded":
        if bounds is None:
            raise ValueError("The `bounds` parameter is mandatory for method `bounded`.")
        tol = options.pop("xatol", 1e-5 if tol is None else tol)
    elif method == "brent":
        if bounds is not None:
            raise ValueError(f"Use of `bounds` is incompatible with 'method={asked}'.")
        tol = options.pop("xtol", 1.48e-8 if tol is None else tol)
    else:
        refuse(f"{NAME} with method={method!r}", "Take method='brent', or 'bounded' with bounds=.")
    if len(options) > 0:
        refuse(f"{NAME} with other options than maxiter and the tolerance", "Leave them out.")
    return found_between(fun, args, bounds, tol, most) if method == "bounded" else found_from(fun, args, bracket, tol,
                                                                                           most)


@means(optimize.fminbound, unasked=True)
def fminbound(func, x1, x2, args=(), xtol=1e-5, maxfun=500, full_output=0):
    found = found_between(func, as_args(args), (x1, x2), xtol, maxfun)
    ensure(found.success, "scipy.optimize.fminbound that comes to no end, of which it tells")
    return (found.x, found.fun, 0, found.nfev) if known(full_output, "it says what is given") else found.x
