"""Stores come back where they may, and only there."""
import textwrap
import tracemalloc
from dataclasses import replace

import numpy as np
import pytest

from gradscribe.transformer.core import Block, Let, Op, Store, core_text, runnable, walk
from gradscribe.transformer.optimise.inplace import inplace
from tests.transformer.coretext import core
from tests.transformer.random_core import Programs, arguments


def becomes(before, after, owned=()):
    out = core_text(inplace(core(before), frozenset(owned)))
    assert out.strip() == textwrap.dedent(after).strip(), out


def copies(fun):
    return sum(isinstance(s, Let) and s.op.name == "np.copy" for s in walk(fun.body))


def test_a_loop_of_stores():
    becomes("""
        def f(x: "f8[n]"):
            n = x.shape[0]
            y = np.zeros((n,), dtype=np.float64)
            y__1 = y
            for i in range(0, n, 1):
                y__2 = rt.update(y__1, x[i], np.s_[i])
                y__1 = y__2
            return (y__1,)
    """, """
        def f(x):
            n = x.shape[0]
            y = np.zeros((n,), dtype=np.float64)
            for i in range(0, n, 1):
                t = x[i]
                y[i] = t
            return (y,)
    """)


def test_an_argument_is_copied_once_before_the_loop():
    becomes("""
        def f(x: "f8[n]"):
            n = x.shape[0]
            x__1 = x
            for i in range(0, n, 1):
                x__2 = rt.update(x__1, x__1[i] * 2.0, np.s_[i])
                x__1 = x__2
            return (x__1,)
    """, """
        def f(x):
            n = x.shape[0]
            x__1 = np.copy(x)
            for i in range(0, n, 1):
                t = x__1[i]
                t__1 = t * 2.0
                x__1[i] = t__1
            return (x__1,)
    """)


def test_an_owned_argument_is_not_copied():
    becomes("""
        def f(x: "f8[n]"):
            n = x.shape[0]
            x__1 = x
            for i in range(0, n, 1):
                x__2 = rt.update(x__1, 2.0, np.s_[i])
                x__1 = x__2
            return (x__1,)
    """, """
        def f(x):
            n = x.shape[0]
            for i in range(0, n, 1):
                x[i] = 2.0
            return (x,)
    """, owned={"x"})


def test_the_old_value_is_still_read():
    becomes("""
        def f(x: "f8[n]"):
            y = x * 2.0
            y__1 = rt.update(y, 0.0, np.s_[0])
            z = y + y__1
            return (z,)
    """, """
        def f(x):
            y = x * 2.0
            y__1 = np.copy(y)
            y__1[0] = 0.0
            z = y + y__1
            return (z,)
    """)


def test_a_view_that_outlives_a_store_is_copied_when_it_is_read():
    becomes("""
        def f(x: "f8[n, 5]"):
            y = x * 2.0
            a = y[0]
            y__1 = rt.update(y, 0.0, np.s_[0])
            return (a, y__1)
    """, """
        def f(x):
            y = x * 2.0
            a__1 = y[0]
            a = np.copy(a__1)
            y[0] = 0.0
            return (a, y)
    """)


def test_overlapping_slices_go_through_a_copy():
    becomes("""
        def f(x: "f8[n]"):
            y = x * 2.0
            y__1 = rt.update(y, y[:-1], np.s_[1:])
            return (y__1,)
    """, """
        def f(x):
            y = x * 2.0
            t = y[:-1]
            t__1 = np.copy(t)
            y[1:] = t__1
            return (y,)
    """)


def test_swapped_buffers_need_no_copies():
    becomes("""
        def f(n: int):
            u = np.zeros((n,), dtype=np.float64)
            v = np.ones((n,), dtype=np.float64)
            u__1, v__1 = u, v
            for i in range(0, n, 1):
                v__2 = rt.update(v__1, u__1[i] + 1.0, np.s_[i])
                u__1, v__1 = v__2, u__1
            return (u__1,)
    """, """
        def f(n):
            u = np.zeros((n,), dtype=np.float64)
            v = np.ones((n,), dtype=np.float64)
            u__1, v__1 = u, v
            for i in range(0, n, 1):
                t = u__1[i]
                t__1 = t + 1.0
                v__1[i] = t__1
                u__1, v__1 = v__1, u__1
            return (u__1,)
    """)


def test_rows_are_written_through_a_view():
    becomes("""
        def f(x: "f8[n, m]"):
            n = x.shape[0]
            m = x.shape[1]
            y = x * 2.0
            y__1 = y
            for i in range(0, n, 1):
                row = y__1[i]
                row__1 = row
                for j in range(0, m, 1):
                    row__2 = rt.update(row__1, 3.0, np.s_[j])
                    row__1 = row__2
                y__2 = rt.update(y__1, row__1, np.s_[i])
                y__1 = y__2
            return (y__1,)
    """, """
        def f(x):
            n = x.shape[0]
            m = x.shape[1]
            y = x * 2.0
            for i in range(0, n, 1):
                row = y[i]
                for j in range(0, m, 1):
                    row[j] = 3.0
            return (y,)
    """)


def test_stores_through_a_transpose():
    becomes("""
        def f(x: "f8[n, m]"):
            m = x.shape[1]
            y = x * 2.0
            y__1 = y
            for i in range(0, m, 1):
                t = np.transpose(y__1, axes=(1, 0))
                t__1 = rt.update(t, 0.0, np.s_[i])
                y__2 = np.transpose(t__1, axes=(1, 0))
                y__1 = y__2
            return (y__1,)
    """, """
        def f(x):
            m = x.shape[1]
            y = x * 2.0
            for i in range(0, m, 1):
                t = np.transpose(y, axes=(1, 0))
                t[i] = 0.0
            return (y,)
    """)


def test_a_tape_grows_in_place():
    becomes("""
        def f(x: "f8[n]"):
            n = x.shape[0]
            tape = rt.tape(np.float64)
            tape__1 = tape
            for i in range(0, n, 1):
                tape__2 = rt.push(tape__1, i, x[i])
                tape__1 = tape__2
            y = rt.pop(tape__1, 0, ())
            return (y,)
    """, """
        def f(x):
            n = x.shape[0]
            tape = rt.tape(np.float64)
            for i in range(0, n, 1):
                t = x[i]
                tape = rt.push_(tape, i, t)
            y = rt.pop(tape, 0, ())
            return (y,)
    """)


def test_branches_that_store_hand_on_the_same_array():
    becomes("""
        def f(x: "f8[n]", c: bool):
            y = x * 2.0
            if c:
                y__1 = rt.update(y, 1.0, np.s_[0])
                y__2 = y__1
            else:
                y__2 = y
            return (y__2,)
    """, """
        def f(x, c):
            y = x * 2.0
            if c:
                y[0] = 1.0
            else:
                pass
            return (y,)
    """)


def test_results_share_no_memory():
    becomes("""
        def f(x: "f8[n]"):
            t = x[1:]
            y = x + x
            return (x, t, y, y)
    """, """
        def f(x):
            t = x[1:]
            y = x + x
            x__1 = np.copy(x)
            t__1 = np.copy(t)
            y__1 = np.copy(y)
            return (x__1, t__1, y, y__1)
    """)


def test_a_broadcast_is_copied_before_a_store():
    becomes("""
        def f(x: "f8[3]"):
            y = np.broadcast_to(x, (2, 3))
            y__1 = rt.update(y, 0.0, np.s_[0])
            return (y__1,)
    """, """
        def f(x):
            y = np.broadcast_to(x, (2, 3))
            y__1 = np.copy(y)
            y__1[0] = 0.0
            return (y__1,)
    """)


def test_a_written_parameter_ends_as_its_result():
    f = core("""
        def f(x: "f8[n]", y: "f8[n]"):
            x__1 = y + y
            return (x__1, x__1)
    """)
    f.writes = {"x": 1}
    x, y = np.zeros(3), np.ones(3)
    other, written = runnable(inplace(f, frozenset("x")))(x, y)
    assert written is x and x.tolist() == [2, 2, 2] and not np.shares_memory(other, x)


def test_index_arrays_add_each_time_a_place_is_named():
    f = inplace(core("""
        def f(g: "f8[3]", k: "i8[3]"):
            z = np.zeros((3,), dtype=np.float64)
            z__1 = rt.update_add(z, g, np.s_[k])
            return (z__1,)
    """))
    assert "np.add.at(z, np.s_[k], g)" in core_text(f)
    assert runnable(f)(np.ones(3), np.array([0, 0, 2]))[0].tolist() == [2, 0, 1]


def test_an_operation_of_a_new_kind_is_taken_to_share_memory():
    f = core("""
        def f(x: "f8[n]"):
            y = np.tanh(x)
            z = np.copy(y)
            z__1 = rt.update(z, 0.0, np.s_[0])
            return (y, z__1)
    """)
    odd = Op("np.ravel", np.ravel)
    stmts = [replace(s, op=odd) if isinstance(s, Let) and s.op.name == "np.copy" else s for s in f.body.stmts]
    y, z = runnable(inplace(replace(f, body=Block(tuple(stmts), f.body.results))))(np.ones(3))
    assert y[0] != 0 and z[0] == 0


NESTED = """
    def f(x: "f8[n]", m: int):
        n = x.shape[0]
        y = np.zeros((n,), dtype=np.float64)
        a, b = y, x
        for t in range(0, m, 1):
            a__1, b__1 = a, b
            for i in range(0, n, 1):
                b__2 = rt.update(b__1, a__1[i] + 1.0, np.s_[i])
                a__2 = rt.update_add(a__1, b__2[i], np.s_[i])
                a__1, b__1 = a__2, b__2
            a, b = b__1, a__1
        return (a, b)
"""


@pytest.mark.parametrize("m", [1, 4])
def test_loops_of_stores_allocate_a_constant_number_of_arrays(m):
    f, n = runnable(inplace(core(NESTED))), 20_000
    x = np.ones(n)
    tracemalloc.start()
    f(x, m)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4 * x.nbytes
    assert copies(inplace(core(NESTED))) == 1  # of the argument, once


def check_random(seed):
    fun = Programs(seed, statements=4 + seed % 12, depth=1 + seed % 3).function()
    args = arguments(fun, seed)
    expected = [np.copy(r) for r in runnable(fun)(*[a.copy() for a in args])]
    for owned in (frozenset(), frozenset(fun.writes), frozenset(fun.params)):
        given = [a.copy() for a in args]
        got = runnable(inplace(fun, owned))(*given)
        for g, e in zip(got, expected):
            np.testing.assert_allclose(g, e, rtol=1e-12)
        for p, g, a in zip(fun.params, given, args):
            if p not in owned:
                np.testing.assert_array_equal(g, a)
            elif p in fun.writes:
                assert got[fun.writes[p]] is g
        apart = [g for p, g in zip(fun.params, given) if p not in owned]
        for r in got:
            if isinstance(r, np.ndarray):
                assert r.flags.writeable
                assert not any(np.shares_memory(r, other) for other in apart)
                apart.append(r)


@pytest.mark.heavy(one_in=15)
@pytest.mark.parametrize("start", range(0, 1500, 100))
def test_random_programs(start):
    for seed in range(start, start + 100):
        check_random(seed)


def test_random_programs_store():
    """The random programs exercise stores, not only copies."""
    stores = sum(isinstance(s, Store) for seed in range(50)
                 for s in walk(inplace(Programs(seed).function(), frozenset("abc")).body))
    assert stores > 100


def test_a_parameter_that_gets_a_new_value_is_stored_into_once():
    """What was computed in memory of its own is copied nowhere but into the parameter."""
    f = core("""
        def f(w: "f8[n]", g: "f8[n]"):
            t = w - g
            return (t, t)
        """)
    f = replace(f, writes={"w": 1})
    out = inplace(f, frozenset("w"))
    assert core_text(out).splitlines()[2:] == ["    w[:] = t", "    return (t, w)"]
    w, g = np.array([3.0, 4.0]), np.ones(2)
    t, same = runnable(out)(w, g)
    assert same is w and t is not w and w.tolist() == t.tolist() == [2.0, 3.0]
