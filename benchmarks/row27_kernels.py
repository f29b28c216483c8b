"""Row 27: kernels of linear algebra and of fields, as NumPy code with loops over rows and columns and slices in them."""
import numpy as np

from benchmarks.harness import HAND, NUMPY, Case, Peer, Row, jax_module, numba_compiled
from benchmarks.peers import by_numba, peers


def trmm(A, B):
    """A triangle, with ones on its diagonal, transposed, times B."""
    B = B.copy()
    for i in range(B.shape[0]):
        for j in range(B.shape[1]):
            B[i, j] += np.dot(A[i + 1:, i], B[i + 1:, j])
    return np.sum(B * B)


def trmm_arrays(A, B):
    return np.sum((B + np.tril(A, -1).T @ B) ** 2)


def trmm_gradient(A, B):
    T = np.tril(A, -1)
    bar = 2.0 * (B + T.T @ B)
    return np.tril(B @ bar.T, -1), bar + T @ bar


def spmv(data, x, columns, starts):
    """A sparse matrix, whose rows are stored one after another, times x."""
    y = np.empty(len(starts) - 1)
    for i in range(len(y)):
        row = columns[starts[i]:starts[i + 1]]
        y[i] = data[starts[i]:starts[i + 1]] @ x[row]
    return np.sum(y * y)


def spmv_jax(data, x, columns, starts):
    rows = np.repeat(np.arange(len(starts) - 1), starts[1:] - starts[:-1], total_repeat_length=len(data))
    return np.sum(np.zeros(len(starts) - 1).at[rows].add(data * x[columns]) ** 2)


def spmv_gradient(data, x, columns, starts):
    data_bar, x_bar = np.empty(len(data)), np.zeros(len(x))
    for i in range(len(starts) - 1):
        y = 0.0
        for k in range(starts[i], starts[i + 1]):
            y += data[k] * x[columns[k]]
        for k in range(starts[i], starts[i + 1]):
            data_bar[k] = 2.0 * y * x[columns[k]]
            x_bar[columns[k]] += 2.0 * y * data[k]
    return data_bar, x_bar


def symm(A, B, C):
    """A symmetric matrix, of which the lower triangle is stored, times B."""
    C = C.copy()
    row = np.empty(C.shape[1])
    for i in range(C.shape[0]):
        for j in range(C.shape[1]):
            C[:i, j] += B[i, j] * A[i, :i]
            row[j] = B[:i, j] @ A[i, :i]
        C[i] += B[i] * A[i, i] + row
    return np.sum(C * C)


def symm_arrays(A, B, C):
    L = np.tril(A, -1)
    return np.sum((C + (np.tril(A) + L.T) @ B) ** 2)


def symm_gradient(A, B, C):
    S = np.tril(A) + np.tril(A, -1).T
    bar = 2.0 * (C + S @ B)
    W = bar @ B.T
    return np.tril(W) + np.tril(W.T, -1), S @ bar, bar


def syrk(A, C):
    """The lower triangle of A A' added to that of C."""
    C = C.copy()
    for i in range(A.shape[0]):
        C[i, :i + 1] *= 0.5
        for k in range(A.shape[1]):
            C[i, :i + 1] += A[i, k] * A[:i + 1, k]
    return np.sum(C * C)


def syrk_arrays(A, C):
    return np.sum((np.triu(C, 1) + np.tril(0.5 * C + A @ A.T)) ** 2)


def syrk_gradient(A, C):
    upper, lower = 2.0 * np.triu(C, 1), 2.0 * np.tril(0.5 * C + A @ A.T)
    return (lower + lower.T) @ A, upper + 0.5 * lower


def gramschmidt(A):
    A, Q, R = A.copy(), np.zeros_like(A), np.zeros((A.shape[1], A.shape[1]))
    for k in range(A.shape[1]):
        R[k, k] = np.sqrt(A[:, k] @ A[:, k])
        Q[:, k] = A[:, k] / R[k, k]
        for j in range(k + 1, A.shape[1]):
            R[k, j] = Q[:, k] @ A[:, j]
            A[:, j] -= Q[:, k] * R[k, j]
    return np.sum(R) + np.sum(Q[0])


def gramschmidt_loops(A):
    A, total = A.copy(), 0.0
    n, m = A.shape
    for k in range(m):
        square = 0.0
        for i in range(n):
            square += A[i, k] * A[i, k]
        r = np.sqrt(square)
        for i in range(n):
            A[i, k] /= r
        total += r + A[0, k]
        for j in range(k + 1, m):
            along = 0.0
            for i in range(n):
                along += A[i, k] * A[i, j]
            for i in range(n):
                A[i, j] -= A[i, k] * along
            total += along
    return total


def gramschmidt_jax(A):
    def column(A, k):
        r = np.sqrt(A[:, k] @ A[:, k])
        q = A[:, k] / r
        row = np.where(np.arange(A.shape[1]) > k, q @ A, 0.0)
        return A - np.outer(q, row), r + np.sum(row) + q[0]
    return np.sum(jax_module().lax.scan(column, A, np.arange(A.shape[1]))[1])


def adi(u, steps, a, b):
    """Heat, by a sweep along columns and one along rows in turn, each a tridiagonal system."""
    u = u.copy()
    n = len(u)
    v, p, q = np.zeros_like(u), np.zeros_like(u), np.zeros_like(u)
    for _ in range(steps):
        v[0, 1:-1] = 1.0
        p[1:-1, 0] = 0.0
        q[1:-1, 0] = v[0, 1:-1]
        for j in range(1, n - 1):
            p[1:-1, j] = a / (1.0 + 2.0 * a - a * p[1:-1, j - 1])
            q[1:-1, j] = (b * u[j, :-2] + (1.0 - 2.0 * b) * u[j, 1:-1] + b * u[j, 2:] + a * q[1:-1, j - 1]) / (1.0 + 2.0 * a - a * p[1:-1, j - 1])
        v[-1, 1:-1] = 1.0
        for j in range(n - 2, 0, -1):
            v[j, 1:-1] = p[1:-1, j] * v[j + 1, 1:-1] + q[1:-1, j]
        u[1:-1, 0] = 1.0
        p[1:-1, 0] = 0.0
        q[1:-1, 0] = u[1:-1, 0]
        for j in range(1, n - 1):
            p[1:-1, j] = b / (1.0 + 2.0 * b - b * p[1:-1, j - 1])
            q[1:-1, j] = (a * v[:-2, j] + (1.0 - 2.0 * a) * v[1:-1, j] + a * v[2:, j] + b * q[1:-1, j - 1]) / (1.0 + 2.0 * b - b * p[1:-1, j - 1])
        u[1:-1, -1] = 1.0
        for j in range(n - 2, 0, -1):
            u[1:-1, j] = p[1:-1, j] * u[1:-1, j + 1] + q[1:-1, j]
    return np.sum(u * u)


def durbin(r):
    """The system of Yule and Walker, by a recursion of Levinson and Durbin."""
    y = np.empty(len(r))
    y[0] = alpha = -r[0]
    beta = 1.0
    for k in range(1, len(r)):
        beta *= 1.0 - alpha * alpha
        alpha = -(r[k] + np.dot(np.flip(r[:k]), y[:k])) / beta
        y[:k] += alpha * np.flip(y[:k])
        y[k] = alpha
    return np.sum(y * y)


def durbin_loops(r):
    y, z = np.empty(len(r)), np.empty(len(r))
    y[0] = alpha = -r[0]
    beta = 1.0
    for k in range(1, len(r)):
        beta *= 1.0 - alpha * alpha
        total = 0.0
        for i in range(k):
            total += r[k - 1 - i] * y[i]
        alpha = -(r[k] + total) / beta
        for i in range(k):
            z[i] = y[i] + alpha * y[k - 1 - i]
        for i in range(k):
            y[i] = z[i]
        y[k] = alpha
    return np.sum(y * y)


def heat(u, steps):
    """In three dimensions, by two fields in turn."""
    u = u.copy()
    v = u.copy()
    for _ in range(steps):
        v[1:-1, 1:-1, 1:-1] = warmed(u)
        u[1:-1, 1:-1, 1:-1] = warmed(v)
    return np.sum(u * u)


def warmed(u):
    middle = u[1:-1, 1:-1, 1:-1]
    return (middle + 0.125 * (u[2:, 1:-1, 1:-1] - 2.0 * middle + u[:-2, 1:-1, 1:-1])
            + 0.125 * (u[1:-1, 2:, 1:-1] - 2.0 * middle + u[1:-1, :-2, 1:-1])
            + 0.125 * (u[1:-1, 1:-1, 2:] - 2.0 * middle + u[1:-1, 1:-1, :-2]))


def sweep(u, v):
    n, m, o = u.shape
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            for k in range(1, o - 1):
                v[i, j, k] = 0.25 * u[i, j, k] + 0.125 * (
                    u[i + 1, j, k] + u[i - 1, j, k] + u[i, j + 1, k] + u[i, j - 1, k] + u[i, j, k + 1] + u[i, j, k - 1])


def sweep_back(u_bar, v_bar):
    """What was overwritten in v had no influence."""
    n, m, o = u_bar.shape
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            for k in range(1, o - 1):
                bar = 0.125 * v_bar[i, j, k]
                v_bar[i, j, k] = 0.0
                u_bar[i, j, k] += 2.0 * bar
                u_bar[i + 1, j, k] += bar
                u_bar[i - 1, j, k] += bar
                u_bar[i, j + 1, k] += bar
                u_bar[i, j - 1, k] += bar
                u_bar[i, j, k + 1] += bar
                u_bar[i, j, k - 1] += bar


def heat_by_hand():
    forth, back = map(numba_compiled, (sweep, sweep_back))

    def run(u, steps):
        u = u.copy()
        v = u.copy()
        for _ in range(steps):
            forth(u, v)
            forth(v, u)
        return u

    final = numba_compiled(run)

    def gradient(u, steps):
        u_bar, v_bar = 2.0 * final(u, steps), np.zeros(u.shape)
        for _ in range(steps):
            back(v_bar, u_bar)
            back(u_bar, v_bar)
        return u_bar + v_bar                     # v began as a copy of u

    return Peer(numba_compiled(gradient), numba_compiled(lambda u, steps: np.sum(final(u, steps) ** 2)))


def heat_jax(u, steps):
    inner = np.index_exp[1:-1, 1:-1, 1:-1]

    def step(fields, _):
        u, v = fields
        v = v.at[inner].set(warmed(u))
        return (u.at[inner].set(warmed(v)), v), None
    (u, _), _ = jax_module().lax.scan(step, (u, u), None, length=steps)
    return np.sum(u * u)


def cases(quick):
    rng = np.random.default_rng(27)
    both, three = (0, 1), (0, 1, 2)
    n, m = (6, 5) if quick else (150, 120)
    A, B, C = 0.1 * rng.normal(size=(n, n)), rng.normal(size=(n, m)), rng.normal(size=(n, m))
    for name, f, arrays, gradient, args, wanted in (
            ("trmm", trmm, trmm_arrays, trmm_gradient, (A, B), both), ("symm", symm, symm_arrays, symm_gradient, (A, B, C), three),
            ("syrk", syrk, syrk_arrays, syrk_gradient, (B, A), both)):
        yield Case(f"{name}, {n} x {m}", args, peers=peers(f, wanted, rewritten=arrays) | {
            NUMPY: numpy_peer(gradient, arrays)})
    rows, columns, entries = (5, 4, 12) if quick else (5000, 5000, 50_000)
    starts = np.concatenate([[0], np.sort(rng.integers(entries, size=rows - 1)), [entries]])
    yield Case(f"spmv, {rows:,} rows, {entries:,} entries", (rng.normal(size=entries), rng.normal(size=columns), rng.integers(columns, size=entries), starts),
               peers=peers(spmv, both, rewritten=spmv_jax) | {HAND: by_numba(spmv, spmv_gradient)})
    yield Case(f"gramschmidt, {n} x {m}", (rng.normal(size=(n, m)),), peers=peers(gramschmidt, rewritten=gramschmidt_jax) | {
        HAND: by_numba(gramschmidt_loops)})
    n, steps = (6, 2) if quick else (100, 20)
    yield Case(f"adi, {n} x {n}, {steps} steps", (rng.uniform(size=(n, n)), steps, 0.6, 0.4), peers=peers(adi) | {HAND: by_numba(adi)})
    n = 6 if quick else 500
    yield Case(f"durbin, {n}", (0.5 ** np.arange(1.0, n + 1) + 0.001 * rng.uniform(size=n),), peers=peers(durbin) | {HAND: by_numba(durbin_loops)})
    n, steps = (6, 2) if quick else (40, 10)
    yield Case(f"heat in 3-D, {n} x {n} x {n}, {steps} steps", (rng.uniform(size=(n, n, n)), steps), peers=peers(
        heat, jax=heat_jax, static=(1,)) | {HAND: heat_by_hand})


def numpy_peer(gradient, value):
    return lambda: Peer(gradient, value)


ROW = Row(27, "kernels of linear algebra and of fields, as NumPy code", "r <= 3; q <= 1.0", {}, cases)
