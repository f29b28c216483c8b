import numpy as np


def value_and_grad_logsumexp(x):
    # The shift keeps exp from overflowing.
    top = np.max(x)
    exp_difference = np.exp(x - top)
    exp_difference_sum = np.sum(exp_difference)
    value = top + np.log(exp_difference_sum)

    # adjoint of line 6: return top + np.log(np.sum(np.exp(x - top)))
    difference_bar = exp_difference * (1.0 / exp_difference_sum)
    top_bar = 1.0 + np.sum(-difference_bar)
    # adjoint of line 5: top = np.max(x)
    mask = x == top
    x_bar = difference_bar + np.where(mask, top_bar / np.sum(mask, keepdims=True), 0)
    return value, x_bar
