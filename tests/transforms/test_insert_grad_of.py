"""gs.insert_grad_of: code in the backward pass, which changes nothing elsewhere."""
import numpy as np
import pytest

import gradscribe as gs
from gradscribe.transformer.api import Primal

W = np.array([[1.5, 0.3], [-0.2, 2.0]])
H = np.array([0.1, 0.2])


def recurrent(W, h, steps, limit):
    for _ in range(steps):
        with gs.insert_grad_of(h) as dh:
            norm = np.sqrt(np.sum(dh * dh))
            if norm > limit:
                dh = dh * (limit / norm)
        h = W @ h + 0.1 * np.tanh(h)
    return np.sum(h)


def by_hand(W, h, steps, limit):
    states = [h]
    for _ in range(steps):
        states.append(W @ states[-1] + 0.1 * np.tanh(states[-1]))
    W_bar, h_bar = np.zeros_like(W), np.ones_like(h)
    for h in states[-2::-1]:
        W_bar += np.outer(h_bar, h)
        h_bar = W.T @ h_bar + 0.1 * (1 - np.tanh(h) ** 2) * h_bar
        norm = np.sqrt(np.sum(h_bar**2))
        if norm > limit:
            h_bar = h_bar * (limit / norm)
    return W_bar, h_bar


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("limit", [np.inf, 1.0, 0.01])
def test_it_clips_an_exploding_recurrent_gradient(limit):
    want = by_hand(W, H, 30, limit)
    for make in (lambda f: f, gs.jit):
        for f in (gs.grad(recurrent, argnums=(0, 1)), lambda *args: gs.vjp(recurrent, *args)[1](1.0)[:2]):
            got = (make(f) if isinstance(f, gs.transformer.api.Transformed) else f)(W, H, 30, limit)
            for x, y in zip(got, want):
                np.testing.assert_allclose(x, y, rtol=1e-12)
    assert (np.linalg.norm(by_hand(W, H, 30, np.inf)[1]) > 1e8
            and np.linalg.norm(want[1]) <= max(limit, 1e-9) * (1 + 1e-12))


def test_it_does_nothing_where_no_derivative_goes_backwards():
    def plain(W, h, steps):
        for _ in range(steps):
            h = W @ h + 0.1 * np.tanh(h)
        return np.sum(h)

    want = plain(W, H, 5)
    for f in (Primal(recurrent), gs.jit(recurrent)):
        assert f(W, H, 5, 0.01) == pytest.approx(want, rel=1e-13)
        source = f.source(W, H, 5, 0.01)
        assert "sqrt" not in source and "insert" not in source
    out, tangent = gs.jvp(lambda h: recurrent(W, h, 5, 0.01), (H,), (H,))
    assert (out, tangent) == pytest.approx(gs.jvp(lambda h: plain(W, h, 5), (H,), (H,)), rel=1e-13)
    np.testing.assert_allclose(gs.vmap(lambda h: recurrent(W, h, 5, 0.01))(np.stack([H, 2 * H])),
                               [want, plain(W, 2 * H, 5)], rtol=1e-13)


@pytest.mark.heavy(one_in=2)
def test_each_example_of_a_batch_has_its_own_adjoint():
    hs = np.stack([H, 3.0 * H, -H])
    for make in (lambda f: f, gs.jit):
        got = make(gs.vmap(gs.grad(recurrent, argnums=(0, 1)), in_axes=(None, 0, None, None)))(W, hs, 8, 1.0)
        for k, h in enumerate(hs):
            for x, y in zip(got, by_hand(W, h, 8, 1.0)):
                np.testing.assert_allclose(x[k], y, rtol=1e-12)


def test_it_prints(capsys):
    def f(x):
        y = x * x
        with gs.insert_grad_of(y) as dy:
            print("dy =", dy, "where y =", y)
        return 3.0 * y

    gradient = gs.grad(f)
    assert gradient.source(2.0) and capsys.readouterr().out == ""
    assert gradient(2.0) == 12.0
    assert capsys.readouterr().out == "dy = 3.0 where y = 4.0\n"
    assert Primal(f)(2.0) == 12.0 and capsys.readouterr().out == ""


def test_it_prints_once_in_each_iteration_the_last_one_first(capsys):
    def f(x):
        for k in range(3):
            with gs.insert_grad_of(x) as dx:
                print(k, dx)
            x = 2.0 * x
        return x

    assert gs.grad(f)(1.0) == 8.0
    assert capsys.readouterr().out == "2 2.0\n1 4.0\n0 8.0\n"


def test_it_stops():
    def f(x):
        y = np.sqrt(x)
        with gs.insert_grad_of(x) as dx:
            if not np.all(np.isfinite(dx)):
                raise FloatingPointError("the gradient of the root is not finite")
        return np.sum(np.sqrt(x)) + np.sum(y)

    for make in (lambda f: f, gs.jit):
        np.testing.assert_allclose(make(gs.grad(f))(np.array([1.0, 4.0])), [1.0, 0.5])
        with np.errstate(divide="ignore"), pytest.raises(FloatingPointError, match="of the root"):
            make(gs.grad(f))(np.array([1.0, 0.0]))
        assert make(Primal(f) if make is not gs.jit else f)(np.array([1.0, 0.0])) == 2.0


def test_only_what_comes_after_goes_through_the_block():
    def f(x):
        before = x * 3.0
        with gs.insert_grad_of(x) as dx:
            dx = 10.0 * dx
        return before + x * x

    for make in (lambda f: f, gs.jit):
        assert make(gs.grad(f))(2.0) == 3.0 + 10.0 * 4.0


def test_stores_into_the_adjoint():
    def f(x, scale):
        with gs.insert_grad_of(x) as dx:
            dx[0] = 0.0
            dx[1:] *= scale
        return np.sum(x * x)

    x = np.array([1.0, 2.0, 3.0])
    for make in (lambda f: f, gs.jit):
        np.testing.assert_array_equal(make(gs.grad(f))(x, 5.0), [0.0, 20.0, 30.0])
        np.testing.assert_array_equal(make(gs.grad(f, argnums=1))(x, 5.0), 0.0)  # the value does not depend on it


def test_an_adjoint_that_does_not_arise():
    def f(x, n):
        with gs.insert_grad_of(x) as dx:
            if dx == dx:
                raise ValueError("never reached")
        return 2.0 * n

    def g(x):
        with gs.insert_grad_of(x) as dx:
            dx = dx * np.inf
        return np.floor(x)

    assert gs.grad(f, argnums=1)(1.0, 3.0) == 2.0 and gs.grad(g)(1.5) == 0.0


def test_the_second_derivative_is_that_of_the_code_that_is_there():
    def f(x):
        with gs.insert_grad_of(x) as dx:
            dx = dx * dx
        return x**3

    def first(x):
        return (3.0 * x**2) ** 2

    assert gs.grad(f)(2.0) == first(2.0)
    tangent = gs.jvp(gs.grad(f), (2.0,), (1.0,))[1]
    assert tangent == pytest.approx(36.0 * 2.0**3)


def test_another_name_of_the_array():
    def f(x):
        y = x
        with gs.insert_grad_of(x) as dx:
            dx = 2.0 * dx
        y[0] = 5.0  # is it x that changes?
        return np.sum(x * x)

    with pytest.raises(gs.UnsupportedError, match="may share memory"):
        gs.grad(f)(H)


def test_nothing_is_found_in_it():
    assert str(gs.check(recurrent)) == "no problems found"


def test_in_a_function_that_is_not_transformed():
    with pytest.raises(RuntimeError, match="Call gs.jit"):
        recurrent(W, H, 1, 1.0)


# refused -----------------------------------------------------------------------------------------
def refused(f, *args):
    with pytest.raises(gs.GradscribeError) as caught:
        gs.grad(f)(*args)
    return str(caught.value)


def test_what_leaves_the_block():
    def f(x):
        for k in range(3):
            with gs.insert_grad_of(x) as dx:
                for _ in range(2):
                    break
                if dx > 0.0:
                    break
            x = x * 2.0
        return x

    def g(x):
        with gs.insert_grad_of(x) as dx:
            return dx
        return x

    assert ("a break out of a block of gs.insert_grad_of" in refused(f, 1.0)
            and refused(f, 1.0).count("break out of") == 1)
    message = refused(g, 1.0)
    assert "a return out of a block" in message and "return dx" in message


def test_what_it_is_of():
    def of_an_element(x):
        with gs.insert_grad_of(x[0]) as dx:
            print(dx)
        return x[0]

    def of_an_int(x):
        n = 3
        with gs.insert_grad_of(n) as dn:
            print(dn)
        return n * x

    def of_a_list(x):
        parts = [x, x]
        with gs.insert_grad_of(parts) as dp:
            print(dp)
        return parts[0]

    assert ("of more than a variable" in refused(of_an_element, H)
            and "gs.insert_grad_of(x[0])" in refused(of_an_element, H))
    for f, what in ((of_an_int, "gs.insert_grad_of of the int 3"), (of_a_list, "gs.insert_grad_of of a list")):
        message = refused(f, 1.0)
        assert what in message and "with gs.insert_grad_of(" in message
    assert "outside of a with statement" in refused(lambda x: gs.insert_grad_of(x), 1.0)


def test_what_it_gives_and_changes():
    def another_shape(x):
        with gs.insert_grad_of(x) as dx:
            dx = dx[:1]
        return np.sum(x)

    def a_list_outside(x):
        seen = []
        with gs.insert_grad_of(x) as dx:
            seen.append(dx)
        return np.sum(x)

    def its_variables(x):
        with gs.insert_grad_of(x) as dx:
            size = np.sum(dx)
            dx = dx / size
        return np.sum(x) * size

    def always(x):
        with gs.insert_grad_of(x) as dx:
            raise ValueError("stop")
        return np.sum(x)

    with pytest.raises(ValueError, match="what the code gives has the shape"):
        gs.grad(another_shape)(H)
    assert "changes a variable, array or list from outside" in refused(a_list_outside, H)
    with pytest.raises(UnboundLocalError, match="'size'"):  # the variables of the block are its own
        gs.grad(its_variables)(H)
    assert "always raises" in refused(always, H)


def test_other_with_blocks():
    def f(x):
        with open("a"):
            return x * x

    assert "open does input or output" in refused(f, 1.0)
