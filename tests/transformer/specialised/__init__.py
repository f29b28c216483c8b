"""Programs for the specialiser alone, by topic; PROGRAMS of `table` has them all."""
# the order of the table
# isort: off
from . import memory, scopes, kinds
