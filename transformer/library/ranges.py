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


def to_list(x):
    """x.tolist()"""
    return x.item() if x.ndim == 0 else [to_list(v) for v in x]


def item_at(x, *index):
    """x.item(k), x.item(i, j)"""
    return (x.reshape(-1)[index[0]] if len(index) == 1 else x[index]).item()


def listed(items):
    return [x for x in items]
