"""SEIR epidemic with a change of contact rate, and the Poisson log-likelihood of daily cases.

Daily Euler sub-steps of the compartment model of Anderson and May; days with missing counts (-1) are left out.
Reference: scipy.integrate and scipy.stats.poisson on the same scheme; gradient by finite differences.
"""
import numpy as np
from scipy.special import gammaln


def seir_likelihood(params, cases, population=1e4, substeps=4):
    beta0, beta1 = np.exp(params["log_beta"])
    sigma, gamma = params["sigma"], params["gamma"]
    S, E, I, R = population - params["I0"], 0.0, params["I0"], 0.0
    dt = 1.0 / substeps
    expected = []
    for day in range(len(cases)):
        beta = beta0 if day < params["lockdown"] else beta1
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


def arguments():
    cases = np.array([0, 1, 1, 2, 3, -1, 6, 8, 9, 14, 15, 14, -1, 17, 16, 18])
    params = {"log_beta": np.log([0.9, 0.3]), "sigma": 0.4, "gamma": 0.25, "I0": 6.0, "reporting": 0.6, "lockdown": 8}
    return params, cases
