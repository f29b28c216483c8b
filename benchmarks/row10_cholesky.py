"""Row 10: Cholesky's factorisation by scalar loops; a weighted sum of the factor is differentiated. The matrix is given by its
lower triangle. NumPy's gradient by hand calls LAPACK, blocked code of another kind: it shows what the loops cost."""
import numpy as np

from benchmarks.harness import (HAND, JAX, NUMPY, OURS, READABLE, Case, Peer, Row, jax_arguments, jax_module,
                                jax_waiter, numba_compiled, ours, readable)


def cholesky(A, C):
    n = len(A)
    L = np.zeros_like(A)
    for i in range(n):
        for j in range(i):
            s = A[i, j]
            for k in range(j):
                s -= L[i, k] * L[j, k]
            L[i, j] = s / L[j, j]
        s = A[i, i]
        for k in range(i):
            s -= L[i, k] * L[i, k]
        L[i, i] = np.sqrt(s)
    return np.sum(C * L)


# ---- by hand, with LAPACK

def numpy_value(A, C):
    return np.sum(C * np.linalg.cholesky(A))


def numpy_gradient(A, C):
    """Murray, "Differentiation of the Cholesky decomposition" (2016), equation 10."""
    from scipy.linalg import solve_triangular
    L = np.linalg.cholesky(A)
    P = np.tril(L.T @ np.tril(C))
    np.fill_diagonal(P, P.diagonal() / 2)
    S = solve_triangular(L, solve_triangular(L, P.T, lower=True, trans="T").T, lower=True, trans="T")
    A_bar = np.tril(S + S.T)
    np.fill_diagonal(A_bar, S.diagonal())
    return A_bar


# ---- by hand, with loops

def loop_gradient(A, C):
    n = len(A)
    L = np.zeros_like(A)
    for i in range(n):
        for j in range(i):
            s = A[i, j]
            for k in range(j):
                s -= L[i, k] * L[j, k]
            L[i, j] = s / L[j, j]
        s = A[i, i]
        for k in range(i):
            s -= L[i, k] * L[i, k]
        L[i, i] = np.sqrt(s)
    L_bar = C.copy()                             # its lower triangle turns into the gradient of A, place by place
    for i in range(n - 1, -1, -1):
        s_bar = L_bar[i, i] / (2 * L[i, i])
        L_bar[i, i] = s_bar
        for k in range(i):
            L_bar[i, k] -= 2 * s_bar * L[i, k]
        for j in range(i - 1, -1, -1):
            s_bar = L_bar[i, j] / L[j, j]
            L_bar[i, j] = s_bar
            L_bar[j, j] -= s_bar * L[i, j]
            for k in range(j):
                L_bar[i, k] -= s_bar * L[j, k]
                L_bar[j, k] -= s_bar * L[i, k]
    for i in range(n):
        for j in range(i + 1, n):
            L_bar[i, j] = 0
    return L_bar


# ---- JAX: the loops over i and j as one scan, the loop over k as a product of rows, which are zero where not yet known

def jax_cholesky():
    jax = jax_module()
    jnp = jax.numpy

    def element(L, place):
        i, j, a = place
        s = a - jnp.dot(L[i], L[j])
        on_diagonal = i == j
        root = jnp.sqrt(jnp.where(on_diagonal, s, 1.0))
        quotient = s / jnp.where(on_diagonal, 1.0, L[j, j])
        return L.at[i, j].set(jnp.where(on_diagonal, root, quotient)), None

    def value(A, C):
        i, j = np.tril_indices(len(A))
        L, _ = jax.lax.scan(element, jnp.zeros_like(A), (i, j, A[i, j]))
        return jnp.sum(C * L)

    return Peer(jax.jit(jax.grad(value)), jax.jit(value), jax_arguments, jax_waiter)


def cases(quick):
    for n in (10,) if quick else (30, 100, 300):
        M, C = np.random.default_rng(n).normal(size=(2, n, n))
        yield Case(f"n = {n}", (M @ M.T + n * np.eye(n), C),
                   without=(READABLE, JAX) if n > 100 else ())


ROW = Row(
    10, "Cholesky by scalar loops", "r <= 4, <= 1.2 against by hand",
    {OURS: ours(cholesky), READABLE: readable(cholesky), JAX: jax_cholesky,
     NUMPY: lambda: Peer(numpy_gradient, numpy_value),
     HAND: lambda: Peer(numba_compiled(loop_gradient), numba_compiled(cholesky))},
    cases)
