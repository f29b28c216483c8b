"""For numba: the order of a vector's elements.  They are numbers without sign first, so that one function sorts all
dtypes: few by insertion, many by digits to the base 256, from the last digit on, which compares nothing and keeps equal
ones in their order."""
from __future__ import annotations

import numpy as np
from numba import types
from numba.extending import overload

from ..compiler.kept import kept

MANY = 100  # from here on digits are faster
SIGN = -2**63


def order_of(x):
    """The places of the elements in their order."""
    raise NotImplementedError("this is for compiled code alone")


@overload(order_of)
def _order_of(x):
    if isinstance(x.dtype, types.Float):
        bits = {types.float64: np.int64, types.float32: np.int32}[x.dtype]

        def floats(x):
            same = np.empty(x.shape[0], x.dtype)
            for i in range(x.shape[0]):
                same[i] = x[i] + x.dtype.type(0)  # which makes -0.0 the other zero
            numbers, keys = same.view(bits), np.empty(x.shape[0], np.uint64)
            for i in range(x.shape[0]):
                # those below zero ascend where their bits descend; a NaN is more than all others
                n = np.int64(numbers[i])
                keys[i] = np.uint64(n ^ ((n >> 63) | SIGN)) if same[i] == same[i] else np.uint64(2**64 - 1)
            return sort(keys)
        return floats
    if isinstance(x.dtype, types.Complex):
        return lambda x: np.argsort(x, kind="mergesort")
    sign = SIGN if isinstance(x.dtype, types.Integer) and x.dtype.signed else 0

    def whole(x):
        keys = np.empty(x.shape[0], np.uint64)
        for i in range(x.shape[0]):
            keys[i] = np.uint64(np.int64(x[i]) ^ sign)
        return sort(keys)
    return whole


@kept
def sort(keys):
    n, byte, order = keys.shape[0], np.uint64(255), np.arange(keys.shape[0])
    if n < MANY:
        for i in range(1, n):
            key, k = keys[i], i
            while k > 0 and keys[k - 1] > key:
                keys[k], order[k] = keys[k - 1], order[k - 1]
                k -= 1
            keys[k], order[k] = key, i
        return order
    moved_keys, moved = np.empty(n, np.uint64), np.empty(n, np.int64)
    counts = np.zeros((8, 256), np.int64)
    for i in range(n):
        for digit in range(8):
            counts[digit, (keys[i] >> np.uint64(8 * digit)) & byte] += 1
    for digit in range(8):
        ahead, shift = counts[digit], np.uint64(8 * digit)
        if ahead[(keys[0] >> shift) & byte] == n:
            continue  # all have this one in common
        total = 0
        for k in range(256):
            ahead[k], total = total, total + ahead[k]
        for i in range(n):
            d = (keys[i] >> shift) & byte
            place = ahead[d]
            ahead[d] = place + 1
            moved_keys[place], moved[place] = keys[i], order[i]
        keys, moved_keys, order, moved = moved_keys, keys, moved, order
    return order


@kept
def argsort(x):
    return order_of(x)
