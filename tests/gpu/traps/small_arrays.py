"""Small arrays of a thread, which become numbers: a second name of one must not miss a store."""
import numpy as np

import gradscribe as gs
from tests.gpu.traps.table import LONG, A, X, on, rng

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
