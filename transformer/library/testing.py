"""np.testing: checks of arrays, which raise an AssertionError as NumPy does; of its message they have the first lines,
not the table of elements that differ."""
import numpy as np

from .registry import means


def same_shape(actual, desired, message):
    if np.ndim(actual) > 0 and np.ndim(desired) > 0 and np.shape(actual) != np.shape(desired):
        raise AssertionError(f"\n{message}\n(shapes {np.shape(actual)}, {np.shape(desired)} mismatch)")


def equal_or_nan(a, b):
    """Where elements are equal, or both are no numbers."""
    return (a == b) | ((a != a) & (b != b))


@means(np.testing.assert_allclose, unasked=True)
def assert_allclose(actual, desired, rtol=1e-7, atol=0, equal_nan=True, err_msg=""):
    title = f"Not equal to tolerance rtol={rtol:g}, atol={atol:g}\n{err_msg}"
    same_shape(actual, desired, title)
    if not np.allclose(actual, desired, rtol, atol, equal_nan):
        raise AssertionError(f"\n{title}")


@means(np.testing.assert_array_equal, unasked=True)
def assert_array_equal(actual, desired, err_msg=""):
    same_shape(actual, desired, f"Arrays are not equal\n{err_msg}")
    if not np.all(equal_or_nan(np.asarray(actual), np.asarray(desired))):
        raise AssertionError(f"\nArrays are not equal\n{err_msg}")


@means(np.testing.assert_almost_equal, np.testing.assert_array_almost_equal, unasked=True)
def assert_array_almost_equal(actual, desired, decimal=7, err_msg=""):
    title = f"Arrays are not almost equal to {decimal} decimals\n{err_msg}"
    same_shape(actual, desired, title)
    a, b = np.asarray(actual), np.asarray(desired)
    if not np.all((np.abs(a - b) < 1.5 * 10.0 ** -decimal) | equal_or_nan(a, b)):
        raise AssertionError(f"\n{title}")


@means(np.testing.assert_array_less, unasked=True)
def assert_array_less(x, y, err_msg=""):
    title = f"Arrays are not strictly ordered `x < y`\n{err_msg}"
    same_shape(x, y, title)
    a, b = np.asarray(x), np.asarray(y)
    if not np.all((a < b) | ((a != a) & (b != b))):
        raise AssertionError(f"\n{title}")


@means(np.testing.assert_, unasked=True)
def assert_(val, msg=""):
    if not val:
        raise AssertionError(msg)
