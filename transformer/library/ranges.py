"""`range(n)` of a length that only the run time knows: what the specialiser asks of it."""


def in_range(k, start, stop, step):
    inside = (start <= k) & (k < stop) if step > 0 else (stop < k) & (k <= start)
    return inside & ((k - start) % step == 0)


def item_of_range(k, count, start, step):
    if k < -count or k >= count:
        raise IndexError("range object index out of range")
    return start + (k if k >= 0 else count + k) * step
