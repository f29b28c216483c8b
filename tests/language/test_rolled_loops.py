"""Loops over short lists and tuples of equal things: written out where that is short, else loops over rows,
and nobody can tell."""
import dataclasses

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.transformer.programs import reuse
from gradscribe.transformer.specialise.evaluator.syntax import rolling

RNG = np.random.default_rng(37)
MATRICES = [RNG.normal(size=(3, 3)) / 2 for _ in range(5)]
VECTORS = [RNG.normal(size=3) for _ in range(5)]
X = RNG.normal(size=3)


@dataclasses.dataclass
class Layer:
    W: np.ndarray
    b: np.ndarray

    def __call__(self, x):
        return np.tanh(self.W @ x + self.b)


LAYERS = [Layer(w, b) for w, b in zip(MATRICES, VECTORS)]


def numbers(p, x):
    total = 0.0
    for heavy in (0.1, 1.0, 10.0, 2.5):
        y = np.tanh(x * heavy + p[0] @ x)
        total = total + heavy * np.sum(y) / (1.0 + heavy)
    return total


def in_each_other(p, x):
    found = []
    for heavy in [0.1, 1.0, 10.0]:
        for soft in (0.5, 1.0, 2.0):
            found.append(np.sum(np.tanh(heavy * p[1] @ x)) / (heavy + soft))
    costs = np.stack(found)
    return np.sum(np.exp(-costs) * costs)


def pairs(p, x):
    for a, b in ((0.1, 0.5), (0.2, 0.25), (0.3, 0.125), (0.4, 1.0)):
        x = x + a * np.tanh(p[0] @ (b * x))
    return np.sum(x ** 2)


def a_tuple(p, x):
    for w in tuple(p):
        x = np.tanh(w @ x)
    return np.sum(x ** 2)


def zipped(p, x):
    for w, b, k in zip(p, VECTORS, (0.5, 1.5, 2.5, 3.5, 4.5)):
        x = np.tanh(w @ x * k + b)
    return np.sum(x ** 2)


def counted(p, x):
    total = 0.0
    for k, w in enumerate(p, 1):
        x = np.tanh(w @ x) / k
        total = total + np.sum(x)
    return total


def backwards(p, x):
    for w in reversed(p):
        x = np.sin(w @ x)
    return np.sum(x ** 3)


def objects(p, x):
    for layer in [Layer(w, b) for w, b in zip(p, VECTORS)]:
        x = layer(x)
    return np.sum(x)


def from_outside(p, x):
    for layer in LAYERS:
        x = layer(p[0] @ x)
    return np.sum(x)


def made_here(p, x):
    powers = [x, x * x, x ** 3, np.sin(x)]
    total = 0.0
    for y in powers:
        total = total + np.sum(np.tanh(p[2] @ y))
    return total


def comprehended(p, x):
    return np.sum(np.stack([np.tanh(h * p[0] @ x) for h in (0.5, 1.0, 1.5)]) ** 2) + sum([np.sum(w @ x) for w in p])


def left_early(p, x):
    for w in p:
        x = np.tanh(w @ x) + 0.2
        if x[0] > 0.3:
            break
    return np.sum(x ** 2)


def the_last_is_another(p, x):
    for k, w in enumerate(p):
        x = w @ x
        if k < len(p) - 1:
            x = np.maximum(x, 0.1 * x)
    return np.sum(x ** 2)


def an_item_is_stored_into(p, x):
    own = [w.copy() for w in p]
    for w in own:
        w[0] = w[0] * 2.0
        x = np.tanh(w @ x)
    return np.sum(x) + np.sum(own[0])


def one_memory(p, x):
    y = x * 1.0
    total = 0.0
    for v in [y, y, x * 2.0, y[::-1]]:
        total = total + np.sum(np.tanh(v))
        y[0] = total
    return total


def the_same_one(p, x):
    best = p[0]
    total = 0.0
    for w in p:
        total = total + (2.0 if w is best else 1.0) * np.sum(w @ x)
    return total


def one_is_there_twice(p, x):
    y, total = x * 2.0, 0.0
    for v in [x, y, x * 3.0, y]:
        total = total + (2.0 if v is y else 1.0) * np.sum(np.tanh(v))
    return total


def the_same_pairs(p, x):
    total = 0.0
    for v in p:
        for w in p:
            if v is w:
                total = total + np.sum(v @ x)
    return total


def a_variable_lives_on(p, x):
    for w in p:
        x = np.tanh(w @ x)
    return np.sum(w @ x)


def kept_in_a_list(p, x):
    kept = []
    for w in p:
        kept.append(w)
        x = np.tanh(w @ x)
    return np.sum(kept[1] @ x)


def by_what_kind(p, x):
    total = 0.0
    for c in (2.0, np.float64(2.0), 0.5):
        total = total + np.sum(x) / c
    return total


def integers_choose(p, x):
    for k in (2, 0, 1):
        x = np.tanh(p[k] @ x)
    return np.sum(x)


def of_two_shapes(p, x):
    total = 0.0
    for v in (x, x[:2], x[:1]):
        total = total + np.sum(np.tanh(v))
    return total


def named(p, x):
    scales = {"a": 0.5, "b": 1.5, "c": 2.5}
    total = 0.0
    for s in scales.values():
        total = total + np.sum(np.tanh(s * p[0] @ x))
    for name, s in scales.items():
        total = total + s * len(name)
    return total


PROGRAMS = [numbers, in_each_other, pairs, a_tuple, zipped, counted, backwards, objects, from_outside,
            made_here, comprehended, left_early, the_last_is_another, an_item_is_stored_into, one_memory, the_same_one,
            one_is_there_twice, the_same_pairs, a_variable_lives_on, kept_in_a_list, by_what_kind, integers_choose,
            of_two_shapes, named]
LOOPS = {numbers: 1, in_each_other: 2, pairs: 1, a_tuple: 1, zipped: 1, counted: 1, backwards: 1, objects: 2,
         from_outside: 1, made_here: 1, left_early: 1, named: 1}
WAYS = {"value": lambda f: f, "jit": gs.jit, "gradient": lambda f: gs.value_and_grad(f, argnums=(0, 1)),
        "compiled": lambda f: gs.jit(gs.value_and_grad(f, argnums=(0, 1))),
        "second": lambda f: gs.grad(lambda p, x: np.sum(gs.grad(f, argnums=1)(p, x) ** 2)),
        "jvp": lambda f: lambda p, x: gs.jvp(lambda x: f(p, x), (x,), (np.ones(3),)),
        "vmap": lambda f: gs.vmap(gs.grad(f, argnums=1), in_axes=(None, 0))}


def same(a, b):
    one, other = gs.tree.leaves(a), gs.tree.leaves(b)
    assert gs.tree.structure(a) == gs.tree.structure(b) and list(map(type, one)) == list(map(type, other))
    for x, y in zip(one, other):
        np.testing.assert_allclose(x, y, rtol=1e-11, atol=1e-13)


@pytest.mark.heavy(one_in=8)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("f", PROGRAMS, ids=[f.__name__ for f in PROGRAMS])
@pytest.mark.filterwarnings("ignore")
def test_as_written_out(f, way, monkeypatch):
    args = (MATRICES, np.stack([X, -X]) if way == "vmap" else X)
    monkeypatch.setattr(rolling, "LONG", np.inf)
    want = WAYS[way](f)(*args)
    reuse.entries.clear()  # else it is the same program
    monkeypatch.setattr(rolling, "LONG", 0)
    same(WAYS[way](f)(*args), want)


@pytest.mark.parametrize("f", LOOPS, ids=[f.__name__ for f in LOOPS])
def test_it_is_a_loop(f, monkeypatch):
    """Each statement of the body stands there once."""
    assert not loops_in(gs.jit(f).source(MATRICES, X))
    reuse.entries.clear()
    monkeypatch.setattr(rolling, "LONG", 0)
    assert loops_in(gs.jit(f).source(MATRICES, X)) == LOOPS[f]


def loops_in(text):
    return sum([line.lstrip().startswith(("for ", "while ")) for line in text.splitlines()])


def test_what_is_shown(monkeypatch):
    monkeypatch.setattr(rolling, "LONG", 0)
    assert gs.jit(numbers).source(MATRICES, X) == '''\
import numpy as np


def numbers(p, x):
    p_0 = p[0]
    heavy_rows = np.array([0.1, 1.0, 10.0, 2.5])
    total = 0.0
    for heavy_rows_i in heavy_rows:
        heavy = float(heavy_rows_i)
        y = np.tanh(x * heavy + p_0 @ x)
        total += heavy * np.sum(y) / (1.0 + heavy)
    return total
'''
    assert "    for w in w_rows:\n" in gs.jit(a_tuple).source(MATRICES, X)
    assert ("b_rows = np.stack([VECTORS_0, VECTORS_1, VECTORS_2, VECTORS_3, VECTORS_4])"
            in gs.jit(zipped).source(MATRICES, X))


def body(x, w, c):
    for _ in range(3):
        x = x + np.tanh(w @ x + c) * np.cos(x) / (1.0 + x * x)
        x = np.where(x > 2.0, x - 1.0, x) * np.exp(-0.1 * np.abs(x)) + np.mean(x)
        x = np.tanh(x - 0.1 * np.sin(w.T @ x) + np.max(x) * np.sqrt(1.0 + x * x))
    return x


def test_a_long_loop_is_one_by_itself():
    """The length of the program does not depend on how many items there are, of the list of an argument,
    or of a tuple of constants."""
    def of_an_argument(ws, x):
        for w in ws:
            x = body(x, w, 0.5)
            x = body(x, w, 1.5) / (1.0 + np.sum(x * x))
        return np.sum(x)

    def of_constants(ws, x):
        for c in (0.1, 0.2, 0.3, 0.4, 0.5, 0.6)[:len(ws)]:
            x = body(x, ws[0], c)
            x = body(x, ws[1], c * c) / (1.0 + np.sum(x * x))
        return np.sum(x)

    for f in (of_an_argument, of_constants):
        ways = [gs.value_and_grad(f) for _ in range(2)]
        lengths = [g.source(MATRICES[:n], X).count("\n") for g, n in zip(ways, (4, 5))]
        assert abs(lengths[0] - lengths[1]) <= 1, lengths  # the line that takes an argument apart may be two
        x = X + 1e-6 * np.ones(3)
        value, slopes = gs.jit(gs.value_and_grad(f, argnums=1))(MATRICES, X)
        assert np.isclose((f(MATRICES, x) - f(MATRICES, 2 * X - x)) / 2e-6, np.sum(slopes), rtol=1e-6)
