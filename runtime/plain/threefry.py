"""Threefry-2x32 with 20 rounds: a counter and a key in, two random words out.

J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC11, 2011).
"""
from __future__ import annotations

import numpy as np

ROTATIONS = ((13, 15, 26, 6), (17, 29, 16, 24))
PARITY = 0x1BD11BDA


def threefry(k0, k1, x0, x1):
    """The words that the key (k0, k1) makes of the counter (x0, x1): the first in the upper half of a uint64.

    k0, k1, x0, x1  uint32 numbers or arrays that broadcast
    """
    with np.errstate(over="ignore"):
        keys = (k0, k1, k0 ^ k1 ^ np.uint32(PARITY))
        x0, x1 = x0 + k0, x1 + k1
        for group in range(5):
            for r in ROTATIONS[group % 2]:
                x0 = x0 + x1
                x1 = (x1 << r | x1 >> 32 - r) ^ x0
            x0, x1 = x0 + keys[(group + 1) % 3], x1 + keys[(group + 2) % 3] + np.uint32(group + 1)
        return x0.astype(np.uint64) << 32 | x1
