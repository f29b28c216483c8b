"""match, with, try, and sets of what is known."""
import contextlib
import math
import warnings
from dataclasses import dataclass

import numpy as np

from tests.corpus.semantics.table import program

# ---- match

@dataclass
class Circle:
    r: float


@dataclass
class Rectangle:
    a: float
    b: float


@program((Circle(2.0),), (Rectangle(2.0, 3.0),), (Rectangle(1.0, 3.0),), (("square", 3.0),), ([1.0, 2.0, 3.0],),
         ({"kind": "line", "n": 2.0, "m": 1.0},), (3,), (0,), (None,))
def match_of_static_things(shape):
    match shape:
        case Circle(r=r):
            return 3.0 * r * r
        case Rectangle(1.0, b=b):
            return b
        case Rectangle(a, b):
            return a * b
        case ("square", a):
            return a * a
        case [first, *rest] if len(rest) == 2:
            return first + sum(rest)
        case {"kind": "line", "n": n, **others}:
            return n, others
        case 0 | 1:
            return "small"
        case int(k) | float(k):
            return k * 2
        case None:
            return "nothing"


@program((0, 2.0), (1, 2.0), (2, 2.0), (7, 2.0))
def match_of_numbers_of_the_run(k, x):
    match k:
        case 0:
            y = x
        case 1 | 2 if x > 1.0:
            y = x * x
        case _:
            return -x
    return y + 1.0


@program(("sin", 0.5), ("cos", 0.5), ("tan", 0.5))
def match_of_strings(name, x):
    match name:
        case "sin":
            return math.sin(x)
        case "cos":
            return math.cos(x)
        case other:
            raise ValueError(f"no function {other} of {x}")


@program(((0.0, 2.0),), ((1.0, 2.0),))
def match_with_captures_where_the_run_decides(point):
    match point:
        case (0.0, y):
            return y
        case (x, y):
            return x + 10 * y


@program((1.0,))
def match_class_with_too_many(x):
    match x:
        case float(a, b):
            return a
    return x


# ---- with, try

class Level:
    def __init__(self):
        self.depth = 0
        self.left = []

    def __enter__(self):
        self.depth += 1
        return self

    def __exit__(self, kind, problem, traceback):
        self.depth -= 1
        self.left.append(None if kind is None else kind.__name__)
        return kind is KeyError


@program((np.array([1.0, 4.0]), {"a": 1.0}), (np.array([1.0, 4.0]), {"b": 2.0}))
def with_blocks(x, table):
    level = Level()
    with np.errstate(divide="ignore", invalid="ignore"), contextlib.nullcontext(3.0) as three:
        y = np.log(x) * three
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        y = y + 1.0
    with level as inner:
        y = y * inner.depth
    with level:
        y = y * table["a"]
    with contextlib.suppress(KeyError):
        y = y + table["b"]
    return y, level.depth, level.left


THREE, WITHOUT_KEYS = contextlib.nullcontext(3.0), contextlib.suppress(KeyError)


@program((2.0, {"a": 1.0}), (2.0, {}))
def contexts_from_outside(x, table):
    with THREE as three, WITHOUT_KEYS:
        x = x * three
        x = x + table["a"]
    with contextlib.nullcontext(enter_result=x) as y, contextlib.nullcontext() as none:
        return y if none is None else -y


@program((2.0,))
def a_context_of_two_results(x):
    with contextlib.nullcontext(x, 2.0) as y:
        return y


@program((2.0,))
def suppress_with_a_name(x):
    with contextlib.suppress(KeyError, why=3):
        return x


@program((2.0, {"a": 1.0}, "a"), (2.0, {"a": 1.0}, "b"), (2.0, {"a": 1.0}, []))
def try_of_what_is_known(x, table, key):
    seen = []
    try:
        y = table[key] * x
        seen.append("found")
    except KeyError as problem:
        y = -x
        seen.append(f"missing {problem}")
    except (TypeError, ValueError) as problem:
        y = 0.0
        seen.append(str(problem))
    else:
        seen.append("else")
    finally:
        seen.append("finally")
    return y, seen


class Special(ValueError):
    pass


@program((1.0, 0), (1.0, 1), (1.0, 2), (1.0, 3))
def try_with_exceptions_of_mine(x, k):
    def part(k):
        if k == 1:
            raise Special("one", k)
        if k == 2:
            raise IndexError("two")
        if k == 3:
            raise RuntimeError("three")
        return x
    try:
        try:
            return part(k)
        except IndexError as problem:
            raise Special("again") from problem
        except Special:
            raise
    except Special as problem:
        return problem.args, x


@program((np.ones(3), 3), (np.ones((2, 3)), 3), (2.0, 3))
def try_in_a_loop(x, n):
    total = 0.0
    for k in range(n):
        try:
            total += len(x) * k
        except TypeError:
            total += k
            continue
    return total


@program((np.ones(3), np.ones(3)), (np.ones(3), np.ones(4)))
def try_of_shapes(a, b):
    try:
        return a + b
    except ValueError as problem:
        return "do not fit"


@program((np.ones(3), 0), (np.ones(3), 1))
def try_with_the_text_of_the_exception(a, k):
    try:
        return a + np.ones(4) if k else a[5]
    except (ValueError, IndexError) as problem:
        return f"{problem}", type(problem).__name__


# ---- sets of what is known

@program((np.array([1.0, 2.0, 4.0]), ["b", "a", "b"]), (np.array([1.0]), []))
def sets_of_names(x, names):
    seen, order = set(), []
    for k, name in enumerate(names):
        if name not in seen:
            order.append(x[k])
        seen.add(name)
    odd = {2 * k + 1 for k in range(len(names))} | {8, 0, 16}
    odd -= {8}
    odd.discard(77)
    both = odd & set(range(4))
    return (order, sorted(seen), [v for v in odd], both, len(both | {3}), {1, 3} <= odd, sum(both), max(odd),
            seen == {"a", "b"})


@program((1.0,))
def set_that_changes_in_a_loop(x):
    s = {1, 2, 3}
    for k in s:
        s.add(k + 10)
    return x


@program(([1.0],))
def set_of_a_list(x):
    return {x}, 1.0


@program((2.0, True), (2.0, False))
def set_changed_on_one_path(x, more):
    s = {1}
    if more:
        s.add(2)
    return len(s) * x
