"""scipy.fft: the transforms of NumPy's, and the cosine transforms by them (J. Makhoul, 1980)."""
import numpy as np
import scipy.fft

from .registry import known, means, refuse
from .shapes import axis_of


def of_double(x, name):
    x = np.asarray(x)
    if x.dtype.name not in ("float64", "complex128", "int64", "bool"):
        refuse(f"scipy.fft.{name} of {x.dtype}", "Write np.fft, or convert it: x.astype(float).")
    return x


@means(scipy.fft.fft, unasked=True, complex=True)
def fft(x, n=None, axis=-1, norm=None):
    return np.fft.fft(of_double(x, "fft"), n, axis, norm)


@means(scipy.fft.ifft, unasked=True, complex=True)
def ifft(x, n=None, axis=-1, norm=None):
    return np.fft.ifft(of_double(x, "ifft"), n, axis, norm)


@means(scipy.fft.rfft, unasked=True, complex=True)
def rfft(x, n=None, axis=-1, norm=None):
    return np.fft.rfft(of_double(x, "rfft"), n, axis, norm)


@means(scipy.fft.irfft, unasked=True, complex=True)
def irfft(x, n=None, axis=-1, norm=None):
    return np.fft.irfft(of_double(x, "irfft"), n, axis, norm)


def last_axis(x, type, n, axis, name):
    """(the array with its axis as the last, and where it was)"""
    x, type = of_double(x, name), known(type, "it says which transform it is")
    if x.dtype.kind == "c":
        refuse(f"scipy.fft.{name} of complex numbers", "Transform the parts: x.real and x.imag.")
    if type != 2 or n is not None:
        refuse(f"scipy.fft.{name} with type={type} or n=", "Take type 2 of the whole axis.")
    axis = axis_of(known(axis, "it is an axis"), x.ndim)
    return np.moveaxis(x.astype(float), axis, -1), axis


def turns(n):
    return np.exp(-0.5j * np.pi / n * np.arange(n))


@means(scipy.fft.dct, unasked=True, complex=True)
def dct(x, type=2, n=None, axis=-1, norm=None):
    x, axis = last_axis(x, type, n, axis, "dct")
    n = x.shape[-1]
    mixed = np.concatenate([x[..., ::2], x[..., 1::2][..., ::-1]], -1)
    y = 2.0 * (np.fft.fft(mixed) * turns(n)).real * scale_of(norm, n, "forward")
    return np.moveaxis(y * with_first(n, 0.5 ** 0.5) if norm == "ortho" else y, -1, axis)


@means(scipy.fft.idct, unasked=True, complex=True)
def idct(x, type=2, n=None, axis=-1, norm=None):
    x, axis = last_axis(x, type, n, axis, "idct")
    n = x.shape[-1]
    x = x * with_first(n, 0.5 if norm != "ortho" else 0.5 ** 0.5)
    mixed = 2.0 * n * np.fft.ifft(x * np.conj(turns(n))).real * scale_of(norm, n, "backward")
    y = np.zeros(mixed.shape)
    half = (n + 1) // 2
    y[..., ::2], y[..., 1::2] = mixed[..., :half], mixed[..., half:][..., ::-1]
    return np.moveaxis(y, -1, axis)


def with_first(n, value):
    """Ones, and a value before them."""
    return np.where(np.arange(n) == 0, value, 1.0)


def scale_of(norm, n, divided):
    norm = known(norm, "it says what is divided by")
    if norm not in (None, "backward", "ortho", "forward"):
        raise ValueError(f"Invalid norm value {norm!r}, should be 'backward', 'ortho' or 'forward'")
    return (0.5 / n) ** 0.5 if norm == "ortho" else 0.5 / n if (norm or "backward") == divided else 1.0
