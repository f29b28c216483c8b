"""What shares memory in NumPy under rules of one's own; rules that are not linear."""
import numpy as np
import pytest

import gradscribe as gs

X = np.array([0.3, -1.0, 2.0])
ways = pytest.mark.parametrize("way", [lambda f: f, gs.jit], ids=["plain", "compiled"])


# ---- what shares memory in NumPy, and is several values in what is generated

@gs.custom_jvp
def same(x):
    return x


same.defjvp(lambda primals, dots: (primals[0], dots[0]))


def stores_into_a_view_of_an_argument(x):
    y = x * 2.0
    z = gs.checkpoint(lambda v: v[1:])(y)
    z[0] = 0.0
    return np.sum(y * y) + np.sum(z)


def stores_into_the_argument(x):
    y = x * 2.0
    z = same(y)
    y[0] = 0.0
    return np.sum(y * z)


def stores_into_a_result_without_name(x):
    y = x * 1.0
    same(y)[1] = 50.0
    return np.sum(y)


def stores_into_one_of_two(x):
    def twice(v):
        w = v * 1.0
        return w, w

    a, b = gs.checkpoint(twice)(x)
    a[0] = 7.0
    return np.sum(b)


def stores_behind_stop_gradient(x):
    y = x * 2.0
    z = gs.stop_gradient(y)
    z[0] = 9.0
    return np.sum(y)


def stores_behind_broadcast_to(x):
    y = x * 2.0
    z = np.broadcast_to(y, (2, 3))
    y[1] = 4.0
    return np.sum(z)


def stores_behind_two_of_them(x):
    y = x * 1.0
    z = same(same(y))
    z[0] = 9.0
    return np.sum(y ** 2)


def stores_behind_a_loop_of_them(x):
    y = x * 1.0
    z = same(y)
    for _ in range(2):
        z = gs.stop_gradient(z)
    y[0] = 9.0
    return np.sum(z ** 2)


def stores_behind_an_exchange(x):
    a = x * 1.0
    a, b = gs.checkpoint(lambda u, v: (v, u))(a, a)
    a[0] = 9.0
    return np.sum(b ** 2)


def stores_into_what_is_an_argument_on_one_path(x):
    def f(u):
        if np.sum(u) > 0.5:
            return u
        return u * 1.0

    y = x * 1.0
    z = gs.checkpoint(f)(y)
    z[0] = 9.0
    return np.sum(y ** 2)


def stores_behind_a_loop_that_may_not_run(x):
    y = x * 1.0
    z = same(y)
    s = 2.0
    while s < 1.0:
        y = np.sin(y)
        s += 1.0
    z[0] = 9.0
    return np.sum(y * y)


def changes_a_dict(x):
    d = {"a": x * 1.0}
    e = gs.checkpoint(lambda d: d)(d)
    e["a"] = x * 5.0
    return np.sum(d["a"])


def changes_a_list(x):
    a = [x * 1.0, x * 2.0]
    b = same(a)
    a[0] = x * 5.0
    return np.sum(b[0])


def changes_what_is_behind_stop_gradient(x):
    d = {"a": x * 1.0}
    e = gs.stop_gradient(d)
    e["a"] = x * 5.0
    return np.sum(d["a"])


@pytest.mark.parametrize("f", [
    stores_behind_two_of_them, stores_behind_a_loop_that_may_not_run, stores_behind_a_loop_of_them,
    stores_behind_an_exchange, stores_into_what_is_an_argument_on_one_path, changes_a_dict,
    changes_a_list, changes_what_is_behind_stop_gradient, stores_into_a_view_of_an_argument, stores_into_the_argument,
    stores_into_a_result_without_name, stores_into_one_of_two, stores_behind_stop_gradient, stores_behind_broadcast_to])
def test_a_store_into_what_another_name_has_too_is_refused(f):
    for made in (gs.jit(f), gs.value_and_grad(f), lambda x: gs.vmap(f)(np.stack([x, x]))):
        with pytest.raises(gs.errors.UnsupportedError, match="another variable may be the same"):
            made(X)


OUTSIDE, OUTSIDE_TREE = np.ones(3), {"w": np.ones(3)}


def stores_into_an_array_from_outside(x):
    z = gs.checkpoint(lambda u: OUTSIDE)(x)
    z -= x
    return np.sum(OUTSIDE * z)


def stores_into_an_array_from_outside_behind_stop_gradient(x):
    z = gs.stop_gradient(OUTSIDE)
    z -= 1.0
    return np.sum(OUTSIDE * x)


def changes_a_dict_from_outside(x):
    z = gs.checkpoint(lambda u: OUTSIDE_TREE)(x)
    z["w"] = x
    return np.sum(OUTSIDE_TREE["w"] * x)


@pytest.mark.parametrize("f", [stores_into_an_array_from_outside,
                               stores_into_an_array_from_outside_behind_stop_gradient, changes_a_dict_from_outside])
def test_what_stands_outside_stays_what_it_is(f):
    for made in (gs.jit(f), gs.value_and_grad(f)):
        with pytest.raises(gs.errors.ImpurityError):
            made(X)


def stores_into_what_is_new(x):
    y = x * 1.0
    y, double = gs.checkpoint(lambda v: (v, v * 2.0))(y)
    double += 1.0
    y[0] = 5.0  # nothing else has it any more
    return np.sum(y * double)


def changes_a_new_list(x):
    a = [x * 1.0, x * 2.0]
    b = gs.checkpoint(lambda a: [a[1], a[0]])(a)
    a[0] = x * 5.0
    return np.sum(b[1]) + np.sum(a[0])


def stores_into_what_jit_gives(x):
    y = x * 2.0
    z, w = gs.jit(lambda v: (v, v[::-1]))(y)  # at the top, too, what jit gives is new
    z[0], w[0] = 0.0, 1.0
    return np.sum(y * z * w)


def stores_into_a_conversion_that_is_none(x):
    y = x * 2.0
    y.astype(float, copy=False)[0] = 9.0
    return np.sum(y)


@pytest.mark.parametrize("f", [stores_into_what_is_new, changes_a_new_list, stores_into_what_jit_gives,
                               stores_into_a_conversion_that_is_none])
def test_other_stores_are_what_they_are_in_numpy(f):
    for made in (gs.jit(f), lambda x: gs.value_and_grad(f)(x)[0], lambda x: gs.vmap(f)(np.stack([x, x]))[1]):
        np.testing.assert_allclose(made(X), f(X), rtol=1e-14)


# ---- rules must be linear in the tangents for reverse mode

def _branching(dot):
    if np.all(dot == 0.0):
        return np.zeros_like(dot)
    return 2.0 * dot


def _indexing(dot):
    out = np.zeros(3)
    out[int(dot[0])] = 1.0
    return out


@pytest.mark.parametrize("slope", [lambda dot: dot ** 2, np.abs, _branching, lambda dot: dot / (9.0 + dot),
                                   lambda dot: np.floor(dot), lambda dot: 2.0 * (dot > 0.0),
                                   lambda dot: 2.0 * gs.stop_gradient(dot), _indexing],
                         ids=["square", "abs", "branch", "quotient", "floor", "comparison", "stop_gradient", "index"])
def test_a_rule_that_is_not_linear_has_no_reverse_mode(slope):
    f = gs.custom_jvp(lambda x: 2.0 * x)
    f.defjvp(lambda primals, dots: (2.0 * primals[0], slope(dots[0])))
    np.testing.assert_allclose(gs.jvp(f, (X,), (X,))[1], slope(X))
    for made in (gs.grad, gs.jacrev):
        with pytest.raises(gs.errors.UnsupportedError, match="not linear in the tangents"):
            made(lambda x: np.sum(f(x)))(X)


def _by_stores(x, dot):
    out = np.zeros_like(dot)
    for i in range(len(dot)):
        out[i] = 2.0 * x[i] * dot[i]
    k = 0
    while k < len(dot):
        out[k] /= 2.0
        k += 1
    return np.where(x > 0.0, out + out, -(-out) * 2.0)


@ways
@pytest.mark.parametrize("slope", [_by_stores, lambda x, dot: gs.jvp(np.square, (x,), (dot,))[1],
                                   lambda x, dot: np.outer(dot, [1.0])[:, 0] / (0.5 / x)],
                         ids=["stores", "jvp", "products"])
def test_rules_that_are_linear_in_other_ways(slope, way):
    f = gs.custom_jvp(lambda x: x * x)
    f.defjvp(lambda primals, dots: (f(*primals), slope(primals[0], dots[0])))
    np.testing.assert_allclose(way(gs.grad(lambda x: np.sum(np.sin(f(x)))))(X), np.cos(X * X) * 2.0 * X, rtol=1e-12)
