"""PageRank of a weighted web by power iteration on an edge list, and how concentrated it is.

Page, Brin, Motwani, Winograd (1999). Pages without links (dangling) hand their rank to all.
Reference: the linear system (I - d M) r = (1 - d) / n solved by numpy.linalg.solve.
"""
import numpy as np


def pagerank(weights, sources, targets, n, damping=0.85, tol=1e-13):
    out = np.bincount(sources, weights=weights, minlength=n)
    dangling = out == 0
    share = weights / out[sources]
    rank = np.ones(n) / n
    while True:
        flow = np.zeros(n)
        np.add.at(flow, targets, share * rank[sources])
        flow += rank[dangling].sum() / n
        new = (1 - damping) / n + damping * flow
        delta = np.abs(new - rank).sum()
        rank = new
        if delta < tol:
            break
    order = np.argsort(-rank)
    top = rank[order[:3]]
    entropy = -np.sum(rank * np.log(rank))
    return entropy + top.sum() + top[0] / top[2]


ALSO = ("vmap", "hvp")


def arguments():
    edges = np.array([(0, 1), (0, 2), (1, 2), (2, 0), (3, 2), (3, 4), (4, 0), (1, 5)])
    return np.random.default_rng(8).uniform(0.5, 2.0, size=len(edges)), edges[:, 0], edges[:, 1], 6


def reference():
    weights, sources, targets, n = arguments()
    M = np.zeros((n, n))
    M[targets, sources] = weights
    M[:, M.sum(axis=0) == 0] = 1.0
    r = np.linalg.solve(np.eye(n) - 0.85 * M / M.sum(axis=0), np.full(n, 0.15 / n))
    top = np.sort(r)[::-1]
    return {"value": -np.sum(r * np.log(r)) + top[:3].sum() + top[0] / top[2], "rtol": 1e-11}
