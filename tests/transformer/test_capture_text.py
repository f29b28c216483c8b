"""Capture: text that is newer than the code, and functions without source."""
import functools
import os
import subprocess
import sys
import textwrap
import types

import numpy as np
import pytest

from gradscribe.transformer.errors.messages import UnsupportedError
from gradscribe.transformer.frontend.capture import capture
from tests.transformer.captured import module, registered, run_python, text_of

HERE = __file__


def lines_here(start):
    """The number of the first line of this file that starts so, once stripped."""
    with open(HERE, encoding="utf-8") as file:
        return next(i for i, line in enumerate(file, 1) if line.strip().startswith(start))


# functions ---------------------------------------------------------------------------------
SCALE = 3.0


def plain(x, *, k=2):
    # a comment of its own
    y = x * SCALE  # a trailing one
    s = "# not a comment"
    return y + k, s


# text that is newer than the code --------------------------------------------------------------
TEXT = """
def f(x):
    y = x * 2

    def g(z):
        return z + y
    return g
"""


@pytest.mark.parametrize("old, new", [("x * 2", "x * 3"), ("x * 2", "x + 2"), ("z + y", "z - y"), ("x * 2", "x * 2.0"),
                                      ("(x)", "(x, k=1)"), ("return g", "return g("), ("def f", "def h")])
def test_an_edited_file_is_refused(tmp_path, old, new):
    file = tmp_path / "model.py"
    f = module(file, TEXT).f
    file.write_text(TEXT.replace(old, new))
    os.utime(file, (1, 1))
    with pytest.raises(UnsupportedError, match="changed since it was loaded") as caught:
        capture(f)
    assert caught.value.origin.line == 2 and "reload" in caught.value.instead


def test_edits_elsewhere_do_not_matter(tmp_path):
    file = tmp_path / "model.py"
    f = module(file, TEXT).f
    file.write_text("import os\n\n# new\n" + TEXT.replace("x * 2\n", "x * 2  # new\n"))
    os.utime(file, (1, 1))
    assert capture(f).first_line == 5 and list(capture(f).comments.values()) == ["# new"]


def test_what_was_captured_before_an_edit_stays(tmp_path):
    file = tmp_path / "model.py"
    f = module(file, TEXT).f
    before = capture(f).node
    file.write_text("")
    assert capture(f).node is before


def test_equal_code_of_two_files(tmp_path):
    one, two = (module(tmp_path / name, TEXT).f for name in ("one.py", "two.py"))
    assert one.__code__ == two.__code__
    assert capture(one).file != capture(two).file


def test_future_annotations(tmp_path):
    f = module(tmp_path / "future.py",
               "from __future__ import annotations\ndef f(x: np.ndarray) -> float:\n    y: int = x\n    return y").f
    assert capture(f).name == "f"


@pytest.mark.skipif(sys.version_info < (3, 12), reason="the syntax is new in 3.12")
def test_type_parameters():
    f = registered("class A:\n    def f[T](self, x: T) -> T:\n        return self.__w * x\n", "<generic>")["A"].f
    assert capture(f).name == "f" and "self._A__w * x" in text_of(f)


def test_asserts_that_pytest_rewrote():
    def f(x):
        assert x > 0, "positive"
        g = lambda y: y
        assert g(x) == x
        return x

    assert "AssertionError" not in text_of(f) and "assert g(x) == x" in text_of(f)
    assert capture(f).first_line == lines_here("def test_asserts_that_pytest_rewrote") + 1


# no source ---------------------------------------------------------------------------------
@pytest.mark.parametrize("fun, message", [
    (len, "len is not written in Python"), (np.sin, "sin is not written in Python"), (np.dot, "dot"),
    (int, "int is a class"), (functools.lru_cache(plain), "wrapped by _lru_cache_wrapper"), (3, "3 is not a function"),
    (functools.partial(plain), "partial"),
])
def test_not_python(fun, message):
    with pytest.raises(UnsupportedError) as caught:
        capture(fun)
    assert message in caught.value.message and caught.value.instead


def test_exec_without_source():
    namespace = {}
    exec("def f(x): return x", namespace)
    with pytest.raises(UnsupportedError, match="no source text for f") as caught:
        capture(namespace["f"])
    assert "linecache" in caught.value.instead


def test_a_text_that_belongs_to_other_code_is_refused():
    namespace = registered("def f(x): return x", "<other>")
    registered("def f(x): return -x", "<other>")
    with pytest.raises(UnsupportedError, match="changed"):
        capture(namespace["f"])


def test_coroutines():
    async def co(x):
        return x

    @types.coroutine
    def marked(x):
        yield x

    for fun in (co, marked):
        with pytest.raises(UnsupportedError, match="is a coroutine") as caught:
            capture(fun)
        assert caught.value.origin.line == fun.__code__.co_firstlineno + (fun is marked)


@pytest.mark.heavy(one_in=3)
def test_without_debug_ranges(tmp_path):
    file = tmp_path / "script.py"
    file.write_text("from gradscribe.transformer.frontend.capture import capture\n"
                    "a, b = lambda x: x + 1, lambda x: x + 2\nc = capture(b)\n"
                    "print(c.origin_of(c.node).segment)\n")
    done = subprocess.run([sys.executable, "-X", "no_debug_ranges", str(file)], capture_output=True, text=True,
                          timeout=120)
    assert done.stdout == "lambda x: x + 2\n", done.stderr


@pytest.mark.heavy(one_in=2)
def test_command_line():
    done = run_python("""
        from gradscribe.transformer.frontend.capture import capture
        f = lambda x: x + 1
        try:
            print(capture(f).first_line)
        except Exception as error:
            print(error)
    """)
    assert done.stdout == "3\n", done.stderr


@pytest.mark.heavy(one_in=3)
def test_every_function_of_the_standard_library_is_found():
    import argparse
    import dataclasses
    import fractions
    import statistics
    import typing
    for made in (argparse, dataclasses, fractions, statistics, typing, textwrap, functools):
        for owner in [made, *(c for c in vars(made).values() if isinstance(c, type) and c.__module__ == made.__name__)]:
            for name, fun in list(vars(owner).items()):
                code = getattr(fun, "__code__", None)
                if type(fun) is type(plain) and code.co_filename == made.__file__ and not code.co_flags & 0x2A0:
                    c = capture(fun)
                    assert c.first_line >= code.co_firstlineno, name
                    assert (c.lines[0].lstrip().startswith((f"def {code.co_name}", "lambda"))
                            or "lambda" in c.lines[0]), name
