"""Programs in the manner of NumPy's documentation: indexing, broadcasting, promotion, copies and views."""
import numpy as np

from tests.independent.documented.table import entering

PROGRAMS = []                                    # (function, its arguments, made anew by a call)
example = entering(PROGRAMS)

# ---- NumPy: indexing

A10 = "np.arange(10)"
A35 = "np.arange(35).reshape(5, 7)"
A234 = "np.arange(24.0).reshape(2, 3, 4)"


@example(A10)
def single_elements(x):
    y = x.reshape(2, 5)
    return x[2], x[-2], y[1, 3], y[1, -1], y[0], y[0][2]


@example(A10)
def basic_slices(x):
    return x[1:7:2], x[-2:10], x[-3:3:-1], x[5:], x[:-7], x[::-1], x[7:2], x[20:]


@example(A35)
def two_dimensions(y):
    return (y[1:5:2, ::3], y[:, 2], y[..., 0], y[None, 1, 1:3], y[:, np.newaxis, :].shape, y[[0, 2, 4], [0, 1, 2]],
            y[[0, 2, 4], 1], y[[0, 2, 4]], y[1:5:2][:, ::3])


@example(A234)
def ellipsis(x):
    return (x[..., 0], x[:, :, 0], x[0, ..., 1], x[..., 1:3, None].shape, x[1, 2], x[(0, 1, 2)], x[:, [0, 2], 1:3],
            x[[0, 1], :, [1, 2]])


@example("np.arange(9.0)")
def assigning(x):
    x[2:7] = 1
    x[7] = 10.0
    x[-1:] += 5
    x[[0, 1, 1]] += 1
    return x


@example("np.arange(0, 50, 10)")
def assigning_ints(x):
    x[np.array([1, 1, 3, 1])] += 1
    x[0] = 1.9
    return x


@example("np.arange(3.0)")
def out_of_range(x):
    return x[3]


@example("np.zeros((2, 3))")
def does_not_fit(x):
    x[:] = np.ones(2)
    return x


@example("np.arange(6).reshape(2, 3)")
def copies_and_views(a):
    b = a[0, :]
    c = a[[1, 2 - 1]]
    d = a.T
    b[0] = 10
    c[0] = -1
    d[2, 1] = 99
    e = a.ravel()
    f = a.flatten()
    e[1] = 7
    f[2] = 8
    return a, b, c, d


# ---- NumPy: broadcasting, promotion

@example("np.array([1.0, 2.0, 3.0]), np.array([2.0, 2.0, 2.0])", "np.array([1, 2, 3]), np.array([1.5])")
def broadcasting(a, b):
    return a * b, a * 2.0, a[:, None] + b, a[:, np.newaxis] * b[np.newaxis, :], np.outer(a, b)


@example("np.array([[0.0, 0.0, 0.0], [10.0, 10.0, 10.0]]), np.array([1.0, 2.0, 3.0])")
def broadcasting_rows(a, b):
    return a + b, (a + b).sum(axis=0), a.T + b[:2], np.broadcast_to(b, (2, 3))


@example("np.array([[0.0, 0.0, 0.0]]), np.array([1.0, 2.0])")
def broadcasting_mismatch(a, b):
    return a + b


@example("np.array([111.0, 188.0]), np.array([[102.0, 203.0], [132.0, 193.0], [45.0, 155.0]])")
def vector_quantisation(observation, codes):
    diff = codes - observation
    return np.argmin(np.sqrt(np.sum(diff**2, axis=-1)))


@example("np.uint8(1), 2", "np.int8(100), 100", "np.float32(3), 3.0", "np.float32(3), np.float64(3)",
         "np.int16(3), 2.5", "np.bool_(True), 1", "np.array([1, 2], np.uint8), 2",
         "np.array([0.1], np.float32), np.float64(0.1)", "np.array([1], np.uint8), np.int64(300)",
         "np.uint64(1), np.int64(2)", "np.array([1, 2], np.int8), True", "np.float32(0.1), 0.1")
def promotion(a, b):
    return a + b, a * b, a - b, a / b, np.maximum(a, b), a == b, a < b, np.where(True, a, b)


@example("np.uint8(1)")
def out_of_bounds_integer(a):
    return a + 300


@example("np.array([1, 2, 3], dtype=np.uint8)")
def wraps(a):
    a += 254
    b = a * np.uint8(2)
    return a, b, a.sum(), a.mean(), a.sum(dtype=np.uint8), np.cumsum(a), -a, a - 255


@example("np.array([1.7, -1.7, 2.5])")
def conversions(x):
    return (x.astype(int), x.astype(np.float32), np.rint(x), np.trunc(x), x.astype(bool), np.asarray(x, dtype=np.int8),
            x.round(), int(x[0]), float(x[1]))


@example("np.arange(6.0).reshape(2, 3)")
def axes(x):
    return (x.sum(), x.sum(axis=0), x.sum(axis=1, keepdims=True), x.max(axis=-1), np.mean(x, axis=(0, 1)),
            np.std(x), np.var(x, axis=0, ddof=1), x.argmax(), np.argsort(-x, axis=1), np.cumsum(x, axis=1),
            np.concatenate([x, x], axis=1), np.stack([x, x]).shape, np.vstack((x, x[0])), np.hstack((x, x)), x @ x.T,
            np.dot(x, x[0]))


@example("np.array([3.0, 1.0, 2.0]), 1.5")
def searching(x, v):
    s = np.sort(x)
    return (np.searchsorted(s, v), np.searchsorted(s, [1.0, 2.0], side="right"), np.where(x > v, x, -x),
            np.clip(x, 1.5, None), np.any(x > v), np.all(x > v, axis=0), x[np.argsort(x)])


@example("5")
def making_arrays(n):
    return (np.zeros(n), np.ones((2, n), dtype=np.int16), np.arange(0, 1, 0.25), np.linspace(0, 1, n), np.eye(2),
            np.full((2, 2), n), np.full(2, 1.5), np.array([[1, 2.0], [n, 0]]), np.identity(2), np.zeros_like([1, 2]))


@example("0.5", "np.array([0.5, 2.0])")
def where_and_out(x):
    y = np.zeros(2)
    np.add(x, 1.0, out=y)
    return y, np.sqrt(x, where=True), np.multiply(x, 2, dtype=np.float32)


@example("np.float64(3.0)", "np.array(3.0)", "3.0")
def zero_dimensional(x):
    return (np.ndim(x), np.shape(x), np.sum(x), np.max(x), np.asarray(x)[()], np.array(x) + 1, np.atleast_1d(x),
            np.sin(x), -x, abs(x), np.ravel(x))
