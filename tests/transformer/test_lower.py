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
from gradscribe.transformer.optimise.fuse import Kernel, fuse
from tests.transformer.coretext import core
from tests.transformer.random_core import Programs, arguments


def text(source, owned=()):
    return lower(core(source), frozenset(owned)).text


def loops(source):
    return len(re.findall(r"^\s*for ", text(source), re.M))


def agrees(source, *args):
    """The lowered text gives what core gives."""
    fun = core(source)
    copies = [np.copy(a) if isinstance(a, np.ndarray) else a for a in args]
    for got, want in zip(plain_module(lower(fun))(*args), runnable(fun)(*copies), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-12)


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
    return {s.name: ranges.fits(s) for s in walk(fun.body) if isinstance(s, Let) and s.names and fun.types[s.name].kind == "py"}


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
    assert facts == {"n": False, "m": False, "size": True, "volume": False, "larger": False, "half": True, "next": True, "flat": False,
                     "row": True, "count__1": True}


# fusing -----------------------------------------------------------------------------------------------
def kernels(source):
    return [s.op for s in walk(fuse(core(source)).body) if isinstance(s, Let) and isinstance(s.op, Kernel)]


def test_elementwise_and_its_sum_are_one_loop():
    source = """
        def f(x: "f8[n]", w: "f8[n]", b: float):
            t = x * w
            y = np.tanh(t + b)
            z = y * y
            s = np.sum(z, axis=(0,), keepdims=False)
            return (s,)
    """
    assert len(kernels(source)) == 1 and "rm.empty" not in text(source)
    assert loops(source) == 2  # blocks, and elements of a block
    agrees(source, np.linspace(0, 1, 7), np.linspace(1, 2, 7), 0.5)


def test_softmax_is_one_loop_over_rows():
    source = """
        def f(x: "f8[n, m]"):
            m__1 = np.max(x, axis=(1,), keepdims=True)
            e = np.exp(x - m__1)
            s = np.sum(e, axis=(1,), keepdims=True)
            p = e / s
            return (p,)
    """
    (kernel,) = kernels(source)
    assert kernel.depth == 1 and len(kernel.phases) == 3
    agrees(source, np.random.default_rng(0).normal(size=(4, 5)))


def test_sums_of_rows_of_which_one_axis_is_empty_are_zero():
    """The sum of a row is there even if the outer of the loops that add it up has no iterations."""
    source = """
        def f(x: "f8[n, m, k]", w: "f8[n]"):
            s = np.sum(x, axis=(1, 2), keepdims=False)
            t = s * w
            return (t,)
    """
    assert len(kernels(source)) == 1
    for shape in ((3, 0, 2), (3, 2, 0), (3, 2, 2)):
        agrees(source, np.ones(shape), np.ones(3))


def test_what_needs_a_whole_sum_waits():
    source = """
        def f(x: "f8[n]"):
            s = np.sum(x, axis=(0,), keepdims=False)
            y = x / s
            return (y,)
    """
    assert len(kernels(source)) == 2
    agrees(source, np.arange(1.0, 5.0))


def test_neighbours_are_read_through_views():
    source = """
        def f(x: "f8[n]", k: int):
            n = x.shape[0]
            m = n - 1
            y = x[1:] - x[:-1]
            return (y,)
    """
    assert "rm.copy" not in text(source) and "[i + 1]" in text(source)
    agrees(source, np.arange(5.0) ** 2, 0)


def test_transposed_and_broadcast_reads_allocate_nothing():
    source = """
        def f(x: "f8[n, n]", v: "f8[n]"):
            n = x.shape[0]
            t = np.transpose(x, axes=(1, 0))
            w = v[:, None]
            b = np.broadcast_to(w, (n, n))
            y = t * b + x
            return (y,)
    """
    assert text(source).count("rm.fresh") == 1 and "rm.empty" not in text(source)
    agrees(source, np.arange(9.0).reshape(3, 3), np.arange(3.0))


def test_kernels_run_under_numpy():
    source = """
        def f(x: "f8[n, m]"):
            y = np.exp(x)
            s = np.sum(y, axis=(1,), keepdims=False)
            t = np.sum(y, axis=(0,), keepdims=False)
            return (s, t)
    """
    (kernel,) = kernels(source)
    x = np.random.default_rng(0).normal(size=(3, 4))
    for got, want in zip(kernel.fn(x), runnable(core(source))(x)):
        np.testing.assert_allclose(got, want)


# stores ------------------------------------------------------------------------------------------------
def test_a_kernel_stores_where_its_value_goes():
    source = """
        def f(x: "f8[n]", y: "f8[n]"):
            t = x * 2.0
            z = y.copy()
            z__1 = rt.update(z, t, np.s_[:])
            return (z__1,)
    """.replace("y.copy()", "np.copy(y)")
    assert "rm.empty" not in text(source) and loops(source) == 1
    agrees(source, np.arange(3.0), np.zeros(3))


def test_overlapping_reads_go_through_a_temporary():
    source = """
        def f(x: "f8[n]"):
            n = x.shape[0]
            a = x[1:] * x[:-1]
            y = np.copy(x)
            y__1 = rt.update(y, y[:-1] * a, np.s_[1:])
            return (y__1,)
    """
    assert loops(source) == 2
    agrees(source, np.arange(1.0, 6.0))


def test_what_is_stored_in_place_may_be_read_in_place():
    source = """
        def f(x: "f8[n]"):
            y = np.copy(x)
            y__1 = rt.update(y, np.cos(y), np.s_[:])
            return (y__1,)
    """
    assert loops(source) == 1 and "rm.empty" not in text(source)
    agrees(source, np.arange(1.0, 6.0))


def test_temporaries_of_a_loop_are_allocated_before_it():
    source = """
        def f(x: "f8[n]", steps: int):
            y = np.copy(x)
            y__1 = y
            for i in range(0, steps, 1):
                t = np.tanh(y__1)
                u = t[::-1] * t
                y__2 = rt.update(y__1, u, np.s_[:])
                y__1 = y__2
            return (y__1,)
    """
    lowered = text(source)
    assert lowered.index("rm.buffer") < lowered.index("for i in") and "rm.empty" not in lowered
    agrees(source, np.linspace(0, 1, 5), 3)


def in_a_branch(made, n="n"):
    """A loop with a branch that stores into an array and reads it; the array is made there."""
    return f"""
        def f(x: "f8[n]", c: "f8[m]"):
            n = x.shape[0]
            m = c.shape[0]
            nn = n * n
            s = 0.0
            for i in range(0, m, 1):
                a = c[i]
                t = a > 0.0
                if t:
                    z = {made}(({n},), dtype=np.float64)
                    z__1 = rt.update(z, a, np.s_[0])
                    b = np.sum(z__1, axis=(0,), keepdims=False)
                    s__1 = s + b
                    s__2 = s__1
                else:
                    s__2 = s
                s = s__2
            return (s,)
    """


def test_the_array_of_a_branch_is_allocated_before_the_loop():
    lowered = text(in_a_branch("np.zeros"))
    assert lowered.index("rm.buffer((n,)") < lowered.index("for i in") < lowered.index("rm.clear(z)")
    assert "rm.zeros" not in lowered and "rm.empty" not in lowered
    for c in ([1.0, -1.0, 2.0], [-1.0], []):
        agrees(in_a_branch("np.zeros"), np.arange(3.0), np.array(c))


def test_an_array_that_may_be_large_stays_in_its_branch():
    """It may never be taken, and nobody would have wanted the memory."""
    lowered = text(in_a_branch("np.zeros", "nn"))
    assert lowered.index("for i in") < lowered.index("rm.zeros((nn,)") and "rm.buffer" not in lowered
    agrees(in_a_branch("np.zeros", "nn"), np.arange(3.0), np.array([1.0, -1.0, 2.0]))


def test_an_array_whose_length_depends_on_the_iteration_stays_in_the_loop():
    source = """
        def f(x: "f8[n]"):
            n = x.shape[0]
            s = 0.0
            for i in range(0, n, 1):
                k = i + 1
                z = np.zeros((k,), dtype=np.float64)
                a = x[i]
                z__1 = rt.update(z, a, np.s_[i])
                b = np.sum(z__1, axis=(0,), keepdims=False)
                s__1 = s + b
                s = s__1
            return (s,)
    """
    lowered = text(source)
    assert lowered.index("for i in") < lowered.index("rm.zeros((k,)") and "rm.buffer" not in lowered
    agrees(source, np.arange(4.0))
    agrees(source, np.zeros(0))


def test_an_array_that_leaves_its_iteration_stays_in_the_loop():
    source = """
        def f(x: "f8[n]", c: bool):
            n = x.shape[0]
            y = np.zeros((n,), dtype=np.float64)
            y__1, before = y, y
            for i in range(0, n, 1):
                z = np.zeros((n,), dtype=np.float64)
                a = x[i]
                z__1 = rt.update(z, a, np.s_[i])
                b = np.sum(y__1, axis=(0,), keepdims=False)
                z__2 = rt.update(z__1, b, np.s_[0])
                y__1, before = z__2, y__1
            return (y__1, before)
    """
    assert "rm.buffer" not in text(source)
    agrees(source, np.arange(4.0), True)


TAPE = """
    def f(x: "f8[n]"):
        n = x.shape[0]
        s = 0.0
        for i in range(0, n, 1):
            a = x[i]
            tape = rt.tape(dtype=np.float64)
            t = a > 1.0
            tape__1, going, b, count = tape, t, a, 0
            while going:
                tape__2 = rt.push(tape__1, count, b)
                b__1 = b * 0.99
                t__1 = b__1 > 1.0
                count__1 = count + 1
                tape__1, going, b, count = tape__2, t__1, b__1, count__1
            kept = rt.pop(tape__1, 0, (count,))
            c = np.sum(kept, axis=(0,), keepdims=False)
            s__1 = s + c
            s = s__1
        return (s,)
"""


def test_the_tape_of_a_while_is_allocated_once_and_read_where_it_lies():
    lowered = text(TAPE)
    assert lowered.index("rm.buffer((64,)") < lowered.index("for i in") and "rm.empty" not in lowered
    for x in ([], [0.0], [3.0, 0.5, 900.0, 2.0]):  # up to 677 entries: it grows, and keeps what it has
        agrees(TAPE, np.array(x))


def test_carried_arrays_are_not_shared_between_iterations():
    source = """
        def f(x: "f8[n]", steps: int):
            y = np.tanh(x)
            y__1, z = y, y
            for i in range(0, steps, 1):
                t = np.tanh(y__1)
                y__1, z = t, y__1
            return (y__1, z)
    """
    agrees(source, np.linspace(0, 1, 5), 3)


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
    (["p = x[k]", "u = s__1 + p", "s__2 = u * 0.5"], ("s",)),                                                     # not only a sum
    (["p = x[k]", "u = p - s__1", "s__2 = u * 1.0"], ("s",)),
    (["p = x[k]", "q = s__1 * p", "s__2 = s__1 + q"], ("s",)),                                                    # the terms see it
    (["p = x[k]", "s__2 = p - s__1"], ("s",)),                                                                    # its sign alternates
    (["p = x[k]", "q = p - c__1", "s__2 = s__1 + q", "v = s__2 - s__1", "c__2 = v - q"], ("s", "c")),              # Kahan's sum
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


@pytest.mark.parametrize("x, y", [(Dim.of("n") - 2, Dim.of("m") - 2), (Dim.of("n") * Dim.of("k") + 1, Dim.of("m")), (Dim.of(2) - Dim.of("n"), Dim.of("k"))])
def test_an_equation_is_solved_for_a_name_that_stands_alone(x, y):
    equal = Equalities()
    equal.learn(x, y)
    assert equal.known and equal.canonical(x) == equal.canonical(y)


@pytest.mark.parametrize("x, y", [(Dim.of("n") * 2, Dim.of("m") * 2), (Dim.of("n") * Dim.of("n"), Dim.of("n")), (Dim.of("n") + 1, Dim.of("n"))])
def test_an_equation_that_cannot_be_solved_says_nothing(x, y):
    equal = Equalities()
    equal.learn(x, y)
    assert not equal.known
