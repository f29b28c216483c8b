"""Train a network on handwritten digits. The network and its loss are plain NumPy; Gradscribe writes the gradient.

    python examples/digits.py [--out FOLDER]
"""
import argparse
import sys
from pathlib import Path
from statistics import median
from time import perf_counter

import numpy as np
from rich.console import Console
from rich.progress import Progress
from rich.syntax import Syntax

import gradscribe as gs

HIDDEN, BATCH, EPOCHS, RATE, MOMENTUM = 64, 32, 40, 0.2, 0.9
SEEDS = range(5)
WANTED = 0.97                                    # test accuracy, median over the seeds


# ---- the model: what a user writes -----------------------------------------------------------------------------------

def logits(params, X):
    h = np.tanh(X @ params["W1"] + params["b1"])
    return h @ params["W2"] + params["b2"]


def loss(params, X, Y):
    """Softmax cross-entropy; the rows of Y are one-hot."""
    z = logits(params, X)
    z = z - np.max(z, axis=1, keepdims=True)     # so that exp cannot overflow
    log_p = z - np.log(np.sum(np.exp(z), axis=1, keepdims=True))
    return -np.sum(Y * log_p) / len(X)


def initial(rng, inputs=64, classes=10):
    return {"W1": rng.normal(size=(inputs, HIDDEN)) / np.sqrt(inputs), "b1": np.zeros(HIDDEN),
            "W2": rng.normal(size=(HIDDEN, classes)) / np.sqrt(HIDDEN), "b2": np.zeros(classes)}


# ---- what Gradscribe spares the user ---------------------------------------------------------------------------------

def loss_and_gradient_by_hand(params, X, Y):
    h = np.tanh(X @ params["W1"] + params["b1"])
    z = h @ params["W2"] + params["b2"]
    z = z - np.max(z, axis=1, keepdims=True)
    e = np.exp(z)
    s = np.sum(e, axis=1, keepdims=True)
    value = -np.sum(Y * (z - np.log(s))) / len(X)
    z_bar = (e / s - Y) / len(X)
    a_bar = (z_bar @ params["W2"].T) * (1 - h * h)
    return value, {"W1": X.T @ a_bar, "b1": np.sum(a_bar, axis=0), "W2": h.T @ z_bar, "b2": np.sum(z_bar, axis=0)}


# ---- training --------------------------------------------------------------------------------------------------------

def digits():
    """(X, Y) to learn from and (X, Y) held out: a fixed fifth."""
    from sklearn.datasets import load_digits
    data = load_digits()
    X, Y = data.data / 16, np.eye(10)[data.target]
    order = np.random.default_rng(0).permutation(len(X))
    held_out = len(X) // 5
    test, train = order[:held_out], order[held_out:]
    return (X[train], Y[train]), (X[test], Y[test])


def train(loss_and_gradient, X, Y, seed, epochs=EPOCHS, after_epoch=lambda: None):
    """Gradient descent with momentum, its rate falling to zero. Return (parameters, mean loss of each epoch)."""
    rng = np.random.default_rng(seed)
    params = initial(rng)
    velocity = {name: np.zeros_like(value) for name, value in params.items()}
    curve = []
    for epoch in range(epochs):
        rate = RATE * (1 - epoch / epochs)
        losses = []
        for batch in batches(rng.permutation(len(X))):
            value, gradient = loss_and_gradient(params, X[batch], Y[batch])
            losses.append(value)
            for name in params:
                velocity[name] = MOMENTUM * velocity[name] + gradient[name]
                params[name] = params[name] - rate * velocity[name]
        curve.append(float(np.mean(losses)))
        after_epoch()
    return params, curve


def batches(order):
    """Full batches only."""
    return order[:len(order) // BATCH * BATCH].reshape(-1, BATCH)


def accuracy(params, X, Y):
    return float(np.mean(np.argmax(logits(params, X), axis=1) == np.argmax(Y, axis=1)))


def timed(call, *args, **keywords):
    start = perf_counter()
    result = call(*args, **keywords)
    return perf_counter() - start, result


def train_both(written, data, seeds, epochs, console):
    """Train with the written and with the hand-written gradient, in turn: (accuracies, curves, seconds of each)."""
    (X, Y), held_out = data
    accuracies, curves, seconds = [], [], {"written": 0.0, "by hand": 0.0}
    with Progress(console=console) as progress:
        task = progress.add_task("training", total=2 * len(seeds) * epochs)
        for seed in seeds:
            for name, gradient in (("written", written), ("by hand", loss_and_gradient_by_hand)):
                spent, (params, curve) = timed(train, gradient, X, Y, seed, epochs, lambda: progress.advance(task))
                seconds[name] += spent
                if name == "written":
                    accuracies.append(accuracy(params, *held_out))
                    curves.append(curve)
    return accuracies, curves, seconds


# ---- checking and showing --------------------------------------------------------------------------------------------

def check(written, X, Y):
    """Against finite differences, and against the gradient by hand: the largest relative difference of the latter."""
    params = initial(np.random.default_rng(0))
    few = slice(0, 8)

    def loss_of(params):
        return loss(params, X[few], Y[few])

    gs.test_util.check_grads(loss_of, (params,), order=1, modes=("fwd", "rev"))
    ours, hand = written(params, X, Y)[1], loss_and_gradient_by_hand(params, X, Y)[1]
    return max(float(np.max(np.abs(ours[k] - hand[k])) / np.max(np.abs(hand[k]))) for k in hand)


def excerpt(source, length=32):
    """(number of the first line, lines): where the adjoint begins, as far as it fits."""
    lines = source.splitlines()
    first = next((k for k, line in enumerate(lines) if "adjoint of" in line), 0)
    return first + 1, lines[first:first + length]


def show_source(source, console):
    first, lines = excerpt(source)
    console.print(f"\nLines {first} to {first + len(lines) - 1} of the {len(source.splitlines())} that Gradscribe wrote:")
    console.print(Syntax("\n".join(lines), "python", line_numbers=True, start_line=first, word_wrap=True,
                         background_color="default"))


def draw(curves, path):
    import matplotlib
    matplotlib.use("Agg")                        # a file, no window
    from matplotlib import pyplot as plt
    figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
    for seed, curve in enumerate(curves):
        axes.semilogy(range(1, len(curve) + 1), curve, label=f"seed {seed}", linewidth=1.2)
    axes.set(xlabel="epoch", ylabel="mean loss", title="Training on 1,438 handwritten digits")
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)
    figure.savefig(path, dpi=150)
    plt.close(figure)


def main(out, seeds=SEEDS, epochs=EPOCHS, console=None):
    console = console or Console(highlight=False)
    data = (X, Y), held_out = digits()
    console.print(f"{len(X):,} digits to learn from, {len(held_out[0])} held out; a network of 64, {HIDDEN} and 10 units, "
                  f"{epochs} epochs of batches of {BATCH}.")
    written = gs.jit(gs.value_and_grad(loss))
    params = initial(np.random.default_rng(0))
    compiling, _ = timed(written, params, X[:BATCH], Y[:BATCH])
    console.print(f"Wrote and compiled the gradient in {compiling:.1f} s.")
    console.print(f"Gradient check: agrees with finite differences, and to {check(written, X, Y):.0e} with the gradient by hand.")
    accuracies, curves, seconds = train_both(written, data, seeds, epochs, console)
    reached = median(accuracies)
    console.print(f"Test accuracy: [bold]{reached:.1%}[/bold] (median of {', '.join(f'{a:.1%}' for a in accuracies)}).")
    console.print(f"Training took {seconds['written']:.2f} s with the gradient that Gradscribe wrote, "
                  f"{seconds['by hand']:.2f} s with the NumPy gradient by hand.")
    source = written.source(params, X[:BATCH], Y[:BATCH])
    show_source(source, console)
    save(source, curves, out, console)
    return reached


def save(source, curves, out, console):
    out.mkdir(parents=True, exist_ok=True)
    picture, text = out / "digits_loss.png", out / "digits_gradient.py"
    draw(curves, picture)
    text.write_text(source)
    console.print(f"\nSaved {picture} and {text}.")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Train a network on handwritten digits.")
    parser.add_argument("--out", type=Path, default=Path("out"), help="where the picture and the source go")
    if main(parser.parse_args().out) < WANTED:
        sys.exit(f"The accuracy is below {WANTED:.0%}.")
