"""The traps: functions on which tools like this one are known to go wrong, each with what NumPy makes of it.

What is expected is never written down as a number where NumPy can be asked: `trap.expected()` runs the function
itself. `trap.gradient`, where given, is the derivative on paper: of the sum of the float results, for each argument
of `argnums`. `note` says what the trap is and what would be wrong. Traps that need a story around the function (a
helper redefined, a source edited on disk, a decorator) are told in a test of their own.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tests.corpus.programs import Program


@dataclass(frozen=True)
class Trap(Program):
    """A program that is easy to get wrong, what to watch for, and its derivative where it is known on paper."""

    note: str = ""
    gradient: Callable[..., tuple] | None = None  # of the sum of the float results, one for each of argnums
    rtol: float = 1e-12  # agreement to ask for between compiled and NumPy
    may_refuse: bool = False  # an error of ours is as good as the right answer
    joins: bool = False  # gives a Python number on one path and a NumPy one on the other: either will do on both
    leaves_int64: bool = False  # the right answer is no int64: compiled code raises or is right, it never wraps

    def expected(self):
        """What NumPy returns (or raises), and the arguments afterwards."""
        args = self.make_args()
        try:
            return self.fun(*args), args
        except Exception as error:
            return error, args


TRAPS: list[Trap] = []


def trap(construct, args, note, **about):
    """Register the decorated function in `TRAPS`; the function itself is returned unchanged."""

    def register(fun):
        TRAPS.append(Trap(fun, construct, args, note=note, **about))
        return fun

    return register


def vector(*values):
    """A fresh float64 vector."""
    return np.array(values, dtype=np.float64)


# ---------------------------------------------------------------------------------------------------------------------
# The same place twice in an index


@trap(
    construct="augmented store at a repeated index",
    args=lambda: (vector(0.5, 1.5, -0.7),),
    mutates=True,
    gradient=lambda x: (vector(2 * (x[0] + 2.0), 2 * x[1], 2 * x[2]),),
    note="x[[0, 0]] += [1, 2] adds 2, not 3 and not 1: read, add, then the last writer wins.",
)
def repeated_index_adds_once(x):
    """Add two numbers to one place by an augmented store."""
    x[[0, 0]] += [1.0, 2.0]
    return np.sum(x * x)


@trap(
    construct="augmented store of variables at a repeated index",
    args=lambda: (vector(0.5, 1.5, -0.7), vector(0.3, 0.9)),
    argnums=(0, 1),
    gradient=lambda x, d: (vector(2 * (x[0] + d[1]), 2 * x[1], 2 * x[2]), vector(0.0, 2 * (x[0] + d[1]))),
    note="The first of the two additions is lost, so its derivative is zero, and x[0] counts once.",
)
def repeated_index_adds_variables(x, d):
    """Add two variables to one place of a copy."""
    y = x.copy()
    y[[0, 0]] += d
    return np.sum(y * y)


@trap(
    construct="store at a repeated index",
    args=lambda: (vector(0.5, 1.5, -0.7), 2.0, 3.0),
    argnums=(0, 1, 2),
    gradient=lambda x, a, b: (vector(0.0, 2 * x[1], 2 * x[2]), 0.0, 2 * b),
    note="x[[0, 0]] = [a, b] keeps b: a has derivative zero, though its cotangent is read from the same place.",
)
def repeated_index_last_wins(x, a, b):
    """Store two numbers in one place of a copy."""
    y = x.copy()
    y[[0, 0]] = [a, b]
    return np.sum(y * y)


# ---------------------------------------------------------------------------------------------------------------------
# Names, loops and merging of equal expressions


@trap(
    construct="u, v = v, u in a loop with stores",
    args=lambda: (vector(0.4, -0.3, 0.8, 0.6), 3),
    note="The two buffers change places three times (an odd number): who is u and who is v after the loop, and no "
    "store may reach both.",
)
def exchanged_buffers(x, steps):
    """Two buffers that are stored into and exchanged at every step."""
    u = x.copy()
    v = np.zeros_like(x)
    for k in range(steps):
        v[1:] = u[:-1] * u[1:]
        v[0] = u[0] + 0.5 * k
        u, v = v, u
    return u + 2.0 * v


@trap(
    construct="u, v = v, u of arguments in a loop with stores",
    args=lambda: (vector(0.4, -0.3, 0.8), vector(1.0, 2.0, 3.0)),
    argnums=(0, 1),
    mutates=True,
    note="The caller's arrays are the buffers: after three exchanges both must hold what NumPy leaves in them.",
)
def exchanged_arguments(u, v):
    """The caller's two arrays, exchanged and stored into."""
    for _ in range(3):
        v[0] = v[1] * u[2]
        u[1:] += v[:-1]
        u, v = v, u
    return np.sum(u * v)


@trap(
    construct="y = sin(s) before and after a loop that changes s",
    args=lambda: (0.8,),
    gradient=lambda s: (np.cos(s) + np.cos(s**4) * 4 * s**3,),
    note="The two sines are equal as text and differ in value: merging common subexpressions across the loop is wrong.",
)
def sine_before_and_after(s):
    """The same expression on both sides of a loop."""
    y = np.sin(s)
    for _ in range(2):
        s = s * s
    z = np.sin(s)
    return y + z


@trap(
    construct="y = sin(s) before, in and after a loop over an array that it stores into",
    args=lambda: (vector(0.2, 0.5, 0.9),),
    note="As above, with an array changed in place: the name s stays bound to the same object all along.",
)
def sine_of_stored_array(x):
    """The same expression while its array is overwritten element by element."""
    s = x * 1.0
    y = np.sin(s)
    for i in range(len(s)):
        s[i] = s[i] * y[i] + np.sin(s[0])
    return y + np.sin(s)


@trap(
    construct="return np.sqrt(s) after an accumulating loop",
    args=lambda: (vector(0.5, -1.0, 2.0),),
    gradient=lambda x: (x / np.sqrt(np.sum(x * x)),),
    note="The result of sqrt is the function's output, has no name of its own, and its adjoint starts the loop's.",
)
def root_of_accumulated(x):
    """A norm by a loop, the root taken in the return statement."""
    s = 0.0
    for i in range(len(x)):
        s += x[i] * x[i]
    return np.sqrt(s)


@trap(
    construct="best = None updated in a loop",
    args=lambda: (vector(0.9, 0.4, 1.7, 0.2, 0.6),),
    gradient=lambda x: (vector(0.0, 0.0, 0.0, 2 * x[3], 0.0),),
    note="best is None at first and a float later; only the last update counts.",
)
def best_so_far(x):
    """The smallest square, found without a start value."""
    best = None
    for v in x:
        if best is None or v * v < best:
            best = v * v
    return best


@trap(
    construct="best = None and stays None",
    args=lambda: (vector(),),
    joins=True,
    note="No element, no update: the value of the optional is never read. The gradient is empty.",
)
def best_of_nothing(x):
    """The smallest square of no numbers is replaced by a constant."""
    best = None
    for v in x:
        if best is None or v * v < best:
            best = v * v
    if best is None:
        return 0.0
    return best


# ---------------------------------------------------------------------------------------------------------------------
# Aliases, views and copies


@trap(
    construct="x[1:] += x[:-1] * x[1:]",
    args=lambda: (vector(0.5, 1.5, -0.7, 2.0),),
    mutates=True,
    gradient=lambda x: (vector(1 + x[1], 1 + x[0] + x[2], 1 + x[1] + x[3], 1 + x[2]),),
    note="Lowered to one loop in place this becomes a prefix recurrence. NumPy computes the right-hand side whole, "
    "first.",
)
def overlapping_update(x):
    """An update that reads what it stores, one place off."""
    x[1:] += x[:-1] * x[1:]
    return np.sum(x)


@trap(
    construct="x[:-1] = x[1:] and back",
    args=lambda: (vector(0.5, 1.5, -0.7, 2.0),),
    mutates=True,
    note="Overlapping copies in both directions: one of the two is wrong as a forward loop, the other as a "
    "backward loop.",
)
def shifted_both_ways(x):
    """Shift left, square, shift right."""
    x[:-1] = x[1:]
    x *= x
    x[1:] = x[:-1]
    return x * 1.0


@trap(
    construct="x[:] = x[::-1]",
    args=lambda: (vector(0.5, 1.5, -0.7, 2.0, 0.3),),
    note="Reversal onto itself: element by element the second half would read what the first half stored.",
)
def reversed_onto_itself(x):
    """Reverse a copy in place, then weigh it by the original."""
    y = x.copy()
    y[:] = y[::-1]
    return y * x


@trap(
    construct="x[::-1] -= f(x, x[::-1])",
    args=lambda: (vector(0.5, 1.5, -0.7, 2.0, 0.3),),
    note="A view is stored into and read at the same place, and beside it its array at another: the difference is taken whole before anything is stored.",
)
def differences_from_the_other_end(x):
    """Store into a reversed view what is computed of it and of the array itself."""
    y = x.copy()
    y[::-1] -= np.sin(y - y[::-1])
    return y * x


def store_then_read(a, b):
    """Store into the first array and read the second."""
    a[0] = a[1] * b[0]
    b[1] += a[0]
    return np.sum(a * b)


def same_array_twice():
    """Two arguments that are one object."""
    x = vector(0.5, 1.5, -0.7)
    return x, x


@trap(
    construct="f(x, x) where f stores",
    args=same_array_twice,
    argnums=(0,),
    mutates=True,
    may_refuse=True,
    note="Both arguments are one array: every store shows in both. Copies made of them for a test must stay one "
    "array, too.",
)
def stored_twice(a, b):
    """Store into one argument, read the other."""
    a[0] = a[1] * 3.0
    b[1] += a[0]
    return np.sum(a * b)


def overlapping_views():
    """Two arguments that share part of their memory."""
    base = vector(0.5, 1.5, -0.7, 2.0)
    return base[:-1], base[1:]


@trap(
    construct="f(x[:-1], x[1:]) where f stores",
    args=overlapping_views,
    argnums=(0, 1),
    mutates=True,
    may_refuse=True,
    note="Two different objects with overlapping memory: comparing identities does not notice.",
)
def stored_in_overlap(a, b):
    """Store into one argument, read the other."""
    a[1] = a[0] * 4.0
    return np.sum(a * b)


@trap(
    construct="a helper called as f(x, x) that stores",
    args=lambda: (vector(0.5, 1.5, -0.7),),
    gradient=lambda x: (
        vector(
            2 * x[0] * x[1] ** 2 + 2 * (x[1] + x[0] * x[1]) * x[1],
            2 * x[0] ** 2 * x[1] + 2 * (x[1] + x[0] * x[1]) * (1 + x[0]),
            2 * x[2],
        ),
    ),
    note="Inside a traced function the alias is known exactly; this one must be right, not refused.",
)
def helper_on_one_array(x):
    """Hand one array to both parameters of a helper."""
    y = x.copy()
    return store_then_read(y, y)


@trap(
    construct="write through .T",
    args=lambda: (np.array([[0.5, 1.5, 2.5], [-0.7, 2.0, 0.4]]),),
    mutates=True,
    gradient=lambda A: (np.array([[2 * A[0, 0], 20 * A[0, 1], 2 * A[0, 2]], [2 * A[1, 0], 2 * A[1, 1], 0.0]]),),
    note="The transpose is a view: a store at [2, 1] of A.T is a store at [1, 2] of A, the caller's array.",
)
def stored_through_transpose(A):
    """Store through the transpose, read the base."""
    B = A.T
    B[2, 1] = 3.0 * A[0, 1]
    return np.sum(A * A)


@trap(
    construct="write through reshape of a contiguous array",
    args=lambda: (np.array([[0.5, 1.5, 2.5], [-0.7, 2.0, 0.4]]),),
    note="Here reshape is a view, and the store changes the base.",
)
def stored_through_reshape(A):
    """Store through a flat view, read the base."""
    B = A * 1.0
    flat = B.reshape(-1)
    flat[4] = flat[0] * flat[1]
    return B * B


@trap(
    construct="write through reshape of a transposed copy",
    args=lambda: (np.array([[0.5, 1.5, 2.5], [-0.7, 2.0, 0.4]]),),
    gradient=lambda A: (np.array([[2.0 + A[0, 0], 2.0, 1.0], [2.0, 2.0, 2.0]]),),
    note="A.T + 0 is laid out by columns, so its reshape(-1) is a copy: a store into that must not change the base.",
)
def stored_into_reshaped_transpose(A):
    """Store into a reshaped transpose; its base keeps its values."""
    base = A.T + 0.0
    flat = base.reshape(-1)
    flat[4] = 0.5 * A[0, 0] ** 2
    return np.sum(base) + np.sum(flat)


@trap(
    construct="write through reshape of the transpose of an argument",
    args=lambda: (np.array([[0.5, 1.5, 2.5], [-0.7, 2.0, 0.4]]),),
    note="x.T.reshape(-1) is a copy as well: the argument must stay as it is.",
)
def stored_into_flat_transpose(A):
    """Store into the flat transpose of an argument."""
    flat = A.T.reshape(-1)
    flat[0] = A[1, 1] ** 2
    return flat * A.reshape(-1)


@trap(
    construct="write through reshape of a transposed row",
    args=lambda: (np.array([[0.5, 1.5, 2.5]]),),
    mutates=True,
    note="With a dimension of 1 the transpose is contiguous and the same reshape is a view: the argument changes. "
    "This follows the size, not the rank.",
    may_refuse=True,
)
def stored_into_flat_row(A):
    """Store into the flat transpose of a matrix with one row."""
    flat = A.T.reshape(-1)
    flat[0] = A[0, 1] ** 2
    return np.sum(A * A)


# ---------------------------------------------------------------------------------------------------------------------
# Memory of gradients


@trap(
    construct="gradients that must not share memory with each other",
    args=lambda: (vector(0.5, 1.5), vector(1.0, -2.0)),
    argnums=(0, 1),
    gradient=lambda x, y: (np.ones(2), np.ones(2)),
    note="Both gradients equal the cotangent: handed out as one array, an update of one would change the other.",
)
def sum_of_two(x, y):
    """Two arguments with the same gradient."""
    return x + y


@trap(
    construct="a gradient that must not share memory with the cotangent",
    args=lambda: (vector(0.5, 1.5),),
    gradient=lambda x: (np.ones(2),),
    note="The identity: its pull-back must copy the cotangent; its compiled primal returns its argument, as Python "
    "does.",
)
def identity(x):
    """The argument itself."""
    return x


@trap(
    construct="gradients that must not share memory with arguments",
    args=lambda: (vector(0.5, 1.5), vector(1.0, -2.0)),
    argnums=(0, 1),
    gradient=lambda x, y: (y * 1.0, x * 1.0),
    note="The gradient of x . y with respect to x is y: a value equal to an argument must be a copy of it.",
)
def inner_product(x, y):
    """Each argument's gradient is the other argument."""
    return np.sum(x * y)


@trap(
    construct="an argument returned twice",
    args=lambda: (vector(0.5, 1.5),),
    gradient=lambda x: (np.full(2, 3.0),),
    note="Two results are one array, a third is a view of it; cotangents add.",
)
def returned_twice(x):
    """The same array twice and a view of it."""
    return x, x, x[::-1]


@trap(
    construct="x.sum() + x[0]**2",
    args=lambda: (vector(0.5, 1.5, -0.7),),
    gradient=lambda x: (vector(1 + 2 * x[0], 1.0, 1.0),),
    note="The adjoint of x begins as a broadcast, read-only view and is then stored into: it must be materialised "
    "first.",
)
def sum_and_first(x):
    """An adjoint that is a broadcast plus one element."""
    return x.sum() + x[0] ** 2


@trap(
    construct="x[0]**2 + x.sum()",
    args=lambda: (vector(0.5, 1.5, -0.7),),
    gradient=lambda x: (vector(1 + 2 * x[0], 1.0, 1.0),),
    note="The same in the other order: contributions reach the adjoint the other way round.",
)
def first_and_sum(x):
    """An adjoint that is one element plus a broadcast."""
    return x[0] ** 2 + x.sum()


# ---------------------------------------------------------------------------------------------------------------------
# Sizes


def full_plus_vector(x, t, n):
    """A constant vector plus another."""
    return np.full(n, t) + x


for size in (0, 1, 2, 4):
    trap(
        construct=f"np.full(n, t) + x with n = {size}",
        args=lambda size=size: (np.linspace(0.5, 1.5, size), 0.7, size),
        argnums=(0, 1),
        gradient=lambda x, t, n: (np.ones(n), 1.0 * n),
        note="The key of a specialisation must know whether the int n is 1: a dimension of 1 broadcasts.",
    )(full_plus_vector)

trap(
    construct="np.full(n, t) + x with n = 1 and a longer x",
    args=lambda: (vector(0.5, 1.0, 1.5), 0.7, 1),
    argnums=(0, 1),
    gradient=lambda x, t, n: (np.ones(3), 3.0),
    note="The constant broadcasts over x; its derivative is summed back.",
)(full_plus_vector)

trap(
    construct="np.full(n, t) + x with n = 3 and x of one element",
    args=lambda: (vector(0.5), 0.7, 3),
    argnums=(0, 1),
    gradient=lambda x, t, n: (vector(3.0), 3.0),
    note="x broadcasts over the constant; its derivative is summed back.",
)(full_plus_vector)

trap(
    construct="np.full(n, t) + x with n = 2 and x of three elements",
    args=lambda: (vector(0.5, 1.0, 1.5), 0.7, 2),
    argnums=(0, 1),
    smooth=False,
    raises=ValueError,
    note="NumPy refuses to broadcast 2 and 3, whatever was called before.",
)(full_plus_vector)


def interior(x):
    """Squares of the interior points."""
    return x[1:-1] ** 2


for size in (0, 1, 2, 3, 5):
    trap(
        construct=f"x[1:-1] of size {size}",
        args=lambda size=size: (np.linspace(0.5, 1.5, size),),
        gradient=lambda x: (np.concatenate([0.0 * x[:1], 2 * x[1:-1], 0.0 * x[1:][-1:]]),),
        note="A slice clamps: its length is n - 2 only from n = 2 on, and for 0 and 1 it is 0, not negative.",
    )(interior)


def interior_differences(x):
    """Second differences, stored in the interior of a copy."""
    y = x.copy()
    y[1:-1] = x[:-2] - 2.0 * x[1:-1] ** 2 + x[2:]
    return y


for size in (0, 1, 2, 3):
    trap(
        construct=f"store into y[1:-1] of size {size}",
        args=lambda size=size: (np.linspace(0.5, 1.5, size),),
        note="All slices of it are clamped alike for sizes 0 and 1: x[:-2] and x[2:] are empty as well.",
    )(interior_differences)


def first_five(x):
    """At most five elements."""
    return x[:5] * 2.0


for size in (3, 5, 7):
    trap(
        construct=f"x[:5] of size {size}",
        args=lambda size=size: (np.linspace(0.5, 1.5, size),),
        gradient=lambda x: (np.where(np.arange(len(x)) < 5, 2.0, 0.0),),
        note="A slice of 3 elements to 5 has 3.",
    )(first_five)


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
