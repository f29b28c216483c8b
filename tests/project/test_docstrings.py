"""The docstrings of public names are in NumPy's style, and say what the signatures do; `dir` shows nothing else."""
import inspect
import types

import numpy as np
import pytest
from numpydoc.docscrape import get_doc_object
from numpydoc.validate import ERROR_MSGS, validate

import gradscribe as gs
from gradscribe._updates import Place
from gradscribe.transformer.functions.transformed import Transformed
from gradscribe.transformer.tools.page import Page

MODULES = {"gs": gs, "gs.nn.initializers": gs.nn.initializers,
           **{f"gs.{name}": getattr(gs, name) for name in gs.__all__
              if isinstance(getattr(gs, name), types.ModuleType)}}
METHODS = {Page: ("save", "open"), Transformed: ("source", "tree", "explain", "trace"),
           gs.custom_jvp: ("defjvp", "defjvps"), gs.custom_vjp: ("defvjp",),
           Place: ("get", "set", "add", "multiply", "divide", "min", "max", "apply")}
CHECKED = {"GL01", "GL02", "GL03", "GL05", "GL06", "GL07", "GL08", "GL10", "SS01", "SS02", "SS03", "SS04", "SS05",
           "SS06", "PR01", "PR02", "PR03",
           "PR04", "PR05", "PR06", "PR07", "PR08", "PR09", "PR10", "RT01", "RT02", "RT03", "RT04", "RT05", "YD01",
           "SA02", "SA03", "SA04", "EX01"}
NOT_CHECKED = {"ES01": "a summary of one line says all of most functions",
               "SA01": "other functions are named where they are meant",
               "GL09": "nothing is deprecated"}
OF_METHODS = {"EX01": "their class shows them"}
OF_WARNINGS = {"EX01": "it takes a long program, or several devices: test_unrolled.py has them"}
WITHOUT_EXAMPLE = {gs.ConstantSizesWarning, gs.UnrolledWarning, gs.errors.OutOfStep}
# numpydoc takes a first parameter of this name for that of a class method
QUIRKS = {(gs.tree.register, "Unknown parameters {'cls'}")}


def problems(thing, left_out=()) -> list[str]:
    """What numpydoc finds in the docstring of a function or a class."""
    found = [(code, text) for code, text in validate(get_doc_object(thing))["errors"] if code in CHECKED and
             code not in left_out]
    if "EX01" not in left_out and ">>> " not in thing.__doc__:
        found.append(("EX01", "no example"))
    return [f"{code}: {text}" for code, text in found if (thing, text) not in QUIRKS]


def ours(module) -> dict:
    """The functions and classes that a module offers, but for NumPy's and SciPy's, which are there by another name."""
    things = {name: getattr(module, name) for name in module.__all__}
    return {name: thing for name, thing in things.items()
            if str(getattr(thing, "__module__", "")).startswith("gradscribe")}


def test_codes_are_checked_or_not_with_a_reason():
    assert not CHECKED & NOT_CHECKED.keys() and CHECKED | NOT_CHECKED.keys() <= ERROR_MSGS.keys()


@pytest.mark.parametrize("name", MODULES)
def test_docstrings_of_public_names(name):
    found = {f"{name}.{one}": problems(thing, OF_WARNINGS if thing in WITHOUT_EXAMPLE else ()) for one,
             thing in ours(MODULES[name]).items()}
    assert not {one: said for one, said in found.items() if said}


def test_docstrings_of_methods():
    found = {f"{cls.__name__}.{one}": problems(getattr(cls, one), OF_METHODS) for cls, names in METHODS.items()
             for one in names}
    assert not {one: said for one, said in found.items() if said}
    assert not problems(Transformed) and not problems(Place) and not problems(Page)


@pytest.mark.parametrize("name", MODULES)
def test_modules_say_what_they_are_in_a_line(name):
    first, *rest = MODULES[name].__doc__.split("\n")
    assert first.endswith(".") and not (rest and rest[0])


@pytest.mark.parametrize("name", MODULES)
def test_dir_shows_what_users_call(name):
    module = MODULES[name]
    assert {n for n in dir(module) if not n.startswith("__")} == {n for n in module.__all__ if not n.startswith("__")}
    assert len(dir(module)) == len(set(dir(module))) and "__name__" in dir(module)


# the checks themselves -------------------------------------------------------------------------------------------
def whole(x, axis=0):
    """Return the sum of x.

    Parameters
    ----------
    x : ndarray
        What is summed.
    axis : int
        Along which axis.

    Returns
    -------
    ndarray
        The sums.

    Examples
    --------
    >>> import numpy as np
    >>> float(whole(np.ones(2)))
    2.0
    """
    return np.sum(x, axis)


def changed(before: str, after: str):
    """`whole` with another docstring."""
    assert before in whole.__doc__
    function = types.FunctionType(whole.__code__, globals(), "whole", whole.__defaults__)
    function.__doc__ = whole.__doc__.replace(before, after)
    return function


whole.__doc__ = TEXT = inspect.cleandoc(whole.__doc__) + "\n"  # as Python compiles it from 3.13 on
PARAMETERS = TEXT[TEXT.index("Parameters"):TEXT.index("Returns")]


@pytest.mark.parametrize("before, after, code", [
    ("Return", "Return", None), (PARAMETERS, "", "PR01"), ("axis : int\n", "axes : int\n", "PR02"),
    ("x : ndarray", "x: ndarray", "PR10"), ("Return the sum of x.\n", "Sums of x.\n", "SS05"),
    ("    The sums.\n", "", "RT03"), ("Examples\n--------\n", "", "EX01"), (">>>", "", "EX01")])
def test_what_is_wrong_is_found(before, after, code):
    found = problems(changed(before, after))
    assert any(text.startswith(code) for text in found) if code else not found
