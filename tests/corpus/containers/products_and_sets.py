"""Products of lists, lists out of range, keys and sets, ranges, text of containers."""
from dataclasses import dataclass

import numpy as np

from tests.corpus.containers.table import program

NEEDED, KEYS = frozenset(["k", "x"]), {"a", "b"}


class Sequence:
    def __init__(self, *a):
        self.a = a

    def __len__(self):
        return len(self.a)

    def __getitem__(self, i):
        return self.a[i]


@dataclass
class Pair:
    a: float
    b: float


@program(np.float64(1.0), 2.0)
def equal_dataclasses_of_numpys_numbers(a, b):
    return Pair(a, b) == Pair(b, a), Pair(a, b) == Pair(a, b), Pair(a, b) != Pair(a, b)


@program(-5)
def list_of_a_number_out_of_range(n):
    return np.array([n], dtype=np.uint8)


@program(200)
def list_with_a_number_out_of_range(n):
    return np.array([n, 1], dtype=np.int8)


@program(100)
def lists_of_numbers_in_a_dtype(n):
    return (np.array([n, 1], dtype=np.int8), np.array([(n, 1), (2, n)], np.uint8), np.array([n, True, 2.5]),
            np.array([n, 1], np.float32))


@program(300)
def store_of_a_list_out_of_range(n):
    x = np.zeros(2, dtype=np.uint8)
    x[:] = [n, 1]
    return x


@program([1.0, 2.0])
def product_of_lists(x):
    return x @ x


@program(2.0)
def product_of_numbers(x):
    return x @ 3.0


@program(np.ones(2))
def products_with_lists(x):
    return x @ [1.0, 2.0], [1.0, 2.0] @ x


@program({"k": 1, "x": 2.0})
def keys_and_a_set_outside(record):
    return record["x"] * 2 if NEEDED <= record.keys() else 0.0


@program(2.0, {"a": 1.0, "b": 2.0})
def keys_are_sets(x, d):
    return ((x if d.keys() == KEYS else -x), len(d.keys() & KEYS), KEYS == d.keys(), d.keys() < KEYS,
            d.keys() == {"a": 1, "b": 2}.keys())


@program(5, 3)
@program(5, -1)
@program(5, 5)
@program(8, 7)
def ranges_of_the_run_time(n, k):
    inside = k in range(n), k in range(1, n, 2), k in range(n, 0, -1), 2.0 in range(n), 2.5 in range(n), "a" in range(n)
    return inside, range(3, n + 1, 2)[-1], range(n)[k]


@program(2.0)
def text_of_containers(x):
    raise ValueError(f"{[x, (x,), {'a': x, 'b': [1, 'q']}]} {[]} {()} { {} }")


@program(np.ones(3), 2.0)
@program(np.ones(3), np.ones((2, 3)))
@program(np.float64(2.0), np.ones(3))
@program(np.ones((3, 2)), [1.0, 2.0])
def product_of_what_has_no_axes(x, y):
    return x @ y


@program({"a": 1.0})
def length_of_an_iterator(d):
    return len(iter(d.items()))


@program({"a": 1.0})
def attribute_of_an_iterator(d):
    return iter(d.items()).first


@program(2.0)
def an_iterator_in_arithmetic(x):
    return enumerate([x]) + [x]


@program(2.0)
def reversed_sequence_of_a_class(x):
    return list(reversed(Sequence(x, 2 * x)))
