"""Initial weights, with the names, arguments and numbers of `jax.nn.initializers`.

Each takes what it is about and gives a function (key, shape, dtype) -> array; `zeros` and `ones` are such functions.
"""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from ._keys import float_type
from ._types import Array, DTypeLike, Initializer, Number, Real, Shape
from ._variance_scaling import (glorot_normal, glorot_uniform, he_normal, he_uniform, lecun_normal, lecun_uniform,
                                variance_scaling)
from .random import normal as normal_numbers, truncated_normal as truncated_numbers, uniform as uniform_numbers


def zeros(key: Any, shape: Shape, dtype: DTypeLike | None = None) -> Array:
    """Return 0 everywhere.

    Parameters
    ----------
    key : any
        Counts for nothing.
    shape : tuple of int
        Of the weights.
    dtype : dtype or None
        Either np.float32 or np.float64; None: float32 (`gs.config`).

    Returns
    -------
    ndarray
        Of this shape and dtype.

    Examples
    --------
    >>> import gradscribe as gs
    >>> gs.nn.initializers.zeros(gs.random.key(0), (2,))
    array([0., 0.], dtype=float32)
    """
    return np.zeros(shape, float_type(dtype))


def ones(key: Any, shape: Shape, dtype: DTypeLike | None = None) -> Array:
    """Return 1 everywhere.

    Parameters
    ----------
    key : any
        Counts for nothing.
    shape : tuple of int
        Of the weights.
    dtype : dtype or None
        Either np.float32 or np.float64; None: float32 (`gs.config`).

    Returns
    -------
    ndarray
        Of this shape and dtype.

    Examples
    --------
    >>> import gradscribe as gs
    >>> gs.nn.initializers.ones(gs.random.key(0), (2,))
    array([1., 1.], dtype=float32)
    """
    return np.ones(shape, float_type(dtype))


def constant(value: Number, dtype: DTypeLike | None = None) -> Initializer:
    """Make a function that gives the same everywhere.

    Parameters
    ----------
    value : number
        What it gives.
    dtype : dtype or None
        Either np.float32 or np.float64; None: float32 (`gs.config`).

    Returns
    -------
    callable
        (key, shape, dtype) -> ndarray; its dtype may be left out.

    Examples
    --------
    >>> import gradscribe as gs
    >>> gs.nn.initializers.constant(5.0)(gs.random.key(0), (2,))
    array([5., 5.], dtype=float32)
    """
    return lambda key, shape, dtype=dtype: np.full(shape, value, float_type(dtype))


def uniform(scale: Real = 1e-2, dtype: DTypeLike | None = None) -> Initializer:
    """Make a function that draws uniform numbers between 0 and `scale`.

    Parameters
    ----------
    scale : number
        The upper bound.
    dtype : dtype or None
        Either np.float32 or np.float64; None: float32 (`gs.config`).

    Returns
    -------
    callable
        (key, shape, dtype) -> ndarray; its dtype may be left out.

    Examples
    --------
    >>> import gradscribe as gs
    >>> gs.nn.initializers.uniform(2.0)(gs.random.key(42), (2,)).round(4)
    array([0.9774, 1.3596], dtype=float32)
    """
    return lambda key, shape, dtype=dtype: uniform_numbers(key, shape, dtype) * float_type(dtype)(scale)


def normal(stddev: Real = 1e-2, dtype: DTypeLike | None = None) -> Initializer:
    """Make a function that draws normal numbers of mean 0.

    Parameters
    ----------
    stddev : number
        Their standard deviation.
    dtype : dtype or None
        Either np.float32 or np.float64; None: float32 (`gs.config`).

    Returns
    -------
    callable
        (key, shape, dtype) -> ndarray; its dtype may be left out.

    Examples
    --------
    >>> import gradscribe as gs
    >>> gs.nn.initializers.normal(2.0)(gs.random.key(42), (2,)).round(4)
    array([-0.0566,  0.9343], dtype=float32)
    """
    return lambda key, shape, dtype=dtype: normal_numbers(key, shape, dtype) * float_type(dtype)(stddev)


def truncated_normal(stddev: Real = 1e-2, dtype: DTypeLike | None = None, lower: Real = -2.0,
                     upper: Real = 2.0) -> Initializer:
    """Make a function that draws normal numbers between `lower` and `upper`, times `stddev`.

    Parameters
    ----------
    stddev : number
        The factor.
    dtype : dtype or None
        Either np.float32 or np.float64; None: float32 (`gs.config`).
    lower, upper : number
        The bounds, before the multiplication.

    Returns
    -------
    callable
        (key, shape, dtype) -> ndarray; its dtype may be left out.

    Examples
    --------
    >>> import gradscribe as gs
    >>> gs.nn.initializers.truncated_normal(2.0)(gs.random.key(42), (2,)).round(4)
    array([-0.054 ,  0.8888], dtype=float32)
    """
    return lambda key, shape, dtype=dtype: (truncated_numbers(key, lower, upper, shape, dtype)
                                            * float_type(dtype)(stddev))


def orthogonal(scale: Real = 1.0, column_axis: int = -1, dtype: DTypeLike | None = None) -> Initializer:
    """Make a function that draws a random matrix with orthonormal rows or columns, whichever are fewer.

    Parameters
    ----------
    scale : number
        The factor by which it is multiplied.
    column_axis : int
        The axis of the columns; the others together are the rows.
    dtype : dtype or None
        Either np.float32 or np.float64; None: float32 (`gs.config`).

    Returns
    -------
    callable
        (key, shape, dtype) -> ndarray; its dtype may be left out.

    Raises
    ------
    ValueError
        At the call of what is returned: where the weights have fewer than two axes.

    Examples
    --------
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
