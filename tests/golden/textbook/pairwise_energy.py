import numpy as np
from gradscribe import runtime as rt


def grad_pairwise_energy(x):
    n = len(x)
    sqrt_product_tape = []
    # 1 / distance for each pair of charges
    for i in range(n):
        x_row = x[i]
        sqrt_product_tape2 = np.empty(n - i - 1)
        for j in range(i + 1, n):
            k = j - i - 1
            d = x_row - x[j]
            sqrt_product_tape2[k] = np.sqrt(d @ d)
        sqrt_product_tape.append(sqrt_product_tape2.copy())

    # adjoint of line 5: for i in range(n):
    x_bar = np.zeros_like(x)
    for i in range(n - 1, -1, -1):
        x_row = x[i]
        sqrt_product_tape2 = sqrt_product_tape.pop()
        # adjoint of line 6: for j in range(i + 1, n):
        x_row_bar = np.zeros_like(x_row)
        for j in range(n - 1, i, -1):
            d = x_row - x[j]
            k = j - i - 1
            sqrt_product = sqrt_product_tape2[k]
            # adjoint of line 8: energy += 1.0 / np.sqrt(d @ d)
            product_bar = -0.5 * (1.0 / sqrt_product * (1.0 / sqrt_product))
            d_bar = 2 * rt.times(d, rt.norm_slope(product_bar, sqrt_product))
            # adjoint of line 7: d = x[i] - x[j]
            x_bar[j] -= d_bar
            x_row_bar += d_bar
        # adjoint of line 7: d = x[i] - x[j]
        x_bar[i] += x_row_bar
    return (x_bar,)
