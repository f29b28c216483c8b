import numpy as np


def value_and_grad_mlp_loss(params, x, y):
    W1, b1, W2, b2 = params["W1"], params["b1"], params["W2"], params["b2"]
    # hidden layer
    h = np.tanh(x @ W1 + b1)
    # output layer
    out = h @ W2 + b2
    difference = out - y
    value = np.mean(difference ** 2)

    # adjoint of line 15: return np.mean((out - y) ** 2)
    difference_bar = 2 * difference * (np.float64(1.0) / (W2.shape[1] * len(x)))
    # adjoint of line 14: out = h @ params["W2"] + params["b2"]
    b2_bar = np.sum(difference_bar, axis=0)
    h_bar = difference_bar @ W2.T
    W2_bar = h.T @ difference_bar
    # adjoint of line 12: h = np.tanh(x @ params["W1"] + params["b1"])
    total_bar = (1 - h * h) * h_bar
    b1_bar = np.sum(total_bar, axis=0)
    W1_bar = x.T @ total_bar
    return value, {"W1": W1_bar, "b1": b1_bar, "W2": W2_bar, "b2": b2_bar}
