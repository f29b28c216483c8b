"""`itertools`, and the functions that `operator` makes: an iterator is a box with the class of Python's that holds the
attributes of one of ours (`library/iterators.py`), whose `__next__` is called."""
from __future__ import annotations

import itertools

from ...core import Meanwhile
from ...library.iterators import ITERATORS, KEEPS
from ...library.ranges import BY_TESTS
from ...library.registry import Written, each, frontend
from ...library.standard import GETTERS
from ..domain import values as v
from ..evaluator.names.tables import call_value, calls_of_class
from ..evaluator.objects.containers import python
from ..evaluator.objects.iteration import COMPOSED, ONE, STEPS, advance_user, as_int, iterate_static, iterator


def enter_iterator(cls: type, example, ours: type, function) -> None:
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

    frontend(function)(made)
    COMPOSED[cls], STEPS[cls] = example, step


for _cls, _row in ITERATORS.items():
    enter_iterator(_cls, *_row)


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
for _cls, _way in GETTERS.items():
    calls_of_class(_cls)(lambda s, f, x, way=_way: s.call_value(way, [v.Static(f.__reduce__()[1]), x], {}))
