"""Where a loop that is run backwards keeps its state: all else it computes again from there.

The rounds are cut into segments of equal length.  States stand at the beginnings of some segments, like books on a
pile: the mirror takes the last segment, keeping on its way there as many states as there is room for.
"""
from .arrays import exception_class

LEAST = "the gradient may keep {} bytes of a loop, by its budget of memory, and the least is {}"


def segment_length(rounds, state, kept, room):
    """How many rounds a segment has, where a state has `state` bytes, a round keeps `kept` for its mirror, and all have
    `room`.  RefusedValue: there is not room enough."""
    length = fitting_length(rounds, state, kept, room)
    if length == 0:
        raise exception_class("RefusedValue")(LEAST.format(room, least_room(rounds, state, kept)))
    return length


def least_room(rounds, state, kept):
    """The least room for a loop: for all its rounds, or for two states and two segments of one round.  The tapes of a
    segment are let go only when those of the next are there."""
    return min(rounds * kept + state, 2 * (state + kept))


def fitting_length(rounds, state, kept, room):
    """The same; 0 where there is not room enough."""
    if rounds == 0 or rounds * kept + state <= room:
        return max(rounds, 1)
    if 2 * (state + kept) > room:
        return 0
    return max((room - max(2 * state, room // 2)) // (2 * kept), 1)


def segment_starts(rounds, length, state, kept, room):
    """How many states are kept at a time: of each segment, or as many as there is room for."""
    if length >= rounds:
        return 1
    return min((room - 2 * length * kept) // state, (rounds + length - 1) // length)


def starts_ahead(at, end, length, free):
    """How many of `free` states the way from `at` to the last segment before `end` is given."""
    return min(max((end - at - 1) // length, 0), free)


def next_start(at, end, length, free):
    """The round, on the way from `at` to `end`, at which the next of `free` states is kept.

    With s states, and no round computed more than t times again, (s + t)! / s! / t! segments can be run backwards
    (Griewank, 1992): t is the least for which these are enough, and what is behind the next state has s - 1 of them.
    """
    segments = (end - at + length - 1) // length
    if free < 1 or segments < 2:
        return end
    reach, less, again = 1, 0, 0
    while reach < segments:
        again += 1
        less, reach = reach, reach * (free + again) // again
    return at + length * max(min(less, segments - free), 1)


FUNCTIONS = (least_room, fitting_length, segment_starts, starts_ahead, next_start)
