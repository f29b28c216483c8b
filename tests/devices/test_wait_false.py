"""wait=False of jit and pmap: calls return at once; what looks at a result waits for it,
and is told what went wrong."""

import copy
import os
import pickle
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.transformer.devices import async_calls as later

ROOT = Path(__file__).parents[2]

def steps(x, n):
    s = x
    for _ in range(n):
        s = np.sin(s) + 0.1
    return {"s": s, "double": float(s[0]) * 2.0, "total": s.sum(), "place": (s.argmax(), None)}


X = np.linspace(0.1, 2.0, 500)
at_once, waits = gs.jit(steps, wait=False), gs.jit(steps)


def test_a_call_returns_before_it_is_done():
    gs.block_until_ready(at_once(X, 3))
    out = at_once(X, 100_000)
    running = not out["s"]._call.future.done()
    want = waits(X, 100_000)
    assert running
    np.testing.assert_array_equal(out["s"], want["s"])
    assert list(out) == list(want) and out["place"][1] is None


LOOKS = [np.asarray, repr, str, len, list, np.sum, lambda x: x + 1, lambda x: 2.0 * x, lambda x: X + x, lambda x: x @ x,
         lambda x: x[3:5], lambda x: x.shape, lambda x: x.mean(), lambda x: np.concatenate([x, x]), lambda x: -x,
         abs, lambda x: x < 0.5, lambda x: np.add(x, x, out=np.empty(500)),
         copy.copy, lambda x: pickle.loads(pickle.dumps(x)), lambda x: gs.block_until_ready([x])[0],
         lambda x: gs.grad(lambda y: np.sum(y * y))(x), lambda x: waits(x, 2)["s"], lambda x: at_once(x, 2)["s"],
         lambda x: gs.vmap(np.sin)(x)]


@pytest.mark.parametrize("look", LOOKS)
def test_looking_at_an_array(look):
    got, want = look(at_once(X, 5)["s"]), look(waits(X, 5)["s"])
    if isinstance(want, str):
        assert got == want
    else:
        np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("look", [float, lambda x: x + 1, lambda x: f"{x:.3f}", round, lambda x: x < 3.0, abs, bool,
                                  repr, lambda x: np.float32(x), complex])
@pytest.mark.parametrize("name", ["double", "total"])
def test_looking_at_a_number(name, look):
    got, want = look(at_once(X, 5)[name]), look(waits(X, 5)[name])
    assert got == want and type(got) is type(want)


def test_an_int_is_an_index():
    assert X[at_once(X, 5)["place"][0]] == X[waits(X, 5)["place"][0]]


def test_what_goes_wrong_is_told_where_one_looks():
    def f(x):
        if x[0] > 0.0:
            raise ValueError("positive")
        return x, x[0]

    made = gs.jit(f, wait=False)
    out, first = made(X)
    for look in (lambda: out + 1, lambda: float(first), lambda: gs.block_until_ready((out, first))):
        with pytest.raises(ValueError, match="positive") as caught:
            look()
        notes = "\n".join(caught.value.__notes__)
        assert "if x[0] > 0.0" not in notes or "raise ValueError" in notes
        assert "in the call of f at" in notes and "test_wait_false.py" in notes
    assert made(-X)[1] == -X[0]


def test_stores_into_an_argument_keep_their_order():
    def f(x, k):
        x[0] = 2.0 * x[0] + k
        return x.sum()

    made, x, y = gs.jit(f, wait=False), np.zeros(3), np.zeros(3)
    sums = [made(x, float(k)) for k in range(20)]
    assert [float(s) for s in sums] == [f(y, float(k)) for k in range(20)]
    np.testing.assert_array_equal(x, y)


SEEN, ASSIGNED = np.zeros(2), 0.0


def stores(x, n):
    y = x * 0.5
    for _ in range(n):
        y = np.sin(y) + 0.1
    x[:] = y
    SEEN[:] = y[:2]
    return y


def assigns(x):
    global ASSIGNED
    ASSIGNED = x.sum() + SEEN.sum()


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("read",
                         [gs.jit(lambda x: x.sum(), wait=False), gs.jit(lambda x: x.sum() + SEEN.sum(), wait=False),
                          gs.pmap(lambda x: x.sum(), wait=False), gs.jit(assigns, wait=False)])
def test_a_call_reads_what_those_before_it_store(read):
    store, x = gs.jit(stores, wait=False), np.ones((1, 200))
    for n in (2, 100_000):  # the first call compiles
        x[:] = SEEN[:] = 1.0
        y = store(x[0], n)
        got = np.asarray(read(x if read.title == "pmap" else x[0, ::2]))
        want = (y.sum() if read.title == "pmap"
                else y[::2].sum() + (SEEN.sum() if "SEEN" in read.source(x[0, ::2]) else 0.0))
        assert (ASSIGNED if got.dtype == object else got) == pytest.approx(want)


def test_a_batch_that_is_filled_anew_while_a_call_runs():
    batch = X.copy()
    gs.block_until_ready(at_once(batch, 3))
    out = at_once(batch, 20_000)
    batch[:] = 7.0
    np.testing.assert_array_equal(out["s"], waits(X, 20_000)["s"])


def test_a_loop_that_hands_on_what_it_awaits():
    step = gs.jit(lambda w, x: (w - 0.1 * (w - x), np.sum(w)), wait=False)
    w, v = np.ones(3), np.ones(3)
    for k in range(10):
        w, total = step(w, np.full(3, float(k)))
        v = v - 0.1 * (v - k)
    np.testing.assert_allclose(w, v, rtol=1e-14)


def test_what_does_not_go_together():
    for options in ({"target": "cuda"}, {"tiered": True}):
        with pytest.raises(ValueError, match="wait=False is for"):
            gs.jit(steps, wait=False, **options)


def on_each(x, s):
    y = x
    for _ in range(s["rounds"]):
        y = np.sin(y) + 0.1
    total = gs.lax.psum(y.sum(), "i")
    return {"y": y, "first": (float(y[0]), len(x), 3.0, None, "text")}, s["w"] * total


@pytest.mark.heavy(one_in=3)
def test_a_call_of_all_devices():
    later, now = [gs.pmap(on_each, "i", in_axes=(0, None), out_axes=(0, None), wait=wait) for wait in (False, True)]
    parts, s = X[None].copy(), {"w": np.arange(3.0), "rounds": 3}
    gs.block_until_ready(later(parts, s))
    s["rounds"] = 100_000
    got = later(parts, s)
    running = not got[1]._call.future.done()
    want = now(parts, s)
    assert running
    parts[:] = 7.0  # the call has a copy
    (a, w), (b, v) = got, want
    np.testing.assert_array_equal(w, v)
    np.testing.assert_array_equal(a["y"], b["y"])
    for x, y in zip(a["first"], b["first"]):
        assert x is y is None or x == y == "text" or np.asarray(x).tolist() == y.tolist() and x.dtype == y.dtype


def test_what_a_device_raises_is_told_where_one_looks():
    def f(x):
        if x[0] > 0.0:
            raise ValueError("positive")
        return x

    made = gs.pmap(f, wait=False)
    out = made(X[None])
    with pytest.raises(ValueError, match="positive") as caught:
        np.asarray(out)
    notes = "\n".join(caught.value.__notes__)
    assert "on device 0" in notes and "in the call of f at" in notes and "test_wait_false.py" in notes
    np.testing.assert_array_equal(made(-X[None]), -X[None])


def test_all_devices_store_in_the_order_of_calls():
    def f(x, k):
        x[0] = 2.0 * x[0] + k
        return x.sum()

    made, x, y = gs.pmap(f, in_axes=(0, None), wait=False), np.zeros((1, 3)), np.zeros(3)
    for k in range(5):
        assert made(x, float(k))[0] == f(y, float(k))
    np.testing.assert_array_equal(x[0], y)


def test_what_is_laid_over_devices_stays_there():
    mesh = gs.Mesh((1,), "i")
    step = gs.pmap(lambda w, x: (0.5 * w, np.sum(w) * x), in_axes=(0, None), wait=False)
    w = gs.shard(np.ones((1, 4)), mesh, gs.P("i"))
    for _ in range(3):
        w, total = step(w, 2.0)
    assert w.spec == gs.P("i") and w.mesh == mesh
    np.testing.assert_array_equal(np.asarray(w), np.full((1, 4), 0.125))
    assert np.asarray(total).tolist() == [2.0]


def slowly(x, n):
    s = 0.0
    for k in range(n):
        s = np.sin(s + k)
    x[0] = 1.0 + 0.0 * s


def raises_unseen(x):
    if x[0] > 0.0:
        raise ValueError("a bad batch")
    x[1] = 5.0


def test_stores_of_a_call_that_returns_nothing_are_waited_for():
    store = gs.jit(slowly, wait=False)
    store(np.zeros(2), 1)
    x, other = np.zeros(2), np.ones(2)
    assert store(x, 5_000_000) is None
    gs.block_until_ready(other)
    assert gs.block_until_ready((None, x[:1]))[1] == 1.0


def test_what_a_call_raises_whose_result_nobody_can_look_at():
    check, fine = gs.jit(raises_unseen, wait=False), gs.jit(np.sin, wait=False)
    for look in (lambda x: gs.block_until_ready(x), lambda x: (later.worker().finish(), fine(x)),
                 lambda x: (later.worker().finish(), check(-x))):
        x = np.ones(2)
        check(x)
        with pytest.raises(ValueError, match="a bad batch") as caught:
            look(x)
        assert "in the call of raises_unseen" in caught.value.__notes__[-1]
        look(x)  # once
    for _ in range(2):
        check(np.ones(2))
    later.worker().finish()
    for _ in range(2):  # each
        with pytest.raises(ValueError, match="a bad batch"):
            fine(x)
    many = gs.pmap(raises_nothing, wait=False)
    many(np.ones(2))
    later.worker().finish()
    with pytest.raises(ValueError, match="a bad batch"):
        fine(x)


def raises_nothing(x):
    if x > 0.0:
        raise ValueError("a bad batch")


@pytest.mark.heavy(one_in=4)
def test_what_nobody_has_heard_of_is_shown_at_the_end():
    program = "\n".join(["import gradscribe as gs, numpy as np",
                         "from tests.devices.test_wait_false import raises_unseen",
                         "gs.jit(raises_unseen, wait=False)(np.ones(2))"])
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=100)
    assert (done.returncode == 0 and "ValueError: a bad batch" in done.stderr
            and "in the call of raises_unseen" in done.stderr), done.stderr


def test_a_number_of_python_that_the_run_tells_from_numpys_is_not_waited_for():
    def spin(x, n):
        for _ in range(n):
            x = np.sin(x)
        return x

    f = gs.jit(spin, wait=False)
    assert type(gs.block_until_ready(f(1.0, 0))) is float and type(gs.block_until_ready(f(1.0, 1))) is np.float64
    y = f(1.0, 5_000_000)
    assert not y._call.future.done()
    np.testing.assert_allclose(float(y), gs.jit(spin)(1.0, 5_000_000))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_fork_does_not_wait_for_what_the_parent_computes():
    x = np.zeros(2)
    store = gs.jit(lambda x, n: slowly(x, n) or x * 2.0, wait=False)
    gs.block_until_ready(store(x, 1))
    y = store(x, 5_000_000)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of a fork beside threads
        child = os.fork()
    if child == 0:
        try:
            np.asarray(y)
        except RuntimeError as error:
            os._exit("forked" in str(error))
        os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 1
    assert y[0] == 2.0
