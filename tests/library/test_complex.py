"""Complex numbers, with JAX's conventions: values and dtypes are NumPy's,
derivatives those of differences along the real and the imaginary axis."""
import numpy as np
import pytest

import gradscribe as gs
from tests.library.complex_numbers import HOLOMORPHIC, PROGRAMS, X, Z, absolute, close, parts, products, roots, solved
from tests.support.agreement import agree, differences

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")
rng = np.random.default_rng(0)
A = rng.normal(size=(3, 3)) + 1j * rng.normal(size=(3, 3))
STEP = 1e-6


def slope(f, z, direction):
    return (f(z + STEP * direction) - f(z - STEP * direction)) / (2 * STEP)


def gradient(f, z):
    """df/dx - i df/dy of a real f, element by element; df/dx where z is real."""
    z, out = np.asarray(z), np.zeros(np.shape(z), complex)
    for at in np.ndindex(*z.shape):
        unit = np.zeros_like(z)
        unit[at] = 1
        out[at] = slope(f, z, unit) - (1j * slope(f, z, 1j * unit) if z.dtype.kind == "c" else 0)
    return out if z.dtype.kind == "c" else out.real


@pytest.mark.parametrize("f", HOLOMORPHIC, ids=lambda f: f.__name__)
def test_functions_of_one(f):
    for dtype in (np.complex128, np.complex64):
        value = gs.jvp(lambda z: f(z), (Z.astype(dtype),), (Z.astype(dtype),))[0]
        assert value.dtype == f(Z.astype(dtype)).dtype and np.array_equal(value, f(Z.astype(dtype)))
    tangent = np.exp(1j * np.arange(5.0))
    close(gs.jvp(lambda z: f(z), (Z,), (tangent,))[1], slope(f, Z, tangent))
    loss = lambda z: np.sum(np.real(f(z)) * np.arange(1.0, 6.0) + np.imag(f(z)) ** 2)
    close(gs.grad(loss)(Z), gradient(loss, Z))
    if f is not np.conj:
        close(gs.grad(lambda z: f(z), holomorphic=True)(Z[1]), slope(f, Z[1], 1.0))
        close(gs.grad(lambda z: f(z), holomorphic=True)(Z[2]), slope(f, Z[2], 1j) / 1j)
        second = gs.grad(gs.grad(lambda z: f(z), holomorphic=True), holomorphic=True)(Z[1])
        close(second, slope(lambda z: gs.grad(lambda z: f(z), holomorphic=True)(z), Z[1], 1.0))


OPERATORS = [lambda a, b: a + b, lambda a, b: a - b, lambda a, b: a * b, lambda a, b: a / b, lambda a, b: a ** b]


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("f", OPERATORS, ids="+ - * / **".split())
@pytest.mark.parametrize("left, right", [(Z, Z[::-1] + 0.3), (Z, np.abs(X) + 0.2), (np.abs(X) + 0.2, Z),
                                         (Z, 2), (Z, 1.5), (2.5, Z), (Z, 0.5 - 1j), (Z, Z[0]), (np.arange(1, 6), Z),
                                         (Z.astype(np.complex64), X.astype(np.float32))])
def test_operators(f, left, right):
    value = f(left, right)
    got = gs.jvp(f, (left, right), (np.zeros_like(left) if isinstance(left, np.ndarray) else type(left)(0),
                                    np.zeros_like(right) if isinstance(right, np.ndarray) else type(right)(0)))[0]
    assert got.dtype == value.dtype and np.array_equal(got, value)
    if value.dtype == np.complex64:
        return
    loss = lambda a, b: np.sum(np.abs(f(a, b)) ** 2 + np.real(f(a, b)) * 0.3)
    for k, x in enumerate((left, right)):
        if np.asarray(x).dtype.kind in "fc":
            of = (lambda y: loss(y, right)) if k == 0 else (lambda y: loss(left, y))
            found = gs.grad(loss, k)(left, right)
            assert np.asarray(found).dtype == np.asarray(x).dtype
            close(found, gradient(of, x))


def phases(x):
    return np.abs(np.sum(np.exp(2j * np.pi * np.outer(np.arange(3), x)) @ x)) ** 2


@pytest.mark.heavy(one_in=3)
@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_programs(f):
    value, found = gs.value_and_grad(f)(Z)
    want = f(Z)
    assert type(value) is type(want) and value == pytest.approx(want, rel=1e-12)
    assert found.dtype == Z.dtype
    close(found, gradient(f, Z))
    tangent = np.exp(1j * np.arange(5.0))
    close(gs.jvp(f, (Z,), (tangent,))[1], slope(f, Z, tangent))
    close(np.real(np.sum(found * tangent)), slope(f, Z, tangent))
    both = np.stack([Z, Z[::-1] * 1.1])
    close(gs.vmap(gs.grad(f))(both), [gradient(f, z) for z in both])


@pytest.mark.parametrize("f", [parts, absolute, roots, solved, products], ids=lambda f: f.__name__)
def test_second_order(f):
    """The Hessian in the real and the imaginary parts."""
    real = lambda xy: f(xy[:5] + 1j * xy[5:])
    at = np.concatenate([Z.real, Z.imag])
    hessian = gs.hessian(real)(at)
    close(hessian, np.stack([slope(lambda y: gs.grad(real)(y), at, e) for e in np.eye(10)], axis=1))
    close(hessian, hessian.T)


def test_real_arguments():
    close(gs.grad(phases)(X), gradient(phases, X))
    close(gs.jacfwd(lambda x: np.exp(1j * x) * x)(X), np.diag((1j * X + 1) * np.exp(1j * X)))
    close(gs.jacrev(lambda z: np.abs(z))(Z), np.diag(np.conj(Z) / np.abs(Z)))
    close(gs.jacrev(lambda z: z * z, holomorphic=True)(Z), np.diag(2 * Z))
    close(gs.jacfwd(lambda z: z * z, holomorphic=True)(Z), np.diag(2 * Z))


def test_vjp_is_linear_without_conjugation():
    """As jax.vjp: the cotangent times the derivative, and the real part of it where the argument is real."""
    out, pull = gs.vjp(lambda z, x: np.sin(z) * x, Z, X)
    g = np.exp(1j * np.arange(5.0))
    z_bar, x_bar = pull(g)
    close(z_bar, g * np.cos(Z) * X)
    close(x_bar, np.real(g * np.sin(Z)))
    assert x_bar.dtype == np.float64
    close(gs.vjp(np.conj, Z)[1](g)[0], np.conj(g))
    close(gs.vjp(lambda z: z.imag, Z)[1](X)[0], -1j * X)


def test_zero_has_the_slope_of_jax():
    close(gs.grad(lambda z: np.abs(z))(0j), 0)
    close(gs.grad(lambda z: np.abs(z) ** 2)(0j), 0)
    close(gs.grad(lambda z: (z ** 2).real)(0j), 0)


ODD = [complex(a, b) for a in (-1.0, 0.0, -0.0, 2.0, np.inf, -np.inf, np.nan)
       for b in (-1.0, 0.0, -0.0, 2.0, np.inf, -np.inf, np.nan)]


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("f", [lambda z: np.sort(z), lambda z: np.sort(z, 0), lambda z: np.sort(z, None),
                               lambda z: np.argsort(z, kind="stable"), lambda z: z.argsort(0, kind="stable"),
                               lambda z: np.argsort(z, None, kind="stable"), lambda z: np.sort_complex(z)])
def test_sorted_as_numpy_sorts_them(f):
    """With infinities and what is not a number: by the real parts, then by the imaginary ones."""
    odd, primal = np.random.default_rng(0).permutation(ODD), gs.test_util.primal(f)
    for z in (odd, odd.reshape(7, 7), odd[:12].reshape(2, 3, 2), odd[:1], odd[:0], odd[:0].reshape(0, 3),
              odd.astype(np.complex64)):
        got, want = primal(z), f(z)
        assert got.dtype == want.dtype
        np.testing.assert_array_equal(got.real, want.real)
        np.testing.assert_array_equal(got.imag, want.imag)


def test_sorted_in_place_and_from_what_is_no_complex_number():
    def in_place(z):
        z = z.copy()
        z.sort()
        return z, np.partition(z, 1)[1]

    def unique(z):
        return (np.unique(z),
                *np.unique(np.round(z.real) + 1j * np.round(z.imag), return_inverse=True, return_counts=True))

    assert agree(in_place, Z) and agree(unique, np.concatenate([Z, Z[::-1]]), compiled=False)
    assert gs.test_util.primal(lambda z: np.unique(z))(np.array(ODD)).size == np.unique(np.array(ODD)).size
    for x in (np.array([3, 1, 2]), np.array([3, 1], np.int8), np.array([3.0, 1.0], np.float32),
              np.array([True, False])):
        assert agree(lambda x: np.sort_complex(x), x, compiled=False)


def energies(b):
    """The eigenvalues of a matrix that is not Hermitian, the ones that decay least first."""
    return np.sort(np.linalg.eigvals(np.array([[0.0, 1.0], [1.0, 0.5]]) + 1j * np.diag(b)))


@pytest.mark.heavy(one_in=4)
def test_slopes_of_sorted_numbers():
    first = lambda b: np.abs(energies(b)[0]) ** 2  # noqa: E731
    b = np.array([0.3, -0.2])
    close(gs.grad(first)(b), differences(first, (b,), 0))
    close(gs.jit(gs.grad(first))(b), gs.grad(first)(b))
    close(gs.vmap(energies)(np.stack([b, 2 * b])), [energies(b), energies(2 * b)])


def test_the_largest_is_numpy_s():
    """The real part decides, between equal ones the imaginary part; the slope goes to that one alone."""
    z = np.array([[0.5 + 1j, 2.0 - 1j, 2.0 + 0.5j], [-1.0 + 0j, 0.25j, -3.0 + 2j]])
    for f in (lambda z: np.abs(np.max(z)) ** 2, lambda z: np.abs(np.min(z)) ** 2,
              lambda z: np.sum(np.abs(np.max(z, axis=0)) ** 2 * np.arange(1.0, 4.0))):
        close(gs.jit(f)(z), f(z))
        close(gs.grad(f)(z), gs.jit(gs.grad(f))(z))
        close(gs.vmap(f)(np.stack([z, -z])), [f(z), f(-z)])
    close(gs.grad(lambda z: np.abs(np.max(z)) ** 2)(z), np.where(z == 2.0 + 0.5j, 2 * np.conj(z), 0))
    close(gs.grad(lambda z: np.abs(np.min(z)) ** 2)(z), np.where(z == -3.0 + 2j, 2 * np.conj(z), 0))
    best = lambda z: np.abs(np.max(z, axis=0)) ** 2 @ np.arange(1.0, 4.0)
    close(gs.grad(best)(z + 0.01j * np.arange(6).reshape(2, 3)), gradient(best, z + 0.01j * np.arange(6).reshape(2, 3)))


REFUSED = [(lambda z: np.sum(z), "holomorphic=True"), (lambda z: np.sum(z.astype(float)), "imaginary part"),
           (lambda z: np.sum(np.maximum(z, 0).real), "of complex numbers"),
           (lambda z: np.sum((z > 0) * z.real), "of complex numbers"),
           (lambda z: np.sum(np.sign(z).real), "of complex numbers"), (lambda z: np.ptp(z).real, "of complex numbers"),
           (lambda z: np.sum(np.round(z).real), "complex"),
           (lambda z: np.median(z).real, "complex"), (lambda z: np.sum(np.nan_to_num(z).real), "complex")]


@pytest.mark.parametrize("f, says", REFUSED)
def test_what_has_no_rule_for_them_says_so(f, says):
    with pytest.raises(gs.GradscribeError, match=says):
        gs.grad(f)(Z)


def test_what_does_not_fit():
    with pytest.raises(gs.GradscribeError, match="holomorphic"):
        gs.grad(lambda x: np.sum(x), holomorphic=True)(X)
    with pytest.raises(gs.GradscribeError, match="same shape and dtype"):
        gs.jvp(lambda x: np.sum(x), (X,), (Z,))
    with pytest.raises((gs.GradscribeError, TypeError, ValueError)):
        gs.vjp(lambda x: x * 2, X)[1](Z)
    with pytest.raises(TypeError):
        gs.grad(lambda z: float(z))(1j)
    with pytest.raises(TypeError):
        gs.grad(lambda z: (z if z > 0 else z * 2).real)(1j)
    with pytest.raises(gs.GradscribeError, match="real part|imaginary part|same memory"):
        gs.grad(lambda z: stored_into_a_part(z))(Z)


def stored_into_a_part(z):
    w = z.copy()
    w.real[0] = 1.0
    return np.sum(np.abs(w))


def test_a_part_is_a_view():
    def f(z):
        w = z.copy()
        r = w.real
        w[0] = 5.0 + 1j
        return np.sum(r * r)
    with pytest.raises(gs.GradscribeError, match="may share memory"):
        gs.grad(f)(Z)


def test_a_part_that_is_copied():
    def f(z):
        w = z.copy()
        r = w.real + 0.0
        w[0] = 5.0 + 1j
        return np.sum(r * r) + np.abs(w[0])
    close(gs.value_and_grad(f)(Z)[0], f(Z))
    close(gs.grad(f)(Z), gradient(f, Z))


def test_constants_are_written_with_the_signs_of_their_zeros():
    for z in (1j, -1j, complex(0.0, -1.0), complex(-0.0, 1.0), 1 + 2j, -1 - 2j, complex(-0.0, -0.0),
              complex(np.inf, 1.0), 0j):
        from gradscribe.transformer.core.terms import complex_text
        assert repr(eval(complex_text(z), {"np": np})) == repr(z), z


CUT = [lambda z: np.arcsin(z), lambda z: np.arccos(z), lambda z: np.arctan(z), lambda z: np.arcsinh(z),
       lambda z: np.arccosh(z), lambda z: np.arctanh(z), lambda z: np.sqrt(z), lambda z: np.log(z)]
SIDES = [complex(x, y) for x in (0.0, -0.0) for y in (0.5, 2, -2)]
SIDES += [complex(x, y) for x in (0.5, 2, -2) for y in (0.0, -0.0)]


@pytest.mark.parametrize("f", CUT)
def test_on_a_branch_cut_the_sign_of_0_says_on_which_side(f):
    z = np.array(SIDES)
    side = np.where(z.real == 0, np.copysign(1.0, z.real), 1j * np.copysign(1.0, z.imag))
    for way in (gs.test_util.primal, gs.jit):
        np.testing.assert_allclose(way(f)(z), f(z), rtol=1e-14)
        np.testing.assert_allclose(way(gs.vmap(gs.grad(f, holomorphic=True)))(z),
                                   (f(z + STEP * side) - f(z)) / (STEP * side), atol=1e-5)
