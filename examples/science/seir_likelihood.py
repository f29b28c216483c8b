"""SEIR epidemic with a change of contact rate, and the Poisson log-likelihood of daily cases.

Daily Euler sub-steps of the compartment model of Anderson and May; days with missing counts (-1) are left out.
Reference: the scheme as powers of a vector field over arrays of compartments, and scipy.stats.poisson.
"""
import numpy as np
from scipy.special import gammaln
from scipy.stats import poisson


def seir_likelihood(params, cases, lockdown, population=1e4, substeps=4):
    beta0, beta1 = np.exp(params["log_beta"])
    sigma, gamma = params["sigma"], params["gamma"]
    S, E, I, R = population - params["I0"], 0.0, params["I0"], 0.0
    dt = 1.0 / substeps
    expected = []
    for day in range(len(cases)):
        beta = beta0 if day < lockdown else beta1
        onsets = 0.0
        for _ in range(substeps):
            infections = beta * S * I / population * dt
            progressions = sigma * E * dt
            recoveries = gamma * I * dt
            S -= infections
            E += infections - progressions
            I += progressions - recoveries
            R += recoveries
            onsets += progressions
        expected.append(params["reporting"] * onsets)
    expected = np.array(expected)
    seen = cases >= 0
    k, mu = cases[seen], expected[seen]
    return np.sum(k * np.log(mu + 1e-9) - mu - gammaln(k + 1))


ALSO = ("vmap", "hvp")


def arguments():
    cases = np.array([0, 1, 1, 2, 3, -1, 6, 8, 9, 14, 15, 14, -1, 17, 16, 18])
    params = {"log_beta": np.log([0.9, 0.3]), "sigma": 0.4, "gamma": 0.25, "I0": 6.0, "reporting": 0.6}
    return params, cases, 8


def reference():
    params, cases, lockdown = arguments()
    rates = np.array([0.0, params["sigma"], params["gamma"]])
    flows = np.array([[-1, 0, 0], [1, -1, 0], [0, 1, -1], [0, 0, 1]])
    state = np.array([1e4 - params["I0"], 0.0, params["I0"], 0.0])
    total = 0.0
    for day, seen in enumerate(cases):
        rates[0] = np.exp(params["log_beta"][int(day >= lockdown)])
        before = state[2] + state[3]
        for _ in range(4):
            state = state + flows @ (0.25 * rates * state[:3] * [state[2] / 1e4, 1.0, 1.0])
        if seen >= 0:
            total += poisson(params["reporting"] * (state[2] + state[3] - before) + 1e-9).logpmf(seen)
    return {"value": total, "rtol": 1e-8}
