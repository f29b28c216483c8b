"""Indices in compiled code, as numba has them and as NumPy does: elements, parts, what is stored;
and how much text LLVM reads."""
import itertools
import re

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.runtime.compiler import pipeline, stock
from gradscribe.runtime.plain import memory as rm

BOUNDS = [None, -9, -4, -3, -1, 0, 1, 3, 4, 9]
X = np.arange(4.0)
GRID = np.arange(24.0).reshape(4, 6)


def compiled(function):
    import numba

    import gradscribe.runtime.native.scalars  # noqa: F401  enters the forms of what text calls
    compiler, _ = stock.way({})
    return numba.njit(pipeline_class=compiler)(function)


def rows(x, a, b):
    return x[a:b].copy()


def to(x, b):
    return x[:b].copy()


def since(x, a):
    return x[a:].copy()


def block(x, a, b, c, d):
    part = x[a:b, c:d]
    part[:, -1] = 7.0
    return part.T.copy(), part.shape


def column(x, i, a, b):
    return x[a:b, i].copy(), x[i, a:b].copy(), x[-1, 2:].copy(), x[None, i].copy(), x[i].copy()


@pytest.mark.parametrize("a, b", list(itertools.product(BOUNDS, BOUNDS)))
def test_parts(a, b):
    for function, *given in ([(rows, a, b)] * (None not in (a, b)) + [(to, b)] * (b is not None)
                             + [(since, a)] * (a is not None)):
        np.testing.assert_array_equal(COMPILED[function](X, *given), function(X, *given))


COMPILED = {function: compiled(function) for function in (rows, to, since)}


@pytest.mark.parametrize("layout", ["C", "F", "A"])
def test_parts_of_a_matrix(layout):
    x = GRID.copy() if layout == "C" else np.asfortranarray(GRID) if layout == "F" else np.tile(GRID, (2, 2))[::2, ::2]
    run, of_one = compiled(block), compiled(column)
    for a, b, c, d in [(0, 4, 0, 6), (1, -1, -3, 6), (-3, 9, 2, 5), (0, 1, 5, 6)]:
        one, other = x.copy(order="K"), x.copy(order="K")
        for got, want in zip(run(one, a, b, c, d), block(other, a, b, c, d)):
            np.testing.assert_array_equal(got, want)
        np.testing.assert_array_equal(one, other)
    for got, want in zip(of_one(x, -2, 1, 3), column(x, -2, 1, 3)):
        np.testing.assert_array_equal(got, want)


def sum_of_elements(x, k):
    total = x[0, -1] + x[-1, 0] + x[k, -2]
    for i in range(x.shape[0]):
        for j in range(x.shape[1] - 1, -1, -1):
            total = total * 0.5 + x[i, j] - x[-1, j]
            x[i, j] = total
    for i in range(-2, 2):
        total += x[i, i]
    return total


@pytest.mark.parametrize("layout", ["C", "F", "A"])
def test_elements(layout):
    x = GRID.copy() if layout == "C" else np.asfortranarray(GRID) if layout == "F" else np.tile(GRID, (2, 2))[::2, ::2]
    one, other = x.copy(order="K"), x.copy(order="K")
    run = compiled(sum_of_elements)
    for k in (0, 3, -4, -1):
        assert run(one, k) == sum_of_elements(other, k)
    np.testing.assert_array_equal(one, other)


def shifted(x, i):
    return x[i + 1]


@pytest.mark.skipif(stock.uses_stock(), reason="numba's own pipeline asks for each index whether it is negative")
def test_what_is_lowered_has_no_negative_indices(monkeypatch):
    """So machine code does not ask, and LLVM makes vectors of loops over parts of arrays."""
    texts, wrapped = [], "select i1 [^,]*, i64"
    optimised = pipeline.Library._optimize_final_module
    monkeypatch.setattr(pipeline.Library, "_optimize_final_module",
                        lambda self: (texts.append(str(self._final_module)), optimised(self)))
    assert compiled(shifted)(X, -3) == X[-2] and re.search(wrapped, texts.pop())
    monkeypatch.setattr(shifted, "from_zero", True, raising=False)
    assert compiled(shifted)(X, 1) == X[2] and not re.search(wrapped, texts.pop())
    ends = gs.jit(lambda x, y, i: x[-1] * y[0, -2] + x[i] + np.sum(x[::-2] * x[-2:]))
    for i in (2, -1, -4):
        assert ends(X, GRID, i) == X[-1] * GRID[0, -2] + X[i] + np.sum(X[::-2] * X[-2:])
    assert not re.search(r"\[-|, -\d\]", ends.source(X, GRID, 2, stage="compiled"))


def memory_bound_in_branches(x, n, which):
    y = x
    for k in range(n):
        z = rm.empty((x.shape[0],), np.float64)
        z[:] = 0.0
        if which[k]:
            z[0] = y[0] + 1.0
            w = z[1:]
        else:
            w = y[1:]
        if which[k]:
            y = z
        y[0] = y[0] + w[0]
    return y


def test_memory_is_let_go_of_once():
    """Variables that are values on one way, and die on another: as often as one likes."""
    from numba.core.runtime import _nrt_python, rtsys
    run, which = compiled(memory_bound_in_branches), np.array([True, False, True, True, False, False])
    np.testing.assert_array_equal(run(X.copy(), 6, which), memory_bound_in_branches(X.copy(), 6, which))
    _nrt_python.memsys_enable_stats()
    before = rtsys.get_allocation_stats()
    for _ in range(20):
        run(X.copy(), 6, which)
    after = rtsys.get_allocation_stats()
    assert after.alloc - before.alloc == after.free - before.free > 0


def step(u, v):
    a = np.roll(u, 1) - 2.0 * u + np.roll(u, -1)
    b = np.where(a > 0, a * v, -v) + np.sqrt(u * u + 1.0)
    return u + 0.1 * a, v + 0.1 * b[::-1] * np.sum(a)


def stepped(u, v):
    for _ in range(3):
        u, v = step(u, v)
    return np.sum(u * v)


def test_what_llvm_reads_is_little(monkeypatch, tmp_path):
    """At most 20 lines for a line of ours; records of arrays lie in memory where loops hand them on,
    and what functions return."""
    tmp_path.chmod(0o700)
    monkeypatch.setenv("GRADSCRIBE_CACHE_DIR", str(tmp_path))
    texts = []
    optimised = pipeline.Library._optimize_final_module
    monkeypatch.setattr(pipeline.Library, "_optimize_final_module",
                        lambda self: (texts.append(str(self._final_module)), optimised(self)))
    made = gs.jit(gs.grad(stepped, argnums=(0, 1)))
    made(X, X + 1.0)
    own, text = len(made.source(X, X, stage="compiled").splitlines()), max(texts, key=len)
    assert len(text.splitlines()) < 20 * own
    assert text.count("= alloca {") <= 0.1 * own


@pytest.mark.parametrize("m", [0, 1, 16, 1023, 1024, 1025, 2048, 5000])
def test_sums_of_rows_in_one_block_and_in_several(m):
    """The first block of a row stands before the loop over the others."""
    def rows(A, v):
        return np.sum((A - v) ** 2, axis=1) + np.prod(1.0 + 1e-5 * A, axis=1)

    A, v = np.random.default_rng(m).standard_normal((3, m)), np.linspace(0.0, 1.0, m)
    f = gs.jit(rows)
    assert m != 16 or "for block in range(1, rs.blocks(" in f.source(A, v, stage="compiled")
    np.testing.assert_allclose(f(A, v), rows(A, v), rtol=1e-13)
