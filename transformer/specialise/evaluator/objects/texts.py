"""The texts of values, with places for what only the run time knows."""
from __future__ import annotations

from types import FunctionType

from ...domain import values as v
from ...domain.classes import is_deque, is_set
from . import protocols
from .attributes import of_exception


def text_parts(s, value, conversion: str, spec: str, source: str) -> list:
    """The parts of a value's text."""
    shown = class_text(s, value, conversion, spec)
    if shown is not None:
        return shown
    how = "{" + conversion + (f":{spec}" if spec else "") + "}"
    match value:
        case v.Static() | v.Boxed() if isinstance(value, v.Static) or is_set(value):
            return [how.format(s.static(value, ""))]
        case v.RunTimeText(parts=parts) if how in ("{}", "{!s}"):
            return list(parts)
        case v.Number() | v.Array() | v.OneOf(optional=False):  # a choice of two exceptions is raised on two sides
            refuse_two_texts(s, value, conversion)
            return [(value, how, source)]
        case v.OneOf(flag=flag, value=inner):
            if flag in s.sight.known_true:
                return text_parts(s, inner, conversion, spec, source)
            s.know(flag)
        case v.UnraisedException(cls=c) if (not spec and conversion != "!r"
                                            and type(c.__str__) is not FunctionType):
            return exception_text(s, value, source)
        case v.Tuple(cls=c) | v.Boxed(cls=c) if (c in (tuple, list, dict) or is_deque(value)) and not spec:
            return items_text(s, value, source)
    s.fail(f"{s.describe(value)} in a string", "Put numbers and arrays into it.")


def class_text(s, value, conversion: str, spec: str) -> list | None:
    """What the methods of a user's class make of its object."""
    own = protocols.text_method(s, value, conversion, spec)
    if isinstance(own, v.RunTimeText) and conversion and spec:
        s.fail("a format of a string with values of the run time", "Format the values.")
    return None if own is None else [own.value] if isinstance(own, v.Static) else list(own.parts)


def refuse_two_texts(s, value, conversion: str) -> None:
    """A number that is another class's on each path has two texts; str shows NumPy's and Python's alike."""
    if not isinstance(value, v.OneOf) and (conversion == "!r"
                                            or len({t.dtype for t in s.b.types_of(s.atom(value))}) > 1):
        s.refuse_several([s.atom(value)])


def exception_text(s, error: v.UnraisedException, source: str) -> list:
    """What str() shows of an exception: its one argument, or all of them."""
    args = of_exception(s, error, "args")
    if len(args.items) == 1:
        return text_parts(s, *args.items, "!r" if issubclass(error.cls, KeyError) else "!s", "", source)
    return text_parts(s, args, "!s", "", source) if args.items else []


def items_text(s, value, source: str) -> list:
    """What a list, tuple, dict or deque shows of its items."""
    cls, items = value.cls, s.items(value)
    keys = [f"{key!r}: " for key in s.keys(value)] if cls is dict else [""] * len(items)
    shown = [p for k, (key, item) in enumerate(zip(keys, items))
             for p in (", " * (k > 0) + key, *text_parts(s, item, "!r", "", source))]
    most = f", maxlen={cls.most}" if hasattr(cls, "most") else ""
    ends = {list: "[]", dict: "{}", tuple: ("(", ",)" if len(items) == 1 else ")")}
    first, last = ends.get(cls, ("deque([", f"]{most})"))
    return [first, *shown, last]
