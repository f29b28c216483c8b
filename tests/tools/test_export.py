"""A transformed function as one file: it needs NumPy alone, gives the same bits, and refuses what it is not for."""
import ast
import builtins
import collections
import functools
import io
import math
import pickle
import re
import subprocess
import sys
import types
import warnings

import numpy as np
import pytest

import gradscribe as gs
from gradscribe import runtime as rt
from gradscribe.transformer.tools.export_check import imported_packages, outcome, run_readable, same_bits
from gradscribe.transformer.tools.literals import exact_text
from gradscribe.transformer.tools.runtime_source import RuntimeSource
from tests.corpus.programs import PROGRAMS as CORPUS
from tests.support.cases import rotating
from tests.tools import exported_programs
from tests.tools.exported_programs import PROGRAMS

# what another process does with the files: it has neither Gradscribe nor the user's classes
RUNS = '''
import pickle, sys
sys.modules["gradscribe"] = None
import io, types
import numpy as np
cases = pickle.loads(sys.stdin.buffer.read())
results = {}
def plain(x):
    """Results without classes of the file, which nobody else has."""
    if hasattr(x, "_fields"):
        return type(x).__name__, [plain(i) for i in x]
    if hasattr(x, "__dataclass_fields__"):
        return type(x).__name__, {n: plain(getattr(x, n)) for n in x.__dataclass_fields__}
    if isinstance(x, (tuple, list)):
        return type(x)([plain(i) for i in x])
    return {k: plain(i) for k, i in x.items()} if isinstance(x, dict) else x
def made(x, space):
    match x:
        case ("an object", name, fields):
            return space[name](**{k: made(i, space) for k, i in fields.items()})
        case list() | tuple():
            return type(x)([made(i, space) for i in x])
        case dict():
            return {k: made(i, space) for k, i in x.items()}
    return x
for case, (text, name, args) in cases.items():
    module = sys.modules["exported"] = types.ModuleType("exported")
    exec(compile(text, case, "exec"), vars(module))
    args = made(args, vars(module))
    try:
        result = True, plain(vars(module)[name](*args))
    except Exception as error:
        result = False, (type(error).__name__, str(error))
    results[case] = *result, plain(args)
assert not [m for m in sys.modules if m.startswith("gradscribe.") or m.startswith("numba")]
sys.stdout.buffer.write(pickle.dumps(results))
'''


def packed(x):
    """Arguments without classes of these tests."""
    fields = x._asdict() if hasattr(x, "_fields") else vars(x) if hasattr(x, "__dataclass_fields__") else None
    if fields is not None:
        return "an object", type(x).__name__, {k: packed(i) for k, i in fields.items()}
    if isinstance(x, (tuple, list)):
        return type(x)([packed(i) for i in x])
    return {k: packed(i) for k, i in x.items()} if isinstance(x, dict) else x


def name_in(text: str) -> str:
    """The name of the function that a file is of."""
    return re.match(r"# (\w+): written by Gradscribe", text)[1]


@pytest.fixture(scope="module")
def elsewhere():
    """What another process gets from the files."""
    cases = {}
    for case, (g, args) in PROGRAMS.items():
        text = gs.export(g, None, *args)
        cases[case] = text, name_in(text), packed(args)
    # -I: nothing of this tree is on its path; a name that is set to None cannot be imported
    done = subprocess.run([sys.executable, "-I", "-c", RUNS], input=pickle.dumps(cases), capture_output=True,
                          timeout=120)
    assert done.returncode == 0, done.stderr.decode()
    return pickle.load(io.BytesIO(done.stdout))


def unpacked(x):
    """Results as the other process sends them."""
    if hasattr(x, "_fields"):
        return type(x).__name__, [unpacked(i) for i in x]
    if hasattr(x, "__dataclass_fields__"):
        return type(x).__name__, {n: unpacked(getattr(x, n)) for n in x.__dataclass_fields__}
    if isinstance(x, (tuple, list)):
        return type(x)([unpacked(i) for i in x])
    return {k: unpacked(i) for k, i in x.items()} if isinstance(x, dict) else x


@pytest.mark.parametrize("case", PROGRAMS)
def test_a_process_without_gradscribe_has_the_same_bits(case, elsewhere):
    g, args = PROGRAMS[case]
    returns, want, stored = outcome(lambda args, kwargs: run_readable(g, args, kwargs), args, {})
    got = elsewhere[case]
    assert got[0] == returns, got[1]
    assert same_bits(unpacked(want), got[1]), (want, got[1])
    assert not returns or same_bits([*map(unpacked, stored)], [*got[2]])


def test_the_cases_are_what_they_are_called(elsewhere):
    assert [case for case, (returns, _, _) in elsewhere.items() if not returns] == [
        "IndexError", "ValueError", "own exception"]
    assert elsewhere["own exception"][1] == ("TooLarge", "the sum is 5.00")
    assert elsewhere["stored into"][2][0][0] != 0.0
    assert type(elsewhere["class by the run"][1]) is int


def loaded(text: str):
    space = types.ModuleType("exported")
    sys.modules["exported"] = space
    exec(text, vars(space))
    return vars(space)[name_in(text)]


def exported(f, *args, **kwargs):
    return loaded(gs.export(f, None, *args, **kwargs))


def test_the_file_is_written_and_has_what_it_says(tmp_path):
    text = gs.export(gs.grad(exported_programs.echo), tmp_path / "echo.py", np.ones(3), 0.5)
    assert (tmp_path / "echo.py").read_text(encoding="utf-8") == text
    line = exported_programs.echo.__code__.co_firstlineno
    first, *_ = text.splitlines()
    assert first == (f"# grad_echo: written by Gradscribe {gs.__version__} of echo, exported_programs.py, line {line}.")
    assert "# The parts of Gradscribe's run time in this file: Apache-2.0" in text
    assert loaded(text).__doc__ == exported_programs.echo.__doc__
    assert "# each element hears the one before it" in text
    assert max(map(len, text.splitlines())) <= 120


def test_it_serves_other_lengths_and_values():
    g = gs.value_and_grad(exported_programs.echo)
    f = exported(g, np.ones(3), 0.5)
    for args in ((np.arange(9.0), 0.25), (np.arange(4.0), -1.0)):
        assert same_bits(f(*args), g(*args))


@pytest.mark.parametrize("args, said", [
    ((np.ones(3, np.float32), 0.5), "x is float32[n], and this source was made for float64[n]"),
    ((np.ones((3, 2)), 0.5), "x is float64[n, n], and"), ((np.ones(1), 0.5), "x is float64[1], and"),
    ((np.ones(6)[::2], 0.5), "x is float64[n] with gaps"), (([1.0, 2.0], 0.5), "x is [float, float]"),
    ((np.ones(3), 1), "w is int, and this source was made for float"),
    ((np.ones(3), np.float64(1)), "w is np.float64"), ((np.ones(3), None), "w is None")])
def test_other_kinds_are_refused(args, said):
    f = exported(gs.grad(exported_programs.echo), np.ones(3), 0.5)
    with pytest.raises(TypeError, match="^" + re.escape(said)):
        f(*args)


def test_containers_have_the_keys_and_lengths_that_they_had():
    f = exported(gs.grad(exported_programs.of_dict), {"W": np.ones((2, 2)), "rate": 0.5}, np.ones(2))
    with pytest.raises(TypeError, match=r"params is \{'W': float64\[n, n\], 'rate': float, 'b': int\}, and"):
        f({"W": np.ones((2, 2)), "rate": 0.5, "b": 1}, np.ones(2))


def test_values_that_the_source_has_in_it_are_tested():
    def along(x, axis, mode="sum"):
        return np.sum(x, axis=axis) if mode == "sum" else np.max(x, axis=axis)
    f = exported(gs.jit(along), np.ones((3, 2)), 1)
    assert f(np.ones((2, 3)), 1).tolist() == [3.0, 3.0]
    with pytest.raises(TypeError, match="axis is 0, and this source was made for 1"):
        f(np.ones((2, 3)), 0)
    with pytest.raises(TypeError, match="mode is 'max', and this source was made for 'sum'"):
        f(np.ones((2, 3)), 1, "max")


def test_what_is_assumed_of_lengths_is_tested():
    def first_three(x):
        return np.sum(x[:3] ** 2)
    f = exported(gs.grad(first_three), np.arange(5.0))
    assert f(np.arange(7.0)).tolist() == [0.0, 2.0, 4.0, 0.0, 0.0, 0.0, 0.0]
    with pytest.raises(ValueError, match=re.escape("this source was made for arguments with x.shape[0] >= 3")):
        f(np.arange(2.0))


def test_arrays_that_share_memory_are_refused_where_one_is_stored_into():
    y = np.zeros(4)
    f = exported(gs.jit(exported_programs.filled), y, np.ones(3))
    with pytest.raises(ValueError, match="two arguments share memory"):
        f(y, y[1:])


def test_what_is_seen_from_outside_is_a_parameter():
    f = exported(gs.grad(exported_programs.outside), np.ones(3))
    assert f.__kwdefaults__["RATE"] == 0.1
    assert same_bits(f.__kwdefaults__["WEIGHTS"], exported_programs.WEIGHTS)
    np.testing.assert_array_equal(f(np.ones(3), RATE=1.0), exported_programs.WEIGHTS * 2.5)


def test_large_arrays_from_outside_are_refused_where_they_are_read():
    large = np.ones(1001)

    def read(x, unread=np.ones(1001)):
        return np.sum(large * x)

    def unread(x, unread=np.ones(1001)):
        return np.sum(x)
    with pytest.raises(gs.GradscribeError, match="large, seen from outside, has 1001 numbers(.|\n)*Pass it as an arg"):
        gs.export(gs.grad(read), None, large)
    assert "unread" not in gs.export(gs.grad(unread), None, large).partition("def grad_unread")[2]


GAPS = np.arange(6.0)[::2]


def test_parameters_are_passed_as_the_user_does():
    def all_kinds(x, /, y, *more, scale=2.0, **named):
        return x * y * more[0] * scale * named["a"]
    f = exported(gs.grad(all_kinds), 1.0, 2.0, 3.0, a=4.0)
    assert f(1.0, 2.0, 3.0, a=4.0) == 48.0 and f(1.0, 2.0, 3.0, a=4.0, scale=1.0) == 24.0
    assert exported(gs.grad(functools.partial(lambda a, b: a * b, b=3.0)), 1.0)(5.0) == 3.0


def test_own_functions_may_be_called_like_those_of_the_run_time():
    def erf(x):
        return math.erf(x)
    f = exported(gs.jit(erf), 0.3)
    assert f.__name__ == "erf" and f(0.5) == math.erf(0.5)


def changes_a_list(x, out):
    out.append(x)
    return x * x


class Plain:
    def __init__(self):
        self.w = 2.0


@pytest.mark.parametrize("g, args, said", [
    (exported_programs.echo, (np.ones(3), 0.5), "gs.jit\\(f\\)"),
    (gs.jit(changes_a_list), (1.0, []), "changes a container"),
    (gs.grad(lambda x, f: f(x)), (1.0, np.sin), "f is a ufunc, which a file cannot tell"),
    (gs.grad(lambda x, p: x * p.w), (1.0, Plain()), "p is a Plain"),
    (gs.jit(lambda x: (x, np.sin)), (1.0,), "cannot be written|gives"),
    (gs.jit(lambda key: gs.random.normal(key, (3,))), (gs.random.PRNGKey(0),), "its source calls gs.random.normal"),
    (gs.jit(lambda x: x + np.sum(GAPS)), (1.0,), "GAPS, seen from outside, is a view with gaps"),
])
def test_what_a_file_cannot_hold_is_refused(g, args, said):
    with pytest.raises(gs.GradscribeError, match=said):
        gs.export(g, None, *args)


def test_a_text_that_differs_is_refused(monkeypatch):
    from gradscribe.transformer.tools.export import ExportedFile
    text = ExportedFile.source_text
    monkeypatch.setattr(ExportedFile, "source_text", lambda self, doc: text(self, doc).replace("2 *", "2.0000001 *"))
    with pytest.raises(gs.GradscribeError, match="grad_at_point gives .* as a file, and .* without"):
        gs.export(gs.grad(exported_programs.at_point), None, exported_programs.Point(2.0, np.ones(3)))


@pytest.mark.parametrize("x", [
    0.1, -0.0, float("inf"), float("nan"), complex(-0.0, float("inf")), 3, True, None, "a'b", b"x", (1.5,),
    [1, (2.0, {"k": 3})], np.float32(0.1), np.float64("nan"), np.complex64(1 - 2j), np.int8(-3), np.bool_(True),
    np.array(2.5), np.array([0.1, -0.0, np.inf, np.nan]), np.array([[1, 2], [3, 4]], np.uint8), np.zeros((0, 3)),
    np.ones((2, 2), complex),
    np.array([[1.0, 2.0, 3.0]] * 2, order="F"), np.arange(3.0).astype(">f8"), np.array([1e-320, 5e-324], np.float64),
    np.arange(3).astype(np.float16) / 3], ids=repr)
def test_literals_are_exact(x):
    made = eval(exact_text("x", x), {"np": np})
    assert same_bits(made, x) and (not isinstance(x, np.ndarray) or made.flags.c_contiguous == x.flags.c_contiguous)
    assert not isinstance(x, np.ndarray) or made.flags.writeable


COLLECTIVES = ("all_gather", "pmax", "pmin", "ppermute", "psum", "psums")


@pytest.mark.parametrize("name", COLLECTIVES)
def test_what_devices_share_is_refused(name):
    with pytest.raises(gs.GradscribeError, match="a function that several devices share"):
        RuntimeSource(set()).name_of(name)


def test_all_of_the_run_time_can_stand_in_a_file():
    """With its own names, and where each of them is taken."""
    names = [n for n in rt.__all__ if n not in COLLECTIVES]
    taken = set()
    for _ in range(2):
        source = RuntimeSource(taken)
        here = {name: source.name_of(name) for name in names}
        text = "\n".join(["from __future__ import annotations", *source.imports(), source.text()])
        assert not {*here.values()} & taken
        space = {}
        exec(text, space)
        assert imported_packages(text) <= {*sys.stdlib_module_names, "numpy", "scipy"}
        tape = space[here["push"]](space[here["tape"]](np.float64), 0, np.arange(3.0))
        assert space[here["pop"]](tape, 1, (2,)).tolist() == [1.0, 2.0]
        np.testing.assert_array_equal(space[here["cofactors"]](np.eye(3)), rt.cofactors(np.eye(3)))
        with pytest.raises(IndexError, match="no 3"):
            space[here["require"]](False, kind="IndexError", message="no 3")
        found = [getattr(part, key, None) for part in ast.walk(ast.parse(text)) for key in ("id", "name")]
        taken = {*found} - {None, "np", *dir(builtins)}


def import_without_gradscribe(name, *args):
    if name.partition(".")[0] not in {*sys.stdlib_module_names, "numpy", "scipy"}:
        raise ImportError(name)
    return __import__(name, *args)


@pytest.mark.heavy(one_in=4)
@pytest.mark.parametrize("p", rotating(CORPUS, 6), ids=lambda p: p.fun.__name__)
def test_the_corpus_is_exported_or_refused(p):
    made = [gs.jit(p.fun, static_argnums=p.static_argnums)]
    if not p.raises and not p.static_argnums and isinstance(p.fun(*p.make_args()), (float, np.floating)):
        made.append(gs.grad(p.fun, argnums=p.argnums if len(p.argnums) > 1 else p.argnums[0]))
    for g in made:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                text = gs.export(g, None, *p.make_args())
            except gs.GradscribeError as refusal:
                assert "which a file cannot tell from another" in str(refusal)
                continue
        assert imported_packages(text) <= {*sys.stdlib_module_names, "numpy", "scipy"}
        space = {"__builtins__": vars(builtins) | {"__import__": import_without_gradscribe}}
        exec(text, space)
        call = outcome(lambda args, kwargs: space[name_in(text)](*args), p.make_args(), {})
        want = outcome(lambda args, kwargs: run_readable(g, args, kwargs), p.make_args(), {})
        assert all(map(same_bits, call, want))


def test_what_is_passed_by_name_takes_no_further_item():
    def weighted(x, *weights, **options):
        return np.sum(x * weights[0]) * options.get("scale", 1.0)
    g = gs.grad(weighted)
    f = exported(g, np.ones(3), 2.0, scale=3.0)
    assert same_bits(f(np.ones(3), 2.0, scale=5.0), g(np.ones(3), 2.0, scale=5.0))
    with pytest.raises(TypeError, match="positional"):
        f(np.ones(3), 2.0, 5.0)


def test_a_namedtuple_with_other_fields_is_refused():
    gains = collections.namedtuple("Gains", "kp ki")
    turned = collections.namedtuple("Gains", "ki kp")
    f = exported(gs.grad(lambda g: 2.0 * g.kp + g.ki ** 2), gains(1.0, 2.0))
    assert tuple(f(gains(1.0, 3.0))) == (2.0, 6.0)
    with pytest.raises(TypeError, match=re.escape("g is Gains(ki=float, kp=float), and this")):
        f(turned(1.0, 2.0))


def test_characters_of_docstrings_that_a_file_has_not():
    def norm(x):
        return np.sum(x ** 2)
    norm.__doc__ = "form \x0c, line \u2028, \x00 and \r ë \\ \"\"\""
    f = exported(gs.grad(norm), np.ones(2))
    assert f.__doc__ == norm.__doc__
    norm.__doc__ = "a lone \ud800"
    assert exported(gs.grad(norm), np.ones(2)).__doc__ == r"a lone \ud800"


def test_items_of_args_have_no_names_to_be_passed_by():
    def weighted(x, *weights, **options):
        return np.sum(x * weights[0]) * options.get("scale", 1.0)
    f = exported(gs.grad(weighted), np.ones(3), 2.0, scale=3.0)
    with pytest.raises(TypeError):  # the user's function has an option of this name there
        f(np.ones(3), scale=3.0, x1=2.0)
    f = exported(gs.grad(lambda x, k, /: k * x ** 2), 1.0, 2.0)
    with pytest.raises(TypeError, match="positional-only"):
        f(1.0, k=2.0)
