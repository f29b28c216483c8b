"""Heat in a plate that is cut into strips, one for each device: neighbours exchange the rows along the cuts.

    GRADSCRIBE_DEVICES=4 python examples/halo_exchange.py

A row needs the one above it and the one below. Of the outermost rows of a strip these lie on the neighbours, which send
them before each step (`ppermute`). The border of the plate is kept at 0: what nobody sends is zeros, which is just that.
"""
from functools import partial

import numpy as np

import gradscribe as gs
from gradscribe import P

MESH = gs.Mesh((gs.device_count(),), "strips")
over_strips = partial(gs.shard_map, mesh=MESH, in_specs=(P("strips"), P(), P()), out_specs=P("strips"))


def moved(u, rate):
    """The plate, or a strip with a halo above and below, after a step, without its first and last row."""
    v = np.zeros((u.shape[0], u.shape[1] + 2))
    v[:, 1:-1] = u
    return u[1:-1] + rate * (v[:-2, 1:-1] + v[2:, 1:-1] + v[1:-1, :-2] + v[1:-1, 2:] - 4.0 * u[1:-1])


def with_halo(u, axis):
    n = gs.lax.axis_size(axis)
    above = gs.lax.ppermute(u[-1:], axis, [(k, k + 1) for k in range(n - 1)])   # my last row is above the next strip
    below = gs.lax.ppermute(u[:1], axis, [(k + 1, k) for k in range(n - 1)])
    return np.concatenate([above, u, below])


@over_strips
def heat(u, rate, steps):
    for _ in range(steps):
        u = moved(with_halo(u, "strips"), rate)
    return u


@over_strips
def sensitivity(u, rate, steps):
    """How the sum of squares over the whole plate changes with each starting temperature of this strip."""
    def energy(u):
        for _ in range(steps):
            u = moved(with_halo(u, "strips"), rate)
        return np.sum(u ** 2)                          # of this strip; cotangents come from the neighbours, too

    return gs.grad(energy)(u)


def heat_of_one(u, rate, steps):
    border = np.zeros((1, u.shape[1]))
    for _ in range(steps):
        u = moved(np.concatenate([border, u, border]), rate)
    return u


def energy_of_one(u, rate, steps):
    return np.sum(heat_of_one(u, rate, steps) ** 2)


def plate(rows, columns):
    y, x = np.meshgrid(np.linspace(-1.0, 1.0, rows), np.linspace(-1.0, 1.0, columns), indexing="ij")
    return np.exp(-20.0 * ((x - 0.2) ** 2 + (y + 0.1) ** 2))


def main(rows=64, columns=48, steps=200):
    u = plate(rows // MESH.size * MESH.size, columns)
    after, slope = gs.device_get((heat(u, 0.2, steps), sensitivity(u, 0.2, steps)))
    print(f"{MESH.size} strips of {len(u) // MESH.size} rows, {steps} steps: {np.sum(after) / np.sum(u):.1%} of the heat is left")
    print(f"one device differs by {np.max(np.abs(after - gs.jit(heat_of_one)(u, 0.2, steps))):.0e}, "
          f"and in the sensitivity by {np.max(np.abs(slope - gs.jit(gs.grad(energy_of_one))(u, 0.2, steps))):.0e}")


if __name__ == "__main__":
    main()
