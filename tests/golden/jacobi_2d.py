import numpy as np


def value_and_grad_jacobi_2d(u, rate):
    difference_tape = np.empty((2, len(u) - 2, u.shape[1] - 2))
    u = u.copy()
    for i in range(2):
        difference = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4.0 * u[1:-1, 1:-1]
        difference_tape[i] = difference
        u[1:-1, 1:-1] += rate * difference
    value = np.sum(u * u)

    # adjoint of line 6: return np.sum(u * u)
    u_bar = 2 * u
    # adjoint of line 4: for _ in range(2):
    rate_bar = 0.0
    for i in range(1, -1, -1):
        # adjoint of line 5: u[1:-1, 1:-1] += rate * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2 ...
        product_bar = u_bar[1:-1, 1:-1]
        difference_bar = rate * product_bar
        rate_bar += float(np.sum(difference_tape[i] * product_bar))
        u_bar[1:-1, 1:-1] += -4.0 * difference_bar
        u_bar[1:-1, 2:] += difference_bar
        u_bar[1:-1, :-2] += difference_bar
        u_bar[2:, 1:-1] += difference_bar
        u_bar[:-2, 1:-1] += difference_bar
    return value, (u_bar, rate_bar)
