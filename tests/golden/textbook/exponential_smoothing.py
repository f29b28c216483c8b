import numpy as np


def grad_exponential_smoothing(y, alpha):
    level = y[0]
    y_part = y[1:]
    level_tape = np.empty(max(len(y) - 1, 0))
    for i in range(len(y) - 1):
        level_tape[i] = level
        v = y_part[i]
        level = alpha * v + (1.0 - alpha) * level

    # adjoint of line 4: for v in y[1:]:
    y_bar = np.zeros_like(y)
    level_bar = 0.0
    alpha_bar = 0.0
    for i in range(len(y) - 2, -1, -1):
        level = level_tape[i]
        v = y_part[i]
        # adjoint of line 6: level = alpha * v + (1.0 - alpha) * level
        level_bar2 = (1.0 - alpha) * level_bar
        v_bar = alpha * level_bar
        alpha_bar = alpha_bar - float(level * level_bar) + float(v * level_bar)
        # adjoint of line 5: error += (v - level) ** 2  # of the forecast, one step ahead
        difference_bar = 2 * (v - level)
        v_bar += difference_bar
        level_bar = level_bar2 - difference_bar
        # adjoint of line 4: for v in y[1:]:
        y_bar[i + 1] += v_bar
    # adjoint of line 2: level = y[0]
    y_bar[0] += level_bar
    return y_bar, alpha_bar
