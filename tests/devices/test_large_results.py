"""Large results of a pmap, which devices put together while they run: they are what np.stack gives,
and the caller's own."""

import itertools

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.runtime.devices import crew
from gradscribe.transformer.devices.split_join import joined_results
from gradscribe.transformer.errors.messages import SpecialisationError

X = np.random.default_rng(0).normal(size=(2, 200, 200))


@pytest.fixture(autouse=True)
def two(monkeypatch):
    monkeypatch.setenv("GRADSCRIBE_DEVICES", "2")


def parts(x):
    y = x + 1.0
    return x, y, y, {"a": x - 1.0, "b": x[:, :2]}


@pytest.mark.parametrize("axes", [0, 1, -1, (1, 0, 0, {"a": 0, "b": 2})])
def test_they_are_those_of_vmap_and_no_views(axes):
    got, expected = gs.pmap(parts, out_axes=axes)(X), gs.vmap(parts, out_axes=axes)(X)
    got, expected = [*got[:3], *got[3].values()], [*expected[:3], *expected[3].values()]
    for a, b in zip(got, expected, strict=True):
        np.testing.assert_array_equal(a, b)
        assert a.dtype == b.dtype and a.flags.c_contiguous and a.flags.owndata and a.flags.writeable
    assert not any(np.shares_memory(a, b) for a, b in itertools.combinations([X, *got], 2))


@pytest.mark.parametrize("f, of", [(lambda x: x + 1.0, lambda r: r), (lambda x: (x[0], x + 1.0), lambda r: r[1]),
                                   (lambda x: [x + 1.0], lambda r: r[0]), (lambda x: {"a": x + 1.0}, lambda r: r["a"])])
def test_devices_copy_them(f, of, monkeypatch):
    stacked = []
    monkeypatch.setattr(np, "stack", lambda rows, axis: stacked.append(rows[0].size))
    np.testing.assert_array_equal(of(gs.pmap(f)(X)), X + 1.0)
    assert not [size for size in stacked if size == X[0].size]


@pytest.mark.parametrize("results", [(np.zeros((200, 200)), np.zeros((201, 200))), (np.zeros((200, 200)), 1.0),
                                     (1.0, np.zeros((200, 200)))])
def test_results_that_differ_are_refused(results):
    shelf = crew.Shelf(2)
    rows = [shelf.run(k, lambda x=x: x) for k, x in enumerate(results)]
    with pytest.raises(SpecialisationError, match="a result is of shape .* on device 0, and of shape .* on device 1"):
        joined_results(rows, 0, shelf.stacked, "out_axes of pmap")


def test_results_of_two_dtypes_are_stacked_as_before():
    shelf = crew.Shelf(2)
    rows = [shelf.run(k, lambda d=d: np.ones((400, 400), d)) for k, d in enumerate((np.float32, np.float64))]
    whole = joined_results(rows, 0, shelf.stacked, "out_axes of pmap")
    assert whole.dtype == np.float64 and whole.shape == (2, 400, 400)


def test_compiled_code_writes_them_where_they_are_wanted(monkeypatch):
    """Without a copy: only what is returned in two places, or is no array of its own, is copied."""
    asked = []
    monkeypatch.setattr(crew.Rooms, "placed",
                        lambda self, x, placed=crew.Rooms.placed: asked.append(self.number) or placed(self, x))
    numbers = []
    monkeypatch.setattr(crew.Shelf, "row", lambda self, device, number, *form, row=crew.Shelf.row: (
        numbers.append(number) or row(self, device, number, *form)))
    got = gs.pmap(lambda x: (x + 1.0, {"a": x - 1.0}, np.sum(x)))(X)
    np.testing.assert_array_equal(got[0], X + 1.0)
    np.testing.assert_array_equal(got[1]["a"], X - 1.0)
    assert sorted(numbers) == [1, 1, 2, 2] and asked and set(asked) == {2}


def test_a_result_and_a_view_of_it():
    """A view is no row of its own, though its shape is that of one."""
    def f(x):
        y = x * 2.0
        return y.T, y, y[::-1], y

    for a, b in zip(gs.pmap(f)(X), gs.vmap(f)(X), strict=True):
        np.testing.assert_array_equal(a, b)
        assert a.flags.owndata


def test_devices_that_return_results_of_other_shapes():
    """Each goes its way to the first of them: what is larger on one device is refused,
    and nothing is written beyond its row."""
    def f(x, n):
        return np.zeros(n) + x[0, 0], x + 1.0

    with pytest.raises(SpecialisationError, match="of shape"):
        gs.pmap(f, in_axes=(0, 0))(X, np.array([40_000, 50_000]))
