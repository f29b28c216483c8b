"""What is stored into and comes back; loops and scalars."""
import numpy as np

from tests.gpu.traps.table import LONG, A, B, X, Y, on

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
