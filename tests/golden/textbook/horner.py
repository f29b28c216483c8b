import numpy as np


def grad_horner(c, x):
    p_tape = np.empty(len(c))
    p = 0.0
    for i in range(len(c)):  # from the highest power down
        p_tape[i] = p
        a = c[len(c) - 1 - i]
        p = p * x + a

    # adjoint of line 4: for a in reversed(c):
    c_bar = np.zeros_like(c)
    p_bar = 1.0
    x_bar = 0.0
    for i in range(len(c) - 1, -1, -1):
        p = p_tape[i]
        # adjoint of line 5: p = p * x + a
        p_bar2 = x * p_bar
        x_bar += float(p * p_bar)
        # adjoint of line 4: for a in reversed(c):
        c_bar[len(c) - 1 - i] += p_bar
        p_bar = p_bar2
    return c_bar, x_bar
