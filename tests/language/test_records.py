"""Structured arrays as arguments, made inside, and from outside: value, stores, gradient, examples, what is raised."""
import numpy as np
import pytest
from numpy.lib import recfunctions

import gradscribe as gs
from gradscribe.test_util import check_grads
from tests.support.agreement import agree, compare

POINT = np.dtype([("x", float), ("v", float)])
BODY = np.dtype([("mass", float), ("at", float, 2), ("n", int), ("name", "U5")])
PAIR = np.dtype([("a", POINT), ("b", POINT)])
X = np.array([0.3, -1.2, 2.5, 0.7])


def points():
    p = np.zeros(4, POINT)
    p["x"], p["v"] = X, np.cos(X)
    return p


def bodies():
    p = np.zeros(3, BODY)
    p["mass"], p["n"], p["name"] = [1.0, 2.0, 4.0], [3, 1, 2], ["sun", "moon", "mars"]
    p["at"] = np.arange(6.0).reshape(3, 2)
    return p


def weighted(p, x):
    return np.sum(p["x"] * x**2) + p[1]["v"] * x[0] + len(p) * p[-1]["x"]


def steps(p, x):
    for _ in range(3):
        p["v"] -= 0.1 * p["x"]
        p["x"] += 0.1 * p["v"] * x
    p[0] = (x[0], p["x"][1] ** 2)
    p[1:3] = p[:2]
    return np.sum(p["x"] * p["v"])


def each(p, x):
    total = 0.0
    for r, y in zip(p, x):
        r["x"] *= y
        total += r["x"] * r["v"]
    for k, (a, b) in enumerate(p):
        total += k * a * b
    return total


def chosen(p, x):
    q = p[p["x"] > 0.5]
    q["x"] += 1.0
    r = p[[3, 0, 0]]
    r["v"][0] = x[2]
    return np.sum(q["x"] * q["v"]) + np.sum(r["v"]) * p[["v"]]["v"][1] + q.size + p.ndim


def best(p, x):
    found = p[0]
    for r in p:
        if r["v"] < found["v"]:
            found = r
    found["v"] = x[1]
    return found["x"] * np.sum(p["v"])


@pytest.mark.parametrize("f", [weighted, steps, each, chosen, best])
def test_records_as_arguments(f):
    assert agree(f, points(), X)
    check_grads(lambda x: f(points(), x), (X,), order=2)
    check_grads(lambda x, v, y: f(filled(x, v), y), (X, np.cos(X), X), order=2)
    gradient = gs.grad(f)(points(), X)
    by_fields = gs.grad(lambda x, v: f(filled(x, v), X), argnums=(0, 1))(X, np.cos(X))
    assert gradient.dtype == POINT and type(gradient) is np.ndarray
    compare((gradient["x"], gradient["v"]), by_fields, rtol=1e-12)
    compare(gs.jit(gs.grad(f))(points(), X), gradient, rtol=1e-12)
    compare(gs.vjp(f, points(), X)[1](1.0)[0], gradient, rtol=1e-12)
    slope = gs.jvp(f, (points(), X), (points(), 0.0 * X))[1]
    assert np.allclose(slope, gradient["x"] @ X + gradient["v"] @ np.cos(X))
    both = np.stack([points(), points()[::-1]])
    assert np.allclose(gs.vmap(f, in_axes=(0, None))(both, X), [f(p.copy(), X) for p in both])
    compare(gs.jit(gs.vmap(gs.grad(f), in_axes=(0, None)))(both, X), np.stack([gs.grad(f)(p, X) for p in both]),
            rtol=1e-12)


def filled(x, v):
    p = np.empty(len(x), [("x", float), ("v", float)])
    p["x"], p["v"] = x, v
    return p


def test_second_derivatives_by_the_field():
    hessian = gs.hessian(lambda p: np.sum(p["x"] ** 2 * p["v"]))(points())
    assert np.allclose(hessian["x"]["v"], np.diag(2.0 * X)) and np.allclose(hessian["v"]["v"], 0.0)


def named(p, name):
    return p["mass"][p["name"] == name] * 2.0


def looked_up(p, name):
    for r in p:
        if r["name"] == name:
            return r["mass"] * r["at"][1]
    raise KeyError(name)


def only_numbers(p, k):
    return p[["mass", "at"]][k:], p["n"].dtype.type(k) + p["n"], p[p["n"] > k]["at"]


def of_all_fields(p, k):
    q = p.copy()
    q["mass"][k:] *= 2.0
    return p, q, q.view(np.recarray), p.dtype.names, q.shape


def with_places(p, k):
    """Places of several axes: an Ellipsis and a new axis are of the records, not of what is in a field."""
    q = np.array([[(1.0, [2.0, 3.0]), (4.0, [5.0, 6.0])]] * 3, [("m", float), ("at", float, 2)]) if k < 0 else (
        np.zeros((3, 2), [("m", float), ("at", float, 2)]))
    q["m"], q["at"][..., 0] = p["mass"][:, None], p["mass"][:, None] + [1.0, 2.0]
    one = q[1, -1]
    one["m"] = 7.0
    return q[..., 0], q[:, None][0], q[1], q[(0, 1), (1, 0)], q[1, 1]["at"], q[q["m"] > 2.0], q.T if k < 0 else q.ndim


def nested(p, x):
    q = np.zeros(4, PAIR)
    q["a"], q["b"]["x"] = p, x
    q[0], q["a"]["v"][1] = q[2], 5.0
    return q, q[1]["a"]["x"] + q["b"][2]["x"], q[["b"]]


def made(p, x):
    q = np.rec.fromarrays([x, np.arange(4)], names="a, b")
    r = np.array([(a, 2.0 * a) for a in x], POINT)
    return (q, q[1:].a, r, np.ones(2, POINT), np.zeros_like(p), np.full(3, 0.5, POINT), np.array((1.0, 2.0), POINT),
            np.concatenate([p, r]), np.sort(r, order="v"), np.argsort(p, order=["x", "v"]), p.view(np.recarray).x,
            np.asarray(p), np.copy(p)[::-1], np.shape(p), np.size(r), np.array([p[0], r[1]]),
            np.empty((2, 2), POINT).shape)


def reshaped(p, x):
    q = p.reshape(2, 2)
    q.T["x"][0, 1] = 9.0
    p.sort(order="v")
    return q, q.T, q.ravel(), p.argsort(order="x"), p.tolist(), p[0].item(), p.nbytes, isinstance(p, np.ndarray), [
        isinstance(r, np.void) for r in q[0]], recfunctions.structured_to_unstructured(p)


@pytest.mark.parametrize("f, args", [
    (named, (bodies(), "moon")), (named, (bodies(), "io")), (looked_up, (bodies(), "mars")),
    (looked_up, (bodies(), "io")), (reshaped, (points(), X)), (lambda p: p[["x", "z"]], (points(),)),
    (lambda p: p[0][5], (points(),)), (lambda p: np.array([(1.0,)], POINT), (points(),)),
    (lambda p: np.array([(1.0, 2.0, 3.0)], POINT), (points(),)), (lambda p: np.array([], POINT), (points(),)),
    (lambda p: moved(p, 1), (points(),)), (lambda p: exchanged(p, X), (points(),)),
    (only_numbers, (bodies(), 1)), (of_all_fields, (bodies(), 1)), (of_all_fields, (bodies().view(np.recarray), 0)),
    (with_places, (bodies(), 2)), (nested, (points(), X)), (made, (points(), X)),
    (lambda p: p, (points(),)), (lambda p: {"p": p[::2], "q": (p["x"],)}, (points(),)), (lambda p: p, (points()[:0],)),
    (lambda p: p[1:].v, (points().view(np.recarray),)), (lambda p: p[7]["x"], (points(),)),
    (lambda p, i: p[i]["x"], (points(), -5)), (lambda p: p["y"], (points(),)), (lambda p: p["x"][9], (points(),)),
    (lambda p: [str(r["name"]) for r in p] + p["name"].tolist(), (bodies(),)),
    (lambda p, i: p[i]["x"] + p[i][1], (points(), 2))])
def test_as_python_has_it(f, args):
    assert agree(f, *args)


def test_fields_of_other_dtypes_make_other_programs():
    f = gs.jit(lambda p: np.sum(p["x"] * p["v"]))
    assert f(points()) == np.sum(points()["x"] * points()["v"])
    single = points().astype([("x", np.float32), ("v", np.float32)])
    assert type(f(single)) is np.float32
    g = gs.jit(lambda p, name: p["mass"][p["name"] == name])
    other = bodies()
    other["name"] = ["moon", "sun", "sun"]
    for p in (bodies(), other, bodies()):
        assert np.array_equal(g(p, "sun"), named(p, "sun") / 2.0)


def test_names_of_what_is_outside_are_seen(monkeypatch):
    table = bodies()
    f = gs.jit(lambda x: np.sum(table["mass"][table["name"] == "sun"]) * x)
    assert f(2.0) == 2.0
    table["name"][1] = "sun"
    assert f(2.0) == 6.0


def test_the_source_that_is_shown_runs():
    def loss(p):
        return np.sum(p["x"] ** 2 * p["v"])
    scope = {}
    exec(gs.grad(loss).source(points()), scope)
    compare(scope["grad_loss"](points()), gs.grad(loss)(points()))


def test_memory_that_is_shared():
    p = points()
    with pytest.raises(gs.UnsupportedError, match="two arguments share memory"):
        gs.jit(steps)(p, p["x"])


def unlike(p):
    p["x"][0] = 1.0
    return p["x"] if p["x"][1] > 0.0 else p


REFUSED = [
    (lambda p: np.sum(p), "records as an array", "array of a field"),
    (lambda p: p + 1.0, "arithmetic of records", "array of a field"),
    (lambda p: p == p, "a comparison of records", "array of a field"),
    (lambda p: p[0], "the function returns a record", "its fields"),
    (lambda p: type(p) is np.ndarray, "the class of an object", "before the call"),
    (lambda p: np.zeros(2, [("name", "U3"), ("x", float)]), "which are no numbers", "a list"),
    (lambda p: p.astype([("x", int), ("v", int)]), "astype of records", "array of a field"),
    (lambda p: p.reshape(2, 2).tolist(), "tolist of records", "array of a field"),
    (lambda p: p.y, "y of records", "array of a field"),
    (lambda p: np.array([[1.0, 2.0]], POINT), "records of what are no tuples", "a tuple for each"),
    (lambda p: np.full(2, (1.0, 2.0), POINT), "np.full of records with a tuple", "p[...]"),
    (lambda p: np.concatenate([p, p[["x"]]]), "records of different dtypes", "array of a field"),
    (lambda p: gs.grad(lambda q: np.sum(q["x"]))(np.zeros(2, [("x", float), ("n", int)])), "only floats", "astype"),
]


@pytest.mark.parametrize("f, says, instead", REFUSED, ids=range(len(REFUSED)))
def test_what_is_refused(f, says, instead):
    for way in (gs.jit, gs.test_util.primal):
        with pytest.raises(gs.GradscribeError) as caught:
            way(f)(points())
        assert says in caught.value.message and instead in caught.value.instead


def stored(p, value):
    p[0] = value
    p[1:3] = value
    return p


@pytest.mark.parametrize("value", [(1.0, 2), 5, 2.5, (1.0, 2.0, 3.0), (True, np.float32(0.1))], ids=range(5))
def test_stores_of_one_value(value):
    assert agree(lambda p: stored(p, value), points())


def test_a_store_of_an_array_is_refused():
    def f(p, x):
        p[:] = x
        return p
    with pytest.raises(gs.UnsupportedError, match="a store of an array into whole records"):
        gs.jit(f)(points(), X)


def moved(p, k):
    return (np.take(p, [2, 0, 2]), np.roll(p, k), np.repeat(p, 2), np.delete(p, 1), np.append(p, p[:1]), np.flip(p),
            p[()], p[...], p[None], p[np.asarray(1)]["x"], list(p[0]), dict(zip(p.dtype.names, p[k])))


def exchanged(p, x):
    """A record is a view, a copy of it is not; fields are stored by their places, whatever they are called."""
    first = p[0].copy()
    p[0] = p[1]
    p[1] = first
    p[2], p[3] = p[3], p[2]
    q = np.zeros(4, [("v", np.float32), ("x", int)])
    q[1:] = p[1:]
    p[:] = p[["v", "x"]]
    return p, q, first["x"], max(p, key=lambda r: r["x"])["v"], [r["x"] for r in sorted(p, key=lambda r: r["v"])]


def test_what_does_not_fit_is_said():
    with pytest.raises(gs.SpecialisationError, match="value is a structured array"):
        gs.vjp(lambda p: p, points())[1](np.ones(4))
    with pytest.raises(gs.GradscribeError, match=r'd\["n"\] has dtype int64'):
        gs.grad(lambda d: np.sum(d["x"]))(np.zeros(2, [("x", float), ("n", int)]))
    with pytest.raises(gs.UnsupportedError, match="x of records, which is no field of numbers"):
        gs.jit(lambda p: p["x"])(points().astype([("x", ">f8"), ("v", float)]))
    with pytest.raises(gs.UnsupportedError, match="an argument of dtype"):
        gs.grad(lambda r: r["x"])(points()[0])


def test_a_step_of_descent():
    def loss(p):
        return np.sum((p["x"] - p["v"]) ** 2)

    def descended(p):
        for _ in range(3):
            slope = gs.grad(loss)(p)
            for name in p.dtype.names:
                p[name] -= 0.1 * slope[name]
        return loss(p)
    assert agree(lambda p: np.sum(gs.grad(loss)(p)["x"]), points()) and gs.jit(descended)(points()) < loss(points())


def test_read_only_and_empty():
    def store(p):
        p["x"][0] = 1.0
        return np.sum(p["x"])
    p = points()
    p.flags.writeable = False
    with pytest.raises(ValueError, match="assignment destination is read-only"):
        gs.jit(store)(p)
    assert gs.grad(store)(p)["x"].tolist() == [0.0, 1.0, 1.0, 1.0]
    assert gs.grad(lambda p: np.sum(p["x"]))(points()[:0]).shape == (0,)
