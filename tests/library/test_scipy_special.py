"""scipy.special: every function with a rule against SciPy and against differences, plain,
compiled and for many examples."""
import numpy as np
import pytest
from scipy import special as sp

import gradscribe as gs
from gradscribe import GradscribeError
from gradscribe.test_util import check_grads
from gradscribe.transformer.library.registry import everything
from gradscribe.transformer.rules import OPS

everything()
X = np.array([0.15, 0.4, 0.7, 0.9])
WIDE = np.array([-2.5, -0.3, 0.0, 0.45, 3.0])
POSITIVE = np.array([0.2, 1.0, 2.5, 12.0])
A, B = np.array([0.7, 1.0, 2.5, 4.0]), np.array([1.3, 0.5, 2.0, 3.0])
ARGS = {  # where it is not POSITIVE; the arguments that a derivative is not known for come first
    **dict.fromkeys("erf erfc erfcx erfi dawsn expit log_expit log1p expm1 exp2 exp10 cbrt cosm1 sindg cosdg exprel "
                    "wrightomega ndtr log_ndtr j0 j1 i0 i1 i0e i1e".split(), (WIDE,)),
    **dict.fromkeys("erfinv logit ndtri".split(), (X,)),
    "erfcinv": (X + 0.5,), "ndtri_exp": (-POSITIVE,), "log1p": (X,), "cbrt": (POSITIVE,),
    "i0e": (POSITIVE - 0.1,), "i1e": (-POSITIVE,), "owens_t": (WIDE, WIDE[::-1].copy()),
    **dict.fromkeys("xlogy rel_entr kl_div poch beta betaln gammainc gammaincc".split(), (A, B)),
    "xlog1py": (A, X), **dict.fromkeys("boxcox boxcox1p".split(), (B, np.array([-0.5, 0.0, 1e-9, 2.0]))),
    **dict.fromkeys("inv_boxcox inv_boxcox1p".split(), (X, np.array([-0.5, 0.0, 1e-9, 2.0]))),
    "huber": (A, np.array([0.3, -2.0, 2.0, -5.0])), "pseudo_huber": (A, WIDE[:4]), "gammaincinv": (A, X),
    "gammainccinv": (A, X), **dict.fromkeys("betainc betaincc betaincinv".split(), (A, B, X)), "stdtr": (A, WIDE[:4]),
    "stdtrit": (A, X), **dict.fromkeys("jv yv iv kv ive kve jve".split(), (np.array([0.0, 0.5, 1.0, 2.5]), POSITIVE)),
    **dict.fromkeys("yn kn expn".split(), (np.array([0.0, 1.0, 2.0, 5.0]), POSITIVE)), "zeta": (A + 1.5, POSITIVE),
    "hyp0f1": (A, WIDE[:4]), "hyp1f1": (A, B, WIDE[:4]), "hyp2f1": (A, B, A + B + 0.5, X - 0.5),
    "hyperu": (A, B, POSITIVE), "binom": (A + 3, B)}
CALLED = [name for name in OPS if name.startswith("scipy.special.")]
ONCE = ("gammainc", "gammaincc", "gammaincinv", "gammainccinv")  # their second derivative in the shape is refused


def args_of(name):
    return ARGS.get(name.rpartition(".")[2], (POSITIVE,))


def function(name):
    f = getattr(sp, name.rpartition(".")[2])
    return (lambda x: f(x), lambda x, y: f(x, y), lambda x, y, z: f(x, y, z),
            lambda w, x, y, z: f(w, x, y, z))[len(args_of(name)) - 1]


def active(name):
    """The arguments with a known derivative."""
    return tuple(k for k, p in enumerate(OPS[name].partials) if p.__qualname__.startswith(("<lambda>", "one")))


@pytest.mark.heavy(one_in=13)
@pytest.mark.parametrize("name", CALLED)
def test_value_and_derivatives(name):
    f, args, chosen = function(name), args_of(name), active(name)
    np.testing.assert_array_equal(gs.test_util.primal(f)(*args), f(*args))
    for k, a in enumerate(args):
        if k not in chosen:
            with pytest.raises(GradscribeError, match=name):
                gs.grad(lambda *args: np.sum(f(*args)), argnums=k)(*args)
    if chosen:
        free = [args[k] for k in chosen]
        if name.endswith("huber"):
            free = [a + 0.01 for a in free]

        def g(*free):
            return f(*[free[chosen.index(k)] if k in chosen else a for k, a in enumerate(args)])

        check_grads(g, free, order=1 if name.rpartition(".")[2] in ONCE else 2)
    single = [a.astype(np.float32) for a in args]
    got, want = gs.test_util.primal(f)(*single), f(*single)
    assert got.dtype == want.dtype == np.float32 and np.array_equal(got, want)
    scalar = [float(a[1]) for a in args]
    got, want = gs.test_util.primal(f)(*scalar), f(*scalar)
    assert type(got) is type(want) and got == want


@pytest.mark.heavy(one_in=27)
@pytest.mark.parametrize("part", range(6))
def test_compiled_and_for_many_examples(part):
    names = CALLED[part::6]
    functions, every = [function(n) for n in names], [args_of(n) for n in names]
    losses = [gs.grad(lambda *a, f=f: np.sum(f(*a)), argnums=active(n)) if active(n) else None
              for n, f in zip(names, functions)]

    def all_of_them(every, single):
        out = []
        for f, g, args, few in zip(functions, losses, every, single):
            out.append((f(*args), f(*few), g(*args) if g is not None else 0.0))
        return out

    single = [[a.astype(np.float32) for a in args] for args in every]
    for name, f, g, args, few, (value, small, slopes) in zip(names, functions, losses, every, single,
                                                             gs.jit(all_of_them)(every, single)):
        np.testing.assert_allclose(value, f(*args), rtol=2e-13, atol=1e-300, err_msg=name)
        assert small.dtype == np.float32
        np.testing.assert_allclose(small, f(*few), rtol=3e-5, err_msg=name)
        if g is not None:
            for got, want in zip(slopes, g(*args)):
                np.testing.assert_allclose(got, want, rtol=1e-11, atol=1e-14, err_msg=name)
        pairs = [np.stack([a, a[::-1]]) for a in args]
        np.testing.assert_array_equal(gs.vmap(f)(*pairs), f(*pairs))


@pytest.mark.parametrize("s, q", [(2.0, 0.5), (1.5, 3.0), (30.0, 0.1), (2.0, -1.5), (3.0, -2.0), (0.5, 2.0), (1.0, 2.0),
                                  (2.5, -0.5), (2.0, 1e8), (700.0, 20.0), (63.0, 12.0), (40.0, 12.0), (20.0, 15.5)])
def test_our_zeta_is_scipys(s, q):
    from gradscribe.runtime.plain import cephes
    np.testing.assert_allclose(cephes.zeta(s, q), sp.zeta(s, q), rtol=1e-13)


M = np.array([[0.3, -1.2, 2.0], [1.5, 0.1, -0.4]])
W = np.array([[1.0, 0.0, 2.0], [0.5, 1.5, 3.0]])
MADE = {
    "logsumexp": (lambda x: sp.logsumexp(x), (M,)),
    "along an axis": (lambda x: sp.logsumexp(x, axis=1, keepdims=True) + sp.logsumexp(x, 0), (M,)),
    "weighted": (lambda x, w: sp.logsumexp(x, axis=1, b=w), (M, W + 0.5)),
    "with signs": (lambda x, w: sp.logsumexp(x, axis=0, b=w, return_sign=True)[0],
                   (M, np.array([[1.0, 2.0, 3.0], [-2.5, -0.3, 1.0]]))),
    "softmax": (lambda x: sp.softmax(x, axis=-1) * sp.log_softmax(x, axis=0), (M,)),
    "of all": (lambda x: sp.softmax(x) + sp.log_softmax(x), (M,)),
    "polygamma": (lambda x: sp.polygamma(0, x) + sp.polygamma(1, x) * sp.polygamma(3, x), (W + 0.3,)),
    "multigammaln": (lambda x: sp.multigammaln(x, 3), (np.array(2.7),)),
    "softplus": (lambda x: sp.softplus(x) * sp.digamma(x + 3.0), (M,))}


@pytest.mark.heavy(one_in=10)
@pytest.mark.parametrize("name", MADE)
def test_what_is_made_of_others(name):
    f, args = MADE[name]
    np.testing.assert_allclose(gs.test_util.primal(f)(*args), f(*args), rtol=1e-14)
    check_grads(f, args, order=2)
    check_grads(gs.jit(f), args, order=1)
    many = [np.stack([a, a + 0.25]) for a in args]
    np.testing.assert_allclose(gs.vmap(f)(*many), [f(*(m[k] for m in many)) for k in range(2)], rtol=1e-13)


LOGS = [M, M.astype(np.float32), np.array([0.0, -40.0]), np.array([-np.inf, -np.inf]), np.array([np.inf, 1.0]),
        np.array([np.nan, 1.0]), np.array([1000.0, 1000.0]), np.array([1, 2, 3]), 2.5, np.array(1.5), np.ones((1, 1))]


@pytest.mark.heavy(one_in=2)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("f", [lambda x: sp.logsumexp(x), lambda x: sp.softmax(x),
                               lambda x: sp.log_softmax(x), lambda x: sp.logsumexp(x, axis=-1, b=x - x + 0.5),
                               lambda x: sp.logsumexp(x, b=[-1.0], return_sign=True)],
                         ids=["logsumexp", "softmax", "log_softmax", "weights", "signs"])
def test_values_and_types_of_sums_of_exponentials(f):
    for x in LOGS:
        got = gs.test_util.primal(f)(x)
        for g, w in zip(*[r if isinstance(r, tuple) else (r,) for r in (got, f(x))]):
            assert type(g) is type(w) and g.dtype == w.dtype and np.shape(g) == np.shape(w), (x, g, w)
            np.testing.assert_allclose(g, w, rtol=1e-6 if g.dtype == np.float32 else 1e-14, atol=1e-300)


def test_what_is_counted():
    n, k = np.array([5, 7, 3, -1]), np.array([2, 0, 4, 1])
    for f in (lambda n, k: sp.comb(n, k), lambda n, k: sp.factorial(n) + sp.factorial(k), lambda n, k: sp.binom(n, k),
              lambda n, k: sp.comb(n[0], k[0]), lambda n, k: sp.comb(7, 3, exact=True) + n,
              lambda n, k: sp.factorial(20, exact=True) + k):
        got, want = gs.test_util.primal(f)(n, k), f(n, k)
        assert type(got) is type(want) and got.dtype == want.dtype
        np.testing.assert_array_equal(got, want)


def test_what_is_known_is_computed_before_the_run():
    from scipy import linalg

    def f(x):
        n = 3
        nodes, weights = sp.roots_legendre(5)
        return np.sum(x) * sp.gammaln(0.5 * n) + np.sum(linalg.hilbert(2) @ x) + np.sum(weights * nodes ** 2)

    x = np.ones((2, 2))
    np.testing.assert_allclose(gs.grad(f)(x), sp.gammaln(1.5) + np.sum(linalg.hilbert(2), 0)[:, None] * np.ones((2, 2)))
    np.testing.assert_allclose(gs.jit(f)(x), f(x))
    assert "import scipy" not in gs.grad(f).source(x)


def test_what_scipy_has_and_we_have_not_is_refused_at_the_call():
    from scipy import integrate, linalg, optimize, stats

    functions = {"scipy.optimize.fsolve": lambda x: optimize.fsolve(lambda t: t - x, 0.0)[0],
                 "scipy.special.airy": lambda x: sp.airy(x)[0], "scipy.linalg.logm": lambda x: linalg.logm(x)[0],
                 "scipy.integrate.quad_vec": lambda x: integrate.quad_vec(lambda t: t * x, 0, 1)[0],
                 "scipy.stats.norm.rvs": lambda x: stats.norm.rvs(x),
                 "scipy.stats.spearmanr": lambda x: stats.spearmanr(x, x)}
    says = {"scipy.optimize.fsolve": "Newton's method", "scipy.integrate.quad_vec": "roots_legendre",
            "scipy.stats.norm.rvs": "gs.random.normal"}
    for name, f in functions.items():
        with pytest.raises(GradscribeError, match=name) as raised:
            gs.grad(f)(1.5)
        assert says.get(name, "docs/rules.md") in raised.value.instead, name
        assert "test_scipy_special.py" in str(raised.value) and "site-packages" not in str(raised.value)


def test_source_calls_scipys_functions():
    def f(x):
        return np.sum(sp.gammaln(x) * sp.erf(x))

    text = gs.grad(f).source(POSITIVE)
    assert "import scipy.special" in text and "scipy.special.psi(x)" in text
