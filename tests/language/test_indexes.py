"""An index of pandas, its times and spans, which are known when a function is transformed; DataFrames that are made."""
import datetime
import functools

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.test_util import check_grads

pd = pytest.importorskip("pandas")

X = np.array([0.3, -1.2, 2.5, 0.7])
TIMES = pd.date_range("2024-06-01 06:00", periods=4, freq="3h")
THERE = TIMES.tz_localize("Etc/GMT+7")
DAY, HOUR = pd.Timestamp("2024-06-01"), pd.Timedelta("1h")
NUMBERS, PLACES, FLAGS = pd.Index([1.0, 2.5, 3.0, 4.0]), pd.Index([3, 1, 2, 0]), pd.Index([True, False, True, True])


def fields(x):
    return x**2 * np.asarray(THERE.day_of_year) + TIMES.year[0] + np.asarray(THERE.hour, dtype=float) * x


def hours(x):
    naive = THERE.tz_localize(None).normalize()
    midnight = naive.tz_localize(THERE.tz, nonexistent="shift_forward", ambiguous="raise")
    zones = np.array([time.utcoffset().total_seconds() for time in THERE]) / 3600
    return x**2 * np.array((THERE - midnight) / pd.Timedelta("1h")) - zones * x


def spans(x):
    since = (TIMES - TIMES[0]).total_seconds().to_numpy() / 3600
    return x**2 * since + x * ((TIMES - DAY) / HOUR).to_numpy() + (TIMES.max() - TIMES.min()).total_seconds() * x


def made(x):
    days = pd.DatetimeIndex(["2024-01-01", "2024-02-05", "2024-03-01", "2024-04-01"])
    later = days + pd.to_timedelta([1, 2, 3, 4], unit="D")
    first = pd.to_datetime("2024-05-06").day + pd.date_range("2024-05-01", periods=4).day[-1]
    return x**2 * np.asarray(days.day_of_year) + np.asarray(later.month) * x + first


def loops(x):
    total = 0.0
    for k, (time, n) in enumerate(zip(TIMES, NUMBERS)):
        if time.hour > 8 and time < datetime.datetime(2024, 6, 1, 14):
            total += x[k]**2 * n
    for k in range(len(TIMES)):
        total += x[k] * TIMES[k].hour
    return total + sum(NUMBERS) + sorted(PLACES)[1] + (DAY in TIMES) + (TIMES[0] in TIMES)


def numbers(x):
    return (x**2 * NUMBERS.values + PLACES.to_numpy() * x + np.array(-NUMBERS) + np.asarray(NUMBERS[1:]).sum() * x
            + np.array(NUMBERS.tolist()) + NUMBERS[1] + np.asarray(2.0 * NUMBERS + 1))


def places(x):
    return x[PLACES]**2 + np.sum(x[FLAGS]) + x[TIMES.slice_indexer("2024-06-01 07:00", "2024-06-01 13:00")][1] * x


def comparisons(x):
    return np.where(TIMES > TIMES[1], x**2, x) * (PLACES == 3) + x * TIMES.isin([TIMES[1]]) + (NUMBERS <= 2.5) * x


def classes(x):
    known = isinstance(TIMES, pd.DatetimeIndex) and isinstance(DAY, datetime.datetime) and TIMES is TIMES
    return x**2 * known * len(TIMES) * TIMES.size / TIMES.shape[0] if THERE.tz and TIMES.tz is None else x


def copies(x):
    kept = np.array(NUMBERS)
    kept[0] = x[1]
    late = TIMES > TIMES[1]
    late[0] = True
    return kept * x * late


def without_a_copy(x):
    return np.asarray(NUMBERS, copy=False) * x + np.array(NUMBERS, dtype=np.float32).itemsize


def default(x, times=TIMES):
    return x**2 * np.asarray(times.hour)


class Site:
    def __init__(self):
        self.times, self.weight = TIMES, 2.0

    def light(self, x):
        return x**2 * self.weight * np.asarray(self.times.hour)


def held(x):
    return functools.partial(default, times=THERE)(x) + default(x) + Site().light(x) + SITE.light(x)


SITE = Site()


def tables(x):
    table = pd.DataFrame({"a": x**2, "b": x * 2, "n": np.arange(4), "mean": x}, index=TIMES)
    both = table[["a", "b"]].to_numpy()
    return table["a"].to_numpy() * table.b.values + both[:, 1] * len(table) + table["n"].values + table["mean"].values


def without_index(x):
    table = pd.DataFrame({"a": x, "b": np.sin(x)})
    return table.to_numpy() @ np.ones(2) * table.shape[1] + sum([table[name].values[0] for name in table.columns])


@pytest.mark.parametrize("f", [fields, hours, spans, made, loops, numbers, places, comparisons, classes, copies,
                               without_a_copy, default, held, tables, without_index])
def test_values_and_slopes(f):
    want = f(X)
    for run in (gs.jit(f), lambda x: gs.vmap(f)(x[None])[0], lambda x: gs.jvp(f, (x,), (x,))[0]):
        assert np.shape(run(X)) == np.shape(want) and np.allclose(run(X), want)
    assert np.asarray(gs.jit(f)(X)).dtype == np.asarray(want).dtype
    check_grads(f, (X,), order=2)
    total = lambda x: np.sum(f(x))  # noqa: E731
    assert np.allclose(gs.jit(gs.grad(total))(X), gs.grad(total)(X))


def test_what_is_known_may_be_returned():
    index, number, time = gs.jit(lambda x: (TIMES.month, x.sum(), TIMES[1] + HOUR))(X)
    assert type(index) is type(TIMES.month) and index.equals(TIMES.month) and number == X.sum()
    assert type(time) is pd.Timestamp and time == TIMES[1] + HOUR


def test_another_index_is_another_program(monkeypatch):
    slope = gs.jit(gs.grad(lambda x: np.sum(np.asarray(TIMES.hour) * x)))
    assert np.array_equal(slope(X), TIMES.hour)
    monkeypatch.setitem(globals(), "TIMES", TIMES + HOUR)
    assert np.array_equal(slope(X), TIMES.hour) and TIMES.hour[0] == 7


def test_the_name_of_an_index_is_looked_at(monkeypatch):
    monkeypatch.setitem(globals(), "TIMES", TIMES.rename("summer"))
    run = gs.jit(lambda x: x * (2.0 if TIMES.name == "summer" else 3.0))
    assert np.array_equal(run(X), 2 * X)
    TIMES.name = "winter"
    assert np.array_equal(run(X), 3 * X)


def test_the_program_stays(monkeypatch):
    calls = []
    monkeypatch.setattr(pd.DatetimeIndex, "normalize", lambda self: calls.append(self) or self)
    run = gs.jit(lambda x: np.asarray(TIMES.normalize().hour) * x)
    assert np.array_equal(run(X), run(X)) and np.array_equal(run(-X), -run(X)) and len(calls) == 1
    assert TIMES.is_unique and np.array_equal(run(X), TIMES.hour * X) and len(calls) == 1


def put(x, a):
    a[0] = x[1]
    return a * x


def added_to(x):
    y = x.copy()
    y += NUMBERS
    return y


def stored(x):
    y = x.copy()
    y[:] = NUMBERS
    return y


def renamed(x):
    TIMES.name = "times"
    return x


ARRAY = "np.asarray(index)"
REFUSED = [
    (lambda x: NUMBERS + x, "add of an index of pandas and what only the run knows", ARRAY),
    (lambda x: x[0] * NUMBERS, "multiply of an index of pandas", ARRAY),
    (lambda x: x == NUMBERS, "equal of an index of pandas", ARRAY),
    (lambda x: NUMBERS < x, "less of an index of pandas", ARRAY),
    (lambda x: x @ NUMBERS, "matmul of an index of pandas", ARRAY),
    (added_to, "add of an index of pandas", ARRAY),
    (stored, "is used as a number or an array", "NumPy arrays"),
    (lambda x: np.sin(NUMBERS) * x, "sin of an index of pandas, which may give another", ARRAY),
    (lambda x: np.maximum(x, NUMBERS), "maximum of an index of pandas", ARRAY),
    (lambda x: np.interp(x, NUMBERS, x), "interp of an index of pandas", ARRAY),
    (lambda x: x.dot(NUMBERS), "dot of an index of pandas", ARRAY),
    (lambda x: np.stack([NUMBERS[:2], x]), "is used as a number or an array", "NumPy arrays"),
    (lambda x: NUMBERS[np.argmax(x)] * x, "it is an index of a static object", "constant"),
    (lambda x: HOUR * x[0], "is used as a number or an array", "NumPy arrays"),
    (lambda x: pd.to_timedelta(x, unit="h"), "pd.to_timedelta has no rule", "known when the function is transformed"),
    (lambda x: TIMES.map(lambda time: time.hour), "pd.Index.map has no rule", "Call it before"),
    (lambda x: TIMES.to_series(), "pd.Index.to_series, which gives Series", "before"),
    (lambda x: np.asarray(TIMES) * x, "gives datetime64", "before"),
    (lambda x: pd.Series(x), "pd.Series has no rule", "arrays of what it gives"),
    (lambda x: pd.Timestamp.now().hour * x, "pd.Timestamp.now depends on the clock", "outside"),
    (lambda x: pd.Timestamp("now").hour * x, "a time that pandas reads off the clock", "outside"),
    (lambda x: pd.to_datetime(["today"]).hour[0] * x, "a time that pandas reads off the clock", "outside"),
    (lambda x: (TIMES > "now") * x, "a time that pandas reads off the clock", "outside"),
    (lambda x: TIMES.rename("a", inplace=True) or x, "a change of an index of pandas", "inplace=True"),
    (renamed, "a store into the attribute 'name'", "outside"),
    (lambda x: put(x, np.asarray(NUMBERS)), "it may be what an index of pandas holds", "x.copy()"),
    (lambda x: put(x, NUMBERS.to_numpy()), "it may be what an index of pandas holds", "x.copy()"),
    (lambda x: pd.DataFrame({"a": x}, index=TIMES), "a DataFrame or Series as a result", "return, arrays"),
    (lambda x: pd.DataFrame({"a": x}, index=TIMES).mean(), "mean of a DataFrame", "to_numpy()"),
    (lambda x: pd.DataFrame({"a": x}).index[0] * x, "index of a DataFrame", "to_numpy()"),
    (lambda x: pd.DataFrame({"a": x, "b": 1.0})["a"].values, "a DataFrame whose column b", "pd.DataFrame({'a': x}"),
    (lambda x: pd.DataFrame({"a": x}, index=x)["a"].values, "a DataFrame of other things", "pd.DataFrame({'a': x}"),
    (lambda x: pd.DataFrame(x).values, "a DataFrame of other things", "pd.DataFrame({'a': x}"),
    (lambda x: put(x, pd.DataFrame({"a": x})["a"].to_numpy()), "it may be a column of a DataFrame", "x.copy()"),
]


@pytest.mark.parametrize("f, says, instead", REFUSED, ids=range(len(REFUSED)))
def test_what_is_refused(f, says, instead):
    before = TIMES.name
    with pytest.raises(gs.GradscribeError) as caught:
        gs.jit(f)(X)
    assert says in caught.value.message and instead in caught.value.instead and TIMES.name == before


@pytest.mark.parametrize("f", [lambda x: x if TIMES else -x, lambda x: float(NUMBERS) * x, lambda x: TIMES[4].hour * x,
                               lambda x: pd.Timestamp("2024-13-01").day * x, lambda x: TIMES + TIMES,
                               lambda x: np.asarray(NUMBERS, dtype=np.float32, copy=False) * x,
                               lambda x: pd.DataFrame({"a": x, "b": x[1:]})["a"].values,
                               lambda x: pd.DataFrame({"a": x[1:]}, index=TIMES)["a"].values])
def test_what_pandas_raises(f):
    with pytest.raises((ValueError, TypeError, IndexError)) as raised:
        f(X)
    with pytest.raises((ValueError, TypeError, IndexError)) as caught:
        gs.jit(f)(X)
    assert isinstance(raised.value, type(caught.value)) and str(caught.value) == str(raised.value)


def test_an_index_as_an_argument():
    for index in (TIMES, NUMBERS):
        with pytest.raises(gs.UnsupportedError, match=f"an argument of type {type(index).__name__}") as caught:
            gs.jit(lambda x, times: np.asarray(times) * x)(X, index)
        assert "find it outside" in caught.value.instead and "np.asarray(x)" in caught.value.instead


def test_nothing_is_found_of_a_call_that_is_computed():
    def f(x):
        return pd.date_range("2024-05-01", periods=4).day[0] * x + pd.DataFrame({"a": x})["a"].to_numpy()
    assert str(gs.check(f)) == "no problems found"


def test_pandas_is_not_imported():
    import subprocess
    import sys
    text = "import gradscribe as gs, numpy as np, sys\nassert 'pandas' not in sys.modules"
    subprocess.run([sys.executable, "-c", text], check=True)
