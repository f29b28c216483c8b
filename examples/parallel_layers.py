"""Two layers too large for one device, of which each has a part: a matrix by columns, then a matrix by rows.

    GRADSCRIBE_DEVICES=4 python examples/parallel_layers.py

Cut by columns, devices compute different columns of a product: `all_gather` puts them side by side. Cut by rows, they
compute terms of one sum: `psum_scatter` adds them up and gives each its rows of the result. A layer of each kind, one
after the other, needs nothing in between.
"""
from functools import partial

import numpy as np

import gradscribe as gs


def by_columns(x, W, axis):
    """x @ W of the whole W, of which this device has some columns.  All devices have x."""
    return gs.lax.all_gather(x @ W, axis, axis=1, tiled=True)


def by_rows(x, W, axis):
    """The rows of x @ W for this device, which has some rows of W and the columns of x that meet them."""
    return gs.lax.psum_scatter(x @ W, axis, scatter_dimension=0, tiled=True)


@partial(gs.pmap, axis_name="parts", in_axes=(None, 1), out_axes=None)
def product_by_columns(x, W):
    return by_columns(x, W, "parts")


@partial(gs.pmap, axis_name="parts", in_axes=(1, 0))
def product_by_rows(x, W):
    return by_rows(x, W, "parts")


@partial(gs.pmap, axis_name="parts", in_axes=(None, 1, 0, 0))
def gradients(x, W1, W2, target):
    """The loss of two layers, and its derivatives with respect to this device's parts of both matrices."""
    def part_of_loss(W1, W2):
        hidden = np.tanh(x @ W1)                       # the columns that this device has
        return np.sum((by_rows(hidden, W2, "parts") - target) ** 2)

    value, found = gs.value_and_grad(part_of_loss, argnums=(0, 1))(W1, W2)
    return gs.lax.psum(value, "parts"), found


def loss(W1, W2, x, target):
    """The same of whole matrices."""
    return np.sum((np.tanh(x @ W1) @ W2 - target) ** 2)


def columns(W, count):
    """(rows, device, columns of the device)"""
    return W.reshape(len(W), count, -1)


def rows(W, count):
    """(device, rows of the device, columns)"""
    return W.reshape(count, -1, W.shape[1])


def data(count, width=8, examples=4):
    """(x, W1, W2, target), each with as many columns or rows as it takes to give every device some."""
    keys = gs.random.split(gs.random.key(0), 4)
    shapes = ((examples * count, 5), (5, width * count), (width * count, 3), (examples * count, 3))
    return [gs.random.normal(k, s, dtype=np.float64) for k, s in zip(keys, shapes)]


def main():
    count = gs.local_device_count()
    x, W1, W2, target = data(count)
    hidden = product_by_columns(x, columns(W1, count))
    result = product_by_rows(columns(hidden, count), rows(W2, count))
    print(f"{count} devices; products differ from those of one device by {np.max(np.abs(hidden - x @ W1)):.0e} "
          f"and {np.max(np.abs(result.reshape(-1, W2.shape[1]) - hidden @ W2)):.0e}")
    value, (W1_bar, W2_bar) = gradients(x, columns(W1, count), rows(W2, count), rows(target, count))
    one, (W1_bar_one, W2_bar_one) = gs.value_and_grad(loss, argnums=(0, 1))(W1, W2, x, target)
    print(f"loss {value[0]:.6f}, of one device {one:.6f}; gradients differ by "
          f"{np.max(np.abs(np.moveaxis(W1_bar, 0, 1).reshape(W1.shape) - W1_bar_one)):.0e} "
          f"and {np.max(np.abs(W2_bar.reshape(W2.shape) - W2_bar_one)):.0e}")


if __name__ == "__main__":
    main()
