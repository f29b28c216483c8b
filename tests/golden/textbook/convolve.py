import numpy as np


def grad_convolve(signal, kernel):
    k = len(kernel)
    index = len(signal) - k + 1
    out = np.zeros(index)
    for i in range(index):
        for j in range(k):
            out[i] += signal[i + j] * kernel[j]  # no flip, as in deep learning

    # adjoint of line 7: return np.sum(out**2)
    out_bar = 2 * out
    # adjoint of line 4: for i in range(n - k + 1):
    kernel_bar = np.zeros_like(kernel)
    signal_bar = np.zeros_like(signal)
    for i in range(len(signal) - k, -1, -1):
        # adjoint of line 5: for j in range(k):
        for j in range(k - 1, -1, -1):
            # adjoint of line 6: out[i] += signal[i + j] * kernel[j]
            product_bar = out_bar[i]
            kernel_bar[j] += signal[i + j] * product_bar
            signal_bar[i + j] += kernel[j] * product_bar
    return signal_bar, kernel_bar
