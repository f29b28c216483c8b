"""Wrong or missing exceptions, and crashes."""
import collections
import math

import numpy as np

import gradscribe as gs
from tests.corpus.from_outside.classes import Vec
from tests.corpus.from_outside.table import X, item

SETTING = None


# ---- wrong or missing exceptions, and crashes
@item(2.5, more=[(-1.0,)])
def raise_with_the_value(x):
    if x > 0.0:
        raise ValueError(f"bad {x}")
    return x


@item(3, 2.5)
def raise_with_formatted_values(n, x):
    if n > 0:
        raise ValueError(f"bad {n} and {x:.3f} and {x!r:>10}", 3)
    return x


@item(X, 2.5)
def getattr_with_a_default(x, y):
    return (getattr(x, "shape", None), getattr(x, "missing", 5.0), getattr(Vec(y, y), "z", None),
            getattr(Vec(y, y), "x", None), getattr(y, "shape", "none"), getattr(SETTING, "limit", 3.0),
            hasattr(x, "shape"), hasattr(y, "shape"), hasattr(Vec(y, y), "z"))


@item(math.inf, more=[(-math.inf,), (1.0,), (math.nan,)])
def sine_of_infinity(x):
    return math.sin(x)


@item(1000.0, more=[(-1000.0,), (math.inf,)])
def exponential_out_of_range(x):
    return math.exp(x)


@item(np.array([2.5]))
def float_of_one_element(x):
    return float(x) * 2.0


@item(np.array([[2.5]]))
def conversions_of_one_element(x):
    return float(x), int(x), bool(x)


@item(np.array([2.5, 1.0]))
def float_of_two_elements(x):
    return float(x)


@item(2.0)
def wrong_call_of_a_helper(x):
    return helper_of_two(x)


@item(2.0)
def unknown_keyword_of_a_helper(x):
    return helper_of_two(x, b=1.0, c=2.0)


@item(2.0)
def too_many_for_a_helper(x):
    return helper_of_two(x, x, x)


@item(2.0)
def twice_for_a_helper(x):
    return helper_of_two(x, x, a=x)


def helper_of_two(a, b):
    return a * b


@item(2.0)
def wrong_call_of_a_builtin(x):
    return abs(x, x)


@item(2.0)
def wrong_call_of_a_lambda(x):
    return (lambda a, b: a * b)(x)


@item(X)
def math_of_an_array(x):
    return math.sqrt(x)


@item(np.array([4.0]), gradient=None, more=[(np.array(4.0),), (np.array([[4.0]]),)])
def math_of_one_element(x):
    return math.sqrt(x)


@item(1.0)
def too_few_for_a_star(x):
    a, b, *c = [x]
    return a


@item(1.0)
def too_many_to_unpack(x):
    a, b = [x, x, x]
    return a


@item(1.0)
def too_few_to_unpack(x):
    a, b, c = (x, x)
    return a


C = [0.5, 0.25]
TABLEAU = [[0.0, 0.0], [0.5, 0.0]]


@item(1.0, 4, gradient=0)
def list_of_floats_read_in_a_loop(x, n):
    for _ in range(n):
        x = x + C[0] * x
    return x


@item(1.0, 4, gradient=0)
def butcher_tableau(x, n):
    for _ in range(n):
        k1 = -x
        k2 = -(x + 0.1 * TABLEAU[1][0] * k1)
        x = x + 0.1 * (C[0] * k1 + C[1] * k2)
    return x


@item(np.arange(12.0).reshape(3, 4), gradient=0)
def column_of_the_loops_index(x):
    total = 0.0
    for k in range(4):
        total = total + np.sum(x[:, k:k + 1] * x[:, :1])
    return total


@item(np.arange(12.0).reshape(3, 4), 2, more=[(np.arange(12.0).reshape(3, 4), 3), (np.arange(12.0).reshape(3, 4), 4),
                                              (np.arange(12.0).reshape(3, 4), -1)], message=False)
def column_of_an_argument(x, k):
    return x[:, k:k + 1] * np.ones((3, 2))


@item(np.arange(4.0), gradient=0)
def rows_as_slices(x):
    y = np.zeros((4, 4))
    for k in range(4):
        y[:, k:k + 1] = (x * k).reshape(4, 1)
    return np.sum(y * y)


@item(2.0, gradient=0)
def inner_function_that_rebinds_its_own_variable(x):
    scale = x

    def step(y):
        s = scale
        for _ in range(2):
            s = s * y
        return s
    for _ in range(3):
        x = x - 0.001 * gs.grad(step)(x)
    return x


@item(np.array([1.0, 2.0, 3.0]), np.float64(2.0))
def stacks_of_odd_things(x, s):
    return (np.vstack(x), np.vstack((s, s)), np.hstack((s, s)), np.hstack(x), np.vstack((x, x)), np.hstack((x, s)),
            np.vstack((1.0, s)))


@item(1.0, 2.0)
def linspace_of_one_point(a, b):
    return np.linspace(a, b, 1), np.linspace(a, b, 0), np.linspace(a, b, 1, endpoint=False)


@item(X)
def expand_several_axes(x):
    return np.expand_dims(x, (0, 2)), np.expand_dims(x, -1), np.expand_dims(x, (0, -1))


@item(np.array([[3.0, 1.0], [2.0, 0.0]]), np.array([[3, 1], [2, 0]]))
def sort_of_all(x, n):
    return np.sort(x, axis=None), np.sort(n, axis=None)


@item(np.array(2.5), more=[(np.float64(2.5),)])
def reductions_of_no_axes(x):
    return np.sum(x, axis=0), np.max(x, axis=0), np.min(x, axis=0), np.sum(x), np.mean(x)


@item(np.array(2.5), message=False)
def reduction_of_no_axes_along_a_wrong_one(x):
    return np.sum(x, axis=1)


@item(2.0)
def constant_that_overflows(x):
    return 10.0**400 * x


@item(2.0)
def constant_that_overflows_by_a_name(x):
    big = 1e300
    return big**3 * x


@item(1e300, 3, more=[(10.0, 400), (2.0, 3)])
def power_that_overflows(x, n):
    return x**n


@item(math.inf, more=[(math.nan,), (2.7,), (-2.7,), (-0.0,)])
def int_of_a_float(x):
    return int(x)


@item(2.0, False, more=[(2.0, True)])
def constant_that_raises_in_a_branch(x, flag):
    if flag:
        return 1 / 0
    return x


@item(2.0, False, more=[(2.0, True)])
def index_that_raises_in_a_branch(x, flag):
    a = [x]
    return a[3] if flag else a[0]


@item(2.0, False, more=[(2.0, True)])
def math_that_raises_in_a_branch(x, flag):
    return math.sqrt(-1.0) * x if flag else x


@item(2.0, compiled_refuses="float16 in a function that is compiled")
def root_of_a_bool(x):
    return np.sqrt(not 1), np.sqrt(True), np.exp(not 0), np.sin(x > 1.0), np.sqrt(x > 1.0)


@item(collections.OrderedDict(a=2.0, b=3.0))
def copy_of_an_ordered_dict(d):
    e = d.copy()
    e["a"] = e["a"] * 2.0
    return e, d


@item(4)
@item(-2, refused="a negative number to a fractional power", more=[(-8,)])
def complex_power_that_is_not_used(n):
    y = pow(n, 0.5)
    return n


@item(4.0)
@item(-2.0, refused="a negative number to a fractional power")
def complex_power(x):
    return x**0.5


@item(-5.0, 0.0, more=[(1.0, 0.0), (-5.0, 2.0), (0.5, 0.5)])
def both_operands_of_and(x, y):
    return (x > 0.0) & (1 / y > 1.0)


@item(5.0, math.nan, more=[(5.0, 2.0), (-1.0, 0.5)])
def both_operands_of_or(x, y):
    return (x > 0.0) | (int(y) > 1)


@item(-5, math.nan, message=False, more=[(1, 2.5), (3, 2.5)])
def in_a_range_that_raises(x, y):
    return x in range(int(y))
