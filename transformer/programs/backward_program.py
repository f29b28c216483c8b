"""The second half of `gs.vjp` as a program of its own, so that a pull-back evaluates nothing again."""
from __future__ import annotations

import contextlib

import numpy as np

from gradscribe.runtime.cuda import backend, memory
from gradscribe.runtime.cuda.backend import is_device_array

from ..core import inline
from ..errors.messages import ImpurityError
from ..inputs.gpu_placeholders import device_errors
from ..inputs.guards import Path, is_run_time_leaf
from ..pytree.containers import class_of, map_leaves, open_container
from ..pytree.results import assemble
from ..rules.kinds import zeros_of
from ..specialise.domain import values as v
from ..specialise.domain.growing_lists import structured_value
from ..specialise.entry import Specialised
from ..specialise.evaluator.names.lifting import build, lift, parameter_type
from ..specialise.staged_calls.derivatives import conform_tangent
from ..specialise.staged_calls.leaves import paired
from ..transform.opening import without_calls


class Halved:
    """(residuals, cotangent) -> cotangents of the primals; None for a cotangent that does not fit."""

    def __init__(self, program, backward):
        self.program, self.backward = program, backward
        fun = backward.fun
        count = sum(backward.out_floats)
        types = [fun.types[p] for p in fun.params]
        self.kept, self.types = types[:len(types) - count], types[len(types) - count:]

    @staticmethod
    def of(program, owner, spec):
        """The second half for a specialisation of the first, as `program` (program.Program) makes it;
        False where a residual is a tape, which is no argument."""
        fun = without_calls(spec.facts.backward.fun)
        if any(fun.types[p].kind == "tape" for p in fun.params):
            return False
        made = Specialised(fun, None, tuple(range(len(fun.params))), [], {}, [], frozenset(),
                           len(fun.body.results), main=spec.main)
        return Halved(program(owner, made), spec.facts.backward)

    def __call__(self, residuals, cotangent, out, primals):
        leaves: list = []
        wanted: list = []
        if not (collect(self.backward.out, cotangent, leaves) and collect(self.backward.out, out, wanted)):
            return None
        seeds = [(x, y) for x, y, is_float in zip(leaves, wanted, self.backward.out_floats) if is_float]
        given = [of_type(x, y, t) for (x, y), t in zip(seeds, self.types)]
        if any(x is None for x in given):
            return None
        if self.program.owner.target == "cuda":
            with device_errors():
                residuals = list(map(kept_number, residuals, self.kept))
                bars = iter(self.program.results([*residuals, *given]))
        else:
            bars = iter(self.program.results([*residuals, *given]))
        old: list = []
        collect(self.backward.primals, primals, old)
        return assemble(self.backward.primals, [next(bars) if is_float else zero_cotangent(x)
                                                for x, is_float in zip(old, self.backward.floats)])

    def on_host(self, residuals, out):
        """What was kept and the value, as a program of the CPU has them."""
        leaves: list = []
        collect(self.backward.out, out, leaves)
        floats = [x for x, is_float in zip(leaves, self.backward.out_floats) if is_float]
        types = dict(zip(map(id, floats), self.types))
        return (tuple([backend.get(kept_number(x, t)) for x, t in zip(residuals, self.kept)]),
                map_leaves(lambda x: backend.get(kept_number(x, types[id(x)]) if id(x) in types else x), out))

    def inlined(self, s, cotangent, residuals, out, primals):
        """The same inside transformed code: what was kept is outside, with lengths that are known."""
        fun = self.program.core
        exact, s.exact = s.exact, True
        found = [lift(s, x, Path(f"residual_{k}", residuals, None, "default").item(k), (id(residuals),))
                 for k, x in enumerate(residuals)]
        s.exact = exact
        pairs = paired(s, zero_object(s, out), cotangent, "cotangent", "value")
        seeds = [conform_tangent(s, x, d, f"cotangent{at}", f"value{at}") for x, d, at in pairs
                 if s.b.type(s.atom(x)).is_float]
        bars = iter(inline(s.b, fun, (*map(s.atom, found), *seeds)))
        old: list = []
        collect(self.backward.primals, primals, old)
        return structured_value(s, self.backward.primals,
            [s.wrap(next(bars)) if is_float else zero_object(s, x) for x, is_float in zip(old, self.backward.floats)])


def zero_object(s, obj):
    """The value of an object, with zeros in it: what its types are."""
    return build(s, obj, lambda x, _: s.wrap(zeros_of(s.b, parameter_type(x, "x", str).with_dims(np.shape(x))))
                 if is_run_time_leaf(x) else v.Static(x))


def collect(structure, value, leaves: list) -> bool:
    """Append the leaves of a value of this structure; False if it has another one."""
    if structure[0] == "leaf":
        leaves.append(value)
        return True
    if structure[0] == "static":
        return True
    cls, keys, parts = structure
    items = items_like(value, cls, keys)
    return items is not None and len(items) == len(parts) and all(collect(p, x, leaves) for p, x in zip(parts, items))


def items_like(value, cls, keys):
    """The items of a value, in the order of a container of this class and these keys; None if it is another one."""
    node = open_container(value)
    if node is None:
        return None
    if isinstance(value, dict) and node.keys != keys:  # in another order, perhaps
        return None if keys is None or set(node.keys) != set(keys) else [value[k] for k in keys]
    if node.keys is None or isinstance(value, dict):
        return node.items
    found = dict(zip(node.keys, node.items))
    return [found[k] for k in keys] if class_of(value) is cls and found.keys() >= {*keys} else None


def kept_number(x, t):
    """What was kept, as the other half takes it: a number that a GPU has made is an array there."""
    if t.kind == "array" or not is_device_array(x):
        return x
    x = backend.get(x)[()]
    return t.python_type(x) if t.kind == "py" else x


def of_type(x, like, t):
    """A cotangent with exactly the type of what it belongs to; None if it has another shape or is no number."""
    if is_device_array(x):
        x = backend.put_array(x)
        if x.shape != np.shape(like) or x.dtype.kind not in "fiubc" or x.dtype.kind == "c" != t.dtype.kind:
            return None
        return kept_number(x if x.dtype == t.dtype else x.astype(t.dtype), t)
    if isinstance(x, (list, tuple)):
        with contextlib.suppress(ValueError):  # a ragged one
            x = np.asarray(x)
    if (not isinstance(x, (bool, int, float, complex, np.ndarray, np.generic)) or np.shape(x) != np.shape(like)
            or np.asarray(x).dtype.kind not in "fiubc" or np.asarray(x).dtype.kind == "c" != t.dtype.kind):
        return None
    if t.kind == "py":
        return t.python_type(x)
    return np.asarray(x, t.dtype) if t.kind == "array" else t.dtype.type(x)


class Outside:
    """What a program reads from outside, as it was."""

    def __init__(self, program):
        self.program = program
        self.paths = [p for p in program.spec.params if not isinstance(p, int)]
        self.values = [np.copy(p.get()) for p in self.paths]

    def refuse_changed(self, what: str) -> None:
        """What evaluates the function again would evaluate another one."""
        if not self.program.guards_hold():
            raise ImpurityError(None,
                f"what the function reads from outside has changed since {what} was made, which evaluates the "
                f"function again",
                                instead="Pass it to the function as an argument.")
        for path, before in zip(self.paths, self.values):
            now = path.get()
            if np.shape(now) != np.shape(before) or not np.array_equal(now, before,
                                                                       equal_nan=np.asarray(before).dtype.kind == "f"):
                raise ImpurityError(None,
                    f"{path.text}, which the function reads from outside, has changed since {what} was made, which "
                    f"evaluates the function again",
                                    instead="Pass it to the function as an argument.")


def zero_cotangent(x):
    """The cotangent of what has no derivative."""
    if is_device_array(x):
        return memory.zeros(x.shape, x.dtype)
    return np.zeros_like(x) if isinstance(x, np.ndarray) else type(x)(0)
