"""Models as people write them: a transformer of a list of blocks, a variational autoencoder."""
import numpy as np

import gradscribe as gs


def normalised(x, p):
    d = x - np.mean(x, axis=-1, keepdims=True)
    return p["gain"] * d / np.sqrt(np.mean(d * d, axis=-1, keepdims=True) + 1e-5) + p["shift"]


def attention(x, p, heads):
    n, d = x.shape
    q = (x @ p["Q"]).reshape(n, heads, d // heads).transpose(1, 0, 2)
    k = (x @ p["K"]).reshape(n, heads, d // heads).transpose(1, 2, 0)
    v = (x @ p["V"]).reshape(n, heads, d // heads).transpose(1, 0, 2)
    s = q @ k / np.sqrt(d // heads)
    s = np.where(np.arange(n)[:, None] >= np.arange(n), s, -1e9)
    e = np.exp(s - np.max(s, axis=-1, keepdims=True))
    a = e / np.sum(e, axis=-1, keepdims=True)
    return (a @ v).transpose(1, 0, 2).reshape(n, d) @ p["O"]


def block(x, p, heads):
    x = x + attention(normalised(x, p["before"]), p, heads)
    h = np.tanh(normalised(x, p["between"]) @ p["W1"] + p["c1"])
    return x + h @ p["W2"] + p["c2"]


def transformer(params, tokens, heads):
    """The mean loss of predicting each token from those before it."""
    x = params["embedding"][tokens[:-1]]
    for p in params["blocks"]:
        x = block(x, p, heads)
    z = x @ params["embedding"].T
    z = z - np.max(z, axis=-1, keepdims=True)
    log_p = z - np.log(np.sum(np.exp(z), axis=-1, keepdims=True))
    return -np.mean(log_p[np.arange(len(z)), tokens[1:]])


def transformer_args(blocks=2, words=7, d=4):
    rng = np.random.default_rng(0)
    shapes = {"Q": (d, d), "K": (d, d), "V": (d, d), "O": (d, d), "W1": (d, 2 * d), "c1": 2 * d,
              "W2": (2 * d, d), "c2": d}
    norm = lambda: {"gain": np.ones(d), "shift": np.zeros(d)}
    made = [{"before": norm(), "between": norm(), **{k: rng.normal(size=s) / d for k, s in shapes.items()}}
            for _ in range(blocks)]
    return {"embedding": rng.normal(size=(words, d)), "blocks": made}, rng.integers(words, size=6), 2


def dense(p, x):
    return x @ p["W"] + p["b"]


def encode(p, x):
    h = np.tanh(dense(p["hidden"], x))
    return dense(p["mean"], h), dense(p["log_var"], h)


def decode(p, z):
    return dense(p["pixels"], np.tanh(dense(p["back"], z)))


def vae(p, key, X):
    """The negative evidence lower bound of an image."""
    mean, log_var = encode(p, X)
    z = mean + np.exp(0.5 * log_var) * gs.random.normal(key, mean.shape, dtype=np.float64)
    logits = decode(p, z)
    reconstruction = np.sum(gs.nn.softplus(logits) - X * logits)
    divergence = 0.5 * np.sum(np.exp(log_var) + mean * mean - 1.0 - log_var)
    return reconstruction + divergence


def vae_args(pixels=6, hidden=5, latent=2):
    rng = np.random.default_rng(0)
    sizes = {"hidden": (pixels, hidden), "mean": (hidden, latent), "log_var": (hidden, latent),
             "back": (latent, hidden), "pixels": (hidden, pixels)}
    return ({k: {"W": rng.normal(size=s), "b": np.zeros(s[1])} for k, s in sizes.items()}, gs.random.key(0),
            rng.uniform(size=pixels))
