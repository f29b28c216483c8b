"""The iterators of `itertools`, in Python: a class gives one by one what that of Python's gives, as far as it is known.

    @iterates(itertools.count())    a call of itertools.count makes a Count, which users see as an itertools.count
    class Count:

What is passed over is drawn by `filter`, or by a list of as many items: a loop would be one of the run time first.
Each attribute is set by itself, since what is unpacked is drawn as well.
"""
from __future__ import annotations

import itertools
import operator

import numpy as np

from .registry import computed, known, means

ITERATORS: dict[type, tuple] = {}  # class of Python's -> (one of it, ours, what is called)
END = object()
KEEPS = "it decides what an iterator gives"


def iterates(example, function=None):
    """Enter a class for calls of the class of this iterator, or of a function that gives one."""
    def enter(ours):
        ITERATORS[type(example)] = example, ours, function or type(example)
        return ours
    return enter


@iterates(itertools.count())
class Count:
    def __init__(self, start=0, step=1):
        self.at = start
        self.step = step

    def __next__(self):
        found = self.at
        self.at = found + self.step
        return found


@iterates(itertools.repeat(0))
class Repeat:
    def __init__(self, object, times=None):
        self.object = object
        self.times = times if times is None else known(operator.index(times), KEEPS)

    def __next__(self):
        if self.times is not None:
            if self.times <= 0:
                raise StopIteration
            self.times -= 1
        return self.object


@iterates(itertools.cycle(()))
class Cycle:
    def __init__(self, iterable, /):
        self.items = tuple(iterable)
        self.at = -1

    def __next__(self):
        if not self.items:
            raise StopIteration
        self.at = (self.at + 1) % len(self.items)
        return self.items[self.at]


@iterates(itertools.islice((), 0))
class Islice:
    def __init__(self, iterable, /, *bounds):
        computed(itertools.islice, (), *bounds)  # raises what is wrong
        part = slice(*bounds)
        self.items = iter(iterable)
        self.at = 0
        self.following = known(part.start or 0, KEEPS)
        self.stop = known(part.stop, KEEPS)
        self.step = known(part.step or 1, KEEPS)

    def __next__(self):
        items = self.items
        self.items = None  # it has ended, unless there is another item
        if items is None:
            raise StopIteration
        if self.at < self.following:
            [next(items) for _ in range(self.following - self.at)]
            self.at = self.following
        if self.stop is not None and self.at >= self.stop:
            raise StopIteration
        found = next(items)
        self.items = items
        self.at += 1
        self.following += self.step
        if self.stop is not None and self.following > self.stop:
            self.following = self.stop
        return found


@iterates(itertools.accumulate(()))
class Accumulate:
    def __init__(self, iterable, func=None, *, initial=None):
        self.items = iter(iterable)
        self.func = operator.add if func is None else func
        self.total = () if initial is None else (initial,)
        self.is_initial = initial is not None

    def __next__(self):
        if self.is_initial:
            self.is_initial = False
        else:
            item = next(self.items)
            self.total = (self.func(self.total[0], item) if self.total else item,)
        return self.total[0]


@iterates(itertools.pairwise(()))
class Pairwise:
    def __init__(self, iterable, /):
        self.items = iter(iterable)
        self.last = ()

    def __next__(self):
        last = self.last or (next(self.items),)
        self.last = (next(self.items),)
        return last + self.last


@iterates(itertools.starmap(int, ()))
class Starmap:
    def __init__(self, function, iterable, /):
        self.function = function
        self.items = iter(iterable)

    def __next__(self):
        return self.function(*next(self.items))


@iterates(itertools.takewhile(int, ()))
class Takewhile:
    def __init__(self, predicate, iterable, /):
        self.predicate = predicate
        self.items = iter(iterable)
        self.ended = False

    def __next__(self):
        if self.ended:
            raise StopIteration
        item = next(self.items)
        self.ended = not known(bool(self.predicate(item)), KEEPS)
        if self.ended:
            raise StopIteration
        return item


@iterates(itertools.dropwhile(int, ()))
class Dropwhile:
    def __init__(self, predicate, iterable, /):
        self.predicate = predicate
        self.items = iter(iterable)
        self.dropping = True

    def keeps(self, item):
        self.dropping = self.dropping and known(bool(self.predicate(item)), KEEPS)
        return not self.dropping

    def __next__(self):
        return next(filter(self.keeps, self.items))


@iterates(itertools.filterfalse(int, ()))
class Filterfalse:
    def __init__(self, function, iterable, /):
        self.function = bool if function is None else function
        self.items = iter(iterable)

    def keeps(self, item):
        return not known(bool(self.function(item)), KEEPS)

    def __next__(self):
        return next(filter(self.keeps, self.items))


@iterates(itertools.compress((), ()))
class Compress:
    def __init__(self, data, selectors):
        self.rows = zip(data, selectors)

    def __next__(self):
        return next(filter(lambda row: known(bool(row[1]), KEEPS), self.rows))[0]


@iterates(itertools.zip_longest())
class ZipLongest:
    def __init__(self, *iterables, fillvalue=None):
        self.fill = fillvalue
        self.parts = [iter(x) for x in iterables]

    def __next__(self):
        row = [END if part is None else next(part, END) for part in self.parts]
        if all([x is END for x in row]):
            raise StopIteration
        self.parts = [None if x is END else part for x, part in zip(row, self.parts)]
        return tuple([self.fill if x is END else x for x in row])


@iterates(itertools.groupby(()))
class Groupby:
    """The item that was drawn last, if nobody has had it, and its key; the key of the group; how many there were."""

    def __init__(self, iterable, key=None):
        self.items = iter(iterable)
        self.function = key
        self.count = 0
        self.item = self.key = self.of_group = ()

    def is_in_group(self):
        return self.of_group and known(bool(self.of_group[0] == self.key[0]), KEEPS)

    def draw(self, item):
        """Is the item the first one of another group?"""
        self.item = (item,)
        self.key = (item if self.function is None else self.function(item),)
        return not self.is_in_group()

    def __next__(self):
        self.count += 1
        if not self.key or self.is_in_group():
            next(filter(self.draw, self.items))
        self.of_group = self.key
        return self.key[0], itertools._grouper(self, self.count)


@iterates(next(itertools.groupby("a"))[1])
class Group:
    def __init__(self, of, number, /):
        self.of = of
        self.number = number

    def __next__(self):
        if self.of.count != self.number:
            raise StopIteration
        if not self.of.item:
            self.of.draw(next(self.of.items))
        if not self.of.is_in_group():
            raise StopIteration
        found = self.of.item
        self.of.item = ()
        return found[0]


@iterates(itertools.chain(), itertools.chain.from_iterable)
class Chain:
    def __init__(self, iterable, /):
        self.others = iter(iterable)
        self.opened = iter(())
        self.item = None

    def draw(self, iterable):
        """Is there an item in the next iterable?"""
        self.opened = iter(iterable)
        self.item = next(self.opened, END)
        return self.item is not END

    def __next__(self):
        item = next(self.opened, END)
        if item is END:
            next(filter(self.draw, self.others))
            item = self.item
            self.item = None
        return item


@means(itertools.chain)
def chain(*iterables):
    return itertools.chain.from_iterable(iterables)


@means(itertools.tee)
def tee(iterable, n=2, /):
    """Iterators of their own over what an iterator still gives."""
    n = operator.index(n)
    if n < 0:
        raise ValueError("n must be >= 0")
    items = tuple(iterable)
    return tuple([iter(items) for _ in range(known(n, KEEPS))])


def places(shape):
    """The places in an array of this shape, the last index first; of none the place of a number."""
    if len(shape) == 0:
        yield ()
    elif len(shape) == 1:
        for k in range(shape[0]):
            yield (k,)
    else:
        for k in range(shape[0]):
            for rest in places(shape[1:]):
                yield (k, *rest)


@means(np.ndindex, unasked=True, complex=True)
def ndindex(*shape):
    return places(tuple(shape[0]) if len(shape) == 1 and isinstance(shape[0], tuple) else shape)


@means(np.ndenumerate, unasked=True, complex=True)
def ndenumerate(arr):
    x = np.asarray(arr)
    return ((place, x[place]) for place in places(x.shape))
