"""`g.trace(*args)`: the values of a run are those of a call, line by line."""
import warnings
from typing import NamedTuple

import numpy as np
import pytest

import gradscribe as gs

W = np.array([1.0, 2.0, 3.0])
total = 0.0


def step(x):
    h = np.zeros(2)
    for k in range(4):
        h = np.tanh(h + x)  # a step
    return np.sum(h)


def outside(x):
    return np.sum(W * x ** 2)


def keyword(x, *, k=2.0):
    return x * x * k


def default(x, w=np.array([2.0, 3.0]), s=2.0):
    return np.sum(x * x * w) * s


def several(*xs):
    return xs[0] * xs[1] ** 2


def named(x, **more):
    return x * x * more["a"]


def chosen(x, mode):
    return np.sum(x ** 2) if mode == "a" else np.sum(x)


def nested(p, x):
    return np.sum(p["a"] * x) + p["l"][0] ** 2


def stores(x):
    x[0] = 5.0
    return np.sum(x * x)


def appends(items, x):
    items.append(x * 2)
    return x


def assigns(x):
    global total
    total = total + x
    return x * total


class Both(NamedTuple):
    a: float
    b: float


class Model:
    def __init__(self):
        self.w = np.array([1.0, -2.0])

    def loss(self, x):
        return np.sum(self.w * x ** 2)


X, A3 = np.array([0.3, -0.2]), np.array([1.0, 0.5, -1.0])


def line_of(trace, text):
    (found,) = [line for line in trace.lines if text in line.text]
    return found


@pytest.mark.parametrize("g, args, kwargs", [
    (gs.grad(step), (X,), {}), (gs.value_and_grad(step), (X,), {}), (gs.jit(gs.grad(step)), (X,), {}),
    (gs.vmap(step), (np.array([X, 2 * X]),), {}), (gs.jit(gs.vmap(gs.grad(step))), (np.array([X, 2 * X]),), {}),
    (gs.hessian(step), (X,), {}), (gs.jacfwd(step), (X,), {}),
    (gs.jacrev(lambda x: np.sin(x)), (X,), {}),
    (gs.grad(outside), (A3,), {}), (gs.hessian(outside), (A3,), {}), (gs.grad(keyword), (2.0,), {}),
    (gs.grad(keyword), (2.0,), {"k": 3.0}), (gs.grad(default), (X,), {}), (gs.grad(default), (X,), {"s": 3.0}),
    (gs.grad(several), (2.0, 3.0), {}), (gs.grad(named), (2.0,), {"a": 3.0}), (gs.grad(Model().loss), (X,), {}),
    (gs.jit(chosen, static_argnames="mode"), (X,), {"mode": "a"}), (gs.jit(chosen, static_argnums=1), (X, "a"), {}),
    (gs.value_and_grad(nested), ({"a": X, "l": [2.0]}, X), {})])
def test_the_result_is_that_of_a_call(g, args, kwargs):
    expected = g(*args, **kwargs)
    trace = g.trace(*args, **kwargs)
    assert repr(trace.result) == repr(expected) or "jit" in repr(g)
    for mine, theirs in zip(gs.tree.leaves(trace.result), gs.tree.leaves(expected), strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-12)


def test_each_line_has_what_it_bound_last_and_how_often_it_ran():
    trace = gs.jit(step).trace(X)
    h = np.zeros(2)
    for _ in range(4):
        h = np.tanh(h + X)
    line = line_of(trace, "np.tanh")
    assert line.runs == 4 and line.origin.first_text == "h = np.tanh(h + x)  # a step"
    assert line.values["h"].kind == "float64[2]" and line.values["h"].first == tuple(h)
    np.testing.assert_allclose(line.values["h"].norm, np.linalg.norm(h))
    assert line_of(trace, "def step").values["x"].first == tuple(X)
    assert line_of(trace, "return").values["return"].first == (trace.result,)
    assert line_of(trace, "for k").runs == 4


def test_the_last_value_of_a_long_loop_is_the_last():
    def f(x):
        s = 0.0
        for i in range(3000):
            s = 0.5 * s + x * i
        return s
    trace = gs.jit(f).trace(1.0)
    (line,) = [line for line in trace.lines if line.runs == 3000 and "s" in line.values]
    assert line.values["s"].first == (f(1.0),)


def test_a_store_shows_the_part_that_it_stores():
    """What is not stored yet may be any memory, NaN among it."""
    trace = gs.grad(step).trace(X)
    begun, filled = line_of(trace, "h_tape = "), line_of(trace, "h_tape[k] =")
    assert begun.values["h_tape"].norm is None and begun.values["h_tape"].text == "not set yet"
    assert filled.values["h_tape"].kind == "float64[2]" and filled.values["h_tape"].first == (
        line_of(trace, "# a step").values["h"].first)


def test_what_is_appended_is_shown():
    def f(x, low):
        while x > low:
            x = np.sin(x) * 0.9
        return x
    line = line_of(gs.grad(f).trace(2.0, 0.1), ".append(")
    assert line.runs > 1 and {v.kind for v in line.values.values()} == {"float64"}


def test_nan_and_infinity_are_marked():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        trace = gs.jit(lambda x: np.sum(np.log(x))).trace(np.array([1.0, 0.0, -1.0]))
    assert max(v.bad for line in trace.lines for v in line.values.values()) >= 1
    assert "NaN or inf" in str(trace) and "color:#c00" in trace._repr_html_()


def test_arguments_and_what_is_outside_are_not_changed():
    x, items, before = np.array([1.0, 2.0]), [1.0], total
    assert gs.jit(stores).trace(x).result == 29.0 and list(x) == [1.0, 2.0]
    assert gs.jit(appends).trace(items, 2.0).result == 2.0 and items == [1.0]
    assert gs.jit(assigns).trace(3.0).result == 3.0 * (total + 3.0) and total == before


def test_an_exception_comes_with_the_line_of_the_user():
    def f(x, k):
        return x[k] * x[k]
    with pytest.raises(IndexError) as raised:
        gs.grad(f).trace(X, 7)
    assert any("x[k] * x[k]" in note for note in raised.value.__notes__)


def test_what_several_devices_run_is_refused():
    with pytest.raises(gs.UnsupportedError, match="several devices run"):
        gs.pmap(step).trace(X[None])


def test_an_argument_that_is_read_only_is_refused():
    x = np.array([1.0, 2.0])
    x.flags.writeable = False
    with pytest.raises(gs.UnsupportedError, match="read-only"):
        gs.jit(stores).trace(x)


def test_the_table_fits_and_is_escaped_in_notebooks():
    def f(x):
        y = np.where(x < 1, x, 2.0)  # <b>bold</b>
        return np.sum(np.sin(y) * np.cos(y) + np.sin(y) ** 2 + np.cos(y) ** 3 + np.tanh(y) ** 2 + np.exp(-y) * x)
    trace = gs.value_and_grad(f).trace(np.linspace(0.0, 2.0, 50))
    assert max(map(len, str(trace).splitlines())) <= 120
    assert "<b>" in str(trace) and "<b>" not in trace._repr_html_() and "&lt;b&gt;" in trace._repr_html_()


def test_a_result_of_a_class_that_no_module_has_is_refused():
    class Pair(NamedTuple):
        a: float
        b: float
    with pytest.raises(gs.UnsupportedError, match="Pair.*\n.*top of a module"):
        gs.jit(lambda x: Pair(x, x * x)).trace(2.0)
    assert gs.jit(lambda x: Both(x, x * x)).trace(2.0).result == Both(2.0, 4.0)
