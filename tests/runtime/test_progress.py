"""What a compilation says while one waits: a line on a terminal, which goes; nothing where nobody looks."""
import contextlib
import importlib.util
import io
import threading

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.runtime.compiler import pipeline, progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def terminal(monkeypatch):
    monkeypatch.setattr(progress, "PATIENCE", 0.001)
    monkeypatch.setattr(progress, "STEP", 0.001)
    monkeypatch.delenv("GRADSCRIBE_PROGRESS", raising=False)
    return Terminal()


@pytest.fixture
def f(tmp_path):
    """The gradient of a program that nothing has compiled before."""
    number = np.random.default_rng().random()
    path = tmp_path / "waited.py"
    path.write_text(f"import numpy as np\n\ndef waited_for(x):\n    return np.sum(np.tanh(x) * {number}) + np.max(x)\n")
    spec = importlib.util.spec_from_file_location("waited", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return gs.jit(gs.grad(module.waited_for))


def test_a_line_that_goes(terminal, f):
    with contextlib.redirect_stderr(terminal):
        f(np.ones(3))
    *lines, last, end = terminal.getvalue().split("\r")
    assert lines[0] == "" and lines[1] == "compiling waited_for: 0 s" and last.isspace() and end == ""
    size = len(terminal.getvalue())
    with contextlib.redirect_stderr(terminal):
        f(np.ones(4))
    assert len(terminal.getvalue()) == size, "what is compiled is not waited for"


@pytest.mark.parametrize("case", ["no terminal", "turned off", "another thread"])
def test_nothing_where_nobody_looks(terminal, monkeypatch, f, case):
    if case == "no terminal":
        monkeypatch.setattr(Terminal, "isatty", lambda self: False)
    if case == "turned off":
        monkeypatch.setenv("GRADSCRIBE_PROGRESS", "0")
    with contextlib.redirect_stderr(terminal):
        if case == "another thread":
            thread = threading.Thread(target=f, args=(np.ones(3),))
            thread.start()
            thread.join()
        f(np.ones(3))
    assert terminal.getvalue() == ""


def test_a_line_goes_where_compilation_ends_in_an_exception(terminal, monkeypatch, f):
    def interrupted(*args):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(pipeline.BackEnd, "run_pass", interrupted)
        with pytest.raises(KeyboardInterrupt), contextlib.redirect_stderr(terminal):
            f(np.ones(3))
    assert (terminal.getvalue().endswith("\r")
            and "gradscribe shows progress" not in [t.name for t in threading.enumerate()])
    assert np.all(f(np.ones(3)) > 0.0), "nothing is left half made"
