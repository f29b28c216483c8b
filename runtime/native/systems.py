"""The compiled forms of the systems of equations in `lapack` whose factors are there: by SciPy's table of functions for
Cython, since numba has no name for these functions of BLAS and LAPACK."""
from __future__ import annotations

import numpy as np
from llvmlite import binding
from numba.core import types
from scipy.linalg import cython_blas, cython_lapack

from ..plain import lapack, memory as rm
from .capsules import NAME, POINTER
from .lapack import KINDS, compiled, form, taking_arrays, turn

SPELLED = {"letter": types.CPointer(types.uint8), "number": types.CPointer(types.int32)}


def external(module, name: str, *parameters: str):
    """{dtype: the function of this name for it}; each parameter is a letter, a number, or of the dtype."""
    found = {}
    for dtype, kind in KINDS.items():
        own = chr(kind) + name
        capsule = module.__pyx_capi__[own]
        binding.add_symbol(f"scipy_{own}", POINTER(capsule, NAME(capsule)))
        given = [SPELLED.get(p) or types.CPointer(dtype) for p in parameters]
        found[dtype] = taking_arrays(f"scipy_{own}", types.void, tuple(given))
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
        columns, rows = rm.empty((n, n), a.dtype), rm.empty((n,), np.int32)
        turn(a, columns)
        getrf(kind, n, n, columns, n, rows)
        for i in range(n):
            exchanged[i] = rows[i]
            for j in range(n):
                factors[i, j] = columns[i, j]
        return 0
    return factorise


@form(lapack.substitute)
def _substitute(factors, exchanged, b, x, transposed):
    getrs = GETRS[factors.dtype]

    def substitute(factors, exchanged, b, x, transposed):
        n, count = b.shape
        rows = rm.empty((n,), np.int32)
        for i in range(n):
            if factors[i, i] == 0:
                return 1
            rows[i] = np.int32(exchanged[i].real)
        if n == 0 or count == 0:
            return 0
        item = factors.itemsize
        usable = factors.strides[1] == item and factors.strides[0] == n * item
        copy, columns = rm.empty((0 if usable else n, n), factors.dtype), rm.empty((count, n), factors.dtype)
        for i in range(len(copy)):
            for j in range(n):
                copy[i, j] = factors[i, j]
        turn(b, columns)
        getrs(84 if transposed else 78, n, count, factors if usable else copy, n, rows, columns, n, 0)  # T or N
        turn(columns, x)
        return 0
    return substitute


@form(lapack.triangular)
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
        item = a.itemsize
        by_rows = a.strides[1] == item and a.strides[0] >= n * item and a.strides[0] % item == 0
        by_columns = a.strides[0] == item and a.strides[1] >= n * item and a.strides[1] % item == 0
        usable = by_rows or by_columns
        copy = rm.empty((0 if usable else n, n), a.dtype)
        for i in range(len(copy)):
            for j in range(n):
                copy[i, j] = a[i, j]
        in_place = x.strides[1] == item and x.strides[0] == count * item
        rows = rm.empty((0 if in_place else n, count), a.dtype)
        for i in range(n):
            for j in range(count):
                x[i, j] = b[i, j]
                if not in_place:
                    rows[i, j] = b[i, j]
        stride = a.strides[1] if by_columns else a.strides[0] if by_rows else n * item
        # R: the matrix stands to the right; U or L; T or N; N: its diagonal is not taken to be 1
        trsm(82, 85 if upper == by_columns else 76, 84 if by_columns else 78, 78, count, n, a.dtype.type(1),
             a if usable else copy, stride // item, x if in_place else rows, count)
        for i in range(len(rows)):
            for j in range(count):
                x[i, j] = rows[i, j]
        return 0
    return triangular
