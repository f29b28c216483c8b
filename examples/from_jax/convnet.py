"""A convolutional network that tells bars from crosses in small images."""
import numpy as jnp

import gradscribe as jax
from gradscribe import lax

DIMENSIONS = ("NHWC", "HWIO", "NHWC")


def images(key, n):
    """Bars of one row, bars of one column, and crosses of both, in noise."""
    k1, k2, k3, k4 = jax.random.split(key, 4)
    label = jax.random.randint(k1, (n,), 0, 3)
    row, column = jax.random.randint(k2, (n, 1), 2, 10), jax.random.randint(k3, (n, 1), 2, 10)
    places = jnp.arange(12)
    across = (places == row) & (label != 1)[:, None]
    down = (places == column) & (label != 0)[:, None]
    clean = (across[:, :, None] | down[:, None, :]).astype(jnp.float32)
    return (clean + 0.3 * jax.random.normal(k4, (n, 12, 12)))[..., None], label


def init_params(key):
    k1, k2, k3 = jax.random.split(key, 3)
    return {"conv1": 0.3 * jax.random.normal(k1, (3, 3, 1, 4)), "conv2": 0.2 * jax.random.normal(k2, (3, 3, 4, 8)),
            "dense": 0.1 * jax.random.normal(k3, (3 * 3 * 8, 3)), "bias": jnp.zeros(3)}


def max_pool(x):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


def conv(x, kernel):
    return lax.conv_general_dilated(x, kernel, window_strides=(1, 1), padding="SAME", dimension_numbers=DIMENSIONS)


def logits(params, x):
    x = max_pool(jax.nn.relu(conv(x, params["conv1"])))
    x = max_pool(jax.nn.relu(conv(x, params["conv2"])))
    return x.reshape(x.shape[0], -1) @ params["dense"] + params["bias"]


def loss(params, x, label):
    log_p = jax.nn.log_softmax(logits(params, x))
    return -jnp.take_along_axis(log_p, label[:, None], axis=1).mean()


@jax.jit
def step(params, x, label):
    value, grads = jax.value_and_grad(loss)(params, x, label)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), value


def main():
    x, label = images(jax.random.key(0), 30)
    params = init_params(jax.random.key(1))
    values = []
    for _ in range(15):
        params, value = step(params, x, label)
        values.append(value)
    right = jnp.mean(logits(params, x).argmax(axis=1) == label)
    return {"values": jnp.array(values), "right": right, "conv1": params["conv1"][:, :, 0, 0]}


if __name__ == "__main__":
    print(main())
