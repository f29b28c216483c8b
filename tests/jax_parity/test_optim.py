"""gs.optim: optimisers against their formulas, inside compiled steps over trees; schedules;
SciPy's minimisers over trees."""
import math

import numpy as np
import pytest

import gradscribe as gs
from gradscribe import optim

GRADIENTS = [0.5, -1.0, 2.0, 0.1, -0.3, 0.7]


def by_hand(rule):
    """The parameter after each gradient, by the formula for one number."""
    p, memory, out = 1.5, [0.0, 0.0], []
    for k, g in enumerate(GRADIENTS):
        p = rule(p, g, memory, k)
        out.append(p)
    return out


def sgd(p, g, m, k):
    return p - 0.1 * g


def momentum(p, g, m, k):
    m[0] = 0.9 * m[0] + g
    return p - 0.1 * m[0]


def nesterov(p, g, m, k):
    m[0] = 0.9 * m[0] + g
    return p - 0.1 * (g + 0.9 * m[0])


def adamw(p, g, m, k, decay=0.01):
    m[0], m[1] = 0.9 * m[0] + 0.1 * g, 0.99 * m[1] + 0.01 * g * g
    mean, square = m[0] / (1 - 0.9 ** (k + 1)), m[1] / (1 - 0.99 ** (k + 1))
    return p - 0.1 * mean / (math.sqrt(square) + 1e-8) - 0.1 * decay * p


def adam(p, g, m, k):
    return adamw(p, g, m, k, decay=0.0)


def rmsprop(p, g, m, k):
    m[0] = 0.8 * m[0] + 0.2 * g * g
    return p - 0.1 * g / (math.sqrt(m[0]) + 1e-8)


def adagrad(p, g, m, k):
    m[0] += g * g
    return p - 0.1 * g / (math.sqrt(0.1 + m[0]) + 1e-7)


def scheduled(p, g, m, k):
    return p - 0.1 * 0.5 ** (k / 2) * g


CASES = [(optim.sgd(0.1), sgd), (optim.sgd(0.1, 0.9), momentum), (optim.sgd(0.1, 0.9, nesterov=True), nesterov),
         (optim.adam(0.1, b2=0.99), adam), (optim.adamw(0.1, b2=0.99, weight_decay=0.01), adamw),
         (optim.rmsprop(0.1, 0.8), rmsprop), (optim.adagrad(0.1), adagrad),
         (optim.sgd(optim.exponential(0.1, 2, 0.5)), scheduled)]


@pytest.mark.heavy(one_in=7)
@pytest.mark.parametrize("way", [lambda f: f, gs.jit], ids=["plain", "compiled"])
@pytest.mark.parametrize("optimizer, rule", CASES, ids=[rule.__name__ for _, rule in CASES])
def test_the_formula(optimizer, rule, way):
    expected = by_hand(rule)
    params = {"w": np.full((2, 2), 1.5), "b": (1.5, None, np.full(3, 1.5, np.float32))}
    state, update = optimizer.init(params), way(lambda g, s, p: optimizer.update(g, s, p))
    for k, g in enumerate(GRADIENTS):
        gradients = {"w": np.full((2, 2), g), "b": (g, None, np.full(3, g, np.float32))}
        params, state = update(gradients, state, params)
        np.testing.assert_allclose(params["w"], expected[k], rtol=1e-12)
        assert params["b"][0] == pytest.approx(expected[k], rel=1e-12) and type(params["b"][0]) is float
        assert params["b"][2].dtype == np.float32
        np.testing.assert_allclose(params["b"][2], expected[k], rtol=1e-5)
    assert state.step == len(GRADIENTS)


@pytest.mark.parametrize("optimizer, rule", CASES[:2] + CASES[3:4], ids=["sgd", "momentum", "adam"])
def test_a_loop_of_steps_in_one_function(optimizer, rule):
    """The state goes around the loop, None in it where the optimiser has no use for a part."""
    def train(p, gradients):
        state = optimizer.init(p)
        for k in range(len(gradients)):
            p, state = optimizer.update(gradients[k], state, p)
        return p, state.step

    for way in (lambda f: f, gs.jit):
        p, step = way(train)(1.5, np.array(GRADIENTS))
        assert p == pytest.approx(by_hand(rule)[-1], rel=1e-12) and step == len(GRADIENTS)


def loss(params, x, y):
    hidden = np.tanh(x @ params["w"] + params["b"])
    return np.mean((hidden @ params["v"] - y) ** 2)


@pytest.mark.heavy(one_in=5)
@pytest.mark.parametrize("optimizer", [optim.sgd(0.1, 0.9), optim.adam(optim.warmup(10, optim.cosine(0.03, 300)))],
                         ids=["momentum", "adam"])
def test_training_in_one_compiled_step(optimizer):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(64, 3))
    y = np.sin(x[:, 0]) * x[:, 1]
    params = {"w": rng.normal(size=(3, 16)) * 0.5, "b": np.zeros(16), "v": rng.normal(size=16) * 0.3}
    before = loss(params, x, y)

    @gs.jit
    def step(params, state):
        gradients = optim.clip_by_global_norm(gs.grad(loss)(params, x, y), 5.0)
        return optimizer.update(gradients, state, params)

    state = optimizer.init(params)
    for _ in range(300):
        params, state = step(params, state)
    assert loss(params, x, y) < 0.15 * before
    assert sum(len(p) for p in step._cache.programs.values()) == 1  # the number of the step is an argument


@pytest.mark.heavy(one_in=2)
def test_a_step_has_a_derivative():
    """Of the parameters after three steps with respect to the learning rate."""
    def after(rate):
        optimizer = optim.adam(rate)
        p = 2.0
        state = optimizer.init(p)
        for _ in range(3):
            p, state = optimizer.update(gs.grad(lambda p: p**4)(p), state, p)
        return p

    gs.test_util.check_grads(after, (0.1,), order=1)
    gs.test_util.check_grads(gs.jit(after), (0.1,), order=1)


# clipping and schedules -----------------------------------------------------------------------------------------------
@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("way", [lambda f: f, gs.jit], ids=["plain", "compiled"])
def test_clipping(way):
    gradients = {"w": np.array([3.0, -0.2], np.float32), "b": -4.0}
    clipped = way(lambda g: optim.clip_by_value(g, 1.0))(gradients)
    assert (clipped["w"].tolist() == [1.0, np.float32(-0.2)] and clipped["w"].dtype == np.float32
            and clipped["b"] == -1.0)
    norm = np.sqrt(9.04 + 16.0)
    assert way(lambda g: optim.global_norm(g))(gradients) == pytest.approx(norm, rel=1e-6)
    scaled = way(lambda g: optim.clip_by_global_norm(g, 1.0))(gradients)
    np.testing.assert_allclose(scaled["w"], gradients["w"] / norm, rtol=1e-6)
    assert scaled["w"].dtype == np.float32 and scaled["b"] == pytest.approx(-4.0 / norm, rel=1e-6)
    same = way(lambda g: optim.clip_by_global_norm(g, 100.0))(gradients)
    assert same["b"] == -4.0 and same["w"].tolist() == gradients["w"].tolist()
    assert optim.clip_by_global_norm({"w": np.zeros(2)}, 1.0)["w"].tolist() == [0.0, 0.0]


@pytest.mark.parametrize("way", [lambda f: f, gs.jit], ids=["plain", "compiled"])
def test_schedules(way):
    cosine = way(optim.cosine(0.2, 10, end=0.1))
    assert [cosine(k) for k in (0, 5, 10, 99)] == pytest.approx([0.2, 0.15, 0.1, 0.1])
    rate = way(optim.warmup(4, optim.exponential(0.8, 10, 0.5)))
    assert [rate(k) for k in (0, 1, 4, 14)] == pytest.approx([0.0, 0.2, 0.8, 0.4])
    assert [way(optim.warmup(2, 0.5))(k) for k in (0, 1, 2, 3)] == [0.0, 0.25, 0.5, 0.5]
    assert way(optim.constant(0.3))(7) == 0.3


def test_momentum_is_needed():
    with pytest.raises(ValueError, match="momentum"):
        optim.sgd(0.1, nesterov=True)


# minimize -------------------------------------------------------------------------------------------------------------
def rosenbrock(p, a=1.0):
    x, rest = p["x"], p["rest"]
    y, z = rest
    return (a - x) ** 2 + 100.0 * np.sum((y - x**2) ** 2) + np.sum((z - 2.0) ** 2)


START = {"x": -1.0, "rest": (np.array([0.5, 2.0]), np.zeros((2, 2), np.float32))}
METHODS = ["BFGS", "CG", "L-BFGS-B", "Newton-CG", "TNC", "SLSQP", "trust-ncg", "trust-krylov", "trust-exact", "dogleg",
           "trust-constr", "Powell"]


@pytest.mark.heavy(one_in=3)
@pytest.mark.parametrize("method", METHODS)
def test_minimize(method):
    # where it is convex
    start = (START if method != "dogleg"
             else {"x": 0.9, "rest": (np.array([0.8, 0.8]), np.full((2, 2), 1.9, np.float32))})
    calls = []
    result = optim.minimize(rosenbrock, start, method=method, tol=1e-9 if method != "Powell" else 1e-12,
                            callback=lambda x: calls.append(x["x"]),
                            options={"maxfun" if method == "TNC" else "maxiter": 3000})
    assert result.x["x"] == pytest.approx(1.0, abs=1e-3) and type(result.x["x"]) is float
    y, z = result.x["rest"]
    np.testing.assert_allclose(y, [1.0, 1.0], atol=2e-3)
    np.testing.assert_allclose(z, 2.0, atol=2e-3)
    assert z.dtype == np.float32 and z.shape == (2, 2) and calls and isinstance(calls[0], float)


@pytest.mark.heavy(one_in=2)
def test_minimize_with_compiled_derivatives_and_arguments():
    f = gs.jit(rosenbrock)
    for method in ("BFGS", "Newton-CG"):
        result = optim.minimize(f, START, (2.0,), method, tol=1e-9)
        assert (result.x["x"] == pytest.approx(2.0, abs=1e-4)
                and gs.tree.structure(result.jac) == gs.tree.structure(START))


def test_products_need_few_calls():
    """The Hessian is used: a quadratic takes a step or two."""
    a = np.diag(np.arange(1.0, 41.0))
    result = optim.minimize(lambda x: 0.5 * x @ a @ x - np.sum(x), np.zeros(40), method="trust-ncg")
    assert result.nit <= 8
    np.testing.assert_allclose(result.x, 1.0 / np.arange(1.0, 41.0), atol=1e-4)


def test_bounds():
    result = optim.minimize(lambda p: (p["a"] - 3.0) ** 2 + (p["b"] + 3.0) ** 2, {"a": 0.5, "b": 0.5},
                            method="L-BFGS-B", bounds=(0.0, 1.0))
    assert result.x == {"a": 1.0, "b": 0.0}
    result = optim.minimize(lambda p: np.sum((p - 3.0) ** 2), np.zeros(2), method="L-BFGS-B",
                            bounds=(np.zeros(2), np.array([1.0, 9.0])))
    np.testing.assert_allclose(result.x, [1.0, 3.0])


def test_only_floats_vary():
    with pytest.raises(TypeError, match="floats"):
        optim.minimize(lambda x: x**2, 1)


def test_a_step_is_transformed_once(monkeypatch):
    """The number of the step, the key and the size of the batch are of the run time:
    a training loop has one program."""
    from gradscribe.test_util import primal
    from gradscribe.transformer.programs import cache
    made, specialise = [], cache.specialise
    monkeypatch.setattr(cache, "specialise", lambda *args: made.append(specialise(*args)) or made[-1])
    rule = gs.optim.adam(0.1)

    def loss(p, key, x):
        noise = (gs.random.normal(key, x.shape)
                 + gs.random.uniform(key, (len(x), 1)) * gs.random.bernoulli(key, 0.5, x.shape))
        return np.mean((x @ p["w"] - 1.0) ** 2) + np.mean(noise * x)

    @primal
    def step(p, state, key, x):
        return rule.update(gs.grad(loss)(p, key, x), state, p)

    p = {"w": np.ones(3)}
    state, key = rule.init(p), gs.random.key(0)
    for t, n in enumerate((4, 5, 5, 7)):
        p, state = step(p, state, gs.random.fold_in(key, t), np.ones((n, 3)))
        assert len([m for m in made if m.fun.name == "step"]) == 1 and not made[-1].constants
    assert state.step == 4
