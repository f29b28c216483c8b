"""Functions that stay functions: their names, stores and exceptions, and programs that were wrong once."""
import ast

import numpy as np
import pytest

import gradscribe as gs
from tests.transformer.called_twice import (assert_equal, defined, eager, layer, layers,  # noqa: F401  fixtures
                                            written_out)

# ---- names

def part(block, x, k):
    y = np.sin(block * x) + np.cos(x * k)
    z = np.exp(-y * y) / (1.0 + y * y)
    return np.tanh(z + y) + np.sqrt(1.0 + z * z)


def test_a_variable_that_is_called_like_a_function_has_another_name(eager):
    def loss(part_, x):
        part_adjoint = part_ * 2.0
        y = part(part_adjoint, part(part_adjoint, part(part_, x, 1.0), 2.0), 3.0)
        return np.sum(y) + part_adjoint

    text = gs.grad(loss).source(0.7, np.ones(3))
    assert "def part(" in text and "def part_adjoint(" in text
    np.testing.assert_allclose(defined(text, 0.7, np.ones(3)), gs.grad(loss)(0.7, np.ones(3)), rtol=1e-14)


def test_a_function_called_like_the_program_has_another_name(eager):
    inner = {"part": part}

    def part_(block, x):  # noqa: ARG001
        return np.sum(inner["part"](0.3, inner["part"](0.3, x, 1.0), 1.0))

    part_.__name__ = "part"
    text = gs.jit(part_).source(1.0, np.ones(3))
    assert len({node.name for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)}) == text.count("def ")
    np.testing.assert_allclose(defined(text, 1.0, np.ones(3)), part_(1.0, np.ones(3)))


def test_members_of_lists_keep_the_name_that_their_list_suggests(eager):
    def loss(ws, x):
        for w in ws:
            x = np.tanh(w @ x) + np.sin(x) * np.exp(-x * x)
        return np.sum(x)

    text = gs.grad(loss).source([np.eye(3)] * 4, np.ones(3))
    assert "def loss_step(x, w" in text and "ws_1" not in text.partition("def grad_loss")[0]


# ---- what is stored, what is raised

def step(x, y):
    t = np.sin(y) * x + np.cos(y) + np.exp(-y * y) / (1.0 + y * y) + np.tanh(x)
    x[:] = t * t
    y += np.tanh(t) * 0.5 + t
    return t


def stored(x, y):
    return step(x, y) + step(x, y) * step(x, y)


def test_stores_into_arguments(eager):
    got, want = ([np.linspace(0.1, 0.9, 3), np.linspace(1.0, 2.0, 3)] for _ in range(2))
    text = gs.jit(stored).source(*got)
    assert "def step" not in text  # it would store into a copy of what it is given
    np.testing.assert_array_equal(defined(text, *got), stored(*want))
    for a, b in zip(got, want):
        np.testing.assert_array_equal(a, b)


def guarded(x, n):
    for k in [1.0, 2.0, 3.0]:
        x = checked(x, k, n)
    return np.sum(x)


def checked(x, k, n):
    y = np.sin(x) * k + np.cos(x) * np.exp(-x)
    if np.sum(y) > n:
        raise ValueError(f"too much: {np.sum(y)} at {k}")
    return y[::-1] + np.tanh(y) * np.mean(y)


def test_an_exception_in_a_function_is_the_programs_and_names_the_users_line(eager):
    x = np.array([1.0, 2.0, 3.0])
    f = gs.grad(guarded)
    assert "def checked" in f.source(x, 1.0)
    np.testing.assert_allclose(f(x, 1e9), gs.grad(lambda x: guarded(x, 1e9))(x))
    for limit in (1.0, 2.0, 3.0):
        with pytest.raises(ValueError) as want:
            guarded(x, limit)
        with pytest.raises(ValueError) as got:
            f(x, limit)
        assert str(got.value) == str(want.value)
        assert "in checked" in got.value.__notes__[0]


# ---- programs that were wrong once

def common(x, p):
    W, b = p
    h = np.tanh(W * x + b)
    return h * np.exp(-0.5 * h * h) + 0.1 * h ** 3 - np.sin(h) / (1.0 + h * h)


def one(x):
    a = np.sin(x) + np.cos(x) * x
    return np.exp(-a * a) * x + np.tanh(a) - a / (2.0 + x * x) + np.sqrt(1.0 + a * a) * np.cos(a - x)


def other(x):
    a = np.cos(x) * x - np.sin(x)
    return np.exp(-a * a) + np.tanh(a) * x - a / (3.0 + x * x) + np.sqrt(2.0 + a * a) * np.sin(a + x)


def with_activation(x, p, activation):
    return activation(common(x, p)) + x


def activations(ps, x):
    for p, activation in zip(ps, (one, one, other, other)):
        x = with_activation(x, p, activation)
    return np.sum(x * x)


@pytest.mark.heavy(one_in=5)
def test_a_function_that_only_functions_call_is_written():
    args = [(np.linspace(0.1 * k, 0.9, 3), np.ones(3)) for k in range(4)], np.linspace(-1.0, 1.0, 3)
    f = gs.grad(activations)
    text = f.source(*args)
    assert "def common" in text and text.count("\ndef ") > 2
    assert_equal(defined(text, *args), f(*args))
    np.testing.assert_allclose(gs.jit(f)(*args)[0][0], f(*args)[0][0], rtol=1e-12)


def relaxed(x, p):
    u = p["w"]
    for _ in range(3):
        u = 0.5 * u + x
    h = np.tanh(u + p["b"])
    return h * np.exp(-0.5 * h * h) + 0.1 * h ** 3 - np.sin(h) / (1.0 + h * h) + np.cos(u) * x


def relaxing(ps, x):
    for p in ps:
        x = relaxed(x, p)
    return np.sum(x * x)


@pytest.mark.parametrize("transform", (gs.jit, gs.grad, gs.value_and_grad))
def test_a_member_that_a_loop_goes_on_with_keeps_a_variable(transform):
    args = [{"w": np.full(3, 0.3 * k), "b": np.linspace(0.0, 1.0, 3)} for k in range(4)], np.linspace(-1.0, 1.0, 3)
    text = transform(relaxing).source(*args)
    assert "def relaxed" in text
    assert_equal(defined(text, *args), transform(relaxing)(*args) if transform is not gs.jit else relaxing(*args))


def valid(x):
    if np.min(x) < -10.0:
        raise ValueError("too small")
    if np.mean(x) > 10.0:
        raise ValueError("too large")
    if np.sum(x * x) > 1e6:
        raise ValueError("too long")


def validated(x, y, w):
    for v in (x, y, w):
        valid(v)
    return np.sum(x * y * w)


def test_a_function_that_only_checks(eager):
    args = np.ones(3), np.ones(3), np.full(3, 2.0)
    text = gs.grad(validated).source(*args)
    assert "def valid" in text
    assert_equal(defined(text, *args), gs.grad(validated)(*args))
    with pytest.raises(ValueError, match="too large"):
        gs.grad(validated)(np.ones(3), np.full(3, 20.0), np.ones(3))


class Named:
    @staticmethod
    def abs(x, w):
        t = np.tanh(w * x)
        return np.abs(t) * np.exp(-t * t) + np.sin(t) * np.cos(x) - t / (1.0 + x * x) + np.sqrt(1.0 + t * t) * np.cos(t)

    @staticmethod
    def np_(x, w):
        t = np.tanh(w + x)
        return np.abs(t) * np.exp(-t * t) + np.sin(t) * np.cos(x) - t / (2.0 + x * x) + np.sqrt(1.0 + t * t) * np.cos(t)


def oddly_named(x, w, abs_adjoint):
    for _ in range(2):
        x = Named.abs(Named.abs(Named.abs(x, w), abs_adjoint), w)
    return np.sum(x) + Named.np_(Named.np_(1.0, 2.0), w[0])


def test_functions_take_no_name_that_the_text_uses():
    args = np.linspace(-1.0, 1.0, 3), np.full(3, 0.7), np.full(3, 0.4)
    text = gs.grad(oddly_named, argnums=(0, 1, 2)).source(*args)
    assert "def abs2(" in text or "def abs_" in text
    assert_equal(defined(text, *args), gs.grad(oddly_named, argnums=(0, 1, 2))(*args))


def counted(ps, xs, a):
    total = 0.0
    for x in xs:
        total += np.sum(x) * a
    x = xs[0]
    for p in ps:
        x = layer(x, p)
    return np.sum(x) * total / 3


def test_a_number_beside_containers(eager):
    args = layers(3)[0]["layers"], [np.ones((3, 4)), np.zeros((3, 4))], 2.0
    assert_equal(defined(gs.grad(counted).source(*args), *args), gs.grad(counted)(*args))


def unlike(ps, x, c):
    """The first call has no mirror that is like the others'."""
    h = np.zeros(3)
    for p in ps:
        g = np.tanh(p["W"] * x + p["U"] * h)
        c = g * c + np.sin(g) * np.exp(-c * c)
        h = np.tanh(c) * g + np.cos(h) / (1.0 + c * c) - 0.1 * g ** 3
    return np.sum(h)


def test_what_a_call_without_its_mirror_gives_is_unpacked():
    args = [{"W": np.full(3, 0.2 * k), "U": np.linspace(0.0, 1.0, 3)} for k in range(6)], np.ones(3), np.zeros(3)
    text = gs.grad(unlike).source(*args)
    assert_equal(defined(text, *args), gs.grad(unlike)(*args))
    assert text.count("residuals") > 6
