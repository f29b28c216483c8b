import numpy as np


def grad_simpson_rule(y, h):
    # adjoint of line 2: return h / 3.0 * (y[0] + 4.0 * np.sum(y[1:-1:2]) + 2.0 * np.sum(y[2:- ...
    total_bar = np.float64(h / 3.0)
    y_bar = np.zeros_like(y)
    y_bar[-1] = total_bar
    y_bar[2:-1:2] += 2.0 * total_bar
    y_bar[1:-1:2] += 4.0 * total_bar
    y_bar[0] += total_bar
    h_bar = float(y[0] + 4.0 * np.sum(y[1:-1:2]) + 2.0 * np.sum(y[2:-1:2]) + y[-1]) / 3.0
    return y_bar, h_bar
