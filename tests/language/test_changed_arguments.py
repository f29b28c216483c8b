"""Lists, dicts and objects among the arguments: what a call of a transformed function does to them
(programs: tests/corpus/from_outside/changed.py)."""
import numpy as np
import pytest

import gradscribe as gs
from tests.corpus.from_outside.classes import State
from tests.support.agreement import compare


def test_an_argument_keeps_the_objects_that_are_in_it():
    """Arrays and containers that were passed are the same objects afterwards, wherever they are put."""
    def moves(d, x):
        d["h"].append(x)
        d["z"], d["x"] = d["h"], d.pop("first")

    for way in (gs.test_util.primal, gs.jit):
        first, h, x = np.ones(1), [np.zeros(2)], np.ones(3)
        d = {"first": first, "h": h}
        assert way(moves)(d, x) is None
        assert d["z"] is d["h"] is h and d["x"] is first and h[1] is x and list(d) == ["h", "z", "x"]


def test_a_derivative_leaves_containers_as_they_are():
    def f(state, x):
        state["x"] = state["x"] * x
        state["n"] = 2.0
        return np.sum(state["x"] ** 2)

    for way in (lambda f: f, gs.jit):
        state = {"x": np.array([1.0, 2.0])}
        compare(way(gs.grad(f, argnums=1))(state, 3.0), 30.0)
        compare(way(gs.jvp)(f, (state, 3.0), ({"x": np.zeros(2)}, 1.0)), (np.float64(45.0), np.float64(30.0)))
        batch = {"x": np.array([[1.0, 2.0], [3.0, 4.0]])}
        compare(way(gs.vmap(f))(batch, np.array([1.0, -2.0])), np.array([5.0, 100.0]))
        assert list(state) == list(batch) == ["x"]


def test_an_argument_that_has_more_than_its_fields():
    """Each set of attributes has a program of its own, so that what is not there is known not to be."""
    def f(state, x):
        return x * getattr(state, "rate", 2.0) if hasattr(state, "rate") else x * state.x

    for g, want in ((gs.test_util.primal(f), 7.5), (gs.jit(f), 7.5), (gs.grad(f, argnums=1), 5.0)):
        state = State(5.0)
        assert g(state, 1.5) == want
        state.rate = 4.0
        with pytest.raises(gs.UnsupportedError, match="State has no field 'rate'"):
            g(state, 1.5)
        del state.rate
        assert g(state, 1.5) == want


def test_each_device_has_its_own_arguments():
    def f(state, x):
        state["last"] = x
        return np.sum(x)

    with pytest.raises(gs.UnsupportedError, match="a change of a list, dict or object that is an argument"):
        gs.pmap(f, in_axes=(None, 0))({"last": np.ones(2)}, np.ones((1, 2)))


def test_calls_that_return_at_once_change_their_arguments():
    def f(path, x):
        path.append(x * 2.0)
        return x * 3.0

    path = []
    assert float(gs.jit(f, wait=False)(path, 2.0)) == 6.0 and path == [4.0]


def test_a_program_is_made_for_each_length_and_used_again():
    def f(path, x):
        path.append(x)
        return sum(path)

    g = gs.jit(f)
    for start in ([], [1.0], [], [1.0]):
        path = list(start)
        assert g(path, 2.0) == sum(start) + 2.0 and path == [*start, 2.0]
    assert sum(map(len, g._cache.programs.values())) == 2


def test_a_call_that_raises_leaves_what_was_done_till_then(capsys):
    def f(path, x):
        path.append(x)
        x[0] = 2.0
        print("seen", float(x[0]))
        if x[1] < 0.0:
            raise ValueError("negative")
        path.append(0.0)
        return x

    for way in (gs.test_util.primal, gs.jit):
        path, x = [], np.array([1.0, -1.0])
        with pytest.raises(ValueError, match="negative"):
            way(f)(path, x)
        assert len(path) == 1 and path[0] is x and x[0] == 2.0
        assert capsys.readouterr().out == "seen 2.0\n"
