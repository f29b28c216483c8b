"""Elementwise functions, reductions, broadcasting, products, shapes and construction."""
import numpy as np

from tests.corpus.registry import normal, program, uniform

# ---------------------------------------------------------------------------------------------------------------------
# Elementwise functions


@program(construct="np.exp", args=lambda: (normal(170, 4), 0.3, 1.1), argnums=(0, 1, 2))
def gaussian(x, centre, width):
    """A Gaussian profile."""
    return np.exp(-0.5 * ((x - centre) / width) ** 2)


@program(construct="np.log", args=lambda: (uniform(171, 5),))
def entropy(weights):
    """Entropy of unnormalised weights."""
    p = weights / np.sum(weights)
    return -np.sum(p * np.log(p))


@program(construct="np.sqrt", args=lambda: (normal(172, 4), normal(173, 4)), argnums=(0, 1))
def path_length(x, y):
    """Length of a polygonal path."""
    dx = x[1:] - x[:-1]
    dy = y[1:] - y[:-1]
    return np.sum(np.sqrt(dx * dx + dy * dy))


@program(construct="np.sin and np.cos", args=lambda: (uniform(174, 3),))
def double_pendulum(angles):
    """Coupled sines and cosines of angles."""
    return np.sin(angles) * np.cos(2.0 * angles) - np.sin(angles[0] - angles[-1])


@program(construct="np.tanh", args=lambda: (normal(175, 5), 0.7, -0.2), argnums=(0, 1, 2))
def tanh_energy(x, w, b):
    """Energy of a layer of neurons that share weight and bias."""
    return np.sum(np.tanh(x * w + b) ** 2)


@program(construct="abs at nonzero", args=lambda: (normal(176, 4), -0.6), argnums=(0, 1))
def absolute_values(x, t):
    """Absolute deviations, by NumPy's function and by Python's."""
    return np.sum(np.abs(x) * x) + abs(t) ** 1.5


@program(construct="minimum/maximum", args=lambda: (normal(177, 5), normal(178, 5)), argnums=(0, 1))
def soft_clip(x, y):
    """Elementwise extremes of two signals and of a constant."""
    return np.maximum(x, y) * np.minimum(x, 0.5) + np.maximum(x, 0.0) ** 2


@program(construct="bool array / where", args=lambda: (normal(179, 6),))
def huber(r):
    """Huber loss: quadratic near zero, linear far away."""
    small = np.abs(r) < 0.9
    return np.sum(np.where(small, 0.5 * r * r, 0.9 * (np.abs(r) - 0.45)))


@program(construct="where guards an undefined branch", args=lambda: (normal(180, 5),))
def guarded_log(x):
    """A logarithm for positive samples only; the others are made safe first."""
    positive = x > 0.0
    safe = np.where(positive, x, 1.0)
    return np.where(positive, np.log(safe), x * x)


@program(
    construct="bool array argument in arithmetic", args=lambda: (normal(181, 4), np.array([True, False, True, True]))
)
def masked_mean(x, mask):
    """Mean of the squares of the samples that a mask keeps."""
    return np.sum(mask * x * x) / np.sum(mask)


# ---------------------------------------------------------------------------------------------------------------------
# Reductions and broadcasting


@program(construct="method call x.sum()", args=lambda: (normal(190, 3, 4),))
def method_sums(A):
    """Sums by method: all, along an axis, and nested."""
    return A.sum() * (A * A).sum(axis=0) + A.sum(axis=1).mean()


@program(construct="sum over several axes", args=lambda: (normal(191, 2, 3, 2),))
def channel_energy(image):
    """Energy of each channel, summed over the two pixel axes."""
    return np.sum(image**2, axis=(0, 1))


@program(construct="sum along a negative axis", args=lambda: (normal(192, 2, 3),))
def row_products(A):
    """Sum of each row times its last entry."""
    return np.sum(A * A, axis=-1) * A[:, -1]


@program(construct="mean axis keepdims", args=lambda: (normal(193, 3, 4),))
def layer_norm(x):
    """Rows shifted to zero mean and scaled to unit variance."""
    centred = x - np.mean(x, axis=1, keepdims=True)
    variance = np.mean(centred * centred, axis=1, keepdims=True)
    return centred / np.sqrt(variance + 1e-5)


@program(construct="max axis", args=lambda: (normal(194, 3, 4),))
def column_peaks(A):
    """Squared peak of each column."""
    return np.max(A, axis=0) ** 2


@program(construct="max of everything", args=lambda: (normal(195, 3, 3),))
def relative_to_peak(A):
    """A map in units of its peak."""
    return A / np.max(A)


@program(construct="min", args=lambda: (normal(196, 4), normal(197, 3, 4)), argnums=(0, 1))
def range_of_values(x, A):
    """Distance of the smallest values from the overall smallest."""
    return np.min(A, axis=1, keepdims=True) * x - x.min() ** 2


@program(construct="logsumexp", args=lambda: (normal(198, 5),))
def logsumexp(x):
    """Logarithm of a sum of exponentials, shifted by the largest."""
    # The shift keeps exp from overflowing.
    top = np.max(x)
    return top + np.log(np.sum(np.exp(x - top)))


@program(construct="broadcast (n,1)*(m,)", args=lambda: (normal(199, 3, 1), normal(200, 4)), argnums=(0, 1))
def separable(column, row):
    """A separable surface from a column and a row."""
    return np.sum(np.sin(column * row) + column)


@program(construct="broadcast of two 3-D arrays", args=lambda: (normal(201, 4, 2), normal(202, 3, 2)), argnums=(0, 1))
def nearest_centres(points, centres):
    """Sum of squared distances to the nearest centre, as in k-means."""
    difference = points[:, None, :] - centres[None, :, :]
    distance = np.sum(difference**2, axis=2)
    return np.sum(np.min(distance, axis=1))


@program(construct="scalar broadcast into an array loop", args=lambda: (0.6, normal(203, 2, 3)), argnums=(0, 1))
def repeated_scaling(t, A):
    """A number that scales a matrix and is itself changed by it."""
    for _ in range(2):
        A = A * t + 0.1
        t = t + A.mean() ** 2
    return A


# ---------------------------------------------------------------------------------------------------------------------
# Products


@program(construct="dot 1-D", args=lambda: (normal(210, 4), normal(211, 4)), argnums=(0, 1))
def cosine_similarity(u, v):
    """Cosine of the angle between two vectors."""
    return np.dot(u, v) / np.sqrt(np.dot(u, u) * np.dot(v, v))


@program(construct="dot 2-D", args=lambda: (normal(212, 2, 3), normal(213, 3, 2), normal(214, 2)), argnums=(0, 1, 2))
def chained_dots(A, B, x):
    """Two matrices and a vector, multiplied by np.dot."""
    return np.dot(np.dot(A, B), x)


@program(construct="matmul 2-D", args=lambda: (normal(215, 3, 2), normal(216, 2, 4)), argnums=(0, 1))
def low_rank_norm(U, V):
    """Squared Frobenius norm of a product of two thin matrices."""
    A = U @ V
    return np.sum(A * A)


@program(construct="matmul batched 3-D", args=lambda: (normal(217, 2, 3, 2), normal(218, 2, 2, 3)), argnums=(0, 1))
def batched_products(A, B):
    """A stack of matrix products."""
    return np.matmul(A, B) ** 2


@program(
    construct="matmul broadcast over a batch", args=lambda: (normal(219, 2, 3, 4), normal(220, 4, 2)), argnums=(0, 1)
)
def shared_weights(X, W):
    """One matrix applied to a stack of matrices."""
    return np.tanh(X @ W)


@program(construct="matrix-vector", args=lambda: (normal(221, 3, 4), normal(222, 4), normal(223, 3)), argnums=(0, 1, 2))
def least_squares(A, x, b):
    """Half the squared residual of a linear system."""
    residual = A @ x - b
    return 0.5 * residual @ residual


@program(construct="vector-matrix", args=lambda: (uniform(224, 3), uniform(225, 3, 2)), argnums=(0, 1))
def markov_step(p, T):
    """A row vector times a matrix, then scaled to unit sum of squares."""
    q = p @ T
    return q / np.sqrt(np.sum(q * q))


@program(construct="outer", args=lambda: (normal(226, 3), normal(227, 2)), argnums=(0, 1))
def rank_one_update(u, v):
    """An outer product, squared and summed against its factors."""
    A = np.outer(u, v)
    return np.sum(A * A * A) + np.sum(A @ v)


# ---------------------------------------------------------------------------------------------------------------------
# Shapes and construction


@program(construct="x.T", args=lambda: (normal(230, 3, 2),))
def gram(A):
    """Gram matrix."""
    return A.T @ A


@program(construct="transpose axes", args=lambda: (normal(231, 2, 3, 4),))
def channels_last(x):
    """Move the channel axis to the end and weigh by channel."""
    moved = np.transpose(x, (1, 2, 0))
    return moved * np.array([0.5, 2.0]) + moved * moved


@program(construct="np.transpose without axes", args=lambda: (normal(232, 2, 3),))
def antisymmetric(A):
    """Antisymmetric part of a product of a matrix with its nonlinear transpose."""
    B = A @ np.transpose(np.sin(A))
    return 0.5 * (B * B - np.transpose(B))


@program(construct="reshape -1", args=lambda: (normal(233, 2, 3, 2),))
def flatten_batch(x):
    """Flatten all axes but the first, and everything."""
    n = x.shape[0]
    rows = np.reshape(x, (n, -1))
    return np.sum(rows * rows, axis=1) * x.reshape(-1)[:2]


@program(construct="reshape of a transpose", args=lambda: (normal(234, 2, 3),))
def column_major(A):
    """Column-major vector of a matrix, weighted by place."""
    return A.T.reshape(6) * np.arange(6) + A.reshape(-1) ** 2


@program(construct="x.shape/len", args=lambda: (normal(235, 3, 4),))
def standard_error(samples):
    """Standard error of the column means."""
    n, m = samples.shape
    mean = samples.sum(axis=0) / n
    return np.sqrt(((samples - mean) ** 2).sum(axis=0) / (n * (n - 1))) * (m / len(samples))


@program(construct="concatenate", args=lambda: (normal(236, 3), normal(237, 2)), argnums=(0, 1))
def joined_roughness(x, y):
    """Roughness of two signals put end to end."""
    z = np.concatenate([x, y, x[:1]])
    return np.sum((z[1:] - z[:-1]) ** 2)


@program(construct="concatenate along an axis", args=lambda: (normal(238, 2, 2), normal(239, 2, 3)), argnums=(0, 1))
def side_by_side(A, B):
    """Gram matrix of two blocks side by side."""
    C = np.concatenate((A, B), axis=1)
    return C @ C.T


@program(construct="stack", args=lambda: (normal(240, 3), normal(241, 3)), argnums=(0, 1))
def stacked(x, y):
    """Two signals stacked along a new last axis."""
    pairs = np.stack([x * y, x + y], axis=-1)
    return pairs**2


@program(construct="zeros and ones", args=lambda: (normal(242, 3),))
def with_intercept(x):
    """A two-column table of ones and samples."""
    table = np.zeros((len(x), 2))
    table[:, 0] += np.ones(len(x))
    table[:, 1] += x * x
    return table


@program(construct="zeros_like", args=lambda: (normal(243, 2, 3),))
def discrete_gradient(field):
    """Forward differences with a zero last column."""
    slope = np.zeros_like(field)
    slope[:, :-1] = field[:, 1:] - field[:, :-1]
    return slope * slope


@program(construct="empty then filled", args=lambda: (normal(244, 5),))
def prefix_sums(x):
    """Running sums of squares in an array that starts uninitialised."""
    sums = np.empty(len(x))
    total = 0.0
    for i in range(len(x)):
        total += x[i] ** 2
        sums[i] = total
    return sums


@program(construct="empty_like then filled", args=lambda: (normal(245, 2, 3),))
def rolled_columns(A):
    """Columns moved round by one, then multiplied."""
    B = np.empty_like(A)
    B[:, 1:] = A[:, :-1]
    B[:, 0] = A[:, -1]
    return A * B


@program(construct="full", args=lambda: (0.7, normal(246, 4)), argnums=(0, 1))
def constant_prior(level, x):
    """Distance of samples from a constant profile whose level is a parameter."""
    profile = np.full(len(x), level)
    return np.sum((x - profile) ** 2 * profile)


@program(construct="arange", args=lambda: (0.4, 1.3), argnums=(0, 1))
def damped_wave(decay, frequency):
    """A damped oscillation sampled at regular times."""
    t = np.arange(6)
    s = np.arange(0.0, 3.0, 0.5)
    return np.exp(-decay * t) * np.cos(frequency * s)


@program(construct="eye", args=lambda: (normal(247, 3, 3),))
def neumann_series(A):
    """The first terms of the inverse of I - A / 4."""
    n = len(A)
    B = A / 4.0
    return np.eye(n) + B @ (np.eye(n) + B @ (np.eye(n) + B))


@program(construct="np.copy", args=lambda: (normal(248, 4),))
def keep_original(x):
    """A copy that is changed, beside the original that is not."""
    y = np.copy(x)
    y[1:] *= x[:-1]
    return x - y


@program(construct="array from a list of values", args=lambda: (0.5,))
def rotation(angle):
    """A rotation matrix from nested lists of values, applied to a point."""
    c, s = np.cos(angle), np.sin(angle)
    R = np.array([[c, -s], [s, c]])
    return R @ np.array([1.0, 2.0])
