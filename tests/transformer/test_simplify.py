"""Passes by their effect: simplify, and branches on one test."""
import numpy as np
import pytest

import gradscribe as gs
from gradscribe.transformer.core import core_text
from gradscribe.transformer.optimise import branches, dce, simplify
from tests.transformer.becoming import becomes
from tests.transformer.coretext import core


# simplify ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("before, after", [
    ("y = x * 1", "y = x"),
    ("y = x * -1.0", "y = -x"),
    ("y = x + x", "y = 2 * x"),
    ("y = -(-x)", "y = x"),
    ("y = x - -z", "y = x + z"),
    ("y = -(x * -z)", "y = x * z"),
    ("y = x - 0", "y = x"),
])
def test_arithmetic(before, after):
    def program(line):
        if line == "y = x":
            return "def f(x: 'f8[n]', z: 'f8[n]'):\n    return (x,)"
        return f"def f(x: 'f8[n]', z: 'f8[n]'):\n    {line}\n    return (y,)"

    assert core_text(dce(simplify(core(program(before))))) == core_text(core(program(after)))


def test_a_python_number_times_one_is_a_cast_which_goes_where_nothing_depends_on_it():
    becomes(lambda fun: dce(simplify(fun)), """
        def f(c: float, n: int, x: "f8"):
            t = c * np.float64(1.0)
            y = x * t
            m = np.float32(1.0) * n
            return (t, y, m)
    """, """
        def f(c, n, x):
            t = rt.astype(c, np.float64)
            y = x * c
            m = rt.astype(n, np.float32)
            return (t, y, m)
    """)



def test_a_check_asks_for_the_opposite_of_what_is_refused():
    def halves(x):
        if len(x) % 2 != 0:
            raise ValueError("an odd number")
        return x[:len(x) // 2]

    text = gs.jit(halves).source(np.ones(4))
    assert "    if not len(x) % 2 == 0:\n        raise ValueError('an odd number')\n" in text
    with pytest.raises(ValueError, match="an odd number"):
        gs.jit(halves)(np.ones(3))


def test_an_integer_plus_nothing_is_itself():
    becomes(lambda fun: dce(simplify(fun)), """
        def f(n: int, i: "i8[n]"):
            m = n + 0
            j = i + 0
            return (m, j)
    """, """
        def f(n, i):
            pass
            return (n, i)
    """)


def test_what_is_not_exact_stays():
    for line in ("y = x + 0", "y = x * 1.5", "y = k * 1.0", "y = x ** 2"):
        text = f"def f(x: 'f8[n]', k: int):\n    {line}\n    return (y,)"
        assert core_text(simplify(core(text))) == core_text(core(text))


def test_broadcasts_that_arithmetic_does_anyway():
    becomes(lambda f: dce(simplify(f)), """
        def f(x: "f8[3]", g: float):
            u = np.broadcast_to(g, (3,))
            y = x * u
            z = rt.update(y, u, np.s_[:])
            return (y, z)
    """, """
        def f(x, g):
            y = x * g
            z = rt.update(y, g, np.s_[:])
            return (y, z)
    """)


def test_a_broadcast_that_gives_the_shape_stays():
    becomes(lambda f: dce(simplify(f)), """
        def f(g: float, h: float):
            u = np.broadcast_to(g, (3,))
            y = u * h
            return (y,)
    """, """
        def f(g, h):
            y__1 = g * h
            y = np.broadcast_to(y__1, (3,))
            return (y,)
    """)


def test_transposes_and_reshapes():
    becomes(lambda f: dce(simplify(f)), """
        def f(x: "f8[3, 4]"):
            t = np.transpose(x, axes=(1, 0))
            u = np.transpose(t, axes=(1, 0))
            v = np.reshape(x, (12,))
            w = np.reshape(v, (4, 3))
            return (u, w)
    """, """
        def f(x):
            w = np.reshape(x, (4, 3))
            return (x, w)
    """)


def test_parts_written_and_read():
    becomes(lambda f: dce(simplify(f)), """
        def f(x: "f8[n]", i: int, v: "f8"):
            a = rt.update(x, v, np.s_[i])
            b = a[i]
            c = a[0]
            d = rt.update(a, b, np.s_[0])
            e = x[i]
            h = rt.update(x, e, np.s_[i])
            return (b, c, d, h)
    """, """
        def f(x, i, v):
            a = rt.update(x, v, np.s_[i])
            c = a[0]
            d = rt.update(a, v, np.s_[0])
            return (v, c, d, x)
    """)


def test_adding_to_zeros():
    becomes(lambda f: dce(simplify(f)), """
        def f(g: "i8[2]", x: "i8[5]"):
            z = np.zeros((5,), dtype=np.int64)
            a = rt.update_add(z, g, np.s_[1:3])
            b = x[1:3]
            c = rt.update(x, 0, np.s_[1:3])
            d = rt.update_add(c, b, np.s_[1:3])
            return (a, d)
    """, """
        def f(g, x):
            z = np.zeros((5,), dtype=np.int64)
            a = rt.update(z, g, np.s_[1:3])
            return (a, x)
    """)


def test_adding_to_zeros_where_the_sign_of_zero_is_seen():
    def stored(x):
        y = np.zeros(4)
        y[0] += x[0]
        for i in range(1, 4):
            y[i] += x[i]
        return 1.0 / y

    x = -np.zeros(4)
    with np.errstate(divide="ignore"):
        for f in (gs.test_util.primal(stored), gs.jit(stored)):
            np.testing.assert_array_equal(f(x), stored(x))
    assert "x_bar[0] = " in gs.grad(lambda x: x[0] * 2.0 + np.sum(x[1:]) ** 2).source(x)  # but not of a derivative


# branches ------------------------------------------------------------------------------------------
def test_neighbouring_branches_on_one_test_become_one():
    becomes(branches, """
        def f(x: "f8", c: bool, m: int):
            if c:
                k = m + 1
                tape = np.zeros((k,), dtype=np.float64)
                n, t = k, tape
            else:
                none = np.zeros((2,), dtype=np.float64)
                n, t = 2, none
            u = x * x
            if c:
                a = t[0]
                size = n * 2
                y, z = a, size
            else:
                y, z = u, 0
            return (y, z)
    """, """
        def f(x, c, m):
            u = x * x
            if c:
                k = m + 1
                tape = np.zeros((k,), dtype=np.float64)
                a = tape[0]
                size = k * 2
                n, t, y, z = k, tape, a, size
            else:
                none = np.zeros((2,), dtype=np.float64)
                n, t, y, z = 2, none, u, 0
            return (y, z)
    """)


@pytest.mark.parametrize("between",
                         ["u = s * 2.0", "u = v[i]", "u = 1.0 / x", "rt.require(c, kind='ValueError', message='no')"])
def test_branches_stay_apart_where_something_between_needs_the_first_or_may_raise(between):
    text = f"""
        def f(x: float, c: bool, v: "f8[n]", i: int):
            if c:
                t = x * 2.0
                s = t
            else:
                s = x
            {between}
            if c:
                r = x * s
                y = r
            else:
                y = x
            return (y,)
    """
    assert core_text(branches(core(text))).count("if c") == 2
    assert core_text(branches(core(text.replace(between, "u = x * 2.0")))).count("if c") == 1


def test_inner_branches_of_merged_branches_merge_too():
    side = """
                if d:
                    {a} = x * 2.0
                    {b} = {a}
                else:
                    {b} = x
    """
    text = f"""
        def f(x: "f8", c: bool, d: bool):
            if c:{side.format(a="p", b="q")}
                s = q
            else:
                s = x
            if c:{side.format(a="g", b="h")}
                r = h
            else:
                r = x
            return (s, r)
    """
    assert core_text(branches(core(text))).count("if d") == 1


# axes of length 1 ----------------------------------------------------------------------------------
@pytest.mark.parametrize("before, after", [
    ("t = x[None, :, :]; y = t[0, :, :]", "y = x"),
    ("t = x[:, None, :]; y = t[:, 0, :]", "y = x"),
    ("t = x[None, :, :]; y = t[:, None, :, :]", "y = x[None, None, :, :]"),
    ("t = x[:, None, :]; u = z[:, None, :]; s = t + u; y = s[:, 0, :]", "y = x + z"),
    ("g = np.sum(x, axis=(1,), keepdims=True); y = g[:, 0]", "y = np.sum(x, axis=(1,), keepdims=False)"),
    ("o = np.zeros((n, m), dtype=np.float64); t = x[None, :, :]; u = -t; y = rt.update(o, u, np.s_[None, :, :])",
     "y = -x"),
    ("o = np.zeros((n, 1), dtype=np.float64); g = np.sum(x, axis=(1,), keepdims=False); "
     "y = rt.update(o, g, np.s_[:, 0])", "g = np.sum(x, axis=(1,), keepdims=False); y = g[:, None]"),
])
def test_what_makes_an_axis_and_what_takes_it_away_go(before, after):
    def program(lines):
        lines, result = (["0"], "x") if lines == "y = x" else (lines.split("; "), "y")
        body = "".join([f"    {line}\n" for line in lines if line != "0"])
        return f"def f(x: 'f8[n, m]', z: 'f8[n, m]', n: int, m: int):\n{body}    return ({result},)"

    once = simplify(core(program(before)))
    assert core_text(dce(simplify(once))) == core_text(core(program(after)))


def test_an_axis_that_is_no_new_one_stays():
    text = """def f(x: 'f8[n, 1]', i: int, n: int):
    t = x[:, None, :]
    y = t[:, :, 0]
    u = t[i]
    return (y, u)"""
    assert core_text(simplify(core(text))) == core_text(core(text))
