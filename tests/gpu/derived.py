"""What transformations make of functions that are jitted for a GPU: `test_simulator` has these called."""

import numpy as np

import gradscribe as gs
from gradscribe.runtime.cuda import backend
from gradscribe.runtime.cuda.backend import is_device_array
from gradscribe.transformer.pytree.containers import map_leaves
from gradscribe.transformer.testing import numeric_leaves
from tests.corpus.programs import PROGRAMS
from tests.support.cases import assert_same, ran, tolerance
from tests.transforms.test_stages import NEVER, with_cotangent

from .corpus import like_numbers

ASKS_THE_CLOCK = {"timed"}  # of what a kernel computes no clock of the CPU says when
X, Y = np.array([0.3, -1.0, 2.0]), np.array([1.5, 0.5, -0.25])


def placed(x):
    return map_leaves(backend.put_array, x)


def fetched(x):
    return map_leaves(backend.get, x)


def norm(x):
    return np.sum(np.sin(x) ** 2)


def tree(x, n):
    s, m = np.sum(x), np.max(x)
    return {"a": x * m + s * s * 2.0, "n": n, "s": s * m, "t": (x, float(n) * s)}


def close(got, want) -> None:
    for a, b in zip(numeric_leaves(fetched(got)), numeric_leaves(want), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12)


def there(x) -> bool:
    """Do all arrays of a tree lie on the device?"""
    return all(not isinstance(leaf, np.ndarray) for leaf in numeric_leaves(x))


def each() -> None:
    """Each transformation gives what it gives on the CPU, on the device, of arguments of both."""
    step = gs.jit(norm, target="cuda")
    calls = {"grad": lambda f, x: gs.grad(f)(x), "value_and_grad": lambda f, x: gs.value_and_grad(f)(x),
             "jvp": lambda f, x: gs.jvp(f, (x,), (x,)), "vjp": lambda f, x: (gs.vjp(f, x)[0], gs.vjp(f, x)[1](1.0)),
             "linearize": lambda f, x: gs.linearize(f, x)[1](x), "hvp": lambda f, x: gs.hvp(f, (x,), (x,)),
             "jacfwd": lambda f, x: gs.jacfwd(f)(x), "jacrev": lambda f, x: gs.jacrev(f)(x),
             "hessian": lambda f, x: gs.hessian(f)(x)}
    for name, call in calls.items():
        for x in (X, placed(X)):
            got = call(step, x)
            assert there(got), name
            close(got, call(norm, X))
    many = np.stack([X, Y])
    close(gs.vmap(gs.grad(step))(placed(many)), gs.vmap(gs.grad(norm))(many))
    assert "adjoint" in gs.grad(step).source(placed(X)) and "gpu.kernel" in gs.grad(step).source(X, stage="compiled")


def where_it_runs() -> None:
    """Of a function for whatever its arguments ask for derivatives run where these lie."""
    step = gs.jit(norm, target="auto")
    for call in (gs.grad(step), lambda x: gs.vjp(step, x)[1](1.0)[0], lambda x: gs.jvp(step, (x,), (x,))[1]):
        assert is_device_array(call(placed(X))) and not is_device_array(call(X))


def what_is_static() -> None:
    power = gs.jit(lambda x, how: np.sum(x ** how[0]), target="cuda", static_argnums=1)
    close(gs.grad(power)(placed(X), (3,)), 3 * X ** 2)
    close(gs.jvp(power, (placed(X), (3,)), (placed(Y), (0,)))[1], np.sum(3 * X ** 2 * Y))
    close(gs.vjp(power, placed(X), (3,))[1](1.0)[0], 3 * X ** 2)


def pull_back() -> None:
    """Residuals lie on the device and are nobody else's; cotangents come from wherever, and are converted."""
    x = placed(X)
    out, pull = gs.vjp(gs.jit(tree, target="cuda"), x, 3)
    want, cotangent = gs.vjp(tree, X, 3)[1], {"a": Y, "n": 0, "s": 2.0, "t": (X, 1.0)}
    assert there(pull.residuals) and any(is_device_array(r) and r.shape == () for r in pull.residuals)
    for array in (x, out["a"], out["t"][0]):
        array[...] = 99.0
    for ct in (cotangent, placed(cotangent), {**cotangent, "s": placed(np.array(2.0, "f4"))},
               {**cotangent, "t": (placed(X), np.float32(1))}):
        got = pull(ct)
        assert is_device_array(got[0]) and got[0].dtype == np.float64 and got[1] == 0
        close(got, want(cotangent))
    single = placed(Y.astype("f4"))
    close(pull({**cotangent, "a": single})[0], want({**cotangent, "a": single.get()})[0])
    for wrong in (placed(np.ones(4)), placed(1j * Y)):
        refused, expected = ran(lambda a: pull({**cotangent, "a": a}), lambda: (wrong,)), ran(
            lambda a: want({**cotangent, "a": a}),
            lambda: (wrong.get(),))
        assert refused.error is not None and type(refused.error) is type(expected.error)
    for way in (lambda f: f, gs.jit, lambda f: gs.jit(f, target="cuda")):
        close(way(lambda c: pull(c))(cotangent), want(cotangent))


def stores() -> None:
    """A pull-back's first half changes nothing that the caller has; a gradient stores as the function does."""
    def f(x):
        x[0] = x[1] * x[2]
        return np.sum(x)

    x, y = placed(X), X.copy()
    close(gs.vjp(gs.jit(f, target="cuda"), x)[1](1.0), gs.vjp(f, X.copy())[1](1.0))
    close(x, X)
    close(gs.grad(gs.jit(f, target="cuda"))(x), gs.grad(f)(y))
    close(x, y)


def raises() -> None:
    taken = gs.jit(lambda x, i: x[i] * 2.0, target="cuda")
    close(gs.vjp(taken, placed(X), 1)[1](1.0)[0], np.array([0.0, 2.0, 0.0]))
    assert type(ran(lambda x: gs.vjp(taken, x, 7), lambda: (placed(X),)).error) is IndexError
    assert "target=\"cuda\"" in str(ran(gs.grad(norm), lambda: (placed(X),)).error)


def corpus(number: int) -> None:
    """The pull-back of a program of the corpus gives what it gives on the CPU."""
    p = PROGRAMS[number]
    if p.name in NEVER:
        return
    if p.name in ASKS_THE_CLOCK:
        refused = ran(gs.jit(p.fun, target="cuda"), p.make_args).error
        assert isinstance(refused, gs.UnsupportedError) and "Read the clock outside" in str(refused), refused
        return

    def pulled(f, put):
        def run(args, cotangent):
            out, pull = gs.vjp(f, *put(args))
            return out, pull(put(cotangent))
        return run

    want = ran(pulled(p.fun, lambda x: x), lambda: with_cotangent(p))
    got = ran(pulled(gs.jit(p.fun, target="cuda"), placed), lambda: with_cotangent(p))
    got.out = fetched(got.out)
    assert_same(like_numbers(got, want), want, tolerance(with_cotangent(p)))
