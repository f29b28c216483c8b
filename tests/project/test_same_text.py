"""The same program has the same text in each process, to the byte: else a second process compiles anew."""
import difflib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SEEDS = 3
PARTS = 40  # of the corpus
STAGES = ("core", "readable", "compiled")
SETS = ("edges_of_a_mesh", "sets_of_names", "smoothed_on_a_grid")  # go through sets of their own, in Python's order


def corpus(part):
    """(title, transformed function, arguments) of a part of all programs that tests share."""
    from gradscribe.transformer import api
    from tests.corpus.language import PROGRAMS as LANGUAGE
    from tests.corpus.programs import PROGRAMS
    from tests.corpus.traps import TRAPS
    from tests.transforms.test_stages import jvp, jvp_of_vjp, primal, vjp
    for p in [p for p in (PROGRAMS + TRAPS)[part::PARTS] if p.name not in SETS]:
        for way in (primal, jvp, vjp, jvp_of_vjp):
            yield f"{p.name}, {way.__name__}", lambda p=p, way=way: (lambda f, make: (f, make()))(*way(p))
    for f, tuples in LANGUAGE[part::PARTS]:
        if f.__name__ not in SETS:
            yield f.__name__, lambda f=f, args=tuples[0]: (api.Primal(f), args)


def large():
    """Programs that repeat themselves: parts of these become functions, in what is compiled and in what people read."""
    import gradscribe as gs
    from benchmarks import row18_layers
    from gradscribe.transformer.optimise import functions, outline
    from tests.corpus.programs import PROGRAMS
    from tests.transforms.test_stages import jvp_of_vjp
    case = row18_layers.ROW.cases(quick=True)
    yield "layers", lambda: (gs.value_and_grad(row18_layers.loss), [*case][-1].args)
    outline.LARGE = functions.LARGE = 0
    for cls in (outline.Outliner, functions.Readers):
        cls.least = cls.worth = 2
    for p in PROGRAMS:
        if p.name in ("deep_network", "generator_function"):
            yield p.name, lambda p=p: (lambda f, make: (f, make()))(*jvp_of_vjp(p))


def written(cases) -> dict[str, str]:
    """The text of each stage of each case, or how it is refused."""
    import gradscribe as gs
    texts = {}
    for title, make in cases:
        for stage in STAGES:
            try:
                f, args = make()
                texts[f"{title}, {stage}"] = (gs.jit(f) if stage == "compiled" else f).source(*args, stage=stage)
            except Exception as error:
                texts[f"{title}, {stage}"] = f"{type(error).__name__}: {error}"
    return texts


def in_processes(call: str) -> list[dict[str, str]]:
    """What `written` gives in processes that have other orders of sets."""
    code = ("import sys; sys.path[:0] = ['.']; from tests.support import shuffled; "
            f"import json, tests.project.test_same_text as t; print(json.dumps(t.written(t.{call})))")
    children = [subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True,
                                 env=os.environ | {"PYTHONHASHSEED": str(seed)}) for seed in range(1, SEEDS + 1)]
    return [json.loads(child.communicate()[0].splitlines()[-1]) for child in children]


def same(texts: list[dict[str, str]]):
    first, *others = texts
    assert len(first) > 8
    for other in others:
        assert first.keys() == other.keys()
        for title, text in first.items():
            lines = difflib.unified_diff(text.splitlines(), other[title].splitlines(), lineterm="", n=1)
            assert text == other[title], f"{title}:\n" + "\n".join(lines)


@pytest.mark.heavy(one_in=18)
def test_parts_that_become_functions():
    same(in_processes("large()"))


@pytest.mark.heavy(one_in=14081)
@pytest.mark.parametrize("part", range(PARTS))
def test_the_corpus(part):
    same(in_processes(f"corpus({part})"))
