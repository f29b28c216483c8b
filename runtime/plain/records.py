"""Structured arrays, made of their fields."""
from __future__ import annotations

import numpy as np


def records(fields: dict, dtype, attributes: bool = False):
    """The structured array of these fields, a np.recarray where they are `attributes` as well.

    Where the fields cannot be those of one array (those of a second derivative are structured arrays themselves), it is
    the dict.
    """
    shapes = {shape_around(dtype[name], field) for name, field in fields.items()}
    if None in shapes or len(shapes) != 1:
        return fields
    array = np.zeros(shapes.pop(), dtype)
    for name, field in fields.items():
        array[name] = field
    array = array.view(np.recarray) if attributes else array
    return array if array.ndim or all([isinstance(x, np.ndarray) for x in fields.values()]) else array[()]


def shape_around(dtype, field) -> tuple | None:
    """The shape of the records of which a field of this dtype has these values."""
    axes = np.ndim(field) - len(dtype.shape)
    if getattr(field, "dtype", None) != dtype.base or field.shape[axes:] != dtype.shape:
        return None
    return field.shape[:axes]
