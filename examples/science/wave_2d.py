"""Explicit acoustic waves in a closed box: the misfit between what a receiver hears and what it should have heard.

p_tt = c^2 (p_xx + p_yy) with rigid walls (mirror points), leapfrog in time. Lengths in m, c in m/s, pressure in Pa.

Reference: closed form. A product of cosines is an eigenvector of the discrete Laplacian with mirror points, and swings with the discrete
frequency 2/dt arcsin(c dt / 2 sqrt(lambda)); started at rest with half a step.
"""
import numpy as np


def laplacian(p, h):
    q = np.empty((p.shape[0] + 2, p.shape[1] + 2))
    q[1:-1, 1:-1] = p
    q[0, 1:-1], q[-1, 1:-1] = p[1], p[-2]
    q[1:-1, 0], q[1:-1, -1] = p[:, 1], p[:, -2]
    return (q[2:, 1:-1] + q[:-2, 1:-1] + q[1:-1, 2:] + q[1:-1, :-2] - 4 * q[1:-1, 1:-1]) / h**2


def wave_2d(p0, c, observed, h, dt, receiver):
    i, j = receiver
    before = p0.copy()
    p = p0 + 0.5 * (c * dt) ** 2 * laplacian(p0, h)
    seismogram = [before[i, j], p[i, j]]
    for step in range(2, len(observed)):
        p, before = 2.0 * p - before + (c * dt) ** 2 * laplacian(p, h), p
        seismogram.append(p[i, j])
    residual = np.array(seismogram) - observed
    return 0.5 * dt * np.sum(residual**2)


ALSO = ("vmap", "hvp")


def arguments():
    x = np.linspace(0.0, 1.0, 9)
    return np.cos(np.pi * x)[:, None] * np.cos(2.0 * np.pi * x), 340.0, 0.3 * np.sin(np.arange(25.0)), 0.125, 1.5e-4, (2, 3)


def reference():
    p0, c, observed, h, dt, (i, j) = arguments()
    lam = 4.0 / h**2 * (np.sin(np.pi * h / 2.0) ** 2 + np.sin(2.0 * np.pi * h / 2.0) ** 2)
    n = np.arange(len(observed))
    phase = 2.0 * np.arcsin(0.5 * c * dt * np.sqrt(lam))
    residual = p0[i, j] * np.cos(n * phase) - observed
    slope = -p0[i, j] * np.sin(n * phase) * n * dt * np.sqrt(lam) / np.sqrt(1.0 - (0.5 * c * dt) ** 2 * lam)
    return {"value": 0.5 * dt * np.sum(residual**2), "rtol": 1e-10,
            "gradient": (None, dt * np.sum(residual * slope), -dt * residual, None, None)}
