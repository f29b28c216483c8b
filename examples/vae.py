"""A variational autoencoder of handwritten digits (Kingma and Welling, 2014): random numbers inside a compiled training step.

    python examples/vae.py [--epochs N] [--out FOLDER]

The model is plain NumPy. `gs.random` draws the noise from a key, in the same compiled program as the gradient and Adam.
"""
import argparse
from pathlib import Path

import numpy as np

import gradscribe as gs

HIDDEN, LATENT, BATCH, RATE = 128, 8, 64, 2e-3


# ---- the model ---------------------------------------------------------------------------------------------------------

def layer(key, inputs, outputs):
    return {"W": gs.random.normal(key, (inputs, outputs), dtype=np.float64) / np.sqrt(inputs), "b": np.zeros(outputs)}


def initial(key, pixels=64):
    keys = gs.random.split(key, 5)
    return {"hidden": layer(keys[0], pixels, HIDDEN), "mean": layer(keys[1], HIDDEN, LATENT), "log_var": layer(keys[2], HIDDEN, LATENT),
            "back": layer(keys[3], LATENT, HIDDEN), "pixels": layer(keys[4], HIDDEN, pixels)}


def dense(p, x):
    return x @ p["W"] + p["b"]


def encode(p, x):
    h = gs.nn.relu(dense(p["hidden"], x))
    return dense(p["mean"], h), dense(p["log_var"], h)


def decode(p, z):
    """The logits of the pixels."""
    return dense(p["pixels"], gs.nn.relu(dense(p["back"], z)))


def loss(p, key, X):
    """The negative evidence lower bound per image, in nats."""
    mean, log_var = encode(p, X)
    z = mean + np.exp(0.5 * log_var) * gs.random.normal(key, mean.shape, dtype=np.float64)
    logits = decode(p, z)
    reconstruction = np.sum(gs.nn.softplus(logits) - X * logits, axis=1)
    divergence = 0.5 * np.sum(np.exp(log_var) + mean * mean - 1.0 - log_var, axis=1)
    return np.mean(reconstruction + divergence)


# ---- training ----------------------------------------------------------------------------------------------------------

optimizer = gs.optim.adam(RATE)


@gs.jit
def step(p, state, key, X):
    value, gradients = gs.value_and_grad(loss)(p, key, X)
    p, state = optimizer.update(gradients, state, p)
    return p, state, value


def digits():
    from sklearn.datasets import load_digits
    return load_digits().data / 16


def train(X, epochs, key, after_epoch=lambda value: None):
    """(parameters, mean loss of each epoch)"""
    p = initial(gs.random.fold_in(key, 0))
    state, curve, t = optimizer.init(p), [], 0
    for epoch in range(epochs):
        order = gs.random.permutation(gs.random.fold_in(key, 1 + epoch), len(X))
        values = []
        for rows in order[:len(X) // BATCH * BATCH].reshape(-1, BATCH):
            t += 1
            p, state, value = step(p, state, gs.random.fold_in(key, 100_000 + t), X[rows])
            values.append(float(value))
        curve.append(float(np.mean(values)))
        after_epoch(curve[-1])
    return p, curve


def dreamt(p, key, count):
    """Images of points of the latent space that nothing was encoded to."""
    z = gs.random.normal(key, (count, LATENT), dtype=np.float64)
    return gs.nn.sigmoid(decode(p, z)).reshape(count, 8, 8)


def draw(p, X, curve, path, key):
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    mean, _ = encode(p, X[:10])
    rows = [X[:10].reshape(-1, 8, 8), gs.nn.sigmoid(decode(p, mean)).reshape(-1, 8, 8), dreamt(p, key, 10)]
    fig, axes = plt.subplots(4, 10, figsize=(10, 5), gridspec_kw={"height_ratios": [1, 1, 1, 2]})
    for line, images, title in zip(axes, rows, ("digits", "encoded and decoded", "dreamt")):
        for ax, image in zip(line, images):
            ax.imshow(image, cmap="gray_r", vmin=0, vmax=1)
            ax.axis("off")
        line[0].set_title(title, loc="left")
    for ax in axes[3]:
        ax.remove()
    below = fig.add_subplot(4, 1, 4)
    below.plot(curve)
    below.set(xlabel="epoch", ylabel="loss, nats per image")
    fig.tight_layout()
    fig.savefig(path, dpi=120)


def main(epochs=60, out=Path("out")):
    from rich.progress import Progress
    out.mkdir(exist_ok=True)
    X, key = digits(), gs.random.key(0)
    with Progress() as progress:
        task = progress.add_task("training", total=epochs)
        p, curve = train(X, epochs, key, lambda value: progress.advance(task))
    print(f"loss {curve[0]:.2f} nats an image after the first epoch, {curve[-1]:.2f} after the last")
    draw(p, X, curve, out / "vae.png", gs.random.fold_in(key, 1))
    (out / "vae_step.py").write_text(step.source(p, optimizer.init(p), key, X[:BATCH]), encoding="utf-8")
    print(f"pictures in {out / 'vae.png'}, the training step as it was written in {out / 'vae_step.py'}")
    return curve


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--epochs", type=int, default=60)
    parser.add_argument("--out", type=Path, default=Path("out"))
    options = parser.parse_args()
    main(options.epochs, options.out)
