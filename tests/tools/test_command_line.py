"""The command line: what commands on functions and files print, and what they say of what cannot be meant."""
import os
import re
import shlex
import subprocess
import sys

import numpy as np
import pytest

import gradscribe as gs
from gradscribe._command_line import command_parser
from tests.support.command_line import COMMANDS, ESCAPE, command, model, terminal, written  # noqa: F401
from tests.support.imports import ROOT


# the source of a function -------------------------------------------------------------------------
def test_the_source_of_a_gradient(command):
    status, out, err = command("grad", "model.py:loss", "--at", "x=np.ones(4), n=3")
    scope = {}
    exec(out, scope)
    assert status == 0 and err == "at import\n"
    assert scope["grad_loss"](np.ones(2), 2, SCALE=2.0).tolist() == [14.0, 6.0]


@pytest.mark.parametrize("words, has", [
    (["value_and_grad", "model.py:loss", "--at", "np.ones(3)"], "def value_and_grad_loss(x, n=2"),
    (["jacfwd", "model.py:field", "--at", "np.ones(3)"], "def jacfwd_field(x)"),
    (["jacrev", "model.py:field", "--at", "x=np.ones(3)"], "def jacrev_field(x)"),
    (["hessian", "model.py:loss", "--at", "np.ones(3), power=3"], "def hessian_loss(x, n=2"),
    (["vmap", "model.py:loss", "--at", "np.ones((5, 3)), 3", "--in-axes", "0,None"], "y[:, i - 1]"),
    (["vmap", "model.py:field", "--at", "np.ones((5, 3))"], "def vmap_field(x)"),
    (["jit", "model.py:loss", "--at", "np.ones(3)"], "def loss(x, n=2"),
    (["grad", "model.py:loss", "--at", "np.ones(3)", "--stage", "core"], "rt.update_add"),
    (["jit", "model.py:field", "--at", "np.ones(3)", "--stage", "compiled"], "for "),
    (["grad", "model:loss", "--at", "x=SCALE * np.full(3, math.pi)"], "def grad_loss"),
    (["grad", "model.py:Spring.energy", "--at", "Spring(2.0), 3.0", "--argnums", "1"], "self.k"),
    (["jit", "model.py:Spring.energy", "--at", "self=Spring(2.0), x=3.0"], "def energy(self, x)"),
    (["explain", "model.py:loss", "--at", "np.ones(3)"], "grad_loss"),
    (["explain", "model.py:field", "--at", "np.ones(3)"], "def field(x)"),
    (["explain", "model.py:field", "--at", "np.ones(3)", "--of", "jacrev"], "jacrev_field"),
    (["explain", "model.py:Spring.energy", "--at", "Spring(2.0), 3.0", "--argnums", "1"], "grad_energy")])
def test_what_is_printed(command, words, has):
    status, out, _ = command(*words)
    assert status == 0 and has in out


def test_several_arguments(command):
    written("two.py", "def f(x, y):\n    return x * y\n")
    _, out, _ = command("grad", "two.py:f", "--at", "2.0, 3.0", "--argnums", "0,1")
    assert out.endswith("    return y, x\n")


def test_all_stages_are_explained(command):
    out = command("explain", "model.py:loss", "--at", "np.ones(3)")[1]
    assert re.findall(r"^# -{20} (\w+)", out, re.M)[-4:] == ["specialised", "core", "readable", "compiled"]


def test_what_lines_have_bound(command):
    status, out, _ = command("trace", "model.py:loss", "--at", "np.ones(2), 2")
    assert status == 0 and "def grad_loss" in out and re.search(r"return y_bar +return  float64\[2\].*\[14, 6\]", out)
    assert "def field" in command("trace", "model.py:field", "--at", "np.ones(2)")[1]
    status, out, err = command("trace", "model.py:field", "--at", "'text'")
    assert status == 1 and not out and "Traceback" not in err and err


@pytest.mark.parametrize("words, title", [([], "grad(loss): "), (["--of", "value_and_grad"], "value_and_grad(loss): "),
                                          (["--compiled"], "jit(grad(loss)): ")])
def test_where_the_time_goes(command, words, title):
    status, out, _ = command("profile", "model.py:loss", "--at", "np.ones(50), 50", *words)
    assert status == 0 and out.startswith(title) and "return np.sum(y ** power)" in out


def test_what_raises_in_a_run_says_where(command):
    written("short.py", "def f(x):\n    return x[7] * 2.0\n")
    for words in (["trace", "short.py:f"], ["grad", "short.py:f", "--check"]):
        status, out, err = command(*words, "--at", "np.ones(3)")
        assert status == 1 and not out and "IndexError: index 7 is out of bounds" in err and "short.py:2" in err
        assert "Traceback" not in err


def test_a_page_and_a_file_are_written(command, tmp_path):
    words = ("grad", "model.py:loss", "--at", "np.ones(4), n=3")
    assert command(*words, "--html", "a page.html")[:2] == (0, "written: a page.html\n")
    assert "<html" in (tmp_path / "a page.html").read_text(encoding="utf-8")
    assert command(*words, "--export", "alone.py")[:2] == (0, "written: alone.py\n")
    assert command(*words, "--save", "compiled.py")[:2] == (0, "written: compiled.py\n")
    text, scope = (tmp_path / "alone.py").read_text(encoding="utf-8"), {}
    exec(text, scope)
    assert "gradscribe" not in re.findall(r"^(?:import|from) (\w+)", text, re.M)
    assert scope["grad_loss"](np.ones(4), 3).tolist() == [70.0, 34.0, 14.0, 2.0]
    status, out, err = command(*words, "--html", "no/such/page.html")
    assert status == 1 and not out and err.splitlines()[-1].startswith("FileNotFoundError")


def test_derivatives_are_compared_with_differences(command):
    status, out, _ = command("grad", "model.py:loss", "--at", "np.ones(3), n=3, power=3", "--check")
    assert status == 0 and "agree with differences" in out
    assert command("vmap", "model.py:field", "--at", "np.ones((2, 3))", "--check")[0] == 0
    written("wrong.py", "import gradscribe as gs\n@gs.custom_jvp\ndef f(x):\n    return x * x\n"
                        "f.defjvp(lambda primals, tangents: (f(*primals), 3.0 * tangents[0]))\n")
    status, _, err = command("grad", "wrong.py:f", "--at", "5.0", "--check")
    assert status == 1 and "differences give" in err
    status, out, err = command("grad", "model.py:field", "--at", "np.ones(3)", "--check")
    assert status == 1 and not out and "scalar" in err


def test_a_module_in_a_folder_with_spaces(command, tmp_path):
    written("my dir/modèle.py", "import helper\ndef f(x):\n    return helper.twice(x) * 'é'.count('é')\n")
    written("my dir/helper.py", "def twice(x):\n    return 2.0 * x\n")
    status, out, _ = command("grad", "my dir/modèle.py:f", "--at", "3.0")
    assert status == 0 and "def grad_f(x)" in out
    assert not (tmp_path / "my dir" / "__pycache__" / "modèle.cpython-311.pyc").exists()


def test_a_file_that_is_called_like_a_module(command):
    written("json.py", "def f(x):\n    return 3.0 * x\n")
    import json
    assert command("grad", "json.py:f", "--at", "1.0")[0] == 0 and sys.modules["json"] is json


def test_the_text_is_compiled_without_our_own_future_imports(command):
    written("annotated.py", "def f(x: float):\n    return x\nassert f.__annotations__ == {'x': float}\n")
    assert command("grad", "annotated.py:f", "--at", "1.0")[0] == 0


# what cannot be meant -----------------------------------------------------------------------------
@pytest.mark.parametrize("words, said", [
    (["grad", "model.py:los", "--at", "1.0"], "model.py has no function 'los'. Did you mean loss?"),
    (["grad", "model.py:zzz", "--at", "1.0"], "It has loss, field, reads, Spring.__init__, Spring.energy, Spring.asks"),
    (["grad", "model.py:Spring.enrgy", "--at", "1.0"], "Did you mean energy?"),
    (["grad", "model.py:SCALE", "--at", "1.0"], "is no function, but of the type float"),
    (["grad", "model.py", "--at", "1.0"], "Write model.py:FUNCTION. It has loss, field, reads."),
    (["grad", "modell.py:loss", "--at", "1.0"], "there is no file modell.py. Did you mean model.py?"),
    (["grad", "no.such:f", "--at", "1.0"], "there is no module 'no'"),
    (["grad", "a b:f", "--at", "1.0"], "neither a file nor the name of a module"),
    (["grad", "loss", "--at", "1.0"], "write FILE.py:FUNCTION"),
    (["grad", "model.py:loss"], 'add --at "x=..."'),
    (["grad", "model.py:loss", "--at", "y=1"], "does not fit loss(x, n=2, *, power=2): missing a required argument"),
    (["grad", "model.py:loss", "--at", "np.ones(3"], "'(' was never closed\n     1 | np.ones(3\n       |          ^"),
    (["grad", "model.py:loss", "--at", "x=1 n=2"], "     1 | x=1 n=2\n       |   ^"),
    (["grad", "model.py:loss", "--at", "np.ones(3))"], "unmatched ')'"),
    (["grad", "model.py:loss", "--at", "1)(2"], "what stands in the brackets of a call"),
    (["grad", "model.py:loss", "--at", "1), (2"], "what stands in the brackets of a call"),
    (["grad", "model.py:loss", "--at", "2.0, n=np.one(3)"], "no attribute 'one'\n     1 | 2.0, n=np.one(3)\n"
                                                            "       |        ^^^^^^\n"),
    (["grad", "model.py:loss", "--at", "x=1, x=2"], "keyword argument repeated"),
    (["explain", "model.py:loss", "--at", "1.0", "--of", "jit", "--argnums", "0"], "--of jit is none"),
    (["check", "model.py", "--at", "1.0"], "--at is of one function"),
    (["check", "modell.py"], "there is no file modell.py")])
def test_bad_usage(command, words, said):
    status, out, err = command(*words)
    assert status == 2 and not out and said in err and "Traceback" not in err


@pytest.mark.parametrize("words", [
    [], ["gradd"], ["grad"], ["grad", "model.py:loss", "--argnums", "x"], ["vmap", "model.py:loss", "--in-axes", "a"],
    ["grad", "model.py:loss", "--stage", "none"], ["grad", "model.py:loss", "--check", "--html", "a.html"],
    ["cache"], ["cache", "burn"], ["completion", "csh"], ["doctor", "now"], ["grad", "model.py:loss", "--arg", "0"]])
def test_argparse_says_what_is_wrong(command, words):
    status, out, err = command(*words)
    assert status == 2 and not out and err.startswith("usage: gradscribe")


@pytest.mark.parametrize("name", [None, *COMMANDS])
def test_help_has_an_example(command, name):
    status, out, _ = command(*([name] if name else []), "--help")
    assert status == 0 and "example:\n  gradscribe " in out
    runs_file = "--at" in out and name
    assert ("would not run" in out) == bool(runs_file)


def test_examples_of_the_help_are_read_by_the_parser():
    for parser, _ in COMMANDS.values():
        example = parser.epilog.splitlines()[1].partition("   #")[0]
        assert command_parser().parse_args(shlex.split(example)[1:]).run


def test_version(command):
    assert command("--version") == (0, f"gradscribe {gs.__version__}\n", "")


# what the user's program does ---------------------------------------------------------------------
@pytest.mark.parametrize("text, said", [
    ("import numpy as np\nW = 1 + np.ones(2).shap\n",
     "bad.py:2: AttributeError: 'numpy.ndarray' object has no attribute 'shap'\n     2 | W = 1 + np.ones(2).shap\n"
     "       |         ^^^^^^^^^^^^^^^\n"),
    ("def f(x):\n    return (x\n", "bad.py:2: SyntaxError: '(' was never closed\n     2 |     return (x\n"
                                  "       |            ^"),
    ("import no_such_module_at_all\n", "bad.py:1: ModuleNotFoundError: No module named 'no_such_module_at_all'\n"),
    ("import sys\nsys.exit(3)\n", "bad.py:2: SystemExit: 3\n"),
    ("def f(x):\n    return x * float(input())\n", "bad.py:2: input does input or output\n     2 |     return x *"),
    ("def f(x):\n    return [x, x]\n", "bad.py:2: grad is of a function that returns one float")])
def test_what_raises_or_is_refused(command, text, said):
    written("bad.py", text)
    status, out, err = command("grad", "bad.py:f", "--at", "1.0")
    assert status == 1 and not out and said in err and "Traceback" not in err and __file__ not in err


def test_a_module_that_cannot_be_imported_is_not_kept(command):
    written("bad.py", "1 / 0\n")
    assert command("grad", "bad.py:f")[0] == command("grad", "bad.py:f")[0] == 1


def test_all_of_the_traceback(command, monkeypatch):
    monkeypatch.setenv("GRADSCRIBE_TRACEBACK", "full")
    status, _, err = command("grad", written("bad.py", "1 / 0\n") + ":f")
    assert status == 1 and err.startswith("Traceback") and "_named_functions.py" in err


def test_an_int_has_no_derivative(command):
    status, _, err = command("grad", "model.py:field", "--at", "3")
    assert status == 1 and "only floats have derivatives" in err and __file__ not in err


def test_interrupted(command):
    written("slow.py", "raise KeyboardInterrupt\n")
    assert command("grad", "slow.py:f")[:2] == (130, "")


def test_a_pipe_that_nobody_reads():
    words = [sys.executable, "-m", "gradscribe", "--help"]
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(words, cwd=ROOT, stdout=writing, stderr=subprocess.PIPE, text=True)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")


# check --------------------------------------------------------------------------------------------
def test_findings_are_lines_that_editors_read(command):
    status, out, err = command("check", "model.py")
    assert status == 1 and "functions: 6, findings: 2" in err
    first, second = out.splitlines()
    assert first.startswith("model.py:15:22: input does input or output. Read before the call")
    assert second.startswith("model.py:26:20: np.random.rand depends on hidden random state. ")


def test_nothing_is_found(command):
    written("fine.py", "import gradscribe as gs\n@gs.jit\ndef f(x):\n    return x\n\nclass A:\n    @property\n"
                       "    def b(self):\n        return 1.0\n")
    assert command("check", "fine.py") == (0, "", "functions: 2, findings: 0\n")


def test_a_function_is_checked_for_arguments(command):
    assert command("check", "model.py:field")[0] == 0
    assert command("check", "model.py:loss", "--at", "np.ones(3)")[0] == 0
    status, out, _ = command("check", "model.py:field", "--at", "np.array(['a'])")
    assert status == 1 and re.match(r"model.py:1\d:\d+: ", out)


def test_several_files_are_checked_and_what_they_share_is_found_once(command):
    written("a.py", "def f(x):\n    return input()\n")
    written("b.py", "from a import f\ndef g(x):\n    return f(x)\n")
    status, out, err = command("check", "a.py", "b.py")
    assert status == 1 and out.count("\n") == 1 and "functions: 2, findings: 1" in err


# the page -----------------------------------------------------------------------------------------
def test_the_page_shows_what_is_printed(command):
    """Of blocks of `console`: where output follows a command, it is that; `...` stands for any lines."""
    page = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    written("model.py", re.search(r"```python\n(.*?)```", page, re.S)[1])
    blocks = re.findall(r"```console\n(.*?)```", page, re.S)
    shown = [part for block in blocks for part in re.split(r"^\$ ", block, flags=re.M)]
    for part in filter(None, shown):
        line, _, wanted = part.partition("\n")
        status, out, err = command(*shlex.split(line)[1:])
        pattern = re.escape(wanted.strip()).replace(r"\.\.\.", r"[\s\S]*")
        assert not wanted.strip() or re.fullmatch(pattern, f"{out}{err}".strip()), f"{line}\n{out}{err}"
    assert len(shown) > 8 and [name for name in COMMANDS if name not in page] == []


def test_source_on_a_terminal_is_the_same_but_for_colours(terminal, command):
    pytest.importorskip("rich")
    words = ("grad", "model.py:loss", "--at", "np.ones(3)")
    _, seen = terminal(*words)
    plain = re.sub(r"\x1b\[[\d;]*m", "", seen.replace("\r\n", "\n"))
    assert ESCAPE in seen and plain.replace("at import\n", "") == command(*words)[1]


@pytest.mark.parametrize("text, said", [
    ("from .other import f\n", "mine.py imports from its package, which a file has not: name the module, "),
    ("x\0y\n", "mine.py is no text of Python: it has null bytes")])
def test_files_that_are_no_scripts(command, tmp_path, monkeypatch, text, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(text)
    status, _, err = command("check", "mine.py")
    assert status == 2 and said in err
