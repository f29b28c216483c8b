"""Functions with derivatives of their own, and checkpoints: plain, compiled, batched, differentiated again,
over closures."""
import tracemalloc

import numpy as np
import pytest

import gradscribe as gs


@gs.custom_jvp
def log1pexp(x):
    return np.log(1.0 + np.exp(x))


@log1pexp.defjvp
def _log1pexp_jvp(primals, tangents):
    (x,), (x_dot,) = primals, tangents
    return log1pexp(x), 1.0 / (1.0 + np.exp(-x)) * x_dot


@gs.custom_vjp
def scaled(x, y):
    return {"out": np.sin(x) * y}


def _scaled_fwd(x, y):
    return scaled(x, y), (np.cos(x), np.sin(x), y)


def _scaled_bwd(residuals, ct):
    c, s, y = residuals
    return c * y * ct["out"] * 10.0, np.sum(s * ct["out"])  # ten times too much, to be seen


scaled.defvjp(_scaled_fwd, _scaled_bwd)
X = np.array([0.3, -1.0, 2.0])
ways = pytest.mark.parametrize("way", [lambda f: f, gs.jit], ids=["plain", "compiled"])


def sigmoid(x):
    return 1.0 / (1.0 + np.exp(-x))


@ways
def test_a_rule_for_tangents_serves_all_transformations(way):
    s = sigmoid(X)
    close = np.testing.assert_allclose
    close(way(gs.grad(log1pexp))(800.0), 1.0)  # the function's own derivative is inf / inf
    close(way(lambda x: gs.jvp(log1pexp, (x,), (2.0,))[1])(0.3), 2 * sigmoid(0.3), rtol=1e-14)
    close(way(gs.grad(lambda x: np.sum(log1pexp(x))))(X), s, rtol=1e-14)
    close(way(gs.vmap(gs.grad(log1pexp)))(X), s, rtol=1e-14)
    close(way(gs.grad(lambda x: np.sum(gs.vmap(log1pexp)(x))))(X), s, rtol=1e-14)
    close(way(gs.grad(gs.grad(log1pexp)))(0.3), sigmoid(0.3) * (1 - sigmoid(0.3)), rtol=1e-13)
    close(way(gs.hessian(lambda x: np.sum(log1pexp(x))))(X), np.diag(s * (1 - s)), rtol=1e-13, atol=1e-15)
    close(way(gs.jacfwd(log1pexp))(X), np.diag(s), rtol=1e-14)
    close(log1pexp(X), np.log(1 + np.exp(X)))  # outside it is the function


@ways
def test_a_rule_for_pull_backs(way):
    loss = lambda x, y: np.sum(scaled(x, y)["out"] * 3.0)  # noqa: E731
    x_bar, y_bar = way(gs.grad(loss, argnums=(0, 1)))(X, 2.0)
    np.testing.assert_allclose(x_bar, 60.0 * np.cos(X), rtol=1e-14)
    np.testing.assert_allclose(y_bar, 3.0 * np.sum(np.sin(X)), rtol=1e-14)
    np.testing.assert_allclose(way(gs.vmap(gs.grad(loss), in_axes=(0, None)))(X, 2.0), 60.0 * np.cos(X), rtol=1e-14)
    batched = lambda x, y: np.sum(gs.vmap(lambda x: scaled(x, y)["out"])(x))  # noqa: E731
    x_bar, y_bar = way(gs.grad(batched, argnums=(0, 1)))(X, 2.0)
    np.testing.assert_allclose(x_bar, 20.0 * np.cos(X), rtol=1e-14)
    np.testing.assert_allclose(y_bar, np.sum(np.sin(X)), rtol=1e-14)
    # of the derivative, that of the rules: of cos(x) * y * 10
    second = way(gs.grad(lambda x: np.sum(gs.grad(loss)(x, 2.0))))(X)
    np.testing.assert_allclose(second, -60.0 * np.sin(X), rtol=1e-14)


@ways
def test_rules_in_loops_and_branches(way):
    def f(x, n):
        for _ in range(n):
            if np.sum(x) > 0.5:
                x = log1pexp(x)
            else:
                x = scaled(x, 0.9)["out"] + 1.0
        return np.sum(x)

    def plain(x, n):
        bars = []
        for _ in range(n):
            if np.sum(x) > 0.5:
                bars.append(sigmoid(x))
                x = np.log(1 + np.exp(x))
            else:
                bars.append(9.0 * np.cos(x))
                x = np.sin(x) * 0.9 + 1.0
        return np.prod(bars, axis=0)

    for x in (X, X - 2.0):
        np.testing.assert_allclose(way(gs.grad(f))(x, 4), plain(x, 4), rtol=1e-12)


@ways
def test_closures(way):
    def f(c, x):
        @gs.custom_vjp
        def g(x):
            return c * x

        g.defvjp(lambda x: (c * x, c), lambda c, ct: (c * ct * 100.0,))
        return np.sum(g(x) + c)

    np.testing.assert_allclose(way(gs.grad(f, argnums=1))(2.0, X), 200.0 * np.ones(3))
    with pytest.raises(gs.UnsupportedError, match="reads from outside") as error:
        way(gs.grad(f))(2.0, X)
    assert "return np.sum(g(x) + c)" in str(error.value)


@ways
def test_arguments_without_derivative(way):
    apply = gs.custom_jvp(lambda f, x, n: f(x) * n, nondiff_argnums=(0, 2))
    apply.defjvp(lambda f, n, primals, tangents: (apply(f, *primals, n), 7.0 * n * tangents[0]))
    assert way(gs.grad(lambda x: apply(np.sin, x * x, 3)))(2.0) == 84.0
    power = gs.custom_vjp(lambda n, x: x ** n, nondiff_argnums=0)
    power.defvjp(lambda n, x: (x ** n, x), lambda n, x, ct: (ct * n * 1000.0 * x,))
    assert way(gs.grad(lambda x: power(3, x)))(2.0) == 6000.0


def test_one_rule_per_argument():
    f = gs.custom_jvp(lambda x, y: x * y)
    f.defjvps(lambda dot, out, x, y: 3.0 * dot * y, None)
    assert gs.grad(f, argnums=(0, 1))(2.0, 5.0) == (15.0, 0.0)


def test_what_the_rules_do_wrong_is_said():
    f = gs.custom_vjp(lambda x: x * 2.0)
    with pytest.raises(gs.SpecialisationError, match="without its rules"):
        gs.grad(f)(1.0)
    f.defvjp(lambda x: x, lambda res, ct: (ct,))
    with pytest.raises(gs.SpecialisationError, match="forward rule .* pair"):
        gs.grad(f)(1.0)
    f.defvjp(lambda x: (x * 2.0, None), lambda res, ct: (ct, ct))
    with pytest.raises(gs.SpecialisationError, match="tuple of 1"):
        gs.grad(f)(1.0)
    f.defvjp(lambda x: (x * 2.0, None), lambda res, ct: (ct,))
    with pytest.raises(gs.UnsupportedError, match="forward mode"):
        gs.jvp(f, (1.0,), (1.0,))
    g = gs.custom_jvp(lambda x: x * 2.0)
    g.defjvp(lambda primals, tangents: tangents[0])
    with pytest.raises(gs.SpecialisationError, match="Return a pair|returns"):
        gs.grad(g)(1.0)


def test_a_rule_that_is_set_again_counts():
    f = gs.custom_jvp(lambda x: x * x)
    f.defjvp(lambda p, t: (f(p[0]), 2.0 * p[0] * t[0]))
    slope = gs.grad(lambda x: f(x))
    assert slope(3.0) == 6.0
    f.defjvp(lambda p, t: (f(p[0]), 5.0 * t[0]))
    assert slope(3.0) == 5.0

# ---- rules that call the function, with the same and with other arguments

@gs.custom_jvp
def power(x, n):
    return x ** n


power.defjvp(lambda primals, dots: (power(*primals), primals[1] * power(primals[0], primals[1] - 1) * dots[0]))


@gs.custom_vjp
def wave(x, kind):
    return np.sin(x) if kind == "sin" else np.cos(x)


wave.defvjp(lambda x, kind: (wave(x, kind), (x, kind)),
            lambda res, ct: (ct * (wave(res[0], "cos") if res[1] == "sin" else -wave(res[0], "sin")), None))


@ways
def test_a_rule_calls_its_function_with_another_static_argument(way):
    assert way(gs.grad(lambda x: power(x, 3)))(2.0) == 12.0
    assert way(gs.grad(gs.grad(lambda x: power(x, 3))))(2.0) == 12.0
    assert way(gs.grad(power))(2.0, 3) == 12.0
    third = gs.grad(gs.grad(gs.grad(lambda x: wave(x, "sin"))))
    np.testing.assert_allclose(way(third)(0.3), -np.cos(0.3), rtol=1e-14)
    np.testing.assert_allclose(way(gs.vmap(third))(X), -np.cos(X), rtol=1e-14)


def test_derivatives_of_ever_other_calls_end():
    high = lambda x: power(x, 9)  # noqa: E731
    for k in range(4):
        high = gs.grad(high)
    np.testing.assert_allclose(high(1.5), 9 * 8 * 7 * 6 * 1.5 ** 5, rtol=1e-12)
    for k in range(3):
        high = gs.grad(high)
    with pytest.raises(gs.UnsupportedError, match="derivative of power"):
        high(1.5)


def test_recursion_ends_by_an_argument():
    @gs.custom_jvp
    def product(x, n):
        return x if n == 0 else x * product(x, n - 1)

    product.defjvp(lambda primals, dots: (product(*primals), 5.0 * dots[0]))
    assert gs.grad(product)(2.0, 3) == 5.0
    again = gs.checkpoint(lambda x, n: x if n == 0 else x * again(x, n - 1))
    assert gs.grad(again)(2.0, 3) == 32.0


def test_what_rules_return_has_the_type_of_what_the_function_returns():
    f = gs.custom_vjp(lambda x: np.sum(x))
    backward = lambda _, ct: (ct * np.ones(3),)  # noqa: E731
    for value in (lambda x: 2.0 * x, lambda x: np.sum(x).astype(np.float32), lambda x: (np.sum(x), 1.0)):
        f.defvjp(lambda x: (value(x), None), backward)
        with pytest.raises(gs.SpecialisationError, match="a rule of <lambda> returns .* and the function float64"):
            gs.grad(f)(X)
    f.defvjp(lambda x: (1.0, None), backward)  # a Python float becomes what the function returns
    value, slope = gs.value_and_grad(f)(X)
    assert value == 1.0 and type(value) is np.float64
    np.testing.assert_array_equal(slope, np.ones(3))
    g = gs.custom_vjp(lambda x: x * 2.0)
    g.defvjp(lambda x: (np.concatenate((x, x)), None), lambda _, ct: (ct[:3],))
    with pytest.raises(ValueError, match="another shape than the function"):
        gs.vjp(g, X)
    f.defvjp(lambda x: (np.sum(x), None), lambda _, ct: (ct,))
    with pytest.raises(gs.SpecialisationError, match="cotangent that the backward rule of <lambda> returns is float64"):
        gs.grad(f)(X)


@pytest.mark.parametrize("kind", [gs.checkpoint, gs.custom_jvp, gs.custom_vjp])
def test_stores_into_arguments_are_refused(kind):
    """Not lost: outside of derivatives these are functions like others, which store."""
    def f(x):
        x[0] = 5.0
        return x * 2.0

    made = kind(f)
    if kind is gs.custom_jvp:
        made.defjvp(lambda primals, dots: (made(*primals), dots[0]))
    elif kind is gs.custom_vjp:
        made.defvjp(lambda x: (x * 2.0, None), lambda _, ct: (ct,))
    for call in (gs.jit(lambda x: np.sum(made(x)) + np.sum(x)), gs.grad(lambda x: np.sum(made(x)) + np.sum(x))):
        with pytest.raises(gs.ImpurityError, match="stores into an argument"):
            call(X.copy())


def test_rules_per_argument_are_counted():
    f = gs.custom_jvp(lambda x, y: x * y)
    f.defjvps(None, None)
    assert gs.grad(f)(2.0, 3.0) == 0.0
    f.defjvps(lambda dot, out, x, y: dot * y)
    with pytest.raises(ValueError, match="1 rules for 2 arguments"):
        gs.grad(f)(2.0, 3.0)
    with pytest.raises(ValueError, match="nondiff_argnums"):
        gs.custom_jvp(lambda n, x: x, nondiff_argnums=0).defjvps(None)


def test_keyword_only_arguments_have_their_defaults():
    f = gs.custom_jvp(lambda x, *, k=2.0: x * k)
    f.defjvp(lambda primals, dots: (f(*primals), 7.0 * dots[0]))
    assert gs.value_and_grad(f)(3.0) == (6.0, 7.0)


# ---- checkpoints

def steps(step, x, n):
    for _ in range(n):
        x = step(x)
    return np.sum(x)


def step(x):
    for _ in range(20):
        x = np.sin(x) * x + 0.1
    return x


@pytest.mark.heavy(one_in=6)
@ways
def test_a_checkpoint_changes_no_result(way):
    saved = gs.checkpoint(step)
    for take in (gs.grad, gs.jacrev, gs.jacfwd):
        np.testing.assert_allclose(way(take(lambda x: steps(saved, x, 5)))(X),
                                   way(take(lambda x: steps(step, x, 5)))(X), rtol=1e-12)
    hess = way(gs.hessian(lambda x: steps(saved, x, 3)))(X / 4)
    np.testing.assert_allclose(hess, gs.hessian(lambda x: steps(step, x, 3))(X / 4), rtol=1e-10, atol=1e-14)
    batch = np.stack([X, X / 2])
    np.testing.assert_allclose(way(gs.vmap(gs.grad(lambda x: steps(saved, x, 5))))(batch),
                               np.stack([gs.grad(lambda x: steps(step, x, 5))(x) for x in batch]), rtol=1e-12)


@ways
def test_checkpoints_of_numbers(way):
    """Python numbers, NumPy scalars, arrays of shape () and numbers from outside, also beside an array."""
    class Wave:
        def __init__(self, k):
            self.k = k

        @gs.checkpoint
        def at(self, x):
            return np.sin(self.k * x)

    wave = Wave(2.0)
    for x in (0.3, np.float64(0.3), np.array(0.3)):
        np.testing.assert_allclose(way(gs.grad(lambda x: wave.at(x)))(x), 2.0 * np.cos(0.6), rtol=1e-14)
    scaled_sum = gs.checkpoint(lambda a, x: np.sum(np.sin(a * x)))
    a_bar, x_bar = way(gs.grad(scaled_sum, argnums=(0, 1)))(2.0, X)
    np.testing.assert_allclose(a_bar, np.sum(X * np.cos(2.0 * X)), rtol=1e-13)
    np.testing.assert_allclose(x_bar, 2.0 * np.cos(2.0 * X), rtol=1e-13)


@pytest.mark.heavy(one_in=6)
def test_a_checkpoint_saves_memory():
    """Of 50 x 20 values in the loops, one of 20 is saved: measured."""
    saved, x = gs.checkpoint(step), np.linspace(0.1, 0.5, 20_000)

    def peak(f):
        g = gs.grad(lambda x: steps(f, x, 50))
        g(x)
        tracemalloc.start()
        g(x)
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found

    assert peak(saved) < 0.15 * peak(step)


def grown(x):
    for _ in range(2):
        x = np.concatenate([x, x * 0.5])
    return x


def reduced(x):
    while len(x) > 2:
        x = x[:-1] * x[1:]
    return x


@pytest.mark.heavy(one_in=8)
@ways
@pytest.mark.parametrize("f", [grown, reduced])
def test_a_batch_of_checkpoints_that_compute_the_lengths_of_their_results(f, way):
    saved, batch = gs.checkpoint(f), np.stack([X, X / 2])
    np.testing.assert_allclose(way(gs.vmap(lambda x: saved(x) * 2.0))(batch), np.stack([2.0 * f(x) for x in batch]),
                               rtol=1e-14)
    for made in (gs.jacrev, gs.jacfwd):
        np.testing.assert_allclose(way(gs.vmap(made(saved)))(batch), np.stack([made(f)(x) for x in batch]), rtol=1e-12)
