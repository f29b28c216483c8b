"""What the tests of capture share."""
import importlib.util
import linecache
import subprocess
import sys
import textwrap

import gast

from gradscribe.transformer.frontend.capture import capture


def text_of(fun):
    return gast.unparse(capture(fun).node).strip()


def module(path, text, name="captured_module"):
    path.write_text(textwrap.dedent(text))
    spec = importlib.util.spec_from_file_location(name, path)
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


# text that is not in a file ------------------------------------------------------------------
def registered(text, file):
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    namespace = {}
    exec(compile(text, file, "exec"), namespace)
    return namespace


def run_python(code, *options):
    return subprocess.run([sys.executable, *options, "-c", textwrap.dedent(code)], capture_output=True, text=True,
                          timeout=120)
