"""The same place twice in an index; names, loops and merging of equal expressions."""
import numpy as np

from tests.corpus.pitfalls.table import trap, vector

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
