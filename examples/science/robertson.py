"""Robertson's autocatalytic reaction, stiff: the share of the product after some time, by backward Euler with Newton's method inside.

A -> B, 2 B -> B + C, B + C -> A + C, with rates of 0.04, 3e7 and 1e4 (H. H. Robertson, 1966); concentrations relative to that of A at the start,
steps that grow by a constant factor.

Reference: mpmath. The same implicit steps, each solved to 40 digits by mpmath.findroot, gave 0.01603133415103004860529898.
"""
from typing import NamedTuple

import numpy as np


class Rates(NamedTuple):
    k1: float
    k2: float
    k3: float


def reaction(y, r):
    a, b, c = y
    first, second, third = r.k1 * a, r.k2 * b * b, r.k3 * b * c
    return np.array([-first + third, first - third - second, second])


def jacobian(y, r):
    a, b, c = y
    J = np.zeros((3, 3))
    J[0] = -r.k1, r.k3 * c, r.k3 * b
    J[2, 1] = 2 * r.k2 * b
    J[1] = -J[0] - J[2]
    return J


def backward_euler(y, h, r):
    z = y.copy()
    for iteration in range(25):
        residual = z - y - h * reaction(z, r)
        step = np.linalg.solve(np.eye(3) - h * jacobian(z, r), residual)
        z -= step
        if np.max(np.abs(step) / (np.abs(z) + 1e-12)) < 1e-11:
            return z
    raise ArithmeticError(f"Newton's method does not converge for a step of {h}")


def robertson(rates, first_step, growth, t_end):
    y = np.array([1.0, 0.0, 0.0])
    t, h = 0.0, first_step
    while t < t_end:
        y = backward_euler(y, h, rates)
        t += h
        h = growth * h
    return y[2]


ALSO = ("hvp",)


def arguments():
    return Rates(0.04, 3e7, 1e4), 1e-4, 1.5, 0.4


def reference():
    return {"value": 0.01603133415103004860529898, "rtol": 1e-10}
