"""Programs whose zero is computed, where nothing is chosen."""
import math

import numpy as np

from tests.corpus.guarded.entry import AT_ZERO, entry
from tests.corpus.guarded.physics import distances

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
