"""Aliases, views and copies; memory of gradients; sizes."""
import numpy as np

from tests.corpus.pitfalls.table import trap, vector

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
    note="A view is stored into and read at the same place, and beside it its array at another: "
         "the difference is taken whole before anything is stored.",
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
