import numpy as np
from gradscribe import runtime as rt


def grad_power_iteration(A, v, steps):
    A_len1 = A.shape[1]
    trips = max(steps, 0)
    v_norm_tape = np.empty(trips)
    v_tape = np.empty((trips, A_len1))
    v_tape2 = np.empty((trips, len(A)))
    length = len(v)
    for i in range(steps):
        v_tape[i] = v
        v = A @ v
        v_tape2[i] = v
        v_norm = np.sqrt(np.sum(v ** 2))
        v_norm_tape[i] = v_norm
        v = v / v_norm
        length = len(A)
    product = v @ A
    v2 = rt.match(v, A_len1, length, A_len1, axes=(0,), how='@')  # the Rayleigh quotient

    # adjoint of line 5: return v @ A @ v
    A_bar = np.outer(v, v2)
    v_bar = product + A @ v2
    # adjoint of line 3: v = A @ v
    A_T = A.T
    # adjoint of line 2: for _ in range(steps):
    for i in range(steps - 1, -1, -1):
        v = v_tape[i]
        v2 = v_tape2[i]
        v_norm = v_norm_tape[i]
        v3 = v2 / v_norm
        # adjoint of line 4: v = v / np.linalg.norm(v)
        v_bar = v_bar / v_norm
        v_bar += rt.times(2 * v2, rt.norm_slope(0.5 * np.sum(-(v3 * v_bar)), v_norm))
        # adjoint of line 3: v = A @ v
        v_bar2 = A_T @ v_bar
        A_bar += np.outer(v_bar, v)
        v_bar = v_bar2
    return A_bar, v_bar
