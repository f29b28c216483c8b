"""Lists that something is appended to on one path only: they count their items."""
import numpy as np
import pytest

import gradscribe as gs
from tests.support.agreement import agree

X = np.array([0.3, -0.2, 1.5, -0.7, 0.9])


def picked(x):
    out = []
    for v in x:
        if v > 0.0:
            out.append(v * v)
    return np.array(out), len(out)


def two_sides(x):
    positive, negative = [], [0.5]
    for v in x:
        if v > 0.0:
            positive.append(v)
        else:
            negative.append(v)
    return np.sum(positive) - np.mean(negative)


def pairs(x):
    out = []
    for k in range(len(x)):
        if x[k] < 0.0:
            continue
        out.append((k, x[k]))
    total = 0.0
    for k, v in out:
        total += k * v
    return total, len(out)


def in_two_loops(x):
    hits, lost = [], 0
    for i in range(3):
        for j in range(4):
            if x[j] * i > 0.5:
                lost += 1
                continue
            hits.append(np.array([x[j], i * x[j + 1]]))
    hits = np.array(hits)
    return hits - hits.mean(axis=0), lost


def more_of_some(x):
    out = [1.0]
    for k in range(len(x)):
        if x[k] > 0.0:
            out.append(x[k])
            if x[k] > 1.0:
                out.append(-x[k])
        elif x[k] < -0.5:
            out.append(x[k])
            out.append(3.0)
    out.append(7.0 * x[0])
    return np.array(out), len(out)


def rows(x):
    out = []
    for k in range(len(x)):
        if x[k] > -1.0:
            out.append(x * k)
    return np.stack(out).sum(axis=0), np.vstack(out), out[0], out[-1]


def without_a_loop(x):
    out = [x[0]]
    if x[1] > 0.0:
        out.append(x[1])
    if x[2] > 0.0:
        out.append(x[2])
    return np.sum(np.array(out) ** 2), len(out)


def left_early(x):
    out = []
    for k in range(5):
        if x[k] > 1.0:
            break
        out.append(x[k])
    return np.array(out)


def other_name(x):
    out = other = []
    table = {"a": [], "b": other}
    for k in range(len(x)):
        if x[k] > 0.0:
            out.append(x[k])
        else:
            table["a"].append(-x[k])
    return np.array(table["b"]), np.array(table["a"]), sum(other)


def anew(x):
    total = 0.0
    for i in range(3):
        out = []
        for k in range(len(x)):
            if x[k] * i > 0.2:
                out.append(x[k])
        if len(out) > 0:
            total = total + np.mean(np.array(out))
    return total


RUN = [picked, two_sides, pairs, in_two_loops, more_of_some, rows, without_a_loop, left_early, other_name, anew]


@pytest.mark.parametrize("program", RUN, ids=lambda f: f.__name__)
def test_they_are_what_python_makes_of_them(program):
    for x in (X, -X, 0.0 * X):
        agree(program, x, compiled=False)


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("program", [picked, in_two_loops, more_of_some, rows, other_name], ids=lambda f: f.__name__)
def test_derivatives_and_batches(program):
    def loss(x):
        return np.sum(program(x)[0] ** 2)

    def differences(f, x, h=1e-6):
        return np.array([(f(x + d) - f(x - d)) / (2.0 * h) for d in h * np.eye(len(x))])

    gradient = gs.grad(loss)
    for x in (X, -X):
        np.testing.assert_allclose(gradient(x), differences(loss, x), atol=1e-6)
    np.testing.assert_allclose(gs.hessian(loss)(X), differences(gradient, X), atol=1e-6)
    np.testing.assert_allclose(gs.vmap(gradient)(np.stack([X, -X])), [gradient(X), gradient(-X)])


@pytest.mark.heavy(one_in=5)
@pytest.mark.parametrize("program", RUN, ids=lambda f: f.__name__)
def test_compiled(program):
    for x in (X, -X):
        agree(program, x, compiled="only")


def of_small_floats(x):
    out = []
    for v in x.astype(np.float32):
        if v > 0.0:
            out.append(v)
    return np.array(out)


def test_of_no_items_the_dtype_is_not_known():
    agree(of_small_floats, X, compiled=False)
    with pytest.raises(gs.GradscribeError, match="grown 0 times"):
        gs.vjp(of_small_floats, -np.abs(X))


def used_as_a_list(x):
    out = []
    for v in x:
        if v > 0.0:
            out.append(v)
    return out


def stored_into(x):
    out = []
    for k in range(len(x)):
        row = x * k
        if x[k] > 0.0:
            out.append(row)
        row[0] = 5.0
    return np.array(out)


@pytest.mark.parametrize("program", [used_as_a_list, stored_into], ids=lambda f: f.__name__)
def test_what_needs_a_list_is_refused(program):
    with pytest.raises(gs.UnsupportedError,
                       match=r"(?s)on one path only is used as a list.*out.append|append.*Make an array of it"):
        gs.vjp(program, X)


def chosen_before(x, n):
    out = [x[0]]
    if n > 3:
        out.append(x[1])
    return out


def test_what_is_known_before_the_run_decides_then():
    agree(chosen_before, X, 5, compiled=False)
    agree(chosen_before, X, 2, compiled=False)


def either(x):
    out = []
    for k in range(len(x)):
        if x[k] > 0.0:
            out.append(k)
        else:
            out.append(x[k])
    return np.array(out)


def from_an_int(x):
    out = [0]
    for v in x:
        out.append(v)
    return np.array(out)


def the_first_is_an_int(x):
    out = []
    for k in range(len(x)):
        if k == 0:
            out.append(0)
        else:
            out.append(x[k])
    return np.array(out)


def perhaps_a_float(x):
    out = [1]
    if np.sum(x) > 0.5:
        out.append(x[-1])
    return np.array(out)


@pytest.mark.parametrize("program", [either, from_an_int, the_first_is_an_int, perhaps_a_float],
                         ids=lambda f: f.__name__)
@pytest.mark.parametrize("x", [X, 1.0 - X, np.ones(3), -np.ones(3), np.ones(1), np.zeros(0)], ids=range(6))
def test_an_array_of_items_of_several_dtypes_has_numpys_or_is_refused(program, x):
    """Where only ints were appended, NumPy's array has ints."""
    agree(program, x, compiled=False,
          refused="the items of a list that grows have several dtypes" if program(x).dtype.kind == "i" else "")


def picked_in_place(x):
    out = []
    for v in x:
        if v > 0.0:
            out += [v * v]
    return np.array(out), len(out)


def extended_on_both_sides(x):
    out = [0.5]
    for v in x:
        if v > 0.0:
            out.extend([v, 2.0 * v])
        else:
            out += (v,)
    return np.sum(np.array(out) ** 2)


def extended_by_what_is_picked(x):
    out = []
    for v in x:
        out += [w * v for w in x if w > v]
    out.extend([v for v in x if v > 0.0])
    return sum(out)


def doubled_until(x):
    steps = [1.0]
    while steps[-1] < 10.0:
        steps += [2.0 * steps[-1]]
    return np.sum(np.array(steps)) * x[0]


def pairs_in_place(x):
    out, same = [], []
    for k, v in enumerate(x):
        if v > 0.0:
            out += [(k, v)]
        same += [v]
    return sum([k * v for k, v in out]) + same[0] * same[-1]


@pytest.mark.parametrize("f", [picked_in_place, extended_on_both_sides, extended_by_what_is_picked, doubled_until,
                               pairs_in_place], ids=lambda f: f.__name__)
def test_lists_that_are_extended(f):
    for x in (X, -X, np.abs(X), -np.abs(X)):
        agree(f, x)
    agree(lambda x: np.sum(f(x)[0]) if isinstance(f(x), tuple) else f(x), X, gradient=0)
