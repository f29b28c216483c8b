import numpy as np


def value_and_grad_damp_interior(x):
    u = x.copy()
    interior = u[1:-1].copy()
    interior[0] = 2.0 * x[3]
    t = np.cos(interior)
    u[1:-1] = interior * t
    value = np.sum(u * u)

    # adjoint of line 8: return np.sum(u * u)
    u_bar = 2 * u
    # adjoint of line 7: interior *= np.cos(interior)
    t_bar = u_bar[1:-1]
    u_bar2 = t * t_bar - np.sin(interior) * (interior * t_bar)
    # adjoint of line 6: interior[0] = 2.0 * x[3]
    t_bar = u_bar2[0]
    u_bar2[0] = 0.0
    # adjoint of line 7: interior *= np.cos(interior)
    u_bar[1:-1] = u_bar2
    # adjoint of line 6: interior[0] = 2.0 * x[3]
    x_bar = np.zeros_like(x)
    x_bar[3] = 2.0 * t_bar
    # adjoint of line 4: u = x.copy()
    x_bar = x_bar + u_bar
    return value, x_bar
