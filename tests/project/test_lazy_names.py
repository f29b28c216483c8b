"""`import gradscribe` loads little, and all names come at their first use, whichever comes first, in any thread."""
import subprocess
import sys

import pytest

import gradscribe as gs

MODULES = ("config", "debug", "errors", "flatten_util", "lax", "nn", "nn.initializers", "optim", "random", "test_util",
           "tree", "tree_util")


def printed(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_little_is_loaded():
    text = printed("import sys, gradscribe as gs\ngs.load\ngs.__version__\n"
                   "print([m for m in sys.modules if m.split('.')[0] in ('numba', 'scipy', 'gast', 'optree')"
                   " or 'gradscribe.transformer' in m])")
    assert text == "[]\n"


@pytest.mark.heavy(one_in=6)
@pytest.mark.parametrize("module", [m.replace("nn.", "") for m in MODULES])
def test_each_module_may_be_the_first(module):
    printed(f"import gradscribe.{module}\nimport gradscribe as gs\nfrom gradscribe import grad, lax\n"
            f"assert gs.grad is grad and gs.lax is lax and gs.errors.GradscribeError.__module__ == 'gradscribe.errors'")


def test_threads_wait_for_the_first():
    printed("import threading, gradscribe as gs\nfailed = []\n"
            "def use(k):\n"
            "    try:\n        gs.vmap, gs.lax.scan, gs.tree.map, gs.grad\n"
            "    except BaseException as error:\n        failed.append(error)\n"
            "threads = [threading.Thread(target=use, args=(k,)) for k in range(8)]\n"
            "[t.start() for t in threads]\n[t.join() for t in threads]\nassert not failed, failed")


def test_dir_is_what_users_call():
    names = [n for n in dir(gs) if not n.startswith("__")]
    assert {*names} == {*gs.__all__} - {"__version__"} and {"grad", "load", "save", "lax"} <= {*names}
    assert all(hasattr(gs, name) for name in names)
    with pytest.raises(AttributeError, match="import numpy as np"):
        gs.jnp
