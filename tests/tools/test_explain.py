"""`g.why(name, *args)`: which statements make up an adjoint, found once more in the text, and by what rules."""
import ast
import inspect
import re

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.errors import GradscribeError, UnsupportedError
from tests.corpus.textbook_examples import EXAMPLES

W, X = np.array([[0.5, -0.3], [0.2, 0.4]]), np.array([1.0, 0.5])


def sine(x):
    y = np.sin(x)
    return y * x


def loss(w, x, steps):
    h = np.zeros(2)
    for k in range(steps):
        h = np.tanh(w @ h) + x  # one step
    return np.sum(h * h)


def relu(x):
    return np.maximum(x, 0.0)


def layers(p, x):
    return np.sum(relu(p["W"] @ x + p["b"]) ** 2)


def gathered(x, places):
    return np.sum(x[places] ** 2)


def own_name(x):
    x_bar = np.mean(x)
    return np.sum((x - x_bar) ** 2 * x)


def chosen(x, y):
    bigger = np.maximum(x, y)
    return np.sum(np.where(np.sin(x) > 0.5, bigger / x, y))


def stores(text, name):
    """The lines that store to the adjoint of a variable, found anew."""
    lines = set()
    for node in ast.walk(ast.parse(text)):
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if isinstance(node, (ast.Assign, ast.AugAssign, ast.For)):
            flat = [t for target in targets for t in getattr(target, "elts", [target])]
            shown = " ".join(ast.unparse(t).split("[")[0] for t in flat)
            lines |= {node.lineno} if re.search(rf"\b{name}_bar\d*\b", shown) else set()
    added = [n for n, line in enumerate(text.split("\n"), 1) if re.match(rf" *np\.add\.at\({name}_bar\d*\b", line)]
    return lines | set(added)


def derivative_of(f, args):
    """gs.grad or gs.jacrev with respect to all arguments of floats, and their names."""
    names = [*inspect.signature(f).parameters]
    floats = tuple(k for k, a in enumerate(args) if isinstance(a, list) or np.asarray(a).dtype.kind == "f")
    try:
        g = gs.grad(f, argnums=floats)
        return g, g.source(*args), [names[k] for k in floats]
    except GradscribeError:
        g = gs.jacrev(f, argnums=floats)
        return g, g.source(*args), [names[k] for k in floats]


@pytest.mark.parametrize("f", EXAMPLES, ids=lambda f: f.__name__)
def test_each_statement_of_an_adjoint_is_found_and_no_other(f):
    g, text, names = derivative_of(f, EXAMPLES[f])
    lines = text.split("\n")
    for name in names:
        explanation = g.why(name, *EXAMPLES[f])
        found = [c.line for c in explanation.contributions]
        assert found == sorted(found)
        wanted = stores(text, name)
        if wanted:
            assert set(found) == wanted
        else:  # items of a container, the adjoint of another variable, or no statement at all
            assert name == "params" and found or explanation.remark.startswith(f"The source returns this for {name}: ")
        for c in explanation.contributions:
            assert lines[c.line - 1].strip() == c.text.split("\n")[0]
            assert c.origin is None or c.users_text in inspect.getsource(inspect.getmodule(f))


def test_the_rule_is_that_of_the_users_operation():
    first, second = gs.grad(sine).why("x", 2.0).contributions
    assert (first.users_text, first.rules) == ("return y * x", ("a * b, for b: g * a",))
    assert (second.users_text, second.rules) == ("y = np.sin(x)", ("np.sin(x): g * np.cos(x)",))
    assert second.text == "x_bar += float(np.cos(x) * x)"
    assert second.users_line == inspect.getsourcelines(sine)[1] + 1


def test_rules_lead_from_the_result_to_the_variable():
    first, *others = gs.grad(loss).why("h", W, X, 3).contributions
    assert first.rules == ("np.sum: g", "a * b, for a: g * b", "a * b, for b: g * a")
    assert [c.rules for c in others] == [
        ("a + b, for a: g", "np.tanh(x): g * (1 - y * y)", "x @ y, for y: swap(x) @ g")]


def test_a_condition_has_no_rule():
    rules = {r for c in gs.grad(chosen).why("x", X, 0.5 * X).contributions for r in c.rules}
    assert rules == {"np.sum: g", "np.maximum(a, b), for a: g where a >= b, half of it where a == b",
                     "np.where(c, a, b), for a: g where c holds", "a / b, for b: g * -(y / b)"}


def test_forward_mode_has_tangents():
    def f(x):
        y = np.sin(x) * X
        return y @ x
    line, = gs.jacfwd(f).why("y", X).contributions
    assert line.users_text == "y = np.sin(x) * X"
    assert line.rules == ("a * b: a_dot * b + b_dot * a", "np.sin(x): x_dot * np.cos(x)")
    assert line.latex == r"\dot{y} = X\,\cos(x)\,\mathrm{identity}"


def test_a_store_that_adds_is_found():
    zero, added = gs.grad(gathered).why("x", np.ones(4), np.array([1, 1, 2])).contributions
    assert (zero.text, zero.rules) == ("x_bar = np.zeros_like(x)", ())
    assert added.text == "np.add.at(x_bar, places, 2 * x[places])"
    assert added.rules[-1] == "x[...]: g, at the place of that part"


def test_a_container_has_the_adjoints_of_its_items():
    b, w = gs.grad(layers).why("p", {"W": W, "b": X}, X).contributions
    assert (b.text.split()[0], b.place) == ("b_bar", f"line {inspect.getsourcelines(relu)[1] + 1} of relu")
    assert w.text == "W_bar = np.outer(b_bar, x)" and w.rules[-1] == "x @ y, for x: g @ swap(y)"


def test_a_variable_that_is_called_like_an_adjoint():
    lines = [c.text for c in gs.grad(own_name).why("x", X).contributions]
    assert lines == ["x_bar = difference ** 2 + difference_bar", "x_bar += x_bar_bar / len(x)"]
    assert [c.text for c in gs.grad(own_name).why("x_bar", X).contributions] == ["x_bar_bar = np.sum(-difference_bar)"]
    assert any(c.text.startswith("x_bar_dot") for c in gs.hessian(own_name).why("x", X).contributions)


def test_the_adjoint_of_another_variable_is_returned():
    def f(x, m):
        difference = x - m
        return np.sum(difference ** 2 * difference)
    explanation = gs.value_and_grad(f).why("x", X, 0.5 * X)
    assert explanation.remark == "The source returns this for x: difference_bar"
    assert explanation.contributions and all("difference_bar" in c.text for c in explanation.contributions)


def test_without_an_adjoint_it_says_so_in_words():
    assert "of type int64" in gs.grad(loss).why("steps", W, X, 3).remark
    assert gs.grad(loss).why("x", W, X, 3).remark.startswith("No statement stores")
    nothing = gs.grad(lambda x, y: np.sum(x), argnums=1).why("y", X, X)
    assert nothing.remark == "The result does not depend on y: this is zero."
    assert gs.grad(loss).why("x", W, X, 3).latex() == ""
    assert gs.grad(loss).why("x", W, X, 3)._repr_latex_() is None


def test_an_unknown_name_is_refused_with_those_there_are():
    with pytest.raises(GradscribeError, match="no variable 'q' in loss") as caught:
        gs.grad(loss).why("q", W, X, 3)
    assert caught.value.instead == "Ask for one of these: h, k, product, steps, w, x."


def test_several_devices_are_refused():
    with pytest.raises(UnsupportedError, match="on several devices"):
        gs.pmap(sine).why("x", X)


def test_a_parameter_may_be_called_name():
    def f(x, name):
        return x * x * name
    assert len(gs.grad(f).why("x", 2.0, name=3.0).contributions) == 1


def test_it_prints_as_text_html_and_latex():
    explanation = gs.grad(sine).why("x", 2.0)
    start = inspect.getsourcelines(sine)[1]
    assert str(explanation) == f"""\
x in grad(sine)
    8  x_bar = float(y)
           line {start + 2}: return y * x
           rule of a * b, for b: g * a
   10  x_bar += float(np.cos(x) * x)
           line {start + 1}: y = np.sin(x)
           rule of np.sin(x): g * np.cos(x)"""
    assert explanation.latex() == (r"\begin{aligned}" "\n" r"\bar{x} &= y \\" "\n"
                                   r"\bar{x} &\mathrel{+}= \cos(x)\,x" "\n" r"\end{aligned}")
    assert explanation._repr_latex_() == f"${explanation.latex()}$"
    page = gs.grad(chosen).why("x", X, 0.5 * X)._repr_html_()
    assert "np.sin(x) &gt; 0.5" in page and page.count("<tr>") == 4
