"""The compiled forms of the factorisations in `lapack`; what LAPACK gets and gives has rows for columns."""
from __future__ import annotations

import numpy as np
from numba.core import types
from numba.core.typing.templates import infer_global
from numba.extending import overload

from ..compiler.kept import kept
from ..plain import lapack, memory as rm
from .lapack import compiled


@kept
def quality(a):
    """0 of finite numbers, 1 where one is infinite, 2 where one is no number: of such LAPACK's svd says that it was
    called wrongly."""
    found = 0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            size = abs(a[i, j])
            if size - size != 0.0:
                found = max(found, 2 if size != size else 1)
    return found


@compiled(lapack.eigh, evd="numba_ez_xxxevd")
def _eigh(kind, evd):
    def eigh(a, w, v, upper):
        n = a.shape[0]
        columns, values = rm.empty((n, n), a.dtype), rm.empty((n,), a.real.dtype)
        for i in range(n):
            for j in range(n):
                columns[j, i] = a[i, j]
        if n == 0:
            return 0
        failed = evd(kind, 86, 85 if upper else 76, n, columns, n, values)  # 86 is V, 85 U, 76 L
        for i in range(n):
            w[i] = values[i]
            for j in range(n):
                v[i, j] = columns[j, i]
        return 1 if failed > 0 else 0
    return eigh


@compiled(lapack.eigvalsh, evd="numba_ez_xxxevd")
def _eigvalsh(kind, evd):
    def eigvalsh(a, w):
        n = a.shape[0]
        columns, values = rm.empty((n, n), a.dtype), rm.empty((n,), a.real.dtype)
        for i in range(n):
            for j in range(i + 1):
                columns[j, i] = a[i, j]
        if n == 0:
            return 0
        failed = evd(kind, 78, 76, n, columns, n, values)  # 78 is N
        for i in range(n):
            w[i] = values[i]
        return 1 if failed > 0 else 0
    return eigvalsh


@compiled(lapack.eig, geev="numba_ez_cgeev")
def _eig(kind, geev):
    def eig(a, w, v):
        n = a.shape[0]
        columns, none = rm.empty((n, n), a.dtype), rm.empty((1, 1), a.dtype)
        values, vectors = rm.empty((n,), a.dtype), rm.empty((n, n), a.dtype)
        for i in range(n):
            for j in range(n):
                if not np.isfinite(a[i, j]):
                    return 2
                columns[j, i] = a[i, j]
        if n == 0:
            return 0
        failed = geev(kind, 78, 86, n, columns, n, values, none, 1, vectors, n)  # N, V
        for i in range(n):
            w[i] = values[i]
            for j in range(n):
                v[i, j] = vectors[j, i]
        return 1 if failed > 0 else 0
    return eig


@compiled(lapack.eigvals, geev="numba_ez_cgeev")
def _eigvals(kind, geev):
    def eigvals(a, w):
        n = a.shape[0]
        columns, none, values = rm.empty((n, n), a.dtype), rm.empty((1, 1), a.dtype), rm.empty((n,), a.dtype)
        for i in range(n):
            for j in range(n):
                if not np.isfinite(a[i, j]):
                    return 2
                columns[j, i] = a[i, j]
        if n == 0:
            return 0
        failed = geev(kind, 78, 78, n, columns, n, values, none, 1, none, 1)  # 78 is N
        for i in range(n):
            w[i] = values[i]
        return 1 if failed > 0 else 0
    return eigvals


@compiled(lapack.vectors_of_real, geev="numba_ez_rgeev")
def _vectors_of_real(kind, geev):
    def vectors_of_real(a, w, v):
        n = a.shape[0]
        columns, none, vectors = rm.empty((n, n), a.dtype), rm.empty((1, 1), a.dtype), rm.empty((n, n), a.dtype)
        real, imag = rm.empty((n,), a.dtype), rm.empty((n,), a.dtype)
        for i in range(n):
            for j in range(n):
                if not np.isfinite(a[i, j]):
                    return 2
                columns[j, i] = a[i, j]
        if n == 0:
            return 0
        failed = geev(kind, 78, 86, n, columns, n, real, imag, none, 1, vectors, n)  # N, V
        for k in range(n):
            w[k] = complex(real[k], imag[k])
            first = k if imag[k] >= 0 else k - 1  # of a pair, one has the real part of the vector, the next the other
            for i in range(n):
                v[i, k] = complex(vectors[first, i], 0.0 if imag[k] == 0 else
                                  vectors[first + 1, i] if imag[k] > 0 else -vectors[first + 1, i])
        return 1 if failed > 0 else 0
    return vectors_of_real


@compiled(lapack.values_of_real, geev="numba_ez_rgeev")
def _values_of_real(kind, geev):
    def values_of_real(a, w):
        n = a.shape[0]
        columns, none = rm.empty((n, n), a.dtype), rm.empty((1, 1), a.dtype)
        real, imag = rm.empty((n,), a.dtype), rm.empty((n,), a.dtype)
        for i in range(n):
            for j in range(n):
                if not np.isfinite(a[i, j]):
                    return 2
                columns[j, i] = a[i, j]
        if n == 0:
            return 0
        failed = geev(kind, 78, 78, n, columns, n, real, imag, none, 1, none, 1)  # 78 is N
        for k in range(n):
            w[k] = complex(real[k], imag[k])
        return 1 if failed > 0 else 0
    return values_of_real


@compiled(lapack.thin_svd, gesdd="numba_ez_gesdd")
def _thin_svd(kind, gesdd):
    def thin_svd(a, u, s, vt):
        m, n, left, right = a.shape[0], a.shape[1], u.shape[1], vt.shape[0]
        copy, values = rm.empty((n, m), a.dtype), rm.empty((s.shape[0],), a.real.dtype)
        us, vts = rm.empty((left, m), a.dtype), rm.empty((n, right), a.dtype)
        for i in range(m):
            for j in range(n):
                copy[j, i] = a[i, j]
        failed = 0
        if s.shape[0] == 0:
            us[:, :] = 0.0
            vts[:, :] = 0.0
            for i in range(min(m, left)):
                us[i, i] = 1.0
            for i in range(min(n, right)):
                vts[i, i] = 1.0
        elif quality(a) > 0:
            failed = quality(a) - 1
            values[:], us[:, :], vts[:, :] = np.nan, np.nan, np.nan
        else:
            whole = left > s.shape[0] or right > s.shape[0]
            failed = gesdd(kind, 65 if whole else 83, m, n, copy, m, values, us, m,
                           vts, max(1, right))  # 65 is A, 83 is S
        for k in range(s.shape[0]):
            s[k] = values[k]
        for i in range(m):
            for k in range(left):
                u[i, k] = us[k, i]
        for k in range(right):
            for j in range(n):
                vt[k, j] = vts[j, k]
        return 1 if failed > 0 else 0
    return thin_svd


@compiled(lapack.svdvals, gesdd="numba_ez_gesdd")
def _svdvals(kind, gesdd):
    def svdvals(a, s):
        m, n = a.shape
        copy, values = rm.empty((n, m), a.dtype), rm.empty((s.shape[0],), a.real.dtype)
        nothing = rm.empty((1,), a.dtype)
        for i in range(m):
            for j in range(n):
                copy[j, i] = a[i, j]
        if s.shape[0] == 0:
            return 0
        if quality(a) > 0:
            s[:] = np.nan
            return quality(a) - 1
        failed = gesdd(kind, 78, m, n, copy, m, values, nothing, 1, nothing, 1)
        for k in range(s.shape[0]):
            s[k] = values[k]
        return 1 if failed > 0 else 0
    return svdvals


@compiled(lapack.qr, geqrf="numba_ez_geqrf", gqr="numba_ez_xxgqr")
def _qr(kind, geqrf, gqr):
    def qr(a, q, r):
        m, n = a.shape
        columns, tau = rm.empty((n, m), a.dtype), rm.empty((max(1, n),), a.dtype)
        for i in range(m):
            for j in range(n):
                columns[j, i] = a[i, j]
        if n == 0:
            return 0
        geqrf(kind, m, n, columns, m, tau)
        for i in range(n):
            for j in range(n):
                r[i, j] = columns[j, i] if i <= j else a.dtype.type(0)
        gqr(kind, m, n, n, columns, m, tau)
        for i in range(m):
            for j in range(n):
                q[i, j] = columns[j, i]
        return 0
    return qr


@compiled(lapack.least_squares, gelsd="numba_ez_gelsd")
def _least_squares(kind, gelsd):
    def least_squares(a, b, x, s, rank):
        m, n, count = a.shape[0], a.shape[1], b.shape[1]
        rows = max(m, n)
        copy, columns = rm.empty((n, m), a.dtype), rm.zeros((max(1, count), rows), a.dtype)
        found = rm.zeros((1,), np.int32)
        values = rm.empty((max(1, min(m, n)),), a.real.dtype)
        for i in range(m):
            for j in range(n):
                copy[j, i] = a[i, j]
            for j in range(count):
                columns[j, i] = b[i, j]
        failed = 1 if quality(a) > 0 or quality(b) > 0 else 0
        if failed == 0 and m > 0 and n > 0:
            limit = np.finfo(a.real.dtype).eps * rows
            failed = gelsd(kind, m, n, max(1, count), copy, m, columns, rows, values, limit,
                           found)
        for k in range(s.shape[0]):
            s[k] = values[k]
        rank[0] = found[0]
        for i in range(n):
            for j in range(count):
                x[i, j] = columns[j, i]
        return 1 if failed > 0 else 0
    return least_squares


@overload(lapack.narrowed)
def _narrowed(z, x):
    real = not isinstance(x.dtype, types.Complex)

    def narrowed(z, x):
        for i in range(x.shape[0]):
            for j in range(x.shape[1]):
                x[i, j] = z[i, j].real if real else z[i, j]
    return narrowed


expm, cofactors_slope = kept(lapack.expm), kept(lapack.cofactors_slope)
infer_global(lapack.expm, types.Dispatcher(expm))
infer_global(lapack.cofactors_slope, types.Dispatcher(cofactors_slope))
