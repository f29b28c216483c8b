"""Programs in which the end of a block has a word about what was raised in it; they stand in the table of
`raised_programs`."""
import contextlib

import numpy as np

from tests.corpus.raised_programs import OutOfRange, program, root
from tests.corpus.swallowed_programs import RaisesOnTheWayOut, checked_at_its_end, without_a_value


class Notes:
    """Ends exceptions of some classes, and counts."""

    def __init__(self, *ends):
        self.ends, self.weight, self.words = ends, 1.0, 0

    def __enter__(self):
        return self

    def __exit__(self, cls, problem, _):
        if cls is None:
            self.weight += 10.0
            return None
        self.weight *= 2.0
        self.words += len(problem.args)
        return issubclass(cls, self.ends)


class OfOneName:
    def __enter__(self):
        return self

    def __exit__(self, cls, problem, _):
        return cls.__name__ == "ValueError" if cls else None


class OfOneClass:
    def __enter__(self):
        return self

    def __exit__(self, cls, problem, _):
        if cls is ValueError:
            return True


class Counted:
    def __enter__(self):
        return self

    def __exit__(self, *problem):
        return False


@program
def ended_by_its_name(x):
    with OfOneName():
        return root(x[2]) * x[0]
    return x[1] ** 2


@program
def ended_by_its_class(x):
    with OfOneClass():
        if x[2] < 0:
            raise ValueError("a")
        return x[0] ** 2
    return -x[0]


@program
def noted_by_a_context(x):
    with Notes(ValueError) as notes:
        s = x[0]
        s = s * root(x[2])
        notes.weight = notes.weight * s
    return notes.weight * x[1] + notes.words * x[3]


@program
def noted_and_handled(x):
    notes = Notes(ValueError)
    try:
        with notes:
            if x[0] < 0.25:
                raise KeyError("a", "b")
            return root(x[2]) * 3
    except KeyError as problem:
        return x[1] * notes.weight * len(problem.args)
    return notes.words * x[3] * notes.weight


@program
def noted_in_rounds(x):
    notes = Notes(ValueError, OutOfRange)
    for v in x:
        with notes:
            if v > 2:
                raise OutOfRange
            notes.weight += root(v) * v
            continue
        notes.weight = notes.weight + v
    return notes.weight


@program
def two_contexts_of_classes(x):
    with Notes(ValueError, KeyError) as outer, Notes(KeyError) as inner:
        if x[2] < 0:
            raise KeyError
        if x[0] > 0.25:
            raise ValueError
        return x[1] * outer.weight
    return x[0] * outer.weight + x[1] * inner.weight


@program
def ended_by_the_inner_and_certain(x):
    with OfOneClass():
        if x[0] < -5:
            raise KeyError
        raise ValueError
    return x[0] ** 2


@program
def through_a_context(x):
    try:
        with Counted():
            return root(x[2])
    except ValueError:
        return x[0]


@program
def three_contexts_in_one_statement(x):
    with without_a_value(), contextlib.suppress(KeyError), Notes(OutOfRange) as notes:
        if x[0] < 0.25:
            raise OutOfRange
        return root(x[2]) * notes.weight
    return x[1] * 2


@program
def raised_anew_by_each_handler(x):
    y = np.zeros(4)
    try:
        try:
            for i in range(4):
                y[i] = 2 * x[i]
                if y[i] < -4:
                    raise KeyError
                if y[i] > 4:
                    raise OutOfRange
        except BaseException:
            y *= 2
            if y[0] > 1.5:
                raise ValueError("large") from None
            raise
        finally:
            y *= 3
    except ValueError:
        return y[1] * 7
    except OutOfRange:
        return y[0] * 5
    return np.sum(y)


@program
def taken_back_in_one_statement(x):
    with contextlib.suppress(OutOfRange), checked_at_its_end(x[0]) as v:
        return v * x[1]
    return x[2] ** 2


@program
def broken_off_in_one_statement(x):
    s = 0.0
    for v in x:
        with without_a_value(), Notes(OutOfRange), RaisesOnTheWayOut(-v) as w:
            if v > 2:
                raise ValueError
            if v < -1:
                break
            s += root(w + 2) * v
            continue
        s += v**2
    return s
