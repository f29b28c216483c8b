"""Capture: the right function, from its own code, at its place in the user's file; or a refusal that helps."""
import doctest
import functools

import gast
import pytest

from gradscribe.transformer.frontend.capture import capture
from tests.transformer.captured import registered, run_python, text_of

HERE = __file__


def lines_here(start):
    """The number of the first line of this file that starts so, once stripped."""
    with open(HERE, encoding="utf-8") as file:
        return next(i for i, line in enumerate(file, 1) if line.strip().startswith(start))


# functions ---------------------------------------------------------------------------------
SCALE = 3.0


def plain(x, *, k=2):
    # a comment of its own
    y = x * SCALE  # a trailing one
    s = "# not a comment"
    return y + k, s


def test_module_function():
    c = capture(plain)
    assert (c.name, c.file, c.first_line) == ("plain", HERE, lines_here("def plain"))
    assert c.lines[0] == "def plain(x, *, k=2):" and c.lines[-1] == "    return y + k, s"
    assert c.globals is globals() and c.freevars == {} and c.bound == ()
    assert (c.defaults, c.kwdefaults) == ((), {"k": 2})
    first = c.first_line
    assert c.comments == {first + 1: "# a comment of its own", first + 2: "# a trailing one"}
    assert c.owns_line(first + 1) and not c.owns_line(first + 2)
    assert c.lookup("SCALE") == ("global", 3.0) and c.lookup("len") == ("builtin", len)
    with pytest.raises(NameError):
        c.lookup("nowhere")


def test_origins():
    c = capture(plain)
    o = c.origin_of(c.node.body[0].value)
    assert (o.file, o.line, o.col, o.function) == (HERE, lines_here("y = x * SCALE"), 8, "plain")
    assert o.segment == "x * SCALE" and o.text == "    y = x * SCALE  # a trailing one"
    assert c.origin_of(c.node.args) == c.origin_of(c.node)  # no place of its own
    assert c.origin_of(c.node).first_text == "def plain(x, *, k=2):"


def test_columns_count_letters_not_bytes():
    def f(x):
        return "äöü漢", (x + 1)

    c = capture(f)
    assert c.origin_of(c.node.body[0].value.elts[1]).segment == "x + 1"
    assert c.origin_of(c.node.body[0].value.elts[1]).col == len('        return "äöü漢", (')


def test_every_node_stands_in_the_file():
    c = capture(plain)
    for node in gast.walk(c.node):
        if isinstance(node, (gast.expr, gast.stmt)):
            assert c.first_line <= node.lineno <= node.end_lineno < c.first_line + len(c.lines)


def test_closure():
    w = 2.0

    def f(x):
        def inner(y):
            return w * y
        return inner(x) + later

    c = capture(f)
    assert set(c.freevars) == {"w", "later"} and c.lookup("w") == ("cell", 2.0)
    with pytest.raises(NameError, match="later"):
        c.lookup("later")
    later = 1.0
    assert c.lookup("later") == ("cell", 1.0)
    assert capture(f).node is c.node  # once per code object


def test_cached_tree_but_own_cells():
    def make(n):
        return lambda x: x + n

    one, two = capture(make(1)), capture(make(2))
    assert one.node is two.node
    assert (one.lookup("n")[1], two.lookup("n")[1]) == (1, 2)


def scaled(fun):
    @functools.wraps(fun)
    def wrapper(*args):
        return 10 * fun(*args)
    return wrapper


def tagged(*_, **__):
    return lambda fun: fun


@scaled
def decorated(x):
    return x


@tagged(lambda a: a + 1)
@tagged(
    2,
)
def tagged_function(x):
    return x + 2


def test_a_wrapper_does_not_vanish():
    assert text_of(decorated) == "def wrapper(*args):\n    return 10 * fun(*args)"
    assert capture(decorated).lookup("fun")[1] is decorated.__wrapped__


def test_decorators_are_stripped():
    c = capture(tagged_function)
    assert c.node.decorator_list == [] and c.first_line == lines_here("def tagged_function")
    assert gast.unparse(c.node).strip() == "def tagged_function(x):\n    return x + 2"


def test_of_several_functions_of_one_name_the_right_one():
    def f(x):
        return x

    first = f

    def f(x):
        return x

    assert capture(first).first_line == capture(f).first_line - 5


# lambdas -----------------------------------------------------------------------------------
def taking_default(x, g=lambda y: y * 7): return g(x)


def test_lambdas_on_one_line():
    a, b = lambda x: x + 1, lambda x: x + 2
    c, d, e = [lambda x: x, lambda x: x, lambda y: (lambda x: x)]
    assert text_of(a) == "def lambda_(x):\n    return x + 1" and text_of(b) == "def lambda_(x):\n    return x + 2"
    places = [capture(f).node.col_offset for f in (c, d, e(0))]
    assert places == sorted(places) and len(set(places)) == 3
    x = capture(b)
    assert x.origin_of(x.node).segment == "lambda x: x + 2" and x.origin_of(x.node.body[0]).segment == "x + 2"


def test_lambdas_that_differ_in_a_constant_only():
    a, b, c, d = lambda: 0.0, lambda: -0.0, lambda: 1, lambda: True
    assert [text_of(f).split("return ")[1] for f in (a, b, c, d)] == ["0.0", "-0.0", "1", "True"]


def test_lambda_over_lines_inside_a_call():
    got = dict(
        key=lambda x, y: (
            x * y  # product
            + 1
        ), other=3)["key"]
    c = capture(got)
    assert text_of(got) == "def lambda_(x, y):\n    return x * y + 1"
    assert list(c.comments.values()) == ["# product"] and len(c.lines) == 4
    assert c.origin_of(c.node.body[0].value.left).segment == "x * y"


def test_lambda_as_default_and_with_defaults():
    assert text_of(taking_default.__defaults__[0]) == "def lambda_(y):\n    return y * 7"
    power = lambda x, n=3, *, k=4: x ** n + k
    c = capture(power)
    assert c.name == "power" and (c.defaults, c.kwdefaults) == ((3,), {"k": 4})


# methods -----------------------------------------------------------------------------------
class Model:
    __w = 2.0

    def loss(self, x):
        return self.__w * x + self.__class__.__name__.__len__()

    @staticmethod
    def twice(x):
        return 2 * x

    @classmethod
    def made(cls, x):
        return cls, x

    def __call__(self, x):
        return x


def test_methods():
    m = Model()
    c = capture(m.loss)
    assert c.bound == (m,) and c.name == "loss"
    assert "self._Model__w * x + self.__class__.__name__.__len__()" in gast.unparse(c.node)
    assert capture(Model.loss).bound == ()
    assert capture(Model.twice).bound == () and capture(Model.__dict__["twice"]).name == "twice"
    assert capture(Model.made).bound == (Model,)
    assert capture(m).bound == (m,) and capture(m).name == "__call__"


def test_exec_with_a_registered_text():
    f = registered("\nf = lambda x: x + 1", "<made by test_capture>")["f"]
    assert capture(f).origin_of(None).place == "<made by test_capture>:2"


@pytest.mark.parametrize("file, shown",
                         [("<ipython-input-7-0123abcd>", "cell In[7]:2"), ("/tmp/ipykernel_99/123.py", "cell:2")])
def test_cells(file, shown):
    f = registered("import numpy\ndef f(x):\n    return {v for v in x}\n", file)["f"]
    c = capture(f)
    assert c.origin_of(c.node).place == shown


@pytest.mark.heavy(one_in=2)
def test_a_notebook_cell():
    pytest.importorskip("IPython")
    done = run_python("""
        from IPython.core.interactiveshell import InteractiveShell
        shell = InteractiveShell.instance()
        shell.run_cell("x = 1", store_history=True)
        shell.run_cell("%time y = 2\\n!true\\ndef f(x):\\n    return x + y  # it\\nawait_me = 3", store_history=True)
        shell.run_cell("import asyncio\\nawait asyncio.sleep(0)\\ng = lambda x: x * 2", store_history=True)
        shell.run_cell("import numpy as np\\ndef h(x):\\n    return np.sum(x)", store_history=True)
        from gradscribe.transformer.frontend.capture import capture
        for name in "fgh":
            c = capture(shell.user_ns[name])
            print(c.origin_of(c.node.body[0]).place, c.name, c.comments)
    """)
    assert done.stdout.splitlines()[-3:] == ["cell In[2]:4 f {4: '# it'}", "cell In[3]:3 g {}",
                                             "cell In[4]:3 h {}"], done.stderr


def test_doctest():
    def check(fun):
        assert gast.unparse(capture(fun).node).strip() == "def f(x):\n    return x + 1"

    text = ">>> def f(x):\n...     return x + 1\n>>> check(f)\n"
    test = doctest.DocTestParser().get_doctest(text, {"check": check}, "name", "name.txt", 0)
    assert doctest.DocTestRunner(verbose=False).run(test).failed == 0
