import numpy as np


def value_and_grad_jacobi_2d(u, rate):
    t_tape = np.empty((2, len(u) - 2, u.shape[1] - 2))
    u = u.copy()
    for i in range(2):
        t = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4.0 * u[1:-1, 1:-1]
        t_tape[i] = t
        u[1:-1, 1:-1] += rate * t
    value = np.sum(u * u)

    # adjoint of line 6: return np.sum(u * u)
    u_bar = 2 * u
    # adjoint of line 4: for _ in range(2):
    rate_bar = 0.0
    for i in range(1, -1, -1):
        # adjoint of line 5: u[1:-1, 1:-1] += rate * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2 ...
        t_bar = u_bar[1:-1, 1:-1]
        t_bar2 = rate * t_bar
        rate_bar += float(np.sum(t_tape[i] * t_bar))
        u_bar[1:-1, 1:-1] += -4.0 * t_bar2
        u_bar[1:-1, 2:] += t_bar2
        u_bar[1:-1, :-2] += t_bar2
        u_bar[2:, 1:-1] += t_bar2
        u_bar[:-2, 1:-1] += t_bar2
    return value, (u_bar, rate_bar)
