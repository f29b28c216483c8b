"""Pull-backs that are called again; dtypes, powers, division and rounding."""
import numpy as np

from tests.corpus.pitfalls.table import trap, vector

# ---------------------------------------------------------------------------------------------------------------------
# Pull-backs that are called again


@trap(
    construct="a pull-back called twice: a tape of known length",
    args=lambda: (vector(0.3, -0.2, 0.4), 3),
    note="The pull-back reads its tape from the end and must leave it, and the residuals, as they were.",
)
def overwritten_many_times(x, steps):
    """An array overwritten nonlinearly at every step."""
    u = x.copy()
    for _ in range(steps):
        u[1:] = u[1:] * u[:-1] + np.sin(u[1:])
    return u


@trap(
    construct="a pull-back called twice: a tape that grows",
    args=lambda: (2.3,),
    gradient=lambda a: (1.0 / 3.0 * a ** (-2.0 / 3.0),),
    rtol=1e-9,
    note="A data-dependent number of steps: the count too must survive the first call. The gradient on paper is "
    "the cube root's, to the loop's tolerance.",
)
def iterated_until_small(a):
    """Newton's method for a cube root."""
    x = a
    while abs(x * x * x - a) > 1e-10:
        x = x - (x * x * x - a) / (3.0 * x * x)
    return x


# ---------------------------------------------------------------------------------------------------------------------
# Numbers


@trap(
    construct="float32 throughout with Python constants",
    args=lambda: (np.array([0.5, 1.5, -0.7], dtype=np.float32), 3),
    rtol=1e-5,
    note="Python floats and ints are weak: every intermediate, the result and the gradient stay float32 (a wrong "
    "widening shows in the dtype).",
)
def single_precision(x, n):
    """Python constants, ints and a loop, all in single precision."""
    y = 2.0 * x + 1
    for k in range(n):
        y = y * 0.5 + k / 3.0
    z = np.zeros_like(x)
    z[0] = 0.1
    return np.tanh(y / 3.0) ** 2 - z * 1e-3


@trap(
    construct="float32 scalar times Python float",
    args=lambda: (np.float32(0.7), np.array([0.5, 1.5], dtype=np.float32)),
    argnums=(0, 1),
    rtol=1e-5,
    note="A NumPy float32 scalar is not weak and not a Python float: the result is a np.float32, compiled too.",
)
def single_precision_scalar(t, x):
    """A scalar that stays in single precision."""
    return 2.0 * t * t + x.sum() * 0.5


@trap(
    construct="float32 array times NumPy float64 scalar",
    args=lambda: (np.array([0.5, 1.5], dtype=np.float32), np.float64(0.1)),
    argnums=(0, 1),
    rtol=1e-12,
    note="A NumPy scalar is not weak: the result is float64. The gradient of x is float32, that of t float64.",
)
def widened_by_scalar(x, t):
    """NumPy scalars widen where Python floats do not."""
    return x * t


@trap(
    construct="2**-1 as literals",
    args=lambda: (1.5,),
    gradient=lambda x: (0.5,),
    note="0.5 in Python; numba alone makes it 0.",
)
def half_by_literal_power(x):
    """A half, written as a power."""
    return x * 2**-1


@trap(
    construct="2**n with n = -1 from an argument",
    args=lambda: (1.5, 2, -1),
    may_refuse=True,
    note="The type of an int power depends on the sign of the exponent: 0.5, or an error that says so; never 0.",
)
def half_by_power(x, a, n):
    """A factor that is an int power."""
    return x * a**n


@trap(
    construct="2**n with n = 3 from an argument",
    args=lambda: (1.5, 2, 3),
    gradient=lambda x, a, n: (8.0,),
    note="The harmless case of the same source stays right.",
)
def eight_by_power(x, a, n):
    """A factor that is an int power."""
    return x * a**n


@trap(
    construct="5 // 0 from arguments",
    args=lambda: (1.5, 5, 0),
    smooth=False,
    raises=ZeroDivisionError,
    note="Python's floor division raises; numba's numpy error model gives 0 or a trap.",
)
def floor_division(x, a, b):
    """A factor that is a floor division."""
    return x * (a // b)


@trap(
    construct="5 % 0 from arguments",
    args=lambda: (1.5, 5, 0),
    smooth=False,
    raises=ZeroDivisionError,
    note="As floor division.",
)
def modulo(x, a, b):
    """A factor that is a modulo."""
    return x * (a % b)


@trap(
    construct="5 // 0 as literals",
    args=lambda: (1.5,),
    smooth=False,
    raises=ZeroDivisionError,
    note="Folded when the function is specialised, raised when it is called.",
)
def floor_division_of_literals(x):
    """A division by zero in plain sight."""
    return x * (5 // 0)


@trap(
    construct="5 // 0 as literals on a path not taken",
    args=lambda: (1.5,),
    gradient=lambda x: (2 * x,),
    note="Python never gets there, so nothing may be raised.",
)
def division_never_reached(x):
    """A division by zero behind a test that fails."""
    if x < 0.0:
        return x * (5 // 0)
    return x * x


@trap(
    construct="-7 // 2 and -7 % 3 from arguments",
    args=lambda: (1.5, -7, 2, 3),
    gradient=lambda x, a, b, c: (-4 + 2.0,),
    note="Python rounds towards minus infinity and its modulo has the divisor's sign; C does neither.",
)
def floored(x, a, b, c):
    """Floor division and modulo of a negative int."""
    return x * (a // b) + x * (a % c)


@trap(
    construct="3**50 as literals",
    args=lambda: (1.5,),
    leaves_int64=True,
    gradient=lambda x: (float(3**50),),
    note="717897987691852588770249 needs 80 bits. Multiplied by a float it is 7.178979876918526e+23; never a "
    "wrapped int64.",
)
def large_literal_power(x):
    """An int too large for a machine word, times a float."""
    return x * 3**50


@trap(
    construct="3**n with n = 50 from an argument",
    args=lambda: (1.5, 3, 50),
    may_refuse=True,
    leaves_int64=True,
    gradient=lambda x, a, n: (float(3**50),),
    note="Beyond int64 only at run time: plain Python is right, compiled code raises (or is right), and never wraps.",
)
def large_power(x, a, n):
    """An int power of arguments, times a float."""
    return x * a**n


@trap(
    construct="an int product that leaves int64 in a loop",
    args=lambda: (1.5, 25),
    may_refuse=True,
    leaves_int64=True,
    note="25! does not fit into int64: as 3**50, by repeated multiplication.",
)
def factorial_weight(x, n):
    """A number divided by a factorial."""
    product = 1
    for k in range(1, n + 1):
        product = product * k
    return x / product


@trap(
    construct="(-8.0) ** (1/3) of Python floats",
    args=lambda: (-8.0, 1.0 / 3.0),
    smooth=False,
    may_refuse=True,
    note="A complex number in Python: refused or raised, never nan.",
)
def root_of_negative(x, p):
    """A fractional power of a negative number."""
    return x**p


@trap(
    construct="20 million float32 summed",
    args=lambda: (np.full(20_000_000, 0.1, dtype=np.float32),),
    rtol=1e-5,
    gradient=lambda x: (np.ones_like(x),),
    note="2,000,000 as NumPy's pairwise sum; one float32 accumulator stops at 2,097,152.",
)
def large_sum(x):
    """A long sum in single precision."""
    return np.sum(x)


@trap(
    construct="20 million float32 averaged and squared",
    args=lambda: (np.full(20_000_000, 0.1, dtype=np.float32),),
    rtol=1e-5,
    note="The same inside a fused group, where the array of squares never exists.",
)
def large_mean_of_squares(x):
    """A long fused reduction in single precision."""
    return np.mean(x * x)
