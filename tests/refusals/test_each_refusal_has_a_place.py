"""Each refusal says a file, a line and the part of it that is meant: in the function, or else in the call."""
import ast
import collections
import dataclasses
import math
from pathlib import Path

import numpy as np
import pytest
import scipy.special

import gradscribe as gs

ROOT = Path(__file__).parents[2] / "transformer"
KINDS = {"UnsupportedError", "SpecialisationError", "ImpurityError"}
X = np.array([1.0, -2.0, 3.0])
P, MESH = gs.P, gs.Mesh((2,), "i")


def total(x):
    return np.sum(x * x)


def stored(x):
    x[0] = 0.0
    return np.sum(x)


def stored_beside(x, y):
    x[0] = 0.0
    return np.sum(x * y)


@dataclasses.dataclass
class Asks:
    x: float

    def __getattribute__(self, name):
        return object.__getattribute__(self, name)


@dataclasses.dataclass
class Without:
    x: float
    y: float

    def __init__(self):
        self.x = 1.0


@dataclasses.dataclass
class Unhashable:
    x: float
    names: list = dataclasses.field(metadata={"static": True}, default_factory=lambda: [[]])


def of_its_own_class():
    Pair = collections.namedtuple("Pair", "x y")
    return lambda x: Pair(x, x)


class Squared:
    def __init__(self, x):
        self.square = [x]


gs.tree.register(Squared, lambda s: (s.square, None), lambda aux, children: Squared(children[0]))
PAIR = [1.0, 2.0]
CIRCLE: list = []
CIRCLE.append(CIRCLE)
SEEN = 2.0


def of_outside(x):
    return x * SEEN


def changed(make):
    """What belongs to a point, called after what the function reads from outside has changed."""
    global SEEN
    SEEN = 2.0
    at_point = make()
    SEEN = 3.0
    return at_point(1.0)


def of_two_lists(a, b):
    a[0] = b[0] * 2.0
    return a[0]


def none(x, n):
    if x[0] > n:
        return None
    return x[0] * 2.0


def laid(spec=P("i"), x=None):
    return gs.shard(np.arange(4.0) if x is None else x, MESH, spec)


# what raises without a place of its own: "file function" -> calls
CALLS = {
    "functions/asked.py check_asked": [lambda: gs.grad(3.0), lambda: gs.jit(X), lambda: gs.grad(total, X),
                                       lambda: gs.vmap(total, X), lambda: gs.vjp(total(X), X)],
    "functions/custom_rules.py opaque": [lambda: gs.opaque(total)],
    "frontend/capture.py _no_source": [lambda: gs.grad(eval("lambda x: x * x"))(1.0)],
    "pytree/containers.py object_parts": [lambda: gs.grad(lambda a: a.x)(Asks(1.0)),
                                          lambda: gs.grad(lambda a: a.x)(Without()),
                                          lambda: gs.grad(lambda a: a.square)(Squared(1.0))],
    "programs/cache.py refuse_argument": [lambda: gs.jit(total)({1, 2}), lambda: gs.jit(total)(laid())],
    "programs/cache.py flatten_argument": [lambda: gs.jit(lambda a: a.x)(Unhashable(1.0))],
    "tools/calls.py refuse_devices": [lambda: gs.pmap(total).trace(np.ones((1, 2)))],
    "tools/explain.py explained": [lambda: gs.pmap(total).why("x", np.ones((1, 2)))],
    "tools/calls.py shown_call": [lambda: gs.jit(stored).trace(read_only(X.copy()))],
    "tools/calls.py run": [lambda: gs.jit(of_its_own_class()).trace(X)],
    "programs/cache.py find": [lambda: gs.jit(total)(CIRCLE)],
    "library/eigen.py values_only": [lambda: gs.grad(lambda x: np.linalg.eig(x)[1].real.sum())(np.diag(X))],
    "library/factors.py _refused":
        [lambda: gs.grad(lambda x: np.linalg.svd(x, full_matrices=True)[0].sum())(np.ones((3, 2)))],
    "library/factors.py _orthogonal_refused":
        [lambda: gs.grad(lambda x: np.linalg.qr(x, mode="complete")[0].sum())(np.ones((3, 2)))],
    "library/special.py partial": [lambda: gs.grad(lambda v: scipy.special.jv(v, 2.0))(1.5)],
    "library/special.py unknown": [lambda: gs.jit(gs.grad(lambda v: scipy.special.jv(v, 2.0)))(1.5)],
    "devices/one_device.py as_written": [lambda: gs.pmap(stored)(read_only(np.ones((2, 3))))],
    "devices/one_device.py refuse_stores":
        [lambda: gs.pmap(stored_beside, in_axes=(None, 0))(np.ones(3), np.ones((2, 3)))],
    "devices/pmap.py count": [lambda: gs.pmap(total)(np.ones((2, 3)), np.ones((3, 3))),
                              lambda: gs.pmap(total)(np.ones((0, 3))), lambda: gs.pmap(total, in_axes=None)(X)],
    "devices/split_join.py per_argument": [lambda: gs.pmap(total, in_axes=(0, 0))(np.ones((2, 3)))],
    "devices/split_join.py below": [lambda: gs.pmap(lambda a: a["x"], in_axes=({"y": 0},))({"x": np.ones((2, 3))})],
    "devices/split_join.py length_along": [lambda: gs.pmap(total, in_axes=2)(X),
                                             lambda: gs.pmap(total)(np.array([None, 1]))],
    "devices/split_join.py of_leaf": [lambda: gs.pmap(total, out_axes=2)(np.ones((2, 3)))],
    "programs/program.py refuse_overlap": [lambda: gs.jit(stored_beside)(X, X)],
    "programs/program.py refuse_shared": [lambda: gs.jit(of_two_lists)(PAIR, PAIR)],
    "programs/backward_program.py refuse_changed": [lambda: changed(lambda: gs.linearize(of_outside, 1.0)[1])],
    "transform/budget.py bytes_of": [lambda: gs.grad(total, memory="much")(X), lambda: gs.grad(total, memory=2.0)(X)],
    "rules/elementwise.py partial": [lambda: gs.hessian(math.gamma)(2.5)],
    "rules/elementwise.py refused": [lambda: gs.hessian(lambda x: math.lgamma(x))(2.5)],
    "devices/shard_map.py refuse_unfit": [lambda: gs.shard_map(total, MESH, P("i"), P())(x=np.ones(4)),
                                          lambda: gs.shard_map(total, MESH, (P("i"),) * 2, P())(np.ones(4))],
    "devices/shard_map.py blocks_of_leaf":
        [lambda: gs.shard_map(total, MESH, P(None, "i"), P())(gs.shard(np.ones((4, 4)), MESH, P("i")))],
    "devices/shard_map.py differing": [lambda: gs.shard_map(total, MESH, P("i"), P())(np.arange(4.0))],
    "devices/shard_map.py refuse_stores": [lambda: gs.shard_map(stored, MESH, P("i"), P("i"))(np.ones(4))],
    "devices/shard_map.py __init__": [lambda: gs.shard_map(total, MESH, "i", P())],
    "sharding/mesh.py axes_of_spec": [lambda: laid(P("i", None)), lambda: laid(P("j")),
                                      lambda: laid(P("i", "i"), np.ones((2, 2)))],
    "sharding/mesh.py block_shape": [lambda: laid(x=np.ones(3))],
    "sharding/sharded.py with_specs": [lambda: laid({"a": P("i")}, {"b": np.ones(4)})],
    "sharding/sharded.py placed_on": [lambda: laid(x=np.array([None] * 4))],
    "sharding/sharded.py mesh_of": [lambda: gs.pmap(stored_beside)(laid(),
                                                                   gs.shard(np.ones(4), gs.Mesh((2,), "j"), P("j")))],
    "sharding/sharded.py count_along": [lambda: gs.pmap(total, in_axes=1)(laid(x=np.ones((4, 4))))],
    "sharding/sharded.py one_for_all": [lambda: gs.pmap(stored_beside, in_axes=(None, 0))(laid(), np.ones((2, 2)))],
}
NEEDS_MORE = {  # several processes, or GPUs, or that nothing else is asked before
    "frontend/capture.py python_function",
    "devices/pmap.py mesh_of", "devices/pmap.py parts", "functions/gpu_jit.py as_written",
    "devices/gpu_threads.py refuse_stores", "devices/split_join.py differing", "sharding/sharded.py gathered",
    "sharding/sharded.py refuse_differing"}
OTHERS = [
    lambda: gs.grad(total)(3), lambda: gs.grad(total, argnums=4)(X), lambda: gs.grad(total)(x=X),
    lambda: gs.vmap(total, in_axes=3)(X), lambda: gs.jvp(total, (X,), (X, X)), lambda: gs.jvp(total, (X,), (1.0,)),
    lambda: gs.vjp(total, X)[1](X), lambda: gs.grad(lambda x: x * x)(X), lambda: gs.grad(total, holomorphic=True)(X),
    lambda: gs.grad(lambda x: x.sum() * 1j)(X), lambda: gs.jit(exec)("a"), lambda: gs.jit(np.asarray_chkfinite)(X),
    lambda: gs.jit(lambda x: iter(x))(X), lambda: gs.jit(lambda x: (i for i in x))(X),
    lambda: gs.jit(lambda x: open("a"))(X), lambda: gs.grad(total).source({1}), lambda: gs.grad(total).tree({1}),
    lambda: gs.grad(total).explain({1}), lambda: gs.grad(lambda x, n: x * (-3.0) ** n)(1.0, 0.5),
    lambda: gs.jit(gs.grad(lambda x, n: x * (-3.0) ** n))(1.0, 0.5), lambda: gs.jit(lambda n: n * n)(2**40),
]
NONES = [
    gs.grad(none), gs.value_and_grad(none), gs.jit(gs.grad(none)), gs.hessian(none), gs.jacrev(none), gs.jacfwd(none),
    lambda x, n: gs.jvp(none, (x, n), (x, n)), lambda x, n: gs.vjp(none, x, n), lambda x, n: gs.linearize(none, x, n),
    gs.grad(lambda x, n: (x[0], none(x, n)), has_aux=True), gs.grad(lambda x, n: (none(x, n), x[0]), has_aux=True),
    gs.grad(gs.checkpoint(none)), lambda x, n: gs.vmap(none, (0, None))(x[None], n),
    lambda x, n: gs.hvp(none, (x, n), (x, 0.0)),
]


def read_only(x):
    x.flags.writeable = False
    return x


def sites() -> set[str]:
    """Where the sources raise an error without a place."""
    found = set()
    for path in ROOT.rglob("*.py"):
        for f in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            calls = ast.walk(f) if isinstance(f, ast.FunctionDef) else ()
            if any([isinstance(c, ast.Call) and getattr(c.func, "id", "") in KINDS
                    and isinstance(c.args[0], ast.Constant) and c.args[0].value is None for c in calls]):
                found.add(f"{path.relative_to(ROOT).as_posix()} {f.name}")
    return found


@pytest.mark.heavy(one_in=2)
def test_all_are_known():
    assert sites() == CALLS.keys() | NEEDS_MORE and all(CALLS.values())


def says_where(error) -> None:
    """It has the file and the line of this file, its text and a caret, and nothing of ours in its place."""
    text = "\n".join([str(error), *getattr(error, "__notes__", [])])
    assert "test_each_refusal_has_a_place.py:" in text and "^" in text, text


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name, call", [(name, call) for name, calls in CALLS.items() for call in calls]
                                       + [("others", call) for call in OTHERS])
def test_it_says_where(name, call):
    with pytest.raises(gs.GradscribeError) as raised:
        call()
    says_where(raised.value)


@pytest.mark.parametrize("call", NONES)
def test_none_on_the_path_that_is_taken(call):
    with pytest.raises(gs.GradscribeError, match="None") as raised:
        call(X, 0.5)
    says_where(raised.value)
    if call in NONES[:6]:
        assert "return None" in raised.value.__notes__[0] and raised.value.__notes__[0].count("^") == len("return None")
