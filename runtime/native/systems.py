"""The compiled forms of the systems of equations in `lapack` whose factors are there: by SciPy's table of functions for
Cython, since numba has no name for these functions of BLAS and LAPACK."""
from __future__ import annotations

import numpy as np
from llvmlite import binding
from numba.core import types
from scipy.linalg import cython_blas, cython_lapack

from ..compiler.kept import kept_kernel
from ..plain import lapack, memory as rm
from .capsules import NAME, POINTER
from .lapack import KINDS, SMALL_ROWS, WAY, compiled, form, put_rows, taking_arrays, turn
from .small_systems import (all_finite, eliminate, small_rows, small_triangular, substitute_small,
                            substitute_transposed_small)

SPELLED = {"letter": types.CPointer(types.uint8), **dict.fromkeys(("number", "numbers"), types.CPointer(types.int32))}


def external_functions(module, name: str, *parameters: str, dtypes=tuple(KINDS)):
    """{dtype: the function of this name for it}; each parameter is a letter, a number, or of the dtype."""
    found = {}
    for dtype in dtypes:
        own = chr(KINDS[dtype]) + name
        capsule = module.__pyx_capi__[own]
        binding.add_symbol(f"scipy_{own}", POINTER(capsule, NAME(capsule)))
        given = [SPELLED.get(p) or types.CPointer(dtype) for p in parameters]
        found[dtype] = taking_arrays(f"scipy_{own}", types.void, tuple(given))
    return found


TRSM = external_functions(cython_blas, "trsm", "letter", "letter", "letter", "letter", "number", "number", "alpha",
                          "matrix",
                          "number", "matrix", "number")
GETRS = external_functions(cython_lapack, "getrs", "letter", "number", "number", "matrix", "number", "number", "matrix",
                           "number",
                           "number")


def lie_apart(near, far, n, item):
    """Are rows or columns, with these distances in and between them, such that LAPACK takes them as they lie?"""
    return near == item and far >= n * item and far % item == 0


def without_pivot(a):
    """Is a number of the diagonal 0?"""
    for i in range(a.shape[0]):
        if a[i, i] == 0:
            return True
    return False


lie_apart, without_pivot = kept_kernel(lie_apart, **WAY), kept_kernel(without_pivot, **WAY)


@compiled(lapack.factorise, getrf="numba_xxgetrf")
def _factorise(kind, getrf):
    small = SMALL_ROWS[kind]

    def factorise(a, factors, exchanged):
        n = a.shape[0]
        if n <= small:
            turn(a, factors)
            eliminate(factors, exchanged)
            if all_finite(factors):
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
    getrs, small = GETRS[factors.dtype], small_rows(factors.dtype)

    def substitute(factors, exchanged, b, x, transposed):
        n, count = b.shape
        if without_pivot(factors):
            return 1
        if n <= small and all_finite(factors):
            put_rows(b, x)
            if transposed:
                substitute_transposed_small(factors, exchanged, x)
            else:
                substitute_small(factors, exchanged, x)
            return 0
        if count == 0:
            return 0
        rows = rm.empty((n,), np.int32)
        for i in range(n):
            rows[i] = np.int32(exchanged[i].real)
        item = factors.itemsize
        usable = factors.strides[1] == item and factors.strides[0] == n * item
        copy, columns = rm.empty((0 if usable else n, n), factors.dtype), rm.empty((count, n), factors.dtype)
        put_rows(factors, copy)
        turn(b, columns)
        getrs(84 if transposed else 78, n, count, factors if usable else copy, n, rows, columns, n, 0)  # T or N
        turn(columns, x)
        return 0
    return substitute


@form(lapack.triangular)
def _triangular(a, b, x, upper):
    """BLAS counts columns first.  To it an array of rows is the transpose, so it is given x.T @ a.T == b.T, and neither
    the result nor a matrix of rows or of columns is copied."""
    trsm, small = TRSM[a.dtype], small_rows(a.dtype)

    def triangular(a, b, x, upper):
        n, count = b.shape
        if without_pivot(a):
            return 1
        if n <= small and all_finite(a):
            put_rows(b, x)
            small_triangular(a, x, upper)
            return 0
        if count == 0:
            return 0
        item = a.itemsize
        by_rows = lie_apart(a.strides[1], a.strides[0], n, item)
        by_columns = lie_apart(a.strides[0], a.strides[1], n, item)
        usable = by_rows or by_columns
        copy = rm.empty((0 if usable else n, n), a.dtype)
        put_rows(a, copy)
        in_place = x.strides[1] == item and x.strides[0] == count * item
        rows = rm.empty((0 if in_place else n, count), a.dtype)
        put_rows(b, x)
        put_rows(b, rows)
        stride = a.strides[1] if by_columns else a.strides[0] if by_rows else n * item
        # R: the matrix stands to the right; U or L; T or N; N: its diagonal is not taken to be 1
        trsm(82, 85 if upper == by_columns else 76, 84 if by_columns else 78, 78, count, n, a.dtype.type(1),
             a if usable else copy, stride // item, x if in_place else rows, count)
        put_rows(rows, x)
        return 0
    return triangular
