import numpy as np


def value_and_grad_logsumexp(x):
    # The shift keeps exp from overflowing.
    top = np.max(x)
    t = np.exp(x - top)
    t2 = np.sum(t)
    value = top + np.log(t2)

    # adjoint of line 6: return top + np.log(np.sum(np.exp(x - top)))
    t_bar = t * (1.0 / t2)
    top_bar = 1.0 + np.sum(-t_bar)
    # adjoint of line 5: top = np.max(x)
    t = x == top
    x_bar = t_bar + np.where(t, top_bar / np.sum(t, keepdims=True), 0)
    return value, x_bar
