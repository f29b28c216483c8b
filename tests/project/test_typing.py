"""What editors and `help` see: signatures, names, and types that go through a transformation."""
import inspect
import typing

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.transformer import api


def loss(w: dict, x: np.ndarray, *, scale: float = 1.0) -> float:
    """The loss of a model."""
    return np.sum(w["a"] * x) * scale


PARAMETERS = {"grad": "(fun, argnums=0, has_aux=False, holomorphic=False, allow_int=False)", "value_and_grad": "(fun, argnums=0, has_aux=False, holomorphic=False, allow_int=False)",
              "jit": "(fun, static_argnums=None, static_argnames=None, *, parallel='auto', tiered=None, target='cpu', wait=True)", "jvp": "(fun, primals, tangents)",
              "vjp": "(fun, *primals, has_aux=False)", "stop_gradient": "(x)", "check": "(fun, *args, **kwargs)", "shard": "(x, mesh, spec)",
              "shard_map": "(fun, mesh, in_specs, out_specs, check_vma=True)"}


@pytest.mark.parametrize("name", PARAMETERS)
def test_signatures_of_the_public_functions(name):
    """As JAX has them, where JAX has them."""
    signature = inspect.signature(getattr(gs, name))
    bare = signature.replace(parameters=[p.replace(annotation=p.empty) for p in signature.parameters.values()], return_annotation=signature.empty)
    assert str(bare) == PARAMETERS[name]
    assert all(p.annotation is not p.empty for p in signature.parameters.values()) and signature.return_annotation is not signature.empty


def test_a_transformed_function_has_the_signature_of_its_function():
    assert inspect.signature(gs.jit(loss)) == inspect.signature(loss)
    for transformed in (gs.grad(loss), gs.value_and_grad(loss), gs.jit(gs.grad(loss))):
        signature = inspect.signature(transformed)
        assert signature.parameters == inspect.signature(loss).parameters
        assert signature.return_annotation is signature.empty  # a gradient is no float
    assert (transformed.__name__, transformed.__doc__, transformed.__wrapped__.__wrapped__) == ("loss", "The loss of a model.", loss)


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
    direct, decorator = [inspect.signature(o, eval_str=True, globals=names) for o in typing.get_overloads(inspect.unwrap(getattr(gs, name)))]
    (fun, *_), made = direct.parameters.values(), direct.return_annotation
    assert typing.get_args(fun.annotation)[0] is api.P is typing.get_args(made)[0]
    assert typing.get_args(made)[1] == {"grad": typing.Any, "value_and_grad": tuple[api.R, typing.Any], "jit": api.R}[name]
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
