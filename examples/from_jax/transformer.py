"""A small transformer that learns to copy what stood some places before."""
from functools import partial

import numpy as jnp

import gradscribe as jax

VOCABULARY, LENGTH, WIDTH, HEADS, LAYERS, SHIFT = 8, 12, 16, 2, 2, 3


def init_params(key):
    ke, kp, kl, ko = jax.random.split(key, 4)

    def layer(key):
        keys = jax.random.split(key, 4)
        shapes = {"qkv": (WIDTH, 3 * WIDTH), "out": (WIDTH, WIDTH), "up": (WIDTH, 4 * WIDTH), "down": (4 * WIDTH, WIDTH)}
        weights = {name: jax.random.normal(k, s) / s[0] ** 0.5 for k, (name, s) in zip(keys, shapes.items())}
        return {**weights, "scale1": jnp.ones(WIDTH), "scale2": jnp.ones(WIDTH)}

    return {"tokens": 0.5 * jax.random.normal(ke, (VOCABULARY, WIDTH)), "places": 0.5 * jax.random.normal(kp, (LENGTH, WIDTH)),
            "layers": [layer(k) for k in jax.random.split(kl, LAYERS)],
            "unembed": jax.random.normal(ko, (WIDTH, VOCABULARY)) / WIDTH**0.5}


def layer_norm(x, scale):
    mean = x.mean(axis=-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(x.var(axis=-1, keepdims=True) + 1e-5) * scale


def attention(x, qkv, out):
    q, k, v = [jnp.transpose(a.reshape(LENGTH, HEADS, -1), (1, 0, 2)) for a in jnp.split(x @ qkv, 3, axis=-1)]
    scores = jnp.einsum("hqd,hkd->hqk", q, k) / jnp.sqrt(q.shape[-1])
    causal = jnp.tril(jnp.ones((LENGTH, LENGTH), dtype=bool))
    weights = jax.nn.softmax(jnp.where(causal, scores, -1e9), axis=-1)
    return jnp.einsum("hqk,hkd->qhd", weights, v).reshape(LENGTH, WIDTH) @ out


def forward(params, tokens):
    x = params["tokens"][tokens] + params["places"]
    for p in params["layers"]:
        x = x + attention(layer_norm(x, p["scale1"]), p["qkv"], p["out"])
        x = x + jax.nn.gelu(layer_norm(x, p["scale2"]) @ p["up"]) @ p["down"]
    return x @ params["unembed"]


def loss(params, batch):
    logits = jax.vmap(partial(forward, params))(batch)[:, SHIFT:]
    log_p = jax.nn.log_softmax(logits, axis=-1)
    return -jnp.mean(jnp.take_along_axis(log_p, batch[:, :-SHIFT, None], axis=-1))


@jax.jit
def train_step(params, key):
    batch = jax.random.randint(key, (8, LENGTH), 0, VOCABULARY)
    value, grads = jax.value_and_grad(loss)(params, batch)
    return jax.tree.map(lambda p, g: p - 0.3 * g, params, grads), value


def main():
    params, values = init_params(jax.random.key(0)), []
    for key in jax.random.split(jax.random.key(1), 10):
        params, value = train_step(params, key)
        values.append(value)
    return {"values": jnp.array(values), "logits": forward(params, jnp.arange(LENGTH) % VOCABULARY)[-1]}


if __name__ == "__main__":
    print(main())
