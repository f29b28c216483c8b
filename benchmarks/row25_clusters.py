"""Row 25: k-means, and a Gaussian mixture whose covariances are packed triangles: by loops, and by broadcasting."""
import numpy as np

from benchmarks.harness import CPP, HAND, READABLE, Case, Row
from benchmarks.peers import by_numba, cpp_peer, peers


def spread(centres, x):
    """The squared distance of each point from the nearest centre."""
    total = 0.0
    for i in range(len(x)):
        least = np.inf
        for j in range(len(centres)):
            far = 0.0
            for a in range(x.shape[1]):
                far += (x[i, a] - centres[j, a]) ** 2
            if far < least:
                least = far
        total += least
    return total


def spread_gradient(centres, x):
    bar = np.zeros(centres.shape)
    for i in range(len(x)):
        least, best = np.inf, 0
        for j in range(len(centres)):
            far = 0.0
            for a in range(x.shape[1]):
                far += (x[i, a] - centres[j, a]) ** 2
            if far < least:
                least, best = far, j
        for a in range(x.shape[1]):
            bar[best, a] -= 2.0 * (x[i, a] - centres[best, a])
    return bar


def spread_broadcast(centres, x):
    return np.sum(np.min(np.sum((x[:, None, :] - centres) ** 2, axis=2), axis=1))


# ---- the mixture: a triangle holds the logarithms of its diagonal, then what is below it, column by column ---------------

def mixture(weights, means, packed, x):
    n, d = x.shape
    k = len(weights)
    t, q, e = np.empty(d), np.empty(d), np.empty(k)
    total = 0.0
    for i in range(n):
        for j in range(k):
            log_det = 0.0
            for a in range(d):
                t[a] = x[i, a] - means[j, a]
                q[a] = np.exp(packed[j, a]) * t[a]
                log_det += packed[j, a]
            c = d
            for a in range(d):
                for b in range(a + 1, d):
                    q[b] += packed[j, c] * t[a]
                    c += 1
            square = 0.0
            for a in range(d):
                square += q[a] * q[a]
            e[j] = weights[j] + log_det - 0.5 * square
        top = np.max(e)
        total += top + np.log(np.sum(np.exp(e - top)))
    top = np.max(weights)
    total -= n * (top + np.log(np.sum(np.exp(weights - top))))
    for j in range(k):
        for a in range(d):
            total -= 0.5 * np.exp(packed[j, a]) ** 2 - packed[j, a]
        for c in range(d, packed.shape[1]):
            total -= 0.5 * packed[j, c] ** 2
    return total


def mixture_gradient(weights, means, packed, x):
    n, d = x.shape
    k = len(weights)
    t, q, e, t_bar, scale = np.empty((k, d)), np.empty((k, d)), np.empty(k), np.empty(d), np.exp(packed[:, :d])
    w_bar, m_bar, p_bar = np.exp(weights - np.max(weights)), np.zeros(means.shape), -packed
    w_bar *= -n / np.sum(w_bar)
    for j in range(k):
        for a in range(d):
            p_bar[j, a] = 1.0 - scale[j, a] ** 2
    for i in range(n):
        for j in range(k):
            e[j] = weights[j]
            for a in range(d):
                t[j, a] = x[i, a] - means[j, a]
                q[j, a] = scale[j, a] * t[j, a]
                e[j] += packed[j, a]
            c = d
            for a in range(d):
                for b in range(a + 1, d):
                    q[j, b] += packed[j, c] * t[j, a]
                    c += 1
            for a in range(d):
                e[j] -= 0.5 * q[j, a] ** 2
        e -= np.max(e)
        e = np.exp(e)
        e /= np.sum(e)
        for j in range(k):
            w_bar[j] += e[j]
            for a in range(d):
                t_bar[a] = -e[j] * q[j, a] * scale[j, a]
                p_bar[j, a] += e[j] + t_bar[a] * t[j, a]
            c = d
            for a in range(d):
                for b in range(a + 1, d):
                    t_bar[a] -= e[j] * q[j, b] * packed[j, c]
                    p_bar[j, c] -= e[j] * q[j, b] * t[j, a]
                    c += 1
            for a in range(d):
                m_bar[j, a] -= t_bar[a]
    return w_bar, m_bar, p_bar


def log_sum(e):
    top = np.max(e, axis=-1, keepdims=True)
    return np.sum(top, axis=-1) + np.log(np.sum(np.exp(e - top), axis=-1))


def mixture_broadcast(weights, means, diagonals, below, x):
    """The same with the triangles as matrices; what of `below` is not below the diagonal is zero."""
    t = x[:, None, :] - means
    q = np.exp(diagonals) * t + np.einsum("kba,nka->nkb", below, t)
    e = weights + np.sum(diagonals, axis=1) - 0.5 * np.sum(q * q, axis=2)
    prior = np.sum(0.5 * np.exp(diagonals) ** 2 - diagonals) + 0.5 * np.sum(below ** 2)
    return np.sum(log_sum(e)) - len(x) * log_sum(weights) - prior


def cases(quick):
    rng = np.random.default_rng(25)
    slow = () if quick else (READABLE,)          # loops over numbers
    n, d, k = (20, 3, 4) if quick else (1000, 16, 100)
    x, centres = rng.normal(size=(n, d)), rng.normal(size=(k, d))
    yield Case(f"k-means by loops, {n} points, {k} centres, {d} dimensions", (centres, x), slow, peers=peers(spread) | {
        HAND: by_numba(spread, spread_gradient), CPP: cpp_peer("kmeans", (0,))})
    yield Case(f"k-means by broadcasting, {n} points, {k} centres, {d} dimensions", (centres, x), peers=peers(
        spread_broadcast, same=("jax", "autograd", "torch")) | {HAND: by_numba(spread, spread_gradient), CPP: cpp_peer("kmeans", (0,))})
    n, d, k = (20, 3, 4) if quick else (1000, 10, 25)
    weights, means, x = rng.normal(size=k), rng.normal(size=(k, d)), rng.normal(size=(n, d))
    packed = 0.3 * rng.normal(size=(k, d * (d + 1) // 2))
    wanted = (0, 1, 2)
    yield Case(f"Gaussian mixture by loops, {n} points, {k} in {d} dimensions", (weights, means, packed, x), slow, peers=peers(mixture, wanted) | {
        HAND: by_numba(mixture, mixture_gradient), CPP: cpp_peer("mixture", wanted)})
    below = np.tril(0.3 * rng.normal(size=(k, d, d)), -1)
    yield Case(f"Gaussian mixture by broadcasting, {n} points, {k} in {d} dimensions", (weights, means, packed[:, :d].copy(), below, x), peers=peers(
        mixture_broadcast, (0, 1, 2, 3), same=("jax", "autograd", "torch")))


ROW = Row(25, "k-means and Gaussian mixtures, by loops and by broadcasting", "loops: r <= 2, <= 1.2 of C++; q <= 1.0", {}, cases)
