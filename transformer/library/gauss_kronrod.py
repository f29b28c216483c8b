"""Gauss' and Kronrod's rules, and the integrals from a number to another that they give, with an estimate of the error.

R. Piessens, E. de Doncker-Kapenga, C. Ueberhuber and D. Kahaner, "QUADPACK", Springer 1983: QK21 and QK15I.
"""
from dataclasses import dataclass
from typing import Any

import numpy as np

from .limits_of_sums import EPS
from .registry import refuse

TINY = float(np.finfo(float).tiny)


class Rule:
    """Gauss' and Kronrod's rule, of nodes from -1 to 1.

    nodes    the positive ones, those of Gauss' rule first; the negative ones have the same weights
    weights, gauss  of these nodes; `middle` has the two of 0
    falling  the order of the nodes, from the largest on
    """

    def __init__(self, nodes, weights, gauss, middle):
        self.nodes, self.weights, self.middle = nodes, weights, middle
        self.gauss = (*gauss, *(0.0 for _ in nodes[len(gauss):]))
        self.falling = tuple(sorted(range(len(nodes)), key=lambda k: -nodes[k]))


K21 = Rule((0.9739065285171717, 0.8650633666889845, 0.6794095682990244, 0.4333953941292472, 0.14887433898163122,
            0.9956571630258081, 0.9301574913557082, 0.7808177265864169, 0.5627571346686047, 0.2943928627014602),
           (0.032558162307964725, 0.07503967481091996, 0.10938715880229764, 0.13470921731147334, 0.14773910490133849,
            0.011694638867371874, 0.054755896574351995, 0.0931254545836976, 0.12349197626206584, 0.14277593857706009),
           (0.06667134430868814, 0.1494513491505806, 0.21908636251598204, 0.26926671930999635, 0.29552422471475287),
           (0.1494455540029169, 0.0))
K15 = Rule((0.9914553711208126, 0.9491079123427585, 0.8648644233597691, 0.7415311855993945, 0.5860872354676911,
            0.4058451513773972, 0.20778495500789848),
           (0.022935322010529224, 0.06309209262997856, 0.10479001032225019, 0.14065325971552592, 0.1690047266392679,
            0.19035057806478542, 0.20443294007529889),
           (0.0, 0.1294849661688697, 0.0, 0.27970539148927664, 0.0, 0.3818300505051189),
           (0.20948214108472782, 0.4179591836734694))


@dataclass(eq=False)
class Finite:
    """The integrand as it is."""

    f: Any
    args: Any
    start: Any
    end: Any
    rule = K21

    def at(self, t, number, is_end):
        return real_number(self.f(number(t), *self.args))


@dataclass(eq=False)
class Infinite:
    """The integrand of t from 0 to 1, where x is so far from the finite limit as (1 - t) / t; where both limits are
    infinite it is that of x and of -x, from 0 on."""

    f: Any
    args: Any
    limit: Any
    sign: Any
    sides: Any
    rule, start, end = K15, 0.0, 1.0

    def at(self, t, number, is_end):
        """The integrand, of numbers of this class; at the limit that is finite, x is t."""
        if self.sides == 1:
            x = t if is_end else self.limit + self.sign * (1.0 - t) / t
            y = real_number(self.f(number(x), *self.args))
            return y if is_end else y / t / t
        y, x = np.float64(0.0), (1.0 - t) / t
        for side in range(2):
            y += real_number(self.f(number(-x if side == 1 else x), *self.args))
        return y / t / t


def real_number(y):
    if np.ndim(y) != 0 or np.asarray(y).dtype.kind not in "fiub":
        refuse("an integral of a function that does not return a real number", "Return a float: y[0], or y.item().")
    return np.float64(y)


def at_nodes(function, nodes, left, right):
    """A function left and right of the middle, and there: as many numbers, of which the first is 0, as nodes."""
    middle, half, nodes = 0.5 * (left + right), 0.5 * (right - left), np.array([0.0, *nodes])
    values = np.zeros((2, len(nodes)))
    for k in range(2 * len(nodes) - 1):
        side, node = k % 2, (k + 1) // 2
        step = half * nodes[node]
        values[side, node] = function(middle + step if side == 1 else middle - step)
    return values


def estimate(integrand, left, right):
    """(the integral from left to right, its error, the integral of |f|, that of |f - its mean|, this again if the rules
    see no smooth curve)"""
    rule, half = integrand.rule, 0.5 * (right - left)
    values = at_nodes(lambda t: integrand.at(t, float, False), rule.nodes, left, right)
    weights, gauss, order = np.array([*rule.weights]), np.array([*rule.gauss]), np.array([*rule.falling])
    middle = values[0, 0]
    area, by_gauss, size = rule.middle[0] * middle, rule.middle[1] * middle, rule.middle[0] * abs(middle)
    for k in range(len(weights)):
        x, y = values[0, k + 1], values[1, k + 1]
        area += weights[k] * (x + y)
        by_gauss += gauss[k] * (x + y)
        size += weights[k] * (abs(x) + abs(y))
    mean = 0.5 * area
    spread = rule.middle[0] * abs(middle - mean)
    for k in order:
        spread += weights[k] * (abs(values[0, k + 1] - mean) + abs(values[1, k + 1] - mean))
    size, spread, error = half * size, half * spread, abs((area - by_gauss) * half)
    if spread != 0.0 and error != 0.0:
        error = spread * min(1.0, (200.0 * error / spread) ** 1.5)
    blur = spread if error > 1e-6 * spread and spread > 1e-10 * size else 0.0
    if size > TINY / (50.0 * EPS):
        error = max(50.0 * EPS * size, error)
    return area * half, error, size, spread, blur
