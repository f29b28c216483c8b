"""What a call that raises has done till then: its arguments hold what Python leaves in them; and what the end of a try
raises."""
import contextlib
from dataclasses import dataclass

import numpy as np
import pytest

import gradscribe as gs
from tests.support.agreement import Together


@dataclass
class Net:
    w: np.ndarray


def doubled(x, k):
    x *= 2.0
    if x[0] > 0.0:
        raise ValueError("no")
    return x


def masked(x, k):
    x[x < 0.0] = 0.0
    x[0] += 1.0
    assert x[1] > 5.0, "small"
    return x


def before_an_index(x, k):
    x += 1.0
    return x[k]


def before_a_division(x, k):
    np.sqrt(np.abs(x), out=x)
    x[1] = 7.0
    return 1.0 / (k - 3)


def before_a_factor(x, k):
    x -= 3.0
    return np.linalg.inv(np.outer(x, x) * 0.0)


def halved(x):
    x /= 2.0
    return x[5]


def in_a_callee(x, k):
    x *= 3.0
    return halved(x)


def in_a_loop(x, k):
    for step in range(4):
        x *= 1.5
        if step == 2:
            raise RuntimeError("diverged")
    return x


def on_one_path(x, k):
    if x[0] > 0.0:
        x *= 2.0
    x[1] = 4.0
    return x[k]


def finally_stored(x, k):
    try:
        if x[0] > 0.0:
            raise ValueError("b")
    finally:
        x[1] = 5.0
    return x


def stored_and_raised_again(x, k):
    try:
        if x[0] > 0.0:
            raise ValueError("b")
    except ValueError:
        x[1] = 5.0
        raise
    return x


@contextlib.contextmanager
def marked(x):
    try:
        yield
    finally:
        x[1] = -1.0


def in_a_context(x, k):
    with marked(x):
        return x[k]


PROGRAMS = [doubled, masked, before_an_index, before_a_division, before_a_factor, in_a_callee, in_a_loop, on_one_path,
            finally_stored, stored_and_raised_again, in_a_context]


@pytest.mark.parametrize("f", PROGRAMS)
def test_arguments_hold_what_python_leaves(f):
    same = Together(f, message=False)
    for x in ([1.0, -2.0, 0.5], [-1.0, 2.0, 0.5]):
        same(np.array(x), 3)


def test_arrays_in_containers():
    def f(net, d, r):
        net.w *= 2.0
        d["w"] += 1.0
        r["a"] += 1.0
        if net.w[0] > 0.0:
            raise ValueError("no")

    same = Together(f)
    for w in (1.0, -1.0):
        same(Net(np.array([w, 2.0])), {"w": np.ones(2)}, np.zeros(2, [("a", float), ("b", int)]))


def test_nothing_is_copied_where_stores_are_in_place():
    def sweep(x, k):
        x[0] = 1.0
        for i in range(1, len(x)):
            x[i] = 0.5 * x[i - 1]
        x[k] = 2.0

    for f, late in ((sweep, False), (doubled, True)):
        g = gs.jit(f)
        g(np.array([-1.0, 2.0]), 1)
        ((program,),) = g._cache.programs.values()
        assert program.may_leave_less is late


# in the end of a try --------------------------------------------------------------------------------
def never_caught(x):
    z = 1.0
    try:
        try:
            y = np.array
        except Exception:
            z = 0.1
        finally:
            try:
                x = x ** float()
            except AttributeError:
                pass
            s = y  # noqa: F841
    except Exception:
        if z:
            pass
    return x


def raises_in_the_end(x):
    try:
        try:
            y = 1.0 / x
        except ZeroDivisionError:
            y = 5.0
        finally:
            try:
                x = 1 / (x - 2)
            except ZeroDivisionError:
                x = 7.0
            y = y + x
    except Exception:
        return -1.0
    return y + x


def raises_another_in_the_end(x):
    try:
        try:
            if x > 3:
                raise KeyError("k")
            y = x
        finally:
            try:
                if x > 4:
                    raise ValueError("v")
            except AttributeError:
                y = 2.0
            z = 3.0
    except ValueError:
        return 10.0 * x
    except KeyError:
        return z * x
    return y * x


@pytest.mark.parametrize("f", [never_caught, raises_in_the_end, raises_another_in_the_end])
def test_a_try_in_the_end_of_a_try(f):
    same = Together(f)
    for x in (1.5, 0.0, 2.0, 3.5, 4.5):
        same(x)


class Unfit(Exception):
    pass


def certain_in_the_end(x):
    try:
        try:
            if x > 3:
                raise Unfit("over")
        finally:
            for _ in Unfit:
                pass
    except LookupError:
        pass


def test_what_the_end_always_raises_replaces_what_the_run_raises():
    same = Together(certain_in_the_end)
    for x in (1.5, 4.5):
        same(x)
