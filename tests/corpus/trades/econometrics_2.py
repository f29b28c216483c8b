"""Econometrics: a sieve of estimators with formulas, a state space model, a panel, a consumption problem."""
import warnings
from collections import Counter, defaultdict
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
from numpy.linalg import LinAlgError, inv, pinv
from scipy import linalg, stats
from scipy.special import expit, gammaln, logsumexp, xlogy

# ---- generalised linear models with links and robust errors ----------------------------------------------------------

class Link:
    def __call__(self, mu):
        raise NotImplementedError

    def inverse(self, eta):
        raise NotImplementedError


class Logit(Link):
    def __call__(self, mu):
        return np.log(mu / (1 - mu))

    def inverse(self, eta):
        return expit(eta)

    def derivative(self, mu):
        return 1 / (mu * (1 - mu))


class Log(Link):
    __call__ = staticmethod(np.log)
    inverse = staticmethod(np.exp)

    @staticmethod
    def derivative(mu):
        return 1 / mu


class Family:
    links = {"binomial": Logit, "poisson": Log}

    def __init__(self, name):
        self.name = name
        self.link = self.links[name]()

    def variance(self, mu):
        return mu * (1 - mu) if self.name == "binomial" else mu

    def deviance(self, y, mu):
        if self.name == "binomial":
            return -2 * np.sum(xlogy(y, mu) + xlogy(1 - y, 1 - mu))
        return 2 * np.sum(xlogy(y, y / mu) - (y - mu))


class GLM:
    def __init__(self, endog, exog, family, weights=None, add_constant=True):
        self.y = np.asarray(endog)
        X = np.asarray(exog)
        if X.ndim == 1:
            X = X[:, np.newaxis]
        self.X = np.column_stack([np.ones(len(X)), X]) if add_constant else X
        self.family = Family(family) if isinstance(family, str) else family
        self.w = np.ones_like(self.y, dtype=float) if weights is None else weights
        self.nobs, self.k = self.X.shape

    def fit(self, maxiter=30, tol=1e-10, cov_type="nonrobust"):
        fam = self.family
        mu = (self.y + 0.5) / 2 if fam.name == "binomial" else self.y + 0.5
        eta = fam.link(mu)
        dev = fam.deviance(self.y, mu)
        converged = False
        for iteration in range(1, maxiter + 1):
            g = fam.link.derivative(mu)
            z = eta + (self.y - mu) * g
            W = self.w / (fam.variance(mu) * g ** 2)
            XtW = self.X.T * W
            try:
                beta = linalg.cho_solve(linalg.cho_factor(XtW @ self.X), XtW @ z)
            except LinAlgError:
                warnings.warn("singular design: pseudo-inverse")
                beta = pinv(XtW @ self.X) @ (XtW @ z)
            eta = self.X @ beta
            mu = fam.link.inverse(eta)
            old, dev = dev, fam.deviance(self.y, mu)
            if abs(dev - old) < tol * (abs(dev) + 0.1):
                converged = True
                break
        if not converged:
            warnings.warn("IRLS has not converged", RuntimeWarning)
        bread = inv(XtW @ self.X)
        if cov_type == "nonrobust":
            cov = bread
        elif cov_type.startswith("HC"):
            score = self.X * (self.w * (self.y - mu))[:, None]
            cov = bread @ (score.T @ score) @ bread
            if cov_type == "HC1":
                cov *= self.nobs / (self.nobs - self.k)
        else:
            raise ValueError(f"cov_type {cov_type!r}")
        return SimpleNamespace(params=beta, cov=cov, bse=np.sqrt(np.diag(cov)), deviance=dev, mu=mu, n=iteration)


def visits(x, weights):
    rng = np.random.default_rng(3)
    y = rng.poisson(2.0, size=len(x)).astype(float)
    result = GLM(y, x, "poisson", weights).fit(cov_type="HC1")
    t = result.params / result.bse
    return result.deviance / len(x) + np.sum(stats.norm.sf(np.abs(t)) * 2) + result.params[1]


# ---- an unobserved components model with missing data ----------------------------------------------------------------

class LocalTrend:
    param_names = ("irregular", "level", "slope", "season")

    def __init__(self, y, period=4):
        self.y = np.atleast_1d(y)
        self.period = period

    def matrices(self, params):
        s = dict(zip(self.param_names, np.exp(params)))
        trend = np.array([[1.0, 1.0], [0.0, 1.0]])
        season = np.zeros((self.period - 1, self.period - 1))
        season[0] = -1.0
        np.fill_diagonal(season[1:], 1.0)
        T = linalg.block_diag(trend, season)
        Z = np.zeros(T.shape[0])
        Z[[0, 2]] = 1.0
        Q = np.diag([s["level"], s["slope"], s["season"]] + [0.0] * (self.period - 2))
        return T, Z, Q, s["irregular"]

    def loglike(self, params, burn=None):
        T, Z, Q, h = self.matrices(params)
        burn = T.shape[0] if burn is None else burn
        a, P = np.zeros(T.shape[0]), 1e4 * np.eye(T.shape[0])
        ll, used = 0.0, 0
        for t, obs in enumerate(self.y):
            if not np.isnan(obs):
                v = obs - Z @ a
                F = Z @ P @ Z + h
                K = P @ Z / F
                a = a + K * v
                P = P - np.outer(K, Z @ P)
                if t >= burn:
                    ll += -0.5 * (np.log(2 * np.pi * F) + v ** 2 / F)
                    used += 1
            a = T @ a
            P = T @ P @ T.T + Q
        return ll / used


def seasonal(params, y):
    return -LocalTrend(y).loglike(params)


def quarterly():
    rng = np.random.default_rng(11)
    y = 10 + 0.1 * np.arange(28) + np.tile([1.0, -0.5, 0.3, -0.8], 7) + 0.2 * rng.normal(size=28)
    y[[9, 17, 18]] = np.nan
    return y


# ---- a panel: within transformation, clustered errors, GMM with two steps --------------------------------------------

FIRMS = ["a", "a", "a", "b", "b", "b", "b", "c", "c", "c", "d", "d", "d", "d", "e", "e", "e", "f", "f", "f"]


def demean(v, groups):
    out = np.array(v, dtype=float)
    for g in sorted(set(groups)):
        rows = np.array([k for k, name in enumerate(groups) if name == g])
        out[rows] -= out[rows].mean(axis=0)
    return out


def cluster_cov(X, e, groups):
    k = X.shape[1]
    meat = np.zeros((k, k))
    index = defaultdict(list)
    for row, g in enumerate(groups):
        index[g].append(row)
    for g, rows in index.items():
        s = X[rows].T @ e[rows]
        meat += np.outer(s, s)
    n_g = len(Counter(groups))
    bread = np.linalg.inv(X.T @ X)
    return n_g / (n_g - 1) * bread @ meat @ bread


def gmm(y, X, Z, steps=2):
    n = len(y)
    W = np.linalg.inv(Z.T @ Z / n)
    for step in range(steps):
        XZ = X.T @ Z / n
        b = np.linalg.solve(XZ @ W @ XZ.T, XZ @ W @ (Z.T @ y / n))
        u = y - X @ b
        g = Z * u[:, None]
        S = g.T @ g / n
        if step < steps - 1:
            W = np.linalg.inv(S)
    moments = g.mean(axis=0)
    return b, n * moments @ W @ moments


def panel(price, income):
    rng = np.random.default_rng(5)
    n = len(FIRMS)
    cost, demand_shock = rng.normal(size=(2, n))
    y = -1.2 * price + 0.5 * income + 0.3 * demand_shock
    X = np.c_[price + 0.5 * cost, income]
    yd, Xd = demean(y, FIRMS), demean(X, FIRMS)
    b_ols, *_ = np.linalg.lstsq(Xd, yd, rcond=None)
    V = cluster_cov(Xd, yd - Xd @ b_ols, FIRMS)
    Zd = demean(np.column_stack((price, income, price ** 2)), FIRMS)
    b_iv, J = gmm(yd, Xd, Zd)
    p_value = 1 - stats.chi2.cdf(J, df=1)
    wald = b_ols @ np.linalg.solve(V, b_ols)
    return b_iv[0] - b_ols[0] + p_value + np.log(wald)


# ---- consumption and saving: value function iteration on a grid ------------------------------------------------------

@dataclass
class Household:
    beta: float
    gamma: float
    r: float = 0.03
    rho: float = 0.9
    sigma: float = 0.2
    n_a: int = 25
    n_z: int = 3

    def __post_init__(self):
        if not 0 < self.beta < 1:
            raise ValueError("beta outside of (0, 1)")
        self.a = np.linspace(0.01, 1, self.n_a) ** 2 * 10.0
        self.z, self.P = self.rouwenhorst()

    def rouwenhorst(self):
        p = (1 + self.rho) / 2
        P = np.array([[p, 1 - p], [1 - p, p]])
        for n in range(3, self.n_z + 1):
            big = np.zeros((n, n))
            big[:-1, :-1] += p * P
            big[:-1, 1:] += (1 - p) * P
            big[1:, :-1] += (1 - p) * P
            big[1:, 1:] += p * P
            big[1:-1] /= 2
            P = big
        spread = self.sigma / np.sqrt(1 - self.rho ** 2) * np.sqrt(self.n_z - 1)
        return np.exp(np.linspace(-spread, spread, self.n_z)), P

    def u_prime(self, c):
        return c ** -self.gamma

    def egm_step(self, c_next):
        """One backward step by endogenous grid points."""
        rhs = self.beta * (1 + self.r) * self.P @ self.u_prime(c_next)
        c_now = rhs ** (-1 / self.gamma)
        out = np.empty_like(c_next)
        for j, z in enumerate(self.z):
            a_today = (c_now[j] + self.a - z) / (1 + self.r)
            c = np.interp(self.a, a_today, c_now[j])
            constrained = self.a < a_today[0]
            out[j] = np.where(constrained, (1 + self.r) * self.a + z - self.a[0], c)
        return out

    def solve(self, tol=1e-6, maxit=40):
        c = self.r * self.a[None, :] + self.z[:, None]
        distance = np.inf
        it = 0
        while distance > tol and it < maxit:
            new = self.egm_step(c)
            distance = np.max(np.abs(new - c))
            c = new
            it += 1
        return c

    def stationary(self):
        w, v = np.linalg.eig(self.P.T)
        pi = np.real(v[:, np.argmax(np.real(w))])
        return pi / pi.sum()


def savings(beta, gamma, r):
    h = Household(beta, gamma, r)
    c = h.solve()
    pi = h.stationary()
    assets = (1 + h.r) * h.a + h.z[:, None] - c
    mpc = np.gradient(c, h.a, axis=1)
    welfare = logsumexp(np.log(c).mean(axis=1) + np.log(pi))
    return pi @ assets.mean(axis=1) + pi @ mpc[:, 3] + 0.1 * welfare + 1e-3 * gammaln(gamma)


PROGRAMS = [
    ("visits", visits, lambda: (np.random.default_rng(1).normal(size=30), np.linspace(0.5, 1.5, 30)), (0, 1)),
    ("seasonal", seasonal, lambda: (np.array([-2.0, -3.0, -5.0, -4.0]), quarterly()), (0,)),
    ("panel", panel, lambda: tuple(np.random.default_rng(2).normal(size=(2, 20)) + 2.0), (0, 1)),
    ("savings", savings, lambda: (0.94, 2.0, 0.03), (0, 1, 2)),
]
