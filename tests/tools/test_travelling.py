"""Functions that go to another process, and where their text is found: pickles, prompts, command lines, reloads."""
import builtins
import copy
import doctest
import importlib
import linecache
import pickle
import subprocess
import sys
import types

import cloudpickle
import numpy as np
import pytest

import gradscribe as gs
from gradscribe.errors import UnsupportedError
from gradscribe.transformer.frontend import user_texts

CELL = '''
import dataclasses, functools
import numpy as np
import gradscribe as gs

scale = 2.0

def helper(x):
    return scale * np.sin(x)  # a comment of the user's

def f(x):
    return helper(x) * x

@gs.jit
def compiled(x):
    return helper(x) + 1.0

@gs.custom_jvp
def own(x):
    return x ** 3

@own.defjvp
def rule(primals, tangents):
    return own(*primals), 5.0 * tangents[0]

@gs.jit
def power(x, n=3):
    return x if n == 0 else x * power(x, n - 1)

def closure(k):
    return lambda x, inner=helper: k * inner(x)

@dataclasses.dataclass
class Model:
    w: float

    def __post_init__(self):
        self.w = 3.0 * self.w

    @property
    def twice(self):
        return 2.0 * self.w

    @gs.jit
    def loss(self, x):
        return self.twice * helper(x)

table = {"all": [closure(4.0)]}
'''


@pytest.fixture
def main(monkeypatch):
    """A `__main__` whose text a notebook has, which other processes do not."""
    module = types.ModuleType("__main__")
    monkeypatch.setitem(sys.modules, "__main__", module)
    monkeypatch.setattr(user_texts, "arrived", {})
    run_cell(module, CELL, monkeypatch)
    return module


def run_cell(module, text, monkeypatch):
    file = f"/tmp/ipykernel_1/{len(text)}.py"
    monkeypatch.setitem(linecache.cache, file, (len(text), None, text.splitlines(True), file))
    exec(compile(text, file, "exec"), vars(module))


def sent(x):
    """What another process gets: code without its file, and no notebook."""
    data = cloudpickle.dumps(x)
    kept = dict(linecache.cache)
    for file in [file for file in kept if "ipykernel" in file]:
        del linecache.cache[file]
    try:
        return pickle.loads(data)
    finally:
        linecache.cache.update(kept)


# pickles ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize("text", [
    "gs.grad(f)", "gs.jit(gs.grad(f))", "gs.jit(f)", "compiled", "gs.grad(compiled)", "gs.grad(gs.grad(f))",
    "gs.grad(lambda x: f(x) + compiled(x))", "gs.grad(closure(3.0))", "gs.grad(own)", "gs.grad(lambda x: own(x) * x)",
    "gs.grad(power)", "gs.grad(Model(2.0).loss)", "gs.grad(lambda x: Model(x).twice)", "gs.vjp(f, 1.5)[1]",
    "gs.linearize(f, 1.5)[1]", "gs.grad(functools.partial(lambda k, x: k * helper(x), 3.0))",
    "gs.grad(lambda x: table['all'][0](x))", "gs.checkpoint(f)", "gs.vmap(gs.grad(f))"])
def test_the_text_travels(main, text, monkeypatch):
    run_cell(main, f"made = {text}", monkeypatch)
    x = np.array([0.5, 1.5]) if "vmap" in text else 1.5
    there, made = sent(main.made), main.made
    assert there is not made
    np.testing.assert_array_equal(there(x), made(x))


def test_what_is_found_outside_travels_as_it_is_then(main):
    main.scale = 10.0
    there = sent(gs.grad(main.helper))
    main.scale = 20.0
    assert there(0.0) == 10.0 and gs.grad(main.helper)(0.0) == 20.0
    again = sent(there)  # and on to a third process
    assert again(0.0) == 10.0


def test_source_and_errors_are_those_of_the_text(main):
    there = sent(gs.grad(main.f))
    assert there.source(1.0) == gs.grad(main.f).source(1.0) and "return scale * np.sin(x)" in there.source(1.0)
    with pytest.raises(gs.errors.GradscribeError, match=r"def f\(x\)|helper\(x\) \* x"):
        there("text")


def test_a_text_of_another_function_is_not_believed(main):
    data = cloudpickle.dumps(gs.grad(main.own.__wrapped__))
    assert data.count(b"return x ** 3") == 1
    assert pickle.loads(data)(2.0) == 12.0
    user_texts.arrived.clear()
    with pytest.raises(UnsupportedError, match="no source text for own, which came from another process"):
        pickle.loads(data.replace(b"return x ** 3", b"return x ** 4"))(2.0)


def test_no_text_is_executed(main, monkeypatch):
    monkeypatch.setattr(builtins, "ran", [], raising=False)
    run_cell(main, "ran.append(0)\ndef g(x, ran=ran.append(1)):\n    return x * x\n", monkeypatch)
    assert sent(gs.jit(gs.grad(main.g)))(3.0) == 6.0 and builtins.ran == [0, 1]


def test_a_plain_function_has_no_text_with_it(main):
    task = eval("lambda x: gs.grad(f)(x)", vars(main))
    assert task(1.0) == gs.grad(main.f)(1.0)
    with pytest.raises(UnsupportedError, match="transform it where it is written, and send that"):
        sent(task)(1.0)


def here(x):
    return x ** 3


def test_what_a_module_has_goes_by_name():
    made = gs.jit(gs.grad(here))
    for dumps in pickle.dumps, cloudpickle.dumps:
        assert b"x ** 3" not in dumps(made)
        assert pickle.loads(dumps(made))(2.0) == 12.0
    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    try:
        data = cloudpickle.dumps(made)
    finally:
        cloudpickle.unregister_pickle_by_value(sys.modules[__name__])
    assert b"x ** 3" in data and pickle.loads(data)(2.0) == 12.0


def test_pickle_finds_what_main_has_by_name(main):
    assert pickle.loads(pickle.dumps(main.compiled)) is main.compiled
    assert pickle.loads(pickle.dumps(main.own)) is main.own
    assert sent(main.compiled) is not main.compiled
    assert copy.deepcopy(main.compiled) is main.compiled


def test_a_text_is_sent_once(main):
    pair = gs.grad(main.f), gs.jit(gs.grad(main.compiled)), main.own
    assert cloudpickle.dumps(pair).count(b"a comment of the user's") == 1


# other processes -------------------------------------------------------------------------------------
def python(*args, text=None, cwd=None):
    return subprocess.run([sys.executable, *map(str, args)], input=text, capture_output=True, text=True, cwd=cwd,
                          timeout=120)


SCRIPT = '''
import multiprocessing
from joblib import Parallel, delayed

def task(x):
    return gs.grad(f)(x)

if __name__ == "__main__":
    calls = [compiled, gs.grad(lambda x: f(x) * scale), gs.jit(gs.grad(closure(3.0))), task]
    print(Parallel(n_jobs=2)([delayed(call)(1.5) for call in calls]) == [call(1.5) for call in calls])
    for method in "fork", "spawn":
        with multiprocessing.get_context(method).Pool(1) as pool:
            print([pool.apply(call, (1.5,)) for call in (compiled, gs.grad(f), task)]
                  == [call(1.5) for call in (compiled, gs.grad(f), task)])
'''


@pytest.mark.heavy(one_in=10)
def test_joblib_and_multiprocessing(tmp_path):
    (tmp_path / "script.py").write_text(CELL + SCRIPT)
    done = python("script.py", cwd=tmp_path)
    assert done.stdout.split() == ["True"] * 3, done.stderr


# prompts and command lines ---------------------------------------------------------------------------
TYPED = """import gradscribe as gs
class M:
    def __init__(self, w): self.w = 3.0 * w
    def __eq__(self, other): return False

def f(x): return x ** 2 + M(x).w + (1.0 if M(1.0) == M(1.0) else x)

print(gs.grad(f)(2.0), gs.jit(gs.grad(lambda x: x * x))(2.0))
"""
REFUSED = "no source text for f, which was typed at Python's own prompt, or read from standard input"
KEPT = sys.version_info >= (3, 13)


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("args, text, found", [
    (["-c", TYPED], None, True), ([], TYPED, False), (["-i"], TYPED, KEPT)], ids=["-c", "stdin", "prompt"])
def test_where_there_is_no_file(args, text, found):
    done = python(*args, text=text)
    if found:
        assert done.stdout.split()[:2] == ["8.0", "4.0"], done.stderr
    else:
        assert REFUSED in done.stderr and "python script.py" in done.stderr and not done.stdout


@pytest.mark.parametrize("words, text", [
    (["-c", "a"], "a"), (["-Wignore", "-X", "dev", "-Isc", "a", "-c", "b"], "a"), (["script.py"], None),
    (["-m", "module", "x"], None), ([], None)])
def test_the_text_of_the_command_line(words, text, monkeypatch):
    monkeypatch.setattr(sys, "orig_argv", ["python", *words])
    assert user_texts.command_text() == text


def test_what_exec_makes_is_not_found_in_the_command_line(monkeypatch):
    monkeypatch.setattr(sys, "orig_argv", ["python", "-c", "def f(x): return x ** 2"])
    scope = {}
    exec("def f(x): return x ** 2", scope)
    assert gs.grad(scope["f"])(2.0) == 4.0
    exec("def f(x): return x ** 3", scope)
    with pytest.raises(UnsupportedError, match=r"no source text for f \(it was compiled from <string>\)"):
        gs.grad(scope["f"])(2.0)


def test_after_a_doctest_its_text_is_gone():
    kept = []
    text = ">>> import gradscribe as gs\n>>> def f(x): return x ** 3\n>>> gs.grad(f)(2.0)\n12.0\n" \
           ">>> kept.append(f); kept.append(lambda x: x * x)\n"
    test = doctest.DocTestParser().get_doctest(text, {"kept": kept}, "name", "file", 0)
    assert doctest.DocTestRunner().run(test, clear_globs=False).failed == 0
    assert gs.jit(gs.grad(kept[0]))(2.0) == 12.0  # what was read is known
    with pytest.raises(UnsupportedError, match="no source text for <lambda>"):
        gs.grad(kept[1])(2.0)


# IPython ---------------------------------------------------------------------------------------------
SHELL = '''
import subprocess, sys
from pathlib import Path
from IPython.core.interactiveshell import InteractiveShell

shell = InteractiveShell.instance()
def cell(text):
    shell.run_cell(text).raise_error()

cell("import gradscribe as gs, cloudpickle, subprocess, sys")
cell("def f(x): return 3.0 * x ** 2")
cell("g = gs.grad(f); both = gs.grad(lambda x: f(x)); print(g(1.0), both(1.0))")
cell("def f(x): return 5.0 * x ** 2")
cell("print(g(1.0), gs.grad(f)(1.0), both(1.0))")
Path("run.py").write_text("import gradscribe as gs\\ndef r(x): return x ** 3\\nfirst = gs.grad(r)(1.0)\\n")
cell("%run run.py")
cell("print(first, gs.jit(gs.grad(r))(1.0))")
Path("run.py").write_text("import gradscribe as gs\\ndef r(x): return x ** 44\\n")
cell("%run run.py")
cell("print(gs.grad(r)(1.0))")
cell("""
@gs.jit
def sent(x): return f(x) + 1.0
there = "import pickle, sys; print(*[f(1.0) for f in pickle.load(sys.stdin.buffer)])"
data = cloudpickle.dumps([sent, gs.grad(lambda x: f(x)), g])
print(subprocess.run([sys.executable, "-c", there], input=data, capture_output=True).stdout.decode())
""")
'''


@pytest.mark.heavy(one_in=3)
def test_cells_and_percent_run(tmp_path):
    (tmp_path / "shell.py").write_text(SHELL)
    done = python("shell.py", cwd=tmp_path)
    wanted = [6.0, 6.0, 6.0, 10.0, 10.0, 3.0, 3.0, 44.0, 6.0, 10.0, 6.0]
    assert [float(word) for word in done.stdout.split()] == wanted, done.stdout + done.stderr


EDITED = """import gradscribe as gs
def helper(x): return x * x
def f(x, y=1.0): return helper(x) * {k} * y
@gs.jit
def compiled(x): return helper(x) * {k}
slope = gs.grad(f{more})
@gs.custom_jvp
def own(x): return {k} * x
own.defjvp(lambda primals, tangents: (own(*primals), {k} * tangents[0]))
class Model:
    @gs.jit
    def loss(self, x): return {k} * x
"""


def test_autoreload_brings_transformed_functions_up_to_date(tmp_path, monkeypatch):
    autoreload = pytest.importorskip("IPython.extensions.autoreload")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    path, objects = tmp_path / "edited_in_a_notebook.py", {}
    path.write_text(EDITED.format(k="3.0", more=""))
    module = importlib.import_module("edited_in_a_notebook")
    had = {name: getattr(module, name) for name in ("f", "compiled", "slope", "own", "Model")}
    model, slope = had["Model"](), had["slope"]
    compiled, own = had["compiled"], had["own"]
    calls = {"gradient of a function": gs.grad(had["f"]), "compiled": compiled, "slope": lambda x: slope(x, 2.0),
             "own": own, "in another": gs.grad(lambda x: compiled(x) + own(x)), "method": gs.grad(model.loss),
             "in compiled": gs.jit(lambda x: slope(x, 2.0)), "gradient": gs.jit(gs.grad(compiled))}

    def results():
        return [float(call(2.0)) for call in calls.values()]
    try:
        assert results() == [12.0, 12.0, 24.0, 6.0, 15.0, 3.0, 24.0, 12.0]
        path.write_text(EDITED.format(k="5.00", more=", argnums=1"))
        autoreload.superreload(module, old_objects=objects)
        assert results() == [20.0, 20.0, 20.0, 10.0, 25.0, 5.0, 20.0, 20.0]
        path.write_text(EDITED.format(k="7.000", more="").replace("helper(x) * 7.000\nslope", "x * 7.0\nslope"))
        autoreload.superreload(module, old_objects=objects)
        assert results() == [28.0, 14.0, 56.0, 14.0, 14.0, 7.0, 56.0, 7.0]
    finally:
        del sys.modules["edited_in_a_notebook"]


def test_a_file_that_has_changed(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    path = tmp_path / "edited_by_hand.py"
    path.write_text("def helper(x): return x * x\ndef f(x): return helper(x) * 3.0\n")
    module = importlib.import_module("edited_by_hand")
    slope = gs.grad(module.f)
    path.write_text("def helper(x): return x * x * x\ndef f(x): return helper(x) * 3.0\n")
    try:
        with pytest.raises(UnsupportedError, match="the source of helper changed since it was loaded"):
            slope(2.0)
        importlib.reload(module)
        assert slope(2.0) == 36.0
        path.write_text("def helper(x): return x * x * x * x\ndef f(x): return helper(x) * 5.0\n")
        importlib.reload(module)
        assert slope(2.0) == 96.0 and gs.grad(module.f)(2.0) == 160.0  # the old f, which calls the new helper
    finally:
        del sys.modules["edited_by_hand"]
