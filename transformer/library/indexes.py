"""What pandas has that does not change: an index, a time, a span of time.  What is made of those that are known is
computed before the run.  Nothing here needs pandas."""
from __future__ import annotations

import abc
import datetime

from ..frontend.module_names import package_of

MAKERS = ("date_range", "bdate_range", "timedelta_range", "to_datetime", "to_timedelta")
CHANGEABLE = ("name", "names", "freq", "freqstr")  # of an index, which each call looks at
CLOCK_WORDS = ("now", "today")  # which are times to pandas
TAKE = "Take the array of it, np.asarray(index), and compute with that."


class Index(abc.ABC):
    """An index of pandas: a DatetimeIndex, or one of numbers."""

    @classmethod
    def __subclasshook__(cls, other):
        return any(c.__name__ == "Index" and package_of(c) == "pandas" for c in other.__mro__)


def is_known_of_pandas(x) -> bool:
    """Is it an index, a time or a span of pandas, or the class of one?"""
    cls = x if isinstance(x, type) else type(x)
    return package_of(cls) == "pandas" and issubclass(cls, (Index, datetime.date, datetime.timedelta))


def is_fixed(x, attr: str) -> bool:
    """Does an attribute of something of pandas never change?"""
    return is_known_of_pandas(x) and not isinstance(x, type) and attr not in CHANGEABLE


def makes_known(f) -> bool:
    """Does a function of pandas, of what is known, compute what does not change?"""
    owner = getattr(f, "__self__", None)
    return (is_known_of_pandas(f if owner is None else owner)
            or package_of(f) == "pandas" and getattr(f, "__name__", "") in MAKERS)


def is_index(value) -> bool:
    """Is a value of the evaluator an index that is known?"""
    return isinstance(getattr(value, "value", None), Index)


def does_more(f, given: list, named: dict) -> tuple[str, str] | None:
    """(what pandas does beside computing, what to write instead), of a call of a function of what is known."""
    if not makes_known(f) and not any(map(is_known_of_pandas, given)):
        return None
    if named.get("inplace"):
        return "a change of an index of pandas", "Take the new one that it gives: leave out inplace=True."
    if has_clock_word([*given, *named.values()]):
        return "a time that pandas reads off the clock", "Read the clock outside, around the call."
    return None


def has_clock_word(given) -> bool:
    if isinstance(given, (tuple, list)) or isinstance(given, Index) and given.inferred_type == "string":
        return any(map(has_clock_word, given))
    return isinstance(given, str) and given in CLOCK_WORDS
