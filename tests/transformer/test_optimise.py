"""Each pass by its effect: two programs; and all of them on random programs."""
from dataclasses import replace

import numpy as np
import pytest

from gradscribe.transformer.core import core_text, runnable
from gradscribe.transformer.core.verifier import verify
from gradscribe.transformer.optimise import FOR_CPU, PASSES, cse, dce, fold_constants
from tests.transformer.becoming import becomes
from tests.transformer.coretext import core
from tests.transformer.random_core import Programs, arguments


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


UNREAD = """
    def f(x: float, y: float):
        t = x > 1.0
        going, z = t, x
        while going:
            z__1 = z * 0.5
            t__1 = z__1 > 1.0{}
            going, z = t__1, z__1
        s = np.sin(y)
        return (s,)
"""


def test_a_loop_that_nothing_reads_stays_where_it_may_be_meant_not_to_end():
    derivative = core(UNREAD.format(""))
    assert "while" not in core_text(dce(derivative))
    assert "while" in core_text(dce(replace(derivative, whole=True)))


def test_a_loop_stays_with_what_is_raised_in_it():
    checked = UNREAD.format("""
            ok = z__1 < 9.0
            rt.require(ok, kind='ValueError', message='no')""")
    assert "while going:" in core_text(dce(core(checked)))


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
    kept = core_text(dce(core(text)))
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
    assert "x[i]" in core_text(dce(own)) and "x[k]" not in core_text(dce(own))
    assert "x[i]" not in core_text(dce(core(text)))


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
    assert core_text(cse(core(text))) == core_text(core(text))


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
    assert core_text(cse(core(text))) == core_text(core(text))


# fold ----------------------------------------------------------------------------------------------
def test_constants_are_computed_as_python_does():
    becomes(fold_constants, """
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
    assert core_text(fold_constants(core(text))) == core_text(core(text))


def test_a_result_that_says_which_side_was_taken_is_the_test():
    becomes(fold_constants, """
        def f(x: float, y: "f8"):
            t = x < 1.0
            if t:
                a = x * 2.0
                u, v, w = True, a, False
            else:
                u, v, w = False, x, True
            p = y < 1.0
            if p:
                q, r = True, True
            else:
                q, r = False, 1
            return (u, v, w, q)
    """, """
        def f(x, y):
            t = x < 1.0
            u = bool(t)
            w = not t
            if t:
                a = x * 2.0
                v = a
            else:
                v = x
            p = y < 1.0
            q = bool(p)
            if p:
                r = True
            else:
                r = 1
            return (u, v, w, q)
    """)


def test_a_loop_that_never_runs():
    becomes(fold_constants, """
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
    folded = fold_constants(core("""
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


# all -----------------------------------------------------------------------------------------------
@pytest.mark.heavy(one_in=6)
@pytest.mark.parametrize("start", range(0, 600, 100))
def test_random_programs(start):
    for seed in range(start, start + 100):
        fun = Programs(seed, statements=4 + seed % 12, depth=1 + seed % 3).function()
        args = arguments(fun, seed)
        expected = runnable(fun)(*args)
        for pass_ in PASSES + FOR_CPU:
            fun = verify(pass_(fun), after=pass_.__name__)
        for g, e in zip(runnable(fun)(*args), expected):
            np.testing.assert_allclose(g, e, rtol=1e-10, atol=1e-12)
