"""Row 4: a training step's value and gradient: 64 inputs, 128 tanh units, 10 classes, softmax cross-entropy."""
import numpy as np

from benchmarks.harness import (AUTOGRAD, JAX, NUMPY, OURS, READABLE, Case, Peer, Row, autograd_peer, jax_peer, ours,
                                readable)

INPUTS, HIDDEN, CLASSES = 64, 128, 10


def loss(p, X, Y):
    h = np.tanh(X @ p["W1"] + p["b1"])
    z = h @ p["W2"] + p["b2"]
    z = z - np.max(z, axis=1, keepdims=True)
    log_p = z - np.log(np.sum(np.exp(z), axis=1, keepdims=True))
    return -np.sum(Y * log_p) / len(X)


def numpy_gradient(p, X, Y):
    h = np.tanh(X @ p["W1"] + p["b1"])
    z = h @ p["W2"] + p["b2"]
    z = z - z.max(axis=1, keepdims=True)
    e = np.exp(z)
    s = e.sum(axis=1, keepdims=True)
    value = -np.sum(Y * (z - np.log(s))) / len(X)
    z_bar = (e / s - Y) / len(X)                 # each row of Y sums to one
    a_bar = (z_bar @ p["W2"].T) * (1 - h * h)
    return value, {"W1": X.T @ a_bar, "b1": a_bar.sum(axis=0), "W2": h.T @ z_bar, "b2": z_bar.sum(axis=0)}


def parameters(rng):
    return {"W1": rng.normal(size=(INPUTS, HIDDEN)) / 8, "b1": rng.normal(size=HIDDEN),
            "W2": rng.normal(size=(HIDDEN, CLASSES)) / 11, "b2": rng.normal(size=CLASSES)}


def examples(rng, batch):
    X = rng.normal(size=(batch, INPUTS))
    return X, np.eye(CLASSES)[rng.integers(CLASSES, size=batch)]


def cases(quick):
    rng = np.random.default_rng(4)
    params = parameters(rng)
    for batch in (1, 32) if quick else (1, 32, 256, 1024):
        yield Case(f"batch = {batch}", (params, *examples(rng, batch)))


ROW = Row(
    4, "value and gradient of a 64-128-10 tanh network with softmax cross-entropy", "q <= 0.5 small, <= 1.0 large",
    {OURS: ours(loss, "value_and_grad"), READABLE: readable(loss, "value_and_grad"),
     JAX: jax_peer(loss, "value_and_grad"), AUTOGRAD: autograd_peer(loss, "value_and_grad"),
     NUMPY: lambda: Peer(numpy_gradient, loss)},
    cases, at_most={NUMPY: 1.0})
