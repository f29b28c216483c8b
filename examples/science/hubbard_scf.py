"""Unrestricted Hartree-Fock of a Hubbard ring, self-consistent by mixing, with np.linalg.eigh in each round.

H = -t sum c+ c + U sum n_up n_down, at mean field (Lieb, Wu and many): each spin sees U times the density of the other.
Reference: scipy.optimize.root finds the densities; the self-consistent energy has the derivatives of the explicit
dependence alone (Hellmann-Feynman): a bond order for t, the product of densities for U, a density for each site.
"""
import numpy as np
from scipy.optimize import root


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


ALSO = ("vmap", "hvp")


def arguments():
    return 1.0, 4.0, np.array([0.3, -0.1, 0.2, 0.0, -0.2, 0.1])


def reference():
    t, U, site = arguments()
    ring = np.roll(np.eye(6), 1, axis=0)
    H0 = np.diag(site) - t * (ring + ring.T)

    def matrices(n):
        found = []
        for other in (n[6:], n[:6]):
            C = np.linalg.eigh(H0 + U * np.diag(other))[1][:, :3]
            found.append(C @ C.T)
        return found

    stagger = 0.3 * (-1.0) ** np.arange(6)
    n = root(lambda n: np.concatenate([np.diag(P) for P in matrices(n)]) - n, np.r_[0.5 + stagger, 0.5 - stagger], tol=1e-13).x
    up, down = matrices(n)
    both, pairs = np.diag(up + down), np.diag(up) @ np.diag(down)
    hops = -np.sum((ring + ring.T) * (up + down))
    return {"value": t * hops + both @ site + U * pairs, "rtol": 1e-10, "gradient": (hops, pairs, both)}
