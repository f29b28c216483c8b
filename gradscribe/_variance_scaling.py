"""Initial weights of `gs.nn.initializers` whose variance comes of the number of connections."""
from __future__ import annotations

import math
from typing import Literal, Sequence

import numpy as np

from ._keys import float_type
from ._types import DTypeLike, Initializer, Real
from .random import normal as normal_numbers, truncated_normal as truncated_numbers, uniform as uniform_numbers

Axes = int | Sequence[int]
TRUNCATED = 0.87962566103423978  # the standard deviation of a standard normal number between -2 and 2


def lengths_product(shape, axes: Axes):
    return shape[axes] if isinstance(axes, int) else math.prod([shape[k] for k in axes])


def variance_scaling(scale: Real, mode: Literal["fan_in", "fan_out", "fan_avg", "fan_geo_avg"],
                     distribution: Literal["normal", "truncated_normal", "uniform"], in_axis: Axes = -2,
                     out_axis: Axes = -1, batch_axis: Axes = (), dtype: DTypeLike | None = None) -> Initializer:
    """Make a function that draws numbers of mean 0 and variance scale / n, where n counts connections.

    Parameters
    ----------
    scale : number
        The variance times n.
    mode : {"fan_in", "fan_out", "fan_avg", "fan_geo_avg"}
        What n is: how many connections go into a unit, out of one, or their mean, arithmetic or geometric.
    distribution : {"normal", "truncated_normal", "uniform"}
        What is drawn; "truncated_normal" at two standard deviations.
    in_axis, out_axis : int or sequence of int
        The axes of the units that are connected; the other axes are places of a kernel, but for batch_axis.
    batch_axis : int or sequence of int
        Axes of what is computed apart.
    dtype : dtype or None
        Either np.float32 or np.float64; None: float32 (`gs.config`).

    Returns
    -------
    callable
        (key, shape, dtype) -> ndarray; its dtype may be left out.

    Raises
    ------
    ValueError
        For other modes and distributions; at the call of what is returned, where the weights have fewer than two axes,
        and in_axis is -2.

    Examples
    --------
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


def glorot_uniform(in_axis: Axes = -2, out_axis: Axes = -1, batch_axis: Axes = (),
                   dtype: DTypeLike | None = None) -> Initializer:
    """Make a function that draws uniform numbers of variance 2 / (fan_in + fan_out).

    Parameters
    ----------
    in_axis, out_axis, batch_axis : int or sequence of int
        Which axes are what, as in `variance_scaling`.
    dtype : dtype or None
        Either np.float32 or np.float64; None: float32 (`gs.config`).

    Returns
    -------
    callable
        (key, shape, dtype) -> ndarray; its dtype may be left out.

    Raises
    ------
    ValueError
        At the call of what is returned: where the weights have fewer than two axes, and in_axis is -2.

    References
    ----------
    X. Glorot, Y. Bengio, "Understanding the difficulty of training deep feedforward neural networks", 2010.

    Examples
    --------
    >>> import gradscribe as gs
    >>> gs.nn.initializers.glorot_uniform()(gs.random.key(42), (1, 2)).round(4)
    array([[-0.0319,  0.5085]], dtype=float32)
    """
    return variance_scaling(1.0, "fan_avg", "uniform", in_axis, out_axis, batch_axis, dtype)


def glorot_normal(in_axis: Axes = -2, out_axis: Axes = -1, batch_axis: Axes = (),
                  dtype: DTypeLike | None = None) -> Initializer:
    """Make a function that draws truncated normal numbers of variance 2 / (fan_in + fan_out).

    Parameters
    ----------
    in_axis, out_axis, batch_axis : int or sequence of int
        Which axes are what, as in `variance_scaling`.
    dtype : dtype or None
        Either np.float32 or np.float64; None: float32 (`gs.config`).

    Returns
    -------
    callable
        (key, shape, dtype) -> ndarray; its dtype may be left out.

    Raises
    ------
    ValueError
        At the call of what is returned: where the weights have fewer than two axes, and in_axis is -2.

    References
    ----------
    X. Glorot, Y. Bengio, "Understanding the difficulty of training deep feedforward neural networks", 2010.

    Examples
    --------
    >>> import gradscribe as gs
    >>> gs.nn.initializers.glorot_normal()(gs.random.key(42), (1, 2)).round(4)
    array([[-0.0251,  0.4125]], dtype=float32)
    """
    return variance_scaling(1.0, "fan_avg", "truncated_normal", in_axis, out_axis, batch_axis, dtype)


def lecun_uniform(in_axis: Axes = -2, out_axis: Axes = -1, batch_axis: Axes = (),
                  dtype: DTypeLike | None = None) -> Initializer:
    """Make a function that draws uniform numbers of variance 1 / fan_in.

    Parameters
    ----------
    in_axis, out_axis, batch_axis : int or sequence of int
        Which axes are what, as in `variance_scaling`.
    dtype : dtype or None
        Either np.float32 or np.float64; None: float32 (`gs.config`).

    Returns
    -------
    callable
        (key, shape, dtype) -> ndarray; its dtype may be left out.

    Raises
    ------
    ValueError
        At the call of what is returned: where the weights have fewer than two axes, and in_axis is -2.

    Examples
    --------
    >>> import gradscribe as gs
    >>> gs.nn.initializers.lecun_uniform()(gs.random.key(42), (1, 2)).round(4)
    array([[-0.0391,  0.6228]], dtype=float32)
    """
    return variance_scaling(1.0, "fan_in", "uniform", in_axis, out_axis, batch_axis, dtype)


def lecun_normal(in_axis: Axes = -2, out_axis: Axes = -1, batch_axis: Axes = (),
                 dtype: DTypeLike | None = None) -> Initializer:
    """Make a function that draws truncated normal numbers of variance 1 / fan_in.

    Parameters
    ----------
    in_axis, out_axis, batch_axis : int or sequence of int
        Which axes are what, as in `variance_scaling`.
    dtype : dtype or None
        Either np.float32 or np.float64; None: float32 (`gs.config`).

    Returns
    -------
    callable
        (key, shape, dtype) -> ndarray; its dtype may be left out.

    Raises
    ------
    ValueError
        At the call of what is returned: where the weights have fewer than two axes, and in_axis is -2.

    Examples
    --------
    >>> import gradscribe as gs
    >>> gs.nn.initializers.lecun_normal()(gs.random.key(42), (1, 2)).round(4)
    array([[-0.0307,  0.5052]], dtype=float32)
    """
    return variance_scaling(1.0, "fan_in", "truncated_normal", in_axis, out_axis, batch_axis, dtype)


def he_uniform(in_axis: Axes = -2, out_axis: Axes = -1, batch_axis: Axes = (),
               dtype: DTypeLike | None = None) -> Initializer:
    """Make a function that draws uniform numbers of variance 2 / fan_in, for rectifiers.

    Parameters
    ----------
    in_axis, out_axis, batch_axis : int or sequence of int
        Which axes are what, as in `variance_scaling`.
    dtype : dtype or None
        Either np.float32 or np.float64; None: float32 (`gs.config`).

    Returns
    -------
    callable
        (key, shape, dtype) -> ndarray; its dtype may be left out.

    Raises
    ------
    ValueError
        At the call of what is returned: where the weights have fewer than two axes, and in_axis is -2.

    Examples
    --------
    >>> import gradscribe as gs
    >>> gs.nn.initializers.he_uniform()(gs.random.key(42), (1, 2)).round(4)
    array([[-0.0553,  0.8808]], dtype=float32)
    """
    return variance_scaling(2.0, "fan_in", "uniform", in_axis, out_axis, batch_axis, dtype)


def he_normal(in_axis: Axes = -2, out_axis: Axes = -1, batch_axis: Axes = (),
              dtype: DTypeLike | None = None) -> Initializer:
    """Make a function that draws truncated normal numbers of variance 2 / fan_in, for rectifiers.

    Parameters
    ----------
    in_axis, out_axis, batch_axis : int or sequence of int
        Which axes are what, as in `variance_scaling`.
    dtype : dtype or None
        Either np.float32 or np.float64; None: float32 (`gs.config`).

    Returns
    -------
    callable
        (key, shape, dtype) -> ndarray; its dtype may be left out.

    Raises
    ------
    ValueError
        At the call of what is returned: where the weights have fewer than two axes, and in_axis is -2.

    Examples
    --------
    >>> import gradscribe as gs
    >>> gs.nn.initializers.he_normal()(gs.random.key(42), (1, 2)).round(4)
    array([[-0.0434,  0.7145]], dtype=float32)
    """
    return variance_scaling(2.0, "fan_in", "truncated_normal", in_axis, out_axis, batch_axis, dtype)
