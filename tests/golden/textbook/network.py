import numpy as np


def grad_network(params, x, y):
    params_0_0, params_0_1 = params[0][0], params[0][1]
    params_1_0, params_1_1 = params[1][0], params[1][1]
    params_2_0, params_2_1 = params[2][0], params[2][1]
    total = params_0_0 @ x + params_0_1
    x2 = np.maximum(total, 0.0)
    total2 = params_1_0 @ x2 + params_1_1
    x3 = np.maximum(total2, 0.0)
    # a hidden layer

    # adjoint of line 5: return np.sum((dense(W, b, x) - y) ** 2)
    params_2_1_bar = 2 * (params_2_0 @ x3 + params_2_1 - y)
    y_bar = -params_2_1_bar
    # adjoint of line -6: return W @ x + b
    params_2_0_bar = np.outer(params_2_1_bar, x3)
    x_bar = params_2_0.T @ params_2_1_bar
    # adjoint of line -2: return np.maximum(x, 0.0)
    params_1_1_bar = np.where(total2 >= 0.0, np.where(total2 == 0.0, 0.5 * x_bar, x_bar), 0)
    # adjoint of line -6: return W @ x + b
    params_1_0_bar = np.outer(params_1_1_bar, x2)
    x_bar = params_1_0.T @ params_1_1_bar
    # adjoint of line -2: return np.maximum(x, 0.0)
    params_0_1_bar = np.where(total >= 0.0, np.where(total == 0.0, 0.5 * x_bar, x_bar), 0)
    # adjoint of line -6: return W @ x + b
    params_0_0_bar = np.outer(params_0_1_bar, x)
    x_bar = params_0_0.T @ params_0_1_bar
    return [(params_0_0_bar, params_0_1_bar), (params_1_0_bar, params_1_1_bar),
        (params_2_0_bar, params_2_1_bar)], x_bar, y_bar
