"""`itertools`, and the functions that `operator` makes: an iterator is a box, and goes one step at a time.

    chain       (iterator that is open or None, iterator over those that come)
    islice      (iterator, items before the next one, stop or None, step)
    accumulate  (function or None, iterator, the total so far or None, is it the initial one?)
    groupby     (key or None, iterator): the groups, as product and its like, are made at once, of what is at hand
"""
from __future__ import annotations

import functools
import itertools
import operator

from ...library import ranges
from ...library.registry import each, frontend
from ..domain import values as v
from ..evaluator.names.tables import call_value, calls_of_class
from ..evaluator.objects.attributes import attribute
from ..evaluator.objects.containers import python
from ..evaluator.objects.iteration import (COMPOSED, END, NONE, ONE, STEPS, ZERO, advance, as_int, each_item,
                                           iterate_static, iterator)
from ..evaluator.objects.truths import FALSE, TRUE, truth
from ..evaluator.syntax.indexing import get_at
from ..evaluator.syntax.operators import binary_op, compare_values

KEEPS = "it decides what an iterator gives"
EXAMPLES = (itertools.count(), itertools.repeat(0), itertools.cycle(()), itertools.islice((), 0),
            itertools.accumulate(()), itertools.pairwise(()), itertools.starmap(int, ()),
            itertools.takewhile(int, ()), itertools.dropwhile(int, ()), itertools.compress((), ()),
            itertools.filterfalse(int, ()), itertools.zip_longest(), itertools.product(), itertools.groupby(()),
            itertools.permutations(()), itertools.combinations((), 0))
COMPOSED |= {type(x): x for x in EXAMPLES}


def stepping(cls):
    """A decorator that enters step(s, it, content, why), which gives the next item, or END, of an iterator."""
    def enter(step):
        STEPS[cls] = lambda s, it, why: step(s, it, s.items(it), why)
        return step
    return enter


def new(s, cls, *content):
    return s.box(content, cls, hint="it")


@frontend(itertools.tee)
def tee(s, iterable, n=v.Static(2)):
    """Iterators of their own over what an iterator still gives."""
    items = v.Tuple(tuple(each_item(s, iterable, "tee runs over it")))
    return v.Tuple(tuple([iterator(s, items) for _ in range(s.static(as_int(s, n), KEEPS))]))


# all at once: Python draws all of what these are given, too ------------------------------------------
@each({f: f for f in (itertools.product, itertools.permutations, itertools.combinations,
                      itertools.combinations_with_replacement)})
def chosen_places(function, s, *given, repeat=ONE, r=None):
    """Python chooses among the numbers of the items."""
    if function is itertools.product:
        pools = [iterate_static(s, x, "a product runs over it") for x in given]
        found = python(s, function, *[range(len(p)) for p in pools], repeat=s.static(as_int(s, repeat), KEEPS))
        pools = pools * s.static(as_int(s, repeat), KEEPS)
    else:
        pool = iterate_static(s, given[0], "its items are chosen")
        length = [s.static(x, KEEPS) for x in (*given[1:], *([] if r is None else [r]))]
        found, pools = python(s, function, range(len(pool)), *length), itertools.repeat(pool)
    return iterator(s, v.Tuple(tuple([v.Tuple(tuple([p[k] for p, k in zip(pools, row)])) for row in found])))


@stepping(itertools.zip_longest)
def step_zip_longest(s, it, content, why):
    fill, *parts = content
    row = [END if p == NONE else advance(s, p, why) for p in parts]
    if all([x is END for x in row]):
        return END
    s.change(it, (fill, *[NONE if x is END else p for p, x in zip(parts, row)]))
    return v.Tuple(tuple([fill if x is END else x for x in row]))


@frontend(itertools.groupby)
def groupby(s, iterable, key=NONE):
    """The groups of what is known to be equal before the run."""
    groups: list = []
    for x in each_item(s, iterable, "it is grouped"):
        k = x if key == NONE else call_value(s, key, [x], {})
        if groups and s.static(truth(s, compare_values(s, "equal", groups[-1][0], k)), "it decides what is a group"):
            groups[-1][1].append(x)
        else:
            groups.append((k, [x]))
    return iterator(s, v.Tuple(tuple([v.Tuple((k, iterator(s, v.Tuple(tuple(group))))) for k, group in groups])))


# one after the other -----------------------------------------------------------------------------
frontend(itertools.zip_longest)(lambda s, *given, fillvalue=NONE: new(s, itertools.zip_longest, fillvalue,
                                                                      *[iterator(s, x) for x in given]))
frontend(itertools.chain)(lambda s, *given: new(s, itertools.chain, NONE, iterator(s, v.Tuple(given))))
frontend(itertools.chain.from_iterable)(lambda s, iterable: new(s, itertools.chain, NONE, iterator(s, iterable)))
frontend(itertools.cycle)(lambda s, iterable: new(s, itertools.cycle, v.Tuple(tuple(
    each_item(s, iterable, "it is repeated"))), ZERO))
frontend(itertools.repeat)(lambda s, value, times=NONE: new(
    s, itertools.repeat, value, times if times == NONE else v.Static(s.static(as_int(s, times), KEEPS))))
frontend(itertools.accumulate)(lambda s, iterable, func=NONE, *, initial=NONE: new(
    s, itertools.accumulate, func, iterator(s, iterable), initial, v.Static(initial != NONE)))
frontend(itertools.count)(lambda s, start=ZERO, step=ONE: new(s, itertools.count, start, step))
frontend(itertools.pairwise)(lambda s, iterable: new(s, itertools.pairwise, NONE, iterator(s, iterable)))
frontend(itertools.compress)(lambda s, data, selectors: new(s, itertools.compress, iterator(s, data),
                                                            iterator(s, selectors)))


@stepping(itertools.repeat)
def step_repeat(s, it, content, why):
    value, times = content
    if times != NONE:
        if times.value <= 0:
            return END
        s.change(it, (value, v.Static(times.value - 1)))
    return value


@stepping(itertools.count)
def step_count(s, it, content, why):
    value, step = content
    s.change(it, (binary_op(s, "add", value, step), step))
    return value


@stepping(itertools.cycle)
def step_cycle(s, it, content, why):
    items, at = content
    if not items.items:
        return END
    s.change(it, (items, v.Static((at.value + 1) % len(items.items))))
    return items.items[at.value]


@frontend(itertools.islice)
def islice(s, iterable, *bounds):
    known = [s.static(x, "it says which items are taken") for x in bounds]
    python(s, itertools.islice, (), *known)  # raises what is wrong
    part = slice(*known)
    return new(s, itertools.islice, iterator(s, iterable), v.Static(part.start or 0), v.Static(part.stop),
               v.Static(part.step or 1), ZERO)


@stepping(itertools.islice)
def step_islice(s, it, content, why):
    inner, following, stop, step, at = content
    while stop == NONE or at.value < stop.value:
        item = END if inner == NONE else advance(s, inner, why)
        if item is END:
            break
        here, at = at.value, v.Static(at.value + 1)
        if here == following.value:
            s.change(it, (inner, v.Static(here + step.value), stop, step, at))
            return item
        if stop != NONE and at.value >= stop.value:
            break
    s.change(it, (NONE, following, stop, step, at))
    return END


@stepping(itertools.accumulate)
def step_accumulate(s, it, content, why):
    function, inner, total, is_initial = content
    if is_initial.value:
        s.change(it, (function, inner, total, FALSE))
        return total
    item = advance(s, inner, why)
    if item is END:
        return END
    if total != NONE:
        item = (binary_op(s, "add", total, item) if function == NONE
                else call_value(s, function, [total, item], {}))
    s.change(it, (function, inner, item, FALSE))
    return item


@stepping(itertools.pairwise)
def step_pairwise(s, it, content, why):
    last, inner = content
    first = advance(s, inner, why) if last == NONE else last.items[0]
    second = END if first is END else advance(s, inner, why)
    if second is END:
        return END
    s.change(it, (v.Tuple((second,)), inner))
    return v.Tuple((first, second))


@stepping(itertools.starmap)
def step_starmap(s, it, content, why):
    function, inner, _ = content
    row = advance(s, inner, why)
    return END if row is END else call_value(s, function, iterate_static(s, row, "it is a row of arguments"), {})


def known_test(s, function, item) -> bool:
    return s.static(truth(s, item if function == NONE else call_value(s, function, [item], {})), KEEPS)


@each({f: f for f in (itertools.starmap, itertools.takewhile, itertools.dropwhile, itertools.filterfalse)})
def by_function(cls, s, function, iterable):
    if s.loose and cls in ranges.BY_TESTS:
        return s.call_value(ranges.BY_TESTS[cls], [function, iterable], {})
    return new(s, cls, function, iterator(s, iterable), TRUE)


@stepping(itertools.takewhile)
def step_takewhile(s, it, content, why):
    function, inner, going = content
    item = advance(s, inner, why) if going.value else END
    if item is END or known_test(s, function, item):
        return item
    s.change(it, (function, inner, FALSE))
    return END


@stepping(itertools.dropwhile)
def step_dropwhile(s, it, content, why):
    function, inner, dropping = content
    while (item := advance(s, inner, why)) is not END:
        if not dropping.value or not known_test(s, function, item):
            s.change(it, (function, inner, FALSE))
            return item
    return END


@stepping(itertools.filterfalse)
def step_filterfalse(s, it, content, why):
    function, inner, _ = content
    while (item := advance(s, inner, why)) is not END:
        if not known_test(s, function, item):
            return item
    return END


@stepping(itertools.compress)
def step_compress(s, it, content, why):
    data, selectors = content
    while (item := advance(s, data, why)) is not END and (chosen := advance(s, selectors, why)) is not END:
        if known_test(s, NONE, chosen):
            return item
    return END


# functions that are made -------------------------------------------------------------------------
@each({f: f for f in (operator.itemgetter, operator.attrgetter)})
def getter(function, s, *keys):
    return v.Static(python(s, function, *[s.static(k, "it is looked up") for k in keys]))


@frontend(operator.methodcaller)
def methodcaller(s, name, /, *args, **kwargs):
    def apply(s, _, given, named):
        return call_value(s, attribute(s, given[0], s.static(name, "it is the name of a method")), [*args], kwargs)
    return v.Derived(apply, name)


@calls_of_class(operator.itemgetter)
def call_itemgetter(s, f, x):
    found = [get_at(s, x, s.static_number(k)) for k in f.__reduce__()[1]]
    return found[0] if len(found) == 1 else v.Tuple(tuple(found))


@calls_of_class(operator.attrgetter)
def call_attrgetter(s, f, x):
    found = [functools.reduce(lambda value, name: attribute(s, value, name), path.split("."), x)
             for path in f.__reduce__()[1]]
    return found[0] if len(found) == 1 else v.Tuple(tuple(found))
