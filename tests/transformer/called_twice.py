"""What the tests of functions that stay functions share."""
import ast
import importlib

import numpy as np
import pytest

from gradscribe.transformer.optimise.functions import Readers
from gradscribe.transformer.specialise.evaluator.syntax import rolling

pass_ = importlib.import_module("gradscribe.transformer.optimise.functions")


@pytest.fixture
def eager(monkeypatch):
    """Every function of a few statements counts."""
    monkeypatch.setattr(pass_, "LARGE", 0)
    monkeypatch.setattr(Readers, "least", 2)
    monkeypatch.setattr(Readers, "worth", 0.5)


@pytest.fixture(autouse=True)
def written_out(monkeypatch):
    """Loops over layers, however long: else they would call nothing twice."""
    monkeypatch.setattr(rolling, "LONG", np.inf)


# ---- a network of layers

def layer(x, p):
    h = np.tanh(x @ p["W"] + p["b"])
    s = h * np.exp(-0.5 * h * h) + 0.1 * h ** 3
    m = np.mean(s, axis=-1, keepdims=True)
    r = (s - m) / np.sqrt(np.mean((s - m) ** 2, axis=-1, keepdims=True) + 1e-5)
    return x + p["g"] * r @ p["V"]


def layers(count, n=4):
    rng = np.random.default_rng(0)
    shapes = {"W": (n, n), "b": (n,), "g": (n,), "V": (n, n)}
    return ({"layers": [{k: 0.3 * rng.normal(size=s) for k, s in shapes.items()} for _ in range(count)]},
            rng.normal(size=(3, n)))


def defined(text, *args, name=None):
    """What the (last) function of a text gives."""
    namespace = {}
    exec(text, namespace)
    return namespace[name or ast.parse(text).body[-1].name](*args)


def assert_equal(a, b):
    """The same to the bit."""
    import optree
    for x, y in zip(optree.tree_leaves(a), optree.tree_leaves(b), strict=True):
        np.testing.assert_array_equal(x, y)
