"""The user's function beside generated source: which lines belong together, and what each of them is.

Lines of both sides that come from one statement of the user's are a group.  Where a function calls others of the
user's, those of their lines that the source comes from stand below it.
"""
from __future__ import annotations

import ast
import re
import textwrap
from dataclasses import dataclass

from ..core import AdjointOrigin
from ..errors.messages import Origin, shown_file
from ..errors.tracebacks import is_ours
from ..frontend.capture import Captured
from ..readable import Source
from .recording import Statement, statements

TAPE = re.compile(r"\w+_tape\d*(_dot\d*)?")
ADJOINT_OF = re.compile(r"\s*# adjoint of line (\d+): ")


@dataclass
class SideLine:
    """A line of a page.

    number: in its file, or in the generated text; group: the number of the user's statement, where there is one; of:
    the line that this statement begins at; kind: "adjoint", "kept" (a tape is made, filled or read), "again" (computed
    again for the adjoint) or ""; binds: names, of the user's side; title: that of the part which begins with it.
    """

    number: int
    text: str
    group: int | None = None
    of: int | None = None
    kind: str = ""
    binds: tuple[str, ...] = ()
    title: str = ""


class Groups:
    """Statements of the user's text, by number."""

    def __init__(self, main: Captured):
        self.main = main
        self.numbers: dict[tuple[str, int], int] = {}
        self.at = {line + main.first_line - 1: (s, s.line + main.first_line - 1)
                   for line, s in own_statements(main).items()}

    def of(self, file: str, line: int) -> int:
        """The group of a line; all lines of a statement are in one, of a loop those before its body."""
        if file == self.main.file and line in self.at:
            line = self.at[line][1]
        return self.numbers.setdefault((file, line), len(self.numbers))

    def of_origin(self, origin: Origin) -> int:
        return self.of(origin.file, origin.line)

    def of_next(self, places: dict[int, Origin], number: int, line: int) -> int | None:
        """The group of the next generated line that comes from a line of this number, of whichever file."""
        there = [k for k, origin in places.items() if k > number and origin.line == line]
        return self.of_origin(places[min(there)]) if there else None

    @property
    def definition(self) -> int:
        """The line with the function's `def`, below its decorators."""
        found = [line for line, (s, _) in self.at.items() if isinstance(s.node, ast.FunctionDef)]
        return min(found, default=self.main.first_line)


def own_statements(main: Captured) -> dict[int, Statement]:
    """{line, from the first on: its statement}; none of a lambda in the middle of a statement"""
    try:
        return statements(ast.parse(textwrap.dedent("\n".join(main.lines))))
    except SyntaxError:
        return {}


def sides(main: Captured, source: Source) -> tuple[list[SideLine], list[SideLine]]:
    """The user's lines, and those of the source."""
    groups = Groups(main)
    origins = {line: plain_origin(origin) for line, origin in source.line_map.items()}
    places = {line: origin for line, origin in origins.items() if not is_ours(origin.file)}
    left = [SideLine(number, text, groups.of(main.file, number) if text.strip() else None,
                     binds=groups.at[number][0].binds if number in groups.at else ())
            for number, text in enumerate(main.lines, main.first_line)]
    left[0].title = f"{main.name}, {shown_file(main.file)}"
    left += lines_called(main, groups, places)
    return left, generated(main, groups, source, places)


def lines_called(main: Captured, groups: Groups, places: dict[int, Origin]) -> list[SideLine]:
    """The lines of other functions of the user's."""
    own = range(main.first_line, main.first_line + len(main.lines))
    found: dict[tuple[str, str], dict[int, SideLine]] = {}
    for origin in places.values():
        if origin.file != main.file or origin.line not in own:
            lines = found.setdefault((origin.file, origin.function), {})
            text = origin.text.split("\n", 1)[0]
            lines.setdefault(origin.line, SideLine(origin.line, text, groups.of_origin(origin)))
    parts = [[line for _, line in sorted(lines.items())] for lines in found.values()]
    for (file, function), part in zip(found, parts):
        part[0].title = f"{function or 'called'}, {shown_file(file)}"
    return [line for part in parts for line in part]


def generated(main: Captured, groups: Groups, source: Source, places: dict[int, Origin]) -> list[SideLine]:
    lines = []
    before: set[int | None] = set()  # groups of what has been computed
    mirror = False  # has the adjoint part begun?
    definition = source.defined().__code__.co_firstlineno
    for number, text in enumerate(source.text.rstrip("\n").split("\n"), 1):
        line, origin, comment = SideLine(number, text), places.get(number), ADJOINT_OF.match(text)
        mirror = mirror or comment is not None
        if comment:
            line.of, line.kind = int(comment[1]), "adjoint"
            line.group = groups.of_next(places, number, line.of)
        elif number == definition:
            line.of = groups.definition
            line.group = groups.of(main.file, line.of)
        elif origin is not None and text.strip():
            line.group, line.of = groups.of_origin(origin), origin.line
            line.kind = kind_of_line(text, origin, mirror and line.group in before)
            before |= set() if mirror else {line.group}
        lines.append(line)
    return lines


def kind_of_line(text: str, origin: Origin, computed: bool) -> str:
    """Of a `SideLine`; computed: has its statement been computed before, and is this the adjoint part?"""
    if TAPE.search(text):
        return "kept"
    if origin.derivative:
        return "adjoint"
    return "again" if computed else ""


def plain_origin(origin) -> Origin:
    """That of which an adjoint is the adjoint."""
    if isinstance(origin, AdjointOrigin):
        return plain_origin(origin.of).mirrored()
    return origin
