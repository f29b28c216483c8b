"""What loops ask of lengths of arguments is taken for granted; other arguments get what Python gives."""
import numpy as np
import pytest

import gradscribe as gs
from benchmarks.row28_arrays import forces_by_loops
from tests.support.agreement import agree

RNG = np.random.default_rng(5)


def rows_of_a_sparse_matrix(data, x, columns, starts):
    total = 0.0
    for i in range(len(starts) - 1):
        y = data[starts[i]:starts[i + 1]] @ x[columns[starts[i]:starts[i + 1]]]
        total += y * y
    return total


def beside_a_constant(x, n):
    w, total = np.array([1.0, 2.0, 3.0]), 0.0
    for _ in range(n):
        total += np.sum(x * w) ** 2
    return total


def same_lengths(x, y, n):
    s = 0.0
    for k in range(n):
        s += x[k:] @ y[k:]
    return s


BODIES = RNG.normal(size=(4, 3)), RNG.uniform(0.5, 1.5, size=4)
SPARSE = (RNG.normal(size=6), RNG.normal(size=3), np.array([0, 2, 1, 1, 0, 1]), np.array([0, 2, 2, 5, 6]))


def test_a_vector_of_three_numbers_is_no_array():
    text = gs.jit(gs.grad(forces_by_loops, argnums=(0, 1))).source(*BODIES, stage="compiled")
    assert agree(forces_by_loops, *BODIES, gradient=0) and agree(forces_by_loops, *BODIES, gradient=1)
    assert "x.shape[1] == 3" in text and "rm.buffer" not in text and "add_exactly" not in text


@pytest.mark.parametrize("shape", [(4, 3), (0, 3), (1, 3), (1, 4), (0, 2), (2, 4), (2, 0), (2, 1)])
def test_bodies_of_other_lengths(shape):
    """One body alone asks nothing of its length; several of four numbers cannot be added to a vector of three."""
    agree(forces_by_loops, RNG.normal(size=shape), np.ones(shape[0]), message=False)


def test_one_program_serves_them_in_turn():
    gradient, mass = gs.jit(gs.grad(forces_by_loops)), np.ones(1)
    for _ in range(2):
        assert gradient(*BODIES).shape == (4, 3)
        assert np.array_equal(gradient(np.ones((1, 4)), mass), np.zeros((1, 4)))
        with pytest.raises(ValueError, match=r"could not be broadcast together with shapes \(3,\) \(4,\)"):
            gradient(np.ones((2, 4)), np.ones(2))


def test_parts_as_long_as_each_other_are_read_by_one_loop():
    text = gs.jit(gs.grad(rows_of_a_sparse_matrix, argnums=(0, 1))).source(*SPARSE, stage="compiled")
    assert "columns.shape[0] == data.shape[0]" in text
    assert agree(rows_of_a_sparse_matrix, *SPARSE, gradient=0) and agree(rows_of_a_sparse_matrix, *SPARSE, gradient=1)


@pytest.mark.parametrize("columns", [SPARSE[2][:5], np.append(SPARSE[2], 1), np.array([0, 2, 1, 7, 0, 1]),
                                     np.array([0, -1, 1, 1, -3, 1])])
def test_a_sparse_matrix_with_other_columns(columns):
    agree(rows_of_a_sparse_matrix, *SPARSE[:2], columns, SPARSE[3])


def test_a_sparse_matrix_without_entries():
    agree(rows_of_a_sparse_matrix, np.zeros(0), SPARSE[1], np.zeros(0, np.int64), np.zeros(3, np.int64))


@pytest.mark.parametrize("length, n", [(3, 2), (1, 2), (4, 0), (4, 1)])
def test_beside_a_constant(length, n):
    agree(beside_a_constant, RNG.normal(size=length), n)


@pytest.mark.parametrize("n, m, rounds", [(4, 4, 3), (4, 5, 3), (4, 5, 0), (1, 4, 2), (4, 4, 6)])
def test_two_lengths(n, m, rounds):
    agree(same_lengths, RNG.normal(size=n), RNG.normal(size=m), rounds)
