"""What vmap is to give, by a loop over the examples: for all combinations of arguments that differ between them,
for batches of batches, for derivatives. A case is a function and its arguments (test_batching.py)."""
import itertools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

import gradscribe as gs
from gradscribe.transformer.library.registry import everything
from gradscribe.transformer.rules import OPS
from gradscribe.transformer.rules.kinds import Elementwise

COUNT = 3


def combinations(args):
    """Axes for the arguments: each differs between the examples or does not, not all the same;
    now and then along another axis."""
    for k, chosen in enumerate(itertools.product((True, False), repeat=len(args))):
        if any(chosen):
            yield tuple((0 if (k + j) % 2 == 0 else -1) if c else None for j, c in enumerate(chosen))


def spread(x, axis, seed):
    """Examples of x, along an axis."""
    if axis is None:
        return x
    if np.asarray(x).dtype.kind in "iu":
        return np.stack([np.asarray(x)]
                        + [np.roll(x, k) if np.ndim(x) else np.asarray(max(0, int(x) - k) if x >= 0 else x)
                           for k in range(1, COUNT)], axis)
    return np.stack([np.clip(x + 0.05 * k * np.random.default_rng(seed).normal(size=np.shape(x)), 0.1, 0.9)
                     for k in range(COUNT)], axis)


def example(x, axis, k):
    return x if axis is None else np.ascontiguousarray(np.moveaxis(x, axis, 0)[k]) if np.ndim(x) > 1 else x[k]


def quiet(fun, *args):
    with np.errstate(all="ignore"):
        return fun(*args)


def batch(case, axes):
    return tuple(spread(x, axis, j) for j, (x, axis) in enumerate(zip(case.args, axes)))


def loop(fun, axes):
    """What vmap is to give, by a loop."""
    def of_each(*full):
        each = [fun(*(example(x, axis, k) for x, axis in zip(full, axes))) for k in range(COUNT)]
        return tuple(np.stack(parts) for parts in zip(*each)) if isinstance(each[0], tuple) else np.stack(each)
    return of_each


def of_batches(axes):
    """(axes of an outer vmap, the place of its axis in the arguments): only the first that differs, then each."""
    mapped = [k for k, axis in enumerate(axes) if axis is not None]
    for chosen in {(mapped[0],), tuple(mapped)}:
        yield tuple(-1 if k in chosen else None for k in range(len(axes)))


def doubled(full, outer):
    """Two batches."""
    return tuple(x if axis is None else np.stack([x, np.roll(x, 1, axis=0)], axis) for x, axis in zip(full, outer))


def loop_of_loops(fun, axes, outer):
    def of_each(*full):
        return np.stack([loop(fun, axes)(*(x if axis is None else np.ascontiguousarray(x[..., k])
                                           for x, axis in zip(full, outer))) for k in range(2)])
    return of_each


@dataclass
class Check:
    """A batched function, what it is to give, and arguments."""
    got: Callable
    want: Callable
    args: tuple
    rtol: float = 1e-12

    def close(self, got):
        want = quiet(self.want, *self.args)
        for g, w in zip(got, want, strict=True) if isinstance(got, tuple) else [(got, want)]:
            assert g.dtype == w.dtype and g.shape == w.shape, (g.dtype, g.shape, w.dtype, w.shape)
            np.testing.assert_allclose(g, w, rtol=self.rtol, atol=1e-12)


def of_values(case):
    """The rule itself for all combinations, and a batch of batches."""
    for axes in combinations(case.args):
        yield Check(gs.vmap(case.fun, in_axes=axes), loop(case.fun, axes), batch(case, axes))
    for outer in of_batches(axes := next(combinations(case.args))):
        nested = gs.vmap(gs.vmap(case.fun, in_axes=axes), in_axes=outer)
        yield Check(nested, loop_of_loops(case.fun, axes, outer), doubled(batch(case, axes), outer))


def floats(case):
    return tuple(k for k, a in enumerate(case.args) if np.asarray(a).dtype.kind == "f")


everything()  # SciPy's operations too
ONCE = {"rt.lgamma", "rt.gamma", "rt.digamma", "scipy.linalg.expm (square)", "rt.expm_slope",
        *[f"scipy.special.{n}" for n in ("gammainc", "gammaincc", "gammaincinv", "gammainccinv")]}
ONCE |= {name for name, op in OPS.items() if isinstance(op, Elementwise)
         and any(p is not None and p.__qualname__.startswith(("unknown", "refused")) for p in op.partials)}


def smooth(case):
    return floats(case) and not ONCE & set(case.ops) and np.asarray(quiet(case.fun, *case.args)).dtype.kind == "f"


def of_derivatives(case):
    """grad, jvp, vjp, and (of the first argument) the Hessian, of each example."""
    numbers_, fun = floats(case), case.fun

    def loss(*args):
        return np.sum(fun(*args) * 1.5)

    def tangent(*args):
        return gs.jvp(fun, args, tuple([a * 0.0 + 1.0 for a in args]))[1]

    def pulled(*args):
        out, pull = gs.vjp(fun, *args)
        return pull(out * 0.5)[numbers_[0]]

    for axes in combinations(case.args):
        yield Check(gs.vmap(gs.grad(loss, argnums=numbers_), in_axes=axes), loop(gs.grad(loss, argnums=numbers_), axes),
                    batch(case, axes), 1e-11)
    axes = next(combinations(case.args))
    once = [pulled]
    if len(numbers_) == len(case.args):
        once.append(tangent)
    if np.size(case.args[numbers_[0]]) <= 12:
        once.append(gs.hessian(loss, argnums=numbers_[0]))
    for f in once:
        yield Check(gs.vmap(f, in_axes=axes), loop(f, axes), batch(case, axes), 1e-10)
