"""Products of arrays for compiled text; plain NumPy here, the compiled forms are in `native_linalg`."""
import numpy as np


def matmul(x, y):
    return np.matmul(x, y)
