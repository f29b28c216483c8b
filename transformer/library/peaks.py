"""scipy.signal.find_peaks: the places of local maxima, of which the values decide how many there are."""
import numpy as np
from scipy import signal

from .registry import means, refuse


@means(signal.find_peaks, unasked=True)
def find_peaks(x, height=None, threshold=None, distance=None, prominence=None, width=None, wlen=None, rel_height=0.5,
               plateau_size=None):
    x = np.asarray(x)
    if x.dtype.kind not in "fiub":
        refuse(f"scipy.signal.find_peaks of {x.dtype}", "Give it real numbers.")
    x = x.astype(float)
    if x.ndim != 1:
        raise ValueError("`x` must be a 1-D array")
    if distance is not None and distance < 1:
        raise ValueError("`distance` must be greater or equal to 1")
    if width is not None or wlen is not None:
        refuse("scipy.signal.find_peaks with width= or wlen=", "Leave it away: prominence= is there.")
    peaks, left, right = maxima(x)
    found = {}
    if plateau_size is not None:
        sizes = right - left + 1
        keep = within(sizes, plateau_size)
        peaks = peaks[keep]
        found |= {"plateau_sizes": sizes[keep], "left_edges": left[keep], "right_edges": right[keep]}
    if height is not None:
        keep = within(x[peaks], height)
        peaks, found = peaks[keep], those(found | {"peak_heights": x[peaks]}, keep)
    if threshold is not None:
        before, after = x[peaks] - x[peaks - 1], x[peaks] - x[peaks + 1]
        lowest, highest = ends_of(threshold)
        keep = within(np.minimum(before, after), (lowest, None)) & within(np.maximum(before, after), (None, highest))
        peaks, found = peaks[keep], those(found | {"left_thresholds": before, "right_thresholds": after}, keep)
    if distance is not None:
        keep = far_enough(peaks, x[peaks], np.ceil(distance))
        peaks, found = peaks[keep], those(found, keep)
    if prominence is not None:
        heights, left, right = prominences(x, peaks)
        keep = within(heights, prominence)
        found = those(found | {"prominences": heights, "left_bases": left, "right_bases": right}, keep)
        peaks = peaks[keep]
    return peaks, found


def those(found, keep):
    return {name: values[keep] for name, values in found.items()}


def maxima(x):
    """(the middles of what is higher than what is before it and after it, where that begins, where it ends)"""
    there, first, last, rise = np.zeros(len(x), bool), np.zeros(len(x), int), np.zeros(len(x), int), -1
    for k in range(1, len(x)):
        if x[k] > x[k - 1]:
            rise = k
        elif x[k] != x[k - 1]:
            if x[k] < x[k - 1] and rise >= 0:
                middle = (rise + k - 1) // 2
                there[middle], first[middle], last[middle] = True, rise, k - 1
            rise = -1
    peaks = np.flatnonzero(there)
    return peaks, first[peaks], last[peaks]


def ends_of(interval):
    """(the least, the most) that is asked for, either of which may be None"""
    least, most = interval if isinstance(interval, (tuple, list)) and len(interval) == 2 else (interval, None)
    for end in (least, most):
        if end is not None and np.ndim(end) != 0:
            refuse("scipy.signal.find_peaks with an array as a bound", "Select afterwards: peaks[x[peaks] > h[peaks]].")
    return least, most


def within(values, interval):
    least, most = ends_of(interval)
    keep = np.ones(len(values), bool)
    if least is not None:
        keep = keep & (least <= values)
    if most is not None:
        keep = keep & (values <= most)
    return keep


def far_enough(peaks, heights, distance):
    """Which peaks are left where each takes away the lower ones that are nearer, the highest first."""
    keep, order = np.ones(len(peaks), bool), np.argsort(heights)
    for k in range(len(peaks) - 1, -1, -1):
        j = order[k]
        if keep[j]:
            keep = keep & ((np.abs(peaks - peaks[j]) >= distance) | (np.arange(len(peaks)) == j))
    return keep


def prominences(x, peaks):
    """(how far each peak stands out, its lowest points before and after: as far as nothing is higher than it)"""
    heights, left, right = np.zeros(len(peaks)), np.zeros(len(peaks), int), np.zeros(len(peaks), int)
    for k in range(len(peaks)):
        peak = peaks[k]
        before, after, i = peak, peak, peak
        while i >= 0 and x[i] <= x[peak]:
            before, i = (i if x[i] < x[before] else before), i - 1
        i = peak
        while i < len(x) and x[i] <= x[peak]:
            after, i = (i if x[i] < x[after] else after), i + 1
        heights[k], left[k], right[k] = x[peak] - max(x[before], x[after]), before, after
    return heights, left, right
