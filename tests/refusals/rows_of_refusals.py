"""Programs of the rows of docs/language.md's table of refusals: what is refused, and what is written instead."""
import contextlib
import heapq
import logging
import time
import warnings
from collections import defaultdict

import numpy as np
import scipy.optimize
import scipy.special

import gradscribe as gs

X = np.array([0.5, 1.5, 0.25])
HISTORY: list = []
NOW = time.time()
LOGGER = logging.getLogger("gradscribe.rows")
RECORDS = np.array([(1.0, 2), (3.0, 4), (5.0, 6)], [("x", float), ("n", int)])
DATA_ARRAY = type("DataArray", (), {"__module__": "xarray.core.dataarray", "to_numpy": lambda self: X})()  # a stand-in


class DataFrame:  # a stand-in
    __module__, columns = "pandas", ["a"]

    def __getitem__(self, name):
        return Series()


class Series:
    __module__, values = "pandas", X

    def to_numpy(self):
        return self.values


TABLE = DataFrame()


def a_set(x):
    return x[0] * len({x[1], 2.0})


def a_tuple(x):
    return x[0] * len((x[1], 2.0))


def caught(x):
    try:
        total = sum(v / np.sum(x) for v in x)
    except* ZeroDivisionError:
        total = 0.0
    return total


def divided(x):
    total = np.sum(x)
    return sum(v / total for v in x) if total != 0.0 else 0.0


def within_errstate(x):
    with np.errstate(all="raise"):
        return np.sum(np.log(x))


def result_tested(x):
    y = np.log(x)
    if not np.all(np.isfinite(y)):
        raise FloatingPointError("invalid value encountered in log")
    return np.sum(y)


def redirected(x):
    with contextlib.redirect_stdout(None):
        return np.sum(x * x)


def squares(x):
    return np.sum(x * x)


def class_inside(x):
    class Point:
        scale = 2.0
    return Point.scale * np.sum(x)


class Point:
    scale = 2.0


def class_outside(x):
    return Point.scale * np.sum(x)


def awaited_inside(x):
    async def given():
        return 2.0
    return np.sum(x) * 2.0


def awaited_outside(x, given=2.0):
    return np.sum(x) * given


def noisy(x):
    return np.sum(x + np.random.normal(size=3))


def keyed(x, key=gs.random.key(0)):
    return np.sum(x + gs.random.normal(key, x.shape, np.float64))


def timed(x):
    return np.sum(x) * time.time()


def timed_outside(x):
    return np.sum(x) * NOW


def remembers(x):
    HISTORY.append(np.sum(x))
    return np.sum(x * x)


def hands_on(x):
    return gs.grad(lambda x: (np.sum(x * x), np.sum(x)), has_aux=True)(x)[0] @ x


def ordered(x):
    z = x + 1j * x
    return np.sum(np.where(z < 1.0, x, 0.0))


def parts_ordered(x):
    z = x + 1j * x
    return np.sum(np.where(z.real < 1.0, x, 0.0))


def erf_of_complex(x):
    return np.sum(scipy.special.erf(x + 1j * x).real)


def erf_of_real(x):
    return np.sum(scipy.special.erf((x + 1j * x).real))


def without_rule(x):
    return np.sum(np.asarray_chkfinite(x) ** 2)


def own_function(x):
    if not np.all(np.isfinite(x)):
        raise ValueError("array must not contain infs or NaNs")
    return np.sum(x ** 2)


def drawn_in_a_loop(x):
    rng, k = np.random.default_rng(5), 0
    total = rng.normal() * x[0]
    while k < 2 and total < 1e3 * x[0]:
        k, total = k + 1, total + rng.normal() * x[0]
    return total


def drawn_in_a_branch(x):
    rng = np.random.default_rng(5)
    total = rng.normal() * x[0] if x[0] > 0.0 else 0.0 * x[0]
    return total + np.sum(rng.normal(size=2)) * x[0]


def drawn_before(x):
    noise, k = np.random.default_rng(5).normal(size=3), 1
    total = noise[0] * x[0]
    while k < 3 and total < 1e3 * x[0]:
        k, total = k + 1, total + noise[k] * x[0]
    return total


def solved(x):
    return scipy.optimize.fsolve(lambda t: t * t - x[0], 1.0)[0]


def iterated(x):
    t = 1.0
    for _ in range(30):
        t = t - (t * t - x[0]) / (2.0 * t)
    return t


def grouped_by_the_run(x):
    groups = {}
    for v in x:
        groups.setdefault(int(v > 1.0), []).append(v)
    return sum(np.sum(np.array(group)) ** 2 for group in groups.values())


def grouped_by_masks(x):
    return np.sum(x[x > 1.0]) ** 2 + np.sum(x[x <= 1.0]) ** 2


def keyed_by_two_kinds(x):
    sums = {"first": x[0]}
    for v in x:
        sums[int(v > 1.0)] = v
    return sums[0] + sums["first"]


def changed_in_its_loop(x):
    found = {int(10 * v): v for v in x}
    for key in found:
        found[key + 1] = x[0]
    return sum(found.values())


def changed_in_a_loop_over_a_list(x):
    found = {int(10 * v): v for v in x}
    for key in list(found):
        found[key + 1] = x[0]
    return sum(found.values())


def of_either_class(x):
    u = [0.0] * int(6.2 * x[0])
    u[0] = x[1]
    return u[int(x[0])]


def of_either_class_compiled(x):
    return gs.jit(of_either_class)(x)


def of_one_class(x):
    return float(of_either_class(x))


def placed_in_an_array(x):
    sums = np.zeros(2)
    for v in x:
        sums[int(v > 1.0)] += v
    return sums @ sums


def keys_in_any_order(x):
    seen = {}
    for v in x:
        seen["high" if v > 1.0 else "low"] = v
    return sum(k * v for k, v in enumerate(seen.values()))


def keys_from_the_start(x):
    seen = {"high": 0.0, "low": 0.0}
    for v in x:
        seen["high" if v > 1.0 else "low"] = v
    return sum(k * v for k, v in enumerate(seen.values()))


def key_on_one_path(x):
    seen = {"low": x[0]}
    if x[1] > 1.0:
        seen["high"] = x[1]
    return list(seen.values())[0]


def keys_on_both_paths(x):
    seen = {"low": x[0], "high": 0.0}
    if x[1] > 1.0:
        seen["high"] = x[1]
    return list(seen.values())[0]


def merged(x):
    return sum([k * v for k, v in enumerate(heapq.merge([x[0], x[1]], [x[2]]))])


def sorted_together(x):
    return sum([k * v for k, v in enumerate(sorted([*[x[0], x[1]], *[x[2]]]))])


def given_defaults(x):
    return gs.grad(lambda d: np.sum(d["x"] ** 2))(defaultdict(float, x=x))["x"] @ x


def given_a_dict(x):
    return gs.grad(lambda d: np.sum(d["x"] ** 2))(dict(defaultdict(float, x=x)))["x"] @ x


def filled_inside(x):
    return gs.jit(returns_defaults)(x)["a"]


def returns_defaults(x):
    d = defaultdict(lambda: 1.0)
    d["a"] *= x[0]
    return d


def filled_and_plain(x):
    return gs.jit(lambda x: dict(returns_defaults(x)))(x)["a"]


def records_added(x):
    return np.sum((RECORDS + RECORDS)["x"]) * x[0]


def columns_added(x):
    return np.sum(RECORDS["x"] + RECORDS["x"]) * x[0]


def a_record_returned(x):
    return gs.jit(lambda p: p[0])(RECORDS)["x"] * x[0]


def its_fields_returned(x):
    return gs.jit(lambda p: p[0]["x"])(RECORDS) * x[0]


def records_of_names(x):
    return np.zeros(3, [("name", "U3"), ("x", float)])["x"] @ x


def names_in_a_list(x):
    return np.zeros(3, [("x", float)])["x"] @ x


def table_returned(x):
    return gs.jit(lambda df: df)(TABLE)["a"].values @ x


def columns_returned(x):
    return gs.jit(lambda df: df["a"].values)(TABLE) @ x


def mean_of_a_column(x):
    return TABLE["a"].mean() * x[0]


def mean_of_an_array(x):
    return np.mean(TABLE["a"].to_numpy()) * x[0]


def labelled(x):
    return np.sum(DATA_ARRAY * x)


LABELLED = DATA_ARRAY.to_numpy()


def unlabelled(x):
    return np.sum(LABELLED * x)


def traceback_logged(x):
    LOGGER.exception("failed")
    return np.sum(x)


def traceback_asked(x):
    LOGGER.error("failed", exc_info=True)
    return np.sum(x)


def list_logged(x):
    LOGGER.info("%s", [x[0], x[1]])
    return np.sum(x)


def text_logged(x):
    LOGGER.error(f"failed at {x[0]:.3f} and {x[1]:.3f}")
    return np.sum(x * x)


def filtered_inside(x):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.warn("rough")
    return np.sum(x)


def filtered_outside(x):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.warn("rough")
    return np.sum(x * x)


def pauses(x):
    time.sleep(0.0)
    return np.sum(x)


def array_or_number(x):
    y = x * 2.0 if x[0] > 0.1 else 0.0
    return np.sum(gs.grad(lambda y: np.sum(y**2))(y))


def array_on_both(x):
    y = x * 2.0 if x[0] > 0.1 else np.zeros(3)
    return np.sum(gs.grad(lambda y: np.sum(y**2))(y))
