"""Complex numbers, with JAX's conventions: values and dtypes are NumPy's, derivatives those of differences along the real and the
imaginary axis."""
import numpy as np
import pytest

import gradscribe as gs
from gradscribe.transformer.api import Primal
from tests.support.agreement import agree, differences

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")
rng = np.random.default_rng(0)
Z = rng.normal(size=5) + 1j * rng.normal(size=5)
X = rng.normal(size=5)
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


def close(a, b):
    np.testing.assert_allclose(a, b, rtol=2e-6, atol=2e-7)


# ---- elementwise: each operation that takes complex numbers, in all quadrants
# in compiled code the first call of each is what takes its time
HOLOMORPHIC = [np.exp, np.expm1, np.log, np.log1p, np.sqrt, np.square, np.exp2, np.log2, np.log10, np.sin, np.cos, np.tan, np.sinh, np.cosh, np.tanh,
               np.arcsin, np.arccos, np.arctan, np.arcsinh, np.arctanh, np.negative, np.conj]


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
@pytest.mark.parametrize("left, right", [(Z, Z[::-1] + 0.3), (Z, np.abs(X) + 0.2), (np.abs(X) + 0.2, Z), (Z, 2), (Z, 1.5), (2.5, Z), (Z, 0.5 - 1j),
                                         (Z, Z[0]), (np.arange(1, 6), Z), (Z.astype(np.complex64), X.astype(np.float32))])
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


# ---- programs
def parts(z):
    return np.sum(z.real * z.imag + np.imag(z) ** 2 - np.real(z))

def absolute(z):
    return np.sum(np.abs(z) ** 1.5) + abs(z[0]) + np.sum(np.absolute(z))

def angles(z):
    return np.sum(np.angle(z) * np.arange(5)) + np.angle(z[0], deg=True)

def phases(x):
    return np.abs(np.sum(np.exp(2j * np.pi * np.outer(np.arange(3), x)) @ x)) ** 2

def loop(z):
    s = 0j
    for k in range(len(z)):
        s = s * z[k] + 1j
        if s.real > 0:
            s = s / 2
    return s.real * s.imag

def accumulator(z):
    s = 0.0
    for v in z:
        s += (v * np.conj(v)).real
    return s

def stores(z):
    w = np.zeros(len(z), dtype=complex)
    w[1:] = z[:-1] * 1j
    w[0] += z[0].conjugate()
    w[2] *= w[1]
    w[w.real > 0] = 0.5j
    return np.sum(np.abs(w) ** 2)

def products(z):
    B = np.outer(z, z.conj())
    return np.real(np.trace(B @ B)) + np.real(np.vdot(z, z[::-1])) + np.imag(np.dot(z, z)) + np.abs(np.inner(z, z))

def joined(z):
    w = np.concatenate([z, z[:2] * 2j, np.ones(2)])
    v = np.stack([w, w.conj()]).reshape(-1, 3).T
    return np.sum(np.abs(np.where(v.real > 0, v, v * 1j))) + np.mean(v.imag)

def roots(z):
    w = z
    for k in range(4):
        w = w - (w ** 3 - 1) / (3 * w ** 2 + 0.1)
    return np.sum(np.abs(w - 1) ** 2)

def solved(z):
    M = np.outer(z, z) + 4.0 * np.eye(5)
    x = np.linalg.solve(M, z)
    return np.sum(np.abs(x) ** 2) + np.abs(np.linalg.inv(M)[0, 1])

def python_numbers(z):
    c = complex(z[0].real, 2.0)
    d = c * (1 + 2j) ** 2 / 3j
    return abs(d) + d.conjugate().imag + (c == c) + bool(c)

def dicts(z):
    p = {"a": z * 1j, "b": [z[0], 2.0]}
    return np.sum(np.abs(p["a"] + p["b"][0]))

def mandelbrot(z):
    w, n = z * 0, 0
    while n < 20 and np.all(np.abs(w) < 2):
        w = w * w + z * 0.4
        n += 1
    return np.sum(np.abs(w))

def distances(z):
    return np.var(z) + np.std(z, ddof=1) + np.linalg.norm(z) + np.linalg.norm(z, 1) + np.linalg.norm(np.outer(z, z)) + np.linalg.vecdot(z, z[::-1]).imag

def moved(z):
    A = np.outer(z, np.arange(1.0, 4.0))
    B = np.tril(A[:3]) + np.rot90(A[:3] * 1j)
    C = np.linalg.matrix_power(B, 3) + np.kron(z[:3], z[:3]).reshape(3, 3) + np.diag(z[2:])
    w = np.repeat(np.insert(z, 1, 2j), 2)
    return np.sum(np.abs(np.concatenate([C.ravel(), w, np.pad(z, 1)])) ** 2) + np.average(z, weights=np.arange(1, 6)).imag

def convolved(z):
    return np.sum(np.abs(np.einsum("i,j->ij", z, z.conj())) ** 2) + np.abs(np.tensordot(z, z, 1)) + np.sum(np.meshgrid(z, z)[1].imag)

def cumulated(z):
    return np.abs(np.cumsum(z)[-2] * np.diff(z)[0]) + np.sum(np.roll(z, 1).real * np.flip(z).imag)

PROGRAMS = [parts, absolute, angles, loop, accumulator, stores, products, joined, roots, solved, python_numbers, dicts, mandelbrot, cumulated, distances, moved, convolved]


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


ODD = [complex(a, b) for a in (-1.0, 0.0, -0.0, 2.0, np.inf, -np.inf, np.nan) for b in (-1.0, 0.0, -0.0, 2.0, np.inf, -np.inf, np.nan)]


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("f", [lambda z: np.sort(z), lambda z: np.sort(z, 0), lambda z: np.sort(z, None), lambda z: np.argsort(z, kind="stable"),
                               lambda z: z.argsort(0, kind="stable"), lambda z: np.argsort(z, None, kind="stable"), lambda z: np.sort_complex(z)])
def test_sorted_as_numpy_sorts_them(f):
    """With infinities and what is not a number: by the real parts, then by the imaginary ones."""
    odd, primal = np.random.default_rng(0).permutation(ODD), gs.test_util.primal(f)
    for z in (odd, odd.reshape(7, 7), odd[:12].reshape(2, 3, 2), odd[:1], odd[:0], odd[:0].reshape(0, 3), odd.astype(np.complex64)):
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
        return np.unique(z), *np.unique(np.round(z.real) + 1j * np.round(z.imag), return_inverse=True, return_counts=True)

    assert agree(in_place, Z) and agree(unique, np.concatenate([Z, Z[::-1]]), compiled=False)
    assert gs.test_util.primal(lambda z: np.unique(z))(np.array(ODD)).size == np.unique(np.array(ODD)).size
    for x in (np.array([3, 1, 2]), np.array([3, 1], np.int8), np.array([3.0, 1.0], np.float32), np.array([True, False])):
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


REFUSED = [(lambda z: np.max(z).real, "of complex numbers"), (lambda z: np.sum(z), "holomorphic=True"), (lambda z: np.sum(z.astype(float)), "imaginary part"),
           (lambda z: np.sum(np.maximum(z, 0).real), "of complex numbers"),
           (lambda z: np.sum((z > 0) * z.real), "of complex numbers"), (lambda z: np.sum(np.sign(z).real), "of complex numbers"),
           (lambda z: np.ptp(z).real, "of complex numbers"), (lambda z: np.sum(np.arccosh(z).real), "of complex numbers"),
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
    for z in (1j, -1j, complex(0.0, -1.0), complex(-0.0, 1.0), 1 + 2j, -1 - 2j, complex(-0.0, -0.0), complex(np.inf, 1.0), 0j):
        from gradscribe.transformer.core.terms import complex_text
        assert repr(eval(complex_text(z), {"np": np})) == repr(z), z


# ---- compiled
@pytest.mark.heavy(one_in=31)
@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_compiled_programs(f):
    value, found = gs.jit(gs.value_and_grad(f))(Z)
    assert value == pytest.approx(f(Z), rel=1e-11)
    np.testing.assert_allclose(found, gs.grad(f)(Z), rtol=1e-10, atol=1e-13)


SPECIAL = np.array([0j, 1 + 0j, -1 + 0j, 1j, -1j, complex(np.inf, 0), complex(0, np.inf), complex(np.nan, 1), complex(-0.0, 0.0), complex(-1, -0.0), 1e200 + 1e200j, 1e-200j,
                    complex(np.inf, np.inf), 3 - 2j, -40 + 1j, 0.3 + 700j])


def same(got, want):
    assert got.dtype == want.dtype and got.shape == want.shape
    if want.dtype == bool:
        return np.testing.assert_array_equal(got, want)
    scale = 1e-12 if want.dtype in (np.complex128, np.float64) else 1e-5
    with np.errstate(all="ignore"):
        good = (got == want) | (np.isnan(got) & np.isnan(want)) | (np.abs(got - want) <= scale * np.abs(want))
    assert good.all(), [(g, w) for g, w in zip(got[~good], want[~good])]


@pytest.mark.heavy(one_in=8)
@pytest.mark.parametrize("f", [*HOLOMORPHIC, np.abs, np.isnan, np.isinf, np.isfinite, np.real, np.imag, np.angle, np.logical_not], ids=lambda f: f.__name__)
def test_compiled_functions(f):
    compiled = gs.jit(lambda z: f(z))
    # a * a - b * b of two overflows is nan, and an infinity where the processor fuses a product with the difference, as NumPy's own
    # loops do by the machine
    special = SPECIAL[np.abs(SPECIAL) != np.abs(1e200 + 1e200j)] if f is np.square else SPECIAL
    for z in (special, Z * 3, special.astype(np.complex64)):
        same(compiled(z), np.asarray(f(z)))


@pytest.mark.heavy(one_in=5)
@pytest.mark.parametrize("f", [np.add, np.subtract, np.multiply, np.divide, np.power, np.equal, np.not_equal, np.logical_and], ids=lambda f: f.__name__)
def test_compiled_operators(f):
    compiled = gs.jit(lambda a, b: f(a, b))
    a, b = (np.concatenate([rng.normal(size=40) + 1j * rng.normal(size=40)]) for _ in range(2))
    b[:5], a[3:8], b[10:20] = 0, 0, [1, 2, 3, -1, -2, 0.5, 99, -3, 1, 2j]
    for dtype in (np.complex128, np.complex64):
        same(compiled(a.astype(dtype), b.astype(dtype)), f(a.astype(dtype), b.astype(dtype)))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_compiled_quotients_by_real_numbers_are_those_of_numpy():
    few = np.array([0.0, -0.0, 1.5, -2.5, np.inf, -np.inf, np.nan])
    x, y, r = [v.ravel() for v in np.meshgrid(few, few, np.append(few, [3.0, -1e30, 1e-30]))]
    compiled = gs.jit(lambda *pairs: [z / r for z, r in pairs])
    pairs = [((x + 1j * y).astype(t), r.astype(s)) for t in (np.complex128, np.complex64) for s in (np.float64, np.float32)]
    pairs.append((Z, np.arange(Z.size).reshape(Z.shape) - 2))
    for got, (z, r) in zip(compiled(*pairs), pairs, strict=True):
        want = z / r
        assert got.dtype == want.dtype
        for g, w in ((got.real, want.real), (got.imag, want.imag)):
            np.testing.assert_array_equal(g, w)
            assert (np.signbit(g) == np.signbit(w))[w == 0].all()


@pytest.mark.heavy(one_in=4)
@pytest.mark.parametrize("left, right", [((3, 4), (4, 5)), ((4,), (4, 5)), ((3, 4), (4,)), ((2, 3, 4), (4, 5)), ((2, 3, 4), (2, 4, 5)), ((0, 4), (4, 2)), ((3, 0), (0, 2))])
def test_compiled_products(left, right):
    compiled = gs.jit(lambda a, b: a @ b)
    a, b = (rng.normal(size=s) + 1j * rng.normal(size=s) for s in (left, right))
    for x in (a, np.asfortranarray(a), np.repeat(a, 2, axis=-1)[..., ::2], a.astype(np.complex64)):
        same(compiled(x, b), x @ b)
    same(compiled(a, b.real), a @ b.real)


def summed(z):
    s = 0j
    for n in range(3):
        s = s + z / (n + 1)
        s -= n
    return s


def test_a_sum_of_a_loop_compiles():
    for z in (1 + 2j, np.complex64(1 + 2j)):
        got = gs.jit(summed)(z)
        assert got == pytest.approx(summed(z)) and type(got) is type(summed(z))


def stored(x, z):
    x[0] = z


def filled(x, z):
    x[:] = z


@pytest.mark.parametrize("store", [stored, filled, lambda x, z: x.fill(z), lambda x, z: np.add.at(x, [0, 1], z), lambda x, z: np.full_like(x, z), lambda x, z: np.put(x, [0], z)],
                         ids=["item", "slice", "fill", "add.at", "full_like", "put"])
def test_a_store_that_drops_the_imaginary_part_is_refused(store):
    for f in (Primal(store), gs.jit(store)):
        with pytest.raises(gs.GradscribeError, match="imaginary part"):
            f(X.copy(), Z[0])
    for f in (Primal(stored), gs.jit(filled)):  # which Python's numbers are to NumPy, too
        with pytest.raises(TypeError, match="not 'complex'"):
            f(X.copy(), 1j)


PYTHON_POWERS = [lambda z: z ** 2, lambda z: z ** 7.0, lambda z: z ** -1, lambda z: z ** -3, lambda z: z ** 0, lambda z: z ** (2 + 0j), lambda z: z ** 1]


def outcome(f, *args):
    try:
        return repr(f(*args))
    except ArithmeticError as error:
        return type(error), str(error)


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("f", PYTHON_POWERS)
def test_powers_of_pythons_numbers(f):
    for z in (1 + 2j, complex(1, -0.0), 0j, 1e200 + 0j, 1e-200 + 0j, complex("inf")):
        assert outcome(Primal(f), z) == outcome(gs.jit(f), z) == outcome(f, z)


def test_powers_of_pythons_numbers_that_are_no_whole_ones():
    power = Primal(lambda z, w: (z ** w, w ** z, z / 1j))
    for z, w in ((1 + 2j, 2.5), (2.0, 1j), (2, 1j), (1j, 1 - 1j)):
        assert power(z, w) == (z ** w, w ** z, z / 1j)


def exactly(got, want):
    """To the signs of zeros, and the places of nan."""
    parts = [np.stack([np.asarray(v).real, np.asarray(v).imag]) for v in (got, want)]
    np.testing.assert_array_equal(*parts)
    np.testing.assert_array_equal(*[np.signbit(np.where(np.isnan(p), 0, p)) for p in parts])


IDENTITIES = [lambda z: z * 1, lambda z: -1 * z, lambda z: z / 1, lambda z: z + z, lambda z: -(z * -z), lambda z: z ** 1, lambda z: z ** 2, lambda z: z ** 3, lambda z: z ** -1,
              lambda z: np.sqrt(z * -1)]


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("f", IDENTITIES)
def test_what_is_an_identity_of_floats_alone(f):
    """(1+0j) * -1 is -1+0j, above the branch cut of the root, and -(1+0j) below it."""
    z = np.array([complex(x, y) for x in (0.0, -0.0, 1.0, -2.0, np.inf) for y in (0.0, -0.0, 2.0, -np.inf, np.nan)])
    with np.errstate(all="ignore"):
        for g in (Primal(f), gs.jit(f)):
            exactly(g(z), f(z))
            exactly([g(v) for v in z], [f(v) for v in z])


def constants(x):
    return x * 2, {"k": 1.5j}


def test_a_constant_of_the_result_is_a_number():
    """Its tangent is 0, and each example has it."""
    assert gs.jvp(constants, (2.0,), (1.0,)) == ((4.0, {"k": 1.5j}), (2.0, {"k": 0j}))
    close(gs.vmap(constants)(X)[1]["k"], np.full(5, 1.5j))


def listed(z):
    out = []
    for v in z:
        out.append(v * v.conj())
    return np.array(out).sum().real


def goertzel(x):
    """What starts as Python's float is NumPy's complex number, and a float again, by the path."""
    s = t = 0.0
    for v in x:
        s, t = v + 0.5 * s - t, s
    return s - np.exp(-0.3j) * t


def test_numbers_that_begin_as_pythons():
    close(gs.grad(listed)(Z), 2 * np.conj(Z))
    tangent = np.cos(X)
    for f in (goertzel, gs.jit(goertzel)):
        value, found = gs.jvp(f, (X,), (tangent,))
        close(value, goertzel(X))
        close(found, goertzel(tangent))


def joined(flag, z):
    w = z * 2 if flag else np.conj(z)
    return w * z


def test_pythons_number_on_one_path_and_numpys_on_another():
    for f in (Primal(joined), gs.jit(joined)):
        for flag in (True, False):
            got = f(flag, 1 + 2j)
            assert got == joined(flag, 1 + 2j) and type(got) is type(joined(flag, 1 + 2j))


def test_pythons_number_does_not_widen_a_choice():
    single = Z.astype(np.complex64)
    got = Primal(lambda z: np.select([z.real > 0], [z], 1j))(single)
    exactly(got, np.select([single.real > 0], [single], 1j))
    assert got.dtype == np.complex64
