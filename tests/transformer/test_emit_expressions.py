"""Readable source: expressions, and the names of variables."""
import numpy as np
import pytest

import gradscribe as gs
from gradscribe.transformer.core.types import PY_FLOAT
from gradscribe.transformer.readable import readable
from gradscribe.transformer.readable.code_tree import Call
from gradscribe.transformer.readable.printer import one_line
from gradscribe.transformer.readable.spell import Speller
from gradscribe.transformer.rules import OPS
from tests.transformer.coretext import core
from tests.transformer.emitted import becomes


# expressions ---------------------------------------------------------------------------------------
def test_temporaries_fold_and_named_values_stay():
    becomes("""
        def f(W: "f8[n, m]", x: "f8[m]", b: "f8[n]"):
            t = W @ x
            t__1 = t + b
            h = np.tanh(t__1)
            t__2 = h * h
            t__3 = np.sum(t__2, axis=(0,), keepdims=False)
            return (t__3,)
    """, """
        def f(W, x, b):
            h = np.tanh(W @ x + b)
            return np.sum(h * h)
    """)


def test_nothing_moves_across_a_store_to_what_it_reads():
    becomes("""
        def f(x: "f8[n]", y: "f8[n]"):
            z = x * 2.0
            t = z[0]
            u = y[0]
            z__1 = rt.update(z, 1.0, np.s_[0])
            s = t + u
            return (s, z__1)
    """, """
        def f(x, y):
            z = x * 2.0
            z_0 = z[0]
            u = y[0]
            z[0] = 1.0
            s = z_0 + u
            return s, z
    """)


def test_long_lines_are_not_built():
    lines = "\n".join(f"    t__{k} = {'x' if k == 1 else f't__{k - 1}'} * quite_a_long_name" for k in range(1, 12))
    text = readable(core(f"def f(x: float, quite_a_long_name: float):\n{lines}\n    return (t__11,)")).text
    assert max(map(len, text.split("\n"))) <= 100 and text.count("quite_a_long_name") == 12


def call(op, *args):
    return Call("r", OPS[op], args)


@pytest.mark.parametrize("expr, text", [
    (call("multiply", call("add", "a", "b"), "c"), "(a + b) * c"),
    (call("add", call("multiply", "a", "b"), "c"), "a * b + c"),
    (call("subtract", "a", call("subtract", "b", "c")), "a - (b - c)"),
    (call("subtract", call("subtract", "a", "b"), "c"), "a - b - c"),
    (call("power", call("negative", "a"), "b"), "(-a) ** b"),
    (call("negative", call("power", "a", "b")), "-a ** b"),
    (call("power", "a", call("negative", "b")), "a ** -b"),
    (call("power", call("power", "a", "b"), "c"), "(a ** b) ** c"),
    (call("less", call("less", "a", "b"), "c"), "(a < b) < c"),
    (call("not ", call("less", "a", "b")), "not a < b"),
    (call("divide", "a", call("multiply", "b", "c")), "a / (b * c)"),
])
def test_parentheses_where_they_are_needed(expr, text):
    assert one_line(Speller(dict.fromkeys("abcr", PY_FLOAT)).node(expr)) == text
    values = {"a": 1.5, "b": 2.5, "c": -0.5}

    def value(e):
        return values[e] if isinstance(e, str) else e.op.fn(*map(value, e.args))

    assert eval(text, values) == value(expr)


def test_spelling():
    becomes("""
        def f(x: "f8[n, m]", v: "f8[n]"):
            n = x.shape[0]
            a = np.sum(x, axis=(0,), keepdims=False)
            b = np.max(x, axis=(0, 1), keepdims=False)
            c = np.transpose(x, axes=(1, 0))
            d = np.copy(x)
            e = np.zeros((n, 3), dtype=np.float32)
            g = rt.astype(v, np.float32)
            h = x[:, 0]
            return (a, b, c, d, e, g, h)
    """, """
        def f(x, v):
            a = np.sum(x, axis=0)
            b = np.max(x)
            d = x.copy()
            e = np.zeros((len(x), 3), dtype=np.float32)
            g = v.astype(np.float32)
            c = x.T.copy()
            return a, b, c, d, e, g, x[:, 0].copy()
    """)


def test_a_check_that_numpy_makes_anyway_is_not_written_twice():
    def both(x, y):
        return np.sum(x * y)

    assert "match" not in gs.jit(both).source(np.ones(3), np.ones(3))
    assert "match" not in gs.value_and_grad(both).source(np.ones(3), np.ones(3))
    with pytest.raises(ValueError, match="could not be broadcast together"):
        gs.grad(both)(np.ones(3), np.ones(4))


# names ---------------------------------------------------------------------------------------------
def test_versions_of_a_variable_are_one_variable():
    becomes("""
        def f(x: "f8[n]", s: float):
            n = x.shape[0]
            s__1 = s
            for i in range(0, n, 1):
                t = x[i]
                s__2 = s__1 + t
                s__1 = s__2
            return (s__1,)
    """, """
        def f(x, s):
            for i in range(len(x)):
                s += x[i]
            return s
    """)


def test_versions_that_live_at_once_are_numbered():
    becomes("""
        def f(x: "f8[n]"):
            y = np.sin(x)
            y__1 = np.cos(y)
            y__2 = y__1 * y
            return (y__2,)
    """, """
        def f(x):
            y = np.sin(x)
            y2 = np.cos(y)
            y = y2 * y
            return y
    """)


def test_parallel_copies_stay_parallel_only_where_they_must():
    becomes("""
        def f(a: float, b: float, c: float, n: int):
            u, v, w = a, b, c
            for i in range(0, n, 1):
                u, v, w = v, u, v
            return (u, v, w)
    """, """
        def f(a, b, c, n):
            u = a
            v = b
            w = c
            for i in range(n):
                w = v
                u, v = v, u
            return u, v, w
    """)
