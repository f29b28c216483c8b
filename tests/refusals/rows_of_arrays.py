"""Programs of the rows that are of NumPy's functions: what is refused, and what is written instead."""
import numpy as np

import gradscribe as gs

EXCLUDING = np.vectorize(lambda a, b: a * b, excluded=[1])


class Index:  # a stand-in
    __module__ = "pandas"

    def __array__(self, dtype=None, copy=None):
        return np.array([0.5, 1.5, 0.25])


INDEX = Index()


def eigenvalues_of(x):
    return np.linalg.eigvals(np.diag(x) + np.ones((3, 3)))


def real_or_complex(x):
    return np.sum(gs.vmap(eigenvalues_of)(np.stack([x, x])).real ** 3)


def complex_both(x):
    return np.sum(gs.vmap(lambda x: eigenvalues_of(x).astype(complex))(np.stack([x, x])).real ** 3)


def of_two_dtypes(x):
    return np.sum(gs.vmap(lambda x: x if x[0] > 5.0 else np.arange(3))(np.stack([x, x])) ** 2)


def of_one_dtype(x):
    return np.sum(gs.vmap(lambda x: x if x[0] > 5.0 else np.arange(3.0))(np.stack([x, x])) ** 2)


def excluding(x):
    return np.sum(EXCLUDING(x, 2.0))


def without_excluding(x):
    return np.sum(np.vectorize(lambda v: v * 2.0)(x))


def percent_by_name(x):
    if x[0] > 5.0:
        raise ValueError("no %(x)s" % {"x": x[0]})
    return x[0] ** 2


def f_string(x):
    if x[0] > 5.0:
        raise ValueError(f"no {x[0]}")
    return x[0] ** 2


def windows_by_bytes(x):
    return np.sum(np.lib.stride_tricks.as_strided(x, (2, 2), (8, 8)) ** 2)


def windows_that_slide(x):
    return np.sum(np.lib.stride_tricks.sliding_window_view(x, 2) ** 2)


def windows_stored_into(x):
    windows = np.lib.stride_tricks.as_strided(x, (2, 2), x.strides * 2)
    windows[0] = 0.0
    return np.sum(x ** 2)


def windows_by_strides(x):
    return np.sum(np.lib.stride_tricks.as_strided(x, (2, 2), x.strides * 2) ** 2)


def array_of_none(x):
    z = np.array([None, None])
    z[0] = x[0]
    return x[0] ** 2


def array_of_nan(x):
    z = np.full(2, np.nan)
    z[0] = x[0]
    return z[0] ** 2


def kept_and_returned(x):
    def keep(path, x):
        y = x * 2.0
        path.append(y)
        return y
    return gs.jit(keep)([], x)


def kept_as_a_copy(x):
    def keep(path, x):
        y = x * 2.0
        path.append(y.copy())
        return y
    return np.sum(gs.jit(keep)([], x) ** 2)


def scaled_by_an_index(x):
    return np.sum(INDEX * x)


def function_of_an_index(x):
    return np.sum(np.sin(INDEX) * x)


def scaled_by_its_array(x):
    return np.sum(np.asarray(INDEX) * x)
