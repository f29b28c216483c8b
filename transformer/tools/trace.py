"""A run of generated source as a table: how often each line has run, and what it has bound last."""
from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from typing import Any

from ..errors.messages import Origin
from ..readable import Source
from .calls import shown_call
from .recording import Glimpse, Recorder

WIDTH, CODE, LEAST = 120, 52, 24
TITLES = ("line", "runs", "source", "bound last")


@dataclass(frozen=True)
class TracedLine:
    """A line of generated source after a run.

    number: counted from 1; runs: how often it has run; values: {name: what it has bound to it last}, of a store the
    part that is stored, of a `return` under the name "return"; origin: the user's place that it comes from.
    """

    number: int
    text: str
    runs: int = 0
    values: dict[str, Glimpse] = field(default_factory=dict)
    origin: Origin | None = None


class Trace:
    """What `trace` of a transformed function returns; it prints as a table.

    result: what the call returns; lines: a `TracedLine` for each line of the source.
    """

    def __init__(self, source: Source, recorder: Recorder, result: Any):
        self.result = result
        self.lines = traced_lines(source, recorder)

    def __repr__(self):
        return as_text(self.lines)

    def _repr_html_(self):
        return as_table(self.lines)


def traced(owner, args: tuple, kwargs: dict[str, Any]) -> Trace:
    """Run the source of a transformed function as it is shown, and look at each line."""
    call = shown_call(owner, args, kwargs)
    recorder = Recorder(call.source)
    result = call.run(recorder.run)
    return Trace(call.source, recorder, result)


def traced_lines(source: Source, recorder: Recorder) -> list[TracedLine]:
    lines = []
    for number, text in enumerate(source.text.rstrip("\n").split("\n"), 1):
        run = recorder.lines.get(number)
        origin = source.line_map.get(number)
        lines.append(TracedLine(number, text, run.count, run.last, origin) if run is not None
                     else TracedLine(number, text, origin=origin))
    return lines


def value_text(name: str, value: Glimpse) -> str:
    """What is said of a value, in a line; first what is wrong with it."""
    bad = f"  {value.bad} NaN or inf" if value.bad else ""
    norm = f"  norm {value.norm:.4g}" if value.norm is not None and "[" in value.kind else ""
    return f"{name}  {value.kind}{bad}{norm}  {value.text}" if value.text != value.kind else f"{name}  {value.kind}"


def as_text(lines: list[TracedLine]) -> str:
    """The table; a line that has bound several names has a row for each of them."""
    code = max(LEAST, min(CODE, max([len(line.text) for line in lines])))
    rows = [f"{'line':>5} {'runs':>6}  {TITLES[2]:<{code}}  {TITLES[3]}"]
    for line in lines:
        said = [value_text(*pair) for pair in line.values.items()] or [""]
        rows.append(f"{line.number:>5} {line.runs or '':>6}  {shortened_to(line.text, code):<{code}}  {said[0]}")
        rows += [f"{'':>12}  {'':<{code}}  {more}" for more in said[1:]]
    return "\n".join([shortened_to(row.rstrip(), WIDTH) for row in rows])


def shortened_to(text: str, width: int) -> str:
    """A text that fits."""
    return text if len(text) <= width else text[:width - 3] + "..."


def as_table(lines: list[TracedLine]) -> str:
    """The table in HTML, for notebooks."""
    titles = "".join([f"<th style='text-align:left'>{title}</th>" for title in TITLES])
    rows = []
    for line in lines:
        said = "<br>".join([f"<span{' style=color:#c00' * bool(v.bad)}>{escape(value_text(n, v))}</span>"
                            for n, v in line.values.items()])
        rows.append(f"<tr><td>{line.number}</td><td>{line.runs or ''}</td>"
                    f"<td style='text-align:left'><pre style='margin:0'>{escape(line.text)}</pre></td>"
                    f"<td style='text-align:left;font-family:monospace'>{said}</td></tr>")
    return f"<table><thead><tr>{titles}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
