"""Explicit heat equation on a square plate: the thermal energy near a sensor, after some time.

u_t = alpha (u_xx + u_yy), edges held at 0, forward in time and centred in space (FTCS). alpha in m^2/s, lengths in m, u in K above the edge.

Reference: closed form. The plate starts as a product of sines, an eigenvector of the five-point Laplacian, and each step multiplies it by
1 - 8 alpha dt / h^2 sin^2(pi h / 2); so the gradient by alpha is closed as well.
"""
import numpy as np


def laplacian(u, h):
    return (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4.0 * u[1:-1, 1:-1]) / h**2


def heat_2d(u0, alpha, sensor, t_end):
    n = u0.shape[0]
    h = 1.0 / (n - 1)
    dt = 0.2 * h * h                    # stable up to alpha = 1.25
    u = np.zeros_like(u0)
    u[1:-1, 1:-1] = u0[1:-1, 1:-1]      # whatever stands on the edges
    new = u.copy()
    t = 0.0
    while t < t_end - 1e-12:
        new[1:-1, 1:-1] = u[1:-1, 1:-1] + alpha * dt * laplacian(u, h)
        u, new = new, u
        t += dt
    x = np.linspace(0.0, 1.0, n)
    X, Y = np.meshgrid(x, x, indexing="ij")
    weights = np.exp(-((X - sensor[0]) ** 2 + (Y - sensor[1]) ** 2) / 0.02)
    return np.sum(weights * u) / np.sum(weights)


ALSO = ("vmap", "hvp")


def arguments():
    x = np.linspace(0.0, 1.0, 11)
    return 10.0 * np.sin(np.pi * x)[:, None] * np.sin(np.pi * x), 0.8, np.array([0.4, 0.55]), 0.059


def reference():
    u0, alpha, sensor, t_end = arguments()
    x, h = np.linspace(0.0, 1.0, 11), 0.1
    steps = int(np.ceil(t_end / (0.2 * h * h)))
    slope = 8.0 * 0.2 * np.sin(np.pi * h / 2.0) ** 2
    weights = np.exp(-((x[:, None] - sensor[0]) ** 2 + (x - sensor[1]) ** 2) / 0.02)
    seen = np.sum(weights * u0) / np.sum(weights)
    return {"value": seen * (1.0 - slope * alpha) ** steps, "rtol": 1e-12,
            "gradient": (None, -steps * slope * seen * (1.0 - slope * alpha) ** (steps - 1), None, None)}
