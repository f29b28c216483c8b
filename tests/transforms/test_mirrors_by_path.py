"""The mirror of a loop before a branch stands on the side of the branch that uses it: the other side does nothing."""
import numpy as np
import pytest

import gradscribe as gs
from tests.support.agreement import differences
from tests.support.work import work

X, Y = np.random.default_rng(5).normal(size=(2, 6, 4))


def nearest(points, centres):
    total = 0.0
    for p in points:
        best = np.inf
        for c in centres:
            d = 0.0
            for a, b in zip(p, c):
                d += (a - b) ** 2
            if d < best:
                best = d
        total += best
    return total


def with_a_tape(points, centres):
    total = 0.0
    for p in points:
        for c in centres:
            d = 1.0
            for a, b in zip(p, c):
                d = np.sin(d) * a + b * d
            if d > 0.2:
                total += d * d
    return total


def on_both_sides(points, centres):
    total = 0.0
    for p in points:
        d = 0.0
        for a in p:
            d += a * a
        if d > 2.0:
            total += d * centres[0, 0]
        else:
            total -= np.sin(d)
    return total


def read_behind_as_well(points, centres):
    total = 0.0
    for p in points:
        d = 0.0
        for a in p:
            d += a * a
        if d > 2.0:
            total += d * centres[1, 1]
        total += 0.1 * d
    return total


def read_between(points, centres):
    total = 0.0
    for p in points:
        d = 0.5
        for a in p:
            d += a * a
        e = np.sqrt(d)
        f = e * centres[1, 2]
        if d > 2.0:
            total += f * e
    return total


def two_loops(points, centres):
    total = 0.0
    for p in points:
        d, e = 0.0, 1.0
        for a in p:
            d += a * a
        for b in p:
            e = e + np.cos(d) * b
        if e > 0.5:
            total += e
    return total


def two_branches(points, centres):
    total = 0.0
    for p in points:
        d = 0.0
        for a in p:
            d += a * a
        if d > 1.0:
            total += d * p[0]
        if d > 3.0:
            total += np.sin(d) * centres[0, 1]
    return total


def branch_in_branch(points, centres):
    total = 0.0
    for p in points:
        d = 0.0
        for a in p:
            d += a * a
        if p[0] > 0.0:
            e = 0.0
            for b in p:
                e += d * b
            if e > 0.5:
                total += e * d
    return total


def outside_of_a_loop(points, centres):
    d = 1.0
    for a in points[0]:
        d = d * a + np.sin(d)
    if d > 0.0:
        return d * d * centres[0, 0]
    return centres[0, 1]


def by_while(points, centres):
    total = 0.0
    for p in points:
        d, k = 1.0, 0
        while k < 3:
            d, k = d * p[k] + 0.5, k + 1
        if d > 0.4:
            total += d * d
    return total


def an_array(points, centres):
    total = 0.0
    for p in points:
        row = np.zeros(4)
        for k in range(4):
            row[k] = p[k] * centres[0, k]
        if row[1] > 0.0:
            total += np.sum(row * row)
    return total


def slopes_without_end(points, centres):
    total = 0.0
    for p in points:
        d = 0.0
        for a in p:
            d += max(a, 0.0)
        root = np.sqrt(d)
        if d > 0.0:
            total += root * centres[0, 0]
    return total


def adds_what_has_no_slope(points, centres):
    total = 0.0
    for p in points:
        d = p[0]
        for k in range(3):
            d += k
        if d > 2.5:
            total += d * d
    return total


def adds_nothing(points, centres):
    d = points[0, 0] * points[1, 1]
    for _ in range(3):
        d = d
    if points[2, 2] > -100.0:
        return d * d * centres[0, 0]
    return d


def adds_to_a_row(points, centres):
    total = 0.0
    for p in points:
        d = p
        for k in range(3):
            d = d + k
        if p[0] > 0.0:
            total += np.sum(d * d)
    return total


def loops_in_a_loop(points, centres):
    total = 0.0
    for p in points:
        d = 0.0
        for c in centres:
            for k in range(4):
                if c[k] > 0.0:
                    d += p[k] * c[k]
        if d > 0.0:
            total += d * d
    return total


PROGRAMS = [x for x in list(globals().values()) if callable(x) and getattr(x, "__module__", "") == __name__]


@pytest.mark.parametrize("fun", PROGRAMS, ids=lambda f: f.__name__)
def test_gradients(fun):
    for number in (0, 1):
        want = differences(fun, (X, Y), number)
        np.testing.assert_allclose(gs.grad(fun, argnums=number)(X, Y), want, rtol=1e-6, atol=1e-7)


@pytest.mark.heavy(one_in=3)
@pytest.mark.parametrize("fun", PROGRAMS, ids=lambda f: f.__name__)
def test_compiled_gradients(fun):
    gradient = gs.grad(fun, argnums=(0, 1))
    for got, want in zip(gs.jit(gradient)(X, Y), gradient(X, Y)):
        np.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-14)


@pytest.mark.heavy(one_in=3)
@pytest.mark.parametrize("fun", PROGRAMS, ids=lambda f: f.__name__)
def test_second_derivatives(fun):
    direction = np.random.default_rng(1).normal(size=X.shape)
    _, got = gs.jvp(lambda x: gs.grad(fun)(x, Y), (X,), (direction,))
    h, gradient = 1e-6, gs.grad(fun)
    want = (gradient(X + h * direction, Y) - gradient(X - h * direction, Y)) / (2.0 * h)
    np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-5)


@gs.custom_vjp
def heard(x):
    return x * x


def heard_bwd(x, g):
    gs.debug.print("g = {}", g)
    return (2 * x * g,)


heard.defvjp(lambda x: (x * x, x), heard_bwd)


def test_a_mirror_that_prints_stays_where_it_was(capsys):
    def fun(points, read):
        total = 0.0
        for p in points:
            d = 1.0
            for a in p:
                d += read(a)
            if d > 2.0:
                total += d * d
        return total

    want = differences(fun, (X, lambda x: x * x), 0)
    np.testing.assert_allclose(gs.grad(fun)(X, heard), want, rtol=1e-6, atol=1e-7)
    assert capsys.readouterr().out.count("g = ") == X.size


def test_the_side_that_is_not_taken_does_nothing():
    points, centres = np.random.default_rng(0).normal(size=(2, 40, 8))
    both = gs.grad(nearest, argnums=(0, 1))
    assert work(both, (points, centres)) < 1.5 * work(nearest, (points, centres))


def test_zips_of_arrays_that_are_longer_or_shorter():
    def dot(x, y):
        total = 0.0
        for a, b in zip(x, y):
            total += a * b
        return total

    compiled = gs.jit(gs.grad(dot, argnums=(0, 1)))
    for n, m in ((3, 3), (2, 4), (5, 1), (4, 4), (1, 1), (0, 2), (1, 3), (2, 2)):
        x, y = np.arange(1.0, n + 1), np.arange(2.0, m + 2)
        short = min(n, m)
        for gradient in (gs.grad(dot, argnums=(0, 1)), compiled):
            x_bar, y_bar = gradient(x, y)
            np.testing.assert_array_equal(x_bar, np.r_[y[:short], np.zeros(n - short)])
            np.testing.assert_array_equal(y_bar, np.r_[x[:short], np.zeros(m - short)])
