"""Programs of the corpus, and those that are easy to get wrong, on a GPU or one that is simulated:
`test_simulator` has these called."""

import contextlib
import copy
import functools
import io

import numpy as np

import gradscribe as gs
from gradscribe.runtime.cuda import backend
from gradscribe.test_util import stages
from gradscribe.transformer.testing import numeric_leaves, with_leaves
from tests.corpus.programs import PROGRAMS
from tests.support.cases import Ran, assert_same, ran, tolerance
from tests.transforms.test_stages import jvp, primal, vjp

from . import many_threads  # noqa: F401  it adds to the cases
from . import arrays
from .trapped import CASES

arrays.use()
WAYS = {"primal": primal, "jvp": jvp, "vjp": vjp}


def stage(way: str, number: int) -> None:
    """A program of the corpus, transformed: the GPU does what the readable source does."""
    hold(*WAYS[way](PROGRAMS[number]))


def batch(number: int) -> bool:
    """A program for a batch: the floats and the arrays of floats are those of two examples.
    Is it one that has a form for many examples?"""
    p = PROGRAMS[number]
    axes = tuple(0 if isinstance(x, (float, np.floating, np.ndarray)) and np.asarray(x).dtype.kind == "f" else None
                 for x in p.make_args())
    if 0 not in axes:
        return False

    def make_args():
        pairs = zip(p.make_args(), p.make_args(), axes)
        return tuple([np.stack([x, np.asarray(y) * np.asarray(y).dtype.type(1.001)]) if axis == 0 else x
                      for x, y, axis in pairs])

    made = gs.vmap(p.fun, in_axes=axes)
    if isinstance(ran(made, make_args).error, gs.GradscribeError):
        return False
    hold(made, make_args, messages=False)  # which say the shapes of one example, or of all
    return True


def hold(made, make_args, messages=True) -> None:
    want, got = [ran(run, make_args) for _, run in stages(made, make_args(), names=("readable", "device"))]
    same(got, want, tolerance(make_args()), messages)


def same(got: Ran, want: Ran, rtol: float | None, messages=True) -> None:
    """The same values, types and arguments afterwards, or the same exception."""
    assert_same(got, want, rtol)
    assert not messages or str(got.error) == str(want.error), f"said {got.error} instead of {want.error}"


def call(number: int) -> None:
    """A program that is easy to get wrong, as users call it, with all of its arguments one after another,
    against the function itself."""
    f, calls = CASES[number]
    made = gs.jit(f, target="cuda")
    for args in calls:
        make_args = functools.partial(copy.deepcopy, args)
        want = told(f, make_args)
        rtol = 1e-5 if any(np.asarray(x).dtype in ("f4", "c8") for x in numeric_leaves(args)) else None
        for given in (make_args, lambda: placed(make_args())):
            got = told(made, given)
            got.args = fetched(got.args)
            same(like_numbers(got, want), want, rtol)
            assert got.printed == want.printed


def read_only() -> None:
    """Beside an array of the device an argument that may not be stored into is refused:
    NumPy itself cannot run on both."""
    def kept(x, y):
        if y[0] > 0.0:
            x[0] = 1.0
        return np.sum(y)

    x, y = np.zeros(2), -np.ones(2)
    x.flags.writeable = False
    made = gs.jit(kept, target="cuda")
    assert float(made(x, y)) == -2.0  # as NumPy, which does not come to the store
    refused = ran(made, lambda: (x, backend.put_array(y))).error
    assert isinstance(refused, gs.UnsupportedError) and "x.copy()" in str(refused), refused


def gradients(number: int) -> int:
    """Its gradient by its first argument, in three ways, against that of the readable source.
    Of how many calls has it one?"""
    f, calls = CASES[number]
    made: dict = {}
    found = 0
    for args in calls:
        make_args = functools.partial(copy.deepcopy, args)
        out, x = told(f, make_args), args[0]
        floats = None if out.error else places(out.out)
        if not floats or not isinstance(x, np.ndarray) or x.dtype.kind != "f":
            continue
        loss = made.setdefault(floats, summed(f, floats))
        want = told(gs.grad(loss), make_args)
        if isinstance(want.error, gs.GradscribeError):
            continue
        found += 1
        rtol = 1e-4 if x.dtype == np.float32 else 1e-11
        for way in (gs.jit(gs.grad(loss), target="cuda"), gs.grad(gs.jit(loss, target="cuda"))):
            same(like_numbers(told(way, make_args), want), want, rtol)
        many = gs.jit(gs.vmap(gs.grad(loss), in_axes=(0, *[None] * (len(args) - 1))), target="cuda")
        batch = told(many, lambda: (np.stack([x] * 3), *make_args()[1:]))
        if want.error is None and not isinstance(batch.error, gs.GradscribeError):
            assert_same(batch, Ran(np.stack([want.out] * 3), None, batch.args), rtol)
    return found


def places(out) -> tuple:
    """Which of the results are floats; (None,) where there is but one."""
    def is_float(x):
        return isinstance(x, (float, np.floating, np.ndarray)) and np.asarray(x).dtype.kind == "f"
    if isinstance(out, tuple):
        return tuple([k for k, x in enumerate(out) if is_float(x)])
    return (None,) if is_float(out) else ()


def summed(f, floats):
    def loss(*args):
        out = f(*args)
        if floats == (None,):
            return np.sum(out)
        total = 0.0
        for k in floats:
            total = total + np.sum(out[k])
        return total

    return loss


def told(f, make_args) -> Ran:
    """What it did, and what it printed."""
    with contextlib.redirect_stdout(io.StringIO()) as text, np.errstate(all="ignore"):
        out = ran(f, make_args)
    out.printed = text.getvalue()
    if out.error is None:
        out.out = fetched(out.out)
    return out


def placed(args):
    """Arguments whose arrays lie on the device."""
    if isinstance(args, dict):
        return {k: placed(x) for k, x in args.items()}
    return type(args)(map(placed, args)) if isinstance(args, (tuple, list)) else backend.put_array(args)


def fetched(out):
    """Results with NumPy's arrays in the place of the device's."""
    if isinstance(out, dict):
        return {k: fetched(x) for k, x in out.items()}
    if isinstance(out, (tuple, list)):
        return getattr(out, "_make", type(out))(map(fetched, out))
    return backend.get(out)


def like_numbers(got: Ran, want: Ran) -> Ran:
    """What a GPU gave, with numbers where it has arrays without axes."""
    if got.error is None and want.error is None:
        numbers = iter([type(y)(x) if not isinstance(y, np.ndarray) and np.asarray(x).dtype == np.asarray(y).dtype
                        else x
                        for x, y in zip(numeric_leaves(got.out), numeric_leaves(want.out), strict=True)])
        got.out = with_leaves(got.out, numbers)
    return got
