"""What programs say beside their results: warnings, loggers, streams; and the clocks that they show.

Each is an effect as print is: it happens where the program comes to it, and is said by Python.
"""
from __future__ import annotations

import functools
import logging
import re
import time
import warnings

from ...library.registry import METHODS_OF, each, frontend
from ...library.streams import Stream
from ..domain import values as v
from ..evaluator.names.problems import name_of
from ..evaluator.objects.iteration import NONE
from ..evaluator.objects.texts import exception_text, text_parts

LEVELS = {"debug": 10, "info": 20, "warning": 30, "warn": 30, "error": 40, "critical": 50, "fatal": 50}


def emit_said(s, op: str, to: tuple, said) -> v.Static:
    """`said`: for each text its parts, and for a value that is handed on as it is that value."""
    texts, values = [], []
    for x in said:
        shown = v.RunTimeText(tuple(x)) if isinstance(x, list) else None
        texts.append((None, 1) if shown is None else (shown.template, len(shown.values)))
        values += [x] if shown is None else shown.values
    s.emit(op, *map(s.atom, values), texts=tuple(texts), to=to)
    return NONE


def place_of_call(s, level: int = 1) -> tuple:
    """The call that is so many calls up, or the outermost that is read: its function as captured, its line."""
    frame = s.frames[-min(level, len(s.frames))]
    node = s.node if level == 1 else s.frames[1 - level].call if level <= len(s.frames) else frame.node
    return frame, frame.captured.origin_of(node)


# warnings ----------------------------------------------------------------------------------------
@frontend(warnings.warn)
def warn_(s, message, category=NONE, stacklevel=v.Static(1), source=NONE):
    if s.quiet == "some":
        s.fail("a warning in a block of catch_warnings with filters of its own",
               "Set the filter around the call of the transformed function.")
    cls, parts = class_and_text(s, message, category)
    frame, origin = place_of_call(s, max(1, s.static(stacklevel, "it says whose line is shown")))
    module = frame.captured.globals.get("__name__", "<string>")
    if s.quiet == "all":
        return NONE
    return emit_said(s, "rt.warn", (name_of(cls), origin.file, origin.line, module), [parts])


def class_and_text(s, message, category) -> tuple[type, list]:
    if isinstance(message, v.UnraisedException):
        cls, parts = message.cls, exception_text(s, message, "")
    else:
        cls = s.static(category, "it is the class of a warning") or UserWarning
        parts = text_parts(s, message, "!s", "", "")
    if not isinstance(cls, type) or not issubclass(cls, Warning):
        s.stop("TypeError", f"category must be a Warning subclass, not '{s.class_name(category)}'")
    return cls, parts


# loggers -----------------------------------------------------------------------------------------
@frontend(logging.getLogger)
def get_logger(s, name=NONE):
    return v.Static(logging.getLogger(s.static(name, "it is the name of a logger")))


def log_record(level, s, logger, msg, *args, **more):
    """A record of a logger, None: of the first one; what is handed on with the message is filled in by `logging`,
    if anybody listens."""
    name, level = None if logger is None else logger_name(s, logger), s.static(level, "it is a level")
    more = {key: s.static(x, "it says what is logged") for key, x in more.items()}
    if any(more[key] for key in more if key != "stacklevel"):
        s.fail(f"{next(key for key in more if more[key])}= of a logger", "Put what it shows into the message.")
    if len(args) == 1 and isinstance(args[0], v.Boxed) and args[0].cls is dict:
        s.fail("a dict that the message of a logger names", "Write the message as an f-string.")
    frame, origin = place_of_call(s, more.get("stacklevel", 1))
    said = [text_parts(s, msg, "!s", "", ""), *[logged(s, x, msg) for x in args]]
    return emit_said(s, "rt.log", (name, level, origin.file, origin.line, frame.hint), said)


def logged(s, x, message):
    """A value that is handed on: a number, an array or a text, such as that of an exception."""
    if s.is_numeric(x):
        return x
    is_text = isinstance(x, v.RunTimeText) or isinstance(x, v.Static) and isinstance(x.value, str)
    shows_repr = not isinstance(message, v.Static) or re.search(r"%[^%A-Za-z]*[ar]", str(message.value))
    if is_text or isinstance(x, v.UnraisedException) and not shows_repr:
        return text_parts(s, x, "!s", "", "")
    s.fail(f"{s.describe(x)} as a value of a logger's message", "Write the message as an f-string.")


def logger_name(s, logger) -> str:
    """What the logger is found by when the program runs."""
    logger = s.static(logger, "it is a logger")
    if logging.getLogger(logger.name) is not logger:
        s.fail("a logger that logging.getLogger does not give", "Get it by its name: logging.getLogger(name)")
    return logger.name


def is_enabled(s, logger, level):
    name = logger_name(s, logger)
    return s.wrap(s.emit("rt.log_enabled", asked=(name, s.static(level, "it is a level"))))


each({getattr(logging, name): v.Static(level) for name, level in LEVELS.items()})(
    lambda level, s, msg, *args, **more: log_record(level, s, None, msg, *args, **more))
frontend(logging.log)(lambda s, level, msg, *args, **more: log_record(level, s, None, msg, *args, **more))
METHODS_OF[logging.Logger] = {
    **{name: functools.partial(log_record, v.Static(level)) for name, level in LEVELS.items()},
    "log": lambda s, logger, level, msg, *args, **more: log_record(level, s, logger, msg, *args, **more),
    "isEnabledFor": is_enabled}


# streams -----------------------------------------------------------------------------------------
class CharactersWritten:
    """What `sys.stdout.write` gives, which is not known of a text of the run time."""


def write_to_stream(s, stream, text):
    """stream.write(text)"""
    if not isinstance(text, v.RunTimeText) and not (isinstance(text, v.Static) and isinstance(text.value, str)):
        s.stop("TypeError", f"write() argument must be str, not {s.class_name(text)}")
    emit_said(s, "rt.write", (s.static(stream, "").name,), [text_parts(s, text, "!s", "", "")])
    return v.Static(len(text.value) if isinstance(text, v.Static) else CharactersWritten())


METHODS_OF[Stream] = {"write": write_to_stream, "flush": lambda s, stream: NONE}


# clocks ------------------------------------------------------------------------------------------
@each({getattr(time, name): name for name in ("perf_counter", "time", "process_time", "monotonic", "thread_time")
       if hasattr(time, name)})
def clock_(name, s):
    """A number that may be shown, but nothing else may depend on it (`analyse/clock.py`)."""
    if s.facts.on_gpu:
        s.fail(f"time.{name}() in a function for a GPU", "Read the clock outside, around the call.")
    now = s.emit("rt.clock", hint="now", asked=(name,))
    s.clocks.setdefault(s.b.origin and s.b.origin.start, s.origin())
    return s.wrap(now)
