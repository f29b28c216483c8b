"""The examples in docstrings, of every module by its installed name.

pytest's own --doctest-modules would import `transformer` from the folder, a second copy of every rule table.
"""
import doctest
import importlib
import pkgutil
import sys

import pytest

# one folder each: an editable install maps them
PACKAGES = ("gradscribe", "gradscribe.transformer", "gradscribe.runtime")


def modules() -> list[str]:
    found = set(PACKAGES)
    for name in PACKAGES:
        package = importlib.import_module(name)
        found |= {m.name for m in pkgutil.walk_packages(package.__path__, f"{name}.")
                  if not m.name.endswith("__main__")}
    return sorted(found)


@pytest.mark.heavy(one_in=28)
@pytest.mark.parametrize("name", modules())
def test_examples(name):
    module = importlib.import_module(name)
    failed, tried = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert not failed, f"{failed} of {tried} examples in {name}"


def test_the_public_functions_have_examples():
    finder = doctest.DocTestFinder(recurse=False)
    import gradscribe as gs
    names = ("grad", "value_and_grad", "jit", "jvp", "vjp", "check", "stop_gradient", "at", "insert_grad_of")
    ours = [obj for module in (gs.lax, gs.random, gs.flatten_util, gs.config)
            for obj in (getattr(module, name) for name in module.__all__)
            if getattr(obj, "__module__", "").startswith("gradscribe.")]  # others are NumPy's, by another name
    for obj in [*(getattr(gs, name) for name in names), *ours]:
        (found,) = finder.find(obj, obj.__name__)
        assert found.examples, f"{obj.__name__} shows no example"


def test_there_is_one_copy_of_the_rules():
    ours = [m for m in sys.modules if m == "transformer" or m.startswith("transformer.") and "rules" in m]
    assert "transformer.rules" not in ours and "gradscribe.transformer.rules" in sys.modules
