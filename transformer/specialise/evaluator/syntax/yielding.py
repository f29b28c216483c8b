"""Generator functions: a loop over a call of one runs its body, and at each `yield` the body of the loop.

    for v in steps(x):          the body of steps, and at each `yield e`: v = e; total += v
        total += v
    list(steps(x))              the loop that appends

So each does what it does between two values of the other, as in Python.  While the loop's body runs, the generator's
frame is off the stack; its variables stay in the heap.
"""
from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import Any, Callable

import gast

from ....core import Meanwhile
from ....frontend.trees import nodes
from ....frontend.yields import LEFT
from ....library import ranges
from ....library.registry import frontend
from ...domain import values as v
from ...domain.aliasing import forget_frame
from ...domain.liveness import variables_stored
from ..flow.control import decide
from ..names.tables import call_value, evaluate, evaluates
from ..objects import protocols
from ..objects.iteration import COMPOSED, MAPS, NONE, ONE, STEPS, is_iterator, mapped_row
from ..objects.truths import FALSE, as_bool, truth

BUSY = "a loop runs over it"
ENDED = "a loop that was left early has run over it"


class Generator:
    """The class of a box that holds a call of a generator function, until it has run."""


Generator.__name__ = Generator.__qualname__ = "generator"
Generator.JOINED = "Call the generator function once more."
COMPOSED[Generator] = (x for x in ())


@dataclass(frozen=True)
class Consumer:
    """A loop over a generator: what it does with an item, and where it stands."""

    one: Callable
    depth: int  # of the stack of frames
    node: Any
    calls: tuple
    caught: int  # how many classes of exceptions are caught around it
    frame: v.Frame
    flag: str | None  # the variable that says whether it has been left
    live: frozenset[str]  # what is read at its header


def suspended(s, frame, run):
    """What a call of a generator function gives: nothing has run yet. `run(s, frame, leaves)` does."""
    return s.box((v.Body(frame, run),), Generator, hint="it")


def source(s, value):
    """The generator that an iterator draws from alone; None: it is another iterator."""
    while isinstance(value, v.Boxed) and value.cls is not Generator:
        if value.cls not in (*MAPS, enumerate, filter) or len(content := s.items(value)) != 2:
            return None
        value = content[1]
    return value if isinstance(value, v.Boxed) else None


def through_generator(s, value, one) -> Callable:
    """What is done with an item of its generator where `one(item)` is with what an iterator makes of it."""
    if value.cls is Generator:
        return one

    def passed(item):
        own = s.items(value)[0]
        if value.cls is filter:
            kept = truth(s, item if own == NONE else call_value(s, own, [item], {}))
            return decide(s, kept, lambda: one(item), lambda: None)
        if value.cls is not enumerate:
            return one(mapped_row(s, own, [item]))
        s.change(value, (s.elementwise("add", own, ONE), s.items(value)[1]))
        return one(v.Tuple((own, item)))

    return through_generator(s, s.items(value)[1], passed)


def run_through(s, node, value, generator, header, one, flag=None, loops=True) -> None:
    """`one(item)` for each item of what draws from a generator, while the flag is down; not `loops`: in a with."""
    content = s.heap[generator.box, None]
    if isinstance(content, v.Unjoinable) and content.why in (BUSY, ENDED):
        s.fail(f"this generator cannot be used here: {content.why}", "Call the generator function once more.")
    content = s.items(generator)
    if content == (NONE,):
        return
    if not isinstance(content[0], v.Body):
        s.fail("a generator of which the run decides which it is, or whether it has ended",
               "Call the generator function where the loop begins.")
    frame, run, current = content[0].frame, content[0].run, s.frames[-1]
    header = in_comprehension(s, node.target) if header is None else header
    s.heap[generator.box, None] = v.Unjoinable(BUSY)
    s.loops.generators[frame] = Consumer(through_generator(s, value, one), len(s.frames), node, s.calls,
                                         len(s.catching), current, flag, header)
    s.loops.waiting[current] = header
    try:
        run(s, frame, flag is not None if loops else None)
    finally:
        s.loops.waiting.pop(current, None)
        del s.loops.generators[frame]
    s.heap[generator.box, None] = (NONE,) if flag is None else v.Unjoinable(ENDED)
    forget_frame(s.heap, frame, [])


def in_comprehension(s, target) -> frozenset[str]:
    """What is read at the header of a loop of a comprehension: not its own variables, unless a function
    may read them."""
    frame = s.frames[-1]
    kept = any([isinstance(n, (gast.Lambda, gast.GeneratorExp)) for n in nodes(frame.node) if n is not frame.node])
    names = frozenset([name for ref, name in s.heap if ref is frame]) | (variables_stored(target) if kept
                                                                         else frozenset())
    return names if kept else names - variables_stored(target)


@evaluates(gast.Yield)
def yield_(s, node):
    frame, item = s.frames[-1], NONE if node.value is None else evaluate(s, node.value)
    consumer = s.loops.generators[frame]
    waiting, s.frames[consumer.depth:] = s.frames[consumer.depth:], []
    s.loops.waiting.pop(consumer.frame, None)
    s.node = consumer.node
    try:
        with Meanwhile(s, "calls", consumer.calls):
            consumer.one(item)
    finally:
        s.frames += waiting
        s.loops.waiting[consumer.frame] = consumer.live
    if consumer.flag is not None:
        s.heap[frame, LEFT] = as_bool(s, truth(s, s.heap[consumer.frame, consumer.flag]))
    return NONE


@frontend(contextlib._GeneratorContextManager)
def generator_context(s, function, args, kwargs=None):
    if kwargs is None:  # which one decorates by
        s.fail("a function in a context manager that is a generator", "Write the with block inside of the function.")
    called = call_value(s, function, s.items(args), dict(zip(s.keys(kwargs), s.items(kwargs))))
    return v.Partial(v.Static(contextlib._GeneratorContextManager), (called,), ())


def in_generator(s, node, manager, block, live) -> None:
    """The context of a generator function: the block runs where it yields, so that what is raised there meets the
    generator's own try statements, as it does in Python."""
    generator, slot = manager.args[0], (s.frames[-1], f"_gs_with_{node.lineno}_{len(s.loops.generators)}")
    if s.items(generator) == (NONE,):
        s.fail("a context manager that has been left is entered", "Call it in each with statement.", node=node)
    s.heap[slot] = FALSE

    def one(item):
        decide(s, s.heap[slot], lambda: s.stop("RuntimeError", "generator didn't stop"), lambda: None)
        s.heap[slot] = v.Static(True)
        block(item)

    live, frame = live | {slot[1]}, s.frames[-1]
    with Meanwhile(frame, "kept", frame.kept | live), Meanwhile(s.facts, "set_back", True):
        run_through(s, node, generator, generator, live, one, loops=False)
        if not s.facts.set_back:
            s.fail("a context that leaves np.seterr as it has set it", "Set it back: np.seterr(**old) as the last.")
    decide(s, s.heap.pop(slot), lambda: None, lambda: s.stop("RuntimeError", "generator didn't yield"))


def user_iterator(s, value):
    """What the `__iter__` of a user's class gives; any other value as it is."""
    own = protocols.iterator_method(s, value) if not is_iterator(value) else None
    return value if own is None else own


def listed(s, value):
    """What draws from a generator as a list; any other value as it is."""
    value = user_iterator(s, value)
    return value if source(s, value) is None else call_value(s, ranges.listed, [value], {})


def one_at_a_time(s, it, why):
    s.fail(f"a generator whose values are taken one by one: {why}",
           "Loop over the call of the generator function, or make a list of it.")


STEPS[Generator] = one_at_a_time
