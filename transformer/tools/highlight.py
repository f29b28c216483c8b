"""Python's words in colour: spans of HTML, line by line."""
from __future__ import annotations

import io
import keyword
import re
import token
import tokenize
from html import escape

COTANGENT = re.compile(r"\w+_bar\d*$")
KEPT = re.compile(r"\w+_tape\d*(_dot\d*)?$")


def highlighted_lines(text: str) -> list[str]:
    """HTML of each line; what is no Python, such as part of a statement, has no colours."""
    lines = text.split("\n")
    spans: dict[int, list[tuple[int, int, str]]] = {}
    try:
        for found in tokenize.generate_tokens(io.StringIO(text).readline):
            kind = class_of_token(found)
            for number in range(found.start[0], found.end[0] + 1) if kind else ():
                start = found.start[1] if number == found.start[0] else 0
                end = found.end[1] if number == found.end[0] else len(lines[number - 1])
                spans.setdefault(number, []).append((start, end, kind))
    except (tokenize.TokenError, SyntaxError):
        spans = {}
    return [with_spans(line, spans.get(number, [])) for number, line in enumerate(lines, 1)]


def class_of_token(found: tokenize.TokenInfo) -> str:
    """What page.css calls it; "" for what is like all others."""
    match found.type:
        case token.COMMENT:
            return "comment"
        case token.STRING:
            return "string"
        case token.NAME if keyword.iskeyword(found.string):
            return "keyword"
        case token.NAME if COTANGENT.match(found.string):
            return "bar"
        case token.NAME if KEPT.match(found.string):
            return "tape"
    return ""


def with_spans(line: str, spans: list[tuple[int, int, str]]) -> str:
    parts, at = [], 0
    for start, end, kind in spans:
        parts += [escape(line[at:start]), f'<span class="{kind}">{escape(line[start:end])}</span>']
        at = end
    return "".join([*parts, escape(line[at:])])
