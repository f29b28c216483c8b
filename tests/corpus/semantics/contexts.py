"""Context managers that are generator functions."""
import contextlib

import numpy as np

from tests.corpus.semantics.library import THREE
from tests.corpus.semantics.table import program


@contextlib.contextmanager
def doubled(a):
    b = a * 2
    yield b
    b += 1


@contextlib.contextmanager
def told(name):
    print("into", name)
    yield
    print("out of", name)


@contextlib.contextmanager
def restored(y):
    old = y.copy()
    try:
        yield y
    finally:
        y[:] = old


@contextlib.contextmanager
def noted(box):
    try:
        yield
    except ValueError as problem:
        box.append(len(str(problem)))


@contextlib.contextmanager
def either(x):
    if x > 0:
        yield x
    else:
        yield -2 * x


@contextlib.contextmanager
def at_times(x, times):
    for _ in range(times):
        yield x


class Solver:
    def __init__(self):
        self.depth = 0.0

    @contextlib.contextmanager
    def deeper(self, by):
        self.depth += by
        try:
            yield self.depth
        except ZeroDivisionError:
            self.depth += 10.0
            raise
        finally:
            self.depth -= by


@contextlib.contextmanager
def errors(**how):
    old = np.seterr(**how)
    try:
        yield
    finally:
        np.seterr(**old)


@contextlib.contextmanager
def both(a, scale):
    with doubled(a) as b, np.errstate(all="ignore"):
        yield b * scale


@program((THREE,), (-THREE,))
def context_of_a_generator(x):
    with doubled(x) as y:
        z = np.sum(y ** 2)
    return z + np.sum(y)


@program((np.array([1.0, 0.0, -2.0]),))
def context_that_sets_what_numpy_says(x):
    with errors(divide="ignore"):
        with errors(all="ignore"):
            y = 1.0 / x
    return np.sum(y[np.isfinite(y)])


@program((THREE,))
def context_that_prints(x):
    with told("one"):
        with told("two"):
            print("inside")
        y = np.sum(x ** 2)
    return y


@program((THREE,))
def context_that_restores(x):
    y = x * 1.0
    with restored(y) as v:
        v *= 3.0
        s = np.sum(v ** 2)
    return s + np.sum(y ** 3)


@program((THREE,), (-THREE,))
def context_that_catches(x):
    box = []
    with noted(box):
        if x[0] > 0:
            raise ValueError("a")
        box.append(x[1])
    return sum(box) * x[2]


@program((THREE,), (-THREE,))
def context_that_restores_after_an_exception(x):
    y = x * 2.0
    try:
        with restored(y) as v:
            v *= 3.0
            if v[0] > 0:
                raise ValueError(f"{v[1]}")
            s = np.sum(v ** 2)
    except ValueError:
        s = -1.0
    return s + np.sum(y)


@program((THREE,), (-THREE,))
def context_that_raises_out(x):
    with restored(x * 2.0) as v:
        if v[0] > 0:
            raise KeyError("gone")
        v[0] = 5.0
    return np.sum(v)


@program((THREE,), (-THREE,))
def context_that_yields_in_branches(x):
    with either(x[0]) as a:
        b = a * x[1]
    return b


@program((THREE, 1), (THREE, 0), (THREE, 2))
def context_that_yields_at_times(x, times):
    with at_times(x[0], times) as a:
        b = a * x[1]
    return b


@program((THREE,), (-THREE,))
def context_that_is_left(x):
    for k in range(3):
        with doubled(x) as y, doubled(y) as z:
            if np.sum(z) > 30:
                return np.sum(z * x)
            if k == 1:
                continue
            x = x * 1.5
    return np.sum(x)


@program((THREE,), (-THREE,))
def context_that_is_a_method(x):
    s, total = Solver(), 0.0
    for v in x:
        with s.deeper(v) as d:
            with s.deeper(2 * v):
                total += d * s.depth
    return total + s.depth


@program(((1.0, 0.0, 2.0),), ((0.0, 0.0, 0.0),))
def context_that_raises_again(x):
    s, out = Solver(), 0.0
    for v in x:
        try:
            with s.deeper(3.0) as d:
                out += d / v
        except ZeroDivisionError:
            out += v + s.depth
    return out


@program((THREE, 2.0), (-THREE, 0.5))
def context_of_contexts(x, scale):
    with both(x, scale) as y:
        if y[0] > 0:
            return np.sum(y ** 2)
        y = y * 3
    return np.sum(y)
