"""Calls of gs.random stay calls in readable source, `key, sub = gs.random.split(key)`,
and give the same in every way."""
import ast
import math

import numpy as np
import pytest

import gradscribe as gs

random = gs.random


def noisy(x, key):
    k1, k2 = random.split(key)
    e = random.normal(k1, x.shape, dtype=np.float64)
    return np.sum(np.sin(x + e)) + random.uniform(k2, dtype=np.float64)


def in_a_loop(x, key):
    s = 0.0
    for _ in range(3):
        key, sub = random.split(key)
        s = s + np.sum(x * random.normal(sub, (len(x), 2), dtype=np.float64)[:, 0])
    return s


def in_a_while(x, key):
    s = x.sum()
    while s < 10.0:
        key, sub = random.split(key)
        s = s * 1.1 + random.exponential(sub, dtype=np.float64)
    return s


def of_a_scan(x, key):
    def step(c, k):
        return c + np.sum(random.uniform(k, (2,), dtype=np.float64) * x[0]), c
    c, ys = gs.lax.scan(step, 0.0, random.split(key, 4))
    return c + np.sum(ys)


def a_key_for_each(x, key):
    keys = random.split(key, len(x))
    s = 0.0
    for i in range(len(x)):
        s += x[i] * random.normal(keys[i], dtype=np.float64)
    return s


def lengths_computed(x, key):
    n = len(x)
    return np.sum(random.laplace(key, (n - 1, 2 * n), dtype=np.float64) * x[0])


def order_of_numbers(x, key):
    return np.sum(x[random.permutation(key, 4)] * np.arange(4.0))


def masked(x, key):
    kept = random.bernoulli(key, 0.5, x.shape)
    return np.sum(np.where(kept, x, 0.0) ** 2) + x[0] * random.randint(key, (), 0, 5)


def of_the_data(x, key):
    k = random.fold_in(key, int(x[0] * 9))
    return np.sum(x * random.gumbel(k, (4,), dtype=np.float64)) + x[1] * (random.bits(k) % 7)


def by_keywords(x, key):
    e = random.normal(key=key, shape=x.shape, dtype=x.dtype)
    return np.sum(gs.grad(lambda x: np.sum((x + e) ** 2) * 3.0)(x) * x)


def stored_into(x, key):
    e = random.normal(key, x.shape, np.float64)
    e[0] = 0.0
    e *= x
    return np.sum(e)


def for_many_keys(x, key):
    """They differ from example to example: not a call of the library's."""
    return np.sum(gs.vmap(lambda k: random.normal(k, x.shape, np.float64))(random.split(key, 3)) @ x)


def inside_another(x, key):
    return x[random.categorical(key, np.array([0.1, 0.2, 0.3, 0.4]))] * x[1]


def shuffled(x, key):
    """The order is computed in place, since x has a derivative; its keys are split by calls."""
    return np.sum(random.permutation(key, x) * np.arange(4.0))


KEPT = {noisy: 3, in_a_loop: 2, in_a_while: 2, of_a_scan: 2, a_key_for_each: 2, lengths_computed: 1,
        order_of_numbers: 1, masked: 2, of_the_data: 3, by_keywords: 1, stored_into: 1, for_many_keys: 1,
        inside_another: 1,
        shuffled: 1}


def limits(x, key):
    return np.sum(random.uniform(key, (3,), minval=x[0], maxval=2 * x[1] + 1, dtype=np.float64) ** 2)


def length_of_the_run(x, key):
    return np.sum(random.normal(key, (int(np.sum(x > 0.4)),), dtype=np.float64) * x[0])


OPENED = [limits, length_of_the_run]  # floats of the run time go in, or a length that only the call knows comes out
X, KEY = np.array([0.5, 0.3, 0.9, 0.7]), random.key(7)


def differences(f, x, key, h=1e-6):
    return np.array([(f(x + h * e, key) - f(x - h * e, key)) / (2 * h) for e in np.eye(len(x))])


@pytest.mark.heavy(one_in=31)
@pytest.mark.parametrize("f", [*KEPT, *OPENED], ids=lambda f: f.__name__)
def test_the_same_in_every_way(f):
    value, slope = f(X, KEY), gs.grad(f)(X, KEY)
    np.testing.assert_allclose(gs.jit(f)(X, KEY), value, rtol=1e-12)
    np.testing.assert_allclose(slope, differences(f, X, KEY), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(gs.jit(gs.grad(f))(X, KEY), slope, rtol=1e-12)
    np.testing.assert_allclose(gs.jvp(lambda x: f(x, KEY), (X,), (X,))[1], slope @ X, rtol=1e-10)
    text = gs.value_and_grad(f).source(X, KEY)
    assert text.count("gs.random.") == KEPT.get(f, 0), text
    namespace = {}
    exec(text, namespace)
    again = namespace[ast.parse(text).body[-1].name](X, KEY)
    np.testing.assert_array_equal(again[0], value)
    np.testing.assert_array_equal(again[1], slope)


@pytest.mark.heavy(one_in=5)
@pytest.mark.parametrize("f", [*KEPT, limits], ids=lambda f: f.__name__)
def test_for_many_keys(f):
    keys = random.split(KEY, 5)
    np.testing.assert_allclose(gs.vmap(f, in_axes=(None, 0))(X, keys), [f(X, k) for k in keys], rtol=1e-12)
    np.testing.assert_allclose(gs.vmap(gs.grad(f), in_axes=(0, None))(np.stack([X, X / 2]), KEY),
                               [gs.grad(f)(X, KEY), gs.grad(f)(X / 2, KEY)], rtol=1e-12)


def test_the_scheme_is_that_of_the_call():
    g = gs.grad(noisy)
    with random.partitionable(False):
        old = g(X, KEY)
    assert not np.allclose(old, g(X, KEY))


def test_a_key_of_three_words_is_refused_where_it_is_used():
    with pytest.raises(ValueError, match="a key has two words"):
        gs.grad(noisy)(X, np.zeros(3, np.uint32))


def test_what_people_read():
    assert gs.value_and_grad(noisy).source(X, KEY) == '''\
import numpy as np
import gradscribe as gs


def value_and_grad_noisy(x, key):
    k1, k2 = gs.random.split(key)
    e = gs.random.normal(k1, (len(x),), dtype=np.float64)
    total = x + e
    value = np.sum(np.sin(total)) + gs.random.uniform(k2, dtype=np.float64)
    return value, np.cos(total)
'''
    assert "        key, sub = gs.random.split(key)\n" in gs.grad(in_a_loop).source(X, KEY)


def called_like_modules(np, key):
    return random.normal(key, np.shape, float).dot(np * np)


def called_like_a_function(float, x):
    return math.floor(x[0]) * float * x[1]


def called_like_nothing_it_needs(len, range):
    s = 0.0
    for i in (0, 1, 2):
        s = s + math.sin(len[i]) * range
    return s


def test_parameters_called_like_what_source_needs_are_refused():
    g = gs.grad(called_like_modules)
    np.testing.assert_allclose(g(X, KEY), 2 * X * random.normal(KEY, X.shape, np.float64), rtol=1e-12)
    with pytest.raises(gs.UnsupportedError, match="source with a parameter called np"):
        g.source(X, KEY)
    with pytest.raises(gs.UnsupportedError, match="source with a parameter called float"):
        gs.value_and_grad(called_like_a_function).source(2.0, X)
    namespace = {}
    exec(gs.grad(called_like_nothing_it_needs).source(X, 2.0), namespace)
    np.testing.assert_allclose(namespace["grad_called_like_nothing_it_needs"](X, 2.0), [*2 * np.cos(X[:3]), 0.0],
                               rtol=1e-12)


# ---- rows and views by the user's names

def rotated(x):
    a, b = np.sin(x[:2])
    return a * b + a


def one_row_twice(x):
    m = np.outer(x, x)
    first, last = m[0], m[-1]
    return np.sum(first * last) + np.sum(m)


def views(u):
    left, right = u[:-1], u[1:]
    d = right - left
    return np.sum(d * d * left)


def test_rows_are_unpacked_and_views_keep_their_names():
    assert "    a, b = np.sin(x_part)\n" in gs.value_and_grad(rotated).source(X)
    assert "    first = m[0]\n" in gs.grad(one_row_twice).source(X)
    text = gs.grad(views).source(X)
    assert "    left = u[:-1]\n" in text and "left_bar = " in text
    for f in (rotated, one_row_twice, views):
        np.testing.assert_allclose(gs.grad(f)(X), differences(lambda x, _: f(x), X, None), rtol=1e-6)
