"""Masks, sizes that only the run knows, index arrays of any rank, complex numbers."""
import numpy as np

from tests.corpus.registry import normal, program, uniform

# ---- masks, and sizes that only the run knows


@program(construct="x[mask]", args=lambda: (normal(401, 6),))
def of_the_positive(x):
    """Elements at a mask."""
    return np.sum(x[x > 0.0] ** 3)


@program(construct="x[mask] = number", args=lambda: (normal(402, 6),))
def without_negatives(x):
    """A number stored at a mask."""
    y = x.copy()
    y[y < 0.0] = 0.5
    return np.sum(y**3)


@program(construct="x[mask] = values", args=lambda: (normal(403, 6), normal(404, 6)), argnums=(0, 1))
def exchanged_at_a_mask(x, y):
    """Values stored at a mask, as many as it has."""
    z = x.copy()
    z[y > 0.0] = y[y > 0.0] ** 2
    return np.sum(z * x)


@program(construct="x[mask] += values", args=lambda: (normal(405, 6),))
def added_at_a_mask(x):
    """Augmented stores at a mask and at its opposite."""
    y, m = x.copy(), x > 0.0
    y[m] += x[m] ** 2
    y[~m] *= 3.0
    return np.sum(y * y)


@program(construct="mask over rows", args=lambda: (normal(406, 4, 3),))
def rows_that_are_large(A):
    """The rows of a matrix at a mask, centred."""
    rows = A[A[:, 0] > -0.5]
    return np.sum((rows - rows.mean(axis=0)) ** 3)


@program(construct="mask over columns", args=lambda: (normal(407, 3, 5),))
def columns_that_are_large(A):
    """Columns at a mask."""
    return np.sum(A[:, A[0] > 0.0] ** 2)


@program(construct="mask of a matrix", args=lambda: (normal(408, 3, 4),))
def elements_of_a_matrix(A):
    """All elements of a matrix at a mask of its shape."""
    return np.prod(1.5 + np.tanh(A[A > 0.0]))


@program(construct="np.nonzero", args=lambda: (normal(409, 5),))
def places_of_the_positive(x):
    """Places as an index array."""
    (places,) = np.nonzero(x > 0.0)
    return np.sum(x[places] ** 2 * places)


@program(construct="np.flatnonzero and len of it", args=lambda: (normal(410, 5),))
def mean_of_the_negative(x):
    """How many there are decides."""
    places = np.flatnonzero(x < 0.0)
    return np.sum(x[places] ** 2) / len(places)


@program(construct="np.argwhere", args=lambda: (normal(411, 3, 3),))
def pairs_of_places(A):
    """Places in rows."""
    at = np.argwhere(A > 0.0)
    return np.sum(A[at[:, 0], at[:, 1]] ** 3)


@program(construct="np.where of one argument", args=lambda: (normal(412, 3, 3),))
def where_of_one(A):
    """Places as two index arrays, also stored through."""
    i, j = np.where(A < 0.0)
    B = A * A
    B[i, j] = A[i, j]
    return np.sum(B * A)


@program(construct="np.unique with counts and inverse", args=lambda: (np.array([2, 0, 2, 1, 0]), normal(413, 5)),
         argnums=(1,))
def group_means(labels, x):
    """Sums by groups."""
    groups, inverse, counts = np.unique(labels, return_inverse=True, return_counts=True)
    sums = np.zeros(len(groups))
    np.add.at(sums, inverse, x)
    return np.sum((sums / counts) ** 2)


@program(construct="loop over np.unique", args=lambda: (np.array([2, 0, 2, 1, 0]), normal(414, 5)), argnums=(1,))
def loop_over_groups(labels, x):
    """A loop over as many groups as there are."""
    total = 0.0
    for g in np.unique(labels):
        total += np.mean(x[labels == g]) ** 2
    return total


@program(construct="np.compress and np.extract", args=lambda: (normal(415, 6),))
def compressed(x):
    """Functions that take what a condition says."""
    return np.sum(np.compress(x > 0.0, x) ** 3) + np.sum(np.extract(x < 0.5, x) ** 2)


@program(construct="an array that a while loop makes shorter", args=lambda: (np.array([0.3, -1.2, 2.0, 0.7, -0.4]),))
def without_the_largest(x):
    """Outliers removed, one after the other."""
    while len(x) > 2 and np.max(np.abs(x)) > 0.5:
        x = x[np.abs(x) < np.max(np.abs(x))]
    return np.sum(x**3)


@program(construct="zeros, linspace and arange of a count of the run", args=lambda: (normal(416, 6),))
def of_a_count(x):
    """Arrays as long as there are positive elements."""
    n = int(np.sum(x > 0.0))
    return np.sum(np.zeros(n) + x[:n] ** 2) + np.sum(np.linspace(0.0, x[0], n)) + np.sum(np.arange(n) * x[1])


@program(construct="reductions of x[mask]", args=lambda: (normal(417, 7),))
def statistics_of_some(x):
    """The largest, the spread and the order of what a mask takes."""
    y = x[x > -1.0]
    return np.max(y) + np.std(y) + np.sum(np.sort(y) * np.arange(len(y))) + y[0] * y[-1]


@program(construct="loop over x[mask]", args=lambda: (normal(418, 6),))
def running_product_of_some(x):
    """A loop of as many rounds as the mask has."""
    product = 1.0
    for v in x[x > 0.0]:
        product = product * (1.0 + v)
    return product


@program(construct="x[mask] of both sides joined", args=lambda: (normal(419, 6),))
def partitioned(x):
    """What is small before what is large."""
    y = np.concatenate([x[x < 0.0], x[x >= 0.0]])
    return np.sum(y * y * np.arange(len(y)))


@program(construct="mask made by a store", args=lambda: (normal(420, 5), 2))
def all_but_one(x, k):
    """Leave one out."""
    mask = np.ones(len(x), bool)
    mask[k] = False
    return np.sum(x[mask] ** 2) * x[k]


# ---- index arrays of any rank


@program(construct="index arrays that broadcast", args=lambda: (normal(421, 3, 4),))
def corners(A):
    """A column of indices and a row of them."""
    return np.sum(A[np.arange(3)[:, None], np.array([0, 2])] ** 3)


@program(construct="store at a label in each row", args=lambda: (normal(422, 3, 4), np.array([0, 2, 1])))
def minus_the_label(p, labels):
    """One element in each row."""
    q = p.copy()
    q[np.arange(3), labels] -= 1.0
    return np.sum(q**3)


@program(construct="index array of two axes beside a slice", args=lambda: (normal(423, 2, 3, 4),))
def blocks_of_columns(A):
    """Indices of two axes, in the middle."""
    k = np.array([[0, 1], [2, 0]])
    return np.sum(A[:, k, 1:3] ** 2 * A[:, :1, None, 1:3])


@program(construct="index arrays apart, with a slice between", args=lambda: (normal(424, 3, 4, 3),))
def apart(A):
    """NumPy puts their axis first."""
    picked = A[np.array([1, 0]), :, np.array([0, 2])]
    return np.sum(picked**2 * np.arange(1.0, 3.0)[:, None])


@program(construct="store through index arrays beside slices", args=lambda: (normal(425, 2, 3, 4),))
def stored_blocks(A):
    """Stores, also augmented."""
    B, k = A.copy(), np.array([2, 0])
    B[:, k] *= 2.0
    B[1, k, :2] += A[0, :2, :2]
    return np.sum(B**3)


@program(construct="np.ix_", args=lambda: (normal(426, 4, 4),))
def minor(A):
    """Rows and columns of a matrix."""
    return np.sum(A[np.ix_([0, 2], [1, 3])] ** 3) + A[np.ix_(np.array([True, False, False, True]), [2])].sum()


@program(construct="np.add.at", args=lambda: (normal(427, 5), np.array([0, 2, 0, 1, 2])))
def scattered(x, to):
    """Indices that come up several times."""
    y = np.zeros(3)
    np.add.at(y, to, x * x)
    return np.sum(y * y)


@program(construct="diagonal and triangle as index arrays", args=lambda: (normal(428, 4, 4),))
def of_the_triangle(A):
    """np.diag_indices and np.triu_indices, read and stored through."""
    B = A.copy()
    B[np.diag_indices(4)] = 1.0
    B[np.triu_indices(4, 1)] *= A[np.triu_indices(4, 1)]
    return np.sum(B @ B)


@program(construct="x.flat", args=lambda: (normal(429, 2, 3),))
def row_of_elements(A):
    """Elements in a row, read and stored into."""
    B = A.T.copy()
    B.flat[1] = A.flat[-1] ** 2
    B.flat[2:4] = A.flat[:2]
    return sum(k * v * v for k, v in enumerate(B.flat)) + np.sum(B.flat)


@program(construct="np.take and np.take_along_axis", args=lambda: (normal(430, 3, 4),))
def taken(A):
    """In the order of another array."""
    order = np.argsort(-A, axis=1)
    return (np.sum(np.take_along_axis(A, order, axis=1) ** 2 * np.arange(4.0))
            + np.sum(np.take(A, [0, 0, 2], axis=0) ** 3))


@program(construct="argmax as an index", args=lambda: (normal(431, 6),))
def the_largest_element(x):
    """Where the largest is."""
    k = np.argmax(x)
    return x[k] ** 2 * x[k - 1]


@program(construct="searchsorted as a bound", args=lambda: (uniform(432, 6), 0.9))
def below(x, limit):
    """Interpolation between sorted places."""
    knots = np.sort(x)
    k = np.searchsorted(knots, limit)
    return np.sum(knots[:k] ** 2) + (limit - knots[k - 1]) * knots[k]


# ---- complex numbers


@program(construct="complex numbers made of reals", args=lambda: (normal(441, 4), normal(442, 4)), argnums=(0, 1))
def power_of_a_wave(a, b):
    """A modulus."""
    z = a + 1j * b
    return np.sum(np.abs(z * z + 0.5j) ** 2)


@program(construct="phase of a complex number", args=lambda: (uniform(443, 3), uniform(444, 3)), argnums=(0, 1))
def phases(a, b):
    """Angle, exponential and logarithm."""
    z = np.exp(1j * a) * b
    return np.sum(np.angle(z) * b) + np.sum(np.log(z).real)


@program(construct="real and imaginary parts, conjugate", args=lambda: (normal(445, 3, 3),))
def inner_product_of_complex(A):
    """A hermitian form."""
    B = A + 1j * A.T
    return (np.conj(B).T @ B).trace().real + np.sum(B.imag * A)


@program(construct="complex accumulator in a loop", args=lambda: (0.3, 0.2), argnums=(0, 1))
def escape(a, b):
    """Mandelbrot's iteration, some rounds of it."""
    z, c = 0j, complex(a, b)
    for _ in range(4):
        z = z * z + c
    return abs(z) ** 2


@program(construct="Fourier transform and back", args=lambda: (normal(446, 8),))
def lowpass(x):
    """The high frequencies damped."""
    f = np.fft.rfft(x)
    y = np.fft.irfft(f * np.exp(-0.1 * np.arange(len(f)) ** 2), len(x))
    return np.sum(y**3)


@program(construct="power spectrum", args=lambda: (normal(447, 6),))
def spectrum(x):
    """Squares of moduli."""
    f = np.fft.fft(x * np.hanning(6))
    return np.sum(np.abs(f) ** 2 * np.cos(np.fft.fftfreq(6)))


@program(construct="an array on one path, a number on another",
         args=lambda: (normal(590, 3), np.array([1.5, -9.0, 0.5, 2.0])))
def missing_observations(x, observed):
    """A number where nothing was observed."""
    level = np.zeros(3)
    for k in range(len(observed)):
        level = 0.5 * level + (np.sin(x) * observed[k] if observed[k] >= 0.0 else 0.0)
    return np.sum(level**2)
