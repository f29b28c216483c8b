"""Programs with containers, iterators, enums and flags as people use them, by topic; PROGRAMS of `table` has them."""
# the order of the table
# isort: off
from . import sequences, enums, products_and_sets
