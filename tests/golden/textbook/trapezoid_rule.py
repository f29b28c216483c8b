import numpy as np


def grad_trapezoid_rule(y, x):
    # adjoint of line 3: for i in range(len(x) - 1):
    x_bar = np.zeros_like(x)
    y_bar = np.zeros_like(y)
    for i in range(len(x) - 2, -1, -1):
        product = 0.5 * (y[i] + y[i + 1])
        # adjoint of line 4: area += 0.5 * (y[i] + y[i + 1]) * (x[i + 1] - x[i])
        x_bar[i] -= product
        x_bar[i + 1] += product
        total_bar = 0.5 * (x[i + 1] - x[i])
        y_bar[i + 1] += total_bar
        y_bar[i] += total_bar
    return y_bar, x_bar
