"""Generated source by the user's names: of elements and rows that are unpacked, of views, of members,
of defaults; and it runs by itself."""
import ast
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest

import gradscribe as gs

X, KEY = np.array([0.5, 0.3, 0.9, 0.7]), gs.random.key(7)
RATE = 0.5


def text_of(f, *args, **kwargs):
    """The text of value and gradient, which gives by itself what the call gives."""
    g = gs.value_and_grad(f)
    text = g.source(*args, **kwargs)
    namespace = {}
    exec(text, namespace)
    own = ast.parse(text).body[-1]
    outside = {a.arg: globals()[a.arg] for a in [*own.args.args, *own.args.kwonlyargs] if a.arg in ("RATE",)}
    assert_equal(namespace[own.name](*args, **kwargs, **outside), g(*args, **kwargs))
    return text


def assert_equal(a, b):
    import optree
    for x, y in zip(optree.tree_leaves(a, namespace=""), optree.tree_leaves(b, namespace=""), strict=True):
        np.testing.assert_array_equal(x, y) if not hasattr(x, "W") else assert_equal((x.W, x.b), (y.W, y.b))


# ---- what is unpacked

def of_a_product(W, x):
    a, b = W @ x
    return a * b


def of_a_slice(theta):
    a, b, c = theta[:3]
    return a * b * c + theta[3] ** 2


def of_a_state(state, n):
    for _ in range(n):
        x, y, vx, vy = state
        r = (x * x + y * y) ** 1.5
        state = state + 0.1 * np.array([vx, vy, -x / r, -y / r])
    return np.sum(state * state)


@pytest.mark.heavy(one_in=2)
def test_elements_are_unpacked_in_one_line_which_checks_their_number():
    text = text_of(of_a_product, np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([1.0, -1.0]))
    assert "    a, b = W @ x\n" in text and "require" not in text
    assert "        x, y, vx, vy = state\n" in text_of(of_a_state, X, 3)
    text = text_of(of_a_slice, X)
    assert all(f"{name} = t[{k}]" in text for k, name in enumerate("abc")) or "a, b, c = " in text
    for f, args in ((of_a_product, (np.ones((3, 2)), np.ones(2))), (of_a_state, (X[:3], 1))):
        for g in (gs.grad(f), gs.jit(gs.grad(f))):
            with pytest.raises(ValueError, match=r"too many values to unpack|not enough values to unpack"):
                g(*args)
    text = gs.grad(of_a_product).source(np.ones((2, 2)), np.ones(2))
    namespace = {}
    exec(text, namespace)
    with pytest.raises(ValueError, match="too many values to unpack"):
        namespace["grad_of_a_product"](np.ones((3, 2)), np.ones(2))


# ---- an adjoint has the name of an adjoint, and nothing else has

def left_and_right(u, key):
    left, right = u[:2], u[2:]
    left += gs.random.normal(key, (2,), np.float64)
    return left @ right


def test_what_is_also_an_adjoint_is_not_called_one():
    forward = text_of(left_and_right, X, KEY).partition("# adjoint")[0]
    assert "_bar" not in forward


# ---- members of containers and objects

def in_a_dict(w, key, n):
    state = {"key": key, "h": np.zeros(2)}
    for _ in range(n):
        state["key"], sub = gs.random.split(state["key"])
        state["h"] = np.tanh(w * state["h"] + gs.random.normal(sub, (2,), np.float64))
    return np.sum(state["h"])


class Draws:
    def __init__(self, key):
        self.key = key
        self.count = 0

    def next(self):
        self.key, sub = gs.random.split(self.key)
        self.count += 1
        return sub


def in_an_object(w, key, n):
    draws, s = Draws(key), 0.0
    for _ in range(n):
        s += w * gs.random.normal(draws.next(), dtype=np.float64)
    return s * draws.count


def test_members_are_called_after_their_keys():
    text = text_of(in_a_dict, 1.5, KEY, 3)
    assert "key, sub = gs.random.split(key)" in text and "h = np.tanh(w * h + " in text and "dict = " not in text
    text = text_of(in_an_object, 1.5, KEY, 3)
    assert "key, sub = gs.random.split(key)" in text and "count += 1" in text and "obj = " not in text


# ---- the signature is the user's

def with_defaults(x, key, scale=2.0, *, b=3.0, mode="mean"):
    return scale * np.sum(x * gs.random.normal(key, x.shape, np.float64)) * RATE * b


def test_defaults():
    text = text_of(with_defaults, X, KEY)
    assert "def value_and_grad_with_defaults(x, key, scale=2.0, *, b=3.0, mode='mean', RATE):" in text
    assert "default" not in text.partition(":")[2]
    assert text_of(with_defaults, X, KEY, 1.0, b=0.5) == text


def again(x, scale=2.0):
    return scale * np.sum(x) if scale > 2.5 else again(x, 3.0) + scale * np.sum(x * x)


def inner_default(x, scale):
    return of_helper(x) * scale


def of_helper(x, scale=2.0):
    return np.sum(x * x) * scale


def test_a_default_of_another_call_is_not_the_parameter():
    text = gs.grad(inner_default).source(X, 3.0)
    namespace = {}
    exec(text, namespace)
    own = ast.parse(text).body[-1].args
    assert [a.arg for a in own.args][:2] == ["x", "scale"]
    np.testing.assert_allclose(namespace["grad_inner_default"](X, 3.0, 2.0), gs.grad(inner_default)(X, 3.0), rtol=1e-15)
    np.testing.assert_allclose(gs.grad(again)(X), 3.0 + 4.0 * X)


@dataclass
class Layer:
    W: np.ndarray
    b: np.ndarray


class Pair(NamedTuple):
    W: np.ndarray
    b: np.ndarray


def of_a_layer(m, x):
    return np.sum(np.tanh(m.W @ x + m.b))


@pytest.mark.parametrize("cls", [Layer, Pair])
def test_classes_of_results_are_imported_and_members_have_their_names(cls):
    m = cls(np.array([[0.1, 0.2], [0.3, 0.4]]), np.array([0.5, 0.6]))
    text = gs.value_and_grad(of_a_layer).source(m, np.array([1.0, 2.0]))
    assert f"from {cls.__module__} import {cls.__name__}\n" in text and "    W, b = m.W, m.b\n" in text
    text_of(of_a_layer, m, np.array([1.0, 2.0]))
