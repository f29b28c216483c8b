"""What is done with lists and dicts of as many items as the run decides, for which rows of arrays stand.

    counts[k] = v                   a dict with keys that the run computes is a list of pairs here
                                    [(key, value), ...], with each key once, in the order of a dict
"""
from __future__ import annotations

from .registry import ensure, refuse
from .standard import inserted

NO_ITEMS = "pop from empty list"


# lists: the evaluator itself does append, items and parts, stores of an item, and `del items[-1:]` --------------
def place_in(k, n, message="list assignment index out of range"):
    """Which of n items an index means."""
    if k < -n or k >= n:
        raise IndexError(message)
    return k + n if k < 0 else k


def repeated(items, n):
    """items * n"""
    return [x for _ in range(n) for x in items]


def together(items, more):
    """items + more"""
    found = [x for x in items]
    for x in more:
        found.append(x)
    return found


def put_part(items, part, values):
    """items[part] = values"""
    n = len(items)
    if part.step is not None:
        refuse("a store into every so many items of a list that is as long as the run decides",
               "Store them one by one, in a loop.")
    start = 0 if part.start is None else max(part.start + n, 0) if part.start < 0 else min(part.start, n)
    stop = n if part.stop is None else part.stop + n if part.stop < 0 else min(part.stop, n)
    items[:] = together(together(items[:start], values), items[max(start, stop):])


def popped(items, k=None):
    if len(items) == 0:
        raise IndexError(NO_ITEMS)
    if k is None:
        found = items[-1]
        del items[-1:]
        return found
    at = place_in(k, len(items), "pop index out of range")
    found = items[at]
    shortened(items, at)
    return found


def shortened(items, at):
    """Leave the item at this place out."""
    for j in range(at, len(items) - 1):
        items[j] = items[j + 1]
    del items[-1:]


def deleted_at(items, k):
    shortened(items, place_in(k, len(items)))


def extended(items, more):
    for x in [y for y in more]:  # it may be the list itself
        items.append(x)


def copied(items):
    return items[:]


def times(items, x):
    return sum(1 for y in items if y == x)


def first_place(items, x):
    """Where the first item stands that is equal to x; -1: nowhere."""
    for k in range(len(items)):
        if items[k] == x:
            return k
    return -1


def index_of(items, x):
    at = first_place(items, x)
    if at < 0:
        raise ValueError(f"{x!r} is not in list")
    return at


def removed(items, x):
    at = first_place(items, x)
    if at < 0:
        raise ValueError("list.remove(x): x not in list")
    shortened(items, at)


def put_in_order(items, *, key=None, reverse=False):
    items[:] = sorted(items, key=key, reverse=reverse)


def turned_round(items):
    items[:] = items[::-1]


def cleared(items):
    items[:] = []


LIST_METHODS = {"pop": popped, "insert": inserted, "extend": extended, "copy": copied, "count": times,
                "index": index_of, "remove": removed, "sort": put_in_order, "reverse": turned_round, "clear": cleared}


# dicts ----------------------------------------------------------------------------------------
def place_of(pairs, key):
    """Where a key stands; -1: nowhere."""
    at = -1
    for k in range(len(pairs)):
        if pairs[k][0] == key:
            at = k
    return at


def no_key(key):
    raise KeyError(key)


def under(pairs, key, missing):
    """The item under a key; what `missing(key)` gives, or raises, where there is none."""
    at = place_of(pairs, key)
    if at < 0:
        return missing(key)
    return pairs[at][1]


def put_under(pairs, key, item):
    at = place_of(pairs, key)
    if at < 0:
        pairs.append((key, item))
    else:
        pairs[at] = (pairs[at][0], item)


def put_again(pairs, key, item):
    """d[key] += v: there is such a key, of which the item was read."""
    at = place_of(pairs, key)
    ensure(at >= 0, "a key of a dict that is taken away while its item is changed")
    pairs[at] = (pairs[at][0], item)


def is_under(pairs, key):
    return place_of(pairs, key) >= 0


def taken_away(pairs, key):
    at = place_of(pairs, key)
    if at < 0:
        raise KeyError(key)
    shortened(pairs, at)


def dict_of(pairs):
    return {key: item for key, item in pairs}


def got(pairs, key, default=None):
    return under(pairs, key, lambda key: default)


def set_by_default(pairs, key, default=None):
    if place_of(pairs, key) < 0:
        pairs.append((key, default))
    return under(pairs, key, no_key)


def popped_key(pairs, key, *default):
    at = place_of(pairs, key)
    if at < 0:
        return default[0] if default else no_key(key)
    found = pairs[at][1]
    shortened(pairs, at)
    return found


def updated(pairs, others):
    for key, item in others.items():
        put_under(pairs, key, item)


DICT_METHODS = {"get": got, "setdefault": set_by_default, "pop": popped_key, "update": updated,
                "copy": dict_of, "__contains__": is_under}
READING = ("get", "__contains__", "copy")
OF_PLAIN_DICTS = ("update", "copy")  # which are others of its subclasses
