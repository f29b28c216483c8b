"""Structured arrays, and DataFrames of pandas, that a function sees from outside."""
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


@pytest.mark.parametrize("f", [fields, rows, each_record, parts, attributes, columns, columns_as_attributes, a_series,
                               a_column_called_as_a_method])
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
    (lambda x: np.sum(P[P["n"] > 2]["x"]), "an index of records", "p['x'][mask]"),
    (lambda x: P[["x", "n"]]["x"] * x, "an index of records", "p['x'][i]"),
    (lambda x: len(P["name"]) * x, "name of records", "p['x'][i]"),
    (lambda x: P.copy()["x"] * x, "copy of records", "array of a field"),
    (lambda x: np.sum(P) * x, "records as an array", "array of a field"),
    (lambda x: P == x, "a comparison of records", "array of a field"),
    (lambda x: isinstance(P, np.ndarray) * x, "the class of an object", "before the call"),
    (lambda x: P, "the function returns an object from outside", "Return the arrays"),
    (lambda x: np.zeros(4, dtype=RECORD)["x"] * x, "the dtype", "an array for each field"),
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


@pytest.mark.parametrize("table, says, instead", [
    (P, "an argument of dtype", "p['x']"), (DF, "an argument of type DataFrame", "df['a'].to_numpy()"),
    (S, "an argument of type Series", "df['a'].to_numpy()")], ids=["records", "DataFrame", "Series"])
def test_tables_as_arguments(table, says, instead):
    with pytest.raises(gs.UnsupportedError) as caught:
        gs.grad(lambda x, p: np.sum(x * p["x"]))(X, table)
    assert says in caught.value.message and instead in caught.value.instead


def test_an_index_out_of_bounds():
    with pytest.raises(IndexError, match="index 7 is out of bounds for axis 0 with size 4"):
        gs.jit(lambda x: P[7]["x"] * x)(X)
