"""Lines that are too long, broken as people break them: at the outermost bracket that helps.

    return value, {"blocks": [{"W": W_bar, "b": b_bar},
        {"W": W_bar2, "b": b_bar2}], "out": out_bar}
"""
from __future__ import annotations

import re

QUOTES = "'\""
OPENING, CLOSING = "([{", ")]}"
ROOM = 40  # characters that a line has behind its indentation, however deep it stands
TOKEN = re.compile(r"""'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|\w+|\s+|\*\*|.""")
OPERATORS = {"+", "-", "*", "/", "@", "and", "or", "if", "else", "&", "|"}


def broken(text: str, width: int) -> str:
    """The text, each line of it at most so wide where it can be."""
    return "\n".join([part for line in text.split("\n") for part in broken_line(line, width)])


def broken_line(line: str, width: int) -> list[str]:
    width = max(width, len(line) - len(line.lstrip()) + ROOM)
    if len(line) <= width or line.lstrip().startswith("#"):
        return [line]
    line = bracketed(line, width)
    code = line.lstrip()
    indent = " " * (len(line) - len(code) + 4)
    out, start, places = [], 0, break_places(line)
    while len(line) - start + len(indent) * bool(out) > width:
        room = width - len(indent) * bool(out)
        within = [(depth, -place) for place, depth in places if start < place <= start + room]
        if not within:
            # a text longer than a line, or a line that begins where it should end
            within = [(0, -place) for place, _ in places if place > start + max(room, 0)][:1]
        if not within:
            break
        end = -min(within)[1]
        out.append(indent * bool(out) + line[start:end].rstrip())
        start = end + (len(line[end:]) - len(line[end:].lstrip()))
    return [*out, indent * bool(out) + line[start:]]


def break_places(line: str) -> list[tuple[int, float]]:
    """[(where a line may be broken, how deep in brackets)]: behind commas, less gladly before operators,
    and between the parts of a text."""
    found, depth, before, last = [], 0, "", " "
    for token in TOKEN.finditer(line):
        text = token.group()
        if text in OPENING:
            depth += 1
        elif text in CLOSING:
            depth -= 1
        elif depth and text == ",":
            found.append((token.end(), float(depth)))
        elif depth and before.isspace() and (text in OPERATORS or text[0] in QUOTES and last[-1] in QUOTES):
            found.append((token.start(), depth + 0.5))
        before, last = text, before if text.isspace() else text
    return found


def bracketed(line: str, width: int) -> str:
    """The line with brackets around what stands outside of any and is too long: targets, a value, a condition."""
    signs = [token.group() for token in TOKEN.finditer(line) if token.start() < width]
    places = [place for place, _ in break_places(line)]
    if places and (places[0] <= width or sum([(t in OPENING) - (t in CLOSING) for t in signs])):
        return line
    targets, sign, value = re.match(r"( *)(.*?)( [-+*/@]?= )(.*)|()()()()", line).groups()[1:4]
    if sign and len(targets) > width // 2:
        shown = value if break_places(value) or len(value) <= width // 2 else f"({value})"
        return line.replace(f"{targets}{sign}{value}", f"({targets}){sign}{shown}", 1)
    opening, body, colon = re.match(r"( *(?:return|if|elif|while) |.*? [-+*/@]?= |)(.*?)(:?)$", line).groups()
    return f"{opening}({body}){colon}" if opening else line
