import numpy as np


def grad_pendulum(theta, omega, g, length, dt, steps):
    theta = np.float64(theta)
    omega = np.float64(omega)
    trips = max(steps, 0)
    omega_tape = np.empty(trips)
    theta_tape = np.empty(trips)
    for i in range(steps):
        theta_tape[i] = theta
        # symplectic Euler
        omega -= dt * g / length * np.sin(theta)
        omega_tape[i] = omega
        theta += dt * omega

    # adjoint of line 2: for _ in range(steps):
    theta_bar = np.float64(1.0)
    omega_bar = np.float64(0.0)
    dt_bar = 0.0
    g_bar = 0.0
    length_bar = 0.0
    for i in range(steps - 1, -1, -1):
        theta = theta_tape[i]
        ratio = dt * g / length
        omega = omega_tape[i]
        # adjoint of line 5: theta = theta + dt * omega
        dt_bar += float(omega * theta_bar)
        omega_bar += dt * theta_bar
        # adjoint of line 4: omega = omega - dt * g / length * np.sin(theta)
        product_bar = -omega_bar
        theta_bar += np.cos(theta) * (ratio * product_bar)
        product2_bar = float(np.sin(theta) * product_bar) / length
        length_bar -= ratio * product2_bar
        dt_bar += g * product2_bar
        g_bar += dt * product2_bar
    omega_bar = float(omega_bar)
    theta_bar = float(theta_bar)
    return theta_bar, omega_bar, g_bar, length_bar, dt_bar
