import numpy as np
from gradscribe import runtime as rt


def value_and_grad_simpson(y):
    y_0 = y[0]
    y_part = y[-1]
    total = y_0 ** 2 + y_part ** 2
    for i in range(1, len(y) - 1, 2):
        total += 4.0 * y[i] ** 2
    for i in range(2, len(y) - 1, 2):
        total += 2.0 * y[i] ** 2
    value = total / 3.0

    # adjoint of line 7: for i in range(2, len(y) - 1, 2):
    y_bar = np.zeros_like(y)
    for i in range(2 * rt.trip_count(2, len(y) - 1, 2), 0, -2):
        # adjoint of line 8: total += 2.0 * y[i] ** 2
        y_bar[i] += 1.3333333333333333 * y[i]
    # adjoint of line 5: for i in range(1, len(y) - 1, 2):
    for i in range(2 * rt.trip_count(1, len(y) - 1, 2) - 1, -1, -2):
        # adjoint of line 6: total += 4.0 * y[i] ** 2
        y_bar[i] += 2.6666666666666665 * y[i]
    # adjoint of line 4: total = y[0] ** 2 + y[-1] ** 2
    y_bar[-1] += 0.6666666666666666 * y_part
    y_bar[0] += 0.6666666666666666 * y_0
    return value, y_bar
