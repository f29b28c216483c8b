"""Where the text of a function may be: in its file, in the command line, or with the pickle that the function came in.

What is found here is only possible: `capture` compares each text with the loaded code before it believes it.
"""
from __future__ import annotations

import linecache
import re
import sys
from dataclasses import dataclass
from itertools import pairwise
from typing import Iterator

DYNAMIC = "<dynamic-code>"  # what cloudpickle calls the file of a function that it sends by value


@dataclass(frozen=True)
class UserText:
    file: str
    lines: list[str]


arrived: dict[tuple[str, str], UserText] = {}  # by (file, text), the latest last: which function it is of its code says


def note_arrived(file: str, text: str) -> None:
    """A text has come with a pickle of functions that may be in it."""
    arrived[file, text] = arrived.pop((file, text), None) or UserText(file, text.splitlines(True))


def possible_texts(code, namespace: dict) -> Iterator[UserText]:
    """The texts that a function may be in, the likeliest first."""
    by_code = getattr(linecache, "_getlines_from_code", None)  # the interactive prompt of 3.13 registers code objects
    linecache.checkcache(code.co_filename)
    if lines := (by_code and by_code(code)) or linecache.getlines(code.co_filename, namespace):
        yield UserText(code.co_filename, lines)
    if code.co_filename == "<string>" and (text := command_text()):
        yield UserText(code.co_filename, text.splitlines(True))
    yield from [found for (_, text), found in reversed(arrived.items()) if code.co_name.strip("<>") in text]
    file = namespace.get("__file__")
    if code.co_filename == DYNAMIC and isinstance(file, str):
        linecache.checkcache(file)
        yield UserText(file, linecache.getlines(file))


def command_text() -> str | None:
    """The text of `python -c text`."""
    return next((text for option, text in pairwise(sys.orig_argv) if re.fullmatch("-[A-Za-z]*c", option)), None)


__all__ = ["DYNAMIC", "UserText", "arrived", "note_arrived", "possible_texts"]
