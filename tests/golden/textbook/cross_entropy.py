import numpy as np


def grad_cross_entropy(x, k):
    x_max = np.max(x)
    e = np.exp(x - x_max)
    e_sum = np.sum(e)
    p = e / e_sum

    # adjoint of line 3: return -np.log(p[k])
    p_bar = np.zeros_like(p)
    p_bar[k] = -1.0 / p[k]
    # adjoint of line -2: return e / np.sum(e)
    e_bar = p_bar / e_sum
    e_bar += np.sum(-(p * e_bar))
    # adjoint of line -3: e = np.exp(x - np.max(x))
    difference_bar = e * e_bar
    mask = x == x_max
    x_bar = np.where(mask, np.sum(-difference_bar) / np.sum(mask, keepdims=True), 0)
    x_bar = difference_bar + x_bar
    return (x_bar,)
