"""Functions of NumPy and of `math`."""
import math

import numpy as np

from tests.corpus.registry import normal, positive_definite, program, uniform

# ---- NumPy


@program(construct="einsum", args=lambda: (normal(501, 2, 3), normal(502, 3, 4), normal(503, 4)), argnums=(0, 1, 2))
def contracted(A, B, x):
    """Three operands, and a trace."""
    return np.sum(np.einsum("ij,jk,k->i", A, B, x) ** 2) + np.einsum("ii", A @ A.T)


@program(construct="tensordot, kron and trace", args=lambda: (normal(504, 2, 3), normal(505, 3, 2)), argnums=(0, 1))
def products_of_tensors(A, B):
    """Products of several axes."""
    return np.sum(np.tensordot(A, B, axes=([1], [0])) ** 2) + np.trace(np.kron(A @ B, np.eye(2))) + np.vdot(A, B.T)


@program(construct="cross", args=lambda: (normal(506, 2, 3), normal(507, 2, 3)), argnums=(0, 1))
def torque(r, f):
    """A product of vectors."""
    return np.sum(np.cross(r, f) ** 2 * np.arange(3.0))


@program(construct="cumsum and diff", args=lambda: (normal(508, 6),))
def differences_of_sums(x):
    """Sums along a row, and differences."""
    return np.sum(np.cumsum(x) ** 2) + np.sum(np.diff(x, n=2) ** 3)


@program(construct="cumprod and prod", args=lambda: (uniform(509, 5),))
def running_products(x):
    """Products along a row."""
    return np.sum(np.cumprod(x) * x) + np.prod(x)


@program(construct="var and std with ddof", args=lambda: (normal(510, 3, 5),))
def spread(A):
    """Moments."""
    return np.sum(np.var(A, axis=1, ddof=1)) + np.std(A) * np.mean(np.std(A, axis=0))


@program(construct="median and quantile", args=lambda: (normal(511, 7),))
def quantiles(x):
    """Order statistics."""
    return np.median(x) ** 2 + np.quantile(x, 0.3) * np.percentile(x, 80.0)


@program(construct="sort along an axis, argsort", args=lambda: (normal(512, 3, 4),))
def in_order(A):
    """Order along columns."""
    return np.sum(np.sort(A, axis=0) ** 2 * np.arange(3.0)[:, None]) + np.sum(A[0][np.argsort(A[1])] * np.arange(4.0))


@program(construct="norm of vectors and matrices", args=lambda: (normal(513, 3, 3),))
def norms(A):
    """Norms."""
    return np.linalg.norm(A) * np.sum(np.linalg.norm(A, axis=1)) + np.linalg.norm(A[0], 4)


@program(construct="solve", args=lambda: (positive_definite(514, 3), normal(515, 3)), argnums=(0, 1))
def solved(A, b):
    """A linear system."""
    return b @ np.linalg.solve(A, b)


@program(construct="inv and det", args=lambda: (positive_definite(516, 3),))
def inverted(A):
    """An inverse and a determinant."""
    return np.sum(np.linalg.inv(A) ** 2) + np.log(np.linalg.det(A))


@program(construct="slogdet and cholesky", args=lambda: (positive_definite(517, 3), normal(518, 3)), argnums=(0, 1))
def log_density(S, x):
    """The logarithm of a normal density."""
    L = np.linalg.cholesky(S)
    z = np.linalg.solve(L, x)
    return -0.5 * z @ z - np.sum(np.log(np.diag(L))) - 0.5 * np.linalg.slogdet(S)[1]


@program(construct="eigvalsh", args=lambda: (positive_definite(519, 3),))
def eigenvalues(S):
    """The eigenvalues of a symmetric matrix."""
    return np.sum(np.log(np.linalg.eigvalsh(S)) ** 2)


@program(construct="singular values", args=lambda: (normal(520, 3, 2),))
def nuclear(A):
    """A sum of singular values."""
    return np.sum(np.linalg.svd(A, compute_uv=False) ** 1.5)


@program(construct="lstsq", args=lambda: (normal(521, 5, 2), normal(522, 5)), argnums=(0, 1))
def fitted(A, y):
    """A straight line through points."""
    return np.sum(np.linalg.lstsq(A, y, rcond=None)[0] ** 2)


@program(construct="matrix_power", args=lambda: (normal(523, 3, 3),))
def powers_of_a_matrix(A):
    """A power."""
    return np.sum(np.linalg.matrix_power(0.5 * A, 3))


@program(construct="pad", args=lambda: (normal(524, 4),))
def padded(x):
    """Edges of two kinds."""
    return np.sum(np.pad(x, 2, mode="reflect") ** 2) + np.sum(np.pad(x, (1, 0), mode="edge") ** 3)


@program(construct="roll and flip", args=lambda: (normal(525, 3, 4),))
def rolled(A):
    """A periodic difference."""
    return np.sum((np.roll(A, 1, axis=1) - A) ** 2 * np.flip(A, 0))


@program(construct="repeat and tile", args=lambda: (normal(526, 3),))
def repeated(x):
    """Copies of elements and of all."""
    return np.sum(np.repeat(x, 2) * np.tile(x, 2) ** 2)


@program(construct="split, hstack and vstack", args=lambda: (normal(527, 6),))
def put_together_again(x):
    """Parts in another order."""
    a, b, c = np.split(x, 3)
    return np.sum(np.vstack([c, a * b]) @ np.hstack([a[:1], b[:1]]))


@program(construct="meshgrid", args=lambda: (normal(528, 3), normal(529, 2)), argnums=(0, 1))
def grid(x, y):
    """A function on a grid."""
    X, Y = np.meshgrid(x, y)
    return np.sum(np.sin(X) * Y * Y)


@program(construct="mgrid and r_", args=lambda: (normal(530, 4),))
def ranges(x):
    """Ranges as slices."""
    i, j = np.mgrid[0:2, 0:4]
    return np.sum(x * (i - j)) + np.sum(np.r_[x, 0.5, x[:2]] ** 2)


@program(construct="linspace of bounds that vary", args=lambda: (0.5, 2.0), argnums=(0, 1))
def trapezoids(a, b):
    """A rule of trapezoids."""
    t = np.linspace(a, b, 7)
    return np.trapezoid(np.exp(-t * t), t)


@program(construct="interp", args=lambda: (uniform(531, 4), normal(532, 3)), argnums=(0, 1))
def interpolated(x, values):
    """Between known knots."""
    return np.sum(np.interp(x, np.array([0.0, 0.95, 2.0]), values) ** 2)


@program(construct="convolve", args=lambda: (normal(533, 6), normal(534, 3)), argnums=(0, 1))
def convolved(x, kernel):
    """A filter."""
    return np.sum(np.convolve(x, kernel, mode="same") ** 2)


@program(construct="polyval", args=lambda: (normal(535, 4), normal(536, 3)), argnums=(0, 1))
def polynomial(c, x):
    """Horner's rule."""
    return np.sum(np.polyval(c, x))


@program(construct="clip", args=lambda: (normal(537, 5),))
def clipped(x):
    """Bounds."""
    return np.sum(np.clip(x, -0.6, 0.7) ** 2 * x)


@program(construct="select and piecewise", args=lambda: (normal(538, 5),))
def by_cases(x):
    """Cases by conditions."""
    return (np.sum(np.select([x > 1.0, x > 0.0], [x**2, x**3], default=-x) ** 2)
            + np.sum(np.piecewise(x, [x < 0.0, x >= 0.0], [np.exp, lambda v: v * v])))


@program(construct="sum with where= and initial=",
         args=lambda: (normal(539, 5), np.array([True, False, True, True, False])))
def where_of_a_sum(x, m):
    """Reductions of a part."""
    return np.sum(x**2, where=m, initial=1.0) + np.mean(x, where=m) ** 2 + np.max(x, where=m, initial=-5.0)


@program(construct="out= of a ufunc", args=lambda: (uniform(540, 4),))
def into_a_buffer(x):
    """Results into an array that is there."""
    buffer = np.empty_like(x)
    np.multiply(x, x, out=buffer)
    np.log(buffer, out=buffer)
    return np.sum(buffer * x)


@program(construct="nansum and nanmean", args=lambda: (normal(541, 4),))
def without_nans(x):
    """What is no number left out."""
    y = np.full(6, np.nan)
    y[1:5] = x
    return np.nansum(y**2) * np.nanmean(y)


@program(construct="tril, triu and diag", args=lambda: (normal(542, 3, 3),))
def triangular(A):
    """Parts of a matrix."""
    return np.sum(np.tril(A) @ np.triu(A, 1)) + np.sum(np.diag(A) ** 2) + np.sum(np.diag(A[0]) @ A)


@program(construct="moveaxis, swapaxes and squeeze", args=lambda: (normal(543, 2, 1, 3),))
def axes(A):
    """Axes moved."""
    return np.sum(np.moveaxis(A, 0, -1)[0] @ np.swapaxes(np.squeeze(A), 0, 1).T)


@program(construct="expand_dims of several axes, broadcast_to", args=lambda: (normal(544, 3),))
def expanded(x):
    """New axes."""
    return np.sum(np.expand_dims(x, (0, 2)) * np.broadcast_to(x * x, (2, 4, 3))[:, :3].transpose(0, 2, 1))


@program(construct="logaddexp and log1p", args=lambda: (normal(545, 3), normal(546, 3)), argnums=(0, 1))
def stable(x, y):
    """Functions that are stable."""
    return np.sum(np.logaddexp(x, y)) + np.sum(np.log1p(np.exp(-np.abs(x * y)))) + np.sum(np.expm1(0.1 * x))


@program(construct="arctan2 and hypot", args=lambda: (normal(547, 3), normal(548, 3)), argnums=(0, 1))
def polar(x, y):
    """Polar coordinates."""
    return np.sum(np.arctan2(y, x) * np.hypot(x, y))


@program(construct="functions of the math module", args=lambda: (0.7, 2.5), argnums=(0, 1))
def by_math(a, b):
    """Of Python's numbers."""
    return math.log(b, 10) + math.hypot(a, b, 1.0) + math.expm1(b) * math.erf(a) + math.atan2(a, b)


@program(construct="ufunc.reduce, accumulate and outer", args=lambda: (uniform(549, 4),))
def by_ufuncs(x):
    """Methods of ufuncs."""
    return np.multiply.reduce(x) + np.sum(np.add.accumulate(x) ** 2) + np.sum(np.subtract.outer(x, x) ** 2)


@program(construct="cov and corrcoef", args=lambda: (normal(550, 2, 6),))
def correlated(A):
    """Moments of two rows."""
    return np.cov(A)[0, 1] ** 2 + np.corrcoef(A)[0, 1]


@program(construct="average with weights", args=lambda: (normal(551, 4), uniform(552, 4)), argnums=(0, 1))
def weighted(x, w):
    """A mean."""
    return np.average(x, weights=w) ** 2


@program(construct="histogram weights by bincount", args=lambda: (np.array([0, 1, 1, 3]), normal(553, 4)), argnums=(1,))
def binned(bins, x):
    """Sums in bins."""
    return np.sum(np.bincount(bins, weights=x, minlength=5) ** 2)


@program(construct="block", args=lambda: (normal(554, 2, 2),))
def blocks(A):
    """A matrix of matrices."""
    return np.sum(np.block([[A, np.eye(2)], [np.zeros((2, 2)), A.T]]) @ np.arange(4.0))


@program(construct="vander, outer differences and a sum over pairs", args=lambda: (normal(555, 3),))
def pairs_of_points(x):
    """A determinant of powers and the energy of pairs."""
    distance = x[:, None] - x[None, :] + np.eye(3)
    return np.linalg.det(np.vander(x)) + np.sum(np.log(np.abs(distance)))


@program(construct="np.ndarray(shape, dtype)", args=lambda: (normal(556, 3),))
def allocated(x):
    """An array that is filled."""
    y = np.ndarray((2, 3), dtype=float)
    y[0], y[1] = x, x * x
    return np.sum(y[0] * y[1])


@program(construct="x.fill and x.astype", args=lambda: (normal(557, 3),))
def methods_that_store(x):
    """Methods of arrays."""
    y = np.empty(3)
    y.fill(x[1])
    return np.sum(y * x) + np.sum(x.astype(np.float64).cumsum().clip(-2.0, 2.0) ** 2)
