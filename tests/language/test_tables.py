"""Structured arrays that a function sees from outside, and DataFrames of pandas, as arguments too."""
import numpy as np
import pytest

import gradscribe as gs
from gradscribe.test_util import check_grads

pd = pytest.importorskip("pandas")

RECORD = np.dtype([("x", float), ("v", float, 2), ("n", int), ("name", "U3")])
X = np.array([0.3, -1.2, 2.5, 0.7])


def records():
    made = np.zeros(4, RECORD)
    made["x"], made["n"], made["v"] = [1.0, 2.0, 3.0, 4.0], [1, 2, 3, 4], np.arange(8).reshape(4, 2)
    made["name"] = ["a", "b", "c", "d"]
    return made


P, A = records(), np.rec.array(records())
DF = pd.DataFrame({"a": [1.0, 2, 3, 4], "b": [2.0, 3, 4, 5], "n": [1, 2, 3, 4], "flag": [True, False, True, True],
                   "s": list("abcd"), "mean": [1.0, 2, 3, 4]})
S = DF["b"]


def fields(x):
    return np.sum(P["x"] * x**2 + P["v"][:, 0] * P["n"]) * len(P) + P.shape[0]


def rows(x):
    total = 0.0
    for i in range(len(P)):
        total += P[i]["x"] * x[i] + P["v"][i, 1] * P[i]["v"][0] * x[i] ** 2
    return total + P[np.argmax(x)]["x"] * x[0] + P[-1]["x"] * x[1]


def each_record(x):
    total = 0.0
    for r in P:
        total += r["x"] * x[0] + np.sum(r["v"]) * x[1] ** 2
    return total


def parts(x):
    return np.sum(P[1:]["x"] * x[1:] ** 2) + np.sum(P["x"][P["n"] > 2] * x[2:])


def attributes(x):
    return np.sum(A.x * x**2) + A[0]["x"] * np.sum(A["v"])


def columns(x):
    return np.sum(DF["a"].values * x + DF["n"].to_numpy() * x**2) * len(DF) + DF.shape[1] + len(DF["a"])


def columns_as_attributes(x):
    return np.sum(DF.b.values * x) + np.sum(DF[["a", "n"]].values.T * x**2)


def a_series(x):
    return np.sum(S.values * x**2) + S.size + S.shape[0]


def a_column_called_as_a_method(x):
    return np.sum(DF["mean"].values * x)


def all_columns(x):
    first = sum([DF[c].values[0] * x[0] ** 2 for c in [*DF.columns][:2]])
    return np.sum(x @ DF[["a", "b"]].values) + first + len(DF.columns)


def parts_of_records(x):
    kept = P[P["n"] > 2]
    kept["x"] *= x[2:]
    return np.sum(kept["x"]) + P[["x", "n"]]["x"] @ x + P[[0, 3]]["v"][1, 0] * x[0] ** 2 + np.sum(P.copy()["x"])


def strings(x):
    found = P[P["name"] == "b"]
    total = len(P["name"]) * x[0]
    for r in P:
        total += r["x"] * x[1] ** 2 if r["name"] == "d" else r["x"]
    return total + found[0]["x"] * x[2] if len(found) > 0 else 0.0


@pytest.mark.parametrize("f", [fields, rows, each_record, parts, attributes, columns, columns_as_attributes, a_series,
                               a_column_called_as_a_method, all_columns, parts_of_records, strings])
def test_fields_and_columns(f):
    for run in (gs.jit(f), lambda x: gs.value_and_grad(f)(x)[0]):
        assert type(run(X)) is type(f(X)) and np.allclose(run(X), f(X))
    check_grads(f, (X,), order=2)
    assert np.allclose(gs.jit(gs.grad(f))(X), gs.grad(f)(X))
    batch = np.stack([X, X[::-1], -X])
    assert np.allclose(gs.vmap(f)(batch), [f(x) for x in batch])
    assert np.allclose(gs.jit(gs.vmap(gs.grad(f)))(batch), [gs.grad(f)(x) for x in batch])


def stores(x):
    P["x"][0] = x[1]
    P[1]["x"] = x[0] * 2.0
    P[2:]["n"] += 5
    P["v"] = x[3]
    for r in P:
        r["x"] += 1.0
    return np.sum(P["x"] * x)


def test_stores_are_seen(monkeypatch):
    monkeypatch.setitem(globals(), "P", records())
    want, held = stores(X), P
    monkeypatch.setitem(globals(), "P", records())
    assert np.allclose(gs.jit(stores)(X), want) and np.array_equal(P, held)


def test_each_call_sees_what_is_there(monkeypatch):
    slope = gs.jit(gs.grad(lambda x: np.sum(DF["a"].values * x)))
    table = DF.copy()
    monkeypatch.setitem(globals(), "DF", table)
    assert np.array_equal(slope(X), [1.0, 2.0, 3.0, 4.0])
    table["a"] = [5.0, 6.0, 7.0, 8.0]
    assert np.array_equal(slope(X), [5.0, 6.0, 7.0, 8.0])
    table.loc[0, "a"] = 9.0
    assert np.array_equal(slope(X), [9.0, 6.0, 7.0, 8.0])
    table["a"] = [1, 2, 3, 4]
    assert np.array_equal(slope(X), [1.0, 2.0, 3.0, 4.0])
    monkeypatch.setitem(globals(), "DF", pd.DataFrame({"a": [1.0, 2.0]}))
    assert np.array_equal(slope(X[:2]), [1.0, 2.0])


REFUSED = [
    (lambda x: np.sum(P) * x, "records as an array", "array of a field"),
    (lambda x: P == x, "a comparison of records", "array of a field"),
    (lambda x: type(P) is np.ndarray, "the class of an object", "before the call"),
    (lambda x: P[P["x"] > x[0]], "the function returns records with fields that are no numbers", "Return the arrays"),
    (lambda x: np.zeros(4, dtype=RECORD)["x"] * x, "the field name of records", "keep it in a list"),
    (lambda x: DF, "a DataFrame or Series as a result", "Pass, and return, arrays"),
    (lambda x: DF["a"], "a DataFrame or Series as a result", "Pass, and return, arrays"),
    (lambda x: DF.values, "s of a DataFrame, which is no column of numbers", "columns of numbers"),
    (lambda x: P["name"] < "b", "a comparison of a field of strings", "Compare it with a string"),
    (lambda x: DF.mean() * x, "mean of a DataFrame", "df['a'].to_numpy()"),
    (lambda x: DF["a"].mean() * x, "mean of a Series", "df['a'].to_numpy()"),
    (lambda x: DF["a"] * x, "arithmetic of a Series", "df['a'].to_numpy()"),
    (lambda x: x * DF["a"], "arithmetic of a Series", "df['a'].to_numpy()"),
    (lambda x: np.sum(DF["a"]) * x, "an array of a Series", "df['a'].to_numpy()"),
    (lambda x: DF["a"][0] * x, "an index of a Series", "df['a'].to_numpy()"),
    (lambda x: DF[DF["a"].values > 1.0], "an index of a DataFrame", "df[['a', 'b']].to_numpy()"),
    (lambda x: DF.index[0] * x, "index of a DataFrame", "columns of numbers"),
    (lambda x: len(DF["s"]) * x, "s of a DataFrame, which is no column of numbers", "columns of numbers"),
    (lambda x: DF[["a", "flag"]].values[0] * x, "columns of bools and of numbers", "one by one"),
    (lambda x: isinstance(DF, pd.DataFrame) * x, "the class of an object", "before the call"),
    (lambda x: type(DF) is pd.DataFrame, "the class of an object", "before the call"),
]


@pytest.mark.parametrize("f, says, instead", REFUSED, ids=range(len(REFUSED)))
def test_what_is_refused(f, says, instead):
    with pytest.raises(gs.UnsupportedError) as caught:
        gs.jit(f)(X)
    assert says in caught.value.message and instead in caught.value.instead


def given_columns(x, df):
    return (np.sum(x**2 * df["a"].values) + df.b.to_numpy() @ x * len(df) + df.shape[1]
            + sum([df[c].values[0] * x[0] for c in df.columns if c in ("a", "n")]))


def given_numbers(x, df):
    return np.sum(x @ df.values) + np.sum(x**2 * df.to_numpy()[:, 1])


def given_series(x, column):
    return np.sum(x**2 * column.values) * column.size + len(column)


@pytest.mark.parametrize("f, table", [(given_columns, DF), (given_numbers, DF[["a", "b", "n"]]), (given_series, S)],
                         ids=["columns", "numbers", "Series"])
def test_tables_as_arguments(f, table):
    for run in (gs.jit(f), lambda x, df: gs.value_and_grad(f)(x, df)[0]):
        assert np.allclose(run(X, table), f(X, table)) and np.allclose(run(X[:2], table[:2]), f(X[:2], table[:2]))
    check_grads(lambda x: f(x, table), (X,), order=2)
    assert np.allclose(gs.jit(gs.grad(f))(X, table), gs.grad(f)(X, table))
    batch = np.stack([X, X[::-1], -X])
    assert np.allclose(gs.vmap(f, in_axes=(0, None))(batch, table), [f(x, table) for x in batch])


@pytest.mark.parametrize("f, table", [(lambda df: np.sum(df.a.values), DF[["a", "b"]]),
                                      (lambda column: np.sum(column.values), S)], ids=["DataFrame", "Series"])
def test_tables_are_not_differentiated(f, table):
    with pytest.raises(gs.UnsupportedError) as caught:
        gs.grad(f)(table)
    assert "what has the structure of one, such as a gradient" in caught.value.message
    assert "df['a'].to_numpy()" in caught.value.instead


def test_an_index_out_of_bounds():
    with pytest.raises(IndexError, match="index 7 is out of bounds for axis 0 with size 4"):
        gs.jit(lambda x: P[7]["x"] * x)(X)
