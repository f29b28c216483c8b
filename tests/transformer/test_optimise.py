"""Each pass by its effect: two programs; and all of them on random programs."""
import textwrap
from dataclasses import replace

import numpy as np
import pytest

from gradscribe.transformer.core import check, runnable, show
from gradscribe.transformer.optimise import PASSES, carried, cse, dce, fold, hoist, simplify
from tests.transformer.coretext import core
from tests.transformer.random_core import Programs, arguments


def becomes(pass_, before, after):
    out = show(check(pass_(core(before)), after=pass_.__name__))
    assert out.strip() == textwrap.dedent(after).strip(), out


# dce -----------------------------------------------------------------------------------------------
def test_dead_statements_and_dead_carried_names_go():
    becomes(dce, """
        def f(x: float, n: int):
            y = x * 2.0
            s, u = 0.0, 1.0
            for i in range(0, n, 1):
                s__1 = s + x
                u__1 = u * s__1
                s, u = s__1, u__1
            return (s,)
    """, """
        def f(x, n):
            s = 0.0
            for i in range(0, n, 1):
                s__1 = s + x
                s = s__1
            return (s,)
    """)


def test_checks_that_cannot_fail_go():
    text = """
        def f(n: int, x: "f8[m]"):
            m = x.shape[0]
            s = 0.0
            for i in range(0, m, 1):
                size = m - i
                ok = size >= 0
                rt.require(ok, kind='ValueError', message='negative')
                left = n - i
                ok__1 = left >= 0
                rt.require(ok__1, kind='ValueError', message='negative')
                s__1 = s + x[i]
                s = s__1
            return (s,)
    """
    kept = show(dce(core(text)))
    assert "size" not in kept and kept.count("rt.require") == 1 and "ok__1 = left >= 0" in kept


def test_effects_and_what_they_read_stay():
    becomes(dce, """
        def f(x: "f8[n]", m: int):
            z = x * 2.0
            t = m > 3
            rt.require(t, kind='ValueError', message='no')
            return (x,)
    """, """
        def f(x, m):
            t = m > 3
            rt.require(t, kind='ValueError', message='no')
            return (x,)
    """)


def test_in_the_users_own_function_what_may_raise_stays():
    text = """
        def f(x: "f8[n]", i: int):
            n = x.shape[0]
            s = 0.0
            for k in range(0, n, 1):
                a = x[k]
                s__1 = s + 1.0
                s = s__1
            b = x[i]
            return (s,)
    """
    own = replace(core(text), whole=True)
    assert "x[i]" in show(dce(own)) and "x[k]" not in show(dce(own))
    assert "x[i]" not in show(dce(core(text)))


# cse -----------------------------------------------------------------------------------------------
def test_what_is_in_sight_is_not_computed_again():
    becomes(cse, """
        def f(x: "f8[n]", y: "f8[n]", n: int):
            t = x * y
            s = 0.0
            for i in range(0, n, 1):
                u = y * x
                w = u[i]
                s__1 = s + w
                s = s__1
            return (s, t)
    """, """
        def f(x, y, n):
            t = x * y
            s = 0.0
            for i in range(0, n, 1):
                w = t[i]
                s__1 = s + w
                s = s__1
            return (s, t)
    """)


def test_nothing_is_shared_across_a_carried_name():
    text = """
        def f(s: float, n: int):
            y = s * 2.0
            s__1 = s
            for i in range(0, n, 1):
                s__2 = s__1 + 1.0
                s__1 = s__2
            z = s__1 * 2.0
            return (y, z)
    """
    assert show(cse(core(text))) == show(core(text))


def test_allocations_and_branches_keep_their_own():
    text = """
        def f(x: float, c: bool):
            a = np.zeros((3,), dtype=np.float64)
            b = np.zeros((3,), dtype=np.float64)
            if c:
                t = x * x
                y = t
            else:
                u = x * x
                y = u
            z = x * x
            return (a, b, y, z)
    """
    assert show(cse(core(text))) == show(core(text))


# fold ----------------------------------------------------------------------------------------------
def test_constants_are_computed_as_python_does():
    becomes(fold, """
        def f(x: float):
            a = 2 * 3
            b = 7 // -2
            c = x ** a
            d = c + b
            t = 2 > 1
            if t:
                e = d
            else:
                g = x + 1.0
                e = g
            return (e,)
    """, """
        def f(x):
            c = x ** 6
            d = c + -4
            return (d,)
    """)


@pytest.mark.parametrize("expression", ["1 / 0", "5 // 0", "3 ** 50"])
def test_what_raises_or_overflows_is_left_for_run_time(expression):
    text = f"""
        def f(x: float):
            a = {expression}
            return (a,)
    """
    assert show(fold(core(text))) == show(core(text))


def test_a_loop_that_never_runs():
    becomes(fold, """
        def f(x: float):
            s = x
            for i in range(3, 3, 1):
                s__1 = s * 2.0
                s = s__1
            y = s * 2.0
            return (y,)
    """, """
        def f(x):
            y = x * 2.0
            return (y,)
    """)


def test_a_length_that_a_branch_decided_is_what_the_side_taken_has():
    folded = fold(core("""
        def f(x: "f8[n]"):
            n = x.shape[0]
            if True:
                a = x[1:]
                size = n - 1
                length, z = size, a
            else:
                b = np.zeros((n,), dtype=np.float64)
                length, z = n, b
            y = np.zeros((length,), dtype=np.float64)
            return (y,)
    """))
    assert str(folded.types["y"]) == str(folded.types["a"]) == "float64[n - 1]"


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

    assert show(dce(simplify(core(program(before))))) == show(core(program(after)))


def test_what_is_not_exact_stays():
    for line in ("y = x + 0", "y = x * 1.5", "y = k * 1.0", "y = x ** 2"):
        text = f"def f(x: 'f8[n]', k: int):\n    {line}\n    return (y,)"
        assert show(simplify(core(text))) == show(core(text))


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
        def f(g: "f8[2]", x: "f8[5]"):
            z = np.zeros((5,), dtype=np.float64)
            a = rt.update_add(z, g, np.s_[1:3])
            b = x[1:3]
            c = rt.update(x, 0.0, np.s_[1:3])
            d = rt.update_add(c, b, np.s_[1:3])
            return (a, d)
    """, """
        def f(g, x):
            z = np.zeros((5,), dtype=np.float64)
            a = rt.update(z, g, np.s_[1:3])
            return (a, x)
    """)


# carried, hoist ------------------------------------------------------------------------------------
def test_loops_carry_only_what_changes():
    becomes(carried, """
        def f(x: float, n: int):
            a, s, u = x, 0.0, 0.0
            for i in range(0, n, 1):
                s__1 = s + a
                a, s, u = a, s__1, s__1
            return (a, s, u)
    """, """
        def f(x, n):
            s = 0.0
            for i in range(0, n, 1):
                s__1 = s + x
                s = s__1
            return (x, s, s)
    """)


def test_branches_hand_on_only_what_differs():
    becomes(carried, """
        def f(x: float, c: bool):
            if c:
                t = x * 2.0
                y, z = x, t
            else:
                y, z = x, x
            return (y, z)
    """, """
        def f(x, c):
            if c:
                t = x * 2.0
                z = t
            else:
                z = x
            return (x, z)
    """)


def test_array_work_leaves_loops_and_numbers_stay():
    becomes(hoist, """
        def f(x: "f8[n]", a: float, n: int):
            s = 0.0
            for i in range(0, n, 1):
                t = np.exp(x)
                u = a * 2.0
                v = t[i]
                w = np.zeros((3,), dtype=np.float64)
                s__1 = s + v
                s = s__1
            return (s,)
    """, """
        def f(x, a, n):
            t = np.exp(x)
            s = 0.0
            for i in range(0, n, 1):
                u = a * 2.0
                v = t[i]
                w = np.zeros((3,), dtype=np.float64)
                s__1 = s + v
                s = s__1
            return (s,)
    """)


# all -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("start", range(0, 600, 100))
def test_random_programs(start):
    for seed in range(start, start + 100):
        fun = Programs(seed, statements=4 + seed % 12, depth=1 + seed % 3).function()
        args = arguments(fun, seed)
        expected = runnable(fun)(*args)
        for pass_ in PASSES:
            fun = check(pass_(fun), after=pass_.__name__)
        for g, e in zip(runnable(fun)(*args), expected):
            np.testing.assert_allclose(g, e, rtol=1e-10, atol=1e-12)
