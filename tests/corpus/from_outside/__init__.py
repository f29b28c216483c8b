"""What was found from outside, by topic: programs that look too plain to test; ITEMS of `table` has them all."""
# the order of the table
# isort: off
from . import constants, classes, containers, numbers, exceptions, everyday, trades, changed, indices
