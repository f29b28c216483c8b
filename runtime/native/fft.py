"""The compiled forms of `fft`: the loops of NumPy's own ufuncs, which compute by pocketfft and need no interpreter.

A generalised ufunc of C is a table of loops, each a function (addresses, lengths, strides, data); the loops of complex
numbers that NumPy has for `np.fft` are called as NumPy calls them, where the library says to LLVM that they are.
"""
from __future__ import annotations

import ctypes

import numpy as np
from llvmlite import binding
from numba.core import types
from numba.extending import overload
from numpy.fft import _pocketfft_umath

from ..plain import fft

WIDTHS = {"D": (types.complex128, np.float64), "F": (types.complex64, np.float32)}


class UFunc(ctypes.Structure):
    """The beginning of NumPy's PyUFuncObject (numpy/ufuncobject.h), behind what every object has."""

    _fields_ = [("nin", ctypes.c_int), ("nout", ctypes.c_int), ("nargs", ctypes.c_int), ("identity", ctypes.c_int),
                ("functions", ctypes.POINTER(ctypes.c_void_p)), ("data", ctypes.POINTER(ctypes.c_void_p))]


def external_loop(name: str, letter: str) -> types.ExternalFunction:
    """The loop of this ufunc for this dtype, under a name that compiled code, which is kept on disk, finds again."""
    ufunc = getattr(_pocketfft_umath, name)
    (k,) = [k for k, kind in enumerate(ufunc.types) if kind.startswith(letter)]
    table = UFunc.from_address(id(ufunc) + object.__basicsize__)
    binding.add_symbol(f"numpy_{name}_{letter}", table.functions[k])
    lengths = types.CPointer(types.intp)
    return types.ExternalFunction(f"numpy_{name}_{letter}", types.void(types.CPointer(types.uintp), lengths, lengths,
                                                                        types.CPointer(types.uint8)))


def compiled_rows(plain):
    """Enter what `rows(type, type)` gives, for a table of rows, as the compiled form of a function of whole stacks."""
    def enter(rows):
        @overload(plain)
        def choose(a, y):
            made = row if a.ndim == 1 else rows(a, y) if a.ndim == 2 else tables
            # kernels from files of several processes may share one, where a number is all that tells symbols apart
            made.__qualname__ = f"{plain.__name__}_{made.__name__}"
            return made

        def row(a, y):
            return plain(a[None, :], y[None, :])

        def tables(a, y):
            failed = 0
            for i in range(len(a)):
                failed = plain(a[i], y[i])
            return failed
        return rows
    return enter


def compiled_transform(plain, name: str, forward: bool):
    loops = {kind: external_loop(name, letter) for letter, (kind, _) in WIDTHS.items()}
    floats = dict(WIDTHS.values())

    @compiled_rows(plain)
    def choose(a, y):
        loop, real = loops[a.dtype], floats[a.dtype]

        def rows(a, y):
            count, n = a.shape
            scale = np.ones(1, real) if forward else np.full(1, 1 / n, real)
            direction = np.full(1, forward, np.uint8)  # what the loop is given as its data
            addresses = np.array([a.ctypes.data, scale.ctypes.data, y.ctypes.data])
            lengths = np.array([count, n, n])
            strides = np.array([a.strides[0], 0, y.strides[0], a.strides[1], y.strides[1]])
            loop(addresses.ctypes, lengths.ctypes, strides.ctypes, direction.ctypes)
            return 0 if scale.size else 1  # which keeps it until here: the loop knows its address alone
        return rows


compiled_transform(fft.fft, "fft", True)
compiled_transform(fft.ifft, "ifft", False)


# transforms of real numbers need half of the work ---------------------------------------------------------
REAL = {kind: (external_loop("rfft_n_even", letter.lower()), external_loop("rfft_n_odd", letter.lower()),
               external_loop("irfft", letter)) for letter, (kind, _) in WIDTHS.items()}


@compiled_rows(fft.fft_of_reals)
def _fft_of_reals(a, y):
    even, odd, _ = REAL[y.dtype]
    real = dict(WIDTHS.values())[y.dtype]

    def rows(a, y):
        count, n = a.shape
        x, scale, nothing = np.empty((count, n), real), np.ones(1, real), np.zeros(1, np.uint8)
        for i in range(count):
            for j in range(n):
                x[i, j] = a[i, j]
        addresses = np.array([x.ctypes.data, scale.ctypes.data, y.ctypes.data])
        lengths = np.array([count, n, n // 2 + 1])
        strides = np.array([x.strides[0], 0, y.strides[0], x.strides[1], y.strides[1]])
        if n % 2 == 0:
            even(addresses.ctypes, lengths.ctypes, strides.ctypes, nothing.ctypes)
        else:
            odd(addresses.ctypes, lengths.ctypes, strides.ctypes, nothing.ctypes)
        for i in range(count):
            for k in range(1, (n + 1) // 2):
                y[i, n - k] = np.conj(y[i, k])
        return 0 if scale.size + x.size else 1  # as above
    return rows


@compiled_rows(fft.real_part)
def _real_part(a, y):
    """It is the transform of what a has in common with its mirror image conjugated."""
    back = REAL[a.dtype][2]
    real = dict(WIDTHS.values())[a.dtype]

    def rows(a, y):
        count, n = a.shape
        half, scale, nothing = np.empty((count, n // 2 + 1), a.dtype), np.ones(1, real), np.zeros(1, np.uint8)
        for i in range(count):
            half[i, 0] = a[i, 0].real
            for k in range(1, n // 2 + 1):
                half[i, k] = real(0.5) * (np.conj(a[i, k]) + a[i, n - k])
        addresses = np.array([half.ctypes.data, scale.ctypes.data, y.ctypes.data])
        lengths = np.array([count, n // 2 + 1, n])
        strides = np.array([half.strides[0], 0, y.strides[0], half.strides[1], y.strides[1]])
        back(addresses.ctypes, lengths.ctypes, strides.ctypes, nothing.ctypes)
        return 0 if scale.size + half.size else 1
    return rows
