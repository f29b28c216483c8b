"""gs.vjp's pull-back and gs.linearize's map: linear at the point where they were made,
whatever happens to it afterwards."""
import ast
import dataclasses
import threading

import numpy as np
import pytest

import gradscribe as gs

X = np.array([0.3, -1.0, 2.0])
ways = pytest.mark.parametrize("way", [lambda f: f, gs.jit], ids=["plain", "compiled"])


def powers(x, n):
    for _ in range(n):
        x = np.sin(x) * x
    return x


@pytest.mark.heavy(one_in=2)
@ways
def test_what_users_do_to_arguments_and_results_is_theirs(way):
    def f(x):
        y = powers(x, 3)
        return y, x, y[::-1]

    x, ct = X.copy(), (np.ones(3), np.zeros(3), np.zeros(3))
    out, pullback = gs.vjp(way(f), x)
    want = gs.grad(lambda x: np.sum(powers(x, 3)))(X)
    for array in (x, *out):
        array[...] = 99.0
    np.testing.assert_allclose(pullback(ct)[0], want, rtol=1e-12)
    pullback(ct)[0][...] = 99.0
    np.testing.assert_allclose(pullback(ct)[0], want, rtol=1e-12)
    found = [None] * 4

    def pull(k):
        found[k] = pullback(tuple(k * c for c in ct))[0]

    threads = [threading.Thread(target=pull, args=(k,)) for k in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    np.testing.assert_allclose(found, np.arange(4.0)[:, None] * want, rtol=1e-12)


@ways
def test_what_the_function_reads_from_outside_may_change(way):
    """A cotangent that needs a conversion is converted: the function is not evaluated again."""
    scale = np.array([1.0, 2.0, 3.0])
    _, pullback = gs.vjp(way(lambda x: x * scale), X)
    scale[:] = 0.0
    for ct in (np.ones(3), np.ones(3, np.float32), np.ones(3, int), [1.0, 1.0, 1.0]):
        bar, = pullback(ct)
        assert bar.dtype == np.float64
        np.testing.assert_array_equal(bar, [1.0, 2.0, 3.0])


@ways
def test_a_linear_map_that_would_be_another_is_refused(way):
    scale = np.array([1.0, np.nan, 3.0])
    _, linear = gs.linearize(way(lambda x: x * scale), X)
    np.testing.assert_array_equal(linear(np.ones(3)), scale)
    scale[0] = 0.0
    with pytest.raises(gs.ImpurityError, match="scale, which the function reads from outside, has changed"):
        linear(np.ones(3))


@ways
def test_dicts_in_another_order(way):
    y, pullback = gs.vjp(way(lambda x: {"a": x, "b": x * 2.0}), X)
    np.testing.assert_array_equal(pullback({"b": np.ones(3), "a": np.zeros(3)})[0], np.full(3, 2.0))
    assert gs.jvp(way(lambda d: 2.0 * d["a"] + d["b"]), ({"a": 1.0, "b": 2.0},),
                  ({"b": 1.0, "a": 10.0},)) == (4.0, 21.0)
    with pytest.raises(gs.SpecialisationError, match="a dict of 'b', and value is a dict of 'a', 'b'"):
        pullback({"b": np.ones(3)})


def test_an_object_that_is_no_container_is_no_argument():
    """Its cotangent would be the object itself."""
    class Slotted:
        __slots__ = ("w", "other")

        def __init__(self, w):
            self.w = w

    def f(p):
        return np.sum(p["m"].w * p["x"])

    class Around:
        def __init__(self, slotted):
            self.slotted = slotted

    for call in (lambda p: gs.vjp(f, p), lambda p: gs.grad(f)(p), lambda p: gs.jvp(f, (p,), (p,)),
                 lambda p: gs.jacrev(f)(p), lambda p: gs.grad(lambda a, x: np.sum(a.slotted.w * x))(Around(p["m"]), X)):
        with pytest.raises(gs.SpecialisationError, match="floats in an object of class Slotted"):
            call({"m": Slotted(X), "x": X})


@pytest.mark.parametrize("x", [0.3, X], ids=["a number", "an array"])
def test_inside_a_function_that_is_transformed(x):
    """What the pull-back is of is named by the user's variable, and the pull-back knows it by that name, too."""
    def f(x):
        out, pullback = gs.vjp(lambda x: -np.sin(x) * x, x)
        bar, = pullback(out * 0.5)
        return out + bar

    want = -np.sin(x) * x + -(np.cos(x) * x + np.sin(x)) * (-np.sin(x) * x * 0.5)
    for way in (gs.jit(f), gs.jit(gs.vmap(f)), gs.vmap(f)):
        got = way(np.stack([x, x]))[0] if "vmap" in repr(way) else way(x)
        np.testing.assert_allclose(got, want, rtol=1e-12)


def _stored_into(x):
    y = x * 1.0
    _, linear = gs.linearize(lambda v: np.sum(v * v), y)
    y += 10.0
    return linear(x)


def _rebound(x):
    params = {"a": x * 1.0}
    _, linear = gs.linearize(lambda p: np.sum(p["a"] * p["a"]), params)
    params["a"], params["b"] = x + 10.0, x
    return linear({"a": x})


def _outside(x):
    factor = x * 1.0
    out, linear = gs.linearize(lambda v: np.sum(factor * v * v), x)
    factor *= 3.0
    return linear(x) + out


@pytest.mark.parametrize("f, want", [(_stored_into, 2.0 * X @ X), (_rebound, 2.0 * X @ X),
                                     (_outside, 3.0 * np.sum(X ** 3))], ids=["stored", "rebound", "outside"])
def test_a_linear_map_that_is_made_inside_is_of_the_point_where_it_was_made(f, want):
    np.testing.assert_allclose(gs.jit(f)(X), want, rtol=1e-12)
    np.testing.assert_allclose(gs.value_and_grad(f)(X)[0], want, rtol=1e-12)
    np.testing.assert_allclose(gs.vmap(f)(np.stack([X, X])), [want, want], rtol=1e-12)
    degree = 2 if f is not _outside else 3
    np.testing.assert_allclose(gs.grad(f)(X) @ X, degree * want, rtol=1e-12)  # Euler: f is homogeneous


class Numbers(list):
    def __getitem__(self, k):
        return 2.0 * list.__getitem__(self, k)


@dataclasses.dataclass
class Labelled:
    value: float


def _with_an_attribute_of_its_own(x):
    made = Labelled(2.0 * x)
    made.note = 3.0 * x
    return made


def test_subclasses_of_list_are_refused_as_gradients_refuse_them():
    for call in (lambda xs: gs.grad(lambda v: v[0])(xs), lambda xs: gs.vjp(lambda v: v[0], xs)):
        with pytest.raises(gs.UnsupportedError, match="a Numbers"):
            call(Numbers([1.0]))


def test_a_cotangent_without_an_attribute_that_the_result_has_is_refused():
    out, pullback = gs.vjp(_with_an_attribute_of_its_own, 2.0)
    assert (out.value, out.note) == (4.0, 6.0)
    with pytest.raises(gs.SpecialisationError, match="a Labelled of 'value', 'note'"):
        pullback(Labelled(1.0))


def test_an_object_whose_floats_are_in_a_dataclass_is_a_container():
    class Around:
        def __init__(self, inner):
            self.inner = inner

    assert gs.grad(lambda a, x: a.inner.value * x)(Around(Labelled(2.0)), 5.0).inner.value == 5.0
    assert gs.jvp(lambda a: a.inner.value ** 2, (Around(Labelled(3.0)),), (Around(Labelled(1.0)),)) == (9.0, 6.0)


def scaled_pair(x, w):
    return {"sum": x + w, "product": x * w}


def test_the_source_of_a_pull_back_needs_no_cotangent():
    x, w = np.ones(3), 2.0
    out, pull = gs.vjp(scaled_pair, x, w)
    assert pull.source() == pull.source(out)
    assert pull.source(stage="core") == pull.source(out, stage="core")
    assert "x_bar" in pull.source() and isinstance(pull.tree(), ast.Module)
