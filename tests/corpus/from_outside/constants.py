"""Constants and flags."""
import sys
from dataclasses import dataclass

import numpy as np

from tests.corpus.from_outside.table import item


# ---- constants
@item(2.0, 4, gradient=0, more=[(2.0, 3), (0.0, 2)])
def negative_constant_to_a_power(x, n):
    return x * (-1.0) ** n


@item(0.3, gradient=0)
def alternating_series(x):
    total = 0.0
    for k in range(6):
        total = total + (-1) ** k * x ** (2 * k + 1) / (2 * k + 1)
    return total


@item(0.0, 0, gradient=0, more=[(0.0, 1), (0.0, 2), (2.0, 0), (-2.0, 3)])
def power_at_zero(x, k):
    return x**k


@item(np.array([0.0, 1.0, 2.0]), gradient=0)
def polynomial_by_powers_of_the_index(x):
    return np.sum(x ** np.arange(3))


@item(2.0, gradient=0)
def constants_with_signs(x):
    return -2.0**2 * x + (-2.0) ** 2 * x - (-x) ** 2 + -x**2 - -1.0 * x


# ---- flags
@item(1.5, True, gradient=0, more=[(1.5, False)])
def flag_is_true(x, flag):
    return 2.0 * x if flag is True else 3.0 * x


@item(1.5, True, gradient=0, more=[(1.5, False)])
def flag_is_false(x, flag):
    return 2.0 * x if flag is False else 3.0 * x


@item(1.5, gradient=0, more=[(1.5, True)])
def default_flag_is_not_true(x, flag=False):
    return 2.0 * x if flag is not True else 3.0 * x


@item(1.5, more=[(-1.5,)])
def computed_flag_is_true(x):
    return (x > 0.0) is True, (x > 0.0) is False, (x > 0) is not False


@item(np.float64(1.5), more=[(np.array([1.0, -2.0]),)])
def numpy_bool_is_not_true(x):
    return np.all(x > 0.0) is True


@item(1.0)
def truth_of_containers(x):
    return (bool([0.0]), bool([x]), bool(()), bool([]), bool({}), bool((x,)), bool({"a": 0.0}), bool(""), bool("a"),
            not [], not [x])


@item(1.0)
def truth_of_views_and_ranges(x):
    d, e = {}, {"a": x}
    return (bool(d.items()), bool(e.items()), bool(d.keys()), bool(d.values()), bool(e.values()), bool(range(0)),
            bool(range(2)), bool(range(3, 1)))


@dataclass
class Nothing:
    pass


@item(1.0)
def truth_of_an_object_without_fields(x):
    nothing = Nothing()
    return x if nothing else -x


@item(3.0, gradient=0)
def if_of_a_range(x):
    total = x
    if range(0):
        total = total * 2.0
    if range(1):
        total = total * 5.0
    return total


@item(np.array([0.5, 2.0]), more=[(np.zeros(2),)], gradient=0)
def records_of_pythons_own(x):
    tiny, (major, minor, *_) = sys.float_info.epsilon, sys.version_info
    kept = np.clip(x, sys.float_info.min, sys.float_info.max) / (1.0 + tiny)
    return np.sum(kept ** 2) + (sys.version_info >= (3, 8)) + major + sys.version_info[1] - minor + sys.float_info.dig


@item(np.array([0.5, 2.0]), gradient=0)
def pairs_in_the_order_of_known_numbers_of_numpys(x):
    high, low = 0.8 * np.log(2.0 + 1.22 * 1.22), np.exp(-0.3) + 0.1
    return sum(w * v for w, v in sorted(zip([high, low], [x[0], 0.2]))) + x[1]
