"""Errors show the user's file, line and caret, and a way forward."""
import os
import pickle

import pytest

from gradscribe.transformer.errors.messages import (GradscribeError, ImpurityError, Origin, Problems,
                                                    SpecialisationError, UnsupportedError, shown_file)

LINE = "    s = {v * 2 for v in x}"


def origin(line=14, col=8, end_col=26, text=LINE, file="model.py", end_line=None):
    return Origin(file, line, col, end_line or line, end_col, text, "loss")


def test_printed_form_is_that_of_the_design():
    error = UnsupportedError(origin(), "cannot differentiate a set comprehension",
                             instead="a set has no order, so its elements have no derivative. Write a list: "
                                     "[v * 2 for v in x]")
    assert str(error) == """\
model.py:14: cannot differentiate a set comprehension
    14 |     s = {v * 2 for v in x}
       |         ^^^^^^^^^^^^^^^^^^
a set has no order, so its elements have no derivative. Write a list: [v * 2 for v in x]"""


def caret(error):
    return str(error).splitlines()[2]


def test_an_origin_of_several_lines_shows_the_first():
    error = UnsupportedError(origin(text="    y = f(a,\n          b)", col=8, end_line=15, end_col=12), "no")
    assert str(error).splitlines()[1:] == ["    14 |     y = f(a,", "       |         ^^^^"]


def test_carets_stand_under_tabs_and_wide_letters():
    assert caret(UnsupportedError(origin(text="\ty = x", col=5, end_col=6), "no")) == "       | \t    ^"
    assert caret(UnsupportedError(origin(text="漢 = x", col=4, end_col=5), "no")) == "       |      ^"


def test_an_empty_range_still_has_a_caret():
    assert caret(UnsupportedError(origin(col=4, end_col=4), "no")).endswith("|     ^")


def test_without_origin_or_text():
    assert str(UnsupportedError(None, "no source", instead="Write it.")) == "no source\nWrite it."
    assert str(UnsupportedError(origin(text=""), "changed")) == "model.py:14: changed"


def test_segment_and_first_text():
    assert origin().segment == "{v * 2 for v in x}"
    two = origin(text="    y = f(a,\n          b)  # sum", col=8, end_line=15, end_col=12)
    assert two.segment == "f(a,\n          b)"
    assert two.first_text == "y = f(a,"


def test_notebook_cells():
    assert shown_file("<ipython-input-3-0123456789ab>") == "cell In[3]"
    assert shown_file("/tmp/ipykernel_123/456.py") == "cell"
    assert str(UnsupportedError(origin(file="<ipython-input-3-ab>"), "no")).startswith("cell In[3]:14: no")


def test_files_are_relative_when_that_is_shorter(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert shown_file(str(tmp_path / "a" / "b.py")) == os.path.join("a", "b.py")
    (tmp_path / "a/b/c/d/e").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "a/b/c/d/e")
    assert shown_file("/x.py") == "/x.py"


def test_classes():
    for kind in (UnsupportedError, SpecialisationError, ImpurityError):
        error = kind(origin(), "no", "do")
        assert isinstance(error, GradscribeError)
        assert (error.origin, error.message, error.instead) == (origin(), "no", "do")
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is kind and str(again) == str(error) and again.problems == error.problems


def test_problems_are_reported_together_in_order():
    problems = Problems()
    problems.check()
    problems.add(UnsupportedError(origin(line=20), "second"))
    problems.add(UnsupportedError(origin(line=3), "first", instead="a"))
    problems.add(UnsupportedError(origin(line=3), "first", instead="a"))
    with pytest.raises(UnsupportedError) as caught:
        problems.check()
    assert [p.message for p in caught.value.problems] == ["first", "second"]
    assert caught.value.origin.line == 3
    text = str(caught.value)
    assert text.index("model.py:3: first") < text.index("model.py:20: second")


def test_problems_of_several_kinds_join_under_the_base():
    problems = Problems()
    problems.add(UnsupportedError(None, "a"))
    problems.add(ImpurityError(origin(), "b"))
    error = problems.joined()
    assert type(error) is GradscribeError and [p.message for p in error.problems] == ["a", "b"]
    problems.add(error)
    assert len(problems.joined().problems) == 2
