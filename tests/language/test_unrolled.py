"""A program that is long because a loop is written out says so, with the line of the loop."""
import warnings

import numpy as np
import pytest

import gradscribe as gs

MANY = tuple([0.01 * k if k % 2 else k // 50 for k in range(120)])  # of one kind they would be rows of an array
LINE = 7  # of a function below: where its loop stands


def over_a_list(x, parts):
    """Its loop stands where LINE says."""
    # one line
    # and another one
    # and one more
    y = x
    z = y
    for a in parts:
        y = a * np.sin(y) + z
        z = y * np.cos(z) + a
    return np.sum(y * z)


def with_a_history(x, count):
    """It keeps all that there was."""
    # one line
    # and another one
    # and one more
    history = [x]
    y = x
    while count > 0:
        y = np.sin(y) * history[0] + history[-1]
        history = [y, *history][::-1]
        count -= 1
    return np.sum(y)


def in_a_function(x, parts):
    """The loop is that of the function which it calls."""
    return over_a_list(x, parts) + 1.0


WAYS = {"grad": gs.grad, "jit": lambda f: gs.jit(gs.grad(f)), "tiered": lambda f: gs.jit(gs.grad(f), tiered=True)}
CASES = {"list": (over_a_list, MANY, over_a_list, "for a in parts:", 120),
         "while": (with_a_history, 200, with_a_history, "while count > 0:", 200),
         "called": (in_a_function, MANY, over_a_list, "for a in parts:", 120)}


def said(run):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        run()
    return [w for w in caught if w.category is gs.UnrolledWarning]


@pytest.mark.heavy(one_in=13)
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("way", ["grad", "jit", "tiered"])
def test_the_warning_names_the_line_once(way, case):
    fun, n, owner, head, rounds = CASES[case]
    f = WAYS[way](fun)
    found = said(lambda: [f.source(np.ones(3), n), f.source(np.ones((2, 3)), n)])
    (warning,) = found
    line = owner.__code__.co_firstlineno + LINE
    assert (warning.filename, warning.lineno) == (__file__, line)
    text = str(warning.message)
    assert (text.startswith(f"{fun.__name__}: ") and f"since `{head}` at " in text
            and f":{line} is written out: {rounds} rounds" in text)
    assert int(text.split()[1]) > 500


def test_what_is_computed_is_the_same():
    x, found = np.linspace(0.1, 0.5, 3), []
    assert len(said(lambda: found.append(gs.grad(over_a_list)(x, MANY)))) == 1
    np.testing.assert_allclose(found[0], gs.grad(over_a_list)(x, np.array(MANY)), rtol=1e-10)


@pytest.mark.parametrize("args", [(np.ones(3), MANY[:10]), (np.ones(3), np.array(MANY))], ids=["few", "an array"])
def test_no_warning_of_what_is_short(args):
    assert not said(lambda: gs.grad(over_a_list)(*args))


@pytest.mark.heavy(one_in=2)
def test_no_warning_of_a_loop_that_is_a_small_part_of_a_long_program(tmp_path, monkeypatch):
    body = "".join(f"    x = np.sin(x) * {k}.5 + x\n" for k in range(400))
    (tmp_path / "long_program.py").write_text("import numpy as np\n\n\ndef f(x):\n    for a in [0.1, 0.2]:\n"
                                              f"        x = a * x\n{body}    return np.sum(x)\n")
    monkeypatch.syspath_prepend(tmp_path)
    from long_program import f
    g = gs.grad(f)
    assert not said(lambda: g(np.ones(2))) and g.source(np.ones(2)).count("\n") > 500
