"""Poisson's equation by multigrid V-cycles: the potential at the middle of a conducting box.

-laplace(u) = f on the unit square, u = 0 on its edges; red-black Gauss-Seidel, full weighting, bilinear interpolation, cycles until the
residual is small. f in units of charge over the permittivity.

Reference: closed form of the discrete problem, for a source that is a product of sines: f / lambda, lambda its eigenvalue. The
result is linear in f, and the gradient the discrete Green's function, a sum over all sines.
"""
import numpy as np


def residual(u, f, h):
    r = np.zeros_like(u)
    r[1:-1, 1:-1] = f[1:-1, 1:-1] - (4 * u[1:-1, 1:-1] - u[2:, 1:-1] - u[:-2, 1:-1] - u[1:-1, 2:] - u[1:-1, :-2]) / h**2
    return r


def smooth(u, f, h, sweeps):
    i, j = np.indices(u.shape)
    inside = (i > 0) & (i < u.shape[0] - 1) & (j > 0) & (j < u.shape[1] - 1)
    for _ in range(sweeps):
        for colour in (0, 1):
            around = np.roll(u, 1, 0) + np.roll(u, -1, 0) + np.roll(u, 1, 1) + np.roll(u, -1, 1)
            u = np.where(inside & ((i + j) % 2 == colour), (around + h * h * f) / 4.0, u)
    return u


def restrict(r):
    out = r[::2, ::2].copy()
    out[1:-1, 1:-1] = (4 * r[2:-2:2, 2:-2:2] + 2 * (r[1:-3:2, 2:-2:2] + r[3:-1:2, 2:-2:2] + r[2:-2:2, 1:-3:2] + r[2:-2:2, 3:-1:2])
                       + r[1:-3:2, 1:-3:2] + r[3:-1:2, 1:-3:2] + r[1:-3:2, 3:-1:2] + r[3:-1:2, 3:-1:2]) / 16
    return out


def prolong(e):
    n = 2 * (e.shape[0] - 1) + 1
    out = np.zeros((n, n))
    out[::2, ::2] = e
    out[1::2, ::2] = 0.5 * (e[1:] + e[:-1])
    out[:, 1::2] = 0.5 * (out[:, 2::2] + out[:, :-2:2])
    return out


def v_cycle(u, f, h):
    if u.shape[0] <= 3:
        u = u.copy()
        u[1, 1] = h * h * f[1, 1] / 4.0
        return u
    u = smooth(u, f, h, 2)
    coarse = restrict(residual(u, f, h))
    u = u + prolong(v_cycle(np.zeros_like(coarse), coarse, 2.0 * h))
    return smooth(u, f, h, 2)


def multigrid(f):
    n = f.shape[0]
    h = 1.0 / (n - 1)
    u = np.zeros_like(f)
    start = np.linalg.norm(residual(u, f, h))
    for cycle in range(30):
        u = v_cycle(u, f, h)
        if np.linalg.norm(residual(u, f, h)) < 1e-12 * start:
            break
    return u[n // 2, n // 2]


ALSO = ("vmap",)


def arguments():
    x = np.linspace(0.0, 1.0, 9)
    return (np.sin(np.pi * x)[:, None] * np.sin(3.0 * np.pi * x),)


def reference():
    k, x, h = np.arange(1, 8), np.linspace(0.0, 1.0, 9), 0.125
    sines = np.sin(np.pi * k[:, None] * x)
    sines[:, [0, -1]] = 0.0
    lam = 4.0 / h**2 * np.sin(0.5 * np.pi * h * k) ** 2
    at_middle = sines[:, 4]
    green = np.einsum("kl,ki,lj->ij", np.outer(at_middle, at_middle) / (lam[:, None] + lam), sines, sines) * 4.0 * h * h
    return {"value": at_middle[0] * at_middle[2] / (lam[0] + lam[2]), "rtol": 1e-8, "gradient": (green,)}
