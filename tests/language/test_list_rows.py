"""A list of equal items in an argument, which a loop runs over: rows of arrays stand for it, and nobody can tell."""
import collections
import copy

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.transformer.programs import reuse
from gradscribe.transformer.pytree import rows
from tests.corpus.list_programs import wrong

RNG = np.random.default_rng(31)
WEIGHTS = [RNG.normal(size=(3, 3)) for _ in range(14)]
BIASES = [RNG.normal(size=3) for _ in range(14)]
LAYERS = [{"W": w, "b": b} for w, b in zip(WEIGHTS, BIASES)]
PAIRS = list(zip(WEIGHTS, BIASES))
NESTED = [{"inner": [w, {"b": b}], "scale": 0.5 + k / 10} for k, (w, b) in enumerate(zip(WEIGHTS, BIASES))]
NUMBERS = [0.1 * k - 0.5 for k in range(15)]
X = RNG.normal(size=3)


def deep(ws, x):
    for w in ws:
        x = np.tanh(w @ x)
    return np.sum(x ** 2)


def residual(layers, x):
    for p in layers:
        x = x + np.tanh(p["W"] @ x + p["b"])
    return np.sum(x ** 2)


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


PROGRAMS = [(deep, WEIGHTS), (residual, LAYERS), (all_but_the_last, PAIRS), (nested, NESTED), (horner, NUMBERS), (zipped, WEIGHTS), (backwards, WEIGHTS),
            (stops, WEIGHTS), (twice, WEIGHTS), (whole, WEIGHTS), (one_of_them, WEIGHTS), (stored_into, WEIGHTS), (appended, WEIGHTS),
            (changed_list, WEIGHTS), (unpacked, WEIGHTS), (mapped, WEIGHTS), (same_one, WEIGHTS),
            (summed_in_a_dict, {"ws": WEIGHTS, "last": np.eye(3)})]
LOOPS = {deep, residual, all_but_the_last, nested, horner, backwards}


def same(a, b):
    """Values, classes and structure."""
    assert type(a) is type(b), (type(a), type(b))
    if isinstance(a, (list, tuple, dict)):
        assert len(a) == len(b)
        if isinstance(a, dict):
            assert list(a) == list(b)
            a, b = a.values(), b.values()
        for x, y in zip(a, b):
            same(x, y)
    else:
        assert np.shape(a) == np.shape(b) and np.asarray(a).dtype == np.asarray(b).dtype
        np.testing.assert_allclose(a, b, rtol=1e-4 if np.asarray(a).dtype == np.float32 else 1e-11, atol=1e-13)


WAYS = {"value": lambda f: f, "jit": gs.jit, "gradient": lambda f: gs.value_and_grad(f, argnums=(0, 1)), "aux": lambda f: gs.grad(lambda p, x: (f(p, x), (p, x)), has_aux=True),
        "compiled": lambda f: gs.jit(gs.value_and_grad(f, argnums=(0, 1))), "second": lambda f: gs.grad(lambda x, p: np.sum(gs.grad(f, argnums=1)(p, x) ** 2)),
        "jvp": lambda f: lambda p, x: gs.jvp(lambda x: f(p, x), (x,), (np.ones(3),)), "vjp": lambda f: lambda p, x: gs.vjp(f, p, x)[1](1.0),
        "hessian": lambda f: gs.hessian(lambda p, x: f(p, x), argnums=1), "vmap": lambda f: gs.vmap(gs.grad(f), in_axes=(None, 0))}


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
    assert "for i in range(14):" in text and 'return value, [{"W": W, "b": b} for W, b in zip(W_rows_bar, b_rows_bar)]' in text
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
    for p, x in ((WEIGHTS, X), (small, X[:2]), (WEIGHTS, X), (mixed, X[:2]), (halves, X.astype(np.float32)), (turned, X), (WEIGHTS[:5], X), ([WEIGHTS[0]] * 13, X)):
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


# ---- what people do with two lists -----------------------------------------------------------------------------------------

def a_list_twice(ws, bs, x):
    for w, v in zip(ws, ws):
        x = np.tanh(w @ x) + v[0]
    return np.sum(x)


def a_loop_in_a_loop(ws, bs, x):
    for w in ws:
        for b in bs:
            x = np.tanh(x * 0.9 + b * 0.1)
        x = w @ x
    return np.sum(np.tanh(x))


def helper(ws, x):
    for w in ws:
        x = np.tanh(w @ x)
    return x


def helper_and_backwards(ws, bs, x):
    return np.sum(helper(ws, x) * helper(ws[::-1], x))


def continues(ws, bs, x):
    t = 0.0
    for k, w in enumerate(ws):
        if k % 2:
            continue
        t = t + np.sum(np.tanh(w @ x) * bs[k])
    return t


def stores_into_its_own(ws, bs, x):
    for w in ws:
        w = w * 2.0
        w[0, 0] = 1.0
        x = np.tanh(w @ x)
    return np.sum(x)


def stores_into_the_callers(ws, bs, x):
    for b in bs:
        b[0] = b[0] * 2
        x = np.tanh(x + b)
    return np.sum(x)


def an_iterator(ws, bs, x):
    it = iter(ws)
    first = next(it)
    for w in it:
        x = np.tanh(w @ x)
    return np.sum(first @ x)


def the_best(ws, bs, x):
    best = ws[0]
    for w in ws:
        if np.sum(w) > np.sum(best):
            best = w
    return np.sum(best @ x)


def in_a_dict(ws, bs, x):
    d = {'a': ws, 'b': bs}
    for w, b in zip(d['a'], d['b']):
        x = np.tanh(w @ x + b)
    return np.sum(x)


def in_a_while(ws, bs, x):
    while np.sum(x ** 2) > 0.01:
        for w in ws:
            x = 0.2 * np.tanh(w @ x)
    return np.sum(x)


def a_gradient_inside(ws, bs, x):
    g = gs.grad(lambda w: helper(w, x)[0])(ws)
    t = 0.0
    for a in g:
        t = t + np.sum(a ** 2)
    return t


def a_tangent_inside(ws, bs, x):
    v, t = gs.jvp(lambda x: helper(ws, x), (x,), (np.ones(3),))
    return np.sum(t)


def many_examples_inside(ws, bs, x):
    f = gs.vmap(lambda x: helper(ws, x))
    return np.sum(f(np.stack([x, -x])))


def recomputed(ws, bs, x):
    f = gs.checkpoint(lambda ws, x: helper(ws, x))
    return np.sum(f(ws, x))


def a_jacobian_inside(ws, bs, x):
    J = gs.jacrev(lambda bs: sum_over(bs, x))(bs)
    return np.sum(J[3])


def sum_over(bs, x):
    t = 0 * x
    for b in bs:
        t = t + np.sin(b) * x
    return t


def items_kept(ws, bs, x):
    acc = []
    for w, b in zip(ws, bs):
        acc.append((w @ x, b))
    return np.sum(acc[3][0]) + np.sum(acc[-1][1])


def made_anew(ws, bs, x):
    ws = [w * 0.5 for w in ws]
    for w in ws:
        x = np.tanh(w @ x)
    return np.sum(x)


def choices(ws, bs, x):
    y = x
    for b in reversed(bs):
        y = np.where(y > b, y, b) + b * y
    return np.sum(y)


OF_TWO = (a_list_twice, a_loop_in_a_loop, helper_and_backwards, continues, stores_into_its_own, stores_into_the_callers, an_iterator,
          the_best, in_a_dict, in_a_while, a_gradient_inside, a_tangent_inside, many_examples_inside, recomputed,
          a_jacobian_inside, items_kept, made_anew, choices)


@pytest.mark.parametrize("compiled", [False, True], ids=["plain", "compiled"])
@pytest.mark.parametrize("f", OF_TWO, ids=lambda f: f.__name__)
def test_programs_of_two_lists(f, compiled, monkeypatch):
    """And what they store into their arguments."""
    def outcome():
        args = copy.deepcopy((WEIGHTS, BIASES, X))
        made = gs.value_and_grad(f, argnums=(0, 1, 2))
        return (gs.jit(made) if compiled else made)(*args), args

    got = outcome()
    monkeypatch.setattr(rows, "MANY", 10**9)
    same(got, outcome())


@pytest.mark.heavy(one_in=16)
@pytest.mark.parametrize("seed", range(32))
def test_random_programs(seed):
    assert (text := wrong(seed)) is None, text


# ---- lists that are given back ---------------------------------------------------------------------------------------------

def a_step(ws, x):
    value, slopes = gs.value_and_grad(deep)(ws, x)
    return value, [w - 0.1 * g for w, g in zip(ws, slopes)]


def a_step_of_dicts(layers, x):
    slopes = gs.grad(residual)(layers, x)
    return [{k: p[k] - 0.1 * d[k] for k in p} for p, d in zip(layers, slopes)]


def a_step_of_an_optimizer(layers, x):
    optimizer = gs.optim.adam(0.01)
    slopes = gs.optim.clip_by_global_norm(gs.grad(residual)(layers, x), 1.0)
    return optimizer.update(slopes, optimizer.init(layers), layers)


def a_history(layers, x):
    """Python's numbers, NumPy's and arrays stay what they are."""
    out = []
    for k, p in enumerate(layers):
        x = np.tanh(p["W"] @ x)
        out.append([x, {"k": k, "first": x[0]}, float(x[1]), x[2] > 0.0, bool(x[2] > 0.0)])
    return out, x


def as_long_as_it_says(layers, x):
    out = []
    for _ in range(len(x) + 2):
        x = np.tanh(layers[0]["W"] @ x)
        out.append(x)
    return out


def one_in_rows_only(layers, x):
    """A list that has grown beside one that has not."""
    made = []
    for p in layers:
        made.append({k: v * np.sum(x) for k, v in p.items()})
    few = [{"W": x[0], "b": x[k % 3]} for k in (2, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1)]
    return gs.tree.map(lambda a, b: a * b, few, made), gs.tree.map(lambda a, b: a + b, made, few)


def mapped_of_two_classes(layers, x):
    return gs.tree.map(lambda v: v * 2.0, [v if v > 0.0 else 4.0 for v in x]), [p["b"] for p in layers]


def of_two_classes(layers, x):
    return [v if v > 0.0 else 4.0 for v in x], [max(v - 0.01, 0.0) for v in np.append(x, 0.0)], [p["b"] for p in layers]


STEPS = [(of_two_classes, LAYERS), (mapped_of_two_classes, LAYERS), (one_in_rows_only, LAYERS), (a_step, WEIGHTS), (a_step_of_dicts, LAYERS), (a_step_of_an_optimizer, LAYERS), (a_history, LAYERS), (as_long_as_it_says, LAYERS)]


@pytest.mark.parametrize("f, p", STEPS, ids=[f.__name__ for f, _ in STEPS])
def test_lists_that_are_given_back(f, p):
    want, text = f(p, X), gs.jit(f).source(p, X)
    same(gs.jit(f)(p, X), want)
    assert text.count("\n") < 120 and "for " in text or f is one_in_rows_only


def test_a_step_of_training_says_what_it_does():
    assert gs.jit(a_step).source(WEIGHTS, X).endswith("""\
    rows = np.zeros((14, ws_rows_len1, ws_rows.shape[2]))
    for i in range(14):
        w = ws_rows[i]
        g = ws_rows_bar[i]
        rows[i] = w - 0.1 * g
    return value, list(rows)
""")


def test_rows_that_came_back_are_not_copied_again():
    """A step of training takes what the last one gave: all rows of one array, in order."""
    made = np.arange(4.0 * 2000).reshape(4, 2000).copy()
    assert rows.rows_of(list(made)) is made
    for others in ([*made[1:], made[0]], list(made)[:3], [x[::-1] for x in made], [*made[:3], made[3].copy()], [x[:1500] for x in made]):
        stacked = rows.rows_of(others)
        assert not np.shares_memory(stacked, made)
        np.testing.assert_array_equal(stacked, np.stack(others))
    bits = made.view(np.int64).copy()
    np.testing.assert_array_equal(rows.rows_of([x.view(np.float64) for x in bits]), made)  # views of another dtype
