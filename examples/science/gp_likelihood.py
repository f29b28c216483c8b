"""The log marginal likelihood of a Gaussian process with a squared exponential kernel, a length for each input (ARD).

Algorithm 2.1 of Rasmussen and Williams, Gaussian Processes for Machine Learning. Parameters as logarithms.

Reference: closed form. The log density of a normal distribution by determinant and inverse, and its gradient 1/2 tr((a a^T - K^-1) dK)
(equation 5.9 there).
"""
import numpy as np
from scipy.linalg import solve_triangular


def kernel(A, B, lengths, amplitude):
    A, B = A / lengths, B / lengths
    d2 = np.sum(A**2, axis=1)[:, None] + np.sum(B**2, axis=1)[None, :] - 2 * A @ B.T
    return amplitude**2 * np.exp(-0.5 * np.maximum(d2, 0.0))


def gp_likelihood(theta, X, y):
    lengths, amplitude, noise = np.exp(theta[:-2]), np.exp(theta[-2]), np.exp(theta[-1])
    K = kernel(X, X, lengths, amplitude)
    K[np.diag_indices(len(y))] += noise**2 + 1e-10
    L = np.linalg.cholesky(K)
    z = solve_triangular(L, y, lower=True)
    return -0.5 * z @ z - np.log(np.diag(L)).sum() - 0.5 * len(y) * np.log(2 * np.pi)


ALSO = ("vmap", "hvp")


def arguments():
    t = np.arange(9.0)
    X = np.column_stack([np.sin(t), np.cos(1.7 * t)])
    return np.array([0.1, -0.4, 0.3, -1.2]), X, np.sin(2.0 * X[:, 0]) + 0.5 * X[:, 1]


def reference():
    theta, X, y = arguments()
    n, lengths = len(y), np.exp(theta[:2])
    d2 = ((X[:, None] - X) / lengths) ** 2
    signal = np.exp(2.0 * theta[2] - 0.5 * d2.sum(2))
    K = signal + (np.exp(2.0 * theta[3]) + 1e-10) * np.eye(n)
    inverse = np.linalg.inv(K)
    a = inverse @ y
    dK = [signal * d2[:, :, 0], signal * d2[:, :, 1], 2.0 * signal, 2.0 * np.exp(2.0 * theta[3]) * np.eye(n)]
    by_K = 0.5 * (np.outer(a, a) - inverse)
    by_X = -2.0 * np.einsum("ij,ij,ijk->ik", by_K, signal, (X[:, None] - X) / lengths**2)
    return {"value": -0.5 * y @ a - 0.5 * np.linalg.slogdet(2.0 * np.pi * K)[1], "rtol": 1e-9,
            "gradient": ([np.sum(by_K * d) for d in dK], by_X, -a)}
