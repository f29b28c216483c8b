"""Programs of many kinds, each with calls of several shapes and how many programs serve them."""
import numpy as np

PROGRAMS = {}


def called(*calls, programs=1):
    """Enter a function: `calls` make its arguments, of which the first is differentiated."""
    def enter(f):
        PROGRAMS[f.__name__] = f, calls, programs
        return f
    return enter


def numbers(*shape):
    return np.random.default_rng(sum(shape)).normal(size=shape)


def below(high, *shape):
    return np.random.default_rng(sum(shape)).integers(0, high, size=shape)


def vectors(*lengths):
    return [(numbers(n),) for n in lengths]


def pairs(*shapes):
    return [(numbers(n), numbers(m)) for n, m in shapes]


def matrices(*shapes):
    return [(numbers(n, m),) for n, m in shapes]


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


# texts ---------------------------------------------------------------------------------------------
@called(*[(numbers(11, 4), below(11, b, t)) for b, t in [(2, 5), (3, 7), (4, 9)]])
def language_model(E, t):
    x = E[t[:, :-1]] @ E.T
    logp = np.log(softmax(x.reshape(-1, x.shape[-1])))
    return -np.mean(logp[np.arange(t[:, 1:].size), t[:, 1:].reshape(-1)])


@called(*[(numbers(8, 24), numbers(b, t, 8)) for b, t in [(2, 5), (3, 7), (4, 9)]])
def attention(W, x):
    B, T, C = x.shape
    q, k, v = [z.reshape(B, T, 2, C // 2).transpose(0, 2, 1, 3) for z in np.split(x @ W, 3, axis=-1)]
    s = np.where(np.tril(np.ones((T, T))) == 0, -1e9, q @ k.transpose(0, 1, 3, 2) / np.sqrt(q.shape[-1]))
    return np.sum((softmax(s) @ v).transpose(0, 2, 1, 3).reshape(B, T, -1) * x)


@called(*[(numbers(b, t, 5), below(5, b, t)) for b, t in [(4, 3), (5, 4), (7, 6)]])
def every_place(logits, y):
    B, T, V = logits.shape
    picked = (logits[np.arange(B)[:, None], np.arange(T), y]
              * logits.reshape(B * T, V)[np.arange(y.size), y.ravel()].reshape(B, T))
    return np.sum(picked ** 2) + np.sum(logits[:, 1:].reshape(-1, V)[np.arange(B * (T - 1)), y[:, 1:].flatten()])


@called(*[(numbers(n, 3), below(3, n)) for n in (4, 6, 9)])
def classes(x, y):
    hot = np.zeros((y.size, 3))
    hot[np.arange(len(y)), y] = 1.0
    return np.sum(hot * x) - np.mean(x[np.arange(len(x)), y] ** 2)


# grids and signals ---------------------------------------------------------------------------------
@called(*[(numbers(3, 3), numbers(n, m)) for n, m in [(9, 11), (8, 13), (12, 6)]])
def strides(w, x):
    H, W = (x.shape[0] - 3) // 2 + 1, (x.shape[1] - 3) // 2 + 1
    y = np.zeros((H, W))
    for a in range(3):
        for b in range(3):
            y += w[a, b] * x[a:a + 2 * H:2, b:b + 2 * W:2][:H, :W]
    return np.sum(np.tanh(y))


@called(*matrices((9, 11), (8, 13), (12, 6)))
def heat(u):
    v = u.copy()
    for _ in range(2):
        w = v.copy()
        w[1:-1, 1:-1] += 0.1 * (v[2:, 1:-1] + v[:-2, 1:-1] + v[1:-1, 2:] + v[1:-1, :-2] - 4 * v[1:-1, 1:-1])
        w[0], w[-1], w[:, 0] = w[1], w[-2], 0.0
        v = w
    return np.sum(v ** 2)


@called(*[(numbers(n), numbers(k)) for n, k in [(9, 3), (12, 4), (15, 5)]])
def convolution(x, w):
    n, k = len(x), w.size
    full, valid = np.zeros(n + k - 1), np.zeros(n - k + 1)
    for i in range(k):
        full[i:i + n] += w[i] * x
        valid += w[i] * x[i:n - k + 1 + i]
    return np.sum(np.sin(full)) + np.sum(valid ** 2)


@called(*[(numbers(n), k) for n, k in [(9, 3), (12, 4), (15, 5)]])
def windows(x, k):
    c = np.cumsum(x)
    inside = x[np.arange(len(x) - k + 1)[:, None] + np.arange(k)]
    return np.sum(np.tanh(inside.mean(axis=1))) + np.sum((c[k:] - c[:-k]) ** 2) + np.sum(x[-k:] * x[:k])


@called(*vectors(8, 10, 12))
def wavelets(x):
    even, odd = x[::2], x[1::2]
    d = odd - even
    up = np.zeros(2 * x.size)
    up[::2], up[1::2] = x, 0.5 * x
    return np.sum(np.concatenate([even + d / 2, d]) * x) + np.sum(up[1:] * up[:-1])


@called(*matrices((4, 6), (8, 6), (10, 8)))
def pooling(x):
    h, w = x.shape
    return np.sum(x.reshape(h // 2, 2, w // 2, 2).max(axis=(1, 3)) ** 2)


@called(*[(numbers(n, m), 2) for n, m in [(5, 3), (6, 8), (7, 4)]])
def padded(u, k):
    n, m = u.shape
    p = np.zeros((n + 2 * k, m + 2 * k))
    p[k:-k, k:-k] = u
    return np.sum((p[k:n + k, :m] - u) ** 2) + np.sum(p[2 * k:, k:m + k] * u)


# recursions and linear algebra ---------------------------------------------------------------------
@called(*[(numbers(d, d) * 0.3, numbers(t, d)) for t, d in [(5, 2), (8, 3), (4, 4)]])
def kalman(A, ys):
    T, d = ys.shape
    m, P, ms = np.zeros(d), np.eye(d), np.zeros((T, d))
    for t in range(T):
        m, P = A @ m, A @ P @ A.T + 0.1 * np.eye(d)
        K = np.linalg.solve(P + 0.2 * np.eye(d), P).T
        m, P = m + K @ (ys[t] - m), P - K @ P
        ms[t] = m
    for t in range(T - 2, -1, -1):
        ms[t] = ms[t] + 0.5 * (ms[t + 1] - A @ ms[t])
    return np.sum(ms ** 2)


@called(*[(numbers(n) + 5, numbers(n - 1), numbers(n - 1), numbers(n)) for n in (5, 7, 9)])
def tridiagonal(b, a, c, d):
    n = len(d)
    p, q, x = np.zeros(n), np.zeros(n), np.zeros(n)
    p[0], q[0] = c[0] / b[0], d[0] / b[0]
    for i in range(1, n):
        w = b[i] - a[i - 1] * p[i - 1]
        p[i] = c[i] / w if i < n - 1 else 0.0
        q[i] = (d[i] - a[i - 1] * q[i - 1]) / w
    x[-1] = q[-1]
    for i in range(n - 2, -1, -1):
        x[i] = q[i] - p[i] * x[i + 1]
    return np.sum(x ** 2)


@called(*matrices((4, 4), (5, 5), (7, 7)))
def cholesky(A):
    n = A.shape[0]
    A, L = A @ A.T + n * np.eye(n), np.zeros((n, n))
    for j in range(n):
        L[j, j] = np.sqrt(A[j, j] - L[j, :j] @ L[j, :j])
        for i in range(j + 1, n):
            L[i, j] = (A[i, j] - L[i, :j] @ L[j, :j]) / L[j, j]
    return np.sum(np.log(np.diag(L)))


@called(*pairs((3, 4), (5, 2), (6, 7)))
def warping(x, y):
    D = np.zeros((len(x) + 1, len(y) + 1))
    D[1:, 0] = D[0, 1:] = 1e3
    for i in range(1, len(x) + 1):
        for j in range(1, len(y) + 1):
            D[i, j] = (x[i - 1] - y[j - 1]) ** 2 + min(D[i - 1, j], D[i, j - 1], D[i - 1, j - 1])
    return D[-1, -1]


@called(*[(numbers(n, 3), numbers(n) ** 2) for n in (4, 5, 7)])
def bodies(x, m):
    energy = 0.0
    for i in range(len(x)):
        for j in range(i + 1, len(m)):
            d = x[i] - x[j]
            energy -= m[i] * m[j] / np.sqrt(d @ d + 0.01)
    return energy


# samples -------------------------------------------------------------------------------------------
@called(*[(numbers(3), numbers(n, 3), numbers(n), b) for n, b in [(9, 3), (13, 4), (17, 5)]])
def ragged_batches(w, X, y, b):
    loss = 0.0
    for s in range(0, len(X), b):
        part = X[s:s + b]
        loss += np.sum((part @ w - y[s:s + b]) ** 2) / len(part)
    n = len(X) // b
    return loss + np.sum((X[:n * b].reshape(n, b, -1) @ w).mean(axis=1) ** 2)


@called(*[(numbers(n), below(n, 6, n), below(4, n)) for n in (9, 12, 15)])
def bootstrap(x, index, group):
    means, h = x[index].mean(axis=1), np.zeros(4)
    np.add.at(h, group, x)
    return np.std(means) + np.sort(means)[len(means) // 4] + np.sum(h ** 2)


@called(*[(numbers(n, m), numbers(m)) for n, m in [(9, 4), (13, 5), (17, 7)]])
def folds(X, w):
    size, s = len(X) // 3, 0.0
    for f in range(3):
        rest = np.concatenate([X[:f * size], X[(f + 1) * size:]])
        s += np.mean((X[f * size:(f + 1) * size] @ w) ** 2) + np.sum(rest.mean(axis=0) * w)
    return s


@called(*[(numbers(n * n + n), numbers(n)) for n in (3, 4, 5)])
def packed(theta, x):
    n = len(x)
    return np.sum(np.tanh(theta[:n * n].reshape(n, n) @ x + theta[n * n:]))


@called(*[(numbers(n, m), numbers(n)) for n, m in [(9, 4), (13, 5), (17, 7)]])
def repeated(A, w):
    return np.sum(np.repeat(w, A.shape[1]) * A.ravel()) + np.sum(np.tile(w, A.shape[1]) * A.T.ravel())


# lists ---------------------------------------------------------------------------------------------
@called(*vectors(5, 6, 7))
def sums_of_lists(x):
    order = list(range(len(x)))
    return sum([x[i] * x[i + 1] for i in range(len(x) - 1)]) + sum([x[i] * i for i in order], 1.0)


@called(*vectors(9, 12, 15))
def three_parts(x):
    a, b, c = np.split(x, 3)
    d, e = np.split(x, [len(x) // 3])
    return np.sum(a * b * c) + np.sum(d) * np.sum(e ** 2)


# programs that are different for other sizes -------------------------------------------------------
@called(*vectors(1, 2, 3, 4, 5, 9, 20), programs=3)
def short_slices(x):
    return np.sum(x[1:-1] ** 2) + np.sum(x[2:]) + np.sum(x[:3] ** 2) + np.sum(x[-2:])


@called(*pairs((4, 3), (5, 5), (6, 8), (7, 5), (5, 7), (2, 9)))
def the_longer(x, y):
    if len(x) < len(y):
        x, y = y, x
    n = min(len(x), len(y))
    return np.sum(x[:n] * y) + np.sum(x[n:] ** 2)


@called(*vectors(2, 3, 4, 5, 6, 9, 11), programs=2)
def other_rank(x):
    y = x.reshape(1, -1) if x.size > 3 else x
    return np.sum(y ** 2) * y.ndim


@called(*pairs((4, 3), (5, 5), (6, 8), (7, 5), (5, 7), (2, 9), (6, 6), (3, 4)), programs=5)
def other_lists(x, y):
    n, m = len(x), len(y)
    parts = [x] if n == m or n > m + 1 else [x, y] if n < m and m > 5 else [x, y, x]
    s = 0.0
    for v in parts:
        s += np.sum(v ** 2)
    return s


@called(*[(numbers(n), k) for n, k in [(5, 0), (6, 1), (7, 2), (8, 3), (9, 4)]], programs=2)
def other_by_an_integer(x, k):
    y = x[k:].reshape(1, -1) if k > 1 else x
    return np.sum(y ** 2)


@called(*vectors(8, 9, 10, 12, 13), programs=3)
def uneven_parts(x):
    return sum([np.sum(p) ** 2 for p in np.array_split(x, 3)])


@called(*vectors(2, 4, 3, 8, 6), programs=3)
def halves(x):
    def total(a):
        return np.sum(np.sin(a)) if len(a) <= 2 else total(a[:len(a) // 2]) * total(a[len(a) // 2:])
    return total(x)
