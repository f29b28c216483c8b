"""What Python's functions do with sequences of a length that only the run time knows."""


def in_range(k, start, stop, step):
    inside = (start <= k) & (k < stop) if step > 0 else (stop < k) & (k <= start)
    return inside & ((k - start) % step == 0)


def item_of_range(k, count, start, step):
    if k < -count or k >= count:
        raise IndexError("range object index out of range")
    return start + (k if k >= 0 else count + k) * step


def summed(items, total):
    for x in items:
        total = total + x
    return total


def listed(items):
    return [x for x in items]
