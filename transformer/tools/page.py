"""A page that shows a user's function beside the source that was generated from it, with the values of a run.

The page is one file: its style and script are `page.css` and `page.js`, its values are JSON in it.
"""
from __future__ import annotations

import html
import json
import re
import tempfile
import webbrowser
from pathlib import Path
from typing import Any

from .calls import refuse_devices, shown_call, users_function
from .highlight import highlighted_lines
from .recording import Glimpse, LineRun, Recorder
from .side_by_side import in_columns
from .sides import SideLine, own_statements, sides

MOST_RUNS = 40  # of a line, that a page has the values of
MOST_VALUES = 6000  # that a page has; with more lines in loops, each has fewer runs
NEAR = 3  # lines with a cotangent of a line, at most, that are shown beside it
COTANGENT_OF = re.compile(r"(\w*?[^\W\d])(\d*)_bar\d*")
FOLDER = Path(__file__).parent
GOLDEN = 137.5  # degrees between the colours of neighbours, so that they differ
MARKS = {"adjoint": "of the adjoint", "kept": "kept for the adjoint", "again": "computed again for the adjoint"}


class Page:
    """A function beside the source that was generated from it, as `gs.show` returns it.

    Parameters
    ----------
    title : str
        What is shown.
    left, right : list of SideLine
        The lines of the two sides.
    values : dict
        What the script of the page knows of a run.

    Attributes
    ----------
    html : str
        The page, which needs no other file.

    Examples
    --------
    >>> import gradscribe as gs
    >>> def f(x): return x * x
    >>> page = gs.show(f, 3.0)
    >>> page.html.startswith("<!DOCTYPE html>")
    True
    """

    def __init__(self, title: str, left: list[SideLine], right: list[SideLine], values: dict[str, Any]):
        self.title, self.left, self.right = title, left, right
        self.html = page_text(title, left, right, values)

    def save(self, path) -> None:
        """Write the page to a file.

        Parameters
        ----------
        path : str or path
            The name of the file.
        """
        Path(path).write_text(self.html, encoding="utf-8")

    def open(self) -> str:
        """Open the page in the browser.

        Returns
        -------
        str
            The file that it was written to, a temporary one.
        """
        with tempfile.NamedTemporaryFile("w", suffix=".html", delete=False, encoding="utf-8") as file:
            file.write(self.html)
        webbrowser.open(Path(file.name).as_uri())
        return file.name

    def _repr_html_(self):
        return (f'<iframe srcdoc="{html.escape(self.html)}" title="{html.escape(self.title)}" '
                'style="width:100%;height:36em;border:1px solid #8888"></iframe>')

    def __repr__(self):
        return in_columns(self.title, self.left, self.right)


def page_of(owner, args: tuple, kwargs: dict[str, Any]) -> Page:
    """The page of a transformed function, with the values of a run."""
    call = shown_call(owner, args, kwargs)
    recorder = Recorder(call.source)
    call.run(recorder.run)
    left, right = sides(users_function(owner, call.program), call.source)
    return Page(repr(owner), left, right, values_of(recorder, left, right))


def page_of_stage(owner, args: tuple, kwargs: dict[str, Any], stage: str) -> Page:
    """The page of a stage that has no values."""
    refuse_devices(owner)
    text = owner.source(*args, stage=stage, **kwargs)
    main = users_function(owner, owner._cache.lookup(args, kwargs))
    starts = {number + main.first_line - 1: s for number, s in own_statements(main).items()}
    left = [SideLine(number, line, binds=starts[number].binds if number in starts else ())
            for number, line in enumerate(main.lines, main.first_line)]
    right = [SideLine(number, line) for number, line in enumerate(text.rstrip("\n").split("\n"), 1)]
    return Page(f"{owner!r}, {stage}", left, right, {"lines": {}, "primal": {}, "bars": {}, "at": {}})


# values -------------------------------------------------------------------------------------------
def values_of(recorder: Recorder, left: list[SideLine], right: list[SideLine]) -> dict[str, Any]:
    """lines: {line of the source: how often it has run, and what it has bound: [run, [value, ...]]}; primal: {place on
    the left: lines that bind the same names, in the text of functions that it calls, too}; bars: {place: lines that
    bind their cotangents}; at: {line: where its statement begins}"""
    ran = {number: line for number, line in recorder.lines.items() if line.last}
    most = max(2, min(MOST_RUNS, MOST_VALUES // max(1, sum([line.count > 1 for line in ran.values()]))))
    binders: dict[str, list[int]] = {}
    for number, name in [(number, name) for number, run in ran.items() for name in run.last]:
        binders.setdefault(name, []).append(number)
    return {"lines": {number: runs_of(line, most) for number, line in ran.items()},
            "primal": primals(binders, left, right), "bars": cotangents(binders, left, right),
            "at": {number: s.line for number, s in recorder.at.items() if s.line in ran and s.line < number}}


def primals(binders: dict[str, list[int]], left: list[SideLine], right: list[SideLine]) -> dict[int, list[int]]:
    """{place on the left: lines that bind the same names, but for those of its other statements}"""
    own = {(line.group, name) for line in left for name in line.binds}
    found = {}
    for place, line in enumerate(left):
        bound = [(right[n - 1], name) for name in line.binds for n in binders.get(name, [])]
        found[place] = [made.number for made, name in bound
                        if not made.kind and (made.group == line.group or (made.group, name) not in own)]
    return {place: numbers for place, numbers in found.items() if numbers}


def cotangents(binders: dict[str, list[int]], left: list[SideLine], right: list[SideLine]) -> dict[int, list[int]]:
    """{place on the left: lines that bind cotangents of what it binds}: of a name with many, those that come before the
    adjoint of that line, which have its cotangent, and the first one after, which has that of the round before."""
    of: dict[str, set[int]] = {}
    for bar, numbers in binders.items():
        if match := COTANGENT_OF.fullmatch(bar):
            for name in {match[1], match[1] + match[2]}:
                of.setdefault(name, set()).update(numbers)
    starts: dict[int | None, int] = {}
    for line in right:
        if line.kind == "adjoint":
            starts.setdefault(line.group, line.number)
    found = {}
    for place, line in enumerate(left):
        numbers = sorted({n for name in line.binds for n in of.get(name, ())})
        start = starts.get(line.group, len(right) + 1)
        if numbers:
            found[place] = [n for n in numbers if n < start][-NEAR:] + [n for n in numbers if n >= start][:1]
    return found


def runs_of(line: LineRun, most: int) -> dict[str, Any]:
    """How often a line has run, and what it has bound in at most so many runs, the last among them."""
    runs = [(k + 1, line.visits[k]) for k in evenly(len(line.visits), most)]
    if line.count > len(line.visits):
        runs.append((line.count, line.last))
    return {"count": line.count, "runs": [[k, [value_row(*pair) for pair in kept.items()]] for k, kept in runs]}


def evenly(count: int, most: int) -> list[int]:
    """Numbers below `count`, the first and the last among them."""
    if count <= most:
        return [*range(count)]
    return sorted({round(k * (count - 1) / (most - 1)) for k in range(most)})


def value_row(name: str, value: Glimpse) -> list:
    norm = "" if value.norm is None or "[" not in value.kind else f"{value.norm:.6g}"
    return [name, value.kind, norm, value.text, value.bad]


# HTML ---------------------------------------------------------------------------------------------
def page_text(title: str, left: list[SideLine], right: list[SideLine], values: dict[str, Any]) -> str:
    shown = json.dumps(values, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    style, script = ((FOLDER / name).read_text(encoding="utf-8") for name in ("page.css", "page.js"))
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(title)}</title>
<style>
{style}</style>
</head>
<body>
<header><h1>{html.escape(title)}</h1>
<p>Lines of one colour belong together. <span class="adjoint">adjoint</span> <span class="kept">kept</span>
<span class="again">computed again</span></p></header>
<main>
{side_text("left", "The function", left, right)}
{side_text("right", "Generated source", right, left)}
</main>
<aside id="panel" aria-live="polite"><p>Point at a line for its partners, or choose it with the arrow keys; click it, or
press Enter, to keep it.</p></aside>
<script type="application/json" id="values">{shown}</script>
<script>
{script}</script>
</body>
</html>
"""


def side_text(side: str, label: str, lines: list[SideLine], others: list[SideLine]) -> str:
    """The lines of a side; those without a partner have no colour."""
    linked = {line.group for line in others} - {None}
    shown = highlighted_lines("\n".join([line.text for line in lines]))
    rows = [line_text(side, k, line, code, line.group in linked) for k, (line, code) in enumerate(zip(lines, shown))]
    return (f'<section id="{side}"><h2>{label}</h2>\n<div class="code" role="listbox" aria-label="{label}">\n'
            + "\n".join(rows) + "\n</div></section>")


def line_text(side: str, place: int, line: SideLine, code: str, linked: bool) -> str:
    """A line; data-at is its number on the right, and its place in the list on the left."""
    title = f'<h3>{html.escape(line.title)}</h3>\n' if line.title else ""
    marks = ["line"] + [line.kind] * bool(line.kind) + ["linked"] * linked
    group = f' data-group="{line.group}" style="--hue:{line.group * GOLDEN % 360:.0f}"' if linked else ""
    of = "" if line.of is None else f"{line.of}{'*' * (line.kind in ('adjoint', 'kept'))}"
    hint = f' title="{MARKS[line.kind]}"' if line.kind else ""
    partner = f'<span class="of"{hint}>{of}</span>' if side == "right" else ""
    return (f'{title}<div class="{" ".join(marks)}" id="{side}-{line.number}" role="option" tabindex="-1" '
            f'aria-selected="false" data-at="{line.number if side == "right" else place}"{group}>'
            f'<span class="number">{line.number}</span>{partner}<code>{code or " "}</code></div>')
