"""Rounds of inner loops that walk down columns go abreast: values, gradients, exceptions, and which loops do not."""
import numpy as np
import pytest

import gradscribe as gs
from tests.support.agreement import agree, differences

RNG = np.random.default_rng(12)
A, B = 0.3 * RNG.normal(size=(9, 9)), RNG.normal(size=(9, 20))


def products(A, B):
    B = B.copy()
    for i in range(B.shape[0]):
        for j in range(B.shape[1]):
            B[i, j] += np.dot(A[i + 1:, i], B[i + 1:, j])
    return np.sum(B * B)


def two_arrays(A, B):
    C, row = B.copy(), np.zeros(B.shape[1])
    for i in range(len(A)):
        for j in range(B.shape[1]):
            C[:i, j] += B[i, j] * A[i, :i]
            row[j] = B[:i, j] @ A[i, :i] + np.sum(np.sin(B[:, j]))
        C[i] += row
    return np.sum(C * C)


def added_to(A, B):
    C, total = A.copy(), np.zeros(len(A))
    for i in range(len(A)):
        for k in range(B.shape[1]):
            C[i, :i + 1] += B[i, k] * B[:i + 1, k]
            total = total + np.tanh(B[:, k])
    return np.sum(C * C) + np.sum(total ** 2)


def triangle_of_columns(A, B):
    B, R = B.copy(), np.zeros((B.shape[1], B.shape[1]))
    for k in range(B.shape[1]):
        q = B[:, k] / np.sqrt(B[:, k] @ B[:, k])
        for j in range(k + 1, B.shape[1]):
            R[k, j] = q @ B[:, j]
            B[:, j] -= q * R[k, j]
    return np.sum(R) + np.sum(B[0])


def moved_and_downwards(A, B):
    B = B.copy()
    for i in range(3):
        for j in range(B.shape[1] - 2, 0, -1):
            B[1:, j] = B[1:, j] * A[1:, i] + B[0, j] * 0.5 + 1.0
    return np.sum(B * B)


def other_axes(A, B):
    B, C = B.copy(), np.zeros((20, 9, 4))
    for i in range(4):
        for j in range(B.shape[1]):
            C[j, :, i] = np.cos(B[:, j]) * A[i] + C[j, :, 0]
            B[:, j] = B[:, j] * 0.5
    return np.sum(C * C) + np.sum(B)


def constants(A, B):
    B = B.copy()
    for i in range(len(A)):
        for j in range(B.shape[1]):
            t = np.sum(B[:, j] * A[i])
            B[:i, j] = 0.25
            B[i, j] = t
    return np.sum(B * B)


ABREAST = [products, two_arrays, added_to, triangle_of_columns, moved_and_downwards, other_axes, constants]


# loops of which a round needs another, or that do something else with the index ----------------------
def of_the_round_before(A, B):
    B = B.copy()
    for i in range(3):
        for j in range(1, B.shape[1]):
            B[1:, j] = B[1:, j - 1] * A[1:, i] + B[1:, j]
    return np.sum(B * B)


def of_another_column(A, B):
    B = B.copy()
    for i in range(3):
        for j in range(B.shape[1]):
            B[1:, j] += B[:-1, 3] * A[1:, i]
    return np.sum(B * B)


def read_while_added_to(A, B):
    total = np.zeros(len(B))
    for i in range(3):
        for j in range(B.shape[1]):
            total = total + np.sin(total) * B[:, j]
    return np.sum(total)


def number_of_the_column(A, B):
    B = B.copy()
    for i in range(3):
        for j in range(B.shape[1]):
            B[1:, j] = B[1:, j] * 0.1 * j + A[1:, i]
    return np.sum(B * B)


def lengths_of_the_column(A, B):
    B = B.copy()
    for i in range(3):
        for j in range(B.shape[1]):
            B[:j // 4, j] = B[:j // 4, j] * A[i, i]
    return np.sum(B * B)


def exchanged(A, B):
    B, C = B.copy(), np.sin(B)
    for i in range(3):
        for j in range(B.shape[1]):
            B[1:, j] += A[1:, i]
            B, C = C, B
    return np.sum(B * C)


ALONE = [of_the_round_before, of_another_column, read_while_added_to, number_of_the_column, lengths_of_the_column,
         exchanged]


@pytest.mark.parametrize("columns", [20, 5, 0])
@pytest.mark.parametrize("f", [*ABREAST, *ALONE], ids=lambda f: f.__name__)
def test_values_and_gradients(f, columns):
    args = A, B[:, :columns].copy()
    if columns < 5 and f in (other_axes, of_another_column):
        return
    if f is other_axes and columns < 20:
        args = A, np.repeat(B[:, :5], 4, axis=1)
    np.testing.assert_allclose(gs.jit(f)(*args), f(*args), rtol=1e-12)
    for k, found in enumerate(gs.jit(gs.grad(f, argnums=(0, 1)))(*args)):
        np.testing.assert_allclose(found, differences(f, args, k), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("f", [*ABREAST, *ALONE], ids=lambda f: f.__name__)
def test_which_loops(f):
    text = gs.jit(f).source(A, B, stage="compiled")
    assert ("many" in text) == (f in ABREAST)


@pytest.mark.parametrize("f", [products, two_arrays, triangle_of_columns], ids=lambda f: f.__name__)
def test_second_derivatives(f):
    def slope(A, B):
        return np.sum(gs.grad(f, argnums=1)(A, B) * np.sin(B))

    np.testing.assert_allclose(gs.jit(gs.grad(slope, argnums=1))(A, B), gs.grad(slope, argnums=1)(A, B), rtol=1e-9)


def scaled(A, B, columns):
    B = B.copy()
    for i in range(len(B)):
        for j in range(columns):
            B[1:, j] = B[1:, j] * A[1:, i]
    return B


def test_what_is_raised():
    assert agree(scaled, A, B, 20)
    assert agree(scaled, A, B, 19)
    assert agree(scaled, A, B, 0)
    assert agree(scaled, A, B, -3)
    assert agree(scaled, A, B, 21)
    assert agree(scaled, A[:5], B, 20, message=False)
    assert agree(scaled, A[:, :2], B, 20)
    assert agree(scaled, A[:5], B, 0)
