import numpy as np


def value_and_grad_gated_sum(x, level):
    x_len = len(x)
    chosen_tape = np.empty(x_len, dtype=np.bool_)
    total = 0.0
    for i in range(x_len):
        chosen = (i > 0 and x[i] > x[i - 1] or x[i] > level) and not x[i] > 10.0
        chosen_tape[i] = chosen
        if chosen:
            total += x[i] ** 2

    # adjoint of line 5: for i in range(len(x)):
    x_bar = np.zeros_like(x)
    total_bar = 1.0
    for i in range(x_len - 1, -1, -1):
        # adjoint of line 7: if (rising or x[i] > level) and not x[i] > 10.0:
        if bool(chosen_tape[i]):
            # adjoint of line 8: total += x[i] ** 2
            x_bar[i] += 2 * x[i] * total_bar
    return total, x_bar
