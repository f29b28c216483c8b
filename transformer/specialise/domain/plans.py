"""What a specialisation does otherwise than it would: found out by a try that comes to where nothing fits, and kept for
the next one (`Restart`).  A plan is for a place of the text, an argument, or a length.
"""
from __future__ import annotations

import enum
from typing import NamedTuple


class Way(enum.Enum):
    KNOWN = "its value is known: of an argument, by the number of its leaf, or of what is outside"
    LENGTH = "the length of an axis is known"
    TEST = "which side of a branch is taken is known"
    WRITTEN_OUT = "a loop is written out; a list of an argument is a list"
    IN_ROWS = "rows stand for what a loop runs over, or for a list of an argument, since it would be long"
    FILLED = "the rounds of a loop in which lists fill stand before it"
    PEELED = "the first iteration of a loop is done apart, since it changes types"
    LEFT = "a loop is left where an exception is raised that is caught around it"
    ENDED = "what leaves a block is caught, since what is done at its end may raise, or asks what it was"
    RUNS = "such a loop has a first iteration"
    FOUND_OUT = "what a loop changes is found out, and not read off its text"
    PICKED = "an item of a list is picked at run time"
    WHOLE = "a power of ints is an int"
    BOUNDED = "a function that calls itself, as the run decides, does so a few times at most"
    APART = "a number that has one of two types by the path is one of two numbers"
    LOOSE = "a length may be 1 on one path only, and lists are as long as the run says"


class Plan(NamedTuple):
    way: Way
    place: str | int


LOOSE = Plan(Way.LOOSE, "")
APART = Plan(Way.APART, "")


def rolled(plan: Plan) -> Plan:
    """Of a loop, or a list of an argument, that is written out: as rows."""
    return plan._replace(way=Way.IN_ROWS)


def ways_of(static, *ways: Way) -> frozenset:
    """The plans of these ways, among those and what is stored into or assigned outside."""
    return frozenset([p for p in static if isinstance(p, Plan) and p.way in ways])


def known_arguments(static) -> list[int]:
    """The leaves of the arguments whose values have to be known."""
    return sorted([p.place for p in ways_of(static, Way.KNOWN) if type(p.place) is int])
