"""The compiled forms of `scipys_eigh` and `general_eigh` in `lapack`: the functions of LAPACK that SciPy calls, with
its sizes of work, so that the signs of vectors are SciPy's."""
from __future__ import annotations

import numpy as np
from numba.core import types
from scipy.linalg import cython_lapack

from ..plain import lapack, memory as rm
from .lapack import form, turn
from .systems import external_functions

REAL = types.float64, types.float32
SYEVR = external_functions(cython_lapack, "syevr", "letter", "letter", "letter", "number", "matrix", "number", "bound",
                           "bound", "number", "number", "bound", "numbers", "matrix", "matrix", "number", "numbers",
                           "matrix", "number", "numbers", "number", "numbers", dtypes=REAL)
SYGVD = external_functions(cython_lapack, "sygvd", "number", "letter", "letter", "number", "matrix", "number", "matrix",
                           "number", "matrix", "matrix", "number", "numbers", "number", "numbers", dtypes=REAL)
V, A, L = 86, 65, 76  # vectors, all, of the lower half


@form(lapack.scipys_eigh)
def _scipys_eigh(a, w, v):
    syevr = SYEVR[a.dtype]

    def scipys_eigh(a, w, v):
        n = a.shape[0]
        if n == 0:
            return 0
        columns, vectors, values = rm.empty((n, n), a.dtype), rm.empty((n, n), a.dtype), rm.empty((n,), a.dtype)
        found, support, failed = rm.empty((1,), np.int32), rm.empty((2 * n,), np.int32), rm.empty((1,), np.int32)
        turn(a, columns)
        size, places, zero = rm.empty((1,), a.dtype), rm.empty((1,), np.int32), a.dtype.type(0)
        syevr(V, A, L, n, columns, n, zero, zero, 1, n, zero, found, values, vectors, n, support, size, -1, places, -1,
              failed)  # which says how much it works with
        work, numbers = rm.empty((int(size[0]),), a.dtype), rm.empty((places[0],), np.int32)
        syevr(V, A, L, n, columns, n, zero, zero, 1, n, zero, found, values, vectors, n, support, work, work.size,
              numbers, numbers.size, failed)
        for i in range(n):
            w[i] = values[i]
        turn(vectors, v)
        return 1 if failed[0] > 0 else 0
    return scipys_eigh


@form(lapack.general_eigh)
def _general_eigh(a, b, w, v):
    sygvd = SYGVD[a.dtype]

    def general_eigh(a, b, w, v):
        n = a.shape[0]
        if n == 0:
            return 0
        columns, factor, values = rm.empty((n, n), a.dtype), rm.empty((n, n), a.dtype), rm.empty((n,), a.dtype)
        turn(a, columns)
        turn(b, factor)
        work, numbers = rm.empty((1 + 6 * n + 2 * n * n,), a.dtype), rm.empty((3 + 5 * n,), np.int32)
        failed = rm.empty((1,), np.int32)
        sygvd(1, V, L, n, columns, n, factor, n, values, work, work.size, numbers, numbers.size, failed)
        for i in range(n):
            w[i] = values[i]
        turn(columns, v)
        return 1 if failed[0] > 0 else 0
    return general_eigh
