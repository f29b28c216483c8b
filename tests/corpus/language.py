"""Programs of Python's own semantics, each with some tuples of arguments:
what Python gives for them is what is expected. They stand in `semantics/`, by topic, in the order of this table."""
# the order of the table
# isort: off
from tests.corpus.semantics.table import PROGRAMS
from tests.corpus.semantics import joins, comprehensions, unbound, exceptions, calls, order_of_operands, loops, mixed
from tests.corpus.semantics import first_iterations, order_of_evaluation, messages, narrow_numbers, scopes
from tests.corpus.semantics import either_function, match_with_try, library, generators, either_object, caught, contexts

__all__ = ["PROGRAMS", "joins", "comprehensions", "unbound", "exceptions", "calls", "order_of_operands", "loops",
           "mixed", "first_iterations", "order_of_evaluation", "messages", "narrow_numbers", "scopes",
           "either_function", "match_with_try", "library", "generators", "either_object", "caught", "contexts"]
