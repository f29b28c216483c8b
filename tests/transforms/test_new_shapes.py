"""A new shape makes no new program: what is not known of sizes is assumed, checked at the call, and where an assumption
fails there is a program for that case. Where sizes are constants all the same, a warning names the line."""
import copy
import re
import warnings

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.transformer.programs import reuse
from tests.corpus.new_shapes import PROGRAMS
from tests.support.agreement import agree

WAYS = {"plain": lambda f: f, "compiled": gs.jit}


def made(transformed) -> int:
    """How many programs a transformed function has."""
    return sum(map(len, transformed._cache.programs.values()))


def slope(f, args, direction):
    moved = [f(args[0] + h * direction, *copy.deepcopy(args[1:])) for h in (1e-6, -1e-6)]
    return (moved[0] - moved[1]) / 2e-6


@pytest.mark.heavy(one_in=13)
@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("way", [pytest.param("plain"), pytest.param("compiled", marks=pytest.mark.heavy(one_in=8))])
def test_a_new_shape_makes_no_program(name, way):
    f, calls, programs = PROGRAMS[name]
    run = WAYS[way](gs.value_and_grad(f))
    for args in calls:
        value, gradient = run(*args)
        np.testing.assert_allclose(value, f(*args), rtol=1e-10)
        direction = np.random.default_rng(7).normal(size=args[0].shape)
        np.testing.assert_allclose(np.sum(gradient * direction), slope(f, args, direction), rtol=2e-5, atol=1e-6)
    assert made(run) == programs
    for args in calls:
        run(*args)
    assert made(run) == programs


# ---- assumptions that fail

def pair(A, i, j):
    return A[i, j] * 2.0


def crossed(A, i, j):
    return A[i[:, None], j] + A[i[:, None], j[None]]


def stored(A, i, j):
    A = A * 1.0
    A[i, j] = A[i, j] ** 2
    np.add.at(A, (i, j), 1.0)
    return A


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("f", [pair, crossed, stored])
def test_index_arrays_of_other_lengths(f):
    A = np.arange(42.0).reshape(6, 7)
    for n, m in [(3, 3), (4, 4), (3, 4), (4, 3), (1, 4), (4, 1), (1, 1), (0, 0), (0, 2), (1, 0)]:
        agree(f, A, np.arange(n), np.arange(m))
    reuse.entries.clear()  # without the programs of the calls above
    run = gs.test_util.primal(pair)
    for n in (3, 4, 5):
        run(A, np.arange(n), np.arange(n))
    assert made(run) == 1
    with pytest.raises(IndexError, match=re.escape("could not be broadcast together with shapes (3,) (4,) ")):
        run(A, np.arange(3), np.arange(4))


def three(A, i, j):
    return A[i, np.zeros(1, int), j]


def test_one_place_beside_index_arrays_of_other_lengths():
    for n, m in [(3, 3), (3, 4), (1, 3)]:
        agree(three, np.arange(84.0).reshape(6, 2, 7), np.arange(n), np.arange(m))


def reshaped(x, n):
    return x.reshape(n, -1) + x.reshape(-1, n).T


def joined(x, y):
    return x.reshape(len(y), 2) * y[:, None]


def split(x, n):
    return np.split(x, 2)[n % 2] * 2.0


def short(x, n):
    return x[:n].sum() + x[n:].sum() + x[2:-3].sum() + x[:4].sum() + x[-5:].sum() + x[3:1].sum()


def of_many(x, n):
    return np.repeat(x, n).sum() + np.tile(x, (n, 2)).sum() + np.arange(len(x) - n).sum() + sum(range(len(x) - n))


@pytest.mark.heavy(one_in=4)
@pytest.mark.parametrize("f", [reshaped, split, short, of_many])
def test_lengths_that_do_not_fit(f):
    for n in (3, 2, 0, 1, 4):
        for length in (12, 8, 7, 3, 2, 1, 0):
            agree(f, np.arange(float(length)), n)


def test_arrays_that_do_not_fit():
    for n, m in [(6, 3), (8, 4), (6, 4), (2, 1), (0, 0), (1, 1)]:
        agree(joined, np.arange(float(n)), np.arange(float(m)))


def in_rows(x):
    y = x.reshape(x.shape[0] // 2, -1)
    return np.sum(y[0] * y[-1])


def test_an_assumption_that_cannot_be_computed_of_other_sizes():
    run = gs.grad(in_rows)
    np.testing.assert_array_equal(run(np.ones((2, 3))), 2 * np.ones((2, 3)))
    with pytest.raises(ValueError, match=r"cannot reshape array of size 0 into shape \(0,newaxis\)"):
        run(np.ones((0, 3)))


WEIGHTS = np.arange(3.0)


def with_outside(x):
    total = [0.0] * len(WEIGHTS)
    for k in range(len(WEIGHTS)):
        total[k] = WEIGHTS[k] * x
    return sum(total)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.filterwarnings("ignore::gradscribe.ConstantSizesWarning")
def test_the_length_of_an_array_from_outside(way, monkeypatch):
    run = WAYS[way](gs.grad(with_outside))
    assert run(2.0) == 3.0
    monkeypatch.setitem(globals(), "WEIGHTS", np.arange(4.0))
    assert run(2.0) == 6.0


# ---- sizes that are constants all the same

def heads(W, x):
    parts = [0.0] * len(W)
    for k in range(len(W)):
        parts[k] = np.sum(np.tanh(x * W[k]))
    return sum(parts)


def test_only_the_lengths_that_are_needed_are_constants():
    run = gs.grad(heads)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for n in (3, 5, 9):
            assert run(np.ones(4), np.ones(n)).shape == (4,)
    assert made(run) == 1


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("way", WAYS)
def test_a_warning_names_the_line(way):
    run, line = WAYS[way](gs.grad(heads)), heads.__code__.co_firstlineno + 1
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        run(np.ones(4), np.ones(3))
        assert not caught  # the first is no loss
        run(np.ones(5), np.ones(3))
        run(np.ones(6), np.ones(3))
    (warning,) = caught
    assert warning.category is gs.ConstantSizesWarning and warning.lineno == line and warning.filename == __file__
    text = str(warning.message)
    assert text.startswith("heads: sizes are constants in this program because of `[0.0] * len(W)` at ")
    assert text.endswith(
        f"test_new_shapes.py:{line}: it repeats a list or tuple. Each new shape is transformed, and compiled, anew.")
    said = run.explain(np.ones(4), np.ones(3))
    assert (f"# {text[len('heads: '):].split('. ')[0]}" in said and "# W.shape[0] == 4\n" in said
            and "x.shape" not in said.split("# ----")[1])


def of_pieces(x):
    return np.sum(np.stack([x[k:k + 2] for k in range(len(x))][:2]) ** 2)


def test_a_warning_of_what_is_refused_for_sizes_in_general():
    run = gs.grad(of_pieces)
    with pytest.warns(gs.ConstantSizesWarning,
                      match="of_pieces: sizes are constants in this program because of `.*` at .*: "):
        run(np.ones(4))
        run(np.ones(5))


def test_explain_says_what_is_assumed():
    def f(x, k):
        return np.sum(x[1:-1]) * (1.0 if k > 2 else 2.0)
    said = gs.grad(f).explain(np.ones(4), 3)
    assert "made for arguments with" in said and "# x.shape[0] - 2 >= 0\n" in said


def test_explain_says_what_is_outside():
    mode = "double"
    said = gs.grad(lambda x: 2.0 * x if mode == "double" else x).explain(1.0)
    assert "made while" in said and "# mode == 'double'\n" in said
