"""Gradients written by hand with arrays, for CuPy and PyTorch, where the rows of the CPU have none that suits a GPU.

Each is text of NumPy, which `harness.ported` gives another library's functions.
"""
import math

import numpy as np

# ---- rows 5 and 12: the mixture, by products of matrices

def parts(means, log_weights, scales, X):
    """(responsibility of each component for each point, the components' squared scales)"""
    squared = scales * scales
    distance = X * X @ squared.T - 2 * (X @ (means * squared).T) + np.sum(means * means * squared, axis=1)
    e = log_weights + np.sum(np.log(scales), axis=1) - 0.5 * distance
    r = np.exp(e - np.max(e, axis=1, keepdims=True))
    return r / np.sum(r, axis=1, keepdims=True), squared


def mixture_gradient(means, log_weights, scales, X):
    r, squared = parts(means, log_weights, scales, X)
    count = np.sum(r, axis=0)
    first, second = r.T @ X, r.T @ (X * X)
    about = second - 2 * means * first + means * means * count[:, None]
    return (first - means * count[:, None]) * squared, count, count[:, None] / scales - scales * about


def mixture_product(means, direction, log_weights, scales, X):
    """The Hessian by the means, times a direction."""
    r, squared = parts(means, log_weights, scales, X)
    along = direction * squared
    slope = X @ along.T - np.sum(means * along, axis=1)
    turned = r * (slope - np.sum(r * slope, axis=1, keepdims=True))
    moved = turned.T @ X - means * np.sum(turned, axis=0)[:, None]
    return moved * squared - np.sum(r, axis=0)[:, None] * along


def mixture_hessian(means, log_weights, scales, X):
    r, squared = parts(means, log_weights, scales, X)
    k, d = means.shape
    slopes = (X[:, None, :] - means) * squared
    weighed = r[:, :, None] * slopes
    flat = weighed.reshape(len(X), k * d)
    hessian = -(flat.T @ flat).reshape(k, d, k, d)
    count = np.sum(r, axis=0)
    for c in range(k):
        hessian[c, :, c, :] += weighed[:, c, :].T @ slopes[:, c, :]
        for axis in range(d):
            hessian[c, axis, c, axis] -= squared[c, axis] * count[c]
    return hessian


# ---- row 8: as PyTorch has it, whose own backward pass it is

def jacobi_value(A, B, steps):
    A, B = A.clone(), B.clone()
    for t in range(steps):
        B[1:-1, 1:-1] = 0.2 * (A[1:-1, 1:-1] + A[1:-1, :-2] + A[1:-1, 2:] + A[2:, 1:-1] + A[:-2, 1:-1])
        A[1:-1, 1:-1] = 0.2 * (B[1:-1, 1:-1] + B[1:-1, :-2] + B[1:-1, 2:] + B[2:, 1:-1] + B[:-2, 1:-1])
    return np.sum(A * A)


# ---- row 9: the points of one wave do not depend on each other; the last two axes are the grid's

AROUND = [(di, dj) for di in (-1, 0, 1) for dj in (-1, 0, 1)]


def with_waves(args):
    A, steps = args
    n, m = A.shape[-2:]
    i, j = np.meshgrid(np.arange(1, n - 1), np.arange(1, m - 1), indexing="ij")
    wave = 2 * i + j
    return A, steps, [(i[wave == w], j[wave == w]) for w in range(3, 2 * n + m) if (wave == w).any()]


def sweep(A, waves):
    for i, j in waves:
        total = A[..., i, j]
        for di, dj in AROUND:
            if (di, dj) != (0, 0):
                total = total + A[..., i + di, j + dj]
        A[..., i, j] = total / 9


def waves_value(A, steps, waves):
    A = A + 0.0
    for t in range(steps):
        sweep(A, waves)
    return np.sum(A * A)


def waves_gradient(A, steps, waves):
    A = A + 0.0
    for t in range(steps):
        sweep(A, waves)
    A_bar = 2 * A
    for t in range(steps):
        for i, j in waves[::-1]:
            g = A_bar[..., i, j] / 9
            A_bar[..., i, j] = 0.0
            for di, dj in AROUND:
                A_bar[..., i + di, j + dj] += g
    return A_bar


# ---- row 17: all examples go on until the last is done, those that are done are kept by a mask

def root_tangents(a, x0):
    x, x_dot = x0 + 0.0, np.zeros_like(a)
    while bool(np.any(running := np.abs(x * x * x - a) > 1e-9 * a)):
        step = (x * x * x - a) / (3.0 * x * x)
        x_dot = np.where(running, 1.0 / (3.0 * x * x) + 2.0 * step / x * x_dot, x_dot)
        x = np.where(running, x - step, x)
    return x_dot


def energy_gradients(x):
    e, e_dot = np.ones_like(x), np.zeros_like(x)
    for k in range(20):
        e, e_dot = np.sin(e * x) + 0.1 * k, np.cos(e * x) * (e + e_dot * x)
    return np.where(x > 0.0, e_dot, 2.0 * x)


def anomaly_tangents(M, e):
    E, E_dot = math.pi + 0.0 * M, np.zeros_like(M)
    while bool(np.any(running := np.abs(E - e * np.sin(E) - M) > 1e-11)):
        slope, sine = 1.0 - e * np.cos(E), np.sin(E)
        step = (E - e * sine - M) / slope
        E_dot = np.where(running, (1.0 + step * e * sine * E_dot) / slope, E_dot)
        E = np.where(running, E - step, E)
    return E_dot


def reach_tangents(v):
    out = np.zeros_like(v)
    x, y, vx, vy = 0.0 * v, 1.5 + 0.0 * v, 0.7 * v, 0.7 * v
    dx, dy, dvx, dvy = 0.0 * v, 0.0 * v, 0.7 + 0.0 * v, 0.7 + 0.0 * v
    flies = v == v
    for k in range(2000):
        x_new, y_new, dx_new, dy_new = x + 0.05 * vx, y + 0.05 * vy, dx + 0.05 * dvx, dy + 0.05 * dvy
        lands = flies & (y_new < 0.0)
        part, fall = (x_new - x) * y, y - y_new
        landed = dx + ((dx_new - dx) * y + (x_new - x) * dy - part / fall * (dy - dy_new)) / fall
        out = np.where(lands, landed, out)
        flies = flies & (y_new >= 0.0)
        if not bool(np.any(flies)):
            return out
        speed = np.sqrt(vx * vx + vy * vy)
        drag, ddrag = 1.0 - 0.0005 * speed, -0.0005 * (vx * dvx + vy * dvy) / speed
        dvx, dvy = ddrag * vx + drag * dvx, ddrag * vy + drag * dvy
        vx, vy = drag * vx, drag * vy - 0.4905
        x, y, dx, dy = x_new, y_new, dx_new, dy_new
    return np.where(flies, dx, out)


# ---- Monte Carlo, of normal numbers that are there; and the bodies, some rows at a time

def price_gradient(s0, sigma, z):
    growth = np.exp(sigma * z - 0.5 * sigma * sigma)
    inside = np.where(s0 * growth > 1.0, growth, 0.0 * growth)
    return np.sum(inside) / len(z), np.sum(inside * (z - sigma)) * s0 / len(z)


def forces(x, rows, softening):
    out = np.zeros_like(x)
    for start in range(0, len(x), rows):
        away = x - x[start:start + rows, None, :]
        squared = np.sum(away * away, axis=2) + softening
        out[start:start + rows] = -np.sum(away / (squared * np.sqrt(squared))[:, :, None], axis=1)
    return out
