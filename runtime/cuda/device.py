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
def index(i, n):
    return (i + n if i < 0 else i), -n <= i and i < n


def iadd(a, b):
    return a + b, a <= HIGH - b if b >= 0 else a >= LOW - b


def isub(a, b):
    return a - b, a >= LOW + b if b >= 0 else a <= HIGH + b


def fits(a, b):
    """Has a product 64 bits?"""
    if a == 0 or b == 0:
        return True
    if a == LOW or b == LOW:
        return a == 1 or b == 1
    most = HIGH // abs(b)
    least = (a ^ b) < 0 and HIGH % abs(b) == abs(b) - 1 and abs(a) == most + 1  # the product is LOW
    return abs(a) <= most or least


def imul(a, b):
    return a * b, fits(a, b)


def ineg(a):
    return -a, a != LOW


def ipow(a, b):
    result, square, holds = 1, a, True
    while b > 0:
        if b % 2:
            holds = holds and fits(result, square)
            result = result * square
        b = b // 2
        if b > 0:
            holds = holds and fits(square, square)
            square = square * square
        if not holds:
            return 0, False
    return result, holds


def wpow(a, b):
    result, square = 1, a
    rest = np.uint64(b)
    while rest > 0:
        if rest & np.uint64(1):
            result = result * square
        square = square * square
        rest = rest >> np.uint64(1)
    return result


def ishl(a, b):
    if a == 0:
        return 0, True
    if b >= 63:
        return 0, False
    return a << b, (a << b) >> b == a


def to_int(x):
    return (int(x), True) if -9223372036854775808.0 <= x and x < 9223372036854775808.0 else (0, False)


def to_int64(x):
    """As x86-64 has it: what does not fit is the least there is."""
    return int(x) if like(-9223372036854775808.0, x) <= x and x < like(9223372036854775808.0, x) else LOW


def to_int32(x):
    return np.int32(int(x)) if like(-2147483649.0, x) < x and x < like(2147483648.0, x) else np.int32(-2147483648)


def to_int16(x):
    return np.int16(to_int32(x))


def to_int8(x):
    return np.int8(to_int32(x))


def to_uint8(x):
    return np.uint8(to_int32(x))


def to_uint16(x):
    return np.uint16(to_int32(x))


def to_uint32(x):
    half = like(2147483648.0, x)
    return np.uint32(int(to_int32(x - half)) + 2147483648) if x >= half else np.uint32(to_int32(x))


def to_uint64(x):
    half = like(9223372036854775808.0, x)
    return (np.uint64(np.int64(to_int64(x - half))) ^ np.uint64(9223372036854775808) if x >= half
            else np.uint64(np.int64(to_int64(x))))


def turned(x0, x1, r):
    """One round of `threefry`."""
    x0 = (x0 + x1) & WORD
    return x0, (((x1 << r) | (x1 >> (WORD_BITS - r))) & WORD) ^ x0


def four(x0, x1, a, b, c, d):
    x0, x1 = turned(x0, x1, a)
    x0, x1 = turned(x0, x1, b)
    x0, x1 = turned(x0, x1, c)
    return turned(x0, x1, d)


def threefry(k0, k1, x0, x1):
    """`runtime.threefry` of words in 64 bits."""
    k2 = k0 ^ k1 ^ PARITY
    x0, x1 = (x0 + k0) & WORD, (x1 + k1) & WORD
    x0, x1 = four(x0, x1, R13, R15, R26, R6)
    x0, x1 = (x0 + k1) & WORD, (x1 + k2 + R1) & WORD
    x0, x1 = four(x0, x1, R17, R29, R16, R24)
    x0, x1 = (x0 + k2) & WORD, (x1 + k0 + R2) & WORD
    x0, x1 = four(x0, x1, R13, R15, R26, R6)
    x0, x1 = (x0 + k0) & WORD, (x1 + k1 + R3) & WORD
    x0, x1 = four(x0, x1, R17, R29, R16, R24)
    x0, x1 = (x0 + k1) & WORD, (x1 + k2 + R4) & WORD
    x0, x1 = four(x0, x1, R13, R15, R26, R6)
    return (((x0 + k2) & WORD) << WORD_BITS) | ((x1 + k0 + R5) & WORD)


def order(i, x):
    if x != x:
        return x
    whole = floor(x)
    if whole >= 9223372036854775808.0:
        return -1.0
    if whole < -9223372036854775808.0:
        return 1.0
    k = int(whole)
    return 1.0 if i > k else -1.0 if i < k or x != whole else 0.0


def clamp(i, n):
    return min(max(i + n if i < 0 else i, 0), n)


def span(start, stop):
    return max(stop - start, 0)


def slice_from(i, n, step):
    if i < 0:
        i += n
        return i if i >= 0 else -1 if step < 0 else 0
    return i if i < n else n - 1 if step < 0 else n


def slice_to(i, n, step):
    return slice_from(i, n, step)


def slice_count(start, stop, step):
    if step > 0:
        return (stop - start + step - 1) // step if stop > start else 0
    return (start - stop - step - 1) // -step if start > stop else 0


def trip_count(start, stop, step):
    return slice_count(start, stop, step)


def blocks(n):
    return (n + BLOCK - 1) // BLOCK


def block_end(block, n):
    return min((block + 1) * BLOCK, n)


# choices and sums --------------------------------------------------------------------------------------
def select(c, a, b):
    return a if c else b


def radd(a, b):
    return a + b


def rsub(a, b):
    return a - b


def rmul(a, b):
    return a * b


def fmax(a, b):
    return a if a > b or a != a else b if b != b or b > a else a if a != 0 else b


def fmin(a, b):
    return a if a < b or a != a else b if b != b or b < a else a if a != 0 else b


def most(a, b):
    return a + b if a == 0 and b == 0 else fmax(a, b)


def least(a, b):
    return -(-a - b) if a == 0 and b == 0 else fmin(a, b)


def add_exactly(total, error, value):
    new = total + value
    kept = new - total
    return new, error + ((total - (new - kept)) + (value - kept))


def added(total, error):
    return total + error if error == error else total


def search(a, x, left):
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
def fpow(a, b):
    result = math.pow(a, b)
    zero = a == 0 and b < 0
    fraction = a < 0 and b != floor(b) and math.fabs(a) < math.inf and math.fabs(b) < math.inf
    large = math.fabs(result) == math.inf and math.fabs(a) < math.inf and math.fabs(b) < math.inf
    return result, not (zero or fraction or large)


def powered(result, a):
    return result, math.fabs(result) < math.inf or result != result or math.fabs(a) == math.inf


def fdiv(a, b):
    """As NumPy's npy_divmod: the quotient of what the remainder leaves, rounded to a whole number."""
    if b == 0:
        return a / b
    rest = math.fmod(a, b)
    quotient = (a - rest) / b
    if rest != 0 and (b < 0) != (rest < 0):
        quotient = quotient - ONE
    if quotient == 0:
        return math.copysign(quotient, a / b)
    down = floor(quotient)
    return down + ONE if TWO * (quotient - down) > ONE else down


def sqrt(x):
    return math.sqrt(x)


def of_the_device(*args):
    """A function that `math` has not, or only for ints: `backend` puts that of the device in its place."""
    raise NotImplementedError


floor = ceil = trunc = rint = cbrt = exp2 = erfinv = nextafter = like = of_the_device


def fabs(x):
    return math.fabs(x)


def tan(x):
    return math.tan(x)


def sinh(x):
    return math.sinh(x)


def cosh(x):
    return math.cosh(x)


def arcsin(x):
    return math.asin(x)


def arccos(x):
    return math.acos(x)


def arctan(x):
    return math.atan(x)


def arctan2(y, x):
    return math.atan2(y, x)


def hypot(x, y):
    return math.hypot(x, y)


def arcsinh(x):
    return math.asinh(x)


def arccosh(x):
    return math.acosh(x)


def arctanh(x):
    return math.atanh(x)


def log2(x):
    return math.log2(x)


def log10(x):
    return math.log10(x)


def copysign(x, y):
    return math.copysign(x, y)


def fmod(x, y):
    return math.fmod(x, y)


def erf(x):
    return math.erf(x)


def erfc(x):
    return math.erfc(x)


def lgamma(x):
    return math.lgamma(x)


def gamma(x):
    return math.gamma(x)


def exp(x):
    return math.exp(x)


def expm1(x):
    return math.expm1(x)


def log(x):
    return math.log(x)


def log1p(x):
    return math.log1p(x)


def tanh(x):
    return math.tanh(x)


def sin(x):
    return math.sin(x)


def cos(x):
    return math.cos(x)


def erfinv_f8(x):
    return erfinv(x)


exp_f8 = exp_f4 = exp
expm1_f8 = expm1_f4 = expm1
log_f8 = log_f4 = log
log1p_f8 = log1p_f4 = log1p
tanh_f8 = tanh_f4 = tanh
sin_f8 = sin_f4 = sin
cos_f8 = cos_f4 = cos
erfinv_f4 = erfinv_f8
