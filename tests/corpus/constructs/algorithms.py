"""Dtypes, algorithms, and programs that raise."""
import numpy as np

from tests.corpus.registry import dominant, normal, positive_definite, program, uniform

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


@program(construct="generator expressions that are consumed, with conditions of the run time",
         args=lambda: (uniform(201, 5), 0.7))
def hinge(x, limit):
    """A penalty of what is above a limit, and the largest of products."""
    if any(v > 2.0 * limit for v in x):
        return sum((v - limit) ** 2 for v in x if v > limit)
    return max(v * w for v, w in zip(x, (2.0 * u for u in x))) + sum(v * v for v in x if v > limit)


@program(construct="match, with, try and sets of what is known",
         args=lambda: ({"kind": "power", "W": uniform(202, 3)}, uniform(203, 3)), argnums=(1,))
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
