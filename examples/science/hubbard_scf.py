"""Unrestricted Hartree-Fock of a Hubbard ring, self-consistent by mixing, with np.linalg.eigh in each round.

H = -t sum c+ c + U sum n_up n_down, at mean field (Lieb, Wu and many): each spin sees U times the density of the other.
Reference: on a uniform ring without a staggered start, the densities are n/2 and the energy has a closed form.
The derivative with respect to t and U of the self-consistent energy is that of the explicit dependence (Hellmann-Feynman).
"""
import numpy as np


def density(H, electrons):
    energies, C = np.linalg.eigh(H)
    occupied = C[:, :electrons]
    return energies, np.einsum("ij,ij->i", occupied, occupied)


def hubbard_scf(hopping, U, site_energies, n_up=3, n_down=3, mixing=0.5, tol=1e-11):
    n = len(site_energies)
    H0 = np.diag(site_energies)
    for i in range(n):
        H0[i, (i + 1) % n] -= hopping
        H0[(i + 1) % n, i] -= hopping
    up = np.full(n, n_up / n) + 0.1 * (-1.0) ** np.arange(n)
    down = np.full(n, n_down / n) - 0.1 * (-1.0) ** np.arange(n)
    energy = np.inf
    for cycle in range(500):
        e_up, new_up = density(H0 + U * np.diag(down), n_up)
        e_down, new_down = density(H0 + U * np.diag(up), n_down)
        last, energy = energy, e_up[:n_up].sum() + e_down[:n_down].sum() - U * np.dot(up, down)
        change = np.abs(new_up - up).max() + np.abs(new_down - down).max()
        if change < tol and abs(energy - last) < tol:
            break
        up = mixing * new_up + (1 - mixing) * up
        down = mixing * new_down + (1 - mixing) * down
    else:
        raise RuntimeError("no self-consistency")
    return energy


def arguments():
    return 1.0, 4.0, np.array([0.3, -0.1, 0.2, 0.0, -0.2, 0.1])
