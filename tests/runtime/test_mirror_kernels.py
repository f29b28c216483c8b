"""What loops of gradients do without: temporaries, divisions, and sums made up for what rounding cannot lose."""
import numpy as np
import pytest

import gradscribe as gs
from tests.support.agreement import agree, differences

RNG = np.random.default_rng(11)


def entries(data, x, columns):
    """Both what is multiplied and what is looked up have an adjoint."""
    total = 0.0
    for k in range(3):
        y = data[k] @ x[columns]
        total += y * y
    return total


def shared_places(data, x, columns):
    """One array is looked up at two arrays of places."""
    total = 0.0
    for k in range(3):
        total += np.sum(data[k] * x[columns] * x[columns[::-1]])
    return total


def scaled(x, w):
    total = 0.0
    for i in range(len(x)):
        y = np.array([x[i, 0], x[i, 1], x[i, 2]]) / (w[i] * w[i] + 1.0)
        total += y @ y
    return total


def norms_of_rows(x):
    total = 0.0
    for i in range(len(x)):
        y = np.array([x[i, 0], x[i, 1], x[i, 2]])
        total += np.sqrt(np.sum(y * y) + 1.0)
    return total


DATA, X = RNG.normal(size=(3, 5)), RNG.normal(size=4)


@pytest.mark.parametrize("columns", [[0, 1, 2, 3, 1], [2, 2, 2, 2, 2], [-1, 0, -4, 3, 0]])
@pytest.mark.parametrize("f", [entries, shared_places])
def test_one_loop_adds_to_several_arrays(f, columns):
    args = DATA, X, np.array(columns)
    for argnum in (0, 1):
        agree(f, *args, gradient=argnum)
    both = gs.jit(gs.grad(f, argnums=(0, 1)))(*args)
    assert all(np.allclose(b, differences(f, args, k), rtol=1e-6) for k, b in enumerate(both))


def test_one_loop_adds_to_several_arrays_without_a_temporary():
    text = gs.jit(gs.grad(entries, argnums=(0, 1))).source(DATA, X, np.arange(5) % 4, stage="compiled")
    (loop,) = [part for part in text.split("for ") if "x_bar[" in part]
    assert "data_bar[" in loop and "rm.empty" not in text.split("x_bar =")[1]


def test_places_that_are_none_are_found_in_order():
    agree(entries, DATA, X, np.array([0, 9, 1, -7, 2]))
    with pytest.raises(IndexError, match="index 9 is out of bounds"):
        gs.jit(gs.grad(entries, argnums=(0, 1)))(DATA, X, np.array([0, 9, 1, -7, 2]))


def test_no_entries():
    x_bar = gs.jit(gs.grad(entries, argnums=(0, 1)))(DATA[:, :0], X, np.zeros(0, np.int64))[1]
    assert np.array_equal(x_bar, np.zeros(4))


def test_a_vector_is_multiplied_by_a_reciprocal():
    x, w = RNG.normal(size=(4, 3)), RNG.normal(size=4)
    assert agree(scaled, x, w, gradient=0) and agree(scaled, x, w, gradient=1)
    mirror = gs.jit(gs.grad(scaled, argnums=(0, 1))).source(x, w, stage="compiled").split("range(last")[1]
    assert mirror.count(" / ") == 1


def test_sums_of_a_few_are_not_made_up_for():
    x = RNG.normal(size=(4, 3))
    agree(norms_of_rows, x, gradient=0)
    assert "add_exactly" not in gs.jit(norms_of_rows).source(x, stage="compiled")
    agree(norms_of_rows, np.array([[1.0, np.inf, 2.0]]))
    agree(norms_of_rows, np.array([[1.0, np.nan, -0.0]]))


def test_a_view_that_a_branch_reads_is_taken_before_the_loop():
    """Else each iteration that takes the branch would make an adjoint for all of it."""
    def f(v, m):
        X = v.reshape(len(m), 3)
        total = 0.0
        for i in range(len(m)):
            if m[i] > 0.0:
                total += X[i, 0] * X[i, 1] ** 2
            elif m[i] < -1.0:
                total += X.T[2, i]
        return total

    v, m = np.linspace(-1.0, 1.0, 12), np.array([1.0, -2.0, 0.0, 2.0])
    before, _, loop = gs.jit(gs.grad(f)).source(v, m, stage="core").partition("    for ")
    assert "np.reshape" in before and "np.zeros" not in loop
    assert agree(f, v, m, gradient=0) and agree(f, np.ones(7), -np.ones(2))


def test_a_view_that_does_not_exist_where_the_branch_is_not_taken():
    def f(v, m):
        total = 0.0
        for i in range(len(m)):
            if m[i] > 0.0:
                total += v.reshape(len(m), 3)[i, 0] ** 2
        return total

    for v, m in ((np.ones(6), np.array([1.0, -1.0])), (np.ones(7), -np.ones(2)), (np.ones(7), np.ones(2))):
        agree(f, v, m)
    for gradient in (gs.grad(f), gs.jit(gs.grad(f))):
        assert np.array_equal(gradient(np.ones(7), -np.ones(2)), np.zeros(7))
        with pytest.raises(ValueError, match="cannot reshape"):
            gradient(np.ones(7), np.ones(2))


def test_arrays_are_divided_by_one_reciprocal():
    def f(x, y):
        return np.sum(x * x / (1.0 + y * y))

    x, y = RNG.normal(size=6), RNG.normal(size=6)
    assert agree(f, x, y, gradient=0) and agree(f, x, y, gradient=1)
    gradient = gs.jit(gs.grad(f, argnums=(0, 1)))
    text = gradient.source(x, y, stage="compiled")
    assert text.count(" / ") == text.count("1.0 / ") > 0
    single = gradient.source(*(v.astype(np.float32) for v in (x, y)), stage="compiled")  # 1 / 1e-40 is infinite there
    assert single.count(" / ") > single.count("1.0 / ")
