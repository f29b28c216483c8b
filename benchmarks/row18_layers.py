"""Row 18: value and gradient of a transformer, written as a loop over a list of blocks: the first call, which transforms and compiles it."""
import numpy as np

from benchmarks.harness import JAX, OURS, READABLE, Case, Row, jax_peer, ours, readable

WIDTH, HEADS, TOKENS, WORDS = 16, 2, 8, 10


def normalised(x, gain, shift):
    d = x - np.mean(x, axis=-1, keepdims=True)
    return gain * d / np.sqrt(np.mean(d * d, axis=-1, keepdims=True) + 1e-5) + shift


def attention(x, p):
    n, d = x.shape
    k = d // HEADS
    q = (x @ p["Q"]).reshape(n, HEADS, k).transpose(1, 0, 2)
    keys = (x @ p["K"]).reshape(n, HEADS, k).transpose(1, 2, 0)
    v = (x @ p["V"]).reshape(n, HEADS, k).transpose(1, 0, 2)
    s = q @ keys / np.sqrt(k) + np.where(np.arange(n)[:, None] >= np.arange(n)[None, :], 0.0, -1e9)
    e = np.exp(s - np.max(s, axis=-1, keepdims=True))
    a = e / np.sum(e, axis=-1, keepdims=True)
    return (a @ v).transpose(1, 0, 2).reshape(n, d) @ p["O"]


def block(x, p):
    x = x + attention(normalised(x, p["g1"], p["b1"]), p)
    h = normalised(x, p["g2"], p["b2"]) @ p["W1"] + p["c1"]
    h = 0.5 * h * (1.0 + np.tanh(0.7978845608 * (h + 0.044715 * h ** 3)))
    return x + h @ p["W2"] + p["c2"]


def loss(params, x, y):
    for p in params["blocks"]:
        x = block(x, p)
    z = x @ params["out"]
    z = z - np.max(z, axis=-1, keepdims=True)
    log_p = z - np.log(np.sum(np.exp(z), axis=-1, keepdims=True))
    return -np.sum(log_p * y) / len(x)


def parameters(rng, d):
    matrices = {"Q": (d, d), "K": (d, d), "V": (d, d), "O": (d, d), "W1": (d, 4 * d), "W2": (4 * d, d)}
    vectors = {"b1": d, "b2": d, "c1": 4 * d, "c2": d}
    return {name: 0.1 * rng.normal(size=shape) for name, shape in {**matrices, **vectors}.items()} | {"g1": np.ones(d), "g2": np.ones(d)}


def cases(quick):
    rng = np.random.default_rng(18)
    for count in (1, 2) if quick else (1, 2, 4, 8):
        params = {"blocks": [parameters(rng, WIDTH) for _ in range(count)], "out": rng.normal(size=(WIDTH, WORDS))}
        yield Case(f"{count} block{'s' * (count > 1)}", (params, rng.normal(size=(TOKENS, WIDTH)), np.eye(WORDS)[rng.integers(WORDS, size=TOKENS)]))


ROW = Row(
    18, "value and gradient of a transformer of a list of blocks", "first call <= 2x JAX's",
    {OURS: ours(loss, "value_and_grad"), READABLE: readable(loss, "value_and_grad"), JAX: jax_peer(loss, "value_and_grad")}, cases)
