"""Logistic regression by iteratively reweighted least squares, with a ridge, offsets and standard errors.

McCullagh and Nelder, "Generalized linear models". The result is the deviance plus the sum of squared z-values.
Reference: scipy.optimize.minimize finds the maximum of the penalised likelihood.
"""
import numpy as np
from scipy.optimize import minimize
from scipy.special import expit, xlogy


def fit(X, y, ridge, offset, tol=1e-12, max_iter=50):
    n, p = X.shape
    beta = np.zeros(p)
    old = np.inf
    iteration = 0
    while iteration < max_iter:
        eta = X @ beta + offset
        mu = expit(eta)
        w = np.clip(mu * (1.0 - mu), 1e-10, None)
        z = eta - offset + (y - mu) / w
        information = X.T @ (w[:, np.newaxis] * X)
        information[np.diag_indices(p)] += ridge
        beta = np.linalg.solve(information, X.T @ (w * z))
        deviance = 2.0 * np.sum(np.logaddexp(0, X @ beta + offset) - y * (X @ beta + offset))
        if np.abs(old - deviance) < tol * (np.abs(deviance) + 0.1):
            break
        old = deviance
        iteration += 1
    return beta, information, iteration


def logistic_irls(X, y, ridge, offset):
    Z = (X - X.mean(axis=0)) / X.std(axis=0, ddof=1)
    Z = np.column_stack([np.ones(len(Z)), Z])
    beta, information, _ = fit(Z, y, ridge, offset)
    mu = expit(Z @ beta + offset)
    deviance = 2 * np.sum(xlogy(y, y / mu) + xlogy(1 - y, (1 - y) / (1 - mu)))
    errors = np.sqrt(np.diag(np.linalg.inv(information)))
    return deviance + 0.1 * np.sum((beta / errors) ** 2)


ALSO = ("vmap", "hvp")


def arguments():
    rng = np.random.default_rng(7)
    X = rng.normal(size=(20, 2))
    y = (rng.uniform(size=20) < expit(X @ [1.0, -0.7] + 0.3)).astype(int)
    return X, y, 0.5, 0.1 * rng.normal(size=20)


def reference():
    X, y, ridge, offset = arguments()
    Z = np.column_stack([np.ones(20), (X - X.mean(axis=0)) / X.std(axis=0, ddof=1)])

    def loss(b):
        return np.sum(np.logaddexp(0, Z @ b + offset) - y * (Z @ b + offset)) + 0.5 * ridge * b @ b
    slope = lambda b: Z.T @ (expit(Z @ b + offset) - y) + ridge * b
    b = minimize(loss, np.zeros(3), jac=slope, method="BFGS", options={"gtol": 1e-12}).x
    mu = expit(Z @ b + offset)
    errors = np.sqrt(np.diag(np.linalg.inv(Z.T @ np.diag(mu * (1 - mu)) @ Z + ridge * np.eye(3))))
    return {"value": -2 * np.sum(np.log(np.where(y > 0, mu, 1 - mu))) + 0.1 * np.sum((b / errors) ** 2), "rtol": 1e-9}
