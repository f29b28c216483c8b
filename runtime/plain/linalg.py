"""Products of arrays for compiled text.  Plain NumPy here; the compiled forms are in `native/linalg.py`."""
import numpy as np


def matmul(x, y, out):
    """out[...] = x @ y, for float arrays of one dtype of which not both are vectors."""
    np.matmul(x, y, out=out)
