"""Arrays made larger, taken apart, turned; functions of neighbours."""
import operator

import numpy as np

from .joining import split
from .registry import at_least, computed, known, means, refuse
from .shapes import along, axis_of, counted, element, must_be_arrays, several_axes, single_axis, surely, whole


def pairs(width, rank):
    """What np.pad makes of widths: (before, behind) for each axis."""
    if isinstance(width, dict):
        rows = [(0, 0)] * rank
        for axis, w in width.items():
            rows[axis] = w if isinstance(w, tuple) else (w, w)
        width = rows
    numbers = []
    places = numbered(known(width, "it decides the shape") if isinstance(width, np.ndarray) else width, numbers)
    if np.asarray(numbers).dtype.kind != "i" and rank:
        raise TypeError("`pad_width` must be of integral type.")
    counts = [counted(operator.index(n), "index can't contain negative values") for n in numbers]
    return [[counts[k] for k in row] for row in computed(spread, places, rank)]


def numbered(width, numbers):
    """Each number of nested widths joins the list, and its place there stands instead of it."""
    if isinstance(width, (tuple, list, np.ndarray)):
        return [numbered(w, numbers) for w in width]
    numbers.append(width)
    return len(numbers) - 1


def spread(places, rank):
    return np.broadcast_to(places, (rank, 2)).tolist()


def picked(n, before, behind, mode):
    """The places of the old elements in the new axis."""
    places = np.arange(n + before + behind) - before
    if mode == "edge":
        return np.clip(places, 0, n - 1)
    if mode == "wrap":
        return places % n
    if mode == "symmetric":
        places = places % (2 * n)
        return np.where(places >= n, 2 * n - 1 - places, places)
    period = np.maximum(2 * (n - 1), 1)
    places = places % period
    return np.where(places >= n, period - places, places)


def layer_of(a, axis, mode, at, value):
    """What stands beside an array: the value, or the mean or extremum along the axis."""
    if mode == "constant":
        return np.full(a.shape[:axis] + (1,) + a.shape[axis + 1:], value).astype(a.dtype)
    function = {"maximum": np.max, "minimum": np.min, "mean": np.mean, "median": np.median}[mode]
    return function(a, axis, keepdims=True).astype(a.dtype)


def ramp(a, axis, count, value, before):
    """From a value outside to the edge, without the edge."""
    edge = a[along(axis, slice(None, 1) if before else slice(-1, None), a.ndim)]
    k = np.arange(count).reshape((1,) * axis + (-1,) + (1,) * (a.ndim - axis - 1))
    k = k if before else count - 1 - k
    return (value + (edge - value) * k / max(count, 1)).astype(a.dtype)


@means(np.pad, unasked=True, complex=True)
def pad(array, pad_width, mode="constant", stat_length=None, constant_values=0, end_values=0, reflect_type="even"):
    a, mode = np.asarray(array), known(mode, "it says what stands around")
    widths = pairs(pad_width, a.ndim)
    for axis, (before, behind) in enumerate(widths):
        n = a.shape[axis]
        if mode != "constant" and not at_least(n, 1) and n == 0 and before + behind > 0:
            raise ValueError(f"can't extend empty axis {axis} using modes other than 'constant' or 'empty'")
    still = all([surely(before + behind, 0) for before, behind in widths])
    if mode in ("edge", "wrap", "reflect", "symmetric"):
        if reflect_type != "even":
            refuse("np.pad with reflect_type='odd'", "Write it with slices.")
        for axis, (before, behind) in enumerate(widths):
            if not surely(before + behind, 0):
                a = a[along(axis, picked(a.shape[axis], before, behind, mode), a.ndim)]
        return a.copy() if still else a
    refuse_mode(a, mode, stat_length)
    return a.copy() if still else beside_all(a, widths, mode, constant_values if mode == "constant" else end_values)


def refuse_mode(a, mode, stat_length):
    """Refuse what np.pad is not implemented for, of the modes that compute a layer."""
    if mode not in ("constant", "linear_ramp", "maximum", "minimum", "mean", "median"):
        refuse(f"np.pad with mode={mode!r}", "Use 'constant', 'edge', 'reflect', 'symmetric' or 'wrap'.")
    if stat_length is not None:
        refuse("np.pad with stat_length=", "Write it with slices.")
    if mode in ("mean", "median", "linear_ramp") and a.dtype.kind != "f":
        refuse(f"np.pad of integers with mode={mode!r}", "Convert them: x.astype(float).")


def beside_all(a, widths, mode, values):
    """Layers beside an array, axis by axis."""
    of_all = np.ndim(values) == 0
    values = values if of_all else np.broadcast_to(np.asarray(values), (a.ndim, 2))
    for axis, (before, behind) in enumerate(widths):
        if surely(before + behind, 0):
            continue
        parts = []
        for count, at in ((before, 0), (behind, 1)):
            value = values if of_all else values[axis, at]
            if mode == "linear_ramp":
                parts.append(ramp(a, axis, count, value, at == 0))
            else:
                layer = layer_of(a, axis, mode, at, value)
                parts.append(np.broadcast_to(layer, a.shape[:axis] + (count,) + a.shape[axis + 1:]))
        a = np.concatenate([parts[0], a, parts[1]], axis)
    return a


@means(np.rot90, complex=True)
def rot90(m, k=1, axes=(0, 1)):
    m, k = np.asarray(m), whole(k, "it says how often the array is turned") % 4
    if len(axes) != 2:
        raise ValueError("len(axes) must be 2.")
    first, second = [axis_of(axis, m.ndim) for axis in known(axes, "they are axes")]
    if first == second:
        raise ValueError("Axes must be different.")
    if k == 0:
        return m[...]
    if k == 2:
        return np.flip(np.flip(m, first), second)
    return np.swapaxes(np.flip(m, second), first, second) if k == 1 else np.flip(np.swapaxes(m, first, second), second)


@means(np.rollaxis, unasked=True, complex=True)
def rollaxis(a, axis, start=0):
    must_be_arrays("np.rollaxis", a)
    axis, start = axis_of(axis, np.ndim(a)), known(start, "it is an axis")
    start = start + a.ndim if start < 0 else start
    if not 0 <= start <= a.ndim:
        raise np.exceptions.AxisError(start, a.ndim)
    order = [k for k in range(a.ndim) if k != axis]
    order.insert(start - (axis < start), axis)
    return np.transpose(a, order)


@means(np.matrix_transpose, complex=True)
def matrix_transpose(x):
    if np.ndim(x) < 2:
        raise ValueError(f"Input array must be at least 2-dimensional, but it is {np.ndim(x)}")
    return np.swapaxes(np.asarray(x), -1, -2)


@means(np.hsplit, unasked=True, complex=True)
def hsplit(ary, indices_or_sections):
    if np.ndim(ary) == 0:
        raise ValueError("hsplit only works on arrays of 1 or more dimensions")
    return split(ary, indices_or_sections, 1 if ary.ndim > 1 else 0)


@means(np.vsplit, unasked=True, complex=True)
def vsplit(ary, indices_or_sections):
    if np.ndim(ary) < 2:
        raise ValueError("vsplit only works on arrays of 2 or more dimensions")
    return split(ary, indices_or_sections, 0)


@means(np.dsplit, unasked=True, complex=True)
def dsplit(ary, indices_or_sections):
    if np.ndim(ary) < 3:
        raise ValueError("dsplit only works on arrays of 3 or more dimensions")
    return split(ary, indices_or_sections, 2)


@means(np.unstack, unasked=True, complex=True)
def unstack(x, /, *, axis=0):
    must_be_arrays("np.unstack", x)
    if np.ndim(x) == 0:
        raise ValueError("Input array must be at least 1-d.")
    x = np.moveaxis(x, single_axis(axis, x.ndim), 0)
    return tuple([x[k] for k in range(known(x.shape[0], "it says how many parts there are"))])


@means(np.block, unasked=True, complex=True)
def block(arrays):
    if isinstance(arrays, list) and len(arrays) == 0:
        raise ValueError("List at arrays cannot be empty")
    return blocks(arrays, depth_of(arrays), depth_of(arrays))


def depth_of(arrays):
    return 1 + depth_of(arrays[0]) if isinstance(arrays, list) else 0


def blocks(arrays, depth, rank):
    """Lists of blocks: the innermost along the last axis."""
    if depth == 0:
        if isinstance(arrays, (list, tuple)):
            refuse("np.block of lists that are not equally deep", "Write np.concatenate.")
        x = np.asarray(arrays)
        return x.reshape((1,) * (rank - x.ndim) + x.shape) if x.ndim < rank else x.copy()
    parts = [blocks(x, depth - 1, rank) for x in arrays]
    return np.concatenate(parts, max([x.ndim for x in parts]) - depth)


@means(np.diagflat, complex=True)
def diagflat(v, k=0):
    return np.diag(np.ravel(v), k)


@means(np.interp)
def interp(x, xp, fp, left=None, right=None, period=None):
    if x is None:
        refuse("np.interp of None", "Give numbers.")
    x, xp, fp = [np.asarray(a).astype(float) for a in (x, xp, fp)]
    if xp.ndim != 1 or fp.ndim != 1:
        refuse("np.interp of points that are no vectors", "Give vectors.")
    if not at_least(len(xp), 1) and len(xp) == 0:
        raise ValueError("array of sample points is empty")
    if len(xp) != len(fp):
        raise ValueError("fp and xp are not of the same length.")
    if period is not None:
        if period == 0:
            raise ValueError("period must be a non-zero value")
        period = np.abs(period)
        x, xp = x % period, xp % period
        order = np.argsort(xp)
        xp, fp, left, right = xp[order], fp[order], None, None
        xp = np.concatenate((xp[-1:] - period, xp, xp[:1] + period))
        fp = np.concatenate((fp[-1:], fp, fp[:1]))
    k = np.clip(np.searchsorted(xp, x, "right") - 1, 0, np.maximum(len(xp) - 2, 0))
    more = np.minimum(k + 1, len(xp) - 1)
    slope = (fp[more] - fp[k]) / np.where(more == k, 1.0, xp[more] - xp[k])
    y = slope * (x - xp[k]) + fp[k]
    y = np.where(np.isnan(y) & (x == xp[k]), fp[k], y)  # at a point beside one that is not finite
    y = np.where(np.isnan(y), slope * (x - xp[more]) + fp[more], y)  # beside a point at infinity
    y = np.where(np.isnan(y) & (fp[k] == fp[more]) & ~np.isnan(x), fp[k], y)
    y = np.where(x == xp[-1], fp[-1], y)
    y = np.where(x < xp[0], fp[0] if left is None else left, y)
    return element(np.where(x > xp[-1], fp[-1] if right is None else right, y))


@means(np.convolve, unasked=True, complex=True)
def convolve(a, v, mode="full"):
    a, v = np.atleast_1d(a), np.atleast_1d(v)
    mode = known(mode, "it decides the length")
    if a.ndim > 1 or v.ndim > 1:
        raise ValueError("object too deep for desired array")
    if mode not in ("full", "same", "valid"):
        raise ValueError(f"mode must be one of 'valid', 'same', or 'full' (got {mode!r})")
    if not at_least(len(a), 1) and len(a) == 0:
        raise ValueError("a cannot be empty")
    if not at_least(len(v), 1) and len(v) == 0:
        raise ValueError("v cannot be empty")
    if at_least(len(v), len(a)):
        a, v = v, a
    n, m = len(a), len(v)
    if mode != "full" and not at_least(n, m):  # only the run time knows
        n, m = max(n, m), min(n, m)
    return middle(overlaps(a, v), n, m, mode, (m - 1) // 2)


def overlaps(a, v):
    """All sums of products, of the shorter one shifted along the longer one."""
    kind = np.result_type(a.dtype, v.dtype)
    if kind.kind == "b":
        refuse("a convolution of bools", "Convert them: x.astype(int).")
    y = np.zeros(len(a) + len(v) - 1, kind)
    for k in range(len(v)):
        y[k:k + len(a)] += v[k] * a
    return y


def middle(y, n, m, mode, first):
    """What a mode keeps of all sums."""
    if mode == "full":
        return y
    return y[first:first + n] if mode == "same" else y[m - 1:n]


@means(np.correlate, unasked=True, complex=True)
def correlate(a, v, mode="valid"):
    a, v = np.asarray(a), np.asarray(v)
    v = np.conj(v) if v.dtype.kind == "c" else v
    mode = known(mode, "it decides the length")
    if a.ndim != 1 or v.ndim != 1:
        raise ValueError("object of too small depth for desired array" if a.ndim == 0 or v.ndim == 0
                         else "object too deep for desired array")
    if mode not in ("full", "same", "valid"):
        raise ValueError(f"mode must be one of 'valid', 'same', or 'full' (got {mode!r})")
    for x, which in ((a, "first"), (v, "second")):
        if not at_least(len(x), 1) and len(x) == 0:
            raise ValueError(f"{which} array argument cannot be empty")
    if at_least(len(a), len(v)):
        return middle(overlaps(a, v[::-1]), len(a), len(v), mode, (len(v) - 1) // 2)
    y, n, m = overlaps(v[::-1], a), len(a), len(v)
    if mode == "full" or at_least(m, n):
        return middle(y, m, n, mode, n // 2)
    return middle(y, max(n, m), min(n, m), mode, (m - 1) // 2 if n >= m else n // 2)  # only the run time knows


@means(np.gradient, unasked=True)
def gradient(f, *varargs, axis=None, edge_order=1):
    f, axis = np.asarray(f), known(axis, "it is an axis")
    edge_order = known(edge_order, "it says how the edges are done")
    axes = range(f.ndim) if axis is None else several_axes(axis, f.ndim)
    steps = varargs if len(varargs) == len(axes) else varargs * len(axes) if len(varargs) < 2 else None
    if steps is None or len(varargs) == 1 and np.ndim(varargs[0]) and len(axes) != 1:
        raise TypeError("invalid number of arguments")
    if edge_order > 2:
        raise ValueError("'edge_order' greater than 2 not supported")
    if f.dtype.kind == "b":
        raise TypeError("numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, the `^` "
                        "operator, or the logical_xor function instead.")
    if f.dtype.kind not in "fc":
        f = f.astype(float)
    found = [gradient_along(f, k, steps[n] if varargs else 1.0, edge_order).astype(f.dtype) for n, k in enumerate(axes)]
    return found[0] if len(axes) == 1 else tuple(found)


def gradient_along(f, axis, h, edge_order):
    """Differences of the neighbours on both sides, and at the edges of those on one."""
    if not at_least(f.shape[axis], edge_order + 1) and f.shape[axis] < edge_order + 1:
        raise ValueError("Shape of array too small to calculate a numerical gradient, at least (edge_order + 1) "
                         "elements are required.")
    at = lambda start, stop: f[along(axis, slice(start, stop), f.ndim)]  # noqa: E731
    given, h = h, np.asarray(h)
    if h.dtype.kind == "b" and h.ndim:
        refuse("np.gradient at coordinates that are bools", "Convert them first: x.astype(float).")
    if h.ndim == 0:
        h = given  # a number of Python's stays one, beside which a float32 is one
        inner = (at(2, None) - at(None, -2)) / (2 * h)
        if edge_order == 1:
            first, last = (at(1, 2) - at(0, 1)) / h, (at(-1, None) - at(-2, -1)) / h
        else:
            first = (-1.5 * at(0, 1) + 2 * at(1, 2) - 0.5 * at(2, 3)) / h
            last = (0.5 * at(-3, -2) - 2 * at(-2, -1) + 1.5 * at(-1, None)) / h
        return np.concatenate([first, inner, last], axis).astype(f.dtype)
    if h.ndim != 1:
        raise ValueError("distances must be either scalars or 1d")
    if len(h) != f.shape[axis]:
        raise ValueError("when 1d, distances must match the length of the corresponding dimension")
    if h.dtype.kind in "iu":
        h = h.astype(float)
    d = np.diff(h).reshape((1,) * axis + (-1,) + (1,) * (f.ndim - axis - 1))
    step = lambda start, stop: d[along(axis, slice(start, stop), f.ndim)]  # noqa: E731
    a, b = step(None, -1), step(1, None)
    inner = -b / (a * (a + b)) * at(None, -2) + (b - a) / (a * b) * at(1, -1) + a / (b * (a + b)) * at(2, None)
    if edge_order == 2:
        a, b = step(0, 1), step(1, 2)
        first = (-(2 * a + b) / (a * (a + b)) * at(0, 1) + (a + b) / (a * b) * at(1, 2)
                 - a / (b * (a + b)) * at(2, 3))
        a, b = step(-2, -1), step(-1, None)
        last = (b / (a * (a + b)) * at(-3, -2) - (b + a) / (a * b) * at(-2, -1)
                + (2 * b + a) / (b * (a + b)) * at(-1, None))
    else:
        first, last = (at(1, 2) - at(0, 1)) / step(0, 1), (at(-1, None) - at(-2, -1)) / step(-1, None)
    return np.concatenate([first, inner, last], axis)
