"""Lists, dicts and objects among the arguments that a function changes: they are changed when the call is over."""
import copy
from collections import OrderedDict, deque
from dataclasses import dataclass
from functools import cached_property
from types import SimpleNamespace

import numpy as np

from tests.corpus.from_outside.classes import State
from tests.corpus.from_outside.table import X, item


class Tank:
    def __init__(self, level, name="main"):
        self.level, self.name, self.history = level, name, [level]
        self.area = np.array([1.0, 2.0])

    def step(self, flow):
        self.level += flow - 0.1 * self.level
        self.history.append(self.level)
        return self.level


@dataclass
class Body:
    at: np.ndarray
    speed: float
    steps: int = 0

    @cached_property
    def energy(self):
        return 0.5 * self.speed**2 + np.sum(self.at)


@dataclass(slots=True)
class Pair:
    a: float
    b: float


@item({"w": X, "bias": 1.0}, 0.1, gradient=0)
def a_step_of_descent_in_a_dict(params, rate):
    for name in params:
        params[name] = params[name] - rate * 2.0 * params[name]
    params["steps"] = 1.0
    return np.sum(params["w"] ** 2) + params["bias"]


@item([1.0, 2.0], 3.0, gradient=1, more=[([], 0.5)])
def a_list_that_is_appended_to(history, x):
    history.append(x * x)
    history.append(history[-1] + len(history))
    return sum(history)


@item([3.0, 1.0, 2.0], gradient=0)
def a_list_that_is_sorted_and_cut(values):
    values.sort(key=lambda v: -v)
    values[1:] = [values[1] * 2.0]
    del values[0]
    values.insert(0, 7.0)
    return values[-1]


@item(Tank(2.0), 0.5, gradient=1)
def an_object_whose_methods_change_it(tank, flow):
    for _ in range(3):
        tank.step(flow)
    tank.last = tank.history
    del tank.area
    return tank.level * len(tank.history)


@item(Body(X, 2.0), gradient=None)
def a_dataclass(body):
    body.at = body.at + 0.5 * body.speed
    body.steps += 1
    body.note = "moved"
    return np.sum(body.at)


@item(Body(X, 2.0))
def a_dataclass_that_keeps_what_it_has_computed(body):
    return body.energy * 2.0


@item(Body(X, 2.0), refused="the __dict__ of a Body")
def the_attributes_of_one_that_may_keep_more(body):
    return len(vars(body)) * body.speed


@item(State(2.0), gradient=0)
def the_attributes_of_a_dataclass(state):
    return len(vars(state)) * state.x


@item(Pair(1.0, 2.0), gradient=0)
def a_dataclass_with_slots(pair):
    pair.a, pair.b = pair.b * 3.0, pair.a
    return pair.a * pair.b


@item(SimpleNamespace(w=X, b=1.0))
def a_namespace(p):
    p.w = p.w * p.b
    p.extra = 2.0
    return np.sum(p.w)


@item({"inner": [X, {"deep": 1.0}], "x": X * 2.0})
def what_is_in_containers(d):
    d["inner"][1]["deep"] += np.sum(d["x"])
    d["inner"].append(d["x"])
    d["again"] = d["inner"]
    d["x"], d["y"] = d["inner"][0], d["x"]
    return d["inner"][1]["deep"]


@item([X, X * 2.0])
def arrays_that_are_stored_into_and_moved(rows):
    rows[0][1] = 5.0
    rows[0], rows[1] = rows[1], rows[0]
    rows.append(rows[0] * rows[1])
    return rows[1][1]


@item([1.0], 2.0, gradient=1, more=[([1.0], -2.0), ([], 2.0), ([], -2.0)])
def a_list_that_one_path_appends_to(accepted, x):
    if x > 0.0:
        accepted.append(x)
    return x * 2.0


@item([1.0], 4, more=[([1.0], 0), ([], 3)])
def a_list_that_a_loop_fills(path, n):
    for k in range(n):
        path.append(0.5 * k)
    return len(path)


@item([], X, 3)
def a_list_that_a_loop_fills_with_arrays(path, x, n):
    for k in range(n):
        path.append(x * k)
    return len(path)


@item([], 9.0, more=[([], 0.5)])
def a_list_that_a_while_fills(path, x):
    while x > 1.0:
        x = 0.5 * x
        path.append(x)
    return x


@item(deque([1.0, 2.0], maxlen=2), 3.0, gradient=1)
def a_deque(window, x):
    window.append(x)
    return sum(window)


@item(OrderedDict(a=1.0, b=2.0))
def an_ordered_dict(d):
    d.move_to_end("a")
    d["c"] = d.pop("b")
    return d["c"]


@item({"a": 1.0, "b": 2.0}, gradient=0)
def a_dict_that_is_emptied(d):
    taken = d.pop("a")
    d.clear()
    return taken * 2.0


@item([1.0, 2.0], [3.0], True, more=[([1.0, 2.0], [3.0], False)])
def one_of_two_by_an_option(a, b, first):
    (a if first else b).append(9.0)
    return a[0] + b[0]


@item([1.0, 2.0])
def a_change_that_is_taken_back(values):
    values.append(3.0)
    values.pop()
    return sum(values)


@item({"x": [1.0]}, 2.0)
def what_is_given_by_name_and_kept(d, x):
    def keep(*, into, value):
        into["x"].append(value)
    keep(into=d, value=x * 2.0)
    return x


@item([1.0, 2.0])
def a_copy_is_changed(values):
    mine = copy.copy(values)
    mine.append(3.0)
    return sum(mine)


@item([1.0])
def a_list_that_is_returned_too(values):
    values.append(2.0)
    return values


@item([], X, refused="gets an array, list, dict or object that others see, too")
def an_array_that_is_kept_and_returned(kept, x):
    y = x * 2.0
    kept.append(y)
    return y


@item([], X, refused="gets an array, list, dict or object that others see, too")
def a_view_that_is_kept(kept, x):
    kept.append(x[1:])
    return np.sum(x)


@item([], X, 3, refused="gets an array, list, dict or object that others see, too")
def an_array_that_a_loop_keeps(kept, x, n):
    for _ in range(n):
        kept.append(x)
    return np.sum(x)


@item([1.0], [2.0], 0.5, refused="a change of the caller's a, which others see as well")
def one_of_two_that_the_run_chooses(a, b, x):
    chosen = a if x > 0.0 else b
    chosen.append(x)
    return x
