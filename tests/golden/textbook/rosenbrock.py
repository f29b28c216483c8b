import numpy as np


def grad_rosenbrock(x):
    x_part = x[:-1]

    # adjoint of line 2: return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)
    difference_bar = 200.0 * (x[1:] - x_part ** 2)
    x_bar = np.zeros_like(x)
    x_bar[1:] = difference_bar
    x_bar[:-1] += -(2 * (1.0 - x_part)) + 2 * x_part * -difference_bar
    return (x_bar,)
