"""Stores, views and aliases; reading by indices, slices and index arrays."""
import numpy as np

from tests.corpus.registry import dominant, normal, program, uniform

# ---------------------------------------------------------------------------------------------------------------------
# Stores, views, aliases


@program(construct="element store", args=lambda: (normal(120, 5),))
def autoregression(noise):
    """An autoregressive series driven by noise."""
    n = len(noise)
    y = np.zeros(n)
    y[0] = noise[0]
    for i in range(1, n):
        y[i] = 0.8 * y[i - 1] + noise[i] * y[i - 1]
    return y


@program(construct="augmented element store", args=lambda: (normal(121, 5),))
def nonlinear_prefix(x):
    """A running sum that squares its input, stored as it goes: `y[i] += x[i] * x[i]`."""
    y = np.copy(x)
    for i in range(1, len(x)):
        y[i] += x[i] * x[i]
        y[i] *= y[i - 1]
    return y


@program(construct="store into an argument", args=lambda: (normal(122, 4),), mutates=True)
def clamp_ends(x):
    """Impose boundary values in place and return the energy."""
    x[0] = 1.0
    x[-1] = x[1] * x[2]
    return np.sum(x * x)


@program(construct="slice store", args=lambda: (normal(123, 6),))
def reflect_edges(x):
    """Pad a signal by reflecting its ends."""
    n = len(x)
    padded = np.zeros(n + 2)
    padded[1:-1] = x
    padded[0] = x[1]
    padded[n + 1] = x[n - 2]
    return padded[2:] * padded[:-2]


@program(construct="augmented slice store", args=lambda: (normal(124, 6),))
def deposit(x):
    """Deposit each cell's square on its two neighbours."""
    density = np.zeros(len(x))
    density[1:] += x[:-1] ** 2
    density[:-1] += x[1:] ** 2
    density[1:-1] *= x[1:-1]
    return density


@program(construct="overlapping augmented slice store", args=lambda: (normal(125, 6),))
def overlapping_flux(x):
    """`u[1:] -= u[:-1] * u[1:]`: the right-hand side is complete before the store begins."""
    u = x * 1.0
    u[1:] -= 0.5 * u[:-1] * u[1:]
    u[:-1] += 0.1 * u[1:] ** 2
    return u


@program(construct="store that broadcasts", args=lambda: (normal(126, 3), 0.4), argnums=(0, 1))
def design_matrix(x, ridge):
    """Rows of a design matrix set from vectors and from a number."""
    A = np.zeros((4, len(x)))
    A[:2] = x
    A[2, :] = ridge
    A[:, 0] = 1.0
    return np.sum(A * A * A, axis=1)


@program(construct="2-D element and slice store", args=lambda: (normal(127, 4), normal(128, 3)), argnums=(0, 1))
def bordered(u, v):
    """A matrix with one border set by slices and its corner by an element."""
    A = np.ones((len(u) + 1, len(v) + 1))
    A[0, 0] = u[0] * v[0]
    A[1:, 0] = u
    A[0, 1:] = v * v
    return A[:-1, :-1] * A[1:, 1:]


@program(construct="chained subscript store", args=lambda: (normal(129, 3),))
def vandermonde(x):
    """Powers of each sample, stored by `A[i][j]`."""
    A = np.ones((len(x), 4))
    for i in range(len(x)):
        for j in range(1, 4):
            A[i][j] = A[i][j - 1] * x[i]
    return A


@program(construct="view then store through view", args=lambda: (normal(130, 6),))
def damp_interior(x):
    """Damp the interior of a copy through a view of it."""
    u = x.copy()
    interior = u[1:-1]
    interior[0] = 2.0 * x[3]
    interior *= np.cos(interior)
    return np.sum(u * u)


@program(construct="view of a view", args=lambda: (normal(131, 4, 5),))
def corner_of_block(A):
    """A store two views deep reaches the array at the bottom."""
    B = A * A
    block = B[1:, 2:]
    column = block[:, -1]
    column[1:] = column[:-1] * A[0, 0]
    return B


@program(construct="view rebound in a loop", args=lambda: (normal(132, 4, 3),))
def row_recurrence(A):
    """Each row is updated from the one before, both held as views."""
    B = A + 0.0
    previous = B[0]
    for i in range(1, len(B)):
        row = B[i]
        row += 0.5 * previous * previous
        previous = row
    return np.sum(previous * B[0])


@program(construct="store through transpose", args=lambda: (normal(133, 3, 2),))
def set_column(A):
    """A row of the transpose is a column of the matrix."""
    B = A.copy()
    Bt = B.T
    Bt[0] = A[:, 1] ** 2
    Bt[1, 0] = 3.0 * A[0, 0]
    return B


@program(construct="store through reshape", args=lambda: (normal(134, 6),))
def checkerboard(x):
    """A flat array stored into through its two-dimensional view."""
    flat = np.sin(x)
    grid = flat.reshape(2, 3)
    grid[0, ::2] = x[0] * x[1]
    grid[1] *= x[:3]
    return flat


@program(construct="array elements exchanged", args=lambda: (normal(135, 5),))
def reverse_in_place(x):
    """Reverse by exchanging elements, then weigh by place."""
    y = np.copy(x)
    n = len(y)
    for i in range(n // 2):
        y[i], y[n - 1 - i] = y[n - 1 - i], y[i]
    return y * x


@program(construct="rows exchanged through copies", args=lambda: (dominant(136, 3),))
def pivot_rows(A):
    """Exchange two rows with the help of a copy, as a pivoting step does."""
    B = A * 1.0
    saved = B[0].copy()
    B[0] = B[2]
    B[2] = saved
    B[1] -= B[1, 0] / B[0, 0] * B[0]
    return B


def normalise_in_place(v):
    """Divide a vector by its norm, in place."""
    v /= np.sqrt(np.sum(v * v))


@program(construct="helper that mutates its argument", args=lambda: (normal(137, 3, 3),))
def gram_schmidt(A):
    """Orthonormal rows by modified Gram-Schmidt; a helper normalises each row in place."""
    Q = A.copy()
    for i in range(len(Q)):
        normalise_in_place(Q[i])
        for j in range(i + 1, len(Q)):
            Q[j] -= np.sum(Q[i] * Q[j]) * Q[i]
    return Q


def set_first(a, value):
    """Store and hand the same array back."""
    a[0] = value
    return a


@program(construct="helper that returns its argument", args=lambda: (normal(138, 4),))
def alias_through_call(x):
    """The result of the helper is the array that went in."""
    u = x * x
    v = set_first(u, x[1])
    v[2] += x[0]
    return np.sum(u * x)


@program(
    construct="argument mutated through a helper", args=lambda: (normal(139, 4), 0.5), argnums=(0, 1), mutates=True
)
def descend(x, rate):
    """Gradient descent steps on a quartic, in the caller's array."""
    for _ in range(2):
        quartic_step(x, rate=rate)
    return np.sum(x * x)


def quartic_step(x, rate):
    """One step of gradient descent on sum(x**4) / 16, in place."""
    x -= rate * 0.25 * x**3


@program(construct="loop that overwrites what it reads nonlinearly", args=lambda: (normal(140, 5),))
def burgers(u0):
    """Upwind steps of Burgers' equation, element by element in place."""
    u = u0.copy()
    for _ in range(3):
        for i in range(1, len(u)):
            u[i] = u[i] - 0.2 * u[i] * (u[i] - u[i - 1])
    return u


@program(construct="same expression before and after a loop", args=lambda: (0.9,))
def sine_twice(s):
    """`np.sin(s)` twice, with different values of s."""
    y = np.sin(s)
    for _ in range(3):
        s = s * s + 0.1
    z = np.sin(s)
    return y * z


@program(construct="cumulative product by loop", args=lambda: (uniform(141, 5),))
def cumulative_product(x):
    """Running products."""
    out = np.ones_like(x)
    running = 1.0
    for i in range(len(x)):
        running *= x[i]
        out[i] = running
    return out


# ---------------------------------------------------------------------------------------------------------------------
# Reading: indices, slices, fancy indices


@program(construct="negative index", args=lambda: (normal(150, 5),))
def end_differences(x):
    """Differences at both ends of a signal."""
    return (x[1] - x[0]) * (x[-1] - x[-2])


@program(construct="2-D slices with step", args=lambda: (normal(151, 5, 6),))
def downsample(image):
    """Contrast between the two diagonal sub-lattices of an image."""
    return np.sum(image[::2, ::2] * image[::2, 1::2]) - np.sum(image[1:4:2, :-1:3] ** 2)


@program(construct="reverse slice x[::-1]", args=lambda: (normal(152, 5),))
def autoconvolution(x):
    """Overlap of a signal with its own mirror image, weighted."""
    return np.sum(x * x * x[::-1])


@program(construct="newaxis", args=lambda: (normal(153, 3), normal(154, 4)), argnums=(0, 1))
def kernel_matrix(x, y):
    """Squared exponential kernel between two sets of points."""
    d = x[:, np.newaxis] - y[None, :]
    return np.exp(-0.5 * d * d)


@program(construct="ellipsis index", args=lambda: (normal(155, 2, 3, 2),))
def complex_modulus(z):
    """Squared modulus of complex numbers stored as pairs along the last axis."""
    return z[..., 0] ** 2 + z[..., 1] ** 2


@program(construct="slice with bounds known at run time", args=lambda: (normal(156, 6), 2, 5))
def window_energy(x, start, stop):
    """Energy in a window, weighted by what lies before it."""
    return np.sum(x[start:stop] ** 2) * np.sum(x[:start])


@program(construct="fancy index read", args=lambda: (normal(157, 5), np.array([3, 0, 3, 2])))
def embedding(table, tokens):
    """Look up tokens, one of which comes twice."""
    return table[tokens] ** 2


@program(construct="fancy index read with two arrays", args=lambda: (normal(158, 4, 4),))
def trace_of_square(A):
    """Trace of the elementwise square, through the diagonal's indices."""
    i = np.arange(len(A))
    return np.sum(A[i, i] ** 2)


@program(construct="fancy index store", args=lambda: (normal(159, 4), np.array([2, 0, 3, 1])))
def permute(x, order):
    """Scatter a vector to permuted places."""
    out = np.zeros_like(x)
    out[order] = x * x
    return out * x


@program(construct="augmented fancy index store", args=lambda: (normal(160, 5), np.array([4, 1])))
def bump_places(x, places):
    """Add to a few distinct places of a copy."""
    y = np.copy(x)
    y[places] += x[places] ** 2
    y[places] *= y[0]
    return y


@program(
    construct="int array read as an index in a loop",
    args=lambda: (normal(161, 4), np.array([0, 1, 2, 0]), np.array([1, 2, 3, 3])),
)
def graph_energy(x, source, target):
    """Energy of springs along the edges of a graph."""
    energy = 0.0
    for e in range(len(source)):
        energy += (x[source[e]] - x[target[e]]) ** 4
    return energy


@program(construct="accumulation at indices from an array", args=lambda: (normal(162, 6), np.array([1, 0, 1, 2, 1, 0])))
def segment_sums(x, segment):
    """Sum of squares in each segment."""
    sums = np.zeros(3)
    for i in range(len(x)):
        sums[segment[i]] += x[i] * x[i]
    return sums
