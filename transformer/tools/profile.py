"""Where the time of a call goes, by the line of the user's function: `profile`."""
from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from os.path import basename
from time import perf_counter_ns

import numpy as np

from ..errors.messages import GradscribeError
from ..programs.kept_bytes import kept_bytes
from ..programs.runtime_notes import tell
from ..readable import Source
from .line_clock import LineClock, LineSizes, tracing_costs

WIDTH, BAR = 120, 10  # characters
UNITS = (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6))


@dataclass
class LineTime:
    """What a line takes; in a compiled program, lines that one part of it computes."""

    file: str
    lines: tuple[int, ...]
    text: str  # of the first of them
    runs: int = 0
    forward: float = 0.0  # s
    adjoint: float = 0.0
    both: float = 0.0  # of loops that compute the function and its adjoint at once
    bytes: int = 0
    kept: int = 0

    @property
    def time(self) -> float:
        return self.forward + self.adjoint + self.both

    @property
    def numbers(self) -> str:
        """The lines as people write them: 3, 5-7."""
        runs: list[list[int]] = []
        for line in self.lines:
            if runs and line == runs[-1][-1] + 1:
                runs[-1] = [runs[-1][0], line]
            else:
                runs.append([line])
        return ", ".join(["-".join(map(str, run)) for run in runs])


@dataclass(frozen=True)
class Profile:
    """Where the time of a call goes: it prints as a table, and notebooks show it.

    title      what was called
    compiled   was it compiled code?
    total      s of a run without a clock in it, the best of several
    traced     s of the run whose lines these are, the best of several, without what the clock takes
    lines      in the order of the source
    elsewhere  s of that run that belong to no line: the call itself, lines that have no place in the user's text
    """

    title: str
    compiled: bool
    total: float
    traced: float
    lines: tuple[LineTime, ...] = field(repr=False)

    @property
    def elsewhere(self) -> float:
        return max(0.0, self.traced - sum([line.time for line in self.lines]))

    def share(self, line: LineTime) -> float:
        """Which part of the time of all lines it has."""
        return line.time / (sum([x.time for x in self.lines]) + self.elsewhere or 1.0)

    def table(self) -> tuple[list[str], list[list[str]]]:
        """The titles of the columns that say something, and the rows."""
        unit, scale = next((u for u in UNITS if self.traced >= u[1]), UNITS[-1])
        columns = {"line": [place_text(x, self.lines[0].file) for x in self.lines],
                   "runs": [count_text(x.runs) for x in self.lines],
                   **{f"{name}, {unit}": [time_text(getattr(x, name) / scale) for x in self.lines]
                      for name in ("forward", "adjoint", "both")},
                   "share": [share_text(self.share(x)) for x in self.lines],
                   "bytes": [count_text(x.bytes) for x in self.lines],
                   "on tapes": [count_text(x.kept) for x in self.lines],
                   "text": [x.text + " ..." * (len(x.lines) > 1) for x in self.lines]}
        said = {title: cells for title, cells in columns.items() if any(cells)}
        return [*said], [*map(list, zip(*said.values()))]

    @property
    def heading(self) -> str:
        total, traced, elsewhere = (with_unit(x) for x in (self.total, self.traced, self.elsewhere))
        where = "between its parts" if self.compiled else "at each line"
        return (f"{self.title}: {total}\nwith a clock {where}, less what the clock takes: {traced}, "
                f"of which {elsewhere} in no line")

    def __str__(self):
        titles, rows = self.table() if self.lines else ([], [])
        widths = [max(map(len, column)) for column in zip(titles, *rows)]
        texts = ["  ".join([cell.ljust(n) if title in ("share", "text") else cell.rjust(n)
                            for title, cell, n in zip(titles, row, widths)]) for row in [titles, *rows]]
        return "\n".join([self.heading, *[text[:WIDTH].rstrip() for text in texts]])

    def _repr_html_(self):
        titles, rows = self.table() if self.lines else ([], [])
        parts = "".join([f"<tr>{''.join([html_cell(t, c) for t, c in zip(titles, row)])}</tr>" for row in rows])
        first = "".join([f"<th style='text-align:left'>{escape(title)}</th>" for title in titles])
        return (f"<div>{escape(self.heading).replace(chr(10), '<br>')}<table><thead><tr>{first}</tr></thead>"
                f"<tbody>{parts}</tbody></table></div>")


def count_text(number: int) -> str:
    return f"{number:,}" if number else ""


def html_cell(title: str, cell: str) -> str:
    side = "left" if title in ("share", "text") else "right"
    text = f"<code>{escape(cell)}</code>" if title == "text" else escape(cell)
    return f"<td style='text-align:{side};white-space:pre'>{text}</td>"


def place_text(line: LineTime, main: str) -> str:
    return line.numbers if line.file == main else f"{basename(line.file)}:{line.numbers}"


def time_text(time: float) -> str:
    return f"{time:,.3f}" if time else ""


def with_unit(seconds: float) -> str:
    unit, scale = next((u for u in UNITS if seconds >= u[1]), UNITS[-1])
    return f"{seconds / scale:,.3g} {unit}"


def share_text(share: float) -> str:
    return f"{'█' * round(BAR * share):{BAR}} {100 * share:3.0f} %"


class Profiled:
    """Measures the program of a call, with flat arguments for it."""

    def __init__(self, program, flat: list, repeat: int):
        self.program, self.flat, self.repeat = program, flat, repeat
        self.stored = {program.core.params.index(name) for name in program.core.writes}
        self.lines: dict[tuple, LineTime] = {}

    def fresh(self) -> list:
        """The arguments; of those that the program stores into, copies."""
        return [x.copy(order="K") if k in self.stored else x for k, x in enumerate(self.flat)]

    def line_of(self, origins) -> LineTime:
        """The line, or the lines, of these places."""
        file = min([o.file for o in origins])
        here = sorted([o for o in origins if o.file == file], key=lambda o: (o.line, o.col))
        numbers = tuple(dict.fromkeys([o.line for o in here]))
        return self.lines.setdefault((file, numbers), LineTime(file, numbers, here[0].first_text))

    def profile(self, title: str) -> Profile:
        compiled = self.program.owner.compiled
        source = None if compiled else self.program.source()
        try:
            total, traced = self.plain(source) if source else self.compiled()
        except Exception as error:
            tell(error, source)
            raise
        for kept in kept_bytes(self.program.optimised, self.flat).lines:
            self.with_tape(kept)
        main = getattr(self.program.core.origin, "file", "")
        lines = sorted(self.lines.values(), key=lambda x: (x.file != main, x.file, x.lines))
        return Profile(title, compiled, total / 1e9, traced / 1e9, tuple(lines))

    def with_tape(self, kept) -> None:
        """What is kept of a line stands where the line does, alone or with the fewest others."""
        found = [x for (file, numbers), x in self.lines.items() if file == kept.file and kept.line in numbers]
        key = kept.file, (kept.line,)
        line = min(found, key=lambda x: len(x.lines)) if found else self.lines.setdefault(
            key, LineTime(*key, kept.text))
        line.kept += kept.bytes

    def compiled(self) -> tuple[float, float]:
        from .compiled_clock import CompiledClock
        total, traced, parts = CompiledClock(self.program.lowered(), self.fresh).parts(self.repeat)
        for part in [part for part in parts if part.places]:
            line, adjoint = self.line_of(part.places), {o.adjoint for o in part.places}
            name = "both" if len(adjoint) == 2 else "adjoint" if True in adjoint else "forward"
            setattr(line, name, getattr(line, name) + part.time / 1e9)
            line.runs, line.bytes = max(line.runs, part.runs), max(line.bytes, part.bytes)
        return total, traced

    def plain(self, source: Source) -> tuple[float, float]:
        function, at = source.defined(), source.line_map
        sizes = LineSizes(source)
        sizes.run(*self.fresh())
        costs, total, runs = tracing_costs(), [], []
        for _ in range(self.repeat):
            args, clock = self.fresh(), LineClock(source.file)
            begin = perf_counter_ns()
            function(*args)
            total.append(perf_counter_ns() - begin)
            clock.run(function, tuple(self.fresh()))
            runs.append(clock.without(*costs))
        best = min(runs, key=lambda times: sum(times.values()))
        origins = {line: origin for line, origin in at.items() if origin.text}
        for number, origin in origins.items():
            line, name = self.line_of((origin,)), "adjoint" if origin.adjoint else "forward"
            setattr(line, name, getattr(line, name) + best.get(number, 0.0) / 1e9)
            statement = sizes.at.get(number)
            if statement is not None:
                line.runs = max(line.runs, sizes.lines[statement.line].count)
                line.bytes = max(line.bytes, sizes.bytes[statement.line])
        return min(total), sum(best.values())


def profile(program, flat: list, title: str, repeat: int) -> Profile:
    """Where the time of a call goes; `flat` are the arguments of the program."""
    if program.owner.target == "cuda":
        raise GradscribeError(None, "a profile of a program for a GPU, whose kernels run while the host goes on",
                              "Profile the same function for the CPU: gs.jit(f), or f without gs.jit.")
    if not isinstance(repeat, (int, np.integer)) or repeat < 1:
        raise GradscribeError(None, f"repeat={repeat!r}: the runs, of which the best counts",
                              "Say how many runs there are to be: repeat=3.")
    return Profiled(program, flat, int(repeat)).profile(title)
