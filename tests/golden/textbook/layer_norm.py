import numpy as np


def grad_layer_norm(x, gain, shift):
    x_len = len(x)
    mean = np.mean(x)
    difference = x - np.mean(x, keepdims=True)
    spread = np.sqrt(np.mean(difference * difference) + 1e-05)
    difference2 = x - mean
    ratio = gain * difference2 / spread

    # adjoint of line 4: return np.sum((gain * (x - mean) / spread + shift) ** 2)
    shift_bar = 2 * (ratio + shift)
    product_bar = shift_bar / spread
    spread_bar = np.sum(-(ratio * product_bar))
    gain_bar = difference2 * product_bar
    difference2_bar = gain * product_bar
    mean_bar = np.sum(-difference2_bar)
    # adjoint of line 3: spread = np.sqrt(np.var(x) + 1e-5)
    difference_bar = 2 * (difference * (0.5 / spread * spread_bar / x_len))
    x_bar = difference2_bar + difference_bar + np.sum(-difference_bar, keepdims=True) / x_len
    # adjoint of line 2: mean = np.mean(x)
    x_bar += mean_bar / x_len
    return x_bar, gain_bar, shift_bar
