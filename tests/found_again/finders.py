"""Who looks for mistakes, by one name for each kind; `tries` are what it looks at, in its own order.

    table ROW [compiled]          the cells of a row of tests/language/test_python_table.py
    dtypes one|two|stores TEXT [compiled]    tests/library/test_dtypes.py: an operation of this text on each kind of
                                             operands
    signatures NAME [compiled]    tests/library/test_signatures.py: calls of a function with each of its arguments
    independent [compiled]        programs of tests/independent, seed 0, 1, 2, ...
    documentation [compiled]      its programs from the documentations
    fuzz [compiled]               programs of tests/fuzz, seed 0, 1, 2, ...
    outside TEST                  no search: a test of tests/language/test_from_outside.py

A try is (what identifies it, a function that says what is wrong).  What it says begins with "wrong: " or "refused: ".
"""
import itertools
import random
import re
import tempfile
from pathlib import Path

PROGRAMS = Path(__file__).parent / "programs"
MOST = 5000
MARK = re.compile("put.back")  # in the message of each refusal that is put back


def words(look: str):
    parts = look.split()
    compiled = parts[-1] == "compiled"
    return parts[0], " ".join(parts[1:len(parts) - compiled]), compiled


def tries(look: str):
    kind, what, compiled = words(look)
    return itertools.islice(globals()[f"tries_{kind}"](what, compiled), MOST)


def tried(look: str, where: str):
    """The one try of a finder that `where` identifies: what is wrong with it, or None."""
    kind, what, compiled = words(look)
    return globals()[f"try_{kind}"](what, compiled, where)


# ---- the table of Python ------------------------------------------------------------------------

def cells_of(row: str):
    """All cells of a row, those first that run at each commit."""
    from tests.language.test_python_table import ROWS
    cells = ROWS[row]()
    parts = max(1, -(-len(cells) // 6))
    shuffled = random.Random(row).sample(cells, len(cells))
    return [cell for first in range(parts) for cell in shuffled[first::parts]]


def judge_cell(cell, compiled):
    from tests.language.test_python_table import run_cells
    run = run_cells([cell], compiled)
    if run.wrong:
        return "wrong: " + str(run.wrong[0][3])
    return "refused: " + str(run.refused[0][2]) if run.refused else None


def tries_table(row, compiled):
    for cell in cells_of(row):
        yield cell.title, lambda cell=cell: judge_cell(cell, compiled)


def try_table(row, compiled, where):
    return judge_cell(next(cell for cell in cells_of(row) if cell.title == where), compiled)


# ---- the walk over dtypes -----------------------------------------------------------------------

def kinds_of(which: str):
    from tests.library import test_dtypes as d
    return d.shuffled({"one": [(k,) for k in d.KINDS], "two": itertools.product(d.KINDS, d.KINDS),
                       "stores": [(("array", x), k) for x in d.DTYPES for k in d.KINDS]}[which])


def judge_kinds(which, text, kinds, compiled):
    import numpy as np

    from tests.library import test_dtypes as d
    with tempfile.TemporaryDirectory() as folder:
        functions = d.Functions(Path(folder))
        values = [d.operands(k, few=which == "stores" and n == 1) for n, k in enumerate(kinds)]
        if which == "stores" and kinds[1][0] == "array":
            values[0] = [np.resize(values[0][0], len(values[1][0]))]
        combinations = list(itertools.product(*values))
        if which == "two" and kinds[0][0] == kinds[1][0] == "array":
            combinations = [(x[:, None], y) for x, y in combinations]
        make = functions.stores if which == "stores" else functions.expressions
        found = d.check(functions, [text], kinds, combinations, "compiled" if compiled else "plain",
                        params="x" if which == "one" else "x, y", make=make)
    return "wrong: " + found[0] if found else None


def tries_dtypes(what, compiled):
    which, text = what.split(" ", 1)
    for kinds in kinds_of(which):
        if which != "stores" or kinds[1][0] != "array" or text in same_length():
            yield shown(kinds), lambda kinds=kinds: judge_kinds(which, text, kinds, compiled)


def same_length():
    from tests.library import test_dtypes
    return test_dtypes.SAME_LENGTH


def shown(kinds) -> str:
    from tests.library import test_dtypes
    return "-".join(map(test_dtypes.named, kinds))


def try_dtypes(what, compiled, where):
    which, text = what.split(" ", 1)
    return judge_kinds(which, text, next(kinds for kinds in kinds_of(which) if shown(kinds) == where), compiled)


# ---- the walk over signatures -------------------------------------------------------------------

def judge_call(name, compiled, text):
    from gradscribe.transformer import api
    from tests.library import test_signatures as t
    with tempfile.TemporaryDirectory() as folder:
        if compiled:
            found = t.disagreements(name, [text], Path(folder))
            return "wrong: " + found[0] if found else None
        (f,) = t.function_of([text], Path(folder))
        want, got = t.outcome(f), t.outcome(api.Primal(f))
    found = t.problem(want, got, signs=name not in t.ANY_ZERO[:5])
    if found and not t.is_known(name, text, found):
        return "wrong: " + found
    return "refused: " + str(got[1]) if got[1] is not None and want[1] is None else None


def tries_signatures(name, compiled):
    from tests.library import test_signatures as t
    for text in t.calls_of(name, t.TABLE[name]):
        yield text, lambda text=text: judge_call(name, compiled, text)


try_signatures = judge_call


# ---- the independent machine --------------------------------------------------------------------

def judge_program(text, compiled):
    from tests.independent.check import Failure, check
    try:
        with tempfile.TemporaryDirectory() as folder:
            refused = check(text, folder, compiled)["refused"]
    except Failure as failure:
        return f"wrong: {failure.kind}: {failure.details}"
    return "refused: " + refused[0] if refused else None


def tries_independent(_, compiled):
    from tests.independent.program import generate
    for seed in range(MOST):
        text = generate(seed)
        yield text, lambda text=text: judge_program(text, compiled)


def try_independent(_, compiled, where):
    return judge_program((PROGRAMS / where).read_text(), compiled)


def judge_documentation(compiled, name, text):
    import gradscribe as gs
    from tests.independent import documentation, oracle
    from tests.independent.check import outcome
    from tests.independent.test_independent import OURS, Primal
    want = outcome(getattr(documentation, name), documentation, text)
    got = outcome((gs.jit if compiled else Primal)(getattr(OURS, name)), OURS, text)
    if isinstance(got.error, gs.GradscribeError):
        return "refused: " + str(got.error)
    if want.error is not None or got.error is not None:
        same = want.error is not None and got.error is not None and oracle.same_error(got.error, want.error) is None
        return None if same else f"wrong: {got.error!r} instead of {want.error!r}"
    found = oracle.difference(got.value, want.value) or oracle.difference(got.args, want.args)
    return found and "wrong: " + found


def tries_documentation(_, compiled):
    from tests.independent import documentation
    for f, text in documentation.PROGRAMS:
        yield f"{f.__name__}({text})", lambda f=f, text=text: judge_documentation(compiled, f.__name__, text)


def try_documentation(_, compiled, where):
    name, _, text = where.partition("(")
    return judge_documentation(compiled, name, text[:-1])


# ---- the first machine --------------------------------------------------------------------------

def judge_case(text, compiled):
    from tests.fuzz import loading, oracle
    found = oracle.examine(loading.from_text(text), compiled)
    return f"wrong: {found.failure}" if found.failure else "refused: " + found.refusal if found.refusal else None


def tries_fuzz(_, compiled):
    from tests.fuzz import generate, loading
    for seed in range(MOST):
        text = loading.to_text(generate.generate(seed))
        yield text, lambda text=text: judge_case(text, compiled)


def try_fuzz(_, compiled, where):
    return judge_case((PROGRAMS / where).read_text(), compiled)


# ---- the test that each thing has ---------------------------------------------------------------

def judge_outside(name):
    """A test of its own, with all its parameters."""
    import inspect

    import pytest

    from tests.language import test_from_outside as t
    from tests.support.agreement import agree
    test = getattr(t, name)
    marks = [m for m in getattr(test, "pytestmark", ()) if m.name == "parametrize"]
    try:
        for fun, args, options in [p.values for p in t.ITEMS if p.values[0] is test]:
            agree(fun, *args, **options)
        for values in itertools.product(*[m.args[1] for m in marks]) if name.startswith("test_") else ():
            with pytest.MonkeyPatch.context() as patch:
                more = {"monkeypatch": patch} if "monkeypatch" in inspect.signature(test).parameters else {}
                test(**dict(zip([m.args[0] for m in marks], values)), **more)
    except (Exception, pytest.fail.Exception) as error:
        return f"wrong: {error!r}"
    return None


def tries_outside(name, _):
    yield name, lambda: judge_outside(name)


def try_outside(name, _, where):
    return judge_outside(name)
