"""How much work a call does, counted and not timed: what the lowered loops do under plain Python.

Each line that runs is a unit, and each element that is allocated, cleared or copied; so the count of two sizes tells
the exponent to the last digit, on any machine.
"""
from __future__ import annotations

import contextlib
import math
import sys
import tracemalloc
from unittest import mock

import numpy as np

from gradscribe.runtime.plain import memory
from gradscribe.test_util import stages


class Work:
    def __init__(self):
        self.lines, self.elements = 0, 0

    def step(self, frame, event, _):
        self.lines += event == "line"
        return self.step

    def counting(self, function, elements_of):
        def counted(*args):
            self.elements += elements_of(*args)
            return function(*args)
        return counted

    @contextlib.contextmanager
    def counted(self):
        ways = {"zeros": lambda shape, dtype: math.prod(shape), "clear": np.size, "copy": np.size,
                "copy_to": lambda x, out: np.size(x)}
        with contextlib.ExitStack() as stack:
            for name, elements_of in ways.items():
                counted = self.counting(getattr(memory, name), elements_of)
                stack.enter_context(mock.patch.object(memory, name, counted))
            sys.settrace(self.step)
            try:
                yield self
            finally:
                sys.settrace(None)


def lowered(fun, args):
    (_, run), = stages(fun, args, names=("lowered",))
    return run


def work(fun, args) -> int:
    run = lowered(fun, args)
    with Work().counted() as done:
        run(*args)
    return done.lines + done.elements


def peak(fun, args) -> int:
    """The bytes that are held at once at most, beside the arguments."""
    run = lowered(fun, args)
    run(*args)
    tracemalloc.start()
    try:
        run(*args)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def exponent(measure, sizes) -> float:
    """e where what is measured grows as n ** e, beside what does not grow (taken off by way of the smallest size)."""
    small, middle, large = [measure(n) for n in sizes]
    if large <= small:
        return 0.0
    return math.log((large - small) / max(middle - small, 1)) / math.log((sizes[2] - sizes[0]) / (sizes[1] - sizes[0]))
