"""Exits: the result has one return, at its end, and does what the function did."""
import gast
import pytest

from gradscribe.transformer.errors.messages import UnsupportedError
from gradscribe.transformer.frontend.exits import structure_exits
from tests.transformer.exiting import parse


def shown(text):
    return gast.unparse(structure_exits(parse(text))).strip()


def check_pass(before, after):
    assert shown(before) == gast.unparse(parse(after)).strip()


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
    stop = next(n for n in gast.walk(node)
                if isinstance(n, gast.Assign) and isinstance(n.value, gast.Constant) and n.value.value is True)
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


def test_a_context_that_ends_an_exception_comes_to_what_follows():
    check_pass("""
        def f(x):
            with suppress(KeyError):
                return d[x]
            return x
    """, """
        def f(x):
            _gs_ret = None
            _gs_falls_1 = True
            with suppress(KeyError):
                _gs_ret = d[x]
                _gs_falls_1 = False
            if _gs_falls_1:
                _gs_ret = x
            return _gs_ret
    """)
