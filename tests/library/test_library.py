"""NumPy written in NumPy, and what LAPACK computes: each new function against NumPy, its derivatives against
differences, for many examples, compiled.

The walk of test_signatures.py gives them wrong and odd arguments; here stand invented ones of each kind, and what is
particular to each.
"""
import warnings

import numpy as np
import pytest

import gradscribe as gs
from gradscribe import GradscribeError
from gradscribe.runtime.plain import lapack
from gradscribe.test_util import check_grads
from gradscribe.transformer.library.registry import FUNCTIONS, host, known, means
from gradscribe.transformer.rules import BY_FUNCTION, OPS, elementwise
from gradscribe.transformer.specialise.builtins import numpy_api
from tests.library.tabled import in_batches, whole_table
from tests.support.agreement import agree
from tests.support.cases import rotating

RNG = np.random.default_rng(7)


def numbers(*shape):
    return RNG.normal(size=shape)


def matrix(*shape):
    """Matrices that are far from singular."""
    return numbers(*shape) + 3.0 * np.eye(shape[-1])


@pytest.fixture(scope="module", autouse=True)
def tables_as_they_were():
    """What is entered here goes again."""
    tables = FUNCTIONS, OPS, BY_FUNCTION
    before = [dict(table) for table in tables]
    yield
    for table, old in zip(tables, before):
        table.clear()
        table.update(old)


# invented functions ---------------------------------------------------------------------------------------------------
def shared_out(a, axis=0, keepdims=False, order="C"):
    """Stands for a function of C: what Gradscribe is to do is written beside it."""
    a = np.asarray(a)
    shares = a / a.sum(axis=axis, keepdims=True)
    return shares if keepdims else np.moveaxis(shares, axis, -1)


def twice_inverted(a):
    return np.linalg.inv(a) + np.linalg.inv(a).swapaxes(-1, -2)


def twice_inverted_kernel(a, y):
    half = np.empty_like(y)
    failed = lapack.solve(a, np.eye(a.shape[0]), half)
    for i in range(a.shape[0]):
        for j in range(a.shape[0]):
            y[i, j] = half[i, j] + half[j, i]
    return failed


@pytest.fixture(scope="module")
def invented():
    @means(shared_out)
    def shares_of(a, axis=0, keepdims=False):
        axis = known(axis, "it is an axis")
        a = np.asarray(a)
        if a.ndim == 0:
            raise ValueError("nothing to share out")
        shares = a / np.sum(a, axis=axis, keepdims=True)
        return shares if keepdims else np.moveaxis(shares, axis, -1)

    return shares_of


@pytest.mark.heavy(one_in=5)
def test_an_invented_function_written_in_numpy(invented):
    whole_table(lambda x: shared_out(x, 1) ** 2, (np.abs(numbers(2, 3)) + 1.0,))
    whole_table(lambda x: shared_out(x), (np.abs(numbers(4)) + 1.0,))


def test_errors_of_a_library_function_stand_at_the_call(invented):
    def wrong(x):
        return np.sum(shared_out(x))

    def refused(x):
        return np.sum(shared_out(x, order="F"))

    with pytest.raises(ValueError, match="nothing to share out") as raised:
        gs.grad(wrong)(np.array(2.0))
    assert (any("return np.sum(shared_out(x))" in note for note in getattr(raised.value, "__notes__", []))
            or raised.value.gradscribe_origin.text == "shared_out(x)")
    with pytest.raises(GradscribeError, match="shared_out"):
        gs.grad(refused)(np.ones(2))


@pytest.fixture(scope="module")
def inverted():
    """An invented operation of a library: all of it is this block."""
    return host(twice_inverted,
                "(m,m)->(m,m)", kernel=twice_inverted_kernel, fails=((np.linalg.LinAlgError, "Singular matrix"),),
                tangent=lambda y, a, da: -_symmetric(np.linalg.inv(a) @ da @ np.linalg.inv(a)),
                cotangent=lambda g, y, a: -(np.linalg.inv(a).mT @ (g + g.mT) @ np.linalg.inv(a).mT))


def _symmetric(x):
    return x + x.mT


@pytest.mark.heavy(one_in=30)
def test_an_invented_operation_of_a_library(inverted):
    for a in (matrix(3, 3), matrix(2, 3, 3)):
        whole_table(lambda a: twice_inverted(a) * 2.0, (a,))
    agree(lambda a: twice_inverted(a), np.ones((2, 2)))
    agree(lambda a: twice_inverted(a), np.ones((2, 3)))
    assert "twice_inverted(a)" in gs.vmap(lambda a: twice_inverted(a)).source(matrix(4, 3, 3))


def only_one(a):
    if a.ndim != 1:
        raise ValueError("one example at a time")
    return np.cumsum(a[::-1])[::-1]


def only_one_kernel(a, y):
    total = a.dtype.type(0)
    for k in range(a.shape[0] - 1, -1, -1):
        total += a[k]
        y[k] = total
    return 0


@pytest.fixture(scope="module")
def alone():
    return host(only_one, "(m)->(m)", kernel=only_one_kernel, stacked=False,
                tangent=lambda y, a, da: only_one_op(da), cotangent=lambda g, y, a: np.cumsum(g, axis=0))


def only_one_op(x):
    return OPS[f"{only_one.__module__}.only_one"](x)


@pytest.mark.heavy(one_in=5)
def test_an_invented_operation_that_takes_no_stacks(alone):
    whole_table(lambda a: only_one(a) ** 2, (numbers(4),))
    assert "a_k = a[i]" in gs.vmap(lambda a: only_one(a)).source(numbers(3, 4))


def plain_only(a):
    return np.sort(a)


def test_an_operation_without_a_kernel_is_refused_compiled():
    host(plain_only, "(m)->(m)")
    f = lambda a: plain_only(a) * 2.0  # noqa: E731
    np.testing.assert_array_equal(gs.test_util.primal(f)(np.array([2.0, 1.0])), [2.0, 4.0])
    with pytest.raises(GradscribeError, match="plain_only in compiled code"):
        gs.jit(f)(np.ones(2))


def least(a):
    return np.sort(a)


def of_that_shape(a):
    return np.ones(a.shape)


def test_an_operation_without_a_derivative_is_refused_there():
    """A derivative that was forgotten is no 0; where it is 0, the operation says so."""
    host(least, "(m)->(m)")
    host(of_that_shape, "(m)->(m)", tangent=lambda *_: None, cotangent=lambda *_: None)
    x = np.array([2.0, 1.0])

    def f(a):
        return np.sum(least(a) * 2.0)

    for derivative in (lambda: gs.grad(f)(x), lambda: gs.jvp(f, (x,), (x,)), lambda: gs.jit(gs.grad(f))(x)):
        with pytest.raises(GradscribeError, match="the derivative of .*least(.|\n)*np.sum"):
            derivative()
    np.testing.assert_array_equal(gs.grad(lambda a: np.sum(least(gs.stop_gradient(a)) * a))(x), [1.0, 2.0])
    np.testing.assert_array_equal(gs.grad(lambda a: np.sum(of_that_shape(a) * a))(x), [1.0, 1.0])


def test_an_invented_rule():
    del OPS["np.deg2rad"]  # it is entered anew
    elementwise.ufunc(np.deg2rad, lambda y, x: np.pi / 180.0)
    numpy_api.each({np.deg2rad: np.deg2rad})(numpy_api.call_ufunc)
    whole_table(lambda x: np.deg2rad(x) ** 2, (numbers(3),))


# functions written in NumPy -------------------------------------------------------------------------------------------
WRITTEN = {
    "diff": lambda x, v: (np.diff(v), np.diff(x, axis=0), np.diff(x, n=2), np.diff(v, prepend=0.0),
                          np.diff(x, prepend=1.0, append=x[:, :1] * 2.0)),
    "trapezoid": lambda x, v: (np.trapezoid(v), np.trapezoid(x, v), np.trapezoid(x, dx=0.5, axis=0),
                               np.trapezoid(x, x, axis=0), np.trapezoid(v[:2], x)),
    "append": lambda x, v: (np.append(v, 2.0), np.append(x, v), np.append(x, v[None], axis=0)),
    "stacks": lambda x, v: (np.column_stack((x.T, v[:4])), np.dstack((x, x)), *np.split(x, 2, axis=1),
                            *np.array_split(v, 3), *np.split(v, [1, 3])),
    "axes": lambda x, v: (np.atleast_1d(v[0]), *np.atleast_2d(v, x), np.atleast_3d(x), np.flip(x), np.flip(v),
                          np.flipud(x), np.fliplr(x)),
    "roll": lambda x, v: (np.roll(v, 1), np.roll(v, -6), np.roll(x, 1), np.roll(x, -1, axis=1),
                          np.roll(x, (1, 2), axis=(0, 1))),
    "repeat": lambda x, v: (np.tile(v, 2), np.tile(x, (2, 1, 2)), np.repeat(v, 2), np.repeat(x, 3, axis=1),
                            np.repeat(v, [1, 0, 2, 1]), x.repeat(2), np.repeat(x, np.array([2]), 0)),
    "take": lambda x, v: (np.take(v, 2), np.take(v, [1, 1, 3]), np.take(x, [2, 0], axis=0), np.take(x, -1, axis=1),
                          v.take([0, 1])),
    "diagonals": lambda x, v: (np.diag(v), np.diag(v, -2), np.diag(x), np.diagonal(x, 1), np.trace(x), np.trace(x, -1),
                               x.trace(), np.tril(x), np.triu(x, 1), np.tril(v)),
    "products": lambda x, v: (np.kron(x, v), np.kron(v, v), np.cross(x[:, :3], x[:, 1:]), np.cross(v[:3], x[:, :3]),
                              np.tensordot(x, x), np.tensordot(x, v, 1), np.tensordot(v, x, 0)),
    "statistics": lambda x, v: (np.average(v), np.average(x, 1, weights=v * v), np.average(x, weights=x * x + 0.1),
                                np.ptp(x, 0), np.var(x, 0), np.std(x, ddof=1)),
    "meshgrid": lambda x, v: (*np.meshgrid(v, x[0]), *np.meshgrid(v, v[:2], indexing="ij"),
                              *np.meshgrid(v, v[1:], sparse=True)),
    "norm": lambda x, v: (np.linalg.norm(v), np.linalg.norm(x), np.linalg.norm(x, axis=1),
                          np.linalg.norm(x, 1), np.linalg.norm(v, np.inf), np.linalg.norm(v, 3),
                          np.linalg.norm(x, np.inf, keepdims=True), np.linalg.norm(x, "fro", (0, 1))),
    "log2": lambda x, v: (np.log2(x * x + 1.0), np.log2(v * v + 0.5)),
}
X, V = numbers(3, 4), numbers(4)


@pytest.mark.heavy(one_in=23)
@pytest.mark.parametrize("name", WRITTEN)
def test_written_in_numpy(name):
    f = WRITTEN[name]

    def total(x, v):
        return sum([np.sum(np.sin(y) * (1.0 + k)) for k, y in enumerate(f(x, v))])

    agree(f, X, V, compiled=False)
    agree(f, X.astype(np.float32), V.astype(np.float32), compiled=False)
    agree(f, np.asfortranarray(X), np.repeat(V, 3)[::3], compiled=False)
    check_grads(total, (X, V), order=2 if name != "statistics" else 1)
    for chosen in ([0], [0, 1]):
        in_batches(total, (X, V), chosen, wrap=())


@pytest.mark.heavy(one_in=20)
@pytest.mark.parametrize("name", rotating(WRITTEN, 3))
def test_written_in_numpy_compiled(name):
    f = WRITTEN[name]

    def total(x, v):
        return sum([np.sum(np.sin(y) * (1.0 + k)) for k, y in enumerate(f(x, v))])

    agree(f, X, V, compiled="only")
    agree(f, X.astype(np.float32), np.repeat(V, 3)[::3].astype(np.float32), compiled="only")
    check_grads(gs.jit(total), (X, V), order=1, modes=("rev",))


RAISES = [
    lambda x, v: np.diff(v, n=-1), lambda x, v: np.diff(v, axis=1), lambda x, v: np.diff(v[0]),
    lambda x, v: np.diff(x, prepend=v), lambda x, v: np.append(x, v, axis=0), lambda x, v: np.split(v, 3),
    lambda x, v: np.fliplr(v), lambda x, v: np.repeat(v, -1), lambda x, v: np.take(v, 9), lambda x, v: np.diagonal(v),
    lambda x, v: np.diagonal(x, 0, 1, 1), lambda x, v: np.cross(v, v), lambda x, v: np.tensordot(x, v[:3], 1),
    lambda x, v: np.average(x, weights=v), lambda x, v: np.average(v, weights=v * 0.0),
    lambda x, v: np.meshgrid(v, indexing="no"), lambda x, v: np.linalg.norm(v, "fro"),
    lambda x, v: np.linalg.norm(x[None], 1), lambda x, v: np.linalg.norm(x, 7), lambda x, v: np.roll(x, 1, axis=2)]


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("number", range(len(RAISES)))
def test_what_is_raised(number):
    agree(RAISES[number], X, V)


def test_what_nobody_implements_is_refused():
    for f in (lambda x: np.cross(x[:2], x[1:]), lambda x: np.quantile(x, 0.3, method="hazen"),
              lambda x: np.pad(x, 1, "reflect", reflect_type="odd")):
        with pytest.raises(GradscribeError), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            gs.test_util.primal(f)(np.ones(3))


def test_views_are_views_and_copies_copies():
    def f(x, v):
        y, rows = x.copy(), [np.take(x, 1, axis=0), np.roll(v, 0), np.tile(v, 1), np.append(v, 1.0), np.repeat(v, 1)]
        np.flip(y, 1)[0] = v
        np.split(y, 3)[1][0] = 7.0
        np.atleast_2d(v)[0, 0] = 5.0
        for row in rows:
            row[0] = -9.0
        return y, v, x

    def into_a_diagonal(x):
        d = np.diag(x)
        d[0] = 1.0
        return d

    agree(f, X, V)
    agree(into_a_diagonal, X, refused="np.diagonal gives a view that cannot be written to")


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("axis", [1, -2, 7])
@pytest.mark.parametrize("f", [np.sort, np.argsort, lambda x, axis: x.argsort(axis)], ids=["sort", "argsort", "method"])
def test_an_axis_that_is_not_there(f, axis, compiled):
    """Of a vector, too, which has only one to sort along."""
    def sorted_(x):
        return f(x, axis)

    run = (gs.jit(sorted_) if compiled
           else lambda x: gs.value_and_grad(lambda x: (np.sum(x), sorted_(x)), has_aux=True)(x))
    with pytest.raises(np.exceptions.AxisError, match=f"axis {axis} is out of bounds for array of dimension 1"):
        run(np.array([3.0, 1.0, 2.0]))
