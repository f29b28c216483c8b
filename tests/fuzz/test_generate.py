"""The generator and the shrinker, by themselves: no transformer takes part."""

import ast
import inspect
import os
import random
import re
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from . import census, everyday, loading, numeric
from .generate import Case, generate
from .scope import Cell, Fn, const
from .shrink import behaviour, shrink, size
from .statements import clobbered

ROOT = Path(__file__).parents[2]

# What the issue lists; the rest of NumPy is not for these programs.
NUMPY = set("""exp log sqrt sin cos tanh abs maximum minimum where sum mean max min dot matmul outer transpose reshape
    concatenate stack zeros ones zeros_like ones_like full arange eye float32 float64 newaxis compress extract nonzero
    flatnonzero""".split())
LIBRARY = set("""real imag conj angle multiply complex128 prod vdot einsum linalg trace cumsum cumprod diff roll add
    maximum sort argsort take array asarray fft inf""".split())
POLES = set("""power cbrt log arccos arccosh arctanh reciprocal expm1 select fmax fmin clip nan isnan nan_to_num nansum
    nanmean nanmax nanmin nanstd nanvar nanmedian nanprod nancumsum argmax divide full_like subtract add triu
    triu_indices hypot""".split())
EVERYDAY = set("""asanyarray ascontiguousarray atleast_1d logaddexp arctan2 isfinite testing ndarray linspace pad rec
    real_if_close repeat roots tile vstack""".split())

WANTED = """for range|negative step|while|if|elif|else|break|continue|early return|augmented store|slice store
    |element or row store|store through .T|store at an index array|view bound to a name|alias|swap|several at once
    |unpacking|helper call|helper function|nested def|lambda|local function call|default argument|keyword argument
    |conditional expression|chained comparison|and / or|not|np.sum|np.mean|np.max|np.min|axis=|keepdims=|@|np.dot
    |np.outer|np.transpose|np.reshape|.reshape()|np.concatenate|np.stack|np.roll|np.where|newaxis|slice, negative step
    |index, negative|index array|np.zeros|np.ones|np.full|np.arange|.copy()|np.zeros_like|for over an array
    |for over enumerate|for over zip|for over a tuple|loops nested 3 deep|chained assignment|dtype=|np.eye"""


@cache
def sample(count=600):
    return [generate(seed) for seed in range(count)]


def test_equal_seeds_give_equal_programs_whatever_the_hash_seed():
    code = ("from tests.fuzz.generate import generate\nfrom tests.fuzz.loading import to_text\n"
            "print([to_text(generate(s)) for s in range(20)])")
    texts = {subprocess.run([sys.executable, "-c", code], cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": seed},
                            capture_output=True, text=True, check=True).stdout for seed in ("0", "1")}
    assert texts == {str([loading.to_text(generate(seed)) for seed in range(20)]) + "\n"}


@pytest.mark.heavy(one_in=6)
def test_nearly_all_programs_run_and_stay_finite():
    first = [numeric.run(census.plain(case.source), case.args) for case in sample()]
    second = [numeric.run(census.plain(case.source), case.more[0]) for case in sample()]
    ran = [result for result in first if result.error is None]
    assert len(ran) >= 0.97 * len(first)
    assert len(ran) < len(first), "now and then an index is out of range on purpose"
    assert sum(numeric.finite(result.out) for result in ran) >= 0.995 * len(ran)
    assert sum(result.error is None for result in second) >= 0.85 * len(second)


@pytest.mark.heavy(one_in=8)
def test_every_construct_occurs():
    counts = Counter(name for case in sample() for name in census.constructs(case.source) | case.notes)
    assert not [name for name in (word.strip() for word in WANTED.split("|")) if counts[name] < 2]
    for note in ("ways out", "triangular", "store through a named view", "store into an argument", "helper that stores",
                 "augmented array", "mask read", "mask store"):
        assert counts[note] >= 12, note


@pytest.mark.heavy(one_in=4)
def test_sizes_and_types_occur():
    arrays = [a for case in sample() for a in case.args if isinstance(a, np.ndarray)]
    assert {0, 1, 2, 7} == {d for a in arrays for d in a.shape}
    assert {"float64", "float32", "int64"} == {str(a.dtype) for a in arrays}
    assert {float, int, bool, np.float64, np.float32} <= {type(a) for case in sample() for a in case.args}


@pytest.mark.heavy(one_in=3)
def test_programs_stay_inside_the_language():
    used = {n.attr for case in sample()
            for n in ast.walk(ast.parse(case.source)) if isinstance(n, ast.Attribute) and ast.unparse(n.value) == "np"}
    assert used <= NUMPY | LIBRARY | POLES | EVERYDAY


def test_poles_are_kept_away_in_a_part_of_the_programs():
    counts = Counter(note for case in sample() for note in case.notes)
    kinds = "where", "maximum", "store", "number", "where=", "loop", "gaps", "distances", "scatter", "another result"
    assert not [kind for kind in kinds if counts[f"pole, {kind}"] < 8]
    arrays = {name: [a for case in sample() for n, a in named(case) if n == name] for name in ("pole", "gap")}
    assert (sum(bool(np.any(a == 0)) for a in arrays["pole"]) >= 40
            and sum(bool(np.any(a < 0)) for a in arrays["pole"]) >= 40)
    assert sum(bool(np.isnan(a).any()) for a in arrays["gap"]) >= 20


def named(case):
    (function,) = [n for n in ast.parse(case.source).body if isinstance(n, ast.FunctionDef) and n.name == case.name]
    return zip([a.arg for a in function.args.args], case.args)


def test_the_library_is_called_in_a_part_of_the_programs():
    """The others are what their seeds gave before there were such blocks."""
    for case in sample():
        assert case.seed % 3 == 0 or not any(note.startswith("library") for note in case.notes)
    counts = Counter(note for case in sample() for note in case.notes)
    assert all(counts[f"library, {kind}"] >= 10
               for kind in ("complex", "einsum", "linalg", "cumulative", "roll", "sort", "generator", "fft")), counts


def test_what_ordinary_programs_have_occurs_in_a_part_of_the_programs():
    """The others are what their seeds gave before there were such blocks."""
    kinds = {kind for kind, _ in everyday.BLOCKS}
    assert not [case.seed for case in sample() if case.seed % 3 != 1 and ("try" in case.notes or any(
        note.startswith("everyday") for note in case.notes))]
    counts = Counter(note for case in sample() for note in case.notes)
    assert not [kind for kind in kinds if counts[f"everyday, {kind}"] < 3], counts
    assert not [note for note in ("try", "finally", "raised again", "try, value") if counts[note] < 8], counts


def test_what_numpy_overwrites_too_early_is_copied():
    """x[::2] = x[1:5] and A[:, 2] = A[1] read elements that NumPy has stored into already: nothing to compare with."""
    x = np.arange(7.0)
    x[::2] = x[1:5]
    assert x.tolist() != [1.0, 1.0, 2.0, 3.0, 3.0, 5.0, 4.0], "NumPy is mended: programs may do this"
    fn = Fn(random.Random(0), "f64", 3)
    x, _ = (fn.bind(name, "f64", (const(5),), 1.0, cell=Cell(1.0)) for name in "xy")
    for target, value, expected in [("x[::2]", "x[1:4]", True), ("x[1:]", "x[:-1]", False),
                                    ("x[::-2]", "x[::2]", False), ("x[::2]", "np.sin(x[:3])", False),
                                    ("x[::2]", "y[:3]", False), ("x[::2]", "(x[:3] if y[0] > 0 else y[:3])", True),
                                    ("x[:]", "x", True)]:
        assert clobbered(fn, x, target, value) == expected, (target, value)


def test_programs_are_short():
    lengths = sorted(len([line for line in case.source.splitlines() if line.strip()]) for case in sample())
    assert 12 <= lengths[len(lengths) // 2] <= 22 and lengths[-1] <= 60


def test_programs_of_one_float32_dtype_stay_in_it():
    for case in sample():
        of_a_number = re.search(r"np\.tanh\(-?[\d.]+\)", case.source)  # is a float64
        if "all f32" in case.notes and not of_a_number and "float64" not in case.source and "arange" not in case.source:
            out = numeric.run(census.plain(case.source), case.args).out
            floats = [v for v in numeric.leaves(out) if np.asarray(v).dtype.kind == "f"]  # beside another result
            assert all(getattr(v, "dtype", np.float32) == np.float32 for v in floats), case.source


def test_slopes_are_steady():
    report = [census.steadiness(case, numeric.run(census.plain(case.source), case.args)) for case in sample()[:150]
              if not numeric.run(census.plain(case.source), case.args).error]
    assert sum("slope sure everywhere" in tags for tags in report) >= 0.9 * len(report)
    assert sum("derivative is zero" in tags for tags in report) <= 0.15 * len(report)


def test_the_text_is_canonical():
    assert all(ast.unparse(ast.parse(case.source)) + "\n" == case.source for case in sample()[:50])


# -- files


def test_cases_come_back_from_their_text():
    for case in sample()[:100]:
        again = loading.from_text(loading.to_text(case, "why\nand where"))
        assert (again.source, again.seed) == (case.source, case.seed)
        assert not numeric.differs((again.args, again.more), (case.args, case.more), 0.0)
        for a, b in zip(again.args, case.args):
            assert type(a) is type(b)


def test_failures_are_saved_once(tmp_path):
    case = generate(3)
    assert loading.save(case, "a", tmp_path) == loading.save(case, "b", tmp_path)
    assert loading.saved(tmp_path) == [loading.save(case, "b", tmp_path)]


def test_loaded_functions_have_source():
    with loading.loaded(generate(5).source) as function:
        assert inspect.getsource(function).startswith("def f(")
        assert Path(function.__code__.co_filename).exists()


# -- finite differences


@pytest.mark.parametrize("body, expected",
                         [("np.sin(x).sum()", 1.0), ("np.sum(x * x * x)", 0.0), ("x * 2.0 + 1.0", 2.0)])
def test_slope_of_smooth_functions(body, expected):
    found = numeric.slope(census.plain(f"import numpy as np\ndef f(x): return {body}"), (np.zeros(1),), (np.ones(1),))
    assert found.sure.all() and np.allclose(found.value, expected, atol=1e-9)


def test_long_doubles_see_what_changes_fast():
    x, fast = 0.3, 1e7
    found = numeric.long_slope(census.plain(f"import numpy as np\ndef f(x): return np.sin({fast} * x)"), (x,), (1.0,))
    assert abs(found.value[0] - fast * np.cos(fast * x)) <= 1e-7 * fast and found.error[0] <= 1e-4 * fast


def test_long_doubles_say_nothing_where_there_are_none():
    assert numeric.long_slope(census.plain("import numpy as np\ndef f(x): return np.linalg.det(np.eye(2) * x)"), (0.3,),
                              (1.0,)) is None


@pytest.mark.parametrize("body", ["abs(x)", "x if x > 0.0 else 3.0 * x", "1.0 if x > 0.0 else 0.0"])
def test_slope_at_a_kink_or_jump_is_unsure(body):
    assert not numeric.slope(census.plain(f"def f(x): return {body}"), (0.0,), (1.0,)).sure.any()


def test_comparing_sees_types_dtypes_shapes_and_values():
    one = np.ones(2)
    assert not numeric.differs((one, 1.0), (one.copy(), np.float64(1.0)), 1e-12)
    for other in (one.astype(np.float32), one[:1], one[None], one + 1e-3, [1.0, 1.0], 1.0, None, (one,)):
        assert numeric.differs(one, other, 1e-6)
    assert (numeric.differs(np.float32(1), np.float64(1), 1e-6) and numeric.differs(True, 1, 1e-6)
            and numeric.differs((one,), [one], 1e-6))
    assert not numeric.differs(np.array([np.nan, np.inf]), np.array([np.nan, np.inf]), 1e-6)
    assert numeric.differs(np.array([np.inf]), np.array([-np.inf]), 1e-6)


# -- the shrinker


def stores_in_a_loop(case):
    loops = [n for n in ast.walk(ast.parse(case.source)) if isinstance(n, ast.For)]
    return any(isinstance(n, ast.AugAssign) and isinstance(n.target, ast.Subscript) for loop in loops
               for n in ast.walk(loop))


def big_cases(holds, count=4):
    return [case for case in sample() if holds(case)][:count]


@pytest.mark.heavy(one_in=7)
def test_shrinking_keeps_the_failure_and_the_behaviour():
    for case in big_cases(stores_in_a_loop):
        small = shrink(case, stores_in_a_loop)
        assert stores_in_a_loop(small) and behaviour(small) == behaviour(case)
        assert len(small.source.splitlines()) <= 7 and size(small) < 0.4 * size(case) and not small.more
        assert sum(np.size(a) for a in small.args) <= 9  # a matrix with three rows


def test_shrinking_is_deterministic_and_bounded():
    case = big_cases(stores_in_a_loop, 1)[0]
    calls = []

    def failing(candidate):
        calls.append(candidate)
        return stores_in_a_loop(candidate)

    assert shrink(case, failing).source == shrink(case, failing).source
    calls.clear()
    shrink(case, failing, tries=5)
    assert len(calls) == 5
    assert shrink(case, failing, seconds=0) is case


def test_shrinking_drops_helpers_parameters_and_return_values():
    source = """import numpy as np

def h0(v):
    return v * 2.0

def f(x, A, c):
    y = h0(x)
    for i in range(x.shape[0]):
        y[i] = np.tanh(x[i]) + c
    return (y, A, c + 1.0)
"""
    case = Case(0, source, (np.linspace(0.1, 0.9, 7), np.ones((7, 7)), 0.123456))
    small = shrink(case, lambda c: "np.tanh(" in c.source)
    assert "h0" not in small.source and "def f(x)" in small.source and "for" not in small.source
    assert len(small.source.splitlines()) <= 7 and np.size(small.args[0]) <= 1


def test_shrinking_never_offers_programs_that_do_not_end_or_miss_names():
    source = "def f(x):\n    k = 0\n    s = 0.0\n    while k < 3:\n        k += 1\n        s = s + x\n    return s\n"
    offered = []
    shrink(Case(0, source, (0.5,)), lambda c: offered.append(c) or False)
    assert offered
    for case in offered:
        assert numeric.run(census.plain(case.source), case.args).error is None


def test_shrinking_tries_the_other_arguments():
    case = Case(0, "def f(x):\n    return x + 0.0\n", (0.5,), more=((2.5,),))
    assert shrink(case, lambda c: 2.5 in (*c.args, *(a for args in c.more for a in args))).args == (2.5,)
