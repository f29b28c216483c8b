"""Stencils: their gradients against differences, which passes over memory the adjoint takes, and what it keeps."""
import ast

import numpy as np
import pytest

import gradscribe as gs
from tests.support.work import peak


def two_grids(u, v, steps):
    u, v = u.copy(), v.copy()
    for _ in range(steps):
        v[1:-1, 1:-1] = 0.2 * (u[1:-1, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] + u[2:, 1:-1] + u[:-2, 1:-1])
        u[1:-1, 1:-1] = 0.2 * (v[1:-1, 1:-1] + v[1:-1, :-2] + v[1:-1, 2:] + v[2:, 1:-1] + v[:-2, 1:-1])
    return np.sum(u * u)


def by_index(u, v, steps):
    u, v = u.copy(), v.copy()
    n, m = u.shape
    for _ in range(steps):
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                v[i, j] = 0.2 * (u[i, j] + u[i, j - 1] + u[i, j + 1] + u[i + 1, j] + u[i - 1, j])
        for j in range(1, m - 1):
            for i in range(1, n - 1):
                u[i, j] = 0.2 * (v[i, j] + v[i, j - 1] + v[i, j + 1] + v[i + 1, j] + v[i - 1, j])
    return np.sum(u * u)


def backwards_by_index(u, steps):
    u = u.copy()
    for _ in range(steps):
        y = np.zeros_like(u)
        for i in range(len(u) - 2, 0, -1):
            y[i, 0] = 0.5 * u[i - 1, 0] - 2.0 * u[i + 1, 0]
        for i in range(1, len(u) - 1):
            for j in range(1, u.shape[1]):
                y[i, j] = u[i, j] * u[i + 1, j - 1] + np.sin(u[i - 1, j])
        u = y
    return np.sum(u * u)


def new_grids(u, steps):
    for _ in range(steps):
        v = u.copy()
        v[1:-1, 1:-1] = 0.2 * (u[1:-1, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] + u[2:, 1:-1] + u[:-2, 1:-1])
        u = v
    return np.sum(u * u)


def zero_edges(u, steps):
    for _ in range(steps):
        v = np.zeros_like(u)
        v[1:-1] = 0.5 * (u[2:] - u[:-2])
        u = v
    return np.sum(u * u)


def in_place(u, steps):
    u = u.copy()
    for _ in range(steps):
        u[1:-1, 1:-1] += 0.1 * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1])
    return np.sum(u * u)


def waves(u, v, w, steps):
    u, v, w = u.copy(), v.copy(), w.copy()
    for t in range(steps):
        v[0] = 1.0 * t
        v[1:] -= 0.5 * (w[1:] - w[:-1])
        u[:, 1:] -= 0.5 * (w[:, 1:] - w[:, :-1])
        w[:-1, :-1] -= 0.7 * (u[:-1, 1:] - u[:-1, :-1] + v[1:, :-1] - v[:-1, :-1])
    return np.sum(w * w)


def not_linear(u, steps):
    u = u.copy()
    for _ in range(steps):
        u[1:-1] = u[1:-1] - 0.1 * u[1:-1] * (u[2:] - u[:-2]) + 0.05 * (u[2:] - 2 * u[1:-1] + u[:-2])
    return np.sum(u * u)


def wide(u, steps):
    w = u[:-11] + 2.0 * u[3:-8] - u[11:]
    return np.sum(w * w) + steps * np.sum(u[1:] * u[:-1])


def rows_and_columns(u, steps):
    for _ in range(steps):
        u = np.tanh(u[1:, :-1] - 0.5 * u[:-1, 1:]) + u[:-1, :-1]
    return np.sum(u ** 3)


PROGRAMS = [(two_grids, 2), (by_index, 2), (backwards_by_index, 1), (new_grids, 1), (zero_edges, 1), (in_place, 1),
            (waves, 3), (not_linear, 1), (wide, 1), (rows_and_columns, 1)]


def grids(count, n, m):
    return tuple(np.random.default_rng(n).normal(size=(count, n, m)))


@pytest.mark.parametrize("f, count", PROGRAMS, ids=lambda p: getattr(p, "__name__", ""))
@pytest.mark.parametrize("n, m", [(2, 2), (2, 5), (3, 3), (4, 3), (5, 4), (6, 13), (14, 9)])
def test_gradients(f, count, n, m):
    if f is wide and n < 12 or f is rows_and_columns and min(n, m) < 4:
        pytest.skip("slices of nothing that do not broadcast, or no grid that is left")
    args = (*grids(count, n, m), 3)
    positions = tuple(range(count))
    plain = gs.grad(f, positions)(*args)
    compiled = gs.jit(gs.grad(f, positions))(*args)
    for k, (own, same) in enumerate(zip(plain, compiled)):
        np.testing.assert_allclose(same, own, rtol=1e-12, atol=1e-12)
        step = np.random.default_rng(k).normal(size=own.shape)
        high, low = ([*args], [*args])
        high[k], low[k] = args[k] + 1e-6 * step, args[k] - 1e-6 * step
        np.testing.assert_allclose(np.sum(own * step), (f(*high) - f(*low)) / 2e-6, rtol=1e-6, atol=1e-6)


def mirrored(f, count, n=6):
    """The text of the compiled gradient, and of the loop over steps in it that goes backwards."""
    text = gs.jit(gs.grad(f, tuple(range(count)))).source(*grids(count, n, n), 3, stage="compiled")
    (loop,) = [node for node in ast.parse(text).body[-1].body if isinstance(node, ast.For)
               and ast.unparse(node.iter) == "range(last, -1, -1)"]
    return text, ast.unparse(loop)


@pytest.mark.parametrize("f", [two_grids, by_index])
def test_each_element_is_stored_once(f):
    text, steps = mirrored(f, 2)
    assert "+=" not in steps and "buffer" not in text  # no row and no array of terms is in between
    nests = [node for node in ast.parse(steps).body[0].body if isinstance(node, ast.For)]
    assert len(nests) == 2  # nor are arrays cleared by loops of their own


def test_a_grid_that_is_read_and_a_new_one_are_apart():
    text, steps = mirrored(zero_edges, 1)
    assert "buffer" not in text and "+=" not in steps


def test_sums_begin_with_the_array_that_they_are_added_to():
    text, steps = mirrored(new_grids, 1)
    assert "clear" not in steps and "empty" not in steps


@pytest.mark.parametrize("f, count", [(two_grids, 2), (by_index, 2), (new_grids, 1), (in_place, 1), (zero_edges, 1)])
def test_a_linear_stencil_keeps_nothing_of_a_step(f, count):
    args = grids(count, 6, 6)
    for gradient in (gs.grad(f, tuple(range(count))), gs.jit(gs.grad(f, tuple(range(count))))):
        assert peak(gradient, (*args, 40)) - peak(gradient, (*args, 4)) < args[0].nbytes


def test_indices_that_are_out_of_range_still_raise():
    u, v = grids(2, 6, 6)
    with pytest.raises(IndexError):
        gs.jit(gs.grad(by_index, (0, 1)))(u, v[:4], 2)
    small = gs.jit(gs.grad(by_index, (0, 1)))(u[:1], v, 2)  # no row has neighbours: nothing is added
    np.testing.assert_array_equal(small[0], 2 * u[:1])
