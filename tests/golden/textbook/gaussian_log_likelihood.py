import numpy as np


def grad_gaussian_log_likelihood(x, mu, sigma):
    z = (x - mu) / sigma

    # adjoint of line 3: return -0.5 * np.sum(z**2) - len(x) * np.log(sigma) - 0.5 * len(x) * ...
    sigma_bar = float(len(x) * np.float64(-1.0) / sigma)
    z_bar = -z
    # adjoint of line 2: z = (x - mu) / sigma
    difference_bar = z_bar / sigma
    sigma_bar += float(np.sum(-(z * difference_bar)))
    mu_bar = float(np.sum(z / sigma))
    return difference_bar, mu_bar, sigma_bar
