"""Hydrology and climate: a rainfall-runoff model, an energy balance, infiltration, evaporation of a reservoir."""

import logging
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
from scipy.stats import gamma as gamma_distribution

logger = logging.getLogger("hydrology")


# -------------------------------------------------------------------------------------------------------------- GR4J


def s_curve1(t, x4):
    if t <= 0:
        return 0.0
    if t < x4:
        return (t / x4) ** 2.5
    return 1.0


def s_curve2(t, x4):
    if t <= 0:
        return 0.0
    elif t < x4:
        return 0.5 * (t / x4) ** 2.5
    elif t < 2 * x4:
        return 1 - 0.5 * (2 - t / x4) ** 2.5
    return 1.0


def gr4j(precip, potential, params, states=None):
    """Perrin's four parameters: production store, exchange, routing store, time base of the hydrograph."""
    states = {} if states is None else states
    X1, X2, X3, X4 = params
    n1, n2 = int(np.ceil(X4)), int(np.ceil(2.0 * X4))
    ord1 = [s_curve1(t, X4) - s_curve1(t - 1, X4) for t in range(1, n1 + 1)]
    ord2 = [s_curve2(t, X4) - s_curve2(t - 1, X4) for t in range(1, n2 + 1)]
    uh1, uh2 = states.get("uh1", [0.0] * n1), states.get("uh2", [0.0] * n2)
    production = states.get("production", 0.6 * X1)
    routing = states.get("routing", 0.7 * X3)
    flows = []
    for P, E in zip(precip, potential):
        if P > E:
            net_evap = 0
            scaled = min((P - E) / X1, 13.0)
            tanh = np.tanh(scaled)
            part = (X1 * (1 - (production / X1) ** 2) * tanh) / (1 + production / X1 * tanh)
            rain = P - E - part
        else:
            scaled = min((E - P) / X1, 13.0)
            tanh = np.tanh(scaled)
            ratio = (2 - production / X1) * tanh
            net_evap = production * ratio / (1 + (1 - production / X1) * tanh)
            part = rain = 0
        production = production - net_evap + part
        percolation = production / (1 + (production / 2.25 / X1) ** 4) ** 0.25
        rain = rain + (production - percolation)
        production = percolation
        for i in range(n1 - 1):
            uh1[i] = uh1[i + 1] + ord1[i] * rain
        uh1[-1] = ord1[-1] * rain
        for j in range(n2 - 1):
            uh2[j] = uh2[j + 1] + ord2[j] * rain
        uh2[-1] = ord2[-1] * rain
        exchange = X2 * (routing / X3) ** 3.5
        routing = max(0, routing + uh1[0] * 0.9 + exchange)
        R2 = routing / (1 + (routing / X3) ** 4) ** 0.25
        QR = routing - R2
        routing = R2
        flows.append(QR + max(0, uh2[0] * 0.1 + exchange))
    states.update(production=production, routing=routing, uh1=uh1, uh2=uh2)
    return flows, states


def nse(simulated, observed, warmup=5):
    simulated, observed = np.array(simulated[warmup:]), np.array(observed[warmup:])
    return 1 - np.sum((simulated - observed) ** 2) / np.sum((observed - observed.mean()) ** 2)


def gr4j_score(params, precip, potential, observed):
    flows, states = gr4j(precip, potential, params)
    if any(q < 0 for q in flows):
        logger.warning("negative flow")
        return -np.inf
    return nse(flows, observed) + 1e-3 * states["production"]


def gr4j_score_args():
    day = np.arange(40)
    precip = 6 * np.maximum(0, np.sin(0.9 * day) + 0.5 * np.sin(0.37 * day + 1))
    potential = 2 + np.sin(2 * np.pi * day / 40)
    observed = 1.5 + 0.8 * np.sin(0.3 * day)
    return np.array([320.0, -0.4, 70.0, 1.7]), precip, potential, observed


# -------------------------------------------------------------------------------------------- an energy-balance model


class EnergyBalance:
    """Budyko and Sellers: latitude bands, ice that reflects, heat carried to the poles."""

    def __init__(self, n=10, Q=342.0, A=203.3, B=2.09, D=0.55, **options):
        self.options = dict(smooth=4.0, t_ice=-10.0, C=40.0)
        unknown = set(options) - set(self.options)
        if unknown:
            raise TypeError(f"unknown options: {sorted(unknown)}")
        self.options.update(options)
        self.Q, self.A, self.B, self.D = Q, A, B, D
        edges = np.linspace(-1, 1, n + 1)
        self.x = 0.5 * (edges[1:] + edges[:-1])
        self.dx = np.diff(edges)[0]
        self.edges = edges
        self.S = 1 - 0.482 * 0.5 * (3 * self.x**2 - 1)

    def albedo(self, T):
        o = self.options
        ice = 0.5 * (1 - np.tanh((T - o["t_ice"]) / o["smooth"]))
        return 0.3 + 0.078 * 0.5 * (3 * self.x**2 - 1) + 0.3 * ice

    def transport(self, T):
        flux = np.zeros(len(T) + 1)
        flux[1:-1] = self.D * (1 - self.edges[1:-1] ** 2) * np.diff(T) / self.dx
        return np.diff(flux) / self.dx

    def equilibrium(self, T=None, dt=0.5, tol=1e-3, max_steps=60):
        if T is None:
            T = 30 - 45 * self.x**2
        for step in range(max_steps):
            absorbed = self.Q * self.S * (1 - self.albedo(T))
            tendency = absorbed - (self.A + self.B * T) + self.transport(T)
            T = T + dt * tendency / self.options["C"]
            if np.max(np.abs(tendency)) < tol:
                break
        self.steps = step
        return T


def climate_sensitivity(Q, D, forcing):
    model = EnergyBalance(Q=Q, D=D, C=30.0)
    base = model.equilibrium()
    model.A = model.A - forcing
    warm = model.equilibrium(T=base)
    weights = np.cos(np.arcsin(model.x))
    return np.average(warm - base, weights=weights) + 0.01 * np.average(base)


def climate_sensitivity_args():
    return 341.0, 0.6, 3.7


# --------------------------------------------------------------------------------------------------- infiltration


SOILS = np.array(
    [("sand", 4.74, 4.95, 0.417), ("loam", 0.34, 8.89, 0.434), ("clay", 0.03, 31.63, 0.385)],
    dtype=[("name", "U10"), ("Ks", "f8"), ("psi", "f8"), ("theta_e", "f8")],
)


def soil(name):
    match = SOILS[SOILS["name"] == name]
    if len(match) == 0:
        raise KeyError(name)
    return match[0]


def green_ampt(F, dt, K, psi_dtheta, tol=1e-12):
    """Cumulative infiltration after dt of ponding, by Newton's method."""
    new = F + K * dt
    while True:
        g = new - F - psi_dtheta * np.log((new + psi_dtheta) / (F + psi_dtheta)) - K * dt
        step = g / (1 - psi_dtheta / (new + psi_dtheta))
        new = new - step
        if abs(step) < tol:
            break
    return new


def runoff(rain, moisture, factor, name="loam", dt=0.25):
    s = soil(name)
    K = s["Ks"] * factor
    psi_dtheta = s["psi"] * (s["theta_e"] - moisture)
    F, storage, out = 1e-3, 0.0, []
    for intensity in rain:
        supply = intensity + storage / dt
        capacity = K * (1 + psi_dtheta / F)
        if capacity > supply:
            F += supply * dt
            storage = 0.0
            out.append(0.0)
            continue
        new = green_ampt(F, dt, K, psi_dtheta)
        excess = supply * dt - (new - F)
        F = new
        storage = 0.3 * excess
        out.append(0.7 * excess)
    peak = np.max(out)
    return peak + 0.5 * np.sum(out) + 0.1 * F


def runoff_args():
    return np.array([0.4, 1.2, 3.1, 4.0, 2.2, 1.1, 0.5, 0.2]), 0.2, 1.1


# ---------------------------------------------------------------------------------------- a reservoir and its yield


@dataclass
class Weather:
    temperature: np.ndarray
    humidity: np.ndarray
    wind: np.ndarray
    radiation: np.ndarray

    def __len__(self):
        return len(self.temperature)

    def day(self, i):
        return SimpleNamespace(
            T=self.temperature[i], RH=self.humidity[i], u2=self.wind[i], Rn=self.radiation[i]
        )


def penman(w, elevation=300.0):
    es = 0.6108 * np.exp(17.27 * w.T / (w.T + 237.3))
    ea = es * w.RH / 100
    delta = 4098 * es / (w.T + 237.3) ** 2
    pressure = 101.3 * ((293 - 0.0065 * elevation) / 293) ** 5.26
    g = 0.665e-3 * pressure
    return (0.408 * delta * w.Rn + g * 900 / (w.T + 273) * w.u2 * (es - ea)) / (delta + g * (1 + 0.34 * w.u2))


def shortage(capacity, demand, shape, weather=None):
    n = 24
    if weather is None:
        t = np.arange(n)
        weather = Weather(15 + 8 * np.sin(t / 4), 60 + 10 * np.cos(t), 2 + 0.5 * np.sin(t), 14 + 5 * np.sin(t / 4))
    quantiles = (np.arange(n) * 7 % n + 0.5) / n
    inflow = 2.0 * gamma_distribution.ppf(quantiles, 2.0) / 2.0 * shape
    storage, deficits = 0.8 * capacity, {}
    for i in range(len(weather)):
        area = 4.0 * (storage / capacity) ** 0.6
        storage += inflow[i] - 0.1 * penman(weather.day(i)) * area
        release = demand if storage > demand else storage
        storage -= release
        spill = max(storage - capacity, 0.0)
        storage = max(storage - spill, 0.05)
        deficits[i] = demand - release
    return sum(d**2 for d in deficits.values()) + 0.05 * storage


def shortage_args():
    return 11.0, 2.3, 1.1


PROGRAMS = [
    ("gr4j", gr4j_score, gr4j_score_args, (0, 1, 3)),
    ("energy_balance", climate_sensitivity, climate_sensitivity_args, (0, 1, 2)),
    ("green_ampt", runoff, runoff_args, (0, 1, 2)),
    ("reservoir", shortage, shortage_args, (0, 1, 2)),
]
