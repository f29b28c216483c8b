"""Astrodynamics: Kepler's equation, Lambert's problem, an adaptive orbit under drag, a rocket to orbit."""

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numba
import numpy as np
from scipy.optimize import brentq

MU = 398600.4418
RE = 6378.137
J2 = 1.08262668e-3


# ---------------------------------------------------------------------------------------- elements to a ground track


class ElementsError(ValueError):
    pass


@dataclass(frozen=True)
class Elements:
    a: float
    e: float
    i: float
    raan: float
    argp: float
    M: float

    def __post_init__(self):
        if not 0 <= self.e < 1:
            raise ElementsError(f"eccentricity {self.e} is not that of an ellipse")

    @property
    def n(self):
        return np.sqrt(MU / self.a**3)

    @property
    def p(self):
        return self.a * (1 - self.e**2)


def kepler(M, e, tol=1e-13, max_iter=50):
    M = M % (2 * np.pi)
    E = M if e < 0.8 else np.pi
    for _ in range(max_iter):
        d = (E - e * np.sin(E) - M) / (1 - e * np.cos(E))
        E -= d
        if abs(d) < tol:
            return E
    raise RuntimeError("Kepler's equation did not converge")


def rot(axis, angle):
    c, s = np.cos(angle), np.sin(angle)
    if axis == 1:
        return np.array([[1, 0, 0], [0, c, s], [0, -s, c]])
    elif axis == 3:
        return np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])
    raise ValueError(axis)


def to_cartesian(el):
    E = kepler(el.M, el.e)
    nu = 2 * np.arctan2(np.sqrt(1 + el.e) * np.sin(E / 2), np.sqrt(1 - el.e) * np.cos(E / 2))
    r = el.p / (1 + el.e * np.cos(nu))
    Q = (rot(3, el.argp) @ rot(1, el.i) @ rot(3, el.raan)).T
    pos = Q @ (r * np.array([np.cos(nu), np.sin(nu), 0]))
    vel = Q @ (np.sqrt(MU / el.p) * np.array([-np.sin(nu), el.e + np.cos(nu), 0]))
    return pos, vel


def secular(el, dt):
    """J2's drift of node, perigee and mean anomaly."""
    k = 1.5 * J2 * (RE / el.p) ** 2 * el.n
    return Elements(
        el.a, el.e, el.i,
        raan=el.raan - k * np.cos(el.i) * dt,
        argp=el.argp + k * (2 - 2.5 * np.sin(el.i) ** 2) * dt,
        M=el.M + (el.n + k * np.sqrt(1 - el.e**2) * (1 - 1.5 * np.sin(el.i) ** 2)) * dt,
    )


def ground_track(a, e, i, station=(0.7, 0.2), step=600.0, n=8):
    el = Elements(a, e, i, 1.0, 0.5, 0.3)
    lat, lon = station
    site = RE * np.array([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)])
    ranges = []
    for k in range(n):
        pos, _ = to_cartesian(secular(el, k * step))
        ranges.append(np.linalg.norm(rot(3, 7.292e-5 * k * step) @ pos - site))
    return np.mean(ranges) / RE


def ground_track_args():
    return 7400.0, 0.05, 0.9


# ------------------------------------------------------------------------------------------------ Lambert's problem


@lru_cache(maxsize=None)
def factorial(n):
    return 1 if n < 2 else n * factorial(n - 1)


def stumpff(z):
    if z > 1e-3:
        s = np.sqrt(z)
        return (1 - np.cos(s)) / z, (s - np.sin(s)) / s**3
    if z < -1e-3:
        s = np.sqrt(-z)
        return (1 - np.cosh(s)) / z, (np.sinh(s) - s) / s**3
    C = sum((-z) ** k / factorial(2 * k + 2) for k in range(6))
    S = sum((-z) ** k / factorial(2 * k + 3) for k in range(6))
    return C, S


def lambert(r1, r2, tof, prograde=True):
    n1, n2 = np.linalg.norm(r1), np.linalg.norm(r2)
    dnu = np.arccos(r1 @ r2 / (n1 * n2))
    if (np.cross(r1, r2)[2] < 0) == prograde:
        dnu = 2 * np.pi - dnu
    A = np.sin(dnu) * np.sqrt(n1 * n2 / (1 - np.cos(dnu)))
    if A == 0:
        raise ValueError("the transfer's plane is not defined")

    def y(z):
        C, S = stumpff(z)
        return n1 + n2 + A * (z * S - 1) / np.sqrt(C)

    def late(z):
        C, S = stumpff(z)
        return (y(z) / C) ** 1.5 * S + A * np.sqrt(y(z)) - np.sqrt(MU) * tof

    z = brentq(late, -1.0, 30.0, xtol=1e-13, rtol=1e-14)
    f, g, gdot = 1 - y(z) / n1, A * np.sqrt(y(z) / MU), 1 - y(z) / n2
    return (r2 - f * r1) / g, (gdot * r2 - r1) / g


def transfer_cost(r1, r2, tof):
    v1, v2 = lambert(r1, r2, tof)
    circular = np.sqrt(MU / np.linalg.norm(r1)) * np.array([0.0, 1.0, 0.0])
    return np.linalg.norm(v1 - circular) + 0.5 * np.linalg.norm(v2)


def transfer_cost_args():
    return np.array([7000.0, 100.0, 50.0]), np.array([-3000.0, 9500.0, 700.0]), 2400.0


# ----------------------------------------------------------------------------------------------- an orbit under drag


@numba.njit
def density(h):
    if h < 300.0:
        return 2.0e-2 * np.exp(-(h - 250.0) / 45.0)
    return 2.0e-2 * np.exp(-50.0 / 45.0) * np.exp(-(h - 300.0) / 55.0)


@numba.njit
def accelerate(t, s, ballistic):
    r = np.sqrt(s[0] ** 2 + s[1] ** 2 + s[2] ** 2)
    out = np.empty(6)
    out[:3] = s[3:]
    k = 1.5 * J2 * MU * RE**2 / r**5
    zz = 5 * s[2] ** 2 / r**2
    speed = np.sqrt(np.sum(s[3:] ** 2))
    drag = 1e-6 * density(r - RE) * ballistic * speed
    out[3] = -MU * s[0] / r**3 + k * s[0] * (zz - 1) - drag * s[3]
    out[4] = -MU * s[1] / r**3 + k * s[1] * (zz - 1) - drag * s[4]
    out[5] = -MU * s[2] / r**3 + k * s[2] * (zz - 3) - drag * s[5]
    return out


def rkf45(f, t, y, t_end, args=(), rtol=1e-9, h=30.0):
    """Fehlberg's pair with steps that double and halve (so that the path is the same nearby)."""
    rejected = 0
    log = []
    while t < t_end - 1e-9:
        h = min(h, t_end - t)
        k1 = f(t, y, *args)
        k2 = f(t + h / 4, y + h * k1 / 4, *args)
        k3 = f(t + 3 * h / 8, y + h * (3 * k1 + 9 * k2) / 32, *args)
        k4 = f(t + 12 * h / 13, y + h * (1932 * k1 - 7200 * k2 + 7296 * k3) / 2197, *args)
        k5 = f(t + h, y + h * (439 / 216 * k1 - 8 * k2 + 3680 / 513 * k3 - 845 / 4104 * k4), *args)
        k6 = f(t + h / 2, y + h * (-8 / 27 * k1 + 2 * k2 - 3544 / 2565 * k3 + 1859 / 4104 * k4 - 11 / 40 * k5), *args)
        error = h * (k1 / 360 - 128 / 4275 * k3 - 2197 / 75240 * k4 + k5 / 50 + 2 / 55 * k6)
        ratio = np.max(np.abs(error) / (rtol * (1e-3 + np.abs(y))))
        if ratio > 1:
            h /= 2
            rejected += 1
            continue
        y = y + h * (16 / 135 * k1 + 6656 / 12825 * k3 + 28561 / 56430 * k4 - 9 / 50 * k5 + 2 / 55 * k6)
        t += h
        log.append((t, h))
        if ratio < 0.01:
            h *= 2
    return y, log, rejected


def decay(state, ballistic, duration=600.0):
    y, log, _ = rkf45(accelerate, 0.0, state, duration, args=(ballistic,))
    assert len(log) > 3, "too few steps"
    r, v = np.linalg.norm(y[:3]), np.linalg.norm(y[3:])
    return (v**2 / 2 - MU / r) / 30 + 0.001 * y[0]


def decay_args():
    return np.array([6650.0, 100.0, 300.0, -0.2, 7.0, 3.3]), 0.012


# ------------------------------------------------------------------------------------------------- a rocket in stages


class Stage(NamedTuple):
    propellant: float
    dry: float
    thrust: float
    isp: float

    @property
    def flow(self):
        return self.thrust / (9.80665 * self.isp)


def ascent(kick, payload, throttle, dt=2.0):
    stages = [Stage(95e3, 6e3, 2.1e6, 290.0), Stage(20e3, 2e3, 2.4e5, 340.0)]
    h, x, v, gamma = 0.0, 0.0, 0.1, np.pi / 2
    mass = payload + sum(s.propellant + s.dry for s in stages)
    maxima = {"q": 0.0, "g": 0.0}
    for number, stage in enumerate(stages, start=1):
        burn = stage.propellant / stage.flow
        steps = int(min(burn, 150.0) // dt)
        for k in range(steps):
            thrust = stage.thrust * (throttle if number == 1 and k > 20 else 1.0)
            rho = 1.225 * np.exp(-h / 7200)
            drag = 0.5 * rho * v**2 * 0.3 * 8.0
            g = 9.80665 * (6.371e6 / (6.371e6 + h)) ** 2
            if k == 10 and number == 1:
                gamma -= kick
            dv = (thrust - drag) / mass - g * np.sin(gamma)
            dgamma = -(g / v - v / (6.371e6 + h)) * np.cos(gamma) if (number, k) > (1, 10) else 0.0
            h, x = h + dt * v * np.sin(gamma), x + dt * v * np.cos(gamma)
            v, gamma = v + dt * dv, gamma + dt * dgamma
            mass -= dt * thrust / (9.80665 * stage.isp)
            maxima["q"] = max(maxima["q"], 0.5 * rho * v**2)
            maxima["g"] = max(maxima["g"], dv / 9.80665)
        mass -= stage.dry
    return h / 1e5 + v / 7800 + 1e-6 * x + maxima["q"] / 1e5 + 0.1 * maxima["g"]


def ascent_args():
    return 0.06, 4000.0, 0.85


PROGRAMS = [
    ("ground_track", ground_track, ground_track_args, (0, 1, 2)),
    ("lambert_transfer", transfer_cost, transfer_cost_args, (0, 1, 2)),
    ("decaying_orbit", decay, decay_args, (0, 1)),
    ("rocket_ascent", ascent, ascent_args, (0, 1, 2)),
]
