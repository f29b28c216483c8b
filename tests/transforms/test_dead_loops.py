"""A derivative runs the loops whose values it reads, once, and no others."""
import re

import numpy as np
import pytest

import gradscribe as gs


def root(a):
    x = 1.0
    while abs(x * x * x - a) > 1e-12:
        x = x - (x * x * x - a) / (3.0 * x * x)
    return x


def crossing(v):
    """A ball that falls through the air until it is below the plane."""
    x, y, t = 0.0, 1.0, 0.0
    vx, vy = v[0], v[1]
    while y > 0.0:
        speed = np.sqrt(vx * vx + vy * vy)
        vx = vx - 0.01 * 0.1 * vx * speed
        vy = vy - 0.01 * (9.81 + 0.1 * vy * speed)
        x = x + 0.01 * vx
        y = y + 0.01 * vy
        t = t + 0.01
    return x * y + t * vx


def slopes_forwards(f):
    def slopes(x):
        out = np.zeros_like(x)
        for i in range(len(x)):
            unit = np.zeros_like(x)
            unit[i] = 1.0
            out[i] = gs.jvp(f, (x,), (unit,))[1]
        return out
    return slopes


def saddle(outer, inner):
    """min over x of max over y of a function, each by steepest descent."""
    def lowest(f, slope, x):
        g, fx, rate = slope(x), f(x), 0.5
        while g @ g > 1e-8:
            new = x - rate * g
            value = f(new)
            if value < fx:
                x, fx, g = new, value, slope(new)
            else:
                rate /= 2.0
        return x

    def program(start):
        def highest(x):
            def down(y):
                return y @ y - x @ x
            return lowest(down, inner(down), start)

        def worst(x):
            y = highest(x)
            return x @ x - y @ y

        x = lowest(worst, outer(worst), start)
        return np.concatenate((x, highest(x)))

    return program


def loops(f, *args):
    """(number of `while`, number of `for`) in the source"""
    text = f.source(*args)
    return tuple([len(re.findall(rf"^ *{word} ", text, re.M)) for word in ("while", "for")])


def along(f, v):
    """Forwards over backwards: the slope of the gradient."""
    def product(x):
        return gs.jvp(gs.grad(f), (x,), (v,))[1]
    return product


@pytest.mark.parametrize("f, x, v", [(root, 2.0, 1.0), (crossing, np.array([3.0, 4.0]), np.array([1.0, -0.5]))])
def test_second_derivatives_run_the_loop_once(f, x, v):
    assert loops(gs.hessian(f), x) == (1, 1)
    assert loops(gs.jit(along(f, v)), x) == (1, 1)
    h = 1e-5
    difference = (gs.grad(f)(x + h * v) - gs.grad(f)(x - h * v)) / (2.0 * h)
    for way in (gs.hessian(f), gs.jit(gs.hessian(f))):
        assert np.allclose(way(x) @ v if np.ndim(x) else way(x), difference, rtol=1e-5)
    assert np.allclose(along(f, v)(x), difference, rtol=1e-5)


@pytest.mark.parametrize("inner", [gs.grad, slopes_forwards])
@pytest.mark.parametrize("outer", [gs.grad, slopes_forwards])
def test_a_derivative_of_a_loop_that_has_no_part_in_it_does_not_run_it(outer, inner):
    """`x` and `y` are apart: the slope of the worst case need not find it."""
    program, start = saddle(outer, inner), np.array([1.0, -0.5])
    assert loops(gs.jit(program), start)[0] == 4  # one for `x`; one for `y` at the start, in it, and at the end
    assert np.allclose(program(start), 0.0, atol=1e-4)
    assert np.allclose(gs.jit(program)(start), program(start), atol=1e-12)


def endless(x):
    k = 0
    while x > 0.0:
        k += 1
    return np.sin(x)


def wrong(x):
    z = x
    while z > 1.0:
        z = z * 0.5
        if z > 100.0:
            raise ValueError("too large")
    return np.sin(x)


@pytest.mark.parametrize("way", [lambda f: f, gs.jit])
def test_what_nobody_reads_may_end_and_raises(way):
    assert loops(gs.jit(endless), 1.0)[0] == 1
    assert np.allclose(way(gs.grad(endless))(1.0), np.cos(1.0))
    for derivative in (gs.grad(wrong), lambda x: gs.jvp(gs.grad(wrong), (x,), (1.0,))):
        with pytest.raises(ValueError, match="too large"):
            way(derivative)(1000.0)
    assert np.allclose(way(gs.grad(wrong))(9.0), np.cos(9.0))


# what several derivatives compute ------------------------------------------------------------------
def series(x):
    s, t = 0.0, 1.0
    for k in range(1, 20):
        t = t * x / k
        s = s + np.sin(t)
    return s


def smoothed(x):
    y = np.zeros(5)
    y[0] = x
    for i in range(1, 5):
        y[i] = np.sin(y[i - 1]) + 0.1 * x
    return np.sum(y * y)


@pytest.mark.parametrize("f, forward", [(root, (1, 1)), (series, (0, 2)), (smoothed, (0, 2))])
def test_a_value_and_its_derivative_share_the_loop(f, forward):
    def both(x):
        return f(x), gs.grad(f)(x)

    value, slope = f(1.5), (f(1.5 + 1e-6) - f(1.5 - 1e-6)) / 2e-6
    assert loops(gs.jit(both), 1.5) == forward
    assert np.allclose(gs.jit(both)(1.5), (value, slope), rtol=1e-6)
    assert np.allclose(gs.vmap(both)(np.array([1.5, 1.5])), [[value] * 2, [slope] * 2], rtol=1e-6)
    assert np.allclose(gs.grad(lambda x: both(x)[0] + both(x)[1])(1.5), slope + gs.grad(gs.grad(f))(1.5), rtol=1e-10)


def test_a_step_of_newtons_method_runs_the_course_once():
    def step(v):
        g, H = gs.grad(crossing)(v), gs.hessian(crossing)(v)
        return v - np.linalg.solve(H + 5.0 * np.eye(2), g)

    def steps(v):
        for _ in range(3):
            v = step(v)
        return v

    v = np.array([3.0, 4.0])
    expected = v
    for _ in range(3):
        g, H = gs.grad(crossing)(expected), gs.hessian(crossing)(expected)
        expected = expected - np.linalg.solve(H + 5.0 * np.eye(2), g)
    assert loops(gs.jit(step), v) == (1, 1)
    for way in (steps, gs.jit(steps)):
        assert np.allclose(way(v), expected, rtol=1e-12)


def stays_apart(way):
    """Two runs of one loop that are not the same."""
    def of(x, y):
        s, k = x, 0
        while k < 4:
            s = s * y + 1.0
            k += 1
        return s
    return {"another start": lambda x: of(x, 2.0) + of(2.0 * x, 2.0), "another step": lambda x: of(x, 2.0) * of(x, 3.0),
            "of its end": lambda x: of(of(x, 2.0), 2.0)}[way]


@pytest.mark.parametrize("way", ["another start", "another step", "of its end"])
def test_loops_that_differ_stay(way):
    f = stays_apart(way)
    assert sum(loops(gs.jit(f), 1.5)) == 2
    difference = (f(1.5 + 1e-6) - f(1.5 - 1e-6)) / 2e-6
    for slope in (gs.grad(f), gs.jit(gs.grad(f))):
        assert np.allclose(slope(1.5), difference, rtol=1e-6)
    assert np.allclose(gs.jit(f)(1.5), f(1.5), rtol=1e-14)


def halved(x, limit):
    while x > 1.0:
        x = x * 0.5
        if x > limit:
            raise ValueError("too large")
    return x


def printed(x):
    while x > 1.0:
        x = x * 0.5
        print("halved")
    return x


def test_what_is_raised_is_raised_once_and_what_is_printed_is_printed_twice(capsys):
    def twice(x):
        return halved(x, 100.0), halved(x, 100.0) + gs.grad(lambda x: halved(x, 100.0) * x)(x)

    def loud(x):
        return printed(x) + printed(x)

    assert loops(gs.jit(twice), 9.0)[0] == 1
    for way in (twice, gs.jit(twice)):
        assert np.allclose(way(9.0), (0.5625, 1.6875))
        with pytest.raises(ValueError, match="too large"):
            way(1000.0)
    assert gs.jit(loud)(4.0) == 2.0 and capsys.readouterr().out == "halved\n" * 4
    assert loops(gs.jit(loud), 4.0)[0] == 2


@pytest.mark.parametrize("way", [gs.jit, gs.vmap], ids=["jit", "vmap"])
def test_arrays_that_are_always_equal_are_two_arrays(way):
    def f(x):
        y, z = np.zeros(3), np.zeros(3)
        for i in range(3):
            y[i] = x * i
            z[i] = x * i
        y[1] += 1.0
        return y, z

    y, z = way(f)(2.0 if way is gs.jit else np.array([2.0]))
    assert np.array_equal(np.ravel(y), [0.0, 3.0, 4.0]) and np.array_equal(np.ravel(z), [0.0, 2.0, 4.0])
    assert not np.shares_memory(y, z)


def test_a_counter_of_the_users_counts_the_tape():
    def f(x):
        steps, number, y = 0, 0, x
        while y > 0.1:
            y = np.sin(y) * 0.5
            steps += 1
            number += 1
        return y * steps + number

    assert gs.grad(f).source(2.0).count("+= 1") == 1
    assert np.allclose(gs.grad(f)(2.0), (f(2.0 + 1e-6) - f(2.0 - 1e-6)) / 2e-6)
