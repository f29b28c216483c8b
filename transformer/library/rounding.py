"""Rounding, parts of floats, what is close to what."""
import numpy as np

from .registry import known, means, refuse
from .shapes import along, axis_of, element, whole


def float_of(x):
    """An array or number of floats, as NumPy's functions of floats make it of integers."""
    x = np.asarray(x)
    return x if x.dtype.kind == "f" else x.astype(float)


@means(np.round, np.around, method="round")
def round(a, decimals=0):
    decimals = whole(decimals, "it is a number of digits")
    a = np.asarray(a) if isinstance(a, (list, tuple)) else np.multiply(a, 1)
    if a.dtype.kind == "b":
        refuse("np.round of bools", "Convert them: x.astype(int).")
    if a.dtype.kind in "iu":
        if decimals < 0:
            refuse("np.round of integers to tens", "Write 10 * np.round(x / 10).astype(int).")
        return a + 0
    if decimals == 0:
        return np.rint(a)
    if decimals > 0:
        return np.rint(a * 10.0 ** decimals) / 10.0 ** decimals
    return np.rint(a / 10.0 ** -decimals) * 10.0 ** -decimals


@means(np.fix)
def fix(x):
    return np.trunc(x)


@means(np.modf)
def modf(x):
    x = element(float_of(x))
    y = np.trunc(x)
    # of an infinite number the rest is 0, which has its sign as all rests have
    rest = np.where(np.isinf(x), np.zeros(1, x.dtype)[0], x - y)
    return np.copysign(rest, x), y


@means(np.frexp)
def frexp(x):
    x = element(float_of(x))
    large = np.where(np.isfinite(x), np.abs(x), np.zeros(1, x.dtype)[0])
    n = np.where(large > 0, np.floor(np.log2(np.where(large > 0, large, np.ones(1, x.dtype)[0]))), 0.0) + 1.0
    n = np.where(large > 0, n, 0.0).astype(np.int32)
    n = n + (np.ldexp(large, -n) >= 1).astype(np.int32)  # where a logarithm was rounded
    n = n - ((large > 0) & (np.ldexp(large, -n) < 0.5)).astype(np.int32)
    return element(np.where(np.isfinite(x), np.ldexp(np.where(np.isfinite(x), x, large), -n), x)), element(n)


@means(np.divmod)
def divmod(x1, x2):
    return np.floor_divide(x1, x2), np.remainder(x1, x2)


@means(np.heaviside)
def heaviside(x1, x2):
    kind = np.result_type(*[y if isinstance(y, (int, float, np.generic, np.ndarray)) else np.asarray(y)
                            for y in (x1, x2)])
    kind = kind if kind.kind == "f" else np.result_type(float)
    x, h = np.multiply(x1, 1.0).astype(kind), np.multiply(x2, 1.0).astype(kind)
    zero, one = kind.type(0), kind.type(1)
    return element(np.where(np.isnan(x), x, np.where(x < 0, zero, np.where(x == 0, h, one))))


@means(np.sinc)
def sinc(x):
    x = np.multiply(x, 1.0)
    y = np.pi * x
    near = np.abs(y) < 0.15
    s = y * y
    # near 0, where the quotient of two small numbers has no good derivative
    series = 1 - s / 6 * (1 - s / 20 * (1 - s / 42 * (1 - s / 72 * (1 - s / 110))))
    far = np.where(near, 1.0, y)
    return np.where(near, series, np.sin(far) / far)[()].astype(x.dtype)


@means(np.nan_to_num)
def nan_to_num(x, nan=0.0, posinf=None, neginf=None):
    x = np.asarray(x)
    if x.dtype.kind != "f":
        return np.multiply(x, 1)[()] if x.dtype.kind != "b" else x.copy()[()]
    largest, least = np.finfo(x.dtype).max, np.finfo(x.dtype).min
    y = np.where(np.isnan(x), np.multiply(nan, 1).astype(x.dtype), x)
    y = np.where(x == np.inf, largest if posinf is None else np.multiply(posinf, 1).astype(x.dtype), y)
    return element(np.where(x == -np.inf, least if neginf is None else np.multiply(neginf, 1).astype(x.dtype), y))


@means(np.isposinf)
def isposinf(x):
    return np.isinf(x) & ~np.signbit(x)


@means(np.isneginf)
def isneginf(x):
    return np.isinf(x) & np.signbit(x)


@means(np.isclose, complex=True)
def isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    a, b, equal_nan = np.asarray(a), np.asarray(b), known(equal_nan, "it is a flag")
    rtol, atol = [t if isinstance(t, (int, float)) else np.asarray(t) for t in (rtol, atol)]
    if b.dtype.kind in "iub":
        b = b.astype(np.result_type(b, 1.0))
    near = (np.less_equal(np.abs(a - b), atol + rtol * np.abs(b)) & np.isfinite(b)) | (a == b)
    return element(near | (np.isnan(a) & np.isnan(b)) if equal_nan else near)


@means(np.allclose, complex=True)
def allclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    return bool(np.all(np.isclose(a, b, rtol, atol, equal_nan)))


@means(np.array_equal, complex=True)
def array_equal(a1, a2, equal_nan=False):
    a, b, equal_nan = np.asarray(a1), np.asarray(a2), known(equal_nan, "it is a flag")
    if a.shape != b.shape:
        return False
    same = a == b
    return bool(np.all(same | (np.isnan(a) & np.isnan(b)) if equal_nan else same))


@means(np.array_equiv, complex=True)
def array_equiv(a1, a2):
    a, b = np.asarray(a1), np.asarray(a2)
    rank = min(a.ndim, b.ndim)
    for n, m in zip(a.shape[a.ndim - rank:], b.shape[b.ndim - rank:]):
        if n != m and n != 1 and m != 1:
            return False
    return bool(np.all(a == b))


@means(np.bitwise_count)
def bitwise_count(x):
    x = np.multiply(x, 1)
    if x.dtype.kind == "i":
        x = np.abs(x)
    count, rest = np.zeros(np.shape(x), np.uint8), np.asarray(x).astype(np.uint64)
    for _ in range(8 * x.dtype.itemsize):
        count, rest = count + (rest & np.uint64(1)).astype(np.uint8), rest >> np.uint64(1)
    return element(count)


@means(np.ediff1d, complex=True)
def ediff1d(ary, to_end=None, to_begin=None):
    a = np.ravel(ary).copy()
    parts = [a[1:] - a[:-1]]
    if to_begin is not None:
        parts = [np.ravel(to_begin).copy().astype(a.dtype), *parts]
    if to_end is not None:
        parts = [*parts, np.ravel(to_end).copy().astype(a.dtype)]
    return np.concatenate(parts)


@means(np.unwrap)
def unwrap(p, discont=None, axis=-1, *, period=2 * np.pi):
    p = np.asarray(p)
    if p.dtype.kind != "f":
        refuse("np.unwrap of integers", "Convert them: x.astype(float).")
    d = np.diff(p, axis=axis)
    least = period / 2 if discont is None else np.maximum(discont, period / 2)
    high = period / 2
    moved = np.mod(d + high, period) - high
    moved = np.where((moved == -high) & (d > 0), moved + period, moved)  # a jump of half a period keeps its sign
    correct = np.where(np.abs(d) < least, np.zeros(1, p.dtype), moved - d)
    axis = axis_of(axis, p.ndim)
    first, others = along(axis, slice(None, 1), p.ndim), along(axis, slice(1, None), p.ndim)
    return np.concatenate([p[first], p[others] + np.cumsum(correct, axis)], axis)
