"""Filters: Kalman's as functions and as objects, unscented, g-h, and the statistics beside them."""
import numpy as np
from filterpy import common, gh, kalman, stats

from . import Calls

calls = Calls()
X, P = np.array([1.0, 0.5]), np.array([[2.0, 0.3], [0.3, 1.0]])
F, Q, H = np.array([[1.0, 0.1], [0.0, 1.0]]), np.array([[0.02, 0.01], [0.01, 0.1]]), np.array([[1.0, 0.0]])
Z = np.array([0.9, 1.3, 1.1, 1.7])


@calls(X, P, F, Q)
def predict(x, P, F, Q):
    return kalman.predict(x, P, F, Q)


@calls(X, P, np.array([1.2]), np.array([[0.4]]))
def update(x, P, z, R):
    return kalman.update(x, P, z, R, H)


@calls(Z, 0.1, 5.0, 0.13)
def KalmanFilter(zs, dt, r, var):
    f = kalman.KalmanFilter(dim_x=2, dim_z=1)
    f.x = np.array([2.0, 0.0])
    f.F = np.array([[1.0, dt], [0.0, 1.0]])
    f.H = np.array([[1.0, 0.0]])
    f.P *= 1000.0
    f.R = np.array([[r]])
    f.Q = common.Q_discrete_white_noise(dim=2, dt=dt, var=var)
    total = 0.0
    for z in zs:
        f.predict()
        f.update(z)
        total += f.log_likelihood
    return f.x, f.P, total


@calls(0.1, 2.35)
def Q_discrete_white_noise(dt, var):
    return common.Q_discrete_white_noise(dim=3, dt=dt, var=var)


@calls(8.0, 6.5, 3.2)
def gaussian(x, mean, var):
    return stats.gaussian(x, mean, var)


@calls(np.array([3.0, 0.7]), np.array([3.5, 0.2]), P)
def mahalanobis(x, mean, cov):
    return stats.mahalanobis(x, mean, cov)


@calls(np.array([3.0, 0.7]), np.array([3.5, 0.2]), P)
def logpdf(x, mean, cov):
    return stats.logpdf(x, mean, cov)


@calls(X, P)
def sigma_points(x, P):
    points = kalman.MerweScaledSigmaPoints(n=2, alpha=0.3, beta=2.0, kappa=0.1)
    return points.sigma_points(x, P)


@calls(Z, 0.1, 0.13)
def UnscentedKalmanFilter(zs, dt, var):
    def fx(x, dt):
        return np.array([[1.0, dt], [0.0, 1.0]]) @ x

    def hx(x):
        return np.array([np.sqrt(1.0 + x[0] ** 2)])

    points = kalman.MerweScaledSigmaPoints(n=2, alpha=0.3, beta=2.0, kappa=0.1)
    f = kalman.UnscentedKalmanFilter(dim_x=2, dim_z=1, dt=dt, fx=fx, hx=hx, points=points)
    f.x = np.array([1.0, 0.5])
    f.P *= 0.2
    f.R = np.array([[0.5]])
    f.Q = common.Q_discrete_white_noise(2, dt=dt, var=var)
    for z in zs:
        f.predict()
        f.update(z)
    return f.x, f.P


@calls(Z, 1.0, 0.8, 0.2)
def GHFilter(zs, dt, g, h):
    f = gh.GHFilter(x=0.0, dx=0.0, dt=dt, g=g, h=h)
    for z in zs:
        f.update(z)
    return f.x, f.dx
