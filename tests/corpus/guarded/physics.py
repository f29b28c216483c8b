"""The guards that everyone meets; finance, chemistry, physics and rendering."""
import math

import numpy as np

# ---- the four that everyone meets

def squared_distance(a, b):
    s = 0.0
    for k in range(len(a)):
        s = s + (a[k] - b[k]) ** 2
    return s


def distances(r):
    return np.sqrt(np.sum((r[:, None] - r[None]) ** 2, axis=2))


def gaussian_overlap(r):
    d = np.sqrt(np.sum((r[:, None] - r[None]) ** 2, axis=2))
    return np.sum(np.exp(-d ** 2))


def contacts_above_the_diagonal(r):
    d = np.sqrt(np.sum((r[:, None] - r[None]) ** 2, axis=2))
    return np.sum(np.triu(1 / (d + 1), 1))


def coulomb_by_mask(r):
    d = np.sqrt(np.sum((r[:, None] - r[None]) ** 2, axis=2))
    d[d > 0] = 1 / d[d > 0]
    return np.sum(d)


def smoothed_particle_pressure(pos, mass):
    h = 0.75
    dx = pos[:, None, :] - pos[None, :, :]
    r = np.sqrt((dx ** 2).sum(axis=-1))
    q = r / h
    w = np.where(q <= 1.0, 1.0 - 1.5 * q ** 2 + 0.75 * q ** 3, np.where(q <= 2.0, 0.25 * (2.0 - q) ** 3, 0.0))
    rho = np.sum(mass[None, :] * w, axis=1) * 10.0 / (7.0 * np.pi * h ** 2)
    return np.sum(0.5 * rho ** 1.4)


def smoothed_particle_energy(pos):
    n = len(pos)
    h = 1.0
    rho = np.zeros(n)
    for i in range(n):
        for j in range(n):
            r = np.linalg.norm(pos[i] - pos[j])
            rho[i] += np.exp(-(r / h) ** 2) / (h * np.sqrt(np.pi)) ** 3
    return np.sum(np.log(rho))


def autoregression_with_missing_start(y, phi):
    c = y - np.append(np.full(2, np.nan), y[2:] * 0.5 + phi)
    return np.nansum(c ** 2)


def heston_full_truncation(v, theta, draws):
    for z in draws:
        up = np.maximum(v, 0.0)
        v = v + 0.1 * (theta - up) + 0.3 * np.sqrt(up) * z
    return np.mean(v)


def heston_call(s0, v0, kappa, theta, xi, rho, z):
    dt = 0.25
    s = np.full(4, 1.0) * s0
    v = np.full(4, 1.0) * v0
    for k in range(3):
        vp = np.maximum(v, 0.0)
        root = np.sqrt(vp * dt)
        s = s * np.exp(-0.5 * vp * dt + root * z[0, :, k])
        v = v + kappa * (theta - vp) * dt + xi * root * (rho * z[0, :, k] + np.sqrt(1.0 - rho ** 2) * z[1, :, k])
    return np.exp(-0.01) * np.mean(np.maximum(s - 1.0, 0.0))


# ---- finance

def cir_bond(r0, kappa, theta, sigma, dw):
    dt = 0.125
    r = r0
    total = 0.0
    for k in range(len(dw)):
        rp = np.maximum(r, 0.0)
        total = total + rp * dt
        r = r + kappa * (theta - rp) * dt + sigma * np.sqrt(rp) * dw[k]
    return np.exp(-np.mean(total))


def cir_scalar_path(r, sigma, dw):
    area = 0.0
    for w in dw:
        r = r + 0.5 * (0.04 - r) * 0.25 + sigma * math.sqrt(max(r, 0.0)) * w
        area += r * 0.25
    return area


def strangle_payoff_power(x):
    y = max(0.0, x - 2.0)
    return x * x + y ** 0.5


def calls_some_expired(s, vol, t):
    k = 1.25
    sd = vol * np.sqrt(t)
    d1 = np.divide(np.log(s / k) + 0.5 * sd ** 2, sd, out=np.zeros_like(s), where=t > 0)
    live = s / (1 + np.exp(-1.7 * d1)) - k / (1 + np.exp(-1.7 * (d1 - sd)))
    return np.sum(np.where(t > 0, live, np.maximum(s - k, 0.0)))


def sortino(returns, target):
    downside = np.minimum(returns - target, 0.0)
    dd = np.sqrt(np.mean(downside ** 2))
    excess = np.mean(returns) - target
    return excess / dd if dd > 0 else excess


def sharpe_by_column(x):
    mu = x.mean(axis=0)
    sd = x.std(axis=0)
    sd[sd == 0] = 1.0
    return np.sum(mu / sd)


def capped_variance_swap(v):
    return np.sum(np.sqrt(np.clip(v, 0.0, 2.0)) * np.arange(1.0, len(v) + 1))


def svi_wing(k, rho):
    return np.sum(0.04 + 0.1 * (rho * k + np.sqrt(k ** 2))[k != 0])


def ulcer_index(wealth):
    peak = np.maximum.accumulate(wealth, axis=0)
    drawdown = 1.0 - wealth / peak
    return np.sum(np.sqrt(np.mean(drawdown ** 2, axis=0)) * np.array([1.0, 2.0]))


def upper_quartile_of_volatility(v):
    vol = np.sqrt(v)
    return np.quantile(vol, 0.75) + np.percentile(vol, 50)


# ---- chemistry and physics

def lennard_jones(pos):
    d = np.linalg.norm(pos[:, None, :] - pos[None, :, :], axis=-1)
    inv = np.zeros_like(d)
    mask = d > 0
    inv[mask] = 1.0 / d[mask]
    return 0.5 * np.sum(4.0 * (inv ** 12 - inv ** 6))


def softened_gravity(pos, m):
    d = np.sqrt(np.sum((pos[:, None] - pos[None]) ** 2, axis=-1))
    phi = -np.outer(m, m) / (d + 0.05)
    return 0.5 * np.sum(phi * (1.0 - np.eye(len(m))))


def gravity_without_self(pos, m):
    d = np.sqrt(((pos[:, None] - pos[None]) ** 2).sum(-1))
    np.fill_diagonal(d, np.inf)
    return -np.sum(m[:, None] * m[None] / d)


def coulomb_plus_identity(q, pos):
    n = len(q)
    d = np.sqrt(((pos[:, None] - pos[None]) ** 2).sum(-1)) + np.eye(n)
    return 0.5 * np.sum(q[:, None] * q[None, :] / d * (1 - np.eye(n)))


def mixing_entropy(x):
    return -8.314 * np.sum(np.where(x > 0, x * np.log(x), 0.0))


def mixing_entropy_of_present(x):
    x = x[x > 0]
    return -np.sum(x * np.log(x))


def entropy_by_nansum(p):
    with np.errstate(all="ignore"):
        return -np.nansum(p * np.log(p))


def entropy_by_nan_to_num(p):
    with np.errstate(all="ignore"):
        return -np.nan_to_num(p * np.log2(p)).sum()


def information_gain(p):
    with np.errstate(all="ignore"):
        terms = p * np.log(p / np.array([0.5, 0.25, 0.25]))
    terms[np.isnan(terms)] = 0.0
    return np.sum(terms)


def activity(x, a):
    return np.sum(x * np.log(np.clip(x, 1e-12, None)) + a * x * (1 - x))


def bond_angles(u, v):
    cos = np.sum(u * v, axis=1)
    return np.sum(np.arccos(np.clip(cos, -1.0, 1.0)) ** 2)


def arrhenius(temp, e):
    return np.sum(np.where(temp > 0, 3.0 * np.exp(-e / temp), 0.0))


def hill_response(c, n):
    return np.sum(np.where(c > 0, c ** n / (0.5 + c ** n), 0.0))


def debye_scattering(pos):
    q = 1.5
    d = np.sqrt(((pos[:, None] - pos[None]) ** 2).sum(axis=2))
    qd = q * d
    return np.sum(np.where(qd > 0, np.sin(qd) / np.where(qd > 0, qd, 1.0), 1.0))


def nearest_neighbour(pos):
    d = np.sort(distances(pos), axis=1)
    return np.sum(d[:, 1])


def nearest_by_infinity(pos):
    d = distances(pos) + np.diag(np.full(len(pos), np.inf))
    return np.sum(np.exp(-np.min(d, axis=1)))


def bonds_in_loops(pos):
    energy = 0.0
    for i in range(len(pos)):
        for j in range(len(pos)):
            d = np.sqrt(squared_distance(pos[i], pos[j]))
            if i != j:
                energy = energy + (d - 1.0) ** 2
            else:
                energy = energy + d ** 2
    return energy


def screened_charge(pos):
    r = np.sum((pos[:, None] - pos[None]) ** 2, axis=2) ** 0.5
    return np.sum(np.tril(np.exp(-r) * np.log1p(r), -1))


# ---- rendering

def normalised_rows(v):
    norms = np.linalg.norm(v, axis=1, keepdims=True)
    unit = v / np.where(norms > 0, norms, 1.0)
    return np.sum(unit * np.arange(1.0, 4.0))


def refract(cosi, eta):
    k = 1.0 - eta ** 2 * (1.0 - cosi ** 2)
    return np.sum(eta * cosi + np.sqrt(np.maximum(k, 0.0)))


def ray_sphere(b, c):
    disc = b * b - c
    hit = disc > 0
    t = np.where(hit, -b - np.sqrt(np.where(hit, disc, 0.0)), np.inf)
    return np.sum(np.exp(-t))


def srgb(c):
    return np.sum(np.where(c <= 0.0031308, 12.92 * c, 1.055 * c ** (1 / 2.4) - 0.055) ** 2)


def saturation(rgb):
    mx = np.max(rgb, axis=1)
    mn = np.min(rgb, axis=1)
    return np.sum(np.divide(mx - mn, mx, out=np.zeros_like(mx), where=mx != 0) * np.array([1.0, 2.0, 3.0]))


def lambert_power(normals, light):
    cos = normals @ light
    lit = (cos > 0) * cos
    return np.sum(lit ** 0.5)


def log_luminance(y):
    return np.exp(np.mean(np.log(np.maximum(y, 1e-4))))
