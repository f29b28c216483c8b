import numpy as np
from gradscribe import runtime as rt


def pmap_sgd_step(w, x, y, axis_batch):
    # adjoint of line 2: gradient = gs.grad(lambda w: np.mean((x @ w - y) ** 2))(w)
    w_bar = x.T @ (2 * (x @ w - y) * (np.float64(1.0) / len(x)))
    return w - 0.1 * (rt.psum(axis_batch, w_bar) / 3)
