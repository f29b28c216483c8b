"""The likelihood of a series of observations under a hidden Markov model with normal emissions, by the forward algorithm in log space.

Rows of the transition matrix are given as logits (Rabiner, 1989, for the algorithm). Observations in units of their own.

Reference: closed form, the sum over all paths through the hidden states, each path's probability a product.
"""
import itertools

import numpy as np


def logsumexp(a, axis=None, keepdims=False):
    top = np.max(a, axis=axis, keepdims=True)
    out = top + np.log(np.sum(np.exp(a - top), axis=axis, keepdims=True))
    return out if keepdims else np.squeeze(out, axis=axis)


def log_normal(x, mean, sd):
    return -0.5 * np.log(2 * np.pi) - np.log(sd) - 0.5 * ((x - mean) / sd) ** 2


def hmm_forward(start_logits, transition_logits, means, sds, x):
    log_start = start_logits - logsumexp(start_logits)
    log_A = transition_logits - logsumexp(transition_logits, axis=1, keepdims=True)
    T, K = len(x), len(means)
    alpha = np.full((T, K), -np.inf)
    alpha[0] = log_start + log_normal(x[0], means, sds)
    for t in range(1, T):
        for k in range(K):
            if np.isnan(x[t]):                      # nothing observed
                emission = 0.0
            else:
                emission = log_normal(x[t], means[k], sds[k])
            alpha[t, k] = emission + logsumexp(alpha[t - 1] + log_A[:, k])
    return logsumexp(alpha[-1])


ALSO = ("vmap", "hvp")


def arguments():
    return (np.array([0.2, -0.1, 0.4]), np.array([[2.0, 0.1, -0.5], [0.3, 1.5, 0.0], [-0.2, 0.4, 1.0]]), np.array([-1.0, 0.5, 3.0]),
            np.array([0.6, 0.9, 1.2]), np.array([-0.8, 0.1, 2.5, 3.4, 0.9, -1.7]))


def reference():
    start, transition, means, sds, x = arguments()
    start = np.exp(start) / np.sum(np.exp(start))
    A = np.exp(transition) / np.sum(np.exp(transition), axis=1)[:, None]
    density = np.exp(-0.5 * ((x[:, None] - means) / sds) ** 2) / (np.sqrt(2.0 * np.pi) * sds)
    total = 0.0
    for path in itertools.product(range(3), repeat=len(x)):
        p = start[path[0]]
        for s, to in itertools.pairwise(path):
            p *= A[s, to]
        total += p * np.prod(density[np.arange(len(x)), path])
    return {"value": np.log(total), "rtol": 1e-12}
