"""Comprehensions, and generator expressions: a loop or a list where a function consumes all at once, else an iterator.

    sum(f(v) for v in x if v > 0)       total = 0; for v in x: if v > 0: total = total + f(v)
    any(f(v) for v in x)                a loop that is left early
    tuple(f(v) for v in x)              tuple([f(v) for v in x])
    zip(x, (f(v) for v in y))           an iterator, whose variables stand in a frame that it keeps
"""
from __future__ import annotations

import functools
import itertools
import math
import types as pytypes
from collections import OrderedDict, deque

import gast

from ....core import OnTop
from ....library.registry import FUNCTIONS
from ...domain import values as v
from ...domain.aliasing import forget_frame
from ...domain.classes import python_function
from ...domain.growing_lists import grown, turned_columns
from ..flow.control import decide
from ..names.tables import calls, evaluate, evaluates
from ..objects.containers import by_python, is_list, python, python_of, value_of
from ..objects.iteration import NONE, STEPS, each_item, iterate_static, iterator
from ..objects.members import append_item
from ..objects.truths import FALSE, as_bool, either_true, negate, truth
from .expressions import MEMBER, comprehension_of, condition, made_set, scope_of
from .indexing import set_item
from .loops import drawn_from, loop, run_over
from .operators import binary_op, compare_values, identical
from .statements import bind

LENGTH = "it decides how long a list or dict is"


@evaluates(gast.ListComp)
def list_comprehension(s, node):
    out = s.box(())
    return filled_by(s, node, out, lambda: append_item(s, out, evaluate(s, node.elt)))


def filled_by(s, node, out, element):
    """A list or dict, once `element()` is done for all that a comprehension runs over."""
    slot = s.frames[-1], f"_gs_list_{node.lineno}_{node.col_offset}"
    s.heap[slot] = out  # while it grows, it is one of the variables
    comprehend(s, node, element, run_over)
    del s.heap[slot]
    return out


@evaluates(gast.DictComp)
def dict_comprehension(s, node):
    if s.loose:
        out = s.box((), dict, (), "dict")
        return filled_by(s, node, out, lambda: set_item(s, out, evaluate(s, node.key), evaluate(s, node.value)))
    made: dict = {}

    def enter():
        key = s.static(evaluate(s, node.key), "it is a key")
        python(s, made.__setitem__, key, python_of(s, evaluate(s, node.value)))

    comprehend(s, node, enter, one_after_the_other)
    return value_of(s, made)


@evaluates(gast.SetComp)
def set_comprehension(s, node):
    out: list = []
    comprehend(s, node, lambda: out.append(s.static(evaluate(s, node.elt), MEMBER)), one_after_the_other)
    return made_set(s, out)


def comprehend(s, node, element, over, counts=True, at_the_end=lambda: None) -> None:
    """`element()` for all that a comprehension runs over; `over(s, generator, value, one)` calls one(item) for each
    item of a value; `counts`: the tests decide how long a list or dict is."""
    def each(generators, value):
        g, *rest = generators

        def one(item):
            bind(s, g.target, item)
            chosen(s, g.ifs, lambda: each(rest, evaluate(s, rest[0].iter)) if rest else element(), counts)

        over(s, g, value, one)

    first = evaluate(s, node.generators[0].iter)  # in the scope around
    with OnTop(s.frames, scope_of(s, node)) as frame:
        each(node.generators, first)
        at_the_end()
    forget_frame(s.heap, frame, [])


def chosen(s, tests, action, counts: bool) -> None:
    """`action()` where all tests of a comprehension hold: as is known now, or as the run decides."""
    if not tests:
        return action()
    test = condition(s, tests[0])
    if counts and not s.loose:
        test = v.Static(s.static(test, LENGTH))
    return decide(s, test, lambda: chosen(s, tests[1:], action, counts), lambda: None)


def one_after_the_other(s, _, value, one) -> None:
    for item in each_item(s, value, "a comprehension runs over it"):
        one(item)


# what is consumed at once ------------------------------------------------------------------------
def consumed(s, node, function):
    """What a call gives that consumes its generator expression at once; None: it is an argument like others."""
    f = python_function(function.value) if isinstance(function, v.Static) else None
    (generator, *rest), named = node.args, {k.arg: k.value for k in node.keywords}
    take, options = CONSUMERS.get(f, (None, ()))
    if f in CONSUMERS and take is None or isinstance(function, v.BoundMethod) and function.name == "join":
        listed = gast.copy_location(gast.Call(node.func, [comprehension_of(n) for n in node.args], node.keywords), node)
        return evaluate(s, _once(node, listed))
    if (take is None or not isinstance(generator, gast.GeneratorExp) or named.keys() - set(options)
            or len(rest) > (f is sum and not named)):
        return None
    return take(s, generator, f, *[evaluate(s, n) for n in (*rest, *named.values())])


@functools.cache
def _once(_, listed):
    """One call for each node: nodes are keys of what is known of them."""
    return listed


def zipped(s, rows):
    """zip(*rows)"""
    if is_list(rows) and (g := grown(s, rows)) is not None:
        return iterator(s, turned_columns(s, rows, g))
    return s.call_value(v.Static(zip), iterate_static(s, rows, "a starred expression is unpacked"), {})


# loops -----------------------------------------------------------------------------------------
def new_slot(s, name: str) -> tuple:
    """A variable of ours."""
    slot = s.frames[-1], f"_gs_{name}"
    while slot in s.heap:
        slot = slot[0], f"{slot[1]}_"
    return slot


def total(s, node, _, start=v.Static(0)):
    """sum(... for ...)"""
    slot = new_slot(s, "total")
    s.heap[slot] = start

    def add():
        s.heap[slot] = binary_op(s, "add", s.item(s.heap[slot]), evaluate(s, node.elt))

    comprehend(s, node, add, run_over, counts=False)
    return s.item(s.heap.pop(slot))


def extreme(s, node, function, *default):
    """min(... for ...) and max(... for ...); `default`: what it is of nothing, if that is given."""
    slot, better = new_slot(s, "best"), ("less", "greater")[function is max]
    s.heap[slot] = NONE

    def compare():
        item, best = evaluate(s, node.elt), s.item(s.heap[slot])
        first = identical(s, best, NONE)
        decide(s, either_true(s, first, lambda: truth(s, compare_values(s, better, item, best))),
               lambda: s.heap.update({slot: item}), lambda: None)

    comprehend(s, node, compare, run_over, counts=False)
    best = s.item(s.heap.pop(slot))
    if default:
        return decide(s, identical(s, best, NONE), lambda: default[0], lambda: s.present(best))
    if best == NONE:
        by_python(s, function, v.Tuple(()))
    if isinstance(best, v.OneOf) and best.optional:
        s.require(best.flag, "ValueError", of_nothing(function))
        return best.value
    return best


def of_nothing(function) -> str:
    """What Python says of the largest of no items."""
    try:
        return str(function(()))
    except ValueError as error:
        return str(error)


def met(s, node, function):
    """any(... for ...) and all(... for ...): the items after the one that decides are not made."""
    flag, frames = "_gs_met", []

    def over(s, generator, value, one):
        if not frames:
            frames.append(s.frames[-1])
            s.frames[-1].locals |= {flag}
            s.heap[s.frames[-1], flag] = FALSE
        at = gast.copy_location(gast.For(generator.target, generator.iter, [], [], None), generator.iter)
        loop(s, at, drawn_from(s, value), None, one, flag)

    def look():
        found = truth(s, evaluate(s, node.elt))
        s.heap[frames[0], flag] = as_bool(s, found if function is any else negate(s, found))

    result = []
    comprehend(s, node, look, over, counts=False, at_the_end=lambda: result.append(s.heap[frames[0], flag]))
    return result[0] if function is any else as_bool(s, negate(s, result[0]))


# what consumes its argument at once -> what takes one item after the other, and its options by name; None where nothing
# that shows is done before all items are there: a list is as good
CONSUMERS: dict = {
    sum: (total, ("start",)), any: (met, ()), all: (met, ()), **dict.fromkeys((max, min), (extreme, ("default",))),
    **dict.fromkeys((tuple, list, dict, set, frozenset, sorted, deque, OrderedDict, dict.fromkeys, math.fsum, math.prod,
                     itertools.product, itertools.permutations, itertools.combinations,
                     itertools.combinations_with_replacement), (None, ()))}


# iterators ---------------------------------------------------------------------------------------
@evaluates(gast.GeneratorExp)
def generator_expression(s, node):
    first = iterator(s, evaluate(s, node.generators[0].iter))
    inner = nested_iterator(s, node, scope_of(s, node), node.generators, first)
    return s.box((NONE, inner), pytypes.GeneratorType, hint="it") if s.class_of(inner) in STEPS else inner


def nested_iterator(s, node, frame, generators, it):
    """An iterator over what a generator expression gives from its k-th `for` on."""
    g, *rest = generators
    if g.ifs:
        it = s.box((v.Body(frame, functools.partial(passes_tests, g)), it), filter, hint="it")
    last = functools.partial(element_of, node, g)
    if not rest:
        return s.box((v.Body(frame, last), it), pytypes.GeneratorType, hint="it")
    inner = s.box((v.Body(frame, functools.partial(opened_generator, node, g, rest)), it), map, hint="it")
    return FUNCTIONS[itertools.chain.from_iterable](s, inner)


def passes_tests(g, s, frame, item):
    bind(s, g.target, item)
    return v.Static(all([s.static(condition(s, test), LENGTH) for test in g.ifs]))


def element_of(node, g, s, frame, item):
    if not g.ifs:
        bind(s, g.target, item)
    return evaluate(s, node.elt)


def opened_generator(node, g, rest, s, frame, item):
    if not g.ifs:
        bind(s, g.target, item)
    return nested_iterator(s, node, frame, rest, iterator(s, evaluate(s, rest[0].iter)))


@calls(v.Body)
def call_body(s, body, args, kwargs):
    with OnTop(s.frames, body.frame):
        return body.run(s, body.frame, *args)
