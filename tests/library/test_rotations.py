"""scipy.spatial.transform: rotations, and Slerp between them."""
import warnings

import numpy as np
import pytest
from scipy.spatial.transform import Rotation, Slerp

import gradscribe as gs

RNG = np.random.default_rng(0)
V, ROWS, Q = RNG.normal(size=3), RNG.normal(size=(4, 3)), RNG.normal(size=4)
TURN = Rotation.from_rotvec([0.3, -0.4, 0.5]).as_matrix()
ONE, SEVERAL = Rotation.from_euler("zyx", [0.1, 0.2, 0.3]), Rotation.from_rotvec(ROWS)


def pair(v):
    r = Rotation.from_rotvec(v)
    return (r * Rotation.from_rotvec(v ** 2)).as_rotvec(), (r.inv() * Rotation.from_euler("xy", v[:2])).as_quat()


def pairs(v):
    r, one = Rotation.from_rotvec(v), Rotation.from_rotvec(v[0])
    return (r * one).as_rotvec(), (one * r).as_quat(), (r * Rotation.from_rotvec(v[::-1])).as_matrix()


def applied(v):
    r, one = Rotation.from_rotvec(v), Rotation.from_rotvec(v[0])
    return one.apply(v), r.apply(v[0]), r.apply(v, inverse=True), one.apply([1, 2, 3]), one.inv().apply(v[1], True)


def powers(v):
    r = Rotation.from_rotvec(v)
    return (r ** v[0]).as_quat(), (r ** 2).as_matrix(), (r ** -1).as_quat(), (r ** 0).as_quat()


def one_by_one(v):
    r = Rotation.from_rotvec(v)
    return sum(len(r) * np.sum(one.as_quat()) ** 2 for one in r), r[1].as_quat(), r[1:].as_matrix(), r[[0, -1]].as_mrp()


def between(v):
    found = Slerp([0.0, 1.0, 2.0, 4.0], Rotation.from_rotvec(v))
    return found([0.0, 0.3, 1.0, 3.5, 4.0]).as_quat(), found(v[0, 0] ** 2).as_rotvec()


def aligned(v):
    found, rest = Rotation.align_vectors(v, ROWS + 0.1 * v[::-1])
    return found.as_quat(), rest, Rotation.align_vectors(v, ROWS, weights=[1, 2, 3, 4])[0].as_matrix()


def by_angles(seq):
    def f(v):
        r = Rotation.from_euler(seq, v)
        return r.as_quat(), r[0].as_euler(seq), Rotation.from_euler(seq, v[1], degrees=True).as_euler(seq, degrees=True)
    return f


WORKS = {
    "a vector": (lambda v: [Rotation.from_rotvec(v).as_quat(), Rotation.from_rotvec(v).magnitude()], V),
    "vectors": (lambda v: [Rotation.from_rotvec(v).as_matrix(), Rotation.from_rotvec(v, True).as_rotvec(True)], ROWS),
    "no turn": (lambda v: [Rotation.from_rotvec(v).as_rotvec(), Rotation.from_rotvec(v).as_matrix()], np.zeros(3)),
    "a small turn": (lambda v: [Rotation.from_rotvec(v).as_rotvec(), Rotation.from_rotvec(v).as_quat()], 1e-4 * V),
    "a quaternion": (lambda q: [Rotation.from_quat(q).as_rotvec(), Rotation(-q).as_quat(canonical=True),
                                Rotation.from_quat(q, scalar_first=True).as_quat(scalar_first=True),
                                Rotation.from_quat(-q).as_mrp(), Rotation.from_mrp(q[:3]).as_quat()], Q),
    "a matrix that only turns": (lambda m: [Rotation.from_matrix(m).as_rotvec(), Rotation.from_matrix(2 * m).as_quat(),
                                            Rotation.from_matrix(m @ m @ m @ m @ m @ m).as_quat()], TURN),
    "a matrix nearby": (lambda m: Rotation.from_matrix(m).as_rotvec(), TURN + 0.1 * RNG.normal(size=(3, 3))),
    "matrices": (lambda v: Rotation.from_matrix(Rotation.from_rotvec(3 * v).as_matrix()).as_rotvec(), ROWS),
    "one after the other": (pair, V), "several after one": (pairs, ROWS), "apply": (applied, ROWS),
    "powers": (powers, V), "iterated": (one_by_one, ROWS), "slerp": (between, ROWS), "aligned": (aligned, ROWS),
    "the mean": (lambda v: [Rotation.from_rotvec(v).mean().as_matrix(),
                            Rotation.from_rotvec(v).mean(np.arange(4.0)).as_matrix()], ROWS),
    "concatenated": (lambda v: Rotation.concatenate([Rotation.from_rotvec(v), Rotation.identity(),
                                                     Rotation.identity(2)]).as_quat(), ROWS),
    "from outside": (lambda v: [(ONE * Rotation.from_rotvec(v)).as_quat(), SEVERAL.apply(v), SEVERAL[1].apply(v)], V),
    "about one axis": (lambda v: [Rotation.from_euler("z", v[0]).as_quat(), Rotation.from_euler("ZY", v[:2]).as_quat(),
                                  Rotation.from_euler("X", v[:, None], degrees=True).as_matrix()], V),
    **{f"angles about {seq}": (by_angles(seq), 0.7 * ROWS) for seq in ("xyz", "ZYX", "zxz", "YZY")},
    "as large": (lambda v: v * Rotation.from_rotvec(v).approx_equal(Rotation.from_rotvec(v + 1e-9), 1e-6)[0], ROWS)}


def total(f):
    def of_all(x):
        found = f(x)
        return sum(np.sum(np.cos(0.7 * np.arange(1.0, 1 + np.size(y))) * np.ravel(y))
                   for y in (found if isinstance(found, (list, tuple)) else [found]))
    return of_all


@pytest.mark.heavy(one_in=12)
@pytest.mark.parametrize("name", WORKS)
def test_what_scipy_gives_and_its_derivatives(name):
    f, x = WORKS[name]
    for way in (gs.test_util.primal, gs.jit):
        for got, want in zip(gs.tree.leaves(way(f)(x)), gs.tree.leaves(f(x)), strict=True):
            np.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-14)
            assert np.asarray(got).dtype == np.asarray(want).dtype and type(got) is type(want)
    g, far = total(f), np.stack([x, 0.5 * x, 1.2 * x if x.shape == (3, 3) else -x])
    gs.test_util.check_grads(g, (x,), order=2)
    np.testing.assert_allclose(gs.jit(gs.grad(g))(x), gs.grad(g)(x), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(gs.vmap(g)(far), [g(row) for row in far], rtol=1e-10)


def test_numbers_of_other_kinds():
    def f(v, n):
        return Rotation.from_rotvec(v).as_quat(), Rotation.from_rotvec([n, 0, True]).apply([1, n, 3])

    args = np.float32([0.1, 0.2, 0.3]), 2
    for got, want in zip(gs.jit(f)(*args), f(*args)):
        np.testing.assert_allclose(got, want, rtol=1e-15)
        assert got.dtype == want.dtype


def test_a_lock_of_angles_is_warned_of():
    def f(v):
        return Rotation.from_euler("zyx", v).as_euler("zyx"), Rotation.from_euler("XYZ", v).as_euler("XYZ")

    for v in np.array([[0.3, np.pi / 2, 0.2], [0.3, -np.pi / 2, 0.2], [0.3, 0.4, 0.2]]):
        found = []
        for way in (lambda f: f, gs.test_util.primal, gs.jit):
            with warnings.catch_warnings(record=True) as said:
                warnings.simplefilter("always")
                found.append((way(f)(v), [str(w.message) for w in said]))
        for got, messages in found[1:]:
            np.testing.assert_allclose(got, found[0][0], rtol=1e-12, atol=1e-7)
            assert messages == found[0][1]


def test_quaternions_that_are_changed_later():
    def f(q):
        r = Rotation.from_quat(q)
        q[0] = 5.0
        given, first = r.as_quat(), Rotation.from_quat(np.stack([q, q]))[0]
        given[1] = 7.0
        return r.as_quat(), given, first.as_quat()

    for way in (gs.test_util.primal, gs.jit):
        for got, want in zip(way(f)(Q.copy()), f(Q.copy())):
            np.testing.assert_allclose(got, want, rtol=1e-14)


RAISES = {
    "two numbers": lambda x: Rotation.from_rotvec(x[:2]).as_quat(),
    "no length": lambda x: Rotation.from_quat(np.append(0 * x, 0.0)).as_quat(),
    "a mirror": lambda x: Rotation.from_matrix(-np.eye(3) * (1 + x[0] ** 2)).as_quat(),
    "no matrix": lambda x: Rotation.from_matrix(x).as_quat(),
    "axes": lambda x: Rotation.from_euler("xX", x[:2]).as_quat(),
    "equal axes": lambda x: Rotation.from_euler("xxy", x).as_quat(),
    "four axes": lambda x: Rotation.from_euler("xyxy", x).as_quat(),
    "fewer angles": lambda x: Rotation.from_euler("xyz", x[:2]).as_quat(),
    "two axes back": lambda x: Rotation.from_rotvec(x).as_euler("xy"),
    "vectors of two": lambda x: Rotation.from_rotvec(x).apply(x[:2]),
    "2 and 3": lambda x: Rotation.from_rotvec(np.stack([x, x])) * Rotation.from_rotvec(np.stack([x, x, x])),
    "2 of 3": lambda x: Rotation.from_rotvec(np.stack([x, x])).apply(np.stack([x, x, x])),
    "a number": lambda x: (Rotation.from_rotvec(x) * 2.0).as_quat(),
    "an item of one": lambda x: Rotation.from_rotvec(x)[0].as_quat(),
    "the length of one": lambda x: len(Rotation.from_rotvec(x)) * x,
    "an item beyond": lambda x: Rotation.from_rotvec(np.stack([x, x]))[5].as_quat(),
    "a time outside": lambda x: Slerp([0, 1], Rotation.from_rotvec(np.stack([x, 2 * x])))(1.5).as_quat(),
    "times in disorder": lambda x: Slerp([1, 0], Rotation.from_rotvec(np.stack([x, x])))(0.5).as_quat(),
    "slerp of one": lambda x: Slerp([1], Rotation.from_rotvec(x))(0.5).as_quat(),
    "weights": lambda x: Rotation.align_vectors(np.eye(3), np.eye(3) + x, [1, -1, 1])[1]}


@pytest.mark.parametrize("name", RAISES)
def test_what_scipy_raises(name):
    with pytest.raises(Exception) as wanted:
        RAISES[name](V)
    for way in (gs.test_util.primal, gs.jit):
        with pytest.raises(type(wanted.value)) as error:
            way(RAISES[name])(V)
        assert not isinstance(error.value, gs.GradscribeError)


REFUSED = {
    "r.as_quat": lambda x: Rotation.from_rotvec(x),
    "Take r.as_euler": lambda x: Rotation.from_rotvec(x).as_davenport(np.eye(3), "e"),
    "Store into the quaternions": lambda x: Rotation.from_rotvec(np.stack([x, x])).__setitem__(0, ONE),
    "angles[:, None]": lambda x: Rotation.from_euler("x", x).as_quat(),
    "magnitude() < 1e-8": lambda x: Rotation.from_rotvec(x).approx_equal(ONE),
    "Show its numbers": lambda x: str(Rotation.from_rotvec(x)),
    "Reshape": lambda x: Rotation.from_rotvec(np.ones((2, 2, 3)) * x).as_quat(),
    "give it a large one": lambda x: Rotation.align_vectors(np.eye(3), np.eye(3) + x, [1, np.inf, 1])[1],
    "one pair of vectors": lambda x: Rotation.align_vectors(x, x + 1.0)[1],
    "real numbers": lambda x: Rotation.from_rotvec(x + 1j).as_quat(),
    "Test the class": lambda x: x * isinstance(Rotation.from_rotvec(x), Rotation)}


@pytest.mark.parametrize("says", REFUSED)
def test_what_is_refused(says):
    with pytest.raises(gs.GradscribeError) as error:
        gs.jit(REFUSED[says])(V)
    assert says in str(error.value)
