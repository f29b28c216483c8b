"""`gs.jit(f, tiered=True)`: readable source runs until the background has compiled."""
import inspect
import multiprocessing.connection
import os
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.runtime.loading import compile_process, forked_call, targets, trampoline
from gradscribe.transformer.programs import background_compile


def program(f):
    """The one program of a transformed function."""
    ((found,),) = f._cache.programs.values()
    return found


def wait(f):
    """Until the background has done its work."""
    until = time.monotonic() + 120
    while (waiting := program(f).waiting) is not None and waiting.error is None:
        assert time.monotonic() < until
        time.sleep(0.01)


@pytest.fixture
def gate(monkeypatch):
    """Compiling in the background waits for this event."""
    event, compile_apart = threading.Event(), background_compile.compile_apart

    def behind(*args):
        assert event.wait(60)
        return compile_apart(*args)

    monkeypatch.setattr(background_compile, "compile_apart", behind)
    yield event
    event.set()


def loss(w, x):
    h = np.tanh(x @ w)
    return np.sum(h * h)


W, X = np.linspace(-1.0, 1.0, 6).reshape(3, 2), np.linspace(0.0, 2.0, 12).reshape(4, 3)


def test_calls_do_not_wait_and_later_ones_are_compiled(gate):
    f = gs.jit(gs.value_and_grad(loss), tiered=True)
    want = gs.value_and_grad(loss)(W, X)
    for _ in range(3):
        value, gradient = f(W, X)                # the compiler is not even asked yet
        assert value == want[0] and (gradient == want[1]).all() and type(value) is type(want[0])
    assert not hasattr(program(f).run, "entry")
    gate.set()
    wait(f)
    entry = program(f).run.entry
    for _ in range(3):                           # the last of them on the fast path
        value, gradient = f(W, X)
        np.testing.assert_allclose(gradient, want[1], rtol=1e-12)
        assert value == pytest.approx(want[0], rel=1e-12) and type(value) is type(want[0])
    assert len(entry.signatures) == 1            # what was compiled is what is called
    assert program(f).fast is not None and f._cache.fast is program(f).fast


def test_the_source_is_that_of_jit(gate):
    f, plain = gs.jit(loss, tiered=True), gs.jit(loss)
    f(W, X)
    for stage in ("readable", "core", "compiled"):
        assert f.source(W, X, stage=stage) == plain.source(W, X, stage=stage)
    assert f.explain(W, X) == plain.explain(W, X)


def scaled(x, n, c):
    x[1:] *= c
    for k in range(n):
        x[k] += k
    return x.sum(), n + 1


def test_arguments_are_stored_into_before_and_after(gate):
    f, x, want = gs.jit(scaled, tiered=True), np.arange(4.0), np.arange(4.0)
    for k in range(6):
        if k == 2:
            gate.set()
            wait(f)
        assert f(x, 3, 0.5) == scaled(want, 3, 0.5)
        assert (x == want).all()
    with pytest.raises(ValueError, match="read-only"):
        x.setflags(write=False)
        f(x, 3, 0.5)


def test_exceptions_of_the_function_are_the_same_before_and_after(gate):
    f, plain = gs.jit(scaled, tiered=True), gs.jit(scaled)

    def raised(g):
        with pytest.raises(IndexError) as info:
            g(np.arange(4.0), 7, 0.5)
        return str(info.value), info.value.__notes__

    first = raised(f)
    gate.set()
    wait(f)
    assert first == raised(f) == raised(plain)


def test_what_cannot_be_compiled_is_refused_at_once():
    with pytest.raises(gs.UnsupportedError, match="float16"):
        gs.jit(lambda x: x * x, tiered=True)(np.ones(3, np.float16))


def test_what_goes_wrong_in_the_background_is_raised_at_the_next_call(monkeypatch):
    def broken(*args):
        raise RuntimeError("no compiler here")

    monkeypatch.setattr(trampoline, "compile_ahead", broken)
    f = gs.jit(loss, tiered=True)
    assert f(W, X) == loss(W, X)
    wait(f)
    for _ in range(2):
        with pytest.raises(RuntimeError, match="no compiler here"):
            f(W, X)


def test_threads_call_while_it_is_compiled(gate):
    f, want, wrong = gs.jit(gs.grad(loss), tiered=True), gs.grad(loss)(W, X), []

    def work():
        for k in range(200):
            if not np.allclose(f(W, X), want, rtol=1e-12):
                wrong.append(k)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    f(W, X)
    gate.set()
    wait(f)
    for thread in threads:
        thread.join()
    assert not wrong and len(f._cache.programs) == 1


def test_a_pull_back_is_tiered_too(gate):
    f = gs.jit(loss, tiered=True)
    for _ in range(2):
        value, pull_back = gs.vjp(f, W, X)
        np.testing.assert_allclose(pull_back(1.0)[0], gs.grad(loss)(W, X), rtol=1e-12)
    assert value == loss(W, X)


@pytest.mark.parametrize("python", [sys.executable, "/nowhere/python", sys.executable + " that is none"])
def test_what_is_long_is_compiled_by_a_process_of_its_own(python, tmp_path, monkeypatch):
    """Where there is none, here. No file of the current folder is run."""
    (tmp_path / "pickle.py").write_text("raise SystemExit(3)")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRADSCRIBE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(compile_process, "LONG", 0)
    monkeypatch.setattr(sys, "executable", python)
    targets.compiled_module.cache_clear()  # another test has compiled the same
    f = gs.jit(gs.grad(loss), tiered=True)
    first = f(W, X)
    wait(f)
    np.testing.assert_allclose(f(W, X), first, rtol=1e-14)
    entry = program(f).run.entry
    assert sum(entry.stats.cache_hits.values()) == os.path.exists(python)


CHILD = """import os, numpy as np, gradscribe as gs
f = gs.jit(gs.grad(lambda x: np.sum(np.tanh(x * x) ** 2)), tiered=True)
print(f(np.ones(3)).shape, flush=True)
"""


def output(path, text):
    """What a process prints that runs a text."""
    (path / "child.py").write_text(CHILD + text)
    got = subprocess.run([sys.executable, "-W", "ignore", str(path / "child.py")], capture_output=True, text=True,
                         timeout=120, env=os.environ | {"GRADSCRIBE_CACHE_DIR": str(path / "cache")})
    assert (got.returncode, got.stderr) == (0, "")
    return got.stdout


@pytest.mark.heavy(one_in=4)
@pytest.mark.parametrize("ends", ["", "raise SystemExit(0)"])
def test_the_process_ends_while_it_is_compiled(ends, tmp_path):
    assert output(tmp_path, ends) == "(3,)\n"


@pytest.mark.heavy(one_in=2)
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_child_can_compile_though_it_was_forked_meanwhile(tmp_path):
    text = """import gradscribe.runtime.loading.trampoline
child = os.fork()
if child == 0:
    os._exit(int(gs.jit(lambda x: x * 2.0)(3.0)))
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    assert output(tmp_path, text) == "(3,)\n6\n"


def test_it_is_an_option_of_jit_and_is_shown():
    f = gs.jit(tiered=True)(loss)
    assert repr(f) == "gradscribe.jit(loss, tiered=True)"
    assert float(gs.grad(f)(W, X)[0, 0]) == pytest.approx(float(gs.grad(loss)(W, X)[0, 0]))


# ---- at a prompt: the readable source, in a copy of the process, against the compiler --------------------------------


def flight(x, c, n):
    """Of some thirty statements, with a loop for which plain Python is no good."""
    for k in range(n):
        x = x - 0.01 * np.sin(x) * c
        c = c + 0.001 * np.mean(np.cos(x)) * c
        x = np.tanh(x) + 0.1 * np.exp(-x * x)
    return np.sum(x * x) + c


@pytest.fixture
def prompt(monkeypatch):
    monkeypatch.setattr(background_compile, "at_a_prompt", lambda: True)
    if not forked_call.possible():
        pytest.skip("there is no fork, or no second core, and so nothing to run beside the compiler")


AT = np.linspace(0.1, 1.0, 5), 0.5


def test_the_first_result_at_a_prompt_is_the_readable_source_s(prompt, gate):
    f, plain = gs.jit(gs.value_and_grad(flight)), gs.value_and_grad(flight)
    for n in 3, 4:
        assert str(f(*AT, n)) == str(plain(*AT, n))  # to the last digit
        assert type(program(f).run) is background_compile.Interim
    assert not multiprocessing.active_children()
    gate.set()
    wait(f)
    np.testing.assert_allclose(f(*AT, 4)[1], plain(*AT, 4)[1], rtol=1e-12)
    assert program(f).run.entry.signatures


def test_what_plain_python_takes_minutes_for_is_the_compiler_s(prompt):
    began = time.monotonic()
    value = gs.jit(flight, tiered=True)(*AT, 3_000_000)  # some 40 s in plain Python
    assert np.isfinite(value) and time.monotonic() - began < 30
    assert not multiprocessing.active_children()


def test_without_a_copy_the_compiler_is_waited_for(prompt, monkeypatch):
    monkeypatch.setattr(forked_call, "send", lambda *args: os.kill(os.getpid(), 9))
    f = gs.jit(gs.grad(flight))
    np.testing.assert_allclose(f(*AT, 3), gs.grad(flight)(*AT, 3), rtol=1e-12)
    assert program(f).run.entry.signatures


def few(x, c, n):
    assert n < 5, "too many"
    return flight(x, c, n)


def test_exceptions_are_the_caller_s(prompt, gate):
    f = gs.jit(gs.value_and_grad(few))
    assert f(*AT, 3)[0] == flight(*AT, 3) and type(program(f).run) is background_compile.Interim
    with pytest.raises(AssertionError, match="too many") as info:
        f(*AT, 7)
    assert info.value.__notes__


def stores(x, c, n):
    x[0] = c
    return flight(x, c, n)


def prints(x, c, n):
    print("c", c)
    return flight(x, c, n)


@pytest.mark.parametrize("f", [
    gs.jit(flight, tiered=False), gs.jit(stores), gs.jit(prints), gs.jit(lambda x, c, n: np.sum(x) * c)],
    ids=["not asked for", "stores", "prints", "short"])
def test_what_is_waited_for_at_a_prompt(prompt, f, capsys):
    f(AT[0].copy(), AT[1], 3)
    assert program(f).waiting is None and program(f).run.entry.signatures


def test_an_interrupt_ends_the_copy(prompt, gate, monkeypatch):
    def interrupted(self, better):
        raise KeyboardInterrupt

    f = gs.jit(gs.grad(flight))
    with monkeypatch.context() as patched:
        patched.setattr(multiprocessing.connection.Connection, "poll", interrupted)
        with pytest.raises(KeyboardInterrupt):
            f(*AT, 3)
    assert not multiprocessing.active_children()
    assert (f(*AT, 3) == gs.grad(flight)(*AT, 3)).all()


def test_at_python_s_prompt(tmp_path):
    path = tmp_path / "flight.py"
    path.write_text("import numpy as np\n\n" + inspect.getsource(flight))
    asked = """
import gradscribe as gs, numpy as np
from flight import flight
f = gs.jit(gs.grad(flight))
g = f(np.ones(3), 0.5, 3)
((p,),) = f._cache.programs.values()
print(type(p.run).__name__ if p.waiting else "compiled already", (g == gs.grad(flight)(np.ones(3), 0.5, 3)).all())
"""
    done = subprocess.run([sys.executable, "-i", "-q"], input=asked, capture_output=True, text=True, cwd=tmp_path,
                          env={**os.environ, "GRADSCRIBE_CACHE_DIR": str(tmp_path / "cache")})
    if forked_call.possible():
        assert done.stdout == "Interim True\n", done.stderr
