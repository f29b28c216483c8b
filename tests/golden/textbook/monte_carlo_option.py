import numpy as np


def grad_monte_carlo_option(s0, sigma, rate, strike, normals):
    normals_len = len(normals)
    normals_len1 = normals.shape[1]
    s_tape = np.empty((normals_len, normals_len1))
    holds_tape = np.empty(normals_len, dtype=np.bool_)
    payoff = 0.0
    for i in range(normals_len):
        s = np.float64(s0)
        for i2 in range(normals_len1):
            s_tape[i, i2] = s
            z = normals[i, i2]
            # one step of geometric Brownian motion
            s *= np.exp((rate - 0.5 * sigma ** 2) * 0.01 + sigma * np.float64(0.1) * z)
        difference = s - strike
        holds = 0.0 > difference
        holds_tape[i] = holds
        if holds:
            chosen = 0.0
        else:
            chosen = difference
        payoff += chosen
    exp_product = np.exp(-rate * 0.01 * normals_len1)  # today's value

    # adjoint of line 10: return np.exp(-rate * dt * normals.shape[1]) * payoff / len(normals)
    product_bar = np.float64(1.0) / normals_len
    payoff_bar = exp_product * product_bar
    rate_bar = -(0.01 * (normals_len1 * float(exp_product * (payoff * product_bar))))
    # adjoint of line 4: for path in normals:
    normals_bar = np.zeros_like(normals)
    s0_bar = 0.0
    sigma_bar = 0.0
    strike_bar = 0.0
    for i in range(normals_len - 1, -1, -1):
        s_tape2 = s_tape[i]
        # adjoint of line 9: payoff += max(s - strike, 0.0)
        if not holds_tape[i]:
            strike_bar += float(-payoff_bar)
            # adjoint of line 6: for z in path:
            s_bar = payoff_bar
            for i2 in range(normals_len1 - 1, -1, -1):
                s = s_tape2[i2]
                z = normals[i, i2]
                product2 = sigma * np.float64(0.1)
                exp_total = np.exp((rate - 0.5 * sigma ** 2) * 0.01 + product2 * z)
                # adjoint of line 8: s = s * np.exp((rate - 0.5 * sigma**2) * dt + sigma * np. ...
                s_bar2 = exp_total * s_bar
                total_bar = exp_total * (s * s_bar)
                z_bar = product2 * total_bar
                sigma_bar += float(0.1 * (z * total_bar))
                difference2_bar = 0.01 * float(total_bar)
                rate_bar += difference2_bar
                sigma_bar += 2 * sigma * (-0.5 * difference2_bar)
                # adjoint of line 6: for z in path:
                normals_bar[i, i2] += z_bar
                s_bar = s_bar2
            s0_bar += float(s_bar)
    return s0_bar, sigma_bar, rate_bar, strike_bar, normals_bar
