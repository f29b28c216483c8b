import numpy as np
from gradscribe import runtime as rt


def grad_matrix_chain(matrices, x):
    matrices_len = len(matrices)
    x_norm_tape = np.empty(matrices_len)
    x_tape = np.empty((matrices_len, matrices.shape[2]))
    x_tape2 = np.empty((matrices_len, matrices.shape[1]))
    length = len(x)
    for i in range(matrices_len):
        A = matrices[i]
        x_tape[i] = x
        x = A @ x
        x_tape2[i] = x
        x_norm = np.sqrt(np.sum(x ** 2))
        x_norm_tape[i] = x_norm
        x = x / x_norm  # keep its length
        length = matrices.shape[1]

    # adjoint of line 5: return x[0]
    x_bar = np.zeros(length)
    x_bar[0] = 1.0
    # adjoint of line 2: for A in matrices:
    matrices_bar = np.zeros_like(matrices)
    for i in range(matrices_len - 1, -1, -1):
        A = matrices[i]
        x = x_tape[i]
        x2 = x_tape2[i]
        x_norm = x_norm_tape[i]
        x3 = x2 / x_norm
        # adjoint of line 4: x = x / np.linalg.norm(x)
        x_bar = x_bar / x_norm
        x_bar += rt.times(2 * x2, rt.norm_slope(0.5 * np.sum(-(x3 * x_bar)), x_norm))
        # adjoint of line 3: x = A @ x
        A_bar = np.outer(x_bar, x)
        x_bar = A.T @ x_bar
        matrices_bar[i] += A_bar
    return matrices_bar, x_bar
