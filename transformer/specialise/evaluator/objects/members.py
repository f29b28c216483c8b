"""What operators and methods do to sets of what is known before the run: a box with a real set, on which Python works.

The order in which a set gives its items depends on all that was done to it.  So a set that changes is made anew from
the start, by the same operations, and gives them in the order in which the user's would.
"""
from __future__ import annotations

from ...domain import values as v
from ...domain.classes import is_set
from .containers import python, python_container, value_of
from .iteration import is_iterator


def members(s, value) -> v.Members:
    """What a set has in it."""
    return s.item(s.items(value)[0]).value


def on_sets(s, function, *values):
    """What Python's function gives of sets, and of what is known now."""
    known = [s.static(x, "it meets a set") for x in values]
    ways = [members(s, x).another if is_set(x) else (lambda k=k: k) for x, k in zip(values, known)]
    return value_of(s, python(s, function, *known), lambda: function(*[w() for w in ways]))


CHANGING = ("add", "clear", "difference_update", "discard", "intersection_update", "pop", "remove",
            "symmetric_difference_update", "update", "__iand__", "__ior__", "__isub__", "__ixor__")


def call_set(s, base, name: str, args):
    """base.name(*args) of a set."""
    why = "it goes to a set"
    known = [[s.static(i, why) for i in s.iterate_static(x, why)] if is_iterator(x) else s.static(x, why) for x in args]
    before = members(s, base).another
    if name not in CHANGING:
        return value_of(s, python(s, getattr(set, name), python_container(s, base), *known),
                        lambda: getattr(before(), name)(*known))

    def another():
        changed = before()
        getattr(changed, name)(*known)
        return changed

    changed = before()
    result = python(s, getattr(set, name), changed, *known)
    s.change(base, [v.Static(v.Members(changed, another))])
    return base if result is changed else value_of(s, result)
