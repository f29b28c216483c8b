import numpy as np


def grad_mixture_log_likelihood(x, weights, mu, sigma):
    x_len = len(x)
    p_float_tape = np.empty(x_len)
    for i in range(x_len):  # every point
        v = x[i]
        p = 0.0
        for k in range(len(mu)):
            sigma_k = sigma[k]
            z = (v - mu[k]) / sigma_k
            weights_k = weights[k]
            product = float(-0.5 * z ** 2)
            exp_product = np.exp(product)
            ok = not (abs(exp_product) == np.inf) & (abs(product) != np.inf)
            if not ok:
                raise OverflowError('math range error')
            p += weights_k * float(exp_product) / sigma_k
        p_float = float(p)
        p_float_tape[i] = p_float
        if p_float <= 0.0:
            raise ValueError('math domain error')

    # adjoint of line 3: for v in x:
    mu_bar = np.zeros_like(mu)
    sigma_bar = np.zeros_like(sigma)
    weights_bar = np.zeros_like(weights)
    x_bar = np.zeros_like(x)
    for i in range(x_len - 1, -1, -1):
        v = x[i]
        # adjoint of line 8: total += math.log(p)
        p_float_bar = float(np.float64(1.0) / float(p_float_tape[i]))
        # adjoint of line 5: for k in range(len(mu)):
        v_bar = 0.0
        for k in range(len(mu) - 1, -1, -1):
            sigma_k = sigma[k]
            z = (v - mu[k]) / sigma_k
            weights_k = weights[k]
            exp_product = np.exp(float(-0.5 * z ** 2))
            exp_product2 = float(exp_product)
            # adjoint of line 7: p += weights[k] * math.exp(-0.5 * z**2) / sigma[k]
            product2_bar = p_float_bar / sigma_k
            sigma_k_bar = -(weights_k * exp_product2 / sigma_k * product2_bar)
            product_bar = np.float64(float(exp_product * float(weights_k * product2_bar)))
            z_bar = 2 * z * (-0.5 * product_bar)
            weights_bar[k] += exp_product2 * product2_bar
            # adjoint of line 6: z = (v - mu[k]) / sigma[k]
            difference_bar = z_bar / sigma_k
            sigma_bar[k] += sigma_k_bar - z * difference_bar
            v_bar += difference_bar
            mu_bar[k] -= difference_bar
        # adjoint of line 3: for v in x:
        x_bar[i] += v_bar
    return x_bar, weights_bar, mu_bar, sigma_bar
