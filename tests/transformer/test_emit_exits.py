"""Readable source: exits, loops and their counters, stores of elements."""
import inspect
import re
import textwrap

import numpy as np
import pytest

import gradscribe as gs
from tests.transformer.emitted import first_above, lookup, newton, source


def sign(x):
    if x > 0:
        return 1.0 * x
    return -x


def skipping(xs):
    s = 0.0
    for v in xs:
        if v < 0:
            continue
        s += v
    return s


def endless(x):
    n = 0
    while True:
        x = x / 2.0
        if x < 1.0:
            break
        n += 1
    return x + n


def skips_or_ends(xs):
    s = 0.0
    for k, v in enumerate(xs):
        if v < 0:
            if k < 2:
                continue
            if s > 1.0:
                break
        s += v
    return s


def test_a_break_behind_another_branch():
    """What stands behind `elif c: break` in its `else` must not be reached by the branch before it."""
    for xs in ([-1.0, 2.0, 3.0], [1.0, -1.0, 3.0, -2.0, 5.0], [1.0, 0.5, -0.7, -2.0, 5.0]):
        xs = np.array(xs)
        assert gs.jit(skips_or_ends)(xs) == skips_or_ends(xs)
        assert (next(f for name, f in gs.test_util.stages(skips_or_ends, (xs,)) if name == "readable")(xs)
                == skips_or_ends(xs))


@pytest.mark.parametrize("f, args", [(newton, (2.0,)), (first_above, (np.array([1.0, 2, 9, 3]), 5.0)),
                                     (lookup, (np.array([1.0, -2, 3]),)),
                                     (sign, (-3.0,)), (skipping, (np.array([1.0, -1, 2]),)), (endless, (9.0,))],
                         ids=lambda f: getattr(f, "__name__", ""))
def test_loops_are_left_as_the_user_leaves_them(f, args):
    text = source(gs.jit, f, *args)
    assert "_gs_" not in text and "stop" not in text and "going" not in text, text
    own = inspect.getsource(f)
    for word in ("break", "return", "while", "for "):
        assert text.count(word) == own.count(word), text
    assert gs.jit(f)(*args) == f(*args) and gs.grad(f)(*args) is not None


def grown(x):
    s = 0.0
    while s < 4.0:
        s = s + x[0] ** 2
    return s


def grown_to(s, x, end):
    while s < end:
        s = s + x[0]
    return s * s * x[1]


def divided(i, x):
    while 10 // i > 2:
        i = i - np.int64(1)
    return x[0] * i


def test_a_number_becomes_a_numpy_scalar_in_the_loop():
    """The test before the loop sees the Python number, which takes the dtype of a float32 and raises
    where it divides by 0."""
    x = np.array([1.1, 0.7])
    text = source(gs.jit, grown, x)
    assert "while s < 4.0:" in text and "going" not in text, text
    for end in (np.float32(0.1), np.float64(0.1), np.float32(2.0)):
        expected = grown_to(0.1, x, end)
        for compute in (gs.jit(grown_to), lambda *args: gs.value_and_grad(grown_to, argnums=1)(*args)[0]):
            assert compute(0.1, x, end) == expected
    for compute in (gs.jit(divided), lambda *args: gs.value_and_grad(divided, argnums=1)(*args)[0]):
        assert compute(7, x) == divided(7, x)
        with pytest.raises(ZeroDivisionError):
            compute(0, x)


def run_of_positive(x):
    i = 0
    s = 0.0
    while i < len(x) and x[i] > 0:
        s += x[i]
        i += 1
    return s


def settled(x, c):
    n = 0
    while n < 20 and (x > c or x < -1.0):
        x = x - 0.5 * np.sin(x)
        n += 1
    return x


def both_stored(x, i):
    while i < 2 and x[i] > 0:
        x[i] = -1.0
        x[i + 1] *= 2.0
        i += 1
    return x[2]


@pytest.mark.parametrize("f, args",
                         [(run_of_positive, (np.array([1.0, 2.0, -1.0, 5.0]),)), (run_of_positive, (np.ones(3),)),
                          (run_of_positive, (np.zeros(0),)), (settled, (3.0, 1.0)), (settled, (0.5, 1.0))],
                         ids=lambda f: getattr(f, "__name__", ""))
def test_tests_with_and_or_stand_where_the_user_has_them(f, args):
    (line,) = re.findall("while .*", inspect.getsource(f))
    assert line in source(gs.jit, f, *args) and line in source(gs.value_and_grad, f, *args)
    assert gs.jit(f)(*args) == gs.test_util.primal(f)(*args) == f(*args)
    gs.test_util.check_grads(f, args, order=1) if np.size(args[0]) else None


def clipped_solve(a, b):
    x = np.zeros(len(b))
    for i in range(1, len(b)):
        x[i] = (b[i] - x[i - 1]) / a[i]
        if x[i] < -1.0:
            x[i] = -1.0
    return x @ x


def test_an_element_that_is_stored_twice_copies_no_array():
    """One path reads the first store: without it the array would be copied in each iteration,
    here and in the adjoint."""
    for source in (gs.jit(clipped_solve), gs.grad(clipped_solve)):
        text = source.source(np.ones(9), np.ones(9))
        assert "copy" not in text and text.count("zeros") <= 2, text


def test_arrays_of_numbers_are_written_as_the_user_writes_them():
    def f(x, a, rows):
        turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
        return np.concatenate([turn @ np.array([x, 1.0]), np.stack([rows[0], rows[1]]).sum(1),
                               np.concatenate([rows, rows], axis=1)[0]])

    text = gs.jit(f).source(1.0, 2.0, np.ones((2, 3)), stage="readable")
    assert ("turn = np.array([[cos_a, -sin_a], [sin_a, cos_a]])" in text
            or "np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])" in text), text
    assert ("np.array([x, 1.0])" in text and "np.stack([rows[0], rows[1]])" in text
            and "np.concatenate([rows, rows], axis=1)" in text), text
    assert text.count("axis=") == 2, text


def test_a_test_stays_before_the_stores_that_it_does_not_see():
    for x in ([1.0, 1.0, 1.0], [1.0, -1.0, 1.0], [-1.0, 0.0, 0.0]):
        want = both_stored(mine := np.array(x), 0)
        assert gs.test_util.primal(both_stored)(ours := np.array(x), 0) == want and (ours == mine).all()


def test_the_users_counter_counts_for_the_mirror_too():
    """No tape of it, and no second counter."""
    assert source(gs.grad, run_of_positive, np.ones(3)) == textwrap.dedent(f"""
        def grad_run_of_positive(x):
            i = 0
            while i < len(x) and x[i] > 0:
                i += 1

            # adjoint of line {inspect.getsourcelines(run_of_positive)[1] + 3}: while i < len(x) and x[i] > 0:
            x_bar = np.zeros_like(x)
            for i in range(i - 1, -1, -1):
                # adjoint of line {inspect.getsourcelines(run_of_positive)[1] + 4}: s += x[i]
                x_bar[i] += 1.0
            return x_bar
    """).strip()


def steps_of_each(x, n):
    s = 0.0
    for a in x:
        for _ in range(n):
            a = a + 0.1 * np.sin(a)
        s += a * a
    return s


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("n", (-1, 0, 3))
def test_inner_loops_of_one_count_save_into_one_array(n):
    """Not one behind the other, with a position that each iteration takes from the last: they may be threads."""
    x = np.linspace(0.5, 1.5, 4)
    text = source(gs.grad, steps_of_each, x, n)
    assert "position" not in text and "np.empty((x_len, max(n, 0)))" in text, text
    for f in (steps_of_each, gs.jit(steps_of_each)):
        gs.test_util.check_grads(lambda x: f(x, n), (x,), order=2)


def euler(y, n):
    for _ in range(n):
        y = y + 0.1 * np.array([y[1], -y[0]])
    return y


def test_a_loop_that_makes_a_length_known_is_for_that_length():
    """It carried the length, and asked for it in each round."""
    text = source(gs.jit, euler, np.ones(2), 3)
    assert "length" not in text and "rt." not in text, text
    for y, n in ((np.ones(2), 3), (np.ones(2), 0), (np.ones(5), 0)):
        for f in (gs.test_util.primal(euler), gs.jit(euler)):
            np.testing.assert_array_equal(f(y, n), euler(y, n))
    with pytest.raises(ValueError, match="broadcast"):
        gs.jit(euler)(np.ones(5), 3)


def by_steps(x, start, stop):
    s, k = x[0], start
    while k < stop:
        s = s * x[k] + np.sin(s)
        k += 3
    return s


@pytest.mark.parametrize("start, stop", [(1, 9), (-9, 0), (4, 4), (0, 10)])
def test_counters_with_other_starts_and_steps(start, stop):
    x = np.linspace(0.5, 1.5, 10)
    text = source(gs.grad, by_steps, x, start, stop)
    assert text.count("_tape = []") == 1, text  # of s
    for f in (by_steps, gs.jit(by_steps)):
        gs.test_util.check_grads(lambda x: f(x, start, stop), (x,), order=2, modes=("rev",))  # noqa: B023


def weighted(n, A, b):
    m = n  # not a length: an argument stays what it is called
    n, k = A.shape
    s = 0.0
    for i in range(n):
        for j in range(k):
            s = s + A[i, j] * b[i] * m / n
    return s


def test_lengths_are_called_what_the_user_calls_them():
    text = source(gs.jit, weighted, 2.0, np.ones((3, 2)), np.ones(3))
    assert ("def weighted(n, A, b):" in text and "_len" not in text and "len(A)" in text
            and "for j in range(A.shape[1])" in text), text
    for f in (gs.jit(weighted), gs.test_util.primal(weighted)):
        assert f(2.0, np.ones((3, 2)), np.ones(3)) == weighted(2.0, np.ones((3, 2)), np.ones(3))


def scaled_root(s, k):
    while s > 3.0:
        s = s * s * 0.1
    return s * k


def of_elements(x):
    y, s = x * 2.0, 1.0
    for v in y:
        s = s * v
    return s


def test_counters_of_ours_are_not_called_like_the_users_variables():
    text = source(gs.grad, scaled_root, 5.0, 2.0)
    assert "for i in range(count - 1, -1, -1):" in text and "s_tape[i]" in text, text
    text = source(gs.grad, of_elements, np.ones(3))
    assert "for v in range" not in text and "v2" not in text and "v = y[i]" in text, text


def test_first_above_is_what_the_user_wrote():
    assert source(gs.jit, first_above, np.ones(3), 5.0) == inspect.getsource(first_above).strip()
