"""What programs say in other ways than by `print`: warnings, the records of loggers, text that is written to a stream.

    rt.warn("UserWarning", "model.py", 14, "model", "rough: 0.5")
    rt.log("model", 20, "model.py", 15, "fit", "loss %g", 0.25)

Filters, levels and handlers are asked when it is said; the place is the user's.
"""
from __future__ import annotations

import logging
import sys
import time
import warnings

from .arrays import exception_class


def warn(category: str, file: str, line: int, module: str, message: str) -> None:
    """warnings.warn(message, category), as from this line."""
    registry = vars(sys.modules[module]).setdefault("__warningregistry__", {}) if module in sys.modules else None
    warnings.warn_explicit(message, exception_class(category), file, line, module, registry)


def log(name: str | None, level: int, file: str, line: int, function: str, message: str, *args) -> None:
    """logging.getLogger(name).log(level, message, *args), as from this line; without a name logging.log."""
    if name is None and not logging.root.handlers:
        logging.basicConfig()
    logger = logging.getLogger(name)
    if logger.isEnabledFor(level):
        logger.handle(logger.makeRecord(logger.name, level, file, line, message, args, None, function))


def log_enabled(name: str, level: int) -> bool:
    """logging.getLogger(name).isEnabledFor(level)"""
    return logging.getLogger(name).isEnabledFor(level)


def write(stream: str, text: str) -> None:
    """sys.stdout.write(text), or that of sys.stderr."""
    getattr(sys, stream).write(text)


def clock(which: str) -> float:
    """time.perf_counter(), or another clock of `time`."""
    return getattr(time, which)()


SAYS = {"rt.warn": warn, "rt.log": log, "rt.write": write}


def filled(texts: tuple, values) -> list:
    """What is said: of each text the values that it has places for, and a value itself where there is None."""
    values = iter(values)
    return [next(values) if text is None else text.format(*[next(values) for _ in range(count)])
            for text, count in texts]
