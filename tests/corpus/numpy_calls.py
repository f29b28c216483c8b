"""Those of public_calls.py that call NumPy, and the operands of all."""
import numpy as np

OPERANDS = {
    "x": np.array([[0.5, -0.7, 2.0], [-1.5, 3.0, 0.25]]),
    "u": np.array([[0.2, 0.71, 0.36], [0.85, 0.11, 0.53]]), "v": np.array([2.0, 0.3, -1.1]),
    "w": np.array([0.4, 1.7, 0.9]), "A": np.array([[2.1, 0.5, -0.3], [0.4, 1.3, -0.25], [0.2, -0.6, 3.0]]),
    "B": np.array([[0.7, -1.0], [0.2, 1.4], [-0.5, 0.6]]), "cube": np.sin(np.arange(24.0) * 1.7).reshape(2, 3, 4),
    "up": np.array([-1.0, 0.5, 0.8, 2.0]), "p": 2.5,
    "i": np.array([3, -1, 2]), "j": np.array([6, 4, 1]), "k": np.array([2, 0, 1]),
    "mask": np.array([[True, False, True], [False, True, True]]), "n": 2}

# ufuncs: the arguments that each is called with
ELEMENTWISE = {
    **dict.fromkeys("abs absolute acos acosh arccos arccosh arcsin arcsinh arctan arctanh asin asinh atan atanh cbrt "
                    "ceil conj conjugate cos cosh deg2rad degrees exp exp2 expm1 fabs floor isfinite isinf isnan log "
                    "log10 log1p log2 logical_not negative positive rad2deg radians reciprocal rint sign signbit sin "
                    "sinh spacing sqrt square tan tanh trunc".split(), "u"),
    **dict.fromkeys("arccosh acosh".split(), "u + 1.2"),
    **dict.fromkeys("bitwise_count bitwise_invert bitwise_not invert".split(), "j"),
    **dict.fromkeys("add arctan2 atan2 copysign divide equal float_power floor_divide fmax fmin fmod greater "
                    "greater_equal heaviside hypot less less_equal logaddexp logaddexp2 logical_and logical_or "
                    "logical_xor maximum minimum mod multiply nextafter not_equal pow power remainder subtract "
                    "true_divide".split(), "u, w"),
    **dict.fromkeys("bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor gcd lcm left_shift "
                    "right_shift".split(), "j, k"),
    "ldexp": "x, k"}
REDUCTIONS = {
    **dict.fromkeys("all any amax amin max mean min prod sum std var ptp count_nonzero nanmax nanmean nanmin nanprod "
                    "nanstd nansum nanvar median nanmedian argmax argmin nanargmax nanargmin".split(), "x")}
AXES = ("", ", axis=0", ", axis=(0, 1)", ", axis=-1, keepdims=True", ", 1")

ONE_BY_ONE = {
    "loadtxt": "np.loadtxt(['1.0 2.0', '3.0 4.0']) * p", "genfromtxt": "np.genfromtxt(['1.0 2.0', '3.0 4.0']) * p",
    "allclose": "np.allclose(x, x + 1e-9); np.allclose(x, u, rtol=10.0); np.allclose(x, v)",
    "append": "np.append(x, v); np.append(x, u, axis=0); np.append(v, 1.0)",
    "apply_along_axis": "np.apply_along_axis(np.sum, 0, x); np.apply_along_axis(lambda r: r * np.max(r), 1, x)",
    "apply_over_axes": "np.apply_over_axes(np.sum, cube, (0, 2))",
    "arange": "np.arange(4) * p; np.arange(0.0, 2.0, 0.5) + p; np.arange(len(v)) * v; np.arange(n)",
    "argpartition": "np.argpartition(v, 1)[1]; np.argpartition(x, 1, axis=1)[:, 1]; np.partition(x, 1, axis=1)[:, 1]",
    "argsort": "np.argsort(x); np.argsort(x, axis=0); np.argsort(x, axis=None); np.argsort(-x, kind='stable'); "
               "v.argsort()",
    "argwhere": "np.argwhere(x > 0)",
    "around": "np.around(x); np.around(x, 1); np.round(x, 2); x.round(1); np.round(p)",
    "round": "np.round(x, decimals=1)",
    "array": "np.array(x); np.array([p, 2.0]); np.array([[p, 1], [v[0], 2]]); np.array(x, dtype=np.float32); "
             "np.array(v, ndmin=2); np.array(i, dtype=float); np.array(x, copy=None); np.array(v, copy=False)",
    "array_equal": "np.array_equal(x, x); np.array_equal(x, v)",
    "array_equiv": "np.array_equiv(x, x); np.array_equiv(v, x)",
    "array_split": "np.array_split(up, 3); np.array_split(x, 2, axis=1); np.array_split(cube, [1, 2], -1)",
    "asarray": "np.asarray(x); np.asarray([p, 1.0]); np.asarray(x, dtype=np.float32); np.asarray(i, float); "
               "np.asarray(p)",
    "asanyarray": "np.asanyarray(x); np.asanyarray([p, 1.0]); np.asanyarray(i, dtype=float); np.asanyarray(p)",
    "asfortranarray": "np.asfortranarray(x); np.asfortranarray(v, dtype=np.float32); np.asfortranarray(p)",
    "row_stack": "np.row_stack([v, w]); np.row_stack((x, u))",
    "real_if_close": "np.real_if_close(x + 0j); np.real_if_close(v); np.real_if_close(v + 1e-15j)",
    "astype": "np.astype(x, np.float32); x.astype(np.float32); x.astype(int); i.astype(float) * p; x.astype('f4'); "
              "x.astype(bool)",
    "atleast_1d": "np.atleast_1d(p); np.atleast_1d(x, p)", "atleast_2d": "np.atleast_2d(v); np.atleast_2d(p)",
    "atleast_3d": "np.atleast_3d(v); np.atleast_3d(x); np.atleast_3d(p)",
    "average": "np.average(x); np.average(x, axis=0); np.average(x, axis=1, weights=w); np.average(x, weights=u); "
               "np.average(x, axis=0, weights=u, returned=True); np.average(x, axis=1, keepdims=True)",
    "bartlett": "np.bartlett(5)[1:4] * v",
    "blackman": "np.blackman(5)[1:4] * v", "hamming": "np.hamming(3) * v", "hanning": "np.hanning(5)[1:4] * v",
    "kaiser": "np.kaiser(3, 8.6) * v; np.kaiser(5, p)", "i0": "np.i0(x); np.i0(p); np.i0(v * 10)",
    "bincount": "np.bincount(k); np.bincount(k, v); np.bincount(k, weights=w, minlength=5)",
    "block": "np.block([x, u]); np.block([[x, u], [u, x]]); "
             "np.block([[A, B], [np.zeros((2, 3)), np.eye(2)]]); np.block([v, p])",
    "bool": "x.astype(np.bool)", "bool_": "x.astype(np.bool_); np.bool_(p)",
    "broadcast_arrays": "np.broadcast_arrays(x, v); np.broadcast_arrays(x, p)",
    "broadcast_shapes": "np.broadcast_shapes((2, 3), (3,)); np.broadcast_shapes(x.shape, v.shape)",
    "broadcast_to": "np.broadcast_to(v, (2, 3)); np.broadcast_to(x, (4, 2, 3)); np.broadcast_to(p, 3); "
                    "np.broadcast_to(v, x.shape)",
    "c_": "np.c_[v, w]; np.c_[x, u]", "r_": "np.r_[v, 0.5, 1:3]; np.r_[x, u]; np.r_[0.0, v, p]; np.r_[0:1:3j]",
    "can_cast": "np.can_cast(np.float32, np.float64); np.can_cast(x.dtype, int)",
    "character": "np.issubdtype(x.dtype, np.character)",
    "choose": "np.choose(k, [v, w, v * w]); np.choose(mask, [x, u]); np.choose([0, 1, 0], [v, w]); "
              "np.choose(i, [v, w, v], mode='clip'); np.choose(i, (v, w), mode='wrap')",
    "clip": "np.clip(x, 0.0, 1.1); np.clip(x, v, None); x.clip(0.1); np.clip(x, a_min=-1.1, a_max=u); "
            "np.clip(x, min=0.1, max=p); np.clip(x, None, 1.1)",
    "column_stack": "np.column_stack((v, w)); np.column_stack([x, u]); np.column_stack((x.T, v))",
    "complexfloating": "np.issubdtype(x.dtype, np.complexfloating)",
    "compress": "np.compress([True, False, True], v); np.compress(v > 0, x, axis=1); np.compress([0, 1], x, 0); "
                "np.compress(mask.ravel(), x)",
    "concat": "np.concat([x, u])",
    "concatenate": "np.concatenate([x, u]); np.concatenate((x, u), axis=1); "
                   "np.concatenate([v, w, [p]]); np.concatenate([x, i[None]]); np.concatenate((x, u), axis=None); "
                   "np.concatenate([v, w], dtype=np.float32)",
    "convolve": "np.convolve(v, w); np.convolve(up, v, mode='same'); np.convolve(up, v, 'valid'); "
                "np.convolve(v, up, 'same')",
    "correlate": "np.correlate(v, w); np.correlate(up, v, mode='same'); np.correlate(up, v, 'full'); "
                 "np.correlate(v, up, 'full')",
    "copy": "np.copy(x); x.copy(); np.copy(p)",
    "copyto": "np.copyto(x, v); np.copyto(x, u, where=mask); np.copyto(x, p); np.copyto(x[0], v)",
    "putmask": "np.putmask(x, mask, u); np.putmask(x, x > 0, -x); np.putmask(x, mask, [1.5, 2.5])",
    "corrcoef": "np.corrcoef(x); np.corrcoef(v, w); np.corrcoef(A, rowvar=False); np.corrcoef(v)",
    "cov": "np.cov(x); np.cov(v, w); np.cov(A, rowvar=False); np.cov(x, bias=True); np.cov(x, ddof=0); np.cov(v); "
           "np.cov(A, aweights=w); np.cov(A, fweights=j)",
    "cross": "np.cross(v, w); np.cross(x, v); np.cross(A, A.T * 2, axis=0); np.cross(x, u)",
    "cumprod": "np.cumprod(x); np.cumprod(x, axis=0); x.cumprod(1); np.cumprod(i); np.cumprod(x, dtype=np.float32)",
    "cumsum": "np.cumsum(x); np.cumsum(x, axis=0); x.cumsum(1); np.cumsum(i); np.cumsum(mask, 1); "
              "np.cumsum(x, dtype=np.float32); np.cumsum(x, axis=1, out=np.zeros((2, 3)))",
    "cumulative_prod": "np.cumulative_prod(v); np.cumulative_prod(x, axis=1, include_initial=True)",
    "cumulative_sum": "np.cumulative_sum(v); np.cumulative_sum(x, axis=0, include_initial=True)",
    "nancumprod": "np.nancumprod(x); np.nancumprod(x, axis=1); np.nancumprod(np.where(mask, x, np.nan), 0)",
    "nancumsum": "np.nancumsum(x); np.nancumsum(x, axis=0); np.nancumsum(np.where(mask, x, np.nan), 1)",
    "delete": "np.delete(x, 1); np.delete(x, 1, axis=1); np.delete(v, [0, 2]); np.delete(up, slice(1, 3)); "
              "np.delete(v, -1); np.delete(x, [0], 0)",
    "diag": "np.diag(v); np.diag(A); np.diag(A, 1); np.diag(x, -1); np.diag(v, k=1); np.diag(v, -2)",
    "diag_indices": "A[np.diag_indices(3)]; np.diag_indices(2)",
    "diag_indices_from": "np.diag_indices_from(A); A[np.diag_indices_from(A)]",
    "diagflat": "np.diagflat(x); np.diagflat(v, 1)",
    "diagonal": "np.diagonal(A); np.diagonal(x, 1); A.diagonal(-1); np.diagonal(cube, 0, 1, 2); "
                "np.diagonal(cube, axis1=0, axis2=2)",
    "diff": "np.diff(v); np.diff(x, axis=0); np.diff(x, n=2); np.diff(v, prepend=0.0); np.diff(x, append=x[:, :1]); "
            "np.diff(x, 1, 1)",
    "digitize": "np.digitize(x, up); np.digitize(x, up, right=True); np.digitize(p, up); np.digitize(x, up[::-1])",
    "divmod": "np.divmod(x, v); divmod(x, 2.0); np.divmod(i, 2)",
    "dot": "np.dot(x, v); np.dot(v, w); np.dot(x, A); v.dot(w); np.dot(cube[0], up); np.dot(p, x); np.dot(A, cube)",
    "double": "np.double(p) * v", "dsplit": "np.dsplit(cube, 2); np.dsplit(cube, [1])",
    "dstack": "np.dstack([x, u]); np.dstack((v, w))", "dtype": "x.astype(np.dtype('f4')); np.dtype(float) == x.dtype",
    "e": "x * np.e", "ediff1d": "np.ediff1d(x); np.ediff1d(v, to_end=p, to_begin=[1.0, 2.0])",
    "einsum": "np.einsum('ij->ji', x); np.einsum('ij,j', x, v); np.einsum('ij,jk->ik', x, A); np.einsum('ii', A); "
              "np.einsum('ij,ij->', x, u); np.einsum('i,j->ij', v, w); np.einsum('...i,i->...', cube, up); "
              "np.einsum('ij,jk,kl->il', x, A, B); np.einsum('ijk,ijk->k', cube, cube); "
              "np.einsum('ij,jk,kl', x, A, B, optimize=True); np.einsum(x, [0, 1], v, [1], [0]); "
              "np.einsum('ii->i', A); np.einsum('bij,bjk->bik', cube, np.swapaxes(cube, 1, 2)); np.einsum('i->', v)",
    "einsum_path": "np.einsum_path('ij,jk,kl->il', x, A, B)[0]", "empty": "np.empty((0, 2)); np.empty(3).shape",
    "empty_like": "np.empty_like(x).shape; np.empty_like(i).dtype == i.dtype", "euler_gamma": "x * np.euler_gamma",
    "expand_dims": "np.expand_dims(x, 0); np.expand_dims(v, (0, 2)); np.expand_dims(x, axis=-1); np.expand_dims(p, 0)",
    "extract": "np.extract(mask, x); np.extract(x > 0, x)",
    "eye": "np.eye(3) * p; np.eye(2, 3) * x; np.eye(3, k=1) @ v; np.eye(len(v)) @ v; np.eye(2, dtype=int)",
    "fill_diagonal": "np.fill_diagonal(A, p); np.fill_diagonal(A, v); np.fill_diagonal(x, 1.0)",
    "finfo": "np.finfo(x.dtype).eps; np.finfo(float).max; np.finfo(np.float32).tiny", "fix": "np.fix(x * 1.7)",
    "flatnonzero": "np.flatnonzero(x > 0); np.flatnonzero(i)", "flexible": "np.issubdtype(x.dtype, np.flexible)",
    "flip": "np.flip(x); np.flip(x, 0); np.flip(cube, (0, 2)); np.flip(v)",
    "fliplr": "np.fliplr(x)", "flipud": "np.flipud(x); np.flipud(v)", "float16": "x.astype(np.float16); np.float16(p)",
    "half": "x.astype(np.half)", "errstate": "w if np.errstate(all='ignore') else v",
    "float32": "x.astype(np.float32); np.float32(p) * v", "float64": "x.astype(np.float64); np.float64(p) * v",
    "floating": "np.issubdtype(x.dtype, np.floating); isinstance(x[0, 0], np.floating)",
    "frexp": "np.frexp(x); np.frexp(p)",
    "fromfunction":
        "np.fromfunction(lambda a, b: a + b, (2, 3)) * x; np.fromfunction(lambda a: a ** 2, (3,), dtype=float)",
    "fromiter": "np.fromiter([1.0, p], float); np.fromiter((t * 2 for t in [1.0, 2.0]), float)",
    "full": "np.full(3, p); np.full((2, 3), 1.5) * x; np.full((2, 3), v); np.full(2, 7); np.full(x.shape, p); "
            "np.full(2, p, dtype=np.float32)",
    "full_like": "np.full_like(x, p); np.full_like(i, 2); np.full_like(x, v)",
    "generic": "isinstance(x[0, 0], np.generic)",
    "geomspace": "np.geomspace(1.0, p, 4); np.geomspace(w, w * 4, 3); np.geomspace(1, 1000, 4)",
    "gradient": "np.gradient(v); np.gradient(x); np.gradient(x, axis=0); np.gradient(up, 0.5); np.gradient(x, v, "
                "axis=1); np.gradient(A, edge_order=2); np.gradient(up, up * 2.0); np.gradient(A, 0.5, 2.0)",
    "histogram": "np.histogram(x); np.histogram(x, bins=3); np.histogram(x, up); np.histogram(v, bins=4, "
                 "range=(0.0, 3.0)); np.histogram(x, 3, weights=u); np.histogram(x, bins=3, density=True)",
    "histogram2d":
        "np.histogram2d(v, w); np.histogram2d(v, w, bins=3); np.histogram2d(v, w, bins=[2, 3], range=[[0, 3], [0, 2]])",
    "histogramdd": "np.histogramdd(B, bins=3)[1]; np.histogramdd((v, w), bins=(2, 3)); "
                   "np.histogramdd(A, bins=2, range=[(-1, 4)] * 3)",
    "histogram_bin_edges": "np.histogram_bin_edges(x); np.histogram_bin_edges(x, 4, (0.0, 1.0))",
    "hsplit": "np.hsplit(x, 3); np.hsplit(cube, [1, 2]); np.hsplit(v, 3)",
    "hstack": "np.hstack([x, u]); np.hstack((v, w)); np.hstack([p, v])",
    "identity": "np.identity(3) @ v; np.identity(2, dtype=np.float32)",
    "iinfo": "np.iinfo(np.int8).max; np.iinfo(i.dtype).min", "imag": "np.imag(x); (x * 1j).imag; np.imag(x + 2j * u)",
    "real": "np.real(x); (x * 1j).real; np.real(x * (1 + 2j)); x.real",
    "index_exp": "x[np.index_exp[1]]; x[np.index_exp[:, 1:]]", "s_": "x[np.s_[:, 1]]; x[np.s_[1, ::2]]",
    "indices": "np.indices((2, 3)) * x; np.indices((2,), dtype=float); np.indices((2, 3), sparse=True)[0] * x",
    "inexact": "np.issubdtype(x.dtype, np.inexact)",
    "inf": "np.where(x > 0, x, np.inf)", "inner": "np.inner(x, v); np.inner(v, w); np.inner(x, u); np.inner(p, v)",
    "insert": "np.insert(x, 1, p); np.insert(v, 1, 2.0); np.insert(x, 1, v[:2], axis=1); np.insert(v, [0, 2], p); "
              "np.insert(x, 0, v, 0); np.insert(v, [1, 2], [p, 3.0])",
    "int8": "i.astype(np.int8); np.int8(n)", "int16": "i.astype(np.int16)",
    "int32": "x.astype(np.int32); np.int32(n) * x", "int64": "x.astype(np.int64)",
    "int_": "x.astype(np.int_)", "integer": "np.issubdtype(i.dtype, np.integer); isinstance(i[0], np.integer)",
    "uint": "np.abs(i).astype(np.uint)", "uint8": "j.astype(np.uint8)",
    "uint16": "j.astype(np.uint16)", "uint32": "j.astype(np.uint32)", "uint64": "j.astype(np.uint64)",
    "interp": "np.interp(x * 0.8 + 0.07, up, up ** 2); np.interp(p, [0.0, 1.0, 3.0], v); np.interp(x * 0.8 "
              "+ 0.07, up, up, left=p, right=0.0); np.interp(x * 0.8 + 0.07, up, up ** 2, period=6.0)",
    "intersect1d": "np.intersect1d(i, j); np.intersect1d(x, v)", "union1d": "np.union1d(x, v); np.union1d(i, j)",
    "setdiff1d": "np.setdiff1d(x, v); np.setdiff1d(i, j)", "setxor1d": "np.setxor1d(i, j); np.setxor1d(x, v)",
    "isin": "np.isin(x, v); np.isin(i, [2, 3]); np.isin(i, j, invert=True)",
    "isclose": "np.isclose(x, u); np.isclose(x, x + 1e-9); np.isclose(x, v, rtol=0.5, atol=p)",
    "iscomplex": "np.iscomplex(x); np.iscomplex(x * 1j)", "iscomplexobj": "np.iscomplexobj(x)",
    "isreal": "np.isreal(x); np.isreal(x * 1j)", "isrealobj": "np.isrealobj(x)",
    "isdtype": "np.isdtype(x.dtype, 'real floating')", "isneginf": "np.isneginf(x); np.isneginf(-1 / (x * 0))",
    "isposinf": "np.isposinf(x)", "isscalar": "np.isscalar(p); np.isscalar(x)",
    "issubdtype": "np.issubdtype(x.dtype, np.floating)", "iterable": "np.iterable(x); np.iterable(p)",
    "ix_": "A[np.ix_([0, 2], [1, 2])]; np.ix_([0, 1], [True, False, True]); A[np.ix_(k, k)]",
    "kron": "np.kron(x, v); np.kron(x, A); np.kron(v, w); np.kron(p, v)",
    "lexsort": "np.lexsort((v, w)); np.lexsort(x)",
    "linspace": "np.linspace(0.0, p, 5); np.linspace(v, w, 3); np.linspace(0, 1, 4, endpoint=False) * p; "
                "np.linspace(p, 3.0, 3, retstep=True); np.linspace(x, u, 3, axis=1); np.linspace(0, 1, n)",
    "logspace": "np.logspace(0, p, 4); np.logspace(v, w, 3); np.logspace(0, 2, 3, base=p)",
    "mask_indices": "np.mask_indices(3, np.triu); A[np.mask_indices(3, np.tril, -1)]",
    "matmul": "np.matmul(x, v); np.matmul(x, A); np.matmul(cube, up); np.matmul(A, cube); x @ A; np.matmul(v, w); "
              "np.matmul(v, A); np.matmul(cube, np.swapaxes(cube, 1, 2))",
    "matrix_transpose": "np.matrix_transpose(x); np.matrix_transpose(cube); x.mT",
    "matvec": "np.matvec(x, v); np.matvec(cube, up)", "vecmat": "np.vecmat(v, A); np.vecmat(x, A)",
    "vecdot": "np.vecdot(x, v); np.vecdot(x, u); np.vecdot(x, u, axis=0)", "vdot": "np.vdot(x, u); np.vdot(v, w)",
    "meshgrid": "np.meshgrid(v, up); np.meshgrid(v, up, indexing='ij'); np.meshgrid(v, w, up, sparse=True)",
    "mgrid": "np.mgrid[0:2, 0:3] * x; np.mgrid[0:1:3j] * v; np.mgrid[-1:1:2j, 0:3]",
    "ogrid": "np.ogrid[0:2, 0:3]; np.ogrid[0:1:3j] * v", "modf": "np.modf(x); np.modf(p)",
    "moveaxis": "np.moveaxis(x, 0, 1); np.moveaxis(cube, -1, 0); np.moveaxis(cube, (0, 1), (1, 2))",
    "nan": "np.where(x > 0, x, np.nan)",
    "nan_to_num": "np.nan_to_num(x); np.nan_to_num(np.log(x - 9)); np.nan_to_num(x / 0, posinf=p, neginf=0.0); "
                  "np.nan_to_num(p); np.nan_to_num(np.where(mask, x, np.nan), nan=1.5)",
    "nanpercentile": "np.nanpercentile(x, 30); np.nanpercentile(x, [10, 50], axis=1); "
                     "np.nanpercentile(np.where(mask, x, np.nan), 40)",
    "nanquantile": "np.nanquantile(x, 0.3); np.nanquantile(np.where(mask, x, np.nan), 0.4, axis=1)",
    "percentile": "np.percentile(x, 30); np.percentile(x, [25, 75]); np.percentile(x, 40, axis=0); "
                  "np.percentile(x, 40, axis=1, keepdims=True); np.percentile(x, 30, method='lower')",
    "quantile": "np.quantile(x, 0.3); np.quantile(x, [0.1, 0.5], axis=1); np.quantile(x, u[0], axis=1); "
                "np.quantile(x, 0.3, (0, 1)); np.quantile(x, 0.3, weights=None)",
    "ndarray": "isinstance(x, np.ndarray)",
    "ndim": "np.ndim(x); np.ndim(p); x.ndim", "newaxis": "x[np.newaxis]; x[:, np.newaxis, :]",
    "nonzero": "np.nonzero(x > 0); x[np.nonzero(mask)]; i.nonzero()", "number": "isinstance(x[0, 0], np.number)",
    "ones": "np.ones(3) * v; np.ones((2, 3)) * p; np.ones(2, dtype=int); np.ones(x.shape)",
    "ones_like": "np.ones_like(x) * p; np.ones_like(i)",
    "zeros": "np.zeros(3) + v; np.zeros((2, 3), dtype=np.float32); np.zeros(x.shape); np.zeros(n)",
    "zeros_like": "np.zeros_like(x) + p; np.zeros_like(i); np.zeros_like(x, dtype=int); np.zeros_like(x, shape=(2,))",
    "outer": "np.outer(v, w); np.outer(x, v); np.add.outer(v, w); np.multiply.outer(x, v); np.subtract.outer(v, w)",
    "packbits": "np.packbits(mask); np.packbits(mask, axis=1)",
    "unpackbits": "np.unpackbits(j.astype(np.uint8)); np.unpackbits(j.astype(np.uint8), count=5)",
    "pad": "np.pad(v, 1); np.pad(x, 1); np.pad(v, (1, 2)); np.pad(x, ((0, 1), (2, 0))); "
           "np.pad(v, 1, constant_values=p); np.pad(v, 2, constant_values=(1.0, p)); np.pad(v, 2, 'edge'); "
           "np.pad(v, 2, 'reflect'); np.pad(v, 2, 'symmetric'); np.pad(v, 4, 'wrap'); np.pad(x, 1, mode='reflect'); "
           "np.pad(v, 2, 'linear_ramp'); np.pad(v, 2, 'linear_ramp', end_values=p); np.pad(v, 2, 'maximum'); "
           "np.pad(v, 2, 'mean'); np.pad(v, 2, 'median'); np.pad(v, 2, 'minimum')",
    "partition": "np.partition(v, 1)[1]; np.partition(x, 1)[:, 1]; np.partition(x, (0, 1), axis=1)[:, :2]",
    "permute_dims": "np.permute_dims(x); np.permute_dims(cube, (2, 0, 1))", "pi": "x * np.pi",
    "piecewise": "np.piecewise(x, [x > 1, x < 0], [lambda t: t ** 2, lambda t: -t, 0.5]); "
                 "np.piecewise(v, [v > 0], [1.0, 2.0]); np.piecewise(v, [v.astype(int)], [lambda t: t * 2, 7.0]); "
                 "np.piecewise(x, [x > 0], [lambda t, c: t * c, 0.0], p)",
    "place": "np.place(x, x > 0, [1.0, 2.0]); np.place(x, mask, v)",
    "put": "np.put(x, 0, p); np.put(x, [0, 4], [p, 2.0]); np.put(v, k, w); np.put(v, i, w, mode='wrap'); x.put(0, p)",
    "put_along_axis": "np.put_along_axis(x, np.array([[0], [1]]), p, 1); "
                      "np.put_along_axis(x, np.argmax(x, axis=1)[:, None], 0.5, axis=1)",
    "poly": "np.poly(v); np.poly([1.0, 2.0]); np.poly(A)", "polyadd": "np.polyadd(v, up); np.polyadd(v, 1)",
    "polyder": "np.polyder(v); np.polyder(up, 2)", "polydiv": "np.polydiv(up, w); np.polydiv(v, [1.0, 2.0])",
    "polyfit": "np.polyfit(up, up ** 3, 2); np.polyfit(w, v, 1); np.polyfit(w, A, 1); "
               "np.polyfit(up, np.sin(up), 2, w=up ** 2 + 1)",
    "polyint": "np.polyint(v); np.polyint(v, 2); np.polyint(v, k=p)", "polymul": "np.polymul(v, w)",
    "polysub": "np.polysub(v, up)", "polyval": "np.polyval(v, x); np.polyval(v, p); np.polyval([1.0, 2.0], v)",
    "roots": "np.roots(w + 0j); np.roots(np.array([1.0, p, 7.0], complex)); np.abs(np.roots(up * (1 + 1j))); "
             "np.abs(np.roots(v + 2.5))",
    "promote_types": "np.promote_types(np.float32, np.float64) == x.dtype; np.promote_types('i4', 'f4') == x.dtype",
    "result_type": "np.result_type(x) == x.dtype; np.result_type(x, i); np.result_type(np.float32, 1.0)",
    "ravel": "np.ravel(x); x.ravel(); np.ravel(x, order='F'); x.flatten(); x.ravel('F'); np.ravel(p)",
    "ravel_multi_index": "np.ravel_multi_index((k, k), (3, 4)); np.ravel_multi_index((1, 2), x.shape); "
                         "np.ravel_multi_index((i, i), (3, 3), mode='wrap')",
    "repeat": "np.repeat(x, 2); np.repeat(v, [1, 0, 2]); np.repeat(x, 2, axis=1); x.repeat(3, 0); np.repeat(v, j); "
              "np.repeat(p, 3)",
    "reshape": "np.reshape(x, (3, 2)); x.reshape(-1); x.reshape(3, 2); np.reshape(cube, (6, -1)); "
               "x.reshape((3, 2), order='F'); x.reshape(2, 1, 3); x.reshape(-1, 1)",
    "resize": "np.resize(x, (2, 2)); np.resize(v, 7); np.resize(x, (3, 4))",
    "roll": "np.roll(x, 1); np.roll(x, 1, axis=0); np.roll(cube, (1, 2), axis=(0, 2)); np.roll(v, -2); np.roll(v, n)",
    "rollaxis": "np.rollaxis(cube, 2); np.rollaxis(cube, 0, 3)",
    "rot90": "np.rot90(x); np.rot90(x, 2); np.rot90(cube, -1, (1, 2))",
    "searchsorted": "np.searchsorted(up, 0.6); np.searchsorted(up, x); np.searchsorted(up, v, side='right'); "
                    "up.searchsorted(p); np.searchsorted(v, w, sorter=np.argsort(v))",
    "select": "np.select([x > 1, x < 0], [x, 2 * x]); np.select([mask], [x], p); "
              "np.select([v > 1, v > 0], [v, w], default=-1.0); np.select([x > 1, x > 0], [1.0, v])",
    "shape": "np.shape(x); x.shape; np.shape([[p, 1.0]])",
    "size": "np.size(x); np.size(x, 1); x.size", "sinc": "np.sinc(x); np.sinc(p)", "single": "np.single(p) * v",
    "sort": "np.sort(x); np.sort(x, axis=0); np.sort(x, axis=None); np.sort(v)[::-1]; np.sort(x, kind='stable')",
    "sort_complex": "np.sort_complex(x); np.sort_complex(v + 1j * w)",
    "split": "np.split(x, 2); np.split(up, [1, 3]); np.split(x, 3, axis=1)",
    "vsplit": "np.vsplit(x, 2); np.vsplit(A, [1])",
    "squeeze": "np.squeeze(x[None]); x[:, None].squeeze(1); np.squeeze(v[None, :, None], axis=(0, 2))",
    "stack": "np.stack([x, u]); np.stack((v, w), axis=1); np.stack([p, 1.0]); np.stack([x, u], -1)",
    "vstack": "np.vstack([x, v]); np.vstack((v, w)); np.vstack([p, 2.0])",
    "swapaxes": "np.swapaxes(x, 0, 1); cube.swapaxes(0, -1)",
    "take": "np.take(x, 1); np.take(x, [0, 2], axis=1); np.take(v, k); x.take([1, 0], 0); np.take(v, i, mode='wrap'); "
            "np.take(v, i, mode='clip'); np.take(v, [[0, 1], [2, 0]])",
    "take_along_axis": "np.take_along_axis(x, np.argsort(x, 1), 1); np.take_along_axis(x, np.argsort(x, axis=0), "
                       "axis=0); np.take_along_axis(x, np.array([[0], [2]]), 1); np.take_along_axis(v, k, 0)",
    "tensordot": "np.tensordot(x, A, 1); np.tensordot(x, u); np.tensordot(cube, x, axes=([0, 1], [0, 1])); "
                 "np.tensordot(v, w, 0); np.tensordot(x, A, axes=(1, 0))",
    "tile": "np.tile(x, 2); np.tile(v, (2, 1)); np.tile(x, (1, 2, 1)); np.tile(p, 3)",
    "trace": "np.trace(A); np.trace(x, 1); A.trace(); np.trace(cube, axis1=1, axis2=2)",
    "transpose": "np.transpose(x); x.T; np.transpose(cube, (1, 0, 2)); cube.transpose(2, 0, 1); x.transpose()",
    "trapezoid": "np.trapezoid(v); np.trapezoid(x, axis=0); np.trapezoid(up, dx=0.5); np.trapezoid(x, v)",
    "tri": "np.tri(3) * A; np.tri(2, 3, 1)", "tril": "np.tril(A); np.tril(x, 1); np.tril(cube); np.tril(A, -1)",
    "triu": "np.triu(A); np.triu(x, -1); np.triu(A, k=1)",
    "tril_indices": "np.tril_indices(3); A[np.tril_indices(3, -1)]; np.tril_indices(2, 0, 3)",
    "tril_indices_from": "np.tril_indices_from(A); A[np.tril_indices_from(A, -1)]",
    "triu_indices": "np.triu_indices(3); A[np.triu_indices(3, 1)]",
    "triu_indices_from": "np.triu_indices_from(A); A[np.triu_indices_from(A, 1)]",
    "trim_zeros": "np.trim_zeros(v); np.trim_zeros(k); np.trim_zeros(np.array([0, 1, 2, 0]), 'f')",
    "ufunc": "isinstance(np.sin, np.ufunc)",
    "unique": "np.unique(x); np.unique(i); np.unique(k, return_counts=True); np.unique(x, return_inverse=True); "
              "np.unique(k, return_index=True); np.unique([3, 1, 3])",
    "unique_all": "np.unique_all(k); np.unique_all(x)",
    "unique_counts": "np.unique_counts(k)", "unique_inverse": "np.unique_inverse(k)",
    "unravel_index":
        "np.unravel_index(4, (2, 3)); np.unravel_index(k, x.shape); np.unravel_index(np.argmax(x), x.shape)",
    "unsignedinteger": "np.issubdtype(x.dtype, np.unsignedinteger)",
    "signedinteger": "np.issubdtype(i.dtype, np.signedinteger)", "unstack": "np.unstack(x); np.unstack(x, axis=1)",
    "unwrap": "np.unwrap(x * 3); np.unwrap(v * 4, period=3.0); np.unwrap(x * 5, axis=0); np.unwrap(v * 7, discont=4.0)",
    "vander": "np.vander(v); np.vander(v, 2); np.vander(v, increasing=True)",
    "vectorize": "np.vectorize(lambda a, b: a * b if a > b else b)(x, v)",
    "where": "np.where(x > 0, x, u); np.where(mask, p, x); np.where(mask)[0]; np.where(x > 0, 1.0, 0.0); "
             "np.where(v > 0, x, v); np.where(mask, x, 0)",
    "angle": "np.angle(x * 1j + 0.5); np.angle(x + 1j * u, deg=True); np.angle(x)",
    **{name: f"np.{name}(p) * x" for name in ("cdouble", "complex128", "complex64", "csingle")},
    # what jax.numpy has not
    "ascontiguousarray": "np.ascontiguousarray(x.T)",

    "byte": "i.astype(np.byte)", "ubyte": "j.astype(np.ubyte)",
    "short": "i.astype(np.short)", "ushort": "j.astype(np.ushort)", "intc": "i.astype(np.intc)",
    "uintc": "j.astype(np.uintc)", "intp": "i.astype(np.intp)", "uintp": "j.astype(np.uintp)",
    "long": "i.astype(np.long)", "ulong": "j.astype(np.ulong)", "longlong": "i.astype(np.longlong)",
    "ulonglong": "j.astype(np.ulonglong)", "True_": "np.where(np.True_, x, u)", "False_": "np.where(np.False_, x, u)",
    "little_endian": "x if np.little_endian else u",

}

LINALG = {
    "cholesky": "np.linalg.cholesky(A @ A.T); np.linalg.cholesky(A @ A.T, upper=True); "
                "np.linalg.cholesky(np.stack([A @ A.T, np.eye(3)])); np.linalg.cholesky(A @ A.T + np.eye(3) + 0.1j "
                "* (A - A.T)); np.linalg.cholesky(A @ A.T + np.eye(3) + 0.1j * (A - A.T), upper=True)",
    "cond": "np.linalg.cond(A); np.linalg.cond(A, -2); np.linalg.cond(x); np.linalg.cond(A + 1j * A.T); "
            "np.linalg.cond(A, 1); np.linalg.cond(A, 'fro'); np.linalg.cond(A + 1j * A.T, np.inf)",
    "cross": "np.linalg.cross(v, w); np.linalg.cross(x, u); np.linalg.cross(v * 1j, w)",
    "det": "np.linalg.det(A); np.linalg.det(np.stack([A, A.T * 2])); np.linalg.det(A + 1j * A.T)",
    "diagonal": "np.linalg.diagonal(A); np.linalg.diagonal(cube, offset=1)",
    "eig": "np.linalg.eig(A + 0j)[0]; np.linalg.eig(np.cross(np.eye(3), v) + A / 9)[0]",
    "eigh": "np.linalg.eigh(A + A.T)[0]; np.linalg.eigh(A @ A.T)[1] ** 2; "
            "np.linalg.eigh(A, UPLO='U')[0]; np.linalg.eigh(A, UPLO='U')[1]; np.linalg.eigh(A + 1j * A.T)[0]; "
            "np.abs(np.linalg.eigh(A * (1 + 0.5j))[1]); np.abs(np.linalg.eigh(A * (1 + 0.5j), 'U')[1])",
    "eigvals": "np.linalg.eigvals(A + 0j); np.linalg.eigvals(np.cross(np.eye(3), v) + A / 9)",
    "eigvalsh": "np.linalg.eigvalsh(A + A.T); np.linalg.eigvalsh(A @ A.T, 'U'); np.linalg.eigvalsh(A + 1j * A.T, 'U')",
    "inv": "np.linalg.inv(A); np.linalg.inv(np.stack([A, A.T]))",
    "lstsq": "np.linalg.lstsq(B, v)[0]; np.linalg.lstsq(B, v, rcond=None)[0]; np.linalg.lstsq(A, v, rcond=None)[0]; "
             "np.linalg.lstsq(x, v[:2], rcond=None)[0]; np.linalg.lstsq(B, A)[0]; "
             "np.linalg.lstsq(B, v, rcond=1e-10)[0]; np.linalg.lstsq(B + 1j * A[:, :2], v)[0]",
    "matmul": "np.linalg.matmul(x, A)",
    "matrix_norm": "np.linalg.matrix_norm(x); np.linalg.matrix_norm(cube, ord=1); np.linalg.matrix_norm(x, ord='nuc', "
                   "keepdims=True); np.linalg.matrix_norm(x, ord=2); np.linalg.matrix_norm(x + 1j * u)",
    "matrix_power": "np.linalg.matrix_power(A, 3); np.linalg.matrix_power(A, 0); np.linalg.matrix_power(A, -2); "
                    "np.linalg.matrix_power(A, n)",
    "matrix_rank": "np.linalg.matrix_rank(A); np.linalg.matrix_rank(x, tol=0.1); np.linalg.matrix_rank(np.ones((3, "
                   "3))); np.linalg.matrix_rank(v); np.linalg.matrix_rank(A + 1j * A.T)",
    "matrix_transpose": "np.linalg.matrix_transpose(cube)",
    "multi_dot": "np.linalg.multi_dot([x, A, B]); np.linalg.multi_dot([v, A, B]); np.linalg.multi_dot((x, A, w))",
    "norm": "np.linalg.norm(v); np.linalg.norm(x); np.linalg.norm(v, 1); np.linalg.norm(v, np.inf); "
            "np.linalg.norm(v, -np.inf); np.linalg.norm(v, 3); np.linalg.norm(v, 0.5); np.linalg.norm(v, 0); "
            "np.linalg.norm(x, 'fro'); np.linalg.norm(x, 'nuc'); "
            "np.linalg.norm(x, 2); np.linalg.norm(x, -2); np.linalg.norm(x, 1); np.linalg.norm(x, np.inf); "
            "np.linalg.norm(x, -1); np.linalg.norm(x, axis=1); np.linalg.norm(x, ord=1, axis=0, keepdims=True); "
            "np.linalg.norm(cube, axis=(1, 2)); np.linalg.norm(x, axis=-1, keepdims=True); "
            "np.linalg.norm(cube, 'nuc', axis=(0, 2)); np.linalg.norm(cube); np.linalg.norm(v, 2); "
            "np.linalg.norm(A + 1j * A.T, 'nuc'); np.linalg.norm(x + 1j * u, 2); np.linalg.norm(x * 1j, axis=1)",
    "outer": "np.linalg.outer(v, w)",
    "pinv": "np.linalg.pinv(x); np.linalg.pinv(A); np.linalg.pinv(B, rcond=1e-10); "
            "np.linalg.pinv(A @ A.T, hermitian=True); np.linalg.pinv(B + 1j * A[:, :2]); "
            "np.linalg.pinv(A @ A.T + np.eye(3) + 0.1j * (A - A.T), hermitian=True)",
    "qr": "np.linalg.qr(A)[1]; np.linalg.qr(B)[0]; np.linalg.qr(x)[1]; np.linalg.qr(A, mode='r'); "
          "np.linalg.qr(B, mode='complete')[0]; np.linalg.qr(A, 'complete').R; np.linalg.qr(B + 1j * A[:, :2])[0]; "
          "np.linalg.qr(B + 1j * A[:, :2])[1]; np.linalg.qr(x + 1j * u)[1]",
    "slogdet": "np.linalg.slogdet(A); np.linalg.slogdet(-A)[1]; np.linalg.slogdet(np.stack([A, A.T])).logabsdet; "
               "np.linalg.slogdet(A + 1j * A.T)",
    "solve": "np.linalg.solve(A, v); np.linalg.solve(A, B); np.linalg.solve(np.stack([A, A.T]), v); "
             "np.linalg.solve(A, cube[:, :3])",
    "svd": "np.linalg.svd(x)[1]; np.linalg.svd(A, full_matrices=False)[1]; np.linalg.svd(x, compute_uv=False); "
           "np.abs(np.linalg.svd(B)[2]); np.linalg.svd(A + 1j * A.T)[1]; np.abs(np.linalg.svd(B + 1j "
           "* A[:, :2], full_matrices=False)[0]); np.abs(np.linalg.svd(x + 1j * u, full_matrices=False)[2])",
    "svdvals": "np.linalg.svdvals(x)", "tensordot": "np.linalg.tensordot(x, A, axes=1)",
    "tensorinv": "np.linalg.tensorinv(A, ind=1); np.linalg.tensorinv((A + np.eye(3)).reshape(3, 1, 3), ind=2)",
    "tensorsolve": "np.linalg.tensorsolve(A, v)",
    "trace": "np.linalg.trace(A); np.linalg.trace(cube)", "vecdot": "np.linalg.vecdot(x, v)",
    "vector_norm": "np.linalg.vector_norm(x); np.linalg.vector_norm(x, axis=1, ord=3); "
                   "np.linalg.vector_norm(x, keepdims=True); np.linalg.vector_norm(v, ord=np.inf)"}

FORMS = ("np.fft.{f}(up); np.fft.{f}(x, n=5); np.fft.{f}(x, axis=0); np.fft.{f}(up, norm='ortho'); np.fft.{f}(up, 2); "
         "np.fft.{f}(up * (1 + 2j), norm='forward')")
REAL = "np.fft.{f}(up); np.fft.{f}(x, n=5); np.fft.{f}(x, axis=0); np.fft.{f}(up, norm='ortho'); np.fft.{f}(up, 2)"
MANY = ("np.fft.{f}(x); np.fft.{f}(cube, axes=(0, 1)); np.fft.{f}(cube, s=(2, 2), axes=(1, 2)); "
        "np.fft.{f}(A, norm='forward'); np.fft.{f}(x * (1 + 1j))")
FFT = {**{f: FORMS.format(f=f) for f in ("fft", "ifft", "hfft", "irfft")},
       **{f: REAL.format(f=f) for f in ("rfft", "ihfft")},
       **{f: MANY.format(f=f) for f in ("fft2", "ifft2", "fftn", "ifftn", "irfft2", "irfftn")},
       **{f: MANY.format(f=f).rpartition(";")[0] for f in ("rfft2", "rfftn")},
       "fftfreq": "np.fft.fftfreq(4) * up; np.fft.fftfreq(5, 0.1); np.fft.fftfreq(4, d=p); np.fft.fftfreq(n)",
       "rfftfreq": "np.fft.rfftfreq(4, 0.5); np.fft.rfftfreq(4, p)",
       "fftshift": "np.fft.fftshift(up); np.fft.fftshift(x); np.fft.fftshift(cube, axes=(0, 2)); np.fft.fftshift(x, 1)",
       "ifftshift": "np.fft.ifftshift(up); np.fft.ifftshift(x, axes=0)"}
