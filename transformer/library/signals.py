"""scipy.signal: convolutions of any rank, and linear filters.  Imported when the user has imported SciPy's module."""
import numpy as np
from scipy import signal

from .masks import by_axes
from .registry import at_least, known, means, refuse
from .shapes import axis_of, flip


def reversed_all(a):
    return flip(a, tuple(range(a.ndim))) if a.ndim else a


def same_rank(a, v):
    a, v = np.asarray(a), np.asarray(v)
    if a.ndim != v.ndim:
        raise ValueError("in1 and in2 should have the same dimensionality")
    for x in (a, v):
        if x.dtype.kind not in "iufc" or x.dtype == np.float16:
            refuse(f"a convolution of {x.dtype}", "Convert it: x.astype(float).")
    return a, v


def of_all_places(a, v):
    """The convolution at all places where the two meet: an element of the smaller at a time."""
    if a.ndim == 1:
        return np.convolve(a, v)
    out = np.zeros(tuple([m + n - 1 for m, n in zip(a.shape, v.shape)]), np.result_type(a.dtype, v.dtype))
    flat = v.ravel()
    for k in range(v.size):
        out[tuple([slice(first, first + n) for first, n in zip(by_axes(k, v.shape), a.shape)])] += flat[k] * a
    return out


def cut(a, v, mode, refused):
    """The convolution of two arrays, and of it what the mode asks for."""
    if mode not in ("full", "same", "valid"):
        raise ValueError("acceptable mode flags are 'valid', 'same', or 'full'")
    if a.ndim == 0:
        return a * v
    if not (at_least(a.size, 1) and at_least(v.size, 1)):
        refuse(f"{refused} of what may be empty", "Test the length before.")
    if mode == "full":
        return of_all_places(a, v)
    if mode == "same":
        first, lengths = [(n - 1) // 2 for n in v.shape], a.shape
    else:
        if not all([at_least(m, n) for m, n in zip(a.shape, v.shape)]):
            if not all([at_least(n, m) for m, n in zip(a.shape, v.shape)]):
                raise ValueError("For 'valid' mode, one must be at least as large as the other in every dimension")
            return cut(v, a, mode, refused)
        first, lengths = [n - 1 for n in v.shape], [m - n + 1 for m, n in zip(a.shape, v.shape)]
    return of_all_places(a, v)[tuple([slice(k, k + n) for k, n in zip(first, lengths)])]


@means(signal.convolve, unasked=True, complex=True)
def convolve(in1, in2, mode="full", method="auto"):
    if known(method, "it says how") not in ("auto", "direct", "fft"):
        raise ValueError("Acceptable method flags are 'auto', 'direct', or 'fft'.")
    a, v = same_rank(in1, in2)
    return cut(a, v, known(mode, "it decides the shape"), "scipy.signal.convolve")


@means(signal.fftconvolve, unasked=True, complex=True)
def fftconvolve(in1, in2, mode="full", axes=None):
    if axes is not None:
        refuse("scipy.signal.fftconvolve with axes=", "Use gs.vmap for the other axes.")
    a, v = same_rank(in1, in2)
    if a.dtype != v.dtype:
        refuse(f"scipy.signal.fftconvolve of {a.dtype} and {v.dtype}", "Convert one of them: x.astype(y.dtype).")
    kind = a.dtype
    kind = kind if kind.kind in "fc" else np.result_type(float)
    return cut(a.astype(kind), v.astype(kind), known(mode, "it decides the shape"), "scipy.signal.fftconvolve")


@means(signal.correlate, unasked=True, complex=True)
def correlate(in1, in2, mode="full", method="auto"):
    if known(method, "it says how") not in ("auto", "direct", "fft"):
        raise ValueError("Acceptable method flags are 'auto', 'direct', or 'fft'.")
    a, v = same_rank(in1, in2)
    mode = known(mode, "it decides the shape")
    if a.ndim == 0:
        return a * np.conj(v)
    if mode == "valid" and not all([at_least(m, n) for m, n in zip(a.shape, v.shape)]):
        return reversed_all(np.conj(correlate(v, a, mode)))
    return cut(a, reversed_all(np.conj(v)), mode, "scipy.signal.correlate")


@means(signal.convolve2d, unasked=True, complex=True)
def convolve2d(in1, in2, mode="full", boundary="fill", fillvalue=0):
    a, v = same_rank(in1, in2)
    if a.ndim != 2:
        raise ValueError("convolve2d inputs must both be 2-D arrays")
    if known(boundary, "it says what stands around") not in ("fill", 0) or known(fillvalue, "it is an option") != 0:
        refuse("scipy.signal.convolve2d with boundary=", "Pad the array before: np.pad(x, ..., mode='wrap').")
    return cut(a, v, known(mode, "it decides the shape"), "scipy.signal.convolve2d")


@means(signal.lfilter, unasked=True, complex=True)
def lfilter(b, a, x, axis=-1, zi=None):
    b, a, x = np.atleast_1d(b), np.atleast_1d(a), np.asarray(x)
    if x.ndim == 0 or b.ndim != 1 or a.ndim != 1:
        refuse("scipy.signal.lfilter of a number, or with coefficients that are no vectors", "Give it arrays.")
    kind = np.result_type(b.dtype, a.dtype, x.dtype)
    if kind.kind not in "fc" or kind == np.float16:
        refuse(f"scipy.signal.lfilter of {kind}", "Convert the signal: x.astype(float).")
    if len(b) == 0 or len(a) == 0:
        raise ValueError("the coefficients b and a are non-empty 1d arrays")
    if not at_least(x.size, 1):
        refuse("scipy.signal.lfilter of what may be empty", "Test the length before.")
    if not -x.ndim <= known(axis, "it is an axis") < x.ndim:
        raise ValueError("selected axis is out of range")
    axis = axis_of(axis, x.ndim)
    n, scale = max(len(a), len(b)), a[0].astype(kind)
    b = np.concatenate([b.astype(kind), np.zeros(n - len(b), kind)]) / scale
    a = np.concatenate([a.astype(kind), np.zeros(n - len(a), kind)]) / scale
    x = np.moveaxis(x.astype(kind), axis, 0)
    state = np.zeros((n,) + x.shape[1:], kind)
    if zi is not None:
        zi = np.asarray(zi)
        if zi.ndim != x.ndim or zi.shape[axis] != n - 1:
            raise ValueError("Unexpected shape for parameter zi")
        state[:-1] += np.moveaxis(zi.astype(kind), axis, 0)
    y, state = filtered(b, a, x, state)
    y = np.moveaxis(y, 0, axis)
    return y if zi is None else (y, np.moveaxis(state[:-1], 0, axis))


def filtered(b, a, x, state):
    """The direct form II transposed: the state has what later outputs take of the inputs and outputs until now, and a
    zero behind it."""
    y = np.zeros_like(x)
    for t in range(len(x)):
        y[t] = b[0] * x[t] + state[0]
        for k in range(len(state) - 1):
            state[k] = state[k + 1] + b[k + 1] * x[t] - a[k + 1] * y[t]
    return y, state
