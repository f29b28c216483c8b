"""Reductions that leave out what is no number."""
import numpy as np

from .masked import largest_of, least_of
from .quantiles import hundredths, median_of, quantiles
from .registry import means
from .shapes import element
from .statistics import ABSENT


def missing(a):
    """Where an array has no numbers; an array without floats has them everywhere."""
    return np.isnan(a) if a.dtype.kind in "fc" else np.zeros(a.shape, dtype=np.bool_)


def without(a, neutral):
    """The array with something neutral in the place of what is no number."""
    return np.where(np.isnan(a), np.full(1, neutral, a.dtype), a) if a.dtype.kind in "fc" else a


@means(np.nansum, complex=True)
def nansum(a, axis=None, dtype=None, keepdims=False, initial=0, where=True):
    return np.sum(without(np.asarray(a), 0), axis, dtype, keepdims=keepdims, initial=initial, where=where)


@means(np.nanprod, complex=True)
def nanprod(a, axis=None, dtype=None, keepdims=False, initial=1, where=True):
    return np.prod(without(np.asarray(a), 1), axis, dtype, keepdims=keepdims, initial=initial, where=where)


@means(np.nancumsum, complex=True)
def nancumsum(a, axis=None, dtype=None):
    return np.cumsum(without(np.asarray(a), 0), axis, dtype)


@means(np.nancumprod, complex=True)
def nancumprod(a, axis=None, dtype=None):
    return np.cumprod(without(np.asarray(a), 1), axis, dtype)


def chosen(a, where):
    """Which elements count."""
    return ~missing(a) if where is True else np.broadcast_to(where, a.shape) & ~missing(a)


@means(np.nanmean, complex=True)
def nanmean(a, axis=None, dtype=None, keepdims=False, *, where=True):
    a = np.asarray(a)
    if a.dtype.kind not in "fc":
        return np.mean(a, axis, dtype, keepdims=keepdims, where=where)
    return np.mean(a, axis, dtype, keepdims=keepdims, where=chosen(a, where))


@means(np.nanvar)
def nanvar(a, axis=None, dtype=None, ddof=0, keepdims=False, *, where=True, mean=ABSENT, correction=ABSENT):
    a, ddof = np.asarray(a), ddof if correction is ABSENT else correction
    if a.dtype.kind != "f":
        return np.var(a, axis, dtype, ddof=ddof, keepdims=keepdims, where=where, mean=mean)
    some = chosen(a, where)
    y = np.var(without(a, 0), axis, dtype, ddof=ddof, keepdims=keepdims, where=some, mean=mean)
    count = np.sum(some, axis, keepdims=keepdims)  # where none is left, no number
    return element(np.where(count > ddof, y, np.full(1, np.nan, y.dtype)[0]))


@means(np.nanstd)
def nanstd(a, axis=None, dtype=None, ddof=0, keepdims=False, *, where=True, mean=ABSENT, correction=ABSENT):
    return np.sqrt(np.nanvar(a, axis, dtype, ddof=ddof, keepdims=keepdims, where=where, mean=mean,
                             correction=correction))


def of_numbers(y, a, axis, keepdims):
    """A result; no number where there was none."""
    none = np.all(missing(a), axis, keepdims=keepdims)
    return element(np.where(none, np.full(1, np.nan, y.dtype)[0], y))


@means(np.nanmax)
def nanmax(a, axis=None, keepdims=False, initial=None, where=True):
    a = np.asarray(a)
    if a.dtype.kind != "f":
        return np.max(a, axis, keepdims=keepdims, initial=initial, where=where)
    full = without(a, least_of(a.dtype))
    if initial is not None:
        return np.max(full, axis, keepdims=keepdims, initial=initial, where=where)
    return of_numbers(np.max(full, axis, keepdims=keepdims), a, axis, keepdims)


@means(np.nanmin)
def nanmin(a, axis=None, keepdims=False, initial=None, where=True):
    a = np.asarray(a)
    if a.dtype.kind != "f":
        return np.min(a, axis, keepdims=keepdims, initial=initial, where=where)
    full = without(a, largest_of(a.dtype))
    if initial is not None:
        return np.min(full, axis, keepdims=keepdims, initial=initial, where=where)
    return of_numbers(np.min(full, axis, keepdims=keepdims), a, axis, keepdims)


@means(np.nanargmax)
def nanargmax(a, axis=None, *, keepdims=False):
    a = np.asarray(a)
    if np.any(np.all(missing(a), axis)):
        raise ValueError("All-NaN slice encountered")
    return np.argmax(without(a, least_of(a.dtype)), axis, keepdims=keepdims)


@means(np.nanargmin)
def nanargmin(a, axis=None, *, keepdims=False):
    a = np.asarray(a)
    if np.any(np.all(missing(a), axis)):
        raise ValueError("All-NaN slice encountered")
    return np.argmin(without(a, largest_of(a.dtype)), axis, keepdims=keepdims)


@means(np.nanmedian)
def nanmedian(a, axis=None, overwrite_input=False, keepdims=False):
    return median_of(a, axis, keepdims, True)


@means(np.nanquantile)
def nanquantile(a, q, axis=None, overwrite_input=False, method="linear", keepdims=False):
    return quantiles(a, q, axis, method, keepdims, True)


@means(np.nanpercentile)
def nanpercentile(a, q, axis=None, overwrite_input=False, method="linear", keepdims=False):
    return quantiles(a, hundredths(q), axis, method, keepdims, True)
