import numpy as np


def grad_least_squares(w, X, y):
    r = X @ w - y  # the residuals

    # adjoint of line 3: return 0.5 * r @ r
    r_bar = 2 * (0.5 * r)
    # adjoint of line 2: r = X @ w - y
    y_bar = -r_bar
    X_bar = np.outer(r_bar, w)
    w_bar = X.T @ r_bar
    return w_bar, X_bar, y_bar
