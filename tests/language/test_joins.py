"""Where paths meet: what has another type, rank, class or place in memory by the path is what Python makes
of it, or is refused."""
import math

import numpy as np
import pytest

import gradscribe as gs
from tests.support.agreement import agree

X = np.array([0.5, 1.25, -1.0, -0.5])


def sum_before_it_is_an_array(a):
    n, total = 2, 0.0
    while n:
        n -= 1
        total = total + np.sum(a)
        a = a + np.ones(3)
    return total


def rank_before_it_is_an_array(a, x):
    ranks = 0
    for _ in range(3):
        ranks = ranks + np.ndim(a)
        a = a + x
    return ranks


def a_number_of_python_and_a_list(a):
    s = 0.0
    for _ in range(2):
        s = s + a
    return s


def truth_of_a_part(a, x):
    for j in range(len(x)):
        if a:
            pass
        a = x[1:]
    return a


def truth_behind_and(a):
    n = 2
    while n:
        n -= 1
        m = n
        while m and a:
            m -= 1
        a = a + [1.0, 2.0]
    return a


def view_made_in_a_loop(x):
    for v in zip(x, x):
        x = x + 1.0
        v = x[::-1]
    v[2] = 0.0
    return x


def store_into_what_a_view_sees(x):
    v = np.zeros(4)
    for _ in range(2):
        x = x + 1.0
        v = x[::-1]
    x[2] = 0.0
    return v


def mean_of_nothing(x):
    s, n = 0.0, len(x)
    for v in x:
        s = s + v
    return s / n


def remainder_before_it_is_numpys(b, n, y):
    z = 0
    for i in range(len(y)):
        n -= 1
        z = b % n
        b = y[i]
    return z


def bool_and_numbers(x, b):
    for p in x:
        pass
    for j in range(2):
        y = np.less(x, b) * p
        p = [] == j
    return y


def ceil_of_int_or_float(n):
    if n > 5:
        n //= n / n
    return np.ceil(n)


def shift_of_int_or_float(b, c):
    x = False
    x %= 2 if b else c
    return x >> 2


def width_of_an_array_beside(p, m=2.5):
    if (y := np.square(p)) > 5:
        pass
    else:
        y = m
    return np.floor_divide(np.ones(2, np.float32), y)


def narrow_array_beside(b, p, n):
    x = 1
    for q in range(n):
        x = math.fmod(b, p) if p < q else 1
    return x * np.arange(3, dtype=np.int16)


def array_of_int_or_float(n):
    x = 1 if n > 2 else 0.5
    return np.asarray(x), np.full(2, x)


def iterator_of_a_loop(n):
    while n:
        n -= 1
        it = reversed([])
    return [1 for v in it]


def list_on_one_path(a, b):
    if b:
        y = []
        if a:
            y.append(1.0)
    return y


def narrow_int_or_constant(x):
    return max(x, 5) * 100


def single_or_constant(x, y):
    return (x if np.sum(y) > 0 else 2.0) * 0.3


def decayed_sum(x):
    m = 3.0
    for v in x:
        m = m * 0.3 + v
    return m


def counted_by_numpy(x):
    for v in [1.0, 2.5]:
        for k in range(1):
            pass
        k += np.int64(k)
    return k


def added_by_numpy(x):
    y = 1.5 if np.sum(x) > 0.0 else x[0]
    return np.add(y, 1.0), np.abs(y), abs(y), y + 1.0


def arrays_of_one_path(x, n):
    if n > 1:
        y = np.sign(x)
        s = np.asarray(y)
    y *= 2.0
    return s


def views_of_one_path(x, n):
    if n > 1:
        y = np.sign(x)
        s = y[1:]
    s[0] = 7.0
    return y


def none_in_a_loop(x):
    for k, q in enumerate(range(3)):
        if x > 2.0:
            q = None
    return q


def remainder_of_int_or_float(x, n):
    return max(1.25, n) % x.argmax()


CASES = {
    "counted": (counted_by_numpy, (1.0,)), "added, Python's": (added_by_numpy, (np.ones(2),)),
    "added, NumPy's": (added_by_numpy, (-np.ones(2),)), "arrays": (arrays_of_one_path, (X, 2)),
    "views": (views_of_one_path, (X, 2)), "None": (none_in_a_loop, (4.0,)), "no None": (none_in_a_loop, (1.0,)),
    "int64": (remainder_of_int_or_float, (np.array([1.0, 3.0]), 2)),
    "uint8": (narrow_int_or_constant, (np.uint8(3),)), "uint8, larger": (narrow_int_or_constant, (np.uint8(7),)),
    "single": (single_or_constant, (np.float32(2.5), X)), "constant": (single_or_constant, (np.float32(2.5), -X)),
    "decay": (decayed_sum, (X,)), "decay of nothing": (decayed_sum, (X[:0],)),
    "decay, single": (decayed_sum, (X.astype(np.float32),)), "sum": (sum_before_it_is_an_array, (np.float64(1.0),)),
    "rank": (rank_before_it_is_an_array, (0.5, X)),
    "list": (a_number_of_python_and_a_list, ([1.0, 2.0],)), "array": (a_number_of_python_and_a_list, (X,)),
    "truth": (truth_of_a_part, (2, np.array([0.75, -2.5]))), "no truth": (truth_of_a_part, (2, np.ones(4))),
    "and": (truth_behind_and, (np.int64(6),)), "view": (view_made_in_a_loop, (X,)),
    "viewed": (store_into_what_a_view_sees, (X,)),
    "mean": (mean_of_nothing, (np.zeros(0),)), "mean of some": (mean_of_nothing, (X,)),
    "remainder": (remainder_before_it_is_numpys, (7, 1, np.ones(2))),
    "remainder, not by 0": (remainder_before_it_is_numpys, (7, 4, np.ones(2))), "bool": (bool_and_numbers, (X, 2.0)),
    "ceil": (ceil_of_int_or_float, (5,)), "shift": (shift_of_int_or_float, (2.0, 1.5)),
    "float32": (width_of_an_array_beside, (1.5,)), "int16": (narrow_array_beside, (3.0, 2.0, 3)),
    "asarray": (array_of_int_or_float, (3,)), "iterator": (iterator_of_a_loop, (1,)),
    "branches": (list_on_one_path, (5, np.int8(7))),
}
REFUSED = {  # where only the path says which class a number has, or which memory, and both make a difference
    **dict.fromkeys(["added, Python's", "added, NumPy's", "float32"], "a number that has another type on each path"),
    **dict.fromkeys(["None", "no None"], "it may be None"),
    **dict.fromkeys(["view", "viewed"], "may share memory with another"), "remainder": "only Python's raises",
    "bool": "its dtype is float64 o", "iterator": "it is an iterator tha",
}


@pytest.mark.heavy(one_in=7)
@pytest.mark.parametrize("name", CASES)
def test_paths_meet(name):
    function, args = CASES[name]
    agree(function, *args, refused=REFUSED.get(name, ""), message=False)


def test_what_differs_in_the_first_iteration_only_is_done_apart():
    assert agree(decayed_sum, np.array([0.5, 1.25], np.float32))


def test_sums_that_begin_with_a_number_are_one_loop():
    """What is read as an operand alone is an array from the start: its first iteration is like the others."""
    assert gs.jit(a_number_of_python_and_a_list).source(X).count("+") == 1
    assert agree(a_number_of_python_and_a_list, X)


def dead_power(d):
    d **= 2


def dead_minimum(a, b):
    np.minimum(a, b)


def dead_product(u):
    -1 * u


def dead_shift(n):
    n >> n


def dead_array_power(n):
    2 ** n


def dead_int(x):
    int(x)


def dead_variable(n):
    for j in range(n):
        pass
    j


@pytest.mark.parametrize("function, args",
                         [(dead_power, (1e300,)), (dead_minimum, (np.uint32(4), -3)), (dead_product, (np.uint64(0),)),
                          (dead_variable, (0,)), (dead_shift, (-1,)), (dead_array_power, (np.array([3, -2]),)),
                          (dead_int, (np.float64(np.nan),)), (dead_int, (np.inf,))])
def test_what_nobody_reads_still_raises(function, args):
    assert agree(function, *args)


def stored_element(z):
    z[-1] -= z
    return z


def stored(x, a):
    x[0] = a
    return x


def tuples(a, b):
    return 1 if a == (b,) else 2


def extended(a, b):
    b = [*b]
    b += a
    return b


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("function, args", [
    (stored_element, (np.ones(1),)), (stored_element, (np.ones(2),)), (stored, (np.arange(3), [1, 1])),
    (stored, (np.ones(3), [1, 1])), (stored, (np.ones(3), [1])), (stored, (np.ones(3), np.ones(1))),
    (stored, (np.ones((3, 2)), np.ones((1, 2)))), (tuples, ((np.ones(3), 1.0), 1.0)), (tuples, ((2.0, 1.0), 1.0)),
    (tuples, ((1.0, 1.0), 1.0)), (extended, (np.int64(3), [-2.5])), (extended, (3, [-2.5]))])
def test_what_numpy_and_python_say(function, args):
    assert agree(function, *args)


def test_a_count_that_begins_with_a_bool_is_an_int():
    assert agree(lambda b: [list(enumerate([1.5, 2.5], start=False)), list(enumerate((1.5,), b))], True)


def loads_before_values(x, y):
    x[1] *= 3 // len(x)
    return x


@pytest.mark.parametrize("x", [np.zeros(0), np.ones(3)])
def test_what_is_changed_is_read_before_the_value(x):
    assert agree(loads_before_values, x, 2.0)


@pytest.mark.parametrize("fill", [3.0e38, 300.5, -1.0, 2.9])
def test_a_float_fills_an_array_of_ints_as_numpy_has_it(fill):
    agree(lambda x: np.full(2, x, np.uint8), fill)
    agree(lambda x: np.full_like(np.zeros(0, np.uint32), x), fill)


@pytest.mark.parametrize("taken", [lambda x: len(f"{x}"), lambda x: "" in f"{x}", lambda x: reversed(f"{x}"),
                                   lambda x: f"{x}"[0]])
def test_a_text_of_the_run_time_is_not_taken_apart(taken):
    agree(taken, 0.25, refused="a text with a value of the run time is taken apart")


def stores_into_a_ravelled(x):
    y = x.ravel()
    y[:] = 2.0
    return x


def stores_into_a_contiguous_one(x):
    y = np.ascontiguousarray(x)
    y[0] = 2.0
    return x


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("function", [stores_into_a_ravelled, stores_into_a_contiguous_one])
@pytest.mark.parametrize("x", [np.arange(3.0), np.arange(6.0)[::2], np.arange(3.0)[::-1], np.ones((2, 3)),
                               np.ones((2, 3)).T])
def test_what_may_be_a_copy_is_not_stored_into(function, x):
    agree(function, x, refused="may share memory with another" if x.ndim == 1 else "")
