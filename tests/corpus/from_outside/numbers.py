"""Numbers: single precision, numbers on one path, integers out of range, imports, linspace."""
# ruff: noqa: F401  programs import what they do not use
import math

import numpy as np

from tests.corpus.from_outside.table import X, item

# ---- numbers
F32 = np.float32


@item(F32(1e30), more=[(F32(0.1),), (F32(-2.5),)])
def float_of_a_single(x):
    return float(x) ** 2


@item(F32(0.5), gradient=0)
def float_of_a_single_in_math(x):
    return math.sin(float(x)) * float(x)


@item(F32(0.1), gradient=0)
def sum_in_double_of_singles(x):
    total = 0.0
    for _ in range(10):
        total += float(x)
    return total


@item(True, F32(0.3), more=[(False, F32(0.3))])
def number_that_joins_a_single(c, x):
    y = 0.1 if c else x
    return y * np.float64(1.0)


@item(F32(9), more=[(F32(11),)])
def largest_of_a_number_and_a_single(x):
    return max(10.1, x), min(10.1, x), max(x, 10.1)


@item(np.uint64(9))
def largest_of_a_negative_and_an_unsigned(x):
    return max(-1, x), min(-1, x), max(x, -1)


@item(True, np.uint8(7), more=[(False, np.uint8(7))])
def number_out_of_range_in_a_branch(c, x):
    y = 300 if c else x
    return y


@item(X, 1, more=[(X, 2), (X, True), (X, 0)])
def int_beside_a_fraction(x, n):
    if 1.5 == n or 2 == n:
        return x
    return 0


@item(X, 0, more=[(X, 1)])
def int_below_a_fraction(x, n):
    y = x
    if not n < 0.5:
        y = None
    return y


@item(3, more=[(-2,)])
def int_beside_what_is_no_number(n):
    if n != float("inf") and n != math.nan:
        y = ()
    else:
        y = n
    return y


@item(0.5, gradient=0, more=[(-2.0,)])
def clipped_between_itself(x):
    return np.clip(x, x, x) * np.clip(x, x, 1.0)


@item(0.25, -2)
def full_of_an_int_on_one_path(a, b):
    return np.full(3, a if a == 0 else b)


@item(X, 0.0, more=[(X, 1.0), (X, 5.0)])
def bools_of_two_classes(x, d):
    t = bool(x[0] < d)
    u = np.bool_(x[0] < d)
    return (d > 0.75 and np.bool_(True), True if x[0] < d else bool(x[1] > d), bool(u) if u else bool(x[1] > d),
            np.bool_(t) if t else np.bool_(x[1] > d))


@item(2.0, more=[(0.0,)])
def times_a_number_that_is_an_int_on_one_path(x):
    if x:
        x = 0
    return () * x


@item(np.uint32(6), refused="a number that has another type on each path")
def power_of_a_bool_of_either_class(x):
    b = x * x <= x or {"a": x} == {"a": x}
    return pow(b, -2)


@item(0.5, refused="the imaginary part of an array of reals")
def store_into_the_zeros_of_imag(x):
    s = np.imag([x])
    s[-1] -= 1.0
    return s


@item(2)
@item(0.0)
def shift_of_a_number_that_is_an_int_on_one_path(x):
    z = x
    if z == 0.0:
        z = 1
    return np.bitwise_left_shift(z, 6)


@item(np.int32(7), more=[(np.float64(4.0),)])
def store_by_a_bool_into_a_number(x):
    x[x > 0] *= 2.5
    return x


@item(3.0)
def resized_to_an_array_of_lengths(x):
    return np.resize([x, 2.0], np.array([3, 1])), np.resize([], np.array([3, 0]))


@item(3.0, refused="np.gradient at coordinates that are bools")
def gradient_at_coordinates_that_are_bools(x):
    return np.gradient([1.0, x], [True, False])


@item(0.5, gradient=0)
def imports_inside(x):
    import math
    import os.path
    from math import pi, sin as sine

    import numpy.linalg as la
    import scipy.special
    from numpy import linalg
    from scipy.special import erf

    def helper(y):
        from numpy import exp
        return exp(y)

    assert os.path is not None
    return (math.cos(x) * pi + sine(x) + erf(x) + scipy.special.erfc(2 * x) + la.norm(np.array([x, 1.0])) + helper(x)
            + linalg.norm([x, 2.0]))


@item(0.5, gradient=0, more=[(-0.5,)])
def import_on_one_path(x):
    y = x
    if x > 0:
        from math import exp
        y = exp(x)
    return y


@item(0.5)
def imported_after_it_is_read(x):
    y = math.sin(x)
    import math
    return y


@item(0.5)
def import_of_what_a_module_lacks(x):
    from math import sinn
    return sinn(x)


@item(-1.0, 2.0, more=[(-1.0, 0.5), (-1.0, 3.0)])
def numpy_power_of_a_negative_constant(c, x):
    return np.power(-1.0, x), np.power(c, x)


@item(2.0, more=[(3.0,), (-3.0,), (0.5,), (0.0,)])
def minus_infinity_to_a_power(x):
    return (-np.inf) ** x


@item(2.0, more=[(3.0,), (0.0,)])
def minus_infinity_to_a_numpy_power(x):
    return np.power(-np.inf, x), (-math.inf) ** np.float64(x), np.float64(-np.inf) ** x


@item(np.array([250, 3], np.uint8), 300, more=[(np.array([250, 3], np.uint8), 5), (np.array([250, 3], np.uint8), -1)])
def augmented_by_a_number_out_of_range(a, n):
    a += n
    return a


@item(np.array([250, 3], np.uint8), 300, more=[(np.array([250, 3], np.uint8), 5), (np.array([250, 3], np.uint8), -1)])
def store_of_a_number_out_of_range(a, n):
    a[1] = n
    return a


@item(300, more=[(5,), (-1,)])
def full_of_a_number_out_of_range(n):
    return np.full(2, n, np.uint8)


@item(np.array([1, 2, 3]), math.nan,
      more=[(np.array([1, 2, 3]), 2.7), (np.array([1, 2, 3]), math.inf), (np.array([1, 2, 3]), 1e30)])
def float_stored_into_ints(a, x):
    a[1] = x
    return a


@item(2**53, 2.0**53)
def exact_comparison_of_int_and_float(n, x):
    return n + 1 == x, n == x, n + 1 > x, n + 1 >= x, n - 1 < x, n + 1 <= x, n + 1 != x


@item(np.int64(-(2**63)), np.int64(-1))
def smallest_by_minus_one(a, b):
    return a // b, a % b


@item(np.array([-(2**63), 7]), np.array([-1, -1]))
def smallest_by_minus_one_in_arrays(a, b):
    return a // b, a % b, abs(a), -a


@item(-(2**63), -1, compiled_refuses="does not fit into a 64-bit integer")
def smallest_python_int_by_minus_one(a, b):
    return a // b


@item(np.array([-0.0, 0.0, -1.0]), more=[(np.array([-0.0]),), (np.array([-0.0, -0.0]),)])
def sign_of_zero(x):
    return (np.clip(x, 0.0, 1.0), np.clip(x, -1.0, -0.0), np.cumsum(x), np.amax(x), np.amin(x), np.sum(x),
            np.maximum(x, 0.0), np.minimum(x, 0.0), np.maximum(x, -0.0), np.abs(x), -x, x + 0.0, x * 0.0, x - 0.0,
            np.max(x), np.sort(x))


@item(np.array([200, 100, 3]))
def sums_in_a_small_dtype(x):
    return (np.sum(x, dtype=np.uint8), np.sum(x, dtype=np.int16), np.sum(x, dtype=bool), np.sum(x, dtype=np.float32),
            np.mean(x, dtype=np.float32), np.cumsum(x, dtype=np.uint8), x.sum(dtype=np.int8))


@item(np.array([0.1, 0.7, 300.2]))
def sums_of_floats_in_a_small_dtype(x):
    return (np.sum(x, dtype=np.int16), np.sum(x, dtype=np.float32), np.mean(x, dtype=np.float32),
            np.sum(x, dtype=np.int64))


@item(5, 2, more=[(5, 0), (5, 62), (-5, 70), (0, 100)])
def shifts(a, n):
    return a >> n


@item(5, -1)
def shift_right_by_a_negative_count(a, n):
    return a >> n


@item(5, -1)
def shift_left_by_a_negative_count(a, n):
    return a << n


@item(5, 2, more=[(1, 62), (0, 100), (5, 0)])
def shift_left(a, n):
    return a << n


@item(5, 70, compiled_refuses="does not fit into a 64-bit integer")
def shift_left_by_too_many(a, n):
    return a << n


@item(np.array([5, -5]), np.array([70, -1]))
def shifts_of_arrays(a, n):
    return a >> n, a << n, np.right_shift(a, n), np.left_shift(a, n)


@item(np.array([1, 2, 3], np.uint8), math.inf,
      more=[(np.array([1, 2, 3], np.uint8), 1e30), (np.array([1, 2, 3], np.uint8), math.nan)])
def too_large_floats_stored_into_small_ints(a, x):
    a[0] = x
    return a


@item(np.array([1.0, 2.0, 3.0]), gradient=0)
def add_at(x):
    out = np.zeros(3)
    np.add.at(out, np.array([0, 0, 2]), x)
    return out[0] * out[2]


@item(np.array([1, 2, 3], np.uint8), 300,
      more=[(np.array([1, 2, 3], np.uint8), 2), (np.array([1, 2, 3], np.uint8), -1)])
def add_at_of_a_number_out_of_range(a, n):
    np.add.at(a, np.array([0, 0]), n)
    return a


@item(np.array([7, 200], np.uint8), 2.5,
      more=[(np.array([7, -100], np.int8), -2.5), (np.array([7, -100], np.int16), 0.5)])
def remainders_of_small_ints_with_floats(a, x):
    return a % x, divmod(a, x), a**x, a // x, x % a, x**a, a[0] % x, divmod(a[0], x), pow(a[0], x), a[1] // x, x % a[0]


# ---- arguments of functions
@item(np.array([0.0, 1.0]))
def linspace_of_arrays(x):
    return np.linspace(x, x + 2.0, 3), np.linspace(x, 5.0, 2)


@item(0.5, gradient=0)
def linspace_of_numbers(x):
    return np.sum(np.linspace(x, 2.0, 5) ** 2)


@item(0.5)
def linspace_with_retstep(x):
    return np.linspace(x, 2.0, 5, retstep=True)


@item(0.5)
def linspace_of_a_dtype(x):
    return np.linspace(x, 2.0, 5, dtype=np.float32), np.linspace(x, 2.0, num=4, endpoint=False)


@item(1.5, np.array([[1.0, 2.0], [3.0, 4.0]]), more=[(-1.5, np.array([[1.0, 2.0], [3.0, 4.0]]))], gradient=0)
def number_or_row_of_what_one_path_makes(x, a):
    z = 0.5
    for k in range(2):
        if x > k:
            z = (x * a)[k] ** 2
    return np.sum(z) + x
