"""The level of a river on the days between its readings, by a Kalman filter and the smoother of Rauch, Tung and Striebel, with its own roughness.

A local linear trend (level, slope) with variances of its changes, readings with a variance of their own. The result is the sum of the squares of the
second differences of the smoothed level, in m^2.

Reference: closed form. The smoothed level is the mean of all levels given all readings, one linear system in the joint normal distribution.
"""
import numpy as np


def filtered(y, F, Q, noise, m, P):
    means, covs, predicted = [], [], []
    for k in range(len(y)):
        if k > 0:
            m, P = F @ m, F @ P @ F.T + Q
        predicted.append((m.copy(), P.copy()))
        gain = P[:, 0] / (P[0, 0] + noise)
        m = m + gain * (y[k] - m[0])
        P = P - np.outer(gain, P[0])
        means.append(m)
        covs.append(P)
    return means, covs, predicted


def smoothed(means, covs, predicted, F):
    means = means[:]
    for k in reversed(range(len(means) - 1)):
        ahead, P_ahead = predicted[k + 1]
        G = covs[k] @ F.T @ np.linalg.inv(P_ahead)
        means[k] = means[k] + G @ (means[k + 1] - ahead)
    return np.array(means)


def rts_smoother(y, variances, noise):
    F = np.array([[1.0, 1.0], [0.0, 1.0]])
    means, covs, predicted = filtered(y, F, np.diag(variances), noise, np.array([y[0], 0.0]), 10.0 * np.eye(2))
    level = smoothed(means, covs, predicted, F)[:, 0]
    return np.sum(np.diff(level, n=2) ** 2)


ALSO = ("vmap", "hvp")


def arguments():
    return np.array([2.1, 2.3, 2.2, 2.9, 3.4, 3.3, 3.1]), np.array([0.02, 0.01]), 0.05


def reference():
    y, variances, noise = arguments()
    n = len(y)
    F, covs = np.array([[1.0, 1.0], [0.0, 1.0]]), [10.0 * np.eye(2)]
    for _ in y[1:]:
        covs.append(F @ covs[-1] @ F.T + np.diag(variances))
    joint = np.array([[(np.linalg.matrix_power(F, max(i - j, 0)) @ covs[min(i, j)] @ np.linalg.matrix_power(F, max(j - i, 0)).T)[0, 0]
                       for j in range(n)] for i in range(n)])
    level = y[0] + joint @ np.linalg.solve(joint + noise * np.eye(n), y - y[0])
    return {"value": np.sum(np.diff(level, n=2) ** 2), "rtol": 1e-10}
