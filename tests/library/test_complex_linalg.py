"""np.linalg and scipy.linalg of complex matrices: values and what is raised are NumPy's,
derivatives those of differences."""
import numpy as np
import pytest
from scipy import linalg as sl

import gradscribe as gs
from gradscribe import GradscribeError
from gradscribe.test_util import primal

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")
RNG = np.random.default_rng(0)
L = np.linalg


def numbers(*shape):
    return RNG.normal(size=shape) + 1j * RNG.normal(size=shape)


SQUARE, TALL, WIDE, STACK, TALLS = numbers(3, 3), numbers(4, 3), numbers(3, 4), numbers(2, 3, 3), numbers(2, 4, 2)


def positive(a):
    return a @ np.conj(np.swapaxes(a, -1, -2)) + np.eye(a.shape[-1])


def without_phases(w, v):
    """Of eigenvectors what does not depend on numbers of absolute value 1 that each is multiplied by."""
    return w, np.abs(v) ** 2, v[..., :, :1] @ np.conj(np.swapaxes(v[..., :, :1], -1, -2))


def of_factors(u, s, vt):
    return s, np.abs(u) ** 2, np.abs(vt), u[..., :, :1] @ vt[..., :1, :]


def transposes(a):
    return sum([sl.solve_triangular(a + 3.0 * np.eye(3), a, trans=trans, lower=lower) for trans in (0, "T", 2, "C")
                for lower in (True, False)])


def halves(a):
    return (sl.solve(a, a[0], assume_a="her") + sl.solve(a, a[:, 0], assume_a="her", lower=True)
            + sl.solve(a, a[1], assume_a="sym") + sl.solve(positive(a), a[1], assume_a="pos"))


FUNCTIONS = {
    "eigh": (lambda a: without_phases(*L.eigh(a)), SQUARE),
    "eigh, upper": (lambda a: without_phases(*L.eigh(a, "U")), SQUARE),
    "eigh, stack": (lambda a: without_phases(*L.eigh(a)), STACK),
    "eigvalsh": (lambda a: L.eigvalsh(a) * L.eigvalsh(a, "U"), SQUARE),
    "eigvalsh, stack": (lambda a: L.eigvalsh(a), STACK),
    "cholesky": (lambda a: L.cholesky(a + 5.0 * np.eye(3)) + L.cholesky(positive(a)), SQUARE),
    "cholesky, upper": (lambda a: L.cholesky(a + 5.0 * np.eye(3), upper=True), SQUARE),
    "cholesky, stack": (lambda a: L.cholesky(positive(a)), STACK), "det": (lambda a: L.det(a), SQUARE),
    "det, stack": (lambda a: L.det(a), STACK), "slogdet": (lambda a: tuple(L.slogdet(a)), SQUARE),
    "slogdet, stack": (lambda a: tuple(L.slogdet(a)), STACK), "svd": (lambda a: of_factors(*L.svd(a)), SQUARE),
    "svd, tall": (lambda a: of_factors(*L.svd(a, full_matrices=False)), TALL),
    "svd, wide": (lambda a: of_factors(*L.svd(a, full_matrices=False)), WIDE),
    "svd, stack": (lambda a: of_factors(*L.svd(a, False)), TALLS),
    "svd, values": (lambda a: L.svd(a, compute_uv=False) + L.svdvals(a.T), TALL),
    "qr": (lambda a: tuple(L.qr(a)), SQUARE),
    "qr, tall": (lambda a: tuple(L.qr(a)), TALL), "qr, wide": (lambda a: tuple(L.qr(a)), WIDE),
    "r": (lambda a: L.qr(a, "r"), TALLS), "pinv": (lambda a: L.pinv(a), TALL),
    "pinv, wide": (lambda a: L.pinv(a), WIDE), "pinv, limit": (lambda a: L.pinv(a, rcond=1e-10), TALL),
    "pinv, Hermitian": (lambda a: L.pinv(positive(a), hermitian=True), SQUARE),
    "lstsq": (lambda a: L.lstsq(a, np.arange(4.0), rcond=None)[:2], TALL),
    "lstsq, wide": (lambda a: L.lstsq(a, np.ones((3, 2)) * 1j)[0], WIDE),
    "cond": (lambda a: L.cond(a) * L.cond(a, -2), TALL),
    "norms": (lambda a: L.norm(a, "nuc") + L.norm(a, 2) * L.norm(a, -2) + L.matrix_norm(a) + L.norm(a, 1), TALL),
    "norms of a stack": (lambda a: L.norm(a, 2, axis=(0, 2)) + L.norm(a, "nuc", axis=(2, 0), keepdims=True)[0, :, 0]
                                   + L.norm(a, axis=0)[:, 0], TALLS),
    "scipy, factors": (lambda a: sl.cholesky(positive(a))
                                 + sl.cholesky(positive(a), lower=True) + sl.cho_solve(sl.cho_factor(positive(a)), a)
                                 + sl.cho_solve(sl.cho_factor(positive(a), lower=True), a), SQUARE),
    "scipy, triangles": (transposes, SQUARE),
    "scipy, halves": (halves, SQUARE), "scipy, functions": (lambda a: sl.expm(a) @ sl.inv(a), SQUARE),
    "scipy, roots": (lambda a: sl.sqrtm(positive(a)) + sl.sqrtm(a), SQUARE),
    "scipy, Sylvester": (lambda a: sl.solve_sylvester(a, a + 1.0, a[:2].T @ a[:2])
                                   + sl.solve_sylvester(a.real, a.imag @ a.imag.T, a.real), SQUARE),
    "scipy, lu": (lambda a: (*sl.lu(a), sl.lu_solve(sl.lu_factor(a), a[0]) + sl.lu_solve(sl.lu_factor(a), a[1], trans=1)
                                        * sl.lu_solve(sl.lu_factor(a), a[1].real, trans=2)), SQUARE),
    "scipy, values": (lambda a: sl.eigvalsh(a) + sl.eigh(a, lower=False, eigvals_only=True) + sl.svdvals(a), SQUARE)}


def results(r):
    return r if isinstance(r, tuple) else (r,)


def same(got, want, tol, what=""):
    assert type(got) is type(want)
    for g, w in zip(results(got), results(want), strict=True):
        assert type(g) is type(w) and np.asarray(g).dtype == np.asarray(w).dtype and np.shape(g) == np.shape(w), what
        np.testing.assert_allclose(g, w, rtol=tol, atol=tol * max(1.0, np.max(np.abs(np.nan_to_num(w)), initial=0)),
                                   err_msg=what)


def loss_of(f, a):
    """A real number that all parts of the results count in."""
    weights = [np.cos(np.arange(np.size(r)).reshape(np.shape(r)) + 1.0) + 0.5j for r in results(f(a))]

    def loss(a):
        found = f(a)
        found = found if isinstance(found, tuple) else (found,)
        return sum([np.sum((r * w).real) + np.sum(np.abs(r) ** 4) for r, w in zip(found, weights)])
    return loss


def slope(f, a, d, h=1e-5):
    return (f(a + h * d) - f(a - h * d)) / (2 * h)


@pytest.mark.heavy(one_in=15)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_values_and_derivatives(name):
    f, a = FUNCTIONS[name]
    single = a.astype(np.complex64)
    same(primal(f)(a), f(a), 1e-12)
    same(primal(f)(single), f(single), 1e-3)
    loss, direction = loss_of(f, a), np.exp(1j * np.arange(a.size)).reshape(a.shape)
    want, found = slope(loss, a, direction), gs.grad(loss)(a)
    assert found.dtype == a.dtype
    same(np.sum((found * direction).real), want, 1e-6)
    same(gs.jvp(loss, (a,), (direction,))[1], want, 1e-6)
    along = lambda t: loss(a + t * direction)
    second = slope(lambda t: gs.grad(along)(t), 0.0, 1.0, 1e-4)
    same(gs.grad(gs.grad(along))(0.0), second, 1e-5)
    same(gs.hessian(along)(0.0), second, 1e-5)
    many = np.stack([a, a + 0.1j, 1.2 * a])
    same(gs.vmap(gs.grad(loss))(many), np.stack([gs.grad(loss)(x) for x in many]), 1e-9)


@pytest.mark.heavy(one_in=387)
@pytest.mark.parametrize("part", range(6))
def test_compiled(part):
    names = list(FUNCTIONS)[part::6]
    functions, args = [FUNCTIONS[n][0] for n in names], [FUNCTIONS[n][1] for n in names]
    slopes = [gs.grad(loss_of(f, a)) for f, a in zip(functions, args)]

    def all_of_them(args):
        return [(f(a), g(a)) for f, g, a in zip(functions, slopes, args)]

    for name, f, g, a, (value, found) in zip(names, functions, slopes, args, gs.jit(all_of_them)(args)):
        same(value, f(a), 1e-11, name)
        same(found, g(a), 1e-9, name)


# gauges -------------------------------------------------------------------------------------------------
def test_eigenvectors_do_not_move_along_themselves():
    """No number of absolute value 1 that multiplies a vector changes the derivative of the others."""
    d = numbers(3, 3)
    (w, v), (w_dot, v_dot) = gs.jvp(lambda a: tuple(np.linalg.eigh(a)), (SQUARE,), (d,))
    hermitian = np.tril(d, -1) + np.tril(d, -1).conj().T + np.diag(np.diag(d).real)
    inner = v.conj().T @ hermitian @ v
    gaps = np.array([[0 if i == j else 1 / (w[j] - w[i]) for j in range(3)] for i in range(3)])
    np.testing.assert_allclose(w_dot, np.diag(inner).real, atol=1e-13)
    np.testing.assert_allclose(v_dot, v @ (gaps * inner), atol=1e-13)
    np.testing.assert_allclose(np.diag(v.conj().T @ v_dot), 0, atol=1e-13)


def test_the_left_one_of_a_pair_of_singular_vectors_turns():
    d = numbers(4, 3)
    (u, s, vt), (u_dot, s_dot, vt_dot) = gs.jvp(lambda a: tuple(np.linalg.svd(a, full_matrices=False)), (TALL,), (d,))
    np.testing.assert_allclose(u_dot * s @ vt + u * s_dot @ vt + u * s @ vt_dot, d, atol=1e-12)
    np.testing.assert_allclose(np.diag(vt @ vt_dot.conj().T), 0, atol=1e-12)
    weights = (numbers(4, 3), RNG.normal(size=3), numbers(3, 3))
    pulled = gs.vjp(lambda a: tuple(np.linalg.svd(a, full_matrices=False)), TALL)[1](weights)[0]
    want = sum([np.sum(g * t) for g, t in zip(weights, (u_dot, s_dot, vt_dot))]).real
    np.testing.assert_allclose(np.sum(pulled * d).real, want, rtol=1e-10)


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("way", [primal, gs.jit], ids=["plain", "compiled"])
def test_vectors_of_the_upper_half_have_the_signs_of_lapack(way):
    """Which are others than those of the lower half of the transpose."""
    f = way(lambda a: np.linalg.eigh(a, "U"))
    for a in (SQUARE.real, SQUARE, STACK, numbers(6, 6), SQUARE.real.astype(np.float32)):
        same(f(a), np.linalg.eigh(a, "U"), 1e-5 if a.dtype == np.float32 else 1e-12)


@pytest.mark.heavy(one_in=2)
def test_determinants_of_singular_matrices():
    """The cofactors are there, where the inverse is not."""
    a = SQUARE.copy()
    a[2] = 2j * a[0] - a[1]
    d = numbers(3, 3)
    for way in (lambda f: f, gs.jit):
        found = way(gs.grad(lambda a: np.linalg.det(a), holomorphic=True))(a)
        np.testing.assert_allclose(np.sum(found * d), slope(np.linalg.det, a, d), rtol=1e-8)


# what is odd --------------------------------------------------------------------------------------------
ODD = [np.eye(3, dtype=np.complex64), positive(SQUARE), 1j * np.eye(2), np.zeros((0, 0), complex),
       np.zeros((3, 0), complex), np.zeros((0, 3), complex), np.array([[1j]]), np.array([[-2.0 + 0.5j]]),
       np.asfortranarray(TALL), TALL[::2, ::-1], np.zeros((2, 0, 0), complex), np.zeros((0, 2, 2), complex),
       np.ones(3) * 1j, 2.0j, np.full((2, 2), np.nan + 0j), np.array([[1.0, np.inf], [2.0, 3.0j]]),
       np.array([[1.0, complex(0, np.nan)], [2.0, 3.0j]]), np.array([[1.0, complex(np.inf, np.nan)], [2.0, 3.0j]]),
       np.zeros((2, 2), complex), [[2.0, 1.0j], [-1.0j, 3.0]], STACK, np.array([[1, 1j], [1j, -1]])]
ONE = [lambda a: L.eigh(a), lambda a: L.eigh(a, "U"), lambda a: L.eigvalsh(a), lambda a: L.svd(a),
       lambda a: L.svd(a, full_matrices=False), lambda a: L.svdvals(a), lambda a: L.qr(a),
       lambda a: L.pinv(a), lambda a: L.pinv(a, hermitian=True), lambda a: L.matrix_rank(a), lambda a: L.cond(a),
       lambda a: L.norm(a, 2), lambda a: L.norm(a), lambda a: L.lstsq(a, a), lambda a: L.det(a), lambda a: L.slogdet(a),
       lambda a: L.cholesky(a), lambda a: L.cholesky(a, upper=True), lambda a: sl.cho_factor(a)[0],
       lambda a: sl.solve_triangular(a, a, trans="C"), lambda a: sl.solve(a, a, assume_a="her"),
       lambda a: sl.solve(a, a, assume_a="pos"), lambda a: sl.expm(a), lambda a: sl.det(a), lambda a: sl.sqrtm(a),
       lambda a: sl.lu(a)]


@pytest.mark.heavy(one_in=95)
@pytest.mark.parametrize("way", [primal, gs.jit], ids=["plain", "compiled"])
@pytest.mark.parametrize("k", range(len(ONE)))
def test_odd_arguments(k, way):
    f = ONE[k]
    transformed = way(f)
    for a in ODD:
        try:
            want = f(a)
        except Exception as error:
            with pytest.raises((type(error), GradscribeError)):
                transformed(a)
            continue
        try:
            got = transformed(a)
        except GradscribeError as error:
            # SciPy's stacks, its det of single precision, a norm of nothing, roots that are not there
            assert (np.ndim(a) != 2 or np.size(a) == 0 or np.asarray(a).dtype == np.complex64 or "root" in str(error)
                    or "not square" in str(error)), (k, a)
            continue
        same(got, want, 1e-4 if np.asarray(a).dtype == np.complex64 else 1e-11, repr(a))


def test_what_is_refused():
    with pytest.raises(GradscribeError, match="full_matrices=False"):
        gs.grad(lambda a: np.abs(np.linalg.svd(a)[0][0, 3]))(TALL)
    with pytest.raises(GradscribeError, match="transposed=True"):
        primal(lambda a: sl.solve(a, a, transposed=True))(SQUARE)
    with pytest.raises(GradscribeError, match="in double precision"):
        primal(lambda a: sl.det(a))(SQUARE.astype(np.complex64))


# programs of physics ------------------------------------------------------------------------------------
X, Y, Z = np.array([[0, 1], [1, 0]], complex), np.array([[0, -1j], [1j, 0]]), np.diag([1.0 + 0j, -1.0])


def chain(field):
    """The Hamiltonian of three spins in fields along y and z,
    with the coupling of Ising and one of Dzyaloshinskii and Moriya."""
    one = np.eye(2)
    h = np.zeros((8, 8), complex)
    for k in range(3):
        own = [one, one, one]
        own[k] = field[k] * Y + field[3] * Z
        h = h + np.kron(np.kron(own[0], own[1]), own[2])
    for left, right, strength in ((X, X, 1.0), (X, Y, 0.3), (Y, X, -0.3)):
        bond = strength * np.kron(left, right)
        h = h - np.kron(bond, one) - np.kron(one, bond)
    return h


def ground_state_energy(field):
    return np.linalg.eigvalsh(chain(field))[0]


def magnetisation(field):
    w, v = np.linalg.eigh(chain(field))
    ground = v[:, 0]
    return np.vdot(ground, np.kron(np.kron(Z, np.eye(2)), np.eye(2)) @ ground).real


def entropy_of_one_spin(field):
    """Between the first spin and the others, in the ground state: by its density matrix,
    and by the singular values of the state."""
    w, v = np.linalg.eigh(chain(field))
    state = np.outer(v[:, 0], np.conj(v[:, 0])).reshape(2, 4, 2, 4)
    p = np.linalg.eigvalsh(np.trace(state, axis1=1, axis2=3))
    s = np.linalg.svd(v[:, 0].reshape(2, 4), compute_uv=False)
    return -np.sum(p * np.log(p)) - np.sum(s ** 2 * np.log(s ** 2))


def thermal_energy(field):
    """Of the density matrix at a temperature, made of projectors."""
    h = chain(field)
    w, v = np.linalg.eigh(h)
    boltzmann = np.exp(-0.7 * (w - w[0]))
    rho = (v * boltzmann) @ np.conj(v).T / np.sum(boltzmann)
    return np.trace(rho @ h).real


def likelihood(field):
    """Of complex measurements that are normal, with a covariance that the field has a part in."""
    a = chain(field)[:4, :4] + 0.2j * np.eye(4)
    covariance = a @ np.conj(a).T + np.eye(4)
    factor = np.linalg.cholesky(covariance)
    z = sl.solve_triangular(factor, np.exp(1j * np.arange(4.0)), lower=True)
    return -2.0 * np.sum(np.log(np.diag(factor).real)) - np.sum(np.abs(z) ** 2)


def evolved(field):
    """How much of the state is found where it began."""
    return np.abs(sl.expm(-0.4j * chain(field))[0, 0]) ** 2


def phase_of_a_loop(field):
    """Of overlaps around a triangle of fields, which no phase of a vector changes: Berry's."""
    total, first, before = 1.0 + 0j, None, None
    for k in range(3):
        ground = np.linalg.eigh(chain(field + 0.3 * np.eye(4)[k]))[1][:, 0]
        if before is None:
            first = ground
        else:
            total = total * np.vdot(before, ground)
        before = ground
    return np.angle(total * np.vdot(before, first))


PHYSICS = [ground_state_energy, magnetisation, entropy_of_one_spin, thermal_energy, likelihood, evolved,
           phase_of_a_loop]
FIELD = np.array([0.4, 0.7, -0.3, 0.5])


@pytest.mark.heavy(one_in=4)
@pytest.mark.parametrize("f", PHYSICS, ids=lambda f: f.__name__)
def test_programs_of_physics(f):
    value, found = gs.value_and_grad(f)(FIELD)
    np.testing.assert_allclose(value, f(FIELD), rtol=1e-11)
    want = [slope(f, FIELD, e, 1e-6) for e in np.eye(4)]
    assert np.max(np.abs(want)) > 1e-3
    np.testing.assert_allclose(found, want, rtol=1e-5, atol=1e-8)
    np.testing.assert_allclose(gs.jacfwd(f)(FIELD), want, rtol=1e-5, atol=1e-8)


@pytest.mark.heavy(one_in=8)
def test_compiled_programs_of_physics():
    slopes = [gs.value_and_grad(f) for f in PHYSICS]
    for got, f in zip(gs.jit(lambda field: [g(field) for g in slopes])(FIELD), slopes):
        for a, b in zip(got, f(FIELD)):
            np.testing.assert_allclose(a, b, rtol=1e-8, atol=1e-11)


def test_the_theorem_of_hellmann_and_feynman():
    """The slope of an energy is what the vector expects of the slope of the Hamiltonian; its curvature is below 0."""
    for field in (FIELD, FIELD[::-1]):
        v = np.linalg.eigh(chain(field))[1][:, 0]
        want = [np.vdot(v, (chain(field + e) - chain(field)) @ v).real for e in np.eye(4)]
        np.testing.assert_allclose(gs.grad(ground_state_energy)(field), want, atol=1e-12)
        assert np.all(np.linalg.eigvalsh(gs.hessian(ground_state_energy)(field)) < 1e-10)
