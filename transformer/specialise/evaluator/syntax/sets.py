"""Sets of what is known before the run: a box with a real set, on which Python does what is done to it.

The order in which a set gives its items depends on all that was done to it.  So a set that changes is made anew from
the start, by the same operations, and gives them in the order in which the user's would.
"""
from __future__ import annotations

import functools

import gast

from ..names.tables import evaluate, evaluates
from ..objects.containers import python, value_of
from .expressions import comprehend, elements, one_after_the_other

MEMBER = "it is an item of a set"


@evaluates(gast.Set)
def set_(s, node):
    return made(s, [s.static(x, MEMBER) for x in elements(s, node.elts)])


@evaluates(gast.SetComp)
def set_comprehension(s, node):
    out: list = []
    comprehend(s, node, lambda: out.append(s.static(evaluate(s, node.elt), MEMBER)),
               functools.partial(one_after_the_other, s))
    return made(s, out)


def made(s, items):
    """A new set, as a display, a comprehension and set() make it: one item after the other."""
    return value_of(s, python(s, set, items), lambda: set(items))

