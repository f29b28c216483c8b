"""The text of lowered functions: what it checks, what it fuses, where it stores."""
import re

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.runtime.loading.trampoline import plain_module
from gradscribe.transformer.analyse.ranges import Ranges
from gradscribe.transformer.analyse.spaces import Equalities
from gradscribe.transformer.core import Let, runnable, walk
from gradscribe.transformer.core.types import Dim
from gradscribe.transformer.lower import lower
from tests.transformer.coretext import core
from tests.transformer.lowered import agrees, loops, text
from tests.transformer.random_core import Programs, arguments

# indices ----------------------------------------------------------------------------------------------
STENCIL = """
    def f(x: "f8[n]"):
        n = x.shape[0]
        last = n - 1
        y = np.zeros((n,), dtype=np.float64)
        y__1 = y
        for i in range(1, last, 1):
            a = i - 1
            b = i + 1
            y__2 = rt.update(y__1, x[a] + x[b], np.s_[i])
            y__1 = y__2
        return (y__1,)
"""


def test_indices_in_range_are_not_checked():
    assert "rs.index" not in text(STENCIL) and "rs.iadd" not in text(STENCIL)
    agrees(STENCIL, np.arange(7.0))


def test_triangular_loops_are_not_checked():
    source = """
        def f(x: "f8[n, n]"):
            n = x.shape[0]
            s = 0.0
            for i in range(0, n, 1):
                s__1 = s
                for j in range(0, i, 1):
                    s__2 = s__1 + x[i, j] * x[j, i]
                    s__1 = s__2
                s = s__1
            return (s,)
    """
    assert "rs.index" not in text(source)
    agrees(source, np.arange(16.0).reshape(4, 4))


def test_backward_loops_are_not_checked():
    source = """
        def f(x: "f8[n]"):
            n = x.shape[0]
            last = n - 1
            s = 0.0
            for i in range(last, -1, -1):
                s__1 = s * 0.5 + x[i]
                s = s__1
            return (s,)
    """
    assert "rs.index" not in text(source)
    agrees(source, np.arange(5.0))


UNRELATED = """
    def f(x: "f8[m]", n: int):
        s = 0.0
        for i in range(0, n, 1):
            s__1 = s + x[i]
            s = s__1
        return (s,)
"""


def test_a_condition_on_arguments_replaces_checks():
    """Where it does not hold, the same code with checks runs, and raises where NumPy does."""
    lowered = lower(core(UNRELATED))
    assert "rs.index" not in lowered.text and "rs.index" in lowered.safe().text
    run = plain_module(lowered)
    x = np.arange(4.0)
    assert run(x, 4) == (6.0,) and run(x, 0) == (0.0,) and run(x, -3) == (0.0,)
    with pytest.raises(IndexError, match="index 4 is out of bounds for axis 0 with size 4"):
        run(x, 5)


def test_what_may_be_negative_is_checked():
    source = """
        def f(x: "f8[n]"):
            n = x.shape[0]
            s = 0.0
            for i in range(0, n, 1):
                k = i - 1
                s__1 = s * 2.0 + x[k]
                s = s__1
            return (s,)
    """
    assert "rs.index" in text(source)
    agrees(source, np.arange(1.0, 5.0))


def test_a_test_before_an_access_is_a_proof():
    source = """
        def f(x: "f8[n]"):
            n = x.shape[0]
            s = 0.0
            for i in range(0, n, 1):
                test = i > 0
                if test:
                    k = i - 1
                    s__1 = s + x[k]
                    s__3 = s__1
                else:
                    s__3 = s
                s = s__3
            return (s,)
    """
    assert "rs.index" not in text(source)
    agrees(source, np.arange(1.0, 5.0))


# integers ---------------------------------------------------------------------------------------------
def fitting(source):
    fun = core(source)
    ranges = Ranges(fun)
    return {s.name: ranges.fits(s)
            for s in walk(fun.body) if isinstance(s, Let) and s.names and fun.types[s.name].kind == "py"}


def test_which_arithmetic_fits():
    facts = fitting("""
        def f(x: "f8[n, m]", k: int):
            n = x.shape[0]
            m = x.shape[1]
            size = n * m
            volume = size * n
            larger = k + 1
            half = k // 2
            count = 0
            for i in range(0, k, 1):
                next = i + 1
                flat = i * m
                row = n - i
                count__1 = count + 2
                count = count__1
            return (size, volume, larger, half, count)
    """)
    assert facts == {"n": False, "m": False, "size": True, "volume": False, "larger": False, "half": True, "next": True,
                     "flat": False, "row": True, "count__1": True}


# text ---------------------------------------------------------------------------------------------------
def test_the_text_is_deterministic():
    assert text(STENCIL) == text(STENCIL)


def test_names_of_python_are_left_alone():
    source = """
        def f(range: "f8[n]", np: float):
            s = range * np
            return (s,)
    """.replace("np: float", "len: float").replace("* np", "* len")
    agrees(source, np.arange(3.0), 2.0)


@pytest.mark.heavy(one_in=9)
@pytest.mark.parametrize("seed", range(300))
def test_random_programs(seed):
    fun = Programs(seed).function()
    args = arguments(fun, seed)
    lowered = lower(fun, frozenset(fun.writes))
    want, error = result(runnable(fun), args)
    got, other = result(plain_module(lowered), args)
    assert type(other) is type(error)
    for a, b in zip(got or (), want or (), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-9)


def result(run, args):
    try:
        return run(*[np.copy(a) for a in args]), None
    except Exception as error:
        return None, error


# sums in loops -------------------------------------------------------------------------------------------
def sum_of(*steps, carried=("s",)):
    """A loop with these steps, from s__1 to s__2."""
    heads, tails = (", ".join(f"{c}__{k}" for c in carried) for k in (1, 2))
    lines = [*(f"{c} = x[0]" for c in carried), f"{heads} = {', '.join(carried)}", "for k in range(0, n, 1):",
             *(f"    {line}" for line in (*steps, f"{heads} = {tails}")), f"return ({heads},)"]
    return "\n".join(['def f(x: "f8[n]", y: "f8[n]"):', "    n = x.shape[0]", *(f"    {line}" for line in lines)])


def test_terms_of_a_sum_that_nothing_looks_at_may_be_added_in_any_order():
    source = sum_of("p = x[k]", "q = y[k]", "t = p * q", "u = s__1 - t", "s__2 = p + u")
    assert "= rs.rsub(s__1_, t)" in text(source) and "= rs.radd(p, u)" in text(source)
    agrees(source, np.linspace(0.5, 2, 9), np.linspace(-1, 1, 9))


@pytest.mark.parametrize("steps, carried", [
    (["p = x[k]", "u = s__1 + p", "s__2 = u * 0.5"], ("s",)),   # not only a sum
    (["p = x[k]", "u = p - s__1", "s__2 = u * 1.0"], ("s",)),
    (["p = x[k]", "q = s__1 * p", "s__2 = s__1 + q"], ("s",)),  # the terms see it
    (["p = x[k]", "s__2 = p - s__1"], ("s",)),                  # its sign alternates
    (["p = x[k]", "q = p - c__1", "s__2 = s__1 + q", "v = s__2 - s__1", "c__2 = v - q"], ("s", "c")),  # Kahan's sum
])
def test_other_recurrences_keep_their_order(steps, carried):
    source = sum_of(*steps, carried=carried)
    assert "rs.radd" not in text(source) and "rs.rsub" not in text(source)
    agrees(source, np.linspace(0.5, 2, 9), np.linspace(-1, 1, 9))


# results that the caller allocates --------------------------------------------------------------------------
def outputs(source):
    return [o.lengths for o in lower(core(source)).outputs]


def test_results_with_lengths_of_arguments_are_allocated_by_the_caller():
    source = """
        def f(x: "f8[n, m]", v: "f8[m]"):
            n = x.shape[0]
            y = x * v
            s = np.sum(x, axis=(0, 1), keepdims=True)
            t = np.sum(x, axis=(0, 1), keepdims=False)
            return (y, t, s, y)
    """
    assert outputs(source) == [((0, 0), (0, 1)), (1, 1)]
    agrees(source, np.arange(6.0).reshape(2, 3), np.arange(3.0))


def test_results_that_are_views_or_have_other_lengths_are_not():
    assert outputs("""
        def f(x: "f8[n, n]"):
            n = x.shape[0]
            m = n + 1
            y = x * 2.0
            t = np.transpose(y, axes=(1, 0))
            z = np.zeros((m,), dtype=np.float64)
            return (t, z)
    """) == []


# what is stored over what is read ------------------------------------------------------------------------
OVERTAKEN = """
    def f(x: "f8[n]", v: "f8[n]"):
        n = x.shape[0]
        y = x * 2.0
        w = y[1:-1]
        y__1 = rt.update(y, np.float64(0.0), np.s_[1:-1])
        u = v[1:-1]
        z = u * w
        return (z, y__1)
"""


def test_what_reads_a_part_comes_before_the_store_over_it():
    """No copy is made, and the loops that read it do the store."""
    lowered = text(OVERTAKEN)
    assert "rm.copy" not in lowered and loops(OVERTAKEN) == 2
    assert re.search(r"z\[i\S*\] = .* \* y\[(.*)\]\n\s+y\[\1\] = 0.0", lowered)
    agrees(OVERTAKEN, np.arange(5.0), np.arange(5.0, 10.0))


def test_what_needs_the_stored_value_too_keeps_a_copy_of_the_old_one():
    source = OVERTAKEN.replace("u = v[1:-1]", "u = y__1[:-2]")
    assert "rm.copy" in text(source)
    agrees(source, np.arange(5.0), np.arange(5.0, 10.0))


def test_a_store_over_what_other_places_read_stays_on_its_own():
    source = OVERTAKEN.replace("u = v[1:-1]", "u = y[:-2]")
    assert loops(source) == 3
    agrees(source, np.arange(5.0), np.arange(5.0, 10.0))


def test_sums_of_a_part_are_taken_before_it_is_stored_over():
    source = OVERTAKEN.replace("z = u * w", "z = np.sum(w, axis=(0,), keepdims=False)")
    agrees(source, np.arange(5.0), np.arange(5.0, 10.0))


def test_a_number_read_between_two_stores_sees_the_first():
    source = """
        def f(a: "f8[n, m]"):
            n = a.shape[0]
            m = a.shape[1]
            k = n + 1
            y = np.zeros((k, m), dtype=np.float64)
            x = a * 2.0
            y__1 = rt.update_add(y, x, np.s_[:-1, :])
            s = y__1[0, 0]
            y__2 = rt.update_add(y__1, x, np.s_[1:, :])
            q = y__2[0, 0]
            r = s + q
            return (y__2, r)
    """
    agrees(source, np.arange(6.0).reshape(2, 3) + 1)


def test_lengths_that_a_check_made_equal_share_loops():
    def f(x, y):
        return x[1:-1] * 2.0 * y[1:-1]

    source = gs.jit(f).source(np.arange(5.0), np.arange(5.0), stage="compiled")
    assert len(re.findall(r"^\s*for ", source, re.M)) == 1


@pytest.mark.parametrize("x, y", [(Dim.of("n") - 2, Dim.of("m") - 2), (Dim.of("n") * Dim.of("k") + 1, Dim.of("m")),
                                  (Dim.of(2) - Dim.of("n"), Dim.of("k"))])
def test_an_equation_is_solved_for_a_name_that_stands_alone(x, y):
    equal = Equalities()
    equal.learn(x, y)
    assert equal.known and equal.canonical(x) == equal.canonical(y)


@pytest.mark.parametrize("x, y", [(Dim.of("n") * 2, Dim.of("m") * 2), (Dim.of("n") * Dim.of("n"), Dim.of("n")),
                                  (Dim.of("n") + 1, Dim.of("n"))])
def test_an_equation_that_cannot_be_solved_says_nothing(x, y):
    equal = Equalities()
    equal.learn(x, y)
    assert not equal.known
