"""Programs at the edges of what is common: long sums, small integers, indices and arguments of odd kinds."""
import linecache

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.test_util import check_grads
from gradscribe.transformer.api import Primal


def defined(text: str, name: str):
    """The function f that a text defines."""
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    namespace = {"np": np}
    exec(compile(text, name, "exec"), namespace)
    return namespace["f"]


# sums of many terms ---------------------------------------------------------------------------
def long_sum(terms: int):
    text = " + ".join([f"x[{k % 10}] * {k}.0" for k in range(terms)])
    return (defined(f"def f(x):\n    return {text}\n", f"long_sum_{terms}.py"),
            np.array([sum(range(k, terms, 10)) for k in range(10)], float))


@pytest.mark.parametrize("way", [gs.grad, lambda f: gs.jit(gs.grad(f))], ids=["plain", "compiled"])
def test_a_sum_of_250_terms(way):
    f, want = long_sum(250)
    np.testing.assert_array_equal(way(f)(np.ones(10)), want)


@pytest.mark.heavy(one_in=3)
def test_a_sum_of_2000_terms():
    f, want = long_sum(2000)
    np.testing.assert_array_equal(gs.grad(f)(np.ones(10)), want)


def test_functions_are_found_beside_long_sums_that_hold_functions():
    """Which code belongs to which of two lambdas on a line, one of them deep in a sum."""
    terms = " + ".join(["x"] * 1300)
    f = defined(f"def f(x):\n    return (lambda y: 2.0 * y)(x) + {terms} + (lambda y: 3.0 * y)(x)\n", "in_sums.py")
    assert gs.grad(f)(1.0) == 1305.0


# products of small integers ---------------------------------------------------------------------
def test_products_of_small_integers_compiled():
    pairs = [(np.array([100, 3, -127]).astype(a), np.array([120, 2]).astype(b))
             for a, b in [("i1", "i1"), ("i2", "i2"), ("i4", "i4"), ("i2", "i4"), ("u2", "u2"), ("u4", "i2")]]
    got = gs.jit(lambda *pairs: [np.outer(a, b) for a, b in pairs])(*pairs)
    for (a, b), result in zip(pairs, got):
        want = np.outer(a, b)
        assert result.dtype == want.dtype
        np.testing.assert_array_equal(result, want)


# ufunc.at, and tuples as indices ------------------------------------------------------------------
CELLS = np.array([[0, 1, 3], [1, 2, 3]])


def assembled(k):
    """A matrix of finite elements: more axes are added than the matrix has."""
    matrix = np.zeros((4, 4))
    np.add.at(matrix, (CELLS[:, :, None], CELLS[:, None, :]), k)
    np.subtract.at(matrix, (CELLS[:, :, None], CELLS[:, None, :]), 0.5 * k ** 2)
    return matrix


def spread(v):
    """Of each row the same: NumPy 2.4 itself reads past the end of v."""
    y = np.zeros(4)
    np.add.at(y, CELLS, v)
    return y


def scaled(k):
    """Places named by several arrays, and rows."""
    y, rows = np.ones((4, 4)), np.ones((4, 2))
    np.multiply.at(y, (CELLS, CELLS[::-1]), k[:, 0] + 2.0)
    np.maximum.at(rows, CELLS, k[:, :, :2])
    np.minimum.at(rows, np.array([0, 0, 3]), 1.0 - k[0, :, 1:])
    return y, rows


K = np.linspace(-1.0, 1.0, 18).reshape(2, 3, 3)
WAYS = {"read": lambda f: lambda *args: gs.jvp(f, args, args)[0],
        "many": lambda f: lambda x: np.stack(gs.vmap(f)(x[None]))[0], "compiled": gs.jit}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_values_with_more_axes_than_the_target_are_added(way):
    np.testing.assert_allclose(way(assembled)(K), assembled(K), rtol=1e-14)
    np.testing.assert_array_equal(way(spread)(np.arange(3.0)), [0.0, 1.0, 1.0, 4.0])


def test_other_functions_at_places():
    got, want = gs.jit(lambda k: scaled(k))(K), scaled(K)
    for a, b in zip(got, want):
        np.testing.assert_allclose(a, b, rtol=1e-14)


def test_derivatives_of_what_is_added_at_places():
    check_grads(assembled, (K,), order=2)
    np.testing.assert_array_equal(gs.grad(lambda v: spread(v) @ [1.0, 2.0, 3.0, 4.0])(np.ones(3)), [3.0, 5.0, 8.0])
    check_grads(lambda k: sum([np.sum(y ** 2) for y in scaled(k)]), (K,), order=1)
    np.testing.assert_allclose(gs.jit(gs.grad(lambda k: np.sum(assembled(k) ** 2)))(K),
                               gs.grad(lambda k: np.sum(assembled(k) ** 2))(K), rtol=1e-13)


@pytest.mark.parametrize("at, a, b", [
    (np.add.at, np.ones(4), np.ones((1, 2))), (np.add.at, np.ones(4), np.ones(3)),
    (np.multiply.at, np.ones(4), np.ones((1, 2)))])
def test_what_does_not_fit_at_places_is_raised(at, a, b):
    def f(a, b):
        at(a, np.array([0, 2]), b)
        return a
    for way in (f, gs.jit(f), Primal(f)):
        with pytest.raises(ValueError, match="array is not broadcastable to correct shape"):
            way(a, b)


def test_small_integers_are_subtracted_at_places():
    def f(a, b):
        np.subtract.at(a, np.array([0, 0, 1]), b)
        return a
    for b in (np.array([-128, 3, 127], np.int8), np.array([True, True, False])):
        np.testing.assert_array_equal(Primal(f)(np.arange(3), b), f(np.arange(3), b))


def stored_by_tuples(x):
    y = x * 2.0
    y[(0, 1), (3, 2)] = x[(1, 1), (0, 1)]
    y[(0, 2),] += x[(1, 2), 1:2]
    y[1:, (0, 0)] -= 3.0
    return y, x[(0, 1), (3, 2)], x[:, (True, False, True, False)], x[(2, 0),]


def test_tuples_as_indices():
    x = np.arange(1.0, 13.0).reshape(3, 4)
    for way in (Primal, gs.jit):
        for got, want in zip(way(stored_by_tuples)(x), stored_by_tuples(x)):
            np.testing.assert_array_equal(got, want)
    check_grads(lambda x: sum([np.sum(y ** 2) for y in stored_by_tuples(x)]), (x,), order=1)
    np.testing.assert_array_equal(gs.at(x)[(0, 1), (3, 2)].add(1.0)[(0, 1), (3, 2)], [5.0, 8.0])


# stores of lists -----------------------------------------------------------------------------
def test_lists_that_are_deeper_than_the_place_are_refused_as_numpy_does():
    def of_no_axes(x):
        y = np.zeros((), x.dtype)
        y[...] = [x[0]]
        return y

    def of_one_axis(x):
        y = np.zeros(2, x.dtype)
        y[:1] = [[x[0]]]
        return y

    for f in (of_no_axes, of_one_axis):
        for x in (np.ones(1), np.ones(1, int), np.ones(1, bool)):
            for way in (f, Primal(f)):
                with pytest.raises(ValueError, match="setting an array element with a sequence. The requested"):
                    way(x)

    def truth(x):
        y = np.zeros(2, bool)
        y[0] = [x[0]]  # to NumPy: is the list empty?
        return y

    with pytest.raises(gs.GradscribeError,
                       match=r"a sequence stored as an element of an array of bools[\s\S]*bool\(values\)"):
        Primal(truth)(np.zeros(1, bool))


# lists --------------------------------------------------------------------------------------------
def filtered(x):
    """A list of as many items as one that grew has parts in the heap."""
    path = [0.0] * 3
    for k in range(len(x)):
        path = [v * 1.5 for v in path if v > 0.0]
        if x[k] > 0:
            path.append(x[k] * 0.5)
    return sum(path)


def test_a_list_that_is_filtered_and_grows():
    x = np.array([1.0, 2.0, -3.0, 4.0])
    assert gs.grad(filtered)(x).tolist() == [1.6875, 1.125, 0.0, 0.5] and gs.jit(filtered)(x) == filtered(x)


# arguments of odd kinds ---------------------------------------------------------------------------
def of_no_axes(x, y):
    wide, = np.broadcast_arrays(x * 2.0),
    return np.sum(np.broadcast_to(x, ()) * 3.0), np.broadcast_arrays(x, y)[1] + wide[0], np.broadcast_to(x, ())


def test_numbers_broadcast_to_no_axes():
    want = of_no_axes(3.0, np.float32(2.0))
    for way in (Primal, gs.jit):
        for a, b in zip(way(of_no_axes)(3.0, np.float32(2.0)), want):
            assert type(a) is type(b) and a.dtype == b.dtype and a == b
    assert gs.grad(lambda x: np.broadcast_to(x, ()) * 3.0)(2.0) == 3.0


def test_a_rule_of_a_function_of_numpys_takes_what_is_given():
    sine, largest = gs.custom_vjp(np.sin), gs.custom_jvp(np.max)
    sine.defvjp(lambda x: (np.sin(x), x), lambda x, g: (g * np.cos(x) + 1.0,))
    largest.defjvp(lambda primals, tangents: (np.max(primals[0]), np.sum(tangents[0])))
    for way in (lambda f: f, gs.jit):
        assert way(gs.grad(lambda x: sine(x)))(0.0) == 2.0
        np.testing.assert_array_equal(way(gs.grad(lambda x: largest(x)))(np.arange(3.0)), np.ones(3))


@pytest.mark.heavy(one_in=2)
@pytest.mark.filterwarnings("ignore:divide by zero", "ignore:invalid value")
@pytest.mark.parametrize("f", [gs.nn.softmax, gs.nn.log_softmax])
@pytest.mark.parametrize("shape", [(0,), (3, 0), (0, 3)])
def test_softmax_of_nothing(f, shape):
    x = np.zeros(shape, np.float32)
    for way in (f, gs.jit(f), gs.grad(lambda x: np.sum(f(x)))):
        assert way(x).shape == shape and way(x).dtype == np.float32


@pytest.mark.filterwarnings("ignore:divide by zero")
def test_logsumexp_of_nothing():
    assert gs.nn.logsumexp(np.zeros(0)) == gs.jit(lambda x: gs.nn.logsumexp(x))(np.zeros(0)) == -np.inf
    assert gs.nn.logsumexp(np.zeros((2, 0)), axis=1).tolist() == [-np.inf, -np.inf]


def test_what_is_no_key_is_said():
    for key in (0, 1.5, [0, 1], np.uint32(3), None):
        for draw in (lambda: gs.random.normal(key, (3,)), lambda: gs.random.split(key),
                     lambda: gs.jit(gs.random.bits)(key)):
            with pytest.raises(TypeError, match="a key is a uint32 array"):
                draw()
    with pytest.raises(TypeError, match="a seed is an int"):
        gs.random.key(3.0)


def test_seeds_of_more_than_32_bits():
    """As jax.random.PRNGKey of version 0.10.2, without and with 64 bits."""
    seeds = [-5, 2**40 + 3, np.int64(-5), np.int32(-5)]
    assert [gs.random.PRNGKey(k).tolist() for k in seeds] == [[0, 2**32 - 5], [0, 3], [0, 2**32 - 5], [0, 2**32 - 5]]
    gs.config.update("jax_enable_x64", True)
    try:
        want = [[2**32 - 1, 2**32 - 5], [256, 3], [2**32 - 1, 2**32 - 5], [0, 2**32 - 5]]
        assert [gs.random.PRNGKey(k).tolist() for k in seeds] == want
        assert [gs.jit(lambda k: gs.random.key(k))(k).tolist() for k in seeds[1:3]] == want[1:3]
    finally:
        gs.config.update("jax_enable_x64", False)


def test_options_that_do_not_exist_are_refused():
    for name, value in (("jax_log_compiles", True), ("jax_platforms", "gpu")):
        with pytest.raises(gs.GradscribeError, match=name):
            gs.config.update(name, value)


def test_transformations_of_wrong_arguments_have_a_text():
    with pytest.raises(gs.SpecialisationError, match="argnums of gs.grad is an array of dtype float64") as caught:
        gs.grad(np.sum, np.ones(2))
    assert "gs.grad(f)(x)" in caught.value.instead
    assert repr(gs.grad(np.sum, (0,))) == "gradscribe.grad(sum, argnums=(0,))"
    assert (repr(gs.grad(np.sum)) == "gradscribe.grad(sum)"
            and repr(gs.jit(np.sum, parallel=True)).endswith("parallel=True)"))


def test_a_memoryview_is_refused():
    for f in (gs.grad(lambda x: x[0] ** 2), gs.jit(lambda x: x)):
        with pytest.raises(gs.GradscribeError, match="an argument of type memoryview"):
            f(memoryview(np.ones(3)))


class Unsaid(type):
    """What some classes written in C do: their __module__ is what reads that of their objects."""

    __module__ = property(lambda cls: cls.__dict__["where"])


COMPILED_ELSEWHERE, HIDDEN = np.random.default_rng, Unsaid("Hidden", (), {"where": property(lambda self: "")})()


def test_classes_that_do_not_say_where_they_are_from():
    assert gs.grad(lambda x: x if COMPILED_ELSEWHERE else 2 * x)(1.0) == 1.0
    assert gs.grad(lambda x: x if HIDDEN else 2 * x)(1.0) == 1.0
    with pytest.raises(gs.GradscribeError, match="it is the seed of a generator"):
        gs.grad(lambda x: COMPILED_ELSEWHERE(x))(1.0)


# matrices without an inverse ------------------------------------------------------------------------
FLAT, FULL = (np.array([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [1.0, 0.0, 1.0]]),
              np.array([[2.0, 1.0, 0.0], [0.0, 1.0, 3.0], [1.0, 1.0, 1.0]]))
MATRICES = np.stack([FLAT, np.outer([1.0, 2.0, 3.0], [1.0, -1.0, 2.0]), np.zeros((3, 3)), FULL])


def second_derivatives_of_det(a):
    """By the definition of it: in [i, j, k, l] what is left where the rows i and k,
    and the columns j and l are taken out."""
    result = np.zeros((3,) * 4)
    for i, j, k, l in np.ndindex(result.shape):  # noqa: E741
        if i != k and j != l:
            sign = (-1) ** (i + k + j + l) * (1 if (i < k) == (j < l) else -1)
            result[i, j, k, l] = sign * np.delete(np.delete(a, [i, k], 0), [j, l], 1)[0, 0]
    return result


@pytest.mark.heavy(one_in=6)
@pytest.mark.parametrize("way", [gs.hessian, lambda f: gs.jit(gs.hessian(f)), lambda f: gs.jacfwd(gs.jacfwd(f)),
                                 lambda f: gs.jacrev(gs.jacrev(f))],
                         ids=["reverse, forward", "compiled", "forward", "reverse"])
def test_second_derivatives_of_det_of_matrices_without_an_inverse(way):
    hessian = way(lambda a: np.linalg.det(a))
    for a in MATRICES:
        np.testing.assert_allclose(hessian(a), second_derivatives_of_det(a), rtol=1e-13, atol=1e-13)
    np.testing.assert_allclose(gs.vmap(hessian)(MATRICES), [second_derivatives_of_det(a) for a in MATRICES], rtol=1e-13,
                               atol=1e-13)


def test_derivatives_of_det_of_any_order():
    check_grads(lambda a: np.linalg.det(a), (FULL,), order=3)
    check_grads(lambda a: np.abs(np.linalg.det(a)) ** 2, (FULL + 1j * FLAT,), order=2)


@pytest.mark.heavy(one_in=8)
def test_one_matrix_without_an_inverse_leaves_the_others_their_slogdet():
    def f(a):
        return np.linalg.slogdet(a).logabsdet

    for way in (lambda f: f, gs.jit):
        got = way(gs.vmap(gs.grad(f)))(np.stack([FLAT, FULL]))
        assert np.isnan(got[0]).all()
        np.testing.assert_allclose(got[1], np.linalg.inv(FULL).T, rtol=1e-13)
        value, slope = way(lambda a: gs.jvp(f, (a,), (np.eye(3),)))(FLAT)
        assert value == -np.inf and np.isnan(slope)
        assert np.isnan(way(gs.hessian(f))(FLAT)).all()


# interpolation ------------------------------------------------------------------------------------
@pytest.mark.filterwarnings("ignore:invalid value", "ignore:divide by zero")
def test_interp_at_points_beside_what_is_not_finite():
    xs = np.array([-np.inf, -1.0, 0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, np.inf, np.nan])
    knots, from_afar = np.arange(4.0), np.array([-np.inf, 0.0, 1.0, 2.0])
    values = [[1.0, np.nan, 3.0, 4.0], [1.0, np.inf, -np.inf, 4.0], [np.nan, 1.0, 2.0, np.inf],
              [np.inf, np.inf, 2.0, np.nan], [1.0, 2.0, 3.0, 4.0]]
    compiled = gs.jit(lambda x, xp, fp: np.interp(x, xp, fp))
    for xp in (knots, from_afar):
        for fp in map(np.array, values):
            for way in (compiled, Primal(lambda x, xp, fp: np.interp(x, xp, fp))):
                np.testing.assert_array_equal(way(xs, xp, fp), np.interp(xs, xp, fp))


def test_unwrap_at_half_a_period():
    p = np.pi * np.array([0.0, 1.0, 0.0, -1.0, 1.0, 2.0])
    for jacobian in (gs.jacfwd, gs.jacrev, lambda f: gs.jit(gs.jacrev(f))):
        np.testing.assert_array_equal(jacobian(lambda p: np.unwrap(p))(p), np.eye(6))
    np.testing.assert_array_equal(gs.jit(lambda p: np.unwrap(p))(p), np.unwrap(p))


class Doubled:
    def __init__(self, a):
        self.a = a * 2

    def __getitem__(self, k):
        return (self.a,)[k]


def test_membership_by_getitem_sees_what_an_object_has_now():
    doubled = Doubled(2)
    f = gs.test_util.primal(lambda x: x if 4 in doubled else -x)
    assert f(1.5) == 1.5
    doubled.a = 3.0
    assert f(1.5) == -1.5


def test_places_in_a_list_without_items_and_in_an_array():
    x, b = np.arange(3.0), np.array([True, True, False])
    assert Primal(lambda x: np.take(x, []))(x).shape == (0,)
    assert Primal(lambda b: np.argpartition(b, b - 1)[0])(b) == np.argpartition(b, b - 1)[0]
