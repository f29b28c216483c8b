"""Epidemiology and pharmacology: age groups and vaccines, renewal with delays, survival, population kinetics."""
import logging
from collections import deque, namedtuple
from dataclasses import dataclass, fields
from enum import IntEnum
from functools import wraps
from itertools import chain, groupby, takewhile
from operator import itemgetter

import numpy as np
from scipy import signal, stats
from scipy.integrate import odeint, quad
from scipy.linalg import expm
from scipy.special import betaln, digamma, gammaln

log = logging.getLogger(__name__)

# ---- age structured SEIR with vaccines and interventions -------------------------------------------------------------

class C(IntEnum):
    S = 0
    E = 1
    I = 2
    R = 3
    D = 4


@dataclass
class Intervention:
    start: float
    stop: float
    factor: float
    groups: tuple = ()

    def active(self, t):
        return self.start <= t < self.stop


CONTACTS = np.array([[8.0, 3.0, 1.0], [3.0, 6.0, 2.0], [1.0, 2.0, 3.0]])
POPULATION = np.array([20e3, 60e3, 20e3])
IFR = np.array([1e-4, 2e-3, 4e-2])


class Epidemic:
    def __init__(self, beta, latent=4.0, infectious=6.0, interventions=()):
        self.beta, self.sigma, self.gamma = beta, 1 / latent, 1 / infectious
        self.interventions = list(interventions)

    def contacts(self, t):
        m = CONTACTS.copy()
        for i in self.interventions:
            if not i.active(t):
                continue
            if i.groups:
                rows = list(i.groups)
                m[rows] *= i.factor
            else:
                m *= i.factor
        return m

    def derivative(self, y, t):
        y = y.reshape(len(C), -1)
        N = y.sum(axis=0) - y[C.D]
        force = self.beta * self.contacts(t) @ (y[C.I] / N)
        dy = np.zeros_like(y)
        infection = force * y[C.S]
        dy[C.S] = -infection
        dy[C.E] = infection - self.sigma * y[C.E]
        dy[C.I] = self.sigma * y[C.E] - self.gamma * y[C.I]
        dy[C.R] = self.gamma * (1 - IFR) * y[C.I]
        dy[C.D] = self.gamma * IFR * y[C.I]
        return dy.ravel()

    def run(self, days, seed=10.0, substeps=4):
        y = np.zeros((len(C), POPULATION.size))
        y[C.I] = seed
        y[C.S] = POPULATION - seed
        y = y.ravel()
        h = 1.0 / substeps
        trajectory = [y]
        for day in range(days):
            for s in range(substeps):
                t = day + s * h
                k1 = self.derivative(y, t)
                k2 = self.derivative(y + h * k1, t + h)
                y = y + 0.5 * h * (k1 + k2)
            trajectory.append(y)
        return np.array(trajectory).reshape(days + 1, len(C), -1)


def lockdown(beta, strength, school):
    plan = [Intervention(20, 45, strength), Intervention(10, 60, school, groups=(0,))]
    sim = Epidemic(beta, interventions=plan).run(60)
    deaths = sim[:, C.D].sum(axis=1)
    daily = np.diff(deaths)
    peak = sim[:, C.I].sum(axis=1).max()
    above = list(takewhile(lambda d: d < 1.0, daily))
    log.info("first death after %d days", len(above))
    return np.log(deaths[-1]) + 1e-4 * peak + 0.5 * (1 - strength) ** 2


# ---- reproduction number: renewal with a discretised interval, delays, negative binomial -----------------------------

def cached_by_length(f):
    store = {}

    @wraps(f)
    def inner(n, *args):
        key = (n, f.__name__)
        if key not in store:
            store[key] = f(n, *args)
        return store[key]
    return inner


@cached_by_length
def serial_interval(n, mean=5.2, sd=2.8):
    shape, scale = (mean / sd) ** 2, sd ** 2 / mean
    edges = np.arange(n + 1) + 0.5
    w = np.diff(stats.gamma.cdf(np.r_[0.0, edges], a=shape, scale=scale))[:n]
    return w / w.sum()


def renewal(log_r, seed, w):
    infections = deque([seed] * 5, maxlen=len(w))
    series = []
    for lr in log_r:
        pressure = sum(wi * past for wi, past in zip(w, reversed(infections)))
        new = np.exp(lr) * pressure
        infections.append(new)
        series.append(new)
    return np.array(series)


def nb_loglike(k, mu, phi):
    return np.sum(gammaln(k + phi) - gammaln(phi) - gammaln(k + 1) + phi * np.log(phi / (phi + mu))
                  + k * np.log(mu / (phi + mu)))


CASES = np.array([3, 5, 4, 8, 9, 12, 10, 15, 19, 22, 20, 27, 30, 29, 35, 33, 31, 28, 30, 26], dtype=float)
WEEKDAY = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]


def r_number(log_r, seed, log_phi, weekend):
    w = serial_interval(10)
    expected = renewal(log_r, seed, w)
    delay = np.array([0.1, 0.3, 0.4, 0.2])
    reported = signal.convolve(expected, delay, mode="full")[:len(expected)]
    effect = np.array([weekend if WEEKDAY[d % 7] in ("sat", "sun") else 1.0 for d in range(len(CASES))])
    ll = nb_loglike(CASES, reported * effect + 1e-3, np.exp(log_phi))
    prior = -0.5 * np.sum(np.diff(log_r) ** 2) / 0.1 ** 2 - 0.5 * np.log(seed / 3) ** 2
    return -(ll + prior)


# ---- survival: Cox with ties, Kaplan-Meier, concordance --------------------------------------------------------------

Patient = namedtuple("Patient", "time event arm age biomarker")

COHORT = [Patient(*row) for row in (
    (5.0, 1, 0, 61, 2.1), (6.0, 0, 1, 55, 1.2), (6.0, 1, 0, 70, 3.3), (8.0, 1, 1, 48, 0.7), (9.5, 0, 0, 66, 1.9),
    (11.0, 1, 1, 59, 2.6), (11.0, 1, 0, 73, 2.2), (12.0, 0, 1, 52, 0.9), (14.5, 1, 1, 68, 1.4), (16.0, 0, 0, 63, 1.1),
    (18.0, 1, 0, 57, 2.8), (20.0, 0, 1, 50, 0.5), (21.0, 1, 1, 71, 1.7), (24.0, 0, 0, 49, 1.0))]


class CoxModel:
    def __init__(self, patients, covariates=("arm", "age", "biomarker"), ties="efron", penalty=0.0):
        self.patients = sorted(patients, key=lambda p: -p.time)
        self.X = np.array([[getattr(p, c) for c in covariates] for p in self.patients], dtype=float)
        self.X = (self.X - self.X.mean(0)) / self.X.std(0)
        self.ties = ties
        self.penalty = penalty

    def negative_loglike(self, beta):
        eta = self.X @ beta
        risk = np.exp(eta)
        total, at_risk, row = 0.0, 0.0, 0
        for time, group in groupby(self.patients, key=lambda p: p.time):
            members = list(group)
            rows = range(row, row + len(members))
            row += len(members)
            at_risk += sum(risk[k] for k in rows)
            dead = [k for k, p in zip(rows, members) if p.event]
            if not dead:
                continue
            tied = sum(risk[k] for k in dead)
            for j, k in enumerate(dead):
                correction = j / len(dead) * tied if self.ties == "efron" else 0.0
                total += eta[k] - np.log(at_risk - correction)
        return -total + 0.5 * self.penalty * np.sum(beta ** 2)

    def baseline(self, beta):
        risk = np.exp(self.X @ beta)
        steps, cumulative = {}, 0.0
        for p in reversed(self.patients):
            if p.event:
                cumulative = cumulative + 1 / np.sum(risk[[k for k, o in enumerate(self.patients) if o.time >= p.time]])
            steps[p.time] = cumulative
        return steps

    def concordance(self, beta):
        eta = self.X @ beta
        good = pairs = 0
        for i, p in enumerate(self.patients):
            for j, q in enumerate(self.patients):
                if p.event and p.time < q.time:
                    pairs += 1
                    if eta[i] > eta[j]:
                        good += 1
        return good / pairs


def survival(beta, penalty):
    model = CoxModel(COHORT, penalty=penalty)
    h0 = model.baseline(beta)
    at = np.interp(12.5, list(h0.keys()), list(h0.values()))
    cum = np.exp(-at * np.exp(0.5 * beta[0]))
    return model.negative_loglike(beta) + cum - 0.1 * model.concordance(beta)


# ---- population kinetics: doses, two compartments, a transit absorption, Laplace approximation -----------------------

@dataclass
class PK:
    cl: float
    v1: float
    q: float
    v2: float
    ka: float

    def rates(self):
        k10, k12, k21 = self.cl / self.v1, self.q / self.v1, self.q / self.v2
        return np.array([[-self.ka, 0, 0], [self.ka, -k10 - k12, k21], [0, k12, -k21]])

    def scaled(self, eta):
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        for name, e in zip(("cl", "v1"), eta):
            values[name] = values[name] * np.exp(e)
        return PK(**values)


Event = namedtuple("Event", "time kind amount")


def schedule(doses, samples):
    events = chain((Event(t, "dose", a) for t, a in doses), (Event(t, "sample", None) for t in samples))
    return sorted(events, key=itemgetter(0, 1))


def concentrations(pk, events):
    A = pk.rates()
    state, now = np.zeros(3), 0.0
    seen = []
    for e in events:
        if e.time > now:
            state = expm(A * (e.time - now)) @ state
            now = e.time
        if e.kind == "dose":
            state[0] += e.amount
        elif e.kind == "sample":
            seen.append(state[1] / pk.v1)
    return np.array(seen)


SUBJECTS = {"s1": dict(doses=[(0, 100), (12, 100)], samples=[1, 4, 11, 14], obs=[1.9, 2.5, 1.2, 3.4]),
            "s2": dict(doses=[(0, 80)], samples=[2, 6, 10], obs=[2.2, 1.4, 0.8])}


def map_eta(objective, eta, steps=3, h=0.05):
    """A few Newton steps with differences, each subject on its own."""
    for _ in range(steps):
        e1, e2 = h * np.eye(2)
        f0 = objective(eta)
        grad = np.array([(objective(eta + d) - objective(eta - d)) / (2 * h) for d in (e1, e2)])
        diag = [(objective(eta + d) - 2 * f0 + objective(eta - d)) / h ** 2 for d in (e1, e2)]
        eta = eta - grad / np.maximum(diag, 1.0)
    return eta, np.sum(np.log(np.maximum(diag, 1.0)))


def population(log_theta, omega, sigma):
    typical = PK(*np.exp(log_theta))
    total = 0.0
    for name, subject in SUBJECTS.items():
        events = schedule(subject["doses"], subject["samples"])
        obs = np.array(subject["obs"])

        def objective(eta):
            pred = concentrations(typical.scaled(eta), events)
            residual = (np.log(obs) - np.log(pred)) / sigma
            return 0.5 * residual @ residual + obs.size * np.log(sigma) + 0.5 * np.sum((eta / omega) ** 2)

        eta, logdet = map_eta(objective, np.zeros(2))
        total += objective(eta) + 0.5 * logdet + np.sum(np.log(omega))
        if not np.isfinite(total):
            raise FloatingPointError(f"subject {name}")
    return total


def infusion(clearance, volume):
    """The area under a curve, in closed form and by quadrature."""
    def conc(t, rate=10.0, stop=2.0):
        k = clearance / volume
        if t <= stop:
            return rate / clearance * (1 - np.exp(-k * t))
        return rate / clearance * (1 - np.exp(-k * stop)) * np.exp(-k * (t - stop))
    during, _ = quad(conc, 0, 2.0)
    after, _ = quad(conc, 2.0, 24.0)
    y = odeint(lambda a, t: -clearance / volume * a, 1.0, np.linspace(0, 5, 6))
    return during + after + y[-1, 0] + betaln(clearance, volume) + digamma(volume)


PROGRAMS = [
    ("lockdown", lockdown, lambda: (0.03, 0.4, 0.7), (0, 1, 2)),
    ("r_number", r_number, lambda: (np.linspace(0.5, -0.1, 20), 3.5, 2.0, 0.8), (0, 1, 2, 3)),
    ("survival", survival, lambda: (np.array([-0.4, 0.3, 0.5]), 0.1), (0, 1)),
    ("population", population, lambda: (np.log([5.0, 20.0, 2.0, 30.0, 0.9]), np.array([0.3, 0.2]), 0.2), (0, 1, 2)),
    ("infusion", infusion, lambda: (3.0, 12.0), (0, 1)),
]
