"""Forty functions as textbooks and lectures have them, with the comments that a teacher writes.

Their derivatives are what a class sees: each is a golden file, and `tests/transformer/test_fit_for_a_class.py` holds
fifteen rules against them.  `textbook_examples` has arguments at which each is shown.
"""
import math

import numpy as np

# the twelve -----------------------------------------------------------------------------------------------------------


def horner(c, x):
    """The polynomial c[0] + c[1] x + ... by Horner's rule."""
    p = 0.0
    for a in reversed(c):  # from the highest power down
        p = p * x + a
    return p


def newton_root(a, x):
    # the square root of a, by Newton's method
    while abs(x * x - a) > 1e-10:
        x = 0.5 * (x + a / x)  # the mean of a guess and its partner
    return x


def softmax_regression(W, b, X, y):
    scores = X @ W + b
    scores = scores - np.max(scores, axis=1, keepdims=True)  # so that nothing overflows
    log_p = scores - np.log(np.sum(np.exp(scores), axis=1, keepdims=True))
    # the mean log-likelihood of the classes that were seen
    return -np.mean(log_p[np.arange(len(y)), y])


def rnn(Wx, Wh, b, xs, h):
    states = []
    for x in xs:  # one step in time
        h = np.tanh(Wx @ x + Wh @ h + b)
        states.append(h)
    # the energy of all hidden states
    return sum(np.sum(s**2) for s in states)


def matrix_chain(matrices, x):
    for A in matrices:
        x = A @ x
        x = x / np.linalg.norm(x)  # keep its length
    return x[0]


def heat(u, alpha, steps):
    u = u.copy()
    for _ in range(steps):
        # the ends are held at their temperature
        u[1:-1] += alpha * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    return np.sum(u**2)


def max_pool(image):
    n, m = image.shape
    out = np.zeros((n // 2, m // 2))
    for i in range(n // 2):
        for j in range(m // 2):
            out[i, j] = np.max(image[2 * i:2 * i + 2, 2 * j:2 * j + 2])  # of a 2 by 2 window
    return np.sum(out**2)


def lu_log_det(A):
    A = A.copy()
    n = len(A)
    log_det = 0.0
    for k in range(n):
        log_det += math.log(abs(A[k, k]))
        for i in range(k + 1, n):
            # eliminate below the pivot
            factor = A[i, k] / A[k, k]
            A[i, k:] -= factor * A[k, k:]
    return log_det


def huber(w, X, y, delta):
    total = 0.0
    for i in range(len(y)):
        r = abs(y[i] - X[i] @ w)
        if r <= delta:
            total += 0.5 * r**2  # like least squares
        elif r <= 10.0 * delta:
            total += delta * (r - 0.5 * delta)  # like least deviations
        else:
            total += 9.5 * delta**2  # an outlier counts no more
    return total / len(y)


def dense(W, b, x):
    return W @ x + b


def relu(x):
    return np.maximum(x, 0.0)


def network(params, x, y):
    for W, b in params[:-1]:
        x = relu(dense(W, b, x))  # a hidden layer
    W, b = params[-1]
    return np.sum((dense(W, b, x) - y) ** 2)


def monte_carlo_option(s0, sigma, rate, strike, normals):
    dt = 0.01
    payoff = 0.0
    for path in normals:
        s = s0
        for z in path:
            # one step of geometric Brownian motion
            s = s * np.exp((rate - 0.5 * sigma**2) * dt + sigma * np.sqrt(dt) * z)
        payoff += max(s - strike, 0.0)
    return np.exp(-rate * dt * normals.shape[1]) * payoff / len(normals)  # today's value


def kalman_step(x, P, z, F, H, Q, R):
    # predict
    x = F @ x
    P = F @ P @ F.T + Q
    # update
    y = z - H @ x  # the innovation
    S = H @ P @ H.T + R
    K = P @ H.T @ np.linalg.inv(S)
    x = x + K @ y
    P = (np.eye(len(x)) - K @ H) @ P
    return np.sum(x**2) + np.trace(P)


# twenty-eight more ----------------------------------------------------------------------------------------------------


def least_squares(w, X, y):
    r = X @ w - y  # the residuals
    return 0.5 * r @ r


def logistic_regression(w, X, y):
    z = X @ w
    # log(1 + exp(-z)) of the true class, without overflow
    return np.mean(np.logaddexp(0.0, z) - y * z)


def softmax(x):
    e = np.exp(x - np.max(x))
    return e / np.sum(e)


def cross_entropy(x, k):
    p = softmax(x)
    return -np.log(p[k])


def gaussian_log_likelihood(x, mu, sigma):
    z = (x - mu) / sigma
    return -0.5 * np.sum(z**2) - len(x) * np.log(sigma) - 0.5 * len(x) * np.log(2.0 * np.pi)


def mixture_log_likelihood(x, weights, mu, sigma):
    total = 0.0
    for v in x:  # every point
        p = 0.0
        for k in range(len(mu)):
            z = (v - mu[k]) / sigma[k]
            p += weights[k] * math.exp(-0.5 * z**2) / sigma[k]
        total += math.log(p)
    return total


def cosine_similarity(a, b):
    return a @ b / (np.linalg.norm(a) * np.linalg.norm(b))


def pairwise_energy(x):
    # 1 / distance for each pair of charges
    energy = 0.0
    n = len(x)
    for i in range(n):
        for j in range(i + 1, n):
            d = x[i] - x[j]
            energy += 1.0 / np.sqrt(d @ d)
    return energy


def pendulum(theta, omega, g, length, dt, steps):
    for _ in range(steps):
        # symplectic Euler
        omega = omega - dt * g / length * np.sin(theta)
        theta = theta + dt * omega
    return theta


def runge_kutta(y, k, dt, steps):
    def rate(y):
        return -k * y  # decay

    for _ in range(steps):
        k1 = rate(y)
        k2 = rate(y + 0.5 * dt * k1)
        k3 = rate(y + 0.5 * dt * k2)
        k4 = rate(y + dt * k3)
        y = y + dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
    return y


def lorenz(state, sigma, rho, beta, dt, steps):
    x, y, z = state
    for _ in range(steps):
        x, y, z = (x + dt * sigma * (y - x),
                   y + dt * (x * (rho - z) - y),
                   z + dt * (x * y - beta * z))
    return x**2 + y**2 + z**2


def lotka_volterra(prey, predators, a, b, dt, steps):
    history = np.zeros(steps)
    for t in range(steps):
        born = a * prey
        eaten = b * prey * predators
        prey = prey + dt * (born - eaten)
        predators = predators + dt * (eaten - predators)
        history[t] = prey
    return np.mean(history)


def trapezoid_rule(y, x):
    area = 0.0
    for i in range(len(x) - 1):
        area += 0.5 * (y[i] + y[i + 1]) * (x[i + 1] - x[i])
    return area


def simpson_rule(y, h):
    return h / 3.0 * (y[0] + 4.0 * np.sum(y[1:-1:2]) + 2.0 * np.sum(y[2:-1:2]) + y[-1])


def convolve(signal, kernel):
    n, k = len(signal), len(kernel)
    out = np.zeros(n - k + 1)
    for i in range(n - k + 1):
        for j in range(k):
            out[i] += signal[i + j] * kernel[j]  # no flip, as in deep learning
    return np.sum(out**2)


def layer_norm(x, gain, shift):
    mean = np.mean(x)
    spread = np.sqrt(np.var(x) + 1e-5)
    return np.sum((gain * (x - mean) / spread + shift) ** 2)


def attention(Q, K, V):
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    weights = np.exp(scores - np.max(scores, axis=1, keepdims=True))
    weights = weights / np.sum(weights, axis=1, keepdims=True)  # each row sums to one
    return np.sum((weights @ V) ** 2)


def exponential_smoothing(y, alpha):
    level = y[0]
    error = 0.0
    for v in y[1:]:
        error += (v - level) ** 2  # of the forecast, one step ahead
        level = alpha * v + (1.0 - alpha) * level
    return error


def hmm_forward(start, A, B, observed):
    belief = start * B[:, observed[0]]
    log_likelihood = 0.0
    for o in observed[1:]:
        scale = np.sum(belief)
        log_likelihood += np.log(scale)
        belief = (A.T @ (belief / scale)) * B[:, o]
    return log_likelihood + np.log(np.sum(belief))


def cholesky_log_det(A):
    n = len(A)
    L = np.zeros((n, n))
    for j in range(n):
        L[j, j] = np.sqrt(A[j, j] - np.sum(L[j, :j] ** 2))
        for i in range(j + 1, n):
            L[i, j] = (A[i, j] - np.sum(L[i, :j] * L[j, :j])) / L[j, j]
    return 2.0 * np.sum(np.log(np.diag(L)))


def back_substitution(U, b):
    n = len(b)
    x = np.zeros(n)
    for i in reversed(range(n)):
        x[i] = (b[i] - U[i, i + 1:] @ x[i + 1:]) / U[i, i]
    return np.sum(x**2)


def power_iteration(A, v, steps):
    for _ in range(steps):
        v = A @ v
        v = v / np.linalg.norm(v)
    return v @ A @ v  # the Rayleigh quotient


def spring_chain(x, stiffness, rest):
    # energy of springs between neighbours
    stretch = np.diff(x) - rest
    return 0.5 * np.sum(stiffness * stretch**2)


def rosenbrock(x):
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


def black_scholes(s, strike, rate, sigma, t):
    d1 = (math.log(s / strike) + (rate + 0.5 * sigma**2) * t) / (sigma * math.sqrt(t))
    d2 = d1 - sigma * math.sqrt(t)

    def cdf(d):
        return 0.5 * (1.0 + math.erf(d / math.sqrt(2.0)))

    return s * cdf(d1) - strike * math.exp(-rate * t) * cdf(d2)


def binomial_tree(s0, strike, up, p, steps):
    prices = s0 * up ** (2.0 * np.arange(steps + 1) - steps)
    values = np.maximum(prices - strike, 0.0)  # at expiry
    for _ in range(steps):
        values = p * values[1:] + (1.0 - p) * values[:-1]
    return values[0]


def clipped_loss(ratio, advantage, eps):
    # PPO's objective
    return np.mean(np.minimum(ratio * advantage, np.clip(ratio, 1.0 - eps, 1.0 + eps) * advantage))


def adam(w, X, y, lr, steps):
    m, v = np.zeros_like(w), np.zeros_like(w)
    for t in range(1, steps + 1):
        g = X.T @ (X @ w - y) / len(y)
        m = 0.9 * m + 0.1 * g
        v = 0.999 * v + 0.001 * g**2
        w = w - lr * (m / (1.0 - 0.9**t)) / (np.sqrt(v / (1.0 - 0.999**t)) + 1e-8)
    return np.mean((X @ w - y) ** 2)
