"""The variational autoencoder of vae.py, trained on many devices: each has a part of the batch, all have the parameters.

    GRADSCRIBE_DEVICES=4 python examples/data_parallel.py [--epochs N]

The model and its loss are those of vae.py, which know of no device. One `pmean` joins what the devices have found.
"""
import argparse
from functools import partial

import numpy as np
import vae

import gradscribe as gs


@partial(gs.pmap, axis_name="devices", in_axes=(None, None, 0, 0), out_axes=None)
def step(p, state, key, X):
    """One step of all devices.  Each sees its key and its images, and all compute the same new parameters."""
    value, gradients = gs.value_and_grad(vae.loss)(p, key, X)
    flat, back = gs.flatten_util.ravel_pytree((value, gradients))   # so that devices meet once, not once for each array
    value, gradients = back(gs.lax.pmean(flat, "devices"))
    p, state = vae.optimizer.update(gradients, state, p)
    return p, state, value


alone = gs.jit(step)                                                # inside another transformation, devices are examples: one device


def train(step, X, steps, count, key):
    """(parameters, loss of each step) with `count` devices."""
    p = vae.initial(gs.random.fold_in(key, 0))
    state, curve = vae.optimizer.init(p), []
    for t in range(steps):
        draw, noise = gs.random.split(gs.random.fold_in(key, 1 + t))
        rows = gs.random.permutation(draw, len(X))[:vae.BATCH]
        p, state, value = step(p, state, gs.random.split(noise, count), X[rows].reshape(count, vae.BATCH // count, -1))
        curve.append(float(value))
    return p, curve


def main(epochs=5):
    X, key, count = vae.digits(), gs.random.key(0), gs.local_device_count()
    if vae.BATCH % count:
        raise SystemExit(f"a batch of {vae.BATCH} images cannot be cut into {count} equal parts: set GRADSCRIBE_DEVICES")
    steps = epochs * (len(X) // vae.BATCH)
    _, together = train(step, X, steps, count, key)
    _, one = train(alone, X, steps, count, key)
    print(f"{count} devices: loss {together[0]:.2f} in the first step, {together[-1]:.2f} in the last of {steps}")
    print(f"one device differs from that by {np.max(np.abs(np.array(together) / one - 1.0)):.0e}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--epochs", type=int, default=5)
    main(parser.parse_args().epochs)
