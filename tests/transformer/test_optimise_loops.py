"""Passes by their effect on loops: late, recurring, reciprocals, carried, hoist, loops_once."""
from dataclasses import replace

import numpy as np
import pytest

from gradscribe.transformer.core import Block, For, Let, While, core_text, runnable
from gradscribe.transformer.core.verifier import verify
from gradscribe.transformer.errors.messages import Origin
from gradscribe.transformer.optimise import (carried, cse, dce, hoist_invariants, late, loops_once, reciprocals,
                                             recurring)
from tests.transformer.becoming import becomes
from tests.transformer.coretext import core


# late ----------------------------------------------------------------------------------------------
def test_empty_arrays_are_made_in_the_loop_that_fills_them():
    becomes(late, """
        def f(x: "f8[n]"):
            n = x.shape[0]
            z = np.zeros((n,), dtype=np.float64)
            y = np.zeros((n,), dtype=np.float64)
            y__1 = y
            for k in range(0, n, 1):
                z__1 = z
                for i in range(0, k, 1):
                    a = z__1[i]
                    z__2 = rt.update(z__1, a, np.s_[i])
                    z__1 = z__2
                b = z__1[0]
                y__2 = rt.update(y__1, b, np.s_[k])
                y__1 = y__2
            return (y__1,)
    """, """
        def f(x):
            n = x.shape[0]
            z = np.zeros((n,), dtype=np.float64)
            y = np.zeros((n,), dtype=np.float64)
            y__1 = y
            for k in range(0, n, 1):
                z__3 = np.zeros((n,), dtype=np.float64)
                z__1 = z__3
                for i in range(0, k, 1):
                    a = z__1[i]
                    z__2 = rt.update(z__1, a, np.s_[i])
                    z__1 = z__2
                b = z__1[0]
                y__2 = rt.update(y__1, b, np.s_[k])
                y__1 = y__2
            return (y__1,)
    """)


# recurring -----------------------------------------------------------------------------------------
NEWTON = """
    def f(a: "f8", x0: "f8"):
        t = x0 * x0
        u = t - a
        v = abs(u)
        w = v > 1e-9
        going, x = w, x0
        while going:
            t__1 = x * x
            u__1 = t__1 - a
            d = 2.0 * x
            s = u__1 / d
            x__1 = x - s
            t__2 = x__1 * x__1
            u__2 = t__2 - a
            v__1 = abs(u__2)
            w__1 = v__1 > 1e-9
            going, x = w__1, x__1
        return (x,)
"""


def test_what_the_next_iteration_would_compute_again_is_handed_on():
    fun = core(NEWTON)
    for pass_ in (recurring, cse, dce):
        fun = verify(pass_(fun), after=pass_.__name__)
    loop = next(s for s in fun.body.stmts if isinstance(s, While))
    assert core_text(fun).count("* x0") == 1, "the first test has computed it"
    assert sum(s.op.name == "multiply" for s in loop.body.stmts) == 2 and "u__1" in loop.carried
    for a, x in ((2.0, 1.0), (9.0, 3.0), (50.0, 1.0)):
        a, x = np.float64(a), np.float64(x)
        assert runnable(fun)(a, x) == runnable(core(NEWTON))(a, x)


@pytest.mark.parametrize("line", ["u__1 = t__1 / a", "u__1 = t__1 ** a"])
def test_what_may_raise_is_not_computed_before_a_loop(line):
    """Of Python's numbers: the loop may not run at all."""
    text = NEWTON.replace('"f8"', "float").replace("u__1 = t__1 - a", line)
    text = text.replace("u__2 = t__2 - a", line.replace("__1", "__2"))
    fun = core(text)
    assert core_text(recurring(fun)) == core_text(fun)


def test_what_depends_on_the_index_is_computed_in_each_iteration():
    text = """
        def f(x: "f8", n: int):
            y = x
            for i in range(0, n, 1):
                t = y * y
                u = t * i
                z = u * 0.5
                t__1 = z * z
                u__1 = t__1 * i
                w = z + u__1
                y = z
            return (y,)
    """
    fun = core(text)
    assert core_text(recurring(fun)) == core_text(fun)


def test_elements_of_what_was_computed_of_whole_arrays_are_read():
    fun = core("""
        def f(x: "f8[n]"):
            n = x.shape[0]
            e = np.exp(x)
            y = np.zeros((n,), dtype=np.float64)
            y__1 = y
            for k in range(0, n, 1):
                a = x[k]
                b = e[k]
                t = b > 2.0
                going, c = t, a
                while going:
                    d = np.exp(c)
                    g = c - d
                    h = np.exp(g)
                    t__1 = h > 2.0
                    going, c = t__1, g
                y__2 = rt.update(y__1, c, np.s_[k])
                y__1 = y__2
            return (y__1,)
    """)
    new = verify(recurring(fun), after="recurring")
    assert core_text(new).count("np.exp") == 2
    x = np.linspace(-1, 3, 9)
    np.testing.assert_array_equal(runnable(new)(x), runnable(fun)(x))


# reciprocals ---------------------------------------------------------------------------------------
def derivatives(fun):
    """The function, where names with _dot are tangents."""
    origin = Origin("f.py", 1, 0, 1, 1, "x")

    def marked(stmt):
        if isinstance(stmt, Let):
            return replace(stmt, origin=origin.tangential() if "_dot" in stmt.name else origin)
        return (replace(stmt, body=Block(tuple(map(marked, stmt.body.stmts)), stmt.body.results))
                if isinstance(stmt, For) else stmt)

    return replace(fun, body=Block(tuple(map(marked, fun.body.stmts)), fun.body.results))


def test_tangents_in_loops_share_a_reciprocal_and_values_are_divided():
    text = """
        def f(x: "f8", q: "f8", n: int):
            a_dot = x / q
            s, s_dot, u_dot = x, x, x
            for i in range(0, n, 1):
                s__1 = s / q
                s_dot__1 = s_dot / q
                u_dot__1 = u_dot / q
                v_dot = u_dot__1 / 2.0
                s, s_dot, u_dot = s__1, s_dot__1, v_dot
            return (s, s_dot, u_dot, a_dot)
    """
    fun = derivatives(core(text))
    new = verify(reciprocals(fun), after="reciprocals")
    assert [line.strip() for line in core_text(new).splitlines() if "/" in line] == [
        "a_dot = x / q", "s__1 = s / q", "r = np.float64(1.0) / q", "v_dot = u_dot__1 / 2.0"]
    args = np.float64(1.7), np.float64(1.1), 9
    np.testing.assert_allclose(runnable(new)(*args), runnable(fun)(*args), rtol=1e-14)


def test_a_reciprocal_of_a_python_int_is_of_the_type_of_the_quotient():
    text = """
        def f(x: "f8", n: int):
            s_dot = x
            for i in range(0, n, 1):
                s_dot__1 = s_dot / i
                s_dot = s_dot__1
            return (s_dot,)
    """
    new = verify(reciprocals(derivatives(core(text))), after="reciprocals")
    with np.errstate(all="ignore"):
        assert runnable(new)(np.float64(2.0), 3) == (np.inf,), "NumPy's number divides by 0, as before"


def test_slopes_of_a_root_share_a_reciprocal_which_counts_less_than_a_zero():
    text = """
        def f(x: "f8", n: int):
            s_dot, u_dot = x, x
            for i in range(0, n, 1):
                r = np.sqrt(x)
                s_dot__1 = rt.unit(s_dot, r)
                t_dot = rt.norm_slope(u_dot, r)
                u_dot__1 = rt.times(s_dot, t_dot)
                s_dot, u_dot = s_dot__1, u_dot__1
            return (s_dot, u_dot)
    """
    fun = derivatives(core(text))
    new = verify(reciprocals(fun), after="reciprocals")
    assert ("r1_ = rt.norm_slope(np.float64(1.0), r)" in core_text(new).replace("r__1", "r1_")
            and core_text(new).count("norm_slope") == 1)
    for x in (0.3, 0.0, 1e300, 5e-324):
        np.testing.assert_allclose(runnable(new)(np.float64(x), 5), runnable(fun)(np.float64(x), 5), rtol=1e-14)


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
    becomes(hoist_invariants, """
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


# loops_once ----------------------------------------------------------------------------------------
def test_a_loop_of_the_same_place_joins_the_one_before():
    becomes(loops_once, """
        def f(x: float, n: int):
            s = 0.0
            for i in range(0, n, 1):
                s__1 = s * x
                s__2 = s__1 + i
                s = s__2
            a = s * 2.0
            tape = np.zeros((4,), dtype=np.float64)
            t, tape__1 = 0.0, tape
            for k in range(0, n, 1):
                tape__2 = rt.update(tape__1, t, np.s_[3])
                t__1 = t * x
                t__2 = t__1 + k
                t, tape__1 = t__2, tape__2
            b = t * a
            return (b, tape__1)
    """, """
        def f(x, n):
            tape = np.zeros((4,), dtype=np.float64)
            s, tape__1 = 0.0, tape
            for i in range(0, n, 1):
                tape__2 = rt.update(tape__1, s, np.s_[3])
                s__1 = s * x
                s__2 = s__1 + i
                s, tape__1 = s__2, tape__2
            a = s * 2.0
            b = s * a
            return (b, tape__1)
    """)


def test_a_loop_that_begins_with_what_the_other_gives_stays():
    text = """
        def f(x: float, n: int):
            s = 0.0
            for i in range(0, n, 1):
                s__1 = s + x
                s = s__1
            t, u = 0.0, s
            for k in range(0, n, 1):
                t__1 = t + x
                u__1 = u * t
                t, u = t__1, u__1
            return (s, u)
    """
    assert core_text(loops_once(core(text))).count("for ") == 2


def test_a_loop_within_keeps_what_its_rounds_see():
    """Its last s is that of the loop before, which is not the s of each of its rounds."""
    text = """
        def f(x: float, n: int):
            y = 1.0
            for i in range(0, n, 1):
                s = y
                for j in range(0, n, 1):
                    s__1 = s * x
                    s = s__1
                y__1 = y + s
                y = y__1
            u, z = 1.0, 0.0
            for k in range(0, n, 1):
                t, w = u, z
                for m in range(0, n, 1):
                    w__1 = w + t
                    t__1 = t * x
                    t, w = t__1, w__1
                u__1 = u + t
                u, z = u__1, w
            return (y, z)
    """
    before = core(text)
    after = verify(loops_once(before), after="loops_once")
    assert core_text(after) != core_text(before)
    assert runnable(after)(0.5, 3) == runnable(before)(0.5, 3)


def test_names_that_are_always_equal_are_one():
    out = core_text(dce(loops_once(core("""
        def f(x: float, n: int):
            s, t, u = 0.0, 0.0, 0.0
            for i in range(0, n, 1):
                s__1 = s * x
                t__1 = t * x
                s__2 = s__1 + 1.0
                t__2 = t__1 + 1.0
                u__1 = u + t
                s, t, u = s__2, t__2, u__1
            return (s, t, u)
    """))))
    assert "t__2" not in out and "return (s, s, u)" in out


def test_a_name_that_begins_again_is_its_init():
    becomes(carried, """
        def f(x: float, n: int):
            s, z = x, 0.0
            for i in range(0, n, 1):
                s__1 = s + z
                s, z = s__1, 0.0
            return (s, z)
    """, """
        def f(x, n):
            s = x
            for i in range(0, n, 1):
                s__1 = s + 0.0
                s = s__1
            return (s, 0.0)
    """)
