import numpy as np


def grad_lorenz(state, sigma, rho, beta, dt, steps):
    x, y, z = state
    trips = max(steps, 0)
    x_tape = np.empty(trips)
    y_tape = np.empty(trips)
    z_tape = np.empty(trips)
    for i in range(steps):
        x_tape[i] = x
        y_tape[i] = y
        z_tape[i] = z
        x2 = x + dt * sigma * (y - x)
        y2 = y + dt * (x * (rho - z) - y)
        z += dt * (x * y - beta * z)
        x = x2
        y = y2

    # adjoint of line 7: return x**2 + y**2 + z**2
    z_bar = 2 * z
    y_bar = 2 * y
    x_bar = 2 * x
    # adjoint of line 3: for _ in range(steps):
    beta_bar = 0.0
    dt_bar = 0.0
    rho_bar = 0.0
    sigma_bar = 0.0
    for i in range(steps - 1, -1, -1):
        x = x_tape[i]
        y = y_tape[i]
        z = z_tape[i]
        difference = rho - z
        # adjoint of line 4: x, y, z = (x + dt * sigma * (y - x),
        difference2_bar = dt * z_bar
        dt_bar += float((x * y - beta * z) * z_bar)
        product_bar = -difference2_bar
        beta_bar += float(z * product_bar)
        difference3_bar = dt * y_bar
        difference_bar = x * difference3_bar
        rho_bar += float(difference_bar)
        z_bar = z_bar + beta * product_bar - difference_bar
        product2_bar = float((y - x) * x_bar)
        difference4_bar = dt * sigma * x_bar
        y_bar2 = x * difference2_bar + y_bar - difference3_bar + difference4_bar
        x_bar = y * difference2_bar + difference * difference3_bar + x_bar - difference4_bar
        dt_bar = dt_bar + float((x * difference - y) * y_bar) + sigma * product2_bar
        sigma_bar += dt * product2_bar
        y_bar = y_bar2
    # adjoint of line 2: x, y, z = state
    state_bar = np.zeros_like(state)
    state_bar[2] = z_bar
    state_bar[1] += y_bar
    state_bar[0] += x_bar
    return state_bar, sigma_bar, rho_bar, beta_bar, dt_bar
