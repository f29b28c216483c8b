"""gs.save and gs.load: what a file does is what the function did, in a process that has nothing of the transformer."""
import importlib.util
import os
import re
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import gradscribe as gs
from tests.corpus.programs import PROGRAMS
from tests.support.cases import rotating


class Trouble(Exception):
    """A class that another process can import."""


def model(p, x):
    s = 0.0
    for i in range(len(x)):
        s += np.tanh(p["w"][i] * x[i] + p["b"])
    if s > 100.0:
        raise ValueError(f"large: {s}")
    return s


def solves(A, x):
    return np.sum(np.linalg.solve(A, x) ** 2) + np.abs(np.fft.fft(x))[1] + np.linalg.norm(A, 2)


def stores(x, y):
    x[1:] += y[:-1]
    return x, np.sum(x)


def raises(x):
    if x[0] > 1.0:
        raise Trouble("much", x[0])
    return x[0] * 2.0


def told(x):
    if np.sum(x) > 1.0:
        raise ValueError("too large", x)
    return "a \\ b" if x[0] > 0.5 else '"""'


W, X = {"w": np.ones(3), "b": 0.3}, np.arange(3.0)


@pytest.fixture
def saved(tmp_path):
    def of(g, *args):
        gs.save(g, tmp_path / "saved.py", *args)
        return gs.load(tmp_path / "saved.py")
    return of


@pytest.mark.heavy(one_in=4)
@pytest.mark.parametrize("p", rotating([p for p in PROGRAMS if not p.static_argnums], 12), ids=lambda p: p.fun.__name__)
def test_a_file_does_to_the_last_bit_what_the_compiled_function_does(p, tmp_path):
    """`gs.save` compares values, what is stored into arguments, and exceptions."""
    try:
        text = gs.save(gs.jit(p.fun), tmp_path / "saved.py", *p.make_args())
    except gs.GradscribeError as refusal:
        assert "as a file" not in str(refusal)
    else:
        head = text[:text.index("TEXT_1")]
        assert not re.search(r"^(?:import|from) gradscribe\.transformer", text, re.M)
        assert set(re.findall(r"^(?:import|from) (\S+)", head, re.M)) <= {
            "__future__", "collections", "dataclasses", "itertools", "math", "numpy",
            "gradscribe.runtime.loading.saved", p.fun.__module__}


def test_another_process_needs_nothing_of_the_transformer(tmp_path):
    grad = gs.jit(gs.value_and_grad(model))
    gs.save(grad, tmp_path / "slope.py", W, X)
    gs.save(gs.grad(solves), tmp_path / "solves.py", np.eye(3) * 2.0, X)
    code = textwrap.dedent("""
        import sys
        import numpy as np
        import gradscribe as gs
        slope = gs.load("slope.py")
        from slope import value_and_grad_model
        for g in (slope, value_and_grad_model):
            value, bars = g({"w": np.ones(4), "b": 0.3}, np.arange(4.0))
            print(value.hex(), bars["w"].tobytes().hex(), bars["b"].hex())
        solves = gs.load("solves.py")
        print(solves(np.eye(4) * 2.0, np.arange(4.0)).tobytes().hex())
        print(sorted(name for name in sys.modules if "transformer" in name or "gast" in name))
        """)
    run = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=120,
                         env={**os.environ, "PYTHONPATH": ""})
    value, bars = grad({"w": np.ones(4), "b": 0.3}, np.arange(4.0))
    line = f"{value.hex()} {bars['w'].tobytes().hex()} {bars['b'].hex()}"
    slopes = gs.jit(gs.grad(solves))(np.eye(4) * 2.0, np.arange(4.0)).tobytes().hex()
    assert run.stdout.splitlines() == [line, line, slopes, "[]"], run.stderr


def test_other_kinds_are_refused(saved):
    slope = saved(gs.grad(model), W, X)
    for w, x in ((W, X.astype(np.float32)), (W, X[:, None]), ({"w": np.ones(3), "c": 0.3}, X)):
        with pytest.raises(TypeError, match="this source was made for"):
            slope(w, x)


def test_exceptions_are_those_of_the_function(saved):
    slope = saved(gs.grad(model), W, X)
    with pytest.raises(IndexError, match="index 3 is out of bounds") as caught:
        slope(W, np.arange(4.0))
    assert "s += np.tanh" in caught.value.__notes__[0]
    with pytest.raises(ValueError, match="large: 399") as caught:
        slope({"w": np.ones(400), "b": 0.3}, np.arange(400.0))
    assert "raise ValueError" in caught.value.__notes__[0]
    with pytest.raises(Trouble) as caught:
        saved(gs.jit(raises), X)(X + 2)
    assert caught.value.args == ("much", 2.0)


def test_an_exception_with_an_array_is_raised_by_the_readable_source(saved):
    with pytest.raises(ValueError) as caught:
        saved(gs.jit(told), 0.1 * X)(X)
    assert np.array_equal(caught.value.args[1], X)


def test_arguments_are_stored_into(saved):
    x, y, f = np.arange(4.0), np.ones(4), saved(gs.jit(stores), np.arange(3.0), np.ones(3))
    got, total = f(x, y)
    assert x.tolist() == got.tolist() == [0.0, 2.0, 3.0, 4.0] and total == 9.0
    with pytest.raises(ValueError, match="share memory"):
        f(x, x)


def test_a_file_of_another_version_is_refused(tmp_path):
    text = gs.save(gs.grad(model), tmp_path / "saved.py", W, X)
    now = f"'{gs.__version__}', '"
    (tmp_path / "other.py").write_text(text.replace(now, f"{now}f"))
    with pytest.raises(RuntimeError, match=f"saved by Gradscribe {gs.__version__}, whose run time is not this one"):
        gs.load(tmp_path / "other.py")


def test_what_cannot_be_saved_is_refused(tmp_path):
    class Local(Exception):
        pass

    def raises_it(x):
        if x > 1.0:
            raise Local
        return x

    with pytest.raises(gs.GradscribeError, match="Define it in a module"):
        gs.save(raises_it, tmp_path / "saved.py", 0.5)
    assert not (tmp_path / "saved.py").exists()
    (tmp_path / "text.py").write_text("x = 1\n")
    with pytest.raises(AttributeError):
        gs.load(tmp_path / "text.py")


def test_a_saved_function_is_a_module_that_spawned_processes_can_import(tmp_path):
    gs.save(gs.jit(gs.grad(model)), tmp_path / "slope.py", W, X)
    spec = importlib.util.spec_from_file_location("slope", tmp_path / "slope.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    np.testing.assert_array_equal(module.grad_model(W, X)["w"], gs.jit(gs.grad(model))(W, X)["w"])
