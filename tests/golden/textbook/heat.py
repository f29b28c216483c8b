import numpy as np


def grad_heat(u, alpha, steps):
    u = u.copy()
    total_tape = np.empty((max(steps, 0), len(u) - 2))
    for i in range(steps):
        # the ends are held at their temperature
        total = u[2:] - 2.0 * u[1:-1] + u[:-2]
        total_tape[i] = total
        u[1:-1] += alpha * total

    # adjoint of line 6: return np.sum(u**2)
    u_bar = 2 * u
    # adjoint of line 3: for _ in range(steps):
    alpha_bar = 0.0
    for i in range(steps - 1, -1, -1):
        # adjoint of line 5: u[1:-1] += alpha * (u[2:] - 2.0 * u[1:-1] + u[:-2])
        product_bar = u_bar[1:-1]
        total_bar = alpha * product_bar
        alpha_bar += float(np.sum(total_tape[i] * product_bar))
        u_bar[:-2] += total_bar
        u_bar[2:] += total_bar
        u_bar[1:-1] += -2.0 * total_bar
    return u_bar, alpha_bar
