"""Guards in econometrics and robotics."""
import math

import numpy as np

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
