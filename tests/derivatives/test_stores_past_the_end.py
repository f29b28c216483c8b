"""A store past the end raises in each derivative, as in the function, also where no derivative reads what is stored."""
import numpy as np
import pytest

import gradscribe as gs

X = np.arange(1.0, 4.0)


def number(x, i):
    y = x.copy()
    y[i] += 1.0
    return np.sum(y)


def argument(x, i):
    x[i] -= 1.0
    return np.sum(x)


def in_a_loop(x, i):
    y = x.copy()
    for k in range(i + 1):
        y[k] += 1.0
    return np.sum(y)


def in_a_while_loop(x, i):
    y, k = x.copy(), 0
    while k <= i:
        y[k] += 1.0
        k += 1
    return np.sum(y)


def in_a_branch(x, i):
    y = x.copy()
    if i > 0:
        y[i] += 1.0
    return np.sum(y)


def index_array(x, i):
    y = x.copy()
    np.add.at(y, np.array([0, i]), 1.0)
    return np.sum(y)


def row(x, i):
    y = np.outer(x, x)
    y[i, :] -= 1.0
    return np.sum(y)


def two_on_a_line(x, i):
    y, z = x.copy(), x * x
    y[0] += 1.0; z[i] += 2.0  # noqa: E702
    return np.sum(z) + y[0] * y[1]


def beside_a_read(x, i):
    y = x * 1.0
    y[i] += 0.0 * int(x[0])
    return np.sum(y)


PROGRAMS = [number, argument, in_a_loop, in_a_while_loop, in_a_branch, index_array, row, two_on_a_line, beside_a_read]


def of(f, way):
    return {"grad": lambda x, i: gs.grad(f)(x, i), "compiled": lambda x, i: gs.jit(gs.grad(f))(x, i),
            "hessian": lambda x, i: gs.hessian(f)(x, i), "vjp": lambda x, i: gs.vjp(lambda x: f(x, i), x)[1](1.0),
            "jvp": lambda x, i: gs.jvp(lambda x: f(x, i), (x,), (np.ones(3),)),
            "vmap": lambda x, i: gs.vmap(gs.grad(f), (0, None))(x[None], i)}[way]


@pytest.mark.heavy(one_in=11)
@pytest.mark.parametrize("way", ["grad", "compiled", "hessian", "vjp", "jvp", "vmap"])
@pytest.mark.parametrize("f", PROGRAMS)
def test_it_raises(f, way):
    with pytest.raises(IndexError):
        f(X.copy(), 3)
    of(f, way)(X.copy(), 1)
    with pytest.raises(IndexError):
        of(f, way)(X.copy(), 3)


def test_nothing_is_looked_at_where_the_place_is_there():
    def f(x):
        y = x * x
        for k in range(len(x)):
            y[k] += 1.0
        return np.sum(y * y)

    def g(x, i):
        y = x * x
        y[i] += 1.0  # which the gradient needs, so that it raises itself
        return np.sum(y * y)
    for source in (gs.grad(f).source(X), gs.grad(g).source(X, 1)):
        assert "\n    y_bar[" not in source and "place" not in source


def put_into_the_third(x, value):
    x[2] = value
    return x


@pytest.mark.parametrize("value", [3.4e38, np.array([0.0, 2.0])])
@pytest.mark.parametrize("n", [2, 3])
def test_the_place_is_looked_for_before_the_value(n, value):
    with pytest.raises(Exception) as python:
        put_into_the_third(np.zeros(n, int), value)
    for f in (gs.test_util.primal(put_into_the_third), gs.jit(put_into_the_third)):
        with pytest.raises(type(python.value)):
            f(np.zeros(n, int), value)
