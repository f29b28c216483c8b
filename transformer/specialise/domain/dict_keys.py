"""Dicts that have a key on some paths only, and the order of keys that paths have put there."""
from __future__ import annotations

from . import values as v
from .growing_lists import of_content
from .lattice import keys_in, unchanged

OTHER_LENGTH = "it has another length, or other keys, on each path"


def item_hint(key) -> str:
    """What to call the item under a key."""
    return key if isinstance(key, str) and key.isidentifier() else "item"


def keys_in_order(keys: tuple, others: tuple) -> tuple:
    """The keys of two dicts, in an order that both have, if there is one."""
    result, rest = [], [*others]
    for key in keys:
        if key in rest:
            at = rest.index(key)
            result, rest = [*result, *rest[:at]], rest[at + 1:]
        result.append(key)
    found = dict.fromkeys([*result, *rest])
    return (tuple if type(keys) is type(others) is tuple and len(found) == len(result + rest) else v.Unordered)(found)


def beside_by_key(keys, names, items, missing=None) -> tuple:
    """(the keys of both, what both have under each of them, or what is missing)"""
    return [keys, keys], [tuple(dict(zip(own, content)).get(k, missing) for k in keys)
                          for own, content in zip(names, items)]


def with_keys(join, x, y, names) -> tuple:
    """A dict that has a key on one path only: a flag says whether it is there."""
    contents = [join.content_of(k, b) for k, b in enumerate((x, y))]
    if join.is_asked_before() or [*map(len, names)] != [*map(len, contents)]:
        raise v.Conflict(OTHER_LENGTH)
    (keys, _), items = beside_by_key(keys_in_order(*names), names, contents)
    join.heap[join.pairs[x.box, y.box], v.KEYS] = keys
    return tuple([join.slot(a, b, item_hint(key), missing=v.NoKey(str(key))) for key, a, b in zip(keys, *items)])


def items_by_key(headers, ref, entry, header, end, keys, others) -> tuple:
    """The items of a dict that gets keys on some paths: a flag says whether they are there at the header."""
    own, new, old = dict(zip(keys, entry)), dict(zip(others, end)), dict(zip(headers.keys.get(ref, ()), header or ()))
    more = [key for key in others if key not in own]
    if (not new.keys() >= own.keys() | old.keys()
            or not all([key in old or v.is_uncertain(new[key]) for key in more])):
        raise v.Grows(headers.s.changed_at.get(ref), ref, end, headers.heaps[1])
    headers.keys[ref] = others = keys_in_order(keys, others)
    items = [headers.value(own[key], new[key], item_hint(key), old.get(key)) if key in own
             else headers.optional(None, new[key], item_hint(key), old.get(key), v.NoKey(str(key))) for key in others]
    return header if unchanged(items, header) else tuple(items)


def fitting_contents(headers, entry, end) -> tuple:
    """(what two containers hold, what the keys of both are): they fit together, or this raises."""
    if entry is None:
        return (None, headers.content_of(1, end)), keys_in(headers.heaps[1], end)
    contents = headers.content_of(0, entry), headers.content_of(1, end)
    keys = [keys_in(heap, x) for heap, x in zip(headers.heaps, (entry, end))]
    has_rows = [of_content(content) is not None for content in contents]
    if len(contents[0]) != len(contents[1]) or keys[0] != keys[1] or has_rows[0] != has_rows[1]:
        grows = end.cls is list and end.box in headers.s.appended
        headers.s.appended |= {entry.box} if grows else set()
        raise v.Grows(headers.s.origin(), *[entry.box, contents[1], headers.heaps[1]] * grows)
    return contents, keys[1]
