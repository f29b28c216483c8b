"""Parameters in containers, assignment and expressions."""
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tests.corpus.registry import normal, program

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
