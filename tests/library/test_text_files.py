"""Texts that are known before the run, read as files are: io.StringIO, csv, np.loadtxt."""
import csv
import io
from datetime import date

import numpy as np
import pytest

import gradscribe as gs

TABLE = """date,precip,flow
2001-01-01,5.2,1.1
2001-01-02,0.0,
2001-01-03,"1,4",2.5
"""
NUMBERS = "# three\n1 2 3\n4 5 6\n"


def rows_with_gaps(x):
    rows = list(csv.DictReader(io.StringIO(TABLE)))
    flow = np.array([float(r["flow"]) if r["flow"] else np.nan for r in rows])
    days = [date.fromisoformat(r["date"]) for r in rows]
    return np.nansum(flow * x) + len(rows) * x * (days[2] - days[0]).days


def numbers(x):
    whole, part = np.loadtxt(io.StringIO(NUMBERS)), np.loadtxt(TABLE.splitlines(), delimiter=",", skiprows=1,
                                                               usecols=(1,), max_rows=2)
    whole[0, 1] = x
    a, b, c = np.loadtxt(NUMBERS.splitlines(), unpack=True)
    return np.sum(whole * x) + part[0] * x + a @ b * c[0]


def row_by_row(x):
    total, table = 0.0, csv.reader(io.StringIO(TABLE))
    head = next(table)
    for row in table:
        total += len(row[1]) * x + head.index("flow")
    for line in io.StringIO(NUMBERS):
        if not line.startswith("#"):
            total += float(line.split()[1]) * x
    for row in csv.reader(["a;b", "c;d"], delimiter=";"):
        total += len(row)
    return total


def parts_of_a_text(x):
    with io.StringIO(NUMBERS) as f:
        first, rest = f.readline(), f.read()
    f = io.StringIO("one\ntwo")
    return x * len(first) + len(rest) + len(f.readlines()) + len(f.getvalue()) + len(f.readlines()) + len(next(
        io.StringIO("end")))


def gaps(x):
    table = csv.DictReader(["a,b", "1,2"])
    found = np.genfromtxt(io.StringIO("a,b\n1,2\n3,\n"), delimiter=",", skip_header=1)
    return np.nansum(found) * x + len(table.fieldnames) + sum(float(row["b"]) for row in table)


@pytest.mark.heavy(one_in=5)
@pytest.mark.parametrize("f", [rows_with_gaps, numbers, row_by_row, parts_of_a_text, gaps])
def test_what_is_read(f):
    for way in (gs.test_util.primal, gs.jit):
        np.testing.assert_allclose(way(f)(1.5), f(1.5), rtol=1e-12)
        assert type(way(f)(1.5)) is type(f(1.5))
    gs.test_util.check_grads(f, (1.5,), order=2)
    np.testing.assert_allclose(gs.vmap(f)(np.array([1.5, -2.0])), [f(1.5), f(-2.0)], rtol=1e-12)


def test_a_text_that_changes(monkeypatch):
    of_numbers = gs.grad(numbers)
    before = of_numbers(1.5)
    monkeypatch.setitem(globals(), "NUMBERS", "1 2 3\n4 5 7\n")
    np.testing.assert_allclose(of_numbers(1.5), before + 1.0)


REFUSED = {"np.loadtxt of a file": lambda x: x * np.loadtxt("numbers.txt"),
           "np.genfromtxt of a file": lambda x: x * np.genfromtxt("numbers.txt"),
           "must be known": lambda x: x * len(io.StringIO(f"{x}").read()),
           "returns an io.StringIO": lambda x: io.StringIO(NUMBERS),
           "returns a csv.DictReader": lambda x: csv.DictReader(TABLE.splitlines()),
           "written to an io.StringIO": lambda x: io.StringIO().write("a") * x,
           "Read all of it": lambda x: len(io.StringIO("abc").read(2)) * x}


@pytest.mark.parametrize("says", REFUSED)
def test_what_is_refused(says):
    with pytest.raises(gs.GradscribeError) as error:
        gs.jit(REFUSED[says])(1.5)
    assert says in str(error.value)


def test_what_is_no_number_raises():
    with pytest.raises(ValueError, match="could not convert string"):
        gs.jit(lambda x: np.loadtxt(["a b"]) * x)(1.5)


def closed_by_hand(x):
    file = io.StringIO(NUMBERS)
    file.close()
    return x * len(file.getvalue())


def closed_by_a_with(x):
    with io.StringIO(NUMBERS) as file:
        x = x * len(file.readline())
    return x * len(file.read())


@pytest.mark.parametrize("f", [closed_by_hand, closed_by_a_with])
def test_nothing_is_read_of_what_is_closed(f):
    for made in (f, gs.test_util.primal(f), gs.jit(f)):
        with pytest.raises(ValueError, match="I/O operation on closed file"):
            made(1.5)
