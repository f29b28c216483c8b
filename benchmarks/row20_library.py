"""Row 20: what a library computes as a whole, and what moves, sorts and counts: linear algebra, einsum, sort, cumulative sums, masks, FFT.

The limit is NumPy with the gradient written by hand, each a few calls of LAPACK, pocketfft or NumPy's own loops.
"""
import numpy as np

from benchmarks.harness import JAX, JAX_REWRITTEN, NUMPY, OURS, READABLE, Case, Peer, Row, jax_peer, ours, readable


def solve(A, b):
    x = np.linalg.solve(A, b)
    return np.sum(x * x)


def solve_gradient(A, b):
    x = np.linalg.solve(A, b)
    adjoint = np.linalg.solve(A.T, 2.0 * x)
    return -np.outer(adjoint, x), adjoint


def gaussian(K, y):
    K = 0.5 * (K + K.T)                          # NumPy reads one triangle of it, and JAX the mean of both
    L = np.linalg.cholesky(K)
    return 0.5 * np.dot(y, np.linalg.solve(K, y)) + np.sum(np.log(np.diag(L)))


def gaussian_gradient(K, y):
    inverse = np.linalg.inv(K)
    alpha = inverse @ y
    return 0.5 * inverse - 0.5 * np.outer(alpha, alpha), alpha


def determinants(A):
    return np.sum(np.linalg.det(A))


def determinants_gradient(A):
    return np.linalg.det(A)[:, None, None] * np.linalg.inv(A).swapaxes(1, 2)


def levels(A, c):
    return np.sum(c * np.linalg.eigvalsh(0.5 * (A + A.T)))


def levels_gradient(A, c):
    _, V = np.linalg.eigh(A)
    return (V * c) @ V.T


def scores(q, k):
    s = np.einsum("ihd,jhd->hij", q, k)
    return np.sum(s * s)


def scores_gradient(q, k):
    s = 2.0 * np.matmul(q.transpose(1, 0, 2), k.transpose(1, 2, 0))
    q_bar, k_bar = np.matmul(s, k.transpose(1, 0, 2)), np.matmul(s.transpose(0, 2, 1), q.transpose(1, 0, 2))
    return q_bar.transpose(1, 0, 2), k_bar.transpose(1, 0, 2)


def chain(a, b, c):
    return np.sum(np.einsum("ij,jk,k->i", a, b, c) ** 2)


def chain_gradient(a, b, c):
    bc = b @ c
    y = 2.0 * (a @ bc)
    ya = y @ a
    return np.outer(y, bc), np.outer(ya, c), ya @ b


def ranked(x, w):
    return np.sum(np.sort(x) * w)


def ranked_gradient(x, w):
    g = np.empty_like(x)
    g[np.argsort(x)] = w
    return g


def path(x):
    c = np.cumsum(x)
    return np.sum(c * c)


def path_gradient(x):
    return 2.0 * np.cumsum(np.cumsum(x)[::-1])[::-1]


def kept(x):
    v = x[x > 0.5]
    return np.sum(v * v)


def kept_rewritten(x):                           # as in JAX, which has no arrays of a length that the run decides
    return np.sum(np.where(x > 0.5, x * x, 0.0))


def kept_gradient(x):
    return np.where(x > 0.5, 2.0 * x, 0.0)


def spectrum(x, w):
    return np.sum(w * np.abs(np.fft.rfft(x)) ** 2)


def spectrum_gradient(x, w):
    F = np.fft.rfft(x) * w
    F[1:-1] *= 0.5
    return 2.0 * len(x) * np.fft.irfft(F, len(x))


def peers(f, by_hand, argnums=0, rewritten=None):
    found = {OURS: ours(f, argnums=argnums), READABLE: readable(f, argnums=argnums), NUMPY: lambda: Peer(by_hand, f)}
    return found | ({JAX_REWRITTEN: jax_peer(rewritten, argnums=argnums)} if rewritten else {JAX: jax_peer(f, argnums=argnums)})


def cases(quick):
    rng = np.random.default_rng(20)
    symmetric = lambda A: A + A.T
    positive = lambda A: A @ A.T + len(A) * np.eye(len(A))
    both = (0, 1)
    linear = {n: peers(f, g, a) for n, f, g, a in (("solve", solve, solve_gradient, both), ("gaussian", gaussian, gaussian_gradient, both))}
    for n in (4,) if quick else (8, 64, 256):
        yield Case(f"np.linalg.solve, {n} equations", (rng.normal(size=(n, n)), rng.normal(size=n)), peers=linear["solve"])
    for n in (5,) if quick else (100,):
        yield Case(f"np.linalg.cholesky and solve, {n} points", (positive(rng.normal(size=(n, n))), rng.normal(size=n)), peers=linear["gaussian"])
        yield Case(f"np.linalg.eigvalsh, {n} rows", (symmetric(rng.normal(size=(n, n))), rng.normal(size=n)), peers=peers(levels, levels_gradient))
    for n in (3,) if quick else (1000,):
        yield Case(f"np.linalg.det, {n} of 4 x 4", (rng.normal(size=(n, 4, 4)),), peers=peers(determinants, determinants_gradient))
    for n in (4,) if quick else (64,):
        yield Case(f"np.einsum of heads, {n} x {n}", (rng.normal(size=(n, 4, 16)), rng.normal(size=(n, 4, 16))), peers=peers(scores, scores_gradient, both))
        yield Case(f"np.einsum of three, {4 * n}", (rng.normal(size=(n, 4 * n)), rng.normal(size=(4 * n, n)), rng.normal(size=n)),
                   peers=peers(chain, chain_gradient, (0, 1, 2)))
    sorted_peers, summed, masked = peers(ranked, ranked_gradient), peers(path, path_gradient), peers(kept, kept_gradient, rewritten=kept_rewritten)
    for n in (10,) if quick else (1000, 100_000):
        yield Case(f"np.sort, {n:,}", (rng.normal(size=n), rng.normal(size=n)), peers=sorted_peers)
        yield Case(f"np.cumsum, {n:,}", (rng.normal(size=n),), peers=summed)
        yield Case(f"a mask, {n:,}", (rng.normal(size=n),), peers=masked)
        yield Case(f"np.where for a mask, {n:,}", (rng.normal(size=n),), peers=peers(kept_rewritten, kept_gradient))
    for n in (8,) if quick else (4096,):
        yield Case(f"np.fft.rfft, {n:,}", (rng.normal(size=n), rng.uniform(size=n // 2 + 1)), peers=peers(spectrum, spectrum_gradient))


ROW = Row(20, "linear algebra, einsum, sort, sums, masks, FFT", "q <= 1.2; linear algebra <= 1.1 of LAPACK", {}, cases)
