"""How well a ridge regression does on data it has not seen, for a strength of the penalty: the regression is fitted by L-BFGS.

Two loops over the last pairs of steps and changes of the gradient (Nocedal, 1980), the gradient written by hand, steps halved until Armijo's condition
holds. The derivative by the penalty is what one follows to tune it.

Reference: closed form. The normal equations, and their derivatives; not that by the inputs X, which of a fit that stops early is not there yet.
"""
import numpy as np


def loss_and_gradient(w, X, y, penalty):
    r = X @ w - y
    return 0.5 * r @ r + 0.5 * penalty * w @ w, X.T @ r + penalty * w


def two_loops(g, pairs):
    q = g.copy()
    alphas = []
    for s, y in reversed(pairs):
        a = (s @ q) / (y @ s)
        q -= a * y
        alphas.append(a)
    if pairs:
        s, y = pairs[-1]
        q *= (s @ y) / (y @ y)
    for (s, y), a in zip(pairs, reversed(alphas)):
        b = (y @ q) / (y @ s)
        q += (a - b) * s
    return q


def minimise(fun, w, memory=3, tol=1e-6, max_iter=100):
    pairs = []
    f, g = fun(w)
    for iteration in range(max_iter):
        if np.linalg.norm(g) < tol:
            break
        direction = -two_loops(g, pairs)
        slope = g @ direction
        step = 1.0 if pairs else 1.0 / np.linalg.norm(g)
        while True:
            trial = w + step * direction
            f_new, g_new = fun(trial)
            if f_new <= f + 1e-4 * step * slope + 1e-14 * abs(f):
                break
            step *= 0.5
        pairs.append((trial - w, g_new - g))
        if len(pairs) > memory:
            pairs.pop(0)
        w, f, g = trial, f_new, g_new
    return w


def ridge_lbfgs(penalty, X, y, X_new, y_new):
    w = minimise(lambda w: loss_and_gradient(w, X, y, penalty), np.zeros(X.shape[1]))
    return np.mean((X_new @ w - y_new) ** 2)


ALSO = ("hvp",)


def arguments():
    t, new, k = (np.arange(12) + 0.5) / 12.0, (np.arange(7) + 0.3) / 7.0, np.pi * np.arange(4)
    return (0.3, np.cos(np.outer(t, k)), np.exp(t) * np.sin(3.0 * t) + 0.1 * np.cos(40.0 * t),
            np.cos(np.outer(new, k)), np.exp(new) * np.sin(3.0 * new))


def reference():
    penalty, X, y, X_new, y_new = arguments()
    A = X.T @ X + penalty * np.eye(X.shape[1])
    w = np.linalg.solve(A, X.T @ y)
    e = 2.0 / len(y_new) * (X_new @ w - y_new)
    v = np.linalg.solve(A, X_new.T @ e)
    return {"value": np.mean((X_new @ w - y_new) ** 2), "rtol": 1e-6,
            "gradient": (-v @ w, None, X @ v, np.outer(e, w), -e)}
