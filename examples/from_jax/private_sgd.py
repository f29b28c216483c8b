"""Differentially private stochastic gradient descent: gradients of single examples are clipped, and noise is added."""
from functools import partial

import numpy as jnp

from gradscribe import grad, jit, random, vmap
from gradscribe.tree_util import tree_flatten, tree_map, tree_unflatten


def loss(params, example):
    x, y = example
    h = jnp.tanh(x @ params["W1"] + params["b1"])
    logit = h @ params["w2"] + params["b2"]
    return jnp.logaddexp(0.0, -(2.0 * y - 1.0) * logit)


def clipped_grad(params, l2_norm_clip, example):
    grads = grad(loss)(params, example)
    leaves, treedef = tree_flatten(grads)
    total_norm = jnp.linalg.norm(jnp.array([jnp.linalg.norm(g.ravel()) for g in leaves]))
    divisor = jnp.maximum(total_norm / l2_norm_clip, 1.0)
    return tree_unflatten(treedef, [g / divisor for g in leaves])


def private_grad(params, batch, rng, l2_norm_clip, noise_multiplier, batch_size):
    clipped = vmap(clipped_grad, (None, None, 0))(params, l2_norm_clip, batch)
    leaves, treedef = tree_flatten(clipped)
    summed = [jnp.sum(g, axis=0) for g in leaves]
    rngs = random.split(rng, len(leaves))
    noised = [g + l2_norm_clip * noise_multiplier * random.normal(r, g.shape) for r, g in zip(rngs, summed)]
    return tree_unflatten(treedef, [g / batch_size for g in noised])


@partial(jit, static_argnames=("batch_size",))
def update(rng, i, params, data, batch_size=32):
    rng = random.fold_in(rng, i)
    rows = random.permutation(random.fold_in(rng, 1), data[0].shape[0])[:batch_size]
    batch = tree_map(lambda a: a[rows], data)
    grads = private_grad(params, batch, rng, 1.0, 0.1, batch_size)
    return tree_map(lambda p, g: p - 0.5 * g, params, grads)


def main():
    kx, k1, k2, rng = random.split(random.key(11), 4)
    x = random.normal(kx, (120, 2))
    data = x, (x[:, 0] * x[:, 1] > 0).astype(jnp.float32)
    params = {"W1": random.normal(k1, (2, 16)), "b1": jnp.zeros(16), "w2": 0.25 * random.normal(k2, (16,)), "b2": jnp.zeros(())}
    losses = []
    for i in range(20):
        params = update(rng, i, params, data)
        losses.append(vmap(loss, in_axes=(None, 0))(params, data).mean())
    return {"losses": jnp.array(losses), "w2": params["w2"]}


if __name__ == "__main__":
    print(main())
