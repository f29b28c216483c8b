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
