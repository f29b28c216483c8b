"""Reverse mode held against forward mode, differences, and the memory of the arguments."""
import numpy as np

from gradscribe.transformer.core import Let, core_text, runnable, walk
from gradscribe.transformer.optimise.inplace import inplace
from gradscribe.transformer.transform.jvp import jvp
from gradscribe.transformer.transform.vjp import vjp, vjp_split


# the check ------------------------------------------------------------------------------------
def is_float(value):
    return np.asarray(value).dtype.kind == "f"


def like(rng, value):
    """A random value of the same type."""
    noise = rng.normal(size=np.shape(value)).astype(np.asarray(value).dtype)
    return (float(noise) if isinstance(value, float) and not isinstance(value, np.generic) else noise if np.ndim(value)
            else noise[()])


def dot(xs, ys):
    return sum(float(np.sum(np.asarray(x) * np.asarray(y))) for x, y in zip(xs, ys))


def floats(values):
    return [v for v in values if is_float(v)]


def step(values, direction, h):
    """Move the floats."""
    moves = iter(direction)
    out = []
    for v in values:
        out.append(type(v)(v + h * next(moves)) if is_float(v) and not np.ndim(v)
                   else v + h * next(moves) if is_float(v) else v)
    return out


def check_derivatives(fun, args, order=2, tol=1e-5):
    rng = np.random.default_rng(1)
    active = tuple(is_float(a) for a in args)
    keep = [np.copy(a) for a in args]
    forward, reverse = jvp(fun, active), vjp(fun, active)
    f = runnable(fun)
    results = f(*args)
    count = len(results)
    v = [like(rng, a) for a in floats(args)]
    u = [like(rng, r) for r in floats(results)]
    pushed = runnable(forward)(*args, *v)
    pulled = runnable(reverse)(*args, *u)
    for r, p, q in zip(results, pushed, pulled):
        np.testing.assert_array_equal(r, p)
        np.testing.assert_array_equal(r, q)
    for a, bar in zip(floats(args), pulled[count:]):
        assert np.shape(a) == np.shape(bar) and np.asarray(a).dtype == np.asarray(bar).dtype, core_text(reverse)
        assert (type(a) is float) == (type(bar) is float), core_text(reverse)
    along = dot(u, pushed[count:])
    np.testing.assert_allclose(dot(pulled[count:], v), along, rtol=1e-9, atol=1e-9, err_msg=core_text(reverse))
    h = 1e-6
    there, back = (floats(f(*step(args, v, s * h))) for s in (1, -1))
    quotient = dot(u, [(np.asarray(x) - np.asarray(y)) / (2 * h) for x, y in zip(there, back)])
    np.testing.assert_allclose(along, quotient, rtol=tol, atol=tol)
    check_split(fun, args, active, u, pulled)
    check_memory(reverse, [*args, *u], pulled)
    for a, b in zip(args, keep):
        np.testing.assert_array_equal(a, b)
    if order > 1:
        check_derivatives(reverse, [*args, *u], order - 1, tol)
        check_derivatives(forward, [*args, *v], order - 1, tol)


def check_split(fun, args, active, u, pulled):
    """The pull-back, called twice, gives what the joint form gives."""
    fwd, bwd = vjp_split(fun, active)
    count = len(fun.body.results)
    out = runnable(fwd)(*args)
    for _ in range(2):
        bars = runnable(bwd)(*out[count:], *u)
        for x, y in zip(bars, pulled[count:]):
            np.testing.assert_array_equal(x, y)


def check_memory(fun, args, results):
    """With stores in place: the same values, in memory of their own."""
    again = runnable(inplace(fun))(*args)
    for x, y in zip(again, results):
        np.testing.assert_array_equal(x, y)
    arrays = [x for x in (*args, *again) if isinstance(x, np.ndarray)]
    for k, x in enumerate(arrays[:-1]):
        assert not any(np.shares_memory(x, y) for y in arrays[k + 1:] if x is not y or k >= len(args)), core_text(fun)


def rand(*shape, seed=0):
    return np.random.default_rng(seed).uniform(0.5, 1.5, shape)


def tapes(fun):
    """The statements that reserve a tape."""
    return [s for s in walk(fun.body) if isinstance(s, Let) and s.op.name in ("np.empty", "rt.tape")]
