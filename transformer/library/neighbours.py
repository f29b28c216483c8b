"""scipy.spatial.KDTree: the nearest of known points, found by the distances to all of them."""
from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import spatial

from .registry import at_least, ensure, known, means, read_as, refuse

ALL = "Write the distances to all: np.linalg.norm(x[:, None] - points, axis=-1)."


@dataclass(eq=False)
class Tree:
    """What SciPy's KDTree is here."""

    data: Any
    not_returned = "the function returns a KDTree", "Return its points: tree.data."

    @property
    def n(self):
        return self.data.shape[0]

    @property
    def m(self):
        return self.data.shape[1]

    def query(self, x, k=1, eps=0, p=2, distance_upper_bound=np.inf, workers=1):
        x, eps, p = np.asarray(x).astype(float), known(eps, "it says what is found"), known(p, "it says which distance")
        if eps != 0 or p != 2:
            refuse("a query of a KDTree with eps= or p=", ALL)
        if np.ndim(k) != 0:
            refuse("a query of a KDTree for a list of neighbours", "Ask for k of them, and select: i[:, [0, 2]].")
        k = operator.index(known(k, "it decides the shape of the result"))
        if k < 1:
            raise ValueError("k must be an integer or a sequence of integers")
        if x.ndim == 0 or x.shape[-1] != self.m:
            raise ValueError(f"x must consist of vectors of length {self.m} but has shape {x.shape}")
        if not np.all(np.isfinite(x)):
            raise ValueError("'x' must be finite, check for nan or inf values")
        if not at_least(self.n, k):
            refuse("a query of a KDTree for more neighbours than there are points", "Ask for fewer.")
        place = self.nearest(x, k)
        if k == 1:
            place = place[..., 0]
        to = x if k == 1 else x[..., None, :]
        distance = np.linalg.norm(to - self.data[place], axis=-1)
        near = distance < distance_upper_bound
        distance, place = np.where(near, distance, np.inf)[()], np.where(near, place, self.n)[()]
        return (float(distance), self.as_one(place)) if distance.ndim == 0 else (distance, place)

    def as_one(self, place):
        return place

    def nearest(self, x, k):
        """The places of the nearest points, in their order: SciPy's own, where no two are equally far."""
        square = np.sum((x[..., None, :] - self.data) ** 2, -1)
        order = np.argsort(square, -1)
        if at_least(self.n, 2):
            ordered = np.take_along_axis(square, order, -1)[..., :k + 1]
            ensure(np.all(ordered[..., 1:] > ordered[..., :-1] * (1 + 1e-14)),
                   "a query of a KDTree where two points are equally far, of which the tree takes either: test them")
        return order[..., :k]

    def query_ball_point(self, x, r, p=2.0, eps=0, workers=1, return_sorted=None, return_length=False):
        refuse("KDTree.query_ball_point, which gives lists", ALL)

    def query_ball_tree(self, other, r, p=2.0, eps=0):
        refuse("KDTree.query_ball_tree, which gives lists", ALL)

    def query_pairs(self, r, p=2.0, eps=0, output_type="set"):
        refuse("KDTree.query_pairs, which gives a set", ALL)

    def count_neighbors(self, other, r, p=2.0, weights=None, cumulative=True):
        refuse("KDTree.count_neighbors", ALL)

    def sparse_distance_matrix(self, other, max_distance, p=2.0, output_type="dict"):
        refuse("KDTree.sparse_distance_matrix", ALL)


class TreeInC(Tree):
    """What SciPy's cKDTree is here."""

    def as_one(self, place):
        return int(place)


@means(spatial.KDTree, unasked=True)
def tree_of(data, leafsize=10, compact_nodes=True, copy_data=False, balanced_tree=True):
    return Tree(points_of(data))


@means(spatial.cKDTree, unasked=True)
def tree_in_c(data, leafsize=16, compact_nodes=True, copy_data=False, balanced_tree=True):
    return TreeInC(points_of(data))


def points_of(data):
    data = np.asarray(data)
    if data.dtype.kind not in "fiub":
        refuse(f"a KDTree of {data.dtype}", "Give it real numbers.")
    if data.ndim != 2:
        raise ValueError("data must be 2 dimensions")
    data = np.array(data.astype(float))
    if not np.all(np.isfinite(data)):
        raise ValueError("data must be finite, check for nan or inf values")
    if not at_least(data.shape[0], 1):
        refuse("a KDTree of no points", "Test the length before.")
    return data


read_as(spatial.KDTree, Tree, {"data": "data"})
read_as(spatial.cKDTree, TreeInC, {"data": "data"})
