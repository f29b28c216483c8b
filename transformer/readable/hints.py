"""From core's names to the name that a reader should see, before numbering."""
from __future__ import annotations

import functools
import re

from ..core import UNNAMED, split_name

TEMPORARY = {"t", "tmp", "value", "size", "last", "stop", "zeros", "bar", "dot", "order", "trips", "at", "offset",
             "start", "position", "length"}


@functools.lru_cache(4096)
def hint_of(name: str) -> str:
    """The user's name, with its role: s for s__3, s_tape for s__1_tape, result for what a function returns.

    >>> [hint_of(n) for n in ("s__3", "s__1_tape", "_gs_ret__2_bar", "_gs_stop_1__2", "p___a____b__2")]
    ['s', 's_tape', 'result_bar', 'stop', 'p_a_b']
    """
    name = split_name(name)[0]
    if "__" in name:
        name = re.sub(r"__\d+(?=_|$)", "", name)
        name = re.sub(r"(?<=[^_])_{3,}(?=[^_])", "_", name)  # of p["a", "b"]
    if "_gs_" in name:
        name = re.sub(r"_gs_at__gs_stop_\d+", "i", name)
        name = re.sub(r"_gs_ret(?=_|$)", "result", name)
        name = re.sub(r"_gs_(stop|skip)_\d+", r"\1", name).replace("_gs_", "")
    return name or "t"


@functools.lru_cache(4096)
def stem(hint: str) -> str:
    """The name without its role.

    >>> stem("x_bar_dot")
    'x'
    """
    return re.sub(r"(_bar|_dot)+$", "", hint)


def has_role(hint: str) -> bool:
    """Is it called an adjoint or a tangent?"""
    return stem(hint) != hint


@functools.lru_cache(4096)
def is_temporary(name: str) -> bool:
    """A value that the user did not name."""
    return stem(hint_of(name)) in TEMPORARY


def is_the_users(name: str) -> bool:
    """Is it a variable that the user calls as core calls values without a name: `t`, `t_bar`?"""
    return name.startswith("_gs_") and UNNAMED.match(name.removeprefix("_gs_")) is not None
