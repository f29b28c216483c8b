"""What is said of the mistakes that people make first, and that what is advised works."""
import importlib.util
import types

import numpy as np
import pytest

import gradscribe as gs

X = np.array([0.5, 1.5, -0.5])
V = np.array([1.0, 0.0, 2.0])


def loss(x):
    return np.sum(x ** 3)


def of_tree(p):
    return np.sum(p["w"] * p["n"])


def refusal(call, error=gs.GradscribeError):
    with pytest.raises(error) as caught:
        call()
    return f"{caught.value}"


# ---- what a transformation is asked

@pytest.mark.parametrize("call, says", [
    (lambda: gs.grad(3.0), "3.0 is not a function"), (lambda: gs.grad(3.0), "gs.grad(f)(x), not gs.grad(f(x))"),
    (lambda: gs.jit(loss(X)), "gs.jit(f)(x)"), (lambda: gs.vmap(X), "is not a function"),
    (lambda: gs.grad(loss, X), "argnums of gs.grad is an array of dtype float64"),
    (lambda: gs.grad(loss, 2.0), "The arguments go to what gs.grad gives: gs.grad(f)(x)."),
    (lambda: gs.jit(loss, X), "static_argnums of gs.jit is an array"),
    (lambda: gs.vmap(loss, X), "in_axes of gs.vmap is an array"), (lambda: gs.hessian(loss, X), "gs.hessian(f)(x)"),
    (lambda: gs.vjp(3.0, X), "3.0 is not a function"),
])
def test_it_is_refused_before_there_are_arguments(call, says):
    assert says in refusal(call)


def test_positions_are_none_of_these():
    assert gs.grad(lambda x, y: x * y, np.int64(1))(2.0, 3.0) == 2.0
    assert gs.grad(lambda x, y: x * y, (0, 1))(2.0, 3.0) == (3.0, 2.0)


@pytest.mark.parametrize("call, says", [
    (lambda: gs.grad(loss, argnum=0), "Did you mean 'argnums'?"),
    (lambda: gs.value_and_grad(loss, hasaux=True), "Did you mean 'has_aux'?"),
    (lambda: gs.vmap(loss, in_axis=0), "Did you mean 'in_axes'?"),
    (lambda: gs.jit(loss, static_argnum=0), "Did you mean 'static_argnums'?"),
    (lambda: gs.grad(loss, frobnicate=0), "unexpected keyword argument 'frobnicate'"),
    (lambda: gs.jit(lambda x: gs.grad(loss, argnum=0)(x))(X), "Did you mean 'argnums'?"),
    (lambda: gs.jvp(loss, X, V), "these are of type ndarray: write gs.jvp(f, (x,), (v,))"),
    (lambda: gs.jvp(lambda x: x * x, 2.0, 1.0), "of type float"),
    (lambda: gs.hvp(loss, X, V), "write gs.hvp(f, (x,), (v,))"),
    (lambda: gs.jvp(loss, (X,), V), "the tangents of gs.jvp are a tuple"),
    (lambda: gs.jit(lambda x: gs.jvp(loss, x, x)[1])(X), "write gs.jvp(f, (x,), (v,))"),
    (lambda: gs.jit(lambda x: gs.hvp(loss, (x,), x))(X), "the tangents of gs.hvp are a tuple"),
])
def test_wrong_names_and_no_tuples_are_type_errors(call, says):
    assert says in refusal(call, TypeError)


def test_tuples_and_lists_are_taken():
    want = 3.0 * X ** 2 @ V
    for pair in (((X,), (V,)), ([X], [V])):
        assert np.isclose(gs.jvp(loss, *pair)[1], want)
        np.testing.assert_allclose(gs.hvp(loss, *pair), 6.0 * X * V)
    assert np.isclose(gs.jit(lambda x, v: gs.jvp(loss, (x,), (v,))[1])(X, V), want)


# ---- what a derivative is of

def test_a_gradient_of_a_gradient():
    assert "the derivative of gs.grad(f) is gs.hessian(f)" in refusal(lambda: gs.grad(gs.grad(loss))(X))
    np.testing.assert_allclose(gs.hessian(loss)(X), np.diag(6.0 * X))
    np.testing.assert_allclose(gs.jacrev(gs.grad(loss))(X), np.diag(6.0 * X))


def test_an_integer_has_no_slope():
    for f in (lambda x: np.sum(x.astype(int)), lambda x: np.argmax(x), lambda x: x > 0.0):
        said = refusal(lambda f=f: gs.grad(f)(X))
        assert "Return a float" in said and "np.sum" not in said.splitlines()[-1]


def test_the_leaf_that_is_an_int_is_named():
    said = refusal(lambda: gs.grad(of_tree)({"w": X, "n": 3}))
    assert 'p["n"] has dtype int64' in said and 'float(p["n"])' in said
    assert 'p["n"].astype(float)' in refusal(lambda: gs.jacrev(of_tree)({"w": X, "n": np.array([1, 2, 3])}))
    assert "argument 0 has dtype int64" in refusal(lambda: gs.grad(loss)(3)) and "float(x)" in refusal(
        lambda: gs.grad(loss)(3))
    np.testing.assert_allclose(gs.grad(of_tree)({"w": X, "n": float(3)})["w"], [3.0, 3.0, 3.0])


@pytest.mark.parametrize("call, error, says", [
    (lambda: gs.jvp(lambda x, y: np.sum(x * y), (X, X), (X, X[:2])), ValueError,
     "tangents[1] has the shape (2,), and primals[1] has (3,)"),
    (lambda: gs.jvp(lambda x, y: np.sum(x * y), (X, X), (X, 1.0)), gs.SpecialisationError,
     "tangents[1] is float, and primals[1] is float64["),
    (lambda: gs.jvp(lambda p: np.sum(p["a"]), ({"a": X},), ({"b": X},)), gs.SpecialisationError,
     "tangents[0] is a dict of 'b', and primals[0] is a dict of 'a'"),
    (lambda: gs.jvp(lambda p: np.sum(p["a"]), ({"a": X},), ({"a": X[:1]},)), ValueError, 'tangents[0]["a"] has the'),
    (lambda: gs.vjp(lambda x: x * x, X)[1](X[:2]), ValueError, "cotangent has the shape (2,), and value has (3,)"),
    (lambda: gs.vjp(lambda x: (x, x * x), X)[1]((X, X[:2])), ValueError, "cotangent[1] has the shape (2,)"),
    (lambda: gs.linearize(lambda x: x * x, X)[1](X[:2]), ValueError, "tangents[0] has the shape (2,)"),
    (lambda: gs.jit(lambda x: gs.jvp(loss, (x,), (x[:2],)))(X), ValueError, "tangents[0] has the shape (2,)"),
])
def test_both_shapes_of_a_wrong_tangent(call, error, says):
    assert says in refusal(call, error)


def test_axes_that_are_not_there():
    said = refusal(lambda: gs.vmap(loss, in_axes=5)(X))
    assert "vmap maps x along axis 5" in said and "Give an axis from -1 to 0." in said
    assert "in_axes=(0, None)" in refusal(lambda: gs.vmap(lambda x, y: x * y)(X, 2.0))
    np.testing.assert_allclose(gs.vmap(lambda x, y: x * y, in_axes=(0, None))(X, 2.0), 2.0 * X)
    assert "in_axes of vmap is 'a'" in refusal(lambda: gs.vmap(loss, in_axes="a")(X))


# ---- arguments

class OfJax:
    """An array of JAX's: its class has the interface of CUDA, wherever the elements are."""

    __hash__ = None
    __cuda_array_interface__ = property(lambda self: {}["not on a GPU"])

    def __dlpack_device__(self):
        return 1, 0

    def __array__(self, dtype=None, copy=None):
        return X


@pytest.mark.parametrize("transform", [gs.grad, gs.jit, gs.vmap])
def test_an_array_of_jax_on_the_cpu_lies_on_no_gpu(transform):
    said = refusal(lambda: transform(loss)(OfJax()))
    assert "an argument of type OfJax" in said and "np.asarray(x)" in said and "GPU" not in said
    np.testing.assert_allclose(gs.grad(loss)(np.asarray(OfJax())), 3.0 * X ** 2)


def test_a_masked_array_keeps_its_mask():
    x = np.ma.masked_array(X, [False, True, False])
    said = refusal(lambda: gs.grad(loss)(x))
    assert "a masked array" in said and "x.filled(0.0)" in said and "np.asarray(x) forgets the mask" in said
    np.testing.assert_allclose(gs.grad(loss)(x.filled(0.0)), [0.75, 0.0, 0.75])
    np.testing.assert_allclose(gs.grad(loss)(x.compressed()), [0.75, 0.75])
    np.testing.assert_allclose(gs.grad(lambda x, m: np.sum(np.where(m, 0.0, x) ** 3))(np.asarray(x), x.mask),
                               [0.75, 0.0, 0.75])


# ---- what a function changes outside

HISTORY: list = []


class Model:
    def step(self, x):
        self.last = x
        return loss(x)


def remembers(x):
    HISTORY.append(np.sum(x))
    return loss(x)


def hands_on(x):
    return loss(x), np.sum(x)


def test_what_is_kept_outside_is_returned():
    for f in (remembers, Model().step):
        said = refusal(lambda f=f: gs.grad(f)(X), gs.ImpurityError)
        assert "return result, " in said and "has_aux=True" in said
    slope, total = gs.grad(hands_on, has_aux=True)(X)
    np.testing.assert_allclose(slope, 3.0 * X ** 2)
    assert total == gs.jit(hands_on)(X)[1] == 1.5


class Fail(Exception):
    pass


def fails(x):
    for v in x:
        try:
            if v > 0.0:
                raise Fail(v)
        except ZeroDivisionError:
            return 0.0
    return np.sum(x)


def test_an_exception_of_the_user_has_its_name():
    with pytest.raises(Exception) as caught:
        gs.jit(fails)(X)
    assert ":Fail" not in f"{caught.value}"


# ---- text

def test_a_function_that_was_typed_at_the_prompt():
    code = compile("def f(x):\n    return x * x\n", "<stdin>", "exec").co_consts[0]
    said = refusal(lambda: gs.grad(types.FunctionType(code, {}))(2.0))
    assert "typed at Python's own prompt" in said and "import it, or start IPython" in said


def test_what_is_advised_at_the_prompt(tmp_path):
    (tmp_path / "typed.py").write_text("def f(x):\n    return x * x\n")
    spec = importlib.util.spec_from_file_location("typed", tmp_path / "typed.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert gs.grad(module.f)(2.0) == 4.0


def test_help_is_of_the_function_itself():
    assert "np.maximum" in gs.lax.max.__doc__ and "Array of" not in gs.lax.max.__doc__
    assert "Raises" in gs.hvp.__doc__
    for f in (gs.lax.max, gs.lax.min):
        np.testing.assert_allclose(gs.jit(gs.grad(lambda x, f=f: np.sum(f(x, 0.4) ** 2)))(X),
                                   gs.grad(lambda x, f=f: np.sum(f(x, 0.4) ** 2))(X))
