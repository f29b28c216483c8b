"""Fourier transforms of one row for compiled text.  Plain NumPy here; the compiled forms are in `native_fft`."""
import numpy as np


def fft(a, y):
    """y[...] = np.fft.fft(a), for complex arrays of one dtype and length."""
    y[...] = np.fft.fft(a)
    return 0


def ifft(a, y):
    """y[...] = np.fft.ifft(a)"""
    y[...] = np.fft.ifft(a)
    return 0
