import numpy as np


def value_and_grad_seidel_2d(u):
    u = u.copy()
    for _ in range(2):
        for i in range(1, len(u) - 1):
            for j in range(1, u.shape[1] - 1):
                u[i, j] = 0.2 * (u[i - 1, j] + u[i, j - 1] + u[i, j] + u[i + 1, j] + u[i, j + 1])
    value = np.sum(u ** 3)

    # adjoint of line 9: return np.sum(u**3)
    u_bar = 3 * u ** 2
    # adjoint of line 5: for _ in range(2):
    for _ in range(1, -1, -1):
        # adjoint of line 6: for i in range(1, n - 1):
        for i in range(len(u) - 2, 0, -1):
            # adjoint of line 7: for j in range(1, m - 1):
            for j in range(u.shape[1] - 2, 0, -1):
                # adjoint of line 8: u[i, j] = 0.2 * (u[i - 1, j] + u[i, j - 1] + u[i, j] + u[ ...
                total_bar = 0.2 * u_bar[i, j]
                u_bar[i, j] = total_bar
                u_bar[i, j + 1] += total_bar
                u_bar[i + 1, j] += total_bar
                u_bar[i, j - 1] += total_bar
                u_bar[i - 1, j] += total_bar
    return value, u_bar
