"""`out=` and `where=`: results that are stored into an array which is there."""
import numpy as np

from .registry import refuse


def stored(out, result, anywhere):
    """The array, with the result in it; anywhere: NumPy's ufuncs broadcast the result to it, others do not."""
    if not anywhere and np.shape(result) != out.shape:
        refuse("out= of another shape than the result has", "Store the result: out[...] = the call without out.")
    out[...] = result
    return out


def taken(x, where):
    """An argument of a ufunc where it is computed, and 1 elsewhere: what is not computed has no derivative, and none
    that is infinite or no number."""
    x = np.asarray(x)
    return np.where(where, x, np.ones(1, x.dtype))


def merged(out, result, where):
    """What the array has afterwards."""
    return np.where(where, result, out)
