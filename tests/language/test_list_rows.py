"""A list of equal items in an argument, which a loop runs over: rows of arrays stand for it, and nobody can tell."""
import collections
import copy

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.transformer.programs import reuse
from gradscribe.transformer.pytree import rows
from tests.language.list_rows import BIASES, LAYERS, RNG, WEIGHTS, X, deep, residual, same

PAIRS = list(zip(WEIGHTS, BIASES))
NESTED = [{"inner": [w, {"b": b}], "scale": 0.5 + k / 10} for k, (w, b) in enumerate(zip(WEIGHTS, BIASES))]
NUMBERS = [0.1 * k - 0.5 for k in range(15)]


def all_but_the_last(pairs, x):
    for k, (w, b) in enumerate(pairs):
        h = w @ x + b
        x = np.tanh(h) if k < len(pairs) - 1 else h
    return np.sum(x ** 2)


def nested(items, x):
    for item in items:
        w, more = item["inner"]
        x = np.sin(item["scale"] * (w @ x) + more["b"])
    return np.sum(x)


def horner(c, x):
    y = 0.0
    for a in c:
        y = y * x[0] + a
    return y


def zipped(ws, x):
    for w, b in zip(ws, BIASES):
        x = np.tanh(w @ x + b)
    return np.sum(x)


def weighted(items, x):
    total = 0.0
    for item in items:
        total = total + item["float"] * np.sum(item["b"] * x)
    return total


def backwards(ws, x):
    for w in reversed(ws):
        x = np.tanh(w @ x)
    return np.sum(x ** 3)


def stops(ws, x):
    for w in ws:
        x = np.tanh(w @ x)
        if x[0] > 0.3:
            break
    return np.sum(x ** 2)


def twice(ws, x):
    for _ in range(2):
        for w in ws:
            x = np.tanh(w @ x) + 0.1 * x
    return np.sum(x) + sum(np.sum(w ** 2) for w in ws)


def whole(ws, x):
    return np.sum(np.tanh(np.stack(ws) @ x))


def one_of_them(ws, x):
    for w in ws:
        x = np.tanh(w @ x)
    return np.sum(ws[3] @ x)


def stored_into(ws, x):
    total = 0.0
    for w in ws:
        w = w.copy()
        w[0] *= 2.0
        total = total + np.sum(w @ x)
    return total


def appended(ws, x):
    own = []
    for w in ws:
        own.append(np.tanh(w @ x))
    return np.sum(np.stack(own) ** 2)


def changed_list(ws, x):
    ws = list(ws)
    ws.append(np.eye(3))
    for w in ws:
        x = np.tanh(w @ x)
    return np.sum(x)


def unpacked(ws, x):
    first, *rest = ws
    for w in rest:
        x = np.tanh(w @ x)
    return np.sum(first @ x)


def mapped(ws, x):
    norms = gs.tree.map(np.sum, ws)
    for w, n in zip(ws, norms):
        x = np.tanh(w @ x) + n
    return np.sum(x)


def same_one(ws, x):
    total = 0.0
    for w in ws:
        total = total + (3.0 if w is ws[2] else 1.0) * np.sum(w @ x)
    return total


def summed_in_a_dict(params, x):
    for w in params["ws"]:
        x = np.tanh(w @ x)
    return np.sum(params["last"] @ x)


PROGRAMS = [(deep, WEIGHTS), (residual, LAYERS), (all_but_the_last, PAIRS), (nested, NESTED), (horner, NUMBERS),
            (zipped, WEIGHTS), (backwards, WEIGHTS), (stops, WEIGHTS), (twice, WEIGHTS), (whole, WEIGHTS),
            (one_of_them, WEIGHTS), (stored_into, WEIGHTS), (appended, WEIGHTS), (changed_list, WEIGHTS),
            (unpacked, WEIGHTS), (mapped, WEIGHTS), (same_one, WEIGHTS),
            (summed_in_a_dict, {"ws": WEIGHTS, "last": np.eye(3)})]
LOOPS = {deep, residual, all_but_the_last, nested, horner, backwards}


WAYS = {"value": lambda f: f, "jit": gs.jit, "gradient": lambda f: gs.value_and_grad(f, argnums=(0, 1)),
        "aux": lambda f: gs.grad(lambda p, x: (f(p, x), (p, x)), has_aux=True),
        "compiled": lambda f: gs.jit(gs.value_and_grad(f, argnums=(0, 1))),
        "second": lambda f: gs.grad(lambda x, p: np.sum(gs.grad(f, argnums=1)(p, x) ** 2)),
        "jvp": lambda f: lambda p, x: gs.jvp(lambda x: f(p, x), (x,), (np.ones(3),)),
        "vjp": lambda f: lambda p, x: gs.vjp(f, p, x)[1](1.0),
        "hessian": lambda f: gs.hessian(lambda p, x: f(p, x), argnums=1),
        "vmap": lambda f: gs.vmap(gs.grad(f), in_axes=(None, 0))}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("f, p", PROGRAMS, ids=[f.__name__ for f, _ in PROGRAMS])
def test_as_without(f, p, way, monkeypatch):
    args = {"second": (X, p), "vmap": (p, np.stack([X, -X]))}.get(way, (p, X))
    before = copy.deepcopy(args)
    got = WAYS[way](f)(*args)
    same(args, before)
    monkeypatch.setattr(rows, "MANY", 10**9)
    reuse.entries.clear()  # else it is the same program
    want = WAYS[way](f)(*args)
    same(got, want)


@pytest.mark.parametrize("f, p", PROGRAMS, ids=[f.__name__ for f, _ in PROGRAMS])
def test_the_loop_stays_one(f, p):
    """A program of 14 items is as long as one of 30, where nothing needs them as a list."""
    if f in LOOPS:
        lengths = {len(gs.value_and_grad(f).source((p * 3)[:n], X).splitlines()) for n in (14, 28)}
        assert len(lengths) == 1 and lengths.pop() < 60


def test_what_is_shown():
    text = gs.value_and_grad(residual).source(LAYERS, X)
    assert 'W_rows = np.stack([item["W"] for item in params])'.replace("params", "layers") in text
    assert ("for i in range(14):" in text
            and 'return value, [{"W": W, "b": b} for W, b in zip(W_rows_bar, b_rows_bar)]' in text)
    assert gs.value_and_grad(deep).source(WEIGHTS, X).endswith("return value, list(ws_rows_bar)\n")
    text = gs.grad(weighted).source([{"float": 1.0, "b": X}] * 12, X)  # "float" is no name for a variable
    assert 'return [{"float": float(x0), "b": x1} for x0, x1 in zip(float_rows_bar, b_rows_bar)]' in text
    assert gs.grad(horner).source(NUMBERS, X).endswith("return c_rows_bar.tolist()\n")


def test_other_shapes_and_dtypes():
    g = gs.jit(gs.grad(deep))
    small = [np.ones((2, 2)) * k / 20 for k in range(14)]
    mixed = [RNG.normal(size=(3, 2)), RNG.normal(size=(2, 3)), *[RNG.normal(size=(2, 2)) for _ in range(12)]]
    halves = [w.astype(np.float32) for w in WEIGHTS]
    turned = [np.asfortranarray(w) if k % 2 else w for k, w in enumerate(WEIGHTS)]
    with_an_int = [*WEIGHTS[:13], np.eye(3, dtype=int)]
    for p, x in ((WEIGHTS, X), (small, X[:2]), (WEIGHTS, X), (mixed, X[:2]), (halves, X.astype(np.float32)),
                 (turned, X), (WEIGHTS[:5], X), ([WEIGHTS[0]] * 13, X)):
        got = g(p, x)
        want = [gs.grad(lambda w, k=k, p=p, x=x: deep([*p[:k], w, *p[k + 1:]], x))(p[k]) for k in range(len(p))]
        same(got, want)
    same(gs.jit(deep)(with_an_int, X), deep(with_an_int, X))


def test_a_store_is_seen_where_memory_is_shared():
    """An item is a view of another argument, which is stored into: a copy of it would not see that."""
    def f(ws, y):
        y[0] = 5.0
        total = 0.0
        for w in ws:
            total = total + np.sum(w)
        return total

    y = np.ones(3)
    with pytest.raises(gs.errors.UnsupportedError, match="share memory"):
        gs.jit(f)([y, *[np.ones(3) for _ in range(13)]], y)
    assert gs.jit(f)([np.ones(3) for _ in range(14)], y) == 42.0 and y[0] == 5.0


def test_a_list_that_the_function_changes():
    def f(ws, x):
        for w in ws:
            x = np.tanh(w @ x)
        ws.append(2.0 * ws[0])
        return np.sum(x)

    for way in (gs.jit, lambda f: f):
        own = list(WEIGHTS)
        try:
            way(f)(own, X)
        except gs.GradscribeError:
            assert len(own) == 14
        else:
            assert len(own) == 15


Layer = collections.namedtuple("Layer", "W b")


def test_items_that_rows_do_not_hold():
    def f(layers, x):
        for layer in layers:
            x = np.tanh(layer.W @ x + layer.b)
        return np.sum(x)

    g = gs.grad(f)([Layer(w, b) for w, b in PAIRS], X)
    assert type(g[0]) is Layer and len(g) == 14


def test_large_items_are_not_copied():
    large = [np.eye(40) for _ in range(13)]
    assert "stack" not in gs.grad(deep).source(large, np.ones(40))
