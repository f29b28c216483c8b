"""Texts that are made with `%` and `format`, of values that only the run knows."""
import re
import string

import numpy as np

from .registry import computed, refuse

FIELD = re.compile(r"%(?:(%)|(-?\d*(?:\.\d+)?)([sr])|([+0 ]?\d*(?:\.\d+)?)([diufFeEgG]))")


class Anything:
    """What each format takes, and what has each attribute and item."""

    def __format__(self, spec):
        return ""

    def __getattr__(self, name):
        return self

    def __getitem__(self, key):
        return self


# template % values ------------------------------------------------------------------------------------------
def percent(template, values):
    mapping = isinstance(values, (list, dict, range, np.ndarray, np.generic))  # of these Python may leave items out
    pieces, values = computed(pieces_of, template), values if isinstance(values, tuple) else (values,)
    if pieces is None:
        refuse(f"{template!r} % of values of the run time", "Write an f-string.")
    fields = sum([kind != "" for _, kind, _ in pieces])
    if fields != len(values) and not (mapping and fields == 0):
        computed(str.__mod__, template, ("",) * len(values))
    text, k = "", 0
    for literal, kind, spec in pieces:
        text = text + literal
        if kind != "":
            text, k = text + text_of(values[k], kind, spec), k + 1
    return text


def text_of(x, kind, spec):
    if kind in "sr":
        text = repr(x) if kind == "r" else str(x)
        return text if spec == "" else format(text, spec)
    if isinstance(x, bool) or not isinstance(x, (int, np.integer) if kind == "d" else (int, float, np.number)):
        refuse(f"%{kind} of what is no {'int' if kind == 'd' else 'number'}", "Convert it before: int(x), float(x).")
    if isinstance(x, np.complexfloating):
        raise TypeError(f"must be real number, not {type(x).__name__}")
    return f"{x:{spec}}"


def pieces_of(template):
    """((text, what comes behind it, how format() is told so), ...); None: there is something else in it."""
    found, at = [], 0
    for field in FIELD.finditer(template):
        whole, width, of_text, spec, of_number = field.groups()
        literal, kind = template[at:field.start()], of_text or ("d" if of_number in ("i", "u") else of_number)
        side = (width.replace("-", "<") if "-" in width else ">" + width) if width else ""
        if "%" in literal:
            return None
        found.append((literal + "%", "", "") if whole else (literal, kind, side if of_text else spec + kind))
        at = field.end()
    return None if "%" in template[at:] else (*found, (template[at:], "", ""))


# template.format(...) ---------------------------------------------------------------------------------------
def braces(template, /, *args, **kwargs):
    text = ""
    for literal, name, spec, conversion in computed(fields_of, template, len(args), tuple(kwargs)):
        text = text + literal
        if name is None:
            continue
        if "{" in spec or not (name.isdigit() or name.isidentifier()):
            refuse(f"the field {{{name}}} of a format", "Format values by their numbers or names.")
        x = args[int(name)] if name.isdigit() else kwargs[name]
        text = text + (f"{x!r:{spec}}" if conversion == "r" else f"{x!s:{spec}}" if conversion == "s"
                       else f"{x!a:{spec}}" if conversion == "a" else f"{x:{spec}}")
    return text


def fields_of(template, count, names):
    """((text, the number or name of what comes behind it, how it is formatted, how it is converted), ...)"""
    template.format(*[Anything()] * count, **dict.fromkeys(names, Anything()))  # is each there?
    fields, at = [], 0
    for literal, name, spec, conversion in string.Formatter().parse(template):
        fields.append((literal, str(at) if name == "" else name, spec, conversion))
        at += name == ""
    return tuple(fields)
