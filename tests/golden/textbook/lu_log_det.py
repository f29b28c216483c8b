import numpy as np


def grad_lu_log_det(A):
    n = len(A)
    A = A.copy()
    factor_tape = []
    for k in range(n):
        if float(abs(A[k, k])) <= 0.0:
            raise ValueError('math domain error')
        factor_tape2 = np.empty(n - k - 1)
        for i in range(k + 1, n):
            k2 = i - k - 1
            # eliminate below the pivot
            factor = A[i, k] / A[k, k]
            factor_tape2[k2] = factor
            A[i, k:] -= factor * A[k, k:]
        factor_tape.append(factor_tape2.copy())

    # adjoint of line 5: for k in range(n):
    A_bar = np.zeros_like(A)
    for k in range(n - 1, -1, -1):
        A_kk = A[k, k]
        abs_A_kk = float(abs(A_kk))
        factor_tape2 = factor_tape.pop()
        # adjoint of line 7: for i in range(k + 1, n):
        for i in range(n - 1, k, -1):
            k2 = i - k - 1
            factor = factor_tape2[k2]
            # adjoint of line 10: A[i, k:] -= factor * A[k, k:]
            product_bar = -A_bar[i, k:]
            factor_bar = np.sum(A[k, k:] * product_bar)
            A_bar[k, k:] += factor * product_bar
            # adjoint of line 9: factor = A[i, k] / A[k, k]
            A_ik_bar = factor_bar / A_kk
            A_bar[k, k] -= factor * A_ik_bar
            A_bar[i, k] += A_ik_bar
        # adjoint of line 6: log_det += math.log(abs(A[k, k]))
        A_bar[k, k] += np.sign(A_kk) * float(np.float64(1.0) / abs_A_kk)
    return (A_bar,)
