"""What the tests of lowering share: run a core function as core, as lowered text, and compiled, and compare."""
import copy
import itertools
import warnings

import numpy as np

from gradscribe.runtime.loading.trampoline import compile_module, plain_module
from gradscribe.transformer.core import Builder, Const, runnable
from gradscribe.transformer.core.types import PY_BOOL, PY_FLOAT, PY_INT, Dim, Type
from gradscribe.transformer.core.verifier import verify
from gradscribe.transformer.lower import lower
from gradscribe.transformer.rules import OPS

PYTHON = {"float": PY_FLOAT, "int": PY_INT, "bool": PY_BOOL}


def type_of(text):
    """"f8[n, 3]", "f4" (a NumPy scalar) or "int"."""
    if text in PYTHON:
        return PYTHON[text]
    dtype, bracket, dims = text.partition("[")
    dims = [Dim.of(int(d) if d.isdigit() else d) for d in dims.rstrip("]").split(", ") if d]
    return Type("array" if bracket else "np", np.dtype(dtype), tuple(dims))


def function(types, body):
    """A core function of arguments a, b, c, ... of these types; `body(builder, *names)` gives its results."""
    names = "abcdefgh"[:len(types)]
    b = Builder(dict(zip(names, map(type_of, types))))
    results = body(b, *names)
    return verify(b.fun("f", names, results if isinstance(results, tuple) else (results,)), after="the test")


def emit(b, op, *args, **params):
    """An operation; numbers become constants."""
    atoms = [a if isinstance(a, (str, Const)) else Const(a) for a in args]
    return b.emit(OPS[op], *atoms, **params)


def outcome(run, args):
    """(results or None, exception or None)"""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return run(*copy.deepcopy(args)), None
        except Exception as error:
            return None, error


def assert_same(got, want, rtol=None):
    """Equal in kind, dtype, shape and, to rounding, value."""
    (results, error), (expected, wanted) = got, want
    if wanted is not None:
        assert type(error) is type(wanted), (error, wanted)
        return
    if error is not None:
        raise error
    for k, (a, b) in enumerate(zip(results, expected, strict=True)):
        assert type(a) is type(b), f"result {k}: {type(a)} instead of {type(b)}"
        assert (np.shape(a) == np.shape(b)
                and np.asarray(a).dtype == np.asarray(b).dtype), f"result {k}: {a!r} instead of {b!r}"
        single = np.asarray(b).dtype == np.float32
        if np.asarray(b).dtype.kind == "f":
            zero = np.asarray(b) == 0
            assert np.array_equal(np.signbit(a)[zero], np.signbit(b)[zero]), f"result {k}: the sign of a zero"
        np.testing.assert_allclose(a, b, rtol=rtol or (1e-5 if single else 1e-12), atol=1e-300, err_msg=f"result {k}")


class Stages:
    """A function's stages; called with arguments, it compares them."""

    def __init__(self, fun, owned=frozenset(), compiled=True):
        self.fun, self.lowered = fun, lower(fun, owned)
        self.text = self.lowered.text
        self.core, self.plain = runnable(fun), plain_module(self.lowered)
        self.compiled = compile_module(self.lowered) if compiled else None

    def __call__(self, *args, rtol=None):
        want = outcome(self.core, args)
        assert_same(outcome(self.plain, args), want, rtol)
        if self.compiled is not None:
            got = outcome(self.compiled, args)
            assert_same(got, want, rtol)
            if want[1] is not None:
                assert str(got[1]) == str(outcome(self.plain, args)[1])
        return want


def layouts(x):
    """The same values in row-major, column-major and strided memory, forwards and backwards."""
    yield x
    if x.ndim > 1:
        yield np.asfortranarray(x)
    wide = np.repeat(x, 2, axis=-1) if x.ndim else x
    yield wide[..., ::2] if x.ndim else x
    yield np.ascontiguousarray(x[..., ::-1])[..., ::-1] if x.ndim else x


def pairs(values):
    return itertools.product(values, repeat=2)
