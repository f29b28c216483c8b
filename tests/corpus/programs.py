"""The corpus: small NumPy programs, one for each construct of the language.

Each program is an ordinary function, as a scientist would write it. `construct` names what this program alone adds to
the corpus, so that a coverage table can say what works under which transformation. The stage harness, `check_grads`,
the golden files and the benchmarks all read `PROGRAMS`. Nothing here knows Gradscribe: only NumPy and the standard
library.

Arguments come fresh from `make_args()` (a program may store into them), are the same every time, and stay away from
kinks and ties: a program marked `smooth` is twice differentiable there.
"""

import collections
import contextlib
import functools
import itertools
import math
import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np


@dataclass(frozen=True)
class Program:
    """A function of the corpus, and what a test must know to call it."""

    fun: Callable
    construct: str  # what this program alone adds
    make_args: Callable[[], tuple]  # fresh, deterministic positional arguments
    argnums: tuple[int, ...] = (0,)  # the arguments to differentiate, containers of float leaves included
    smooth: bool = True  # twice differentiable at these arguments
    mutates: bool = False  # stores into its arguments
    static_argnums: tuple[int, ...] = ()  # arguments that are functions, strings, ...
    raises: type[Exception] | None = None  # what the call raises instead of returning

    @property
    def name(self):
        return self.fun.__name__


PROGRAMS: list[Program] = []


def program(construct, args, **about):
    """Register the decorated function in `PROGRAMS`; the function itself is returned unchanged."""

    def register(fun):
        PROGRAMS.append(Program(fun, construct, args, **about))
        return fun

    return register


def normal(seed, *shape):
    """Standard normal numbers, the same for the same seed."""
    return np.random.default_rng(seed).normal(size=shape)


def uniform(seed, *shape, low=0.5, high=1.5):
    """Uniform numbers, positive unless told otherwise, the same for the same seed."""
    return np.random.default_rng(seed).uniform(low, high, size=shape)


def positive_definite(seed, n):
    """A well-conditioned symmetric positive definite matrix."""
    a = normal(seed, n, n)
    return a @ a.T + n * np.eye(n)


def dominant(seed, n):
    """A diagonally dominant matrix: it has an LU factorisation without pivoting."""
    return uniform(seed, n, n) + 2.0 * n * np.eye(n)


# ---------------------------------------------------------------------------------------------------------------------
# Arguments and arithmetic


@program(construct="scalar Python float argument", args=lambda: (0.7,))
def cubic(x):
    """A cubic in Horner's form."""
    return ((2.0 * x - 3.0) * x + 0.5) * x - 1.0


@program(
    construct="several differentiable arguments", args=lambda: (normal(1, 4), uniform(2, 4), 0.3), argnums=(0, 1, 2)
)
def weighted_squares(residual, weight, offset):
    """Weighted sum of squared residuals about an offset."""
    return np.sum(weight * (residual - offset) * (residual - offset))


@program(construct="NumPy scalar argument", args=lambda: (np.float64(1.3), normal(3, 3)), argnums=(0, 1))
def scaled_norm(scale, x):
    """Squared norm in units of a scale that came out of another NumPy computation."""
    z = x / scale
    return np.sum(z * z)


@program(construct="0-d array argument", args=lambda: (np.array(0.4), normal(4, 5)), argnums=(0, 1))
def shifted_energy(shift, x):
    """Energy of a signal about a shift kept as a zero-dimensional array."""
    return np.sum((x - shift) ** 2) * 0.5


@program(construct="unary minus and reciprocal", args=lambda: (uniform(5, 4),))
def lennard_jones(r):
    """Lennard-Jones energy of a list of distances."""
    s6 = 1.0 / (r * r * r * r * r * r)
    return -np.sum(s6 - s6 * s6)


@program(construct="power with int and float exponents", args=lambda: (uniform(6, 5),))
def mixed_powers(x):
    """Powers of every kind: square, cube, reciprocal, root, and a constant to a variable power."""
    return np.sum(x**2 - 0.5 * x**3 + x**-1 + x**1.5 + 2.0**x)


@program(construct="power of two variables", args=lambda: (uniform(7, 4), normal(8, 4)), argnums=(0, 1))
def cobb_douglas(inputs, elasticity):
    """Sum of inputs raised to their own elasticities."""
    return np.sum(inputs**elasticity)


@program(construct="modulo and floor division of floats", args=lambda: (np.array([0.3, 1.6, 2.45, 3.8]),))
def sawtooth(t):
    """A sawtooth with an amplitude that grows from period to period."""
    phase = t % 1.0
    period = t // 1.0
    return phase * phase * (1.0 + period)


@program(construct="modulo and floor division of ints", args=lambda: (normal(9, 5),))
def ring_energy(x):
    """Energy of springs on a ring: the last mass is tied to the first, and half the masses are pinned."""
    n = len(x)
    energy = 0.0
    for i in range(n):
        stretch = x[(i + 1) % n] - x[i]
        energy += 0.5 * stretch * stretch
    for i in range(n // 2):
        energy += x[i] ** 4
    return energy


@program(construct="global constant read", args=lambda: (uniform(10, 3),))
def thermal_energy(temperature):
    """Mean energy of oscillators at the given temperatures."""
    return np.sum(BOLTZMANN * temperature / (1.0 + PLANCK / temperature))


BOLTZMANN = 1.380649
PLANCK = 0.662607


@program(construct="global array read", args=lambda: (normal(11, 5),))
def smooth_with_kernel(x):
    """Three-point smoothing with a kernel that is a global of the module."""
    return KERNEL[0] * x[:-2] + KERNEL[1] * x[1:-1] + KERNEL[2] * x[2:]


KERNEL = np.array([0.25, 0.5, 0.25])


@program(construct="annotated arguments and assignment", args=lambda: (normal(12, 4), 0.9))
def discounted(reward: np.ndarray, gamma: float = 0.9) -> float:
    """Discounted sum of squared rewards."""
    total: float = 0.0
    factor: float = 1.0
    for i in range(len(reward)):
        total += factor * reward[i] ** 2
        factor *= gamma
    return total


@program(
    construct="argument without influence on the result", args=lambda: (normal(13, 3), normal(14, 2)), argnums=(0, 1)
)
def ignores_second(x, unused):
    """A loss with a parameter that it does not use yet."""
    del_squared = (x[1:] - x[:-1]) ** 2
    return np.sum(del_squared)


# ---------------------------------------------------------------------------------------------------------------------
# Functions: nested, lambda, closures, defaults, keywords, calls


@program(construct="nested def closure", args=lambda: (normal(20, 4), 0.8), argnums=(0, 1))
def trapezoid(x, width):
    """Trapezoidal rule for a bump whose width the integrand takes from outside."""

    def bump(t):
        return np.exp(-t * t / width)

    return np.sum(0.5 * (bump(x[1:]) + bump(x[:-1])))


@program(construct="closure that sees a later rebinding", args=lambda: (normal(21, 3), 0.5), argnums=(0, 1))
def late_binding(x, a):
    """A nested function reads the value that its free name has when it is called, not when it is defined."""

    def penalty():
        return a * np.sum(x * x)

    before = penalty()
    a = a * a + 1.0
    after = penalty()
    return before * after


def make_chi_squared(observed, sigma):
    """Build a misfit function around measured data."""

    def chi_squared(model):
        """Misfit of a model to the data that the factory closed over."""
        return np.sum(((model - observed) / sigma) ** 2)

    return chi_squared


chi_squared = program(construct="closure made by a factory", args=lambda: (normal(23, 4),))(
    make_chi_squared(normal(22, 4), 0.7)
)


@program(construct="lambda", args=lambda: (normal(24, 4),))
def logistic_loss(margin):
    """Logistic loss by way of a small local function."""
    sigmoid = lambda z: 1.0 / (1.0 + np.exp(-z))
    return -np.sum(np.log(sigmoid(margin)))


@program(construct="several lambdas on one line", args=lambda: (0.9,))
def compose_lambdas(x):
    """Two lambdas on one line, told apart by their columns."""
    inner, outer = (lambda t: t * t + 1.0), (lambda t: 3.0 * t - np.sin(t))
    return outer(inner(x)) + inner(outer(x))


half_square = program(construct="the program is a lambda", args=lambda: (normal(25, 3),))(lambda x: 0.5 * np.sum(x * x))


def huberish(r, delta=1.5):
    """Pseudo-Huber loss: smooth, quadratic near zero, linear far away."""
    return delta * delta * (np.sqrt(1.0 + (r / delta) ** 2) - 1.0)


@program(construct="default argument", args=lambda: (normal(26, 4),))
def robust_sum(r, weight=2.0):
    """Robust sum of residuals, all defaults left alone."""
    return weight * np.sum(huberish(r))


@program(construct="keyword argument", args=lambda: (normal(27, 4), 0.6), argnums=(0, 1))
def robust_sum_delta(r, width):
    """Robust sum of residuals, arguments given by name and out of order."""
    return np.sum(huberish(delta=width, r=r))


def affine(x, *, scale=1.0, shift):
    """An affine map with arguments that must be named."""
    return scale * x + shift


@program(construct="keyword-only argument", args=lambda: (normal(28, 3), 1.2), argnums=(0, 1))
def twice_affine(x, scale):
    """Two affine maps, one with the default scale."""
    return np.sum(affine(affine(x, shift=0.5) ** 2, scale=scale, shift=scale * scale))


def apply_twice(fun, x):
    """Apply a function to its own result."""
    return fun(fun(x))


@program(construct="function passed to a helper", args=lambda: (normal(29, 3),))
def twice_tanh(x):
    """A NumPy function and a local one handed to a helper."""
    return np.sum(apply_twice(np.tanh, x) * apply_twice(lambda t: t + 0.1 * t * t, x))


def softplus(x):
    """log(1 + exp(x)), smooth and positive."""
    return np.log(1.0 + np.exp(x))


@program(
    construct="function passed as an argument",
    args=lambda: (softplus, normal(30, 3, 3), normal(31, 3)),
    argnums=(1, 2),
    static_argnums=(0,),
)
def layer(activation, W, x):
    """One network layer with an activation that the caller chooses."""
    return activation(W @ x)


def squared(x):
    """The square."""
    return x * x


def sum_of_squares(x):
    """Sum of squares, by way of the square."""
    return np.sum(squared(x))


@program(construct="nested function calls two deep", args=lambda: (normal(32, 5),))
def root_mean_square(x):
    """Root mean square, by way of two helpers."""
    return np.sqrt(sum_of_squares(x) / len(x))


def power_of(x, n):
    """A power by repeated multiplication."""
    result = 1.0
    for _ in range(n):
        result = result * x
    return result


@program(construct="one helper called at several types", args=lambda: (normal(33, 3), 0.8), argnums=(0, 1))
def powers_of_both(x, t):
    """The same helper for an array and for a number."""
    return np.sum(power_of(x, 3)) * power_of(t, 2)


@program(construct="multiple returned values", args=lambda: (normal(34, 5),))
def moments(x):
    """Mean and variance of a sample."""
    mean = np.mean(x)
    centred = x - mean
    return mean, np.mean(centred * centred)


@program(construct="returns a dict", args=lambda: (normal(35, 2, 3), normal(36, 3)), argnums=(0, 1))
def diagnostics(A, x):
    """Residual norm and solution norm, by name."""
    y = A @ x
    return {"data": np.sum(y * y), "model": np.sqrt(np.sum(x * x)), "prediction": y}


@program(construct="dict filled item by item", args=lambda: (uniform(37, 4),))
def log_statistics(x):
    """Statistics gathered in a dict as they are computed."""
    stats = {}
    stats["log"] = np.log(x)
    stats["mean"] = np.mean(stats["log"])
    stats["spread"] = np.mean((stats["log"] - stats["mean"]) ** 2)
    return stats


@program(construct="int output beside a float one", args=lambda: (normal(38, 5), 0.1), smooth=False)
def clipped_with_count(x, level):
    """A hinge loss, and how many samples are above the level."""
    above = x > level
    return np.sum(np.where(above, (x - level) ** 2, 0.0)), above.sum()


# ---------------------------------------------------------------------------------------------------------------------
# Parameters in containers


@program(
    construct="tuple of parameters", args=lambda: ((normal(40, 3, 2), normal(41, 3)), normal(42, 2)), argnums=(0, 1)
)
def affine_layer(params, x):
    """A layer whose weights and bias come as a pair."""
    W, b = params
    return np.tanh(W @ x + b)


@program(
    construct="static list unrolled",
    args=lambda: ([(normal(43, 4, 3) / 2, normal(44, 4)), (normal(45, 2, 4) / 2, normal(46, 2))], normal(47, 3)),
    argnums=(0, 1),
)
def deep_network(layers, x):
    """A network whose layers differ in shape, as a list of pairs."""
    h = x
    for W, b in layers:
        h = np.tanh(W @ h + b)
    return np.sum(h * h)


@program(
    construct="dict of parameters",
    args=lambda: ({"slope": 0.6, "intercept": -0.2}, normal(48, 5), normal(49, 5)),
)
def line_fit(params, x, y):
    """Mean squared error of a straight line."""
    predicted = params["slope"] * x + params["intercept"]
    return np.mean((predicted - y) ** 2)


@program(construct="dict.items() unrolled", args=lambda: ({"W": normal(50, 2, 3), "b": normal(51, 2)},))
def weight_decay(params):
    """Quadratic penalty on all parameters, heavier on biases."""
    penalty = 0.0
    for name, value in params.items():
        penalty = penalty + (2.0 if name == "b" else 1.0) * np.sum(value**2)
    return penalty


@program(construct="key in dict", args=lambda: ({"W": normal(52, 2, 3)}, normal(53, 3)), argnums=(0, 1))
def optional_bias(params, x):
    """A layer that has a bias only if its parameters do."""
    y = params["W"] @ x
    if "b" in params:
        y = y + params["b"]
    return y * y


@dataclass
class Oscillator:
    """A damped spring."""

    mass: float
    damping: float
    stiffness: float


@program(construct="dataclass", args=lambda: (Oscillator(1.2, 0.3, 2.0), 1.0, 0.0), argnums=(0, 1, 2))
def spring_motion(spring, position, velocity):
    """Symplectic Euler steps of a damped spring."""
    dt = 0.1
    for _ in range(5):
        force = -spring.stiffness * position - spring.damping * velocity
        velocity = velocity + dt * force / spring.mass
        position = position + dt * velocity
    return position


class State(NamedTuple):
    """Positions and momenta."""

    q: np.ndarray
    p: np.ndarray


@program(construct="NamedTuple", args=lambda: (State(normal(54, 3), normal(55, 3)),))
def pendulum_energy(state):
    """Total energy of some pendulums."""
    return 0.5 * np.sum(state.p**2) - np.sum(np.cos(state.q))


@program(
    construct="NamedTuple built and returned", args=lambda: (State(normal(56, 2), normal(57, 2)), 0.1), argnums=(0, 1)
)
def leapfrog(state, dt):
    """One leapfrog step of a pendulum."""
    p_half = state.p - 0.5 * dt * np.sin(state.q)
    q = state.q + dt * p_half
    return State(q, p_half - 0.5 * dt * np.sin(q))


@program(
    construct="containers in containers",
    args=lambda: ({"encoder": [normal(58, 2, 3), normal(59, 2)], "scale": (1.1, 0.4)}, normal(60, 3)),
    argnums=(0, 1),
)
def nested_parameters(params, x):
    """Parameters as they come from a configuration: lists and tuples in a dict."""
    W, b = params["encoder"]
    gain, offset = params["scale"]
    code = np.tanh(W @ x + b)
    return gain * np.sum(code) + offset * offset * code[-1]


@program(
    construct="list append over a static list, then stack",
    args=lambda: ([normal(61, 3), normal(62, 3), normal(63, 3)],),
)
def stack_of_normalised(vectors):
    """Normalise each vector of a list and stack the results."""
    rows = []
    for v in vectors:
        rows.append(v / np.sqrt(np.sum(v * v)))
    return np.stack(rows)


# ---------------------------------------------------------------------------------------------------------------------
# Assignment and expressions


@program(construct="tuple unpacking", args=lambda: (0.8, 0.3), argnums=(0, 1))
def polar(r, angle):
    """From polar coordinates and back, with pairs on both sides."""
    x, y = r * np.cos(angle), r * np.sin(angle)
    (u, v), w = (x * y, x + y), x - y
    return u * v * w


@program(construct="unpacking an array", args=lambda: (np.array([1.0, 0.7, 1.9]),))
def lorenz(state):
    """Right-hand side of the Lorenz equations."""
    x, y, z = state
    return np.stack([10.0 * (y - x), x * (28.0 - z) - y, x * y - 2.7 * z])


@program(construct="swap", args=lambda: (0.9, 1.4), argnums=(0, 1))
def arithmetic_geometric(a, b):
    """A few steps towards the arithmetic-geometric mean, the names exchanged at each."""
    for _ in range(3):
        a, b = 0.5 * (a + b), np.sqrt(a * b)
        a, b = b, a
    return a + 2.0 * b


@program(construct="chained assignment", args=lambda: (normal(70, 3),))
def chained_targets(x):
    """Two names for one new array: a store through one is seen through the other."""
    u = v = x * x
    u[0] = 2.0 * x[1]
    return np.sum(v * x)


@program(construct="augmented assignment", args=lambda: (0.7, 1.3), argnums=(0, 1))
def running_updates(x, y):
    """Every augmented operator on plain numbers."""
    t = x
    t += y
    t *= x
    t -= 0.5
    t /= y
    t **= 2
    return t


@program(construct="augmented assignment in place through an alias", args=lambda: (normal(71, 4),))
def alias_in_place(x):
    """`y *= 2` changes the array that both names share."""
    y = np.sin(x)
    z = y
    y *= 2.0
    y += x
    return np.sum(z * z)


@program(construct="conditional expression", args=lambda: (0.6, -0.4), argnums=(0, 1))
def leaky(a, b):
    """Leaky rectifiers of two numbers."""
    u = a if a > 0.0 else 0.1 * a
    v = b * b if b > 0.0 else 0.1 * b * b
    return u * v


@program(construct="chained comparison", args=lambda: (np.array([-1.2, 0.3, 0.8, 2.1]),))
def smoothstep(x):
    """Smoothstep of each sample, flat outside of the unit interval."""
    total = 0.0
    for i in range(len(x)):
        if 0.0 < x[i] < 1.0:
            total += x[i] * x[i] * (3.0 - 2.0 * x[i])
        elif x[i] >= 1.0:
            total += 1.0
    return total


@program(construct="boolean operators", args=lambda: (normal(72, 6), 0.2))
def gated_sum(x, level):
    """Sum of squares of the samples that pass a gate, short-circuit evaluation guarding the neighbour."""
    total = 0.0
    for i in range(len(x)):
        rising = i > 0 and x[i] > x[i - 1]
        if (rising or x[i] > level) and not x[i] > 10.0:
            total += x[i] ** 2
    return total


@program(construct="comparison of arrays, combined with & | ~", args=lambda: (normal(73, 6),), smooth=False)
def band_mask(x):
    """Where a signal lies in a band, or far outside."""
    inside = (x > -0.5) & (x <= 0.5)
    return inside | ~(x < 2.0), x != x[0]


@program(construct="name bound on one branch only", args=lambda: (0.7,))
def bound_on_one_branch(x):
    """A name that exists only when it is needed."""
    wide = x > 0.5
    if wide:
        correction = x * x
    result = np.sin(x)
    if wide:
        result = result + correction
    return result


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


# ---------------------------------------------------------------------------------------------------------------------
# Stores, views, aliases


@program(construct="element store", args=lambda: (normal(120, 5),))
def autoregression(noise):
    """An autoregressive series driven by noise."""
    n = len(noise)
    y = np.zeros(n)
    y[0] = noise[0]
    for i in range(1, n):
        y[i] = 0.8 * y[i - 1] + noise[i] * y[i - 1]
    return y


@program(construct="augmented element store", args=lambda: (normal(121, 5),))
def nonlinear_prefix(x):
    """A running sum that squares its input, stored as it goes: `y[i] += x[i] * x[i]`."""
    y = np.copy(x)
    for i in range(1, len(x)):
        y[i] += x[i] * x[i]
        y[i] *= y[i - 1]
    return y


@program(construct="store into an argument", args=lambda: (normal(122, 4),), mutates=True)
def clamp_ends(x):
    """Impose boundary values in place and return the energy."""
    x[0] = 1.0
    x[-1] = x[1] * x[2]
    return np.sum(x * x)


@program(construct="slice store", args=lambda: (normal(123, 6),))
def reflect_edges(x):
    """Pad a signal by reflecting its ends."""
    n = len(x)
    padded = np.zeros(n + 2)
    padded[1:-1] = x
    padded[0] = x[1]
    padded[n + 1] = x[n - 2]
    return padded[2:] * padded[:-2]


@program(construct="augmented slice store", args=lambda: (normal(124, 6),))
def deposit(x):
    """Deposit each cell's square on its two neighbours."""
    density = np.zeros(len(x))
    density[1:] += x[:-1] ** 2
    density[:-1] += x[1:] ** 2
    density[1:-1] *= x[1:-1]
    return density


@program(construct="overlapping augmented slice store", args=lambda: (normal(125, 6),))
def overlapping_flux(x):
    """`u[1:] -= u[:-1] * u[1:]`: the right-hand side is complete before the store begins."""
    u = x * 1.0
    u[1:] -= 0.5 * u[:-1] * u[1:]
    u[:-1] += 0.1 * u[1:] ** 2
    return u


@program(construct="store that broadcasts", args=lambda: (normal(126, 3), 0.4), argnums=(0, 1))
def design_matrix(x, ridge):
    """Rows of a design matrix set from vectors and from a number."""
    A = np.zeros((4, len(x)))
    A[:2] = x
    A[2, :] = ridge
    A[:, 0] = 1.0
    return np.sum(A * A * A, axis=1)


@program(construct="2-D element and slice store", args=lambda: (normal(127, 4), normal(128, 3)), argnums=(0, 1))
def bordered(u, v):
    """A matrix with one border set by slices and its corner by an element."""
    A = np.ones((len(u) + 1, len(v) + 1))
    A[0, 0] = u[0] * v[0]
    A[1:, 0] = u
    A[0, 1:] = v * v
    return A[:-1, :-1] * A[1:, 1:]


@program(construct="chained subscript store", args=lambda: (normal(129, 3),))
def vandermonde(x):
    """Powers of each sample, stored by `A[i][j]`."""
    A = np.ones((len(x), 4))
    for i in range(len(x)):
        for j in range(1, 4):
            A[i][j] = A[i][j - 1] * x[i]
    return A


@program(construct="view then store through view", args=lambda: (normal(130, 6),))
def damp_interior(x):
    """Damp the interior of a copy through a view of it."""
    u = x.copy()
    interior = u[1:-1]
    interior[0] = 2.0 * x[3]
    interior *= np.cos(interior)
    return np.sum(u * u)


@program(construct="view of a view", args=lambda: (normal(131, 4, 5),))
def corner_of_block(A):
    """A store two views deep reaches the array at the bottom."""
    B = A * A
    block = B[1:, 2:]
    column = block[:, -1]
    column[1:] = column[:-1] * A[0, 0]
    return B


@program(construct="view rebound in a loop", args=lambda: (normal(132, 4, 3),))
def row_recurrence(A):
    """Each row is updated from the one before, both held as views."""
    B = A + 0.0
    previous = B[0]
    for i in range(1, len(B)):
        row = B[i]
        row += 0.5 * previous * previous
        previous = row
    return np.sum(previous * B[0])


@program(construct="store through transpose", args=lambda: (normal(133, 3, 2),))
def set_column(A):
    """A row of the transpose is a column of the matrix."""
    B = A.copy()
    Bt = B.T
    Bt[0] = A[:, 1] ** 2
    Bt[1, 0] = 3.0 * A[0, 0]
    return B


@program(construct="store through reshape", args=lambda: (normal(134, 6),))
def checkerboard(x):
    """A flat array stored into through its two-dimensional view."""
    flat = np.sin(x)
    grid = flat.reshape(2, 3)
    grid[0, ::2] = x[0] * x[1]
    grid[1] *= x[:3]
    return flat


@program(construct="array elements exchanged", args=lambda: (normal(135, 5),))
def reverse_in_place(x):
    """Reverse by exchanging elements, then weigh by place."""
    y = np.copy(x)
    n = len(y)
    for i in range(n // 2):
        y[i], y[n - 1 - i] = y[n - 1 - i], y[i]
    return y * x


@program(construct="rows exchanged through copies", args=lambda: (dominant(136, 3),))
def pivot_rows(A):
    """Exchange two rows with the help of a copy, as a pivoting step does."""
    B = A * 1.0
    saved = B[0].copy()
    B[0] = B[2]
    B[2] = saved
    B[1] -= B[1, 0] / B[0, 0] * B[0]
    return B


def normalise_in_place(v):
    """Divide a vector by its norm, in place."""
    v /= np.sqrt(np.sum(v * v))


@program(construct="helper that mutates its argument", args=lambda: (normal(137, 3, 3),))
def gram_schmidt(A):
    """Orthonormal rows by modified Gram-Schmidt; a helper normalises each row in place."""
    Q = A.copy()
    for i in range(len(Q)):
        normalise_in_place(Q[i])
        for j in range(i + 1, len(Q)):
            Q[j] -= np.sum(Q[i] * Q[j]) * Q[i]
    return Q


def set_first(a, value):
    """Store and hand the same array back."""
    a[0] = value
    return a


@program(construct="helper that returns its argument", args=lambda: (normal(138, 4),))
def alias_through_call(x):
    """The result of the helper is the array that went in."""
    u = x * x
    v = set_first(u, x[1])
    v[2] += x[0]
    return np.sum(u * x)


@program(
    construct="argument mutated through a helper", args=lambda: (normal(139, 4), 0.5), argnums=(0, 1), mutates=True
)
def descend(x, rate):
    """Gradient descent steps on a quartic, in the caller's array."""
    for _ in range(2):
        quartic_step(x, rate=rate)
    return np.sum(x * x)


def quartic_step(x, rate):
    """One step of gradient descent on sum(x**4) / 16, in place."""
    x -= rate * 0.25 * x**3


@program(construct="loop that overwrites what it reads nonlinearly", args=lambda: (normal(140, 5),))
def burgers(u0):
    """Upwind steps of Burgers' equation, element by element in place."""
    u = u0.copy()
    for _ in range(3):
        for i in range(1, len(u)):
            u[i] = u[i] - 0.2 * u[i] * (u[i] - u[i - 1])
    return u


@program(construct="same expression before and after a loop", args=lambda: (0.9,))
def sine_twice(s):
    """`np.sin(s)` twice, with different values of s."""
    y = np.sin(s)
    for _ in range(3):
        s = s * s + 0.1
    z = np.sin(s)
    return y * z


@program(construct="cumulative product by loop", args=lambda: (uniform(141, 5),))
def cumulative_product(x):
    """Running products."""
    out = np.ones_like(x)
    running = 1.0
    for i in range(len(x)):
        running *= x[i]
        out[i] = running
    return out


# ---------------------------------------------------------------------------------------------------------------------
# Reading: indices, slices, fancy indices


@program(construct="negative index", args=lambda: (normal(150, 5),))
def end_differences(x):
    """Differences at both ends of a signal."""
    return (x[1] - x[0]) * (x[-1] - x[-2])


@program(construct="2-D slices with step", args=lambda: (normal(151, 5, 6),))
def downsample(image):
    """Contrast between the two diagonal sub-lattices of an image."""
    return np.sum(image[::2, ::2] * image[::2, 1::2]) - np.sum(image[1:4:2, :-1:3] ** 2)


@program(construct="reverse slice x[::-1]", args=lambda: (normal(152, 5),))
def autoconvolution(x):
    """Overlap of a signal with its own mirror image, weighted."""
    return np.sum(x * x * x[::-1])


@program(construct="newaxis", args=lambda: (normal(153, 3), normal(154, 4)), argnums=(0, 1))
def kernel_matrix(x, y):
    """Squared exponential kernel between two sets of points."""
    d = x[:, np.newaxis] - y[None, :]
    return np.exp(-0.5 * d * d)


@program(construct="ellipsis index", args=lambda: (normal(155, 2, 3, 2),))
def complex_modulus(z):
    """Squared modulus of complex numbers stored as pairs along the last axis."""
    return z[..., 0] ** 2 + z[..., 1] ** 2


@program(construct="slice with bounds known at run time", args=lambda: (normal(156, 6), 2, 5))
def window_energy(x, start, stop):
    """Energy in a window, weighted by what lies before it."""
    return np.sum(x[start:stop] ** 2) * np.sum(x[:start])


@program(construct="fancy index read", args=lambda: (normal(157, 5), np.array([3, 0, 3, 2])))
def embedding(table, tokens):
    """Look up tokens, one of which comes twice."""
    return table[tokens] ** 2


@program(construct="fancy index read with two arrays", args=lambda: (normal(158, 4, 4),))
def trace_of_square(A):
    """Trace of the elementwise square, through the diagonal's indices."""
    i = np.arange(len(A))
    return np.sum(A[i, i] ** 2)


@program(construct="fancy index store", args=lambda: (normal(159, 4), np.array([2, 0, 3, 1])))
def permute(x, order):
    """Scatter a vector to permuted places."""
    out = np.zeros_like(x)
    out[order] = x * x
    return out * x


@program(construct="augmented fancy index store", args=lambda: (normal(160, 5), np.array([4, 1])))
def bump_places(x, places):
    """Add to a few distinct places of a copy."""
    y = np.copy(x)
    y[places] += x[places] ** 2
    y[places] *= y[0]
    return y


@program(
    construct="int array read as an index in a loop",
    args=lambda: (normal(161, 4), np.array([0, 1, 2, 0]), np.array([1, 2, 3, 3])),
)
def graph_energy(x, source, target):
    """Energy of springs along the edges of a graph."""
    energy = 0.0
    for e in range(len(source)):
        energy += (x[source[e]] - x[target[e]]) ** 4
    return energy


@program(construct="accumulation at indices from an array", args=lambda: (normal(162, 6), np.array([1, 0, 1, 2, 1, 0])))
def segment_sums(x, segment):
    """Sum of squares in each segment."""
    sums = np.zeros(3)
    for i in range(len(x)):
        sums[segment[i]] += x[i] * x[i]
    return sums


# ---------------------------------------------------------------------------------------------------------------------
# Elementwise functions


@program(construct="np.exp", args=lambda: (normal(170, 4), 0.3, 1.1), argnums=(0, 1, 2))
def gaussian(x, centre, width):
    """A Gaussian profile."""
    return np.exp(-0.5 * ((x - centre) / width) ** 2)


@program(construct="np.log", args=lambda: (uniform(171, 5),))
def entropy(weights):
    """Entropy of unnormalised weights."""
    p = weights / np.sum(weights)
    return -np.sum(p * np.log(p))


@program(construct="np.sqrt", args=lambda: (normal(172, 4), normal(173, 4)), argnums=(0, 1))
def path_length(x, y):
    """Length of a polygonal path."""
    dx = x[1:] - x[:-1]
    dy = y[1:] - y[:-1]
    return np.sum(np.sqrt(dx * dx + dy * dy))


@program(construct="np.sin and np.cos", args=lambda: (uniform(174, 3),))
def double_pendulum(angles):
    """Coupled sines and cosines of angles."""
    return np.sin(angles) * np.cos(2.0 * angles) - np.sin(angles[0] - angles[-1])


@program(construct="np.tanh", args=lambda: (normal(175, 5), 0.7, -0.2), argnums=(0, 1, 2))
def tanh_energy(x, w, b):
    """Energy of a layer of neurons that share weight and bias."""
    return np.sum(np.tanh(x * w + b) ** 2)


@program(construct="abs at nonzero", args=lambda: (normal(176, 4), -0.6), argnums=(0, 1))
def absolute_values(x, t):
    """Absolute deviations, by NumPy's function and by Python's."""
    return np.sum(np.abs(x) * x) + abs(t) ** 1.5


@program(construct="minimum/maximum", args=lambda: (normal(177, 5), normal(178, 5)), argnums=(0, 1))
def soft_clip(x, y):
    """Elementwise extremes of two signals and of a constant."""
    return np.maximum(x, y) * np.minimum(x, 0.5) + np.maximum(x, 0.0) ** 2


@program(construct="bool array / where", args=lambda: (normal(179, 6),))
def huber(r):
    """Huber loss: quadratic near zero, linear far away."""
    small = np.abs(r) < 0.9
    return np.sum(np.where(small, 0.5 * r * r, 0.9 * (np.abs(r) - 0.45)))


@program(construct="where guards an undefined branch", args=lambda: (normal(180, 5),))
def guarded_log(x):
    """A logarithm for positive samples only; the others are made safe first."""
    positive = x > 0.0
    safe = np.where(positive, x, 1.0)
    return np.where(positive, np.log(safe), x * x)


@program(
    construct="bool array argument in arithmetic", args=lambda: (normal(181, 4), np.array([True, False, True, True]))
)
def masked_mean(x, mask):
    """Mean of the squares of the samples that a mask keeps."""
    return np.sum(mask * x * x) / np.sum(mask)


# ---------------------------------------------------------------------------------------------------------------------
# Reductions and broadcasting


@program(construct="method call x.sum()", args=lambda: (normal(190, 3, 4),))
def method_sums(A):
    """Sums by method: all, along an axis, and nested."""
    return A.sum() * (A * A).sum(axis=0) + A.sum(axis=1).mean()


@program(construct="sum over several axes", args=lambda: (normal(191, 2, 3, 2),))
def channel_energy(image):
    """Energy of each channel, summed over the two pixel axes."""
    return np.sum(image**2, axis=(0, 1))


@program(construct="sum along a negative axis", args=lambda: (normal(192, 2, 3),))
def row_products(A):
    """Sum of each row times its last entry."""
    return np.sum(A * A, axis=-1) * A[:, -1]


@program(construct="mean axis keepdims", args=lambda: (normal(193, 3, 4),))
def layer_norm(x):
    """Rows shifted to zero mean and scaled to unit variance."""
    centred = x - np.mean(x, axis=1, keepdims=True)
    variance = np.mean(centred * centred, axis=1, keepdims=True)
    return centred / np.sqrt(variance + 1e-5)


@program(construct="max axis", args=lambda: (normal(194, 3, 4),))
def column_peaks(A):
    """Squared peak of each column."""
    return np.max(A, axis=0) ** 2


@program(construct="max of everything", args=lambda: (normal(195, 3, 3),))
def relative_to_peak(A):
    """A map in units of its peak."""
    return A / np.max(A)


@program(construct="min", args=lambda: (normal(196, 4), normal(197, 3, 4)), argnums=(0, 1))
def range_of_values(x, A):
    """Distance of the smallest values from the overall smallest."""
    return np.min(A, axis=1, keepdims=True) * x - x.min() ** 2


@program(construct="logsumexp", args=lambda: (normal(198, 5),))
def logsumexp(x):
    """Logarithm of a sum of exponentials, shifted by the largest."""
    # The shift keeps exp from overflowing.
    top = np.max(x)
    return top + np.log(np.sum(np.exp(x - top)))


@program(construct="broadcast (n,1)*(m,)", args=lambda: (normal(199, 3, 1), normal(200, 4)), argnums=(0, 1))
def separable(column, row):
    """A separable surface from a column and a row."""
    return np.sum(np.sin(column * row) + column)


@program(construct="broadcast of two 3-D arrays", args=lambda: (normal(201, 4, 2), normal(202, 3, 2)), argnums=(0, 1))
def nearest_centres(points, centres):
    """Sum of squared distances to the nearest centre, as in k-means."""
    difference = points[:, None, :] - centres[None, :, :]
    distance = np.sum(difference**2, axis=2)
    return np.sum(np.min(distance, axis=1))


@program(construct="scalar broadcast into an array loop", args=lambda: (0.6, normal(203, 2, 3)), argnums=(0, 1))
def repeated_scaling(t, A):
    """A number that scales a matrix and is itself changed by it."""
    for _ in range(2):
        A = A * t + 0.1
        t = t + A.mean() ** 2
    return A


# ---------------------------------------------------------------------------------------------------------------------
# Products


@program(construct="dot 1-D", args=lambda: (normal(210, 4), normal(211, 4)), argnums=(0, 1))
def cosine_similarity(u, v):
    """Cosine of the angle between two vectors."""
    return np.dot(u, v) / np.sqrt(np.dot(u, u) * np.dot(v, v))


@program(construct="dot 2-D", args=lambda: (normal(212, 2, 3), normal(213, 3, 2), normal(214, 2)), argnums=(0, 1, 2))
def chained_dots(A, B, x):
    """Two matrices and a vector, multiplied by np.dot."""
    return np.dot(np.dot(A, B), x)


@program(construct="matmul 2-D", args=lambda: (normal(215, 3, 2), normal(216, 2, 4)), argnums=(0, 1))
def low_rank_norm(U, V):
    """Squared Frobenius norm of a product of two thin matrices."""
    A = U @ V
    return np.sum(A * A)


@program(construct="matmul batched 3-D", args=lambda: (normal(217, 2, 3, 2), normal(218, 2, 2, 3)), argnums=(0, 1))
def batched_products(A, B):
    """A stack of matrix products."""
    return np.matmul(A, B) ** 2


@program(
    construct="matmul broadcast over a batch", args=lambda: (normal(219, 2, 3, 4), normal(220, 4, 2)), argnums=(0, 1)
)
def shared_weights(X, W):
    """One matrix applied to a stack of matrices."""
    return np.tanh(X @ W)


@program(construct="matrix-vector", args=lambda: (normal(221, 3, 4), normal(222, 4), normal(223, 3)), argnums=(0, 1, 2))
def least_squares(A, x, b):
    """Half the squared residual of a linear system."""
    residual = A @ x - b
    return 0.5 * residual @ residual


@program(construct="vector-matrix", args=lambda: (uniform(224, 3), uniform(225, 3, 2)), argnums=(0, 1))
def markov_step(p, T):
    """A row vector times a matrix, then scaled to unit sum of squares."""
    q = p @ T
    return q / np.sqrt(np.sum(q * q))


@program(construct="outer", args=lambda: (normal(226, 3), normal(227, 2)), argnums=(0, 1))
def rank_one_update(u, v):
    """An outer product, squared and summed against its factors."""
    A = np.outer(u, v)
    return np.sum(A * A * A) + np.sum(A @ v)


# ---------------------------------------------------------------------------------------------------------------------
# Shapes and construction


@program(construct="x.T", args=lambda: (normal(230, 3, 2),))
def gram(A):
    """Gram matrix."""
    return A.T @ A


@program(construct="transpose axes", args=lambda: (normal(231, 2, 3, 4),))
def channels_last(x):
    """Move the channel axis to the end and weigh by channel."""
    moved = np.transpose(x, (1, 2, 0))
    return moved * np.array([0.5, 2.0]) + moved * moved


@program(construct="np.transpose without axes", args=lambda: (normal(232, 2, 3),))
def antisymmetric(A):
    """Antisymmetric part of a product of a matrix with its nonlinear transpose."""
    B = A @ np.transpose(np.sin(A))
    return 0.5 * (B * B - np.transpose(B))


@program(construct="reshape -1", args=lambda: (normal(233, 2, 3, 2),))
def flatten_batch(x):
    """Flatten all axes but the first, and everything."""
    n = x.shape[0]
    rows = np.reshape(x, (n, -1))
    return np.sum(rows * rows, axis=1) * x.reshape(-1)[:2]


@program(construct="reshape of a transpose", args=lambda: (normal(234, 2, 3),))
def column_major(A):
    """Column-major vector of a matrix, weighted by place."""
    return A.T.reshape(6) * np.arange(6) + A.reshape(-1) ** 2


@program(construct="x.shape/len", args=lambda: (normal(235, 3, 4),))
def standard_error(samples):
    """Standard error of the column means."""
    n, m = samples.shape
    mean = samples.sum(axis=0) / n
    return np.sqrt(((samples - mean) ** 2).sum(axis=0) / (n * (n - 1))) * (m / len(samples))


@program(construct="concatenate", args=lambda: (normal(236, 3), normal(237, 2)), argnums=(0, 1))
def joined_roughness(x, y):
    """Roughness of two signals put end to end."""
    z = np.concatenate([x, y, x[:1]])
    return np.sum((z[1:] - z[:-1]) ** 2)


@program(construct="concatenate along an axis", args=lambda: (normal(238, 2, 2), normal(239, 2, 3)), argnums=(0, 1))
def side_by_side(A, B):
    """Gram matrix of two blocks side by side."""
    C = np.concatenate((A, B), axis=1)
    return C @ C.T


@program(construct="stack", args=lambda: (normal(240, 3), normal(241, 3)), argnums=(0, 1))
def stacked(x, y):
    """Two signals stacked along a new last axis."""
    pairs = np.stack([x * y, x + y], axis=-1)
    return pairs**2


@program(construct="zeros and ones", args=lambda: (normal(242, 3),))
def with_intercept(x):
    """A two-column table of ones and samples."""
    table = np.zeros((len(x), 2))
    table[:, 0] += np.ones(len(x))
    table[:, 1] += x * x
    return table


@program(construct="zeros_like", args=lambda: (normal(243, 2, 3),))
def discrete_gradient(field):
    """Forward differences with a zero last column."""
    slope = np.zeros_like(field)
    slope[:, :-1] = field[:, 1:] - field[:, :-1]
    return slope * slope


@program(construct="empty then filled", args=lambda: (normal(244, 5),))
def prefix_sums(x):
    """Running sums of squares in an array that starts uninitialised."""
    sums = np.empty(len(x))
    total = 0.0
    for i in range(len(x)):
        total += x[i] ** 2
        sums[i] = total
    return sums


@program(construct="empty_like then filled", args=lambda: (normal(245, 2, 3),))
def rolled_columns(A):
    """Columns moved round by one, then multiplied."""
    B = np.empty_like(A)
    B[:, 1:] = A[:, :-1]
    B[:, 0] = A[:, -1]
    return A * B


@program(construct="full", args=lambda: (0.7, normal(246, 4)), argnums=(0, 1))
def constant_prior(level, x):
    """Distance of samples from a constant profile whose level is a parameter."""
    profile = np.full(len(x), level)
    return np.sum((x - profile) ** 2 * profile)


@program(construct="arange", args=lambda: (0.4, 1.3), argnums=(0, 1))
def damped_wave(decay, frequency):
    """A damped oscillation sampled at regular times."""
    t = np.arange(6)
    s = np.arange(0.0, 3.0, 0.5)
    return np.exp(-decay * t) * np.cos(frequency * s)


@program(construct="eye", args=lambda: (normal(247, 3, 3),))
def neumann_series(A):
    """The first terms of the inverse of I - A / 4."""
    n = len(A)
    B = A / 4.0
    return np.eye(n) + B @ (np.eye(n) + B @ (np.eye(n) + B))


@program(construct="np.copy", args=lambda: (normal(248, 4),))
def keep_original(x):
    """A copy that is changed, beside the original that is not."""
    y = np.copy(x)
    y[1:] *= x[:-1]
    return x - y


@program(construct="array from a list of values", args=lambda: (0.5,))
def rotation(angle):
    """A rotation matrix from nested lists of values, applied to a point."""
    c, s = np.cos(angle), np.sin(angle)
    R = np.array([[c, -s], [s, c]])
    return R @ np.array([1.0, 2.0])


# ---------------------------------------------------------------------------------------------------------------------
# Dtypes


@program(construct="float32 with Python constants", args=lambda: (normal(250, 5).astype(np.float32),))
def gelu_float32(x):
    """An activation in single precision: Python constants do not widen it."""
    inner = 0.7978845608 * (x + 0.044715 * x**3)
    return 0.5 * x * (1.0 + np.tanh(inner)) * 2


@program(
    construct="float32 in loops and stores",
    args=lambda: (normal(251, 5).astype(np.float32), np.float32(0.3)),
    argnums=(0, 1),
)
def filter_float32(x, alpha):
    """A recursive filter that stays in single precision."""
    y = np.zeros(len(x), dtype=x.dtype)
    y[0] = x[0]
    for i in range(1, len(x)):
        y[i] = alpha * x[i] + (1.0 - alpha) * y[i - 1] * y[i - 1]
    return y


@program(
    construct="float32 and float64 mixed",
    args=lambda: (normal(252, 3).astype(np.float32), normal(253, 3)),
    argnums=(0, 1),
)
def mixed_precision(x, y):
    """Single times double is double; each gradient has its own argument's precision."""
    return np.sum(x * x * y) + (x * 0.5).sum()


@program(construct="int array argument beside", args=lambda: (np.array([1, 2, 2, 3]), uniform(254, 4)), argnums=(1,))
def poisson_loss(counts, rate):
    """Poisson negative log likelihood of integer counts."""
    return np.sum(rate - counts * np.log(rate))


@program(construct="int array filled in a loop", args=lambda: (normal(255, 6),))
def sign_histogram(x):
    """Weights by how often the sign of a sample occurs."""
    counts = np.zeros(2, dtype=np.int64)
    for value in x:
        if value > 0.0:
            counts[1] += 1
        else:
            counts[0] += 1
    total = 0.0
    for value in x:
        total += value * value / (counts[1] if value > 0.0 else counts[0])
    return total


@program(construct="bool array filled in a loop", args=lambda: (normal(256, 6),))
def record_values(x):
    """Energy of the samples that are higher than all before them."""
    record = np.zeros(len(x), dtype=bool)
    highest = -10.0
    for i in range(len(x)):
        if x[i] > highest:
            record[i] = True
            highest = x[i]
    return np.sum(np.where(record, x * x, 0.0))


# ---------------------------------------------------------------------------------------------------------------------
# Algorithms


@program(construct="triangular nested loop (Cholesky scalar)", args=lambda: (positive_definite(260, 4),))
def cholesky_scalar(A):
    """Cholesky factor of a positive definite matrix, entry by entry."""
    n = len(A)
    L = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            s = A[i, j]
            for k in range(j):
                s -= L[i, k] * L[j, k]
            if i == j:
                L[i, i] = np.sqrt(s)
            else:
                L[i, j] = s / L[j, j]
    return L


@program(construct="Cholesky by slices", args=lambda: (positive_definite(261, 4),))
def cholesky_slices(A):
    """Cholesky factor, one column at a time."""
    n = len(A)
    L = np.zeros((n, n))
    for j in range(n):
        # what is left of column j after the columns before it
        column = A[j:, j] - L[j:, :j] @ L[j, :j]
        L[j:, j] = column / np.sqrt(column[0])
    return L


@program(construct="LU scalar", args=lambda: (dominant(262, 4),), mutates=True)
def lu_scalar(A):
    """LU factors in place, entry by entry, and the logarithm of the determinant."""
    n = len(A)
    for k in range(n - 1):
        for i in range(k + 1, n):
            A[i, k] /= A[k, k]
            for j in range(k + 1, n):
                A[i, j] -= A[i, k] * A[k, j]
    log_determinant = 0.0
    for k in range(n):
        log_determinant += np.log(A[k, k])
    return log_determinant


@program(construct="LU by slices", args=lambda: (dominant(263, 4),))
def lu_slices(A):
    """LU factors of a copy, by rank-one updates of the trailing block."""
    LU = A.copy()
    for k in range(len(A) - 1):
        LU[k + 1 :, k] /= LU[k, k]
        LU[k + 1 :, k + 1 :] -= np.outer(LU[k + 1 :, k], LU[k, k + 1 :])
    return LU


@program(construct="Jacobi stencil in place", args=lambda: (normal(264, 5, 5), 0.2), argnums=(0, 1), mutates=True)
def jacobi_2d(u, rate):
    """Time steps of the heat equation: the new interior is computed whole, then stored."""
    for _ in range(2):
        u[1:-1, 1:-1] += rate * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4.0 * u[1:-1, 1:-1])
    return np.sum(u * u)


@program(construct="ping-pong buffers", args=lambda: (normal(265, 6),))
def jacobi_1d(u0):
    """Nonlinear diffusion with two buffers that change places at each step."""
    u = u0.copy()
    v = u0.copy()
    for _ in range(3):
        v[1:-1] = u[1:-1] + 0.1 * u[1:-1] * (u[:-2] - 2.0 * u[1:-1] + u[2:])
        u, v = v, u
    return u


@program(construct="Seidel sweep", args=lambda: (normal(266, 4, 5),), mutates=True)
def seidel_2d(u):
    """Sequential sweeps that use new values as soon as they are there."""
    n, m = u.shape
    for _ in range(2):
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                u[i, j] = 0.2 * (u[i - 1, j] + u[i, j - 1] + u[i, j] + u[i + 1, j] + u[i, j + 1])
    return np.sum(u**3)


@program(construct="RK4 loop", args=lambda: (np.array([0.8, 0.1]), 1.3), argnums=(0, 1))
def pendulum_rk4(state, stiffness):
    """A pendulum integrated by the classical Runge-Kutta method."""

    def slope(s):
        return np.stack([s[1], -stiffness * np.sin(s[0])])

    dt = 0.2
    for _ in range(3):
        k1 = slope(state)
        k2 = slope(state + 0.5 * dt * k1)
        k3 = slope(state + 0.5 * dt * k2)
        k4 = slope(state + dt * k3)
        state = state + dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
    return state


@program(
    construct="MLP loss over dict",
    args=lambda: (
        {"W1": normal(267, 3, 4) / 2, "b1": normal(268, 4), "W2": normal(269, 4, 2) / 2, "b2": normal(270, 2)},
        normal(271, 5, 3),
        normal(272, 5, 2),
    ),
)
def mlp_loss(params, x, y):
    """Mean squared error of a two-layer network."""
    # hidden layer
    h = np.tanh(x @ params["W1"] + params["b1"])
    # output layer
    out = h @ params["W2"] + params["b2"]
    return np.mean((out - y) ** 2)


@program(
    construct="softmax cross entropy",
    args=lambda: (normal(273, 4, 3), normal(274, 3, 3), np.array([0, 2, 1, 2])),
    argnums=(0, 1),
)
def cross_entropy(x, W, labels):
    """Mean cross entropy of a linear classifier."""
    logits = x @ W
    logits = logits - np.max(logits, axis=1, keepdims=True)
    log_p = logits - np.log(np.sum(np.exp(logits), axis=1, keepdims=True))
    return -np.mean(log_p[np.arange(len(labels)), labels])


@program(
    construct="RNN loop",
    args=lambda: ({"W": normal(275, 3, 3) / 2, "U": normal(276, 3, 2), "b": normal(277, 3)}, normal(278, 4, 2)),
    argnums=(0, 1),
)
def recurrent_loss(params, inputs):
    """Energy of the states of a recurrent network along a sequence."""
    h = np.zeros(3)
    loss = 0.0
    for x in inputs:
        h = np.tanh(params["W"] @ h + params["U"] @ x + params["b"])
        loss += np.sum(h * h)
    return loss


@program(
    construct="data fitting scalar loop",
    args=lambda: (normal(279, 3), uniform(280, 6), normal(281, 6)),
)
def polynomial_fit(coefficients, x, y):
    """Squared error of a polynomial, one measurement at a time."""
    error = 0.0
    for i in range(len(x)):
        predicted = 0.0
        for k in range(len(coefficients) - 1, -1, -1):
            predicted = predicted * x[i] + coefficients[k]
        error += (predicted - y[i]) ** 2
    return error


@program(construct="matrix product by triple loop", args=lambda: (normal(282, 2, 3), normal(283, 3, 2)), argnums=(0, 1))
def triple_loop(A, B):
    """A matrix product as the textbook writes it."""
    n, m = A.shape
    p = B.shape[1]
    C = np.zeros((n, p))
    for i in range(n):
        for j in range(p):
            for k in range(m):
                C[i, j] += A[i, k] * B[k, j]
    return C


@program(construct="dynamic programming with minimum", args=lambda: (normal(284, 4), normal(285, 3)), argnums=(0, 1))
def time_warp(x, y):
    """Dynamic time warping distance of two signals."""
    n, m = len(x), len(y)
    D = np.full((n + 1, m + 1), 1e3)
    D[0, 0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            cost = (x[i - 1] - y[j - 1]) ** 2
            D[i, j] = cost + np.minimum(D[i - 1, j - 1], np.minimum(D[i - 1, j], D[i, j - 1]))
    return D[n, m]


@program(
    construct="forward algorithm: matrix-vector products and logs in a loop",
    args=lambda: (uniform(286, 3, 3), uniform(287, 3, 4), np.array([1, 3, 0, 1])),
    argnums=(0, 1),
)
def hidden_markov(transition, emission, observed):
    """Log likelihood of a sequence under a hidden Markov model, scaled at each step."""
    T = transition / np.sum(transition, axis=1, keepdims=True)
    E = emission / emission.sum(axis=1, keepdims=True)
    alpha = np.full(3, 1.0 / 3.0)
    log_likelihood = 0.0
    for symbol in observed:
        alpha = (alpha @ T) * E[:, symbol]
        scale = np.sum(alpha)
        log_likelihood += np.log(scale)
        alpha = alpha / scale
    return log_likelihood


# ---------------------------------------------------------------------------------------------------------------------
# Programs that raise, as NumPy and Python do


@program(construct="index out of range", args=lambda: (normal(290, 3), 3), smooth=False, raises=IndexError)
def beyond_the_end(x, i):
    """An index that comes at run time and is one too large."""
    return x[0] * x[i]


@program(construct="store out of range", args=lambda: (normal(291, 3),), smooth=False, raises=IndexError)
def one_step_too_far(x):
    """A loop with the classic fence-post mistake."""
    y = np.zeros(len(x))
    for i in range(len(x)):
        y[i + 1] = x[i] * x[i]
    return y


@program(
    construct="shape mismatch",
    args=lambda: (normal(292, 3), normal(293, 4)),
    argnums=(0, 1),
    smooth=False,
    raises=ValueError,
)
def mismatched(x, y):
    """Two lengths that do not broadcast."""
    return np.sum(x * y)


@program(
    construct="matmul mismatch",
    args=lambda: (normal(294, 2, 3), normal(295, 2)),
    argnums=(0, 1),
    smooth=False,
    raises=ValueError,
)
def mismatched_product(A, x):
    """A matrix and a vector that do not fit."""
    return A @ x


@program(
    construct="division by zero of Python numbers",
    args=lambda: (1.5, 0.0),
    argnums=(0, 1),
    smooth=False,
    raises=ZeroDivisionError,
)
def divide(a, b):
    """Python's division raises where NumPy's would give inf."""
    return a / b


@program(construct="unpacking a wrong length", args=lambda: (normal(296, 4),), smooth=False, raises=ValueError)
def three_of_four(x):
    """Three names for four values."""
    a, b, c = x
    return a * b * c


@program(construct="generator expressions that are consumed, with conditions of the run time", args=lambda: (uniform(201, 5), 0.7))
def hinge(x, limit):
    """A penalty of what is above a limit, and the largest of products."""
    if any(v > 2.0 * limit for v in x):
        return sum((v - limit) ** 2 for v in x if v > limit)
    return max(v * w for v, w in zip(x, (2.0 * u for u in x))) + sum(v * v for v in x if v > limit)


@program(construct="match, with, try and sets of what is known", args=lambda: ({"kind": "power", "W": uniform(202, 3)}, uniform(203, 3)),
         argnums=(1,))
def named_layer(params, x):
    """A layer by its name."""
    used = {"kind"}
    with np.errstate(divide="ignore"):
        match params:
            case {"kind": "power", **others}:
                used.add("W")
                y = np.log(x) * others["W"]
            case {"kind": "line"}:
                y = 2.0 * x
    try:
        shift = params["b"]
    except KeyError:
        shift = x[0]
    return np.sum(y * y) + shift * len(used)


# ---- masks, and sizes that only the run knows


@program(construct="x[mask]", args=lambda: (normal(401, 6),))
def of_the_positive(x):
    """Elements at a mask."""
    return np.sum(x[x > 0.0] ** 3)


@program(construct="x[mask] = number", args=lambda: (normal(402, 6),))
def without_negatives(x):
    """A number stored at a mask."""
    y = x.copy()
    y[y < 0.0] = 0.5
    return np.sum(y**3)


@program(construct="x[mask] = values", args=lambda: (normal(403, 6), normal(404, 6)), argnums=(0, 1))
def exchanged_at_a_mask(x, y):
    """Values stored at a mask, as many as it has."""
    z = x.copy()
    z[y > 0.0] = y[y > 0.0] ** 2
    return np.sum(z * x)


@program(construct="x[mask] += values", args=lambda: (normal(405, 6),))
def added_at_a_mask(x):
    """Augmented stores at a mask and at its opposite."""
    y, m = x.copy(), x > 0.0
    y[m] += x[m] ** 2
    y[~m] *= 3.0
    return np.sum(y * y)


@program(construct="mask over rows", args=lambda: (normal(406, 4, 3),))
def rows_that_are_large(A):
    """The rows of a matrix at a mask, centred."""
    rows = A[A[:, 0] > -0.5]
    return np.sum((rows - rows.mean(axis=0)) ** 3)


@program(construct="mask over columns", args=lambda: (normal(407, 3, 5),))
def columns_that_are_large(A):
    """Columns at a mask."""
    return np.sum(A[:, A[0] > 0.0] ** 2)


@program(construct="mask of a matrix", args=lambda: (normal(408, 3, 4),))
def elements_of_a_matrix(A):
    """All elements of a matrix at a mask of its shape."""
    return np.prod(1.5 + np.tanh(A[A > 0.0]))


@program(construct="np.nonzero", args=lambda: (normal(409, 5),))
def places_of_the_positive(x):
    """Places as an index array."""
    (places,) = np.nonzero(x > 0.0)
    return np.sum(x[places] ** 2 * places)


@program(construct="np.flatnonzero and len of it", args=lambda: (normal(410, 5),))
def mean_of_the_negative(x):
    """How many there are decides."""
    places = np.flatnonzero(x < 0.0)
    return np.sum(x[places] ** 2) / len(places)


@program(construct="np.argwhere", args=lambda: (normal(411, 3, 3),))
def pairs_of_places(A):
    """Places in rows."""
    at = np.argwhere(A > 0.0)
    return np.sum(A[at[:, 0], at[:, 1]] ** 3)


@program(construct="np.where of one argument", args=lambda: (normal(412, 3, 3),))
def where_of_one(A):
    """Places as two index arrays, also stored through."""
    i, j = np.where(A < 0.0)
    B = A * A
    B[i, j] = A[i, j]
    return np.sum(B * A)


@program(construct="np.unique with counts and inverse", args=lambda: (np.array([2, 0, 2, 1, 0]), normal(413, 5)), argnums=(1,))
def group_means(labels, x):
    """Sums by groups."""
    groups, inverse, counts = np.unique(labels, return_inverse=True, return_counts=True)
    sums = np.zeros(len(groups))
    np.add.at(sums, inverse, x)
    return np.sum((sums / counts) ** 2)


@program(construct="loop over np.unique", args=lambda: (np.array([2, 0, 2, 1, 0]), normal(414, 5)), argnums=(1,))
def loop_over_groups(labels, x):
    """A loop over as many groups as there are."""
    total = 0.0
    for g in np.unique(labels):
        total += np.mean(x[labels == g]) ** 2
    return total


@program(construct="np.compress and np.extract", args=lambda: (normal(415, 6),))
def compressed(x):
    """Functions that take what a condition says."""
    return np.sum(np.compress(x > 0.0, x) ** 3) + np.sum(np.extract(x < 0.5, x) ** 2)


@program(construct="an array that a while loop makes shorter", args=lambda: (np.array([0.3, -1.2, 2.0, 0.7, -0.4]),))
def without_the_largest(x):
    """Outliers removed, one after the other."""
    while len(x) > 2 and np.max(np.abs(x)) > 0.5:
        x = x[np.abs(x) < np.max(np.abs(x))]
    return np.sum(x**3)


@program(construct="zeros, linspace and arange of a count of the run", args=lambda: (normal(416, 6),))
def of_a_count(x):
    """Arrays as long as there are positive elements."""
    n = int(np.sum(x > 0.0))
    return np.sum(np.zeros(n) + x[:n] ** 2) + np.sum(np.linspace(0.0, x[0], n)) + np.sum(np.arange(n) * x[1])


@program(construct="reductions of x[mask]", args=lambda: (normal(417, 7),))
def statistics_of_some(x):
    """The largest, the spread and the order of what a mask takes."""
    y = x[x > -1.0]
    return np.max(y) + np.std(y) + np.sum(np.sort(y) * np.arange(len(y))) + y[0] * y[-1]


@program(construct="loop over x[mask]", args=lambda: (normal(418, 6),))
def running_product_of_some(x):
    """A loop of as many rounds as the mask has."""
    product = 1.0
    for v in x[x > 0.0]:
        product = product * (1.0 + v)
    return product


@program(construct="x[mask] of both sides joined", args=lambda: (normal(419, 6),))
def partitioned(x):
    """What is small before what is large."""
    y = np.concatenate([x[x < 0.0], x[x >= 0.0]])
    return np.sum(y * y * np.arange(len(y)))


@program(construct="mask made by a store", args=lambda: (normal(420, 5), 2))
def all_but_one(x, k):
    """Leave one out."""
    mask = np.ones(len(x), bool)
    mask[k] = False
    return np.sum(x[mask] ** 2) * x[k]


# ---- index arrays of any rank


@program(construct="index arrays that broadcast", args=lambda: (normal(421, 3, 4),))
def corners(A):
    """A column of indices and a row of them."""
    return np.sum(A[np.arange(3)[:, None], np.array([0, 2])] ** 3)


@program(construct="store at a label in each row", args=lambda: (normal(422, 3, 4), np.array([0, 2, 1])))
def minus_the_label(p, labels):
    """One element in each row."""
    q = p.copy()
    q[np.arange(3), labels] -= 1.0
    return np.sum(q**3)


@program(construct="index array of two axes beside a slice", args=lambda: (normal(423, 2, 3, 4),))
def blocks_of_columns(A):
    """Indices of two axes, in the middle."""
    k = np.array([[0, 1], [2, 0]])
    return np.sum(A[:, k, 1:3] ** 2 * A[:, :1, None, 1:3])


@program(construct="index arrays apart, with a slice between", args=lambda: (normal(424, 3, 4, 3),))
def apart(A):
    """NumPy puts their axis first."""
    picked = A[np.array([1, 0]), :, np.array([0, 2])]
    return np.sum(picked**2 * np.arange(1.0, 3.0)[:, None])


@program(construct="store through index arrays beside slices", args=lambda: (normal(425, 2, 3, 4),))
def stored_blocks(A):
    """Stores, also augmented."""
    B, k = A.copy(), np.array([2, 0])
    B[:, k] *= 2.0
    B[1, k, :2] += A[0, :2, :2]
    return np.sum(B**3)


@program(construct="np.ix_", args=lambda: (normal(426, 4, 4),))
def minor(A):
    """Rows and columns of a matrix."""
    return np.sum(A[np.ix_([0, 2], [1, 3])] ** 3) + A[np.ix_(np.array([True, False, False, True]), [2])].sum()


@program(construct="np.add.at", args=lambda: (normal(427, 5), np.array([0, 2, 0, 1, 2])))
def scattered(x, to):
    """Indices that come up several times."""
    y = np.zeros(3)
    np.add.at(y, to, x * x)
    return np.sum(y * y)


@program(construct="diagonal and triangle as index arrays", args=lambda: (normal(428, 4, 4),))
def of_the_triangle(A):
    """np.diag_indices and np.triu_indices, read and stored through."""
    B = A.copy()
    B[np.diag_indices(4)] = 1.0
    B[np.triu_indices(4, 1)] *= A[np.triu_indices(4, 1)]
    return np.sum(B @ B)


@program(construct="x.flat", args=lambda: (normal(429, 2, 3),))
def row_of_elements(A):
    """Elements in a row, read and stored into."""
    B = A.T.copy()
    B.flat[1] = A.flat[-1] ** 2
    B.flat[2:4] = A.flat[:2]
    return sum(k * v * v for k, v in enumerate(B.flat)) + np.sum(B.flat)


@program(construct="np.take and np.take_along_axis", args=lambda: (normal(430, 3, 4),))
def taken(A):
    """In the order of another array."""
    order = np.argsort(-A, axis=1)
    return np.sum(np.take_along_axis(A, order, axis=1) ** 2 * np.arange(4.0)) + np.sum(np.take(A, [0, 0, 2], axis=0) ** 3)


@program(construct="argmax as an index", args=lambda: (normal(431, 6),))
def the_largest_element(x):
    """Where the largest is."""
    k = np.argmax(x)
    return x[k] ** 2 * x[k - 1]


@program(construct="searchsorted as a bound", args=lambda: (uniform(432, 6), 0.9))
def below(x, limit):
    """Interpolation between sorted places."""
    knots = np.sort(x)
    k = np.searchsorted(knots, limit)
    return np.sum(knots[:k] ** 2) + (limit - knots[k - 1]) * knots[k]


# ---- complex numbers


@program(construct="complex numbers made of reals", args=lambda: (normal(441, 4), normal(442, 4)), argnums=(0, 1))
def power_of_a_wave(a, b):
    """A modulus."""
    z = a + 1j * b
    return np.sum(np.abs(z * z + 0.5j) ** 2)


@program(construct="phase of a complex number", args=lambda: (uniform(443, 3), uniform(444, 3)), argnums=(0, 1))
def phases(a, b):
    """Angle, exponential and logarithm."""
    z = np.exp(1j * a) * b
    return np.sum(np.angle(z) * b) + np.sum(np.log(z).real)


@program(construct="real and imaginary parts, conjugate", args=lambda: (normal(445, 3, 3),))
def inner_product_of_complex(A):
    """A hermitian form."""
    B = A + 1j * A.T
    return (np.conj(B).T @ B).trace().real + np.sum(B.imag * A)


@program(construct="complex accumulator in a loop", args=lambda: (0.3, 0.2), argnums=(0, 1))
def escape(a, b):
    """Mandelbrot's iteration, some rounds of it."""
    z, c = 0j, complex(a, b)
    for _ in range(4):
        z = z * z + c
    return abs(z) ** 2


@program(construct="Fourier transform and back", args=lambda: (normal(446, 8),))
def lowpass(x):
    """The high frequencies damped."""
    f = np.fft.rfft(x)
    y = np.fft.irfft(f * np.exp(-0.1 * np.arange(len(f)) ** 2), len(x))
    return np.sum(y**3)


@program(construct="power spectrum", args=lambda: (normal(447, 6),))
def spectrum(x):
    """Squares of moduli."""
    f = np.fft.fft(x * np.hanning(6))
    return np.sum(np.abs(f) ** 2 * np.cos(np.fft.fftfreq(6)))


# ---- the language around


@program(construct="generator expression with a condition, kept in a variable", args=lambda: (normal(451, 4),))
def kept_generator(x):
    """It runs when it is asked, with what its variables are by then."""
    scale = 2.0
    terms = (scale * v * v for v in x)
    scale = 3.0
    return sum(terms)


def relaxed(x, rate):
    """One array, which moves on between two yields."""
    y = x.copy()
    while True:
        y[1:-1] += rate * (y[:-2] - 2.0 * y[1:-1] + y[2:])
        yield y


@program(construct="generator function, endless, that fills one array", args=lambda: (normal(453, 5), 0.2), argnums=(0, 1))
def generator_function(x, rate):
    """The loop stores into what the generator goes on with."""
    total = 0.0
    for k, y in enumerate(relaxed(x, rate)):
        y[2] *= 1.5
        total += np.sum(y**2) * k
        if k == 3:
            break
    return total + sum(y[1] for y, _ in zip([y.copy() for y in first_of(relaxed(x, rate))], "ab"))


def first_of(items):
    """The first three, through a generator of its own."""
    for k, item in enumerate(items):
        if k == 3:
            return
        yield item


@program(construct="generator that a function returns", args=lambda: (normal(452, 4),))
def returned_generator(x):
    """The frame of a function that has returned."""
    def powers(v, most):
        return (v**k for k in range(1, most))

    return sum(np.sum(p) * (k + 1) for k, p in enumerate(powers(x, 4)))


@program(construct="generator expression in a star argument", args=lambda: (normal(453, 3),))
def starred(x):
    """As many arguments as there are items."""
    def area(a, b, c):
        return a * b + b * c + c * a

    return area(*(v * v for v in x))


@program(construct="sorted with a key, and reverse", args=lambda: (normal(454, 3, 2),), argnums=(0,))
def sorted_by_size(rows):
    """Rows in the order of a number that the run computes."""
    first, *_, last = sorted([rows[0], rows[1], rows[2]], key=lambda r: -np.sum(r * r))
    return first @ last


@program(construct="sorted(params.items())", args=lambda: ({"b": normal(455, 3), "a": normal(456, 3)},))
def weighted_decay(params):
    """Parameters in the order of their names."""
    return sum((k + 1) * np.sum(w * w) for k, (_, w) in enumerate(sorted(params.items())))


@program(construct="keys made of a number", args=lambda: ({"W0": normal(457, 3, 3), "W1": normal(458, 2, 3)}, normal(459, 3)), argnums=(0, 1))
def numbered_layers(params, x):
    """params[f"W{k}"]."""
    for k in range(len(params)):
        x = np.tanh(params[f"W{k}"] @ x)
    return np.sum(x)


@program(construct="dict comprehension and update", args=lambda: ({"w": normal(460, 3), "b": 0.5}, 0.1), argnums=(0, 1))
def stepped(params, rate):
    """Parameters after a step."""
    slopes = {name: np.cos(p) for name, p in params.items()}
    new = {name: p - rate * slopes[name] for name, p in params.items()}
    new.update(b=new["b"] * 2.0)
    return np.sum(new["w"] ** 2) + new["b"] ** 2


@program(construct="a list of lists, stored into", args=lambda: (normal(461, 4),))
def table_of_lists(x):
    """Pascal's triangle with weights."""
    rows = [[x[0]]]
    for k in range(1, 4):
        row = [x[0]] * (k + 1)
        for j in range(1, k):
            row[j] = rows[k - 1][j - 1] + rows[k - 1][j] * x[k]
        rows.append(row)
    return sum(sum(row) for row in rows) * rows[3][1]


@program(construct="list.pop, insert, extend and slices of lists", args=lambda: (normal(462, 4),))
def shuffled_list(x):
    """Methods of lists."""
    items = [v * v for v in (x[0], x[1])]
    items.insert(1, x[2])
    items.extend([x[3], x[0]])
    items[1:3] = [items[2] * items[1]]
    last = items.pop()
    return items[0] * last + sum(items[::-1][:2])


@program(construct="a deque of bounded length", args=lambda: (normal(463, 8),))
def moving_average(x):
    """The last three of a row."""
    last, total = collections.deque(maxlen=3), 0.0
    for v in x:
        last.append(v)
        total += (sum(last) / len(last)) ** 2
    return total


@program(construct="zip_longest, pairwise, accumulate and product of itertools", args=lambda: (normal(464, 4),))
def iterated(x):
    """What itertools has."""
    steps = sum((b - a) ** 2 for a, b in itertools.pairwise(x))
    sums = list(itertools.accumulate([x[0], x[1], x[2]]))
    grid = sum(x[i] * x[j] for i, j in itertools.product(range(2), range(2, 4)))
    longest = sum(a * b for a, b in itertools.zip_longest([x[0], x[1]], [x[2]], fillvalue=2.0))
    return steps + sums[-1] * sums[1] + grid + longest


@program(construct="functools.reduce of matrices", args=lambda: (normal(465, 3, 2, 2),))
def chained_product(matrices):
    """A product of all."""
    return np.sum(functools.reduce(np.matmul, matrices))


@program(construct="functools.partial", args=lambda: (normal(466, 3),))
def partly_known(x):
    """A function with an argument fixed."""
    def bell(width, v):
        return np.exp(-(v / width) ** 2)

    narrow = functools.partial(bell, 0.5)
    return np.sum(narrow(x)) + np.sum(functools.partial(bell, v=x)(2.0))


@program(construct="recursion over a nest", args=lambda: ({"a": [0.5, {"b": 1.5}], "c": (2.0,)},))
def norm_of_a_nest(tree):
    """A sum of squares of all leaves."""
    if isinstance(tree, dict):
        return sum(norm_of_a_nest(x) for x in tree.values())
    if isinstance(tree, (list, tuple)):
        return sum(norm_of_a_nest(x) for x in tree)
    return tree * tree


@program(construct="recursion on a shape", args=lambda: (normal(467, 8),))
def halves(x):
    """Divide and conquer."""
    n = len(x)
    return x[0] ** 2 if n == 1 else halves(x[: n // 2]) * 1.5 - halves(x[n // 2:])


class Layer:
    """A plain class with an array, a function and a number that is known."""

    def __init__(self, weights, act):
        self.weights, self.act, self.width = weights, act, len(weights)

    def __call__(self, x):
        return self.act(self.weights @ x) / self.width


@program(construct="object of a plain class as an argument", args=lambda: (Layer(normal(468, 2, 3), np.tanh), normal(469, 3)), argnums=(0, 1))
def called_object(layer, x):
    """Its attributes are leaves."""
    return np.sum(layer(x) ** 2) + np.sum(layer.weights**2)


@program(construct="objects of plain classes in a list", args=lambda: ([Layer(normal(470, 3, 3), np.sin), Layer(normal(471, 2, 3), np.tanh)], normal(472, 3)), argnums=(0, 1))
def objects_in_a_list(layers, x):
    """One after the other."""
    for layer in layers:
        x = layer(x)
    return np.sum(x)


@program(construct="SimpleNamespace as an argument", args=lambda: (types.SimpleNamespace(w=normal(473, 3), scale=0.5),))
def namespace(p):
    """Attributes by name."""
    return np.sum(np.tanh(p.w * p.scale) ** 2) + p.scale


class Body:
    """A plain class that a function makes and changes."""

    def __init__(self, place, speed):
        self.place, self.speed = place, speed

    @property
    def energy(self):
        return 0.5 * self.speed**2 + 0.5 * self.place**2

    def kick(self, dt):
        self.speed -= dt * self.place
        self.place += dt * self.speed
        return self


@program(construct="objects made and changed in a loop", args=lambda: (1.0, 0.3), argnums=(0, 1))
def swinging(place, speed):
    """Methods that store attributes, and a property."""
    body = Body(place, speed)
    for _ in range(5):
        body.kick(0.1)
    return body.energy * body.place


@program(construct="operators of a class", args=lambda: (0.7, 1.2), argnums=(0, 1))
def dual(a, b):
    """Forward mode by hand."""
    x = Dual(a, 1.0)
    y = x * x + Dual(b, 0.0) * x
    return y.value * y.slope


class Dual:
    """A number and its slope."""

    def __init__(self, value, slope):
        self.value, self.slope = value, slope

    def __add__(self, other):
        return Dual(self.value + other.value, self.slope + other.slope)

    def __mul__(self, other):
        return Dual(self.value * other.value, self.value * other.slope + self.slope * other.value)


@program(construct="try, except, else and finally", args=lambda: ({"w": normal(474, 3)}, normal(475, 3)), argnums=(1,))
def defaulted(params, x):
    """A key that is missing, and one that is not."""
    log = []
    try:
        shift = params["b"]
    except KeyError:
        shift = 0.5
    finally:
        log.append("b")
    try:
        w = params["w"]
    except KeyError as error:
        raise ValueError("no weights") from error
    else:
        log.append("w")
    return np.sum(w * x * x) + shift * len(log)


@program(construct="with of contexts that are chosen", args=lambda: (uniform(476, 3), True))
def quiet_or_not(x, quiet):
    """np.errstate, or nothing."""
    with np.errstate(divide="ignore") if quiet else contextlib.nullcontext():
        return np.sum(np.log(x) ** 2)


@program(construct="walrus in a while", args=lambda: (5.0,))
def halved(x):
    """An assignment in a test."""
    total = 0.0
    while (x := 0.5 * x) > 0.4:
        total += x * x
    return total


@program(construct="nonlocal", args=lambda: (normal(477, 4),))
def counted_calls(x):
    """A closure that counts and adds."""
    total, calls = 0.0, 0

    def add(v):
        nonlocal total, calls
        total, calls = total + v * v, calls + 1
        return total

    for v in x:
        add(v)
    return total * calls


@program(construct="unpacking with a star, nested", args=lambda: (normal(478, 2), normal(479, 3)), argnums=(0, 1))
def unpacked(p, q):
    """Patterns of names."""
    (a, b), (first, *others) = p, [q[0], q[1], q[2]]
    return a * first + b * others[0] * others[-1]


@program(construct="lambda with a default in a loop", args=lambda: (normal(480, 3),))
def late_binding(x):
    """Functions that keep the number of their round."""
    functions = [lambda v, k=k: v ** (k + 1) for k in range(3)]
    return sum(f(x[k]) for k, f in enumerate(functions))


@program(construct="functions chosen by a dict", args=lambda: (normal(481, 3), "tanh"), static_argnums=(1,))
def activated(x, name):
    """A table of functions."""
    return np.sum({"tanh": np.tanh, "sin": np.sin, "square": lambda v: v * v}[name](x) ** 2)


@program(construct="function chosen by the run", args=lambda: (normal(482, 3),))
def chosen_function(x):
    """One of two functions."""
    f = np.sin if np.sum(x) > 0.0 else np.tanh
    return np.sum(f(x) * x)


@program(construct="0-d accumulator", args=lambda: (normal(483, 4),))
def zero_axes(x):
    """np.zeros(()) that becomes a number."""
    total = np.zeros(())
    for v in x:
        total = total + v * v
    return total * 2.0


@program(construct="a number before the loop that becomes an array", args=lambda: (normal(484, 3, 4),))
def sum_of_rows(A):
    """total = 0.0, then rows."""
    total = 0.0
    for row in A:
        total = total + row * row
    return np.sum(total**2)


@program(construct="scalar[None]", args=lambda: (normal(485, 3),))
def indexed_number(x):
    """New axes of a number."""
    s = np.sum(x)
    return np.sum(s[None] * x) + np.sum(x[0][np.newaxis, None] * x) + s[()]


@program(construct="x.item(), tolist and float of an array", args=lambda: (normal(486, 2, 2), np.array([1.5])), argnums=(0, 1))
def python_numbers(A, b):
    """Numbers of Python's."""
    rows = A.tolist()
    return rows[0][1] * b.item() + A[1, 0].item() * float(A[0, 0]) + A.item(3)


@program(construct="print of what the run computes", args=lambda: (normal(487, 3),))
def printed(x):
    """It says nothing, and is there."""
    for k in range(2):
        print(end="")
        x = x * (k + 1.5)
    print("", x[:0].size, sep="", end="\r")
    return np.sum(x * x)


@program(construct="assert", args=lambda: (uniform(488, 3),))
def asserted(x):
    """A test that holds."""
    assert np.all(x > 0.0), f"not positive: {x}"
    return np.sum(np.sqrt(x))


@program(construct="for and while with else", args=lambda: (normal(489, 5),))
def first_large(x):
    """What is done where nothing was found."""
    for v in x:
        if v > 10.0:
            found = v
            break
    else:
        found = np.max(x)
    return found * found


@program(construct="match of a tuple with a guard", args=lambda: (("circle", 2.0), 1.5), argnums=(0, 1))
def area_of(shape, unit):
    """Shapes by their names."""
    match shape:
        case ("circle", r) if r > 0.0:
            return np.pi * (r * unit) ** 2
        case ("square", a):
            return (a * unit) ** 2
    return 0.0


# ---- NumPy


@program(construct="einsum", args=lambda: (normal(501, 2, 3), normal(502, 3, 4), normal(503, 4)), argnums=(0, 1, 2))
def contracted(A, B, x):
    """Three operands, and a trace."""
    return np.sum(np.einsum("ij,jk,k->i", A, B, x) ** 2) + np.einsum("ii", A @ A.T)


@program(construct="tensordot, kron and trace", args=lambda: (normal(504, 2, 3), normal(505, 3, 2)), argnums=(0, 1))
def products_of_tensors(A, B):
    """Products of several axes."""
    return np.sum(np.tensordot(A, B, axes=([1], [0])) ** 2) + np.trace(np.kron(A @ B, np.eye(2))) + np.vdot(A, B.T)


@program(construct="cross", args=lambda: (normal(506, 2, 3), normal(507, 2, 3)), argnums=(0, 1))
def torque(r, f):
    """A product of vectors."""
    return np.sum(np.cross(r, f) ** 2 * np.arange(3.0))


@program(construct="cumsum and diff", args=lambda: (normal(508, 6),))
def differences_of_sums(x):
    """Sums along a row, and differences."""
    return np.sum(np.cumsum(x) ** 2) + np.sum(np.diff(x, n=2) ** 3)


@program(construct="cumprod and prod", args=lambda: (uniform(509, 5),))
def running_products(x):
    """Products along a row."""
    return np.sum(np.cumprod(x) * x) + np.prod(x)


@program(construct="var and std with ddof", args=lambda: (normal(510, 3, 5),))
def spread(A):
    """Moments."""
    return np.sum(np.var(A, axis=1, ddof=1)) + np.std(A) * np.mean(np.std(A, axis=0))


@program(construct="median and quantile", args=lambda: (normal(511, 7),))
def quantiles(x):
    """Order statistics."""
    return np.median(x) ** 2 + np.quantile(x, 0.3) * np.percentile(x, 80.0)


@program(construct="sort along an axis, argsort", args=lambda: (normal(512, 3, 4),))
def in_order(A):
    """Order along columns."""
    return np.sum(np.sort(A, axis=0) ** 2 * np.arange(3.0)[:, None]) + np.sum(A[0][np.argsort(A[1])] * np.arange(4.0))


@program(construct="norm of vectors and matrices", args=lambda: (normal(513, 3, 3),))
def norms(A):
    """Norms."""
    return np.linalg.norm(A) * np.sum(np.linalg.norm(A, axis=1)) + np.linalg.norm(A[0], 4)


@program(construct="solve", args=lambda: (positive_definite(514, 3), normal(515, 3)), argnums=(0, 1))
def solved(A, b):
    """A linear system."""
    return b @ np.linalg.solve(A, b)


@program(construct="inv and det", args=lambda: (positive_definite(516, 3),))
def inverted(A):
    """An inverse and a determinant."""
    return np.sum(np.linalg.inv(A) ** 2) + np.log(np.linalg.det(A))


@program(construct="slogdet and cholesky", args=lambda: (positive_definite(517, 3), normal(518, 3)), argnums=(0, 1))
def log_density(S, x):
    """The logarithm of a normal density."""
    L = np.linalg.cholesky(S)
    z = np.linalg.solve(L, x)
    return -0.5 * z @ z - np.sum(np.log(np.diag(L))) - 0.5 * np.linalg.slogdet(S)[1]


@program(construct="eigvalsh", args=lambda: (positive_definite(519, 3),))
def eigenvalues(S):
    """The eigenvalues of a symmetric matrix."""
    return np.sum(np.log(np.linalg.eigvalsh(S)) ** 2)


@program(construct="singular values", args=lambda: (normal(520, 3, 2),))
def nuclear(A):
    """A sum of singular values."""
    return np.sum(np.linalg.svd(A, compute_uv=False) ** 1.5)


@program(construct="lstsq", args=lambda: (normal(521, 5, 2), normal(522, 5)), argnums=(0, 1))
def fitted(A, y):
    """A straight line through points."""
    return np.sum(np.linalg.lstsq(A, y, rcond=None)[0] ** 2)


@program(construct="matrix_power", args=lambda: (normal(523, 3, 3),))
def powers_of_a_matrix(A):
    """A power."""
    return np.sum(np.linalg.matrix_power(0.5 * A, 3))


@program(construct="pad", args=lambda: (normal(524, 4),))
def padded(x):
    """Edges of two kinds."""
    return np.sum(np.pad(x, 2, mode="reflect") ** 2) + np.sum(np.pad(x, (1, 0), mode="edge") ** 3)


@program(construct="roll and flip", args=lambda: (normal(525, 3, 4),))
def rolled(A):
    """A periodic difference."""
    return np.sum((np.roll(A, 1, axis=1) - A) ** 2 * np.flip(A, 0))


@program(construct="repeat and tile", args=lambda: (normal(526, 3),))
def repeated(x):
    """Copies of elements and of all."""
    return np.sum(np.repeat(x, 2) * np.tile(x, 2) ** 2)


@program(construct="split, hstack and vstack", args=lambda: (normal(527, 6),))
def put_together_again(x):
    """Parts in another order."""
    a, b, c = np.split(x, 3)
    return np.sum(np.vstack([c, a * b]) @ np.hstack([a[:1], b[:1]]))


@program(construct="meshgrid", args=lambda: (normal(528, 3), normal(529, 2)), argnums=(0, 1))
def grid(x, y):
    """A function on a grid."""
    X, Y = np.meshgrid(x, y)
    return np.sum(np.sin(X) * Y * Y)


@program(construct="mgrid and r_", args=lambda: (normal(530, 4),))
def ranges(x):
    """Ranges as slices."""
    i, j = np.mgrid[0:2, 0:4]
    return np.sum(x * (i - j)) + np.sum(np.r_[x, 0.5, x[:2]] ** 2)


@program(construct="linspace of bounds that vary", args=lambda: (0.5, 2.0), argnums=(0, 1))
def trapezoids(a, b):
    """A rule of trapezoids."""
    t = np.linspace(a, b, 7)
    return np.trapezoid(np.exp(-t * t), t)


@program(construct="interp", args=lambda: (uniform(531, 4), normal(532, 3)), argnums=(0, 1))
def interpolated(x, values):
    """Between known knots."""
    return np.sum(np.interp(x, np.array([0.0, 0.95, 2.0]), values) ** 2)


@program(construct="convolve", args=lambda: (normal(533, 6), normal(534, 3)), argnums=(0, 1))
def convolved(x, kernel):
    """A filter."""
    return np.sum(np.convolve(x, kernel, mode="same") ** 2)


@program(construct="polyval", args=lambda: (normal(535, 4), normal(536, 3)), argnums=(0, 1))
def polynomial(c, x):
    """Horner's rule."""
    return np.sum(np.polyval(c, x))


@program(construct="clip", args=lambda: (normal(537, 5),))
def clipped(x):
    """Bounds."""
    return np.sum(np.clip(x, -0.6, 0.7) ** 2 * x)


@program(construct="select and piecewise", args=lambda: (normal(538, 5),))
def by_cases(x):
    """Cases by conditions."""
    return np.sum(np.select([x > 1.0, x > 0.0], [x**2, x**3], default=-x) ** 2) + np.sum(np.piecewise(x, [x < 0.0, x >= 0.0], [np.exp, lambda v: v * v]))


@program(construct="sum with where= and initial=", args=lambda: (normal(539, 5), np.array([True, False, True, True, False])))
def where_of_a_sum(x, m):
    """Reductions of a part."""
    return np.sum(x**2, where=m, initial=1.0) + np.mean(x, where=m) ** 2 + np.max(x, where=m, initial=-5.0)


@program(construct="out= of a ufunc", args=lambda: (uniform(540, 4),))
def into_a_buffer(x):
    """Results into an array that is there."""
    buffer = np.empty_like(x)
    np.multiply(x, x, out=buffer)
    np.log(buffer, out=buffer)
    return np.sum(buffer * x)


@program(construct="nansum and nanmean", args=lambda: (normal(541, 4),))
def without_nans(x):
    """What is no number left out."""
    y = np.full(6, np.nan)
    y[1:5] = x
    return np.nansum(y**2) * np.nanmean(y)


@program(construct="tril, triu and diag", args=lambda: (normal(542, 3, 3),))
def triangular(A):
    """Parts of a matrix."""
    return np.sum(np.tril(A) @ np.triu(A, 1)) + np.sum(np.diag(A) ** 2) + np.sum(np.diag(A[0]) @ A)


@program(construct="moveaxis, swapaxes and squeeze", args=lambda: (normal(543, 2, 1, 3),))
def axes(A):
    """Axes moved."""
    return np.sum(np.moveaxis(A, 0, -1)[0] @ np.swapaxes(np.squeeze(A), 0, 1).T)


@program(construct="expand_dims of several axes, broadcast_to", args=lambda: (normal(544, 3),))
def expanded(x):
    """New axes."""
    return np.sum(np.expand_dims(x, (0, 2)) * np.broadcast_to(x * x, (2, 4, 3))[:, :3].transpose(0, 2, 1))


@program(construct="logaddexp and log1p", args=lambda: (normal(545, 3), normal(546, 3)), argnums=(0, 1))
def stable(x, y):
    """Functions that are stable."""
    return np.sum(np.logaddexp(x, y)) + np.sum(np.log1p(np.exp(-np.abs(x * y)))) + np.sum(np.expm1(0.1 * x))


@program(construct="arctan2 and hypot", args=lambda: (normal(547, 3), normal(548, 3)), argnums=(0, 1))
def polar(x, y):
    """Polar coordinates."""
    return np.sum(np.arctan2(y, x) * np.hypot(x, y))


@program(construct="functions of the math module", args=lambda: (0.7, 2.5), argnums=(0, 1))
def by_math(a, b):
    """Of Python's numbers."""
    return math.log(b, 10) + math.hypot(a, b, 1.0) + math.expm1(b) * math.erf(a) + math.atan2(a, b)


@program(construct="ufunc.reduce, accumulate and outer", args=lambda: (uniform(549, 4),))
def by_ufuncs(x):
    """Methods of ufuncs."""
    return np.multiply.reduce(x) + np.sum(np.add.accumulate(x) ** 2) + np.sum(np.subtract.outer(x, x) ** 2)


@program(construct="cov and corrcoef", args=lambda: (normal(550, 2, 6),))
def correlated(A):
    """Moments of two rows."""
    return np.cov(A)[0, 1] ** 2 + np.corrcoef(A)[0, 1]


@program(construct="average with weights", args=lambda: (normal(551, 4), uniform(552, 4)), argnums=(0, 1))
def weighted(x, w):
    """A mean."""
    return np.average(x, weights=w) ** 2


@program(construct="histogram weights by bincount", args=lambda: (np.array([0, 1, 1, 3]), normal(553, 4)), argnums=(1,))
def binned(bins, x):
    """Sums in bins."""
    return np.sum(np.bincount(bins, weights=x, minlength=5) ** 2)


@program(construct="block", args=lambda: (normal(554, 2, 2),))
def blocks(A):
    """A matrix of matrices."""
    return np.sum(np.block([[A, np.eye(2)], [np.zeros((2, 2)), A.T]]) @ np.arange(4.0))


@program(construct="vander, outer differences and a sum over pairs", args=lambda: (normal(555, 3),))
def pairs_of_points(x):
    """A determinant of powers and the energy of pairs."""
    distance = x[:, None] - x[None, :] + np.eye(3)
    return np.linalg.det(np.vander(x)) + np.sum(np.log(np.abs(distance)))


@program(construct="np.ndarray(shape, dtype)", args=lambda: (normal(556, 3),))
def allocated(x):
    """An array that is filled."""
    y = np.ndarray((2, 3), dtype=float)
    y[0], y[1] = x, x * x
    return np.sum(y[0] * y[1])


@program(construct="x.fill and x.astype", args=lambda: (normal(557, 3),))
def methods_that_store(x):
    """Methods of arrays."""
    y = np.empty(3)
    y.fill(x[1])
    return np.sum(y * x) + np.sum(x.astype(np.float64).cumsum().clip(-2.0, 2.0) ** 2)
