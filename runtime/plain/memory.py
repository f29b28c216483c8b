"""Arrays as compiled text makes them.  Plain NumPy here; the compiled forms are in `native/memory.py`."""
import numpy as np


def empty(shape, dtype):
    return np.empty(shape, dtype)


def buffer(shape, dtype):
    """Room for values of this shape; for none where a length is negative, because then nobody comes to use it."""
    return np.empty([max(n, 0) for n in shape], dtype)


def zeros(shape, dtype):
    return np.zeros(shape, dtype)


def fresh(x):
    """An array that the caller has allocated for a result: nothing else points to its memory."""
    return x


def apart(function):
    """A function whose arguments share no memory where it stores into it. (LLVM hears of its parameters: of a pointer
    that is made apart in it, as in `fresh`, LLVM would believe the same of the caller's once the call is inlined.)"""
    function.apart = True
    return function


def clear(x):
    """Zeros in all of a row-major array."""
    x[...] = 0


def copy(x):
    """A copy in memory of its own; a contiguous array keeps its order."""
    return x.copy(order="K")


def copy_to(x, out):
    """A copy of an array of one axis, in the memory of another one as long."""
    out[...] = x
    return out


def transpose(x, *axes):
    return np.transpose(x, axes)


def reshape(x, shape):
    """The elements of x, in row-major order, under another shape: a view where x is row-major."""
    return np.reshape(x, shape)
