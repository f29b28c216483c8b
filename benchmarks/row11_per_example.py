"""Row 11: the gradient of each example of a minibatch, by vmap of grad: 64 inputs, 128 tanh units, 10 classes."""
import numpy as np

from benchmarks.harness import (JAX, NUMPY, OURS, READABLE, Case, Peer, Row, gradscribe, jax_arguments, jax_module,
                                jax_waiter, ported)
from benchmarks.row04_mlp import examples, parameters

AXES = (None, 0, 0)


def loss(p, x, y):
    h = np.tanh(x @ p["W1"] + p["b1"])
    z = h @ p["W2"] + p["b2"]
    z = z - np.max(z)
    return -np.sum(y * (z - np.log(np.sum(np.exp(z)))))


def numpy_gradients(p, X, Y):
    h = np.tanh(X @ p["W1"] + p["b1"])
    z = h @ p["W2"] + p["b2"]
    e = np.exp(z - z.max(axis=1, keepdims=True))
    z_bar = e / e.sum(axis=1, keepdims=True) - Y
    a_bar = (z_bar @ p["W2"].T) * (1 - h * h)
    return {"W1": X[:, :, None] * a_bar[:, None, :], "b1": a_bar, "W2": h[:, :, None] * z_bar[:, None, :], "b2": z_bar}


def ours():
    gs = gradscribe()
    return Peer(gs.jit(gs.vmap(gs.grad(loss), in_axes=AXES)))


def readable():
    gs = gradscribe()
    return Peer(gs.vmap(gs.grad(loss), in_axes=AXES))


def jax():
    jax = jax_module()
    return Peer(jax.jit(jax.vmap(jax.grad(ported(loss, jax.numpy)), in_axes=AXES)), None, jax_arguments, jax_waiter)


def cases(quick):
    rng = np.random.default_rng(11)
    params = parameters(rng)
    for batch in (2,) if quick else (32, 256):
        yield Case(f"{batch} examples", (params, *examples(rng, batch)))


ROW = Row(11, "gradients of each example, a 64-128-10 tanh network", "q <= 1.0",
          {OURS: ours, READABLE: readable, JAX: jax, NUMPY: lambda: Peer(numpy_gradients)}, cases)
