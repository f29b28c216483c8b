"""Learning rates of `gs.optim` that depend on the step."""
from __future__ import annotations

import functools
import math
from typing import Callable

Schedule = Callable[[int], float]
Rate = float | Schedule


def _at(rate, step):
    return rate(step) if callable(rate) else rate


def constant(value: float) -> Schedule:
    """Make a schedule with the same rate at every step.

    Parameters
    ----------
    value : float
        The rate.

    Returns
    -------
    callable
        Number of the step, counted from 0 -> rate.

    Examples
    --------
    >>> import gradscribe as gs
    >>> gs.optim.constant(0.1)(1000)
    0.1
    """
    return functools.partial(_constant, value)


def _constant(value, step):
    return value


def exponential(value: float, steps: float, factor: float) -> Schedule:
    """Make a schedule whose rate is multiplied by a factor every so many steps, smoothly.

    Parameters
    ----------
    value : float
        The first rate.
    steps : float
        After how many steps the rate has been multiplied once.
    factor : float
        By what it is multiplied.

    Returns
    -------
    callable
        Number of the step, counted from 0 -> value * factor ** (step / steps).

    Examples
    --------
    >>> import gradscribe as gs
    >>> gs.optim.exponential(0.1, 10, 0.5)(20)
    0.025
    """
    return functools.partial(_exponential, value, steps, factor)


def _exponential(value, steps, factor, step):
    return value * factor ** (step / steps)


def cosine(value: float, steps: int, end: float = 0.0) -> Schedule:
    """Make a schedule whose rate goes from value to end along half a cosine, and stays there.

    Parameters
    ----------
    value : float
        The first rate.
    steps : int
        How many steps it takes.
    end : float
        The last rate.

    Returns
    -------
    callable
        Number of the step, counted from 0 -> rate.

    References
    ----------
    I. Loshchilov, F. Hutter, 2016.

    Examples
    --------
    >>> import gradscribe as gs
    >>> [round(gs.optim.cosine(0.1, 10)(k), 6) for k in (0, 5, 10, 20)]
    [0.1, 0.05, 0.0, 0.0]
    """
    return functools.partial(_cosine, value, steps, end)


def _cosine(value, steps, end, step):
    return end + (value - end) * 0.5 * (1.0 + math.cos(math.pi * (min(step, steps) / steps)))


def warmup(steps: int, schedule: Rate) -> Schedule:
    """Make a schedule whose rate grows from 0 in a straight line, and then is that of another.

    Parameters
    ----------
    steps : int
        For how many steps it grows.
    schedule : float or callable
        What comes then: a number, or a schedule, which counts from there.

    Returns
    -------
    callable
        Number of the step, counted from 0 -> rate.

    Examples
    --------
    >>> import gradscribe as gs
    >>> rate = gs.optim.warmup(10, gs.optim.cosine(0.1, 100))
    >>> [round(rate(k), 6) for k in (0, 5, 10, 60)]
    [0.0, 0.05, 0.1, 0.05]
    """
    return functools.partial(_warmup, steps, schedule)


def _warmup(steps, schedule, step):
    return _at(schedule, max(step - steps, 0)) * (min(step, steps) / steps)
