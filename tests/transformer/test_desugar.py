"""Desugar: fewer kinds of statement, the same results in the same order."""
import textwrap

import gast
import pytest

from gradscribe.transformer.errors.messages import UnsupportedError
from gradscribe.transformer.frontend.capture import capture
from gradscribe.transformer.frontend.desugar import desugar


def parse(text):
    (node,) = gast.parse(textwrap.dedent(text)).body
    return node


def body(text):
    return "def f(x, y, t):\n" + textwrap.indent(textwrap.dedent(text), "    ")


def check_pass(before, after):
    before, after = parse(body(before)), parse(body(after))
    kept = gast.dump(before)
    made = desugar(before)
    assert gast.unparse(made) == gast.unparse(after)
    assert gast.dump(before) == kept, "the input was changed"
    for n in gast.walk(made):
        if isinstance(n, (gast.expr, gast.stmt)):
            assert n.lineno and n.end_lineno


def run(node, *args):
    trace = []

    def note(value):
        trace.append(value)
        return value

    namespace = {"note": note}
    module = gast.fix_missing_locations(gast.Module(body=[node], type_ignores=[]))
    exec(compile(gast.gast_to_ast(module), "<desugar>", "exec"), namespace)
    try:
        return namespace["f"](*args), trace
    except Exception as error:
        return (type(error), str(error)), trace


@pytest.mark.parametrize("before, after", [
    ("a = b = x + 1", "a = x + 1\nb = a"),
    ("a = y[a] = x", "a = x\ny[a] = a"),
    ("y[0] = a = x + 1", "_gs_v1 = x + 1\ny[0] = _gs_v1\na = _gs_v1"),
    ("a, b = c = x, 1", "_gs_v1 = (x, 1)\na, b = _gs_v1\nc = _gs_v1"),
    ("a = (b, a) = c = x, 1", "_gs_v1 = (x, 1)\na = _gs_v1\nb, a = _gs_v1\nc = _gs_v1"),
    ("a = b = c = x\nx[0] = y[0] = a[0] = 2",
     "a = x\nb = a\nc = a\n_gs_v1 = 2\nx[0] = _gs_v1\ny[0] = _gs_v1\na[0] = _gs_v1"),
    ("a: float = x", "a = x"),
    ("a: float\nreturn x", "pass\nreturn x"),
    ("a: float = (n := x)", "a = (n := x)"),
    ("assert x", "if not x:\n    raise AssertionError()"),
    ("assert x > 0, 'no'", "if not x > 0:\n    raise AssertionError('no')"),
    ("assert (n := x) > 0, n", "if not (n := x) > 0:\n    raise AssertionError(n)"),
])
def test_before_and_after(before, after):
    check_pass(before, after)


@pytest.mark.parametrize("kept", [
    "x += 1", "x[0] += y[0]", "(a, (b, *c)) = x", "with g(x) as h:\n    y = h",
    "return [v * 2 for v in x]", "return x < y < t", "for v in x:\n    break\nelse:\n    y = 1",
    "def g(z):\n    a = b = z\n    return a", "return (lambda a: a)(x)", "'text'", "y = x if t else 1",
    "while (e := g(x)) > t:\n    x = e", "return x and (n := y)",
])
def test_kept_as_it_is(kept):
    check_pass(kept, kept)


@pytest.mark.parametrize("text, message", [
    ("_gs_ret = x", "reserved"),
])
def test_refused(text, message):
    at = []
    with pytest.raises(UnsupportedError) as caught:
        desugar(parse(body(text)), lambda node: at.append((node.lineno, node.col_offset)))
    assert message in caught.value.message and caught.value.instead
    assert at == [(2, 4)]


def test_all_problems_are_reported():
    def f(x):
        _gs_y = x
        return _gs_y

    captured = capture(f)
    with pytest.raises(UnsupportedError) as caught:
        desugar(captured.node, captured.origin_of)
    assert [p.origin.line - captured.first_line for p in caught.value.problems] == [1, 2]
    assert "Rename" in caught.value.instead
    assert "_gs_y = x" in str(caught.value)


@pytest.mark.parametrize("text", [
    "a = x[note(0)] = b = note(t)\nreturn a, b, x",
    "x[note(0)], a = y[note(1)] = note((1, 2))\nreturn a, x, y",
    "i = x[i] = 1\nreturn i, x",
    "i = (i, j) = k = (1, 2)\nreturn i, j, k",
    "i = (i, j) = (1, 2)\nreturn i, j",
    "n = 0\nwhile (n := note(n + 1)) < 6:\n    if n % 2: continue\n    note('even')\nelse:\n    note('end')\nreturn n",
    "n = 0\nwhile (n := note(n + 1)) < 6:\n    while (m := note(n)) > 3:\n        break\n    else:\n        continue\n"
        "    note(m)\nreturn n",
    "assert note(t) == 3, note('message')",
    "assert note(t) == 4, note('message')",
    "z: float = note(1)\nx[note(0)]: int = note(2)\nreturn x",
    "return (n := note(1)) + n * note(2)",
    "return t + (n := 1) + n",
])
def test_same_results(text):
    node = parse(body(text))
    assert run(desugar(node), [1, 2, 3], [4, 5], 3) == run(node, [1, 2, 3], [4, 5], 3)


def test_each_context_has_a_statement():
    check_pass("""
        with a(x) as b, c(y), d(t) as (e, f):
            x = b
    """, """
        with a(x) as b:
            with c(y):
                with d(t) as (e, f):
                    x = b
    """)
