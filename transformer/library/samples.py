"""statistics: of floats, to rounding (Python computes them in fractions, and rounds once)."""
import math
import statistics

import numpy as np

from .registry import means, refuse

OF_FLOATS = "Give it floats: [float(v) for v in data]."


def list_of_floats(data, name):
    """The numbers as an array of floats: Python's, of a list, or NumPy's, of an array."""
    x = np.asarray(data)
    if x.ndim != 1 or x.dtype != np.float64:
        refuse(f"statistics.{name} of what is no list of floats", OF_FLOATS)
    return x


def as_items(data, y):
    """A result in the class of the items."""
    return np.float64(y) if isinstance(data[0], np.generic) else float(y)


def enough(x, least, name):
    if len(x) < least:
        points = "one data point" if least == 1 else "two data points"
        raise statistics.StatisticsError(f"{name} requires at least {points}")


def exact_mean(x):
    """The mean, whose own rounding is taken back."""
    m = np.mean(x)
    return m + np.mean(x - m)


def sum_of_squares(x, center):
    c = exact_mean(x) if center is None else center
    return np.sum((x - c) ** 2)


@means(statistics.mean)
def mean_of(data):
    x = list_of_floats(data, "mean")
    enough(x, 1, "mean")
    return as_items(data, exact_mean(x))


@means(statistics.fmean)
def fmean(data, weights=None):
    x = list_of_floats(data, "fmean")
    if len(x) < 1:
        raise statistics.StatisticsError("fmean requires at least one data point")
    if weights is None:
        return float(exact_mean(x))
    w = np.asarray(weights).astype(float)
    if len(w) != len(x):
        raise statistics.StatisticsError("data and weights must be the same length")
    total = float(np.sum(w))
    if total == 0:
        raise statistics.StatisticsError("sum of weights must be non-zero")
    return float(np.sum(x * w)) / total


@means(statistics.variance)
def sample_variance(data, xbar=None):
    x = list_of_floats(data, "variance")
    enough(x, 2, "variance")
    return as_items(data, sum_of_squares(x, xbar) / (len(x) - 1))


@means(statistics.pvariance)
def pvariance(data, mu=None):
    x = list_of_floats(data, "pvariance")
    enough(x, 1, "pvariance")
    return as_items(data, sum_of_squares(x, mu) / len(x))


@means(statistics.stdev)
def stdev(data, xbar=None):
    x = list_of_floats(data, "stdev")
    enough(x, 2, "stdev")
    return math.sqrt(sum_of_squares(x, xbar) / (len(x) - 1))


@means(statistics.pstdev)
def pstdev(data, mu=None):
    x = list_of_floats(data, "pstdev")
    enough(x, 1, "pstdev")
    return math.sqrt(sum_of_squares(x, mu) / len(x))


@means(statistics.quantiles)
def quantiles_of(data, *, n=4, method="exclusive"):
    refuse("statistics.quantiles", "Write np.quantile(x, [0.25, 0.5, 0.75], method='weibull').")
