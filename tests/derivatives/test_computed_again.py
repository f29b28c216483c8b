"""What a derivative computes again is what the value has computed, to the bit: else a test for equality, as of an
element with the extreme of its array, would have another answer in the derivative."""
import numpy as np
import pytest

import gradscribe as gs


def mixed(u, s):
    """Sums of products, which a compiler would like to round once."""
    t = np.tanh(s)
    return np.sin((1.0 + t * t) ** 0.7 + u)


def where_equal(u):
    s = u[-1]
    for i in range(1, len(u)):
        z = mixed(u, s)
        m = np.max(z)
        hit = z == m
        s = s + np.sum(np.where(hit, z, 0.0)) - 0.3 * u[i] * s
    return s


def by_elements(u):
    s = u[-1]
    for i in range(1, len(u)):
        z = mixed(u, s)
        m, best = np.max(z), 0.0
        for j in range(len(u)):
            if z[j] >= m:
                best = z[j] * z[j]
        s = s + best - 0.3 * u[i] * s
    return s


def all_but_the_largest(u):
    s = u[-1]
    for i in range(1, len(u)):
        t = np.tanh(s)
        z = (1.0 + t * t) * u + u * u
        s = s + 0.1 * np.sum(np.where(z < np.max(z), z, 0.0)) - 0.3 * u[i] * s
    return s


def extreme_of_what_is_stored(u):
    s = u[-1]
    for i in range(1, len(u)):
        s -= np.sin(np.min(u * u))
        u[i] = np.min(mixed(u[::-1], s))
        s = s + np.tanh(np.mean(u) * (0.2 * u.dot(u[::-1])))
    return 0.2 * s + 0.2 * np.sum(u * u)


@pytest.mark.parametrize("f", [where_equal, by_elements, all_but_the_largest, extreme_of_what_is_stored])
def test_an_element_that_is_the_extreme_is_so_in_the_derivative(f):
    compiled, plain = gs.jit(gs.grad(f)), gs.grad(f)
    numbers = np.random.default_rng(0)
    for _ in range(40):
        u = numbers.standard_normal(7)
        np.testing.assert_allclose(compiled(u.copy()), plain(u.copy()), rtol=1e-9, atol=1e-12)


def cross(a, b):
    return a[0] * b[1] - a[1] * b[0]


def test_a_determinant_of_parallel_vectors_is_zero():
    numbers = np.random.default_rng(1)
    f = gs.jit(cross)
    for _ in range(40):
        a = numbers.standard_normal(2)
        assert f(a, 2.0 * a) == 0.0
