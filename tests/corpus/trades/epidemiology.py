"""Epidemiology and pharmacology: an outbreak by age, doses of a drug, survival, a fitted dose response."""

from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass, replace

import numpy as np
from scipy.integrate import solve_ivp
from scipy.special import gammainc

# ---------------------------------------------------------------------------------------------- an outbreak by age


@dataclass
class Disease:
    beta: float = 0.05
    latent: float = 3.0
    infectious: float = 5.0
    fatality: tuple = (0.001, 0.01, 0.08)


class Outbreak:
    """SEIRD in age groups, Euler steps, closures of schools that a trigger switches."""

    compartments = ("S", "E", "I", "R", "D")

    def __init__(self, disease, contacts, population):
        self.disease, self.contacts = disease, np.array(contacts)
        self.state = {c: np.zeros(len(population)) for c in self.compartments}
        self.state["S"] = np.array(population, dtype=float) - 1.0
        self.state["I"] = np.ones(len(population))
        self.history = []
        self.events = Counter()

    def force(self, closed):
        C = self.contacts * (0.5 if closed else 1.0)
        alive = sum(self.state[c] for c in self.compartments if c != "D")
        return self.disease.beta * C @ (self.state["I"] / alive)

    def step(self, dt, closed=False):
        d, s = self.disease, self.state
        infected = dt * self.force(closed) * s["S"]
        onset = dt * s["E"] / d.latent
        ended = dt * s["I"] / d.infectious
        deaths = ended * np.array(d.fatality)
        s["S"] = s["S"] - infected
        s["E"] += infected - onset
        s["I"] += onset - ended
        s["R"] += ended - deaths
        s["D"] += deaths

    def run(self, days, dt=0.5, trigger=60.0):
        for day in range(days):
            closed = self.state["I"].sum() > trigger
            if closed:
                self.events["closed"] += 1
            for _ in range(int(1 / dt)):
                self.step(dt, closed=closed)
            self.history.append(self.state["I"].sum())
        return self


def outbreak_cost(beta, infectious, contacts):
    disease = replace(Disease(), beta=beta, infectious=infectious)
    model = Outbreak(disease, contacts, population=[300, 900, 250]).run(days=30)
    peak = max(model.history)
    return model.state["D"].sum() + 0.01 * peak + 0.02 * model.events["closed"]


def outbreak_cost_args():
    return 0.045, 6.0, np.array([[7.0, 3.0, 1.0], [3.0, 6.0, 2.0], [1.0, 2.0, 3.0]])


# ---------------------------------------------------------------------------------------------------- doses of a drug


class Regimen:
    def __init__(self):
        self.times, self.amounts = [], []

    def add(self, time, amount, repeat=0, interval=12.0):
        for k in range(repeat + 1):
            at = bisect_right(self.times, time + k * interval)
            self.times.insert(at, time + k * interval)
            self.amounts.insert(at, amount)
        return self


def two_compartments(t, y, ka, CL, V1, Q, V2):
    gut, central, peripheral = y
    return [
        -ka * gut,
        ka * gut - (CL + Q) / V1 * central + Q / V2 * peripheral,
        Q / V1 * central - Q / V2 * peripheral,
    ]


def exposure(dose, CL, V1, ka=0.9, Q=2.0, V2=30.0):
    regimen = Regimen().add(0.0, dose, repeat=2).add(6.0, 0.5 * dose)
    y, t, aucs, troughs = np.zeros(3), 0.0, [], []
    for start, amount, end in zip(regimen.times, regimen.amounts, regimen.times[1:] + [48.0]):
        y = y + np.array([amount, 0.0, 0.0])
        sol = solve_ivp(two_compartments, (start, end), y, args=(ka, CL, V1, Q, V2), rtol=1e-9, atol=1e-9,
                        t_eval=np.linspace(start, end, 7))
        if not sol.success:
            raise RuntimeError(sol.message)
        concentration = sol.y[1] / V1
        aucs.append(np.trapezoid(concentration, sol.t))
        troughs.append(concentration[-1])
        y = sol.y[:, -1]
    return sum(aucs) / 24 + min(troughs)


def exposure_args():
    return 100.0, 4.0, 20.0


# --------------------------------------------------------------------------------------------------------- survival


def kaplan_meier(time, event, weights=None):
    if weights is None:
        weights = np.ones_like(time)
    curve, s = {0.0: 1.0}, 1.0
    for t in np.unique(time[event]):
        at_risk = weights[time >= t].sum()
        died = weights[(time == t) & event].sum()
        s = s * (1 - died / at_risk)
        curve[float(t)] = s
    return curve


def cox_loglik(beta, X, time, event, ties="efron"):
    order = np.argsort(-time, kind="stable")
    X, time, event = X[order], time[order], event[order]
    eta = X @ beta
    risk, loglik, i = 0.0, 0.0, 0
    while i < len(time):
        j = i
        tied, tied_eta, deaths = 0.0, 0.0, 0
        while j < len(time) and time[j] == time[i]:
            risk += np.exp(eta[j])
            if event[j]:
                tied += np.exp(eta[j])
                tied_eta += eta[j]
                deaths += 1
            j += 1
        if ties == "efron":
            for d in range(deaths):
                loglik -= np.log(risk - d / deaths * tied)
        else:
            loglik -= deaths * np.log(risk)
        loglik += tied_eta
        i = j
    return loglik


TIME = np.array([5.0, 8.0, 8.0, 12.0, 12.0, 15.0, 21.0, 21.0, 30.0, 34.0])
EVENT = np.array([1, 1, 0, 1, 1, 0, 1, 1, 0, 1], dtype=bool)


def survival_score(beta, X, ridge):
    weights = np.exp(0.3 * X[:, 0])
    curve = kaplan_meier(TIME, EVENT, weights=weights)
    times = sorted(curve)
    restricted = sum(curve[a] * (b - a) for a, b in zip(times[:-1], times[1:]))
    return -cox_loglik(beta, X, TIME, EVENT) + ridge * beta @ beta + 0.1 * restricted


def survival_score_args():
    rng = np.random.default_rng(11)
    return np.array([0.4, -0.2]), rng.normal(size=(10, 2)), 0.5


# ---------------------------------------------------------------------------------------------------- dose response


def hill(dose, bottom, top, ec50, slope=1.0):
    return bottom + (top - bottom) / (1 + (ec50 / dose) ** slope)


def fit_hill(dose, response, max_iter=5, verbose=False):
    """Levenberg and Marquardt, the Jacobian by hand."""
    p = np.array([response.min(), response.max(), 2.0])
    lam, old = 1e-3, np.inf
    for iteration in range(max_iter):
        r = response - hill(dose, *p)
        cost = r @ r
        if verbose:
            print("iteration", iteration, "cost", cost)
        w = 1 / (1 + p[2] / dose)
        J = np.stack([1 - w, w, -(p[1] - p[0]) * w**2 / dose], axis=1)
        A = J.T @ J
        step = np.linalg.solve(A + lam * np.diag(np.diag(A)), J.T @ r)
        trial = p + step
        new = np.sum((response - hill(dose, *trial)) ** 2)
        if new < cost:
            p, lam = trial, lam / 10
        else:
            lam *= 10
        if np.max(np.abs(step)) < 1e-12:
            break
        old = min(old, new)
    return p


def therapeutic_index(responses, toxicity):
    dose = np.array([0.1, 0.5, 1.0, 3.0, 10.0, 40.0])
    bottom, top, ec50 = fit_hill(dose, responses)
    target = 0.8
    effective = ec50 * target / (1 - target)
    harm = gammainc(toxicity, effective / 10)
    return np.log(effective) + harm + 0.1 * (top - bottom)


def therapeutic_index_args():
    return np.array([0.12, 0.31, 0.44, 0.71, 0.93, 0.97]), 2.5


PROGRAMS = [
    ("outbreak", outbreak_cost, outbreak_cost_args, (0, 1, 2)),
    ("drug_exposure", exposure, exposure_args, (0, 1, 2)),
    ("cox_survival", survival_score, survival_score_args, (0, 1, 2)),
    ("dose_response", therapeutic_index, therapeutic_index_args, (0, 1)),
]
