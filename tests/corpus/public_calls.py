"""Calls of all that NumPy and SciPy offer and that works, as people write them: {name: texts} over `OPERANDS`;
test_public.py puts each through the whole table.

A text is an expression of the operands. What stands in `ELEMENTWISE` and `REDUCTIONS` gets the arguments that all of
its kind have (out=, where=, dtype=; axis=, keepdims=, initial=). No operand stands at a kink, a tie or a pole, so that
derivatives are held against differences.
"""
from tests.corpus.numpy_calls import AXES, ELEMENTWISE, FFT, LINALG, ONE_BY_ONE, REDUCTIONS

SPECIAL = {
    **{f: f"special.{f}(u); special.{f}(p); special.{f}(w)"
       for f in "erf erfc expit gammaln gamma digamma psi entr ndtr log_ndtr i0 i1 i0e i1e j0 j1 y0 y1 k0 k1 exp2 "
                "expm1 log1p cbrt loggamma softplus erfcx exprel log_expit".split()},
    **{f: f"special.{f}(u)" for f in ("erfinv", "erfcinv", "logit", "ndtri")},
    **{f: f"special.{f}(-u)" for f in "ndtri_exp wrightomega sindg cosdg cosm1 erfi exp10".split()},
    "k0e": "special.k0e(w)", "k1e": "special.k1e(w)", "betaincc": "special.betaincc(2.0, 1.5, u)",
    "betaincinv": "special.betaincinv(2.0, 1.5, u)", "boxcox1p": "special.boxcox1p(w, p)",
    "inv_boxcox": "special.inv_boxcox(w, 0.5)", "inv_boxcox1p": "special.inv_boxcox1p(w, 0.5)",
    "hyp0f1": "special.hyp0f1(1.5, w)", "hyp1f1": "special.hyp1f1(1.5, 2.0, w)",
    "hyp2f1": "special.hyp2f1(0.5, 1.5, 2.0, u)", "hyperu": "special.hyperu(1.5, 2.0, w)",
    "owens_t": "special.owens_t(w, p)", "stdtr": "special.stdtr(4.0, w)", "stdtrit": "special.stdtrit(4.0, u)",
    "ive": "special.ive(1, w)", "kve": "special.kve(1, w)", "gammaincinv": "special.gammaincinv(2.0, u)",
    "gammainccinv": "special.gammainccinv(2.0, u)",
    "lambertw": "special.lambertw(u).real; special.lambertw(-0.3 * special.expit(u), -1).real",
    "logsumexp": "special.logsumexp(x); special.logsumexp(x, axis=1); special.logsumexp(x, axis=0, keepdims=True); "
                 "special.logsumexp(x, b=u); special.logsumexp(x, axis=1, b=v, return_sign=True)[0]; "
                 "special.logsumexp(cube, axis=(0, 1))",
    "softmax": "special.softmax(x); special.softmax(x, axis=1); special.softmax(cube, axis=(0, 2))",
    "log_softmax": "special.log_softmax(x); special.log_softmax(x, axis=-1)",
    "polygamma": "special.polygamma(1, w); special.polygamma(2, p)", "beta": "special.beta(u, w); special.beta(p, w)",
    "betaln": "special.betaln(u, w)", "betainc": "special.betainc(2.0, p, u); special.betainc(w, w, u)",
    "gammainc": "special.gammainc(2.0, u); special.gammainc(w, u)", "gammaincc": "special.gammaincc(p, u)",
    **{f: f"special.{f}(u, w); special.{f}(p, w)" for f in ("xlogy", "xlog1py", "rel_entr", "kl_div")},
    "jv": "special.jv(1, u); special.jv(2.5, w); special.jv(k, w)",
    "yn": "special.yn(1, w); special.yn(2, u); special.yn(k, w)",
    "yv": "special.yv(1.5, w)", "kv": "special.kv(2, w)", "iv": "special.iv(2, w)", "kn": "special.kn(2, w)",
    "jn": "special.jn(2, w)", "zeta": "special.zeta(p, w); special.zeta(3.0, 1.0); special.zeta(p)",
    "factorial": "special.factorial(3) * v; special.factorial(k)", "comb": "special.comb(5, 2) * v; special.comb(j, k)",
    "binom": "special.binom(5.5, p)", "poch": "special.poch(w, 2.0)", "multigammaln": "special.multigammaln(p, 2)",
    "lambertw": "special.lambertw(w); special.lambertw(u * 0.1).real; special.lambertw(u * -0.3, -1)",
    "exp1": "special.exp1(w)", "expi": "special.expi(w)", "sinc": "special.sinc(x)", "boxcox": "special.boxcox(w, p)",
    "huber": "special.huber(1.1, x)", "pseudo_huber": "special.pseudo_huber(1.1, x)", "dawsn": "special.dawsn(w)",
    "expn": "special.expn(2, w); special.expn(k, w)", "jve": "special.jve(1, w)", "perm": "special.perm(5, 2)", }

SCIPY_LINALG = {
    "solve_triangular":
        "linalg.solve_triangular(A, v); linalg.solve_triangular(A, B, lower=True); "
        "linalg.solve_triangular(A, v, trans=1); linalg.solve_triangular(A, v, unit_diagonal=True, lower=True); "
        "linalg.solve_triangular(A + 1j * A.T, v, trans=2); linalg.solve_triangular(A, v * 1j, lower=True)",
    "cho_factor": "linalg.cho_factor(A @ A.T)[0][0]; linalg.cho_factor(A @ A.T, lower=True)[1]",
    "cho_solve": "linalg.cho_solve(linalg.cho_factor(A @ A.T), v); linalg.cho_solve((np.linalg.cholesky(A @ A.T), "
                 "True), B); linalg.cho_solve(linalg.cho_factor(A @ A.T + np.eye(3) + 0.1j * (A - A.T)), v); "
                 "linalg.cho_solve(linalg.cho_factor(A @ A.T + np.eye(3) + 0.1j * (A - A.T), lower=True), B * 1j)",
    "solve": "linalg.solve(A, v); linalg.solve(A, B); linalg.solve(A @ A.T, v, assume_a='pos'); linalg.solve(A "
             "+ A.T, v, assume_a='sym'); linalg.solve(A @ A.T + np.eye(3) + 0.1j * (A - A.T), v, assume_a='pos'); "
             "linalg.solve(A + 1j * A.T, v, assume_a='sym'); linalg.solve(A + 1j * A.T, v, assume_a='her'); "
             "linalg.solve(A[:1, :1], v)",
    "expm": "linalg.expm(A); linalg.expm(A * 0.1) @ v; linalg.expm(1j * A) @ v",
    "lu": "linalg.lu(A)[1]; linalg.lu(A)[2]; linalg.lu(A, permute_l=True)[0]; linalg.lu(A, p_indices=True)[0]",
    "lu_factor": "linalg.lu_factor(A)[0]; linalg.lu_factor(A)[1]; linalg.lu_factor(A.T @ A)[0]",
    "lu_solve": "linalg.lu_solve(linalg.lu_factor(A), v); linalg.lu_solve(linalg.lu_factor(A), B, trans=1)",
    "sqrtm": "linalg.sqrtm(A @ A.T); linalg.sqrtm(A)", "block_diag": "linalg.block_diag(A, x); linalg.block_diag(v, p)",
    "toeplitz": "linalg.toeplitz(v); linalg.toeplitz(v, w)",
    "circulant": "linalg.circulant(v)", "hankel": "linalg.hankel(v, w); linalg.hankel(v)",
    "cholesky": "linalg.cholesky(A @ A.T); linalg.cholesky(A @ A.T, lower=True); "
                "linalg.cholesky(A @ A.T + np.eye(3) + 0.1j * (A - A.T))",
    "det": "linalg.det(A); linalg.det(A + 1j * A.T)",
    "inv": "linalg.inv(A)", "eigh": "linalg.eigh(A + A.T, eigvals_only=True); "
                                 "linalg.eigh(A + A.T)[0]; linalg.eigh(A + A.T, A @ A.T)[0]",
    "eigvalsh": "linalg.eigvalsh(A + A.T); linalg.eigvalsh(A + 1j * A.T)",
    "svdvals": "linalg.svdvals(x); linalg.svdvals(x + 1j * u)", "hilbert": "linalg.hilbert(3) @ v",
    "norm": "linalg.norm(x); linalg.norm(x, axis=1); linalg.norm(v * 1j, 1)",
    "solve_toeplitz": "linalg.solve_toeplitz([4.0, p, 0.5], v); "
                      "linalg.solve_toeplitz((np.array([9.0, 1.0, 0.5]), w), A)",
    "solve_banded": "linalg.solve_banded((1, 1), A, v); linalg.solve_banded((0, 1), x, v); "
                    "linalg.solve_banded((1, 1), A + 1j * A.T, B)",
    "solve_sylvester": "linalg.solve_sylvester(A, A.T, A)",
    "solve_continuous_lyapunov": "linalg.solve_continuous_lyapunov(A, A + A.T)",
    "solve_discrete_lyapunov": "linalg.solve_discrete_lyapunov(A * 0.2, A); "
                               "linalg.solve_discrete_lyapunov(A * 0.2, A.T, 'bilinear')",
    "solve_continuous_are": "linalg.solve_continuous_are(A - 6.0 * np.eye(3), B, np.eye(3), p * np.eye(2))",
    "solve_discrete_are": "linalg.solve_discrete_are(A * 0.2, B, p * np.eye(3), np.eye(2), s=0.1 * B)", }

STATS = {f"{law}.{method}": f"stats.{law}.{method}({args}); stats.{law}.{method}({args}, loc=0.1, scale=p); "
                            f"stats.{law}.{method}({args}, 0.0, w)" for law, args in (
                                ("norm", "x"), ("uniform", "u"), ("expon", "w"), ("gamma", "w, p"),
                                ("beta", "u * 0.5 + 0.2, p, 1.7"), ("t", "x, p"), ("cauchy", "x"), ("laplace", "x"),
                                ("lognorm", "w, 0.7"), ("logistic", "x"), ("chi2", "w, p"), ("pareto", "w + 2, p"),
                                ("halfnorm", "w + 0.2"), ("halfcauchy", "w + 0.2")) for method in ("logpdf", "pdf")}
STATS |= {"poisson.logpmf": "stats.poisson.logpmf(j, w); stats.poisson.logpmf(k, p)",
          "binom.logpmf": "stats.binom.logpmf(k, 5, u); stats.binom.logpmf(k, j, 0.3)",
          "bernoulli.logpmf": "stats.bernoulli.logpmf(np.array([0, 1, 1]), u)",
          "multivariate_normal.logpdf": "stats.multivariate_normal.logpdf(v, w, A @ A.T); "
                                        "stats.multivariate_normal.logpdf(x, v, A @ A.T)",
          "norm.cdf": "stats.norm.cdf(x); stats.norm.cdf(x, v, p)", "norm.ppf": "stats.norm.ppf(u)",
          "dirichlet.logpdf": "stats.dirichlet.logpdf(w / np.sum(w), w)", }
OTHERS = {
    "scipy.signal":
        {"convolve": "signal.convolve(v, w); signal.convolve(up, v, mode='same'); signal.convolve(up, v, 'valid'); "
                     "signal.convolve(A, x); signal.convolve(A, x, 'same'); signal.convolve(A, B, 'valid'); "
                     "signal.convolve(up, v, method='direct'); signal.convolve(cube, cube[:1, :2, :2], 'same')",
         "lfilter": "signal.lfilter(v, w, up); signal.lfilter([1.0, p], [1.0], up); signal.lfilter(v, [1.0, 0.5], x); "
                    "signal.lfilter(v, w, x, axis=0); signal.lfilter(v, w, up, zi=v[:2]); "
                    "signal.lfilter([p], [2.0, 0.3, 0.1], up)",
         "correlate": "signal.correlate(v, w); signal.correlate(up, v, 'same'); signal.correlate(A, x)",
         "convolve2d": "signal.convolve2d(A, x); signal.convolve2d(A, x, 'same')",
         "fftconvolve": "signal.fftconvolve(v, w)",
         "detrend": "signal.detrend(v); signal.detrend(cube ** 2, axis=-1); signal.detrend(x, type='constant'); "
                    "signal.detrend(up, 0, 'c'); signal.detrend(A + 1j * A.T, axis=-2)",
         "square": "signal.square(x); signal.square(7 * w, 0.3); signal.square(x, 1.5)",
         "sawtooth": "signal.sawtooth(x); signal.sawtooth(7 * w, 0.5); signal.sawtooth(w, u[:3]); "
                     "signal.sawtooth(p, -0.1)",
         "find_peaks": "signal.find_peaks(np.sin(9.0 * np.arange(7.0)) * p, height=0.0)[1]['peak_heights']",
         "chirp": "signal.chirp(w, 1.0, 2.0, p); signal.chirp(w, p, 2.0, 3.0, 'quadratic'); "
                  "signal.chirp(w, p, 2.0, 5.0, 'quad', 30, False); signal.chirp(w, 2.0, 1.5, 2.0 + p, 'log'); "
                  "signal.chirp(w, 2.0, 9.5, 2.0 + p, 'hyperbolic'); signal.chirp(w, 1.0, 2.0, p, complex=True)", },
    "scipy.ndimage": {
        "gaussian_filter": "ndimage.gaussian_filter(x, p); ndimage.gaussian_filter(A, (p, 0.6), mode='wrap'); "
                           "ndimage.gaussian_filter(A, 0.5, axes=(1,), radius=1)",
        "gaussian_filter1d": "ndimage.gaussian_filter1d(v, p); "
                             "ndimage.gaussian_filter1d(x, 0.7, 0, mode='nearest', truncate=2.0)",
        "convolve": "ndimage.convolve(x, B); ndimage.convolve(up, v); ndimage.convolve(A, A, mode='constant', cval=p); "
                    "ndimage.convolve(A, A, mode='nearest'); ndimage.convolve(A, A, mode='wrap'); "
                    "ndimage.convolve(A, B, mode='mirror'); ndimage.convolve(up, v, origin=1)",
        "correlate": "ndimage.correlate(x, B); ndimage.correlate(A, A, mode='constant')",
        "convolve1d": "ndimage.convolve1d(x, v); ndimage.convolve1d(x, v, axis=0, mode='wrap')",
        "correlate1d": "ndimage.correlate1d(x, v)", },
    "scipy.interpolate": {
        "BSpline":
            "interpolate.BSpline([0.0, 0.0, 1.0, 2.0, 2.0], v, 1)(u); interpolate.BSpline(np.arange(6), v, 2)(p, 1); "
            "interpolate.BSpline(np.arange(6.0), v, 2, extrapolate=False)(u)",
        "CubicSpline":
            "interpolate.CubicSpline([0.0, 1.0, 2.5], v)(x); interpolate.CubicSpline([0.0, 1.0, 2.5, 3.0], up)(p); "
            "interpolate.CubicSpline([0.0, 1.0, 2.5, 3.0], up, bc_type='natural')(u); "
            "interpolate.CubicSpline([0.0, 1.0, 2.0, 3.0], up, bc_type='clamped')(u, 1); "
            "interpolate.CubicSpline(np.arange(4), up)(x, nu=2); interpolate.CubicSpline(np.arange(3), A)(u); "
            "interpolate.CubicSpline(np.arange(4.0), [1.0, 2.0, 0.5, 1.0], bc_type='periodic')(x)",
        "PchipInterpolator":
            "interpolate.PchipInterpolator([0.0, 1.0, 2.5], v)(x); "
            "interpolate.PchipInterpolator([0.0, 1.0], v[1:])(p); "
            "interpolate.PchipInterpolator(np.arange(3), A, axis=1)(u, 1)",
        "CubicHermiteSpline": "interpolate.CubicHermiteSpline([0.0, 1.0, 2.5], v, w)(x)",
        "interp1d": "interpolate.interp1d([0.0, 1.0, 2.5], v)(u); "
                    "interpolate.interp1d(up, up**2, kind='cubic', fill_value='extrapolate')(x); "
                    "interpolate.interp1d(up, up**2, bounds_error=False, fill_value=(0.1, p))(x + 0.1)",
        "splev": "interpolate.splev(u, ([0.0, 0, 0, 1, 1, 1], v, 2)); "
                 "interpolate.splev(x + 0.1, (np.array([0.0, 0, 0.5, 1, 1]), v, 1), 0, 3)",
        "bisplev": "interpolate.bisplev(np.sort(u[0, :2]), p, "
                   "(np.array([0.0, 0, 1, 1]), np.array([0.0, 0, 1, 1]), up, 1, 1))"},
    "scipy.optimize": {
        **{f: f"optimize.{f}(lambda t: t * t * t + t - p, -9.0, 9.0); "
              f"optimize.{f}(lambda t, a: np.exp(t) - a, -9, 9, (p,))"
           for f in ("brentq", "brenth", "bisect")},
        "ridder": "optimize.ridder(lambda t: t * t * t + t * p, -9.0, 9.0)",  # others stop at other last digits
        "newton": "optimize.newton(lambda t: t * t * t + t - p, 1.0); "
                  "optimize.newton(lambda t: t * t * t + t - p, 1.0, lambda t: 3 * t ** 2 + 1)",
        "root_scalar": "optimize.root_scalar(lambda t: t * t * t + t - p, bracket=[-9, 9]).root",
        "minimize_scalar": "optimize.minimize_scalar(lambda t: t * t * t * t + t - p * t).fun; "
                           "optimize.minimize_scalar(lambda t, a: t * t - a * t, bounds=(-9, 9), args=(p,)).x",
        "fminbound": "optimize.fminbound(lambda t: t * t - t * p, -9.0, 9.0)"},  # parabolas are found at once
    "scipy.integrate": {
        "quad": "integrate.quad(lambda t: t * t * p + t, 0.0, p)[0]; "  # exp differs in its last digit
                "integrate.quad(lambda t, a: a / (t * t + a), p, np.inf, (p,))[0]",
        "solve_ivp": "integrate.solve_ivp(lambda t, y: np.sin(t) - p * y, (0.0, 1.0), v, t_eval=[0.5, 1.0]).y; "
                     "integrate.solve_ivp(lambda t, y, a: -a * y, (0, p), v, 'RK23', args=(p,)).y[:, -1]"},
    "scipy.sparse": {"csr_matrix": "SPARSE @ v; SPARSE @ A; SPARSE.T @ v; SPARSE.dot(v); v @ SPARSE; x @ SPARSE; "
                                   "SPARSE * v; SPARSE.shape",
                     "csr_array": "SPARSE_ARRAY @ v; SPARSE_ARRAY.T @ (SPARSE_ARRAY @ v)"},
}

# {name as it is written: its calls}
MODULES = {"np": ONE_BY_ONE, "np.linalg": LINALG, "np.fft": FFT, "special": SPECIAL, "linalg": SCIPY_LINALG,
           "stats": STATS, **{module[6:]: calls for module, calls in OTHERS.items()}}
CALLS = {f"{module}.{name}": texts.split("; ") for module, calls in MODULES.items() for name, texts in calls.items()}
SUMS = "all any amax amin max mean min prod sum std var nanmax nanmean nanmin nanprod nansum".split()
INTEGERS, TRUTHS = ("argmax", "argmin", "nanargmax", "nanargmin"), ("all", "any")
CALLS |= {f"np.{name}": [f"np.{name}({args})", f"np.{name}({args}, where=mask, out=np.zeros((2, 3), "
                                               f"np.{name}({args}).dtype))"[:None if "u" in args else 0]
                                               or f"np.{name}({args}, dtype=None)"]
          for name, args in ELEMENTWISE.items()}
CALLS |= {f"np.{name}": [*[f"np.{name}({x}{axis})" for x in (args,)
                           for axis in AXES if name not in INTEGERS or "(0, 1)" not in axis],
                         *[f"np.{name}({args}, axis=0, out=np.zeros(3{', bool' if name in TRUTHS else ''}))"]
                         * (name not in INTEGERS and name != "count_nonzero"),
                         *[f"np.{name}({args}, axis=1, "
                           f"where=mask{', initial=0.4' if 'max' in name or 'min' in name else ''})"] * (name in SUMS),
                         *[f"np.{name}({args}{rest}, ddof=1)" for rest in ("", ", axis=0")
                           if name[-3:] in ("std", "var")]] for name, args in REDUCTIONS.items()}

# what differences do not see: values that jump there, or are rounded, or are no numbers
JUMPS = ("np.around", "np.round", "np.divmod", "np.frexp", "np.modf", "np.finfo", "np.inf", "np.nan",
         "np.union1d", "np.intersect1d", "np.setdiff1d", "np.setxor1d", "np.float32", "np.single", "np.histogramdd",
         "np.float16", "np.half")
ROUNDED = ("float32", "'f4'", "np.single", "posinf=p", "_are(", ".ridder(")
# derivatives that are refused, and why is said
WITHOUT = {"np.linalg.svd(x)[1]": "singular vectors", "np.abs(np.linalg.svd(B)[2])": "singular vectors",
           "np.linalg.qr(B, mode='complete')[0]": "mode='complete'", "special.betainc(2.0, p, u)": "betainc",
           "special.betainc(w, w, u)": "betainc", "special.gammainc(w, u)": "gamma sample",
           "special.gammaincc(p, u)": "gamma sample", "special.zeta(p, w)": "its first argument",
           "special.zeta(p)": "its first argument", "special.binom(5.5, p)": "binom"}
# calls that are refused in a batch: whose results have as many elements as their values say
VALUES_DECIDE = dict.fromkeys([text for texts in """
    np.argwhere(x > 0); np.bincount(k); np.bincount(k, v); np.bincount(k, weights=w, minlength=5)
    np.compress(v > 0, x, axis=1); np.compress(mask.ravel(), x); np.extract(mask, x); np.extract(x > 0, x)
    np.flatnonzero(x > 0); np.flatnonzero(i); np.nonzero(x > 0); x[np.nonzero(mask)]; i.nonzero(); np.where(mask)[0]
    np.repeat(v, j); np.trim_zeros(v); np.trim_zeros(k)
    np.intersect1d(i, j); np.intersect1d(x, v); np.union1d(x, v); np.union1d(i, j); np.setdiff1d(x, v)
    np.setdiff1d(i, j); np.setxor1d(i, j); np.setxor1d(x, v)
    np.polydiv(up, w); np.polydiv(v, [1.0, 2.0]); np.polymul(v, w); np.roots(w + 0j); np.abs(np.roots(up * (1 + 1j)))
    np.abs(np.roots(v + 2.5)); np.unique(x); np.unique(i)
    np.unique(k, return_counts=True); np.unique(x, return_inverse=True)
    np.unique(k, return_index=True)
    np.unique_all(k); np.unique_all(x); np.unique_counts(k); np.unique_inverse(k)""".strip().splitlines()
                               for text in texts.strip().split("; ")],
                              "the shape of the result differs from example to example")
# calls that are refused in compiled code, and why is said
NOT_COMPILED = {"np.linalg.qr(B, mode='complete')[0]": "tall, all of q",
                **dict.fromkeys(["np.float16(p)", "x.astype(np.float16)", "x.astype(np.half)"],
                                "float16 in a function that is compiled")}

TEXTS, FILES, OBJECTS = ("about texts: what an array looks like is not known before the run",
                         "reads or writes files and memory, which is no function of its arguments",
                         "arrays of objects, texts, dates or records, which have no derivative and no compiled form")
SETTINGS, CLASSES = ("a setting or a fact of the process: ask for it outside of the function",
                     "another class of arrays: np.asarray of it outside of the function")
REFUSED = {
    "unique_values": "promises no order of the values: np.unique(x, equal_nan=False)",
    **dict.fromkeys("array_repr array_str array2string base_repr binary_repr format_float_positional "
                    "format_float_scientific get_printoptions printoptions set_printoptions typename "
                    "mintypecode".split(), TEXTS),
    **dict.fromkeys("from_dlpack frombuffer fromfile fromstring fromregex load save savez "
                    "savez_compressed savetxt memmap".split(), FILES),
    **dict.fromkeys("frompyfunc object_ bytes_ str_ void datetime64 timedelta64 datetime_as_string datetime_data "
                    "busday_count busday_offset busdaycalendar is_busday isnat recarray record".split(), OBJECTS),
    **dict.fromkeys("matrix asmatrix bmat poly1d flatiter".split(), CLASSES),
    "require": "keeps other classes of arrays: np.asarray",
    "asarray_chkfinite": "np.asarray, and a test by np.isfinite",
    "isfortran": "about the memory order, which the compiler chooses",
    **dict.fromkeys("shares_memory may_share_memory".split(), "about memory, which programs here share by other rules"),
    **dict.fromkeys("ndenumerate ndindex nditer nested_iters broadcast".split(),
                    "an iterator of NumPy's: loops over range(n), or np.broadcast_shapes"),
    **dict.fromkeys("float128 longdouble complex256 clongdouble".split(),
                    "wider than compiled code has: float64, complex128"),
    **dict.fromkeys("getbufsize setbufsize geterr seterr geterrcall seterrcall show_config show_runtime get_include "
                    "info test".split(), SETTINGS),
    **dict.fromkeys("common_type min_scalar_type".split(), "np.result_type"),
    **dict.fromkeys("ScalarType sctypeDict typecodes".split(), "a table, which may be read outside of the function"),
    **dict.fromkeys("char core ctypeslib dtypes exceptions f2py lib ma rec strings testing typing".split(),
                    "a module of which nothing is called in functions that are transformed"),
    "emath": "a module: its functions give complex numbers for some values, np.sqrt(x + 0j) for all",
    "polynomial": "a module of classes: np.polyval and its kin",
    "random": "a module: gs.random has random numbers with keys"}
