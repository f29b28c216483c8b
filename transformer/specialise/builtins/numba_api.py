"""Functions that numba compiled, or np.vectorize made: the Python function in each is read, and called as they do."""
from __future__ import annotations

import numpy as np

from ...library import compiled
from ...library.mapping import vectorized
from ...library.registry import FUNCTIONS, LATE
from ..domain import values as v
from ..evaluator.names.tables import OF_CLASS


def call_compiled(s, f, *args, **kwargs):
    """Of `njit` and `jit`."""
    signatures = [] if f._can_compile else [given for given in f.overloads if len(given) == len(args)]
    taken = [{repr(given[k]) for given in signatures} for k in range(len(args))]
    ways = [compiled.float_numba_takes if names == {"float64"} else compiled.as_numba_takes for names in taken]
    args = [s.call_value(way, [x], {}) if s.is_numeric(x) else x for x, way in zip(args, ways)]
    return of_one_type(s, s.call_value(v.Static(f.py_func), args, kwargs))


def of_one_type(s, x):
    """What numba gives: a number that is an int on one path and a float on another is a float."""
    if type(x) is v.Tuple:
        return v.Tuple(tuple([of_one_type(s, item) for item in x.items]))
    types = s.b.types_of(x.atom) if isinstance(x, v.Number) else ()
    return s.call_value(v.Static(float), [x], {}) if len(types) > 1 and any([t.is_float for t in types]) else x


def call_vectorized(s, f, *args):
    return s.call_value(compiled.over_rows,
                        [v.Static(f._dispatcher.py_func), signature_dtypes(f.types if f._frozen else ()), *args], {})


def call_by_layout(s, f, *args):
    b = f.gufunc_builder
    inputs, outputs = (v.Static(tuple(map(tuple, part))) for part in (b.sin, b.sout))
    return s.call_value(compiled.of_layout, [v.Static(b.py_func), inputs, outputs,
                                             signature_dtypes(() if f.is_dynamic else f.types), *args], {})


def signature_dtypes(types):
    """The dtypes of signatures such as "dd->d": ((those of the arguments, those of the results), ...)."""
    return v.Static(tuple([tuple([tuple(map(np.dtype, part)) for part in t.split("->")]) for t in types]))


def enter_compiled() -> None:
    import numba
    from numba.core.registry import CPUDispatcher
    from numba.np.ufunc.dufunc import DUFunc
    from numba.np.ufunc.gufunc import GUFunc
    OF_CLASS.update({CPUDispatcher: call_compiled, DUFunc: call_vectorized, GUFunc: call_by_layout})
    FUNCTIONS[numba.prange] = FUNCTIONS[range]


LATE["numba.np.ufunc.gufunc"] = enter_compiled
OF_CLASS[np.vectorize] = lambda s, f, *args, **named: s.call_value(v.Static(vectorized), [v.Static(f), *args], named)
