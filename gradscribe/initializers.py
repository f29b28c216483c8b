"""Initial weights, with the names, arguments and numbers of `jax.nn.initializers`.

Each takes what it is about and gives a function (key, shape, dtype) -> array; `zeros` and `ones` are such functions.
"""
from __future__ import annotations

import math
from typing import Sequence

import numpy as np

from .keys import float_type
from .random import normal as normal_numbers, truncated_normal as truncated_numbers, uniform as uniform_numbers

Axes = int | Sequence[int]
TRUNCATED = 0.87962566103423978  # the standard deviation of a standard normal number between -2 and 2


def zeros(key, shape, dtype=None):
    """0 everywhere; the key counts for nothing.

    >>> import gradscribe as gs
    >>> gs.nn.initializers.zeros(gs.random.key(0), (2,))
    array([0., 0.], dtype=float32)
    """
    return np.zeros(shape, float_type(dtype))


def ones(key, shape, dtype=None):
    """1 everywhere; the key counts for nothing.

    >>> import gradscribe as gs
    >>> gs.nn.initializers.ones(gs.random.key(0), (2,))
    array([1., 1.], dtype=float32)
    """
    return np.ones(shape, float_type(dtype))


def constant(value, dtype=None):
    """The same everywhere.

    >>> import gradscribe as gs
    >>> gs.nn.initializers.constant(5.0)(gs.random.key(0), (2,))
    array([5., 5.], dtype=float32)
    """
    return lambda key, shape, dtype=dtype: np.full(shape, value, float_type(dtype))


def uniform(scale=1e-2, dtype=None):
    """Uniform numbers between 0 and `scale`.

    >>> import gradscribe as gs
    >>> gs.nn.initializers.uniform(2.0)(gs.random.key(42), (2,)).round(4)
    array([0.9774, 1.3596], dtype=float32)
    """
    return lambda key, shape, dtype=dtype: uniform_numbers(key, shape, dtype) * float_type(dtype)(scale)


def normal(stddev=1e-2, dtype=None):
    """Normal numbers of this standard deviation.

    >>> import gradscribe as gs
    >>> gs.nn.initializers.normal(2.0)(gs.random.key(42), (2,)).round(4)
    array([-0.0566,  0.9343], dtype=float32)
    """
    return lambda key, shape, dtype=dtype: normal_numbers(key, shape, dtype) * float_type(dtype)(stddev)


def truncated_normal(stddev=1e-2, dtype=None, lower=-2.0, upper=2.0):
    """Normal numbers between `lower` and `upper`, times `stddev`.

    >>> import gradscribe as gs
    >>> gs.nn.initializers.truncated_normal(2.0)(gs.random.key(42), (2,)).round(4)
    array([-0.054 ,  0.8888], dtype=float32)
    """
    return lambda key, shape, dtype=dtype: (truncated_numbers(key, lower, upper, shape, dtype)
                                            * float_type(dtype)(stddev))


def lengths_product(shape, axes: Axes):
    return shape[axes] if isinstance(axes, int) else math.prod([shape[k] for k in axes])


def variance_scaling(scale, mode, distribution, in_axis: Axes = -2, out_axis: Axes = -1, batch_axis: Axes = (),
                     dtype=None):
    """Numbers of mean 0 and variance scale / n, where n is a number of connections.

    mode               "fan_in": n is how many go into a unit; "fan_out": out of one; "fan_avg", "fan_geo_avg": their
                       mean, arithmetic or geometric
    distribution       "normal", "truncated_normal" (at two standard deviations) or "uniform"
    in_axis, out_axis  axes of the units that are connected; the other axes are places of a kernel,
    batch_axis         but for these

    Raises ValueError for other modes and distributions.

    >>> import gradscribe as gs
    >>> init = gs.nn.initializers.variance_scaling(1.0, "fan_avg", "uniform")
    >>> init(gs.random.key(42), (1, 2)).round(4)
    array([[-0.0319,  0.5085]], dtype=float32)
    """
    if mode not in ("fan_in", "fan_out", "fan_avg", "fan_geo_avg"):
        raise ValueError(f"no such mode: {mode!r}")
    if distribution not in ("normal", "truncated_normal", "uniform"):
        raise ValueError(f"no such distribution: {distribution!r}")

    def init(key, shape, dtype=dtype):
        kind = float_type(dtype)
        if len(shape) < 2 and in_axis == -2:
            raise ValueError("weights need two axes, or say in_axis")
        outputs = lengths_product(shape, out_axis)
        places = math.prod(shape) / lengths_product(shape, in_axis) / outputs / lengths_product(shape, batch_axis)
        fan_in, fan_out = lengths_product(shape, in_axis) * places, outputs * places
        n = {"fan_in": fan_in, "fan_out": fan_out, "fan_avg": (fan_in + fan_out) / 2,
             "fan_geo_avg": (fan_in * fan_out) ** 0.5}[mode]
        variance = kind(scale / n)
        if distribution == "normal":
            return normal_numbers(key, shape, kind) * np.sqrt(variance)
        if distribution == "uniform":
            return uniform_numbers(key, shape, kind, -1.0) * np.sqrt(3 * variance)
        return truncated_numbers(key, -2.0, 2.0, shape, kind) * (np.sqrt(variance) / kind(TRUNCATED))

    return init


def glorot_uniform(in_axis: Axes = -2, out_axis: Axes = -1, batch_axis: Axes = (), dtype=None):
    """X. Glorot, Y. Bengio, "Understanding the difficulty of training deep feedforward neural networks" (2010)."""
    return variance_scaling(1.0, "fan_avg", "uniform", in_axis, out_axis, batch_axis, dtype)


def glorot_normal(in_axis: Axes = -2, out_axis: Axes = -1, batch_axis: Axes = (), dtype=None):
    """As `glorot_uniform`, of truncated normal numbers."""
    return variance_scaling(1.0, "fan_avg", "truncated_normal", in_axis, out_axis, batch_axis, dtype)


def lecun_uniform(in_axis: Axes = -2, out_axis: Axes = -1, batch_axis: Axes = (), dtype=None):
    """Uniform numbers of variance 1 / fan_in."""
    return variance_scaling(1.0, "fan_in", "uniform", in_axis, out_axis, batch_axis, dtype)


def lecun_normal(in_axis: Axes = -2, out_axis: Axes = -1, batch_axis: Axes = (), dtype=None):
    """Truncated normal numbers of variance 1 / fan_in."""
    return variance_scaling(1.0, "fan_in", "truncated_normal", in_axis, out_axis, batch_axis, dtype)


def he_uniform(in_axis: Axes = -2, out_axis: Axes = -1, batch_axis: Axes = (), dtype=None):
    """Uniform numbers of variance 2 / fan_in, for rectifiers."""
    return variance_scaling(2.0, "fan_in", "uniform", in_axis, out_axis, batch_axis, dtype)


def he_normal(in_axis: Axes = -2, out_axis: Axes = -1, batch_axis: Axes = (), dtype=None):
    """Truncated normal numbers of variance 2 / fan_in, for rectifiers."""
    return variance_scaling(2.0, "fan_in", "truncated_normal", in_axis, out_axis, batch_axis, dtype)


def orthogonal(scale=1.0, column_axis=-1, dtype=None):
    """A random matrix with orthonormal rows or columns, whichever are fewer, times `scale`.

    column_axis  the axis of the columns; the others together are the rows

    >>> import numpy as np, gradscribe as gs
    >>> q = gs.nn.initializers.orthogonal()(gs.random.key(42), (3, 2))
    >>> np.abs(q.T @ q - np.eye(2)).max() < 1e-6
    np.True_
    """
    def init(key, shape, dtype=dtype):
        if len(shape) < 2:
            raise ValueError("an orthogonal matrix needs two axes")
        columns = shape[column_axis]
        rows = math.prod(shape) // columns
        few, many = (columns, rows) if rows >= columns else (rows, columns)
        q, r = np.linalg.qr(normal_numbers(key, (many, few), dtype))
        q = q * np.sign(np.diagonal(r))
        k = column_axis % len(shape)
        others = tuple([*shape[:k], *shape[k + 1:]])
        q = np.reshape(q if rows >= columns else q.T, (*others, columns))
        return float_type(dtype)(scale) * np.moveaxis(q, -1, column_axis)

    return init


kaiming_normal, kaiming_uniform, xavier_normal, xavier_uniform = he_normal, he_uniform, glorot_normal, glorot_uniform

__all__ = ["constant", "glorot_normal", "glorot_uniform", "he_normal", "he_uniform", "kaiming_normal",
           "kaiming_uniform", "lecun_normal", "lecun_uniform", "normal", "ones", "orthogonal", "truncated_normal",
           "uniform", "variance_scaling", "xavier_normal", "xavier_uniform", "zeros"]
