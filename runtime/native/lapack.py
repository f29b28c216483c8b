"""The compiled forms of `lapack`: calls of the LAPACK that numba links.

LAPACK counts columns first, and stores its results where its arguments were: so each function works on copies, of which
the rows are the columns of the matrices.
"""
from __future__ import annotations

import functools
import math

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.typing import signature
from numba.extending import overload
from numba.np.arrayobj import make_array
from numba.np.linalg import _LAPACK

from ..compiler import stock
from ..compiler.array_values import const, field
from ..compiler.kept import OPTIONS, kept_kernel
from ..plain import lapack, memory as rm
from .memory import register_lowering, view
from .small_systems import all_finite, eliminate, small_cholesky, small_rows, substitute_small

WAY = dict(OPTIONS, pipeline_class=stock.way({})[0])
KINDS = {types.float64: ord("d"), types.float32: ord("s"), types.complex128: ord("z"), types.complex64: ord("c")}
SMALL_ROWS = {kind: small_rows(dtype) for dtype, kind in KINDS.items()}


def compiled(plain, **calls):
    """Enter what `make(kind, *functions of LAPACK for the dtype)` gives as the compiled form of a function."""
    def enter(make):
        def choose(dtype):
            table = _LAPACK()
            found = [getattr(table, name)(dtype) for name in calls.values()]
            return make(KINDS[dtype], *[taking_arrays(f.symbol, f.sig.return_type, f.sig.args) for f in found])

        names = plain.__code__.co_varnames[:plain.__code__.co_argcount]
        form(plain)(eval(f"lambda {', '.join(names)}: choose({names[0]}.dtype)", {"choose": choose}))
        return make
    return enter


def form(plain):
    """Enter what `choose(*argument types)` gives as the compiled form of a function: a part of what calls it."""
    def enter(choose):
        if stock.uses_stock():
            overload(plain, jit_options=WAY)(choose)
            return choose
        from ..compiler.parts import Callee

        @functools.cache
        def part(*types):
            return Callee(choose(*types), targetoptions=dict(OPTIONS, nopython=True, no_cpython_wrapper=True))

        @register_lowering(plain, lambda *args: part(*args).compile(args).signature)
        def _call(context, builder, sig, args):
            memory, t = part(*sig.args).lower_call(context, builder, context.fndesc, sig.args, args)
            return context.data_model_manager[t].from_return(builder, builder.load(memory))

        return choose
    return enter


@functools.cache
def taking_arrays(symbol: str, result, wanted: tuple):
    """A function of C or Fortran, which takes the arrays and numbers themselves: as long as it runs they live."""
    def function(*args):
        raise NotImplementedError  # it is only called by compiled code

    @register_lowering(function, lambda *args: signature(result, *map(types.unliteral, args)))
    def _call(context, builder, sig, args):
        def passed(value, t, want):
            if not isinstance(want, types.CPointer):
                return context.cast(builder, value, t, want)
            if isinstance(t, types.Array):
                return field(context, builder, t, value, "data")
            return cgutils.alloca_once_value(builder, context.cast(builder, value, t, want.dtype))

        given = [passed(value, t, want) for value, t, want in zip(args, sig.args, wanted, strict=True)]
        kind = ir.VoidType() if result is types.void else context.get_value_type(result)
        called = builder.call(cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(kind, [x.type for x in given]), symbol), given)
        return context.get_dummy_value() if result is types.void else called

    return function


@register_lowering(lapack.columns, lambda b: signature(b.copy(ndim=2, layout="A"), b))
def _columns(context, builder, sig, args):
    t, source = sig.args[0], make_array(sig.args[0])(context, builder, args[0])
    shape, strides = (cgutils.unpack_tuple(builder, axes, t.ndim) for axes in (source.shape, source.strides))
    if t.ndim == 1:
        shape, strides = [*shape, const(1)], [*strides, source.itemsize]
    return view(context, builder, sig.return_type, source, shape, strides)


def turn(a, out):
    """out[...] = a.T.  Eight rows at a time: where they lie powers of two apart, a cache has no room for more."""
    m, n = a.shape
    whole = m - m % 8
    for first in range(0, whole, 8):
        for j in range(n):
            for i in range(8):
                out[j, first + i] = a[first + i, j]
    for j in range(n):
        for i in range(whole, m):
            out[j, i] = a[i, j]


def put_rows(a, out):
    """out[...] = a, as many rows as both have."""
    for i in range(min(a.shape[0], out.shape[0])):
        for j in range(out.shape[1]):
            out[i, j] = a[i, j]


turn, put_rows = kept_kernel(turn, **WAY), kept_kernel(put_rows, **WAY)


@compiled(lapack.solve, gesv="numba_xgesv")
def _solve(kind, gesv):
    small = SMALL_ROWS[kind]

    def solve(a, b, x):
        n, count = b.shape
        if n <= small:
            factors, exchanged = rm.empty((n, n), a.dtype), rm.empty((n,), a.dtype)
            turn(a, factors)
            eliminate(factors, exchanged)
            if all_finite(factors):
                for i in range(n):
                    if factors[i, i] == 0:
                        return 1
                put_rows(b, x)
                substitute_small(factors, exchanged, x)
                return 0
        lu, columns, pivots = rm.empty((n, n), a.dtype), rm.empty((count, n), a.dtype), rm.empty((n,), np.int32)
        if n == 0 or count == 0:
            return 0
        turn(a, lu)
        turn(b, columns)
        failed = gesv(kind, n, count, lu, n, pivots, columns, n)
        turn(columns, x)
        return 1 if failed > 0 else 0
    return solve


@compiled(lapack.cofactors, gesv="numba_xgesv")
def _cofactors(kind, gesv):
    def cofactors(a, y):
        n = a.shape[0]
        lu, inverse, pivots = rm.empty((n, n), a.dtype), rm.zeros((n, n), a.dtype), rm.empty((n,), np.int32)
        norm, limits = 0.0, np.finfo(a.real.dtype)
        for i in range(n):
            total = 0.0
            for j in range(n):
                lu[j, i] = a[i, j]
                total += abs(a[i, j])
            norm = total if not total <= norm else norm
            inverse[i, i] = 1.0
        if n == 0 or not norm < np.inf or gesv(kind, n, n, lu, n, pivots, inverse, n) > 0:
            return 1
        det, norm_of_inverse = a.dtype.type(1), 0.0
        for i in range(n):
            det *= lu[i, i] if pivots[i] == i + 1 else -lu[i, i]
        for i in range(n):
            total = 0.0
            for j in range(n):
                total += abs(inverse[j, i])
                y[i, j] = det * inverse[i, j]
            norm_of_inverse = total if not total <= norm_of_inverse else norm_of_inverse
        sure = norm * norm_of_inverse * limits.eps ** 0.5 < 1.0
        return 0 if sure and limits.tiny < abs(det) and abs(det) < np.inf else 1
    return cofactors


@compiled(lapack.slogdet, getrf="numba_xxgetrf")
def _slogdet(kind, getrf):
    if kind in (ord("z"), ord("c")):
        return _complex_slogdet(kind, getrf)

    def slogdet(a):
        n = a.shape[0]
        lu, pivots = rm.empty((n, n), a.dtype), rm.empty((n,), np.int32)
        turn(a, lu)
        sign, logarithm = a.dtype.type(1), a.dtype.type(0)
        if n == 0:
            return sign, logarithm
        if getrf(kind, n, n, lu, n, pivots) > 0:
            return a.dtype.type(0), a.dtype.type(-np.inf)
        for i in range(n):
            entry = lu[i, i]
            if (pivots[i] != i + 1) != (entry < 0):
                sign = -sign
            logarithm += a.dtype.type(math.log(abs(entry)))
        return sign, logarithm
    return slogdet


def _complex_slogdet(kind, getrf):
    def slogdet(a):
        n = a.shape[0]
        lu, pivots = rm.empty((n, n), a.dtype), rm.empty((n,), np.int32)
        for i in range(n):
            for j in range(n):
                lu[j, i] = a[i, j]
        sign, logarithm = a.dtype.type(1), a.real.dtype.type(0)
        if n == 0:
            return sign, logarithm
        if getrf(kind, n, n, lu, n, pivots) > 0:
            return a.dtype.type(0), a.real.dtype.type(-np.inf)
        for i in range(n):
            size = abs(lu[i, i])
            sign *= a.dtype.type(complex(lu[i, i].real / size, lu[i, i].imag / size))
            if pivots[i] != i + 1:
                sign = -sign
            logarithm += a.real.dtype.type(math.log(size))
        return sign, logarithm
    return slogdet


@compiled(lapack.lu, getrf="numba_xxgetrf")
def _lu(kind, getrf):
    def lu(a, factors, pivots):
        n = a.shape[0]
        columns, exchanged = rm.empty((n, n), a.dtype), rm.empty((n,), np.int32)
        turn(a, columns)
        if n == 0:
            return 0
        getrf(kind, n, n, columns, n, exchanged)
        for i in range(n):
            pivots[i] = exchanged[i] - 1
            for j in range(n):
                factors[i, j] = columns[j, i]
        return 0
    return lu


@compiled(lapack.cholesky, potrf="numba_xxpotrf")
def _cholesky(kind, potrf):
    small = SMALL_ROWS[kind]

    def cholesky(a, y, upper):
        n = a.shape[0]
        if n <= small:
            failed = small_cholesky(a, y, upper)
            if failed or all_finite(y):
                return failed
        columns = rm.empty((n, n), a.dtype)
        turn(a, columns)
        if n == 0:
            return 0
        failed = potrf(kind, 85 if upper else 76, n, columns, n)  # 85 is U, 76 is L
        for i in range(n):
            for j in range(n):
                y[i, j] = columns[j, i] if i == j or (i < j) == upper else a.dtype.type(0)
        return 1 if failed > 0 else 0
    return cholesky


@compiled(lapack.svd, gesdd="numba_ez_gesdd")
def _svd(kind, gesdd):
    def svd(a, u, s, vt):
        n = a.shape[0]
        copy, left, values, right = (rm.empty((n, n), a.dtype), rm.empty((n, n), a.dtype), rm.empty((n,), a.real.dtype),
                                     rm.empty((n, n), a.dtype))
        for i in range(n):
            for j in range(n):
                copy[j, i] = a[i, j]
        if n == 0:
            return 0
        # 65 is A: all of u and vt
        failed = gesdd(kind, 65, n, n, copy, n, values, left, n, right, n)
        for i in range(n):
            s[i] = values[i]
            for j in range(n):
                u[i, j], vt[i, j] = left[j, i], right[j, i]
        return 1 if failed > 0 else 0
    return svd
