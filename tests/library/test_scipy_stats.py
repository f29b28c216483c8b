"""scipy.stats: densities and distribution functions against SciPy and differences, compiled,
for wrong parameters and beside the support."""
import numpy as np
import pytest
from scipy import stats

import gradscribe as gs
from gradscribe import GradscribeError
from gradscribe.test_util import check_grads
from gradscribe.transformer.library.registry import everything

everything()
from gradscribe.transformer.library.laws import LAWS  # noqa: E402  which imports scipy.special

SHAPES = {"gamma": (2.5,), "chi2": (3.5,), "beta": (1.7, 2.6), "t": (4.5,), "lognorm": (0.8,), "pareto": (2.2,),
          "poisson": (3.3,), "binom": (5.0, 0.3), "bernoulli": (0.4,)}
SHAPE_IS_KNOWN = ("logpdf", "pdf", "logpmf", "pmf")  # of others the derivative in a shape may be refused
CASES = [(name, method) for name, law in LAWS.items() for method in law.methods]


def call(name, method):
    """A function of x, the parameters of the shape, and loc and scale."""
    f, count = getattr(getattr(stats, name), method), len(LAWS[name].shapes)
    if method.endswith("pmf"):
        return [lambda x, loc: f(x, loc=loc), lambda x, a, loc: f(x, a, loc=loc),
                lambda x, a, b, loc: f(x, a, b, loc=loc)][count]
    return [lambda x, loc, scale: f(x, loc=loc, scale=scale), lambda x, a, loc, scale: f(x, a, loc=loc, scale=scale),
            lambda x, a, b, loc, scale: f(x, a, b, loc=loc, scale=scale)][count]


def arguments(name, method):
    x = np.array([0.12, 0.35, 0.77, 0.95])
    if method in ("ppf", "isf"):
        return (x, *SHAPES.get(name, ()), 0.2, 1.7)
    if method.endswith("pmf"):
        return (np.array([0.0, 1.0, 3.0, 1.0])[:4 if name != "bernoulli" else 2] + 1.0, *SHAPES.get(name, ()), 1.0)
    return (x * 1.6 + 0.2 + 1.7 * (name == "pareto"), *SHAPES.get(name, ()), 0.2, 1.7)


@pytest.mark.heavy(one_in=46)
@pytest.mark.parametrize("name, method", CASES)
def test_values_and_derivatives(name, method):
    f, args = call(name, method), arguments(name, method)
    got, want = gs.test_util.primal(f)(*args), f(*args)
    assert got.dtype == want.dtype and got.shape == want.shape
    np.testing.assert_allclose(got, want, rtol=1e-12)
    count = len(LAWS[name].shapes)
    chosen = [k for k in range(len(args))
              if not (method.endswith("pmf") and (k == 0 or k == len(args) - 1 or name == "binom" and k == 1))
              and (method in SHAPE_IS_KNOWN or not 1 <= k <= count)]
    check_grads(lambda *free: f(*[free[chosen.index(k)] if k in chosen else a for k, a in enumerate(args)]),
                [args[k] for k in chosen],
                order=1 if method in ("cdf", "sf", "logcdf", "logsf") and name in ("gamma", "chi2") else 2)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.heavy(one_in=14)
@pytest.mark.parametrize("name, method", CASES)
def test_beside_the_support_and_wrong_parameters(name, method):
    f = call(name, method)
    x = np.array([-np.inf, -3.0, -0.0, 0.0, 0.25, 1.0, 2.0, 1e3, np.inf, np.nan])
    shapes = SHAPES.get(name, ())
    rest = () if method.endswith("pmf") else (2.0,)
    for args in ((x, *shapes, 0.0, *rest), (x, *shapes, 1.0, *rest),
                 (x, *[-s for s in shapes], 0.0, *rest), (0.25, *shapes, 0.0, *rest), (1, *shapes, 0, *rest),
                 (x, *shapes, np.nan, *rest), (x, *shapes, np.inf, *rest),
                 *([(x, *shapes, 0.0, r) for r in (0.0, -1.0, np.inf, np.nan)] if rest else ())):
        want, got = f(*args), gs.test_util.primal(f)(*args)
        assert np.asarray(got).dtype == np.asarray(want).dtype and type(got) is type(want), (args, got, want)
        np.testing.assert_allclose(got, want, rtol=1e-11, atol=1e-300, err_msg=str(args))
    if rest:
        slopes = gs.grad(lambda x: np.sum(f(x, *shapes, 0.0, *rest)[np.array([1, 7])]))(np.clip(x, -3.0, 1e3))
        assert method in ("ppf", "isf") or np.isfinite(slopes[[1, 7]]).all(), slopes


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("method", ["cdf", "sf", "logcdf", "logsf"])
def test_at_infinity_nothing_depends_on_the_scale(method):
    """Of a normal distribution with one side cut off only the other side counts."""
    for far in (np.inf, -np.inf):
        f = lambda loc, scale: getattr(stats.norm, method)(far, loc, scale)  # noqa: B023, E731
        got = gs.jvp(f, (1.0, 2.0), (1.0, 1.0))
        if np.isfinite(f(1.0, 2.0)):
            assert gs.grad(f, argnums=(0, 1))(1.0, 2.0) == (0.0, 0.0) and got == (f(1.0, 2.0), 0.0)
    inside = lambda a, b, loc, scale: stats.norm.cdf(b, loc, scale) - stats.norm.cdf(a, loc, scale)  # noqa: E731
    np.testing.assert_allclose(gs.grad(inside, argnums=(2, 3))(-0.5, np.inf, 1.0, 2.0),
                               gs.grad(inside, argnums=(2, 3))(-0.5, 1e3, 1.0, 2.0))


@pytest.mark.heavy(one_in=13)
@pytest.mark.parametrize("part", range(6))
def test_compiled(part):
    chosen = CASES[part::6]
    functions, every = [call(*c) for c in chosen], [arguments(*c) for c in chosen]

    def all_of_them(every):
        return [f(*args) for f, args in zip(functions, every)]

    for case, f, args, got in zip(chosen, functions, every, gs.jit(all_of_them)(every)):
        np.testing.assert_allclose(got, f(*args), rtol=1e-11, err_msg=str(case))


def of_vectors(x, mean, root, alpha):
    cov = root @ root.T + np.eye(3)
    shares = np.exp(x) / np.sum(np.exp(x))
    return (stats.multivariate_normal.logpdf(x, mean, cov) + stats.dirichlet.logpdf(shares, alpha)
            + stats.multivariate_normal.pdf(x, cov=cov) + stats.dirichlet.pdf(shares, alpha))


@pytest.mark.heavy(one_in=11)
def test_densities_of_vectors():
    rng = np.random.default_rng(1)
    args = rng.normal(size=3), rng.normal(size=3), rng.normal(size=(3, 3)), rng.uniform(0.5, 2.0, 3)
    np.testing.assert_allclose(gs.test_util.primal(of_vectors)(*args), of_vectors(*args), rtol=1e-13)
    check_grads(of_vectors, args, order=2)
    np.testing.assert_allclose(gs.jit(of_vectors)(*args), of_vectors(*args), rtol=1e-12)
    many = rng.normal(size=(5, 3))
    np.testing.assert_allclose(
        gs.test_util.primal(lambda x: stats.multivariate_normal.logpdf(x, np.ones(3), 2.0 * np.eye(3)))(many),
        stats.multivariate_normal.logpdf(many, np.ones(3), 2.0 * np.eye(3)), rtol=1e-13)
    for f in (lambda a: stats.dirichlet.logpdf(a / np.sum(a), -a), lambda a: stats.dirichlet.logpdf(a, a),
              lambda a: stats.multivariate_normal.logpdf(a, a, np.zeros((3, 3))),
              lambda a: stats.multivariate_normal.logpdf(a, a, np.ones((2, 2)))):
        with pytest.raises(Exception) as raised:
            f(args[3])
        with pytest.raises(raised.type):
            gs.test_util.primal(f)(args[3])


def test_wrong_calls():
    for f in (lambda x: stats.norm.logpdf(), lambda x: stats.gamma.logpdf(x), lambda x: stats.norm.logpdf(x, 0, 1, 2),
              lambda x: stats.norm.logpdf(x, bogus=1)):
        with pytest.raises(TypeError):
            f(1.0)
        with pytest.raises(TypeError):
            gs.grad(f)(1.0)
    with pytest.raises(GradscribeError, match="scipy.stats.norm.entropy"):
        gs.grad(lambda x: stats.norm.entropy(0.0, x))(1.0)
