"""How often functions are called while a program is transformed grows as the program does:
no curve of `benchmarks/curves.py` bends up.

Calls are counted, not timed, so that a busy machine is no matter. Where the whole is near a line still, a function that
is called for each pair of lines shows in its own count.
"""
import math

import pytest

from benchmarks import curves

# of all calls: what is called less often is of no consequence (equal loops are looked for in pairs,
# for one call in a hundred)
SHARE = 0.02
BENT = 1.6    # the exponent of a function's own calls
# of a few levels: what stands around counts in each
NESTS = [name for name in curves.CURVES if name.startswith("nested")]
CASES = [(name, way) for name, curve in curves.CURVES.items() for way in curve.ways]


def exponents(name, way):
    """(that of all calls, {function that is called often: its own}),
    from a program to one that is four times as long"""
    few, many = curves.CURVES[name].sizes[0], curves.CURVES[name].sizes[2]
    curves.counted(name, way, few)  # what is done once in a process
    before, after = curves.counted(name, way, few), curves.counted(name, way, many)
    total = sum(after.values())
    slope = lambda a, b: math.log(b / max(a, 1)) / math.log(many / few)  # noqa: E731
    return slope(sum(before.values()), total), {f: slope(before.get(f, 0), n) for f, n in after.items()
                                                if n > SHARE * total and before.get(f, 0) > few}


@pytest.mark.heavy(one_in=58)
@pytest.mark.parametrize("name, way", CASES)
def test_calls_grow_as_the_program(name, way):
    whole, each = exponents(name, way)
    assert whole < curves.MOST
    assert name in NESTS or not {f: e for f, e in each.items() if e > BENT}


@pytest.mark.heavy(one_in=5)
@pytest.mark.parametrize("name", ["nested loops", "lines", "branches", "leaves of a dict", "branches for items",
                                  "lengths of lengths"])
def test_what_has_grown_with_the_square(name):
    test_calls_grow_as_the_program(name, "grad")


def test_fifteen_loops_in_each_other():
    assert sum(curves.counted("nested loops", "jvp", 15).values()) < 1_000_000


@pytest.mark.heavy(one_in=3)
def test_the_length_of_a_source_is_told_without_writing_it():
    """Of what is compiled, the readable source is not written."""
    calls = curves.counted("items of a list", "jit", 600)
    assert not [f for f in calls if "unparse.py" in f]
