"""The text of lowered functions: what is fused, and where temporaries are allocated."""
import numpy as np

from gradscribe.transformer.core import Let, runnable, walk
from gradscribe.transformer.optimise.fuse import FusedKernel, fuse
from tests.transformer.coretext import core
from tests.transformer.lowered import agrees, loops, text


# fusing -----------------------------------------------------------------------------------------------
def kernels(source):
    return [s.op for s in walk(fuse(core(source)).body) if isinstance(s, Let) and isinstance(s.op, FusedKernel)]


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
