"""scipy.integrate.solve_ivp by Runge's and Kutta's methods, with the steps that SciPy takes.

Where a step ends is computed from the errors of those before it, which depend on all parameters: derivatives go through
the choice of the steps too, so they are those of the numbers that SciPy returns, to all digits, and not only of the
exact solution.
"""
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import integrate

from .registry import at_least, ensure, known, means, refuse

EPS = float(np.finfo(float).eps)
STEPS = "Write the steps out, as a loop: y = y + h * f(t, y), or the four of Runge and Kutta."
TOO_SMALL = "Required step size is less than spacing between numbers."
AT_END = "The solver successfully reached the end of the integration interval."


def as_tuples(table):
    return tuple(map(as_tuples, table)) if np.ndim(table) else float(table)


def with_end(rows, weights):
    """The weights of all stages: the end of the step, where the next one begins, is one more."""
    width = len(weights) + 1
    return as_tuples([[*row, *[0.0] * (width - len(row))] for row in [*as_tuples(rows), as_tuples(weights)]])


class RK45:
    """J. Dormand and P. Prince, 1980; between the steps L. Shampine, 1986."""

    order, rows, times = 4, with_end(integrate.RK45.A, integrate.RK45.B), (*as_tuples(integrate.RK45.C), 1.0)
    between, error = as_tuples(integrate.RK45.P), as_tuples(integrate.RK45.E)


class RK23:
    """P. Bogacki and L. Shampine, 1989."""

    order, rows, times = 2, with_end(integrate.RK23.A, integrate.RK23.B), (*as_tuples(integrate.RK23.C), 1.0)
    between, error = as_tuples(integrate.RK23.P), as_tuples(integrate.RK23.E)


@dataclass(eq=False)
class Solution:
    """What SciPy's OdeResult is here."""

    t: Any
    y: Any
    sol: Any
    nfev: Any
    status: Any
    success: Any
    t_events: Any = None
    y_events: Any = None
    njev: int = 0
    nlu: int = 0

    @property
    def message(self):
        return AT_END if self.success else TOO_SMALL

    def __getitem__(self, name):
        return getattr(self, name)


def rms(x):
    return np.linalg.norm(x) / len(x) ** 0.5


def first_step_of(f, t, y, slope, end, direction, order, rtol, atol, max_step):
    """E. Hairer et al., "Solving Ordinary Differential Equations I", II.4: (the length of the first step, how often f
    was called)"""
    length = abs(end - t)
    if length == 0.0:
        return np.float64(0.0), 0
    scale = atol + np.abs(y) * rtol
    size, change = rms(y / scale), rms(slope / scale)
    first = np.float64(1e-6) if size < 1e-5 or change < 1e-5 else 0.01 * size / change
    first = min(first, length)
    further = f(t + first * direction, y + first * direction * slope)
    bend = rms((further - slope) / scale) / first
    if change <= 1e-15 and bend <= 1e-15:
        second = max(1e-6, first * 1e-3)
    else:
        second = (0.01 / max(change, bend)) ** (1 / (order + 1))
    return np.float64(min(100 * first, second, length, max_step)), 1


def stages_of(f, method, t, y, slope, h):
    """(y at the end of the step, the slopes of all stages): the last stage is that end."""
    stages, after = np.zeros((len(method.times), len(y))), y
    stages[0] = slope
    times, rows = np.array([*method.times]), np.array([[*row] for row in method.rows])
    for k in range(1, len(times)):
        after = y + (rows[k] @ stages) * h
        stages[k] = f(t + times[k] * h, after)
    return after, stages


def at_time(method, time, t, h, y, stages):
    """The solution at a time between t and t + h."""
    powers = ((time - t) / h) ** np.arange(1, len(method.between[0]) + 1)
    return h * ((stages.T @ np.array([[*row] for row in method.between])) @ powers) + y


def tolerances(rtol, atol, n):
    if np.any(np.asarray(rtol) < 100 * EPS):
        warnings.warn(f"At least one element of `rtol` is too small. Setting `rtol = np.maximum(rtol, {100 * EPS})`.")
        rtol = np.maximum(rtol, 100 * EPS)
    atol = np.asarray(atol)
    if atol.ndim > 0 and atol.shape != (n,):
        raise ValueError("`atol` has wrong shape.")
    if np.any(atol < 0):
        raise ValueError("`atol` must be positive.")
    return rtol, atol


def times_wanted(t_eval, start, end):
    times = np.asarray(t_eval).astype(float)
    if times.ndim != 1:
        raise ValueError("`t_eval` must be 1-dimensional.")
    if np.any(times < min(start, end)) or np.any(times > max(start, end)):
        raise ValueError("Values in `t_eval` are not within `t_span`.")
    steps = times[1:] - times[:-1]
    if end > start and np.any(steps <= 0) or end < start and np.any(steps >= 0):
        raise ValueError("Values in `t_eval` are not properly sorted.")
    return times


def method_named(name):
    if name == "RK45":
        return RK45
    if name == "RK23":
        return RK23
    return refuse(f"scipy.integrate.solve_ivp with method={name!r}", "Take method='RK45' or 'RK23', with a small rtol.")


@means(integrate.solve_ivp, unasked=True)
def solve_ivp(fun, t_span, y0, method="RK45", t_eval=None, dense_output=False, events=None, vectorized=False,
              args=None, first_step=None, max_step=np.inf, rtol=1e-3, atol=1e-6):
    method = method_named(known(method, "it says what is done"))
    if events is not None:
        refuse("scipy.integrate.solve_ivp with events", STEPS)
    dense_output = known(dense_output, "it says what is given")
    if dense_output and t_eval is not None:
        refuse("scipy.integrate.solve_ivp with dense_output=True and t_eval=", "Leave t_eval away: sol.sol(times).")
    (start, end), y = [np.float64(t) for t in t_span], initial_state(y0)
    more = () if args is None else tuple(args)

    def f(t, y):
        slope = fun(t, y[:, None], *more) if vectorized else fun(t, y, *more)
        return np.asarray(slope).astype(float).reshape(len(y))

    if max_step <= 0:
        raise ValueError("`max_step` must be positive.")
    rtol, atol = tolerances(rtol, atol, len(y))
    slope = f(start, y)
    direction = np.sign(end - start) if end != start else np.float64(1.0)
    if first_step is None:
        step, calls = first_step_of(f, start, y, slope, end, direction, method.order, rtol, atol, max_step)
    else:
        step, calls = step_given(first_step, start, end), 0
    walk = Walk(f, method, start, end, direction, max_step, rtol, atol)
    if t_eval is None:
        return walk.to_the_end(y, slope, step, calls + 1, dense_output)
    return walk.through(times_wanted(t_eval, start, end), y, slope, step, calls + 1)


def initial_state(y0):
    y = np.asarray(y0)
    if y.dtype.kind not in "fiu":
        refuse(f"scipy.integrate.solve_ivp of {y.dtype}", "Split complex numbers: np.concatenate([z.real, z.imag]).")
    if y.ndim != 1:
        raise ValueError("`y0` must be 1-dimensional.")
    if not at_least(len(y), 1):
        refuse("scipy.integrate.solve_ivp of what may be empty", "Test the length before.")
    y = np.array(y.astype(float))
    if not np.all(np.isfinite(y)):
        raise ValueError("All components of the initial state `y0` must be finite.")
    return y


def step_given(first_step, start, end):
    if first_step <= 0:
        raise ValueError("`first_step` must be positive.")
    if first_step > abs(end - start):
        raise ValueError("`first_step` exceeds bounds.")
    return np.float64(first_step)


@dataclass(eq=False)
class Walk:
    """The way of a solution from step to step."""

    f: Any
    method: Any
    start: Any
    end: Any
    direction: Any
    max_step: Any
    rtol: Any
    atol: Any

    def tried(self, t, y, slope, step):
        """A step: (the time after it, y there, the slopes of its stages, its error, by which the next one is longer)"""
        after = t + step * self.direction
        after = self.end if self.direction * (after - self.end) > 0 else after
        h = after - t
        y_after, stages = stages_of(self.f, self.method, t, y, slope, h)
        scale = self.atol + np.maximum(np.abs(y), np.abs(y_after)) * self.rtol
        error = rms(h * (stages.T @ np.array([*self.method.error])) / scale)
        return after, y_after, stages, error, 0.9 * error ** (-1 / (self.method.order + 1)) if error != 0 else 10.0

    def least(self, t):
        return 10 * np.abs(np.nextafter(t, self.direction * np.inf) - t)

    def limited(self, t, step):
        """The length of the first attempt of a step."""
        least = self.least(t)
        return np.float64(self.max_step if step > self.max_step else least if step < least else step)

    def goes_on(self, t, step):
        return self.direction * (t - self.end) < 0 and step >= self.least(t)

    def to_the_end(self, y, slope, step, calls, dense):
        t, ts, ys, slopes, rejected = self.start, [self.start], [y], [], False
        ensure(t != self.end, "scipy.integrate.solve_ivp from a time to the same: test it before")
        step = self.limited(t, step)
        while self.goes_on(t, step):
            after, y_after, stages, error, factor = self.tried(t, y, slope, step)
            calls += len(self.method.times) - 1
            step, rejected = self.changed(t, after, error, factor, rejected)
            if not rejected:
                t, y, slope = after, y_after, stages[-1]
                step = self.limited(t, step)
                ts.append(t)
                ys.append(y)
                if dense:
                    slopes.append(stages)
        ts, ys = np.array(ts), np.array(ys)
        sol = Dense(ts, ys, np.array(slopes), self.method, self.direction) if dense else None
        return self.solution(t, ts, ys.T, sol, calls)

    def through(self, times, y, slope, step, calls):
        t, rejected, done, found = self.start, False, 0, np.zeros((len(y), len(times))) + y[:, None]
        step = self.limited(t, step)
        while self.goes_on(t, step):
            after, y_after, stages, error, factor = self.tried(t, y, slope, step)
            calls += len(self.method.times) - 1
            step, rejected = self.changed(t, after, error, factor, rejected)
            if not rejected:
                while done < len(times) and self.direction * (times[done] - after) <= 0:
                    found[:, done] = at_time(self.method, times[done], t, after - t, y, stages)
                    done += 1
                t, y, slope = after, y_after, stages[-1]
                step = self.limited(t, step)
        ensure(t == self.end, "scipy.integrate.solve_ivp with t_eval= whose steps become too small")
        return self.solution(t, times, found, None, calls)

    def changed(self, t, after, error, factor, rejected):
        """(the length of the next attempt, whether this one is rejected)"""
        length = np.abs(after - t)
        if error < 1:
            return length * min(1.0 if rejected else 10.0, factor), False
        return length * max(0.2, factor), True

    def solution(self, t, ts, ys, sol, calls):
        good = t == self.end
        return Solution(ts, ys, sol, calls, 0 if good else -1, good)


@dataclass(eq=False)
class Dense:
    """The solution at all times, by the polynomials of the steps."""

    ts: Any
    ys: Any
    slopes: Any
    method: Any
    direction: Any

    def __call__(self, t):
        t = np.asarray(t).astype(float)
        if t.ndim > 1:
            raise ValueError("`t` must be a float or a 1-D array.")
        times, count = t.reshape(t.size), len(self.slopes)
        k = np.clip(np.searchsorted(self.direction * self.ts, self.direction * times, "left") - 1, 0, count - 1)
        h, table = self.ts[k + 1] - self.ts[k], np.array([[*row] for row in self.method.between])
        powers = ((times - self.ts[k]) / h)[:, None] ** np.arange(1, len(self.method.between[0]) + 1)
        weights = np.swapaxes(self.slopes[k], 1, 2) @ table
        y = (h[:, None] * np.sum(weights * powers[:, None, :], -1) + self.ys[k]).T
        return y[:, 0] if t.ndim == 0 else y
