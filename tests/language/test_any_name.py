"""A variable, attribute or key may have any name: each word that the transformer itself uses, in programs where it is
carried, joined, stored, kept in a closure, a field and a keyword."""
import ast
import builtins
import keyword
import linecache
import pathlib

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.transformer import core
from gradscribe.transformer.testing import PLAIN_STAGES, stages

HERE = pathlib.Path(core.__file__).parent.parent
PROGRAM = '''
def f(x, flag):
    {a}, {b} = x, (x * 2.0, x + 1.0)
    for i in range(3):
        {b} = ({b}[1], {b}[0] * 0.5)
        {a} = {a} * 1.5 + {b}[0]
        if i == flag:
            {a} = {a} - 1.0
    def {c}({d}):
        return {d} * {a}
    {e} = np.zeros(3)
    while {e}[0] < 3.0:
        {e}[0] = {e}[0] + 1.0
        {e}[1:] += x
    {g} = dict({a}={a}, {b}={b}[1])
    {g}["{a}"] = {g}["{a}"] * {c}({d}={g}["{b}"])
    return {g}["{a}"] + np.sum({e} * {e}) + sum([{a} for {a} in {b}])
'''
NAMES = "abcdeg"


def words() -> list[str]:
    """The identifiers that occur as strings in the transformer, and the names of its generated source."""
    found = set()
    for path in HERE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.isidentifier():
                found.add(node.value)
    taken = {*keyword.kwlist, *dir(builtins), "np", "x", "i", "flag", "f"}
    found |= {"frozen", "rt", "rc", "gs"}
    return sorted(w for w in found if w not in taken and not w.startswith(("__", "_gs_")))


WORDS = words()
GROUPS = [(WORDS + WORDS)[k:k + len(NAMES)] for k in range(0, len(WORDS), len(NAMES))]
CHUNK = 12


def made(names):
    """The program with these names, and where its source is found."""
    text = PROGRAM.format(**dict(zip(NAMES, names)))
    place, scope = f"<{'-'.join(names)}>", {"np": np}
    linecache.cache[place] = (len(text), None, text.splitlines(True), place)
    exec(compile(text, place, "exec"), scope)
    return scope["f"]


@pytest.mark.heavy(one_in=15)
@pytest.mark.parametrize("k", range(0, len(GROUPS), CHUNK))
def test_any_name(k):
    plain = made(["one", "two", "three", "four", "five", "six"])
    value, slope = plain(1.25, 1), gs.grad(plain)(1.25, 1)
    for names in GROUPS[k:k + CHUNK]:
        f = made(names)
        assert f(1.25, 1) == value
        for stage, run in stages(f, (1.25, 1), names=(*PLAIN_STAGES, "lowered")):
            assert run(1.25, 1) == value, (names, stage)
        assert gs.grad(f)(1.25, 1) == slope, names


def test_there_are_many():
    assert {"keys", "frozen", "items", "value"} <= set(WORDS) and len(WORDS) > 900
