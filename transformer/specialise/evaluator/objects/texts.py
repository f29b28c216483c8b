"""The texts of values, with places for what only the run time knows."""
from __future__ import annotations

import functools
import string
from types import FunctionType

from ...domain import values as v
from ...domain.classes import is_deque
from . import protocols
from .containers import python


def text_of(s, value, conversion: str, spec: str, source: str) -> list:
    """The parts of a value's text."""
    own = protocols.text(s, value, conversion, spec)
    if own is not None:
        return [own.value] if isinstance(own, v.Static) else list(own.parts) if not (conversion and spec) else s.fail(
            "a format of a string with values of the run time", "Format the values.")
    match value:
        case v.Static(value=x):
            return [("{" + conversion + ":" + spec + "}").format(x)]
        case v.Boxed(cls=c) if c is set:
            return [("{" + conversion + ":" + spec + "}").format(s.static(value, ""))]
        case v.Text(parts=parts) if conversion in ("", "!s") and not spec:
            return list(parts)
        case v.Num() | v.Array():
            # str shows NumPy's and Python's alike
            if conversion == "!r" or len({t.dtype for t in s.b.types_of(s.atom(value))}) > 1:
                s.refuse_several([s.atom(value)])
            return [(value, "{" + conversion + (":" + spec if spec else "") + "}", source)]
        case v.Problem(args=args) if not spec and conversion != "!r" and type(value.cls.__str__) is not FunctionType:
            return ([] if not args else text_of(s, v.Tuple(args), "!s", "", source) if len(args) > 1
                    else text_of(s, args[0], "!r" if issubclass(value.cls, KeyError) else "!s", "", source))
        case v.Choice():  # that is raised on two sides
            return [(value, "{" + conversion + (":" + spec if spec else "") + "}", source)]
        case v.Maybe(flag=flag):
            if flag in s.known_true:
                return text_of(s, value.value, conversion, spec, source)
            s.know(flag)
        case v.Tuple(cls=c) | v.Boxed(cls=c) if (c in (tuple, list, dict) or is_deque(value)) and not spec:
            items = s.items(value)
            keys = [f"{key!r}: " for key in s.keys(value)] if c is dict else [""] * len(items)
            shown = [p for k, (key, item) in enumerate(zip(keys, items))
                     for p in (", " * (k > 0) + key, *text_of(s, item, "!r", "", source))]
            most = f", maxlen={c.most}" if hasattr(c, "most") else ""
            ends = {list: "[]", dict: "{}", tuple: ("(", ",)" if len(items) == 1 else ")")}
            first, last = ends.get(c, ("deque([", f"]{most})"))
            return [first, *shown, last]
    s.fail(f"{s.describe(value)} in a string", "Put numbers and arrays into it.")


def formatted(s, template: str, args, kwargs):
    """template.format(*args, **kwargs), with places for what only the run time knows."""
    if all([isinstance(x, v.Static) for x in (*args, *kwargs.values())]):
        return v.Static(python(s, template.format, *[x.value for x in args], **{k: x.value for k, x in kwargs.items()}))
    fields = python(s, lambda: [*string.Formatter().parse(template)])
    of_zeros = functools.partial(python, s, template.format, *[0] * len(args), **dict.fromkeys(kwargs, 0))
    if len({name == "" for _, name, _, _ in fields if name is not None and (name == "" or name.isdigit())}) > 1:
        of_zeros()
    places, parts = iter(args), []
    for literal, name, spec, conversion in fields:
        parts.append(literal)
        if name is None:
            continue
        if "{" in spec or not (name == "" or name.isdigit() or name.isidentifier()):
            s.fail(f"the field {{{name}}} of a format", "Format values by their numbers or names.")
        try:
            value = next(places) if name == "" else args[int(name)] if name.isdigit() else kwargs[name]
        except (StopIteration, LookupError):
            of_zeros()
        parts += text_of(s, value, f"!{conversion}" if conversion else "", spec, name)
    return v.text(parts)
