"""What may be None: whatever is done with it, Python's value where it is a number, an array or an object,
and what Python makes of None."""
import math

import numpy as np
import pytest

import gradscribe as gs
from tests.support.agreement import agree

from .test_language import as_python


class Vec:
    def __init__(self, x):
        self.x = x

    def __mul__(self, k):
        return Vec(self.x * k)

    __rmul__ = __mul__

    def __neg__(self):
        return Vec(-self.x)

    def __len__(self):
        return 2

    def __getitem__(self, k):
        return self.x

    def __iter__(self):
        return iter((self.x, self.x))

    def __call__(self):
        return self.x

    def __eq__(self, other):
        return other is None or self.x == other


def number(x):
    return x if x > 0 else None


def vec(x):
    return Vec(x) if x > 0 else None


def array(x):
    return np.array([x, x]) if x > 0 else None


def pair(x):
    return (x, x) if x > 0 else None


def table(x):
    return {"a": x} if x > 0 else None


def other(x):
    return math.sin if x > 0 else None


OF_NONE = [
    lambda x: -number(x), lambda x: abs(number(x)), lambda x: number(x) + 1, lambda x: 1 + number(x),
    lambda x: number(x) ** 2, lambda x: number(x) < 1, lambda x: number(x) == 1, lambda x: number(x) != 1,
    lambda x: number(x) == None,  # noqa: E711
    lambda x: number(x) in (1.0, None), lambda x: number(x) or 5.0, lambda x: not number(x), lambda x: bool(number(x)),
    lambda x: math.sqrt(number(x)), lambda x: float(number(x)), lambda x: int(number(x)), lambda x: round(number(x)),
    lambda x: number(x).is_integer(), lambda x: max(number(x), 1.0), lambda x: min([number(x), 1.0]),
    lambda x: sum([number(x)]), lambda x: (number(x), 1.0) < (2.0, 3.0), lambda x: [number(x)] == [None],
    lambda x: isinstance(number(x), float), lambda x: type(number(x)) is float,
    lambda x: vec(x).x, lambda x: vec(x)[0], lambda x: len(vec(x)), lambda x: vec(x)(),
    lambda x: (-vec(x)).x, lambda x: [a for a in vec(x)][0], lambda x: (vec(x) * 2).x, lambda x: (2 * vec(x)).x,
    lambda x: (Vec(x) * number(x)).x, lambda x: (number(x) * Vec(x)).x,
    lambda x: vec(x) == None, lambda x: vec(x) is None, lambda x: vec(x) == 1,  # noqa: E711
    lambda x: 1.0 if vec(x) else 2.0,
    lambda x: getattr(vec(x), "x", 9.0), lambda x: hasattr(vec(x), "x"), lambda x: isinstance(vec(x), Vec),
    lambda x: callable(vec(x)), lambda x: array(x)[0], lambda x: array(x).sum(),
    lambda x: array(x) + 1, lambda x: len(array(x)), lambda x: [a for a in array(x)][0], lambda x: pair(x)[0],
    lambda x: len(pair(x)), lambda x: pair(x) + (1,), lambda x: sum(pair(x)), lambda x: list(reversed(pair(x)))[0],
    lambda x: table(x)["a"], lambda x: table(x).get("a"), lambda x: "a" in table(x), lambda x: dict(table(x))["a"],
    lambda x: [k == "a" for k in table(x)][0], lambda x: other(x)(x),
]


def unpacked(x):
    a, b = pair(x)
    return a + b


def stored(x):
    v = None
    if x > 0:
        v = Vec(x)
    v.x = 2.0
    return v.x


def stored_item(x):
    v = None
    if x > 0:
        v = np.array([x, x])
    v[0] = 2.0
    return v[0] + v[1]


def changed(x):
    v = None
    if x > 0:
        v = Vec(x)
    v.x += 2.0
    return v.x


def changed_item(x):
    v = None
    if x > 0:
        v = np.array([x, x])
    v[0] += 2.0
    return v[0]


def in_place(x):
    v = number(x)
    v += 2.0
    return v


@pytest.mark.heavy(one_in=18)
@pytest.mark.parametrize("compiled", [False, True], ids=["plain", "compiled"])
@pytest.mark.parametrize("f", [*OF_NONE, unpacked, stored, stored_item, changed, changed_item, in_place])
def test_what_may_be_none(f, compiled):
    for x in (1.5, -1.5):
        as_python(f, x, compiled=compiled)


def nearest(x):
    best = math.inf
    for k in range(3):
        t = number(x - k)
        if t is not None and t < best:
            best = t
    return (best * Vec(x)).x


def flagged(x):
    t = number(x)
    hit = t is not None
    if hit is True:
        return (t * Vec(x)).x
    return 3.0 * x


def not_none(x):
    t, u = number(x), number(x - 1.0)
    if t is None or not (u is not None):
        return -x
    return (t * Vec(u) * u).x


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("f, slopes", [(nearest, {2.5: 3.0}), (flagged, {1.5: 3.0, -1.0: 3.0}),
                                       (not_none, {1.5: 1.75, 0.5: -1.0, -1.0: -1.0})])
def test_what_was_asked_is_known(f, slopes):
    """A number that has been tested is a number for a class of the user's too, also behind `and`, `or`,
    `not` and a flag."""
    for x, slope in slopes.items():
        for g in (gs.value_and_grad(f), gs.jit(gs.value_and_grad(f))):
            assert g(x) == (f(x), pytest.approx(slope))


def test_refused_where_it_is_none():
    """What NumPy makes of None is an array of objects: refused when it comes to it, and else no obstacle."""
    f = gs.jit(lambda x: np.sum(array(x)))
    assert f(1.5) == 3.0
    with pytest.raises(gs.GradscribeError, match="None"):
        f(-1.5)


class Controller:
    """With a state that is None until the first call."""

    def __init__(self, gain):
        self.gain, self.last = gain, None

    def __call__(self, error):
        slope = 0.0 if self.last is None else error - self.last
        self.last = error
        return self.gain * error + slope

    def __len__(self):
        return 2 if self.last is None else 3

    def __getitem__(self, k):
        return (self.gain, 0.0 if self.last is None else self.last)[k]

    def __contains__(self, x):
        return self.last is not None and x == self.last


def controlled(gain, steps):
    control, x = Controller(gain), 1.0
    for _ in range(steps):
        x = x - 0.1 * control(x) - 0.01 * control[1] * len(control) - (0.001 if x in control else 0.0)
    return x


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("steps", [0, 1, 5])
def test_methods_python_looks_for_of_an_object_with_an_attribute_that_is_none(steps):
    agree(controlled, 2.0, steps, gradient=0)
