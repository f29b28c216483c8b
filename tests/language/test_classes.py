"""Users' classes inside transformed functions behave as in Python: plain and compiled, values,
exceptions and gradients."""
import copy
import enum

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.transformer.api import Primal
from tests.corpus.classes.access import CUSTOM, Custom
from tests.corpus.classes.data_classes import Base, Checked, Layer, OwnInit
from tests.corpus.classes.outside import FIELDLESS, Once, Shared, Tagged
from tests.corpus.classes.special_methods import Vec
from tests.corpus.classes.table import RAISES, REFUSED, RIGHT, X


def seen(x):
    """What a program can see of a value: types and contents; objects by their attributes."""
    if isinstance(x, (list, tuple)):
        return type(x), [seen(i) for i in x]
    if isinstance(x, dict):
        return type(x), [(k, seen(i)) for k, i in x.items()]
    if isinstance(x, np.ndarray):
        return x.dtype, x.shape, x.tolist()
    if hasattr(x, "__dict__") and not isinstance(x, (type, enum.Enum)):
        return type(x), seen(vars(x))
    return type(x), x if not isinstance(x, float) else round(float(x), 9)


@pytest.mark.heavy(one_in=4)
@pytest.mark.parametrize("transform", [Primal, gs.jit], ids=["plain", "compiled"])
@pytest.mark.parametrize("f", RIGHT, ids=lambda f: f.__name__)
def test_right(f, transform):
    assert seen(transform(f)(X)) == seen(f(X))


@pytest.mark.heavy(one_in=3)
@pytest.mark.parametrize("f", RIGHT, ids=lambda f: f.__name__)
def test_gradient(f):
    if not isinstance(f(X), float):
        return
    slope, h = gs.grad(f)(X), 1e-6
    assert slope == pytest.approx((f(X + h) - f(X - h)) / (2 * h), rel=1e-5, abs=1e-6)
    assert gs.jit(gs.grad(f))(X) == pytest.approx(slope, rel=1e-12)


@pytest.mark.heavy(one_in=3)
@pytest.mark.parametrize("transform", [Primal, gs.jit], ids=["plain", "compiled"])
@pytest.mark.parametrize("f", RAISES, ids=lambda f: f.__name__)
def test_raises(f, transform):
    with pytest.raises(Exception) as expected:
        f(X)
    with pytest.raises(type(expected.value)) as caught:
        transform(f)(X)
    assert type(caught.value) is type(expected.value) and str(caught.value) == str(expected.value)


@pytest.mark.parametrize("f", REFUSED, ids=lambda f: f.__name__)
def test_refused(f):
    with pytest.raises(gs.GradscribeError) as caught:
        gs.jit(f)(X)
    assert caught.value.instead


@pytest.mark.parametrize("method, slope", [("square", 100.0), ("clipped", 7.0)])
def test_methods_with_rules(method, slope):
    inside, outside = lambda y: getattr(Custom(2.0), method)(y), lambda y: getattr(CUSTOM, method)(y)
    for f in (inside, outside):
        assert gs.grad(f)(3.0) == gs.jit(gs.grad(f))(3.0) == slope
        assert gs.jit(f)(3.0) == f(3.0)


@pytest.mark.parametrize("compile", [lambda f: f, gs.jit], ids=["plain", "compiled"])
def test_gradients_and_results_are_not_made_by_the_constructor(compile):
    gradient = compile(gs.grad(lambda p: p.x * 60.0 + p.y))
    for _ in range(2):  # by the general way, and by the fast path
        made = gradient(Checked(1.0))
        assert (made.x, made.y) == (60.0, 1.0)
        made = gs.jit(lambda p: Checked(p.x * 0.1))(Checked(40.0))
        assert (made.x, made.y) == (4.0, 400.0)


def test_special_methods_of_arguments():
    def f(c):
        d = Layer(c.w * 2.0, "b")
        d += 1.0
        return c @ d + c[0] + (1.0 if d.tag == "b" else 0.0)

    c = Layer(np.array([1.0, 2.0]))
    for g in (gs.grad(f), gs.jit(gs.grad(f))):
        assert g(c).w.tolist() == [6.0, 9.0] and g(c).tag == "a"
    assert gs.jit(f)(c) == f(c) == 15.0


@pytest.mark.parametrize("transform", [Primal, gs.jit], ids=["plain", "compiled"])
def test_changes_between_calls_are_seen(transform):
    class Changing(Shared):
        pass

    model = Changing()
    f = transform(lambda x: model.product(x) + getattr(model, "bias", 0.0)
                            + (100.0 if hasattr(model, "extra") else 0.0))

    def same():
        assert f(2.0) == model.product(2.0) + getattr(model, "bias", 0.0) + 100.0 * hasattr(model, "extra")

    same()
    Changing.w = np.array([1.0, 2.0, 3.0])
    same()
    model.w = np.array([5.0])
    same()
    model.bias = 4.0
    same()
    model.extra = None
    same()
    del model.extra
    Changing.scale = 3.0
    same()
    Changing.product = lambda self, x: -x
    same()
    model.product = lambda x: 5.0 * x
    same()


def test_objects_that_may_be_one_have_no_identity():
    p = Base(1.0)
    with pytest.raises(gs.UnsupportedError):
        gs.grad(lambda p, q: p.a if p is q else 2.0 * q.a)(p, p)


@pytest.mark.parametrize("transform", [Primal, gs.jit], ids=["plain", "compiled"])
def test_metaclasses_and_new_that_gives_what_is_there(transform):
    assert transform(lambda x: Tagged(x).tag * Tagged(x).x + Tagged.size)(X) == 14.5
    assert transform(lambda x: Once() is Once())(X) is True


@pytest.mark.parametrize("transform", [Primal, gs.jit], ids=["plain", "compiled"])
def test_what_is_raised_may_not_hold_an_object(transform):
    def f(x):
        assert x < 0.0, Vec(x, x)

    with pytest.raises(gs.UnsupportedError, match="a Vec in an exception"):
        transform(f)(X)


def test_an_attribute_that_is_no_field_is_no_part_of_an_argument():
    with pytest.raises(gs.UnsupportedError, match="no field 'extra'"):
        gs.jit(lambda d: d.extra)(OwnInit(1.0))


@pytest.mark.parametrize("read", [lambda d: d.extra * d.a, lambda d: copy.copy(d).extra * d.a,
                                  lambda d: d.a if hasattr(d, "extra") else 0.0, lambda d: d.__dict__["extra"] * d.a])
@pytest.mark.parametrize("transform", [gs.jit, gs.grad, lambda f: gs.jit(gs.grad(f)), gs.jacfwd])
def test_nor_of_the_copy_of_an_argument_that_a_derivative_is_taken_of(read, transform):
    d = OwnInit(1.0)
    d.extra = 2.0
    with pytest.raises(gs.UnsupportedError, match="no field|the __dict__ of"):
        transform(read)(d)


@pytest.mark.parametrize("transform", [Primal, gs.jit], ids=["plain", "compiled"])
def test_an_attribute_of_an_object_without_fields_that_hides_a_method_is_seen(transform):
    f = transform(lambda u: FIELDLESS.method(u))
    assert f(1.5) == 3.0
    try:
        FIELDLESS.method = lambda u: 3.5
        with pytest.raises(gs.UnsupportedError, match="hides"):
            f(1.5)
    finally:
        del FIELDLESS.method
    assert f(1.5) == 3.0
