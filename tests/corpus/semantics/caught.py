"""What is there after an exception that was caught, and which handler it comes to."""
import contextlib

import numpy as np

from tests.corpus.semantics.table import program

# ---- variables that are read where an exception leads, though the block gives them another value


@program((1.5, 2.5, 1.0), (1.5, 2.5, -1.0), (1.5, {"a": 1.0}, 1.0))
def kept_after_a_loop(x, y, z):
    try:
        for k in range(2):
            if z > 0:
                continue
            w = k
        y = (x,)[5]
    except IndexError:
        pass
    return y


@program((1.5, 2.5, 1.0), (1.5, 2.5, 7.0), (1.5, 2.5, -1.0))
def kept_where_the_run_decides(x, y, z):
    try:
        if z > 0:
            x = x * 2.0
        y = x / int(z > 5)
    except ZeroDivisionError as problem:
        return y + len(problem.args), x
    return x, y


@program((1.5, 2.5, 1.0), (1.5, 2.5, -1.0))
def kept_for_the_end_of_it(x, y, z):
    try:
        try:
            if z > 0:
                x = x * 2.0
            y = (x, z)[3]
        finally:
            x = x + y
    except IndexError:
        return x, y


@program((1.5, 2.5, 1.0), (1.5, 2.5, -1.0))
def kept_where_it_is_suppressed(x, y, z):
    with contextlib.suppress(IndexError):
        if z > 0:
            x = x * 2.0
        y = (x,)[5]
    return x, y


class Silent:
    def __enter__(self):
        return self

    def __exit__(self, *problem):
        return True


@program((1.5, 2.5, 1.0), (1.5, 2.5, -1.0))
def kept_in_a_context(x, y, z):
    with Silent():
        if z > 0:
            x = x * 2.0
        y = (x,)[5]
    return x, y


@program((1.5, 2.5), (2.5, 1.5))
def kept_to_be_changed_in_a_block(x, y):
    w = 2.0 if y > x else 3.0
    if y > x:
        u = w
    else:
        w = x
        u = y
    try:
        w += u
        z = x * u
    except np.linalg.LinAlgError:
        z = 1.0
    return z


# ---- of what may be raised in one block, one handler takes a part and another the rest


@program((4.0, 1, 1), (0.4, 1, 1), (0.4, 1, 0), (0.1, 5, 3))
def raised_while_it_is_raised(x, k, m):
    t = 0.0
    try:
        try:
            if x < 1.0:
                raise RuntimeError(k % m)
        except RuntimeError:
            t = 3.0
    except Exception:
        t = x * 2.0
    return x * 2.0 + t


@program((4.0, 1, 1), (0.4, 1, 1), (0.4, 1, 0), (0.1, 5, 3))
def taken_on_by_the_outer(x, k, m):
    t = 0.0
    try:
        try:
            if x < 1.0:
                t = k % m + x
                raise RuntimeError("no")
        except RuntimeError:
            if x > 0.2:
                raise
            t = 7.0 * x
    except Exception:
        t = 1.0 + t
    return x * 2.0 + t


@program((4.0, 1, 1), (0.4, 1, 1), (0.4, 1, 0), (0.1, 5, 3))
def taken_in_rounds(x, k, m):
    t = 0.0
    for j in range(3):
        try:
            try:
                if x < j:
                    t = t + (k + j) % m
                    raise RuntimeError("no")
            except RuntimeError:
                t = t + 7.0 * x
                if x > 0.2:
                    continue
            t = t * x
        except ZeroDivisionError:
            t = 1.0 + t
    return x * 2.0 + t
