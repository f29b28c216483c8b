"""Calls with `out=`, and of ufuncs with `where=`: the call without them, and a store.

    np.log(x, out=y, where=m)        ->        y[...] = np.where(m, np.log(np.where(m, x, 1)), y)
"""
from __future__ import annotations

import numpy as np

from ....library.outputs import merged, stored, taken
from ...domain import values as v

TRUE = v.Static(True)


def into(s, f, out, where, call, args):
    """The value of a call whose results go into arrays; `call` computes it of the arguments."""
    if where is not None and (where != TRUE or out is None):
        if out is None:
            if where == TRUE:
                return call(args)
            s.fail(f"np.{f.__name__} with where= and no out=, whose result holds anything elsewhere",
                   "Give the array for the result: out=np.zeros(...).")
        count = f.nin
        args = [s.call_value(taken, [a, where], {}) for a in args[:count]] + list(args[count:])
    result = call(args)
    outs = s.items(out) if isinstance(out, v.Tuple) else [out]
    results = s.items(result) if isinstance(result, v.Tuple) else [result]
    kept = [store_output(s, f, o, r, where) for o, r in zip(outs, results)]
    return kept[0] if not isinstance(result, v.Tuple) else v.Tuple(tuple(kept), result.cls)


def store_output(s, f, out, result, where):
    if out == v.Static(None):
        return result
    name = f if isinstance(f, str) else f.__name__
    if not isinstance(out, v.Array):
        s.fail(f"{name} with out= that is no array", "Give an array.")
    if not isinstance(f, np.ufunc) and s.type(out).dtype != s.type(result).dtype:
        s.fail(f"{name} with out= of another dtype than the result has", "Store the result: out[...] = the call.")
    if where is not None and where != TRUE:
        result = s.call_value(merged, [out, result, where], {})
    s.call_value(stored, [out, result, v.Static(isinstance(f, np.ufunc))], {})
    return out
