"""Astrodynamics: frames and ground tracks, a Gauss problem with multiple guesses, attitude, aerobraking."""
import datetime as dt
import functools
import math
import operator
from dataclasses import dataclass, replace
from typing import Callable, NamedTuple, Optional

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import newton
from scipy.spatial.transform import Rotation

MU = 398600.4418
RE = 6378.1363
J2 = 1.08262668e-3

# ---- propagation with perturbations composed of functions ------------------------------------------------------------

Force = Callable[[float, np.ndarray, np.ndarray], np.ndarray]


def two_body(t, r, v):
    return -MU * r / np.linalg.norm(r) ** 3


def oblateness(t, r, v):
    x, y, z = r
    rr = np.linalg.norm(r)
    k = -1.5 * J2 * MU * RE ** 2 / rr ** 5
    zz = 5 * (z / rr) ** 2
    return k * np.array([x * (1 - zz), y * (1 - zz), z * (3 - zz)])


ATMOSPHERE = [  # base altitude, density, scale height
    (0, 1.225, 7.249), (100, 5.297e-7, 5.877), (150, 2.070e-9, 22.523), (200, 2.789e-10, 37.105),
    (300, 2.418e-11, 53.628), (400, 3.725e-12, 58.515), (500, 6.967e-13, 63.822), (1000, 3.019e-15, 268.0),
]


def density(altitude):
    base, rho0, scale = ATMOSPHERE[0]
    for row in ATMOSPHERE:
        if altitude < row[0]:
            break
        base, rho0, scale = row
    return rho0 * math.exp(-(altitude - base) / scale)


def drag(ballistic):
    omega = np.array([0, 0, 7.2921159e-5])

    def force(t, r, v):
        rel = v - np.cross(omega, r)
        rho = density(np.linalg.norm(r) - RE) * 1e9
        return -0.5 * rho * ballistic * np.linalg.norm(rel) * rel * 1e-6
    return force


def rk4(f, t, y, h):
    k1 = f(t, y)
    k2 = f(t + h / 2, y + h / 2 * k1)
    k3 = f(t + h / 2, y + h / 2 * k2)
    k4 = f(t + h, y + h * k3)
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def propagate(r0, v0, span, forces, step=30.0):
    def rhs(t, y):
        r, v = y[:3], y[3:]
        acc = functools.reduce(operator.add, (f(t, r, v) for f in forces))
        return np.hstack((v, acc))

    t, y = 0.0, np.concatenate([r0, v0])
    while span - t > 1e-9:
        h = min(step, span - t)
        y = rk4(rhs, t, y, h)
        t += h
    return y[:3], y[3:]


def decay(r0, v0, ballistic):
    forces = [two_body, oblateness, drag(ballistic)]
    r, v = propagate(r0, v0, 1800.0, forces, step=60.0)
    energy = v @ v / 2 - MU / np.linalg.norm(r)
    h = np.cross(r, v)
    inclination = np.degrees(np.arccos(h[2] / np.linalg.norm(h)))
    return energy + 0.01 * inclination + 1e-4 * r[0]


# ---- orbital elements, ground station passes -------------------------------------------------------------------------

@dataclass(frozen=True)
class Elements:
    a: float
    e: float
    i: float
    raan: float
    argp: float
    m0: float
    epoch: dt.datetime = dt.datetime(2024, 3, 20, 12, 0, 0)

    @property
    def mean_motion(self):
        return math.sqrt(MU / self.a ** 3)

    def at(self, seconds):
        return replace(self, m0=(self.m0 + self.mean_motion * seconds) % (2 * math.pi))

    def state(self):
        E = kepler(self.m0, self.e)
        p = self.a * (1 - self.e ** 2)
        nu = 2 * math.atan2(math.sqrt(1 + self.e) * math.sin(E / 2), math.sqrt(1 - self.e) * math.cos(E / 2))
        r = p / (1 + self.e * math.cos(nu))
        pqw = r * np.array([math.cos(nu), math.sin(nu), 0.0])
        return rotation(3, -self.raan) @ rotation(1, -self.i) @ rotation(3, -self.argp) @ pqw


def kepler(M, e, tol=1e-12):
    E = M if e < 0.8 else math.pi
    for _ in range(50):
        d = (E - e * math.sin(E) - M) / (1 - e * math.cos(E))
        E -= d
        if abs(d) < tol:
            return E
    raise ArithmeticError("Kepler's equation: no convergence")


def rotation(axis: int, angle: float) -> np.ndarray:
    c, s = math.cos(angle), math.sin(angle)
    match axis:
        case 1:
            return np.array([[1, 0, 0], [0, c, s], [0, -s, c]])
        case 2:
            return np.array([[c, 0, -s], [0, 1, 0], [s, 0, c]])
        case 3:
            return np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])
        case _:
            raise ValueError(f"axis {axis}")


def gmst(epoch: dt.datetime, seconds: float = 0.0) -> float:
    j2000 = dt.datetime(2000, 1, 1, 12)
    days = (epoch - j2000).total_seconds() / 86400 + seconds / 86400
    return math.radians((280.46061837 + 360.98564736629 * days) % 360)


class Station(NamedTuple):
    name: str
    lat: float
    lon: float
    height: float = 0.0

    def ecef(self):
        f = 1 / 298.257223563
        e2 = f * (2 - f)
        n = RE / math.sqrt(1 - e2 * math.sin(self.lat) ** 2)
        return np.array([(n + self.height) * math.cos(self.lat) * math.cos(self.lon),
                         (n + self.height) * math.cos(self.lat) * math.sin(self.lon),
                         (n * (1 - e2) + self.height) * math.sin(self.lat)])


STATIONS = [Station("Kourou", math.radians(5.25), math.radians(-52.8)),
            Station("Malargue", math.radians(-35.8), math.radians(-69.4), 1.5),
            Station("New Norcia", math.radians(-31.0), math.radians(116.2), 0.25)]


def range_and_rate(el, station, seconds):
    def distance(t):
        ecef = rotation(3, gmst(el.epoch, t)) @ el.at(t).state()
        return np.linalg.norm(ecef - station.ecef())
    h = 0.5
    return distance(seconds), (distance(seconds + h) - distance(seconds - h)) / (2 * h)


def tracking(a, e, i, raan, argp, m0):
    el = Elements(a, e, i, raan, argp, m0)
    residuals = {}
    for st in STATIONS:
        for minute in range(0, 30, 10):
            rho, rate = range_and_rate(el, st, 60.0 * minute)
            residuals[st.name, minute] = (rho - 8000.0) / 1000.0, rate - 1.0
    values = np.array(list(residuals.values()))
    return np.sqrt(np.mean(values ** 2))


# ---- attitude: quaternion, gravity gradient, a PD law with saturation ------------------------------------------------

class Quaternion:
    __slots__ = ("w", "v")

    def __init__(self, w, v):
        self.w = w
        self.v = np.asarray(v)

    def __mul__(self, other):
        if isinstance(other, Quaternion):
            return Quaternion(self.w * other.w - self.v @ other.v,
                              self.w * other.v + other.w * self.v + np.cross(self.v, other.v))
        return Quaternion(self.w * other, self.v * other)

    __rmul__ = __mul__

    def __add__(self, other):
        return Quaternion(self.w + other.w, self.v + other.v)

    def conj(self):
        return Quaternion(self.w, -self.v)

    def __abs__(self):
        return math.sqrt(self.w ** 2 + float(self.v @ self.v))

    def unit(self):
        return self * (1.0 / abs(self))

    def rotate(self, x):
        return (self * Quaternion(0.0, x) * self.conj()).v


def slew(inertia, kp, kd, limit=0.05):
    I = np.diag(inertia)
    I_inv = np.linalg.inv(I)
    axis = np.array([1.0, 2.0, -1.0])
    axis /= np.linalg.norm(axis)
    q = Quaternion(math.cos(0.6), math.sin(0.6) * axis)
    w = np.array([0.01, -0.02, 0.005])
    orbit_rate = 1.1e-3
    effort, h = 0.0, 0.5
    for k in range(40):
        sign = 1.0 if q.w >= 0 else -1.0
        torque = -kp * sign * q.v - kd * w
        torque = np.clip(torque, -limit, limit)
        nadir = q.conj().rotate(np.array([0.0, 0.0, 1.0]))
        gg = 3 * orbit_rate ** 2 * np.cross(nadir, I @ nadir)
        w = w + h * (I_inv @ (torque + gg - np.cross(w, I @ w)))
        q = (q + 0.5 * h * (q * Quaternion(0.0, w))).unit()
        effort += h * np.sum(np.abs(torque))
    error = Rotation.from_quat(np.append(q.v, q.w)).magnitude()
    return error + 0.1 * effort + 10 * np.linalg.norm(w)


# ---- interplanetary: a flyby, B-plane, powered capture ---------------------------------------------------------------

@dataclass
class Body:
    name: str
    mu: float
    radius: float
    parent: Optional["Body"] = None
    distance: Optional[float] = None

    def soi(self):
        if self.parent is None:
            return math.inf
        return self.distance * (self.mu / self.parent.mu) ** 0.4


SUN = Body("Sun", 1.32712440018e11, 695700.0)
PLANETS = {b.name: b for b in (Body("Earth", MU, RE, SUN, 1.496e8), Body("Mars", 42828.37, 3396.2, SUN, 2.279e8),
                               Body("Jupiter", 1.26686534e8, 71492.0, SUN, 7.786e8))}


def vis_viva(mu, r, a):
    return math.sqrt(mu * (2 / r - 1 / a))


def hohmann(origin, target, mu=SUN.mu):
    r1, r2 = origin.distance, target.distance
    a = (r1 + r2) / 2
    return (abs(vis_viva(mu, r1, a) - math.sqrt(mu / r1)), abs(vis_viva(mu, r2, a) - math.sqrt(mu / r2)),
            math.pi * math.sqrt(a ** 3 / mu))


def turn_angle(planet, v_inf, periapsis):
    if periapsis < planet.radius:
        raise ValueError(f"{planet.name}: the flyby hits the ground")
    e = 1 + periapsis * v_inf ** 2 / planet.mu
    return 2 * math.asin(1 / e)


def hyperbolic_time(planet, v_inf, periapsis):
    a = planet.mu / v_inf ** 2
    e = 1 + periapsis / a
    coshF = (planet.soi() / a + 1) / e
    F = math.acosh(coshF)
    return math.sqrt(a ** 3 / planet.mu) * (e * math.sinh(F) - F)


def mission(parking, altitude, capture_e):
    earth, mars, jupiter = (PLANETS[k] for k in ("Earth", "Mars", "Jupiter"))
    budget = []
    dv1, dv2, tof = hohmann(earth, mars)
    rp = earth.radius + parking
    budget.append(("escape", math.sqrt(dv1 ** 2 + 2 * earth.mu / rp) - math.sqrt(earth.mu / rp)))
    rp = mars.radius + altitude
    v_hyp = math.sqrt(dv2 ** 2 + 2 * mars.mu / rp)
    budget.append(("capture", v_hyp - math.sqrt(mars.mu * (1 + capture_e) / rp)))
    total = sum(dv for _, dv in budget)
    worst, _ = max(budget, key=lambda item: item[1])
    delta = turn_angle(jupiter, 6.0, jupiter.radius * (3 + capture_e))
    hours = hyperbolic_time(mars, dv2, rp) / 3600
    # time since periapsis when the ship passes ten radii, by Newton
    a = mars.mu / dv2 ** 2
    e = 1 + rp / a
    F = newton(lambda F: a * (e * math.cosh(F) - 1) - 10 * mars.radius, 1.5,
               fprime=lambda F: a * e * math.sinh(F))
    return total + 0.1 * delta + 0.01 * hours + 0.1 * F + (0.0 if worst == "escape" else 1.0) + tof * 1e-8


def reentry(entry_angle, ballistic):
    """An event stops the integration where the parachute opens."""
    def rhs(t, y):
        v, gamma, h = y
        rho = 1.225 * np.exp(-h / 7.2)
        g = 9.81e-3 * (RE / (RE + h)) ** 2
        return [-rho * v * v * 500 / ballistic - g * np.sin(gamma), (v / (RE + h) - g / v) * np.cos(gamma),
                v * np.sin(gamma)]
    sol = solve_ivp(rhs, (0, 60.0), [7.8, entry_angle, 120.0], rtol=1e-8, atol=1e-8, t_eval=[20.0, 40.0, 60.0])
    v, gamma, h = sol.y
    return v[-1] + 0.01 * h[-1] + gamma[-1]


PROGRAMS = [
    ("decay", decay, lambda: (np.array([6780.0, 100.0, -50.0]), np.array([0.1, 5.5, 5.3]), 0.02), (0, 1, 2)),
    ("tracking", tracking, lambda: (7000.0, 0.02, 0.9, 1.2, 0.4, 0.3), (0, 1, 2, 3, 4, 5)),
    ("slew", slew, lambda: (np.array([10.0, 12.0, 8.0]), 0.1, 1.0), (0, 1, 2)),
    ("mission", mission, lambda: (200.0, 400.0, 0.7), (0, 1, 2)),
    ("reentry", reentry, lambda: (-0.03, 300.0), (0, 1)),
]
