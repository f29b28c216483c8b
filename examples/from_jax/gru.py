"""A gated recurrent network that learns to continue waves of several frequencies."""
import numpy as jnp

import gradscribe as jax
from gradscribe import lax

HIDDEN, WINDOW = 12, 24


def init_gru(key):
    init = jax.nn.initializers.orthogonal()
    kz, kr, kh, ko = jax.random.split(key, 4)

    def gate(k):
        return {"W": 0.5 * jax.random.normal(k, (1, HIDDEN)), "U": init(jax.random.fold_in(k, 1), (HIDDEN, HIDDEN)), "b": jnp.zeros(HIDDEN)}

    return {"update": gate(kz), "reset": gate(kr), "candidate": gate(kh), "out": jax.random.normal(ko, (HIDDEN,)) / HIDDEN**0.5}


def cell(params, h, x):
    def gate(name, state):
        p = params[name]
        return x @ p["W"] + state @ p["U"] + p["b"]

    z = jax.nn.sigmoid(gate("update", h))
    r = jax.nn.sigmoid(gate("reset", h))
    candidate = jnp.tanh(gate("candidate", r * h))
    h = (1.0 - z) * h + z * candidate
    return h, jnp.dot(h, params["out"])


def predict(params, series):
    h0 = jnp.zeros(HIDDEN, series.dtype)
    return lax.scan(lambda h, x: cell(params, h, x[None]), h0, series)[1]


def loss(params, windows):
    predicted = jax.vmap(predict, in_axes=(None, 0))(params, windows[:, :-1])
    return jnp.mean((predicted - windows[:, 1:]) ** 2)


@jax.jit
def step(params, key, data):
    k1, k2 = jax.random.split(key)
    rows = jax.random.choice(k1, data.shape[0], (10,), replace=False)
    starts = jax.random.randint(k2, (10,), 0, data.shape[1] - WINDOW)
    windows = jax.vmap(lambda row, start: lax.dynamic_slice(data, (row, start), (1, WINDOW))[0])(rows, starts)
    value, grads = jax.value_and_grad(loss)(params, windows)
    norm = jnp.sqrt(sum(jnp.sum(g**2) for g in jax.tree.leaves(grads)))
    scale = jnp.minimum(1.0, 1.0 / norm)
    return jax.tree.map(lambda p, g: p - 0.2 * scale * g, params, grads), value


def main():
    phase = jnp.arange(80) * 0.3
    data = jnp.stack([jnp.sin(phase * f + f) for f in jnp.linspace(0.5, 1.5, 16)])
    params, values = init_gru(jax.random.PRNGKey(2)), []
    for key in jax.random.split(jax.random.PRNGKey(3), 15):
        params, value = step(params, key, data)
        values.append(value)
    return {"values": jnp.array(values), "predicted": predict(params, data[3])[-6:]}


if __name__ == "__main__":
    print(main())
