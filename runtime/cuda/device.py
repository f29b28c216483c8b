"""What a thread of a GPU calls: the functions of `runtime.scalars` and `elementary` under the same names.

Ordinary Python, which numba compiles for the device; `backend.device_functions` makes them so.  A function that may
stop gives its value and whether it holds (`loops.stops`).  The numbers in a formula are whole and short: numba takes a
float32 and an int of 16 bits together as float32, but as float64 with any other number that is written.
"""
from __future__ import annotations

import math

import numpy as np

LOW, HIGH = -(2**63), 2**63 - 1
BLOCK = 1024
ONE, TWO = np.int16(1), np.int16(2)
# of random words; of 64 bits as they are, because numba makes floats of theirs with other ints
PARITY, WORD, WORD_BITS = np.uint64(0x1BD11BDA), np.uint64(0xFFFFFFFF), np.uint64(32)
R1, R2, R3, R4, R5, R6 = map(np.uint64, range(1, 7))
R13, R15, R16, R17, R24, R26, R29 = map(np.uint64, (13, 15, 16, 17, 24, 26, 29))


# integers --------------------------------------------------------------------------------------------
def gpu_index(i, n):
    return (i + n if i < 0 else i), -n <= i and i < n


def gpu_iadd(a, b):
    return a + b, a <= HIGH - b if b >= 0 else a >= LOW - b


def gpu_isub(a, b):
    return a - b, a >= LOW + b if b >= 0 else a <= HIGH + b


def gpu_fits(a, b):
    """Has a product 64 bits?"""
    if a == 0 or b == 0:
        return True
    if a == LOW or b == LOW:
        return a == 1 or b == 1
    most = HIGH // abs(b)
    least = (a ^ b) < 0 and HIGH % abs(b) == abs(b) - 1 and abs(a) == most + 1  # the product is LOW
    return abs(a) <= most or least


def gpu_imul(a, b):
    return a * b, gpu_fits(a, b)


def gpu_ineg(a):
    return -a, a != LOW


def gpu_ipow(a, b):
    result, square, holds = 1, a, True
    while b > 0:
        if b % 2:
            holds = holds and gpu_fits(result, square)
            result = result * square
        b = b // 2
        if b > 0:
            holds = holds and gpu_fits(square, square)
            square = square * square
        if not holds:
            return 0, False
    return result, holds


def gpu_wpow(a, b):
    result, square = 1, a
    rest = np.uint64(b)
    while rest > 0:
        if rest & np.uint64(1):
            result = result * square
        square = square * square
        rest = rest >> np.uint64(1)
    return result


def gpu_ishl(a, b):
    if a == 0:
        return 0, True
    if b >= 63:
        return 0, False
    return a << b, (a << b) >> b == a


def gpu_to_int(x):
    return (int(x), True) if -9223372036854775808.0 <= x and x < 9223372036854775808.0 else (0, False)


def gpu_to_int64(x):
    """As x86-64 has it: what does not fit is the least there is."""
    return int(x) if gpu_like(-9223372036854775808.0, x) <= x and x < gpu_like(9223372036854775808.0, x) else LOW


def gpu_to_int32(x):
    return np.int32(int(x)) if gpu_like(-2147483649.0, x) < x and x < gpu_like(2147483648.0,
                                                                               x) else np.int32(-2147483648)


def gpu_to_int16(x):
    return np.int16(gpu_to_int32(x))


def gpu_to_int8(x):
    return np.int8(gpu_to_int32(x))


def gpu_to_uint8(x):
    return np.uint8(gpu_to_int32(x))


def gpu_to_uint16(x):
    return np.uint16(gpu_to_int32(x))


def gpu_to_uint32(x):
    half = gpu_like(2147483648.0, x)
    return np.uint32(int(gpu_to_int32(x - half)) + 2147483648) if x >= half else np.uint32(gpu_to_int32(x))


def gpu_to_uint64(x):
    half = gpu_like(9223372036854775808.0, x)
    return (np.uint64(np.int64(gpu_to_int64(x - half))) ^ np.uint64(9223372036854775808) if x >= half
            else np.uint64(np.int64(gpu_to_int64(x))))


def gpu_turned(x0, x1, r):
    """One round of `threefry`."""
    x0 = (x0 + x1) & WORD
    return x0, (((x1 << r) | (x1 >> (WORD_BITS - r))) & WORD) ^ x0


def gpu_four(x0, x1, a, b, c, d):
    x0, x1 = gpu_turned(x0, x1, a)
    x0, x1 = gpu_turned(x0, x1, b)
    x0, x1 = gpu_turned(x0, x1, c)
    return gpu_turned(x0, x1, d)


def gpu_threefry(k0, k1, x0, x1):
    """`runtime.threefry` of words in 64 bits."""
    k2 = k0 ^ k1 ^ PARITY
    x0, x1 = (x0 + k0) & WORD, (x1 + k1) & WORD
    x0, x1 = gpu_four(x0, x1, R13, R15, R26, R6)
    x0, x1 = (x0 + k1) & WORD, (x1 + k2 + R1) & WORD
    x0, x1 = gpu_four(x0, x1, R17, R29, R16, R24)
    x0, x1 = (x0 + k2) & WORD, (x1 + k0 + R2) & WORD
    x0, x1 = gpu_four(x0, x1, R13, R15, R26, R6)
    x0, x1 = (x0 + k0) & WORD, (x1 + k1 + R3) & WORD
    x0, x1 = gpu_four(x0, x1, R17, R29, R16, R24)
    x0, x1 = (x0 + k1) & WORD, (x1 + k2 + R4) & WORD
    x0, x1 = gpu_four(x0, x1, R13, R15, R26, R6)
    return (((x0 + k2) & WORD) << WORD_BITS) | ((x1 + k0 + R5) & WORD)


def gpu_order(i, x):
    if x != x:
        return x
    whole = gpu_floor(x)
    if whole >= 9223372036854775808.0:
        return -1.0
    if whole < -9223372036854775808.0:
        return 1.0
    k = int(whole)
    return 1.0 if i > k else -1.0 if i < k or x != whole else 0.0


def gpu_clamp(i, n):
    return min(max(i + n if i < 0 else i, 0), n)


def gpu_span(start, stop):
    return max(stop - start, 0)


def gpu_slice_from(i, n, step):
    if i < 0:
        i += n
        return i if i >= 0 else -1 if step < 0 else 0
    return i if i < n else n - 1 if step < 0 else n


def gpu_slice_to(i, n, step):
    return gpu_slice_from(i, n, step)


def gpu_slice_count(start, stop, step):
    if step > 0:
        return (stop - start + step - 1) // step if stop > start else 0
    return (start - stop - step - 1) // -step if start > stop else 0


def gpu_trip_count(start, stop, step):
    return gpu_slice_count(start, stop, step)


def gpu_blocks(n):
    return (n + BLOCK - 1) // BLOCK


def gpu_block_end(block, n):
    return min((block + 1) * BLOCK, n)


# choices and sums --------------------------------------------------------------------------------------
def gpu_select(c, a, b):
    return a if c else b


def gpu_radd(a, b):
    return a + b


def gpu_rsub(a, b):
    return a - b


def gpu_rmul(a, b):
    return a * b


def gpu_fmax(a, b):
    return a if a > b or a != a else b if b != b or b > a else a if a != 0 else b


def gpu_fmin(a, b):
    return a if a < b or a != a else b if b != b or b < a else a if a != 0 else b


def gpu_most(a, b):
    return a + b if a == 0 and b == 0 else gpu_fmax(a, b)


def gpu_least(a, b):
    return -(-a - b) if a == 0 and b == 0 else gpu_fmin(a, b)


def gpu_add_exactly(total, error, value):
    new = total + value
    kept = new - total
    return new, error + ((total - (new - kept)) + (value - kept))


def gpu_added(total, error):
    return total + error if error == error else total


def gpu_search(a, x, left):
    low, high = 0, len(a)
    while low < high:
        middle = (low + high) // 2
        v = a[middle]
        before = (v < x or (x != x and v == v)) if left else not (x < v or (v != v and x == x))
        if before:
            low = middle + 1
        else:
            high = middle
    return low


# floats --------------------------------------------------------------------------------------------------
def gpu_fpow(a, b):
    result = math.pow(a, b)
    zero = a == 0 and b < 0
    fraction = a < 0 and b != gpu_floor(b) and math.fabs(a) < math.inf and math.fabs(b) < math.inf
    large = math.fabs(result) == math.inf and math.fabs(a) < math.inf and math.fabs(b) < math.inf
    return result, not (zero or fraction or large)


def gpu_powered(result, a):
    return result, math.fabs(result) < math.inf or result != result or math.fabs(a) == math.inf


def gpu_fdiv(a, b):
    """As NumPy's npy_divmod: the quotient of what the remainder leaves, rounded to a whole number."""
    if b == 0:
        return a / b
    rest = math.fmod(a, b)
    quotient = (a - rest) / b
    if rest != 0 and (b < 0) != (rest < 0):
        quotient = quotient - ONE
    if quotient == 0:
        return math.copysign(quotient, a / b)
    down = gpu_floor(quotient)
    return down + ONE if TWO * (quotient - down) > ONE else down


def gpu_sqrt(x):
    return math.sqrt(x)


def of_the_device(*args):
    """A function that `math` has not, or only for ints: `backend` puts that of the device in its place."""
    raise NotImplementedError


gpu_floor = gpu_ceil = gpu_trunc = gpu_rint = gpu_cbrt = gpu_exp2 = of_the_device
gpu_erfinv = gpu_nextafter = gpu_like = of_the_device


def gpu_fabs(x):
    return math.fabs(x)


def gpu_tan(x):
    return math.tan(x)


def gpu_sinh(x):
    return math.sinh(x)


def gpu_cosh(x):
    return math.cosh(x)


def gpu_arcsin(x):
    return math.asin(x)


def gpu_arccos(x):
    return math.acos(x)


def gpu_arctan(x):
    return math.atan(x)


def gpu_arctan2(y, x):
    return math.atan2(y, x)


def gpu_hypot(x, y):
    return math.hypot(x, y)


def gpu_arcsinh(x):
    return math.asinh(x)


def gpu_arccosh(x):
    return math.acosh(x)


def gpu_arctanh(x):
    return math.atanh(x)


def gpu_log2(x):
    return math.log2(x)


def gpu_log10(x):
    return math.log10(x)


def gpu_copysign(x, y):
    return math.copysign(x, y)


def gpu_fmod(x, y):
    return math.fmod(x, y)


def gpu_erf(x):
    return math.erf(x)


def gpu_erfc(x):
    return math.erfc(x)


def gpu_lgamma(x):
    return math.lgamma(x)


def gpu_gamma(x):
    return math.gamma(x)


def gpu_exp(x):
    return math.exp(x)


def gpu_expm1(x):
    return math.expm1(x)


def gpu_log(x):
    return math.log(x)


def gpu_log1p(x):
    return math.log1p(x)


def gpu_tanh(x):
    return math.tanh(x)


def gpu_sin(x):
    return math.sin(x)


def gpu_cos(x):
    return math.cos(x)


def gpu_erfinv_f8(x):
    return gpu_erfinv(x)


gpu_exp_f8 = gpu_exp_f4 = gpu_exp
gpu_expm1_f8 = gpu_expm1_f4 = gpu_expm1
gpu_log_f8 = gpu_log_f4 = gpu_log
gpu_log1p_f8 = gpu_log1p_f4 = gpu_log1p
gpu_tanh_f8 = gpu_tanh_f4 = gpu_tanh
gpu_sin_f8 = gpu_sin_f4 = gpu_sin
gpu_cos_f8 = gpu_cos_f4 = gpu_cos
gpu_erfinv_f4 = gpu_erfinv_f8
