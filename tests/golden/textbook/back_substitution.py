import numpy as np


def grad_back_substitution(U, b):
    x = np.zeros(len(b))
    for i in range(len(b)):
        index = len(b) - 1 - i
        ratio = (b[index] - U[index, index + 1:] @ x[index + 1:]) / U[index, index]
        x[index] = ratio

    # adjoint of line 6: return np.sum(x**2)
    x_bar = 2 * x
    # adjoint of line 4: for i in reversed(range(n)):
    U_bar = np.zeros_like(U)
    b_bar = np.zeros_like(b)
    for i in range(len(b) - 1, -1, -1):
        index = len(b) - 1 - i
        # adjoint of line 5: x[i] = (b[i] - U[i, i + 1:] @ x[i + 1:]) / U[i, i]
        ratio_bar = x_bar[index]
        x_bar[index] = 0.0
        difference_bar = ratio_bar / U[index, index]
        U_bar[index, index] -= x[index] * difference_bar
        product_bar = -difference_bar
        x_bar[index + 1:] += product_bar * U[index, index + 1:]
        U_bar[index, index + 1:] += product_bar * x[index + 1:]
        b_bar[index] += difference_bar
    return U_bar, b_bar
