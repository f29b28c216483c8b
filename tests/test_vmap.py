"""gs.vmap against a loop over the examples: the corpus, its gradients, and gradients of its batched form."""
import dataclasses

import gradscribe as gs
import numpy as np
import pytest
from cases import over, ran, rotating, tolerance, assert_equal
from gradscribe.transformer.api import Vjp
from gradscribe.transformer.testing import leaves_of
from programs import PROGRAMS

COUNT = 3  # examples


def is_float(x):
    return isinstance(x, (float, np.floating)) or isinstance(x, np.ndarray) and x.dtype.kind == "f"


def mapped(fun, *trees):
    """fun of the leaves of trees of one structure."""
    tree = trees[0]
    if isinstance(tree, dict):
        return {k: mapped(fun, *(t[k] for t in trees)) for k in tree}
    if isinstance(tree, (tuple, list)):
        items = [mapped(fun, *parts) for parts in zip(*trees)]
        return type(tree)(*items) if hasattr(tree, "_fields") else type(tree)(items)
    if dataclasses.is_dataclass(tree) and not isinstance(tree, type):
        return type(tree)(**{f.name: mapped(fun, *(getattr(t, f.name) for t in trees)) for f in dataclasses.fields(tree)})
    return fun(*trees)


def batches(p):
    """(arguments for all examples, in_axes); what holds anything else than floats is the same for all."""
    args = p.make_args()
    axes = tuple(0 if len(leaves_of(a)) and all(map(is_float, leaves_of(a))) and a is not None else None for a in args)

    def several(x):
        dtype = np.asarray(x).dtype
        return np.stack([np.asarray(x * (1 + k / 1000), dtype) for k in range(COUNT)])

    return tuple(mapped(several, a) if axis == 0 else a for a, axis in zip(args, axes)), axes


def one(args, axes, k):
    def take(x):
        return x[k].copy() if isinstance(x[k], np.ndarray) else x[k]
    return tuple(mapped(take, a) if axis == 0 else mapped(lambda x: x.copy() if isinstance(x, np.ndarray) else x, a) for a, axis in zip(args, axes))


def together(outs):
    return mapped(lambda *xs: xs[0] if isinstance(xs[0], (str, type(None))) else np.stack(xs), *outs)


def check(fun, batched, args, axes, rtol=None):
    """The batched function gives what a loop does, or raises what one of the examples does."""
    each = [ran(fun, lambda k=k: one(args, axes, k)) for k in range(COUNT)]
    got = ran(batched, lambda: mapped(lambda x: x.copy() if isinstance(x, np.ndarray) else x, args))
    errors = [e.error for e in each if e.error is not None]
    if errors:
        assert type(got.error) in map(type, errors), f"{got.error!r} instead of {errors[0]!r}"
        return
    if got.error is not None:
        raise got.error
    assert_equal(got.out, together([e.out for e in each]), rtol)


PLAIN = [p for p in PROGRAMS if any(axis == 0 for axis in batches(p)[1]) and not p.static_argnums]


@over(PLAIN)
def test_the_corpus(p):
    args, axes = batches(p)
    check(p.fun, gs.vmap(p.fun, in_axes=axes), args, axes, tolerance(args))


SMOOTH = [p for p in PLAIN if not p.raises]


def outputs(p, args, axes):
    return [p.fun(*one(args, axes, k)) for k in range(COUNT)]


@over(SMOOTH)
def test_pull_backs(p):
    args, axes = batches(p)
    ct = together(outputs(p, args, axes))
    pull = Vjp(p.fun)
    ct_axes = mapped(lambda x: None if isinstance(x, (str, type(None))) else 0, ct)
    batched = gs.vmap(pull, in_axes=(axes, ct_axes))

    def example(k):
        return lambda: (one(args, axes, k), mapped(lambda x: x if isinstance(x, (str, type(None))) else x[k], ct))
    each = [ran(pull, example(k)) for k in range(COUNT)]
    for e in each:
        if e.error:
            raise e.error
    got = batched(args, ct)
    rtol = tolerance(args) or 1e-11
    assert_equal(got, together([e.out for e in each]), rtol)
