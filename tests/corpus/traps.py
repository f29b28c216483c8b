"""The traps: functions on which tools like this one are known to go wrong, each with what NumPy makes of it.

What is expected is never written down as a number where NumPy can be asked: `trap.expected()` runs the function
itself. `trap.gradient`, where given, is the derivative on paper: of the sum of the float results, for each argument
of `argnums`. `note` says what the trap is and what would be wrong. Traps that need a story around the function (a
helper redefined, a source edited on disk, a decorator) are told in a test of their own. They stand in `pitfalls/`, by
topic, in the order of this table.
"""
# the order of the table
# isort: off
from tests.corpus.pitfalls.table import TRAPS
from tests.corpus.pitfalls import indices_and_names, aliases_and_sizes, numbers

__all__ = ["TRAPS", "indices_and_names", "aliases_and_sizes", "numbers"]
