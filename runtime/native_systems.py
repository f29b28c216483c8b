"""The compiled forms of the systems of equations in `lapack` whose factors are there: by SciPy's table of functions for
Cython, since numba has no name for these functions of BLAS and LAPACK."""
from __future__ import annotations

import numpy as np
from llvmlite import binding
from numba.core import types
from numba.extending import overload
from scipy.linalg import cython_blas, cython_lapack

from . import lapack
from .capsules import NAME, POINTER
from .native_lapack import KINDS, compiled, turn

SPELLED = {"letter": types.CPointer(types.uint8), "number": types.CPointer(types.int32)}


def external(module, name: str, *parameters: str):
    """{dtype: the function of this name for it}; each parameter is a letter, a number, or of the dtype."""
    found = {}
    for dtype, kind in KINDS.items():
        own = chr(kind) + name
        capsule = module.__pyx_capi__[own]
        binding.add_symbol(f"scipy_{own}", POINTER(capsule, NAME(capsule)))
        given = [SPELLED.get(p) or types.CPointer(dtype) for p in parameters]
        found[dtype] = types.ExternalFunction(f"scipy_{own}", types.void(*given))
    return found


TRSM = external(cython_blas, "trsm", "letter", "letter", "letter", "letter", "number", "number", "alpha", "matrix",
                "number", "matrix", "number")
GETRS = external(cython_lapack, "getrs", "letter", "number", "number", "matrix", "number", "number", "matrix", "number",
                 "number")


@compiled(lapack.factorise, getrf="numba_xxgetrf")
def _factorise(kind, getrf):
    def factorise(a, factors, exchanged):
        n = a.shape[0]
        if n == 0:
            return 0
        columns, rows = np.empty((n, n), a.dtype), np.empty(n, np.int32)
        turn(a, columns)
        getrf(kind, n, n, columns.ctypes, n, rows.ctypes)
        for i in range(n):
            exchanged[i] = rows[i]
            for j in range(n):
                factors[i, j] = columns[i, j]
        return 0
    return factorise


@overload(lapack.substitute)
def _substitute(factors, exchanged, b, x, transposed):
    getrs = GETRS[factors.dtype]

    def substitute(factors, exchanged, b, x, transposed):
        n, count = b.shape
        rows = np.empty(n, np.int32)
        for i in range(n):
            if factors[i, i] == 0:
                return 1
            rows[i] = np.int32(exchanged[i].real)
        if n == 0 or count == 0:
            return 0
        item = factors.itemsize
        usable = factors.strides[1] == item and factors.strides[0] == n * item
        copy, columns = np.empty((0 if usable else n, n), factors.dtype), np.empty((count, n), factors.dtype)
        for i in range(len(copy)):
            for j in range(n):
                copy[i, j] = factors[i, j]
        turn(b, columns)
        letter, numbers = np.empty(1, np.uint8), np.empty(3, np.int32)
        letter[0] = 84 if transposed else 78  # T or N
        numbers[0], numbers[1] = n, count
        getrs(letter.ctypes, numbers.ctypes, numbers[1:].ctypes, factors.ctypes if usable else copy.ctypes,
              numbers.ctypes, rows.ctypes, columns.ctypes, numbers.ctypes, numbers[2:].ctypes)
        turn(columns, x)
        return 0
    return substitute


@overload(lapack.triangular)
def _triangular(a, b, x, upper):
    """BLAS counts columns first.  To it an array of rows is the transpose, so it is given x.T @ a.T == b.T, and neither
    the result nor a matrix of rows or of columns is copied."""
    trsm = TRSM[a.dtype]

    def triangular(a, b, x, upper):
        n, count = b.shape
        for i in range(n):
            if a[i, i] == 0:
                return 1
        if n == 0 or count == 0:
            return 0
        item, one = a.itemsize, np.empty(1, a.dtype)
        one[0] = 1
        by_rows = a.strides[1] == item and a.strides[0] >= n * item and a.strides[0] % item == 0
        by_columns = a.strides[0] == item and a.strides[1] >= n * item and a.strides[1] % item == 0
        usable = by_rows or by_columns
        copy = np.empty((0 if usable else n, n), a.dtype)
        for i in range(len(copy)):
            for j in range(n):
                copy[i, j] = a[i, j]
        in_place = x.strides[1] == item and x.strides[0] == count * item
        rows = np.empty((0 if in_place else n, count), a.dtype)
        for i in range(n):
            for j in range(count):
                x[i, j] = b[i, j]
                if not in_place:
                    rows[i, j] = b[i, j]
        letters, numbers = np.empty(4, np.uint8), np.empty(3, np.int32)
        # R: the matrix stands to the right; U or L; T or N; N: its diagonal is not taken to be 1
        letters[0], letters[1], letters[3] = 82, 85 if upper == by_columns else 76, 78
        letters[2] = 84 if by_columns else 78
        numbers[0], numbers[1] = count, n
        numbers[2] = (a.strides[1] if by_columns else a.strides[0] if by_rows else n * item) // item
        trsm(letters.ctypes, letters[1:].ctypes, letters[2:].ctypes, letters[3:].ctypes, numbers.ctypes,
             numbers[1:].ctypes, one.ctypes, a.ctypes if usable else copy.ctypes, numbers[2:].ctypes,
             x.ctypes if in_place else rows.ctypes, numbers.ctypes)
        for i in range(len(rows)):
            for j in range(count):
                x[i, j] = rows[i, j]
        return 0
    return triangular
