import numpy as np


def grad_cholesky_log_det(A):
    n = len(A)
    L = np.zeros((n, n))
    for j in range(n):
        L[j, j] = np.sqrt(A[j, j] - np.sum(L[j, :j] ** 2))
        for i in range(j + 1, n):
            L[i, j] = (A[i, j] - np.sum(L[i, :j] * L[j, :j])) / L[j, j]
    indices = np.arange(n)

    # adjoint of line 8: return 2.0 * np.sum(np.log(np.diag(L)))
    L_bar = np.zeros_like(L)
    np.add.at(L_bar, (indices, indices), 2.0 / L[indices, indices])
    # adjoint of line 4: for j in range(n):
    A_bar = np.zeros_like(A)
    for j in range(n - 1, -1, -1):
        L_row = L[j, :j]
        L_jj = L[j, j]
        # adjoint of line 6: for i in range(j + 1, n):
        for i in range(n - 1, j, -1):
            # adjoint of line 7: L[i, j] = (A[i, j] - np.sum(L[i, :j] * L[j, :j])) / L[j, j]
            ratio_bar = L_bar[i, j]
            L_bar[i, j] = 0.0
            difference_bar = ratio_bar / L_jj
            L_bar[j, j] -= L[i, j] * difference_bar
            product_sum_bar = -difference_bar
            L_bar[j, :j] += L[i, :j] * product_sum_bar
            L_bar[i, :j] += L_row * product_sum_bar
            A_bar[i, j] += difference_bar
        # adjoint of line 5: L[j, j] = np.sqrt(A[j, j] - np.sum(L[j, :j] ** 2))
        sqrt_difference_bar = L_bar[j, j]
        L_bar[j, j] = 0.0
        difference2_bar = 0.5 / L_jj * sqrt_difference_bar
        L_bar[j, :j] += 2 * L_row * -difference2_bar
        A_bar[j, j] += difference2_bar
    return (A_bar,)
