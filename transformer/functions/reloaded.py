"""IPython's `%autoreload`: what a module had of transformed functions becomes what its new text makes.

IPython puts the new code into the functions that `from module import f` gave to others. A function under `gs.jit` is an
object to it, which it leaves as it is, and the old gradient would go on to be computed. So it gets a rule for them.
"""
from __future__ import annotations

import sys
import types

from ..programs import reuse


class Reloadable:
    """What IPython's `%autoreload` brings up to date."""

    def __init__(self):
        rules = getattr(sys.modules.get("IPython.extensions.autoreload"), "UPDATE_RULES", None)
        if rules is not None and RULE not in rules:
            rules.append(RULE)


def both_reloadable(old, new) -> bool:
    return isinstance(old, Reloadable) and isinstance(new, Reloadable)


def bring_up_to_date(old: Reloadable, new: Reloadable) -> None:
    """Make the old object what the new one is; programs that have found the old function in it are made again."""
    function = old
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    if isinstance(function, types.FunctionType):
        function.__code__ = function.__code__.replace()  # for which their guards ask
    if "_cache" in vars(old):  # what else is made of the old function may share it, and stays what it was
        before = object.__new__(type(old))
        vars(before).update(vars(old))
        vars(old)["_cache"].owner = before
    reuse.entries.clear()
    old.__class__ = new.__class__
    vars(old).clear()
    vars(old).update({name: x for name, x in vars(new).items() if name != "_cache"})


RULE = (both_reloadable, bring_up_to_date)

__all__ = ["Reloadable"]
