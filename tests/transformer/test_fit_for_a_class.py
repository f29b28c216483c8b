"""Generated source that a teacher shows as it is: forty textbook functions, and fifteen rules."""
import importlib
import os
import re
from pathlib import Path

import numpy as np
import optree
import pytest

import gradscribe as gs
from tests.corpus.programs import PROGRAMS
from tests.corpus.textbook_examples import EXAMPLES
from tests.support.cases import rotating
from tests.transformer.fit_for_a_class import RULES, broken_rules

GOLDEN = Path(__file__).parents[1] / "golden" / "textbook"
FUNCTIONS = {f.__name__: (f, args) for f, args in EXAMPLES.items()}


def differentiable(args) -> tuple[int, ...]:
    return tuple(k for k, a in enumerate(args) if not isinstance(a, int)
                 and not (isinstance(a, np.ndarray) and a.dtype.kind == "i"))


def gradient(f, args):
    """Of a function with one number as its result; else its Jacobian."""
    return (gs.grad if np.ndim(f(*args)) == 0 else gs.jacrev)(f, argnums=differentiable(args))


def pullback(f, args, at):
    value, pull = gs.vjp(f, *args)
    return pull.source(optree.tree_map(np.ones_like, value))


def batched(f, args, at):
    first = at[0]
    examples = [optree.tree_map(lambda x: np.stack([x, x]), a) if k == first else a for k, a in enumerate(args)]
    return gs.vmap(f, in_axes=tuple(0 if k == first else None for k in range(len(args)))).source(*examples)


TEXTS = {
    "grad": lambda f, args, at: gs.grad(f, argnums=at if len(at) > 1 else at[0]).source(*args), "vjp": pullback,
    "jvp": lambda f, args, at: gs.jacfwd(f, argnums=at[0]).source(*args),
    "hessian": lambda f, args, at: gs.hessian(f, argnums=at[0]).source(*args), "vmap": batched}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_golden(name):
    """GRADSCRIBE_GOLDEN=write writes the files anew: read the difference before you commit it."""
    f, args = FUNCTIONS[name]
    text = gradient(f, args).source(*args)
    first = f.__code__.co_firstlineno
    text = re.sub(r"(?<=adjoint of line )\d+", lambda number: str(int(number[0]) - first + 1), text)
    file = GOLDEN / f"{name}.py"
    if os.environ.get("GRADSCRIBE_GOLDEN") == "write":
        GOLDEN.mkdir(exist_ok=True)
        file.write_text(text)
    assert text == file.read_text()


@pytest.mark.heavy(one_in=4)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_rules(name):
    f, args = FUNCTIONS[name]
    for way, text in TEXTS.items():
        if way == "grad":
            assert not broken_rules(gradient(f, args).source(*args), f)
        elif way != "hessian" or np.ndim(f(*args)) == 0:
            assert not broken_rules(text(f, args, differentiable(args)), f), way


@pytest.mark.heavy(one_in=4)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_gradients_are_those_of_forward_mode(name):
    f, args = FUNCTIONS[name]
    at = differentiable(args)
    made, rng = gradient(f, args)(*args), np.random.default_rng(1)
    directions = [optree.tree_map(lambda x: rng.standard_normal(np.shape(x)) if np.ndim(x) else float(rng.normal()), a)
                  if k in at else optree.tree_map(np.zeros_like, a) if np.ndim(a) else 0 for k, a in enumerate(args)]
    _, want = gs.jvp(f, args, tuple(directions))
    leaves = [optree.tree_leaves(x) for x in (made, tuple(directions[k] for k in at))]
    got = sum(np.tensordot(m, d, np.ndim(d)) for m, d in zip(*leaves, strict=True))
    np.testing.assert_allclose(got, want, rtol=1e-9, atol=1e-12)


# each way has its turn: 31 has no factor in common with their number
CASES = [(p, way) for p in PROGRAMS if not p.raises and not p.static_argnums for way in TEXTS]
NO_JACOBIAN = {("clipped_with_count", "jvp"): "a count", ("band_mask", "jvp"): "bools",
               ("called_object", "hessian"): "an object with a ufunc", ("objects_in_a_list", "hessian"): "the same",
               ("area_of", "hessian"): "a text beside what is differentiated"}  # what has none: refused
SCIENCE = sorted(path.stem for path in (Path(__file__).parents[2] / "examples" / "science").glob("*.py"))


def shown_text(f, way: str, make_args, at: tuple[int, ...]) -> str:
    """The source of a transformation; of a function that has no such, its own as it is shown."""
    is_number = isinstance(f(*make_args()), (float, np.floating))
    if way in ("grad", "hessian") and not is_number or (f.__name__, way) in NO_JACOBIAN:
        return gs.jit(f).source(*make_args(), stage="readable")
    if way == "vmap" and not all([np.asarray(x).dtype.kind in "biufc" for x in optree.tree_leaves(make_args()[at[0]])]):
        return gs.jit(f).source(*make_args(), stage="readable")
    return TEXTS[way](f, make_args(), at)


@pytest.mark.heavy(one_in=4)
@pytest.mark.parametrize("p, way", rotating(CASES, 31), ids=lambda x: x if isinstance(x, str) else x.fun.__name__)
def test_rules_over_the_corpus(p, way):
    assert not broken_rules(shown_text(p.fun, way, p.make_args, p.argnums), p.fun)


@pytest.mark.heavy(one_in=10)
@pytest.mark.parametrize("name, way", rotating([(n, way) for n in SCIENCE for way in TEXTS if way != "hessian"], 15))
@pytest.mark.filterwarnings("ignore::gradscribe.UnrolledWarning")
def test_rules_over_science(name, way):
    """Not Hessians, which take long."""
    module = importlib.import_module(f"examples.science.{name}")
    at = tuple(k for k, x in enumerate(module.arguments()) if optree.tree_leaves(x)
               and all([np.asarray(leaf).dtype.kind == "f" for leaf in optree.tree_leaves(x)]))
    f = getattr(module, name)
    assert not broken_rules(shown_text(f, way, module.arguments, at), f)


@pytest.mark.parametrize("broken", [
    ("what_has_no_name_is_called_after_what_it_is", "def g(c, x):\n    t2 = x\n    return t2\n"),
    ("names_have_no_traces_of_the_compiler", "def g(c, x):\n    x__1 = x\n    return x__1\n"),
    ("no_function_is_hidden_by_a_variable", "def g(c, x):\n    len = len(c)\n    return len\n"),
    ("what_is_assigned_is_read", "def g(c, x):\n    y = x\n    return x\n"),
    ("nothing_is_assigned_to_itself", "def g(c, x):\n    x = x\n    return x\n"),
    ("numbers_are_counted_with_augmented_assignments", "def g(c, x):\n    x = x + 1\n    return x\n"),
    ("signs_are_not_doubled", "def g(c, x):\n    return x + -c\n"),
    ("one_is_not_taken_to_be_added", "def g(c, x):\n    return range(len(c) - 1 + 1)\n"),
    ("ranges_begin_where_python_begins_them", "def g(c, x):\n    return range(0, x)\n"),
    ("constants_are_as_short_as_their_type_allows", "def g(c, x):\n    return np.float32(0.0010000000474974513)\n"),
    ("lines_have_at_most_a_hundred_characters", f"def g(c, x):\n    return f(x{', x' * 40})\n"),
    ("messages_do_not_fill_lines", f"def g(c, x):\n    rt.same_sizes(x, x, count=1, how='{'a ' * 48}')\n"),
    ("imports_are_used", "import numpy as np\ndef g(c, x):\n    return x\n"),
    ("each_comment_of_the_users_stands_there_once", "def g(c, x):\n    return x\n"),
    ("adjoints_are_announced_by_their_lines", "# adjoint of line 2: x = 3\ndef g(c, x):\n    return x\n"),
], ids=lambda pair: pair[0])
def test_a_rule_finds_what_breaks_it(broken):
    name, text = broken
    assert [*RULES[name](text, __import__("ast").parse(text), FUNCTIONS["horner"][0])], name


def bounced(x, k):
    y = x.copy()
    y[k] -= 1.0
    return np.sum(y ** 3)


def test_what_is_there_already_is_not_stored():
    """The tangent of y[k] - 1.0 is that of y[k]; the store into y still raises where there is no such index."""
    made, k = gs.jacfwd(bounced), np.array([0, 2])
    assert "y_dot[" not in made.source(np.ones(3), k) and "y[k] -= 1.0" in made.source(np.ones(3), k)
    np.testing.assert_allclose(made(2.0 * np.ones(3), k), [3.0, 12.0, 3.0])
    with pytest.raises(IndexError):
        made(np.ones(3), np.array([0, 3]))


def bisected(x, y):
    roots = np.zeros(len(x))
    for i in range(len(x)):
        low, high = 0.0, x[i]
        for _ in range(60):
            middle = 0.5 * (low + high)
            if high - low < 1e-9:
                break
            if middle * middle > y:
                high = middle
            else:
                low = middle
        roots[i] = middle * x[i]
    return np.sum(roots)


def test_rounds_that_nobody_counts_have_a_name_where_their_number_is_kept():
    made = gs.grad(bisected)
    text = made.source(np.array([1.5, 3.0]), 2.0)
    assert not broken_rules(text, bisected) and not re.search(r"\b_+(tape)?\[|[(, ]_[,)]", text), text
    np.testing.assert_allclose(made(np.array([1.5, 3.0]), 2.0), gs.jacfwd(bisected)(np.array([1.5, 3.0]), 2.0))


def test_there_are_fifteen_rules():
    assert len(RULES) == 15


def scaled(x, max, n):
    for _ in range(n):
        x = np.sin(x) * max
    return np.sum(x)


def test_a_parameter_called_max_is_no_function():
    g = gs.grad(scaled)
    assert "rt.trip_count(0, n, 1)" in g.source(np.ones(2), 0.5, 3)
    np.testing.assert_allclose(g(np.ones(2), 0.5, 3), gs.jacfwd(scaled)(np.ones(2), 0.5, 3), rtol=1e-13)


def decay(x, t_tape, n):
    t_bar = np.zeros(n)
    for t in range(n):
        t_bar[t] = np.exp(-x * t) * t_tape
    return np.sum(t_bar * t_bar)


@pytest.mark.parametrize("transform, stored", [(gs.grad, "t_bar"), (gs.jacfwd, "t_bar_dot"), (gs.hessian, "t_bar_dot")])
def test_names_of_ours_are_the_users_where_the_user_has_them(transform, stored):
    """A variable of the user's called as core calls values without a name, their adjoints and tapes."""
    text = transform(decay).source(0.5, 0.9, 4)
    assert "for t in range(" in text and f"{stored}[t] = " in text and "* t_tape" in text and "inner" not in text


def covariance(x, y):
    x_bar, y_bar = np.mean(x), np.mean(y)
    return np.sum((x - x_bar) * (y - y_bar))


def test_a_mean_that_the_user_calls_x_bar_is_no_adjoint():
    assert "x - x_bar" in gs.value_and_grad(covariance).source(np.ones(3), np.ones(3))


def filled_too_far(x, n):
    length_tape = np.zeros(3)
    for i in range(n):
        length_tape[i] = x
    return x * x


def test_stores_of_the_users_that_nobody_reads_raise():
    g = gs.jit(filled_too_far)
    assert "length_tape[i] = " in g.source(2.0, 3, stage="readable")
    with pytest.raises(IndexError):
        g(2.0, 4)


def nested_searches(x, n):
    s = x
    for _ in range(n):
        y = s
        while y > 1.0:
            y = y * 0.5
            z = y
            while z > 0.3:
                z = np.sin(z) * 0.7
            y = y + 0.01 * z
        s = s + y
    return s


def test_tapes_of_loops_in_loops_are_lists():
    assert gs.grad(nested_searches).source(3.0, 4).count(".append(") >= 2
    np.testing.assert_allclose(gs.grad(nested_searches)(3.0, 4), gs.jacfwd(nested_searches)(3.0, 4), rtol=1e-12)


def escape(x, y, steps):
    re, im, n = x, y, 0
    while n < steps and re * re + im * im < 1e4:
        re, im = re * re - im * im + x, 2.0 * re * im + y
        n += 1
    return np.log(re * re + im * im) / 2.0 ** (n + 1)


def test_a_tape_of_each_example_is_a_list():
    each = gs.vmap(gs.grad(escape, argnums=(0, 1)), in_axes=(0, 0, None))
    x, y = np.linspace(-1.0, 1.0, 5), np.linspace(-0.3, 0.9, 5)
    assert "re_tape.append(" in each.source(x, y, 30)
    one_by_one = [gs.grad(escape, argnums=(0, 1))(*point, 30) for point in zip(x.tolist(), y.tolist())]
    np.testing.assert_allclose(np.transpose(each(x, y, 30)), one_by_one, rtol=1e-12)
