"""gs.random: the numbers of jax.random, as tests/data/record_random.py recorded them; distributions;
derivatives; vmap."""
import json
from pathlib import Path

import numpy as np
import pytest
from scipy import special, stats

import gradscribe as gs
from gradscribe.test_util import check_grads
from tests.support.cases import rotating

RECORDS = json.loads((Path(__file__).parents[1] / "data" / "random.json").read_text(encoding="utf-8"))
SHAPE_AT = {"bits": 0, "split": 0, "uniform": 0, "normal": 0, "randint": 0, "bernoulli": 1, "exponential": 0,
            "laplace": 0, "gumbel": 0, "truncated_normal": 2, "choice": 1, "poisson": 1, "multivariate_normal": 2}
WAYS = pytest.mark.parametrize("way", [lambda f: f, gs.test_util.primal, gs.jit], ids=["eager", "readable", "compiled"])
KEY = gs.random.key(42)


def label(record):
    return f"{record['scheme'][0]}-{record['name']}-{record['args']}-{record['options']}".replace(" ", "")


def single(x):
    """A list as the array that JAX makes of it."""
    x = np.array(x)
    return x.astype(np.float32) if x.dtype == float else x


def draw(record, way=lambda f: f):
    """What gs.random gives for the arguments of a record."""
    name = record["name"]
    args = [tuple(a) if isinstance(a, list) and SHAPE_AT.get(name) == k else single(a) if isinstance(a, list) else a
            for k, a in enumerate(record["args"])]
    options = {k: tuple(x) if k == "shape" else single(x) if isinstance(x, list) else x
               for k, x in record["options"].items()}
    function = getattr(gs.random, name)
    with gs.random.partitionable(record["scheme"] == "partitionable"):
        return way(lambda key: function(key, *args, **options))(gs.random.key(record["seed"]))


def compare(record, got):
    want = np.array(record["value"], record["dtype"])
    assert np.shape(got) == want.shape
    if want.dtype.kind in "iub":
        np.testing.assert_array_equal(got, want)
    else:
        np.testing.assert_allclose(got, want, rtol=2e-6 if want.dtype == np.float32 else 1e-12,
                                   atol=1e-7 * (want.dtype == np.float32))
    if record["name"] not in ("permutation", "choice", "categorical"):  # places in an array are int64 with NumPy
        assert got.dtype == want.dtype


@pytest.mark.parametrize("record", RECORDS, ids=label)
def test_the_numbers_of_jax(record):
    compare(record, draw(record))


def one_of_each():
    """The first record of each function with these options and this number of axes, in both schemes."""
    found = {}
    for r in RECORDS:
        found.setdefault((r["scheme"], r["name"], *r["options"], r["options"].get("dtype"), np.ndim(r["value"])), r)
    return list(found.values())


@pytest.mark.heavy(one_in=8)
@pytest.mark.parametrize("record", rotating(one_of_each(), 9), ids=label)
def test_the_numbers_of_jax_compiled(record):
    compare(record, draw(record, gs.jit))


@pytest.mark.heavy(one_in=2)
@WAYS
def test_numbers_that_are_known(way):
    """Of the documentation, in both schemes; what was compiled for one scheme does not serve the other."""
    normal, folded, bits = way(gs.random.normal), way(gs.random.fold_in), way(lambda key: gs.random.bits(key, (4,)))
    for _ in range(2):
        assert (normal(KEY) == np.float32(-0.028304616)
                and bits(KEY).tolist() == [2098992034, 2919706841, 2646866425, 2409546199])
        assert (folded(KEY, 43).tolist() == [710795722, 2748409863]
                and abs(normal(folded(KEY, 43)) - np.float32(0.1031463)) < 1e-7)
        with gs.random.partitionable(False):
            assert (abs(normal(KEY) - np.float32(-0.18471177)) < 1e-7
                    and bits(KEY).tolist() == [2465931498, 3679230171, 255383827, 267815257])
            assert (folded(KEY, 43).tolist() == [710795722, 2748409863]
                    and abs(normal(folded(KEY, 43)) - np.float32(0.11627013)) < 1e-7)


def test_keys():
    assert (gs.random.key(-1).tolist() == [0, 2**32 - 1]
            and gs.random.key(2**40 + 5).tolist() == [0, 5] == gs.random.PRNGKey(np.int64(5)).tolist())
    a, b = gs.random.split(KEY)
    assert a.dtype == np.uint32 and a.shape == (2,) and not np.array_equal(a, b)
    assert gs.random.split(KEY, 0).shape == (0, 2)
    data = gs.random.key_data(KEY)
    assert data is not KEY and data.tolist() == [0, 42]


@pytest.mark.heavy(one_in=2)
@WAYS
@pytest.mark.parametrize("wrong", [np.array([1, 2]), np.zeros((2, 2), np.uint32), np.zeros(3, np.uint32),
                                   np.zeros(1, np.uint32)], ids=str)
def test_what_is_no_key(wrong, way):
    for f in (gs.random.normal, gs.random.split, lambda key: gs.random.fold_in(key, 1)):
        with pytest.raises((TypeError, ValueError), match="key"):
            way(f)(wrong)


def test_wrong_arguments():
    for call in (lambda: gs.random.key(np.array([1, 2])), lambda: gs.random.key(1.5),
                 lambda: gs.random.normal(KEY, (), np.int32), lambda: gs.random.uniform(KEY, (), np.float16),
                 lambda: gs.random.bits(KEY, (), np.int32), lambda: gs.random.randint(KEY, (), 0, 1, np.uint64)):
        with pytest.raises(TypeError):
            call()
    for call in (lambda: gs.random.choice(KEY, 3, (4,), replace=False), lambda: gs.random.choice(KEY, 0, (1,)),
                 lambda: gs.random.multivariate_normal(KEY, 0.0, np.eye(2)),
                 lambda: gs.random.gamma(KEY, np.ones(3), (2,))):
        with pytest.raises(ValueError):
            call()


# inside compiled code -------------------------------------------------------------------------------------------------
def test_a_new_size_is_served_by_the_same_program():
    made = gs.jit(lambda key, x: x + gs.random.normal(key, x.shape, np.float64))
    for n in (3, 5, 8):
        np.testing.assert_allclose(made(KEY, np.zeros(n)), gs.random.normal(KEY, (n,), np.float64), rtol=1e-13)
    assert sum(len(p) for p in made._cache.programs.values()) == 1


def walk(key, x, steps):
    for k in range(steps):
        key, subkey = gs.random.split(key)
        if gs.random.bernoulli(subkey):
            x = x + 0.1 * gs.random.normal(gs.random.fold_in(subkey, k), (), np.float64) * x
    return x


@pytest.mark.heavy(one_in=11)
def test_keys_in_a_loop():
    expected = walk(KEY, 1.5, 30)
    for way in (gs.test_util.primal, gs.jit):
        assert way(walk)(KEY, 1.5, 30) == pytest.approx(expected, rel=1e-13)
    assert gs.jit(gs.grad(walk, argnums=1))(KEY, 1.5, 30) == pytest.approx(expected / 1.5, rel=1e-12)


@pytest.mark.heavy(one_in=46)
def test_vmap_over_keys():
    keys = gs.random.split(KEY, 7)
    for f in (lambda key: gs.random.normal(key, (3,)), lambda key: gs.random.uniform(key),
              lambda key: gs.random.fold_in(key, 3), gs.random.split, lambda key: gs.random.randint(key, (2,), 0, 100),
              lambda key: gs.random.permutation(key, 6), lambda key: gs.random.gamma(key, 2.5)):
        expected = np.stack([f(key) for key in keys])
        np.testing.assert_allclose(gs.vmap(f)(keys), expected, rtol=1e-6)
        np.testing.assert_allclose(gs.jit(gs.vmap(f))(keys), expected, rtol=1e-6)


# distributions --------------------------------------------------------------------------------------------------------
CONTINUOUS = [("uniform", (), stats.uniform()), ("normal", (), stats.norm()),
              ("exponential", (), stats.expon()), ("laplace", (), stats.laplace()), ("gumbel", (), stats.gumbel_r()),
              ("truncated_normal", (-0.5, 2.0), stats.truncnorm(-0.5, 2.0)), ("gamma", (0.3,), stats.gamma(0.3)),
              ("gamma", (1.0,), stats.gamma(1.0)), ("gamma", (4.5,), stats.gamma(4.5)),
              ("gamma", (200.0,), stats.gamma(200.0)), ("beta", (0.4, 0.7), stats.beta(0.4, 0.7)),
              ("beta", (5.0, 2.0), stats.beta(5.0, 2.0))]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name, parameters, distribution", CONTINUOUS, ids=lambda x: str(x)[:20])
def test_continuous(name, parameters, distribution, dtype):
    """A Kolmogorov-Smirnov test: a wrong scale or shape by a few percent would give p < 1e-6."""
    x = getattr(gs.random, name)(KEY, *parameters, shape=(20000,), dtype=dtype)
    assert x.dtype == dtype and stats.kstest(x.astype(float), distribution.cdf).pvalue > 1e-3


@pytest.mark.parametrize("rate", [0.0, 0.1, 3.0, 9.9, 10.0, 50.0, 1e4])
def test_poisson(rate):
    k = gs.random.poisson(KEY, rate, (20000,))
    assert abs(k.mean() - rate) <= 5 * np.sqrt(rate / 20000) and (rate == 0.0 or abs(k.var() / rate - 1) < 0.06)
    assert k.min() >= 0


def test_discrete():
    p = np.array([0.1, 0.2, 0.0, 0.7])
    for k in (gs.random.choice(KEY, 4, (20000,), p=p),
              gs.random.categorical(KEY, np.log(np.maximum(p, 1e-30)), shape=(20000,))):
        np.testing.assert_allclose(np.bincount(k, minlength=4) / 20000, p, atol=0.012)
        assert k.dtype == np.int64 or k.dtype == np.int32
    assert abs(gs.random.bernoulli(KEY, 0.3, (20000,)).mean() - 0.3) < 0.012
    assert np.ptp(np.bincount(gs.random.randint(KEY, (70000,), 0, 7))) < 1000
    firsts = [gs.random.permutation(k, 5).tolist() for k in gs.random.split(KEY, 2000)]
    assert all(sorted(p) == [0, 1, 2, 3, 4] for p in firsts) and np.ptp(np.bincount([p[0] for p in firsts])) < 110


def test_without_replacement():
    x = gs.random.choice(KEY, np.arange(20.0), (4, 5), replace=False)
    assert sorted(x.ravel()) == list(range(20))
    rows = np.arange(12).reshape(3, 4)
    assert gs.random.choice(KEY, rows, (5,), axis=1).shape == (3, 5)
    assert gs.random.permutation(KEY, rows).sum(0).tolist() == rows.sum(0).tolist()


def test_multivariate_normal():
    mean, cov = np.array([1.0, -2.0, 0.5]), np.array([[4.0, 1.0, 0.0], [1.0, 2.0, -0.5], [0.0, -0.5, 1.0]])
    x = gs.random.multivariate_normal(KEY, mean, cov, (20000,), np.float64)
    np.testing.assert_allclose(x.mean(0), mean, atol=0.06)
    np.testing.assert_allclose(np.cov(x.T), cov, atol=0.12)


def test_the_ends_of_the_parameters():
    assert np.isnan(gs.random.gamma(KEY, np.array([-1.0, np.nan]))).all() and gs.random.gamma(KEY, 0.0) == 0.0
    assert gs.random.poisson(KEY, np.array([0.0, -1.0, np.nan])).tolist() == [0, -1, -1]
    tiny = gs.random.beta(KEY, np.full(100, 1e-4), 1e-4)  # the gamma numbers themselves are 0
    assert np.isfinite(tiny).all() and 0.2 < tiny.mean() < 0.8
    x = gs.random.truncated_normal(KEY, 3.0, 3.001, (100,))
    assert np.all((x > 3.0) & (x < 3.001))


# derivatives ----------------------------------------------------------------------------------------------------------
DIFFERENTIABLE = {
    "uniform": (lambda low, high: gs.random.uniform(KEY, (3,), np.float64, low, high),
                (np.array([0.5, -1.0, 0.0]), 3.0)),
    "truncated_normal": (lambda low, high: gs.random.truncated_normal(KEY, low, high, (3,), np.float64),
                         (np.array([-0.5, -1.0, 0.0]), 2.0)),
    "normal": (lambda mean, scale: mean + scale * gs.random.normal(KEY, (2, 2), np.float64),
               (0.3, np.array([1.0, 2.0]))),
    "exponential": (lambda rate: gs.random.exponential(KEY, rate.shape, np.float64) / rate, (np.array([1.0, 2.0]),)),
    "laplace": (lambda scale: scale * gs.random.laplace(KEY, (), np.float64), (1.5,)),
    "gumbel": (lambda logits: gs.nn.softmax(logits + gs.random.gumbel(KEY, logits.shape, np.float64)),
               (np.array([0.1, 0.2, 0.3]),)),
    "multivariate_normal": (lambda mean, cov: gs.random.multivariate_normal(KEY, mean, cov, (4,), np.float64),
                            (np.array([1.0, 2.0]), np.array([[4.0, 1.0], [1.0, 2.0]]))),
    "permutation": (lambda x: gs.random.permutation(KEY, x) ** 2, (np.array([1.0, 2.0, 3.0]),)),
    "choice": (lambda x: gs.random.choice(KEY, x, (5,)) ** 2, (np.array([1.0, 2.0, 3.0]),))}


@pytest.mark.heavy(one_in=24)
@pytest.mark.parametrize("name", DIFFERENTIABLE)
def test_derivatives(name):
    f, args = DIFFERENTIABLE[name]
    check_grads(f, args, order=2)
    check_grads(gs.jit(f), args, order=1)


@pytest.mark.heavy(one_in=8)
@pytest.mark.parametrize("a", [0.05, 0.7, 1.0, 3.0, 80.0])
def test_the_derivative_of_gamma_keeps_quantiles(a):
    def total(a):
        return np.sum(gs.random.gamma(KEY, a, (50,), np.float64))

    z = gs.random.gamma(KEY, a, (50,), np.float64)
    quantiles, h = special.gammainc(a, z), 1e-4 * a
    use = (quantiles > 1e-8) & (quantiles < 1 - 1e-8)
    slopes = (special.gammaincinv(a + h, quantiles) - special.gammaincinv(a - h, quantiles)) / (2 * h)
    for way in (lambda f: f, gs.jit):
        assert way(gs.grad(total))(a) == pytest.approx(np.sum(slopes[use]), rel=2e-4, abs=1e-3)
        dot = way(lambda a: gs.jvp(lambda a: gs.random.gamma(KEY, a, (50,), np.float64), (a,), (1.0,))[1])(a)
        np.testing.assert_allclose(dot[use], slopes[use], rtol=1e-4)


def test_the_derivative_of_beta():
    """The mean is a / (a + b)."""
    slope = gs.grad(lambda a: np.mean(gs.random.beta(KEY, a, 3.0, (20000,), np.float64)))(2.0)
    assert slope == pytest.approx(3.0 / 25.0, rel=0.03)


def test_second_derivatives_of_gamma_are_refused():
    with pytest.raises(gs.UnsupportedError, match="gamma sample"):
        gs.grad(gs.grad(lambda a: gs.random.gamma(KEY, a, dtype=np.float64)))(2.0)


def test_counts_have_no_derivative():
    assert (gs.grad(lambda rate: rate * np.sum(gs.random.poisson(KEY, rate, (3,))))(2.0)
            == np.sum(gs.random.poisson(KEY, 2.0, (3,))))


@pytest.mark.heavy(one_in=2)
def test_programs_follow_the_width_that_is_set():
    def draws(k):
        return gs.random.uniform(k, (3,)) * 2.0, gs.random.randint(k, (2,), 0, 9)

    for made in (gs.test_util.primal(draws), gs.jit(draws), gs.vmap(draws)):
        try:
            for on, kinds in ((False, ["float32", "int32"]), (True, ["float64", "int64"]),
                              (False, ["float32", "int32"])):
                gs.config.update("jax_enable_x64", on)
                key = gs.random.key(1)
                assert [x.dtype.name for x in made(key if type(made).__name__ != "Vmap" else key[None])] == kinds
        finally:
            gs.config.update("jax_enable_x64", False)
