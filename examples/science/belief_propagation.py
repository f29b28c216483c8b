"""Free energy of an Ising tree and its magnetisations, by belief propagation with messages in a dict.

Pearl (1988); Yedidia, Freeman, Weiss, "Understanding belief propagation". On a tree the beliefs and the Bethe free energy are exact.
Reference: the sum over all 2^n states. """
import itertools

import numpy as np

EDGES = [(0, 1), (1, 2), (1, 3), (3, 4), (3, 5)]
SPINS = np.array([1.0, -1.0])


def belief_propagation(fields, couplings, rounds=10):
    n = len(fields)
    neighbours = {i: [] for i in range(n)}
    factor = {}
    for (i, j), J in zip(EDGES, couplings):
        neighbours[i].append(j)
        neighbours[j].append(i)
        factor[i, j] = factor[j, i] = np.exp(J * np.outer(SPINS, SPINS))
    local = [np.exp(h * SPINS) for h in fields]
    messages = {(i, j): np.full(2, 0.5) for i in neighbours for j in neighbours[i]}

    def cavity(i, j):
        product = local[i].copy()
        for k in neighbours[i]:
            if k != j:
                product *= messages[k, i]
        return product

    for _ in range(rounds):
        new = {}
        for i, j in messages:
            m = factor[i, j].T @ cavity(i, j)
            new[i, j] = m / m.sum()
        messages = new
    log_z = 0.0
    magnetisation = np.zeros(n)
    for i in range(n):
        b = local[i] * np.prod([messages[k, i] for k in neighbours[i]], axis=0)
        log_z += (1 - len(neighbours[i])) * np.log(b.sum())
        magnetisation[i] = (b[0] - b[1]) / b.sum()
    for i, j in EDGES:
        log_z += np.log(cavity(i, j) @ factor[i, j] @ cavity(j, i))
    return log_z + 0.1 * np.sum(magnetisation**2)


ALSO = ("hvp",)


def arguments():
    rng = np.random.default_rng(6)
    return rng.normal(size=6), rng.normal(size=5)


def reference():
    fields, couplings = arguments()
    states = np.array(list(itertools.product([1.0, -1.0], repeat=6)))
    energy = states @ fields + sum(J * states[:, i] * states[:, j] for (i, j), J in zip(EDGES, couplings))
    weight = np.exp(energy)
    magnetisation = weight @ states / weight.sum()
    return {"value": np.log(weight.sum()) + 0.1 * np.sum(magnetisation**2), "rtol": 1e-12}
