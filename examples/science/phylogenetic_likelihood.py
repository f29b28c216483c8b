"""Likelihood of DNA sequences on a tree by Felsenstein's pruning, with Kimura's model and rates that differ among sites.

Felsenstein (1981), Kimura (1980), Yang (1994): a recursion over a tree of nested tuples, whose leaves are names; a dict has the length above each node.
Reference: the sum over all bases at the inner nodes, with transition probabilities by scipy.linalg.expm.
"""
import itertools

import numpy as np
import scipy.linalg

BASES = "AGCT"
TREE = (("human", "chimp"), "mouse"), "frog"
ALIGNMENT = {"human": "ACGTTGCAAC", "chimp": "ACGTTGTAAC", "mouse": "GCGTCG-AAT", "frog": "GTGCCGCATT"}


def transition(t, kappa):
    """Kimura's model, scaled to one substitution per unit of length; A, G and C, T are alike."""
    beta = 1.0 / (kappa + 2.0)
    same = 0.25 + 0.25 * np.exp(-4 * beta * t) + 0.5 * np.exp(-2 * (kappa + 1) * beta * t)
    ts = 0.25 + 0.25 * np.exp(-4 * beta * t) - 0.5 * np.exp(-2 * (kappa + 1) * beta * t)
    tv = 0.25 - 0.25 * np.exp(-4 * beta * t)
    return np.array([[same, ts, tv, tv], [ts, same, tv, tv], [tv, tv, same, ts], [tv, tv, ts, same]])


def leaf_vector(sequence):
    out = np.zeros((len(sequence), 4))
    for site, base in enumerate(sequence):
        if base == "-":
            out[site] = 1.0
        else:
            out[site, BASES.index(base)] = 1.0
    return out


def prune(node, lengths, rate, kappa):
    """Likelihood of what is below the node, for each site and base there, and the log of what was taken out."""
    if isinstance(node, str):
        return leaf_vector(ALIGNMENT[node]), 0.0
    partial, scale = 1.0, 0.0
    for child in node:
        below, below_scale = prune(child, lengths, rate, kappa)
        partial = partial * (below @ transition(rate * lengths[child], kappa).T)
        scale = scale + below_scale
    largest = partial.max(axis=1)
    return partial / largest[:, None], scale + np.log(largest)


def phylogenetic_likelihood(lengths, kappa, rates=(0.4, 1.0, 1.6)):
    per_rate = []
    for rate in rates:
        partial, scale = prune(TREE, lengths, rate, kappa)
        per_rate.append(np.log(partial.mean(axis=1)) + scale)
    per_rate = np.array(per_rate)
    top = per_rate.max(axis=0)
    return np.sum(top + np.log(np.mean(np.exp(per_rate - top), axis=0)))


ALSO = ("vmap", "hvp")


def arguments():
    return {"human": 0.05, "chimp": 0.07, ("human", "chimp"): 0.1, "mouse": 0.3, (("human", "chimp"), "mouse"): 0.2, "frog": 0.5}, 2.5


def reference():
    lengths, kappa = arguments()
    a, b, c, d, e, f = lengths.values()
    Q = np.array([[0, kappa, 1, 1], [kappa, 0, 1, 1], [1, 1, 0, kappa], [1, 1, kappa, 0]]) / (kappa + 2)
    Q -= np.diag(Q.sum(axis=1))
    total = 0.0
    for column in zip(*ALIGNMENT.values()):
        possible = [range(4) if base == "-" else [BASES.index(base)] for base in column]
        site = 0.0
        for rate in (0.4, 1.0, 1.6):
            P = {t: scipy.linalg.expm(Q * rate * t) for t in (a, b, c, d, e, f)}
            for h, ch, m, fr in itertools.product(*possible):
                for root, x, y in itertools.product(range(4), repeat=3):
                    site += P[e][root, x] * P[f][root, fr] * P[c][x, y] * P[d][x, m] * P[a][y, h] * P[b][y, ch] / 12
        total += np.log(site)
    return {"value": total, "rtol": 1e-12}
