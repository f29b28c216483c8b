"""Heat in an uneven rod: a matrix in compressed rows, products by loops over indptr, preconditioned conjugate gradients.

Saad, "Iterative methods for sparse linear systems": the CSR product (3.4) and conjugate gradients with Jacobi's preconditioner.
Reference: numpy.linalg.solve of the dense matrix; b.x has the derivative -x.(dA)x by a symmetric A.
"""
from collections import namedtuple

import numpy as np

CSR = namedtuple("CSR", "indptr indices data")


def assemble(conductivity):
    """-(k u')' with u = 0 at both ends, a value of k between two neighbours."""
    n = len(conductivity) - 1
    indptr, indices, data = [0], [], []
    for i in range(n):
        if i > 0:
            indices.append(i - 1)
            data.append(-conductivity[i])
        indices.append(i)
        data.append(conductivity[i] + conductivity[i + 1])
        if i < n - 1:
            indices.append(i + 1)
            data.append(-conductivity[i + 1])
        indptr.append(len(indices))
    return CSR(np.array(indptr), np.array(indices), np.array(data))


def matvec(A, x):
    y = np.zeros_like(x)
    for i in range(len(y)):
        for j in range(A.indptr[i], A.indptr[i + 1]):
            y[i] += A.data[j] * x[A.indices[j]]
    return y


def diagonal(A):
    n = len(A.indptr) - 1
    d = np.zeros(n)
    for i in range(n):
        for j in range(A.indptr[i], A.indptr[i + 1]):
            if A.indices[j] == i:
                d[i] = A.data[j]
                break
    return d


def conjugate_gradient(A, b, tol=1e-12, most=100):
    x = np.zeros_like(b)
    r = b - matvec(A, x)
    inverse = 1.0 / diagonal(A)
    z = inverse * r
    p = z.copy()
    rz = r @ z
    for k in range(most):
        Ap = matvec(A, p)
        alpha = rz / (p @ Ap)
        x += alpha * p
        r -= alpha * Ap
        if np.sqrt(r @ r) < tol * np.linalg.norm(b):
            break
        z = inverse * r
        rz, last = r @ z, rz
        p = z + rz / last * p
    return x


def sparse_conjugate_gradient(conductivity, source):
    x = conjugate_gradient(assemble(conductivity), source)
    return source @ x


ALSO = ("vmap", "hvp")


def arguments():
    rng = np.random.default_rng(4)
    return rng.uniform(0.5, 2.0, size=9), rng.normal(size=8)


def reference():
    k, b = arguments()
    A = np.diag(k[:-1] + k[1:]) - np.diag(k[1:-1], 1) - np.diag(k[1:-1], -1)
    x = np.linalg.solve(A, b)
    return {"value": b @ x, "rtol": 1e-11, "gradient": (-np.diff(np.r_[0.0, x, 0.0]) ** 2, 2.0 * x)}
