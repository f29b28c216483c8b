"""The corpus itself: large enough, one construct to a program, and every program runs."""

import pytest

from tests.corpus.programs import PROGRAMS
from tests.corpus.traps import TRAPS


def test_at_least_three_hundred_programs():
    assert len(PROGRAMS) >= 300


@pytest.mark.parametrize("corpus", [PROGRAMS, TRAPS], ids=["programs", "traps"])
def test_constructs_are_unique(corpus):
    constructs = [p.construct for p in corpus]
    assert len(set(constructs)) == len(constructs)


@pytest.mark.parametrize("p", PROGRAMS + TRAPS, ids=lambda p: p.construct)
def test_runs(p):
    if p.raises is None:
        p.fun(*p.make_args())
    else:
        with pytest.raises(p.raises):
            p.fun(*p.make_args())
