"""Fluid and plasma: a channel with a lid, a shock tube, particles in a cell, friction in a network of pipes."""

import logging
import warnings
from collections import namedtuple
from dataclasses import dataclass, field

import numpy as np

log = logging.getLogger(__name__)


# ---------------------------------------------------------------------------------------------- a cavity with a lid


def pressure_poisson(p, b, dx, dy, tol=1e-4, max_sweeps=40):
    """Jacobi sweeps until the pressure changes no more."""
    sweeps = 0
    change = 1.0
    while change > tol and sweeps < max_sweeps:
        pn = p.copy()
        p[1:-1, 1:-1] = (
            (pn[1:-1, 2:] + pn[1:-1, :-2]) * dy**2
            + (pn[2:, 1:-1] + pn[:-2, 1:-1]) * dx**2
            - b[1:-1, 1:-1] * dx**2 * dy**2
        ) / (2 * (dx**2 + dy**2))
        p[:, -1] = p[:, -2]
        p[0, :] = p[1, :]
        p[:, 0] = p[:, 1]
        p[-1, :] = 0.0
        change = np.abs(p - pn).max()
        sweeps += 1
    if sweeps == max_sweeps:
        log.debug("the pressure has not settled after %d sweeps", sweeps)
    return p


def cavity_source(rho, dt, u, v, dx, dy):
    b = np.zeros_like(u)
    ux = (u[1:-1, 2:] - u[1:-1, 0:-2]) / (2 * dx)
    vy = (v[2:, 1:-1] - v[0:-2, 1:-1]) / (2 * dy)
    uy = (u[2:, 1:-1] - u[0:-2, 1:-1]) / (2 * dy)
    vx = (v[1:-1, 2:] - v[1:-1, 0:-2]) / (2 * dx)
    b[1:-1, 1:-1] = rho * ((ux + vy) / dt - ux**2 - 2 * uy * vx - vy**2)
    return b


def cavity_energy(lid, nu, nx=9, ny=9, steps=6, rho=1.0, dt=0.005):
    dx, dy = 2.0 / (nx - 1), 2.0 / (ny - 1)
    u = np.zeros((ny, nx))
    v = np.zeros((ny, nx))
    p = np.zeros((ny, nx))
    for _ in range(steps):
        un, vn = u.copy(), v.copy()
        b = cavity_source(rho, dt, u, v, dx, dy)
        p = pressure_poisson(p, b, dx, dy, tol=0.0)
        for w, wn, grad_p in ((u, un, (p[1:-1, 2:] - p[1:-1, :-2]) / (2 * dx)),
                              (v, vn, (p[2:, 1:-1] - p[:-2, 1:-1]) / (2 * dy))):
            w[1:-1, 1:-1] = (
                wn[1:-1, 1:-1]
                - un[1:-1, 1:-1] * dt / dx * (wn[1:-1, 1:-1] - wn[1:-1, :-2])
                - vn[1:-1, 1:-1] * dt / dy * (wn[1:-1, 1:-1] - wn[:-2, 1:-1])
                - dt / rho * grad_p
                + nu * dt / dx**2 * (wn[1:-1, 2:] - 2 * wn[1:-1, 1:-1] + wn[1:-1, :-2])
                + nu * dt / dy**2 * (wn[2:, 1:-1] - 2 * wn[1:-1, 1:-1] + wn[:-2, 1:-1])
            )
        u[0, :] = u[:, 0] = u[:, -1] = 0
        v[0, :] = v[-1, :] = v[:, 0] = v[:, -1] = 0
        u[-1, :] = lid
    return 0.5 * rho * np.sum(u**2 + v**2) * dx * dy


def cavity_args():
    return 1.3, 0.08


# -------------------------------------------------------------------------------------------------- a shock tube


@dataclass
class Gas:
    gamma: float = 1.4
    cfl: float = 0.4
    history: list = field(default_factory=list)

    def pressure(self, U):
        return (self.gamma - 1) * (U[2] - 0.5 * U[1] ** 2 / U[0])

    def sound(self, U):
        return np.sqrt(self.gamma * self.pressure(U) / U[0])

    def flux(self, U):
        u = U[1] / U[0]
        p = self.pressure(U)
        return np.array([U[1], U[1] * u + p, u * (U[2] + p)])


def rusanov(gas, U):
    left, right = U[:, :-1], U[:, 1:]
    speed = np.maximum(np.abs(left[1] / left[0]) + gas.sound(left), np.abs(right[1] / right[0]) + gas.sound(right))
    return 0.5 * (gas.flux(left) + gas.flux(right)) - 0.5 * speed * (right - left)


def shock_tube(rho_left, p_left, gamma=1.4, n=24, t_end=0.12):
    gas = Gas(gamma=gamma)
    x = (np.arange(n) + 0.5) / n
    rho = np.where(x < 0.5, rho_left, 0.125)
    p = np.where(x < 0.5, p_left, 0.1)
    U = np.vstack((rho, np.zeros(n), p / (gamma - 1)))
    t, dx = 0.0, 1.0 / n
    while t < t_end:
        dt = gas.cfl * dx / np.max(np.abs(U[1] / U[0]) + gas.sound(U))
        if t + dt > t_end:
            dt = t_end - t
        F = rusanov(gas, U)
        U[:, 1:-1] -= dt / dx * (F[:, 1:] - F[:, :-1])
        t += dt
        gas.history.append((t, U[0].sum() * dx))
    times, mass = zip(*gas.history)
    return float(np.trapezoid(U[0] * (x - 0.5) ** 2, x) + 0.1 * np.mean(mass))


def shock_tube_args():
    return 1.0, 1.05


# ----------------------------------------------------------------------------------------------- particles in a cell


Species = namedtuple("Species", ["x", "v", "charge", "mass"])


def deposit(species, n_cells, length):
    """Linear weights onto the grid, the grid being periodic."""
    dx = length / n_cells
    rho = np.zeros(n_cells)
    cell = np.floor(species.x / dx).astype(int)
    w = species.x / dx - cell
    np.add.at(rho, cell % n_cells, species.charge * (1 - w))
    np.add.at(rho, (cell + 1) % n_cells, species.charge * w)
    return rho / dx


def field_of(rho, length):
    n = len(rho)
    k = 2 * np.pi * np.fft.fftfreq(n, d=length / n)
    rho_k = np.fft.fft(rho - rho.mean())
    phi_k = np.zeros(n, dtype=complex)
    phi_k[1:] = rho_k[1:] / k[1:] ** 2
    return np.real(np.fft.ifft(-1j * k * phi_k))


def two_stream(drift, amplitude, n_particles=60, n_cells=16, steps=12, dt=0.1):
    length = 2 * np.pi / 0.6
    x0 = np.linspace(0, length, n_particles, endpoint=False) + 0.0137
    x = (x0 + amplitude * np.sin(2 * np.pi * x0 / length)) % length
    sign = np.where(np.arange(n_particles) % 2 == 0, 1.0, -1.0)
    electrons = Species(x, drift * sign, charge=-length / n_particles, mass=length / n_particles)
    diagnostics = {"field": [], "kinetic": []}
    for _ in range(steps):
        E = field_of(deposit(electrons, n_cells, length), length)
        dx = length / n_cells
        cell = (electrons.x // dx).astype(int)
        w = electrons.x / dx - cell
        E_at = E[cell % n_cells] * (1 - w) + E[(cell + 1) % n_cells] * w
        v = electrons.v + dt * electrons.charge / electrons.mass * E_at
        electrons = electrons._replace(x=(electrons.x + dt * v) % length, v=v)
        diagnostics["field"].append(0.5 * np.sum(E**2) * dx)
        diagnostics["kinetic"].append(0.5 * electrons.mass * np.sum(v**2))
    return diagnostics["field"][-1] + np.mean(diagnostics["field"]) + 0.1 * diagnostics["kinetic"][-1]


def two_stream_args():
    return 0.83, 0.05


# ------------------------------------------------------------------------------------------------- a network of pipes


def friction_factor(reynolds, roughness, tol=1e-13):
    """Colebrook's factor by fixed-point iteration; laminar below 2300."""
    if reynolds <= 0:
        raise ValueError("Reynolds number must be positive")
    if reynolds < 2300:
        return 64 / reynolds
    if reynolds < 4000:
        warnings.warn("transition between laminar and turbulent", stacklevel=2)
    x = -1.8 * np.log10((roughness / 3.7) ** 1.11 + 6.9 / reynolds)
    for _ in range(60):
        new = -2 * np.log10(roughness / 3.7 + 2.51 * x / reynolds)
        if abs(new - x) < tol:
            break
        x = new
    return 1 / new**2


class PipeNetwork:
    """Hardy Cross: loops of pipes whose flows are corrected until the heads around each loop close."""

    g = 9.81

    def __init__(self, nu=1.0e-6):
        self.nu = nu
        self.pipes = {}
        self.loops = []

    def add_pipe(self, name, length, diameter, roughness, flow):
        self.pipes[name] = {"L": length, "D": diameter, "eps": roughness, "Q": flow}

    def add_loop(self, *members):
        self.loops.append(members)

    def resistance(self, name):
        pipe = self.pipes[name]
        area = np.pi * pipe["D"] ** 2 / 4
        reynolds = abs(pipe["Q"]) * pipe["D"] / (area * self.nu)
        f = friction_factor(reynolds, pipe["eps"] / pipe["D"])
        return f * pipe["L"] / (2 * self.g * pipe["D"] * area**2)

    def solve(self, rounds=8):
        for _ in range(rounds):
            for members in self.loops:
                head, slope = 0.0, 0.0
                for name, sign in members:
                    r, q = self.resistance(name), self.pipes[name]["Q"]
                    head += sign * r * q * abs(q)
                    slope += 2 * r * abs(q)
                correction = -head / slope
                for name, sign in members:
                    self.pipes[name]["Q"] += sign * correction
        return {name: pipe["Q"] for name, pipe in self.pipes.items()}


def pipe_losses(diameters, inflow):
    net = PipeNetwork()
    split = [0.6, 0.4, 0.25, 0.2, 0.2]
    for name, d, share in zip("abcde", diameters, split):
        net.add_pipe(name, length=100.0 + 20 * ord(name) % 7, diameter=d, roughness=1e-4, flow=share * inflow)
    net.add_loop(("a", 1), ("c", 1), ("b", -1))
    net.add_loop(("d", 1), ("e", -1), ("c", -1))
    flows = net.solve()
    return sum(net.resistance(k) * abs(q) ** 3 for k, q in flows.items())


def pipe_losses_args():
    return np.array([0.3, 0.25, 0.2, 0.22, 0.21]), 0.12


PROGRAMS = [
    ("lid_driven_cavity", cavity_energy, cavity_args, (0, 1)),
    ("shock_tube", shock_tube, shock_tube_args, (0, 1)),
    ("two_stream", two_stream, two_stream_args, (0, 1)),
    ("pipe_network", pipe_losses, pipe_losses_args, (0, 1)),
]
