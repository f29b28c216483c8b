import numpy as np
from gradscribe import runtime as rt


def value_and_grad_guarded_norm(x):
    squares = np.sum(x * x)
    holds = squares < 1e-08
    if holds:
        result = squares
    else:
        result = np.sqrt(squares)

    # adjoint of line 5: if squares < 1e-8:
    if holds:
        squares_bar = 1.0
    else:
        result2 = np.sqrt(squares)
        # adjoint of line 7: return np.sqrt(squares)
        squares_bar = rt.norm_slope(0.5, result2)
    # adjoint of line 4: squares = np.sum(x * x)
    x_bar = 2 * rt.times(x, squares_bar)
    return result, x_bar
