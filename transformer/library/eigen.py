"""Eigenvalues of matrices that are not symmetric.  The derivative of eigenvalues is that of M. Giles, "Collected matrix
derivative results for forward and reverse mode algorithmic differentiation" (2008), 3.1; of eigenvectors, whose length
and phase are the library's choice, there is none."""
import numpy as np

from gradscribe import runtime as rt
from gradscribe.runtime.plain import lapack

from ..errors.messages import UnsupportedError
from .factors import EIGENVALUES, gaps, of_columns, row
from .linalg import inv
from .registry import form, means
from .triangular import plus

EigResult = type(np.linalg.eig(np.eye(1)))
FAILS = (*EIGENVALUES, (np.linalg.LinAlgError, "Array must not contain infs or NaNs"))


def _eig_kernel(a, w, v):
    return lapack.eig(a, w, v)


def _eigvals_kernel(a, w):
    return lapack.eigvals(a, w)


def _eig_of_real_kernel(a, w, v):
    return lapack.vectors_of_real(a, w, v)


def _eigvals_of_real_kernel(a, w):
    return lapack.values_of_real(a, w)


# vectors of any length and phase: what derivatives of eigenvalues compute of them does not depend on these
def _values_tangent(v, da):
    """The diagonal of v^-1 da v."""
    return of_columns(inv(v).mT * (da @ v))


def _values_cotangent(g, v):
    return (inv(v).mT * row(g)) @ v.mT


def _any_tangent(w, v, a, da):
    return _values_tangent(v, da), v @ (gaps(w) * (inv(v) @ da @ v))


def _any_cotangent(g_w, g_v, w, v, a):
    return plus(None if g_w is None else _values_cotangent(g_w, v),
                None if g_v is None else inv(v).mT @ (gaps(w) * (v.mT @ g_v)) @ v.mT)


EIG = dict(kernel=_eig_kernel, fails=FAILS, complex=True, several=EigResult)
vectors = form(np.linalg.eig, "(m,m)->(m),(m,m)", "of any scale", tangent=_any_tangent, cotangent=_any_cotangent, **EIG)


# what users call ----------------------------------------------------------------------------------------
def values_only():
    raise UnsupportedError(None, "the derivative of np.linalg.eig, of whose vectors the length and the phase are the "
                                 "library's choice", instead="Take np.linalg.eigvals, which has one.")


whole = form(np.linalg.eig, "(m,m)->(m),(m,m)", "of complex numbers", tangent=lambda w, v, a, da: values_only(),
             cotangent=lambda g, g_v, w, v, a: _values_cotangent(g, v) if g_v is None else values_only(), **EIG)
values = form(np.linalg.eigvals, "(m,m)->(m)", "of complex numbers", kernel=_eigvals_kernel, fails=FAILS, complex=True,
              tangent=lambda w, a, da: _values_tangent(vectors(a)[1], da),
              cotangent=lambda g, w, a: _values_cotangent(g, vectors(a)[1]))


real_vectors = form(rt.eig_of_real, "eig: (m,m)->(m),(m,m)", "of any scale", tangent=_any_tangent,
                    cotangent=_any_cotangent, **EIG | dict(kernel=_eig_of_real_kernel, several=tuple))
real_whole = form(rt.eig_of_real, "eig: (m,m)->(m),(m,m)", "of real numbers",
                  tangent=lambda w, v, a, da: values_only(), **EIG | dict(kernel=_eig_of_real_kernel),
                  cotangent=lambda g, g_v, w, v, a: _values_cotangent(g, v) if g_v is None else values_only())
real_values = form(rt.eigvals_of_real, "eigvals: (m,m)->(m)", "of real numbers", kernel=_eigvals_of_real_kernel,
                   fails=FAILS, complex=True, tangent=lambda w, a, da: _values_tangent(real_vectors(a)[1], da),
                   cotangent=lambda g, w, a: _values_cotangent(g, real_vectors(a)[1]))

for _op in (real_vectors, real_whole, real_values):
    _op.mixed = True


def in_double(of_real, a):
    """NumPy computes with doubles, and rounds what comes of float32."""
    found = of_real(a.astype(float))
    if a.dtype != np.float32:
        return found
    if isinstance(found, np.ndarray):
        return found.astype(np.complex64)
    return EigResult(found[0].astype(np.complex64), found[1].astype(np.complex64))


def eigenvalues(a, of_complex, of_real):
    """What NumPy gives: of a real matrix, complex numbers unless all eigenvalues are real."""
    a = np.asarray(a)
    if a.dtype.kind == "c":
        return of_complex(a)
    found = in_double(of_real, a)
    if isinstance(found, np.ndarray):
        return real_where_all_are(found)
    if np.any(np.imag(found[0]) != 0):
        return found
    return EigResult(np.real(found[0]), np.real(found[1]))


def real_where_all_are(found):
    if np.any(np.imag(found) != 0):
        return found
    return np.real(found)


@means(np.linalg.eig, unasked=True, complex=True)
def eig(a):
    return eigenvalues(a, whole, real_whole)


@means(np.linalg.eigvals, unasked=True, complex=True)
def eigvals(a):
    return eigenvalues(a, values, real_values)
