"""`itertools`, and the functions that `operator` makes: an iterator is a box with the class of Python's that holds the
attributes of one of ours (`library/iterators.py`), whose `__next__` is called."""
from __future__ import annotations

import functools
import itertools
import operator

from ...core import Meanwhile
from ...library.iterators import ITERATORS, KEEPS
from ...library.ranges import BY_TESTS
from ...library.registry import Written, each, frontend
from ..domain import values as v
from ..evaluator.names.tables import call_value, calls_of_class
from ..evaluator.objects.attributes import attribute
from ..evaluator.objects.containers import python
from ..evaluator.objects.iteration import COMPOSED, NONE, ONE, STEPS, advance_user, as_int, iterate_static, iterator
from ..evaluator.syntax.indexing import get_at


def enter_iterator(cls: type, example, ours: type) -> None:
    """Python's class is made, and goes on, as ours."""
    def made(s, /, *args, **kwargs):
        if s.loose and cls in BY_TESTS:
            return s.call_value(BY_TESTS[cls], args, kwargs)
        it = s.box((), ours, (), v.OBJECT)
        call_value(s, v.Static(ours.__init__), [it, *args], kwargs)
        return v.Boxed(it.box, cls)

    made.__signature__ = Written(ours).__signature__
    def step(s, it, why):
        with Meanwhile(s, "drawn_for", why):
            return advance_user(s, v.Boxed(it.box, ours))

    frontend(cls)(made)
    COMPOSED[cls], STEPS[cls] = example, step


for _cls, _row in ITERATORS.items():
    enter_iterator(_cls, *_row)
frontend(itertools.chain.from_iterable)(lambda s, iterable, /: s.box((NONE, iterator(s, iterable)), itertools.chain,
                                                                     hint="it"))


# all at once: Python draws all of what these are given, too ------------------------------------------
@each({f: f for f in (itertools.product, itertools.permutations, itertools.combinations,
                      itertools.combinations_with_replacement)})
def chosen_places(function, s, *given, repeat=ONE, r=None):
    """Python chooses among the numbers of the items."""
    if function is itertools.product:
        pools = [iterate_static(s, x, "a product runs over it") for x in given]
        times = s.static(as_int(s, repeat), KEEPS)
        found, pools = python(s, function, *[range(len(p)) for p in pools], repeat=times), pools * times
    else:
        pool = iterate_static(s, given[0], "its items are chosen")
        length = [s.static(x, KEEPS) for x in (*given[1:], *([] if r is None else [r]))]
        found, pools = python(s, function, range(len(pool)), *length), itertools.repeat(pool)
    return iterator(s, v.Tuple(tuple([v.Tuple(tuple([p[k] for p, k in zip(pools, row)])) for row in found])))


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
