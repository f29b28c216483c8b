"""The loss of a small language model with one transformer block: causal attention with several heads, written with einsum.

Layer norm before attention and before the network (Radford et al., 2019), GELU by the tanh formula, tied embeddings; the loss is the mean cross entropy of the
next token, in nats.

Reference: mpmath. The same model with 30 digits, token by token and head by head, gave 2.847805986430097644487.
"""
import numpy as np


def layer_norm(x, gain, bias, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    return gain * (x - mean) / np.sqrt(var + eps) + bias


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


def attention(x, p):
    T = x.shape[0]
    q, k, v = np.einsum("td,cdhe->chte", x, p["qkv"])
    scores = np.einsum("hte,hse->hts", q, k) / np.sqrt(q.shape[-1])
    mask = np.tril(np.ones((T, T), dtype=bool))
    scores[:, ~mask] = -np.inf
    weights = softmax(scores)
    return np.einsum("hts,hse,hed->td", weights, v, p["out"])


def transformer_block(p, tokens):
    x = p["embed"][tokens[:-1]] + p["position"][:len(tokens) - 1]
    x = x + attention(layer_norm(x, *p["norm1"]), p)
    x = x + gelu(layer_norm(x, *p["norm2"]) @ p["up"]) @ p["down"]
    logits = x @ p["embed"].T
    probabilities = softmax(logits)
    return -np.mean(np.log(probabilities[np.arange(len(tokens) - 1), tokens[1:]]))


ALSO = ("vmap", "hvp")


def wave(*shape, scale=1.0):
    """Numbers that look like random ones."""
    return scale * np.sin(10.0 * np.arange(1.0, np.prod(shape) + 1.0) ** 1.5).reshape(shape)


def arguments():
    d, heads, e = 4, 2, 2
    p = {"embed": wave(5, d), "position": wave(6, d, scale=0.3), "qkv": wave(3, d, heads, e, scale=0.8), "out": wave(heads, e, d, scale=0.5),
         "norm1": (1.0 + wave(d, scale=0.1), wave(d, scale=0.2)), "norm2": (1.0 + wave(d, scale=0.2), wave(d, scale=0.1)),
         "up": wave(d, 6, scale=0.7), "down": wave(6, d, scale=0.4)}
    return p, np.array([1, 4, 0, 2, 2, 3])


def reference():
    return {"value": 2.847805986430097644487, "rtol": 1e-12}
