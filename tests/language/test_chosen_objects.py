"""`is` of objects of which a branch or a loop has chosen one: a flag, which it carries beside what the object holds."""
import dataclasses

import pytest

import gradscribe as gs
from tests.support.agreement import agree


class Spring:
    def __init__(self, k):
        self.k = k


def by_a_branch(x):
    weak, strong = Spring(x), Spring(2.0 * x)
    s = strong if x > 1.0 else weak
    if s is not weak:
        return 3.0 * s.k
    return s.k * s.k


def by_three_branches(x):
    a, b, c = Spring(x), Spring(2.0 * x), Spring(3.0 * x)
    s = a if x > 2.0 else b if x > 1.0 else c
    t = s if x > 1.5 else a
    return (5.0 if s is a else 6.0 if s is b else 7.0) * x + (0.0 if s is t else t.k)


def by_a_call(x):
    def stiffer(s, t):
        return s if x > 1.0 else t

    a, b = Spring(x), Spring(2.0 * x)
    s = stiffer(a, b)
    return 2.0 * x if stiffer(s, b) is a else 3.0 * x if s is b else x


def or_none(x):
    a, b, s = Spring(x), Spring(3.0 * x), None
    if x > 1.0:
        s = a
    if x > 2.0:
        s = b
    return 5.0 * x if s is a else 7.0 * s.k if s is b else x


def lists(x):
    a, b = [x], [2.0 * x]
    s = b if x > 1.0 else a
    return s[0] if s is a else -s[0]


def equal(x):
    a, b = Spring(x), Spring(2.0 * x)
    s = a if x > 1.0 else b
    return s.k if s == a else x * x if s in [b] else 0.0


def within_a_derivative(x):
    a, b = Spring(x), Spring(2.0 * x)
    s = a if x > 1.0 else b
    return gs.grad(lambda y: y * y if s is a else y ** 3)(x) * s.k


def by_a_loop(x, n):
    a, b = Spring(x), Spring(2.0 * x)
    s, total = a, 0.0
    for _ in range(n):
        if total > 2.0:
            s = b
        total += s.k
        if s is a:
            total *= 1.5
    return total if s is not b else -total


def in_turns(x, n):
    a, b = Spring(x), Spring(2.0 * x)
    s, t = a, b
    for i in range(n):
        if s.k + i * x > 2.75:
            s, t = t, s
        x += s.k
    return x if s is a else -x if t is a else 0.0


def of_two_variables(x, n):
    a, b = Spring(x), Spring(2.0 * x)
    s, t, c = a, a, x
    for _ in range(n):
        if c > 2.0:
            s = b
        if c > 4.0:
            t = b
        c += s.k * t.k
        if s is t:
            c *= 1.125
    return c


def as_it_was_before(x, n):
    a, b, total = Spring(x), Spring(2.0 * x), 0.0
    s, before = a, b
    for _ in range(n):
        if s is before:
            total += x
        before = s
        s = b if total > x + 0.25 else a
        total += s.k
    return total


def in_a_list(x, n):
    springs, total = [Spring(x), Spring(2.0 * x)], x
    chosen = springs[:]
    for _ in range(n):
        chosen[0] = springs[1] if total > 2.0 else springs[0]
        total = total + chosen[0].k if chosen[0] is chosen[1] else total * 1.25
    return total


def in_a_nest(x, n):
    a, b = Spring(x), Spring(2.0 * x)
    s, c = a, x
    for _ in range(n):
        for _ in range(2):
            if c > 6.25:
                s = a
            elif c > 2.75:
                s = b
            c += s.k
        if s is b:
            c *= 0.5
    return c


def made_anew(x, n):
    a = Spring(x)
    s, total = a, 0.0
    for _ in range(n):
        if s is a:
            total += s.k
        s = Spring(1.125 * s.k)
    return total + s.k


CASES = [(by_a_branch, [(2.0,), (0.5,)]), (by_three_branches, [(2.5,), (1.75,), (1.25,), (0.5,)]),
         (by_a_call, [(2.0,), (0.5,)]), (or_none, [(0.5,), (1.5,), (2.5,)]), (lists, [(2.0,), (0.5,)]),
         (equal, [(2.0,), (0.5,)]), (within_a_derivative, [(2.0,), (0.5,)]),
         (by_a_loop, [(1.0, 4), (0.1, 2), (0.1, 0)]), (in_turns, [(1.0, 3), (0.7, 2), (0.7, 0)]),
         (of_two_variables, [(1.0, 3), (0.7, 2)]), (as_it_was_before, [(1.0, 5), (1.0, 1)]),
         (in_a_list, [(1.0, 4), (0.7, 2)]), (in_a_nest, [(1.0, 3), (0.3, 2)]), (made_anew, [(1.0, 3), (1.0, 0)])]


@pytest.mark.parametrize("f, args", [(f, args) for f, calls in CASES for args in calls],
                         ids=lambda x: getattr(x, "__name__", str(x)))
def test_is(f, args):
    agree(f, *args, gradient=0, compiled=True)


@dataclasses.dataclass
class Given:
    k: float


def of_an_argument(p, x):
    s = p if x > 1.0 else Given(2.0 * x)
    return x * p.k if s is p else s.k


def of_two_arguments(p, q, x):
    s = p if x > 1.0 else q
    return x * p.k if s is p else q.k


def test_of_arguments():
    for made in (lambda f: f, gs.jit):
        assert [made(gs.grad(of_an_argument, 1))(Given(3.0), x) for x in (2.0, 0.5)] == [3.0, 2.0]
    with pytest.raises(gs.UnsupportedError, match="of which only the run time knows whether they are one"):
        gs.jit(of_two_arguments)(Given(3.0), Given(4.0), 0.5)  # a caller may pass one object as both


def another_in_an_iteration(x, n):
    a = Spring(x)
    s, total = a, 0.0
    for _ in range(n):
        if total > 1.5:
            s = Spring(1.125 * s.k)
        total += s.k
    return total if s is a else -total


def test_of_what_an_iteration_makes_no_flag_says_which_it_is():
    with pytest.raises(gs.UnsupportedError, match="of which only the run time knows whether they are one"):
        gs.jit(another_in_an_iteration)(1.0, 3)
