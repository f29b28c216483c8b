"""gs.vmap against a loop over the examples: the corpus, its gradients, and gradients of its batched form."""
import dataclasses
from types import FunctionType

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.transformer.api import Jvp, Vjp
from gradscribe.transformer.testing import numeric_leaves
from tests.corpus.programs import PROGRAMS
from tests.support.cases import assert_equal, over, ran, rotating, tolerance

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
        return type(tree)(**{f.name: mapped(fun, *(getattr(t, f.name) for t in trees))
                             for f in dataclasses.fields(tree)})
    return fun(*trees)


def has_text(tree):
    """Are there strings in a tree?"""
    return (isinstance(tree, str) or isinstance(tree, (tuple, list, dict))
            and any(map(has_text, tree.values() if isinstance(tree, dict) else tree)))


def has_objects(tree):
    """Are there objects of plain classes in a tree, which have ints and functions in them?
    (test_error_messages.py has them.)"""
    if isinstance(tree, (tuple, list, dict)):
        return any(map(has_objects, tree.values() if isinstance(tree, dict) else tree))
    return hasattr(tree, "__dict__") and not dataclasses.is_dataclass(tree) and not isinstance(tree, FunctionType)


def batches(p):
    """(arguments for all examples, in_axes); what holds anything else than floats is the same for all."""
    args = p.make_args()
    axes = tuple(0 if len(numeric_leaves(a)) and all(map(is_float, numeric_leaves(a))) and a is not None
                 and not has_text(a) else None for a in args)

    def several(x):
        dtype = np.asarray(x).dtype
        return np.stack([np.asarray(x * (1 + k / 1000), dtype) for k in range(COUNT)])

    return tuple(mapped(several, a) if axis == 0 else a for a, axis in zip(args, axes)), axes


def one(args, axes, k):
    def take(x):
        return x[k].copy() if isinstance(x[k], np.ndarray) else x[k]
    return tuple(mapped(take, a) if axis == 0 else mapped(lambda x: x.copy() if isinstance(x, np.ndarray) else x, a)
                 for a, axis in zip(args, axes))


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


PLAIN = [p for p in PROGRAMS
         if not has_objects(p.make_args()) and any(axis == 0 for axis in batches(p)[1]) and not p.static_argnums]


@pytest.mark.heavy(one_in=6)
@over(PLAIN)
def test_the_corpus(p):
    args, axes = batches(p)
    check(p.fun, gs.vmap(p.fun, in_axes=axes), args, axes, tolerance(args))


SMOOTH = [p for p in PLAIN if not p.raises]


def outputs(p, args, axes):
    return [p.fun(*one(args, axes, k)) for k in range(COUNT)]


def cotangents(p, args, axes):
    """(cotangents of the results of all examples, their axes)"""
    rng = np.random.default_rng(len(p.construct))
    ct = mapped(lambda x: rng.uniform(0.5, 1.5, x.shape).astype(x.dtype) if is_float(x) else x,
                together(outputs(p, args, axes)))
    return ct, mapped(lambda x: None if isinstance(x, (str, type(None))) else 0, ct)


def part(ct, k):
    return mapped(lambda x: x if isinstance(x, (str, type(None))) else x[k], ct)


def pulled_one_by_one(p, args, axes, ct):
    return [Vjp(p.fun)(one(args, axes, k), part(ct, k)) for k in range(COUNT)]


def close(got, want, args):
    assert_equal(got, want, tolerance(args) or 1e-11)


@pytest.mark.heavy(one_in=14)
@over(SMOOTH)
def test_gradients_of_each_example(p):
    args, axes = batches(p)
    ct, ct_axes = cotangents(p, args, axes)
    close(gs.vmap(Vjp(p.fun), in_axes=(axes, ct_axes))(args, ct), together(pulled_one_by_one(p, args, axes, ct)), args)


@pytest.mark.heavy(one_in=42)
@over(rotating(SMOOTH))
def test_gradients_of_each_example_compiled(p):
    args, axes = batches(p)
    ct, ct_axes = cotangents(p, args, axes)
    close(gs.jit(gs.vmap(Vjp(p.fun), in_axes=(axes, ct_axes)))(args, ct),
          together(pulled_one_by_one(p, args, axes, ct)), args)


@pytest.mark.heavy(one_in=13)
@over(SMOOTH)
def test_gradients_of_the_batch(p):
    gradients_of_the_batch(p, lambda f: f)


@pytest.mark.heavy(one_in=68)
@over(rotating(SMOOTH))
def test_gradients_of_the_batch_compiled(p):
    gradients_of_the_batch(p, gs.jit)


def gradients_of_the_batch(p, way):
    """The pull-back of the batched function: of what is the same for all examples it is the sum over them."""
    args, axes = batches(p)
    ct, _ = cotangents(p, args, axes)
    each = pulled_one_by_one(p, args, axes, ct)
    want = tuple(mapped(lambda *xs: np.stack(xs) if axis == 0 else sum(xs) if is_float(xs[0]) else xs[0], *parts)
                 for axis, parts in zip(axes, zip(*each)))
    got = way(Vjp(gs.vmap(p.fun, in_axes=axes)))(args, ct)
    for g, w in zip(numeric_leaves(got), numeric_leaves(want), strict=True):
        np.testing.assert_allclose(g, w, rtol=tolerance(args) or 1e-10,
                                   atol=(tolerance(args) or 1e-10) * np.abs(w).max(initial=1.0))


@pytest.mark.heavy(one_in=13)
@over(SMOOTH)
def test_tangents_of_each_example(p):
    args, axes = batches(p)
    dots = mapped(lambda x: np.cos(np.arange(np.size(x))).reshape(np.shape(x)).astype(x.dtype)
                            if is_float(x) and isinstance(x, np.ndarray)
                  else 0.3 if isinstance(x, float) else np.zeros_like(x) if isinstance(x, np.ndarray)
                  else type(x)(0) if isinstance(x, (int, np.integer)) else x, args)
    each = [Jvp(p.fun)(one(args, axes, k), one(dots, axes, k)) for k in range(COUNT)]
    close(gs.vmap(Jvp(p.fun), in_axes=(axes, axes))(args, dots), together(each), args)


@pytest.mark.heavy(one_in=6)
@over(SMOOTH)
def test_batches_of_batches(p):
    """Two axes of examples, the outer one last."""
    args, axes = batches(p)
    twice = tuple(mapped(lambda x: np.stack([x, x * np.asarray(1.001, x.dtype)], axis=-1), a) if axis == 0 else a
                  for a, axis in zip(args, axes))
    inner = gs.vmap(p.fun, in_axes=axes)
    got = gs.vmap(inner, in_axes=tuple(-1 if axis == 0 else None for axis in axes), out_axes=1)(*twice)
    def take(j):
        return tuple(mapped(lambda x: np.ascontiguousarray(x[..., j]), a) if axis == 0 else a
                     for a, axis in zip(twice, axes))
    each = [together(outputs(p, take(j), axes)) for j in range(2)]
    want = mapped(lambda *xs: xs[0] if isinstance(xs[0], (str, type(None))) else np.stack(xs, axis=1), *each)
    close(got, want, args)


@pytest.mark.heavy(one_in=51)
@over(rotating(PLAIN))
def test_the_corpus_compiled(p):
    args, axes = batches(p)
    check(p.fun, gs.jit(gs.vmap(p.fun, in_axes=axes)), args, axes, tolerance(args))
