"""The two sides of a page as text, for terminals."""
from __future__ import annotations

import io
import itertools
import shutil
import sys

from .sides import SideLine

LEGEND = "The number before a generated line is that of the user's line, * of its adjoint or of what is kept for it."
COLOURS = {"adjoint": "magenta", "kept": "yellow", "again": "cyan", "": ""}
LEAST = 80


def in_columns(title: str, left: list[SideLine], right: list[SideLine]) -> str:
    """The sides beside each other, with colours in a terminal where rich is installed."""
    width = max(LEAST, shutil.get_terminal_size((120, 40)).columns)
    try:
        import rich  # noqa: F401
    except ImportError:
        return plain_columns(title, left, right, width)
    return rich_columns(title, left, right, width)


def left_text(line: SideLine) -> str:
    return f"{line.number:>4} {line.text}"


def right_text(line: SideLine) -> str:
    of = "" if line.of is None else f"{line.of}{'*' * (line.kind in ('adjoint', 'kept'))}"
    return f"{of:>5} {line.text}"


def plain_columns(title: str, left: list[SideLine], right: list[SideLine], width: int) -> str:
    """Lines that are too long for the left side are cut, as the user has them."""
    room = min(max([len(left_text(line)) for line in left]), width // 2 - 2)
    rows = [title, LEGEND, ""]
    for mine, made in itertools.zip_longest(left, right):
        first = left_text(mine) if mine else ""
        first = first if len(first) <= room else first[:room - 3] + "..."
        rows.append(f"{first:<{room}} | {right_text(made) if made else ''}".rstrip())
    return "\n".join(rows)


def rich_columns(title: str, left: list[SideLine], right: list[SideLine], width: int) -> str:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text
    table = Table(title=title, caption=LEGEND, expand=False)
    table.add_column("the function", overflow="fold", max_width=width * 2 // 5)
    table.add_column("generated source", overflow="fold")
    for mine, made in itertools.zip_longest(left, right):
        table.add_row(Text(left_text(mine) if mine else ""),
                      Text(right_text(made), style=COLOURS[made.kind]) if made else Text(""))
    shown = io.StringIO()
    Console(file=shown, width=width, force_terminal=sys.stdout.isatty(), legacy_windows=False).print(table)
    return shown.getvalue().rstrip("\n")
