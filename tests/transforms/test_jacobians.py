"""gs.jacfwd, gs.jacrev and gs.hessian: by columns, by rows, against single tangents, over trees; and JAX's shapes."""
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.transformer.testing import numeric_leaves
from tests.support.cases import over, rotating
from tests.transforms.test_vmap import SMOOTH, is_float


def floats_only(p):
    args = p.make_args()
    return (len(p.argnums) == 1 and all(map(is_float, numeric_leaves(args[p.argnums[0]])))
            and all(map(is_float, numeric_leaves(p.fun(*p.make_args())))))


CASES = [p for p in SMOOTH
         if floats_only(p) and sum(np.size(x) for x in numeric_leaves(p.make_args()[p.argnums[0]])) <= 40]


@pytest.mark.heavy(one_in=22)
@over(CASES)
def test_columns_and_rows_agree(p):
    columns, rows = (made(p.fun, argnums=p.argnums[0])(*p.make_args()) for made in (gs.jacfwd, gs.jacrev))
    _agree(columns, rows)
    out, x = p.fun(*p.make_args()), p.make_args()[p.argnums[0]]
    shapes = [np.shape(y) + np.shape(leaf) for y in numeric_leaves(out) for leaf in numeric_leaves(x)]
    assert [np.shape(part) for part in numeric_leaves(columns)] == shapes


@pytest.mark.heavy(one_in=46)
@over(rotating(CASES, 9))
def test_compiled(p):
    plain = gs.jacrev(p.fun, argnums=p.argnums[0])(*p.make_args())
    for made in (gs.jacfwd, gs.jacrev):
        _agree(gs.jit(made(p.fun, argnums=p.argnums[0]))(*p.make_args()), plain)


@pytest.mark.heavy(one_in=15)
@over([p for p in CASES if p.smooth])
def test_the_hessian_is_the_jacobian_of_the_jacobian(p):
    k = p.argnums[0]
    _agree(gs.hessian(p.fun, argnums=k)(*p.make_args()),
           gs.jacrev(gs.jacfwd(p.fun, argnums=k), argnums=k)(*p.make_args()))


def _agree(a, b):
    for x, y in zip(numeric_leaves(a), numeric_leaves(b), strict=True):
        assert np.shape(x) == np.shape(y) and np.asarray(x).dtype == np.asarray(y).dtype
        single = np.asarray(x).dtype == np.float32
        np.testing.assert_allclose(x, y, rtol=3e-5 if single else 1e-9,
                                   atol=(3e-5 if single else 1e-9) * np.abs(y).max(initial=1.0))


class Pair(NamedTuple):
    a: np.ndarray
    b: np.ndarray


def test_trees():
    def f(p, x):
        return {"u": p.a * np.sum(x), "v": (p.b @ p.b, x)}

    p, x = Pair(np.arange(3.0), np.ones((2, 2))), np.array([1.0, 2.0])
    for made in (gs.jacfwd, gs.jacrev):
        J = made(f)(p, x)
        assert isinstance(J["u"], Pair) and J["u"].a.shape == (3, 3) and J["v"][0].b.shape == (2, 2, 2, 2)
        np.testing.assert_array_equal(J["u"].a, 3.0 * np.eye(3))
        np.testing.assert_array_equal(J["v"][1].a, np.zeros((2, 3)))
        both = made(f, argnums=(1, 0))(p, x)
        assert both["u"][0].shape == (3, 2) and isinstance(both["u"][1], Pair)
        np.testing.assert_array_equal(both["v"][1][0], np.eye(2))
        J, aux = made(lambda p, x: (p.a, {"x": x}), has_aux=True)(p, x)
        np.testing.assert_array_equal(J.a, np.eye(3))
        np.testing.assert_array_equal(aux["x"], x)


@dataclass
class Model:
    w: np.ndarray
    name: str = field(default="cubic", metadata={"static": True})


def test_static_fields_have_no_part_in_it():
    def f(m):
        return np.sum(m.w ** 3) if m.name == "cubic" else np.sum(m.w)

    m = Model(np.array([1.0, 2.0]))
    for made in (gs.hessian(f), gs.jit(gs.jacfwd(gs.grad(f))), gs.jacrev(gs.jacrev(f))):
        H = made(m)
        assert (H.name, H.w.name) == ("cubic", "cubic")
        np.testing.assert_allclose(H.w.w, np.diag([6.0, 12.0]))
    np.testing.assert_allclose(gs.vmap(gs.hessian(f))(Model(np.ones((3, 2)))).w.w, [np.diag([6.0, 6.0])] * 3)


def test_inside_a_function():
    def newton_step(x):
        return x - gs.jacfwd(lambda x: gs.grad(energy)(x))(x) @ gs.grad(energy)(x)

    def energy(x):
        return np.sum(np.cos(x) * x[::-1])

    x = np.linspace(0.1, 0.5, 4)
    want = x - gs.hessian(energy)(x) @ gs.grad(energy)(x)
    np.testing.assert_allclose(newton_step(x), want, rtol=1e-14)
    np.testing.assert_allclose(gs.jit(newton_step)(x), want, rtol=1e-12)


@pytest.mark.parametrize("made", [gs.jacfwd, gs.jacrev, gs.hessian])
def test_integers_are_refused(made):
    with pytest.raises(gs.SpecialisationError, match="only floats have derivatives"):
        made(lambda x: np.argmax(x))(np.arange(3.0))
    with pytest.raises(gs.SpecialisationError, match="only floats have derivatives"):
        made(lambda x: x * 1.0)(np.arange(3))


@pytest.mark.parametrize("made", [gs.jacfwd, gs.jacrev])
def test_numbers_that_are_known_are_refused_too(made):
    for f, name in ((lambda x: (x, 3), "int"), (lambda x: (x, True), "bool"), (lambda x: (x, "text"), "str")):
        with pytest.raises(gs.SpecialisationError, match=f"dtype {name}, and only floats"):
            made(f)(np.arange(3.0))
    assert made(lambda x: (x, None))(np.arange(3.0))[1] is None


@pytest.mark.parametrize("made", [gs.grad, gs.jacfwd, gs.jacrev])
def test_argnums(made):
    f = lambda x, y: np.sum(x * y)  # noqa: E731
    x, y = np.array([1.0, 2.0]), np.array([3.0, 4.0])
    np.testing.assert_array_equal(made(f, argnums=np.int64(1))(x, y), x)
    np.testing.assert_array_equal(made(f, argnums=[-1, 0])(x, y), [x, y])
    for wrong in (1.0, "x", True, (0, 1.0)):
        with pytest.raises(gs.SpecialisationError, match="argnums="):
            made(f, argnums=wrong)(x, y)


def powers(x, W):
    for _ in range(3):
        x = W @ x  # its length is carried around the loop: that of W is not known to be the same
    return x


@gs.custom_jvp
def ruled(x, W):
    return powers(x, W)


ruled.defjvp(lambda primals, tangents: (powers(*primals), powers(tangents[0], primals[1])))

LENGTHS_OF_THEIR_OWN = {
    "plain": lambda x, W: np.sum(powers(x, W) ** 3),
    "checkpoint": lambda x, W: np.sum(gs.checkpoint(powers)(gs.checkpoint(powers)(x, W), W) ** 3),
    "vjp": lambda x, W: np.sum(gs.vjp(lambda x: powers(x, W), x)[1](np.sin(x))[0] ** 3),
    "jvp": lambda x, W: np.sum(gs.jvp(lambda x: powers(x, W), (x,), (x,))[1] ** 3),
    "jacobians": lambda x, W: np.sum(gs.jacrev(powers)(x, W) @ gs.jacfwd(powers)(x * x, W) @ x) ** 2,
    "custom_jvp": lambda x, W: np.sum(ruled(x, W) ** 3),
}


@pytest.mark.parametrize("way", [lambda f: f, gs.jit], ids=["plain", "compiled"])
def test_functions_that_compute_the_lengths_of_their_results(way):
    """What surrounds a function may know the lengths of its results by other names than it has itself."""
    rng = np.random.default_rng(0)
    x, W = rng.normal(size=3), rng.normal(size=(3, 3))
    for made in (gs.jacrev, gs.jacfwd):
        np.testing.assert_allclose(way(made(powers))(x, W), W @ W @ W, rtol=1e-12)


@pytest.mark.heavy(one_in=10)
@pytest.mark.parametrize("way", [lambda f: f, gs.jit], ids=["plain", "compiled"])
@pytest.mark.parametrize("name", LENGTHS_OF_THEIR_OWN)
def test_second_derivatives_of_functions_that_compute_the_lengths_of_their_results(name, way):
    rng = np.random.default_rng(1)
    f, x, W = LENGTHS_OF_THEIR_OWN[name], rng.normal(size=3), rng.normal(size=(3, 3))
    wanted = np.stack([(gs.grad(f)(x + h, W) - gs.grad(f)(x - h, W)) / 2e-6 for h in 1e-6 * np.eye(3)])
    for made in (gs.hessian, lambda f: gs.jacrev(gs.jacrev(f))):
        np.testing.assert_allclose(way(made(f))(x, W), wanted, rtol=1e-6, atol=1e-6 * np.abs(wanted).max())
