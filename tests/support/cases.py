"""What the tests over the corpus share: which case which test covers, and what "the same result" means.

A case is a program under a transformation, plain or compiled. `covers` parametrises a test over the corpus and enters
its cases in `COVERED`, from which `coverage_table` writes docs/coverage.md: the table says what the tests do, because
it is made of what parametrises them.

Compiling takes most of a test run, so some tests run on a part of their programs, another part after each commit.
GRADSCRIBE_TEST_ALL=1 (`run.py test --all`) runs everything.
"""

import dataclasses
import hashlib
import os
import subprocess
import warnings
import zlib
from pathlib import Path

import numpy as np
import pytest

from tests.corpus.programs import PROGRAMS

TRANSFORMS = ("primal", "jvp", "vjp", "second order")
WAYS = ("plain", "compiled")
ALL = os.environ.get("GRADSCRIBE_TEST_ALL") == "1"


# ---- which programs

def commit() -> str:
    """The commit that is tested; outside a repository, nothing."""
    done = subprocess.run(["git", "rev-parse", "HEAD"], cwd=Path(__file__).parents[1], capture_output=True, text=True)
    return done.stdout.strip()


COMMIT = commit()
TURN = int(hashlib.sha256(COMMIT.encode()).hexdigest(), 16)
THIRD = TURN % 3


def announcement() -> str:
    if ALL:
        return "corpus: everything (GRADSCRIBE_TEST_ALL=1)"
    return (f"corpus: compiled jvp and second order on third {THIRD + 1} of 3, "
            f"chosen by commit {COMMIT[:12] or '(none)'}; GRADSCRIBE_TEST_ALL=1 runs all")


def rotating(programs, parts: int = 3) -> list:
    """The part whose turn it is."""
    return list(programs) if ALL else list(programs)[TURN % parts::parts]


COVERED: dict[tuple[str, str, str], dict[str, bool]] = {}  # (construct, transform, way) -> {test: does it rotate?}


def has_its_turn(name: str, place: int, one_in: int) -> bool:
    """Is the case of a heavy test at this place in the first part of the tests?"""
    return (TURN + zlib.crc32(name.encode()) + place) % one_in == 0


def covers(*cells: tuple[str, str], rotate: bool = False, programs=PROGRAMS):
    """Parametrise a test by programs `p`, and note that it covers these (transform, way) of each of them."""
    assert all(t in TRANSFORMS and w in WAYS for t, w in cells)

    def mark(test):
        for p in programs:
            for transform, way in cells:
                COVERED.setdefault((p.construct, transform, way), {})[f"{test.__module__}.{test.__name__}"] = rotate
        return over(rotating(programs) if rotate else programs)(test)

    return mark


def over(programs):
    """Parametrise a test by programs."""
    return pytest.mark.parametrize("p", programs, ids=lambda p: p.construct)


# ---- running

@dataclasses.dataclass
class Ran:
    """What a call gave or raised, and its arguments afterwards."""

    out: object
    error: Exception | None
    args: tuple


def ran(function, make_args) -> Ran:
    args = make_args()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return Ran(function(*args), None, args)
        except Exception as error:  # what it raises is part of what it does
            return Ran(None, error, args)


# ---- comparing

def assert_same(got: Ran, want: Ran, rtol: float | None = None, stored: bool = True) -> None:
    """The same result, or the same kind of exception; the same contents of the arguments afterwards.

    After an exception the arguments may hold anything.
    """
    if want.error is not None:
        assert got.error is not None, f"{type(want.error).__name__} was not raised; the result is {got.out!r}"
        assert type(got.error) is type(want.error), f"raised {got.error!r} instead of {want.error!r}"
        return
    if got.error is not None:
        raise got.error
    assert_equal(got.out, want.out, rtol, "the result")
    if stored:
        assert_equal(got.args, want.args, rtol, "the arguments afterwards")


def assert_equal(got, want, rtol=None, what="it") -> None:
    """Equal in structure, kind, dtype, shape and value."""
    assert type(got) is type(want), f"{what}: {type(got).__name__} {got!r} instead of {type(want).__name__} {want!r}"
    if isinstance(want, (np.ndarray, np.generic, bool, int, float, complex)):
        assert_leaf(got, want, rtol, what)
    elif isinstance(want, dict):
        assert list(got) == list(want), f"{what}: keys {list(got)} instead of {list(want)}"
        for key in want:
            assert_equal(got[key], want[key], rtol, f"{what}[{key!r}]")
    elif isinstance(want, (tuple, list)):
        assert len(got) == len(want), f"{what}: {len(got)} items instead of {len(want)}"
        for k, (a, b) in enumerate(zip(got, want)):
            assert_equal(a, b, rtol, f"{what}[{k}]")
    elif dataclasses.is_dataclass(want) and not isinstance(want, type):
        for f in dataclasses.fields(want):
            assert_equal(getattr(got, f.name), getattr(want, f.name), rtol, f"{what}.{f.name}")
    elif got is not want and hasattr(want, "__dict__"):
        assert_equal(vars(got), vars(want), rtol, f"the attributes of {what}")
    else:
        assert got == want, f"{what}: {got!r} instead of {want!r}"


def assert_leaf(got, want, rtol, what) -> None:
    a, b = np.asarray(got), np.asarray(want)
    assert a.dtype == b.dtype, f"{what}: dtype {a.dtype} instead of {b.dtype}"
    assert a.shape == b.shape, f"{what}: shape {a.shape} instead of {b.shape}"
    if a.dtype.kind not in "fc":
        assert np.array_equal(a, b), f"{what}: {a} instead of {b}"
        return
    if rtol is None:
        rtol = 1e-5 if a.dtype == np.float32 else 1e-12
    finite = np.abs(b[np.isfinite(b)])
    # sums may be reassociated, so that a rounding is as large as the largest number there is
    np.testing.assert_allclose(a, b, rtol=rtol, atol=rtol * finite.max(initial=0.0), err_msg=what)


def tolerance(args) -> float | None:
    """1e-5 where float32 is about: a float64 computed from float32 roundings is no better."""
    from gradscribe.transformer.testing import numeric_leaves
    return 1e-5 if any(np.asarray(x).dtype == np.float32 for x in numeric_leaves(args)) else None
