"""Functions of the standard library that are written in C, read as the Python versions that stand beside them.

    heapq.heappush(heap, item)    C; Lib/heapq.py has a heappush in Python as well, which Python imports where it has no
                                  C, and which gives the same in all cases: that one is read, like a user's function

So heaps have the layout of Python's, and `bisect` finds what Python's finds, also in what is not sorted.
"""
from __future__ import annotations

import bisect
import collections
import functools
import heapq
import importlib.util
import operator
import sys
from types import ModuleType

from .registry import FUNCTIONS, Written, means, refuse


def written_in_python(module: ModuleType, accelerator: str) -> ModuleType:
    """Another copy of a module, as it is where the module with its functions in C is missing."""
    spec = importlib.util.spec_from_file_location(f"{__name__}.{module.__name__}", module.__spec__.origin)
    copy = importlib.util.module_from_spec(spec)
    in_c = sys.modules.pop(accelerator, None)
    sys.modules[accelerator] = None  # `import` raises an ImportError of it
    try:
        spec.loader.exec_module(copy)
    finally:
        del sys.modules[accelerator]
        sys.modules.update({accelerator: in_c} if in_c else {})
    return copy


def read_in_python(module: ModuleType, accelerator: str, *names: str) -> None:
    copy = written_in_python(module, accelerator)
    for name in names:
        FUNCTIONS[getattr(module, name)] = Written(getattr(copy, name), unasked=True, complex=True)


read_in_python(heapq, "_heapq", "heappush", "heappop", "heapify", "heapreplace", "heappushpop")
read_in_python(bisect, "_bisect", "bisect_left", "bisect_right", "insort_left", "insort_right")


@means(heapq.nsmallest)
def nsmallest(n, iterable, key=None):
    return sorted(iterable, key=key)[:max(n, 0)]


@means(heapq.nlargest)
def nlargest(n, iterable, key=None):
    return sorted(iterable, key=key, reverse=True)[:max(n, 0)]


@means(heapq.merge)
def merge(*iterables, key=None, reverse=False):
    refuse("heapq.merge, which takes items one by one", "Sort them together: sorted([*a, *b]).")


@means(operator.methodcaller)
def methodcaller(name, /, *args, **kwargs):
    return lambda obj: getattr(obj, name)(*args, **kwargs)


def items_got(keys, x):
    found = tuple([x[k] for k in keys])
    return found[0] if len(found) == 1 else found


def attributes_got(paths, x):
    found = tuple([functools.reduce(getattr, path.split("."), x) for path in paths])
    return found[0] if len(found) == 1 else found


GETTERS = {operator.itemgetter: items_got, operator.attrgetter: attributes_got}  # what such an object does when called


@means(dict.fromkeys)
def fromkeys(keys, value=None):
    return {key: value for key in keys}


@means(vars)
def attributes_of(object, /):
    try:
        return object.__dict__
    except AttributeError:
        raise TypeError("vars() argument must have __dict__ attribute") from None


def inserted(items: list, k, item):
    """items.insert(k, item) at a place of the run: it moves down from the end."""
    n = len(items)
    at = max(k + n, 0) if k < 0 else min(k, n)
    items.append(item)
    for j in range(n, 0, -1):
        if j > at:
            items[j - 1], items[j] = items[j], items[j - 1]


def taken_out(items: list, k):
    """items.pop(k) of a place of the run: it moves up to the end."""
    n = len(items)
    if n == 0:
        raise IndexError("pop from empty list")
    if k < -n or k >= n:
        raise IndexError("pop index out of range")
    at = k + n if k < 0 else k
    for j in range(n - 1):
        if j >= at:
            items[j], items[j + 1] = items[j + 1], items[j]
    return items.pop()


def deleted(items: list, k):
    if k < -len(items) or k >= len(items):
        raise IndexError("list assignment index out of range")
    taken_out(items, k)


class DefaultDict(collections.defaultdict):
    """What a defaultdict is here: what makes its items is in its class, `defaultdict_of`."""

    def __missing__(self, key):
        if self.default_factory is None:
            raise KeyError(key)
        made = self[key] = self.default_factory()
        return made

    def copy(self):
        return collections.defaultdict(self.default_factory, self)

    __copy__ = copy

    def __or__(self, other):
        return collections.defaultdict(self.default_factory, dict(self) | other)

    def __ror__(self, other):
        return collections.defaultdict(self.default_factory, other | dict(self))

    def __repr__(self):
        return f"defaultdict({self.default_factory!r}, {dict(self)!r})"


@means(collections._count_elements)
def count_elements(mapping, iterable):
    for element in iterable:
        mapping[element] = mapping.get(element, 0) + 1


class SetBefore:
    """What np.seterr has found: it may be handed back to np.seterr, and nothing else."""

    def __repr__(self):
        raise NotImplementedError("what np.seterr gives is only for np.seterr(**old)")

    __eq__ = __hash__ = __bool__ = lambda self, *_: repr(self)


BEFORE = SetBefore()
