"""What is shown of an error, and what is said of wrong calls, of names and of arguments that are none of ours."""
import fractions
import functools
import operator
import sys
import traceback
import types

import numpy as np
import pytest

import gradscribe as gs

X = np.ones(3)


def indexes(x):
    return x[5] + np.sum(x)


def refused(x):
    return np.sum(np.busday_count(x, x))


def frames(call):
    with pytest.raises(Exception) as caught:
        call()
    return [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)], caught.value


@pytest.mark.parametrize("f", [indexes, refused])
@pytest.mark.parametrize("transform", [gs.grad, gs.jit, gs.vmap])
def test_a_traceback_has_the_frames_of_the_user_alone(f, transform):
    names, error = frames(lambda: transform(f)(X))
    assert names == ["frames", "<lambda>"]
    assert "test_error_messages.py" in "".join(traceback.format_exception(error))
    assert "transformer/" not in "".join(traceback.format_exception(error))
    assert frames(lambda: gs.grad(refused).source(X))[0] == ["frames", "<lambda>"]


def test_all_frames_are_shown_on_demand(monkeypatch):
    monkeypatch.setenv("GRADSCRIBE_TRACEBACK", "full")
    assert len(frames(lambda: gs.grad(refused)(X))[0]) > 10


def test_wrong_calls_raise_what_python_raises():
    with pytest.raises(TypeError, match=r"indexes\(\) missing 1 required positional argument: 'x'"):
        gs.grad(indexes)()
    with pytest.raises(NameError, match="the name 'nothing_there' is not defined"):
        gs.grad(lambda x: x * nothing_there)(1.0)  # noqa: F821
    with pytest.raises(AttributeError, match="the module numpy has no attribute 'summ'") as caught:
        gs.grad(lambda x: np.summ(x))(1.0)
    assert caught.value.instead == "Did you mean np.sum?" and isinstance(caught.value, gs.UnsupportedError)


def of_two_kinds(x):
    if x[0] > 0.0:
        y = x
    else:
        y = "none"
    return np.sum(y)


def of_another_kind_in_one_case(x):
    y = "none"
    if np.sum(x) < 9.0:
        y = "more"
        if x[0] > 2.0:
            pass
        elif x[0] > 0.0:
            y = x
        return np.sum(y)
    return x[0]


@pytest.mark.parametrize("f, lines", [(of_two_kinds, (2, 4)), (of_another_kind_in_one_case, (3, 7))])
def test_what_does_not_fit_together_is_named_with_its_lines(f, lines):
    with pytest.raises(gs.UnsupportedError) as caught:
        gs.grad(f)(X)
    assert "the variable 'y' cannot be used here" in caught.value.message
    first = f.__code__.co_firstlineno
    assert f"on all paths (lines {', '.join(str(first + k) for k in lines)})" in caught.value.instead


def test_arguments_of_other_libraries_are_named():
    for transform in (gs.grad, gs.jit):
        with pytest.raises(gs.UnsupportedError) as caught:
            transform(lambda p: p["a"][1] * 2)({"a": [1.0, fractions.Fraction(1, 2)]})
        assert caught.value.message == "the argument p[\"a\"][1] is a Fraction" and "float(" in caught.value.instead


def test_an_array_of_another_library_is_named(monkeypatch):
    pandas = pytest.importorskip("pandas")
    with pytest.raises(gs.UnsupportedError) as caught:
        gs.grad(lambda x: np.sum(x))(pandas.Index([1.0]))
    assert caught.value.message == "an argument of type Index, an array of pandas"
    assert "np.asarray(x)" in caught.value.instead


@pytest.mark.parametrize("name, says", [("gradd", "Did you mean gs.grad?"), ("jnp", "import numpy as np"),
                                        ("jac", "gs.jacrev(f)"), ("make_jaxpr", 'stage="core"'), ("frobnicate", ""),
                                        ("jacobain", "gs.jacobian"), ("lax.scann", "lax.scan"),
                                        ("lax.fori", "lax.fori_loop"), ("random.norml", "random.normal")])
def test_names_that_are_not_there(name, says):
    if "." in name:
        with pytest.raises(AttributeError, match=f"Did you mean gs.{says}"):
            operator.attrgetter(name)(gs)
        return
    with pytest.raises(AttributeError) as caught:
        getattr(gs, name)
    assert str(caught.value).startswith(f"module 'gradscribe' has no attribute '{name}'") and says in str(caught.value)


def test_inside_of_a_function_the_same_is_said():
    for f, says in ((lambda x: gs.jnp.sin(x), "Write NumPy itself"), (lambda x: gs.jac(np.sin)(x), "gs.jacrev(f)"),
                    (lambda x: gs.lax.fori(x), "Did you mean gs.lax.fori_loop?")):
        with pytest.raises(gs.UnsupportedError) as caught:
            gs.grad(f)(1.0)
        assert says in caught.value.instead and says in gs.check(f)[0].instead


def grows(carry, x):
    return np.concatenate([carry, np.array([x])]), x


@pytest.mark.parametrize("scan", [lambda xs: gs.lax.scan(grows, np.zeros(2), xs)[0],
                                  gs.jit(lambda xs: gs.lax.scan(grows, np.zeros(2), xs)[0]),
                                  gs.grad(lambda xs: np.sum(gs.lax.scan(grows, np.zeros(2), xs)[0])),
                                  gs.jit(lambda xs: gs.lax.scan(lambda c, x: ((c, x), x), 0.0, xs)[1])])
def test_the_carry_of_a_scan_keeps_its_shape(scan):
    with pytest.raises(TypeError, match="scan needs a carry of the same structure and shapes"):
        scan(X)


def misspelt(x):
    return np.summ(x) + gs.gradd(x)


def collects(x):
    def inner(y):
        return given(y)
    return list(inner(x))


async def given(x):
    return x


def scaled(x, scale):
    return np.busday_count(x, x) * scale


def test_check_sees_what_a_call_would():
    assert [p.message for p in gs.check(misspelt)] == ["the module numpy has no attribute 'summ'",
                                                       "the module gradscribe has no attribute 'gradd'"]
    assert "is a coroutine" in gs.check(collects)[0].message
    partial = functools.partial(scaled, scale=2.0)
    assert ([p.message for p in gs.check(partial)] == [p.message for p in gs.check(gs.grad(partial))]
            == ["np.busday_count has no rule"])


def test_x_at():
    def f(x):
        return np.sum(x.at[0].set(0.0).at[1].multiply(3.0) * x)

    for transform in (lambda f: f, gs.jit):
        np.testing.assert_array_equal(transform(gs.grad(f))(np.array([1.0, 2.0, 3.0])), [0.0, 12.0, 6.0])


def choosing(x, train=False):
    return np.sum(x * x) if train else np.sum(np.busday_count(x, x))


def test_an_argument_that_decides_is_known_however_it_comes():
    for call in (lambda: gs.grad(choosing)(X, train=True), lambda: gs.grad(choosing)(X, True),
                 lambda: gs.grad(functools.partial(choosing, train=True))(X)):
        np.testing.assert_array_equal(call(), 2 * X)


def debugged(x):
    gs.debug.print("x = {x} {:.1f} {y!r}", x[0], x=x, y=x[1])
    return np.sum(x * x)


@pytest.mark.parametrize("transform", [lambda f: f, gs.grad, gs.value_and_grad, gs.jit, lambda f: gs.jit(gs.grad(f))])
def test_debug_print(transform, capsys):
    transform(debugged)(np.array([1.0, 2.0]))
    assert capsys.readouterr().out == "x = [1. 2.] 1.0 np.float64(2.0)\n"
    gs.vmap(debugged)(np.array([[1.0, 2.0], [3.0, 4.0]]))
    assert capsys.readouterr().out == "x = [1. 2.] 1.0 np.float64(2.0)\nx = [3. 4.] 3.0 np.float64(4.0)\n"


def test_breakpoint_stops_in_the_readable_source(monkeypatch):
    def f(x):
        y = x * x
        breakpoint()
        return np.sum(y * x)

    stops = []
    monkeypatch.setattr(sys, "breakpointhook", lambda: stops.append(sys._getframe(1).f_locals.get("y")))
    gs.grad(f)(np.array([3.0]))
    assert [stop.tolist() for stop in stops] == [[9.0]]
    with pytest.raises(gs.UnsupportedError, match="in a compiled function"):
        gs.jit(f)(X)


class Affine:
    limit = 2.0

    def __init__(self, W, act):
        self.W, self.b, self.act, self.name, self.size = W, np.zeros(len(W)), act, "affine", len(W)

    def __call__(self, x):
        return self.act(self.W @ x + self.b) * self.limit / self.size


class Stack:
    def __init__(self, *layers):
        self.layers, self.on = list(layers), True

    def __call__(self, x):
        for layer in self.layers if self.on else ():
            x = layer(x)
        return np.sum(x * x)

    def norm(self):
        return sum(np.sum(value * value) for value in vars(self.layers[0]).values() if isinstance(value, np.ndarray))


@pytest.mark.heavy(one_in=2)
def test_objects_of_plain_classes_are_arguments():
    """Their attributes are the leaves; ints and bools among them are structure."""
    def loss(net, x):
        return net(x) + net.norm()

    def of_arrays(W, V, x):
        return loss(Stack(Affine(W, np.tanh), Affine(V, np.sin)), x)

    W, V, x = np.array([[0.5, -1.0], [2.0, 0.1], [0.3, 0.2]]), np.array([[1.0, 0.5, -0.5]]), np.array([0.3, 0.8])
    net = Stack(Affine(W, np.tanh), Affine(V, np.sin))
    for transform in (lambda f: f, gs.jit):
        slope = transform(gs.grad(loss))(net, x)
        want = transform(gs.grad(of_arrays, argnums=(0, 1)))(W, V, x)
        assert (type(slope) is Stack and type(slope.layers[1]) is Affine and slope.layers[0].size == 3
                and slope.layers[1].act is np.sin)
        for layer, dW in zip(slope.layers, want):
            np.testing.assert_allclose(layer.W, dW, rtol=1e-12)
        np.testing.assert_allclose(transform(gs.vmap(loss, in_axes=(None, 0)))(net, np.array([x, 2 * x])),
                                   [loss(net, x), loss(net, 2 * x)])
    called = gs.jit(loss)
    for scale in (1.0, 2.0):  # another object makes no program; another number of a kind that is known does
        assert called(Stack(Affine(scale * W, np.tanh), Affine(V, np.sin)),
                      x) == pytest.approx(of_arrays(scale * W, V, x))
    assert len(programs_of(called)) == 1
    net.on = False
    assert called(net, x) == pytest.approx(loss(net, x)) and len(programs_of(called)) == 2


def programs_of(f) -> list:
    return [program for programs in f._cache.programs.values() for program in programs]


def test_an_object_that_is_an_argument_is_changed():
    def renames(net):
        net.on = False
        return net.layers[0].W.sum()

    net = Stack(Affine(np.ones((2, 2)), np.tanh))
    assert gs.jit(renames)(net) == 4.0 and net.on is False


def test_a_namespace_is_an_argument():
    def loss(p):
        return np.sum(p.w * p.w) * p.b

    p = types.SimpleNamespace(w=np.array([1.0, 2.0]), b=3.0)
    for transform in (lambda f: f, gs.jit):
        slope = transform(gs.grad(loss))(p)
        assert type(slope) is types.SimpleNamespace and slope.b == 5.0
        np.testing.assert_array_equal(slope.w, [6.0, 12.0])
