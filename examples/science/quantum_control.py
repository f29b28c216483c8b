"""Fidelity of a pulse on two coupled spins: piecewise constant control, matrix exponentials, partial trace.

Khaneja et al., "Optimal control of coupled spin dynamics" (GRAPE, 2005). The exponential is a Taylor series with
scaling and squaring.
Reference: scipy.linalg.expm step by step, and the purity by the singular values of the state.
"""
import numpy as np
import scipy.linalg

sx = np.array([[0, 1], [1, 0]], dtype=complex)
sy = np.array([[0, -1j], [1j, 0]])
sz = np.diag([1.0 + 0j, -1.0])
one = np.eye(2)


def expm(A, order=14):
    norm = np.abs(A).sum(axis=0).max()
    squarings = 0
    while norm > 0.5:
        norm /= 2
        squarings += 1
    A = A / 2.0**squarings
    term = np.eye(len(A), dtype=complex)
    total = term.copy()
    for k in range(1, order + 1):
        term = term @ A / k
        total += term
    for _ in range(squarings):
        total = total @ total
    return total


def hamiltonian(ux, uy, coupling):
    drift = coupling * np.kron(sz, sz) + 0.3 * np.kron(sz, one)
    return drift + ux * (np.kron(sx, one) + np.kron(one, sx)) + uy * (np.kron(sy, one) + np.kron(one, sy))


def quantum_control(pulse, coupling, dt=0.4):
    psi = np.zeros(4, dtype=complex)
    psi[0] = 1.0
    for ux, uy in pulse:
        psi = expm(-1j * dt * hamiltonian(ux, uy, coupling)) @ psi
    target = np.array([1.0, 0, 0, 1j]) / np.sqrt(2)
    fidelity = np.abs(np.vdot(target, psi)) ** 2
    rho = np.outer(psi, psi.conj()).reshape(2, 2, 2, 2)
    reduced = np.trace(rho, axis1=1, axis2=3)
    purity = np.real(np.trace(reduced @ reduced))
    return 1.0 - fidelity + 0.1 * purity + 1e-3 * np.sum(pulse**2)


ALSO = ("vmap", "hvp")


def arguments():
    rng = np.random.default_rng(2)
    return rng.normal(size=(6, 2)), 0.7


def reference():
    pulse, coupling = arguments()
    psi = np.array([1.0, 0, 0, 0], dtype=complex)
    for ux, uy in pulse:
        psi = scipy.linalg.expm(-0.4j * hamiltonian(ux, uy, coupling)) @ psi
    m = psi.reshape(2, 2)
    schmidt = np.linalg.svd(m, compute_uv=False)
    fidelity = abs(psi[0] - 1j * psi[3]) ** 2 / 2
    return {"value": 1.0 - fidelity + 0.1 * np.sum(schmidt**4) + 1e-3 * np.sum(pulse**2), "rtol": 1e-12}
