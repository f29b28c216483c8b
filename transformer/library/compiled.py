"""Functions that numba compiled, as it calls them: `vectorize` of each element, `guvectorize` of each row of a layout.
What they compute is what the Python function in them computes."""
import numpy as np

from .joining import common
from .registry import at_least, refuse
from .shapes import product

OF_64_BITS = ("float64", "int64", "bool", "complex128")


def as_numba_takes(x):
    """An argument of a function that numba compiled: numba has rules of its own for what shorter numbers give."""
    if np.asarray(x).dtype.kind in "fc" and np.asarray(x).dtype.name not in OF_64_BITS:
        refuse(f"{np.asarray(x).dtype} in a function that numba compiled, which has rules of its own for its results",
               "Pass numbers of 64 bits, x.astype(np.float64), or call the Python function in it: f.py_func.")
    return x


def float_numba_takes(x):
    """An int where each signature of the function has a float."""
    return float(x) if np.ndim(x) == 0 and np.asarray(x).dtype.kind in "iub" else as_numba_takes(x)


def as_signed(arrays, types):
    """(the arguments as the first of the types that takes all of them has them, the dtypes of its results)"""
    for given, results in types:
        if all([np.can_cast(x.dtype, t, "safe") for x, t in zip(arrays, given)]):
            return [x.astype(t) for x, t in zip(arrays, given)], results
    if len(types) > 0:
        raise TypeError("ufunc not supported for the input types, and the inputs could not be safely coerced to any "
                        "supported types according to the casting rule ''safe''")
    for x in arrays:
        if x.dtype.name not in OF_64_BITS:
            refuse(f"a function under numba's vectorize of {x.dtype}, which has rules of its own for its results",
                   "Convert the argument: x.astype(np.float64).")
    return arrays, None


def over_rows(function, types, *args):
    """A function under `numba.vectorize`: of each element."""
    arrays, results = as_signed([np.asarray(x) for x in args], types)
    shape = common([x.shape for x in arrays])
    if len(shape) == 0:
        y = np.asarray(function(*[x[()] for x in arrays]))
        return (y if results is None else y.astype(results[0]))[()]
    flat = [np.ravel(np.broadcast_to(x, shape)) for x in arrays]
    count = product(shape)
    if not at_least(count, 1):
        refuse("a function under numba's vectorize of no elements", "Test the size before.")
    y = np.zeros(count, np.asarray(function(*[x[0] for x in flat])).dtype if results is None else results[0])
    for k in range(count):
        y[k] = function(*[x[k] for x in flat])
    return y.reshape(shape)


def of_layout(function, inputs, outputs, types, *args):
    """A function under `numba.guvectorize`, which stores into its last arguments: of each row of the others.

    inputs, outputs  the names of the lengths of each argument and result, as the layout has them
    """
    if len(args) != len(inputs):
        refuse("a call of a function under numba's guvectorize with arrays for its results", "Use what it returns.")
    if len(types) == 0:
        refuse("a function under numba's guvectorize without signatures",
               "Name the types: @guvectorize(['(float64[:],float64[:])'], '(n)->(n)').")
    arrays, results = as_signed([np.asarray(x) for x in args], types)
    lengths = lengths_by_name(arrays, inputs)
    around = common([x.shape[:x.ndim - len(names)] for x, names in zip(arrays, inputs)])
    rows = [rows_of_layout(x, around, length_of_each(names, lengths)) for x, names in zip(arrays, inputs)]
    inner = [length_of_each(names, lengths) for names in outputs]
    made = [np.zeros((product(around),) + (shape or (1,)), t) for shape, t in zip(inner, results)]
    for k in range(product(around)) if around else (0,):
        function(*[x[k] for x in [*rows, *made]])
    whole = [y.reshape(around + shape)[()] for y, shape in zip(made, inner)]
    return whole[0] if len(whole) == 1 else tuple(whole)


def rows_of_layout(x, around, shape):
    return np.broadcast_to(x, around + shape).reshape((product(around),) + shape)


def lengths_by_name(arrays, inputs):
    lengths = {}
    for x, names in zip(arrays, inputs):
        if x.ndim < len(names):
            raise ValueError("Input operand does not have enough dimensions")
        for name, n in zip(names, x.shape[x.ndim - len(names):]):
            if name in lengths and lengths[name] != n:
                raise ValueError(f"Input operand has a mismatch in its core dimension {name}")
            lengths[name] = n
    return lengths


def length_of_each(names, lengths):
    if any([name not in lengths for name in names]):
        refuse("a length of a result of numba's guvectorize that no argument has", "Pass an array of that length.")
    return tuple([lengths[name] for name in names])
