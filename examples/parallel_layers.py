"""Two layers too large for one device, of which each has a part: a matrix by columns, then a matrix by rows.

    GRADSCRIBE_DEVICES=4 python examples/parallel_layers.py

Cut by columns, devices compute different columns of a product. Cut by rows, they compute terms of one sum: `psum_scatter`
adds them up and gives each its rows of the result. A layer of each kind, one after the other, needs nothing in between.
What a device has it keeps: nothing is gathered while the layers learn.
"""
from functools import partial

import numpy as np

import gradscribe as gs
from gradscribe import P

MESH = gs.Mesh((gs.device_count(),), "parts")
COLUMNS, ROWS = P(None, "parts"), P("parts", None)


def sum_of_terms(x, W):
    """The rows of x @ W for this device, which has some rows of W and the columns of x that meet them."""
    return gs.lax.psum_scatter(x @ W, "parts", scatter_dimension=0, tiled=True)


@partial(gs.shard_map, mesh=MESH, in_specs=(P(), COLUMNS), out_specs=COLUMNS)
def product_by_columns(x, W):
    return x @ W


product_by_rows = gs.shard_map(sum_of_terms, mesh=MESH, in_specs=(COLUMNS, ROWS), out_specs=ROWS)


@partial(gs.shard_map, mesh=MESH, in_specs=(P(), COLUMNS, ROWS, ROWS), out_specs=(P(), (COLUMNS, ROWS)))
def gradients(x, W1, W2, target):
    """The loss of two layers, and its derivatives with respect to both matrices, laid as these are."""
    def part_of_loss(W1, W2):
        return np.sum((sum_of_terms(np.tanh(x @ W1), W2) - target) ** 2)     # of the rows that this device has

    value, found = gs.value_and_grad(part_of_loss, argnums=(0, 1))(W1, W2)
    return gs.lax.psum(value, "parts"), found


@partial(gs.shard_map, mesh=MESH, in_specs=((COLUMNS, ROWS), (COLUMNS, ROWS)), out_specs=(COLUMNS, ROWS))
def descent(weights, slopes):
    return gs.tree.map(lambda W, slope: W - 1e-4 * slope, weights, slopes)


def loss(W1, W2, x, target):
    """The same of whole matrices."""
    return np.sum((np.tanh(x @ W1) @ W2 - target) ** 2)


def data(count, width=8, examples=4):
    """(x, W1, W2, target), each with as many columns or rows as it takes to give every device some."""
    keys = gs.random.split(gs.random.key(0), 4)
    shapes = ((examples * count, 5), (5, width * count), (width * count, 3), (examples * count, 3))
    return [gs.random.normal(k, s, dtype=np.float64) for k, s in zip(keys, shapes)]


def train(x, weights, target, steps):
    """(both matrices, the loss of each step)"""
    weights, curve = gs.shard(weights, MESH, (COLUMNS, ROWS)), []
    target = gs.shard(target, MESH, ROWS)
    for _ in range(steps):
        value, slopes = gradients(x, *weights, target)
        weights = descent(weights, slopes)
        curve.append(value)
    return weights, curve


def main(steps=20):
    x, W1, W2, target = data(MESH.size)
    hidden = product_by_columns(x, W1)
    result = product_by_rows(hidden, W2)
    hidden, result = gs.device_get((hidden, result))    # whole, from all processes, if there are several
    print(f"{MESH.size} devices; products differ from those of one device by {np.max(np.abs(hidden - x @ W1)):.0e} "
          f"and {np.max(np.abs(result - hidden @ W2)):.0e}")
    (W1, _), curve = train(x, (W1, W2), target, steps)
    print(f"loss {curve[0]:.2f} in the first step, {curve[-1]:.2f} in the last; {W1}")


if __name__ == "__main__":
    main()
