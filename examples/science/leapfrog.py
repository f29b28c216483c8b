"""Symplectic leapfrog for a ball on a spring: how far its energy is from what it had at the start, after some periods.

Units: kg, m, s. The scheme is kick-drift-kick (Verlet); an oscillator of frequency w stays on an ellipse for it,
p^2 / (m^2) + w^2 (1 - (w dt / 2)^2) q^2 = const, and turns on it by the angle 2 arcsin(w dt / 2) in each step (Hairer, Lubich and Wanner,
Geometric Numerical Integration, chapter I.5).

Reference: closed form, from that angle: q and p after n steps.
"""
import numpy as np


class Oscillator:
    def __init__(self, mass, stiffness, q, p):
        self.mass = mass
        self.stiffness = stiffness
        self.q = np.array(q)
        self.p = np.array(p)

    def force(self):
        return -self.stiffness * self.q

    def energy(self):
        return np.sum(self.p**2) / (2.0 * self.mass) + 0.5 * self.stiffness * np.sum(self.q**2)

    def step(self, dt):
        self.p += 0.5 * dt * self.force()
        self.q += dt * self.p / self.mass
        self.p += 0.5 * dt * self.force()


def leapfrog(q0, p0, mass, stiffness, dt, steps):
    ball = Oscillator(mass, stiffness, q0, p0)
    before = ball.energy()
    for _ in range(steps):
        ball.step(dt)
    return (ball.energy() - before) / before


ALSO = ("vmap", "hvp")


def arguments():
    return np.array([1.0, -0.5]), np.array([0.2, 0.4]), 1.5, 4.0, 0.1, 30


def reference():
    q0, p0, m, k, dt, n = arguments()
    w = np.sqrt(k / m)
    angle, squeezed = 2.0 * np.arcsin(w * dt / 2.0), m * w * np.sqrt(1.0 - (w * dt / 2.0) ** 2)
    q = q0 * np.cos(n * angle) + p0 / squeezed * np.sin(n * angle)
    p = p0 * np.cos(n * angle) - squeezed * q0 * np.sin(n * angle)

    def energy(q, p):
        return p @ p / (2.0 * m) + 0.5 * k * q @ q
    return {"value": energy(q, p) / energy(q0, p0) - 1.0, "rtol": 1e-10}
