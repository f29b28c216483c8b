"""Arrays that are made of numbers."""
import math
import operator

import numpy as np

from .registry import ensure, known, means, own, refuse


@means(np.linspace, unasked=True)
def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0):
    num = operator.index(num)
    if num < 0:
        raise ValueError(f"Number of samples, {num}, must be non-negative.")
    start = start * 1.0 if np.isscalar(start) else np.asarray(start) * 1.0
    stop = stop * 1.0 if np.isscalar(stop) else np.asarray(stop) * 1.0
    delta = stop - start
    count = num - 1 if endpoint else num
    step = delta / (count + (count == 0))
    k = np.arange(num, dtype=np.result_type(delta))
    if np.ndim(delta):
        k = np.reshape(k, (num,) + (1,) * np.ndim(delta))
    y = k * step + start
    if endpoint and num > 1:
        y[num - 1] = stop  # exactly
    if dtype is not None:
        y = (np.floor(y) if np.issubdtype(dtype, np.integer) else y).astype(dtype)
    if axis != 0:
        y = np.moveaxis(y, 0, axis)
    return (y, np.multiply(step, 1) if count > 0 else np.nan) if retstep else y


def arange_of_floats(start, stop, step):
    """np.arange of floats that only the run time knows: NumPy adds for the second, multiplies for the next."""
    k = steps_between(start, stop, step)
    return np.where(k > 1, start + k * (start + step - start), np.where(k > 0, start + step, start))


def arange_from_zero(start, stop, step):
    return steps_between(start, stop, step) * step + 0.0  # and no -0.0


def steps_between(start, stop, step):
    """0.0, 1.0, ... for each step from start until before stop."""
    count = (stop - start) / step
    if count != count:
        raise ValueError("arange: cannot compute length")
    if abs(count) >= 2.0**63:
        raise ValueError("Maximum allowed size exceeded")
    ensure(count != 0.0 or start == stop, "np.arange of floats with a step that is infinite, or nearly so")
    return np.arange(max(math.ceil(count), 0), dtype=float)


def eye_beside(N, M=None, k=0, dtype=float):
    """np.eye with ones on another diagonal than the main one."""
    rows, columns = np.arange(operator.index(N)), np.arange(operator.index(N if M is None else M))
    return (columns - rows[:, None] == operator.index(k)).astype(dtype)


@means(np.identity, unasked=True)
def identity(n, dtype=None):
    return np.eye(n, dtype=dtype)


@means(method="fill", complex=True)
def fill(a, value):
    if not isinstance(a, np.ndarray):
        refuse("fill of a number, which changes nothing", "Leave it out.")
    a[...] = value


@means(np.ndarray, complex=True)
def ndarray(shape, dtype=float):
    """An array that holds anybody's guess, as np.empty."""
    return np.empty(shape, dtype)


@means(np.meshgrid, unasked=True, complex=True)
def meshgrid(*xi, copy=True, sparse=False, indexing="xy"):
    indexing, sparse, copy = (known(indexing, "it is an order of axes"), known(sparse, "it decides the shapes"),
                              known(copy, "it is a flag"))
    if indexing not in ("xy", "ij"):
        raise ValueError("Valid values for `indexing` are 'xy' and 'ij'.")
    if not copy:
        refuse("np.meshgrid with copy=False", "Leave it out.")
    places = list(range(len(xi)))
    if indexing == "xy" and len(xi) > 1:
        places[0], places[1] = 1, 0
    rows = [np.reshape(own(x), tuple([-1 if k == places[n] else 1 for k in range(len(xi))])) for n, x in enumerate(xi)]
    if sparse:
        return tuple(rows)
    shape = tuple([np.size(xi[places.index(k)]) for k in range(len(xi))])
    return tuple([own(np.broadcast_to(x, shape)) for x in rows])
