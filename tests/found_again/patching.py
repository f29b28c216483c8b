"""A mistake that was mended once, put back: an edit of the text of modules while they are imported."""
import ast
import importlib.abc
import importlib.machinery
import linecache
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Edit:
    file: str
    old: str  # what stands there once; nothing: the new text comes at the end
    new: str

    def of(self, text: str) -> str:
        if not self.old:
            if missing := replaced(self.new) - bound(text):
                raise LookupError(f"{self.file} has nothing of the name {', '.join(missing)} that could be replaced")
            return f"{text}\n\n{self.new}\n"
        if text.count(self.old) != 1:
            raise LookupError(f"{self.file} has {text.count(self.old)} times what is to be replaced: {self.old!r}")
        return text.replace(self.old, self.new)


def replaced(text: str) -> set[str]:
    """The names of a module that these lines at its end give another value: those that they define,
    or keep under another name."""
    own = ast.parse(text).body
    kept = {x.value.id for x in own if isinstance(x, ast.Assign) and isinstance(x.value, ast.Name)}
    return kept | {x.name for x in own if isinstance(x, ast.FunctionDef)}


def bound(text: str) -> set[str]:
    """The names that a module has."""
    names: set = set()
    for x in ast.parse(text).body:
        match x:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                names.add(name)
            case ast.Import() | ast.ImportFrom():
                names |= {alias.asname or alias.name for alias in x.names}
            case ast.Assign(targets=targets):
                names |= {y.id for target in targets for y in ast.walk(target) if isinstance(y, ast.Name)}
    return names


def swap(file: str, old: str, new: str) -> Edit:
    """In this file, the new text in place of the old."""
    return Edit(file, old, new)


def put(file: str, new: str) -> Edit:
    """These lines at the end of the file: they replace what the module has under a name, before others import it."""
    return Edit(file, "", new)


@dataclass(frozen=True)
class Finding:
    name: str  # as docs/reliability.md shows it
    edits: tuple[Edit, ...]
    look: tuple[str, ...]  # where to look for it, in turn: see finders.py
    refused: bool = False  # was it a refusal, no wrong answer?
    # of programs, and of the kinds of operands, the search looks at those with this alone: others cannot find it
    only: str = ""


def finding(name: str, look: str, *edits: Edit, refused: bool = False) -> Finding:
    """`look`: places, a semicolon between two, and behind a ~ what must be in a program,
    or in the names of the dtypes."""
    look, _, only = look.partition(" ~ ")
    return Finding(name, edits, tuple(part.strip() for part in look.split(";")), refused, only)


def misfit(found: Finding) -> str | None:
    """Why the mistake cannot be put into the modules as they are now; None: it can."""
    texts: dict = {}
    for e in found.edits:
        try:
            texts[e.file] = e.of(texts.get(e.file) or (ROOT / e.file).read_text(encoding="utf-8"))
        except (LookupError, FileNotFoundError) as error:
            return f"{found.name}: {error}"
    return None


ANEW = """Their edits are to be written anew, in the table of tests/found_again that has the name:
    1. git log -p -S TEXT -- FILE, where TEXT is a line of what is to be replaced, shows what the code has become, and
       where it is now.
    2. Replace a piece of today's text, so long that it is there only once, so that it does again what was wrong; if the
       text that did it is gone, imitate what it did, before the right code comes to it.
    3. GRADSCRIBE_TEST_ALL=1 pytest tests/found_again says whether who found it finds it still; if not, search anew:
       python -m tests.found_again --again WORD, a word of its name."""


class Loader(importlib.machinery.SourceFileLoader):
    """Compiles the text of a module with the edits."""

    def __init__(self, name, path, edits):
        super().__init__(name, path)
        self.edits = edits

    def get_code(self, fullname):
        text = Path(self.path).read_text(encoding="utf-8")
        for edit in self.edits:
            text = edit.of(text)
        # some functions of ours are read like a user's
        linecache.cache[self.path] = len(text), None, text.splitlines(True), self.path
        return compile(text, self.path, "exec")


class Finder(importlib.abc.MetaPathFinder):
    """Finds modules as they are found, and gives those of the edits another loader."""

    def __init__(self, edits):
        self.edits = edits

    def find_spec(self, name, path, target=None):
        if name.partition(".")[0] != "gradscribe":
            return None
        spec = next((x for f in sys.meta_path if f is not self and (x := f.find_spec(name, path, target)) is not None),
                    None)
        own = [e for e in self.edits if spec is not None and spec.origin is not None
               and Path(spec.origin).resolve() == (ROOT / e.file).resolve()]
        if own:
            spec.loader = Loader(name, spec.origin, own)
        return spec


def install(edits) -> None:
    """From now on imports see the edits; nothing of ours may be imported yet."""
    assert "gradscribe" not in sys.modules
    sys.meta_path.insert(0, Finder(edits))
