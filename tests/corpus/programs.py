"""The corpus: small NumPy programs, one for each construct of the language.

Each program is an ordinary function, as a scientist would write it. `construct` names what this program alone adds to
the corpus, so that a coverage table can say what works under which transformation. The stage harness, `check_grads`,
the golden files and the benchmarks all read `PROGRAMS`. Nothing here knows Gradscribe: only NumPy, SciPy, numba
and the standard library. The programs stand in `constructs/`, by topic, in the order of this table.

Arguments come fresh from `make_args()` (a program may store into them), are the same every time, and stay away from
kinks and ties: a program marked `smooth` is twice differentiable there.
"""
# the order of the table
# isort: off
from tests.corpus.registry import PROGRAMS, Program
from tests.corpus.constructs import functions, parameters, loops, stores, arrays, algorithms, masks
from tests.corpus.constructs import iterators, classes, numpy_functions, compiled, names, solvers, standard_library
from tests.corpus.constructs import telling, decided, records, libraries

__all__ = ["PROGRAMS", "Program", "functions", "parameters", "loops", "stores", "arrays", "algorithms", "masks",
           "iterators", "classes", "numpy_functions", "compiled", "names", "solvers", "standard_library", "telling",
           "decided", "records", "libraries"]
