"""Complex numbers: their argument, and which of them are real."""
import numpy as np

from .registry import means


@means(np.angle, complex=True)
def angle(z, deg=False):
    z = np.asarray(z)
    turned = np.arctan2(np.imag(z), np.real(z))
    return turned * (180 / np.pi) if deg else turned


@means(np.iscomplex, complex=True)
def iscomplex(x):
    return np.imag(np.asarray(x)) != 0


@means(np.isreal, complex=True)
def isreal(x):
    return np.imag(x) == 0
