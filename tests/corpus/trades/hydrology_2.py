"""Hydrology and climate: a snow and soil model, a river reach, an energy balance with ice, extreme values."""
import calendar
import csv
import io
import logging
import warnings
from collections import OrderedDict, deque
from dataclasses import asdict, dataclass
from datetime import date, timedelta
from itertools import accumulate, pairwise

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.special import gamma as gamma_function, gammainc

logger = logging.getLogger("hydro")

# ---- HBV-like: snow, soil, two boxes, a triangular unit hydrograph ---------------------------------------------------

FORCING = """date,precip,temp,pet,flow
2001-01-01,5.2,-3.1,0.2,1.1
2001-01-02,0.0,-1.0,0.3,1.0
2001-01-03,12.4,0.8,0.3,1.3
2001-01-04,3.0,2.5,0.5,2.4
2001-01-05,0.0,4.1,0.8,3.0
2001-01-06,8.8,3.0,0.7,3.9
2001-01-07,20.1,5.5,0.6,6.2
2001-01-08,0.4,6.1,1.2,6.9
2001-01-09,0.0,2.2,1.0,4.8
2001-01-10,0.0,-0.5,0.4,
2001-01-11,2.2,-2.0,0.2,2.9
2001-01-12,1.0,1.5,0.5,2.6
"""


def read_forcing(text):
    rows = list(csv.DictReader(io.StringIO(text)))
    columns = {name: np.array([float(r[name]) if r[name] else np.nan for r in rows])
               for name in ("precip", "temp", "pet", "flow")}
    columns["date"] = [date.fromisoformat(r["date"]) for r in rows]
    return columns


@dataclass
class HBV:
    tt: float = 0.0
    cfmax: float = 3.0
    fc: float = 100.0
    beta: float = 2.0
    lp: float = 0.7
    k0: float = 0.2
    k1: float = 0.1
    perc: float = 1.0
    uzl: float = 10.0
    maxbas: float = 2.5

    @classmethod
    def from_vector(cls, theta):
        names = ["cfmax", "fc", "beta", "k0", "k1", "perc"]
        return cls(**dict(zip(names, theta)))

    def snow(self, p, t, pack):
        if t < self.tt:
            return 0.0, pack + p
        melt = min(pack, self.cfmax * (t - self.tt))
        return p + melt, pack - melt

    def run(self, forcing):
        pack, soil, upper, lower = 0.0, 0.6 * self.fc, 2.0, 5.0
        flows = []
        for p, t, pet in zip(forcing["precip"], forcing["temp"], forcing["pet"]):
            water, pack = self.snow(p, t, pack)
            recharge = water * (soil / self.fc) ** self.beta
            soil += water - recharge
            if soil > self.fc:
                recharge += soil - self.fc
                soil = self.fc
            evap = pet * min(1.0, soil / (self.lp * self.fc))
            soil = max(soil - evap, 0.0)
            upper += recharge
            drip = min(self.perc, upper)
            upper -= drip
            lower += drip
            q0 = self.k0 * max(upper - self.uzl, 0.0)
            q1 = self.k1 * upper
            q2 = 0.05 * lower
            upper -= q0 + q1
            lower -= q2
            flows.append(q0 + q1 + q2)
        return self.route(np.array(flows))

    def route(self, q):
        n = int(np.ceil(self.maxbas))
        edges = np.minimum(np.arange(n + 1), self.maxbas)
        cdf = np.where(edges < self.maxbas / 2, 2 * (edges / self.maxbas) ** 2,
                       1 - 2 * (1 - edges / self.maxbas) ** 2)
        return np.convolve(q, np.diff(cdf))[:len(q)]


def kge(sim, obs):
    ok = ~np.isnan(obs)
    sim, obs = sim[ok], obs[ok]
    r = np.corrcoef(sim, obs)[0, 1]
    a, b = np.std(sim) / np.std(obs), np.mean(sim) / np.mean(obs)
    return 1 - np.sqrt((r - 1) ** 2 + (a - 1) ** 2 + (b - 1) ** 2)


def calibrate(theta):
    data = read_forcing(FORCING)
    model = HBV.from_vector(theta)
    if any(v < 0 for v in asdict(model).values()):
        return 1e6
    return 1 - kge(model.run(data), data["flow"])


# ---- a network of reaches: Manning, Muskingum, gauges ----------------------------------------------------------------

class Reach:
    def __init__(self, name, length, slope, width, upstream=()):
        self.name, self.length, self.slope, self.width = name, length, slope, width
        self.upstream = list(upstream)

    def depth(self, q, n):
        """Normal depth of a rectangular channel, by Newton in a logarithm."""
        y = (n * q / (self.width * np.sqrt(self.slope))) ** 0.6
        for _ in range(20):
            area, wet = self.width * y, self.width + 2 * y
            f = area ** (5 / 3) / wet ** (2 / 3) * np.sqrt(self.slope) / n - q
            df = f_slope(area, wet, self.width) * np.sqrt(self.slope) / n
            step = f / df
            y = y - step
            if abs(step) < 1e-10 * y:
                break
        return y

    def muskingum(self, inflow, n, dt, x=0.2):
        q_ref = np.mean(inflow)
        y = self.depth(q_ref, n)
        celerity = 5 / 3 * q_ref / (self.width * y)
        k = self.length / celerity
        d = 2 * k * (1 - x) + dt
        c0, c1, c2 = (dt - 2 * k * x) / d, (dt + 2 * k * x) / d, (2 * k * (1 - x) - dt) / d
        out = np.empty_like(inflow)
        out[0] = inflow[0]
        for t, (before, now) in enumerate(pairwise(inflow), start=1):
            out[t] = c0 * now + c1 * before + c2 * out[t - 1]
        return out


def f_slope(area, wet, width):
    return 5 / 3 * area ** (2 / 3) * width / wet ** (2 / 3) - 4 / 3 * area ** (5 / 3) / wet ** (5 / 3)


def topological(reaches):
    order, queue, seen = [], deque(reaches), set()
    while queue:
        r = queue.popleft()
        if all(u in seen for u in r.upstream):
            order.append(r)
            seen.add(r.name)
        else:
            queue.append(r)
    return order


NETWORK = [Reach("outlet", 9000, 5e-4, 40.0, ["left", "right"]), Reach("left", 6000, 1e-3, 18.0),
           Reach("right", 7500, 8e-4, 22.0, ["creek"]), Reach("creek", 3000, 4e-3, 6.0)]


def flood(roughness, peak):
    hours = np.arange(0, 24)
    lateral = {"left": 0.4, "right": 0.2, "creek": 0.4, "outlet": 0.0}
    wave = 5 + peak * np.exp(-0.5 * ((hours - 8) / 2.5) ** 2)
    flows = OrderedDict()
    for reach in topological(NETWORK):
        inflow = lateral[reach.name] * wave
        for name in reach.upstream:
            inflow = inflow + flows[name]
        flows[reach.name] = reach.muskingum(inflow, roughness, dt=3600.0)
    outlet = flows.popitem()[1]
    stage = np.array([NETWORK[0].depth(q, roughness) for q in outlet])
    rating = np.interp(stage, [0, 1, 2, 4, 8], [0, 20, 80, 300, 1200])
    return stage.max() + 1e-3 * np.mean((rating - outlet) ** 2) + 0.01 * np.argmax(outlet)


# ---- Budyko-Sellers on latitude bands, and its equilibrium -----------------------------------------------------------

class EBM:
    """Diffusive energy balance; albedo jumps smoothly where ice begins."""
    S0 = 1361.0
    A, B = 203.3, 2.09

    def __init__(self, n=18, *, D=0.44, ice=0.62, land=0.3):
        self.x = np.linspace(-1, 1, 2 * n + 1)[1::2]
        self.D, self.ice, self.land = D, ice, land
        self.dx = self.x[1] - self.x[0]
        self.insolation = self.S0 / 4 * (1 - 0.482 * 0.5 * (3 * self.x ** 2 - 1))

    def albedo(self, T):
        return self.land + 0.5 * (self.ice - self.land) * (1 - np.tanh((T + 10.0) / 2.0))

    @staticmethod
    def flux(T, x, dx, D):
        mid = 0.5 * (x[1:] + x[:-1])
        inner = D * (1 - mid ** 2) * np.diff(T) / dx
        return np.concatenate(([0.0], inner, [0.0]))

    def tendency(self, T, forcing):
        absorbed = self.insolation * (1 - self.albedo(T))
        return absorbed + forcing - (self.A + self.B * T) + np.diff(self.flux(T, self.x, self.dx, self.D)) / self.dx

    def equilibrium(self, forcing=0.0, T0=None, dt=0.04, tol=1e-4, maxiter=2000):
        T = np.full_like(self.x, 10.0) if T0 is None else T0
        for it in range(maxiter):
            dT = dt * self.tendency(T, forcing) / 10.0
            T = T + dT
            if np.abs(dT).max() < tol:
                logger.info("equilibrium after %d steps", it)
                break
        else:
            warnings.warn("no equilibrium")
        return T


def sensitivity(co2_forcing, D):
    model = EBM(D=D)
    cold = model.equilibrium()
    warm = model.equilibrium(co2_forcing, T0=cold)
    weights = np.ones_like(warm) / warm.size
    response = np.sum(weights * (warm - cold))
    ice_line = np.interp(-10.0, cold[:cold.size // 2], model.x[:cold.size // 2])
    return response / co2_forcing + ice_line


# ---- return levels, and a calendar of demand and storage -------------------------------------------------------------

def month_lengths(year):
    return [calendar.monthrange(year, m)[1] for m in range(1, 13)]


def gev_nll(params, annual_max):
    loc, log_scale, shape = params
    scale = np.exp(log_scale)
    z = (annual_max - loc) / scale
    if abs(shape) < 1e-6:
        return np.sum(np.log(scale) + z + np.exp(-z))
    t = 1 + shape * z
    if np.any(t <= 0):
        return np.inf
    return np.sum(np.log(scale) + (1 + 1 / shape) * np.log(t) + t ** (-1 / shape))


def return_level(params, period):
    loc, log_scale, shape = params
    y = -np.log(1 - 1 / period)
    return loc + np.exp(log_scale) / shape * (y ** (-shape) - 1)


def reservoir(inflow, capacity, demand):
    storage = list(accumulate(inflow, lambda s, q: min(max(s + q - demand, 0.0), capacity), initial=0.5 * capacity))
    spill = [max(a + q - demand - capacity, 0.0) for a, q in zip(storage, inflow)]
    deficit = [max(demand - a - q, 0.0) for a, q in zip(storage, inflow)]
    return np.array(storage[1:]), np.array(spill), np.array(deficit)


def design(params, capacity):
    rng = np.random.default_rng(42)
    peaks = 120 + 30 * rng.gumbel(size=25)
    nll = gev_nll(params, peaks)
    q100 = return_level(params, 100.0)
    days = np.array(month_lengths(2023))
    season = CubicSpline(np.arange(13), [3, 4, 6, 9, 8, 5, 3, 2, 2, 2, 3, 3, 3], bc_type="periodic")(np.arange(12))
    inflow = season * days * q100 / 200.0
    storage, spill, deficit = reservoir(inflow, capacity, demand=110.0)
    mean_shape = gammainc(2.0, storage / capacity).mean() * gamma_function(1 + params[2])
    start = date(2023, 1, 1)
    dry = [start + timedelta(days=30 * k) for k, d in enumerate(deficit) if d > 0]
    return nll / 25 + 0.01 * spill.sum() + 0.05 * (deficit ** 2).sum() + mean_shape + 0.001 * len(dry)


PROGRAMS = [
    ("calibrate", calibrate, lambda: (np.array([3.0, 100.0, 2.0, 0.3, 0.12, 1.5]),), (0,)),
    ("flood", flood, lambda: (0.035, 120.0), (0, 1)),
    ("sensitivity", sensitivity, lambda: (3.7, 0.5), (0, 1)),
    ("design", design, lambda: (np.array([120.0, 3.3, 0.1]), 300.0), (0, 1)),
]
