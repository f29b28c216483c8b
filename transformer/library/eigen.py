"""Eigenvalues of matrices that are not symmetric.  The derivative of eigenvalues is that of M. Giles, "Collected matrix
derivative results for forward and reverse mode algorithmic differentiation" (2008), 3.1; of eigenvectors, whose length
and phase are the library's choice, there is none."""
import numpy as np

from gradscribe.runtime.plain import lapack

from ..errors.messages import UnsupportedError
from .factors import EIGENVALUES, gaps, of_columns, row
from .linalg import inv
from .registry import form, means, refuse
from .triangular import plus

FAILS = (*EIGENVALUES, (np.linalg.LinAlgError, "Array must not contain infs or NaNs"))


def _eig_kernel(a, w, v):
    return lapack.eig(a, w, v)


def _eigvals_kernel(a, w):
    return lapack.eigvals(a, w)


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


EIG = dict(kernel=_eig_kernel, fails=FAILS, complex=True, several=type(np.linalg.eig(np.eye(1))))
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


def complex_matrix(a, name):
    a = np.asarray(a)
    if a.dtype.kind != "c":
        refuse(f"np.linalg.{name} of real numbers, whose values decide whether the result is complex",
               "Make them complex before: a.astype(complex); of a symmetric matrix take np.linalg.eigh.")
    return a


@means(np.linalg.eig, unasked=True, complex=True)
def eig(a):
    return whole(complex_matrix(a, "eig"))


@means(np.linalg.eigvals, unasked=True, complex=True)
def eigvals(a):
    return values(complex_matrix(a, "eigvals"))
