"""Programs on which parting for a GPU could go wrong: in loops that threads share, in what one thread does, in what stays on the host."""

import numpy as np

import gradscribe as gs

rng = np.random.default_rng(3)
X, Y = rng.normal(size=7), rng.normal(size=7)
A, B = rng.normal(size=(5, 7)), rng.normal(size=(7, 5))
LONG = rng.normal(size=5000)
CASES: list[tuple] = []  # (function, arguments of its calls)


def on(*calls):
    """Register a function with the arguments of one call or more."""
    def register(f):
        CASES.append((f, calls))
        return f

    return register


# ---- what is stored into, and what comes back

@on((X,), (X[:0],), (X[:1],))
def stores(x):
    x[1:] = x[:-1] * 2.0
    x *= 0.5
    return np.sum(x)


@on((X, Y))
def stores_into_both_and_returns_one(x, y):
    x[::2] += y[::2]
    y[:] = x
    return y


@on((A,))
def returns_a_view(a):
    return a[1:, ::2], a.T, a


@on((A,))
def returns_a_row_that_is_stored(a):
    r = a[2]
    r[0] = 7.0
    return r


@on((X, Y, 5), (X, Y, 0), (X, Y, 4))
def trades(x, y, n):
    u, v = x * 1.0, y * 1.0
    for i in range(n):
        u, v = v, u + 0.1 * v
    return u, v


@on((X, Y, 3), (X, Y, 4))
def trades_and_stores(x, y, n):
    u, v = x.copy(), y.copy()
    for i in range(n):
        u[0] = u[0] + v[1] * i
        u, v = v, u
    return u, v


# ---- loops and scalars

@on((2.0, 1e-9), (200.0, 1e-12))
def newton(a, tol):
    x, n = a, 0
    while abs(x * x - a) > tol:
        x = 0.5 * (x + a / x)
        n += 1
    return x, n


@on((X,), (LONG,))
def sums_on_the_way(x):
    s = 0.0
    for k in range(3):
        y = x * s + 1.0
        s = s + np.sum(y * x)
    return s, y


@on((X,), (-np.abs(X),))
def while_of_arrays(x):
    n = 0
    while np.sum(x * x) > 1e-3 and n < 50:
        x = x * 0.5
        n += 1
    return x, n


@on((X, 3), (X, 7), (X, 0))
def bound_of_the_run(x, n):
    total = 0.0
    for i in range(n):
        for j in range(i, n):
            total += x[i] * x[j]
    return total


@on((np.array([3, 1, 4, 1, 5]), X), (np.array([0, 0, 7]), X))
def bound_from_an_array(lengths, x):
    out = np.zeros(len(lengths))
    for i in range(len(lengths)):
        for j in range(lengths[i]):
            out[i] += x[j % 7] * j
    return out


@on((X,), (np.array([0.1, np.nan, 2.0]),))
def length_from_a_test(x):
    n = int(np.sum(x > 0))
    y = np.zeros(n)
    for i in range(n):
        y[i] = x[i] + n
    return y


@on((X, 3), (X, -1))
def python_numbers_stay(x, n):
    k, f = 2 * n + 1, n / 4
    if k > 3:
        f = f + 1
    return x * f, k, f, n > 2


@on((X,), (LONG,))
def left_early(x):
    for i in range(len(x)):
        if x[i] > 1.2:
            return i, x[i]
    return -1, 0.0


@on((X, 400), (X, 3))
def long_tape(x, n):
    y = x[0]
    for i in range(n):
        if y > 0.5:
            y = y * 0.9 + 0.01 * x[1]
        else:
            y = y + 0.3 * np.sin(y + i)
    return y


@on((LONG[:40],), (LONG[:10],))
def tape_of_each_thread(x):
    out = np.zeros(len(x))
    for i in range(len(x)):
        y, k = x[i], 0
        while k < 100:
            y = np.sin(y) + 0.1 * x[i]
            k += 1
        out[i] = y
    return np.sum(out)


@on((A,), (A[:0],), (A[:, :0],))
def private_rows(a):
    out = np.zeros(a.shape[0])
    for i in range(a.shape[0]):
        row = np.zeros(a.shape[1])
        for j in range(a.shape[1]):
            row[j] = a[i, j] ** 2
            if j > 0:
                row[j] += row[j - 1]
        out[i] = np.sum(row)
    return out


@on((A,), (B,))
def private_once_for_all(a):
    tmp = np.ones(a.shape[1])
    out = np.zeros(a.shape[0])
    for i in range(a.shape[0]):
        for j in range(1, a.shape[1]):
            tmp[j] = a[i, j] + tmp[j - 1]
        out[i] = tmp[-1] + tmp[0]
    return out


@on((A,), (B,))
def carried_row(a):
    tmp = np.zeros(a.shape[1])
    out = np.zeros(a.shape[0])
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            tmp[j] += a[i, j]
        out[i] = tmp.sum()
    return out, tmp


@on((A,))
def neighbours(a):
    for k in range(3):
        a[1:-1, 1:-1] = 0.25 * (a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:])
    return a


@on((A,))
def gauss_seidel(a):
    for k in range(2):
        for i in range(1, a.shape[0] - 1):
            for j in range(1, a.shape[1] - 1):
                a[i, j] = 0.25 * (a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1])
    return a


@on((A,))
def diagonal(a):
    for i in range(5):
        a[i, i] = a[i, i] + a[i, 0]
        a[i, 2] = a[i, i] * 2.0
    return a


@on((X,))
def prints(x):
    y = x * 2.0
    print("sum", np.sum(y), y[0])
    return y


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
    return a + b, a * b * 9, a - b, a // b, a % b, a << 1, a & b, -a, np.sum(a), np.cumsum(b), np.max(a), a / b, a ** 2, ~a


@on((X.astype("f4"), Y.astype("f4")), (X.astype("f4"), Y))
def singles(x, y):
    s = np.float32(0.5)
    return x * y, np.sum(x), np.exp(x) * s, x @ y, np.mean(x), x[0] * y[1], np.sin(x) ** 2, x / 3, np.arctan2(x, y)


@on((X + 1j * Y, Y - 2j * X), ((X + 1j * Y).astype("c8"), (Y - 2j).astype("c8")))
def complexes(z, w):
    return z * w, z / w, np.abs(z), np.exp(z), np.conj(z) + 1, np.sum(z), np.sqrt(z), z.real, np.angle(w), np.prod(z), z @ w, z ** 2


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
    return np.where(x > y, x, 0.0), np.clip(x, -0.5, 0.5), np.maximum(x, y), np.sign(x), np.select([x > 1, x > 0], [y, -y])


@on((X, np.array([1, 1, 2, 6, 0, 1, 1])), (X, np.array([1, 1, 2, 9, 0, 1, 1])))
def adds_at(x, i):
    out = np.zeros(7)
    np.add.at(out, i, x)
    return out, np.bincount(i, weights=x)


@on((X,), (LONG,), (np.array([2.0, np.nan, 1.0]),), (X[:0],))
def orders(x):
    return np.cumsum(x), np.cumprod(np.cos(x)), np.sort(x), np.argsort(x), np.diff(x), np.searchsorted(np.sort(x), x[:3])


@on((A,))
def orders_of_axes(a):
    return np.sort(a, axis=0), np.argsort(a, axis=1), np.cumsum(a, axis=0), np.argmax(a, axis=1), np.median(a), a.max(axis=0), a.std()


@on((A, B), (A.astype("f4"), B.astype("f4")), (A[:0], B))
def products(a, b):
    return a @ b, a @ b[:, 0], np.dot(a, b), np.einsum("ij,jk->ki", a, b), np.outer(a[:, 0], b[0]), np.trace(a @ b)


@on((B.T @ B + np.eye(5), X[:5]))
def systems(m, b):
    return np.linalg.solve(m, b), np.linalg.det(m), np.linalg.inv(m), np.linalg.norm(b), np.linalg.cholesky(m), np.linalg.eigh(m)[0]


@on((np.zeros((2, 2)), np.ones(2)))
def singular(m, b):
    return np.linalg.solve(m, b)


@on((X,), (LONG[:64],))
def transforms(x):
    return np.fft.fft(x), np.fft.rfft(x), np.fft.ifft(np.fft.fft(x)).real


@on((A, X))
def shapes_of_all(a, x):
    return (a.reshape(7, 5), np.concatenate([a[0], x]), np.stack([x, x]), a[:, ::-1], np.roll(x, 2), np.repeat(x, 2), np.tile(x, 2),
            np.transpose(a)[None], np.flip(a), np.broadcast_to(x, (2, 7)), np.pad(x, 1), np.squeeze(a[None]), np.ravel(a.T))


@on((A,), (A[:0],))
def reductions(a):
    return a.sum(), a.sum(axis=0), a.mean(axis=1), a.prod(), np.sum(a > 0, axis=1), np.any(a > 2), np.linalg.norm(a), np.count_nonzero(a)


@on((LONG,), (LONG[:4097],), (LONG[:1025],), (LONG.astype("f4"),), ((LONG * 100).astype(int),))
def long_reductions(x):
    return np.sum(x), np.max(x), np.min(x), np.argmax(x), np.any(x > 5), np.all(x < 9), np.mean(x), np.sum(x * x), x @ x, np.prod(x[:3])


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


# ---- random numbers

KEY = gs.random.key(7)


@on((X, KEY), (LONG[:50], KEY))
def noise(x, key):
    first, second = gs.random.split(key)
    y = x + gs.random.normal(first, x.shape, np.float64) * gs.random.uniform(second, x.shape, np.float64)
    return y, gs.random.normal(gs.random.fold_in(key, 3), (), np.float64), gs.random.bits(key, (3,)), gs.random.randint(key, (4,), -5, 5)


@on((np.array([0.3]), KEY, 4), (np.array([0.3]), KEY, 0))
def walk(x, key, n):
    s, highest = x[0], 0.0
    for k in range(n):
        s = s * np.exp(0.1 * gs.random.normal(gs.random.fold_in(key, k), (), np.float64))
        highest = max(highest, s)
    return s, highest


@on((np.array([1.0, 0.2]), KEY))
def monte_carlo(x, key):
    z = gs.random.normal(key, (40,), np.float64)
    return np.mean(np.maximum(x[0] * np.exp(x[1] * z - 0.5 * x[1] * x[1]) - 1.0, 0.0))


@on((X.astype("f4"), KEY))
def single_noise(x, key):
    return x + gs.random.normal(key, x.shape), gs.random.uniform(key, (3,)), gs.random.bernoulli(key, 0.5, (5,))


# ---- the order of things

@on((X,), (LONG[:50],))
def sorted_after_a_store(x):
    x[0] = 5.0
    y = np.sort(x)
    x[1] = -5.0
    return y, np.argsort(x), x[x > 0], np.linalg.norm(x)


@on((X, np.array([0, 99]), 0), (X, np.array([0, 1]), 0), (X, np.array([0, 99]), 1))
def the_first_of_two_exceptions(x, i, n):
    y = np.cumsum(x[i])
    y[0] = 1.0
    k = 5 // n
    return y * k


@on((np.eye(3), np.array([0, 99, 1])), (np.eye(3), np.array([0, 1, 1])))
def the_first_of_two_in_a_library(m, i):
    b = m[i]
    return np.linalg.inv(b)


@on((X, np.array([0, 99])), (X, np.array([0, 1])))
def printed_once(x, i):
    print("before", x[0])
    y = x[i]
    print("after", y[0])
    return y


@on((X, 100), (X, 3))
def printed_once_with_a_tape(x, n):
    y = x[0]
    print("before", y)
    for i in range(n):
        y = np.sin(y) + x[1]
    print("after", y)
    return y


@on((X, 2), (X, 0))
def scalar_of_host_and_device(x, n):
    t = x[0] * 2.0
    u = x + t
    if n > 1:
        t = float(n) ** 0.5
    return u * t, t


@on((X, 3), (X, 0))
def conditional_scalars(x, n):
    s = 1.0
    for i in range(n):
        y = np.sort(x * i)
        if i == 1:
            s = y[0]
        x = y + s
    return x, s


@on((np.float32(0.1), X.astype("f4")), (np.float32(3.0), X.astype("f4")))
def single_scalars(a, x):
    b = a * a + np.float32(1.0) / np.float32(3.0)
    return b, b * x[0], a / np.float32(7.0), np.sum(x) * a, x * b


@on((X, 2), (X, 5))
def lengths_from_the_device(x, n):
    k = int(np.argmax(x))
    return np.zeros(k + n), np.ones((n, k)), x[:k], np.arange(k)


@on((A,), (B,))
def rows_sorted(a):
    out = np.zeros_like(a)
    for i in range(a.shape[0]):
        out[i] = np.sort(a[i])
    return out


@on((X, 70, 3), (X, 5, 0))
def loops_in_loops(x, n, m):
    s, count = 0.0, 0
    for i in range(n):
        k = 0
        while k < m and s < 100.0:
            s += x[k] * i
            k += 1
        count += k
    return s, count


@on((X,), (A,))
def divides_in_a_test(x):
    t, n, y = x.max(), 0, x
    while 1.0 / t > 0.0 and n < 5:
        y = np.sort(y * 2.0)
        t = t * 0.0
        n += 1
    return y, n


@on((X, 2), (X, 9))
def says_its_array(x, n):
    """A check of the host, which says what lies on the device."""
    if n > 5:
        raise ValueError(f"too long for {x}")
    return x * n


# ---- tapes

def rounds_on_one_path(x, a):
    for i in range(len(x)):
        if x[i] > 0.0:
            k = len(x)
            while k > 0:
                a[1:] += np.tanh(a[1:])
                k -= i + 1
    return np.sum(a * a)


@on((X, A), (X[:2], A[:2]))
def what_a_while_saves_is_empty_on_the_other_path(x, a):
    """Memory of one axis that grows, seen as rows, is beside an array that is just empty."""
    return gs.grad(rounds_on_one_path, 1)(x, a.copy())


# ---- small arrays of a thread, which become numbers: a second name of one must not miss a store

SMALL = rng.normal(size=(5, 2))


@on((X, 3), (X, 0), (X, 1))
def swapped_and_stored(x, n):
    def one(a):
        u, v = np.array([a, 1.0]), np.array([0.0, a])
        for i in range(n):
            u, v = v, u + 0.1 * v
            u[0] += 0.5
        return np.array([u @ v, u[1]])

    return gs.vmap(one)(x)


@on((X, 3), (X, 0))
def kept_and_stored(x, n):
    def one(a):
        u = np.array([a, 1.0])
        first = u
        for i in range(n):
            v = u
            v[i % 2] += first[1 - i % 2]
            u = v * 0.5
            first[0] += u[1]
        return u + first

    return gs.vmap(one)(x)


@on((X, np.array([0, 1, 1, 0])), (X, np.array([], dtype=np.int64)))
def indexed_by_data(x, at):
    def one(a):
        p, q = np.array([a, 1.0 - a]), np.zeros(2)
        for k in at:
            q[k] += p[k]
            p = np.array([q[k], p[1 - k] * 0.5])
            p, q = q + p, p
        return p - q

    return gs.vmap(one)(x)


@on((SMALL, 4), (SMALL, 0))
def rebound_on_one_path(a, n):
    def one(y):
        old = np.zeros(2)
        z = np.array([y[0], y[1]])
        for i in range(n):
            if z[0] > 0.0:
                old = z
                z = np.array([z[1] - 1.0, z[0]])
            else:
                z[1] = old[0] + 1.0
                z = z[::-1] + 0.25
        return old, z

    return gs.vmap(one)(a)


@on((SMALL, 3), (np.ones((4, 3)), 3), (np.ones((0, 2)), 3))
def started_by_an_argument(a, n):
    def one(y):
        m = np.zeros((2, 2))
        for i in range(n):
            m = m @ m.T + np.outer(y[:2], y[:2])
            m[i % 2, 1] = m[0, 0] * 0.5
            m = m / (1.0 + m[0, 0])
        return m.T

    return gs.vmap(one)(a)


def of_rows(w, x, n):
    def one(a):
        h = np.zeros(2)
        for i in range(n):
            h = np.tanh(w[0] * h + w[1] * a)
            if h[0] > 2.0:
                h = h * w[5]
        return np.sum(h)

    return np.sum(gs.vmap(one)(x))


@on((np.array([0.5, 0.7]), X, 3), (np.array([0.5, 0.7]), X, 0), (rng.normal(size=6), X[:0], 3))
def sums_over_examples(w, x, n):
    """A sum into a place that may not be there, on a path that is not taken."""
    return gs.grad(of_rows)(w, x, n)


@on((X,), (LONG,))
def sums_into_few_places(x):
    y = np.zeros(3)
    for i in range(len(x) - 1, -1, -1):
        y[0] += x[i]
        if x[i] > 0.0:
            y[2] += x[i] * x[i]
    return y


@on((rng.normal(size=(4, 3)), 3), (rng.normal(size=(4, 3)), 0))
def prefix_sums_over_and_over(a, n):
    def one(x):
        y = x.copy()
        for i in range(n):
            for j in range(1, len(y)):
                y[j] += 0.5 * y[j - 1]
        return y

    return gs.vmap(one)(a)


@on((X.astype(np.float32), 3),)
def of_float32(x, n):
    def one(a):
        c = np.zeros(2, dtype=np.float32)
        for i in range(n):
            c[1] += a / 3
            c = np.array([c[1], c[0]], dtype=np.float32)
        return c

    return gs.vmap(one)(x)


@on((X, 2), (X, 0))
def of_integers(x, n):
    def one(a):
        c = np.array([0, 1])
        for i in range(n + 2):
            c[i % 2] += i
            c = np.array([c[1], c[0] + c[1]])
        return c * (a > 0)

    return gs.vmap(one)(x)


@on((SMALL, SMALL, 3),)
def two_levels(a, b, n):
    def one(x, y):
        for i in range(n):
            x, y = y * 0.9, x + 0.1 * y
        return x * y

    return gs.vmap(gs.vmap(one, in_axes=(0, None)), in_axes=(None, 0))(a[:, 0], b[:, 1]), gs.vmap(gs.vmap(one))(a, b)


@on((SMALL, 3),)
def jacobians_of_each(a, n):
    def one(y):
        for i in range(n):
            y = y + 0.1 * np.array([y[1] * y[0], -y[0]])
        return y

    return gs.vmap(gs.jacrev(one))(a), gs.vmap(gs.jacfwd(one))(a)


@on((A[:, :3], X[:5]), (A[:, :2], X[:5]))
def last_but_one_of_a_part(a, g):
    """An index that counts from the end counts from that of the part, not of the array."""
    def one(x, g):
        d = np.abs(g) + 0.1
        while d > 0.33:
            d *= 0.5
            for _ in range(2):
                part = x[:2]
                part[-2] = 0.8 * np.cos(d)
        small = np.zeros(3)
        for i in range(3):
            small[-1 - i] += d
            small[i - 3] *= 2.0
        return x.sum() + small[-1] * small[0]

    return gs.vmap(one)(a.copy(), g)


@on((A, X), (A[:, :3], X))
def a_sum_of_what_is_handed_on(a, x):
    """The inner sum begins anew in each round, and reads what the round before has left: it is none over the rounds."""
    s, h = 0.0, 1.0
    for i in range(a.shape[0]):
        t = 0.0
        for j in range(a.shape[1]):
            t = t + a[i, j] * h
        s += t
        h = x[i]
    return s


@on((A, X),)
def an_array_that_is_handed_on_beside_a_sum(a, x):
    s, h = 0.0, np.ones(2)
    for i in range(a.shape[0]):
        h = np.array([h[1] * a[i, 0], h[0] + a[i, 1]])
        s += x[i]
    return s, h


@on((np.ones((3, 2)), np.array([0, 2, 3])), (np.ones((3, 2)), np.array([1, 0, 0])))
def an_array_of_the_round_that_the_end_reads(a, n):
    def one(x, n):
        u, w = x.copy(), np.zeros(2)
        for i in range(n):
            u[:-1] += 1.0
            w[:] = x
        return u[0] + w[0]

    return gs.vmap(one)(a, n)


@on((np.array([-0.8, 0.68, 0.14]),), (np.array([0.5]),))
def a_second_stage_that_reads_its_round(x):
    """Two sums over one axis: one has blocks, the other is of a value that comes in and takes each element as it is."""
    n = x.shape[0]
    s1 = np.min(x)
    for i in range(n - 1, -1, -1):
        s6 = 0.0
        for _ in range(n - 1, i, -1):
            s1, s6 = (s6, np.sin(s1))
            s1 += np.matmul(x[:], np.sum(np.zeros((x.shape[0], n)) + 0.5, axis=1))
            s6 += np.sin(np.min(np.maximum(np.full(n, s6), x[::-1])))
    return s1, s6


@on((np.arange(14.0).reshape(2, 7), 4), (np.arange(6.0).reshape(2, 3), 1))
def a_view_that_is_a_result_and_named_as_often_as_before(A, k):
    """The adjoint is a transposed array, stored into through a row of it: a view of a view."""
    w = A[1]
    w[2:] *= 0.2
    return np.sum(A.T[k])
