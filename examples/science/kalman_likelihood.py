"""The log likelihood of a track of noisy positions under a model of nearly constant velocity, by a Kalman filter; some positions are missing.

State (position, velocity), white noise as acceleration of the spectral density q, measurements of the standard deviation r. Units: m, s.

Reference: closed form. The positions that there are have a joint normal distribution; its log density, by the covariance of all of them.
"""
import numpy as np


class KalmanFilter:
    def __init__(self, F, Q, H, R, mean, cov):
        self.F, self.Q, self.H, self.R = F, Q, H, R
        self.mean, self.cov = mean, cov
        self.log_likelihood = 0.0

    def predict(self):
        self.mean = self.F @ self.mean
        self.cov = self.F @ self.cov @ self.F.T + self.Q

    def update(self, z):
        innovation = z - self.H @ self.mean
        S = self.H @ self.cov @ self.H.T + self.R
        K = np.linalg.solve(S, self.H @ self.cov).T
        self.mean = self.mean + K @ innovation
        I_KH = np.eye(len(self.mean)) - K @ self.H
        self.cov = I_KH @ self.cov @ I_KH.T + K @ self.R @ K.T        # Joseph's form
        sign, logdet = np.linalg.slogdet(2 * np.pi * S)
        self.log_likelihood -= 0.5 * (logdet + innovation @ np.linalg.solve(S, innovation))


def kalman_likelihood(q, r, positions, observed, dt):
    F = np.array([[1.0, dt], [0.0, 1.0]])
    Q = q * np.array([[dt**3 / 3, dt**2 / 2], [dt**2 / 2, dt]])
    H = np.array([[1.0, 0.0]])
    kalman = KalmanFilter(F, Q, H, np.array([[r**2]]), np.zeros(2), np.diag([4.0, 1.0]))
    for z, seen in zip(positions, observed):
        kalman.predict()
        if not seen:
            continue
        kalman.update(np.array([z]))
    return kalman.log_likelihood


ALSO = ("vmap", "hvp")


def arguments():
    return (0.3, 0.5, np.array([0.4, 0.9, 2.1, 2.0, 3.3, 9.9, 4.2, 4.9]), np.array([True, True, True, True, True, False, True, True]), 0.5)


def reference():
    q, r, z, seen, dt = arguments()
    F = np.array([[1.0, dt], [0.0, 1.0]])
    Q = q * np.array([[dt**3 / 3.0, dt**2 / 2.0], [dt**2 / 2.0, dt]])
    covs = [np.diag([4.0, 1.0])]
    for _ in z:
        covs.append(F @ covs[-1] @ F.T + Q)
    joint = np.array([[(np.linalg.matrix_power(F, max(i - j, 0)) @ covs[min(i, j) + 1] @ np.linalg.matrix_power(F, max(j - i, 0)).T)[0, 0]
                       for j in range(len(z))] for i in range(len(z))]) + r**2 * np.eye(len(z))
    joint, z = joint[np.ix_(seen, seen)], z[seen]
    inverse = np.linalg.inv(joint)
    by_z = np.zeros(len(seen))
    by_z[seen] = -inverse @ z
    by_r = r * ((inverse @ z) @ (inverse @ z) - np.trace(inverse))
    return {"value": -0.5 * (z @ inverse @ z + np.linalg.slogdet(2.0 * np.pi * joint)[1]), "rtol": 1e-11, "gradient": (None, by_r, by_z, None)}
