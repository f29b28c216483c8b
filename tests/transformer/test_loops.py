"""Loop core: what its passes do, before and after; what is refused; how the targets spell it."""
import ast
import inspect
import itertools
import textwrap
from pathlib import Path

import numpy as np
import pytest

from gradscribe.runtime.plain import scalars
from gradscribe.transformer import loop_core, lower
from gradscribe.transformer.core.types import PY_INT, Dim, Type
from gradscribe.transformer.loop_core.checking import LoopError, verify_loops
from gradscribe.transformer.loop_core.core import (BOOL, F8, I8, ONE, ZERO, Alloc, Assign, Binary, Call, Check, Copy,
                                                   Do, Function, If, Length, Load, Loop, Name, Share, Span, Store, View,
                                                   While, expr, number, rs)
from gradscribe.transformer.loop_core.hearing import listens, work
from gradscribe.transformer.loop_core.hoist import hoist
from gradscribe.transformer.loop_core.naming import name_values
from gradscribe.transformer.loop_core.outputs import Output, hand_in
from gradscribe.transformer.loop_core.share import part_out
from gradscribe.transformer.loop_core.show import SPELLINGS, show
from tests.transformer.coretext import core

x, y, t, u = (Name(n, F8) for n in "xytu")
i, j, k, m, n = (Name(n, I8) for n in "ijkmn")
flag = Name("flag", BOOL)


def fresh():
    """Gives names that nothing has."""
    counts: dict = {}
    return lambda hint: f"{hint}{next(counts.setdefault(hint, itertools.count()))}_"


def reads(fun, text):
    """A function, or several, have this text."""
    lines = "\n".join(map(show, fun if isinstance(fun, list) else [fun])).split("\n")
    assert "\n".join([line for line in lines if "rs.listen" not in line]) == textwrap.dedent(text).strip()


def loop(index, stop, *body, **about):
    return Loop(index, ZERO, stop, ONE, body, **about)


def f(*body, params=(x, y, n, m, k, flag), results=None):
    return verify_loops(Function("f", params, body, results), "the test")


# hoist ------------------------------------------------------------------------------------------------
def test_memory_that_each_iteration_would_take_is_taken_before_the_loop():
    body = (Alloc(t, (m,), zeroed=True, leaves=1),
            loop(j, m, Check(k >= 0, 3, (k,), leaves=1), Store(t, (j,), x, add=True)))
    before = f(loop(i, n, *body))
    reads(before, """
        def f(x, y, n, m, k, flag):
            for i in range(n):
                t = rm.zeros((m,), np.float64)
                for j in range(m):
                    rs.check(k >= 0, 3, k, 0)
                    t[j] += x
    """)
    reads(verify_loops(hoist(before), "hoist"), """
        def f(x, y, n, m, k, flag):
            t = rm.buffer((m,), np.float64)
            for i in range(n):
                rm.clear(t)
                rs.check(k >= 0, 3, k, 0)
                for j in range(m):
                    t[j] += x
    """)


def test_memory_stays_where_its_length_is_made_and_leaves_no_more_loops_than_it_may():
    reads(hoist(f(loop(i, n, Assign(j, i + 1), Alloc(t, (j,), leaves=1)))), """
        def f(x, y, n, m, k, flag):
            for i in range(n):
                j = i + 1
                t = rm.empty((j,), np.float64)
    """)
    reads(hoist(f(loop(i, n, While(flag, (loop(j, n, Alloc(t, (m,), leaves=2)),))))), """
        def f(x, y, n, m, k, flag):
            for i in range(n):
                t = rm.buffer((m,), np.float64)
                while flag:
                    for j in range(n):
                        pass
    """)


def test_out_of_a_branch_goes_memory_that_may_and_no_check():
    branch = If(flag, (Alloc(t, (m,), leaves=1, branches=True), Alloc(u, (m,), leaves=1), Check(k > 0, 1, leaves=1)))
    reads(hoist(f(loop(i, n, branch))), """
        def f(x, y, n, m, k, flag):
            t = rm.buffer((m,), np.float64)
            for i in range(n):
                if flag:
                    u = rm.empty((m,), np.float64)
                    rs.check(k > 0, 1, 0, 0)
    """)
    reads(hoist(f(branch)), """
        def f(x, y, n, m, k, flag):
            if flag:
                t = rm.empty((m,), np.float64)
                u = rm.empty((m,), np.float64)
                rs.check(k > 0, 1, 0, 0)
    """)


def test_equal_checks_are_made_once():
    checks = [Check(k >= 0, 3, leaves=1)] * 2
    assert show(hoist(f(loop(i, n, *checks)))).count("rs.check") == 1


# naming -----------------------------------------------------------------------------------------------
def value(number, of, keep=False):
    """A placeholder, and the statement that makes it."""
    name = Name(f"{number} e", F8)
    return name, Assign(name, of, "e", keep)


def test_what_is_read_twice_gets_a_name_and_what_is_read_once_none():
    e1, one = value(1, Load(x, (i,)) * Load(y, (i,)))
    e2, two = value(2, Call("vm.exp_f8", (e1,)))
    e3, three = value(3, e2 / e1)
    unread, four = value(4, Load(x, (i,)))
    reads(name_values(f(loop(i, n, one, two, three, four, Store(y, (i,), e3))), fresh()), """
        def f(x, y, n, m, k, flag):
            for i in range(n):
                e0_ = x[i] * y[i]
                y[i] = vm.exp_f8(e0_) / e0_
    """)


def test_what_is_read_in_another_loop_or_kept_gets_a_name():
    e1, one = value(1, Load(x, (i,)) * 2.0)
    e2, two = value(2, Load(x, (i,)), keep=True)
    reads(name_values(f(loop(i, n, one, loop(j, m, Store(y, (j,), e1)), two, Store(y, (i,), e2))), fresh()), """
        def f(x, y, n, m, k, flag):
            for i in range(n):
                e0_ = x[i] * 2.0
                for j in range(m):
                    y[j] = e0_
                e1_ = x[i]
                y[i] = e1_
    """)


def test_a_large_value_gets_a_name():
    total, stmts = Load(x, (i,)), []
    for number in range(9):
        total, stmt = value(number, total + Load(y, (i,)))
        stmts.append(stmt)
    text = show(name_values(f(loop(i, n, *stmts, Store(y, (i,), total))), fresh()))
    assert "y[i] = e0_ + y[i]" in text or "y[i] = e1_" in text


# share ------------------------------------------------------------------------------------------------
def test_a_shared_loop_becomes_a_function():
    body = Alloc(t, (m,)), Store(y, (i,), Load(x, (i,)) * k)
    main, parts = part_out(f(loop(i, n, *body, kind="independent", share=Share((y,), 1, True))), fresh())
    reads([verify_loops(main, "share"), *(verify_loops(p, "share") for p in parts)], """
        def f(x, y, n, m, k, flag):
            rp.share(f_part0_, n, (m, y, x, k), 1, True)
        def f_part0_(low0_, high0_, m, y, x, k):
            y = rm.fresh(y)
            for i in range(low0_, high0_):
                rs.natural(i)
                rp.one_by_one()
                t = rm.empty((m,), np.float64)
                y[i] = x[i] * k
    """)


def test_a_shared_loop_may_go_backwards_and_have_vectors():
    back = Loop(i, n - 1, expr(-1), expr(-1), (Store(y, (i,), x),), "independent", Share((y,), 256, False))
    reads([*part_out(f(back), fresh())[1], part_out(f(back), fresh())[0]], """
        def f_part0_(low0_, high0_, y, x, n):
            y = rm.fresh(y)
            for i in range(n - 1 - low0_, n - 1 - high0_, -1):
                rs.natural(i)
                y[i] = x
        def f(x, y, n, m, k, flag):
            rp.share(f_part0_, n - 1 + 1, (y, x, n), 256, False)
    """.replace("high0_, y, x, n)", "high0_, n, y, x)").replace("(y, x, n)", "(n, y, x)"))


# outputs ----------------------------------------------------------------------------------------------
VECTOR = Type("array", F8, (Dim.of("n"),))


def test_results_are_handed_in():
    before = f(Assign(n, Length(x, 0)), Alloc(y, (n,)), Alloc(t, (expr(2), n), zeroed=True), Copy(u, x),
               Assign(m, k + 1), params=(k, x), results=(t, y, m, u, y))
    taken = hand_in(before, {"k": PY_INT, "x": VECTOR}, fresh())
    reads(verify_loops(taken.function, "outputs"), """
        def f(k, x, t_out0_, y_out0_, u_out0_):
            n = x.shape[0]
            y = rm.fresh(y_out0_)
            t = rm.fresh(t_out0_)
            rm.clear(t)
            u = rm.copy_to(x, u_out0_)
            m = k + 1
            return (m,)
    """)
    assert taken.outputs == (Output((2, (1, 0)), F8), Output(((1, 0),), F8), Output(((1, 0),), F8))
    assert taken.results == (("out", 0), ("out", 1), ("returned", 0), ("out", 2), ("out", 1))


@pytest.mark.parametrize("stmts", [
    (Alloc(y, (k,)),),                                      # of a length that no argument has
    (Alloc(y, (expr(3),)), Assign(y, x)),                   # another array afterwards
    (Assign(y, View(x, (Span(ONE),))),),                    # a view
    (loop(i, k, Alloc(y, (expr(3),))), Assign(y, x)),       # in a loop
], ids=["length", "bound again", "view", "loop"])
def test_other_results_are_not(stmts):
    before = f(*stmts, params=(k, x), results=(y,))
    taken = hand_in(before, {"k": PY_INT, "x": VECTOR}, fresh())
    assert taken.function == before and not taken.outputs and taken.results == (("returned", 0),)


# check ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("body, message", [
    ((Store(y, (i,), x),), "i is read but not bound there"),
    ((If(flag, (Assign(t, x),)), Store(y, (k,), t)), "t is read but not bound there"),
    ((loop(i, n, Assign(t, x)), Store(y, (k,), t)), "t is read but not bound there"),
    ((loop(i, n, Assign(i, k)),), "i, the index of a loop, is bound in it"),
    ((Alloc(t, (n,)), Alloc(t, (n,))), "memory is given to t in two places"),
    ((Assign(Name("t"), x),), "t has no dtype"),
    ((Assign(t, n),), "t is of float64, and its value of int64"),
    ((loop(i, n, Do(rs.natural(j))),), "j is read but not bound there"),
])
def test_what_breaks_the_grammar_is_refused_with_the_name_of_the_pass(body, message):
    with pytest.raises(LoopError, match=f"after a pass: {message}"):
        verify_loops(Function("f", (x, y, n, m, k, flag), body), "a pass")


def test_what_both_sides_of_a_branch_bind_is_bound():
    verify_loops(f(If(flag, (Assign(t, x),), (Assign(t, y),)), Store(y, (k,), t)), "the test")


# expressions ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("e, text", [
    (expr(-1.0) ** n, "(-1.0) ** n"), (-(x ** 2), "-x ** 2"), ((-x) ** 2, "(-x) ** 2"), (x - (y - t), "x - (y - t)"),
    (x - y - t, "x - y - t"), ((n > 0) & n.eq(m), "(n > 0) & (n == m)"), (number(-np.inf, F8), "-np.inf"),
    (number(-0.0, F8), "-0.0"), (number(2, np.float32), "np.float32(2.0)"), (Load(x, ()), "x[()]"),
    (Load(x, (i, j + 1)), "x[i, j + 1]"), (View(x, (None, Span(ONE, None), i)), "x[None, 1:, i]"),
    (View(x, ()), "x[...]"), (Binary("or", n > 0, Binary("and", n < 1, flag)), "n > 0 or (n < 1 and flag)"),
])
def test_precedence_is_pythons(e, text):
    assert show(e) == text
    ast.parse(text)


@pytest.mark.parametrize("e, dtype", [
    (n + m, I8), (n / m, F8), (x < y, BOOL),
    (number(1, np.int8) + number(2, np.int8), I8), (number(1, np.float32) * number(2, np.float32), np.dtype("f4")),
    (rs.select(flag, x, y), F8), (rs.index(n, m, 3), I8), (Load(x, (i,)), F8),
])
def test_dtypes_follow(e, dtype):
    assert e.dtype == dtype


def test_an_expression_is_not_known_now():
    with pytest.raises(TypeError, match="not known now"):
        bool(x < y)


# targets ----------------------------------------------------------------------------------------------
def test_two_targets_spell_the_same_function():
    fun = f(Alloc(t, (n,), zeroed=True), Check(k >= 0, 2, (k,)), Copy(u, x), results=(t, u))
    assert SPELLINGS["plain"].text(fun) == textwrap.dedent("""
        def f(x, y, n, m, k, flag):
            t = np.zeros((n,), np.float64)
            if not k >= 0:
                raise rs.Failure(2, int(k), int(0))
            u = x.copy('K')
            return (t, u)
    """).strip()
    assert SPELLINGS["numba"].text(fun) == textwrap.dedent("""
        def f(x, y, n, m, k, flag):
            t = rm.zeros((n,), np.float64)
            rs.check(k >= 0, 2, k, 0)
            u = rm.copy(x)
            return (t, u)
    """).strip()


def test_the_functions_that_loops_call_are_there():
    names = {f"rs.{e}" for e in vars(scalars)}
    assert {name for name in loop_core.core.RESULTS if name.startswith("rs.")} <= names


# no text ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("package", [lower, loop_core])
def test_nothing_is_matched_parsed_or_tried_as_text(package):
    """Loops are data until they are printed."""
    for path in Path(inspect.getfile(package)).parent.glob("*.py"):
        source = path.read_text()
        imported = {a.name for s in ast.walk(ast.parse(source)) if isinstance(s, (ast.Import, ast.ImportFrom))
                    for a in s.names}
        assert ("re" not in imported and "ast.parse" not in source and ".trial(" not in source
                and "eval(" not in source), path
        assert path.name == "show.py" or "ast" not in imported, path


def test_a_target_may_have_to_wait():
    """What it has started is done before results are looked at."""
    from dataclasses import replace

    from gradscribe.runtime.loading.targets import PLAIN
    from gradscribe.runtime.loading.trampoline import trampoline
    waited = []
    fun = lower.lower(core('def f(x: "f8[n]"):\n    y = x * 2.0\n    return (y,)\n'))
    run = trampoline(fun, replace(PLAIN, wait=lambda: waited.append(True)))
    assert run(np.ones(2))[0].tolist() == [2.0, 2.0] and waited == [True]
    assert run.call.outs and trampoline(fun, PLAIN)(np.ones(2))[0].tolist() == [2.0, 2.0] and waited == [True]


def test_integers_with_a_sign_and_without_make_one_with():
    """As in numba; an exact float of both would be rounded."""
    a, b = Name("a", np.dtype(np.int64)), Name("b", np.dtype(np.uint64))
    assert (a + b).dtype == (b * a).dtype == np.int64 and (b + b).dtype == np.uint64 and (a / b).dtype == np.float64


def test_loops_that_may_last_listen_for_signals():
    """With the steps of a round; sums, maps and what has few rounds do not, nor, in one that does,
    what runs through arrays."""
    plain, few = Loop(i, ZERO, n, ONE, (Store(y, (i,), t),)), Loop(j, ZERO, expr(3), ONE, (Store(y, (j,), t),))
    around = Loop(k, ZERO, m, ONE, (plain, few))
    summed = Loop(i, ZERO, n, ONE, (Assign(t, rs.radd(t, Load(x, (i,)))),))
    doubled = Loop(i, ZERO, n, ONE, (Assign(t, t * 2.0),))
    found = [listens(s, False)
             for s in (plain, few, summed, Loop(k, ZERO, m, ONE, (few,)), around, doubled, While(flag, (few,)))]
    assert found == [False] * 4 + [True] * 3 and show(work(around.body)) == "n + 3"
    through = Loop(k, ZERO, m, ONE, (plain, Store(y, (k,), t)))
    assert listens(through, False) and not listens(through, True) and listens(Loop(j, ZERO, n, ONE, (through,)), True)
    assert [listens(s, True) for s in (doubled, around, While(flag, (few,)))] == [True] * 3
