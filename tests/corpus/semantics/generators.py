"""Generator functions."""
import numpy as np

import gradscribe as gs
from tests.corpus.semantics.library import THREE
from tests.corpus.semantics.table import program

# ---- generator functions

def halves(x, n):
    for _ in range(n):
        x = 0.5 * x
        yield x


def sums_so_far(x):
    """One array, again and again."""
    total = np.zeros(2)
    for v in x:
        total[0] += v
        total[1] = total[0] * v
        yield total
    total[:] = 9.0


def roots(x):
    y = x
    while True:
        y = 0.5 * (y + x / y)
        yield y


def small_ones(x, limit):
    for k, v in enumerate(x):
        if v < 0.0:
            continue
        if v > limit:
            return
        yield v, k
        yield -v, k


def leaves_of(tree):
    if isinstance(tree, (list, tuple)):
        for part in tree:
            yield from leaves_of(part)
    else:
        yield tree


def differences(x):
    items = iter(x)
    last = next(items)
    for v in items:
        yield v - last
        last = v


class Grid:
    def __init__(self, x):
        self.x = x

    def __iter__(self):
        for v in self.x:
            yield 2.0 * v


@program((2.0, 5), (2.0, 0), (THREE, 3))
def loops_over_a_generator(x, n):
    total, seen = 0.0 * x, []
    for k, v in enumerate(halves(x, n), 1):
        w = k * v
        total = total + w * w
        seen.append(np.sum(w))
    return total, np.array(seen), [np.sum(v) for v in halves(x, n)]


@program((2.0, 5))
def a_variable_after_a_loop_over_a_generator(x, n):
    for v in halves(x, n - 5):
        pass
    return v


@program((THREE,), (-THREE,))
def one_array_that_a_generator_fills_again(x):
    total = np.zeros(2)
    for v in sums_so_far(x):
        total += v
    kept = list(sums_so_far(x))
    return total, sum(sums_so_far(x)), kept[0], [v[1] for v in sums_so_far(x)], sum(v[0] for v in sums_so_far(x))


@program((THREE,),)
def a_store_into_what_a_generator_reads(x):
    y, seen = x.copy(), []
    for v in halves(y, 4):
        y[1] += 1.0
        v[0] = 0.0
        seen.append(v[1] + v[0] + y[0])
    return seen, y


@program((2.0, 1e-3), (16.0, 1e-9))
def an_endless_generator_that_is_left(x, small):
    for k, y in enumerate(roots(x)):
        if abs(y * y - x) < small:
            break
    else:
        k = -1
    return y, k, first_root_below(x, small)


def first_root_below(x, small):
    for y in roots(x):
        if abs(y * y - x) < small:
            return y
    return None


@program((THREE, 10.0), (THREE, 1.5), (-THREE, 10.0))
def a_generator_with_conditions(x, limit):
    total, count = 0.0, 0
    for v, k in small_ones(x, limit):
        if v < -1.5:
            continue
        total += v * (k + 1)
        count += 1
    return (total, count, np.array([1.0 * k for _, k in small_ones(x, limit)]),
            any(v > 1.0 for v, _ in small_ones(x, limit)))


@program((THREE,))
def a_generator_that_calls_itself(x):
    tree = (x, [2.0 * x, (x[0], 3)], x)
    return sum(np.sum(v) * k for k, v in enumerate(leaves_of(tree))), len(list(leaves_of(tree)))


@program((THREE,), (np.zeros(0),))
def a_stop_iteration_in_a_generator(x):
    return sum(differences(x)), max(differences(x))


@program((THREE,))  # of no items it is refused: what a loop over a generator raises would leave the generator
def a_stop_iteration_that_the_loop_raises(x):
    total = 1.0
    try:
        for v in halves(total, 2):
            total += v
            if len(x) == 0:
                raise StopIteration
        total += sum(differences(x))
    except StopIteration:
        total = -total
    except RuntimeError:
        total = 7.0
    return total


@program((THREE,))
def a_class_whose_iterator_is_a_generator(x):
    grid = Grid(x)
    a, *others = grid
    return a, others, sum(grid), list(grid), max(grid), [*grid, 1.0], [v * w for v in grid for w in Grid(x[:2])]


@program((THREE,))
def a_generator_that_has_run(x):
    values = halves(x[1], 3)
    return sum(values), list(values), sum(values, 4.0)


@program((THREE, 3))
def a_generator_inside_of_a_function(x, n):
    scale = 1.0

    def scaled():
        nonlocal scale
        for k in range(n):
            scale = scale * x[k % 3]
            yield scale, k
        yield 5.0, -1

    total = 0.0
    for v, k in scaled():
        scale = scale + 0.5
        total += v * k
    return total, scale


@program((THREE, True), (THREE, False))
def generators_in_a_branch(x, flag):
    total = 0.0
    if x[0] > 0.0:
        for v in halves(x, 2) if flag else sums_so_far(x):
            total += v[1]
    return total


@program((THREE,))
def what_takes_a_generator_at_once(x):
    names = dict((str(k), v) for k, v in enumerate(halves(x[0], 2)))
    return (names, tuple(halves(x[1], 2)), sorted(halves(x[1], 3)), max(halves(x[1], 2), default=0.0),
            min(halves(1.0, 0), default=3.0), all(v > 0 for v in halves(x[1], 2)), any(halves(0.0, 2)),
            sum(map(abs, filter(None, halves(x[0], 2)))), len(set(halves(1.0, 3))))


@program((THREE,))
def nothing_of_a_generator_that_is_not_looped_over(x):
    y = x.copy()

    def stores():
        y[0] = 5.0
        yield y[0]

    stores()
    return y


@program((THREE,))
def a_loop_over_a_generator_in_a_loop_over_one(x):
    total, found = 0.0, None
    for k, a in enumerate(halves(x, 4)):
        for b in halves(a, 5):
            if b[1] < 0.2:
                break
            total += b[2]
        else:
            continue
        if k > 1:
            found = k
    return total, found


@program((3.0,))
def what_a_generator_has_no_such_thing(x):
    return len(halves(x, 2))


def relaxed(x, rate):
    y = x.copy()
    while True:
        y[1:-1] += rate * (y[:-2] - 2.0 * y[1:-1] + y[2:])
        yield y


@program((np.array([1.0, 2.0, 3.0, 4.0, 6.0]), 0.2))
def the_array_of_a_generator_after_the_loop(x, rate):
    for y in relaxed(x, rate):
        if y[3] > 4.3:
            break
    y[0] = 7.0
    return y, [y[1] for _, y in zip([z.copy() for z in first_of(relaxed(x, rate))], [x, y])]


def first_of(items):
    for k, item in enumerate(items):
        if k == 3:
            return
        yield item


@program((THREE, 2.0))
def a_second_name_that_a_loop_gives(x, r):
    z, items = x.copy(), [r]
    for k in range(3):
        y, others = z, items
        z[k] *= r
        items[0] = items[0] + x[k]
    y[0] = 5.0
    others[0] = others[0] * 2.0
    return y * z, items


@program((np.float64(2.0),), (np.float64(-2.0),), (np.float64(0.0),))
def numpy_s_class_of_what_paths_join(b):
    t = np.float64(max(0, b))
    return t, np.float64(b if b > 1 else 3)


@program((np.int64(2),), (2.5,))
def the_union_of_nothing_and_a_number(x):
    s = []
    return np.union1d(s, x)


def a_bool_between_numbers(p=3):
    yield (lambda u: u * p)(np.inf)
    yield True
    yield p


@program((2.0,))
def the_largest_of_a_generator_of_bools_and_numbers(x):
    return max(a_bool_between_numbers()) + x


@gs.checkpoint
def computed_again(x):
    return np.sin(x)


@program((2.0, 0.0), (2.0, 3.0))
def a_division_beside_a_checkpoint(x, y):
    y //= y
    return computed_again(x)


@program((THREE,), (-THREE,))
def places_that_are_bools(x):
    return (np.take(x, [True, False]), np.take(x, x > 1), x.take(x > 1), np.take(x, True),
            np.take(x, x > 0, mode="clip"), np.take(1.5, [[False]]))
