"""Branches, loops, and choices that are made before the run: None, strings, ranks."""
import numpy as np

from tests.corpus.registry import normal, positive_definite, program, uniform

# ---------------------------------------------------------------------------------------------------------------------
# Branches and loops


@program(construct="if", args=lambda: (1.4,))
def piecewise_spline(x):
    """A quadratic B-spline, one polynomial per knot interval."""
    if x < 0.5:
        y = 0.75 - x * x
    elif x < 1.5:
        y = 0.5 * (1.5 - x) ** 2
    else:
        y = 0.0
    return y


@program(construct="for over range", args=lambda: (normal(80, 4), 0.7), argnums=(0, 1))
def horner(coefficients, x):
    """A polynomial by Horner's rule."""
    p = 0.0
    for i in range(len(coefficients)):
        p = p * x + coefficients[i]
    return p


@program(construct="negative step range", args=lambda: (normal(81, 5), uniform(82, 5)), argnums=(0, 1))
def back_substitution(b, d):
    """Solve a bidiagonal system from the last row up."""
    n = len(b)
    x = np.zeros(n)
    x[n - 1] = b[n - 1] / d[n - 1]
    for i in range(n - 2, -1, -1):
        x[i] = (b[i] - 0.5 * x[i + 1]) / d[i]
    return x


@program(construct="range with start and step", args=lambda: (normal(83, 7),))
def simpson(y):
    """Simpson's rule on an odd number of samples."""
    total = y[0] ** 2 + y[-1] ** 2
    for i in range(1, len(y) - 1, 2):
        total += 4.0 * y[i] ** 2
    for i in range(2, len(y) - 1, 2):
        total += 2.0 * y[i] ** 2
    return total / 3.0


@program(construct="loop that runs zero times", args=lambda: (normal(84, 2),))
def interior_sum(x):
    """Sum over interior points, of which two samples have none."""
    total = x[0] * x[1]
    for i in range(1, len(x) - 1):
        total = total + np.exp(x[i])
    return total


@program(construct="loop variable read after the loop", args=lambda: (normal(85, 4),))
def last_index(x):
    """The loop variable keeps its last value."""
    total = 0.0
    for i in range(len(x) - 1):
        total += x[i] * x[i + 1]
    return total * x[i] + i


@program(construct="int accumulator that becomes float", args=lambda: (normal(86, 4),))
def sum_from_int(x):
    """An accumulator that starts as the int 0 and becomes a float at the first step."""
    total = 0
    for i in range(len(x)):
        total = total + x[i] * x[i]
    return total


@program(
    construct="int argument as trip count", args=lambda: (positive_definite(87, 3), normal(88, 3), 4), argnums=(0, 1)
)
def power_iteration(A, v, steps):
    """Largest eigenvalue by power iteration."""
    for _ in range(steps):
        v = A @ v
        v = v / np.sqrt(np.sum(v * v))
    return np.sum(v * (A @ v))


@program(construct="for over array elements", args=lambda: (normal(89, 5),))
def exponential_average(x):
    """Exponential moving average of a signal."""
    average = 0.0
    for value in x:
        average = 0.7 * average + 0.3 * np.tanh(value)
    return average


@program(construct="for over an array (rows)", args=lambda: (normal(90, 4, 3), normal(91, 3)), argnums=(0, 1))
def kaczmarz(A, x):
    """One sweep of Kaczmarz projections over the rows of a matrix."""
    for row in A:
        x = x - (np.sum(row * x) / np.sum(row * row)) * row
    return x


@program(construct="for over zip", args=lambda: (normal(92, 5), uniform(93, 5)), argnums=(0, 1))
def weighted_log_likelihood(x, sigma):
    """Gaussian negative log likelihood of samples with their own errors."""
    total = 0.0
    for value, s in zip(x, sigma):
        z = value / s
        total += 0.5 * z * z + np.log(s)
    return total


@program(construct="zip of static lists", args=lambda: ([normal(94, 3), normal(95, 2)], [0.5, 2.0]), argnums=(0, 1))
def regularised(params, strengths):
    """Penalty with one strength for each array of parameters."""
    total = 0.0
    for p, strength in zip(params, strengths):
        total = total + strength * np.sum(p * p)
    return total


@program(construct="enumerate", args=lambda: (normal(96, 4), 0.6), argnums=(0, 1))
def power_series(coefficients, x):
    """A power series, exponents counted along."""
    total = 0.0
    for k, c in enumerate(coefficients):
        total += c * x**k
    return total


@program(construct="enumerate from a start, over a static tuple", args=lambda: ((0.4, 1.1, 0.8),))
def harmonics(amplitudes):
    """A sum of harmonics at a fixed time, numbered from one."""
    total = 0.0
    for k, a in enumerate(amplitudes, 1):
        total += a * a * np.sin(0.3 * k)
    return total


@program(construct="nested loops", args=lambda: (normal(97, 4), normal(98, 3)), argnums=(0, 1))
def pair_potential(x, y):
    """Gaussian interaction of every particle of one kind with every one of the other."""
    energy = 0.0
    for i in range(len(x)):
        for j in range(len(y)):
            d = x[i] - y[j]
            energy += np.exp(-d * d)
    return energy


@program(construct="while", args=lambda: (0.3,))
def doubling(x):
    """Square until the value is small, counting data-dependent steps."""
    y = 1.0 - x
    while y > 0.01:
        y = y * y
    return y


@program(construct="while with a compound test", args=lambda: (normal(99, 6), 1.1), argnums=(0, 1))
def prefix_energy(x, limit):
    """Energy of a signal until it passes a limit or ends."""
    energy = 0.0
    i = 0
    while i < len(x) and energy < limit:
        energy = energy + x[i] * x[i] * limit
        i += 1
    return energy


@program(construct="Newton while loop", args=lambda: (2.3,))
def newton_cube_root(a):
    """Cube root by Newton's method, to convergence."""
    x = a
    # Newton converges quadratically: a handful of steps.
    while abs(x * x * x - a) > 1e-7:
        x = x - (x * x * x - a) / (3.0 * x * x)
    return x


@program(construct="break", args=lambda: (uniform(100, 6, low=0.2, high=0.6),))
def first_passage(step):
    """How far a walker is when it first passes one."""
    position = 0.0
    for i in range(len(step)):
        position += step[i] * (1.0 + position)
        if position > 1.0:
            break
    return position


@program(construct="break out of while True", args=lambda: (0.8, normal(101, 3)), argnums=(0, 1))
def fixed_point(a, x):
    """Iterate a contraction until it moves by little."""
    steps = 0
    while True:
        new = a * np.cos(x)
        change = np.sum((new - x) ** 2)
        x = new
        steps += 1
        if change < 0.05 or steps >= 20:
            break
    return x


@program(construct="continue", args=lambda: (normal(102, 6),))
def positive_logs(x):
    """Sum of logs of the positive samples."""
    total = 0.0
    for i in range(len(x)):
        if x[i] <= 0.0:
            continue  # no logarithm here
        total += np.log(1.0 + x[i])
    return total


@program(construct="early return", args=lambda: (normal(103, 4),))
def guarded_norm(x):
    """A norm with a polynomial near zero, where the root is not smooth."""
    squares = np.sum(x * x)
    if squares < 1e-8:
        return squares
    return np.sqrt(squares)


@program(construct="early return in loop", args=lambda: (normal(104, 6), 1.0), argnums=(0, 1))
def find_crossing(x, level):
    """Where a path first crosses a level, by linear interpolation between samples."""
    height = 0.0
    for i in range(len(x)):
        step = x[i] * x[i]
        if height + step > level:
            return i + (level - height) / step
        height += step
    return 1.0 * len(x)


@program(construct="return out of nested loops", args=lambda: (uniform(105, 3, 4),))
def total_until(A):
    """Row-wise running total, returned from the middle of the matrix."""
    total = 0.0
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            total += A[i, j] ** 2
            if total > 6.0:
                return total * A[i, j]
    return total


@program(construct="break and continue in nested loops", args=lambda: (normal(106, 4, 4),))
def lower_positive(A):
    """Sum of squares of the positive entries below the diagonal."""
    total = 0.0
    for i in range(len(A)):
        for j in range(len(A)):
            if j > i:
                break
            if A[i, j] < 0.0:
                continue
            total += A[i, j] ** 2
    return total


# ---------------------------------------------------------------------------------------------------------------------
# Static choices: None, strings, ranks, axes


@program(construct="optional None", args=lambda: (normal(110, 4), None))
def weighted_mean_square(x, weights=None):
    """Mean square, weighted if there are weights."""
    if weights is None:
        weights = np.ones(len(x))
    return np.sum(weights * x * x) / np.sum(weights)


@program(construct="string argument", args=lambda: (normal(111, 4), "tanh"), static_argnums=(1,))
def activate(x, kind):
    """An activation chosen by name."""
    if kind == "tanh":
        return np.tanh(x)
    elif kind == "exp":
        return np.exp(x)
    return x


@program(construct="int argument as axis", args=lambda: (normal(112, 3, 4), 1))
def variance_along(x, axis):
    """Variance along an axis that the caller chooses."""
    centred = x - np.mean(x, axis=axis, keepdims=True)
    return np.mean(centred**2, axis=axis)


@program(construct="bool argument", args=lambda: (normal(113, 4), True))
def maybe_centred(x, centre):
    """Energy of a signal, centred on request."""
    if centre:
        x = x - np.mean(x)
    return np.sum(x * x * x)


@program(construct="test of the rank", args=lambda: (normal(114, 3), normal(115, 2, 3)), argnums=(0, 1))
def quadratic_rows(x, y):
    """Row-wise squared norms of a vector and of a matrix, by one helper."""
    return row_norms(x) + row_norms(y)


def row_norms(a):
    """Squared norm of each row; a vector is one row."""
    if len(a.shape) == 1:
        a = a[None, :]
    return np.sum(a * a, axis=1)
