"""Fourier transforms of rows for compiled text.  Plain NumPy here; the compiled forms are in `native/fft.py`."""
import numpy as np


def fft(a, y):
    """y[...] = np.fft.fft(a), for complex arrays of one dtype and shape."""
    y[...] = np.fft.fft(a)
    return 0


def ifft(a, y):
    """y[...] = np.fft.ifft(a)"""
    y[...] = np.fft.ifft(a)
    return 0


def fft_of_reals(a, y):
    """y[...] = np.fft.fft(a), for real numbers."""
    y[...] = np.fft.fft(a)
    return 0


def real_part(a, y):
    """y[...] = np.fft.fft(a).real"""
    y[...] = np.fft.fft(a).real
    return 0


def real_of_fft(a):
    """The real part of the transform of the last axis, which derivatives of transforms of real numbers are made of."""
    return np.ascontiguousarray(np.fft.fft(a).real)
