"""What editors and `help` see: signatures, names, and types that go through a transformation."""
import inspect
import os
import re
import subprocess
import sys
import types
import typing

import numpy as np
import pytest

import gradscribe as gs
from gradscribe._updates import At, Place
from gradscribe.transformer import api
from tests.support.imports import ROOT

from . import typed_program


def loss(w: dict, x: np.ndarray, *, scale: float = 1.0) -> float:
    """The loss of a model."""
    return np.sum(w["a"] * x) * scale


PARAMETERS = {
    "grad": "(fun, argnums=0, has_aux=False, holomorphic=False, allow_int=False, memory=None)",
    "value_and_grad": "(fun, argnums=0, has_aux=False, holomorphic=False, allow_int=False, memory=None)",
    "jit": "(fun, static_argnums=None, static_argnames=None, *, parallel='auto', tiered=None, target='cpu', wait=True)",
    "jvp": "(fun, primals, tangents)", "vjp": "(fun, *primals, has_aux=False, memory=None)", "stop_gradient": "(x)",
    "check": "(fun, *args, **kwargs)", "shard": "(x, mesh, spec)",
    "shard_map": "(fun, mesh, in_specs, out_specs, check_vma=True)"}


@pytest.mark.parametrize("name", PARAMETERS)
def test_signatures_of_the_public_functions(name):
    """As JAX has them, where JAX has them."""
    signature = inspect.signature(getattr(gs, name))
    bare = signature.replace(parameters=[p.replace(annotation=p.empty) for p in signature.parameters.values()],
                             return_annotation=signature.empty)
    assert str(bare) == PARAMETERS[name]
    assert (all(p.annotation is not p.empty for p in signature.parameters.values())
            and signature.return_annotation is not signature.empty)


def test_a_transformed_function_has_the_signature_of_its_function():
    assert inspect.signature(gs.jit(loss)) == inspect.signature(loss)
    for transformed in (gs.grad(loss), gs.value_and_grad(loss), gs.jit(gs.grad(loss))):
        signature = inspect.signature(transformed)
        assert signature.parameters == inspect.signature(loss).parameters
        assert signature.return_annotation is signature.empty  # a gradient is no float
    assert (transformed.__name__, transformed.__doc__,
            transformed.__wrapped__.__wrapped__) == ("loss", "The loss of a model.", loss)


def test_as_decorators_with_and_without_arguments():
    @gs.jit
    def f(x, n):
        return x * n

    @gs.jit(static_argnums=1)
    def g(x, n):
        return x * n

    @gs.value_and_grad(argnums=1)
    def h(x, y):
        return x * y

    assert all(isinstance(t, api.Transformed) for t in (f, g, h))
    assert f(2.0, 3) == g(2.0, 3) == 6.0 and h(2.0, 3.0) == (6.0, 2.0)


@pytest.mark.parametrize("name", ["grad", "value_and_grad", "jit"])
def test_types_go_through(name):
    """Called with a function, the type is that of a function of the same parameters; called without, of a decorator."""
    names = vars(api) | vars(typing)
    direct, decorator = [inspect.signature(o, eval_str=True, globals=names)
                         for o in typing.get_overloads(inspect.unwrap(getattr(gs, name)))]
    (fun, *_), made = direct.parameters.values(), direct.return_annotation
    assert typing.get_args(fun.annotation)[0] is api.P is typing.get_args(made)[0]
    assert (typing.get_args(made)[1]
            == {"grad": typing.Any, "value_and_grad": tuple[api.R, typing.Any], "jit": api.R}[name])
    assert "fun" not in decorator.parameters and typing.get_args(decorator.return_annotation)[1] == made


def test_everything_public_is_named():
    assert sorted(gs.__all__) == sorted(set(gs.__all__))
    for name in gs.__all__:
        thing = getattr(gs, name)
        assert isinstance(thing, str) or inspect.getdoc(thing), f"gs.{name} has no documentation"


def test_help_says_what_to_pass_and_what_comes_back(capsys):
    help(gs.grad)
    shown = capsys.readouterr().out
    assert all(word in shown for word in ("argnums", "has_aux", "Returns", ">>> gs.grad(f)"))
    help(gs.grad(loss))
    shown = capsys.readouterr().out
    assert "loss(w: dict, x: numpy.ndarray, *, scale: float = 1.0)" in shown and "The loss of a model." in shown


# all types ------------------------------------------------------------------------------------------------------------
MODULES = [gs, gs.nn, gs.nn.initializers, gs.random, gs.lax, gs.optim, gs.tree, gs.tree_util, gs.flatten_util,
           gs.debug, gs.config]
CLASSES = [At, Place, gs.random.partitionable]
MADE_BY_DATACLASS = {"__init__", "__repr__", "__setattr__", "__delattr__"}
NOT_YET = {gs.tree.unflatten}  # written in transformer/pytree


def functions_of(place) -> dict:
    """The functions that a module offers, but for NumPy's, or the methods of a class."""
    names = getattr(place, "__all__", vars(place).keys() - MADE_BY_DATACLASS)
    things = {name: getattr(place, name) for name in names}
    return {name: thing for name, thing in things.items() if isinstance(thing, types.FunctionType)
            and thing.__module__.startswith("gradscribe") and thing not in NOT_YET}


@pytest.mark.parametrize("place", [*MODULES, *CLASSES], ids=lambda place: place.__name__)
def test_public_functions_have_all_types(place):
    """Of all parameters and the result; and each name in them means something."""
    found = functions_of(place)
    assert found
    for name, function in found.items():
        signature = inspect.signature(function)
        missing = [p.name for p in signature.parameters.values() if p.annotation is p.empty and p.name != "self"]
        assert not missing and signature.return_annotation is not signature.empty, (name, missing)
        typing.get_type_hints(function)


# mypy -----------------------------------------------------------------------------------------------------------------
# All of --strict, but for what every program with NumPy runs into: many of NumPy's functions give Any.  What the
# programs do not name is skipped: Gradscribe is large.
SETTINGS = """
[mypy]
strict = True
warn_return_any = False
follow_imports = silent
[mypy-gradscribe.transformer.*,gradscribe.runtime.*,scipy.*,numba.*,optree.*]
follow_imports = skip
[mypy-gradscribe.runtime,gradscribe.transformer.api,gradscribe.transformer.differentiation]
follow_imports = silent
[mypy-gradscribe.transformer.functions.transformed,gradscribe.transformer.pytree.user_tree]
follow_imports = silent
"""

WRONG = """
import numpy as np

import gradscribe as gs

key = gs.random.key(0)
x = np.ones(3)
gs.random.normal(key, "3")  # wrong
gs.random.normal(x, (3,))  # wrong
gs.random.split(key)(3)  # wrong
gs.random.split(key, "two")  # wrong
gs.random.bernoulli(key, shape=2.5)  # wrong
gs.nn.relu("x")  # wrong
gs.nn.softmax(x, axis="last")  # wrong
gs.nn.logsumexp(x, return_sign=True).shape  # wrong
gs.nn.initializers.he_normal()(key, 3)  # wrong
gs.nn.initializers.variance_scaling(1.0, "fan", "normal")  # wrong
gs.lax.dynamic_slice(x, 0, (2,))  # wrong
gs.lax.reshape(x, "31")  # wrong
gs.lax.scan(3, 0.0, x)  # wrong
gs.lax.top_k(x, 2).shape  # wrong
gs.lax.conv(x, x, (1,), 0)  # wrong
gs.optim.adam("fast")  # wrong
gs.optim.adam(1e-3).step(x)  # wrong
gs.optim.clip_by_value({"a": x}, 1.0).a  # wrong
gs.tree.map(3, x)  # wrong
gs.at(x)[0].sett(1.0)  # wrong
gs.jit(3)  # wrong
gs.lax.cond(True, 1.0, 2.0)  # wrong; mypy takes what comes after it for unreachable
"""


@pytest.fixture(scope="module")
def said(tmp_path_factory) -> dict[str, dict[int, str]]:
    """What mypy says of the typed program and of the wrong one: line -> error, by the name of the file."""
    folder = tmp_path_factory.mktemp("mypy")
    package = folder / "installed" / "gradscribe"  # as a wheel has it
    package.mkdir(parents=True)
    for path in (*(ROOT / "gradscribe").glob("*.py"), ROOT / "transformer", ROOT / "runtime"):
        (package / path.name).symlink_to(path)
    (folder / "mypy.ini").write_text(SETTINGS)
    (folder / "wrong.py").write_text(WRONG)
    (folder / "right.py").write_text((ROOT / "tests/project/typed_program.py").read_text())
    done = subprocess.run([sys.executable, "-m", "mypy", "--cache-dir", "cache", "right.py", "wrong.py"], cwd=folder,
                          env=os.environ | {"MYPYPATH": str(package.parent)}, capture_output=True, text=True)
    assert done.returncode == 1 and not done.stderr, done.stdout + done.stderr
    found: dict[str, dict[int, str]] = {"right.py": {}, "wrong.py": {}}
    for file, line, text in re.findall(r"^(.*?):(\d+): error: (.*)$", done.stdout, re.M):
        found[file][int(line)] = text
    return found


def test_a_typed_program_passes_mypy_and_runs(said):
    assert not said["right.py"]
    value, params = typed_program.train()
    assert np.isfinite(value) and params.keys() == {"a", "b", "c"}


def test_mypy_finds_wrong_uses(said):
    assert said["wrong.py"].keys() == {n for n, line in enumerate(WRONG.split("\n"), 1) if "# wrong" in line}
