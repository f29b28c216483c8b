"""Strings and members of an Enum that a branch chooses: compared, looked up, read, until a number comes of them."""
import enum
import math

import pytest

import gradscribe as gs
from tests.support.agreement import agree

from .test_language import as_python


class Hit(enum.Enum):
    MISS = 0
    FRONT = 1
    BACK = 2

    @property
    def sign(self):
        return 1.0 if self is Hit.FRONT else -0.5


def side(x):
    if x > 1.0:
        return Hit.FRONT
    if x < 0.0:
        return Hit.BACK
    return Hit.MISS


WEIGHT = {"near": 2.0, "far": 0.5}
PER_SIDE = {Hit.MISS: 0.0, Hit.FRONT: 3.0, Hit.BACK: 4.0}


def members(x):
    s = side(x)
    if s is Hit.MISS:
        return 0.0
    y = x * s.sign * s.value
    if s == Hit.BACK:
        y *= x
    return y


def looked_up(x):
    kind = "near" if x < 1.0 else "far"
    return WEIGHT[kind] * x * len(kind) + PER_SIDE[side(x)] + WEIGHT.get(kind + "", 1.0)


def asked(x):
    kind = "" if x < 1.0 else "far"
    s = side(x)
    return (kind == "far", kind != "", "near" == kind, kind in ("far", "near"), "a" in kind, kind < "b",
            not kind, bool(kind), kind.upper() == "FAR", kind.startswith("f"), s in (Hit.MISS, Hit.BACK),
            s != Hit.FRONT, s is not None, s.name == "MISS", isinstance(s, Hit), isinstance(kind, str), s.value + 1,
            [s == h for h in Hit])


def called(x):
    f = math.sin if x > 1.0 else math.cos
    name = "sin" if f is math.sin else "cos"
    return getattr(math, name)(x) + f(x)


@pytest.mark.parametrize("compiled", [False, True], ids=["plain", "compiled"])
@pytest.mark.parametrize("f", [members, looked_up, asked, called])
def test_chosen(f, compiled):
    for x in (0.5, 2.0, -1.5):
        as_python(f, x, compiled=compiled)
        if f is not asked:
            grad = gs.jit(gs.grad(f)) if compiled else gs.grad(f)
            assert grad(x) == pytest.approx((f(x + 1e-6) - f(x - 1e-6)) / 2e-6)


def machine(x):
    state, y = "idle", x
    for _ in range(4):
        if state == "idle":
            state = "run" if y > 1.0 else "idle"
            y += 0.5
        elif state == "run":
            y *= y
            state = "done"
    return y


@pytest.mark.parametrize("compiled", [False, True], ids=["plain", "compiled"])
def test_a_machine_of_states(compiled):
    for x in (0.3, 0.9, 1.5):
        as_python(machine, x, compiled=compiled)


def test_not_returned():
    with pytest.raises(gs.GradscribeError, match="'near' or the str 'far', which the run time chooses"):
        gs.jit(lambda x: "near" if x < 1.0 else "far")(0.5)


def priced(x, kind):
    if kind == "call":
        return x * x
    elif kind == "put":
        return x * 3.0
    raise ValueError(f"no option {kind!r:>8} at {x}, {Hit.MISS}: {kind}")


def told(x):
    """What a branch chose is told in the text of an exception, or names a key."""
    kind = "call" if x > 1.0 else "put" if x > 0.5 else "straddle" if x > 0.0 else "strangle"
    if x < -5.0:
        raise KeyError(kind)
    if x < -2.0:
        raise ValueError("outside", kind, x)
    found = {"sort_call": 2.0, "sort_put": 3.0}.get(f"sort_{kind}", 4.0)
    return found * priced(x, kind)


@pytest.mark.parametrize("x", [3.0, 0.8, 0.25, -1.0, -3.0, -7.0])
def test_in_the_text_of_an_exception(x):
    agree(told, x, compiled=x in (0.8, -1.0, -3.0), gradient=0 if x > 0.5 else None)


class Mode(enum.Enum):
    IDLE = 1
    SEEK = 2
    BRAKE = 3


class Robot:
    def __init__(self):
        self.x, self.v, self.mode, self.switches = 0.0, 0.0, Mode.IDLE, 0

    def set_mode(self, mode):
        if mode is not self.mode:
            self.mode = mode
            self.switches += 1

    def control(self, goal):
        gap = goal - self.x
        if self.mode == Mode.IDLE:
            if abs(gap) > 0.1:
                self.set_mode(Mode.SEEK)
            return 0.0
        if self.mode == Mode.SEEK:
            if self.v ** 2 / 2 > abs(gap):
                self.set_mode(Mode.BRAKE)
            return math.copysign(0.75, gap) + 0.25 * gap
        if abs(self.v) < 0.25:
            self.set_mode(Mode.IDLE)
        return -self.v * 2


def driven(goal, steps):
    robot = Robot()
    for _ in range(steps):
        robot.v += 0.25 * robot.control(goal)
        robot.x += 0.25 * robot.v
    return robot.x


@pytest.mark.heavy(one_in=5)
@pytest.mark.parametrize("goal, steps", [(1.0, 0), (1.0, 1), (1.0, 7), (1.0, 20), (-2.0, 20), (0.0625, 5)])
def test_a_machine_of_states_has_one_flag_for_each_state(goal, steps):
    """However many branches choose: 20 steps are as many times the work of one, and not its power."""
    agree(driven, goal, steps, gradient=0, compiled=steps == 7)


def test_an_iterator_over_one_of_two_strings():
    def known(flag):
        word, n = "ab" if flag else "cd", 0
        for letter in reversed(word):
            n += letter == "a"
        return n

    def unknown(x):
        word, n = "ab" if x > 0.5 else "cd", 0
        for letter in reversed(word):
            n += letter == "a"
        return n

    with pytest.raises(gs.UnsupportedError, match="an iterator over one of two things"):
        gs.jit(unknown)(1.0)
    assert [gs.jit(known)(flag) for flag in (True, False, 1)] == [1, 0, 1]
