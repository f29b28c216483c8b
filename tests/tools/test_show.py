"""`gs.show`: one page of HTML, whose lines are linked and whose values are those of a run."""
import html
import json
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.transformer.tools import page as pages, side_by_side

X = np.array([0.3, -0.2])


def helper(v):
    return np.tanh(v)


def rounds(x):
    """A "quoted" <i>text</i>."""
    h = np.zeros(2)
    for k in range(5):
        h = helper(h + x)  # </script><script>alert(1)</script> & more
    return np.sum(h * h)


def plain(x):
    return np.sum(x ** 2)


class Parsed(HTMLParser):
    """The lines of a page, its scripts, and the tags that are open at its end."""

    VOID = {"meta", "input", "br", "link"}

    def __init__(self, text):
        super().__init__()
        self.tags, self.lines, self.scripts, self.kinds, self.outside = [], [], {}, [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.kinds.append(tag)
        self.outside += [attrs[k] for k in ("src", "href") if k in attrs]
        if tag not in self.VOID:
            self.tags.append((tag, attrs))
        if "line" in attrs.get("class", "").split():
            self.lines.append({**attrs, "text": ""})

    def handle_endtag(self, tag):
        assert self.tags.pop()[0] == tag

    def handle_data(self, data):
        inside = [tag for tag, _ in self.tags]
        if inside[-1:] == ["script"]:
            self.scripts[self.tags[-1][1].get("id")] = data
        elif "code" in inside:
            self.lines[-1]["text"] += data

    @property
    def values(self):
        return json.loads(self.scripts["values"])

    def side(self, name):
        return [line for line in self.lines if line["id"].startswith(name)]

    def line(self, side, text):
        (found,) = [line for line in self.side(side) if text in line["text"]]
        return found


@pytest.fixture(scope="module")
def shown():
    return gs.show(gs.grad(rounds), X)


@pytest.fixture(scope="module")
def parsed(shown):
    return Parsed(shown.html)


def test_the_page_is_whole_and_needs_nothing_else(shown, parsed):
    assert not parsed.tags and not parsed.outside and "url(" not in shown.html and "@import" not in shown.html
    assert {"script", "style", "section", "aside"} <= {*parsed.kinds}
    assert "prefers-color-scheme: dark" in shown.html and "@media print" in shown.html
    assert len(shown.html) < 60_000


def test_no_text_of_the_user_is_taken_for_a_tag(parsed):
    assert parsed.kinds.count("script") == 2 and "i" not in parsed.kinds
    assert parsed.line("left", "helper(h + x)")["text"].endswith("# </script><script>alert(1)</script> & more")
    assert parsed.line("left", "quoted")["text"] == '    """A "quoted" <i>text</i>."""'
    for name in ("page.css", "page.js"):
        assert "</" not in (pages.FOLDER / name).read_text()


def test_the_left_side_is_the_function_and_the_right_side_the_source(parsed):
    main = [line for line in parsed.side("left") if "return np.tanh(v)" not in line["text"]]
    first = rounds.__code__.co_firstlineno
    assert [line["id"] for line in main] == [f"left-{first + k}" for k in range(len(main))]
    assert [line["text"].rstrip() for line in parsed.side("right")] == (
        gs.grad(rounds).source(X).rstrip("\n").split("\n"))


def test_lines_that_belong_together_have_one_group(parsed):
    loop, helped = parsed.line("left", "for k")["data-group"], parsed.line("left", "return np.tanh(v)")["data-group"]
    assert loop != helped
    backwards = [line for line in parsed.side("right") if "for k" in line["text"] and "-1, -1" in line["text"]]
    assert [line["data-group"] for line in backwards] == [loop] and "adjoint" in backwards[0]["class"].split()
    (tanh,) = [line for line in parsed.side("right") if "np.tanh" in line["text"] and "#" not in line["text"]]
    assert tanh["data-group"] == helped


def test_a_comment_of_an_adjoint_goes_to_its_line(parsed):
    number = rounds.__code__.co_firstlineno + 5
    (comment,) = [line for line in parsed.side("right") if f"# adjoint of line {number}:" in line["text"]]
    assert comment["data-group"] == parsed.line("left", "np.sum(h * h)")["data-group"]


def test_tapes_are_marked_as_kept(parsed):
    tapes = [line for line in parsed.side("right") if "_tape" in line["text"]]
    assert len(tapes) >= 3 and all("kept" in line["class"].split() for line in tapes)


def test_what_is_computed_again_is_marked():
    def f(xs):
        total = 0.0
        for k in range(len(xs)):
            a = xs[k] * 2.0
            total += np.sum(np.maximum(a, 0.0) ** 2)
        return total
    lines = Parsed(gs.show(gs.value_and_grad(f), np.ones((3, 2))).html).side("right")
    again = [line["text"] for line in lines if "again" in line["class"].split()]
    assert again and all("total +=" not in text for text in again)
    first = next(k for k, line in enumerate(lines) if "# adjoint of" in line["text"])
    assert not any("again" in line["class"].split() for line in lines[:first])


def test_the_values_are_those_of_the_run(parsed):
    (tanh,) = [line for line in parsed.side("right") if "np.tanh" in line["text"] and "#" not in line["text"]]
    entry = parsed.values["lines"][tanh["data-at"]]
    assert entry["count"] == 5 and [number for number, _ in entry["runs"]] == [1, 2, 3, 4, 5]
    h = np.zeros(2)
    for _, ((name, kind, norm, text, bad),) in entry["runs"]:
        h = np.tanh(h + X)
        assert kind == "float64[2]" and not bad and norm == f"{np.linalg.norm(h):.6g}"
        assert text == f"[{h[0]:.6g}, {h[1]:.6g}]"


def test_a_line_has_the_cotangents_of_what_it_binds(parsed):
    place = parsed.line("left", "helper(h + x)")["data-at"]
    values = parsed.values
    bound = {row[0] for at in values["bars"][place] for _, rows in values["lines"][str(at)]["runs"] for row in rows}
    assert "h_bar" in bound
    primal = {row[0] for at in values["primal"][place] for row in values["lines"][str(at)]["runs"][-1][1]}
    assert primal == {"h"}


def test_a_long_loop_has_some_of_its_runs_and_the_last():
    def f(x):
        s = 0.0
        for k in range(2000):
            s = 0.5 * s + x * k
        return s
    page = gs.show(gs.jit(f), 1.0)
    entries = [e for e in Parsed(page.html).values["lines"].values() if e["count"] == 2000]
    assert entries and all(e["runs"][0][0] == 1 and e["runs"][-1][0] == 2000 for e in entries)
    assert all(len(e["runs"]) <= pages.MOST_RUNS + 1 for e in entries) and len(page.html) < 60_000
    assert f"{f(1.0):.6g}" in {row[3] for e in entries for row in e["runs"][-1][1]}


@pytest.mark.parametrize("g, args", [
    (gs.vmap(rounds), (np.array([X, X]),)), (gs.hessian(rounds), (X,)), (gs.jit(gs.grad(rounds)), (X,)),
    (gs.jacfwd(lambda x: np.sin(x)), (X,)), (gs.value_and_grad(rounds), (X,))])
def test_each_transformation_is_shown(g, args):
    page = Parsed(gs.show(g, *args).html)
    assert not page.tags and page.values["lines"]
    groups = {line.get("data-group") for line in page.side("left")} & {line.get("data-group")
                                                                       for line in page.side("right")} - {None}
    assert groups


def test_numbers_that_json_has_not_are_texts():
    with np.errstate(all="ignore"):
        values = Parsed(gs.show(gs.jit(lambda x: np.log(x) * x), np.array([0.0, -1.0, 2.0])).html).values
    assert max(row[4] for e in values["lines"].values() for row in e["runs"][-1][1]) >= 2


def test_of_a_function_its_derivative_is_shown():
    assert "gradscribe.grad(plain)" in gs.show(plain, X).html
    assert "gradscribe.jacrev(helper)" in gs.show(helper, X).html
    with pytest.raises(gs.GradscribeError, match="which is not a function"):
        gs.show(3.0, plain)
    with pytest.raises(gs.UnsupportedError, match="no source to read"):
        gs.show(np.sin, X)
    assert "gradscribe.jacrev" in gs.show(lambda x: {"a": x}, X).html


def test_other_stages_have_no_values():
    page = gs.show(gs.grad(plain), X, stage="compiled")
    parsed = Parsed(page.html)
    assert [line["text"].rstrip() for line in parsed.side("right")] == (
        gs.grad(plain).source(X, stage="compiled").rstrip("\n").split("\n"))
    assert not parsed.values["lines"]
    with pytest.raises(ValueError, match="one of"):
        gs.show(gs.grad(plain), X, stage="machine")


def test_notebooks_have_the_page_in_a_frame(shown):
    frame = Parsed(shown._repr_html_())
    assert frame.kinds == ["iframe"]
    assert html.unescape(shown._repr_html_().split('srcdoc="')[1].split('" title="')[0]) == shown.html


def test_it_is_saved_and_opened(shown, tmp_path, monkeypatch):
    shown.save(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == shown.html
    asked = []
    monkeypatch.setattr(pages.webbrowser, "open", asked.append)
    file = Path(shown.open())
    assert asked == [file.as_uri()] and file.read_text(encoding="utf-8") == shown.html
    file.unlink()


@pytest.mark.parametrize("rich", [True, False])
def test_it_prints_as_two_columns(shown, rich, monkeypatch):
    if rich:
        pytest.importorskip("rich")
    else:
        monkeypatch.setitem(__import__("sys").modules, "rich", None)
    text = str(shown)
    assert "gradscribe.grad(rounds)" in text and "\x1b" not in text
    row = next(line for line in text.splitlines() if "def rounds(x):" in line)
    assert str(rounds.__code__.co_firstlineno) in row
    assert any("h_tape" in line and "*" in line for line in text.splitlines())


def test_a_line_too_long_for_its_column_is_cut(shown):
    text = side_by_side.plain_columns("t", shown.left, shown.right, 60)
    assert any("... |" in line for line in text.splitlines())


NODE = shutil.which("node")


@pytest.mark.skipif(NODE is None, reason="there is no node")
def test_what_the_script_finds_for_a_line(parsed):
    place = parsed.line("left", "helper(h + x)")["data-at"]
    asked = ("const values = " + json.dumps(parsed.values) + ";\n"
             f"const found = linesOfUser(values, '{place}', [{{at: '1', adjoint: false}}]);\n"
             "const entry = values.lines[found.computed[0]];\n"
             "console.log(JSON.stringify([found, runLabel(entry, 1), cellsOf(['x', 'float', '', '1', 2])]));")
    script = (pages.FOLDER / "page.js").read_text() + asked
    done = subprocess.run([NODE, "-e", script], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    found, label, cells = json.loads(done.stdout)
    assert found["computed"] == [str(at) for at in parsed.values["primal"][place]] and found["bars"]
    assert label == "run 2 of 5" and cells == ["x", "float", "", "1", "2 NaN or inf"]
