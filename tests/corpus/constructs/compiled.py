"""Functions that numba compiled, and those that wrappers of the standard library choose."""
import functools
import types

import numba
import numpy as np

from tests.corpus.registry import normal, program, uniform

# ---------------------------------------------------------------------------------------------------------------------
# numba


@numba.njit(cache=False, fastmath=True)
def spring(x, k):
    return -k * x - 0.1 * x**3


@numba.jit(nopython=True)
def step(x, v, dt, k=2.0):
    v = v + dt * spring(x, k)
    return x + dt * v, v


@program(construct="function compiled by numba, which calls another", args=lambda: (0.7, -0.2), argnums=(0, 1))
def oscillator(x, v):
    """A spring that hardens, by a function that numba compiled."""
    energy = 0.0
    for _ in range(6):
        x, v = step(x, v, 0.1)
        energy += 0.5 * v * v
    return energy + x * x


@numba.njit(parallel=True)
def add_pairs(x, out):
    for i in numba.prange(len(x)):
        for j in range(len(x)):
            if i != j:
                out[i] += 1.0 / (1.0 + (x[i] - x[j]) ** 2)


@program(construct="numba.prange, and stores into an argument of a compiled function", args=lambda: (normal(701, 5),))
def pair_energy(x):
    """Energies of pairs, gathered by a parallel loop."""
    out = np.zeros(len(x))
    add_pairs(x, out)
    return np.sum(out * out)


@numba.vectorize
def smooth_step(x, width):
    if x <= 0.0:
        return 0.0
    return x * x / (width + x * x)


@numba.vectorize(["float64(float64, float64)"])
def scaled_cube(x, n):
    return x**3 / n


@program(construct="numba.vectorize", args=lambda: (normal(702, 4), 0.5), argnums=(0, 1))
def steps_of_each(x, width):
    """Functions of one element that numba made ufuncs of: they broadcast, and take ints for floats."""
    return np.sum(smooth_step(x[:, None], width) * scaled_cube(x, 2)) + smooth_step(width, width)


@numba.guvectorize(["(float64[:], float64, float64[:])"], "(n),()->(n)")
def exponential_average(x, alpha, y):
    y[0] = x[0]
    for k in range(1, len(x)):
        y[k] = alpha * x[k] + (1.0 - alpha) * y[k - 1]


@numba.guvectorize(["(float64[:], float64[:], float64[:])"], "(n),(n)->()")
def weighted_sum(x, w, out):
    out[0] = np.sum(x * w)


@program(construct="numba.guvectorize", args=lambda: (normal(703, 3, 4), uniform(704, 3, low=0.2, high=0.8)),
         argnums=(0, 1))
def averages_of_rows(x, alpha):
    """Averages along each row, each row with a weight of its own; their sums with the first row."""
    y = exponential_average(x, alpha)
    return np.sum(y**2) + np.sum(weighted_sum(y, x[0]) ** 2) + weighted_sum(x[0], x[1])


@program(construct="the transformed function is compiled by numba", args=lambda: (normal(705, 4),))
@numba.njit
def compiled_itself(x):
    """A function that numba compiled, as a whole."""
    total = 0.0
    for k in range(len(x)):
        total += x[k] ** 2 * (k + 1.0)
    return np.sin(x) * total


# ---------------------------------------------------------------------------------------------------------------------
# functools and types


@functools.singledispatch
def area(shape):
    return shape * shape


@area.register
def _(shape: tuple):
    return shape[0] * shape[1]


@area.register(np.ndarray)
def area_of_all(shape):
    return np.sum(shape * 3.0)


@program(construct="functools.singledispatch", args=lambda: (normal(706, 3),))
def areas(x):
    """A function that is chosen by the class of its argument."""
    return area(x) + area((x[0], x[1])) + area(float(x[2]))


def base_rate(t):
    return RATE * t * t


RATE = 2.0
own_rate = types.FunctionType(base_rate.__code__, {**globals(), "RATE": 3.0}, "own_rate")


@program(construct="copy of a function by types.FunctionType", args=lambda: (0.8,))
def copied_function(t):
    """The same code with other names around it."""
    return base_rate(t) * own_rate(t)
