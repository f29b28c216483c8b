"""How a transformed function shows itself in a notebook: its generated source, highlighted."""
from __future__ import annotations

from html import escape


def page(transformed) -> str:
    """HTML with the readable source of each program made so far; before the first call, a hint."""
    title = f"<code>{escape(repr(transformed))}</code>"
    programs = [p for kept in transformed._cache.programs.values() for p in kept]
    if not programs:
        return (f"<div>{title}<br><small>Call it, or its <code>.source(*args)</code>, to see the generated "
                f"source.</small></div>")
    return f"<div>{title}{''.join(highlighted(p.text('readable')) for p in programs[-3:])}</div>"


def highlighted(text: str) -> str:
    """The source with colours where pygments is installed, as it is in Jupyter; else as it is."""
    try:
        from pygments import highlight
        from pygments.formatters import HtmlFormatter
        from pygments.lexers import PythonLexer
    except ImportError:
        return f"<pre>{escape(text)}</pre>"
    return highlight(text, PythonLexer(), HtmlFormatter(noclasses=True, nobackground=True))
