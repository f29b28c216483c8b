"""A compiled program with a clock between its parts (`loop_core/marks.py`)."""
from __future__ import annotations

from dataclasses import dataclass, replace
from time import perf_counter_ns
from typing import Callable

import numpy as np

from gradscribe.runtime.loading.trampoline import compile_module, meant_for
from gradscribe.runtime.plain.clock_marks import BYTES, RUNS, TIME

from ..core.types import Dim, Type
from ..loop_core.marks import Marked, loops_deep, only_laps, with_marks

LAPS = 20_000
DEAR = 0.1  # of the time of a program: what its marks may take
COUNT, TICKS = Type("py", np.dtype(np.int64)), Type("array", np.dtype(np.int64), (Dim.of("rows"), Dim.of("columns")))


class CompiledOtherwise(Exception):
    """The code relied on what does not hold of its arguments: other code runs for them."""


@dataclass
class TimedPart:
    """A part of a compiled program: its places in the user's text, its time in ns, its runs, its largest array."""

    places: frozenset
    time: float
    runs: int
    bytes: int


class CompiledClock:
    """Measures a compiled program; `fresh` gives its flat arguments, each time as if nobody had stored into them."""

    def __init__(self, lowered, fresh: Callable[[], list]):
        self.lowered, self.fresh = meant_for(lowered, fresh()), fresh

    def parts(self, repeat: int) -> tuple[float, float, list[TimedPart]]:
        """(the time without marks, that with them, what the parts take), of the best of the runs, in ns."""
        while True:
            try:
                return self.measured(repeat)
            except CompiledOtherwise as other:
                self.lowered = replace(other.args[0](), plain=self.lowered.plain)

    def measured(self, repeat: int) -> tuple[float, float, list[TimedPart]]:
        lap, bare = self.lap_cost(), compile_module(self.lowered)
        self.timed(bare, ())  # now it is compiled
        for depth in range(loops_deep(self.lowered.functions[-1].body), -1, -1):
            marked = with_marks(self.lowered.functions, self.lowered.imports.values(), len(self.lowered.param_types),
                                depth)
            run = compile_module(self.with_clock(marked))
            plain, with_marks_in, ticks = self.best(bare, run, marked, repeat)
            if lap * ticks[:, RUNS].sum() <= DEAR * plain:
                break
        parts = [TimedPart(places, max(0.0, row[TIME] - lap * row[RUNS]), int(row[RUNS]), int(row[BYTES]))
                 for places, row in zip(marked.rows, ticks[1:])]
        return plain, with_marks_in - lap * ticks[:, RUNS].sum(), [p for p in parts if p.runs or p.bytes]

    def best(self, bare, run, marked: Marked, repeat: int) -> tuple[float, float, np.ndarray]:
        """The best time of the program, the best of that with marks, and what its clock says of that run."""
        self.timed(run, (self.no_ticks(marked),))
        plain, runs = [], []
        for _ in range(repeat):
            plain.append(self.timed(bare, ()))
            ticks = self.no_ticks(marked)
            runs.append((self.timed(run, (ticks,)), ticks))
        return min(plain), *min(runs, key=lambda run: run[0])

    def no_ticks(self, marked: Marked) -> np.ndarray:
        return np.zeros((len(marked.rows) + 1, 3), np.int64)

    def timed(self, run, more: tuple) -> float:
        args = (*self.fresh(), *more)
        begin = perf_counter_ns()
        run(*args)
        return perf_counter_ns() - begin

    def with_clock(self, marked: Marked):
        """The program with marks, which says where it gives way to other code: that has other marks."""
        lowered = self.lowered

        def gives_way(other):
            def stop():
                raise CompiledOtherwise(other)
            return other and stop

        return replace(lowered, functions=marked.functions, param_types=(*lowered.param_types, TICKS),
                       safe=gives_way(lowered.safe), threads=gives_way(lowered.threads),
                       plain=lowered.plain and (lambda: lambda *args: lowered.plain()(*args[:-1])))

    def lap_cost(self) -> float:
        """What a mark takes, in ns."""
        laps = replace(self.lowered, functions=(only_laps(),), imports={}, param_types=(COUNT, TICKS), result_types=(),
                       outputs=(), results=(), short=None, safe=None, threads=None)
        run, ticks = compile_module(laps), np.zeros((2, 3), np.int64)
        times = []
        for _ in range(4):
            begin = perf_counter_ns()
            run(LAPS, ticks)
            times.append((perf_counter_ns() - begin) / LAPS)
        return min(times[1:])
