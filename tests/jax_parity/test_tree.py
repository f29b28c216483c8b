"""Trees, outside of transformed functions and inside."""
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import pytest

import gradscribe as gs


class Pair(NamedTuple):
    left: Any
    right: Any


@dataclass
class Layer:
    weights: Any
    bias: Any
    activation: str = field(default="tanh", metadata={"static": True})
    repeat: int = field(default=1, metadata={"static": True})
    rate: float = field(default=0.5, metadata={"static": True})


@dataclass(frozen=True)
class Checked:
    x: float

    def __post_init__(self):
        assert isinstance(self.x, float)


class Interval:
    def __init__(self, low, high, unit):
        self.low, self.high, self.unit = low, high, unit


gs.tree.register(Interval, lambda i: ((i.low, i.high), i.unit), lambda unit, ends: Interval(*ends, unit))

TREES = [1.0, None, (), [], {}, (1.0, [2.0, None]), {"b": 1.0, "a": {"d": (2.0,), "c": []}}, Pair(1.0, (2.0, None)),
         OrderedDict([("z", 1.0), ("a", 2.0)]), [Layer(1.0, [2.0])]]
# dicts by sorted keys, as JAX has it
LEAVES = [[1.0], [], [], [], [], [1.0, 2.0], [2.0, 1.0], [1.0, 2.0], [1.0, 2.0], [1.0, 2.0]]


@pytest.mark.parametrize("tree, leaves", list(zip(TREES, LEAVES)), ids=repr)
def test_flatten_and_back(tree, leaves):
    found, structure = gs.tree.flatten(tree)
    assert found == leaves == gs.tree.leaves(tree) and structure == gs.tree.structure(tree)
    assert gs.tree.unflatten(structure, found) == tree
    assert gs.tree.map(lambda x: x, tree) == tree


def test_static_fields_are_structure():
    a = Layer(1.0, 2.0, "relu", 3)
    assert gs.tree.leaves(a) == [1.0, 2.0]
    assert gs.tree.map(lambda x: -x, a) == Layer(-1.0, -2.0, "relu", 3)
    assert (gs.tree.structure(a) == gs.tree.structure(Layer(0.0, 0.0, "relu", 3))
            != gs.tree.structure(Layer(1.0, 2.0, "tanh", 3)))
    with pytest.raises(ValueError):
        gs.tree.map(lambda x, y: x, a, Layer(1.0, 2.0, "tanh", 3))


def test_leaves_may_be_anything():
    assert gs.tree.map(lambda x: str(x), Checked(1.0)).x == "1.0"  # what __init__ asks for is not asked of a tree
    assert gs.tree.leaves(["a", len]) == ["a", len]


def test_registered_classes():
    doubled = gs.tree.map(lambda x: 2 * x, [Interval(1.0, (2.0, 3.0), "m")])[0]
    assert (doubled.low, doubled.high, doubled.unit) == (2.0, (4.0, 6.0), "m")
    assert gs.tree.structure(Interval(0, 0, "m")) != gs.tree.structure(Interval(0, 0, "s"))
    with pytest.raises(ValueError):
        gs.tree.register(Interval, lambda i: ((), None), lambda aux, children: None)


def test_is_leaf():
    tree = {"a": (1.0, 2.0), "b": Layer(3.0, 4.0)}
    assert gs.tree.leaves(tree, is_leaf=lambda t: isinstance(t, (tuple, Layer))) == [(1.0, 2.0), Layer(3.0, 4.0)]
    assert (gs.tree.map(lambda t: len(t) if isinstance(t, tuple) else 0, tree, is_leaf=lambda t: isinstance(t, tuple))
            == {"a": 2, "b": Layer(0, 0)})


def test_reduce_and_all():
    assert gs.tree.reduce(lambda a, b: a + b, [1.0, (2.0, None)]) == 3.0 and gs.tree.reduce(max, (), 7.0) == 7.0
    with pytest.raises(TypeError):
        gs.tree.reduce(max, {})
    assert gs.tree.all([True, 1.0]) and not gs.tree.all([True, {"a": 0.0}])


def test_structures_that_do_not_fit():
    with pytest.raises(ValueError):
        gs.tree.map(lambda x, y: x, (1.0, 2.0), (1.0,))
    with pytest.raises(ValueError):
        gs.tree.unflatten(gs.tree.structure((0, 0)), [1.0])
    with pytest.raises(ValueError):
        gs.tree.transpose(gs.tree.structure((0, 0)), None, ((1, 2), (3,)))


def test_transpose():
    pairs = [(1, 2), (3, 4), (5, 6)]
    assert gs.tree.transpose(gs.tree.structure([0, 0, 0]), None, pairs) == ([1, 3, 5], [2, 4, 6])


# inside of transformed functions -----------------------------------------------------------------------------------
def step(parameters, gradients, rate):
    new = gs.tree.map(lambda p, g: p - rate * g, parameters, gradients)
    leaves, structure = gs.tree.flatten(new)
    twice = gs.tree.unflatten(structure, [2.0 * x for x in leaves])
    assert gs.tree.structure(twice) == gs.tree.structure(parameters)
    return gs.tree.reduce(lambda total, x: total + np.sum(x ** 2), twice, 0.0)


def parameters():
    return {"w": np.array([1.0, 2.0]), "layers": [Layer(np.ones((2, 2)), 3.0), None, Pair(1.0, ())], "b": (0.5, {})}


@pytest.mark.parametrize("way", [lambda f: f, gs.jit], ids=["plain", "compiled"])
def test_inside(way):
    p, g = parameters(), gs.tree.map(lambda x: 0.1 * x, parameters())
    expected = step(p, g, 0.5)
    value, gradient = way(gs.value_and_grad(step))(p, g, 0.5)
    assert np.isclose(value, expected)
    assert gs.tree.structure(gradient) == gs.tree.structure(p)
    for got, x, d in zip(gs.tree.leaves(gradient), gs.tree.leaves(p), gs.tree.leaves(g)):
        np.testing.assert_allclose(got, 8.0 * (x - 0.5 * d))


def test_all_transpose_and_is_leaf_inside():
    def f(points):
        ok = gs.tree.all(gs.tree.map(lambda x: x > 0.0, points))
        xs, ys = gs.tree.transpose(gs.tree.structure([0, 0]), None, points)
        norms = gs.tree.map(lambda p: p[0] * p[1], points, is_leaf=lambda p: isinstance(p, tuple))
        return (xs[0] * ys[1] + norms[1]) if ok else 0.0

    assert gs.grad(f)([(2.0, 3.0), (5.0, 7.0)]) == [(7.0, 0.0), (7.0, 7.0)]
    assert gs.jit(f)([(2.0, 3.0), (5.0, -7.0)]) == 0.0


def test_errors_inside():
    with pytest.raises(ValueError, match="leaves"):
        gs.jit(lambda x: gs.tree.unflatten(gs.tree.structure((0, 0)), [x]))(1.0)
    with pytest.raises(ValueError):
        gs.grad(lambda x: gs.tree.map(lambda a, b: a, (x, x), (x,))[0])(1.0)
    with pytest.raises(TypeError, match="without leaves"):
        gs.grad(lambda x: gs.tree.reduce(lambda a, b: a + b, []))(1.0)


def apply(layer, x):
    for _ in range(layer.repeat):
        x = layer.rate * (np.tanh(layer.weights * x) if layer.activation == "tanh" else layer.weights * x) + layer.bias
    return x


@pytest.mark.parametrize("way", [lambda f: f, gs.jit], ids=["plain", "compiled"])
def test_static_fields_are_known_before_the_run(way):
    gradient = way(gs.grad(apply))
    assert gradient(Layer(2.0, 1.0, "linear", 2), 3.0) == Layer(0.5 * (4.0 + 0.5 * 2.0 * 3.0), 2.0, "linear", 2)
    for _ in range(2):  # the fast path of one call must not serve another structure
        assert gradient(Layer(2.0, 1.0, "linear", 1), 3.0) == Layer(1.5, 1.0, "linear", 1)
        assert gradient(Layer(2.0, 1.0, "linear", 1, 0.25), 3.0) == Layer(0.75, 1.0, "linear", 1, 0.25)
        assert gradient(Layer(2.0, 1.0, "tanh", 1), 0.0) == Layer(0.0, 1.0, "tanh", 1)


LAYER = Layer(2.0, 1.0, "linear", 1)


def test_static_fields_seen_from_outside(monkeypatch):
    f = gs.grad(lambda x: apply(LAYER, x))
    assert f(3.0) == 1.0
    monkeypatch.setattr(LAYER, "repeat", 2)
    assert f(3.0) == 1.0 * (0.5 * 2.0)
    monkeypatch.setattr(LAYER, "rate", 0.25)
    assert f(3.0) == 0.25


def test_check_grads_of_static_fields():
    gs.test_util.check_grads(lambda layer: apply(layer, 0.3), (Layer(0.7, 0.2, "tanh", 3),))


# registered classes inside -------------------------------------------------------------------------------------------
class Affine:
    """Two children, which may be the same object; what is derived of them; and a name that is part of the structure."""

    def __init__(self, scale, shift, kind):
        self.shift, self.scale, self.kind, self.linear = shift, scale, kind, kind == "linear"

    def __call__(self, x):
        y = self.scale * x + self.shift
        return y if self.linear else np.tanh(y)


gs.tree.register(Affine, lambda a: ((a.scale, a.shift), a.kind), lambda kind, children: Affine(*children, kind))


@pytest.mark.parametrize("way", [lambda f: f, gs.jit], ids=["plain", "compiled"])
def test_objects_of_registered_classes(way):
    def f(model, x):
        doubled = gs.tree.map(lambda leaf: 2.0 * leaf, model)
        return doubled[0](x) * gs.tree.reduce(lambda a, b: a + b, model)

    one = 1.5
    for _ in range(2):
        gradient = way(gs.grad(f))([Affine(one, one, "linear")], 3.0)[0]  # y = (2 a x + 2 b) (a + b)
        assert isinstance(gradient, Affine) and (gradient.scale, gradient.shift) == (6.0 * 3.0 + 12.0, 2.0 * 3.0 + 12.0)
        assert gradient.kind == "linear" and gradient.linear is True
        other = way(gs.grad(f))([Affine(0.5, 0.0, "tanh")], 0.0)[0]
        assert (other.scale, other.shift, other.linear) == (0.0, 2.0 * 0.5, False)


MODEL = Affine(2.0, 1.0, "linear")


def test_a_registered_object_from_outside(monkeypatch):
    f = gs.grad(lambda x: MODEL(x) * x)
    assert f(3.0) == 13.0
    monkeypatch.setattr(MODEL, "shift", 2.0)
    assert f(3.0) == 14.0


class Hidden:
    def __init__(self, x):
        self.both = (x,)


class Unhashable:
    def __init__(self, x):
        self.x = x


gs.tree.register(Hidden, lambda h: ((h.both[0],), None), lambda aux, children: Hidden(children[0]))
gs.tree.register(Unhashable, lambda h: ((h.x,), [1]), lambda aux, children: Unhashable(children[0]))


def test_what_is_refused_inside():
    with pytest.raises(gs.UnsupportedError, match="attributes"):
        gs.grad(lambda h: h.both[0])(Hidden(1.0))
    with pytest.raises(gs.UnsupportedError, match="hash"):
        gs.grad(lambda h: h.x)(Unhashable(1.0))


def test_vmap_over_objects():
    layers = Layer(np.array([1.0, 2.0]), np.array([0.1, 0.2]), "linear", 2)
    expected = [apply(Layer(w, b, "linear", 2), 3.0) for w, b in zip(layers.weights, layers.bias)]
    np.testing.assert_allclose(gs.vmap(lambda layer: apply(layer, 3.0))(layers), expected)
    gradients = gs.vmap(gs.grad(lambda layer: apply(layer, 3.0)))(layers)
    assert gradients.repeat == 2 and gradients.weights.shape == (2,)
