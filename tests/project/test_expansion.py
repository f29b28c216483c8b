"""How much a line becomes: bounds of `benchmarks/expansion.py`, program by program."""
import pytest

from benchmarks import expansion
from tests.support.cases import rotating


@pytest.mark.heavy(one_in=40)
@pytest.mark.parametrize("name", rotating(expansion.names()))
def test_a_line_becomes_little(name):
    found = expansion.of_program(name)
    assert found.user > 5 and found.llvm > found.ours > found.user  # it was counted
    assert not expansion.beyond(name, found)
