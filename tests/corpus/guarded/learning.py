"""Guards in machine learning, hydrology and signals."""
import math

import numpy as np

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


def inverse_roots_of_positive_then_picked(x):
    w = 0.4 * np.select([x > 0], [x ** (-0.5)], 1.0)
    return np.sum(w[np.nonzero(w < 0.62)] ** 2)


def inverse_roots_of_positive_seen_twice(x, seen):
    w = np.where(x > 0, x ** (-0.5), 1.0)[seen]
    return np.sum(w * w * np.arange(1.0, 1.0 + len(seen)))
