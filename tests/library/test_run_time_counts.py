"""Widths, counts, shifts and diagonals that only the run time knows: against NumPy, with derivatives,
compiled, for many examples."""
import numpy as np
import pytest

import gradscribe as gs
from tests.support.agreement import agree, differences

pytestmark = [pytest.mark.filterwarnings("ignore::RuntimeWarning"),
              pytest.mark.filterwarnings("ignore::gradscribe.UnrolledWarning")]


# ---- functions of a vector and of a count, a float here so that the program cannot be made for it

def padded(x, s):
    n = int(s)
    A = np.outer(x, x)
    return (np.pad(x, n), np.pad(x, (n, 1), constant_values=(2.0, 3.0)), np.pad(A, ((0, n), (n, 1)), mode="edge"),
            np.pad(A, {1: (n, 0)}), np.pad(x, [n]), np.pad(A, [[n], [2]]))


def mirrored(x, s):
    n = int(s)
    return (np.pad(x, n, mode="edge"), np.pad(x, n, mode="reflect"), np.pad(x, (n, 0), mode="symmetric"),
            np.pad(x, (1, n), mode="wrap"))


def statistics_beside(x, s):
    n = int(s)
    return (np.pad(x, n, mode="linear_ramp", end_values=x[0]), np.pad(x, n, mode="mean"),
            np.pad(x, (n, 0), mode="maximum"))


def tiled(x, s):
    n = int(s)
    return np.tile(x, n), np.tile(x, (n, 2)), np.tile(np.outer(x, x), (2, n)), np.tile(x, (2, n, 1))


def repeated(x, s):
    n = int(s)
    A = np.outer(x, x)
    return np.repeat(x, n), A.repeat(n, axis=0), np.repeat(A, n, axis=-1), np.repeat(A, n)


def rolled(x, s):
    n = int(s)
    A = np.outer(x, x)
    return np.roll(x, n), np.roll(x, -n), np.roll(A, n), np.roll(A, (n, 1), axis=(0, 1)), np.roll(A, n, axis=(0, 1))


def triangles(x, s):
    n = int(s)
    A = np.outer(x, x)
    return (np.triu(A, n), np.tril(A, -n), np.tri(3, k=n) @ A[:3, :3], np.eye(3, k=n) @ A[:3, :3],
            A[np.triu_indices(2, n)])


def diagonals(x, s):
    n = int(s)
    A = np.outer(x, x)
    return np.diag(x, n), np.diag(A, n), A[1:].diagonal(n), np.trace(A, n), np.diagflat(A, n)


def put_in_and_left_out(x, s):
    n = int(s)
    A = np.outer(x, x)
    return (np.insert(x, n, x[1]), np.delete(x, n), np.insert(A, n, x, axis=1), np.delete(A, n, axis=0),
            np.insert(x, -n, [1.0, 2.0]))


def powers(x, s):
    return np.linalg.matrix_power(np.outer(x, x) + np.eye(len(x)), int(s))


def windows(x, s):
    n = int(s)
    return np.hanning(n) * x[0], np.hamming(n), np.blackman(n), np.bartlett(n), np.kaiser(n, x[1])


def convolved(x, s):
    kernel = np.arange(int(s)) + 1.0
    return np.convolve(x, kernel, "same"), np.convolve(kernel, x, "valid"), np.convolve(x, kernel)


def correlated(x, s):
    kernel = np.arange(int(s)) + 1.0
    return [np.correlate(a, v, mode) for a, v in ((x, kernel), (kernel, x)) for mode in ("same", "valid", "full")]


def between(x, s):
    return (np.arange(s), np.arange(0.0, s, 0.3 * x[0]), np.arange(s, 0.25, -0.1), np.arange(x[1], s, 0.65),
            np.arange(1, s))


ALL = [padded, mirrored, statistics_beside, tiled, repeated, rolled, triangles, diagonals, put_in_and_left_out, powers,
       windows, convolved, correlated, between]
X = np.array([1.5, -0.5, 0.75, 2.0])
named = pytest.mark.parametrize("f", ALL, ids=lambda f: f.__name__)


def loss(f):
    """One number of all that f gives, to which no two elements contribute alike."""
    def total(x, s):
        s = sum([np.sum(np.cos(np.arange(y.size)) * np.ravel(y)) for y in parts(f(x, s))])
        return s
    return total


def parts(result):
    return result if isinstance(result, (tuple, list)) else [result]


@pytest.mark.heavy(one_in=9)
@named
def test_values(f):
    """And what is raised: of counts below 0, places outside, kernels of no elements."""
    for count in (-5.0, -1.0, 0.0, 1.0, 2.0, 3.0, 4.0, 9.0):
        agree(f, X, count, compiled=False)
        agree(lambda x, n: f(x, n), X, int(count), compiled=False)  # noqa: B023


@pytest.mark.heavy(one_in=3)
@named
def test_gradients(f):
    g, slope = loss(f), gs.grad(loss(f))
    for count in (1.0, 2.0, 3.0):
        np.testing.assert_allclose(slope(X, count), differences(g, (X, count), 0), rtol=1e-6, atol=1e-6)
    assert len({slope.source(X, count) for count in (2.0, 3.0)}) == 1


@pytest.mark.heavy(one_in=7)
@named
def test_many_examples(f):
    """Of different counts, too."""
    g, counts = loss(f), np.array([2.0, 1.0, 3.0, 2.0])
    np.testing.assert_allclose(gs.vmap(g, in_axes=(None, 0))(X, counts), [g(X, c) for c in counts])
    got = gs.vmap(gs.grad(g), in_axes=(0, 0))(np.stack([X, 2 * X]), counts[1:3])
    np.testing.assert_allclose(got, [gs.grad(g)(k * X, c) for k, c in zip((1, 2), counts[1:3])])


@pytest.mark.heavy(one_in=77)
@named
def test_compiled(f):
    value_and_grad = gs.jit(gs.value_and_grad(loss(f)))
    for count in (2.0, 1.0, 3.0):
        value, slope = value_and_grad(X, count)
        np.testing.assert_allclose(value, loss(f)(X, count))
        np.testing.assert_allclose(slope, gs.grad(loss(f))(X, count), atol=1e-12)


# ---- in loops, which stay loops

def autocorrelation(x):
    s = 0.0
    for k in range(len(x)):
        s += np.sum(x * np.roll(x, k)) * np.trace(np.outer(x, x), k)
    return s


def leave_one_out(x):
    s = 0.0
    for k in range(len(x)):
        s += np.std(np.delete(x, k))
    return s


def steps_of_a_chain(x):
    P, s = np.outer(x, np.cos(x)), 0.0
    for k in range(len(x)):
        s = s + x @ np.linalg.matrix_power(P, k)[0]
    return s


@pytest.mark.parametrize("f", [autocorrelation, leave_one_out, steps_of_a_chain], ids=lambda f: f.__name__)
def test_loops_stay_loops(f):
    slope = gs.grad(f)
    assert slope.source(X) == slope.source(np.linspace(0.5, 1.5, 9))
    np.testing.assert_allclose(slope(X), differences(f, (X,), 0), rtol=1e-6, atol=1e-6)


# ---- what a person would write

def blurred(image, sigma):
    """A Gaussian filter, of a width that goes by sigma."""
    radius = int(3.0 * sigma + 0.5)
    kernel = np.exp(-np.arange(-radius, radius + 1) ** 2 / (2.0 * sigma**2))
    kernel = kernel / np.sum(kernel)
    wide = np.pad(image, radius, mode="edge")
    rows, out = np.zeros((image.shape[0], wide.shape[1])), np.zeros(image.shape)
    for k in range(2 * radius + 1):
        rows += kernel[k] * wide[k:k + image.shape[0]]
    for k in range(2 * radius + 1):
        out += kernel[k] * rows[:, k:k + image.shape[1]]
    return out


def sharpness(image, sigma):
    return np.sum(blurred(image, sigma) ** 2)


@pytest.mark.heavy(one_in=2)
def test_a_gaussian_filter():
    image = np.sin(np.arange(30.0)).reshape(5, 6)
    assert agree(sharpness, image, 0.7, gradient=0, compiled=False)
    both = gs.jit(gs.grad(sharpness, argnums=(0, 1)))
    for sigma in (0.7, 1.2):
        slopes = both(image, sigma)
        for k in (0, 1):
            np.testing.assert_allclose(slopes[k], differences(sharpness, (image, sigma), k), rtol=1e-5, atol=1e-7)


@pytest.mark.heavy(one_in=4)
def test_scipys_gaussian_filter():
    from scipy import ndimage
    image = np.sin(np.arange(30.0)).reshape(5, 6)
    f = lambda image, sigma: np.sum(ndimage.gaussian_filter(image, (sigma, 0.5), mode="wrap") ** 2)  # noqa: E731
    both = gs.jit(gs.grad(f, argnums=(0, 1)))
    for sigma in (0.7, 1.2):
        for got, k in zip(both(image, sigma), (0, 1)):
            np.testing.assert_allclose(got, differences(f, (image, sigma), k), rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(gs.vmap(f, in_axes=(None, 0))(image, np.array([0.7, 1.2])),
                               [f(image, s) for s in (0.7, 1.2)])
    for sigma in (0.0, 0.1, 3.0, -1.0):  # of which only the first and the last are not those of a kernel
        agree(lambda x, s: ndimage.gaussian_filter(x, s), image, sigma, compiled=False)
        agree(lambda x, s: ndimage.gaussian_filter1d(x, s, 0), image.astype(np.float32), sigma, compiled=False)


def test_steps_of_floats_are_those_of_numpy_to_the_bit():
    spaced = gs.test_util.primal(lambda a, b, h: np.arange(a, b, h))
    draw = np.random.default_rng(0)
    for a, b, h in [*draw.uniform(-3, 3, (200, 3)).tolist(), (-0.0, 3.0, 1.0), (0.0, 1.0, 0.1), (1.0, 1.3, 0.1),
                    (0.1, 0.7, 0.2)]:
        assert spaced(a, b, h).tobytes() == np.arange(a, b, h).tobytes()


def test_what_has_no_number_of_steps():
    for stop, step in ((np.nan, 1.0), (np.inf, 1.0), (1.0, 0.0), (1e30, 1.0), (np.float64(1.0), np.float64(0.0))):
        agree(lambda a, b: np.arange(0.0, a, b), stop, step, compiled=False)
    with pytest.raises(gs.GradscribeError, match="infinite"):
        gs.grad(lambda a, b: np.sum(np.arange(0.0, a, b)))(1.0, np.inf)


def trajectory(y, end, step):
    for t in np.arange(0.0, end, step):
        y = y + step * (np.sin(t) - y)
    return y


def test_steps_of_time():
    both = gs.jit(gs.grad(trajectory, argnums=(0, 2)))
    for end in (1.05, 2.35):
        np.testing.assert_allclose(both(0.5, end, 0.1),
                                   [differences(trajectory, (0.5, end, 0.1), k) for k in (0, 2)], rtol=1e-6)
    np.testing.assert_allclose(gs.vmap(trajectory, in_axes=(None, 0, None))(0.5, np.array([1.05, 2.35]), 0.1),
                               [trajectory(0.5, end, 0.1) for end in (1.05, 2.35)])


def test_of_no_elements():
    for mode in ("edge", "reflect", "mean", "maximum", "linear_ramp"):
        agree(lambda x, s: np.pad(x, int(s), mode=mode), np.zeros(0), 1.0, compiled=False)  # noqa: B023
        agree(lambda x: np.pad(x, ((0, 0), (2, 0)), mode=mode), np.zeros((0, 2)), compiled=False)  # noqa: B023
    agree(lambda x, s: np.pad(x, int(s)), np.zeros(0), 1.0, compiled=False)
    agree(lambda x, s: np.roll(x, int(s)), np.zeros(0), 1.0, compiled=False)


def test_widths_of_other_kinds():
    for width in (1.0, (), True, np.uint8(1), (1, 2, 3), ((1, 2), (3, 4)), ((1, 2), 3), {3: 1}):
        agree(lambda x: np.pad(x, width), np.ones(3), compiled=False)  # noqa: B023


def test_integers_to_a_power_below_0():
    """Would be floats, and ints otherwise."""
    f = lambda a, s: np.linalg.matrix_power(a, int(s))  # noqa: E731
    agree(f, np.array([[1, 2], [3, 4]]), 3.0, compiled=False)
    with pytest.raises(gs.GradscribeError, match="below 0"):
        gs.jvp(f, (np.array([[1.0, 2.0], [3.0, 4.0]]).astype(int), -1.0), (np.zeros((2, 2)), 0.0))


@pytest.mark.parametrize("f", [lambda x, s: np.rot90(np.outer(x, x), int(s)), lambda x, s: np.diff(x, int(s))])
def test_what_changes_the_program_is_refused(f):
    with pytest.raises(gs.GradscribeError,
                       match="must be known before it(.|\n)*Use a constant, or an argument that is an int"):
        gs.grad(lambda x, s: np.sum(f(x, s)))(X, 1.0)
