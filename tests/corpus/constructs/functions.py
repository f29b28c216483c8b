"""Arguments, arithmetic, and functions: nested, lambda, closures, defaults, recursion."""
import numpy as np

from tests.corpus.registry import normal, program, uniform

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
