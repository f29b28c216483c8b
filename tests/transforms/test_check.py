"""`gs.check` lists what is refused without running it, and an error names all that is wrong in its function."""
import collections
import math

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.transformer.specialise.evaluator.names import tables
from gradscribe.transformer.specialise.refusals import findings, syntax

X = np.array([1.0, 2.0])


def places(problems):
    """[(text that the caret is under, message)]"""
    return [(p.origin.segment.split("\n")[0], p.message) for p in problems]


# what is found --------------------------------------------------------------------------------------------------------

def several_problems(x):
    class C: pass
    with np.errstate(all="ignore"):
        y = np.busday_count(x, x)
    z = np.random.normal(size=3)
    try:
        y = y / z
    except ZeroDivisionError:
        y = y + 1.0
    return sum(v for v in y) + not_defined


SEVERAL = [
    ("class C: pass", "cannot transform a class inside a function"),
    ("np.busday_count(x, x)", "np.busday_count has no rule"),
    ("np.random.normal(size=3)", "np.random.normal depends on hidden random state"),
    ("not_defined", "the name 'not_defined' is not defined"),
]


def test_all_problems_are_listed_in_the_order_of_the_text():
    assert places(gs.check(several_problems)) == SEVERAL
    assert all(p.instead for p in gs.check(several_problems))


def test_an_error_names_all_of_them():
    with pytest.raises(gs.UnsupportedError) as caught:
        gs.grad(several_problems)(X)
    assert places(caught.value.problems) == SEVERAL
    assert str(caught.value).count("^\n") == len(SEVERAL)


def test_the_report_prints_as_an_error_does():
    report = gs.check(several_problems)
    with pytest.raises(gs.UnsupportedError) as caught:
        gs.grad(several_problems)(X)
    assert str(report) == repr(report) == str(caught.value)
    assert str(gs.check(lambda x: x * 2)) == "no problems found"


def test_where_it_stopped_comes_first():
    """The class is that of the error that arose; what else there is follows."""
    def f(x):
        y = np.quantile(x, 0.5, weights=x)
        class C: pass
        return y, C

    with pytest.raises(gs.GradscribeError) as caught:
        gs.grad(f)(X)
    first, *others = caught.value.problems
    assert first.origin.segment == "np.quantile(x, 0.5, weights=x)"
    assert places(others) == [("class C: pass", "cannot transform a class inside a function")]


def test_problems_of_a_helper_are_listed_with_those_of_the_function():
    assert ([message for _, message in places(gs.check(uses_a_helper))]
            == ["cannot transform an async function", "cannot transform a class inside a function"])
    with pytest.raises(gs.UnsupportedError) as caught:
        gs.grad(uses_a_helper)(X)
    # of the function that it arose in
    assert places(caught.value.problems) == [("class C: pass", "cannot transform a class inside a function")]


def helper(x):
    class C: pass
    return C.sin(x[0])


def uses_a_helper(x):
    y = helper(x)

    async def wait():
        return y

    return recursive(x)


def recursive(x):
    return uses_a_helper(x)


def test_what_a_nested_function_does_counts():
    def f(x):
        async def inner(y):
            await y
        return list(map(lambda v: not_there, x))

    assert [m for _, m in places(gs.check(f))] == ["cannot transform an async function",
                                                   "the name 'not_there' is not defined"]


# what is not ----------------------------------------------------------------------------------------------------------

def fine(x, n: {"an": "annotation"} = 3, *rest, flag=False, **named):
    global_function = np.sum
    y = [np.float64(v) for v in x]
    if n < 0:
        raise ValueError(f"negative: {n}")
    for k, v in enumerate(y):
        y[k] = math.sin(v) * gs.stop_gradient(v) + Helper.scale
    if False:
        class C: pass
    return global_function(np.array(y)) if True else not_there


class Helper:
    scale = 2.0


def test_nothing_is_found_where_nothing_is_wrong():
    assert gs.check(fine) == ()
    gs.grad(fine)(X)
    assert gs.check(lambda x: gs.grad(lambda y: np.sum(y ** 2))(x)) == ()


def test_dead_code_is_not_refused_when_called():
    def f(x, mode="a"):
        if mode == "b":
            class C: pass
            return C
        return np.sum(x)

    assert [m for _, m in places(gs.check(f))] == ["cannot transform a class inside a function"]
    np.testing.assert_array_equal(gs.grad(f)(X), [1.0, 1.0])
    assert gs.check(f, X) == ()


# ways to call it ------------------------------------------------------------------------------------------------------

def test_transformed_functions_are_looked_through():
    assert places(gs.check(gs.jit(gs.grad(several_problems)))) == SEVERAL


def test_arguments_bring_types_and_shapes():
    def f(x, y):
        return np.sum(x @ y)

    assert gs.check(f) == gs.check(f, X, X) == ()
    (problem,) = gs.check(gs.grad(f), np.array([1, 2]), X)
    assert "int64" in problem.message
    (problem,) = gs.check(gs.grad(lambda x: x * 2), X)
    assert "one float" in problem.message


def test_arguments_are_left_alone():
    def f(x):
        x[0] = 5.0
        return np.sum(x)

    x = X.copy()
    assert gs.check(f, x) == ()
    np.testing.assert_array_equal(x, X)


def test_what_has_no_source_is_a_problem():
    assert "not written in Python" in gs.check(len)[0].message
    assert "no source text" in gs.check(eval("lambda x: x"))[0].message


def test_a_coroutine_is_refused_as_a_whole():
    async def f(x):
        return x

    (problem,) = gs.check(f)
    assert "coroutine" in problem.message


def test_what_a_yield_may_not_do():
    def f(x):
        y = yield x
        try:
            yield y
        finally:
            y = 2.0

    assert [m for _, m in places(gs.check(f))] == ["a yield whose value is used", "a yield inside a try or with block"]


# the table ------------------------------------------------------------------------------------------------------------

DESUGARED = {"Match", "Assert", "Break", "Continue", "FormattedValue", "NamedExpr", "Return", "Starred", "YieldFrom"}
OF_OTHER_PYTHONS = {"Print", "Exec", "Repr", "TemplateStr", "Interpolation"}


def test_every_kind_of_syntax_is_handled_or_in_the_table():
    import gast
    kinds = ({c.__name__ for c in vars(gast).values() if isinstance(c, type) and issubclass(c, (gast.stmt, gast.expr))}
             - {"stmt", "expr"})
    handled = {c.__name__ for c in [*tables.EXECUTE, *tables.EVALUATE]}
    assert not handled & set(syntax.REFUSED)
    assert kinds - handled - set(syntax.REFUSED) - DESUGARED - OF_OTHER_PYTHONS == set()


@pytest.mark.parametrize("f, refused", [
    (np.sum, False), (np.exp, False), (len, False), (ValueError, False), (np.float32, False), (fine, False),
    (np.isfortran, True), (set, False), (complex, False), (Helper, False), (collections.deque, False),
    (collections.Counter, False), (collections.ChainMap, True), (np.bitwise_xor.at, True), (sorted, False)])
def test_what_is_called_is_known(f, refused):
    assert (findings.refused_call(f) is not None) == refused


def widens(x, n):
    s = np.zeros(n)
    for i in range(n):
        s[i] = 2.0 * x[i]
    y = x / np.sqrt(n)
    return np.sum(y * s)


def stays_single(x, n):
    return np.sum(np.zeros(n, dtype=x.dtype) + x / np.float32(np.sqrt(n))) + np.sum(np.gradient(x)) + np.var(x)


def test_where_float32_becomes_float64():
    single, start = np.ones(4, np.float32), widens.__code__.co_firstlineno
    for f in (widens, gs.grad(widens), gs.jit(widens)):
        report = gs.check(f, single, 4)
        assert [(p.origin.line - start, p.message) for p in report] == [(4, "float32 becomes float64 here")]
        assert "np.zeros(n, dtype=x.dtype)" in report[0].instead
    assert not gs.check(widens, np.ones(4), 4) and not gs.check(gs.grad(stays_single), single, 4)
