"""scipy.spatial.KDTree: nearest neighbours."""
import numpy as np
import pytest
from scipy.spatial import KDTree, cKDTree

import gradscribe as gs

RNG = np.random.default_rng(0)
POINTS, X = RNG.normal(size=(9, 3)), RNG.normal(size=(4, 3))
OUTSIDE = KDTree(POINTS)


def found(x, points):
    tree = cKDTree(points)
    return (*tree.query(x), *tree.query(x, k=3), *tree.query(x[0]), *KDTree(points).query(x[0]),
            *KDTree(points).query(x[0], k=2, distance_upper_bound=1.0), *OUTSIDE.query(x, distance_upper_bound=0.8),
            *tree.query(x[None], 2), tree.n, tree.m, tree.data)


def apart(x, points):
    tree = cKDTree(points)
    distance, place = tree.query(x)
    return np.sum(distance ** 2) + np.sum((x - points[place]) ** 3) + np.sum(tree.query(x, 2)[0] ** 2)


@pytest.mark.parametrize("way", [gs.test_util.primal, gs.jit], ids=["plain", "compiled"])
def test_nearest_points(way):
    for got, want in zip(way(found)(X, POINTS), found(X, POINTS), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-12)
        assert type(got) is type(want) and np.asarray(got).dtype == np.asarray(want).dtype


def test_how_far_they_are_moves():
    gs.test_util.check_grads(apart, (X, POINTS), order=2)
    for got, want in zip(gs.jit(gs.grad(apart, (0, 1)))(X, POINTS), gs.grad(apart, (0, 1))(X, POINTS)):
        np.testing.assert_allclose(got, want, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(gs.vmap(apart, in_axes=(0, None))(np.stack([X, -X]), POINTS),
                               [apart(X, POINTS), apart(-X, POINTS)])


@pytest.mark.parametrize("f", [lambda x: cKDTree(POINTS).query(x[:, :2])[0], lambda x: KDTree(POINTS).query(0 / x)[0],
                               lambda x: KDTree(x[0]).query(x)[0], lambda x: KDTree(POINTS).query(x, 0)[0]])
def test_what_scipy_raises(f):
    zero = np.zeros((4, 3))
    with np.errstate(all="ignore"), pytest.raises(ValueError):
        f(zero)
    for way in (gs.test_util.primal, gs.jit):
        with np.errstate(all="ignore"), pytest.raises(ValueError) as error:
            way(f)(zero)
        assert not isinstance(error.value, gs.GradscribeError)


REFUSED = {"equally far": lambda x: cKDTree(POINTS[[0, 0, 1]]).query(x)[0],
           "which gives lists": lambda x: cKDTree(POINTS).query_ball_point(x, 1.0),
           "more neighbours than": lambda x: cKDTree(POINTS).query(x, 20)[0],
           "returns a KDTree": cKDTree, "eps= or p=": lambda x: KDTree(POINTS).query(x, p=1)[0],
           "a list of neighbours": lambda x: KDTree(POINTS).query(x, [1, 2])[0],
           "boxsize=": lambda x: cKDTree(POINTS, boxsize=2.0).query(x)[0]}


@pytest.mark.parametrize("says", REFUSED)
def test_what_is_refused(says):
    with pytest.raises(gs.GradscribeError, match=says):
        gs.jit(REFUSED[says])(X)
