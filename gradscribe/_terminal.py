"""Colours, for those who look: only on a terminal, only where rich is installed, and none with NO_COLOR."""
from __future__ import annotations

import importlib.util
import os
import sys


def wants_colour() -> bool:
    """May what goes to stdout have colours?"""
    return (sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
            and importlib.util.find_spec("rich") is not None)


def print_python(text: str) -> None:
    """Print Python, coloured as it is in editors."""
    text = text.strip("\n")
    if not wants_colour():
        return print(text)
    from rich.syntax import Syntax
    print_rich(Syntax("", "python", theme="ansi_dark", background_color="default").highlight(text))


def print_marked(mark: str, colour: str, text: str) -> None:
    """Print a line whose first word has a colour."""
    if not wants_colour():
        return print(f"{mark}{text}")
    from rich.text import Text
    print_rich(Text.assemble((mark, colour), text))


def print_rich(text) -> None:
    """Lines stay as long as they are, and addresses and numbers get no colours of their own."""
    from rich.console import Console
    text.rstrip()
    Console(highlight=False, soft_wrap=True).print(text)


def confirmed(question: str) -> bool:
    """Does the user, on a terminal, say yes?  The question is no output."""
    print(f"{question} [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def bytes_in_words(count: int) -> str:
    """12.3 MB of 12345678"""
    for size, unit in ((10 ** 9, "GB"), (10 ** 6, "MB"), (10 ** 3, "kB")):
        if count >= size:
            return f"{count / size:.1f} {unit}"
    return f"{count} bytes"
