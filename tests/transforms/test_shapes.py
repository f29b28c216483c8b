"""Acceptance: a new shape compiles nothing, a dimension that becomes 1 compiles once, indices are NumPy's."""
import itertools
import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import optree
import pytest

import gradscribe as gs

ROOT = str(Path(__file__).parents[2])

COMPILE = textwrap.dedent("""
    import json, sys
    import numpy as np, gradscribe as gs
    from numba.core import event
    sys.path.insert(0, sys.argv[1])
    from tests.transforms.test_shapes import loss, interior

    def compiles(run, *shapes):
        counts = []
        for shape in shapes:
            args = [np.random.default_rng(k).standard_normal(s) for k, s in enumerate(shape)]
            listener = event.RecordingListener()
            with event.install_listener("numba:compile", listener):
                run(*args)
            counts.append(sum(e.is_start for _, e in listener.buffer))
        return counts

    grad = gs.jit(gs.grad(loss))
    stencil = gs.jit(gs.grad(interior))
    print(json.dumps({
        "new shapes": compiles(grad, ((4, 3), (3,)), ((5, 7), (7,)), ((2, 9), (9,)), ((0, 2), (2,)), ((31, 64), (64,))),
        "becomes 1": compiles(grad, ((4, 1), (1,)), ((9, 1), (1,)), ((4, 1), (3,)), ((6, 1), (5,))),
        "stencil": compiles(stencil, ((9,),), ((5,),), ((4,),), ((100,),)),
    }))
""")


def loss(A, b):
    return np.sum(np.tanh(A * b) ** 2)


def interior(x):
    return np.sum(x[1:-1] * x[2:] * x[:-2])


@pytest.fixture(scope="module")
def compiles(tmp_path_factory):
    env = dict(os.environ, GRADSCRIBE_CACHE_DIR=str(tmp_path_factory.mktemp("cache")))
    done = subprocess.run([sys.executable, "-c", COMPILE, ROOT], env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.heavy(one_in=5)
def test_new_shapes_compile_nothing(compiles):
    first, *rest = compiles["new shapes"]
    assert first >= 1 and rest == [0, 0, 0, 0]
    first, *rest = compiles["stencil"]
    assert first >= 1 and rest == [0, 0, 0]


@pytest.mark.heavy(one_in=50)
def test_a_dimension_that_becomes_one_compiles_once(compiles):
    both, again, stretched, stretched_again = compiles["becomes 1"]
    assert both >= 1 and again == 0 and stretched >= 1 and stretched_again == 0


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("wrap", [lambda f: f, gs.jit], ids=["plain", "compiled"])
@pytest.mark.parametrize("shapes", [((4, 3), (3,)), ((4, 1), (3,)), ((4, 3), (1,)), ((1, 1), (1,)), ((0, 3), (3,)),
                                    ((4, 1), (1,))])
def test_broadcasting_is_numpys(wrap, shapes):
    args = [np.random.default_rng(k).standard_normal(s) for k, s in enumerate(shapes)]
    value, (da, db) = wrap(gs.value_and_grad(loss, argnums=(0, 1)))(*args)
    np.testing.assert_allclose(value, loss(*args), rtol=1e-12)
    t = np.tanh(args[0] * args[1])
    g = 2 * t * (1 - t * t)
    np.testing.assert_allclose(da, (g * args[1]).sum(1, keepdims=True) if shapes[0][1] == 1 else g * args[1],
                               rtol=1e-12)
    want = (g * args[0]).sum(0)
    np.testing.assert_allclose(db, want.sum(keepdims=True) if shapes[1] == (1,) else want, rtol=1e-12)


MAKERS = {"plain": lambda f: gs.test_util.primal(f), "compiled": gs.jit, "gradient": gs.grad,
          "compiled gradient": lambda f: gs.jit(gs.grad(f))}


@pytest.mark.parametrize("make", MAKERS)
def test_mismatched_shapes_raise_numpys_message_at_the_users_line(make):
    def product(x, y):
        z = x * 2.0
        return np.sum(z * y)

    with pytest.raises(ValueError,
                       match=r"operands could not be broadcast together with shapes \(3,\) \(4,\)") as caught:
        MAKERS[make](product)(np.ones(3), np.ones(4))
    notes = "\n".join(getattr(caught.value, "__notes__", []))
    assert f"test_shapes.py:{product.__code__.co_firstlineno + 2}" in notes, notes


@pytest.mark.parametrize("make", MAKERS)
def test_indices_wrap_and_are_checked(make):
    def pick(x, k):
        return x[k] * x[k]

    run = MAKERS[make](pick)
    x = np.array([1.0, 2.0, 3.0])
    for k in (-1, -3, 0, 2):
        want = x[k] ** 2 if "gradient" not in make else np.where(np.arange(3) == k % 3, 2 * x, 0.0)
        np.testing.assert_array_equal(run(x, k), want)
    for k in (3, -4, 10**6):
        with pytest.raises(IndexError, match=f"index {k} is out of bounds for axis 0 with size 3"):
            run(x, k)


# ---- reductions of which a part is empty: each row has its value, even one without elements

AXES = [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)]


def sums(x):
    return [np.sum(x * 2.0, axis=a) for a in AXES], [np.sum(x, axis=a, keepdims=True) for a in AXES]


def truths(x):
    return [np.all(x > 0.5, axis=a) for a in AXES], [np.any(x > 0.5, axis=a) for a in AXES]


def row_by_row(x):
    s = np.sum(x, axis=(1, 2))
    return np.sin(s)[:, None, None] * x + s[:, None, None], s


@pytest.mark.heavy(one_in=5)
@pytest.mark.parametrize("f", [sums, truths, row_by_row])
def test_reductions_over_empty_axes(f):
    compiled, many = gs.jit(f), gs.jit(gs.vmap(f))
    for shape in itertools.product((0, 2, 3), repeat=3):
        x = np.random.default_rng(3).normal(size=shape)
        np.full(200, 7.0)  # memory that is taken again has something in it
        for got, want in zip(optree.tree_leaves(compiled(x)), optree.tree_leaves(f(x))):
            np.testing.assert_allclose(got, want, rtol=1e-12, strict=True)
        want = [np.stack(xs) for xs in zip(*(optree.tree_leaves(f(y)) for y in (x, x + 1.0)))]
        for got, w in zip(optree.tree_leaves(many(np.stack([x, x + 1.0]))), want):
            np.testing.assert_allclose(got, w, rtol=1e-12)
