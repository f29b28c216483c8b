import numpy as np


def value_and_grad_line_fit(params, x, y):
    slope, intercept = params["slope"], params["intercept"]
    predicted = slope * x + intercept
    difference = predicted - y
    value = np.mean(difference ** 2)

    # adjoint of line 8: return np.mean((predicted - y) ** 2)
    difference_bar = 2 * difference * (np.float64(1.0) / len(x))
    # adjoint of line 7: predicted = params["slope"] * x + params["intercept"]
    intercept_bar = float(np.sum(difference_bar))
    slope_bar = float(np.sum(x * difference_bar))
    return value, {"slope": slope_bar, "intercept": intercept_bar}
