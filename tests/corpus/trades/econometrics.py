"""Econometrics: a GARCH likelihood, a state space with missing data, discrete choice, value iteration."""

import warnings
from collections import OrderedDict, namedtuple

import numpy as np
from scipy import stats
from scipy.special import gammaln

# ------------------------------------------------------------------------------------------------------------- GARCH


class ParameterError(Exception):
    """Parameters outside of what is stationary."""


class GARCH:
    def __init__(self, returns, dist="normal"):
        self.returns = np.asarray(returns)
        self.dist = dist
        self.names = ["mu", "omega", "alpha", "beta"] + (["nu"] if dist == "t" else [])

    def unpack(self, theta):
        if len(theta) != len(self.names):
            raise ValueError(f"expected {len(self.names)} parameters, got {len(theta)}")
        p = OrderedDict(zip(self.names, theta))
        if p["alpha"] + p["beta"] >= 1:
            raise ParameterError("alpha + beta must be below 1")
        return p

    def variance(self, theta):
        p = self.unpack(theta)
        e = self.returns - p["mu"]
        sigma2 = np.empty(len(e))
        sigma2[0] = np.var(e)
        for t in range(1, len(e)):
            sigma2[t] = p["omega"] + p["alpha"] * e[t - 1] ** 2 + p["beta"] * sigma2[t - 1]
        return e, sigma2

    def loglike(self, theta):
        try:
            e, s2 = self.variance(theta)
        except ParameterError:
            return -1e10
        if self.dist == "normal":
            return np.sum(stats.norm.logpdf(e, scale=np.sqrt(s2)))
        nu = theta[-1]
        const = gammaln((nu + 1) / 2) - gammaln(nu / 2) - 0.5 * np.log(np.pi * (nu - 2))
        return np.sum(const - 0.5 * np.log(s2) - (nu + 1) / 2 * np.log1p(e**2 / (s2 * (nu - 2))))

    def forecast(self, theta, horizon=5):
        p = self.unpack(theta)
        e, s2 = self.variance(theta)
        path = [p["omega"] + p["alpha"] * e[-1] ** 2 + p["beta"] * s2[-1]]
        while len(path) < horizon:
            path.append(p["omega"] + (p["alpha"] + p["beta"]) * path[-1])
        return np.array(path)


def garch_objective(theta, returns):
    model = GARCH(returns, dist="t")
    return -model.loglike(theta) / len(returns) + np.sqrt(252 * model.forecast(theta).mean())


def garch_objective_args():
    rng = np.random.default_rng(3)
    return np.array([0.05, 0.1, 0.08, 0.85, 6.0]), rng.standard_t(6, size=60)


# ----------------------------------------------------------------------------------- a state space with missing data


FilterResult = namedtuple("FilterResult", ["filtered", "predicted", "llf", "n_missing"])


def local_trend(sigma_e, sigma_l, sigma_s):
    return {
        "T": np.array([[1.0, 1.0], [0.0, 1.0]]),
        "Z": np.array([1.0, 0.0]),
        "Q": np.diag([sigma_l**2, sigma_s**2]),
        "H": sigma_e**2,
    }


def kalman(y, T, Z, Q, H, a=None, P=None):
    k = T.shape[0]
    a = np.zeros(k) if a is None else a
    P = np.eye(k) * 1e2 if P is None else P
    filtered, predicted, llf, missing = [], [], 0.0, 0
    for t, obs in enumerate(y):
        if np.isnan(obs):
            missing += 1
        else:
            v = obs - Z @ a
            F = Z @ P @ Z + H
            K = P @ Z / F
            a = a + K * v
            P = P - np.outer(K, K) * F
            if t >= 2:
                llf -= 0.5 * (np.log(2 * np.pi * F) + v**2 / F)
        filtered.append(a)
        a = T @ a
        P = T @ P @ T.T + Q
        P = 0.5 * (P + P.T)
        predicted.append(a[0])
    return FilterResult(np.array(filtered), np.array(predicted), llf, missing)


def trend_likelihood(log_sigma, y):
    if np.isnan(y).all():
        warnings.warn("nothing was observed", RuntimeWarning, stacklevel=2)
        return 0.0
    res = kalman(y, **local_trend(*np.exp(log_sigma)))
    return -res.llf / (len(y) - res.n_missing) + 0.01 * np.sum(np.diff(res.filtered[:, 1]) ** 2)


def trend_likelihood_args():
    t = np.arange(30)
    y = 0.1 * t + np.sin(t / 3)
    y[[4, 5, 17]] = np.nan
    return np.array([-0.5, -1.0, -2.0]), y


# ---------------------------------------------------------------------------------------------------- discrete choice


CHOICES = np.rec.fromrecords(
    [(0, 1.2, 30.0, 1), (0, 2.5, 18.0, 0), (0, 3.0, 12.0, 0), (1, 1.0, 45.0, 0), (1, 2.2, 20.0, 1),
     (1, 3.1, 15.0, 0), (2, 1.4, 25.0, 0), (2, 2.0, 28.0, 0), (2, 2.9, 10.0, 1), (3, 1.1, 22.0, 1), (3, 2.6, 21.0, 0)],
    names="person,cost,time,chosen",
)


def halton(n, base):
    def one(i):
        f, r = 1.0, 0.0
        while i > 0:
            f /= base
            r += f * (i % base)
            i //= base
        return r

    return np.array([one(i) for i in range(1, n + 1)])


def mixed_logit(beta_cost, beta_time, spread, data=CHOICES, draws=12):
    """Simulated likelihood: the taste for time is normal across people."""
    z = stats.norm.ppf(halton(draws, 3))
    tastes = beta_time + spread * z
    total = 0.0
    shares = {}
    for person in np.unique(data.person):
        rows = data[data.person == person]
        utility = beta_cost * rows.cost[:, None] + tastes[None, :] * rows.time[:, None] / 10
        utility -= utility.max(axis=0)
        probability = np.exp(utility) / np.exp(utility).sum(axis=0)
        simulated = probability[rows.chosen == 1].mean()
        shares[int(person)] = simulated
        total += np.log(simulated)
    return -total + 0.1 * max(shares.values())


def mixed_logit_args():
    return -0.7, -0.9, 0.3


# ---------------------------------------------------------------------------------------------- growth and welfare


class GrowthModel:
    def __init__(self, alpha, beta, delta=0.1, gamma=2.0, size=12):
        self.alpha, self.beta, self.delta, self.gamma = alpha, beta, delta, gamma
        self.steady = ((1 / beta - 1 + delta) / alpha) ** (1 / (alpha - 1))
        self.grid = np.linspace(0.5, 1.5, size) * self.steady

    def u(self, c):
        if self.gamma == 1:
            return np.log(c)
        return (c ** (1 - self.gamma) - 1) / (1 - self.gamma)

    def bellman(self, V, temperature=0.01):
        resources = self.grid**self.alpha + (1 - self.delta) * self.grid
        c = resources[:, np.newaxis] - self.grid[np.newaxis, :]
        values = np.where(c > 0, self.u(np.maximum(c, 1e-6)), -1e6) + self.beta * V
        top = values.max(axis=1)
        return top + temperature * np.log(np.exp((values - top[:, None]) / temperature).sum(axis=1))

    def solve(self, tol=1e-6, maxiter=30, verbose=False):
        V = np.zeros(len(self.grid))
        for it in range(maxiter):
            new = self.bellman(V)
            gap = np.abs(new - V).max()
            V = new
            if verbose and it % 10 == 0:
                print(f"{it:4d} {gap:.3e}")
            if gap < tol:
                break
        return V


def welfare(alpha, beta, capital):
    model = GrowthModel(alpha, beta=beta)
    V = model.solve()
    k = np.clip(capital, model.grid[0], model.grid[-1])
    return np.interp(k, model.grid, V) + 0.1 * model.steady


def welfare_args():
    return 0.35, 0.95, 3.3


PROGRAMS = [
    ("garch_t", garch_objective, garch_objective_args, (0, 1)),
    ("kalman_missing", trend_likelihood, trend_likelihood_args, (0,)),
    ("mixed_logit", mixed_logit, mixed_logit_args, (0, 1, 2)),
    ("growth_model", welfare, welfare_args, (0, 1, 2)),
]
