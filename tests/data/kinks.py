"""Functions of x at their kinks, poles and ties, and beside infinities, NaN and signed zeros:
what docs/kinks.md shows beside JAX."""
INF, NAN = "inf", "nan"
POINTS = {
    "np.abs(x)": ["-0.0", "0.0", INF, NAN], "np.sign(x)": ["0.0", NAN], "np.sqrt(x)": ["0.0", "-0.0", "-1.0", INF, NAN],
    "np.cbrt(x)": ["0.0"],
    "np.log(x)": ["0.0", "-0.0", "-1.0", INF, NAN], "np.log1p(x)": ["-1.0", INF], "np.exp(x)": [INF, "-inf", "800.0"],
    "np.expm1(x)": ["-inf", INF], "np.tanh(x)": [INF, "-inf", "1000.0"], "np.arcsin(x)": ["1.0", "2.0"],
    "np.arccos(x)": ["-1.0"], "np.arccosh(x)": ["1.0"], "np.arctanh(x)": ["1.0"], "np.arctan(x)": [INF],
    "np.sinc(x)": ["0.0", "1.0"], "np.square(x)": ["-0.0", INF], "x ** 2": ["0.0", "-0.0", INF, NAN],
    "x ** 1": ["0.0"], "x ** 0": ["0.0"], "x ** -1": ["0.0"], "x ** 0.5": ["0.0", INF, NAN], "x ** 1.5": ["0.0"],
    "x ** 3.0": ["0.0", "-0.0"], "np.power(2.0, x)": [INF, "-inf"], "np.power(0.0, x)": ["0.0", "1.0"],
    "np.power(-2.0, x)": ["2.0"], "np.power(x, x)": ["0.0", "1.0"], "np.maximum(x, 1.0)": ["1.0", INF, "-inf", NAN],
    "np.minimum(x, 1.0)": ["1.0", NAN], "np.fmax(x, 1.0)": ["1.0", NAN], "np.maximum(x, x)": ["1.0"],
    "np.maximum(x, 0.0)": ["0.0", "-0.0"], "np.clip(x, 0.0, 1.0)": ["0.0", "-0.0", "1.0", "-1.0", INF, NAN],
    "np.where(x > 0, x, 0.0)": ["0.0", "-0.0", INF, NAN],
    "np.where(x > 0, np.log(x), 0.0)": ["0.0", "-1.0"], "np.where(x > 0, np.sqrt(x), 0.0)": ["0.0", "-1.0"],
    "np.where(x != 0, 1.0 / x, 0.0)": ["0.0"], "np.where(x != 0, np.sin(x) / x, 1.0)": ["0.0"],
    "np.arctan2(x, 0.0)": ["0.0", "-0.0", "1.0", INF, NAN], "np.arctan2(0.0, x)": ["0.0", "-0.0", "-1.0", INF],
    "np.arctan2(x, 1.0)": [INF], "np.hypot(x, 0.0)": ["0.0", "1.0"], "np.hypot(x, 1.0)": [INF],
    "np.logaddexp(x, x)": ["1.0", "-inf", INF], "np.logaddexp(x, 0.0)": ["800.0", "-800.0", INF, "-inf"],
    "np.copysign(x, 1.0)": ["0.0", "-2.0"], "np.copysign(1.0, x)": ["0.0"], "np.mod(x, 1.0)": ["0.0", "2.0", "-1.0"],
    "np.fmod(x, 1.0)": ["2.0"], "np.floor(x)": ["1.0"], "np.round(x)": ["0.5"], "np.nan_to_num(x)": [NAN, INF],
    "np.max(np.stack([x, 1.0]))": ["1.0", INF, NAN], "np.min(np.stack([x, 1.0]))": ["1.0"],
    "np.sort(np.stack([x, 1.0]))[0]": ["1.0", "-inf", NAN], "np.sort(np.stack([x, 0.0]))[0]": ["-0.0"],
    "np.median(np.stack([x, 1.0]))": ["1.0"], "np.std(np.stack([x, 1.0]))": ["1.0", INF, NAN],
    "np.var(np.stack([x, 1.0]))": ["1.0"], "np.linalg.norm(np.stack([x, x]))": ["0.0", "-0.0", "1.0", INF, NAN],
    "np.linalg.norm(np.stack([x, 1.0]), 1)": ["0.0"],
    "np.linalg.norm(np.stack([x, 1.0]), np.inf)": ["1.0"], "np.prod(np.stack([x, 0.0, 2.0]))": ["0.0", "3.0"],
    "np.cumprod(np.stack([x, 2.0]))[1]": ["0.0"], "special.logsumexp(np.stack([x, x]))": ["0.0", "-inf", INF, NAN],
    "special.logsumexp(np.stack([x, 0.0]))": ["-inf", "800.0"], "special.xlogy(x, x)": ["0.0", "1.0"],
    "special.xlogy(x, 0.0)": ["0.0"], "special.entr(x)": ["0.0"], "special.expit(x)": [INF, "-inf"],
    "special.erf(x)": [INF]}
KINKS = list(POINTS)
