"""Reverse mode through loops: `for`, `while`, factorisations."""
import numpy as np
import pytest

from gradscribe.transformer.core import runnable
from gradscribe.transformer.core.types import PY_INT, Type, array
from gradscribe.transformer.transform.vjp import vjp, vjp_split
from tests.transformer.reverse import check_derivatives, is_float, rand, tapes

from .programs import program

V, M, F8 = array("f8", "n"), array("f8", "n", "n"), Type("np", np.dtype("f8"))


# loops ------------------------------------------------------------------------------------------
def product(t, x):
    return t.loop(0, t.size(x), [1.0], lambda i, c: c * t.get(x, i) if False else t.op("float", c * t.get(x, i)))


def test_carried_scalar():
    fun = program(product, x=V)
    check_derivatives(fun, [rand(5)])
    assert len(tapes(vjp(fun, (True,)))) == 1


@pytest.mark.parametrize("n", [0, 1, 4])
def test_sizes(n):
    check_derivatives(program(product, x=V), [rand(n)])


def test_independent_iterations_need_no_tape():
    def f(t, x, w):
        def body(i, s):
            r = t.get(x, i) * w + np.sin(t.get(x, i))
            return s + r * r
        return t.loop(0, t.size(x), [np.float64(0)], body)
    fun = program(f, x=V, w=F8)
    check_derivatives(fun, [rand(5), np.float64(0.4)])
    assert not tapes(vjp(fun, (True, True)))


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("start, stop, by", [(0, 6, 2), (5, -1, -1), (5, 0, -2), (1, 6, 3), (4, 1, 1)])
def test_ranges(start, stop, by):
    def f(t, x, k):
        return (t.loop(start, stop, [np.float64(1)], lambda i, c: np.sin(c) * t.get(x, i) + t.sum(x) * c / 8.0,
                       step=by), t.loop(start, stop, [np.float64(1)], lambda i, c: np.sin(c) * t.get(x, i), step=k))
    check_derivatives(program(f, x=V, k=PY_INT), [rand(6), by])


def test_loop_that_overwrites_what_it_reads():
    def f(t, x):
        return t.loop(1, t.size(x), [x], lambda i, a: t.set(a, t.get(a, i - 1) * t.get(a, i - 1) * t.get(a, i), i))
    fun = program(f, x=V)
    check_derivatives(fun, [rand(4)])


def test_power_iteration():
    def f(t, w, x):
        return t.loop(0, 3, [x], lambda i, h: np.tanh(w @ h))
    check_derivatives(program(f, w=M, x=V), [rand(3, 3), rand(3)])


def test_swap():
    def f(t, x, y):
        return t.loop(0, 3, [x, y], lambda i, u, v: (v * u, u))
    check_derivatives(program(f, x=V, y=V), [rand(3), rand(3, seed=1)])


def test_while():
    def f(t, x):
        return t.while_(lambda s, k: s < 10.0, [x, 0], lambda s, k: (s * s + t.op("float", k) * x, k + 1))
    check_derivatives(program(f, x=F8), [np.float64(1.2)])


def test_while_of_arrays():
    def f(t, x):
        a, = t.while_(lambda a: t.sum(a) < 50.0, [x], lambda a: a * a + np.sin(a)),
        return a
    check_derivatives(program(f, x=V), [rand(3) + 0.5])


def test_if_inside_for():
    def f(t, x):
        def body(i, s):
            v = t.get(x, i)
            return t.if_(s > v, lambda: s * np.sin(v), lambda: s * s + v)
        return t.loop(0, t.size(x), [np.float64(1)], body)
    check_derivatives(program(f, x=V), [rand(5)])


def test_for_inside_if_inside_for():
    def f(t, x):
        n = t.size(x)

        def body(i, s):
            def then():
                p = t.loop(0, i, [s], lambda j, p: p * np.sin(t.get(x, j)), index="j")
                return p * s
            return t.if_(t.get(x, i) > 0.8, then, lambda: s * s * t.get(x, i))
        return t.loop(0, n, [np.float64(0.9)], body)
    check_derivatives(program(f, x=V), [rand(5)])


def test_while_inside_for():
    def f(t, x):
        def body(i, s):
            r, _ = t.while_(lambda r, k: r < 3.0, [t.get(x, i) * s, 0], lambda r, k: (r * r * 0.2 + r + s, k + 1))
            return s + r * t.get(x, i)
        return t.loop(0, t.size(x), [np.float64(0.5)], body)
    check_derivatives(program(f, x=V), [rand(3)])


def test_triangular_product():
    def f(t, x):
        def row(i, s):
            p = t.loop(0, i, [np.float64(1)], lambda j, p: p * np.sin(t.get(x, j) + s), index="j")
            return s + p
        return t.loop(0, t.size(x), [np.float64(0.1)], row)
    check_derivatives(program(f, x=V), [rand(4)])


def test_sequential_sweep():
    def f(t, x):
        n = t.size(x)
        return t.loop(0, 3, [x], lambda k, a: t.loop(1, n - 1, [a], lambda i, a: t.set(
            a, (t.get(a, i - 1) * t.get(a, i) + t.get(a, i + 1)) / 3.0, i)))
    check_derivatives(program(f, x=V), [rand(5)])


def cholesky(t, a):
    n = t.size(a)

    def column(j, l):
        def squares(k, s):
            return s + t.get(l, j, k) * t.get(l, j, k)
        s = t.loop(0, j, [np.float64(0)], squares, index="k")
        l = t.set(l, np.sqrt(t.get(a, j, j) - s), j, j)

        def row(i, l):
            s = t.loop(0, j, [np.float64(0)], lambda k, s: s + t.get(l, i, k) * t.get(l, j, k), index="k")
            return t.set(l, (t.get(a, i, j) - s) / t.get(l, j, j), i, j)
        return t.loop(j + 1, n, [l], row)
    return t.loop(0, n, [t.zeros(n, n)], column, index="j")


def lu(t, a):
    n = t.size(a)

    def eliminate(k, a):
        def row(i, a):
            a = t.set(a, t.get(a, i, k) / t.get(a, k, k), i, k)
            return t.loop(k + 1, n, [a], lambda j, a: t.set(
                a, t.get(a, i, j) - t.get(a, i, k) * t.get(a, k, j), i, j), index="j")
        return t.loop(k + 1, n, [a], row)
    return t.loop(0, n, [a], eliminate, index="k")


def positive(n):
    a = rand(n, n)
    return a @ a.T + n * np.eye(n)


def test_cholesky():
    fun = program(cholesky, a=M)
    check_derivatives(fun, [positive(4)], order=2)
    assert not tapes(vjp(fun, (True,)))


def test_lu():
    fun = program(lu, a=M)
    check_derivatives(fun, [positive(4)], order=2)
    assert not tapes(vjp(fun, (True,)))


def tape_size(fun, *args):
    """The number of elements that the backward sweep gets from the forward sweep, arguments and results apart."""
    fwd, _ = vjp_split(fun, tuple(is_float(a) for a in args))
    known = {*fun.params, *fun.body.results}
    return sum(np.size(value) for name, value in zip(fwd.body.results, runnable(fwd)(*args)) if name not in known)


def pivoted_lu(t, a):
    """On the leading square of a matrix that may be wider, so that column k is not known to exist."""
    n = t.size(a)

    def better(k, p, i, a):
        return t.if_(np.abs(t.get(a, i, k)) > np.abs(t.get(a, p, k)), lambda: i, lambda: p)

    def eliminate(k, a):
        p = t.loop(k + 1, n, [k], lambda i, p: better(k, p, i, a))
        top, low = t.get(a, k), t.get(a, p)
        a = t.set(t.set(a, low, k), top, p)

        def row(i, a):
            a = t.set(a, t.get(a, i, k) / t.get(a, k, k), i, k)
            return t.loop(k + 1, n, [a], lambda j, a: t.set(
                a, t.get(a, i, j) - t.get(a, i, k) * t.get(a, k, j), i, j), index="j")
        return t.loop(k + 1, n, [a], row)
    return t.loop(0, n, [a], eliminate, index="k")


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("t", [M, array("f8", "n", "m")])
def test_tape_of_pivoted_lu_is_quadratic(t):
    fun = program(pivoted_lu, a=t)
    check_derivatives(fun, [rand(4, 4)])
    small, large = (tape_size(fun, rand(n, n)) for n in (10, 20))
    assert large < 4.5 * small


def lu_by_slices(t, a):
    n = t.size(a)

    def eliminate(k, a):
        below, rest = slice(k + 1, None), n - k - 1
        column = t.get(a, below, k, dims=[rest]) / t.get(a, k, k)
        a = t.set(a, column, below, k, dims=[rest])
        column, row = t.get(a, below, k, dims=[rest]), t.get(a, k, below, dims=[rest])
        block = t.get(a, below, below, dims=[rest, rest]) - t.op("np.outer", column, row)
        return t.set(a, block, below, below, dims=[rest, rest])
    return t.loop(0, n, [a], eliminate, index="k")


def cholesky_by_slices(t, a):
    n = t.size(a)

    def column(j, l):
        below, rest, left = slice(j + 1, None), n - j - 1, slice(None, j)
        row = t.get(l, j, left, dims=[j])
        d = np.sqrt(t.get(a, j, j) - t.sum(row * row))
        l = t.set(l, d, j, j)
        product = t.get(l, below, left, dims=[rest, j]) @ t.get(l, j, left, dims=[j])
        return t.set(l, (t.get(a, below, j, dims=[rest]) - product) / t.get(l, j, j), below, j, dims=[rest])
    return t.loop(0, n, [t.zeros(n, n)], column, index="j")


@pytest.mark.parametrize("body", [lu_by_slices, cholesky_by_slices])
def test_factorisation_by_slices(body):
    fun = program(body, a=M)
    check_derivatives(fun, [positive(4)])
    assert not tapes(vjp(fun, (True,)))


def test_recurrent_network_keeps_one_tape():
    def f(t, w, x):
        def body(i, h):
            return np.tanh(w @ h + t.get(x, i))
        return t.loop(0, t.size(x), [t.zeros(t.size(w))], body)
    fun = program(f, w=M, x=array("f8", "steps", "n"))
    check_derivatives(fun, [rand(3, 3) - 1, rand(4, 3)])
    assert tape_size(fun, rand(3, 3), rand(7, 3)) == 8 * 3 + 2  # states, and the two sizes


def test_shrinking_array():
    def f(t, x):
        def body(i, m, a):
            less = m - 1
            return less, t.get(a, slice(1, None), dims=[less]) * t.get(a, slice(None, less), dims=[less])
        _, a = t.loop(0, 2, [t.size(x), x], body, types=(None, lambda m: array("f8", m)))
        return t.sum(a * 2.0)
    check_derivatives(program(f, x=V), [rand(5)])


def test_a_part_that_may_not_exist_is_not_read():
    """a[k + 1] is out of range in the last iteration, in which the inner loop does not run."""
    def f(t, a):
        n = t.size(a)

        def body(k, a):
            a = t.loop(k + 1, n, [a], lambda j, a: t.set(a, t.get(a, k + 1, j) * t.get(a, k, j) * 0.5, k, j), index="j")
            return np.sin(a)
        return t.loop(0, n, [a], body, index="k")
    check_derivatives(program(f, a=M), [rand(3, 3)])


@pytest.mark.heavy(one_in=3)
def test_long_body():
    def f(t, x):
        def body(i, s):
            for _ in range(1500):
                s = np.sin(s) + t.get(x, i)
            return s
        return t.loop(0, t.size(x), [np.float64(0)], body)
    fun = program(f, x=V)
    _, bar = runnable(vjp(fun, (True,)))(rand(2), np.float64(1))
    assert np.all(np.isfinite(bar))


def test_place_that_an_inner_loop_moves():
    """Outside its loop q is the last place, inside each place in turn: the stores at q + 1 do hit a[q]."""
    def f(t, x):
        def then(c):
            a = t.set(c, t.sum(c * c) / 4.0, 0)
            b, q = t.loop(0, 2, [a, 0], lambda j, b, q: (t.set(b, np.sin(t.get(b, q)), q + 1), q + 1), index="j")
            return b, t.loop(0, 3, [np.float64(0)], lambda j, s: s + np.sin(t.get(a, q)) * t.get(x, j), index="j")
        return t.loop(0, 2, [x, np.float64(0)],
                      lambda i, c, s: t.if_(t.get(c, 0) > 0.0, lambda: then(c), lambda: (c, s)))
    check_derivatives(program(f, x=V), [rand(4)])
