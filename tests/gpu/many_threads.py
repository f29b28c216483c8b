"""Programs of which threads share the work, and those that look as if they could: more cases for `trapped`."""

import numpy as np

from .trapped import on

rng = np.random.default_rng(5)
ROW, LONG = rng.normal(size=(3, 37)), rng.normal(size=(2, 2100))
V, MANY = rng.normal(size=41), rng.normal(size=2100)
AT = np.array([3, 1, 3, -1, 0, 3, 1, 7, -8, 2] * 4 + [0])  # places of eight, the same again and again


# ---- reductions by groups of threads

@on((ROW,), (LONG,), (ROW[:, :0],), (ROW[:0],), (ROW.astype(np.float32),), (ROW + 1j * ROW,))
def sums_of_rows(a):
    return np.sum(a * a, axis=1), np.mean(a, axis=0), np.sum(a, axis=1) + np.prod(a, axis=1)


@on((ROW,), (LONG,), (np.where(ROW > 1.0, np.nan, ROW),), (ROW.astype(np.float32),),
    ((ROW * 9).astype(np.int64),), (ROW.T,))
def least_and_most(a):
    return np.max(a, axis=1), np.min(a, axis=0), np.argmax(a, axis=1), np.argmin(a), np.ptp(a, axis=1)


@on((ROW,), (ROW[:, :1],), (LONG,))
def of_bools(a):
    return np.any(a > 1.9, axis=1), np.all(a > -2.5, axis=1), np.sum(a > 0.0, axis=1), np.count_nonzero(a < 0.0)


@on(((ROW * 100).astype(np.int8),), ((ROW * 100).astype(np.uint16),), ((ROW * 1e9).astype(np.int64),))
def of_ints(a):
    return np.sum(a, axis=1), np.sum(a, axis=0), np.prod(a, axis=1), np.max(a), np.min(a, axis=1)


@on((ROW,), (LONG,), (ROW.T,), (np.full((2, 5), -np.inf),))
def softmax(a):
    e = np.exp(a - np.max(a, axis=1, keepdims=True))
    return (e / np.sum(e, axis=1, keepdims=True)) ** 2


@on((ROW,), (LONG,))
def normalised(a):
    return ((a - np.mean(a, axis=1, keepdims=True)) / np.sqrt(np.var(a, axis=1, keepdims=True) + 1e-5)) ** 3


@on((np.stack([ROW, ROW * 2.0, -ROW, ROW ** 2]),))
def over_two_axes(a):
    return np.sum(a, axis=(0, 2)), np.max(a, axis=(1, 2)), np.sum(a), np.sum(a, axis=(0, 1))


@on((MANY,), (V,), (V[:1],), (V[:0],))
def of_all(x):
    return np.sum(np.tanh(x)), np.sum(x > 0.0), np.linalg.norm(x), np.prod(np.cos(x)), np.dot(x, x)


# ---- sums that the user's loops take

@on((V,), (MANY,), (V[:0],))
def a_sum(x):
    s, p, m = 1.5, 2.0, -1.0
    for i in range(len(x)):
        s += np.sin(x[i])
        p *= 1.0 + 0.01 * x[i]
        m = np.maximum(m, x[i])
    return s, p, m


@on((V,), (MANY,))
def a_sum_of_some(x):
    s, c = 0.0, 0.0
    for v in x:
        if v > 0.3:
            s += v * v
            c += 1.0
        elif v < -1.0:
            s -= 1.0
    return s, c, s / (c + 1.0)


@on((ROW,), (ROW.T,), (LONG,))
def sums_in_loops(a):
    s, y = 0.0, np.zeros(a.shape[0])
    for i in range(a.shape[0]):
        t = 0.0
        for j in range(a.shape[1]):
            t += a[i, j] ** 2
            s += a[i, j]
        y[i] = np.sqrt(t)
    return s, y


@on((V, AT % 41), (V, np.append(AT, 41)))
def a_sum_that_stops(x, at):
    s = 0.0
    for k in at:
        s += x[k]
    return s


@on((V,), (MANY,))
def what_is_no_sum(x):
    """Each step needs the last: Horner's rule, a filter, differences with the element before."""
    h, f, before, s = 0.0, 0.0, 0.0, 0.0
    for i in range(len(x)):
        h = h * 0.5 + x[i]
        f = 0.9 * f + 0.1 * np.tanh(x[i] + f)
        s += (x[i] - before) ** 2
        before = x[i]
    return h, f, s, before


@on((V,), (V[:1],))
def a_sum_in_use(x):
    """Running sums that each iteration stores."""
    s, y = 0.0, np.zeros(len(x))
    for i in range(len(x)):
        s += x[i]
        y[i] = s
    return y, s


@on((V, 40), (V, 1))
def the_last_iteration(x, n):
    for i in range(n):
        t = x[i] * 2.0
    return t, i


@on((ROW,), (ROW.T,))
def sums_that_go_on(a):
    """A running value that a loop of few rounds has changed before many lanes take more into it."""
    y = np.zeros((a.shape[0], 2))
    for i in range(a.shape[0]):
        s, p = 0.0, 1.0
        for k in range(3):
            s += 1.0 / (k + 1.0) + 0.1 * s * s
        while p < 4.0:
            p *= 2.0
        for j in range(a.shape[1]):
            s += a[i, j]
            p *= 1.0 + 0.01 * a[i, j]
        y[i, 0], y[i, 1] = s, p
    return y


@on((rng.normal(size=(3, 4, 37)),))
def rows_that_begin_later(a):
    """Elements that each round of the loop around stores again, from another one on."""
    y, z = np.zeros((a.shape[0], a.shape[2])), np.zeros(a.shape[0])
    for i in range(a.shape[0]):
        s = 0.0
        for j in range(a.shape[2]):
            s += a[i, 0, j]
        for k in range(a.shape[1]):
            for j in range(k, a.shape[2]):
                y[i, j] = 0.5 * y[i, j] + a[i, k, j]
        z[i] = s
    return y, z


# ---- loops that threads can do, and that they cannot

@on((V,), (MANY,))
def stencil(u):
    v = np.zeros_like(u)
    for k in range(3):
        for i in range(1, len(u) - 1):
            v[i] = 0.5 * (u[i - 1] + u[i + 1])
        for i in range(1, len(u) - 1):
            u[i] = v[i]
    return u.copy()


@on((V,), (MANY[:300],))
def in_place(u):
    """Gauss and Seidel: what an iteration stores the next one reads."""
    for k in range(2):
        for i in range(1, len(u) - 1):
            u[i] = 0.5 * (u[i - 1] + u[i + 1])
    return u.copy()


@on((MANY[:100],))
def the_other_way_round(u):
    """A view that the loop itself makes: what an iteration stores a later one reads."""
    u = u.copy()
    a = u[::-1]
    for i in range(len(a)):
        a[i] = 0.5 * u[i] + 1.0
    return u


@on((V,), (V[:2],))
def running(x):
    y = np.zeros(len(x))
    y[0] = x[0]
    for i in range(1, len(x)):
        y[i] = y[i - 1] * 0.5 + x[i]
    return y


@on((ROW.copy(),), (ROW.T.copy(),))
def turned(a):
    b = np.zeros((a.shape[1], a.shape[0]))
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            b[j, i] = a[i, j] * (i - j)
    return b


@on((rng.normal(size=(36, 36)),))
def triangles(a):
    b = np.zeros_like(a)
    for i in range(a.shape[0]):
        for j in range(i):
            b[i, j] = a[i, j] - a[j, i]
        b[i, i] = 1.0
    return b


@on((V, AT % 5))
def lengths_from_an_array(x, n):
    y = np.zeros(len(n))
    for i in range(len(n)):
        for j in range(n[i]):
            y[i] += x[i] ** j
    return y


@on((V, 5), (V, 0))
def new_state(u, n):
    for k in range(n):
        u = u + 0.1 * (np.roll(u, 1) - 2.0 * u + np.roll(u, -1))
    return u


@on((rng.normal(size=(6, 3)), rng.normal(size=(6, 3))))
def bodies(x, v):
    for k in range(2):
        d = x[:, None, :] - x[None, :, :]
        r = np.sum(d * d, axis=-1) + 0.01
        v = v - 0.01 * np.sum(d / r[:, :, None] ** 1.5, axis=1)
        x = x + 0.01 * v
    return x, v


@on((ROW,))
def rows_of_their_own(a):
    out = np.zeros(a.shape)
    for i in range(a.shape[0]):
        t = np.zeros(a.shape[1])
        r = a[i]
        for j in range(1, a.shape[1]):
            t[j] = t[j - 1] + r[j]
        out[i] = t
    return out


@on((V,), (V * 100.0,))
def rounds_of_each(x):
    y, n = np.zeros(len(x)), np.zeros(len(x), dtype=np.int64)
    for i in range(len(x)):
        t = abs(x[i]) + 1.0
        while t > 0.5:
            t = t * 0.7
            n[i] += 1
            if n[i] > 6:
                break
        y[i] = t
    return y, n


@on((ROW,), (ROW.T,))
def rows_by_lanes(a):
    """Arrays that each iteration makes, and fills, sums and reads backwards in loops that lanes share."""
    out = np.zeros(a.shape[0])
    for i in range(a.shape[0]):
        t = np.zeros(a.shape[1])
        s = 0.0
        for j in range(a.shape[1]):
            t[j] = a[i, j] * 2.0
            s += t[j]
        u = 0.0
        for j in range(a.shape[1]):
            u += t[a.shape[1] - 1 - j] * j
        out[i] = u + s
    return out


# ---- sums into shared places

@on((V, AT), (V, np.append(AT[:-1], 8)), (V[:0], AT[:0]), (V.astype(np.float32), AT))
def histogram(x, at):
    y = np.zeros(8, dtype=x.dtype)
    for i in range(len(at)):
        y[at[i]] += x[i] * 2.0
    return y


@on((rng.normal(size=(8, 5)), rng.normal(size=(41, 5)), AT), (rng.normal(size=(8, 1)), rng.normal(size=(41, 1)), AT))
def rows_added(w, g, at):
    out = w.copy()
    np.add.at(out, at, np.tanh(g))
    return out, np.sum(w[at] * g)


@on((V, AT, AT[::-1].copy()), (V, AT, np.append(AT[1:], 9)))
def two_indices(x, i, j):
    y = np.zeros((8, 8))
    for k in range(len(i)):
        y[i[k], j[k]] += x[k]
        y[j[k], i[k]] += x[k] * x[k]
    return y


@on((V, AT), (V, AT[:5]))
def the_last_one_stays(x, at):
    y, z = np.zeros(8), np.zeros(8)
    for i in range(len(at)):
        y[at[i]] = x[i]
        z[at[i]] -= y[at[i]]
    return y, z


@on((rng.normal(size=(40, 4)),))
def half_of_a_square(a):
    """Sums over pairs of which the second loop's end is the first one's index; their adjoint goes back over both."""
    m, c = np.mean(a, axis=0), np.zeros((a.shape[1], a.shape[1]))
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            for k in range(j + 1):
                c[j, k] += (a[i, j] - m[j]) * (a[i, k] - m[k])
    return c


@on((V,), (V[:3],))
def neighbours(x):
    y = np.zeros(len(x))
    for i in range(1, len(x) - 1):
        y[i - 1] += x[i]
        y[i] -= 2.0 * x[i]
        y[i + 1] += x[i] * x[i - 1]
    return y


@on((V,))
def sums_of_sums(x):
    y = np.ones(len(x))
    for i in range(len(x) - 1):
        y[i + 1] += y[i] * x[i]
    return y


@on((V, V[:5].copy()))
def full_convolution(x, w):
    y = np.zeros(len(x) + len(w) - 1)
    for i in range(len(x)):
        for k in range(len(w)):
            y[i + k] += x[i] * w[k]
    return y


@on((V,), (MANY,))
def one_place(x):
    y = np.zeros(2)
    for i in range(len(x)):
        y[0] += x[i]
        y[1] += x[i] * y[0]
    return y
