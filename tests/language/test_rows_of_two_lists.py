"""Lists of equal items: what people do with two lists, and lists that are given back."""
import copy

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.transformer.pytree import rows
from tests.corpus.list_programs import wrong
from tests.language.list_rows import BIASES, LAYERS, WEIGHTS, X, deep, residual, same

# ---- what people do with two lists -----------------------------------------------------------------------------------

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


OF_TWO = (a_list_twice, a_loop_in_a_loop, helper_and_backwards, continues, stores_into_its_own, stores_into_the_callers,
          an_iterator, the_best, in_a_dict, in_a_while, a_gradient_inside, a_tangent_inside, many_examples_inside,
          recomputed,
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


# ---- lists that are given back ---------------------------------------------------------------------------------------

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


STEPS = [(of_two_classes, LAYERS), (mapped_of_two_classes, LAYERS), (one_in_rows_only, LAYERS), (a_step, WEIGHTS),
         (a_step_of_dicts, LAYERS), (a_step_of_an_optimizer, LAYERS), (a_history, LAYERS), (as_long_as_it_says, LAYERS)]


@pytest.mark.parametrize("f, p", STEPS, ids=[f.__name__ for f, _ in STEPS])
def test_lists_that_are_given_back(f, p):
    want, text = f(p, X), gs.jit(f).source(p, X)
    same(gs.jit(f)(p, X), want)
    assert text.count("\n") < 120 and "for " in text or f is one_in_rows_only


def test_a_step_of_training_says_what_it_does():
    assert gs.jit(a_step).source(WEIGHTS, X).endswith("""\
    rows = np.zeros((14, ws_rows.shape[1], ws_rows.shape[2]))
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
    for others in ([*made[1:], made[0]], list(made)[:3], [x[::-1] for x in made], [*made[:3], made[3].copy()],
                   [x[:1500] for x in made]):
        stacked = rows.rows_of(others)
        assert not np.shares_memory(stacked, made)
        np.testing.assert_array_equal(stacked, np.stack(others))
    bits = made.view(np.int64).copy()
    np.testing.assert_array_equal(rows.rows_of([x.view(np.float64) for x in bits]), made)  # views of another dtype
