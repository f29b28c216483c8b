"""What raises; dtypes; NumPy."""
import numpy as np

import gradscribe as gs
from tests.gpu.traps.table import LONG, A, B, X, Y, on

# ---- what raises

@on((X, 3), (X, 7), (X, -7), (X, -8), (X[:0], 0))
def element(x, i):
    y = x * 2.0
    return y[i]


@on((X, np.array([0, 6, -7])), (X, np.array([0, 7])), (X, np.array([-8, 0])), (X, np.array([], int)))
def gather(x, i):
    return x[i] * 2.0


@on((X, np.array([0, 3, 3])), (X, np.array([1, 9])))
def scatter_loop(x, i):
    out = np.zeros(5)
    for k in range(len(i)):
        out[i[k]] += x[k]
    return out


@on((2**40, 5), (-2**60, 1))
def overflow(a, n):
    for i in range(n):
        a = a + a * 2
    return a


@on((X, 4), (X, 0))
def division(x, n):
    return x * (1 / n)


@on((X, 3.0), (X, 0.0))
def division_of_elements(x, d):
    k = 5 // int(d)
    return x + k


@on((np.array([4, 5, 6]), np.array([2, 0, 3])))
def integers_by_zero(a, b):
    return a // b, a % b


@on((X,), (np.abs(X),))
def raises_a_value(x):
    s = np.sum(x)
    if x.min() < 0:
        raise ValueError(f"negative {x[0]}")
    return np.sqrt(x) + s


@on((X,), (np.abs(X),))
def raises_with_an_array(x):
    y = x * 2.0
    if x[0] < 1e9:
        raise ValueError(y)
    return y


@on((X, Y), (X, Y[:3]), (X, Y[:1]))
def shapes(x, y):
    return x + y


@on((X,), (X[:0],))
def of_none(x):
    return np.max(x)


@on((X,))
def raised_after_a_store(x):
    x[0] = 5.0
    y = x[np.array([1, 99])]
    return y


# ---- dtypes

@on(*[(np.arange(5).astype(t), np.array([3, 1, 2, 7, 1]).astype(t)) for t in (
    "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")])
def integers(a, b):
    return (a + b, a * b * 9, a - b, a // b, a % b, a << 1, a & b, -a, np.sum(a), np.cumsum(b), np.max(a), a / b,
            a ** 2, ~a)


@on((X.astype("f4"), Y.astype("f4")), (X.astype("f4"), Y))
def singles(x, y):
    s = np.float32(0.5)
    return x * y, np.sum(x), np.exp(x) * s, x @ y, np.mean(x), x[0] * y[1], np.sin(x) ** 2, x / 3, np.arctan2(x, y)


@on((X + 1j * Y, Y - 2j * X), ((X + 1j * Y).astype("c8"), (Y - 2j).astype("c8")))
def complexes(z, w):
    return (z * w, z / w, np.abs(z), np.exp(z), np.conj(z) + 1, np.sum(z), np.sqrt(z), z.real, np.angle(w), np.prod(z),
            z @ w, z ** 2)


@on((X > 0, Y > 0))
def bools(p, q):
    return p & q, p | q, ~p, p ^ q, np.any(p), np.all(q), np.sum(p), p + q, np.where(p, 1, 2), np.logical_not(p)


@on((np.array([1, 2, 3]), 2.5, 3, True, np.float32(1.5), np.int8(3)))
def numbers(a, f, n, p, s, i):
    return a * f, a + n, a * p, a * s, a + i, f * n, s * i, i + i, f > s, n // 2


# ---- NumPy

@on((X,), (X[:0],), (np.ones(3),))
def masks(x):
    y = x[x > 0]
    x[x < 0] = -1.0
    return y, x, np.count_nonzero(x > 0), np.flatnonzero(x)


@on((X, Y))
def chooses(x, y):
    return (np.where(x > y, x, 0.0), np.clip(x, -0.5, 0.5), np.maximum(x, y), np.sign(x),
            np.select([x > 1, x > 0], [y, -y]))


@on((X, np.array([1, 1, 2, 6, 0, 1, 1])), (X, np.array([1, 1, 2, 9, 0, 1, 1])))
def adds_at(x, i):
    out = np.zeros(7)
    np.add.at(out, i, x)
    return out, np.bincount(i, weights=x)


@on((X,), (LONG,), (np.array([2.0, np.nan, 1.0]),), (X[:0],))
def orders(x):
    return (np.cumsum(x), np.cumprod(np.cos(x)), np.sort(x), np.argsort(x), np.diff(x),
            np.searchsorted(np.sort(x), x[:3]))


@on((A,))
def orders_of_axes(a):
    return (np.sort(a, axis=0), np.argsort(a, axis=1), np.cumsum(a, axis=0), np.argmax(a, axis=1), np.median(a),
            a.max(axis=0), a.std())


@on((A, B), (A.astype("f4"), B.astype("f4")), (A[:0], B))
def products(a, b):
    return a @ b, a @ b[:, 0], np.dot(a, b), np.einsum("ij,jk->ki", a, b), np.outer(a[:, 0], b[0]), np.trace(a @ b)


@on((B.T @ B + np.eye(5), X[:5]))
def systems(m, b):
    return (np.linalg.solve(m, b), np.linalg.det(m), np.linalg.inv(m), np.linalg.norm(b), np.linalg.cholesky(m),
            np.linalg.eigh(m)[0])


@on((np.zeros((2, 2)), np.ones(2)))
def singular(m, b):
    return np.linalg.solve(m, b)


@on((X,), (LONG[:64],))
def transforms(x):
    return np.fft.fft(x), np.fft.rfft(x), np.fft.ifft(np.fft.fft(x)).real


@on((A, X))
def shapes_of_all(a, x):
    return (a.reshape(7, 5), np.concatenate([a[0], x]), np.stack([x, x]), a[:, ::-1], np.roll(x, 2),
            np.repeat(x, 2), np.tile(x, 2), np.transpose(a)[None], np.flip(a), np.broadcast_to(x, (2, 7)), np.pad(x, 1),
            np.squeeze(a[None]), np.ravel(a.T))


@on((A,), (A[:0],))
def reductions(a):
    return (a.sum(), a.sum(axis=0), a.mean(axis=1), a.prod(), np.sum(a > 0, axis=1), np.any(a > 2), np.linalg.norm(a),
            np.count_nonzero(a))


@on((LONG,), (LONG[:4097],), (LONG[:1025],), (LONG.astype("f4"),), ((LONG * 100).astype(int),))
def long_reductions(x):
    return (np.sum(x), np.max(x), np.min(x), np.argmax(x), np.any(x > 5), np.all(x < 9), np.mean(x), np.sum(x * x),
            x @ x, np.prod(x[:3]))


ROWS = LONG[:4104].reshape(-1, 1)


@on((ROWS,), (ROWS.astype("f4"),), (ROWS + 1j * ROWS,), (A,), (A[:0],), (A.T,))
def long_columns(a):
    """Blocks of rows, and their results, where there are more than 4096; sums of three axes are over two loops."""
    return (np.sum(a, axis=0), np.sum(a * a, axis=0, keepdims=True), np.any(np.abs(a) > 3.0, axis=0),
            np.sum(np.abs(a) > 1.0, axis=0), np.sum(a[:50, None] * a[:50, :, None], axis=(0, 1)))


@on((ROWS, (ROWS * 9).astype("i4")), (A, (A * 9).astype("i4")))
def extremes_of_columns(a, n):
    return (np.max(a, axis=0), np.min(np.exp(a), axis=0), np.max(n, axis=0), np.min(n.astype(int), axis=0),
            np.sum(a * n, axis=0), np.var(a, axis=0))


@on((ROWS, A[:1], A[0]), (A, B, A[0, :5]), (B[:0], A, A[0]))
def a_layer_with_a_bias(x, w, b):
    """Beside the sum of each column its rows store what the other gradients are made of."""
    return gs.grad(lambda x, w, b: np.sum(np.tanh(x @ w + b)), argnums=(0, 1, 2))(x, w, b)


@on((np.array(2.0),), (np.array(3, "f4"),))
def without_axes(x):
    return x * 2.0, np.sum(x), x.reshape(1), np.sin(x)


@on((X,), (A,), (A[0, :3],), (np.ones((2, 2, 2)),))
def other_shapes(x):
    return (x * 2.0).sum(), x + 1, x.ravel()[0]


@on(((X, {"a": A, "b": 2.0}),))
def containers(p):
    x, d = p
    return {"s": x.sum() * d["b"], "m": [d["a"] * 2, (x,)]}
