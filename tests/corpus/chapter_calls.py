"""Calls of NumPy's functions by chapter: {chapter: (operands, texts)}, and {chapter: [(operands, text)]} for
derivatives (test_numpy_chapters.py)."""
import numpy as np

x = np.array([[0.5, -0.0, 2.0], [-1.5, 3.0, 0.25]])
ELEMENTWISE = dict(x=x, y=x * 2 + 1.1, m=x > 0.3, i=np.array([3, -1, 2]), j=np.array([6, 4, 0]))
ELEMENTWISE_CALLS = """\
np.add(x, y, out=y)
np.log(x, out=np.zeros((2, 3)), where=m)
np.log(x, y)
np.add(x, 1, out=np.zeros(3))
np.add(x[0], 1, out=np.zeros((2, 3)))
np.add(x[0], 1, out=np.zeros((2, 3), np.float32))
np.add(x, 1, out=np.zeros((2, 3), int))
np.sum(x, axis=0, out=np.zeros(3))
np.cumsum(x, out=np.zeros(6))
np.dot(x, x.T, out=np.zeros((2, 2)))
np.add(x, y, out=(y,))
np.add(x, y, where=False, out=y)
np.fmax(x, y)
np.logaddexp(x, y)
np.logaddexp2(x, y)
np.reciprocal(y)
np.deg2rad(x)
np.rad2deg(x), np.degrees(x), np.radians(x), np.fabs(x), np.positive(x)
np.gcd(i, j), np.lcm(i, j)
np.ldexp(x, i)
np.float_power(y, 2), np.float_power(i, j)
np.signbit(x), np.spacing(x)
np.fmin(x, y)"""

ELEMENTWISE_DERIVATIVES = [(dict(x=x), "np.log(x, out=np.zeros((2, 3)), where=x > 0.3)"),
    (dict(x=x), "np.ldexp(x, 2) + np.float_power(x * x * 0.1 + 1, x * 0.3) + np.logaddexp(x, x * x) "
                "+ np.logaddexp2(x, -x) + np.reciprocal(x + 4) + np.fmax(x, x * x * 0.3 + 0.1)")]

x = np.array([[0.5, -0.0, 2.0], [-1.5, 3.0, 0.25]])
ROUNDING = dict(x=x, y=x * 2 + 1.1, i=np.array([3, -1, 2]),
                n=np.array([np.nan, np.inf, -np.inf, 1e+300, 5e-324, -0.0, 0.75]), s=np.array([1.5, -2.25], np.float32),
                p=2.5, f=np.float64(1.25))
ROUNDING_CALLS = """\
np.round(x * 3.3), np.round(i), np.round(x * 3.3456, 2), x.round(1), np.round(s, 1), np.around(p), np.round(f, 1),
    np.round(i, 2)
np.round(x * 30, -1)
np.fix(x)
np.modf(n), np.modf(s), np.modf(i), np.modf(p), np.modf(f)
np.frexp(n), np.frexp(s), np.frexp(p)
np.divmod(x, y), np.divmod(i, 2), np.divmod(p, 2)
np.heaviside(n, 0.5), np.heaviside(s, i[:2]), np.heaviside(i, 1), np.heaviside(p, 0.5), np.heaviside(s, np.float32(0.5))
np.sinc(x), np.sinc(n), np.sinc(s), np.sinc(i), np.sinc(p)
np.nan_to_num(n), np.nan_to_num(s), np.nan_to_num(i), np.nan_to_num(n, nan=1, posinf=2.0, neginf=p), np.nan_to_num(p),
    np.nan_to_num(f)
np.isposinf(n), np.isneginf(n), np.isposinf(p)
np.isclose(x, y), np.isclose(n, n), np.isclose(n, n, equal_nan=True), np.isclose(i, i + 1e-09), np.isclose(p, 2.5),
    np.isclose(f, f)
np.allclose(x, x + 1e-12), np.array_equal(x, x), np.array_equal(x, i), np.array_equiv(x, x[:1]), np.array_equiv(i, i),
    np.array_equal(n, n, equal_nan=True)
np.bitwise_count(i), np.bitwise_count(np.array([255, 3], np.uint8)), np.bitwise_count(7),
    np.bitwise_count(np.array([-128, -1], np.int8))
np.ediff1d(x), np.ediff1d(x, to_end=[1, 2.0], to_begin=p), np.ediff1d(i)
np.unwrap(x * 3), np.unwrap(x * 5, axis=0), np.unwrap(x * 5, discont=4), np.unwrap(y[0] * 7, period=3.0)"""

x = np.array([[0.5, -0.0, 2.0], [-1.5, 3.0, 0.03]])
ROUNDING_DERIVATIVES = [(dict(x=x), "np.sinc(x)"),
    (dict(x=x), "np.modf(x + 0.1)[0] * np.frexp(x + 0.1)[0]"),
    (dict(x=x), "np.unwrap(x * 5) * np.nan_to_num(x) * np.heaviside(x - 0.1, x)"),
    (dict(x=x), "np.ediff1d(x)")]

x = np.array([[0.5, 0.0, 2.0], [-1.5, 3.0, 0.25]])
PRODUCTS = dict(x=x, i=np.array([3, -1, 2]), u=np.array([[200, 3], [2, 9]], np.uint8),
                s=np.array([1.5, -2.25], np.float32), p=2.5, m=x > 1, b=np.array([True, False]), e=np.zeros((0, 3)))
PRODUCTS_CALLS = """\
np.prod(x), np.prod(x, 0), np.prod(x, (0, 1)), np.prod(x, 1, keepdims=True), x.prod(-1), np.prod(i), np.prod(u),
    np.prod(s), np.prod(p), np.prod(b), np.prod(e), np.prod(e, 1)
np.prod(x, initial=2.0), np.prod(x, where=m), np.prod(x, 1, where=m, initial=3), np.prod(u, dtype=np.uint8),
    np.prod(x, dtype=np.float32), np.prod(i, dtype=float), np.prod(i, keepdims=True)
np.prod(x, 3)
np.prod(x, (0, 0))
np.prod(x, ())
np.cumprod(x), np.cumprod(x, 0), x.cumprod(1), np.cumprod(i), np.cumprod(u, 0), np.cumprod(s),
    np.cumprod(u, dtype=np.uint8), np.cumprod(p)
np.cumulative_sum(i), np.cumulative_prod(x, axis=0, include_initial=True),
    np.cumulative_sum(x, axis=1, include_initial=True)
np.prod(x, axis=0, out=np.zeros(3)), np.cumprod(x, axis=0, out=np.zeros((2, 3)))"""

PRODUCTS_DERIVATIVES = []

x = np.array([[0.5, 0.0, 2.0], [-1.5, 3.0, 0.25]])
MASKED = dict(x=x, i=np.array([3, -1, 2]), u=np.array([[200, 3], [2, 9]], np.uint8),
              s=np.array([1.5, -2.25], np.float32), p=2.5, m=x > 1, b=np.array([True, False]), e=np.zeros((0, 3)))
MASKED_CALLS = """\
np.sum(x, initial=2.0), np.sum(x, 0, where=m), np.sum(i, initial=3), np.sum(x, where=False), np.sum(s, initial=p),
    np.sum(x, 1, keepdims=True, where=m), x.sum(where=m)
np.sum(i, initial=0.5)
np.mean(x, where=m), np.mean(x, 0, where=m), np.mean(i, where=i > 0), np.mean(s, where=s > 0)
np.max(x, initial=2.0), np.max(x, 0, where=m, initial=1), np.max(i, initial=7), np.max(e, initial=1),
    np.max(e, 0, initial=1), np.max(e, 1, initial=1), x.max(initial=9), np.max(s, initial=0)
np.min(x, initial=2.0), np.min(x, 0, where=m, initial=9, keepdims=True), np.min(i, initial=7), np.amin(x, initial=-3)
np.max(x, where=m)
np.any(x, where=m), np.all(x, 0, where=m), np.any(m, where=b[:, None])
np.var(x, where=m), np.std(x, 0, where=m), np.var(x, mean=1.0), np.std(x, correction=1), np.var(s, where=s > 0),
    np.var(x, 1, ddof=1, where=m), np.var(i, where=i > 0)
np.cumprod(x), np.cumprod(x, 0), x.cumprod(1), np.cumprod(i), np.cumprod(u, 0), np.cumprod(s),
    np.cumprod(u, dtype=np.uint8), np.cumprod(p)"""

MASKED_DERIVATIVES = [
    (dict(x=x+.01), "np.sum(x,where=x>0.3)+np.mean(x,0,where=x>-9)"
                    "+np.max(x,1,where=x>0.1,initial=0.3)[0]+np.var(x,1,where=x>0.1)[0]+np.std(x,where=x>.1,ddof=1)")]

x = np.array([[0.5, 0.0, 2.0], [-1.5, 3.0, 0.25]])
n = x.copy()
n[0, 1] = np.nan
n[1, 2] = np.nan
PLACES = dict(x=x, n=n, i=np.array([3, -1, 2]), u=np.array([[200, 3], [2, 9]], np.uint8),
              s=np.array([1.5, -2.25, 0.5], np.float32), p=0.3, m=x > 1, aa=np.full((2, 2), np.nan), e=np.zeros((0, 3)))
PLACES_CALLS = """\
np.nansum(n), np.nansum(n, 0), np.nansum(i), np.nansum(s), np.nansum(n, 1, keepdims=True), np.nansum(p)
np.nanprod(n), np.nanprod(n, 0), np.nanprod(i)
np.nancumsum(n), np.nancumsum(n, 0), np.nancumprod(n, 1), np.nancumsum(i)
np.nanmean(n), np.nanmean(n, 0), np.nanmean(i), np.nanmean(aa, 0), np.nanmean(s)
np.nanvar(n), np.nanvar(n, 0, ddof=1), np.nanstd(n, 1), np.nanvar(i), np.nanvar(aa), np.nanstd(s)
np.nanmax(n), np.nanmin(n, 0), np.nanmax(i), np.nanmax(aa, 0), np.nanmin(n, initial=-3), np.nanmax(n, 1, keepdims=True),
    np.nanmax(s)
np.nanargmax(n), np.nanargmin(n, 0), np.nanargmax(i)
np.nanargmax(aa)
np.median(x), np.median(x, 0), np.median(x, 1), np.median(n), np.median(n, 0), np.median(i), np.median(s),
    np.median(x, axis=(0, 1)), np.median(x, 1, keepdims=True), np.median(u)
np.nanmedian(n), np.nanmedian(n, 0), np.nanmedian(n, 1), np.nanmedian(aa, 0), np.nanmedian(i)
np.quantile(x, 0.3), np.quantile(x, [0.1, 0.5, 1.0], 1), np.quantile(n, 0.4, 0), np.quantile(x, p), np.quantile(i, 0.5),
    np.quantile(x, 0.35, method='lower'), np.quantile(x, 0.35, method='higher'), np.quantile(x, 0.35, method='nearest'),
    np.quantile(x, 0.35, method='midpoint'), np.quantile(x, 0.2, 1, keepdims=True), np.quantile(s, 0.3)
np.percentile(x, 30), np.percentile(x, [10, 50], 0), np.nanpercentile(n, 40), np.nanquantile(n, [0.2, 0.7], 1),
    np.nanquantile(aa, 0.5, 0), np.nanpercentile(n, 40, axis=0, keepdims=True)
np.quantile(x, 1.5)
np.percentile(x, 101)
np.partition(i, 1).shape, np.argpartition(i, 1).shape
np.lexsort((i, x[0])), np.lexsort([x[0] > 0, i]), np.lexsort((x, x * 0))
np.digitize(x, np.array([-1.0, 0, 2.0])), np.digitize(x, np.array([2.0, 0, -1])), np.digitize(p, [0, 1.0]),
    np.digitize(x, [-1.0, 0, 2], right=True), np.digitize(x, np.array([2.0, 0, -1]), True)
np.digitize(x, np.array([2.0, 3.0, -1.0]))
np.take_along_axis(x, np.argsort(x, 1), 1), np.take_along_axis(x, np.argsort(x, 0), 0),
    np.take_along_axis(x, np.array([0, 5]), None), np.take_along_axis(x, np.array([[0], [2]]), 1)
np.choose(np.array([0, 1, 1]), [i, x[0]]), np.choose(np.array([[0], [1]]), [i, x[0]]),
    np.choose(np.array([0, 7]), [1, 2], mode='clip'), np.choose(np.array([0, -1]), [1, 2], mode='wrap')
np.choose(np.array([0, 2]), [1, 2])
np.select([x > 1, x < 0], [x, x ** 2], 7), np.select([x > 1, x < 0], [x, i]), np.select([i > 1], [i], default=0.5),
    np.select([i > 1], [s])
np.piecewise(x, [x < 0, x >= 1], [lambda t: t ** 2, lambda t: -t]), np.piecewise(x, [x < 0], [-1, lambda t: t * 2]),
    np.piecewise(x[0], [x[0] < 0, x[0] > 0], [1, 2])
np.insert(x, 1, 5.0), np.insert(x, 1, 5.0, axis=1), np.insert(x, [0, 2], p, axis=1), np.insert(x, 1, i, axis=0),
    np.insert(i, -1, 9), np.insert(x, 1, x[:, 0], axis=1), np.insert(i, [1, 1], [7, 8]), np.insert(i, 2, [7, 8])
np.insert(x, 9, 1.0, axis=0)
np.delete(x, 1), np.delete(x, 1, 0), np.delete(x, [0, 2], 1), np.delete(x, -1, 1), np.delete(x, slice(0, 2), 1),
    np.delete(i, []), np.delete(i, [0, -1])
np.delete(x, 9, 0)
np.resize(x, (3, 4)), np.resize(i, 7), np.trim_zeros(np.array([0.0, 0, 1, 2, 0])),
    np.trim_zeros(np.array([0, 1, 2, 0]), 'f')"""

x = x + np.array([0.01, 0.02, 0.03])
PLACES_DERIVATIVES = [(dict(x=x), "np.nansum(x) + np.nanmean(x, 0) + np.nanvar(x, 0) + np.nanmax(x) + np.median(x, 0) "
                                  "+ np.quantile(x, [0.1, 0.4], 1)[0, 0] + np.nanmedian(x) + np.percentile(x, 33.0)"),
    (dict(x=x), "np.take_along_axis(x, np.argsort(x, 0), 0) * np.partition(x, 1, 0) + np.select([x > 1, x < 0], "
                "[x ** 3, x ** 2], 7) + np.piecewise(x, [x < 0, x >= 1], [lambda t: t ** 2, lambda t: -t])"),
    (dict(x=x),
     "np.insert(x, [0, 2], 0.3, axis=1)[:, :4] * np.insert(x, 1, x[:, 0], axis=1) + np.sum(np.delete(x, 1, 1) ** 2) "
     "+ np.sum(np.resize(x, (3, 5)) ** 2) + np.sum(np.choose(np.array([0, 1, 1]), [x[0], x[1] * 2]) ** 2)"),
    (dict(x=x,q=.3), "np.quantile(x,q)")]

x = np.array([[0.5, 0.0, 2.0], [-1.5, 3.0, 0.25]])
GRIDS = dict(x=x, i=np.array([3, -1, 2]), c=np.arange(24.0).reshape(2, 3, 4) ** 1.1,
             s=np.array([1.5, -2.25, 0.5], np.float32), p=0.3, n=3)
GRIDS_CALLS = """\
np.logspace(0, 2, 5), np.logspace(0, p, 4, base=2), np.geomspace(1.0, 8.0, 4), np.geomspace(1, p, n, endpoint=False),
    np.geomspace(-1.0, -8.0, 4)
np.indices((2, n)), np.indices((2, 3), sparse=True), np.fromfunction(lambda a, b: a + b * 2, (2, 3)),
    np.fromfunction(lambda a: a * p, (4,), dtype=int)
np.ix_([0, 1], [2, 0]), x[np.ix_([0, 1], [2, 0])], np.tril_indices(3), np.triu_indices(n, 1), np.tril_indices(3, -1, 4),
    np.tril_indices_from(x), np.triu_indices_from(x, k=1)
np.diag_indices(n), np.diag_indices_from(x[:, :2]), np.mask_indices(3, np.triu)
np.ravel_multi_index((np.array([0, 1]), np.array([2, 1])), (2, 3)), np.unravel_index(np.array([4, 5]), (2, 3)),
    np.unravel_index(4, (2, n)), np.ravel_multi_index((1, 2), (2, 3))
np.vander(i), np.vander(s, 2), np.vander(x[0], increasing=True), np.vander(i, 5)
np.mgrid[0:3], np.mgrid[0:2, 0:n], np.ogrid[0:2, 0:3], np.mgrid[0:1:5j], np.mgrid[-1:1:3j, 0:2],
    np.ogrid[0:n:0.5] if 0 else 1
np.r_[x[0], 0.0, i], np.r_[1:4, 5.0, x[1]], np.c_[x[0], x[1]], np.c_[x, [1.0, 2.0]], np.r_[x, x], x[np.s_[:, 1]],
    np.r_[p, 1, 2]
np.pad(x, 1), np.pad(x, ((1, 0), (0, 2)), constant_values=p), np.pad(x, 1, mode='edge'), np.pad(x, 2, mode='reflect'),
    np.pad(i, 4, mode='reflect'), np.pad(x, (1, 2), mode='symmetric'), np.pad(i, 7, 'wrap'), np.pad(i, 7, 'symmetric')
np.pad(x, 1, mode='maximum'), np.pad(x, 1, mode='mean'), np.pad(x, 2, mode='linear_ramp', end_values=5.0),
    np.pad(x, 1, 'median'), np.pad(x, 1, 'minimum'), np.pad(i, 2, constant_values=(7, 9)),
    np.pad(x, ((1, 1), (2, 2)), constant_values=((1, 2), (3, 4.0)))
np.rot90(x), np.rot90(x, 2), np.rot90(x, -1), np.rot90(c, 1, (0, 2)), np.rollaxis(c, 2), np.rollaxis(c, 0, 3),
    np.rollaxis(c, 1, -1), np.matrix_transpose(c)
np.hsplit(x, 3), np.vsplit(x, 2), np.dsplit(c, [1, 2]), np.unstack(x), np.unstack(x, axis=1), np.hsplit(i, 3)
np.block([[x, x], [x * 2, x]]), np.block([i, i]),
    np.block([[np.eye(2), np.zeros((2, 3))], [np.ones((1, 2)), np.full((1, 3), p)]]), np.diagflat(x), np.diagflat(i, 1),
    np.block(x)
np.interp(p, [0.0, 1.0], [2.0, 5.0]), np.interp(x, np.array([0.0, 1.0, 2.5]), np.array([1.0, -1.0, 4.0])),
    np.interp(x, i[:1] * 0.0, i[:1], left=-1), np.interp(x, np.array([0.0, 1.0]), np.array([1.0, 3]), right=p),
    np.interp(s, [0, 1], [0, 2])
np.convolve(x[0], i), np.convolve(i, x[0], 'same'), np.convolve(x[0], [1.0, 2.0], 'valid'), np.convolve([1, 2], i),
    np.convolve([1.0, 2.0], x[0], 'same'), np.convolve(s, s)
np.correlate(x[0], i), np.correlate(x[0], i, 'full'), np.correlate(x[0], [1.0, 2.0], 'same'),
    np.correlate([1.0, 2.0], x[0], 'same'), np.correlate([1, 2], i, 'full'), np.correlate([1.0, 2.0], x[0])
np.gradient(x), np.gradient(x[0]), np.gradient(x, 2.0, axis=1), np.gradient(x[0], i * 1.0 + np.array([0, 5, 9])),
    np.gradient(c, axis=(1, 2), edge_order=2), np.gradient(i), np.gradient(c, 1.0, 2.0, p),
    np.gradient(c[0, 0], c[0, 1], edge_order=2), np.gradient(s)
np.cov(x), np.cov(x, rowvar=False), np.cov(x[0], x[1]), np.cov(x[0]), np.cov(x, bias=True), np.cov(x, ddof=0),
    np.corrcoef(x), np.corrcoef(x[0], x[1]), np.cov(s)
np.broadcast_arrays(x, i), np.broadcast_shapes((2, 1), (3,)), np.fromiter([1.0, p], float)"""

x = x + np.array([0.01, 0.02, 0.03])
GRIDS_DERIVATIVES = [(dict(x=x),
                      "np.pad(x, 2, mode='reflect') * np.pad(x, 2, mode='wrap') + np.pad(x, 2) + np.pad(x, 2, "
                      "mode='linear_ramp') + np.pad(x, 2, 'symmetric') * np.pad(x, 2, 'mean') * np.pad(x, 2, 'edge')"),
    (dict(x=x), "np.sum(np.rot90(x) ** 3) + np.convolve(x[0], x[1]) + np.sum(np.correlate(x[0], x[1], 'full') ** 2) "
                "+ np.sum(np.gradient(x)[0] ** 2) + np.interp(x[0, 0], x[0] * 0 + np.array([0.0, 1.0, 2.0]), x[1])"),
    (dict(x=x), "np.cov(x) * np.corrcoef(x) + np.sum(np.vander(x[0]) ** 2) + np.sum(np.r_[x[0], 0.0, x[1]] ** 2) "
                "+ np.sum(np.block([[x, x], [x * 2, x]]) ** 2) + np.sum(np.logspace(x[0, 0], 1.0, 3)) "
                "+ np.sum(np.geomspace(x[0, 0], 2.0, 3))")]

x = np.array([[0.5, 0.0, 2.0], [-1.5, 3.0, 0.25]])
EINSUM = dict(x=x, i=np.array([3, -1, 2]), c=np.arange(24.0).reshape(2, 3, 4) ** 1.1,
              s=np.array([1.5, -2.25, 0.5], np.float32), p=0.3)
EINSUM_CALLS = """\
np.einsum('ij,kj->ik', x, x), np.einsum('ij->', x), np.einsum('ij->ji', x), np.einsum('ii', x[:, :2]),
    np.einsum('ii->i', x[:, :2]), np.einsum('i,i', i, i), np.einsum('ij,j', x, i), np.einsum('i,j->ij', i, s)
np.einsum('bij,bik->bjk', c, c), np.einsum('...i,...i->...', c, c), np.einsum('ij,jk,kl->il', x, x.T, x),
    np.einsum('ijk,ik,j->i', c, c[:, 0], x[0]), np.einsum('ij,ij->j', x, x), np.einsum('ijk->k', c),
    np.einsum('i,->i', i, p)
np.einsum('ij,jk', x, x)
np.einsum('ijk', x)
np.vecdot(x, x), np.vecdot(i, i), np.vecdot(x, x, axis=0), np.matvec(x, i), np.vecmat(x[:, 0], x),
    np.vecdot(c, x[:, :1, None] * 0 + c)
np.einsum_path('ij,jk->ik', x, x.T)[0]"""

EINSUM_DERIVATIVES = [(dict(x=x), "np.einsum('ij,kj->ik', x, x) * np.einsum('ij,ij,kj->ik', x, x, x) "
                                  "+ np.einsum('ij->', x ** 2) + np.vecdot(x, x)")]

x = np.array([[0.5, 0.0, 2.0], [-1.5, 3.0, 0.25]])
SETS = dict(x=x, i=np.array([3, 1, 2, 1]), s=np.array([1.5, -2.25, 0.5], np.float32), p=0.3)
SETS_CALLS = """\
np.isin(x, [0.0, 3.0]), np.isin(i, [1, 2], invert=True), np.isin(p, [0.3]), np.isin(x, []), np.isin(i, [1.0, 2.5])
np.union1d(i, [2, 7]), np.intersect1d(i, [1, 2, 9]), np.setdiff1d(i, [1]), np.setxor1d(i, [1, 9]), np.union1d(x, i),
    np.intersect1d(x, i)
np.bincount(i), np.bincount(i, minlength=6), np.bincount(i, weights=[1.0, 2.0, 0.5, 0.25]),
    np.bincount(i, np.array([1, 2, 3, 4]))
np.bincount(i - 2)
np.histogram(x, 4), np.histogram(x, [0.0, 1, 2]), np.histogram(x, 3, (0.0, 2.0)), np.histogram(x, 4, density=True),
    np.histogram(x, 4, weights=x ** 2), np.histogram(i, 3), np.histogram_bin_edges(x, 5), np.histogram(i * 0 + 1, 2),
    np.histogram(s, 2)
np.histogram(x, 0)
np.histogram2d(x[0], x[1], 2), np.histogram2d(x[0], x[1], [2, 3]), np.histogram2d(x[0], x[1], 3, [[0, 1], [0, 2]]),
    np.histogram2d(x[0], x[1], 2, density=True), np.histogram2d(x[0], x[1], [[0, 1.0, 2], [0.0, 3]])"""

SETS_DERIVATIVES = [
    (dict(x=x), "np.histogram(x, [-2.0, 0.0, 4], weights=x ** 2)[0] + np.bincount(np.array([0, 1, 1]), weights=x[0])")]

x = np.array([[0.5, 0.0, 2.0], [-1.5, 3.0, 0.25]])
POLYNOMIALS = dict(x=x, i=np.array([3, 1, 2, 1]), s=np.array([1.5, -2.25, 0.5], np.float32), p=0.3,
                   z=np.array([0.0, 1.0, 2.0]))
POLYNOMIALS_CALLS = """\
np.polyval(x[0], x), np.polyval(i, 2), np.polyval(s, p), np.polyval(i, i), np.polyval([1.0, 2.0], x)
np.polyadd(x[0], i), np.polysub([1.0, 2.0], i), np.polymul(x[0], i), np.polymul(z, i), np.polyder(i),
    np.polyder(x[0], 2), np.polyint(x[0]), np.polyint(i, 2), np.polyint(x[0], 1, 3.0), np.polyint(x[0], 2, [1.0, p])
np.polydiv(x[0], [1.0, 2.0]), np.polydiv([1.0, 2.0], i), np.poly([1.0, 2.0, p]), np.poly(i)
np.hanning(5), np.hamming(4), np.blackman(6), np.bartlett(5), np.hanning(1), np.hamming(0)"""

POLYNOMIALS_DERIVATIVES = [
    (dict(x=x), "np.polyval(x[0], x) * np.sum(np.polymul(x[0], x[1]) ** 2) + np.sum(np.polyint(x[0], 2) ** 2) + "
                "np.sum(np.polyder(x[1]) ** 2) + np.sum(np.poly(x[0]) ** 2) + np.sum(np.polydiv(x[0], x[1])[0] ** 2)")]

x = np.array([[0.5, 0.0, 2.0], [-1.5, 3.0, 0.25]])
FUNCTIONS = dict(x=x, i=np.array([3, 1, 2, 1]), s=np.array([1.5, -2.25, 0.5], np.float32), p=0.3,
                 u=np.array([[200, 3], [2, 9]], np.uint8))
FUNCTIONS_CALLS = """\
np.vectorize(lambda a, b: a * b if a > b else a)(x, 0.2), np.vectorize(lambda a: a + 1)(i),
    np.vectorize(lambda a: a * 2.0)(p)
np.apply_along_axis(np.sum, 0, x), np.apply_along_axis(lambda r: r[::-1] * 2, 1, x),
    np.apply_along_axis(lambda r: np.outer(r, r), 1, x), np.apply_along_axis(np.max, 0, i),
    np.apply_over_axes(np.sum, x, (0, 1))
np.packbits(u), np.unpackbits(u), np.packbits(x > 1, axis=1), np.unpackbits(u, axis=0),
    np.packbits(i, bitorder='little'), np.unpackbits(u, bitorder='little')
np.add.reduce(x), np.add.reduce(x, None), np.multiply.reduce(x, 1), np.maximum.reduce(x),
    np.minimum.reduce(x, axis=1, keepdims=True), np.add.reduce(i, initial=5),
    np.maximum.reduce(x, where=x > -9, initial=0)
np.add.accumulate(x), np.multiply.accumulate(x, 1), np.maximum.accumulate(x, axis=1), np.minimum.accumulate(i),
    np.maximum.accumulate(x)
np.add.outer(i, i), np.multiply.outer(x, i), np.subtract.outer(i, p), np.maximum.outer(i, s), np.power.outer(s, [1, 2])
np.promote_types('f4', 'i4') == np.float64, np.can_cast(np.float64, np.float32), np.iscomplexobj(x), np.isrealobj(x),
    np.iterable(x), np.iterable(3), np.isdtype(x.dtype, 'real floating'), np.astype(x, np.float32)"""

FUNCTIONS_DERIVATIVES = [(dict(x=x),
                          "np.maximum.accumulate(x, 1) * np.apply_along_axis(lambda r: r[::-1] * 2, 1, x) "
                          "+ np.vectorize(lambda a: a * a)(x) + np.add.reduce(x) + np.sum(np.multiply.outer(x, x))")]


def texts(calls: str) -> list[str]:
    """One a line; a line that is indented goes on with the one before."""
    return calls.replace("\n    ", " ").splitlines()


CHAPTERS = {"elementwise": (ELEMENTWISE, texts(ELEMENTWISE_CALLS)), "rounding": (ROUNDING, texts(ROUNDING_CALLS)),
            "products": (PRODUCTS, texts(PRODUCTS_CALLS)), "masked": (MASKED, texts(MASKED_CALLS)),
            "places": (PLACES, texts(PLACES_CALLS)), "grids": (GRIDS, texts(GRIDS_CALLS)),
            "einsum": (EINSUM, texts(EINSUM_CALLS)), "sets": (SETS, texts(SETS_CALLS)),
            "polynomials": (POLYNOMIALS, texts(POLYNOMIALS_CALLS)), "functions": (FUNCTIONS, texts(FUNCTIONS_CALLS))}
DERIVATIVES = {"elementwise": ELEMENTWISE_DERIVATIVES, "rounding": ROUNDING_DERIVATIVES,
               "products": PRODUCTS_DERIVATIVES, "masked": MASKED_DERIVATIVES, "places": PLACES_DERIVATIVES,
               "grids": GRIDS_DERIVATIVES, "einsum": EINSUM_DERIVATIVES, "sets": SETS_DERIVATIVES,
               "polynomials": POLYNOMIALS_DERIVATIVES, "functions": FUNCTIONS_DERIVATIVES}
