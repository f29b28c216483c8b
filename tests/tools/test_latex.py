"""Python's arithmetic as LaTeX: parentheses stand where the formula would say something else."""
import ast

import pytest

from gradscribe.transformer.tools.latex import in_latex, statement_in_latex, symbol


def shown(text):
    return in_latex(ast.parse(text, mode="eval").body)


@pytest.mark.parametrize("text, latex", [
    ("a + b * c", r"a + b\,c"), ("(a + b) * c", r"(a + b)\,c"), ("a - (b - c)", "a - (b - c)"),
    ("a - b - c", "a - b - c"), ("a + (b + c)", "a + (b + c)"), ("a * (b + c)", r"a\,(b + c)"),
    ("a * (b * c)", r"a\,b\,c"), ("2 * x", r"2\,x"), ("x * 2", r"x \cdot 2"), ("2 * 3.5", r"2 \cdot 3.5"),
    ("x * 2 ** n", r"x \cdot 2^{n}"), ("a * 1e-3", r"a \cdot 0.001"), ("a * 1e-10", r"a \cdot 1 \cdot 10^{-10}"),
    ("1e22 ** 2", r"(1 \cdot 10^{22})^{2}")])
def test_sums_and_products(text, latex):
    assert shown(text) == latex


@pytest.mark.parametrize("text, latex", [
    ("-x", "-x"), ("-(a + b)", "-(a + b)"), ("-a * b", r"-a\,b"), ("a * -b", r"a\,(-b)"), ("a + -b", "a + (-b)"),
    ("-x ** 2", "-x^{2}"), ("(-x) ** 2", "(-x)^{2}"), ("-(-x)", "-(-x)"), ("(-1) ** n", "(-1)^{n}")])
def test_minus(text, latex):
    assert shown(text) == latex


@pytest.mark.parametrize("text, latex", [
    ("a / b", r"\frac{a}{b}"), ("(a + b) / (c - d)", r"\frac{a + b}{c - d}"), ("a / b / c", r"\frac{\frac{a}{b}}{c}"),
    ("(a / b) ** 2", r"\left(\frac{a}{b}\right)^{2}"), ("x ** 2 ** n", "x^{2^{n}}"), ("(x ** 2) ** n", "(x^{2})^{n}"),
    ("x ** (n - 1)", "x^{n - 1}"), ("(a * b) ** 2", r"(a\,b)^{2}"), ("np.sin(x) ** 2", r"(\sin(x))^{2}"),
    ("g * (a / b)", r"g\,\frac{a}{b}"), ("np.sin(a / b)", r"\sin\left(\frac{a}{b}\right)")])
def test_fractions_and_powers(text, latex):
    assert shown(text) == latex


@pytest.mark.parametrize("text, latex", [
    ("np.sin(x)", r"\sin(x)"), ("math.cos(2 * x)", r"\cos(2\,x)"), ("np.exp(-x)", r"\exp(-x)"),
    ("np.log(x)", r"\log(x)"),
    ("np.sqrt(x + 1)", r"\sqrt{x + 1}"), ("np.tanh(x)", r"\tanh(x)"), ("np.sign(x)", r"\operatorname{sign}(x)"),
    ("abs(x)", r"\left|x\right|"), ("np.maximum(a, b)", r"\operatorname{maximum}(a, b)"), ("float(x * y)", r"x\,y"),
    ("np.pi * x", r"\pi\,x"), ("2 * float(a + b)", r"2\,(a + b)")])
def test_functions(text, latex):
    assert shown(text) == latex


@pytest.mark.parametrize("text, latex", [
    ("A @ x", r"A \mathbin{@} x"), ("A @ (B @ x)", r"A \mathbin{@} (B \mathbin{@} x)"),
    ("A @ B @ x", r"A \mathbin{@} B \mathbin{@} x"), ("A @ (s * x)", r"A \mathbin{@} (s\,x)"),
    ("(s * A) @ x", r"(s\,A) \mathbin{@} x"), ("s * (A @ x)", r"s\,(A \mathbin{@} x)"),
    ("A.T @ g", r"A^{\top} \mathbin{@} g"), ("x[i]", "x_{i}"), ("x[i - 1, :]", "x_{i - 1,:}"), ("x[1:n]", "x_{1:n}"),
    ("x[i] ** 2", "x_{i}^{2}"), ("x2[i]", "{x_{2}}_{i}"), ("(a + b)[i]", "(a + b)_{i}"), ("x_bar[i]", r"\bar{x}_{i}")])
def test_arrays(text, latex):
    assert shown(text) == latex


@pytest.mark.parametrize("text", ["np.outer(a_b, c)", "np.sum(x, axis=0)", "x[::2]", "x[None]", "a if b else c", "f(x)",
                                  "a % b", "'#'", "True", "2j", "np.sin(x, out=y)", "np.sin()"])
def test_what_has_no_notation_is_as_it_is_written(text):
    written = ast.unparse(ast.parse(text, mode="eval")).replace("_", r"\_").replace("%", r"\%").replace("#", r"\#")
    assert shown(text) == rf"\texttt{{{written}}}"


@pytest.mark.parametrize("name, latex", [
    ("x", "x"), ("alpha", r"\alpha"), ("Omega", r"\Omega"), ("x_bar", r"\bar{x}"), ("x_dot", r"\dot{x}"),
    ("x_bar_dot", r"\dot{\bar{x}}"), ("theta_bar", r"\bar{\theta}"), ("x2", "x_{2}"), ("x_0", "x_{0}"),
    ("x2_bar", r"\bar{x_{2}}"), ("x_bar2", r"\bar{x}_{2}"), ("total", r"\mathrm{total}"),
    ("X_row", r"X_{\mathrm{row}}"), ("_", r"\mathrm{\_}"), ("_x", r"\mathrm{\_x}"), ("a_b_c", r"a_{\mathrm{b\_c}}")])
def test_names(name, latex):
    assert symbol(name) == latex


@pytest.mark.parametrize("text, latex", [
    ("x_bar = y_bar * np.cos(x)", r"\bar{x} = \bar{y}\,\cos(x)"), ("x_bar += 1", r"\bar{x} \mathrel{+}= 1"),
    ("x_bar[i] -= g", r"\bar{x}_{i} \mathrel{-}= g"), ("x *= 2", r"x \mathrel{\cdot}= 2"),
    ("a, b = c", r"\texttt{a, b = c}")])
def test_statements(text, latex):
    assert statement_in_latex(ast.parse(text).body[0]) == latex
