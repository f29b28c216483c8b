"""One word for one thing, the field's: what was called otherwise is not any more. And how dense the text is,
which only gets less."""
import ast
import io
import re
import tokenize
from collections import defaultdict

import pytest

from tests.support.imports import FILES, ROOT

# what was said for a builtin model, a loop header, sharded, reported, a copy, what cannot be joined,
# the group of a value
GONE = {"door", "doors", "head", "heads", "laid", "told", "twin", "twins", "clash", "clashes", "home", "homes"}
ALLOWED = {("runtime/compiler/cache.py", "home"),  # pathlib's
           ("transformer/readable/members.py", "head")}  # of a user's network
LOOSE = {"transformer": 5, "runtime": 6, "tests": 25}
# today's: the most of a function, functions above 15, names that stand in several files
BRANCHES, DENSE, SEVERAL = 23, 36, 130  # the most of a function, functions above 15, names that stand in several files


def words_of(text):
    """(word, line) of names and of what is said in comments and docstrings."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.NAME:
            parts = re.findall(r"[A-Z]?[a-z]+|[A-Z]+", token.string)
        elif token.type == tokenize.COMMENT or token.string.startswith('"""'):
            parts = re.findall(r"[a-z]+", token.string)
            parts = [p for p in parts if p not in ("told", "home")]  # a verb, and a place, of plain English
        else:
            continue
        yield from ((part.lower(), token.start[0]) for part in parts)


@pytest.mark.parametrize("room", ["gradscribe", "transformer", "runtime"])
def test_words_that_are_gone(room):
    found = {f"{name}:{line}: {word}" for path in FILES if (name := path.relative_to(ROOT).as_posix()).startswith(room)
             for word, line in words_of(path.read_text()) if word in GONE and (name, word) not in ALLOWED}
    assert not found


def test_words_are_found():
    assert ([word for word, _ in words_of('clash_of = Twin(x)  # a door is told\n"""the head"""\n') if word in GONE]
            == ["clash", "twin", "door", "head"])


@pytest.mark.parametrize("folder", LOOSE)
def test_files_stand_in_rooms(folder):
    loose = [path.name for path in (ROOT / folder).glob("*.py") if path.name != "__init__.py"]
    assert len(loose) <= LOOSE[folder], loose


def branches(function) -> int:
    """Ways through a function, those inside of it apart: its tests, loops, handlers and the parts of `and` and `or`."""
    count, todo = 1, list(ast.iter_child_nodes(function))
    while todo:
        node = todo.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            continue
        if isinstance(node, (ast.If, ast.IfExp, ast.For, ast.While, ast.ExceptHandler, ast.match_case, ast.Assert)):
            count += 1
        if isinstance(node, ast.BoolOp):
            count += len(node.values) - 1
        if isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            count += sum(1 + len(g.ifs) for g in node.generators)
        todo += ast.iter_child_nodes(node)
    return count


def test_dense_functions_get_fewer():
    counts = sorted(((branches(f), f"{path.relative_to(ROOT)}:{f.lineno} {f.name}") for path in FILES
                     for f in ast.walk(ast.parse(path.read_text())) if isinstance(f, ast.FunctionDef)), reverse=True)
    assert counts[0][0] <= BRANCHES, counts[0]
    dense = [c for c in counts if c[0] > 15]
    assert len(dense) <= DENSE, dense[:10]
    assert len(dense) > DENSE - 5 and counts[0][0] > BRANCHES - 3, f"fewer: write {len(dense)} and {counts[0][0]} above"


def test_names_of_several_files_get_fewer():
    files = defaultdict(set)
    for path in FILES:
        if "library" not in path.parts and path.name != "__init__.py":
            for node in ast.parse(path.read_text()).body:
                if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                    files[node.name].add(path)
    several = sorted([(len(of), name) for name, of in files.items() if len(of) > 1], reverse=True)
    assert len(several) <= SEVERAL, several[:20]
    assert len(several) > SEVERAL - 5, f"fewer: write {len(several)} above"


def test_branches_are_counted():
    def f(text):
        return branches(ast.parse(text).body[0])
    assert f("def f(x):\n    return x") == 1 and f("def f(x):\n    return [a for a in x if a and b]") == 4
    assert f("def f(x):\n    if x:\n        def g():\n            if x: pass") == 2
