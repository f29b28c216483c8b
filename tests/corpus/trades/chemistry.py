"""Quantum chemistry: Hartree-Fock of H2, Hückel's molecules, a vibrational level, a force field's energy."""

import math
from collections import defaultdict, namedtuple
from itertools import combinations, product

import numpy as np
from scipy.linalg import eigh
from scipy.special import erf

# ------------------------------------------------------------------------------------------ Hartree-Fock in STO-3G


STO3G = {"H": ([3.42525091, 0.62391373, 0.16885540], [0.15432897, 0.53532814, 0.44463454])}


class Contracted:
    def __init__(self, center, element="H", scale=1.0):
        exponents, coefficients = STO3G[element]
        self.center = np.asarray(center, dtype=float)
        self.alpha = np.array(exponents) * scale**2
        self.coef = np.array(coefficients) * (2 * self.alpha / np.pi) ** 0.75

    def __iter__(self):
        return iter(zip(self.alpha, self.coef))


def boys0(t):
    if t < 1e-8:
        return 1.0 - t / 3.0
    return 0.5 * math.sqrt(math.pi / t) * erf(math.sqrt(t))


def overlap_and_kinetic(a, b):
    s = t = 0.0
    r2 = np.dot(a.center - b.center, a.center - b.center)
    for (p, cp), (q, cq) in product(a, b):
        mu = p * q / (p + q)
        pref = cp * cq * (math.pi / (p + q)) ** 1.5 * np.exp(-mu * r2)
        s += pref
        t += pref * mu * (3 - 2 * mu * r2)
    return s, t


def attraction(a, b, nuclei):
    v = 0.0
    r2 = np.sum((a.center - b.center) ** 2)
    for p, cp in a:
        for q, cq in b:
            middle = (p * a.center + q * b.center) / (p + q)
            for Z, C in nuclei:
                t = (p + q) * np.sum((middle - C) ** 2)
                v += -Z * cp * cq * 2 * np.pi / (p + q) * np.exp(-p * q / (p + q) * r2) * boys0(t)
    return v


def repulsion(a, b, c, d):
    total = 0.0
    rab = np.sum((a.center - b.center) ** 2)
    rcd = np.sum((c.center - d.center) ** 2)
    for (p, cp), (q, cq) in product(zip(a.alpha, a.coef), zip(b.alpha, b.coef)):
        P = (p * a.center + q * b.center) / (p + q)
        for (r, cr), (s, cs) in product(zip(c.alpha, c.coef), zip(d.alpha, d.coef)):
            Q = (r * c.center + s * d.center) / (r + s)
            t = (p + q) * (r + s) / (p + q + r + s) * np.sum((P - Q) ** 2)
            pref = 2 * np.pi**2.5 / ((p + q) * (r + s) * np.sqrt(p + q + r + s))
            total += cp * cq * cr * cs * pref * np.exp(-p * q / (p + q) * rab - r * s / (r + s) * rcd) * boys0(t)
    return total


def hartree_fock(bond, zeta, max_iter=25, tol=1e-12):
    nuclei = [(1.0, np.array([0.0, 0.0, 0.0])), (1.0, np.array([0.0, 0.0, bond]))]
    basis = [Contracted(R, scale=z) for (_, R), z in zip(nuclei, zeta)]
    n = len(basis)
    S, H = np.eye(n), np.empty((n, n))
    for i in range(n):
        for j in range(i + 1):
            s, t = overlap_and_kinetic(basis[i], basis[j])
            S[i, j] = S[j, i] = s
            H[i, j] = H[j, i] = t + attraction(basis[i], basis[j], nuclei)
    cache = {}
    eri = np.zeros((n, n, n, n))
    for i, j, k, m in product(range(n), repeat=4):
        key = tuple(sorted((tuple(sorted((i, j))), tuple(sorted((k, m))))))
        if key not in cache:
            cache[key] = repulsion(basis[i], basis[j], basis[k], basis[m])
        eri[i, j, k, m] = cache[key]
    D, energy = np.zeros((n, n)), 0.0
    for it in range(max_iter):
        F = H + np.einsum("ijkl,kl->ij", eri, D) - 0.5 * np.einsum("ikjl,kl->ij", eri, D)
        _, C = eigh(F, S)
        D = 2 * np.outer(C[:, 0], C[:, 0])
        new = 0.5 * np.sum(D * (H + F))
        if abs(new - energy) < tol and it > 8:
            break
        energy = new
    else:
        raise RuntimeError("the self-consistent field did not settle")
    return new + 1.0 / bond


def hartree_fock_args():
    return 1.4, np.array([1.24, 1.2])


# --------------------------------------------------------------------------------------------------- Hückel's molecules


def adjacency(bonds):
    graph = defaultdict(list)
    for i, j in bonds:
        graph[i].append(j)
        graph[j].append(i)
    return graph


def huckel(alpha, beta, twist, n_electrons=6):
    """Energy of the pi electrons of a twisted hexatriene, plus a penalty on bond orders."""
    bonds = [(i, i + 1) for i in range(5)]
    graph = adjacency(bonds)
    n = len(graph)
    H = np.diag(np.full(n, alpha))
    for atom, neighbours in sorted(graph.items()):
        for other in neighbours:
            factor = np.cos(twist) if {atom, other} == {2, 3} else 1.0
            H[atom, other] = beta * factor * (1.1 if min(atom, other) % 2 == 0 else 0.9)
    levels, orbitals = np.linalg.eigh(H)
    order = np.argsort(levels)
    occupation = np.zeros(n)
    left = n_electrons
    for k in order:
        if left <= 0:
            break
        occupation[k] = min(2, left)
        left -= 2
    total = occupation @ levels
    orders = [np.sum(occupation * orbitals[i] * orbitals[j]) for i, j in bonds]
    return total + 0.3 * np.std(orders)


def huckel_args():
    return -11.2, -2.7, 0.4


# ----------------------------------------------------------------------------------------------- a vibrational level


def morse(r, De, a, re):
    return De * (1 - np.exp(-a * (r - re))) ** 2


def numerov(E, r, V, mass):
    k2 = 2 * mass * (E - V)
    h2 = (r[1] - r[0]) ** 2 / 12
    psi = np.zeros_like(r)
    psi[1] = 1e-6
    for i in range(1, len(r) - 1):
        psi[i + 1] = (2 * (1 - 5 * h2 * k2[i]) * psi[i] - (1 + h2 * k2[i - 1]) * psi[i - 1]) / (1 + h2 * k2[i + 1])
        if abs(psi[i + 1]) > 1e8:
            psi[: i + 2] /= 1e8
    return psi[-1] / psi[len(r) // 2], psi


def vibrational_level(De, a, re=1.4, mass=918.0, points=160):
    """Secant search for the ground state by shooting, from the harmonic guess."""
    r = np.linspace(0.5, 3.2, points)
    V = morse(r, De, a, re)
    guess = 0.5 * a * np.sqrt(2 * De / mass)
    e0, e1 = 0.96 * guess, 0.99 * guess
    f0, _ = numerov(e0, r, V, mass)
    f1, _ = numerov(e1, r, V, mass)
    n = 0
    while abs(e1 - e0) > 1e-13 and n < 50:
        try:
            e0, e1, f0 = e1, e1 - f1 * (e1 - e0) / (f1 - f0), f1
        except ZeroDivisionError:
            break
        f1, psi = numerov(e1, r, V, mass)
        n += 1
    return e1


def vibrational_level_args():
    return 0.17, 1.02


# ------------------------------------------------------------------------------------------------- a force field


Bond = namedtuple("Bond", "i j k r0")
Angle = namedtuple("Angle", "i j k strength theta0")


class ForceField:
    def __init__(self, bonds, angles, charges, epsilon=0.1, sigma=0.9):
        self.bonds, self.angles = bonds, angles
        self.charges, self.epsilon, self.sigma = charges, epsilon, sigma
        self.excluded = {frozenset((b.i, b.j)) for b in bonds} | {frozenset((a.i, a.k)) for a in angles}

    def bonded(self, xyz):
        e = 0
        for b in self.bonds:
            e += 0.5 * b.k * (np.linalg.norm(xyz[b.i] - xyz[b.j]) - b.r0) ** 2
        for i, j, k, strength, theta0 in self.angles:
            u, v = xyz[i] - xyz[j], xyz[k] - xyz[j]
            cosine = np.dot(u, v) / (np.linalg.norm(u) * np.linalg.norm(v))
            e += 0.5 * strength * (np.arccos(np.clip(cosine, -1.0, 1.0)) - theta0) ** 2
        return e

    def nonbonded(self, xyz):
        energy = dict.fromkeys(("coulomb", "lj"), 0.0)
        for i, j in combinations(range(len(xyz)), 2):
            if frozenset((i, j)) in self.excluded:
                continue
            r = np.linalg.norm(xyz[i] - xyz[j])
            s6 = (self.sigma / r) ** 6
            energy["lj"] += 4 * self.epsilon * (s6**2 - s6)
            energy["coulomb"] += self.charges[i] * self.charges[j] / r
        return energy

    def __call__(self, xyz):
        return self.bonded(xyz) + sum(self.nonbonded(xyz).values())


def strain(xyz, charges):
    bonds = [Bond(0, 1, 300.0, 1.0), Bond(1, 2, 250.0, 1.1), Bond(2, 3, 300.0, 1.0), Bond(3, 4, 220.0, 1.05)]
    angles = [Angle(0, 1, 2, 40.0, 1.9), Angle(1, 2, 3, 40.0, 1.9), Angle(2, 3, 4, 35.0, 2.0)]
    field = ForceField(bonds, angles, charges - np.mean(charges))
    return field(xyz)


def strain_args():
    xyz = np.array([[0, 0, 0], [1.02, 0.1, 0], [1.4, 1.1, 0.1], [2.4, 1.2, 0.3], [2.8, 2.2, 0.2]], dtype=float)
    return xyz, np.array([0.2, -0.3, 0.1, 0.25, -0.2])


PROGRAMS = [
    ("hartree_fock", hartree_fock, hartree_fock_args, (0, 1)),
    ("huckel", huckel, huckel_args, (0, 1, 2)),
    ("vibrational_level", vibrational_level, vibrational_level_args, (0, 1)),
    ("force_field", strain, strain_args, (0, 1)),
]
