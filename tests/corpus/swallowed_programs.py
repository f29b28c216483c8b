"""Programs that are left out of a block whose context manager, or finally block, has a word in it; they stand in the
table of `raised_programs`."""
import contextlib

import numpy as np

from tests.corpus.raised_programs import OutOfRange, program, root


@contextlib.contextmanager
def without_a_value():
    try:
        yield
    except ValueError:
        pass


class RaisesOnTheWayOut:
    def __init__(self, v):
        self.v = v

    def __enter__(self):
        return self.v

    def __exit__(self, *problem):
        if self.v > 0.5:
            raise OutOfRange("on the way out")


@program
def returned_where_nothing_is_suppressed(x):
    with contextlib.suppress(ValueError):
        return root(x[2]) * x[1]
    return x[0] ** 2


@program
def returned_from_two_contexts(x):
    with contextlib.suppress(ValueError), without_a_value():
        if x[2] < 0:
            raise ValueError
        return x[2] * 3
    return x[0] ** 2 + x[1]


@program
def returned_in_a_branch(x):
    if x[0] > 0.25:
        with np.errstate(divide="ignore"), without_a_value():
            return root(x[2])
        x = x * 2
    return np.sum(x**2)


@program
def returned_in_a_handler(x):
    try:
        if x[2] < 0:
            raise KeyError
        with without_a_value():
            return root(x[1])
    except KeyError:
        with without_a_value():
            return root(x[2])
    finally:
        x = x * 3
    return x[3] ** 2


@program
def returned_in_rounds(x):
    for v in x:
        with contextlib.suppress(ValueError):
            w = root(v - 0.25)
            if w > 1.0:
                return w * x[1]
        x = x * 1.5
    return np.sum(x**2)


@program
def continued_where_nothing_is_suppressed(x):
    s = 0.0
    for v in x:
        with without_a_value():
            s += root(v)
            continue
        s += 100 * v
    return s


@program
def broken_off_where_nothing_is_suppressed(x):
    s, k = 0.0, 0
    while k < 4:
        with contextlib.suppress(ValueError, KeyError):
            s += root(x[k] - 1.0)
            break
        s += x[k] ** 2
        k += 1
    else:
        s = s * 3
    return s


@program
def suppressed_in_a_suppressed(x):
    with contextlib.suppress(ValueError):
        with contextlib.suppress(KeyError):
            if x[0] > 0.5:
                raise KeyError
            return root(x[1])
    return x[2] ** 2


@program
def may_be_none(x):
    def found():
        with contextlib.suppress(ValueError):
            return root(x[2])

    y = found()
    return x[1] * 2 if y is None else y


@program
def taken_back_by_a_finally(x):
    """A break that does not come to its end, since the finally block raises."""
    s = 0.0
    for v in x:
        try:
            try:
                break
            finally:
                if v < 0.45:
                    raise ValueError
        except ValueError:
            s += v
    return s * x[3]


@program
def taken_back_by_a_context(x):
    for k in range(4):
        try:
            with RaisesOnTheWayOut(x[k]) as v:
                return v * x[3]
        except OutOfRange:
            x = x * 1.25
    return 7.0


@program
def taken_back_and_suppressed(x):
    s = x[0]
    for v in x:
        with contextlib.suppress(OutOfRange):
            if v < 2:
                with RaisesOnTheWayOut(v):
                    if v < 0:
                        break
                    continue
            s += v
        s = s * 2 + v
    return s


# ---- what a finally block raises, while another exception is on its way or none


@contextlib.contextmanager
def checked_at_its_end(v):
    try:
        yield v
    finally:
        if v > 0.8:
            raise OutOfRange(v)


@program
def replaced_by_a_finally(x):
    s = x[1]
    try:
        try:
            if x[0] > 0.25:
                raise KeyError("first")
            s = s * 2
        finally:
            s = s + x[3]
            if x[2] < 0:
                raise ValueError("second")
    except ValueError:
        s = s * 5
    except KeyError:
        s = s * 7
    return s


@program
def replaced_by_what_it_calls(x):
    s = x[1]
    try:
        try:
            if x[0] > 0.25:
                raise KeyError("first")
        finally:
            s = s + root(x[2])
    except (ValueError, KeyError) as problem:
        s = s * len(problem.args)
    return s


@program
def replaced_by_the_end_of_a_generator(x):
    try:
        with checked_at_its_end(x[0]) as v:
            if x[2] > 2:
                raise KeyError
            return v * x[3]
    except OutOfRange as problem:
        return problem.args[0] ** 2
    except KeyError:
        return x[1]


@program
def two_contexts_in_one_statement(x):
    with checked_at_its_end(x[3]) as v, without_a_value():
        if x[2] < 0:
            raise ValueError
        v = v * x[1]
    return v
