"""np.fft: transforms of the last axis as the library computes them, and the others by way of these.

A transform is a symmetric matrix times the vector, so its transpose is itself: that is its adjoint, as everywhere here
without conjugation.  Those of real numbers are parts of those of complex ones (Numerical Recipes, 3rd edition, 12.3).
"""
import math

import numpy as np

from gradscribe import runtime as rt
from gradscribe.runtime.plain import fft as rows

from .registry import at_least, form, host, known, means, refuse
from .shapes import axis_of


def _fft_kernel(a, y):
    return rows.fft(a, y)


def _ifft_kernel(a, y):
    return rows.ifft(a, y)


def _fft_of_reals_kernel(a, y):
    return rows.fft_of_reals(a, y)


def _real_part_kernel(a, y):
    return rows.real_part(a, y)


whole = host(np.fft.fft, "(n)->(n)", kernel=_fft_kernel, tangent=lambda y, a, da: whole(da),
             cotangent=lambda g, y, a: whole(g), keeps_order=True, complex=True)
whole_back = host(np.fft.ifft, "(n)->(n)", kernel=_ifft_kernel, tangent=lambda y, a, da: whole_back(da),
                  cotangent=lambda g, y, a: whole_back(g), keeps_order=True, complex=True)
of_reals = form(np.fft.fft, "(n)->(n)", "of real numbers", kernel=_fft_of_reals_kernel,
                tangent=lambda y, a, da: of_reals(da), cotangent=lambda g, y, a: real_of_whole(g), keeps_order=True,
                complex=True)
real_of_whole = host(rt.real_of_fft, "(n)->(n)", kernel=_real_part_kernel,
                     tangent=lambda y, a, da: real_of_whole(da), cotangent=lambda g, y, a: of_reals(g), complex=True)
for _op in whole, whole_back, of_reals, real_of_whole:
    _op.in_one = True
of_reals.mixed = True


# one axis -------------------------------------------------------------------------------------------------
def norm_of(norm):
    norm = known(norm, "it says how a transform is scaled")
    if norm not in (None, "backward", "ortho", "forward"):
        raise ValueError(f'Invalid norm value {norm}; should be "backward", "ortho" or "forward".')
    return norm or "backward"


def turned(norm):
    """The norm that scales a transform as this one scales its inverse."""
    return {"backward": "forward", "ortho": "ortho", "forward": "backward"}[norm_of(norm)]


def sized(a, n):
    """The last axis cut, or filled with zeros, to the length n."""
    have = a.shape[-1]
    if at_least(have, n) or n <= have:
        return a[..., :n]
    return np.concatenate([a, np.zeros(a.shape[:-1] + (n - have,), a.dtype)], -1)


def points(a, n, axis):
    """(a with the axis last and of n elements, how many they are, the axis counted from the front)"""
    axis = known(axis, "it is an axis")
    given = known(n is not None, "it decides a shape")
    n = checked(n if given else a.shape[axis])
    axis = axis_of(axis, a.ndim)
    a = a if axis == a.ndim - 1 else np.moveaxis(a, axis, -1)
    return sized(a, n) if given else a, n, axis


def checked(n):
    if not at_least(n, 1) and n < 1:
        raise ValueError(f"Invalid number of FFT data points ({n}) specified.")
    return n


def back(y, axis):
    return y if axis == y.ndim - 1 else np.moveaxis(y, -1, axis)


def forward(a, n, norm):
    """The transform of the last axis, which has n points."""
    y = whole(a) if a.dtype.kind == "c" else of_reals(a)
    return y if norm == "backward" else y * (1 / math.sqrt(n)) if norm == "ortho" else y * (1 / n)


def inverse(a, n, norm):
    y = whole_back(a)
    return y if norm == "backward" else y * math.sqrt(n) if norm == "ortho" else y * n


@means(np.fft.fft, complex=True)
def fft(a, n=None, axis=-1, norm=None):
    a, n, axis = points(np.asarray(a), n, axis)
    return back(forward(a, n, norm_of(norm)), axis)


@means(np.fft.ifft, complex=True)
def ifft(a, n=None, axis=-1, norm=None):
    a, n, axis = points(np.asarray(a), n, axis)
    return back(inverse(a, n, norm_of(norm)), axis)


# of real numbers ------------------------------------------------------------------------------------------
def real_array(a, name):
    a = np.asarray(a)
    if a.dtype.kind == "c":
        raise TypeError(f"ufunc '{name}' not supported for complex numbers")
    return a


@means(np.fft.rfft, complex=True)
def rfft(a, n=None, axis=-1, norm=None):
    a, n, axis = points(real_array(a, "rfft"), n, axis)
    return back(forward(a, n, norm_of(norm))[..., :n // 2 + 1], axis)


@means(np.fft.ihfft, complex=True)
def ihfft(a, n=None, axis=-1, norm=None):
    a, n, axis = points(real_array(a, "ihfft"), n, axis)
    return back(np.conj(forward(a, n, turned(norm))[..., :n // 2 + 1]), axis)


def all_frequencies(a, n, axis):
    """(all n frequencies of a real function along the last axis, of those that are not negative; n; the axis)"""
    if known(n is None, "it decides a shape"):
        half, count, axis = points(a, None, axis)
        count = checked(2 * (count - 1))
        negative = half[..., count // 2 - 1:0:-1]
    else:
        count = checked(n)
        half, _, axis = points(a, count // 2 + 1, axis)
        negative = half[..., 1:(count + 1) // 2][..., ::-1]
    return np.concatenate([half, np.conj(negative)], -1), count, axis


def wide_enough(a):
    a = np.asarray(a)
    if a.dtype == np.float16:
        refuse("a Fourier transform of float16 to real numbers", "Convert it: x.astype(np.float32).")
    return a


@means(np.fft.irfft, unasked=True, complex=True)
def irfft(a, n=None, axis=-1, norm=None):
    a, n, axis = all_frequencies(wide_enough(a), n, axis)
    return back(np.real(inverse(a, n, norm_of(norm))), axis)


@means(np.fft.hfft, unasked=True, complex=True)
def hfft(a, n=None, axis=-1, norm=None):
    a, n, axis = all_frequencies(np.conj(wide_enough(a)), n, axis)
    return back(np.real(inverse(a, n, turned(norm))), axis)


# several axes ---------------------------------------------------------------------------------------------
def shape_and_axes(a, s, axes, real_result=False):
    """(the lengths of the transforms, their axes)"""
    s, axes = known(s, "it decides a shape"), known(axes, "these are axes")
    if s is None:
        lengths = [a.shape[k] for k in (range(a.ndim) if axes is None else axes)]
    else:
        lengths = list(s)
    places = list(range(-len(lengths), 0)) if axes is None else list(axes)
    if len(lengths) != len(places):
        raise ValueError("Shape and axes have different lengths.")
    if real_result and s is None:
        lengths[-1] = (a.shape[places[-1]] - 1) * 2
    return [a.shape[k] if n == -1 or n is None else n for n, k in zip(lengths, places)], places


@means(np.fft.fftn, unasked=True, complex=True)
def fftn(a, s=None, axes=None, norm=None):
    a = np.asarray(a)
    lengths, axes = shape_and_axes(a, s, axes)
    for n, axis in zip(lengths[::-1], axes[::-1]):
        a = fft(a, n, axis, norm)
    return a


@means(np.fft.ifftn, unasked=True, complex=True)
def ifftn(a, s=None, axes=None, norm=None):
    a = np.asarray(a)
    lengths, axes = shape_and_axes(a, s, axes)
    for n, axis in zip(lengths[::-1], axes[::-1]):
        a = ifft(a, n, axis, norm)
    return a


@means(np.fft.rfftn, unasked=True, complex=True)
def rfftn(a, s=None, axes=None, norm=None):
    a = np.asarray(a)
    lengths, axes = shape_and_axes(a, s, axes)
    a = rfft(a, lengths[-1], axes[-1], norm)
    for n, axis in zip(lengths[-2::-1], axes[-2::-1]):
        a = fft(a, n, axis, norm)
    return a


@means(np.fft.irfftn, unasked=True, complex=True)
def irfftn(a, s=None, axes=None, norm=None):
    a = np.asarray(a)
    lengths, axes = shape_and_axes(a, s, axes, True)
    for n, axis in zip(lengths[:-1], axes[:-1]):
        a = ifft(a, n, axis, norm)
    return irfft(a, lengths[-1], axes[-1], norm)


@means(np.fft.fft2, unasked=True, complex=True)
def fft2(a, s=None, axes=(-2, -1), norm=None):
    return fftn(a, s, axes, norm)


@means(np.fft.ifft2, unasked=True, complex=True)
def ifft2(a, s=None, axes=(-2, -1), norm=None):
    return ifftn(a, s, axes, norm)


@means(np.fft.rfft2, unasked=True, complex=True)
def rfft2(a, s=None, axes=(-2, -1), norm=None):
    return rfftn(a, s, axes, norm)


@means(np.fft.irfft2, unasked=True, complex=True)
def irfft2(a, s=None, axes=(-2, -1), norm=None):
    return irfftn(a, s, axes, norm)


# frequencies ----------------------------------------------------------------------------------------------
@means(np.fft.fftfreq)
def fftfreq(n, d=1.0):
    return np.concatenate([np.arange(0, (n - 1) // 2 + 1), np.arange(-(n // 2), 0)]) * (1.0 / (n * d))


@means(np.fft.rfftfreq)
def rfftfreq(n, d=1.0):
    return np.arange(0, n // 2 + 1) * (1.0 / (n * d))


def all_axes(x, axes):
    axes = known(axes, "these are axes")
    return range(x.ndim) if axes is None else axes if isinstance(axes, (tuple, list)) else (axes,)


def cut(x, axis, k):
    """The elements from the place k on, and then those before it."""
    x = np.moveaxis(x, axis, 0)
    return np.moveaxis(np.concatenate([x[k:], x[:k]], 0), 0, axis)


@means(np.fft.fftshift, complex=True)
def fftshift(x, axes=None):
    x = np.asarray(x)
    for axis in all_axes(x, axes):
        x = cut(x, axis, (x.shape[axis] + 1) // 2)
    return x


@means(np.fft.ifftshift, complex=True)
def ifftshift(x, axes=None):
    x = np.asarray(x)
    for axis in all_axes(x, axes):
        x = cut(x, axis, x.shape[axis] // 2)
    return x
