"""A small convolutional network: two layers by im2col, max pooling, softmax cross-entropy.

Patches are gathered into a matrix by sliding windows (first layer) and by index arrays (second layer), as in
Chellapilla, Puri, Simard, "High performance convolutional neural networks for document processing" (2006).
Reference: scipy.signal.correlate2d does the convolutions.
"""
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from scipy.signal import correlate2d


def im2col(x, size):
    windows = sliding_window_view(x, (size, size), axis=(2, 3))  # (batch, channels, h, w, size, size)
    n, c, h, w = windows.shape[:4]
    return windows.transpose(0, 2, 3, 1, 4, 5).reshape(n, h, w, c * size * size)


def im2col_indices(x, size, stride=1):
    n, c, height, width = x.shape
    out_h, out_w = (height - size) // stride + 1, (width - size) // stride + 1
    k = np.repeat(np.arange(c), size * size).reshape(-1, 1)
    i0 = np.tile(np.repeat(np.arange(size), size), c)
    j0 = np.tile(np.arange(size), size * c)
    i = i0.reshape(-1, 1) + stride * np.repeat(np.arange(out_h), out_w).reshape(1, -1)
    j = j0.reshape(-1, 1) + stride * np.tile(np.arange(out_w), out_h).reshape(1, -1)
    return x[:, k, i, j], out_h, out_w  # (batch, c * size * size, out_h * out_w)


def max_pool(x, size=2):
    n, c, h, w = x.shape
    h, w = h - h % size, w - w % size
    return x[:, :, :h, :w].reshape(n, c, h // size, size, w // size, size).max(axis=(3, 5))


def im2col_convolution(params, images, labels):
    x = np.pad(images[:, None], ((0, 0), (0, 0), (1, 1), (1, 1)))
    W1, W2 = params["W1"], params["W2"]
    x = im2col(x, W1.shape[-1]) @ W1.reshape(W1.shape[0], -1).T + params["b1"]
    x = max_pool(np.tanh(x).transpose(0, 3, 1, 2))
    cols, h, w = im2col_indices(x, W2.shape[-1])
    x = np.einsum("fk,nkp->nfp", W2.reshape(W2.shape[0], -1), cols).reshape(len(images), -1, h, w)
    x += params["b2"][:, None, None]
    x[x < 0] *= 0.1  # leaky relu
    logits = x.mean(axis=(2, 3))
    logits -= logits.max(axis=1, keepdims=True)
    log_p = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    return -log_p[np.arange(len(labels)), labels].mean()


ALSO = ("vmap", "hvp")


def arguments():
    rng = np.random.default_rng(0)
    params = {"W1": rng.normal(size=(3, 1, 3, 3)), "b1": rng.normal(size=3),
              "W2": rng.normal(size=(4, 3, 2, 2)), "b2": rng.normal(size=4)}
    return params, rng.normal(size=(2, 8, 8)), np.array([1, 3])


def reference():
    params, images, labels = arguments()
    loss = 0.0
    for image, label in zip(images, labels):
        maps = [np.tanh(correlate2d(image, w[0], mode="same") + b) for w, b in zip(params["W1"], params["b1"])]
        maps = [np.max([m[::2, ::2], m[1::2, ::2], m[::2, 1::2], m[1::2, 1::2]], axis=0) for m in maps]
        logits = []
        for w, b in zip(params["W2"], params["b2"]):
            y = sum(correlate2d(m, k, mode="valid") for m, k in zip(maps, w)) + b
            logits.append(np.mean(np.where(y < 0, 0.1 * y, y)))
        loss -= logits[label] - np.log(np.sum(np.exp(logits)))
    return {"value": loss / len(labels), "rtol": 1e-12}
