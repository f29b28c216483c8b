"""Fluids and plasma: dam break, driven cavity, particles in a cell, a transport solver with a turbulence closure."""
import logging
import math
import warnings
from abc import ABC, abstractmethod
from collections import namedtuple
from dataclasses import dataclass, field
from enum import Enum, auto

import numpy as np
from scipy.linalg import solve_banded
from scipy.special import erf

log = logging.getLogger(__name__)

# ---- shallow water, finite volumes -----------------------------------------------------------------------------------

GRAVITY = 9.81
State = namedtuple("State", ["h", "hu"])


class Limiter(Enum):
    MINMOD = auto()
    VANLEER = auto()
    SUPERBEE = auto()
    NONE = auto()


def limited_slope(q, kind=Limiter.MINMOD):
    dl = q[1:-1] - q[:-2]
    dr = q[2:] - q[1:-1]
    if kind is Limiter.NONE:
        return np.zeros_like(dl)
    if kind is Limiter.MINMOD:
        return np.where(dl * dr > 0, np.where(np.abs(dl) < np.abs(dr), dl, dr), 0.0)
    if kind is Limiter.VANLEER:
        with np.errstate(divide="ignore", invalid="ignore"):
            s = 2 * dl * dr / (dl + dr)
        return np.where(dl * dr > 0, s, 0.0)
    raise NotImplementedError(f"limiter {kind.name}")


def hll_flux(left: State, right: State):
    ul, ur = left.hu / left.h, right.hu / right.h
    cl, cr = np.sqrt(GRAVITY * left.h), np.sqrt(GRAVITY * right.h)
    sl = np.minimum(ul - cl, ur - cr)
    sr = np.maximum(ul + cl, ur + cr)
    fl = State(left.hu, left.hu * ul + 0.5 * GRAVITY * left.h ** 2)
    fr = State(right.hu, right.hu * ur + 0.5 * GRAVITY * right.h ** 2)
    out = []
    for a, b, qa, qb in zip(fl, fr, left, right):
        middle = (sr * a - sl * b + sl * sr * (qb - qa)) / (sr - sl)
        out.append(np.select([sl >= 0, sr <= 0], [a, b], default=middle))
    return State(*out)


def shallow_water(h0, hu0, length=10.0, t_end=0.35, cfl=0.45, limiter="vanleer", max_steps=500):
    limiter = Limiter[limiter.upper()]
    n = h0.size
    dx = length / n
    state = State(h0.copy(), hu0.copy())
    t, step = 0.0, 0
    while t < t_end:
        speed = np.max(np.abs(state.hu / state.h) + np.sqrt(GRAVITY * state.h))
        dt = min(cfl * dx / speed, t_end - t)
        padded = State(*(np.pad(q, 2, mode="edge") for q in state))
        slopes = State(*(limited_slope(q, limiter) for q in padded))
        left = State(*(q[1:-2] + 0.5 * s[:-1] for q, s in zip(padded, slopes)))
        right = State(*(q[2:-1] - 0.5 * s[1:] for q, s in zip(padded, slopes)))
        flux = hll_flux(left, right)
        state = State(*(q - dt / dx * np.diff(f) for q, f in zip(state, flux)))
        t += dt
        step += 1
        if step >= max_steps:
            warnings.warn(f"stopped at t = {t} after {max_steps} steps", RuntimeWarning)
            break
    return state


def dam_break(h_left, h_right, friction):
    n = 40
    x = (np.arange(n) + 0.5) / n * 10.0
    h = np.where(x < 5.0, h_left, h_right)
    end = shallow_water(h, np.zeros(n))
    drag = friction * end.hu * np.abs(end.hu) / end.h ** (7 / 3)
    log.info("mass %g", end.h.sum())
    return np.trapezoid(end.hu ** 2 / end.h + drag ** 2, x)


# ---- lid-driven cavity, vorticity and stream function ----------------------------------------------------------------

@dataclass
class CavityConfig:
    n: int = 12
    steps: int = 15
    dt: float = 2e-3
    tol: float = 1e-6
    omega: float = 1.5
    max_sweeps: int = 60
    history: list = field(default_factory=list)


class Cavity:
    def __init__(self, reynolds, lid, config=None):
        self.cfg = config or CavityConfig()
        self.re = reynolds
        self.lid = lid
        n = self.cfg.n
        self.h = 1.0 / (n - 1)
        self.psi = np.zeros((n, n))
        self.w = np.zeros((n, n))

    def _poisson(self):
        """Jacobi sweeps until nothing moves."""
        h2 = self.h ** 2
        for sweep in range(self.cfg.max_sweeps):
            old = self.psi.copy()
            self.psi[1:-1, 1:-1] = 0.25 * (old[2:, 1:-1] + old[:-2, 1:-1] + old[1:-1, 2:] + old[1:-1, :-2]
                                           + h2 * self.w[1:-1, 1:-1])
            if np.linalg.norm(self.psi - old, np.inf) < self.cfg.tol:
                break
        else:
            log.debug("no convergence in %d sweeps", self.cfg.max_sweeps)
        return sweep + 1

    def _walls(self):
        h2 = self.h ** 2
        self.w[0, :] = -2 * self.psi[1, :] / h2
        self.w[-1, :] = -2 * self.psi[-2, :] / h2 - 2 * self.lid / self.h
        self.w[:, 0] = -2 * self.psi[:, 1] / h2
        self.w[:, -1] = -2 * self.psi[:, -2] / h2

    def step(self):
        sweeps = self._poisson()
        self._walls()
        psi, w, h = self.psi, self.w, self.h
        u = (psi[2:, 1:-1] - psi[:-2, 1:-1]) / (2 * h)
        v = -(psi[1:-1, 2:] - psi[1:-1, :-2]) / (2 * h)
        wx = (w[1:-1, 2:] - w[1:-1, :-2]) / (2 * h)
        wy = (w[2:, 1:-1] - w[:-2, 1:-1]) / (2 * h)
        lap = (w[2:, 1:-1] + w[:-2, 1:-1] + w[1:-1, 2:] + w[1:-1, :-2] - 4 * w[1:-1, 1:-1]) / h ** 2
        w[1:-1, 1:-1] += self.cfg.dt * (-u * wx - v * wy + lap / self.re)
        return sweeps

    @property
    def kinetic_energy(self):
        gy, gx = np.gradient(self.psi, self.h)
        return 0.5 * np.sum(gx ** 2 + gy ** 2) * self.h ** 2

    def run(self):
        for k in range(self.cfg.steps):
            sweeps = self.step()
            self.cfg.history.append(sweeps)
        return self


def cavity(reynolds, lid):
    sim = Cavity(reynolds, lid).run()
    return 1e3 * sim.kinetic_energy + 1e-3 * sim.w[-1].mean()


# ---- electrostatic particles in a cell -------------------------------------------------------------------------------

def deposit(x, n, dx, weight=1.0):
    """A triangular cloud: each particle is shared by three nodes."""
    rho = np.zeros(n)
    for cell, share in cloud(x, dx):
        np.add.at(rho, cell % n, weight * share)
    return rho / dx


def cloud(x, dx):
    centre = np.rint(x / dx).astype(int)
    d = x / dx - centre
    yield centre - 1, 0.5 * (0.5 - d) ** 2
    yield centre, 0.75 - d ** 2
    yield centre + 1, 0.5 * (0.5 + d) ** 2


def field_of(rho, length):
    n = rho.size
    k = 2 * np.pi * np.fft.fftfreq(n, d=length / n)
    rho_k = np.fft.fft(rho - rho.mean())
    phi_k = np.zeros_like(rho_k)
    phi_k[1:] = rho_k[1:] / k[1:] ** 2
    return np.real(np.fft.ifft(-1j * k * phi_k)), np.real(np.fft.ifft(phi_k))


def gather(e, x, dx):
    return sum(e[cell % len(e)] * share for cell, share in cloud(x, dx))


def two_stream(amplitude, drift, *, n=32, per_beam=48, steps=20, dt=0.1):
    length = 2 * np.pi
    dx = length / n
    base = np.linspace(0, length, per_beam, endpoint=False) + 0.01
    x = np.concatenate([base + amplitude * np.sin(base), base - amplitude * np.sin(base)])
    v = np.concatenate([drift * np.ones(per_beam), -drift * np.ones(per_beam)])
    diagnostics = {"field": [], "kinetic": []}
    for it in range(steps):
        x = np.mod(x, length)
        e, phi = field_of(-deposit(x, n, dx, weight=length / x.size), length)
        v -= gather(e, x, dx) * (dt if it else 0.5 * dt)
        x += v * dt
        diagnostics["field"].append(0.5 * np.sum(e ** 2) * dx)
        diagnostics["kinetic"].append(0.5 * np.mean(v ** 2))
        if it % 10 == 0:
            log.info("step %3d field %.3e", it, diagnostics["field"][-1])
    growth = np.polyfit(dt * np.arange(steps), np.log(diagnostics["field"]), 1)[0]
    return growth + np.mean(diagnostics["kinetic"])


# ---- radial heat transport in a tokamak, implicit, with models to choose from ----------------------------------------

class TransportModel(ABC):
    name = "abstract"

    @abstractmethod
    def chi(self, rho, T):
        ...

    def __call__(self, rho, T):
        value = self.chi(rho, T)
        if np.any(value <= 0):
            raise ValueError(f"{self.name}: chi has to be positive")
        return value


class Constant(TransportModel):
    name = "constant"

    def __init__(self, chi0):
        self.chi0 = chi0

    def chi(self, rho, T):
        return np.full_like(rho, self.chi0)


class CriticalGradient(TransportModel):
    name = "critical gradient"

    def __init__(self, chi0, stiffness, threshold=4.0, width=0.5):
        self.chi0, self.stiffness = chi0, stiffness
        self.threshold, self.width = threshold, width

    def chi(self, rho, T):
        rlt = -np.gradient(T, rho) / T
        excess = self.width * np.log1p(np.exp((rlt - self.threshold) / self.width))
        return self.chi0 + self.stiffness * excess * T ** 1.5


MODELS = {cls.name: cls for cls in (Constant, CriticalGradient)}


def heat_source(rho, power, centre=0.2, width=0.1):
    shape = np.exp(-((rho - centre) / width) ** 2)
    norm = math.sqrt(math.pi) / 2 * width * (erf((1 - centre) / width) + erf(centre / width))
    return power * shape / norm


def transport(T, rho, source, model, dt, steps, edge):
    n, dr = rho.size, rho[1] - rho[0]
    face = 0.5 * (rho[1:] + rho[:-1])
    for _ in range(steps):
        chi = model(rho, T)
        d = 0.5 * (chi[1:] + chi[:-1]) * face / dr ** 2
        ab = np.zeros((3, n))
        ab[1] = 1.0
        ab[1, :-1] += dt * d / rho[:-1]
        ab[1, 1:-1] += dt * d[:-1] / rho[1:-1]
        ab[0, 1:] = -dt * d / rho[:-1]
        ab[2, :-2] = -dt * d[:-1] / rho[1:-1]
        rhs = T + dt * source
        rhs[-1] = edge
        new = solve_banded((1, 1), ab, rhs)
        change = np.max(np.abs(new - T)) / np.max(np.abs(T))
        T = new
        if change < 1e-5:
            break
    return T


def confinement(power, chi0, stiffness, model="critical gradient"):
    rho = np.linspace(0.02, 1.0, 30)
    try:
        closure = MODELS[model](chi0, stiffness)
    except TypeError:
        closure = MODELS[model](chi0)
    start = 2.0 * (1 - rho ** 2) + 0.1
    T = transport(start, rho, heat_source(rho, power), closure, dt=0.02, steps=25, edge=0.1)
    stored = 1.5 * np.trapezoid(T * rho, rho)
    return stored / power + 0.01 * T[0]


PROGRAMS = [
    ("dam_break", dam_break, lambda: (2.0, 1.0, 0.03), (0, 1, 2)),
    ("cavity", cavity, lambda: (100.0, 1.0), (0, 1)),
    ("two_stream", two_stream, lambda: (0.05, 0.8), (0, 1)),
    ("confinement", confinement, lambda: (3.0, 0.3, 0.2), (0, 1, 2)),
]
