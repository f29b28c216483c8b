"""scipy.signal: convolutions of any rank, and linear filters.  Imported when the user has imported SciPy's module."""
import numpy as np
from scipy import signal

from .masks import by_axes
from .registry import at_least, ensure, known, means, refuse
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


@means(signal.detrend, unasked=True, complex=True)
def detrend(data, axis=-1, type="linear", bp=0, overwrite_data=False):
    if known(type, "it decides what is taken away") not in ("linear", "l", "constant", "c"):
        raise ValueError("Trend type must be 'linear' or 'constant'.")
    data = np.asarray(data)
    if data.ndim == 0:
        refuse("scipy.signal.detrend of a number", "Give it an array.")
    if data.dtype in (np.float32, np.complex64):
        refuse(f"scipy.signal.detrend of {data.dtype}, where SciPy's rounding is another", "Convert it to doubles.")
    ensure((data.size > 0) & (data.shape[known(axis, "it is an axis")] > 2),
           "scipy.signal.detrend of fewer than three values, of which rounding is all that is left")
    if type in ("constant", "c"):
        return data - np.mean(data, known(axis, "it is an axis"), keepdims=True)
    if np.ndim(known(bp, "it says where lines meet")) or bp != 0 or known(overwrite_data, "it is an option"):
        refuse("scipy.signal.detrend with bp= or overwrite_data=", "Call it for each part of the data.")
    axis = axis_of(known(axis, "it is an axis"), data.ndim)
    x = np.moveaxis(data if data.dtype.char in "dD" else data.astype(float), axis, 0)
    t = np.reshape(np.arange(len(x), dtype=x.real.dtype) / len(x), (len(x),) + (1,) * (x.ndim - 1))
    t, x = t - np.mean(t), x - np.mean(x, axis=0)
    return np.moveaxis(x - np.sum(t * x, axis=0) / np.maximum(np.sum(t * t), 0.1) * t, 0, axis)  # of one: 0, not 0 / 0


def in_a_period(t, width):
    """(t within its period, the share of the period, where that is no share, where t stands in it)"""
    t, w = np.asarray(t), np.asarray(width)
    w = w + (t - t)
    t = np.mod(t + (w - w), 2 * np.pi)
    return t, w, (w > 1) | (w < 0), t < w * 2 * np.pi


@means(signal.square, unasked=True)
def square(t, duty=0.5):
    _, _, wrong, first = in_a_period(t, duty)
    return np.where(wrong, np.nan, np.where(first, 1.0, -1.0))


@means(signal.sawtooth, unasked=True)
def sawtooth(t, width=1):
    t, w, wrong, first = in_a_period(t, width)
    up = t / (np.pi * np.where(first, w, 1.0).astype(t.dtype)) - 1
    down = (np.pi * (w + 1) - t) / (np.pi * np.where(first, 1.0, 1 - w).astype(t.dtype))
    return np.where(wrong, np.nan, np.where(first, up, down)).astype(float)


@means(signal.chirp, unasked=True, complex=True)
def chirp(t, f0, t1, f1, method="linear", phi=0, vertex_zero=True, *, complex=False):
    phase = chirp_phase(np.asarray(t), float(f0), float(t1), float(f1), known(method, "it says which"),
                        known(vertex_zero, "it is an option")) + np.deg2rad(phi)
    return np.exp(1j * phase) if known(complex, "it decides the dtype") else np.cos(phase)


def chirp_phase(t, f0, t1, f1, method, vertex_zero):
    if method in ("linear", "lin", "li"):
        return 2 * np.pi * (f0 * t + 0.5 * ((f1 - f0) / t1) * t * t)
    if method in ("quadratic", "quad", "q"):
        beta = (f1 - f0) / t1 ** 2
        of_time = f0 * t + beta * t ** 3 / 3 if vertex_zero else f1 * t + beta * ((t1 - t) ** 3 - t1 ** 3) / 3
        return 2 * np.pi * of_time
    if method not in ("logarithmic", "log", "lo", "hyperbolic", "hyp"):
        raise ValueError("method must be 'linear', 'quadratic', 'logarithmic', or 'hyperbolic', "
                         f"but a value of {method!r} was given.")
    if method in ("logarithmic", "log", "lo"):
        if f0 * f1 <= 0.0:
            raise ValueError("For a logarithmic chirp, f0 and f1 must be nonzero and have the same sign.")
        return 2 * np.pi * f0 * t if f0 == f1 else 2 * np.pi * (t1 / np.log(f1 / f0)) * f0 * (
            (f1 / f0) ** (t / t1) - 1.0)
    if f0 == 0 or f1 == 0:
        raise ValueError("For a hyperbolic chirp, f0 and f1 must be nonzero.")
    if f0 == f1:
        return 2 * np.pi * f0 * t
    singular = -f1 * t1 / (f0 - f1)
    return 2 * np.pi * (-singular * f0) * np.log(np.abs(1 - t / singular))
