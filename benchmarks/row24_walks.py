"""Row 24: loops as Python writes them, over parts of an array and over pairs, beside the same by index."""
import numpy as np

from benchmarks.harness import HAND, Case, Row, jax_module
from benchmarks.peers import by_numba, peers


def smoothed(y, a):
    """How rough an exponential average of y is."""
    s = y[0]
    rough = 0.0
    for v in y[1:]:
        step = a * (v - s)
        s = s + step
        rough += step * step
    return rough


def smoothed_by_index(y, a):
    s = y[0]
    rough = 0.0
    for i in range(1, len(y)):
        step = a * (y[i] - s)
        s = s + step
        rough += step * step
    return rough


def smoothed_gradient(y, a):
    n = len(y)
    steps, errors = np.empty(n), np.empty(n)
    s = y[0]
    for i in range(1, n):
        errors[i] = y[i] - s
        steps[i] = a * errors[i]
        s = s + steps[i]
    y_bar, a_bar, s_bar = np.empty(n), 0.0, 0.0
    for i in range(n - 1, 0, -1):
        step_bar = s_bar + 2.0 * steps[i]
        a_bar += step_bar * errors[i]
        y_bar[i] = a * step_bar
        s_bar -= a * step_bar
    y_bar[0] = s_bar
    return y_bar, a_bar


def smoothed_jax(y, a):
    def one(s, v):
        step = a * (v - s)
        return s + step, step * step
    return np.sum(jax_module().lax.scan(one, y[0], y[1:])[1])


def polynomial(c, x):
    """By Horner, from the highest power down."""
    value = 0.0
    for k in c[::-1]:
        value = value * x + k
    return value


def polynomial_by_index(c, x):
    value = 0.0
    for i in range(len(c) - 1, -1, -1):
        value = value * x + c[i]
    return value


def polynomial_gradient(c, x):
    c_bar, slope, power = np.empty(len(c)), 0.0, 1.0
    for i in range(len(c)):
        c_bar[i] = power
        power *= x
    for i in range(len(c) - 1, 0, -1):
        slope = slope * x + i * c[i]
    return c_bar, slope


def polynomial_jax(c, x):
    return jax_module().lax.scan(lambda value, k: (value * x + k, None), 0.0, c[::-1])[0]


def roughness(y):
    """What each step costs, the less the higher it begins."""
    total = 0.0
    for a, b in zip(y[:-1], y[1:]):
        total += (b - a) ** 2 / (1.0 + a * a)
    return total


def roughness_by_index(y):
    total = 0.0
    for i in range(len(y) - 1):
        total += (y[i + 1] - y[i]) ** 2 / (1.0 + y[i] * y[i])
    return total


def roughness_gradient(y):
    y_bar = np.zeros(len(y))
    for i in range(len(y) - 1):
        step, scale = y[i + 1] - y[i], 1.0 / (1.0 + y[i] * y[i])
        y_bar[i + 1] += 2.0 * step * scale
        y_bar[i] -= 2.0 * step * scale + 2.0 * y[i] * (step * scale) ** 2
    return y_bar


def roughness_jax(y):
    a, b = y[:-1], y[1:]
    return np.sum((b - a) ** 2 / (1.0 + a * a))


def cases(quick):
    n = 50 if quick else 20_000
    y = np.random.default_rng(24).normal(size=n)
    both = (0, 1)
    yield Case(f"for v in y[1:], {n:,}", (y, 0.1), peers=peers(
        smoothed, both, by_index=smoothed_by_index, jax=smoothed_jax) | {HAND: by_numba(smoothed_by_index, smoothed_gradient)})
    yield Case(f"for k in c[::-1], {n:,}", (y, 0.999), peers=peers(
        polynomial, both, by_index=polynomial_by_index, jax=polynomial_jax) | {HAND: by_numba(polynomial_by_index, polynomial_gradient)})
    yield Case(f"for a, b in zip(y[:-1], y[1:]), {n:,}", (y,), peers=peers(
        roughness, by_index=roughness_by_index, rewritten=roughness_jax) | {HAND: by_numba(roughness_by_index, roughness_gradient)})


ROW = Row(24, "loops over parts of an array and over pairs", "q <= 1.05 against the same by index, <= 1.2 against by hand", {}, cases)
