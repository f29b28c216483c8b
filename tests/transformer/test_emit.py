"""Readable source: what a good programmer would write by hand, and the same on every run."""
import ast
import enum
import hashlib
import inspect
import os
import re
import statistics
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.transformer.core import runnable
from gradscribe.transformer.core.types import PY_FLOAT
from gradscribe.transformer.optimise.inplace import inplace
from gradscribe.transformer.optimise.pipeline import optimise
from gradscribe.transformer.readable import readable
from gradscribe.transformer.readable.code_tree import Call
from gradscribe.transformer.readable.printer import inline
from gradscribe.transformer.readable.spell import Speller
from gradscribe.transformer.rules import OPS
from tests.corpus.programs import PROGRAMS
from tests.transformer import models
from tests.transformer.coretext import core
from tests.transformer.random_core import Programs, arguments

GOLDEN = Path(__file__).parents[1] / "golden"
CORPUS = {p.name: p for p in PROGRAMS}


def becomes(before, after, owned=()):
    text = readable(core(before), frozenset(owned)).text
    code = text[text.index("def "):]
    assert code.strip() == textwrap.dedent(after).strip(), code


def source(transform, f, *args):
    text = transform(f).source(*args)
    return text[text.index("def "):].strip()


# expressions ---------------------------------------------------------------------------------------
def test_temporaries_fold_and_named_values_stay():
    becomes("""
        def f(W: "f8[n, m]", x: "f8[m]", b: "f8[n]"):
            t = W @ x
            t__1 = t + b
            h = np.tanh(t__1)
            t__2 = h * h
            t__3 = np.sum(t__2, axis=(0,), keepdims=False)
            return (t__3,)
    """, """
        def f(W, x, b):
            h = np.tanh(W @ x + b)
            return np.sum(h * h)
    """)


def test_nothing_moves_across_a_store_to_what_it_reads():
    becomes("""
        def f(x: "f8[n]", y: "f8[n]"):
            z = x * 2.0
            t = z[0]
            u = y[0]
            z__1 = rt.update(z, 1.0, np.s_[0])
            s = t + u
            return (s, z__1)
    """, """
        def f(x, y):
            z = x * 2.0
            t = z[0]
            u = y[0]
            z[0] = 1.0
            s = t + u
            return s, z
    """)


def test_long_lines_are_not_built():
    lines = "\n".join(f"    t__{k} = {'x' if k == 1 else f't__{k - 1}'} * quite_a_long_name" for k in range(1, 12))
    text = readable(core(f"def f(x: float, quite_a_long_name: float):\n{lines}\n    return (t__11,)")).text
    assert max(map(len, text.split("\n"))) <= 100 and text.count("quite_a_long_name") == 12


def call(op, *args):
    return Call("r", OPS[op], args)


@pytest.mark.parametrize("expr, text", [
    (call("multiply", call("add", "a", "b"), "c"), "(a + b) * c"),
    (call("add", call("multiply", "a", "b"), "c"), "a * b + c"),
    (call("subtract", "a", call("subtract", "b", "c")), "a - (b - c)"),
    (call("subtract", call("subtract", "a", "b"), "c"), "a - b - c"),
    (call("power", call("negative", "a"), "b"), "(-a) ** b"),
    (call("negative", call("power", "a", "b")), "-a ** b"),
    (call("power", "a", call("negative", "b")), "a ** -b"),
    (call("power", call("power", "a", "b"), "c"), "(a ** b) ** c"),
    (call("less", call("less", "a", "b"), "c"), "(a < b) < c"),
    (call("not ", call("less", "a", "b")), "not a < b"),
    (call("divide", "a", call("multiply", "b", "c")), "a / (b * c)"),
])
def test_parentheses_where_they_are_needed(expr, text):
    assert inline(Speller(dict.fromkeys("abcr", PY_FLOAT)).node(expr)) == text
    values = {"a": 1.5, "b": 2.5, "c": -0.5}

    def value(e):
        return values[e] if isinstance(e, str) else e.op.fn(*map(value, e.args))

    assert eval(text, values) == value(expr)


def test_spelling():
    becomes("""
        def f(x: "f8[n, m]", v: "f8[n]"):
            n = x.shape[0]
            a = np.sum(x, axis=(0,), keepdims=False)
            b = np.max(x, axis=(0, 1), keepdims=False)
            c = np.transpose(x, axes=(1, 0))
            d = np.copy(x)
            e = np.zeros((n, 3), dtype=np.float32)
            g = rt.astype(v, np.float32)
            h = x[:, 0]
            return (a, b, c, d, e, g, h)
    """, """
        def f(x, v):
            a = np.sum(x, axis=0)
            b = np.max(x)
            d = x.copy()
            e = np.zeros((len(x), 3), dtype=np.float32)
            g = v.astype(np.float32)
            c = x.T.copy()
            return a, b, c, d, e, g, x[:, 0].copy()
    """)


def test_a_check_that_numpy_makes_anyway_is_not_written_twice():
    def both(x, y):
        return np.sum(x * y)

    assert "match" not in gs.jit(both).source(np.ones(3), np.ones(3))
    assert "match" not in gs.value_and_grad(both).source(np.ones(3), np.ones(3))
    with pytest.raises(ValueError, match="could not be broadcast together"):
        gs.grad(both)(np.ones(3), np.ones(4))


# names ---------------------------------------------------------------------------------------------
def test_versions_of_a_variable_are_one_variable():
    becomes("""
        def f(x: "f8[n]", s: float):
            n = x.shape[0]
            s__1 = s
            for i in range(0, n, 1):
                t = x[i]
                s__2 = s__1 + t
                s__1 = s__2
            return (s__1,)
    """, """
        def f(x, s):
            for i in range(len(x)):
                s += x[i]
            return s
    """)


def test_versions_that_live_at_once_are_numbered():
    becomes("""
        def f(x: "f8[n]"):
            y = np.sin(x)
            y__1 = np.cos(y)
            y__2 = y__1 * y
            return (y__2,)
    """, """
        def f(x):
            y = np.sin(x)
            y2 = np.cos(y)
            y = y2 * y
            return y
    """)


def test_parallel_copies_stay_parallel_only_where_they_must():
    becomes("""
        def f(a: float, b: float, c: float, n: int):
            u, v, w = a, b, c
            for i in range(0, n, 1):
                u, v, w = v, u, v
            return (u, v, w)
    """, """
        def f(a, b, c, n):
            u = a
            v = b
            w = c
            for i in range(n):
                w = v
                u, v = v, u
            return u, v, w
    """)


# exits ---------------------------------------------------------------------------------------------
def newton(x):
    y = x
    while abs(y * y - x) > 1e-9:
        y = 0.5 * (y + x / y)
    return y


def first_above(xs, limit):
    s = 0.0
    for v in xs:
        if v > limit:
            break
        s += v * v
    return s


def lookup(xs):
    for k in range(len(xs)):
        if xs[k] < 0:
            return xs[k] * 2.0
    return np.sum(xs)


def sign(x):
    if x > 0:
        return 1.0 * x
    return -x


def skipping(xs):
    s = 0.0
    for v in xs:
        if v < 0:
            continue
        s += v
    return s


def endless(x):
    n = 0
    while True:
        x = x / 2.0
        if x < 1.0:
            break
        n += 1
    return x + n


def skips_or_ends(xs):
    s = 0.0
    for k, v in enumerate(xs):
        if v < 0:
            if k < 2:
                continue
            if s > 1.0:
                break
        s += v
    return s


def test_a_break_behind_another_branch():
    """What stands behind `elif c: break` in its `else` must not be reached by the branch before it."""
    for xs in ([-1.0, 2.0, 3.0], [1.0, -1.0, 3.0, -2.0, 5.0], [1.0, 0.5, -0.7, -2.0, 5.0]):
        xs = np.array(xs)
        assert gs.jit(skips_or_ends)(xs) == skips_or_ends(xs)
        assert next(f for name, f in gs.test_util.stages(skips_or_ends, (xs,)) if name == "readable")(xs) == skips_or_ends(xs)


@pytest.mark.parametrize("f, args", [(newton, (2.0,)), (first_above, (np.array([1.0, 2, 9, 3]), 5.0)), (lookup, (np.array([1.0, -2, 3]),)),
                                     (sign, (-3.0,)), (skipping, (np.array([1.0, -1, 2]),)), (endless, (9.0,))], ids=lambda f: getattr(f, "__name__", ""))
def test_loops_are_left_as_the_user_leaves_them(f, args):
    text = source(gs.jit, f, *args)
    assert "_gs_" not in text and "stop" not in text and "going" not in text, text
    own = inspect.getsource(f)
    for word in ("break", "return", "while", "for "):
        assert text.count(word) == own.count(word), text
    assert gs.jit(f)(*args) == f(*args) and gs.grad(f)(*args) is not None


def grown(x):
    s = 0.0
    while s < 4.0:
        s = s + x[0] ** 2
    return s


def grown_to(s, x, end):
    while s < end:
        s = s + x[0]
    return s * s * x[1]


def divided(i, x):
    while 10 // i > 2:
        i = i - np.int64(1)
    return x[0] * i


def test_a_number_becomes_a_numpy_scalar_in_the_loop():
    """The test before the loop sees the Python number, which takes the dtype of a float32 and raises where it divides by 0."""
    x = np.array([1.1, 0.7])
    text = source(gs.jit, grown, x)
    assert "while s < 4.0:" in text and "going" not in text, text
    for end in (np.float32(0.1), np.float64(0.1), np.float32(2.0)):
        expected = grown_to(0.1, x, end)
        for compute in (gs.jit(grown_to), lambda *args: gs.value_and_grad(grown_to, argnums=1)(*args)[0]):
            assert compute(0.1, x, end) == expected
    for compute in (gs.jit(divided), lambda *args: gs.value_and_grad(divided, argnums=1)(*args)[0]):
        assert compute(7, x) == divided(7, x)
        with pytest.raises(ZeroDivisionError):
            compute(0, x)


def run_of_positive(x):
    i = 0
    s = 0.0
    while i < len(x) and x[i] > 0:
        s += x[i]
        i += 1
    return s


def settled(x, c):
    n = 0
    while n < 20 and (x > c or x < -1.0):
        x = x - 0.5 * np.sin(x)
        n += 1
    return x


def both_stored(x, i):
    while i < 2 and x[i] > 0:
        x[i] = -1.0
        x[i + 1] *= 2.0
        i += 1
    return x[2]


@pytest.mark.parametrize("f, args", [(run_of_positive, (np.array([1.0, 2.0, -1.0, 5.0]),)), (run_of_positive, (np.ones(3),)), (run_of_positive, (np.zeros(0),)),
                                     (settled, (3.0, 1.0)), (settled, (0.5, 1.0))], ids=lambda f: getattr(f, "__name__", ""))
def test_tests_with_and_or_stand_where_the_user_has_them(f, args):
    (line,) = re.findall("while .*", inspect.getsource(f))
    assert line in source(gs.jit, f, *args) and line in source(gs.value_and_grad, f, *args)
    assert gs.jit(f)(*args) == gs.test_util.primal(f)(*args) == f(*args)
    gs.test_util.check_grads(f, args, order=1) if np.size(args[0]) else None


def clipped_solve(a, b):
    x = np.zeros(len(b))
    for i in range(1, len(b)):
        x[i] = (b[i] - x[i - 1]) / a[i]
        if x[i] < -1.0:
            x[i] = -1.0
    return x @ x


def test_an_element_that_is_stored_twice_copies_no_array():
    """One path reads the first store: without it the array would be copied in each iteration, here and in the adjoint."""
    for source in (gs.jit(clipped_solve), gs.grad(clipped_solve)):
        text = source.source(np.ones(9), np.ones(9))
        assert "copy" not in text and text.count("zeros") <= 2, text


def test_arrays_of_numbers_are_written_as_the_user_writes_them():
    def f(x, a, rows):
        turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
        return np.concatenate([turn @ np.array([x, 1.0]), np.stack([rows[0], rows[1]]).sum(1), np.concatenate([rows, rows], axis=1)[0]])

    text = gs.jit(f).source(1.0, 2.0, np.ones((2, 3)), stage="readable")
    assert "turn = np.array([[t, -t2], [t2, t]])" in text or "np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])" in text, text
    assert "np.array([x, 1.0])" in text and "np.stack([rows[0], rows[1]])" in text and "np.concatenate([rows, rows], axis=1)" in text, text
    assert text.count("axis=") == 2, text


def test_a_test_stays_before_the_stores_that_it_does_not_see():
    for x in ([1.0, 1.0, 1.0], [1.0, -1.0, 1.0], [-1.0, 0.0, 0.0]):
        want = both_stored(mine := np.array(x), 0)
        assert gs.test_util.primal(both_stored)(ours := np.array(x), 0) == want and (ours == mine).all()


def test_the_users_counter_counts_for_the_mirror_too():
    """No tape of it, and no second counter."""
    assert source(gs.grad, run_of_positive, np.ones(3)) == textwrap.dedent(f"""
        def grad_run_of_positive(x):
            i = 0
            while i < len(x) and x[i] > 0:
                i += 1

            # adjoint of line {inspect.getsourcelines(run_of_positive)[1] + 3}: while i < len(x) and x[i] > 0:
            x_bar = np.zeros_like(x)
            for i in range(i - 1, -1, -1):
                # adjoint of line {inspect.getsourcelines(run_of_positive)[1] + 4}: s += x[i]
                x_bar[i] += 1.0
            return x_bar
    """).strip()


def steps_of_each(x, n):
    s = 0.0
    for a in x:
        for _ in range(n):
            a = a + 0.1 * np.sin(a)
        s += a * a
    return s


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("n", (-1, 0, 3))
def test_inner_loops_of_one_count_save_into_one_array(n):
    """Not one behind the other, with a position that each iteration takes from the last: they may be threads."""
    x = np.linspace(0.5, 1.5, 4)
    text = source(gs.grad, steps_of_each, x, n)
    assert "position" not in text and "np.empty((x_len, trips))" in text, text
    for f in (steps_of_each, gs.jit(steps_of_each)):
        gs.test_util.check_grads(lambda x: f(x, n), (x,), order=2)


def euler(y, n):
    for _ in range(n):
        y = y + 0.1 * np.array([y[1], -y[0]])
    return y


def test_a_loop_that_makes_a_length_known_is_for_that_length():
    """It carried the length, and asked for it in each round."""
    text = source(gs.jit, euler, np.ones(2), 3)
    assert "length" not in text and "rt." not in text, text
    for y, n in ((np.ones(2), 3), (np.ones(2), 0), (np.ones(5), 0)):
        for f in (gs.test_util.primal(euler), gs.jit(euler)):
            np.testing.assert_array_equal(f(y, n), euler(y, n))
    with pytest.raises(ValueError, match="broadcast"):
        gs.jit(euler)(np.ones(5), 3)


def by_steps(x, start, stop):
    s, k = x[0], start
    while k < stop:
        s = s * x[k] + np.sin(s)
        k += 3
    return s


@pytest.mark.parametrize("start, stop", [(1, 9), (-9, 0), (4, 4), (0, 10)])
def test_counters_with_other_starts_and_steps(start, stop):
    x = np.linspace(0.5, 1.5, 10)
    text = source(gs.grad, by_steps, x, start, stop)
    assert text.count("_tape = rt.tape(") == 1, text  # of s
    for f in (by_steps, gs.jit(by_steps)):
        gs.test_util.check_grads(lambda x: f(x, start, stop), (x,), order=2, modes=("rev",))  # noqa: B023


def weighted(n, A, b):
    m = n  # not a length: an argument stays what it is called
    n, k = A.shape
    s = 0.0
    for i in range(n):
        for j in range(k):
            s = s + A[i, j] * b[i] * m / n
    return s


def test_lengths_are_called_what_the_user_calls_them():
    text = source(gs.jit, weighted, 2.0, np.ones((3, 2)), np.ones(3))
    assert "def weighted(n, A, b):" in text and "_len" not in text and "len(A)" in text and "for j in range(A.shape[1])" in text, text
    for f in (gs.jit(weighted), gs.test_util.primal(weighted)):
        assert f(2.0, np.ones((3, 2)), np.ones(3)) == weighted(2.0, np.ones((3, 2)), np.ones(3))


def scaled_root(s, k):
    while s > 3.0:
        s = s * s * 0.1
    return s * k


def of_elements(x):
    y, s = x * 2.0, 1.0
    for v in y:
        s = s * v
    return s


def test_counters_of_ours_are_not_called_like_the_users_variables():
    text = source(gs.grad, scaled_root, 5.0, 2.0)
    assert "for i in range(count - 1, -1, -1):" in text and "s_tape[i]" in text, text
    text = source(gs.grad, of_elements, np.ones(3))
    assert "for v in range" not in text and "v2" not in text and "v = y[i]" in text, text


def test_first_above_is_what_the_user_wrote():
    assert source(gs.jit, first_above, np.ones(3), 5.0) == inspect.getsource(first_above).strip()


# comments ------------------------------------------------------------------------------------------
def commented(W, x):
    # the layer
    h = np.tanh(W @ x)
    return np.sum(h * h)  # its energy


def test_comments_survive_and_adjoints_are_announced():
    text = source(gs.value_and_grad, commented, np.ones((2, 3)), np.ones(3))
    first = inspect.getsourcelines(commented)[1]
    assert text == textwrap.dedent(f"""
        def value_and_grad_commented(W, x):
            # the layer
            h = np.tanh(W @ x)
            t = h * h  # its energy
            value = np.sum(t)

            # adjoint of line {first + 3}: return np.sum(h * h)
            h_bar = 2 * h
            # adjoint of line {first + 2}: h = np.tanh(W @ x)
            W_bar = np.outer((1 - t) * h_bar, x)
            return value, W_bar
    """).strip(), text


def test_a_users_own_bar_is_no_adjoint():
    def centred(x):
        x_bar = np.mean(x)
        y = x - x_bar
        return np.sum(y * y)

    assert "adjoint" not in gs.jit(centred).source(np.ones(3))


def test_the_line_map_knows_the_users_lines():
    made = readable(core("def f(x: float):\n    y = x * 2.0\n    return (y,)"))
    assert made.line_map == {}
    text = gs.jit(newton).source(2.0)
    assert "while abs(y * y - x) > 1e-09:" in text


# all -----------------------------------------------------------------------------------------------
@pytest.mark.heavy(one_in=10)
@pytest.mark.parametrize("start", range(0, 600, 100))
def test_random_programs(start):
    for seed in range(start, start + 100):
        fun = Programs(seed, statements=4 + seed % 12, depth=1 + seed % 3).function()
        args = arguments(fun, seed)
        expected = [np.copy(r) for r in runnable(fun)(*args)]
        for owned in (frozenset(), frozenset(fun.writes)):
            given = [a.copy() for a in args]
            for got, e in zip(readable(optimise(fun), owned).function()(*given), expected):
                np.testing.assert_allclose(got, e, rtol=1e-10, atol=1e-12)


def test_generated_source_imports_only_numpy_and_the_runtime():
    for name in ("first_above", "lookup"):
        tree = ast.parse(gs.value_and_grad(globals()[name]).source(np.ones(3), *([1.0] if name == "first_above" else [])))
        modules = {a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
        modules |= {n.module for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
        assert modules <= {"numpy", "gradscribe"}


GOLDENS = ("simpson", "gated_sum", "doubling", "first_passage", "guarded_norm", "jacobi_2d", "seidel_2d", "mlp_loss", "lu_scalar",
           "logsumexp", "line_fit", "damp_interior")
MODELS = {"transformer": models.transformer_args, "vae": models.vae_args}


def golden(name):
    """The source, its line numbers counted from the function's first line; a model's from that of its file."""
    if name in MODELS:
        return gs.value_and_grad(getattr(models, name)).source(*MODELS[name]())
    p = CORPUS[name]
    argnums = p.argnums if len(p.argnums) > 1 else p.argnums[0]
    first = inspect.getsourcelines(p.fun)[1]
    text = gs.value_and_grad(p.fun, argnums=argnums).source(*p.make_args())
    return re.sub(r"(?<=adjoint of line )\d+", lambda number: str(int(number[0]) - first + 1), text)


@pytest.mark.parametrize("name", (*GOLDENS, *MODELS))
def test_golden(name):
    """GRADSCRIBE_GOLDEN=write writes the files anew: read the difference before you commit it."""
    file = GOLDEN / f"{name}.py"
    text = golden(name)
    if os.environ.get("GRADSCRIBE_GOLDEN") == "write":
        GOLDEN.mkdir(exist_ok=True)
        file.write_text(text)
    assert text == file.read_text()
    assert max(map(len, text.split("\n"))) <= 100


def equal(a, b):
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(equal(a[k], b[k]) for k in a)
    if isinstance(a, (tuple, list)):
        return len(a) == len(b) and all(map(equal, a, b))
    return type(a) is type(b) and np.array_equal(a, b)


@pytest.mark.parametrize("name", GOLDENS)
def test_the_tree_is_that_of_the_source(name):
    """Node by node and place by place; compiled as it is, it computes the same."""
    p = CORPUS[name]
    g, scope = gs.value_and_grad(p.fun, argnums=p.argnums if len(p.argnums) > 1 else p.argnums[0]), {}
    tree = g.tree(*p.make_args())
    assert ast.dump(tree, include_attributes=True) == ast.dump(ast.parse(g.source(*p.make_args())), include_attributes=True)
    exec(compile(tree, "<tree>", "exec"), scope)
    assert equal(scope[f"value_and_grad_{name}"](*p.make_args()), g(*p.make_args()))


def numbers(x, n):
    a = x * (-1.0) ** n - (-0.0) + 1e-09 * x * 1e22 + np.inf * x - np.nan
    b = -x ** 2 - -(x - 1) % 3 // 2 if not x == 2.0 and n > 1 else x ** -n ** 1 / (x / 3.0 / (n * 0.1))
    return np.array([a, b])


def parts(x, i):
    y = x[:, None] + x[None, ::-1]
    y[i, 1:] += (x[1:] - 2.0)[::-1] * x[-1]
    return y[:-1, i + 1].sum() * y[i, -1]


def in_containers(params, x):
    return {"loss": (params["W"] @ x).sum() ** 2, "it's": [x], 'a "b"': (x * 2.0,)}


@pytest.mark.parametrize("f, args, lines", [
    (numbers, (2.5, 2), ["(-1.0) ** n", "- -0.0 + 1e-09 * x * 1e+22", "np.inf", "np.nan", "if not x == 2.0 and n > 1:"]),
    (parts, (np.linspace(1.0, 2.0, 4), 1), ["x[:, None] + x[None, ::-1]", "y[i, 1:]", "y[i, -1]"]),
    (in_containers, ({"W": np.eye(3)}, np.ones(3)), ['W = params["W"]', '"it\'s": [', "'a \"b\"': ("]),
], ids=lambda x: getattr(x, "__name__", ""))
def test_what_is_printed_is_what_was_meant(f, args, lines):
    text, scope = gs.jit(f).source(*args), {}
    assert ast.dump(ast.parse(text)) == ast.dump(gs.jit(f).tree(*args)) and all(line in text for line in lines), text
    exec(compile(gs.jit(f).tree(*args), "<tree>", "exec"), scope)
    np.testing.assert_equal(scope[f.__name__](*args), f(*args))


class Colour(enum.Enum):
    RED = 1


def with_objects(x):
    return {Colour.RED: x * 2.0, (1, "a"): Colour.RED, "f": with_objects, "dtype": np.float32}


def test_objects_in_results_are_written_as_python():
    text = gs.jit(with_objects).source(1.0)
    assert ast.dump(ast.parse(text)) == ast.dump(gs.jit(with_objects).tree(1.0))
    assert '{Colour.RED: x * 2.0, (1, \'a\'): Colour.RED, "f": with_objects, "dtype": float32}' in text, text


def mismatched(A, b):
    c = np.concatenate([A, b], axis=1)  # does not fit behind what comes first
    return np.sum(c)


def test_long_lines_are_broken():
    args = np.ones((3, 2)), np.ones((3, 1))
    text = gs.jit(mismatched).source(*args)
    long = [line for line in text.split("\n") if len(line) > 100]
    assert not long and ",\n        how='" in text and "\n    # does not fit" in text, text
    assert ast.dump(ast.parse(text)) == ast.dump(gs.jit(mismatched).tree(*args))


@pytest.mark.heavy(one_in=2)
def test_importing_the_printer_warns_of_nothing():
    subprocess.run([sys.executable, "-W", "error", "-c", "import gradscribe.transformer.readable"], check=True)


def digest():
    texts = [golden(n) for n in GOLDENS] + [readable(optimise(Programs(seed).function())).text for seed in range(20)]
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()


@pytest.mark.heavy(one_in=29)
def test_the_same_bytes_whatever_the_hash_seed():
    code = "from tests.transformer.test_emit import digest; print(digest())"
    root = Path(__file__).parents[2]
    made = {subprocess.run([sys.executable, "-c", code], env=os.environ | {"PYTHONHASHSEED": seed}, cwd=root, capture_output=True, text=True,
                           check=True).stdout for seed in ("1", "2")}
    assert made == {digest() + "\n"}


def count(text):
    return sum(bool(line.strip()) and not line.strip().startswith(("#", "import ", "from ", "@")) for line in text.split("\n"))


@pytest.mark.heavy(one_in=5)
def test_few_lines_per_line_of_the_users():
    ratios = []
    for p in PROGRAMS:
        if p.raises or p.static_argnums or not isinstance(p.fun(*p.make_args()), (float, np.floating)):
            continue
        own = textwrap.dedent(inspect.getsource(p.fun))
        tree = ast.parse(own).body[0]
        doc = ast.get_docstring(tree) if isinstance(tree, ast.FunctionDef) else None
        made = gs.grad(p.fun, argnums=p.argnums if len(p.argnums) > 1 else p.argnums[0]).source(*p.make_args())
        ratios.append(count(made) / max(1, count(own) - (len(doc.split("\n")) if doc else 0)))
    assert statistics.median(ratios) <= 3


def test_inplace_is_what_readable_prints():
    f = core("""
        def f(x: "f8[n]"):
            y = x * 2.0
            y__1 = rt.update(y, 0.0, np.s_[0])
            return (y__1,)
    """)
    assert runnable(inplace(f))(np.ones(2))[0].tolist() == readable(f).function()(np.ones(2))[0].tolist() == [0, 2]


def stepped(u, steps):
    for t in range(steps):
        u[0] = u[1] * u[0] + np.sin(u[1])
    return np.sum(u ** 2) * steps


def test_beside_a_loop_variable_t_no_adjoint_is_called_t_bar():
    text = gs.grad(stepped).source(np.ones(3), 2)
    assert "for t in range(" in text and "tmp_bar" in text and "t_bar" not in text.replace("tmp_bar", "")


def driven(A, x, steps):
    log = np.zeros((steps, 2))
    for t in range(steps):
        x = np.tanh(A @ x)
        log[t] = x
    return np.sum(log ** 2)


def test_a_loop_variable_t_keeps_its_name_backwards_beside_a_transpose():
    text = gs.grad(driven, argnums=1).source(np.eye(2), np.ones(2), 3)
    assert "tmp = A.T" in text and "    for t in range(steps - 1, -1, -1):" in text and not re.search(r"\bt\d", text)


def scanned(w, xs):
    def step(carry, x):
        h, c = carry
        h = np.tanh(w * h + x)
        c = 0.9 * c + h
        return (h, c), h * c

    (h, c), ys = gs.lax.scan(step, (0.0, 0.0), xs)
    return np.sum(ys) + h


def test_carries_of_scan_keep_the_users_names():
    text = gs.grad(scanned).source(0.5, np.ones(5))
    assert "carry" not in text and "        h = np.tanh(w * h + xs[i])\n        c = 0.9 * c + h\n" in text


def picked(W, x, y):
    h = np.tanh(W @ x)
    return np.max(h) + np.sum(h * y)


def test_only_adjoints_are_called_so():
    """W.T and h == np.max(h) have another type than W and h, and are no adjoints of them."""
    text = gs.grad(picked, argnums=(0, 1)).source(np.eye(3), np.ones(3), np.ones(3))
    for line in text.splitlines():
        name, equals, value = line.strip().partition(" = ")
        assert not (equals and name.endswith("_bar") and ("==" in value.split("*")[0] or value.endswith(".T"))), line


def test_members_of_several_containers_are_called_by_both_keys():
    def loss(p, x):
        return np.sum(np.tanh(x @ p["hidden"]["W"] + p["hidden"]["b"]) @ p["out"]["W"] + p["out"]["b"]) * p["scale"]

    layer = {"W": np.eye(3), "b": np.ones(3)}
    text = gs.grad(loss).source({"hidden": layer, "out": dict(layer), "scale": 2.0}, np.ones(3))
    assert {"hidden_W", "out_W", "hidden_b_bar", "scale"} <= {n.id for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Name)}
    assert not re.search(r"\bW\d", text)


def test_factors_meet_in_derivatives():
    text = gs.grad(lambda x: np.sum(3.0 * (x ** 3 - 2.0 * x))).source(np.ones(3))
    assert "-6.0 + 9.0 * x ** 2" in text
    assert "-4.0 * (x - 1)" in gs.grad(lambda x: -np.sum((x - 1) ** 2) * 2).source(np.ones(3))
    half = gs.grad(lambda x: np.sum(np.float32(3.0) * (2.0 * x)))(np.ones(3, np.float32))
    assert half.dtype == np.float32 and (half == 6).all()
    assert gs.jit(lambda x: 0.1 * (0.2 * x)).source(3.0).count("0.1 * (0.2 * x)") == 1  # the user's own rounds as it is written


def test_a_check_of_sizes_needs_no_array_that_nobody_reads():
    def loss(x, y):
        return np.sum(x * y) + np.sum(np.exp(x))

    text = gs.grad(lambda x, y: (np.sin(x) * y, np.sum(x))[1]).source(np.ones(3), np.ones(3))
    assert "rt.same_sizes(" in text and "np.sin" not in text and "rt.match" not in text
    for f in (gs.grad(loss), gs.jit(gs.grad(loss))):
        np.testing.assert_allclose(f(np.zeros(3), np.ones(3)), 2 * np.ones(3))
        with pytest.raises(ValueError, match=r"operands could not be broadcast together with shapes \(3,\) \(2,\) "):
            f(np.zeros(3), np.ones(2))
