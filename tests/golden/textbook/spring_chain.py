import numpy as np
from gradscribe import runtime as rt


def grad_spring_chain(x, stiffness, rest):
    # energy of springs between neighbours
    stretch = x[1:] - x[:-1] - rest
    stretch_squared = stretch ** 2
    stretch_squared = rt.match(stretch_squared, len(stiffness), len(stiffness), len(x) - 1,
        axes=(0,), how='({},) ({},) ')

    # adjoint of line 4: return 0.5 * np.sum(stiffness * stretch**2)
    stiffness_bar = stretch_squared * 0.5
    stretch_bar = 2 * stretch * (stiffness * 0.5)
    # adjoint of line 3: stretch = np.diff(x) - rest
    rest_bar = -stretch_bar
    rest_bar2 = float(np.sum(rest_bar))
    x_bar = np.zeros_like(x)
    x_bar[:-1] = rest_bar
    x_bar[1:] += stretch_bar
    return x_bar, stiffness_bar, rest_bar2
