"""scipy.linalg: Lyapunov's and Riccati's equations.

The solution of Riccati's equation is found by doubling (W. Lin and S. Xu, 2006) or by the sign of a matrix (J. Roberts,
1980), and moves as the equation says: two of Newton's steps from it, each of which solves an equation of Lyapunov's,
have the derivatives of the solution of the first three orders.
"""
import numpy as np
from scipy import linalg as sl

from gradscribe import runtime as rt

from .decompositions import mH
from .matrix_functions import sylvester
from .registry import at_least, ensure, known, means, moving_as, refuse
from .scipy_linalg import matrix

LOST = "{} of matrices for which doubling finds no solution that is accurate and stable: compute it before, and pass it"


def equal_squares(a, q):
    a, q = np.atleast_2d(a), np.atleast_2d(q)
    for x in (a, q):
        if x.ndim != 2:
            refuse("an equation of Lyapunov's of a stack", "Take one matrix, with gs.vmap for several.")
    a, q = matrix(a, False), matrix(q, False)
    for name, x in (("a", a), ("q", q)):
        if x.shape[0] != x.shape[1]:
            raise ValueError(f"Matrix {name} should be square.")
    if a.shape != q.shape:
        raise ValueError("Matrix a and q should have the same shape.")
    return a, q


@means(sl.solve_continuous_lyapunov, unasked=True, complex=True)
def solve_continuous_lyapunov(a, q):
    a, q = equal_squares(a, q)
    return sylvester(a, mH(a), q)


@means(sl.solve_discrete_lyapunov, unasked=True, complex=True)
def solve_discrete_lyapunov(a, q, method=None):
    a, q, method = np.asarray(a), np.asarray(q), known(method, "it says what is done")
    if a.ndim != 2 or q.ndim != 2:
        refuse("scipy.linalg.solve_discrete_lyapunov of what is no matrix", "Give it matrices: np.array([[a]]).")
    if method is None:
        method = "bilinear" if at_least(a.shape[0], 10) else "direct"
    method = method.lower()
    if method not in ("direct", "bilinear"):
        raise ValueError(f"Unknown solver {method}")
    a, q = equal_squares(a, q)
    return by_all_numbers(a, q) if method == "direct" else by_continuous(a, q)


def by_all_numbers(a, q):
    n = a.shape[0]
    return np.linalg.solve(np.eye(n * n) - np.kron(a, np.conj(a)), q.reshape(n * n)).reshape(n, n)


def by_continuous(a, q):
    one = np.eye(a.shape[0])
    inverse = np.linalg.inv(mH(a) + one)
    b = (mH(a) - one) @ inverse
    return sylvester(mH(b), b, -(2 * np.linalg.inv(a + one) @ q @ inverse))


def stays_discrete(a, q):
    """x with a.T @ x @ a - x + q == 0"""
    return by_continuous(a.T, q) if at_least(a.shape[0], 10) else by_all_numbers(a.T, q)


def stays_continuous(a, q):
    """x with a.T @ x + x @ a + q == 0"""
    return sylvester(a.T, a, -q)


def are_arguments(a, b, q, r, s, name):
    a, b, q, r = [np.atleast_2d(x) for x in (a, b, q, r)]
    if any([x.ndim != 2 or x.dtype.kind not in "fi" for x in (a, b, q, r)]):
        refuse(f"{name} of stacks or of complex numbers", "Take one real matrix, with gs.vmap for several.")
    a, b, q, r = matrix(a, True), matrix(b, True), matrix(q, True), matrix(r, True)
    for title, x in (("a", a), ("q", q), ("r", r)):
        if x.shape[0] != x.shape[1]:
            raise ValueError(f"Matrix {title} should be square.")
    if a.shape[0] != b.shape[0]:
        raise ValueError("Matrix a and b should have the same number of rows.")
    if a.shape[0] != q.shape[0]:
        raise ValueError("Matrix a and q should have the same shape.")
    if b.shape[1] != r.shape[0]:
        raise ValueError("Matrix b and r should have the same number of columns.")
    for title, x in (("q", q), ("r", r)):
        if np.linalg.norm(x - x.T, 1) > np.spacing(np.linalg.norm(x, 1)) * 100:
            raise ValueError(f"Matrix {title} should be symmetric/hermitian.")
    ensure(np.linalg.slogdet(r)[0] != 0, f"{name} where r has no inverse")
    s = np.zeros(b.shape) if s is None else matrix(np.atleast_2d(s), True)
    if s.shape != b.shape:
        raise ValueError("Matrix b and s should have the same shape.")
    return a, b, q, r, s


def of_feedback(a, b, q, r, s, gain):
    """(the matrix, the cost) of the system that the gain closes"""
    return a - b @ gain, q + gain.T @ r @ gain - s @ gain - gain.T @ s.T


def eigenvalues(closed):
    return np.linalg.eigvals(np.where(np.isfinite(closed), closed, 2.0) + 0j)


def solved(step, found, name, is_stable):
    """The solution, once it is seen that Newton's method would change it no more."""
    x = rt.stop_gradient(found)
    once, _ = step(x)
    x = rt.stop_gradient(once)  # to the last digits
    again, closed = step(x)
    size = np.max(np.abs(again))
    ensure(np.all(np.isfinite(again)) & (np.max(np.abs(again - x)) <= 1e-8 * size) & is_stable(closed), name)
    return moving_as(x, step(step(x)[0])[0])


@means(sl.solve_discrete_are, unasked=True, complex=True)
def solve_discrete_are(a, b, q, r, e=None, s=None, balanced=True):
    if e is not None:
        refuse("scipy.linalg.solve_discrete_are with e=", "Divide by it before: a @ inv(e), inv(e).T @ q @ inv(e).")
    a, b, q, r, s = are_arguments(a, b, q, r, s, "scipy.linalg.solve_discrete_are")

    def step(x):
        gain = np.linalg.solve(r + b.T @ x @ b, b.T @ x @ a + s.T)
        closed, cost = of_feedback(a, b, q, r, s, gain)
        x = stays_discrete(closed, cost)
        return (x + x.T) / 2, closed

    found = doubled(*map(rt.stop_gradient, (a, b, q, r, s)))
    return solved(step, found, LOST.format("scipy.linalg.solve_discrete_are"),
                  lambda closed: np.max(np.abs(eigenvalues(closed))) < 1)


def doubled(a, b, q, r, s):
    inverse = np.linalg.inv(r)
    a, g, h = a - b @ inverse @ s.T, b @ inverse @ b.T, q - s @ inverse @ s.T
    one, steps, change = np.eye(a.shape[0]), 0, np.float64(np.inf)
    while steps < 60 and change > 1e-14:
        middle = np.linalg.inv(one + g @ h)
        more = a.T @ h @ middle @ a
        a, g, h = a @ middle @ a, g + a @ middle @ g @ a.T, h + more
        change = np.max(np.abs(more)) / (np.max(np.abs(h)) + 1e-300)
        steps += 1
    return (h + h.T) / 2


@means(sl.solve_continuous_are, unasked=True, complex=True)
def solve_continuous_are(a, b, q, r, e=None, s=None, balanced=True):
    if e is not None:
        refuse("scipy.linalg.solve_continuous_are with e=", "Divide by it before: a @ inv(e), inv(e).T @ q @ inv(e).")
    a, b, q, r, s = are_arguments(a, b, q, r, s, "scipy.linalg.solve_continuous_are")

    def step(x):
        closed, cost = of_feedback(a, b, q, r, s, np.linalg.solve(r, b.T @ x + s.T))
        x = stays_continuous(closed, cost)
        return (x + x.T) / 2, closed

    found = by_sign(*map(rt.stop_gradient, (a, b, q, r, s)))
    return solved(step, found, LOST.format("scipy.linalg.solve_continuous_are"),
                  lambda closed: np.max(eigenvalues(closed).real) < 0)


def by_sign(a, b, q, r, s):
    """Of the Hamiltonian matrix, whose stable vectors are the columns of [1, x]."""
    n, inverse = a.shape[0], np.linalg.inv(r)
    a = a - b @ inverse @ s.T
    z = np.block([[a, -b @ inverse @ b.T], [s @ inverse @ s.T - q, -a.T]])
    steps, change = 0, np.float64(np.inf)
    while steps < 100 and change > 1e-13:
        scale = np.exp(-np.linalg.slogdet(z)[1] / (2 * n)) if change > 1e-2 else np.float64(1.0)
        after = 0.5 * (scale * z + np.linalg.inv(z) / scale)
        change = np.max(np.abs(after - z)) / np.max(np.abs(after))
        z, steps = after, steps + 1
    one = np.eye(n)
    tall, right = np.concatenate([z[:n, n:], z[n:, n:] + one]), -np.concatenate([z[:n, :n] + one, z[n:, :n]])
    x = np.linalg.solve(tall.T @ tall, tall.T @ right)
    return (x + x.T) / 2
