"""Row 8: Jacobi's iteration in two dimensions; two grids are overwritten in turn, step after step."""
import numpy as np

from benchmarks.harness import (HAND, JAX, NUMPY, OURS, READABLE, Case, Peer, Row, jax_arguments, jax_module,
                                jax_waiter, numba_compiled, ours, readable)

BOTH = (0, 1)


def jacobi(A, B, steps):
    A = A.copy()
    B = B.copy()
    for t in range(steps):
        B[1:-1, 1:-1] = 0.2 * (A[1:-1, 1:-1] + A[1:-1, :-2] + A[1:-1, 2:] + A[2:, 1:-1] + A[:-2, 1:-1])
        A[1:-1, 1:-1] = 0.2 * (B[1:-1, 1:-1] + B[1:-1, :-2] + B[1:-1, 2:] + B[2:, 1:-1] + B[:-2, 1:-1])
    return np.sum(A * A)


# ---- by hand, with arrays

def numpy_gradient(A0, B0, steps):
    A, B = A0.copy(), B0.copy()
    for t in range(steps):
        numpy_sweep(A, B)
        numpy_sweep(B, A)
    A_bar, B_bar = 2 * A, np.zeros_like(B)
    for t in range(steps):
        numpy_sweep_back(B_bar, A_bar)
        numpy_sweep_back(A_bar, B_bar)
    return A_bar, B_bar


def numpy_sweep(A, B):
    B[1:-1, 1:-1] = 0.2 * (A[1:-1, 1:-1] + A[1:-1, :-2] + A[1:-1, 2:] + A[2:, 1:-1] + A[:-2, 1:-1])


def numpy_sweep_back(A_bar, B_bar):
    """Adjoint of numpy_sweep: what was overwritten in B had no influence."""
    g = 0.2 * B_bar[1:-1, 1:-1]
    B_bar[1:-1, 1:-1] = 0
    A_bar[1:-1, 1:-1] += g
    A_bar[1:-1, :-2] += g
    A_bar[1:-1, 2:] += g
    A_bar[2:, 1:-1] += g
    A_bar[:-2, 1:-1] += g


# ---- by hand, with loops

def loop_sweep(A, B):
    n, m = A.shape
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            B[i, j] = 0.2 * (A[i, j] + A[i, j - 1] + A[i, j + 1] + A[i + 1, j] + A[i - 1, j])


def loop_sweep_back(A_bar, A_edge, B_bar):
    """The inside of A_bar is gathered from the inside of B_bar, whose edge is zero: the edges add up apart, in A_edge."""
    n, m = A_bar.shape
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            A_bar[i, j] = 0.2 * (B_bar[i, j] + B_bar[i, j - 1] + B_bar[i, j + 1] + B_bar[i + 1, j] + B_bar[i - 1, j])
    for j in range(1, m - 1):
        A_edge[0, j] += 0.2 * B_bar[1, j]
        A_edge[1, j] += 0.2 * B_bar[n - 2, j]
    for i in range(1, n - 1):
        A_edge[2, i] += 0.2 * B_bar[i, 1]
        A_edge[3, i] += 0.2 * B_bar[i, m - 2]


def loop_seed(A, A_bar, A_edge):
    """The gradient of sum(A * A): what is inside, and the edges apart (top, bottom, left, right)."""
    n, m = A.shape
    A_bar[1:-1, 1:-1] = 2 * A[1:-1, 1:-1]
    A_edge[0, :m] = 2 * A[0]
    A_edge[1, :m] = 2 * A[-1]
    A_edge[2, 1:n - 1] = 2 * A[1:-1, 0]
    A_edge[3, 1:n - 1] = 2 * A[1:-1, -1]


def loop_finish(A_bar, A_edge):
    n, m = A_bar.shape
    A_bar[0] += A_edge[0, :m]
    A_bar[-1] += A_edge[1, :m]
    A_bar[:, 0] += A_edge[2, :n]
    A_bar[:, -1] += A_edge[3, :n]


def by_hand():
    sweep, sweep_back, seed, finish = map(numba_compiled, (loop_sweep, loop_sweep_back, loop_seed, loop_finish))

    @numba_compiled
    def value(A0, B0, steps):
        A, B = A0.copy(), B0.copy()
        for t in range(steps):
            sweep(A, B)
            sweep(B, A)
        return (A * A).sum()

    @numba_compiled
    def gradient(A0, B0, steps):
        A, B = A0.copy(), B0.copy()
        for t in range(steps):
            sweep(A, B)
            sweep(B, A)
        n, m = A.shape
        A_bar, A_edge = np.zeros_like(A), np.zeros((4, max(n, m)))
        B_bar, B_edge = np.zeros_like(B), np.zeros((4, max(n, m)))
        seed(A, A_bar, A_edge)
        for t in range(steps):
            sweep_back(B_bar, B_edge, A_bar)
            sweep_back(A_bar, A_edge, B_bar)
        B_bar[1:-1, 1:-1] = 0                    # B's inside is overwritten before it is read
        finish(A_bar, A_edge)
        finish(B_bar, B_edge)
        return A_bar, B_bar

    return Peer(gradient, value)


# ---- JAX

def jax_jacobi():
    jax = jax_module()

    def sweep(A, B):
        return B.at[1:-1, 1:-1].set(
            0.2 * (A[1:-1, 1:-1] + A[1:-1, :-2] + A[1:-1, 2:] + A[2:, 1:-1] + A[:-2, 1:-1]))

    def step(grids, _):
        A, B = grids
        B = sweep(A, B)
        return (sweep(B, A), B), None

    def value(A, B, steps):
        (A, B), _ = jax.lax.scan(step, (A, B), None, length=steps)
        return jax.numpy.sum(A * A)

    return Peer(jax.jit(jax.grad(value, BOTH), static_argnums=2), jax.jit(value, static_argnums=2), jax_arguments, jax_waiter)


def cases(quick):
    for n, steps in ((40, 10),) if quick else ((64, 100), (256, 50), (1000, 20)):
        A, B = np.random.default_rng(n).normal(size=(2, n, n))
        yield Case(f"{n} x {n}, {steps} steps", (A, B, steps))


ROW = Row(
    8, "Jacobi 2-D with time steps, in place", "r <= 2, q <= 0.3 against JAX, <= 1.1 against by hand",
    {OURS: ours(jacobi, argnums=BOTH), READABLE: readable(jacobi, argnums=BOTH), JAX: jax_jacobi,
     NUMPY: lambda: Peer(numpy_gradient, jacobi), HAND: by_hand},
    cases, at_most={NUMPY: 1.0})
