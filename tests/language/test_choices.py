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


def test_returned():
    class_of = gs.jit(lambda x: ("near" if x < 1.0 else "far" if x < 2.0 else None, x))
    assert [class_of(x)[0] for x in (0.5, 1.5, 2.5)] == ["near", "far", None]


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


# ---- what a loop carries: one of several functions, or strings
def euler(f, x, h):
    return x + h * f(x)


def midpoint(f, x, h):
    return x + h * f(x + 0.5 * h * f(x))


def decay(x):
    return -x * x


def refined(x, tol, n):
    step = euler
    for _ in range(n):
        if abs(decay(x)) > tol:
            step = midpoint
        x = step(decay, x, 0.125)
    return x


def in_turns(x, n):
    f, g = math.sin, math.cos
    for _ in range(n):
        x = f(x) + 0.25
        f, g = g, f
    return x


def in_a_nest(x, n):
    f = math.sin
    for i in range(n):
        for _ in range(i):
            f = math.cos if x < 0.7 else math.sin
            x = x * f(x) + 0.6
        x = f(x)
    return x


def none_at_first(x, n):
    f, y = None, 0.0
    for _ in range(n):
        if x > 2.0:
            f = math.sin
        elif x > 1.0:
            f = math.cos
        y += 1.0 if f is None else f(x)
        x *= 1.25
    return x if f is None else x * y


def beside_a_number(x, n):
    state, later = (math.sin, x), math.cos if x > 1.0 else math.tan
    for _ in range(n):
        state = (later, state[0](state[1]) * 1.125) if state[1] > 0.5 else (state[0], state[1] * 1.5)
    return state[0](state[1])


def what_may_be_none_beside_a_number(x, n):
    state = (x if x > 1.0 else None, x)
    for _ in range(n):
        state = (state[0], 1.125 * state[1])
    return state[1] if state[0] is None else state[0] * state[1]


def with_defaults(x, n):
    def first(v, k=2.0 * x):
        return v * k

    def second(v, k=x + 1.0):
        return v + k

    f = first
    for _ in range(n):
        if x > 2.0:
            f = second
        x = 0.75 * f(x)
    return x


def until_it_stops(x):
    state, k = "go", 0
    while k < 10 and state != "stop":
        if x > 3.0:
            state = "stop"
        x, k = 1.5 * x, k + 1
    return x if state == "stop" else -x


CARRIED = [(refined, (2.0, 0.75, 6)), (refined, (0.5, 0.125, 4)), (refined, (0.5, 0.125, 0)), (in_turns, (0.5, 3)),
           (in_turns, (0.5, 0)), (in_a_nest, (0.3, 4)), (in_a_nest, (0.9, 3)), (none_at_first, (1.3, 4)),
           (none_at_first, (0.5, 2)), (none_at_first, (0.9, 0)), (beside_a_number, (0.3, 4)),
           (beside_a_number, (1.25, 3)), (what_may_be_none_beside_a_number, (1.5, 3)),
           (what_may_be_none_beside_a_number, (0.5, 3)), (with_defaults, (1.0, 4)), (with_defaults, (2.5, 2)),
           (until_it_stops, (1.0,)), (until_it_stops, (0.01,))]


@pytest.mark.parametrize("f, args", CARRIED, ids=lambda x: getattr(x, "__name__", str(x)))
def test_carried_by_a_loop(f, args):
    agree(f, *args, gradient=0, compiled=True)


def test_a_loop_that_carries_a_function_is_one_loop():
    """Its number of rounds is left to the run."""
    f = gs.jit(refined)
    source = f.source(2.0, 0.75, 6)
    assert source == f.source(2.0, 0.75, 7) and source.count("for ") == 1
