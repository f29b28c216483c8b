"""Sums over devices that do not wait for each other go together: as vmap has them,
in one exchange where they are small."""
import numpy as np
import pytest

import gradscribe as gs

lax = gs.lax


@pytest.fixture(autouse=True)
def devices(monkeypatch):
    monkeypatch.setenv("GRADSCRIBE_DEVICES", "3")


def as_vmap(f, *args) -> tuple[int, int]:
    """(how many sums go with others, in how many exchanges) of the compiled program"""
    made = gs.pmap(f, axis_name="i")
    got, want = made(*args), gs.vmap(f, axis_name="i")(*args)
    for y, z in zip(gs.tree.leaves(got), gs.tree.leaves(want), strict=True):
        assert (y.dtype, y.shape) == (z.dtype, z.shape)
        np.testing.assert_allclose(y, z, rtol=1e-6 if y.dtype == np.float32 else 1e-13)
    text = made.source(*args, stage="compiled")
    assert text.count("= take_kernel(") == text.count("= add_kernel(")
    return text.count("= add_kernel("), text.count("= exchange_kernel(")


X = np.random.default_rng(0).normal(size=(3, 5))


def random_program(seed):
    """Sums over devices among what they need, what needs them, stores, loops and other collectives."""
    rng = np.random.default_rng(seed)
    steps = [(int(rng.choice(9, p=[0.3, 0.15, 0.15, 0.1, 0.08, 0.07, 0.05, 0.05, 0.05])),
              *map(int, rng.integers(0, 1000, 2))) for _ in range(10)]

    def f(x):
        values, count = [x, x[::-1] * 0.5, np.sum(x), np.cos(x[1])], 0
        for kind, i, j in steps:
            a, b = values[i % len(values)], values[j % len(values)]
            if kind == 0:
                c = lax.psum(a, "i")
            elif kind == 1:
                c = np.sin(a) * 0.5
            elif kind == 2:
                c = a * b - np.sum(a) * 0.1
            elif kind == 3:
                c, d = lax.pmean((a * 0.1, b), "i")
                values.append(np.tanh(d))
            elif kind == 4:
                c = np.zeros(4) + b
                c[j % 4] += np.sum(a)
            elif kind == 5:
                c = a
                for k in range(3):
                    c = 0.3 * np.sin(c) + lax.psum(c * k, "i") * 0.1
            elif kind == 6:
                c = np.sum(a) if np.sum(b) > 0.0 else np.sum(b) * 2.0
            elif kind == 7:
                c = lax.ppermute(a, "i", [(0, 1), (1, 2)])
            else:
                c = lax.pmax(a, "i") * 0.5
            values.append(np.tanh(c))
        return values[2:]

    return f


@pytest.mark.heavy(one_in=104)
@pytest.mark.parametrize("seed", range(12))
def test_random_programs(seed):
    as_vmap(random_program(seed), X[:, :4])


@pytest.mark.heavy(one_in=3)
def test_what_needs_none_of_them_comes_before_and_what_needs_one_comes_after():
    def f(x):
        a = lax.psum(x, "i") / 2.0
        t = np.sin(x) * x[0]
        b = np.cos(a)
        c = lax.psum(t, "i")
        return a, b, c, lax.psum(np.sum(x), "i")

    assert as_vmap(f, X) == (3, 1)


@pytest.mark.heavy(one_in=4)
def test_means_of_a_tree_of_gradients():
    def f(p, x):
        slope = gs.grad(lambda p: np.mean((np.tanh(x @ p["w"] + p["b"]) @ p["v"]) ** 2))(p)
        return gs.tree.map(lambda p, g: p - 0.1 * lax.pmean(g, "i"), p, slope)

    p = {"w": np.ones((3, 5, 2)), "b": np.zeros((3, 2)), "v": X[:, :2]}
    assert as_vmap(f, p, np.stack([X, X + 1.0], 1)) == (3, 1)


@pytest.mark.heavy(one_in=7)
def test_what_waits_for_another_goes_alone():
    assert as_vmap(lambda x: lax.psum(lax.psum(x, "i") * x, "i"), X) == (0, 0)

    def f(x):
        a, b = lax.psum((x, x * x), "i")
        return a, lax.psum((a * x, b * x), "i")

    assert as_vmap(f, X) == (4, 2)


@pytest.mark.heavy(one_in=10)
def test_nothing_passes_another_effect(capfd):
    def f(x):
        a = lax.psum(x, "i")
        gs.debug.print("between")
        return a, lax.psum(x * x, "i")

    assert as_vmap(f, X) == (0, 0)
    assert as_vmap(lambda x: (lax.psum(x, "i"), lax.pmax(x, "i"), lax.psum(x * x, "i")), X) == (0, 0)
    assert "between" in capfd.readouterr().out


@pytest.mark.heavy(one_in=7)
def test_in_a_loop_and_in_a_branch_of_all():
    def f(x, n):
        for k in range(4):
            a, b = lax.psum((x, x[0]), "i")
            x = np.sin(a) * b + k
        if lax.psum(x[0], "i") > -100.0:
            x = x + lax.psum(x, "i") * lax.psum(x[1], "i")
        return x

    assert as_vmap(f, X, X) == (4, 2)


@pytest.mark.heavy(one_in=36)
@pytest.mark.parametrize("dtype", [np.float64, np.float32, complex, int])
def test_one_dtype_each(dtype):
    x = (10 * X).astype(dtype)
    got = as_vmap(lambda x, y: (lax.psum(x, "i"), lax.psum(y, "i"), lax.psum(x[0], "i"), lax.psum(y[1:], "i")), x, X)
    assert got == ((4, 1) if dtype == np.float64 else (0, 0))
    assert as_vmap(lambda x: lax.psum((x, x[1], x[1:3], x[:0]), "i"), x) == (4, 1)


@pytest.mark.heavy(one_in=6)
def test_bools_are_counted():
    assert as_vmap(lambda x: lax.psum((x > 0.0, x[0] > 0.0), "i"), X)[1] <= 1


@pytest.mark.heavy(one_in=26)
@pytest.mark.parametrize("lengths", [(400, 3, 700, 1), (513, 3, 100_000, 2), (600, 600), (512,) * 9, (0, 2), (0, 0),
                                     (300, 511, 512, 512, 512, 1)])
def test_small_and_large_ones(lengths):
    """Small ones wait in a room of 16 kB for one exchange; large ones, and what has no place there, have their own."""
    def f(parts):
        return [lax.psum(x, "i") for x in parts]

    rng = np.random.default_rng(1)
    assert as_vmap(f, [rng.normal(size=(3, n)) for n in lengths]) == (len(lengths), 1)


@pytest.mark.heavy(one_in=15)
def test_parts_in_other_orders_of_memory():
    def f(x):
        return lax.psum((x.T, x[::-1, ::2], np.sum(x, 0)), "i")

    assert as_vmap(f, np.random.default_rng(2).normal(size=(3, 4, 6))) == (3, 1)


@pytest.mark.heavy(one_in=5)
def test_operands_that_differ():
    """Of one size together, of another shape each: none is added to another."""
    def f(x, k):
        a, b = lax.psum((x[:k], x[k:]), "i")
        return np.sum(a) + np.sum(b)

    made = gs.pmap(f, axis_name="i")
    np.testing.assert_allclose(made(X, np.array([2, 2, 2])), np.full(3, X.sum()))
    with pytest.raises(RuntimeError, match="devices meet at different collectives"):
        made(X, np.array([2, 3, 2]))
    np.testing.assert_allclose(gs.pmap(lambda x: lax.psum((x, x[0]), "i")[0], axis_name="i")(X)[0], X.sum(0))


@pytest.mark.heavy(one_in=4)
def test_after_a_device_has_stopped_between_them():
    """What has waited in its room is not taken for what the next call puts there."""
    def f(x, limit):
        a, b = lax.psum((x, x[0]), "i")
        if lax.axis_index("i") == 1 and limit < 1.0:
            raise ValueError("stopped")
        return a, lax.psum((a * x, b * x), "i")

    made = gs.pmap(f, axis_name="i", in_axes=(0, None))
    for limit in (2.0, 0.0, 2.0, 0.0, 2.0):
        if limit < 1.0:
            with pytest.raises(ValueError, match="stopped"):
                made(X, limit)
        else:
            a, (c, d) = made(X, limit)
            np.testing.assert_allclose(c[0], np.sum(X.sum(0) * X, 0))
            np.testing.assert_allclose(d[2], np.sum(X[:, 0].sum() * X, 0))


@pytest.mark.heavy(one_in=4)
def test_what_may_raise_stays_in_its_order():
    def f(k, x, M):
        n = lax.psum(k, "i")
        t = x[int(n)]                          # the first to raise
        u = np.linalg.solve(M, x[:2])
        return t * lax.psum(u[0], "i"), lax.psum(k * 2, "i")

    made, x = gs.pmap(f, axis_name="i", in_axes=(0, 0, None)), np.ones((3, 9))
    with pytest.raises(IndexError):
        made(np.array([2.0, 4.0, 5.0]), x, np.zeros((2, 2)))
    with pytest.raises(np.linalg.LinAlgError):
        made(np.array([2.0, 1.0, 5.0]), x, np.zeros((2, 2)))
    np.testing.assert_array_equal(made(np.array([2.0, 1.0, 5.0]), x, np.eye(2))[0], 3.0 * np.ones(3))
