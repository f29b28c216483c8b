import numpy as np


def jacrev_softmax(x):
    x_max = np.max(x)
    e = np.exp(x - x_max)
    e_sum = np.sum(e)

    # adjoint of line 3: return e / np.sum(e)
    ratio = np.eye(len(x)) / e_sum
    e_bar = ratio + np.sum(-(e / e_sum * ratio), axis=1)[:, None]
    # adjoint of line 2: e = np.exp(x - np.max(x))
    difference_bar = e * e_bar
    mask = x == x_max
    x_bar = np.sum(-difference_bar, axis=1)[:, None] / np.sum(mask, keepdims=True)
    x_bar = difference_bar + np.where(mask, x_bar, 0)
    return (x_bar,)
