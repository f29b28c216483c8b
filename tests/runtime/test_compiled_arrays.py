"""Reductions, indexing, structure and products, compiled against NumPy: dtypes, layouts, sizes, exceptions."""
import itertools
import math

import numpy as np
import pytest

from gradscribe.transformer.core import Const
from gradscribe.transformer.core.types import Dim
from tests.runtime.lowering import Stages, emit, function, layouts

SIZES = (0, 1, 2, 7)


def values(dtype, *shape, seed=0):
    x = np.random.default_rng(seed).normal(size=shape) * 3
    return (x > 0) if dtype == "?" else x.astype(dtype)


# reductions ------------------------------------------------------------------------------------------
@pytest.mark.heavy(one_in=20)
@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "i4", "?"])
def test_reductions(dtype):
    names = ("np.sum", "np.mean", "np.max", "np.min", "np.any", "np.all")
    cases = [(n, axis, keep) for n in names for axis in ((0,), (1,), (0, 1)) for keep in (False, True)]
    run = Stages(function([f"{dtype}[n, m]"],
                          lambda b, x: tuple(emit(b, n, x, axis=axis, keepdims=keep) for n, axis, keep in cases)))
    for n, m in itertools.product((1, 2, 7), repeat=2):
        for x in layouts(values(dtype, n, m)):
            run(x, rtol=1e-5 if dtype == "f4" else 1e-12)
    run(values(dtype, 3000, 3), rtol=1e-4 if dtype == "f4" else 1e-12)
    run(values(dtype, 3, 3000), rtol=1e-4 if dtype == "f4" else 1e-12)


@pytest.mark.heavy(one_in=5)
@pytest.mark.parametrize("axis", [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)])
def test_reductions_of_three_axes(axis):
    names = ("np.sum", "np.max", "np.mean")
    run = Stages(function(["f8[n, m, k]"], lambda b, x: tuple(emit(b, n, x, axis=axis, keepdims=keep) for n in names
                                                              for keep in (False, True))))
    run(values("f8", 3, 4, 5))
    run(values("f8", 1, 2, 1))


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("axis", [(1,), (1, 2), (2,)])
def test_a_row_that_needs_its_own_mean(axis):
    """Loops over the same rows are shared: the mean is there before what comes next in the row reads it."""
    def centred(b, x):
        mean = emit(b, "np.mean", x, axis=axis, keepdims=True)
        return emit(b, "multiply", emit(b, "subtract", x, mean), mean), mean

    run = Stages(function(["f8[n, m, k, l]"], centred))
    run(values("f8", 3, 4, 5, 2))
    run(values("f8", 1, 2, 1, 3))


@pytest.mark.heavy(one_in=3)
@pytest.mark.parametrize("axis", [(0,), (0, 1), (0, 2)])
def test_a_mean_over_the_rows_that_are_shared(axis):
    """It is there when all rows are done."""
    def spread(b, x, y):
        t = emit(b, "np.tanh", x)
        total = emit(b, "np.sum", t, axis=(2,), keepdims=False)
        return (emit(b, "np.mean", x, axis=axis, keepdims=False),
                total, emit(b, "np.sum", emit(b, "multiply", total, y), axis=(1,), keepdims=False),
                emit(b, "np.mean", emit(b, "np.sin", t), axis=axis, keepdims=False))

    run = Stages(function(["f8[n, m, k]", "f8[n, m]"], spread))
    run(values("f8", 3, 4, 5), values("f8", 3, 4, seed=1))
    run(values("f8", 2, 1, 1), values("f8", 2, 1, seed=1))


@pytest.mark.heavy(one_in=2)
def test_reductions_of_nothing():
    sums = Stages(function(["f8[n, m]"],
                           lambda b, x: tuple(emit(b, n, x, axis=a, keepdims=False) for n in ("np.sum", "np.mean")
                                              for a in ((0,), (1,), (0, 1)))))
    largest = {a: Stages(function(["f8[n, m]"], lambda b, x, a=a: emit(b, "np.max", x, axis=a, keepdims=False)))
               for a in ((0,), (1,), (0, 1))}
    for shape in ((0, 3), (3, 0), (0, 0)):
        sums(np.zeros(shape))
        for run in largest.values():
            run(np.zeros(shape))
    with pytest.raises(ValueError, match="zero-size array to reduction operation maximum which has no identity"):
        largest[1,].compiled(np.zeros((3, 0)))


def test_reductions_of_numbers_that_are_none():
    run = Stages(function(["f8[n]"], lambda b, x: tuple(emit(b, n, x, axis=(0,), keepdims=False)
                                                        for n in ("np.sum", "np.mean", "np.max", "np.min"))))
    for x in ([1.0, np.nan, 2.0], [np.inf, 1.0], [np.inf, -np.inf], [-np.inf, -np.inf], [np.nan] * 3, [1e308] * 10):
        run(np.array(x))


def test_twenty_million_tenths():
    run = Stages(function(["f4[n]"], lambda b, x: emit(b, "np.sum", x, axis=(0,), keepdims=False)))
    (total,) = run.compiled(np.full(20_000_000, 0.1, np.float32))
    assert abs(total - 2_000_000) < 2
    (column,) = Stages(function(["f4[n, m]"], lambda b, x: emit(b, "np.sum", x, axis=(0, 1), keepdims=False))).compiled(
        np.full((5_000_000, 4), 0.1, np.float32))
    assert abs(column - 2_000_000) < 2


def test_sums_are_compensated():
    x = np.random.default_rng(1).normal(size=100_000) * 10.0 ** np.random.default_rng(2).integers(-8, 8, 100_000)
    run = Stages(function(["f8[n]"], lambda b, x: emit(b, "np.sum", x, axis=(0,), keepdims=False)))
    total, roundings = math.fsum(x), 2.0 ** -53 * math.fsum(abs(x))
    assert abs(run.compiled(x)[0] - total) <= 0.1 * roundings < abs(np.cumsum(x)[-1] - total)  # which adds one by one


@pytest.mark.parametrize("name", ["np.argmax", "np.argmin"])
def test_places_of_extremes(name):
    run = Stages(function(["f8[n, m]"], lambda b, x: tuple(emit(b, name, x, axis=a) for a in (None, 0, 1))))
    run(values("f8", 4, 5))
    run(np.array([[1.0, np.nan, 3.0], [3.0, 3.0, np.nan]]))
    run(np.ones((2, 2)))
    run(np.zeros((0, 2)))


# indexing --------------------------------------------------------------------------------------------
def getitem(b, x, index, *atoms, dims=None):
    params = {"index": index} | ({"dims": tuple(map(Dim.of, dims))} if dims is not None else {})
    return emit(b, "getitem", x, *atoms, **params)


@pytest.mark.heavy(one_in=2)
def test_elements():
    run = Stages(function(["f8[n, m]", "int", "int"], lambda b, x, i, j: (
        getitem(b, x, ("i", "i"), i, j), getitem(b, x, ("i", ":"), i), getitem(b, x, (":", "i"), j),
        getitem(b, x, ("i", "i"), -1, 0))))
    for x in layouts(values("f8", 3, 4)):
        for i, j in itertools.product((-4, -3, -1, 0, 2, 3), (-5, -4, 0, 3, 4)):
            run(x, i, j)
    with pytest.raises(IndexError, match="index 7 is out of bounds for axis 0 with size 3"):
        run.compiled(values("f8", 3, 4), 7, 0)
    run(np.zeros((0, 4)), 0, 0)


BOUNDS = (None, -9, -3, -1, 0, 1, 3, 9)


@pytest.mark.heavy(one_in=6)
@pytest.mark.parametrize("step", [None, 1, 2, 3, -1, -2])
def test_slices(step):
    """All of start and stop, given as numbers and as constants, read and stored into."""
    def body(b, x, start, stop):
        results = []
        for lo, hi in itertools.product((None, start), (None, stop)):
            code = "s" + "".join("0" if p is None else "1" for p in (lo, hi, step))
            atoms = [p for p in (lo, hi, step) if p is not None]
            k = f"k{len(results)}"
            part = getitem(b, x, (code,), *atoms, dims=(k,))
            results += [emit(b, "multiply", part, 2.0),
                        emit(b, "rt.update", x, 1.5, *atoms, index=(code,), dims=(Dim.of(k),))]
        return tuple(results)

    b_types = ["f8[n]", "int", "int"]
    fun = unchecked(b_types, body)
    run = Stages(fun)
    for n in SIZES:
        for start, stop in itertools.product(BOUNDS[1:], repeat=2):
            run(np.arange(float(n)), start, stop)


def unchecked(types, body):
    """A function whose slices have lengths that nothing binds: names that stand for them."""
    from tests.runtime.lowering import Builder, type_of
    names = "abcdefgh"[:len(types)]
    b = Builder(dict(zip(names, map(type_of, types))))
    return b.fun("f", names, body(b, *names))


@pytest.mark.heavy(one_in=6)
def test_constant_slices():
    cases = [p for p in itertools.product(BOUNDS, repeat=2)]

    def body(b, x):
        out = []
        for lo, hi in cases:
            code = "s" + "".join("0" if p is None else "1" for p in (lo, hi)) + "0"
            out.append(emit(b, "multiply", getitem(b, x, (code,), *[p for p in (lo, hi) if p is not None],
                                                   dims=(f"k{len(out)}",)), 2.0))
        return tuple(out)

    run = Stages(unchecked(["f8[n]"], body))
    for n in SIZES:
        run(np.arange(float(n)))


@pytest.mark.heavy(one_in=2)
def test_index_arrays():
    run = Stages(function(["f8[n, m]", "i8[k]", "int"], lambda b, x, k, i: (
        getitem(b, x, ("a",), k), getitem(b, x, (":", "a"), k), getitem(b, x, ("a", "a"), k, k),
        getitem(b, x, ("i", "a"), i, k), getitem(b, x, ("a", "i"), k, i))))
    x = values("f8", 4, 5)
    for v in layouts(x):
        run(v, np.array([0, -1, 3, 3]), 1)
    run(x, np.array([0, 4]), 1)
    run(x, np.array([], np.int64), 1)
    with pytest.raises(IndexError, match="index -6 is out of bounds for axis 1 with size 5"):
        Stages(function(["f8[n, m]", "i8[k]"],
                        lambda b, x, k: getitem(b, x, (":", "a"), k))).compiled(x, np.array([1, -6]))


@pytest.mark.heavy(one_in=29)
def test_updates():
    """Stores by every kind of index; where an index repeats, the last one counts, and additions add up."""
    def body(b, x, v, k, i, s):
        out = []
        for op in ("rt.update", "rt.update_add"):
            out += [emit(b, op, x, s, i, i, index=("i", "i")), emit(b, op, x, v, i, index=("i",)),
                    emit(b, op, x, s, k, index=("a",)), emit(b, op, x, v, k, index=("a",)),
                    emit(b, op, x, s, k, k, index=("a", "a")), emit(b, op, x, 1, index=(":",))]
        out += [emit(b, "rt.last_writer", x, k, index=("a",)), emit(b, "rt.last_writer", x, k, k, index=("a", "a"))]
        return tuple(out)

    run = Stages(function(["f8[n, m]", "f8[m]", "i8[k]", "int", "float"], body))
    for x in layouts(values("f8", 4, 4)):
        run(x, values("f8", 4, seed=1), np.array([0, 0, -1, 2, 0]), 1, 2.5)
    run(values("f8", 4, 4), values("f8", 4), np.array([0, 7]), 1, 2.5)
    run(values("f8", 4, 4), values("f8", 4), np.array([0]), -5, 2.5)


# structure -----------------------------------------------------------------------------------------
@pytest.mark.heavy(one_in=6)
def test_structure():
    def body(b, x, y, s):
        n, m = emit(b, "rt.size", x, axis=0), emit(b, "rt.size", x, axis=1)
        return (emit(b, "np.transpose", x, axes=(1, 0)), emit(b, "np.transpose", y, axes=(1, 2, 0)),
                emit(b, "np.copy", x), emit(b, "np.concatenate", x, x, axis=0),
                emit(b, "np.concatenate", x, x, x, axis=1), emit(b, "np.stack", x, x, axis=0),
                emit(b, "np.stack", x, x, axis=1), emit(b, "np.stack", x, x, axis=2), emit(b, "np.reshape", x, m, n),
                emit(b, "np.reshape", x, n, 1, m), emit(b, "np.broadcast_to", s, n, m),
                emit(b, "np.eye", n, m, dtype=np.dtype("f8")), emit(b, "np.zeros", n, 2, dtype=np.dtype("f4")),
                emit(b, "np.ones", n, dtype=np.dtype("i8")),
                emit(b, "rt.full", s, n, m, dtype=np.dtype("f4")),
                emit(b, "np.arange", n, dtype=np.dtype("f8"), count=Dim.of(n)), emit(b, "np.asarray", s),
                emit(b, "rt.astype", x, dtype=np.dtype("f4")), n, m)

    run = Stages(function(["f8[n, m]", "f8[p, q, r]", "float"], body))
    for n, m in itertools.product(SIZES[1:], repeat=2):
        for x, y in zip(layouts(values("f8", n, m)), layouts(values("f8", 2, n, 3))):
            run(x, y, 2.5)
    run(np.zeros((0, 3)), np.zeros((2, 0, 1)), 1.0)


def test_arrays_of_rank_0():
    run = Stages(function(["f8[]", "f8[n]"], lambda b, s, x: (
        emit(b, "multiply", s, 2.0),
        emit(b, "add", x, s), getitem(b, s, ()), emit(b, "np.sum", x, axis=(0,), keepdims=False),
        emit(b, "rt.update", s, 3.5, index=()), emit(b, "np.copy", s))))
    run(np.array(1.5), values("f8", 3))


def test_results_are_apart():
    """No result shares memory with an argument or another result."""
    run = Stages(function(["f8[n, m]"], lambda b, x: (x, x, emit(b, "np.transpose", x, axes=(1, 0)))))
    x = values("f8", 3, 4)
    arrays = [x, *run.compiled(x)]
    assert not any(np.shares_memory(p, q) for p, q in itertools.combinations(arrays, 2))


# products ------------------------------------------------------------------------------------------
@pytest.mark.heavy(one_in=40)
@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "?"])
def test_matrix_products(dtype):
    """All layouts of both operands, transposed reads, vectors, empty sizes."""
    def body(b, x, y, u, v):
        xt, yt = emit(b, "np.transpose", x, axes=(1, 0)), emit(b, "np.transpose", y, axes=(1, 0))
        return (emit(b, "matmul", x, y), emit(b, "matmul", yt, xt), emit(b, "matmul", x, v), emit(b, "matmul", v, xt),
                emit(b, "matmul", v, y), emit(b, "matmul", u, x), emit(b, "matmul", u, u))

    run = Stages(function([f"{dtype}[n, k]", f"{dtype}[k, m]", f"{dtype}[n]", f"{dtype}[k]"], body))
    for n, k, m in itertools.product((0, 1, 3), repeat=3):
        for x, y, u, v in zip(layouts(values(dtype, n, k)), layouts(values(dtype, k, m, seed=1)),
                              layouts(values(dtype, n)), layouts(values(dtype, k))):
            run(x, y, u, v, rtol=1e-4 if dtype == "f4" else 1e-11)
    n = 40
    odd = values(dtype, 3 * n, 2 * n)[::3, ::2]
    run(odd, odd.T[::-1].T, values(dtype, n), values(dtype, 2 * n)[::2], rtol=1e-2 if dtype == "f4" else 1e-10)


def test_products_of_mixed_dtypes():
    run = Stages(function(["f8[n, k]", "f4[k, m]", "i8[k]"],
                          lambda b, x, y, v: (emit(b, "matmul", x, y), emit(b, "matmul", x, v))))
    run(values("f8", 3, 4), values("f4", 4, 2), values("i8", 4), rtol=1e-6)


@pytest.mark.heavy(one_in=3)
def test_products_of_stacks():
    def body(b, x, y, z, v):
        return (emit(b, "matmul", x, y), emit(b, "matmul", x, z), emit(b, "matmul", z, y), emit(b, "matmul", x, v),
                emit(b, "matmul", v, y), emit(b, "matmul", emit(b, "np.transpose", x, axes=(0, 2, 1)), x))

    square = Stages(function(["f8[s, n, n]", "f8[s, n, n]", "f8[n, n]", "f8[n]"], body))
    for s, n in ((1, 3), (4, 3), (2, 1), (0, 3), (3, 0)):
        for x, y in zip(layouts(values("f8", s, n, n)), layouts(values("f8", s, n, n, seed=1))):
            square(x, y, values("f8", n, n), values("f8", n))
    stretched = Stages(function(["f8[1, n, n]", "f8[s, n, n]"], lambda b, x, y: emit(b, "matmul", x, y)))
    stretched(values("f8", 1, 3, 3), values("f8", 5, 3, 3, seed=1))


# exceptions -----------------------------------------------------------------------------------------
def test_mismatched_sizes_raise_numpys_message():
    def body(b, x, y):
        n, m = emit(b, "rt.size", x, axis=0, hint="n"), emit(b, "rt.size", y, axis=0, hint="m")
        how = "operands could not be broadcast together with shapes ({},) ({},) "
        return emit(b, "add", x, emit(b, "rt.match", y, n, n, m, axes=(0,), dims=(Dim.of("n"),), how=how))

    run = Stages(function(["f8[n]", "f8[m]"], body))
    run(np.ones(3), np.ones(3))
    run(np.ones(3), np.ones(4))
    with pytest.raises(ValueError, match=r"operands could not be broadcast together with shapes \(3,\) \(4,\)"):
        run.compiled(np.ones(3), np.ones(4))


def test_require():
    fun = function(["int"],
                   lambda b, k: (emit(b, "rt.require", emit(b, "less", k, 3), kind="KeyError", message="no {k}"), k)[1])
    run = Stages(fun)
    run(2)
    run(3)
    with pytest.raises(KeyError, match="no {k}"):
        run.compiled(3)


def test_failures_know_where_they_come_from():
    def body(b, x, i):
        with b.at("line 7"):
            return getitem(b, x, ("i",), i)

    run = Stages(function(["f8[n]", "int"], body))
    with pytest.raises(IndexError) as caught:
        run.compiled(np.zeros(3), 5)
    assert caught.value.gradscribe_origin == "line 7" and caught.value.__cause__ is None


def test_constants_are_arguments_too():
    run = Stages(function(["f8[n]"], lambda b, x: (Const(np.float32(0.1)), Const(True), Const(-0.0), Const(np.inf),
                                                   emit(b, "add", x, np.float64(1.0)))))
    run(values("f8", 3))
