"""One object in two places, and stores into arrays that others may see."""
import numpy as np
import pytest

import gradscribe as gs
from gradscribe.transformer.api import Primal
from tests.language.executed_text import SEEN, Holder, difference, executed


# one object in two places ------------------------------------------------------------------------
def stores(a, b):
    a[0] = 3.0 * b[0]
    return np.sum(a) * b[0]


def changes(a, b):
    a["w"] = 3.0 * b["w"]
    return a["w"] * b["w"]


def appends(a, b):
    a.append(2.0 * a[0])
    return b[-1] * b[0]


def sets(a, b):
    a.w = 3.0 * b.w
    return a.w * b.w


def nested(a, b):
    a["x"][0] = 3.0 * b[0][0]
    return a["x"][0] * b[0][0]


SEEN_DICT = {"w": 2.0}


def stores_seen(a):
    a[0] = 5.0 * SEEN[0]
    return np.sum(a * SEEN)


def changes_seen(a):
    a["w"] = 5.0 * SEEN_DICT["w"]
    return a["w"] * SEEN_DICT["w"]


def twice(x):
    return x, x


def in_two_containers():
    x = np.array([1.0, 2.0])
    return {"x": x}, [x]


def overlapping():
    x = np.array([1.0, 2.0, 3.0])
    return x[:2], x[1:]


ALIASED = {"an array": (stores, lambda: twice(np.array([1.0, 2.0]))), "overlapping views": (stores, overlapping),
           "a dict": (changes, lambda: twice({"w": 2.0})), "a list": (appends, lambda: twice([2.0])),
           "a dataclass": (sets, lambda: twice(Holder(2.0))), "an array in two containers": (nested, in_two_containers),
           "a global array": (stores_seen, lambda: (SEEN,)), "a global dict": (changes_seen, lambda: (SEEN_DICT,))}


def ones(x):
    return gs.tree.map(lambda leaf: 0.0 * leaf + 1.0, x)


DERIVATIVES = {
    "grad": lambda f, a: gs.grad(f)(*a), "value_and_grad": lambda f, a: gs.value_and_grad(f)(*a),
    "jit(grad)": lambda f, a: gs.jit(gs.grad(f))(*a), "vjp": lambda f, a: gs.vjp(f, *a),
    "linearize": lambda f, a: gs.linearize(f, *a), "jvp": lambda f, a: gs.jvp(f, tuple(a), tuple(map(ones, a))),
    "jit": lambda f, a: gs.jit(f)(*a), "all": lambda f, a: gs.grad(f, argnums=tuple(range(len(a))))(*a)}


@pytest.mark.parametrize("name", ALIASED)
@pytest.mark.parametrize("transform", DERIVATIVES)
def test_one_object_in_two_places_that_is_changed_is_refused(name, transform):
    f, arguments = ALIASED[name]
    with pytest.raises(gs.GradscribeError, match="share memory|two places|others see"):
        DERIVATIVES[transform](f, arguments())


def reads(a, b):
    return np.sum(a[0]) * np.sum(b[0])


@pytest.mark.parametrize("transform", DERIVATIVES)
def test_one_object_in_two_places_that_is_read_is_allowed(transform):
    for arguments in twice(np.array([1.0, 2.0])), twice([1.0, 2.0]), in_two_containers()[1:] * 2, overlapping():
        DERIVATIVES[transform](reads, arguments)
    assert gs.grad(lambda x, c, d: c["w"] * d["w"] * stores(x, [x[1] * 1.0]))(
        np.array([1.0, 2.0]), *twice({"w": 2.0})).shape == (2,)


def inside_twice(x):
    a = [x, 2.0]
    return gs.grad(changes_list)(a, a)[0]


def inside_closure(x):
    a = [x, 2.0]
    return gs.grad(lambda b: changes_list(b, a))(a)[0]


def inside_array(x):
    a = np.ones(2) * x
    return gs.grad(lambda b: stores(b, a))(a)[0]


def changes_list(a, b):
    a[0] = 3.0 * a[0]
    return a[0] * b[0]


@pytest.mark.parametrize("f", [inside_twice, inside_closure, inside_array])
def test_the_same_inside_transformed_code(f):
    for g in gs.jit(f), gs.grad(f):
        with pytest.raises(gs.GradscribeError, match="shares memory|also reads"):
            g(2.0)


def is_one(a, b):
    return np.sum(a) * (2.0 if a is b else 3.0)


def test_identity():
    x = np.array([1.0, 2.0])
    for f in gs.jit(is_one), gs.value_and_grad(is_one):
        for _ in range(3):
            assert np.ravel(gs.tree.leaves(f(x, x.copy()))[0])[0] == 9.0
        with pytest.raises(gs.GradscribeError, match="with `is`"):
            f(x, x)


def mixed(x, y, n):
    w = x if np.sum(x) > 1.0 else y
    def loss(z):
        s = w
        def inner():
            nonlocal s
            s = s * z
        for k in range(n):
            if z[k] > 0.2:
                inner()
        return np.sum(s)
    for _ in range(n):
        x = x - 0.1 * gs.grad(loss)(x)
    return np.sum(x)


def test_a_variable_that_began_as_one_from_around_is_the_functions_own():
    x, y = np.array([0.5, 0.3, 0.7]), np.array([0.5, 0.2, 0.7])
    assert np.isclose(gs.jit(mixed)(x, y, 3), 1.14454340845962)
    want = [difference(lambda t: gs.jit(mixed)(x + t * e, y, 3), 0.0) for e in np.eye(3)]
    assert np.allclose(gs.grad(mixed)(x, y, 3), want, rtol=1e-5)


STORES = """
def f(n):
    w = G if n > 1 else np.ones(2)
    w *= 2.0

def f(n):
    w = V.a if n > 1 else np.ones(2)
    w[0] = 2.0

def f(n):
    if n > 1:
        w = G
    w *= 2.0

def f(n):
    w = None
    if n > 1:
        w = G
    if w is not None:
        w *= 2.0

def f(n):
    w = G if n > 1 else G[:]
    w[0] = 2.0

def f(n):
    w = np.ones(2)
    for i in range(n):
        w *= 2.0
        w = G

def f(n):
    w = (V.a, 1) if n > 1 else (np.ones(2), 2)
    w[0][0] = 2.0

def f(n):
    w = [L[0]] if n > 1 else [np.ones(2)]
    w[0] += 3.0

def f(n):
    w = {"a": G} if n > 1 else {"a": np.ones(2)}
    w["a"] += 3.0

def f(n):
    w, a = np.zeros(2), G
    for i in range(n):
        w, a = a, w
    w += 3.0

def f(n):
    w = g(n)
    w += 3.0
"""


@pytest.mark.parametrize("text", STORES.split("\n\n"))
@pytest.mark.parametrize("n", [0, 3])
def test_a_store_into_an_array_that_others_may_see(text, n):
    """It is seen outside, also where only one of two paths has it from there; or it is refused."""
    start = ("import numpy as np\nclass V: a = np.ones(2)\nG, L = np.array([3.0, 4.0]), [np.ones(2)]\ndef g(n):\n"
             "    if n > 1: return V.a\n    return np.ones(2)\n")
    python, ours = (executed(start + text, {"__name__": "outside"}) for _ in range(2))
    try:
        want = python["f"](n)
    except UnboundLocalError as error:
        want = str(error)
    try:
        got = Primal(ours["f"])(n)
    except UnboundLocalError as error:
        got = str(error)
    except gs.GradscribeError as error:
        assert "others see as well" in error.message or "share memory" in error.message
        return
    assert got == want
    for seen in (lambda m: m["G"], lambda m: m["L"][0], lambda m: m["V"].a):
        np.testing.assert_array_equal(seen(ours), seen(python))
