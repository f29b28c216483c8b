"""The line under a line of the user's text that points at what is meant."""
from __future__ import annotations

import unicodedata


def caret(origin) -> list[str]:
    """The first line of an `Origin` (none: nothing) and a caret line under the part that is meant."""
    if origin is None or not origin.text:
        return []
    line, number = origin.text.split("\n", 1)[0].rstrip(), f"{origin.line:>6}"
    end = origin.end_col if origin.end_line == origin.line else len(line)
    before = "".join("\t" if c == "\t" else " " * _width(c) for c in line[: origin.col])
    marks = "^" * max(1, sum(map(_width, line[origin.col:end])))
    return [f"{number} | {line}", f"{' ' * len(number)} | {before}{marks}"]


def _width(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
