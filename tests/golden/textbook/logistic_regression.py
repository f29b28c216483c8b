import numpy as np
from gradscribe import runtime as rt


def grad_logistic_regression(w, X, y):
    X_len = len(X)
    y_len = len(y)
    z = X @ w
    # log(1 + exp(-z)) of the true class, without overflow
    z2 = rt.match(z, y_len, y_len, X_len, axes=(0,), how='({},) ({},) ')
    rt.same_sizes(y_len, X_len, X_len, y_len, count=1, how='({},) ({},) ')

    # adjoint of line 4: return np.mean(np.logaddexp(0.0, z) - y * z)
    difference_bar = np.float64(1.0) / X_len
    product_bar = -difference_bar
    y_bar = z2 * product_bar
    z_bar = np.where(z == np.inf, 1.0, np.exp(-np.logaddexp(0.0, 0.0 - z))) * difference_bar
    z_bar = y * product_bar + z_bar
    # adjoint of line 2: z = X @ w
    X_bar = np.outer(z_bar, w)
    w_bar = X.T @ z_bar
    return w_bar, X_bar, y_bar
