import numpy as np


def value_and_grad_damp_interior(x):
    u = x.copy()
    interior = u[1:-1].copy()
    interior[0] = 2.0 * x[3]
    cos_interior = np.cos(interior)
    u[1:-1] = interior * cos_interior
    value = np.sum(u * u)

    # adjoint of line 8: return np.sum(u * u)
    u_bar = 2 * u
    # adjoint of line 7: interior *= np.cos(interior)
    product_bar = u_bar[1:-1]
    u_bar2 = cos_interior * product_bar - np.sin(interior) * (interior * product_bar)
    # adjoint of line 6: interior[0] = 2.0 * x[3]
    product2_bar = u_bar2[0]
    u_bar2[0] = 0.0
    # adjoint of line 7: interior *= np.cos(interior)
    u_bar[1:-1] = u_bar2
    # adjoint of line 6: interior[0] = 2.0 * x[3]
    x_bar = np.zeros_like(x)
    x_bar[3] = 2.0 * product2_bar
    # adjoint of line 4: u = x.copy()
    x_bar += u_bar
    return value, x_bar
