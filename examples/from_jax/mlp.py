"""A classifier of two spirals: a multilayer perceptron, trained by gradient descent with momentum."""
import numpy as jnp

import gradscribe as jax
from gradscribe import random


def spirals(key, n):
    k1, k2, k3 = random.split(key, 3)
    label = random.bernoulli(k1, 0.5, (n,)).astype(jnp.int32)
    radius = random.uniform(k2, (n,), minval=0.2, maxval=1.0)
    angle = 5.0 * radius + jnp.pi * label
    points = jnp.stack([radius * jnp.cos(angle), radius * jnp.sin(angle)], axis=1)
    return points + 0.02 * random.normal(k3, (n, 2)), label


def init_mlp(key, sizes):
    keys = random.split(key, len(sizes) - 1)
    return [{"w": random.normal(k, (m, n)) * jnp.sqrt(2.0 / m), "b": jnp.zeros((n,))}
            for k, m, n in zip(keys, sizes[:-1], sizes[1:])]


def mlp(params, x):
    for layer in params[:-1]:
        x = jax.nn.relu(x @ layer["w"] + layer["b"])
    return x @ params[-1]["w"] + params[-1]["b"]


def loss_fn(params, batch):
    points, label = batch
    log_p = jax.nn.log_softmax(mlp(params, points))
    return -jnp.mean(jnp.sum(jax.nn.one_hot(label, 2) * log_p, axis=-1))


@jax.jit
def update(params, velocity, batch, lr=0.05, beta=0.9):
    loss, grads = jax.value_and_grad(loss_fn)(params, batch)
    velocity = jax.tree.map(lambda v, g: beta * v + g, velocity, grads)
    params = jax.tree.map(lambda p, v: p - lr * v, params, velocity)
    return params, velocity, loss


def main():
    key = random.PRNGKey(0)
    params = init_mlp(key, (2, 32, 32, 2))
    velocity = jax.tree.map(jnp.zeros_like, params)
    batch = spirals(random.fold_in(key, 1), 100)
    losses = []
    for _ in range(30):
        params, velocity, loss = update(params, velocity, batch)
        losses.append(loss)
    accuracy = jnp.mean(jnp.argmax(mlp(params, batch[0]), axis=1) == batch[1])
    return {"losses": jnp.array(losses), "accuracy": accuracy}


if __name__ == "__main__":
    print(main())
