"""Generated source that runs as Python, with a clock at each of its lines.

Python calls a tracing function before each line.  It reads the clock when it begins and when it ends, so that what it
does itself is in no line; what it takes to call it is measured with lines that do nothing, and taken off.
"""
from __future__ import annotations

import ast
import sys
from collections import Counter
from time import perf_counter_ns
from typing import Any, Callable

from ..readable import Source
from .recording import Recorder

OUTSIDE = 0  # the line of what is no line of the source
ROUNDS = 5_000
EMPTY = """
def lines(n):
    for i in range(n):
        pass
        pass

def calls(n, idle):
    for i in range(n):
        idle()
"""


def idle_call():
    """A function of another file."""


class LineClock:
    """Runs functions of a file and sums up, in ns, what its lines take."""

    def __init__(self, file: str):
        self.file = file
        self.times: Counter = Counter()
        self.events: Counter = Counter()
        self.foreign: Counter = Counter()  # calls of Python functions of other files
        self.callers: list[int] = []
        self.line, self.since = OUTSIDE, 0

    def run(self, function: Callable, args: tuple) -> Any:
        outside = sys.gettrace()
        sys.settrace(self.entered)
        try:
            self.since = perf_counter_ns()
            return function(*args)
        finally:
            self.times[self.line] += perf_counter_ns() - self.since
            sys.settrace(outside)

    def entered(self, frame, event, arg):
        if frame.f_code.co_filename != self.file:
            self.foreign[self.line] += 1
            return None
        self.times[self.line] += perf_counter_ns() - self.since
        self.events[self.line] += 1
        self.callers.append(self.line)
        self.line = frame.f_lineno
        self.since = perf_counter_ns()
        return self.goes_on

    def goes_on(self, frame, event, arg):
        self.times[self.line] += perf_counter_ns() - self.since
        self.events[self.line] += 1
        self.line = self.callers.pop() if event == "return" else frame.f_lineno
        self.since = perf_counter_ns()
        return self.goes_on

    def without(self, event: float, call: float) -> dict[int, float]:
        """The times without what it takes to trace an event and a call of another file."""
        return {line: max(0.0, time - event * self.events[line] - call * self.foreign[line])
                for line, time in self.times.items()}


def tracing_costs() -> tuple[float, float]:
    """What it takes, in ns, to call the tracing function: for a line, and for a call of a function of another file."""
    file, found = "<gradscribe lines that do nothing>", {}
    exec(compile(EMPTY, file, "exec"), found)

    def cost(function, args, each, of) -> float:
        clocks = [LineClock(file) for _ in range(3)]
        bare, traced = [], []
        for clock in clocks:
            begin = perf_counter_ns()
            function(*args)
            bare.append(perf_counter_ns() - begin)
            clock.run(function, args)
            traced.append(sum(clock.times.values()) - sum(clock.events.values()) * each)
        return max(0.0, (min(traced) - min(bare)) / of(clocks[0]))

    event = cost(found["lines"], (ROUNDS,), 0.0, lambda clock: sum(clock.events.values()))
    return event, cost(found["calls"], (ROUNDS, idle_call), event, lambda clock: sum(clock.foreign.values()))


class LineSizes(Recorder):
    """Runs a source and keeps how often its statements run and the bytes of the largest array that each binds, tapes
    apart."""

    def __init__(self, source: Source):
        super().__init__(source)
        self.bytes: Counter = Counter()
        self.tapes = {name for s in self.at.values() if getattr(getattr(s.node, "origin", None), "kept", "")
                      for name in s.binds}

    def done(self, statement, frame, result) -> None:
        line, variables = self.lines[statement.line], frame.f_locals
        line.count += not isinstance(statement.node, (ast.For, ast.While)) or frame.f_lineno in statement.inside
        found = [getattr(variables.get(name), "nbytes", 0) for name in statement.binds if name not in self.tapes]
        self.bytes[statement.line] = max(self.bytes[statement.line], *found, 0)
