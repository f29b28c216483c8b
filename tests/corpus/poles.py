"""Programs with a pole under a guard, as people write them, and programs whose zero is computed.

Three tables: NAMED are those of which everyone who differentiates NumPy programs has met one; GUARDED have a choice or a norm that keeps
the result from a pole at which some of their arguments are exactly; in COMPUTED nothing is chosen: a zero that was computed meets an
infinite slope, and there a derivative is right or not a number.
"""
import dataclasses
import math
from collections.abc import Callable

import numpy as np


@dataclasses.dataclass(frozen=True)
class Entry:
    """A program and arguments; `wrt` says by which of them it is differentiated (all, if nothing is said).

    kink     where its slopes at the point differ by side, and a convention decides: the mean of the two
    once     where the second derivative meets a zero that is computed: it is right or not a number
    kinked   a norm of zeros is taken with a cotangent of 1: along the axes its mixed second derivatives are 0, as those of its
             slope by convention, and in other directions there are none
    """

    program: Callable
    args: tuple
    wrt: tuple
    kink: bool = False
    once: bool = False
    kinked: bool = False

    @property
    def name(self):
        return self.program.__name__


def entry(program, *args, wrt=None, **facts):
    return Entry(program, args, tuple(range(len(args))) if wrt is None else wrt, **facts)


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


PAIRS = np.array([[0.0, 0.5], [1.0, -0.25], [-0.5, 1.25]])
SHOCKS = np.array([[-2.5, 0.5, 1.5, -0.5], [-1.5, 2.0, -0.5, 0.25], [0.5, -1.0, 1.0, -2.0]])
PATHS = np.array([[[0.5, -1.0, 0.25], [1.5, -0.75, 0.5], [1.0, 1.5, 1.25], [-0.5, 0.5, 0.75]],
                  [[-3.0, 0.5, -2.0], [1.0, -1.0, 1.5], [0.5, -0.5, 0.25], [-0.5, 1.0, 0.5]]])
NAMED = [
    entry(gaussian_overlap, PAIRS),
    entry(contacts_above_the_diagonal, PAIRS),
    entry(coulomb_by_mask, PAIRS),
    entry(smoothed_particle_pressure, PAIRS, np.array([1.0, 0.5, 2.0])),
    entry(smoothed_particle_energy, PAIRS),
    entry(autoregression_with_missing_start, np.arange(1.0, 6.0), 0.0),
    entry(heston_full_truncation, np.array([-0.25, 0.04, 0.5, 0.02]), 0.04, SHOCKS, wrt=(0, 1)),
    entry(heston_call, 1.0, 0.04, 1.5, 0.05, 1.25, -0.5, PATHS, wrt=(0, 1, 2, 3, 4, 5)),
]


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


# ---- econometrics

def box_cox(x, lam):
    with np.errstate(all="ignore"):
        return np.sum(np.where(lam == 0, np.log(x), (x ** lam - 1) / lam))


def crra_utility(c, gamma):
    u = np.log(c) if gamma == 1 else (c ** (1 - gamma) - 1) / (1 - gamma)
    u[c <= 0] = -10.0
    return np.sum(u)


def missing_regressors(beta, x, y):
    resid = y - (x[:, 0] * beta[0] + x[:, 1] * beta[1])
    return np.nansum(resid ** 2) + 0.5 * np.nanmean(np.abs(resid))


def log_returns(p):
    ret = np.full(len(p), np.nan)
    ret[1:] = np.log(p[1:] / p[:-1])
    return np.nanmean(ret) + np.nanstd(ret)


def correlation_penalty(x):
    c = x - x.mean(axis=0)
    s = np.sqrt((c ** 2).mean(axis=0))
    outer = s[:, None] * s[None, :]
    cov = c.T @ c / len(x)
    r = np.where(outer > 0, cov / np.where(outer > 0, outer, 1.0), 0.0)
    return np.sum(np.triu(r, 1) ** 2)


def correlation_of_two(x, y):
    dx = x - np.mean(x)
    dy = y - np.mean(y)
    denom = np.sqrt(np.sum(dx ** 2)) * np.sqrt(np.sum(dy ** 2))
    if denom == 0.0:
        return np.sum(x) * 0.0
    return np.sum(dx * dy) / denom


def theil(x):
    s = x / np.mean(x)
    t = np.zeros_like(s)
    pos = s > 0
    t[pos] = s[pos] * np.log(s[pos])
    return np.mean(t)


def trimmed_root_mean(x):
    return np.mean(np.sort(np.sqrt(x))[1:-1])


def largest_log_of_present(x):
    logs = np.log(x)
    logs[np.isinf(logs)] = np.nan
    return np.nanmax(logs) - np.nanmin(logs) + np.nanmedian(logs)


def median_root(x):
    return np.median(np.sqrt(x))


def medians_of_rows(x):
    return np.sum(np.median(np.sqrt(x), axis=1) ** 3)


def middle_of_a_list(x):
    inner = sorted(np.sqrt(x))
    return inner[1] * inner[2]


def one_of_many(x):
    share = x * np.log(x)
    return share[1] / 3.0 + (x / np.sqrt(x))[int(np.argmax(x))]


def sum_of_guarded(x):
    weights = np.where(x > 0, 1 / x ** 2, 0.0)
    s = 0.0
    for i in range(len(x)):
        s += weights[i] * x[i] + ((x > 0) * np.log(x))[i] if x[i] > 0 else 0.0
    return s


def guarded_in_a_loop(x):
    s = 0.0
    for i in range(len(x)):
        s += np.where(x > 0, np.cbrt(x), 0.0)[i] * (i + 1)
    return s


def shares_but_the_first(x):
    s = 0.0
    for i in range(1, len(x)):
        s += (x / np.sqrt(x))[i] ** 3
    return s


def largest_of_a_list(x):
    return sorted(np.sqrt(x), reverse=True)[0]


def largest_beside_the_last(x):
    root = np.power(x, 0.25)
    return np.max(root) + root[-1]


def last_beside_a_guarded_sum(x):
    last = (x ** 0.5)[-1]
    root = x ** 0.5
    root[~(x > 0)] = 0
    return last * root.sum()


def rest_beside_a_mask_and_the_largest(x):
    root = np.sqrt(x)
    return root[2:].sum() * np.max(root) * np.sum((x > 0) * root)


def upper_sorted_beside_one(x):
    root = np.sqrt(x)
    return np.sort(root)[1:].sum() * root[2]


def power_of_what_is_there(x):
    y = x if x else 3.0
    return math.pow(y, y)


def guarded_before_and_in_a_loop(x):
    root = np.sqrt(x)
    s = np.sum(np.where(x > 0, root, 0.0))
    for k in range(len(x) - 1):
        s = s * np.sum(np.where(x > 0.5 * k, root, 0.0))
    return s


def one_beside_those_of_a_joined_array(x):
    padded = np.append(np.log(x), np.nan)
    return np.nansum(padded[:-1][x > 0]) + np.log(x)[1]


def guarded_in_a_branch_and_after_it(x):
    y = np.where(x > 0, np.sqrt(x), 1.5)
    t = y ** 2 if y > 1 else 1.0
    return t + np.where(x > 0, np.sqrt(x), 0.5)


def two_guards(x):
    return np.sum(np.sqrt(np.where(x > 0, x, 0.0) + np.where(x > 1, np.sqrt(x), 0.0)))


def trimmed_columns(x):
    return np.sum(np.sort(np.sqrt(x), axis=0)[1:] ** 3)


def mean_finite_ratio(a, b):
    with np.errstate(all="ignore"):
        ratio = a / b
    ratio[~np.isfinite(ratio)] = np.nan
    return np.nanmean(ratio)


# ---- robotics

def skew(w):
    zero = 0.0 * w[0]
    return np.array([[zero, -w[2], w[1]], [w[2], zero, -w[0]], [-w[1], w[0], zero]])


def rodrigues(w):
    theta = np.linalg.norm(w)
    k = skew(w)
    if theta < 1e-8:
        rot = np.eye(3) + k + 0.5 * k @ k
    else:
        rot = np.eye(3) + np.sin(theta) / theta * k + (1 - np.cos(theta)) / theta ** 2 * k @ k
    return np.sum(rot @ np.array([1.0, 2.0, 3.0]) * np.array([0.5, -1.0, 2.0]))


def quaternion_angle(p, q):
    return np.sum(2.0 * np.arccos(np.clip(np.abs(np.sum(p * q, axis=-1)), -1.0, 1.0)))


def two_link_arm(x, y):
    c2 = (x ** 2 + y ** 2 - 1.0 - 0.25) / 1.0
    q2 = np.arccos(np.clip(c2, -1, 1))
    s2 = np.sqrt(np.maximum(1 - c2 ** 2, 0))
    return np.sum(q2 + 0.5 * s2)


def collision_hinge(pos):
    d = np.linalg.norm(pos[:, None] - pos[None], axis=2)
    off = ~np.eye(len(pos), dtype=bool)
    return np.sum(np.maximum(0.0, 1.5 - d[off]) ** 2)


def path_curvature(x, y):
    dx, dy = np.diff(x), np.diff(y)
    speed = np.hypot(dx, dy)
    turn = dx[:-1] * dy[1:] - dy[:-1] * dx[1:]
    base = speed[:-1] ** 2 * speed[1:]
    return np.sum(np.where(base > 0, turn / np.where(base > 0, base, 1.0), 0.0))


def heading_change(dx, dy):
    moving = (dx != 0) | (dy != 0)
    return np.sum(np.where(moving, np.arctan2(dy, dx), 0.0) * np.arange(1.0, len(dx) + 1))


def repulsive_field(p, obstacles):
    force = 0.0
    for o in obstacles:
        d = np.sqrt(np.sum((p - o) ** 2))
        if 0 < d < 2.0:
            force = force + 0.5 * (1.0 / d - 0.5) ** 2
    return force + p @ p


def total_length(x, y):
    return np.sum(np.hypot(np.diff(x), np.diff(y)))


def shortest_two(p):
    d = np.sqrt(np.sum(p ** 2, axis=1))
    order = np.argsort(d)
    return np.sum(np.log(d[order][1:])) + np.sum(np.take_along_axis(d, order, axis=0)[1:] ** 0.5)


# ---- machine learning

def cross_entropy(p, y):
    return -np.sum(np.where(y > 0, y * np.log(p), 0.0))


def binary_cross_entropy(p, y):
    p = np.clip(p, 1e-7, 1 - 1e-7)
    return -np.mean(y * np.log(p) + (1 - y) * np.log(1 - p))


def masked_attention_entropy(scores, keep):
    s = np.where(keep, scores, -np.inf)
    e = np.exp(s - np.max(s, axis=1, keepdims=True))
    p = e / np.sum(e, axis=1, keepdims=True)
    return -np.sum(p * np.log(np.where(p > 0, p, 1.0)))


def kl_divergence(p, q):
    ratio = np.divide(p, q, out=np.ones_like(p), where=q > 0)
    logs = np.log(ratio, out=np.zeros_like(p), where=ratio > 0)
    return np.sum(p * logs)


def triplet_distances(x):
    dot = x @ x.T
    sq = np.diag(dot)
    d2 = np.maximum(sq[:, None] - 2.0 * dot + sq[None, :], 0.0)
    mask = d2 == 0.0
    d = np.sqrt(d2 + mask * 1e-16) * (1.0 - mask)
    return np.sum(d)


def pairwise_upper(x):
    sq = np.sum(x ** 2, axis=1)
    d = np.sqrt(np.maximum(sq[:, None] + sq[None] - 2.0 * x @ x.T, 0.0))
    return np.sum(d[np.triu_indices(len(x), 1)])


def group_soft_threshold(w, lam):
    n = np.sqrt(np.sum(w ** 2, axis=1, keepdims=True))
    with np.errstate(divide="ignore"):
        scale = np.maximum(1.0 - lam / n, 0.0)
    return np.sum((scale * w) ** 2) + np.sum(w)


def soft_threshold_root(v, k):
    return np.sum(np.sqrt(np.maximum(np.abs(v) - k, 0.0)))


def group_lasso(w):
    return np.sum(np.sqrt(np.sum(w ** 2, axis=1)))


def spread_penalty(x):
    return np.sum(np.std(x, axis=0))


def cosine_similarity(a, b):
    n = np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1)
    return np.sum(np.divide(np.sum(a * b, axis=1), n, out=np.zeros_like(n), where=n > 0))


def gated_roots(v):
    h = (v > 0) * v
    return np.sum(np.sqrt(h)) + np.sum(np.maximum(v, 0) ** 0.5)


def circle_height(v):
    return np.sum(np.sqrt(1.0 - np.minimum(np.abs(v), 1.0)))


def nearest_centre_inertia(x, centres):
    d = np.sqrt(np.sum((x[:, None] - centres[None]) ** 2, axis=-1))
    return np.sum(np.max(d, axis=1))


def total_variation(img):
    dx = img[1:, :-1] - img[:-1, :-1]
    dy = img[:-1, 1:] - img[:-1, :-1]
    return np.sum(np.sqrt(dx ** 2 + dy ** 2))


def one_sided(x):
    total = np.sum(np.where(x > 0, np.sqrt(x), 0.0))
    with np.errstate(all="ignore"):
        total = total + np.sum(np.where(x > 0, np.log(x), 0.0)) + np.sum(np.where(x != 0, 1.0 / x, 0.0))
        return total + np.sum(np.where(x != 0, np.sin(x) / x, 1.0))


def least_of_floats(x, y):
    a = math.sqrt(min(x, 4.0))
    b = math.sqrt(max(min(y, 1.0), 0.0))
    return a * 3.0 + b


def log_gap(x):
    y = np.log(x)
    y[x <= 0] = 0
    return np.sum(y * x)


def entropy_in_a_loop(counts):
    total = sum(counts)
    h = 0.0
    for c in counts:
        if c > 0:
            p = c / total
            h -= p * np.log2(p)
    return h


def log_likelihood_of_seen(x):
    return sum(math.log(v) if v > 0 else 0.0 for v in x)


# ---- hydrology and signals

def manning(h, slope):
    flow = np.where(slope > 0, h ** (5 / 3) * np.sqrt(slope) / 0.03, 0.0)
    return np.sum(flow)


def van_genuchten(psi):
    n, m = 1.5, 1.0 - 1.0 / 1.5
    se = np.where(psi < 0, (1.0 + np.abs(2.0 * psi) ** n) ** -m, 1.0)
    k = np.sqrt(se) * (1.0 - (1.0 - se ** (1.0 / m)) ** m) ** 2
    return np.sum(np.where(psi < 0, k, 1.0))


def tank_with_orifice(h, inflow):
    out = 0.0
    for q in inflow:
        flow = 0.5 * max(h - 1.0, 0.0) ** 0.5
        h = h + 0.5 * (q - flow)
        out += flow
    return out + h


def weir(levels, crest):
    q = np.zeros_like(levels)
    over = levels > crest
    q[over] = 1.8 * (levels[over] - crest) ** 0.5
    return np.sum(q)


def log_nash_sutcliffe(sim, obs):
    ok = (sim > 0) & ~np.isnan(obs)
    e = np.log(sim[ok]) - np.log(obs[ok])
    return 1.0 - np.sum(e ** 2)


def degree_day_melt(t, base):
    return np.sum(np.fmax(t - base, 0.0) ** 0.75)


def logs_without_infinities(x):
    with np.errstate(divide="ignore"):
        return np.sum(np.nan_to_num(np.log(x), neginf=0.0) * x)


def sum_where(x):
    with np.errstate(divide="ignore"):
        return np.sum(np.log(x), where=x > 0)


def spectrum_in_decibels(re, im):
    z = re + 1j * im
    return np.sum(20 * np.log10(np.maximum(np.abs(z), 1e-3)))


def loudness(re, im):
    return np.sum(np.abs(re + 1j * im))


def envelope_of_signal(re, im):
    a = np.abs(re + 1j * im)
    return np.sum(a[a > 0.5] ** 0.5) + np.sum(a ** 2)


def roots_by_sign(x):
    return np.sum(np.select([x > 0, x < 0], [np.sqrt(x), x ** 2], 0.0))


def running_norm(x):
    r = np.sqrt(np.cumsum(x ** 2))
    return np.sum(np.log1p(r[1:]))


def drop_first_log(x):
    with np.errstate(divide="ignore"):
        logs = np.log(x)
    return np.sum(logs[1:] ** 2)


def reciprocal_off_zero(x):
    out = np.zeros_like(x)
    for i in range(len(x)):
        out[i] = 1.0 / x[i] if x[i] != 0.0 else 0.0
    return np.sum(out ** 2)


def standardised_rows(x):
    mu = np.mean(x, axis=1, keepdims=True)
    sd = np.std(x, axis=1, keepdims=True)
    return np.sum(((x - mu) / (sd + 0.5)) * np.array([1.0, -2.0, 0.5, 3.0]))


ROWS = np.array([[0.0, 0.0, 0.0], [1.0, -2.0, 0.5]])
FLAT = np.array([[1.0, 2.0], [1.0, 0.5], [1.0, -1.5], [1.0, 3.0]])
KEEP = np.array([[True, False, True], [True, True, False]])
AT_ZERO = np.array([0.0, 0.25, 2.0])
P = np.array([0.0, 0.25, 0.75])
def inverse_roots_of_positive_then_picked(x):
    w = 0.4 * np.select([x > 0], [x ** (-0.5)], 1.0)
    return np.sum(w[np.nonzero(w < 0.62)] ** 2)


def inverse_roots_of_positive_seen_twice(x, seen):
    w = np.where(x > 0, x ** (-0.5), 1.0)[seen]
    return np.sum(w * w * np.arange(1.0, 1.0 + len(seen)))


GUARDED = [
    entry(cir_bond, np.array([0.02, -0.01, 0.1]), 1.5, 0.04, 0.5, np.array([[0.5, 1.0, -1.0], [-1.5, 0.5, -2.0], [0.25, -0.5, 1.0]]), wrt=(0, 1, 2, 3)),
    entry(cir_scalar_path, 0.03, 0.75, np.array([-1.0, 2.0, -0.5, 1.0]), wrt=(0, 1), once=True),
    entry(strangle_payoff_power, 1.0),
    entry(strangle_payoff_power, 3.5),
    entry(calls_some_expired, np.array([1.0, 1.5, 2.0]), 0.25, np.array([0.5, 0.0, 1.0]), wrt=(0, 1)),
    entry(calls_some_expired, np.array([1.0, 1.5, 2.0]), 0.25, np.array([0.5, 0.0, 1.0]), wrt=(0, 2)),
    entry(sortino, np.array([0.5, 0.25, 1.0]), 0.125),
    entry(sortino, np.array([0.5, -0.25, 1.0]), 0.125),
    entry(sharpe_by_column, FLAT),
    entry(capped_variance_swap, np.array([-0.5, 0.25, 3.0])),
    entry(svi_wing, np.array([0.0, -0.5, 1.0]), -0.25),
    entry(ulcer_index, np.array([[1.0, 1.0], [1.5, 2.0], [2.0, 1.25]]), once=True),
    entry(upper_quartile_of_volatility, np.array([0.25, 0.0, 1.0, 4.0])),
    entry(lennard_jones, PAIRS),
    entry(softened_gravity, PAIRS, np.array([1.0, 2.0, 0.5])),
    entry(gravity_without_self, PAIRS, np.array([1.0, 2.0, 0.5])),
    entry(coulomb_plus_identity, np.array([1.0, -2.0, 0.5]), PAIRS),
    entry(inverse_roots_of_positive_then_picked, np.array([-0.5, 0.25, 4.0, 0.0])),
    entry(inverse_roots_of_positive_seen_twice, np.array([-0.5, 0.25, 4.0, 0.0]), np.array([0, 2, 0, 1, 3, 2]), wrt=(0,)),
    entry(mixing_entropy, P),
    entry(mixing_entropy_of_present, P),
    entry(entropy_by_nansum, P),
    entry(entropy_by_nan_to_num, P),
    entry(information_gain, P),
    entry(activity, P, 0.5),
    entry(bond_angles, np.array([[0.6, 0.8], [1.0, 0.5], [0.6, 0.8]]), np.array([[0.75, 0.875], [0.25, 0.5], [-0.75, -0.875]])),
    entry(arrhenius, np.array([0.0, 300.0, 150.0]), 100.0),
    entry(hill_response, np.array([0.0, 0.25, 2.0]), 0.5),
    entry(hill_response, np.array([0.0, 0.25, 2.0]), 2.0, wrt=(0,)),
    entry(debye_scattering, PAIRS),
    entry(nearest_neighbour, PAIRS),
    entry(nearest_by_infinity, PAIRS),
    entry(bonds_in_loops, PAIRS),
    entry(screened_charge, PAIRS),
    entry(normalised_rows, ROWS),
    entry(refract, np.array([0.125, 0.75, 1.0]), 1.5),
    entry(ray_sphere, np.array([-1.0, -2.0, 0.5]), np.array([1.0, 1.5, 2.0])),
    entry(srgb, np.array([0.0, 0.001, 0.5])),
    entry(saturation, np.array([[0.0, 0.0, 0.0], [0.5, 0.25, 0.125], [0.0, 1.0, 0.75]])),
    entry(lambert_power, np.array([[1.0, 0.0], [-1.0, 0.5], [0.6, 0.8]]), np.array([1.0, 0.25])),
    entry(log_luminance, np.array([0.0, 0.25, 2.0])),
    entry(box_cox, np.array([0.5, 1.5, 2.0]), np.array([0.0, 0.5, 1.0]), wrt=(0,)),
    entry(crra_utility, np.array([0.0, 0.5, 2.0]), 1.0, wrt=(0,)),
    entry(crra_utility, np.array([0.0, 0.5, 2.0]), 2.5),
    entry(missing_regressors, np.array([0.5, -1.0]), np.array([[1.0, np.nan], [2.0, 0.5], [np.nan, 1.0], [1.0, 3.0]]), np.array([1.0, 2.5, 0.0, -1.0]), wrt=(0,)),
    entry(log_returns, np.array([1.0, 1.5, 1.25, 2.0])),
    entry(correlation_penalty, np.array([[1.0, 2.0, 0.5], [1.0, 0.5, 1.0], [1.0, -1.5, 0.25], [1.0, 3.0, -1.0]])),
    entry(correlation_of_two, np.array([1.0, 1.0, 1.0, 1.0]), np.array([0.5, 1.0, -0.5, 2.0])),
    entry(correlation_of_two, np.array([1.0, 0.5, 1.0, 2.0]), np.array([0.5, 1.0, -0.5, 2.0])),
    entry(theil, np.array([0.0, 1.0, 2.0, 5.0])),
    entry(trimmed_root_mean, np.array([0.5, 0.0, 2.0, 1.0])),
    entry(largest_log_of_present, np.array([0.5, 0.0, 2.0, 1.5])),
    entry(median_root, np.array([0.5, 0.0, 2.0])),
    entry(medians_of_rows, np.array([[0.5, 0.0, 2.0], [1.0, 0.75, 0.25], [0.0, 3.0, 1.5]])),
    entry(middle_of_a_list, np.array([0.5, 0.0, 2.0, 1.0]), once=True),
    entry(one_of_many, np.array([0.0, 1.0, 2.5]), once=True),
    entry(sum_of_guarded, np.array([0.0, 1.0, 2.5])),
    entry(guarded_in_a_loop, np.array([0.0, 1.0, 2.5])),
    entry(shares_but_the_first, np.array([0.0, 1.0, 2.5])),
    entry(largest_of_a_list, np.array([0.0, 0.5, 3.0])),
    entry(largest_beside_the_last, np.array([0.0, 0.5, 3.0])),
    entry(last_beside_a_guarded_sum, np.array([0.0, 0.5, 3.0])),
    entry(rest_beside_a_mask_and_the_largest, np.array([0.0, 0.5, 3.0])),
    entry(upper_sorted_beside_one, np.array([0.0, 0.5, 3.0])),
    entry(power_of_what_is_there, 0.0),
    entry(guarded_before_and_in_a_loop, np.array([0.0, 0.5, 3.0])),
    entry(one_beside_those_of_a_joined_array, np.array([0.0, 0.5, 3.0])),
    entry(guarded_in_a_branch_and_after_it, 0.0),
    entry(two_guards, np.array([-1.0, 0.5, 3.0])),
    entry(trimmed_columns, np.array([[0.5, 0.0], [0.0, 3.0], [1.5, 1.0]])),
    entry(mean_finite_ratio, np.array([1.0, 2.0, -0.5]), np.array([0.0, 0.5, 2.0])),
    entry(rodrigues, np.zeros(3)),
    entry(rodrigues, np.array([0.5, -0.25, 1.0])),
    entry(quaternion_angle, np.array([[1.0, 0.5], [0.6, 0.0]]), np.array([[1.0, 0.25], [0.5, 0.8]])),
    entry(two_link_arm, np.array([2.0, 0.5, 1.0, 0.25]), np.array([0.5, 0.75, 0.5, 0.125])),
    entry(collision_hinge, PAIRS),
    entry(path_curvature, np.array([0.0, 1.0, 1.0, 2.0, 2.5]), np.array([0.0, 0.5, 0.5, 1.5, 0.0])),
    entry(path_curvature, np.array([0.0, 1.0, 1.5, 2.0]), np.array([0.0, 0.5, 0.0, 1.5])),
    entry(heading_change, np.array([0.0, 1.0, -0.5]), np.array([0.0, 0.5, 1.0])),
    entry(total_length, np.array([0.0, 1.0, 1.0, 2.0]), np.array([0.0, 0.5, 0.5, 1.5]), kink=True, once=True, kinked=True),
    entry(shortest_two, np.array([[1.0, 0.5], [0.0, 0.0], [-0.5, 0.25]]), once=True),
    entry(repulsive_field, np.array([1.0, 0.5]), np.array([[1.0, 0.5], [0.5, 0.0], [4.0, 4.0]]), wrt=(0,)),
    entry(cross_entropy, np.array([[0.0, 0.25, 0.75], [0.5, 0.5, 0.0]]), np.array([[0.0, 1.0, 0.0], [0.5, 0.5, 0.0]]), wrt=(0,)),
    entry(binary_cross_entropy, np.array([0.0, 0.25, 1.0]), np.array([0.0, 1.0, 1.0])),
    entry(masked_attention_entropy, np.array([[0.5, 2.0, -1.0], [1.0, 0.0, 3.0]]), KEEP, wrt=(0,)),
    entry(kl_divergence, np.array([0.0, 0.25, 0.75]), np.array([0.5, 0.5, 0.0])),
    entry(triplet_distances, PAIRS),
    entry(pairwise_upper, PAIRS),
    entry(group_soft_threshold, np.array([[0.0, 0.0], [1.0, -0.5], [0.125, 0.25]]), 0.5),
    entry(soft_threshold_root, np.array([0.0, 0.25, -2.0, 1.5]), 0.5),
    entry(group_lasso, ROWS, kink=True, kinked=True),
    entry(spread_penalty, FLAT, kink=True),
    entry(total_variation, np.array([[1.0, 1.0, 0.5], [1.0, 2.0, 0.25], [1.5, 0.25, 0.75]]), kink=True, kinked=True),
    entry(one_sided, AT_ZERO),
    entry(least_of_floats, 9.0, -0.5),
    entry(least_of_floats, 0.25, 0.5),
    entry(cosine_similarity, ROWS, np.array([[1.0, 0.5, 2.0], [0.5, 1.0, -1.0]])),
    entry(gated_roots, np.array([-1.0, 0.25, 2.0])),
    entry(circle_height, np.array([-2.0, 0.5, 1.5])),
    entry(nearest_centre_inertia, np.array([[0.0, 0.0], [1.0, 0.5]]), np.array([[0.0, 0.0], [2.0, 0.5]])),
    entry(log_gap, np.array([0.0, 0.5, -1.0])),
    entry(entropy_in_a_loop, np.array([0.0, 1.0, 3.0])),
    entry(log_likelihood_of_seen, np.array([0.0, 0.5, 2.0])),
    entry(manning, np.array([0.5, 1.0, 2.0]), np.array([0.0, 0.25, 0.5])),
    entry(van_genuchten, np.array([0.0, -0.5, 1.0])),
    entry(tank_with_orifice, 0.75, np.array([0.25, 1.0, -0.5, 0.5])),
    entry(weir, np.array([1.0, 0.5, 2.5]), 1.0),
    entry(log_nash_sutcliffe, np.array([0.0, 0.5, 2.0, 1.0]), np.array([1.0, 0.75, np.nan, 2.0]), wrt=(0,)),
    entry(degree_day_melt, np.array([-1.0, 0.5, 2.0]), 0.25),
    entry(logs_without_infinities, np.array([0.0, 0.5, 2.0])),
    entry(sum_where, np.array([0.0, 0.5, 2.0])),
    entry(spectrum_in_decibels, np.array([0.0, 0.5, -1.0]), np.array([0.0, 1.0, 0.25])),
    entry(loudness, np.array([0.0, 0.5, -1.0]), np.array([0.0, 1.0, 0.25]), kink=True, once=True),
    entry(envelope_of_signal, np.array([0.0, 0.5, -1.0]), np.array([0.0, 1.0, 0.25])),
    entry(roots_by_sign, np.array([0.0, -1.0, 0.25])),
    entry(running_norm, np.array([0.0, 0.5, -1.0])),
    entry(drop_first_log, np.array([0.0, 0.5, 2.0])),
    entry(reciprocal_off_zero, np.array([0.0, 0.5, -2.0])),
    entry(standardised_rows, np.array([[0.5, 0.5, 0.5, 0.5], [1.0, -0.5, 2.0, 0.25]])),
]


# ---- where the zero is computed, and nothing is chosen

def root_squared(s):
    return np.sum(np.sqrt(s) ** 2)


def root_squared_if_not_negative(x):
    return np.sum(np.where(x >= 0, np.sqrt(x) ** 2, 0.0))


def root_times_root(x):
    return np.sum(np.sqrt(x) * x ** 0.5)


def root_squared_of_a_float(x):
    return math.sqrt(x) ** 2 + x


def power_of_a_float(x):
    return (x ** 0.5) * (x ** 0.5) + x


def cube_of_cube_root(x):
    return np.sum(np.cbrt(x) ** 3)


def third_power_of_a_third(x):
    return np.sum((x ** (1 / 4)) ** 4)


def angle_squared(x):
    return np.sum(np.arccos(x) ** 2)


def arcsine_squared(x):
    return np.sum(np.arcsin(np.sqrt(x)) ** 2)


def rapidity_squared(x):
    return np.sum(np.arccosh(x) ** 2)


def exp_of_log(x):
    return np.sum(np.exp(np.log(x)))


def exp_of_half_log_squared(x):
    return np.sum(np.exp(0.5 * np.log(x)) ** 2)


def x_log_x(x):
    return np.sum(x * np.log(x))


def log_of_x_to_the_x(x):
    return np.sum(np.log(x ** x))


def cosine_of_root(x):
    return np.sum(np.cos(np.sqrt(x)))


def root_times_sine_of_root(x):
    return np.sum(np.sqrt(x) * np.sin(np.sqrt(x)))


def root_cubed(x):
    return np.sum(np.sqrt(x) ** 3)


def root_of_root(x):
    return np.sum(np.sqrt(np.sqrt(x)) ** 4)


def inverse_of_inverse(x):
    return np.sum(1 / (1 / x))


def complement(x):
    return np.sum(np.sqrt(1 - x) ** 2)


def root_with_a_floor(x):
    return np.sum(np.maximum(np.sqrt(x) ** 2, -1.0))


def root_times_a_number(x, c):
    return np.sum(c * np.sqrt(x))


def product_of_roots(x):
    y = 1.0
    for v in x:
        y = y * np.sqrt(v)
    return y * y


def coinciding_pair(r):
    return np.sum(np.exp(-distances(r) ** 2))


def norm_squared(x):
    return np.linalg.norm(x) ** 2 + np.hypot(x[0], x[1]) ** 2


def norm_cubed(x):
    return np.sqrt(np.sum(x ** 2)) ** 3


def log_of_norm(x):
    return np.log(np.sqrt(np.sum(x ** 2)))


def log_norm_under_exp(x):
    return np.exp(2 * np.log(np.linalg.norm(x)))


def root_of_norm(x):
    return np.sqrt(np.linalg.norm(x))


def deviation_squared(x):
    return np.std(x) ** 2


def root_of_fourth_powers(x):
    return np.sqrt(np.sum(x ** 4))


def length_of_squares(x):
    return np.sqrt(np.sum((x * x) ** 2))


def length_of_versines(x):
    y = 1 - np.cos(x)
    return np.sqrt(np.sum(y * y))


def distance_by_binomials(a, b):
    return np.sqrt(a ** 2 - 2 * a * b + b ** 2) ** 2


def through_polar_coordinates(x, y):
    r = np.hypot(x, y)
    phi = np.arctan2(y, x)
    return r * np.cos(phi) + 2.0 * r * np.sin(phi)


def geometric_mean_squared(x):
    return np.exp(np.mean(np.log(x))) ** 2


def cosine_distance_squared(x):
    return np.arccos(np.cos(x)) ** 2


def mixture_of_weights(w, logp):
    a = np.log(w) + logp
    m = np.max(a)
    return m + np.log(np.sum(np.exp(a - m)))


def root_taken_then_squared(x):
    y = np.where(x >= 0, np.sqrt(x), 0.0)
    return np.sum(y ** 2)


def root_stored_then_squared(x):
    y = np.sqrt(x)
    y[y > 1.0] = 0.0
    return np.sum(y ** 2)


def root_picked_then_squared(x):
    y = np.sqrt(x)[x >= 0]
    return np.sum(y ** 2)


def root_above_a_floor_then_squared(x):
    return np.sum(np.maximum(np.sqrt(x), -1.0) ** 2) + np.sum(np.clip(np.sqrt(x), -1.0, 9.0) ** 2)


def least_root_squared(x):
    return np.min(np.sqrt(x)) ** 2 + np.sort(np.sqrt(x))[0] ** 2


def upper_roots_squared(x):
    return np.sum(np.triu(np.sqrt(x[:, None] * x[None, :] + x[None, :])) ** 2)


def roots_of_what_is_there_squared(x):
    return np.nansum(np.sqrt(x) ** 2) + np.nansum(np.append(np.sqrt(x), np.nan) ** 2)


def masked_root_squared(x):
    return np.sum(((x >= 0) * np.sqrt(x)) ** 2)


def root_in_a_branch_then_squared(x):
    total = 0.0
    for v in x:
        y = np.sqrt(v) if v >= 0 else 0.0
        total = total + y * y
    return total


def root_by_a_mask_of_floats(x):
    return np.sum((x > 0).astype(float) * np.sqrt(x))


def norm_of_roots(x):
    return np.sqrt(np.sum(np.sqrt(x) ** 2))


def norm_of_roots_squared(x):
    return np.linalg.norm(np.sqrt(x)) ** 2


def norm_of_cube_roots(x):
    return np.linalg.norm(np.cbrt(x))


def hypotenuse_of_roots(x, y):
    return np.hypot(np.sqrt(x), np.sqrt(y))


def hellinger(p, q):
    return np.sqrt(0.5 * np.sum((np.sqrt(p) - np.sqrt(q)) ** 2))


def root_of_a_square_and_more(x, y):
    return np.sqrt(x ** 2 + y)


def direction(x):
    return np.sum(x / np.sqrt(np.sum(x ** 2)))


def root_of_three_halves(x):
    return np.sum(np.sqrt(np.abs(x) ** 3))


def huber_of_coinciding(r):
    d = np.linalg.norm(r[:, None] - r[None], axis=-1)
    return np.sum(np.where(d <= 1.0, 0.5 * d ** 2, d - 0.5))


def hyperbolic_of_norm(x):
    d = np.sqrt(x @ x)
    return np.cosh(d) + d * np.log1p(d) + np.sqrt(1.0 + d ** 2)


def norm_in_a_loop_squared(x):
    s = 0.0
    for v in x:
        s += v * v
    r = math.sqrt(s)
    return r * r + s ** 1.5


def magnitude_squared(re, im):
    return np.sum(np.abs(re + 1j * im) ** 2)


COMPUTED = [
    entry(root_squared, AT_ZERO),
    entry(root_squared_if_not_negative, np.array([0.0, 0.25, -1.0])),
    entry(root_times_root, AT_ZERO),
    entry(root_squared_of_a_float, 0.0),
    entry(power_of_a_float, 0.0),
    entry(cube_of_cube_root, np.array([0.0, -0.5, 2.0])),
    entry(third_power_of_a_third, AT_ZERO),
    entry(angle_squared, np.array([1.0, 0.5, -0.25])),
    entry(arcsine_squared, np.array([0.0, 0.25, 0.5])),
    entry(rapidity_squared, np.array([1.0, 1.5])),
    entry(exp_of_log, AT_ZERO),
    entry(exp_of_half_log_squared, AT_ZERO),
    entry(x_log_x, np.array([0.0])),
    entry(log_of_x_to_the_x, AT_ZERO),
    entry(cosine_of_root, AT_ZERO),
    entry(root_times_sine_of_root, AT_ZERO),
    entry(root_cubed, AT_ZERO),
    entry(root_of_root, AT_ZERO),
    entry(inverse_of_inverse, np.array([0.0, 0.5, -2.0])),
    entry(complement, np.array([1.0, 0.5, -2.0])),
    entry(root_with_a_floor, AT_ZERO),
    entry(root_times_a_number, AT_ZERO, 0.0),
    entry(product_of_roots, np.array([0.0, 0.5, 2.0])),
    entry(product_of_roots, np.array([0.0, 0.0, 2.0])),
    entry(coinciding_pair, np.array([[0.0, 0.5], [0.0, 0.5], [1.0, -0.25]])),
    entry(norm_squared, np.zeros(2)),
    entry(norm_cubed, np.zeros(3)),
    entry(log_of_norm, np.zeros(3)),
    entry(log_norm_under_exp, np.zeros(3)),
    entry(root_of_norm, np.zeros(3)),
    entry(deviation_squared, np.full(4, 1.5)),
    entry(root_of_fourth_powers, np.zeros(3)),
    entry(root_of_fourth_powers, np.array([0.0, 1.0])),
    entry(length_of_squares, np.zeros(2)),
    entry(length_of_versines, np.zeros(2)),
    entry(distance_by_binomials, 1.5, 1.5),
    entry(through_polar_coordinates, 0.0, 0.0),
    entry(geometric_mean_squared, np.array([0.0, 2.0])),
    entry(cosine_distance_squared, 0.0),
    entry(mixture_of_weights, np.array([0.0, 0.25, 0.75]), np.array([0.5, -1.0, 0.25])),
    entry(root_taken_then_squared, np.array([0.0, 0.25, -1.0])),
    entry(root_stored_then_squared, AT_ZERO),
    entry(root_picked_then_squared, np.array([0.0, 0.25, -1.0])),
    entry(root_above_a_floor_then_squared, AT_ZERO),
    entry(least_root_squared, np.array([0.5, 0.0, 2.0])),
    entry(upper_roots_squared, AT_ZERO),
    entry(roots_of_what_is_there_squared, AT_ZERO),
    entry(masked_root_squared, AT_ZERO),
    entry(root_in_a_branch_then_squared, np.array([0.0, 0.25, -1.0])),
    entry(root_by_a_mask_of_floats, AT_ZERO),
    entry(norm_of_roots, np.zeros(2)),
    entry(norm_of_roots_squared, np.zeros(2)),
    entry(norm_of_cube_roots, np.zeros(2)),
    entry(hypotenuse_of_roots, 0.0, 0.0),
    entry(hellinger, np.array([0.0, 0.25, 0.75]), np.array([0.0, 0.5, 0.5])),
    entry(root_of_a_square_and_more, 0.0, 0.0, kink=True),
    entry(direction, np.zeros(2)),
    entry(root_of_three_halves, AT_ZERO),
    entry(huber_of_coinciding, np.array([[0.0, 0.5], [0.0, 0.5], [2.0, -0.25]])),
    entry(hyperbolic_of_norm, np.zeros(3)),
    entry(norm_in_a_loop_squared, np.zeros(3)),
    entry(magnitude_squared, np.array([0.0, 0.5]), np.array([0.0, 1.0])),
]
