"""Three bodies at the corners of an equilateral triangle, which turns around their centre (Lagrange): where the first one is after some time.

A list of bodies, all pairs in two loops, Yoshida's symplectic integrator of order 4. Units with G = 1.

Reference: closed form. At rest towards each other they circle with the angular velocity sqrt((m1 + m2 + m3) / a^3) around the centre of mass.
"""
import math
from dataclasses import dataclass

import numpy as np

CBRT2 = 2.0 ** (1.0 / 3.0)
W1, W0 = 1.0 / (2.0 - CBRT2), -CBRT2 / (2.0 - CBRT2)
YOSHIDA = [(W1 / 2.0, W1), ((W0 + W1) / 2.0, W0), ((W0 + W1) / 2.0, W1), (W1 / 2.0, 0.0)]


@dataclass
class Body:
    mass: float
    position: np.ndarray
    velocity: np.ndarray


def kick(bodies, dt):
    for i, a in enumerate(bodies):
        for b in bodies[i + 1:]:
            d = b.position - a.position
            pull = d / (d @ d) ** 1.5
            a.velocity += dt * b.mass * pull
            b.velocity -= dt * a.mass * pull


def three_bodies(masses, side, t_end, steps=60):
    total = sum(masses)
    corners = [side / math.sqrt(3.0) * np.array([math.cos(a), math.sin(a)]) for a in (0.3, 0.3 + 2 * math.pi / 3, 0.3 - 2 * math.pi / 3)]
    centre = sum(m * c for m, c in zip(masses, corners)) / total
    omega = math.sqrt(total / side**3)
    bodies = []
    for m, corner in zip(masses, corners):
        r = corner - centre
        bodies.append(Body(m, r, omega * np.array([-r[1], r[0]])))
    dt = t_end / steps
    for _ in range(steps):
        for drift, kicked in YOSHIDA:
            for body in bodies:
                body.position += drift * dt * body.velocity
            if kicked:
                kick(bodies, kicked * dt)
    return bodies[0].position[0]


ALSO = ("vmap", "hvp")


def arguments():
    return [1.0, 0.4, 0.7], 1.1, 1.5


def first_body(m1, m2, m3, side, t):
    corners = side / np.sqrt(3.0) * np.exp(1j * (0.3 + np.array([0.0, 2.0, -2.0]) * np.pi / 3.0))
    r = corners[0] - (m1 * corners[0] + m2 * corners[1] + m3 * corners[2]) / (m1 + m2 + m3)
    return (r * np.exp(1j * t * np.sqrt((m1 + m2 + m3) / side**3))).real


def reference():
    (m1, m2, m3), side, t = arguments()
    return {"value": first_body(m1, m2, m3, side, t), "rtol": 1e-6}
