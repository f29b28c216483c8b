"""Complex numbers in compiled code, and numbers that begin as Python's."""
import numpy as np
import pytest

import gradscribe as gs
from gradscribe.transformer.api import Primal
from tests.library.complex_numbers import HOLOMORPHIC, PROGRAMS, X, Z, close

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")
rng = np.random.default_rng(0)


# ---- compiled
@pytest.mark.heavy(one_in=31)
@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_compiled_programs(f):
    value, found = gs.jit(gs.value_and_grad(f))(Z)
    assert value == pytest.approx(f(Z), rel=1e-11)
    np.testing.assert_allclose(found, gs.grad(f)(Z), rtol=1e-10, atol=1e-13)


SPECIAL = np.array([0j, 1 + 0j, -1 + 0j, 1j, -1j, complex(np.inf, 0), complex(0, np.inf), complex(np.nan, 1),
                    complex(-0.0, 0.0), complex(-1, -0.0), 1e200 + 1e200j, 1e-200j,
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
@pytest.mark.parametrize("f", [*HOLOMORPHIC, np.abs, np.isnan, np.isinf, np.isfinite, np.real, np.imag, np.angle,
                               np.logical_not], ids=lambda f: f.__name__)
def test_compiled_functions(f):
    compiled = gs.jit(lambda z: f(z))
    # a * a - b * b of two overflows is nan, and an infinity where the processor fuses a product with the difference, as
    # NumPy's own loops do by the machine
    special = SPECIAL[np.abs(SPECIAL) != np.abs(1e200 + 1e200j)] if f is np.square else SPECIAL
    for z in (special, Z * 3, special.astype(np.complex64)):
        same(compiled(z), np.asarray(f(z)))


@pytest.mark.heavy(one_in=5)
@pytest.mark.parametrize("f", [np.add, np.subtract, np.multiply, np.divide, np.power, np.equal, np.not_equal,
                               np.logical_and], ids=lambda f: f.__name__)
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
    pairs = [((x + 1j * y).astype(t), r.astype(s)) for t in (np.complex128, np.complex64)
             for s in (np.float64, np.float32)]
    pairs.append((Z, np.arange(Z.size).reshape(Z.shape) - 2))
    for got, (z, r) in zip(compiled(*pairs), pairs, strict=True):
        want = z / r
        assert got.dtype == want.dtype
        for g, w in ((got.real, want.real), (got.imag, want.imag)):
            np.testing.assert_array_equal(g, w)
            assert (np.signbit(g) == np.signbit(w))[w == 0].all()


@pytest.mark.heavy(one_in=4)
@pytest.mark.parametrize("left, right", [((3, 4), (4, 5)), ((4,), (4, 5)), ((3, 4), (4,)), ((2, 3, 4), (4, 5)),
                                         ((2, 3, 4), (2, 4, 5)), ((0, 4), (4, 2)), ((3, 0), (0, 2))])
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


@pytest.mark.parametrize("store", [stored, filled, lambda x, z: x.fill(z), lambda x, z: np.add.at(x, [0, 1], z),
                                   lambda x, z: np.full_like(x, z), lambda x, z: np.put(x, [0], z)],
                         ids=["item", "slice", "fill", "add.at", "full_like", "put"])
def test_a_store_that_drops_the_imaginary_part_is_refused(store):
    for f in (Primal(store), gs.jit(store)):
        with pytest.raises(gs.GradscribeError, match="imaginary part"):
            f(X.copy(), Z[0])
    for f in (Primal(stored), gs.jit(filled)):  # which Python's numbers are to NumPy, too
        with pytest.raises(TypeError, match="not 'complex'"):
            f(X.copy(), 1j)


PYTHON_POWERS = [lambda z: z ** 2, lambda z: z ** 7.0, lambda z: z ** -1, lambda z: z ** -3, lambda z: z ** 0,
                 lambda z: z ** (2 + 0j), lambda z: z ** 1]


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


IDENTITIES = [lambda z: z * 1, lambda z: -1 * z, lambda z: z / 1, lambda z: z + z, lambda z: -(z * -z),
              lambda z: z ** 1, lambda z: z ** 2, lambda z: z ** 3, lambda z: z ** -1, lambda z: np.sqrt(z * -1)]


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
