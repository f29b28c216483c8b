"""scipy.ndimage: filters by weights.  Imported when the user has imported SciPy's module."""
import numpy as np
from scipy import ndimage

from .masks import by_axes
from .registry import at_least, known, means, refuse
from .shapes import axis_of, flip

# what stands around an image -> what np.pad calls it
MODES = {"reflect": "symmetric", "grid-mirror": "symmetric", "constant": "constant", "grid-constant": "constant",
         "nearest": "edge", "mirror": "reflect", "wrap": "wrap", "grid-wrap": "wrap"}


@means(ndimage.correlate, unasked=True)
def correlate(input, weights, mode="reflect", cval=0.0, origin=0):
    x, w = floats(input), np.asarray(weights).astype(float)
    if x.ndim != w.ndim:
        raise RuntimeError("filter weights array has incorrect shape.")
    return weighted(x, w, mode, cval, origins(origin, x.ndim))


@means(ndimage.convolve, unasked=True)
def convolve(input, weights, mode="reflect", cval=0.0, origin=0):
    x, w = floats(input), np.asarray(weights).astype(float)
    if x.ndim != w.ndim:
        raise RuntimeError("filter weights array has incorrect shape.")
    return weighted(x, flip(w, tuple(range(w.ndim))), mode, cval, mirrored(origins(origin, x.ndim), w.shape))


@means(ndimage.correlate1d, unasked=True)
def correlate1d(input, weights, axis=-1, mode="reflect", cval=0.0, origin=0):
    x, w = floats(input), vector(weights)
    axis = axis_of(known(axis, "it is an axis"), x.ndim)
    return weighted(x, beside(w, axis, x.ndim), mode, cval, one_axis(origin, axis, x.ndim), -0.0)


@means(ndimage.convolve1d, unasked=True)
def convolve1d(input, weights, axis=-1, mode="reflect", cval=0.0, origin=0):
    x, w = floats(input), vector(weights)
    axis = axis_of(known(axis, "it is an axis"), x.ndim)
    w = beside(w[::-1], axis, x.ndim)
    return weighted(x, w, mode, cval, mirrored(one_axis(origin, axis, x.ndim), w.shape), -0.0)


@means(ndimage.gaussian_filter1d, unasked=True)
def gaussian_filter1d(input, sigma, axis=-1, order=0, mode="reflect", cval=0.0, truncate=4.0, radius=None):
    if known(order, "it says which derivative is taken") != 0:
        refuse("a filter by the derivative of a Gaussian", "Write np.gradient of order=0.")
    x, sigma = floats(input), float(sigma)
    far = int(truncate * sigma + 0.5) if radius is None else radius
    if not isinstance(far, (int, np.integer)) or far < 0:
        raise ValueError("Radius must be a nonnegative integer.")
    weights = np.exp(-0.5 / (sigma * sigma) * np.arange(-far, far + 1) ** 2)
    return correlate1d(x, weights / np.sum(weights), axis, mode, cval)


@means(ndimage.gaussian_filter, unasked=True)
def gaussian_filter(input, sigma, order=0, mode="reflect", cval=0.0, truncate=4.0, radius=None, axes=None):
    x, axes = floats(input).copy(), known(axes, "it says along which axes")
    axes = range(x.ndim) if axes is None else axes if isinstance(axes, (tuple, list)) else (axis_of(axes, x.ndim),)
    for axis in axes:
        if not -x.ndim <= axis < x.ndim:
            raise ValueError(f"specified axis: {axis} is out of range")
    axes = [axis % x.ndim for axis in axes]
    if len(set(axes)) != len(axes):
        raise ValueError("axes must be unique")
    each = zip(axes, *[one_for_each(value, len(axes)) for value in (sigma, order, mode, radius)])
    for axis, s, o, m, r in each:
        if s > 1e-15:
            x = gaussian_filter1d(x, s, axis, o, m, cval, truncate, r)
    return x


def one_for_each(value, count):
    """Values for so many axes: as they are given, or the same for all."""
    if not isinstance(value, (tuple, list, np.ndarray)):
        return [value] * count
    if len(value) != count:
        raise RuntimeError("sequence argument must have length equal to input rank")
    return [value[k] for k in range(count)]


def floats(x):
    x = np.asarray(x)
    if x.dtype.kind != "f" or x.dtype == np.float16:
        refuse(f"a filter of scipy.ndimage of {x.dtype}, where SciPy cuts to integers or has nothing",
               "Convert it: x.astype(float).")
    return x


def vector(w):
    w = np.asarray(w).astype(float)
    if w.ndim == 0:
        refuse("weights that are a number", "Give a vector.")
    if w.ndim != 1 or not at_least(len(w), 1) and len(w) == 0:
        raise RuntimeError("no filter weights given")
    return w


def beside(w, axis, rank):
    return w.reshape((1,) * axis + (-1,) + (1,) * (rank - axis - 1))


def one_axis(origin, axis, rank):
    return [known(origin, "it decides which elements are read") if k == axis else 0 for k in range(rank)]


def origins(origin, rank):
    origin = known(origin, "it decides which elements are read")
    return list(origin) if isinstance(origin, (tuple, list)) else [origin] * rank


def mirrored(origin, lengths):
    """The origin for weights that are reversed: those of an even length have their centre at the other side."""
    return [-k - (1 if n % 2 == 0 else 0) for k, n in zip(origin, lengths)]


def weighted(x, w, mode, cval, origin, zero=0.0):
    """The sum of neighbours times weights, in float64, for each element; `zero`: what it begins with."""
    mode = known(mode, "it says what stands around")
    if x.ndim == 0:
        refuse("a filter of scipy.ndimage of a number", "Give it an array.")
    if not isinstance(mode, str):
        refuse("a filter of scipy.ndimage with a mode for each axis", "Pad the axes before, one by one.")
    if mode not in MODES:
        raise RuntimeError("boundary mode not supported")
    if not at_least(x.size, 1):
        refuse("a filter of scipy.ndimage of what may be empty", "Test the length before.")
    before = [n // 2 + k for n, k in zip(w.shape, origin)]
    if not all([0 <= b < n for b, n in zip(before, w.shape)]):
        raise ValueError("invalid origin")
    around = [(b, n - 1 - b) for b, n in zip(before, w.shape)]
    if MODES[mode] == "constant":
        wide = np.pad(x.astype(float), around, constant_values=cval)
    else:
        wide = np.pad(x.astype(float), around, MODES[mode])
    y, flat = np.full(x.shape, zero), w.ravel()
    for k in range(w.size):
        y += flat[k] * wide[tuple([slice(first, first + n) for first, n in zip(by_axes(k, w.shape), x.shape)])]
    return y.astype(x.dtype)
