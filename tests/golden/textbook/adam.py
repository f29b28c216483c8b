import numpy as np
from gradscribe import runtime as rt


def grad_adam(w, X, y, lr, steps):
    w_len = len(w)
    m = np.zeros(w_len)
    v = np.zeros(w_len)
    X_T = X.T
    trips = max(steps + 1 - 1, 0)
    g_tape = np.empty((trips, X.shape[1]))
    difference_tape = np.empty((trips, len(X)))
    ratio_tape = np.empty((trips, w_len))
    sqrt_ratio_tape = np.empty((trips, w_len))
    w_tape = np.empty((trips, X.shape[1]))
    for t in range(1, steps + 1):
        k = t - 1
        w_tape[k] = w
        difference = X @ w - y
        difference_tape[k] = difference
        g = X_T @ difference / len(y)
        g_tape[k] = g
        m = 0.9 * m + 0.1 * g
        v = 0.999 * v + 0.001 * g ** 2
        ratio = m / (1.0 - 0.9 ** t)
        ratio_tape[k] = ratio
        sqrt_ratio = np.sqrt(v / (1.0 - 0.999 ** t))
        sqrt_ratio_tape[k] = sqrt_ratio
        w = w - lr * ratio / (sqrt_ratio + 1e-08)

    # adjoint of line 8: return np.mean((X @ w - y) ** 2)
    difference_bar = 2 * (X @ w - y) * (np.float64(1.0) / len(X))
    y_bar = -difference_bar
    X_bar = np.outer(difference_bar, w)
    w_bar = X_T @ difference_bar
    # adjoint of line 3: for t in range(1, steps + 1):
    m_bar = np.zeros(w_len)
    v_bar = np.zeros(w_len)
    X_T_bar = np.zeros_like(X_T)
    lr_bar = 0.0
    for t in range(steps, 0, -1):
        k = t - 1
        w = w_tape[k]
        g = g_tape[k]
        ratio = ratio_tape[k]
        sqrt_ratio = sqrt_ratio_tape[k]
        total = sqrt_ratio + 1e-08
        # adjoint of line 7: w = w - lr * (m / (1.0 - 0.9**t)) / (np.sqrt(v / (1.0 - 0.999**t) ...
        product_bar = -w_bar / total
        ratio2_bar = rt.norm_slope(-0.5 * (lr * ratio / total * product_bar), sqrt_ratio)
        v_bar += ratio2_bar / (1.0 - 0.999 ** t)
        lr_bar += float(np.sum(ratio * product_bar))
        m_bar += lr * product_bar / (1.0 - 0.9 ** t)
        # adjoint of line 6: v = 0.999 * v + 0.001 * g**2
        g_bar = rt.times(2 * g, 0.001 * v_bar)
        v_bar = 0.999 * v_bar
        # adjoint of line 5: m = 0.9 * m + 0.1 * g
        g_bar += 0.1 * m_bar
        m_bar = 0.9 * m_bar
        # adjoint of line 4: g = X.T @ (X @ w - y) / len(y)
        product2_bar = g_bar / len(y)
        difference_bar = X @ product2_bar
        X_T_bar += np.outer(product2_bar, difference_tape[k])
        y_bar += -difference_bar
        X_bar += np.outer(difference_bar, w)
        w_bar += X_T @ difference_bar
    # adjoint of line 4: g = X.T @ (X @ w - y) / len(y)
    X_bar += X_T_bar.T
    return w_bar, X_bar, y_bar, lr_bar
