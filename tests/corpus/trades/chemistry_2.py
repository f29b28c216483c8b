"""Quantum chemistry: Hartree-Fock with Gaussians read from a text, CI, vibrations, a diatomic in a grid."""
import itertools
import re
from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache, reduce
from math import factorial

import numpy as np
import scipy.linalg as sla
from scipy import constants
from scipy.special import comb, erf, factorial2

# ---- restricted Hartree-Fock over contracted s functions -------------------------------------------------------------

BASIS = """
H   S  3
    3.42525091   0.15432897
    0.62391373   0.53532814
    0.16885540   0.44463454
He  S  3
    6.36242139   0.15432897
    1.15892300   0.53532814
    0.31364979   0.44463454
"""


def parse_basis(text):
    basis = defaultdict(list)
    symbol = None
    for line in text.strip().splitlines():
        words = line.split()
        if re.match(r"^[A-Z][a-z]?$", words[0]):
            symbol = words[0]
        else:
            basis[symbol].append(tuple(float(w) for w in words))
    return dict(basis)


CHARGES = {"H": 1, "He": 2}


@dataclass(frozen=True)
class Shell:
    centre: np.ndarray
    exponents: tuple
    coefficients: tuple

    def primitives(self):
        for a, c in zip(self.exponents, self.coefficients):
            yield a, c * (2 * a / np.pi) ** 0.75


def boys0(t):
    if t < 1e-8:
        return 1.0 - t / 3.0
    return 0.5 * np.sqrt(np.pi / t) * erf(np.sqrt(t))


def product_centre(a, A, b, B):
    p = a + b
    return p, (a * A + b * B) / p, np.exp(-a * b / p * np.sum((A - B) ** 2))


def overlap(s1, s2):
    total = 0.0
    for (a, ca), (b, cb) in itertools.product(s1.primitives(), s2.primitives()):
        p, _, k = product_centre(a, s1.centre, b, s2.centre)
        total += ca * cb * k * (np.pi / p) ** 1.5
    return total


def kinetic(s1, s2):
    total = 0.0
    r2 = np.dot(s1.centre - s2.centre, s1.centre - s2.centre)
    for (a, ca), (b, cb) in itertools.product(s1.primitives(), s2.primitives()):
        p, _, k = product_centre(a, s1.centre, b, s2.centre)
        q = a * b / p
        total += ca * cb * q * (3 - 2 * q * r2) * k * (np.pi / p) ** 1.5
    return total


def nuclear(s1, s2, atoms):
    total = 0.0
    for a, ca in s1.primitives():
        for b, cb in s2.primitives():
            p, P, k = product_centre(a, s1.centre, b, s2.centre)
            for z, R in atoms:
                total -= ca * cb * z * 2 * np.pi / p * k * boys0(p * np.sum((P - R) ** 2))
    return total


def repulsion(s1, s2, s3, s4):
    total = 0.0
    for (a, ca) in s1.primitives():
        for (b, cb) in s2.primitives():
            p, P, k1 = product_centre(a, s1.centre, b, s2.centre)
            for (c, cc) in s3.primitives():
                for (d, cd) in s4.primitives():
                    q, Q, k2 = product_centre(c, s3.centre, d, s4.centre)
                    t = p * q / (p + q) * np.sum((P - Q) ** 2)
                    total += ca * cb * cc * cd * k1 * k2 * boys0(t) * 2 * np.pi ** 2.5 / (p * q * np.sqrt(p + q))
    return total


class RHF:
    def __init__(self, symbols, coordinates, charge=0, basis=BASIS):
        table = parse_basis(basis)
        self.atoms = [(CHARGES[s], xyz) for s, xyz in zip(symbols, coordinates)]
        self.shells = [Shell(xyz, *zip(*table[s])) for s, xyz in zip(symbols, coordinates)]
        self.electrons = sum(z for z, _ in self.atoms) - charge
        if self.electrons % 2:
            raise ValueError("closed shells only")

    @property
    def nuclear_repulsion(self):
        return sum(za * zb / np.linalg.norm(ra - rb)
                   for (za, ra), (zb, rb) in itertools.combinations(self.atoms, 2))

    def matrices(self):
        n = len(self.shells)
        S, H = np.zeros((n, n)), np.zeros((n, n))
        for i, j in itertools.combinations_with_replacement(range(n), 2):
            S[i, j] = S[j, i] = overlap(self.shells[i], self.shells[j])
            H[i, j] = H[j, i] = kinetic(self.shells[i], self.shells[j]) + nuclear(
                self.shells[i], self.shells[j], self.atoms)
        eri = np.empty((n,) * 4)
        for idx in itertools.product(range(n), repeat=4):
            eri[idx] = repulsion(*[self.shells[k] for k in idx])
        return S, H, eri

    def energy(self, tol=1e-9, maxiter=60):
        S, H, eri = self.matrices()
        nocc = self.electrons // 2
        X = sla.sqrtm(np.linalg.inv(S))
        D = np.zeros_like(H)
        e_old = 0.0
        for it in range(maxiter):
            J = np.einsum("pqrs,rs->pq", eri, D)
            K = np.einsum("prqs,rs->pq", eri, D)
            F = H + 2 * J - K
            eps, C = np.linalg.eigh(X.T @ F @ X)
            C = X @ C
            D = C[:, :nocc] @ C[:, :nocc].T
            e = np.sum(D * (H + F))
            if abs(e - e_old) < tol:
                break
            e_old = e
        else:
            raise RuntimeError("SCF has not converged")
        return e + self.nuclear_repulsion


def helium_hydride(distance):
    coordinates = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 1.0]]) * distance
    return RHF(["He", "H"], coordinates, charge=+1).energy()


# ---- full configuration interaction of a Hubbard chain ---------------------------------------------------------------

def determinants(sites, electrons):
    return [sum(1 << k for k in occ) for occ in itertools.combinations(range(sites), electrons)]


def hop_sign(state, i, j):
    lo, hi = min(i, j), max(i, j)
    between = (state >> (lo + 1)) & ((1 << (hi - lo - 1)) - 1)
    return -1 if bin(between).count("1") % 2 else 1


@lru_cache(maxsize=None)
def hop_table(sites, electrons, periodic=True):
    states = determinants(sites, electrons)
    where = {s: k for k, s in enumerate(states)}
    bonds = [(i, i + 1) for i in range(sites - 1)] + ([(0, sites - 1)] if periodic and sites > 2 else [])
    found = []
    for col, s in enumerate(states):
        for n, (i, j) in enumerate(bonds):
            for a, b in ((i, j), (j, i)):
                if s >> b & 1 and not s >> a & 1:
                    new = s & ~(1 << b) | 1 << a
                    found.append((where[new], col, n, hop_sign(s, a, b)))
    return found, len(states), len(bonds)


def hubbard(t, u, mu, sites=4, up=2, down=2):
    t = np.asarray(t, dtype=float)
    table, nu, _ = hop_table(sites, up)
    T = np.zeros((nu, nu))
    for row, col, bond, sign in table:
        T[row, col] += -t[bond] * sign
    states = determinants(sites, up)
    occupied = np.array([[s >> k & 1 for k in range(sites)] for s in states])
    H = np.kron(T, np.eye(nu)) + np.kron(np.eye(nu), T)
    double = np.einsum("ik,jk->ij", occupied, occupied).ravel()
    H[np.diag_indices(nu * nu)] += u * double - mu * (up + down)
    w, v = np.linalg.eigh(H)
    ground = v[:, 0] ** 2
    return w[0] + 0.1 * ground @ double


# ---- harmonic vibrations of a triatomic from a force field -----------------------------------------------------------

AMU = constants.physical_constants["atomic mass constant"][0] / constants.m_e
MASSES = dict(O=15.999, H=1.008, C=12.011)


def bond_length(x, i, j):
    return np.linalg.norm(x[i] - x[j])


def bond_angle(x, i, j, k):
    u, v = x[i] - x[j], x[k] - x[j]
    c = u @ v / (np.linalg.norm(u) * np.linalg.norm(v))
    return np.arccos(np.clip(c, -1.0, 1.0))


class ForceField:
    def __init__(self, **terms):
        self.terms = terms

    def energy(self, x):
        e = 0.0
        for kind, items in self.terms.items():
            for *atoms, k, eq in items:
                if kind == "bonds":
                    e += 0.5 * k * (bond_length(x, *atoms) - eq) ** 2
                elif kind == "angles":
                    e += 0.5 * k * (bond_angle(x, *atoms) - eq) ** 2
                else:
                    raise KeyError(f"unknown term: {kind!r}")
        return e


def numerical_hessian(f, x, h=1e-3):
    flat = x.reshape(-1)
    n = flat.size
    hess = np.zeros((n, n))
    steps = np.eye(n) * h
    for i in range(n):
        for j in range(i, n):
            total = 0
            for si, sj in itertools.product((1, -1), repeat=2):
                total += si * sj * f((flat + si * steps[i] + sj * steps[j]).reshape(x.shape))
            hess[i, j] = hess[j, i] = total / (4 * h * h)
    return hess


def zero_point(k_bond, k_angle):
    angle = np.deg2rad(104.5)
    r = 1.81
    x = np.array([[0, 0, 0], [r, 0, 0], [r * np.cos(angle), r * np.sin(angle), 0]], dtype=float)
    ff = ForceField(bonds=[(0, 1, k_bond, r), (0, 2, k_bond, r)], angles=[(1, 0, 2, k_angle, angle)])
    hess = numerical_hessian(ff.energy, x)
    m = np.repeat([MASSES[s] * AMU for s in "OHH"], 3)
    w2 = np.linalg.eigvalsh(hess / np.sqrt(np.outer(m, m)))
    real = w2[-3:]
    freq = np.sqrt(real)
    kt = 9.5e-4
    zpe = 0.5 * freq.sum()
    thermal = sum(w / np.expm1(w / kt) for w in freq)
    return 1e3 * (zpe + thermal)


# ---- a Morse oscillator in harmonic-oscillator functions -------------------------------------------------------------

@lru_cache
def hermite_norm(n):
    return 1.0 / np.sqrt(2.0 ** n * factorial(n) * np.sqrt(np.pi))


def ho_functions(nmax, q):
    """Normalised, by the recurrence in n."""
    psi = [np.pi ** -0.25 * np.exp(-q * q / 2)]
    psi.append(np.sqrt(2.0) * q * psi[0])
    for n in range(2, nmax):
        psi.append(np.sqrt(2.0 / n) * q * psi[-1] - np.sqrt((n - 1) / n) * psi[-2])
    return np.array(psi[:nmax])


def morse_levels(depth, alpha, mass=1.0, nmax=14, points=40):
    nodes, weights = np.polynomial.hermite.hermgauss(points)
    omega = alpha * np.sqrt(2 * depth / mass)
    scale = 1 / np.sqrt(mass * omega)
    basis = ho_functions(nmax, nodes)
    potential = depth * (1 - np.exp(-alpha * scale * nodes)) ** 2
    w = weights * np.exp(nodes ** 2)
    V = (basis * (w * potential)) @ basis.T
    n = np.arange(nmax)
    T = np.diag(0.5 * omega * (n + 0.5))
    off = -0.25 * omega * np.sqrt((n[:-2] + 1) * (n[:-2] + 2))
    T = T + np.diag(off, 2) + np.diag(off, -2)
    return sla.eigh(T + V, eigvals_only=True)


def franck_condon(depth, alpha, shift):
    levels = morse_levels(depth, alpha)
    huang = shift ** 2 / 2
    lines = {}
    for v in range(4):
        lines[f"0-{v}"] = np.exp(-huang) * huang ** v / factorial(v), levels[v] - levels[0]
    strength, energy = zip(*lines.values())
    mean = np.average(energy, weights=strength)
    binom = reduce(lambda s, k: s + comb(4, k) * factorial2(2 * k - 1 if k else 0), range(3), 0.0)
    return mean + levels[0] + 1e-3 * binom * depth


PROGRAMS = [
    ("helium_hydride", helium_hydride, lambda: (1.4632,), (0,)),
    ("hubbard", hubbard, lambda: (np.array([1.0, 0.9, 1.1, 0.95]), 4.0, 0.5), (0, 1, 2)),
    ("zero_point", zero_point, lambda: (0.54, 0.16), (0, 1)),
    ("franck_condon", franck_condon, lambda: (10.0, 0.4, 0.8), (0, 1, 2)),
]
