"""Exits: the result has one return, at its end, and does what the function did."""
import contextlib
import os
import random
import textwrap

import gast
import pytest

from gradscribe.transformer.errors.messages import UnsupportedError
from gradscribe.transformer.frontend.exits import expand_markers, structure_exits


def parse(text):
    (node,) = gast.parse(textwrap.dedent(text)).body
    return node


def shown(text):
    return gast.unparse(structure_exits(parse(text))).strip()


def check_pass(before, after):
    assert shown(before) == gast.unparse(parse(after)).strip()


def check_structured(node):
    """No exits but the last return; every new node has a place."""
    assert isinstance(node.body[-1], gast.Return)

    def visit(stmts):
        assert stmts
        for stmt in stmts:
            assert not isinstance(stmt, (gast.Return, gast.Break, gast.Continue)), gast.unparse(node)
            assert not (isinstance(stmt, (gast.For, gast.While)) and stmt.orelse)
            if isinstance(stmt, gast.FunctionDef):
                continue
            for holder in [stmt, *getattr(stmt, "handlers", [])]:
                for name in ("body", "orelse", "finalbody"):
                    if getattr(holder, name, None):
                        visit(getattr(holder, name))

    if node.body[:-1]:
        visit(node.body[:-1])
    for n in gast.walk(node):
        if isinstance(n, (gast.expr, gast.stmt)):
            assert n.lineno and n.end_lineno, gast.dump(n)


def load(node, namespace):
    module = gast.fix_missing_locations(gast.Module(body=[node], type_ignores=[]))
    namespace = dict(namespace)
    exec(compile(gast.gast_to_ast(module), "<exits>", "exec"), namespace)
    return namespace[node.name]


def result_of(node, inputs):
    """(returned or raised, everything that happened on the way)."""
    trace = []

    def note(value):
        trace.append(value)
        if len(trace) > 2_000:
            raise RuntimeError("endless")
        return value

    fun = load(node, {"note": note, "nothing": contextlib.nullcontext})
    try:
        return ("returned", fun(*inputs)), trace
    except (ValueError, RuntimeError, UnboundLocalError) as error:
        return ("raised", type(error)), trace


def check_same(text, *inputs):
    node = parse(text)
    before = gast.dump(node)
    structured = structure_exits(node)
    assert gast.dump(node) == before, "the input was changed"
    check_structured(structured)
    assert gast.dump(structured) == gast.dump(structure_exits(node))
    for given in inputs:
        want, got = result_of(node, given), result_of(expand_markers(structured), given)
        assert got == want, f"{text}\n\n{gast.unparse(structured)}\n{given}"


# what comes out ----------------------------------------------------------------------------
def test_early_return_becomes_else():
    check_pass("""
        def f(x):
            if x > 0:
                return 1
            y = x * x
            return y
    """, """
        def f(x):
            if x > 0:
                _gs_ret = 1
            else:
                y = x * x
                _gs_ret = y
            return _gs_ret
    """)


def test_single_return_stays():
    check_pass("def f(x):\n    y = x\n    return y + 1", "def f(x):\n    y = x\n    return y + 1")


def test_falling_off_the_end_returns_none():
    check_pass("def f(x):\n    x[0] = 1", "def f(x):\n    x[0] = 1\n    return None")


def test_bare_return_needs_no_result():
    check_pass("""
        def f(x):
            if x[0] > 1:
                return
            x[0] = 1
    """, """
        def f(x):
            if not x[0] > 1:
                x[0] = 1
            return None
    """)


def test_continue_becomes_if():
    check_pass("""
        def f(xs):
            s = 0
            for v in xs:
                if v < 0:
                    continue
                s += v
            return s
    """, """
        def f(xs):
            s = 0
            for v in xs:
                if not v < 0:
                    s += v
            return s
    """)


def test_break_in_while_tests_the_flag_first():
    check_pass("""
        def f(x):
            while x > 1 or g(x):
                if x == 7:
                    break
                x -= 1
            return x
    """, """
        def f(x):
            _gs_stop_1 = False
            while not _gs_stop_1 and (x > 1 or g(x)):
                if x == 7:
                    _gs_stop_1 = True
                else:
                    x -= 1
            return x
    """)


def test_return_in_for_marks_the_loop():
    check_pass("""
        def f(xs):
            for v in xs:
                if v > 9:
                    return v
            return g(xs)
    """, """
        def f(xs):
            _gs_stop_1 = False
            _gs_returned = False
            for v in __gs_exits__(xs, '_gs_stop_1'):
                if v > 9:
                    _gs_ret = v
                    _gs_stop_1 = True
                    _gs_returned = True
            if not _gs_returned:
                _gs_ret = g(xs)
            return _gs_ret
    """)


def test_constant_default_is_given_before_the_loop():
    check_pass("""
        def f(xs):
            for v in xs:
                if v > 9:
                    return v
            return 0
    """, """
        def f(xs):
            _gs_stop_1 = False
            _gs_ret = 0
            for v in __gs_exits__(xs, '_gs_stop_1'):
                if v > 9:
                    _gs_ret = v
                    _gs_stop_1 = True
            return _gs_ret
    """)


def test_endless_loop_needs_no_guard():
    check_pass("""
        def f(x):
            while True:
                x = step(x)
                if x < 1:
                    return x
    """, """
        def f(x):
            _gs_stop_1 = False
            while not _gs_stop_1:
                x = step(x)
                if x < 1:
                    _gs_ret = x
                    _gs_stop_1 = True
            return _gs_ret
    """)


def test_loop_else_without_break_just_follows():
    check_pass("""
        def f(xs):
            for v in xs:
                note(v)
            else:
                note(0)
            return 1
    """, """
        def f(xs):
            for v in xs:
                note(v)
            note(0)
            return 1
    """)


def test_raise_is_not_an_exit_that_we_restructure():
    text = "def f(x):\n    if x < 0:\n        raise ValueError('negative')\n    return x"
    check_pass(text, text)


def test_nested_functions_are_left_alone():
    text = "def f(x):\n\n    def g(y):\n        if y:\n            return 1\n        return 2\n    return g(x)"
    check_pass(text, text)


def test_new_nodes_stand_where_the_exit_stood():
    node = structure_exits(parse("""
        def f(xs):
            for v in xs:
                if v > 9:
                    return v
            return g(xs)"""))
    stop = next(n for n in gast.walk(node) if isinstance(n, gast.Assign) and isinstance(n.value, gast.Constant) and n.value.value is True)
    assert stop.lineno == 5


def test_exit_from_finally_is_refused():
    with pytest.raises(UnsupportedError, match="finally"):
        structure_exits(parse("""
            def f(x):
                try:
                    x += 1
                finally:
                    return x
                return 2"""))


# what it does ------------------------------------------------------------------------------
PROGRAMS = """
def f(a, b):
    for i in range(a):
        for j in range(b):
            if i * j > 6:
                return i, j
            if j > i:
                break
        else:
            note("whole")
            continue
        note(i)
    return note(-1)
---
def f(a, b):
    while a > 0:
        a -= 1
        if a == 3:
            for k in [1, 2]:
                if k == b:
                    return "found"
                note(k)
            else:
                if b > 2:
                    break
            if b == 0:
                continue
        note(a)
    else:
        note("done")
        if b == 1:
            return 1
    note("end")
---
def f(a, b):
    if a > 2:
        if b > 2:
            return 1
        note("x")
    elif a == 0:
        for i in range(b):
            if i == 2:
                return note(2)
    note("y")
    if b == 0:
        return
    note("z")
---
def f(a, b):
    i = 0
    while True:
        i += 1
        if i % 2:
            if i == a:
                continue
            note("odd")
        if i > b:
            if i > a:
                return i
            note("not yet")
        try:
            if i == 4:
                break
            if i == 3:
                raise ValueError
        except ValueError:
            note("caught")
            if b == 3:
                return 7
        else:
            note("else")
        finally:
            note("finally")
        with nothing():
            if i == 2:
                continue
            note("with")
        note("last")
    return -i
---
def f(a, b):
    for i in range(5):
        if i == a:
            if b == 1:
                continue
            elif b == 2:
                break
            elif b == 3:
                return i
        note(i)
    note(i)
    return i
---
def f(a, b):
    while note(a) < b:
        a += 1
        if a == 2:
            break
    for i in note([a, b]):
        return i
---
def f(a, b):
    if a:
        raise ValueError
    else:
        return b
---
def f(a, b):
    for i in range(a):
        pass
    else:
        for j in range(b):
            if j == 1:
                break
            if j == i:
                return j
        else:
            return i
        note("both")
    return 9
""".split("---")


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("text", PROGRAMS)
def test_same_as_before(text):
    check_same(text, *((a, b) for a in range(6) for b in range(6)))


class Generator:
    """Random functions that are mostly ways out."""

    def __init__(self, seed):
        self.random, self.names, self.size = random.Random(seed), 0, 0

    def function(self):
        return "def f(a, b):\n" + self.block(4, loop=False, indent=1, top=True)

    def block(self, depth, loop, indent, top=False):
        count = self.random.randint(2, 5) if top else self.random.randint(1, 3)
        return "".join(self.statement(depth, loop, indent) for _ in range(count))

    def test(self):
        name = self.random.choice("ab")
        return self.random.choice([f"{name} % 3 == {self.random.randint(0, 2)}", f"note({name}) > {self.random.randint(0, 4)}",
                                   f"not {name}", "a < b", "a % 2 and b % 2"])

    def statement(self, depth, loop, indent):
        self.size += 1
        pad, choose = "    " * indent, self.random.random
        r = choose()
        inner = lambda loop=loop: self.block(depth - 1, loop, indent + 1)
        if depth == 0 or self.size > 60 or r < 0.3:
            return pad + self.simple(loop) + "\n"
        if r < 0.62:
            text = f"{pad}if {self.test()}:\n{inner()}"
            return text + (f"{pad}else:\n{inner()}" if choose() < 0.4 else "")
        if r < 0.9:
            return self.loop(depth, loop, pad, inner)
        if r < 0.95:
            return f"{pad}with nothing():\n{inner()}"
        text = f"{pad}try:\n{inner()}{pad}except ValueError:\n{inner()}"
        text += f"{pad}else:\n{inner()}" if choose() < 0.5 else ""
        return text + (f"{pad}finally:\n{pad}    note('finally')\n" if choose() < 0.5 else "")

    def loop(self, depth, loop, pad, inner):
        self.names += 1
        k = f"k{self.names}"
        if self.random.random() < 0.6:
            text = f"{pad}for {k} in range({self.random.choice(['a', 'b', '2', '3'])} % 4):\n{pad}    a += {k}\n{inner(True)}"
        else:
            test = self.random.choice(["True", f"{k} < 4", f"a < 9 and {k} < 5"])
            text = f"{pad}{k} = 0\n{pad}while {test}:\n{pad}    {k} += 1\n{pad}    if {k} > 6: {self.random.choice(['break', 'return a'])}\n{inner(True)}"
        return text + (f"{pad}else:\n{inner()}" if self.random.random() < 0.3 else "")

    def simple(self, loop):
        exits = ["return a", "return note(a + b)", "return", "return a, b", "raise ValueError"] + ["break", "continue"] * 4 * loop
        others = ["a += 1", "b = a - b", "note((a, b))", "b += 1", "note(b)"]
        return self.random.choice(exits if self.random.random() < 0.4 else others)


@pytest.mark.heavy(one_in=10)
@pytest.mark.parametrize("start", range(0, int(os.environ.get("GS_EXITS", 200)), 100))
def test_random_functions(start):
    for seed in range(start, start + 100):
        check_same(Generator(seed).function(), (0, 0), (1, 2), (3, 1), (2, 5), (7, 4))
