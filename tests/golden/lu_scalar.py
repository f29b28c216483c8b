import numpy as np


def value_and_grad_lu_scalar(A):
    n = len(A)
    A = A.copy()
    for k in range(n - 1):
        for i in range(k + 1, n):
            A[i, k] /= A[k, k]
            for j in range(k + 1, n):
                A[i, j] -= A[i, k] * A[k, j]
    log_determinant = 0.0
    for k in range(n):
        log_determinant += np.log(A[k, k])

    # adjoint of line 11: for k in range(n):
    A_bar = np.zeros_like(A)
    for k in range(n - 1, -1, -1):
        # adjoint of line 12: log_determinant += np.log(A[k, k])
        A_bar[k, k] += 1.0 / A[k, k]
    # adjoint of line 5: for k in range(n - 1):
    for k in range(n - 2, -1, -1):
        # adjoint of line 6: for i in range(k + 1, n):
        for i in range(n - 1, k, -1):
            A_kk = A[k, k]
            A_ik = A[i, k]
            # adjoint of line 8: for j in range(k + 1, n):
            for j in range(n - 1, k, -1):
                # adjoint of line 9: A[i, j] -= A[i, k] * A[k, j]
                product_bar = -A_bar[i, j]
                A_bar[k, j] += A_ik * product_bar
                A_bar[i, k] += A[k, j] * product_bar
            # adjoint of line 7: A[i, k] /= A[k, k]
            A_ik_bar = A_bar[i, k] / A_kk
            A_bar[i, k] = A_ik_bar
            A_bar[k, k] -= A_ik * A_ik_bar
    return log_determinant, A_bar
