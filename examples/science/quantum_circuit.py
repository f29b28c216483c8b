"""A variational quantum circuit on a state vector: rotations and CNOTs by tensordot, energy of a transverse Ising chain.

The ansatz and the energy are those of a variational quantum eigensolver (Peruzzo et al. 2014).
Reference: the circuit as a product of 2^n x 2^n Kronecker products; derivatives by the parameter-shift rule,
dE/dt = (E(t + pi/2) - E(t - pi/2)) / 2, which is exact for rotations.
"""
import numpy as np

H = np.array([[1, 1], [1, -1]]) / np.sqrt(2)
CNOT = np.eye(4)[[0, 1, 3, 2]].reshape(2, 2, 2, 2)


def ry(t):
    return np.array([[np.cos(t / 2), -np.sin(t / 2)], [np.sin(t / 2), np.cos(t / 2)]])


def rz(t):
    return np.diag(np.exp([-0.5j * t, 0.5j * t]))


def apply(state, gate, *qubits):
    k = len(qubits)
    state = np.tensordot(gate, state, axes=(range(k, 2 * k), qubits))
    return np.moveaxis(state, range(k), qubits)


class Circuit:
    def __init__(self, n):
        self.n = n
        self.state = np.zeros((2,) * n, dtype=complex)
        self.state[(0,) * n] = 1

    def run(self, gate, *qubits):
        self.state = apply(self.state, gate, *qubits)
        return self

    def energy(self, field):
        probabilities = np.abs(self.state) ** 2
        total = 0.0
        for i in range(self.n - 1):
            other = tuple(k for k in range(self.n) if k not in (i, i + 1))
            p = probabilities.sum(axis=other)
            total -= p[0, 0] + p[1, 1] - p[0, 1] - p[1, 0]
        for i in range(self.n):
            flipped = np.flip(self.state, axis=i)
            total -= field * np.vdot(self.state, flipped).real
        return total


def quantum_circuit(angles, field):
    layers, n, _ = angles.shape
    circuit = Circuit(n)
    for q in range(n):
        circuit.run(H, q)
    for layer in range(layers):
        for q in range(n):
            circuit.run(ry(angles[layer, q, 0]), q).run(rz(angles[layer, q, 1]), q)
        for q in range(n - 1):
            circuit.run(CNOT, q, q + 1)
    return circuit.energy(field)


ALSO = ("vmap", "hvp")


def arguments():
    return np.random.default_rng(3).uniform(-np.pi, np.pi, size=(2, 3, 2)), 0.8


def kron(a, b, c):
    return np.kron(np.kron(a, b), c)


def by_matrices(angles, field):
    E, sx, sz = np.eye(2), np.array([[0, 1], [1, 0]]), np.diag([1, -1])
    c = np.eye(4)[[0, 1, 3, 2]]
    state = np.full(8, 8**-0.5, dtype=complex)
    for layer in angles:
        gates = [rz(z) @ ry(y) for y, z in layer]
        state = np.kron(E, c) @ np.kron(c, E) @ kron(*gates) @ state
    ham = -kron(sz, sz, E) - kron(E, sz, sz) - field * (kron(sx, E, E) + kron(E, sx, E) + kron(E, E, sx))
    return (state.conj() @ ham @ state).real


def reference():
    angles, field = arguments()
    shift = np.zeros((angles.size, *angles.shape))
    shift.reshape(angles.size, -1)[range(angles.size), range(angles.size)] = np.pi / 2
    slopes = [(by_matrices(angles + d, field) - by_matrices(angles - d, field)) / 2 for d in shift]
    by_field = by_matrices(angles, field + 0.5) - by_matrices(angles, field - 0.5)
    return {"value": by_matrices(angles, field), "rtol": 1e-12, "gradient": (np.reshape(slopes, angles.shape), by_field)}
