"""Row 9: Seidel's iteration in two dimensions: each point reads its neighbours' new values, so the sweep is sequential."""
import numpy as np

from benchmarks.harness import (HAND, JAX, JAX_REWRITTEN, NUMPY, OURS, READABLE, Case, Peer, Row, jax_arguments,
                                jax_module, jax_waiter, numba_compiled, ours, readable)


def seidel(A, steps):
    A = A.copy()
    n, m = A.shape
    for t in range(steps):
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                A[i, j] = (A[i - 1, j - 1] + A[i - 1, j] + A[i - 1, j + 1] + A[i, j - 1] + A[i, j] + A[i, j + 1]
                           + A[i + 1, j - 1] + A[i + 1, j] + A[i + 1, j + 1]) / 9
    return np.sum(A * A)


# ---- by hand, with arrays where the sweep allows: all of a row but the influence of the left neighbour

def numpy_value(A, steps):
    return np.sum(numpy_sweeps(A, steps) ** 2)


def numpy_gradient(A, steps):
    return numpy_sweeps_back(2 * numpy_sweeps(A, steps), steps)


def numpy_sweeps(A, steps):
    A = A.copy()
    for t in range(steps):
        for i in range(1, len(A) - 1):
            above, row, below = A[i - 1], A[i], A[i + 1]
            rest = (above[:-2] + above[1:-1] + above[2:] + row[1:-1] + row[2:] + below[:-2] + below[1:-1] + below[2:])
            left = row[0]
            for j, other in enumerate(rest, 1):
                row[j] = left = (left + other) / 9
    return A


def numpy_sweeps_back(A_bar, steps):
    for t in range(steps):
        for i in range(len(A_bar) - 2, 0, -1):
            above, row, below = A_bar[i - 1], A_bar[i], A_bar[i + 1]
            rest = row[1:-1].copy()
            right = 0.0
            for j in range(len(rest) - 1, -1, -1):
                rest[j] = right = (rest[j] + right) / 9
            row[1:-1] = 0
            row[0] += rest[0]
            for part in (above[:-2], above[1:-1], above[2:], row[1:-1], row[2:], below[:-2], below[1:-1], below[2:]):
                part += rest
    return A_bar


# ---- by hand, with loops

def loop_gradient(A, steps):
    A = A.copy()
    n, m = A.shape
    for t in range(steps):
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                A[i, j] = (A[i - 1, j - 1] + A[i - 1, j] + A[i - 1, j + 1] + A[i, j - 1] + A[i, j] + A[i, j + 1]
                           + A[i + 1, j - 1] + A[i + 1, j] + A[i + 1, j + 1]) / 9
    A_bar = 2 * A
    for t in range(steps):
        for i in range(n - 2, 0, -1):
            for j in range(m - 2, 0, -1):
                g = A_bar[i, j] / 9
                A_bar[i, j] = g
                A_bar[i, j - 1] += g
                A_bar[i, j + 1] += g
                A_bar[i - 1, j - 1] += g
                A_bar[i - 1, j] += g
                A_bar[i - 1, j + 1] += g
                A_bar[i + 1, j - 1] += g
                A_bar[i + 1, j] += g
                A_bar[i + 1, j + 1] += g
    return A_bar


# ---- JAX, twice: the same program, and rewritten by someone who knows what its scans cost, carrying a row and a number only

def jax_seidel():
    jax = jax_module()
    loop = jax.lax.fori_loop

    def value(A, steps):
        n, m = A.shape

        def point(i, j, A):
            around = jax.lax.dynamic_slice(A, (i - 1, j - 1), (3, 3))
            return A.at[i, j].set(jax.numpy.sum(around) / 9)

        def row(i, A):
            return loop(1, m - 1, lambda j, A: point(i, j, A), A)

        A = loop(0, steps, lambda t, A: loop(1, n - 1, row, A), A)
        return jax.numpy.sum(A * A)

    return jitted(value)


def jax_rewritten():
    jax = jax_module()
    scan, concatenate = jax.lax.scan, jax.numpy.concatenate

    def point(left, other):
        new = (left + other) / 9
        return new, new

    def row(above, row_and_below):
        old, below = row_and_below
        rest = above[:-2] + above[1:-1] + above[2:] + old[1:-1] + old[2:] + below[:-2] + below[1:-1] + below[2:]
        _, inside = scan(point, old[0], rest)
        new = concatenate([old[:1], inside, old[-1:]])
        return new, new

    def sweep(A, _):
        _, inside = scan(row, A[0], (A[1:-1], A[2:]))
        return concatenate([A[:1], inside, A[-1:]]), None

    def value(A, steps):
        A, _ = scan(sweep, A, None, length=steps)
        return jax.numpy.sum(A * A)

    return jitted(value)


def jitted(value):
    jax = jax_module()
    return Peer(jax.jit(jax.grad(value), static_argnums=1), jax.jit(value, static_argnums=1), jax_arguments, jax_waiter)


def cases(quick):
    for n, steps in ((20, 3),) if quick else ((40, 10), (100, 10), (200, 20)):
        yield Case(f"{n} x {n}, {steps} sweeps", (np.random.default_rng(n).normal(size=(n, n)), steps),
                   without=(READABLE, JAX) if n > 100 else ())


ROW = Row(
    9, "Seidel 2-D, a sequential sweep", "q <= 0.01 against JAX, <= 1.1 against by hand",
    {OURS: ours(seidel), READABLE: readable(seidel), JAX: jax_seidel, JAX_REWRITTEN: jax_rewritten,
     NUMPY: lambda: Peer(numpy_gradient, numpy_value),
     HAND: lambda: Peer(numba_compiled(loop_gradient), numba_compiled(seidel))},
    cases, at_most={JAX: 0.1})
