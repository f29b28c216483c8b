import numpy as np


def grad_runge_kutta(y, k, dt, steps):
    y_tape = np.empty(max(steps, 0))
    for i in range(steps):
        y_tape[i] = y
        negative_k = -k
        k1 = negative_k * y
        product = 0.5 * dt
        k2 = negative_k * (y + product * k1)
        k3 = negative_k * (y + product * k2)
        k4 = negative_k * (y + dt * k3)  # decay
        y += dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)

    # adjoint of line 5: for _ in range(steps):
    y_bar = 1.0
    dt_bar = 0.0
    k_bar = 0.0
    for i in range(steps - 1, -1, -1):
        y = float(y_tape[i])
        negative_k = -k
        k1 = negative_k * y
        product = 0.5 * dt
        total = y + product * k1
        k2 = negative_k * total
        total2 = y + product * k2
        k3 = negative_k * total2
        total3 = y + dt * k3
        k4 = negative_k * total3
        # adjoint of line 10: y = y + dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
        total4_bar = dt / 6.0 * y_bar
        k3_bar = 2.0 * total4_bar
        dt_bar += (k1 + 2.0 * k2 + 2.0 * k3 + k4) * y_bar / 6.0
        # adjoint of line 3: return -k * y
        total3_bar = negative_k * total4_bar
        # adjoint of line 9: k4 = rate(y + dt * k3)
        y_bar += total3_bar
        dt_bar += k3 * total3_bar
        k3_bar2 = k3_bar + dt * total3_bar
        # adjoint of line 3: return -k * y
        total2_bar = negative_k * k3_bar2
        # adjoint of line 8: k3 = rate(y + 0.5 * dt * k2)
        y_bar += total2_bar
        k2_bar = k3_bar + product * total2_bar
        # adjoint of line 3: return -k * y
        total_bar = negative_k * k2_bar
        # adjoint of line 7: k2 = rate(y + 0.5 * dt * k1)
        y_bar += total_bar
        k1_bar = total4_bar + product * total_bar
        dt_bar += 0.5 * (k2 * total2_bar + k1 * total_bar)
        # adjoint of line 3: return -k * y
        y_bar += negative_k * k1_bar
        k_bar -= total3 * total4_bar + total2 * k3_bar2 + total * k2_bar + y * k1_bar
    return y_bar, k_bar, dt_bar
