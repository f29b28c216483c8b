"""Sets, counts of equal elements, histograms."""
import numpy as np

from .registry import at_least, known, means, refuse
from .shapes import element


@means(np.isin, unasked=True)
def isin(element, test_elements, assume_unique=False, invert=False):
    x, among = np.asarray(element), np.ravel(np.asarray(test_elements))
    common = np.result_type(x.dtype, among.dtype)
    among, x = np.sort(among.astype(common)), x.astype(common)
    found = np.asarray((np.searchsorted(among, x, "right") > np.searchsorted(among, x)) & (x == x))
    return np.asarray(~found) if known(invert, "it is a flag") else found


def flat_unique(x):
    return np.unique(np.asarray(x))


@means(np.union1d, unasked=True)
def union1d(ar1, ar2):
    return np.unique(np.concatenate((ar1, ar2), axis=None))


@means(np.intersect1d, unasked=True)
def intersect1d(ar1, ar2):
    a, b = flat_unique(ar1), flat_unique(ar2)
    return a[np.isin(a, b)].astype(np.result_type(a.dtype, b.dtype))


@means(np.setdiff1d, unasked=True)
def setdiff1d(ar1, ar2):
    a = flat_unique(ar1)
    return a[~np.isin(a, ar2)]


@means(np.setxor1d, unasked=True)
def setxor1d(ar1, ar2):
    both = np.sort(np.concatenate((flat_unique(ar1), flat_unique(ar2))))
    edges = np.concatenate((np.ones(1, dtype=np.bool_), both[1:] != both[:-1], np.ones(1, dtype=np.bool_)))
    if len(both) == 0:
        return both
    return both[edges[1:] & edges[:-1]]


@means(np.bincount, unasked=True)
def bincount(x, /, weights=None, minlength=0):
    x = np.asarray(x)
    if x.ndim != 1:
        raise ValueError("object of too small depth for desired array" if x.ndim == 0
                         else "object too deep for desired array")
    if x.dtype.kind not in "iub":
        raise TypeError("Cannot cast array data to dtype('int64') according to the rule 'safe'")
    if minlength < 0:
        raise ValueError("'minlength' must not be negative")
    kind = np.result_type(int) if weights is None else np.result_type(float)
    if weights is not None and not at_least(len(x), 1):
        refuse("np.bincount with weights= of what may be empty", "Test the length before.")
    if np.any(x < 0):
        raise ValueError("'list' argument must have no negative elements")
    y = np.zeros(max(int(np.max(x.astype(int), initial=-1)) + 1, minlength), kind)
    if weights is None:
        np.add.at(y, x.astype(int), 1)
        return y
    weights = np.asarray(weights)
    if weights.shape != x.shape:
        raise ValueError("The weights and list don't have the same length.")
    np.add.at(y, x.astype(int), weights.astype(kind))
    return y


@means(np.histogram_bin_edges, unasked=True)
def histogram_bin_edges(a, bins=10, range=None, weights=None):
    a = np.ravel(np.asarray(a))
    if isinstance(bins, str):
        refuse("np.histogram with bins that a rule chooses", "Give their number, or the edges.")
    if np.ndim(bins):
        edges = np.asarray(bins)
        if edges.ndim > 1:
            raise ValueError("`bins` must be 1d, when an array")
        if not at_least(len(edges), 2):
            refuse("np.histogram with fewer than two edges", "Give at least two.")
        if np.any(edges[:-1] > edges[1:]):
            raise ValueError("`bins` must increase monotonically, when an array")
        return edges
    if isinstance(bins, np.ndarray) and bins.dtype.kind not in "iu":
        raise TypeError("`bins` must be an integer, a string, or an array")
    if bins < 1:
        raise ValueError("`bins` must be positive, when an integer")
    first, last = outer_edges(a, range)
    kind = np.result_type(first, last, a)
    first, last = np.multiply(first, 1.0), np.multiply(last, 1.0)
    if not (np.isfinite(first) and np.isfinite(last)):
        raise ValueError("range is not finite")
    half = element(np.where(first == last, 0.5, 0.0))
    edges = np.linspace(first - half, last + half, bins + 1)
    return edges.astype(kind if kind.kind == "f" else float)


def outer_edges(a, range):
    """The ends of a histogram, as they are given or of the elements."""
    if range is not None:
        first, last = range
        if first > last:
            raise ValueError("max must be larger than min in range parameter.")
        return first, last
    if at_least(len(a), 1):
        return np.min(a), np.max(a)
    if len(a) == 0:
        return np.float64(0.0), np.float64(1.0)
    return np.min(a.astype(float), initial=np.inf), np.max(a.astype(float), initial=-np.inf)


def places_between(a, edges):
    """(the number of the bin of each element, whether it is in one)"""
    k = np.searchsorted(edges, a, "right") - 1
    k = np.where(a == edges[-1], len(edges) - 2, k)
    return k, (k >= 0) & (k < len(edges) - 1)


@means(np.histogram, unasked=True)
def histogram(a, bins=10, range=None, density=None, weights=None):
    edges = np.histogram_bin_edges(a, bins, range)
    shape, a = np.shape(a), np.ravel(np.asarray(a))
    k, inside = places_between(a, edges)
    kind = np.result_type(int) if weights is None else np.asarray(weights).dtype
    if weights is not None and np.shape(weights) != shape:
        raise ValueError("weights should have the same shape as a.")
    counts = np.zeros(len(edges) - 1, kind)
    one = np.ones(len(a), kind) if weights is None else np.ravel(np.asarray(weights))
    np.add.at(counts, np.where(inside, k, 0), np.where(inside, one, np.zeros(1, kind)))
    if density is not None and known(density, "it is a flag"):
        return counts / np.diff(edges) / np.sum(counts), edges
    return counts, edges


def lines_between(x, bins, range):
    """The edges along one axis of a histogram of several."""
    if np.ndim(bins):
        edges = np.asarray(bins)
        if edges.ndim > 1 or not at_least(len(edges), 2):
            refuse("a histogram with fewer than two edges, or with a matrix of them", "Give at least two.")
        if np.any(edges[:-1] > edges[1:]):
            raise ValueError("`bins[0]` must be monotonically increasing, when an array")
        return edges
    if bins < 1:
        raise ValueError("`bins[0]` must be positive, when an integer")
    if range is not None:  # which decides the dtype, and the elements do not
        return np.histogram_bin_edges(np.zeros(1), bins, range)
    return np.histogram_bin_edges(x, bins)


@means(np.histogramdd, unasked=True)
def histogramdd(sample, bins=10, range=None, density=None, weights=None):
    if np.ndim(sample) == 0:
        refuse("np.histogramdd of a number", "Give it points.")
    rows = (np.atleast_2d(np.asarray(sample)) if isinstance(sample, (list, tuple)) or np.ndim(sample) != 2
            else np.asarray(sample).T)
    counts, edges = of_columns([x for x in rows], bins, range, density, weights)
    return counts, [line for line in edges]


def of_columns(columns, bins, range, density, weights):
    """A histogram of several axes: (counts, edges)"""
    count = len(columns)
    many = isinstance(bins, (list, tuple)) or isinstance(bins, np.ndarray) and np.ndim(bins) != 0
    if many and len(bins) != count:
        raise ValueError("The dimension of bins must be equal to the dimension of the sample x.")
    ranges = (None,) * count if range is None else range
    if len(ranges) != count:
        raise ValueError("range argument must have one entry per dimension")
    edges = [lines_between(x, b, r) for x, b, r in zip(columns, bins if many else (bins,) * count, ranges)]
    places, inside = [], np.ones(len(columns[0]), dtype=np.bool_)
    for x, line in zip(columns, edges):
        k, there = places_between(x, line)
        places.append(k)
        inside = inside & there
    counts = np.zeros(tuple([len(line) - 1 for line in edges]))
    one = np.ones(len(columns[0])) if weights is None else np.asarray(weights).astype(float)
    np.add.at(counts, tuple([np.where(inside, k, 0) for k in places]), np.where(inside, one, 0.0))
    if density is not None and known(density, "it is a flag"):
        counts = as_density(counts, edges)
    return counts, tuple(edges)


def as_density(counts, edges):
    total = np.sum(counts)
    for k, line in enumerate(edges):
        counts = counts / np.diff(line).reshape((-1,) + (1,) * (len(edges) - k - 1))
    return counts / total


@means(np.histogram2d, unasked=True)
def histogram2d(x, y, bins=10, range=None, density=None, weights=None):
    x, y = np.asarray(x), np.asarray(y)
    if len(x) != len(y):
        raise ValueError("x and y must have the same length.")
    if x.ndim != 1 or y.ndim != 1:
        raise ValueError("x and y must be vectors")
    if not (isinstance(bins, (list, tuple)) and len(bins) == 2) and np.ndim(bins):  # two may be lists of edges
        bins = (bins, bins)
    rows = np.stack((x, y))
    counts, edges = of_columns([rows[0], rows[1]], bins, range, density, weights)
    return counts, edges[0], edges[1]
